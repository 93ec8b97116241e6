//! Wakeup trees: the steps that remain to be taken from a node of the search.
//!
//! The wakeup tree of a node of a depth-first search is a list of branches; a branch is a step together
//! with the branches to take after it. A branch without followers means: explore everything from there. The
//! simple explorers only ever add single steps; `optimal` adds whole sequences, so that what it
//! starts it also finishes (Abdulla, Aronis, Jonsson and Sagonas, 2014).
//!
//! All branches of a search live in one arena with a free list, so that adding and taking allocate
//! nothing once the arena has grown.

use counterpoint_model::{Access, Choice, Footprint, Pid, copy_footprint};

const NONE: u32 = u32::MAX;

/// A list of branches, as the arena's index of its first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Branches(u32);

impl Branches {
    /// No branch.
    pub const EMPTY: Branches = Branches(NONE);

    /// Whether there is no branch.
    pub fn is_empty(self) -> bool {
        self.0 == NONE
    }
}

/// Which alternatives of a step a branch stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BranchScope {
    /// All there are when the step is taken.
    Any,
    /// The one in the choice.
    One,
}

/// One step that remains to be taken. What it touches is the arena's own, or lent by whoever adds it.
#[derive(Clone, Debug)]
pub struct Branch<F = Footprint> {
    /// The step; its alternative means nothing if the scope is `Any`.
    pub choice: Choice,
    /// Which alternatives it stands for.
    pub scope: BranchScope,
    /// How many alternatives the step has, as far as it is known.
    pub alternatives: u32,
    /// Whether the step touches nothing and only decides: a branch on an unknown, a choice.
    pub decides: bool,
    /// What the step touches, as far as it is known.
    pub footprint: F,
    /// What to take after it.
    pub then: Branches,
}

impl Branch<&[Access]> {
    /// All alternatives of the process's next step, about which nothing is known.
    pub fn any(process: Pid) -> Self {
        Branch {
            choice: Choice::of(process),
            scope: BranchScope::Any,
            alternatives: 1,
            decides: false,
            footprint: &[],
            then: Branches::EMPTY,
        }
    }
}

/// A step whose turn has come.
#[derive(Copy, Clone, Debug)]
pub struct NextStep {
    /// The step, as in the branch.
    pub choice: Choice,
    /// Which alternatives it stands for.
    pub scope: BranchScope,
    /// What to take after it.
    pub then: Branches,
}

struct Entry {
    branch: Branch,
    next: u32,
}

/// The arena.
#[derive(Default)]
pub struct Wakeups {
    entries: Vec<Entry>,
    free: Vec<u32>,
}

impl Wakeups {
    /// A entry, used before if there is one.
    fn allocate(&mut self, branch: Branch<&[Access]>, next: u32) -> u32 {
        let Branch { choice, scope, alternatives, decides, footprint, then } = branch;
        let index = self.free.pop().unwrap_or_else(|| {
            let footprint = Footprint::new();
            let branch = Branch { choice, scope, alternatives, decides, footprint, then };
            self.entries.push(Entry { branch, next });
            (self.entries.len() - 1) as u32
        });
        let entry = &mut self.entries[index as usize];
        entry.branch.choice = choice;
        entry.branch.scope = scope;
        entry.branch.alternatives = alternatives;
        entry.branch.decides = decides;
        copy_footprint(&mut entry.branch.footprint, footprint);
        entry.branch.then = then;
        entry.next = next;
        index
    }

    /// How many branches there are.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Adds a branch before all others.
    pub fn push_front(&mut self, list: &mut Branches, branch: Branch<&[Access]>) {
        list.0 = self.allocate(branch, list.0);
    }

    /// Adds a branch after the last one of a list, which is empty if there is none. It is the last one then.
    pub fn push_after(
        &mut self,
        list: &mut Branches,
        last: Option<u32>,
        branch: Branch<&[Access]>,
    ) -> u32 {
        let new = self.allocate(branch, NONE);
        match last {
            None => *list = Branches(new),
            Some(last) => self.entries[last as usize].next = new,
        }
        new
    }

    /// Adds a branch after all others.
    pub fn push_back(&mut self, list: &mut Branches, branch: Branch<&[Access]>) {
        let new = self.allocate(branch, NONE);
        self.append(list, Branches(new));
    }

    /// Adds the branches of one list after those of another.
    pub fn append(&mut self, list: &mut Branches, more: Branches) {
        if list.is_empty() {
            *list = more;
            return;
        }
        let mut last = list.0;
        while self.entries[last as usize].next != NONE {
            last = self.entries[last as usize].next;
        }
        self.entries[last as usize].next = more.0;
    }

    /// Takes the first branch; what follows it becomes the caller's.
    pub fn pop_front(&mut self, list: &mut Branches) -> Option<NextStep> {
        if list.is_empty() {
            return None;
        }
        let entry = &self.entries[list.0 as usize];
        let Branch { choice, scope, then, .. } = entry.branch;
        self.free.push(list.0);
        list.0 = entry.next;
        Some(NextStep { choice, scope, then })
    }

    /// Drops a list with all that follows in it.
    pub fn clear(&mut self, list: &mut Branches) {
        let mut lists = vec![*list];
        *list = Branches::EMPTY;
        while let Some(mut current) = lists.pop() {
            while let Some(branch) = self.pop_front(&mut current) {
                lists.push(branch.then);
            }
        }
    }

    /// The branches of a list, by arena index.
    pub fn indices(&self, list: Branches) -> impl Iterator<Item = u32> + '_ {
        let mut current = list.0;
        std::iter::from_fn(move || {
            let index = current;
            current = self.entries.get(index as usize)?.next;
            Some(index)
        })
    }

    /// The branch that follows in the same list.
    pub fn after(&self, index: u32) -> Option<u32> {
        let next = self.entries[index as usize].next;
        (next != NONE).then_some(next)
    }

    /// The branch at an index.
    pub fn get(&self, index: u32) -> &Branch {
        &self.entries[index as usize].branch
    }

    /// The branch at an index, to be changed.
    pub fn get_mut(&mut self, index: u32) -> &mut Branch {
        &mut self.entries[index as usize].branch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(process: u32) -> Branch<&'static [Access]> {
        Branch::any(Pid(process))
    }

    #[test]
    fn branches_come_back_in_order_and_slots_are_reused() {
        let mut wakeups = Wakeups::default();
        let mut list = Branches::EMPTY;
        wakeups.push_back(&mut list, branch(1));
        wakeups.push_back(&mut list, branch(2));
        wakeups.push_front(&mut list, branch(0));
        let order = |wakeups: &Wakeups, list| -> Vec<u32> {
            wakeups.indices(list).map(|i| wakeups.get(i).choice.process.0).collect()
        };
        assert_eq!(order(&wakeups, list), [0, 1, 2]);
        let first = wakeups.pop_front(&mut list).unwrap();
        assert_eq!(first.choice.process, Pid(0));
        assert_eq!(wakeups.len(), 2);
        wakeups.clear(&mut list);
        assert!(list.is_empty() && wakeups.len() == 0);
        for process in 0..3 {
            wakeups.push_back(&mut list, branch(process));
        }
        assert_eq!(wakeups.entries.len(), 3);
    }
}
