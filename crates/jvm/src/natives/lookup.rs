//! `MethodHandles.Lookup`: who may reach which member.
//!
//! **Problem.** A look-up has the rights of the class that asked for it, or fewer, and refuses what they do not
//! cover, with exceptions that programs catch. The rules are long, and they are written down in the JDK's own code.
//!
//! **Idea.** That code runs for the program's look-ups: what modes a look-up has, which classes and members it
//! may reach, what its exceptions say. Natives stand in where the JDK asks the virtual machine (`resolve` and
//! `init` find a member, and check methods, but not fields, against the class that asks, as HotSpot does) and
//! where it would build a handle. Look-ups of the JDK's own classes with all rights, which their initialisers
//! use all the time, are found directly (`natives/invoke.rs`).
//!
//! **Invariant.** A `MemberName` is new and belongs to the thread that looks up.
//!
//! **Not done.** All classes of the JDK are in one module here, and so are those of the program: packages that
//! a module does not export are not refused.

use super::invoke::descriptor_of;
use super::reflect::target_of;
use super::{Native, Reason, Reply, answer, int, local, nothing, object, reference, truth, word};
use crate::classfile::access;
use crate::dynamic::{
    GET_FIELD, GET_STATIC, Handle, INVOKE_INTERFACE, INVOKE_SPECIAL, INVOKE_STATIC, INVOKE_VIRTUAL,
    NEW_INVOKE_SPECIAL, PUT_FIELD,
};
use crate::error::Fault;
use crate::load::Origin;
use crate::machine::{Machine, Trap, raise};
use crate::memory::Reference;
use crate::world::{ClassId, FieldPlace, MethodId};

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const HANDLES: &str = "java/lang/invoke/MethodHandles";
const MEMBERS: &str = "java/lang/invoke/MethodHandleNatives";
const MEMBER: &str = "java/lang/invoke/MemberName";
const DIRECT: &str = "java/lang/invoke/DirectMethodHandle";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::MakesNew, HANDLES, "privateLookupIn", "*", private_lookup),
    local(Reason::MakesNew, LOOKUP, "in", "*", lookup_in),
    local(Reason::Refuses, LOOKUP, "revealDirect", "*", refuse_reveal),
    local(Reason::Computes, LOOKUP, "maybeBindCaller", "*", bound_caller),
    local(Reason::MakesNew, LOOKUP, "restrictReceiver", "*", restrict_receiver),
    local(Reason::MakesNew, MEMBERS, "resolve", "*", resolve),
    local(Reason::MakesNew, MEMBERS, "init", "*", init),
    local(Reason::AboutClasses, MEMBERS, "classData", "*", class_data),
    local(Reason::Constant, MEMBER, "checkForTypeAlias", "*", nothing),
    local(
        Reason::MakesNew,
        DIRECT,
        "make",
        "(BLjava/lang/Class;Ljava/lang/invoke/MemberName;Ljava/lang/Class;)\
         Ljava/lang/invoke/DirectMethodHandle;",
        make_method,
    ),
    local(
        Reason::MakesNew,
        DIRECT,
        "make",
        "(Ljava/lang/Class;Ljava/lang/invoke/MemberName;)Ljava/lang/invoke/DirectMethodHandle;",
        make_field,
    ),
    local(Reason::MakesNew, DIRECT, "makeAllocator", "*", make_constructor),
    local(Reason::MakesNew, "java/lang/invoke/VarHandles", "makeFieldHandle", "*", make_variable),
    local(
        Reason::AboutClasses,
        "jdk/internal/reflect/Reflection",
        "areNestMates",
        "*",
        are_nest_mates,
    ),
];

/// Modes of look-ups, as the JDK numbers them.
const PUBLIC: i32 = 1;
const PRIVATE: i32 = 2;
const UNCONDITIONAL: i32 = 32;
const TRUSTED: i32 = -1;

