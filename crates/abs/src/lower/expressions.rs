//! Pure expressions.
//!
//! [`Lowering::value`] types an expression, emits what is needed to compute it, and says where the value is.
//! Variables, fields and constants need no code: they are operands as they stand. Everything else goes to the
//! place the caller asks for, or to a temporary. That place is written by the last instruction of the
//! expression only, so `x = f(x) + x` needs no copy of `x`.

use crate::diagnostics::Diagnostic;
use crate::program::{
    Constant, ConstantId, ConstructorId, Instruction, InterfaceId, Operand, Place, Type,
};
use crate::source::Span;
use crate::syntax::tree::{
    Binding, Expression, ExpressionBranch, ExpressionKind, QualifiedName, TemplatePart,
    UnaryOperator, Variable,
};

use crate::check::relations::can_be_matched;
use crate::check::type_uses::TypeScope;

use super::environment::Lowering;
use super::patterns::{Binds, Matching};

/// A typed value and where it is.
#[derive(Clone, Debug)]
pub(super) struct TypedValue {
    pub(super) operand: Operand,
    pub(super) value_type: Type,
}

impl TypedValue {
    /// What stands for a value that could not be computed; a message was reported.
    pub(super) fn unknown() -> TypedValue {
        TypedValue { operand: Operand::Constant(ConstantId::NULL), value_type: Type::Open }
    }

    pub(super) fn new(operand: Operand, value_type: Type) -> TypedValue {
        TypedValue { operand, value_type }
    }
}

