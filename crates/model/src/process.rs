//! Processes and names for them that do not depend on the schedule.
//!
//! A process is named by its parent and its number among the parent's children. Explorers want small
//! dense numbers to index vector clocks with, so names are interned: the first run that starts a
//! process gives its name the next number, and every later run of the same program finds that number
//! again. On disk a process is written as its path, `0.2.1`: the second child of the third child of
//! the first process, counting from zero. A process may have a thousand ancestors, each the first child
//! of the one before: what repeats in a path is written once, with how often, as in `0.2.(0)*1000` or
//! `0.(1.0)*500`.
//!
//! **Cost.** Two processes are compared in time logarithmic in their depth: each entry knows, besides its
//! parent, one ancestor further up (Myers, "An applicative random-access stack", 1983).

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

/// A process: a thread, or a task of an active object.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pid(pub u32);

impl Pid {
    /// The first process of every program.
    pub const MAIN: Pid = Pid(0);

    /// The number as a table index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The table of process names of one program, shared by all its runs.
#[derive(Debug)]
pub struct ProcessNames {
    table: RefCell<Table>,
    /// Whether the order of numbers is that of paths, as it is where each process starts others one after another.
    in_order: Cell<bool>,
}

#[derive(Debug)]
struct Table {
    entries: Vec<Entry>,
    children: FxHashMap<(Pid, u32), Pid>,
}

#[derive(Debug)]
struct Entry {
    parent: Option<Pid>,
    number: u32,
    /// How many ancestors it has.
    depth: u32,
    /// An ancestor further up; the main process is its own.
    jump: Pid,
    /// A digest of its path.
    digest: u64,
}

impl Table {
    fn entry(&self, pid: Pid) -> &Entry {
        &self.entries[pid.index()]
    }

    /// The ancestor of that depth, which is at most the process's own.
    fn ancestor(&self, mut pid: Pid, depth: u32) -> Pid {
        while self.entry(pid).depth > depth {
            let entry = self.entry(pid);
            pid = match entry.parent {
                Some(parent) if self.entry(entry.jump).depth < depth => parent,
                _ => entry.jump,
            };
        }
        pid
    }

    /// Of two processes of one depth that differ, the ancestors that are children of one process.
    fn siblings(&self, mut one: Pid, mut other: Pid) -> (Pid, Pid) {
        while self.entry(one).parent != self.entry(other).parent {
            let (jump, other_jump) = (self.entry(one).jump, self.entry(other).jump);
            if jump != other_jump {
                (one, other) = (jump, other_jump);
            } else {
                one = self.entry(one).parent.expect("only the main process has no parent");
                other = self.entry(other).parent.expect("only the main process has no parent");
            }
        }
        (one, other)
    }

    /// The numbers of its path.
    fn numbers(&self, pid: Pid) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.entry(pid).depth as usize + 1);
        let mut current = Some(pid);
        while let Some(pid) = current {
            numbers.push(self.entry(pid).number);
            current = self.entry(pid).parent;
        }
        numbers.reverse();
        numbers
    }
}

impl Default for ProcessNames {
    fn default() -> Self {
        let main = Entry { parent: None, number: 0, depth: 0, jump: Pid::MAIN, digest: 0 };
        ProcessNames {
            table: RefCell::new(Table { entries: vec![main], children: FxHashMap::default() }),
            in_order: Cell::new(true),
        }
    }
}

impl ProcessNames {
    /// A table that knows only the main process.
    pub fn new() -> ProcessNames {
        ProcessNames::default()
    }

    /// The `number`th child (from 0) of `parent`.
    pub fn child(&self, parent: Pid, number: u32) -> Pid {
        let mut table = self.table.borrow_mut();
        if let Some(&pid) = table.children.get(&(parent, number)) {
            return pid;
        }
        let pid = Pid(u32::try_from(table.entries.len()).expect("fewer than 2^32 processes"));
        let above = table.entry(parent);
        let further = table.entry(above.jump);
        let even = above.depth - further.depth == further.depth - table.entry(further.jump).depth;
        let jump = if even { further.jump } else { parent };
        let depth = above.depth + 1;
        let mut hasher = FxHasher::default();
        (above.digest, number).hash(&mut hasher);
        let digest = hasher.finish();
        table.entries.push(Entry { parent: Some(parent), number, depth, jump, digest });
        table.children.insert((parent, number), pid);
        drop(table);
        if self.in_order.get() {
            self.in_order.set(self.compare_processes(Pid(pid.0 - 1), pid).is_lt());
        }
        pid
    }

    /// How many processes have a name so far: every `Pid` in use is below this.
    pub fn len(&self) -> usize {
        self.table.borrow().entries.len()
    }

