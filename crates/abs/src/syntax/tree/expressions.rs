//! Pure expressions and patterns.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::source::Span;

use super::{Identifier, Parameter, QualifiedName, TypeUse, Variable};

/// A pure expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it computes.
    pub kind: ExpressionKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of pure expressions.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A whole number.
    Integer(BigInt),
    /// A floating-point number.
    Float(f64),
    /// A string, with its escapes resolved.
    String(Arc<str>),
    /// A template string: texts (resolved) and holes in order.
    Template(Vec<TemplatePart>),
    /// `x` or `this.x`
    Variable(Variable),
    /// `this`
    This,
    /// `null`
    Null,
    /// `destiny`
    Destiny,
    /// `f(..)`
    Call {
        /// The function.
        function: QualifiedName,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// `f(g, (T x) => e)(..)`
    PartialCall {
        /// The partial function.
        function: QualifiedName,
        /// The functions it gets.
        functions: Vec<FunctionArgument>,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// `f[..]`: the function applied to the list of the arguments.
    ListCall {
        /// The function.
        function: QualifiedName,
        /// The elements of the list.
        elements: Vec<Expression>,
    },
    /// `C(..)` or `C`
    Construct {
        /// The constructor.
        constructor: QualifiedName,
        /// The arguments.
        arguments: Vec<Expression>,
        /// Whether parentheses were written.
        parentheses: bool,
    },
    /// `!e` or `-e`
    Unary(UnaryOperator, Box<Expression>),
    /// `a + b - c`: operators of one level, applied from left to right.
    Chain {
        /// The leftmost operand.
        first: Box<Expression>,
        /// Each further operator with its right operand.
        rest: Vec<(BinaryOperator, Expression)>,
    },
    /// `e implements I`
    Implements(Box<Expression>, QualifiedName),
    /// `e as I`
    Cast(Box<Expression>, QualifiedName),
    /// `when c then a else b`, or the older `if ..`
    Conditional {
        /// The condition.
        condition: Box<Expression>,
        /// The value when it holds.
        then: Box<Expression>,
        /// The value otherwise.
        otherwise: Box<Expression>,
    },
    /// `case e { .. }`
    Case {
        /// What is looked at.
        subject: Box<Expression>,
        /// The branches.
        branches: Vec<ExpressionBranch>,
    },
    /// `let T x = e, .. in b`
    Let {
        /// The bindings, each of which sees the earlier ones.
        bindings: Vec<Binding>,
        /// The value.
        body: Box<Expression>,
    },
    /// Something that could not be read; a message was reported.
    Error,
}

/// A piece of a template string.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Text.
    Text(Arc<str>),
    /// An expression whose `toString` is put in.
    Hole(Expression),
}

/// A function given to a partial function.
#[derive(Clone, Debug)]
pub enum FunctionArgument {
    /// A named one.
    Named(QualifiedName),
    /// `(T x, ..) => e`
    Anonymous {
        /// Its parameters.
        parameters: Vec<Parameter>,
        /// What it computes.
        body: Box<Expression>,
        /// All of it.
        span: Span,
    },
}

/// `pattern => expression`
#[derive(Clone, Debug)]
pub struct ExpressionBranch {
    /// The pattern.
    pub pattern: Pattern,
    /// The value.
    pub body: Expression,
}

/// One binding of a `let`.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The variable's type.
    pub type_use: TypeUse,
    /// The variable.
    pub name: Identifier,
    /// Its value.
    pub value: Expression,
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `!`, or the older `~`
    Not,
    /// `-`
    Negate,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The variants are the operators they are named after.
pub enum BinaryOperator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl BinaryOperator {
    /// The sign people write.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOperator::Or => "||",
            BinaryOperator::And => "&&",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Remainder => "%",
        }
    }
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it matches.
    pub kind: PatternKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of patterns.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`
    Anything,
    /// A whole number.
    Integer(BigInt),
    /// A string.
    String(Arc<str>),
    /// A name: a test for equality when it is already bound, a binding otherwise.
    Variable(Identifier),
    /// `C(..)` or `C`
    Construct {
        /// The constructor.
        constructor: QualifiedName,
        /// Patterns for its arguments.
        arguments: Vec<Pattern>,
    },
    /// Something that could not be read; a message was reported.
    Error,
}
