//! Strings.

use super::{Native, Reply, answer, local, object, zero};
use crate::machine::{Machine, Trap};

pub(super) static NATIVES: &[Native] = &[
    local("java/lang/String", "intern", "*", intern),
    local("java/lang/StringUTF16", "isBigEndian", "*", zero),
];

fn intern(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let string = machine.intern(object(arguments, 0)?)?;
    answer(string)
}