/// A place as an operand to read it again.
pub(super) fn read(place: Place) -> Operand {
    match place {
        Place::Slot(slot) => Operand::Slot(slot),
        Place::Field(field) => Operand::Field(field),
        Place::Nowhere => Operand::Constant(ConstantId::NULL),
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Lowers an expression. `expected` is what the context would like, a hint only; `to` is where the value
    /// should go if it has to be computed.
    pub(super) fn value(
        &mut self,
        expression: &'a Expression,
        expected: Option<&Type>,
        to: Option<Place>,
    ) -> TypedValue {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Integer(value) => {
                self.constant(Constant::Integer(value.clone()), Type::Integer)
            }
            ExpressionKind::Float(value) => self.constant(Constant::Float(*value), Type::Float),
            ExpressionKind::String(value) => {
                self.constant(Constant::String(value.clone()), Type::String)
            }
            ExpressionKind::Template(parts) => self.template(parts, span, to),
            ExpressionKind::Variable(variable) => self.read_variable(variable),
            ExpressionKind::This => self.read_this(span),
            ExpressionKind::Null => self.constant(Constant::Null, Type::Null),
            ExpressionKind::Destiny => TypedValue::new(Operand::Destiny, Type::Destiny),
            ExpressionKind::Call { function, arguments } => {
                self.call(function, arguments, (span, expected, to))
            }
            ExpressionKind::PartialCall { function, functions, arguments } => {
                self.partial_call(function, functions, arguments, (span, to))
            }
            ExpressionKind::ListCall { function, elements } => {
                self.list_call(function, elements, (span, expected, to))
            }
            ExpressionKind::Construct { constructor, arguments, .. } => {
                self.construct(constructor, arguments, (span, expected, to))
            }
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand, (span, to)),
            ExpressionKind::Chain { first, rest } => self.chain(first, rest, (span, to)),
            ExpressionKind::Implements(object, interface) => {
                self.type_test(object, interface, false, (span, to))
            }
            ExpressionKind::Cast(object, interface) => {
                self.type_test(object, interface, true, (span, to))
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.conditional((condition, then, otherwise), (span, expected, to))
            }
            ExpressionKind::Case { subject, branches } => {
                self.case(subject, branches, (span, expected, to))
            }
            ExpressionKind::Let { bindings, body } => {
                let before = self.bindings.len();
                let mark = self.destination(to);
                self.let_bindings(bindings);
                let value = self.value(body, expected, Some(mark.place));
                self.bindings.truncate(before);
                self.settle(value, mark, span)
            }
            ExpressionKind::Error => TypedValue::unknown(),
        }
    }

    /// Lowers an expression into a place; the value must fit the type. `what` names the place in messages.
    pub(super) fn value_into(
        &mut self,
        expression: &'a Expression,
        to: Place,
        expected: &Type,
        what: &str,
    ) {
        let mark = self.builder.mark();
        let value = self.value(expression, Some(expected), Some(to));
        let operand = self.fit(value, expected, expression.span, what, Some(to));
        self.builder.copy(to, operand, expression.span);
        self.builder.release(mark);
    }

    /// Lowers an expression whose value must fit a type.
    pub(super) fn fitting_value(
        &mut self,
        expression: &'a Expression,
        expected: &Type,
        what: &str,
    ) -> Operand {
        let value = self.value(expression, Some(expected), None);
        self.fit(value, expected, expression.span, what, None)
    }

    pub(super) fn constant(&mut self, constant: Constant, value_type: Type) -> TypedValue {
        let id = self.shared.constants.enter(constant);
        TypedValue::new(Operand::Constant(id), value_type)
    }

    // Destinations.

    /// The place for a computed value, and the temporaries that are free again once it is there.
    pub(super) fn destination(&mut self, to: Option<Place>) -> Destination {
        let outer = self.builder.mark();
        let place = to.unwrap_or_else(|| Place::Slot(self.builder.temporary()));
        Destination { place, outer, inner: self.builder.mark() }
    }

    /// Frees what was needed to compute a value that now is at its destination.
    pub(super) fn arrived(&mut self, destination: Destination, value_type: Type) -> TypedValue {
        self.builder.release(destination.inner);
        TypedValue::new(read(destination.place), value_type)
    }

    /// Brings a value of an inner expression to the destination unless it can stay where it is.
    fn settle(&mut self, value: TypedValue, destination: Destination, span: Span) -> TypedValue {
        if matches!(value.operand, Operand::Constant(_) | Operand::This | Operand::Destiny) {
            self.builder.release(destination.outer);
            return value;
        }
        self.builder.copy(destination.place, value.operand, span);
        self.arrived(destination, value.value_type)
    }

    // Variables.

    fn read_variable(&mut self, variable: &Variable) -> TypedValue {
        if let Some(binding) = self.variable(variable) {
            return TypedValue::new(binding.operand, binding.value_type);
        }
        if let Some(value) = self.older_truth_value(variable) {
            return value;
        }
        let diagnostic = self.unknown_variable(variable);
        self.report(diagnostic);
        TypedValue::unknown()
    }

    /// Some older models write `true` and `false`.
    fn older_truth_value(&mut self, variable: &Variable) -> Option<TypedValue> {
        let (constructor, name) = match &*variable.name.text {
            "true" => (ConstructorId::TRUE, "True"),
            "false" => (ConstructorId::FALSE, "False"),
            _ => return None,
        };
        if variable.this || !self.leniency.old_names {
            return None;
        }
        let message = format!("`{}` is read as `{name}`", variable.name);
        let hint = format!("the constructor is called `{name}`");
        self.report(Diagnostic::warning(variable.span, message).hint(hint));
        Some(self.constant(Constant::Data(constructor, Vec::new()), Type::BOOL))
    }

    fn read_this(&mut self, span: Span) -> TypedValue {
        match self.this() {
            Some((operand, value_type)) => TypedValue::new(operand, value_type),
            None => {
                self.report(
                    Diagnostic::error(span, "there is no `this` here")
                        .hint("only methods and init blocks of classes have one"),
                );
                TypedValue::unknown()
            }
        }
    }

    pub(super) fn let_bindings(&mut self, bindings: &'a [Binding]) {
        for binding in bindings {
            let declared = self.resolve_type(&binding.type_use);
            let slot = self.builder.temporary();
            let what = format!("`{}`", binding.name);
            self.value_into(&binding.value, Place::Slot(slot), &declared, &what);
            self.bind(&binding.name, Operand::Slot(slot), declared, true);
        }
    }

    /// The type that is written there.
    pub(super) fn resolve_type(&mut self, written: &crate::syntax::tree::TypeUse) -> Type {
        let tables = self.tables();
        let scope = TypeScope { module: self.module, parameters: &self.type_parameters };
        let resolved = tables.resolve_type(scope, written, &mut self.shared.diagnostics);
        if self.expansion.is_some() {
            let arguments = self.type_arguments.clone();
            self.instance(&resolved, &arguments, written.span)
        } else {
            resolved
        }
    }

    // Template strings.

    fn template(&mut self, parts: &'a [TemplatePart], span: Span, to: Option<Place>) -> TypedValue {
        let destination = self.destination(to);
        let mut pieces: Vec<Operand> = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                TemplatePart::Text(text) if text.is_empty() => {}
                TemplatePart::Text(text) => {
                    pieces
                        .push(self.constant(Constant::String(text.clone()), Type::String).operand);
                }
                TemplatePart::Hole(hole) => {
                    let value = self.value(hole, None, None);
                    pieces.push(self.text_of(value, hole.span));
                }
            }
        }
        let mut pieces = pieces.into_iter().peekable();
        let Some(mut joined) = pieces.next() else {
            self.builder.release(destination.outer);
            return self.constant(Constant::String("".into()), Type::String);
        };
        while let Some(piece) = pieces.next() {
            let to = match pieces.peek() {
                None => destination.place,
                Some(_) => Place::Slot(self.builder.temporary()),
            };
            self.concatenate(joined, piece, (to, span));
            joined = read(to);
        }
        self.settle(TypedValue::new(joined, Type::String), destination, span)
    }

    // Conditionals.

    fn conditional(
        &mut self,
        (condition, then, otherwise): (&'a Expression, &'a Expression, &'a Expression),
        (span, expected, to): (Span, Option<&Type>, Option<Place>),
    ) -> TypedValue {
        let destination = self.destination(to);
        let (on_false, end) = (self.builder.label(), self.builder.label());
        self.condition(condition, on_false);
        let first = self.branch_value(then, expected, destination.place);
        self.builder.jump(end, span);
        self.builder.place(on_false);
        let second = self.branch_value(otherwise, expected, destination.place);
        self.builder.place(end);
        let joined = self.tables().join(&first, &second);
        let value_type = joined.unwrap_or_else(|| {
            let (one, other) = (self.show(&first), self.show(&second));
            self.report(
                Diagnostic::error(otherwise.span, format!("expected `{one}`, found `{other}`"))
                    .expecting("both values of a conditional must have the same type")
                    .label(then.span, format!("this is `{one}`")),
            );
            Type::Open
        });
        self.arrived(destination, value_type)
    }

    /// Lowers one of several alternatives into their common place.
    fn branch_value(
        &mut self,
        expression: &'a Expression,
        expected: Option<&Type>,
        to: Place,
    ) -> Type {
        let mark = self.builder.mark();
        let value = self.value(expression, expected, Some(to));
        let value = self.fit_hint(value, expected, expression.span, to);
        self.builder.copy(to, value.operand, expression.span);
        self.builder.release(mark);
        value.value_type
    }

    fn case(
        &mut self,
        subject: &'a Expression,
        branches: &'a [ExpressionBranch],
        (span, expected, to): (Span, Option<&Type>, Option<Place>),
    ) -> TypedValue {
        let destination = self.destination(to);
        let subject = self.subject(subject);
        let end = self.builder.label();
        let mut joined: Option<(Type, Span)> = None;
        let mut matching = Matching::default();
        for (index, branch) in branches.iter().enumerate() {
            let before = self.bindings.len();
            let mark = self.builder.mark();
            let next = self.builder.label();
            self.branch(&branch.pattern, &subject, (next, Binds::Operands), &mut matching);
            let value_type = self.branch_value(&branch.body, expected, destination.place);
            joined = Some(self.join_branches(joined, value_type, branch.body.span));
            self.bindings.truncate(before);
            self.builder.release(mark);
            if !matching.is_exhausted() || index + 1 < branches.len() {
                self.builder.jump(end, branch.body.span);
            }
            self.builder.place(next);
        }
        self.no_branches(branches.is_empty(), span);
        if !matching.is_exhausted() {
            self.no_match(span);
        }
        self.builder.place(end);
        let value_type = joined.map_or(Type::Open, |(value_type, _)| value_type);
        self.arrived(destination, value_type)
    }

    /// The value that a `case` or `switch` looks at.
    pub(super) fn subject(&mut self, subject: &'a Expression) -> TypedValue {
        let value = self.value(subject, None, None);
        if !can_be_matched(&value.value_type) {
            let shown = self.show(&value.value_type);
            self.report(
                Diagnostic::error(subject.span, format!("`{shown}` cannot be matched"))
                    .expecting("only data can")
                    .hint("compare references with `==`"),
            );
            return TypedValue::new(value.operand, Type::Open);
        }
        value
    }

    pub(super) fn no_branches(&mut self, none: bool, span: Span) {
        if none {
            self.report(Diagnostic::error(span, "a `case` needs at least one branch"));
        }
    }

    fn join_branches(
        &mut self,
        known: Option<(Type, Span)>,
        found: Type,
        span: Span,
    ) -> (Type, Span) {
        let Some((known, first)) = known else {
            return (found, span);
        };
        match self.tables().join(&known, &found) {
            Some(joined) => (joined, first),
            None => {
                let (one, other) = (self.show(&known), self.show(&found));
                self.report(
                    Diagnostic::error(span, format!("expected `{one}`, found `{other}`"))
                        .expecting("all branches must have the same type")
                        .label(first, format!("this is `{one}`")),
                );
                (Type::Open, first)
            }
        }
    }

    // Types of objects.

    fn type_test(
        &mut self,
        object: &'a Expression,
        interface: &QualifiedName,
        is_cast: bool,
        (span, to): (Span, Option<Place>),
    ) -> TypedValue {
        let destination = self.destination(to);
        let value = self.value(object, None, None);
        let tables = self.tables();
        let found = tables.resolve_interface(self.module, interface, &mut self.shared.diagnostics);
        if !matches!(
            value.value_type,
            Type::Interface(_) | Type::Class(_) | Type::Null | Type::Open
        ) {
            let shown = self.show(&value.value_type);
            self.report(
                Diagnostic::error(object.span, format!("`{shown}` implements no interface"))
                    .expecting("expected an object"),
            );
        }
        let interface = found.unwrap_or(InterfaceId::OBJECT);
        let (to, object) = (destination.place, value.operand);
        let (instruction, value_type) = if is_cast {
            (Instruction::Cast { to, object, interface }, Type::Interface(interface))
        } else {
            (Instruction::Implements { to, object, interface }, Type::BOOL)
        };
        self.builder.emit(instruction, span);
        self.arrived(destination, value_type)
    }

    // Prefix operators.

    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &'a Expression,
        (span, to): (Span, Option<Place>),
    ) -> TypedValue {
        match operator {
            UnaryOperator::Not => {
                let destination = self.destination(to);
                let operand = self.fitting_value(operand, &Type::BOOL, "the operand of `!`");
                if let Operand::Constant(id @ (ConstantId::TRUE | ConstantId::FALSE)) = operand {
                    self.builder.release(destination.outer);
                    let negated = if id == ConstantId::TRUE {
                        ConstructorId::FALSE
                    } else {
                        ConstructorId::TRUE
                    };
                    return self.constant(Constant::Data(negated, Vec::new()), Type::BOOL);
                }
                let operation = crate::program::UnaryOperation::Not;
                let to = destination.place;
                self.builder.emit(Instruction::Unary { operation, to, operand }, span);
                self.arrived(destination, Type::BOOL)
            }
            UnaryOperator::Negate => self.negate(operand, (span, to)),
        }
    }
}

/// Where a value goes. See [`Lowering::destination`].
#[derive(Clone, Copy)]
pub(super) struct Destination {
    pub(super) place: Place,
    /// The temporaries in use before, without that of the place.
    pub(super) outer: u16,
    /// The temporaries in use once the value is there.
    inner: u16,
}
