//! The operands, places and targets of an instruction, whichever it is.

use super::code::{Arguments, Instruction, JumpTarget, Operand, Place};

impl Instruction {
    /// The operands that stand in the instruction itself; those of its [`Arguments`] are not among them.
    pub fn operands_mut(&mut self) -> [Option<&mut Operand>; 2] {
        use Instruction as I;
        match self {
            I::Copy { from, .. } | I::Project { from, .. } => [Some(from), None],
            I::Unary { operand, .. } => [Some(operand), None],
            I::Binary { left, right, .. }
            | I::Compare { left, right, .. }
            | I::Test { left, right, .. } => [Some(left), Some(right)],
            I::Implements { object, .. } | I::Cast { object, .. } => [Some(object), None],
            I::Branch { condition, .. } | I::Assert { condition } => [Some(condition), None],
            I::TestConstructor { subject, .. } => [Some(subject), None],
            I::Return { value } | I::Yield { value } => [Some(value), None],
            I::Throw { exception, .. } | I::Die { exception } => [Some(exception), None],
            I::SetDeadline { duration } => [Some(duration), None],
            I::Send { callee, .. } | I::CallMethod { callee, .. } => [Some(callee), None],
            I::Get { future, .. } => [Some(future), None],
            I::Duration { minimum, maximum } => [Some(minimum), Some(maximum)],
            I::Construct { .. }
            | I::List { .. }
            | I::Call { .. }
            | I::TailCall { .. }
            | I::Builtin { .. }
            | I::Jump { .. }
            | I::Fail { .. }
            | I::New { .. }
            | I::CallOwn { .. }
            | I::Await { .. }
            | I::Suspend => [None, None],
        }
    }

    /// The operands that stand in the instruction itself.
    pub fn operands(mut self) -> [Option<Operand>; 2] {
        self.operands_mut().map(|operand| operand.copied())
    }

    /// Where it writes, if it writes at all.
    pub fn place_mut(&mut self) -> Option<&mut Place> {
        use Instruction as I;
        match self {
            I::Copy { to, .. }
            | I::Unary { to, .. }
            | I::Binary { to, .. }
            | I::Compare { to, .. }
            | I::Construct { to, .. }
            | I::List { to, .. }
            | I::Project { to, .. }
            | I::Implements { to, .. }
            | I::Cast { to, .. }
            | I::Call { to, .. }
            | I::Builtin { to, .. }
            | I::New { to, .. }
            | I::Send { to, .. }
            | I::CallMethod { to, .. }
            | I::CallOwn { to, .. }
            | I::Get { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Where it writes, if it writes at all.
    pub fn place(mut self) -> Option<Place> {
        self.place_mut().copied()
    }

    /// Where it may jump to.
    pub fn target_mut(&mut self) -> Option<&mut JumpTarget> {
        use Instruction as I;
        match self {
            I::Jump { target } => Some(target),
            I::Branch { otherwise, .. }
            | I::Test { otherwise, .. }
            | I::TestConstructor { otherwise, .. } => Some(otherwise),
            _ => None,
        }
    }

    /// The list of operands it reads besides its own.
    pub fn arguments(self) -> Option<Arguments> {
        use Instruction as I;
        match self {
            I::Construct { arguments, .. }
            | I::List { elements: arguments, .. }
            | I::Call { arguments, .. }
            | I::TailCall { arguments, .. }
            | I::Builtin { arguments, .. }
            | I::New { arguments, .. }
            | I::Send { arguments, .. }
            | I::CallMethod { arguments, .. }
            | I::CallOwn { arguments, .. } => Some(arguments),
            _ => None,
        }
    }

    /// Whether execution never goes on behind it.
    pub fn ends(self) -> bool {
        use Instruction as I;
        matches!(
            self,
            I::Jump { .. }
                | I::Return { .. }
                | I::Yield { .. }
                | I::TailCall { .. }
                | I::Fail { .. }
                | I::Throw { .. }
                | I::Die { .. }
        )
    }
}
