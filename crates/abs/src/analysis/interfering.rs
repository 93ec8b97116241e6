//! Which tasks must be there at first for a deadlock to be found (section 5.2 of the thesis on active objects).
//!
//! **Problem.** A context without the tasks of a cycle cannot deadlock that way, but their tasks alone may not be
//! enough: what a task does behind an `await` depends on fields that others may have written meanwhile.
//!
//! **Idea.** Definition 15 as a fixpoint over instructions. It begins with the waits of the cycle and the calls
//! that post the tasks waited for. If control may have passed a release point before an instruction, all that
//! writes a field read or written before the instruction matters as well, and so on for what writes it. The tasks are
//! the methods of the instructions that block and of those that write.
//!
//! Calls inside a task count as what they call: their fields and their release points.
//!
//! The thesis takes each task once. Where a cycle goes through several objects of a class that block in the same method,
//! as two accounts do that pay each other, there are up to as many tasks of that method.

use std::collections::BTreeSet;

use crate::program::{
    Body, BodyId, BodyOwner, FieldId, Instruction, MethodId, Model, Operand, Place,
};

use super::Analysis;
use super::abstraction::{ContextId, Point};
use super::contexts::InitialTask;
use super::flow;
use super::graph::{Arrow, Node, Why};
use super::tasks::Standing;

impl Analysis<'_> {
    /// The tasks that interfere with a cycle, once each, or up to as often as they block different objects in it.
    pub fn interfering_tasks(&self, cycle: &[Arrow]) -> Vec<InitialTask> {
        let model = self.points.model;
        let mut methods: Vec<MethodId> = Vec::new();
        for point in self.interfering_points(cycle) {
            if let BodyOwner::Method(method) = model.body(point.body).owner
                && !methods.contains(&method)
            {
                methods.push(method);
            }
        }
        let task = |method: MethodId| {
            let method = model.method(method);
            let class = &*model.class(method.class).name;
            let of_method = |arrow: &&Arrow| {
                arrow.why == Why::Blocked
                    && self.points.abstraction.of(arrow.position.context).body == method.body
            };
            let blocking: BTreeSet<ContextId> =
                cycle.iter().filter(of_method).map(|arrow| arrow.position.context).collect();
            let once = InitialTask::once(class, model.selector(method.selector));
            InitialTask { maximum: (blocking.len() as u32).max(1), ..once }
        };
        methods.into_iter().map(task).collect()
    }

    /// The instructions of the cycle that block, and all that writes what they depend on.
    fn interfering_points(&self, cycle: &[Arrow]) -> Vec<Point> {
        let model = self.points.model;
        let (mut due, mut answer): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
        for arrow in cycle.iter().filter(|arrow| arrow.why != Why::Competing) {
            let Standing::At(instruction) = arrow.position.standing else { continue };
            let body = self.points.abstraction.of(arrow.position.context).body;
            let wait = Point { body, instruction };
            due.push(wait);
            if arrow.why == Why::Blocked && !answer.contains(&wait) {
                answer.push(wait);
            }
            if let Node::Task(awaited) = arrow.to {
                for (&at, effect) in &self.points.effects[arrow.position.context.index()] {
                    if effect.posted.contains(&awaited) && at < model.body(body).code.len() as u32 {
                        due.push(Point { body, instruction: at });
                    }
                }
            }
        }
        while let Some(point) = due.pop() {
            let before = before(model.body(point.body), point.instruction as usize);
            if !before.iter().any(|&at| self.releases(point.body, at)) {
                continue;
            }
            let Some(class) = class_of(model, point.body) else { continue };
            let mut fields = BTreeSet::new();
            for &at in &before {
                self.touched(point.body, at, &mut BTreeSet::new(), &mut fields);
            }
            for field in fields {
                for writer in writers(model, class, field) {
                    if !answer.contains(&writer) {
                        answer.push(writer);
                        due.push(writer);
                    }
                }
            }
        }
        answer
    }

    /// The bodies that an instruction runs inside its task, in whatever context.
    fn called(&self, body: BodyId, at: usize) -> BTreeSet<BodyId> {
        let mut called = BTreeSet::new();
        for (index, context) in self.points.abstraction.contexts.iter().enumerate() {
            if context.body == body
                && let Some(effect) = self.points.effects[index].get(&(at as u32))
            {
                called.extend(effect.called.iter().map(|id| self.points.abstraction.of(*id).body));
            }
        }
        called
    }

    /// Whether others may run on the object at an instruction, or in what it calls.
    fn releases(&self, body: BodyId, at: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut left: Vec<(BodyId, Option<usize>)> = vec![(body, Some(at))];
        while let Some((body, at)) = left.pop() {
            let code = &self.points.model.body(body).code;
            let range = at.map_or(0..code.len(), |at| at..at + 1);
            for at in range {
                if matches!(code[at], Instruction::Await { .. } | Instruction::Suspend) {
                    return true;
                }
                for called in self.called(body, at) {
                    if seen.insert(called) {
                        left.push((called, None));
                    }
                }
            }
        }
        false
    }

    /// The fields that an instruction reads or writes, what it calls on the same object included.
    fn touched(
        &self,
        body: BodyId,
        at: usize,
        seen: &mut BTreeSet<BodyId>,
        fields: &mut BTreeSet<FieldId>,
    ) {
        let model = self.points.model;
        let code = model.body(body);
        fields.extend(fields_of(code, at));
        for called in self.called(body, at) {
            if class_of(model, called) == class_of(model, body) && seen.insert(called) {
                for at in 0..model.body(called).code.len() {
                    self.touched(called, at, seen, fields);
                }
            }
        }
    }
}

