//! The machine that runs built programs for explorers.
//!
//! **Problem.** Explorers take millions of steps forth and back, so a step must cost nanoseconds and
//! going back must be exact.
//!
//! **Idea.** All state is in a few flat tables: shared values, locks and wait sets by location,
//! threads by `Pid`, registers by thread. Before a step the machine pushes a [`StepRecord`] with the
//! stepping thread's old record; during the step every other change pushes what it overwrote on the
//! trail. To go back is to pop. A mark is the number of step_records.
//!
//! **Invariant.** Between steps every live thread stands at a visible operation, and its record says
//! which, so that `next` looks only at whether the operation is possible now. A thread that fails
//! before its first operation has the failing as its first operation, an [`Op::Local`], so that no
//! failure happens without a step.
//!
//! **Cost.** A step copies one thread record and writes one event; tables grow only when a thread
//! number, trail depth or wait set is larger than ever before.

mod arithmetic;
mod interrupts;
mod report;
mod step;

use std::rc::Rc;

use counterpoint_model::{
    Access, Alternatives, Choice, Digests, End, Event, Explanation, Feasible, Footprint, Input,
    Location, Mark, Mode, Narrate, Next, Observe, Op, Pid, Reading, Rewind, Run, Site, Waiting,
};
use counterpoint_symbolic::{Term, Terms};

use arithmetic::apply;

