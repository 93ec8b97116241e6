//! Lambdas and method references (`LambdaMetafactory`).
//!
//! Each site gets a class with one field per captured value and one method that converts the
//! arguments and calls the body. A site that captures nothing has one object for all executions.

use smallvec::SmallVec;

use super::DynamicSite;
use super::assemble::Assembly;
use crate::classfile::descriptor::split_method;
use crate::classfile::{Constant, MemberRef, access};
use crate::code::{Instruction, Opcode};
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Trap};
use crate::memory::OBJECT_HEADER_WORDS;
use crate::world::{Class, ClassId, InitPolicy};

/// Reference kinds of method handle constants.
pub(crate) const GET_FIELD: u8 = 1;
pub(crate) const GET_STATIC: u8 = 2;
pub(crate) const PUT_FIELD: u8 = 3;
pub(crate) const PUT_STATIC: u8 = 4;
pub(crate) const INVOKE_VIRTUAL: u8 = 5;
pub(crate) const INVOKE_STATIC: u8 = 6;
pub(crate) const INVOKE_SPECIAL: u8 = 7;
pub(crate) const NEW_INVOKE_SPECIAL: u8 = 8;
pub(crate) const INVOKE_INTERFACE: u8 = 9;

/// Flags of `altMetafactory`.
const FLAG_SERIALIZABLE: i32 = 1;
const FLAG_MARKERS: i32 = 2;
const FLAG_BRIDGES: i32 = 4;

/// What the names of the classes of lambdas have between that of their host and a number.
pub(crate) const LAMBDA_CLASS: &str = "$$Lambda$";

/// What a lambda implements and runs.
struct Lambda {
    /// The interface, and further ones.
    interfaces: Vec<ClassId>,
    /// Types of captured values.
    captured: Vec<String>,
    /// Descriptors that the method is called with: the erased one and bridges.
    erased: Vec<String>,
    /// The descriptor as used at this site.
    used: String,
    /// How the body is called.
    kind: u8,
    /// The body.
    body: MemberRef,
}

impl Machine {
    pub(super) fn link_lambda(&mut self, site: &DynamicSite) -> Result<Instruction, Trap> {
        let lambda = self.read_lambda(site)?;
        let host = self.world.class_name(site.host).to_string();
        let name = format!("{host}{LAMBDA_CLASS}{}", self.world.classes.len());
        let class = self.lambda_class(site.host, &name, &lambda)?;
        for erased in lambda.erased.clone() {
            self.lambda_method(class, &site.name, &erased, &lambda)?;
        }
        match u16::try_from(lambda.captured.len()) {
            Ok(0) => {
                // The number in its name says when it was made, which is not always the same.
                let named_after =
                    format!("{host} {}{} {:?}", site.name, site.descriptor, site.arguments);
                let object = self.permanently(|machine| {
                    machine.name_permanent_objects(&named_after);
                    machine.new_object(class)
                })?;
                Ok(Instruction::with(Opcode::ConstantReference, object.offset()))
            }
            Ok(count) => Ok(Instruction::with2(Opcode::NewLambda, class.0, count)),
            Err(_) => {
                Err(FaultKind::Limit { what: "a lambda captures more values than can be counted" }
                    .into())
            }
        }
    }

    fn read_lambda(&mut self, site: &DynamicSite) -> Result<Lambda, Trap> {
        let bad = || Trap::Fault(Fault::invalid("a lambda with unusual static arguments"));
        let (captured, interface) = split_method(&site.descriptor).ok_or_else(bad)?;
        let [erased, body, used, rest @ ..] = &site.arguments[..] else { return Err(bad()) };
        let Constant::MethodHandle(kind, member) = self.constant(site.host, *body) else {
            return Err(bad());
        };
        let mut lambda = Lambda {
            interfaces: vec![self.load_descriptor(interface)?],
            captured: captured.iter().map(|text| text.to_string()).collect(),
            erased: vec![self.constant_text(site.host, *erased)?],
            used: self.constant_text(site.host, *used)?,
            kind,
            body: self.member_constant(site.host, member)?,
        };
        self.read_extras(site, rest, &mut lambda)?;
        Ok(lambda)
    }

    /// The further static arguments of `altMetafactory`: flags, marker interfaces, bridges.
    fn read_extras(
        &mut self,
        site: &DynamicSite,
        rest: &[u16],
        lambda: &mut Lambda,
    ) -> Result<(), Trap> {
        let Some((flags, mut rest)) = rest.split_first() else { return Ok(()) };
        let Constant::Integer(flags) = self.constant(site.host, *flags) else { return Ok(()) };
        if flags & FLAG_SERIALIZABLE != 0 {
            lambda.interfaces.push(self.load_class("java/io/Serializable")?);
        }
        for flag in [FLAG_MARKERS, FLAG_BRIDGES] {
            if flags & flag == 0 {
                continue;
            }
            let Some((count, tail)) = rest.split_first() else { break };
            let Constant::Integer(count) = self.constant(site.host, *count) else { break };
            let count = (count.max(0) as usize).min(tail.len());
            for index in &tail[..count] {
                if flag == FLAG_MARKERS {
                    let marker = self.class_constant(site.host, *index)?;
                    lambda.interfaces.push(marker);
                } else {
                    let bridge = self.constant_text(site.host, *index)?;
                    lambda.erased.push(bridge);
                }
            }
            rest = &tail[count..];
        }
        Ok(())
    }

