//! Everything a model declares, by number.
//!
//! The tables are filled in two rounds: [`declare`](super::declare) enters every name, and
//! [`signatures`](super::signatures) resolves the types that declarations mention. After that they no longer
//! change; lowering only reads them.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    Builtin, ClassId, ConstructorId, DataTypeId, InterfaceId, MethodId, SelectorId, Type,
};
use crate::source::Span;
use crate::syntax::tree;

use super::exports::{Exported, ReExports};

/// The number of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ModuleId(pub(crate) u32);

impl ModuleId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names of different kinds do not get into each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Space {
    Type,
    Constructor,
    Class,
    Function,
    PartialFunction,
    Trait,
}

impl Space {
    pub(crate) const ALL: [Space; 6] = [
        Space::Type,
        Space::Constructor,
        Space::Class,
        Space::Function,
        Space::PartialFunction,
        Space::Trait,
    ];

    /// How a member of the name space is called in messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Space::Type => "type",
            Space::Constructor => "constructor",
            Space::Class => "class",
            Space::Function => "function",
            Space::PartialFunction => "partial function",
            Space::Trait => "trait",
        }
    }
}

/// Types that the language knows by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Primitive {
    Integer,
    Rational,
    Float,
    String,
    Future,
    Destiny,
}

impl Primitive {
    /// The primitive type with that name in the standard module.
    pub(crate) fn named(name: &str) -> Option<Primitive> {
        Some(match name {
            "Int" => Primitive::Integer,
            "Rat" => Primitive::Rational,
            "Float" => Primitive::Float,
            "String" => Primitive::String,
            "Fut" => Primitive::Future,
            "Destiny" => Primitive::Destiny,
            _ => return None,
        })
    }
}

/// What a name stands for. The numbers without a type of their own are indices into [`Tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Entity {
    Primitive(Primitive),
    Data(DataTypeId),
    Interface(InterfaceId),
    Synonym(usize),
    /// The name of an exception as a type.
    Exception,
    Constructor(ConstructorId),
    Class(ClassId),
    Function(usize),
    Accessor(usize),
    PartialFunction(usize),
    Trait(usize),
}

/// A name with what it stands for in each name space.
pub(crate) type Names = FxHashMap<Arc<str>, Vec<(Space, Entity)>>;

/// A module.
pub(crate) struct Module<'a> {
    pub(crate) name: Arc<str>,
    pub(crate) tree: &'a tree::Module,
    /// Whether it belongs to the library.
    pub(crate) library: bool,
    /// Its own declarations.
    pub(crate) definitions: Names,
    /// What others may import of its own.
    pub(crate) exports: Names,
    /// What others may import of what it passes on.
    pub(crate) re_exports: ReExports,
    pub(crate) imports: Vec<Import>,
}

/// What a module imports from one other module.
pub(crate) struct Import {
    pub(crate) from: ModuleId,
    pub(crate) names: ImportedNames,
}

/// Which names an import brings, and how.
pub(crate) enum ImportedNames {
    /// All of them, bare and qualified.
    All,
    /// Some, bare and qualified.
    Some(FxHashSet<Arc<str>>),
    /// One, qualified only.
    Qualified(Arc<str>),
}

/// A data type.
pub(crate) struct DataType {
    pub(crate) name: Arc<str>,
    pub(crate) module: ModuleId,
    pub(crate) parameters: Vec<Arc<str>>,
    pub(crate) constructors: Vec<ConstructorId>,
}

/// A constructor.
pub(crate) struct Constructor<'a> {
    pub(crate) name: Arc<str>,
    pub(crate) module: ModuleId,
    pub(crate) data_type: DataTypeId,
    pub(crate) tree: &'a tree::Constructor,
    pub(crate) arguments: Vec<Type>,
}

/// A function that reads an argument of a constructor.
pub(crate) struct Accessor {
    pub(crate) name: Arc<str>,
    pub(crate) data_type: DataTypeId,
    /// The constructors that have such an argument, and its place there.
    pub(crate) cases: Vec<(ConstructorId, u16)>,
    pub(crate) result: Type,
    pub(crate) span: Span,
}

/// A type synonym.
pub(crate) struct Synonym<'a> {
    pub(crate) module: ModuleId,
    pub(crate) tree: &'a tree::TypeSynonym,
    pub(crate) target: Type,
}

/// The types a function or method takes and gives.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) type_parameters: usize,
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Type,
}

/// A function.
pub(crate) struct Function<'a> {
    pub(crate) name: Arc<str>,
    pub(crate) module: ModuleId,
    pub(crate) tree: &'a tree::FunctionDeclaration,
    pub(crate) signature: Signature,
    pub(crate) builtin: Option<Builtin>,
}

/// A partial function.
pub(crate) struct PartialFunction<'a> {
    pub(crate) name: Arc<str>,
    pub(crate) module: ModuleId,
    pub(crate) tree: &'a tree::PartialFunctionDeclaration,
    pub(crate) signature: Signature,
}

/// A method as callers see it.
#[derive(Clone, Debug)]
pub(crate) struct MethodSignature {
    pub(crate) name: Arc<str>,
    pub(crate) selector: SelectorId,
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Type,
    pub(crate) atomic: bool,
    pub(crate) readonly: bool,
    pub(crate) span: Span,
}

/// Where in a list what has a name stands.
pub(crate) type Places = FxHashMap<Arc<str>, usize>;

