//! `java.lang.Thread`, `LockSupport` and what they stand on.

use super::{
    Native, Reason, Reply, answer, answer_int, jdk, local, nothing, object, operations, thread,
    truth, zero,
};
use crate::dynamic::Body;
use crate::interpret::AWAITS_ENDS;
use crate::machine::{Machine, Trap};
use crate::memory::{ARRAY_HEADER_WORDS, Reference};

const THREAD: &str = "java/lang/Thread";
const GROUP: &str = "java/lang/ThreadGroup";
const UNSAFE: &str = "jdk/internal/misc/Unsafe";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::OwnThread, THREAD, "currentThread", "*", current_thread),
    local(Reason::OwnThread, THREAD, "currentCarrierThread", "*", current_thread),
    thread(THREAD, "isAlive", "()Z", &operations::IS_ALIVE),
    thread(THREAD, "alive", "()Z", &operations::IS_ALIVE),
    local(Reason::OwnThread, THREAD, "holdsLock", "*", holds_lock),
    local(Reason::Constant, THREAD, "setPriority0", "*", nothing),
    local(Reason::Constant, THREAD, "setNativeName", "*", nothing),
    local(Reason::Constant, THREAD, "ensureMaterializedForStackWalk", "*", nothing),
    local(Reason::Constant, THREAD, "clearInterruptEvent", "*", nothing),
    local(Reason::OwnThread, THREAD, "nextThreadNum", "*", next_thread_number),
    local(Reason::OwnThread, THREAD, "genThreadName", "*", next_thread_name),
    local(Reason::OwnThread, THREAD, "nextThreadID", "*", next_thread_id),
    thread(THREAD, "threadState", "()Ljava/lang/Thread$State;", &operations::GET_STATE),
    thread(THREAD, "getState", "()Ljava/lang/Thread$State;", &operations::GET_STATE),
    thread(THREAD, "getThreadGroup", "*", &operations::GET_GROUP),
    thread(GROUP, "activeCount", "()I", &operations::COUNT_THREADS),
    thread(GROUP, "enumerate", "([Ljava/lang/Thread;)I", &operations::LIST_THREADS),
    thread(GROUP, "enumerate", "([Ljava/lang/Thread;Z)I", &operations::LIST_THREADS),
    thread(THREAD, "getThreads", "()[Ljava/lang/Thread;", &operations::ALL_THREADS),
    local(Reason::MakesNew, THREAD, "dumpThreads", "*", dump_threads),
    local(Reason::Constant, THREAD, "onSpinWait", "*", nothing),
    local(Reason::OwnThread, "java/lang/Thread$ThreadIdentifiers", "next", "*", next_thread_id),
    thread(THREAD, "start", "()V", &operations::START),
    thread(THREAD, "start", "(Ljdk/internal/vm/ThreadContainer;)V", &operations::START),
    thread(THREAD, "join", "(J)V", &operations::JOIN),
    thread(THREAD, "interrupt", "()V", &operations::INTERRUPT),
    thread(THREAD, "isInterrupted", "()Z", &operations::IS_INTERRUPTED),
    thread(THREAD, "interrupted", "()Z", &operations::INTERRUPTED),
    thread(THREAD, "yield", "()V", &operations::YIELD),
    thread(THREAD, "sleep", "(J)V", &operations::SLEEP),
    thread(UNSAFE, "park", "(ZJ)V", &operations::PARK),
    thread(UNSAFE, "unpark", "(Ljava/lang/Object;)V", &operations::UNPARK),
    local(Reason::Constant, "java/lang/VirtualThread", "registerNatives", "*", nothing),
    local(Reason::Constant, GROUP, "checkAccess", "*", nothing),
    // Groups do not keep track of their threads: see `interpret/thread_groups.rs`.
    local(Reason::RunsOther, GROUP, "interrupt", "()V", interrupt_group),
    local(Reason::Constant, GROUP, "addUnstarted", "*", nothing),
    local(Reason::Constant, THREAD, "checkAccess", "*", nothing),
    local(Reason::Constant, THREAD, "getStackTrace0", "*", zero),
    local(Reason::Constant, THREAD, "findScopedValueBindings", "*", zero),
    local(Reason::Constant, THREAD, "scopedValueCache", "*", zero),
];

/// The last operation of the main thread of a program with shutdown hooks.
pub(crate) static DESTROYS_ROW: Native =
    thread("java/lang/Shutdown", "<destroy>", "()V", &operations::DESTROY);

/// The first operation of the thread that it starts.
pub(crate) static AWAITS_ENDS_ROW: Native =
    jdk("java/lang/Shutdown", "<await ends>", "(Ljava/lang/Thread;)V", AWAITS_ENDS);

fn current_thread(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    answer(machine.thread_object(machine.current)?)
}

fn holds_lock(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let header =
        machine.heap.header(object(arguments, 0)?).ok_or_else(crate::machine::bad_reference)?;
    truth(header.owner().is_some_and(|(owner, _)| owner == machine.current))
}

fn interrupt_group(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    machine.in_sight(Body::InterruptGroup, arguments)
}

/// An empty stack trace for each thread of an array: what others have on their stacks is not told.
fn dump_threads(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let count = machine.length(object(arguments, 0)?)?;
    let element = machine.load_class("java/lang/StackTraceElement")?;
    let trace_class = machine.array_class(element)?;
    let traces_class = machine.array_class(trace_class)?;
    let traces = machine.new_array(traces_class, count)?;
    for index in 0..count {
        let trace = machine.new_array(trace_class, 0)?;
        machine.store(traces, ARRAY_HEADER_WORDS + index, trace.0)?;
    }
    answer(traces)
}

/// Threads are numbered per creator, so that names do not depend on the schedule. The main thread's
/// children have the numbers that the JVM gives them if only the main thread makes threads.
fn thread_number(machine: &mut Machine) -> Result<u64, Trap> {
    let current = machine.current;
    let core = machine.core_mut(current)?;
    let number = core.named;
    core.named += 1;
    Ok(if current == 0 { u64::from(number) } else { current as u64 * 1000 + u64::from(number) })
}

fn next_thread_number(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let number = thread_number(machine)?;
    answer_int(number as i32)
}

fn next_thread_name(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let number = thread_number(machine)?;
    let name = machine.new_string(&format!("Thread-{number}"))?;
    answer(name)
}

fn next_thread_id(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let current = machine.current;
    let core = machine.core_mut(current)?;
    core.identified += 1;
    let number = u64::from(core.identified);
    Ok(Reply::Word(if machine.nesting.permanent > 0 {
        number
    } else {
        30 + current as u64 * 1000 + number
    }))
}

/// A constant of `Thread.State`.
pub(crate) fn thread_state(machine: &mut Machine, name: &str) -> Result<u64, Trap> {
    let class = machine.load_initialized("java/lang/Thread$State")?;
    let (mirror, word) = machine.static_place(class, name)?;
    Ok(machine.load(mirror, word)?)
}

impl Machine {
    /// The number of the thread that a `java.lang.Thread` runs as, if it was started.
    pub(crate) fn thread_of(&self, object: Reference) -> Result<Option<usize>, Trap> {
        let number = self.load(object, self.known.thread_number)?;
        Ok((number as usize).checked_sub(1))
    }
}
