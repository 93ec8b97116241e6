//! JVM programs for Counterpoint: a byte code interpreter written for model checking.
//!
//! Real, unmodified Java programs run on the real classes of the installed JDK, one thread at a time
//! and one visible operation at a time, and can be taken back to any earlier point.
//!
//! | part | question it answers |
//! |---|---|
//! | [`load`] | where do the bytes of a class come from? |
//! | `classfile` | what does a class file say? |
//! | `code` | which instructions does a method have, and are they sound? |
//! | `world` | what are the classes, fields and methods? The same in all executions. |
//! | `memory` | what is the state of an execution, and how is it restored? |
//! | `interpret` | what does an instruction do, where does a thread stop, and before what? |
//! | `dynamic` | how are lambdas, string concatenation, records and handles linked? |
//! | `unknown` | what of the state depends on inputs? |
//! | [`junit`] | which tests are there, and how does one become a program? |
//! | `natives` | what do native methods do, and which methods of the JDK are replaced? |
//!
//! A [`Machine`] is made from a class path and a main class. [`Machine::begin_main`] runs the main
//! thread up to its first operation that others can notice; from then on [`Machine::next`] says what
//! each thread would do, [`Machine::step`] lets one do it, and [`Machine::mark`] and
//! [`Machine::undo`] go back.
//!
//! **Invariants.** What a thread does between two stops nobody else can notice: only accesses to
//! objects that several threads can reach, monitors of such objects, class initialisation and
//! operations on threads are stops. Objects and threads are named by their creator and a number
//! there, so names do not depend on the schedule. Classes of the JDK are initialised once for all
//! executions, those of the program anew in each. Input never causes a panic: what the machine does
//! not provide is a [`Fault`] that names it.

mod boot;
#[doc(hidden)]
pub mod broken;
mod classfile;
mod code;
mod coverage;
mod dependences;
mod driver;
mod dynamic;
mod error;
mod field_words;
mod interpret;
pub mod junit;
mod known;
pub mod load;
mod machine;
mod memory;
mod natives;
pub mod outline;
mod run;
mod strings;
mod trail;
mod unknown;
pub mod witness;
mod world;

pub use error::{ClassFileError, Error, Fault, FaultKind};
pub use interpret::{Address, NextOperation, VisibleOperation};
pub use machine::{Machine, Options};
pub use natives::{Claim, NativeRow, Reason, native_rows};
pub use run::{
    Beginning, InstructionPlace, Itinerary, JavaProgram, Overtaking, Stand, Stop, Target,
    Traveller, Turn,
};
pub use trail::Mark;

/// Parses a class file and checks all its code, as far as this needs no other class.
///
/// Returns the class's name. Whatever the bytes are, this ends soon, in bounded memory and without
/// a panic.
pub fn check_class_file(bytes: Vec<u8>) -> Result<String, ClassFileError> {
    let file = classfile::ClassFile::parse(bytes)?;
    code::check(&file)?;
    Ok(file.name().to_string())
}
