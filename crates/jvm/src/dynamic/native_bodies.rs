//! Byte code in place of natives.
//!
//! **Problem.** A native that copies an array or a whole object does in one go what Java does element by
//! element. If other threads can reach the array, they can come between.
//!
//! **Idea.** A native looks at the headers of what it is given. What nobody else can reach it uses at once.
//! Otherwise it lets a small method of the machine's own instructions run in its place (or before it, on a
//! copy that is made in sight), in which every access is an instruction like any other: it stops the thread, has a
//! footprint, can race, is undone. So nothing else has to know about copies.
//!
//! Whether others can reach an object depends on the running thread's own past, so what a thread does
//! next still does. Each body is made once.

use smallvec::SmallVec;

use super::assemble::Assembly;
use crate::classfile::{Type, access};
use crate::code::{Code, Instruction, Opcode};
use crate::error::Fault;
use crate::interpret::access_flags;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::Reference;
use crate::natives::Reply;
use crate::world::{ClassId, InitPolicy, MethodId};

/// A small method that does what a native does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Body {
    /// Calls a method with the arguments it gets.
    Call(MethodId),
    /// The same for an instance method, with the monitor of its receiver.
    CallUnderMonitor(MethodId),
    /// Initialises a class.
    Initialize(ClassId),
    /// Copies elements: source, first, target, first, count; with `returns`, a word to return.
    Copy {
        /// Their type.
        kind: Type,
        /// Whether from the last to the first.
        backwards: bool,
        /// Whether it returns the last argument.
        returns: bool,
    },
    /// Copies all fields of an object of a class to a new one, and returns that.
    CopyFields(ClassId),
    /// Reads an element of an array; as a number of another type, or as an object.
    ReadElement(Type, Option<Type>),
    /// Writes an element of an array.
    WriteElement(Type),
    /// Reads a number from the bytes of an array: array, index.
    ReadBytes {
        /// The type of the number.
        kind: Type,
        /// Whether the high byte comes first.
        big_endian: bool,
    },
    /// Writes a number into the bytes of an array: array, index, number.
    WriteBytes {
        /// The type of the number.
        kind: Type,
        /// Whether the high byte comes first.
        big_endian: bool,
    },
    /// The first place where two arrays of elements of eight bytes differ, or -1: array, first, array,
    /// first, count.
    Mismatch,
    /// Sets what the symbols of a number format say about United States dollars, unless it is set.
    Currency,
    /// Whether a field of an object refers to another object: the field's class and word.
    RefersTo(ClassId, u32),
    /// Calls an operation that fills a part of an array and says how much of it, and copies that to another array:
    /// the filled array, the other, the first element, and the words of the call.
    FillFrom(MethodId),
    /// Interrupts the threads of a group.
    InterruptGroup,
    /// Counts a part of a `CountedCompleter` off, and goes on with what it is a part of if it is the last.
    CompleteParts {
        /// Whether that is told each time (`onCompletion`).
        calls: bool,
    },
    /// Prints formatted text with a formatter of its own; with a locale or without.
    Format {
        /// Whether a locale is given.
        locale: bool,
    },
}

const END: u32 = u32::MAX;
const OTHER: u32 = u32::MAX - 1;

