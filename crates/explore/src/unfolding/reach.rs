//! Reachability of global states (chapter 6.2).
//!
//! **Problem.** Executions of an unfolding unfolder cover local states. Whether two variables can have
//! certain values at once, or two processes be at certain lines, is a question about combinations of
//! pasts that no execution need have combined; but they are all in the net (theorem 7).
//!
//! **Idea.** A formula is about a few places only. A state that satisfies it exists iff there is one
//! condition per place of the formula, concurrent with each other, with values that satisfy it
//! (definition 19 and theorem 8), and inputs that allow it. Each disjunct is treated by itself with its
//! own places. [`coset`](super::coset) looks for such conditions by walking the trees of the places;
//! that is quick where values refute most combinations early. A search that grows long is given up for
//! the solver, which is asked for a marking of the slice of the net that matters
//! ([`encode`](super::encode)), as the thesis does.
//!
//! Both only propose conditions. Each proposal is replayed along the union of the conditions' pasts,
//! and there the run itself, which knows all constraints on its inputs, says whether the formula can
//! hold. A proposal that fails is failed for good: the values depend on the conditions alone, and
//! larger configurations have the path constraints of the smaller one and more.
//!
//! **Invariant.** «Reachable» comes with a schedule that was replayed and in whose last state the
//! formula holds. «Unreachable» is said only of a finished net in which the value of every variable
//! of the formula follows from its condition, which is checked whenever an event is added.
//!
//! **States that count** are those between steps: a step is an operation on something shared and all
//! the local computation after it.
//!
//! **Cost.** For one variable linear in its conditions; for k places the search costs at most
//! [`PATIENCE`] before the solver takes over.

use std::collections::BTreeSet;

use counterpoint_model::{
    Bound, Feasible, Finding, FindingKind, Input, Location, Pid, Place, Program, Reading, Run, Site,
};
use counterpoint_symbolic::Term;
use rustc_hash::FxHashMap;

use super::coset::{Coset, CosetAnswer};
use super::cut;
use super::encode::Encoding;
use super::execute::{Led, Unfolder, has_tasks};
use super::formula::{Formula, Knowledge, Spot};
use super::net::{ConditionId, EventId, PlaceId};
use super::symbolic;
use crate::evidence;
use crate::minimise::Shortening;
use crate::property::{Execution, Failure, Property};
use crate::search::{Assignment, Exploration};

/// Conditions that the search may look at for one disjunct before the solver is asked.
const PATIENCE: u64 = 200_000;

/// A state that somebody asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The formula as it was written.
    pub text: String,
    /// The formula.
    pub formula: Formula,
}

/// Whether a state that satisfies a formula can be reached.
#[derive(Clone, PartialEq, Debug)]
pub enum Reached {
    /// Yes, as this shows.
    Yes(Box<Finding>),
    /// No.
    No,
    /// Nobody knows, for these reasons.
    Unknown(Vec<Bound>),
}

/// How to look for a state.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Approach {
    /// Whether the contextual unfolding is built or the regular one.
    pub contextual: bool,
    /// What proposes conditions.
    pub method: Method,
}

/// What proposes conditions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// The search, and the solver where the search would be long.
    Either,
    /// The search alone, however long.
    Search,
    /// The solver alone.
    Solver,
}

impl Default for Approach {
    fn default() -> Approach {
        Approach { contextual: true, method: Method::Either }
    }
}

/// The answer to a question about states.
#[derive(Clone, PartialEq, Debug)]
pub struct Inquiry {
    /// Whether the state can be reached.
    pub reached: Reached,
    /// The positions in the formula at which the process never stands.
    pub never: Vec<Never>,
    /// The exploration behind it.
    pub exploration: Exploration,
}

/// A position in a formula at which the process never stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Never {
    /// The process.
    pub process: Pid,
    /// The position.
    pub spot: Spot,
    /// The files and lines where it does stand, in order.
    pub stands: Vec<(String, u32)>,
}

/// Why a question about states cannot be asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReachError {
    /// The program is one of active objects.
    #[error(
        "states of active objects cannot be asked for yet: their steps are not known beforehand"
    )]
    Tasks,
}

