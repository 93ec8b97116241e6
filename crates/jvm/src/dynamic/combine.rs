//! Combined method handles: `MethodHandles.insertArguments` and its like.
//!
//! **Problem.** The JDK combines handles into trees of forms that it interprets or compiles at run time. The
//! machine's handles are direct: a member and perhaps a bound first argument.
//!
//! **Idea.** A combination of handles is a direct handle, too: of a static method that the machine writes, bound
//! to an array with the parts of the combination (handles, values). The method depends only on the
//! types involved, so it is written once for each shape, and calls the handles in the array as a call of
//! `invoke` in a program would, with the same conversions.
//!
//! **Invariant.** The array is made here and nobody else gets to see it, so reading it is no visible operation.
//!
//! The JDK's own code checks the clauses of loops and fills in what they leave out, and the arguments of
//! `tryFinally`; what it ends in is written here.
//!
//! **Not done.** Call sites that change, `MethodHandleProxies`.

use super::assemble::Assembly;
use super::handle::Handle;
use super::lambda::INVOKE_STATIC;
use crate::classfile::descriptor::split_method;
use crate::classfile::{MethodDescriptor, Type, access};
use crate::code::{Handler, Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{ARRAY_HEADER_WORDS, Reference};
use crate::world::{CallSite, ClassId, MethodId};

const OBJECT: &str = "Ljava/lang/Object;";

/// The types of a handle: descriptors of parameters and result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HandleTypes {
    /// The parameters.
    pub parameters: Vec<String>,
    /// The result.
    pub result: String,
}

impl HandleTypes {
    /// The types in a method descriptor.
    fn parse(descriptor: &str) -> Option<HandleTypes> {
        let (parameters, result) = split_method(descriptor)?;
        let parameters = parameters.into_iter().map(str::to_string).collect();
        Some(HandleTypes { parameters, result: result.to_string() })
    }

    /// The method descriptor.
    pub fn descriptor(&self) -> String {
        format!("({}){}", self.parameters.concat(), self.result)
    }

    fn with_parameters(&self, parameters: Vec<String>) -> HandleTypes {
        HandleTypes { parameters, result: self.result.clone() }
    }
}

/// A method of a combination being written: its first word is the array of parts, and its arguments follow.
pub(crate) struct Combination<'m> {
    machine: &'m mut Machine,
    code: Assembly,
    handlers: Vec<Handler>,
    /// The types of the combined handle.
    types: HandleTypes,
    /// The most words on the stack, generously.
    words: usize,
    /// How many words are kept on the way.
    places: usize,
}

impl Combination<'_> {
    /// Pushes a part.
    pub fn part(&mut self, index: usize) {
        self.code.with(Opcode::Load, 0);
        self.code.with(Opcode::GetFieldHidden, ARRAY_HEADER_WORDS + index as u32);
        self.words += 1;
    }

    /// Pushes a part that is a value of this type.
    pub fn value(&mut self, index: usize, kind: &str) -> Result<(), Trap> {
        self.part(index);
        self.convert(OBJECT, kind)
    }

    /// Pushes an argument of the combined handle.
    pub fn argument(&mut self, index: usize) {
        self.code.with(Opcode::Load, index as u32 + 1);
        self.words += 1;
    }

    /// Keeps the word on top of the stack in a place of its own.
    pub fn keep(&mut self, place: usize) {
        self.places = self.places.max(place + 1);
        self.code.with(Opcode::Store, (self.types.parameters.len() + 1 + place) as u32);
    }

    /// Pushes what was kept.
    pub fn kept(&mut self, place: usize) {
        self.code.with(Opcode::Load, (self.types.parameters.len() + 1 + place) as u32);
        self.words += 1;
    }

    /// Converts the word on top of the stack.
    pub fn convert(&mut self, from: &str, to: &str) -> Result<(), Trap> {
        self.machine.convert(&mut self.code, from, to)
    }

    /// Calls the handle that was pushed before its arguments.
    pub fn call(&mut self, types: &HandleTypes) -> Result<(), Trap> {
        let descriptor = types.descriptor();
        let words = types.parameters.len() as u16 + 1;
        let call = self.machine.handle_call(&descriptor, words)?;
        self.code.push(call);
        self.words += 1;
        Ok(())
    }

    /// Writes an instruction.
    pub fn push(&mut self, instruction: Instruction) {
        self.code.push(instruction);
        self.words += 1;
    }

    /// The number of the next instruction.
    pub fn here(&self) -> u32 {
        self.code.here()
    }

    /// Lets jumps to a placeholder go to the next instruction.
    pub fn land(&mut self, placeholder: u32) {
        self.code.land(placeholder);
    }

    /// Lets a handler protect the instructions from there to here; it begins at the instruction `target`.
    pub fn protect(&mut self, start: u32, end: u32, target: u32, class: &str) {
        self.handlers.push(Handler { start, end, target, catch: Some(class.to_string()) });
    }

    /// Returns the word on top of the stack, which is of this type.
    pub fn give(&mut self, from: &str) -> Result<(), Trap> {
        let to = self.types.result.clone();
        match (from, to.as_str()) {
            ("V", "V") => self.code.op(Opcode::Return),
            ("V", _) => {
                self.code.with(Opcode::Constant, 0);
                self.code.op(Opcode::ReturnWord);
            }
            (_, "V") => {
                self.code.op(Opcode::Pop);
                self.code.op(Opcode::Return);
            }
            (from, to) => {
                self.machine.convert(&mut self.code, from, to)?;
                self.code.op(Opcode::ReturnWord);
            }
        }
        Ok(())
    }
}

