//! Which types the objects have that a class locks.
//!
//! **Problem.** A thread that ends takes the monitor of its `Thread` for a moment (`interpret/ending.rs`). That matters
//! only in programs that lock a `Thread`, of which there are few, and it must be known before anything runs. So does
//! that who prints takes the monitor of the stream (`natives/console.rs`).
//!
//! **Idea.** Whoever locks an object knows its type: synchronized methods lock `this`, and what a synchronized statement
//! locks was just loaded from a local variable, a field or a call. A local variable has the types of what is stored
//! in it. A type that is not found out may be any.
//!
//! **Not followed.** An object that is locked as an `Object` or by the name of an interface is not taken for a `Thread` or a stream.

use super::scan::{Item, scan};
use super::verify::StackEffect;
use super::{LocalMap, Opcode};
use crate::classfile::descriptor::split_method;
use crate::classfile::{ClassFile, MethodDescriptor, MethodInfo, access};

/// The types of the objects that a class locks, as in class files; none for one that was not found out.
pub fn locked_types(file: &ClassFile) -> Vec<Option<String>> {
    let mut types = Vec::new();
    for method in &file.methods {
        if method.access & access::SYNCHRONIZED != 0 && method.access & access::STATIC == 0 {
            types.push(Some(file.name.clone()));
        }
        if has_statement(file, method) {
            match statements(file, method) {
                Some(found) => types.extend(found),
                None => types.push(None),
            }
        }
    }
    types
}

/// Whether a method is synchronized or has a synchronized statement; one that has none may seem to.
pub fn locks(file: &ClassFile, method: &MethodInfo) -> bool {
    method.access & access::SYNCHRONIZED != 0 || has_statement(file, method)
}

/// Whether the instruction that locks may be in the code of a method.
fn has_statement(file: &ClassFile, method: &MethodInfo) -> bool {
    method.code.as_ref().is_some_and(|code| file.slice(&code.code).contains(&194))
}

/// The types that the synchronized statements of a method lock.
fn statements(file: &ClassFile, method: &MethodInfo) -> Option<Vec<Option<String>>> {
    let code = method.code.as_ref()?;
    let descriptor = MethodDescriptor::parse(&method.descriptor)?;
    let is_static = method.access & access::STATIC != 0;
    let locals = LocalMap::new(&descriptor, is_static, code.max_locals)?;
    let items = scan(file, method, code, &locals).ok()?.items;
    let search = Search { file, method, items: &items };
    let mut types = Vec::new();
    for at in (0..items.len()).filter(|at| items[*at].instruction.op == Opcode::MonitorEnter) {
        // What is locked is copied to a local variable of its own, for unlocking.
        let is_copy = |effect: &StackEffect| {
            matches!(effect, StackEffect::Store(..) | StackEffect::Shuffle(_))
        };
        match (0..at).rev().find(|before| !is_copy(&items[*before].effect)) {
            Some(maker) => types.extend(search.made_by(maker, 0)),
            None => types.push(None),
        }
    }
    Some(types)
}

struct Search<'a> {
    file: &'a ClassFile,
    method: &'a MethodInfo,
    items: &'a [Item],
}

/// How many local variables are followed that were set to one another.
const DEPTH_LIMIT: u32 = 4;

impl Search<'_> {
    /// The types that a local variable can have: as a parameter, and by what is stored in it.
    fn of_local(&self, slot: u16, before: usize, depth: u32) -> Vec<Option<String>> {
        let mut types: Vec<Option<String>> = self.parameter(slot).into_iter().map(Some).collect();
        let stores =
            |item: &Item| matches!(item.effect, StackEffect::Store(_, into) if into == slot);
        // What is locked is copied right before.
        let copied = |at: usize| matches!(self.items[at].effect, StackEffect::Shuffle(_));
        for at in (1..before).filter(|at| stores(&self.items[*at])) {
            let maker = if copied(at - 1) { at.checked_sub(2) } else { Some(at - 1) };
            types.extend(maker.map(|maker| self.made_by(maker, depth)).unwrap_or_default());
        }
        types
    }

    /// The types of what an instruction leaves on the stack.
    fn made_by(&self, at: usize, depth: u32) -> Vec<Option<String>> {
        let item = &self.items[at];
        let constant = item.instruction.a as u16;
        let member = || self.file.pool.member(&self.file.bytes, constant);
        let found = match (&item.effect, item.instruction.op) {
            (StackEffect::Load(_, slot), _) if depth < DEPTH_LIMIT => {
                return self.of_local(*slot, at, depth + 1);
            }
            (_, Opcode::ResolveGetStatic | Opcode::ResolveGetField) => {
                member().and_then(|member| class_of(&member.descriptor))
            }
            (_, Opcode::ResolveCheckCast) => self.file.pool.class_name(&self.file.bytes, constant),
            (_, Opcode::Constant) => Some("java/lang/Object".to_string()),
            (StackEffect::Invoke(..), Opcode::ResolveInvokeDynamic) => {
                Some("java/lang/Object".to_string())
            }
            (StackEffect::Invoke(..), _) => member().and_then(|member| match &*member.name {
                "<init>" => Some(member.class),
                _ => class_of(split_method(&member.descriptor)?.1),
            }),
            _ => None,
        };
        vec![found]
    }

    /// The type of the parameter in a slot, or of `this`.
    fn parameter(&self, wanted: u16) -> Option<String> {
        let is_static = self.method.access & access::STATIC != 0;
        if wanted == 0 && !is_static {
            return Some(self.file.name.clone());
        }
        let (parameters, _) = split_method(&self.method.descriptor)?;
        let mut slot = u16::from(!is_static);
        for parameter in parameters {
            if slot == wanted {
                return class_of(parameter);
            }
            slot += if matches!(parameter, "J" | "D") { 2 } else { 1 };
        }
        None
    }
}

/// The class in a descriptor; an array is none that matters.
fn class_of(descriptor: &str) -> Option<String> {
    match descriptor.as_bytes() {
        [b'L', ..] => Some(descriptor[1..].trim_end_matches(';').to_string()),
        _ => Some("java/lang/Object".to_string()),
    }
}
