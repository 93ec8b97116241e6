//! The machine: loaded classes, the state of one execution, and the operations on both that
//! everything else is built from.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::Duration;

use counterpoint_model::Interrupt;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::classfile::Type;
use crate::coverage::Coverage;
use crate::dependences::Dependences;
use crate::dynamic::{Body, Handle};
use crate::error::{Fault, FaultKind};
use crate::interpret::ReadHold;
use crate::interpret::environment::AskedFor;
use crate::interpret::hidden_check::HiddenUses;
use crate::known::KnownClasses;
use crate::memory::{
    ARRAY_HEADER_WORDS, FROZEN, Header, Heap, INTERNALS, PERMANENT, REACHED, Reference, SHARED,
    Threads,
};
use crate::unknown::{Unknowns, is_unknown};
use crate::world::{ClassId, ClassKind, FieldPlace, MethodId, Symbol, World};

/// Why a piece of machine code could not finish normally.
#[derive(Debug, Clone)]
pub enum Trap {
    /// An exception object of the program.
    Throw(Reference),
    /// An exception still to be made: class and message.
    Raise(Box<Raised>),
    /// The machine cannot go on.
    Fault(Fault),
    /// The program asked for its own end.
    Exit,
}

/// An exception still to be made.
#[derive(Debug, Clone)]
pub struct Raised {
    /// Its class.
    pub class: &'static str,
    /// Its message.
    pub message: Option<String>,
}

impl Trap {
    /// An exception still to be made.
    #[cold]
    pub(crate) fn raise(class: &'static str, message: Option<String>) -> Trap {
        Trap::Raise(Box::new(Raised { class, message }))
    }
}

impl From<Fault> for Trap {
    fn from(fault: Fault) -> Trap {
        Trap::Fault(fault)
    }
}

impl From<FaultKind> for Trap {
    fn from(kind: FaultKind) -> Trap {
        Trap::Fault(kind.into())
    }
}

/// Makes a trap that raises an exception with a message.
pub(crate) fn raise<T>(class: &'static str, message: impl Into<String>) -> Result<T, Trap> {
    Err(Trap::raise(class, Some(message.into())))
}

/// Bounds and switches of a machine.
#[derive(Debug, Clone)]
pub struct Options {
    /// Words the heap may have.
    pub heap_words: u64,
    /// Words a thread's stack may have.
    pub stack_words: usize,
    /// Calls and backward jumps one step may make.
    pub fuel: u64,
    /// What may end a step before that.
    pub interrupt: Interrupt,
    /// How long the main thread may take up to its first operation when the program is loaded.
    pub to_begin: Option<Duration>,
    /// Whether `assert` statements are checked.
    pub assertions: bool,
    /// Whether locks of the JDK run the JDK's own code and are not single operations. A program that asks
    /// who waits for a lock has it in any case.
    pub real_locks: bool,
    /// Whether writers join the queue of a lock whenever somebody reads, since somebody may notice that other than by
    /// waiting for ever: see `interpret/synchroniser.rs`. A program that can has it in any case.
    pub notices_queues: bool,
    /// Whether the entries of concurrent maps are counted step by step, since somebody may remove some and ask how many
    /// there are: see `interpret/concurrent_map.rs`. A program that can has it in any case.
    pub counts_step_by_step: bool,
    /// Whether pools run the JDK's own code, since somebody may ask how busy their workers are. A program
    /// that asks has it in any case.
    pub real_pools: bool,
    /// Whether a thread that runs in a loop in which it only looks is held until something that it
    /// looks at changes.
    pub prune_loops: bool,
    /// Whether the end of a thread is an operation of its own, since somebody may ask for it. A program
    /// that asks has it in any case.
    pub notice_ends: bool,
    /// Whether a thread that ends waits for the monitor of its `Thread`.
    pub ends_take_monitors: bool,
    /// Whether who prints on the console takes the monitor of the stream, as on any other print stream. A program that
    /// locks a print stream has it in any case.
    pub prints_take_monitors: bool,
    /// Whether the program may register shutdown hooks. One that can has it in any case.
    pub shutdown_hooks: bool,
    /// Whether the program may change what initialisers of the JDK read: see `interpret/initialize.rs`.
    /// A program that can has it in any case.
    pub changes_settings: bool,
    /// Whether everything runs step by step: no call is performed as one atomic call, no code of the library is
    /// hidden, no loop is pruned, every access to what threads share is visible, final fields included,
    /// and every initialiser of the program runs in every execution. Implies `real_locks`. Slow: for
    /// tests, which compare the machine with its shortcuts to the one without, and for doubters.
    pub no_shortcuts: bool,
    /// Whether waiting threads may go on although nobody has woken them.
    pub spurious: bool,
    /// Time limits of at least so many nanoseconds expire only when no other thread can move. Without it all may
    /// expire at any time.
    pub patience: Option<u64>,
    /// Whether to note what is executed.
    pub coverage: bool,
    /// Whether to note where threads go, step by step.
    pub route: bool,
    /// Setters of the library that the program mentions: what they set is visible.
    pub mentioned: Vec<&'static str>,
    /// Static methods whose results are inputs: classes as in class files, and names.
    pub inputs: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            heap_words: 64 << 20,
            stack_words: 192 << 10,
            fuel: u64::MAX,
            interrupt: Interrupt::never(),
            to_begin: None,
            assertions: true,
            real_locks: false,
            notices_queues: false,
            counts_step_by_step: false,
            real_pools: false,
            prune_loops: true,
            notice_ends: false,
            ends_take_monitors: false,
            prints_take_monitors: false,
            shutdown_hooks: false,
            changes_settings: false,
            no_shortcuts: false,
            spurious: false,
            patience: None,
            coverage: false,
            route: false,
            mentioned: Vec::new(),
            inputs: Vec::new(),
        }
    }
}

