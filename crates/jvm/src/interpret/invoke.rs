//! Calls and returns that need more than a new frame.

use smallvec::SmallVec;

use super::access::AccessKind;
use super::run::{LoopControl, StopReason};
use super::threads::OperationResult;
use super::unknown::misleading_number;
use crate::code;
use crate::dynamic::Body;
use crate::error::{Fault, FaultKind};
use crate::machine::{INTERFACE_CACHE, Machine, Trap};
use crate::memory::{HiddenMemory, Hook, Reference};
use crate::natives::{Native, NativeEffect, Reply};
use crate::unknown::is_unknown;
use crate::world::{ClassId, MethodEntry, MethodId};

impl Machine {
    /// Calls a method whose arguments are on the operand stack of the thread.
    pub(crate) fn invoke(
        &mut self,
        thread: usize,
        target: MethodId,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        if self.step.fuel <= 1 {
            self.refuel()?;
        }
        self.step.fuel -= 1;
        if self.world.method(target).entry == MethodEntry::Undecoded {
            self.decode(target)?;
        }
        if self.unknowns.active
            && let Some(flow) = self.concretise_arguments(thread, target)?
        {
            return Ok(flow);
        }
        match self.world.method(target).entry {
            MethodEntry::Native => self.call_native(thread, target, perform),
            MethodEntry::Abstract => Err(self.abstract_call(target)),
            _ => self.enter(thread, target, perform),
        }
    }

    /// A call of a method without implementation. Handles of the machine's own have none of what the
    /// JDK combines handles with.
    fn abstract_call(&self, target: MethodId) -> Trap {
        let name = self.world.method_name(target);
        if self.world.class_name(self.world.method(target).class).starts_with("java/lang/invoke/") {
            return Fault::unsupported(format!(
                "combined method handles ({name}); call the method directly or through a lambda"
            ))
            .into();
        }
        Trap::raise("java/lang/AbstractMethodError", Some(name))
    }

    /// Pushes the frame of a method with byte code, locking first if it is synchronized.
    fn enter(
        &mut self,
        thread: usize,
        target: MethodId,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        let resume = self.core(thread)?.pc + 1;
        if !self.world.method(target).is_synchronized() {
            self.push_frame(thread, target, Hook::None, resume)?;
            return Ok(LoopControl::Reload);
        }
        let object = self.lock_of(thread, target)?;
        if !self.lock(thread, object, perform)? {
            return Ok(LoopControl::Leave(StopReason::Visible));
        }
        self.push_frame(thread, target, Hook::Unlock, resume)?;
        self.set_last_local(thread, object.0)?;
        Ok(LoopControl::Reload)
    }

    /// What a synchronized method locks, when its arguments are on the operand stack.
    pub(crate) fn lock_of(&self, thread: usize, target: MethodId) -> Result<Reference, Fault> {
        let method = self.world.method(target);
        if method.is_static() {
            return Ok(self.world.class(method.class).mirror);
        }
        self.operand(thread, usize::from(method.arguments) - 1).map(Reference)
    }

    /// Decodes the byte code of a method.
    pub(crate) fn decode(&mut self, target: MethodId) -> Result<(), Trap> {
        let method = self.world.method(target);
        let class = self.world.class(method.class);
        let info = class.file.as_ref().and_then(|file| {
            let info = file.methods.get(usize::from(method.number))?;
            Some((file, info, info.code.as_ref()?))
        });
        let Some((file, info, attribute)) = info else {
            return Err(FaultKind::MissingNative { method: self.world.method_name(target) }.into());
        };
        let mut code = code::decode(file, info, attribute).map_err(|cause| FaultKind::Class {
            name: self.world.external_name(method.class),
            what: cause.to_string(),
        })?;
        let is_initializer = class.initializer == Some(target);
        let method = &mut self.world.methods[target.0 as usize];
        if method.is_synchronized() {
            // One more word for the object that was locked.
            code.local_words += 1;
        }
        method.code = code;
        if method.entry == MethodEntry::Undecoded {
            method.entry = if method.is_synchronized() {
                MethodEntry::Synchronized
            } else {
                MethodEntry::Code
            };
        }
        if is_initializer {
            self.initialize_superclass_first(target);
        }
        Ok(())
    }

