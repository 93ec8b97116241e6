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
//!   one v may not cover the next. But it is looked at again only if the last answer relies on events that are
//!   not the same any more. A sleeping step or a path of the tree that consists of steps of v covers it as long as the
//!   trace is the same up to the last of these; one with steps beside v as long as the whole trace is. If there are
//!   steps with alternatives, guarded ones, or steps that touch what they find, all races are looked at again.
//! * Locks: the rival of an acquire is the acquire before it, although a release lies between; and
//!   the pending operations of processes that are blocked at the end take part.
//! * Operations whose guard may come and go (semaphores, tasks that await a condition), and those
//!   that touch more or less depending on what they find (compare-and-set, tasks), cannot be reversed
//!   on paper. Their reversals are rehearsed: v is run from the node before e on a second run. If the
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
//! * Decisions about the same input are independent and yet exclude each other. A sequence that
//!   commutes with a decision is added only after those of its alternatives that leave inputs for it.
//!
//! **Invariant.** No two executions are equivalent, and none is abandoned.
//!
//! **Cost.** Per race, the events after it times the sleepers and the paths of wakeup trees that are compared.
//! Memory: the wakeup trees on the present path. Without alternatives a race is added once, and the
//! trees stay small; where processes decide, it is added once for each combination of the decisions
//! beside it, and the trees can grow with the number of those combinations.

use counterpoint_model::{
    Bound, Choice, Event, Feasible, Footprint, Interrupt, Mode, Next, Op, Pid, Program, conflict,
    footprint_of,
};

use crate::depth_first::{self, Engine, Node, Strategy};
use crate::mixing::scramble;
use crate::property::Ending;
use crate::rehearsal::{Attempt, Hindrance, Rehearsal, Rehearsed};
use crate::search::{Assignment, Exploration};
use crate::trace::{Pending, Trace};
use crate::wakeup::{Branch, BranchScope, Branches, Wakeups};

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
    /// The operations that take part in races although they were never performed, and whether they
    /// are guarded.
    pending: Vec<(Pid, bool)>,
    /// Races of the present path about which the answer relied on what came after them.
    doubtful: Vec<Doubtful>,
    /// Whether an execution has ended since the search began or was taken up again.
    has_ended: bool,
}

/// A race that need not be looked at again as long as the events up to one of them are the same.
#[derive(Copy, Clone)]
struct Doubtful {
    earlier: u32,
    later: u32,
    /// The last of those events.
    until: u32,
}

impl Strategy for Optimal {
    const REDUCES: bool = true;

    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid> {
        let depth = engine.trace.len();
        let plain = engine
            .trace
            .events()
            .last()
            .is_some_and(|last| !matches!(last.op, Op::Start(_) | Op::Branch | Op::Choose(_)));
        if plain && engine.nodes[depth].sleep.is_empty() {
            // The last process goes on, and if it has to decide something, it does so first anyway.
            return engine.first_ready();
        }
        if let (false, Some(undecided)) = (plain, engine.undecided()) {
            return Some(undecided);
        }
        engine.first_awake()
    }

    fn execution_ended(&mut self, engine: &mut Engine<'_>, ending: Ending) {
        let waits_behind_guard = self.find_pending(engine, ending);
        let reversal = &mut self.reversal;
        // Who takes up a search does not know what its answers relied on.
        let taken_up = !std::mem::replace(&mut self.has_ended, true);
        let all = engine.trace.needs_all_races_reversed() || waits_behind_guard || taken_up;
        let new = engine.first_new as u32;
        let doubtful = &mut self.doubtful;
        doubtful.retain(|race| race.later < new);
        if all {
            doubtful.clear();
        }
        for race in doubtful.iter_mut().filter(|race| race.until >= new) {
            let (earlier, later) = (race.earlier as usize, race.later as usize);
            reversal.of_event(&engine.trace, earlier, later);
            if engine.has_no_time_after(reversal.cost(engine, earlier)) {
                return;
            }
            race.until = reversal.add(engine, earlier);
        }
        let from = if all { 0 } else { engine.first_new };
        for later in from..engine.trace.len() {
            let races = engine.trace.races(later).len();
            for index in 0..races {
                let earlier = engine.trace.races(later)[index] as usize;
                let needs_rehearsal = engine.trace.needs_rehearsal(earlier, later);
                if !needs_rehearsal && races == 1 && goes_first_anyway(engine, earlier, later) {
                    continue;
                }
                reversal.of_event(&engine.trace, earlier, later);
                if engine.has_no_time_after(reversal.cost(engine, earlier)) {
                    return;
                }
                if needs_rehearsal {
                    reversal.add_if_possible(engine, earlier);
                    continue;
                }
                let until = reversal.add(engine, earlier);
                if until > later as u32 {
                    let (earlier, later) = (earlier as u32, later as u32);
                    doubtful.push(Doubtful { earlier, later, until });
                }
            }
        }
        reverse_pending(engine, &self.pending, reversal);
    }
}

