//! What a walk within a bound has met: nodes, each with the fewest switches, and executions, which count once.
//!
//! **Problem.** One process that walks alone has both in tables of its own. When several share a level, they have to
//! know at once what others have met, and the result must not depend on who was first nor on who was killed.
//!
//! **Idea.** Those who share a level have a [`Table`] in common. Who comes to a node that is not there, or is with more
//! switches, enters its own number and walks on; who comes to the end of an execution that nobody has claimed claims it and
//! counts it. What a process has counted reaches the others with its next report, and is lost if it dies before. So it
//! works in *attempts*: one from each report to the next. A claim names the attempt, and does not hold if that was lost.
//!
//! What a lost attempt has entered for nodes cannot be told from what others have, and others may have turned round
//! because of it, or have gone on below a node of its with fewer switches and turned round at executions that it
//! had claimed. So nobody who begins after a loss relies on nodes that were entered by those who began before it:
//! nodes are entered for a *generation*, the number of losses before an attempt was handed out. The places that a lost
//! attempt was to go on from are handed out again, in the next generation.
//!
//! **Invariant.** When nothing is left to hand out, every execution that can be come to from a place that was handed out, and
//! within the bound, has been claimed by an attempt that was not lost. By induction on generations, the last one first: let
//! the place be handed out in generation g, and look at the nodes from there to the execution. If a lost attempt of
//! generation g has entered one of these nodes with as few switches or fewer, then the execution can be come to from a place
//! of that attempt, which was handed out again in a later generation. If not, everybody who has entered one has walked on or
//! left the next step to others, who began in the same generation or a later one. So in the end an attempt that is not lost
//! comes to the execution, and claims it unless somebody else has. If that one was known to be lost, its claim does not
//! hold. If it is lost later, it is so after g began; the execution can be come to from its places, and these are handed
//! out in a later generation. Since a claim is made by one exchange of a word and an attempt that was reported is never lost, no
//! execution is counted twice.
//!
//! **Whether something was left out.** A schedule within the bound that is left by one switch too many leaves something out
//! only if it leaves the nodes that are met at all. Its first step that does so begins at a node that was met. Had
//! that been met with fewer switches than the bound allows, the step would have been within the bound. So it is enough to
//! look at nodes whose fewest switches are as many as allowed, and whether one of them could be left by another switch.
//! That is so or not whatever was met first; it is noted with the number of switches and goes when that falls. The fewest
//! switches of a node are those of any attempt, lost or not: every one of them was really there. So besides the entry for a
//! generation there is one for all, which is that of the first generation as well.
//!
//! **Cost.** A word for what is known of a node or an execution, besides its digest. When there is no room, nodes are walked on from
//! each time; executions that cannot be claimed cannot be counted, and one process has to do it all.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::image;
use super::table::{Need, Table};
use crate::mixing::scramble;
use crate::portion::Attempt;
use crate::search::CommonMemory;

/// How many nodes one process remembers: about two gigabytes.
const MOST_NODES: usize = 48_000_000;

/// What distinguishes keys and values in the table. Those of nodes have a bound besides, and of their keys those for a
/// generation have its number.
const EXECUTION: u64 = 1 << 63;
const NODE: u64 = 1 << 62;
const OF_GENERATION: u64 = 1 << 61;

/// What was met.
pub(super) enum Known {
    /// By one process.
    Own { nodes: FxHashMap<u128, FewestSwitches>, executions: FxHashSet<u128> },
    /// By several.
    Common(CommonKnown),
}

/// With how few switches a node was met, and whether one more could be made there but is one too many.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct FewestSwitches {
    pub switches: u32,
    pub drops: bool,
}

/// Whether somebody has been at a node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Met {
    /// With as few switches or fewer.
    Before,
    /// Not so far.
    Now,
    /// Nobody knows, and nobody will know that it was met now.
    Unknown,
}

