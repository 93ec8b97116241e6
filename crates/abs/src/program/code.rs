//! Bodies and instructions. How they fit together is told in the [module header](super).

use std::sync::Arc;

use crate::source::Span;

use super::ids::{
    ClassId, ConstantId, ConstructorId, FieldId, FunctionId, GuardId, InterfaceId, MethodId,
    SelectorId, SlotId,
};
use super::types::{Builtin, Type};

/// An index into [`Body::code`].
pub type JumpTarget = u32;

/// A piece of code with its tables.
#[derive(Clone, Debug)]
pub struct Body {
    /// What it is the code of.
    pub owner: BodyOwner,
    /// How many arguments it gets, in the first slots.
    pub parameters: u16,
    /// How many slots are variables, parameters included.
    pub locals: u16,
    /// How many slots a frame has in all.
    pub slots: u16,
    /// The variables in order of their slots; [`Body::locals`] of them.
    pub variables: Vec<Variable>,
    /// The instructions. Execution starts at the first one and always meets a `Return`, `TailCall`, `Throw`,
    /// `Die` or `Fail` before the end of the list.
    pub code: Vec<Instruction>,
    /// For each instruction, the expression or statement it comes from.
    pub spans: Vec<Span>,
    /// For each instruction, the index of its statement in [`Body::statements`].
    pub sites: Vec<u32>,
    /// The statements, in textual order. The first stands for the body as a whole: a function has no other.
    pub statements: Vec<Site>,
    /// What [`Arguments`] point into.
    pub operands: Vec<Operand>,
    /// What the body waits for.
    pub guards: Vec<Guard>,
    /// Where exceptions are caught, inner ones before outer ones.
    pub handlers: Vec<Handler>,
    /// Where it stands in the source.
    pub span: Span,
}

impl Body {
    /// The operands of a call.
    pub fn arguments(&self, arguments: Arguments) -> &[Operand] {
        let start = arguments.start as usize;
        &self.operands[start..start + arguments.count as usize]
    }

    /// The handler for an exception raised at an instruction.
    pub fn handler(&self, instruction: JumpTarget) -> Option<&Handler> {
        self.handlers
            .iter()
            .find(|handler| handler.start <= instruction && instruction < handler.end)
    }
}

/// What a body is the code of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyOwner {
    /// A function.
    Function(FunctionId),
    /// A method.
    Method(MethodId),
    /// The field initialisers and init block of a class.
    Init(ClassId),
    /// The recover block of a class.
    Recover(ClassId),
    /// The main block.
    Main,
}

/// A variable of a body.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; hidden ones, which the compiler has added, have none.
    pub name: Option<Arc<str>>,
    /// Its type.
    pub value_type: Type,
}

/// A statement, for traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where it stands. For `if`, `while` and the like this is the head, without the statements inside.
    pub span: Span,
}

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A slot of the frame.
    Slot(SlotId),
    /// A field of `this`.
    Field(FieldId),
    /// A constant.
    Constant(ConstantId),
    /// `this`
    This,
    /// `destiny`: the future of the running task.
    Destiny,
}

/// Where an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Nowhere.
    Nowhere,
    /// A slot of the frame.
    Slot(SlotId),
    /// A field of `this`.
    Field(FieldId),
}

/// Consecutive elements of [`Body::operands`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arguments {
    /// The first one.
    pub start: u32,
    /// How many there are.
    pub count: u16,
}

/// What a computation of numbers is about. `Integer` promises two whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticKind {
    /// Both operands are `Int`.
    Integer,
    /// At least one operand is a `Rat`.
    Rational,
    /// Both operands are `Float`.
    Float,
}

/// An operation on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperation {
    /// `+`
    Add(ArithmeticKind),
    /// `-`
    Subtract(ArithmeticKind),
    /// `*`
    Multiply(ArithmeticKind),
    /// `/`: of integers, too, the result is a `Rat`. By zero it raises `DivisionByZeroException`.
    Divide(ArithmeticKind),
    /// `%`, with the sign of the left operand. By zero it raises `DivisionByZeroException`.
    Remainder(ArithmeticKind),
    /// `+` of strings.
    Concatenate,
}

/// An operation on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperation {
    /// `-`
    Negate(ArithmeticKind),
    /// `!`
    Not,
    /// A `Rat` rounded toward zero where older models expect an `Int`.
    Truncate,
}

/// A comparison: structural for data, by identity for objects and futures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// Where a new object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewPlace {
    /// In a cog of its own.
    OwnCog,
    /// In the cog of the task that creates it.
    SameCog,
}

