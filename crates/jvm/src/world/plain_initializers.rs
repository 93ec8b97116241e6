//! Initialisers of which nobody can tell when they ran.
//!
//! **Problem.** The language specification lets the thread that first uses a class initialise it, so
//! which thread that is multiplies executions, although most initialisers only put numbers, locks
//! and empty collections into static fields.
//!
//! **Idea.** An initialiser that computes constants, makes objects that nobody else knows and stores
//! them in its own class looks at nothing that anybody can change, cannot fail and does not wait.
//! Nobody can tell when it ran, so it may have run before the program began. This is a check of its
//! byte code, instruction by instruction, against a list of what is harmless: no loops, no fields of
//! other classes, no calls but of a few constructors of the JDK, of constructors of the class itself
//! that only store into fields, and of what the compiler adds to enumerations and assertions.
//!
//! **Invariant.** What is not on the list makes an initialiser an ordinary one.
//!
//! **Cost.** One pass over the byte code when the class is loaded.

use crate::classfile::{ClassFile, Constant, MemberRef, MethodInfo};

/// Constructors that only fill their own object. Those with a number refuse negative ones.
const CONSTRUCTORS: &[(&str, &str)] = &[
    ("java/lang/Object", "()V"),
    ("java/lang/Enum", "(Ljava/lang/String;I)V"),
    ("java/lang/Record", "()V"),
    ("java/lang/StringBuilder", "()V"),
    ("java/lang/StringBuffer", "()V"),
    ("java/util/ArrayList", "()V"),
    ("java/util/ArrayList", "(I)V"),
    ("java/util/LinkedList", "()V"),
    ("java/util/ArrayDeque", "()V"),
    ("java/util/Vector", "()V"),
    ("java/util/HashMap", "()V"),
    ("java/util/HashSet", "()V"),
    ("java/util/TreeMap", "()V"),
    ("java/util/concurrent/ConcurrentHashMap", "()V"),
    ("java/util/concurrent/ConcurrentLinkedQueue", "()V"),
    ("java/util/concurrent/CopyOnWriteArrayList", "()V"),
    ("java/util/concurrent/LinkedBlockingQueue", "()V"),
    ("java/util/concurrent/CountDownLatch", "(I)V"),
    ("java/util/concurrent/Semaphore", "(I)V"),
    ("java/util/concurrent/atomic/AtomicBoolean", "()V"),
    ("java/util/concurrent/atomic/AtomicBoolean", "(Z)V"),
    ("java/util/concurrent/atomic/AtomicInteger", "()V"),
    ("java/util/concurrent/atomic/AtomicInteger", "(I)V"),
    ("java/util/concurrent/atomic/AtomicLong", "()V"),
    ("java/util/concurrent/atomic/AtomicLong", "(J)V"),
    ("java/util/concurrent/atomic/AtomicReference", "()V"),
    ("java/util/concurrent/locks/ReentrantLock", "()V"),
    ("java/util/concurrent/locks/ReentrantLock", "(Z)V"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock", "()V"),
];

/// Classes whose `valueOf` makes an object of a number.
const BOXES: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
];

/// How far constructors of a class may call each other.
const DEEPEST: u32 = 4;

/// Whether nobody can tell when the initialiser of a class ran.
pub fn is_plain(file: &ClassFile) -> bool {
    let initializer = file.methods.iter().find(|method| method.name == "<clinit>");
    initializer.is_some_and(|method| Check { file, method, depth: 0 }.holds())
}

/// The enumerations that a class has numbers for, if it is one that the compiler adds for `switch`
/// statements: nobody can tell when it was initialised if that is so of them.
pub fn switched_enumerations(file: &ClassFile) -> Option<Vec<String>> {
    let [method] = file.methods.as_slice() else { return None };
    let named = file.fields.iter().all(|field| field.name.starts_with("$SwitchMap$"));
    if !named || file.fields.is_empty() || method.name != "<clinit>" {
        return None;
    }
    let code = file.slice(&method.code.as_ref()?.code);
    let check = Check { file, method, depth: 0 };
    let mut enumerations = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let index = || Some(u16::from_be_bytes([*code.get(at + 1)?, *code.get(at + 2)?]));
        at += match code[at] {
            // Small numbers, storing into an array or a local, the length of an array, the return.
            0x03..=0x08 | 0x4B..=0x4F | 0xB1 | 0xBE => 1,
            0x10 | 0x3A | 0xBC => 2,
            0x11 | 0xA7 | 0xB2 => 3,
            0xB3 if check.is_own(&check.member(index()?)?) => 3,
            0xB6 if check.member(index()?)?.name == "ordinal" => 3,
            0xB8 if check.member(index()?)?.name == "values" => {
                enumerations.push(check.member(index()?)?.class);
                3
            }
            _ => return None,
        };
    }
    Some(enumerations)
}

struct Check<'a> {
    file: &'a ClassFile,
    method: &'a MethodInfo,
    depth: u32,
}