/// Whether an execution counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// It is counted by who has claimed it now.
    Made,
    /// It was before.
    Known,
    /// There is no room to claim it.
    Refused,
}

/// What several have met.
pub(super) struct CommonKnown {
    table: Table,
    /// Under which name executions are claimed.
    attempt: Attempt,
    /// Those that were lost before.
    lost: Vec<Attempt>,
    /// How many these are.
    generation: u64,
}

impl Default for Known {
    fn default() -> Self {
        Known::Own { nodes: FxHashMap::default(), executions: FxHashSet::default() }
    }
}

impl Known {
    /// What others have met, for an attempt that begins when these were lost.
    pub fn common(memory: Arc<dyn CommonMemory>, attempt: Attempt, lost: Vec<Attempt>) -> Known {
        let generation = lost.len() as u64;
        Known::Common(CommonKnown { table: Table::new(memory), attempt, lost, generation })
    }

    /// Lets others know it all. Whether there is room; if not, they must not.
    pub fn share(&mut self, bound: u32, memory: Arc<dyn CommonMemory>) -> bool {
        let Known::Own { nodes, executions } = self else { return true };
        let mut common = Known::common(memory, Attempt::default(), Vec::new());
        let refused = |digest: &u128| common.claim(*digest) == Claim::Refused;
        if executions.iter().any(refused) {
            return false;
        }
        // What was left out at a node is known as long as the node is.
        let unknown = |(&node, &fewest): (&_, &_)| common.meet(node, fewest, bound) == Met::Unknown;
        if nodes.iter().any(unknown) {
            return false;
        }
        *self = common;
        true
    }

    /// What was lost at this level so far.
    pub fn lost(&self) -> Vec<Attempt> {
        match self {
            Known::Common(common) => common.lost.clone(),
            Known::Own { .. } => Vec::new(),
        }
    }

    /// All of it as text, if that is not too large, for a search that is not gone on with: what one process has met needs
    /// memory for that. Attempts that were lost have claimed nothing, and what others have claimed is counted.
    pub fn image(
        &mut self,
        bound: u32,
        memory: impl FnOnce() -> Option<Arc<dyn CommonMemory>>,
    ) -> Option<String> {
        if let Known::Own { nodes, executions } = self {
            let count = nodes.len() + executions.len();
            if count > image::MOST {
                return None;
            }
            let memory = memory().unwrap_or_else(|| OwnMemory::for_keys(count));
            if !self.share(bound, memory) {
                return None;
            }
        }
        let Known::Common(common) = self else { return None };
        image::write(&common.table, |value| match value & EXECUTION {
            0 => value,
            _ if common.is_lost(value) => 0,
            _ => EXECUTION | Attempt::default().0,
        })
    }

    /// Reads such a text. So many attempts were lost at the present level.
    pub fn of_image(
        text: &str,
        lost: usize,
        memory: impl FnOnce(usize) -> Option<Arc<dyn CommonMemory>>,
    ) -> Option<Known> {
        let bytes = image::bytes(text)?;
        let words = image::words(&bytes)?;
        let memory = memory(words).unwrap_or_else(|| OwnMemory::of(words));
        let table = Table::new(memory);
        image::read(&bytes, &table)?;
        // They claimed nothing, so any name will do that nobody will have.
        let lost = vec![Attempt::first_of(u64::from(u32::MAX >> 1)); lost];
        let generation = lost.len() as u64;
        let attempt = Attempt::default();
        Some(Known::Common(CommonKnown { table, attempt, lost, generation }))
    }

    /// The nodes of one bound are of no interest at the next.
    pub fn begin_level(&mut self) {
        match self {
            Known::Own { nodes, .. } => nodes.clear(),
            Known::Common(common) => common.survive(Vec::new()),
        }
    }

    /// Goes on alone after these were lost.
    pub fn survive(&mut self, lost: Vec<Attempt>) {
        if let Known::Common(common) = self {
            common.survive(lost);
        }
    }