use crate::TestProgram;
use crate::ast::{Cell, LocationKind};
use crate::compile::{Instruction, Operand};
use crate::unknowns::{Unknowns, UnknownsMark, Value};

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
    /// By thread whether it is interrupted; a thread beyond is not.
    interrupts: Vec<bool>,
    threads: Vec<Thread>,
    registers: Vec<Value>,
    /// Every started thread has a number below this.
    processes: u32,
    step_records: Vec<StepRecord>,
    /// The unknowns at each frame, if the program has any.
    marks: Vec<UnknownsMark>,
    trail: Vec<Undo>,
    unknowns: Option<Unknowns<'p>>,
    /// The instructions of the last step.
    visited: Vec<u32>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct LockState {
    holder: u32,
    depth: u32,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum ThreadStatus {
    Absent,
    Live,
    Done,
    Failed,
    /// Stands before something that is not supported, for good.
    Cut,
}

/// A thread's record.
#[derive(Copy, Clone, Debug)]
struct Thread {
    status: ThreadStatus,
    /// Woken since it began to wait, by a notification or an interrupt.
    woken: bool,
    /// Woken by an interrupt.
    stopped: bool,
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
    status: ThreadStatus::Absent,
    woken: false,
    stopped: false,
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
struct StepRecord {
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
    Interrupt(u32, bool),
    Waited { condition: u32 },
    Left { condition: u32, position: u32, process: u32 },
    Started(u32),
}

impl<'p> TestRun<'p> {
    pub(crate) fn new(program: &'p TestProgram, inputs: &[Input]) -> TestRun<'p> {
        let declarations = &program.ast().declarations;
        let initial = declarations.iter().map(|declaration| match declaration.kind {
            LocationKind::Variable { initial, .. } | LocationKind::Semaphore(initial) => {
                Value::Int(initial)
            }
            LocationKind::Lock | LocationKind::Condition(_) => Value::Int(0),
        });
        let synchronises = declarations.iter().map(|declaration| {
            !matches!(declaration.kind, LocationKind::Variable { volatile: false, .. })
        });
        let mut run = TestRun {
            program,
            memory: initial.collect(),
            synchronises: synchronises.collect(),
            locks: vec![LockState { holder: NOBODY, depth: 0 }; declarations.len()],
            waiters: vec![Vec::new(); declarations.len()],
            interrupts: Vec::new(),
            threads: Vec::new(),
            registers: Vec::new(),
            processes: 0,
            step_records: Vec::new(),
            marks: Vec::new(),
            trail: Vec::new(),
            unknowns: Unknowns::new(&program.inputs, inputs),
            visited: Vec::new(),
        };
        run.begin(Pid::MAIN, 0);
        run.trail.clear();
        run
    }

    fn touch(&self, event: &mut Event, location: Location, mode: Mode) {
        let synchronises = self.synchronises[location.index()];
        event.footprint.push(Access::new(location, mode, synchronises));
    }

    /// Whether a thread is about to take a lock if it is free.
    fn tries_lock(&self, thread: &Thread) -> bool {
        let instruction = self.program.code.instructions[thread.pc as usize];
        matches!(instruction, Instruction::TryAcquire { .. })
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
            Undo::Woken(process) => {
                let thread = &mut self.threads[process as usize];
                (thread.woken, thread.stopped) = (false, false);
            }
            Undo::Interrupt(process, old) => self.interrupts[process as usize] = old,
            Undo::Waited { condition } => {
                self.waiters[condition as usize].pop();
            }
            Undo::Left { condition, position, process } => {
                self.waiters[condition as usize].insert(position as usize, process);
            }
            Undo::Started(process) => self.threads[process as usize].status = ThreadStatus::Absent,
        }
    }

    #[inline]
    fn thread(&self, process: Pid) -> &Thread {
        self.threads.get(process.index()).unwrap_or(&ABSENT)
    }

    /// Whether the thread, which is that of the process, can move.
    #[inline]
    fn can_move(&self, process: Pid, thread: &Thread) -> bool {
        thread.status == ThreadStatus::Live && self.possible(process, thread)
    }

    /// Whether the operation that the thread stands at is possible now.
    #[inline]
    fn possible(&self, process: Pid, thread: &Thread) -> bool {
        match thread.op {
            Op::Acquire(lock) => self.locks[lock.index()].holder == NOBODY,
            // Who may go on without having been woken is guarded.
            Op::Resume { lock, .. } => {
                (thread.woken || thread.guarded) && self.locks[lock.index()].holder == NOBODY
            }
            Op::Join(other) => self.has_ended(other) || self.joins_early(process),
            _ => !thread.guarded || self.guard_holds(process),
        }
    }

    /// Whether the condition holds that a thread at a guarded operation waits for.
    #[inline(never)]
    fn guard_holds(&self, process: Pid) -> bool {
        let pc = self.threads[process.index()].pc as usize;
        match self.program.code.instructions[pc] {
            Instruction::Down { semaphore } => self.permits(semaphore) > 0,
            Instruction::TryAcquire { .. } => true,
            Instruction::Pass { lock } => self.may_pass(lock),
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
            ThreadStatus::Live if self.possible(process, thread) => Next::Ready(thread.op),
            ThreadStatus::Live => Next::Blocked(thread.op),
            _ => Next::Done,
        }
    }

    fn is_ready(&self, process: Pid) -> bool {
        self.can_move(process, self.thread(process))
    }

    fn first_ready(&self, favourite: Option<Pid>) -> Option<Pid> {
        favourite.filter(|&process| self.can_move(process, self.thread(process))).or_else(|| {
            let mut threads = (0..).map(Pid).zip(&self.threads);
            threads.find(|(process, thread)| self.can_move(*process, thread)).map(|(pid, _)| pid)
        })
    }

    fn is_finished(&self) -> bool {
        self.threads.iter().all(|thread| thread.status != ThreadStatus::Live)
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
        let mut event = Event::new(choice, Op::Local, Site(0));
        self.step_into(choice, &mut event);
        event
    }

    fn step_into(&mut self, choice: Choice, event: &mut Event) {
        debug_assert!(self.next(choice.process).is_ready(), "{choice:?} is not ready");
        let thread = &self.threads[choice.process.index()];
        event.renew(choice, thread.op, self.program.code.site(thread.pc));
        self.take_step(choice, event);
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
            Op::Synchronise(lock) if self.tries_lock(thread) => {
                self.touch(&mut event, lock, Mode::Acquire);
            }
            Op::Synchronise(_) if self.touch_synchronising(process, true, &mut event.footprint) => {
            }
            Op::Write(location) | Op::Synchronise(location) => {
                self.touch(&mut event, location, Mode::Write);
            }
            Op::Update(location) => {
                event.footprint.push(Access::synchronising(location, Mode::Write));
            }
            Op::Acquire(lock) => self.touch(&mut event, lock, Mode::Acquire),
            Op::Release(lock) => self.touch(&mut event, lock, Mode::Release),
            Op::Wait { condition, lock } => {
                self.touch_changed_wait(process, &mut event.footprint);
                self.touch(&mut event, condition, Mode::Write);
                self.touch(&mut event, lock, Mode::Release);
            }
            Op::Resume { lock, .. } if thread.guarded => {
                self.touch_late_resume(process, &mut event.footprint);
                self.touch(&mut event, lock, Mode::Acquire);
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
                    self.touch_changed_wait(Pid(waiter), &mut event.footprint);
                }
            }
            Op::Start(child) => {
                let cell = self.program.cell(child);
                event.footprint.push(Access::synchronising(cell, Mode::Write));
            }
            Op::Join(other) => self.touch_join(process, other, &mut event.footprint),
            Op::Branch | Op::Choose(_) | Op::Task(_) | Op::Local => {}
        }
        event.footprint
    }

    fn guarded(&self, process: Pid) -> bool {
        self.thread(process).guarded || self.joins_early(process)
    }

    fn touches_what_others_decide(&self, process: Pid) -> bool {
        let pc = self.thread(process).pc as usize;
        matches!(
            self.program.code.instructions[pc],
            Instruction::Interrupt { .. } | Instruction::Notify { .. }
        )
    }

    fn may_leave(&self, process: Pid) -> bool {
        let pc = self.thread(process).pc as usize;
        matches!(self.program.code.instructions[pc], Instruction::ResumeOr { .. })
            || self.guarded(process)
    }

    fn end(&self) -> End {
        let some = |status| self.threads.iter().any(|thread| thread.status == status);
        match () {
            () if some(ThreadStatus::Cut) => End::Cut,
            () if some(ThreadStatus::Live) => End::Deadlock,
            () => End::Complete,
        }
    }

    fn inputs(&self) -> Vec<Input> {
        self.unknowns.as_ref().map(Unknowns::inputs).unwrap_or_default()
    }
}

