//! The markings of a net as constraints for a solver (chapter 6.2).
//!
//! **Problem.** Among all configurations of a net, find one that leaves conditions which satisfy a
//! formula. The thesis encodes the whole net and found the answers slow to come.
//!
//! **Idea.** A Boolean per event says that it has happened:
//!
//! | constraint | says |
//! |---|---|
//! | B1, C1 | an event's causes have happened, those of what it reads included |
//! | B2 | the constraint of its branch holds |
//! | B3 | of the events that take a condition at most one happens, by a ladder of linear size |
//! | B4 | a condition is left if its producer has happened and nobody has taken it |
//! | C2, C3 | an order of events in which reads come before what takes the value |
//! | S1 | a variable has the value of the condition that is left |
//! | locations | a process is at a line if one of the conditions there is left |
//!
//! **How we differ.** The net is *sliced*: per place of the formula only conditions remain whose value
//! does not refute it by itself, and only the events of their pasts are encoded; what comes after is
//! needed by nobody. Copies of variables are not stored in our regular nets; the ladder of a copy is
//! rebuilt from the reads that writes come after. The order of C2 and C3 is given by difference
//! constraints, and only where a cycle is possible at all: within a strongly connected component of
//! causality and asymmetric conflict. Instead of one C3 per read and taker there is a number per
//! condition, the time at which it is taken, so the constraints stay linear. Conditions with equal
//! values share one S1. The solver keeps what it has learnt from one proposal to the next.
//!
//! **Invariant.** A solution is a configuration; every configuration that leaves candidates which
//! satisfy the formula is a solution.
//!
//! **Cost.** Linear in the slice, and then what the solver takes.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use counterpoint_model::{Location, Pid, Program};
use counterpoint_symbolic::{Answer, GrowingZ3, Model, Session, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;

use super::components::components;
use super::coset::followers;
use super::execute::Unfolder;
use super::formula::{Formula, Spot};
use super::net::{ConditionId, Effect, EventId, Net, PlaceId};
use super::reach::{Chosen, Notes, Subject};
use super::symbolic::{self, Atoms};

/// How long one question to the solver may take.
const TIME: Duration = Duration::from_secs(60);

/// A formula over a slice of a net, in the solver.
pub(super) struct Encoding {
    terms: Rc<Terms>,
    session: Session,
    /// Per place of the formula the conditions that can matter, each with its term.
    candidates: Vec<Vec<(ConditionId, Term)>>,
    /// Whether there is nothing to ask any more.
    hopeless: bool,
}

impl Encoding {
    pub fn new(unfolder: &Unfolder<'_>, formula: &Formula, subjects: &[Subject]) -> Encoding {
        let terms = unfolder.run.terms().unwrap_or_else(Terms::new);
        let session = Session::new(Rc::clone(&terms), GrowingZ3::new(TIME));
        let mut encoding = Encoding { terms, session, candidates: Vec::new(), hopeless: false };
        let kept = candidates(unfolder, formula, subjects);
        encoding.hopeless = kept.iter().any(Vec::is_empty);
        if !encoding.hopeless {
            let net = &unfolder.unfolding.net;
            let terms = Rc::clone(&encoding.terms);
            let mut writer = Writer::new(net, terms, &mut encoding.session);
            writer.write(kept.iter().flatten().copied(), &unfolder.notes);
            let left: Vec<Vec<(ConditionId, Term)>> = kept
                .iter()
                .map(|place| place.iter().map(|&c| (c, writer.left(c))).collect())
                .collect();
            encoding.candidates = left;
            encoding.require(unfolder, formula, subjects);
        }
        encoding
    }

    /// The cut of the next configuration that may satisfy the formula, or why the solver gave up.
    /// What was proposed before is not proposed again.
    pub fn next(
        &mut self,
        unfolder: &mut Unfolder<'_>,
    ) -> Result<Option<Vec<ConditionId>>, String> {
        if self.hopeless {
            return Ok(None);
        }
        let model = match self.session.check() {
            Answer::Sat(model) => model,
            Answer::Unsat => return Ok(None),
            Answer::Unknown(why) => return Err(why),
        };
        let holds =
            |term: Term, model: &Model| self.terms.evaluate(term, model) == Value::Bool(true);
        let mut chosen = Vec::new();
        let mut cut = Vec::new();
        let net = &unfolder.unfolding.net;
        for place in &self.candidates {
            let left = place.iter().find(|(_, term)| holds(*term, &model));
            let &(condition, term) = left.expect("a candidate is left at every place");
            net.unite(&mut cut, net.past(condition));
            chosen.push(term);
        }
        let again = self.terms.not(self.terms.all(chosen));
        self.session.add(again);
        Ok(Some(cut))
    }

    /// S1 and the formula.
    fn require(&mut self, unfolder: &Unfolder<'_>, formula: &Formula, subjects: &[Subject]) {
        let mut atoms = Markings {
            encoding: self,
            program: unfolder.search.program,
            notes: &unfolder.notes,
            subjects,
            values: FxHashMap::default(),
        };
        let formula = symbolic::translate(&Rc::clone(&atoms.encoding.terms), formula, &mut atoms);
        // A value that is no number leaves the formula open; the replay decides.
        if let Ok(formula) = formula {
            self.session.add(formula);
        }
        for index in 0..self.candidates.len() {
            let left = self.candidates[index].iter().map(|(_, term)| *term).collect();
            let some = either(&self.terms, left);
            self.session.add(some);
        }
    }
}

/// Per place the conditions whose own value does not refute the formula.
fn candidates(
    unfolder: &Unfolder<'_>,
    formula: &Formula,
    subjects: &[Subject],
) -> Vec<Vec<ConditionId>> {
    let net = &unfolder.unfolding.net;
    let mut kept = vec![Vec::new(); subjects.len()];
    let place_of: BTreeMap<PlaceId, usize> =
        subjects.iter().enumerate().map(|(index, subject)| (subject.place(), index)).collect();
    for (number, condition) in net.conditions.iter().enumerate() {
        let Some(&index) = place_of.get(&condition.place) else { continue };
        let own = ConditionId(u32::try_from(number).expect("a condition's number"));
        let mut chosen = vec![ConditionId::NONE; subjects.len()];
        chosen[index] = own;
        let known = Chosen {
            program: unfolder.search.program,
            notes: &unfolder.notes,
            subjects,
            chosen: &chosen,
        };
        if formula.evaluate(&known) != Some(false) {
            kept[index].push(own);
        }
    }
    kept
}

/// The formula's atoms over the conditions that are left.
struct Markings<'e> {
    encoding: &'e mut Encoding,
    program: &'e dyn Program,
    notes: &'e Notes,
    subjects: &'e [Subject],
    values: FxHashMap<Location, Term>,
}

