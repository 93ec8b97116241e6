//! One way to each final state, so that people can walk through an execution that passes as through one that fails.
//!
//! The first execution that comes to a final state gives its schedule. Together the schedules have a bounded length, since
//! there can be as many final states as executions; states that come later have none.

use std::collections::BTreeMap;

use counterpoint_explore::Execution;
use counterpoint_model::Schedule;
use serde_json::Value;

/// How many steps all schedules have together, at most.
const MOST_STEPS: usize = 200_000;

/// Schedules in their written form, by final state.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    known: BTreeMap<String, Value>,
    steps: usize,
}

impl Ways {
    /// Adds the way that an execution took to its final state, unless one is known or there are enough.
    pub fn add(&mut self, state: &str, execution: &Execution<'_>) {
        if self.steps + execution.events.len() > MOST_STEPS || self.known.contains_key(state) {
            return;
        }
        let schedule = Schedule {
            program: execution.program.fingerprint(),
            inputs: execution.run.inputs(),
            choices: execution.events.iter().map(|event| event.choice).collect(),
        };
        let text = schedule.to_json(execution.program.names());
        let written = serde_json::from_str(&text).expect("a written schedule is JSON");
        self.insert(state.to_string(), written);
    }

    /// Adds those of others.
    pub fn add_all(&mut self, others: BTreeMap<String, Value>) {
        for (state, schedule) in others {
            if self.steps + length(&schedule) <= MOST_STEPS && !self.known.contains_key(&state) {
                self.insert(state, schedule);
            }
        }
    }

    fn insert(&mut self, state: String, schedule: Value) {
        self.steps += length(&schedule);
        self.known.insert(state, schedule);
    }

    /// The way to a final state.
    pub fn to(&self, state: &str) -> Option<&Value> {
        self.known.get(state)
    }

    /// All of them.
    pub fn written(&self) -> &BTreeMap<String, Value> {
        &self.known
    }
}

fn length(schedule: &Value) -> usize {
    schedule["steps"].as_array().map_or(0, Vec::len)
}
