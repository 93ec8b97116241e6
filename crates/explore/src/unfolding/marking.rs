//! The state of a test execution as a marking of the net.
//!
//! Executions have long beginnings in common, so a marking remembers what each event has replaced and goes back to the
//! last one that the next execution has, too.

use counterpoint_model::Pid;
use smallvec::SmallVec;

use super::cut;
use super::net::{ConditionId, Effect, EventId, Net, PlaceId};

/// The marking that the execution has reached.
#[derive(Default)]
pub(crate) struct Marking {
    /// The condition at each place.
    pub cut: Vec<ConditionId>,
    /// Per place of a location: the last racy read of its condition by each process.
    readers: Vec<Readers>,
    /// The events that were fired.
    fired: Vec<Fired>,
    /// What was at places before, in the order in which it was replaced.
    conditions_before: Vec<(PlaceId, ConditionId)>,
    readers_before: Vec<(PlaceId, Readers)>,
}

type Readers = SmallVec<[(Pid, EventId); 4]>;

/// An event that was fired, and how much had been replaced by then.
struct Fired {
    event: EventId,
    conditions: usize,
    readers: usize,
}

impl Marking {
    /// Goes to where these covered events lead.
    pub fn go_to(&mut self, net: &Net, events: &[EventId]) {
        let same =
            self.fired.iter().zip(events).take_while(|(fired, event)| fired.event == **event);
        let same = same.count();
        if let Some(first) = self.fired.get(same) {
            for (place, condition) in self.conditions_before.drain(first.conditions..).rev() {
                self.cut[place.index()] = condition;
            }
            for (place, readers) in self.readers_before.drain(first.readers..).rev() {
                self.readers[place.index()] = readers;
            }
            self.fired.truncate(same);
        }
        for &event in &events[same..] {
            self.fire(net, event);
        }
    }

    /// Fires a covered event.
    pub fn fire(&mut self, net: &Net, id: EventId) {
        let (conditions, readers) = (self.conditions_before.len(), self.readers_before.len());
        self.fired.push(Fired { event: id, conditions, readers });
        let event = net.event(id);
        self.hold(net, event.after);
        if event.child.is_some() {
            self.hold(net, event.child);
        }
        for touch in net.touches(id) {
            match touch.effect {
                Effect::Awaits => {}
                Effect::Makes(made) => {
                    let place = self.hold(net, made);
                    let readers = self.readers.get_mut(place.index());
                    if let Some(readers) = readers.filter(|readers| !readers.is_empty()) {
                        self.readers_before.push((place, std::mem::take(readers)));
                    }
                }
                Effect::Reads => {
                    let place = net.condition(touch.condition).place;
                    if self.readers.len() <= place.index() {
                        self.readers.resize(place.index() + 1, SmallVec::new());
                    }
                    let readers = &mut self.readers[place.index()];
                    self.readers_before.push((place, readers.clone()));
                    match readers.iter_mut().find(|(process, _)| *process == event.process) {
                        Some(reader) => reader.1 = id,
                        None => readers.push((event.process, id)),
                    }
                }
            }
        }
    }

    /// Puts a condition at its place.
    fn hold(&mut self, net: &Net, condition: ConditionId) -> PlaceId {
        let place = net.condition(condition).place;
        self.conditions_before.push((place, cut::at(&self.cut, place)));
        cut::set(&mut self.cut, place, condition);
        place
    }

    /// The last reads of the place's condition by processes other than this one, in order.
    pub fn reads(&self, place: PlaceId, process: Pid, into: &mut Vec<EventId>) {
        if let Some(readers) = self.readers.get(place.index()) {
            let others = readers.iter().filter(|(reader, _)| *reader != process);
            into.extend(others.map(|(_, event)| *event));
            into.sort_unstable();
        }
    }
}