    fn call_native(
        &mut self,
        thread: usize,
        target: MethodId,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        let method = self.world.method(target);
        let Some(native) = method.native else {
            return Err(FaultKind::MissingNative { method: self.world.method_name(target) }.into());
        };
        let count = usize::from(method.arguments);
        self.note_native(native);
        let mut arguments: SmallVec<[u64; 8]> = SmallVec::new();
        if let Some(state) = self.threads.get(thread) {
            let sp = state.core.sp as usize;
            arguments.extend_from_slice(&state.stack[sp - count..sp]);
        }
        let effect = &native.effect;
        let reply = match effect {
            NativeEffect::Local(_) | NativeEffect::Contents => {
                self.run_native(target, native, &arguments)?
            }
            NativeEffect::Input => Reply::Word(self.read_input(native.name, &arguments)?),
            &NativeEffect::Memory(atomic, kind, _) => {
                match self.unsafe_access(atomic, kind, &arguments, perform)? {
                    Ok(_) if atomic == AccessKind::Set => Reply::Void,
                    Ok(word) => Reply::Word(word),
                    Err(flow) => return Ok(flow),
                }
            }
            NativeEffect::Thread(operation) => {
                let result = self.thread_operation(thread, operation, &arguments, perform)?;
                return self.after_operation(thread, target, result, perform);
            }
            NativeEffect::Future(operation) => {
                let result = self.enter_completion(thread, *operation, &arguments, perform)?;
                return self.after_operation(thread, target, result, perform);
            }
            NativeEffect::Files => {
                let answers = self.world.method(target).types.result.is_some();
                let result = self.file_operation(&arguments, answers, perform)?;
                return self.after_operation(thread, target, result, perform);
            }
            NativeEffect::Jdk(operation) => {
                let result = self.perform_jdk_operation(thread, operation, &arguments, perform)?;
                return self.after_operation(thread, target, result, perform);
            }
        };
        match reply {
            Reply::Void => {
                self.pop(thread, count)?;
                self.core_mut(thread)?.pc += 1;
            }
            Reply::Word(word) => {
                if self.unknowns.active && effect.is_function() && is_unknown(word) {
                    return Err(misleading_number().into());
                }
                self.pop(thread, count)?;
                self.push(thread, word)?;
                self.core_mut(thread)?.pc += 1;
            }
            Reply::Call(target, arguments, hook) => {
                self.pop(thread, count)?;
                for word in &arguments {
                    self.push(thread, *word)?;
                }
                return self.call_instead(thread, target, hook);
            }
            Reply::Again { body, arguments, replaced } => {
                if let Some((index, word)) = replaced {
                    self.set_operand(thread, count - 1 - index, word)?;
                }
                let resume = self.core(thread)?.pc;
                for word in &arguments {
                    self.push(thread, *word)?;
                }
                self.push_frame(thread, body, Hook::Again, resume)?;
            }
            Reply::Decline => {
                self.decode_replaced(target)?;
                return self.enter(thread, target, perform);
            }
        }
        Ok(LoopControl::Reload)
    }

    /// Notes that a native is called where others can notice what it does, if somebody wants to know.
    fn note_native(&mut self, native: &'static Native) {
        if self.concurrent
            && let Some(coverage) = &mut self.coverage
        {
            coverage.natives.insert(native.key());
        }
    }

    /// Goes on after a visible operation that was a call, or stops before it.
    fn after_operation(
        &mut self,
        thread: usize,
        target: MethodId,
        result: OperationResult,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        match result {
            OperationResult::Done(word) => {
                self.pop(thread, usize::from(self.world.method(target).arguments))?;
                if let Some(word) = word {
                    self.push(thread, word)?;
                }
                self.core_mut(thread)?.pc += 1;
            }
            OperationResult::Stop => return Ok(LoopControl::Leave(StopReason::Visible)),
            OperationResult::Decline => {
                self.decode_replaced(target)?;
                return self.enter(thread, target, perform);
            }
            OperationResult::CallFirst(method, receiver) => {
                let resume = self.core(thread)?.pc;
                self.push(thread, receiver.0)?;
                self.push_frame(thread, method, Hook::Helped, resume)?;
            }
            OperationResult::RunHidden => {
                self.decode_replaced(target)?;
                let flow = self.enter(thread, target, perform)?;
                if flow == LoopControl::Reload {
                    let core = self.core_mut(thread)?;
                    core.hidden = core.hidden.and(HiddenMemory::INTERNALS);
                }
                return Ok(flow);
            }
        }
        Ok(LoopControl::Reload)
    }

