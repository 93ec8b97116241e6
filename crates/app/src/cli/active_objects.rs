//! Flags for active objects, which other programs refuse.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

/// How active objects are run and what they must come to.
#[derive(Args, Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "Active objects (ABS)")]
#[serde(default)]
pub struct ActiveObjects {
    /// Require this Boolean expression in every final state (repeatable): `x.r == 120`, where `x` is
    /// a variable of the main block or the name of an object as in the final states
    #[arg(long, value_name = "EXPRESSION")]
    pub expect: Vec<String>,

    /// End an execution at the step that closes a cycle of waiting
    #[arg(long)]
    pub cut_at_deadlock: bool,

    /// What `await` does when its condition holds already [default: continue]
    #[arg(long, value_name = "POLICY", value_enum)]
    pub await_policy: Option<Awaiting>,

    /// Which object group goes next [default: nondeterministic]
    #[arg(long, value_name = "POLICY", value_enum)]
    pub object_policy: Option<ObjectOrder>,

    /// Which task of an object group goes next [default: nondeterministic]
    #[arg(long, value_name = "POLICY", value_enum)]
    pub task_policy: Option<TaskOrder>,

    /// Where a bare `new C()` makes an object [default: what the other creations of the model say, or else
    /// cog]
    #[arg(long, value_name = "PLACE", value_enum)]
    pub bare_new: Option<BareNew>,

    /// A line for `readln` (repeatable); after the last one it reads empty lines
    #[arg(long, value_name = "LINE")]
    pub readln: Vec<String>,

    /// The product whose deltas are applied, as for tests written by `generate --output`
    #[arg(long, value_name = "NAME")]
    pub product: Option<String>,
}

impl ActiveObjects {
    /// Whether no flag was given.
    pub fn is_unset(&self) -> bool {
        *self == ActiveObjects::default()
    }

    /// Whether who can go next depends on all steps so far, so that nothing can be reduced.
    pub fn orders_everything(&self) -> bool {
        self.cut_at_deadlock
            || self.object_policy == Some(ObjectOrder::RoundRobin)
            || matches!(self.task_policy, Some(TaskOrder::Fifo | TaskOrder::Lifo))
    }

    /// The flags that were given, each with its value.
    pub fn given(&self) -> Vec<String> {
        let name = |value: &dyn ToString| value.to_string();
        let mut given: Vec<String> =
            self.expect.iter().map(|text| format!("--expect '{text}'")).collect();
        if self.cut_at_deadlock {
            given.push("--cut-at-deadlock".to_string());
        }
        given.extend(self.await_policy.map(|policy| format!("--await-policy {}", name(&policy))));
        given.extend(self.object_policy.map(|policy| format!("--object-policy {}", name(&policy))));
        given.extend(self.task_policy.map(|policy| format!("--task-policy {}", name(&policy))));
        given.extend(self.bare_new.map(|place| format!("--bare-new {}", name(&place))));
        given.extend(self.readln.iter().map(|line| format!("--readln '{line}'")));
        given.extend(self.product.iter().map(|product| format!("--product {product}")));
        given
    }
}

macro_rules! shown_by_value {
    ($($name:ident)*) => {$(
        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let value = self.to_possible_value().expect("no value is hidden");
                formatter.write_str(value.get_name())
            }
        }
    )*};
}

shown_by_value!(Awaiting BareNew ObjectOrder TaskOrder);

/// What `await` does when its condition holds already.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Awaiting {
    /// It goes on, as in the published language.
    Continue,
    /// It releases its object group, as today's back end does.
    Release,
}

/// What a bare `new C()` makes.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BareNew {
    /// In a group of its own, as today.
    Cog,
    /// In its creator's group, as before 2013.
    Local,
}

/// Which object group goes next.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectOrder {
    /// Any that can.
    Nondeterministic,
    /// One after another, in the order of creation.
    RoundRobin,
}

/// Which task of an object group goes next.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskOrder {
    /// Any that can.
    Nondeterministic,
    /// The one that has waited longest.
    Fifo,
    /// The one that came last.
    Lifo,
}
