//! What a stopped thread stands before, in the kernel's terms.

use counterpoint_model::{Location, Op, Site};

use super::JavaRun;
use super::prepared::Aspect;
use super::spinning::NONE;
use crate::interpret::{Address, Next, Operation, Patience, Sort, Synchronise, Whole};
use crate::memory::{Reference, Status};
use crate::world::MethodId;

/// What sort of life a thread has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Life {
    /// None: not started, or ended.
    Absent,
    /// It stands before its operation, and the operation says all.
    Stands,
    /// Its operation is to wait for a permit.
    Parks,
    /// Its operation is to initialise a class or to notice that it is initialised.
    Initialises,
    /// Its operation is to take a lock if nobody else has it.
    TriesLock,
    /// Its operation is to interrupt another thread.
    Interrupts,
    /// Its operation is to ask whether a thread was interrupted.
    AsksInterrupt,
    /// Its operation is to ask whether a thread has ended.
    AsksAlive,
    /// Its operation is to ask what a thread is doing.
    AsksState,
    /// Its operation is to ask which threads there are.
    AsksThreads,
    /// Its operation is to end.
    Ends,
    /// Its operation is to look whether a thread has been started.
    LooksForStart,
    /// Its operation is to wait for a thread to end, for some time only.
    JoinsForSomeTime,
    /// Its operation is to let time pass.
    Sleeps,
    /// Its operation is to ask who waits on a condition.
    LooksAtWaiters,
    /// Its operation is one on a synchroniser, for so many permits.
    Synchronises(Synchronise, i32),
    /// Its operation is to call a method that is performed as a whole.
    CallsWhole(Whole),
    /// Its operation is one on a `CompletableFuture` that never waits.
    Completes,
    /// Its operation is to go on after a wait, taking the write lock of a lock with readers.
    ResumesAmongReaders,
    /// It has done everything already and only has to tell.
    Told,
}

/// What a stopped thread stands before. All of it depends on the thread's own past only.
#[derive(Copy, Clone, Debug)]
pub(super) struct Standing {
    pub life: Life,
    pub op: Op,
    pub site: Site,
    /// The method of the library that the thread is in, as called from the site.
    pub within: Option<MethodId>,
    /// The object whose monitor, wait set or method it is about, or the mirror of the class.
    pub object: Reference,
    /// The other thread that it is about.
    pub target: u32,
    /// The cell of the other thread, or the wait set of a thread that resumes.
    pub touched: Location,
    /// Whether an access to a variable synchronises.
    pub synchronises: bool,
    /// Whether its waiting may end although nobody has woken it: because time has passed, say.
    pub timed: bool,
    /// Whether its notification wakes in the order of waiting.
    pub in_order: bool,
    /// Whether it has not moved yet.
    pub fresh: bool,
    /// Whether it has failed in a step of another thread, and has yet to tell.
    pub failed: bool,
    /// Whether others can tell that it comes to its operation, which is then a step of its own.
    pub arrives: bool,
    /// How many waits there were before its present one.
    pub arrived: u32,
    /// The last of the looks since the thread has done anything else.
    pub looked: u32,
    /// Objects of the thread from this word on were made since then.
    pub young: u32,
    /// Whether all objects that the thread has to itself count as young.
    pub whole: bool,
    /// The first look of the round it is in, if it spins.
    pub round: u32,
    /// A digest of what the thread knows.
    pub digest: u128,
    /// Whether the thread that it starts has been started; none if nobody else can know the thread.
    pub beginning: Option<Location>,
    /// What methods change that are performed as a whole and go on after the operation.
    pub around: [Option<Location>; 2],
}

/// A thread that is not there.
pub(super) const ABSENT: Standing = Standing {
    life: Life::Absent,
    op: Op::Local,
    site: Site(0),
    within: None,
    object: Reference::NULL,
    target: u32::MAX,
    touched: Location(0),
    synchronises: true,
    timed: false,
    in_order: false,
    fresh: false,
    failed: false,
    arrives: false,
    arrived: 0,
    looked: NONE,
    young: 0,
    whole: false,
    round: NONE,
    digest: 0,
    beginning: None,
    around: [None; 2],
};

impl Standing {
    /// Whether others may have to do something first, unless it is about a task of a pool, a future or
    /// a lock.
    pub fn may_wait(&self) -> bool {
        match self.life {
            Life::Synchronises(operation, _) => {
                matches!(operation, Synchronise::Acquire(_) | Synchronise::Pass(_))
            }
            Life::CallsWhole(whole) => {
                whole.blocks() && !matches!(whole.sort, Sort::Task | Sort::Completable)
            }
            Life::Parks => true,
            _ => matches!(self.op, Op::Wait { .. } | Op::Join(_)) || self.round != NONE,
        }
    }

