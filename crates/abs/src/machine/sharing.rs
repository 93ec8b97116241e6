//! Data that shares parts with itself.
//!
//! **Problem.** A value is a graph: both arguments of a pair can be one value, and so on for each of them. With sixty
//! such levels it takes no memory and would, written out, not fit into any. Whoever follows each way through it does
//! not end.
//!
//! **Idea.** Small values are followed way by way, which is fast. What turns out to be larger than [`LARGE`] parts is
//! followed part by part: two parts that were compared once need not be compared again, and the digest of a part is
//! made of the digests of its arguments and kept.
//!
//! **Invariant.** A digest depends on what a value is and never on what it shares: whether it is large is counted with
//! everything written out.
//!
//! **Cost.** Linear in the parts that there are, and memory only for those to which several ways lead.

use std::rc::Rc;

use counterpoint_model::Pid;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::hash::Mixer;
use super::value::{Data, Value, mix_leaf};

/// Values with more parts than this, all of them written out, are large.
pub(super) const LARGE: u64 = 1 << 16;

/// The pairs of parts that a comparison of large values has met.
#[derive(Default)]
pub(super) struct MetPairs(FxHashSet<(*const Data, *const Data)>);

impl MetPairs {
    /// Whether two parts, met after so many others, have been met before: then there is nothing new to learn from them,
    /// since a comparison ends where it finds a difference.
    pub fn again(&mut self, after: u64, one: &Value, other: &Value) -> bool {
        let (Value::Data(one), Value::Data(other)) = (one, other) else { return false };
        let shared = Rc::strong_count(one) > 1 || Rc::strong_count(other) > 1;
        after > LARGE && shared && !self.0.insert((Rc::as_ptr(one), Rc::as_ptr(other)))
    }
}

/// Whether something holds for a value or for one of its parts, each of them seen as the first function says.
pub(crate) fn any_part<'v>(
    value: &'v Value,
    seen: impl Fn(&'v Value) -> &'v Value,
    holds: impl Fn(&Value) -> bool,
) -> bool {
    let mut met: FxHashSet<*const Data> = FxHashSet::default();
    let mut pending: SmallVec<[&Value; 8]> = SmallVec::new();
    pending.push(value);
    let mut parts = 0;
    while let Some(value) = pending.pop() {
        let value = seen(value);
        if holds(value) {
            return true;
        }
        let Value::Data(data) = value else { continue };
        parts += 1;
        if parts <= LARGE || Rc::strong_count(data) == 1 || met.insert(Rc::as_ptr(data)) {
            pending.extend(&data.arguments);
        }
    }
    false
}

/// A digest of a large value, part by part.
pub(super) fn digest(value: &Rc<Data>, future: &impl Fn(Pid) -> u64) -> u128 {
    let mut known: FxHashMap<*const Data, u128> = FxHashMap::default();
    // A part, and whether the digests of its arguments are there, the last one on top.
    let mut pending: Vec<(&Rc<Data>, bool)> = vec![(value, false)];
    let mut digests: Vec<u128> = Vec::new();
    while let Some((data, ready)) = pending.pop() {
        if !ready {
            if let Some(&digest) = known.get(&Rc::as_ptr(data)) {
                digests.push(digest);
                continue;
            }
            pending.push((data, true));
            pending.extend(data.arguments.iter().filter_map(|argument| match argument {
                Value::Data(inner) => Some((inner, false)),
                _ => None,
            }));
            continue;
        }
        let mut mixer = Mixer::new(u64::from(data.constructor.0));
        for argument in &data.arguments {
            if let Value::Data(_) = argument {
                let digest = digests.pop().expect("arguments come before what they are in");
                mixer.add_two(digest as u64, (digest >> 64) as u64);
            } else {
                mix_leaf(argument, &mut mixer, future);
            }
        }
        let digest = mixer.finish();
        if Rc::strong_count(data) > 1 {
            known.insert(Rc::as_ptr(data), digest);
        }
        digests.push(digest);
    }
    digests.pop().expect("the value itself is the last")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use smallvec::SmallVec;

    use super::super::value::{equal_at, mix};
    use super::*;
    use crate::program::ConstructorId;

    fn pair(left: &Value, right: &Value) -> Value {
        Value::data(ConstructorId::CONS, SmallVec::from_buf([left.clone(), right.clone()]))
    }

    /// So many levels, each with two of the one below: one value in both places, or two.
    fn levels(count: u32, lowest: i64, shared: bool) -> Value {
        if count == 0 {
            return pair(&Value::Int(lowest), &Value::Null);
        }
        let left = levels(count - 1, lowest, shared);
        let right = if shared { left.clone() } else { levels(count - 1, lowest, shared) };
        pair(&left, &right)
    }

    fn digest_of(value: &Value) -> u128 {
        let mut mixer = Mixer::new(0);
        mix(value, &mut mixer);
        mixer.finish()
    }

    #[test]
    fn a_value_that_would_fill_any_memory_is_compared_and_digested() {
        let equal = |one, other| equal_at(one, other, &Cell::new(0));
        let (one, same, other) = (levels(80, 1, true), levels(80, 1, true), levels(80, 2, true));
        assert!(equal(&one, &same) && !equal(&one, &other));
        assert!(digest_of(&one) == digest_of(&same) && digest_of(&one) != digest_of(&other));
    }

    #[test]
    fn what_a_large_value_shares_does_not_change_its_digest() {
        for count in [3, 14, 15, 16, 17] {
            let (shared, written_out) = (levels(count, 1, true), levels(count, 1, false));
            assert_eq!(digest_of(&shared), digest_of(&written_out), "{count} levels");
            assert!(equal_at(&shared, &written_out, &Cell::new(0)));
        }
    }

    #[test]
    fn arguments_of_a_large_value_are_told_apart_by_their_places() {
        let deep = levels(17, 1, true);
        let small = pair(&Value::Int(3), &Value::Null);
        assert_ne!(digest_of(&pair(&deep, &small)), digest_of(&pair(&small, &deep)));
    }
}
