//! Rows of counts, one for each process, which share what they have in common.
//!
//! **Problem.** A clock row has a count for each process, and there is a row for each event. Of an execution in which ten
//! thousand processes are started, these are a hundred million counts and more, nearly all of them the same as in the row
//! before.
//!
//! **Idea.** A row is a tree whose leaves are blocks of [`LANES`] counts and whose inner nodes have as many children, as high
//! as its processes need. Nodes never change: to count an event makes those anew on the way to its count, and to join two
//! rows those in which both differ. Node 0 is all zeros, and stands for a whole tree of them, too.
//!
//! **Invariant.** A node is made after those below it, so that the last rows can be taken back with their nodes.
//!
//! **Cost.** To count an event, a node for each level; to join, the nodes in which the two rows differ; to look a count up,
//! the levels.

/// How many counts a leaf has, and how many children another node.
pub(crate) const LANES: usize = 8;

/// A leaf, or the children of a node.
pub(crate) type Lanes = [u32; LANES];

/// How many bits of a process's number choose among the children of a node.
const BITS: u32 = LANES.trailing_zeros();

/// A row.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct TreeRow {
    node: u32,
    /// How many levels of nodes lie above the leaves.
    height: u32,
}

impl TreeRow {
    /// All counts are zero.
    pub const ZEROS: TreeRow = TreeRow { node: 0, height: 0 };

    /// Whether there is room for a process.
    #[inline]
    fn has_room(self, process: usize) -> bool {
        process >> (BITS * (self.height + 1)) == 0
    }
}

/// The nodes of all rows.
pub(crate) struct ClockTree {
    nodes: Vec<Lanes>,
}

impl Default for ClockTree {
    fn default() -> ClockTree {
        ClockTree { nodes: vec![[0; LANES]] }
    }
}

impl ClockTree {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Takes back the nodes that were made since there were so many.
    pub fn truncate(&mut self, length: usize) {
        self.nodes.truncate(length);
    }

