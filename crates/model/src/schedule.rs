//! Schedules as files: the inputs and choices that lead an execution to a point.
//!
//! The written form is JSON with a format version and the program's fingerprint. Processes are
//! written as paths, so a file means the same in every run of the tool, and a person can edit it:
//!
//! ```json
//! { "format": 1, "program": "…", "inputs": [{"name": "0#0", "value": "5"}], "steps": ["0", "0.1", "0:1"] }
//! ```

use serde::{Deserialize, Serialize};

use crate::{Choice, Input, ProcessNames};

/// The version written by this build.
const FORMAT: u32 = 1;

/// Inputs and choices, with the program they belong to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// The fingerprint of the program.
    pub program: String,
    /// The input values.
    pub inputs: Vec<Input>,
    /// The choices, first step first.
    pub choices: Vec<Choice>,
}

/// Why a schedule cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScheduleError {
    /// Not JSON, or cut off, or fields of wrong types.
    #[error("this is not a schedule file: {0}; the file may be cut off or belong to another tool")]
    Malformed(String),
    /// Another format version.
    #[error(
        "the schedule has format {found}, this build reads format {FORMAT}; make a new one with `counterpoint check`"
    )]
    Format {
        /// The version in the file.
        found: u32,
    },
    /// A step that names no process.
    #[error(
        "step {number} of the schedule, `{text}`, does not name a process; a step looks like `0.1` or `0.1:2`"
    )]
    Step {
        /// Which step, from 1.
        number: usize,
        /// Its text.
        text: String,
    },
    /// Made for another program, or for an earlier version of this one.
    #[error(
        "the schedule was made for another program, or for an earlier version of this one; find the failure again with `counterpoint check`"
    )]
    OtherProgram,
}

#[derive(Serialize, Deserialize)]
struct Written {
    format: u32,
    program: String,
    inputs: Vec<Input>,
    steps: Vec<String>,
}

impl Schedule {
    /// The text of one choice, as in `0.1` or `0.1:2`.
    pub fn step_text(names: &ProcessNames, choice: Choice) -> String {
        let path = names.path(choice.process);
        match choice.alternative {
            0 => path,
            alternative => format!("{path}:{alternative}"),
        }
    }

    /// The choice a text stands for.
    pub fn parse_step(names: &ProcessNames, text: &str) -> Option<Choice> {
        let (path, alternative) = match text.split_once(':') {
            Some((path, alternative)) => (path, alternative.parse().ok()?),
            None => (text, 0),
        };
        Some(Choice { process: names.resolve(path)?, alternative })
    }

    /// The written form.
    pub fn to_json(&self, names: &ProcessNames) -> String {
        let written = Written {
            format: FORMAT,
            program: self.program.clone(),
            inputs: self.inputs.clone(),
            steps: self.choices.iter().map(|&c| Schedule::step_text(names, c)).collect(),
        };
        serde_json::to_string_pretty(&written).expect("plain strings and numbers serialise")
    }

    /// Reads the written form of a schedule of the program with this fingerprint.
    pub fn from_json(
        text: &str,
        names: &ProcessNames,
        fingerprint: &str,
    ) -> Result<Schedule, ScheduleError> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let malformed = |error: serde_json::Error| ScheduleError::Malformed(error.to_string());
        let version: Version = serde_json::from_str(text).map_err(malformed)?;
        if version.format != FORMAT {
            return Err(ScheduleError::Format { found: version.format });
        }
        let written: Written = serde_json::from_str(text).map_err(malformed)?;
        if written.program != fingerprint {
            return Err(ScheduleError::OtherProgram);
        }
        let mut choices = Vec::with_capacity(written.steps.len());
        for (index, text) in written.steps.iter().enumerate() {
            let choice = Schedule::parse_step(names, text)
                .ok_or_else(|| ScheduleError::Step { number: index + 1, text: text.clone() })?;
            choices.push(choice);
        }
        Ok(Schedule { program: written.program, inputs: written.inputs, choices })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pid;

    fn sample(names: &ProcessNames) -> Schedule {
        let child = names.child(Pid::MAIN, 1);
        Schedule {
            program: "p1".into(),
            inputs: vec![Input { name: "0#0".into(), value: "-7".into() }],
            choices: vec![Choice::of(Pid::MAIN), Choice { process: child, alternative: 2 }],
        }
    }

    #[test]
    fn a_schedule_survives_its_text_in_a_table_numbered_otherwise() {
        let names = ProcessNames::new();
        let text = sample(&names).to_json(&names);
        let other = ProcessNames::new();
        other.child(Pid::MAIN, 0);
        let back = Schedule::from_json(&text, &other, "p1").unwrap();
        assert_eq!(back.choices[1], Choice { process: Pid(2), alternative: 2 });
        assert_eq!(back.to_json(&other), text);
    }

    #[test]
    fn every_cut_and_every_foreign_file_is_an_error() {
        let names = ProcessNames::new();
        let text = sample(&names).to_json(&names);
        for end in 0..text.len() {
            assert!(Schedule::from_json(&text[..end], &names, "p1").is_err(), "cut at {end}");
        }
        let read = |text: &str, program| Schedule::from_json(text, &names, program).unwrap_err();
        assert!(matches!(read(&text, "p2"), ScheduleError::OtherProgram));
        let newer = text.replace("\"format\": 1", "\"format\": 9");
        assert!(matches!(read(&newer, "p1"), ScheduleError::Format { found: 9 }));
        let wrong = text.replace("0.1:2", "7.1:2");
        assert!(matches!(read(&wrong, "p1"), ScheduleError::Step { number: 2, .. }));
    }
}
