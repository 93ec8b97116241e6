//! `java.lang.Object`, references, and access control.

use smallvec::smallvec;

use super::{
    Native, Reason, Reply, answer, answer_int, contents, local, nothing, object, operations,
    reference, thread, truth, zero,
};
use crate::classfile::Type;
use crate::dynamic::{Body, Handle, PUT_FIELD};
use crate::machine::{Machine, PermanentNames, Trap, raise};
use crate::memory::{ARRAY_HEADER_WORDS, Hook, OBJECT_HEADER_WORDS, PERMANENT, Reference};
use crate::world::ClassKind;

const OBJECT: &str = "java/lang/Object";
const REFERENCE: &str = "java/lang/ref/Reference";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::AboutClasses, OBJECT, "getClass", "*", get_class),
    local(Reason::Computes, OBJECT, "hashCode", "*", hash_code),
    contents(OBJECT, "clone", "*", clone),
    thread(OBJECT, "wait", "(J)V", &operations::WAIT),
    thread(OBJECT, "wait0", "(J)V", &operations::WAIT),
    thread(OBJECT, "notify", "()V", &operations::NOTIFY),
    thread(OBJECT, "notifyAll", "()V", &operations::NOTIFY_ALL),
    contents(REFERENCE, "clear0", "*", clear_reference),
    contents(REFERENCE, "refersTo0", "*", refers_to),
    contents("java/lang/ref/PhantomReference", "refersTo0", "*", refers_to),
    contents("java/lang/ref/PhantomReference", "clear0", "*", clear_reference),
    local(Reason::Constant, REFERENCE, "getAndClearReferencePendingList", "*", zero),
    local(Reason::Constant, REFERENCE, "hasReferencePendingList", "*", zero),
    local(Reason::Constant, "java/lang/ref/Finalizer", "register", "*", nothing),
    local(Reason::RunsOther, "java/security/AccessController", "doPrivileged", "*", do_privileged),
    local(
        Reason::Constant,
        "java/security/AccessController",
        "getStackAccessControlContext",
        "*",
        zero,
    ),
    local(
        Reason::Constant,
        "java/security/AccessController",
        "getInheritedAccessControlContext",
        "*",
        zero,
    ),
    local(Reason::Constant, "java/security/AccessController", "getContext", "*", zero),
    local(Reason::Constant, "java/security/AccessController", "checkPermission", "*", nothing),
    local(
        Reason::Constant,
        "java/security/AccessController",
        "ensureMaterializedForStackWalk",
        "*",
        nothing,
    ),
    // Nothing is ever collected, so the thread that would clean up afterwards never starts.
    local(Reason::Constant, "jdk/internal/ref/CleanerImpl", "start", "*", nothing),
];

fn get_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.class_of(object(arguments, 0)?)?;
    answer(machine.mirror(class))
}

fn hash_code(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let hash = machine.identity_hash(object(arguments, 0)?)?;
    answer_int(hash)
}

fn clone(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let original = object(arguments, 0)?;
    let class = machine.class_of(original)?;
    let cloneable = machine.load_class("java/lang/Cloneable")?;
    if !machine.world.is_subclass(class, cloneable) {
        return raise("java/lang/CloneNotSupportedException", machine.world.external_name(class));
    }
    let (copy, first, end) = match machine.world.class(class).kind {
        ClassKind::Array(_, element) => {
            let length = machine.length(original)?;
            let bytes = u64::from(length) << element.shift();
            let words = ARRAY_HEADER_WORDS + bytes.div_ceil(8) as u32;
            let copy = machine.new_array(class, length)?;
            if machine.is_reached(original) {
                let body = Body::Copy { kind: element, backwards: false, returns: true };
                let words = [original.0, 0, copy.0, 0, u64::from(length), copy.0];
                return machine.in_sight(body, &words);
            }
            (copy, ARRAY_HEADER_WORDS, words)
        }
        _ if machine.is_reached(original) => {
            let copy = machine.new_object(class)?;
            return machine.in_sight(Body::CopyFields(class), &[original.0, copy.0]);
        }
        _ => (
            machine.new_object(class)?,
            OBJECT_HEADER_WORDS,
            machine.world.class(class).instance_words,
        ),
    };
    machine.worked(8 * u64::from(end))?;
    for word in first..end {
        let value = machine.heap.load(original, word).ok_or_else(crate::machine::bad_reference)?;
        machine.store(copy, word, value)?;
    }
    machine.copy_unknown_elements(original, 0, copy, 0, u32::MAX)?;
    answer(copy)
}

