//! The worked examples 1 to 6 of the thesis.

use crate::common;

use common::{Seen, explore_unit};
use counterpoint_explore::{Limits, WorkUnit, explorer};
use counterpoint_model::{FindingKind, Program};
use counterpoint_testkit::examples;

#[test]
fn example_1_finds_both_ways_into_the_error() {
    let program = examples::loop_over_inputs();
    let result = common::explore(explorer("optimal").unwrap(), &program);
    assert_eq!(result.findings.len(), 1, "one place, whichever round");
    assert!(result.findings[0].count >= 2, "in the first round and in the second");
    assert!(result.bounds.is_empty());
}

#[test]
fn example_2_finds_the_input_that_overflows() {
    let program = examples::overflow();
    let result = common::explore(explorer("optimal").unwrap(), &program);
    let [found] = &result.findings[..] else { panic!("{:?}", result.findings) };
    let value = |number: usize| found.finding.inputs[number].value.parse::<i32>().unwrap();
    let (x, y) = (value(0), value(1));
    assert!(x > y && x.wrapping_mul(y) == 1452 && x / 2 == 5, "{x} {y}");
    // Four paths: x <= y; x > y with another product; then with another half; and the error.
    assert_eq!(result.statistics.executions, 4);
    assert!(result.bounds.is_empty());
}

#[test]
fn example_3_has_eight_paths_and_six_traces() {
    // The thesis runs the initial steps of both threads first, which leaves the order of the two
    // operations on X and the branches: eight paths in the symbolic execution tree.
    let program = examples::branching_threads();
    let mut seen = Seen { keep_schedules: true, ..Default::default() };
    let exhaustive = explorer("exhaustive").unwrap();
    let unit = WorkUnit::whole();
    let result = explore_unit(exhaustive, &program, unit, Limits::default(), &mut seen);
    assert!(result.bounds.is_empty());
    let paths: std::collections::BTreeSet<Vec<_>> = seen
        .schedules
        .iter()
        .map(|schedule| {
            let mut run = program.start(&[]);
            let events = schedule.iter().map(|&choice| run.step(choice));
            let told = events.filter(|event| {
                event.op.decides() || event.footprint.iter().any(|access| !access.synchronises)
            });
            // Branches do not meet, so their order is no difference between paths: sort them out.
            let mut story: Vec<_> = told.map(|event| (event.choice, event.op)).collect();
            story.sort_by_key(|(_, op)| op.decides());
            let (accesses, mut branches): (Vec<_>, Vec<_>) =
                story.into_iter().partition(|(_, op)| !op.decides());
            branches.sort();
            accesses.into_iter().chain(branches).collect()
        })
        .collect();
    assert_eq!(paths.len(), 8);
    let optimal = common::explore(explorer("optimal").unwrap(), &program);
    assert_eq!(optimal.statistics.executions, 6, "the two reads commute");
}

#[test]
fn examples_4_to_6_need_two_executions_with_sleep_sets() {
    // Reads of X and writes of Y by two threads: two traces. Without sleep sets plain DPOR may take
    // three executions (example 5); with them the third is not started or is given up (example 6).
    let program = examples::read_then_write();
    for name in ["dpor", "race-flip", "optimal"] {
        let result = common::explore(explorer(name).unwrap(), &program);
        assert_eq!(result.statistics.executions, 2, "{name}");
        assert!(result.findings.iter().all(|f| f.finding.kind != FindingKind::Deadlock));
    }
}
