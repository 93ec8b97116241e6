//! The wakeup trees of saved work.
//!
//! **Problem.** When the time is up, the wakeup trees of a search can have millions of steps, and all of them have to get into
//! a file within a fraction of a second: where several work, from a worker to the coordinator first. Whatever is done
//! for each step is done millions of times by somebody for whom others wait.
//!
//! **Idea.** What follows the first step of a branch is a text from the start ([`LaterSteps`]). It is written
//! straight from the arena of the search, goes through connections and into files as it is, and is taken apart by the
//! search that takes it up. Who divides work asks for the first steps only, which are kept apart ([`SavedBranch`]).
//!
//! **Form.** Steps come in the order of a walk through the tree, each before what follows it. A step is the number of its
//! process in the list of the unit ([`ProcessList`]); a dot and the alternative, unless that is 0; and a star if it stands
//! for any alternative. It comes after the step before it. If there is a `<` and a number n between the two, it comes
//! beside the one n levels above that step instead. A number has digits to the base 32, the lowest first; all but the last
//! of them are letters from the second half of the alphabet of 64. None of these letters means anything to JSON.
//!
//! **Invariant.** A text is well-formed and mentions only processes of its unit's list: what comes from elsewhere is
//! checked when it is read.
//!
//! **Cost.** A letter for each step of the first 32 processes, and two more where the tree forks. To check a text or to
//! take it apart is one pass over its letters.

use counterpoint_model::{Choice, Pid};

use crate::wakeup::BranchScope;

/// A step that remains to be taken from a node, with what remains to be taken after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedBranch {
    /// The step.
    pub choice: Choice,
    /// Which alternatives it stands for.
    pub scope: BranchScope,
    /// What comes after it.
    pub then: LaterSteps,
}

impl SavedBranch {
    /// A step with nothing after it.
    pub fn leaf(choice: Choice, scope: BranchScope) -> SavedBranch {
        SavedBranch { choice, scope, then: LaterSteps::default() }
    }

    /// All its steps, each before what follows it, given the processes of its unit.
    pub(crate) fn steps(&self, processes: &[Pid]) -> impl Iterator<Item = WakeupStep> {
        let first = WakeupStep { choice: self.choice, scope: self.scope, level: 0 };
        let later = Letters::of(&self.then.text).map(|step| {
            let step = step.expect("texts are checked when they are read");
            let process = processes[step.process as usize];
            let choice = Choice { process, alternative: step.alternative };
            WakeupStep { choice, scope: step.scope, level: step.level + 1 }
        });
        [first].into_iter().chain(later)
    }
}

/// A step of a wakeup tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct WakeupStep {
    /// The step.
    pub choice: Choice,
    /// Which alternatives it stands for.
    pub scope: BranchScope,
    /// How many steps of the tree come before it: it comes after the last one before it with fewer.
    pub level: usize,
}

/// What comes after the first step of a branch, as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaterSteps {
    text: String,
}

impl LaterSteps {
    /// Takes a text over that may be anything, for a unit with so many processes.
    pub(super) fn read(text: String, processes: usize) -> Result<LaterSteps, &'static str> {
        for step in Letters::of(&text) {
            if step?.process as usize >= processes {
                return Err("a step of nobody");
            }
        }
        Ok(LaterSteps { text })
    }

    /// The letters.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// Processes by numbers that are as small as can be.
#[derive(Default)]
pub(crate) struct ProcessList {
    processes: Vec<Pid>,
    /// The place of each process in that list.
    numbers: Vec<u32>,
}

impl ProcessList {
    /// With these first.
    pub fn with(processes: &[Pid]) -> ProcessList {
        let mut list = ProcessList::default();
        for (number, &process) in processes.iter().enumerate() {
            list.processes.push(process);
            *list.place(process) = number as u32;
        }
        list
    }

    fn place(&mut self, process: Pid) -> &mut u32 {
        let place = process.index();
        if self.numbers.len() <= place {
            self.numbers.resize(place + 1, u32::MAX);
        }
        &mut self.numbers[place]
    }

    /// The number of a process, which is added if it is not there.
    pub fn add(&mut self, process: Pid) -> u32 {
        let next = self.processes.len() as u32;
        let place = self.place(process);
        if *place == u32::MAX {
            *place = next;
            self.processes.push(process);
            return next;
        }
        *place
    }

    /// The number of a process that is there.
    pub fn number(&self, process: Pid) -> u32 {
        self.numbers[process.index()]
    }

    /// The processes by their numbers.
    pub fn into_processes(self) -> Vec<Pid> {
        self.processes
    }

    /// The same, to look at.
    pub fn processes(&self) -> &[Pid] {
        &self.processes
    }
}

/// Writes a wakeup tree, step by step.
pub(crate) struct TreeWriter<'a> {
    processes: &'a mut ProcessList,
    tree: Vec<SavedBranch>,
    /// The level of the last step.
    level: usize,
}