impl Machine {
    /// The method of a body.
    pub(crate) fn body(&mut self, body: Body) -> Result<MethodId, Trap> {
        if let Some(known) = self.caches.bodies.get(&body) {
            return Ok(*known);
        }
        let (descriptor, code) = match body {
            Body::Call(target) => self.calling(target)?,
            Body::CallUnderMonitor(target) => {
                let made = self.calling_under_monitor(target)?;
                self.caches.bodies.insert(body, made);
                return Ok(made);
            }
            Body::FillFrom(target) => self.filling(target)?,
            Body::Initialize(class) => {
                let mut assembly = Assembly::default();
                assembly.with(Opcode::InitializeClass, class.0);
                assembly.op(Opcode::Return);
                ("()V".to_string(), assembly.finish(0, 1))
            }
            Body::Copy { kind, backwards, returns } => copying(kind, backwards, returns),
            Body::CopyFields(class) => self.copying_fields(class),
            Body::ReadElement(kind, wanted) => self.reading_element(kind, wanted)?,
            Body::WriteElement(kind) => {
                let mut assembly = Assembly::default();
                (0..3).for_each(|local| assembly.with(Opcode::Load, local));
                assembly.op(store_op(kind));
                assembly.op(Opcode::Return);
                let descriptor = format!("(Ljava/lang/Object;I{})V", letter(kind));
                (descriptor, assembly.finish(3, 3))
            }
            Body::ReadBytes { kind, big_endian } => reading_bytes(kind, big_endian),
            Body::WriteBytes { kind, big_endian } => writing_bytes(kind, big_endian),
            Body::Mismatch => comparing(),
            Body::Currency => self.setting_currency()?,
            Body::RefersTo(class, word) => self.referring(class, word),
            Body::InterruptGroup => self.interrupting_group()?,
            Body::CompleteParts { calls } => self.completing_parts(calls)?,
            Body::Format { locale } => self.formatting(locale)?,
        };
        let object = self.known.object;
        let made = self.add_synthetic(object, "in sight", &descriptor, access::STATIC, code)?;
        self.caches.bodies.insert(body, made);
        Ok(made)
    }

    /// A reply that lets a body do the work.
    pub(crate) fn in_sight(&mut self, body: Body, arguments: &[u64]) -> Result<Reply, Trap> {
        let method = self.body(body)?;
        Ok(Reply::Call(method, SmallVec::from_slice(arguments), crate::memory::Hook::None))
    }

    /// If others can reach an array that a native is about to read: a reply that copies a part of it in sight,
    /// after which the native is called again with the copy.
    pub(crate) fn private_copy(
        &mut self,
        arguments: &[u64],
        index: usize,
        part: Option<(i32, i32)>,
    ) -> Result<Option<Reply>, Trap> {
        let array = arguments.get(index).map_or(Reference::NULL, |word| Reference(*word));
        if array.is_null() || !self.is_reached(array) {
            return Ok(None);
        }
        let (_, kind) = self.element_type(array)?;
        let length = self.length(array)?;
        let (from, count) = part.unwrap_or((0, length as i32));
        if from < 0 || count < 0 || i64::from(from) + i64::from(count) > i64::from(length) {
            // Nothing of it is read.
            let class = self.class_of(array)?;
            let empty = self.new_array(class, length)?;
            let body = self.body(Body::Copy { kind, backwards: false, returns: false })?;
            let words = SmallVec::from_slice(&[array.0, 0, empty.0, 0, 0]);
            return Ok(Some(Reply::Again {
                body,
                arguments: words,
                replaced: Some((index, empty.0)),
            }));
        }
        let copy = self.new_array(self.class_of(array)?, length)?;
        let body = self.body(Body::Copy { kind, backwards: false, returns: false })?;
        let at = from as u64;
        let words = SmallVec::from_slice(&[array.0, at, copy.0, at, count as u64]);
        Ok(Some(Reply::Again { body, arguments: words, replaced: Some((index, copy.0)) }))
    }

    /// An array to write to in place of one that others can reach, if they can.
    pub(crate) fn scratch(&mut self, array: Reference) -> Result<Option<Reference>, Trap> {
        if !self.is_reached(array) {
            return Ok(None);
        }
        let (class, length) = (self.class_of(array)?, self.length(array)?);
        Ok(Some(self.new_array(class, length)?))
    }

