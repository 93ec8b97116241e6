//! Every place that a switch leads to is a branch: taken by those who go there, passed by others.

use crate::common;

use common::{Programs, explore};
use counterpoint_model::{BranchCoverage, Program};

#[test]
fn a_switch_has_a_branch_for_every_place_it_leads_to() {
    let programs = Programs::compile(&["coverage"]);
    let program = programs.load("Switched");
    program.watch();
    explore("optimal", &program, 1);
    let coverage = program.coverage();
    let [file] = &coverage[..] else { panic!("one file: {coverage:?}") };
    assert_eq!(file.file, "Switched.java");
    let row = |line, taken, passed| BranchCoverage { line, taken, passed };
    let expected = [
        row(7, true, true),
        row(9, false, true),
        row(11, true, true),
        row(17, false, true),
        row(18, true, false),
        row(19, false, true),
    ];
    assert_eq!(file.branches, expected);
}
