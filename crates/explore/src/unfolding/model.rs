//! The Petri-net model of what test executions have shown (chapter 7.2).
//!
//! **Problem.** Different orders of dependent operations often lead to the same state: two critical
//! sections that touch different things, two writes of which only the last is ever read. An occurrence
//! net keeps them apart for ever.
//!
//! **Idea.** Places of the model, here *labels*, stand for abstract states. A label of a process is
//! the label before, the alternative taken, and the labels of the values looked at (figure 7.2): a
//! write leads to the same label whatever it overwrites, a read to one label per value. A label of a
//! variable names the write that made its value: the label of the writer after it. A lock is free or
//! held. Equal labels mean equal states, since a label holds all that could have influenced the state.
//!
//! A *transition* is recorded when a step is first seen: what it touches and where it leads. From then
//! on the same step elsewhere is predicted and need not be executed.
//!
//! Operations beyond the thesis whose new value depends on the old one (atomic updates, wait sets,
//! semaphores) look at the value they replace, so that labels stay sound and merge less.
//!
//! **Invariant.** Every label of a process that is in the model was reached by some execution, which
//! checked the failures on the way; its next operation is known.
//!
//! **Cost.** A few words per label and transition; no values and no solver.

use counterpoint_model::{Footprint, Mode, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::net::{ConditionId, Net, PlaceId, Station};
use super::operation::{Guard, Want};

/// An abstract state of a process, variable or lock.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Label(pub u32);

/// How a label comes about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Origin {
    /// What a place is at first; for a lock, free.
    Initial(PlaceId),
    /// A lock that somebody holds.
    Held(PlaceId),
    /// A process after a step.
    Step(StepKey),
    /// What a step has written to a place.
    Written(Label, PlaceId),
    /// A process that a step has started.
    Child(Label),
}

/// A step as the model knows it: the label before, the alternative, the labels it looks at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct StepKey {
    pub before: Label,
    pub alternative: u32,
    pub seen: SmallVec<[Label; 2]>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub footprint: Footprint,
    /// The part of the footprint that starting a process implies.
    pub foreseen: Footprint,
    /// How many alternatives there were.
    pub alternatives: u32,
    pub after: Label,
}

/// The model.
#[derive(Default)]
pub(super) struct Model {
    labels: FxHashMap<Origin, Label>,
    transitions: FxHashMap<StepKey, Transition>,
    /// Steps that were found impossible on what they look at.
    blocked: FxHashSet<StepKey>,
    /// Per label of a process what it does next.
    stations: FxHashMap<Label, Station>,
}

impl Model {
    /// The label of a place in the initial marking.
    pub fn initial(&mut self, place: PlaceId) -> Label {
        self.label(Origin::Initial(place))
    }

    /// The label a step leaves its process at.
    pub fn after(&mut self, key: &StepKey) -> Label {
        self.label(Origin::Step(key.clone()))
    }

    /// The label of the process that a step has started.
    pub fn child(&mut self, after: Label) -> Label {
        self.label(Origin::Child(after))
    }

    /// The label of a lock that is held.
    pub fn held(&mut self, lock: PlaceId) -> Label {
        self.label(Origin::Held(lock))
    }

    /// The label that an access leaves a place at, if it changes it.
    pub fn made(&mut self, after: Label, place: PlaceId, mode: Mode) -> Option<Label> {
        Some(match mode {
            Mode::Read | Mode::Await => return None,
            Mode::Acquire => self.held(place),
            Mode::Release => self.label(Origin::Initial(place)),
            Mode::Write => self.label(Origin::Written(after, place)),
        })
    }

    pub fn transition(&self, key: &StepKey) -> Option<&Transition> {
        self.transitions.get(key)
    }

    pub fn learn(&mut self, key: StepKey, transition: Transition) {
        self.transitions.entry(key).or_insert(transition);
    }

    pub fn learn_blocked(&mut self, key: StepKey) {
        self.blocked.insert(key);
    }

    pub fn is_blocked(&self, key: &StepKey) -> bool {
        self.blocked.contains(key)
    }

    pub fn station(&self, label: Label) -> Option<&Station> {
        self.stations.get(&label)
    }

    /// Keeps what a process does from a label on.
    pub fn keep_station(&mut self, label: Label, station: Station) {
        self.stations.entry(label).or_insert(station);
    }

    fn label(&mut self, origin: Origin) -> Label {
        let next = Label(u32::try_from(self.labels.len()).expect("fewer than 2^32 labels"));
        *self.labels.entry(origin).or_insert(next)
    }
}

/// Whether a step's outcome depends on the label of a wanted place.
pub(super) fn looks_at(op: Option<Op>, want: &Want) -> bool {
    let depends = matches!(
        op,
        Some(Op::Update(_) | Op::Wait { .. } | Op::Notify { .. } | Op::Synchronise(_))
    );
    !want.takes || depends || want.guard == Guard::Trial
}

/// The labels of the conditions of a net that unfolds the model.
#[derive(Default)]
pub(super) struct Labels(Vec<Option<Label>>);

impl Labels {
    pub fn set(&mut self, condition: ConditionId, label: Label) {
        if self.0.len() <= condition.index() {
            self.0.resize(condition.index() + 1, None);
        }
        self.0[condition.index()] = Some(label);
    }

    /// The label of a condition; conditions that nothing made have the initial one.
    pub fn of(&self, net: &Net, model: &mut Model, condition: ConditionId) -> Label {
        let known = self.0.get(condition.index()).copied().flatten();
        known.unwrap_or_else(|| model.initial(net.condition(condition).place))
    }
}
