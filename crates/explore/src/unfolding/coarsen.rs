//! Learning where a net must tell less apart.
//!
//! **Problem.** An event of the net is identified by what its operation wants, and the rest of what it
//! does must follow ([`operation`](super::operation)). For some operations it does not: who is
//! interrupted may be in a wait set that the interrupting process knows nothing of, a wait looks whether
//! its process was interrupted, and a reader that enters a read-write lock, or a thread that counts a
//! latch down, only looks as far as its like are concerned, but keeps a writer out or lets a waiting
//! thread pass. Wanting all that could matter, always, would make every net larger.
//!
//! **Idea.** Such things are noticed when they happen, and then the net is begun again, coarser:
//!
//! - A location becomes *strict*: every operation of which its process's own past says that it touches it wants it, and
//!   every touch takes it. Then the order of all that touch it is in the net, whatever they do there.
//! - If an operation touches a strict location that it could not know of, the location is *merged* with
//!   one that the operation wants: both have one strict place from then on.
//! - If the operation wants nothing, as the last step of a process that others look at to see whether it
//!   has ended, every step of its process takes the location.
//!
//! Whether an operation is possible on a strict place is found out by going there.
//!
//! **Invariant.** Taking where the program only looks or does nothing, and one place for two locations,
//! only order more: each execution of the program is still one of the net, and lemma 2 holds as before.
//! There are finitely many locations and processes, so that the net is begun again finitely often. What
//! cannot be mended in this way is said to be incomplete.
//!
//! **Cost.** What was explored before is explored again; the order of readers, or of interrupts and
//! waits, multiplies executions where it did not matter.

use counterpoint_model::{Access, Footprint, Location, Mode, Op, Pid, Run};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::net::{EventId, Net, Station};

/// What was learnt about locations.
#[derive(Default)]
pub(super) struct Coarsening {
    /// Per location what is known of it.
    known: Vec<Known>,
    /// Locations that share the place of another.
    merged: FxHashMap<Location, Location>,
    /// Per process the locations that each of its steps takes.
    taken_by_every_step: FxHashMap<Pid, SmallVec<[Location; 1]>>,
    /// Whether something was learnt that the net does not follow yet.
    grown: bool,
    /// Whether any location is strict.
    some: bool,
}

#[derive(Clone, Default)]
struct Known {
    strict: bool,
    /// Processes that look at it without wanting it, and processes that take it.
    lookers: SmallVec<[Pid; 1]>,
    takers: SmallVec<[Pid; 1]>,
    /// Whether a synchronising operation on the location only looked at it.
    looked_at: bool,
    /// Whether an operation takes it that may turn out not to be possible.
    tried: bool,
}

impl Coarsening {
    /// The location that stands for this one.
    pub fn whole(&self, mut location: Location) -> Location {
        if !self.some {
            return location;
        }
        while let Some(&next) = self.merged.get(&location) {
            location = next;
        }
        location
    }

    /// Whether touching the location always takes it.
    pub fn is_strict(&self, location: Location) -> bool {
        self.some && self.known.get(self.whole(location).index()).is_some_and(|known| known.strict)
    }

    /// Whether the net must be begun again.
    pub fn has_grown(&self) -> bool {
        self.grown
    }

    /// The same, for a net that is begun again.
    pub fn for_a_new_net(self) -> Coarsening {
        Coarsening { grown: false, ..self }
    }

    fn known_mut(&mut self, location: Location) -> &mut Known {
        if self.known.len() <= location.index() {
            self.known.resize(location.index() + 1, Known::default());
        }
        &mut self.known[location.index()]
    }

    fn make_strict(&mut self, location: Location) -> bool {
        if self.is_strict(location) {
            return false;
        }
        self.known_mut(location).strict = true;
        self.some = true;
        self.grown = true;
        true
    }

    fn merge(&mut self, one: Location, other: Location) -> bool {
        let (one, other) = (self.whole(one), self.whole(other));
        if one == other {
            return false;
        }
        self.make_strict(one);
        self.make_strict(other);
        self.merged.insert(one.max(other), one.min(other));
        self.grown = true;
        true
    }

