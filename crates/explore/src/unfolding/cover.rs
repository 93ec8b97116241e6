//! Adding an executed event to the net.
//!
//! The algorithm of figures 3.11 and 5.5, lines 10 to 16: find the event that the next step of a
//! process stands for in the present marking; if the step shows it for the first time, add its
//! conditions, fire it, and look for the extensions that its conditions make possible.

use counterpoint_model::{Access, Location, Mode, Op, Pid, Run};

use smallvec::SmallVec;

use super::Unfolding;
use super::cut;
use super::net::{ConditionId, Effect, EventId, EventStatus, Key, Touch};
use super::operation;

/// What an event touches.
pub(super) type Touches = SmallVec<[Touch; 4]>;

impl Unfolding {
    /// The condition of a process in the present marking.
    pub(super) fn thread(&self, process: Pid) -> ConditionId {
        self.net.holds(&self.marking.cut, self.net.place_of(process))
    }

    /// The event that the next step of a process stands for, whether covered or not.
    pub(super) fn event_of(&mut self, process: Pid, alternative: u32) -> EventId {
        let before = self.thread(process);
        let mut chosen = std::mem::take(&mut self.chosen);
        let mut reads = std::mem::take(&mut self.reads);
        chosen.clear();
        reads.clear();
        let station = self.net.station(before);
        for want in &station.wants {
            chosen.push(self.net.holds(&self.marking.cut, want.place));
            if want.takes && !self.net.contextual {
                self.marking.reads(want.place, process, &mut reads);
            }
        }
        let key = Key { before, alternative, chosen: &chosen, reads: &reads };
        let event = self.find(key, matches!(station.op, Some(Op::Update(_))));
        let event = event.unwrap_or_else(|| {
            let event = self.net.propose(process, key);
            self.extensions.push(event);
            event
        });
        self.chosen = chosen;
        self.reads = reads;
        event
    }

    /// The event with this key, or the one without reads that turned out to change nothing.
    fn find(&self, key: Key<'_>, update: bool) -> Option<EventId> {
        if update && !key.reads.is_empty() {
            let read = self.net.find(Key { reads: &[], ..key });
            if let Some(event) = read.filter(|&event| self.net.event(event).looks_only) {
                return Some(event);
            }
        }
        self.net.find(key)
    }

    /// Adds the event that a process has just performed. `foreseen` is the access of a start to the child's
    /// cell, which the net expresses by the child's first condition.
    pub(super) fn cover(
        &mut self,
        run: &dyn Run,
        id: EventId,
        footprint: &[Access],
        foreseen: &[Access],
    ) -> EventId {
        let id = self.resolve(id, footprint);
        if self.net.event(id).status == EventStatus::Covered {
            self.marking.fire(&self.net, id);
            return id;
        }
        let touches = self.insert(id, footprint, foreseen);
        self.marking.fire(&self.net, id);
        let event = self.net.event(id);
        let (process, after, child) = (event.process, event.after, event.child);
        self.stand(run, process, after);
        if let Some(Op::Start(started)) = self.net.station(self.net.event(id).before).op {
            self.stand(run, started, child);
        }
        self.extend(id, &touches);
        id
    }

    /// The event that a step with this footprint stands for: the given one, unless the step was an
    /// update that changed nothing.
    pub(super) fn resolve(&mut self, id: EventId, footprint: &[Access]) -> EventId {
        match self.net.station(self.net.event(id).before).op {
            Some(Op::Update(variable)) if !changes(footprint, variable) => self.as_read(id),
            _ => id,
        }
    }

    /// Adds an event with its conditions to the net. What its processes do next is still to be
    /// said, and the extensions from it are still to be found.
    pub(super) fn insert(
        &mut self,
        id: EventId,
        footprint: &[Access],
        foreseen: &[Access],
    ) -> Touches {
        self.gather_past(id);
        let before = self.net.event(id).before;
        let touches = self.touch(id, footprint, foreseen);
        let after = self.net.make(before, id, Mode::Write);
        let child = match self.net.station(before).op {
            Some(Op::Start(child)) => {
                let place = self.net.process_place(child);
                self.net.make(self.net.root(place), id, Mode::Write)
            }
            _ => ConditionId::NONE,
        };
        let racy = touches.iter().any(|touch| touch.effect == Effect::Reads);
        let last_reader = if racy { after } else { self.net.condition(before).last_reader };
        self.net.conditions[after.index()].last_reader = last_reader;
        self.net.record_touches(id, &touches);
        let number = self.net.covered;
        self.net.covered += 1;
        let event = &mut self.net.events[id.index()];
        event.status = EventStatus::Covered;
        event.number = number;
        event.after = after;
        event.child = child;
        self.keep_cut(id, &touches);
        touches
    }

