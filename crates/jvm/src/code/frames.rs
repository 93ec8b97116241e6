//! Following what is known of words through the frames of a method, along all its paths.
//!
//! **Idea.** A frame holds something known of each word of locals and stack. Instructions change it, and where paths
//! meet, what is known is joined, until nothing changes. What is known, and how it is joined, is the affair of a
//! [`Follower`]. The code may not have been verified: what cannot be followed is given up.

use super::scan::Scanned;
use super::verify::Shuffle;
use super::{Opcode, is_jump};
use crate::classfile::{ClassFile, MethodInfo};

/// What is known of the words of a frame. A wide word is one on the stack, and the first of two in the locals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame<W> {
    pub(super) stack: Vec<W>,
    pub(super) locals: Vec<W>,
}

/// What is known of a word.
pub(super) trait Word: Copy + PartialEq {
    /// Whether it is a `long` or a `double`.
    fn is_wide(self) -> bool;
}

/// Who knows what instructions do to words.
pub(super) trait Follower {
    /// What is known of a word.
    type Word: Word;

    /// Changes a frame as an instruction does; none if that cannot be followed.
    fn apply(&mut self, at: usize, frame: &mut Frame<Self::Word>) -> Option<()>;

    /// What is known of a word, given by its number in the frame, where paths meet.
    fn join(&mut self, at: usize, number: usize, known: Self::Word, new: Self::Word) -> Self::Word;

    /// What is known of a caught exception.
    fn caught(&self) -> Self::Word;

    /// Whether nothing more needs to be known.
    fn is_done(&self) -> bool {
        false
    }
}

/// Follows a method from its first frame; none if it cannot be followed, or not within a number of steps.
pub(super) fn follow<F: Follower>(
    follower: &mut F,
    scanned: &Scanned,
    first: Frame<F::Word>,
    limit: usize,
) -> Option<()> {
    let mut frames = vec![None; scanned.items.len()];
    *frames.first_mut()? = Some(first);
    let mut work = vec![0];
    let mut spent = 0;
    while let Some(at) = work.pop() {
        spent += 1;
        if spent > limit {
            return None;
        }
        let mut frame: Frame<F::Word> = frames.get(at)?.clone()?;
        for handler in &scanned.handlers {
            if (handler.start..handler.end).contains(&(at as u32)) {
                let stack = vec![follower.caught()];
                let caught = Frame { stack, locals: frame.locals.clone() };
                merge(follower, &mut frames, &mut work, handler.target as usize, &caught)?;
            }
        }
        follower.apply(at, &mut frame)?;
        if follower.is_done() {
            return Some(());
        }
        for next in next(scanned, at) {
            merge(follower, &mut frames, &mut work, next, &frame)?;
        }
    }
    Some(())
}

/// The byte of an instruction that says what it does.
pub(super) fn opcode(
    file: &ClassFile,
    method: &MethodInfo,
    scanned: &Scanned,
    at: usize,
) -> Option<u8> {
    let start = method.code.as_ref()?.code.start;
    file.bytes.get(start + usize::from(*scanned.offsets.get(at)?)).copied()
}

fn next(scanned: &Scanned, at: usize) -> Vec<usize> {
    let instruction = scanned.items[at].instruction;
    match instruction.op {
        Opcode::Return | Opcode::ReturnWord | Opcode::Throw => Vec::new(),
        Opcode::Goto => vec![instruction.a as usize],
        Opcode::Switch => {
            let places = scanned.switches[instruction.a as usize].places();
            places.into_iter().map(|place| place as usize).collect()
        }
        op if is_jump(op) => vec![at + 1, instruction.a as usize],
        _ => vec![at + 1],
    }
}

fn merge<F: Follower>(
    follower: &mut F,
    frames: &mut [Option<Frame<F::Word>>],
    work: &mut Vec<usize>,
    at: usize,
    frame: &Frame<F::Word>,
) -> Option<()> {
    match frames.get_mut(at)? {
        place @ None => {
            *place = Some(frame.clone());
            work.push(at);
        }
        Some(known) => {
            if known.stack.len() != frame.stack.len() {
                return None;
            }
            let mut changed = false;
            let locals = known.locals.iter_mut().zip(&frame.locals);
            let words = locals.chain(known.stack.iter_mut().zip(&frame.stack));
            for (number, (known, new)) in words.enumerate() {
                if known != new {
                    let joined = follower.join(at, number, *known, *new);
                    changed |= joined != *known;
                    *known = joined;
                }
            }
            if changed {
                work.push(at);
            }
        }
    }
    Some(())
}

/// A stack instruction; a wide word counts twice.
pub(super) fn rearrange<W: Word>(stack: &mut Vec<W>, shuffle: Shuffle) -> Option<()> {
    let words = |stack: &[W], slots: usize| -> Option<usize> {
        let (mut taken, mut left) = (0, slots);
        while left > 0 {
            let word = stack.get(stack.len().checked_sub(taken + 1)?)?;
            left = left.checked_sub(if word.is_wide() { 2 } else { 1 })?;
            taken += 1;
        }
        Some(taken)
    };
    let (take, under) = match shuffle {
        Shuffle::Pop => (1, None),
        Shuffle::Pop2 => (2, None),
        Shuffle::Dup => (1, Some(0)),
        Shuffle::DupX1 => (1, Some(1)),
        Shuffle::DupX2 => (1, Some(2)),
        Shuffle::Dup2 => (2, Some(0)),
        Shuffle::Dup2X1 => (2, Some(1)),
        Shuffle::Dup2X2 => (2, Some(2)),
        Shuffle::Swap => {
            let depth = stack.len();
            let below = depth.checked_sub(2)?;
            stack.swap(depth - 1, below);
            return Some(());
        }
    };
    let count = words(stack, take)?;
    let place = stack.len() - count;
    let Some(under) = under else {
        stack.truncate(place);
        return Some(());
    };
    let below = words(&stack[..place], under)?;
    let taken: Vec<W> = stack[place..].to_vec();
    stack.splice(place - below..place - below, taken);
    Some(())
}
