//! Instructions and calls that meet unknowns: computing with terms, branching, and telling cases apart.
//!
//! An instruction whose outcome depends on an unknown condition asks ([`Machine::decide`]). If the
//! side was chosen already, it goes on; if not, the thread stops before the instruction as before any
//! visible operation, the explorer chooses, and the instruction runs again with the answer. Where a
//! number must be known (an index, a length, an argument of a native), the values are told apart by
//! such questions, halving the range, and then the operand is replaced by its number: the instruction
//! runs again and sees no unknown. Where the values are too many they are made concrete, which the
//! verdict says.
//!
//! Inside calls that run to their end at once, and inside the parts of the library whose accesses are
//! not visible, a thread cannot stop: there the concrete side is taken, and the verdict says so.

use counterpoint_symbolic::Term;

use super::concretise::Concretised;
use super::frame::frames;
use super::run::{LoopControl, StopReason};
use super::unknown_box::makes_boxes;
use crate::code::{Instruction, Opcode, Switch};
use crate::error::Fault;
use crate::load::Origin;
use crate::machine::{Machine, Trap};
use crate::memory::{HiddenMemory, Reference};
use crate::unknown::is_unknown;
use crate::world::MethodId;

/// A part of the library that computes and shares nothing, though it lies among those that do.
pub(crate) const COMPUTING: &str = "jdk/internal/util/";

const NUMBER_WRITERS: &[&str] = &[
    "toString",
    "toHexString",
    "toOctalString",
    "toBinaryString",
    "toUnsignedString",
    "stringSize",
    "getChars",
    "format",
];

/// Methods that turn numbers into text, by class and the start of their names: the text of an unknown
/// is that of its concrete value.
const WRITERS: &[(&str, &[&str])] = &[
    ("java/lang/Integer", NUMBER_WRITERS),
    ("java/lang/Long", NUMBER_WRITERS),
    ("java/lang/String", &["valueOf", "copyValueOf", "<init>", "format", "repeat"]),
    ("java/lang/Character", &["toString", "toChars", "getName"]),
    ("java/lang/AbstractStringBuilder", &["append", "insert", "setCharAt", "repeat"]),
    ("java/lang/StringConcatHelper", &[""]),
];

/// Methods that only make the message of an exception: it is that of the concrete execution, and
/// the unknowns stay what they are, as with the exceptions that the machine throws itself.
pub(super) fn only_writes_message(class: &str, method: &str) -> bool {
    class == "jdk/internal/util/Preconditions" && method.starts_with("outOfBounds")
}

/// Whether a method gets the numbers of unknown arguments, and not the unknowns.
pub(crate) fn concretises(class: &str, method: &str, for_library: bool) -> bool {
    let starts = |names: &[&str]| names.iter().any(|name| method.starts_with(name));
    for_library && !class.starts_with(COMPUTING)
        || only_writes_message(class, method)
        || makes_boxes(class, method)
        || WRITERS.iter().any(|(writer, names)| *writer == class && starts(names))
}

/// A fault for a number of the program that looks like a token: nobody could tell it from an unknown.
pub(crate) fn misleading_number() -> Fault {
    Fault::unsupported(
        "this very number in a program with inputs, where the machine uses it itself",
    )
}

