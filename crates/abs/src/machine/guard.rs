//! Who can move: guards, pools, policies and the clock.
//!
//! A task can move if its cog is idle and it is new, suspended, or its guard holds; or if it keeps
//! its cog and what it waits for has come. A guard that raises an exception lets the task go on, to
//! meet that exception. Time passes only when nobody can move: it jumps to the least `max` among the
//! intervals that have not begun, and whoever waits for an earlier `min` can move then, unless somebody
//! else keeps its cog; so it jumps again, until somebody can move or no interval lies ahead.

use counterpoint_model::{Alternatives, Next, Op, Pid};
use num_rational::BigRational;

use crate::program::{Builtin, ConstructorId, Guard, GuardPart, Instruction, Operand};

use super::evaluate::{self, Frame, FrameKind, Frozen, Memory, Signal};
use super::options::{ObjectPolicy, TaskPolicy};
use super::state::{CogId, NONE, State, Status, Task};
use super::unknown::{Obstacle, Probe};
use super::value::Value;

pub(crate) const NULL_POINTER: Value = Value::Atom(ConstructorId::NULL_POINTER);

/// How much work a guard may do.
const GUARD_WORK: u64 = 10_000_000;

/// When somebody can move.
#[derive(Clone, Debug)]
pub(crate) enum Moment {
    /// At present, or nobody asks for time.
    Now,
    /// When the clock has jumped.
    Later(BigRational),
    /// Never again.
    Never,
}

