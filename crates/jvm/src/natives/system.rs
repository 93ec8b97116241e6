//! `System`, `Runtime` and the internals that ask about the virtual machine.

use super::{
    Native, Reason, Reply, answer, answer_int, contents, int, local, nothing, object, one,
    reference, word, zero,
};
use smallvec::smallvec;

use crate::classfile::Type;
use crate::dynamic::{Body, Handle, PUT_STATIC};
use crate::error::Fault;
use crate::machine::{Machine, Trap, raise};
use crate::memory::{ARRAY_HEADER_WORDS, Hook, Reference, ThreadStatus};
use crate::world::{ClassId, ClassKind};

const SYSTEM: &str = "java/lang/System";
const RUNTIME: &str = "java/lang/Runtime";
const VM: &str = "jdk/internal/misc/VM";
const PROCESS: &str = "java/lang/ProcessHandleImpl";
const CDS: &str = "jdk/internal/misc/CDS";

/// The moment at which every program starts, in milliseconds since 1970: 2024-01-01.
pub(super) const START_MILLIS: u64 = 1_704_067_200_000;
/// The number of the process that a program under test believes to be.
pub(super) const PROCESS_NUMBER: u64 = 4242;
/// What a look at the clock takes.
const TICK_NANOS: u64 = 1_000;

