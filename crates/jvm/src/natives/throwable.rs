//! Stack traces.

use super::{Native, Reason, Reply, answer, contents, local, nothing, object, reference};
use crate::classfile::Type;
use crate::error::Fault;
use crate::load::Origin;
use crate::machine::{Machine, Trap};
use crate::memory::Reference;
use crate::world::MethodId;

const ELEMENT: &str = "java/lang/StackTraceElement";

/// Flags of `StackTraceElement.format`: the loader and the module's version are not printed.
const PLAIN_FORMAT: u64 = 3;

pub(super) static NATIVES: &[Native] = &[
    contents("java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;", fill_in),
    local(Reason::MakesNew, ELEMENT, "initStackTraceElements", "*", init_elements),
    local(Reason::Constant, ELEMENT, "computeFormat", "*", nothing),
    local(
        Reason::MakesNew,
        "java/lang/NullPointerException",
        "getExtendedNPEMessage",
        "*",
        null_message,
    ),
    local(
        Reason::RunsOther,
        "java/lang/Throwable",
        "printStackTrace",
        "(Ljava/io/PrintStream;)V",
        print,
    ),
];

fn fill_in(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let exception = object(arguments, 0)?;
    if machine.is_reached(exception) {
        let what = "filling in the stack trace of an exception that threads share";
        return Err(Fault::unsupported(what).into());
    }
    machine.fill_in_stack_trace(exception)?;
    answer(exception)
}

/// The library prints an exception that no handler of the program has taken.
fn print(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let thread = machine.current;
    let core = machine.core(thread)?;
    let caller = machine.world.method(core.method);
    let called = (machine.world.class_name(caller.class), machine.world.symbols.text(caller.name));
    let last = called == ("java/lang/ThreadGroup", "uncaughtException");
    if last && core.uncaught == object(arguments, 0)? {
        machine.core_mut(thread)?.unhandled = true;
    }
    Ok(Reply::Decline)
}

fn null_message(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.null_message(object(arguments, 0)?) {
        Some(message) => {
            let string = machine.new_string(&message)?;
            answer(string)
        }
        None => answer(Reference::NULL),
    }
}

/// Fills an array of elements from a backtrace, given directly or in its exception.
fn init_elements(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let elements = object(arguments, 0)?;
    let given = reference(arguments, 1);
    let is_trace = !given.is_null() && machine.class_of(given)? == machine.known.long_array;
    let trace = if is_trace {
        given
    } else {
        Reference(machine.get_field(object(arguments, 1)?, "backtrace")?)
    };
    let count = machine.length(elements)?.min(machine.length(trace)?);
    for index in 0..count {
        let word = machine.heap.element(trace, index, Type::Long.shift()).unwrap_or(0);
        let element = machine.array_reference(elements, index)?;
        machine.fill_element(element, MethodId((word >> 32) as u32), word as u32)?;
    }
    Ok(Reply::Void)
}

impl Machine {
    /// What was null where an exception was thrown, in the JVM's words.
    pub(crate) fn null_message(&self, exception: Reference) -> Option<String> {
        let trace = Reference(self.get_field(exception, "backtrace").ok()?).non_null()?;
        let word = self.heap.element(trace, 0, Type::Long.shift())?;
        let method = self.world.method(MethodId((word >> 32) as u32));
        let offset = *method.code.offsets.get(word as u32 as usize)?;
        let file = self.world.class(method.class).file.as_ref()?;
        let info = file.methods.get(usize::from(method.number))?;
        crate::code::null_message(file, info, offset)
    }

    /// The calls in which an exception was made, innermost first.
    pub(crate) fn backtrace(&self, exception: Reference) -> Vec<(MethodId, u32)> {
        let trace = self.get_field(exception, "backtrace").map(Reference);
        let Some(trace) = trace.ok().and_then(Reference::non_null) else { return Vec::new() };
        let length = self.length(trace).unwrap_or(0);
        let words =
            (0..length).filter_map(|index| self.heap.element(trace, index, Type::Long.shift()));
        words.map(|word| (MethodId((word >> 32) as u32), word as u32)).collect()
    }

    /// Fills a `StackTraceElement`.
    pub(super) fn fill_element(
        &mut self,
        element: Reference,
        method: MethodId,
        pc: u32,
    ) -> Result<(), Trap> {
        let place = self.place(method, pc);
        let mut fields =
            vec![("declaringClass", Some(place.class)), ("methodName", Some(place.method))];
        fields.push(("fileName", place.file));
        fields.push(("moduleName", place.module));
        for (field, text) in fields {
            let string = match text {
                Some(text) => self.literal_text(&text)?,
                None => Reference::NULL,
            };
            self.set_field(element, field, string.0)?;
        }
        self.set_field(element, "lineNumber", u64::from(place.line as u32))?;
        self.set_field(element, "format", PLAIN_FORMAT)?;
        Ok(())
    }

    /// Where an instruction is, for people.
    pub(crate) fn place(&self, method: MethodId, pc: u32) -> CodePlace {
        let found = self.world.method(method);
        let class = self.world.class(found.class);
        let module = match class.origin {
            Origin::Jdk => {
                let package = self
                    .world
                    .class_name(found.class)
                    .rsplit_once('/')
                    .map(|parts| parts.0.to_string());
                package.and_then(|package| self.world.class_path.module_of(&package))
            }
            Origin::Program => None,
        };
        let is_native = found.code.instructions.is_empty();
        CodePlace {
            class: self.world.external_name(found.class),
            method: self.world.symbols.text(found.name).to_string(),
            file: class.file.as_ref().and_then(|file| file.source_file.clone()),
            module,
            line: if is_native { -2 } else { found.code.line(pc).map_or(-1, i32::from) },
        }
    }
}

/// Where an instruction is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CodePlace {
    /// The class, with dots.
    pub(crate) class: String,
    /// The method's name.
    pub(crate) method: String,
    /// The source file.
    pub(crate) file: Option<String>,
    /// The module, for classes of the JDK.
    pub(crate) module: Option<String>,
    /// The line; -1 if unknown, -2 in a native method.
    pub(crate) line: i32,
}

impl std::fmt::Display for CodePlace {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(module) = &self.module {
            write!(out, "{module}/")?;
        }
        write!(out, "{}.{}", self.class, self.method)?;
        match &self.file {
            _ if self.line == -2 => write!(out, "(Native Method)"),
            None => write!(out, "(Unknown Source)"),
            Some(file) if self.line < 0 => write!(out, "({file})"),
            Some(file) => write!(out, "({file}:{})", self.line),
        }
    }
}
