//! Patterns, compiled into tests on constructors and projections.
//!
//! A name that is already visible tests for equality; a new one is bound. In an expression nothing changes
//! while it is evaluated, so a new name simply stands for the operand that was matched; in a statement it
//! becomes a variable, since the branch may assign to what it was taken from, or stop.

use rustc_hash::FxHashSet;

use crate::check::tables::{Entity, Space};
use crate::check::type_uses::count;
use crate::diagnostics::Diagnostic;
use crate::program::{
    Comparison, Constant, ConstructorId, DataTypeId, Failure, Instruction, Operand, Place, Type,
};
use crate::source::Span;
use crate::syntax::tree::{Identifier, Pattern, PatternKind, QualifiedName};

use super::builder::JumpLabel;
use super::environment::Lowering;
use super::expressions::{TypedValue, read};

/// What a new name in a pattern becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binds {
    /// A name for the matched operand.
    Operands,
    /// A variable.
    Variables,
    /// A variable; a name that is already visible is an error, as in `catch`.
    NewVariables,
}

/// What earlier branches have taken away.
#[derive(Clone, Debug, Default)]
pub(super) struct Matching {
    exhausted: bool,
    /// The constructors whose values do not get here.
    taken: FxHashSet<ConstructorId>,
}

impl Matching {
    /// Whether nothing gets past the branches so far.
    pub(super) fn is_exhausted(&self) -> bool {
        self.exhausted
    }
}