    /// A reply that writes a part of an array in sight, as it is in another; with a word to return.
    pub(crate) fn write_back(
        &mut self,
        scratch: Reference,
        array: Reference,
        (from, count): (u32, u32),
        result: Option<u64>,
    ) -> Result<Reply, Trap> {
        let (_, kind) = self.element_type(array)?;
        let (from, count) = (u64::from(from), u64::from(count));
        let mut words = vec![scratch.0, from, array.0, from, count];
        words.extend(result);
        let returns = result.is_some();
        self.in_sight(Body::Copy { kind, backwards: false, returns }, &words)
    }

    /// A reply that initialises a class first, if it has to be; then the native is called again.
    pub(crate) fn initialized_first(&mut self, class: ClassId) -> Result<Option<Reply>, Trap> {
        if self.world.class(class).policy != InitPolicy::PerExecution
            || self.nesting.machine_calls > 0
        {
            self.initialize_now(class)?;
            return Ok(None);
        }
        if self.is_initialized(class, self.current) {
            return Ok(None);
        }
        let body = self.body(Body::Initialize(class))?;
        Ok(Some(Reply::Again { body, arguments: SmallVec::new(), replaced: None }))
    }

    fn calling(&self, target: MethodId) -> Result<(String, Code), Trap> {
        let method = self.world.method(target);
        let descriptor = self.world.symbols.text(method.descriptor).to_string();
        let mut assembly = Assembly::default();
        let words = u32::from(method.arguments);
        (0..words).for_each(|local| assembly.with(Opcode::Load, local));
        let op = if method.is_static() { Opcode::InvokeStatic } else { Opcode::InvokeSpecial };
        assembly.push(Instruction::with2(op, target.0, method.arguments));
        assembly.op(if method.types.result.is_some() {
            Opcode::ReturnWord
        } else {
            Opcode::Return
        });
        let descriptor = match method.is_static() {
            true => descriptor,
            false => descriptor.replacen('(', "(Ljava/lang/Object;", 1),
        };
        Ok((descriptor, assembly.finish(words, words + 1)))
    }

    fn calling_under_monitor(&mut self, target: MethodId) -> Result<MethodId, Trap> {
        let (_, mut code) = self.calling(target)?;
        // One more word for the object that is locked.
        code.local_words += 1;
        let method = self.world.method(target);
        let class = method.class;
        let descriptor = self.world.symbols.text(method.descriptor).to_string();
        self.add_synthetic(class, "in sight", &descriptor, access::SYNCHRONIZED, code)
    }

    fn filling(&mut self, target: MethodId) -> Result<(String, Code), Trap> {
        let own = 3;
        let words = u32::from(self.world.method(target).arguments);
        let most = self.method_of("java/lang/Math", "max", "(II)I")?;
        let copies = "(Ljava/lang/Object;ILjava/lang/Object;II)V";
        let copies = self.method_of("java/lang/System", "arraycopy", copies)?;
        let mut assembly = Assembly::default();
        (own..own + words).for_each(|local| assembly.with(Opcode::Load, local));
        assembly.push(Instruction::with2(Opcode::InvokeStatic, target.0, words as u16));
        assembly.with(Opcode::Store, own + words);
        [0, 2, 1, 2, own + words].into_iter().for_each(|local| assembly.with(Opcode::Load, local));
        assembly.with(Opcode::Constant, 0);
        assembly.push(Instruction::with2(Opcode::InvokeStatic, most.0, 2));
        assembly.push(Instruction::with2(Opcode::InvokeStatic, copies.0, 5));
        assembly.with(Opcode::Load, own + words);
        assembly.op(Opcode::ReturnWord);
        let object = "Ljava/lang/Object;";
        let descriptor = format!("({object}{object}II{object}{object}{object}JJ)I");
        Ok((descriptor, assembly.finish(own + words + 1, words + 8)))
    }

    fn method_of(&mut self, class: &str, name: &str, descriptor: &str) -> Result<MethodId, Trap> {
        let class = self.load_initialized(class)?;
        let found = self.world.declared(class, name, descriptor);
        found.ok_or_else(|| crate::machine::bad_reference().into())
    }

