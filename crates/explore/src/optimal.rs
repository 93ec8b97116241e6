//! One execution per Mazurkiewicz trace, none started in vain.
//!
//! **Problem.** Sleep sets keep an explorer from finishing two equivalent executions, but not from
//! starting them: most of the time can go into executions that are given up when all that could
//! move is asleep.
//!
//! **Idea.** Abdulla, Aronis, Jonsson and Sagonas, *Optimal dynamic partial order reduction* (2014).
//! When an execution E has ended, each race between an event e and a later e' is reversed: from the
//! node before e, the sequence v of all later events that do not happen after e, followed by the
//! process of e', leads to traces in which e' comes first. v becomes a path of the node's wakeup tree,
//! unless it is covered: by a sleeping step that v could begin with, or by a path that is there
//! already. Since v is as long as E allows, following it never ends asleep.
//!
//! Where this differs from the paper:
//!
//! * A race is reversed in every execution that has it, since v depends on all that comes after the race: what covers
//!   one v may not cover the next. But it is looked at again only if the last answer relies on what is not the same any
//!   more (`reliance.rs`).
//! * Locks: the rival of an acquire is the acquire before it, although a release lies between; and
//!   the pending operations of processes that are blocked at the end take part.
//! * Operations whose guard may come and go (semaphores, tasks that await a condition), and those
//!   that touch more or less depending on what they find (compare-and-set, tasks), cannot be reversed
//!   on paper. Their reversals are rehearsed: v is run from the node before e. If the
//!   process can then move, v is added, with what its last step touched there; if not, the rivals
//!   before e are candidates in turn. A rehearsal holds again at that node for every sequence that
//!   touches the same in the same way before its last step. The same sequence is not rehearsed twice at
//!   a node: as long as the node is on the path, so are those above it, and what came of the first
//!   time stands in their wakeup trees, is being explored or sleeps.
//! * Not everything is rehearsed that could be. A last step that sleeps at the node and commutes with the sequence can be
//!   taken after it as well as before, and that was explored. And what keeps a process from moving at a node does so
//!   after every sequence that leaves its pending operation alone: what has to go is known then, and the sequences
//!   without it are made of the present trace.
//! * Where several processes keep another one from moving, each by itself
//!   ([`Run::hindering`](counterpoint_model::Run::hindering)), as ten readers keep a writer, candidates are not
//!   tried one by one: of their subsets, all but one would be in vain. A candidate is a part of the sequence that was
//!   rehearsed, and with each event it has all that happens before it. If it has the last touch by one of
//!   those processes, it has what led to it and nothing by which that process makes way; so the last step is blocked
//!   there, too. Candidates where it is not are parts of one: the sequence without all these touches and
//!   what happens after them. That is rehearsed next. If the process can move there, smaller candidates are reversals of
//!   races of the executions that follow. If one of the touches led to the operation itself, there is no candidate.
//! * Steps sleep and stand in wakeup trees by alternative (a side of a branch on an unknown, one of a
//!   choice). A node that is explored freely tries all alternatives of the step it takes; a step inside
//!   a sequence of a wakeup tree stands for its own alternative only, since the others, where they matter, are
//!   reversals of their own. Steps that only decide come right after the step before them.
//! * Where processes decide, a sequence is not planned to its end if nobody sleeps any more after the later event and what
//!   has to come before it. Whatever begins like that is explored from there, and none of it in vain: what v has besides
//!   is needed only to wake all who sleep. Otherwise the race would be added for each combination of the decisions in v.
//! * Decisions about the same input are independent and yet exclude each other. A sequence that
//!   commutes with a decision is added only after those of its alternatives that leave inputs for it. To
//!   find out which takes long ([`inputs`]), so the same sequence is not added twice at a node in this way: as with
//!   rehearsals, what came of the first time stands in the wakeup tree, is being explored or sleeps.
//!
//! **Invariant.** No two executions are equivalent, and none is abandoned.
//!
//! **Cost.** Per race, the events after it times the sleepers and the paths of wakeup trees that are compared.
//! Memory: the wakeup trees on the present path. Without alternatives a race is added once, and the
//! trees stay small; where processes decide and somebody would still sleep, it is added once for each combination of the
//! decisions beside it, and the trees can grow with the number of those combinations.

pub(crate) mod inputs;
mod reliance;
mod reversal;

use counterpoint_model::{Footprint, Mode, Next, Pid};

use self::reliance::{DoubtfulRace, NewEvents};
use self::reversal::Reversal;
use crate::depth_first::{self, Engine, Strategy};
use crate::property::Ending;
use crate::search::{Assignment, Exploration};
use crate::trace::Pending;

