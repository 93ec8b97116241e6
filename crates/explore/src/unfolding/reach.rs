//! Reachability of global states (chapter 6.2).
//!
//! **Problem.** Executions of an unfolding explorer cover local states. Whether two variables can have
//! certain values at once, or two processes be at certain lines, is a question about combinations of
//! pasts that no execution need have combined; but they are all in the net (theorem 7).
//!
//! **Idea.** The thesis asks an SMT solver for a marking of the whole net that satisfies the formula,
//! and found that slow. A formula is about a few places only. A state that satisfies it exists iff
//! there is one condition per place of the formula, concurrent with each other, with values that
//! satisfy it (definition 19 and theorem 8): a co-set search in the slice of the net that consists of
//! the trees of those places. Each disjunct is searched by itself with its own places, the places one
//! after another: from the condition that the configuration chosen so far leaves, downwards along the
//! place's tree, turning back at what is not concurrent. Values known so far refute a formula early.
//!
//! **Invariant.** «Reachable» comes with a schedule that was replayed and in whose last state the
//! formula holds. «Unreachable» is said only of a finished net in which all values of the formula's
//! variables are known numbers.
//!
//! **How we differ.** No solver in the search, and so no symbolic values: a variable whose value
//! depends on an input makes the answer incomplete unless another state is found. Path constraints are
//! solved when a candidate is replayed.
//!
//! **Cost.** For one variable linear in its conditions; for k places at most the product of the
//! concurrent parts of their trees.

use counterpoint_model::{Bound, Location, Pid, Program, Run, Schedule, Site};

use super::execute::{Explorer, Led};
use super::formula::{Formula, Knowledge};
use super::net::{ConditionId, Net, PlaceId, Status};
use crate::search::{Assignment, Exploration};
use crate::work::WorkUnit;

/// Whether a state that satisfies a formula can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reached {
    /// Yes, along this schedule.
    Yes(Schedule),
    /// No.
    No,
    /// Nobody knows, for these reasons.
    Unknown(Vec<Bound>),
}

/// Explores the program by the contextual unfolding and looks for a state that satisfies the formula.
pub fn reach(assignment: Assignment<'_>, formula: &Formula) -> (Reached, Exploration) {
    let program = assignment.program;
    let mut explorer = Explorer::new(assignment, true);
    let mut locations = Vec::new();
    let mut processes = Vec::new();
    formula.names(&mut locations, &mut processes);
    explorer.watch(&locations);
    explorer.begin();
    explorer.work_off();
    explorer.search.statistics.events = u64::from(explorer.unfolding.net.covered);
    let finished = !explorer.search.stop;
    let mut search = Reachability::new(program, &explorer);
    let mut found = None;
    for part in disjuncts(formula) {
        found = found.or_else(|| search.look_for(&mut explorer, part));
    }
    let unknown = search.unknown;
    let finished = finished && !explorer.search.stop;
    let result = explorer.search.result((!finished).then(WorkUnit::whole));
    let mut bounds = result.bounds.clone();
    if unknown {
        let what = "a shared variable in the formula that depends on inputs".to_owned();
        bounds.push(Bound::Concretised(what));
    }
    let answer = match found {
        Some(schedule) => Reached::Yes(schedule),
        None if bounds.is_empty() => Reached::No,
        None => Reached::Unknown(bounds),
    };
    (answer, result)
}

/// The parts of which one has to hold.
fn disjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::Any(parts) => parts.iter().flat_map(disjuncts).collect(),
        other => vec![other],
    }
}

/// What an exploration has noted for questions about global states.
#[derive(Default)]
pub(super) struct Notes {
    pub locations: Vec<Location>,
    /// Per condition of a noted location its value, if it is a number.
    pub values: Vec<Option<i64>>,
    /// Per thread condition the site of the next operation.
    pub sites: Vec<Option<Site>>,
}

impl Notes {
    pub fn set_value(&mut self, condition: ConditionId, value: Option<i64>) {
        if self.values.len() <= condition.index() {
            self.values.resize(condition.index() + 1, None);
        }
        self.values[condition.index()] = value;
    }

    pub fn set_site(&mut self, condition: ConditionId, site: Site) {
        if self.sites.len() <= condition.index() {
            self.sites.resize(condition.index() + 1, None);
        }
        self.sites[condition.index()] = Some(site);
    }
}

struct Reachability<'p> {
    program: &'p dyn Program,
    /// Per condition those that follow it at its place.
    followers: Vec<Vec<ConditionId>>,
    /// Whether the truth of some candidate was not known.
    unknown: bool,
}

/// A place of the formula.
#[derive(Clone)]
enum Subject {
    Variable(Location, PlaceId),
    Process(String, PlaceId),
}

/// Conditions chosen for the first places.
struct Choice<'c> {
    program: &'c dyn Program,
    notes: &'c Notes,
    net: &'c Net,
    subjects: &'c [Subject],
    chosen: &'c [ConditionId],
}

impl Knowledge for Choice<'_> {
    fn value(&self, location: Location) -> Option<i64> {
        let is_it = |s: &Subject| matches!(s, Subject::Variable(l, _) if *l == location);
        let condition = self.chosen.get(self.subjects.iter().position(is_it)?)?;
        self.notes.values.get(condition.index()).copied().flatten()
    }

    fn is_at(&self, process: &str, line: u32) -> Option<bool> {
        let is_it = |s: &Subject| matches!(s, Subject::Process(path, _) if path == process);
        let condition = *self.chosen.get(self.subjects.iter().position(is_it)?)?;
        let stands = self.net.condition(condition).station != u32::MAX;
        if !stands || self.net.station(condition).op.is_none() {
            return Some(false);
        }
        let site = self.notes.sites.get(condition.index()).copied().flatten()?;
        Some(self.program.place(site).line == line)
    }
}

