//! Java programs of all kinds of synchronisation, right and wrong, under the explorers that unfold: each
//! finds what trying every trace finds, and claims nothing that it has not seen.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use common::{Programs, explore};
use counterpoint_explore::Exploration;
use counterpoint_jvm::JavaProgram;
use counterpoint_model::{Bound, FindingKind, Verdict};

const NETS: [&str; 4] = ["unfolding", "contextual", "stateful", "stateful-naive"];

/// Programs with steps whose order nets with copies cannot tell apart, and say so.
const UNORDERED: [&str; 1] = ["TimedJoin"];

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
                let said = |bound: &Bound| matches!(bound, Bound::Unordered(_));
                let excused = UNORDERED.contains(&name.as_str())
                    && !result.bounds.is_empty()
                    && result.bounds.iter().all(said);
                if excused {
                    continue;
                }
                if !result.bounds.is_empty() || findings(&result) != findings(&expected) {
                    let (bounds, found) = (&result.bounds, findings(&result));
                    wrong.push(format!("{name} under {net}, seed {seed}: {bounds:?}, {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
