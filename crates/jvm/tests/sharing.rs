//! What the program's threads share is seen, also where the library looks at it on the program's behalf:
//! when it is printed, formatted, logged, copied, matched, reflected on, or kept by a `Thread`.

use crate::common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use common::{Programs, endings, explorers_in_turn};

/// Executions after which an explorer stops: some uses have very many.
const EXECUTIONS: u64 = 100;

/// The cases of the program, as its source lists them.
fn cases() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sharing/Sharing.java");
    let source = std::fs::read_to_string(path).expect("the source");
    let cases = source.lines().filter_map(|line| line.trim().strip_prefix("case \""));
    cases.filter_map(|rest| rest.split('"').next()).map(str::to_string).collect()
}

#[test]
fn every_use_of_something_shared_has_several_outcomes_under_its_explorers() {
    let programs = Programs::compile(&["sharing"]);
    let only = std::env::var("SHARING").ok();
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() > 40, "{cases:?}");
    for (number, case) in cases.iter().enumerate() {
        if only.as_ref().is_some_and(|only| only != case) {
            continue;
        }
        let program = programs.load(&format!("Sharing {case}"));
        let mut first = None;
        let start = std::time::Instant::now();
        for name in explorers_in_turn(number) {
            let explored =
                catch_unwind(AssertUnwindSafe(|| endings(name, &program, Some(EXECUTIONS))));
            let Ok((result, outcomes)) = explored else {
                wrong.push(format!("{case} under {name}: panics"));
                break;
            };
            if let Some(found) = result.findings.first() {
                wrong.push(format!("{case} under {name}: {}", found.finding.message));
                break;
            }
            // Some have very many executions: then several outcomes are enough.
            let whole = result.unexplored.is_none();
            let known = first.get_or_insert_with(|| (outcomes.clone(), whole));
            let differs = known.1 && whole && known.0 != outcomes;
            if outcomes.len() < 2 && (whole || name != "exhaustive") || differs {
                wrong.push(format!("{case} under {name}: {outcomes:?}, not {:?}", known.0));
                break;
            }
        }
        println!("{case}: {:?}", start.elapsed());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