    /// Decodes the byte code of a method that has a native in its place, if it is needed after all.
    pub(super) fn decode_replaced(&mut self, target: MethodId) -> Result<(), Trap> {
        let decoded = !self.world.method(target).code.instructions.is_empty();
        if decoded { Ok(()) } else { self.decode(target) }
    }

    /// Calls a method in place of the one that the present instruction named. What may have to stop
    /// before it begins (it locks, or is an operation itself) is called by an instruction of its own, in a
    /// frame between.
    fn call_instead(
        &mut self,
        thread: usize,
        target: MethodId,
        hook: Hook,
    ) -> Result<LoopControl, Trap> {
        if self.world.method(target).entry == MethodEntry::Undecoded {
            self.decode(target)?;
        }
        let body = match self.world.method(target).entry {
            MethodEntry::Abstract => return Err(self.abstract_call(target)),
            MethodEntry::Native | MethodEntry::Synchronized => self.body(Body::Call(target))?,
            MethodEntry::Code | MethodEntry::Undecoded => target,
        };
        let resume = self.core(thread)?.pc + 1;
        self.push_frame(thread, body, hook, resume)?;
        Ok(LoopControl::Reload)
    }

    /// Finds the implementation of an interface method and remembers it for the next try.
    pub(crate) fn find_implementation(
        &mut self,
        class: ClassId,
        wanted: MethodId,
    ) -> Result<LoopControl, Trap> {
        if class.0 as usize >= self.world.classes.len() {
            return Err(crate::machine::bad_reference().into());
        }
        let found = self.world.implementation(class, wanted);
        let interface = self.world.method(wanted).class;
        let Some(found) = found else {
            if !self.world.is_subclass(class, interface) {
                let message = format!(
                    "class {} does not implement {}",
                    self.world.external_name(class),
                    self.world.external_name(interface)
                );
                return Err(Trap::raise("java/lang/IncompatibleClassChangeError", Some(message)));
            }
            return Err(self.abstract_call(wanted));
        };
        self.world.classes[class.0 as usize].implementations.insert(wanted, found);
        let slot = (class.0.wrapping_mul(31) ^ wanted.0) as usize % INTERFACE_CACHE;
        self.caches.interface_cache[slot] = (class, wanted, found);
        Ok(LoopControl::Reload)
    }

    /// Returns from a frame with a hook.
    pub(crate) fn leave(
        &mut self,
        thread: usize,
        result: Option<u64>,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        let hook = self.hook(thread)?;
        let mut result = result;
        match hook {
            Hook::None => {}
            Hook::Unlock => {
                let object = Reference(self.last_local(thread)?);
                if !self.unlock(thread, object, perform)? {
                    return Ok(LoopControl::Leave(StopReason::Visible));
                }
            }
            Hook::EndThread
                if !perform
                    && self.threads_can_notice()
                    && (self.options.notice_ends || !self.busy_reading(thread).is_empty()) =>
            {
                return Ok(LoopControl::Leave(StopReason::Visible));
            }
            Hook::EndThread => {
                self.end_thread(thread)?;
                return Ok(LoopControl::Leave(StopReason::Ended));
            }
            Hook::Barrier => {
                self.pop_frame(thread)?;
                return Ok(LoopControl::Leave(StopReason::Returned(result.unwrap_or(0))));
            }
            Hook::Initialized => {
                let class = self.world.method(self.core(thread)?.method).class;
                self.finish_initialization(class, true)?;
            }
            Hook::Box => {
                let result_type = self.world.method(self.core(thread)?.method).types.result;
                let boxed = match (result, result_type) {
                    (Some(word), Some(result_type)) => self.boxed(word, result_type)?,
                    _ => Reference::NULL,
                };
                result = Some(boxed.0);
            }
            // The object lies below the constructor's arguments already.
            Hook::Constructed | Hook::Again => result = None,
            Hook::Helped => self.core_mut(thread)?.helped = true,
        }
        self.pop_frame(thread)?;
        if let Some(word) = result {
            self.push(thread, word)?;
        }
        Ok(LoopControl::Reload)
    }
}
