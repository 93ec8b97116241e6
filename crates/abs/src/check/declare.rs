//! The first round: every declared name gets a number.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::diagnostics::Diagnostic;
use crate::library::{self, STANDARD_MODULE};
use crate::program::{Builtin, ClassId, ConstructorId, DataTypeId, InterfaceId, Type};
use crate::source::Span;
use crate::syntax::tree::{self, DeclarationKind, Identifier, Unit};

use super::annotations;
use super::exports::ReExports;
use super::tables::{
    Accessor, Class, Constructor, DataType, Entity, Function, Interface, Module, ModuleId, Names,
    PartialFunction, Places, Primitive, Signature, Space, Synonym, Tables, Trait,
};

/// Enters all modules and declarations.
pub(super) fn declare<'a>(units: &[&'a Unit], diagnostics: &mut Vec<Diagnostic>) -> Tables<'a> {
    let mut declarer = Declarer {
        tables: Tables::default(),
        data_types: FixedNumbers::new(DataTypeId::FIXED.len()),
        constructors: FixedNumbers::new(ConstructorId::FIXED.len()),
        places: FxHashMap::default(),
        diagnostics,
    };
    for unit in units {
        for module in &unit.modules {
            declarer.module(module);
        }
    }
    let Declarer { mut tables, data_types, constructors, .. } = declarer;
    tables.data_types = data_types.finish();
    tables.constructors = constructors.finish();
    enter_constructors(&mut tables);
    tables
}

/// A table some of whose first numbers are taken by what the machine knows.
struct FixedNumbers<T> {
    fixed: Vec<Option<T>>,
    others: Vec<T>,
}

impl<T> FixedNumbers<T> {
    fn new(fixed: usize) -> Self {
        FixedNumbers {
            fixed: std::iter::repeat_with(|| None).take(fixed).collect(),
            others: Vec::new(),
        }
    }

    fn enter(&mut self, fixed: Option<usize>, item: T) -> u32 {
        match fixed {
            Some(number) => {
                self.fixed[number] = Some(item);
                number as u32
            }
            None => {
                self.others.push(item);
                (self.fixed.len() + self.others.len() - 1) as u32
            }
        }
    }

    /// The table. The library declares everything that has a fixed number, which a test makes sure of.
    fn finish(self) -> Vec<T> {
        self.fixed.into_iter().flatten().chain(self.others).collect()
    }
}

struct Declarer<'a, 'd> {
    tables: Tables<'a>,
    data_types: FixedNumbers<DataType>,
    constructors: FixedNumbers<Constructor<'a>>,
    /// Where names are declared.
    places: FxHashMap<(ModuleId, Space, Arc<str>), Span>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a> Declarer<'a, '_> {
    fn module(&mut self, tree: &'a tree::Module) {
        let name: Arc<str> = Arc::from(tree.name.to_string());
        if let Some(&other) = self.tables.module_names.get(&name) {
            let first = self.tables.module(other);
            if first.library {
                self.own_library(other, tree);
                return;
            }
            let diagnostic =
                Diagnostic::error(tree.name.span, format!("the module `{name}` is declared twice"));
            self.diagnostics.push(diagnostic.label(first.tree.name.span, "declared here, too"));
            return;
        }
        let id = ModuleId(self.tables.modules.len() as u32);
        self.tables.module_names.insert(name.clone(), id);
        self.tables.modules.push(Module {
            name,
            tree,
            library: library::contains(tree.span.file),
            definitions: Names::default(),
            exports: Names::default(),
            re_exports: ReExports::default(),
            imports: Vec::new(),
        });
        for declaration in &tree.declarations {
            self.declaration(id, declaration);
        }
    }

    /// Older models bring a standard library of their own. What ours has means the same there, and what
    /// it does not have is added to it.
    fn own_library(&mut self, module: ModuleId, tree: &'a tree::Module) {
        let name = &tree.name;
        self.diagnostics.push(
            Diagnostic::warning(name.span, format!("this is not the `{name}` that is used"))
                .hint("the standard library is built in; of this one, only what it adds is read"),
        );
        let is_known = |tables: &Tables<'_>, declaration: &tree::Declaration| {
            let definitions = &tables.module(module).definitions;
            declared_names(declaration).any(|name| definitions.contains_key(&name.text))
        };
        for declaration in &tree.declarations {
            if !is_known(&self.tables, declaration) {
                self.declaration(module, declaration);
            }
        }
    }

