//! Pattern switches (`SwitchBootstraps`), as `javac` of Java 21 and newer compiles them.

use super::DynamicSite;
use super::assemble::Assembly;
use crate::classfile::descriptor::split_method;
use crate::classfile::{Constant, access};
use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::world::{ClassId, SwitchLabel};

impl Machine {
    pub(super) fn link_switch(&mut self, site: &DynamicSite) -> Result<Instruction, Trap> {
        let bad = || Trap::Fault(Fault::invalid("a malformed descriptor of a call site"));
        let (parameters, _) = split_method(&site.descriptor).ok_or_else(bad)?;
        let selector = parameters.first().ok_or_else(bad)?.to_string();
        if !selector.starts_with(['L', '[']) {
            return self.link_primitive_switch(site);
        }
        let is_enum = site.bootstrap.name == "enumSwitch";
        let mut labels = Vec::new();
        for index in &site.arguments {
            let label =
                self.switch_label(site.host, *index, is_enum.then_some(selector.as_str()))?;
            labels.push(label);
        }
        self.world.switches.push(labels);
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Load, 0);
        assembly.with(Opcode::Load, 1);
        assembly.with(Opcode::SelectCase, self.world.switches.len() as u32 - 1);
        assembly.op(Opcode::ReturnWord);
        let code = assembly.finish(2, 3);
        let target =
            self.add_synthetic(site.host, &site.name, &site.descriptor, access::STATIC, code)?;
        Ok(Instruction::with(Opcode::InvokeStatic, target.0))
    }

    /// A switch over a component of a primitive type, all of whose cases name that type: the first
    /// one from the restart index on is taken.
    fn link_primitive_switch(&mut self, site: &DynamicSite) -> Result<Instruction, Trap> {
        for index in &site.arguments {
            let is_type = matches!(self.constant(site.host, *index), Constant::Dynamic(..));
            if !is_type || self.site(site.host, *index)?.bootstrap.name != "primitiveClass" {
                return Err(
                    Fault::unsupported("a switch over a primitive type with other labels").into()
                );
            }
        }
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Load, 1);
        assembly.op(Opcode::ReturnWord);
        let code = assembly.finish(2, 1);
        let target =
            self.add_synthetic(site.host, &site.name, &site.descriptor, access::STATIC, code)?;
        Ok(Instruction::with(Opcode::InvokeStatic, target.0))
    }

    fn switch_label(
        &mut self,
        host: ClassId,
        index: u16,
        of_enum: Option<&str>,
    ) -> Result<SwitchLabel, Trap> {
        match self.constant(host, index) {
            Constant::Class(_) => match self.class_constant(host, index) {
                Ok(class) => Ok(SwitchLabel::Class(class)),
                Err(Trap::Raise(..)) => Ok(SwitchLabel::Never),
                Err(other) => Err(other),
            },
            Constant::Integer(value) => Ok(SwitchLabel::Integer(value)),
            Constant::String(text) => {
                let units = self.constant_units(host, text)?;
                match of_enum {
                    Some(selector) => Ok(SwitchLabel::Enum(self.load_descriptor(selector)?, units)),
                    None => Ok(SwitchLabel::Text(units)),
                }
            }
            Constant::Dynamic(..) => self.enum_label(host, index),
            _ => Err(Fault::unsupported("a switch with a label of an unusual type").into()),
        }
    }

    /// A label that names a constant of an enumeration: `EnumDesc.of(ClassDesc.of(class), name)`.
    fn enum_label(&mut self, host: ClassId, index: u16) -> Result<SwitchLabel, Trap> {
        let bad = || Trap::Fault(Fault::unsupported("a switch with a computed label"));
        let site = self.site(host, index)?;
        let [_, class, name] = &site.arguments[..] else { return Err(bad()) };
        let inner = self.site(host, *class)?;
        let text = inner.arguments.last().ok_or_else(bad)?;
        let class = self.constant_text(host, *text)?.replace('.', "/");
        let name = self.constant_text(host, *name)?;
        let class = self.load_class(&class)?;
        Ok(SwitchLabel::Enum(class, name.encode_utf16().collect()))
    }
}
