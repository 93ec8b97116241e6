//! Which tasks may be able to move, found without looking at all that ever were.
//!
//! **Problem.** After each step an explorer asks who can move. A long execution has finished tasks
//! without number, and a model that speaks of time has tasks that wait for nothing but the clock. To
//! look at each of them after each step makes an execution quadratic in its length.
//!
//! **Idea.** A bit for each task that is not over and does not wait for time alone (the *open* ones).
//! Tasks whose interval has not begun are kept in two orders, by the beginnings and by the ends of their
//! intervals: the clock jumps to the first end, and what has begun by then is taken from the first order.
//!
//! **Invariant.** The index is a function of the tasks' records and the clock. Every change of a record
//! is followed by [`Live::note`], in going back as well.
//!
//! **Cost.** A logarithm for each interval, a constant for everything else; listing the open tasks costs
//! one look at each and at every 64th of all.

use std::collections::BTreeSet;

use num_rational::BigRational;

/// What a record says about its task.
#[derive(Clone, Debug)]
pub(crate) enum Liveness<'t> {
    /// It will not move again, or does not exist.
    Over,
    /// It may be able to move.
    Open,
    /// It waits for an interval that has not begun, and perhaps for something else as well, which may
    /// make it go on in any case.
    Waiting { begin: &'t BigRational, end: &'t BigRational, for_time_alone: bool },
}

/// The index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    open: Vec<u64>,
    /// For each task with an interval ahead, where it stands in the two orders.
    intervals: Vec<Option<Box<(BigRational, BigRational)>>>,
    by_begin: BTreeSet<(BigRational, u32)>,
    by_end: BTreeSet<(BigRational, u32)>,
}

impl Live {
    /// Notes what has become of a task.
    pub fn note(&mut self, task: u32, standing: Liveness<'_>) {
        if !self.by_end.is_empty() {
            self.forget_interval(task);
        }
        let open = match standing {
            Liveness::Over => false,
            Liveness::Open => true,
            Liveness::Waiting { begin, end, for_time_alone } => {
                self.by_begin.insert((begin.clone(), task));
                self.by_end.insert((end.clone(), task));
                if self.intervals.len() <= task as usize {
                    self.intervals.resize(task as usize + 1, None);
                }
                self.intervals[task as usize] = Some(Box::new((begin.clone(), end.clone())));
                !for_time_alone
            }
        };
        self.note_untimed(task, open);
    }

    /// Notes whether a task is open that has no interval and had none.
    #[inline]
    pub fn note_untimed(&mut self, task: u32, open: bool) {
        let (word, bit) = (task as usize / 64, 1 << (task % 64));
        if self.open.len() <= word {
            self.open.resize(word + 1, 0);
        }
        match open {
            true => self.open[word] |= bit,
            false => self.open[word] &= !bit,
        }
    }

    fn forget_interval(&mut self, task: u32) {
        let interval = self.intervals.get_mut(task as usize).and_then(Option::take);
        if let Some(interval) = interval {
            let (begin, end) = *interval;
            self.by_begin.remove(&(begin, task));
            self.by_end.remove(&(end, task));
        }
    }

    /// The open tasks, in the order of their numbers.
    pub fn open(&self) -> Open<'_> {
        Open { words: self.open.iter(), bits: 0, next_word: 0 }
    }

    /// The tasks whose intervals have not begun.
    pub fn waiting(&self) -> impl Iterator<Item = u32> + '_ {
        self.by_begin.iter().map(|(_, task)| *task)
    }

    /// Of the tasks whose intervals have not begun at present, those whose intervals have by then.
    pub fn begun_by(&self, time: &BigRational) -> impl Iterator<Item = u32> + '_ {
        let late = (time.clone(), u32::MAX);
        self.by_begin.range(..=late).map(|(_, task)| *task)
    }

    /// The first end of an interval that has not begun by then.
    pub fn next_end(&self, time: &BigRational) -> Option<&BigRational> {
        let later = |(_, task): &&(BigRational, u32)| {
            let interval = self.intervals[*task as usize].as_deref();
            interval.is_some_and(|(begin, _)| begin > time)
        };
        self.by_end.range((time.clone(), 0)..).find(later).map(|(end, _)| end)
    }
}

/// The open tasks, in the order of their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Open<'l> {
    words: std::slice::Iter<'l, u64>,
    /// What is left of the word before the next one.
    bits: u64,
    next_word: u32,
}

impl Iterator for Open<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.bits == 0 {
            self.bits = *self.words.next()?;
            self.next_word += 1;
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some((self.next_word - 1) * 64 + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: i64) -> BigRational {
        BigRational::from_integer(number.into())
    }

    #[test]
    fn open_tasks_come_in_the_order_of_their_numbers() {
        let mut live = Live::default();
        for task in [200, 3, 64, 63, 0] {
            live.note(task, Liveness::Open);
        }
        live.note(64, Liveness::Over);
        assert_eq!(live.open().collect::<Vec<_>>(), [0, 3, 63, 200]);
    }

    #[test]
    fn the_clock_jumps_to_the_first_end_of_what_has_not_begun() {
        let mut live = Live::default();
        let wait = |live: &mut Live, task, begin, end, for_time_alone| {
            let (begin, end) = (number(begin), number(end));
            live.note(task, Liveness::Waiting { begin: &begin, end: &end, for_time_alone });
        };
        wait(&mut live, 1, 2, 9, true);
        wait(&mut live, 2, 3, 5, true);
        wait(&mut live, 3, 7, 8, false);
        assert_eq!(live.open().collect::<Vec<_>>(), [3]);
        assert_eq!(live.next_end(&number(0)), Some(&number(5)));
        assert_eq!(live.begun_by(&number(5)).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(live.next_end(&number(5)), Some(&number(8)));
        assert_eq!(live.next_end(&number(8)), None);
        live.note(2, Liveness::Over);
        assert_eq!(live.next_end(&number(0)), Some(&number(8)));
        assert_eq!(live.waiting().collect::<Vec<_>>(), [1, 3]);
    }
}