impl Optimal {
    /// Operations that were never performed race as well: those of processes blocked at the end, and
    /// where the execution was cut, those of all processes. A complete execution is no exception: a
    /// process that need not end may be blocked in it. True if some process has stopped before a
    /// guarded operation.
    fn find_pending(&mut self, engine: &mut Engine<'_>, ending: Ending) -> bool {
        self.pending.clear();
        let run = engine.run();
        if run.is_finished() {
            return false;
        }
        let mut some_guarded = false;
        for process in (0..run.processes()).map(Pid) {
            let next = run.next(process);
            if next == Next::Done {
                continue;
            }
            let guarded = run.guarded(process);
            some_guarded |= guarded;
            if ending == Ending::Cut || !next.is_ready() {
                self.pending.push((process, guarded));
            }
        }
        some_guarded
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

fn reverse_pending(engine: &mut Engine<'_>, pending: &[(Pid, bool)], reversal: &mut Reversal) {
    let mut row = Vec::new();
    for &(process, guarded) in pending {
        let footprint = engine.run().anticipate(process);
        let pending = Pending::of(engine.run(), process);
        let rivals = engine.trace.rivals_of_pending(process, &footprint, pending, &mut row);
        for &rival in &rivals {
            let rival = rival as usize;
            reversal.of_pending(&engine.trace, rival, process, &footprint, &row);
            if engine.has_no_time_after(reversal.cost(engine, rival)) {
                return;
            }
            if guarded {
                reversal.add_if_possible(engine, rival);
            } else {
                reversal.add(engine, rival);
            }
        }
    }
}

/// A sequence that leads to a trace with a race reversed: events of the present trace, then a step
/// of a process.
#[derive(Default)]
struct Reversal {
    /// Events, by index in the trace.
    steps: Vec<u32>,
    /// A bit for each process that may have steps among them, its number taken modulo 64.
    present: u64,
    process: Option<Pid>,
    /// How many alternatives the last step has.
    alternatives: u32,
    footprint: Footprint,
    /// The steps of the wakeup tree that it has followed so far, while it is inserted.
    path: Vec<Choice>,
    /// Up to which event the trace has to stay the same for it to follow these.
    until: u32,
    /// What happens before the last step, were it taken after the others; of no meaning if there are
    /// no others.
    row: Vec<u32>,
}

/// Finds out where inputs lead from a node.
struct InputRehearsal<'t, 'a> {
    program: &'a dyn Program,
    interrupt: &'t Interrupt,
    /// Apart from that of reversals, whose trace is in use meanwhile; made when first needed.
    rehearsal: &'t mut Option<Rehearsal<'a>>,
    /// The events before the node.
    before: &'t [Event],
}

impl InputRehearsal<'_, '_> {
    /// Whether some inputs lead along a path from the node, or nobody knows.
    fn leads_along(&mut self, path: impl Iterator<Item = Choice>) -> bool {
        let rehearsal =
            self.rehearsal.get_or_insert_with(|| Rehearsal::new(self.program, self.interrupt));
        rehearsal.go_to(self.before);
        for choice in path {
            let preferred = rehearsal.run.alternatives(choice.process).preferred;
            if choice.alternative != preferred {
                match rehearsal.run.feasible(choice) {
                    Feasible::Yes => {}
                    Feasible::No => return false,
                    Feasible::Unknown(_) => return true,
                }
            }
            rehearsal.step(choice);
        }
        true
    }
}

/// How a step that sleeps or stands in a wakeup tree relates to a sequence.
enum StepRelation {
    /// It is the sequence's step at this position, and nothing before it need come first.
    Begins(usize),
    /// It is the last step, and nothing before it need come first.
    BeginsAsLast,
    /// Its process is not in the sequence and it commutes with all of it.
    Beside,
    /// None of these.
    Excluded,
}

impl Reversal {
    /// The process of the later event goes before the earlier one.
    fn of_event(&mut self, trace: &Trace, earlier: usize, later: usize) {
        self.gather(trace, earlier, later);
        let event = &trace.events()[later];
        self.process = Some(event.process());
        self.alternatives = trace.alternatives(later);
        self.set_footprint(&event.footprint);
        if self.steps.is_empty() {
            // Nothing asks what precedes the last step.
            self.row.clear();
        } else if event.footprint.iter().any(|access| access.mode == Mode::Acquire) {
            // What led to the release that came between does not precede the acquire any more.
            trace.row_before(later, &mut self.row);
        } else {
            self.row.clear();
            self.row.extend_from_slice(trace.row(later));
        }
    }

    /// The process, which has not performed its operation, goes before the earlier event.
    fn of_pending(
        &mut self,
        trace: &Trace,
        earlier: usize,
        process: Pid,
        footprint: &Footprint,
        row: &[u32],
    ) {
        self.gather(trace, earlier, usize::MAX);
        self.process = Some(process);
        self.alternatives = 1;
        self.set_footprint(footprint);
        self.row.clear();
        self.row.extend_from_slice(row);
    }

    /// The events after `earlier` that do not happen after it.
    fn gather(&mut self, trace: &Trace, earlier: usize, except: usize) {
        self.steps.clear();
        self.present = 0;
        let Reversal { steps, present, .. } = self;
        trace.for_each_not_after(earlier, |index, process| {
            if index != except {
                steps.push(index as u32);
                *present |= bit(process);
            }
        });
    }

    /// What it takes to compare the sequence with all that sleeps and is planned at a node, in events.
    fn cost(&self, engine: &Engine<'_>, depth: usize) -> usize {
        let node = &engine.nodes[depth];
        (1 + self.steps.len()) * (1 + node.sleep.len())
    }

    fn set_footprint(&mut self, footprint: &Footprint) {
        self.footprint = footprint_of(footprint);
    }

    fn process(&self) -> Pid {
        self.process.expect("a reversal is made for a process")
    }

    /// Adds the sequence to the wakeup tree of the node before the earlier event, unless it is covered. The event up
    /// to which the trace has to stay the same for it to be covered in the same way.
    fn add(&mut self, engine: &mut Engine<'_>, depth: usize) -> u32 {
        if engine.allows(depth) {
            let Engine { search, trace, nodes, wakeups, trial, .. } = engine;
            let before = &trace.events()[..depth];
            let (program, interrupt) = (search.program, search.interrupt());
            let mut trial = InputRehearsal { program, interrupt, rehearsal: trial, before };
            return self.add_unless_covered(trace, &mut nodes[depth], wakeups, &mut trial);
        }
        0
    }

    /// As `add`, where the trace that the steps belong to is given.
    fn add_unless_covered(
        &mut self,
        trace: &Trace,
        node: &mut Node,
        wakeups: &mut Wakeups,
        trial: &mut InputRehearsal<'_, '_>,
    ) -> u32 {
        if let Some(until) = self.is_covered(trace, node) {
            return until;
        }
        self.path.clear();
        self.until = 0;
        self.insert(trace, wakeups, &mut node.wakeup_tree, true, trial);
        self.until
    }

    /// Adds the sequence if its last step can be taken after the others. If it cannot, what kept
    /// the process from moving lies further back: earlier rivals are confronted in turn.
    fn add_if_possible(&mut self, engine: &mut Engine<'_>, depth: usize) {
        let digest = digest_of(self.process(), self.choices(&engine.trace));
        if !engine.nodes[depth].tried.insert(digest)
            || self.sleeps_anyway(&engine.trace, &engine.nodes[depth])
        {
            return;
        }
        if self.adopt_rehearsed(&engine.trace, &engine.nodes[depth].rehearsed) {
            self.add(engine, depth);
            return;
        }
        let attempts = match self.known_hindrance(&engine.trace, &engine.nodes[depth]) {
            Some(hindrance) => {
                let steps = (0..depth).chain(self.steps.iter().map(|&step| step as usize));
                hindrance.without(&engine.trace, depth, steps)
            }
            None => vec![(depth, self.choices(&engine.trace).collect())],
        };
        let is_known = |depth: usize, steps: &[Choice]| {
            engine.nodes[depth].tried.contains(&digest_of(self.process(), steps.iter().copied()))
        };
        if attempts.iter().all(|(at, steps)| *at != depth && is_known(*at, steps)) {
            return;
        }
        self.rehearse(engine, depth, attempts);
    }

    /// The steps but the last.
    fn choices<'s>(&'s self, trace: &'s Trace) -> impl Iterator<Item = Choice> + 's {
        self.steps.iter().map(|&step| trace.events()[step as usize].choice)
    }

    /// Whether the last step, which only a rehearsal could tell about, sleeps at a node and commutes with the
    /// sequence: then it can be taken after the sequence as well as before it, which has been explored.
    fn sleeps_anyway(&self, trace: &Trace, node: &Node) -> bool {
        let process = self.process();
        node.sleep.iter().any(|sleeper| {
            sleeper.choice.process == process
                && sleeper.complete
                && self.leaves_alone(trace, process, &sleeper.footprint)
        })
    }

    /// Whether no step of the sequence but the last is of this process or conflicts with this.
    fn leaves_alone(&self, trace: &Trace, process: Pid, footprint: &Footprint) -> bool {
        self.steps.iter().all(|&step| {
            let event = &trace.events()[step as usize];
            event.process() != process && !conflict(&event.footprint, footprint)
        })
    }

    /// What is known to keep the process from moving at a node, whatever the sequence does before.
    fn known_hindrance<'n>(&self, trace: &Trace, node: &'n Node) -> Option<&'n Hindrance> {
        let process = self.process();
        node.hindrances.iter().find(|known| {
            known.process == process && self.leaves_alone(trace, process, &known.footprint)
        })
    }

