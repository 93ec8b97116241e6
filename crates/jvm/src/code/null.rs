//! Messages of null pointer exceptions: what could not be done, and what was null.
//!
//! The JVM follows the operand stack through the byte code and says which expression made the null.
//! Here the producer of a stack word is looked for backwards from the failing instruction, as long as
//! the code is straight; where paths meet, only the first half of the message is given.

use super::scan::{Item, scan};
use super::verify::{Shuffle, StackEffect};
use super::{LocalMap, Opcode};
use crate::classfile::descriptor::split_method;
use crate::classfile::{
    ClassFile, CodeAttribute, LocalVariable, MethodDescriptor, MethodInfo, access,
};

/// How deep expressions are followed.
const DEPTH_LIMIT: u32 = 5;

/// The message for a null pointer exception at a byte code offset; `None` if the code there does not
/// use a reference, as where the exception was made by the program itself.
pub fn null_message(file: &ClassFile, method: &MethodInfo, offset: u16) -> Option<String> {
    let code = method.code.as_ref()?;
    let descriptor = MethodDescriptor::parse(&method.descriptor)?;
    let is_static = method.access & access::STATIC != 0;
    let locals = LocalMap::new(&descriptor, is_static, code.max_locals)?;
    let scanned = scan(file, method, code, &locals).ok()?;
    let at = scanned.offsets.binary_search(&offset).ok()?;
    let names = code.local_table(&file.bytes, &file.pool);
    let search =
        Search { file, method, code, names, items: &scanned.items, offsets: &scanned.offsets };
    let (action, depth) = search.action(at)?;
    match search.producer(at, depth) {
        Some(producer) => match search.describe(producer, 0) {
            Some(text) if search.is_call(producer) => {
                Some(format!("{action} because the return value of \"{text}\" is null"))
            }
            Some(text) => Some(format!("{action} because \"{text}\" is null")),
            None => Some(action),
        },
        None => Some(action),
    }
}

struct Search<'a> {
    file: &'a ClassFile,
    method: &'a MethodInfo,
    code: &'a CodeAttribute,
    names: Vec<LocalVariable>,
    items: &'a [Item],
    offsets: &'a [u16],
}

