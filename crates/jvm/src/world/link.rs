//! From a class file to a class: layout of fields and tables of methods.

use rustc_hash::FxHashMap;

use super::plain_initializers::is_plain;
use super::{
    Class, ClassId, ClassKind, Field, InitPolicy, Method, MethodEntry, MethodId, Symbol,
    Visibility, World,
};
use crate::classfile::{ClassFile, MethodDescriptor, Type, access};
use crate::code::{Code, lets_this_escape};
use crate::interpret::{FUTURE, TASK, concretises};
use crate::load::Origin;
use crate::memory::{
    ARRAY_HEADER_WORDS, INTERNALS, LIBRARY, OBJECT_HEADER_WORDS, Reference, SHARED,
};
use crate::natives::{self, Native, NativeEffect};

/// Fields that only their own thread uses, or whose races are harmless by design (a string's cached
/// hash). Accesses to them are never visible operations, and storing into them publishes nothing.
const HIDDEN_FIELDS: &[(&str, &[&str])] = &[
    ("java/lang/String", &["hash", "hashIsZero"]),
    // They are used only while the lock is held that goes with the state: see `natives/zip`.
    ("java/util/zip/Inflater", &["inputConsumed", "outputConsumed"]),
    (
        "java/lang/Thread",
        &[
            "threadLocals",
            "inheritableThreadLocals",
            "threadLocalRandomSeed",
            "threadLocalRandomProbe",
            "threadLocalRandomSecondarySeed",
            "parkBlocker",
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
    // Computed anew by whoever needs them, always the same.
    ("sun/nio/fs/UnixPath", &["stringValue", "offsets", "hash"]),
    // Written where the exception is made; the machine refuses to fill in one that threads share.
    ("java/lang/Throwable", &["backtrace", "depth"]),
];

/// Classes of the JDK, by the start of their names, that keep caches of the library's own: of locales,
/// character sets, reflection and method handles. What hangs on their static fields is the library's
/// ([`LIBRARY`]), and their methods, with other classes of the JDK on their behalf, do not stop at it. At
/// all that the program's threads share they stop like any other code.
const HIDDEN_CLASSES: &[&str] = &[
    "com/sun/crypto/",
    "java/lang/Class",
    "java/lang/StackTraceElement",
    // They share a time that a collector would set.
    "java/lang/ref/SoftReference",
    "java/lang/invoke/",
    "java/lang/reflect/",
    "java/nio/charset/",
    // What there is of digests, keys and ciphers is looked up under a lock of the library's own.
    "java/security/Provider",
    "java/util/Formatter",
    "java/util/Locale",
    "java/util/ResourceBundle",
    "java/util/regex/",
    "java/util/concurrent/ThreadLocalRandom",
    // They share an empty buffer, whose place they set to its start over and over.
    "java/util/zip/Deflater",
    "java/util/zip/Inflater",
    "java/util/zip/ZipUtils",
    "javax/crypto/JceSecurity",
    "jdk/internal/",
    "sun/",
];

/// Methods that read or change what holds for the whole program, by the start of their names.
const SETTINGS: &[(&str, &[&str])] = &[
    ("java/lang/System", &["getProp", "setProp", "clearProperty"]),
    ("java/util/Locale", &["getDefault", "setDefault"]),
    ("java/util/TimeZone", &["getDefault", "setDefault"]),
];

/// Whether a method reads or changes what holds for the whole program: properties, the default locale, the
/// default time zone.
pub fn is_about_settings(class: &str, method: &str) -> bool {
    let row = SETTINGS.iter().find(|row| row.0 == class);
    row.is_some_and(|row| row.1.iter().any(|start| method.starts_with(start)))
}

/// Further classes whose methods get numbers in place of unknown arguments: what they compute does not
/// become a condition on inputs.
const SETTLING_CLASSES: &[&str] =
    &["java/io/PrintStream", "java/lang/Thread", "java/lang/Throwable", "java/util/logging/"];

/// Classes of which calls are performed as one atomic call, and what they are made of: see
/// `interpret/atomic_call.rs`. Collections and variables of the package are none: they may be a queue's elements.
const INSIDE_PACKAGE: &str = "java/util/concurrent/";
const OUTSIDE: &[&str] = &[
    "java/util/concurrent/atomic/",
    "java/util/concurrent/Concurrent",
    "java/util/concurrent/CopyOnWrite",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/concurrent/CompletableFuture",
];

/// Fields of such classes, and of collections inside of them, whose objects belong to them alone.
const OWNED_FIELDS: &[(&str, &[&str])] = &[
    ("java/util/concurrent/ThreadPoolExecutor", &["ctl", "workers"]),
    ("java/util/concurrent/LinkedBlockingQueue", &["count"]),
    ("java/util/concurrent/ArrayBlockingQueue", &["items"]),
    ("java/util/concurrent/PriorityBlockingQueue", &["queue"]),
    ("java/util/concurrent/ScheduledThreadPoolExecutor", &["sequencer"]),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue", &["queue"]),
    ("java/util/concurrent/Executors$DefaultThreadFactory", &["poolNumber", "threadNumber"]),
    ("java/util/concurrent/Exchanger", &["arena"]),
    ("java/util/concurrent/Phaser", &["evenQ", "oddQ"]),
    ("java/util/HashSet", &["map"]),
    ("java/util/HashMap", &["table"]),
    ("java/util/HashMap$Node", &["next"]),
];

/// The arrays among them whose elements belong to them, too.
const OWNED_ELEMENTS: &str = "[Ljava/util/HashMap$Node;";

/// The words of instances of an array class that belong to it: the first stands for all elements.
pub(crate) fn owned_elements(array: &str) -> Vec<u32> {
    if array == OWNED_ELEMENTS { vec![ARRAY_HEADER_WORDS] } else { Vec::new() }
}

fn is_hidden(class: &str) -> bool {
    HIDDEN_CLASSES.iter().any(|prefix| class.starts_with(prefix))
}

/// The flag of instances of a class that the program publishes: [`SHARED`] or [`INTERNALS`].
fn flag_of_instances(origin: Origin, class: &str, superclass: u64) -> u64 {
    let inside = class.starts_with(INSIDE_PACKAGE)
        && !OUTSIDE.iter().any(|prefix| class.starts_with(prefix))
        || matches!(class, "java/lang/Thread" | "java/lang/ThreadGroup");
    if origin == Origin::Jdk && inside { INTERNALS } else { superclass }
}

/// The flag of what hangs on a static field.
fn flag_of_static(
    origin: Origin,
    (class, field): (&str, &str),
    settable: Option<bool>,
    instances: u64,
) -> u64 {
    match origin {
        // What a program sets is no cache; the properties that nobody sets are one.
        Origin::Jdk if settable == Some(true) => SHARED,
        Origin::Jdk if class == "java/lang/System" && field == "props" => LIBRARY,
        Origin::Jdk if is_hidden(class) => LIBRARY,
        Origin::Jdk if class.starts_with(INSIDE_PACKAGE) => instances,
        _ => SHARED,
    }
}

impl World {
    /// The flag of the mirror of a class, by which its monitor is visible or not.
    pub fn mirror_flag(&self, class: ClassId) -> u64 {
        let found = self.class(class);
        flag_of_static(found.origin, (self.class_name(class), ""), None, found.instance_flag)
    }
}

/// How visible the accesses of a method are.
pub fn visibility(origin: Origin, class: &str, method: &str) -> Visibility {
    if origin == Origin::Program {
        return Visibility::Visible;
    }
    // What a pool runs is the program's, and so is what happens when a future is done.
    if class.starts_with(INSIDE_PACKAGE) && matches!(method, "run" | "call" | "done") {
        return Visibility::Visible;
    }
    // A thread's `run` leads to the program's own work, and `Unsafe` acts for whoever calls it.
    let excepted = method == "run" || class.ends_with("misc/Unsafe");
    if !excepted && (makes_format(class, method) || is_hidden(class)) {
        Visibility::Hidden
    } else {
        Visibility::AsCaller
    }
}

/// Formats are made with the help of caches, but threads that share one can disturb each other.
fn makes_format(class: &str, method: &str) -> bool {
    class.starts_with("java/text/")
        && (method.ends_with("Instance")
            || method.starts_with("initialize")
            || matches!(method, "<init>" | "<clinit>"))
}

/// The class of method handles.
const HANDLE: &str = "java/lang/invoke/MethodHandle";

/// The classes whose instances stand for files.
const FILE_ENTRY: &str = "java/io/File";
const FILE_DESCRIPTOR: &str = "java/io/FileDescriptor";

/// Words that the machine adds to instances of some classes for its own use, after their fields.
const HIDDEN_WORDS: &[(&str, u32)] = &[
    // Class number, initialisation state, threads that have seen it initialised.
    ("java/lang/Class", 3),
    // Thread number plus one.
    ("java/lang/Thread", 1),
    // Sort, class or method, word, type.
    ("java/lang/invoke/VarHandle", 4),
    (HANDLE, 4),
    // Number of the console stream.
    ("java/io/PrintStream", 1),
    // Method and instruction.
    ("java/lang/StackFrameInfo", 2),
    // What is at a path and its content, or length and bytes: see `interpret/files.rs`.
    (FILE_ENTRY, 2),
    // Position, flags, content and entry of an open file.
    (FILE_DESCRIPTOR, 4),
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
        lets_this_escape: origin == Origin::Program
            && (superclass.is_some_and(|id| world.class(id).lets_this_escape)
                || lets_this_escape(&file)),
        owned_words: superclass.map(|id| world.class(id).owned_words.clone()).unwrap_or_default(),
        instance_flag: flag_of_instances(
            origin,
            &file.name,
            superclass.map_or(SHARED, |id| world.class(id).instance_flag),
        ),
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
    // Set by constructors.
    ("java/io/RandomAccessFile", "fd"),
    ("java/lang/Thread", "group"),
    ("java/lang/Thread", "target"),
    ("java/lang/Thread", "stackSize"),
    ("java/lang/Thread", "inheritedAccessControlContext"),
    // An address is complete when its constructor ends; only the handlers of protocols could change it.
    ("java/net/URL", "protocol"),
    ("java/net/URL", "host"),
    ("java/net/URL", "port"),
    ("java/net/URL", "file"),
    ("java/net/URL", "query"),
    ("java/net/URL", "authority"),
    ("java/net/URL", "path"),
    ("java/net/URL", "userInfo"),
    ("java/net/URL", "ref"),
    ("java/net/URL", "handler"),
    // No class is ever redefined.
    ("java/lang/Class", "classRedefinedCount"),
    ("java/lang/ThreadGroup", "parent"),
    ("java/lang/ThreadGroup", "name"),
    // Who asks for a member gets a copy of his own, which is filled before it is handed out.
    ("java/lang/reflect/Field", "clazz"),
    ("java/lang/reflect/Field", "slot"),
    ("java/lang/reflect/Field", "name"),
    ("java/lang/reflect/Field", "type"),
    ("java/lang/reflect/Field", "modifiers"),
    ("java/lang/reflect/Method", "clazz"),
    ("java/lang/reflect/Method", "slot"),
    ("java/lang/reflect/Method", "name"),
    ("java/lang/reflect/Method", "returnType"),
    ("java/lang/reflect/Method", "parameterTypes"),
    ("java/lang/reflect/Method", "modifiers"),
    ("java/lang/reflect/Constructor", "clazz"),
    ("java/lang/reflect/Constructor", "slot"),
    ("java/lang/reflect/Constructor", "parameterTypes"),
    ("java/lang/reflect/Constructor", "modifiers"),
];

/// The methods with which a program changes the system properties, or gets hold of them.
const PROPERTY_SETTERS: &[&str] =
    &["setProperty", "setProperties", "clearProperty", "getProperties"];

/// Fields of the library that only the program sets once others can see them, and the method it sets
/// them with. If no class of the program mentions the method (as a call, or as a text for reflection), the
/// field is as good as final: the library itself sets it only while it makes the object. Making a
/// thread reads most of them from the thread that makes it.
pub const SETTABLE_FIELDS: &[(&str, &str, &[&str])] = &[
    ("java/lang/System", "props", PROPERTY_SETTERS),
    ("java/lang/System", "in", &["setIn"]),
    ("java/lang/System", "out", &["setOut"]),
    ("java/lang/System", "err", &["setErr"]),
    ("java/lang/Thread", "name", &["setName"]),
    ("java/lang/Thread", "priority", &["setPriority"]),
    // It can be set until the thread is started, so that only who asks can tell.
    ("java/lang/Thread", "daemon", &["isDaemon"]),
    ("java/lang/Thread", "contextClassLoader", &["setContextClassLoader"]),
    ("java/lang/Thread", "uncaughtExceptionHandler", &["setUncaughtExceptionHandler"]),
    (
        "java/lang/Thread",
        "defaultUncaughtExceptionHandler",
        &["setDefaultUncaughtExceptionHandler"],
    ),
    ("java/lang/Thread$FieldHolder", "priority", &["setPriority"]),
    ("java/lang/Thread$FieldHolder", "daemon", &["isDaemon"]),
    ("java/lang/ThreadGroup", "maxPriority", &["setMaxPriority"]),
    ("java/lang/ThreadGroup", "daemon", &["setDaemon"]),
    ("java/util/Locale", "defaultLocale", &["setDefault"]),
    ("java/util/Locale", "defaultDisplayLocale", &["setDefault"]),
    ("java/util/Locale", "defaultFormatLocale", &["setDefault"]),
    ("java/util/TimeZone", "defaultTimeZone", &["setDefault"]),
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
    let listed = |rows: &[(&str, &'static [&'static str])]| -> &'static [&'static str] {
        rows.iter().find(|row| row.0 == file.name).map_or(&[], |row| row.1)
    };
    let (hidden, owned) = (listed(HIDDEN_FIELDS), listed(OWNED_FIELDS));
    let mut next_static = first_static;
    for info in &file.fields {
        let Some(kind) = Type::of_field(&info.descriptor) else { continue };
        let is_static = info.access & access::STATIC != 0;
        let next = if is_static { &mut next_static } else { &mut class.instance_words };
        let word = *next;
        *next += 1;
        let listed = hidden.contains(&info.name.as_str());
        if !is_static && owned.contains(&info.name.as_str()) {
            class.owned_words.push(word);
        }
        let settled = SETTLED_FIELDS.contains(&(file.name.as_str(), info.name.as_str()));
        let settable = SETTABLE_FIELDS
            .iter()
            .find(|row| (row.0, row.1) == (file.name.as_str(), info.name.as_str()))
            .map(|row| !shortcuts || row.2.iter().any(|name| world.mentioned.contains(name)));
        let access = match settable {
            Some(true) => info.access & !access::FINAL,
            Some(false) => info.access | access::FINAL,
            None if settled && shortcuts => info.access | access::FINAL,
            None => info.access,
        };
        if kind == Type::Reference && !(listed && shortcuts) {
            let words =
                if is_static { &mut class.static_references } else { &mut class.reference_words };
            words.push(word);
        }
        let is_final = access & access::FINAL != 0;
        // What the compiler adds it sets before the constructor of the superclass is called.
        let half_built = class.lets_this_escape && access & access::SYNTHETIC == 0;
        let constant = listed || settled || is_final && (is_static || !half_built);
        class.fields.push(Field {
            name: world.symbols.intern(&info.name),
            descriptor: world.symbols.intern(&info.descriptor),
            access,
            kind,
            word,
            // The machine's own code reads constants of the library where it cannot stop.
            hidden: constant && (shortcuts || class.origin == Origin::Jdk && is_final),
            constant,
            flag: flag_of_static(
                class.origin,
                (&file.name, &info.name),
                settable,
                class.instance_flag,
            ),
            silent: !is_static && is_silent(&file.name, &info.name),
        });
    }
    let hidden = HIDDEN_WORDS.iter().find(|row| row.0 == file.name);
    class.instance_words += hidden.map_or(0, |row| row.1);
    if file.name == HANDLE {
        // The last word is the bound argument: who gets the handle gets to it.
        class.reference_words.push(class.instance_words - 1);
    }
    if file.name == FILE_DESCRIPTOR {
        class.reference_words.extend([class.instance_words - 2, class.instance_words - 1]);
    }
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
        let native = source
            .or_else(|| natives::find(&file.name, &info.name, &info.descriptor))
            .or_else(|| overridden_operation(world, class, name, descriptor));
        let entry = match (info.access, native) {
            (_, Some(_)) => MethodEntry::Native,
            (flags, None) if flags & access::ABSTRACT != 0 => MethodEntry::Abstract,
            (flags, None) if flags & access::NATIVE != 0 => MethodEntry::Native,
            _ => MethodEntry::Undecoded,
        };
        let receiver = usize::from(info.access & access::STATIC == 0);
        let seen = world.changes_settings && is_about_settings(&file.name, &info.name);
        let visibility = match seen {
            true => Visibility::Visible,
            false => visibility(class.origin, &file.name, &info.name),
        };
        let computes_for_library = visibility == Visibility::Hidden
            || class.origin == Origin::Jdk
                && info.name != "run"
                && SETTLING_CLASSES.iter().any(|prefix| file.name.starts_with(prefix));
        let method = Method {
            entry,
            visibility: if world.no_shortcuts { Visibility::Visible } else { visibility },
            concretises: concretises(&file.name, &info.name, computes_for_library),
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

/// The operation of the JDK that a method of the program overrides, if it is the same operation.
fn overridden_operation(
    world: &World,
    class: &Class,
    name: Symbol,
    descriptor: Symbol,
) -> Option<&'static Native> {
    let superclass = class.superclass.filter(|_| class.origin != Origin::Jdk)?;
    let overridden = world.find_in_classes(superclass, name, descriptor)?;
    let native = world.method(overridden).native?;
    matches!(&native.effect, NativeEffect::Jdk(operation) if operation.holds_for_overriding)
        .then_some(native)
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
        !method.is_static() && method.entry != MethodEntry::Abstract
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
