//! What an explorer takes besides a program and limits: a seed, a bound, a thread.
//!
//! An explorer declares its parameters in its row of the table of explorers, and reads their values from
//! its assignment. All else follows from the row: the flag `--NAME` with its help and its range, the
//! refusal of flags that an explorer does not take, saved work that goes on with the same values, and the
//! values in result files. Explorers may share a parameter; its name then means one kind of value.

use std::collections::BTreeMap;

use counterpoint_model::{Pid, Program};
use serde::{Deserialize, Serialize};

/// A parameter of an explorer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name: of the flag, in saved work and in results.
    pub name: &'static str,
    /// What it is for, as the help of a flag says it.
    pub about: &'static str,
    /// Which values it takes.
    pub takes: Takes,
}

/// Which values a parameter takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A whole number.
    Number {
        /// The value if none is given; `None` if the explorer does something else then.
        default: Option<u64>,
        /// The least value allowed.
        least: u64,
        /// The greatest value allowed.
        most: u64,
    },
    /// A process, by its name or path. None is a value, too.
    Process,
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ParameterValue {
    /// A number.
    Number(u64),
    /// The path of a process, which does not depend on the schedule.
    Process(String),
}

impl std::fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParameterValue::Number(number) => write!(f, "{number}"),
            ParameterValue::Process(path) => write!(f, "{path}"),
        }
    }
}

/// Values of parameters, by name. Those that are not here have their defaults.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ParameterValues(pub BTreeMap<String, ParameterValue>);

impl ParameterValues {
    /// The parameter `seed` alone, which several explorers take.
    pub fn seeded(seed: u64) -> ParameterValues {
        ParameterValues::default().with("seed", ParameterValue::Number(seed))
    }

    /// Whether every parameter has its default.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same, with one more value.
    pub fn with(mut self, name: &str, value: ParameterValue) -> ParameterValues {
        self.0.insert(name.to_string(), value);
        self
    }

    /// All values of an explorer's parameters, those by default included.
    pub fn complete(&self, parameters: &[Parameter]) -> ParameterValues {
        parameters.iter().fold(self.clone(), |all, own| match (own.takes, self.0.get(own.name)) {
            (Takes::Number { default: Some(default), .. }, None) => {
                all.with(own.name, ParameterValue::Number(default))
            }
            _ => all,
        })
    }

    /// The value of a parameter that is a number, if it has one.
    pub fn number(&self, parameter: &Parameter) -> Option<u64> {
        match (self.0.get(parameter.name), parameter.takes) {
            (Some(ParameterValue::Number(number)), _) => Some(*number),
            (_, Takes::Number { default, .. }) => default,
            (_, Takes::Process) => panic!("`{}` is a process, not a number", parameter.name),
        }
    }

    /// The value of a parameter that is a process, if one is given.
    pub fn process(&self, parameter: &Parameter, program: &dyn Program) -> Option<Pid> {
        match self.0.get(parameter.name)? {
            ParameterValue::Process(path) => program.names().resolve(path),
            ParameterValue::Number(_) => panic!("`{}` is a number, not a process", parameter.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EXPLORERS;

    #[test]
    fn a_name_means_one_kind_of_value() {
        let all: Vec<&Parameter> = EXPLORERS.iter().flat_map(|row| row.parameters).collect();
        for one in &all {
            for other in all.iter().filter(|other| other.name == one.name) {
                assert_eq!(one.takes, other.takes, "{}", one.name);
            }
        }
    }
}