impl Machine {
    /// An instruction that invokes a handle with these types, with so many words of arguments, the handle
    /// included.
    fn handle_call(&mut self, descriptor: &str, words: u16) -> Result<Instruction, Trap> {
        let Some(types) = MethodDescriptor::parse(descriptor) else {
            return Err(Fault::invalid(format!("the descriptor {descriptor}")).into());
        };
        let descriptor = self.world.symbols.intern(descriptor);
        let (parameters, result) = (types.parameters, types.result);
        self.world.call_sites.push(CallSite { mode: 0, parameters, result, descriptor });
        let site = self.world.call_sites.len() as u32 - 1;
        Ok(Instruction::with2(Opcode::InvokeHandle, site, words))
    }

    /// The types that a handle is invoked with.
    pub(crate) fn handle_types(&self, handle: Reference) -> Result<HandleTypes, Trap> {
        self.handle_of(handle)?;
        self.types_in(Reference(self.get_field(handle, "type")?))
    }

    /// The types in a `MethodType`, all of which the machine has made.
    pub(crate) fn types_in(&self, method_type: Reference) -> Result<HandleTypes, Trap> {
        let descriptor = self.caches.described_types.get(&method_type);
        let types = descriptor.and_then(|text| HandleTypes::parse(self.world.symbols.text(*text)));
        types.ok_or_else(|| Fault::invalid("a method handle with a malformed type").into())
    }

