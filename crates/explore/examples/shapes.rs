//! scratch
use counterpoint_explore::*;
use counterpoint_testkit::{TestProgram, shapes};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: u32 = args[3].parse().unwrap();
    let program: TestProgram = match &*args[2] {
        "fib" => shapes::fib(n),
        "dining" => shapes::dining(n as usize),
        "lock" => shapes::lock(n as usize),
        "pi" => shapes::pi(n as usize),
        "filesystem" => shapes::filesystem(n),
        "lastzero" => shapes::lastzero(n),
        "pairs" => shapes::pairs(n),
        "writes" => shapes::writes(n as i32, 2),
        "szymanski" => shapes::szymanski(n),
        "updater" => shapes::updater(n, n, true),
        _ => panic!(),
    };
    let seeds = args.get(4).map_or(1, |s| s.parse().unwrap());
    for seed in 0..seeds {
        let start = std::time::Instant::now();
        let mut sink = Silent;
        let x = (explorer(&args[1]).unwrap().explore)(Assignment {
            program: &program,
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: default_properties(),
            sink: &mut sink,
            seed,
        });
        println!(
            "{} {} {n} seed {seed}: {:?} findings {} bounds {:?} internal {:?} {:.2}s",
            args[1],
            args[2],
            x.statistics,
            x.findings.len(),
            x.bounds,
            x.internal_errors,
            start.elapsed().as_secs_f64()
        );
    }
}
