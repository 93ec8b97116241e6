//! Clock rows of many processes: a tree for each event, which it shares with others where both are the same.
//!
//! Events are taken back in the reverse order, and with them the nodes that they have made.

use super::{Lanes, NONE, Row};
use crate::clock_tree::{ClockTree, TreeRow};

/// The rows of all events.
pub(crate) struct WideRows {
    tree: ClockTree,
    /// For each event its row, and how many nodes there were before it.
    rows: Vec<(TreeRow, usize)>,
}

impl WideRows {
    /// Rows of so many blocks each.
    pub fn new(blocks: &[Lanes], width: usize) -> WideRows {
        let mut tree = ClockTree::default();
        let rows = blocks.chunks(width).map(|row| {
            let before = tree.len();
            (tree.row_of(row), before)
        });
        WideRows { rows: rows.collect(), tree }
    }

    /// Begins the row of a new event with the past of its process's previous one.
    pub fn begin(&mut self, previous: u32) -> WideRow<'_> {
        let row = if previous == NONE { TreeRow::ZEROS } else { self.rows[previous as usize].0 };
        let before = self.tree.len();
        WideRow { rows: self, row, before }
    }

    /// How many events of a process an event knows of.
    pub fn count(&self, event: usize, process: usize) -> u32 {
        self.tree.count(self.rows[event].0, process)
    }

    /// Joins the row of an event into one that is written out.
    pub fn join_into(&self, event: usize, row: &mut [u32]) {
        self.tree.join_into(self.rows[event].0, row);
    }

    /// Takes back all rows but the first so many.
    pub fn cut(&mut self, length: usize) {
        if let Some(&(_, before)) = self.rows.get(length) {
            self.tree.truncate(before);
            self.rows.truncate(length);
        }
    }
}

/// The row of a new event.
pub(crate) struct WideRow<'a> {
    rows: &'a mut WideRows,
    row: TreeRow,
    /// How many nodes there were before it.
    before: usize,
}

impl WideRow<'_> {
    /// All is known that the row is made of.
    pub fn end(self) {
        self.rows.rows.push((self.row, self.before));
    }
}

impl Row for WideRow<'_> {
    fn count(&self, process: usize) -> u32 {
        self.rows.tree.count(self.row, process)
    }

    fn join(&mut self, event: u32) {
        let other = self.rows.rows[event as usize].0;
        self.row = self.rows.tree.join(self.row, other);
    }

    fn increment(&mut self, process: usize) -> u32 {
        let (row, count) = self.rows.tree.increment(self.row, process);
        self.row = row;
        count
    }
}
