//! Who is asked to share when somebody has nothing to do: the policy of the coordinator.
//!
//! **Problem.** Many workers explore one tree of which nobody knows how it goes on. All are to be busy all the time, and
//! neither dividing work nor speaking about it may cost more than a small part of that time.
//!
//! **Idea.** Nobody is disturbed as long as there is enough open work: for every [`STOCK`] who work, a unit. When there is
//! less, one of the busy is asked to share: the one that has worked for the longest time since it began its unit, shared or
//! reported, if that is long enough. Nobody knows how large a unit is, but one that has lasted long is large. It leaves the steps that remain at its shallowest node to others, where the largest parts are, and at more nodes if
//! many wait, and goes on below at once: it does not wait for an answer
//! ([`WorkUnit::floor_if_divided`](crate::WorkUnit::floor_if_divided)). For each unit that is missing one is asked, and no
//! more.
//!
//! **Cost.** Who shares loses the time to save its work; who waits, the way of three messages. A worker shares at most
//! once in [`Pace::least`], so its loss is at most the ratio of the two. For the coordinator, what counts is how many are asked
//! in a second. The more workers there are, the longer each is left alone ([`Pace::each`]): units are larger then, and
//! there are fewer of them. `./bench simulation` drives this policy with real
//! searches on clocks that are simulated, and says what 10, 100 and 1,000 workers make of it.

use std::collections::BTreeMap;

/// For so many who work, a unit is kept open.
const STOCK: usize = 8;

/// How often workers are disturbed, in microseconds.
#[derive(Copy, Clone, Debug)]
pub struct Pace {
    /// Who has worked for less than this since it began or shared is not asked, unless many wait.
    pub least: u64,
    /// The same for each worker that there is: with many workers it is the sum of these that counts.
    pub each: u64,
    /// In any case it is not asked before so much time has passed.
    pub very_least: u64,
    /// How long a worker works before it reports, if nobody waits.
    pub part: u64,
}

impl Pace {
    /// Of the values of `each` that were compared in the simulation, half of this leaves 1,000 workers idle for a few hundredths of
    /// the time more, and twice as much gains nothing. The others are chosen by hand.
    pub const USUAL: Pace = Pace { least: 5_000, each: 100, very_least: 300, part: 1_000_000 };

    /// For tests: everybody may be asked at once.
    pub const HASTY: Pace = Pace { least: 0, each: 0, very_least: 0, part: 1_000_000 };
}

/// Who works on what for the coordinator, as far as the policy has to know. Times are microseconds since any moment.
#[derive(Clone, Debug)]
pub struct Sharing<M> {
    pace: Pace,
    busy: BTreeMap<M, Assigned>,
}

#[derive(Copy, Clone, Debug)]
struct Assigned {
    /// How deep its work begins.
    depth: usize,
    /// When it was given its unit, or last shared or reported.
    begun: u64,
    /// The same, or when it last had nothing to share.
    since: u64,
    asked: bool,
}

impl<M: Copy + Ord> Sharing<M> {
    /// Nobody works yet.
    pub fn new(pace: Pace) -> Sharing<M> {
        Sharing { pace, busy: BTreeMap::new() }
    }

    /// Somebody works from now on on what begins at this depth: on a new unit, or on what it has kept of its own.
    pub fn works(&mut self, member: M, depth: usize, now: u64) {
        self.busy.insert(member, Assigned { depth, begun: now, since: now, asked: false });
    }

    /// It has reported that all is done, or is lost.
    pub fn stops(&mut self, member: M) {
        self.busy.remove(&member);
    }

    /// It was asked and has nothing that could be divided.
    pub fn has_nothing(&mut self, member: M, now: u64) {
        if let Some(assigned) = self.busy.get_mut(&member) {
            (assigned.asked, assigned.since) = (false, now);
        }
    }

    /// For how many more work is needed, if so many have none and so much is open: some is kept in stock.
    pub fn wanted(&self, idle: usize, open: usize) -> usize {
        (idle + self.busy.len() / STOCK).saturating_sub(open)
    }

    /// How many were asked and have not answered.
    pub fn asked(&self) -> usize {
        self.busy.values().filter(|assigned| assigned.asked).count()
    }

    /// Who is to be asked to share next, if so many wait for work, and how many steps it is to leave to them.
    pub fn ask(&mut self, waiting: usize, now: u64) -> Option<(M, usize)> {
        if self.asked() >= waiting {
            return None;
        }
        let (least, busy) = (self.least(waiting), self.busy.len());
        let able = self.busy.iter_mut().filter(|(_, own)| !own.asked && own.since + least <= now);
        let (&member, assigned) =
            able.min_by_key(|(member, own)| (own.begun, own.depth, **member))?;
        assigned.asked = true;
        Some((member, waiting.div_ceil(busy)))
    }

    /// Until when nobody can be asked who cannot be now, if so many wait; `None` if nobody works.
    pub fn next_look(&self, waiting: usize) -> Option<u64> {
        let least = self.least(waiting);
        let unasked = self.busy.values().filter(|own| !own.asked);
        unasked.map(|own| own.since + least).min()
    }

    /// How long a worker works before it is asked: the more wait, the less.
    fn least(&self, waiting: usize) -> u64 {
        let Pace { least, each, very_least, .. } = self.pace;
        let busy = self.busy.len() as u64;
        let all = (busy + waiting as u64).max(1);
        (least.max(all * each) * busy / all).max(very_least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_with_the_oldest_unit_is_asked_once_it_has_worked_for_long_enough() {
        let pace = Pace { least: 10, each: 0, very_least: 10, part: 100 };
        let mut sharing = Sharing::new(pace);
        sharing.works('a', 5, 0);
        sharing.works('b', 2, 5);
        sharing.works('c', 2, 3);
        assert_eq!(sharing.ask(3, 9), None);
        assert_eq!(sharing.next_look(3), Some(10));
        assert_eq!(sharing.ask(3, 10), Some(('a', 1)));
        assert_eq!(sharing.ask(4, 20), Some(('c', 2)));
        assert_eq!(sharing.ask(2, 20), None, "one for each who waits");
        assert_eq!(sharing.ask(3, 20), Some(('b', 1)));
        sharing.has_nothing('b', 20);
        assert_eq!(sharing.ask(3, 29), None);
        assert_eq!(sharing.ask(3, 30), Some(('b', 1)));
        sharing.stops('a');
        assert_eq!(sharing.asked(), 2);
    }

    #[test]
    fn the_more_there_are_the_longer_each_is_left_alone() {
        let pace = Pace { least: 10, each: 1, very_least: 2, part: 1_000 };
        let look = |busy: u32, waiting: usize| {
            let mut sharing = Sharing::new(pace);
            (0..busy).for_each(|member| sharing.works(member, 0, 0));
            sharing.next_look(waiting)
        };
        assert_eq!(look(9, 1), Some(9), "as few as these do not matter");
        assert_eq!(look(99, 1), Some(99));
        assert_eq!(look(50, 50), Some(50), "if many wait, half as long");
        assert_eq!(look(1, 99), Some(2));
    }
}
