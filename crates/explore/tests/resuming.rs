//! Stopping anywhere and going on from what was returned covers the same executions.

use crate::common;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use common::{Seen, explore_unit};
use counterpoint_explore::{Covers, EXPLORERS, Exploration, Explorer, Limits, WorkUnit, explorer};
use counterpoint_model::{Bound, Choice, FindingKind, Interrupt, Pid, Program};
use counterpoint_testkit::builder::{Builder, Comparable};
use counterpoint_testkit::random::{self, Features};
use counterpoint_testkit::{TestProgram, shapes};

/// The explorers that hand back what they leave, step by step.
fn systematic() -> impl Iterator<Item = &'static Explorer> {
    EXPLORERS.iter().filter(|entry| !matches!(entry.covers, Covers::Samples | Covers::States))
}

/// Whether it goes on by repeating what it has done, so that it comes no further if it is interrupted
/// soon.
fn repeats(entry: &Explorer) -> bool {
    entry.covers == Covers::LocalStates
}

/// What an exploration has come to, in one piece or in several.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Total {
    schedules: Vec<Vec<Choice>>,
    executions: u64,
    abandoned: u64,
    findings: BTreeSet<(FindingKind, String)>,
    /// Events and deadlocks, of explorers that count the events of a net.
    net: (u64, u64),
}

impl Total {
    fn add(&mut self, entry: &Explorer, seen: Seen, result: &Exploration) {
        if seen.restarted {
            self.abandoned += std::mem::take(&mut self.executions);
            self.schedules.clear();
            self.net = (0, 0);
        }
        self.schedules.extend(seen.schedules);
        self.executions += result.statistics.executions;
        self.abandoned += result.statistics.abandoned;
        let findings = result.findings.iter().map(|found| &found.finding);
        self.findings.extend(findings.map(|finding| (finding.kind, finding.message.clone())));
        if entry.covers == Covers::LocalStates {
            self.net.0 += result.statistics.events;
            self.net.1 += result.statistics.deadlocks;
        }
    }
}

fn whole(entry: &Explorer, program: &TestProgram) -> Total {
    let mut seen = Seen { keep_schedules: true, ..Default::default() };
    let unit = WorkUnit::whole();
    let result = explore_unit(entry, program, unit, Limits::default(), &mut seen);
    assert!(result.unexplored.is_none());
    let mut total = Total::default();
    total.add(entry, seen, &result);
    total
}

/// Explores in pieces of so many executions, each saved and read back.
fn in_pieces(entry: &Explorer, program: &TestProgram, size: u64) -> Total {
    let mut total = Total::default();
    let mut unit = WorkUnit::whole();
    loop {
        let mut seen = Seen { keep_schedules: true, ..Default::default() };
        let limits = Limits { executions: Some(size), ..Limits::default() };
        let result = explore_unit(entry, program, unit, limits, &mut seen);
        total.add(entry, seen, &result);
        let Some(left) = result.unexplored else {
            let beyond =
                |bound: &Bound| matches!(bound, Bound::NonLocalReads(_) | Bound::Preemptions(_));
            assert!(result.bounds.iter().all(beyond), "{:?}", result.bounds);
            return total;
        };
        assert!(!result.bounds.is_empty());
        let text = left.to_json(program.names(), "p");
        unit = WorkUnit::from_json(text.get(), program.names(), "p").unwrap();
        assert_eq!(unit, left);
    }
}

thread_local! {
    /// How often somebody may look before there is a reason to stop.
    static LOOKS: Cell<u32> = const { Cell::new(0) };
}

/// Explores in pieces that are interrupted, in the middle of an execution more often than not, when
/// somebody has looked for a reason so many times; how many pieces there were.
fn in_interrupted_pieces(entry: &Explorer, program: &TestProgram, looks: u32) -> (Total, u32) {
    let mut total = Total::default();
    let mut unit = WorkUnit::whole();
    for piece in 0.. {
        assert!(piece < 20_000, "{} comes no further", entry.name);
        let mut seen = Seen { keep_schedules: true, ..Default::default() };
        LOOKS.set(looks);
        let interrupt = Interrupt::asking(|| {
            LOOKS.set(LOOKS.get().saturating_sub(1));
            (LOOKS.get() == 0).then_some(Bound::Stopped)
        });
        let limits = Limits { interrupt, ..Limits::default() };
        let result = explore_unit(entry, program, unit, limits, &mut seen);
        assert_eq!(result.internal_errors, Vec::<String>::new());
        total.add(entry, seen, &result);
        let Some(left) = result.unexplored else { return (total, piece) };
        assert_eq!(result.bounds, [Bound::Stopped]);
        let text = left.to_json(program.names(), "p");
        unit = WorkUnit::from_json(text.get(), program.names(), "p").unwrap();
        assert_eq!(unit, left);
    }
    unreachable!("the last piece has left nothing")
}

