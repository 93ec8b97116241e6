//! Numbers in place of unknowns, where the machine has to know them.
//!
//! A length, an argument of a native, what a hidden part of the library computes with: the values are
//! told apart by questions that halve the range, and the operand is replaced by its number. Where the
//! values are too many, one is taken, and the verdict says so.

use counterpoint_symbolic::Term;

use super::run::{LoopControl, StopReason};
use super::unknown::only_writes_message;
use super::unknown_box::makes_boxes;
use crate::classfile::Type;
use crate::code::Instruction;
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::Reference;
use crate::natives::NativeEffect;
use crate::unknown::{CASES, is_unknown};
use crate::world::{Method, MethodEntry, MethodId};

/// Array lengths are told apart up to this one.
const LENGTHS: i64 = CASES - 1;

/// What came of a question.
pub(super) enum Concretised {
    /// The operand is a number now.
    Known,
    /// The thread must stop.
    Stop,
    /// The thread throws: the operand is not in the range.
    Outside,
}

impl Machine {
    /// Replaces an operand by its number, which lies in a range if a first condition holds.
    pub(super) fn among(
        &mut self,
        thread: usize,
        operand: usize,
        range: (i64, i64),
        condition: impl Fn(&Machine, u64) -> Term,
    ) -> Result<Concretised, Trap> {
        let word = self.operand(thread, operand)?;
        if self.unknowns.cases(thread).is_none() {
            let condition = condition(self, word);
            match self.decide(thread, condition)? {
                None => return Ok(Concretised::Stop),
                Some(false) => return Ok(Concretised::Outside),
                Some(true) => self.unknowns.set_cases(thread, Some(range)),
            }
        }
        let Some(number) = self.tell(thread, word, range)? else { return Ok(Concretised::Stop) };
        self.set_operand(thread, operand, number)?;
        Ok(Concretised::Known)
    }

    /// Halves the range in which a word lies until one value is left; none if the thread must stop.
    fn tell(&mut self, thread: usize, word: u64, range: (i64, i64)) -> Result<Option<u64>, Trap> {
        let width = self.unknowns.width(word);
        let (mut low, mut high) = self.unknowns.cases(thread).unwrap_or(range);
        while low < high {
            // Of very many values the few lowest are told apart, and one is taken of the others.
            let many = high - low > i64::from(u16::MAX);
            if many && low > LENGTHS {
                self.unknowns.set_cases(thread, None);
                return Ok(Some(self.pinned(thread, word)));
            }
            let middle = if many { low + LENGTHS } else { low + (high - low) / 2 };
            let terms = self.unknowns.terms();
            let limit = terms.bits(middle as u64, width);
            let condition = terms.sle(self.unknowns.term(word, width), limit);
            match self.decide(thread, condition)? {
                None => return Ok(None),
                Some(true) => high = middle,
                Some(false) => low = middle + 1,
            }
            self.unknowns.set_cases(thread, Some((low, high)));
        }
        self.unknowns.set_cases(thread, None);
        Ok(Some(if width == 64 { low as u64 } else { u64::from(low as i32 as u32) }))
    }

    /// Replaces an operand by its number, and runs the instruction again.
    pub(super) fn concretised(
        &mut self,
        thread: usize,
        operand: usize,
    ) -> Result<LoopControl, Trap> {
        match self.concretise(thread, operand)? {
            Concretised::Stop => Ok(LoopControl::Leave(StopReason::Visible)),
            Concretised::Known | Concretised::Outside => Ok(LoopControl::Reload),
        }
    }

    /// Replaces an operand by its number: each of its values if they are few, else a concrete one.
    fn concretise(&mut self, thread: usize, operand: usize) -> Result<Concretised, Trap> {
        let word = self.operand(thread, operand)?;
        let number = if !self.can_stop(thread)? {
            self.pinned(thread, word)
        } else if let Some(range) = self.unknowns.range(word) {
            match self.tell(thread, word, range)? {
                Some(number) => number,
                None => return Ok(Concretised::Stop),
            }
        } else if let Some(inputs) = self.unknowns.few_inputs(word) {
            for (told, input) in inputs.iter().enumerate().skip(self.unknowns.told(thread)) {
                let range = self.unknowns.range(*input).unwrap_or_default();
                if self.tell(thread, *input, range)?.is_none() {
                    return Ok(Concretised::Stop);
                }
                self.unknowns.set_told(thread, told + 1);
            }
            self.unknowns.set_told(thread, 0);
            self.unknowns.concrete(word)
        } else {
            self.pinned(thread, word)
        };
        self.set_operand(thread, operand, number)?;
        Ok(Concretised::Known)
    }

    /// A number in place of an unknown, which the verdict mentions.
    pub(crate) fn pinned(&mut self, thread: usize, word: u64) -> u64 {
        if !is_unknown(word) {
            return word;
        }
        let place = self.user_place(thread);
        self.unknowns.pin(word, || place)
    }