pub(super) static NATIVES: &[Native] = &[
    contents(SYSTEM, "arraycopy", "*", array_copy),
    local(Reason::Computes, SYSTEM, "identityHashCode", "*", identity_hash_code),
    local(Reason::OwnThread, SYSTEM, "currentTimeMillis", "*", current_time_millis),
    local(Reason::OwnThread, SYSTEM, "nanoTime", "*", nano_time),
    local(Reason::Constant, SYSTEM, "getSecurityManager", "*", zero),
    local(Reason::Constant, SYSTEM, "allowSecurityManager", "*", zero),
    contents(SYSTEM, "setOut0", "*", set_out),
    contents(SYSTEM, "setErr0", "*", set_err),
    contents(SYSTEM, "setIn0", "*", set_in),
    local(Reason::Constant, SYSTEM, "gc", "*", nothing),
    local(Reason::Constant, SYSTEM, "getenv", "(Ljava/lang/String;)Ljava/lang/String;", zero),
    local(Reason::OwnThread, SYSTEM, "exit", "*", exit),
    local(Reason::OwnThread, RUNTIME, "exit", "*", exit_runtime),
    local(Reason::OwnThread, RUNTIME, "halt", "*", halt_runtime),
    local(Reason::OwnThread, "java/lang/Shutdown", "halt0", "(I)V", halt),
    local(Reason::Constant, "java/lang/Shutdown", "beforeHalt", "()V", nothing),
    local(Reason::Constant, RUNTIME, "availableProcessors", "*", available_processors),
    local(Reason::Constant, RUNTIME, "freeMemory", "*", memory),
    local(Reason::Constant, RUNTIME, "totalMemory", "*", memory),
    local(Reason::Constant, RUNTIME, "maxMemory", "*", memory),
    local(Reason::Constant, RUNTIME, "gc", "*", nothing),
    local(Reason::RunsOther, RUNTIME, "addShutdownHook", "*", add_shutdown_hook),
    local(Reason::Constant, PROCESS, "initNative", "*", nothing),
    local(Reason::Constant, PROCESS, "getCurrentPid0", "*", process_number),
    local(Reason::Computes, PROCESS, "isAlive0", "*", process_start),
    local(Reason::Constant, PROCESS, "parent0", "*", minus_one_long),
    local(Reason::Constant, "java/lang/ProcessHandleImpl$Info", "initIDs", "*", nothing),
    local(Reason::Constant, "java/lang/ProcessHandleImpl$Info", "info0", "*", nothing),
    local(Reason::Constant, VM, "initialize", "*", nothing),
    local(Reason::Constant, VM, "initializeFromArchive", "*", nothing),
    local(Reason::OwnThread, VM, "getNanoTimeAdjustment", "*", nano_adjustment),
    local(Reason::Constant, VM, "isModuleSystemInited", "*", one),
    local(Reason::Constant, VM, "isBooted", "*", one),
    // Nothing but an exit that comes too late could tell.
    local(Reason::Constant, VM, "isShutdown", "*", zero),
    local(Reason::Constant, VM, "shutdown", "*", nothing),
    local(Reason::Constant, VM, "latestUserDefinedLoader", "*", zero),
    local(Reason::Constant, CDS, "isDumpingClassList0", "*", zero),
    local(Reason::Constant, CDS, "isDumpingArchive0", "*", zero),
    local(Reason::Constant, CDS, "isSharingEnabled0", "*", zero),
    local(Reason::Constant, CDS, "getCDSConfigStatus", "*", zero),
    local(Reason::Constant, CDS, "getRandomSeedForDumping", "*", random_seed),
    local(Reason::Constant, CDS, "initializeFromArchive", "*", nothing),
    local(Reason::Constant, CDS, "defineArchivedModules", "*", nothing),
    local(Reason::Constant, "java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8", "*", one),
    local(Reason::Constant, "jdk/internal/misc/Signal", "findSignal0", "*", zero),
    local(Reason::Constant, "jdk/internal/misc/PreviewFeatures", "isPreviewEnabled", "*", zero),
    local(Reason::Constant, "java/io/FileDescriptor", "getHandle", "*", minus_one),
    local(Reason::Constant, "java/io/FileDescriptor", "getAppend", "*", zero),
    local(Reason::Constant, "jdk/internal/event/Event", "isEnabled", "*", zero),
    // Counters for tools outside.
    local(Reason::MakesNew, "jdk/internal/perf/Perf", "createLong", "*", |machine, _| {
        let descriptor = "(I)Ljava/nio/ByteBuffer;";
        let made = machine.call_static("java/nio/ByteBuffer", "allocate", descriptor, &[8])?;
        Ok(Reply::Word(made))
    }),
    // Addresses without a network: those that are given as numbers, and one's own.
    local(Reason::Constant, "java/net/InetAddress", "init", "()V", nothing),
    local(Reason::Constant, "java/net/Inet4Address", "init", "()V", nothing),
    local(Reason::Constant, "java/net/Inet6Address", "init", "()V", nothing),
    local(Reason::Constant, "java/net/InetAddress", "isIPv4Available", "*", one),
    local(Reason::Constant, "java/net/InetAddress", "isIPv6Supported", "*", zero),
    local(Reason::Constant, "java/net/InetAddressImplFactory", "isIPv6Supported", "*", zero),
    local(Reason::Constant, "java/net/Inet4AddressImpl", "getLocalHostName", "*", |machine, _| {
        answer(machine.literal_text("localhost")?)
    }),
    local(
        Reason::MakesNew,
        "java/net/Inet4AddressImpl",
        "lookupAllHostAddr",
        "(Ljava/lang/String;)[Ljava/net/InetAddress;",
        look_up_address,
    ),
    local(Reason::RunsOther, SYSTEM, "getProperty", "*", read_setting),
    local(Reason::RunsOther, SYSTEM, "getProperties", "*", read_setting),
    local(Reason::RunsOther, "java/util/Locale", "getDefault", "*", read_setting),
    local(Reason::RunsOther, "java/util/TimeZone", "getDefault", "*", read_setting),
    local(Reason::RunsOther, "java/util/TimeZone", "getDefaultRef", "*", read_setting),
    // Virtual threads are then bound to threads of their own.
    local(Reason::Constant, "jdk/internal/vm/ContinuationSupport", "isSupported0", "*", zero),
];

/// The addresses of a name: only the computer itself has one.
fn look_up_address(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = object(arguments, 1)?;
    if !machine.text(name)?.eq_ignore_ascii_case("localhost") {
        return Err(Fault::unsupported("looking up network addresses by names").into());
    }
    let bytes = machine.new_byte_array(&[127, 0, 0, 1])?;
    let found = machine.construct(
        "java/net/Inet4Address",
        "(Ljava/lang/String;[B)V",
        &[name.0, bytes.0],
    )?;
    let class = machine.load_class("java/net/InetAddress")?;
    answer(machine.reference_array(class, &[found])?)
}

/// An initialiser that reads what the program may change is not the same for all executions.
fn read_setting(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    machine.nesting.reads_settings.set(true);
    Ok(Reply::Decline)
}

