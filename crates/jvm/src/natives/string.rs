//! Strings.

use super::{Native, Reason, Reply, answer, local, object, zero};
use crate::machine::{Machine, Trap};

pub(super) static NATIVES: &[Native] = &[
    local(Reason::Computes, "java/lang/String", "intern", "*", intern),
    local(Reason::Constant, "java/lang/StringUTF16", "isBigEndian", "*", zero),
];

fn intern(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let string = machine.intern(object(arguments, 0)?)?;
    answer(string)
}