impl Check<'_> {
    fn holds(&self) -> bool {
        self.all().unwrap_or(false)
    }

    /// Whether all instructions are harmless; none if the code is damaged.
    fn all(&self) -> Option<bool> {
        let attribute = self.method.code.as_ref()?;
        let code = self.file.slice(&attribute.code);
        if !attribute.handlers.is_empty() || self.depth > DEEPEST {
            return Some(false);
        }
        let byte = |at: usize| code.get(at).copied();
        let short = |at: usize| Some(u16::from_be_bytes([byte(at)?, byte(at + 1)?]));
        // Lengths and numbers of permits must not be negative.
        let mut sizes = false;
        let mut negative = false;
        let mut at = 0;
        while at < code.len() {
            let length = match byte(at)? {
                0x02 => {
                    negative = true;
                    1
                }
                // Constants, loads of short locals, the stack, arithmetic that cannot fail.
                0x00..=0x0F | 0x1A..=0x2D | 0x57..=0x6B | 0x6E..=0x6F | 0x72..=0x83 => 1,
                // Conversions, comparisons, the return.
                0x85..=0x98 | 0xB1 => 1,
                0x10 => {
                    negative |= byte(at + 1)? as i8 <= -1;
                    2
                }
                0x11 => {
                    negative |= short(at + 1)? as i16 <= -1;
                    3
                }
                0x12 => {
                    if !self.constant(u16::from(byte(at + 1)?), &mut negative) {
                        return Some(false);
                    }
                    2
                }
                0x13 | 0x14 => {
                    if !self.constant(short(at + 1)?, &mut negative) {
                        return Some(false);
                    }
                    3
                }
                // Loads of other locals.
                0x15..=0x19 => 2,
                // An enumeration's list of its constants, which the compiler fills and returns.
                0x53 | 0xB0 if self.method.name == "$values" => 1,
                // Jumps forward.
                0x99..=0xA7 | 0xC6 | 0xC7 if short(at + 1)? as i16 > 0 => 3,
                0xB2 | 0xB3 if self.is_own(&self.member(short(at + 1)?)?) => 3,
                0xB5 if self.is_constructor() && self.is_own(&self.member(short(at + 1)?)?) => 3,
                0xB6 if is_assertion_status(&self.member(short(at + 1)?)?) => 3,
                0xB7 => {
                    let member = self.member(short(at + 1)?)?;
                    sizes |= member.descriptor == "(I)V" && !member.class.contains("/atomic/");
                    if !self.constructs(&member) {
                        return Some(false);
                    }
                    3
                }
                0xB8 if self.calls(&self.member(short(at + 1)?)?) => 3,
                0xBB if self.makes(&self.class(short(at + 1)?)?) => 3,
                0xBC => {
                    sizes = true;
                    2
                }
                0xBD => {
                    sizes = true;
                    3
                }
                _ => return Some(false),
            };
            at += length;
        }
        Some(!(sizes && negative))
    }

    fn is_constructor(&self) -> bool {
        self.method.name == "<init>"
    }

    fn member(&self, index: u16) -> Option<MemberRef> {
        self.file.pool.member(&self.file.bytes, index)
    }

    fn class(&self, index: u16) -> Option<String> {
        self.file.pool.class_name(&self.file.bytes, index)
    }

    fn is_own(&self, member: &MemberRef) -> bool {
        member.class == self.file.name
    }

    fn constant(&self, index: u16, negative: &mut bool) -> bool {
        match self.file.pool.get(index) {
            Constant::Integer(number) => *negative |= number < 0,
            Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_)
            | Constant::String(_)
            | Constant::Class(_) => {}
            _ => return false,
        }
        true
    }

    /// A constructor that only fills its own object.
    fn constructs(&self, member: &MemberRef) -> bool {
        let known = (member.class.as_str(), member.descriptor.as_str());
        member.name == "<init>"
            && (CONSTRUCTORS.contains(&known) || self.is_own(member) && self.is_plain_too(member))
    }

    /// The class of an object that may be made: one of the JDK or, outside constructors, its own.
    fn makes(&self, class: &str) -> bool {
        let own = class == self.file.name && self.method.name == "<clinit>";
        own || CONSTRUCTORS.iter().any(|row| row.0 == class)
    }

    fn calls(&self, member: &MemberRef) -> bool {
        let boxes = member.name == "valueOf"
            && BOXES.contains(&member.class.as_str())
            && !member.descriptor.starts_with("(L");
        boxes || member.name == "$values" && self.is_own(member) && self.is_plain_too(member)
    }

    fn is_plain_too(&self, member: &MemberRef) -> bool {
        let named = |method: &&MethodInfo| {
            method.name == member.name && method.descriptor == member.descriptor
        };
        let method = self.file.methods.iter().find(named);
        method
            .is_some_and(|method| Check { file: self.file, method, depth: self.depth + 1 }.holds())
    }
}

fn is_assertion_status(member: &MemberRef) -> bool {
    member.class == "java/lang/Class" && member.name == "desiredAssertionStatus"
}