impl Markings<'_> {
    fn candidates(&self, is_it: impl Fn(&Subject) -> bool) -> &[(ConditionId, Term)] {
        let index = self.subjects.iter().position(is_it).expect("a place of the formula");
        &self.encoding.candidates[index]
    }
}

impl Atoms for Markings<'_> {
    fn value(&mut self, location: Location) -> Result<Term, Location> {
        if let Some(term) = self.values.get(&location) {
            return Ok(*term);
        }
        let terms = Rc::clone(&self.encoding.terms);
        let variable = terms.input(&format!("value of place {}", location.0), Sort::Bits(64));
        let mut by_value: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
        let notes = self.notes;
        let is_it = |s: &Subject| matches!(s, Subject::Variable(l, _) if *l == location);
        for &(condition, left) in self.candidates(is_it) {
            let reading = notes.reading(condition).ok_or(location)?;
            by_value.entry(symbolic::widen(&terms, reading)).or_default().push(left);
        }
        for (value, left) in by_value {
            let some = either(&terms, left);
            self.encoding.session.add(terms.implies(some, terms.eq(variable, value)));
        }
        self.values.insert(location, variable);
        Ok(variable)
    }

    fn is_at(&mut self, process: Pid, spot: &Spot) -> Term {
        let (program, sites) = (self.program, &self.notes.sites);
        let there = |condition: ConditionId| {
            let site = sites.get(condition.index()).copied().flatten();
            site.is_some_and(|site| spot.is(&program.place(site)))
        };
        let is_it = |s: &Subject| matches!(s, Subject::Process(p, _) if *p == process);
        let left = self.candidates(is_it).iter().filter(|(condition, _)| there(*condition));
        let left = left.map(|(_, term)| *term).collect();
        either(&self.encoding.terms, left)
    }
}

