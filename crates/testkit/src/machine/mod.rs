//! The machine that runs built programs for explorers.
//!
//! **Problem.** Explorers take millions of steps forth and back, so a step must cost nanoseconds and
//! going back must be exact.
//!
//! **Idea.** All state is in a few flat tables: shared values, locks and wait sets by location,
//! threads by `Pid`, registers by thread. Before a step the machine pushes a [`Frame`] with the
//! stepping thread's old record; during the step every other change pushes what it overwrote on the
//! trail. To go back is to pop. A mark is the number of frames.
//!
//! **Invariant.** Between steps every live thread stands at a visible operation, and its record says
//! which, so that `next` looks only at whether the operation is possible now. A thread that fails
//! before its first operation has the failing as its first operation, an [`Op::Local`], so that no
//! failure happens without a step.
//!
//! **Cost.** A step copies one thread record and writes one event; tables grow only when a thread
//! number, trail depth or wait set is larger than ever before.

mod arithmetic;
mod report;

use std::rc::Rc;

use counterpoint_model::{
    Access, Alternatives, Choice, End, Event, Explanation, Fault, Feasible, FindingKind, Footprint,
    Input, Location, Mark, Mode, Next, Op, Pid, Reading, Run, Site, Waiting,
};
use counterpoint_symbolic::{Term, Terms};

use arithmetic::apply;

use crate::TestProgram;
use crate::ast::{Cell, Operator, Sort};
use crate::compile::{Instruction, Operand};
use crate::unknowns::{Unknowns, UnknownsMark, Value};

/// So many local instructions in a row are taken for an endless loop.
const LOCAL_LIMIT: u32 = 100_000;

/// Nobody's number.
const NOBODY: u32 = u32::MAX;

