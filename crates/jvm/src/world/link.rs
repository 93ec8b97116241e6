//! From a class file to a class: layout of fields and tables of methods.

use rustc_hash::FxHashMap;

use super::plain::is_plain;
use super::{
    Class, ClassId, ClassKind, Entry, Field, InitPolicy, Method, MethodId, Symbol, Voice, World,
};
use crate::classfile::{ClassFile, MethodDescriptor, Type, access};
use crate::code::Code;
use crate::interpret::{FUTURE, TASK, settles};
use crate::load::Origin;
use crate::memory::{OBJECT_HEADER_WORDS, Reference};
use crate::natives;

/// Fields that only their own thread uses, or whose races are harmless by design (a string's cached
/// hash). Accesses to them are never visible operations, and storing into them publishes nothing.
const QUIET_FIELDS: &[(&str, &[&str])] = &[
    ("java/lang/String", &["hash", "hashIsZero"]),
    (
        "java/lang/Thread",
        &[
            "threadLocals",
            "inheritableThreadLocals",
            "threadLocalRandomSeed",
            "threadLocalRandomProbe",
            "threadLocalRandomSecondarySeed",
            "parkBlocker",
            "contextClassLoader",
            "inheritedAccessControlContext",
            "blocker",
            "tid",
            "scopedValueBindings",
            "carrierThread",
        ],
    ),
    (
        "java/lang/Class",
        &[
            "name",
            "reflectionData",
            "enumConstants",
            "enumConstantDirectory",
            "packageName",
            "genericInfo",
            "annotationData",
            "annotationType",
            "classValueMap",
            "cachedConstructor",
            "module",
        ],
    ),
    ("java/lang/Throwable", &["stackTrace", "backtrace", "depth"]),
];

/// Classes of the JDK, by the start of their names, that other threads only meet in caches and
/// counters of the library's own: formatting, locales, logging, character sets, reflection, and the
/// making of threads. Their accesses, and those of other classes of the JDK on their behalf, are not visible.
const QUIET_CLASSES: &[&str] = &[
    "java/io/PrintStream",
    "java/lang/Class",
    "java/lang/StackTraceElement",
    "java/lang/Thread",
    "java/lang/Throwable",
    "java/lang/invoke/",
    "java/lang/reflect/",
    "java/nio/charset/",
    "java/util/Formatter",
    "java/util/Locale",
    "java/util/logging/",
    "java/util/regex/",
    "java/util/concurrent/ThreadLocalRandom",
    "jdk/internal/",
    "sun/",
];

/// How visible the accesses of a method are.
pub fn voice(origin: Origin, class: &str, method: &str) -> Voice {
    if origin == Origin::Program {
        return Voice::Loud;
    }
    // What a pool runs is the program's, and so is what happens when a future is done.
    if class.starts_with("java/util/concurrent/") && matches!(method, "run" | "call" | "done") {
        return Voice::Loud;
    }
    // A thread's `run` leads to the program's own work, and `Unsafe` acts for whoever calls it.
    let excepted = method == "run" || class.ends_with("misc/Unsafe");
    // Formats are made with the help of caches, but threads that share one can disturb each other.
    let makes_format = class.starts_with("java/text/")
        && (method.ends_with("Instance")
            || method.starts_with("initialize")
            || matches!(method, "<init>" | "<clinit>"));
    let quiet =
        !excepted && (makes_format || QUIET_CLASSES.iter().any(|prefix| class.starts_with(prefix)));
    if quiet { Voice::Quiet } else { Voice::AsCaller }
}

/// Words that the machine adds to instances of some classes for its own use, after their fields.
const HIDDEN_WORDS: &[(&str, u32)] = &[
    // Class number, initialisation state, threads that have seen it initialised.
    ("java/lang/Class", 3),
    // Thread number plus one.
    ("java/lang/Thread", 1),
    // Sort, class or method, word, type.
    ("java/lang/invoke/VarHandle", 4),
    ("java/lang/invoke/MethodHandle", 4),
    // Number of the console stream.
    ("java/io/PrintStream", 1),
    // Method and instruction.
    ("java/lang/StackFrameInfo", 2),
    // Content and position of a file.
    ("java/io/FileInputStream", 2),
    // Method or field.
    ("java/lang/reflect/Method", 1),
    ("java/lang/reflect/Constructor", 1),
    ("java/lang/reflect/Field", 1),
];

/// A class laid out but without its mirror.
#[derive(Debug)]
pub struct Linked {
    /// The class's number.
    pub id: ClassId,
    /// Static fields, for which the mirror needs words.
    pub statics: u32,
}

