//! Clock rows of few processes: one block of numbers for each event.

use super::{LANES, Lanes, NONE, Row};

/// The row of a new event, and those of all events before it.
pub(crate) struct NarrowRow<'a> {
    rows: &'a [Lanes],
    row: &'a mut Lanes,
}

impl<'a> NarrowRow<'a> {
    /// Begins the row of the event with this number, for which there is room, with the past of its process's previous one.
    #[inline]
    pub fn begin(rows: &'a mut [Lanes], event: usize, previous: u32) -> NarrowRow<'a> {
        let (rows, rest) = rows.split_at_mut(event);
        let row = &mut rest[0];
        *row = if previous == NONE { [0; LANES] } else { rows[previous as usize] };
        NarrowRow { rows, row }
    }

    /// Counts the event itself: its number among those of its process.
    #[inline]
    pub fn increment(&mut self, process: usize) -> u32 {
        self.row[process] += 1;
        self.row[process]
    }
}

impl Row for NarrowRow<'_> {
    #[inline]
    fn count(&self, process: usize) -> u32 {
        self.row[process]
    }

    #[inline]
    fn join(&mut self, event: u32) {
        join(self.row, &self.rows[event as usize]);
    }
}

/// Joins a block of a row into another one.
#[inline]
pub(crate) fn join(row: &mut Lanes, other: &Lanes) {
    for (row, other) in row.iter_mut().zip(other) {
        *row = (*row).max(*other);
    }
}