/// An error the code itself has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// No branch matches, or an accessor was applied to another constructor: `PatternMatchFailException`.
    NoMatch,
}

/// One step of a body. The jump targets of tests are taken when the test does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The operands are named after their roles.
pub enum Instruction {
    /// Copies a value.
    Copy { to: Place, from: Operand },
    /// Computes with one operand.
    Unary { operation: UnaryOperation, to: Place, operand: Operand },
    /// Computes with two operands.
    Binary { operation: BinaryOperation, to: Place, left: Operand, right: Operand },
    /// Compares two values; the result is a `Bool`.
    Compare { comparison: Comparison, to: Place, left: Operand, right: Operand },
    /// Builds a data value. A constructor without arguments is a constant instead.
    Construct { to: Place, constructor: ConstructorId, arguments: Arguments },
    /// Builds a list; not of constants only.
    List { to: Place, elements: Arguments },
    /// Reads an argument of a data value that is known to have it.
    Project { to: Place, from: Operand, index: u16 },
    /// Whether an object implements an interface; null implements none.
    Implements { to: Place, object: Operand, interface: InterfaceId },
    /// The object if it implements the interface, otherwise null.
    Cast { to: Place, object: Operand, interface: InterfaceId },
    /// Calls a function.
    Call { to: Place, function: FunctionId, arguments: Arguments },
    /// Replaces the frame by a call of a function.
    TailCall { function: FunctionId, arguments: Arguments },
    /// Computes a builtin function.
    Builtin { to: Place, builtin: Builtin, arguments: Arguments },

    /// Goes on elsewhere.
    Jump { target: JumpTarget },
    /// Goes on if a `Bool` is `True`.
    Branch { condition: Operand, otherwise: JumpTarget },
    /// Goes on if a comparison holds.
    Test { comparison: Comparison, left: Operand, right: Operand, otherwise: JumpTarget },
    /// Goes on if a data value has that constructor.
    TestConstructor { subject: Operand, constructor: ConstructorId, otherwise: JumpTarget },
    /// Leaves the body with a value.
    Return { value: Operand },
    /// Ends the code of a guard's condition.
    Yield { value: Operand },
    /// Raises an exception of the machine's.
    Fail { failure: Failure },
    /// Raises `AssertionFailException` unless the value is `True`.
    Assert { condition: Operand },
    /// Raises an exception; or raises one again that a handler did not take, or after a `finally`. Then its
    /// variable is that of the handler, and it is told where it was raised first.
    Throw { exception: Operand, again: bool },
    /// Kills the object with an exception.
    Die { exception: Operand },

    /// Creates an object.
    New { to: Place, class: ClassId, place: NewPlace, arguments: Arguments },
    /// Sets the relative deadline (a `Duration`) of the task that the next `Send` of this frame creates.
    SetDeadline { duration: Operand },
    /// Calls a method asynchronously; the result is the future.
    Send { to: Place, callee: Operand, selector: SelectorId, arguments: Arguments },
    /// Calls a method of any object and waits for the result.
    CallMethod { to: Place, callee: Operand, selector: SelectorId, arguments: Arguments },
    /// Calls a method of `this`.
    CallOwn { to: Place, method: MethodId, arguments: Arguments },
    /// Reads a future, blocking the cog until it is resolved.
    Get { to: Place, future: Operand },
    /// Waits for a guard, releasing the cog.
    Await { guard: GuardId },
    /// Releases the cog.
    Suspend,
    /// Lets time pass, blocking the cog.
    Duration { minimum: Operand, maximum: Operand },
}

/// What an `Await` waits for: all parts at once.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The parts, in textual order.
    pub parts: Vec<GuardPart>,
    /// The fields of `this` it reads, in order of their numbers.
    pub reads: Vec<FieldId>,
    /// Where it stands.
    pub span: Span,
}

/// A part of a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardPart {
    /// A future, in a variable or a field; the field is read again each time.
    Future(Operand),
    /// A `Bool` in a variable or a field, or a constant.
    Value(Operand),
    /// A condition whose code starts there and ends with `Yield`.
    Condition(JumpTarget),
    /// An amount of time, evaluated when the `Await` is reached.
    Duration {
        /// The least.
        minimum: Operand,
        /// The most.
        maximum: Operand,
    },
}

/// A range of instructions whose exceptions are caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The first instruction of the range.
    pub start: JumpTarget,
    /// The instruction behind the range.
    pub end: JumpTarget,
    /// Where to go on.
    pub target: JumpTarget,
    /// Where to put the exception.
    pub slot: SlotId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_fits_into_half_a_cache_line() {
        assert!(size_of::<Instruction>() <= 32);
    }
}
