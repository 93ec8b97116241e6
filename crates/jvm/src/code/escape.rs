//! Whether a constructor may hand out the object that it is making.
//!
//! **Problem.** Reading a final field is no visible operation, because the field has its value before anybody
//! else can know the object. That is so unless a constructor lets `this` escape (stores it somewhere,
//! passes it on, captures it in a lambda): then others can see the object half built, and the default
//! value of the field.
//!
//! **Idea.** The words of locals and stack that hold `this` are followed through the constructor. It may be
//! the object of a field access and the receiver of another constructor (which is looked at itself, as are
//! the constructors of superclasses) or of a private or final method of the same class (which is
//! looked at, too). It may be compared, copied and locked. Every other use lets it escape; so does all
//! that is too long or too deep to follow. A wrong *yes* only makes reads visible that need not be.
//!
//! **Not followed.** Constructors of the JDK: those that programs extend (`Object`, `Thread`, exceptions,
//! collections) start no thread with their object and store it nowhere that other threads look.

use super::scan::{Scanned, scan};
use super::verify::{Shuffle, StackEffect};
use super::{LocalMap, Opcode, is_jump};
use crate::classfile::{ClassFile, Kind, MethodDescriptor, MethodInfo, access};

/// Calls inside calls that are followed.
const DEPTH_LIMIT: u32 = 6;
/// Instructions that may be looked at for one method, as often as paths meet.
const WORK_LIMIT: usize = 20_000;

/// Whether some constructor of a class may let its object escape.
pub fn lets_this_escape(file: &ClassFile) -> bool {
    let constructors = file.methods.iter().filter(|method| method.name == "<init>");
    constructors.into_iter().any(|method| escapes(file, method, 0).unwrap_or(true))
}

/// A word of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    this: bool,
    wide: bool,
}

const OTHER: Word = Word { this: false, wide: false };

#[derive(Debug, Clone, PartialEq, Eq)]
struct ThisInFrame {
    stack: Vec<Word>,
    /// Which slots hold `this`.
    locals: Vec<bool>,
}

struct Follower<'a> {
    file: &'a ClassFile,
    method: &'a MethodInfo,
    scanned: Scanned,
    depth: u32,
}

/// Whether `this` may escape from a method; none if it cannot be followed.
fn escapes(file: &ClassFile, method: &MethodInfo, depth: u32) -> Option<bool> {
    let code = method.code.as_ref()?;
    let descriptor = MethodDescriptor::parse(&method.descriptor)?;
    let locals = LocalMap::new(&descriptor, false, code.max_locals)?;
    let scanned = scan(file, method, code, &locals).ok()?;
    let mut slots = vec![false; usize::from(code.max_locals)];
    *slots.first_mut()? = true;
    Follower { file, method, scanned, depth }.follow(slots)
}