    fn copying_fields(&self, class: ClassId) -> (String, Code) {
        let mut assembly = Assembly::default();
        for id in &self.world.class(class).ancestors {
            for field in self.world.class(*id).fields.iter().filter(|field| !field.is_static()) {
                let c = access_flags(field);
                let get = if field.hidden { Opcode::GetFieldHidden } else { Opcode::GetField };
                let put = match field.kind {
                    Type::Reference => Opcode::PutFieldReference,
                    _ => Opcode::PutField,
                };
                assembly.with(Opcode::Load, 1);
                assembly.with(Opcode::Load, 0);
                assembly.push(Instruction { op: get, c, b: 0, a: field.word });
                assembly.push(Instruction { op: put, c, b: 0, a: field.word });
            }
        }
        assembly.with(Opcode::Load, 1);
        assembly.op(Opcode::ReturnWord);
        let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;".to_string();
        (descriptor, assembly.finish(2, 3))
    }

    fn reading_element(
        &mut self,
        kind: Type,
        wanted: Option<Type>,
    ) -> Result<(String, Code), Trap> {
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::Load, 1);
        assembly.op(load_op(kind));
        match wanted {
            Some(wanted) => self.convert(&mut assembly, &letter(kind), &letter(wanted))?,
            None => self.wrap(&mut assembly, kind)?,
        }
        assembly.op(Opcode::ReturnWord);
        let result = letter(wanted.unwrap_or(Type::Reference));
        Ok((format!("(Ljava/lang/Object;I){result}"), assembly.finish(2, 3)))
    }

    fn setting_currency(&mut self) -> Result<(String, Code), Trap> {
        let class = self.load_initialized("java/text/DecimalFormatSymbols")?;
        let field = |name: &str| -> Result<(u8, u32), Trap> {
            let place = self.field_place(class, name)?;
            let field = &self.world.class(place.class).fields[place.index];
            Ok((access_flags(field), field.word))
        };
        let set = field("currencyInitialized")?;
        let symbols = [field("intlCurrencySymbol")?, field("currencySymbol")?];
        let texts = [self.literal_text("USD")?, self.literal_text("$")?];
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Load, 0);
        assembly.push(Instruction { op: Opcode::GetField, c: set.0, b: 0, a: set.1 });
        assembly.with(Opcode::IfNotZero, END);
        for ((c, a), text) in symbols.into_iter().zip(texts) {
            assembly.with(Opcode::Load, 0);
            assembly.with(Opcode::ConstantReference, text.offset());
            assembly.push(Instruction { op: Opcode::PutFieldReference, c, b: 0, a });
        }
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::Constant, 1);
        assembly.push(Instruction { op: Opcode::PutField, c: set.0, b: 0, a: set.1 });
        assembly.land(END);
        assembly.op(Opcode::Return);
        Ok(("(Ljava/lang/Object;)V".to_string(), assembly.finish(1, 2)))
    }

    fn referring(&self, class: ClassId, word: u32) -> (String, Code) {
        let fields = &self.world.class(class).fields;
        let field = fields.iter().find(|field| !field.is_static() && field.word == word);
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Load, 0);
        let c = field.map_or(0, access_flags);
        assembly.push(Instruction { op: Opcode::GetField, c, b: 0, a: word });
        assembly.with(Opcode::Load, 1);
        assembly.with(Opcode::IfReferenceEqual, OTHER);
        assembly.with(Opcode::Constant, 0);
        assembly.op(Opcode::ReturnWord);
        assembly.land(OTHER);
        assembly.with(Opcode::Constant, 1);
        assembly.op(Opcode::ReturnWord);
        ("(Ljava/lang/Object;Ljava/lang/Object;)Z".to_string(), assembly.finish(2, 2))
    }

    /// Lists the threads of the group and below it, and interrupts one after another.
    fn interrupting_group(&mut self) -> Result<(String, Code), Trap> {
        const ROOM: u32 = 1000;
        let (group, thread) = ("java/lang/ThreadGroup", "java/lang/Thread");
        let missing = || Trap::Fault(Fault::unsupported("this JDK: ThreadGroup is another class"));
        let group = self.load_initialized(group)?;
        let thread = self.load_initialized(thread)?;
        let array = self.array_class(thread)?;
        let listing = self.world.declared(group, "enumerate", "([Ljava/lang/Thread;Z)I");
        let interrupt = self.world.declared(thread, "interrupt", "()V").ok_or_else(missing)?;
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Constant, ROOM);
        assembly.with(Opcode::NewArray, array.0);
        assembly.with(Opcode::Store, 1);
        (0..2).for_each(|local| assembly.with(Opcode::Load, local));
        assembly.with(Opcode::Constant, 1);
        let listing = listing.ok_or_else(missing)?;
        assembly.push(Instruction::with2(Opcode::InvokeSpecial, listing.0, 3));
        assembly.with(Opcode::Store, 2);
        assembly.with(Opcode::Constant, 0);
        assembly.with(Opcode::Store, 3);
        let start = assembly.here();
        assembly.with(Opcode::Load, 3);
        assembly.with(Opcode::Load, 2);
        assembly.with(Opcode::IfIntGreaterEqual, END);
        assembly.with(Opcode::Load, 1);
        assembly.with(Opcode::Load, 3);
        assembly.op(Opcode::LoadReference);
        assembly.push(self.virtual_call(interrupt));
        assembly.push(Instruction::with2(Opcode::Increment, 3, 1));
        assembly.with(Opcode::Goto, start);
        assembly.land(END);
        assembly.op(Opcode::Return);
        Ok(("(Ljava/lang/Object;)V".to_string(), assembly.finish(4, 4)))
    }

    /// As `tryComplete` and `propagateCompletion` do, but for how they count.
    fn completing_parts(&mut self, calls: bool) -> Result<(String, Code), Trap> {
        const COMPLETER: &str = "java/util/concurrent/CountedCompleter";
        let class = self.load_initialized(COMPLETER)?;
        let counting = self.method_of(COMPLETER, "decrementPendingCountUnlessZero", "()I")?;
        let told = "(Ljava/util/concurrent/CountedCompleter;)V";
        let telling = self.method_of(COMPLETER, "onCompletion", told)?;
        let task = "java/util/concurrent/ForkJoinTask";
        let ending = self.method_of(task, "quietlyComplete", "()V")?;
        let place = self.field_place(class, "completer")?;
        let field = &self.world.class(place.class).fields[place.index];
        let op = if field.hidden { Opcode::GetFieldHidden } else { Opcode::GetField };
        let above = Instruction { op, c: access_flags(field), b: 0, a: field.word };
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::Store, 1);
        let start = assembly.here();
        assembly.with(Opcode::Load, 0);
        assembly.push(Instruction::with2(Opcode::InvokeSpecial, counting.0, 1));
        assembly.with(Opcode::IfNotZero, END);
        if calls {
            (0..2).for_each(|local| assembly.with(Opcode::Load, local));
            assembly.push(self.virtual_call(telling));
        }
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::Store, 1);
        assembly.with(Opcode::Load, 1);
        assembly.push(above);
        assembly.with(Opcode::Store, 0);
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::IfNonNull, start);
        assembly.with(Opcode::Load, 1);
        assembly.push(Instruction::with2(Opcode::InvokeSpecial, ending.0, 1));
        assembly.land(END);
        assembly.op(Opcode::Return);
        Ok(("(Ljava/lang/Object;)V".to_string(), assembly.finish(2, 3)))
    }

    fn formatting(&mut self, locale: bool) -> Result<(String, Code), Trap> {
        const FORMATTER: &str = "java/util/Formatter";
        let class = self.load_initialized(FORMATTER)?;
        let (given, words) = if locale { ("Ljava/util/Locale;", 4) } else { ("", 3) };
        let missing = || Trap::Fault(Fault::unsupported("this JDK: Formatter is another class"));
        let made = format!("(Ljava/lang/Appendable;{given})V");
        let constructor = self.world.declared(class, "<init>", &made).ok_or_else(missing)?;
        let descriptor = "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/util/Formatter;";
        let format = self.world.declared(class, "format", descriptor).ok_or_else(missing)?;
        let mut assembly = Assembly::default();
        assembly.with(Opcode::NewInitialize, class.0);
        assembly.op(Opcode::Duplicate);
        assembly.with(Opcode::Load, 0);
        if locale {
            assembly.with(Opcode::Load, 1);
        }
        let arguments = self.world.method(constructor).arguments;
        assembly.push(Instruction::with2(Opcode::InvokeSpecial, constructor.0, arguments));
        assembly.with(Opcode::Load, words - 2);
        assembly.with(Opcode::Load, words - 1);
        assembly.push(Instruction::with2(Opcode::InvokeSpecial, format.0, 3));
        assembly.op(Opcode::Pop);
        assembly.with(Opcode::Load, 0);
        assembly.op(Opcode::ReturnWord);
        let descriptor = format!(
            "(Ljava/lang/Object;{given}Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/Object;"
        );
        Ok((descriptor, assembly.finish(words, 5)))
    }
}

