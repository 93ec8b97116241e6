//! Who is asked to share when somebody has nothing to do: the policy of coordinators.
//!
//! **Problem.** Many workers explore one tree of which nobody knows how it goes on. All are to be busy all the time, and
//! neither dividing work nor speaking about it may cost more than a small part of that time.
//!
//! **Idea.** Nobody is disturbed as long as there is enough open work: for every [`STOCK`] who work, a unit. When there is
//! less, one of the busy is asked to share: of those who have worked for long enough since they last shared or began,
//! the one that has had its unit for the longest time. Nobody knows how large a unit is, but one that has lasted long is
//! large. It leaves the steps that remain at its shallowest node to others, where the largest parts are, and at more nodes if
//! many wait, and goes on below at once: it does not wait for an answer
//! ([`WorkUnit::floor_if_divided`](crate::WorkUnit::floor_if_divided)). For each unit that is missing one is asked, and no
//! more.
//!
//! *Groups.* A coordinator hears and sends some ten thousand messages a second at most, which is enough for a thousand
//! workers where an execution takes twelve milliseconds. More workers are in groups of [`GROUP`], each with a coordinator and
//! trunks of its own. A group in which somebody waits and nobody can be asked borrows from one in which nobody waits, of these
//! from the one whose work begins nearest to the root: units that are open there, or that its workers share for the purpose.
//! It returns them when they are done, like a worker ([`trunk`](crate::trunk)). Of what is shared, those who wait in other
//! groups get their part first: what they get, they divide themselves, and half of the others who wait go with it,
//! so that the number of groups that have work doubles with every loan at first. The command line has one group.
//!
//! **Cost.** Who shares loses the time to save its work; who waits, the way of three messages. A worker shares at most
//! once in [`Pace::least`], so its loss is at most the ratio of the two. `./bench simulation` drives this policy with real
//! searches on clocks that are simulated, and says what 10, 100 and 1,000 workers make of it.

use std::collections::BTreeMap;

/// How many workers have a coordinator of their own.
pub const GROUP: usize = 1024;

/// For so many who work, a unit is kept open.
const STOCK: usize = 8;

/// How often workers are disturbed, in microseconds.
#[derive(Copy, Clone, Debug)]
pub struct Pace {
    /// Who has worked for less than this since it began or shared is not asked, unless many wait.
    pub least: u64,
    /// In any case it is not asked before so much time has passed.
    pub very_least: u64,
    /// How long a worker works before it reports, if nobody waits.
    pub part: u64,
}

impl Pace {
    /// Chosen by hand: other values were not compared one by one.
    pub const USUAL: Pace = Pace { least: 5_000, very_least: 300, part: 1_000_000 };

    /// For tests: everybody may be asked at once.
    pub const HASTY: Pace = Pace { least: 0, very_least: 0, part: 1_000_000 };
}

/// Who works on what for a coordinator, as far as the policy has to know. Times are microseconds since any moment.
#[derive(Clone, Debug)]
pub struct Sharing<M> {
    pace: Pace,
    busy: BTreeMap<M, Assigned>,
}

#[derive(Copy, Clone, Debug)]
struct Assigned {
    /// How deep its work begins.
    depth: usize,
    /// When it was given its unit.
    begun: u64,
    since: u64,
    asked: bool,
}

impl<M: Copy + Ord> Sharing<M> {
    /// Nobody works yet.
    pub fn new(pace: Pace) -> Sharing<M> {
        Sharing { pace, busy: BTreeMap::new() }
    }

    /// Somebody works from now on on what begins at this depth.
    pub fn works(&mut self, member: M, depth: usize, now: u64) {
        self.busy.insert(member, Assigned { depth, begun: now, since: now, asked: false });
    }

    /// It has shared, and goes on with what begins at this depth.
    pub fn has_shared(&mut self, member: M, depth: usize, now: u64) {
        let begun = self.busy.get(&member).map_or(now, |own| own.begun);
        self.busy.insert(member, Assigned { depth, begun, since: now, asked: false });
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

    /// How many work.
    pub fn busy(&self) -> usize {
        self.busy.len()
    }

    /// How deep the work begins that begins nearest to the root.
    pub fn shallowest(&self) -> Option<usize> {
        self.busy.values().map(|own| own.depth).min()
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
        let busy = self.busy.len() as u64;
        let part = self.pace.least * busy / (busy + waiting as u64).max(1);
        part.max(self.pace.very_least)
    }
}

/// How many of the units that are open in a group others get, if so many wait there and so many in the group itself:
/// each side its part, the others at least one.
pub fn to_lend(open: usize, own_waiting: usize, others_waiting: usize) -> usize {
    match others_waiting {
        0 => 0,
        _ => (open * others_waiting).div_ceil(own_waiting + others_waiting).min(others_waiting),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_with_the_oldest_unit_is_asked_once_it_has_worked_for_long_enough() {
        let pace = Pace { least: 10, very_least: 10, part: 100 };
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
        assert_eq!((sharing.busy(), sharing.asked()), (2, 2));
    }

    #[test]
    fn others_get_their_part() {
        assert_eq!(to_lend(4, 3, 0), 0);
        assert_eq!(to_lend(1, 30, 30), 1);
        assert_eq!(to_lend(6, 10, 20), 4);
        assert_eq!(to_lend(50, 0, 7), 7);
    }
}
