//! What one method does: where its values flow, what it locks, what it calls, and what it makes texts of.

use super::hierarchy::{Hierarchy, Holds, MethodOf, STREAM, TypeKind};
use super::places::{Key, Place};
use super::texts::{Doings, TextOf};
use super::{Found, library};
use crate::classfile::descriptor::split_method;
use crate::classfile::{ClassFile, Constant, MemberRef, MethodDescriptor, MethodInfo, access};
use crate::code::frames::{self, Follower, Frame, follow, rearrange};
use crate::code::scan::{Scanned, scan};
use crate::code::verify::StackEffect;
use crate::code::{LocalMap, Opcode};

/// Instructions that may be looked at for one method, as often as paths meet.
const WORK_LIMIT: usize = 400_000;

const OBJECT: &str = "Ljava/lang/Object;";

/// What is known of a word: where it may come from, and the number of its type among those of the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    place: Place,
    type_number: usize,
    wide: bool,
}

/// A number, or no object.
const NUMBER: Word = Word { place: Place::OTHER, type_number: 0, wide: false };

impl frames::Word for Word {
    fn is_wide(self) -> bool {
        self.wide
    }
}

/// Adds what a method does.
pub(super) fn follow_method<'a>(
    hierarchy: &Hierarchy<'a>,
    file: &'a ClassFile,
    method: &'a MethodInfo,
    found: &mut Found,
) {
    if method.code.is_none() {
        return;
    }
    let Some(doings) = doings(hierarchy, file, method, found) else {
        found.unknown = true;
        return;
    };
    if found.wants_texts {
        found.texts.add(file, method, doings);
    }
}

fn doings<'a>(
    hierarchy: &Hierarchy<'a>,
    file: &'a ClassFile,
    method: &'a MethodInfo,
    found: &mut Found,
) -> Option<Doings> {
    let code = method.code.as_ref()?;
    let is_static = method.access & access::STATIC != 0;
    let descriptor = MethodDescriptor::parse(&method.descriptor)?;
    let map = LocalMap::new(&descriptor, is_static, code.max_locals)?;
    let scanned = scan(file, method, code, &map).ok()?;
    let number = found.places.next_method();
    let mut reader = Reader {
        hierarchy,
        file,
        method,
        number,
        scanned: &scanned,
        found,
        // No object has the first type.
        types: vec![String::new(), OBJECT.to_string()],
        doings: Doings::default(),
    };
    reader.doings.locks = method.access & access::SYNCHRONIZED != 0;
    let locals = reader.first_locals(is_static, usize::from(code.max_locals))?;
    follow(&mut reader, &scanned, Frame { stack: Vec::new(), locals }, WORK_LIMIT)?;
    Some(reader.doings)
}

struct Reader<'a, 'f> {
    hierarchy: &'f Hierarchy<'a>,
    file: &'a ClassFile,
    method: &'a MethodInfo,
    number: usize,
    scanned: &'f Scanned,
    found: &'f mut Found,
    types: Vec<String>,
    doings: Doings,
}

impl Follower for Reader<'_, '_> {
    type Word = Word;

    fn join(&mut self, at: usize, number: usize, known: Word, new: Word) -> Word {
        let type_number = match (known.type_number, new.type_number) {
            (one, other) if one == other => one,
            (0, one) | (one, 0) => one,
            _ => 1,
        };
        Word { place: self.meeting(at, number + 1, known.place, new.place), type_number, ..known }
    }

    fn caught(&self) -> Word {
        Word { type_number: 1, ..NUMBER }
    }

