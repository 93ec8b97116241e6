//! Expectations: conditions on final states, typed and lowered like the body of a function.
//!
//! A part of a state is a parameter of that function. The type of a variable is that of the main
//! block; a field is looked for in every class that the object may have, and must have one type in
//! all of them. What the classes really are is seen when a run has ended.

use std::sync::Arc;

use crate::check::suggestions::closest;
use crate::check::tables::ModuleId;
use crate::diagnostics::Diagnostic;
use crate::program::{
    self, BodyId, BodyOwner, ClassId, Expectation, FieldId, Operand, SlotId, StatePath, StateRoot,
    Type,
};
use crate::source::Span;
use crate::syntax::state_paths::{MaskedText, PathRoot, WrittenPath};
use crate::syntax::tree::{Expression, Identifier};

use super::Shared;
use super::environment::Lowering;

/// An expectation before it means anything.
pub(crate) struct WrittenExpectation {
    pub(crate) text: Arc<str>,
    pub(crate) masked: MaskedText,
    pub(crate) tree: Expression,
    /// The whole text.
    pub(crate) span: Span,
}

/// Where a path begins, the field that each step takes in each class it may meet, and what is there.
type Way = (StateRoot, Vec<Vec<(ClassId, FieldId)>>, Type);

impl<'a> Shared<'a> {
    /// Types and lowers an expectation about what the main block has made.
    pub(super) fn expectation(
        &mut self,
        (module, main): (ModuleId, BodyId),
        written: &'a WrittenExpectation,
    ) -> Expectation {
        let first = self.diagnostics.len();
        let mut inputs = Vec::new();
        let mut lowering = Lowering::new(self, module, written.span);
        for path in &written.masked.paths {
            let text: Arc<str> = Arc::from(&written.text[path.range.clone()]);
            let span = Span::new(written.span.file, path.range.clone());
            let found = lowering.shared.path(main, path, written.span);
            let (root, fields, value_type) = match found {
                Ok(Some(found)) => found,
                // Perhaps a variable of the expression itself; if not, typing it will tell.
                Ok(None) => continue,
                Err(diagnostic) => {
                    lowering.report(diagnostic);
                    (StateRoot::Variable(SlotId(0)), Vec::new(), Type::Open)
                }
            };
            let name = Identifier { text: Arc::from(path.stand_in.as_str()), span };
            let slot = lowering.builder.parameter(Some(name.text.clone()), value_type.clone());
            lowering.bind(&name, Operand::Slot(slot), value_type.clone(), true);
            inputs.push(StatePath { text, root, fields, value_type });
        }
        lowering.tail(&written.tree, &Type::BOOL, "an expectation");
        let builder = lowering.into_builder();
        let function = self.reserve_function(program::Function {
            name: Arc::from("--expect"),
            module: self.tables.module(module).name.clone(),
            parameters: inputs.iter().map(|input| input.value_type.clone()).collect(),
            result: Type::BOOL,
            body: BodyId(0),
            span: written.span,
        });
        let body = self.functions[function.index()].body;
        self.finish_body(body, builder, BodyOwner::Function(function), written.span);
        self.unmask(first, main, written);
        Expectation { text: written.text.clone(), function, inputs }
    }