/// An interface.
pub(crate) struct Interface<'a> {
    pub(crate) name: Arc<str>,
    pub(crate) module: ModuleId,
    pub(crate) tree: &'a tree::InterfaceDeclaration,
    /// The interfaces it extends directly; `Object` if none are written.
    pub(crate) parents: Vec<InterfaceId>,
    /// All interfaces above it, itself included, in order of their numbers.
    pub(crate) ancestors: Vec<InterfaceId>,
    /// Its own and inherited methods.
    pub(crate) methods: Vec<MethodSignature>,
    pub(crate) method_places: Places,
}

/// How a class wants to be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassKind {
    Any,
    /// `[COG]`: in a cog of its own.
    Cog,
    /// `[Plain]`: in its creator's cog.
    Plain,
}

/// A class.
pub(crate) struct Class<'a> {
    pub(crate) name: Arc<str>,
    pub(crate) module: ModuleId,
    pub(crate) tree: &'a tree::ClassDeclaration,
    pub(crate) kind: ClassKind,
    /// The interfaces it names; `Object` if none are written.
    pub(crate) implements: Vec<InterfaceId>,
    /// All interfaces it implements, in order of their numbers.
    pub(crate) interfaces: Vec<InterfaceId>,
    /// Parameters first, then fields.
    pub(crate) fields: Vec<Field<'a>>,
    pub(crate) field_places: Places,
    pub(crate) methods: Vec<Method<'a>>,
    /// Without replaced versions of methods.
    pub(crate) method_places: Places,
}

/// A parameter or field of a class.
pub(crate) struct Field<'a> {
    pub(crate) name: Arc<str>,
    pub(crate) value_type: Type,
    pub(crate) is_final: bool,
    pub(crate) is_parameter: bool,
    /// The field in the tree; parameters have none.
    pub(crate) tree: Option<&'a tree::Field>,
    pub(crate) span: Span,
}

/// A method of a class.
pub(crate) struct Method<'a> {
    pub(crate) signature: MethodSignature,
    pub(crate) id: MethodId,
    /// The module in which its names are resolved: a trait's method keeps the trait's module.
    pub(crate) module: ModuleId,
    pub(crate) tree: &'a tree::Method,
    /// The index in [`Class::methods`] of the method that `original(..)` calls.
    pub(crate) original: Option<usize>,
    /// Whether it can be called by its name; a replaced version of a method cannot.
    pub(crate) is_named: bool,
}

/// Where names stand in a list; of several that are the same, the first.
pub(crate) fn places<'n>(names: impl Iterator<Item = (usize, &'n Arc<str>)>) -> Places {
    let mut places = Places::default();
    for (place, name) in names {
        places.entry(name.clone()).or_insert(place);
    }
    places
}

/// A trait.
pub(crate) struct Trait<'a> {
    pub(crate) module: ModuleId,
    pub(crate) tree: &'a tree::TraitDeclaration,
}

/// What bare names mean, by the module and the kind of name.
pub(crate) type Resolved = FxHashMap<(ModuleId, Space), FxHashMap<Arc<str>, Entity>>;

/// Everything a model declares.
#[derive(Default)]
pub(crate) struct Tables<'a> {
    pub(crate) modules: Vec<Module<'a>>,
    pub(crate) module_names: FxHashMap<Arc<str>, ModuleId>,
    /// All names that any module exports of its own.
    pub(crate) exported_names: FxHashSet<Arc<str>>,
    /// What was found out about exports so far.
    pub(crate) exported: RefCell<Exported>,
    /// What was found out about bare names so far.
    pub(crate) resolved: RefCell<Resolved>,
    pub(crate) data_types: Vec<DataType>,
    pub(crate) constructors: Vec<Constructor<'a>>,
    pub(crate) accessors: Vec<Accessor>,
    pub(crate) synonyms: Vec<Synonym<'a>>,
    pub(crate) functions: Vec<Function<'a>>,
    pub(crate) partial_functions: Vec<PartialFunction<'a>>,
    pub(crate) interfaces: Vec<Interface<'a>>,
    pub(crate) classes: Vec<Class<'a>>,
    pub(crate) traits: Vec<Trait<'a>>,
    pub(crate) selectors: Selectors,
}

/// The names of methods, numbered.
#[derive(Default)]
pub(crate) struct Selectors {
    pub(crate) names: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, SelectorId>,
}

impl Selectors {
    /// The number of a name, a new one if it has none yet.
    pub(crate) fn number(&mut self, name: &Arc<str>) -> SelectorId {
        if let Some(&id) = self.numbers.get(name) {
            return id;
        }
        let id = SelectorId(self.names.len() as u32);
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), id);
        id
    }
}

impl<'a> Tables<'a> {
    pub(crate) fn module(&self, id: ModuleId) -> &Module<'a> {
        &self.modules[id.index()]
    }

    pub(crate) fn data_type(&self, id: DataTypeId) -> &DataType {
        &self.data_types[id.index()]
    }

    pub(crate) fn constructor(&self, id: ConstructorId) -> &Constructor<'a> {
        &self.constructors[id.index()]
    }

    pub(crate) fn interface(&self, id: InterfaceId) -> &Interface<'a> {
        &self.interfaces[id.index()]
    }

    pub(crate) fn class(&self, id: ClassId) -> &Class<'a> {
        &self.classes[id.index()]
    }
}

impl Interface<'_> {
    /// The method with that name.
    pub(crate) fn method(&self, name: &str) -> Option<&MethodSignature> {
        self.method_places.get(name).map(|&place| &self.methods[place])
    }
}

impl<'a> Class<'a> {
    /// The method that calls by that name reach.
    pub(crate) fn method(&self, name: &str) -> Option<&Method<'a>> {
        self.method_places.get(name).map(|&place| &self.methods[place])
    }

    /// The slot of a field.
    pub(crate) fn field(&self, name: &str) -> Option<usize> {
        self.field_places.get(name).copied()
    }
}
