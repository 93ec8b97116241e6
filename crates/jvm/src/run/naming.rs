//! What people call objects and variables.
//!
//! **Problem.** Explorers need keys that are the same in every execution; people need names they
//! recognise. An address is the one and never the other.
//!
//! **Idea.** The key of an object is its creator and its place among the creator's allocations. Its
//! name is, in this order: the static field that refers to it (`Bank.log`; a final one, if the object
//! is of a class of the program); for objects of the library and arrays, the field of one of the
//! program's objects that refers to it (`Buffer#1.items`); its class and number among the creator's objects of that class (`Account#2`,
//! or `worker:Account#1` if another thread than main made it). Names are given once, when an object
//! is first spoken of; a field names only the first object that is found in it.
//!
//! **Cost.** A walk over what the creator has allocated, once for each object that is shared.

use counterpoint_model::{Pid, Program};

use super::prepared_machine::PreparedMachine;
use super::program::JavaProgram;
use crate::classfile::Type;
use crate::interpret::Address;
use crate::load::Origin;
use crate::memory::{ARRAY_HEADER_WORDS, PERMANENT, Reference};
use crate::world::{Class, ClassId};

/// What locks, latches, semaphores and queues without room of the library call the inner object that stands for them.
const INNER: &[&str] = &["sync", "transferer"];

/// How the classes of such objects end.
const INNER_CLASSES: &[&str] = &["$Sync", "$NonfairSync", "$FairSync"];

/// Packages of the JDK whose classes know how to share their fields without locks.
const INTERNAL: &[&str] =
    &["java/util/concurrent/", "java/util/stream/", "java/lang/", "java/security/", "jdk/", "sun/"];

/// Classes among them whose objects are memory of the program like any other.
const PLAIN: &[&str] =
    &["java/lang/AbstractStringBuilder", "java/lang/StringBuilder", "java/lang/StringBuffer"];

/// Classes of the JDK whose objects programs seldom name, and what people call them.
const PLAIN_WORDS: &[(&str, &str)] = &[
    ("java/util/concurrent/FutureTask", "task"),
    ("java/util/concurrent/CompletableFuture", "future"),
    ("java/util/concurrent/ThreadPoolExecutor", "pool"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor", "scheduler"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask", "scheduled task"),
    ("java/util/concurrent/SynchronousQueue$TransferQueue", "SynchronousQueue"),
    ("java/util/concurrent/SynchronousQueue$TransferStack", "SynchronousQueue"),
];

/// How many elements of an array are looked at for an object that needs a name.
const ELEMENTS: u32 = 256;

impl PreparedMachine {
    /// A key of an object that is the same in all machines and executions.
    pub fn object_key(&self, program: &JavaProgram, object: Reference) -> String {
        let world = &self.machine.world;
        let Ok(class) = self.machine.class_of(object) else {
            return format!("word {:x}", object.0);
        };
        let class_name = world.class_name(class);
        if object.segment() != PERMANENT {
            let path = program.names().path(self.creator(object));
            return format!("{path}+{} {class_name}", object.offset());
        }
        if let Some(class) = world.classes.iter().find(|class| class.mirror == object) {
            return format!("class {}", world.symbols.text(class.name));
        }
        if class == self.machine.known.string
            && let Ok(text) = self.machine.text(object)
        {
            return format!("string {text}");
        }
        let (name, number) = self.machine.permanent_place(object);
        format!("{name:x}+{number} {class_name}")
    }

    /// What people call an object.
    pub fn object_name(&self, program: &JavaProgram, object: Reference) -> String {
        let key = self.object_key(program, object);
        program.object_name(&key, || self.candidates(program, object))
    }

