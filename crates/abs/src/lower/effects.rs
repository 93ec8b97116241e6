//! Effects: object creation, calls of methods, and futures.

use crate::check::annotations;
use crate::check::suggestions::closest;
use crate::check::tables::{ClassKind, Entity, MethodSignature, Signature, Space};
use crate::diagnostics::Diagnostic;
use crate::program::{
    ClassId, DataTypeId, Instruction, InterfaceId, NewPlace, Operand, Place, Type,
};
use crate::source::Span;
use crate::syntax::tree::{self, Annotation, Call, Effect, EffectKind, Expression, QualifiedName};

use super::environment::Lowering;
use super::expressions::TypedValue;

impl<'a> Lowering<'_, 'a> {
    /// Lowers an effect; its result goes to the place. Gives the type of the result.
    pub(super) fn effect(
        &mut self,
        effect: &'a Effect,
        annotations: &'a [Annotation],
        to: Place,
    ) -> Type {
        let span = effect.span;
        match &effect.kind {
            EffectKind::Get(future) => {
                self.waits("`get`", span);
                self.get(future, span, to)
            }
            EffectKind::New { place, class, arguments } => {
                self.shared.diagnostics.extend(annotations::without_effect(annotations));
                self.new_object(*place, class, arguments, (span, to))
            }
            EffectKind::AsyncCall(call) => {
                let result = self.send(call, annotations, (span, to));
                Type::Future(Box::new(result))
            }
            EffectKind::AwaitCall(call) => {
                self.waits("`await`", span);
                let slot = self.builder.variable(None, Type::Open);
                let result = self.send(call, annotations, (span, Place::Slot(slot)));
                let future = Operand::Slot(slot);
                self.await_future(future, span);
                if to != Place::Nowhere {
                    self.builder.emit(Instruction::Get { to, future }, span);
                }
                result
            }
            EffectKind::SyncCall(call) => self.sync_call(call, (span, to)),
            EffectKind::Original(arguments) => self.original(arguments, (span, to)),
        }
    }

    fn get(&mut self, future: &'a Expression, span: Span, to: Place) -> Type {
        let value = self.value(future, None, None);
        let result = match &value.value_type {
            Type::Future(result) => (**result).clone(),
            Type::Destiny if to != Place::Nowhere => {
                let message = "the type of what a `Destiny` leads to is not known".to_owned();
                self.report(
                    Diagnostic::error(span, message)
                        .hint("wait for it with `get` alone, or declare the future as `Fut<..>`"),
                );
                Type::Open
            }
            Type::Destiny | Type::Open => Type::Open,
            other => {
                let shown = self.show(other);
                self.report(
                    Diagnostic::error(future.span, format!("expected a future, found `{shown}`"))
                        .expecting("only futures have `get`")
                        .hint("asynchronous calls give futures, as in `Fut<Int> f = o!m();`"),
                );
                Type::Open
            }
        };
        let future = value.operand;
        self.builder.emit(Instruction::Get { to, future }, span);
        result
    }

    // Objects.

    fn new_object(
        &mut self,
        place: tree::Place,
        name: &'a QualifiedName,
        arguments: &'a [Expression],
        (span, to): (Span, Place),
    ) -> Type {
        let class_id = match self.tables().resolve(self.module, Space::Class, name) {
            Ok(Entity::Class(id)) => id,
            Ok(_) => return Type::Open,
            Err(why) => {
                let diagnostic = self.tables().unresolved(self.module, Space::Class, name, why);
                let diagnostic = self.explain_class(name, diagnostic);
                self.report(diagnostic);
                for argument in arguments {
                    self.value(argument, None, None);
                }
                return Type::Open;
            }
        };
        let makes_cog = self.shared.reading.makes_cog(place);
        self.check_kind(class_id, makes_cog, span);
        let class = self.tables().class(class_id);
        let signature = Signature {
            type_parameters: 0,
            parameters: class
                .fields
                .iter()
                .filter(|field| field.is_parameter)
                .map(|field| field.value_type.clone())
                .collect(),
            result: Type::Class(class_id),
        };
        let named = (&*class.name, class.tree.name.span, span);
        let (operands, result) = self.typed_arguments(arguments, &signature, named, None);
        let arguments = self.builder.arguments(&operands);
        let place = if makes_cog { NewPlace::OwnCog } else { NewPlace::SameCog };
        let class = class_id;
        self.builder.emit(Instruction::New { to, class, place, arguments }, span);
        result
    }

    /// What else the name of a class could be.
    fn explain_class(&self, name: &QualifiedName, diagnostic: Diagnostic) -> Diagnostic {
        let Ok(Entity::Interface(interface)) =
            self.tables().resolve(self.module, Space::Type, name)
        else {
            return diagnostic;
        };
        let implementing = self.tables().classes.iter().find(|class| {
            interface != InterfaceId::OBJECT && class.interfaces.contains(&interface)
        });
        let diagnostic = Diagnostic::error(
            name.span,
            format!("`{name}` is an interface, and objects need a class"),
        );
        match implementing {
            Some(class) => diagnostic.hint(format!("`{}` implements it", class.name)),
            None => diagnostic.hint("no class implements it yet"),
        }
    }

    /// `[COG]` and `[Plain]` classes are created in one way only.
    fn check_kind(&mut self, class: ClassId, makes_cog: bool, span: Span) {
        let class = self.tables().class(class);
        let message = match (class.kind, makes_cog) {
            (ClassKind::Cog, false) => {
                format!("objects of the `[COG]` class `{}` need a cog of their own", class.name)
            }
            (ClassKind::Plain, true) => format!(
                "objects of the `[Plain]` class `{}` live in their creator's cog",
                class.name
            ),
            _ => return,
        };
        let hint = match class.kind {
            ClassKind::Cog => "write `new C(..)` (`new cog C(..)` in older models)",
            _ => "write `new local C(..)` (`new C(..)` in older models)",
        };
        self.report(
            Diagnostic::error(span, message)
                .label(class.tree.name.span, "declared here")
                .hint(hint),
        );
    }

    // Calls.

    fn send(
        &mut self,
        call: &'a Call,
        annotations: &'a [Annotation],
        (span, to): (Span, Place),
    ) -> Type {
        let Some((callee, method)) = self.callee(call) else {
            return Type::Open;
        };
        let (operands, result) = self.method_arguments(call, &method, span);
        if let Some(deadline) = annotations::value(annotations, "Deadline") {
            let duration = Type::Data(DataTypeId::DURATION, Vec::new());
            let duration = self.fitting_value(deadline, &duration, "a deadline");
            self.builder.emit(Instruction::SetDeadline { duration }, deadline.span);
        }
        let arguments = self.builder.arguments(&operands);
        let (callee, selector) = (callee.operand, method.selector);
        self.builder.emit(Instruction::Send { to, callee, selector, arguments }, span);
        result
    }

    fn sync_call(&mut self, call: &'a Call, (span, to): (Span, Place)) -> Type {
        let Some((callee, method)) = self.callee(call) else {
            return Type::Open;
        };
        if !method.atomic {
            self.not_atomic(&method, span);
        }
        let (operands, result) = self.method_arguments(call, &method, span);
        let arguments = self.builder.arguments(&operands);
        let own = match callee.value_type {
            Type::Class(class) if callee.operand == Operand::This => {
                self.tables().class(class).method(&method.name).map(|method| method.id)
            }
            _ => None,
        };
        let instruction = match own {
            Some(method) => Instruction::CallOwn { to, method, arguments },
            None => Instruction::CallMethod {
                to,
                callee: callee.operand,
                selector: method.selector,
                arguments,
            },
        };
        self.builder.emit(instruction, span);
        result
    }

    fn not_atomic(&mut self, method: &MethodSignature, span: Span) {
        let place = match (self.permissions.restricted, self.permissions.atomic) {
            (Some(place), _) => place,
            (None, true) => "an `[Atomic]` method",
            (None, false) => return,
        };
        self.report(
            Diagnostic::error(
                span,
                format!("a synchronous call in {place} needs an `[Atomic]` method"),
            )
            .label(method.span, format!("`{}` may wait", method.name))
            .hint("write `[Atomic]` before that method, or call it asynchronously"),
        );
    }

    fn method_arguments(
        &mut self,
        call: &'a Call,
        method: &MethodSignature,
        span: Span,
    ) -> (Vec<Operand>, Type) {
        let signature = Signature {
            type_parameters: 0,
            parameters: method.parameters.clone(),
            result: method.result.clone(),
        };
        self.typed_arguments(&call.arguments, &signature, (&method.name, method.span, span), None)
    }

    /// The object that is called, and its method.
    fn callee(&mut self, call: &'a Call) -> Option<(TypedValue, MethodSignature)> {
        let any_object = Type::Interface(InterfaceId::OBJECT);
        let value = self.value(&call.callee, Some(&any_object), None);
        let tables = self.tables();
        let name = &call.method;
        let (found, mut candidates): (Option<&MethodSignature>, Vec<&str>) = match &value.value_type
        {
            Type::Interface(id) => {
                let interface = tables.interface(*id);
                let names = interface.methods.iter().map(|method| &*method.name).collect();
                (interface.method(&name.text), names)
            }
            Type::Class(id) => {
                let class = tables.class(*id);
                let names = class.methods.iter().map(|method| &*method.signature.name).collect();
                (class.method(&name.text).map(|method| &method.signature), names)
            }
            _ => (None, Vec::new()),
        };
        if let Some(method) = found {
            return Some((value, method.clone()));
        }
        for argument in &call.arguments {
            self.value(argument, None, None);
        }
        let shown = self.show(&value.value_type);
        let diagnostic = match &value.value_type {
            Type::Open => return None,
            Type::Interface(_) | Type::Class(_) => {
                candidates.sort_unstable();
                let diagnostic =
                    Diagnostic::error(name.span, format!("`{shown}` has no method `{name}`"));
                self.explain_method(
                    &value.value_type,
                    &name.text,
                    closest(&name.text, candidates),
                    diagnostic,
                )
            }
            Type::Null => Diagnostic::error(call.callee.span, "`null` has no methods"),
            Type::Future(_) => Diagnostic::error(call.callee.span, "a future has no methods")
                .hint("get the object first: `x = f.get;` and then call it"),
            _ => Diagnostic::error(call.callee.span, format!("`{shown}` has no methods"))
                .expecting("expected an object")
                .hint("functions are called as `f(x)`"),
        };
        self.report(diagnostic);
        None
    }

    fn explain_method(
        &self,
        object: &Type,
        name: &str,
        similar: Option<&str>,
        diagnostic: Diagnostic,
    ) -> Diagnostic {
        let has_it = |id| {
            let mut classes = self.tables().classes.iter();
            classes.find(|class| class.interfaces.contains(id) && class.method(name).is_some())
        };
        let private = match object {
            Type::Interface(id) => has_it(id),
            _ => None,
        };
        match (private, similar) {
            (Some(class), _) => diagnostic.hint(format!(
                "the class `{}` has it, but only the methods of interfaces can be called from outside",
                class.name
            )),
            (None, Some(similar)) => diagnostic.hint(format!("did you mean `{similar}`?")),
            (None, None) => diagnostic,
        }
    }

    /// `original(..)`: the version of the method that this one replaces.
    fn original(&mut self, arguments: &'a [Expression], (span, to): (Span, Place)) -> Type {
        let class = self.class().map(|class| self.tables().class(class));
        let (Some(class), Some(original)) = (class, self.original) else {
            self.report(
                Diagnostic::error(span, "there is no original method here")
                    .hint("`original(..)` calls the method that a trait's `modifies` replaces"),
            );
            return Type::Open;
        };
        let method = &class.methods[original];
        let signature = Signature {
            type_parameters: 0,
            parameters: method.signature.parameters.clone(),
            result: method.signature.result.clone(),
        };
        let named = (&*method.signature.name, method.signature.span, span);
        let (operands, result) = self.typed_arguments(arguments, &signature, named, None);
        let arguments = self.builder.arguments(&operands);
        let method = method.id;
        self.builder.emit(Instruction::CallOwn { to, method, arguments }, span);
        result
    }
}
