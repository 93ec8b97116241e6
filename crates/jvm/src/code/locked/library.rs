//! What is known of methods of the library: what they do with what they are given, and which take no lock.
//!
//! Whatever is not listed here is taken for a method that keeps what it gets, and that takes a lock or waits.

use super::hierarchy::STREAM;
use crate::classfile::MemberRef;

/// Whether a method gives its first argument back, and keeps nothing.
pub(super) fn gives_argument_back(member: &MemberRef) -> bool {
    member.class == "java/util/Objects" && member.name == "requireNonNull"
}

/// Whether a method keeps nothing that it is given, and gives it to nobody else.
pub(super) fn keeps_nothing(member: &MemberRef) -> bool {
    gives_argument_back(member)
        || match &*member.class {
            STREAM => member.name != "<init>",
            "java/lang/System" => matches!(&*member.name, "setOut" | "setErr" | "identityHashCode"),
            "java/lang/Thread" => member.name == "holdsLock",
            "java/lang/String" => member.name == "valueOf",
            "java/lang/StringBuilder" => member.name == "append",
            _ => member.name == "printStackTrace",
        }
}

/// Whether a method's object locks, from then on, what the method is given.
pub(super) fn locks_argument(member: &MemberRef) -> bool {
    matches!(&*member.class, "java/io/Reader" | "java/io/Writer")
        && member.descriptor == "(Ljava/lang/Object;)V"
}

/// Whether a method finds members of classes by their names.
pub(super) fn finds_members(member: &MemberRef) -> bool {
    let class = &*member.class;
    class.starts_with("java/lang/reflect/")
        || class.starts_with("java/lang/invoke/MethodHandles")
        || class.ends_with("FieldUpdater") && member.name == "newUpdater"
}

/// Whether a method prints with the monitor of the stream while it asks objects for their texts.
pub(super) fn formats_on_stream(member: &MemberRef) -> bool {
    member.class == STREAM && matches!(&*member.name, "printf" | "format")
}

/// Packages whose classes take no lock.
const QUIET_PACKAGES: &[&str] = &[
    "java/lang/ref/",
    "java/lang/runtime/",
    "java/math/",
    "java/text/",
    "java/time/",
    "java/util/concurrent/atomic/",
    "java/util/function/",
    "java/util/regex/",
    "java/util/stream/",
];

/// Classes directly in `java/lang` and `java/util` that take locks, or whose methods wait.
const LOCKING: &[&str] = &[
    "java/lang/ClassLoader",
    "java/lang/Process",
    "java/lang/Runtime",
    "java/lang/StringBuffer",
    "java/lang/System",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/util/Collections",
    "java/util/Hashtable",
    "java/util/Observable",
    "java/util/Properties",
    "java/util/Stack",
    "java/util/Timer",
    "java/util/Vector",
];

/// Concurrent collections that read without locks.
const READ_WITHOUT_LOCKS: &[&str] = &[
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentLinkedDeque",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/ConcurrentMap",
    "java/util/concurrent/ConcurrentSkipListMap",
    "java/util/concurrent/ConcurrentSkipListSet",
    "java/util/concurrent/CopyOnWriteArrayList",
    "java/util/concurrent/CopyOnWriteArraySet",
];

/// Methods that only look, whatever their class, if it does not lock all of its methods.
const LOOKS: &[&str] = &[
    "availablePermits",
    "contains",
    "containsKey",
    "currentThread",
    "currentTimeMillis",
    "entrySet",
    "get",
    "getCount",
    "getId",
    "getName",
    "getNow",
    "getOrDefault",
    "identityHashCode",
    "isAlive",
    "isCancelled",
    "isDone",
    "isEmpty",
    "iterator",
    "keySet",
    "lineSeparator",
    "nanoTime",
    "ordinal",
    "size",
    "values",
];

