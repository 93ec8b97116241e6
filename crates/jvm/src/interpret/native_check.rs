//! Checks that natives touch no shared memory behind the explorer's back.
//!
//! **Problem.** A native runs at once, inside whatever step calls it. If it reads or writes something
//! that another thread can reach, no event says so, every explorer takes the step for independent of
//! others, and an error is missed. That a row of the table of natives calls itself local is only a claim.
//!
//! **Idea.** The claim is checked. While a native runs, the heap notes every access to the content of an
//! object that other threads can reach ([`Heap::watch`](crate::memory::Heap::watch)). Each access must have
//! been to something that cannot change any more or that belongs to the machine: a final field, a field
//! listed as hidden (`world/link.rs`), a word that the machine added to the class. Everything else is a
//! defect of the native: tests and debug builds stop and name it, other builds end the execution as
//! unsupported. So a native that is given something shared has to check the header first
//! ([`Machine::is_reached`]) and let byte code do the work (`dynamic/native_bodies.rs`), whose accesses
//! are operations like any other.
//!
//! The same holds for code of the program or the JDK that the machine calls (`nested.rs`), which cannot
//! stop either: there the interpreter itself checks the object. Initialisers of the JDK that run once
//! for all executions are excepted: they are checked where they run (`initialize.rs`).

use smallvec::SmallVec;

use super::frame::frames;
use super::run::LoopControl;
use super::variable::MemoryCell;
use crate::broken;
use crate::classfile::Type;
use crate::error::Fault;
use crate::load::Origin;
use crate::machine::{Machine, Trap};
use crate::memory::Reference;
use crate::natives::{Native, NativeEffect, Reason, Reply};
use crate::world::MethodId;

impl Machine {
    /// Runs the function of a native, which must not touch what other threads can reach.
    pub(crate) fn run_native(
        &mut self,
        target: MethodId,
        native: &Native,
        arguments: &[u64],
    ) -> Result<Reply, Trap> {
        let part = matches!(native.effect, NativeEffect::Local(Reason::PartOfOperation));
        if !self.concurrent || self.nesting.permanent > 0 || part {
            return (native.function)(self, arguments);
        }
        if broken::is_local(native) {
            let concurrent = std::mem::replace(&mut self.concurrent, false);
            let reply = (native.function)(self, arguments);
            self.concurrent = concurrent;
            return reply;
        }
        let outer = self.heap.watch();
        let reply = (native.function)(self, arguments);
        let noted = self.heap.end_watch(outer);
        match self.undeclared(&noted) {
            None => reply,
            Some(object) => Err(self.defect(target, object)),
        }
    }

    /// Code that cannot stop is about to access something that other threads can reach.
    pub(crate) fn undeclared_here(&mut self, thread: usize) -> Result<LoopControl, Trap> {
        let state = self.threads.get(thread);
        let caller = state.and_then(|state| {
            frames(&self.world, state).find(|frame| self.is_of_program(frame.method))
        });
        let here = caller.map_or(self.core(thread)?.method, |frame| frame.method);
        Err(self.defect(here, Reference::NULL))
    }

    fn is_of_program(&self, method: MethodId) -> bool {
        self.world.class(self.world.method(method).class).origin == Origin::Program
    }

    /// The first object among the noted accesses that should not have been touched.
    fn undeclared(&self, noted: &SmallVec<[(Reference, u32); 4]>) -> Option<Reference> {
        let touched = noted.iter().find(|(object, word)| !self.may_touch(*object, *word));
        touched.map(|(object, _)| *object)
    }

    fn may_touch(&self, object: Reference, word: u32) -> bool {
        let Ok(class) = self.class_of(object) else { return true };
        if self.world.class(class).element().is_some() {
            return false;
        }
        if object == self.mirror_of(object, class) && word >= self.known.mirror_words {
            return self.static_field_at(object, word).is_none_or(|is_final| is_final);
        }
        let cell = MemoryCell::field(object, word, Type::Long);
        self.field_at(cell).is_none_or(|field| field.constant)
    }

    /// The object itself if it is the mirror of a class.
    fn mirror_of(&self, object: Reference, class: crate::world::ClassId) -> Reference {
        let is_mirror = self.world.class_name(class) == "java/lang/Class";
        if is_mirror { object } else { Reference::NULL }
    }

    /// Whether the static field at a word of a mirror is final; none if there is none.
    fn static_field_at(&self, mirror: Reference, word: u32) -> Option<bool> {
        let class = self.mirrored(mirror).ok()?;
        let fields = &self.world.class(class).fields;
        let field = fields.iter().find(|field| field.is_static() && field.word == word)?;
        Some(field.is_final())
    }

    /// A native, or code that it called, has touched what it must not touch.
    fn defect(&self, method: MethodId, object: Reference) -> Trap {
        let name = self.world.method_name(method);
        let what = match self.class_of(object) {
            Ok(class) if !object.is_null() => {
                format!(
                    "{name} on an object of {} that threads share",
                    self.world.external_name(class)
                )
            }
            _ => format!("{name}, run by the library on something that threads share"),
        };
        if cfg!(debug_assertions) {
            panic!("not part of any footprint: {what}");
        }
        Fault::unsupported(what).into()
    }
}
