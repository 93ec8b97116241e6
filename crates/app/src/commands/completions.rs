//! `counterpoint completions`.

use clap::CommandFactory as _;

use crate::cli::Arguments;
use crate::output;
use crate::trouble::Trouble;

/// Prints a completion script.
pub fn run(shell: clap_complete::Shell) -> Result<u8, Trouble> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "counterpoint", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(0)
}
