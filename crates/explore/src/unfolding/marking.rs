//! The state of a test execution as a marking of the net.

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
    readers: Vec<SmallVec<[(Pid, EventId); 4]>>,
}

impl Marking {
    /// Back to the initial marking.
    pub fn reset(&mut self) {
        self.cut.clear();
        self.readers.iter_mut().for_each(|readers| readers.clear());
    }

    /// Fires a covered event.
    pub fn fire(&mut self, net: &Net, id: EventId) {
        let event = net.event(id);
        cut::set(&mut self.cut, net.condition(event.after).place, event.after);
        if event.child.is_some() {
            cut::set(&mut self.cut, net.condition(event.child).place, event.child);
        }
        for touch in net.touches(id) {
            let place = net.condition(touch.condition).place;
            match touch.effect {
                Effect::Awaits => {}
                Effect::Makes(made) => {
                    cut::set(&mut self.cut, place, made);
                    if let Some(readers) = self.readers.get_mut(place.index()) {
                        readers.clear();
                    }
                }
                Effect::Reads => {
                    if self.readers.len() <= place.index() {
                        self.readers.resize(place.index() + 1, SmallVec::new());
                    }
                    let readers = &mut self.readers[place.index()];
                    match readers.iter_mut().find(|(process, _)| *process == event.process) {
                        Some(reader) => reader.1 = id,
                        None => readers.push((event.process, id)),
                    }
                }
            }
        }
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
