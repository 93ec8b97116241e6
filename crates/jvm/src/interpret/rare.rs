//! Instructions that are rare or long enough to live outside the loop.

use super::arithmetic::int;
use super::run::{LoopControl, StopReason};
use crate::classfile::Type;
use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::{ARRAY_HEADER_WORDS, FROZEN, PERMANENT, REACHED, Reference};
use crate::world::{ClassId, ClassKind, RecipePart, SwitchLabel};

impl Machine {
    /// Performs an instruction that the loop does not.
    pub(crate) fn rare(
        &mut self,
        thread: usize,
        instruction: Instruction,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        match instruction.op {
            Opcode::Unreachable => return Err(Fault::invalid("unreachable code is reached").into()),
            Opcode::MultiArray => self.multi_array(thread, instruction)?,
            Opcode::PutStaticFrozen => self.put_static_frozen(thread, instruction)?,
            Opcode::Concatenate => self.concatenate(thread, instruction)?,
            Opcode::SelectCase => self.select_case(thread, instruction)?,
            Opcode::InvokeVarHandle => return self.invoke_var_handle(thread, instruction, perform),
            Opcode::InvokeHandle => return self.invoke_handle(thread, instruction),
            _ => return self.resolve(thread, instruction),
        }
        self.core_mut(thread)?.pc += 1;
        Ok(LoopControl::Reload)
    }

    fn multi_array(&mut self, thread: usize, instruction: Instruction) -> Result<(), Trap> {
        let count = usize::from(instruction.b);
        let mut lengths = Vec::with_capacity(count);
        for index in (0..count).rev() {
            let length = int(self.operand(thread, index)?);
            if length < 0 {
                return Err(Trap::raise(
                    "java/lang/NegativeArraySizeException",
                    Some(length.to_string()),
                ));
            }
            lengths.push(length as u32);
        }
        let array = self.nested_array(ClassId(instruction.a), &lengths)?;
        self.pop(thread, count)?;
        self.push(thread, array.0)?;
        Ok(())
    }

    /// An array of arrays with the given lengths.
    pub(crate) fn nested_array(
        &mut self,
        class: ClassId,
        lengths: &[u32],
    ) -> Result<Reference, Trap> {
        let Some((length, rest)) = lengths.split_first() else {
            return Err(Fault::invalid("an array of no dimensions").into());
        };
        let array = self.new_array(class, *length)?;
        if let (ClassKind::Array(element, Type::Reference), false) =
            (self.world.class(class).kind, rest.is_empty())
        {
            for index in 0..*length {
                let inner = self.nested_array(element, rest)?;
                self.store(array, ARRAY_HEADER_WORDS + index, inner.0)?;
            }
        }
        Ok(array)
    }

    /// Stores a table that only its class's initialiser fills.
    fn put_static_frozen(&mut self, thread: usize, instruction: Instruction) -> Result<(), Trap> {
        let array = Reference(self.operand(thread, 0)?);
        if !array.is_null() {
            if self.element_type(array)?.1 == Type::Reference {
                for index in 0..self.length(array)? {
                    let element = self.array_reference(array, index)?;
                    self.publish(element)?;
                }
            }
            // It may have been reached through another field while it was filled.
            let header = self.heap.header(array).ok_or_else(bad_reference)?;
            self.store(array, 0, header.without(REACHED).with(FROZEN).0)?;
        }
        self.store(Reference::new(PERMANENT, instruction.a), 0, array.0)?;
        self.pop(thread, 1)?;
        Ok(())
    }

    fn concatenate(&mut self, thread: usize, instruction: Instruction) -> Result<(), Trap> {
        let count = usize::from(instruction.b);
        let recipe = self.world.recipes[instruction.a as usize].clone();
        let mut units: Vec<u16> = Vec::new();
        let mut next = count;
        for part in &recipe.parts {
            match part {
                RecipePart::Text(text) => units.extend_from_slice(text),
                RecipePart::Argument(kind) => {
                    next -= 1;
                    let word = self.operand(thread, next)?;
                    self.append_value(&mut units, word, *kind)?;
                }
            }
        }
        let string = self.new_string_of(&units)?;
        self.pop(thread, count)?;
        self.push(thread, string.0)?;
        Ok(())
    }

    fn append_value(&self, units: &mut Vec<u16>, word: u64, kind: Type) -> Result<(), Trap> {
        let text = match kind {
            Type::Boolean => (word & 1 != 0).to_string(),
            Type::Char => {
                units.push(word as u16);
                return Ok(());
            }
            Type::Byte | Type::Short | Type::Int => int(word).to_string(),
            Type::Long => (word as i64).to_string(),
            Type::Reference if word == 0 => "null".to_string(),
            Type::Reference => {
                units.extend(self.units(Reference(word))?);
                return Ok(());
            }
            Type::Float | Type::Double => {
                return Err(Fault::internal("a number was not made a string").into());
            }
        };
        units.extend(text.encode_utf16());
        Ok(())
    }

    fn select_case(&mut self, thread: usize, instruction: Instruction) -> Result<(), Trap> {
        let start = int(self.operand(thread, 0)?);
        let target = Reference(self.operand(thread, 1)?);
        let labels = self.world.switches[instruction.a as usize].clone();
        let case = if target.is_null() {
            -1
        } else {
            let mut case = labels.len() as i32;
            for (index, label) in labels.iter().enumerate().skip(start.max(0) as usize) {
                if self.matches(target, label)? {
                    case = index as i32;
                    break;
                }
            }
            case
        };
        self.pop(thread, 2)?;
        self.push(thread, super::arithmetic::from_int(case))?;
        Ok(())
    }

    fn matches(&self, target: Reference, label: &SwitchLabel) -> Result<bool, Trap> {
        let class = self.class_of(target)?;
        Ok(match label {
            SwitchLabel::Class(wanted) => self.world.is_subclass(class, *wanted),
            SwitchLabel::Text(units) => class == self.known.string && self.units(target)? == *units,
            SwitchLabel::Integer(value) => match self.world.class_name(class) {
                "java/lang/Integer"
                | "java/lang/Short"
                | "java/lang/Byte"
                | "java/lang/Character" => int(self.get_field(target, "value")?) == *value,
                _ => false,
            },
            SwitchLabel::Enum(wanted, name) => {
                self.world.is_subclass(class, *wanted)
                    && self.units(Reference(self.get_field(target, "name")?))? == *name
            }
            SwitchLabel::Never => false,
        })
    }

    /// Stops a thread before its present instruction if others can notice it.
    pub(crate) fn stops(&self, noticeable: bool, perform: bool) -> Option<LoopControl> {
        let visible = noticeable && self.threads_can_notice() && !perform;
        visible.then_some(LoopControl::Leave(StopReason::Visible))
    }
}