    /// Names for an object, the best first; the last one is nobody else's in the same execution.
    fn candidates(&self, program: &JavaProgram, object: Reference) -> Vec<String> {
        let world = &self.machine.world;
        let Ok(class) = self.machine.class_of(object) else { return vec!["memory".to_string()] };
        if object.segment() == PERMANENT {
            if let Some(class) = world.classes.iter().find(|class| class.mirror == object) {
                return vec![format!("class {}", class_label(world.symbols.text(class.name)))];
            }
            if class == self.machine.known.string
                && let Ok(text) = self.machine.text(object)
            {
                return vec![format!("{text:?}")];
            }
        }
        let shape = world.class(class);
        // Fields change: only where they do not, or where nothing better is known, they give names.
        let own = shape.origin == Origin::Program && shape.element().is_none();
        let mut names: Vec<String> = self.static_reference(object, own).into_iter().collect();
        let label = class_label(world.class_name(class));
        if object.segment() == PERMANENT {
            let (_, number) = self.machine.permanent_place(object);
            names.push(format!("{label}@{number:x}"));
            return names;
        }
        let (number, holder) = self.neighbours(object);
        if let Some((holder, field)) = holder.filter(|_| !own) {
            let name = self.object_name(program, holder);
            if self.is_inner(holder, object) {
                return vec![name];
            }
            names.push(format!("{name}.{field}"));
        }
        let prefix = match self.creator(object) {
            Pid::MAIN => String::new(),
            other => format!("{}:", program.process_name(other)),
        };
        names.push(format!("{prefix}{label}#{number}"));
        names
    }

    fn creator(&self, object: Reference) -> Pid {
        let thread = (object.segment() as usize).checked_sub(2);
        thread.and_then(|thread| self.known_pid(thread)).unwrap_or(Pid::MAIN)
    }

    /// An object's number among the objects of its class and creator, from 1, and a field of one of
    /// the program's objects by the same creator that refers to it.
    fn neighbours(&self, object: Reference) -> (u32, Option<(Reference, String)>) {
        let (machine, segment) = (&self.machine, object.segment());
        let own = machine.class_of(object).ok();
        let (mut number, mut holder, mut offset) = (0, None, 0);
        while offset < machine.heap.top(segment) {
            let other = Reference::new(segment, offset);
            let Ok(class) = machine.class_of(other) else { break };
            if offset <= object.offset() && Some(class) == own {
                number += 1;
            }
            let shape = machine.world.class(class);
            let words = match shape.element() {
                Some((_, kind)) => {
                    let bytes = u64::from(machine.length(other).unwrap_or(0)) << kind.shift();
                    ARRAY_HEADER_WORDS + bytes.div_ceil(8) as u32
                }
                None => shape.instance_words.max(1),
            };
            if holder.is_none() && shape.origin == Origin::Program {
                holder = self.holding_field(class, other, object).map(|name| (other, name));
            }
            if offset > object.offset() && holder.is_some() {
                break;
            }
            offset += words;
        }
        (number.max(1), holder)
    }

    /// The declared field of a holder that refers to an object.
    fn holding_field(
        &self,
        class: ClassId,
        holder: Reference,
        object: Reference,
    ) -> Option<String> {
        let world = &self.machine.world;
        world.class(class).ancestors.iter().find_map(|ancestor| {
            let class = world.class(*ancestor);
            let fields = class.fields.iter().filter(|field| !field.is_static());
            let mut fields = fields.filter(|field| field.kind == Type::Reference);
            fields.find_map(|field| {
                let value = self.machine.load_reference(holder, field.word).ok()?;
                let suffix = self.refers(value, object)?;
                let name = world.symbols.text(field.name);
                // Of an inner class, the field that refers to the outer object is nothing to name
                // an object after.
                (!name.contains('$')).then(|| format!("{name}{suffix}"))
            })
        })
    }

    /// The static field of a class of the program, or the element of an array in one, that refers to
    /// an object; final ones only, if so wished.
    fn static_reference(&self, object: Reference, only_final: bool) -> Option<String> {
        let world = &self.machine.world;
        let own = |class: &&Class| class.origin == Origin::Program;
        world.classes.iter().filter(own).find_map(|class| {
            let fields = class.fields.iter().filter(|field| field.is_static());
            let fields = fields.filter(|field| field.is_final() || !only_final);
            fields.filter(|field| field.kind == Type::Reference).find_map(|field| {
                let value = self.machine.load_reference(class.mirror, field.word).ok()?;
                let suffix = self.refers(value, object)?;
                let class = class_label(world.symbols.text(class.name));
                Some(format!("{class}.{}{suffix}", world.symbols.text(field.name)))
            })
        })
    }

