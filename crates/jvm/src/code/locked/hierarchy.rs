//! The classes of a program by their names, and what a variable of a type may hold.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::classfile::{ClassFile, MethodInfo, access};

/// The class of the two streams that programs print to.
pub(super) const STREAM: &str = "java/io/PrintStream";

/// Types of the library by which a print stream can be known, beside its own.
const STREAM_TYPES: &[&str] = &[
    "java/lang/Object",
    "java/lang/AutoCloseable",
    "java/lang/Appendable",
    "java/io/Closeable",
    "java/io/Flushable",
    "java/io/OutputStream",
    "java/io/FilterOutputStream",
];

/// Which of the objects asked for a place may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Holds(u8);

impl Holds {
    pub(super) const STREAM: Holds = Holds(1);
    pub(super) const THREAD: Holds = Holds(2);
    pub(super) const ALL: Holds = Holds(3);

    pub(super) fn includes(self, other: Holds) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What is known from a type alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeKind {
    /// Neither a stream nor a thread, nor an array of them.
    Other,
    Stream,
    Thread,
    /// It may be one, or something else.
    Wide(Holds),
}

pub(super) struct Hierarchy<'a> {
    classes: FxHashMap<&'a str, &'a ClassFile>,
    /// All methods of the program, by name and descriptor.
    methods: FxHashMap<&'a str, FxHashMap<&'a str, Vec<MethodOf<'a>>>>,
    /// What a class of the program that is a thread extends and implements.
    thread_types: FxHashSet<&'a str>,
}

/// A method and its class.
#[derive(Clone, Copy)]
pub(super) struct MethodOf<'a> {
    pub(super) file: &'a ClassFile,
    pub(super) method: &'a MethodInfo,
}

impl<'a> Hierarchy<'a> {
    pub(super) fn new(classes: &'a [ClassFile]) -> Hierarchy<'a> {
        let mut methods: FxHashMap<&str, FxHashMap<&str, Vec<_>>> = FxHashMap::default();
        for file in classes {
            for method in &file.methods {
                let named = methods.entry(&method.name).or_default();
                named.entry(&method.descriptor).or_default().push(MethodOf { file, method });
            }
        }
        let classes = classes.iter().map(|file| (file.name.as_str(), file)).collect();
        let mut made = Hierarchy { classes, methods, thread_types: FxHashSet::default() };
        let threads: Vec<&str> =
            made.classes.keys().copied().filter(|class| made.is_thread(class)).collect();
        made.thread_types = threads.into_iter().flat_map(|class| made.above(class)).collect();
        made.thread_types.extend(["java/lang/Object", "java/lang/Runnable"]);
        made
    }

    pub(super) fn class(&self, name: &str) -> Option<&'a ClassFile> {
        self.classes.get(name).copied()
    }

    pub(super) fn is_own(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    /// All methods of the program with a name and a descriptor.
    pub(super) fn methods(&self, name: &str, descriptor: &str) -> &[MethodOf<'a>] {
        self.methods.get(name).and_then(|named| named.get(descriptor)).map_or(&[], Vec::as_slice)
    }

    /// A class and all above it that are known by name, those of the library included.
    pub(super) fn above(&self, class: &'a str) -> Vec<&'a str> {
        let mut found = vec![class];
        let mut at = 0;
        while let Some(class) = found.get(at) {
            if let Some(file) = self.class(class) {
                let above = file.interfaces.iter().chain(&file.super_name).map(String::as_str);
                let new: Vec<&str> = above.filter(|above| !found.contains(above)).collect();
                found.extend(new);
            }
            at += 1;
        }
        found
    }

    /// Whether a class is `Thread` or a subclass. Classes of the JDK that are say so in their names.
    pub(super) fn is_thread(&self, class: &str) -> bool {
        let mut class = class;
        let mut steps = 0;
        while let Some(above) = self.class(class).and_then(|file| file.super_name.as_deref()) {
            class = above;
            steps += 1;
            if steps > self.classes.len() {
                return false;
            }
        }
        class.starts_with("java/") && class.ends_with("Thread")
    }

    /// What a type may hold, given by a descriptor; an array what its elements may be.
    pub(super) fn kind(&self, descriptor: &str) -> TypeKind {
        let Some(class) = descriptor.trim_start_matches('[').strip_prefix('L') else {
            return TypeKind::Other;
        };
        self.kind_of_class(class.trim_end_matches(';'))
    }

    pub(super) fn kind_of_class(&self, class: &str) -> TypeKind {
        if class == STREAM {
            return TypeKind::Stream;
        }
        if self.is_thread(class) {
            return TypeKind::Thread;
        }
        match (STREAM_TYPES.contains(&class), self.thread_types.contains(class)) {
            (true, true) => TypeKind::Wide(Holds::ALL),
            (true, false) => TypeKind::Wide(Holds::STREAM),
            (false, true) => TypeKind::Wide(Holds::THREAD),
            (false, false) => TypeKind::Other,
        }
    }

    /// Whether a call by the name of a class finds a body in the program.
    pub(super) fn has_body(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let bodies = self.methods(name, descriptor).iter();
        let mut bodies = bodies
            .filter(|of| of.method.access & (access::ABSTRACT | access::NATIVE) == 0)
            .map(|of| of.file.name.as_str());
        let Some(file) = self.class(class) else { return false };
        if bodies.clone().any(|owner| owner == class) {
            return true;
        }
        let above = self.above(&file.name);
        bodies.any(|owner| above.contains(&owner))
    }

    /// The class of the program that has a field, looked for by the name of a class.
    pub(super) fn owner_of_field(
        &self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<&'a str> {
        let file = self.class(class)?;
        let has = |file: &ClassFile| {
            file.fields.iter().any(|field| field.name == name && field.descriptor == descriptor)
        };
        let mut above = self.above(&file.name).into_iter();
        above.find(|above| self.class(above).is_some_and(has))
    }

    /// Whether the library may call a method by what its class extends or implements.
    pub(super) fn serves_library(&self, file: &'a ClassFile, method: &MethodInfo) -> bool {
        if method.name == "<init>" || method.access & access::STATIC != 0 {
            return false;
        }
        let is_plain = |class: &&str| {
            matches!(*class, "java/lang/Object" | "java/lang/Record" | "java/lang/Enum")
        };
        matches!(&*method.name, "equals" | "compareTo")
            || self.above(&file.name).iter().any(|above| !self.is_own(above) && !is_plain(above))
    }

    /// Whether an object known by one class of the program may be of the other.
    pub(super) fn is_related(&self, one: &str, other: &str) -> bool {
        let extends = |below: &str, above: &str| {
            self.class(below).is_some_and(|file| self.above(&file.name).contains(&above))
        };
        extends(one, other) || extends(other, one)
    }

    /// The classes of the library that the classes extend of which an object can be that is known by a class.
    pub(super) fn library_classes_of(&self, class: &str) -> Vec<&'a str> {
        let below = self.classes.values().filter(|file| self.is_related(&file.name, class));
        let supers = below.filter_map(|file| file.super_name.as_deref());
        supers.filter(|above| !self.is_own(above)).collect()
    }
}
