//! Clock rows of many processes: a tree for each event, which it shares with others where both are the same.
//!
//! Events are taken back in the reverse order, and with them the nodes that they have made.

use super::{Lanes, NONE, Row};
use crate::clock_tree::{ClockTree, LANES, ZEROS};

/// The rows of all events.
pub(crate) struct WideRows {
    tree: ClockTree,
    /// For each event its row, and how many nodes there were before it.
    rows: Vec<(u32, u32)>,
}

impl WideRows {
    /// Rows of one block each, in which there is room for a process.
    pub fn new(blocks: &[Lanes], process: usize) -> WideRows {
        let mut rows = WideRows { tree: ClockTree::default(), rows: Vec::new() };
        for &block in blocks {
            let before = rows.tree.nodes.len() as u32;
            let root = rows.tree.add(block);
            rows.rows.push((root, before));
        }
        rows.make_room(process);
        rows
    }

    /// For how many processes there is room.
    pub fn lanes(&self) -> usize {
        self.tree.lanes()
    }

    /// Makes room for a process. The nodes of each event stay together.
    pub fn make_room(&mut self, process: usize) {
        while process >= self.lanes() {
            let leaves = self.leaves();
            let height = self.tree.height + 1;
            let higher = ClockTree { height, ..ClockTree::default() };
            let old = std::mem::replace(&mut self.tree, higher).nodes;
            // Where each node is now.
            let mut moved = vec![0u32; old.len()];
            let ends = self.rows.iter().skip(1).map(|row| row.1).chain([old.len() as u32]);
            let ends: Vec<u32> = ends.collect();
            for (row, end) in self.rows.iter_mut().zip(ends) {
                let before = self.tree.nodes.len() as u32;
                for node in row.1..end {
                    let mut lanes = old[node as usize];
                    if !leaves[node as usize] {
                        lanes = lanes.map(|child| moved[child as usize]);
                    }
                    moved[node as usize] = self.tree.add(lanes);
                }
                let mut root = [0; LANES];
                root[0] = moved[row.0 as usize];
                *row = (self.tree.add(root), before);
            }
        }
    }

    /// Which nodes are leaves: that is known from above, where a parent comes after its children.
    fn leaves(&self) -> Vec<bool> {
        let ClockTree { nodes, height } = &self.tree;
        let mut heights = vec![0u32; nodes.len()];
        for &(root, _) in &self.rows {
            heights[root as usize] = *height;
        }
        for node in (1..nodes.len()).rev() {
            if let Some(below) = heights[node].checked_sub(1) {
                nodes[node].iter().for_each(|&child| heights[child as usize] = below);
            }
        }
        heights.into_iter().map(|height| height == 0).collect()
    }

    /// How many events of a process an event knows of.
    pub fn count(&self, event: usize, process: usize) -> u32 {
        self.tree.count(self.rows[event].0, process)
    }

    /// Joins the row of an event into one that is written out.
    pub fn join_into(&self, event: usize, row: &mut [u32]) {
        self.tree.join_into(self.rows[event].0, row);
    }

    /// Takes back the row of the last event.
    pub fn pop(&mut self) {
        if let Some((_, before)) = self.rows.pop() {
            self.tree.nodes.truncate(before as usize);
        }
    }
}

/// The row of a new event.
pub(crate) struct WideRow<'a> {
    rows: &'a mut WideRows,
    root: u32,
    /// How many nodes there were before it.
    before: u32,
}

impl<'a> WideRow<'a> {
    /// Begins with the past of the process's previous event.
    pub fn begin(rows: &'a mut WideRows, previous: u32) -> WideRow<'a> {
        let root = if previous == NONE { ZEROS } else { rows.rows[previous as usize].0 };
        let before = rows.tree.nodes.len() as u32;
        WideRow { rows, root, before }
    }

    /// Counts the event itself: its number among those of its process.
    pub fn increment(&mut self, process: usize) -> u32 {
        let (root, count) = self.rows.tree.increment(self.root, process);
        self.root = root;
        count
    }

    /// All is known that the row is made of.
    pub fn end(self) {
        self.rows.rows.push((self.root, self.before));
    }
}

impl Row for WideRow<'_> {
    fn count(&self, process: usize) -> u32 {
        self.rows.tree.count(self.root, process)
    }

    fn join(&mut self, event: u32) {
        let other = self.rows.rows[event as usize].0;
        self.root = self.rows.tree.join(self.root, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sequence of numbers that look random.
    fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        }
    }

    #[test]
    fn rows_are_those_that_are_written_out() {
        for seed in 0..40 {
            let mut number = numbers(seed);
            let processes = [9, 20, 70, 600][seed as usize % 4];
            let mut rows = WideRows::new(&[], LANES);
            let mut written: Vec<Vec<u32>> = Vec::new();
            let mut last: Vec<(usize, usize)> = Vec::new();
            for _ in 0..400 {
                while !written.is_empty() && number(3) == 0 {
                    rows.pop();
                    written.pop();
                    last.retain(|&(_, event)| event < written.len());
                }
                // Processes with larger numbers come later.
                let process = number(processes.min(4 + written.len()));
                rows.make_room(process);
                let previous = last.iter().rev().find(|(own, _)| *own == process);
                let previous = previous.map_or(NONE, |(_, event)| *event as u32);
                let joined = (0..number(3).min(written.len())).map(|_| number(written.len()));
                let joined: Vec<usize> = joined.collect();
                let mut expected = match previous {
                    NONE => vec![0; processes],
                    previous => written[previous as usize].clone(),
                };
                let mut row = WideRow::begin(&mut rows, previous);
                for &event in &joined {
                    row.join(event as u32);
                    expected.iter_mut().zip(&written[event]).for_each(|(a, b)| *a = (*a).max(*b));
                }
                expected[process] += 1;
                assert_eq!(row.increment(process), expected[process]);
                row.end();
                last.push((process, written.len()));
                written.push(expected);
                let event = number(written.len());
                let mut whole = vec![0; rows.lanes()];
                rows.join_into(event, &mut whole);
                for (process, &count) in written[event].iter().enumerate().take(rows.lanes()) {
                    assert_eq!(rows.count(event, process), count);
                    assert_eq!(whole[process], count);
                }
            }
        }
    }

    #[test]
    fn a_long_chain_of_processes_needs_few_nodes() {
        let mut rows = WideRows::new(&[], LANES);
        for process in 0..10_000 {
            rows.make_room(process);
            let mut row = WideRow::begin(&mut rows, NONE);
            if let Some(before) = process.checked_sub(1) {
                row.join(before as u32);
            }
            row.increment(process);
            row.end();
        }
        assert!(rows.tree.nodes.len() < 100_000, "{} nodes", rows.tree.nodes.len());
        assert_eq!((rows.count(9_999, 0), rows.count(9_998, 9_999)), (1, 0));
    }
}
