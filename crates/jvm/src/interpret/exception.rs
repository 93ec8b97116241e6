//! Exceptions: making them, finding their handlers, and their stack traces.

use super::frame::frames;
use super::run::{LoopControl, StopReason};
use crate::classfile::{Type, access};
use crate::code::{Code, Instruction, Opcode};
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Raised, SideEffect, Trap};
use crate::memory::{ARRAY_HEADER_WORDS, FRAME_HEADER_WORDS, Hook, Reference, Reserve};
use crate::world::{ClassId, ClassKind, MethodId};

/// Frames kept in a stack trace, as in the JVM.
const TRACE_LIMIT: usize = 1024;

impl Machine {
    /// Handles a trap of a slow path: exceptions are thrown in the thread, faults are passed on.
    pub(crate) fn trap(&mut self, thread: usize, trap: Trap) -> Result<LoopControl, Fault> {
        let exception = match trap {
            Trap::Throw(exception) => exception,
            Trap::Raise(raised) => match self.make_raised(&raised) {
                Ok(exception) | Err(Trap::Throw(exception)) => exception,
                Err(Trap::Raise(other)) => return Err(while_making(&raised, &other)),
                Err(Trap::Fault(fault)) => return Err(fault),
                Err(Trap::Exit) => return Ok(LoopControl::Leave(StopReason::Exited)),
            },
            Trap::Fault(fault) => return Err(fault),
            Trap::Exit => return Ok(LoopControl::Leave(StopReason::Exited)),
        };
        self.unwind(thread, exception)
    }

    /// The exception object of a trap, for machine code that wants to look at it.
    pub(crate) fn exception_of(&mut self, trap: Trap) -> Result<Reference, Fault> {
        match trap {
            Trap::Throw(exception) => Ok(exception),
            Trap::Raise(raised) => match self.make_raised(&raised) {
                Ok(exception) | Err(Trap::Throw(exception)) => Ok(exception),
                Err(Trap::Raise(other)) => Err(while_making(&raised, &other)),
                Err(other) => Err(fault_of(other)),
            },
            other => Err(fault_of(other)),
        }
    }

    /// The exception that is to be made, or the one that says why there is no room for it.
    fn make_raised(&mut self, raised: &Raised) -> Result<Reference, Trap> {
        let make = |machine: &mut Machine, raised: &Raised| {
            machine.make_exception(raised.class, raised.message.as_deref())
        };
        match make(self, raised) {
            Err(Trap::Raise(other)) if other.class != raised.class => make(self, &other),
            made => made,
        }
    }

    /// A new exception with the stack trace of the running thread, as its constructor would make it.
    pub(crate) fn make_exception(
        &mut self,
        class: &str,
        message: Option<&str>,
    ) -> Result<Reference, Trap> {
        if (class, message) != ("java/lang/OutOfMemoryError", Some("Java heap space")) {
            return self.make_exception_object(class, message);
        }
        if self.options.interrupt.raised().is_some() {
            // It is not the heap that is full.
            self.interrupted = true;
            return Err(FaultKind::INTERRUPTED.into());
        }
        if !self.is_full() {
            return Err(FaultKind::TOO_MUCH_GARBAGE.into());
        }
        let before = self.heap.set_reserve(Reserve::Exception);
        let made = self.make_exception_object(class, message);
        self.heap.set_reserve(before);
        made
    }

