//! Flags for Java programs, which other programs refuse.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

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

    /// Which time limits of waits may expire while other threads can move: `any`, none (`patient`), or those
    /// shorter than a length (5s, 200ms) [default: 1s]
    #[arg(long, value_name = "WHICH")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeouts: Option<Timeouts>,

    /// Where the classes of the sources are, for workers: somebody has compiled them already.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<PathBuf>,
}

/// Which time limits of waits may expire while other threads can move. The others expire only when none can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timeouts {
    /// All.
    Any,
    /// Those that are shorter than so many nanoseconds.
    Below(u64),
}

impl Timeouts {
    /// What holds if nothing is said: a limit of a second or more is there to end what hangs, and a thread that
    /// can move does so within a second; a shorter one is part of how the program works.
    pub const DEFAULT: Timeouts = Timeouts::Below(1_000_000_000);

    /// From which length on a limit may not expire at any time, in nanoseconds; none if all may.
    pub fn patience(self) -> Option<u64> {
        match self {
            Timeouts::Any => None,
            Timeouts::Below(nanos) => Some(nanos),
        }
    }
}

impl FromStr for Timeouts {
    type Err = String;

    fn from_str(text: &str) -> Result<Timeouts, String> {
        match text {
            "any" => Ok(Timeouts::Any),
            "patient" => Ok(Timeouts::Below(0)),
            length => match super::duration(length) {
                Ok(length) => {
                    Ok(Timeouts::Below(length.as_nanos().min(u128::from(u64::MAX)) as u64))
                }
                Err(_) => {
                    Err("expected `any`, `patient`, or a length such as 5s or 200ms".to_string())
                }
            },
        }
    }
}

impl fmt::Display for Timeouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Timeouts::Any => f.write_str("any"),
            Timeouts::Below(0) => f.write_str("patient"),
            Timeouts::Below(nanos) => write!(f, "{:?}", Duration::from_nanos(*nanos)),
        }
    }
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
        let timeouts = self.timeouts.iter().map(|timeouts| format!("--timeouts {timeouts}"));
        paths.chain(switches.map(|(_, flag)| flag.to_string())).chain(timeouts).collect()
    }
}
