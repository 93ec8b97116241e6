//! Byte code in the form the machine runs: one fixed-size instruction per JVM instruction.
//!
//! [`decode`] turns the bytes of a method into an array of [`Instruction`]s in two passes. `scan`
//! splits the bytes and looks up operands; `verify` follows the kinds of all words through the
//! method, so that what runs later can neither leave its frame nor take a number for a reference.
//! Instructions that name a class, field, method or constant start out as `Resolve*` and are
//! replaced by their resolved form when first executed. `counters` forgets variables that nobody reads.
//!
//! Two differences to the JVM's own form: a `long` or `double` takes one word of the operand
//! stack, so stack shuffling is rewritten according to the kinds found; and local slots are
//! renumbered so that parameters are consecutive words, so that a caller's operands become the
//! callee's parameters without copying.

mod escape;
mod frames;
mod instruction;
mod locked;
mod null;
mod opcodes;
mod scan;
mod unread_counters;
mod verify;

pub use escape::lets_this_escape;
pub use instruction::{Instruction, Opcode};
pub use locked::{LockedMonitors, locked_monitors};
pub use null::null_message;
pub use opcodes::{is_branch, is_jump};

use crate::classfile::{ClassFile, CodeAttribute, MethodDescriptor, MethodInfo, access};
use crate::error::ClassFileError;
use crate::world::ClassId;

/// The decoded code of a method.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// Exception handlers, innermost first, in instruction numbers.
    pub handlers: Vec<Handler>,
    /// Jump tables of switches.
    pub switches: Vec<Switch>,
    /// Constants wider than an operand.
    pub words: Vec<u64>,
    /// Classes that instructions may have to initialise.
    pub classes: Vec<ClassId>,
    /// First instruction and line of each stretch, in order.
    pub lines: Vec<(u32, u16)>,
    /// Byte code offset of each instruction.
    pub offsets: Vec<u16>,
    /// Words of local variables, parameters included.
    pub local_words: u32,
    /// Words of operand stack.
    pub stack_words: u32,
}

/// An exception handler, in instruction numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    /// First protected instruction.
    pub start: u32,
    /// First instruction no longer protected.
    pub end: u32,
    /// Where the handler starts.
    pub target: u32,
    /// Name of the class that is caught; `None` catches everything.
    pub catch: Option<String>,
}

/// The jump table of a switch instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Switch {
    /// Consecutive keys from `low`.
    Table {
        /// The first key.
        low: i32,
        /// Targets in order of keys.
        targets: Vec<u32>,
        /// Target of all other keys.
        default: u32,
    },
    /// Sorted pairs of key and target.
    Lookup {
        /// Keys in ascending order, with targets.
        pairs: Vec<(i32, u32)>,
        /// Target of all other keys.
        default: u32,
    },
}