#[test]
fn what_is_planned_does_not_grow_with_what_others_decide() {
    let entry = explorer("optimal").unwrap();
    let most_letters = |pairs: u32| {
        let program = shapes::pairs(pairs);
        let powers = (0..3 * pairs).map(|power| 1 << power);
        let letters = powers.map(|executions| {
            let limits = Limits { executions: Some(executions), ..Limits::default() };
            let unit = WorkUnit::whole();
            let result = explore_unit(entry, &program, unit, limits, &mut Seen::default());
            result.unexplored.unwrap().to_json(program.names(), "p").get().len()
        });
        letters.max().unwrap()
    };
    let (two, four) = (most_letters(2), most_letters(4));
    assert!(four <= 3 * two, "{two} letters to save two pairs, {four} to save four");
}

#[test]
fn what_was_interrupted_in_the_middle_of_an_execution_is_done_again() {
    let shapes = [shapes::fib(3), shapes::dining(3), shapes::lock(3), shapes::pairs(3)];
    let randoms = (0..120).map(|seed| random::program(seed, Features::WITHOUT_INPUTS));
    let mut interruptions = BTreeMap::new();
    for program in shapes.into_iter().chain(randoms) {
        for entry in systematic().filter(|entry| !repeats(entry)) {
            if !is_small(entry, &program, 1_500) {
                continue;
            }
            let mut expected = whole(entry, &program);
            expected.schedules.sort();
            // Searches by bounds come to a place by all steps that lead there, and look on the way.
            let by_bounds = matches!(entry.covers, Covers::WithinBound | Covers::ReadsFrom);
            let some = if by_bounds { [40, 100, 250] } else { [1, 2, 3] };
            for looks in some {
                let what = format!("{} on {} by {looks}", entry.name, program.name());
                let (mut found, pieces) = in_interrupted_pieces(entry, &program, looks);
                found.schedules.sort();
                assert_eq!(found, expected, "{what}");
                *interruptions.entry(entry.name).or_default() += pieces;
            }
        }
    }
    println!("{interruptions:?}");
    assert!(interruptions.len() > 5 && interruptions.values().all(|&count: &u32| count > 20));
}

/// Whether the explorer is done with the program after so many executions.
fn is_small(entry: &Explorer, program: &TestProgram, executions: u64) -> bool {
    let limits = Limits { executions: Some(executions), ..Limits::default() };
    let unit = WorkUnit::whole();
    explore_unit(entry, program, unit, limits, &mut Seen::default()).unexplored.is_none()
}

fn check(program: &TestProgram) {
    systematic().for_each(|entry| check_one(entry, program, 300));
}

