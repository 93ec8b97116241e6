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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub real_locks: bool,

    /// Run everything step by step: no library call as a whole, no hidden code, no pruned loop
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_shortcuts: bool,

    /// Let threads go on from waiting although nobody has woken them, as Java allows
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub spurious: bool,
}

impl ByteCode {
    /// Whether no flag was given.
    pub fn is_unset(&self) -> bool {
        *self == ByteCode::default()
    }

    /// The flags that were given, each with its value.
    pub fn given(&self) -> Vec<String> {
        let paths = self.class_path.iter().map(|paths| format!("--class-path {paths}"));
        let switches = [
            (self.real_locks, "--real-locks"),
            (self.no_shortcuts, "--no-shortcuts"),
            (self.spurious, "--spurious"),
        ];
        let switches = switches.into_iter().filter(|(given, _)| *given);
        paths.chain(switches.map(|(_, flag)| flag.to_string())).collect()
    }
}