/// Hooks are the JDK's affair (`interpret/shutdown.rs`); only the one of its own logging, which closes
/// handlers, can be done without.
fn add_shutdown_hook(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let hook = object(arguments, 1)?;
    let name = machine.world.class_name(machine.class_of(hook)?);
    if name.starts_with("java/util/logging/") {
        return nothing(machine, arguments);
    }
    if machine.options.shutdown_hooks {
        return Ok(Reply::Decline);
    }
    let what = "a shutdown hook that the program does not register itself";
    Err(Fault::unsupported(what).into())
}

/// How many elements are copied between two looks whether the step is to be given up, at most.
const LOOKS_UP: u32 = 1 << 16;

fn array_copy(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (source, target) = (object(arguments, 0)?, object(arguments, 2)?);
    let (from, to, count) = (int(arguments, 1), int(arguments, 3), int(arguments, 4));
    let (source_class, target_class) = (machine.class_of(source)?, machine.class_of(target)?);
    let (Some((element, kind)), Some((wanted, target_kind))) =
        (machine.world.class(source_class).element(), machine.world.class(target_class).element())
    else {
        let from = machine.world.class(source_class).element().is_some();
        let (side, class) =
            if from { ("destination", target_class) } else { ("source", source_class) };
        let name = machine.world.external_name(class);
        let message = format!("arraycopy: {side} type {name} is not an array");
        return raise("java/lang/ArrayStoreException", message);
    };
    if kind != target_kind {
        let name = |class: ClassId| match machine.world.class(class).kind {
            ClassKind::Primitive(_) => machine.world.external_name(class),
            _ => "object array".to_string(),
        };
        let (from, to) = (name(element), name(wanted));
        let message = format!("arraycopy: type mismatch: can not copy {from}[] into {to}[]");
        return raise("java/lang/ArrayStoreException", message);
    }
    let (source_length, target_length) = (machine.length(source)?, machine.length(target)?);
    let inside = |start: i32, length: u32| i64::from(start) + i64::from(count) <= i64::from(length);
    if from < 0 || to < 0 || count < 0 || !inside(from, source_length) || !inside(to, target_length)
    {
        return raise(
            "java/lang/ArrayIndexOutOfBoundsException",
            copy_message(machine, arguments)?,
        );
    }
    if machine.is_reached(source) || machine.is_reached(target) {
        let backwards = source == target && from < to;
        let body = Body::Copy { kind, backwards, returns: false };
        let words = [source.0, from as u64, target.0, to as u64, count as u64];
        return machine.in_sight(body, &words);
    }
    let checked =
        kind == Type::Reference && source_class != target_class && wanted != machine.known.object;
    let flag = machine.heap.header(target).and_then(|header| {
        crate::machine::flag_of_stored(&machine.world, header.0, ARRAY_HEADER_WORDS)
    });
    let (from, to, count) = (from as u32, to as u32, count as u32);
    let backwards = source == target && from < to;
    let size = 1 << kind.shift();
    machine.worked(u64::from(count % LOOKS_UP) * size)?;
    for step in 0..count {
        if step % LOOKS_UP == LOOKS_UP - 1 {
            machine.worked(u64::from(LOOKS_UP) * size)?;
        }
        let index = if backwards { count - 1 - step } else { step };
        let word = machine.heap.element(source, from + index, kind.shift());
        let word = word.ok_or_else(crate::machine::bad_reference)?;
        if kind == Type::Reference && word != 0 {
            if checked && !machine.world.is_subclass(machine.class_of(Reference(word))?, wanted) {
                let message = format!(
                    "arraycopy: element type mismatch: can not cast one of the elements of {}[] to \
                     the type of the destination array, {}",
                    machine.world.external_name(element),
                    machine.world.external_name(wanted)
                );
                return raise("java/lang/ArrayStoreException", message);
            }
            if let Some(flag) = flag {
                machine.publish_as(Reference(word), flag)?;
            }
        }
        let done = machine.heap.set_element(target, to + index, kind.shift(), word);
        done.ok_or_else(crate::machine::bad_reference)?;
    }
    machine.copy_unknown_elements(source, from, target, to, count)?;
    Ok(Reply::Void)
}