    /// Whether a thread before this operation may be seen waiting.
    fn may_be_seen_waiting(&self) -> bool {
        match self.life {
            Life::Stands => matches!(self.op, Op::Acquire(_) | Op::Join(_)),
            Life::Parks | Life::Sleeps | Life::JoinsForSomeTime => true,
            Life::Synchronises(operation, _) => operation.patience() != Patience::None,
            Life::CallsWhole(whole) => whole.patience != Patience::None,
            _ => false,
        }
    }

    /// Whether the operation is more than one access: what it does must not be seen in part.
    pub fn is_whole(&self) -> bool {
        matches!(self.life, Life::Synchronises(..) | Life::CallsWhole(_) | Life::Completes)
            || self.around[0].is_some()
    }

    /// The operation as explorers are told: going on after spinning has a condition.
    pub fn shown(&self) -> Op {
        match self.op {
            _ if self.arrives => Op::Local,
            op if self.round == NONE => op,
            Op::Read(location)
            | Op::Update(location)
            | Op::Acquire(location)
            | Op::Resume { lock: location, .. } => Op::Synchronise(location),
            op => op,
        }
    }
}

impl JavaRun<'_> {
    /// Works out what a thread that has just stopped stands before.
    pub(super) fn stand(&mut self, thread: usize, has_begun_to_wait: bool) {
        let next = self.prepared().machine.next_anyway(thread);
        self.save_standing(thread);
        match next {
            Ok(Next::Ready(operation) | Next::Blocked(operation)) => {
                self.stand_before(thread, operation, has_begun_to_wait);
            }
            // A machine that contradicts itself says so in the step that comes next.
            Ok(Next::Done) => self.standings[thread] = ABSENT,
            Err(_) => self.standings[thread] = Standing { life: Life::Stands, ..ABSENT },
        }
        self.standings[thread].digest = self.digest_of(thread, u32::MAX);
        if self.program.asks_for_states() && self.standings[thread].may_be_seen_waiting() {
            self.approach(thread, true);
        }
    }

    /// A thread is about to come to its operation, or comes to it.
    pub(super) fn approach(&mut self, thread: usize, approaching: bool) {
        self.standings[thread].arrives = approaching;
        if let Ok(core) = self.prepared_mut().machine.core_mut(thread) {
            core.approaching = approaching;
        }
    }

    /// Fills the thread's standing in where it stays: copying it costs as much as the rest.
    fn stand_before(&mut self, thread: usize, operation: Operation, has_begun_to_wait: bool) {
        let program = self.program;
        let prepared = self.prepared.as_mut().expect("the run has its machine until it is dropped");
        let machine = &prepared.machine;
        let (children, timed) = match machine.core(thread) {
            Ok(core) => (
                core.children,
                matches!(core.status, Status::Waiting { timed, .. }
                    if timed || machine.options.spurious),
            ),
            Err(_) => (0, false),
        };
        let (site, within) = prepared.site(program, thread);
        let standing = &mut self.standings[thread];
        *standing = ABSENT;
        standing.life = Life::Stands;
        standing.site = site;
        standing.within = within;
        standing.timed = timed;
        if has_begun_to_wait {
            self.waits += 1;
            standing.arrived = self.waits;
        }
        let mut variable = |place: Address| prepared.location(program, place, Aspect::Variable);
        match operation {
            Operation::Read { place, volatile } => {
                standing.op = Op::Read(variable(place));
                standing.synchronises = volatile || prepared.is_made_for_threads(place);
            }
            Operation::Write { place, volatile } => {
                standing.op = Op::Write(variable(place));
                standing.synchronises = volatile || prepared.is_made_for_threads(place);
            }
            Operation::Update { place, .. } => standing.op = Op::Update(variable(place)),
            Operation::Acquire { object } => {
                standing.object = object.object;
                standing.op = Op::Acquire(prepared.location(program, object, Aspect::Monitor));
            }
            Operation::TryAcquire { object, .. } => {
                standing.life = Life::TriesLock;
                standing.object = object.object;
                standing.op = Op::Synchronise(prepared.location(program, object, Aspect::Monitor));
            }
            Operation::Release { object } => {
                standing.object = object.object;
                standing.op = Op::Release(prepared.location(program, object, Aspect::Monitor));
            }
            Operation::Wait { object, lock } | Operation::Resume { object, lock, .. } => {
                standing.object = lock.object;
                let readers = prepared.machine.has_read_lock(lock.object);
                let condition = prepared.location(program, object, Aspect::WaitSet);
                let lock = prepared.location(program, lock, Aspect::Monitor);
                standing.touched = condition;
                standing.op = match operation {
                    Operation::Wait { .. } => Op::Wait { condition, lock },
                    _ if readers => {
                        standing.life = Life::ResumesAmongReaders;
                        Op::Synchronise(lock)
                    }
                    _ => Op::Resume { condition, lock },
                };
            }
            Operation::Notify { object, all, in_order, .. } => {
                standing.object = object.object;
                standing.in_order = in_order;
                let condition = prepared.location(program, object, Aspect::WaitSet);
                standing.op = Op::Notify { condition, all };
            }
            Operation::LookAtWaiters { object } => {
                standing.life = Life::LooksAtWaiters;
                standing.object = object.object;
                standing.op = Op::Read(prepared.location(program, object, Aspect::WaitSet));
            }
            Operation::Synchronise { object, operation, amount } => {
                standing.object = object.object;
                standing.life = Life::Synchronises(operation, amount);
                standing.op = Op::Synchronise(prepared.location(program, object, Aspect::Monitor));
            }
            Operation::Whole { subject, receiver, whole, .. } => {
                standing.object = receiver;
                standing.life = Life::CallsWhole(whole);
                let aspect = match whole.sort {
                    Sort::Completable | Sort::Task | Sort::Workers => Aspect::Variable,
                    _ => Aspect::Inside,
                };
                standing.op = Op::Synchronise(prepared.location(program, subject, aspect));
                if whole.sort == Sort::Completable
                    && let Ok(stack) = prepared.machine.stack_address(receiver)
                {
                    standing.touched = prepared.location(program, stack, Aspect::Variable);
                }
            }
            Operation::Complete { subject } => {
                standing.life = Life::Completes;
                standing.op = Op::Synchronise(variable(subject));
                for (address, _) in prepared.machine.completion_touches(thread).unwrap_or_default()
                {
                    prepared.location(program, address, Aspect::Variable);
                }
            }
            Operation::Start { object, .. } => {
                let parent = prepared.pid(program, thread);
                let child = counterpoint_model::Program::names(program).child(parent, children);
                standing.touched = prepared.thread_location(program, child, Aspect::Life);
                standing.op = Op::Start(child);
                standing.beginning =
                    object.map(|object| prepared.location(program, object, Aspect::Beginning));
            }
            Operation::LookForStart { object, interrupts } => {
                standing.life = Life::LooksForStart;
                standing.object = object.object;
                let beginning = prepared.location(program, object, Aspect::Beginning);
                standing.op = if interrupts { Op::Update(beginning) } else { Op::Read(beginning) };
            }
            Operation::Join { thread: other, timed } => {
                let process = prepared.pid(program, other);
                standing.target = other as u32;
                standing.touched = prepared.cells(other).life;
                standing.op = Op::Join(process);
                if timed {
                    standing.life = Life::JoinsForSomeTime;
                    standing.op = Op::Synchronise(standing.touched);
                }
            }
            Operation::Sleep => {
                standing.life = Life::Sleeps;
                standing.op = Op::Read(prepared.cells(thread).interrupt);
            }
            Operation::AskState { thread: other } if program.asks_for_states() => {
                prepared.pid(program, other);
                standing.life = Life::AsksState;
                standing.target = other as u32;
                standing.op = Op::Synchronise(prepared.cells(other).progress);
            }
            Operation::AskAlive { thread: other } | Operation::AskState { thread: other } => {
                prepared.pid(program, other);
                standing.life = Life::AsksAlive;
                standing.target = other as u32;
                standing.op = Op::Read(prepared.cells(other).life);
            }
            Operation::AskThreads => {
                standing.life = Life::AsksThreads;
                standing.op = Op::Synchronise(prepared.cells(thread).population);
            }
            Operation::End => {
                standing.life = Life::Ends;
                standing.op = Op::Write(prepared.cells(thread).life);
            }
            Operation::Park { .. } => {
                standing.life = Life::Parks;
                standing.op = Op::Synchronise(prepared.cells(thread).permit);
            }
            Operation::Unpark { thread: other } => {
                prepared.pid(program, other);
                standing.op = Op::Synchronise(prepared.cells(other).permit);
            }
            Operation::Interrupt { thread: other } => {
                prepared.pid(program, other);
                standing.life = Life::Interrupts;
                standing.target = other as u32;
                standing.op = Op::Synchronise(prepared.cells(other).interrupt);
            }
            Operation::AskInterrupted { thread: other, clear } => {
                prepared.pid(program, other);
                let location = prepared.cells(other).interrupt;
                standing.life = Life::AsksInterrupt;
                standing.target = other as u32;
                standing.op = if clear { Op::Synchronise(location) } else { Op::Read(location) };
            }
            Operation::Branch => standing.op = Op::Branch,
            Operation::Initialize { class, .. } => {
                standing.life = Life::Initialises;
                standing.object = class.object;
                let location = prepared.location(program, class, Aspect::Initialisation);
                standing.op = Op::Acquire(location);
            }
        }
        if !matches!(standing.op, Op::Start(_)) || program.asked().stops {
            let subjects = prepared.machine.subjects_around(thread);
            for (around, subject) in standing.around.iter_mut().zip(subjects) {
                let subject = Address::of_object(subject);
                *around = Some(prepared.location(program, subject, Aspect::Inside));
            }
        }
    }
}
