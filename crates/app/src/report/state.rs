//! States as data for pages: the trees that [`Narrate::inspect`] gives, with places in the source.
//!
//! A page that walks through an execution needs the state at each step, and two states that follow each other
//! are almost the same. So each part of a state, a thread or an object, is written down once
//! ([`States::parts`]), and a state is a list of numbers of such parts.
//!
//! [`Narrate::inspect`]: counterpoint_model::Narrate::inspect

use counterpoint_explore::follow;
use counterpoint_model::{Finding, Program, StateNode};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Steps of an execution whose states are written down; of a longer one, those of the last steps.
const MOST_STATES: usize = 2_000;

/// Something in a state.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug)]
pub struct PageNode {
    /// What it is called.
    pub name: String,
    /// Its value or kind.
    pub value: String,
    /// Where it stands, if it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PagePlace>,
    /// What it consists of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<PageNode>,
}

/// A line of a file.
#[derive(Serialize, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PagePlace {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
}

impl PageNode {
    /// A part of a state.
    pub fn of(program: &dyn Program, node: StateNode) -> PageNode {
        let place = node.site.map(|site| {
            let place = program.place(site);
            PagePlace { file: place.file, line: place.line }
        });
        let children = node.children.into_iter().map(|child| PageNode::of(program, child));
        PageNode { name: node.name, value: node.value, place, children: children.collect() }
    }
}

/// The states of an execution.
#[derive(Serialize, Debug, Default)]
pub struct States {
    /// Every part of some state, once.
    pub parts: Vec<PageNode>,
    /// The state before each step and the one at the end, as numbers of parts; empty where it was not
    /// written down.
    pub at: Vec<Vec<usize>>,
}

impl States {
    /// The states of a finding's execution.
    pub fn of(program: &dyn Program, finding: &Finding) -> States {
        let mut states = States::default();
        let mut known: FxHashMap<PageNode, usize> = FxHashMap::default();
        let mut run = program.start(&finding.schedule.inputs);
        let choices = &finding.schedule.choices;
        for step in 0..=choices.len() {
            let mut parts = Vec::new();
            if step + MOST_STATES > choices.len() {
                for node in run.inspect() {
                    let node = PageNode::of(program, node);
                    let next = known.len();
                    let number = *known.entry(node).or_insert_with_key(|node| {
                        states.parts.push(node.clone());
                        next
                    });
                    parts.push(number);
                }
            }
            states.at.push(parts);
            let Some(&choice) = choices.get(step) else { break };
            if follow(program, &mut *run, step + 1, choice).is_err() {
                break;
            }
        }
        states
    }
}