    #[inline]
    fn add(&mut self, node: Lanes) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 nodes")
    }

    /// The row with these counts.
    pub fn row_of(&mut self, counts: &[Lanes]) -> TreeRow {
        let mut level: Vec<u32> = counts.iter().map(|&block| self.add(block)).collect();
        let mut height = 0;
        while level.len() > 1 {
            let parents = level.chunks(LANES).map(|children| {
                let mut node = [0; LANES];
                node[..children.len()].copy_from_slice(children);
                self.add(node)
            });
            level = parents.collect();
            height += 1;
        }
        level.first().map_or(TreeRow::ZEROS, |&node| TreeRow { node, height })
    }

    /// A count of a row.
    #[inline]
    pub fn count(&self, row: TreeRow, process: usize) -> u32 {
        if !row.has_room(process) {
            return 0;
        }
        let mut node = row.node;
        for level in (1..=row.height).rev() {
            node = self.nodes[node as usize][process >> (BITS * level) & (LANES - 1)];
        }
        self.nodes[node as usize][process & (LANES - 1)]
    }

    /// The same row, one level higher.
    fn lifted(&mut self, row: TreeRow) -> TreeRow {
        let mut parent = [0; LANES];
        parent[0] = row.node;
        let node = if row.node == 0 { 0 } else { self.add(parent) };
        TreeRow { node, height: row.height + 1 }
    }

    /// The row with one more event of a process, and how many there are then.
    #[inline]
    pub fn increment(&mut self, mut row: TreeRow, process: usize) -> (TreeRow, u32) {
        while !row.has_room(process) {
            row = self.lifted(row);
        }
        let (node, count) = self.increment_below(row.node, row.height, process);
        (TreeRow { node, ..row }, count)
    }

    fn increment_below(&mut self, node: u32, level: u32, process: usize) -> (u32, u32) {
        let mut lanes = self.nodes[node as usize];
        let place = process >> (BITS * level) & (LANES - 1);
        let count = match level {
            0 => {
                lanes[place] += 1;
                lanes[place]
            }
            _ => {
                let (child, count) = self.increment_below(lanes[place], level - 1, process);
                lanes[place] = child;
                count
            }
        };
        (self.add(lanes), count)
    }

    /// The row with the larger of each two counts: the first one itself if it has them all.
    #[inline]
    pub fn join(&mut self, one: TreeRow, mut other: TreeRow) -> TreeRow {
        let mut own = one;
        while own.height < other.height {
            own = self.lifted(own);
        }
        while other.height < own.height {
            other = self.lifted(other);
        }
        let node = self.join_below(own.node, other.node, own.height);
        if node == own.node { one } else { TreeRow { node, ..own } }
    }

    fn join_below(&mut self, one: u32, other: u32, level: u32) -> u32 {
        if one == other || other == 0 {
            return one;
        }
        if one == 0 {
            return other;
        }
        let (ours, theirs) = (self.nodes[one as usize], self.nodes[other as usize]);
        let mut both = ours;
        for (own, other) in both.iter_mut().zip(theirs) {
            *own = match level {
                0 => (*own).max(other),
                _ => self.join_below(*own, other, level - 1),
            };
        }
        match both {
            _ if both == ours => one,
            _ if both == theirs => other,
            _ => self.add(both),
        }
    }

    /// Joins a row into one that is written out, which has room for its processes.
    pub fn join_into(&self, row: TreeRow, written: &mut [u32]) {
        self.join_node_into(row.node, row.height, written);
    }

    fn join_node_into(&self, node: u32, level: u32, written: &mut [u32]) {
        if node == 0 {
            return;
        }
        let lanes = self.nodes[node as usize];
        if level == 0 {
            written.iter_mut().zip(lanes).for_each(|(count, own)| *count = own.max(*count));
            return;
        }
        for (part, child) in written.chunks_mut(1 << (BITS * level)).zip(lanes) {
            self.join_node_into(child, level - 1, part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
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
            let processes = [8, 20, 70, 600][seed as usize % 4];
            let mut tree = ClockTree::default();
            let mut rows: Vec<(TreeRow, usize, Vec<u32>)> = Vec::new();
            for _ in 0..400 {
                while !rows.is_empty() && number(3) == 0 {
                    let (_, before, _) = rows.pop().expect("there are some");
                    tree.truncate(before);
                }
                let before = tree.len();
                let (mut row, mut expected) = (TreeRow::ZEROS, vec![0; processes]);
                for _ in 0..number(4).min(rows.len()) {
                    let (other, _, counts) = &rows[number(rows.len())];
                    let joined = tree.join(row, *other);
                    let within = counts.iter().zip(&expected).all(|(count, own)| count <= own);
                    assert_eq!(joined == row, within);
                    row = joined;
                    expected.iter_mut().zip(counts).for_each(|(a, b)| *a = (*a).max(*b));
                }
                // Processes with larger numbers come later.
                let process = number(processes.min(4 + rows.len()));
                expected[process] += 1;
                let (row, count) = tree.increment(row, process);
                assert_eq!(count, expected[process]);
                rows.push((row, before, expected));
                let (row, _, expected) = &rows[number(rows.len())];
                let mut written = vec![0; processes];
                tree.join_into(*row, &mut written);
                let counted: Vec<u32> = (0..processes).map(|own| tree.count(*row, own)).collect();
                assert_eq!((&written, &counted), (expected, expected));
            }
        }
    }

    #[test]
    fn a_row_is_made_of_its_counts() {
        let mut tree = ClockTree::default();
        let counts: Vec<Lanes> = (0..70u32).map(|block| [block; LANES]).collect();
        for blocks in [1, 2, 8, 9, 64, 70] {
            let row = tree.row_of(&counts[..blocks]);
            let own: Vec<u32> = (0..8 * blocks).map(|process| tree.count(row, process)).collect();
            assert_eq!(own, counts[..blocks].as_flattened());
            assert_eq!(tree.count(row, 8 * 1000), 0);
        }
    }

    #[test]
    fn a_long_chain_of_processes_needs_few_nodes() {
        let mut tree = ClockTree::default();
        let mut row = TreeRow::ZEROS;
        for process in 0..10_000 {
            row = tree.join(TreeRow::ZEROS, row);
            row = tree.increment(row, process).0;
        }
        assert!(tree.len() < 100_000, "{} nodes", tree.len());
        assert_eq!((tree.count(row, 0), tree.count(row, 9_999)), (1, 1));
    }
}
