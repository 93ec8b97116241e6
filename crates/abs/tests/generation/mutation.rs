//! Generated tests catch changes: every test passes on its own model, and nine of ten single changes to
//! the models of the paper make at least one fail.

use std::sync::Arc;

use counterpoint_abs::generate::{Target, difference, ending, given_context};
use counterpoint_abs::machine::{Criteria, Options};
use counterpoint_abs::program::Model;

use super::collect::{Found, explore, in_turn};
use crate::benchmark::{MODELS, mutants, read};

/// The tests of all methods of a model, with their targets.
pub fn suite(model: &Arc<Model>) -> Vec<(Target, Found)> {
    let mut suite = Vec::new();
    for target in counterpoint_abs::generate::targets(model, &[]).unwrap() {
        let criteria = Criteria::default();
        let explored = explore(model, &target.name, &in_turn(), &criteria);
        let tests = explored.found.into_iter().filter(|found| found.cut.is_none());
        suite.extend(tests.map(|found| (target.clone(), found)));
    }
    suite
}

/// Whether a test comes out as predicted on a model.
fn passes(model: &Arc<Model>, target: &Target, found: &Found) -> Result<(), String> {
    let context = given_context(&target.context, &found.case);
    let options = Options { work_per_step: 100_000, ..Options::default() };
    let actual = ending(model, &options, context, &found.schedule)?;
    difference(&found.case, &actual).map_or(Ok(()), Err)
}

#[test]
fn nine_of_ten_changes_to_the_models_are_caught() {
    let (mut all, mut caught) = (0, 0);
    for (name, text, methods) in MODELS {
        let model = read(text).unwrap_or_else(|| panic!("{name} is right"));
        let suite = suite(&model);
        for method in methods {
            let tests = suite.iter().filter(|(target, _)| target.name == *method).count();
            assert!(tests > 0, "{name}: no tests for {method}");
        }
        for (target, found) in &suite {
            let result = passes(&model, target, found);
            assert!(result.is_ok(), "{name}, {}: {result:?} {:#?}", target.name, found.case);
        }
        let (mut here, mut caught_here) = (0, 0);
        for mutant in mutants(text) {
            let Some(changed) = read(&mutant.text) else { continue };
            here += 1;
            if suite.iter().any(|(target, found)| passes(&changed, target, found).is_err()) {
                caught_here += 1;
            } else {
                println!("{name}:{}: {} is not caught", mutant.line, mutant.change);
            }
        }
        println!("{name}: {} tests, {caught_here} of {here} changes caught", suite.len());
        all += here;
        caught += caught_here;
    }
    assert!(caught * 10 >= all * 9, "{caught} of {all} changes are caught");
}