/// What the present step is about.
#[derive(Debug, Default)]
pub(crate) struct StepState {
    /// Calls and backward jumps that the present step may make before it looks up.
    pub(crate) fuel: u64,
    /// How many it may make after that.
    pub(crate) more_fuel: u64,
    /// About how many bytes natives have gone through since the machine has last looked up.
    pub(crate) bytes: Cell<u64>,
    /// Whether it began by going on after parking.
    pub(crate) parked: bool,
    /// Threads started by the present step, which still have to run up to their first operation.
    pub(crate) started: Vec<usize>,
    /// Those of them that could not be run up to their first operation, and why.
    pub(crate) failed_children: Vec<(usize, Fault)>,
    /// What the present step did to others besides its own operation.
    pub(crate) effects: Vec<SideEffect>,
    /// Which of several alternatives the present step takes.
    pub(crate) alternative: u32,
    /// Whom the notification that is the present step wakes.
    pub(crate) woken: Option<crate::memory::Woken>,
}

/// Calls from the machine's own code into the program's or the JDK's, and what they are for.
#[derive(Debug, Default)]
pub(crate) struct Nesting {
    /// Depth of calls from the machine's own code, inside which nothing is a visible operation.
    pub(crate) machine_calls: u32,
    /// Depth of initialisers of the JDK, whose effects are kept in all executions.
    pub(crate) permanent: u32,
    /// Depth of initialisers of the JDK that are run to find out what they read.
    pub(crate) rehearsing: u32,
    /// Whether the innermost of them has read what the program may change.
    pub(crate) reads_settings: Cell<bool>,
}

/// What the program prints.
#[derive(Debug, Default)]
pub(crate) struct Console {
    /// What the program printed.
    pub(crate) output: Vec<u8>,
    /// What it printed to the error stream.
    pub(crate) errors: Vec<u8>,
}

