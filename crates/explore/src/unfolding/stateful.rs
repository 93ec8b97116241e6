//! The unfolding with cut-offs over a captured model (chapter 7.4).
//!
//! **Problem.** The unfoldings of chapters 3 and 5 distinguish every order of dependent operations,
//! also where the orders lead to the same state.
//!
//! **Idea** (figure 7.6). The net unfolds the [`model`](super::model) that executions have built so
//! far instead of the program. Its events are added in an adequate order ([`order`](super::order)). An
//! event whose step the model knows is added without executing anything; only for an unknown step is
//! a test execution led there, which then runs on, teaching the model every step it takes. An event
//! whose past leads to a marking that an earlier event's past led to is *terminal*: nothing is added
//! after it.
//!
//! The net is the regular one of chapter 3: with read arcs, an event has several histories, and a
//! cut-off would have to consider them all.
//!
//! **Invariant.** Each label of a process that occurs in the net was visited by an execution. The
//! net without terminal events is a complete prefix, so every reachable marking of the model is in it
//! and deadlocks can be looked for in it as in the other unfoldings, now and then while it grows and when it is finished:
//! a step that nobody has taken is taken when what was found is replayed.
//!
//! **Path constraints.** A predicted event may be infeasible, as its constraint is not solved. That
//! is harmless: equal markings have equal branches behind them, so an infeasible event cuts off
//! nothing feasible, and an execution led to it fails.
//!
//! **Cost.** Executions: at most the labels of processes. Memory: the prefix and its markings.

use counterpoint_model::{Bound, Choice, Footprint, Next, Op, Pid};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::coarsen::{UnwantedTouches, child_cell};
use super::execute::{CLOCK, FIRST_GLANCE, Led, Unfolder, ending, has_tasks};
use super::model::{Label, Labels, Model, StepKey, Transition, looks_at};
use super::net::{ConditionId, Effect, EventId, EventStatus, PlaceId, Touch};
use super::operation::{self, Guard};
use super::order::{Buckets, CausalPast};
use crate::optimal;
use crate::property::Ending;
use crate::search::{Assignment, Exploration};

/// Explores by the unfolding of a model with cut-offs.
pub fn stateful(mut assignment: Assignment<'_>) -> Exploration {
    if has_tasks(&mut assignment) {
        return optimal::instead(assignment);
    }
    let mut stateful = Stateful::new(assignment);
    stateful.unfolder.search.overlooks_races();
    stateful.unfolder.next_glance = FIRST_GLANCE;
    loop {
        stateful.unfold();
        if !stateful.unfolder.search.stop {
            stateful.unfolder.find_deadlocks();
        }
        if stateful.unfolder.search.stop || !stateful.restart() {
            break;
        }
    }
    let mut unfolder = stateful.unfolder;
    unfolder.search.caught_up(stateful.events);
    unfolder.search.count_events(stateful.events);
    let left = unfolder.remainder(!(stateful.buckets.is_empty() && unfolder.searched));
    unfolder.search.result(left)
}

/// The exploration in progress.
pub(super) struct Stateful<'a> {
    pub(super) unfolder: Unfolder<'a>,
    pub(super) model: Model,
    labels: Labels,
    /// The labels of the places in the present execution; none where they are initial.
    pub(super) here: Vec<Option<Label>>,
    /// The markings that events lead to.
    visited: FxHashSet<Vec<Label>>,
    /// Numbers of the model's transitions, for the order.
    transitions: FxHashMap<(StepKey, Vec<Label>), u32>,
    /// Per event its level and transition, once added.
    history: Vec<(u32, u32)>,
    buckets: Buckets,
    /// Events of the prefix, terminal ones included.
    events: u64,
    /// Whether the present execution looks at processes in the opposite order.
    turned: bool,
    /// For a search that builds no net: who touches what.
    pub(super) unwanted_touches: Option<UnwantedTouches>,
}

