//! Tables of the instructions that need no more than a row: what they do, pop and push.

use super::op::Op;
use crate::classfile::Kind;

/// Operation, kinds popped and kinds pushed of the instructions without operands, by opcode.
/// Kinds are the letters of descriptors, with `A` for references.
pub(super) const SIMPLE: &[(u8, Op, &str, &str)] = &[
    (0, Op::Nop, "", ""),
    (46, Op::LoadInt, "AI", "I"),
    (47, Op::LoadLong, "AI", "J"),
    (48, Op::LoadInt, "AI", "F"),
    (49, Op::LoadLong, "AI", "D"),
    (50, Op::LoadReference, "AI", "A"),
    (51, Op::LoadByte, "AI", "I"),
    (52, Op::LoadChar, "AI", "I"),
    (53, Op::LoadShort, "AI", "I"),
    (79, Op::StoreInt, "AII", ""),
    (80, Op::StoreLong, "AIJ", ""),
    (81, Op::StoreInt, "AIF", ""),
    (82, Op::StoreLong, "AID", ""),
    (83, Op::StoreReference, "AIA", ""),
    (84, Op::StoreByte, "AII", ""),
    (85, Op::StoreShort, "AII", ""),
    (86, Op::StoreShort, "AII", ""),
    (96, Op::IntAdd, "II", "I"),
    (97, Op::LongAdd, "JJ", "J"),
    (98, Op::FloatAdd, "FF", "F"),
    (99, Op::DoubleAdd, "DD", "D"),
    (100, Op::IntSubtract, "II", "I"),
    (101, Op::LongSubtract, "JJ", "J"),
    (102, Op::FloatSubtract, "FF", "F"),
    (103, Op::DoubleSubtract, "DD", "D"),
    (104, Op::IntMultiply, "II", "I"),
    (105, Op::LongMultiply, "JJ", "J"),
    (106, Op::FloatMultiply, "FF", "F"),
    (107, Op::DoubleMultiply, "DD", "D"),
    (108, Op::IntDivide, "II", "I"),
    (109, Op::LongDivide, "JJ", "J"),
    (110, Op::FloatDivide, "FF", "F"),
    (111, Op::DoubleDivide, "DD", "D"),
    (112, Op::IntRemainder, "II", "I"),
    (113, Op::LongRemainder, "JJ", "J"),
    (114, Op::FloatRemainder, "FF", "F"),
    (115, Op::DoubleRemainder, "DD", "D"),
    (116, Op::IntNegate, "I", "I"),
    (117, Op::LongNegate, "J", "J"),
    (118, Op::FloatNegate, "F", "F"),
    (119, Op::DoubleNegate, "D", "D"),
    (120, Op::IntShiftLeft, "II", "I"),
    (121, Op::LongShiftLeft, "JI", "J"),
    (122, Op::IntShiftRight, "II", "I"),
    (123, Op::LongShiftRight, "JI", "J"),
    (124, Op::IntShiftUnsigned, "II", "I"),
    (125, Op::LongShiftUnsigned, "JI", "J"),
    (126, Op::IntAnd, "II", "I"),
    (127, Op::LongAnd, "JJ", "J"),
    (128, Op::IntOr, "II", "I"),
    (129, Op::LongOr, "JJ", "J"),
    (130, Op::IntXor, "II", "I"),
    (131, Op::LongXor, "JJ", "J"),
    (133, Op::IntToLong, "I", "J"),
    (134, Op::IntToFloat, "I", "F"),
    (135, Op::IntToDouble, "I", "D"),
    (136, Op::LongToInt, "J", "I"),
    (137, Op::LongToFloat, "J", "F"),
    (138, Op::LongToDouble, "J", "D"),
    (139, Op::FloatToInt, "F", "I"),
    (140, Op::FloatToLong, "F", "J"),
    (141, Op::FloatToDouble, "F", "D"),
    (142, Op::DoubleToInt, "D", "I"),
    (143, Op::DoubleToLong, "D", "J"),
    (144, Op::DoubleToFloat, "D", "F"),
    (145, Op::IntToByte, "I", "I"),
    (146, Op::IntToChar, "I", "I"),
    (147, Op::IntToShort, "I", "I"),
    (148, Op::LongCompare, "JJ", "I"),
    (149, Op::FloatCompareLess, "FF", "I"),
    (150, Op::FloatCompareGreater, "FF", "I"),
    (151, Op::DoubleCompareLess, "DD", "I"),
    (152, Op::DoubleCompareGreater, "DD", "I"),
    (190, Op::ArrayLength, "A", "I"),
    (194, Op::MonitorEnter, "A", ""),
    (195, Op::MonitorExit, "A", ""),
];

/// Operation and kinds popped of the conditional jumps, by opcode from 153 on.
pub(super) const JUMPS: [(Op, &str); 14] = [
    (Op::IfZero, "I"),
    (Op::IfNotZero, "I"),
    (Op::IfNegative, "I"),
    (Op::IfNotNegative, "I"),
    (Op::IfPositive, "I"),
    (Op::IfNotPositive, "I"),
    (Op::IfIntEqual, "II"),
    (Op::IfIntNotEqual, "II"),
    (Op::IfIntLess, "II"),
    (Op::IfIntGreaterEqual, "II"),
    (Op::IfIntGreater, "II"),
    (Op::IfIntLessEqual, "II"),
    (Op::IfReferenceEqual, "AA"),
    (Op::IfReferenceNotEqual, "AA"),
];

/// Kinds of the typed load, store and return instructions, in the order of their opcodes.
pub(super) const KINDS: [Kind; 5] =
    [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference];

/// Whether operand `a` is the number of an instruction.
pub fn is_jump(op: Op) -> bool {
    op == Op::Goto || is_branch(op)
}

/// Whether it goes one of two ways.
pub fn is_branch(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        IfZero
            | IfNotZero
            | IfNegative
            | IfNotNegative
            | IfPositive
            | IfNotPositive
            | IfIntEqual
            | IfIntNotEqual
            | IfIntLess
            | IfIntGreaterEqual
            | IfIntGreater
            | IfIntLessEqual
            | IfReferenceEqual
            | IfReferenceNotEqual
            | IfNull
            | IfNonNull
    )
}
