//! Files, modules and what they declare.

use crate::source::Span;

use super::{
    Annotation, Block, Delta, DeltaUse, Expression, Identifier, Product, QualifiedName,
    StatementBranch, TypeUse,
};

/// One file.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Its modules, in order.
    pub modules: Vec<Module>,
    /// Its deltas, if they are read.
    pub deltas: Vec<Delta>,
    /// Which deltas its product line applies, and when.
    pub delta_uses: Vec<DeltaUse>,
    /// Its products.
    pub products: Vec<Product>,
    /// What its spelling says about its age.
    pub spelling: Spelling,
}

/// Where a file first shows which generation of the language it was written in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spelling {
    /// `new cog C()`
    pub new_cog: Option<Span>,
    /// `new local C()`
    pub new_local: Option<Span>,
    /// Something that today is written differently: `~`, `let (T x) = ..`, `if c then ..`, a `case` statement.
    pub old: Option<Span>,
    /// Something that older versions did not have: `when`, `switch`, `foreach`, template strings, `|` between
    /// branches, `let` without parentheses, exceptions, partial functions.
    pub modern: Option<Span>,
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: QualifiedName,
    /// `export` clauses.
    pub exports: Vec<Export>,
    /// `import` clauses.
    pub imports: Vec<Import>,
    /// What it declares.
    pub declarations: Vec<Declaration>,
    /// The main block.
    pub main: Option<MainBlock>,
    /// From the word `module` to the end of the last part.
    pub span: Span,
}

/// The block a model starts with.
#[derive(Clone, Debug)]
pub struct MainBlock {
    /// Annotations in front of it.
    pub annotations: Vec<Annotation>,
    /// Its statements.
    pub block: Block,
}

/// An `export` clause.
#[derive(Clone, Debug)]
pub struct Export {
    /// What is exported.
    pub names: Names,
    /// The module it comes from, if not this one.
    pub from: Option<QualifiedName>,
    /// The whole clause.
    pub span: Span,
}

/// An `import` clause.
#[derive(Clone, Debug)]
pub struct Import {
    /// What is imported. [`Names::All`] always comes with a module.
    pub names: Names,
    /// The module it comes from; without it, the names carry their module and stay qualified.
    pub from: Option<QualifiedName>,
    /// The whole clause.
    pub span: Span,
}

/// What an `import` or `export` names.
#[derive(Clone, Debug)]
pub enum Names {
    /// `*`
    All,
    /// A list of names of any kind.
    Listed(Vec<QualifiedName>),
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Annotations in front of it.
    pub annotations: Vec<Annotation>,
    /// What is declared.
    pub kind: DeclarationKind,
    /// The whole declaration.
    pub span: Span,
}

/// The kinds of declarations.
#[derive(Clone, Debug)]
pub enum DeclarationKind {
    /// `data`
    Data(DataDeclaration),
    /// `exception`
    Exception(Constructor),
    /// `type`
    TypeSynonym(TypeSynonym),
    /// `def` without function parameters
    Function(FunctionDeclaration),
    /// `def` with function parameters
    PartialFunction(PartialFunctionDeclaration),
    /// `interface`
    Interface(InterfaceDeclaration),
    /// `class`
    Class(ClassDeclaration),
    /// `trait`
    Trait(TraitDeclaration),
}

/// `data Name<A> = Constructor(..) | ..;`
#[derive(Clone, Debug)]
pub struct DataDeclaration {
    /// Its name.
    pub name: Identifier,
    /// Its type parameters.
    pub type_parameters: Vec<Identifier>,
    /// Its constructors; none makes it opaque.
    pub constructors: Vec<Constructor>,
}

/// A constructor of a data type, or an exception.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Identifier,
    /// Its arguments.
    pub arguments: Vec<ConstructorArgument>,
}

/// An argument of a constructor.
#[derive(Clone, Debug)]
pub struct ConstructorArgument {
    /// Its type.
    pub type_use: TypeUse,
    /// The function that reads it.
    pub accessor: Option<Identifier>,
}