/// Explores the program by an unfolding and looks for a state that satisfies the formula.
pub fn reach(
    mut assignment: Assignment<'_>,
    wanted: &Wanted,
    approach: Approach,
) -> Result<Inquiry, ReachError> {
    if has_tasks(&mut assignment) {
        return Err(ReachError::Tasks);
    }
    assignment.properties = Vec::new();
    let mut unfolder = Unfolder::new(assignment, approach.contextual);
    unfolder.watch(&wanted.formula.locations());
    unfolder.begin();
    let (reachability, found, explored) = loop {
        unfolder.work_off();
        unfolder.search.count_events(u64::from(unfolder.unfolding.net.covered));
        let explored = !unfolder.search.stop;
        let mut reachability = Reachability::new(unfolder, wanted);
        let found = wanted
            .formula
            .disjuncts()
            .into_iter()
            .find_map(|part| reachability.look_for(part, approach.method));
        let grown = &mut reachability.unfolder;
        if found.is_some() || grown.search.stop || !grown.restart() {
            break (reachability, found, explored);
        }
        unfolder = reachability.unfolder;
    };
    let never = reachability.never();
    let (reached, exploration) = reachability.answer(found, explored);
    Ok(Inquiry { reached, never, exploration })
}

/// The property of executions that end in a wanted state.
impl Property for Wanted {
    fn check(&mut self, execution: &Execution<'_>, report: &mut dyn FnMut(Failure)) {
        let actual = Actual { program: execution.program, run: execution.run };
        if self.formula.evaluate(&actual) == Some(true) {
            report(Failure {
                kind: FindingKind::Reached,
                name: self.text.clone(),
                message: self.text.clone(),
                sites: Vec::new(),
                waiting: Vec::new(),
                steps: execution.events.len(),
            });
        }
    }
}

/// What an exploration has noted for questions about global states.
#[derive(Default)]
pub(super) struct Notes {
    pub locations: Vec<Location>,
    /// Per condition of a noted location its value, if it is a plain number.
    pub values: Vec<Option<i64>>,
    /// Per condition of a noted location its value as a term, if it depends on inputs.
    terms: FxHashMap<ConditionId, Term>,
    /// The conditions of branches on inputs.
    pub branches: FxHashMap<EventId, Term>,
    /// Per thread condition the site of the next operation.
    pub sites: Vec<Option<Site>>,
    /// The locations whose value was seen to change without an event that writes them.
    pub restless: Vec<Location>,
}

impl Notes {
    fn set_value(&mut self, condition: ConditionId, value: Option<Reading>) {
        if self.values.len() <= condition.index() {
            self.values.resize(condition.index() + 1, None);
        }
        self.values[condition.index()] = plain(value);
        if let Some(term) = value.and_then(|reading| reading.term) {
            self.terms.insert(condition, term);
        }
    }

    fn set_site(&mut self, condition: ConditionId, site: Option<Site>) {
        if self.sites.len() <= condition.index() {
            self.sites.resize(condition.index() + 1, None);
        }
        self.sites[condition.index()] = site;
    }

    /// The number that a condition of a location stands for.
    pub fn value(&self, condition: ConditionId) -> Option<i64> {
        self.values.get(condition.index()).copied().flatten()
    }

    /// What a condition of a location stands for, if it is a number or depends on inputs.
    pub fn reading(&self, condition: ConditionId) -> Option<Reading> {
        match (self.value(condition), self.terms.get(&condition)) {
            (Some(number), _) => Some(Reading { number, term: None }),
            (None, Some(&term)) => Some(Reading { number: 0, term: Some(term) }),
            (None, None) => None,
        }
    }
}

/// A place of the formula.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    Variable(Location, PlaceId),
    Process(Pid, PlaceId),
}

impl Subject {
    pub fn place(self) -> PlaceId {
        match self {
            Subject::Variable(_, place) | Subject::Process(_, place) => place,
        }
    }
}

/// Conditions chosen for some of the places, none where it is not decided.
pub(super) struct Chosen<'c> {
    pub program: &'c dyn Program,
    pub notes: &'c Notes,
    pub subjects: &'c [Subject],
    pub chosen: &'c [ConditionId],
}

impl Chosen<'_> {
    fn condition(&self, is_it: impl Fn(&Subject) -> bool) -> Option<ConditionId> {
        let condition = self.chosen.get(self.subjects.iter().position(is_it)?)?;
        condition.is_some().then_some(*condition)
    }
}