    fn apply(&mut self, at: usize, frame: &mut Frame<Word>) -> Option<()> {
        let item = &self.scanned.items[at];
        let constant = item.instruction.a as u16;
        match (&item.effect, item.instruction.op) {
            (StackEffect::Load(kind, slot), _) => {
                let word = *frame.locals.get(usize::from(*slot))?;
                frame.stack.push(Word { wide: kind.is_wide(), ..word });
            }
            (StackEffect::Store(_, slot), _) => {
                *frame.locals.get_mut(usize::from(*slot))? = frame.stack.pop()?;
            }
            (StackEffect::Increment(_), _) => {}
            (StackEffect::Shuffle(shuffle), _) => rearrange(&mut frame.stack, *shuffle)?,
            (StackEffect::Return(kind), _) => {
                if kind.is_some() {
                    let word = frame.stack.pop()?;
                    self.returned(word);
                }
            }
            (StackEffect::PutField(_), _) => {
                let value = frame.stack.pop()?;
                frame.stack.pop()?;
                self.stored(constant, value)?;
            }
            (StackEffect::Invoke(descriptor, receiver), op) => {
                let first = frame.stack.len().checked_sub(descriptor.parameters.len())?;
                let arguments = frame.stack.split_off(first);
                if *receiver {
                    frame.stack.pop()?;
                }
                let result = match op {
                    Opcode::ResolveInvokeDynamic => self.call_site(constant, &arguments)?,
                    _ => {
                        let member = self.file.pool.member(&self.file.bytes, constant)?;
                        self.call(at, &member, &arguments)?
                    }
                };
                if let Some(kind) = descriptor.result {
                    frame.stack.push(Word { wide: kind.kind().is_wide(), ..result });
                }
            }
            (StackEffect::MultiArray(dimensions), _) => {
                for _ in 0..*dimensions {
                    frame.stack.pop()?;
                }
                let name = self.file.pool.class_name(&self.file.bytes, constant)?;
                let made = self.made(&name);
                frame.stack.push(made);
            }
            (StackEffect::Simple(pops, pushes), op) => {
                let operands = frame.stack.split_off(frame.stack.len().checked_sub(pops.len())?);
                let made = self.simple(at, op, constant, &operands)?;
                let wide = |letter: u8| matches!(letter, b'J' | b'D');
                frame.stack.extend(pushes.bytes().map(|of| Word { wide: wide(of), ..made }));
            }
        }
        Some(())
    }
}

impl Reader<'_, '_> {
    /// What the parameters are at first.
    fn first_locals(&mut self, is_static: bool, count: usize) -> Option<Vec<Word>> {
        let mut locals = Vec::with_capacity(count);
        if !is_static {
            let this = format!("L{};", self.file.name);
            let place = match self.hierarchy.kind(&this) {
                TypeKind::Thread => Place::THREAD,
                TypeKind::Wide(holds) if holds.includes(Holds::THREAD) => Place::THREAD,
                _ => Place::OTHER,
            };
            locals.push(Word { place, type_number: self.type_number(&this), wide: false });
        }
        let (parameters, _) = split_method(&self.method.descriptor)?;
        let serves_library = self.hierarchy.serves_library(self.file, self.method);
        let name = self.signature(&self.file.name, &self.method.name, &self.method.descriptor);
        for (index, parameter) in parameters.iter().enumerate() {
            let place = self.of_type(parameter, Key::Parameter(name.clone(), index));
            if serves_library {
                self.found.places.flow(Place::LIBRARY, place);
            }
            let wide = matches!(*parameter, "J" | "D");
            let type_number = self.type_number(parameter);
            locals.push(Word { place, type_number, wide });
            if wide {
                locals.push(NUMBER);
            }
        }
        locals.resize(count, NUMBER);
        Some(locals)
    }

    /// What an instruction without a form of its own leaves on the stack, if it leaves something.
    fn simple(&mut self, at: usize, op: Opcode, constant: u16, operands: &[Word]) -> Option<Word> {
        Some(match op {
            Opcode::LoadReference => self.element(at, operands[0]),
            Opcode::StoreReference => {
                let of = self.element_type(operands[0]);
                if matches!(self.hierarchy.kind(&of), TypeKind::Wide(_)) {
                    self.found.places.flow(operands[2].place, Place::LIBRARY);
                }
                self.doings.stored.insert(self.types[operands[2].type_number].clone());
                NUMBER
            }
            Opcode::ResolveGetStatic | Opcode::ResolveGetField => self.loaded(constant)?,
            Opcode::ResolvePutStatic => {
                self.stored(constant, operands[0])?;
                NUMBER
            }
            Opcode::ResolveNew => {
                let name = self.file.pool.class_name(&self.file.bytes, constant)?;
                // A stream that the program makes is not the console.
                let place = if name == STREAM { Place::OTHER } else { self.made(&name).place };
                Word { place, ..self.made(&name) }
            }
            Opcode::ResolveCheckCast => {
                let name = self.file.pool.class_name(&self.file.bytes, constant)?;
                self.cast(at, &name, operands[0])
            }
            Opcode::ResolveReferenceArray => {
                let of = self.file.pool.class_name(&self.file.bytes, constant)?;
                let name = if of.starts_with('[') { format!("[{of}") } else { format!("[L{of};") };
                self.made(&name)
            }
            Opcode::ResolveConstant => self.constant(constant)?,
            Opcode::MonitorEnter => {
                self.doings.locks = true;
                self.found.locked.push(operands[0].place);
                NUMBER
            }
            _ => NUMBER,
        })
    }

