//! Where classes come from: the JDK's runtime image, jars, folders, single files and sources.
//!
//! [`ClassPath`] answers one question, "what are the bytes of class `a/b/C`, and whose is it?".
//! Program entries are searched before the JDK, except for `java/*`, which only the JDK may define.
//! Behind both stands the class of inputs, for programs that have it not.

mod classpath;
pub(crate) mod compile;
pub(crate) mod input_class;
mod jdk;
mod jimage;
mod main_class;
mod positioned;
mod project;
mod source_files;
mod target;

pub use classpath::{ClassPath, LaunchEntry, Origin};
pub use compile::compile;
pub use input_class::{METHODS as INPUT_METHODS, NAME as INPUT_CLASS, SOURCE as INPUT_SOURCE};
pub use jdk::Jdk;
pub use jimage::Image;
pub(crate) use main_class::listed;
pub use main_class::main_class;
pub(crate) use source_files::SourceFiles;
pub use target::Opened;
