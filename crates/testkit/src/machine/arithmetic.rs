//! Machine arithmetic on known values.

use crate::ast::Operator;

/// The value of an operation. Divisors are not zero: the builder has them checked.
pub(super) fn apply(operator: Operator, left: i32, right: i32) -> i32 {
    match operator {
        Operator::Add => left.wrapping_add(right),
        Operator::Subtract => left.wrapping_sub(right),
        Operator::Multiply => left.wrapping_mul(right),
        Operator::Divide => left.wrapping_div(right),
        Operator::Remainder => left.wrapping_rem(right),
        Operator::And => left & right,
        Operator::Or => left | right,
        Operator::Xor => left ^ right,
        Operator::ShiftLeft => left.wrapping_shl(right.cast_unsigned()),
        Operator::ShiftRight => left.wrapping_shr(right.cast_unsigned()),
        Operator::Equal => i32::from(left == right),
        Operator::Different => i32::from(left != right),
        Operator::Less => i32::from(left < right),
        Operator::AtMost => i32::from(left <= right),
        Operator::Greater => i32::from(left > right),
        Operator::AtLeast => i32::from(left >= right),
    }
}