/// `type Name = Type;`
#[derive(Clone, Debug)]
pub struct TypeSynonym {
    /// The new name.
    pub name: Identifier,
    /// What it stands for.
    pub target: TypeUse,
}

/// `def Type name<A>(..) = body;`
#[derive(Clone, Debug)]
pub struct FunctionDeclaration {
    /// The result's type.
    pub result: TypeUse,
    /// Its name.
    pub name: Identifier,
    /// Its type parameters.
    pub type_parameters: Vec<Identifier>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it computes.
    pub body: FunctionBody,
}

/// What a function computes.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// An expression.
    Expression(Expression),
    /// `builtin`, or `builtin(..)` with its arguments.
    Builtin(Vec<Expression>, Span),
}

/// `def Type name<A>(f, g)(..) = body;`
#[derive(Clone, Debug)]
pub struct PartialFunctionDeclaration {
    /// The result's type.
    pub result: TypeUse,
    /// Its name.
    pub name: Identifier,
    /// Its type parameters.
    pub type_parameters: Vec<Identifier>,
    /// The functions it takes.
    pub functions: Vec<Identifier>,
    /// Its ordinary parameters.
    pub parameters: Vec<Parameter>,
    /// What it computes.
    pub body: Expression,
}

/// A parameter of a function, method, class or anonymous function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its type, with the annotations written before it.
    pub type_use: TypeUse,
    /// Its name.
    pub name: Identifier,
}

/// `interface Name extends .. { .. }`
#[derive(Clone, Debug)]
pub struct InterfaceDeclaration {
    /// Its name.
    pub name: Identifier,
    /// The interfaces it extends.
    pub extends: Vec<QualifiedName>,
    /// Its methods.
    pub methods: Vec<Signature>,
}

/// A method without its body.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The result's type, with the annotations written before the method.
    pub result: TypeUse,
    /// Its name.
    pub name: Identifier,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// All of it.
    pub span: Span,
}

/// `class Name(..) implements .. { .. }`
#[derive(Clone, Debug)]
pub struct ClassDeclaration {
    /// Its name.
    pub name: Identifier,
    /// Its parameters, which are fields.
    pub parameters: Vec<Parameter>,
    /// The interfaces it implements.
    pub implements: Vec<QualifiedName>,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The init block.
    pub init: Option<Block>,
    /// The branches of the `recover` block.
    pub recover: Option<Vec<StatementBranch>>,
    /// `uses` clauses.
    pub uses: Vec<TraitExpression>,
    /// Its methods.
    pub methods: Vec<Method>,
}

/// A field of a class.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its type, with the annotations written before it.
    pub type_use: TypeUse,
    /// Its name.
    pub name: Identifier,
    /// Its first value.
    pub value: Option<Expression>,
    /// All of it.
    pub span: Span,
}

/// A method with its body.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its result, name and parameters.
    pub signature: Signature,
    /// Its body.
    pub body: Block,
}

/// `trait Name = ..`
#[derive(Clone, Debug)]
pub struct TraitDeclaration {
    /// Its name.
    pub name: Identifier,
    /// The methods it stands for.
    pub expression: TraitExpression,
}

/// A set of methods and what is done to it, in order.
#[derive(Clone, Debug)]
pub struct TraitExpression {
    /// The methods to start from.
    pub base: MethodSet,
    /// What is done to them.
    pub operations: Vec<TraitOperation>,
    /// All of it.
    pub span: Span,
}

/// The methods a trait expression starts from or an operation brings.
#[derive(Clone, Debug)]
pub enum MethodSet {
    /// Those of a trait.
    Trait(QualifiedName),
    /// Those written here.
    Methods(Vec<Method>),
}

/// One operation on a set of methods.
#[derive(Clone, Debug)]
pub enum TraitOperation {
    /// `adds`: new methods.
    Adds(MethodSet),
    /// `modifies`: replacements, in which `original(..)` calls the replaced method.
    Modifies(MethodSet),
    /// `removes`: methods to leave out.
    Removes(Vec<Signature>),
}