/// The state a run is in.
struct Actual<'r>(&'r dyn Run);

impl Knowledge for Actual<'_> {
    fn value(&self, location: Location) -> Option<i64> {
        number(self.0.value(location))
    }

    fn is_at(&self, _: &str, _: u32) -> Option<bool> {
        None
    }
}

impl<'p> Reachability<'p> {
    fn new(program: &'p dyn Program, explorer: &Explorer<'_>) -> Reachability<'p> {
        let net = &explorer.unfolding.net;
        let mut followers: Vec<Vec<ConditionId>> = Vec::new();
        followers.resize_with(net.conditions.len(), Vec::new);
        for (number, condition) in net.conditions.iter().enumerate() {
            if condition.parent.is_some() {
                let own = ConditionId(u32::try_from(number).expect("a condition's number"));
                debug_assert_eq!(net.event(condition.producer).status, Status::Covered);
                followers[condition.parent.index()].push(own);
            }
        }
        Reachability { program, followers, unknown: false }
    }

    /// A schedule to a state in which this part of the formula holds.
    fn look_for(&mut self, explorer: &mut Explorer<'_>, formula: &Formula) -> Option<Schedule> {
        let mut locations = Vec::new();
        let mut processes = Vec::new();
        formula.names(&mut locations, &mut processes);
        let net = &mut explorer.unfolding.net;
        let mut subjects = Vec::new();
        for path in processes {
            let Some(pid) = self.program.names().resolve(&path) else { continue };
            let place = net.process_place(pid);
            subjects.push(Subject::Process(path, place));
        }
        for location in locations {
            let place = net.location_place(location);
            subjects.push(Subject::Variable(location, place));
        }
        self.followers.resize_with(net.conditions.len(), Vec::new);
        self.choose(explorer, formula, &subjects, &mut Vec::new(), Vec::new())
    }

    /// Chooses a condition for the next place and goes on; the last one is replayed.
    fn choose(
        &mut self,
        explorer: &mut Explorer<'_>,
        formula: &Formula,
        subjects: &[Subject],
        chosen: &mut Vec<ConditionId>,
        cut: Vec<ConditionId>,
    ) -> Option<Schedule> {
        let net = &explorer.unfolding.net;
        let known = Choice { program: self.program, notes: &explorer.notes, net, subjects, chosen };
        let truth = formula.evaluate(&known);
        if truth == Some(false) {
            return None;
        }
        let Some(subject) = subjects.get(chosen.len()) else {
            if truth.is_none() {
                self.unknown = true;
                return None;
            }
            return self.replay(explorer, formula, &cut);
        };
        let (Subject::Variable(_, place) | Subject::Process(_, place)) = *subject;
        let mut walk = vec![net.holds(&cut, place)];
        while let Some(condition) = walk.pop() {
            if explorer.search.is_out_of_time() {
                return None;
            }
            let net = &explorer.unfolding.net;
            let past = net.past(condition);
            let possible = !chosen.iter().any(|&other| net.takes(past, other))
                && net.compatible(&cut, past, &mut explorer.unfolding.scratch);
            if !possible {
                continue;
            }
            walk.extend(&self.followers[condition.index()]);
            let mut union = cut.clone();
            net.unite(&mut union, past);
            chosen.push(condition);
            let found = self.choose(explorer, formula, subjects, chosen, union);
            chosen.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The schedule to a marking, if inputs allow it.
    fn replay(
        &self,
        explorer: &mut Explorer<'_>,
        formula: &Formula,
        cut: &[ConditionId],
    ) -> Option<Schedule> {
        let unfolding = &mut explorer.unfolding;
        let schedule = unfolding.net.linearise(cut, &mut unfolding.scratch)?.to_vec();
        if explorer.follow(&schedule) == Led::Nowhere {
            return None;
        }
        let holds = formula.evaluate(&Actual(&*explorer.run)) != Some(false);
        debug_assert!(holds, "the state has the values that its conditions have");
        if !holds {
            return None;
        }
        let choices = explorer.trace.events().iter().map(|event| event.choice).collect();
        let inputs = explorer.run.inputs();
        Some(Schedule { program: self.program.fingerprint(), inputs, choices })
    }
}

impl Explorer<'_> {
    /// Notes the values of these locations from now on, and where processes stand.
    pub(super) fn watch(&mut self, locations: &[Location]) {
        let mut notes = Notes { locations: locations.to_vec(), ..Notes::default() };
        for &location in locations {
            let place = self.unfolding.net.location_place(location);
            notes.set_value(self.unfolding.net.root(place), number(self.run.value(location)));
        }
        self.notes = notes;
        self.watching = true;
    }

    /// Notes what the event just covered has shown.
    pub(super) fn note(&mut self, event: super::net::EventId) {
        let net = &self.unfolding.net;
        if let Some(last) = self.trace.events().last() {
            self.notes.set_site(net.event(event).before, last.site);
        }
        for index in 0..self.notes.locations.len() {
            let location = self.notes.locations[index];
            let place = net.place_at(location);
            let made = super::cut::at(&self.unfolding.marking.cut, place);
            if made.is_some() && net.condition(made).producer == event {
                self.notes.set_value(made, number(self.run.value(location)));
            }
        }
    }

    /// Notes where processes are blocked at the end of an execution.
    pub(super) fn note_waiting(&mut self) {
        for process in (0..self.run.processes()).map(Pid) {
            if let Some(waiting) = self.run.waiting(process) {
                self.notes.set_site(self.unfolding.thread(process), waiting.site);
            }
        }
    }
}

/// The number a value is, if it is one.
fn number(value: Option<String>) -> Option<i64> {
    value?.trim().parse().ok()
}
