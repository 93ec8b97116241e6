//! Whether a lock may be taken while `printf` or a stack trace makes its text, with the monitor of the stream.
//!
//! **Idea.** What `printf` gets is known by type where the compiler makes an array of the arguments, which is nearly
//! everywhere; numbers and strings ask nobody. Other objects are asked for their texts, and a formatter may
//! ask for the hash code. From these methods all calls are followed: to the program's own methods by name and
//! descriptor, into lambda expressions, and to the texts of what is put into a text. A method that locks or that calls one of
//! the library that may (`library.rs`) is what is looked for.
//!
//! A type of the library that is not plain, `List` or `Object`, say, stands for all objects of the program, and for those of
//! the library that lock for their texts, if the program has any. Whatever a library's method asks of objects of
//! the program (whether they are equal, which comes first) is followed from the methods of all classes.
//!
//! Queues of the library hold their locks only inside of their methods, where nobody prints, so these do not count.

use rustc_hash::FxHashSet;

use super::hierarchy::{Hierarchy, MethodOf};
use super::library;
use crate::classfile::{ClassFile, MemberRef, MethodInfo};

/// Whether a program makes a text with the monitor of a stream in which its own methods or others with locks may have
/// a part: it prints formatted text, or has exceptions with texts of their own.
pub(super) fn may_matter(classes: &[ClassFile], hierarchy: &Hierarchy<'_>) -> bool {
    let formats = |file: &ClassFile| {
        let texts = (0..file.pool.count() as u16).filter_map(|index| file.pool.text_range(index));
        let mut found = (false, false);
        for range in texts {
            match file.slice(&range) {
                b"java/io/PrintStream" => found.0 = true,
                b"printf" | b"format" => found.1 = true,
                _ => {}
            }
        }
        found == (true, true)
    };
    classes.iter().any(formats) || !stack_trace_methods(hierarchy).is_empty()
}

/// The methods that a stack trace asks the program's exceptions for.
fn stack_trace_methods<'a>(hierarchy: &Hierarchy<'a>) -> Vec<MethodOf<'a>> {
    let is_exception = |of: &MethodOf<'a>| {
        let above = hierarchy.above(&of.file.name);
        let mut library = above.iter().filter(|class| !hierarchy.is_own(class));
        library
            .any(|class| ["Exception", "Error", "Throwable"].iter().any(|end| class.ends_with(end)))
    };
    let methods = TEXT_METHODS.iter().chain(&[("getCause", "()Ljava/lang/Throwable;")]);
    let methods = methods.flat_map(|(name, descriptor)| hierarchy.methods(name, descriptor));
    methods.copied().filter(is_exception).collect()
}

/// What a text is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum TextOf {
    /// Of an object of a type, given by its descriptor.
    Type(String),
    /// Of any object.
    Any,
}

/// What matters of a method for texts.
#[derive(Debug, Default)]
pub(super) struct Doings {
    pub(super) locks: bool,
    pub(super) calls: FxHashSet<(String, String, String)>,
    /// Whether it calls a method of the library that may take a lock.
    pub(super) locks_in_library: bool,
    /// Methods that lambda expressions call.
    handles: Vec<MemberRef>,
    /// The types of what is stored in arrays.
    pub(super) stored: FxHashSet<String>,
    /// What texts are made of.
    pub(super) texts: FxHashSet<TextOf>,
    /// Whether it prints formatted text, of what is in an array that was just filled or of something else.
    formats: bool,
    formats_any: bool,
    /// Whether something of the library is called that may call any lambda expression, or compare objects.
    calls_lambdas: bool,
    compares: bool,
    /// Whether it makes an object of the library that locks for its text.
    makes_locked_texts: bool,
}

impl Doings {
    /// Adds a call, with whether it finds a body in the program, and with the types of the arguments. Tells whether the
    /// last argument is an array in which something was stored just before.
    pub(super) fn call(
        &mut self,
        member: MemberRef,
        has_body: bool,
        types: Vec<String>,
        after_store: bool,
    ) {
        if !has_body {
            self.call_library(&member, types, after_store);
        }
        self.calls.insert((member.class, member.name, member.descriptor));
    }

    /// The library calls a method that a lambda expression stands for.
    pub(super) fn handle(&mut self, target: MemberRef) {
        self.formats_any |= library::formats_on_stream(&target);
        self.handles.push(target);
    }

    fn call_library(&mut self, member: &MemberRef, types: Vec<String>, after_store: bool) {
        if library::formats_on_stream(member) {
            self.formats |= after_store;
            self.formats_any |= !after_store;
        }
        if library::makes_text(member) {
            let of = |of: String| match of.strip_prefix('[') {
                Some(_) => TextOf::Any,
                None => TextOf::Type(of),
            };
            self.texts.extend(types.into_iter().map(of));
        }
        let class = &*member.class;
        self.calls_lambdas |= class.starts_with("java/util/function/")
            || class.starts_with("java/util/stream/")
            || matches!(class, "java/lang/Runnable" | "java/util/concurrent/Callable");
        self.compares |= class.starts_with("java/util/");
        self.locks_in_library |= !library::takes_no_lock(member);
        self.makes_locked_texts |= library::locks_for_text(class)
            || class == "java/util/Collections" && member.name.starts_with("synchronized");
    }
}