/// Whether a method takes no lock itself, whatever it asks of the objects that it is given.
pub(super) fn takes_no_lock(member: &MemberRef) -> bool {
    let (class, name) = (&*member.class, &*member.name);
    if class.starts_with('[') {
        return true;
    }
    let in_package = |package: &str| {
        class
            .strip_prefix(package)
            .is_some_and(|rest| !rest.contains('/') && !LOCKING.contains(&class))
    };
    match class {
        "java/lang/Object" => !name.starts_with("wait"),
        "java/lang/Thread" | "java/lang/System" => LOOKS.contains(&name) || name == "toString",
        // An exception keeps its causes under its own monitor.
        "java/lang/Throwable" | "java/lang/Exception" => {
            matches!(name, "<init>" | "getMessage" | "getLocalizedMessage" | "toString")
        }
        "java/util/Collections" => !name.starts_with("synchronized"),
        "java/util/concurrent/CompletableFuture"
        | "java/util/concurrent/Future"
        | "java/util/concurrent/FutureTask" => LOOKS.contains(&name) && name != "get",
        _ if READ_WITHOUT_LOCKS.contains(&class) => LOOKS.contains(&name) || name == "toString",
        "java/util/concurrent/CountDownLatch" | "java/util/concurrent/Semaphore" => {
            LOOKS.contains(&name) || name == "toString"
        }
        _ => {
            QUIET_PACKAGES.iter().any(|package| class.starts_with(package))
                || in_package("java/lang/")
                || in_package("java/util/")
        }
    }
}

/// Classes whose objects make their texts under a lock that others may hold while they print.
pub(super) fn locks_for_text(class: &str) -> bool {
    const LOCKED_TEXTS: &[&str] = &[
        "java/io/ByteArrayOutputStream",
        "java/io/CharArrayWriter",
        "java/io/StringWriter",
        "java/util/Hashtable",
        "java/util/Properties",
        "java/util/Stack",
        "java/util/Vector",
    ];
    LOCKED_TEXTS.contains(&class)
}

/// Types of the library whose texts ask no object of the program for anything, and take no lock.
pub(super) fn has_plain_text(descriptor: &str) -> bool {
    const PLAIN: &[&str] = &[
        "java/lang/Boolean",
        "java/lang/Byte",
        "java/lang/Character",
        "java/lang/Class",
        "java/lang/Double",
        "java/lang/Float",
        "java/lang/Integer",
        "java/lang/Long",
        "java/lang/Short",
        "java/lang/String",
        "java/lang/StringBuilder",
        "java/util/Locale",
        "java/util/UUID",
    ];
    const PLAIN_ATOMICS: &[&str] = &[
        "AtomicBoolean",
        "AtomicInteger",
        "AtomicIntegerArray",
        "AtomicLong",
        "AtomicLongArray",
        "DoubleAdder",
        "LongAdder",
    ];
    let Some(class) = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) else {
        // A number, nothing, or an array, whose text tells nothing of its elements.
        return true;
    };
    let atomic = class.strip_prefix("java/util/concurrent/atomic/");
    PLAIN.contains(&class)
        || class.starts_with("java/math/")
        || class.starts_with("java/time/")
        || atomic.is_some_and(|name| PLAIN_ATOMICS.contains(&name))
}

/// Whether a method of the library makes a text of what it is given, of any type that its own tells.
pub(super) fn makes_text(member: &MemberRef) -> bool {
    match &*member.class {
        "java/lang/String" => matches!(&*member.name, "valueOf" | "join" | "format" | "formatted"),
        "java/lang/StringBuilder" | "java/lang/StringBuffer" => {
            matches!(&*member.name, "append" | "insert")
        }
        "java/util/Objects" => matches!(&*member.name, "toString" | "toIdentityString"),
        "java/util/Arrays" => matches!(&*member.name, "toString" | "deepToString"),
        "java/util/StringJoiner" => member.name == "add",
        _ => false,
    }
}
