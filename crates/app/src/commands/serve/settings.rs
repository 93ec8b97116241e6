//! Which flags there are, and which command line they make.
//!
//! The page has no list of its own: it is given what the command line knows of itself, with names, help,
//! values and defaults. What the page sends back is put together to a command line and read by the command
//! line's own parser, so both refuse the same things in the same words. Flags that name files and those for
//! screens are left out: where results go is the server's business.

use clap::builder::ValueHint;
use clap::{Arg, ArgAction, CommandFactory as _, Parser as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

use crate::cli::Arguments;

/// The commands that the page offers.
pub const COMMANDS: &[&str] = &["check", "generate", "deadlocks", "reach"];

/// The heading of flags that only change what a terminal shows.
const SCREEN: &str = "Screen";

/// A command, as the page shows it.
#[derive(Serialize)]
pub struct CommandForm {
    /// Its name.
    pub name: String,
    /// What it does.
    pub about: String,
    /// Its flags.
    pub flags: Vec<FlagForm>,
}

/// A flag, as the page shows it.
#[derive(Serialize)]
pub struct FlagForm {
    /// Its name, without dashes.
    pub name: String,
    /// What it does.
    pub help: String,
    /// Under which heading it stands.
    pub group: String,
    /// What kind of value it takes, such as `N`; none if it is a switch.
    pub value: Option<String>,
    /// The values to choose from, if it is one of a few, each with its explanation.
    pub choices: Vec<(String, String)>,
    /// What it is if it is left out.
    pub default: Option<String>,
    /// Whether it can be given several times.
    pub repeatable: bool,
    /// Whether the command needs it.
    pub required: bool,
}

/// What the page asks for: flags by name, and words after the program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wishes {
    /// Whose states are walked through: `generate` for a method with unknown arguments, and else the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The flags: `true`, a text, or a list of texts.
    #[serde(default)]
    pub flags: BTreeMap<String, Value>,
    /// The words after the program.
    #[serde(default)]
    pub words: Vec<String>,
}

/// The commands with their flags.
pub fn forms() -> Vec<CommandForm> {
    let arguments = Arguments::command();
    let form = |name: &&str| {
        let command = arguments.find_subcommand(name)?;
        Some(CommandForm {
            name: (*name).to_string(),
            about: command.get_about().map(ToString::to_string).unwrap_or_default(),
            flags: command.get_arguments().filter(|flag| is_offered(flag)).map(flag_form).collect(),
        })
    };
    COMMANDS.iter().filter_map(form).collect()
}

fn is_offered(flag: &Arg) -> bool {
    let is_path = matches!(
        flag.get_value_hint(),
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath
    );
    flag.get_long().is_some()
        && !is_path
        && !flag.is_hide_set()
        && flag.get_help_heading() != Some(SCREEN)
        && !matches!(flag.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::Version)
        // The page has annotations of its own, and shows coverage anyway.
        && !["annotations", "coverage"].contains(&flag.get_long().unwrap_or_default())
}

fn takes_value(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::Set | ArgAction::Append)
}

fn flag_form(flag: &Arg) -> FlagForm {
    let takes = takes_value(flag);
    let values = flag.get_value_names().and_then(|names| names.first());
    let choices = flag.get_possible_values().into_iter().filter(|_| takes).map(|value| {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        (value.get_name().to_string(), help)
    });
    let default = flag.get_default_values().first().filter(|_| takes);
    FlagForm {
        name: flag.get_long().unwrap_or_default().to_string(),
        help: flag.get_help().map(ToString::to_string).unwrap_or_default(),
        group: flag.get_help_heading().unwrap_or("Options").to_string(),
        value: takes.then(|| values.map_or("VALUE".to_string(), ToString::to_string)),
        choices: choices.collect(),
        default: default.map(|value| value.to_string_lossy().into_owned()),
        repeatable: matches!(flag.get_action(), ArgAction::Append),
        required: flag.is_required_set(),
    }
}

