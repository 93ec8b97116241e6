//! Tables of the instructions that need no more than a row: what they do, pop and push.

use super::instruction::Opcode;
use crate::classfile::Kind;

/// Operation, kinds popped and kinds pushed of the instructions without operands, by opcode.
/// Kinds are the letters of descriptors, with `A` for references.
pub(super) const SIMPLE: &[(u8, Opcode, &str, &str)] = &[
    (0, Opcode::Nop, "", ""),
    (46, Opcode::LoadInt, "AI", "I"),
    (47, Opcode::LoadLong, "AI", "J"),
    (48, Opcode::LoadInt, "AI", "F"),
    (49, Opcode::LoadLong, "AI", "D"),
    (50, Opcode::LoadReference, "AI", "A"),
    (51, Opcode::LoadByte, "AI", "I"),
    (52, Opcode::LoadChar, "AI", "I"),
    (53, Opcode::LoadShort, "AI", "I"),
    (79, Opcode::StoreInt, "AII", ""),
    (80, Opcode::StoreLong, "AIJ", ""),
    (81, Opcode::StoreInt, "AIF", ""),
    (82, Opcode::StoreLong, "AID", ""),
    (83, Opcode::StoreReference, "AIA", ""),
    (84, Opcode::StoreByte, "AII", ""),
    (85, Opcode::StoreShort, "AII", ""),
    (86, Opcode::StoreShort, "AII", ""),
    (96, Opcode::IntAdd, "II", "I"),
    (97, Opcode::LongAdd, "JJ", "J"),
    (98, Opcode::FloatAdd, "FF", "F"),
    (99, Opcode::DoubleAdd, "DD", "D"),
    (100, Opcode::IntSubtract, "II", "I"),
    (101, Opcode::LongSubtract, "JJ", "J"),
    (102, Opcode::FloatSubtract, "FF", "F"),
    (103, Opcode::DoubleSubtract, "DD", "D"),
    (104, Opcode::IntMultiply, "II", "I"),
    (105, Opcode::LongMultiply, "JJ", "J"),
    (106, Opcode::FloatMultiply, "FF", "F"),
    (107, Opcode::DoubleMultiply, "DD", "D"),
    (108, Opcode::IntDivide, "II", "I"),
    (109, Opcode::LongDivide, "JJ", "J"),
    (110, Opcode::FloatDivide, "FF", "F"),
    (111, Opcode::DoubleDivide, "DD", "D"),
    (112, Opcode::IntRemainder, "II", "I"),
    (113, Opcode::LongRemainder, "JJ", "J"),
    (114, Opcode::FloatRemainder, "FF", "F"),
    (115, Opcode::DoubleRemainder, "DD", "D"),
    (116, Opcode::IntNegate, "I", "I"),
    (117, Opcode::LongNegate, "J", "J"),
    (118, Opcode::FloatNegate, "F", "F"),
    (119, Opcode::DoubleNegate, "D", "D"),
    (120, Opcode::IntShiftLeft, "II", "I"),
    (121, Opcode::LongShiftLeft, "JI", "J"),
    (122, Opcode::IntShiftRight, "II", "I"),
    (123, Opcode::LongShiftRight, "JI", "J"),
    (124, Opcode::IntShiftUnsigned, "II", "I"),
    (125, Opcode::LongShiftUnsigned, "JI", "J"),
    (126, Opcode::IntAnd, "II", "I"),
    (127, Opcode::LongAnd, "JJ", "J"),
    (128, Opcode::IntOr, "II", "I"),
    (129, Opcode::LongOr, "JJ", "J"),
    (130, Opcode::IntXor, "II", "I"),
    (131, Opcode::LongXor, "JJ", "J"),
    (133, Opcode::IntToLong, "I", "J"),
    (134, Opcode::IntToFloat, "I", "F"),
    (135, Opcode::IntToDouble, "I", "D"),
    (136, Opcode::LongToInt, "J", "I"),
    (137, Opcode::LongToFloat, "J", "F"),
    (138, Opcode::LongToDouble, "J", "D"),
    (139, Opcode::FloatToInt, "F", "I"),
    (140, Opcode::FloatToLong, "F", "J"),
    (141, Opcode::FloatToDouble, "F", "D"),
    (142, Opcode::DoubleToInt, "D", "I"),
    (143, Opcode::DoubleToLong, "D", "J"),
    (144, Opcode::DoubleToFloat, "D", "F"),
    (145, Opcode::IntToByte, "I", "I"),
    (146, Opcode::IntToChar, "I", "I"),
    (147, Opcode::IntToShort, "I", "I"),
    (148, Opcode::LongCompare, "JJ", "I"),
    (149, Opcode::FloatCompareLess, "FF", "I"),
    (150, Opcode::FloatCompareGreater, "FF", "I"),
    (151, Opcode::DoubleCompareLess, "DD", "I"),
    (152, Opcode::DoubleCompareGreater, "DD", "I"),
    (190, Opcode::ArrayLength, "A", "I"),
    (194, Opcode::MonitorEnter, "A", ""),
    (195, Opcode::MonitorExit, "A", ""),
];

/// Operation and kinds popped of the conditional jumps, by opcode from 153 on.
pub(super) const JUMPS: [(Opcode, &str); 14] = [
    (Opcode::IfZero, "I"),
    (Opcode::IfNotZero, "I"),
    (Opcode::IfNegative, "I"),
    (Opcode::IfNotNegative, "I"),
    (Opcode::IfPositive, "I"),
    (Opcode::IfNotPositive, "I"),
    (Opcode::IfIntEqual, "II"),
    (Opcode::IfIntNotEqual, "II"),
    (Opcode::IfIntLess, "II"),
    (Opcode::IfIntGreaterEqual, "II"),
    (Opcode::IfIntGreater, "II"),
    (Opcode::IfIntLessEqual, "II"),
    (Opcode::IfReferenceEqual, "AA"),
    (Opcode::IfReferenceNotEqual, "AA"),
];

/// Kinds of the typed load, store and return instructions, in the order of their opcodes.
pub(super) const KINDS: [Kind; 5] =
    [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference];

/// Whether operand `a` is the number of an instruction.
pub fn is_jump(op: Opcode) -> bool {
    op == Opcode::Goto || is_branch(op)
}

/// Whether it goes one of two ways.
pub fn is_branch(op: Opcode) -> bool {
    use Opcode::*;
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