    /// How a value leads to an object, if it does: it is the object or the lock around it, or an
    /// array with the object in it.
    fn refers(&self, value: Reference, object: Reference) -> Option<String> {
        let (machine, world) = (&self.machine, &self.machine.world);
        if value == object {
            return Some(String::new());
        }
        let held = machine.class_of(value.non_null()?).ok()?;
        if self.is_inner(value, object) {
            return Some(String::new());
        }
        let (_, Type::Reference) = world.class(held).element()? else { return None };
        let length = machine.length(value).ok()?.min(ELEMENTS);
        let index =
            (0..length).find(|index| machine.array_reference(value, *index) == Ok(object))?;
        Some(format!("[{index}]"))
    }

    /// Whether an object stands for the lock, latch, semaphore or queue of the library around it, which can be of a
    /// subclass that the program has.
    fn is_inner(&self, around: Reference, object: Reference) -> bool {
        let (machine, world) = (&self.machine, &self.machine.world);
        let Ok(class) = machine.class_of(around) else { return false };
        let ancestors = world.class(class).ancestors.iter().map(|ancestor| world.class(*ancestor));
        let library = ancestors.filter(|class| class.origin != Origin::Program);
        let mut fields = library
            .flat_map(|class| &class.fields)
            .filter(|field| field.kind == Type::Reference && !field.is_static())
            .filter(|field| INNER.contains(&world.symbols.text(field.name)));
        fields.any(|field| machine.load_reference(around, field.word) == Ok(object))
    }

    /// Class and name of the static field in a word of the permanent segment.
    pub fn static_field(&self, word: u32) -> Option<(String, Type)> {
        let world = &self.machine.world;
        world.classes.iter().find_map(|class| {
            if class.mirror.segment() != PERMANENT || class.mirror.offset() > word {
                return None;
            }
            let holds = |field: &&crate::world::Field| {
                field.is_static() && class.mirror.offset() + field.word == word
            };
            let field = class.fields.iter().find(holds)?;
            let class = class_label(world.symbols.text(class.name));
            Some((format!("{class}.{}", world.symbols.text(field.name)), field.kind))
        })
    }

    /// Whether a variable is an inside of the JDK that the JDK itself knows how to share: a field that
    /// a class of these packages declares, or an element of an array whose elements are of a class
    /// inside such a class, as programs have none. Collections, string builders and arrays of
    /// anything else are the program's memory.
    pub fn is_internal(&self, address: Address) -> bool {
        let world = &self.machine.world;
        let is_internal = |name: &str| {
            let element = name.trim_start_matches('[');
            let is_array = element.len() < name.len();
            let element = element.strip_prefix('L').filter(|_| is_array).unwrap_or(element);
            INTERNAL.iter().any(|prefix| element.starts_with(prefix))
                && !PLAIN.contains(&element)
                && (!is_array || element.contains('$'))
        };
        if address.object.segment() == PERMANENT
            && let Some(class) = self.static_owner(address.object.offset() + address.offset / 8)
        {
            return is_internal(class);
        }
        let Ok(mut class) = self.machine.class_of(address.object) else { return false };
        loop {
            let here = world.class(class);
            let name = world.symbols.text(here.name);
            let declares = |field: &crate::world::Field| {
                !field.is_static() && field.word * 8 == address.offset
            };
            if here.element().is_some() || here.fields.iter().any(declares) {
                return here.origin != Origin::Program && is_internal(name);
            }
            match here.superclass {
                Some(superclass) => class = superclass,
                None => return false,
            }
        }
    }

    /// The class that has a static field in a word of the permanent segment.
    fn static_owner(&self, word: u32) -> Option<&str> {
        let world = &self.machine.world;
        let holds = |class: &&crate::world::Class| {
            let at = |field: &crate::world::Field| {
                field.is_static() && class.mirror.offset() + field.word == word
            };
            class.mirror.segment() == PERMANENT && class.fields.iter().any(at)
        };
        let class = world.classes.iter().find(holds)?;
        (class.origin != Origin::Program).then(|| world.symbols.text(class.name))
    }

    /// Name and type of a field or element of an object with a name.
    pub fn variable_name(
        &self,
        object: Reference,
        name: &str,
        offset: u32,
    ) -> (String, Option<Type>) {
        let world = &self.machine.world;
        let Ok(mut class) = self.machine.class_of(object) else { return (name.to_string(), None) };
        if let Some((_, kind)) = world.class(class).element() {
            let index = offset.saturating_sub(ARRAY_HEADER_WORDS * 8) >> kind.shift();
            return (format!("{name}[{index}]"), Some(kind));
        }
        loop {
            let here = world.class(class);
            let field =
                here.fields.iter().find(|field| !field.is_static() && field.word * 8 == offset);
            if let Some(field) = field {
                return (format!("{name}.{}", world.symbols.text(field.name)), Some(field.kind));
            }
            match here.superclass {
                Some(superclass) => class = superclass,
                None => return (format!("{name}+{offset}"), None),
            }
        }
    }
}

