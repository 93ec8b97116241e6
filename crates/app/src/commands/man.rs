//! `counterpoint man`.

use clap::CommandFactory as _;

use crate::cli::Arguments;
use crate::output;
use crate::trouble::Trouble;

/// Prints a manual page.
pub fn run(command: Option<&str>) -> Result<u8, Trouble> {
    let mut whole = Arguments::command();
    whole.build();
    let page = match command {
        None => whole,
        Some(name) => {
            let names: Vec<String> =
                whole.get_subcommands().map(|command| command.get_name().to_string()).collect();
            let found = whole.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                Trouble::new(format!("there is no command `{name}`"))
                    .hint(format!("The commands are {}.", names.join(", ")))
            })?
        }
    };
    let mut roff = Vec::new();
    let manual = clap_mangen::Man::new(page).manual("Counterpoint");
    manual.render(&mut roff).expect("writing to memory works");
    output::print(&String::from_utf8_lossy(&roff))?;
    Ok(0)
}
