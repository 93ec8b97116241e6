//! The flags of the commands that editors and the local page use: `step`, `outline` and `serve`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::SEARCH;
use super::active_objects::ActiveObjects;
use super::byte_code::ByteCode;

pub(super) const STEP_EXAMPLES: &str = "\
Examples:
  echo '{\"choices\": []}' | counterpoint step Account.java
  echo '{\"choices\": [\"0\", \"0.1\"], \"picture\": true}' | counterpoint step shop.abs

Every line of standard input is a question, a JSON object: `choices` is the list of steps to take from
the start, written as in kept schedules, and `inputs` the values of inputs; `picture` asks for the
sequence diagram, and `follow` goes on while there is one step to choose from. Every answer is a line:
the steps taken, `moves` (who can move, and what each would do), `waiting`, `ended`, `failures`,
`state` and `output`. It ends with its input.";

pub(super) const SERVE_EXAMPLES: &str = "\
Examples:
  counterpoint serve                 the examples, and the files of this folder
  counterpoint serve models --port 8080

Prints one line, the address of the page, and serves it until it is interrupted. The address holds a
secret: whoever has it can read and write the sources below PATH and run programs. Only this computer
can reach it unless --address says otherwise.";

/// Where events go.
#[derive(Args, Debug, Default)]
pub struct EventArguments {
    /// Write what happens while it happens, a line of JSON each; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = super::REPORTS)]
    pub events: Option<PathBuf>,
}

/// The flags of `step`.
#[derive(Args, Debug)]
pub struct StepArguments {
    /// The program: a source file, a class, an archive or a folder; see `counterpoint list`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub target: String,

    /// Arguments of the program, or further files of the same model
    #[arg(value_name = "ARGS")]
    pub rest: Vec<String>,

    /// The class to start with, or the module whose main block is run
    #[arg(long, value_name = "CLASS", help_heading = SEARCH)]
    pub main: Option<String>,

    /// Take the results of this static method for inputs (repeatable)
    #[arg(long, value_name = "METHOD", help_heading = SEARCH)]
    pub input: Vec<String>,

    /// What only Java programs have.
    #[command(flatten)]
    pub byte_code: ByteCode,

    /// What only active objects have.
    #[command(flatten)]
    pub objects: ActiveObjects,
}

/// The flags of `outline`.
#[derive(Args, Debug)]
pub struct OutlineArguments {
    /// The source: a file, several, or a folder; see `counterpoint list`
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub targets: Vec<String>,

    /// Where other classes are: folders and jars
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub class_path: Option<String>,
}

/// The flags of `serve`.
#[derive(Args, Debug)]
pub struct ServeArguments {
    /// The folder whose sources are shown, or one source [default: the present folder]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub path: Option<PathBuf>,

    /// Further folders and jars with classes that the Java programs use, separated as for `java`
    #[arg(long, visible_alias = "cp", value_name = "PATHS", value_hint = ValueHint::AnyPath)]
    pub class_path: Option<String>,

    /// The port; 0 takes any free one
    #[arg(long, value_name = "N", default_value = "0", value_parser = super::port)]
    pub port: u16,

    /// The address to listen on; others than this computer can reach only what is not loopback
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
}