/// What kind of member a `MemberName` is, and where its flags say how it is used.
const IS_METHOD: u32 = 0x1_0000;
const IS_CONSTRUCTOR: u32 = 0x2_0000;
const IS_FIELD: u32 = 0x4_0000;
const IS_TRUSTED_FINAL: u32 = 0x20_0000;
const USE_SHIFT: u32 = 24;

impl Machine {
    /// Whether a look-up is one of the JDK's own classes with all their rights.
    pub(super) fn is_trusted_lookup(&self, lookup: Reference) -> Result<bool, Trap> {
        let modes = self.get_field(lookup, "allowedModes")? as i32;
        let class = self.mirrored(Reference(self.get_field(lookup, "lookupClass")?))?;
        let own = self.world.class(class).origin == Origin::Jdk && modes & PRIVATE != 0;
        Ok(modes == TRUSTED || own)
    }

    /// The outermost class that shares its private members with a class.
    pub(crate) fn nest_host(&mut self, class: ClassId) -> Result<ClassId, Trap> {
        let host = self.world.class(class).file.as_ref().and_then(|file| file.nest_host.clone());
        match host {
            Some(host) => self.load_class(&host),
            None => Ok(class),
        }
    }

    fn are_in_one_package(&self, one: ClassId, other: ClassId) -> bool {
        let package = |class: ClassId| {
            let name = self.world.class_name(class);
            name.rsplit_once('/').map_or("", |parts| parts.0)
        };
        package(one) == package(other)
            && self.world.class(one).origin == self.world.class(other).origin
    }

    /// Whether the code of a class may call a method, as the virtual machine decides it.
    fn may_call(&mut self, caller: ClassId, method: MethodId) -> Result<bool, Trap> {
        let (owner, flags) = {
            let method = self.world.method(method);
            (method.class, method.access)
        };
        if flags & access::PUBLIC != 0 || caller == owner {
            return Ok(true);
        }
        if flags & access::PRIVATE != 0 {
            return Ok(self.nest_host(caller)? == self.nest_host(owner)?);
        }
        let inherits = flags & access::PROTECTED != 0 && self.world.is_subclass(caller, owner);
        Ok(inherits || self.are_in_one_package(caller, owner))
    }

    /// How a call of a method is noted: one that no subclass can change is special.
    fn use_of_method(&self, method: MethodId) -> u8 {
        let method = self.world.method(method);
        let owner = self.world.class(method.class);
        match () {
            () if method.is_static() => INVOKE_STATIC,
            () if method.access & access::PRIVATE != 0 => INVOKE_SPECIAL,
            () if owner.is_interface() => INVOKE_INTERFACE,
            () if method.access & access::FINAL != 0 => INVOKE_SPECIAL,
            () if self.declared_access(method.class) & access::FINAL != 0 => INVOKE_SPECIAL,
            () => INVOKE_VIRTUAL,
        }
    }

    fn fill_method(&mut self, member: Reference, method: MethodId, kind: u32) -> Result<(), Trap> {
        let used = match kind {
            IS_CONSTRUCTOR => INVOKE_SPECIAL,
            _ => self.use_of_method(method),
        };
        let method = self.world.method(method);
        let (owner, flags) = (method.class, u32::from(method.access));
        let flags = flags | kind | u32::from(used) << USE_SHIFT;
        self.set_field(member, "flags", u64::from(flags))?;
        Ok(self.set_field(member, "clazz", self.mirror(owner).0)?)
    }

    fn fill_field(
        &mut self,
        member: Reference,
        place: FieldPlace,
        writes: bool,
    ) -> Result<(), Trap> {
        let class = self.world.class(place.class);
        let field = &class.fields[place.index];
        let used = if field.is_static() { GET_STATIC } else { GET_FIELD };
        let used = if writes { used + PUT_FIELD - GET_FIELD } else { used };
        let record = class.file.as_ref().is_some_and(|file| file.record.is_some());
        let trusted = field.is_final() && (field.is_static() || record);
        let flags = u32::from(field.access)
            | IS_FIELD
            | if trusted { IS_TRUSTED_FINAL } else { 0 }
            | u32::from(used) << USE_SHIFT;
        self.set_field(member, "flags", u64::from(flags))?;
        Ok(self.set_field(member, "clazz", self.mirror(place.class).0)?)
    }

