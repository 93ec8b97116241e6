//! The sequence diagram of a finding, as data.
//!
//! A front end that knows its executions better than by what steps touch tells it itself. Otherwise it is the
//! story: a lane for each column, a box for each step that matters, and an arrow from the step whose trace
//! it found.

use counterpoint_model::diagram::{Label, Meaning, Sequence, SequenceStep};

use super::Told;
use crate::front_end::Pictures;
use crate::story::{Link, Role, Step, Story};

/// The diagram of a finding.
pub fn of_finding(pictures: Option<&dyn Pictures>, told: &Told<'_>) -> Sequence {
    let sequence = match pictures {
        Some(pictures) if !told.story.untold => {
            pictures.sequence(&told.found.finding.schedule.choices)
        }
        _ => of_story(&told.story),
    };
    Sequence { about: format!("sequence diagram: {}", told.title()), ..sequence }
}

fn of_story(story: &Story) -> Sequence {
    let steps: Vec<&Step> = story.that_matter().collect();
    let box_of = |step: &&Step| {
        let foreign = |link: &&Link| story.steps[link.step].column != step.column;
        let cause = step.from.iter().rev().filter(foreign).find_map(|link| {
            let number = story.steps[link.step].number;
            let index = steps.binary_search_by_key(&number, |s| s.number).ok()?;
            Some((index, link.what.clone()))
        });
        let (cause, brought) = cause.unzip();
        let text = match step.role.word() {
            Some(word) => format!("{} ({word})", step.text),
            None => step.text.clone(),
        };
        let (meaning, marked) = match step.role {
            Role::Leads => (Meaning::Neutral, false),
            Role::Fails => (Meaning::Failed, true),
            Role::Races => (Meaning::Neutral, true),
        };
        SequenceStep {
            number: Some(step.number),
            lane: step.column,
            label: Label { meaning, marked, ..Label::new(text) },
            cause,
            brought: brought.unwrap_or_default(),
            messages: Vec::new(),
        }
    };
    let waits = story.blocked.iter().map(|blocked| {
        let who = match blocked.process == story.columns[blocked.column] {
            true => String::new(),
            false => format!("{} ", blocked.process),
        };
        let label = Label::new(format!("{who}waits for {}", blocked.waits_for));
        let label = Label { meaning: Meaning::Blocked, marked: true, ..label };
        SequenceStep { lane: blocked.column, label, ..SequenceStep::default() }
    });
    Sequence {
        about: String::new(),
        lanes: story.columns.iter().map(Label::new).collect(),
        steps: steps.iter().map(box_of).chain(waits).collect(),
    }
}