    /// Whether a virtual machine that collects garbage would have no room either.
    fn is_full(&self) -> bool {
        let Machine { heap, threads, world, .. } = self;
        let stacks = threads.list.iter().flatten();
        // Above its top, a stack has what is left of calls that are over.
        let roots = stacks.flat_map(|state| &state.stack[..state.core.sp as usize]).copied();
        heap.is_full(roots, |heap, object, found| {
            let class = world.classes.get(heap.header(object)?.class().0 as usize)?;
            let ClassKind::Array(_, element) = class.kind else {
                let words = class.reference_words.iter();
                found.extend(words.filter_map(|word| heap.peek(object, *word)).map(Reference));
                return Some(class.instance_words);
            };
            let length = heap.length(object)?;
            if element == Type::Reference {
                let words = (0..length).map(|index| ARRAY_HEADER_WORDS + index);
                found.extend(words.map_while(|word| heap.peek(object, word)).map(Reference));
            }
            let bytes = u64::from(length) << element.shift();
            u32::try_from(bytes.div_ceil(8) + u64::from(ARRAY_HEADER_WORDS)).ok()
        })
    }

    fn make_exception_object(
        &mut self,
        class: &str,
        message: Option<&str>,
    ) -> Result<Reference, Trap> {
        let class = self.load_initialized(class)?;
        let text = match message {
            Some(text) => self.new_string(text)?,
            None => Reference::NULL,
        };
        let exception = self.new_object(class)?;
        self.set_field(exception, "detailMessage", text.0)?;
        self.set_field(exception, "cause", exception.0)?;
        let throwable = self.known.throwable;
        for (field, constant) in
            [("stackTrace", "UNASSIGNED_STACK"), ("suppressedExceptions", "SUPPRESSED_SENTINEL")]
        {
            let (mirror, word) = self.static_place(throwable, constant)?;
            let value = self.load(mirror, word)?;
            self.set_field(exception, field, value)?;
        }
        self.fill_in_stack_trace(exception)?;
        if self.world.field_named(class, "extendedMessageState").is_some() {
            // A null pointer's message is made from its first stack trace, if it has no other.
            self.set_field(exception, "extendedMessageState", 1)?;
        }
        Ok(exception)
    }

    /// Records where the running thread is in an exception: an array of method and instruction
    /// numbers, from the top down, without the frames of the exception's own constructors.
    pub(crate) fn fill_in_stack_trace(&mut self, exception: Reference) -> Result<(), Trap> {
        let class = self.class_of(exception)?;
        let mut trace: Vec<u64> = Vec::new();
        if let Some(thread) = self.threads.get(self.current) {
            let mut constructing = true;
            for frame in frames(&self.world, thread) {
                constructing = constructing && self.constructs(frame.method, class);
                let hidden = self.world.method(frame.method).number == u16::MAX;
                if !constructing && !hidden {
                    trace.push(u64::from(frame.method.0) << 32 | u64::from(frame.pc));
                }
                if trace.len() == TRACE_LIMIT {
                    // There can be many more, each of which may raise exceptions.
                    break;
                }
            }
        }
        let array = self.new_array(self.known.long_array, trace.len() as u32)?;
        for (index, word) in trace.iter().enumerate() {
            self.store(array, ARRAY_HEADER_WORDS + index as u32, *word)?;
        }
        self.set_field(exception, "backtrace", array.0)?;
        self.set_field(exception, "depth", trace.len() as u64)?;
        Ok(())
    }

    /// Whether a method is a constructor of the exception or fills in its stack trace.
    fn constructs(&self, method: MethodId, exception: ClassId) -> bool {
        let method = self.world.method(method);
        let name = self.world.symbols.text(method.name);
        (name == "<init>" || name == "fillInStackTrace")
            && self.world.is_subclass(exception, method.class)
    }