    /// The class, name and descriptor of a member.
    fn member_parts(&mut self, member: Reference) -> Result<(ClassId, String, String), Trap> {
        let class = self.mirrored(Reference(self.get_field(member, "clazz")?))?;
        let name = self.text(Reference(self.get_field(member, "name")?))?;
        let flags = self.get_field(member, "flags")? as u32;
        let descriptor = if flags & IS_FIELD != 0 {
            let kind = self.mirrored(Reference(self.get_field(member, "type")?))?;
            self.class_descriptor(kind)
        } else {
            // A member that was found by reflection has a result and parameters in its place until it is asked.
            let kind = "()Ljava/lang/invoke/MethodType;";
            let kind = self.call_virtual(member, "getMethodType", kind, &[])?;
            descriptor_of(self, Reference(kind), None)?
        };
        Ok((class, name, descriptor))
    }

    fn field_of_member(&mut self, member: Reference) -> Result<Option<FieldPlace>, Trap> {
        let (class, name, descriptor) = self.member_parts(member)?;
        let (name, descriptor) =
            (self.world.symbols.intern(&name), self.world.symbols.intern(&descriptor));
        Ok(self.world.find_field(class, name, descriptor))
    }

    fn method_of_member(&mut self, member: Reference) -> Result<Option<MethodId>, Trap> {
        let (class, name, descriptor) = self.member_parts(member)?;
        let constructor = name == "<init>";
        let (name, descriptor) =
            (self.world.symbols.intern(&name), self.world.symbols.intern(&descriptor));
        if constructor {
            return Ok(self.world.class(class).method_index.get(&(name, descriptor)).copied());
        }
        // An interface has the methods of `Object`, too.
        let found = self.world.find_method(class, name, descriptor);
        Ok(found.or_else(|| self.world.find_method(self.known.object, name, descriptor)))
    }

    /// A handle whose receiver is of this class, which may be a subclass of the one that declares the member.
    fn with_receiver(&mut self, handle: Reference, class: ClassId) -> Result<Reference, Trap> {
        let mut types = self.handle_types(handle)?;
        if let Some(first) = types.parameters.first_mut() {
            *first = self.class_descriptor(class);
            let method_type = self.method_type(&types.descriptor())?;
            self.set_field(handle, "type", method_type.0)?;
        }
        Ok(handle)
    }
}

/// The name of a method as in the messages of the virtual machine.
fn told(machine: &Machine, method: MethodId) -> String {
    let method = machine.world.method(method);
    let owner = machine.world.external_name(method.class);
    format!("{owner}.{}", machine.world.symbols.text(method.name))
}

