//! First pass of decoding: splits the bytes into instructions and looks up their operands.

use super::instruction::{Instruction, Opcode};
use super::opcodes::{JUMPS, KINDS, SIMPLE, is_jump};
use super::verify::{Shuffle, StackEffect};
use super::{Handler, LocalMap, Switch};
use crate::classfile::{
    ClassFile, CodeAttribute, Constant, Kind, MethodDescriptor, MethodInfo, Type,
};
use crate::error::ClassFileError;

/// An instruction with what it does to the frame.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) instruction: Instruction,
    pub(super) effect: StackEffect,
}

/// The result of the first pass. Jump targets are instruction numbers.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub(super) items: Vec<Item>,
    pub(super) offsets: Vec<u16>,
    pub(super) handlers: Vec<Handler>,
    pub(super) switches: Vec<Switch>,
    pub(super) words: Vec<u64>,
}

pub(super) fn scan(
    file: &ClassFile,
    method: &MethodInfo,
    code: &CodeAttribute,
    locals: &LocalMap,
) -> Result<Scanned, ClassFileError> {
    let bytes = file.slice(&code.code);
    let mut scanner =
        Scanner { file, method, bytes, locals, at: 0, start: 0, out: Scanned::default() };
    while scanner.at < bytes.len() {
        scanner.start = scanner.at;
        scanner.out.offsets.push(scanner.at as u16);
        let item = scanner.item()?;
        scanner.out.items.push(item);
    }
    scanner.jumps_to_instructions(code)?;
    Ok(scanner.out)
}

struct Scanner<'a> {
    file: &'a ClassFile,
    method: &'a MethodInfo,
    bytes: &'a [u8],
    locals: &'a LocalMap,
    /// The next byte.
    at: usize,
    /// Where the current instruction starts.
    start: usize,
    out: Scanned,
}

