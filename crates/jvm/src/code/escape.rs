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

use super::frames::{self, Frame, follow, rearrange};
use super::scan::{Scanned, scan};
use super::verify::StackEffect;
use super::{LocalMap, is_jump};
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

impl frames::Word for Word {
    fn is_wide(self) -> bool {
        self.wide
    }
}

struct Follower<'a> {
    file: &'a ClassFile,
    method: &'a MethodInfo,
    scanned: &'a Scanned,
    depth: u32,
    /// Whether `this` was seen to escape.
    escaped: bool,
}

/// Whether `this` may escape from a method; none if it cannot be followed.
fn escapes(file: &ClassFile, method: &MethodInfo, depth: u32) -> Option<bool> {
    let code = method.code.as_ref()?;
    let descriptor = MethodDescriptor::parse(&method.descriptor)?;
    let locals = LocalMap::new(&descriptor, false, code.max_locals)?;
    let scanned = scan(file, method, code, &locals).ok()?;
    let mut slots = vec![OTHER; usize::from(code.max_locals)];
    slots.first_mut()?.this = true;
    let first = Frame { stack: Vec::new(), locals: slots };
    let mut follower = Follower { file, method, scanned: &scanned, depth, escaped: false };
    follow(&mut follower, &scanned, first, WORK_LIMIT)?;
    Some(follower.escaped)
}

impl frames::Follower for Follower<'_> {
    type Word = Word;

    fn apply(&mut self, at: usize, frame: &mut Frame<Word>) -> Option<()> {
        self.escaped |= self.lets_escape(at, frame)?;
        Some(())
    }

    fn join(&mut self, _: usize, _: usize, known: Word, new: Word) -> Word {
        Word { this: known.this || new.this, ..known }
    }

    fn caught(&self) -> Word {
        OTHER
    }

    fn is_done(&self) -> bool {
        self.escaped
    }
}

impl Follower<'_> {
    /// Applies an instruction to a frame; says whether `this` escapes by it.
    fn lets_escape(&self, at: usize, frame: &mut Frame<Word>) -> Option<bool> {
        let item = &self.scanned.items[at];
        let opcode = frames::opcode(self.file, self.method, self.scanned, at)?;
        let pop = |frame: &mut Frame<Word>| frame.stack.pop();
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
                let local = frame.locals.get(usize::from(*slot))?;
                let this = *kind == Kind::Reference && local.this;
                frame.stack.push(Word { this, wide: kind.is_wide() });
            }
            StackEffect::Store(_, slot) => {
                let word = pop(frame)?;
                *frame.locals.get_mut(usize::from(*slot))? = word;
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
