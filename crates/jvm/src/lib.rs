//! JVM programs for Counterpoint: a byte code interpreter written for model checking.

mod boot;
mod classfile;
mod code;
mod driver;
mod dynamic;
mod error;
mod interpret;
mod known;
pub mod load;
mod machine;
mod memory;
mod natives;
mod run;
mod strings;
mod trail;
mod world;

pub use error::{ClassFileError, Error, Fault};
pub use interpret::{Address, Next, Operation};
pub use machine::{Machine, Options};
pub use run::{JavaProgram, Target};
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
