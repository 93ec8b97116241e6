//! Exceptions on their way out.
//!
//! An exception looks for a handler from the topmost frame down. Without one the future is resolved
//! with the exception, and each object on the stack, from the inside out, gets the chance to recover
//! or is killed.
//!
//! A failure is told where its exception was raised, also if it passed `try` statements that did not take it. So each
//! handler that an exception comes to notes its [`Origin`], and who raises it again there takes that. Between the two
//! no task stops, unless a choice is made in a `finally`; then it is told where it was raised again.

use counterpoint_model::{Fault, FindingKind};

use crate::diagnostics::shorten;
use crate::library;
use crate::program::{ConstructorId, Instruction, Operand, Place};

use super::evaluate::{Frame, FrameKind};
use super::show;
use super::state::{Life, State, Status, Task};
use super::step::Continuation;
use super::value::Value;

/// Longer messages are cut: nobody reads them, and they are written down many times.
const LONGEST_MESSAGE: usize = 500;

pub(crate) const OBJECT_DEAD: Value = Value::Atom(ConstructorId::OBJECT_DEAD);

/// Where an exception was raised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// The body and the instruction.
    at: (u32, u32),
    /// The same in the model's own code.
    own: (u32, u32),
    /// Whether it is that of another task, whose result was wanted.
    from_other: bool,
}

impl State<'_> {
    /// Goes on at the handler of an exception, or fails.
    pub(super) fn unwind(&mut self, exception: Value) -> Continuation {
        let origin = self.origin();
        let handler = self.stack.frames.iter().enumerate().rev().find_map(|(index, frame)| {
            let body = &self.universe.model.bodies[frame.body as usize];
            body.handler(frame.next).map(|handler| (index, *handler))
        });
        if let Some((index, handler)) = handler {
            while self.stack.frames.len() > index + 1 {
                self.stack.leave();
            }
            let frame = self.stack.top_mut();
            frame.next = handler.target;
            let slot = frame.base as usize + handler.slot.index();
            self.stack.slots[slot] = exception;
            self.origins.retain(|(known, _)| *known != slot as u32);
            self.origins.push((slot as u32, origin));
            return Continuation::Continue;
        }
        if self.stack.frames[0].kind == FrameKind::Recover {
            let object = self.stack.frames[0].this.clone();
            self.stack.frames.clear();
            self.stack.slots.clear();
            self.kill(&object);
            return self.fail_next();
        }
        self.fail(exception, origin)
    }

    /// Where the exception at hand was raised.
    fn origin(&mut self) -> Origin {
        let from_other = std::mem::take(&mut self.from_other);
        let frame = self.stack.top();
        let first = match self.instruction() {
            Instruction::Throw { exception: Operand::Slot(slot), again: true } => {
                let slot = frame.base + slot.index() as u32;
                self.origins.iter().find(|(known, _)| *known == slot)
            }
            _ => None,
        };
        let here = |frame: &Frame| (frame.body, frame.next);
        let own = self.innermost_own_frame().unwrap_or(frame);
        first.map_or(Origin { at: here(frame), own: here(own), from_other }, |(_, origin)| *origin)
    }

    /// The task ends with an exception that nobody has caught.
    fn fail(&mut self, exception: Value, origin: Origin) -> Continuation {
        let fault = self.describe_failure(&exception, origin);
        self.failing.clear();
        for frame in &self.stack.frames {
            if let Value::Object(object) = frame.this {
                self.failing.retain(|other| *other != object);
                self.failing.push(object);
            }
        }
        if self.failing.is_empty() {
            self.fault = Some(fault);
        } else {
            self.fault = None;
            self.pending_fault = Some(fault);
        }
        self.stack.frames.clear();
        self.stack.slots.clear();
        self.resolve(Status::Failed, exception);
        self.fail_next()
    }

    /// The next object on the stack of the failed task recovers or is killed.
    pub(super) fn fail_next(&mut self) -> Continuation {
        while let Some(object) = self.failing.pop() {
            let class = self.universe.model.class(self.universe.class_of(object));
            if self.objects[object.index()].life == Life::Dead {
                continue;
            }
            if let Some(recover) = class.recover {
                let location = self.tasks[self.current as usize].location;
                let exception = self.heap.cells[location as usize].clone();
                self.stack.slots.push(exception);
                let this = Value::Object(object);
                let kind = FrameKind::Recover;
                self.stack.enter(&self.universe, recover, kind, Place::Nowhere, this);
                return self.entered();
            }
            self.kill(&Value::Object(object));
        }
        Continuation::Stop(Status::Failed)
    }

    pub(super) fn die(&mut self, exception: Value) -> Continuation {
        let this = self.stack.top().this.clone();
        let origin = self.origin();
        self.fault = Some(self.describe_failure(&exception, origin));
        self.stack.frames.clear();
        self.stack.slots.clear();
        self.resolve(Status::Failed, exception);
        self.kill(&this);
        Continuation::Stop(Status::Failed)
    }

    /// Ends an object. Its other tasks fail when it is their turn, whatever they wait for, so that no
    /// task vanishes without a step of its own.
    pub(super) fn kill(&mut self, this: &Value) {
        if let Some(fault) = self.pending_fault.take() {
            self.fault = Some(fault);
        }
        let Value::Object(object) = *this else { return };
        self.change_object(object).life = Life::Dead;
        self.killed = true;
        // Those of its tasks that waited for time alone need wait no more.
        let waiting: Vec<u32> = self.live.waiting().collect();
        for task in waiting {
            if self.tasks[task as usize].object == Some(object) {
                self.note(task);
            }
        }
    }

    /// Whether the object that a task was posted to is dead.
    pub(super) fn is_orphan(&self, task: &Task) -> bool {
        task.object.is_some_and(|object| self.objects[object.index()].life == Life::Dead)
    }

    /// The step of a task whose object is dead: it fails.
    pub(super) fn fail_orphan(&mut self) -> Continuation {
        self.stack.frames.clear();
        self.stack.slots.clear();
        Continuation::Stop(self.resolve(Status::Failed, OBJECT_DEAD))
    }

    /// The innermost call of the model's own code: what fails inside of a function of the library was called with the
    /// wrong arguments there, and calls at different places are different failures.
    pub(super) fn innermost_own_frame(&self) -> Option<&Frame> {
        self.stack.frames.iter().rev().find(|frame| {
            let body = &self.universe.model.bodies[frame.body as usize];
            !library::contains(body.span.file)
        })
    }

    fn describe_failure(&self, exception: &Value, origin: Origin) -> Box<Fault> {
        let (body, next) = origin.at;
        let body = &self.universe.model.bodies[body as usize];
        let assertion = matches!(body.code[next as usize], Instruction::Assert { .. });
        let site = self.universe.site(origin.own.0, origin.own.1);
        let text = show::exception(&self.universe, exception);
        let text = shorten(&text, LONGEST_MESSAGE).into_owned();
        let (kind, message) = match (assertion, origin.from_other) {
            (true, _) => {
                let span = body.spans[next as usize];
                let source = self.universe.model.sources.text(span).trim();
                let source = source.strip_prefix("assert").unwrap_or(source);
                let source = shorten(source.trim_end_matches(';').trim(), LONGEST_MESSAGE);
                (FindingKind::Assertion, format!("assertion failed: {source}"))
            }
            (false, true) => (FindingKind::Exception, format!("{text}, from another task")),
            (false, false) => (FindingKind::Exception, text),
        };
        Box::new(Fault::new(kind, message, site))
    }
}