    /// A handle with these types made from these parts. What it does is written once for each key.
    pub(crate) fn combine(
        &mut self,
        key: String,
        types: &HandleTypes,
        parts: &[Reference],
        write: impl FnOnce(&mut Combination<'_>) -> Result<(), Trap>,
    ) -> Result<Reference, Trap> {
        let target = self.combining_method(key, types, write)?;
        let array = self.reference_array(self.known.object, parts)?;
        let handle = Handle { kind: INVOKE_STATIC, target: target.0, field: 0, bound: true };
        self.new_handle(handle, array)
    }

    /// The method that does what a combination of this shape does.
    fn combining_method(
        &mut self,
        key: String,
        types: &HandleTypes,
        write: impl FnOnce(&mut Combination<'_>) -> Result<(), Trap>,
    ) -> Result<MethodId, Trap> {
        let key = format!("{key} {}", types.descriptor());
        if let Some(known) = self.caches.combinations.get(&key) {
            return Ok(*known);
        }
        let mut combination = Combination {
            machine: self,
            code: Assembly::default(),
            handlers: Vec::new(),
            types: types.clone(),
            words: 4,
            places: 0,
        };
        write(&mut combination)?;
        let Combination { code, handlers, words, places, .. } = combination;
        let locals = (types.parameters.len() + 1 + places) as u32;
        let mut code = code.finish(locals, words as u32);
        code.handlers = handlers;
        let descriptor = format!("([{OBJECT}{}){}", types.parameters.concat(), types.result);
        let made =
            self.add_synthetic(self.known.object, "combined", &descriptor, access::STATIC, code)?;
        self.caches.combinations.insert(key, made);
        Ok(made)
    }

    /// `insertArguments`: the values from a place on are given.
    pub(crate) fn insert_arguments(
        &mut self,
        handle: Reference,
        at: usize,
        values: &[Reference],
    ) -> Result<Reference, Trap> {
        let inner = self.handle_types(handle)?;
        let end = at + values.len();
        if end > inner.parameters.len() {
            return Err(argument("too many values to insert"));
        }
        let mut outer = inner.parameters.clone();
        outer.drain(at..end);
        let outer = inner.with_parameters(outer);
        let parts: Vec<Reference> = [handle].into_iter().chain(values.iter().copied()).collect();
        let count = values.len();
        self.combine(format!("insert {at} {}", inner.descriptor()), &outer, &parts, |code| {
            code.part(0);
            for (index, kind) in inner.parameters.iter().enumerate() {
                match index {
                    index if index < at => code.argument(index),
                    index if index < end => code.value(1 + index - at, kind)?,
                    index => code.argument(index - count),
                }
            }
            code.call(&inner)?;
            code.give(&inner.result)
        })
    }

    /// A handle that passes on some of its arguments, in some order.
    pub(crate) fn rearrange(
        &mut self,
        handle: Reference,
        outer: Vec<String>,
        order: &[usize],
        result: Option<String>,
    ) -> Result<Reference, Trap> {
        let inner = self.handle_types(handle)?;
        if order.len() != inner.parameters.len() || order.iter().any(|&from| from >= outer.len()) {
            return Err(argument("bad reorder array"));
        }
        let result = result.unwrap_or_else(|| inner.result.clone());
        let outer = HandleTypes { parameters: outer, result };
        let key = format!("rearrange {order:?} {}", inner.descriptor());
        let from = outer.parameters.clone();
        self.combine(key, &outer, &[handle], |code| {
            code.part(0);
            for (&index, kind) in order.iter().zip(&inner.parameters) {
                code.argument(index);
                code.convert(&from[index], kind)?;
            }
            code.call(&inner)?;
            code.give(&inner.result)
        })
    }

    /// `filterReturnValue`: the result of one handle is the argument of the other.
    pub(crate) fn filter_result(
        &mut self,
        handle: Reference,
        filter: Reference,
    ) -> Result<Reference, Trap> {
        let (inner, after) = (self.handle_types(handle)?, self.handle_types(filter)?);
        let outer =
            HandleTypes { parameters: inner.parameters.clone(), result: after.result.clone() };
        let key = format!("result {} {}", inner.descriptor(), after.descriptor());
        self.combine(key, &outer, &[handle, filter], |code| {
            code.part(1);
            code.part(0);
            (0..inner.parameters.len()).for_each(|index| code.argument(index));
            code.call(&inner)?;
            if let Some(kind) = after.parameters.first() {
                code.convert(&inner.result, kind)?;
            }
            code.call(&after)?;
            code.give(&after.result)
        })
    }

    /// `collectArguments`, and `filterArguments` one by one: the result of a filter for some arguments takes
    /// their place. `foldArguments` keeps them behind it.
    pub(crate) fn collect(
        &mut self,
        handle: Reference,
        at: usize,
        filter: Reference,
        keeps: bool,
    ) -> Result<Reference, Trap> {
        let (inner, filtered) = (self.handle_types(handle)?, self.handle_types(filter)?);
        let gives = usize::from(filtered.result != "V");
        if at + gives > inner.parameters.len() {
            return Err(argument("no such argument to filter"));
        }
        let mut outer = inner.parameters.clone();
        outer.drain(at..at + gives);
        if !keeps {
            outer.splice(at..at, filtered.parameters.iter().cloned());
        } else if outer.len() < at + filtered.parameters.len() {
            return Err(argument("incompatible types to fold"));
        }
        let outer = inner.with_parameters(outer);
        let count = filtered.parameters.len();
        let skipped = if keeps { 0 } else { count };
        let key = format!("collect {at} {keeps} {} {}", inner.descriptor(), filtered.descriptor());
        self.combine(key, &outer, &[handle, filter], |code| {
            code.part(1);
            (at..at + count).for_each(|index| code.argument(index));
            code.call(&filtered)?;
            if gives > 0 {
                code.keep(0);
            }
            code.part(0);
            (0..at).for_each(|index| code.argument(index));
            if gives > 0 {
                code.kept(0);
                code.convert(&filtered.result, &inner.parameters[at])?;
            }
            let rest = inner.parameters.len() - at - gives;
            (0..rest).for_each(|index| code.argument(at + skipped + index));
            code.call(&inner)?;
            code.give(&inner.result)
        })
    }

    /// `guardWithTest`.
    pub(crate) fn guard(&mut self, handles: [Reference; 3]) -> Result<Reference, Trap> {
        let (test, inner) = (self.handle_types(handles[0])?, self.handle_types(handles[1])?);
        let other = self.handle_types(handles[2])?;
        let key = format!("guard {} {}", test.descriptor(), other.descriptor());
        let outer = inner.clone();
        self.combine(key, &outer, &handles, |code| {
            let arguments = |code: &mut Combination<'_>, types: &HandleTypes| {
                (0..types.parameters.len()).for_each(|index| code.argument(index));
            };
            code.part(0);
            arguments(code, &test);
            code.call(&test)?;
            code.push(Instruction::with(Opcode::IfZero, u32::MAX));
            code.part(1);
            arguments(code, &inner);
            code.call(&inner)?;
            code.give(&inner.result)?;
            code.land(u32::MAX);
            code.part(2);
            arguments(code, &other);
            code.call(&other)?;
            code.give(&other.result)
        })
    }

    /// `catchException`.
    pub(crate) fn catching(
        &mut self,
        handle: Reference,
        class: ClassId,
        handler: Reference,
    ) -> Result<Reference, Trap> {
        let (inner, after) = (self.handle_types(handle)?, self.handle_types(handler)?);
        let name = self.world.class_name(class).to_string();
        let key = format!("catch {name} {}", after.descriptor());
        let outer = inner.clone();
        self.combine(key, &outer, &[handle, handler], |code| {
            let start = code.here();
            code.part(0);
            (0..inner.parameters.len()).for_each(|index| code.argument(index));
            code.call(&inner)?;
            let end = code.here();
            code.give(&inner.result)?;
            code.protect(start, end, code.here(), &name);
            code.keep(0);
            code.part(1);
            code.kept(0);
            (1..after.parameters.len()).for_each(|index| code.argument(index - 1));
            code.call(&after)?;
            code.give(&after.result)
        })
    }

    /// `tryFinally`: the second handle gets what the first one threw or null, its result if it has one, and
    /// the arguments.
    pub(crate) fn finally(
        &mut self,
        handle: Reference,
        cleanup: Reference,
    ) -> Result<Reference, Trap> {
        let (inner, after) = (self.handle_types(handle)?, self.handle_types(cleanup)?);
        let gives = inner.result != "V";
        let given = after.parameters.len() - 1 - usize::from(gives);
        let key = format!("finally {}", after.descriptor());
        let outer = inner.clone();
        self.combine(key, &outer, &[handle, cleanup], |code| {
            let start = code.here();
            code.part(0);
            (0..inner.parameters.len()).for_each(|index| code.argument(index));
            code.call(&inner)?;
            if gives {
                code.keep(0);
            }
            let end = code.here();
            code.part(1);
            code.push(Instruction::with(Opcode::Constant, 0));
            if gives {
                code.kept(0);
            }
            (0..given).for_each(|index| code.argument(index));
            code.call(&after)?;
            code.give(&after.result)?;
            code.protect(start, end, code.here(), "java/lang/Throwable");
            code.keep(1);
            code.part(1);
            code.kept(1);
            if gives {
                code.push(Instruction::with(Opcode::Constant, 0));
            }
            (0..given).for_each(|index| code.argument(index));
            code.call(&after)?;
            if after.result != "V" {
                code.push(Instruction::new(Opcode::Pop));
            }
            code.kept(1);
            code.push(Instruction::new(Opcode::Throw));
            Ok(())
        })
    }

    /// `loop`: each clause has a handle that begins, one that goes on, one that says whether to, and one that
    /// ends. All of them but the first get the variables of all clauses, the results of the first
    /// and second, and then the arguments, as many as they take.
    pub(crate) fn looping(
        &mut self,
        types: &HandleTypes,
        clauses: &[[Reference; 4]],
    ) -> Result<Reference, Trap> {
        let mut clause_types = Vec::new();
        for clause in clauses {
            let mut of_clause = Vec::new();
            for handle in clause {
                of_clause.push(self.handle_types(*handle)?);
            }
            clause_types.push(of_clause);
        }
        // The place of the variable of each clause that has one.
        let mut places = Vec::new();
        let mut variables = Vec::new();
        for of_clause in &clause_types {
            let kind = &of_clause[0].result;
            places.push((kind != "V").then_some(variables.len()));
            if kind != "V" {
                variables.push(kind.clone());
            }
        }
        let described = clause_types.iter().flatten().map(HandleTypes::descriptor);
        let key = format!("loop {}", described.collect::<Vec<_>>().join(" "));
        let parts: Vec<Reference> = clauses.iter().flatten().copied().collect();
        let outer = types.clone();
        self.combine(key, types, &parts, |code| {
            let call = |code: &mut Combination<'_>, clause: usize, handle: usize| {
                let called = &clause_types[clause][handle];
                code.part(clause * 4 + handle);
                for (index, wanted) in called.parameters.iter().enumerate() {
                    match index.checked_sub(variables.len()) {
                        _ if handle == 0 => code.argument(index),
                        None => {
                            code.kept(index);
                            code.convert(&variables[index], wanted)?;
                        }
                        Some(index) => {
                            code.argument(index);
                            code.convert(&outer.parameters[index], wanted)?;
                        }
                    }
                }
                code.call(called)
            };
            for (clause, place) in places.iter().enumerate() {
                call(code, clause, 0)?;
                if let Some(place) = place {
                    code.keep(*place);
                }
            }
            let again = code.here();
            let end = |clause: usize| u32::MAX - clause as u32;
            for (clause, place) in places.iter().enumerate() {
                call(code, clause, 1)?;
                if let Some(place) = place {
                    code.convert(&clause_types[clause][1].result, &variables[*place])?;
                    code.keep(*place);
                }
                call(code, clause, 2)?;
                code.push(Instruction::with(Opcode::IfZero, end(clause)));
            }
            code.push(Instruction::with(Opcode::Goto, again));
            for (clause, of_clause) in clause_types.iter().enumerate() {
                code.land(end(clause));
                call(code, clause, 3)?;
                code.give(&of_clause[3].result)?;
            }
            Ok(())
        })
    }

