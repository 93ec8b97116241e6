//! Computed constants (`ConstantBootstraps` and enumeration classes).

use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::world::ClassId;

impl Machine {
    /// The instruction that pushes a computed constant.
    pub(crate) fn resolve_computed(
        &mut self,
        host: ClassId,
        index: u16,
    ) -> Result<Instruction, Trap> {
        let site = self.site(host, index)?;
        let bootstrap = (site.bootstrap.class.as_str(), site.bootstrap.name.as_str());
        match bootstrap {
            ("java/lang/invoke/ConstantBootstraps", "nullConstant") => {
                Ok(Instruction::with(Opcode::Constant, 0))
            }
            ("java/lang/invoke/ConstantBootstraps", "primitiveClass") => {
                let class = self.load_descriptor(&site.name)?;
                Ok(Instruction::with(Opcode::ConstantReference, self.mirror(class).offset()))
            }
            (class, name) => {
                let class = class.replace('/', ".");
                Err(Fault::unsupported(format!("a constant computed by {class}.{name}")).into())
            }
        }
    }
}
