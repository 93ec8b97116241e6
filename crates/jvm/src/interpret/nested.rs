//! Calls from the machine's own code into the program's or the JDK's.
//!
//! Such a call runs to its end at once: inside it nothing is a visible operation. It serves what the
//! program cannot interleave with anyway: initialisers of the JDK, `toString` for a report, the
//! machine's own start.

use super::run::StopReason;
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Trap};
use crate::memory::{Hook, Reference};
use crate::world::{MethodEntry, MethodId};

/// Calls inside calls inside calls; a bound on the machine's own stack.
const DEPTH_LIMIT: u32 = 200;

impl Machine {
    /// Calls a method and returns its result (0 for `void`).
    pub(crate) fn call(&mut self, target: MethodId, arguments: &[u64]) -> Result<u64, Trap> {
        if self.nesting.machine_calls >= DEPTH_LIMIT {
            return Err(Trap::raise("java/lang/StackOverflowError", None));
        }
        if self.world.method(target).entry == MethodEntry::Undecoded {
            self.decode(target)?;
        }
        let method = self.world.method(target);
        if method.entry == MethodEntry::Abstract {
            return Err(
                Fault::internal(format!("{} is abstract", self.world.method_name(target))).into()
            );
        }
        if method.entry == MethodEntry::Native {
            return self.call_native_directly(target, arguments);
        }
        self.call_code(target, arguments)
    }

    /// Calls a method with decoded byte code.
    fn call_code(&mut self, target: MethodId, arguments: &[u64]) -> Result<u64, Trap> {
        let thread = self.current;
        for word in arguments {
            self.push(thread, *word)?;
        }
        let resume = self.core(thread)?.pc;
        let monitor = if method_is_synchronized(self, target) {
            Some(self.lock_of(thread, target)?)
        } else {
            None
        };
        self.nesting.machine_calls += 1;
        let pushed = match monitor {
            Some(object) => self.lock(thread, object, true).map(|_| ()),
            None => Ok(()),
        }
        .and_then(|()| self.push_frame(thread, target, Hook::Barrier, resume));
        // The loop itself looks at what it meets.
        let watched = self.heap.look_away();
        let stop = pushed.and_then(|()| self.run(thread, false).map_err(Trap::Fault));
        self.heap.resume_watch(watched);
        self.nesting.machine_calls -= 1;
        if let Some(object) = monitor {
            self.unlock(thread, object, true)?;
        }
        match stop? {
            StopReason::Returned(word) => Ok(word),
            StopReason::Threw(exception) => Err(Trap::Throw(exception)),
            StopReason::Exited => Err(Trap::Exit),
            StopReason::Visible | StopReason::Ended => Err(Fault::unsupported(format!(
                "{} has to wait for another thread",
                self.world.method_name(target)
            ))
            .into()),
        }
    }

    fn call_native_directly(&mut self, target: MethodId, arguments: &[u64]) -> Result<u64, Trap> {
        use crate::natives::Reply;
        let Some(native) = self.world.method(target).native else {
            return Err(FaultKind::MissingNative { method: self.world.method_name(target) }.into());
        };
        if !native.effect.is_function() {
            return Err(Fault::unsupported(format!(
                "{} called by the machine",
                self.world.method_name(target)
            ))
            .into());
        }
        let thread = self.current;
        let known = arguments.iter().map(|word| self.pinned(thread, *word));
        let arguments = known.collect::<smallvec::SmallVec<[u64; 8]>>();
        match self.run_native(target, native, &arguments)? {
            Reply::Void => Ok(0),
            Reply::Word(word) => Ok(word),
            Reply::Call(target, arguments, Hook::None) => self.call(target, &arguments),
            Reply::Decline => {
                self.decode_replaced(target)?;
                self.call_code(target, &arguments)
            }
            Reply::Call(..) | Reply::Again { .. } => Err(Fault::unsupported(format!(
                "{} called by the machine",
                self.world.method_name(target)
            ))
            .into()),
        }
    }

    /// Calls a method of an object by its names, the one its class has.
    pub(crate) fn call_virtual(
        &mut self,
        object: Reference,
        name: &str,
        descriptor: &str,
        arguments: &[u64],
    ) -> Result<u64, Trap> {
        let class = self.class_of(object)?;
        let (name, descriptor) =
            (self.world.symbols.intern(name), self.world.symbols.intern(descriptor));
        let Some(target) = self.world.find_method(class, name, descriptor) else {
            let class = self.world.external_name(class);
            let name = self.world.symbols.text(name);
            return Err(
                Fault::unsupported(format!("this JDK: {class} has no method {name}")).into()
            );
        };
        let mut words = vec![object.0];
        words.extend_from_slice(arguments);
        self.call(target, &words)
    }

    /// Calls a static method by its names, initialising its class first.
    pub(crate) fn call_static(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        arguments: &[u64],
    ) -> Result<u64, Trap> {
        let class = self.load_initialized(class)?;
        let Some(target) = self.world.declared(class, name, descriptor) else {
            let class = self.world.external_name(class);
            return Err(Fault::unsupported(format!(
                "this JDK: {class} has no method {name}{descriptor}"
            ))
            .into());
        };
        self.call(target, arguments)
    }

    /// Makes an object with a constructor.
    pub(crate) fn construct(
        &mut self,
        class: &str,
        descriptor: &str,
        arguments: &[u64],
    ) -> Result<Reference, Trap> {
        let class = self.load_initialized(class)?;
        let Some(target) = self.world.declared(class, "<init>", descriptor) else {
            let class = self.world.external_name(class);
            return Err(Fault::unsupported(format!(
                "this JDK: {class} has no constructor {descriptor}"
            ))
            .into());
        };
        let object = self.new_object(class)?;
        let mut words = vec![object.0];
        words.extend_from_slice(arguments);
        self.call(target, &words)?;
        Ok(object)
    }
}

fn method_is_synchronized(machine: &Machine, method: MethodId) -> bool {
    machine.world.method(method).is_synchronized()
}