    /// `constant`, `zero` and `empty`: a handle that ignores its arguments.
    pub(crate) fn constantly(
        &mut self,
        types: &HandleTypes,
        value: Reference,
    ) -> Result<Reference, Trap> {
        let result = types.result.clone();
        let given = !value.is_null();
        self.combine(format!("constant {given}"), types, &[value], |code| {
            match result.as_str() {
                "V" => return code.give("V"),
                kind if given => code.value(0, kind)?,
                _ => code.push(Instruction::with(Opcode::Constant, 0)),
            }
            code.give(&result)
        })
    }

    /// `identity`.
    pub(crate) fn identity_handle(&mut self, kind: &str) -> Result<Reference, Trap> {
        let types = HandleTypes { parameters: vec![kind.to_string()], result: kind.to_string() };
        self.combine("identity".to_string(), &types, &[], |code| {
            code.argument(0);
            code.give(kind)
        })
    }

    /// `throwException`.
    pub(crate) fn throwing(&mut self, result: &str, kind: &str) -> Result<Reference, Trap> {
        let (parameters, result) = (vec![kind.to_string()], result.to_string());
        let types = HandleTypes { parameters, result };
        self.combine("throw".to_string(), &types, &[], |code| {
            code.argument(0);
            code.push(Instruction::new(Opcode::Throw));
            Ok(())
        })
    }

