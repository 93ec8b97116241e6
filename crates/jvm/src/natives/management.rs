//! Management beans: what `ManagementFactory` tells about threads, memory and the machine.
//!
//! The JDK finds its beans with the help of services and describes them for other processes. Here the factory
//! hands out the inner objects that do the work. What they tell about threads are operations on threads
//! (`interpret/waiting_threads.rs`); all else has a fixed answer, which results mention
//! (`interpret/environment.rs`), or is refused as a native that there is not.

use smallvec::SmallVec;

use super::system::{PROCESS_NUMBER, START_MILLIS, available_processors};
use super::{Native, Reason, Reply, answer, local, nothing, one, operations, thread, word, zero};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::Hook;

const FACTORY: &str = "java/lang/management/ManagementFactory";
const HELPER: &str = "sun/management/ManagementFactoryHelper";
const THREADS: &str = "sun/management/ThreadImpl";
const VM: &str = "sun/management/VMManagementImpl";
const MEMORY: &str = "sun/management/MemoryImpl";

/// Classes that a program seems to have loaded.
const CLASSES: u64 = 500;
/// Bytes of the heap that seem to be in use, and that there can be.
const USED: u64 = 16 << 20;
const MOST: u64 = 512 << 20;

pub(super) static NATIVES: &[Native] = &[
    local(Reason::RunsOther, FACTORY, "getThreadMXBean", "*", |machine, _| {
        helper(machine, "getThreadMXBean", "java/lang/management/ThreadMXBean")
    }),
    local(Reason::RunsOther, FACTORY, "getMemoryMXBean", "*", |machine, _| {
        helper(machine, "getMemoryMXBean", "java/lang/management/MemoryMXBean")
    }),
    local(Reason::RunsOther, FACTORY, "getRuntimeMXBean", "*", |machine, _| {
        helper(machine, "getRuntimeMXBean", "java/lang/management/RuntimeMXBean")
    }),
    local(Reason::RunsOther, FACTORY, "getOperatingSystemMXBean", "*", |machine, _| {
        helper(machine, "getOperatingSystemMXBean", "java/lang/management/OperatingSystemMXBean")
    }),
    local(Reason::RunsOther, FACTORY, "getClassLoadingMXBean", "*", |machine, _| {
        helper(machine, "getClassLoadingMXBean", "java/lang/management/ClassLoadingMXBean")
    }),
    local(Reason::RunsOther, FACTORY, "getGarbageCollectorMXBeans", "*", |machine, _| {
        helper(machine, "getGarbageCollectorMXBeans", "java/util/List")
    }),
    local(Reason::RunsOther, FACTORY, "getMemoryPoolMXBeans", "*", |machine, _| {
        helper(machine, "getMemoryPoolMXBeans", "java/util/List")
    }),
    thread(THREADS, "getThreads", "*", &operations::ALL_THREADS),
    thread(THREADS, "findDeadlockedThreads0", "*", &operations::FIND_DEADLOCKED),
    thread(THREADS, "findMonitorDeadlockedThreads0", "*", &operations::FIND_MONITOR_DEADLOCKED),
    local(Reason::Refuses, THREADS, "getThreadInfo1", "*", |_, _| describe()),
    local(Reason::Refuses, THREADS, "dumpThreads0", "*", |_, _| describe()),
    local(Reason::OwnThread, THREADS, "getThreadTotalCpuTime0", "*", own_time),
    local(Reason::OwnThread, THREADS, "getThreadUserCpuTime0", "*", own_time),
    local(Reason::Constant, VM, "getVersion0", "*", |machine, _| {
        answer(machine.literal_text("4.0")?)
    }),
    local(Reason::AboutClasses, VM, "initOptionalSupportFields", "*", say_what_is_supported),
    local(Reason::Constant, VM, "isThreadContentionMonitoringEnabled", "*", zero),
    local(Reason::Constant, VM, "isThreadCpuTimeEnabled", "*", one),
    local(Reason::Constant, VM, "isThreadAllocatedMemoryEnabled", "*", zero),
    local(Reason::Constant, VM, "getTotalClassCount", "*", |_, _| Ok(Reply::Word(CLASSES))),
    local(Reason::Constant, VM, "getUnloadedClassCount", "*", zero),
    local(Reason::Constant, VM, "getProcessId", "*", |_, _| Ok(Reply::Word(PROCESS_NUMBER))),
    local(Reason::MakesNew, VM, "getVmArguments0", "*", |machine, _| {
        let class = machine.load_class("java/lang/String")?;
        answer(machine.reference_array(class, &[])?)
    }),
    local(Reason::Constant, VM, "getStartupTime", "*", |_, _| Ok(Reply::Word(START_MILLIS))),
    local(Reason::OwnThread, VM, "getUptime0", "*", |machine, _| {
        Ok(Reply::Word(machine.core(machine.current)?.clock / 1_000_000))
    }),
    local(Reason::Constant, VM, "getAvailableProcessors", "*", available_processors),
    thread(VM, "getLiveThreadCount", "*", &operations::COUNT_LIVE),
    thread(VM, "getDaemonThreadCount", "*", &operations::COUNT_DAEMONS),
    local(Reason::MakesNew, MEMORY, "getMemoryPools0", "*", |machine, _| {
        let class = machine.load_class("java/lang/management/MemoryPoolMXBean")?;
        answer(machine.reference_array(class, &[])?)
    }),
    local(Reason::MakesNew, MEMORY, "getMemoryManagers0", "*", |machine, _| {
        let class = machine.load_class("java/lang/management/MemoryManagerMXBean")?;
        answer(machine.reference_array(class, &[])?)
    }),
    local(Reason::MakesNew, MEMORY, "getMemoryUsage0", "*", |machine, _| {
        let numbers = [USED, USED, MOST, MOST];
        answer(machine.construct("java/lang/management/MemoryUsage", "(JJJJ)V", &numbers)?)
    }),
    local(Reason::Constant, MEMORY, "setVerboseGC", "*", nothing),
    // No load is known.
    local(
        Reason::Constant,
        "sun/management/BaseOperatingSystemImpl",
        "getSystemLoadAverage",
        "*",
        |_, _| Ok(Reply::Word((-1f64).to_bits())),
    ),
];

