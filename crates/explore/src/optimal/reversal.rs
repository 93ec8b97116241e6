//! Sequences that reverse a race, and how they get into wakeup trees.
//!
//! `optimal.rs` says which races are reversed and why. Here a sequence v is made of a trace: the events that
//! do not happen after the earlier one, then a step of the later one's process. It is compared with what sleeps
//! and what is planned at its node ([`Reversal::add`], `following.rs`); where only a trial can tell whether its last step is
//! possible, it is rehearsed first ([`Reversal::add_if_possible`]).
//!
//! **Invariant.** A path that is added can be taken from its node on, step by step. What a sequence is covered by
//! covers it again as long as what `add` returns can be relied on ([`reliance`](super::reliance)).
//!
//! **Cost.** As there: the steps of a sequence times the sleepers and the branches it is compared with.

mod following;

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use counterpoint_model::{
    Access, Bound, Choice, Event, Footprint, Mode, Pid, conflict, copy_footprint,
};

use super::inputs::{InputRehearsal, KnownInputs, Path};
use super::reliance::Reliance;
use crate::depth_first::{Engine, Node};
use crate::mixing::chain;
use crate::rehearsal::{Hindrance, Rehearsed};
use crate::trace::Trace;
use crate::wakeup::Wakeups;

/// A sequence that leads to a trace with a race reversed: events of the present trace, then a step
/// of a process.
#[derive(Default)]
pub(super) struct Reversal {
    steps: Steps,
    /// A bit for each process that may have steps among them, its number taken modulo 64.
    present: u64,
    process: Option<Pid>,
    /// How many alternatives the last step has.
    alternatives: u32,
    /// The event of the trace that the last step is, if what it touches is what the event does.
    event: Option<u32>,
    /// What it touches otherwise.
    footprint: Footprint,
    /// The steps of the wakeup tree that it has followed so far, while it is inserted.
    path: Path,
    /// Whether it had to be added after each of several decisions.
    beside_decisions: bool,
    /// Whether some sequence had to be.
    met_decisions: bool,
    /// The inputs that conditions of the search's own run look at.
    inputs: KnownInputs,
    /// How many events were looked at to make sequences and to compare them with planned ones, since somebody asked.
    effort: usize,
    /// What it takes for the sequence to follow these.
    reliance: Reliance,
    /// What is to be tried, by the node at which it begins.
    attempts: BTreeMap<usize, Vec<Attempt>>,
    /// Whether what happens before the last step, were it taken after the others, is what happens before the event.
    row_of_event: bool,
    /// What happens before it otherwise; of no meaning if there are no others.
    row: Vec<u32>,
}

/// A step of a sequence.
#[derive(Copy, Clone)]
struct Step {
    /// The event, by index in the trace.
    event: u32,
    process: Pid,
}

impl Step {
    fn event(self) -> usize {
        self.event as usize
    }
}

/// The steps of a sequence, which are taken out one by one, most of them near its beginning.
#[derive(Default, Clone)]
struct Steps {
    all: Vec<Step>,
    /// How many of the first are not there any more.
    gone: usize,
}

impl Steps {
    #[inline]
    fn clear(&mut self) {
        self.all.clear();
        self.gone = 0;
    }

    /// Takes out the one at a place, which costs the places before it.
    #[inline]
    fn remove(&mut self, place: usize) {
        let rest = &mut self[..=place];
        for place in (0..place).rev() {
            rest[place + 1] = rest[place];
        }
        self.gone += 1;
    }
}

impl Deref for Steps {
    type Target = [Step];

    #[inline]
    fn deref(&self) -> &[Step] {
        &self.all[self.gone..]
    }
}

impl DerefMut for Steps {
    fn deref_mut(&mut self) -> &mut [Step] {
        &mut self.all[self.gone..]
    }
}

/// A sequence to be tried from a node on.
struct Attempt {
    /// Whose step is the last one.
    process: Pid,
    /// Whether the node knows already that it is tried.
    noted: bool,
    /// The steps before it.
    steps: Vec<Choice>,
}