impl Machine {
    /// Performs an instruction that looks at a token.
    pub(crate) fn unknown(
        &mut self,
        thread: usize,
        instruction: Instruction,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        use Opcode::*;
        let top = |index| self.operand(thread, index);
        match instruction.op {
            Increment => {
                let at = self.core(thread)?.base as usize + instruction.a as usize;
                let amount = u64::from(i32::from(instruction.b as i16) as u32);
                let word = self.thread_mut(thread)?.stack[at];
                let sum = self.unknowns.binary(IntAdd, word, amount);
                self.thread_mut(thread)?.stack[at] = sum;
                self.core_mut(thread)?.pc += 1;
                Ok(LoopControl::Reload)
            }
            IntDivide | IntRemainder | LongDivide | LongRemainder => {
                let width =
                    if matches!(instruction.op, IntDivide | IntRemainder) { 32 } else { 64 };
                let divisor = top(0)?;
                let is_zero = self.unknowns.same(divisor, 0, width);
                match self.decide(thread, is_zero)? {
                    None => Ok(LoopControl::Leave(StopReason::Visible)),
                    Some(true) => {
                        let message = Some("/ by zero".to_string());
                        Err(Trap::raise("java/lang/ArithmeticException", message))
                    }
                    Some(false) => self.compute(thread, instruction.op),
                }
            }
            IntToFloat | IntToDouble | LongToFloat | LongToDouble | SelectCase => {
                self.concretised(thread, 0)
            }
            IfZero | IfNotZero | IfNegative | IfNotNegative | IfPositive | IfNotPositive => {
                let condition = self.unknowns.comparison(instruction.op, top(0)?, 0);
                self.branch(thread, condition, 1, instruction.a)
            }
            IfIntEqual | IfIntNotEqual | IfIntLess | IfIntGreaterEqual | IfIntGreater
            | IfIntLessEqual => {
                let condition = self.unknowns.comparison(instruction.op, top(1)?, top(0)?);
                self.branch(thread, condition, 2, instruction.a)
            }
            IfReferenceEqual | IfReferenceNotEqual => {
                let condition = self.identity(thread, instruction)?;
                self.branch(thread, condition, 2, instruction.a)
            }
            Switch => self.switch(thread, instruction),
            LoadByte | LoadChar | LoadShort | LoadInt | LoadLong | LoadReference => {
                self.index(thread, 1, 0)
            }
            StoreByte | StoreShort | StoreInt | StoreLong | StoreReference => {
                self.index(thread, 2, 1)
            }
            NewArray => self.array_length(thread, 0),
            MultiArray => {
                let lengths = 0..usize::from(instruction.b);
                let mut unknown = lengths.rev().filter(|index| top(*index).is_ok_and(is_unknown));
                match unknown.next() {
                    Some(index) => self.array_length(thread, index),
                    None => Ok(LoopControl::Reload),
                }
            }
            Concatenate => {
                let operands = 0..usize::from(instruction.b);
                let mut unknown = operands.rev().filter(|index| top(*index).is_ok_and(is_unknown));
                match unknown.next() {
                    Some(index) => self.concretised(thread, index),
                    None => Ok(LoopControl::Reload),
                }
            }
            InvokeVarHandle => {
                let words = usize::from(instruction.b);
                match self.number_of_handle(thread, instruction)? {
                    Some((0, index)) => self.index(thread, words - 2, index),
                    Some((_, value)) => self.concretised(thread, value),
                    None => self.invoke_var_handle(thread, instruction, perform),
                }
            }
            _ => self.compute(thread, instruction.op),
        }
    }

    /// Arithmetic without questions.
    fn compute(&mut self, thread: usize, op: Opcode) -> Result<LoopControl, Trap> {
        use Opcode::*;
        let top = self.operand(thread, 0)?;
        let (result, count) = match op {
            IntNegate | LongNegate | IntToLong | LongToInt | IntToByte | IntToShort | IntToChar => {
                (self.unknowns.unary(op, top), 1)
            }
            _ => (self.unknowns.binary(op, self.operand(thread, 1)?, top), 2),
        };
        self.pop(thread, count)?;
        self.push(thread, result)?;
        self.core_mut(thread)?.pc += 1;
        Ok(LoopControl::Reload)
    }

    /// The side of a condition that a thread's present instruction takes; none if the thread must
    /// stop for the choice.
    pub(super) fn decide(&mut self, thread: usize, condition: Term) -> Result<Option<bool>, Trap> {
        if self.can_stop(thread)? {
            return Ok(self.unknowns.ask(thread, condition));
        }
        if let Some(value) = self.unknowns.terms().as_constant(condition) {
            return Ok(value.as_bool());
        }
        let place = self.user_place(thread);
        Ok(Some(self.unknowns.pin_side(condition, || place)))
    }

    /// Whether a thread can stop where it is.
    pub(super) fn can_stop(&self, thread: usize) -> Result<bool, Fault> {
        let core = self.core(thread)?;
        let class = self.world.method(core.method).class;
        let computes = || self.world.class_name(class).starts_with(COMPUTING);
        Ok(self.nesting.machine_calls == 0
            && self.nesting.permanent == 0
            && (core.hidden == HiddenMemory::NOTHING || computes()))
    }

    /// Where a thread is in the user's code, for notes.
    pub(super) fn user_place(&self, thread: usize) -> String {
        let Some(state) = self.threads.get(thread) else { return String::new() };
        let is_user = |method: MethodId| {
            let method = self.world.method(method);
            method.number != u16::MAX && self.world.class(method.class).origin == Origin::Program
        };
        match frames(&self.world, state).find(|frame| is_user(frame.method)) {
            Some(frame) => {
                let place = self.place(frame.method, frame.pc);
                format!("{}:{}", place.file.unwrap_or(place.class), place.line)
            }
            None => "the library".to_string(),
        }
    }