    fn declaration(&mut self, module: ModuleId, declaration: &'a tree::Declaration) {
        match &declaration.kind {
            DeclarationKind::Data(data) => self.data(module, data),
            DeclarationKind::Exception(constructor) => {
                self.define(module, Space::Type, &constructor.name, Entity::Exception);
                self.constructor(module, DataTypeId::EXCEPTION, constructor);
            }
            DeclarationKind::TypeSynonym(synonym) => {
                let entity = Entity::Synonym(self.tables.synonyms.len());
                if self.define(module, Space::Type, &synonym.name, entity) {
                    self.tables.synonyms.push(Synonym {
                        module,
                        tree: synonym,
                        target: Type::Open,
                    });
                }
            }
            DeclarationKind::Function(function) => self.function(module, function),
            DeclarationKind::PartialFunction(function) => {
                let entity = Entity::PartialFunction(self.tables.partial_functions.len());
                if self.define(module, Space::PartialFunction, &function.name, entity) {
                    self.tables.partial_functions.push(PartialFunction {
                        name: function.name.text.clone(),
                        module,
                        tree: function,
                        signature: open_signature(),
                    });
                }
            }
            DeclarationKind::Interface(interface) => self.interface(module, interface),
            DeclarationKind::Class(class) => {
                self.diagnostics.extend(annotations::without_effect(&declaration.annotations));
                let entity = Entity::Class(ClassId(self.tables.classes.len() as u32));
                if self.define(module, Space::Class, &class.name, entity) {
                    self.tables.classes.push(Class {
                        name: class.name.text.clone(),
                        module,
                        tree: class,
                        kind: annotations::class_kind(&declaration.annotations),
                        implements: Vec::new(),
                        interfaces: Vec::new(),
                        fields: Vec::new(),
                        field_places: Places::default(),
                        methods: Vec::new(),
                        method_places: Places::default(),
                    });
                }
            }
            DeclarationKind::Trait(declared) => {
                let entity = Entity::Trait(self.tables.traits.len());
                if self.define(module, Space::Trait, &declared.name, entity) {
                    self.tables.traits.push(Trait { module, tree: declared });
                }
            }
        }
    }

    fn data(&mut self, module: ModuleId, data: &'a tree::DataDeclaration) {
        let standard = &*self.tables.module(module).name == STANDARD_MODULE;
        if let (true, Some(primitive)) = (standard, Primitive::named(&data.name.text)) {
            self.define(module, Space::Type, &data.name, Entity::Primitive(primitive));
            return;
        }
        let fixed = fixed_number(standard, DataTypeId::FIXED, &data.name.text);
        let id = DataTypeId(self.data_types.enter(
            fixed,
            DataType {
                name: data.name.text.clone(),
                module,
                parameters: data.type_parameters.iter().map(|name| name.text.clone()).collect(),
                constructors: Vec::new(),
            },
        ));
        if !self.define(module, Space::Type, &data.name, Entity::Data(id)) {
            return;
        }
        for constructor in &data.constructors {
            self.constructor(module, id, constructor);
        }
    }

    fn constructor(
        &mut self,
        module: ModuleId,
        data_type: DataTypeId,
        constructor: &'a tree::Constructor,
    ) {
        let library = self.tables.module(module).library;
        let fixed = fixed_number(library, ConstructorId::FIXED, &constructor.name.text);
        let id = ConstructorId(self.constructors.enter(
            fixed,
            Constructor {
                name: constructor.name.text.clone(),
                module,
                data_type,
                tree: constructor,
                arguments: Vec::new(),
            },
        ));
        self.define(module, Space::Constructor, &constructor.name, Entity::Constructor(id));
        for (index, argument) in constructor.arguments.iter().enumerate() {
            if let Some(accessor) = &argument.accessor {
                self.accessor(module, data_type, (id, index as u16), accessor);
            }
        }
    }

    /// The constructors of one type may share an accessor.
    fn accessor(
        &mut self,
        module: ModuleId,
        data_type: DataTypeId,
        case: (ConstructorId, u16),
        name: &'a Identifier,
    ) {
        let known = self.tables.module(module).definitions.get(&name.text);
        let shared = known.into_iter().flatten().find_map(|&(_, entity)| match entity {
            Entity::Accessor(index) if self.tables.accessors[index].data_type == data_type => {
                Some(index)
            }
            _ => None,
        });
        if let Some(index) = shared.filter(|_| data_type != DataTypeId::EXCEPTION) {
            let cases = &mut self.tables.accessors[index].cases;
            if cases.iter().any(|&(constructor, _)| constructor == case.0) {
                self.diagnostics.push(Diagnostic::error(
                    name.span,
                    format!("two arguments of one constructor are called `{name}`"),
                ));
            } else {
                cases.push(case);
            }
            return;
        }
        let entity = Entity::Accessor(self.tables.accessors.len());
        if self.define(module, Space::Function, name, entity) {
            self.tables.accessors.push(Accessor {
                name: name.text.clone(),
                data_type,
                cases: vec![case],
                result: Type::Open,
                span: name.span,
            });
        }
    }

