//! A failing schedule as a story: who did what, where, with which values, and why the turn passed.
//!
//! The schedule is replayed and each step explains itself ([`teller`]). Then the story is cut to the steps that
//! matter ([`matters`]). A failure may be due to what has not happened yet, so those who would have changed what it
//! depends on are told as well ([`to_come`]).
//!
//! A schedule of thousands of steps takes long to tell. A story that is interrupted stays untold: a part of it would end
//! before the failure. All else that is known of the finding is reported, and how to replay it.

use counterpoint_explore::{Replay, ReplayError};
use counterpoint_model::{
    Finding, FindingKind, Interrupt, Location, Pid, Place, Program, Schedule,
};

use self::teller::replayed;

pub use self::teller::describe;

mod matters;
mod teller;
mod to_come;
mod touched;

/// A schedule, told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Story {
    /// Who takes part, in the order of their first steps, with those that only wait: a column for
    /// each thread, or for each object on which tasks run.
    pub columns: Vec<String>,
    /// All steps.
    pub steps: Vec<Step>,
    /// For a failure to go on: who stands where.
    pub blocked: Vec<BlockedProcess>,
    /// For a step that failed, the calls it failed in, innermost first.
    pub stack: Vec<String>,
    /// The reads that took values which other processes wrote.
    pub non_local: Vec<NonLocal>,
    /// Who has yet to write what the failure depends on.
    pub late: Vec<LateProcess>,
    /// Whether there was no time to tell it: then there is nothing in it.
    pub untold: bool,
}

/// A process that would have changed what the failure depends on, had it come that far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LateProcess {
    /// Its name.
    pub process: String,
    /// Whether it has taken no step at all.
    pub not_begun: bool,
    /// What it would write; empty if that has nothing to do with the failure.
    pub what: String,
    /// Where.
    pub place: Place,
}

impl LateProcess {
    fn not_begun(program: &dyn Program, process: Pid) -> LateProcess {
        LateProcess {
            process: program.process_name(process),
            not_begun: true,
            what: String::new(),
            place: Place::default(),
        }
    }

    /// Who has not done what, in a sentence.
    pub fn sentence(&self) -> String {
        let LateProcess { process, what, place, .. } = self;
        match self.not_begun {
            true if what.is_empty() => format!("{process} has not run yet"),
            true if place.line == 0 => format!("{process} has not run yet; it would write {what}"),
            true => format!("{process} has not run yet; it would write {what} at {place}"),
            false if place.line == 0 => format!("{process} has yet to write {what}"),
            false => format!("{process} has not yet reached {place}, where it writes {what}"),
        }
    }
}

/// A read of a value that another process wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NonLocal {
    /// The index of the step that read.
    pub read: usize,
    /// The index of the step that wrote.
    pub write: usize,
    /// What was read.
    pub what: String,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// Which of the story's columns.
    pub column: usize,
    /// The process's name.
    pub process: String,
    /// What it did.
    pub text: String,
    /// The call of library code that it is part of; empty if it is in the user's own code.
    pub within: String,
    /// Whether library code is at work there with its own insides, which are nobody's business.
    pub inside: bool,
    /// The variable that it only read or wrote.
    pub variable: Option<Variable>,
    /// Where it began.
    pub place: Place,
    /// The places it ran through.
    pub path: Vec<Place>,
    /// What the program printed.
    pub output: String,
    /// Whether it went on only because a time limit expired.
    pub expired: bool,
    /// Why the process before it did not go on, if another one was at turn.
    pub switch: Option<String>,
    /// Earlier steps of other processes whose traces it found, and what it found of them.
    pub from: Vec<Link>,
    /// Whether the failure depends on it.
    pub matters: bool,
    /// Its part in the failure.
    pub role: Role,
    /// Where it fails, if it does so in another line than the one it began in.
    pub fails_at: Option<Place>,
    /// Whether it fails and its own operation has nothing to do with that: the failure was on its way before, as an exception
    /// that passes through the code of a framework.
    pub only_fails: bool,
}

impl Step {
    /// What to say of its part in the failure, if anything.
    pub fn verdict(&self) -> Option<String> {
        let word = self.role.word()?;
        Some(match &self.fails_at {
            Some(place) if place.file == self.place.file => {
                format!("{word} at line {}", place.line)
            }
            Some(place) => format!("{word} at {}:{}", place.file_name(), place.line),
            None => word.to_string(),
        })
    }