    /// Gives a method that must know its arguments their numbers. The answer is a stop if the thread
    /// has to stop for a choice.
    pub(crate) fn concretise_arguments(
        &mut self,
        thread: usize,
        target: MethodId,
    ) -> Result<Option<LoopControl>, Trap> {
        let method = self.world.method(target);
        let count = usize::from(method.arguments);
        // The values of an access to memory are moved and not looked at.
        let looked = match (method.entry, method.native.map(|native| &native.effect)) {
            (MethodEntry::Native, Some(NativeEffect::Memory(..))) => count.min(3),
            (MethodEntry::Native, Some(NativeEffect::Input)) if !is_choice(method) => 0,
            (MethodEntry::Native, _) => count,
            _ if method.concretises => count,
            _ => return Ok(None),
        };
        let name = (self.world.class_name(method.class), self.world.symbols.text(method.name));
        if makes_boxes(name.0, name.1) {
            return self.box_unknown(thread, target);
        }
        let shows = only_writes_message(name.0, name.1);
        for argument in 0..looked {
            let operand = count - 1 - argument;
            let word = self.operand(thread, operand)?;
            if is_unknown(word) && shows {
                self.set_operand(thread, operand, self.unknowns.concrete(word))?;
            } else if is_unknown(word) {
                if let Concretised::Stop = self.concretise(thread, operand)? {
                    return Ok(Some(LoopControl::Leave(StopReason::Visible)));
                }
            } else if self.unknowns.has_elements()
                && is_reference(self, target, argument)
                && !moves_elements(self, target)
            {
                self.concretise_object(thread, Reference(word))?;
            }
        }
        Ok(None)
    }

    /// Makes the unknown elements of an array concrete, or those of a string's array.
    fn concretise_object(&mut self, thread: usize, object: Reference) -> Result<(), Trap> {
        let known = self.heap.header(object).map(|header| header.class());
        let Some(class) = known.filter(|class| (class.0 as usize) < self.world.classes.len())
        else {
            return Ok(());
        };
        if class == self.known.string {
            let value = self.load_reference(object, self.known.string_value)?;
            return self.concretise_elements(thread, value);
        }
        match self.world.class(class).element() {
            Some((_, kind)) if kind.shift() < 3 => self.concretise_elements(thread, object),
            _ => Ok(()),
        }
    }

    /// Makes the unknown elements of an array concrete.
    fn concretise_elements(&mut self, thread: usize, array: Reference) -> Result<(), Trap> {
        // The text of a string that is still to be made is not there yet.
        if array.is_null() {
            return Ok(());
        }
        let Some((_, kind)) = self.world.class(self.class_of(array)?).element() else {
            return Ok(());
        };
        for index in self.unknown_elements(array)? {
            let cell = super::variable::MemoryCell::element(array, index, kind);
            let word = self.read_cell(cell)?;
            let number = self.pinned(thread, word);
            self.write_cell(cell, number)?;
        }
        Ok(())
    }

    /// The indices of the unknown elements of a packed array.
    pub(crate) fn unknown_elements(&self, array: Reference) -> Result<Vec<u32>, Fault> {
        let Some((_, kind)) = self.world.class(self.class_of(array)?).element() else {
            return Ok(Vec::new());
        };
        let length = self.length(array)?;
        let from = super::variable::MemoryCell::element(array, 0, kind).flat();
        let to = from + (u64::from(length) << kind.shift());
        let found = self.unknowns.elements_between(from, to);
        Ok(found.iter().map(|(address, _)| ((address - from) >> kind.shift()) as u32).collect())
    }

    pub(super) fn set_operand(
        &mut self,
        thread: usize,
        from_top: usize,
        word: u64,
    ) -> Result<(), Fault> {
        let state = self.thread_mut(thread)?;
        let at = state.core.sp as usize - from_top - 1;
        state.stack[at] = word;
        Ok(())
    }

    /// The operand of an access through a variable handle that must be known, and whether it is the
    /// index (0) or a value of another type than the variable's (1).
    pub(super) fn number_of_handle(
        &self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<Option<(u8, usize)>, Trap> {
        let words = usize::from(instruction.b);
        let index = words.checked_sub(3);
        if let Some(index) = index
            && is_unknown(self.operand(thread, index)?)
            && self.is_array_handle(thread, words)?
        {
            return Ok(Some((0, index)));
        }
        let (cell, used) = self.var_handle_cell(thread, words)?;
        let site = &self.world.call_sites[instruction.a as usize];
        for at in used..words {
            let given = site.parameters.get(at - 1).copied().unwrap_or(cell.kind);
            let operand = words - at - 1;
            if given.kind() != cell.kind.kind() && is_unknown(self.operand(thread, operand)?) {
                return Ok(Some((1, operand)));
            }
        }
        Ok(None)
    }
}

/// Whether a source of inputs looks at its argument.
fn is_choice(method: &Method) -> bool {
    method.native.is_some_and(|native| native.name == "choose")
}

/// Whether an argument of a method is a reference.
fn is_reference(machine: &Machine, target: MethodId, argument: usize) -> bool {
    let method = machine.world.method(target);
    let receiver = usize::from(!method.is_static());
    match argument.checked_sub(receiver) {
        Some(parameter) => method.types.parameters.get(parameter) == Some(&Type::Reference),
        None => true,
    }
}

/// Whether a native moves elements of arrays and knows about unknown ones.
fn moves_elements(machine: &Machine, target: MethodId) -> bool {
    let method = machine.world.method(target);
    let name = (machine.world.class_name(method.class), machine.world.symbols.text(method.name));
    matches!(method.native.map(|native| &native.effect), Some(NativeEffect::Memory(..)))
        || matches!(name, ("java/lang/System", "arraycopy") | ("java/lang/Object", "clone"))
}