/// What is made once and stays the same in all executions.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    /// String literals by content, as UTF-16.
    pub(crate) literals: FxHashMap<Box<[u16]>, Reference>,
    /// Recently called interface methods: class and method to implementation.
    pub(crate) interface_cache: Vec<(ClassId, MethodId, MethodId)>,
    /// Classes of the JDK whose initialisers the machine cannot run, and why.
    pub(crate) broken_classes: Vec<(ClassId, Fault)>,
    /// Method types made so far.
    pub(crate) method_types: FxHashMap<Symbol, Reference>,
    /// The descriptors of those.
    pub(crate) described_types: FxHashMap<Reference, Symbol>,
    /// What stands for the files and folders that a program has named: see `interpret/files.rs`.
    pub(crate) file_entries: FxHashMap<PathBuf, Reference>,
    /// The methods that perform all operations on files: without and with a result.
    pub(crate) file_methods: [Option<MethodId>; 2],
    /// Methods that call the synchronized `run` of a thread, or what takes an exception of the main thread.
    pub(crate) thread_entries: FxHashMap<MethodId, MethodId>,
    /// Methods of threads that have only their end before them: of most, and of the main thread of a program
    /// with shutdown hooks.
    pub(crate) last_methods: [Option<MethodId>; 2],
    /// What starts the thread that waits for all others, and the method of that thread: see
    /// `interpret/shutdown.rs`.
    pub(crate) destroyer_start: Option<(MethodId, Reference)>,
    pub(crate) destroyer_entry: Option<MethodId>,
    /// Methods that invoke handles, by handle and descriptor of the call site.
    pub(crate) adapters: FxHashMap<(Handle, Symbol), MethodId>,
    /// Methods that access variables with the types of a call site, by site and variable; none where these are the
    /// variable's own.
    pub(crate) access_adapters: FxHashMap<(u32, [u64; 4]), Option<MethodId>>,
    /// Methods that do what combined handles do, by what they combine.
    pub(crate) combinations: FxHashMap<String, MethodId>,
    /// Bodies in byte code in place of natives.
    pub(crate) bodies: FxHashMap<Body, MethodId>,
    /// After what the objects of the permanent segment are named, in the order of their places: identity
    /// hashes and keys of permanent objects are made from it.
    pub(crate) permanent_names: Vec<PermanentNames>,
}

/// A JVM.
#[derive(Debug)]
pub struct Machine {
    pub(crate) world: World,
    pub(crate) heap: Heap,
    pub(crate) threads: Threads,
    pub(crate) known: KnownClasses,
    pub(crate) options: Options,
    /// The thread that runs.
    pub(crate) current: usize,
    /// The segment that new objects go to.
    pub(crate) segment: u32,
    /// Whether a second thread was started, so that accesses can be visible.
    pub(crate) concurrent: bool,
    /// Whether some method was performed as one atomic call, so that threads may stop inside of one.
    pub(crate) has_entered_atomic_call: bool,
    /// Writes of the program's execution to objects that are permanent, which the heap does not count.
    pub(crate) permanent_writes: u64,
    /// Writes that only take locks and free them, among those that the heap counts.
    pub(crate) lock_writes: u64,
    /// The machine's own code that is running.
    pub(crate) nesting: Nesting,
    /// The present step.
    pub(crate) step: StepState,
    /// Whether a step was ended in its middle: the machine is of no use any more.
    pub(crate) interrupted: bool,
    /// What the program has printed.
    pub(crate) console: Console,
    /// What is made once for all executions.
    pub(crate) caches: Caches,
    /// Strings interned by this execution.
    pub(crate) interned: Vec<Reference>,
    /// Who has held read locks how often, as a journal: the last entry for a lock and thread counts.
    pub(crate) read_holds: Vec<ReadHold>,
    /// The numbers of threads by parent and number among its children.
    pub(crate) thread_numbers: FxHashMap<(usize, u32), usize>,
    /// Parent and child number of each thread number.
    pub(crate) thread_names: Vec<(usize, u32)>,
    /// Threads that have not ended and are no daemons: the program ends with the last of them.
    pub(crate) alive: u32,
    /// What was executed, if somebody wants to know.
    pub(crate) coverage: Option<Box<Coverage>>,
    /// What steps depend on, if somebody wants to know.
    pub(crate) dependences: Option<Box<Dependences>>,
    /// Exit code once the program has called for the end.
    pub(crate) exit: Option<i32>,
    /// What depends on inputs.
    pub(crate) unknowns: Unknowns,
    /// What the program has asked of the world around it, in whatever execution.
    pub(crate) asked_for: AskedFor,
    /// How the variables of internals have been used.
    pub(crate) hidden_uses: HiddenUses,
}

/// Objects of the permanent segment that are named after one thing, such as a class whose initialiser
/// makes them. What is made meanwhile for something else (a class that is loaded, a literal, another
/// initialiser) is named after that and does not count, so that names are the same whatever was
/// loaded before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PermanentNames {
    /// Where they begin.
    pub start: u32,
    /// Where they would begin had nothing else been made meanwhile.
    pub base: u32,
    /// A hash of the name.
    pub name: u64,
}

