//! An unfolding as a picture, for learning and for debugging.
//!
//! Each process is a column. Events are boxes with their operation and source line; conditions are circles,
//! with a token if they hold at the start. Arcs are as in the thesis: arrows where a condition is taken or
//! made, dashed lines where it is read. In a regular net, where the copies of variables are not stored, a
//! dotted arrow leads from a read to a write that comes after it.

use std::collections::BTreeMap;

use counterpoint_model::diagram::{Graph, GraphArc, GraphNode, Label, Line, Meaning, Shape};
use counterpoint_model::{Op, Pid, Program};

use super::execute::{Unfolder, has_tasks};
use super::net::{ConditionId, Effect, EventId, EventStatus, Net};
use super::reach::Notes;
use crate::search::Assignment;

/// After so many executions the net is larger than anybody looks at, and is drawn as far as it goes.
const MOST_EXECUTIONS: u64 = 400;

/// Explores the program and gives its unfolding, with read arcs or without. Programs of active objects are
/// explored without an unfolding.
pub fn picture(mut assignment: Assignment<'_>, contextual: bool) -> Option<Graph> {
    if has_tasks(&mut assignment) {
        return None;
    }
    let program = assignment.program;
    let most = assignment.limits.executions.unwrap_or(MOST_EXECUTIONS).min(MOST_EXECUTIONS);
    assignment.limits.executions = Some(most);
    let mut unfolder = Unfolder::new(assignment, contextual);
    unfolder.watch(&[]);
    unfolder.begin();
    unfolder.work_off();
    let (net, notes) = (&unfolder.unfolding.net, &unfolder.notes);
    let mut picture =
        Picture { program, net, notes, graph: Graph::default(), nodes: BTreeMap::new() };
    picture.draw();
    let part = match unfolder.search.stop {
        true => format!(" as far as {} executions build it", unfolder.search.statistics.executions),
        false => String::new(),
    };
    picture.graph.about = format!("unfolding{part}: {} events", net.covered);
    Some(picture.graph)
}

struct Picture<'p> {
    program: &'p dyn Program,
    net: &'p Net,
    notes: &'p Notes,
    graph: Graph,
    /// The nodes of conditions.
    nodes: BTreeMap<ConditionId, usize>,
}

