//! Second pass of decoding: follows the kinds of all words through the method.
//!
//! This is the data-flow half of the JVM's verifier with all references taken as one kind. It
//! proves that no path under- or overflows the operand stack, reads a local variable before it is
//! set or with another kind, or runs off the end of the code. What it leaves open, a reference of
//! the wrong class, is caught at run time as a fault. The states are kept per jump target only, and
//! the total work is bounded, so that no method can make it slow.

use super::CodeAttribute;
use super::instruction::{Instruction, Opcode};
use super::opcodes::is_jump;
use super::scan::Scanned;
use crate::classfile::{Kind, MethodDescriptor, MethodInfo, Type};
use crate::error::ClassFileError;

/// What an instruction does to the frame.
#[derive(Debug)]
pub(super) enum StackEffect {
    /// Pops and pushes kinds, given as letters.
    Simple(&'static str, &'static str),
    /// Pushes a local slot.
    Load(Kind, u16),
    /// Pops into a local slot.
    Store(Kind, u16),
    /// Changes an `int` local slot.
    Increment(u16),
    /// Rearranges the stack.
    Shuffle(Shuffle),
    /// Returns with a value or without.
    Return(Option<Kind>),
    /// Pops a value and an object.
    PutField(Kind),
    /// Pops arguments and possibly a receiver, pushes the result.
    Invoke(Box<MethodDescriptor>, bool),
    /// Pops a number of lengths, pushes an array.
    MultiArray(u8),
}

/// The stack instructions, in the order of their opcodes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shuffle {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

impl Shuffle {
    pub(super) const ALL: [Shuffle; 9] = [
        Shuffle::Pop,
        Shuffle::Pop2,
        Shuffle::Dup,
        Shuffle::DupX1,
        Shuffle::DupX2,
        Shuffle::Dup2,
        Shuffle::Dup2X1,
        Shuffle::Dup2X2,
        Shuffle::Swap,
    ];
}

/// Work units one method may cost; javac's largest methods need a small part of it.
const WORK_LIMIT: usize = 40_000_000;

#[derive(Debug, Clone, PartialEq)]
struct KindsInFrame {
    stack: Vec<Kind>,
    /// JVM slots; `None` cannot be read.
    locals: Vec<Option<Kind>>,
}

struct Verifier<'a> {
    method: &'a MethodInfo,
    result: Option<Kind>,
    offsets: Vec<u16>,
    max_stack: usize,
    /// Frames at jump targets and handlers.
    frames: Vec<Option<KindsInFrame>>,
    is_target: Vec<bool>,
    work: Vec<usize>,
    spent: usize,
}

pub(super) fn verify(
    scanned: &mut Scanned,
    descriptor: &MethodDescriptor,
    is_static: bool,
    code: &CodeAttribute,
    method: &MethodInfo,
) -> Result<(), ClassFileError> {
    let count = scanned.items.len();
    let mut verifier = Verifier {
        method,
        result: descriptor.result.map(Type::kind),
        offsets: scanned.offsets.clone(),
        max_stack: usize::from(code.max_stack),
        frames: vec![None; count],
        is_target: vec![false; count],
        work: vec![0],
        spent: 0,
    };
    verifier.mark_targets(scanned);
    verifier.frames[0] = Some(first_frame(descriptor, is_static, code));
    let mut reached = vec![false; count];
    while let Some(start) = verifier.work.pop() {
        let Some(frame) = verifier.frames[start].clone() else { continue };
        verifier.block(scanned, start, frame, &mut reached)?;
    }
    for (item, reached) in scanned.items.iter_mut().zip(reached) {
        if !reached {
            item.instruction = Instruction::new(Opcode::Unreachable);
        }
    }
    Ok(())
}

fn first_frame(
    descriptor: &MethodDescriptor,
    is_static: bool,
    code: &CodeAttribute,
) -> KindsInFrame {
    let mut locals = Vec::with_capacity(usize::from(code.max_locals));
    if !is_static {
        locals.push(Some(Kind::Reference));
    }
    for parameter in &descriptor.parameters {
        locals.push(Some(parameter.kind()));
        if parameter.kind().is_wide() {
            locals.push(None);
        }
    }
    locals.resize(usize::from(code.max_locals), None);
    KindsInFrame { stack: Vec::new(), locals }
}

