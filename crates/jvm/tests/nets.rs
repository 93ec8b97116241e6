//! Java programs of all kinds of synchronisation, right and wrong, under the explorers that unfold: each
//! finds what trying every trace finds, and claims nothing that it has not seen.

use crate::common;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use common::{Programs, explore, explore_into};
use counterpoint_explore::{
    Assignment, Exploration, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::JavaProgram;
use counterpoint_model::{FindingKind, Verdict};

const NETS: [&str; 4] = ["unfolding", "contextual", "stateful", "stateful-naive"];

fn program(name: &str) -> JavaProgram {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["nets"])).load(name)
}

fn names() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nets");
    let files = std::fs::read_dir(folder).expect("the programs");
    let names = files.filter_map(|file| file.ok()?.path().file_stem()?.to_str().map(String::from));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Kinds, messages and lines of the findings.
fn findings(result: &Exploration) -> BTreeSet<(FindingKind, String, Vec<u32>)> {
    let finding = |found: &counterpoint_explore::Found| {
        let finding = &found.finding;
        let lines = finding.places.iter().map(|place| place.line).collect();
        (finding.kind, finding.message.clone(), lines)
    };
    result.findings.iter().map(finding).collect()
}

#[test]
fn findings_are_those_of_trying_every_trace() {
    let mut wrong = Vec::new();
    for name in names() {
        let program = program(&name);
        let (expected, _) = explore("optimal", &program, 0);
        assert_eq!(expected.bounds, [], "{name}");
        if name.ends_with("Fix") {
            assert_eq!(expected.verdict(), Verdict::Ok, "{name}: {:?}", findings(&expected));
        } else if name.ends_with("Bug") {
            assert_eq!(expected.verdict(), Verdict::Bug, "{name}");
        }
        for net in NETS {
            for seed in 0..3 {
                let (result, _) = explore(net, &program, seed);
                if !result.bounds.is_empty() || findings(&result) != findings(&expected) {
                    let (bounds, found) = (&result.bounds, findings(&result));
                    wrong.push(format!("{name} under {net}, seed {seed}: {bounds:?}, {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How often a net was begun again.
#[derive(Default)]
struct Beginnings(u64);

impl Sink for Beginnings {
    fn restart(&mut self) {
        self.0 += 1;
    }
}

/// Explores in pieces of so many executions: the counts of all, and what was found.
fn in_pieces(
    net: &str,
    program: &JavaProgram,
    size: u64,
) -> (Statistics, BTreeSet<(FindingKind, String, Vec<u32>)>) {
    let (mut total, mut found) = (Statistics::default(), BTreeSet::new());
    let mut unit = Some(WorkUnit::whole());
    while let Some(left) = unit {
        let mut beginnings = Beginnings::default();
        let piece = (explorer(net).expect("an explorer").explore)(Assignment {
            program,
            unit: left,
            limits: Limits { executions: Some(size), ..Limits::default() },
            properties: default_properties(),
            sink: &mut beginnings,
            parameters: ParameterValues::default(),
        });
        if beginnings.0 > 0 {
            total.give_up();
        }
        total.add(&piece.statistics);
        found.extend(findings(&piece));
        unit = piece.unexplored;
    }
    (total, found)
}

#[test]
fn stopping_and_going_on_counts_as_not_stopping_though_nets_are_begun_again() {
    let names = [
        "InterruptOrNotify",
        "InterruptedPermit",
        "JoinInterruptBug",
        "LatchOfThree",
        "LockInterruptFix",
        "ReadersDeadlock",
        "SnapshotBug",
        "TwoWaitForAnEnd",
        "TwoWaitersInterrupt",
    ];
    let mut restarted = BTreeSet::new();
    for name in names {
        let program = program(name);
        for net in NETS {
            let mut beginnings = Beginnings::default();
            let whole = explore_into(net, &program, 0, &mut beginnings);
            restarted.extend((beginnings.0 > 0).then_some(net));
            for size in [1, 3, 10] {
                let (total, found) = in_pieces(net, &program, size);
                assert_eq!(total, whole.statistics, "{name} under {net} by {size}");
                assert_eq!(found, findings(&whole), "{name} under {net} by {size}");
            }
        }
    }
    assert_eq!(restarted, BTreeSet::from(NETS), "all kinds of nets are begun again somewhere");
}