    /// `arrayElementGetter` and `arrayElementSetter`.
    pub(crate) fn element_handle(
        &mut self,
        array: &str,
        element: Type,
        writes: bool,
    ) -> Result<Reference, Trap> {
        let kind = array[1..].to_string();
        let mut types = HandleTypes {
            parameters: vec![array.to_string(), "I".to_string()],
            result: kind.clone(),
        };
        if writes {
            types.parameters.push(kind);
            types.result = "V".to_string();
        }
        self.combine(format!("element {writes}"), &types, &[], |code| {
            (0..types.parameters.len()).for_each(|index| code.argument(index));
            let (load, store) = element_opcodes(element);
            code.push(Instruction::new(if writes { store } else { load }));
            code.give(&types.result)
        })
    }

    /// `asSpreader`: so many arguments from a place on come in an array.
    pub(crate) fn spreading(
        &mut self,
        handle: Reference,
        at: usize,
        array: &str,
        count: usize,
    ) -> Result<Reference, Trap> {
        let inner = self.handle_types(handle)?;
        if at + count > inner.parameters.len() {
            return Err(argument("bad spread array length"));
        }
        let mut outer = inner.parameters.clone();
        outer.splice(at..at + count, [array.to_string()]);
        let outer = inner.with_parameters(outer);
        let key = format!("spread {at} {count} {}", inner.descriptor());
        let element = array[1..].to_string();
        let (load, _) = element_opcodes(Type::of_field(&element).unwrap_or(Type::Reference));
        let refusal = self.load_initialized("java/lang/IllegalArgumentException")?;
        let made = self.world.declared(refusal, "<init>", "()V");
        let made = made.ok_or_else(|| Fault::internal("an exception without a constructor"))?;
        self.combine(key, &outer, &[handle], |code| {
            // The array must be as long as is said.
            if count > 0 {
                code.argument(at);
                code.push(Instruction::new(Opcode::ArrayLength));
                code.push(Instruction::with(Opcode::Constant, count as u32));
                code.push(Instruction::with(Opcode::IfIntEqual, u32::MAX));
                code.push(Instruction::with(Opcode::NewInitialize, refusal.0));
                code.push(Instruction::new(Opcode::Duplicate));
                code.push(Instruction::with2(Opcode::InvokeSpecial, made.0, 1));
                code.push(Instruction::new(Opcode::Throw));
                code.land(u32::MAX);
            }
            code.part(0);
            (0..at).for_each(|index| code.argument(index));
            for index in 0..count {
                code.argument(at);
                code.push(Instruction::with(Opcode::Constant, index as u32));
                code.push(Instruction::new(load));
                code.convert(&element, &inner.parameters[at + index])?;
            }
            let rest = inner.parameters.len() - at - count;
            (0..rest).for_each(|index| code.argument(at + 1 + index));
            code.call(&inner)?;
            code.give(&inner.result)
        })
    }

