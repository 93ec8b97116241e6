//! Coverage: what tests execute of the model, and a few of them that execute as much as all.

use std::collections::BTreeSet;

use crate::machine::{CoveragePoint, PointKind};
use crate::program::Model;

use super::Target;

/// What tests are to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Every statement.
    Statements,
    /// Both ways of every branch.
    Branches,
    /// Every path: no test is left out.
    Paths,
}

/// How much of a method its tests execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodCoverage {
    /// The method or function.
    pub name: String,
    /// Statements executed, and all.
    pub statements: (usize, usize),
    /// Ways of branches taken, and all.
    pub branches: (usize, usize),
    /// What no test executes, by its lines.
    pub missing: Vec<Missing>,
}

/// Something that no test executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The line it stands in.
    pub line: u32,
    /// What it is, in words.
    pub what: &'static str,
    /// What it is.
    pub point: CoveragePoint,
}

/// How much of a target's own code the points cover.
pub fn coverage(
    model: &Model,
    target: &Target,
    points: &BTreeSet<CoveragePoint>,
) -> MethodCoverage {
    let mut all = BTreeSet::new();
    for task in &target.context.tasks {
        CoveragePoint::all_of(model, task.subject.body(model), &mut all);
    }
    let count = |statements: bool| {
        let of_kind = |point: &&CoveragePoint| (point.kind == PointKind::Statement) == statements;
        let covered = all.iter().filter(of_kind).filter(|point| points.contains(point)).count();
        (covered, all.iter().filter(of_kind).count())
    };
    let mut missing: Vec<Missing> = all
        .difference(points)
        .map(|point| {
            let what = match point.kind {
                PointKind::Statement => "a statement",
                PointKind::Passed => "a condition that holds",
                PointKind::Taken => "a condition that does not hold",
            };
            Missing { line: point.line(model), what, point: *point }
        })
        .collect();
    missing.sort_unstable();
    MethodCoverage {
        name: target.name.clone(),
        statements: count(true),
        branches: count(false),
        missing,
    }
}

/// The numbers of a few tests that cover what all cover: each time the test that adds most, and of
/// several the one of least effort. With each test's points goes its effort.
pub fn smallest(criterion: Criterion, tests: &[(&BTreeSet<CoveragePoint>, u64)]) -> Vec<usize> {
    if criterion == Criterion::Paths {
        return (0..tests.len()).collect();
    }
    let counts = |point: &&CoveragePoint| match criterion {
        Criterion::Statements => point.kind == PointKind::Statement,
        _ => true,
    };
    let mut left: BTreeSet<CoveragePoint> =
        tests.iter().flat_map(|(points, _)| points.iter().filter(counts)).copied().collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let gain = |number: usize| tests[number].0.iter().filter(|p| left.contains(p)).count();
        let best = (0..tests.len())
            .filter(|number| !chosen.contains(number))
            .max_by_key(|&number| {
                (gain(number), std::cmp::Reverse(tests[number].1), std::cmp::Reverse(number))
            })
            .expect("points come from tests");
        left.retain(|point| !tests[best].0.contains(point));
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}
