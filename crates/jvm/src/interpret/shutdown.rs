//! Shutdown hooks, and how a program with hooks ends.
//!
//! **Problem.** Hooks are threads that run when the last thread that is not a daemon has ended, or when
//! somebody calls `System.exit`, all at the same time and beside whatever is still running. Who registers
//! them, who removes them and what they see depends on the schedule.
//!
//! **Idea.** The JDK's own code does it (`java.lang.Shutdown`): `exit` runs the hooks in the thread that
//! calls it, then halts. For the ordinary end the machine does what a virtual machine does: when `main`
//! has returned or failed, the main thread starts one named `DestroyJavaVM`, which waits until all others
//! that are not daemons have ended, and calls `Shutdown.shutdown`. The start is the main thread's last
//! operation, so the new thread has the same name in all executions. Waiting is one operation
//! ([`AWAITS_ENDS`]), which awaits the end of each thread. A thread that is started meanwhile is started by
//! one that has not ended, so no start can be missed; only a daemon could start one too late.
//!
//! In a program that does not mention hooks (`run/queries.rs`) there is no such thread, and `exit` just ends
//! the program. The classes that keep the hooks are initialised before the program begins, so that
//! nothing that an execution does gets into what is kept for all.
//!
//! **Invariant.** The thread that waits does not keep a program from being complete whose other threads
//! wait for work, as a real one does not end then either.

use super::atomic_call as calls;
use super::jdk_operation::{Guard, JdkOperation, JdkStep, Readiness, Subject, WaitPolicy};
use super::synchroniser::never_queues;
use super::threads::OperationResult;
use crate::classfile::access;
use crate::code::{Code, Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::natives::{AWAITS_ENDS_ROW, DESTROYS_ROW, Native};
use crate::world::{MethodEntry, MethodId};

const SHUTDOWN: &str = "java/lang/Shutdown";
const HOOKS: &str = "java/lang/ApplicationShutdownHooks";
const OF_THREAD: &str = "(Ljava/lang/Thread;)V";

/// The thread that waits for the others.
static DESTROYER: Subject = Subject {
    of: |_, thread| Ok(Some(thread)),
    place: super::jdk_operation::SubjectPlace::Internals,
    is_part: false,
    checks_interrupt_first: false,
};

/// Nobody but the waiting thread keeps the program from ending.
static ALL_ENDED: Guard = Guard {
    readiness: |machine, _, _| Ok(Readiness::of(machine.alive == 1)),
    wants: "all other threads to end",
    queues: never_queues,
    ends_by_interrupt: false,
    occupies_worker: false,
};

/// Waiting until all threads have ended that are not daemons.
pub(crate) const AWAITS_ENDS: JdkOperation = JdkOperation {
    effect: nothing_else,
    failure: nothing_else,
    done: "finds that all other threads have ended",
    is_idle: true,
    is_of_machine: true,
    reads_ends: Some(Machine::others_to_await),
    ..JdkOperation::looking(&DESTROYER, &calls::UNOBSERVED)
        .waiting(&ALL_ENDED, WaitPolicy::Unlimited)
        .always_visible()
};

fn nothing_else(_: &mut Machine, _: &JdkStep<'_>) -> Result<OperationResult, Trap> {
    Ok(OperationResult::Done(None))
}

impl Machine {
    /// The threads that have been started, are not daemons, and are not the one of this `Thread`.
    fn others_to_await(&self, object: crate::memory::Reference) -> Vec<usize> {
        let threads = self.threads.list.iter().enumerate();
        let started = threads.filter_map(|(index, thread)| Some((index, thread.as_ref()?)));
        started
            .filter(|(_, thread)| thread.object != object && !thread.core.daemon)
            .map(|(index, _)| index)
            .collect()
    }

    /// What the main thread does after `main`: the call that starts the thread that waits for all others.
    /// None if nobody registers hooks.
    pub(crate) fn last_call_of_main(&mut self) -> Result<Option<Instruction>, Trap> {
        if !self.options.shutdown_hooks {
            return Ok(None);
        }
        self.load_initialized(HOOKS)?;
        let (start, _) = match self.caches.destroyer_start {
            Some(known) => known,
            None => {
                let start = self.native_of_machine("<destroy>", "()V", &DESTROYS_ROW)?;
                // Its constructor looks at the present thread, which others may change later.
                let object = self.permanently(|machine| {
                    let name = machine.new_string("DestroyJavaVM")?;
                    machine.construct("java/lang/Thread", "(Ljava/lang/String;)V", &[name.0])
                })?;
                *self.caches.destroyer_start.insert((start, object))
            }
        };
        Ok(Some(Instruction::with(Opcode::InvokeStatic, start.0)))
    }

    /// Starts the thread that waits for all others.
    pub(crate) fn start_destroyer(
        &mut self,
        thread: usize,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        if !perform {
            return Ok(OperationResult::Stop);
        }
        let Some((_, object)) = self.caches.destroyer_start else {
            return Err(Fault::internal("a thread is started that nobody has made").into());
        };
        let run = self.destroyer_entry()?;
        self.spawn(thread, object, run, object)?;
        Ok(OperationResult::Done(None))
    }

    /// The method that is the whole life of that thread.
    fn destroyer_entry(&mut self) -> Result<MethodId, Trap> {
        if let Some(known) = self.caches.destroyer_entry {
            return Ok(known);
        }
        let class = self.load_initialized(SHUTDOWN)?;
        let Some(shutdown) = self.world.declared(class, "shutdown", "()V") else {
            return Err(Fault::unsupported("this JDK: Shutdown has no method shutdown").into());
        };
        let awaits = self.native_of_machine("<await ends>", OF_THREAD, &AWAITS_ENDS_ROW)?;
        let instructions = vec![
            Instruction::with(Opcode::Load, 0),
            Instruction::with(Opcode::InvokeStatic, awaits.0),
            Instruction::with(Opcode::InvokeStatic, shutdown.0),
            Instruction::new(Opcode::Return),
        ];
        let code = Code { instructions, local_words: 1, stack_words: 1, ..Code::default() };
        let entry = self.add_synthetic(class, "<shutdown>", OF_THREAD, access::STATIC, code)?;
        self.caches.destroyer_entry = Some(entry);
        Ok(entry)
    }

    /// A method of the machine's own that a row of natives implements.
    pub(super) fn native_of_machine(
        &mut self,
        name: &str,
        descriptor: &str,
        row: &'static Native,
    ) -> Result<MethodId, Trap> {
        let class = self.load_initialized(SHUTDOWN)?;
        let method =
            self.add_synthetic(class, name, descriptor, access::STATIC, Code::default())?;
        let added = &mut self.world.methods[method.0 as usize];
        (added.entry, added.native) = (MethodEntry::Native, Some(row));
        Ok(method)
    }
}