/// One execution of a built program.
#[derive(Debug)]
pub(crate) struct TestRun<'p> {
    program: &'p TestProgram,
    memory: Vec<Value>,
    synchronises: Vec<bool>,
    locks: Vec<LockState>,
    waiters: Vec<Vec<u32>>,
    threads: Vec<Thread>,
    registers: Vec<Value>,
    /// Every started thread has a number below this.
    processes: u32,
    frames: Vec<Frame>,
    /// The unknowns at each frame, if the program has any.
    marks: Vec<UnknownsMark>,
    trail: Vec<Undo>,
    unknowns: Option<Unknowns<'p>>,
    /// The instructions of the last step.
    trodden: Vec<u32>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct LockState {
    holder: u32,
    depth: u32,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Status {
    Absent,
    Live,
    Done,
    Failed,
}

/// A thread's record.
#[derive(Copy, Clone, Debug)]
struct Thread {
    status: Status,
    /// Notified since it began to wait.
    woken: bool,
    body: u16,
    pc: u32,
    /// The visible operation it stands at.
    op: Op,
    /// The operation waits for a condition that may come and go.
    guarded: bool,
    /// Has not moved yet.
    fresh: bool,
    inputs: u32,
    children: u32,
    /// How often it held the lock of the condition it waits for.
    depth: u32,
}

const ABSENT: Thread = Thread {
    status: Status::Absent,
    woken: false,
    body: 0,
    pc: 0,
    op: Op::Local,
    guarded: false,
    fresh: true,
    inputs: 0,
    children: 0,
    depth: 0,
};

/// What a step changed in its own thread, and where the trail began.
#[derive(Copy, Clone, Debug)]
struct Frame {
    process: u32,
    processes: u32,
    trail: u32,
    thread: Thread,
}

#[derive(Copy, Clone, Debug)]
enum Undo {
    Memory(u32, Value),
    Register(u32, Value),
    Lock(u32, LockState),
    Woken(u32),
    Waited { condition: u32 },
    Left { condition: u32, position: u32, process: u32 },
    Started(u32),
}

impl<'p> TestRun<'p> {
    pub(crate) fn new(program: &'p TestProgram, inputs: &[Input]) -> TestRun<'p> {
        let declarations = &program.ast().declarations;
        let initial = declarations.iter().map(|declaration| match declaration.sort {
            Sort::Variable { initial, .. } | Sort::Semaphore(initial) => Value::Int(initial),
            Sort::Lock | Sort::Condition(_) => Value::Int(0),
        });
        let synchronises = declarations
            .iter()
            .map(|declaration| !matches!(declaration.sort, Sort::Variable { volatile: false, .. }));
        let mut run = TestRun {
            program,
            memory: initial.collect(),
            synchronises: synchronises.collect(),
            locks: vec![LockState { holder: NOBODY, depth: 0 }; declarations.len()],
            waiters: vec![Vec::new(); declarations.len()],
            threads: Vec::new(),
            registers: Vec::new(),
            processes: 0,
            frames: Vec::new(),
            marks: Vec::new(),
            trail: Vec::new(),
            unknowns: Unknowns::new(&program.inputs, inputs),
            trodden: Vec::new(),
        };
        run.begin(Pid::MAIN, 0);
        run.trail.clear();
        run
    }

    /// Starts a thread and lets it run to its first operation.
    fn begin(&mut self, process: Pid, body: u16) {
        let width = self.program.code.registers;
        let slot = process.index();
        if self.threads.len() <= slot {
            self.threads.resize(slot + 1, ABSENT);
            self.registers.resize((slot + 1) * width, Value::Int(0));
        }
        let pc = self.program.code.entries[usize::from(body)];
        self.threads[slot] = Thread { status: Status::Live, body, pc, ..ABSENT };
        self.registers[slot * width..(slot + 1) * width].fill(Value::Int(0));
        self.processes = self.processes.max(process.0 + 1);
        self.trail.push(Undo::Started(process.0));
        if self.advance(process.0).is_some() {
            let thread = &mut self.threads[slot];
            thread.status = Status::Live;
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
            self.trodden.push(pc);
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
                    let number = self.threads[process as usize].inputs;
                    self.threads[process as usize].inputs += 1;
                    let bounds = bounds.map(|bounds| program.code.bounds[bounds as usize]);
                    let unknowns = self.unknowns.as_mut().expect("the program has inputs");
                    let value = unknowns.input(&program.names, Pid(process), number, bounds);
                    self.assign(base, to, value);
                    pc += 1;
                }
                Instruction::Fault { fault } => {
                    self.threads[process as usize].pc = pc;
                    let fault = program.code.faults[fault as usize].clone();
                    self.threads[process as usize].status = Status::Failed;
                    return Some(Box::new(fault));
                }
                Instruction::Acquire { lock } => {
                    let state = self.locks[lock as usize];
                    if state.holder != process {
                        return self.stand(process, pc, Op::Acquire(Location(lock)));
                    }
                    self.set_lock(lock, LockState { depth: state.depth + 1, ..state });
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
                Instruction::Wait { lock, .. } | Instruction::Notify { lock, .. }
                    if self.locks[lock as usize].holder != process =>
                {
                    self.threads[process as usize].pc = pc;
                    let message = "uses a condition without holding its lock";
                    return self.fail(process, message, Some(pc));
                }
                Instruction::Join { thread } => {
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
                Instruction::Wait { condition, lock } => {
                    let (condition, lock) = (Location(condition), Location(lock));
                    return self.stand(process, pc, Op::Wait { condition, lock });
                }
                Instruction::Resume { condition, lock } => {
                    let (condition, lock) = (Location(condition), Location(lock));
                    return self.stand(process, pc, Op::Resume { condition, lock });
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
                    thread.status = Status::Done;
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

    /// A fault of kind exception, at an instruction or else at the heading of the thread's body.
    #[cold]
    fn fail(&mut self, process: u32, message: &str, pc: Option<u32>) -> Option<Box<Fault>> {
        let thread = &mut self.threads[process as usize];
        thread.status = Status::Failed;
        let site = match pc {
            Some(pc) => self.program.code.site(pc),
            None => Site(self.program.ast().bodies[usize::from(thread.body)].line),
        };
        Some(Box::new(Fault { kind: FindingKind::Exception, message: message.to_owned(), site }))
    }

    /// The step that the event begins to describe. A function of its own so that the event is filled
    /// in where it is wanted and not copied.
    #[inline(never)]
    fn step_into(&mut self, choice: Choice, event: &mut Event) {
        let process = choice.process;
        let thread = self.threads[process.index()];
        self.frames.push(Frame {
            process: process.0,
            processes: self.processes,
            trail: u32::try_from(self.trail.len()).expect("a trail of fewer than 2^32 changes"),
            thread,
        });
        if let Some(unknowns) = &self.unknowns {
            self.marks.push(unknowns.mark());
        }
        self.trodden.clear();
        self.trodden.push(thread.pc);
        if thread.fresh {
            if process != Pid::MAIN {
                let cell = self.program.cell(process);
                event.footprint.push(Access::synchronising(cell, Mode::Await));
            }
            self.threads[process.index()].fresh = false;
        }
        self.perform(choice, event);
        event.fault = self.advance(process.0);
        if self.program.code.joins && self.threads[process.index()].status != Status::Live {
            let cell = self.program.cell(process);
            event.footprint.push(Access::synchronising(cell, Mode::Write));
        }
    }

    /// Performs the visible operation that the thread stands at and says what it touched.
    fn perform(&mut self, choice: Choice, event: &mut Event) {
        let process = choice.process.0;
        let base = process as usize * self.program.code.registers;
        let pc = self.threads[process as usize].pc;
        if event.op == Op::Local {
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
            Instruction::Release { lock } => {
                self.set_lock(lock, LockState { holder: NOBODY, depth: 0 });
                self.touch(event, Location(lock), Mode::Release);
            }
            Instruction::Wait { condition, lock } => {
                let thread = &mut self.threads[process as usize];
                thread.woken = false;
                thread.depth = self.locks[lock as usize].depth;
                self.set_lock(lock, LockState { holder: NOBODY, depth: 0 });
                self.waiters[condition as usize].push(process);
                self.trail.push(Undo::Waited { condition });
                self.touch(event, Location(condition), Mode::Write);
                self.touch(event, Location(lock), Mode::Release);
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

    fn wake(&mut self, event: &mut Event, condition: u32, position: u32) {
        let process = self.waiters[condition as usize].remove(position as usize);
        self.trail.push(Undo::Left { condition, position, process });
        self.threads[process as usize].woken = true;
        self.trail.push(Undo::Woken(process));
        let cell = self.program.cell(Pid(process));
        event.footprint.push(Access::synchronising(cell, Mode::Write));
    }

    fn touch(&self, event: &mut Event, location: Location, mode: Mode) {
        let synchronises = self.synchronises[location.index()];
        event.footprint.push(Access { location, mode, synchronises });
    }

    fn give(&mut self, semaphore: u32, permits: i32) {
        let value = Value::Int(self.permits(semaphore) + permits);
        self.store(Location(semaphore), value);
    }

    fn permits(&self, semaphore: u32) -> i32 {
        match self.memory[semaphore as usize] {
            Value::Int(permits) => permits,
            other => unreachable!("a semaphore holds {other:?}"),
        }
    }

    /// The condition under which the thread takes this side of the branch it stands at.
    fn condition(&self, choice: Choice) -> Term {
        let process = choice.process.index();
        let base = process * self.program.code.registers;
        let pc = self.threads[process].pc as usize;
        let Instruction::Branch { operator, left, right, .. } = self.program.code.instructions[pc]
        else {
            unreachable!("only branches have conditions")
        };
        let unknowns = self.unknown();
        let (left, right) = (self.operand(base, left), self.operand(base, right));
        let condition = unknowns
            .compare(operator, left, right)
            .expect_err("the thread stands here because the condition is unknown");
        if choice.alternative == 0 { unknowns.negation(condition) } else { condition }
    }

    fn location(&self, base: usize, cell: Cell) -> Location {
        match cell {
            Cell::Fixed(location) => Location(location),
            Cell::Element(array, register) => match self.registers[base + register.index()] {
                Value::Int(index) => Location(array + index.cast_unsigned()),
                other => unreachable!("an index is {other:?}"),
            },
        }
    }

    fn operand(&self, base: usize, operand: Operand) -> Value {
        match operand {
            Operand::Register(register) => self.registers[base + usize::from(register)],
            Operand::Constant(number) => Value::Int(number),
        }
    }

    fn assign(&mut self, base: usize, to: u16, value: Value) {
        let index = base + usize::from(to);
        let old = std::mem::replace(&mut self.registers[index], value);
        let index = u32::try_from(index).expect("fewer than 2^32 registers");
        self.trail.push(Undo::Register(index, old));
    }

    fn store(&mut self, location: Location, value: Value) {
        let old = std::mem::replace(&mut self.memory[location.index()], value);
        self.trail.push(Undo::Memory(location.0, old));
    }

    fn set_lock(&mut self, lock: u32, state: LockState) {
        let old = std::mem::replace(&mut self.locks[lock as usize], state);
        self.trail.push(Undo::Lock(lock, old));
    }

    fn unknown(&self) -> &Unknowns<'p> {
        self.unknowns.as_ref().expect("only inputs make values unknown")
    }

    fn retract(&mut self, undo: Undo) {
        match undo {
            Undo::Memory(location, value) => self.memory[location as usize] = value,
            Undo::Register(index, value) => self.registers[index as usize] = value,
            Undo::Lock(lock, state) => self.locks[lock as usize] = state,
            Undo::Woken(process) => self.threads[process as usize].woken = false,
            Undo::Waited { condition } => {
                self.waiters[condition as usize].pop();
            }
            Undo::Left { condition, position, process } => {
                self.waiters[condition as usize].insert(position as usize, process);
            }
            Undo::Started(process) => self.threads[process as usize].status = Status::Absent,
        }
    }

    fn thread(&self, process: Pid) -> &Thread {
        self.threads.get(process.index()).unwrap_or(&ABSENT)
    }

    /// Whether the operation that the thread stands at is possible now.
    fn possible(&self, process: Pid, thread: &Thread) -> bool {
        match thread.op {
            Op::Acquire(lock) => self.locks[lock.index()].holder == NOBODY,
            Op::Resume { lock, .. } => thread.woken && self.locks[lock.index()].holder == NOBODY,
            Op::Join(other) => {
                matches!(self.thread(other).status, Status::Done | Status::Failed)
            }
            _ => !thread.guarded || self.guard_holds(process),
        }
    }

    /// Whether the condition holds that a thread at a guarded operation waits for.
    fn guard_holds(&self, process: Pid) -> bool {
        let pc = self.threads[process.index()].pc as usize;
        match self.program.code.instructions[pc] {
            Instruction::Down { semaphore } => self.permits(semaphore) > 0,
            Instruction::Await { guard } => {
                let base = process.index() * self.program.code.registers;
                self.program.code.guards[guard as usize].requirements.iter().all(
                    |&(location, operator, other)| match (
                        self.memory[location as usize],
                        self.operand(base, other),
                    ) {
                        (Value::Int(value), Value::Int(other)) => {
                            apply(operator, value, other) != 0
                        }
                        (value, other) => unreachable!("awaits {value:?} {operator:?} {other:?}"),
                    },
                )
            }
            other => unreachable!("{other:?} is not guarded"),
        }
    }
}

impl Run for TestRun<'_> {
    fn processes(&self) -> u32 {
        self.processes
    }

    fn next(&self, process: Pid) -> Next {
        let thread = self.thread(process);
        match thread.status {
            Status::Live if self.possible(process, thread) => Next::Ready(thread.op),
            Status::Live => Next::Blocked(thread.op),
            _ => Next::Done,
        }
    }

    fn alternatives(&self, process: Pid) -> Alternatives {
        match self.thread(process).op {
            Op::Branch => {
                let condition = self.condition(Choice { process, alternative: 1 });
                let preferred = u32::from(self.unknown().holds(condition));
                Alternatives { count: 2, preferred }
            }
            Op::Choose(count) => Alternatives { count, preferred: 0 },
            Op::Notify { condition, all: false } => {
                let count = self.waiters[condition.index()].len().max(1);
                let count = u32::try_from(count).expect("fewer than 2^32 threads wait");
                Alternatives { count, preferred: 0 }
            }
            _ => Alternatives::ONE,
        }
    }

    fn feasible(&mut self, choice: Choice) -> Feasible {
        match self.thread(choice.process).op {
            Op::Branch => {
                let condition = self.condition(choice);
                let unknowns = self.unknowns.as_mut().expect("the condition is unknown");
                unknowns.feasible(condition)
            }
            _ => Feasible::Yes,
        }
    }

    fn step(&mut self, choice: Choice) -> Event {
        debug_assert!(self.next(choice.process).is_ready(), "{choice:?} is not ready");
        let thread = &self.threads[choice.process.index()];
        let mut event = Event::new(choice, thread.op, self.program.code.site(thread.pc));
        self.step_into(choice, &mut event);
        event
    }

    fn anticipate(&self, process: Pid) -> Footprint {
        let thread = self.thread(process);
        let mut event = Event::new(Choice::of(process), thread.op, Site(0));
        if thread.fresh && process != Pid::MAIN {
            let cell = self.program.cell(process);
            event.footprint.push(Access::synchronising(cell, Mode::Await));
        }
        match thread.op {
            Op::Read(_) | Op::Update(_) if thread.guarded => {
                let Instruction::Await { guard } =
                    self.program.code.instructions[thread.pc as usize]
                else {
                    unreachable!("a guarded read or update is an await")
                };
                for (location, mode) in self.program.code.guards[guard as usize].accesses() {
                    self.touch(&mut event, location, mode);
                }
            }
            Op::Read(location) => self.touch(&mut event, location, Mode::Read),
            Op::Write(location) | Op::Synchronise(location) => {
                self.touch(&mut event, location, Mode::Write);
            }
            Op::Update(location) => {
                event.footprint.push(Access::synchronising(location, Mode::Write));
            }
            Op::Acquire(lock) => self.touch(&mut event, lock, Mode::Acquire),
            Op::Release(lock) => self.touch(&mut event, lock, Mode::Release),
            Op::Wait { condition, lock } => {
                self.touch(&mut event, condition, Mode::Write);
                self.touch(&mut event, lock, Mode::Release);
            }
            Op::Resume { lock, .. } => {
                let cell = self.program.cell(process);
                event.footprint.push(Access::synchronising(cell, Mode::Await));
                if thread.woken {
                    self.touch(&mut event, lock, Mode::Acquire);
                }
            }
            Op::Notify { condition, .. } => {
                self.touch(&mut event, condition, Mode::Write);
                for &waiter in &self.waiters[condition.index()] {
                    let cell = self.program.cell(Pid(waiter));
                    event.footprint.push(Access::synchronising(cell, Mode::Write));
                }
            }
            Op::Start(child) => {
                let cell = self.program.cell(child);
                event.footprint.push(Access::synchronising(cell, Mode::Write));
            }
            Op::Join(other) => {
                let cell = self.program.cell(other);
                event.footprint.push(Access::synchronising(cell, Mode::Await));
            }
            Op::Branch | Op::Choose(_) | Op::Task(_) | Op::Local => {}
        }
        event.footprint
    }

    fn guarded(&self, process: Pid) -> bool {
        self.thread(process).guarded
    }

    fn end(&self) -> End {
        let waits = self.threads.iter().any(|thread| thread.status == Status::Live);
        if waits { End::Deadlock } else { End::Complete }
    }

    fn waiting(&self, process: Pid) -> Option<Waiting> {
        self.who_waits(process)
    }

    fn rewinds(&self) -> bool {
        self.program.rewinds
    }

    fn mark(&mut self) -> Mark {
        assert!(self.program.rewinds, "this run was asked not to rewind");
        Mark(self.frames.len() as u64)
    }

    fn undo(&mut self, mark: Mark) {
        assert!(self.program.rewinds, "this run was asked not to rewind");
        while self.frames.len() as u64 > mark.0 {
            let frame = self.frames.pop().expect("the mark is below the number of frames");
            while self.trail.len() > frame.trail as usize {
                let undo = self.trail.pop().expect("the trail is longer than at the frame");
                self.retract(undo);
            }
            self.threads[frame.process as usize] = frame.thread;
            self.processes = frame.processes;
        }
        if let (Some(unknowns), Some(&earlier)) =
            (&mut self.unknowns, self.marks.get(self.frames.len()))
        {
            unknowns.undo(earlier);
            self.marks.truncate(self.frames.len());
        }
    }

    fn explain(&self) -> Explanation {
        self.last_step()
    }

    fn inputs(&self) -> Vec<Input> {
        self.unknowns.as_ref().map(Unknowns::inputs).unwrap_or_default()
    }

    fn outcome(&self) -> Option<String> {
        Some(self.final_text())
    }

    fn local_state(&self, process: Pid) -> Option<u64> {
        self.digest(process)
    }

    fn value(&self, location: Location) -> Option<String> {
        self.contents(location)
    }

    fn reading(&self, location: Location) -> Option<Reading> {
        self.read(location)
    }

    fn terms(&self) -> Option<Rc<Terms>> {
        self.unknowns.as_ref().map(Unknowns::terms)
    }

    fn suppose(&mut self, condition: Term) -> Feasible {
        self.unknowns.as_mut().expect("only inputs make values unknown").suppose(condition)
    }

    fn site(&self, process: Pid) -> Option<Site> {
        let thread = self.thread(process);
        (thread.status == Status::Live).then(|| self.program.code.site(thread.pc))
    }
}
