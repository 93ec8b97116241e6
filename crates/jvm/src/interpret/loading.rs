//! Loading classes and making their mirrors.

use rustc_hash::FxHashMap;

use crate::classfile::{ClassFile, Constant, Type, access, with_suffix};
use crate::error::{Error, Fault, FaultKind};
use crate::load::Origin;
use crate::machine::{Machine, Trap};
use crate::memory::{ARRAY_HEADER_WORDS, OBJECT_HEADER_WORDS, PERMANENT, Reference, SHARED};
use crate::natives::mix;
use crate::world::{Class, ClassId, ClassKind, HIDDEN_MARK, InitPolicy, link, owned_elements};

/// Superclasses of superclasses; only a damaged class path has more.
const DEPTH_LIMIT: u32 = 200;

impl Machine {
    /// Loads a class by its name as in class files, or an array class by its descriptor.
    pub(crate) fn load_class(&mut self, name: &str) -> Result<ClassId, Trap> {
        if let Some(known) = self.world.loaded(name) {
            return Ok(known);
        }
        if let Some(element) = name.strip_prefix('[') {
            let element = self.load_descriptor(element)?;
            return self.array_class(element);
        }
        self.load_new(name, 0)
    }

    /// Loads a class and initialises it at once.
    pub(crate) fn load_initialized(&mut self, name: &str) -> Result<ClassId, Trap> {
        let class = self.load_class(name)?;
        self.initialize_now(class)?;
        Ok(class)
    }

    /// The class of a field descriptor.
    pub(crate) fn load_descriptor(&mut self, descriptor: &str) -> Result<ClassId, Trap> {
        match descriptor.as_bytes() {
            [b'L', .., b';'] => self.load_class(&descriptor[1..descriptor.len() - 1]),
            [b'[', ..] => self.load_class(descriptor),
            [letter] => match Type::from_letter(*letter) {
                Some(kind) => Ok(self.known.primitives[kind as usize]),
                None if *letter == b'V' => Ok(self.known.void),
                None => Err(Fault::invalid("an unknown primitive type").into()),
            },
            _ => Err(Fault::invalid(format!("the descriptor {descriptor}")).into()),
        }
    }

    fn load_new(&mut self, name: &str, depth: u32) -> Result<ClassId, Trap> {
        if depth > DEPTH_LIMIT {
            return Err(Trap::raise(
                "java/lang/ClassCircularityError",
                Some(name.replace('/', ".")),
            ));
        }
        if let Some(known) = self.world.loaded(name) {
            return Ok(known);
        }
        let found = self.world.class_path.class(name).map_err(load_fault)?;
        let Some((bytes, origin)) = found else {
            return Err(Trap::raise("java/lang/NoClassDefFoundError", Some(name.to_string())));
        };
        let bad = |what: String| FaultKind::Class { name: name.replace('/', "."), what };
        let file = ClassFile::parse(bytes).map_err(|cause| bad(cause.to_string()))?;
        if file.name != name {
            return Err(bad(format!("its file contains class {}", file.name)).into());
        }
        self.link_file(file, origin, depth)
    }

    /// Defines a class that the program or the JDK made at run time. Classes outlive executions: one
    /// with the same bytes is not made again.
    pub(crate) fn define_class(&mut self, bytes: Vec<u8>) -> Result<ClassId, Trap> {
        let file = ClassFile::parse(bytes)
            .map_err(|cause| Trap::raise("java/lang/ClassFormatError", Some(cause.to_string())))?;
        let Some(known) = self.world.loaded(&file.name) else {
            return self.link_file(file, Origin::Program, 0);
        };
        let same = self.world.class(known).file.as_ref();
        if same.is_some_and(|same| same.bytes == file.bytes) {
            return Ok(known);
        }
        Err(Fault::unsupported(format!(
            "a second class {} that is made at run time",
            file.name.replace('/', ".")
        ))
        .into())
    }

    /// Defines a hidden class, which no name leads to: each call makes another one. It is named after the
    /// thread that makes it and how much that has made before, so that it has the same name in all executions
    /// and is made only once for all of them. With a host, it shares the private members of that class.
    pub(crate) fn define_hidden(
        &mut self,
        bytes: &[u8],
        host: Option<ClassId>,
    ) -> Result<ClassId, Trap> {
        let bad = |cause: crate::error::ClassFileError| {
            Trap::raise("java/lang/ClassFormatError", Some(cause.to_string()))
        };
        let place = u64::from(self.segment) << 32 | u64::from(self.heap.top(self.segment));
        let content = bytes.iter().fold(place, |hash, byte| mix(hash ^ u64::from(*byte)));
        let suffix = format!("{HIDDEN_MARK}{content:016x}");
        let file = with_suffix(bytes, &suffix).map_err(bad)?;
        let mut file = ClassFile::parse(file).map_err(bad)?;
        if let Some(known) = self.world.loaded(&file.name) {
            return Ok(known);
        }
        file.nest_host = match host {
            Some(host) => {
                let host = self.nest_host(host)?;
                Some(self.world.class_name(host).to_string())
            }
            None => None,
        };
        self.link_file(file, Origin::Program, 0)
    }