/// Writes the constraints of a slice.
pub(super) struct Writer<'n> {
    net: &'n Net,
    terms: Rc<Terms>,
    session: &'n mut Session,
    followers: Vec<Vec<ConditionId>>,
    /// The events of the slice, in the order of their insertion, with their Booleans.
    events: Vec<EventId>,
    happened: FxHashMap<EventId, Term>,
    ladders: u32,
}

impl<'n> Writer<'n> {
    pub fn new(net: &'n Net, terms: Rc<Terms>, session: &'n mut Session) -> Writer<'n> {
        Writer {
            net,
            terms,
            session,
            followers: followers(net),
            events: Vec::new(),
            happened: FxHashMap::default(),
            ladders: 0,
        }
    }

    /// The constraints of the pasts of these conditions.
    pub fn write(&mut self, conditions: impl Iterator<Item = ConditionId>, notes: &Notes) {
        self.slice(conditions);
        self.causality(notes);
        self.conflicts();
        if self.net.contextual {
            self.order();
        }
    }

    /// Takes in the pasts of these conditions.
    fn slice(&mut self, conditions: impl Iterator<Item = ConditionId>) {
        let mut open: Vec<EventId> = conditions.map(|c| self.net.condition(c).producer).collect();
        while let Some(event) = open.pop() {
            if !event.is_some() || self.happened.contains_key(&event) {
                continue;
            }
            let name = format!("event {}", event.0);
            self.happened.insert(event, self.terms.input(&name, Sort::Bool));
            self.events.push(event);
            open.extend(causes(self.net, event));
        }
        self.events.sort_unstable_by_key(|&event| self.net.event(event).number);
    }

    /// B1, B2 and C1.
    fn causality(&mut self, notes: &Notes) {
        for &event in &self.events {
            let own = self.happened[&event];
            for cause in causes(self.net, event).filter(|cause| cause.is_some()) {
                self.session.add(self.terms.implies(own, self.happened[&cause]));
            }
            if let Some(&condition) = notes.branches.get(&event) {
                self.session.add(self.terms.implies(own, condition));
            }
        }
    }

    /// B3, for conditions of processes and locations and for the copies of a regular net.
    fn conflicts(&mut self) {
        let mut takers: BTreeMap<ConditionId, Vec<Term>> = BTreeMap::new();
        // In a regular net: a copy of a value, as the last reads by a process have left it.
        let mut copies: BTreeMap<(ConditionId, Pid, EventId), Vec<Term>> = BTreeMap::new();
        for &event in &self.events {
            let own = self.happened[&event];
            let known = self.net.event(event);
            takers.entry(known.before).or_default().push(own);
            for touch in self.net.touches(event) {
                match touch.effect {
                    Effect::Makes(_) => takers.entry(touch.condition).or_default().push(own),
                    Effect::Reads if !self.net.contextual => {
                        let last = self.last_read(event, touch.condition);
                        copies.entry((touch.condition, known.process, last)).or_default().push(own);
                    }
                    Effect::Reads | Effect::Awaits => {}
                }
            }
        }
        if !self.net.contextual {
            self.add_writers(&mut copies);
        }
        for rivals in takers.into_values().chain(copies.into_values()) {
            self.at_most_one(&rivals);
        }
    }

    /// Adds to each copy the events that take the value after just those reads.
    fn add_writers(&self, copies: &mut BTreeMap<(ConditionId, Pid, EventId), Vec<Term>>) {
        let mut readers: BTreeMap<ConditionId, Vec<Pid>> = BTreeMap::new();
        for (condition, process, _) in copies.keys() {
            let known = readers.entry(*condition).or_default();
            if !known.contains(process) {
                known.push(*process);
            }
        }
        for &event in &self.events {
            let own = self.net.event(event).process;
            for touch in self.net.touches(event) {
                let Effect::Makes(_) = touch.effect else { continue };
                let others = readers.get(&touch.condition).into_iter().flatten();
                for &process in others.filter(|&&process| process != own) {
                    let is_last = |read: &EventId| {
                        let of_it = |t: &super::net::Touch| {
                            t.condition == touch.condition && t.effect == Effect::Reads
                        };
                        self.net.event(*read).process == process
                            && self.net.touches(*read).iter().any(of_it)
                    };
                    let last = self.net.after_reads(event).find(is_last);
                    let key = (touch.condition, process, last.unwrap_or(EventId::NONE));
                    copies.entry(key).or_default().push(self.happened[&event]);
                }
            }
        }
    }

    /// The read of a condition by the same process that comes before an event.
    fn last_read(&self, event: EventId, condition: ConditionId) -> EventId {
        let mut reader = self.net.condition(self.net.event(event).before).last_reader;
        while reader.is_some() {
            let here = self.net.condition(reader);
            let reads =
                |t: &super::net::Touch| t.condition == condition && t.effect == Effect::Reads;
            if self.net.touches(here.producer).iter().any(reads) {
                return here.producer;
            }
            reader = self.net.condition(self.net.parent(reader)).last_reader;
        }
        EventId::NONE
    }

    fn at_most_one(&mut self, rivals: &[Term]) {
        let Some((&last, others)) = rivals.split_last() else { return };
        let mut taken: Option<Term> = None;
        for &rival in others {
            self.ladders += 1;
            let step = self.terms.input(&format!("rung {}", self.ladders), Sort::Bool);
            self.session.add(self.terms.implies(rival, step));
            if let Some(taken) = taken {
                self.session.add(self.terms.implies(taken, step));
                self.session.add(self.terms.not(self.terms.and(taken, rival)));
            }
            taken = Some(step);
        }
        if let Some(taken) = taken {
            self.session.add(self.terms.not(self.terms.and(taken, last)));
        }
    }

    /// C2 and C3 where a cycle is possible.
    fn order(&mut self) {
        let mut nodes: Vec<OrderedItem> =
            self.events.iter().map(|&event| OrderedItem::Event(event)).collect();
        let mut number: FxHashMap<OrderedItem, usize> = FxHashMap::default();
        let mut edges: Vec<(usize, usize, EventId)> = Vec::new();
        for (index, &node) in nodes.iter().enumerate() {
            number.insert(node, index);
        }
        let taken_at = |condition,
                        nodes: &mut Vec<OrderedItem>,
                        number: &mut FxHashMap<OrderedItem, usize>| {
            let node = OrderedItem::Taken(condition);
            *number.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        for &event in &self.events {
            let own = number[&OrderedItem::Event(event)];
            for cause in causes(self.net, event).filter(|cause| cause.is_some()) {
                edges.push((number[&OrderedItem::Event(cause)], own, event));
            }
            for touch in self.net.touches(event) {
                match touch.effect {
                    Effect::Reads => {
                        let taken = taken_at(touch.condition, &mut nodes, &mut number);
                        edges.push((own, taken, event));
                    }
                    Effect::Makes(_) => {
                        let taken = taken_at(touch.condition, &mut nodes, &mut number);
                        edges.push((taken, own, event));
                    }
                    Effect::Awaits => {}
                }
            }
        }
        let plain: Vec<(usize, usize)> = edges.iter().map(|&(from, to, _)| (from, to)).collect();
        let component = components(nodes.len(), &plain);
        let time = |index: usize| self.terms.input(&format!("time {index}"), Sort::Int);
        for &(from, to, event) in edges.iter().filter(|e| component[e.0] == component[e.1]) {
            let earlier = self.terms.int_lt(time(from), time(to));
            self.session.add(self.terms.implies(self.happened[&event], earlier));
        }
    }

    /// B4.
    pub fn left(&self, condition: ConditionId) -> Term {
        let producer = self.net.condition(condition).producer;
        let made = match producer.is_some() {
            true => self.happened[&producer],
            false => self.terms.bool(true),
        };
        let takers = self.followers[condition.index()].iter();
        let takers = takers
            .filter_map(|&next| self.happened.get(&self.net.condition(next).producer).copied());
        self.terms.and(made, self.terms.not(either(&self.terms, takers.collect())))
    }
}

/// What has a place in the order.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum OrderedItem {
    Event(EventId),
    /// The moment at which a condition is taken.
    Taken(ConditionId),
}

/// The direct causes of an event, none among them for what was there from the start.
fn causes(net: &Net, event: EventId) -> impl Iterator<Item = EventId> + '_ {
    let before = net.condition(net.event(event).before).producer;
    let touched = net.touches(event).iter().map(|touch| net.condition(touch.condition).producer);
    std::iter::once(before).chain(touched).chain(net.after_reads(event))
}

/// One of many, as a tree that is not deep.
pub(super) fn either(terms: &Terms, mut parts: Vec<Term>) -> Term {
    while parts.len() > 1 {
        parts = parts.chunks(2).map(|pair| terms.any(pair.iter().copied())).collect();
    }
    parts.pop().unwrap_or_else(|| terms.bool(false))
}
