//! Where classes come from: the JDK's runtime image, jars, folders, single files and sources.
//!
//! [`ClassPath`] answers one question, "what are the bytes of class `a/b/C`, and whose is it?".
//! Program entries are searched before the JDK, except for `java/*`, which only the JDK may define.

mod classpath;
mod compile;
mod jdk;
mod jimage;
mod target;

pub use classpath::{ClassPath, Origin};
pub use compile::compile;
pub use jdk::Jdk;
pub use jimage::Image;
pub use target::Target;
