//! A macro-step: a task runs on its cog until it returns, releases the cog, or blocks it.
//!
//! The task's frames are brought onto the machine's stack, run there, and saved again if the task is
//! not done. Calls within the cog are frames of the same stack; a call to another cog posts a task
//! and blocks for its result. An instruction that waits is left where it is and finished when the
//! task goes on.

use counterpoint_model::{Choice, Event, Fault, FindingKind, HURRY, Location, Mode, Op, Pid};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::analysis::abstraction::Point;
use crate::program::{Arguments, BodyId, Builtin, Instruction, Operand, Place};

use super::evaluate::{self, FrameKind, Signal, finish_call, push_arguments, read_operand};
use super::names::GLOBAL;
use super::number::NO_MATCH;
use super::options::Reduction;
use super::show;
use super::state::{NONE, State, Status, Task};
use super::unknown::Cut;
use super::unknown::arithmetic::is_plain;
use super::value::Value;

/// What an effect leads to.
pub(super) enum Continuation {
    Continue,
    Raise(Value),
    /// The task stops; where it stands then.
    Stop(Status),
    /// The execution goes beyond a limit.
    Cut(Cut),
}

impl State<'_> {
    /// Performs a macro-step of a task that can move.
    pub fn step(&mut self, choice: Choice) -> Event {
        let mut event = Event::new(choice, Op::Task(GLOBAL), counterpoint_model::Site::default());
        self.step_into(choice, &mut event);
        event
    }

    /// The same, written over an event that is not needed any more.
    pub fn step_into(&mut self, choice: Choice, event: &mut Event) {
        let number = choice.process.0;
        self.was_cyclic = self.known_cyclic();
        self.last = Some((choice, self.position()));
        if self.timed {
            self.let_time_pass();
        }
        let task = self.tasks[choice.process.index()];
        let guarded = self.is_guarded(&task);
        let op = Op::Task(Location(self.cogs[task.cog.index()].location));
        self.heap.begin();
        self.accesses.clear();
        self.known_accesses.clear();
        self.fault = None;
        self.pending_fault = None;
        self.origins.clear();
        self.killed = false;
        self.cuts = false;
        self.current = number;
        self.change_task(number);
        let work = self.options.work();
        let work = if self.in_a_hurry { work / HURRY } else { work };
        self.stack.reset(choice.process, work);
        if let Some(unknowns) = &self.unknowns {
            self.stack.instructions = unknowns.instructions;
            self.stack.most_instructions = unknowns.criteria.depth.unwrap_or(u64::MAX);
        }
        let flow = match self.begin_open_step(&task) {
            Some(cut) => Continuation::Cut(cut),
            None => self.resume(&task, choice.alternative),
        };
        let site = self.present_site();
        let status = self.run(flow);
        self.stop(number, &task, status);
        if let Some(unknowns) = &mut self.unknowns {
            let executed = self.stack.instructions - unknowns.instructions;
            unknowns.table.instructions.set(unknowns.table.instructions.get() + executed);
            unknowns.instructions = self.stack.instructions;
            if !matches!(self.tasks[number as usize].status, Status::Splitting) {
                self.settle_guards(number, task.cog);
                self.forget_answers();
            }
            if self.reduction != Reduction::None {
                self.renew_questions();
            }
        }
        event.renew(choice, op, site);
        event.guarded = guarded;
        event.fault = self.fault.take();
        if self.expects() && event.fault.is_none() {
            event.fault = self.unexpected();
        }
        self.fill_footprint(&task, event);
    }

    /// Brings the task's frames onto the stack and finishes the instruction that waited.
    fn resume(&mut self, task: &Task, alternative: u32) -> Continuation {
        if self.is_orphan(task) {
            self.access(task.location, Mode::Await);
            return self.fail_orphan();
        }
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
            Status::Splitting => return self.resume_split(task, alternative),
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
        Continuation::Continue
    }

    fn begin(&mut self, task: &Task) -> Continuation {
        let model = self.universe.model;
        if self.current != 0 {
            self.access(task.location, Mode::Await);
        }
        let (body, this) = match (task.method, task.object) {
            (Some(method), Some(object)) => (model.method(method).body, Value::Object(object)),
            _ => {
                let body = self.root.or(model.main);
                (body.expect("the main task exists if the block does"), Value::Null)
            }
        };
        let first = task.values as usize;
        let values = first..first + model.body(body).parameters as usize;
        self.stack.slots.extend_from_slice(&self.saved_values[values]);
        self.stack.enter(&self.universe, body, FrameKind::Root, Place::Nowhere, this);
        self.entered()
    }

    /// Runs until the task stops.
    fn run(&mut self, mut flow: Continuation) -> Status {
        loop {
            flow = match flow {
                Continuation::Stop(status) => return status,
                Continuation::Raise(exception) => self.unwind(exception),
                Continuation::Cut(cut) => return self.end_here(cut),
                Continuation::Continue => {
                    let tells = self.record.is_some() || self.stack.marks.is_some();
                    let signal = if self.unknowns.is_some() {
                        self.run_open(tells)
                    } else if tells {
                        evaluate::run::<_, true>(&self.universe, &mut self.stack, &mut self.heap)
                    } else {
                        evaluate::run::<_, false>(&self.universe, &mut self.stack, &mut self.heap)
                    };
                    match signal {
                        Signal::Effect => self.effect(),
                        Signal::Returned(value) => self.returned(value),
                        Signal::Raised(exception) => Continuation::Raise(exception),
                        signal @ (Signal::Exhausted | Signal::Interrupted) => self.give_up(signal),
                        Signal::Needs(need) => self.split(need),
                        Signal::Cut(cut) => Continuation::Cut(cut),
                        Signal::Yielded(_) => unreachable!("conditions are run by guards only"),
                    }
                }
            };
        }
    }

    pub(super) fn instruction(&self) -> Instruction {
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

    /// The statement of the model's own code that the running task is at, also inside of the library.
    fn present_own_site(&self) -> counterpoint_model::Site {
        match self.innermost_own_frame() {
            Some(frame) => self.universe.site(frame.body, frame.next),
            None => self.present_site(),
        }
    }

    pub(super) fn operand(&mut self, operand: Operand) -> Value {
        let value = read_operand(&self.universe, &self.stack, &mut self.heap, operand);
        match &self.unknowns {
            Some(unknowns) => unknowns.deref(&value).clone(),
            None => value,
        }
    }

    /// A frame was entered outside the evaluator.
    pub(super) fn entered(&mut self) -> Continuation {
        if let Some(unknowns) = &self.unknowns {
            let repetition = std::sync::Arc::clone(&unknowns.repetition);
            let limit = unknowns.criteria.loops;
            if repetition.entered(&mut self.stack, None, limit) {
                return Continuation::Cut(Cut::Loops);
            }
        }
        Continuation::Continue
    }

    /// Ends an execution with unknowns at a limit.
    fn end_here(&mut self, cut: Cut) -> Status {
        self.cuts = true;
        self.note_cut_place();
        let cut = match cut {
            Cut::Unsupported(what) => Cut::Unsupported(self.with_line(&what)),
            cut => cut,
        };
        if let Some(unknowns) = &mut self.unknowns {
            unknowns.end(cut);
        }
        self.stack.frames.clear();
        self.stack.slots.clear();
        Status::Stopped
    }

    /// Notes where the running task stands when an execution with unknowns is ended, if somebody watches.
    fn note_cut_place(&mut self) {
        let Some(unknowns) = &mut self.unknowns else { return };
        if self.stack.marks.is_some() && unknowns.cut_at.is_empty() {
            let frames = self.stack.frames.iter();
            unknowns.cut_at = frames
                .map(|frame| Point { body: BodyId(frame.body), instruction: frame.next })
                .collect();
        }
    }

    fn effect(&mut self) -> Continuation {
        match self.instruction() {
            Instruction::Builtin { to, builtin, arguments } => self.builtin(to, builtin, arguments),
            Instruction::New { to, class, place, arguments } => {
                self.create(to, class, place, arguments)
            }
            Instruction::SetDeadline { duration } => {
                self.next_deadline = Some(self.operand(duration));
                self.stack.top_mut().next += 1;
                Continuation::Continue
            }
            Instruction::Send { to, callee, selector, arguments } => {
                let object = match self.receiver(callee) {
                    Ok(object) => object,
                    Err(flow) => return flow,
                };
                let task = self.send(object, selector, arguments);
                let future = Value::Future(Pid(task));
                finish_call(&mut self.stack, &mut self.heap, to, future);
                Continuation::Continue
            }
            Instruction::CallMethod { to, callee, selector, arguments } => {
                let object = match self.receiver(callee) {
                    Ok(object) => object,
                    Err(flow) => return flow,
                };
                self.call(to, object, selector, arguments)
            }
            Instruction::CallOwn { to, method, arguments } => {
                push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
                self.enter_method(method, to, self.stack.top().this.clone())
            }
            Instruction::Get { to, future } => {
                let other = match self.awaited_task(future) {
                    Ok(task) => task,
                    Err(flow) => return flow,
                };
                self.access(self.tasks[other.index()].location, Mode::Read);
                if self.is_resolved(other.0) {
                    self.take_result(other.0, to)
                } else {
                    Continuation::Stop(Status::Blocked(other.0))
                }
            }
            Instruction::Await { guard } => self.await_guard(guard),
            Instruction::Suspend => {
                self.stack.top_mut().next += 1;
                Continuation::Stop(Status::Suspended)
            }
            Instruction::Duration { minimum, maximum } => match self.interval(minimum, maximum) {
                Ok(Some(interval)) => {
                    self.set_timer(interval);
                    Continuation::Stop(Status::Sleeping)
                }
                Ok(None) => {
                    self.stack.top_mut().next += 1;
                    Continuation::Continue
                }
                Err(undecided) => undecided,
            },
            Instruction::Die { exception } => {
                let exception = self.operand(exception);
                self.die(exception)
            }
            other => unreachable!("not an effect: {other:?}"),
        }
    }

    fn builtin(&mut self, to: Place, builtin: Builtin, arguments: Arguments) -> Continuation {
        let first = self.stack.slots.len();
        push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
        let argument = self.stack.slots.get(first).cloned().unwrap_or_default();
        self.stack.slots.truncate(first);
        if builtin == Builtin::Random && !is_plain(&argument) {
            return Continuation::Cut(Cut::Unsupported(
                "a random number below an unknown".to_owned(),
            ));
        }
        const TOO_MANY: &str = "a random number with more than 4,294,967,295 values";
        let value = match builtin {
            Builtin::Random => {
                match argument {
                    Value::Int(1) => Value::Int(0),
                    Value::Int(below) if below > 0 => match below.to_u32() {
                        Some(below) => return Continuation::Stop(Status::Choosing(below)),
                        None => return self.unsupported(TOO_MANY),
                    },
                    Value::Big(below) if below.is_positive() => return self.unsupported(TOO_MANY),
                    // There is no number from 0 to below 0.
                    _ => return Continuation::Raise(NO_MATCH),
                }
            }
            Builtin::PrintLine | Builtin::Print => {
                if self.options.outcome_with_output {
                    self.access(GLOBAL.0, Mode::Write);
                }
                let text = show::to_string(&self.universe, &argument, Some(&self.stack));
                if let Err(signal) = self.stack.charge(text.len() as u64) {
                    return self.give_up(signal);
                }
                self.log.push_str(&text);
                if builtin == Builtin::PrintLine {
                    self.log.push('\n');
                }
                Value::UNIT
            }
            Builtin::ReadLine => {
                if self.options.input_lines.is_empty() {
                    Value::text("")
                } else {
                    // Who reads first gets the first line.
                    self.access(GLOBAL.0, Mode::Write);
                    let line = self.options.input_lines.get(self.tally.lines_read as usize);
                    self.tally.lines_read += 1;
                    Value::text(line.map_or("", String::as_str))
                }
            }
            Builtin::ThisComponent => {
                return self.unsupported("`thisDC()`: which deployment component a task is on");
            }
            Builtin::Deadline => match self.tasks[self.current as usize].deadline {
                NONE => Value::Int(-1),
                deadline => {
                    let now = &self.times[self.tally.clock as usize];
                    let left = &self.times[deadline as usize] - now;
                    Value::rational(if left.is_negative() { BigRational::zero() } else { left })
                }
            },
            _ => self.answer_in_guard(builtin, None),
        };
        finish_call(&mut self.stack, &mut self.heap, to, value);
        Continuation::Continue
    }

    /// What the machine cannot do: the execution ends here, since going on with one answer of several would leave out
    /// the others, or show what the model does not do.
    fn unsupported(&mut self, message: &str) -> Continuation {
        if self.unknowns.is_some() {
            return Continuation::Cut(Cut::Unsupported(message.to_owned()));
        }
        let site = self.present_own_site();
        self.fault = Some(Box::new(Fault::new(FindingKind::Unsupported, message, site)));
        self.tally.exhausted += 1;
        Continuation::Stop(Status::Stopped)
    }

    /// A frame that is not a plain call has returned.
    fn returned(&mut self, value: Value) -> Continuation {
        match self.stack.top().kind {
            FrameKind::Call => unreachable!("plain calls return by themselves"),
            FrameKind::Root => {
                if self.current == Pid::MAIN.0 && self.expects() {
                    self.keep_main_variables();
                }
                self.stack.leave();
                Continuation::Stop(self.resolve(Status::Returned, value))
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
                Continuation::Continue
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
    pub(super) fn resolve(&mut self, status: Status, value: Value) -> Status {
        let location = self.tasks[self.current as usize].location;
        self.heap.init(location, value);
        self.access(location, Mode::Write);
        status
    }

    pub(super) fn give_up(&mut self, signal: Signal) -> Continuation {
        if matches!(signal, Signal::Interrupted) {
            self.tally.interrupted = true;
            return Continuation::Stop(Status::Stopped);
        }
        let site = self.present_own_site();
        let message = "a step runs on and on without releasing its object";
        self.fault = Some(Box::new(Fault::endless(message, site)));
        self.tally.exhausted += 1;
        self.note_cut_place();
        Continuation::Stop(Status::Stopped)
    }

    /// Puts the task away.
    fn stop(&mut self, number: u32, before: &Task, status: Status) {
        if let Some(mut record) = self.record.take() {
            record.stop = Some(self.describe_stop(status));
            record.sites =
                self.stack.visited.take().into_iter().map(counterpoint_model::Site).collect();
            self.record = Some(record);
        }
        let saved = match status {
            _ if std::mem::take(&mut self.keeps_frames) => {
                (before.frames, before.frame_count, before.values)
            }
            Status::Returned | Status::Failed | Status::Stopped => (0, 0, 0),
            Status::Choosing(_) | Status::Splitting => self.save_stack(true),
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
        if matches!(before.status, Status::Guarded | Status::Sleeping) && task.timer == before.timer
        {
            task.timer = NONE;
        }
        // One that was given up stands in the middle of its step: nobody may see the object like that.
        let keeps = matches!(
            status,
            Status::Blocked(_)
                | Status::Sleeping
                | Status::Choosing(_)
                | Status::Splitting
                | Status::Stopped
        );
        let kept = self.cogs[before.cog.index()].active == number;
        if keeps != kept {
            let cog = self.change_cog(before.cog);
            cog.active = if keeps { number } else { NONE };
            cog.was_kept |= keeps;
        }
        self.note(number);
        self.forget_answers();
        self.tally.steps += 1;
        if self.is_ordered() {
            let place = self.founded.iter().position(|cog| *cog == before.cog);
            self.tally.last_cog = place.expect("tasks run on cogs of this run") as u32;
        }
        if self.options.cut_at_deadlock && self.closes_cycle(number) {
            self.tally.closed_at = self.tally.steps;
        }
    }
}
