//! The clock rows of all events of an execution, in whichever form.

use super::dense::DenseRow;
use super::wide::WideRows;
use super::{LANES, Lanes};

/// A row with more blocks is a tree.
const MOST_BLOCKS: usize = 8;

/// The rows, in the order of the events.
pub(crate) struct KeptRows {
    /// One for each event, and room for more, as long as there are few processes.
    dense: Vec<Lanes>,
    /// Blocks of such a row.
    width: usize,
    /// The rows once there are more.
    wide: Option<Box<WideRows>>,
}

impl Default for KeptRows {
    fn default() -> KeptRows {
        KeptRows { dense: Vec::new(), width: 1, wide: None }
    }
}

impl KeptRows {
    /// Whether each row is one block.
    #[inline]
    pub fn are_narrow(&self) -> bool {
        self.width == 1
    }

    /// The rows if there are many processes.
    #[inline]
    pub fn wide(&mut self) -> Option<&mut WideRows> {
        self.wide.as_deref_mut()
    }

    /// For how many processes there is room.
    pub fn len(&self) -> usize {
        self.width * LANES
    }

    /// How many events of a process happen before an event, or are it.
    #[inline]
    pub fn count(&self, event: usize, process: usize) -> u32 {
        match &self.wide {
            None => self.dense[event * self.width + process / LANES][process % LANES],
            Some(wide) => wide.count(event, process),
        }
    }

    /// Writes down the row of an event at the end of a list.
    pub fn write_into(&self, event: usize, row: &mut Vec<u32>) {
        match &self.wide {
            None => row.extend_from_slice(self.dense_row(event)),
            Some(wide) => {
                let start = row.len();
                row.resize(start + self.len(), 0);
                wide.join_into(event, &mut row[start..]);
            }
        }
    }

    /// Joins the row of an event into another one.
    pub fn join_into(&self, event: usize, row: &mut [u32]) {
        match &self.wide {
            None => row.iter_mut().zip(self.dense_row(event)).for_each(|(r, own)| *r = *own.max(r)),
            Some(wide) => wide.join_into(event, row),
        }
    }

    fn dense_row(&self, event: usize) -> &[u32] {
        self.dense[event * self.width..][..self.width].as_flattened()
    }

    /// Begins the row of the event with this number, for which there is room, unless there are many processes.
    #[inline]
    pub fn begin<const NARROW: bool>(
        &mut self,
        event: usize,
        previous: u32,
    ) -> DenseRow<'_, NARROW> {
        DenseRow::begin(&mut self.dense, self.width, event, previous)
    }

    /// Makes room for the row of the event with this number.
    #[inline]
    pub fn make_room(&mut self, event: usize) {
        if self.wide.is_none() && self.dense.len() < (event + 1) * self.width {
            self.dense.resize((event + 1) * self.width, [0; LANES]);
        }
    }

    /// Takes back all rows but the first so many.
    #[inline]
    pub fn cut(&mut self, length: usize) {
        if let Some(wide) = &mut self.wide {
            wide.cut(length);
        }
    }

    /// Makes the rows of so many events long enough for a process.
    #[cold]
    pub fn widen(&mut self, events: usize, process: usize) {
        let wider = (process / LANES + 1).next_power_of_two();
        let width = std::mem::replace(&mut self.width, wider);
        if self.wide.is_some() {
            return;
        }
        let old = std::mem::take(&mut self.dense);
        let rows = &old[..events * width];
        if wider > MOST_BLOCKS {
            self.wide = Some(Box::new(WideRows::new(rows, width)));
            return;
        }
        for row in rows.chunks(width) {
            self.dense.extend_from_slice(row);
            self.dense.resize(self.dense.len() + wider - width, [0; LANES]);
        }
    }
}