impl Picture<'_> {
    fn draw(&mut self) {
        let net = self.net;
        let mut covered: Vec<EventId> = (0..net.events.len())
            .map(|number| EventId(u32::try_from(number).expect("an event's number")))
            .filter(|&event| net.event(event).status == EventStatus::Covered)
            .collect();
        covered.sort_by_key(|&event| net.event(event).number);
        let mut events: BTreeMap<EventId, usize> = BTreeMap::new();
        for &id in &covered {
            let event = net.event(id);
            let column = event.process.0 as usize;
            let [what, place] = self.labels(id);
            let label = Label::new(format!("{what}\n{place}"));
            let node = self.graph.add_node(GraphNode { label, shape: Shape::Box, column });
            events.insert(id, node);
            self.connect(event.before, node, column, Line::Arrow);
            self.make(node, event.after, column);
            if event.child.is_some() {
                self.make(node, event.child, net.station(event.child).process.0 as usize);
            }
            for touch in net.touches(id) {
                match touch.effect {
                    Effect::Reads | Effect::Awaits => {
                        self.connect(touch.condition, node, column, Line::Read);
                    }
                    Effect::Makes(made) => {
                        self.connect(touch.condition, node, column, Line::Arrow);
                        self.make(node, made, column);
                    }
                }
            }
        }
        for (&id, &to) in &events {
            let reads = net.after_reads(id).filter_map(|read| events.get(&read));
            let after = |&from| GraphArc { from, to, line: Line::Dotted, ..GraphArc::default() };
            self.graph.arcs.extend(reads.map(after));
        }
    }

    /// An arc from a condition to an event.
    fn connect(&mut self, condition: ConditionId, to: usize, column: usize, line: Line) {
        if condition.is_some() {
            let from = self.condition(condition, column);
            self.graph.arcs.push(GraphArc { from, to, line, ..GraphArc::default() });
        }
    }

    /// An arc from an event to a condition.
    fn make(&mut self, from: usize, condition: ConditionId, column: usize) {
        if condition.is_some() {
            let to = self.condition(condition, column);
            self.graph.add_arc(from, to, "");
        }
    }

    fn condition(&mut self, id: ConditionId, column: usize) -> usize {
        if let Some(&node) = self.nodes.get(&id) {
            return node;
        }
        let condition = self.net.condition(id);
        let is_process = condition.station != u32::MAX;
        let shape = if condition.producer.is_some() { Shape::Circle } else { Shape::Token };
        let meaning = if is_process { Meaning::Neutral } else { Meaning::Choice };
        let label = Label { meaning, ..Label::new(self.condition_name(id)) };
        let node = self.graph.add_node(GraphNode { label, shape, column });
        self.nodes.insert(id, node);
        node
    }

    fn condition_name(&self, id: ConditionId) -> String {
        let net = self.net;
        let condition = net.condition(id);
        if condition.station != u32::MAX {
            let process = net.station(id).process;
            let first = if process == Pid::MAIN { 0 } else { 1 };
            let initial = condition.depth == first;
            return if initial { self.program.process_name(process) } else { String::new() };
        }
        let location = net.location_of(condition.place);
        location.map(|location| self.program.location_name(location)).unwrap_or_default()
    }

    /// What an event does; its number, its process and its source line.
    fn labels(&self, id: EventId) -> [String; 2] {
        let event = self.net.event(id);
        let site = self.notes.sites.get(event.before.index()).copied().flatten();
        let place = site.map(|site| self.program.place(site)).filter(|place| place.line > 0);
        let place = place.map_or(String::new(), |place| {
            let file = place.file.rsplit('/').next().unwrap_or(&place.file);
            format!(", {file}:{}", place.line)
        });
        let process = self.program.process_name(event.process);
        let second = format!("{} · {process}{place}", event.number + 1);
        [self.operation(event.before, event.alternative), second]
    }

    fn operation(&self, before: ConditionId, alternative: u32) -> String {
        let name = |location| self.program.location_name(location);
        let path = |process| self.program.process_name(process);
        match self.net.station(before).op {
            Some(Op::Read(location)) => format!("read {}", name(location)),
            Some(Op::Write(location)) => format!("write {}", name(location)),
            Some(Op::Update(location)) => format!("update {}", name(location)),
            Some(Op::Acquire(lock)) => format!("lock {}", name(lock)),
            Some(Op::Release(lock)) => format!("unlock {}", name(lock)),
            Some(Op::Wait { condition, .. }) => format!("wait {}", name(condition)),
            Some(Op::Resume { condition, .. }) => format!("resume {}", name(condition)),
            Some(Op::Notify { condition, all: true }) => format!("notify all {}", name(condition)),
            Some(Op::Notify { condition, .. }) => format!("notify {}", name(condition)),
            Some(Op::Start(process)) => format!("start {}", path(process)),
            Some(Op::Join(process)) => format!("join {}", path(process)),
            Some(Op::Branch) if alternative == 0 => "branch: false".to_owned(),
            Some(Op::Branch) => "branch: true".to_owned(),
            Some(Op::Choose(_)) => format!("choose {alternative}"),
            Some(Op::Synchronise(location)) => format!("synchronise {}", name(location)),
            Some(Op::Task(location)) => format!("task {}", name(location)),
            Some(Op::Local) | None => "compute".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_testkit::shapes;

    use super::*;
    use crate::{Limits, ParameterValues, Silent, WorkUnit};

    fn draw(program: &dyn Program, contextual: bool) -> Graph {
        let assignment = Assignment {
            program,
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: Vec::new(),
            sink: &mut Silent,
            parameters: ParameterValues::default(),
        };
        picture(assignment, contextual).expect("a program of threads")
    }

    #[test]
    fn every_event_is_a_box_and_reads_have_lines_of_their_own() {
        let net = draw(&shapes::fib(1), true);
        let boxes: Vec<&str> = net
            .nodes
            .iter()
            .filter(|node| node.shape == Shape::Box)
            .map(|node| node.label.text.as_str())
            .collect();
        let reads = boxes.iter().filter(|text| text.starts_with("read ")).count();
        let lines = |net: &Graph, line| net.arcs.iter().filter(|arc| arc.line == line).count();
        assert_eq!(boxes.len(), 22);
        assert_eq!(lines(&net, Line::Read), reads);
        assert!(boxes.iter().any(|text| text.contains("write i") && text.contains(", program:")));
        assert_eq!(net.about, "unfolding: 22 events");
        let regular = draw(&shapes::fib(1), false);
        assert!(lines(&regular, Line::Dotted) > 0);
    }

    #[test]
    fn a_large_net_is_drawn_as_far_as_it_was_built() {
        let net = draw(&shapes::fib(3), true);
        assert!(net.about.starts_with("unfolding as far as 400 executions"), "{}", net.about);
    }
}
