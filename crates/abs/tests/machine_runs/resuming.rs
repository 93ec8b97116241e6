//! Explorations of models that are stopped and go on come to the same as those that are not.

use std::collections::BTreeMap;
use std::sync::Arc;

use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_explore::{
    Assignment, Covers, EXPLORERS, Explorer, Limits, Statistics, WorkUnit, default_properties,
};
use counterpoint_model::Program;

use super::counts::{Outcomes, parameters};
use super::models::{database, factorial};

/// Totals, outcomes and failures by message.
type Totals = (Statistics, BTreeMap<String, u64>, BTreeMap<String, u64>);

fn totals(entry: &Explorer, model: &Arc<Model>, size: Option<u64>) -> Totals {
    let reduction =
        if entry.covers == Covers::States { Reduction::Exact } else { Reduction::Object };
    let options = Options { reduction, ..Options::default() };
    let program = ModelProgram::new(Arc::clone(model), options);
    let mut outcomes = Outcomes::default();
    let mut total = Statistics::default();
    let mut failures: BTreeMap<String, u64> = BTreeMap::new();
    let mut unit = WorkUnit::whole();
    loop {
        let result = (entry.explore)(Assignment {
            program: &program,
            unit,
            limits: Limits { executions: size, ..Limits::default() },
            properties: default_properties(),
            sink: &mut outcomes,
            parameters: parameters(entry),
        });
        total.executions += result.statistics.executions;
        total.abandoned += result.statistics.abandoned;
        total.deadlocks += result.statistics.deadlocks;
        total.events += result.statistics.events;
        total.longest = total.longest.max(result.statistics.longest);
        for found in result.findings {
            *failures.entry(found.finding.message).or_default() += found.count;
        }
        let Some(left) = result.unexplored else { return (total, outcomes.0, failures) };
        let text = left.to_json(program.names(), "p");
        unit = WorkUnit::from_json(text.get(), program.names(), "p").unwrap();
    }
}

#[test]
fn explorations_in_pieces_come_to_the_same() {
    for model in [database(2), factorial(5, 2)] {
        for entry in EXPLORERS {
            if matches!(entry.covers, Covers::Samples | Covers::LocalStates) {
                continue;
            }
            let whole = totals(entry, &model, None);
            for size in [1, 3, 10] {
                assert_eq!(totals(entry, &model, Some(size)), whole, "{} by {size}", entry.name);
            }
        }
    }
}
