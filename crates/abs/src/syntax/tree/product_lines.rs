//! Deltas, product lines and products.

use super::{
    Declaration, Export, Expression, Field, Identifier, Import, Method, Parameter, QualifiedName,
    Signature,
};

/// `delta Name(..); uses Module; ..`
#[derive(Clone, Debug)]
pub struct Delta {
    /// Its name.
    pub name: Identifier,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The module that it changes.
    pub module: Option<QualifiedName>,
    /// What it changes.
    pub changes: Vec<DeltaChange>,
}

/// Something written in a delta, and the parameters of the delta that are mentioned there.
#[derive(Clone, Debug)]
pub struct InDelta<T> {
    /// What is written.
    pub item: T,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

/// What a delta adds, replaces or removes.
#[derive(Clone, Debug)]
pub enum DeltaChange {
    /// `adds` a declaration.
    Add(InDelta<Declaration>),
    /// `modifies` a data type or a type synonym: another declaration of that name.
    Replace(InDelta<Declaration>),
    /// `removes class`
    RemoveClass(QualifiedName),
    /// `removes interface`
    RemoveInterface(QualifiedName),
    /// `adds import`
    Import(Import),
    /// `adds export`
    Export(Export),
    /// `modifies class`
    Class(QualifiedName, ClassChange),
    /// `modifies interface`
    Interface(QualifiedName, InterfaceChange),
}

/// `class Name adds .. removes .. { .. }`
#[derive(Clone, Debug, Default)]
pub struct ClassChange {
    /// The interfaces that it implements as well.
    pub added: Vec<QualifiedName>,
    /// The interfaces that it does not implement any more.
    pub removed: Vec<QualifiedName>,
    /// What is done to its members, in order.
    pub members: Vec<InDelta<MemberChange>>,
}

/// One change to the members of a class.
#[derive(Clone, Debug)]
pub enum MemberChange {
    /// `adds` a field.
    AddField(Field),
    /// `adds` a method.
    AddMethod(Method),
    /// `modifies` a method, which may call the replaced one by `original(..)`.
    ReplaceMethod(Method),
    /// `removes` a field.
    RemoveField(Identifier),
    /// `removes` a method.
    RemoveMethod(Signature),
}

/// `interface Name { adds .. removes .. }`
#[derive(Clone, Debug, Default)]
pub struct InterfaceChange {
    /// New methods.
    pub added: Vec<Signature>,
    /// Methods that it does not have any more.
    pub removed: Vec<Signature>,
}

/// `delta Name(..) after Deltas when Condition;` in a product line.
#[derive(Clone, Debug)]
pub struct DeltaUse {
    /// The delta.
    pub delta: Identifier,
    /// Values for its parameters.
    pub arguments: Vec<DeltaArgument>,
    /// The deltas that are applied before, if they are applied.
    pub after: Vec<Identifier>,
    /// When it is applied; always, if nothing is said.
    pub condition: Option<FeatureCondition>,
}

/// A value for a parameter of a delta.
#[derive(Clone, Debug)]
pub enum DeltaArgument {
    /// One that is written.
    Value(Expression),
    /// Whether the product has a feature.
    Feature(Identifier),
    /// What the product says of an attribute of a feature.
    Attribute(Identifier, Identifier),
}

/// A condition on the features of a product.
#[derive(Clone, Debug)]
pub enum FeatureCondition {
    /// It has this one.
    Feature(Identifier),
    /// This does not hold.
    Not(Box<FeatureCondition>),
    /// All of these hold.
    All(Vec<FeatureCondition>),
    /// One of these holds.
    Any(Vec<FeatureCondition>),
}

/// `product Name(Features);`
#[derive(Clone, Debug)]
pub struct Product {
    /// Its name.
    pub name: Identifier,
    /// Its features.
    pub features: Vec<ChosenFeature>,
}

/// A feature of a product, with values for its attributes.
#[derive(Clone, Debug)]
pub struct ChosenFeature {
    /// Its name.
    pub name: Identifier,
    /// The attributes.
    pub attributes: Vec<(Identifier, Expression)>,
}