fn letter(kind: Type) -> String {
    match kind {
        Type::Reference => "Ljava/lang/Object;".to_string(),
        primitive => primitive.letter().to_string(),
    }
}

fn load_op(kind: Type) -> Opcode {
    match kind {
        Type::Boolean | Type::Byte => Opcode::LoadByte,
        Type::Char => Opcode::LoadChar,
        Type::Short => Opcode::LoadShort,
        Type::Int | Type::Float => Opcode::LoadInt,
        Type::Long | Type::Double => Opcode::LoadLong,
        Type::Reference => Opcode::LoadReference,
    }
}

fn store_op(kind: Type) -> Opcode {
    match kind {
        Type::Boolean | Type::Byte => Opcode::StoreByte,
        Type::Char | Type::Short => Opcode::StoreShort,
        Type::Int | Type::Float => Opcode::StoreInt,
        Type::Long | Type::Double => Opcode::StoreLong,
        Type::Reference => Opcode::StoreReference,
    }
}

/// A loop over the elements: `target[to + i] = source[from + i]`.
fn copying(kind: Type, backwards: bool, returns: bool) -> (String, Code) {
    const INDEX: u32 = 6;
    let mut assembly = Assembly::default();
    let plus_index = |assembly: &mut Assembly, local: u32| {
        assembly.with(Opcode::Load, local);
        assembly.with(Opcode::Load, INDEX);
        assembly.op(Opcode::IntAdd);
    };
    if backwards {
        assembly.with(Opcode::Load, 4);
        assembly.with(Opcode::Constant, 1);
        assembly.op(Opcode::IntSubtract);
    } else {
        assembly.with(Opcode::Constant, 0);
    }
    assembly.with(Opcode::Store, INDEX);
    let start = assembly.here();
    assembly.with(Opcode::Load, INDEX);
    if backwards {
        assembly.with(Opcode::IfNegative, END);
    } else {
        assembly.with(Opcode::Load, 4);
        assembly.with(Opcode::IfIntGreaterEqual, END);
    }
    assembly.with(Opcode::Load, 2);
    plus_index(&mut assembly, 3);
    assembly.with(Opcode::Load, 0);
    plus_index(&mut assembly, 1);
    assembly.op(load_op(kind));
    assembly.op(store_op(kind));
    let by = if backwards { -1i16 as u16 } else { 1 };
    assembly.push(Instruction::with2(Opcode::Increment, INDEX, by));
    assembly.with(Opcode::Goto, start);
    assembly.land(END);
    let array = "Ljava/lang/Object;";
    if returns {
        assembly.with(Opcode::Load, 5);
        assembly.op(Opcode::ReturnWord);
        (format!("({array}I{array}IIJ)J"), assembly.finish(INDEX + 1, 5))
    } else {
        assembly.op(Opcode::Return);
        (format!("({array}I{array}II)V"), assembly.finish(INDEX + 1, 5))
    }
}

