//! Explores test programs and gathers what there was to see.
#![allow(dead_code)]

use std::collections::BTreeSet;

use counterpoint_explore::{
    Assignment, Execution, Exploration, Explorer, Flow, Limits, Sink, Statistics, WorkUnit,
    default_properties,
};
use counterpoint_model::Choice;
use counterpoint_testkit::TestProgram;

/// What an exploration saw.
#[derive(Default)]
pub struct Seen {
    pub outcomes: BTreeSet<String>,
    /// The choices of every execution.
    pub schedules: Vec<Vec<Choice>>,
    /// Stop after so many executions.
    pub stop_after: Option<u64>,
    pub keep_schedules: bool,
    pub keep_outcomes: bool,
    /// The final states, unknown values as terms.
    pub ends: BTreeSet<String>,
    pub keep_ends: bool,
}

struct Watcher<'a> {
    program: &'a TestProgram,
    seen: &'a mut Seen,
}

impl Sink for Watcher<'_> {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        let choices: Vec<Choice> = execution.events.iter().map(|event| event.choice).collect();
        if self.seen.keep_outcomes {
            let inputs = execution.run.inputs();
            self.seen.outcomes.extend(self.program.concrete_outcomes(&inputs, &choices));
        }
        if self.seen.keep_ends {
            self.seen.ends.extend(execution.run.outcome());
        }
        if self.seen.keep_schedules {
            self.seen.schedules.push(choices);
        }
        match self.seen.stop_after {
            Some(count) if statistics.executions >= count => Flow::Stop,
            _ => Flow::Continue,
        }
    }
}

/// Explores a unit of a program.
pub fn explore_unit(
    explorer: &Explorer,
    program: &TestProgram,
    unit: WorkUnit,
    limits: Limits,
    seen: &mut Seen,
) -> Exploration {
    let mut sink = Watcher { program, seen };
    (explorer.explore)(Assignment {
        program,
        unit,
        limits,
        properties: default_properties(),
        sink: &mut sink,
        seed: 1,
    })
}

/// Explores the whole program.
pub fn explore(explorer: &Explorer, program: &TestProgram) -> Exploration {
    explore_unit(explorer, program, WorkUnit::whole(), Limits::default(), &mut Seen::default())
}
