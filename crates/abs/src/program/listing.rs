//! A model's code as text, for people and for golden tests.
//!
//! The listing names everything and shows no places in the source, so two spellings of one model have the
//! same listing exactly when they have been lowered to the same code.

use std::fmt::{self, Write};

use super::code::{Arguments, Body, BodyOwner, Comparison, GuardPart, Instruction, Operand, Place};
use super::ids::{BodyId, ConstantId};
use super::{Constant, Model};

impl Model {
    /// The code of everything as text.
    pub fn listing(&self) -> String {
        let mut text = String::new();
        for (index, body) in self.bodies.iter().enumerate() {
            let id = BodyId(index as u32);
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", BodyListing { model: self, id, body });
        }
        text
    }

    /// What a body is the code of, as in `Worker.work`.
    pub fn body_name(&self, id: BodyId) -> String {
        match self.body(id).owner {
            BodyOwner::Function(function) => self.function(function).name.to_string(),
            BodyOwner::Method(method) => {
                let method = self.method(method);
                let class = &self.class(method.class).name;
                format!("{class}.{}", self.selector(method.selector))
            }
            BodyOwner::Init(class) => format!("{}.init", self.class(class).name),
            BodyOwner::Recover(class) => format!("{}.recover", self.class(class).name),
            BodyOwner::Main => "main".to_owned(),
        }
    }

    /// A constant as it would be written.
    pub fn constant_text(&self, id: ConstantId) -> String {
        let list = |items: &[ConstantId]| {
            let items: Vec<String> = items.iter().map(|&item| self.constant_text(item)).collect();
            items.join(", ")
        };
        match &self.constants[id.index()] {
            Constant::Null => "null".to_owned(),
            Constant::Integer(value) => value.to_string(),
            Constant::Float(value) => format!("{value:?}"),
            Constant::String(value) => format!("{value:?}"),
            Constant::Data(constructor, arguments) => {
                let name = &self.constructor(*constructor).name;
                if arguments.is_empty() {
                    name.to_string()
                } else {
                    format!("{name}({})", list(arguments))
                }
            }
            Constant::List(elements) => format!("list[{}]", list(elements)),
        }
    }
}

struct BodyListing<'a> {
    model: &'a Model,
    id: BodyId,
    body: &'a Body,
}

impl fmt::Display for BodyListing<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.body;
        writeln!(
            out,
            "{} (parameters {}, locals {}, slots {})",
            self.model.body_name(self.id),
            body.parameters,
            body.locals,
            body.slots
        )?;
        for (index, instruction) in body.code.iter().enumerate() {
            writeln!(out, "  {index:3} {}", self.instruction(instruction))?;
        }
        for handler in &body.handlers {
            let slot = self.place(Place::Slot(handler.slot));
            let (start, end, target) = (handler.start, handler.end, handler.target);
            writeln!(out, "  handler {start}..{end} -> {target} in {slot}")?;
        }
        for (index, guard) in body.guards.iter().enumerate() {
            let parts: Vec<String> =
                guard.parts.iter().map(|part| self.guard_part(*part)).collect();
            writeln!(out, "  guard {index}: {}", parts.join(" & "))?;
        }
        Ok(())
    }
}

