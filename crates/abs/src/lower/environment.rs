//! What is in scope while a body is lowered: variables, fields, `this`, and what the body may do.

use std::sync::Arc;

use crate::check::generation::Leniency;
use crate::check::relations;
use crate::check::suggestions::closest;
use crate::check::tables::{ModuleId, Tables};
use crate::diagnostics::Diagnostic;
use crate::program::{ClassId, FieldId, Operand, SlotId, Type};
use crate::source::Span;
use crate::syntax::tree::{Identifier, Variable};

use super::Shared;
use super::bindings::Bindings;
use super::builder::{Builder, JumpLabel};
use super::expansion::Expansion;

/// A visible variable.
#[derive(Clone)]
pub(super) struct VisibleVariable {
    pub(super) name: Arc<str>,
    pub(super) operand: Operand,
    pub(super) value_type: Type,
    pub(super) is_final: bool,
    pub(super) span: Span,
}

/// The object whose code this is.
#[derive(Clone)]
pub(super) enum Members {
    /// A function or the main block: no fields, no `this`.
    None,
    /// A method, or the init or recover block of a class. Only that many fields are visible.
    Class(ClassId, usize),
    /// An anonymous function in an expanded partial function: what it needs of the object it was written in
    /// arrives as arguments.
    Captured { fields: Vec<VisibleVariable>, this: Option<(Operand, Type)> },
}

/// What the code at hand may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Permissions {
    /// Set where neither waiting nor failing is allowed; how the place is called in messages.
    pub(super) restricted: Option<&'static str>,
    /// In an `[Atomic]` method.
    pub(super) atomic: bool,
    /// In a `[Readonly]` method.
    pub(super) readonly: bool,
}

/// What `return` means.
#[derive(Clone)]
pub(super) enum Returns {
    /// The body of a method with this result.
    Method(Type),
    /// `return` is not allowed; the place is named.
    No(&'static str),
}

/// A `finally` around the code at hand.
#[derive(Clone, Copy)]
pub(super) struct Finally {
    /// Where its code starts.
    pub(super) label: JumpLabel,
    /// What is to be done after it, a small number.
    pub(super) state: SlotId,
    /// The exception or result that waits.
    pub(super) pending: SlotId,
    /// Whether a `return` goes through it.
    pub(super) returns: bool,
}

/// A body that is being lowered.
pub(super) struct Lowering<'l, 'a> {
    pub(super) shared: &'l mut Shared<'a>,
    pub(super) builder: Builder,
    pub(super) module: ModuleId,
    pub(super) leniency: Leniency,
    pub(super) type_parameters: Vec<Arc<str>>,
    /// What the type parameters stand for, in the expansion of a partial function.
    pub(super) type_arguments: Vec<Type>,
    pub(super) bindings: Bindings,
    pub(super) members: Members,
    pub(super) permissions: Permissions,
    pub(super) returns: Returns,
    pub(super) finallies: Vec<Finally>,
    /// The method that `original(..)` calls, as an index in its class.
    pub(super) original: Option<usize>,
    /// The partial function whose expansion this is.
    pub(super) expansion: Option<Expansion<'a>>,
}

impl<'l, 'a> Lowering<'l, 'a> {
    pub(super) fn new(shared: &'l mut Shared<'a>, module: ModuleId, span: Span) -> Self {
        let leniency = shared.reading.leniency(span.file);
        Lowering {
            shared,
            builder: Builder::new(span),
            module,
            leniency,
            type_parameters: Vec::new(),
            type_arguments: Vec::new(),
            bindings: Bindings::default(),
            members: Members::None,
            permissions: Permissions { restricted: None, atomic: false, readonly: false },
            returns: Returns::No("here"),
            finallies: Vec::new(),
            original: None,
            expansion: None,
        }
    }

    pub(super) fn for_main(shared: &'l mut Shared<'a>, module: ModuleId, span: Span) -> Self {
        Lowering {
            returns: Returns::No("in the main block"),
            ..Lowering::new(shared, module, span)
        }
    }

    pub(super) fn into_builder(self) -> Builder {
        self.builder
    }

    pub(super) fn tables(&self) -> &'a Tables<'a> {
        self.shared.tables
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.shared.diagnostics.push(diagnostic);
    }

    /// The type with its parameters replaced. A type that is too large is reported, and open from then on.
    pub(super) fn instance(&mut self, pattern: &Type, arguments: &[Type], span: Span) -> Type {
        relations::instance(pattern, arguments).unwrap_or_else(|| {
            let what = "the type of this is too large";
            self.report(Diagnostic::error(span, what).hint("declare data types for its parts"));
            Type::Open
        })
    }

