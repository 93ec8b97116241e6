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

use super::instruction::{Instruction, Opcode};

/// Forgets the variables of a method that are only counted with.
pub(super) fn forget(code: &mut [Instruction], local_words: u32) {
    let mut fates = vec![Fate::default(); local_words as usize];
    for at in 0..code.len() {
        let Instruction { op, a, .. } = code[at];
        let Some(fate) = fates.get_mut(a as usize) else { continue };
        match op {
            Opcode::Load if counts(&code[at..]) => fate.counted = true,
            Opcode::Load => fate.read = true,
            Opcode::Increment => fate.counted = true,
            _ => {}
        }
    }
    let forgotten = |a: u32| fates.get(a as usize).is_some_and(|fate| fate.counted && !fate.read);
    for instruction in code.iter_mut() {
        match instruction.op {
            Opcode::Load if forgotten(instruction.a) => {
                *instruction = Instruction::new(Opcode::Constant)
            }
            Opcode::Store if forgotten(instruction.a) => {
                *instruction = Instruction::new(Opcode::Pop)
            }
            Opcode::Increment if forgotten(instruction.a) => {
                *instruction = Instruction::new(Opcode::Nop)
            }
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
    matches!(constant.op, Opcode::Constant | Opcode::ConstantWord)
        && matches!(
            sum.op,
            Opcode::IntAdd | Opcode::IntSubtract | Opcode::LongAdd | Opcode::LongSubtract
        )
        && store.op == Opcode::Store
        && store.a == load.a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ops(mut code: Vec<Instruction>) -> Vec<Opcode> {
        forget(&mut code, 4);
        code.iter().map(|instruction| instruction.op).collect()
    }

    #[test]
    fn what_is_only_counted_with_is_forgotten() {
        let sum = |first: u32, second: u32| {
            vec![
                Instruction::with2(Opcode::Increment, first, 1),
                Instruction::with(Opcode::Load, second),
                Instruction::with(Opcode::Constant, 1),
                Instruction::new(Opcode::LongAdd),
                Instruction::with(Opcode::Store, second),
            ]
        };
        assert_eq!(
            ops(sum(1, 2)),
            [Opcode::Nop, Opcode::Constant, Opcode::Constant, Opcode::LongAdd, Opcode::Pop]
        );
        let mut read = sum(1, 2);
        read.extend([Instruction::with(Opcode::Load, 1), Instruction::with(Opcode::Load, 2)]);
        let kept = read.iter().map(|instruction| instruction.op).collect::<Vec<_>>();
        assert_eq!(ops(read), kept);
    }

    #[test]
    fn a_sum_that_goes_into_another_variable_is_kept() {
        let code = vec![
            Instruction::with(Opcode::Load, 1),
            Instruction::with(Opcode::Constant, 1),
            Instruction::new(Opcode::IntAdd),
            Instruction::with(Opcode::Store, 2),
            Instruction::with2(Opcode::Increment, 1, 1),
        ];
        let kept = code.iter().map(|instruction| instruction.op).collect::<Vec<_>>();
        assert_eq!(ops(code), kept);
    }
}