impl<'a> Stateful<'a> {
    pub(super) fn new(assignment: Assignment<'a>) -> Stateful<'a> {
        let mut unfolder = Unfolder::new(assignment, false);
        unfolder.unfolding.net.captures = true;
        Stateful {
            unfolder,
            model: Model::default(),
            labels: Labels::default(),
            here: Vec::new(),
            visited: FxHashSet::default(),
            transitions: FxHashMap::default(),
            history: Vec::new(),
            buckets: Buckets::default(),
            events: 0,
            turned: false,
            unwanted_touches: None,
        }
    }

    /// Builds the prefix, as far as the limits allow.
    pub(super) fn unfold(&mut self) {
        self.begin();
        self.work_off();
    }

    /// Forgets the model if the net was found to tell too much apart. Says whether it was.
    pub(super) fn restart(&mut self) -> bool {
        if !self.unfolder.restart_empty() {
            return false;
        }
        self.model = Model::default();
        self.labels = Labels::default();
        self.here.clear();
        self.visited.clear();
        self.transitions.clear();
        self.history.clear();
        self.buckets = Buckets::default();
        self.events = 0;
        self.turned = false;
        self.unwanted_touches = self.unwanted_touches.take().map(|_| UnwantedTouches::default());
        true
    }

    /// Teaches the model what the main process does first.
    pub(super) fn meet_main(&mut self) {
        self.unfolder.begin();
        let root = self.unfolder.unfolding.thread(Pid::MAIN);
        let place = self.unfolder.unfolding.net.condition(root).place;
        let label = self.model.initial(place);
        self.labels.set(root, label);
        let station = self.unfolder.unfolding.net.station(root).clone();
        self.model.keep_station(label, station);
    }

    fn begin(&mut self) {
        self.meet_main();
        self.visited.insert(Vec::new());
        self.collect_extensions();
        if self.buckets.is_empty() {
            self.run_on();
        }
    }

    fn work_off(&mut self) {
        let mut processed: u64 = 0;
        while let Some(mut bucket) = self.buckets.next() {
            for &event in &bucket {
                self.learn_alternatives(event);
            }
            bucket.extend(self.buckets.rest());
            let mut pasts: Vec<CausalPast> = bucket.iter().map(|&event| self.past(event)).collect();
            pasts.sort_by(CausalPast::compare);
            for (index, past) in pasts.iter().enumerate() {
                processed += 1;
                if processed.is_multiple_of(1024) {
                    self.unfolder.search.is_out_of_time();
                }
                self.unfolder.search.caught_up(self.events);
                if self.unfolder.search.stop {
                    for past in &pasts[index..] {
                        self.buckets.put_back(past.event);
                    }
                    return;
                }
                self.add(past.event);
                self.unfolder.glance_if_due(processed);
                if self.unfolder.unfolding.net.coarsening.has_grown() {
                    return;
                }
            }
        }
    }

    /// Adds one extension to the prefix, executing its step if the model does not know it.
    fn add(&mut self, event: EventId) {
        if self.unfolder.unfolding.net.event(event).status != EventStatus::Extension {
            return;
        }
        let key = self.step_of(event);
        if self.model.transition(&key).is_none() && !self.model.is_blocked(&key) {
            self.execute(event);
        }
        let Some(transition) = self.model.transition(&key).cloned() else {
            let net = &mut self.unfolder.unfolding.net;
            if self.model.is_blocked(&key) {
                net.block(event);
            } else {
                net.events[event.index()].status = EventStatus::Dropped;
            }
            return;
        };
        let event = self.unfolder.unfolding.resolve(event, &transition.footprint);
        let status = self.unfolder.unfolding.net.event(event).status;
        if status != EventStatus::Extension {
            return;
        }
        self.events += 1;
        if !self.is_new_marking(event, &transition) {
            self.unfolder.unfolding.net.events[event.index()].status = EventStatus::Terminal;
            return;
        }
        let own = self.numbered(event);
        let unfolding = &mut self.unfolder.unfolding;
        let touches = unfolding.insert(event, &transition.footprint, &transition.foreseen);
        self.label(event, &transition, &touches);
        self.note(event, own);
        self.unfolder.mind_order(event);
        self.unfolder.unfolding.extend(event, &touches);
        self.collect_extensions();
    }

    /// Proposes the alternatives of an extension that show only when it is executed. They are as
    /// large as itself, and must be there before its bucket is sorted.
    fn learn_alternatives(&mut self, event: EventId) {
        let net = &self.unfolder.unfolding.net;
        let op = net.station(net.event(event).before).op;
        if !op.is_some_and(operation::finds_alternatives) || self.unfolder.search.stop {
            return;
        }
        let key = self.step_of(event);
        if self.model.transition(&key).is_none() && !self.model.is_blocked(&key) {
            self.execute(event);
        }
        let known = op.map_or(1, operation::alternatives);
        let count = self.model.transition(&key).map_or(1, |transition| transition.alternatives);
        if count > known {
            self.unfolder.unfolding.propose_siblings(event, count);
            self.collect_extensions();
        }
    }

    /// The step of an extension in terms of the model.
    fn step_of(&mut self, event: EventId) -> StepKey {
        let net = &self.unfolder.unfolding.net;
        let (before, alternative) = (net.event(event).before, net.event(event).alternative);
        let station = net.station(before);
        let mut seen = SmallVec::new();
        for (want, condition) in station.wants.iter().zip(net.chosen(event)) {
            if looks_at(station.op, want) {
                seen.push(self.labels.of(net, &mut self.model, condition));
            }
        }
        let before = self.labels.of(net, &mut self.model, before);
        StepKey { before, alternative, seen }
    }

    /// Labels the conditions of a new event and says what its processes do next.
    fn label(&mut self, event: EventId, transition: &Transition, touches: &[Touch]) {
        let unfolding = &mut self.unfolder.unfolding;
        let (after, child) = (unfolding.net.event(event).after, unfolding.net.event(event).child);
        for touch in touches {
            let Effect::Makes(made) = touch.effect else { continue };
            let place = unfolding.net.condition(made).place;
            let access = transition.footprint.iter().find(|access| {
                unfolding.net.place_at(access.location) == place && !access.mode.is_shared()
            });
            let label = access.and_then(|a| self.model.made(transition.after, place, a.mode));
            if let Some(label) = label {
                self.labels.set(made, label);
            }
        }
        self.labels.set(after, transition.after);
        let mut processes = vec![(after, transition.after)];
        if child.is_some() {
            let label = self.model.child(transition.after);
            self.labels.set(child, label);
            processes.push((child, label));
        }
        for (condition, label) in processes {
            if let Some(station) = self.model.station(label) {
                unfolding.net.stand_at(condition, station.clone());
            }
        }
    }

    /// Whether the event's past and itself lead to a marking that no earlier event leads to.
    fn is_new_marking(&mut self, event: EventId, transition: &Transition) -> bool {
        let unfolding = &mut self.unfolder.unfolding;
        unfolding.gather_past(event);
        let net = &unfolding.net;
        let mut marking: Vec<Label> = Vec::with_capacity(unfolding.cut.len() + 2);
        for &condition in &unfolding.cut {
            marking.push(if condition.is_some() {
                self.labels.of(net, &mut self.model, condition)
            } else {
                self.model.initial(PlaceId(u32::try_from(marking.len()).expect("a place")))
            });
        }
        let mut changes: SmallVec<[(PlaceId, Label); 4]> = SmallVec::new();
        let process = net.condition(net.event(event).before).place;
        changes.push((process, transition.after));
        for access in &transition.footprint {
            if transition.foreseen.contains(access) {
                continue;
            }
            let place = net.place_at(access.location);
            if let Some(label) = self.model.made(transition.after, place, access.mode) {
                changes.push((place, label));
            }
        }
        if let Some(Op::Start(child)) = net.station(net.event(event).before).op {
            let label = self.model.child(transition.after);
            changes.push((net.place_of(child), label));
        }
        for (place, label) in changes {
            while marking.len() <= place.index() {
                let next = PlaceId(u32::try_from(marking.len()).expect("a place"));
                marking.push(self.model.initial(next));
            }
            marking[place.index()] = label;
        }
        // Places at their initial labels beyond the last change do not distinguish markings.
        while let Some(&last) = marking.last() {
            let place = PlaceId(u32::try_from(marking.len() - 1).expect("a place"));
            if last != self.model.initial(place) {
                break;
            }
            marking.pop();
        }
        self.visited.insert(marking)
    }

    /// Leads an execution to an event whose step is unknown, and on from there.
    fn execute(&mut self, event: EventId) {
        let mut schedule = Vec::new();
        let ordered = self.unfolder.unfolding.schedule_to(event, &[], &mut schedule);
        debug_assert!(ordered, "only extensions on concurrent conditions are proposed");
        if !ordered || self.unfolder.follow(&schedule) == Led::Nowhere {
            self.unfolder.search.abandoned(&self.unfolder.trace);
            return;
        }
        self.look_around();
        let known = self.unfolder.unfolding.net.event(event);
        let choice = Choice { process: known.process, alternative: known.alternative };
        if !self.unfolder.run.next(choice.process).is_ready() {
            let key = self.step_of(event);
            self.model.learn_blocked(key);
            self.unfolder.search.abandoned(&self.unfolder.trace);
            return;
        }
        let op = self.unfolder.unfolding.net.station(known.before).op;
        if op == Some(Op::Branch) && !self.unfolder.is_feasible(choice) {
            self.unfolder.search.abandoned(&self.unfolder.trace);
            return;
        }
        self.take(choice);
        self.run_on();
    }

    /// The labels of the marking that the execution has been led to.
    fn look_around(&mut self) {
        self.here.clear();
        let unfolding = &self.unfolder.unfolding;
        for &condition in &unfolding.marking.cut {
            let label = condition
                .is_some()
                .then(|| self.labels.of(&unfolding.net, &mut self.model, condition));
            self.here.push(label);
        }
    }

    pub(super) fn label_at(&mut self, place: PlaceId) -> Label {
        let known = self.here.get(place.index()).copied().flatten();
        known.unwrap_or_else(|| self.model.initial(place))
    }

    fn set_label(&mut self, place: PlaceId, label: Label) {
        if self.here.len() <= place.index() {
            self.here.resize(place.index() + 1, None);
        }
        self.here[place.index()] = Some(label);
    }

    /// The next step of a process in the present execution, in terms of the model.
    pub(super) fn next_step(&mut self, process: Pid, alternative: u32) -> StepKey {
        let place = self.unfolder.unfolding.net.process_place(process);
        let before = self.label_at(place);
        let mut seen = SmallVec::new();
        if let Some(station) = self.model.station(before) {
            let (op, wants) = (station.op, station.wants.clone());
            for want in wants.iter().filter(|want| looks_at(op, want)) {
                seen.push(self.label_at(want.place));
            }
        }
        StepKey { before, alternative, seen }
    }

    /// Runs on until nobody can move, by unknown steps where there are any, or until there is no time.
    pub(super) fn run_on(&mut self) {
        let mut moves: usize = 0;
        let end = loop {
            moves += 1;
            if moves.is_multiple_of(CLOCK) && self.unfolder.search.is_out_of_time() {
                return;
            }
            let Some(choice) = self.pick() else { break ending(&*self.unfolder.run) };
            if self.unfolder.trace.len() >= self.unfolder.search.limits.steps {
                break Ending::Cut;
            }
            self.take(choice);
        };
        self.unfolder.search.count_events(self.events);
        let Unfolder { search, run, trace, .. } = &mut self.unfolder;
        search.finished(&**run, trace, end);
        self.turned = !self.turned;
    }

    /// An unknown step of the process that moved last or of another one, or a known step if there is
    /// none. Every other execution starts all processes first and looks at them in the opposite order,
    /// so that of two that compete now the one comes first and now the other, in all such pairs at
    /// once.
    fn pick(&mut self) -> Option<Choice> {
        let mut any = None;
        let processes = self.unfolder.run.processes();
        let turned = self.turned;
        let turn = self.unfolder.turn();
        for offset in turn..processes + turn {
            let offset = if turned { 2 * processes - offset } else { offset };
            let process = Pid((self.unfolder.last.0 + offset) % processes);
            let op = match self.unfolder.run.next(process) {
                Next::Ready(op) => op,
                Next::Blocked(_) => {
                    self.note_blocked(process);
                    continue;
                }
                Next::Done => continue,
            };
            let alternatives = match op {
                op if op.decides() || operation::finds_alternatives(op) => {
                    self.unfolder.run.alternatives(process)
                }
                _ => counterpoint_model::Alternatives::ONE,
            };
            let preferred = Choice { process, alternative: alternatives.preferred };
            let others = (0..alternatives.count).filter(|&a| a != preferred.alternative);
            for alternative in std::iter::once(preferred.alternative).chain(others) {
                let choice = Choice { process, alternative };
                let key = self.next_step(process, alternative);
                if self.model.transition(&key).is_none()
                    && (op != Op::Branch || self.unfolder.is_feasible(choice))
                {
                    return Some(choice);
                }
            }
            let starts = turned && matches!(op, Op::Start(_));
            any = any.filter(|_| !starts).or(Some(preferred));
        }
        any
    }

    fn note_blocked(&mut self, process: Pid) {
        let key = self.next_step(process, 0);
        let Some(station) = self.model.station(key.before) else { return };
        let guarded = station.wants.iter().any(|want| want.guard == Guard::Trial);
        // The key does not tell whether a lock is free: without it the step may be possible.
        if guarded && self.finds_locks_free(key.before) {
            self.model.learn_blocked(key);
        }
    }

    /// Whether the locks that a process wants from a label on are free in the present marking.
    pub(super) fn finds_locks_free(&mut self, before: Label) -> bool {
        let Some(station) = self.model.station(before) else { return true };
        let locks = station.wants.iter().filter(|want| want.guard == Guard::Free);
        let locks: SmallVec<[PlaceId; 1]> = locks.map(|want| want.place).collect();
        locks.into_iter().all(|place| self.label_at(place) != self.model.held(place))
    }

    /// Performs a step and teaches it to the model.
    pub(super) fn take(&mut self, choice: Choice) {
        let key = self.next_step(choice.process, choice.alternative);
        let op = self.model.station(key.before).and_then(|station| station.op);
        let run = &self.unfolder.run;
        let foreseen = match op {
            Some(Op::Start(_)) => {
                self.unfolder.settled(&child_cell(&run.anticipate(choice.process)))
            }
            _ => Footprint::new(),
        };
        let alternatives = match op {
            Some(op) if operation::finds_alternatives(op) => run.alternatives(choice.process).count,
            _ => 1,
        };
        self.unfolder.step(choice);
        let footprint = self.unfolder.last_footprint();
        if let (Some(unwanted_touches), Some(station)) =
            (&mut self.unwanted_touches, self.model.station(key.before))
        {
            let found = unwanted_touches.meet(&self.unfolder.unfolding.net, station, &footprint);
            if let Some((location, without_wanting)) = found {
                self.unfolder.learn(location, without_wanting);
            }
        }
        let after = self.model.after(&key);
        let net = &mut self.unfolder.unfolding.net;
        let station = operation::station(net, &*self.unfolder.run, choice.process);
        self.model.keep_station(after, station);
        if let Some(Op::Start(child)) = op {
            let label = self.model.child(after);
            let station = operation::station(net, &*self.unfolder.run, child);
            self.model.keep_station(label, station);
        }
        let transition = Transition { footprint, foreseen, alternatives, after };
        self.apply(choice.process, &transition);
        self.model.learn(key, transition);
    }

    /// Changes the labels of the places as a step of the process does.
    pub(super) fn apply(&mut self, process: Pid, transition: &Transition) {
        let net = &mut self.unfolder.unfolding.net;
        let place = net.process_place(process);
        let before = self.here.get(place.index()).copied().flatten();
        let before = before.unwrap_or_else(|| self.model.initial(place));
        let mut made: SmallVec<[(PlaceId, Label); 4]> = SmallVec::new();
        let footprint = transition.footprint.iter();
        for access in footprint.filter(|access| !transition.foreseen.contains(access)) {
            let place = net.location_place(access.location);
            let label = self.model.made(transition.after, place, access.mode);
            made.extend(label.map(|label| (place, label)));
        }
        made.push((place, transition.after));
        let op = self.model.station(before).and_then(|station| station.op);
        if let Some(Op::Start(child)) = op {
            made.push((net.process_place(child), self.model.child(transition.after)));
        }
        for (place, label) in made {
            self.set_label(place, label);
        }
    }

    /// Sorts new extensions into buckets by the sizes of their pasts.
    fn collect_extensions(&mut self) {
        let mut extensions = std::mem::take(&mut self.unfolder.unfolding.extensions);
        for event in extensions.drain(..) {
            let unfolding = &mut self.unfolder.unfolding;
            unfolding.gather_past(event);
            let net = &unfolding.net;
            let sizes = net.process_places().iter().filter(|place| place.is_some()).map(|&place| {
                let depth = net.depth_at(&unfolding.cut, place);
                // The first condition of a started process is made by its parent's event.
                if place == net.place_of(Pid::MAIN) { depth } else { depth.saturating_sub(1) }
            });
            let size = sizes.sum::<u32>() as usize;
            if size < self.unfolder.search.limits.steps {
                self.buckets.add(size, event);
            } else {
                self.unfolder.search.hit(Bound::Steps);
            }
        }
        self.unfolder.unfolding.extensions = extensions;
    }

    /// The level and the transition of an extension.
    fn numbered(&mut self, event: EventId) -> (u32, u32) {
        let key = self.step_of(event);
        let net = &self.unfolder.unfolding.net;
        let mut level = 0;
        let mut taken = Vec::new();
        let mut causes: SmallVec<[ConditionId; 8]> = SmallVec::new();
        causes.push(net.event(event).before);
        for condition in net.chosen(event) {
            taken.push(self.labels.of(net, &mut self.model, condition));
            causes.push(condition);
        }
        causes.extend(net.after_reads(event).map(|read| net.event(read).after));
        for cause in causes {
            let producer = net.condition(cause).producer;
            if producer.is_some() {
                level = level.max(self.history[producer.index()].0 + 1);
            }
        }
        let next = u32::try_from(self.transitions.len()).expect("fewer than 2^32 transitions");
        let transition = *self.transitions.entry((key, taken)).or_insert(next);
        (level, transition)
    }

    fn note(&mut self, event: EventId, own: (u32, u32)) {
        if self.history.len() <= event.index() {
            self.history.resize(event.index() + 1, (0, 0));
        }
        self.history[event.index()] = own;
    }

    /// The causal past of an extension as the order sees it.
    fn past(&mut self, event: EventId) -> CausalPast {
        let mut levels = vec![self.numbered(event)];
        let unfolding = &mut self.unfolder.unfolding;
        unfolding.gather_past(event);
        let cut = std::mem::take(&mut unfolding.cut);
        let events = unfolding.net.linearise(&cut, &mut unfolding.scratch).unwrap_or(&[]);
        levels.extend(events.iter().map(|event| self.history[event.index()]));
        unfolding.cut = cut;
        CausalPast::new(event, levels)
    }
}