/// The flags of a command line: only those that the command has, or those that it may be given.
pub fn flags(command: &str, wishes: &Wishes, strict: bool) -> Result<Vec<String>, String> {
    let arguments = Arguments::command();
    let known = arguments
        .find_subcommand(command)
        .ok_or_else(|| format!("there is no command `{command}`"))?;
    let mut line = Vec::new();
    for (name, value) in &wishes.flags {
        let flag = known
            .get_arguments()
            .find(|flag| flag.get_long() == Some(name.as_str()))
            .filter(|flag| is_offered(flag));
        let Some(flag) = flag else {
            if strict {
                return Err(format!("`{command}` has no flag `--{name}` that the page may set"));
            }
            continue;
        };
        let values: Vec<&str> = match value {
            Value::Bool(true) if !takes_value(flag) => {
                line.push(format!("--{name}"));
                continue;
            }
            Value::Bool(false) | Value::Null => continue,
            Value::String(text) => vec![text],
            Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
            _ => return Err(format!("`--{name}` takes a text")),
        };
        if !takes_value(flag) {
            return Err(format!("`--{name}` takes no value"));
        }
        line.extend(values.into_iter().map(|value| format!("--{name}={value}")));
    }
    Ok(line)
}

/// The command line for a program: the command, its flags and one of the server's own, the program and the words
/// after it.
pub fn command_line(
    command: &str,
    own: Option<String>,
    target: &str,
    wishes: &Wishes,
) -> Result<Vec<String>, String> {
    if !COMMANDS.contains(&command) {
        return Err(format!("there is no command `{command}` here"));
    }
    let mut line = vec![command.to_string()];
    line.extend(own);
    line.extend(flags(command, wishes, true)?);
    let dashes = wishes.words.iter().any(|word| word.starts_with('-'));
    if dashes || target.starts_with('-') {
        line.push("--".to_string());
    }
    line.push(target.to_string());
    line.extend(wishes.words.iter().cloned());
    let all = std::iter::once("counterpoint".to_string()).chain(line.iter().cloned());
    match Arguments::try_parse_from(all) {
        Ok(_) => Ok(line),
        Err(error) => Err(first_lines(&error.render().to_string())),
    }
}

/// A message of the parser without what it says about usage.
fn first_lines(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines: Vec<&str> =
        text.lines().take_while(|line| !line.starts_with("Usage:")).map(str::trim_end).collect();
    lines.join("\n").trim_end().to_string()
}

/// A command line as one would type it.
pub fn typed(line: &[String]) -> String {
    let plain = |word: &str| {
        let letters = |c: char| c.is_ascii_alphanumeric() || "-_./=:,%@+".contains(c);
        !word.is_empty() && word.chars().all(letters)
    };
    let word = |word: &String| match plain(word) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    let words: Vec<String> = line.iter().map(word).collect();
    format!("counterpoint {}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(text: &str) -> Wishes {
        serde_json::from_str(text).expect("well formed")
    }

    #[test]
    fn flags_become_the_command_line_that_one_would_type() {
        let asked = wishes(
            r#"{"flags": {"races": true, "explorer": "dpor", "time": "5m",
            "input": ["A.x", "A.y"], "stop-at-first": false}, "words": ["-3"]}"#,
        );
        let line = command_line("check", None, "a b.java", &asked).expect("it parses");
        assert_eq!(
            typed(&line),
            "counterpoint check --explorer=dpor --input=A.x --input=A.y --races --time=5m -- \
             'a b.java' -3"
        );
    }

    #[test]
    fn what_the_command_line_refuses_the_page_refuses_in_the_same_words() {
        let refuse = |text: &str| command_line("check", None, "a.abs", &wishes(text)).unwrap_err();
        assert!(refuse(r#"{"flags": {"time": "soon"}}"#).contains("expected a time"));
        assert!(refuse(r#"{"flags": {"explorer": "none such"}}"#).contains("possible values"));
        for name in ["json", "report", "resume", "events", "class-path", "junit", "no-such"] {
            let text = format!(r#"{{"flags": {{"{name}": "x"}}}}"#);
            assert!(refuse(&text).contains("has no flag"), "{name}");
        }
        for command in ["replay", "serve", "input-class", "step", ""] {
            assert!(command_line(command, None, "a", &Wishes::default()).is_err(), "{command}");
        }
    }

    #[test]
    fn every_offered_flag_is_explained() {
        for command in forms() {
            for flag in command.flags {
                assert!(!flag.help.is_empty(), "{} {}", command.name, flag.name);
            }
        }
    }
}