impl Rewind for TestRun<'_> {
    fn rewinds(&self) -> bool {
        self.program.rewinds
    }

    fn marks_sparingly(&self) -> bool {
        self.program.marks_sparingly
    }

    fn mark(&mut self) -> Mark {
        Mark(self.step_records.len() as u64)
    }

    fn undo(&mut self, mark: Mark) {
        assert!(self.program.rewinds, "this run was asked not to rewind");
        while self.step_records.len() as u64 > mark.0 {
            let frame =
                self.step_records.pop().expect("the mark is below the number of step_records");
            while self.trail.len() > frame.trail as usize {
                let undo = self.trail.pop().expect("the trail is longer than at the frame");
                self.retract(undo);
            }
            self.threads[frame.process as usize] = frame.thread;
            self.processes = frame.processes;
        }
        if let (Some(unknowns), Some(&earlier)) =
            (&mut self.unknowns, self.marks.get(self.step_records.len()))
        {
            unknowns.undo(earlier);
            self.marks.truncate(self.step_records.len());
        }
    }
}

impl Narrate for TestRun<'_> {
    fn waiting(&self, process: Pid) -> Option<Waiting> {
        self.who_waits(process)
    }

    fn explain(&self) -> Explanation {
        self.last_step()
    }

    fn outcome(&self) -> Option<String> {
        Some(self.final_text())
    }

    fn value(&self, location: Location) -> Option<String> {
        self.contents(location)
    }
}

impl Digests for TestRun<'_> {
    fn local_state(&self, process: Pid) -> Option<u64> {
        self.digest(process)
    }
}

impl Observe for TestRun<'_> {
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
        (thread.status == ThreadStatus::Live).then(|| self.program.code.site(thread.pc))
    }
}