impl<'a> TreeWriter<'a> {
    /// For a unit with these processes.
    pub fn new(processes: &'a mut ProcessList) -> TreeWriter<'a> {
        TreeWriter { processes, tree: Vec::new(), level: 0 }
    }

    /// Adds a step with so many steps above it: at most one more than the last step has.
    pub fn add(&mut self, level: usize, choice: Choice, scope: BranchScope) {
        let above = std::mem::replace(&mut self.level, level);
        let Some(branch) = self.tree.last_mut().filter(|_| level > 0) else {
            debug_assert_eq!(level, 0, "the first step of a tree has none above it");
            self.tree.push(SavedBranch::leaf(choice, scope));
            return;
        };
        debug_assert!(level <= above + 1, "a step comes after one that was written");
        let text = &mut branch.then.text;
        if level <= above {
            text.push('<');
            write_number(text, (above - level) as u32);
        }
        write_number(text, self.processes.add(choice.process));
        if choice.alternative > 0 {
            text.push('.');
            write_number(text, choice.alternative);
        }
        if scope == BranchScope::Any {
            text.push('*');
        }
    }

    /// The tree.
    pub fn finish(self) -> Vec<SavedBranch> {
        self.tree
    }
}

/// The digits: the first half ends a number.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// How many digits end a number.
const BASE: u32 = 32;

/// The value of each letter that is a digit.
const VALUES: [u8; 256] = {
    let mut values = [u8::MAX; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
};

#[inline]
fn write_number(text: &mut String, mut number: u32) {
    while number >= BASE {
        text.push(char::from(DIGITS[(BASE + number % BASE) as usize]));
        number /= BASE;
    }
    text.push(char::from(DIGITS[number as usize]));
}

/// A step as it is written.
struct WrittenStep {
    process: u32,
    alternative: u32,
    scope: BranchScope,
    level: usize,
}

/// Takes a text apart.
struct Letters<'a> {
    left: &'a [u8],
    /// The level of the next step, if nothing else is said.
    level: usize,
}

impl<'a> Letters<'a> {
    fn of(text: &'a str) -> Letters<'a> {
        Letters { left: text.as_bytes(), level: 0 }
    }

    #[inline]
    fn number(&mut self) -> Result<u32, &'static str> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let [letter, left @ ..] = self.left else { return Err("a number is missing") };
            self.left = left;
            let value = VALUES[usize::from(*letter)];
            if value == u8::MAX {
                return Err("a letter that is not a digit");
            }
            number |= (u64::from(value) % u64::from(BASE)) << shift;
            if u32::from(value) < BASE {
                return u32::try_from(number).map_err(|_| "a number that is too large");
            }
            shift += BASE.ilog2();
            if shift >= u32::BITS + BASE.ilog2() {
                return Err("a number that is too large");
            }
        }
    }

    /// Whether the next letter is this one, which is skipped.
    #[inline]
    fn skip(&mut self, letter: u8) -> bool {
        let is_next = self.left.first() == Some(&letter);
        if is_next {
            self.left = &self.left[1..];
        }
        is_next
    }

    #[inline]
    fn step(&mut self) -> Result<WrittenStep, &'static str> {
        let mut level = self.level;
        if self.skip(b'<') {
            // The level of the last step, less so many.
            let up = self.number()? as usize;
            let beside = level.checked_sub(1).and_then(|last| last.checked_sub(up));
            level = beside.ok_or("a step of a wakeup tree comes after none")?;
        }
        let process = self.number()?;
        let alternative = if self.skip(b'.') { self.number()? } else { 0 };
        let scope = if self.skip(b'*') { BranchScope::Any } else { BranchScope::One };
        self.level = level + 1;
        Ok(WrittenStep { process, alternative, scope, level })
    }
}

impl Iterator for Letters<'_> {
    type Item = Result<WrittenStep, &'static str>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        (!self.left.is_empty()).then(|| self.step())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(steps: &[WakeupStep]) -> (Vec<SavedBranch>, Vec<Pid>) {
        let mut processes = ProcessList::default();
        let mut writer = TreeWriter::new(&mut processes);
        for step in steps {
            writer.add(step.level, step.choice, step.scope);
        }
        let tree = writer.finish();
        (tree, processes.into_processes())
    }

    fn step(level: usize, process: u32, alternative: u32, scope: BranchScope) -> WakeupStep {
        WakeupStep { choice: Choice { process: Pid(process), alternative }, scope, level }
    }

    #[test]
    fn steps_come_back_as_they_were_written() {
        let (any, one) = (BranchScope::Any, BranchScope::One);
        let mut steps = vec![
            step(0, 7, 0, one),
            step(1, 7, 3, one),
            step(2, 1000, 0, any),
            step(2, 2, 31, one),
            step(2, 2, 32, one),
            step(1, 2, u32::MAX, any),
            step(0, 5, 0, any),
            step(0, 7, 0, one),
            step(1, 7, 1 << 20, one),
        ];
        // More processes than a digit can tell apart, and a fork from the deepest to the highest.
        steps.extend((0..1500).map(|number| step(2 + number as usize, 3 * number, 0, one)));
        steps.push(step(1, 4, 0, one));
        let (tree, processes) = read_back(&steps);
        assert_eq!(tree.len(), 3);
        let read: Vec<WakeupStep> = tree.iter().flat_map(|own| own.steps(&processes)).collect();
        assert_eq!(read, steps);
        for branch in tree {
            let text = branch.then.text().to_string();
            assert_eq!(LaterSteps::read(text, processes.len()), Ok(branch.then));
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let read = |text: &str| LaterSteps::read(text.to_string(), 3);
        for right in ["", "A", "ABC", "AB<AC", "AB<BC", "A.B", "A*", "A.B*<AC"] {
            assert!(read(right).is_ok(), "{right}");
        }
        let wrong = [
            // Somebody who is not in the list, a step above the first one, and the first one beside none.
            "D",
            "AB<CC",
            "<AA", // What ends too soon, and what is no letter of ours.
            "A<",
            "A<A",
            "A.",
            "_",
            "A B",
            "*",
            "A**",
            "A.B.B",
            "ä",
            "\"",
            // Numbers that do not fit.
            "A.______E",
            "A._____________A",
            "A<______B",
        ];
        for wrong in wrong {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_largest_number_is_read_and_one_more_is_not() {
        let mut text = "A.".to_string();
        write_number(&mut text, u32::MAX);
        assert_eq!(text, "A.______D");
        assert!(LaterSteps::read(text, 1).is_ok());
        assert!(LaterSteps::read("A.gggggge".to_string(), 1).is_err());
    }
}
