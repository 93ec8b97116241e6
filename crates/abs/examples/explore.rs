//! Explores a model: `explore FILE [explorer] [reduction]`.

use std::collections::BTreeMap;
use std::sync::Arc;

use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, diagnostics, load};
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};

#[derive(Default)]
struct Outcomes(BTreeMap<String, u64>);

impl Sink for Outcomes {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let outcome = execution.run.outcome().unwrap_or_default();
        *self.0.entry(format!("{:?}\n{outcome}", execution.ending)).or_default() += 1;
        Flow::Continue
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, rest @ ..] = &arguments[..] else { panic!("which file?") };
    let name = rest.first().map_or("optimal", String::as_str);
    let reduction = rest.get(1).map_or("field", String::as_str);
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let result = load(vec![SourceFile::new(file.as_str(), text)], &LoadOptions::default());
    let messages = result.render(diagnostics::Style::Plain);
    let Some(model) = result.model else {
        println!("{messages}");
        return;
    };
    let level = Reduction::ALL.iter().find(|(level, _)| *level == reduction);
    let reduction = level.expect("a level of reduction").1;
    let options = Options { reduction, outcome_with_output: true, ..Options::default() };
    let program = ModelProgram::new(Arc::new(model), options);
    let mut outcomes = Outcomes::default();
    let started = std::time::Instant::now();
    let exploration = (explorer(name).expect("an explorer").explore)(Assignment {
        program: &program,
        unit: WorkUnit::default(),
        limits: Limits { executions: Some(200_000), steps: 2000, ..Limits::default() },
        properties: default_properties(),
        sink: &mut outcomes,
        parameters: ParameterValues::seeded(1),
    });
    println!("{:?} {:?} {:?}", exploration.statistics, exploration.bounds, started.elapsed());
    for error in &exploration.internal_errors {
        println!("internal error: {error}");
    }
    for found in &exploration.findings {
        let finding = &found.finding;
        let places: Vec<String> = finding.places.iter().map(ToString::to_string).collect();
        println!("{} times {:?}: {} at {places:?}", found.count, finding.kind, finding.message);
    }
    println!("{} outcomes", outcomes.0.len());
    for (outcome, count) in outcomes.0.iter().take(3) {
        println!("{count} times {outcome}");
    }
}
