//! Values and types as they stand in test methods, and what has to be there for them.

use std::collections::BTreeSet;

use crate::machine::{Datum, substitute};
use crate::program::{Class, ConstructorId, Model, Type};

use super::access::{access, type_text};
use crate::generate::text::quoted;

/// The statements of a test method as they are written.
pub(super) struct Expressions<'m> {
    model: &'m Model,
    /// The module of the suite.
    module: &'m str,
    /// The variables of the objects of the initial state.
    pub names: Vec<String>,
    /// What was written so far.
    pub statements: Vec<String>,
    /// Names of other modules: the module and the name.
    pub imports: BTreeSet<(String, String)>,
    /// The types of futures that were made.
    pub futures: BTreeSet<String>,
    /// Why the names of two modules do not go together, if they do not.
    pub clash: Option<String>,
    made: usize,
}

impl<'m> Expressions<'m> {
    pub fn new(model: &'m Model, module: &'m str, names: Vec<String>) -> Expressions<'m> {
        Expressions {
            model,
            module,
            names,
            statements: Vec::new(),
            imports: BTreeSet::new(),
            futures: BTreeSet::new(),
            clash: None,
            made: 0,
        }
    }

    pub fn add(&mut self, statement: String) {
        self.statements.push(statement);
    }

    /// The names of a class and of the interface that tests reach it by.
    pub fn class(&mut self, class: &Class) -> (String, String) {
        let access = access(class);
        self.name(&class.module, &class.name);
        self.name(&class.module, &access);
        (class.name.to_string(), access)
    }

    /// A type.
    pub fn type_of(&mut self, value_type: &Type) -> String {
        match value_type {
            Type::Data(data_type, arguments) => {
                let declared = self.model.data_type(*data_type);
                self.name(&declared.module, &declared.name);
                arguments.iter().for_each(|one| drop(self.type_of(one)));
            }
            Type::Future(inner) => drop(self.type_of(inner)),
            Type::Interface(interface) => {
                let declared = &self.model.interfaces[interface.index()];
                self.name(&declared.module, &declared.name);
            }
            Type::Class(class) => drop(self.class(self.model.class(*class))),
            _ => {}
        }
        type_text(self.model, value_type)
    }

    /// A value of the initial state; nothing if it cannot be made. Futures are made before.
    pub fn input(&mut self, datum: &Datum, of: &Type) -> Option<String> {
        match (datum, of) {
            (Datum::Null, Type::Future(inner)) => {
                let (inner, name) = (self.type_of(inner), self.future());
                self.add(format!("Fut<{inner}> {name};"));
                Some(name)
            }
            (Datum::Resolved(value), Type::Future(inner)) => {
                let value = self.input(value, inner)?;
                let (inner, name) = (self.type_of(inner), self.future());
                let maker = maker(&inner);
                self.add(format!("Fut<{inner}> {name} = this!{maker}({value});"));
                self.add(format!("await {name}?;"));
                self.futures.insert(inner);
                Some(name)
            }
            (Datum::Data(constructor, arguments), Type::Data(_, types)) => {
                let model = self.model;
                let declared = &model.constructor(*constructor).arguments;
                let parts: Option<Vec<String>> = arguments
                    .iter()
                    .zip(declared)
                    .map(|(one, of)| self.input(one, &substitute(of, types)))
                    .collect();
                Some(self.constructed(*constructor, &parts?))
            }
            _ => self.output(datum),
        }
    }

    /// The same before there are objects: whatever names one is null.
    pub fn early(&mut self, datum: &Datum, of: &Type) -> Option<String> {
        self.input(&without_objects(datum), of)
    }

    /// A value to compare with; nothing if it names what the test cannot.
    pub fn output(&mut self, datum: &Datum) -> Option<String> {
        Some(match datum {
            Datum::Null => "null".to_owned(),
            Datum::Integer(number) => number.to_string(),
            Datum::Rational(number) => format!("{}/{}", number.numer(), number.denom()),
            Datum::Text(text) => quoted(text),
            Datum::Object(number) => self.names.get(*number)?.clone(),
            Datum::Float(_)
            | Datum::Resolved(_)
            | Datum::Unresolved
            | Datum::Unknown(_)
            | Datum::Term(..)
            | Datum::Opaque(_) => return None,
            Datum::Data(constructor, arguments) => {
                let parts: Option<Vec<String>> =
                    arguments.iter().map(|one| self.output(one)).collect();
                self.constructed(*constructor, &parts?)
            }
        })
    }

    fn constructed(&mut self, constructor: ConstructorId, arguments: &[String]) -> String {
        if constructor == ConstructorId::CONS
            && let [head, tail] = arguments
        {
            let rest = tail.strip_prefix("list[").and_then(|tail| tail.strip_suffix(']'));
            match rest {
                Some(rest) => return format!("list[{head}, {rest}]"),
                None if tail == "Nil" => return format!("list[{head}]"),
                None => {}
            }
        }
        let declared = self.model.constructor(constructor);
        let module = &self.model.data_type(declared.data_type).module;
        self.name(module, &declared.name);
        match arguments.is_empty() {
            true => declared.name.to_string(),
            false => format!("{}({})", declared.name, arguments.join(", ")),
        }
    }

    fn future(&mut self) -> String {
        self.made += 1;
        format!("future{}", self.made)
    }

    /// Notes that a name of some module is used.
    fn name(&mut self, module: &str, name: &str) {
        if module == self.module || module.starts_with("ABS.") {
            return;
        }
        let own = declares(self.model, self.module, name);
        let other = self.imports.iter().find(|(known, one)| one == name && known != module);
        let rival = match other {
            _ if own => Some(self.module),
            Some((rival, _)) => Some(rival.as_str()),
            None => None,
        };
        if let Some(rival) = rival {
            self.clash = Some(format!("modules `{rival}` and `{module}` both declare `{name}`"));
        }
        self.imports.insert((module.to_owned(), name.to_owned()));
    }
}

/// The method of a suite that futures of a type come from.
pub(super) fn maker(inner: &str) -> String {
    variable(&format!("resolved {inner}"))
}

fn declares(model: &Model, module: &str, name: &str) -> bool {
    let same = |of: &str, one: &str| of == module && one == name;
    model.classes.iter().any(|one| same(&one.module, &one.name))
        || model.interfaces.iter().any(|one| same(&one.module, &one.name))
        || model.data_types.iter().any(|one| same(&one.module, &one.name))
        || model
            .constructors
            .iter()
            .any(|one| same(&model.data_type(one.data_type).module, &one.name))
}

fn without_objects(datum: &Datum) -> Datum {
    match datum {
        Datum::Object(_) => Datum::Null,
        Datum::Data(constructor, arguments) => {
            Datum::Data(*constructor, arguments.iter().map(without_objects).collect())
        }
        Datum::Resolved(inner) => Datum::Resolved(Box::new(without_objects(inner))),
        other => other.clone(),
    }
}

/// A text as the name of a variable.
pub(super) fn variable(text: &str) -> String {
    let mut name = String::new();
    let mut upper = false;
    for c in text.chars() {
        match c.is_ascii_alphanumeric() || c == '_' {
            true if name.is_empty() && !c.is_ascii_alphabetic() => {}
            true if name.is_empty() => name.push(c.to_ascii_lowercase()),
            true if upper => name.push(c.to_ascii_uppercase()),
            true => name.push(c),
            false => {}
        }
        upper = !c.is_ascii_alphanumeric() && c != '_';
    }
    match name.is_empty() {
        true => "object".to_owned(),
        false => name,
    }
}