    /// What was counted so far has been reported.
    pub fn reported(&mut self) {
        if let Known::Common(common) = self {
            common.attempt = common.attempt.next();
        }
    }

    /// Whether others know it, too.
    pub fn is_common(&self) -> bool {
        matches!(self, Known::Common(_))
    }

    /// A node is met within a bound.
    pub fn meet(&mut self, node: u128, own: FewestSwitches, bound: u32) -> Met {
        let nodes = match self {
            Known::Common(common) => return common.meet(node, own, bound),
            Known::Own { nodes, .. } => nodes,
        };
        match nodes.get_mut(&node) {
            Some(known) if known.switches <= own.switches => return Met::Before,
            Some(known) => *known = own,
            None => {
                if nodes.len() >= MOST_NODES {
                    return Met::Unknown;
                }
                nodes.insert(node, own);
            }
        }
        Met::Now
    }

    /// An execution has ended.
    pub fn claim(&mut self, trace: u128) -> Claim {
        match self {
            Known::Common(common) => common.claim(trace),
            Known::Own { executions, .. } => match executions.insert(trace) {
                true => Claim::Made,
                false => Claim::Known,
            },
        }
    }

    /// Whether a switch was left out at one of the nodes that were met with as many as the bound allows.
    pub fn drops(&self, bound: u32) -> bool {
        let fewest = FewestSwitches { switches: bound, drops: true };
        match self {
            Known::Common(common) => common.table.has_value(fewest.word(bound)),
            Known::Own { nodes, .. } => nodes.values().any(|&known| known == fewest),
        }
    }
}

impl CommonKnown {
    fn survive(&mut self, lost: Vec<Attempt>) {
        self.generation = lost.len() as u64;
        self.lost = lost;
    }

    fn meet(&self, node: u128, own: FewestSwitches, bound: u32) -> Met {
        let level = NODE | u64::from(bound);
        let for_all = self.enter(scramble(node, level), own, own.word(bound));
        if self.generation == 0 {
            return for_all;
        }
        let key = scramble(scramble(node, level | OF_GENERATION), self.generation);
        let met = self.enter(key, own, OF_GENERATION | own.word(bound));
        if for_all == Met::Unknown && met == Met::Now { Met::Unknown } else { met }
    }

    fn enter(&self, key: u128, own: FewestSwitches, word: u64) -> Met {
        let Some(value) = self.table.value(key, Need::Wish) else { return Met::Unknown };
        let fewer = |known: u64| (known == 0 || own.is_less_than(known)).then_some(word);
        match update(value, fewer) {
            true => Met::Now,
            false => Met::Before,
        }
    }

    fn claim(&self, trace: u128) -> Claim {
        let Some(value) = self.table.value(scramble(trace, EXECUTION), Need::Must) else {
            return Claim::Refused;
        };
        let own = EXECUTION | self.attempt.0;
        let free = |known: u64| (known == 0 || self.is_lost(known)).then_some(own);
        match update(value, free) {
            true => Claim::Made,
            false => Claim::Known,
        }
    }
}

impl CommonKnown {
    /// Whether who has claimed an execution with this value was lost.
    fn is_lost(&self, value: u64) -> bool {
        let claimed = Attempt(value & !EXECUTION);
        self.lost.iter().any(|lost| lost.includes(claimed))
    }
}

/// Memory of one process, for who has no other.
struct OwnMemory(Vec<AtomicU64>);

impl OwnMemory {
    fn of(words: usize) -> Arc<dyn CommonMemory> {
        Arc::new(OwnMemory((0..words).map(|_| AtomicU64::new(0)).collect()))
    }

    /// With room for so many keys, and many more.
    fn for_keys(count: usize) -> Arc<dyn CommonMemory> {
        OwnMemory::of((16 * count).max(1 << 16).next_power_of_two())
    }
}

impl CommonMemory for OwnMemory {
    fn words(&self) -> &[AtomicU64] {
        &self.0
    }
}