/// Explores one execution per trace.
pub fn optimal(assignment: Assignment<'_>) -> Exploration {
    depth_first::explore::<Optimal>(assignment)
}

/// The same on behalf of an explorer that cannot explore this program, which the result says.
pub fn instead(assignment: Assignment<'_>) -> Exploration {
    Exploration { stand_in: Some("optimal"), ..optimal(assignment) }
}

/// The strategy, with the sequence it is working on.
#[derive(Default)]
struct Optimal {
    reversal: Reversal,
    /// The operations that take part in races although they were never performed.
    pending: Vec<Unperformed>,
    /// The races of the execution whose reversals have to be rehearsed.
    tentative: Vec<Tentative>,
    /// Races of the present path about which the answer relied on what came after them.
    doubtful: Vec<DoubtfulRace>,
    /// Whether an execution has ended since the search began or was taken up again.
    has_ended: bool,
}

/// An operation that a process had come to when the execution ended.
struct Unperformed {
    process: Pid,
    footprint: Footprint,
    why: Pending,
    /// The clock row that its process had then.
    row: Vec<u32>,
}

/// An event and what raced with it.
#[derive(Copy, Clone)]
struct Tentative {
    earlier: usize,
    later: Later,
}

/// What came after an event and raced with it.
#[derive(Copy, Clone)]
enum Later {
    /// The event at this index of the trace.
    Event(usize),
    /// The operation at this place among those that were not performed.
    Unperformed(usize),
}

impl Strategy for Optimal {
    const REDUCES: bool = true;
    const SHOWS_RACES: bool = true;
    const GOES_ON: bool = true;

    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid> {
        let depth = engine.trace.len();
        let plain = engine.trace.events().last().is_some_and(|last| !last.op.raises_decisions());
        if plain && engine.nodes[depth].sleep.is_empty() {
            // The last process goes on, and if it has to decide something, it does so first anyway.
            return engine.first_ready();
        }
        if let (false, Some(undecided)) = (plain, engine.undecided()) {
            return Some(undecided);
        }
        engine.first_awake()
    }

    fn handed_over(&mut self, floor: usize) {
        for race in self.doubtful.iter_mut().filter(|race| (race.earlier as usize) < floor) {
            race.reliance.lose();
        }
    }

    fn execution_ended(&mut self, engine: &mut Engine<'_>, ending: Ending) {
        let Some(waits_behind_guard) = self.find_pending(engine, ending) else { return };
        let reversal = &mut self.reversal;
        // Who takes up a search does not know what its answers relied on.
        let taken_up = !std::mem::replace(&mut self.has_ended, true);
        let rehearses = engine.trace.needs_all_races_reversed() || waits_behind_guard;
        let first_new = if taken_up { 0 } else { engine.first_new };
        let Optimal { doubtful, tentative, .. } = self;
        tentative.clear();
        // They stand in the order of their later events.
        while doubtful.pop_if(|race| race.later as usize >= first_new).is_some() {}
        let mut new_events = None;
        for race in doubtful.iter_mut() {
            let new_events =
                new_events.get_or_insert_with(|| NewEvents::new(&engine.trace, first_new));
            if !race.is_lost(&engine.trace, new_events) {
                continue;
            }
            if !reversal.reverse(engine, race.earlier as usize, race.later as usize) {
                return;
            }
            race.reliance = *reversal.reliance();
        }
        let raced = engine.trace.raced();
        let from = if rehearses { 0 } else { first_new };
        let newest = raced.iter().rev().take_while(|&&later| later as usize >= from).count();
        for place in raced.len() - newest..raced.len() {
            let later = engine.trace.raced()[place] as usize;
            let places = engine.trace.race_places(later);
            let new = later >= first_new;
            let may_need_rehearsal = engine.trace.may_need_rehearsal(later);
            if !new && !may_need_rehearsal {
                continue;
            }
            let single = places.len() == 1;
            for place in places {
                let earlier = engine.trace.rival(place);
                let needs_rehearsal =
                    may_need_rehearsal && engine.trace.needs_rehearsal(earlier, later);
                if needs_rehearsal {
                    tentative.push(Tentative { earlier, later: Later::Event(later) });
                } else if !new {
                    continue;
                }
                let went_first =
                    !needs_rehearsal && single && goes_first_anyway(engine, earlier, later);
                if new && !(went_first && engine.trace.is_regular(earlier)) {
                    engine.search.show_race(&engine.trace, earlier, later);
                }
                if needs_rehearsal || went_first {
                    continue;
                }
                if !reversal.reverse(engine, earlier, later) {
                    return;
                }
                if reversal.reliance().goes_beyond(later) {
                    let reliance = *reversal.reliance();
                    doubtful.push(DoubtfulRace::new(&engine.trace, earlier, later, reliance));
                }
            }
        }
        if !self.pending.is_empty() {
            self.reverse_unperformed(engine);
        }
        if !self.tentative.is_empty() {
            self.rehearse(engine);
        }
    }
}