impl BodyListing<'_> {
    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Slot(slot) => self.place(Place::Slot(slot)),
            Operand::Field(field) => self.place(Place::Field(field)),
            Operand::Constant(id) => self.model.constant_text(id),
            Operand::This => "this".to_owned(),
            Operand::Destiny => "destiny".to_owned(),
        }
    }

    fn place(&self, place: Place) -> String {
        match place {
            Place::Nowhere => "_".to_owned(),
            Place::Slot(slot) => {
                let variable = self.body.variables.get(slot.index());
                match variable.and_then(|variable| variable.name.as_ref()) {
                    Some(name) => format!("{name}#{}", slot.0),
                    None => format!("#{}", slot.0),
                }
            }
            Place::Field(field) => {
                let class = match self.body.owner {
                    BodyOwner::Method(method) => self.model.method(method).class,
                    BodyOwner::Init(class) | BodyOwner::Recover(class) => class,
                    BodyOwner::Function(_) | BodyOwner::Main => return format!("this.{}", field.0),
                };
                format!("this.{}", self.model.class(class).fields[field.index()].name)
            }
        }
    }

    fn arguments(&self, arguments: Arguments) -> String {
        let operands = self.body.arguments(arguments);
        let texts: Vec<String> = operands.iter().map(|&operand| self.operand(operand)).collect();
        texts.join(", ")
    }

    fn guard_part(&self, part: GuardPart) -> String {
        match part {
            GuardPart::Future(future) => format!("{}?", self.operand(future)),
            GuardPart::Value(value) => self.operand(value),
            GuardPart::Condition(target) => format!("code at {target}"),
            GuardPart::Duration { minimum, maximum } => {
                format!("duration({}, {})", self.operand(minimum), self.operand(maximum))
            }
        }
    }

    fn instruction(&self, instruction: &Instruction) -> String {
        let value = |operand: Operand| self.operand(operand);
        let place = |place: Place| self.place(place);
        match *instruction {
            Instruction::Copy { to, from } => format!("{} = {}", place(to), value(from)),
            Instruction::Unary { operation, to, operand } => {
                format!("{} = {operation:?} {}", place(to), value(operand))
            }
            Instruction::Binary { operation, to, left, right } => {
                format!("{} = {} {operation:?} {}", place(to), value(left), value(right))
            }
            Instruction::Compare { comparison, to, left, right } => {
                format!("{} = {} {} {}", place(to), value(left), sign(comparison), value(right))
            }
            Instruction::Construct { to, constructor, arguments } => {
                let name = &self.model.constructor(constructor).name;
                format!("{} = {name}({})", place(to), self.arguments(arguments))
            }
            Instruction::List { to, elements } => {
                format!("{} = list[{}]", place(to), self.arguments(elements))
            }
            Instruction::Project { to, from, index } => {
                format!("{} = argument {index} of {}", place(to), value(from))
            }
            Instruction::Implements { to, object, interface } => {
                let name = &self.model.interfaces[interface.index()].name;
                format!("{} = {} implements {name}", place(to), value(object))
            }
            Instruction::Cast { to, object, interface } => {
                let name = &self.model.interfaces[interface.index()].name;
                format!("{} = {} as {name}", place(to), value(object))
            }
            Instruction::Call { to, function, arguments } => {
                let name = &self.model.function(function).name;
                format!("{} = {name}({})", place(to), self.arguments(arguments))
            }
            Instruction::TailCall { function, arguments } => {
                let name = &self.model.function(function).name;
                format!("return {name}({})", self.arguments(arguments))
            }
            Instruction::Builtin { to, builtin, arguments } => {
                format!(
                    "{} = builtin {}({})",
                    place(to),
                    builtin.name().1,
                    self.arguments(arguments)
                )
            }
            _ => self.control(instruction),
        }
    }

    /// Control flow and effects.
    fn control(&self, instruction: &Instruction) -> String {
        let value = |operand: Operand| self.operand(operand);
        let place = |place: Place| self.place(place);
        match *instruction {
            Instruction::Jump { target } => format!("jump {target}"),
            Instruction::Branch { condition, otherwise } => {
                format!("test {} else {otherwise}", value(condition))
            }
            Instruction::Test { comparison, left, right, otherwise } => {
                format!(
                    "test {} {} {} else {otherwise}",
                    value(left),
                    sign(comparison),
                    value(right)
                )
            }
            Instruction::TestConstructor { subject, constructor, otherwise } => {
                let name = &self.model.constructor(constructor).name;
                format!("test {} is {name} else {otherwise}", value(subject))
            }
            Instruction::Return { value: result } => format!("return {}", value(result)),
            Instruction::Yield { value: result } => format!("yield {}", value(result)),
            Instruction::Fail { failure } => format!("fail {failure:?}"),
            Instruction::Assert { condition } => format!("assert {}", value(condition)),
            Instruction::Throw { exception, again: false } => {
                format!("throw {}", value(exception))
            }
            Instruction::Throw { exception, again: true } => {
                format!("throw again {}", value(exception))
            }
            Instruction::Die { exception } => format!("die {}", value(exception)),
            Instruction::New { to, class, place: cog, arguments } => {
                let name = &self.model.class(class).name;
                format!("{} = new {cog:?} {name}({})", place(to), self.arguments(arguments))
            }
            Instruction::SetDeadline { duration } => format!("deadline {}", value(duration)),
            Instruction::Send { to, callee, selector, arguments } => {
                let name = self.model.selector(selector);
                format!("{} = {}!{name}({})", place(to), value(callee), self.arguments(arguments))
            }
            Instruction::CallMethod { to, callee, selector, arguments } => {
                let name = self.model.selector(selector);
                format!("{} = {}.{name}({})", place(to), value(callee), self.arguments(arguments))
            }
            Instruction::CallOwn { to, method, arguments } => {
                let name = self.model.selector(self.model.method(method).selector);
                format!("{} = this.{name}({})", place(to), self.arguments(arguments))
            }
            Instruction::Get { to, future } => format!("{} = {}.get", place(to), value(future)),
            Instruction::Await { guard } => format!("await guard {}", guard.0),
            Instruction::Suspend => "suspend".to_owned(),
            Instruction::Duration { minimum, maximum } => {
                format!("duration({}, {})", value(minimum), value(maximum))
            }
            _ => String::new(),
        }
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}
