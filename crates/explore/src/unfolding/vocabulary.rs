//! The names that a formula can use.
//!
//! **Problem.** Variables and processes come into being while a program runs, but a formula is read
//! before it is explored.
//!
//! **Idea.** A few executions are run to their ends, with processes in different orders and, where
//! there are alternatives, by different ones. What they touch has names and can be asked for; what
//! they do not touch is refused with the names that are most like it, so that a misspelling is noticed
//! and nothing is answered about a variable that nobody knows.
//!
//! **Cost.** The steps of [`ATTEMPTS`] executions.

use counterpoint_model::{Choice, Feasible, Location, Op, Pid, Program, Run};

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

/// How many executions are run.
const ATTEMPTS: u32 = 8;

impl Vocabulary {
    /// The names that executions of at most so many steps meet.
    pub fn of(program: &dyn Program, steps: usize) -> Vocabulary {
        let mut met: Vec<Location> = Vec::new();
        let mut started = vec![Pid::MAIN];
        for attempt in 0..ATTEMPTS {
            let mut run = program.start(&[]);
            let mut touched: Vec<Location> = Vec::new();
            for step in 0..steps {
                let Some(choice) = choose(&mut *run, attempt, step) else { break };
                let event = run.step(choice);
                touched.extend(event.footprint.iter().map(|access| access.location));
                if let Op::Start(child) = event.op
                    && !started.contains(&child)
                {
                    started.push(child);
                }
            }
            touched.retain(|&location| run.reading(location).is_some());
            for location in touched {
                if !met.contains(&location) {
                    met.push(location);
                }
            }
        }
        let variables =
            met.into_iter().map(|location| (program.location_name(location), location)).collect();
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
            [] if self.variables.is_empty() => Err(format!(
                "there is no shared variable `{name}`: this program has none that holds a number"
            )),
            [] => Err(format!(
                "there is no shared variable `{name}`{}; the shared variables are {}",
                resembling(name, self.variables.iter().map(|(known, _)| known)),
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
                "there is no thread `{name}`{}; the threads are {}",
                resembling(name, self.processes.iter().map(|(known, _)| known)),
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

/// The next step of an attempt: each differs from the others in who goes first, in whether processes
/// take turns, and in which alternative is taken.
fn choose(run: &mut dyn Run, attempt: u32, step: usize) -> Option<Choice> {
    let (backwards, in_turn, other) = (attempt & 1 != 0, attempt & 2 != 0, attempt & 4 != 0);
    let processes = run.processes();
    let first = if in_turn { step as u32 % processes } else { 0 };
    let numbers = (0..processes).map(|offset| {
        let number = (first + offset) % processes;
        Pid(if backwards { processes - 1 - number } else { number })
    });
    let process = numbers.into_iter().find(|&process| run.next(process).is_ready())?;
    let alternatives = run.alternatives(process);
    let preferred = Choice { process, alternative: alternatives.preferred };
    if !other {
        return Some(preferred);
    }
    let mut others = (0..alternatives.count).filter(|&a| a != alternatives.preferred);
    let taken = others.find_map(|alternative| {
        let choice = Choice { process, alternative };
        (run.feasible(choice) == Feasible::Yes).then_some(choice)
    });
    Some(taken.unwrap_or(preferred))
}

/// A question whether the name that is most like this one was meant, if one is like it.
fn resembling<'n>(name: &str, known: impl Iterator<Item = &'n String>) -> String {
    let last = |full: &'n str| full.rsplit('.').next().unwrap_or(full);
    let likeness = |full: &'n str| distance(name, full).min(distance(name, last(full)));
    let nearest = known.map(|full| (likeness(full), full)).min();
    match nearest {
        Some((distance, full)) if distance <= name.chars().count() / 4 => {
            format!(" (did you mean `{full}`?)")
        }
        _ => String::new(),
    }
}

/// How many letters must be added, removed or replaced to make one text the other; case is free.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, &against) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != against);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

fn list<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let mut names: Vec<&str> = names.map(String::as_str).collect();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_testkit::builder::{Builder, Comparable};

    use super::*;

    #[test]
    fn variables_that_only_some_executions_touch_have_names() {
        let mut program = Builder::new("two ways");
        let (x, late, high) =
            (program.variable("x", 0), program.variable("late", 0), program.variable("high", 0));
        let program = program.main(|main| {
            main.spawn(|thread| {
                let seen = thread.read(x);
                thread.when(seen.equals(1), |thread| thread.write(late, 1));
            });
            main.spawn(|thread| {
                let input = thread.input(0, 9);
                thread.when(input.greater(5), |thread| thread.write(high, 1));
                thread.write(x, 1);
            });
        });
        let names = Vocabulary::of(&program, 100);
        for name in ["x", "late", "high"] {
            assert!(names.variable(name).is_ok(), "{name} in {names:?}");
        }
    }

    #[test]
    fn a_misspelling_is_answered_with_the_name_that_is_most_like_it() {
        let variable = |name: &str| (name.to_owned(), Location(0));
        let names = Vocabulary {
            variables: vec![variable("Account.balance"), variable("Account.owner")],
            processes: vec![("main".into(), Pid(0)), ("Thread-0".into(), Pid(1))],
        };
        let rows = [
            ("balanc", "did you mean `Account.balance`?"),
            ("Acount.owner", "did you mean `Account.owner`?"),
            ("Balance", "did you mean `Account.balance`?"),
        ];
        for (name, expected) in rows {
            let error = names.variable(name).expect_err(name);
            assert!(error.contains(expected), "{error}");
        }
        assert!(!names.variable("q").expect_err("q").contains("did you mean"));
        assert!(names.process("thread-0").expect_err("case").contains("did you mean `Thread-0`?"));
        let error = Vocabulary::default().variable("n").expect_err("there is none");
        assert!(error.ends_with("this program has none that holds a number"), "{error}");
    }
}
