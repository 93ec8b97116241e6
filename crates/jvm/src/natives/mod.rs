//! Native methods, and methods of the JDK that the machine replaces.
//!
//! One file per family of classes, each with a table of rows; [`find`] looks a method up by class,
//! name and descriptor (`*` stands for any descriptor, where JDK releases differ or all overloads
//! do the same). A method of the JDK that has byte code but also a row here runs the row: that is
//! how the parts of the library that lean on the real virtual machine (variable handles, the module
//! system, consoles) are cut off. A native method without a row is a fault that names it.

mod atomic_calls;
mod class;
mod combine;
mod completion;
mod concurrent_map;
mod console;
mod declarations;
mod fdlibm;
mod file;
mod fork_join;
mod input;
mod invoke;
mod loader;
mod lock;
mod lookup;
mod management;
mod number;
mod object;
mod random;
mod raw_memory;
mod reflect;
mod reflect_primitive;
mod rendezvous;
mod stack_walker;
mod string;
mod system;
mod text;
mod thread;
mod throwable;
mod unsafe_access;
mod zip;

pub(crate) use crate::interpret::access::access_mode;
pub(crate) use file::FILES_ROW;
pub(crate) use input::source;
pub(crate) use object::mix;
pub(crate) use system::clock_at;
pub(crate) use thread::{AWAITS_ENDS_ROW, DESTROYS_ROW, thread_state};

use std::collections::HashMap;
use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::classfile::Type;
use crate::coverage::NativeName;
use crate::interpret::access::{AccessKind, Ordering};
use crate::interpret::{
    FutureOperation, JdkOperation, ThreadOperation, thread_operation as operations,
};
use crate::machine::{Machine, Trap};
use crate::memory::{Hook, Reference};
use crate::world::MethodId;

/// What a native method answers.
#[derive(Debug)]
pub enum Reply {
    /// Done, nothing to return.
    Void,
    /// Done, with this word as the result.
    Word(u64),
    /// Calls another method in its place, whose result becomes its own.
    Call(MethodId, SmallVec<[u64; 6]>, Hook),
    /// Lets a body run and is then called again, perhaps with another word in place of an argument.
    Again {
        /// The body.
        body: MethodId,
        /// Its arguments.
        arguments: SmallVec<[u64; 6]>,
        /// Which argument of the native is replaced, by what.
        replaced: Option<(usize, u64)>,
    },
    /// Not a case for the machine: the byte code of the method runs.
    Decline,
}

/// A function that implements a method.
pub type Function = fn(&mut Machine, &[u64]) -> Result<Reply, Trap>;

/// What other threads can notice of a native method.
#[derive(Debug, Clone, Copy)]
pub enum NativeEffect {
    /// Nothing: it touches no variable that threads can share, for this reason. The claim is checked
    /// whenever it runs (`interpret/native_check.rs`).
    Local(Reason),
    /// It reads or writes variables of objects that it is given. It does so itself while no other thread
    /// can reach them; otherwise byte code does it in its place (`dynamic/native_bodies.rs`), or the call is
    /// refused. This is checked as well.
    Contents,
    /// An access of `Unsafe` to a variable of this type; the machine performs it itself.
    Memory(AccessKind, Type, Ordering),
    /// An operation on threads, which the machine performs itself.
    Thread(&'static ThreadOperation),
    /// An operation on a `CompletableFuture` that never waits: see `interpret/completion.rs`.
    Future(FutureOperation),
    /// An operation on files: see `interpret/files.rs`.
    Files,
    /// An operation of the JDK: see `interpret/jdk_operation.rs`.
    Jdk(JdkOperation),
    /// Nothing; it reads an input.
    Input,
}

impl NativeEffect {
    /// Whether the row's function does the work.
    pub fn is_function(&self) -> bool {
        matches!(self, NativeEffect::Local(_) | NativeEffect::Contents)
    }
}

/// Why a native touches no variable that threads can share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It does nothing, or always answers the same.
    Constant,
    /// It computes with its arguments, which are numbers or strings.
    Computes,
    /// It asks about classes, their members and resources, which are the same in all executions.
    AboutClasses,
    /// It is about the running thread alone: who it is, its clock, its stack, what it holds.
    OwnThread,
    /// It only makes a new object, or fills one that is being made.
    MakesNew,
    /// It runs another method in its place, whose accesses are seen.
    RunsOther,
    /// It appends to the console, which does not order threads.
    Console,
    /// It asks about paths, which are the same in all executions, or leaves the work to an operation on files.
    Files,
    /// It always refuses, and the execution ends as unsupported.
    Refuses,
    /// It touches what only natives get hold of, while the JDK holds the lock that goes with it.
    UnderLock,
    /// It is part of an operation that others notice, and never runs outside of one.
    PartOfOperation,
}

