//! `ForkJoinPool`: a task that is handed over runs in a thread of its own.
//!
//! **Problem.** Workers of such a pool look for tasks in each other's queues, sleep and wake each other,
//! and a thread that waits for a task helps with others. These internals have more traces than can be
//! explored, and a program can hardly notice any of it.
//!
//! **Idea.** Whatever order workers find tasks in, what a program sees is that tasks run at the same
//! time as those who have handed them over, in a thread of the pool. So handing over starts a thread
//! that runs this one task, and waiting for a task waits for the word in which it says that it is
//! done. A task that its owner would take back and run itself runs as if it had been stolen; nothing
//! else can happen meanwhile, so this is one of the schedules.
//!
//! **Parts.** The parts of a `CountedCompleter` count themselves off when they are done, and the one that finds nobody
//! missing goes on with the whole. `tryComplete` reads the count, and lowers it by a compare-and-set that fails if
//! another part comes in between; then it begins again. So two parts have four traces. Here it lowers the count unless that is
//! zero, in one step, as `decrementPendingCountUnlessZero` promises. Nobody can tell: nothing is done between the read and
//! the compare-and-set, a read of something else than zero leads to nothing but these, and what is done after one that
//! succeeds, or after a read of zero, is what was done before. So each execution of the JDK's own code has the results of
//! the one in which the last read of each count comes just before what follows from it.
//!
//! **Invariant.** Only the start of the thread and the task's own word connect a task with others, as
//! far as the library is concerned.
//!
//! **Not modelled.** A pool has as many workers as it needs. That is right as long as tasks wait only
//! for tasks (a thread that waits for one helps) and for locks. So a pool that was given more tasks than it
//! has workers, one of which comes to anything else that it may have to wait for, is refused, whichever
//! comes first; and one with a single worker in any case. The common pool has as many as the computer
//! likes. Two tasks never have the same thread. Stopping a pool at once, which cancels tasks that have
//! not begun, is refused.

use super::atomic_call::{guard, observed, subject};
use super::jdk_operation::{Guard, JdkStep, ObservedState, Readiness, Subject, SubjectPlace};
use super::operation::Address;
use super::threads::OperationResult;
use super::variable::MemoryCell;
use crate::classfile::Type;
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{Reference, ThreadStatus};

pub(crate) const TASK: &str = "java/util/concurrent/ForkJoinTask";
const COMPLETER: &str = "java/util/concurrent/CountedCompleter";
const WORKER: &str = "java/util/concurrent/ForkJoinWorkerThread";

/// The bits of a pool's mode that say how many workers it has, and that it is shut down.
const WORKERS: i32 = 0xFFFF;
const SHUTDOWN: i32 = 1 << 24;
/// The bit of a task's status that says that it failed; alone it stands for an interrupt.
const ABNORMAL: u64 = 1 << 16;

/// A `CountedCompleter`: how many of its parts are not done.
pub(crate) static MISSING_PARTS: Subject = Subject {
    place: SubjectPlace::Variable(|machine, whole| {
        Ok(Address { object: whole, offset: machine.own_word(whole, COMPLETER, "pending")? * 8 })
    }),
    ..subject(|_, whole| Ok(Some(whole)))
};

/// Some part is missing.
pub(crate) static PART_MISSING: Guard = guard("a part of {}", |machine, _, call| {
    let missing = machine.missing_parts(call.receiver)? != 0;
    Ok(if missing { Readiness::Succeeds } else { Readiness::Fails })
});

pub(crate) static PARTS: ObservedState =
    observed(|machine, call| machine.missing_parts(call.receiver).unwrap_or(0) as u64);

/// A part counts itself off.
pub(crate) fn count_off(
    machine: &mut Machine,
    step: &JdkStep<'_>,
) -> Result<OperationResult, Trap> {
    let whole = step.call.receiver;
    let missing = machine.missing_parts(whole)?;
    let word = machine.own_word(whole, COMPLETER, "pending")?;
    let less = u64::from(missing.wrapping_sub(1) as u32);
    machine.write_cell(MemoryCell::field(whole, word, Type::Int), less)?;
    Ok(OperationResult::Done(Some(u64::from(missing as u32))))
}

/// A part finds nobody missing.
pub(crate) fn find_all_done(_: &mut Machine, _: &JdkStep<'_>) -> Result<OperationResult, Trap> {
    Ok(OperationResult::Done(Some(0)))
}

impl Machine {
    fn missing_parts(&self, whole: Reference) -> Result<i32, Trap> {
        Ok(self.own_field(whole, COMPLETER, "pending")? as i32)
    }