impl Follower<'_> {
    fn follow(&self, locals: Vec<bool>) -> Option<bool> {
        let mut frames: Vec<Option<ThisInFrame>> = vec![None; self.scanned.items.len()];
        *frames.first_mut()? = Some(ThisInFrame { stack: Vec::new(), locals });
        let mut work = vec![0];
        let mut spent = 0;
        while let Some(at) = work.pop() {
            spent += 1;
            if spent > WORK_LIMIT {
                return None;
            }
            let before = frames[at].clone()?;
            for handler in &self.scanned.handlers {
                if (handler.start..handler.end).contains(&(at as u32)) {
                    let caught = ThisInFrame { stack: vec![OTHER], locals: before.locals.clone() };
                    merge(&mut frames, &mut work, handler.target as usize, &caught)?;
                }
            }
            let mut frame = before;
            if self.apply(at, &mut frame)? {
                return Some(true);
            }
            for next in self.next(at) {
                merge(&mut frames, &mut work, next, &frame)?;
            }
        }
        Some(false)
    }

    fn next(&self, at: usize) -> Vec<usize> {
        let instruction = self.scanned.items[at].instruction;
        match instruction.op {
            Opcode::Return | Opcode::ReturnWord | Opcode::Throw => Vec::new(),
            Opcode::Goto => vec![instruction.a as usize],
            Opcode::Switch => {
                let places = self.scanned.switches[instruction.a as usize].places();
                places.into_iter().map(|place| place as usize).collect()
            }
            op if is_jump(op) => vec![at + 1, instruction.a as usize],
            _ => vec![at + 1],
        }
    }

    fn opcode(&self, at: usize) -> Option<u8> {
        let start = self.method.code.as_ref()?.code.start;
        self.file.bytes.get(start + usize::from(*self.scanned.offsets.get(at)?)).copied()
    }

    /// Applies an instruction to a frame; says whether `this` escapes by it.
    fn apply(&self, at: usize, frame: &mut ThisInFrame) -> Option<bool> {
        let item = &self.scanned.items[at];
        let opcode = self.opcode(at)?;
        let pop = |frame: &mut ThisInFrame| frame.stack.pop();
        match &item.effect {
            StackEffect::Simple(pops, pushes) => {
                let mut used = false;
                for _ in 0..pops.len() {
                    used |= pop(frame)?.this;
                }
                // Comparisons, `instanceof`, reading a field, entering and leaving the monitor.
                let harmless = is_jump(item.instruction.op) || matches!(opcode, 180 | 193..=195);
                let wide = |letter: u8| matches!(letter, b'J' | b'D');
                let made = pushes.bytes().map(|letter| Word { this: false, wide: wide(letter) });
                frame.stack.extend(made);
                return Some(used && !harmless);
            }
            StackEffect::Load(kind, slot) => {
                let this = *kind == Kind::Reference && *frame.locals.get(usize::from(*slot))?;
                frame.stack.push(Word { this, wide: kind.is_wide() });
            }
            StackEffect::Store(_, slot) => {
                let word = pop(frame)?;
                *frame.locals.get_mut(usize::from(*slot))? = word.this;
            }
            StackEffect::Increment(_) => {}
            StackEffect::Return(kind) => {
                return Some(kind.is_some() && pop(frame)?.this);
            }
            StackEffect::PutField(_) => {
                let value = pop(frame)?;
                pop(frame)?;
                return Some(value.this);
            }
            StackEffect::Invoke(descriptor, receiver) => {
                let mut passed = false;
                for _ in 0..descriptor.parameters.len() {
                    passed |= pop(frame)?.this;
                }
                if *receiver && pop(frame)?.this {
                    passed |= self.call_lets_escape(item.instruction.a as u16)?;
                }
                if let Some(result) = descriptor.result {
                    frame.stack.push(Word { this: false, wide: result.kind().is_wide() });
                }
                return Some(passed);
            }
            StackEffect::MultiArray(dimensions) => {
                for _ in 0..*dimensions {
                    pop(frame)?;
                }
                frame.stack.push(OTHER);
            }
            StackEffect::Shuffle(shuffle) => rearrange(&mut frame.stack, *shuffle)?,
        }
        Some(false)
    }

    /// Whether a method called on `this` may let it escape.
    fn call_lets_escape(&self, index: u16) -> Option<bool> {
        let member = self.file.pool.member(&self.file.bytes, index)?;
        if member.name == "<init>" {
            // A constructor of this class or of the one above, which are looked at themselves.
            return Some(false);
        }
        let own =
            self.file.methods.iter().find(|method| {
                method.name == member.name && method.descriptor == member.descriptor
            });
        match own {
            Some(method)
                if member.class == self.file.name
                    && method.access & (access::PRIVATE | access::FINAL) != 0
                    && self.depth < DEPTH_LIMIT =>
            {
                escapes(self.file, method, self.depth + 1)
            }
            _ => Some(true),
        }
    }
}

fn merge(
    frames: &mut [Option<ThisInFrame>],
    work: &mut Vec<usize>,
    at: usize,
    frame: &ThisInFrame,
) -> Option<()> {
    match frames.get_mut(at)? {
        place @ None => {
            *place = Some(frame.clone());
            work.push(at);
        }
        Some(known) => {
            if known.stack.len() != frame.stack.len() {
                return None;
            }
            let before = known.clone();
            for (known, new) in known.stack.iter_mut().zip(&frame.stack) {
                known.this |= new.this;
            }
            for (known, new) in known.locals.iter_mut().zip(&frame.locals) {
                *known |= new;
            }
            if *known != before {
                work.push(at);
            }
        }
    }
    Some(())
}

/// A stack instruction; a wide word counts twice.
fn rearrange(stack: &mut Vec<Word>, shuffle: Shuffle) -> Option<()> {
    let words = |stack: &[Word], slots: usize| -> Option<usize> {
        let (mut taken, mut left) = (0, slots);
        while left > 0 {
            let word = stack.get(stack.len().checked_sub(taken + 1)?)?;
            left = left.checked_sub(if word.wide { 2 } else { 1 })?;
            taken += 1;
        }
        Some(taken)
    };
    let (take, under) = match shuffle {
        Shuffle::Pop => (1, None),
        Shuffle::Pop2 => (2, None),
        Shuffle::Dup => (1, Some(0)),
        Shuffle::DupX1 => (1, Some(1)),
        Shuffle::DupX2 => (1, Some(2)),
        Shuffle::Dup2 => (2, Some(0)),
        Shuffle::Dup2X1 => (2, Some(1)),
        Shuffle::Dup2X2 => (2, Some(2)),
        Shuffle::Swap => {
            let depth = stack.len();
            let below = depth.checked_sub(2)?;
            stack.swap(depth - 1, below);
            return Some(());
        }
    };
    let count = words(stack, take)?;
    let place = stack.len() - count;
    let Some(under) = under else {
        stack.truncate(place);
        return Some(());
    };
    let below = words(&stack[..place], under)?;
    let taken: Vec<Word> = stack[place..].to_vec();
    stack.splice(place - below..place - below, taken);
    Some(())
}