    /// Never: the main process always has a name.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The process that started this one.
    pub fn parent(&self, pid: Pid) -> Option<Pid> {
        self.table.borrow().entries[pid.index()].parent
    }

    /// The stable name: the path of child numbers from the main process, as in `0.2.1`.
    pub fn path(&self, pid: Pid) -> String {
        let numbers = self.table.borrow().numbers(pid);
        let mut text = numbers[0].to_string();
        let mut rest = &numbers[1..];
        while !rest.is_empty() {
            let (period, times) = repetition(rest);
            // Writing to a string cannot fail.
            let _ = match times {
                1 => write!(text, ".{}", rest[0]),
                _ => write!(text, ".({})*{times}", joined(&rest[..period])),
            };
            rest = &rest[period * times..];
        }
        text
    }

    /// A name that somebody can read: the path, or of a long one the beginning, a digest, and the end.
    pub fn short_path(&self, pid: Pid) -> String {
        let (beginning, digest, end) = {
            let table = self.table.borrow();
            let entry = table.entry(pid);
            if entry.depth <= LONGEST_SHOWN {
                drop(table);
                return self.path(pid);
            }
            let mut end = Vec::with_capacity(ENDS as usize);
            let mut current = pid;
            while end.len() < ENDS as usize {
                let entry = table.entry(current);
                end.push(entry.number);
                current = entry.parent.expect("it is deeper than that");
            }
            end.reverse();
            (table.ancestor(pid, ENDS), entry.digest as u32, end)
        };
        format!("{}...{digest:08x}...{}", self.path(beginning), joined(&end))
    }

    /// The order of the paths of two things, each the child or other creation of that number of a
    /// process: number by number from the main process on, the shorter first.
    pub fn compare(&self, one: (Pid, u32), other: (Pid, u32)) -> Ordering {
        let table = &*self.table.borrow();
        let depths = [one, other].map(|(creator, _)| table.entry(creator).depth);
        let common = depths[0].min(depths[1]);
        let [above, beside] = [one, other].map(|(creator, _)| table.ancestor(creator, common));
        if above != beside {
            let (left, right) = table.siblings(above, beside);
            return table.entry(left).number.cmp(&table.entry(right).number);
        }
        // What follows the ancestor that both have: the number of the next one down, or the last.
        let next = |(creator, number): (Pid, u32), depth: u32| match depth == common {
            true => number,
            false => table.entry(table.ancestor(creator, common + 1)).number,
        };
        next(one, depths[0]).cmp(&next(other, depths[1])).then(depths[0].cmp(&depths[1]))
    }

    /// The order of the paths of two processes.
    pub fn compare_processes(&self, one: Pid, other: Pid) -> Ordering {
        let place = |pid: Pid| {
            let table = self.table.borrow();
            table.entry(pid).parent.map(|parent| (parent, table.entry(pid).number))
        };
        match (place(one), place(other)) {
            (Some(one), Some(other)) => self.compare(one, other),
            (one, other) => one.is_some().cmp(&other.is_some()),
        }
    }

    /// Puts processes in the order of their paths, which stand in that of their numbers.
    pub fn sort(&self, processes: &mut [Pid]) {
        if !self.in_order.get() {
            processes.sort_unstable_by(|&one, &other| self.compare_processes(one, other));
        }
    }

    /// The process with this path, interning it if need be; `None` if the text is no path.
    pub fn resolve(&self, path: &str) -> Option<Pid> {
        let mut pid = None;
        let mut rest = path;
        loop {
            let (group, times) = match rest.strip_prefix('(') {
                Some(inside) => {
                    let (group, behind) = inside.split_once(")*")?;
                    let end = behind.find('.').unwrap_or(behind.len());
                    rest = &behind[end..];
                    (group, behind[..end].parse::<u32>().ok().filter(|times| *times <= DEEPEST)?)
                }
                None => {
                    let end = rest.find('.').unwrap_or(rest.len());
                    let (group, behind) = rest.split_at(end);
                    rest = behind;
                    (group, 1)
                }
            };
            let numbers: Option<Vec<u32>> =
                group.split('.').map(|number| number.parse().ok()).collect();
            let numbers = numbers?;
            for &number in numbers.iter().cycle().take(numbers.len() * times as usize) {
                pid = match pid {
                    None if number == 0 => Some(Pid::MAIN),
                    None => return None,
                    Some(parent) => Some(self.child(parent, number)),
                };
            }
            match rest.strip_prefix('.') {
                Some(behind) => rest = behind,
                None if rest.is_empty() => return pid,
                None => return None,
            }
        }
    }
}

/// No path repeats anything more often than this: executions are not that long.
const DEEPEST: u32 = 100_000_000;

