//! The commands, a file each.

pub mod check;
pub mod completions;
pub mod deadlocks;
pub mod generate;
pub mod input_class;
pub mod list;
pub mod man;
pub mod outline;
pub mod reach;
pub mod replay;
pub mod serve;
pub mod step;
pub mod test;
