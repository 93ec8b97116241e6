//! How fast Java programs are explored, beside the same shapes built for the kernel. Prints figures;
//! run it with `cargo test --release -p counterpoint-jvm --test explore_rates -- --ignored --nocapture`.

use std::path::Path;
use std::time::Instant;

use counterpoint_explore::{
    Assignment, Exploration, Limits, Silent, WorkUnit, default_properties, explorer,
};
use counterpoint_jvm::{JavaProgram, Target};
use counterpoint_model::Program;
use counterpoint_testkit::shapes;

fn explore(program: &dyn Program) -> Exploration {
    (explorer("optimal").expect("an explorer").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut Silent,
        seed: 1,
    })
}

/// Executions, and executions per second.
fn rate(program: &dyn Program) -> (u64, f64) {
    let started = Instant::now();
    let executions = explore(program).statistics.executions;
    (executions, executions as f64 / started.elapsed().as_secs_f64())
}

#[test]
#[ignore = "prints figures and asserts none"]
fn executions_per_second_beside_the_builder() {
    let rows: [(&str, &[&str], _); 4] = [
        ("Fib", &["5"], shapes::fib(5)),
        ("Sections", &["2", "2", "2", "2", "2"], shapes::lock(5)),
        ("Dining", &["6"], shapes::dining(6)),
        ("Filesystem", &["22"], shapes::filesystem(22)),
    ];
    for (main, arguments, built) in rows {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/explore/{main}.java"));
        let target = Target {
            paths: vec![path],
            arguments: arguments.iter().map(|argument| argument.to_string()).collect(),
            ..Target::default()
        };
        let started = Instant::now();
        let program = JavaProgram::load(&target).expect("it loads");
        let load = started.elapsed().as_secs_f64();
        let (executions, java) = rate(&program);
        let (same, builder) = rate(&built);
        assert_eq!(executions, same, "{main}");
        println!(
            "{main} {arguments:?}: {executions} executions, loaded with javac in {load:.2} s, \
             Java {java:.0}/s, builder {builder:.0}/s, ratio {:.2}",
            java / builder
        );
    }
}
