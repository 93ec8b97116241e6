//! Where the fields are that the machine reads by name while a program runs.
//!
//! **Problem.** Operations of the JDK that are performed as one step look into its objects: how many elements a queue has,
//! in what state a pool is. They name fields, and to find a field by its name in a class and its superclasses takes longer
//! than all the rest of the operation.
//!
//! **Idea.** A small table of what was found, by class, owner and name. Names are constants of the machine, so those that
//! stand in the same place are the same; one that stands in two places takes two rows.
//!
//! **Invariant.** A class that was loaded keeps its number and its fields, so what was found once holds for ever.
//!
//! **Cost.** A few comparisons. What falls on a row that is taken replaces what is there.

use std::array::from_fn;
use std::cell::Cell;
use std::ptr::eq;

use crate::world::ClassId;

/// How many fields are remembered, a power of two.
const ROWS: usize = 256;

/// A field that was found.
#[derive(Debug, Clone, Copy)]
struct Row {
    class: ClassId,
    owner: &'static str,
    name: &'static str,
    word: u32,
}

/// The words of fields that were looked up.
#[derive(Debug)]
pub struct FieldWords {
    rows: [Cell<Option<Row>>; ROWS],
}

impl Default for FieldWords {
    fn default() -> FieldWords {
        FieldWords { rows: from_fn(|_| Cell::new(None)) }
    }
}

impl FieldWords {
    /// The word of a field in objects of a class, which is looked up if need be.
    pub fn get_or_find<E>(
        &self,
        class: ClassId,
        owner: &'static str,
        name: &'static str,
        find: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let row = &self.rows[place(class, name)];
        if let Some(found) = row.get()
            && found.class == class
            && eq(found.name, name)
            && eq(found.owner, owner)
        {
            return Ok(found.word);
        }
        let word = find()?;
        row.set(Some(Row { class, owner, name, word }));
        Ok(word)
    }
}

fn place(class: ClassId, name: &'static str) -> usize {
    let mixed = (name.as_ptr().addr() ^ class.0 as usize).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed >> (usize::BITS - ROWS.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_not_looked_up_again_and_not_taken_for_something_else() {
        let words = FieldWords::default();
        let find = |class, owner, name, word: Result<u32, ()>| {
            words.get_or_find(ClassId(class), owner, name, || word)
        };
        let names = ["state", "count", "stat"];
        for class in 0..ROWS as u32 {
            for (place, name) in names.into_iter().enumerate() {
                let word = 10 * class + place as u32;
                assert_eq!(find(class, "a", name, Ok(word)), Ok(word));
                assert_eq!(find(class, "a", name, Err(())), Ok(word));
                assert_eq!(find(class, "b", name, Ok(7)), Ok(7));
            }
        }
        assert_eq!(find(1, "c", names[0], Err(())), Err(()));
    }
}
