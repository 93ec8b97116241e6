//! What a program can ask about its threads, its pools and the time, and which settings it can change.
//!
//! Whether a thread has ended, waits or exists is memory that it shares with every thread that asks. In a
//! program in which nobody can ask, the end of a thread is part of its last step and its state needs no
//! location, so that there is less to explore. The answer comes from the constants of the program's
//! classes. Names are enough: a program that mentions one for another reason has a few more steps and
//! the same outcomes. The machine without shortcuts takes it that everything can be asked and changed.

use rustc_hash::FxHashMap;

use crate::classfile::{ClassFile, Constant, MemberRef};
use crate::code::{LockedMonitors, locked_monitors};
use crate::world::SETTABLE_FIELDS;

/// Methods that tell whether a thread has ended, beside joins with a time limit.
const ENDS: &[&str] = &["isAlive", "getState", "getThreadGroup", "timedJoin"];
/// Methods of management beans that tell what all threads are doing.
const STATES: &[&str] = &["findDeadlockedThreads", "findMonitorDeadlockedThreads"];
/// Methods that interrupt threads.
const INTERRUPTS: &[&str] = &["interrupt", "cancel", "shutdownNow"];
/// Methods of a pool that cancel tasks.
const CANCELS: &[&str] = &["invokeAny", "invokeAll"];
/// What finds classes by their names.
const LOADS: &[&str] = &["forName", "loadClass", "java/util/ServiceLoader"];
/// What tells which threads there are.
const THREADS: &[&str] =
    &["activeCount", "enumerate", "getAllStackTraces", "java/lang/ThreadGroup", BEAN];
/// The bean that tells about threads.
const BEAN: &str = "java/lang/management/ThreadMXBean";
/// Methods that tell who waits for a lock or a semaphore.
const QUEUES: &[&str] =
    &["hasQueuedThreads", "hasQueuedThread", "getQueueLength", "getQueuedThreads"];
/// Methods that change what holds for the whole program, or give access to it.
const SETTINGS: &[&str] =
    &["setProperty", "setProperties", "clearProperty", "getProperties", "setDefault"];
/// Methods that interrupt the workers of a pool that have begun.
const STOPS: &[&str] = &["shutdownNow", "close"];
/// Methods that tell how busy the workers of a pool are.
const BUSINESS: &[&str] = &["getActiveCount", "getTaskCount", "getCompletedTaskCount"];
/// Methods that may take something out of a concurrent map, or out of a view of one.
const REMOVALS: &[&str] = &[
    "remove",
    "removeAll",
    "removeIf",
    "retainAll",
    "clear",
    "compute",
    "computeIfPresent",
    "merge",
];
/// Methods that tell how many entries a concurrent map or a view of one has.
const SIZES: &[&str] = &["size", "isEmpty", "mappingCount"];
/// Methods that ask another map how many entries it has.
const COMPARISONS: &[&str] = &["equals", "putAll", "(Ljava/util/Map;)V"];
/// Types of the JDK that a concurrent map or a view of one can have.
const MAPS: &[&str] = &[
    "java/lang/Iterable",
    "java/lang/Object",
    "java/util/AbstractCollection",
    "java/util/AbstractMap",
    "java/util/AbstractSet",
    "java/util/Collection",
    "java/util/Collections",
    "java/util/Iterator",
    "java/util/Map",
    "java/util/Objects",
    "java/util/Properties",
    "java/util/Set",
    "java/util/concurrent/ConcurrentMap",
];
/// What tells the time.
const CLOCKS: &[&str] =
    &["nanoTime", "currentTimeMillis", "now", "java/util/Date", "java/time/Clock"];
/// The method that registers shutdown hooks.
const HOOK: &str = "addShutdownHook";
/// The enumeration of what threads are doing.
const STATE: &str = "java/lang/Thread$State";

