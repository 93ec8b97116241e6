//! The lowered form of a model: resolved, typed, and ready to be run step by step.
//!
//! Nothing in here is looked up by name while a model runs. Classes, methods, functions, constructors and
//! constants are numbers into the tables of [`Model`]; a variable is a slot of its frame, a field a slot of
//! its object; literal values stand in one table from which a machine builds its own values once.
//!
//! # Bodies
//!
//! All code has one shape, a [`Body`]: that of functions, methods, init and recover blocks and the main
//! block. It is a flat list of [`Instruction`]s for a register machine, so that a run can stop between any
//! two of them and its whole state is a stack of frames (body, next instruction, slots). Nothing needs the
//! host's stack: pure function calls are frames, too.
//!
//! - A frame has `slots` slots. The first `parameters` of them hold the arguments. Those below `locals` are
//!   variables, declared or hidden; those from `locals` on are temporaries. **Temporaries are dead wherever a
//!   task can stop** (`Await`, `Get`, `Suspend`, `Duration`, `CallMethod`, `CallOwn`, `New`), so a machine
//!   needs to save and restore variables only.
//! - Every instruction reads [`Operand`]s and writes at most one [`Place`]. Operands are evaluated when the
//!   instruction is executed, from left to right; they cannot fail.
//! - Control flow is by index into the list. `Test` and its relatives fall through when they hold and jump
//!   otherwise. `&&`, `||`, conditionals, `case`, patterns, `foreach`, template strings, `let` and accessors
//!   have all become tests, jumps and copies.
//! - An exception is looked up in [`Body::handlers`] by the instruction that raised it; in the frames below,
//!   by the call they stand at. The first handler whose range contains it takes it, and without one it leaves
//!   the frame. `finally` is compiled into every way out.
//! - `x = await o!m();` has become `Send`, `Await`, `Get` with a hidden variable for the future.
//!
//! Two parallel lists give each instruction its place: [`Body::spans`] the exact expression, for messages,
//! and [`Body::sites`] the statement it belongs to, for traces.
//!
//! # Guards
//!
//! `Await` names a [`Guard`] of its body: a conjunction of futures, durations and conditions. The code of a
//! condition lies behind the rest of the body, is entered at its own index, runs on the waiting frame, may
//! write temporaries only, calls only functions, and ends with `Yield`. It can thus be evaluated again and
//! again while the task sleeps. An exception in it counts as raised by the `Await`.
//!
//! # Objects
//!
//! The slots of an object are the parameters of its class, then the fields in textual order. Creating one:
//! fill the parameters with the arguments and the rest with null, run [`Class::init`] with `this` bound
//! (field initialisers and the init block; it cannot stop), then post [`Class::run`] if there is one.
//! A method call finds its method in [`Class::methods`] by [`SelectorId`]; the checker has made sure that it
//! is there. [`Class::recover`] gets the exception as its argument and returns `True` if a branch took it.

mod code;
mod expectation;
mod ids;
mod listing;
mod types;
mod visit;

pub use code::{
    Arguments, ArithmeticKind, BinaryOperation, Body, BodyOwner, Comparison, Failure, Guard,
    GuardPart, Handler, Instruction, JumpTarget, NewPlace, Operand, Place, Site, UnaryOperation,
    Variable,
};
pub use expectation::{Expectation, StatePath, StateRoot};
pub use ids::{
    BodyId, ClassId, ConstantId, ConstructorId, DataTypeId, FieldId, FunctionId, GuardId,
    InterfaceId, MethodId, SelectorId, SlotId,
};
pub use types::{Builtin, Type};

use std::sync::Arc;

use num_bigint::BigInt;

use crate::machine::Facts;
use crate::source::{Sources, Span};

/// A whole model, ready to run.
#[derive(Clone, Debug)]
pub struct Model {
    /// The files, those of the library first, then the user's.
    pub sources: Sources,
    /// How a bare `new` was read.
    pub generation: Generation,
    /// The data types, predefined ones included.
    pub data_types: Vec<DataType>,
    /// The constructors of all data types and all exceptions.
    pub constructors: Vec<Constructor>,
    /// Literal values.
    pub constants: Vec<Constant>,
    /// The functions that can be reached, partial functions expanded.
    pub functions: Vec<Function>,
    /// The interfaces.
    pub interfaces: Vec<Interface>,
    /// The classes.
    pub classes: Vec<Class>,
    /// The methods of all classes.
    pub methods: Vec<Method>,
    /// The names of methods.
    pub selectors: Vec<Arc<str>>,
    /// All code.
    pub bodies: Vec<Body>,
    /// The main block.
    pub main: Option<BodyId>,
    /// What must hold in every final state.
    pub expectations: Vec<Expectation>,
    /// What runs have found out about the code, which is not changed from then on.
    pub facts: Facts,
}