    fn branch(
        &mut self,
        thread: usize,
        condition: Term,
        operands: usize,
        target: u32,
    ) -> Result<LoopControl, Trap> {
        let Some(jumps) = self.decide(thread, condition)? else {
            return Ok(LoopControl::Leave(StopReason::Visible));
        };
        self.pop(thread, operands)?;
        if jumps { self.jump(thread, target) } else { self.jump(thread, self.core(thread)?.pc + 1) }
    }

    fn jump(&mut self, thread: usize, target: u32) -> Result<LoopControl, Trap> {
        if target <= self.core(thread)?.pc {
            self.step.fuel = self.step.fuel.saturating_sub(1);
            if self.step.fuel == 0 {
                self.refuel()?;
            }
        }
        self.core_mut(thread)?.pc = target;
        Ok(LoopControl::Reload)
    }

    /// A switch asks for one target after the other.
    fn switch(&mut self, thread: usize, instruction: Instruction) -> Result<LoopControl, Trap> {
        let word = self.operand(thread, 0)?;
        let method = self.core(thread)?.method;
        let switch = self.world.method(method).code.switches[instruction.a as usize].clone();
        let (targets, default) = targets_of(&switch);
        let mut next = self.unknowns.cases(thread).map_or(0, |(next, _)| next as usize);
        let target = loop {
            let Some((target, keys)) = targets.get(next) else { break default };
            let keys = keys.iter().map(|key| u64::from(key.cast_unsigned()));
            let equal: Vec<Term> = keys.map(|key| self.unknowns.same(word, key, 32)).collect();
            let condition = self.unknowns.terms().any(equal);
            match self.decide(thread, condition)? {
                None => return Ok(LoopControl::Leave(StopReason::Visible)),
                Some(true) => break *target,
                Some(false) => {
                    next += 1;
                    self.unknowns.set_cases(thread, Some((next as i64, 0)));
                }
            }
        };
        self.unknowns.set_cases(thread, None);
        self.pop(thread, 1)?;
        self.jump(thread, target)
    }

    /// Tells the values of an index apart: in bounds or not, and then which.
    fn index(&mut self, thread: usize, array: usize, index: usize) -> Result<LoopControl, Trap> {
        let array = Reference(self.operand(thread, array)?);
        if array.is_null() {
            return Err(Trap::raise("java/lang/NullPointerException", None));
        }
        let length = self.length(array)?;
        let inside = |machine: &Machine, word: u64| {
            let terms = machine.unknowns.terms();
            terms.ult(machine.unknowns.term(word, 32), terms.bits(u64::from(length), 32))
        };
        match self.among(thread, index, (0, i64::from(length) - 1), inside)? {
            Concretised::Known => Ok(LoopControl::Reload),
            Concretised::Stop => Ok(LoopControl::Leave(StopReason::Visible)),
            Concretised::Outside => {
                let index = self.unknowns.concrete(self.operand(thread, index)?) as i32;
                let message = format!("Index {index} out of bounds for length {length}");
                Err(Trap::raise("java/lang/ArrayIndexOutOfBoundsException", Some(message)))
            }
        }
    }

    /// Tells the values of an array's length apart: negative or not, and then which.
    fn array_length(&mut self, thread: usize, index: usize) -> Result<LoopControl, Trap> {
        let natural = |machine: &Machine, word: u64| {
            let terms = machine.unknowns.terms();
            terms.sge(machine.unknowns.term(word, 32), terms.bits(0, 32))
        };
        match self.among(thread, index, (0, i64::from(i32::MAX)), natural)? {
            Concretised::Known => Ok(LoopControl::Reload),
            Concretised::Stop => Ok(LoopControl::Leave(StopReason::Visible)),
            Concretised::Outside => {
                let length = self.unknowns.concrete(self.operand(thread, index)?) as i32;
                let message = Some(length.to_string());
                Err(Trap::raise("java/lang/NegativeArraySizeException", message))
            }
        }
    }
}

/// The targets of a switch other than the default, with their keys, in order of the first key.
fn targets_of(switch: &Switch) -> (Vec<(u32, Vec<i32>)>, u32) {
    let (pairs, default): (Vec<(i32, u32)>, u32) = match switch {
        Switch::Table { low, targets, default } => {
            let keys = (i64::from(*low)..).map(|key| key as i32);
            (keys.zip(targets.iter().copied()).collect(), *default)
        }
        Switch::Lookup { pairs, default } => (pairs.clone(), *default),
    };
    let mut targets: Vec<(u32, Vec<i32>)> = Vec::new();
    for (key, target) in pairs.into_iter().filter(|(_, target)| *target != default) {
        match targets.iter_mut().find(|(known, _)| *known == target) {
            Some((_, keys)) => keys.push(key),
            None => targets.push((target, vec![key])),
        }
    }
    (targets, default)
}