/// A row of the table of natives.
#[derive(Debug)]
pub struct Native {
    /// The class, as in class files.
    pub class: &'static str,
    /// The method's name.
    pub name: &'static str,
    /// Its descriptor, or `*`.
    pub descriptor: &'static str,
    /// What it does.
    pub function: Function,
    /// What others can notice.
    pub effect: NativeEffect,
}

/// A row of a native that touches nothing that threads can share, for a reason.
const fn local(
    reason: Reason,
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    function: Function,
) -> Native {
    Native { class, name, descriptor, function, effect: NativeEffect::Local(reason) }
}

/// A row of a native that reads or writes the objects that it is given.
const fn contents(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    function: Function,
) -> Native {
    Native { class, name, descriptor, function, effect: NativeEffect::Contents }
}

/// A row of a native that the machine performs itself because others can notice it.
const fn visible(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    effect: NativeEffect,
) -> Native {
    Native { class, name, descriptor, function: nothing, effect }
}

/// A row of an operation on threads.
const fn thread(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    operation: &'static ThreadOperation,
) -> Native {
    visible(class, name, descriptor, NativeEffect::Thread(operation))
}

/// A row of an operation of the JDK that threads can notice.
const fn jdk(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    operation: JdkOperation,
) -> Native {
    visible(class, name, descriptor, NativeEffect::Jdk(operation))
}

/// All natives.
pub static NATIVES: &[&[Native]] = &[
    class::NATIVES,
    combine::NATIVES,
    completion::NATIVES,
    concurrent_map::NATIVES,
    console::NATIVES,
    declarations::NATIVES,
    file::NATIVES,
    fork_join::NATIVES,
    input::NATIVES,
    invoke::NATIVES,
    loader::NATIVES,
    lock::NATIVES,
    lookup::NATIVES,
    management::NATIVES,
    rendezvous::NATIVES,
    number::NATIVES,
    random::NATIVES,
    raw_memory::NATIVES,
    object::NATIVES,
    reflect::NATIVES,
    reflect_primitive::ELEMENTS,
    reflect_primitive::FIELDS,
    stack_walker::NATIVES,
    string::NATIVES,
    system::NATIVES,
    text::NATIVES,
    thread::NATIVES,
    throwable::NATIVES,
    atomic_calls::NATIVES,
    atomic_calls::LINKED_QUEUE,
    atomic_calls::ARRAY_QUEUE,
    atomic_calls::STAMPS,
    unsafe_access::NATIVES,
    unsafe_access::BOOLEAN,
    unsafe_access::BYTE,
    unsafe_access::CHAR,
    unsafe_access::SHORT,
    unsafe_access::INT,
    unsafe_access::LONG,
    unsafe_access::FLOAT,
    unsafe_access::DOUBLE,
    unsafe_access::REFERENCE,
    unsafe_access::OBJECT,
    zip::CHECKSUMS,
    zip::NATIVES,
];

impl Native {
    /// What it is called, as one row among many.
    pub(crate) fn key(&self) -> NativeName {
        (self.class, self.name, self.descriptor)
    }
}