/// The instructions from which one can be reached, itself not included unless it can be reached again.
fn before(body: &Body, instruction: usize) -> Vec<usize> {
    let count = body.code.len();
    let mut from = vec![false; count];
    let mut changed = true;
    while changed {
        changed = false;
        for at in 0..count {
            let next = flow::successors(body, at).into_iter().chain(flow::handler(body, at));
            let leads = next.into_iter().any(|next| next == instruction || from[next]);
            if leads && !from[at] {
                from[at] = true;
                changed = true;
            }
        }
    }
    (0..count).filter(|&at| from[at]).collect()
}

fn fields_of(body: &Body, at: usize) -> Vec<FieldId> {
    let instruction = body.code[at];
    let mut fields = Vec::new();
    let mut read = |operand: Operand| {
        if let Operand::Field(field) = operand {
            fields.push(field);
        }
    };
    instruction.operands().into_iter().flatten().for_each(&mut read);
    if let Some(arguments) = instruction.arguments() {
        body.arguments(arguments).iter().copied().for_each(&mut read);
    }
    if let Instruction::Await { guard } = instruction {
        fields.extend(&body.guards[guard.index()].reads);
    }
    if let Some(Place::Field(field)) = instruction.place() {
        fields.push(field);
    }
    fields
}

fn class_of(model: &Model, body: BodyId) -> Option<crate::program::ClassId> {
    match model.body(body).owner {
        BodyOwner::Method(method) => Some(model.method(method).class),
        BodyOwner::Init(class) | BodyOwner::Recover(class) => Some(class),
        BodyOwner::Function(_) | BodyOwner::Main => None,
    }
}

/// The instructions of a class's methods that write a field.
fn writers(model: &Model, class: crate::program::ClassId, field: FieldId) -> Vec<Point> {
    let methods = model.methods.iter().filter(|method| method.class == class);
    let mut writers = Vec::new();
    for method in methods {
        for (at, instruction) in model.body(method.body).code.iter().enumerate() {
            if instruction.place() == Some(Place::Field(field)) {
                writers.push(Point { body: method.body, instruction: at as u32 });
            }
        }
    }
    writers
}