impl State<'_> {
    pub fn next(&self, task: Pid) -> Next {
        let record = self.task(task);
        if record.status.is_over() || self.tally.interrupted {
            return Next::Done;
        }
        // A choice inside a macro-step is an alternative of what follows it, which touches things.
        let location = self.cogs[record.cog.index()].location;
        let op = Op::Task(counterpoint_model::Location(location));
        if self.can_move(task, record) { Next::Ready(op) } else { Next::Blocked(op) }
    }

    /// Adds the tasks that can move.
    pub fn ready(&self, into: &mut Vec<Pid>) {
        if self.tally.interrupted || self.is_cut_at_deadlock() {
            return;
        }
        if self.is_plain() {
            let enabled = |&task: &u32| self.is_enabled(&self.tasks[task as usize], None);
            into.extend(self.live.open().filter(enabled).map(Pid));
            return;
        }
        let able = |&task: &u32| self.can_move(Pid(task), &self.tasks[task as usize]);
        if !self.timed {
            into.extend(self.live.open().filter(able).map(Pid));
            return;
        }
        let mut tasks: Vec<u32> = self.live.open().filter(able).collect();
        if let Some(time) = self.jump() {
            tasks.extend(self.live.begun_by(&time).filter(able));
            tasks.sort_unstable();
            tasks.dedup();
        }
        into.extend(tasks.into_iter().map(Pid));
    }

    /// Where the clock would jump to, if nobody can move before.
    fn jump(&self) -> Option<BigRational> {
        self.find_moment();
        match &*self.moment.borrow() {
            Some(Moment::Later(time)) => Some(time.clone()),
            _ => None,
        }
    }

    /// The favourite, if it can move, or else the first task that can.
    pub fn first_ready(&self, favourite: Option<Pid>) -> Option<Pid> {
        if self.tally.interrupted {
            return None;
        }
        let able = |task: Pid| {
            let record = self.task(task);
            !record.status.is_over() && self.can_move(task, record)
        };
        if let Some(favourite) = favourite.filter(|&task| able(task)) {
            return Some(favourite);
        }
        let first = self.live.open().map(Pid).find(|&task| able(task));
        match self.timed.then(|| self.jump()).flatten() {
            Some(time) => {
                let begun = self.live.begun_by(&time).map(Pid).filter(|&task| able(task));
                first.into_iter().chain(begun).min()
            }
            None => first,
        }
    }

    pub fn alternatives(&self, task: Pid) -> Alternatives {
        match self.task(task).status {
            Status::Choosing(count) => Alternatives { count, preferred: 0 },
            Status::Splitting => self.split_alternatives(task),
            _ => Alternatives::ONE,
        }
    }

    /// Whether there is a cycle of waiting, and nobody is to move after that.
    fn is_cut_at_deadlock(&self) -> bool {
        self.tally.closed_at != NONE && self.options.cut_at_deadlock
    }

    /// Whether tasks that are enabled can move, whatever else there is: nothing is unknown, nobody asks for time, and any
    /// order will do.
    fn is_plain(&self) -> bool {
        self.unknowns.is_none() && !self.timed && !self.is_ordered()
    }

    fn can_move(&self, task: Pid, record: &Task) -> bool {
        if self.is_cut_at_deadlock() {
            return false;
        }
        if self.is_plain() {
            return self.is_enabled(record, None);
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
        self.find_moment();
        let moment = self.moment.borrow();
        let time = match &*moment {
            Some(Moment::Later(time)) => Some(time),
            Some(Moment::Never) => return false,
            Some(Moment::Now) | None => None,
        };
        self.is_enabled(record, time) && (!self.is_ordered() || self.is_chosen(task, record, time))
    }

    /// Finds out when somebody can move, unless that is known.
    fn find_moment(&self) {
        if self.moment.borrow().is_some() {
            return;
        }
        let able = |time: Option<&BigRational>| {
            let enabled = |task: u32| self.is_enabled(&self.tasks[task as usize], time);
            let mut begun = time.into_iter().flat_map(|time| self.live.begun_by(time));
            self.live.open().any(enabled) || begun.any(enabled)
        };
        let mut moment = Moment::Now;
        if !able(None) {
            let mut time = &self.times[self.tally.clock as usize];
            moment = loop {
                match self.live.next_end(time) {
                    None => break Moment::Never,
                    Some(later) if able(Some(later)) => break Moment::Later(later.clone()),
                    Some(later) => time = later,
                }
            };
        }
        self.moment.replace(Some(moment));
    }

    /// Whether a task that waits waits for nothing but the clock.
    pub fn waits_for_time_alone(&self, record: &Task) -> bool {
        let of_time = |part: &GuardPart| matches!(part, GuardPart::Duration { .. });
        match record.status {
            Status::Sleeping => true,
            Status::Guarded => {
                !self.is_orphan(record)
                    && self.waiting_guard(record).is_some_and(|g| g.parts.iter().all(of_time))
            }
            _ => false,
        }
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

    /// Whether the policies prefer this task to all others.
    fn is_chosen(&self, task: Pid, record: &Task, time: Option<&BigRational>) -> bool {
        let enabled = |other: u32| self.is_enabled(&self.tasks[other as usize], time);
        if self.options.objects == ObjectPolicy::RoundRobin {
            let has_enabled = |cog: CogId| {
                self.candidates().any(|t| self.tasks[t as usize].cog == cog && enabled(t))
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
        !self.candidates().any(|other| {
            let rival = &self.tasks[other as usize];
            other != task.0 && rival.cog == record.cog && earlier(rival) && enabled(other)
        })
    }

    /// The tasks that are not over; some may come twice.
    pub fn candidates(&self) -> impl Iterator<Item = u32> + '_ {
        self.live.open().chain(self.live.waiting())
    }

    /// Lets time pass if nobody can move at present.
    pub fn let_time_pass(&mut self) {
        self.find_moment();
        if let Some(Moment::Later(time)) = self.moment.take() {
            self.tally.clock = self.times.len() as u32;
            let begun: Vec<u32> = self.live.begun_by(&time).collect();
            self.times.push(time);
            for task in begun {
                self.note(task);
            }
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
                GuardPart::Condition(target) => self.settled_condition(task, target, time)?,
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
    fn settled_condition(
        &self,
        task: &Task,
        target: u32,
        time: Option<&BigRational>,
    ) -> Result<bool, Value> {
        let cells = &self.heap.cells;
        let result = match &self.unknowns {
            None => self.waiting_condition(task, target, time, &mut Frozen(cells)),
            Some(unknowns) => self.waiting_condition(
                task,
                target,
                time,
                &mut Probe { cells, unknowns: &**unknowns },
            ),
        };
        match result {
            Ok(truth) => Ok(truth),
            Err(Obstacle::Raise(exception)) => Err(exception),
            Err(Obstacle::Need(_) | Obstacle::Cut(_)) => Ok(false),
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
        time: Option<&BigRational>,
        memory: &mut M,
    ) -> Result<bool, Obstacle> {
        let (top, values) = self.saved_top(task).expect("a waiting task has frames");
        let stack = &mut *self.guard_stack.borrow_mut();
        stack.frames.clear();
        stack.slots.clear();
        stack.allow(GUARD_WORK);
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
                Signal::Raised(exception) => return Err(Obstacle::Raise(exception)),
                Signal::Exhausted | Signal::Interrupted => {
                    return Err(Obstacle::Raise(Value::Atom(ConstructorId::STACK_OVERFLOW)));
                }
                Signal::Returned(_) => return Ok(false),
                Signal::Needs(need) => return Err(Obstacle::Need(need)),
                Signal::Cut(cut) => return Err(Obstacle::Cut(cut)),
                Signal::Effect => {
                    let frame = stack.top();
                    let body = &self.universe.model.bodies[frame.body as usize];
                    let Instruction::Builtin { to, builtin, .. } = body.code[frame.next as usize]
                    else {
                        return Ok(false);
                    };
                    let value = self.answer_in_guard(builtin, time);
                    evaluate::finish_call(stack, memory, to, value);
                }
            }
        }
    }

    /// What an effect inside a guard yields: guards print nothing, and the checker has seen to it that
    /// they neither read nor choose. The clock shows the time given, or the present one.
    pub fn answer_in_guard(&self, builtin: Builtin, time: Option<&BigRational>) -> Value {
        match builtin {
            Builtin::PrintLine | Builtin::Print => Value::UNIT,
            Builtin::ReadLine => Value::text(""),
            Builtin::Clock => {
                let now = time.unwrap_or(&self.times[self.tally.clock as usize]);
                Value::rational(now.clone())
            }
            Builtin::Deadline => Value::Int(-1),
            _ => Value::Int(0),
        }
    }
}
