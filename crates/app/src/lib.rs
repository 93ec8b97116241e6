//! The `counterpoint` command: flags, exploration sessions, reports.
//!
//! **Invariant.** Nothing here knows what a program means: front ends turn targets into programs,
//! explorers explore them, and this crate asks, keeps and shows. It is the only crate that prints
//! and the only one that writes files.

mod checkpoint;
pub mod cli;
mod commands;
mod drawing;
mod events;
pub mod front_end;
mod interrupt;
mod job;
mod jobs;
mod look;
mod output;
mod progress;
mod report;
mod slice;
mod source;
mod store;
mod story;
mod trouble;
mod waits;
mod ways;
mod written;
mod xml;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::{Arguments, Command};
use crate::front_end::FrontEnd;
use crate::trouble::Trouble;

/// The stack of a thread: programs under test may nest calls deeply, and machines that run them nest with them.
pub const STACK: usize = 1 << 30;

/// What wrong usage or input ends with.
const USAGE: u8 = 2;

/// Runs the command line with these front ends.
pub fn run(
    front_ends: &'static [FrontEnd],
    arguments: impl IntoIterator<Item = OsString>,
) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and the version go to standard output and are no errors.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { 0 });
        }
    };
    interrupt::begin(arguments.command.limits());
    let result =
        events::open(arguments.command.events()).and_then(|()| obey(front_ends, &arguments));
    match result {
        Ok(code) => {
            events::end(code, None);
            ExitCode::from(code)
        }
        Err(trouble) => {
            events::end(trouble.code, Some(&trouble));
            output::complain(&format!("{trouble}\n"));
            ExitCode::from(trouble.code)
        }
    }
}

fn obey(front_ends: &'static [FrontEnd], arguments: &Arguments) -> Result<u8, Trouble> {
    match &arguments.command {
        Command::Check(check) => commands::check::run(front_ends, check),
        Command::Deadlocks(deadlocks) => commands::deadlocks::run(front_ends, deadlocks),
        Command::Generate(generate) => commands::generate::run(front_ends, generate),
        Command::Reach(reach) => commands::reach::run(front_ends, reach),
        Command::Step(step) => commands::step::run(front_ends, step),
        Command::Outline(outline) => commands::outline::run(front_ends, outline),
        Command::Serve(serve) => commands::serve::run(front_ends, serve),
        Command::Test(test) => commands::test::run(front_ends, test),
        Command::Replay(replay) => commands::replay::run(front_ends, replay),
        Command::InputClass { folder } => commands::input_class::run(folder),
        Command::Worker => jobs::worker::run(front_ends),
        Command::List(look) => commands::list::run(front_ends, look),
        Command::Completions { shell } => commands::completions::run(*shell),
        Command::Man { command } => commands::man::run(command.as_deref()),
    }
}