    fn link_file(&mut self, file: ClassFile, origin: Origin, depth: u32) -> Result<ClassId, Trap> {
        let name = file.name.clone();
        let bad = |what: String| FaultKind::Class { name: name.replace('/', "."), what };
        let superclass = match file.super_name.clone() {
            Some(above) => Some(self.load_new(&above, depth + 1)?),
            None => None,
        };
        let mut interfaces = Vec::new();
        for interface in file.interfaces.clone() {
            interfaces.push(self.load_new(&interface, depth + 1)?);
        }
        if superclass.is_some_and(|id| {
            self.world.class(id).is_interface() || self.world.class(id).element().is_some()
        }) {
            return Err(bad("its superclass is an interface".to_string()).into());
        }
        if interfaces.iter().any(|id| !self.world.class(*id).is_interface()) {
            return Err(bad("it implements a class that is not an interface".to_string()).into());
        }
        // Loading the superclass may have loaded the class itself, if the two refer to each other.
        if let Some(known) = self.world.loaded(&name) {
            return Ok(known);
        }
        let linked =
            link(&mut self.world, file, origin, superclass, interfaces, self.known.mirror_words);
        self.make_mirror(linked.id, linked.statics)?;
        Ok(linked.id)
    }

    /// The class of arrays with elements of a class.
    pub(crate) fn array_class(&mut self, element: ClassId) -> Result<ClassId, Trap> {
        if let Some(known) = self.world.class(element).array {
            return Ok(known);
        }
        let (name, kind) = match self.world.class(element).kind {
            ClassKind::Primitive(Some(kind)) => (format!("[{}", kind.letter()), kind),
            ClassKind::Primitive(None) => return Err(Fault::invalid("an array of void").into()),
            ClassKind::Array(..) => {
                (format!("[{}", self.world.class_name(element)), Type::Reference)
            }
            ClassKind::Instance => {
                (format!("[L{};", self.world.class_name(element)), Type::Reference)
            }
        };
        let object = self.load_class("java/lang/Object")?;
        let mut interfaces =
            vec![self.load_class("java/lang/Cloneable")?, self.load_class("java/io/Serializable")?];
        interfaces.sort_unstable();
        let flags = self.world.class(element).access & access::PUBLIC;
        let class = Class {
            kind: ClassKind::Array(element, kind),
            access: flags | access::FINAL | access::ABSTRACT,
            origin: self.world.class(element).origin,
            superclass: Some(object),
            all_interfaces: interfaces.clone(),
            interfaces,
            vtable: self.world.class(object).vtable.clone(),
            owned_words: owned_elements(&name),
            ..self.bare_class(&name)
        };
        let id = self.add_class(class)?;
        self.world.classes[element.0 as usize].array = Some(id);
        Ok(id)
    }

    /// Makes the classes of the primitive types and `void`.
    pub(crate) fn make_primitives(&mut self) -> Result<(), Trap> {
        const NAMES: [(&str, Type); 8] = [
            ("boolean", Type::Boolean),
            ("byte", Type::Byte),
            ("char", Type::Char),
            ("short", Type::Short),
            ("int", Type::Int),
            ("long", Type::Long),
            ("float", Type::Float),
            ("double", Type::Double),
        ];
        for (name, kind) in NAMES {
            let class = Class { kind: ClassKind::Primitive(Some(kind)), ..self.bare_class(name) };
            self.known.primitives[kind as usize] = self.add_class(class)?;
        }
        let class = Class { kind: ClassKind::Primitive(None), ..self.bare_class("void") };
        self.known.void = self.add_class(class)?;
        Ok(())
    }

    /// A class of the JDK with nothing in it.
    pub(crate) fn bare_class(&mut self, name: &str) -> Class {
        Class {
            name: self.world.symbols.intern(name),
            kind: ClassKind::Instance,
            access: access::PUBLIC | access::FINAL | access::ABSTRACT,
            origin: Origin::Jdk,
            superclass: None,
            interfaces: Vec::new(),
            ancestors: Vec::new(),
            all_interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            method_index: FxHashMap::default(),
            vtable: Vec::new(),
            implementations: FxHashMap::default(),
            instance_words: OBJECT_HEADER_WORDS,
            reference_words: Vec::new(),
            lets_this_escape: false,
            owned_words: Vec::new(),
            instance_flag: SHARED,
            static_references: Vec::new(),
            mirror: Reference::NULL,
            array: None,
            initializer: None,
            policy: InitPolicy::Done,
            file: None,
        }
    }

