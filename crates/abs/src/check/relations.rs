//! How types relate: assignability, the most specific common type, and how types are written.

use crate::program::{DataTypeId, InterfaceId, Type};

use super::tables::Tables;

impl Tables<'_> {
    /// Whether a value of one type can stand where another is expected.
    pub(crate) fn assignable(&self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (Type::Open, _) | (_, Type::Open) => true,
            (Type::Integer, Type::Rational) => true,
            (Type::Data(from, given), Type::Data(to, wanted)) => {
                from == to && self.all_assignable(given, wanted)
            }
            (Type::Future(given), Type::Future(wanted)) => self.assignable(given, wanted),
            (Type::Future(_), Type::Destiny) => true,
            (Type::Null, Type::Interface(_) | Type::Class(_)) => true,
            (Type::Interface(from), Type::Interface(to)) => self.extends(*from, *to),
            (Type::Class(class), Type::Interface(to)) => {
                self.class(*class).interfaces.binary_search(to).is_ok()
            }
            _ => from == to,
        }
    }

    fn all_assignable(&self, from: &[Type], to: &[Type]) -> bool {
        from.len() == to.len() && from.iter().zip(to).all(|(from, to)| self.assignable(from, to))
    }

    fn extends(&self, from: InterfaceId, to: InterfaceId) -> bool {
        from == to || self.interface(from).ancestors.binary_search(&to).is_ok()
    }

    /// The most specific type to which values of both can be assigned. What is open in one is taken from the
    /// other.
    pub(crate) fn join(&self, left: &Type, right: &Type) -> Option<Type> {
        match (left, right) {
            (Type::Open, other) | (other, Type::Open) => Some(other.clone()),
            (Type::Data(left, ours), Type::Data(right, theirs))
                if left == right && ours.len() == theirs.len() =>
            {
                let arguments = ours.iter().zip(theirs).map(|(left, right)| self.join(left, right));
                Some(Type::Data(*left, arguments.collect::<Option<_>>()?))
            }
            (Type::Future(left), Type::Future(right)) => {
                Some(Type::Future(Box::new(self.join(left, right)?)))
            }
            _ if self.assignable(left, right) => Some(right.clone()),
            _ if self.assignable(right, left) => Some(left.clone()),
            _ => self.common_interface(left, right).map(Type::Interface),
        }
    }

    /// The interface above two object types that is itself below all others; `Object` if there is no such.
    fn common_interface(&self, left: &Type, right: &Type) -> Option<InterfaceId> {
        let (left, right) = (self.interfaces_of(left)?, self.interfaces_of(right)?);
        let common: Vec<InterfaceId> =
            left.iter().copied().filter(|id| right.contains(id)).collect();
        let least = common.iter().find(|&&id| common.iter().all(|&other| self.extends(id, other)));
        Some(least.copied().unwrap_or(InterfaceId::OBJECT))
    }

    fn interfaces_of(&self, object: &Type) -> Option<&[InterfaceId]> {
        match object {
            Type::Interface(id) => Some(&self.interface(*id).ancestors),
            Type::Class(id) => Some(&self.class(*id).interfaces),
            _ => None,
        }
    }

    /// Whether values of both types can be compared.
    pub(crate) fn comparable(&self, left: &Type, right: &Type) -> bool {
        let futures = |one: &Type, other: &Type| {
            matches!(one, Type::Null) && matches!(other, Type::Future(_) | Type::Destiny)
        };
        self.join(left, right).is_some() || futures(left, right) || futures(right, left)
    }

    /// The type as it would be written.
    pub(crate) fn type_name(&self, shown: &Type) -> String {
        match shown {
            Type::Open => "_".to_owned(),
            Type::Integer => "Int".to_owned(),
            Type::Rational => "Rat".to_owned(),
            Type::Float => "Float".to_owned(),
            Type::String => "String".to_owned(),
            Type::Data(id, arguments) => {
                let name = &self.data_type(*id).name;
                if arguments.is_empty() {
                    return name.to_string();
                }
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.type_name(argument)).collect();
                format!("{name}<{}>", arguments.join(", "))
            }
            Type::Future(value) => format!("Fut<{}>", self.type_name(value)),
            Type::Destiny => "Destiny".to_owned(),
            Type::Interface(id) => self.interface(*id).name.to_string(),
            Type::Class(id) => self.class(*id).name.to_string(),
            Type::Null => "null".to_owned(),
            Type::Parameter(_, name) => name.to_string(),
        }
    }
}

/// How many nodes a type may have. Types that are inferred double with each call that puts its argument into
/// a pair, and synonyms with each that names another twice: a few lines would fill the memory.
pub(crate) const MAXIMUM_SIZE: usize = 5000;

/// The type with its parameters replaced, unless that is too large; those that are still open become [`Type::Open`].
pub(crate) fn instance(pattern: &Type, arguments: &[Type]) -> Option<Type> {
    let mut room = MAXIMUM_SIZE;
    has_room(pattern, arguments, &mut room).then(|| replaced(pattern, arguments))
}

/// The same for what only helps to infer other types: what is too large is [`Type::Open`].
pub(crate) fn substitute(pattern: &Type, arguments: &[Type]) -> Type {
    instance(pattern, arguments).unwrap_or(Type::Open)
}

/// Whether the type with its parameters replaced has no more nodes than there is room for.
fn has_room(pattern: &Type, arguments: &[Type], room: &mut usize) -> bool {
    if let Type::Parameter(index, _) = pattern
        && let Some(argument) = arguments.get(*index as usize)
    {
        return has_room(argument, &[], room);
    }
    let Some(left) = room.checked_sub(1) else { return false };
    *room = left;
    match pattern {
        Type::Data(_, inner) => inner.iter().all(|inner| has_room(inner, arguments, room)),
        Type::Future(inner) => has_room(inner, arguments, room),
        _ => true,
    }
}