impl Switch {
    /// All places that it can lead to, each once, in the order of the code.
    pub fn places(&self) -> Vec<u32> {
        let mut places = match self {
            Switch::Table { targets, default, .. } => [&targets[..], &[*default]].concat(),
            Switch::Lookup { pairs, default } => {
                pairs.iter().map(|pair| pair.1).chain([*default]).collect()
            }
        };
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The target of a key.
    pub fn target(&self, key: i32) -> u32 {
        match self {
            Switch::Table { low, targets, default } => {
                let index = i64::from(key) - i64::from(*low);
                usize::try_from(index)
                    .ok()
                    .and_then(|index| targets.get(index))
                    .copied()
                    .unwrap_or(*default)
            }
            Switch::Lookup { pairs, default } => {
                match pairs.binary_search_by_key(&key, |pair| pair.0) {
                    Ok(index) => pairs[index].1,
                    Err(_) => *default,
                }
            }
        }
    }
}

impl Code {
    /// The source line of an instruction.
    pub fn line(&self, instruction: u32) -> Option<u16> {
        let after = self.lines.partition_point(|(start, _)| *start <= instruction);
        after.checked_sub(1).map(|index| self.lines[index].1)
    }
}

/// Decodes and checks the code of one method.
pub fn decode(
    file: &ClassFile,
    method: &MethodInfo,
    code: &CodeAttribute,
) -> Result<Code, ClassFileError> {
    let bad = |what: &str| ClassFileError::Code {
        method: method.signature(),
        offset: 0,
        what: what.to_string(),
    };
    let descriptor = MethodDescriptor::parse(&method.descriptor)
        .ok_or_else(|| bad("the descriptor is malformed"))?;
    let is_static = method.access & access::STATIC != 0;
    let locals = LocalMap::new(&descriptor, is_static, code.max_locals)
        .ok_or_else(|| bad("there are more parameters than local variables"))?;
    let mut scanned = scan::scan(file, method, code, &locals)?;
    verify::verify(&mut scanned, &descriptor, is_static, code, method)?;
    let mut lines: Vec<(u32, u16)> = Vec::new();
    for (offset, line) in code.line_table(&file.bytes) {
        let start = scanned.offsets.partition_point(|known| *known < offset) as u32;
        lines.push((start, line));
    }
    let mut instructions: Vec<Instruction> =
        scanned.items.iter().map(|item| item.instruction).collect();
    unread_counters::forget(&mut instructions, u32::from(code.max_locals));
    Ok(Code {
        instructions,
        handlers: scanned.handlers,
        switches: scanned.switches,
        words: scanned.words,
        classes: Vec::new(),
        lines,
        offsets: scanned.offsets,
        local_words: u32::from(code.max_locals),
        stack_words: u32::from(code.max_stack),
    })
}

/// Checks a whole class as far as this can be done without loading other classes.
pub fn check(file: &ClassFile) -> Result<(), ClassFileError> {
    for method in file.methods() {
        if let Some(code) = &method.code {
            decode(file, method, code)?;
        }
    }
    Ok(())
}

/// Renumbers local slots: parameters first, one word each, then all other slots in order.
#[derive(Debug)]
struct LocalMap {
    words: Vec<u16>,
}

impl LocalMap {
    fn new(descriptor: &MethodDescriptor, is_static: bool, max_locals: u16) -> Option<LocalMap> {
        let mut heads = Vec::new();
        let mut slot = 0;
        if !is_static {
            heads.push(0);
            slot = 1;
        }
        for parameter in &descriptor.parameters {
            heads.push(slot);
            slot += if parameter.kind().is_wide() { 2 } else { 1 };
        }
        if slot > usize::from(max_locals) {
            return None;
        }
        let mut words = vec![u16::MAX; usize::from(max_locals)];
        for (word, head) in heads.iter().enumerate() {
            words[*head] = word as u16;
        }
        let rest = words.iter_mut().filter(|word| **word == u16::MAX);
        for (word, entry) in (heads.len()..).zip(rest) {
            *entry = word as u16;
        }
        Some(LocalMap { words })
    }

    fn word(&self, slot: u16) -> Option<u32> {
        self.words.get(usize::from(slot)).map(|word| u32::from(*word))
    }
}

/// The word of a frame that holds a local variable slot of a method.
pub(crate) fn local_word(
    descriptor: &MethodDescriptor,
    is_static: bool,
    max_locals: u16,
    slot: u16,
) -> Option<u32> {
    LocalMap::new(descriptor, is_static, max_locals)?.word(slot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_become_consecutive_words() {
        let descriptor = MethodDescriptor::parse("(JID)V").expect("well formed");
        let map = LocalMap::new(&descriptor, false, 8).expect("they fit");
        let words: Vec<u16> = map.words.clone();
        assert_eq!(words, [0, 1, 4, 2, 3, 5, 6, 7]);
        assert!(LocalMap::new(&descriptor, false, 5).is_none());
    }

    #[test]
    fn switches_find_their_targets() {
        let table = Switch::Table { low: -1, targets: vec![10, 11, 12], default: 9 };
        assert_eq!(
            [-2, -1, 1, 2, i32::MIN, i32::MAX].map(|key| table.target(key)),
            [9, 10, 12, 9, 9, 9]
        );
        let lookup = Switch::Lookup { pairs: vec![(-5, 1), (7, 2)], default: 3 };
        assert_eq!([-5, 7, 0].map(|key| lookup.target(key)), [1, 2, 3]);
    }
}
