//! Flags for Java programs, which other programs refuse.

use clap::{Args, ValueHint};
use serde::{Deserialize, Serialize};

/// Where the classes of a Java program come from and how its library is run.
#[derive(Args, Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "Threads (Java)")]
#[serde(default)]
pub struct ByteCode {
    /// Further folders and jars with classes that the program uses, separated as for `java`
    #[arg(long, visible_alias = "cp", value_name = "PATHS", value_hint = ValueHint::AnyPath)]
    pub class_path: Option<String>,

    /// Run the library's own code of locks and other synchronisers, step by step
    #[arg(long)]
    pub real_locks: bool,
}

impl ByteCode {
    /// Whether no flag was given.
    pub fn is_unset(&self) -> bool {
        *self == ByteCode::default()
    }

    /// The flags that were given, each with its value.
    pub fn given(&self) -> Vec<String> {
        let paths = self.class_path.iter().map(|paths| format!("--class-path {paths}"));
        paths.chain(self.real_locks.then(|| "--real-locks".to_string())).collect()
    }
}
