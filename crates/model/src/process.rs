//! Processes and names for them that do not depend on the schedule.
//!
//! A process is named by its parent and its number among the parent's children. Explorers want small
//! dense numbers to index vector clocks with, so names are interned: the first run that starts a
//! process gives its name the next number, and every later run of the same program finds that number
//! again. On disk a process is written as its path, `0.2.1`: the second child of the third child of
//! the first process, counting from zero.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

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
}

impl Default for ProcessNames {
    fn default() -> Self {
        let main = Entry { parent: None, number: 0 };
        ProcessNames {
            table: RefCell::new(Table { entries: vec![main], children: FxHashMap::default() }),
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
        table.entries.push(Entry { parent: Some(parent), number });
        table.children.insert((parent, number), pid);
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
        let table = self.table.borrow();
        let mut numbers = Vec::new();
        let mut current = Some(pid);
        while let Some(pid) = current {
            let entry = &table.entries[pid.index()];
            numbers.push(entry.number.to_string());
            current = entry.parent;
        }
        numbers.reverse();
        numbers.join(".")
    }

    /// The process with this path, interning it if need be; `None` if the text is no path.
    pub fn resolve(&self, path: &str) -> Option<Pid> {
        let mut numbers = path.split('.').map(|number| number.parse::<u32>().ok());
        if numbers.next()? != Some(0) {
            return None;
        }
        let mut pid = Pid::MAIN;
        for number in numbers {
            pid = self.child(pid, number?);
        }
        Some(pid)
    }
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
}