/// What a step can do to others besides the operation it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SideEffect {
    /// An exception left a synchronized method, which freed the monitor.
    Freed(Reference),
    /// A class was initialised, or failed to be.
    Initialized(ClassId),
    /// The thread ended, and this one waited for that on its `Thread`.
    Woken(usize),
}

/// Entries of the cache of interface calls.
pub(crate) const INTERFACE_CACHE: usize = 1024;

impl Machine {
    /// The class of an object.
    pub(crate) fn class_of(&self, object: Reference) -> Result<ClassId, Fault> {
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        if (header.class().0 as usize) < self.world.classes.len() {
            Ok(header.class())
        } else {
            Err(bad_reference())
        }
    }

    /// A word of an object, which must not depend on an input.
    pub(crate) fn load(&self, object: Reference, word: u32) -> Result<u64, Fault> {
        let word = self.heap.load(object, word).ok_or_else(bad_reference)?;
        if self.unknowns.active && is_unknown(word) {
            return Err(number_wanted());
        }
        Ok(word)
    }

    /// A reference in an object.
    pub(crate) fn load_reference(&self, object: Reference, word: u32) -> Result<Reference, Fault> {
        self.load(object, word).map(Reference)
    }

    /// Writes a word of an object. Storing references this way does not publish them.
    pub(crate) fn store(&mut self, object: Reference, word: u32, value: u64) -> Result<(), Fault> {
        self.heap.store(object, word, value).ok_or_else(bad_reference)
    }

    /// From now on steps are left when this is raised.
    pub(crate) fn heed(&mut self, interrupt: &Interrupt) {
        self.options.interrupt = interrupt.clone();
        self.heap.heed(interrupt);
    }

    /// A new instance of a class, zeroed.
    pub(crate) fn new_object(&mut self, class: ClassId) -> Result<Reference, Trap> {
        let words = self.world.class(class).instance_words;
        self.heap.allocate(self.segment, class, words).ok_or_else(out_of_memory)
    }

    /// A new array of an array class, zeroed.
    pub(crate) fn new_array(&mut self, class: ClassId, length: u32) -> Result<Reference, Trap> {
        let Some((_, element)) = self.world.class(class).element() else {
            return Err(Fault::invalid("a new array of a class that is not an array class").into());
        };
        let made = self.heap.allocate_array(self.segment, class, element, length);
        made.ok_or_else(|| no_array(length))
    }

    /// Length of an array.
    pub(crate) fn length(&self, array: Reference) -> Result<u32, Fault> {
        self.heap.length(array).ok_or_else(bad_reference)
    }

    /// The element type of an array object.
    pub(crate) fn element_type(&self, array: Reference) -> Result<(ClassId, Type), Trap> {
        match self.world.class(self.class_of(array)?).kind {
            ClassKind::Array(class, element) => Ok((class, element)),
            _ => raise("java/lang/IllegalArgumentException", "Argument is not an array"),
        }
    }

    /// An element of an array of references.
    pub(crate) fn array_reference(&self, array: Reference, index: u32) -> Result<Reference, Fault> {
        self.load_reference(array, ARRAY_HEADER_WORDS + index)
    }

    /// Refuses a packed array that has unknown elements.
    pub(crate) fn check_known(&self, array: Reference) -> Result<(), Fault> {
        let known = !self.unknowns.has_elements() || self.unknown_elements(array)?.is_empty();
        if known { Ok(()) } else { Err(number_wanted()) }
    }

    /// The bytes of a byte array.
    pub(crate) fn byte_array(&self, array: Reference) -> Result<Vec<u8>, Fault> {
        self.check_known(array)?;
        let length = self.length(array)?;
        self.worked(u64::from(length))?;
        let mut bytes = Vec::with_capacity(length as usize);
        for word in 0..length.div_ceil(8) {
            let word =
                self.heap.load(array, ARRAY_HEADER_WORDS + word).ok_or_else(bad_reference)?;
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.truncate(length as usize);
        Ok(bytes)
    }

    /// A new byte array with this content.
    pub(crate) fn new_byte_array(&mut self, bytes: &[u8]) -> Result<Reference, Trap> {
        let array = self.new_array(self.known.byte_array, bytes.len() as u32)?;
        for (index, chunk) in bytes.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.store(array, ARRAY_HEADER_WORDS + index as u32, u64::from_le_bytes(word))?;
        }
        Ok(array)
    }