fn replaced(pattern: &Type, arguments: &[Type]) -> Type {
    match pattern {
        Type::Parameter(index, _) => arguments.get(*index as usize).cloned().unwrap_or(Type::Open),
        Type::Data(id, inner) => {
            Type::Data(*id, inner.iter().map(|inner| replaced(inner, arguments)).collect())
        }
        Type::Future(inner) => Type::Future(Box::new(replaced(inner, arguments))),
        _ => pattern.clone(),
    }
}

/// Whether a type has too many nodes.
pub(crate) fn is_too_large(measured: &Type) -> bool {
    !has_room(measured, &[], &mut { MAXIMUM_SIZE })
}

/// Whether a type has something open in it.
pub(crate) fn has_open(looked_at: &Type) -> bool {
    match looked_at {
        Type::Open => true,
        Type::Data(_, arguments) => arguments.iter().any(has_open),
        Type::Future(value) => has_open(value),
        _ => false,
    }
}

/// Whether `case` can look into values of this type.
pub(crate) fn can_be_matched(subject: &Type) -> bool {
    !matches!(
        subject,
        Type::Interface(_) | Type::Class(_) | Type::Null | Type::Future(_) | Type::Destiny
    )
}

/// Whether arithmetic works on values of this type.
pub(crate) fn is_number(operand: &Type) -> bool {
    matches!(operand, Type::Integer | Type::Rational | Type::Float | Type::Open)
}

/// Whether the type is the library's `Maybe`.
pub(crate) fn is_maybe(looked_at: &Type) -> bool {
    matches!(looked_at, Type::Data(DataTypeId::MAYBE, _))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tables::ModuleId;
    use crate::check::type_uses::TypeScope;
    use crate::library;
    use crate::source::FileId;
    use crate::syntax::parser;
    use crate::syntax::tree::{DeclarationKind, Unit};

    const MODEL: &str = "module M;
        interface A { } interface B extends A { } interface C extends A { } interface D { }
        class K implements B { }
        type Number = Rat;";

    /// Runs a test on two types as they would be written; `K` is the type of `new K()`, `Null` that of `null`.
    fn on_types(left: &str, right: &str, test: impl FnOnce(&Tables<'_>, &Type, &Type)) {
        let text = format!("{MODEL} type Left = {left}; type Right = {right};");
        let (unit, messages) = parser::parse(FileId(library::FILE_COUNT), &text);
        assert_eq!(messages, []);
        let units: Vec<&Unit> = library::units().iter().chain([&unit]).collect();
        let tables = crate::check::tables(&units, &mut Vec::new());
        let module = ModuleId(tables.modules.len() as u32 - 1);
        let resolve = |name: &str| match name {
            "K" => Type::Class(crate::program::ClassId(tables.classes.len() as u32 - 1)),
            "Null" => Type::Null,
            _ => {
                let scope = TypeScope { module, parameters: &[] };
                let written = unit.modules[0].declarations.iter().find_map(|declaration| {
                    let DeclarationKind::TypeSynonym(synonym) = &declaration.kind else {
                        return None;
                    };
                    let side = if name == left { "Left" } else { "Right" };
                    (&*synonym.name.text == side).then_some(&synonym.target)
                });
                let mut messages = Vec::new();
                let resolved =
                    written.map(|written| tables.resolve_type(scope, written, &mut messages));
                assert_eq!(messages, [], "{name}");
                resolved.unwrap_or(Type::Open)
            }
        };
        test(&tables, &resolve(left), &resolve(right));
    }

    #[test]
    fn what_can_be_assigned_to_what() {
        let rows = [
            ("Int", "Int", true),
            ("Int", "Rat", true),
            ("Int", "Number", true),
            ("Rat", "Int", false),
            ("Int", "Float", false),
            ("List<Int>", "List<Rat>", true),
            ("Map<String, List<Int>>", "Map<String, List<Rat>>", true),
            ("List<Rat>", "List<Int>", false),
            ("Fut<Int>", "Fut<Rat>", true),
            ("Fut<Int>", "Destiny", true),
            ("Destiny", "Fut<Int>", false),
            ("B", "A", true),
            ("A", "B", false),
            ("D", "Object", true),
            ("List<B>", "List<A>", true),
            ("K", "B", true),
            ("K", "A", true),
            ("K", "D", false),
            ("Null", "A", true),
            ("Null", "Fut<Int>", false),
            ("Null", "Int", false),
            ("AssertionFailException", "Exception", true),
        ];
        for (left, right, expected) in rows {
            on_types(left, right, |tables, left_type, right_type| {
                assert_eq!(tables.assignable(left_type, right_type), expected, "{left} to {right}");
            });
        }
    }

    #[test]
    fn the_most_specific_common_type() {
        let rows = [
            ("Int", "Rat", Some("Rat")),
            ("List<Int>", "List<Rat>", Some("List<Rat>")),
            ("Int", "String", None),
            ("B", "C", Some("A")),
            ("B", "D", Some("Object")),
            ("K", "A", Some("A")),
            ("K", "C", Some("A")),
            ("Null", "D", Some("D")),
            ("Pair<B, Int>", "Pair<C, Rat>", Some("Pair<A, Rat>")),
            ("Fut<B>", "Fut<C>", Some("Fut<A>")),
        ];
        for (left, right, expected) in rows {
            on_types(left, right, |tables, left_type, right_type| {
                for joined in
                    [tables.join(left_type, right_type), tables.join(right_type, left_type)]
                {
                    let shown = joined.map(|joined| tables.type_name(&joined));
                    assert_eq!(shown.as_deref(), expected, "{left} and {right}");
                }
            });
        }
    }
}
