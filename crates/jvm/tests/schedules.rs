//! Threads under random schedules: right results, right deadlocks, and exact rollback at any point.

use std::path::{Path, PathBuf};

use counterpoint_jvm::load::{ClassPath, Jdk, compile};
use counterpoint_jvm::{Machine, Mark, NextOperation, Options};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/threads")
}

/// A machine about to run a program of `tests/threads`, with the folder its classes are in.
fn machine(name: &str) -> (Machine, tempfile::TempDir) {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let classes =
        compile(&jdk, &[folder().join(format!("{name}.java"))], &[]).expect("the program compiles");
    let class_path = ClassPath::new(jdk, &[classes.path().to_path_buf()]).expect("a class path");
    let machine = Machine::new(class_path, name, &[], Options::default());
    (machine.unwrap_or_else(|error| panic!("{name}: {error}")), classes)
}

/// A small generator, so that failures can be repeated.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

/// The threads that can move.
fn ready(machine: &Machine) -> Vec<usize> {
    let is_ready = |thread: &usize| matches!(machine.next(*thread), Ok(NextOperation::Ready(_)));
    (0..machine.thread_count()).filter(is_ready).collect()
}

/// Takes one random step; false if nobody can move.
fn step(machine: &mut Machine, random: &mut Random) -> bool {
    let ready = ready(machine);
    if ready.is_empty() {
        return false;
    }
    let thread = ready[random.below(ready.len())];
    let alternatives = match machine.next(thread) {
        Ok(NextOperation::Ready(counterpoint_jvm::VisibleOperation::Notify {
            all: false,
            waiting,
            ..
        })) => waiting.max(1),
        _ => 1,
    };
    let alternative = random.below(alternatives as usize) as u32;
    if let Err(fault) = machine.step(thread, alternative) {
        panic!("{fault}\n{}", machine.stack_trace(thread).join("\n"));
    }
    true
}

fn run(machine: &mut Machine, random: &mut Random) -> usize {
    let mut steps = 0;
    while step(machine, random) {
        steps += 1;
        assert!(steps < 1_000_000, "the program does not end");
    }
    steps
}

fn output(machine: &Machine) -> String {
    String::from_utf8_lossy(machine.output()).into_owned()
        + &String::from_utf8_lossy(machine.error_output())
}

/// Runs a program under many schedules; each must print what is expected.
fn check(name: &str, schedules: u64) {
    let (mut machine, _classes) = machine(name);
    let wanted =
        std::fs::read_to_string(folder().join(format!("{name}.txt"))).expect("what it prints");
    machine.begin_main().expect("it starts");
    let start = machine.mark();
    for seed in 0..schedules {
        run(&mut machine, &mut Random::new(seed));
        assert_eq!(output(&machine), wanted, "{name}, seed {seed}");
        machine.undo(start);
    }
}

#[test]
fn locks_of_every_kind_protect_a_counter() {
    check("Counter", 300);
}

#[test]
fn a_bounded_buffer_passes_everything_on() {
    check("Buffer", 300);
}

#[test]
fn the_concurrency_library_works_under_any_schedule() {
    check("Library", 100);
}

#[test]
fn classes_are_initialised_once() {
    check("Initializers", 300);
}

#[test]
fn interrupts_arrive() {
    check("Interrupts", 300);
}

#[test]
fn names_do_not_depend_on_the_schedule() {
    let (mut machine, _classes) = machine("Names");
    machine.begin_main().expect("it starts");
    let start = machine.mark();
    let mut first = None;
    for seed in 0..200 {
        run(&mut machine, &mut Random::new(seed));
        let printed = output(&machine);
        assert_eq!(first.get_or_insert(printed.clone()), &printed, "seed {seed}");
        machine.undo(start);
    }
}

#[test]
fn some_schedules_deadlock_and_some_do_not() {
    let (mut machine, _classes) = machine("Deadlock");
    machine.begin_main().expect("it starts");
    let start = machine.mark();
    let (mut deadlocks, mut completions) = (0, 0);
    for seed in 0..200 {
        run(&mut machine, &mut Random::new(seed));
        let blocked = (0..machine.thread_count())
            .any(|thread| matches!(machine.next(thread), Ok(NextOperation::Blocked(_))));
        match (blocked, output(&machine).as_str()) {
            (true, "") => deadlocks += 1,
            (false, "done\n") => completions += 1,
            other => panic!("seed {seed}: {other:?}"),
        }
        machine.undo(start);
    }
    assert!(deadlocks > 20 && completions > 20, "{deadlocks} deadlocks, {completions} completions");
}

#[test]
fn undo_restores_the_whole_state_from_any_point() {
    for name in ["Counter", "Buffer", "Library", "Initializers", "Deadlock", "Interrupts"] {
        let (mut machine, _classes) = machine(name);
        machine.begin_main().expect("it starts");
        let start = machine.mark();
        // The first runs load what there is to load, which is not part of the state.
        for seed in 0..5 {
            run(&mut machine, &mut Random::new(seed));
            machine.undo(start);
        }
        let mut compared = 0;
        for seed in 0..40 {
            let mut random = Random::new(seed + 1000);
            let mut marks: Vec<(Mark, (u64, u32))> = Vec::new();
            for _ in 0..60 {
                match random.below(4) {
                    0 => {
                        let mark = machine.mark();
                        marks.push((mark, machine.digest()));
                    }
                    1 if !marks.is_empty() => {
                        let index = random.below(marks.len());
                        let (mark, digest) = marks[index];
                        machine.undo(mark);
                        marks.truncate(index + 1);
                        let now = machine.digest();
                        if now.1 == digest.1 {
                            assert_eq!(now, digest, "{name}, seed {seed}");
                            compared += 1;
                        }
                    }
                    _ => {
                        for _ in 0..random.below(12) {
                            step(&mut machine, &mut random);
                        }
                    }
                }
            }
            machine.undo(start);
        }
        assert!(compared > 200, "{name}: only {compared} comparisons");
    }
}
