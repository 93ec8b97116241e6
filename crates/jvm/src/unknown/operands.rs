//! Which operands an instruction looks at as numbers, and so must not be handed a token.

use super::is_unknown;
use crate::code::{Instruction, Opcode};

/// The operands that an operation takes for numbers: bit `n` is the `n`th from the top.
const fn looked_at(op: Opcode) -> u8 {
    use Opcode::*;
    match op {
        IntAdd | IntSubtract | IntMultiply | IntDivide | IntRemainder | IntShiftLeft
        | IntShiftRight | IntShiftUnsigned | IntAnd | IntOr | IntXor | LongAdd | LongSubtract
        | LongMultiply | LongDivide | LongRemainder | LongShiftLeft | LongShiftRight
        | LongShiftUnsigned | LongAnd | LongOr | LongXor | LongCompare | IfIntEqual
        | IfIntNotEqual | IfIntLess | IfIntGreaterEqual | IfIntGreater | IfIntLessEqual => 0b11,
        IntNegate | LongNegate | IntToLong | IntToFloat | IntToDouble | LongToInt | LongToFloat
        | LongToDouble | IntToByte | IntToChar | IntToShort | IfZero | IfNotZero | IfNegative
        | IfNotNegative | IfPositive | IfNotPositive | Switch | NewArray | SelectCase => 0b1,
        LoadByte | LoadChar | LoadShort | LoadInt | LoadLong | LoadReference => 0b1,
        StoreByte | StoreShort | StoreInt | StoreLong | StoreReference => 0b10,
        _ => 0,
    }
}

/// Whether an instruction would look at a token among its operands or, for an increment, in its
/// local.
#[inline(always)]
pub(crate) fn meets_unknown(
    instruction: Instruction,
    stack: &[u64],
    base: usize,
    sp: usize,
) -> bool {
    let looked = looked_at(instruction.op);
    if looked & 0b1 != 0 && is_unknown(stack[sp - 1])
        || looked & 0b10 != 0 && is_unknown(stack[sp - 2])
    {
        return true;
    }
    match instruction.op {
        Opcode::Increment => is_unknown(stack[base + instruction.a as usize]),
        // Any number of operands.
        Opcode::MultiArray | Opcode::Concatenate | Opcode::InvokeVarHandle => {
            stack[sp - usize::from(instruction.b)..sp].iter().any(|word| is_unknown(*word))
        }
        _ => false,
    }
}