/// What somebody may ask.
#[derive(Debug, Clone, Default)]
pub(super) struct Queries {
    /// What a thread is doing.
    pub states: bool,
    /// Whether a thread has ended, other than by waiting until it has.
    pub ends: bool,
    /// Nothing: it may lock a `Thread`, and so wait on one.
    pub thread_monitors: bool,
    /// Nothing: it may lock a print stream, or take a lock while it prints, and so keep others from printing.
    pub stream_monitors: bool,
    /// Which threads there are.
    pub threads: bool,
    /// What time it is.
    pub clocks: bool,
    /// Who waits for a lock or a semaphore.
    pub queues: bool,
    /// How busy the workers of a pool are.
    pub business: bool,
    /// How many entries a map has.
    pub sizes: bool,
    /// Nothing: it may remove entries of maps.
    pub removes: bool,
    /// Nothing: it may wait with a time limit.
    pub limits: bool,
    /// Nothing: it may try to take locks within some time.
    pub timed_locks: bool,
    /// Nothing: it may interrupt threads, itself or by what it calls.
    pub interrupts: bool,
    /// Nothing: it may make the workers of a pool stop.
    pub stops: bool,
    /// Nothing: it orders accesses to memory by fences.
    pub fences: bool,
    /// Nothing: it may register shutdown hooks.
    pub hooks: bool,
    /// Nothing: it may change properties, the default locale or the default time zone.
    pub settings: bool,
    /// Nothing: setters of the library that it may call.
    pub setters: Vec<&'static str>,
}

impl Queries {
    /// What the classes of a program may ask that its main class mentions, and those mention, and so on. A
    /// class that is found by its name at run time counts if that name is in some constant; where names
    /// may come from elsewhere, all classes count.
    pub fn of(classes: Vec<(String, Vec<u8>)>, main: &str) -> Queries {
        let mut unread: FxHashMap<String, Vec<u8>> = classes.into_iter().collect();
        let mut work = vec![main.to_string()];
        let mut found = ConstantNames::default();
        while let Some(name) = work.pop().or_else(|| found.next_of_all(&unread)) {
            let Some(bytes) = unread.remove(&name) else { continue };
            for text in found.look_through(bytes) {
                let text = text.replace('.', "/");
                if unread.contains_key(&text) {
                    work.push(text);
                }
            }
        }
        let LockedMonitors { threads, streams } = locked_monitors(&found.classes);
        found.queries.thread_monitors = threads;
        found.queries.stream_monitors = streams;
        let ConstantNames { mut queries, joins, interrupts, takes, queue, scheduled, .. } = found;
        queries.setters.sort_unstable();
        queries.setters.dedup();
        // Who is interrupted while joining can tell whether the other has ended.
        queries.ends |= joins && interrupts || queries.threads || queries.states;
        // Who has the monitor of a thread keeps it from ending.
        queries.ends |= queries.thread_monitors;
        // Who takes tasks from the queue of a timer waits inside it, as the timer's own workers do.
        queries.business |= takes && queue && scheduled;
        queries
    }

    /// Everything.
    pub fn everything() -> Queries {
        let setters = SETTABLE_FIELDS.iter().flat_map(|row| row.2).copied().collect();
        Queries {
            states: true,
            ends: true,
            thread_monitors: true,
            threads: true,
            clocks: true,
            queues: true,
            business: true,
            sizes: true,
            removes: true,
            limits: true,
            timed_locks: true,
            interrupts: true,
            stops: true,
            // Who has no use for them cannot tell who takes them.
            stream_monitors: false,
            // A program that registers none ends as it does without.
            hooks: false,
            fences: false,
            settings: true,
            setters,
        }
    }
}

/// What was found in the constants of classes.
#[derive(Default)]
struct ConstantNames {
    queries: Queries,
    joins: bool,
    interrupts: bool,
    /// Whether something is taken out of a queue and waited for, whether a pool is asked for its queue, and
    /// whether there may be a pool that runs tasks later.
    takes: bool,
    queue: bool,
    scheduled: bool,
    /// Whether classes may be found by names that are in no constant.
    loads: bool,
    /// The classes that were read.
    classes: Vec<ClassFile>,
}

impl ConstantNames {
    /// A class that has not been read, if all have to be.
    fn next_of_all(&self, unread: &FxHashMap<String, Vec<u8>>) -> Option<String> {
        if self.loads { unread.keys().next().cloned() } else { None }
    }

    /// Adds what a method of this class, or of any, may have to do with how many entries a map has.
    fn look_at_maps(&mut self, class: Option<&str>, words: &[&str]) {
        let names = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
        let is_map = class.is_none_or(may_be_map);
        let compares = class.is_none_or(|class| is_map || !class.starts_with("java/lang/"));
        self.queries.removes |= is_map && names(REMOVALS);
        self.queries.sizes |= is_map && names(SIZES) || compares && names(COMPARISONS);
    }