    /// Makes every step of a process take a location.
    fn add_to_every_step(&mut self, process: Pid, location: Location) -> bool {
        let location = self.whole(location);
        if self.taken_by_every_step(process).any(|due| due == location) {
            return false;
        }
        self.make_strict(location);
        self.taken_by_every_step.entry(process).or_default().push(location);
        self.grown = true;
        true
    }

    /// What every step of a process takes.
    pub fn taken_by_every_step(&self, process: Pid) -> impl Iterator<Item = Location> {
        self.taken_by_every_step.get(&process).into_iter().flatten().map(|&due| self.whole(due))
    }

    /// A synchronising operation is about this location: it only looks, or may be impossible.
    /// If both are found of one location, looking matters to those that take it.
    pub fn meet(&mut self, location: Location, takes: bool) {
        let known = self.known_mut(location);
        *(if takes { &mut known.tried } else { &mut known.looked_at }) = true;
        if known.tried && known.looked_at {
            self.make_strict(location);
        }
    }

    /// A process is about to look at a location that it does not want. If another takes it, this may
    /// come to nothing without it.
    pub fn meet_look(&mut self, process: Pid, location: Location) {
        let known = self.known_mut(location);
        if !known.lookers.contains(&process) {
            known.lookers.push(process);
            if known.takers.iter().any(|&taker| taker != process) {
                self.make_strict(location);
            }
        }
    }

    /// The other side of [`Coarsening::meet_look`].
    pub fn meet_takes(&mut self, process: Pid, footprint: &[Access]) {
        for access in footprint.iter().filter(|access| access.mode == Mode::Write) {
            let known = self.known_mut(access.location);
            if !known.takers.contains(&process) {
                known.takers.push(process);
                if known.lookers.iter().any(|&looker| looker != process) {
                    self.make_strict(access.location);
                }
            }
        }
    }

    /// The footprint of a step as the net takes it: what is strict or no lock is written, and what is
    /// taken and freed in one step has been freed.
    pub fn settled(&self, run: &dyn Run, footprint: &[Access]) -> Footprint {
        let mut settled = Footprint::new();
        for &access in footprint {
            let mut access = access;
            let acquired = matches!(access.mode, Mode::Acquire | Mode::Release);
            if self.is_strict(access.location) {
                access.location = self.whole(access.location);
                access.mode = Mode::Write;
            } else if acquired && !run.is_lock(access.location) {
                access.mode = Mode::Write;
            }
            let twice =
                |known: &&mut Access| known.location == access.location && !known.mode.is_shared();
            match settled.iter_mut().find(twice) {
                Some(known) if !access.mode.is_shared() => known.mode = access.mode,
                _ => settled.push(access),
            }
        }
        settled
    }

    /// Whether the net takes the footprint of a step as it is.
    pub fn leaves_as_it_is(&self, run: &dyn Run, footprint: &[Access]) -> bool {
        let lock = |access: &Access| {
            !matches!(access.mode, Mode::Acquire | Mode::Release) || run.is_lock(access.location)
        };
        let once = match footprint {
            [] | [_] => true,
            [one, other] => one.location != other.location,
            _ => false,
        };
        !self.some && once && footprint.iter().all(lock)
    }

    /// The footprint of a step that was taken, as the net takes it.
    pub fn settled_step(&self, run: &dyn Run, process: Pid, footprint: &[Access]) -> Footprint {
        let mut settled = self.settled(run, footprint);
        for location in self.taken_by_every_step(process) {
            if !settled.iter().any(|access| access.location == location) {
                settled.push(Access::plain(location, Mode::Write));
            }
        }
        settled
    }
}