impl FewestSwitches {
    /// As a value in the table.
    fn word(self, bound: u32) -> u64 {
        NODE | u64::from(bound) << 32 | u64::from(self.switches) << 1 | u64::from(self.drops)
    }

    fn is_less_than(self, word: u64) -> bool {
        self.switches < word as u32 >> 1
    }
}

/// Changes a word as long as there is something to change it to. Whether it was changed.
fn update(value: &AtomicU64, to: impl Fn(u64) -> Option<u64>) -> bool {
    value.fetch_update(Ordering::AcqRel, Ordering::Acquire, to).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Words(Vec<AtomicU64>);

    impl CommonMemory for Words {
        fn words(&self) -> &[AtomicU64] {
            &self.0
        }
    }

    fn memory() -> Arc<Words> {
        Arc::new(Words((0..1 << 12).map(|_| AtomicU64::new(0)).collect()))
    }

    fn with(switches: u32, drops: bool) -> FewestSwitches {
        FewestSwitches { switches, drops }
    }

    #[test]
    fn what_is_dropped_is_forgotten_when_a_node_is_met_with_fewer_switches() {
        let memory = memory();
        let common = Known::common(memory, Attempt::default(), Vec::new());
        for mut known in [Known::default(), common] {
            assert_eq!(known.meet(1, with(2, true), 2), Met::Now);
            assert_eq!(known.meet(1, with(2, true), 2), Met::Before);
            assert!(known.drops(2) && !known.drops(3));
            assert_eq!(known.meet(1, with(1, false), 2), Met::Now);
            assert_eq!(known.meet(1, with(2, true), 2), Met::Before);
            assert!(!known.drops(2));
            known.begin_level();
            assert_eq!(known.meet(1, with(2, false), 3), Met::Now);
            assert_eq!(known.claim(1), Claim::Made);
            known.begin_level();
            assert_eq!(known.claim(1), Claim::Known);
        }
    }

    #[test]
    fn what_a_lost_attempt_has_claimed_since_its_last_report_is_claimed_again_once() {
        let memory = memory();
        let common = |attempt, lost: &[Attempt]| {
            Known::common(memory.clone() as Arc<dyn CommonMemory>, attempt, lost.to_vec())
        };
        let (one, other) = (Attempt::first_of(1), Attempt::first_of(2));
        let mut first = common(one, &[]);
        assert_eq!((first.claim(1), first.meet(3, with(1, true), 2)), (Claim::Made, Met::Now));
        first.reported();
        assert_eq!((first.claim(1), first.claim(2)), (Claim::Known, Claim::Made));
        let mut second = common(other, &[one.next()]);
        assert_eq!((second.claim(1), second.claim(2)), (Claim::Known, Claim::Made));
        // Nodes are met again; how few switches are enough is known all the same.
        assert_eq!(second.meet(3, with(2, true), 2), Met::Now);
        assert!(!second.drops(2));
        let mut third = common(Attempt::first_of(3), &[one.next()]);
        assert_eq!((third.claim(2), third.meet(3, with(2, true), 2)), (Claim::Known, Met::Before));
    }

    #[test]
    fn what_has_no_room_in_common_memory_is_not_shared() {
        let small = Arc::new(Words((0..1 << 6).map(|_| AtomicU64::new(0)).collect()));
        let mut known = Known::default();
        for node in 0..100 {
            known.meet(node, with(1, true), 1);
        }
        assert!(!known.share(1, small) && !known.is_common() && known.drops(1));
    }

    #[test]
    fn what_one_process_has_met_others_know() {
        let mut known = Known::default();
        assert_eq!((known.claim(1), known.meet(2, with(1, true), 1)), (Claim::Made, Met::Now));
        assert!(known.share(1, memory()) && known.is_common() && known.drops(1));
        assert_eq!((known.claim(1), known.meet(2, with(1, true), 1)), (Claim::Known, Met::Before));
    }
}