    /// Where it is told: where it begins, or where it fails if that is all that matters of it.
    pub fn told_at(&self) -> &Place {
        self.fails_at.as_ref().filter(|_| self.only_fails).unwrap_or(&self.place)
    }
}

/// The part of a step in the failure.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// It only leads there.
    Leads,
    /// It fails.
    Fails,
    /// It is one of the two accesses of a race.
    Races,
}

impl Role {
    /// What to say of it, if anything.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Role::Leads => None,
            Role::Fails => Some("fails"),
            Role::Races => Some("races"),
        }
    }
}

/// A variable that a step is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Which one.
    pub location: Location,
    /// Whether the step wrote it.
    pub written: bool,
}

/// Something that passed from one process to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The index of the step it comes from.
    pub step: usize,
    /// What passed: the name of a variable, a lock.
    pub what: String,
}

/// Who holds what and waits for what at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockedProcess {
    /// Which of the story's columns.
    pub column: usize,
    /// The process's name.
    pub process: String,
    /// The locks it holds, and the places where it took them.
    pub holds: Vec<(String, Place)>,
    /// What it waits for.
    pub waits_for: String,
    /// Who could let it go on.
    pub whom: Vec<String>,
    /// Where it waits.
    pub place: Place,
    /// Whether it runs all the time, in a loop that looks for a change.
    pub looping: bool,
}

impl BlockedProcess {
    /// Who holds and waits for what, in a sentence.
    pub fn sentence(&self) -> String {
        let mut line = self.process.clone();
        let holds = self.holds.iter().map(|(lock, place)| {
            let article = if lock.starts_with("lock of ") { "the " } else { "" };
            format!("{article}{lock} (taken at {place})")
        });
        let holds: Vec<String> = holds.collect();
        if !holds.is_empty() {
            line += &format!(" holds {} and", holds.join(", "));
        }
        line += &format!(" waits for {} at {}", self.waits_for, self.place);
        let unsaid = |name: &&String| !self.waits_for.contains(name.as_str());
        let whom: Vec<&str> = self.whom.iter().filter(unsaid).map(String::as_str).collect();
        match whom.is_empty() {
            true => line,
            false => line + &format!(", blocked by {}", whom.join(", ")),
        }
    }
}

impl Story {
    /// Replays a finding's schedule and tells it.
    pub fn of(program: &dyn Program, finding: &Finding) -> Result<Story, ReplayError> {
        Story::within(program, finding, &Interrupt::never())
    }

    /// The same unless it is interrupted. Then the story stays untold.
    pub fn within(
        program: &dyn Program,
        finding: &Finding,
        interrupt: &Interrupt,
    ) -> Result<Story, ReplayError> {
        program.heed(interrupt);
        let told = Story::told(program, finding, interrupt);
        program.heed(&Interrupt::never());
        match interrupt.raised() {
            None => told,
            // What was seen behind an interrupted step is not there.
            Some(_) => Ok(Story::untold()),
        }
    }

    fn untold() -> Story {
        Story { untold: true, ..Story::default() }
    }

    fn told(
        program: &dyn Program,
        finding: &Finding,
        interrupt: &Interrupt,
    ) -> Result<Story, ReplayError> {
        if interrupt.poll() {
            return Ok(Story::untold());
        }
        let Schedule { inputs, choices, .. } = &finding.schedule;
        // Nobody waits a second time for a step that does not end.
        let hurried = finding.likeness().is_endless()
            && Replay::hurried(program, inputs, choices, &finding.places).is_some();
        let start = |tracked: bool| {
            let mut run = program.start(inputs);
            if tracked {
                run.track();
            }
            if hurried {
                run.hurry();
            }
            run
        };
        if finding.kind == FindingKind::Reached {
            return replayed(program, finding, start(false), interrupt);
        }
        // What cannot be followed step by step can still be told.
        replayed(program, finding, start(true), interrupt)
            .or_else(|_| replayed(program, finding, start(false), interrupt))
    }

    /// The steps that matter.
    pub fn that_matter(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.matters)
    }

    /// How often the turn passes while somebody could have gone on or not.
    pub fn switches(&self) -> usize {
        self.steps.iter().filter(|step| step.switch.is_some()).count()
    }
}

#[cfg(test)]
mod tests;