/// Compares pieces with the whole, if the whole has at most so many executions.
fn check_one(entry: &Explorer, program: &TestProgram, most: u64) {
    if !is_small(entry, program, most) {
        return;
    }
    let mut expected = whole(entry, program);
    expected.schedules.sort();
    for size in [1, 2, 7, expected.schedules.len().max(2) as u64 - 1] {
        let what = format!("{} on {} by {size}", entry.name, program.name());
        let mut found = in_pieces(entry, program, size);
        found.schedules.sort();
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn shapes_in_pieces_are_the_same_executions() {
    for program in [shapes::fib(2), shapes::dining(3), shapes::lock(3), shapes::pairs(2)] {
        check(&program);
    }
}

#[test]
fn random_programs_in_pieces_are_the_same_executions() {
    for seed in 0..60 {
        check(&random::program(seed, Features::WITHOUT_INPUTS));
    }
}

#[test]
fn random_programs_with_inputs_in_pieces_are_the_same() {
    // Every piece asks the solver anew.
    for seed in 0..30 {
        let program = random::program(seed, Features::ALL);
        systematic().for_each(|entry| check_one(entry, &program, 30));
    }
}

#[test]
fn alternatives_that_no_input_leads_to_are_not_taken_up_again() {
    let mut builder = Builder::new("two bounds");
    let shared = builder.variable("shared", 0);
    let program = builder.main(|t| {
        t.spawn(|t| {
            let input = t.input(0, 9);
            t.when(input.less(4), |t| t.write(shared, 1));
            t.when(input.less(6), |t| t.write(shared, 2));
        });
        t.read(shared);
    });
    check(&program);
}

#[test]
fn runs_that_cannot_go_back_or_not_everywhere_are_replayed_to_the_same_end() {
    for (program, replayed) in [
        (shapes::fib(2), shapes::fib(2).no_rewind()),
        (shapes::dining(3), shapes::dining(3).no_rewind()),
        (shapes::pairs(2), shapes::pairs(2).no_rewind()),
        (shapes::fib(2), shapes::fib(2).marking_sparingly()),
        (shapes::fib(3), shapes::fib(3).marking_sparingly()),
        (shapes::dining(3), shapes::dining(3).marking_sparingly()),
        (shapes::pairs(2), shapes::pairs(2).marking_sparingly()),
    ] {
        for entry in systematic() {
            let large = ["dining", "fib(3"].iter().any(|name| program.name().starts_with(name));
            if entry.covers == Covers::Interleavings && large {
                continue;
            }
            assert_eq!(whole(entry, &program), whole(entry, &replayed), "{}", entry.name);
        }
    }
}

#[test]
fn a_unit_below_a_prefix_leaves_the_rest_as_debts() {
    let optimal = &EXPLORERS[0];
    let program = shapes::fib(2);
    let all = whole(optimal, &program).schedules;
    for depth in [1, 3, 5] {
        let prefix = all[0][..depth].to_vec();
        let mut seen = Seen { keep_schedules: true, ..Default::default() };
        let unit = WorkUnit::below(prefix.clone());
        let below = explore_unit(optimal, &program, unit, Limits::default(), &mut seen);
        assert!(seen.schedules.iter().all(|schedule| schedule.starts_with(&prefix)));
        assert_eq!(below.unexplored.is_some(), depth > 2, "the first two steps only start threads");
        if let Some(rest) = below.unexplored {
            let above = explore_unit(optimal, &program, rest, Limits::default(), &mut seen);
            assert!(above.unexplored.is_none());
        }
        let distinct: BTreeSet<_> = seen.schedules.iter().collect();
        assert_eq!(distinct, all.iter().collect());
        assert_eq!(seen.schedules.len(), all.len());
    }
}

#[test]
fn samples_go_on_where_they_stopped() {
    // In the second program executions differ in length, which `pct` learns from.
    let mut uneven = Builder::new("uneven");
    let x = uneven.variable("x", 0);
    let uneven = uneven.main(|main| {
        for _ in 0..3 {
            main.spawn(|thread| {
                let seen = thread.read(x);
                thread.write(x, seen + 1);
                let seen = thread.read(x);
                thread.repeat_at_most(9, seen.less(3), |thread| thread.read_into(seen, x));
            });
        }
    });
    for program in [shapes::dining(3), uneven] {
        for entry in EXPLORERS.iter().filter(|entry| entry.covers == Covers::Samples) {
            let sample = |unit, count| {
                let mut seen = Seen { keep_schedules: true, ..Default::default() };
                let limits = Limits { executions: Some(count), ..Limits::default() };
                let result = explore_unit(entry, &program, unit, limits, &mut seen);
                let left = result.unexplored.expect("sampling never ends");
                let text = left.to_json(program.names(), "p");
                (seen.schedules, WorkUnit::from_json(text.get(), program.names(), "p").unwrap())
            };
            let (at_once, _) = sample(WorkUnit::whole(), 60);
            let mut in_pieces = Vec::new();
            let mut unit = WorkUnit::whole();
            for count in [1, 2, 17, 40] {
                let (some, left) = sample(unit, count);
                in_pieces.extend(some);
                unit = left;
            }
            assert_eq!(in_pieces, at_once, "{} on {}", entry.name, program.name());
            let distinct: BTreeSet<_> = at_once.iter().collect();
            assert!(distinct.len() > 10, "{} draws different schedules", entry.name);
        }
    }
}

/// Explores the first so many executions, and the rest where the program was loaded anew. There, processes are met in the
/// opposite order before the rest is explored, as they are where schedules of failures are replayed first.
fn in_two_places(entry: &Explorer, program: impl Fn() -> TestProgram, first: u64) -> Total {
    let mut total = Total::default();
    let mut explore = |program: &TestProgram, unit: WorkUnit, limits: Limits| {
        let mut seen = Seen { keep_schedules: true, ..Default::default() };
        let result = explore_unit(entry, program, unit, limits, &mut seen);
        total.add(entry, seen, &result);
        result.unexplored
    };
    let here = program();
    let limits = Limits { executions: Some(first), ..Limits::default() };
    if let Some(left) = explore(&here, WorkUnit::whole(), limits) {
        let there = program();
        let text = left.to_json(here.names(), "p");
        let left = WorkUnit::from_json(text.get(), there.names(), "p").unwrap();
        for child in (0..4).rev() {
            there.names().child(Pid::MAIN, child);
        }
        assert_eq!(explore(&there, left, Limits::default()), None);
    }
    // The same processes may have other numbers.
    total.schedules.clear();
    total
}

#[test]
fn what_is_repeated_elsewhere_is_what_was_done() {
    let features = Features { operations: 12, ..Features::WITHOUT_INPUTS };
    for seed in 0..40 {
        let program = || random::program(seed, features);
        for entry in systematic().filter(|entry| repeats(entry)) {
            let expected = Total { schedules: Vec::new(), ..whole(entry, &program()) };
            for first in [1, 3, 9] {
                let total = in_two_places(entry, program, first);
                assert_eq!(total, expected, "{} on {}, {first} first", entry.name, program());
            }
        }
    }
}
