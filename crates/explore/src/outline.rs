//! What steps touch, in a few words.
//!
//! Most steps do not conflict with most others, and explorers ask for millions of pairs. An outline says so without looking
//! at footprints: numbers are folded into sets of bits, so that some steps seem to conflict that do not, and none that
//! conflict seems not to.

use counterpoint_model::{Access, Pid};

/// The bit of a process: one each for the first, and one for all others.
#[inline]
pub(crate) fn bit(process: Pid) -> u64 {
    1 << process.0.min(63)
}

/// The bit of a process that no other one has, if there is such.
#[inline]
pub(crate) fn own_bit(process: Pid) -> u64 {
    if process.0 < 63 { bit(process) } else { 0 }
}

/// Processes and what they touch, a bit for each location, its number taken modulo 64.
#[derive(Copy, Clone, Default)]
pub(crate) struct Outline {
    /// The processes.
    pub processes: u64,
    /// Locations that are touched in any way.
    touched: u64,
    /// Those of them that are changed.
    changed: u64,
}

impl Outline {
    /// Of a step that a process takes.
    #[inline]
    pub fn of(process: Pid, footprint: &[Access]) -> Outline {
        let mut outline = Outline { processes: bit(process), touched: 0, changed: 0 };
        for access in footprint {
            let bit = 1u64 << (access.location.0 % 64);
            outline.touched |= bit;
            outline.changed |= if access.mode.is_shared() { 0 } else { bit };
        }
        outline
    }

    /// Of two together.
    #[inline]
    pub fn or(self, other: &Outline) -> Outline {
        Outline {
            processes: self.processes | other.processes,
            touched: self.touched | other.touched,
            changed: self.changed | other.changed,
        }
    }

    /// Whether some step of one may conflict with one of the other.
    #[inline]
    pub fn may_conflict(&self, other: &Outline) -> bool {
        self.touched & other.changed | self.changed & other.touched != 0
    }

    /// Whether some step of one may be of a process of the other, or dependent on it.
    #[inline]
    pub fn meets(&self, other: &Outline) -> bool {
        self.processes & other.processes != 0 || self.may_conflict(other)
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::{Location, Mode, conflict};

    use super::*;

    #[test]
    fn outlines_of_dependent_steps_meet() {
        let modes = [Mode::Read, Mode::Write, Mode::Acquire, Mode::Release, Mode::Await];
        let accesses = modes.map(|mode| [1, 2, 65, 66].map(|l| Access::plain(Location(l), mode)));
        for one in accesses.as_flattened() {
            for other in accesses.as_flattened() {
                let meet = |process| {
                    let outlines =
                        (Outline::of(Pid(0), &[*one]), Outline::of(Pid(process), &[*other]));
                    outlines.0.meets(&outlines.1)
                };
                assert!(meet(1) || !conflict(&[*one], &[*other]), "{one:?} {other:?}");
                assert!(meet(0), "a process meets itself");
                let apart = one.location.0 % 64 != other.location.0 % 64;
                assert!(!meet(1) || !apart, "{one:?} {other:?}");
            }
        }
    }
}