    /// What a path leads to; nothing if it is a variable that the main block does not have.
    #[expect(clippy::result_large_err, reason = "an error ends the command")]
    fn path(
        &self,
        main: BodyId,
        path: &WrittenPath,
        whole: Span,
    ) -> Result<Option<Way>, Diagnostic> {
        let at = |range: &std::ops::Range<usize>| Span::new(whole.file, range.clone());
        let tables = self.tables;
        let (root, mut value_type, mut classes) = match &path.root {
            PathRoot::Variable(name) => {
                let variables = self.main_variables(main);
                let mut named = variables.iter().filter(|(known, ..)| **known == **name);
                match (named.next(), named.next()) {
                    (Some((_, slot, value_type)), None) => {
                        (StateRoot::Variable(*slot), value_type.clone(), None)
                    }
                    (Some(_), Some(_)) => {
                        let message = format!("the main block has several variables `{name}`");
                        return Err(Diagnostic::error(at(&path.range), message).hint(
                            "rename one of them, or use the object's name as in the outcomes",
                        ));
                    }
                    (None, _) if path.fields.is_empty() => return Ok(None),
                    (None, _) => {
                        let message = format!("the main block has no variable `{name}`");
                        let error = Diagnostic::error(at(&path.range), message);
                        let names = variables.iter().map(|(known, ..)| &**known);
                        return Err(match closest(name, names.clone()) {
                            Some(similar) => error.hint(format!("did you mean `{similar}`?")),
                            None => error.hint(known_variables(names)),
                        });
                    }
                }
            }
            PathRoot::Object { name, class } => {
                let of_name =
                    |(_, known): &(usize, &crate::check::tables::Class<'_>)| *known.name == **class;
                let classes: Vec<ClassId> = tables
                    .classes
                    .iter()
                    .enumerate()
                    .filter(of_name)
                    .map(|(index, _)| ClassId(index as u32))
                    .collect();
                let Some(&first) = classes.first() else {
                    let message = format!("there is no class `{class}`");
                    return Err(Diagnostic::error(at(&path.range), message)
                        .hint("objects are named as in the outcomes, for example `Account 2`"));
                };
                (StateRoot::Object(Arc::from(name.as_str())), Type::Class(first), Some(classes))
            }
        };
        let mut fields = Vec::new();
        for (name, range) in &path.fields {
            let candidates = match classes.take() {
                Some(classes) => classes,
                None => self.possible_classes(&value_type).ok_or_else(|| {
                    let shown = tables.type_name(&value_type);
                    let message = format!("`.{name}` needs an object, but this has type `{shown}`");
                    Diagnostic::error(at(range), message)
                })?,
            };
            let mut found: Vec<(ClassId, FieldId)> = Vec::new();
            let mut field_type: Option<&Type> = None;
            for &class in &candidates {
                let Some(index) = tables.class(class).field(name) else { continue };
                let this = &tables.class(class).fields[index].value_type;
                if field_type.is_some_and(|known| known != this) {
                    let message =
                        format!("the classes with a field `{name}` give it several types");
                    return Err(Diagnostic::error(at(range), message)
                        .hint("use the object's name as in the outcomes: it tells the class"));
                }
                field_type = Some(this);
                found.push((class, FieldId(index as u16)));
            }
            let Some(field_type) = field_type else {
                let names: Vec<String> = candidates
                    .iter()
                    .map(|&class| format!("`{}`", tables.class(class).name))
                    .collect();
                let message = match &names[..] {
                    [] => {
                        format!("no class has objects of type `{}`", tables.type_name(&value_type))
                    }
                    [one] => format!("the class {one} has no field `{name}`"),
                    many => format!("none of the classes {} has a field `{name}`", many.join(", ")),
                };
                let known = candidates.iter().flat_map(|&class| &tables.class(class).fields);
                let error = Diagnostic::error(at(range), message);
                return Err(match closest(name, known.map(|field| &*field.name)) {
                    Some(similar) => error.hint(format!("did you mean `{similar}`?")),
                    None => error,
                });
            };
            value_type = field_type.clone();
            fields.push(found);
        }
        Ok(Some((root, fields, value_type)))
    }

    /// The named variables of the main block.
    fn main_variables(&self, main: BodyId) -> Vec<(Arc<str>, SlotId, Type)> {
        let body = self.bodies[main.index()].as_ref();
        let variables = body.map_or(&[][..], |body| &body.variables);
        let named = variables.iter().enumerate().filter_map(|(slot, variable)| {
            Some((variable.name.clone()?, SlotId(slot as u16), variable.value_type.clone()))
        });
        named.collect()
    }

    /// The classes that an object of a type can have; nothing if values of the type are no objects.
    fn possible_classes(&self, value_type: &Type) -> Option<Vec<ClassId>> {
        let classes = self.tables.classes.iter().enumerate();
        match value_type {
            Type::Class(class) => Some(vec![*class]),
            Type::Interface(interface) => Some(
                classes
                    .filter(|(_, class)| class.interfaces.contains(interface))
                    .map(|(index, _)| ClassId(index as u32))
                    .collect(),
            ),
            _ => None,
        }
    }

    /// Makes messages speak of paths as the user wrote them.
    fn unmask(&mut self, first: usize, main: BodyId, written: &WrittenExpectation) {
        let variables = self.main_variables(main);
        for diagnostic in self.diagnostics.iter_mut().skip(first) {
            for path in &written.masked.paths {
                let shown = &written.text[path.range.clone()];
                let stand_in = format!("`{}`", path.stand_in);
                diagnostic.message = diagnostic.message.replace(&stand_in, &format!("`{shown}`"));
            }
            if diagnostic.message.starts_with("unknown variable") && diagnostic.hint.is_none() {
                let names = variables.iter().map(|(known, ..)| &**known);
                diagnostic.hint = Some(known_variables(names));
            }
        }
    }
}

fn known_variables<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.take(8).map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => {
            "the main block has no variables; use the names of objects in the outcomes".to_owned()
        }
        false => format!("variables of the main block are {}", names.join(", ")),
    }
}
