//! Many short lists that grow, in one piece of memory.
//!
//! **Problem.** A net has several lists for each of its conditions, most of them with less than a handful of
//! entries. Each as a vector of its own would be allocated, grown and freed by itself, which takes longer than what the
//! lists are for.
//!
//! **Idea.** All lists share one table. A list is where it begins and how long it is, and it lies in a block whose size is the
//! next power of two. One that outgrows its block moves to a block of twice the size, and its old block is
//! given to the next list that needs one of that size.
//!
//! **Cost.** Constant per entry on average; less than twice the entries in memory, and the blocks that nobody has
//! asked for again.

/// The table.
pub(crate) struct Slices<T> {
    items: Vec<T>,
    /// Per logarithm of the size: where blocks of that size lie that no list needs.
    free: Vec<Vec<u32>>,
}

/// One of the lists.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Slice {
    from: u32,
    length: u32,
}

impl<T> Default for Slices<T> {
    fn default() -> Self {
        Slices { items: Vec::new(), free: Vec::new() }
    }
}

impl<T: Copy> Slices<T> {
    /// What is in a list, oldest first.
    pub fn get(&self, slice: Slice) -> &[T] {
        &self.items[slice.from as usize..][..slice.length as usize]
    }

    /// Whether nothing was ever added to any list.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds to the end of a list.
    pub fn push(&mut self, slice: &mut Slice, item: T) {
        let length = slice.length as usize;
        if length == 0 {
            slice.from = self.block(0, item);
        } else if length.is_power_of_two() {
            let class = length.trailing_zeros() as usize;
            let from = self.block(class + 1, item);
            let old = slice.from as usize;
            self.items.copy_within(old..old + length, from as usize);
            if self.free.len() <= class {
                self.free.resize_with(class + 1, Vec::new);
            }
            self.free[class].push(slice.from);
            slice.from = from;
        }
        self.items[slice.from as usize + length] = item;
        slice.length += 1;
    }

    /// A block of a size given by its logarithm.
    fn block(&mut self, class: usize, fill: T) -> u32 {
        if let Some(from) = self.free.get_mut(class).and_then(Vec::pop) {
            return from;
        }
        let from = self.items.len();
        self.items.resize(from + (1 << class), fill);
        u32::try_from(from).expect("fewer than 2^32 entries in all lists")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_grow_by_turns_keep_what_is_in_them() {
        let mut slices: Slices<u32> = Slices::default();
        let mut lists = [Slice::default(); 7];
        assert!(slices.get(lists[0]).is_empty());
        for round in 0..40 {
            for (number, list) in lists.iter_mut().enumerate() {
                // The lists grow at different speeds, so that blocks change hands.
                if round % (number as u32 + 1) == 0 {
                    slices.push(list, round * 10 + number as u32);
                }
            }
        }
        for (number, &list) in lists.iter().enumerate() {
            let due = (0..40).filter(|round| round % (number as u32 + 1) == 0);
            let expected: Vec<u32> = due.map(|round| round * 10 + number as u32).collect();
            assert_eq!(slices.get(list), expected);
        }
        let largest = 64 + 32 + 16 + 16 + 8 + 8 + 8;
        assert!(slices.items.len() <= 2 * largest, "old blocks are used again");
    }
}