/// Finds what a `MemberName` names, from the class that asks: null is one that may reach everything.
fn resolve(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let member = object(arguments, 0)?;
    let caller = match reference(arguments, 1).non_null() {
        Some(mirror) => Some(machine.mirrored(mirror)?),
        None => None,
    };
    let speculative = word(arguments, 3) != 0;
    let flags = machine.get_field(member, "flags")? as u32;
    let used = (flags >> USE_SHIFT & 15) as u8;
    if flags & IS_FIELD != 0 {
        return match machine.field_of_member(member)? {
            Some(place) => {
                machine.fill_field(member, place, used >= PUT_FIELD)?;
                answer(member)
            }
            None if speculative => answer(Reference::NULL),
            None => {
                let (_, name, _) = machine.member_parts(member)?;
                raise("java/lang/NoSuchFieldError", name)
            }
        };
    }
    let Some(method) = machine.method_of_member(member)? else {
        if speculative {
            return answer(Reference::NULL);
        }
        let (class, name, descriptor) = machine.member_parts(member)?;
        let message = format!("{}.{name}{descriptor}", machine.world.external_name(class));
        return raise("java/lang/NoSuchMethodError", message);
    };
    let is_static = machine.world.method(method).is_static();
    if is_static != (used == INVOKE_STATIC) {
        if speculative {
            return answer(Reference::NULL);
        }
        let wanted = if is_static { "non-static" } else { "static" };
        let message = format!("Expected {wanted} method '{}'", told(machine, method));
        return raise("java/lang/IncompatibleClassChangeError", message);
    }
    if let Some(caller) = caller
        && !machine.may_call(caller, method)?
    {
        if speculative {
            return answer(Reference::NULL);
        }
        let message = format!(
            "class {} tried to access method '{}'",
            machine.world.external_name(caller),
            told(machine, method)
        );
        return raise("java/lang/IllegalAccessError", message);
    }
    let kind = if used == NEW_INVOKE_SPECIAL { IS_CONSTRUCTOR } else { IS_METHOD };
    machine.fill_method(member, method, kind)?;
    answer(member)
}

/// Fills a `MemberName` from a member by reflection.
fn init(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (member, reflected) = (object(arguments, 0)?, object(arguments, 1)?);
    let class = machine.class_of(reflected)?;
    match machine.world.class_name(class) {
        "java/lang/reflect/Field" => {
            let class = machine.mirrored(Reference(machine.get_field(reflected, "clazz")?))?;
            let index = machine.get_field(reflected, "slot")? as u32 as usize;
            if index >= machine.world.class(class).fields.len() {
                return Err(crate::machine::bad_reference().into());
            }
            machine.fill_field(member, FieldPlace { class, index }, false)?;
        }
        name => {
            let kind = match name {
                "java/lang/reflect/Constructor" => IS_CONSTRUCTOR,
                _ => IS_METHOD,
            };
            let method = target_of(machine, reflected)?;
            machine.fill_method(member, method, kind)?;
        }
    }
    Ok(Reply::Void)
}

/// What a hidden class was given when it was defined.
fn class_data(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(machine.get_field(object(arguments, 0)?, "classData")?))
}

fn missing<T>() -> Result<T, Trap> {
    Err(crate::machine::bad_reference().into())
}