    /// Adds a class that the machine made.
    pub(crate) fn add_class(&mut self, mut class: Class) -> Result<ClassId, Trap> {
        let id = ClassId(self.world.classes.len() as u32);
        let above = class.superclass.map(|id| self.world.class(id).ancestors.clone());
        class.ancestors = above.unwrap_or_default();
        class.ancestors.push(id);
        self.world.by_name.insert(class.name, id);
        self.world.classes.push(class);
        self.make_mirror(id, 0)?;
        Ok(id)
    }

    /// Makes the `java.lang.Class` of a class, once that class itself is loaded.
    pub(crate) fn make_mirror(&mut self, id: ClassId, statics: u32) -> Result<(), Trap> {
        let Some(class_class) = self.world.loaded("java/lang/Class") else {
            self.known.without_mirror.push((id, statics));
            return Ok(());
        };
        for (id, statics) in std::mem::take(&mut self.known.without_mirror) {
            self.make_one_mirror(class_class, id, statics)?;
        }
        self.make_one_mirror(class_class, id, statics)
    }

    fn make_one_mirror(
        &mut self,
        class_class: ClassId,
        id: ClassId,
        statics: u32,
    ) -> Result<(), Trap> {
        self.permanently(|machine| {
            let words = machine.known.mirror_words + statics;
            let mirror = machine.heap.allocate(PERMANENT, class_class, words);
            let mirror = mirror.ok_or_else(crate::machine::out_of_memory)?;
            machine.store(mirror, machine.known.mirror_class, u64::from(id.0))?;
            let flag = machine.world.mirror_flag(id);
            machine.set_flag(mirror, flag)?;
            machine.world.classes[id.0 as usize].mirror = mirror;
            if let Some((element, kind)) = machine.world.class(id).element() {
                let _ = kind;
                let element = machine.world.class(element).mirror;
                machine.set_field(mirror, "componentType", element.0)?;
            }
            machine.set_constants(id)
        })
    }

    /// Gives static fields with constant values these values.
    pub(crate) fn set_constants(&mut self, id: ClassId) -> Result<(), Trap> {
        let class = self.world.class(id);
        let (Some(file), mirror) = (&class.file, class.mirror) else { return Ok(()) };
        let mut constants = Vec::new();
        let mut strings = Vec::new();
        for (info, field) in file.fields.iter().zip(&class.fields) {
            let (Some(constant), true) = (info.constant, field.is_static()) else { continue };
            match file.pool.get(constant) {
                Constant::Integer(value) => constants.push((field.word, u64::from(value as u32))),
                Constant::Float(bits) => constants.push((field.word, u64::from(bits))),
                Constant::Long(value) => constants.push((field.word, value as u64)),
                Constant::Double(bits) => constants.push((field.word, bits)),
                Constant::String(text) => strings.push((field.word, text)),
                _ => {}
            }
        }
        for (word, value) in constants {
            self.store(mirror, word, value)?;
        }
        if !strings.is_empty() && self.known.string_value == 0 {
            self.known.without_strings.push(id);
            return Ok(());
        }
        for (word, text) in strings {
            let literal = self.literal_constant(id, text)?;
            self.store(mirror, word, literal.0)?;
        }
        Ok(())
    }

    /// The class that a mirror stands for.
    pub(crate) fn mirrored(&self, mirror: Reference) -> Result<ClassId, Trap> {
        if mirror.is_null() {
            return Err(Trap::raise("java/lang/NullPointerException", None));
        }
        let id = self.load(mirror, self.known.mirror_class)? as u32;
        if (id as usize) < self.world.classes.len() {
            Ok(ClassId(id))
        } else {
            Err(crate::machine::bad_reference().into())
        }
    }

    /// A new array of references with these elements.
    pub(crate) fn reference_array(
        &mut self,
        element: ClassId,
        elements: &[Reference],
    ) -> Result<Reference, Trap> {
        let class = self.array_class(element)?;
        let array = self.new_array(class, elements.len() as u32)?;
        for (index, element) in elements.iter().enumerate() {
            self.store(array, ARRAY_HEADER_WORDS + index as u32, element.0)?;
        }
        Ok(array)
    }
}

/// A class path that cannot be read stops the machine.
fn load_fault(error: Error) -> Trap {
    FaultKind::Class { name: "class path".to_string(), what: error.to_string() }.into()
}