impl Reversal {
    /// The process of the later event goes before the earlier one.
    pub fn of_event(&mut self, trace: &Trace, earlier: usize, later: usize) {
        self.gather(trace, earlier, later);
        let event = &trace.events()[later];
        self.process = Some(event.process());
        self.alternatives = trace.alternatives(later);
        self.event = Some(later as u32);
        // What led to the release that came between does not precede an acquire any more. Where there are no other steps,
        // nothing asks.
        let acquires = event.footprint.iter().any(|access| access.mode == Mode::Acquire);
        self.row_of_event = !acquires;
        if acquires && !self.steps.is_empty() {
            trace.row_before(later, &mut self.row);
        }
    }

    /// The process, which has not performed its operation, goes before the earlier event.
    pub fn of_pending(
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
        self.set_row(row);
    }

    /// The events after `earlier` that do not happen after it.
    fn gather(&mut self, trace: &Trace, earlier: usize, except: usize) {
        self.steps.clear();
        self.present = 0;
        // All of them are looked at, however few there are.
        self.effort += trace.len() - earlier;
        let Reversal { steps, present, .. } = self;
        trace.for_each_not_after(earlier, |index, process| {
            if index != except {
                steps.all.push(Step { event: index as u32, process });
                *present |= bit(process);
            }
        });
    }

    /// What it takes to compare the sequence with all that sleeps at a node, in events, and what it took to make it and to
    /// compare the last ones with what was planned.
    pub fn cost(&mut self, engine: &Engine<'_>, depth: usize) -> usize {
        let node = &engine.nodes[depth];
        (1 + self.steps.len()) * (1 + node.sleep.len()) + self.take_effort()
    }

    /// The same, where it is compared with what rehearsals have shown as well.
    pub fn cost_of_trial(&mut self, engine: &Engine<'_>, depth: usize) -> usize {
        let node = &engine.nodes[depth];
        let shown = node.rehearsed.len() + node.hindrances.len();
        (1 + self.steps.len()) * shown + self.cost(engine, depth)
    }

    fn take_effort(&mut self) -> usize {
        std::mem::take(&mut self.effort)
    }

    fn set_footprint(&mut self, footprint: &Footprint) {
        self.event = None;
        copy_footprint(&mut self.footprint, footprint);
    }

    fn set_row(&mut self, row: &[u32]) {
        self.row_of_event = false;
        self.row.clear();
        self.row.extend_from_slice(row);
    }

    /// What the last step touches.
    #[inline]
    fn footprint<'s>(&'s self, trace: &'s Trace) -> &'s [Access] {
        match self.event {
            Some(event) => &trace.events()[event as usize].footprint,
            None => &self.footprint,
        }
    }

    /// Whether a step of the sequence happens before the last one.
    #[inline]
    fn is_before_last(&self, trace: &Trace, step: &Step) -> bool {
        match self.event {
            Some(event) if self.row_of_event => trace.happens_before(step.event(), event as usize),
            _ => trace.is_before_row(step.event(), &self.row),
        }
    }

    fn process(&self) -> Pid {
        self.process.expect("a reversal is made for a process")
    }

    /// What the sequence that was added last relies on to be covered from now on.
    #[inline]
    pub fn reliance(&self) -> &Reliance {
        &self.reliance
    }

    /// Adds the sequence that reverses a race of two events. Whether there was time to.
    #[inline(never)]
    pub fn reverse(&mut self, engine: &mut Engine<'_>, earlier: usize, later: usize) -> bool {
        self.of_event(&engine.trace, earlier, later);
        let cost = self.cost(engine, earlier);
        let in_time = !engine.has_no_time_after(cost);
        if in_time {
            self.add(engine, earlier);
        }
        in_time
    }

    /// Adds the sequence to the wakeup tree of the node before the earlier event, unless it is covered.
    pub fn add(&mut self, engine: &mut Engine<'_>, depth: usize) {
        if engine.allows(depth) {
            let terms = if self.met_decisions { engine.terms() } else { None };
            let Engine { search, trace, nodes, wakeups, trial, .. } = engine;
            let before = &trace.events()[..depth];
            let (program, interrupt) = (search.program, search.interrupt());
            let (open, inputs) = (Default::default(), 0);
            let mut trial =
                InputRehearsal { program, interrupt, second: trial, before, terms, open, inputs };
            self.add_unless_covered(trace, &mut nodes[depth], wakeups, &mut trial);
        } else {
            self.reliance = Reliance::default();
        }
    }

