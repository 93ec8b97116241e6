//! How a thread moves: the visible operation it stands at, then local computation up to the next one.

use counterpoint_model::{
    Access, Choice, Event, Fault, FindingKind, Location, Mode, Op, Pid, Site,
};

use super::arithmetic::apply;
use super::{ABSENT, LockState, NOBODY, StepRecord, TestRun, Thread, ThreadStatus, Undo};
use crate::ast::Operator;
use crate::compile::Instruction;
use crate::unknowns::Value;

/// So many local instructions in a row are taken for an endless loop.
const LOCAL_LIMIT: u32 = 100_000;

impl TestRun<'_> {
    /// Starts a thread and lets it run to its first operation.
    pub(super) fn begin(&mut self, process: Pid, body: u16) {
        let width = self.program.code.registers;
        let slot = process.index();
        if self.threads.len() <= slot {
            self.threads.resize(slot + 1, ABSENT);
            self.registers.resize((slot + 1) * width, Value::Int(0));
        }
        let pc = self.program.code.entries[usize::from(body)];
        self.threads[slot] = Thread { status: ThreadStatus::Live, body, pc, ..ABSENT };
        self.registers[slot * width..(slot + 1) * width].fill(Value::Int(0));
        self.processes = self.processes.max(process.0 + 1);
        self.trail.push(Undo::Started(process.0));
        if self.advance(process.0).is_some() {
            let thread = &mut self.threads[slot];
            thread.status = ThreadStatus::Live;
            thread.op = Op::Local;
        }
    }

    /// Runs local computation up to the next visible operation, the end or a failure. After a
    /// failure the thread is still at the instruction that failed.
    fn advance(&mut self, process: u32) -> Option<Box<Fault>> {
        let program = self.program;
        let base = process as usize * program.code.registers;
        let mut pc = self.threads[process as usize].pc;
        let mut steps = 0;
        loop {
            steps += 1;
            if steps > LOCAL_LIMIT {
                self.threads[process as usize].pc = pc;
                return self.fail(process, "endless local loop", None);
            }
            self.visited.push(pc);
            match program.code.instructions[pc as usize] {
                Instruction::Set { to, from } => {
                    let value = self.operand(base, from);
                    self.assign(base, to, value);
                    pc += 1;
                }
                Instruction::Binary { operator, to, left, right } => {
                    let (left, right) = (self.operand(base, left), self.operand(base, right));
                    let value = match (left, right) {
                        (Value::Int(left), Value::Int(right)) => {
                            Value::Int(apply(operator, left, right))
                        }
                        (left, right) => self.unknown().binary(operator, left, right),
                    };
                    self.assign(base, to, value);
                    pc += 1;
                }
                Instruction::Jump { target } => pc = target,
                Instruction::JumpIfKnown { register, target } => {
                    let value = self.registers[base + usize::from(register)];
                    pc = if let Value::Unknown(_) = value { pc + 1 } else { target };
                }
                Instruction::Branch { operator, left, right, otherwise } => {
                    let (left, right) = (self.operand(base, left), self.operand(base, right));
                    let side = match (left, right) {
                        (Value::Int(left), Value::Int(right)) => {
                            Some(apply(operator, left, right) != 0)
                        }
                        (left, right) => self.unknown().compare(operator, left, right).ok(),
                    };
                    match side {
                        Some(true) => pc += 1,
                        Some(false) => pc = otherwise,
                        None => return self.stand(process, pc, Op::Branch),
                    }
                }
                Instruction::Input { to, bounds } => {
                    let value = self.input(process, bounds);
                    self.assign(base, to, value);
                    pc += 1;
                }
                Instruction::Fault { fault } => {
                    return self.fail_as_written(process, pc, fault);
                }
                Instruction::Acquire { lock } => {
                    let state = self.locks[lock as usize];
                    if state.holder != process {
                        return self.stand(process, pc, Op::Acquire(Location(lock)));
                    }
                    self.set_lock(lock, LockState { depth: state.depth + 1, ..state });
                    pc += 1;
                }
                Instruction::TryAcquire { to, lock } => {
                    let state = self.locks[lock as usize];
                    if state.holder != process {
                        // It never waits, but can overtake the release that lets it succeed.
                        return self.stand_guarded(process, pc, Op::Synchronise(Location(lock)));
                    }
                    self.set_lock(lock, LockState { depth: state.depth + 1, ..state });
                    self.assign(base, to, Value::Int(1));
                    pc += 1;
                }
                Instruction::Pass { lock } => {
                    // A lock that it holds itself keeps nobody from going on.
                    if self.locks[lock as usize].holder != process {
                        return self.stand_guarded(process, pc, Op::Synchronise(Location(lock)));
                    }
                    pc += 1;
                }
                Instruction::Release { lock } => {
                    let state = self.locks[lock as usize];
                    if state.holder != process {
                        self.threads[process as usize].pc = pc;
                        return self.fail(process, "frees a lock it does not hold", Some(pc));
                    }
                    if state.depth == 1 {
                        return self.stand(process, pc, Op::Release(Location(lock)));
                    }
                    self.set_lock(lock, LockState { depth: state.depth - 1, ..state });
                    pc += 1;
                }
                Instruction::Wait { lock, .. }
                | Instruction::WaitOr { lock, .. }
                | Instruction::Notify { lock, .. }
                    if self.locks[lock as usize].holder != process =>
                {
                    self.threads[process as usize].pc = pc;
                    let message = "uses a condition without holding its lock";
                    return self.fail(process, message, Some(pc));
                }
                Instruction::Join { thread } | Instruction::JoinOr { thread, .. } => {
                    let Value::Thread(other) = self.registers[base + usize::from(thread)] else {
                        self.threads[process as usize].pc = pc;
                        return self.fail(process, "joins no thread", Some(pc));
                    };
                    return self.stand(process, pc, Op::Join(Pid(other)));
                }
                Instruction::Spawn { .. } => {
                    let number = self.threads[process as usize].children;
                    let child = program.names.child(Pid(process), number);
                    return self.stand(process, pc, Op::Start(child));
                }
                Instruction::Read { cell, .. } => {
                    return self.stand(process, pc, Op::Read(self.location(base, cell)));
                }
                Instruction::Write { cell, .. } => {
                    return self.stand(process, pc, Op::Write(self.location(base, cell)));
                }
                Instruction::FetchAdd { cell, .. } | Instruction::CompareAndSet { cell, .. } => {
                    return self.stand(process, pc, Op::Update(self.location(base, cell)));
                }
                Instruction::Wait { condition, lock }
                | Instruction::WaitOr { condition, lock, .. } => {
                    let (condition, lock) = (Location(condition), Location(lock));
                    return self.stand(process, pc, Op::Wait { condition, lock });
                }
                Instruction::Resume { condition, lock }
                | Instruction::ResumeOr { condition, lock, timed: false, .. } => {
                    let (condition, lock) = (Location(condition), Location(lock));
                    return self.stand(process, pc, Op::Resume { condition, lock });
                }
                Instruction::ResumeOr { condition, lock, timed: true, .. } => {
                    let (condition, lock) = (Location(condition), Location(lock));
                    return self.stand_guarded(process, pc, Op::Resume { condition, lock });
                }
                Instruction::Interrupt { child } => {
                    let cell = program.interrupt(self.child_of_main(child));
                    return self.stand(process, pc, Op::Synchronise(cell));
                }
                Instruction::Interrupted { .. } => {
                    let cell = program.interrupt(Pid(process));
                    return self.stand(process, pc, Op::Synchronise(cell));
                }
                Instruction::Notify { condition, all, .. } => {
                    let condition = Location(condition);
                    return self.stand(process, pc, Op::Notify { condition, all });
                }
                Instruction::Up { semaphore } => {
                    return self.stand(process, pc, Op::Synchronise(Location(semaphore)));
                }
                Instruction::Down { semaphore } => {
                    return self.stand_guarded(process, pc, Op::Synchronise(Location(semaphore)));
                }
                Instruction::Await { guard } => {
                    let guard = &program.code.guards[guard as usize];
                    let op = match guard.then {
                        Some((location, _)) => Op::Update(Location(location)),
                        None => Op::Read(Location(guard.requirements[0].0)),
                    };
                    return self.stand_guarded(process, pc, op);
                }
                Instruction::Choose { count, .. } => {
                    return self.stand(process, pc, Op::Choose(count));
                }
                Instruction::End => {
                    let thread = &mut self.threads[process as usize];
                    thread.pc = pc;
                    thread.status = ThreadStatus::Done;
                    return None;
                }
            }
        }
    }

    fn stand(&mut self, process: u32, pc: u32, op: Op) -> Option<Box<Fault>> {
        let thread = &mut self.threads[process as usize];
        thread.pc = pc;
        thread.op = op;
        thread.guarded = false;
        None
    }

    fn stand_guarded(&mut self, process: u32, pc: u32, op: Op) -> Option<Box<Fault>> {
        self.stand(process, pc, op);
        self.threads[process as usize].guarded = true;
        None
    }

    /// The next input of a thread.
    #[inline(never)]
    fn input(&mut self, process: u32, bounds: Option<u32>) -> Value {
        let program = self.program;
        let number = self.threads[process as usize].inputs;
        self.threads[process as usize].inputs += 1;
        let bounds = bounds.map(|bounds| program.code.bounds[bounds as usize]);
        let unknowns = self.unknowns.as_mut().expect("the program has inputs");
        unknowns.input(&program.names, Pid(process), number, bounds)
    }

    /// The fault that the instruction is about.
    #[cold]
    fn fail_as_written(&mut self, process: u32, pc: u32, fault: u32) -> Option<Box<Fault>> {
        let thread = &mut self.threads[process as usize];
        let fault = &self.program.code.faults[fault as usize];
        thread.pc = pc;
        thread.status = match fault.kind {
            FindingKind::Unsupported => ThreadStatus::Cut,
            _ => ThreadStatus::Failed,
        };
        Some(Box::new(fault.clone()))
    }

    /// A fault of kind exception, at an instruction or else at the heading of the thread's body.
    #[cold]
    fn fail(&mut self, process: u32, message: &str, pc: Option<u32>) -> Option<Box<Fault>> {
        let thread = &mut self.threads[process as usize];
        thread.status = ThreadStatus::Failed;
        let site = match pc {
            Some(pc) => self.program.code.site(pc),
            None => Site(self.program.ast().bodies[usize::from(thread.body)].line),
        };
        Some(Box::new(Fault::new(FindingKind::Exception, message, site)))
    }

    /// The step that the event begins to describe.
    #[inline]
    pub(super) fn take_step(&mut self, choice: Choice, event: &mut Event) {
        let process = choice.process;
        let thread = &mut self.threads[process.index()];
        self.step_records.push(StepRecord {
            process: process.0,
            processes: self.processes,
            trail: u32::try_from(self.trail.len()).expect("a trail of fewer than 2^32 changes"),
            thread: *thread,
        });
        self.visited.clear();
        self.visited.push(thread.pc);
        let fresh = std::mem::take(&mut thread.fresh);
        if let Some(unknowns) = &self.unknowns {
            self.marks.push(unknowns.mark());
        }
        if fresh && process != Pid::MAIN {
            let cell = self.program.cell(process);
            event.footprint.push(Access::synchronising(cell, Mode::Await));
        }
        self.perform(choice, event);
        event.fault = self.advance(process.0);
        let status = self.threads[process.index()].status;
        if self.program.code.joins && matches!(status, ThreadStatus::Done | ThreadStatus::Failed) {
            let cell = self.program.cell(process);
            event.footprint.push(Access::synchronising(cell, Mode::Write));
        }
    }

    /// Performs the visible operation that the thread stands at and says what it touched.
    fn perform(&mut self, choice: Choice, event: &mut Event) {
        let process = choice.process.0;
        let base = process as usize * self.program.code.registers;
        let pc = self.threads[process as usize].pc;
        if matches!(event.op, Op::Local) {
            return;
        }
        match self.program.code.instructions[pc as usize] {
            Instruction::Read { to, cell } => {
                let location = self.location(base, cell);
                let value = self.memory[location.index()];
                self.assign(base, to, value);
                self.touch(event, location, Mode::Read);
            }
            Instruction::Write { value, cell } => {
                let location = self.location(base, cell);
                let value = self.operand(base, value);
                self.store(location, value);
                self.touch(event, location, Mode::Write);
            }
            Instruction::FetchAdd { to, by, cell } => {
                let location = self.location(base, cell);
                let old = self.memory[location.index()];
                let new = match (old, self.operand(base, by)) {
                    (Value::Int(old), Value::Int(by)) => Value::Int(old.wrapping_add(by)),
                    (old, by) => self.unknown().binary(Operator::Add, old, by),
                };
                self.store(location, new);
                self.assign(base, to, old);
                event.footprint.push(Access::synchronising(location, Mode::Write));
            }
            Instruction::CompareAndSet { to, operands, cell } => {
                let location = self.location(base, cell);
                let (expected, new) = self.program.code.operands[operands as usize];
                let (expected, new) = (self.operand(base, expected), self.operand(base, new));
                let mode = self.compare_and_set(base, to, location, expected, new);
                event.footprint.push(Access::synchronising(location, mode));
            }
            Instruction::Acquire { lock } => {
                self.set_lock(lock, LockState { holder: process, depth: 1 });
                self.touch(event, Location(lock), Mode::Acquire);
            }
            Instruction::TryAcquire { to, lock } => {
                event.guarded = true;
                let free = self.locks[lock as usize].holder == NOBODY;
                if free {
                    self.set_lock(lock, LockState { holder: process, depth: 1 });
                    self.touch(event, Location(lock), Mode::Acquire);
                } else {
                    let look = Access::synchronising(Location(lock), Mode::Read);
                    event.footprint.push(look.unordered());
                }
                self.assign(base, to, Value::Int(i32::from(free)));
            }
            Instruction::Release { lock } => {
                self.set_lock(lock, LockState { holder: NOBODY, depth: 0 });
                self.touch(event, Location(lock), Mode::Release);
            }
            Instruction::Wait { condition, lock } => {
                self.begin_to_wait(choice.process, condition, lock, event);
            }
            Instruction::Resume { lock, .. } => {
                let depth = self.threads[process as usize].depth;
                self.set_lock(lock, LockState { holder: process, depth });
                let own = self.program.cell(choice.process);
                event.footprint.push(Access::synchronising(own, Mode::Await));
                self.touch(event, Location(lock), Mode::Acquire);
            }
            Instruction::Notify { condition, all, .. } => {
                self.touch(event, Location(condition), Mode::Write);
                let count = self.waiters[condition as usize].len();
                if all {
                    for _ in 0..count {
                        self.wake(event, condition, 0);
                    }
                } else if count > 0 {
                    self.wake(event, condition, choice.alternative);
                }
            }
            Instruction::Down { semaphore } => {
                self.give(semaphore, -1);
                self.touch(event, Location(semaphore), Mode::Write);
                event.guarded = true;
            }
            Instruction::Await { guard } => {
                let guard = &self.program.code.guards[guard as usize];
                if let Some((location, value)) = guard.then {
                    self.store(Location(location), self.operand(base, value));
                }
                for (location, mode) in guard.accesses() {
                    self.touch(event, location, mode);
                }
                event.guarded = true;
            }
            Instruction::Up { semaphore } => {
                self.give(semaphore, 1);
                self.touch(event, Location(semaphore), Mode::Write);
            }
            Instruction::Choose { to, .. } => {
                let value = i32::try_from(choice.alternative).expect("an alternative is an int");
                self.assign(base, to, Value::Int(value));
            }
            Instruction::Spawn { to, body } => {
                let number = self.threads[process as usize].children;
                let child = self.program.names.child(choice.process, number);
                self.threads[process as usize].children += 1;
                self.assign(base, to, Value::Thread(child.0));
                self.begin(child, body);
                let cell = self.program.cell(child);
                event.footprint.push(Access::synchronising(cell, Mode::Write));
            }
            Instruction::Join { thread } => {
                let Value::Thread(other) = self.registers[base + usize::from(thread)] else {
                    unreachable!("the thread stands here because it joins another")
                };
                let cell = self.program.cell(Pid(other));
                event.footprint.push(Access::synchronising(cell, Mode::Await));
            }
            Instruction::Branch { otherwise, .. } => {
                let condition = self.condition(choice);
                let unknowns = self.unknowns.as_mut().expect("the condition is unknown");
                unknowns.assume(condition);
                event.condition = Some(condition);
                if choice.alternative == 0 {
                    self.threads[process as usize].pc = otherwise;
                    return;
                }
            }
            _ if self.perform_interruptible(choice.process, event) => return,
            local => unreachable!("{local:?} is no operation"),
        }
        self.threads[process as usize].pc = pc + 1;
    }

    fn compare_and_set(
        &mut self,
        base: usize,
        to: u16,
        location: Location,
        expected: Value,
        new: Value,
    ) -> Mode {
        let old = self.memory[location.index()];
        let equal = match (old, expected) {
            (Value::Int(old), Value::Int(expected)) => Ok(old == expected),
            (old, expected) => self.unknown().compare(Operator::Equal, old, expected),
        };
        match equal {
            Ok(false) => {
                self.assign(base, to, Value::Int(0));
                Mode::Read
            }
            Ok(true) => {
                self.store(location, new);
                self.assign(base, to, Value::Int(1));
                Mode::Write
            }
            Err(condition) => {
                let unknowns = self.unknown();
                let stored = unknowns.choose(condition, new, old);
                let result = unknowns.choose(condition, Value::Int(1), Value::Int(0));
                self.store(location, stored);
                self.assign(base, to, result);
                Mode::Write
            }
        }
    }

    /// Frees the lock and joins the wait set.
    pub(super) fn begin_to_wait(
        &mut self,
        process: Pid,
        condition: u32,
        lock: u32,
        event: &mut Event,
    ) {
        let thread = &mut self.threads[process.index()];
        (thread.woken, thread.stopped) = (false, false);
        thread.depth = self.locks[lock as usize].depth;
        self.set_lock(lock, LockState { holder: NOBODY, depth: 0 });
        self.waiters[condition as usize].push(process.0);
        self.trail.push(Undo::Waited { condition });
        self.touch(event, Location(condition), Mode::Write);
        self.touch(event, Location(lock), Mode::Release);
    }

    fn wake(&mut self, event: &mut Event, condition: u32, position: u32) {
        let process = self.waiters[condition as usize].remove(position as usize);
        self.trail.push(Undo::Left { condition, position, process });
        self.threads[process as usize].woken = true;
        self.trail.push(Undo::Woken(process));
        let cell = self.program.cell(Pid(process));
        event.footprint.push(Access::synchronising(cell, Mode::Write));
        self.touch_changed_wait(Pid(process), &mut event.footprint);
    }

    fn give(&mut self, semaphore: u32, permits: i32) {
        let value = Value::Int(self.permits(semaphore) + permits);
        self.store(Location(semaphore), value);
    }
}
