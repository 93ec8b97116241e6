//! The flags of explorers' parameters, made from the table of explorers.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use counterpoint_explore::{
    EXPLORERS, Explorer, Parameter, ParameterValue, ParameterValues, Takes,
};

use super::{SEARCH, number};

/// The values given by flags, as they were written: a process is a name or a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParameterArguments(pub ParameterValues);

/// The explorers with a parameter of this name, each with what it takes.
pub fn takers(name: &str) -> impl Iterator<Item = (&'static Explorer, &'static Parameter)> {
    let rows = EXPLORERS.iter().flat_map(|row| row.parameters.iter().map(move |own| (row, own)));
    rows.filter(move |(_, parameter)| parameter.name == name)
}

/// Every parameter once, however many explorers take it.
fn distinct() -> impl Iterator<Item = &'static Parameter> {
    let all = || EXPLORERS.iter().flat_map(|row| row.parameters);
    all().enumerate().filter_map(move |(index, own)| {
        let first = all().position(|other| other.name == own.name);
        (first == Some(index)).then_some(own)
    })
}

/// What a parameter is for, with the explorers that take it.
fn help(name: &str) -> String {
    let mut uses: Vec<(&str, Vec<&str>)> = Vec::new();
    for (explorer, parameter) in takers(name) {
        match uses.iter_mut().find(|(about, _)| *about == parameter.about) {
            Some((_, explorers)) => explorers.push(explorer.name),
            None => uses.push((parameter.about, vec![explorer.name])),
        }
    }
    let say =
        |(about, explorers): &(&str, Vec<&str>)| format!("{about} ({})", explorers.join(", "));
    uses.iter().map(say).collect::<Vec<_>>().join(". ")
}

fn flag(parameter: &'static Parameter) -> Arg {
    let flag = Arg::new(parameter.name)
        .long(parameter.name)
        .help_heading(SEARCH)
        .conflicts_with("deadlocks")
        .allow_negative_numbers(true);
    match parameter.takes {
        Takes::Number { default, least, most } => flag
            .value_name("N")
            .help(match default {
                Some(default) => format!("{} [default: {default}]", help(parameter.name)),
                None => help(parameter.name),
            })
            .value_parser(move |text: &str| number(text, least, most)),
        Takes::Process => {
            flag.value_name("THREAD").help(help(parameter.name)).value_parser(value_parser!(String))
        }
    }
}

impl Args for ParameterArguments {
    fn augment_args(command: Command) -> Command {
        distinct().fold(command, |command, parameter| command.arg(flag(parameter)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        ParameterArguments::augment_args(command)
    }
}

impl FromArgMatches for ParameterArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ParameterArguments, clap::Error> {
        let mut given = ParameterArguments::default();
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for parameter in distinct() {
            let name = parameter.name;
            let value = match parameter.takes {
                Takes::Number { .. } => {
                    matches.get_one::<u64>(name).copied().map(ParameterValue::Number)
                }
                Takes::Process => {
                    matches.get_one::<String>(name).cloned().map(ParameterValue::Process)
                }
            };
            self.0.0.extend(value.map(|value| (name.to_string(), value)));
        }
        Ok(())
    }
}
