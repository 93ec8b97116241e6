//! Statements, guards and effects.

use crate::source::Span;

use super::{Annotation, Expression, Identifier, Pattern, QualifiedName, TypeUse};

/// Statements in braces.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Annotations in front of it.
    pub annotations: Vec<Annotation>,
    /// What it does.
    pub kind: StatementKind,
    /// All of it, without the annotations.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `T x;` or `T x = e;`
    Declare {
        /// The variable's type.
        type_use: TypeUse,
        /// The variable.
        name: Identifier,
        /// Its first value.
        value: Option<Computation>,
    },
    /// `x = e;` or `this.x = e;`
    Assign {
        /// What is assigned to.
        target: Variable,
        /// The new value.
        value: Computation,
    },
    /// `skip;`
    Skip,
    /// `return e;`
    Return(Computation),
    /// `assert e;`
    Assert(Computation),
    /// A block.
    Block(Block),
    /// `if (c) s else t`
    If {
        /// The condition.
        condition: Expression,
        /// What is done when it holds.
        then: Box<Statement>,
        /// What is done otherwise.
        otherwise: Option<Box<Statement>>,
    },
    /// `while (c) s`
    While {
        /// The condition.
        condition: Expression,
        /// What is repeated.
        body: Box<Statement>,
    },
    /// `foreach (x, i in list) s`
    ForEach {
        /// The element.
        element: Identifier,
        /// Its number, from zero.
        index: Option<Identifier>,
        /// The list.
        list: Expression,
        /// What is repeated.
        body: Box<Statement>,
    },
    /// `switch (e) { .. }`, or the older `case e { .. }`
    Switch {
        /// What is looked at.
        subject: Expression,
        /// The branches.
        branches: Vec<StatementBranch>,
    },
    /// `try s catch { .. } finally t`
    Try {
        /// What may fail.
        body: Box<Statement>,
        /// What is done for which exception.
        catches: Vec<StatementBranch>,
        /// What is done in any case.
        finally: Option<Box<Statement>>,
    },
    /// `throw e;`
    Throw(Expression),
    /// `die e;`
    Die(Expression),
    /// `await g;`
    Await(Guard),
    /// `suspend;`
    Suspend,
    /// `duration(min, max);`
    Duration(Expression, Expression),
    /// `e;`
    Compute(Computation),
    /// A statement that could not be read, or is out of scope; a message was reported.
    Error,
}

/// `pattern => statement`
#[derive(Clone, Debug)]
pub struct StatementBranch {
    /// The pattern.
    pub pattern: Pattern,
    /// What is done.
    pub body: Statement,
}

/// A variable or an own field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Whether `this.` stands before it, which makes it a field.
    pub this: bool,
    /// Its name.
    pub name: Identifier,
    /// All of it.
    pub span: Span,
}

/// What an `await` waits for: all of the parts of a conjunction.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The parts, in order.
    pub parts: Vec<GuardPart>,
    /// All of it.
    pub span: Span,
}

/// One part of a guard.
#[derive(Clone, Debug)]
pub enum GuardPart {
    /// `f?`
    Future(Variable),
    /// `duration(min, max)`
    Duration(Expression, Expression, Span),
    /// A Boolean expression.
    Condition(Expression),
}

/// The right side of a declaration, assignment or `return`, or a statement of its own: pure or not.
#[derive(Clone, Debug)]
pub enum Computation {
    /// A pure expression.
    Pure(Expression),
    /// An effect.
    Effect(Effect),
}

impl Computation {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Computation::Pure(expression) => expression.span,
            Computation::Effect(effect) => effect.span,
        }
    }
}

/// An expression that does something. Effects never nest: callee and arguments are pure.
#[derive(Clone, Debug)]
pub struct Effect {
    /// What it does.
    pub kind: EffectKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of effects.
#[derive(Clone, Debug)]
pub enum EffectKind {
    /// `f.get`
    Get(Expression),
    /// `new C(..)`
    New {
        /// Where the object is to live.
        place: Place,
        /// Its class.
        class: QualifiedName,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// `o!m(..)`
    AsyncCall(Call),
    /// `await o!m(..)`
    AwaitCall(Call),
    /// `o.m(..)`
    SyncCall(Call),
    /// `original(..)` in a trait's replacement of a method.
    Original(Vec<Expression>),
}

/// How an object creation is spelled. What [`Place::Bare`] means depends on the model's generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `new C()`
    Bare,
    /// `new cog C()`, the old spelling for a cog of its own
    Cog,
    /// `new local C()`, today's spelling for the creator's cog
    Local,
}

/// A method call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The object.
    pub callee: Expression,
    /// The method.
    pub method: Identifier,
    /// The arguments.
    pub arguments: Vec<Expression>,
}
