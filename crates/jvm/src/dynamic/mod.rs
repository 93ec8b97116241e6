//! Dynamic call sites and computed constants, linked by the machine itself.
//!
//! The JDK links them by spinning classes and method handle trees at run time. The machine knows the
//! bootstrap methods that `javac` uses and writes, for each site, a small method in its own
//! instruction set: lambdas and method references, string concatenation, the methods of records,
//! pattern switches. A site with another bootstrap method is a fault that names it.

mod assemble;
mod combine;
mod concat;
mod constant;
mod handle;
mod lambda;
mod native_bodies;
mod record;
mod switch;
mod var_handle;

pub(crate) use assemble::unwrapped;
pub(crate) use combine::HandleTypes;
pub(crate) use handle::Handle;
pub(crate) use lambda::{
    GET_FIELD, GET_STATIC, INVOKE_INTERFACE, INVOKE_SPECIAL, INVOKE_STATIC, INVOKE_VIRTUAL,
    LAMBDA_CLASS, NEW_INVOKE_SPECIAL, PUT_FIELD, PUT_STATIC,
};
pub(crate) use native_bodies::{Body, byte_index};
pub(crate) use var_handle::widen_argument;

use crate::classfile::{Constant, MemberRef};
use crate::code::Instruction;
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::world::ClassId;

/// A dynamic call site: what its class file says about it.
#[derive(Debug, Clone)]
pub(crate) struct DynamicSite {
    /// The class it is in.
    pub(crate) host: ClassId,
    /// The bootstrap method.
    pub(crate) bootstrap: MemberRef,
    /// Its static arguments, as constants of the host.
    pub(crate) arguments: Vec<u16>,
    /// The name given to the site.
    pub(crate) name: String,
    /// The descriptor of the site.
    pub(crate) descriptor: String,
}

impl Machine {
    /// The instruction that a dynamic call site amounts to.
    pub(crate) fn resolve_dynamic(
        &mut self,
        host: ClassId,
        index: u16,
    ) -> Result<Instruction, Trap> {
        let site = self.site(host, index)?;
        match (site.bootstrap.class.as_str(), site.bootstrap.name.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", _) => self.link_lambda(&site),
            ("java/lang/invoke/StringConcatFactory", _) => self.link_concat(&site),
            ("java/lang/runtime/ObjectMethods", _) => self.link_record(&site),
            ("java/lang/runtime/SwitchBootstraps", _) => self.link_switch(&site),
            (class, name) => {
                let class = class.replace('/', ".");
                Err(Fault::unsupported(format!("a call site linked by {class}.{name}")).into())
            }
        }
    }

    /// What the class file says about a dynamic call site or computed constant.
    pub(crate) fn site(&self, host: ClassId, index: u16) -> Result<DynamicSite, Trap> {
        let missing = || Trap::Fault(Fault::internal("a dynamic constant is missing"));
        let file = self.world.class(host).file.as_ref().ok_or_else(missing)?;
        let (Constant::Dynamic(bootstrap, pair) | Constant::InvokeDynamic(bootstrap, pair)) =
            file.pool.get(index)
        else {
            return Err(missing());
        };
        let (name, descriptor) = file.pool.name_and_type(&file.bytes, pair).ok_or_else(missing)?;
        let method = file.bootstraps.get(usize::from(bootstrap)).ok_or_else(missing)?;
        let Constant::MethodHandle(_, member) = file.pool.get(method.method) else {
            return Err(missing());
        };
        let bootstrap = file.pool.member(&file.bytes, member).ok_or_else(missing)?;
        Ok(DynamicSite { host, bootstrap, arguments: method.arguments.clone(), name, descriptor })
    }

    /// An entry of the constant pool of a class.
    pub(crate) fn constant(&self, class: ClassId, index: u16) -> Constant {
        self.world.class(class).file.as_ref().map_or(Constant::Unused, |file| file.pool.get(index))
    }

    /// A text of the constant pool of a class, through a string or method type constant.
    pub(crate) fn constant_text(&self, class: ClassId, index: u16) -> Result<String, Trap> {
        let (Constant::String(text) | Constant::MethodType(text)) = self.constant(class, index)
        else {
            return Err(
                Fault::invalid("a static argument of a call site has the wrong type").into()
            );
        };
        Ok(String::from_utf16_lossy(&self.constant_units(class, text)?))
    }
}