    /// A word that comes out of a variable of a type.
    fn of_type(&mut self, descriptor: &str, key: Key) -> Place {
        match self.hierarchy.kind(descriptor) {
            TypeKind::Other => Place::OTHER,
            TypeKind::Stream => Place::STREAM,
            TypeKind::Thread => Place::THREAD,
            TypeKind::Wide(holds) => self.found.places.place(key, holds),
        }
    }

    /// A new object of a class, or a new array.
    fn made(&mut self, name: &str) -> Word {
        let descriptor = descriptor_of(name);
        let place = match self.hierarchy.kind(&descriptor) {
            TypeKind::Stream => Place::STREAM,
            TypeKind::Thread => Place::THREAD,
            TypeKind::Other | TypeKind::Wide(_) => Place::OTHER,
        };
        Word { place, type_number: self.type_number(&descriptor), wide: false }
    }

    fn cast(&mut self, at: usize, name: &str, word: Word) -> Word {
        let descriptor = descriptor_of(name);
        let place = match self.hierarchy.kind(&descriptor) {
            TypeKind::Other => Place::OTHER,
            TypeKind::Stream => Place::STREAM,
            TypeKind::Thread => Place::THREAD,
            TypeKind::Wide(holds) => {
                let place = self.found.places.place(Key::Local(self.number, at, 0), holds);
                self.found.places.flow(word.place, place);
                place
            }
        };
        Word { place, type_number: self.type_number(&descriptor), wide: false }
    }

    fn element(&mut self, at: usize, array: Word) -> Word {
        let of = self.element_type(array);
        let place = self.of_type(&of, Key::Local(self.number, at, 0));
        if matches!(self.hierarchy.kind(&of), TypeKind::Wide(_)) {
            self.found.places.flow(array.place, place);
            self.found.places.flow(Place::LIBRARY, place);
        }
        Word { place, type_number: self.type_number(&of), wide: false }
    }

    fn element_type(&self, array: Word) -> String {
        self.types[array.type_number].strip_prefix('[').unwrap_or(OBJECT).to_string()
    }

    fn constant(&mut self, index: u16) -> Option<Word> {
        let pool = &self.file.pool;
        let name = match pool.get(index) {
            Constant::String(text) => {
                let text = pool.text(&self.file.bytes, text);
                self.found.names_system |= text.is_some_and(|text| text == "java.lang.System");
                "Ljava/lang/String;"
            }
            Constant::Class(_) => {
                let name = pool.class_name(&self.file.bytes, index);
                self.found.names_system |= name.is_some_and(|name| name == "java/lang/System");
                "Ljava/lang/Class;"
            }
            Constant::MethodHandle(_, member) => {
                let member = pool.member(&self.file.bytes, member)?;
                self.called_by_library(&member, 0);
                "Ljava/lang/invoke/MethodHandle;"
            }
            Constant::Dynamic(..) => {
                return Some(Word { place: Place::LIBRARY, type_number: 1, wide: false });
            }
            _ => return Some(NUMBER),
        };
        Some(Word { type_number: self.type_number(name), ..NUMBER })
    }

    fn field_key(&self, member: &MemberRef) -> Option<Key> {
        let owner =
            self.hierarchy.owner_of_field(&member.class, &member.name, &member.descriptor)?;
        Some(Key::Field(owner.to_string(), format!("{} {}", member.name, member.descriptor)))
    }

    fn loaded(&mut self, constant: u16) -> Option<Word> {
        let member = self.file.pool.member(&self.file.bytes, constant)?;
        let place = match self.field_key(&member) {
            Some(key) => self.of_type(&member.descriptor, key),
            None => self.of_library(&member.descriptor),
        };
        Some(Word { place, type_number: self.type_number(&member.descriptor), wide: false })
    }

    fn stored(&mut self, constant: u16, value: Word) -> Option<()> {
        let member = self.file.pool.member(&self.file.bytes, constant)?;
        let place = match self.field_key(&member) {
            Some(key) => self.of_type(&member.descriptor, key),
            None => Place::LIBRARY,
        };
        if matches!(self.hierarchy.kind(&member.descriptor), TypeKind::Wide(_)) {
            self.found.places.flow(value.place, place);
        }
        Some(())
    }