/// Longer paths are shown in part: so many numbers of the beginning and of the end.
const LONGEST_SHOWN: u32 = 64;
const ENDS: u32 = 4;

/// The longest group of numbers that is looked for.
const LONGEST_GROUP: usize = 4;

/// How long a part of a path must be for its repetition to be written as such.
const WORTHWHILE: usize = 8;

/// The length of the group that the numbers begin with, and how often it is repeated there.
fn repetition(numbers: &[u32]) -> (usize, usize) {
    for period in 1..=LONGEST_GROUP {
        let same = numbers.iter().zip(numbers.iter().skip(period)).take_while(|(a, b)| a == b);
        let times = same.count() / period + 1;
        if times > 1 && period * times >= WORTHWHILE {
            return (period, times);
        }
    }
    (1, 1)
}

fn joined(numbers: &[u32]) -> String {
    let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
    texts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number_and_survives_its_text() {
        let names = ProcessNames::new();
        let second = names.child(Pid::MAIN, 1);
        let first = names.child(Pid::MAIN, 0);
        let nested = names.child(second, 4);
        assert_eq!(names.child(Pid::MAIN, 1), second);
        assert_ne!(first, second);
        assert_eq!(names.path(nested), "0.1.4");
        assert_eq!(names.resolve("0.1.4"), Some(nested));
        assert_eq!(names.len(), 4);
        for wrong in ["", "1", "0.", "0.x", "0.-1", "0.99999999999"] {
            assert_eq!(names.resolve(wrong), None, "{wrong}");
        }
    }

    /// A process for each path of at most so many numbers below two, and its numbers.
    fn all(names: &ProcessNames, depth: usize) -> Vec<(Pid, Vec<u32>)> {
        let mut all = vec![(Pid::MAIN, vec![0])];
        let mut from = 0;
        for _ in 1..depth {
            let end = all.len();
            for index in from..end {
                for number in 0..2 {
                    let (parent, mut path) = all[index].clone();
                    path.push(number);
                    all.push((names.child(parent, number), path));
                }
            }
            from = end;
        }
        all
    }

    #[test]
    fn processes_and_what_they_create_are_ordered_by_their_paths() {
        let names = ProcessNames::new();
        let all = all(&names, 6);
        for (one, path) in &all {
            for (other, other_path) in &all {
                let expected = path.cmp(other_path);
                assert_eq!(names.compare_processes(*one, *other), expected, "{path:?}");
                for numbers in [(0, 0), (0, 1), (1, 0)] {
                    let mut paths = (path.clone(), other_path.clone());
                    paths.0.push(numbers.0);
                    paths.1.push(numbers.1);
                    let order = names.compare((*one, numbers.0), (*other, numbers.1));
                    assert_eq!(order, paths.0.cmp(&paths.1), "{paths:?}");
                }
            }
        }
    }

    #[test]
    fn what_repeats_in_a_path_is_written_once() {
        let names = ProcessNames::new();
        let cases = [
            ("0.0.0.0.0.0.0.0.0.0", "0.(0)*9"),
            ("0.2.0.0.0.0.0.0.0.0.3", "0.2.(0)*8.3"),
            ("0.7.1.0.1.0.1.0.1.0.9", "0.7.(1.0)*4.9"),
            ("0.1.2.3.0.1.2.3.0", "0.(1.2.3.0)*2"),
            ("0.0.0.0.0.0.0.1", "0.0.0.0.0.0.0.1"),
        ];
        for (long, short) in cases {
            let process = names.resolve(long).unwrap();
            assert_eq!(names.path(process), short);
            assert_eq!(names.resolve(short), Some(process), "{short}");
        }
        for wrong in
            ["(0)", "(0)*", "(0)*x", "(1)*2", "(0*2", "(0)*2x", "()*2", "(0)*999999999", "0..1"]
        {
            assert_eq!(names.resolve(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_process_with_a_hundred_thousand_ancestors_is_named_and_compared_at_once() {
        let names = ProcessNames::new();
        let mut deep = Pid::MAIN;
        for _ in 0..100_000 {
            deep = names.child(deep, 0);
        }
        let (left, right) = (names.child(deep, 1), names.child(deep, 2));
        for _ in 0..100_000 {
            assert_eq!(names.compare_processes(left, right), Ordering::Less);
        }
        assert_eq!(names.path(left), "0.(0)*100000.1");
        let [short, other] = [left, right].map(|pid| names.short_path(pid));
        assert!(
            short.len() < 60 && short.starts_with("0.0.0.0.0...") && short.ends_with("0.0.0.1")
        );
        assert_ne!(short, other);
    }
}