/// Lets the JDK make the object that does the work of a bean, or give the one that there is.
fn helper(machine: &mut Machine, name: &str, result: &str) -> Result<Reply, Trap> {
    let class = machine.load_initialized(HELPER)?;
    let descriptor = format!("()L{result};");
    let Some(method) = machine.world.declared(class, name, &descriptor) else {
        return Err(Fault::unsupported(format!("this JDK: {HELPER} has no method {name}")).into());
    };
    Ok(Reply::Call(method, SmallVec::new(), Hook::None))
}

fn describe() -> Result<Reply, Trap> {
    let what = "describing threads (ThreadInfo); ask which are in a deadlock, or for their states";
    Err(Fault::unsupported(what).into())
}

/// How long the running thread has worked, if it asks for itself.
fn own_time(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let own = machine.get_field(machine.thread_object(machine.current)?, "tid")?;
    let asked = word(arguments, 0);
    if asked != 0 && asked != own {
        return Err(Fault::unsupported("asking how long another thread has worked").into());
    }
    Ok(Reply::Word(machine.core(machine.current)?.clock))
}

fn say_what_is_supported(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let class = machine.load_class(VM)?;
    let supported =
        ["currentThreadCpuTimeSupport", "objectMonitorUsageSupport", "synchronizerUsageSupport"];
    for name in supported {
        let (mirror, word) = machine.static_place(class, name)?;
        machine.store(mirror, word, 1)?;
    }
    Ok(Reply::Void)
}