/// A class as people write it in its own file: no package, no outer classes, arrays with brackets.
pub(super) fn class_label(name: &str) -> String {
    if let Some(element) = name.strip_prefix('[') {
        let element = match element {
            "Z" => "boolean".to_string(),
            "B" => "byte".to_string(),
            "C" => "char".to_string(),
            "S" => "short".to_string(),
            "I" => "int".to_string(),
            "J" => "long".to_string(),
            "F" => "float".to_string(),
            "D" => "double".to_string(),
            other => {
                let class = other.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
                class_label(class.unwrap_or(other))
            }
        };
        return format!("{element}[]");
    }
    if let Some((_, word)) = PLAIN_WORDS.iter().find(|(class, _)| *class == name) {
        return word.to_string();
    }
    let simple = name.rsplit('/').next().unwrap_or(name);
    // The inner object of a lock or latch stands for it.
    let outer = INNER_CLASSES.iter().find_map(|end| simple.strip_suffix(end));
    let simple = outer.unwrap_or(simple);
    let simple = if simple.ends_with("$ConditionObject") { "Condition" } else { simple };
    let parts: Vec<&str> = simple.split('$').filter(|part| !part.is_empty()).collect();
    let named = |part: &&str| !part.starts_with(|first: char| first.is_ascii_digit());
    match parts.as_slice() {
        [] => simple.to_string(),
        [.., last] if named(last) => last.to_string(),
        // An anonymous class is told apart by the class around it.
        [.., outer, number] => format!("{}${number}", outer),
        [only] => only.to_string(),
    }
}

/// A method as people speak of it.
pub(super) fn method_label(class: &str, method: &str) -> String {
    let class = class.replace('.', "/");
    let class = match class.strip_prefix("java/").and_then(|name| name.rsplit('/').next()) {
        // Classes inside those of the library are less known than the ones around them.
        Some(name) if !name.starts_with("Abstract") => name.replace('$', "."),
        _ => class_label(&class),
    };
    match method {
        "<init>" => format!("new {class}"),
        "<clinit>" => format!("the static initialiser of {class}"),
        _ => {
            let inside = method.strip_prefix("lambda$").and_then(|rest| rest.rsplit_once('$'));
            match inside {
                Some(("new", _)) => format!("a lambda in new {class}"),
                Some(("static", _)) => format!("a lambda in {class}"),
                Some((outer, _)) => format!("a lambda in {class}.{outer}"),
                None => format!("{class}.{method}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_called_what_their_source_calls_them() {
        let names = [
            ("Bank", "Bank"),
            ("com/example/Bank$Account", "Account"),
            ("Bank$1", "Bank$1"),
            ("Bank$1Local", "Bank$1Local"),
            ("[I", "int[]"),
            ("[[Ljava/lang/Object;", "Object[][]"),
            ("java/util/concurrent/CountDownLatch$Sync", "CountDownLatch"),
            ("java/util/concurrent/locks/ReentrantLock$NonfairSync", "ReentrantLock"),
            ("java/util/concurrent/SynchronousQueue$TransferStack", "SynchronousQueue"),
            ("Latch$Sync", "Latch"),
            ("Bank$SyncAccount", "SyncAccount"),
            ("Bank$Transfer", "Transfer"),
        ];
        for (class, label) in names {
            assert_eq!(class_label(class), label);
        }
    }

    #[test]
    fn methods_are_called_what_their_source_calls_them() {
        assert_eq!(method_label("a.Bank", "main"), "Bank.main");
        assert_eq!(method_label("java/util/ArrayList$Itr", "next"), "ArrayList.Itr.next");
        assert_eq!(method_label("Bank", "lambda$main$0"), "a lambda in Bank.main");
        assert_eq!(method_label("Bank", "lambda$new$1"), "a lambda in new Bank");
        assert_eq!(method_label("Bank$Account", "<init>"), "new Account");
        assert_eq!(method_label("Bank", "<clinit>"), "the static initialiser of Bank");
    }
}