impl Optimal {
    /// Operations that were never performed race as well: those of processes blocked at the end, and
    /// where the execution was cut, those of all processes. A complete execution is no exception: a
    /// process that need not end may be blocked in it. True if some process has stopped before a
    /// guarded operation; `None` if there was no time.
    fn find_pending(&mut self, engine: &mut Engine<'_>, ending: Ending) -> Option<bool> {
        self.pending.clear();
        if engine.run().is_finished() {
            return Some(false);
        }
        self.find_unperformed(engine, ending)
    }

    /// The same, where not all processes are done.
    #[inline(never)]
    fn find_unperformed(&mut self, engine: &mut Engine<'_>, ending: Ending) -> Option<bool> {
        let (mut some_guarded, raised) = (false, engine.is_raised());
        for process in (0..engine.run().processes()).map(Pid) {
            let run = engine.run();
            let next = run.next(process);
            if next == Next::Done {
                continue;
            }
            let why = Pending::of(run, process);
            some_guarded |= why == Pending::Guarded;
            if ending == Ending::Cut || !next.is_ready() {
                let footprint = run.anticipate(process);
                let cost = footprint.len();
                self.pending.push(Unperformed { process, footprint, why, row: Vec::new() });
                if engine.has_no_time_after(cost) {
                    return None;
                }
            }
        }
        let cut_short = engine.is_cut_short(raised, engine.trace.len());
        (!cut_short).then_some(some_guarded)
    }

    /// Reverses the races of operations that were not performed.
    #[inline(never)]
    fn reverse_unperformed(&mut self, engine: &mut Engine<'_>) {
        let Optimal { pending, tentative, reversal, .. } = self;
        for (index, operation) in pending.iter_mut().enumerate() {
            let Unperformed { process, ref footprint, why, ref mut row } = *operation;
            let rivals = engine.trace.rivals_of_pending(process, footprint, why, row);
            if engine.has_no_time_after(row.len() + rivals.len()) {
                return;
            }
            for rival in rivals.into_iter().map(|rival| rival as usize) {
                if why == Pending::Guarded {
                    let later = Later::Unperformed(index);
                    tentative.push(Tentative { earlier: rival, later });
                    continue;
                }
                reversal.of_pending(&engine.trace, rival, process, footprint, row);
                let cost = reversal.cost(engine, rival);
                if engine.has_no_time_after(cost) {
                    return;
                }
                reversal.add(engine, rival);
            }
        }
    }

    /// Reverses the races that need rehearsals, those deepest in the path first: so the run only goes back.
    #[inline(never)]
    fn rehearse(&mut self, engine: &mut Engine<'_>) {
        let Optimal { pending, tentative, reversal, .. } = self;
        tentative.sort_by_key(|race| std::cmp::Reverse(race.earlier));
        for &Tentative { earlier, later } in &*tentative {
            reversal.rehearse_down_to(engine, earlier + 1);
            match later {
                Later::Event(later) => reversal.of_event(&engine.trace, earlier, later),
                Later::Unperformed(index) => {
                    let Unperformed { process, ref footprint, ref row, .. } = pending[index];
                    reversal.of_pending(&engine.trace, earlier, process, footprint, row);
                }
            }
            let cost = reversal.cost_of_trial(engine, earlier);
            if engine.has_no_time_after(cost) {
                return;
            }
            reversal.add_if_possible(engine, earlier);
            reversal.rehearse_down_to(engine, earlier);
        }
        reversal.rehearse_down_to(engine, 0);
    }
}

/// Whether the sequence that reverses a race is seen to be covered before it is made: by the later
/// event, sleeping at the node before the earlier one. This is so if nothing from there on but the
/// earlier event had to happen before the later one: no other rival (this is its only race), no step
/// of its own process, and nothing that it awaited.
fn goes_first_anyway(engine: &Engine<'_>, earlier: usize, later: usize) -> bool {
    let trace = &engine.trace;
    trace.previous(later).is_some_and(|previous| previous < earlier)
        && engine.nodes[earlier].is_asleep(trace.process(later))
        && trace.events()[later].footprint.iter().all(|access| access.mode != Mode::Await)
}