    /// Tries sequences, each from its node on, which lead to the last step: if it can be taken, they are
    /// added, and if not, what they lead to without their rivals is tried in turn. The first one of these, at the
    /// given node, is known to be new.
    fn rehearse(&mut self, engine: &mut Engine<'_>, new: usize, mut attempts: Vec<Attempt>) {
        let program = engine.search.program;
        let interrupt = engine.search.interrupt();
        let mut rehearsal =
            engine.rehearsal.take().unwrap_or_else(|| Rehearsal::new(program, interrupt));
        let process = self.process();
        let mut first = attempts.first().is_some_and(|(depth, _)| *depth == new);
        while let Some((depth, steps)) = attempts.pop() {
            if engine.has_no_time_after(8 * (steps.len() + rehearsal.trace.len().abs_diff(depth))) {
                break;
            }
            let digest = digest_of(process, steps.iter().copied());
            if !engine.nodes[depth].tried.insert(digest) && !std::mem::take(&mut first) {
                continue;
            }
            rehearsal.go_to(&engine.trace.events()[..depth]);
            let mut possible = true;
            for choice in steps {
                possible = possible && rehearsal.run.is_ready(choice.process);
                if possible {
                    rehearsal.step(choice);
                }
            }
            if !possible {
                debug_assert!(false, "the steps of a sequence can be taken");
                engine
                    .search
                    .hit(Bound::Unordered("a planned step that cannot be taken".to_owned()));
                continue;
            }
            let end = rehearsal.trace.len();
            if rehearsal.run.next(process).is_ready() {
                let alternative = rehearsal.run.alternatives(process).preferred;
                rehearsal.step(Choice { process, alternative });
                self.of_rehearsed(&rehearsal.trace, depth, end);
                if engine.allows(depth) {
                    let Engine { search, trace, nodes, wakeups, trial, .. } = engine;
                    let before = &trace.events()[..depth];
                    let interrupt = search.interrupt();
                    let mut trial = InputRehearsal { program, interrupt, rehearsal: trial, before };
                    let node = &mut nodes[depth];
                    node.rehearsed.push(self.as_rehearsed(&rehearsal.trace));
                    self.add_unless_covered(&rehearsal.trace, node, wakeups, &mut trial);
                }
                continue;
            }
            let hindrance = Hindrance::of(&mut rehearsal, process, depth);
            attempts.extend(hindrance.without(&rehearsal.trace, depth, 0..end));
            let since = &rehearsal.trace.events()[depth..];
            let own = |event: &Event| {
                event.process() == process || conflict(&event.footprint, &hindrance.footprint)
            };
            if !since.iter().any(own) && hindrance.lies_before(depth) {
                engine.nodes[depth].hindrances.push(hindrance);
            }
        }
        engine.rehearsal = Some(rehearsal);
    }