    /// Finds the handler of an exception, popping frames up to it.
    fn unwind(&mut self, thread: usize, exception: Reference) -> Result<LoopControl, Fault> {
        let mut exception = exception;
        let mut at_top = true;
        if let Some(dependences) = &mut self.dependences {
            dependences.throw(thread, exception.0);
        }
        loop {
            let core = *self.core(thread)?;
            let pc = if at_top { core.pc } else { core.pc.saturating_sub(1) };
            if let Some(target) = self.handler(core.method, pc, exception)? {
                let locals = self.world.method(core.method).code.local_words;
                let core = self.core_mut(thread)?;
                core.pc = target;
                core.sp = core.base + locals + FRAME_HEADER_WORDS as u32;
                self.push(thread, exception.0)?;
                return Ok(LoopControl::Reload);
            }
            let hook = self.hook(thread)?;
            match hook {
                Hook::Unlock => {
                    let object = Reference(self.last_local(thread)?);
                    match self.unlock(thread, object, true) {
                        Ok(_) => self.step.effects.push(SideEffect::Freed(object)),
                        Err(trap) => exception = self.exception_of(trap)?,
                    }
                }
                Hook::EndThread => return self.end_exceptionally(thread, exception),
                Hook::Barrier => {
                    self.pop_frame(thread)?;
                    return Ok(LoopControl::Leave(StopReason::Threw(exception)));
                }
                Hook::Initialized => {
                    let class = self.world.method(core.method).class;
                    self.finish_initialization(class, false).map_err(fault_of)?;
                    exception = self.initializer_error(exception)?;
                }
                Hook::Box | Hook::Constructed => exception = self.invocation_error(exception)?,
                Hook::None | Hook::Helped | Hook::Again => {}
            }
            self.pop_frame(thread)?;
            at_top = matches!(hook, Hook::Initialized | Hook::Helped | Hook::Again);
        }
    }

