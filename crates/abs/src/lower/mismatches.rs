//! Whether a value fits where it stands, and what to say when it does not.

use crate::check::relations::is_maybe;
use crate::diagnostics::Diagnostic;
use crate::program::{Instruction, Operand, Place, Type, UnaryOperation};
use crate::source::Span;

use super::environment::Lowering;
use super::expressions::{TypedValue, read};

impl Lowering<'_, '_> {
    /// The operand of a value that must fit a type. In older files a `Rat` is rounded where an `Int` is
    /// expected.
    pub(super) fn fit(
        &mut self,
        value: TypedValue,
        expected: &Type,
        span: Span,
        what: &str,
        to: Option<Place>,
    ) -> Operand {
        if self.tables().assignable(&value.value_type, expected) {
            return value.operand;
        }
        if self.rounds(&value.value_type, expected) {
            return self.round(value.operand, span, to);
        }
        let diagnostic = self.mismatch(&value.value_type, expected, span, what);
        self.report(diagnostic);
        value.operand
    }

    /// A value that would have to be rounded to fit the hint; every other mismatch is the context's business.
    pub(super) fn fit_hint(
        &mut self,
        value: TypedValue,
        expected: Option<&Type>,
        span: Span,
        to: Place,
    ) -> TypedValue {
        match expected {
            Some(expected) if self.rounds(&value.value_type, expected) => {
                TypedValue::new(self.round(value.operand, span, Some(to)), Type::Integer)
            }
            _ => value,
        }
    }

    fn rounds(&self, found: &Type, expected: &Type) -> bool {
        self.leniency.rounds && *found == Type::Rational && *expected == Type::Integer
    }

    fn round(&mut self, operand: Operand, span: Span, to: Option<Place>) -> Operand {
        self.report(
            Diagnostic::warning(
                span,
                "this `Rat` is rounded toward zero to an `Int`, as older versions did",
            )
            .hint("write `truncate(..)` to say so"),
        );
        let to = to.unwrap_or_else(|| Place::Slot(self.builder.temporary()));
        let operation = UnaryOperation::Truncate;
        self.builder.emit(Instruction::Unary { operation, to, operand }, span);
        read(to)
    }

    /// The message for a value of the wrong type.
    pub(super) fn mismatch(
        &self,
        found: &Type,
        expected: &Type,
        span: Span,
        what: &str,
    ) -> Diagnostic {
        let message = format!("expected `{}`, found `{}`", self.show(expected), self.show(found));
        let diagnostic = Diagnostic::error(span, message)
            .expecting(format!("{what} is of type `{}`", self.show(expected)));
        match self.advice(found, expected) {
            Some(advice) => diagnostic.hint(advice),
            None => diagnostic,
        }
    }

    fn advice(&self, found: &Type, expected: &Type) -> Option<String> {
        let fits = |inner: &Type, outer: &Type| self.tables().assignable(inner, outer);
        Some(match (found, expected) {
            (Type::Future(inner), _) if fits(inner, expected) => {
                "read the result of the future with `.get`".to_owned()
            }
            (Type::Data(_, arguments), _) if is_maybe(found) && fits(&arguments[0], expected) => {
                "take the value out with `case`, or with `fromJust(..)` if it must be there"
                    .to_owned()
            }
            (_, Type::Data(_, arguments)) if is_maybe(expected) && fits(found, &arguments[0]) => {
                "wrap the value as `Just(..)`".to_owned()
            }
            (_, Type::Future(inner)) if fits(found, inner) => {
                "only asynchronous calls such as `o!m()` give futures".to_owned()
            }
            (Type::Rational, Type::Integer) => {
                "`truncate(..)` rounds toward zero; `/` always gives a `Rat`".to_owned()
            }
            (Type::Integer | Type::Rational, Type::Float) => {
                "convert it with `float(..)`".to_owned()
            }
            (Type::Float, Type::Integer) => "convert it with `floor(..)` or `ceil(..)`".to_owned(),
            (Type::Float, Type::Rational) => "convert it with `rat(..)`".to_owned(),
            (_, Type::String) => "convert it with `toString(..)`".to_owned(),
            (Type::Null, Type::Future(_) | Type::Destiny) => {
                "a future is null if it is declared without a value".to_owned()
            }
            (Type::Null, _) => "only references to objects can be null".to_owned(),
            (Type::Class(class), Type::Interface(interface)) => {
                let (class, interface) =
                    (self.tables().class(*class), self.tables().interface(*interface));
                format!("the class `{}` does not implement `{}`", class.name, interface.name)
            }
            (Type::Interface(_), Type::Interface(interface)) => {
                let name = &self.tables().interface(*interface).name;
                format!("use `.. as {name}`, which gives null for objects that do not implement it")
            }
            _ => return None,
        })
    }
}