    /// The type as it would be written.
    pub(super) fn show(&self, shown: &Type) -> String {
        self.tables().type_name(shown)
    }

    // Variables.

    /// The class whose fields are in scope.
    pub(super) fn class(&self) -> Option<ClassId> {
        match self.members {
            Members::Class(class, _) => Some(class),
            Members::None | Members::Captured { .. } => None,
        }
    }

    /// A new variable of a method; its name must be new.
    pub(super) fn declare(
        &mut self,
        name: &Identifier,
        value_type: Type,
        is_final: bool,
    ) -> SlotId {
        self.check_new(name);
        let slot = self.builder.variable(Some(name.text.clone()), value_type.clone());
        self.bind(name, Operand::Slot(slot), value_type, is_final);
        slot
    }

    /// Gives a name to an operand.
    pub(super) fn bind(
        &mut self,
        name: &Identifier,
        operand: Operand,
        value_type: Type,
        is_final: bool,
    ) {
        self.bindings.push(VisibleVariable {
            name: name.text.clone(),
            operand,
            value_type,
            is_final,
            span: name.span,
        });
    }

    /// Reports a name that is taken by a variable.
    pub(super) fn check_new(&mut self, name: &Identifier) {
        if let Some(other) = self.binding(&name.text).map(|binding| binding.span) {
            self.report(
                Diagnostic::error(name.span, format!("the variable `{name}` is declared twice"))
                    .label(other, "declared here, too")
                    .hint("choose another name, or assign to the variable instead"),
            );
        }
    }

    /// The variable of that name.
    pub(super) fn binding(&self, name: &str) -> Option<&VisibleVariable> {
        self.bindings.get(name)
    }

    /// The variable or field that is meant, whether it is a field, and whether it may not be assigned.
    pub(super) fn variable(&self, variable: &Variable) -> Option<VisibleVariable> {
        let name = &*variable.name.text;
        if !variable.this
            && let Some(binding) = self.binding(name)
        {
            return Some(binding.clone());
        }
        self.field(name)
    }

    /// The field of that name.
    pub(super) fn field(&self, name: &str) -> Option<VisibleVariable> {
        match &self.members {
            Members::None => None,
            Members::Class(class, visible) => {
                let class = self.tables().class(*class);
                let index = class.field(name).filter(|index| index < visible)?;
                let field = &class.fields[index];
                Some(VisibleVariable {
                    name: field.name.clone(),
                    operand: Operand::Field(FieldId(index as u16)),
                    value_type: field.value_type.clone(),
                    is_final: field.is_final,
                    span: field.span,
                })
            }
            Members::Captured { fields, .. } => {
                fields.iter().find(|field| &*field.name == name).cloned()
            }
        }
    }

    /// `this`
    pub(super) fn this(&self) -> Option<(Operand, Type)> {
        match &self.members {
            Members::None => None,
            Members::Class(class, _) => Some((Operand::This, Type::Class(*class))),
            Members::Captured { this, .. } => this.clone(),
        }
    }

    /// The message for a variable that does not exist.
    pub(super) fn unknown_variable(&self, variable: &Variable) -> Diagnostic {
        let name = &variable.name;
        if variable.this && matches!(self.members, Members::None) {
            return Diagnostic::error(variable.span, "there is no `this` here")
                .hint("only methods and init blocks of classes have one");
        }
        let noun = if variable.this { "field" } else { "variable" };
        let diagnostic = Diagnostic::error(variable.span, format!("unknown {noun} `{name}`"));
        if let (Members::Class(class, visible), false) = (&self.members, variable.this) {
            let class = self.tables().class(*class);
            if class.field(&name.text).is_some_and(|index| index >= *visible) {
                return diagnostic
                    .hint("a field's first value can use only parameters and earlier fields");
            }
        }
        let meant = match &*name.text {
            "true" => Some("True"),
            "false" => Some("False"),
            _ => None,
        };
        if let Some(meant) = meant {
            return diagnostic.hint(format!("the constructor is called `{meant}`"));
        }
        let mut candidates: Vec<&str> = Vec::new();
        if !variable.this {
            candidates.extend(self.bindings.innermost_first().map(|binding| &*binding.name));
        }
        match &self.members {
            Members::Class(class, visible) => {
                let fields = self.tables().class(*class).fields.iter().take(*visible);
                candidates.extend(fields.map(|field| &*field.name));
            }
            Members::Captured { fields, .. } => {
                candidates.extend(fields.iter().map(|field| &*field.name))
            }
            Members::None => {}
        }
        match closest(&name.text, candidates) {
            Some(similar) => diagnostic.hint(format!("did you mean `{similar}`?")),
            None => diagnostic,
        }
    }
}
