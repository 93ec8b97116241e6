//! Pictures of executions, as data: sequence diagrams and the tree of all executions.
//!
//! A sequence diagram (section 6.2.2 of the thesis on active objects) has a lane for each object and a box
//! for each macro-step, whose meaning says why the task stopped; arrows are calls and creations. Tasks and
//! objects of a deadlock are marked. The tree (section 6.2.4) has an arc for each macro-step and a leaf for
//! each execution. Everything is made from an [`Account`] or from schedules, which are replayed.

use std::collections::HashMap;

use counterpoint_model::diagram::{Graph, Label, Line, Meaning, Message, Sequence, SequenceStep};
use counterpoint_model::{Choice, End, Pid, Program};

use crate::machine::{Account, Macrostep, ModelProgram, Outcome, Stop};

/// The sequence diagram of an execution. Below the steps stands who still waits.
pub fn sequence(program: &ModelProgram, account: &Account) -> Sequence {
    let mut lanes: Vec<Label> = account.objects.iter().map(Label::new).collect();
    let lane_of: HashMap<&str, usize> =
        account.objects.iter().zip(0..).map(|(object, lane)| (object.as_str(), lane)).collect();
    let lane_of = |object: &str| lane_of.get(object).copied().unwrap_or_default();
    let mut last_step = HashMap::new();
    let mut homes = HashMap::from([(Pid::MAIN, 0)]);
    for step in &account.steps {
        last_step.insert(step.choice.process, step.time);
        homes.insert(step.choice.process, lane_of(&step.object));
        homes.extend(step.posted.iter().map(|(task, _, receiver)| (*task, lane_of(receiver))));
    }
    let mut steps = Vec::with_capacity(account.steps.len());
    for step in &account.steps {
        let lane = lane_of(&step.object);
        let marked = account.cycle.contains(&step.choice.process)
            && last_step[&step.choice.process] == step.time;
        lanes[lane].marked |= marked;
        let label = label_of(program, step, marked);
        let created = step.created.iter().map(|object| Message {
            to: lane_of(object),
            text: "new".to_owned(),
            line: Line::Dashed,
        });
        let posted = step.posted.iter().map(|(_, task, receiver)| Message {
            to: lane_of(receiver),
            text: task.clone(),
            line: Line::Arrow,
        });
        let messages = created.chain(posted).collect();
        steps.push(SequenceStep {
            number: Some(step.time + 1),
            lane,
            label,
            cause: None,
            brought: String::new(),
            messages,
        });
    }
    steps.extend(account.waiting.iter().map(|waiting| {
        let text = format!("{} waits for {}", program.process_name(waiting.process), waiting.what);
        let marked = account.cycle.contains(&waiting.process);
        let label = Label { meaning: Meaning::Blocked, marked, ..Label::new(text) };
        let lane = homes.get(&waiting.process).copied().unwrap_or_default();
        SequenceStep { lane, label, ..SequenceStep::default() }
    }));
    let about = match account.cycle.is_empty() {
        true => "sequence diagram of an execution",
        false => "sequence diagram of an execution that ends in a deadlock",
    };
    Sequence { about: about.to_owned(), lanes, steps }
}

fn label_of(program: &ModelProgram, step: &Macrostep, marked: bool) -> Label {
    let task = match step.resumed_at {
        Some(site) => format!("{} ({})", step.task, program.place(site).line),
        None => step.task.clone(),
    };
    let lines: Vec<String> = step.lines.iter().map(u32::to_string).collect();
    let mut detail = format!("{task}: lines {}", lines.join(", "));
    if let Some(fault) = &step.fault {
        detail += &format!("\n{fault}");
    }
    let deadlock = if marked { " (deadlock)" } else { "" };
    let text = format!("{task}\n{}{deadlock}", step.stop_text(program));
    let meaning = match step.stop {
        Stop::Returned(_) => Meaning::Good,
        Stop::Suspended | Stop::Waiting(_) => Meaning::Waiting,
        Stop::Blocked(_) | Stop::Sleeping => Meaning::Blocked,
        Stop::Choosing(_) | Stop::Deciding => Meaning::Choice,
        Stop::Failed(_) | Stop::GivenUp => Meaning::Failed,
    };
    Label { text, detail, meaning, marked }
}

/// A way from the root of a tree to the end of an execution.
#[derive(Clone, Debug)]
pub struct LabelledPath {
    /// What happens on the way: tasks that run and conditions that are decided.
    pub labels: Vec<String>,
    /// How it ended.
    pub end: Outcome,
}

/// Paths that begin alike as a tree, with what happens on its arcs.
pub fn path_tree(paths: &[LabelledPath]) -> Graph {
    let mut tree = Graph::new("symbolic execution tree");
    let root = tree.add_node(Label::new("start"));
    let mut known: HashMap<(usize, &str), usize> = HashMap::new();
    for (number, path) in paths.iter().enumerate() {
        let mut present = root;
        for label in &path.labels {
            present = *known.entry((present, label)).or_insert_with(|| {
                let child = tree.add_node(Label::new(format!("s{}", tree.nodes.len())));
                tree.add_arc(present, child, label.clone());
                child
            });
        }
        let meaning = match path.end {
            Outcome::Returned => Meaning::Good,
            Outcome::Deadlock => Meaning::Blocked,
            Outcome::Stuck => Meaning::Waiting,
            Outcome::Failure => Meaning::Failed,
        };
        let text = format!("test {}: {}", number + 1, path.end.word());
        tree.nodes[present].label = Label { meaning, ..Label::new(text) };
    }
    tree
}

/// The tree of the executions that the schedules lead to, numbered in their order. Those that begin alike
/// share the beginning.
pub fn tree(program: &ModelProgram, executions: &[Vec<Choice>]) -> Graph {
    let mut tree = Graph::new("tree of executions");
    let root = tree.add_node(Label::new("s0"));
    let mut known: HashMap<(usize, Choice), usize> = HashMap::new();
    for (number, choices) in executions.iter().enumerate() {
        let account = Account::new(program, choices);
        let mut present = root;
        for step in &account.steps {
            present = *known.entry((present, step.choice)).or_insert_with(|| {
                let child = tree.add_node(Label::new(format!("s{}", tree.nodes.len())));
                let alternative = match step.choice.alternative {
                    0 => String::new(),
                    other => format!(" [{other}]"),
                };
                tree.add_arc(present, child, format!("{}{alternative}", step.task));
                child
            });
        }
        let (word, meaning) = match account.end {
            Some(End::Complete) => ("ok", Meaning::Good),
            Some(End::Deadlock) => ("deadlock", Meaning::Blocked),
            Some(End::Stuck) => ("stuck", Meaning::Waiting),
            Some(End::Cut) | None => ("cut", Meaning::Neutral),
        };
        tree.nodes[present].label = Label { meaning, ..Label::new(format!("{number} {word}")) };
    }
    tree
}
