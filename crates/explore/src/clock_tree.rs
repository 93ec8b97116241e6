//! Rows of counts, one for each process, which share what they have in common.
//!
//! **Problem.** A clock row has a count for each process, and there is a row for each event. Of an execution in which ten
//! thousand processes are started, these are a hundred million counts and more, nearly all of them the same as in the row
//! before.
//!
//! **Idea.** A row is a tree whose leaves are blocks of [`LANES`] counts and whose inner nodes have as many children, and is
//! known by the number of its root. Nodes never change: to count an event makes those anew on the way to its count, and to
//! join two rows those in which both differ. Node 0 is all zeros, and stands for a whole tree of them, too. Up to
//! [`LANES`] processes a row is one leaf.
//!
//! **Invariant.** A node is made after those below it, so that the last rows can be taken back with their nodes.
//!
//! **Cost.** To count an event, a node for each level; to join, the nodes in which the two rows differ; to look a
//! count up, the levels.

/// How many counts a leaf has, and how many children another node.
pub(crate) const LANES: usize = 8;

/// A leaf, or the children of a node.
pub(crate) type Lanes = [u32; LANES];

/// How many bits of a process's number choose among the children of a node.
const BITS: u32 = LANES.trailing_zeros();

/// The row in which all counts are zero.
pub(crate) const ZEROS: u32 = 0;

/// The nodes of all rows.
pub(crate) struct ClockTree {
    pub nodes: Vec<Lanes>,
    /// How many levels of nodes lie above the leaves.
    pub height: u32,
}

impl Default for ClockTree {
    fn default() -> ClockTree {
        ClockTree { nodes: vec![[0; LANES]], height: 0 }
    }
}

impl ClockTree {
    /// One without rows, in which there is room for a process.
    pub fn with_room(process: usize) -> ClockTree {
        let mut tree = ClockTree::default();
        while process >= tree.lanes() {
            tree.height += 1;
        }
        tree
    }

    /// For how many processes there is room.
    pub fn lanes(&self) -> usize {
        LANES << (BITS * self.height)
    }

    /// Adds a node.
    #[inline]
    pub fn add(&mut self, node: Lanes) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 nodes")
    }

    /// A count of a row.
    #[inline]
    pub fn count(&self, row: u32, process: usize) -> u32 {
        let mut node = row;
        for level in (1..=self.height).rev() {
            node = self.nodes[node as usize][process >> (BITS * level) & (LANES - 1)];
        }
        self.nodes[node as usize][process & (LANES - 1)]
    }

    /// The row with one more event of a process, and how many there are then.
    #[inline]
    pub fn increment(&mut self, row: u32, process: usize) -> (u32, u32) {
        self.increment_below(row, self.height, process)
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
    pub fn join(&mut self, one: u32, other: u32) -> u32 {
        self.join_below(one, other, self.height)
    }

    fn join_below(&mut self, one: u32, other: u32, level: u32) -> u32 {
        if one == other || other == ZEROS {
            return one;
        }
        if one == ZEROS {
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

    /// Joins a row into one that is written out.
    pub fn join_into(&self, row: u32, written: &mut [u32]) {
        self.join_node_into(row, self.height, written);
    }

    fn join_node_into(&self, node: u32, level: u32, written: &mut [u32]) {
        if node == ZEROS {
            return;
        }
        let lanes = self.nodes[node as usize];
        if level == 0 {
            written.iter_mut().zip(lanes).for_each(|(count, own)| *count = own.max(*count));
            return;
        }
        for (part, child) in written.chunks_mut(LANES << (BITS * (level - 1))).zip(lanes) {
            self.join_node_into(child, level - 1, part);
        }
    }
}
