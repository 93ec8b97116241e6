//! What a step and its undoing cost, and what the oracle costs.

use std::hint::black_box;
use std::time::Instant;

use counterpoint_model::{Choice, Pid, Program, Run};
use counterpoint_testkit::random::{self, Features, Random};
use counterpoint_testkit::{TestProgram, oracle, shapes};

/// Runs random schedules to the end and back, over and over.
fn steps(program: &TestProgram) {
    let mut random = Random::new(7);
    let mut run = program.start(&[]);
    let schedules: Vec<Vec<Choice>> = (0..64).map(|_| schedule(&mut random, &mut *run)).collect();
    let start = run.mark();
    let (mut count, clock) = (0u64, Instant::now());
    while clock.elapsed().as_millis() < 1000 {
        for schedule in &schedules {
            for &choice in schedule {
                black_box(run.step(choice));
                count += 1;
            }
            run.undo(start);
        }
    }
    let nanoseconds = clock.elapsed().as_nanos() as f64 / count as f64;
    println!("{:24} {nanoseconds:6.1} ns per step, undoing included", program.name());
}

fn schedule(random: &mut Random, run: &mut dyn Run) -> Vec<Choice> {
    let start = run.mark();
    let mut choices = Vec::new();
    loop {
        let ready: Vec<Pid> =
            (0..run.processes()).map(Pid).filter(|&pid| run.next(pid).is_ready()).collect();
        if ready.is_empty() {
            run.undo(start);
            return choices;
        }
        let choice = Choice::of(ready[random.below(ready.len() as u32) as usize]);
        run.step(choice);
        choices.push(choice);
    }
}

fn main() {
    steps(&shapes::fib(5));
    steps(&shapes::lock(5));
    steps(&shapes::dining(6));
    steps(&shapes::filesystem(22));
    for features in [Features::WITHOUT_INPUTS, Features::ALL] {
        let clock = Instant::now();
        let traces: u64 = (0..1000)
            .filter_map(|seed| oracle::enumerate(&random::program(seed, features), 100_000).ok())
            .map(|findings| findings.traces)
            .sum();
        println!("oracle, 1000 programs      {:?}, {traces} traces", clock.elapsed());
    }
}