    /// The field with a name in a class or its superclasses, which the machine relies on.
    pub(crate) fn field_place(&self, class: ClassId, name: &str) -> Result<FieldPlace, Fault> {
        self.world.field_named(class, name).ok_or_else(|| {
            Fault::unsupported(format!(
                "this JDK: {} has no field {name}",
                self.world.external_name(class)
            ))
        })
    }

    /// The word of an instance field that the machine relies on.
    pub(crate) fn field_word(&self, class: ClassId, name: &'static str) -> Result<u32, Fault> {
        self.known.field_words.get_or_find(class, "", name, || {
            let place = self.field_place(class, name)?;
            Ok(self.world.class(place.class).fields[place.index].word)
        })
    }

    /// The word of an instance field that a class of the JDK declares; its subclasses may have others with that name.
    pub(crate) fn own_word(
        &self,
        object: Reference,
        owner: &'static str,
        name: &'static str,
    ) -> Result<u32, Fault> {
        let class = self.class_of(object)?;
        self.known.field_words.get_or_find(class, owner, name, || {
            let ancestors = self.world.class(class).ancestors.iter().copied();
            let owner = ancestors.chain([class]).find(|id| self.world.class_name(*id) == owner);
            self.field_word(owner.unwrap_or(class), name)
        })
    }

    /// Reads an instance field by name.
    pub(crate) fn get_field(&self, object: Reference, name: &'static str) -> Result<u64, Fault> {
        let word = self.field_word(self.class_of(object)?, name)?;
        self.load(object, word)
    }

    /// Writes an instance field by name.
    pub(crate) fn set_field(
        &mut self,
        object: Reference,
        name: &'static str,
        value: u64,
    ) -> Result<(), Fault> {
        let word = self.field_word(self.class_of(object)?, name)?;
        self.store(object, word, value)
    }

    /// The mirror and word of a static field by name.
    pub(crate) fn static_place(
        &self,
        class: ClassId,
        name: &str,
    ) -> Result<(Reference, u32), Fault> {
        let place = self.field_place(class, name)?;
        let owner = self.world.class(place.class);
        Ok((owner.mirror, owner.fields[place.index].word))
    }

    /// Runs a piece of machine code whose allocations and writes stay in all executions.
    pub(crate) fn permanently<T>(
        &mut self,
        work: impl FnOnce(&mut Machine) -> Result<T, Trap>,
    ) -> Result<T, Trap> {
        self.permanently_if(work, |_| true)
    }

    /// The same, if that turns out right; otherwise its writes are undone.
    pub(crate) fn permanently_if<T>(
        &mut self,
        work: impl FnOnce(&mut Machine) -> Result<T, Trap>,
        keeps: impl FnOnce(&Machine) -> bool,
    ) -> Result<T, Trap> {
        let log = self.heap.log_length();
        self.heap.hold_log();
        let segment = std::mem::replace(&mut self.segment, PERMANENT);
        self.nesting.permanent += 1;
        let (written, counted) = (self.permanent_writes, self.heap.writes());
        let (top, names) = (self.heap.top(PERMANENT), self.caches.permanent_names.last().copied());
        // What stays in all executions is the same in all of them.
        let watched = self.heap.look_away();
        let result = work(self);
        self.heap.resume_watch(watched);
        self.permanent_writes = written;
        self.heap.forget_writes_since(counted);
        self.nesting.permanent -= 1;
        self.segment = segment;
        self.resume_permanent_names(top, names);
        if keeps(self) {
            self.heap.keep_writes_since(log);
        } else {
            self.heap.undo_writes_since(log);
        }
        if self.nesting.permanent > 0 {
            self.heap.hold_log();
        }
        result
    }

    /// Sets a flag of an object.
    pub(crate) fn set_flag(&mut self, object: Reference, flag: u64) -> Result<(), Fault> {
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        if header.has(flag) { Ok(()) } else { self.store(object, 0, header.with(flag).0) }
    }

