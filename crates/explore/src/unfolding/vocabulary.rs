//! The names that a formula can use.
//!
//! **Problem.** Variables and processes come into being while a program runs, but a formula is read
//! before it is explored.
//!
//! **Idea.** One execution is run to its end, each process as far as it can go. What it touches has
//! names and can be asked for; what it does not touch is refused with a list of what there is, so
//! that a misspelling is noticed and nothing is answered about a variable that nobody knows.

use counterpoint_model::{Choice, Location, Pid, Program};

/// Variables and processes by their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vocabulary {
    /// The shared variables.
    pub variables: Vec<(String, Location)>,
    /// The processes, by name and by path.
    pub processes: Vec<(String, Pid)>,
}

/// How many names a message lists.
const LISTED: usize = 12;

impl Vocabulary {
    /// The names that an execution of at most so many steps meets.
    pub fn of(program: &dyn Program, steps: usize) -> Vocabulary {
        let mut run = program.start(&[]);
        let mut met: Vec<Location> = Vec::new();
        let mut started = vec![Pid::MAIN];
        let mut note = |location| {
            if !met.contains(&location) {
                met.push(location);
            }
        };
        for _ in 0..steps {
            let processes = (0..run.processes()).map(Pid);
            let Some(process) = processes.into_iter().find(|&pid| run.next(pid).is_ready()) else {
                break;
            };
            let alternative = run.alternatives(process).preferred;
            let event = run.step(Choice { process, alternative });
            event.footprint.iter().for_each(|access| note(access.location));
            if let counterpoint_model::Op::Start(child) = event.op {
                started.push(child);
            }
        }
        let holds_number = |location: &Location| run.reading(*location).is_some();
        let variables = met
            .into_iter()
            .filter(holds_number)
            .map(|location| (program.location_name(location), location))
            .collect();
        let mut processes: Vec<(String, Pid)> =
            started.iter().map(|&pid| (program.process_name(pid), pid)).collect();
        for &pid in &started {
            let path = program.names().path(pid);
            if !processes.iter().any(|(name, _)| *name == path) {
                processes.push((path, pid));
            }
        }
        Vocabulary { variables, processes }
    }

    /// The variable with this name, or with this last part of a name if there is only one.
    pub fn variable(&self, name: &str) -> Result<Location, String> {
        if let Some((_, location)) = self.variables.iter().find(|(known, _)| known == name) {
            return Ok(*location);
        }
        let ends = |known: &str| known.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
        let found: Vec<_> = self.variables.iter().filter(|(known, _)| ends(known)).collect();
        match found[..] {
            [(_, location)] => Ok(*location),
            [] => Err(format!(
                "there is no shared variable `{name}`; there is {}",
                list(self.variables.iter().map(|(known, _)| known))
            )),
            _ => Err(format!(
                "`{name}` can mean {}; say which",
                list(found.iter().map(|(known, _)| known))
            )),
        }
    }

    /// The process with this name or path.
    pub fn process(&self, name: &str) -> Result<Pid, String> {
        let mut found: Vec<Pid> = Vec::new();
        for (_, process) in self.processes.iter().filter(|(known, _)| known == name) {
            if !found.contains(process) {
                found.push(*process);
            }
        }
        match found[..] {
            [process] => Ok(process),
            [] => Err(format!(
                "there is no thread `{name}`; there is {}",
                list(self.processes.iter().map(|(known, _)| known))
            )),
            _ => {
                let paths = |(known, pid): &&(String, Pid)| known != name && found.contains(pid);
                let paths = self.processes.iter().filter(paths).map(|(path, _)| path);
                Err(format!("several threads are called `{name}`; say which: {}", list(paths)))
            }
        }
    }
}

fn list<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let mut names: Vec<&str> = names.map(String::as_str).collect();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    match (names.is_empty(), more) {
        (true, _) => "none that holds a number".to_owned(),
        (false, 0) => names.join(", "),
        (false, more) => format!("{} and {more} more", names.join(", ")),
    }
}