fn clear_reference(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let holder = object(arguments, 0)?;
    if machine.is_reached(holder) {
        let place = machine.field_place(machine.class_of(holder)?, "referent")?;
        let field = place.index as u32;
        let handle = Handle { kind: PUT_FIELD, target: place.class.0, field, bound: false };
        let site = machine.world.symbols.intern("(Ljava/lang/Object;Ljava/lang/Object;)V");
        let adapter = machine.handle_adapter(handle, site)?;
        return Ok(Reply::Call(adapter, smallvec![holder.0, 0], Hook::None));
    }
    machine.set_field(holder, "referent", 0)?;
    Ok(Reply::Void)
}

fn refers_to(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let holder = object(arguments, 0)?;
    if machine.is_reached(holder) {
        let place = machine.field_place(machine.class_of(holder)?, "referent")?;
        let word = machine.world.class(place.class).fields[place.index].word;
        let words = [holder.0, reference(arguments, 1).0];
        return machine.in_sight(Body::RefersTo(place.class, word), &words);
    }
    let referent = machine.get_field(holder, "referent")?;
    truth(referent == reference(arguments, 1).0)
}

/// Runs the action in place of the call.
fn do_privileged(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let action = object(arguments, 0)?;
    let class = machine.class_of(action)?;
    let name = machine.world.symbols.intern("run");
    let descriptor = machine.world.symbols.intern("()Ljava/lang/Object;");
    match machine.world.find_method(class, name, descriptor) {
        Some(run) => Ok(Reply::Call(run, smallvec![action.0], Hook::None)),
        None => raise("java/lang/NoSuchMethodError", "run"),
    }
}

impl Machine {
    /// The identity hash of an object, made from its name: the same in all executions in which its
    /// creator does the same.
    pub(crate) fn identity_hash(&mut self, object: Reference) -> Result<i32, Trap> {
        if object.is_null() {
            return Ok(0);
        }
        if self.is_boxed(object) {
            return Err(crate::interpret::identity_wanted().into());
        }
        let name = if object.segment() == PERMANENT {
            self.permanent_name(object)?
        } else {
            let thread = object.segment() as usize - 2;
            self.thread_path_hash(thread) ^ u64::from(object.offset())
        };
        // Positive and never zero, like those of the JVM.
        Ok((mix(name) as i32 & 0x7FFF_FFFF).max(1))
    }

    fn permanent_name(&mut self, object: Reference) -> Result<u64, Trap> {
        let class = self.class_of(object)?;
        if self.world.class_name(class) == "java/lang/Class" {
            let mirrored = self.mirrored(object)?;
            return Ok(hash_text(self.world.class_name(mirrored)));
        }
        if class == self.known.string {
            return Ok(hash_text(&self.text(object)?));
        }
        let (name, number) = self.permanent_place(object);
        Ok(name ^ u64::from(number))
    }

    /// After what a permanent object is named, and its number there.
    pub(crate) fn permanent_place(&self, object: Reference) -> (u64, u32) {
        let index =
            self.caches.permanent_names.partition_point(|names| names.start <= object.offset());
        match index.checked_sub(1).map(|index| self.caches.permanent_names[index]) {
            Some(names) => (names.name, object.offset().wrapping_sub(names.base)),
            None => (0, object.offset()),
        }
    }

    /// Notes that what is made permanently from now on is named after something.
    pub(crate) fn name_permanent_objects(&mut self, text: &str) {
        let start = self.heap.top(PERMANENT);
        self.add_permanent_names(PermanentNames { start, base: start, name: hash_text(text) });
    }

    /// Goes on with names after something else has been made, if it has.
    pub(crate) fn resume_permanent_names(&mut self, top: u32, names: Option<PermanentNames>) {
        let start = self.heap.top(PERMANENT);
        if let Some(names) = names
            && start > top
        {
            let base = names.base.wrapping_add(start - top);
            self.add_permanent_names(PermanentNames { start, base, name: names.name });
        }
    }

    fn add_permanent_names(&mut self, names: PermanentNames) {
        match self.caches.permanent_names.last_mut() {
            Some(last) if last.start == names.start => *last = names,
            _ => self.caches.permanent_names.push(names),
        }
    }

    pub(crate) fn thread_path_hash(&self, thread: usize) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325;
        let mut current = thread;
        while let Some((parent, number)) =
            self.thread_names.get(current).copied().filter(|_| current != 0)
        {
            hash = mix(hash ^ u64::from(number));
            current = parent;
        }
        hash
    }

    /// The elements of an array of references.
    pub(crate) fn references(&self, array: Reference) -> Result<Vec<Reference>, Trap> {
        if self.element_type(array)?.1 != Type::Reference {
            return raise("java/lang/IllegalArgumentException", "not an array of references");
        }
        let length = self.length(array)?;
        (0..length).map(|index| self.array_reference(array, index).map_err(Trap::from)).collect()
    }
}

/// Spreads the bits of a number.
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let value = (value ^ value >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    value ^ value >> 33
}

/// A hash of a text that is the same everywhere.
pub(crate) fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    })
}