/// What the table of natives claims about a method, for tests that go through the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NativeRow {
    /// The class, as in class files.
    pub class: &'static str,
    /// The method's name.
    pub name: &'static str,
    /// Its descriptor, or `*`.
    pub descriptor: &'static str,
    /// What others can notice of it.
    pub claim: Claim,
}

/// What others can notice of a native.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// Nothing, for this reason.
    Local(Reason),
    /// Reads and writes of the objects that it is given, by byte code in its place.
    Contents,
    /// One access to a variable.
    Memory,
    /// An operation on threads, locks and other synchronisers, with a footprint of its own.
    Operation,
    /// A call that is performed as one atomic call.
    AtomicCall,
    /// Nothing; it reads an input.
    Input,
}

/// All rows of the table of natives.
pub fn native_rows() -> impl Iterator<Item = NativeRow> {
    NATIVES.iter().flat_map(|rows| rows.iter()).map(|row| {
        let claim = match &row.effect {
            NativeEffect::Local(reason) => Claim::Local(*reason),
            NativeEffect::Contents => Claim::Contents,
            NativeEffect::Memory(..) => Claim::Memory,
            NativeEffect::Jdk(operation) if operation.is_on_lock() => Claim::Operation,
            NativeEffect::Jdk(operation) if operation.variant.is_some() => Claim::Operation,
            NativeEffect::Jdk(_) => Claim::AtomicCall,
            NativeEffect::Thread(_) | NativeEffect::Future(_) | NativeEffect::Files => {
                Claim::Operation
            }
            NativeEffect::Input => Claim::Input,
        };
        NativeRow { class: row.class, name: row.name, descriptor: row.descriptor, claim }
    })
}

fn table() -> &'static HashMap<&'static str, Vec<&'static Native>> {
    static TABLE: OnceLock<HashMap<&'static str, Vec<&'static Native>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: HashMap<_, Vec<_>> = HashMap::new();
        for row in NATIVES.iter().flat_map(|rows| rows.iter()) {
            table.entry(row.class).or_default().push(row);
        }
        table
    })
}

/// The native for a method.
pub fn find(class: &str, name: &str, descriptor: &str) -> Option<&'static Native> {
    if descriptor == "()V" && matches!(name, "registerNatives" | "initIDs" | "initNative") {
        static REGISTER: Native = local(Reason::Constant, "*", "registerNatives", "()V", nothing);
        return Some(&REGISTER);
    }
    let rows = table().get(class)?;
    let named = |wanted: &str| {
        rows.iter().find(|row| row.name == name && row.descriptor == wanted).copied()
    };
    named(descriptor).or_else(|| named("*"))
}

/// A native with nothing to do.
fn nothing(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Void)
}

/// A native that answers null, false or zero.
fn zero(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(0))
}

/// A native that answers true or one.
fn one(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(1))
}

/// The word of a native's argument; a missing one is zero, as natives are bound by their descriptor.
fn word(arguments: &[u64], index: usize) -> u64 {
    arguments.get(index).copied().unwrap_or(0)
}

/// The reference of a native's argument.
fn reference(arguments: &[u64], index: usize) -> Reference {
    Reference(word(arguments, index))
}

/// The reference of a native's argument, which must not be null.
fn object(arguments: &[u64], index: usize) -> Result<Reference, Trap> {
    reference(arguments, index)
        .non_null()
        .ok_or_else(|| Trap::raise("java/lang/NullPointerException", None))
}

/// The `int` of a native's argument.
fn int(arguments: &[u64], index: usize) -> i32 {
    word(arguments, index) as i32
}

/// A reply with a truth value.
fn truth(value: bool) -> Result<Reply, Trap> {
    Ok(Reply::Word(u64::from(value)))
}

/// A reply with a reference.
fn answer(reference: Reference) -> Result<Reply, Trap> {
    Ok(Reply::Word(reference.0))
}

/// A reply with an `int`.
fn answer_int(value: i32) -> Result<Reply, Trap> {
    Ok(Reply::Word(u64::from(value as u32)))
}
