//! Finding fields, methods and supertypes, as the JVM specification resolves them.

use super::{Class, ClassId, ClassKind, Method, MethodId, Symbol, World};
use crate::classfile::{Type, access};

/// A field and the class that declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldPlace {
    /// The declaring class.
    pub class: ClassId,
    /// The index among its declared fields.
    pub index: usize,
}

impl World {
    /// Whether values of one class can be assigned to another.
    pub fn is_subclass(&self, class: ClassId, target: ClassId) -> bool {
        if class == target {
            return true;
        }
        let (from, to) = (self.class(class), self.class(target));
        if to.is_interface() {
            return from.all_interfaces.binary_search(&target).is_ok();
        }
        match to.kind {
            ClassKind::Primitive(_) => false,
            ClassKind::Array(wanted, wanted_kind) => match from.kind {
                ClassKind::Array(found, found_kind) => {
                    wanted_kind == Type::Reference
                        && found_kind == Type::Reference
                        && self.is_subclass(found, wanted)
                }
                _ => false,
            },
            ClassKind::Instance => from.ancestors.get(to.ancestors.len() - 1) == Some(&target),
        }
    }

    /// The field a reference names: in the class, then its interfaces, then its superclass.
    pub fn find_field(
        &self,
        class: ClassId,
        name: Symbol,
        descriptor: Symbol,
    ) -> Option<FieldPlace> {
        let mut current = Some(class);
        while let Some(id) = current {
            let here = self.class(id);
            for owner in std::iter::once(&id).chain(&here.all_interfaces) {
                let fields = &self.class(*owner).fields;
                let index = fields
                    .iter()
                    .position(|field| field.name == name && field.descriptor == descriptor);
                if let Some(index) = index {
                    return Some(FieldPlace { class: *owner, index });
                }
            }
            current = here.superclass;
        }
        None
    }

    /// A field of the class or a superclass by its name alone.
    pub fn field_named(&self, class: ClassId, name: &str) -> Option<FieldPlace> {
        let name = self.symbols.find(name)?;
        let mut current = Some(class);
        while let Some(id) = current {
            if let Some(index) = self.class(id).fields.iter().position(|field| field.name == name) {
                return Some(FieldPlace { class: id, index });
            }
            current = self.class(id).superclass;
        }
        None
    }

    /// The method a reference names: in the class and its superclasses, then in its interfaces.
    pub fn find_method(
        &self,
        class: ClassId,
        name: Symbol,
        descriptor: Symbol,
    ) -> Option<MethodId> {
        self.find_in_classes(class, name, descriptor)
            .or_else(|| self.find_in_interfaces(class, name, descriptor))
    }

    /// A method declared by the class or a superclass.
    pub fn find_in_classes(
        &self,
        class: ClassId,
        name: Symbol,
        descriptor: Symbol,
    ) -> Option<MethodId> {
        let mut current = Some(class);
        while let Some(id) = current {
            let here = self.class(id);
            if let Some(method) = here.method_index.get(&(name, descriptor)) {
                return Some(*method);
            }
            current = here.superclass;
        }
        None
    }

    /// The most specific method among the superinterfaces, a default one if there is one.
    pub fn find_in_interfaces(
        &self,
        class: ClassId,
        name: Symbol,
        descriptor: Symbol,
    ) -> Option<MethodId> {
        let mut best: Option<MethodId> = None;
        for interface in &self.class(class).all_interfaces {
            let Some(found) = self.class(*interface).method_index.get(&(name, descriptor)).copied()
            else {
                continue;
            };
            let method = self.method(found);
            if method.access & (access::STATIC | access::PRIVATE) != 0 {
                continue;
            }
            best = match best {
                Some(known) if !self.is_more_specific(method, self.method(known)) => Some(known),
                _ => Some(found),
            };
        }
        best
    }

    fn is_more_specific(&self, method: &Method, known: &Method) -> bool {
        if self.is_subclass(method.class, known.class) {
            return true;
        }
        let is_abstract = |method: &Method| method.access & access::ABSTRACT != 0;
        is_abstract(known) && !is_abstract(method) && !self.is_subclass(known.class, method.class)
    }

    /// The method that a call of an interface method runs on an object of this class.
    pub fn implementation(&self, class: ClassId, interface_method: MethodId) -> Option<MethodId> {
        if let Some(known) = self.class(class).implementations.get(&interface_method) {
            return Some(*known);
        }
        let method = self.method(interface_method);
        if method.access & access::PRIVATE != 0 {
            return Some(interface_method);
        }
        let mut current = Some(class);
        while let Some(id) = current {
            let here: &Class = self.class(id);
            if let Some(found) = here.method_index.get(&(method.name, method.descriptor))
                && self.method(*found).access & (access::STATIC | access::PRIVATE) == 0
            {
                return Some(*found);
            }
            current = here.superclass;
        }
        self.find_in_interfaces(class, method.name, method.descriptor)
    }

    /// A declared method by its names.
    pub fn declared(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let key = (self.symbols.find(name)?, self.symbols.find(descriptor)?);
        self.class(class).method_index.get(&key).copied()
    }
}