/// Why a range of a copy does not fit, in the JVM's words.
fn copy_message(machine: &Machine, arguments: &[u64]) -> Result<String, Trap> {
    let count = i64::from(int(arguments, 4));
    if count < 0 {
        return Ok(format!("arraycopy: length {count} is negative"));
    }
    for (name, at) in [("source", 0), ("destination", 2)] {
        let array = object(arguments, at)?;
        let start = i64::from(int(arguments, at + 1));
        let length = machine.length(array)?;
        let (element, kind) = machine.element_type(array)?;
        let what = match kind {
            Type::Reference => "object array".to_string(),
            _ => machine.world.external_name(element),
        };
        if start < 0 {
            return Ok(format!(
                "arraycopy: {name} index {start} out of bounds for {what}[{length}]"
            ));
        }
        if start + count > i64::from(length) {
            let last = start + count;
            return Ok(format!(
                "arraycopy: last {name} index {last} out of bounds for {what}[{length}]"
            ));
        }
    }
    Ok("arraycopy: out of bounds".to_string())
}

fn identity_hash_code(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let hash = machine.identity_hash(reference(arguments, 0))?;
    answer_int(hash)
}

impl Machine {
    /// Lets a little time pass on the running thread's clock and reads it.
    pub(crate) fn tick(&mut self) -> Result<u64, Trap> {
        let core = self.core_mut(self.current)?;
        core.clock += TICK_NANOS;
        core.ticks += 1;
        Ok(core.clock)
    }
}

/// What a thread's clock shows at a moment given in milliseconds since 1970.
pub(crate) fn clock_at(millis: u64) -> u64 {
    millis.saturating_sub(START_MILLIS).saturating_mul(1_000_000)
}

fn current_time_millis(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(START_MILLIS + machine.tick()? / 1_000_000))
}

fn nano_time(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(machine.tick()?))
}

fn nano_adjustment(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let since = (word(arguments, 0) as i64).wrapping_mul(1_000_000_000);
    let now = (START_MILLIS * 1_000_000 + machine.tick()?) as i64;
    Ok(Reply::Word(now.wrapping_sub(since) as u64))
}

/// The seed of the iteration order of immutable sets and maps, which the JVM draws anew each time.
fn random_seed(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(0x5EED))
}

/// Sets a standard stream: the program does, so its reads of the stream are visible, too.
fn set_static(machine: &mut Machine, field: &str, value: Reference) -> Result<Reply, Trap> {
    let class = machine.load_class(SYSTEM)?;
    let place = machine.field_place(class, field)?;
    let handle =
        Handle { kind: PUT_STATIC, target: class.0, field: place.index as u32, bound: false };
    let site = machine.world.symbols.intern("(Ljava/lang/Object;)V");
    let adapter = machine.handle_adapter(handle, site)?;
    Ok(Reply::Call(adapter, smallvec![value.0], Hook::None))
}

fn set_out(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    set_static(machine, "out", reference(arguments, 0))
}

fn set_err(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    set_static(machine, "err", reference(arguments, 0))
}

fn set_in(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    set_static(machine, "in", reference(arguments, 0))
}

fn exit(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.options.shutdown_hooks { Ok(Reply::Decline) } else { halt(machine, arguments) }
}

fn halt(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    // Of two exits in one step the failure is told.
    let code = machine.exit.filter(|code| *code != 0).unwrap_or(int(arguments, 0));
    machine.exit = Some(code);
    machine.core_mut(machine.current)?.status = ThreadStatus::Exiting;
    Err(Trap::Exit)
}

fn exit_runtime(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    exit(machine, &arguments[1..])
}

fn halt_runtime(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    halt(machine, &arguments[1..])
}

/// The JDK's own initialisers see one processor, so that they spin little; programs see two, so that
/// their pools have several threads.
pub(super) fn available_processors(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    answer_int(if machine.nesting.permanent > 0 { 1 } else { 2 })
}

fn process_number(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(PROCESS_NUMBER))
}

/// When a process was started, or -1 if there is none with this number.
fn process_start(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let own = word(arguments, 0) == PROCESS_NUMBER;
    Ok(Reply::Word(if own { START_MILLIS } else { u64::MAX }))
}

fn minus_one_long(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(u64::MAX))
}

fn minus_one(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(u64::MAX))
}

fn memory(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(machine.options.heap_words * 8))
}

impl Machine {
    /// A new array of strings.
    pub(crate) fn string_array(&mut self, texts: &[String]) -> Result<Reference, Trap> {
        let class = self.array_class(self.known.string)?;
        let array = self.new_array(class, texts.len() as u32)?;
        for (index, text) in texts.iter().enumerate() {
            let string = self.new_string(text)?;
            self.store(array, ARRAY_HEADER_WORDS + index as u32, string.0)?;
        }
        Ok(array)
    }
}