    /// Says what a process does from a thread condition on.
    pub(super) fn stand(&mut self, run: &dyn Run, process: Pid, condition: ConditionId) {
        let station = operation::station(&mut self.net, run, process);
        self.net.stand_at(condition, station);
    }

    /// The event that an update which changed nothing stands for: a read has no reads before it.
    fn as_read(&mut self, id: EventId) -> EventId {
        if self.net.after_reads(id).next().is_some() {
            let event = self.net.event(id);
            let (process, before, alternative) = (event.process, event.before, event.alternative);
            let chosen: Vec<ConditionId> = self.net.chosen(id).collect();
            let key = Key { before, alternative, chosen: &chosen, reads: &[] };
            let read = self.net.find(key).unwrap_or_else(|| self.net.propose(process, key));
            self.net.events[id.index()].status = EventStatus::Dropped;
            self.net.events[read.index()].looks_only = true;
            return read;
        }
        self.net.events[id.index()].looks_only = true;
        id
    }

    /// Sets the buffer for cuts to the event's causal past.
    pub(super) fn gather_past(&mut self, id: EventId) {
        let mut own = std::mem::take(&mut self.cut);
        own.clear();
        own.extend_from_slice(self.net.past(self.net.event(id).before));
        for condition in self.net.chosen(id) {
            self.net.unite(&mut own, self.net.past(condition));
        }
        for read in self.net.after_reads(id) {
            self.net.unite(&mut own, self.net.past(self.net.event(read).after));
        }
        self.cut = own;
    }

    /// The conditions that the footprint touches after the event's past, and those it makes.
    fn touch(&mut self, id: EventId, footprint: &[Access], foreseen: &[Access]) -> Touches {
        let (before, process) = (self.net.event(id).before, self.net.event(id).process);
        let producer = self.net.condition(before).producer;
        let first = producer.is_some() && self.net.event(producer).child == before;
        let mut touches = Touches::new();
        for access in footprint {
            let place = self.net.location_place(access.location);
            let wants = &self.net.station(before).wants;
            let wanted = wants.iter().find(|want| want.place == place).map(|want| want.takes);
            let implied = foreseen.contains(access) || (first && access.mode == Mode::Await);
            if implied && wanted.is_none() {
                continue;
            }
            let condition = self.net.holds(&self.cut, place);
            let effect = match access.mode {
                Mode::Read => Effect::Reads,
                Mode::Await => Effect::Awaits,
                mode => Effect::Makes(self.net.make(condition, id, mode)),
            };
            if !matches!(effect, Effect::Awaits) {
                let reads = matches!(effect, Effect::Reads);
                let without_wanting = wanted.is_none_or(|takes| !takes && !reads);
                self.net.note_touch(condition, process, without_wanting);
                if reads {
                    self.net.add_read(condition, id);
                }
            }
            touches.push(Touch { condition, effect });
        }
        touches
    }

    /// Keeps the cut of the event's past and itself.
    fn keep_cut(&mut self, id: EventId, touches: &[Touch]) {
        let event = self.net.event(id);
        let (after, child) = (event.after, event.child);
        let mut own = std::mem::take(&mut self.cut);
        let made = touches.iter().filter_map(|touch| match touch.effect {
            Effect::Makes(condition) => Some(condition),
            Effect::Reads | Effect::Awaits => None,
        });
        let own_processes = std::iter::once(after).chain(child.is_some().then_some(child));
        for condition in own_processes.clone().chain(made.clone()) {
            cut::set(&mut own, self.net.condition(condition).place, condition);
        }
        let past = self.net.cuts.add(&own);
        for condition in own_processes.chain(made.clone()) {
            self.net.conditions[condition.index()].past = past;
        }
        for condition in made {
            self.net.adopt(condition);
        }
        self.cut = own;
    }

    /// Possible extensions from the conditions of a new event (figure 4.1).
    pub(super) fn extend(&mut self, id: EventId, touches: &[Touch]) {
        for touch in touches {
            match touch.effect {
                Effect::Makes(made) => self.extend_location(made),
                Effect::Reads => self.extend_read(id, touch.condition),
                Effect::Awaits => {}
            }
        }
        let (after, child) = (self.net.event(id).after, self.net.event(id).child);
        self.extend_thread(after);
        if child.is_some() {
            self.extend_thread(child);
        }
    }
}

/// Whether the footprint says that the variable may have another value now.
fn changes(footprint: &[Access], variable: Location) -> bool {
    footprint.iter().any(|access| access.location == variable && !access.mode.is_shared())
}
