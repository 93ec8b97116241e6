//! What a step touches: the footprint of the operation that a thread stands before.
//!
//! **Problem.** Explorers reverse two steps only if their footprints conflict. So the footprint of an
//! operation has to hold everything that its result and its being possible depend on, and everything
//! that it may change; and the less it holds, the fewer executions there are.
//!
//! **Idea.** One place says it for all operations. Before a choice is made the footprint is that of
//! all alternatives together, taken to succeed; of the step itself it is what really happens: a
//! failed compare-and-set reads, a call that came too late looks, and one that was interrupted has
//! touched the interrupt only. A step is guarded if it was or could have been impossible before.
//!
//! **Invariant.** The footprint before a step covers the one of the step, and both depend on nothing
//! but what the footprint itself names: `tests/audit.rs` walks at random and compares.

use counterpoint_model::{Access, Footprint, Location, Mode, Op};
use smallvec::SmallVec;

use super::JavaRun;
use super::spinning::NONE;
use super::standing::{ABSENT, Life, Standing};
use crate::interpret::{Concern, Condition, Outlook, Sort, Synchronise};
use crate::memory::{Status, Wakening};

impl JavaRun<'_> {
    /// Adds what the operation that a thread stands before touches, and says whether it is guarded.
    /// Without an alternative, it is all that some alternative touches.
    pub(super) fn touches(
        &self,
        thread: usize,
        alternative: Option<u32>,
        footprint: &mut Footprint,
    ) -> bool {
        let guarded = self.touches_of_operation(thread, alternative, footprint);
        if self.program.asks_for_states() {
            let progress = self.prepared().cells(thread).progress;
            footprint.push(Access::synchronising(progress, Mode::Write).unordered());
        }
        guarded
    }

    /// What the state of a thread depends on: how far it has come, and whatever says whether it can
    /// go on.
    pub(super) fn state_depends_on(&self, thread: usize) -> SmallVec<[Location; 4]> {
        let cells = self.prepared().cells(thread);
        let mut locations = SmallVec::from_slice(&[cells.life, cells.progress]);
        let standing = self.standings.get(thread).copied().unwrap_or(ABSENT);
        if !standing.arrives && !matches!(standing.life, Life::Absent | Life::AsksState) {
            let mut footprint = Footprint::new();
            self.touches_of_operation(thread, None, &mut footprint);
            for access in footprint.iter() {
                if !locations.contains(&access.location) {
                    locations.push(access.location);
                }
            }
        }
        locations
    }

    fn touches_of_operation(
        &self,
        thread: usize,
        alternative: Option<u32>,
        footprint: &mut Footprint,
    ) -> bool {
        let standing = &self.standings[thread];
        let prepared = self.prepared();
        let own = prepared.cells(thread);
        let mut guarded = false;
        // Nothing follows from what a thread was doing, unless it has ended.
        let asked = (standing.life == Life::AsksState)
            .then(|| prepared.cells(standing.target as usize).life);
        let mut touch = |location: Location, mode: Mode| {
            let access = Access::synchronising(location, mode);
            let ordered = asked.is_none_or(|life| life == location);
            footprint.push(if ordered { access } else { access.unordered() });
        };
        if standing.fresh && thread != 0 {
            touch(own.life, Mode::Await);
        }
        if standing.arrives {
            return false;
        }
        let variable = |location, mode| Access::new(location, mode, standing.synchronises);
        match standing.op {
            Op::Read(location) if standing.life == Life::Sleeps => {
                let writes = alternative.is_some() && self.is_interrupted(thread);
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
            Op::Read(location) => footprint.push(variable(location, Mode::Read)),
            Op::Write(location) => footprint.push(variable(location, Mode::Write)),
            Op::Update(location) if standing.life == Life::LooksForStart => {
                let started = prepared.machine.thread_of(standing.object);
                let writes = alternative.is_none() || matches!(started, Ok(None));
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
            Op::Update(location) => {
                let writes = alternative.is_none() || self.update_writes(thread);
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
            Op::Acquire(lock) => touch(lock, Mode::Acquire),
            Op::Release(lock) => touch(lock, Mode::Release),
            // One that finds itself interrupted frees nothing.
            Op::Wait { .. } if alternative.is_some() && self.wait_fails(thread) => {
                touch(own.interrupt, Mode::Write);
            }
            Op::Wait { condition, lock } => {
                touch(condition, Mode::Write);
                touch(lock, Mode::Release);
                touch(own.interrupt, Mode::Read);
            }
            Op::Resume { lock, .. } => {
                self.touches_of_resuming(thread, lock, Mode::Acquire, &mut touch);
                guarded = standing.timed;
            }
            Op::Notify { condition, all } => {
                touch(condition, Mode::Write);
                let chosen = if standing.in_order { Some(0) } else { alternative };
                for (index, waiter) in self.waiters(standing).into_iter().enumerate() {
                    if all || chosen.is_none_or(|chosen| chosen as usize == index) {
                        let cells = prepared.cells(waiter);
                        touch(cells.wakening, Mode::Write);
                        touch(cells.interrupt, Mode::Read);
                    }
                }
            }
            Op::Start(_) => {
                touch(standing.touched, Mode::Write);
                if self.program.asked().threads {
                    touch(own.population, Mode::Write);
                }
            }
            // One that is interrupted could have gone on before the other thread has ended.
            Op::Join(_) if self.is_interrupted(thread) => {
                let ended = prepared.machine.has_ended(standing.target as usize);
                guarded = true;
                touch(standing.touched, Mode::Read);
                touch(own.interrupt, if ended { Mode::Read } else { Mode::Write });
            }
            Op::Join(_) => {
                touch(standing.touched, Mode::Await);
                touch(own.interrupt, Mode::Read);
            }
            Op::Synchronise(location) => match standing.life {
                Life::JoinsForSomeTime => {
                    let ended = prepared.machine.has_ended(standing.target as usize);
                    let writes = alternative.is_some() && self.is_interrupted(thread) && !ended;
                    touch(location, Mode::Read);
                    touch(own.interrupt, if writes { Mode::Write } else { Mode::Read });
                }
                Life::AsksInterrupt => {
                    let writes = alternative.is_none() || self.is_interrupted(thread);
                    touch(location, if writes { Mode::Write } else { Mode::Read });
                }
                Life::AsksState => {
                    guarded = true;
                    for location in self.state_depends_on(standing.target as usize) {
                        touch(location, Mode::Read);
                    }
                }
                Life::AsksThreads => {
                    touch(location, Mode::Read);
                    for other in 0..prepared.machine.thread_count() {
                        if other != thread && prepared.machine.threads.get(other).is_some() {
                            touch(prepared.cells(other).life, Mode::Read);
                        }
                    }
                }
                Life::Parks => {
                    guarded = true;
                    touch(location, Mode::Write);
                    touch(own.interrupt, Mode::Read);
                }
                Life::TriesLock => {
                    guarded = true;
                    let taken = alternative.is_none() || self.is_free(thread, standing);
                    touch(location, if taken { Mode::Acquire } else { Mode::Read });
                }
                Life::ResumesAmongReaders => {
                    guarded = true;
                    self.touches_of_resuming(thread, location, Mode::Write, &mut touch);
                }
                Life::Synchronises(operation, _) => {
                    let machine = &prepared.machine;
                    let outlook = match alternative {
                        Some(_) => self.outlook(thread, standing),
                        None => Outlook::Possible,
                    };
                    let interrupted = outlook == Outlook::Interrupted;
                    let concern = machine.concern(operation, standing.object, outlook);
                    guarded = operation.blocks() || matches!(operation, Synchronise::Lock(_));
                    let mode = match concern {
                        Concern::Shared => Mode::Read,
                        Concern::Exclusive => Mode::Write,
                        Concern::Taken => Mode::Acquire,
                    };
                    let publishes = operation.publishes();
                    footprint.push(Access::synchronising(location, mode).publishing(publishes));
                    let mut touch = |location: Location, mode: Mode| {
                        footprint.push(Access::synchronising(location, mode));
                    };
                    if operation.is_interruptible() {
                        touch(own.interrupt, if interrupted { Mode::Write } else { Mode::Read });
                    }
                }
                Life::CallsWhole(whole) => {
                    guarded = whole.blocks();
                    let outlook = match alternative {
                        Some(_) => self.outlook(thread, standing),
                        None => Outlook::Possible,
                    };
                    let nothing = matches!(outlook, Outlook::Interrupted | Outlook::Late);
                    let changes = whole.changes && (!nothing || whole.condition == Condition::Work);
                    touch(location, if changes { Mode::Write } else { Mode::Read });
                    if whole.sort == Sort::Completable {
                        touch(standing.touched, Mode::Read);
                    }
                    if whole.sort == Sort::Workers && !whole.changes {
                        for worker in prepared.machine.workers_of(standing.object) {
                            touch(prepared.cells(worker).life, Mode::Read);
                        }
                    }
                    if whole.is_interruptible() {
                        let clears = alternative.is_some() && self.is_interrupted(thread);
                        touch(own.interrupt, if clears { Mode::Write } else { Mode::Read });
                    }
                }
                Life::Completes => {
                    let touches = prepared.machine.completion_touches(thread);
                    for (address, writes) in touches.unwrap_or_default() {
                        let location = prepared.variable(self.program, address);
                        touch(location, if writes { Mode::Write } else { Mode::Read });
                    }
                }
                Life::Interrupts => {
                    touch(location, Mode::Write);
                    let target = standing.target as usize;
                    let other = self.standings.get(target).copied().unwrap_or(ABSENT);
                    let status = prepared.machine.core(target).map(|core| core.status);
                    if let Ok(Status::Waiting { interruptible: true, .. }) = status {
                        touch(other.touched, Mode::Write);
                        touch(prepared.cells(target).wakening, Mode::Write);
                    }
                }
                _ => touch(location, Mode::Write),
            },
            Op::Branch | Op::Choose(_) | Op::Task(_) | Op::Local => {}
        }
        if let Some(beginning) = standing.beginning {
            footprint.push(Access::synchronising(beginning, Mode::Write));
        }
        for location in standing.around.into_iter().flatten() {
            footprint.retain(|access| access.location != location);
            footprint.push(Access::synchronising(location, Mode::Write));
        }
        if standing.round != NONE {
            guarded = true;
            self.touch_round(standing, footprint);
        }
        guarded
    }

    /// What comes of the operation on a synchroniser, or of the call, that a thread stands before.
    pub(super) fn outlook(&self, thread: usize, standing: &Standing) -> Outlook {
        let machine = &self.prepared().machine;
        let outlook = match standing.life {
            Life::Synchronises(operation, amount) => {
                machine.outlook(thread, operation, standing.object, amount)
            }
            Life::CallsWhole(whole) => machine.whole_outlook(thread, whole, standing.object),
            _ => return Outlook::Possible,
        };
        outlook.unwrap_or(Outlook::Blocked)
    }

    /// Whether the wait that a thread stands before ends at once, by an interrupt.
    fn wait_fails(&self, thread: usize) -> bool {
        self.is_interrupted(thread) && self.prepared().machine.wait_is_interruptible(thread)
    }

    pub(super) fn is_interrupted(&self, thread: usize) -> bool {
        self.prepared().machine.core(thread).is_ok_and(|core| core.interrupted)
    }

    /// What a thread touches that goes on after a wait.
    fn touches_of_resuming(
        &self,
        thread: usize,
        lock: Location,
        taking: Mode,
        touch: &mut impl FnMut(Location, Mode),
    ) {
        let standing = &self.standings[thread];
        let prepared = self.prepared();
        let own = prepared.cells(thread);
        let status = prepared.machine.core(thread).map(|core| core.status);
        let waits = matches!(status, Ok(Status::Waiting { .. }));
        if standing.timed {
            touch(own.wakening, Mode::Read);
            if waits {
                // Nobody can wake it any more, neither by a notification nor by an interrupt.
                touch(standing.touched, Mode::Write);
                touch(own.interrupt, Mode::Read);
            }
            touch(lock, taking);
        } else {
            touch(own.wakening, Mode::Await);
            if !waits {
                touch(lock, taking);
            }
        }
        if let Ok(Status::Reacquiring { because: Wakening::Interrupted, .. }) = status {
            touch(own.interrupt, Mode::Write);
        }
    }

    pub(super) fn update_writes(&self, thread: usize) -> bool {
        let next = self.prepared().machine.next_anyway(thread);
        !matches!(next, Ok(crate::Next::Ready(crate::Operation::Update { writes: false, .. })))
    }
}