    /// Lets an exception that nobody caught end a thread: the thread's handler of such exceptions
    /// runs first, which prints it unless the program has set another. What a handler of the program
    /// has taken is no failure, unless it is an `AssertionError`: a handler that only tells of it does not
    /// make it right. What the handler itself throws is a failure, though the JVM goes on.
    fn end_exceptionally(
        &mut self,
        thread: usize,
        exception: Reference,
    ) -> Result<LoopControl, Fault> {
        let (core, object) = (*self.core(thread)?, self.thread_object(thread)?);
        self.pop_frame(thread)?;
        if core.uncaught.is_null() {
            if let Some(dependences) = &mut self.dependences {
                dependences.end_by_exception(thread, exception.0);
            }
            self.core_mut(thread)?.uncaught = exception;
            self.heap.set_reserve(Reserve::Ending);
            let class = self.load_class("java/lang/Thread").map_err(fault_of)?;
            let dispatch =
                self.world.declared(class, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
            let handler = dispatch.map(|dispatch| self.dispatching_method(thread, dispatch));
            let begun = handler.transpose().and_then(|handler| {
                handler
                    .map(|handler| self.begin(thread, handler, &[object.0, exception.0]))
                    .transpose()
            });
            if let Ok(Some(())) = begun {
                let counts = self.prints_itself(exception)? || self.is_assertion(exception)?;
                self.core_mut(thread)?.unhandled = counts;
                return Ok(LoopControl::Reload);
            }
        } else {
            let class = self.world.external_name(self.class_of(exception)?);
            let name = self.thread_name(thread);
            let text = format!(
                "\nException: {class} thrown from the UncaughtExceptionHandler in thread \"{name}\"\n"
            );
            self.console.errors.extend_from_slice(text.as_bytes());
        }
        let core = self.core_mut(thread)?;
        core.unhandled = true;
        core.uncaught = exception;
        (core.method, core.pc, core.base, core.sp) = (MethodId(0), 0, 0, 0);
        let last = self.last_method(thread).map_err(fault_of)?;
        self.begin(thread, last, &[]).map_err(fault_of)?;
        Ok(LoopControl::Reload)
    }

    /// Whether an exception has its own way of being printed, so that the machine does not see that the
    /// library prints it. It then counts as a failure whoever takes it.
    fn prints_itself(&self, exception: Reference) -> Result<bool, Fault> {
        let class = self.class_of(exception)?;
        let mut vtable = self.world.class(class).vtable.iter();
        let print = vtable.find(|method| {
            let method = self.world.method(**method);
            self.world.symbols.text(method.name) == "printStackTrace"
                && self.world.symbols.text(method.descriptor) == "(Ljava/io/PrintStream;)V"
        });
        Ok(print.is_none_or(|method| self.world.method(*method).class != self.known.throwable))
    }

    /// Whether an exception is an `AssertionError`.
    fn is_assertion(&mut self, exception: Reference) -> Result<bool, Fault> {
        let class = self.load_class("java/lang/AssertionError").map_err(fault_of)?;
        Ok(self.world.is_subclass(self.class_of(exception)?, class))
    }

    /// The method that lets the handler of a thread take an exception: what the JDK has for it, and in the
    /// main thread what that does after `main`.
    fn dispatching_method(&mut self, thread: usize, dispatch: MethodId) -> Result<MethodId, Trap> {
        let afterwards = if thread == 0 { self.last_call_of_main()? } else { None };
        let Some(afterwards) = afterwards else { return Ok(dispatch) };
        if let Some(known) = self.caches.thread_entries.get(&dispatch) {
            return Ok(*known);
        }
        let instructions = vec![
            Instruction::with(Opcode::Load, 0),
            Instruction::with(Opcode::Load, 1),
            Instruction::with(Opcode::InvokeSpecial, dispatch.0),
            afterwards,
            Instruction::new(Opcode::Return),
        ];
        let code = Code { instructions, local_words: 2, stack_words: 2, ..Code::default() };
        let class = self.world.method(dispatch).class;
        let descriptor = "(Ljava/lang/Thread;Ljava/lang/Throwable;)V";
        let made = self.add_synthetic(class, "<failed>", descriptor, access::STATIC, code)?;
        self.caches.thread_entries.insert(dispatch, made);
        Ok(made)
    }

    /// A method that does nothing, for a thread that has only its end before it; the main thread may have
    /// something to do after `main`.
    fn last_method(&mut self, thread: usize) -> Result<MethodId, Trap> {
        let afterwards = if thread == 0 { self.last_call_of_main()? } else { None };
        let place = usize::from(afterwards.is_some());
        if let Some(known) = self.caches.last_methods[place] {
            return Ok(known);
        }
        let mut instructions: Vec<Instruction> = afterwards.into_iter().collect();
        instructions.push(Instruction::new(Opcode::Return));
        let code = Code { instructions, ..Code::default() };
        let class = self.known.object;
        let last = self.add_synthetic(class, "<end>", "()V", access::STATIC, code)?;
        self.caches.last_methods[place] = Some(last);
        Ok(last)
    }

    /// The name of a thread, as the program knows it.
    pub fn thread_name(&self, thread: usize) -> String {
        let object = self.threads.get(thread).map(|thread| thread.object);
        let name = object.and_then(|object| self.get_field(object, "name").ok());
        name.and_then(|name| self.text(Reference(name)).ok()).unwrap_or_default()
    }

    /// Where the handler of an exception starts, if the method has one for this instruction.
    fn handler(
        &self,
        method: MethodId,
        pc: u32,
        exception: Reference,
    ) -> Result<Option<u32>, Fault> {
        let code = &self.world.method(method).code;
        if code.handlers.is_empty() {
            return Ok(None);
        }
        let class = self.class_of(exception)?;
        let ancestors = &self.world.class(class).ancestors;
        let handler = code.handlers.iter().find(|handler| {
            let inside = (handler.start..handler.end).contains(&pc);
            let catches =
                |name: &String| ancestors.iter().any(|id| self.world.class_name(*id) == name);
            inside && handler.catch.as_ref().is_none_or(catches)
        });
        Ok(handler.map(|handler| handler.target))
    }

    /// What a failed class initialiser throws.
    pub(crate) fn initializer_error(&mut self, exception: Reference) -> Result<Reference, Fault> {
        let error = self.load_class("java/lang/Error").map_err(fault_of)?;
        if self.world.is_subclass(self.class_of(exception)?, error) {
            return Ok(exception);
        }
        let made = self.construct(
            "java/lang/ExceptionInInitializerError",
            "(Ljava/lang/Throwable;)V",
            &[exception.0],
        );
        made.map_err(fault_of)
    }

    /// What a failed reflective call throws.
    pub(super) fn invocation_error(&mut self, exception: Reference) -> Result<Reference, Fault> {
        let made = self.construct(
            "java/lang/reflect/InvocationTargetException",
            "(Ljava/lang/Throwable;)V",
            &[exception.0],
        );
        made.map_err(fault_of)
    }

    /// A failed type cast.
    pub(crate) fn bad_cast(
        &mut self,
        object: Reference,
        target: ClassId,
    ) -> Result<LoopControl, Trap> {
        let class = self.class_of(object)?;
        let message = format!(
            "class {} cannot be cast to class {} ({})",
            self.world.external_name(class),
            self.world.external_name(target),
            self.modules_of(class, target)
        );
        Err(Trap::raise("java/lang/ClassCastException", Some(message)))
    }

    /// Whether an array of references can hold a value: the common cases.
    pub(crate) fn can_store(&self, array: Reference, value: Reference) -> bool {
        let (Ok(array), Ok(value)) = (self.class_of(array), self.class_of(value)) else {
            return true;
        };
        match self.world.class(array).element() {
            Some((element, _)) => {
                element == self.known.object || self.world.is_subclass(value, element)
            }
            None => true,
        }
    }

    /// Storing a value of the wrong class into an array.
    pub(crate) fn bad_array_store(
        &mut self,
        array: Reference,
        value: Reference,
        index: i32,
    ) -> Result<LoopControl, Trap> {
        let length = self.length(array)?;
        if index < 0 || index as u32 >= length {
            let message = format!("Index {index} out of bounds for length {length}");
            return Err(Trap::raise("java/lang/ArrayIndexOutOfBoundsException", Some(message)));
        }
        let name = self.world.external_name(self.class_of(value)?);
        Err(Trap::raise("java/lang/ArrayStoreException", Some(name)))
    }

    /// The end of a cast's message: where the two classes come from.
    fn modules_of(&self, one: ClassId, other: ClassId) -> String {
        let (first, second) = (self.module_text(one), self.module_text(other));
        let (a, b) = (self.world.external_name(one), self.world.external_name(other));
        if first == second {
            return format!("{a} and {b} are in {}", first);
        }
        format!("{a} is in {first}; {b} is in {second}")
    }

    fn module_text(&self, class: ClassId) -> String {
        let mut class = class;
        while let Some((element, _)) = self.world.class(class).element() {
            class = element;
        }
        match self.world.class(class).origin {
            crate::load::Origin::Jdk => {
                let package = self
                    .world
                    .class_name(class)
                    .rsplit_once('/')
                    .map_or("java/lang", |parts| parts.0);
                let module = self
                    .world
                    .class_path
                    .module_of(package)
                    .unwrap_or_else(|| "java.base".to_string());
                format!("module {module} of loader 'bootstrap'")
            }
            crate::load::Origin::Program => "unnamed module of loader 'app'".to_string(),
        }
    }
}

/// A trap that cannot be an exception any more.
pub(crate) fn fault_of(trap: Trap) -> Fault {
    match trap {
        Trap::Fault(fault) => fault,
        Trap::Throw(_) => Fault::internal("an exception while handling an exception"),
        Trap::Exit => Fault::internal("an exit while handling an exception"),
        Trap::Raise(raised) => Fault::internal(format!(
            "{} while handling an exception: {}",
            raised.class,
            raised.message.unwrap_or_default()
        )),
    }
}

/// An exception that could not be made because of another one.
fn while_making(raised: &Raised, other: &Raised) -> Fault {
    Fault::internal(format!("{} while making {}", other.class, raised.class))
}