/// A loop over the elements of two arrays of `long` or `double`, which are compared bit by bit.
fn comparing() -> (String, Code) {
    const INDEX: u32 = 5;
    let mut assembly = Assembly::default();
    assembly.with(Opcode::Constant, 0);
    assembly.with(Opcode::Store, INDEX);
    let start = assembly.here();
    assembly.with(Opcode::Load, INDEX);
    assembly.with(Opcode::Load, 4);
    assembly.with(Opcode::IfIntGreaterEqual, END);
    for array in [0, 2] {
        assembly.with(Opcode::Load, array);
        assembly.with(Opcode::Load, array + 1);
        assembly.with(Opcode::Load, INDEX);
        assembly.op(Opcode::IntAdd);
        assembly.op(Opcode::LoadLong);
    }
    assembly.op(Opcode::LongCompare);
    assembly.with(Opcode::IfNotZero, OTHER);
    assembly.push(Instruction::with2(Opcode::Increment, INDEX, 1));
    assembly.with(Opcode::Goto, start);
    assembly.land(OTHER);
    assembly.with(Opcode::Load, INDEX);
    assembly.op(Opcode::ReturnWord);
    assembly.land(END);
    assembly.with(Opcode::Constant, u32::MAX);
    assembly.op(Opcode::ReturnWord);
    let array = "Ljava/lang/Object;";
    (format!("({array}I{array}II)I"), assembly.finish(INDEX + 1, 4))
}