    fn function(&mut self, module: ModuleId, function: &'a tree::FunctionDeclaration) {
        let entity = Entity::Function(self.tables.functions.len());
        if !self.define(module, Space::Function, &function.name, entity) {
            return;
        }
        let module_name = &self.tables.module(module).name;
        let builtin = match &function.body {
            tree::FunctionBody::Expression(_) => None,
            tree::FunctionBody::Builtin(..) => Builtin::ALL
                .iter()
                .copied()
                .find(|builtin| builtin.name() == (&**module_name, &*function.name.text)),
        };
        self.tables.functions.push(Function {
            name: function.name.text.clone(),
            module,
            tree: function,
            signature: open_signature(),
            builtin,
        });
    }

    fn interface(&mut self, module: ModuleId, interface: &'a tree::InterfaceDeclaration) {
        let library = self.tables.module(module).library;
        // Older models declare the top interface themselves.
        if !library
            && &*interface.name.text == "Object"
            && interface.methods.is_empty()
            && interface.extends.is_empty()
        {
            self.define(
                module,
                Space::Type,
                &interface.name,
                Entity::Interface(InterfaceId::OBJECT),
            );
            return;
        }
        let id = InterfaceId(self.tables.interfaces.len() as u32);
        if self.define(module, Space::Type, &interface.name, Entity::Interface(id)) {
            self.tables.interfaces.push(Interface {
                name: interface.name.text.clone(),
                module,
                tree: interface,
                parents: Vec::new(),
                ancestors: Vec::new(),
                methods: Vec::new(),
                method_places: Places::default(),
            });
        }
    }

    /// Enters a name in a module; says whether it was free.
    fn define(
        &mut self,
        module: ModuleId,
        space: Space,
        name: &Identifier,
        entity: Entity,
    ) -> bool {
        let entities =
            self.tables.modules[module.index()].definitions.entry(name.text.clone()).or_default();
        if entities.iter().all(|&(known, _)| known != space) {
            entities.push((space, entity));
            entities.sort_unstable();
            self.places.insert((module, space, name.text.clone()), name.span);
            return true;
        }
        let diagnostic = Diagnostic::error(
            name.span,
            format!("the {} `{name}` is declared twice", space.noun()),
        );
        let first = self.places.get(&(module, space, name.text.clone()));
        self.diagnostics.push(match first {
            Some(&span) => diagnostic.label(span, "declared here, too"),
            None => diagnostic,
        });
        false
    }
}

/// The names that a declaration declares, those of constructors and accessors included.
fn declared_names(declaration: &tree::Declaration) -> impl Iterator<Item = &Identifier> {
    let (name, constructors): (&Identifier, &[tree::Constructor]) = match &declaration.kind {
        DeclarationKind::Data(data) => (&data.name, &data.constructors),
        DeclarationKind::Exception(constructor) => {
            (&constructor.name, std::slice::from_ref(constructor))
        }
        DeclarationKind::TypeSynonym(synonym) => (&synonym.name, &[]),
        DeclarationKind::Function(function) => (&function.name, &[]),
        DeclarationKind::PartialFunction(function) => (&function.name, &[]),
        DeclarationKind::Interface(interface) => (&interface.name, &[]),
        DeclarationKind::Class(class) => (&class.name, &[]),
        DeclarationKind::Trait(declared) => (&declared.name, &[]),
    };
    let of_constructors = constructors.iter().flat_map(|constructor| {
        let arguments = constructor.arguments.iter();
        let accessors = arguments.filter_map(|argument| argument.accessor.as_ref());
        std::iter::once(&constructor.name).chain(accessors)
    });
    std::iter::once(name).chain(of_constructors)
}

/// The number that the machine expects something of the library to have.
fn fixed_number<Id>(library: bool, fixed: &[(Id, &str)], name: &str) -> Option<usize> {
    if !library {
        return None;
    }
    fixed.iter().position(|(_, written)| *written == name)
}

/// Gives every data type the list of its constructors.
fn enter_constructors(tables: &mut Tables<'_>) {
    for (index, constructor) in tables.constructors.iter().enumerate() {
        let id = ConstructorId(index as u32);
        tables.data_types[constructor.data_type.index()].constructors.push(id);
    }
}

fn open_signature() -> Signature {
    Signature { type_parameters: 0, parameters: Vec::new(), result: Type::Open }
}
