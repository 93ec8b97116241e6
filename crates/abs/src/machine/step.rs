//! A macro-step: a task runs on its cog until it returns, releases the cog, or blocks it.
//!
//! The task's frames are brought onto the machine's stack, run there, and saved again if the task is
//! not done. Calls within the cog are frames of the same stack; a call to another cog posts a task
//! and blocks for its result. An instruction that waits is left where it is and finished when the
//! task goes on.
//!
//! Exceptions look for a handler from the topmost frame down. Without one the future is resolved
//! with the exception, and each object on the stack, from the inside out, gets the chance to recover
//! or is killed.

use counterpoint_model::{Choice, Event, Fault, FindingKind, Location, Mode, Op, Pid};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::program::{
    Arguments, Builtin, ClassId, ConstructorId, GuardId, GuardPart, Instruction, MethodId,
    NewPlace, Operand, Place, SelectorId,
};

use super::evaluate::{self, FrameKind, Signal, finish_call, push_arguments, read_operand};
use super::guard::NULL_POINTER;
use super::names::GLOBAL;
use super::options::Reduction;
use super::show;
use super::state::{CogId, Life, NONE, State, Status, Task};
use super::value::{ObjectId, Value};

const OBJECT_DEAD: Value = Value::Atom(ConstructorId::OBJECT_DEAD);

/// What an effect leads to.
enum Flow {
    Continue,
    Raise(Value),
    /// The task stops; where it stands then.
    Stop(Status),
}