/// What the methods of a program do, and what it prints formatted.
#[derive(Default)]
pub(super) struct Texts {
    doings: rustc_hash::FxHashMap<(String, String, String), Doings>,
    formatted: FxHashSet<TextOf>,
    /// Bodies of lambda expressions.
    handles: Vec<MemberRef>,
    /// Whether some object of the library is made that locks for its text.
    locked_texts: bool,
}

impl Texts {
    /// Adds what a method does.
    pub(super) fn add(&mut self, file: &ClassFile, method: &MethodInfo, doings: Doings) {
        if doings.formats {
            self.formatted.extend(doings.stored.iter().cloned().map(TextOf::Type));
        }
        if doings.formats_any {
            self.formatted.insert(TextOf::Any);
        }
        self.handles.extend(doings.handles.iter().cloned());
        self.locked_texts |= doings.makes_locked_texts;
        // A text that is changed by several threads is kept in a field.
        self.locked_texts |=
            file.fields.iter().any(|field| field.descriptor == "Ljava/lang/StringBuffer;");
        self.doings.insert(key(file, method), doings);
    }

    /// Whether a lock may be taken while a text is made for a stream.
    pub(super) fn may_lock(&self, hierarchy: &Hierarchy<'_>) -> bool {
        let mut search =
            Search { texts: self, hierarchy, seen: FxHashSet::default(), work: Vec::new() };
        for of in stack_trace_methods(hierarchy) {
            search.add(of);
        }
        self.formatted.iter().any(|of| search.text(of)) || search.run()
    }
}

struct Search<'a, 'h> {
    texts: &'a Texts,
    hierarchy: &'h Hierarchy<'a>,
    seen: FxHashSet<(String, String, String)>,
    work: Vec<(String, String, String)>,
}

/// Methods that are asked for a text: name and descriptor.
const TEXT_METHODS: &[(&str, &str)] = &[
    ("toString", "()Ljava/lang/String;"),
    ("hashCode", "()I"),
    ("getMessage", "()Ljava/lang/String;"),
    ("getLocalizedMessage", "()Ljava/lang/String;"),
    ("formatTo", "(Ljava/util/Formatter;III)V"),
];

/// Methods by which the library compares objects.
const COMPARISONS: &[&str] = &["equals", "hashCode", "compareTo", "compare"];

/// Whether a superclass in the library takes its part of a text from the program's methods alone.
fn has_own_text(above: &str) -> bool {
    ["Thread", "Exception", "Error", "Throwable"].iter().any(|end| above.ends_with(end))
}

impl Search<'_, '_> {
    fn add(&mut self, of: MethodOf<'_>) {
        let key = key(of.file, of.method);
        if self.seen.insert(key.clone()) {
            self.work.push(key);
        }
    }

    /// Adds the methods that are asked for a text; tells whether a lock of the library may be taken for it.
    fn text(&mut self, of: &TextOf) -> bool {
        let own = match of {
            TextOf::Type(of) if library::has_plain_text(of) => return false,
            TextOf::Type(of) => {
                let class = of.trim_start_matches('L').trim_end_matches(';');
                let is_told = |above: &str| above.starts_with("java/lang/") || has_own_text(above);
                let mut bases = self.hierarchy.library_classes_of(class).into_iter();
                (self.hierarchy.is_own(class) && bases.all(is_told)).then(|| class.to_string())
            }
            TextOf::Any => None,
        };
        for (name, descriptor) in TEXT_METHODS {
            for of in self.hierarchy.methods(name, descriptor).to_vec() {
                let asked = own.as_deref();
                if asked.is_none_or(|class| self.hierarchy.is_related(class, &of.file.name)) {
                    self.add(of);
                }
            }
        }
        own.is_none() && self.texts.locked_texts
    }

    /// Follows all calls; tells whether a lock may be taken.
    fn run(&mut self) -> bool {
        while let Some(key) = self.work.pop() {
            let Some(doings) = self.texts.doings.get(&key) else { continue };
            if doings.locks || doings.locks_in_library {
                return true;
            }
            if doings.texts.iter().any(|of| self.text(of)) {
                return true;
            }
            for (class, name, descriptor) in &doings.calls {
                for of in self.hierarchy.methods(name, descriptor).to_vec() {
                    let known = self.hierarchy.is_own(class);
                    if known && self.hierarchy.is_related(class, &of.file.name)
                        || !known && name != "<init>"
                    {
                        self.add(of);
                    }
                }
            }
            self.add_handles(&doings.handles);
            if doings.calls_lambdas {
                self.add_handles(&self.texts.handles);
            }
            if doings.compares {
                self.add_comparisons();
            }
        }
        false
    }

    fn add_handles(&mut self, handles: &[MemberRef]) {
        for target in handles {
            for of in self.hierarchy.methods(&target.name, &target.descriptor).to_vec() {
                if self.hierarchy.is_related(&target.class, &of.file.name) {
                    self.add(of);
                }
            }
        }
    }

    fn add_comparisons(&mut self) {
        let methods = self.texts.doings.keys();
        let compares = |key: &&(String, String, String)| COMPARISONS.contains(&&*key.1);
        let found: Vec<_> = methods.filter(compares).cloned().collect();
        for key in found {
            if self.seen.insert(key.clone()) {
                self.work.push(key);
            }
        }
    }
}

fn key(file: &ClassFile, method: &MethodInfo) -> (String, String, String) {
    (file.name.clone(), method.name.clone(), method.descriptor.clone())
}