    /// Marks an object and all that can be reached from it as reachable by several threads.
    pub(crate) fn publish(&mut self, object: Reference) -> Result<(), Fault> {
        publish(&self.world, &mut self.heap, object, SHARED).ok_or_else(bad_reference)
    }

    /// The same, through something with this flag.
    pub(crate) fn publish_as(&mut self, object: Reference, flag: u64) -> Result<(), Fault> {
        publish(&self.world, &mut self.heap, object, flag).ok_or_else(bad_reference)
    }

    /// Whether other threads can reach the content of an object, now that there are any.
    pub(crate) fn is_reached(&self, object: Reference) -> bool {
        self.concurrent
            && self.nesting.permanent == 0
            && self.heap.header(object).is_some_and(|header| header.has(REACHED))
    }
}

/// The flag with which what is stored into a word of an object becomes reachable by several threads;
/// none if the object itself is not.
#[inline]
pub(crate) fn flag_of_stored(world: &World, head: u64, word: u32) -> Option<u64> {
    match head & REACHED {
        0 => None,
        INTERNALS => {
            let owned = &world.class(Header(head).class()).owned_words;
            Some(if owned.contains(&word) { INTERNALS } else { SHARED })
        }
        flag => Some(flag),
    }
}

/// Marks an object and all that can be reached from it as reachable by several threads, through
/// something with this flag: the program's own data, the library's caches, or the insides of a pool
/// or queue. What is marked already keeps its mark, so that an object's mark depends on nobody but the thread
/// that made it.
pub(crate) fn publish(world: &World, heap: &mut Heap, object: Reference, flag: u64) -> Option<()> {
    let mut work: SmallVec<[(Reference, u64); 16]> = SmallVec::new();
    work.push((object, flag));
    while let Some((object, flag)) = work.pop() {
        if object.is_null() {
            continue;
        }
        let header = heap.header(object)?;
        if header.0 & (REACHED | FROZEN) != 0 {
            continue;
        }
        if Some(header.class()) == world.string {
            // Strings do not change: only their monitors can be visible.
            heap.store(object, 0, header.with(FROZEN).0)?;
            let value = Reference(heap.peek(object, world.string_value)?);
            if let Some(header) = heap.header(value) {
                heap.store(value, 0, header.with(FROZEN).0)?;
            }
            continue;
        }
        let class = world.classes.get(header.class().0 as usize)?;
        let flag = if flag == SHARED { class.instance_flag } else { flag };
        heap.store(object, 0, header.with(flag).0)?;
        match class.kind {
            ClassKind::Array(_, Type::Reference) => {
                let owned = !class.owned_words.is_empty();
                let inner = if flag == INTERNALS && !owned { SHARED } else { flag };
                for index in 0..heap.length(object)? {
                    let element = heap.peek(object, ARRAY_HEADER_WORDS + index)?;
                    work.push((Reference(element), inner));
                }
            }
            ClassKind::Array(..) => {}
            _ => {
                for word in &class.reference_words {
                    let inner = match flag {
                        INTERNALS if !class.owned_words.contains(word) => SHARED,
                        flag => flag,
                    };
                    work.push((Reference(heap.peek(object, *word)?), inner));
                }
            }
        }
    }
    Some(())
}

/// A reference that does not lead to an object: only invalid code has one.
pub(crate) fn bad_reference() -> Fault {
    Fault::invalid("a value that is not a reference is used as one")
}

/// No room for an array; there are lengths that the JVM does not even try.
pub(crate) fn no_array(length: u32) -> Trap {
    const LONGEST: u32 = i32::MAX as u32 - 2;
    if length <= LONGEST {
        return out_of_memory();
    }
    let message = "Requested array size exceeds VM limit".to_string();
    Trap::raise("java/lang/OutOfMemoryError", Some(message))
}

pub(crate) fn out_of_memory() -> Trap {
    Trap::raise("java/lang/OutOfMemoryError", Some("Java heap space".to_string()))
}

/// A fault for an unknown where the machine has to know a number.
pub(crate) fn number_wanted() -> Fault {
    Fault::unsupported("an input in a place where the machine has to know its value")
}