    fn returned(&mut self, value: Word) {
        let Some((_, result)) = split_method(&self.method.descriptor) else { return };
        if matches!(self.hierarchy.kind(result), TypeKind::Wide(_)) {
            let name = self.signature(&self.file.name, &self.method.name, &self.method.descriptor);
            let place = self.of_type(result, Key::Result(name));
            self.found.places.flow(value.place, place);
        }
        if self.hierarchy.serves_library(self.file, self.method) {
            self.found.places.flow(value.place, Place::LIBRARY);
        }
    }

    /// What the library gives as something of a type.
    fn of_library(&self, descriptor: &str) -> Place {
        match self.hierarchy.kind(descriptor) {
            TypeKind::Other => Place::OTHER,
            TypeKind::Stream => Place::STREAM,
            TypeKind::Thread => Place::THREAD,
            TypeKind::Wide(_) => Place::LIBRARY,
        }
    }

    /// A call; gives its result.
    fn call(&mut self, at: usize, member: &MemberRef, arguments: &[Word]) -> Option<Word> {
        let MemberRef { class, name, descriptor, .. } = member;
        let (parameters, result) = split_method(descriptor)?;
        let moves = arguments.iter().any(|word| word.place != Place::OTHER)
            || matches!(self.hierarchy.kind(result), TypeKind::Wide(_));
        if !moves && !self.found.wants_texts && self.hierarchy.is_own(class) {
            let type_number = self.type_number(result);
            return Some(Word { place: self.of_library(result), type_number, wide: false });
        }
        let is_ours = !self.callees(member).is_empty();
        let has_body = self.hierarchy.has_body(class, name, descriptor);
        let signature = self.signature(class, name, descriptor);
        for (index, argument) in arguments.iter().enumerate() {
            if is_ours {
                self.flow_into(signature.clone(), index, parameters[index], argument.place);
            }
            if library::locks_argument(member) {
                self.found.locked.push(argument.place);
            }
            if !has_body && !library::keeps_nothing(member) {
                self.found.places.flow(argument.place, Place::LIBRARY);
            }
        }
        if self.found.wants_texts {
            let types = arguments.iter().map(|word| self.types[word.type_number].clone()).collect();
            let after_store =
                at > 0 && self.scanned.items[at - 1].instruction.op == Opcode::StoreReference;
            self.doings.call(member.clone(), has_body, types, after_store);
        }
        self.found.reflects |= library::finds_members(member);
        let type_number = self.type_number(result);
        if library::gives_argument_back(member) {
            return arguments.first().copied();
        }
        if class == "java/util/Formatter" && name == "out" {
            return Some(Word { place: Place::STREAM, type_number, wide: false });
        }
        let place = match self.hierarchy.kind(result) {
            TypeKind::Wide(holds) if is_ours => {
                let place = self.found.places.place(Key::Result(signature), holds);
                if has_body { place } else { self.meeting(at, 0, place, Place::LIBRARY) }
            }
            _ => self.of_library(result),
        };
        Some(Word { place, type_number, wide: false })
    }

    /// A call that is linked when it is first made; gives its result.
    fn call_site(&mut self, constant: u16, arguments: &[Word]) -> Option<Word> {
        let Constant::InvokeDynamic(bootstrap, pair) = self.file.pool.get(constant) else {
            return None;
        };
        let (_, descriptor) = self.file.pool.name_and_type(&self.file.bytes, pair)?;
        let (_, result) = split_method(&descriptor)?;
        let bootstrap = self.file.bootstraps.get(usize::from(bootstrap))?;
        let maker = self.handle(bootstrap.method)?.1;
        let handles: Vec<(u8, MemberRef)> =
            bootstrap.arguments.iter().filter_map(|index| self.handle(*index)).collect();
        match &*maker.class {
            "java/lang/invoke/LambdaMetafactory" => {
                let (kind, target) = handles.first()?;
                self.capture(*kind, target, arguments)?;
            }
            "java/lang/invoke/StringConcatFactory" => {
                for argument in arguments {
                    let of = self.types[argument.type_number].clone();
                    self.doings.texts.insert(TextOf::Type(of));
                }
            }
            // The texts of the fields of a record, and whether they are equal.
            "java/lang/runtime/ObjectMethods" => {
                for (_, member) in &handles {
                    self.doings.texts.insert(TextOf::Type(member.descriptor.clone()));
                    if let Some(key) = self.field_key(member) {
                        let place = self.of_type(&member.descriptor, key);
                        self.found.places.flow(place, Place::LIBRARY);
                    }
                }
            }
            _ => {
                for argument in arguments {
                    self.found.places.flow(argument.place, Place::LIBRARY);
                }
                for (_, target) in &handles {
                    self.called_by_library(target, 0);
                }
            }
        }
        // A lambda or a text is neither a stream nor a thread.
        let makes_new =
            maker.class.ends_with("LambdaMetafactory") || maker.class.ends_with("ConcatFactory");
        let place = if makes_new { Place::OTHER } else { self.of_library(result) };
        Some(Word { place, type_number: self.type_number(result), wide: false })
    }

