//! `StackWalker`: the calls of the running thread as a stream of frames.
//!
//! The JDK fetches frames from the JVM in batches while the stream is consumed. Here all frames are
//! made at once, each with its method and instruction in two words of the machine's own.

use smallvec::SmallVec;

use super::{Native, Reason, Reply, answer, answer_int, local, object, zero};
use crate::error::Fault;
use crate::machine::{Machine, Trap, raise};
use crate::memory::{Hook, Reference};
use crate::world::MethodId;

const WALKER: &str = "java/lang/StackWalker";
const FRAME: &str = "java/lang/StackFrameInfo";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::RunsOther, WALKER, "walk", "*", walk),
    local(Reason::RunsOther, WALKER, "forEach", "*", for_each),
    local(Reason::OwnThread, WALKER, "getCallerClass", "*", caller_class),
    local(Reason::OwnThread, FRAME, "getClassName", "*", class_name),
    local(Reason::OwnThread, FRAME, "declaringClass", "*", declaring_class),
    local(Reason::OwnThread, FRAME, "getMethodName", "*", method_name),
    local(Reason::OwnThread, FRAME, "getDescriptor", "*", descriptor),
    local(Reason::OwnThread, FRAME, "getByteCodeIndex", "*", byte_code_index),
    local(Reason::Constant, FRAME, "isNativeMethod", "*", zero),
    local(Reason::OwnThread, FRAME, "toStackTraceElement", "*", element),
];

impl Machine {
    /// Methods and instructions of the running thread that programs may see, from the top down.
    fn visible_frames(&self) -> Vec<(MethodId, u32)> {
        let Some(thread) = self.threads.get(self.current) else { return Vec::new() };
        let frames = crate::interpret::frames(&self.world, thread);
        let shown = frames.filter(|frame| self.world.method(frame.method).number != u16::MAX);
        shown.map(|frame| (frame.method, frame.pc)).collect()
    }

    /// A stream of the frames of the running thread.
    fn frame_stream(&mut self, walker: Reference) -> Result<Reference, Trap> {
        let class = self.load_initialized(FRAME)?;
        let retains = self.get_field(walker, "retainClassRef")?;
        let first = self.world.class(class).instance_words - 2;
        let mut frames = Vec::new();
        for (method, pc) in self.visible_frames() {
            let frame = self.new_object(class)?;
            self.set_field(frame, "retainClassRef", retains)?;
            self.store(frame, first, u64::from(method.0))?;
            self.store(frame, first + 1, u64::from(pc))?;
            frames.push(frame);
        }
        let array = self.reference_array(class, &frames)?;
        let descriptor = "([Ljava/lang/Object;)Ljava/util/stream/Stream;";
        Ok(Reference(self.call_static("java/util/Arrays", "stream", descriptor, &[array.0])?))
    }

    /// The method and the instruction of a frame.
    fn frame_place(&self, arguments: &[u64]) -> Result<(MethodId, u32), Trap> {
        let frame = object(arguments, 0)?;
        let first = self.world.class(self.class_of(frame)?).instance_words.wrapping_sub(2);
        let method = MethodId(self.load(frame, first)? as u32);
        if method.0 as usize >= self.world.methods.len() {
            return Err(Fault::internal("a frame without a method").into());
        }
        Ok((method, self.load(frame, first + 1)? as u32))
    }

    /// A call of a method of an interface on an object, in place of a native.
    fn call_on(
        &mut self,
        receiver: Reference,
        name: &str,
        descriptor: &str,
        argument: Reference,
    ) -> Result<Reply, Trap> {
        let class = self.class_of(receiver)?;
        let (name, descriptor) =
            (self.world.symbols.intern(name), self.world.symbols.intern(descriptor));
        let Some(target) = self.world.find_method(class, name, descriptor) else {
            return Err(Fault::internal("a frame stream or its function without a method").into());
        };
        let words = SmallVec::from_slice(&[receiver.0, argument.0]);
        Ok(Reply::Call(target, words, Hook::None))
    }
}

fn walk(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (walker, function) = (object(arguments, 0)?, object(arguments, 1)?);
    let stream = machine.frame_stream(walker)?;
    machine.call_on(function, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;", stream)
}

fn for_each(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (walker, action) = (object(arguments, 0)?, object(arguments, 1)?);
    let stream = machine.frame_stream(walker)?;
    machine.call_on(stream, "forEach", "(Ljava/util/function/Consumer;)V", action)
}

fn caller_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.get_field(object(arguments, 0)?, "retainClassRef")? == 0 {
        return raise(
            "java/lang/UnsupportedOperationException",
            "This stack walker does not have RETAIN_CLASS_REFERENCE access",
        );
    }
    match machine.visible_frames().get(1) {
        Some((method, _)) => answer(machine.mirror(machine.world.method(*method).class)),
        None => raise("java/lang/IllegalCallerException", "no caller frame"),
    }
}

fn class_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (method, _) = machine.frame_place(arguments)?;
    let name = machine.world.external_name(machine.world.method(method).class);
    let string = machine.literal_text(&name)?;
    answer(string)
}

fn declaring_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (method, _) = machine.frame_place(arguments)?;
    answer(machine.mirror(machine.world.method(method).class))
}

fn method_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (method, _) = machine.frame_place(arguments)?;
    let name = machine.world.symbols.text(machine.world.method(method).name).to_string();
    let string = machine.literal_text(&name)?;
    answer(string)
}

fn descriptor(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (method, _) = machine.frame_place(arguments)?;
    let text = machine.world.symbols.text(machine.world.method(method).descriptor).to_string();
    let string = machine.literal_text(&text)?;
    answer(string)
}

fn byte_code_index(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (method, pc) = machine.frame_place(arguments)?;
    let offset = machine.world.method(method).code.offsets.get(pc as usize).copied();
    answer_int(offset.map_or(-1, |offset| offset as i32))
}

fn element(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (method, pc) = machine.frame_place(arguments)?;
    let class = machine.load_initialized("java/lang/StackTraceElement")?;
    let made = machine.new_object(class)?;
    machine.fill_element(made, method, pc)?;
    answer(made)
}
