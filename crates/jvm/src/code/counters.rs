//! Counters that nobody reads.
//!
//! **Problem.** `while (!stop) n++;` is a loop that only looks, but the thread is never twice in the
//! same state: it has counted. It would be let run for ever (`run/spinning.rs`).
//!
//! **Idea.** A local variable whose value goes nowhere but into itself cannot be noticed, so it need
//! not be kept: a variable is only counted with if each of its loads is followed by a constant, an
//! addition or subtraction, and a store into the same variable. Its stores become pops and its
//! increments nothing.
//!
//! **Cost.** Two walks over the code when it is decoded; none when it runs.

use super::op::{Instruction, Op};

/// Forgets the variables of a method that are only counted with.
pub(super) fn forget(code: &mut [Instruction], local_words: u32) {
    let mut fates = vec![Fate::default(); local_words as usize];
    for at in 0..code.len() {
        let Instruction { op, a, .. } = code[at];
        let Some(fate) = fates.get_mut(a as usize) else { continue };
        match op {
            Op::Load if counts(&code[at..]) => fate.counted = true,
            Op::Load => fate.read = true,
            Op::Increment => fate.counted = true,
            _ => {}
        }
    }
    let forgotten = |a: u32| fates.get(a as usize).is_some_and(|fate| fate.counted && !fate.read);
    for instruction in code.iter_mut() {
        match instruction.op {
            Op::Load if forgotten(instruction.a) => *instruction = Instruction::new(Op::Constant),
            Op::Store if forgotten(instruction.a) => *instruction = Instruction::new(Op::Pop),
            Op::Increment if forgotten(instruction.a) => *instruction = Instruction::new(Op::Nop),
            _ => {}
        }
    }
}

/// What a method does with a variable.
#[derive(Clone, Copy, Default)]
struct Fate {
    /// It is counted up or down.
    counted: bool,
    /// Its value goes elsewhere.
    read: bool,
}

/// Whether code begins by adding a constant to a variable.
fn counts(code: &[Instruction]) -> bool {
    let [load, constant, sum, store, ..] = code else { return false };
    matches!(constant.op, Op::Constant | Op::ConstantWord)
        && matches!(sum.op, Op::IntAdd | Op::IntSubtract | Op::LongAdd | Op::LongSubtract)
        && store.op == Op::Store
        && store.a == load.a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ops(mut code: Vec<Instruction>) -> Vec<Op> {
        forget(&mut code, 4);
        code.iter().map(|instruction| instruction.op).collect()
    }

    #[test]
    fn what_is_only_counted_with_is_forgotten() {
        let sum = |first: u32, second: u32| {
            vec![
                Instruction::with2(Op::Increment, first, 1),
                Instruction::with(Op::Load, second),
                Instruction::with(Op::Constant, 1),
                Instruction::new(Op::LongAdd),
                Instruction::with(Op::Store, second),
            ]
        };
        assert_eq!(ops(sum(1, 2)), [Op::Nop, Op::Constant, Op::Constant, Op::LongAdd, Op::Pop]);
        let mut read = sum(1, 2);
        read.extend([Instruction::with(Op::Load, 1), Instruction::with(Op::Load, 2)]);
        let kept = read.iter().map(|instruction| instruction.op).collect::<Vec<_>>();
        assert_eq!(ops(read), kept);
    }

    #[test]
    fn a_sum_that_goes_into_another_variable_is_kept() {
        let code = vec![
            Instruction::with(Op::Load, 1),
            Instruction::with(Op::Constant, 1),
            Instruction::new(Op::IntAdd),
            Instruction::with(Op::Store, 2),
            Instruction::with2(Op::Increment, 1, 1),
        ];
        let kept = code.iter().map(|instruction| instruction.op).collect::<Vec<_>>();
        assert_eq!(ops(code), kept);
    }
}