impl<'a> Lowering<'_, 'a> {
    /// The pattern of one of several branches. Falls through when it matches and jumps otherwise.
    ///
    /// When earlier branches have taken all other constructors, the test for the last one is left out.
    pub(super) fn branch(
        &mut self,
        pattern: &'a Pattern,
        subject: &TypedValue,
        (otherwise, binds): (JumpLabel, Binds),
        matching: &mut Matching,
    ) {
        if matching.exhausted {
            self.report(
                Diagnostic::warning(pattern.span, "this branch is never reached")
                    .expecting("earlier ones always match"),
            );
        }
        let PatternKind::Construct { constructor, arguments } = &pattern.kind else {
            matching.exhausted |= self.pattern(pattern, subject, otherwise, binds);
            return;
        };
        let Some(id) = self.resolve_constructor(constructor) else {
            self.unknown_constructor(arguments, (otherwise, binds));
            return;
        };
        let tables = self.tables();
        let data_type = tables.constructor(id).data_type;
        let all = &tables.data_type(data_type).constructors;
        let is_last = data_type != DataTypeId::EXCEPTION
            && matching.taken.len() + 1 >= all.len()
            && all.iter().all(|other| *other == id || matching.taken.contains(other));
        let takes_all =
            self.constructed((id, arguments), (pattern.span, is_last), subject, (otherwise, binds));
        if takes_all {
            matching.taken.insert(id);
            matching.exhausted |= is_last;
        }
    }

    /// Falls through when the pattern matches and jumps otherwise. Says whether it always matches.
    pub(super) fn pattern(
        &mut self,
        pattern: &'a Pattern,
        subject: &TypedValue,
        otherwise: JumpLabel,
        binds: Binds,
    ) -> bool {
        match &pattern.kind {
            PatternKind::Anything | PatternKind::Error => true,
            PatternKind::Integer(value) => {
                let literal = self.constant(Constant::Integer(value.clone()), Type::Integer);
                self.literal(literal, subject, otherwise, pattern.span)
            }
            PatternKind::String(value) => {
                let literal = self.constant(Constant::String(value.clone()), Type::String);
                self.literal(literal, subject, otherwise, pattern.span)
            }
            PatternKind::Variable(name) => self.variable_pattern(name, subject, otherwise, binds),
            PatternKind::Construct { constructor, arguments } => self.constructor_pattern(
                (constructor, arguments),
                pattern.span,
                subject,
                (otherwise, binds),
            ),
        }
    }

    /// The value has exactly the type of the literal, or a type that is not known: that of a parameter.
    fn literal(
        &mut self,
        literal: TypedValue,
        subject: &TypedValue,
        otherwise: JumpLabel,
        span: Span,
    ) -> bool {
        let is_known = !matches!(subject.value_type, Type::Open | Type::Parameter(..));
        if is_known && subject.value_type != literal.value_type {
            self.wrong_pattern(&literal.value_type, &subject.value_type, span);
        }
        self.test_equal(subject.operand, literal.operand, otherwise, span);
        false
    }

    fn wrong_pattern(&mut self, pattern: &Type, subject: &Type, span: Span) {
        let (pattern, subject) = (self.show(pattern), self.show(subject));
        self.report(
            Diagnostic::error(
                span,
                format!("expected a pattern for `{subject}`, found one for `{pattern}`"),
            )
            .expecting(format!("the matched value is of type `{subject}`")),
        );
    }

    fn test_equal(&mut self, left: Operand, right: Operand, otherwise: JumpLabel, span: Span) {
        let (comparison, otherwise) = (Comparison::Equal, otherwise.target());
        self.builder.emit(Instruction::Test { comparison, left, right, otherwise }, span);
    }

    fn variable_pattern(
        &mut self,
        name: &Identifier,
        subject: &TypedValue,
        otherwise: JumpLabel,
        binds: Binds,
    ) -> bool {
        let known = self.binding(&name.text).cloned().or_else(|| self.field(&name.text));
        if let Some(known) = known {
            if binds == Binds::NewVariables {
                self.report(
                    Diagnostic::error(name.span, format!("`{name}` is already in use"))
                        .label(known.span, "declared here")
                        .hint(
                            "a `catch` branch does not compare with variables: choose another name",
                        ),
                );
            } else if !self.tables().comparable(&known.value_type, &subject.value_type) {
                let what = format!("`{name}` is already a variable; the matched value");
                let diagnostic =
                    self.mismatch(&known.value_type, &subject.value_type, name.span, &what);
                self.report(diagnostic.label(known.span, "declared here"));
            }
            self.test_equal(subject.operand, known.operand, otherwise, name.span);
            return false;
        }
        match binds {
            Binds::Operands => self.bind(name, subject.operand, subject.value_type.clone(), true),
            Binds::Variables | Binds::NewVariables => {
                let slot = self.declare(name, subject.value_type.clone(), false);
                self.builder.copy(Place::Slot(slot), subject.operand, name.span);
            }
        }
        true
    }

    fn constructor_pattern(
        &mut self,
        (name, patterns): (&QualifiedName, &'a [Pattern]),
        span: Span,
        subject: &TypedValue,
        (otherwise, binds): (JumpLabel, Binds),
    ) -> bool {
        let Some(id) = self.resolve_constructor(name) else {
            return self.unknown_constructor(patterns, (otherwise, binds));
        };
        let data_type = self.tables().constructor(id).data_type;
        let is_only = self.tables().data_type(data_type).constructors.len() == 1
            && data_type != DataTypeId::EXCEPTION;
        self.constructed((id, patterns), (span, is_only), subject, (otherwise, binds)) && is_only
    }

    /// A constructor pattern; the test for the constructor is left out if it is known to be there. Says whether
    /// every value with that constructor matches.
    fn constructed(
        &mut self,
        (id, patterns): (ConstructorId, &'a [Pattern]),
        (span, is_known): (Span, bool),
        subject: &TypedValue,
        (otherwise, binds): (JumpLabel, Binds),
    ) -> bool {
        let tables = self.tables();
        let constructor = tables.constructor(id);
        let parameters = tables.data_type(constructor.data_type).parameters.len();
        let arguments = match &subject.value_type {
            Type::Data(data_type, arguments) if *data_type == constructor.data_type => {
                arguments.clone()
            }
            Type::Open => vec![Type::Open; parameters],
            other => {
                let written = Type::Data(constructor.data_type, vec![Type::Open; parameters]);
                self.wrong_pattern(&written, other, span);
                return self.unknown_constructor(patterns, (otherwise, binds));
            }
        };
        let wanted = constructor.arguments.len();
        if patterns.len() != wanted {
            let message = format!(
                "`{}` has {}, not {}",
                constructor.name,
                count(wanted, "argument"),
                patterns.len()
            );
            self.report(
                Diagnostic::error(span, message).label(constructor.tree.name.span, "declared here"),
            );
        }
        if !is_known {
            let (subject, constructor, otherwise) = (subject.operand, id, otherwise.target());
            self.builder
                .emit(Instruction::TestConstructor { subject, constructor, otherwise }, span);
        }
        let mut takes_all = true;
        for (index, pattern) in patterns.iter().enumerate() {
            if matches!(pattern.kind, PatternKind::Anything) {
                continue;
            }
            let declared = constructor.arguments.get(index);
            let value_type = match declared {
                Some(argument) => self.instance(argument, &arguments, pattern.span),
                None => Type::Open,
            };
            let argument = self.project(subject.operand, index, value_type, pattern.span);
            takes_all &= self.pattern(pattern, &argument, otherwise, binds);
        }
        takes_all
    }

    /// Reads an argument of a data value into a temporary.
    pub(super) fn project(
        &mut self,
        from: Operand,
        index: usize,
        value_type: Type,
        span: Span,
    ) -> TypedValue {
        let to = Place::Slot(self.builder.temporary());
        let index = index as u16;
        self.builder.emit(Instruction::Project { to, from, index }, span);
        TypedValue::new(read(to), value_type)
    }

    /// Binds the names below a constructor that could not be used.
    fn unknown_constructor(
        &mut self,
        patterns: &'a [Pattern],
        (otherwise, binds): (JumpLabel, Binds),
    ) -> bool {
        for pattern in patterns {
            self.pattern(pattern, &TypedValue::unknown(), otherwise, binds);
        }
        false
    }

    /// The constructor of that name.
    pub(super) fn resolve_constructor(&mut self, name: &QualifiedName) -> Option<ConstructorId> {
        match self.tables().resolve(self.module, Space::Constructor, name) {
            Ok(Entity::Constructor(id)) => Some(id),
            Ok(_) => None,
            Err(why) => {
                let diagnostic =
                    self.tables().unresolved(self.module, Space::Constructor, name, why);
                let is_class = self.tables().resolve(self.module, Space::Class, name).is_ok();
                self.report(if is_class {
                    diagnostic.hint(format!(
                        "`{name}` is a class: write `new {name}(..)` to create an object"
                    ))
                } else {
                    diagnostic
                });
                None
            }
        }
    }

    /// The end of a list of branches none of which has matched.
    pub(super) fn no_match(&mut self, span: Span) {
        let failure = Failure::NoMatch;
        self.builder.emit(Instruction::Fail { failure }, span);
    }
}