/// The two ways to read a bare `new`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generation {
    /// Until 2013: `new cog C()` makes a cog, `new C()` does not.
    Old,
    /// Today: `new C()` makes a cog, `new local C()` does not.
    Today,
}

/// A data type.
#[derive(Clone, Debug)]
pub struct DataType {
    /// Its name.
    pub name: Arc<str>,
    /// Its module.
    pub module: Arc<str>,
    /// The names of its type parameters.
    pub parameters: Vec<Arc<str>>,
    /// Its constructors; none if it is opaque.
    pub constructors: Vec<ConstructorId>,
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Arc<str>,
    /// Its data type.
    pub data_type: DataTypeId,
    /// The types of its arguments, over the type parameters of the data type.
    pub arguments: Vec<Type>,
    /// The accessors of its arguments.
    pub accessors: Vec<Option<Arc<str>>>,
    /// The place of its name among all constructor names in alphabetical order: the order of data values.
    /// Constructors of one name have one rank.
    pub rank: u32,
    /// Where it is declared.
    pub span: Span,
}

/// A literal value. Whatever can be built while loading is one.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `null`
    Null,
    /// A whole number.
    Integer(BigInt),
    /// A floating-point number.
    Float(f64),
    /// A string.
    String(Arc<str>),
    /// A constructor applied to constants that stand earlier in the table.
    Data(ConstructorId, Vec<ConstantId>),
    /// A list of constants that stand earlier in the table.
    List(Vec<ConstantId>),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name; an expanded partial function is called after the partial function.
    pub name: Arc<str>,
    /// Its module.
    pub module: Arc<str>,
    /// Its parameters' types.
    pub parameters: Vec<Type>,
    /// Its result's type.
    pub result: Type,
    /// Its code.
    pub body: BodyId,
    /// Where it is declared.
    pub span: Span,
}

/// An interface.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Its name.
    pub name: Arc<str>,
    /// Its module.
    pub module: Arc<str>,
    /// All interfaces above it, itself and `Object` included, in order of their numbers.
    pub ancestors: Vec<InterfaceId>,
    /// All its methods, inherited ones included.
    pub methods: Vec<SelectorId>,
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: Arc<str>,
    /// Its module.
    pub module: Arc<str>,
    /// How many of its fields are parameters.
    pub parameters: u16,
    /// The slots of its objects.
    pub fields: Vec<Field>,
    /// All interfaces it implements, those above included, in order of their numbers.
    pub implements: Vec<InterfaceId>,
    /// Its methods, in order of their [`SelectorId`]s.
    pub methods: Vec<(SelectorId, MethodId)>,
    /// The field initialisers and the init block.
    pub init: BodyId,
    /// The recover block.
    pub recover: Option<BodyId>,
    /// The method `run`, which starts by itself.
    pub run: Option<MethodId>,
    /// Where its name is declared.
    pub span: Span,
}

impl Class {
    /// The method with that name.
    pub fn method(&self, selector: SelectorId) -> Option<MethodId> {
        let place = self.methods.binary_search_by_key(&selector, |&(known, _)| known).ok()?;
        Some(self.methods[place].1)
    }
}

/// A field, or a parameter of a class.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub value_type: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A method of a class.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its class.
    pub class: ClassId,
    /// Its name.
    pub selector: SelectorId,
    /// Its parameters' types.
    pub parameters: Vec<Type>,
    /// Its result's type.
    pub result: Type,
    /// Its code.
    pub body: BodyId,
    /// Where it is declared.
    pub span: Span,
}

impl Model {
    /// The code with that number.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.index()]
    }

    /// The class with that number.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The method with that number.
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    /// The function with that number.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The constructor with that number.
    pub fn constructor(&self, id: ConstructorId) -> &Constructor {
        &self.constructors[id.index()]
    }

    /// The data type with that number.
    pub fn data_type(&self, id: DataTypeId) -> &DataType {
        &self.data_types[id.index()]
    }

    /// The name of a method.
    pub fn selector(&self, id: SelectorId) -> &str {
        &self.selectors[id.index()]
    }
}
