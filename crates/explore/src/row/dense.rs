//! Clock rows of few processes: some blocks of counts for each event.

use super::{LANES, Lanes, NONE, Row};

/// The row of a new event, and those of all events before it. `NARROW` if rows have one block.
pub(crate) struct DenseRow<'a, const NARROW: bool> {
    rows: &'a [Lanes],
    row: &'a mut [Lanes],
}

impl<'a, const NARROW: bool> DenseRow<'a, NARROW> {
    /// Begins the row of the event with this number, for which there is room, with the past of its process's previous one.
    #[inline]
    pub fn begin(
        rows: &'a mut [Lanes],
        width: usize,
        event: usize,
        previous: u32,
    ) -> DenseRow<'a, NARROW> {
        let width = if NARROW { 1 } else { width };
        let (rows, rest) = rows.split_at_mut(event * width);
        let row = &mut rest[..width];
        if previous == NONE {
            row.fill([0; LANES]);
        } else {
            let other = &rows[previous as usize * width..][..width];
            match (&mut *row, other) {
                ([row], [other]) => *row = *other,
                (row, other) => row.copy_from_slice(other),
            }
        }
        DenseRow { rows, row }
    }

    #[inline]
    fn width(&self) -> usize {
        if NARROW { 1 } else { self.row.len() }
    }
}

impl<const NARROW: bool> Row for DenseRow<'_, NARROW> {
    #[inline]
    fn count(&self, process: usize) -> u32 {
        self.row[..self.width()].as_flattened()[process]
    }

    #[inline]
    fn join(&mut self, event: u32) {
        let width = self.width();
        let other = &self.rows[event as usize * width..][..width];
        for (row, other) in self.row[..width].iter_mut().zip(other) {
            for (count, other) in row.iter_mut().zip(other) {
                *count = (*count).max(*other);
            }
        }
    }

    #[inline]
    fn increment(&mut self, process: usize) -> u32 {
        let width = self.width();
        let count = &mut self.row[..width].as_flattened_mut()[process];
        *count += 1;
        *count
    }
}