impl Knowledge for Chosen<'_> {
    fn value(&self, location: Location) -> Option<i64> {
        let is_it = |s: &Subject| matches!(s, Subject::Variable(l, _) if *l == location);
        self.notes.value(self.condition(is_it)?)
    }

    fn is_at(&self, process: Pid, spot: &Spot) -> Option<bool> {
        let is_it = |s: &Subject| matches!(s, Subject::Process(p, _) if *p == process);
        let condition = self.condition(is_it)?;
        let site = self.notes.sites.get(condition.index()).copied().flatten();
        Some(site.is_some_and(|site| spot.is(&self.program.place(site))))
    }
}

/// The state a run is in.
struct Actual<'r> {
    program: &'r dyn Program,
    run: &'r dyn Run,
}

impl Knowledge for Actual<'_> {
    fn value(&self, location: Location) -> Option<i64> {
        self.run.reading(location).map(|reading| reading.number)
    }

    fn is_at(&self, process: Pid, spot: &Spot) -> Option<bool> {
        let site = self.run.site(process);
        Some(site.is_some_and(|site| spot.is(&self.program.place(site))))
    }
}

/// A question to a finished net.
struct Reachability<'a, 'w> {
    unfolder: Unfolder<'a>,
    wanted: &'w Wanted,
    /// Why «no» cannot be said.
    reasons: Vec<Bound>,
}

impl<'a, 'w> Reachability<'a, 'w> {
    fn new(unfolder: Unfolder<'a>, wanted: &'w Wanted) -> Reachability<'a, 'w> {
        let mut reasons = Vec::new();
        for &location in &unfolder.notes.restless {
            let name = unfolder.search.program.location_name(location);
            reasons.push(Bound::Concretised(format!(
                "`{name}` changes in steps that do not count as writes to it"
            )));
        }
        Reachability { unfolder, wanted, reasons }
    }

    /// A state in which this part of the formula holds: its inputs and choices.
    fn look_for(&mut self, part: &Formula, method: Method) -> Option<Vec<Input>> {
        let net = &mut self.unfolder.unfolding.net;
        let mut subjects: Vec<Subject> = Vec::new();
        for process in part.processes() {
            subjects.push(Subject::Process(process, net.process_place(process)));
        }
        for location in part.locations() {
            subjects.push(Subject::Variable(location, net.location_place(location)));
        }
        if method != Method::Solver {
            let patience = if method == Method::Search { u64::MAX } else { PATIENCE };
            let mut coset = Coset::new(&self.unfolder, part, &subjects, patience);
            loop {
                match coset.next(&mut self.unfolder) {
                    CosetAnswer::Proposal(cut) => {
                        if let Some(found) = self.try_out(&cut) {
                            return Some(found);
                        }
                    }
                    CosetAnswer::NoMore => return None,
                    CosetAnswer::OutOfTime => return None,
                    CosetAnswer::OutOfPatience => break,
                }
            }
        }
        let mut encoding = Encoding::new(&self.unfolder, part, &subjects);
        loop {
            match encoding.next(&mut self.unfolder) {
                Ok(Some(cut)) => {
                    if let Some(found) = self.try_out(&cut) {
                        return Some(found);
                    }
                }
                Ok(None) => return None,
                Err(why) => {
                    self.reasons.push(Bound::Solver(why));
                    return None;
                }
            }
        }
    }

    /// Leads the run to a configuration. If the formula can hold there, the inputs for it.
    fn try_out(&mut self, cut: &[ConditionId]) -> Option<Vec<Input>> {
        let unfolder = &mut self.unfolder;
        let unfolding = &mut unfolder.unfolding;
        let schedule = unfolding.net.linearise(cut, &mut unfolding.scratch)?.to_vec();
        if unfolder.follow(&schedule) == Led::Nowhere {
            return None;
        }
        let formula = &self.wanted.formula;
        let actual = Actual { program: unfolder.search.program, run: &*unfolder.run };
        if formula.evaluate(&actual) == Some(true) {
            return Some(unfolder.run.inputs());
        }
        let at = |process, spot: &Spot| actual.is_at(process, spot).unwrap_or(false);
        let condition = symbolic::of_run(formula, &*unfolder.run, &at);
        match condition {
            Ok(None) => None,
            Ok(Some(condition)) => match unfolder.run.suppose(condition) {
                Feasible::Yes => Some(unfolder.run.inputs()),
                Feasible::No => None,
                Feasible::Unknown(why) => {
                    self.reasons.push(Bound::Solver(why));
                    None
                }
            },
            Err(location) => {
                let name = unfolder.search.program.location_name(location);
                let what = format!("in some state `{name}` does not hold a whole number");
                self.reasons.push(Bound::Concretised(what));
                None
            }
        }
    }