    /// The sequence that was rehearsed: the events from `depth` on, the last one being the step
    /// that goes first now.
    fn of_rehearsed(&mut self, trace: &Trace, depth: usize, last: usize) {
        self.steps.clear();
        self.steps.extend(depth as u32..last as u32);
        self.present = u64::MAX;
        let event = &trace.events()[last];
        self.process = Some(event.process());
        self.alternatives = trace.alternatives(last);
        self.set_footprint(&event.footprint);
        self.row.clear();
        self.row.extend_from_slice(trace.row(last));
    }

    /// What the rehearsal of the sequence has shown.
    fn as_rehearsed(&self, trace: &Trace) -> Rehearsed {
        Rehearsed {
            process: self.process(),
            alternatives: self.alternatives,
            footprint: self.footprint.clone(),
            row: self.row.clone(),
            decisive: self.decisive(trace, &self.footprint, &self.row).collect(),
        }
    }

    /// Takes over what a rehearsal has shown about the last step, if one is known that was preceded by
    /// the same decisive steps.
    fn adopt_rehearsed(&mut self, trace: &Trace, known: &[Rehearsed]) -> bool {
        let same = known.iter().find(|known| {
            let steps = self.decisive(trace, &known.footprint, &known.row);
            known.process == self.process() && steps.eq(known.decisive.iter().copied())
        });
        if let Some(Rehearsed { alternatives, footprint, row, .. }) = same {
            self.alternatives = *alternatives;
            self.set_footprint(footprint);
            self.row.clone_from(row);
        }
        same.is_some()
    }

