//! The fields of all objects and the results of all tasks, with a trail.
//!
//! There is one cell per location. A cell that a step overwrites goes onto the trail, once for each step,
//! so that going back costs what was written since, and a loop over one field costs no memory. The cells of an object that does not exist yet mean nothing and are
//! not restored.
//!
//! The heap notes which cells a step writes and, while `watching`, which it reads.

use super::evaluate::Memory;
use super::value::Value;

#[derive(Clone, Default)]
pub(crate) struct Heap {
    pub cells: Vec<Value>,
    trail: Vec<(u32, Value)>,
    watching: bool,
    /// The number of the step, in the upper bits of the marks of cells that it touched.
    stamp: u32,
    marks: Vec<u32>,
    touched: Vec<u32>,
}

const READ: u32 = 1;
const WRITTEN: u32 = 2;

impl Heap {
    pub fn new(watching: bool) -> Heap {
        Heap { watching, ..Heap::default() }
    }

    /// Notes what steps touch from now on.
    pub fn watch(&mut self) {
        self.watching = true;
    }

    /// Makes sure that there is a cell for each location below the limit.
    pub fn reserve(&mut self, limit: usize) {
        if self.cells.len() < limit {
            self.cells.resize(limit, Value::Null);
            self.marks.resize(limit, 0);
        }
    }

    /// A new step begins: nothing is touched.
    pub fn begin(&mut self) {
        self.touched.clear();
        if self.stamp == u32::MAX >> 2 {
            self.stamp = 0;
            self.marks.fill(0);
        }
        self.stamp += 1;
    }

    /// The cells touched in this step, and whether they were written.
    pub fn touched(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.touched.iter().map(|&cell| (cell, self.marks[cell as usize] & WRITTEN != 0))
    }

    /// Overwrites a cell that means nothing yet.
    pub fn init(&mut self, cell: u32, value: Value) {
        self.cells[cell as usize] = value;
    }

    pub fn position(&self) -> usize {
        self.trail.len()
    }

    pub fn undo(&mut self, position: usize) {
        while self.trail.len() > position {
            let (cell, value) = self.trail.pop().expect("the trail is longer than the position");
            self.cells[cell as usize] = value;
        }
    }

    /// Notes that a cell is touched in some way, and says whether that is news.
    #[inline(always)]
    fn touch(&mut self, cell: u32, how: u32) -> bool {
        let mark = &mut self.marks[cell as usize];
        if *mark >> 2 != self.stamp {
            *mark = self.stamp << 2;
            self.touched.push(cell);
        }
        let news = *mark & how == 0;
        *mark |= how;
        news
    }
}

impl Memory for Heap {
    #[inline(always)]
    fn look(&mut self, cell: u32) {
        if self.watching {
            self.touch(cell, READ);
        }
    }

    #[inline(always)]
    fn get(&self, cell: u32) -> &Value {
        &self.cells[cell as usize]
    }

    #[inline(always)]
    fn set(&mut self, cell: u32, value: Value, under_construction: bool) {
        let old = std::mem::replace(&mut self.cells[cell as usize], value);
        if under_construction {
            return;
        }
        if self.touch(cell, WRITTEN) {
            self.trail.push((cell, old));
        }
    }
}