    /// As `add`, where the trace that the steps belong to is given.
    fn add_unless_covered(
        &mut self,
        trace: &Trace,
        node: &mut Node,
        wakeups: &mut Wakeups,
        trial: &mut InputRehearsal<'_, '_>,
    ) {
        self.reliance = Reliance::default();
        if self.is_covered(trace, node) {
            return;
        }
        if self.met_decisions && self.event.is_some() {
            return self.add_beside_decisions(trace, node, wakeups, trial);
        }
        self.insert_at(trace, node, wakeups, trial);
        self.met_decisions |= self.beside_decisions;
    }

    /// As `add_unless_covered`, where some decisions are beside sequences: what is added after each of their alternatives
    /// takes long enough for the answer to be kept.
    #[inline(never)]
    fn add_beside_decisions(
        &mut self,
        trace: &Trace,
        node: &mut Node,
        wakeups: &mut Wakeups,
        trial: &mut InputRehearsal<'_, '_>,
    ) {
        let digest = digest_of(self.process(), self.choices(trace));
        if let Some(beside) = node.added.get(&digest) {
            self.reliance.add_outline(beside);
            self.rely_on_steps();
            return;
        }
        self.beside_decisions = false;
        if let Some(terms) = &trial.terms {
            let steps = self.steps.iter().map(|step| &trace.events()[step.event()]);
            trial.inputs = self.inputs.of(terms, trial.before.iter().chain(steps));
            trial.open = std::mem::take(&mut node.open_paths);
        }
        self.insert_at(trace, node, wakeups, trial);
        if trial.terms.is_some() {
            node.open_paths = std::mem::take(&mut trial.open);
        }
        if self.beside_decisions {
            node.added.insert(digest, *self.reliance.beside());
        }
    }

    /// Adds the sequence if its last step can be taken after the others. If it cannot, what kept
    /// the process from moving lies further back: earlier rivals are confronted in turn.
    pub fn add_if_possible(&mut self, engine: &mut Engine<'_>, depth: usize) {
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
        match self.known_hindrance(&engine.trace, &engine.nodes[depth]) {
            Some(hindrance) => {
                let steps = (0..depth).chain(self.steps.iter().map(|step| step.event()));
                let Engine { search, trace, .. } = engine;
                let mut late = |events| search.worked(events);
                match hindrance.without(trace, depth, steps, &mut late) {
                    Some(attempts) => self.try_later(attempts),
                    None => _ = engine.is_cut_short(false, 0),
                }
            }
            None => {
                let steps = self.choices(&engine.trace).collect();
                let process = self.process();
                let attempt = Attempt { process, noted: true, steps };
                self.attempts.entry(depth).or_default().push(attempt);
            }
        }
    }

    /// Sequences to be tried before the last step, each with the node at which it begins.
    fn try_later(&mut self, sequences: Vec<(usize, Vec<Choice>)>) {
        let process = self.process();
        for (depth, steps) in sequences {
            let attempt = Attempt { process, noted: false, steps };
            self.attempts.entry(depth).or_default().push(attempt);
        }
    }

    /// The steps but the last.
    fn choices<'s>(&'s self, trace: &'s Trace) -> impl Iterator<Item = Choice> + 's {
        self.steps.iter().map(|step| trace.events()[step.event()].choice)
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
        self.steps.iter().all(|step| {
            let event = &trace.events()[step.event()];
            step.process != process && !conflict(&event.footprint, footprint)
        })
    }