    /// The steps that decide what a last step with this footprint and past does: those of its process, its
    /// past within the sequence, and what else there conflicts with it.
    fn decisive<'a>(
        &'a self,
        trace: &'a Trace,
        footprint: &'a Footprint,
        row: &'a [u32],
    ) -> impl Iterator<Item = Choice> + 'a {
        self.steps.iter().filter_map(move |&step| {
            let event = &trace.events()[step as usize];
            let decides = event.process() == self.process()
                || trace.is_before_row(step as usize, row)
                || conflict(&event.footprint, footprint);
            decides.then_some(event.choice)
        })
    }

    /// Whether every trace that begins with the sequence is explored through a sleeping step, and up to which event the
    /// trace has to stay the same for that. One beside the sequence that somebody else explores does not tell: what
    /// wakes it might be found there, too late to be explored here.
    fn is_covered(&self, trace: &Trace, node: &Node) -> Option<u32> {
        let mut covered = None;
        for (number, sleeper) in node.sleep.iter().enumerate() {
            match self.relation(trace, sleeper.choice.process, &sleeper.footprint, true) {
                StepRelation::Begins(position) => {
                    let step = self.steps[position];
                    let event = &trace.events()[step as usize];
                    if event.choice.alternative == sleeper.choice.alternative {
                        covered = Some(covered.map_or(step, |until: u32| until.min(step)));
                    }
                }
                StepRelation::BeginsAsLast if sleeper.complete => return Some(0),
                StepRelation::Beside if !node.settled && number < node.inherited => {}
                StepRelation::Beside if sleeper.complete => covered = covered.or(Some(u32::MAX)),
                StepRelation::BeginsAsLast | StepRelation::Beside | StepRelation::Excluded => {}
            }
        }
        covered
    }

    /// `last` tells whether the last step is still part of the sequence.
    fn relation(
        &self,
        trace: &Trace,
        process: Pid,
        footprint: &Footprint,
        last: bool,
    ) -> StepRelation {
        let events = trace.events();
        let is_its = |&step: &u32| trace.process(step as usize) == process;
        let position = match self.present & bit(process) {
            0 => None,
            _ => self.steps.iter().position(is_its),
        };
        if let Some(position) = position {
            let step = self.steps[position] as usize;
            let first = self.steps[..position]
                .iter()
                .all(|&before| !trace.happens_before(before as usize, step));
            return if first { StepRelation::Begins(position) } else { StepRelation::Excluded };
        }
        if last && process == self.process() {
            let first =
                self.steps.iter().all(|&before| !trace.is_before_row(before as usize, &self.row));
            return if first { StepRelation::BeginsAsLast } else { StepRelation::Excluded };
        }
        let commutes = !(last && conflict(footprint, &self.footprint))
            && self
                .steps
                .iter()
                .all(|&step| !conflict(footprint, &events[step as usize].footprint));
        if commutes { StepRelation::Beside } else { StepRelation::Excluded }
    }

    /// Adds the sequence to a wakeup tree, along the first path that it can follow. `last` tells
    /// whether the last step is still part of the sequence.
    fn insert(
        &mut self,
        trace: &Trace,
        wakeups: &mut Wakeups,
        top: &mut Branches,
        last: bool,
        trial: &mut InputRehearsal<'_, '_>,
    ) {
        let mut last = last;
        let mut list = *top;
        'level: while last || !self.steps.is_empty() {
            let mut next = wakeups.indices(list).next();
            while let Some(index) = next {
                let branch = wakeups.get(index);
                let process = branch.choice.process;
                let follows = match self.relation(trace, process, &branch.footprint, last) {
                    StepRelation::Begins(position) => {
                        let event = &trace.events()[self.steps[position] as usize];
                        let same =
                            branch.scope == BranchScope::Any || event.choice == branch.choice;
                        if same {
                            let step = self.steps.remove(position);
                            self.rely(step);
                        }
                        same
                    }
                    StepRelation::BeginsAsLast => {
                        last = false;
                        true
                    }
                    StepRelation::Beside if branch.alternatives == 1 => {
                        self.rely(u32::MAX);
                        true
                    }
                    StepRelation::Beside => {
                        if self.insert_beside_all(trace, wakeups, list, index, last, trial) {
                            self.until = u32::MAX;
                            return;
                        }
                        false
                    }
                    StepRelation::Excluded => false,
                };
                if follows {
                    self.path.push(wakeups.get(index).choice);
                    list = wakeups.get(index).then;
                    if list.is_empty() {
                        // Everything from there on is explored anyway.
                        return;
                    }
                    continue 'level;
                }
                next = wakeups.after(index);
            }
            if let Some(&end) = self.steps.last() {
                self.rely(end);
            }
            self.decide_first(trace, wakeups, list);
            // Only the topmost list can be empty; all others keep their first branch.
            let list = if list.is_empty() { top } else { &mut list };
            self.append(trace, wakeups, list, last);
            return;
        }
    }

    /// What it follows is the same as long as the trace is up to this event.
    fn rely(&mut self, event: u32) {
        self.until = self.until.max(event);
    }

    /// Where a process has to decide next, another decision than those in the tree comes first as well.
    fn decide_first(&mut self, trace: &Trace, wakeups: &Wakeups, list: Branches) {
        let Some(index) = wakeups.indices(list).next() else { return };
        let branch = wakeups.get(index);
        if branch.decides {
            let process = branch.choice.process;
            let decides = |&step: &u32| trace.events()[step as usize].process() == process;
            if let Some(position) = self.steps.iter().position(decides) {
                self.steps[..=position].rotate_right(1);
            }
        }
    }

    /// The sequence commutes with a step of several alternatives: it is added after each of them that
    /// leaves it possible, and the alternatives that are not in the tree yet are added for its sake. False if it does
    /// not commute with all of them.
    fn insert_beside_all(
        &mut self,
        trace: &Trace,
        wakeups: &mut Wakeups,
        mut list: Branches,
        index: u32,
        last: bool,
        trial: &mut InputRehearsal<'_, '_>,
    ) -> bool {
        let Branch { choice, alternatives, decides, .. } = *wakeups.get(index);
        let footprint = wakeups.get(index).footprint.clone();
        let siblings: Vec<u32> = wakeups
            .indices(list)
            .filter(|&sibling| wakeups.get(sibling).choice.process == choice.process)
            .collect();
        let beside = |&sibling: &u32| {
            let footprint = &wakeups.get(sibling).footprint;
            matches!(self.relation(trace, choice.process, footprint, last), StepRelation::Beside)
        };
        // Only decisions are known to come next there, whatever is in the tree already.
        let whole = decides || siblings.len() == alternatives as usize;
        if !whole || !siblings.iter().all(beside) {
            return false;
        }
        let steps = self.steps.clone();
        let followed = self.path.len();
        for alternative in 0..alternatives {
            let choice = Choice { process: choice.process, alternative };
            self.path.truncate(followed);
            self.path.push(choice);
            if !self.is_possible(trace, trial) {
                continue;
            }
            let present = siblings.iter().find(|&&sibling| {
                let branch = wakeups.get(sibling);
                branch.choice == choice || branch.scope == BranchScope::Any
            });
            match present {
                Some(&sibling) => {
                    let mut then = wakeups.get(sibling).then;
                    if !then.is_empty() {
                        self.insert(trace, wakeups, &mut then, last, trial);
                        wakeups.get_mut(sibling).then = then;
                        self.steps.clone_from(&steps);
                    }
                }
                None => {
                    let mut then = Branches::EMPTY;
                    self.append(trace, wakeups, &mut then, last);
                    let footprint = &footprint[..];
                    let scope = BranchScope::One;
                    let branch = Branch { choice, scope, alternatives, decides, footprint, then };
                    wakeups.push_back(&mut list, branch);
                }
            }
        }
        true
    }

    /// Whether some inputs lead along the path followed and then through the sequence. A decision
    /// beside it can leave it none, where both look at the same input.
    fn is_possible(&self, trace: &Trace, trial: &mut InputRehearsal<'_, '_>) -> bool {
        let steps = self.steps.iter().map(|&step| &trace.events()[step as usize]);
        let decides = steps.clone().any(|event| event.condition.is_some());
        !decides || trial.leads_along(self.path.iter().copied().chain(steps.map(|e| e.choice)))
    }

    /// Adds the sequence as a path of its own.
    fn append(&self, trace: &Trace, wakeups: &mut Wakeups, list: &mut Branches, last: bool) {
        let mut path = Branches::EMPTY;
        if last {
            let branch = Branch {
                choice: Choice::of(self.process()),
                scope: BranchScope::Any,
                alternatives: self.alternatives,
                decides: false,
                footprint: &self.footprint[..],
                then: Branches::EMPTY,
            };
            wakeups.push_front(&mut path, branch);
        }
        for &step in self.steps.iter().rev() {
            let event = &trace.events()[step as usize];
            let branch = Branch {
                choice: event.choice,
                scope: BranchScope::One,
                alternatives: trace.alternatives(step as usize),
                decides: event.op.decides(),
                footprint: &event.footprint[..],
                then: std::mem::replace(&mut path, Branches::EMPTY),
            };
            wakeups.push_front(&mut path, branch);
        }
        wakeups.append(list, path);
    }
}

/// A digest of a sequence that ends with a step of a process.
fn digest_of(process: Pid, steps: impl Iterator<Item = Choice>) -> u128 {
    steps.fold(u128::from(process.0), |digest, choice| {
        scramble(digest, u64::from(choice.process.0) << 32 | u64::from(choice.alternative))
    })
}

fn bit(process: Pid) -> u64 {
    1 << (process.0 % 64)
}