    /// A lambda expression: what it captures are the first parameters of its body, and the library gives the others.
    fn capture(&mut self, kind: u8, target: &MemberRef, arguments: &[Word]) -> Option<()> {
        const VIRTUAL: &[u8] = &[5, 7, 9];
        let captured = match arguments {
            // What it is called on.
            [_, rest @ ..] if VIRTUAL.contains(&kind) => rest,
            all => all,
        };
        let is_ours = !self.callees(target).is_empty();
        let (parameters, _) = split_method(&target.descriptor)?;
        let signature = self.signature(&target.class, &target.name, &target.descriptor);
        for (index, argument) in captured.iter().enumerate() {
            if is_ours {
                let of = parameters.get(index)?;
                self.flow_into(signature.clone(), index, of, argument.place);
            } else if !library::keeps_nothing(target) {
                self.found.places.flow(argument.place, Place::LIBRARY);
            }
        }
        self.called_by_library(target, captured.len());
        Some(())
    }

    /// The library calls a method, with what it has for all parameters from one on.
    fn called_by_library(&mut self, target: &MemberRef, from: usize) {
        self.doings.handle(target.clone());
        self.found.reflects |= library::finds_members(target);
        let Some((parameters, result)) = split_method(&target.descriptor) else {
            // A field.
            if let Some(key) = self.field_key(target) {
                let place = self.of_type(&target.descriptor, key);
                self.found.places.flow(place, Place::LIBRARY);
                self.found.places.flow(Place::LIBRARY, place);
            }
            return;
        };
        if self.callees(target).is_empty() {
            return;
        }
        let signature = self.signature(&target.class, &target.name, &target.descriptor);
        for (index, of) in parameters.iter().enumerate().skip(from) {
            self.flow_into(signature.clone(), index, of, Place::LIBRARY);
        }
        let place = self.of_type(result, Key::Result(signature));
        self.found.places.flow(place, Place::LIBRARY);
    }

    /// Something flows into a parameter, if its type allows that.
    fn flow_into(&mut self, signature: String, index: usize, of: &str, from: Place) {
        if let TypeKind::Wide(holds) = self.hierarchy.kind(of) {
            let place = self.found.places.place(Key::Parameter(signature, index), holds);
            self.found.places.flow(from, place);
        }
    }

    /// The methods of the program that a call may run.
    fn callees(&self, member: &MemberRef) -> &[MethodOf<'_>] {
        if member.name == "<init>" && !self.hierarchy.is_own(&member.class) {
            return &[];
        }
        self.hierarchy.methods(&member.name, &member.descriptor)
    }

    /// What tells calls apart.
    fn signature(&self, class: &str, name: &str, descriptor: &str) -> String {
        let class = if name == "<init>" { class } else { "" };
        format!("{class}.{name}{descriptor}")
    }

    fn handle(&self, index: u16) -> Option<(u8, MemberRef)> {
        let Constant::MethodHandle(kind, member) = self.file.pool.get(index) else { return None };
        Some((kind, self.file.pool.member(&self.file.bytes, member)?))
    }

    fn type_number(&mut self, descriptor: &str) -> usize {
        match self.types.iter().position(|known| known == descriptor) {
            Some(number) => number,
            None => {
                self.types.push(descriptor.to_string());
                self.types.len() - 1
            }
        }
    }

    /// What comes from one of two places, at a word of a method.
    fn meeting(&mut self, at: usize, number: usize, one: Place, other: Place) -> Place {
        if one == other || other == Place::OTHER {
            return one;
        }
        let key = Key::Local(self.number, at, number);
        if one == Place::OTHER {
            return other;
        }
        let place = self.found.places.place(key, Holds::ALL);
        self.found.places.flow(one, place);
        self.found.places.flow(other, place);
        place
    }
}

/// The descriptor of a class constant.
fn descriptor_of(name: &str) -> String {
    if name.starts_with('[') { name.to_string() } else { format!("L{name};") }
}