impl Verifier<'_> {
    fn bad<T>(&self, at: usize, what: impl Into<String>) -> Result<T, ClassFileError> {
        let offset = self.offsets.get(at).copied().unwrap_or_default().into();
        Err(ClassFileError::Code { method: self.method.signature(), offset, what: what.into() })
    }

    fn mark_targets(&mut self, scanned: &Scanned) {
        let mut mark = |target: u32| self.is_target[target as usize] = true;
        for item in &scanned.items {
            if is_jump(item.instruction.op) {
                mark(item.instruction.a);
            }
        }
        for switch in &scanned.switches {
            switch.places().into_iter().for_each(&mut mark);
        }
        for handler in &scanned.handlers {
            mark(handler.target);
        }
        mark(0);
    }

    /// Follows one path from a jump target up to the next one or to the end of the method.
    fn block(
        &mut self,
        scanned: &mut Scanned,
        start: usize,
        mut frame: KindsInFrame,
        reached: &mut [bool],
    ) -> Result<(), ClassFileError> {
        let mut at = start;
        let mut locals_changed = true;
        loop {
            self.spend(at, 1)?;
            reached[at] = true;
            self.enter_handlers(scanned, at, &frame, locals_changed)?;
            locals_changed = matches!(scanned.items[at].effect, StackEffect::Store(..));
            self.apply(scanned, at, &mut frame)?;
            let instruction = scanned.items[at].instruction;
            match instruction.op {
                Opcode::Return | Opcode::ReturnWord | Opcode::Throw => return Ok(()),
                Opcode::Goto => return self.merge(instruction.a as usize, &frame),
                Opcode::Switch => {
                    for target in scanned.switches[instruction.a as usize].places() {
                        self.merge(target as usize, &frame)?;
                    }
                    return Ok(());
                }
                op if is_jump(op) => self.merge(instruction.a as usize, &frame)?,
                _ => {}
            }
            at += 1;
            if at == scanned.items.len() {
                return self.bad(at - 1, "the code runs off its end");
            }
            if self.is_target[at] {
                return self.merge(at, &frame);
            }
        }
    }

    fn spend(&mut self, at: usize, amount: usize) -> Result<(), ClassFileError> {
        self.spent += amount;
        if self.spent > WORK_LIMIT {
            self.bad(at, "the method is too complex to check")
        } else {
            Ok(())
        }
    }

    /// Any instruction of a protected range may throw with the locals it found.
    fn enter_handlers(
        &mut self,
        scanned: &Scanned,
        at: usize,
        frame: &KindsInFrame,
        locals_changed: bool,
    ) -> Result<(), ClassFileError> {
        if scanned.handlers.is_empty() {
            return Ok(());
        }
        self.spend(at, scanned.handlers.len())?;
        for handler in &scanned.handlers {
            let inside = (handler.start..handler.end).contains(&(at as u32));
            if inside && (locals_changed || handler.start == at as u32) {
                if self.max_stack == 0 {
                    return self.bad(at, "an exception handler without room on the stack");
                }
                let caught =
                    KindsInFrame { stack: vec![Kind::Reference], locals: frame.locals.clone() };
                self.merge(handler.target as usize, &caught)?;
            }
        }
        Ok(())
    }

    fn merge(&mut self, target: usize, frame: &KindsInFrame) -> Result<(), ClassFileError> {
        self.spend(target, frame.locals.len() + frame.stack.len() + 1)?;
        match &mut self.frames[target] {
            None => {
                self.frames[target] = Some(frame.clone());
                self.work.push(target);
            }
            Some(known) => {
                if known.stack != frame.stack {
                    return self.bad(target, "paths meet with different operand stacks");
                }
                let mut changed = false;
                for (known, new) in known.locals.iter_mut().zip(&frame.locals) {
                    if known.is_some() && known != new {
                        *known = None;
                        changed = true;
                    }
                }
                if changed {
                    self.work.push(target);
                }
            }
        }
        Ok(())
    }

    fn apply(
        &self,
        scanned: &mut Scanned,
        at: usize,
        frame: &mut KindsInFrame,
    ) -> Result<(), ClassFileError> {
        match &scanned.items[at].effect {
            StackEffect::Simple(pops, pushes) => {
                for letter in pops.bytes().rev() {
                    self.pop(at, frame, kind(letter))?;
                }
                for letter in pushes.bytes() {
                    self.push(at, frame, kind(letter))?;
                }
            }
            StackEffect::Load(kind, slot) => {
                if frame.locals[usize::from(*slot)] != Some(*kind) {
                    return self.bad(
                        at,
                        format!("local variable {slot} does not hold a value of the right kind"),
                    );
                }
                self.push(at, frame, *kind)?;
            }
            StackEffect::Store(kind, slot) => {
                self.pop(at, frame, *kind)?;
                let slot = usize::from(*slot);
                // A wide value before this slot loses its second half.
                if slot > 0 && frame.locals[slot - 1].is_some_and(Kind::is_wide) {
                    frame.locals[slot - 1] = None;
                }
                frame.locals[slot] = Some(*kind);
                if kind.is_wide() {
                    frame.locals[slot + 1] = None;
                }
            }
            StackEffect::Increment(slot) => {
                if frame.locals[usize::from(*slot)] != Some(Kind::Int) {
                    return self.bad(at, format!("local variable {slot} does not hold an int"));
                }
            }
            StackEffect::Return(kind) => {
                if *kind != self.result {
                    return self
                        .bad(at, "the method returns a value of another kind than it promises");
                }
                if let Some(kind) = kind {
                    self.pop(at, frame, *kind)?;
                }
            }
            StackEffect::PutField(kind) => {
                self.pop(at, frame, *kind)?;
                self.pop(at, frame, Kind::Reference)?;
            }
            StackEffect::Invoke(descriptor, receiver) => {
                for parameter in descriptor.parameters.iter().rev() {
                    self.pop(at, frame, parameter.kind())?;
                }
                if *receiver {
                    self.pop(at, frame, Kind::Reference)?;
                }
                if let Some(result) = descriptor.result {
                    self.push(at, frame, result.kind())?;
                }
            }
            StackEffect::MultiArray(dimensions) => {
                for _ in 0..*dimensions {
                    self.pop(at, frame, Kind::Int)?;
                }
                self.push(at, frame, Kind::Reference)?;
            }
            StackEffect::Shuffle(shuffle) => {
                let op = self.shuffle(at, frame, *shuffle)?;
                scanned.items[at].instruction = Instruction::new(op);
            }
        }
        Ok(())
    }

    fn pop(&self, at: usize, frame: &mut KindsInFrame, wanted: Kind) -> Result<(), ClassFileError> {
        match frame.stack.pop() {
            Some(found) if found == wanted => Ok(()),
            Some(found) => {
                self.bad(at, format!("{wanted:?} expected on the operand stack, {found:?} found"))
            }
            None => self.bad(at, "the operand stack is empty"),
        }
    }

    fn push(&self, at: usize, frame: &mut KindsInFrame, kind: Kind) -> Result<(), ClassFileError> {
        frame.stack.push(kind);
        // The file counts wide values twice and we count them once.
        if frame.stack.len() > self.max_stack {
            self.bad(at, "the operand stack overflows")
        } else {
            Ok(())
        }
    }

    /// The operation in words that a stack instruction amounts to, for the kinds it finds.
    fn shuffle(
        &self,
        at: usize,
        frame: &mut KindsInFrame,
        shuffle: Shuffle,
    ) -> Result<Opcode, ClassFileError> {
        let depth = frame.stack.len();
        let wide = |index: usize| {
            depth.checked_sub(index).and_then(|at| frame.stack.get(at)).map(|kind| kind.is_wide())
        };
        let (top, second, third, fourth) = (wide(1), wide(2), wide(3), wide(4));
        // How many words are taken from the top, and under how many they are copied.
        let (op, take, under) = match (shuffle, top, second, third, fourth) {
            (Shuffle::Pop, Some(false), ..) => (Opcode::Pop, 1, None),
            (Shuffle::Pop2, Some(true), ..) => (Opcode::Pop, 1, None),
            (Shuffle::Pop2, Some(false), Some(false), ..) => (Opcode::Pop2, 2, None),
            (Shuffle::Dup, Some(false), ..) => (Opcode::Duplicate, 1, Some(0)),
            (Shuffle::DupX1, Some(false), Some(false), ..) => (Opcode::DuplicateX1, 1, Some(1)),
            (Shuffle::DupX2, Some(false), Some(true), ..) => (Opcode::DuplicateX1, 1, Some(1)),
            (Shuffle::DupX2, Some(false), Some(false), Some(false), _) => {
                (Opcode::DuplicateX2, 1, Some(2))
            }
            (Shuffle::Dup2, Some(true), ..) => (Opcode::Duplicate, 1, Some(0)),
            (Shuffle::Dup2, Some(false), Some(false), ..) => (Opcode::Duplicate2, 2, Some(0)),
            (Shuffle::Dup2X1, Some(true), Some(false), ..) => (Opcode::DuplicateX1, 1, Some(1)),
            (Shuffle::Dup2X1, Some(false), Some(false), Some(false), _) => {
                (Opcode::Duplicate2X1, 2, Some(1))
            }
            (Shuffle::Dup2X2, Some(true), Some(true), ..) => (Opcode::DuplicateX1, 1, Some(1)),
            (Shuffle::Dup2X2, Some(true), Some(false), Some(false), _) => {
                (Opcode::DuplicateX2, 1, Some(2))
            }
            (Shuffle::Dup2X2, Some(false), Some(false), Some(true), _) => {
                (Opcode::Duplicate2X1, 2, Some(1))
            }
            (Shuffle::Dup2X2, Some(false), Some(false), Some(false), Some(false)) => {
                (Opcode::Duplicate2X2, 2, Some(2))
            }
            (Shuffle::Swap, Some(false), Some(false), ..) => {
                frame.stack.swap(depth - 1, depth - 2);
                return Ok(Opcode::Swap);
            }
            _ => {
                return self
                    .bad(at, "a stack instruction finds too few words or half a long or double");
            }
        };
        let taken: Vec<Kind> = frame.stack[depth - take..].to_vec();
        match under {
            None => frame.stack.truncate(depth - take),
            Some(under) => {
                let place = depth - take - under;
                frame.stack.splice(place..place, taken);
            }
        }
        if frame.stack.len() > self.max_stack {
            self.bad(at, "the operand stack overflows")
        } else {
            Ok(op)
        }
    }
}

fn kind(letter: u8) -> Kind {
    match letter {
        b'I' => Kind::Int,
        b'J' => Kind::Long,
        b'F' => Kind::Float,
        b'D' => Kind::Double,
        _ => Kind::Reference,
    }
}