    /// Adds what a class asks, and gives all texts among its constants. One that cannot be read is
    /// complained about when it is loaded.
    fn look_through(&mut self, bytes: Vec<u8>) -> Vec<String> {
        let Ok(file) = ClassFile::parse(bytes) else { return Vec::new() };
        let mut texts = Vec::new();
        for index in 0..file.pool.count() as u16 {
            match file.pool.get(index) {
                Constant::Text(..) => {
                    texts.extend(file.pool.text(&file.bytes, index));
                }
                Constant::NameAndType(..) => {
                    let member = file.pool.name_and_type(&file.bytes, index);
                    let join = member.clone().filter(|(name, _)| name == "join").map(|(_, of)| of);
                    self.queries.ends |= join.as_deref().is_some_and(is_time);
                    self.queries.limits |=
                        member.as_ref().is_some_and(|(name, of)| has_limit(name, of));
                    self.joins |= join.is_some_and(|of| of == "()V");
                    self.takes |= member.is_some_and(|(name, of)| {
                        name == "take" || name == "poll" && has_limit(&name, &of)
                    });
                }
                Constant::Method(..) | Constant::InterfaceMethod(..) => {
                    if let Some(MemberRef { class, name, descriptor, .. }) =
                        file.pool.member(&file.bytes, index)
                    {
                        self.look_at_maps(Some(&class), &[&name, &descriptor]);
                    }
                }
                // What reflection may look for.
                Constant::String(text) => {
                    let text = file.pool.text(&file.bytes, text);
                    self.joins |= text.as_deref().is_some_and(|text| text == "join");
                    self.look_at_maps(None, text.as_deref().as_slice());
                }
                _ => {}
            }
        }
        let names = |wanted: &str| texts.iter().any(|text| text == wanted);
        self.queries.timed_locks |= (names("tryLock") || names("tryReadLock"))
            && texts.iter().any(|text| text.contains("Ljava/util/concurrent/TimeUnit;"));
        for text in texts.iter().map(String::as_str) {
            self.queries.states |= text.contains(STATE) || STATES.contains(&text);
            self.queries.threads |= THREADS.contains(&text);
            self.queries.ends |= ENDS.contains(&text);
            self.queries.clocks |= CLOCKS.contains(&text);
            self.queries.queues |= QUEUES.contains(&text);
            self.queries.business |= BUSINESS.contains(&text);
            self.queries.stops |= STOPS.contains(&text);
            self.queries.fences |= text.ends_with("Fence");
            self.queries.hooks |= text == HOOK;
            self.queries.settings |= SETTINGS.contains(&text);
            let setters = SETTABLE_FIELDS.iter().flat_map(|row| row.2);
            self.queries.setters.extend(setters.filter(|setter| **setter == text));
            self.interrupts |= INTERRUPTS.contains(&text);
            self.queries.interrupts |=
                [INTERRUPTS, STOPS, CANCELS].iter().any(|names| names.contains(&text));
            self.loads |= LOADS.contains(&text);
            self.queue |= text == "getQueue";
            self.scheduled |= text.contains("Scheduled");
        }
        self.classes.push(file);
        texts
    }
}

/// Whether something that is known by this class may be a concurrent map or a view of one.
fn may_be_map(class: &str) -> bool {
    !class.starts_with("java/")
        || class.starts_with("java/util/concurrent/ConcurrentHashMap")
        || MAPS.contains(&class)
}

/// Methods that wait with a time limit, or make threads that do, beside those with units of time.
const LIMITED: &[&str] = &[
    "parkNanos",
    "parkUntil",
    "awaitNanos",
    "awaitUntil",
    "newCachedThreadPool",
    "allowCoreThreadTimeOut",
];

/// Whether a method waits with a time limit.
fn has_limit(name: &str, descriptor: &str) -> bool {
    LIMITED.contains(&name)
        || matches!(name, "join" | "wait") && descriptor.contains('J')
        || descriptor.contains("Ljava/util/concurrent/TimeUnit;")
        || descriptor.contains("Ljava/time/Duration;")
}

/// Whether the parameters of a join are a time limit.
fn is_time(descriptor: &str) -> bool {
    matches!(descriptor, "(J)V" | "(JI)V" | "(Ljava/time/Duration;)Z")
}