    fn lambda_class(
        &mut self,
        host: ClassId,
        name: &str,
        lambda: &Lambda,
    ) -> Result<ClassId, Trap> {
        let mut all_interfaces = lambda.interfaces.clone();
        for interface in &lambda.interfaces {
            all_interfaces.extend_from_slice(&self.world.class(*interface).all_interfaces);
        }
        all_interfaces.sort_unstable();
        all_interfaces.dedup();
        let is_reference = |text: &String| text.starts_with('L') || text.starts_with('[');
        let words = (OBJECT_HEADER_WORDS..).zip(&lambda.captured);
        let class = Class {
            access: access::FINAL | access::SYNTHETIC,
            origin: self.world.class(host).origin,
            superclass: Some(self.known.object),
            interfaces: lambda.interfaces.clone(),
            all_interfaces,
            vtable: self.world.class(self.known.object).vtable.clone(),
            instance_words: OBJECT_HEADER_WORDS + lambda.captured.len() as u32,
            reference_words: words.filter(|pair| is_reference(pair.1)).map(|pair| pair.0).collect(),
            policy: InitPolicy::Done,
            ..self.bare_class(name)
        };
        self.add_class(class)
    }

    fn lambda_method(
        &mut self,
        class: ClassId,
        name: &str,
        erased: &str,
        lambda: &Lambda,
    ) -> Result<(), Trap> {
        let bad = || Trap::Fault(Fault::invalid("a lambda with a malformed descriptor"));
        let (outer, outer_result) = split_method(erased).ok_or_else(bad)?;
        let (used, used_result) = split_method(&lambda.used).ok_or_else(bad)?;
        let wanted = self.body_parameters(lambda).ok_or_else(bad)?;
        let captured = lambda.captured.len();
        if outer.len() != used.len() || wanted.len() != captured + outer.len() {
            return Err(bad());
        }
        let mut assembly = Assembly::default();
        self.before_arguments(&mut assembly, lambda)?;
        for (index, (from, to)) in lambda.captured.iter().zip(&wanted).enumerate() {
            assembly.with(Opcode::Load, 0);
            assembly.with(Opcode::GetFieldHidden, OBJECT_HEADER_WORDS + index as u32);
            self.convert(&mut assembly, from, to)?;
        }
        for (index, ((outer, used), to)) in
            outer.iter().zip(&used).zip(&wanted[captured..]).enumerate()
        {
            assembly.with(Opcode::Load, index as u32 + 1);
            self.convert(&mut assembly, outer, used)?;
            self.convert(&mut assembly, used, to)?;
        }
        let result = self.call_body(&mut assembly, lambda)?;
        if outer_result == "V" {
            if result != "V" {
                assembly.op(Opcode::Pop);
            }
            assembly.op(Opcode::Return);
        } else {
            self.convert(&mut assembly, &result, used_result)?;
            self.convert(&mut assembly, used_result, outer_result)?;
            assembly.op(Opcode::ReturnWord);
        }
        let code = assembly.finish(outer.len() as u32 + 1, wanted.len() as u32 + 4);
        let target = self.add_synthetic(class, name, erased, access::PUBLIC, code)?;
        let method = self.world.method(target);
        let key = (method.name, method.descriptor);
        let class = &mut self.world.classes[class.0 as usize];
        class.method_index.insert(key, target);
        class.methods.push(target);
        Ok(())
    }

    /// Types of what the body takes, its receiver included.
    fn body_parameters(&self, lambda: &Lambda) -> Option<SmallVec<[String; 8]>> {
        let mut parameters = SmallVec::new();
        if !matches!(lambda.kind, INVOKE_STATIC | NEW_INVOKE_SPECIAL) {
            let class = &lambda.body.class;
            parameters.push(if class.starts_with('[') {
                class.clone()
            } else {
                format!("L{class};")
            });
        }
        let (declared, _) = split_method(&lambda.body.descriptor)?;
        parameters.extend(declared.iter().map(|text| text.to_string()));
        Some(parameters)
    }

    fn before_arguments(&mut self, assembly: &mut Assembly, lambda: &Lambda) -> Result<(), Trap> {
        if lambda.kind == NEW_INVOKE_SPECIAL {
            let class = self.load_class(&lambda.body.class)?;
            self.rehearse(class)?;
            assembly.with(Opcode::NewInitialize, class.0);
            assembly.op(Opcode::Duplicate);
        }
        Ok(())
    }

    /// Writes the call of the body and returns the type of its result.
    fn call_body(&mut self, assembly: &mut Assembly, lambda: &Lambda) -> Result<String, Trap> {
        self.note_asking_by(&lambda.body);
        let (_, target) = self.resolve_method_ref(&lambda.body)?;
        let result = lambda.body.descriptor.rsplit_once(')').map_or("V", |parts| parts.1);
        let call = match lambda.kind {
            INVOKE_STATIC => self.static_call(target)?,
            INVOKE_SPECIAL | NEW_INVOKE_SPECIAL => Instruction::with2(
                Opcode::InvokeSpecial,
                target.0,
                self.world.method(target).arguments,
            ),
            INVOKE_VIRTUAL | INVOKE_INTERFACE => self.virtual_call(target),
            kind => {
                return Err(Fault::unsupported(format!(
                    "a lambda whose body is handle kind {kind}"
                ))
                .into());
            }
        };
        assembly.push(call);
        if lambda.kind == NEW_INVOKE_SPECIAL {
            return Ok(format!("L{};", lambda.body.class));
        }
        Ok(result.to_string())
    }
}
