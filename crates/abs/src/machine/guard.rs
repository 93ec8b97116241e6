//! Who can move: guards, pools, policies and the clock.
//!
//! A task can move if its cog is idle and it is new, suspended, or its guard holds; or if it keeps
//! its cog and what it waits for has come. A guard that raises an exception lets the task go on, to
//! meet that exception. Time passes only when nobody can move: it jumps to the least `max` among the
//! intervals that have not begun, and whoever waits for an earlier `min` can move then.

use counterpoint_model::{Alternatives, Next, Op, Pid};
use num_rational::BigRational;

use crate::program::{Builtin, ConstructorId, Guard, GuardPart, Instruction, Operand};

use super::evaluate::{self, Frame, FrameKind, Frozen, Memory, Signal};
use super::options::{ObjectPolicy, TaskPolicy};
use super::state::{CogId, NONE, State, Status, Task};
use super::unknown::{Settled, Trouble};
use super::value::Value;

pub(crate) const NULL_POINTER: Value = Value::Atom(ConstructorId::NULL_POINTER);

/// How much work a guard may do.
const GUARD_WORK: u64 = 10_000_000;

impl State<'_> {
    pub fn next(&self, task: Pid) -> Next {
        let record = self.task(task);
        if record.status.is_over() {
            return Next::Done;
        }
        // A choice inside a macro-step is an alternative of what follows it, which touches things.
        let location = self.cogs[record.cog.index()].location;
        let op = Op::Task(counterpoint_model::Location(location));
        if self.can_move(task, record) { Next::Ready(op) } else { Next::Blocked(op) }
    }

    /// Adds the tasks that can move.
    pub fn ready(&self, into: &mut Vec<Pid>) {
        let dependent = self.timed
            || self.is_ordered()
            || self.options.cut_at_deadlock
            || self.unknowns.is_some();
        for (number, record) in self.tasks.iter().enumerate() {
            let task = Pid(number as u32);
            let ready = if dependent {
                !record.status.is_over() && self.can_move(task, record)
            } else {
                self.is_enabled(record, None)
            };
            if ready {
                into.push(task);
            }
        }
    }

    pub fn alternatives(&self, task: Pid) -> Alternatives {
        match self.task(task).status {
            Status::Choosing(count) => Alternatives { count, preferred: 0 },
            Status::Splitting => self.split_alternatives(task),
            _ => Alternatives::ONE,
        }
    }

    fn can_move(&self, task: Pid, record: &Task) -> bool {
        if self.tally.closed_at != NONE && self.options.cut_at_deadlock {
            return false;
        }
        if self.is_cut() || self.deciding().is_some_and(|deciding| deciding != task.0) {
            return false;
        }
        if self.deciding().is_some() {
            return true;
        }
        if record.status == Status::New
            && self.unknowns.as_ref().is_some_and(|unknowns| unknowns.is_deferred(task.0))
        {
            return false;
        }
        if !self.timed {
            return self.is_enabled(record, None)
                && (!self.is_ordered() || self.is_chosen(task, record, None));
        }
        let time = match self.next_time() {
            Some(time) if !self.anybody_enabled(None) => Some(time),
            _ => None,
        };
        self.is_enabled(record, time.as_ref())
            && (!self.is_ordered() || self.is_chosen(task, record, time.as_ref()))
    }

    /// Whether nothing but a policy keeps the task from moving, now or at another time.
    #[inline]
    fn is_enabled(&self, record: &Task, time: Option<&BigRational>) -> bool {
        let idle = || self.cogs[record.cog.index()].active == NONE;
        match record.status {
            Status::New | Status::Suspended => idle(),
            Status::Awaiting(other) => {
                idle() && (self.is_resolved(other) || self.is_orphan(record))
            }
            Status::Guarded => {
                idle()
                    && (self.is_orphan(record) || !matches!(self.guard_of(record, time), Ok(false)))
            }
            Status::Blocked(other) => self.is_resolved(other),
            Status::Sleeping => self.interval_begun(record, time),
            Status::Choosing(_) | Status::Splitting => true,
            Status::Absent | Status::Returned | Status::Failed | Status::Stopped => false,
        }
    }

    pub fn is_resolved(&self, task: u32) -> bool {
        self.tasks[task as usize].status.is_resolved()
    }

    fn anybody_enabled(&self, time: Option<&BigRational>) -> bool {
        self.posted.iter().any(|&task| self.is_enabled(&self.tasks[task as usize], time))
    }

    /// Whether the policies prefer this task to all others.
    fn is_chosen(&self, task: Pid, record: &Task, time: Option<&BigRational>) -> bool {
        let enabled = |other: u32| self.is_enabled(&self.tasks[other as usize], time);
        if self.options.objects == ObjectPolicy::RoundRobin {
            let has_enabled = |cog: CogId| {
                self.posted.iter().any(|&t| self.tasks[t as usize].cog == cog && enabled(t))
            };
            let count = self.founded.len();
            let first = self.tally.last_cog.wrapping_add(1) as usize % count;
            let turn = (0..count).map(|step| self.founded[(first + step) % count]);
            if turn.into_iter().find(|&cog| has_enabled(cog)) != Some(record.cog) {
                return false;
            }
        }
        let earlier = |other: &Task| match self.options.tasks {
            TaskPolicy::Any => false,
            TaskPolicy::Fifo => other.arrival < record.arrival,
            TaskPolicy::Lifo => other.arrival > record.arrival,
        };
        !self.posted.iter().any(|&other| {
            let rival = &self.tasks[other as usize];
            other != task.0 && rival.cog == record.cog && earlier(rival) && enabled(other)
        })
    }

    /// Where time would jump to if nobody could move.
    fn next_time(&self) -> Option<BigRational> {
        let now = &self.times[self.tally.clock as usize];
        let waiting = self.posted.iter().map(|&task| &self.tasks[task as usize]);
        waiting
            .filter(|task| task.timer != NONE && !task.status.is_over())
            .filter(|task| self.times[task.timer as usize] > *now)
            .map(|task| &self.times[task.timer as usize + 1])
            .min()
            .cloned()
    }

    /// Lets time pass if nobody can move at present.
    pub fn let_time_pass(&mut self) {
        if self.anybody_enabled(None) {
            return;
        }
        if let Some(time) = self.next_time() {
            self.tally.clock = self.times.len() as u32;
            self.times.push(time);
        }
    }

    fn interval_begun(&self, task: &Task, time: Option<&BigRational>) -> bool {
        let now = time.unwrap_or(&self.times[self.tally.clock as usize]);
        task.timer == NONE || self.times[task.timer as usize] <= *now
    }

    /// The guard that a task waits for.
    pub fn waiting_guard(&self, task: &Task) -> Option<&Guard> {
        let (top, _) = self.saved_top(task)?;
        let body = &self.universe.model.bodies[top.body as usize];
        match body.code[top.next as usize] {
            Instruction::Await { guard } => Some(&body.guards[guard.index()]),
            _ => None,
        }
    }

    /// Whether the guard of a stopped task holds, or the exception it raises.
    fn guard_of(&self, task: &Task, time: Option<&BigRational>) -> Result<bool, Value> {
        let guard = self.waiting_guard(task).expect("a guarded task is at an await");
        for part in &guard.parts {
            let holds = match *part {
                GuardPart::Future(operand) => match self.waiting_operand(task, operand) {
                    Value::Future(other) => self.is_resolved(other.0),
                    _ => return Err(NULL_POINTER),
                },
                GuardPart::Value(operand) => self.is_true_now(&self.waiting_operand(task, operand)),
                GuardPart::Condition(target) => self.settled_condition(task, target)?,
                GuardPart::Duration { .. } => self.interval_begun(task, time),
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a truth value that is known, or decided, is true.
    fn is_true_now(&self, value: &Value) -> bool {
        match (value, &self.unknowns) {
            (Value::Term(condition, _), Some(unknowns)) => unknowns.holds(*condition),
            _ => value.is_true(),
        }
    }

    /// Whether a condition of a guard holds; the step that could have changed it has decided it.
    fn settled_condition(&self, task: &Task, target: u32) -> Result<bool, Value> {
        let cells = &self.heap.cells;
        let result = match &self.unknowns {
            None => self.waiting_condition(task, target, &mut Frozen(cells)),
            Some(unknowns) => {
                self.waiting_condition(task, target, &mut Settled { cells, unknowns })
            }
        };
        match result {
            Ok(truth) => Ok(truth),
            Err(Trouble::Raise(exception)) => Err(exception),
            Err(Trouble::Need(_) | Trouble::Cut(_)) => Ok(false),
        }
    }

    /// The value of an operand for a stopped task.
    pub fn waiting_operand(&self, task: &Task, operand: Operand) -> Value {
        let value = self.raw_operand(task, operand);
        match &self.unknowns {
            Some(unknowns) => unknowns.deref(&value).clone(),
            None => value,
        }
    }

    fn raw_operand(&self, task: &Task, operand: Operand) -> Value {
        let (top, values) = self.saved_top(task).expect("a waiting task has frames");
        match operand {
            Operand::Slot(slot) => values.get(slot.index()).cloned().unwrap_or_default(),
            Operand::Field(field) => match top.this {
                Value::Object(object) => {
                    let cell = self.universe.fields_of(object) + u32::from(field.0);
                    self.heap.cells[cell as usize].clone()
                }
                _ => Value::Null,
            },
            Operand::Constant(constant) => self.universe.constants[constant.index()].clone(),
            Operand::This => top.this.clone(),
            Operand::Destiny => Value::Null,
        }
    }

    pub(super) fn waiting_condition<M: Memory>(
        &self,
        task: &Task,
        target: u32,
        memory: &mut M,
    ) -> Result<bool, Trouble> {
        let (top, values) = self.saved_top(task).expect("a waiting task has frames");
        let stack = &mut *self.guard_stack.borrow_mut();
        stack.frames.clear();
        stack.slots.clear();
        stack.work = GUARD_WORK;
        stack.slots.extend_from_slice(values);
        let shape = &self.universe.model.bodies[top.body as usize];
        stack.slots.resize(shape.slots as usize, Value::Null);
        let fields = match top.this {
            Value::Object(object) => self.universe.fields_of(object),
            _ => 0,
        };
        stack.frames.push(Frame {
            body: top.body,
            next: target,
            base: 0,
            fields,
            kind: FrameKind::Root,
            to: top.to,
            this: top.this.clone(),
            progress: None,
        });
        stack.most_instructions = u64::MAX;
        loop {
            match evaluate::run::<_, false>(&self.universe, stack, memory) {
                Signal::Yielded(truth) => return Ok(truth),
                Signal::Raised(exception) => return Err(Trouble::Raise(exception)),
                Signal::Exhausted => {
                    return Err(Trouble::Raise(Value::Atom(ConstructorId::STACK_OVERFLOW)));
                }
                Signal::Returned(_) => return Ok(false),
                Signal::Needs(need) => return Err(Trouble::Need(need)),
                Signal::Cut(cut) => return Err(Trouble::Cut(cut)),
                Signal::Effect => {
                    let frame = stack.top();
                    let body = &self.universe.model.bodies[frame.body as usize];
                    let Instruction::Builtin { to, builtin, .. } = body.code[frame.next as usize]
                    else {
                        return Ok(false);
                    };
                    let value = self.answer_in_guard(builtin);
                    evaluate::finish_call(stack, memory, to, value);
                }
            }
        }
    }

    /// What an effect inside a guard yields: guards print nothing, and the checker has seen to it that
    /// they neither read nor choose.
    pub fn answer_in_guard(&self, builtin: Builtin) -> Value {
        match builtin {
            Builtin::PrintLine | Builtin::Print => Value::UNIT,
            Builtin::ReadLine => Value::text(""),
            Builtin::Clock => Value::rational(self.times[self.tally.clock as usize].clone()),
            Builtin::Deadline => Value::Int(-1),
            _ => Value::Int(0),
        }
    }
}