/// Lays out a class whose superclass and interfaces are loaded. Static fields get words from
/// `first_static` on.
pub fn link(
    world: &mut World,
    file: ClassFile,
    origin: Origin,
    superclass: Option<ClassId>,
    interfaces: Vec<ClassId>,
    first_static: u32,
) -> Linked {
    let id = ClassId(world.classes.len() as u32);
    let name = world.symbols.intern(&file.name);
    let mut class = Class {
        name,
        kind: ClassKind::Instance,
        access: file.access,
        origin,
        superclass,
        ancestors: superclass.map(|id| world.class(id).ancestors.clone()).unwrap_or_default(),
        all_interfaces: Vec::new(),
        interfaces,
        fields: Vec::new(),
        methods: Vec::new(),
        method_index: FxHashMap::default(),
        vtable: superclass.map(|id| world.class(id).vtable.clone()).unwrap_or_default(),
        implementations: FxHashMap::default(),
        instance_words: OBJECT_HEADER_WORDS,
        reference_words: Vec::new(),
        static_references: Vec::new(),
        mirror: Reference::NULL,
        array: None,
        initializer: None,
        policy: InitPolicy::Done,
        file: None,
    };
    class.ancestors.push(id);
    collect_interfaces(world, &mut class, superclass);
    let statics = lay_out_fields(world, &mut class, &file, first_static);
    add_methods(world, &mut class, id, &file);
    class.file = Some(Box::new(file));
    class.policy = policy(world, &class);
    world.classes.push(class);
    world.by_name.insert(name, id);
    Linked { id, statics }
}

fn collect_interfaces(world: &World, class: &mut Class, superclass: Option<ClassId>) {
    let mut all: Vec<ClassId> =
        superclass.map(|id| world.class(id).all_interfaces.clone()).unwrap_or_default();
    for interface in &class.interfaces {
        all.push(*interface);
        all.extend_from_slice(&world.class(*interface).all_interfaces);
    }
    all.sort_unstable();
    all.dedup();
    class.all_interfaces = all;
}

/// Fields of the JDK that are as good as final: nobody writes them once others can see the object.
const SETTLED_FIELDS: &[(&str, &str)] = &[
    ("java/lang/Thread", "group"),
    ("java/lang/Thread", "target"),
    ("java/lang/Thread", "stackSize"),
    ("java/lang/Thread", "daemon"),
    ("java/lang/Thread", "priority"),
    ("java/lang/Thread", "inheritedAccessControlContext"),
    ("java/lang/ThreadGroup", "parent"),
    ("java/lang/ThreadGroup", "name"),
    ("java/lang/ThreadGroup", "maxPriority"),
];

fn lay_out_fields(
    world: &mut World,
    class: &mut Class,
    file: &ClassFile,
    first_static: u32,
) -> u32 {
    if let Some(superclass) = class.superclass.filter(|_| class.access & access::INTERFACE == 0) {
        let above = world.class(superclass);
        class.instance_words = above.instance_words;
        class.reference_words = above.reference_words.clone();
    }
    let shortcuts = !world.no_shortcuts;
    let quiet: &[&str] =
        QUIET_FIELDS.iter().find(|row| shortcuts && row.0 == file.name).map_or(&[], |row| row.1);
    let mut next_static = first_static;
    for info in &file.fields {
        let Some(kind) = Type::of_field(&info.descriptor) else { continue };
        let is_static = info.access & access::STATIC != 0;
        let next = if is_static { &mut next_static } else { &mut class.instance_words };
        let word = *next;
        *next += 1;
        let listed = quiet.contains(&info.name.as_str());
        let settled =
            shortcuts && SETTLED_FIELDS.contains(&(file.name.as_str(), info.name.as_str()));
        let access = if settled { info.access | access::FINAL } else { info.access };
        if kind == Type::Reference && !listed {
            let words =
                if is_static { &mut class.static_references } else { &mut class.reference_words };
            words.push(word);
        }
        class.fields.push(Field {
            name: world.symbols.intern(&info.name),
            descriptor: world.symbols.intern(&info.descriptor),
            access,
            kind,
            word,
            quiet: listed || shortcuts && access & access::FINAL != 0,
            silent: !is_static && is_silent(&file.name, &info.name),
        });
    }
    let hidden = HIDDEN_WORDS.iter().find(|row| row.0 == file.name);
    class.instance_words += hidden.map_or(0, |row| row.1);
    next_static - first_static
}

/// Whether accesses to a field of the library belong to the operations of `interpret/completion.rs` or
/// `interpret/fork_join.rs`, in the methods that perform them.
fn is_silent(class: &str, field: &str) -> bool {
    class.starts_with(FUTURE) || class == TASK && field == "status"
}

