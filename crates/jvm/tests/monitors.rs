//! Which programs print with the monitor of the stream: those that may lock the stream, or take a lock while a text is made.

use crate::common;

use std::path::Path;

use common::{Programs, endings};

/// The programs of the source that lock the stream (`Y`) or do not (`N`).
fn cases(letter: char) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/monitors/Printing.java");
    let source = std::fs::read_to_string(path).expect("the source");
    let names = source.lines().filter_map(|line| line.strip_prefix("class "));
    let names =
        names.filter_map(|rest| rest.split(' ').next()).filter(|name| name.starts_with(letter));
    names.map(str::to_string).collect()
}

/// How many executions each case has.
fn executions(letter: char) -> Vec<(String, u64)> {
    let programs = Programs::compile(&["monitors"]);
    let explored = |name: String| {
        let (result, _) = endings("optimal", &programs.load(&name), Some(200));
        assert!(result.findings.is_empty(), "{name}: {:?}", result.findings);
        (name, result.statistics.executions)
    };
    cases(letter).into_iter().map(explored).collect()
}

#[test]
fn printing_is_ordered_where_the_stream_may_be_locked() {
    let found = executions('Y');
    assert!(found.len() > 8, "{found:?}");
    let wrong: Vec<_> = found.iter().filter(|case| case.1 < 2).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn printing_is_not_ordered_where_nobody_can_tell() {
    let found = executions('N');
    assert!(found.len() > 4, "{found:?}");
    let wrong: Vec<_> = found.iter().filter(|case| case.1 != 1).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