impl Scanner<'_> {
    fn bad<T>(&self, what: impl Into<String>) -> Result<T, ClassFileError> {
        Err(ClassFileError::Code {
            method: self.method.signature(),
            offset: self.start,
            what: what.into(),
        })
    }

    fn u8(&mut self) -> Result<u8, ClassFileError> {
        match self.bytes.get(self.at) {
            Some(byte) => {
                self.at += 1;
                Ok(*byte)
            }
            None => self.bad("the code ends in the middle of an instruction"),
        }
    }

    fn u16(&mut self) -> Result<u16, ClassFileError> {
        Ok(u16::from_be_bytes([self.u8()?, self.u8()?]))
    }

    fn i32(&mut self) -> Result<i32, ClassFileError> {
        Ok(i32::from_be_bytes([self.u8()?, self.u8()?, self.u8()?, self.u8()?]))
    }

    /// A jump target, still as a byte code offset.
    fn target(&self, distance: i32) -> Result<u32, ClassFileError> {
        match u32::try_from(self.start as i64 + i64::from(distance)) {
            Ok(target) if (target as usize) < self.bytes.len() => Ok(target),
            _ => self.bad("a jump leaves the method"),
        }
    }

    fn local(&self, slot: u16, wide: bool) -> Result<u32, ClassFileError> {
        let last = slot.checked_add(u16::from(wide)).and_then(|last| self.locals.word(last));
        match (self.locals.word(slot), last) {
            (Some(word), Some(_)) => Ok(word),
            _ => self.bad(format!("local variable {slot} does not exist")),
        }
    }

    fn item(&mut self) -> Result<Item, ClassFileError> {
        let opcode = self.u8()?;
        if let Ok(found) = SIMPLE.binary_search_by_key(&opcode, |row| row.0) {
            let (_, op, pops, pushes) = SIMPLE[found];
            return Ok(simple(op, 0, pops, pushes));
        }
        match opcode {
            1 => Ok(simple(Opcode::Constant, 0, "", "A")),
            2..=8 => Ok(simple(Opcode::Constant, (i32::from(opcode) - 3) as u32, "", "I")),
            9 | 10 => Ok(simple(Opcode::Constant, u32::from(opcode) - 9, "", "J")),
            11..=13 => Ok(simple(Opcode::Constant, (f32::from(opcode) - 11.0).to_bits(), "", "F")),
            14 | 15 => Ok(self.word((f64::from(opcode) - 14.0).to_bits(), "D")),
            16 => Ok(simple(Opcode::Constant, i32::from(self.u8()? as i8) as u32, "", "I")),
            17 => Ok(simple(Opcode::Constant, i32::from(self.u16()? as i16) as u32, "", "I")),
            18 => {
                let index = u16::from(self.u8()?);
                self.constant(index, false)
            }
            19 | 20 => {
                let index = self.u16()?;
                self.constant(index, opcode == 20)
            }
            21..=25 => {
                let slot = u16::from(self.u8()?);
                self.load(KINDS[usize::from(opcode - 21)], slot)
            }
            26..=45 => {
                self.load(KINDS[usize::from((opcode - 26) / 4)], u16::from((opcode - 26) % 4))
            }
            54..=58 => {
                let slot = u16::from(self.u8()?);
                self.store(KINDS[usize::from(opcode - 54)], slot)
            }
            59..=78 => {
                self.store(KINDS[usize::from((opcode - 59) / 4)], u16::from((opcode - 59) % 4))
            }
            87..=95 => {
                let shuffle = Shuffle::ALL[usize::from(opcode - 87)];
                Ok(Item {
                    instruction: Instruction::new(Opcode::Nop),
                    effect: StackEffect::Shuffle(shuffle),
                })
            }
            132 => {
                let (slot, amount) = (u16::from(self.u8()?), i16::from(self.u8()? as i8));
                self.increment(slot, amount)
            }
            153..=166 => {
                let (op, pops) = JUMPS[usize::from(opcode - 153)];
                let distance = i32::from(self.u16()? as i16);
                Ok(simple(op, self.target(distance)?, pops, ""))
            }
            198 | 199 => {
                let op = if opcode == 198 { Opcode::IfNull } else { Opcode::IfNonNull };
                let distance = i32::from(self.u16()? as i16);
                Ok(simple(op, self.target(distance)?, "A", ""))
            }
            167 | 200 => {
                let distance =
                    if opcode == 167 { i32::from(self.u16()? as i16) } else { self.i32()? };
                Ok(simple(Opcode::Goto, self.target(distance)?, "", ""))
            }
            170 => self.table_switch(),
            171 => self.lookup_switch(),
            172..=176 => {
                let kind = KINDS[usize::from(opcode - 172)];
                Ok(Item {
                    instruction: Instruction::new(Opcode::ReturnWord),
                    effect: StackEffect::Return(Some(kind)),
                })
            }
            177 => Ok(Item {
                instruction: Instruction::new(Opcode::Return),
                effect: StackEffect::Return(None),
            }),
            178..=181 => self.field(opcode),
            182..=186 => self.invoke(opcode),
            187 => self.class_instruction(Opcode::ResolveNew, "", "A"),
            188 => {
                let element = self.u8()?;
                if !(4..=11).contains(&element) {
                    return self.bad("an array of an unknown element type");
                }
                Ok(simple(Opcode::ResolveNewArray, u32::from(element), "I", "A"))
            }
            189 => self.class_instruction(Opcode::ResolveReferenceArray, "I", "A"),
            191 => Ok(simple(Opcode::Throw, 0, "A", "")),
            192 => self.class_instruction(Opcode::ResolveCheckCast, "A", "A"),
            193 => self.class_instruction(Opcode::ResolveInstanceOf, "A", "I"),
            196 => self.wide(),
            197 => {
                let mut item = self.class_instruction(Opcode::ResolveMultiArray, "", "A")?;
                let dimensions = self.u8()?;
                if dimensions == 0 {
                    return self.bad("an array of no dimensions");
                }
                item.instruction.b = u16::from(dimensions);
                item.effect = StackEffect::MultiArray(dimensions);
                Ok(item)
            }
            168 | 169 | 201 => self.bad("the obsolete instructions jsr and ret are not supported"),
            _ => self.bad(format!("unknown opcode {opcode}")),
        }
    }

    fn word(&mut self, word: u64, pushes: &'static str) -> Item {
        if let Ok(small) = u32::try_from(word) {
            return simple(Opcode::Constant, small, "", pushes);
        }
        self.out.words.push(word);
        simple(Opcode::ConstantWord, self.out.words.len() as u32 - 1, "", pushes)
    }

    fn constant(&mut self, index: u16, wide: bool) -> Result<Item, ClassFileError> {
        let item = match self.file.pool.get(index) {
            Constant::Integer(value) => simple(Opcode::Constant, value as u32, "", "I"),
            Constant::Float(bits) => simple(Opcode::Constant, bits, "", "F"),
            Constant::Long(value) => self.word(value as u64, "J"),
            Constant::Double(bits) => self.word(bits, "D"),
            Constant::String(_)
            | Constant::Class(_)
            | Constant::MethodType(_)
            | Constant::MethodHandle(..) => {
                simple(Opcode::ResolveConstant, u32::from(index), "", "A")
            }
            Constant::Dynamic(..) => {
                let kind = self
                    .file
                    .pool
                    .descriptor(&self.file.bytes, index)
                    .and_then(|found| Type::of_field(&found));
                let Some(kind) = kind.map(Type::kind) else {
                    return self.bad("a computed constant has no type");
                };
                simple(Opcode::ResolveConstant, u32::from(index), "", letter(kind))
            }
            _ => return self.bad(format!("constant {index} cannot be loaded")),
        };
        let is_wide = matches!(item.effect, StackEffect::Simple(_, "J" | "D"));
        if is_wide != wide { self.bad("a constant of the wrong size") } else { Ok(item) }
    }

    fn load(&mut self, kind: Kind, slot: u16) -> Result<Item, ClassFileError> {
        let word = self.local(slot, kind.is_wide())?;
        Ok(Item {
            instruction: Instruction::with(Opcode::Load, word),
            effect: StackEffect::Load(kind, slot),
        })
    }

    fn store(&mut self, kind: Kind, slot: u16) -> Result<Item, ClassFileError> {
        let word = self.local(slot, kind.is_wide())?;
        Ok(Item {
            instruction: Instruction::with(Opcode::Store, word),
            effect: StackEffect::Store(kind, slot),
        })
    }

    fn increment(&mut self, slot: u16, amount: i16) -> Result<Item, ClassFileError> {
        let word = self.local(slot, false)?;
        let instruction = Instruction::with2(Opcode::Increment, word, amount as u16);
        Ok(Item { instruction, effect: StackEffect::Increment(slot) })
    }

    fn wide(&mut self) -> Result<Item, ClassFileError> {
        let opcode = self.u8()?;
        let slot = self.u16()?;
        match opcode {
            21..=25 => self.load(KINDS[usize::from(opcode - 21)], slot),
            54..=58 => self.store(KINDS[usize::from(opcode - 54)], slot),
            132 => {
                let amount = self.u16()? as i16;
                self.increment(slot, amount)
            }
            _ => self.bad("an instruction that cannot be wide"),
        }
    }

    fn skip_padding(&mut self) {
        self.at = self.at.next_multiple_of(4);
    }

    fn table_switch(&mut self) -> Result<Item, ClassFileError> {
        self.skip_padding();
        let default = self.i32()?;
        let default = self.target(default)?;
        let (low, high) = (self.i32()?, self.i32()?);
        if low > high {
            return self.bad("a switch whose lowest key is above its highest");
        }
        let mut targets = Vec::new();
        for _ in 0..=(i64::from(high) - i64::from(low)) {
            let distance = self.i32()?;
            targets.push(self.target(distance)?);
        }
        Ok(self.switch(Switch::Table { low, targets, default }))
    }

    fn lookup_switch(&mut self) -> Result<Item, ClassFileError> {
        self.skip_padding();
        let default = self.i32()?;
        let default = self.target(default)?;
        let count = self.i32()?;
        if count < 0 {
            return self.bad("a switch with a negative number of keys");
        }
        let mut pairs: Vec<(i32, u32)> = Vec::new();
        for _ in 0..count {
            let (key, distance) = (self.i32()?, self.i32()?);
            if pairs.last().is_some_and(|last| last.0 >= key) {
                return self.bad("a switch whose keys are not sorted");
            }
            pairs.push((key, self.target(distance)?));
        }
        Ok(self.switch(Switch::Lookup { pairs, default }))
    }

    fn switch(&mut self, switch: Switch) -> Item {
        self.out.switches.push(switch);
        simple(Opcode::Switch, self.out.switches.len() as u32 - 1, "I", "")
    }

    fn field(&mut self, opcode: u8) -> Result<Item, ClassFileError> {
        let index = self.u16()?;
        let Constant::Field(..) = self.file.pool.get(index) else {
            return self.bad(format!("constant {index} is not a field"));
        };
        let kind = self
            .file
            .pool
            .descriptor(&self.file.bytes, index)
            .and_then(|found| Type::of_field(&found));
        let Some(kind) = kind.map(Type::kind) else {
            return self.bad("a field has a malformed descriptor");
        };
        let (op, effect) = match opcode {
            178 => (Opcode::ResolveGetStatic, StackEffect::Simple("", letter(kind))),
            179 => (Opcode::ResolvePutStatic, StackEffect::Simple(letter(kind), "")),
            180 => (Opcode::ResolveGetField, StackEffect::Simple("A", letter(kind))),
            _ => (Opcode::ResolvePutField, StackEffect::PutField(kind)),
        };
        Ok(Item { instruction: Instruction::with(op, u32::from(index)), effect })
    }

    fn invoke(&mut self, opcode: u8) -> Result<Item, ClassFileError> {
        let index = self.u16()?;
        let constant = self.file.pool.get(index);
        let (op, fits, receiver) = match opcode {
            182 => (Opcode::ResolveInvokeVirtual, matches!(constant, Constant::Method(..)), true),
            183 => (Opcode::ResolveInvokeSpecial, is_method(constant), true),
            184 => (Opcode::ResolveInvokeStatic, is_method(constant), false),
            185 => (
                Opcode::ResolveInvokeInterface,
                matches!(constant, Constant::InterfaceMethod(..)),
                true,
            ),
            _ => (
                Opcode::ResolveInvokeDynamic,
                matches!(constant, Constant::InvokeDynamic(..)),
                false,
            ),
        };
        if opcode >= 185 {
            self.u16()?;
        }
        let descriptor = self.file.pool.descriptor(&self.file.bytes, index);
        let descriptor = descriptor.and_then(|found| MethodDescriptor::parse(&found));
        let (true, Some(descriptor)) = (fits, descriptor) else {
            return self.bad(format!("constant {index} is not a method of the right sort"));
        };
        let words = descriptor.parameters.len() + usize::from(receiver);
        let mut instruction = Instruction::with2(op, u32::from(index), words as u16);
        instruction.c = u8::from(descriptor.result.is_some());
        Ok(Item { instruction, effect: StackEffect::Invoke(Box::new(descriptor), receiver) })
    }

    fn class_instruction(
        &mut self,
        op: Opcode,
        pops: &'static str,
        pushes: &'static str,
    ) -> Result<Item, ClassFileError> {
        let index = self.u16()?;
        match self.file.pool.get(index) {
            Constant::Class(_) => Ok(simple(op, u32::from(index), pops, pushes)),
            _ => self.bad(format!("constant {index} is not a class")),
        }
    }

    /// Turns all byte code offsets of targets into instruction numbers.
    fn jumps_to_instructions(&mut self, code: &CodeAttribute) -> Result<(), ClassFileError> {
        let offsets = std::mem::take(&mut self.out.offsets);
        let number =
            |offset: u32| offsets.binary_search(&(offset as u16)).ok().map(|index| index as u32);
        let mut sound = true;
        let mut translate = |target: &mut u32| match number(*target) {
            Some(index) => *target = index,
            None => sound = false,
        };
        for item in &mut self.out.items {
            if is_jump(item.instruction.op) {
                translate(&mut item.instruction.a);
            }
        }
        for switch in &mut self.out.switches {
            match switch {
                Switch::Table { targets, default, .. } => {
                    targets.iter_mut().for_each(&mut translate);
                    translate(default);
                }
                Switch::Lookup { pairs, default } => {
                    pairs.iter_mut().for_each(|pair| translate(&mut pair.1));
                    translate(default);
                }
            }
        }
        for entry in &code.handlers {
            let mut handler = Handler {
                start: u32::from(entry.start),
                end: offsets.partition_point(|offset| *offset < entry.end) as u32,
                target: u32::from(entry.handler),
                catch: self.file.pool.class_name(&self.file.bytes, entry.catch),
            };
            translate(&mut handler.start);
            translate(&mut handler.target);
            self.out.handlers.push(handler);
        }
        self.out.offsets = offsets;
        if sound { Ok(()) } else { self.bad("a jump into the middle of an instruction") }
    }
}

fn is_method(constant: Constant) -> bool {
    matches!(constant, Constant::Method(..) | Constant::InterfaceMethod(..))
}

fn simple(op: Opcode, a: u32, pops: &'static str, pushes: &'static str) -> Item {
    Item { instruction: Instruction::with(op, a), effect: StackEffect::Simple(pops, pushes) }
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "I",
        Kind::Long => "J",
        Kind::Float => "F",
        Kind::Double => "D",
        Kind::Reference => "A",
    }
}