/// The place in the array of a byte of a number, counted from the low one.
fn place(byte: u32, kind: Type, big_endian: bool) -> u32 {
    if big_endian { (1 << kind.shift()) - 1 - byte } else { byte }
}

fn reading_bytes(kind: Type, big_endian: bool) -> (String, Code) {
    let mut assembly = Assembly::default();
    for byte in 0..1u32 << kind.shift() {
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::Load, 1);
        assembly.with(Opcode::Constant, place(byte, kind, big_endian));
        assembly.op(Opcode::IntAdd);
        assembly.op(Opcode::LoadByte);
        assembly.with(Opcode::Constant, 0xFF);
        assembly.op(Opcode::LongAnd);
        assembly.with(Opcode::Constant, byte * 8);
        assembly.op(Opcode::LongShiftLeft);
        if byte > 0 {
            assembly.op(Opcode::LongOr);
        }
    }
    if kind == Type::Short {
        assembly.op(Opcode::IntToShort);
    }
    assembly.op(Opcode::ReturnWord);
    (format!("(Ljava/lang/Object;I){}", letter(kind)), assembly.finish(2, 5))
}

fn writing_bytes(kind: Type, big_endian: bool) -> (String, Code) {
    let mut assembly = Assembly::default();
    for byte in 0..1u32 << kind.shift() {
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::Load, 1);
        assembly.with(Opcode::Constant, place(byte, kind, big_endian));
        assembly.op(Opcode::IntAdd);
        assembly.with(Opcode::Load, 2);
        assembly.with(Opcode::Constant, byte * 8);
        assembly.op(Opcode::LongShiftUnsigned);
        assembly.op(Opcode::StoreByte);
    }
    assembly.op(Opcode::Return);
    (format!("(Ljava/lang/Object;I{})V", letter(kind)), assembly.finish(3, 5))
}

/// The index of the byte of an array at an offset of `Unsafe`.
pub(crate) fn byte_index(offset: u64) -> Result<u64, Trap> {
    let base = u64::from(crate::memory::ARRAY_HEADER_WORDS) * 8;
    offset.checked_sub(base).ok_or_else(|| bad_reference().into())
}