    /// Hands a task over to a pool, or says that the thread must stop before it.
    pub(crate) fn hand_to_workers(
        &mut self,
        thread: usize,
        pool: Reference,
        task: Reference,
        external: bool,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        if self.options.real_locks {
            return Ok(OperationResult::Decline);
        }
        if !perform {
            return Ok(OperationResult::Stop);
        }
        let mode = self.get_field(pool, "mode")? as i32;
        if external && mode & SHUTDOWN != 0 {
            return Err(Trap::raise("java/util/concurrent/RejectedExecutionException", None));
        }
        if mode & WORKERS == 1 && !self.is_common_pool(pool)? {
            let what = "a ForkJoinPool with a single worker; use --real-locks";
            return Err(Fault::unsupported(what).into());
        }
        let descriptor = "(Ljava/util/concurrent/ForkJoinPool;)V";
        let worker = self.construct(WORKER, descriptor, &[pool.0])?;
        let class = self.class_of(task)?;
        let (name, descriptor) =
            (self.world.symbols.intern("doExec"), self.world.symbols.intern("()I"));
        let Some(run) = self.world.find_method(class, name, descriptor) else {
            return Err(Fault::unsupported("this JDK: ForkJoinTask has no method doExec").into());
        };
        self.publish(task)?;
        let index = self.spawn(thread, worker, run, task)?;
        if let Some(started) = &mut self.threads.list[index] {
            started.pool = pool;
        }
        self.has_enough_workers(pool)?;
        Ok(OperationResult::Done(None))
    }

    /// Notes that a thread has come to something other than a task or a lock that it may have to wait
    /// for.
    pub(crate) fn note_waiting(&mut self, thread: usize) -> Result<(), Fault> {
        let pool = self.threads.get(thread).and_then(|thread| thread.pool.non_null());
        let Some(pool) = pool else { return Ok(()) };
        self.core_mut(thread)?.waited = true;
        self.has_enough_workers(pool)
    }

    /// Refuses a pool that could run out of workers: asked of all its tasks so far, so that the order
    /// of those that others cannot see does not matter.
    fn has_enough_workers(&self, pool: Reference) -> Result<(), Fault> {
        let mut tasks = self.threads.list.iter().flatten().filter(|thread| thread.pool == pool);
        let waits = tasks.clone().any(|thread| thread.core.waited);
        let limit = self.get_field(pool, "mode")? as i32 & WORKERS;
        if !waits || tasks.nth(limit as usize).is_none() || self.is_common_pool(pool)? {
            return Ok(());
        }
        Err(Fault::unsupported(
            "a ForkJoinPool with more tasks than workers, one of which waits for something else \
             than a task; use --real-locks",
        ))
    }

    /// The pool that tasks go to that do not name one has as many workers as the computer likes.
    fn is_common_pool(&self, pool: Reference) -> Result<bool, Fault> {
        let class = self.class_of(pool)?;
        let (mirror, word) = self.static_place(class, "common")?;
        Ok(self.load_reference(mirror, word)? == pool)
    }

    /// The variable in which a task says that it is done.
    pub(crate) fn task_status(&self, task: Reference) -> Result<Address, Trap> {
        Ok(Address { object: task, offset: self.task_word(task)? * 8 })
    }

    /// Whether a task is done.
    pub(crate) fn is_task_done(&self, task: Reference) -> Result<bool, Trap> {
        Ok((self.load(task, self.task_word(task)?)? as i32) < 0)
    }

    fn task_word(&self, task: Reference) -> Result<u32, Trap> {
        Ok(self.own_word(task, TASK, "status")?)
    }

    /// What comes of waiting for a task now: `awaitDone` answers with its status.
    pub(crate) fn task_outcome(
        &mut self,
        thread: usize,
        task: Reference,
        interrupted: bool,
    ) -> Result<OperationResult, Trap> {
        if interrupted {
            self.core_mut(thread)?.interrupted = false;
            return Ok(OperationResult::Done(Some(ABNORMAL)));
        }
        Ok(OperationResult::Done(Some(self.load(task, self.task_word(task)?)?)))
    }

    /// The variable in which a pool says that it is shut down.
    pub(crate) fn pool_mode(&self, pool: Reference) -> Result<Address, Trap> {
        Ok(Address { object: pool, offset: self.field_word(self.class_of(pool)?, "mode")? * 8 })
    }

    /// Notes that a pool is shut down.
    pub(crate) fn shut_workers_down(&mut self, pool: Reference) -> Result<OperationResult, Trap> {
        if !self.is_common_pool(pool)? {
            let mode = self.get_field(pool, "mode")? as i32 | SHUTDOWN;
            self.set_field(pool, "mode", u64::from(mode as u32))?;
        }
        Ok(OperationResult::Done(None))
    }

    /// The threads that run tasks of a pool.
    pub(crate) fn workers_of(&self, pool: Reference) -> impl Iterator<Item = usize> {
        let threads = self.threads.list.iter().enumerate();
        threads.filter_map(move |(index, thread)| {
            thread.as_ref().filter(|thread| thread.pool == pool).map(|_| index)
        })
    }

    /// Whether a pool is shut down and all its tasks have ended.
    pub(crate) fn is_pool_at_rest(&self, pool: Reference) -> Result<bool, Trap> {
        let shut = self.get_field(pool, "mode")? as i32 & SHUTDOWN != 0;
        for worker in self.workers_of(pool) {
            if self.core(worker)?.status != ThreadStatus::Terminated {
                return Ok(false);
            }
        }
        Ok(shut)
    }
}