    /// `asCollector`: so many arguments from a place on become the elements of an array.
    pub(crate) fn collecting(
        &mut self,
        handle: Reference,
        at: usize,
        class: ClassId,
        count: usize,
    ) -> Result<Reference, Trap> {
        let inner = self.handle_types(handle)?;
        if at >= inner.parameters.len() {
            return Err(argument("no such argument to collect"));
        }
        let array = self.class_descriptor(class);
        let element = array[1..].to_string();
        let kind = Type::of_field(&element).unwrap_or(Type::Reference);
        let mut outer = inner.parameters.clone();
        outer.splice(at..=at, std::iter::repeat_n(element, count));
        let outer = inner.with_parameters(outer);
        let key = format!("array {at} {array} {}", inner.descriptor());
        let (_, store) = element_opcodes(kind);
        self.combine(key, &outer, &[handle], |code| {
            code.part(0);
            (0..at).for_each(|index| code.argument(index));
            code.push(Instruction::with(Opcode::Constant, count as u32));
            code.push(Instruction::with(Opcode::NewArray, class.0));
            for index in 0..count {
                code.push(Instruction::new(Opcode::Duplicate));
                code.push(Instruction::with(Opcode::Constant, index as u32));
                code.argument(at + index);
                code.push(Instruction::new(store));
            }
            code.convert(&array, &inner.parameters[at])?;
            let rest = inner.parameters.len() - at - 1;
            (0..rest).for_each(|index| code.argument(at + count + index));
            code.call(&inner)?;
            code.give(&inner.result)
        })
    }
}

/// The instructions that load and store an element.
fn element_opcodes(element: Type) -> (Opcode, Opcode) {
    match element {
        Type::Boolean | Type::Byte => (Opcode::LoadByte, Opcode::StoreByte),
        Type::Char => (Opcode::LoadChar, Opcode::StoreShort),
        Type::Short => (Opcode::LoadShort, Opcode::StoreShort),
        Type::Int | Type::Float => (Opcode::LoadInt, Opcode::StoreInt),
        Type::Long | Type::Double => (Opcode::LoadLong, Opcode::StoreLong),
        Type::Reference => (Opcode::LoadReference, Opcode::StoreReference),
    }
}

fn argument(what: &str) -> Trap {
    Trap::raise("java/lang/IllegalArgumentException", Some(what.to_string()))
}
