//! Which places on the path the run can be taken back to at once.
//!
//! **Problem.** To mark a place costs some runs about a tenth of a step: they must keep what later steps overwrite. Many places
//! are never returned to: those after which only one process is left, or the inner steps of a section under a lock.
//!
//! **Idea.** A run that has to return to a place without a mark is taken back to the next one above it that has one,
//! and takes the steps from there again. So whether to mark is a question of cost only. It is answered by what
//! happened at the same depth before: the depth of a place says much about it, since executions of a program differ in their
//! order more than in their length. Where, of late, one in n paths was returned to, and the last mark is d steps back, leaving
//! the mark out costs d/n steps.
//!
//! **Invariant.** The first place has a mark.

/// What is known about the places at one depth.
#[derive(Copy, Clone, Default)]
pub(super) struct Popularity {
    /// How many paths have come here, of late.
    visits: u32,
    /// How often the run was taken back here, of late.
    returns: u32,
}

/// So many visits are needed to know anything.
const FEW: u32 = 8;

/// Both counts are halved at this many visits, so that what was long ago does not count.
const MANY: u32 = 4096;

/// To mark a place costs one in so many steps, about. It is left out where that saves twice as much as it costs.
const MARK: u64 = 10;

impl Popularity {
    /// A path has come here, and so many steps back is the last mark. Whether a mark pays.
    #[inline]
    pub fn visit(&mut self, distance: usize) -> bool {
        self.visits += 1;
        if self.visits == MANY {
            self.visits /= 2;
            self.returns /= 2;
        }
        self.visits < FEW
            || u64::from(self.returns) * distance as u64 * 2 * MARK > u64::from(self.visits)
    }

    /// The run was taken back here.
    pub fn note_return(&mut self) {
        self.returns = self.returns.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_pay_where_runs_return_or_the_last_mark_is_far_back() {
        let mut seldom = Popularity::default();
        for visit in 0..10_000 {
            let pays = seldom.visit(1);
            assert_eq!(pays, visit < FEW as usize - 1, "{visit}");
        }
        let mut at_times = Popularity::default();
        for visit in 1..=1_000 {
            at_times.visit(1);
            if visit % 100 == 0 {
                at_times.note_return();
            }
        }
        assert!(!at_times.visit(1));
        assert!(at_times.visit(10));
        // What was long ago is forgotten.
        for _ in 0..1_000 {
            at_times.note_return();
        }
        assert!(at_times.visit(1));
        assert!((0..100_000).any(|_| !at_times.visit(1)));
    }
}
