//! Table 7.1 of the thesis on active objects: deadlocked, infeasible and all cycles of nine programs.
//!
//! The patterns are those of the table. The numbers of deadlocked executions are ours: they count one execution for
//! each trace and a deadlock as soon as it is there, and the programs are written anew.

mod table_7_1;

use std::time::Duration;

use counterpoint_abs::machine::Reduction;

use counterpoint_abs::analysis::{Settings, analyse};
use counterpoint_abs::program::Model;
use table_7_1::{ROWS, guided, model};

fn cycles(model: &Model) -> Vec<String> {
    let analysis = analyse(model, Settings::default()).expect("there is a main block");
    analysis.told_cycles().into_iter().map(|cycle| cycle.notation).collect()
}

#[test]
fn cycles_are_shown_or_excluded_as_in_the_table() {
    let expected = [
        ("DBW", (1, 0, 1)),
        ("F", (3, 0, 3)),
        ("PP", (2, 0, 2)),
        ("HB", (2, 3, 5)),
        ("UF", (1, 0, 1)),
        ("SB", (1, 0, 1)),
        ("fUF", (0, 1, 1)),
        ("fF", (0, 1, 1)),
        ("fPP", (0, 2, 2)),
    ];
    let mut found = Vec::new();
    for row in &ROWS {
        let result = guided(&model(row, row.limits[0]), Reduction::Object, Duration::from_secs(60));
        assert!(!result.stopped, "{}", row.name);
        println!("{:4} {result:?}", row.name);
        for cycle in cycles(&model(row, row.limits[0])) {
            println!("     {cycle}");
        }
        found.push((row.name, (result.deadlocked, result.impossible, result.cycles)));
    }
    assert_eq!(found, expected);
}