    /// What is known to keep the process from moving at a node, whatever the sequence does before.
    fn known_hindrance<'n>(&self, trace: &Trace, node: &'n Node) -> Option<&'n Hindrance> {
        let process = self.process();
        node.hindrances.iter().find(|known| {
            known.process == process && self.leaves_alone(trace, process, &known.footprint)
        })
    }

    /// Tries what is left to be tried at a node and below it, which leads to the last step of a sequence: if that can be
    /// taken, the sequence is added, and if not, what it leads to without the step's rivals is to be tried in turn,
    /// from the same node or one further up. Whatever is to be tried deepest in the path comes first.
    pub fn rehearse_down_to(&mut self, engine: &mut Engine<'_>, last: usize) {
        while let Some((depth, Attempt { process, noted, steps })) = self.next_attempt(last) {
            let events = steps.len() + engine.rehearsal.trace.len().abs_diff(depth);
            // The rehearsal is compared with the path as far as it goes.
            if engine.has_no_time_after(8 * events + depth + self.take_effort()) {
                break;
            }
            let digest = digest_of(process, steps.iter().copied());
            if !noted && !engine.nodes[depth].tried.insert(digest) {
                continue;
            }
            self.process = Some(process);
            let end = depth + steps.len();
            let Some((possible, ready)) = engine.rehearse(depth, &steps, process) else {
                break;
            };
            if !possible {
                debug_assert!(false, "the steps of a sequence can be taken");
                engine
                    .search
                    .hit(Bound::Unordered("a planned step that cannot be taken".to_owned()));
            } else if ready {
                self.of_rehearsed(&engine.rehearsal.trace, depth, end);
                self.add_rehearsed(engine, depth);
            } else {
                let Some(hindrance) = engine.hindrance(process, depth) else { break };
                let Engine { search, rehearsal, .. } = engine;
                let trace = &rehearsal.trace;
                let mut late = |events| search.worked(events);
                let Some(sequences) = hindrance.without(trace, depth, 0..end, &mut late) else {
                    engine.is_cut_short(false, 0);
                    break;
                };
                let own = |event: &Event| {
                    event.process() == process || conflict(&event.footprint, &hindrance.footprint)
                };
                if !trace.events()[depth..].iter().any(own) && hindrance.lies_before(depth) {
                    engine.nodes[depth].hindrances.push(hindrance);
                }
                self.try_later(sequences);
            }
        }
    }

    /// What is to be tried next, if it begins at this node or below it.
    fn next_attempt(&mut self, last: usize) -> Option<(usize, Attempt)> {
        let mut deepest = self.attempts.last_entry()?;
        let depth = *deepest.key();
        if depth < last {
            return None;
        }
        match deepest.get_mut().pop() {
            Some(attempt) => Some((depth, attempt)),
            None => {
                deepest.remove();
                self.next_attempt(last)
            }
        }
    }

    /// Adds the sequence that was rehearsed, unless it is covered, and notes what came of it.
    fn add_rehearsed(&mut self, engine: &mut Engine<'_>, depth: usize) {
        if !engine.allows(depth) {
            return;
        }
        let Engine { search, trace, nodes, wakeups, trial, rehearsal, .. } = engine;
        let before = &trace.events()[..depth];
        let (program, interrupt) = (search.program, search.interrupt());
        let (terms, open, inputs) = (None, Default::default(), 0);
        let mut trial =
            InputRehearsal { program, interrupt, second: trial, before, terms, open, inputs };
        let node = &mut nodes[depth];
        node.rehearsed.push(self.as_rehearsed(&rehearsal.trace));
        self.add_unless_covered(&rehearsal.trace, node, wakeups, &mut trial);
    }

    /// The sequence that was rehearsed: the events from `depth` on, the last one being the step
    /// that goes first now.
    fn of_rehearsed(&mut self, trace: &Trace, depth: usize, last: usize) {
        self.steps.clear();
        let step = |event| Step { event: event as u32, process: trace.process(event) };
        self.steps.all.extend((depth..last).map(step));
        self.present = u64::MAX;
        let event = &trace.events()[last];
        self.process = Some(event.process());
        self.alternatives = trace.alternatives(last);
        self.set_footprint(&event.footprint);
        self.row_of_event = false;
        trace.copy_row(last, &mut self.row);
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
            self.set_row(row);
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
        self.steps.iter().filter_map(move |step| {
            let event = &trace.events()[step.event()];
            let decides = step.process == self.process()
                || trace.is_before_row(step.event(), row)
                || conflict(&event.footprint, footprint);
            decides.then_some(event.choice)
        })
    }
}

/// A digest of a sequence that ends with a step of a process.
fn digest_of(process: Pid, steps: impl Iterator<Item = Choice>) -> u128 {
    let number = |choice: Choice| u64::from(choice.process.0) << 32 | u64::from(choice.alternative);
    chain(steps.chain([Choice::of(process)]).map(number))
}

fn bit(process: Pid) -> u64 {
    1 << (process.0 % 64)
}