fn add_methods(world: &mut World, class: &mut Class, id: ClassId, file: &ClassFile) {
    for (number, info) in file.methods.iter().enumerate() {
        let Some(types) = MethodDescriptor::parse(&info.descriptor) else { continue };
        let (name, descriptor) =
            (world.symbols.intern(&info.name), world.symbols.intern(&info.descriptor));
        let declared = info.access & access::STATIC != 0
            && world.inputs.iter().any(|(class, name)| *class == file.name && *name == info.name);
        let source = types.result.filter(|_| declared).and_then(natives::source);
        let native = source.or_else(|| natives::find(&file.name, &info.name, &info.descriptor));
        let entry = match (info.access, native) {
            (_, Some(_)) => Entry::Native,
            (flags, None) if flags & access::ABSTRACT != 0 => Entry::Abstract,
            (flags, None) if flags & access::NATIVE != 0 => Entry::Native,
            _ => Entry::Undecoded,
        };
        let receiver = usize::from(info.access & access::STATIC == 0);
        let voice = voice(class.origin, &file.name, &info.name);
        let method = Method {
            entry,
            voice: if world.no_shortcuts { Voice::Loud } else { voice },
            settles: settles(&file.name, &info.name, voice),
            arguments: (types.parameters.len() + receiver) as u16,
            access: info.access,
            class: id,
            code: Code::default(),
            name,
            descriptor,
            types,
            vtable: u32::MAX,
            number: number as u16,
            native,
        };
        add_method(world, class, method);
    }
}

/// Adds a method to a class that is being made.
pub fn add_method(world: &mut World, class: &mut Class, mut method: Method) -> MethodId {
    let id = MethodId(world.methods.len() as u32);
    let is_initializer = world.symbols.text(method.name).starts_with('<');
    if is_initializer && world.symbols.text(method.name) == "<clinit>" {
        class.initializer = Some(id);
    }
    let is_virtual = !is_initializer && method.access & (access::STATIC | access::PRIVATE) == 0;
    if is_virtual && class.access & access::INTERFACE == 0 {
        method.vtable = place_in_vtable(world, class, &method, id);
    }
    class.method_index.insert((method.name, method.descriptor), id);
    class.methods.push(id);
    world.methods.push(method);
    id
}

fn place_in_vtable(world: &World, class: &mut Class, method: &Method, id: MethodId) -> u32 {
    let mut place = None;
    for (index, entry) in class.vtable.iter_mut().enumerate() {
        let above = world.method(*entry);
        if above.name == method.name
            && above.descriptor == method.descriptor
            && overrides(world, class.name, above)
        {
            *entry = id;
            place = Some(index as u32);
        }
    }
    place.unwrap_or_else(|| {
        class.vtable.push(id);
        class.vtable.len() as u32 - 1
    })
}

/// A method without access modifier is overridden only in its own package.
fn overrides(world: &World, class: Symbol, above: &Method) -> bool {
    const PROTECTED: u16 = 0x0004;
    if above.access & (access::PUBLIC | PROTECTED) != 0 {
        return true;
    }
    let package = |name: Symbol| world.symbols.text(name).rsplit_once('/').map(|parts| parts.0);
    package(class) == package(world.class(above.class).name)
}

/// Whether an interface declares methods with code: it is initialised before classes that implement
/// it.
pub(crate) fn has_default_methods(world: &World, interface: ClassId) -> bool {
    world.class(interface).methods.iter().any(|id| {
        let method = world.method(*id);
        !method.is_static() && method.entry != Entry::Abstract
    })
}

/// A class needs initialisation if it, a superclass or an interface with default methods has an
/// initialiser; not in every execution anew if nobody can tell when that ran.
fn policy(world: &World, class: &Class) -> InitPolicy {
    let above = class.superclass.map_or(InitPolicy::Done, |id| world.class(id).policy);
    let needs_interface = !class.is_interface()
        && class.all_interfaces.iter().any(|id| {
            world.class(*id).policy == InitPolicy::PerExecution && has_default_methods(world, *id)
        });
    match class.origin {
        Origin::Jdk => InitPolicy::Permanent,
        Origin::Program if above == InitPolicy::PerExecution || needs_interface => {
            InitPolicy::PerExecution
        }
        Origin::Program if class.initializer.is_some() => {
            let plain =
                !class.is_interface() && class.file.as_ref().is_some_and(|file| is_plain(file));
            if plain && !world.no_shortcuts {
                InitPolicy::Permanent
            } else {
                InitPolicy::PerExecution
            }
        }
        Origin::Program if above == InitPolicy::Permanent => InitPolicy::Permanent,
        Origin::Program => InitPolicy::Done,
    }
}