fn make_method(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (class, member) = (machine.mirrored(object(arguments, 1)?)?, object(arguments, 2)?);
    let Some(target) = machine.method_of_member(member)? else { return missing() };
    let method = machine.world.method(target);
    let (owner, is_static) = (method.class, method.is_static());
    let kind = match int(arguments, 0) as u8 {
        INVOKE_SPECIAL => INVOKE_SPECIAL,
        _ if is_static => INVOKE_STATIC,
        _ if machine.world.class(owner).is_interface() => INVOKE_INTERFACE,
        _ => INVOKE_VIRTUAL,
    };
    let handle = Handle { kind, target: target.0, field: 0, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    if is_static || class == owner {
        return answer(made);
    }
    let made = machine.with_receiver(made, class)?;
    answer(made)
}

fn make_constructor(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let Some(target) = machine.method_of_member(object(arguments, 0)?)? else { return missing() };
    let handle = Handle { kind: NEW_INVOKE_SPECIAL, target: target.0, field: 0, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    answer(made)
}

fn make_field(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (class, member) = (machine.mirrored(object(arguments, 0)?)?, object(arguments, 1)?);
    let Some(place) = machine.field_of_member(member)? else { return missing() };
    let kind = (machine.get_field(member, "flags")? as u32 >> USE_SHIFT & 15) as u8;
    let handle = Handle { kind, target: place.class.0, field: place.index as u32, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    let is_static = machine.world.class(place.class).fields[place.index].is_static();
    if is_static || class == place.class {
        return answer(made);
    }
    let made = machine.with_receiver(made, class)?;
    answer(made)
}

fn make_variable(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let member = object(arguments, 0)?;
    let Some(place) = machine.field_of_member(member)? else { return missing() };
    let is_static = machine.world.class(place.class).fields[place.index].is_static();
    if is_static && let Some(reply) = machine.initialized_first(place.class)? {
        return Ok(reply);
    }
    let (_, name, _) = machine.member_parts(member)?;
    let handle = machine.field_handle(place.class, &name, is_static)?;
    answer(handle)
}

/// A handle of a protected member takes only receivers of the class that looks up.
fn restrict_receiver(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 3)?)?;
    let made = machine.with_receiver(object(arguments, 2)?, class)?;
    answer(made)
}

/// A method that asks who calls it finds the code that invokes the handle, which needs nothing more.
fn bound_caller(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    answer(reference(arguments, 2))
}

fn refuse_reveal(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Err(Fault::unsupported("Lookup.revealDirect, which asks what a method handle stands for")
        .into())
}

fn are_nest_mates(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (one, other) =
        (machine.mirrored(object(arguments, 0)?)?, machine.mirrored(object(arguments, 1)?)?);
    let hosts = (machine.nest_host(one)?, machine.nest_host(other)?);
    truth(hosts.0 == hosts.1)
}

/// The JDK does not open its packages to the program; all else is decided by its own code.
fn private_lookup(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (target, lookup) = (machine.mirrored(object(arguments, 0)?)?, object(arguments, 1)?);
    let instance = matches!(machine.world.class(target).kind, crate::world::ClassKind::Instance);
    let closed = machine.world.class(target).origin == Origin::Jdk;
    if !instance || !closed || machine.is_trusted_lookup(lookup)? {
        return Ok(Reply::Decline);
    }
    let name = machine.world.external_name(target);
    let package = name.rsplit_once('.').map_or("", |parts| parts.0).to_string();
    let module = machine.world.class_path.module_of(&package.replace('.', "/"));
    let module = module.unwrap_or_else(|| "java.base".to_string());
    let Reply::Word(own) = super::class::get_module(machine, &[])? else { return missing() };
    let own = machine.call_virtual(Reference(own), "toString", "()Ljava/lang/String;", &[])?;
    let own = machine.text(Reference(own))?;
    let message = format!("module {module} does not open {package} to {own}");
    raise("java/lang/IllegalAccessException", message)
}

/// A look-up that moves between the program and the JDK moves to another module and has only public rights
/// left. Other moves are decided by the JDK's own code.
fn lookup_in(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (lookup, mirror) = (object(arguments, 0)?, object(arguments, 1)?);
    let target = machine.mirrored(mirror)?;
    let modes = machine.get_field(lookup, "allowedModes")? as i32;
    let own = Reference(machine.get_field(lookup, "lookupClass")?);
    let origin = machine.world.class(machine.mirrored(own)?).origin;
    let instance = matches!(machine.world.class(target).kind, crate::world::ClassKind::Instance);
    let same = machine.world.class(target).origin == origin;
    if same || !instance || modes == TRUSTED || modes & UNCONDITIONAL != 0 {
        return Ok(Reply::Decline);
    }
    let before = Reference(machine.get_field(lookup, "prevLookupClass")?).non_null();
    let third = match before {
        Some(before) => {
            let before = machine.mirrored(before)?;
            machine.world.class(before).origin != machine.world.class(target).origin
        }
        None => false,
    };
    let public = machine.declared_access(target) & access::PUBLIC != 0;
    let modes = if third || !public { 0 } else { modes & PUBLIC };
    let class = machine.load_class(LOOKUP)?;
    let made = machine.new_object(class)?;
    machine.set_field(made, "lookupClass", mirror.0)?;
    machine.set_field(made, "prevLookupClass", own.0)?;
    machine.set_field(made, "allowedModes", u64::from(modes as u32))?;
    answer(made)
}
