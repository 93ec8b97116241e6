//! Instructions that only compute: with the operands on the stack, and nothing else.
//!
//! Each is a row of a table: its name, and its result as an expression of its operands. A table makes two
//! things, a function and a pattern of all its instructions for the `match` of the interpreter loop
//! (`run.rs`). The function is inlined there, where the compiler makes one jump of both choices.

use super::arithmetic::{compare, double, float, from_double, from_float, from_int, int};
use crate::code::Opcode;

macro_rules! table {
    (
        $(#[$comment:meta])*
        $name:ident, $pattern:ident, |$($operand:ident),+| -> $result:ty {
            $($opcode:ident => $value:expr,)+
        }
    ) => {
        $(#[$comment])*
        #[inline(always)]
        pub(super) fn $name(opcode: Opcode, $($operand: u64),+) -> $result {
            match opcode {
                $(Opcode::$opcode => $value,)+
                _ => unreachable!("{opcode:?} is not in this table"),
            }
        }

        macro_rules! $pattern {
            () => { $(Opcode::$opcode)|+ };
        }
        pub(super) use $pattern;
    };
}

table! {
    /// The result of an instruction with one operand.
    unary, unary_opcode, |a| -> u64 {
        IntNegate => from_int(int(a).wrapping_neg()),
        LongNegate => a.wrapping_neg(),
        FloatNegate => from_float(-float(a)),
        DoubleNegate => from_double(-double(a)),

        IntToLong => i64::from(int(a)) as u64,
        IntToFloat => from_float(int(a) as f32),
        IntToDouble => from_double(f64::from(int(a))),
        LongToInt => from_int(int(a)),
        LongToFloat => from_float(a as i64 as f32),
        LongToDouble => from_double(a as i64 as f64),
        FloatToInt => from_int(float(a) as i32),
        FloatToLong => float(a) as i64 as u64,
        FloatToDouble => from_double(f64::from(float(a))),
        DoubleToInt => from_int(double(a) as i32),
        DoubleToLong => double(a) as i64 as u64,
        DoubleToFloat => from_float(double(a) as f32),
        IntToByte => from_int(i32::from(int(a) as i8)),
        IntToChar => u64::from(int(a) as u16),
        IntToShort => from_int(i32::from(int(a) as i16)),
    }
}

table! {
    /// The result of an instruction with two operands.
    binary, binary_opcode, |a, b| -> u64 {
        IntAdd => from_int(int(a).wrapping_add(int(b))),
        IntSubtract => from_int(int(a).wrapping_sub(int(b))),
        IntMultiply => from_int(int(a).wrapping_mul(int(b))),
        IntShiftLeft => from_int(int(a).wrapping_shl(int(b) as u32)),
        IntShiftRight => from_int(int(a).wrapping_shr(int(b) as u32)),
        IntShiftUnsigned => u64::from((int(a) as u32).wrapping_shr(int(b) as u32)),
        IntAnd => a & b,
        IntOr => a | b,
        IntXor => a ^ b,

        LongAdd => a.wrapping_add(b),
        LongSubtract => a.wrapping_sub(b),
        LongMultiply => a.wrapping_mul(b),
        LongShiftLeft => a.wrapping_shl(int(b) as u32),
        LongShiftRight => (a as i64).wrapping_shr(int(b) as u32) as u64,
        LongShiftUnsigned => a.wrapping_shr(int(b) as u32),
        LongAnd => a & b,
        LongOr => a | b,
        LongXor => a ^ b,

        FloatAdd => from_float(float(a) + float(b)),
        FloatSubtract => from_float(float(a) - float(b)),
        FloatMultiply => from_float(float(a) * float(b)),
        FloatDivide => from_float(float(a) / float(b)),
        FloatRemainder => from_float(float(a) % float(b)),
        DoubleAdd => from_double(double(a) + double(b)),
        DoubleSubtract => from_double(double(a) - double(b)),
        DoubleMultiply => from_double(double(a) * double(b)),
        DoubleDivide => from_double(double(a) / double(b)),
        DoubleRemainder => from_double(double(a) % double(b)),

        LongCompare => compare(a as i64, b as i64, 0),
        FloatCompareLess => compare(float(a), float(b), -1),
        FloatCompareGreater => compare(float(a), float(b), 1),
        DoubleCompareLess => compare(double(a), double(b), -1),
        DoubleCompareGreater => compare(double(a), double(b), 1),
    }
}

table! {
    /// The result of a division of whole numbers, if it has one.
    division, division_opcode, |a, b| -> u64 {
        IntDivide => from_int(int(a).wrapping_div(int(b))),
        IntRemainder => from_int(int(a).wrapping_rem(int(b))),
        LongDivide => (a as i64).wrapping_div(b as i64) as u64,
        LongRemainder => (a as i64).wrapping_rem(b as i64) as u64,
    }
}

/// Whether a division by this has a result.
#[inline(always)]
pub(super) fn divides(opcode: Opcode, divisor: u64) -> bool {
    match opcode {
        Opcode::IntDivide | Opcode::IntRemainder => int(divisor) != 0,
        _ => divisor != 0,
    }
}

table! {
    /// Whether an instruction that looks at one operand jumps.
    test, test_opcode, |a| -> bool {
        IfZero => int(a) == 0,
        IfNotZero => int(a) != 0,
        IfNegative => int(a) < 0,
        IfNotNegative => int(a) >= 0,
        IfPositive => int(a) > 0,
        IfNotPositive => int(a) <= 0,
        IfNull => a == 0,
        IfNonNull => a != 0,
    }
}

table! {
    /// Whether an instruction that compares two operands jumps.
    comparison, comparison_opcode, |a, b| -> bool {
        IfIntEqual => int(a) == int(b),
        IfIntNotEqual => int(a) != int(b),
        IfIntLess => int(a) < int(b),
        IfIntGreaterEqual => int(a) >= int(b),
        IfIntGreater => int(a) > int(b),
        IfIntLessEqual => int(a) <= int(b),
        IfReferenceEqual => a == b,
        IfReferenceNotEqual => a != b,
    }
}

/// All instructions that move operands on the stack.
macro_rules! shuffle_opcode {
    () => {
        Opcode::Pop
            | Opcode::Pop2
            | Opcode::Duplicate
            | Opcode::DuplicateX1
            | Opcode::DuplicateX2
            | Opcode::Duplicate2
            | Opcode::Duplicate2X1
            | Opcode::Duplicate2X2
            | Opcode::Swap
    };
}
pub(super) use shuffle_opcode;

/// Moves operands on the stack, and says where it ends now.
#[inline(always)]
pub(super) fn shuffle<Word: Copy>(opcode: Opcode, stack: &mut [Word], sp: usize) -> usize {
    match opcode {
        Opcode::Pop => sp - 1,
        Opcode::Pop2 => sp - 2,
        Opcode::Duplicate => {
            stack[sp] = stack[sp - 1];
            sp + 1
        }
        Opcode::DuplicateX1 => {
            stack.copy_within(sp - 2..sp, sp - 1);
            stack[sp - 2] = stack[sp];
            sp + 1
        }
        Opcode::DuplicateX2 => {
            stack.copy_within(sp - 3..sp, sp - 2);
            stack[sp - 3] = stack[sp];
            sp + 1
        }
        Opcode::Duplicate2 => {
            stack.copy_within(sp - 2..sp, sp);
            sp + 2
        }
        Opcode::Duplicate2X1 => {
            stack.copy_within(sp - 3..sp, sp - 1);
            stack.copy_within(sp..sp + 2, sp - 3);
            sp + 2
        }
        Opcode::Duplicate2X2 => {
            stack.copy_within(sp - 4..sp, sp - 2);
            stack.copy_within(sp..sp + 2, sp - 4);
            sp + 2
        }
        _ => {
            stack.swap(sp - 1, sp - 2);
            sp
        }
    }
}

/// Moves what is known of words as an instruction moves the words, if it only does that.
pub(crate) fn shuffle_words(opcode: Opcode, words: &mut Vec<u32>, sp: usize) -> bool {
    let moves = matches!(opcode, shuffle_opcode!());
    if moves {
        words.resize(words.len().max(sp + 2), 0);
        shuffle(opcode, words, sp);
    }
    moves
}
