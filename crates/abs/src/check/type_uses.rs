//! From written types to resolved ones.

use std::sync::Arc;

use crate::diagnostics::Diagnostic;
use crate::program::{InterfaceId, Type};
use crate::syntax::tree::{QualifiedName, TypeUse};

use super::relations::is_too_large;
use super::tables::{Entity, ModuleId, Primitive, Space, Tables};

/// Where a type stands: the module, and the type parameters in scope.
#[derive(Clone, Copy)]
pub(crate) struct TypeScope<'s> {
    pub(crate) module: ModuleId,
    pub(crate) parameters: &'s [Arc<str>],
}

impl Tables<'_> {
    /// The type that is meant; [`Type::Open`] after a message if there is none.
    pub(crate) fn resolve_type(
        &self,
        scope: TypeScope<'_>,
        written: &TypeUse,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Type {
        let arguments: Vec<Type> = written
            .arguments
            .iter()
            .map(|argument| self.resolve_type(scope, argument, diagnostics))
            .collect();
        let name = &written.name;
        if name.qualifier.is_none()
            && let Some(index) =
                scope.parameters.iter().position(|parameter| *parameter == name.name.text)
        {
            self.check_arity(written, 0, diagnostics);
            return Type::Parameter(index as u16, name.name.text.clone());
        }
        let entity = match self.resolve(scope.module, Space::Type, name) {
            Ok(entity) => entity,
            Err(why) => {
                let diagnostic = self.unresolved(scope.module, Space::Type, name, why);
                diagnostics.push(self.explain_type(scope.module, name, diagnostic));
                return Type::Open;
            }
        };
        let resolved = self.applied(entity, arguments, written, diagnostics);
        if is_too_large(&resolved) {
            diagnostics.push(Diagnostic::error(written.span, "this type is too large"));
            return Type::Open;
        }
        resolved
    }

    fn applied(
        &self,
        entity: Entity,
        mut arguments: Vec<Type>,
        written: &TypeUse,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Type {
        let parameters = match entity {
            Entity::Data(id) => self.data_type(id).parameters.len(),
            Entity::Primitive(Primitive::Future) => 1,
            _ => 0,
        };
        if !self.check_arity(written, parameters, diagnostics) {
            return Type::Open;
        }
        match entity {
            Entity::Data(id) => Type::Data(id, arguments),
            Entity::Interface(id) => Type::Interface(id),
            Entity::Synonym(index) => self.synonyms[index].target.clone(),
            Entity::Exception => Type::EXCEPTION,
            Entity::Primitive(primitive) => match primitive {
                Primitive::Integer => Type::Integer,
                Primitive::Rational => Type::Rational,
                Primitive::Float => Type::Float,
                Primitive::String => Type::String,
                Primitive::Destiny => Type::Destiny,
                Primitive::Future => Type::Future(Box::new(arguments.pop().unwrap_or(Type::Open))),
            },
            _ => Type::Open,
        }
    }

    fn check_arity(
        &self,
        written: &TypeUse,
        parameters: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let given = written.arguments.len();
        if given == parameters {
            return true;
        }
        let name = &written.name;
        let message = match (parameters, given) {
            (0, _) => format!("`{name}` has no type arguments"),
            (_, 0) => format!("`{name}` needs {}", count(parameters, "type argument")),
            _ => format!("`{name}` needs {}, not {given}", count(parameters, "type argument")),
        };
        let diagnostic = Diagnostic::error(written.span, message);
        diagnostics.push(if given == 0 {
            let example = vec!["Int"; parameters].join(", ");
            diagnostic.hint(format!("write for example `{name}<{example}>`"))
        } else {
            diagnostic
        });
        false
    }

    /// A class is not a type, and some words are types elsewhere.
    fn explain_type(
        &self,
        module: ModuleId,
        name: &QualifiedName,
        diagnostic: Diagnostic,
    ) -> Diagnostic {
        if let Ok(Entity::Class(id)) = self.resolve(module, Space::Class, name) {
            let class = self.class(id);
            let diagnostic = Diagnostic::error(
                name.span,
                format!("`{name}` is a class, and classes are not types"),
            );
            return match class.tree.implements.first() {
                Some(interface) => diagnostic
                    .hint(format!("use an interface it implements, such as `{interface}`")),
                None => diagnostic.hint(
                    "declare an interface, let the class implement it, and use the interface",
                ),
            };
        }
        let meant = match &*name.name.text {
            "Integer" | "Long" | "Nat" => "Int",
            "Boolean" => "Bool",
            "Void" => "Unit",
            "Double" | "Real" => "Float",
            "Future" => "Fut",
            "Str" => "String",
            _ => return diagnostic,
        };
        diagnostic.hint(format!("the type is called `{meant}`"))
    }

    /// The interface of that name.
    pub(crate) fn resolve_interface(
        &self,
        module: ModuleId,
        name: &QualifiedName,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<InterfaceId> {
        let entity = match self.resolve(module, Space::Type, name) {
            Ok(entity) => entity,
            Err(why) => {
                let diagnostic = self.unresolved(module, Space::Type, name, why);
                let diagnostic = Diagnostic {
                    message: diagnostic.message.replace("unknown type", "unknown interface"),
                    ..diagnostic
                };
                let is_class = self.resolve(module, Space::Class, name).is_ok();
                diagnostics.push(if is_class {
                    Diagnostic::error(name.span, format!("`{name}` is a class, not an interface"))
                } else {
                    diagnostic
                });
                return None;
            }
        };
        match entity {
            Entity::Interface(id) => Some(id),
            Entity::Synonym(index) => match self.synonyms[index].target {
                Type::Interface(id) => Some(id),
                _ => self.not_an_interface(name, diagnostics),
            },
            _ => self.not_an_interface(name, diagnostics),
        }
    }

    fn not_an_interface(
        &self,
        name: &QualifiedName,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<InterfaceId> {
        diagnostics.push(Diagnostic::error(name.span, format!("`{name}` is not an interface")));
        None
    }
}

/// `1 argument`, `2 arguments`
pub(crate) fn count(number: usize, noun: &str) -> String {
    match number {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
