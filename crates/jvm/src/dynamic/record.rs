//! `toString`, `hashCode` and `equals` of records (`ObjectMethods`).

use super::DynamicSite;
use super::assemble::Assembly;
use crate::classfile::{Constant, MemberRef, Type, access};
use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::world::{ClassId, Recipe, RecipePart};

/// Jump targets to be filled in.
const FALSE: u32 = u32::MAX;
const TRUE: u32 = u32::MAX - 1;

/// A component with its place in the object.
struct Component {
    name: String,
    descriptor: String,
    word: u32,
    /// The instruction that reads it.
    read: Opcode,
}

impl Machine {
    pub(super) fn link_record(&mut self, site: &DynamicSite) -> Result<Instruction, Trap> {
        let bad = || Trap::Fault(Fault::invalid("a record method with unusual static arguments"));
        let [class, names, getters @ ..] = &site.arguments[..] else { return Err(bad()) };
        let class = self.class_constant(site.host, *class)?;
        let names = self.constant_text(site.host, *names)?;
        let mut components = Vec::new();
        for (name, getter) in names.split(';').filter(|name| !name.is_empty()).zip(getters) {
            let Constant::MethodHandle(_, member) = self.constant(site.host, *getter) else {
                return Err(bad());
            };
            let member: MemberRef = self.member_constant(site.host, member)?;
            let (_, field) = self.resolve_field_ref(&member)?;
            components.push(Component {
                name: name.to_string(),
                descriptor: member.descriptor,
                word: field.word,
                read: if field.hidden { Opcode::GetFieldHidden } else { Opcode::GetField },
            });
        }
        let (code, locals) = match site.name.as_str() {
            "toString" => (self.record_text(class, &components)?, 1),
            "hashCode" => (self.record_hash(&components)?, 1),
            "equals" => (self.record_equality(class, &components)?, 2),
            _ => return Err(bad()),
        };
        let code = code.finish(locals, components.len() as u32 + 4);
        let target =
            self.add_synthetic(site.host, &site.name, &site.descriptor, access::STATIC, code)?;
        Ok(Instruction::with(Opcode::InvokeStatic, target.0))
    }

    fn record_text(&mut self, class: ClassId, components: &[Component]) -> Result<Assembly, Trap> {
        let mut assembly = Assembly::default();
        let mut parts = Vec::new();
        let mut text = format!("{}[", self.simple_name(class));
        for (index, component) in components.iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            text.push_str(&format!("{}=", component.name));
            parts.push(RecipePart::Text(std::mem::take(&mut text).encode_utf16().collect()));
            assembly.with(Opcode::Load, 0);
            assembly.with(component.read, component.word);
            let kind = self.concat_argument(&mut assembly, &component.descriptor)?;
            parts.push(RecipePart::Argument(kind));
        }
        text.push(']');
        parts.push(RecipePart::Text(text.encode_utf16().collect()));
        self.world.recipes.push(Recipe { parts });
        let recipe = self.world.recipes.len() as u32 - 1;
        assembly.push(Instruction::with2(Opcode::Concatenate, recipe, components.len() as u16));
        assembly.op(Opcode::ReturnWord);
        Ok(assembly)
    }

    fn record_hash(&mut self, components: &[Component]) -> Result<Assembly, Trap> {
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Constant, 0);
        for component in components {
            assembly.with(Opcode::Constant, 31);
            assembly.op(Opcode::IntMultiply);
            assembly.with(Opcode::Load, 0);
            assembly.with(component.read, component.word);
            let (class, descriptor) = match Type::of_field(&component.descriptor) {
                Some(Type::Long) => ("java/lang/Long", "(J)I"),
                Some(Type::Float) => ("java/lang/Float", "(F)I"),
                Some(Type::Double) => ("java/lang/Double", "(D)I"),
                Some(Type::Boolean) => ("java/lang/Boolean", "(Z)I"),
                Some(Type::Reference) => ("java/util/Objects", "(Ljava/lang/Object;)I"),
                _ => ("java/lang/Integer", "(I)I"),
            };
            let call = self.library_call(class, "hashCode", descriptor)?;
            assembly.push(call);
            assembly.op(Opcode::IntAdd);
        }
        assembly.op(Opcode::ReturnWord);
        Ok(assembly)
    }

    fn record_equality(
        &mut self,
        class: ClassId,
        components: &[Component],
    ) -> Result<Assembly, Trap> {
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::Load, 1);
        assembly.with(Opcode::IfReferenceEqual, TRUE);
        assembly.with(Opcode::Load, 1);
        assembly.with(Opcode::InstanceOf, class.0);
        assembly.with(Opcode::IfZero, FALSE);
        for component in components {
            for object in 0..2 {
                assembly.with(Opcode::Load, object);
                assembly.with(component.read, component.word);
            }
            let (library, jump) = match Type::of_field(&component.descriptor) {
                Some(Type::Long) => {
                    assembly.op(Opcode::LongCompare);
                    (None, Opcode::IfNotZero)
                }
                Some(Type::Float) => {
                    (Some(("java/lang/Float", "compare", "(FF)I")), Opcode::IfNotZero)
                }
                Some(Type::Double) => {
                    (Some(("java/lang/Double", "compare", "(DD)I")), Opcode::IfNotZero)
                }
                Some(Type::Reference) => {
                    let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                    (Some(("java/util/Objects", "equals", descriptor)), Opcode::IfZero)
                }
                _ => (None, Opcode::IfIntNotEqual),
            };
            if let Some((class, name, descriptor)) = library {
                let call = self.library_call(class, name, descriptor)?;
                assembly.push(call);
            }
            assembly.with(jump, FALSE);
        }
        assembly.land(TRUE);
        assembly.with(Opcode::Constant, 1);
        assembly.op(Opcode::ReturnWord);
        assembly.land(FALSE);
        assembly.with(Opcode::Constant, 0);
        assembly.op(Opcode::ReturnWord);
        Ok(assembly)
    }
}