impl Net {
    /// Learns that an operation of a process touches a location in a way that does not follow from what
    /// it wants, of which one is given. False if nothing can be learnt from that. Fixed locations keep
    /// places of their own.
    pub fn learn(
        &mut self,
        location: Location,
        (process, wanted): (Pid, Option<Location>),
        fixed: &[Location],
    ) -> bool {
        // One lesson at a time: what comes after it may be a consequence.
        if self.coarsening.grown || self.coarsening.make_strict(location) {
            return true;
        }
        let is_fixed =
            |one| fixed.iter().any(|&l| self.coarsening.whole(l) == self.coarsening.whole(one));
        let partner = wanted.filter(|&wanted| !(is_fixed(location) && is_fixed(wanted)));
        partner.is_some_and(|wanted| self.coarsening.merge(location, wanted))
            || self.coarsening.add_to_every_step(process, location)
    }

    /// The first location that a process at a station wants.
    pub fn first_want(&self, station: &Station) -> Option<Location> {
        self.location_of(station.wants.first()?.place)
    }

    /// Learns that something the event wants does not tell whether it is possible. False if all that
    /// it wants is strict.
    pub fn learn_of_trial(&mut self, event: EventId) -> bool {
        if self.coarsening.grown {
            return true;
        }
        let wants = self.station(self.event(event).before).wants.clone();
        let mut learnt = false;
        for want in wants {
            if let Some(location) = self.location_of(want.place) {
                learnt |= self.coarsening.make_strict(location);
            }
        }
        learnt
    }
}

/// Of the footprint of a start, what says that the child has begun: the first that is written.
pub(super) fn child_cell(footprint: &[Access]) -> Footprint {
    footprint.iter().filter(|access| access.mode == Mode::Write).take(1).copied().collect()
}

/// Who touches what in a search of interleavings, where no net shows what is concurrent: a process whose
/// step depends on a location that it does not want, and others that change it.
#[derive(Default)]
pub(super) struct UnwantedTouches {
    /// Per process the cell that says whether it has started and ended.
    lives: FxHashMap<Pid, Location>,
    touched: FxHashMap<Location, Touched>,
}

#[derive(Default)]
struct Touched {
    takers: SmallVec<[Pid; 2]>,
    /// Those who did not want it, each with something that it wants.
    without_wanting: SmallVec<[(Pid, Option<Location>); 2]>,
}

impl UnwantedTouches {
    /// Takes note of a step. Gives a location that somebody touched without wanting it and somebody
    /// else takes, with the first and something that it wants.
    pub fn meet(
        &mut self,
        net: &Net,
        station: &Station,
        footprint: &[Access],
    ) -> Option<(Location, (Pid, Option<Location>))> {
        let process = station.process;
        let mut found = None;
        for access in footprint {
            let location = access.location;
            let place = net.place_at(location);
            let depends = match access.mode {
                Mode::Await if !self.lives.contains_key(&process) => {
                    self.lives.insert(process, location);
                    continue;
                }
                Mode::Await | Mode::Acquire | Mode::Release => continue,
                Mode::Read => true,
                // What else is written, such as the cell of a process that is woken, follows. A wait writes what an
                // interrupt writes, and whether it ends at once depends on that.
                Mode::Write => match station.op {
                    Some(
                        Op::Synchronise(_) | Op::Wait { .. } | Op::Resume { .. } | Op::Join(_),
                    ) => self.lives.get(&process) != Some(&location),
                    Some(Op::Start(_)) => !child_cell(footprint).contains(access),
                    _ => false,
                },
            };
            let touched = self.touched.entry(location).or_default();
            if !access.mode.is_shared() && !touched.takers.contains(&process) {
                touched.takers.push(process);
            }
            let wanted = station.wants.iter().any(|want| want.place == place);
            if depends
                && !wanted
                && !touched.without_wanting.iter().any(|(known, _)| *known == process)
            {
                touched.without_wanting.push((process, net.first_want(station)));
            }
            let contested = touched.without_wanting.iter().find(|(without_wanting, _)| {
                touched.takers.iter().any(|taker| taker != without_wanting)
            });
            if let Some(without_wanting) = contested {
                found = found.or(Some((location, *without_wanting)));
            }
        }
        found
    }
}