    /// The positions in the formula at which the process never stands.
    fn never(&self) -> Vec<Never> {
        let Unfolder { unfolding, notes, search, .. } = &self.unfolder;
        let mut never = Vec::new();
        for (process, spot) in self.wanted.formula.spots() {
            let place = unfolding.net.place_of(process);
            let own = |index: &usize| unfolding.net.conditions[*index].place == place;
            let sites = (0..notes.sites.len()).filter(own).filter_map(|index| notes.sites[index]);
            let sites: BTreeSet<Site> = sites.collect();
            let places: Vec<Place> = sites.iter().map(|&site| search.program.place(site)).collect();
            if !places.iter().any(|place| spot.is(place)) {
                let stands: BTreeSet<(String, u32)> =
                    places.into_iter().map(|place| (place.file, place.line)).collect();
                let stands = stands.into_iter().collect();
                never.push(Never { process, spot: spot.clone(), stands });
            }
        }
        never
    }

    /// The answer, confirmed on a fresh run.
    fn answer(self, found: Option<Vec<Input>>, explored: bool) -> (Reached, Exploration) {
        let Reachability { unfolder, wanted, mut reasons } = self;
        let program = unfolder.search.program;
        let choices = unfolder.trace.events().iter().map(|event| event.choice).collect();
        let finished = explored && !unfolder.search.stop;
        let left = (!finished).then(|| unfolder.search.remainder());
        let interrupt = unfolder.search.interrupt().clone();
        let mut result = unfolder.search.result(left);
        if let Some(inputs) = found {
            let failure = Failure {
                kind: FindingKind::Reached,
                name: wanted.text.clone(),
                message: wanted.text.clone(),
                sites: Vec::new(),
                waiting: Vec::new(),
                steps: 0,
            };
            let mut property: [Box<dyn Property>; 1] = [Box::new(wanted.clone())];
            let mut shortening = Shortening::default();
            let confirmed = evidence::confirm(
                program,
                &mut property,
                &failure,
                inputs,
                choices,
                &mut shortening,
                &interrupt,
            );
            match confirmed {
                Ok(finding) => return (Reached::Yes(Box::new(finding)), result),
                Err(error) => result.internal_errors.push(error),
            }
        }
        reasons.extend(result.bounds.iter().cloned());
        if !result.internal_errors.is_empty() {
            reasons.push(Bound::Stopped);
        }
        reasons.sort();
        reasons.dedup();
        match reasons.is_empty() {
            true => (Reached::No, result),
            false => (Reached::Unknown(reasons), result),
        }
    }
}

impl Unfolder<'_> {
    /// Notes the values of these locations from now on, and where processes stand.
    pub(super) fn watch(&mut self, locations: &[Location]) {
        let mut notes = Notes { locations: locations.to_vec(), ..Notes::default() };
        for &location in locations {
            let place = self.unfolding.net.location_place(location);
            notes.set_value(self.unfolding.net.root(place), self.run.reading(location));
        }
        let main = self.unfolding.net.process_place(Pid::MAIN);
        notes.set_site(self.unfolding.net.root(main), self.run.site(Pid::MAIN));
        self.notes = notes;
        self.watching = true;
    }

    /// Notes what the event just covered has shown.
    pub(super) fn note(&mut self, event: EventId) {
        let net = &self.unfolding.net;
        let known = net.event(event);
        if let Some(condition) = self.trace.events().last().and_then(|event| event.condition) {
            self.notes.branches.insert(event, condition);
        }
        self.notes.set_site(known.after, self.run.site(known.process));
        if known.child.is_some() {
            let child = net.station(known.child).process;
            self.notes.set_site(known.child, self.run.site(child));
        }
        for index in 0..self.notes.locations.len() {
            let location = self.notes.locations[index];
            let place = net.place_at(location);
            let holds = cut::at(&self.unfolding.marking.cut, place);
            let holds = if holds.is_some() { holds } else { net.root(place) };
            let value = self.run.reading(location);
            if net.condition(holds).producer == event {
                self.notes.set_value(holds, value);
            } else if self.notes.value(holds) != plain(value)
                && !self.notes.restless.contains(&location)
            {
                self.notes.restless.push(location);
            }
        }
    }
}

/// The number that a value is whatever the inputs.
fn plain(value: Option<Reading>) -> Option<i64> {
    value.filter(|reading| reading.term.is_none()).map(|reading| reading.number)
}
