//! A digest of a thread's own state: its registers, its stack, the locks that it holds, and the objects
//! that it has made recently and that no other thread can reach.
//!
//! If a thread has the same digest at two stops, it would do the same from both, as long as it finds the
//! same values in shared memory. Objects are named by their address, and a loop that makes an iterator in
//! every round has it at another address each time. So *young* objects, those made since the thread's
//! chain of observations began, enter the digest by their content and are numbered in the order in which
//! they are met. Older objects that the thread has to itself enter by address: a write to one ends the
//! chain, so their content has not changed. After a step that has ended a chain in this way, all objects
//! that the thread has to itself count as young, as long as they are few: a loop may go on with what it
//! made in the round before.
//!
//! A word of the stack does not say whether it is a reference. A word is taken for one if its upper half
//! is the thread's own segment and its lower half points to young words.

use counterpoint_model::Op;
use smallvec::SmallVec;

use super::JavaRun;
use super::pending::PendingKind;
use crate::machine::Machine;
use crate::memory::{ARRAY_HEADER_WORDS, FROZEN, INTERNALS, Reference, SHARED, ThreadStatus};

/// With more young words than this there is no digest.
const YOUNG_WORDS_LIMIT: u32 = 2_000;

impl JavaRun<'_> {
    /// The digest of a thread whose objects from this word on are young, if it stands before something
    /// that can begin a round; else zero.
    pub(super) fn digest_of(&self, thread: usize, young: u32) -> u128 {
        let begins = match self.pending[thread].op {
            Op::Read(_) | Op::Update(_) | Op::Acquire(_) | Op::Resume { .. } => true,
            Op::Synchronise(_) => {
                !matches!(self.pending[thread].kind, PendingKind::Interrupt | PendingKind::Files(_))
            }
            _ => false,
        };
        let machine = &self.prepared().machine;
        if begins && machine.options.prune_loops { digest(machine, thread, young) } else { 0 }
    }
}

/// The digest of a thread; zero if the thread is not there or its young objects are too many.
pub(super) fn digest(machine: &Machine, thread: usize, young: u32) -> u128 {
    let Some(state) = machine.threads.get(thread) else { return 0 };
    let core = &state.core;
    let mut lanes = DigestSums(0x9E37_79B9_7F4A_7C15u64, 0xC2B2_AE3D_27D4_EB4Fu64);
    let waits = u64::from(core.status != ThreadStatus::Running);
    let pair = |one: u32, other: u32| u64::from(one) << 32 | u64::from(other);
    lanes.add_two(pair(core.method.0, core.pc), pair(core.base, core.sp));
    let flags = waits << 2 | u64::from(core.checked) << 1 | core.hidden.bits() << 32;
    lanes.add_two(u64::from(core.ticks) << 3 | flags, core.held);
    lanes.add_two(pair(core.children, core.drawn), pair(core.named, core.identified));
    let segment = thread as u32 + 2;
    let top = machine.heap.top(segment);
    let stack = &state.stack[..core.sp as usize];
    if young >= top {
        let (pairs, rest) = stack.as_chunks::<2>();
        pairs.iter().for_each(|&[one, other]| lanes.add_two(one, other));
        rest.iter().for_each(|&word| lanes.add(word));
        return lanes.result();
    }
    let mut objects = Young { segment, range: young..top, met: SmallVec::new() };
    for word in stack {
        objects.add(machine, *word, &mut lanes);
    }
    // What belongs to the thread is reached from its `Thread`, too.
    for field in ["threadLocals", "inheritableThreadLocals"] {
        let word = machine.get_field(state.object, field).unwrap_or(0);
        objects.add(machine, word, &mut lanes);
    }
    // Objects met on the way are appended, so that this ends when no new one is met.
    let (mut next, mut words) = (0, 0);
    while let Some(object) = objects.met.get(next).copied() {
        words += words_of(machine, object);
        if words > YOUNG_WORDS_LIMIT {
            return 0;
        }
        for word in 0..words_of(machine, object) {
            let word = machine.heap.load(object, word).unwrap_or(0);
            objects.add(machine, word, &mut lanes);
        }
        next += 1;
    }
    lanes.result()
}

/// The young objects of a thread in the order in which they are met.
struct Young {
    segment: u32,
    range: std::ops::Range<u32>,
    met: SmallVec<[Reference; 16]>,
}

impl Young {
    /// Adds a word: a young object by its number, anything else as it is.
    fn add(&mut self, machine: &Machine, word: u64, lanes: &mut DigestSums) {
        let object = Reference(word);
        let is_young = object.segment() == self.segment && self.range.contains(&object.offset());
        let header = if is_young { machine.heap.header(object) } else { None };
        match header {
            // The internals of a future or queue are changed by others, and by this thread only in steps
            // that are more than a look.
            Some(header) if !header.has(SHARED | INTERNALS | FROZEN) => {
                let known = self.met.iter().position(|met| *met == object);
                let number = known.unwrap_or_else(|| {
                    self.met.push(object);
                    self.met.len() - 1
                });
                lanes.add(0xFFFF_0000_0000_0000 | number as u64);
            }
            _ => lanes.add(word),
        }
    }
}

/// How many words an object has, its header included.
fn words_of(machine: &Machine, object: Reference) -> u32 {
    let Ok(class) = machine.class_of(object) else { return 1 };
    match machine.world.class(class).element() {
        Some((_, kind)) => {
            let bytes = u64::from(machine.heap.length(object).unwrap_or(0)) << kind.shift();
            ARRAY_HEADER_WORDS + bytes.div_ceil(8) as u32
        }
        None => machine.world.class(class).instance_words,
    }
}

/// Two sums of the same words.
struct DigestSums(u64, u64);

impl DigestSums {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = fold(self.0 ^ word, 0xA076_1D64_78BD_642F);
        self.1 = fold(self.1 ^ word.rotate_left(32), 0xE703_7ED1_A0B4_28DB);
    }

    /// Adds two words at the price of one. Each lane multiplies one by the other, in another way.
    #[inline]
    fn add_two(&mut self, one: u64, other: u64) {
        self.0 = fold(self.0 ^ one, other ^ 0xA076_1D64_78BD_642F);
        self.1 = fold(self.1 ^ other.rotate_left(32), one ^ 0xE703_7ED1_A0B4_28DB);
    }

    fn result(&self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1) | 1
    }
}

fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}