impl State<'_> {
    /// Performs a macro-step of a task that can move.
    pub fn step(&mut self, choice: Choice) -> Event {
        let number = choice.process.0;
        self.last = Some((choice, self.position()));
        if self.timed {
            self.let_time_pass();
        }
        let task = self.tasks[choice.process.index()];
        let guarded = self.is_guarded(&task);
        let op = match task.status {
            Status::Choosing(count) => Op::Choose(count),
            _ => Op::Task(Location(self.cogs[task.cog.index()].location)),
        };
        self.heap.begin();
        self.accesses.clear();
        self.fault = None;
        self.pending_fault = None;
        self.killed = false;
        self.current = number;
        self.change_task(number);
        self.stack.reset(choice.process, self.options.work());
        let flow = self.resume(&task, choice.alternative);
        let site = self.present_site();
        let status = self.run(flow);
        self.stop(number, &task, status);
        let mut event = Event::new(choice, op, site);
        event.guarded = guarded;
        event.fault = self.fault.take();
        self.fill_footprint(&task, &mut event);
        event
    }

    /// Brings the task's frames onto the stack and finishes the instruction that waited.
    fn resume(&mut self, task: &Task, alternative: u32) -> Flow {
        match task.status {
            Status::New => return self.begin(task),
            Status::Suspended => self.restore_stack(task),
            Status::Awaiting(other) => {
                self.restore_stack(task);
                self.access(self.tasks[other as usize].location, Mode::Await);
                self.stack.top_mut().next += 1;
            }
            Status::Guarded => {
                self.restore_stack(task);
                return self.pass_guard(task);
            }
            Status::Blocked(other) => {
                self.restore_stack(task);
                self.access(self.tasks[other as usize].location, Mode::Await);
                let (Instruction::Get { to, .. } | Instruction::CallMethod { to, .. }) =
                    self.instruction()
                else {
                    unreachable!("a blocked task is at a get or a call")
                };
                return self.take_result(other, to);
            }
            Status::Sleeping => {
                self.restore_stack(task);
                self.stack.top_mut().next += 1;
            }
            Status::Choosing(_) => {
                self.restore_stack(task);
                let Instruction::Builtin { to, .. } = self.instruction() else {
                    unreachable!("a choosing task is at a builtin")
                };
                finish_call(&mut self.stack, &mut self.heap, to, Value::Int(alternative.into()));
            }
            Status::Absent | Status::Returned | Status::Failed | Status::Stopped => {
                unreachable!("only tasks that can move are stepped")
            }
        }
        Flow::Continue
    }

    fn begin(&mut self, task: &Task) -> Flow {
        let model = self.universe.model;
        if self.current != 0 {
            self.access(task.location, Mode::Await);
        }
        let (body, this) = match (task.method, task.object) {
            (Some(method), Some(object)) => (model.method(method).body, Value::Object(object)),
            _ => (model.main.expect("the main task exists if the block does"), Value::Null),
        };
        let first = task.values as usize;
        let values = first..first + model.body(body).parameters as usize;
        self.stack.slots.extend_from_slice(&self.saved_values[values]);
        self.stack.enter(&self.universe, body, FrameKind::Root, Place::Nowhere, this);
        let dead = |object: ObjectId| self.objects[object.index()].life == Life::Dead;
        if task.object.is_some_and(dead) {
            self.stack.frames.clear();
            self.stack.slots.clear();
            return Flow::Stop(self.resolve(Status::Failed, OBJECT_DEAD));
        }
        Flow::Continue
    }

    /// Goes on behind an `Await` whose guard holds or raises.
    fn pass_guard(&mut self, task: &Task) -> Flow {
        let Instruction::Await { guard } = self.instruction() else {
            unreachable!("a guarded task is at an await")
        };
        let model = self.universe.model;
        let guard = &model.bodies[self.stack.top().body as usize].guards[guard.index()];
        for &field in &guard.reads {
            read_operand(&self.universe, &self.stack, &mut self.heap, Operand::Field(field));
        }
        for part in &guard.parts {
            if let GuardPart::Future(operand) = *part
                && let Value::Future(other) = self.waiting_operand(task, operand) {
                    self.access(self.tasks[other.index()].location, Mode::Await);
                }
        }
        match self.test_guard(guard, None, false) {
            Err(exception) => Flow::Raise(exception),
            Ok(_) => {
                self.stack.top_mut().next += 1;
                Flow::Continue
            }
        }
    }

    /// Runs until the task stops.
    fn run(&mut self, mut flow: Flow) -> Status {
        loop {
            flow = match flow {
                Flow::Stop(status) => return status,
                Flow::Raise(exception) => self.unwind(exception),
                Flow::Continue => {
                    let signal = if self.record.is_some() {
                        evaluate::run::<_, true>(&self.universe, &mut self.stack, &mut self.heap)
                    } else {
                        evaluate::run::<_, false>(&self.universe, &mut self.stack, &mut self.heap)
                    };
                    match signal {
                        Signal::Effect => self.effect(),
                        Signal::Returned(value) => self.returned(value),
                        Signal::Raised(exception) => Flow::Raise(exception),
                        Signal::Exhausted => self.give_up(),
                        Signal::Yielded(_) => unreachable!("conditions are run by guards only"),
                    }
                }
            };
        }
    }

    fn instruction(&self) -> Instruction {
        let frame = self.stack.top();
        self.universe.model.bodies[frame.body as usize].code[frame.next as usize]
    }

    /// The statement that the topmost frame is at.
    fn present_site(&self) -> counterpoint_model::Site {
        match self.stack.frames.last() {
            Some(frame) => self.universe.site(frame.body, frame.next),
            None => counterpoint_model::Site::default(),
        }
    }

    fn operand(&mut self, operand: Operand) -> Value {
        read_operand(&self.universe, &self.stack, &mut self.heap, operand)
    }

    fn effect(&mut self) -> Flow {
        match self.instruction() {
            Instruction::Builtin { to, builtin, arguments } => {
                self.builtin(to, builtin, arguments)
            }
            Instruction::New { to, class, place, arguments } => {
                self.create(to, class, place, arguments)
            }
            Instruction::SetDeadline { duration } => {
                self.next_deadline = Some(self.operand(duration));
                self.stack.top_mut().next += 1;
                Flow::Continue
            }
            Instruction::Send { to, callee, selector, arguments } => {
                let Value::Object(object) = self.operand(callee) else {
                    return Flow::Raise(NULL_POINTER);
                };
                let task = self.send(object, selector, arguments);
                let future = Value::Future(Pid(task));
                finish_call(&mut self.stack, &mut self.heap, to, future);
                Flow::Continue
            }
            Instruction::CallMethod { to, callee, selector, arguments } => {
                let Value::Object(object) = self.operand(callee) else {
                    return Flow::Raise(NULL_POINTER);
                };
                self.call(to, object, selector, arguments)
            }
            Instruction::CallOwn { to, method, arguments } => {
                push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
                self.enter_method(method, to, self.stack.top().this.clone())
            }
            Instruction::Get { to, future } => {
                let Value::Future(other) = self.operand(future) else {
                    return Flow::Raise(NULL_POINTER);
                };
                self.access(self.tasks[other.index()].location, Mode::Read);
                if self.is_resolved(other.0) {
                    self.take_result(other.0, to)
                } else {
                    Flow::Stop(Status::Blocked(other.0))
                }
            }
            Instruction::Await { guard } => self.await_guard(guard),
            Instruction::Suspend => {
                self.stack.top_mut().next += 1;
                Flow::Stop(Status::Suspended)
            }
            Instruction::Duration { minimum, maximum } => {
                match self.interval(minimum, maximum) {
                    Some(interval) => {
                        self.set_timer(interval);
                        Flow::Stop(Status::Sleeping)
                    }
                    None => {
                        self.stack.top_mut().next += 1;
                        Flow::Continue
                    }
                }
            }
            Instruction::Die { exception } => {
                let exception = self.operand(exception);
                self.die(exception)
            }
            other => unreachable!("not an effect: {other:?}"),
        }
    }

    fn builtin(&mut self, to: Place, builtin: Builtin, arguments: Arguments) -> Flow {
        let first = self.stack.slots.len();
        push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
        let argument = self.stack.slots.get(first).cloned().unwrap_or_default();
        self.stack.slots.truncate(first);
        let value = match builtin {
            Builtin::Random => {
                let below = match argument {
                    Value::Int(below) => below.to_u32().unwrap_or(u32::from(below > 0)),
                    _ => 0,
                };
                if below > 1 {
                    return Flow::Stop(Status::Choosing(below));
                }
                Value::Int(0)
            }
            Builtin::PrintLine | Builtin::Print => {
                let text = show::to_string(&self.universe, &argument);
                self.log.push_str(&text);
                if builtin == Builtin::PrintLine {
                    self.log.push('\n');
                }
                Value::UNIT
            }
            Builtin::ReadLine => {
                let read = &mut self.tasks[self.current as usize].lines_read;
                let line = self.options.input_lines.get(*read as usize);
                *read += 1;
                Value::text(line.map_or("", String::as_str))
            }
            Builtin::Deadline => match self.tasks[self.current as usize].deadline {
                NONE => Value::Int(-1),
                deadline => {
                    let now = &self.times[self.tally.clock as usize];
                    let left = &self.times[deadline as usize] - now;
                    Value::rational(if left.is_negative() { BigRational::zero() } else { left })
                }
            },
            _ => self.answer_in_guard(builtin),
        };
        finish_call(&mut self.stack, &mut self.heap, to, value);
        Flow::Continue
    }

    fn create(&mut self, to: Place, class: ClassId, place: NewPlace, arguments: Arguments) -> Flow {
        let first = self.stack.slots.len();
        push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
        let object = self.new_object(class);
        let cog = match place {
            NewPlace::OwnCog => CogId::of(object),
            NewPlace::SameCog => self.present_cog(),
        };
        self.change_object(object).cog = cog;
        self.objects[object.index()].life = Life::Alive;
        self.created.push(object);
        if place == NewPlace::OwnCog {
            let location = self.universe.fields_of(object) - 1;
            let record = self.change_cog(cog);
            record.active = NONE;
            record.was_kept = false;
            record.location = location;
            self.founded.push(cog);
        }
        let fields = self.universe.fields_of(object);
        let model = self.universe.model;
        let count = model.class(class).fields.len();
        self.heap.reserve(fields as usize + count);
        for index in 0..count {
            let value = self.stack.slots.get_mut(first + index).map(std::mem::take);
            self.heap.init(fields + index as u32, value.unwrap_or_default());
        }
        self.stack.slots.truncate(first);
        if let Some(record) = &mut self.record {
            record.created.push(object);
        }
        let init = model.class(class).init;
        self.stack.enter(&self.universe, init, FrameKind::Init, to, Value::Object(object));
        Flow::Continue
    }

    /// The name of the next object of the running task.
    fn new_object(&mut self, class: ClassId) -> ObjectId {
        let creator = self.current;
        let number = self.tasks[creator as usize].objects_created;
        self.tasks[creator as usize].objects_created += 1;
        if self.offspring.len() <= creator as usize {
            self.offspring.resize(creator as usize + 1, Vec::new());
        }
        let known = &mut self.offspring[creator as usize];
        if let Some(&object) = known.get(number as usize) {
            let object = ObjectId(object);
            if object.0 != NONE && self.universe.class_of(object) == class {
                return object;
            }
        }
        let model = self.universe.model;
        let (object, name) = self.universe.names.object(model, Pid(creator), number, class);
        if known.len() <= number as usize {
            known.resize(number as usize + 1, NONE);
        }
        known[number as usize] = object.0;
        if self.universe.objects.len() <= object.index() {
            self.universe.objects.resize(object.index() + 1, None);
        }
        self.universe.objects[object.index()] = Some(name);
        self.reserve_object(object);
        object
    }

    /// The cog in which the topmost frame runs: an object under construction is already in its own.
    fn present_cog(&self) -> CogId {
        match self.stack.top().this {
            Value::Object(object) => self.objects[object.index()].cog,
            _ => CogId::MAIN,
        }
    }

    fn method(&self, object: ObjectId, selector: SelectorId) -> MethodId {
        let class = self.universe.model.class(self.universe.class_of(object));
        class.methods[selector.index()].expect("the checker has found the method")
    }

    fn send(&mut self, object: ObjectId, selector: SelectorId, arguments: Arguments) -> u32 {
        let first = self.stack.slots.len();
        push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
        let method = self.method(object, selector);
        self.post(object, method, first)
    }

    /// Posts a task whose arguments lie on the stack from the given slot on.
    fn post(&mut self, object: ObjectId, method: MethodId, first: usize) -> u32 {
        let creator = self.current as usize;
        let number = self.tasks[creator].tasks_created;
        self.tasks[creator].tasks_created += 1;
        let task = self.child(creator, number);
        let location = self.universe.names.task(Pid(task), Some(method));
        self.heap.reserve(location as usize + 1);
        self.reserve_task(task);
        let deadline = self.take_deadline();
        let values = self.saved_values.len() as u32;
        self.saved_values.extend(self.stack.slots.drain(first..));
        let arrival = self.tally.arrivals;
        self.tally.arrivals += 1;
        let cog = self.objects[object.index()].cog;
        *self.change_task(task) = Task {
            status: Status::New,
            cog,
            object: Some(object),
            method: Some(method),
            location,
            values,
            arrival,
            deadline,
            ..Task::ABSENT
        };
        self.posted.push(task);
        self.tally.processes = self.tally.processes.max(task + 1);
        self.access(location, Mode::Write);
        if let Some(record) = &mut self.record {
            record.posted.push(Pid(task));
        }
        task
    }

    fn child(&mut self, creator: usize, number: u32) -> u32 {
        if self.children.len() <= creator {
            self.children.resize(creator + 1, Vec::new());
        }
        let known = &mut self.children[creator];
        while known.len() <= number as usize {
            let next = known.len() as u32;
            known.push(self.universe.processes().child(Pid(creator as u32), next).0);
        }
        known[number as usize]
    }

    fn take_deadline(&mut self) -> u32 {
        let Some(duration) = self.next_deadline.take() else { return NONE };
        let Some(length) = duration.arguments().first().and_then(Value::to_rational) else {
            return NONE;
        };
        let time = &self.times[self.tally.clock as usize] + length;
        self.times.push(time);
        self.times.len() as u32 - 1
    }

    fn call(
        &mut self,
        to: Place,
        object: ObjectId,
        selector: SelectorId,
        arguments: Arguments,
    ) -> Flow {
        let cog = self.objects[object.index()].cog;
        if cog != self.tasks[self.current as usize].cog && cog != self.present_cog() {
            let task = self.send(object, selector, arguments);
            return Flow::Stop(Status::Blocked(task));
        }
        if self.objects[object.index()].life == Life::Dead {
            return Flow::Raise(OBJECT_DEAD);
        }
        push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
        self.enter_method(self.method(object, selector), to, Value::Object(object))
    }

    fn enter_method(&mut self, method: MethodId, to: Place, this: Value) -> Flow {
        if self.stack.work == 0 {
            return self.give_up();
        }
        self.stack.work -= 1;
        if self.stack.frames.len() >= 1_000_000 {
            return Flow::Raise(Value::Atom(ConstructorId::STACK_OVERFLOW));
        }
        let body = self.universe.model.method(method).body;
        self.stack.enter(&self.universe, body, FrameKind::Call, to, this);
        Flow::Continue
    }

    /// Takes the result of a task that has one.
    fn take_result(&mut self, other: u32, to: Place) -> Flow {
        let other = &self.tasks[other as usize];
        let value = self.heap.cells[other.location as usize].clone();
        if other.status == Status::Failed {
            return Flow::Raise(value);
        }
        finish_call(&mut self.stack, &mut self.heap, to, value);
        Flow::Continue
    }

    fn await_guard(&mut self, number: GuardId) -> Flow {
        let model = self.universe.model;
        let guard = &model.bodies[self.stack.top().body as usize].guards[number.index()];
        let mut interval = None;
        for part in &guard.parts {
            if let GuardPart::Duration { minimum, maximum } = *part {
                let (least, most) = interval.get_or_insert_with(|| {
                    (BigRational::zero(), BigRational::zero())
                });
                if let Some((minimum, maximum)) = self.interval(minimum, maximum) {
                    *least = std::cmp::max(std::mem::take(least), minimum);
                    *most = std::cmp::max(std::mem::take(most), maximum);
                }
            }
        }
        let interval = interval.filter(|(least, _)| least.is_positive());
        if self.continues() {
            for &field in &guard.reads {
                self.operand(Operand::Field(field));
            }
            match self.test_guard(guard, interval.as_ref(), true) {
                Ok(true) => {
                    self.stack.top_mut().next += 1;
                    return Flow::Continue;
                }
                Ok(false) => {}
                Err(exception) => return Flow::Raise(exception),
            }
        }
        if let [GuardPart::Future(operand @ Operand::Slot(_))] = guard.parts[..]
            && let Value::Future(other) = self.operand(operand) {
                return Flow::Stop(Status::Awaiting(other.0));
            }
        if let Some(interval) = interval {
            self.set_timer(interval);
        }
        Flow::Stop(Status::Guarded)
    }

    /// Whether a guard of the topmost frame holds, given the interval that is yet to pass.
    fn test_guard(
        &mut self,
        guard: &crate::program::Guard,
        interval: Option<&(BigRational, BigRational)>,
        note: bool,
    ) -> Result<bool, Value> {
        for part in &guard.parts {
            let holds = match *part {
                GuardPart::Future(operand) => {
                    let Value::Future(other) = self.operand(operand) else {
                        return Err(NULL_POINTER);
                    };
                    if note {
                        self.access(self.tasks[other.index()].location, Mode::Read);
                    }
                    self.is_resolved(other.0)
                }
                GuardPart::Value(operand) => self.operand(operand).is_true(),
                GuardPart::Condition(target) => self.test_condition(target)?,
                GuardPart::Duration { .. } => interval.is_none(),
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn test_condition(&mut self, target: u32) -> Result<bool, Value> {
        let depth = self.stack.frames.len();
        let waiting = std::mem::replace(&mut self.stack.top_mut().next, target);
        let result = loop {
            match evaluate::run::<_, false>(&self.universe, &mut self.stack, &mut self.heap) {
                Signal::Yielded(truth) => break Ok(truth),
                Signal::Raised(exception) => break Err(exception),
                Signal::Effect => {
                    let Instruction::Builtin { to, builtin, .. } = self.instruction() else {
                        break Ok(false);
                    };
                    let value = self.answer_in_guard(builtin);
                    finish_call(&mut self.stack, &mut self.heap, to, value);
                }
                Signal::Returned(_) => break Ok(false),
                Signal::Exhausted => break Err(Value::Atom(ConstructorId::STACK_OVERFLOW)),
            }
        };
        while self.stack.frames.len() > depth {
            self.stack.leave();
        }
        self.stack.top_mut().next = waiting;
        result
    }

    /// An interval of time from now on; none if it does not lie ahead.
    fn interval(&mut self, minimum: Operand, maximum: Operand) -> Option<(BigRational, BigRational)> {
        let minimum = self.operand(minimum).to_rational()?;
        let maximum = self.operand(maximum).to_rational()?;
        let minimum = std::cmp::min(minimum, maximum.clone());
        if !minimum.is_positive() {
            return None;
        }
        Some((minimum, maximum))
    }

    fn set_timer(&mut self, (minimum, maximum): (BigRational, BigRational)) {
        let now = self.times[self.tally.clock as usize].clone();
        self.tasks[self.current as usize].timer = self.times.len() as u32;
        self.times.push(&now + minimum);
        self.times.push(now + maximum);
    }

    /// A frame that is not a plain call has returned.
    fn returned(&mut self, value: Value) -> Flow {
        match self.stack.top().kind {
            FrameKind::Call => unreachable!("plain calls return by themselves"),
            FrameKind::Root => {
                self.stack.leave();
                Flow::Stop(self.resolve(Status::Returned, value))
            }
            FrameKind::Init => {
                let frame = self.stack.leave();
                let Value::Object(object) = frame.this else {
                    unreachable!("init runs on an object")
                };
                let first = self.stack.slots.len();
                let class = self.universe.class_of(object);
                if let Some(run) = self.universe.model.class(class).run {
                    self.post(object, run, first);
                }
                finish_call(&mut self.stack, &mut self.heap, frame.to, frame.this);
                Flow::Continue
            }
            FrameKind::Recover => {
                let frame = self.stack.leave();
                if !value.is_true() {
                    self.kill(&frame.this);
                }
                self.fail_next()
            }
        }
    }

    /// Resolves the future of the running task.
    fn resolve(&mut self, status: Status, value: Value) -> Status {
        let location = self.tasks[self.current as usize].location;
        self.heap.init(location, value);
        self.access(location, Mode::Write);
        status
    }

    /// Goes on at the handler of an exception, or fails.
    fn unwind(&mut self, exception: Value) -> Flow {
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
            return Flow::Continue;
        }
        if self.stack.frames[0].kind == FrameKind::Recover {
            let object = self.stack.frames[0].this.clone();
            self.stack.frames.clear();
            self.stack.slots.clear();
            self.kill(&object);
            return self.fail_next();
        }
        self.fail(exception)
    }

    /// The task ends with an exception that nobody has caught.
    fn fail(&mut self, exception: Value) -> Flow {
        let fault = self.describe_failure(&exception);
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
    fn fail_next(&mut self) -> Flow {
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
                return Flow::Continue;
            }
            self.kill(&Value::Object(object));
        }
        Flow::Stop(Status::Failed)
    }

    fn die(&mut self, exception: Value) -> Flow {
        let this = self.stack.top().this.clone();
        self.fault = Some(self.describe_failure(&exception));
        self.stack.frames.clear();
        self.stack.slots.clear();
        self.resolve(Status::Failed, exception);
        self.kill(&this);
        Flow::Stop(Status::Failed)
    }

    /// Ends an object and all its tasks but the running one.
    fn kill(&mut self, this: &Value) {
        if let Some(fault) = self.pending_fault.take() {
            self.fault = Some(fault);
        }
        let Value::Object(object) = *this else { return };
        self.change_object(object).life = Life::Dead;
        self.killed = true;
        for index in 0..self.posted.len() {
            let task = self.posted[index];
            let record = self.tasks[task as usize];
            if task == self.current || record.status.is_over() || record.object != Some(object) {
                continue;
            }
            self.change_task(task).status = Status::Failed;
            self.heap.init(record.location, OBJECT_DEAD);
            self.access(record.location, Mode::Write);
        }
    }

    fn describe_failure(&self, exception: &Value) -> Box<Fault> {
        let assertion = matches!(self.instruction(), Instruction::Assert { .. });
        let from_other = matches!(
            self.instruction(),
            Instruction::Get { .. } | Instruction::CallMethod { .. }
        );
        let frame = self.stack.top();
        let site = self.universe.site(frame.body, frame.next);
        let text = show::exception(&self.universe, exception);
        let (kind, message) = match (assertion, from_other) {
            (true, _) => {
                let body = &self.universe.model.bodies[frame.body as usize];
                let span = body.spans[frame.next as usize];
                let source = self.universe.model.sources.text(span).trim();
                let source = source.strip_prefix("assert").unwrap_or(source);
                let source = source.trim_end_matches(';').trim();
                (FindingKind::Assertion, format!("assertion failed: {source}"))
            }
            (false, true) => (FindingKind::Exception, format!("{text}, from another task")),
            (false, false) => (FindingKind::Exception, text),
        };
        Box::new(Fault { kind, message, site })
    }

    fn give_up(&mut self) -> Flow {
        let site = self.present_site();
        let message = "a step runs on and on without releasing its object".to_owned();
        self.fault = Some(Box::new(Fault { kind: FindingKind::Unsupported, message, site }));
        self.tally.exhausted += 1;
        Flow::Stop(Status::Stopped)
    }

    /// Puts the task away.
    fn stop(&mut self, number: u32, before: &Task, status: Status) {
        if let Some(mut record) = self.record.take() {
            record.stop = Some(self.describe_stop(status));
            let sites = std::mem::take(&mut self.stack.visited);
            record.sites = sites.into_iter().map(counterpoint_model::Site).collect();
            self.record = Some(record);
        }
        let saved = match status {
            Status::Returned | Status::Failed | Status::Stopped => (0, 0, 0),
            Status::Choosing(_) => self.save_stack(true),
            _ => self.save_stack(false),
        };
        let arrival = self.tally.arrivals;
        let task = &mut self.tasks[number as usize];
        task.status = status;
        (task.frames, task.frame_count, task.values) = saved;
        if matches!(status, Status::Suspended | Status::Awaiting(_) | Status::Guarded) {
            task.arrival = arrival;
            self.tally.arrivals += 1;
        }
        if matches!(before.status, Status::Guarded | Status::Sleeping)
            && task.timer == before.timer
        {
            task.timer = NONE;
        }
        let keeps =
            matches!(status, Status::Blocked(_) | Status::Sleeping | Status::Choosing(_));
        let kept = self.cogs[before.cog.index()].active == number;
        if keeps != kept {
            let cog = self.change_cog(before.cog);
            cog.active = if keeps { number } else { NONE };
            cog.was_kept |= keeps;
        }
        self.tally.steps += 1;
        if self.is_ordered() {
            let place = self.founded.iter().position(|cog| *cog == before.cog);
            self.tally.last_cog = place.expect("tasks run on cogs of this run") as u32;
        }
        if self.options.cut_at_deadlock && self.closes_cycle(number) {
            self.tally.closed_at = self.tally.steps;
        }
    }

    /// Whether something else than an `Await` could have kept the task from moving earlier.
    fn is_guarded(&self, task: &Task) -> bool {
        if self.timed || self.is_ordered() {
            return true;
        }
        let was_kept = self.cogs[task.cog.index()].was_kept;
        match task.status {
            Status::Blocked(_) | Status::Choosing(_) => false,
            Status::Guarded => {
                was_kept
                    || self.waiting_guard(task).is_none_or(|guard| {
                        !guard.reads.is_empty()
                            || !guard.parts.iter().all(|p| matches!(p, GuardPart::Future(_)))
                    })
            }
            _ => was_kept,
        }
    }

    /// Notes an access besides those to fields.
    fn access(&mut self, location: u32, mode: Mode) {
        let location = Location(location);
        let known = self.accesses.iter().any(|access| {
            access.location == location
                && (access.mode == mode || (access.mode == Mode::Write && mode == Mode::Read))
        });
        if !known {
            self.accesses.push(counterpoint_model::Access::synchronising(location, mode));
        }
    }

    fn fill_footprint(&self, before: &Task, event: &mut Event) {
        let synchronising = counterpoint_model::Access::synchronising;
        let cog = Location(self.cogs[before.cog.index()].location);
        let footprint = &mut event.footprint;
        match self.reduction {
            Reduction::None => footprint.push(synchronising(GLOBAL, Mode::Write)),
            Reduction::Object => footprint.push(synchronising(cog, Mode::Write)),
            Reduction::Field | Reduction::Exact => {
                let kept = self.cogs[before.cog.index()].active != NONE
                    || matches!(
                        before.status,
                        Status::Blocked(_) | Status::Sleeping | Status::Choosing(_)
                    );
                let mode = if kept || self.killed { Mode::Write } else { Mode::Read };
                footprint.push(synchronising(cog, mode));
                for (cell, written) in self.heap.touched() {
                    let mode = if written { Mode::Write } else { Mode::Read };
                    footprint.push(synchronising(Location(cell), mode));
                }
            }
        }
        if self.options.cut_at_deadlock && self.reduction != Reduction::None {
            let closes = self.tally.closed_at != NONE;
            let mode = if closes { Mode::Write } else { Mode::Read };
            footprint.push(synchronising(GLOBAL, mode));
        }
        footprint.extend(self.accesses.iter().copied());
    }
}