impl Search<'_> {
    fn opcode(&self, at: usize) -> u8 {
        let place = self.code.code.start + usize::from(self.offsets[at]);
        self.file.bytes.get(place).copied().unwrap_or(0)
    }

    /// What failed, and how deep on the stack the null was.
    fn action(&self, at: usize) -> Option<(String, usize)> {
        const ELEMENTS: [&str; 8] =
            ["int", "long", "float", "double", "object", "byte/boolean", "char", "short"];
        let opcode = self.opcode(at);
        let constant = self.items[at].instruction.a as u16;
        let field = |verb: &str| {
            let member = self.file.pool.member(&self.file.bytes, constant)?;
            Some(format!("Cannot {verb} field \"{}\"", member.name))
        };
        Some(match opcode {
            46..=53 => {
                (format!("Cannot load from {} array", ELEMENTS[usize::from(opcode - 46)]), 1)
            }
            79..=86 => (format!("Cannot store to {} array", ELEMENTS[usize::from(opcode - 79)]), 2),
            180 => (field("read")?, 0),
            181 => (field("assign")?, 1),
            182 | 183 | 185 => {
                let member = self.file.pool.member(&self.file.bytes, constant)?;
                if member.name == "<init>" {
                    return None;
                }
                let arguments = MethodDescriptor::parse(&member.descriptor)?.parameters.len();
                (format!("Cannot invoke \"{}\"", self.call_text(constant)?), arguments)
            }
            190 => ("Cannot read the array length".to_string(), 0),
            191 => ("Cannot throw exception".to_string(), 0),
            194 => ("Cannot enter synchronized block".to_string(), 0),
            195 => ("Cannot exit synchronized block".to_string(), 0),
            _ => return None,
        })
    }

    fn is_call(&self, at: usize) -> bool {
        match self.opcode(at) {
            182..=185 => true,
            // A cast hands on what it is given.
            192 => self.producer(at, 0).is_some_and(|source| self.is_call(source)),
            _ => false,
        }
    }

    /// The instruction that pushed the word at a depth of the stack before an instruction.
    fn producer(&self, before: usize, depth: usize) -> Option<usize> {
        let mut depth = depth;
        for at in (0..before).rev() {
            if self.is_target(at + 1) {
                return None;
            }
            let item = &self.items[at];
            if let StackEffect::Shuffle(shuffle) = &item.effect {
                depth = match (shuffle, depth) {
                    (Shuffle::Pop, depth) => depth + 1,
                    (Shuffle::Dup, 0 | 1) => 0,
                    (Shuffle::Dup, depth) => depth - 1,
                    (Shuffle::Dup2, 0 | 1) => depth,
                    (Shuffle::Dup2, depth) => depth - 2,
                    _ => return None,
                };
                continue;
            }
            if super::is_jump(item.instruction.op) || matches!(item.effect, StackEffect::Return(_))
            {
                return None;
            }
            let (pops, pushes) = counts(&item.effect);
            if depth < pushes {
                return Some(at);
            }
            depth = depth - pushes + pops;
        }
        None
    }

    fn is_target(&self, at: usize) -> bool {
        let jumps =
            |item: &Item| super::is_jump(item.instruction.op) && item.instruction.a as usize == at;
        self.items.iter().any(jumps)
    }

    /// The expression that an instruction computes, if it is simple.
    fn describe(&self, at: usize, depth: u32) -> Option<String> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let item = &self.items[at];
        let constant = item.instruction.a as u16;
        match (&item.effect, item.instruction.op) {
            (StackEffect::Load(_, slot), _) => Some(self.local(*slot, self.offsets[at])),
            (StackEffect::Simple("", "A"), Opcode::Constant) => Some("null".to_string()),
            (StackEffect::Simple("", "I"), Opcode::Constant) => {
                Some((item.instruction.a as i32).to_string())
            }
            (_, Opcode::ResolveGetStatic) => {
                let member = self.file.pool.member(&self.file.bytes, constant)?;
                Some(format!("{}.{}", short_class(&member.class), member.name))
            }
            (_, Opcode::ResolveGetField) => {
                let member = self.file.pool.member(&self.file.bytes, constant)?;
                let object =
                    self.producer(at, 0).and_then(|source| self.describe(source, depth + 1));
                Some(match object {
                    Some(object) => format!("{object}.{}", member.name),
                    None => member.name,
                })
            }
            (StackEffect::Simple("AI", _), _) => {
                let array =
                    self.producer(at, 1).and_then(|source| self.describe(source, depth + 1));
                let index =
                    self.producer(at, 0).and_then(|source| self.describe(source, depth + 1));
                let dots = || "...".to_string();
                Some(format!(
                    "{}[{}]",
                    array.unwrap_or_else(|| "<array>".to_string()),
                    index.unwrap_or_else(dots)
                ))
            }
            (StackEffect::Invoke(..), Opcode::ResolveInvokeDynamic) => None,
            (StackEffect::Invoke(..), _) => self.call_text(constant),
            // A cast does not change what is cast.
            (_, Opcode::ResolveCheckCast) => {
                self.producer(at, 0).and_then(|source| self.describe(source, depth + 1))
            }
            _ => None,
        }
    }

    fn local(&self, slot: u16, offset: u16) -> String {
        let covers = |variable: &&LocalVariable| {
            let end = u32::from(variable.start) + u32::from(variable.length);
            variable.slot == slot && variable.start <= offset && u32::from(offset) < end
        };
        if let Some(variable) = self.names.iter().find(covers) {
            return variable.name.clone();
        }
        let is_static = self.method.access & access::STATIC != 0;
        if slot == 0 && !is_static {
            return "this".to_string();
        }
        match self.parameter(slot, is_static) {
            Some(number) if self.names.is_empty() => format!("<parameter{number}>"),
            _ => format!("<local{slot}>"),
        }
    }

    /// The number from one of the parameter in a slot.
    fn parameter(&self, wanted: u16, is_static: bool) -> Option<usize> {
        let descriptor = MethodDescriptor::parse(&self.method.descriptor)?;
        let mut slot = u16::from(!is_static);
        for (number, parameter) in descriptor.parameters.iter().enumerate() {
            if slot == wanted {
                return Some(number + 1);
            }
            slot += if parameter.kind().is_wide() { 2 } else { 1 };
        }
        None
    }

    /// A method as in messages: `Class.method(int, String)`.
    fn call_text(&self, constant: u16) -> Option<String> {
        let member = self.file.pool.member(&self.file.bytes, constant)?;
        let (parameters, _) = split_method(&member.descriptor)?;
        let parameters: Vec<String> = parameters.iter().map(|text| type_text(text)).collect();
        Some(format!("{}.{}({})", short_class(&member.class), member.name, parameters.join(", ")))
    }
}

/// Words popped and pushed.
fn counts(effect: &StackEffect) -> (usize, usize) {
    match effect {
        StackEffect::Simple(pops, pushes) => (pops.len(), pushes.len()),
        StackEffect::Load(..) => (0, 1),
        StackEffect::Store(..) => (1, 0),
        StackEffect::Increment(_) | StackEffect::Shuffle(_) | StackEffect::Return(_) => (0, 0),
        StackEffect::PutField(_) => (2, 0),
        StackEffect::Invoke(descriptor, receiver) => (
            descriptor.parameters.len() + usize::from(*receiver),
            usize::from(descriptor.result.is_some()),
        ),
        StackEffect::MultiArray(dimensions) => (usize::from(*dimensions), 1),
    }
}

/// A class name with dots; the two most common classes lose their package.
fn short_class(name: &str) -> String {
    match name {
        "java/lang/String" => "String".to_string(),
        "java/lang/Object" => "Object".to_string(),
        name => name.replace('/', "."),
    }
}

fn type_text(descriptor: &str) -> String {
    match descriptor.as_bytes() {
        [b'[', ..] => format!("{}[]", type_text(&descriptor[1..])),
        [b'L', ..] => short_class(descriptor[1..].trim_end_matches(';')),
        b"Z" => "boolean".to_string(),
        b"B" => "byte".to_string(),
        b"C" => "char".to_string(),
        b"S" => "short".to_string(),
        b"I" => "int".to_string(),
        b"J" => "long".to_string(),
        b"F" => "float".to_string(),
        b"D" => "double".to_string(),
        _ => descriptor.to_string(),
    }
}
