//! String concatenation (`StringConcatFactory`).

use super::DynamicSite;
use super::assemble::Assembly;
use crate::classfile::descriptor::split_method;
use crate::classfile::{Constant, Type, access};
use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::world::{Recipe, RecipePart};

/// Stands for an argument in a recipe.
const ARGUMENT: u16 = 1;
/// Stands for a constant in a recipe.
const CONSTANT: u16 = 2;

impl Machine {
    /// A method that turns all arguments into strings or integers and joins them.
    pub(super) fn link_concat(&mut self, site: &DynamicSite) -> Result<Instruction, Trap> {
        let parameters: Vec<String> = match split_method(&site.descriptor) {
            Some((parameters, _)) => parameters.iter().map(|text| text.to_string()).collect(),
            None => return Err(Fault::invalid("a malformed descriptor of a call site").into()),
        };
        let pieces = self.concat_pieces(site, parameters.len())?;
        self.concat_method(site, &parameters, pieces)
    }

    /// Text and arguments in order; `None` is the next argument.
    fn concat_pieces(
        &mut self,
        site: &DynamicSite,
        count: usize,
    ) -> Result<Vec<Option<Vec<u16>>>, Trap> {
        let Some((recipe, constants)) =
            site.arguments.split_first().filter(|_| site.bootstrap.name != "makeConcat")
        else {
            return Ok(vec![None; count]);
        };
        let Constant::String(recipe) = self.constant(site.host, *recipe) else {
            return Err(Fault::invalid("a concatenation without a recipe").into());
        };
        let recipe = self.constant_units(site.host, recipe)?;
        let mut constants = constants.iter();
        let mut pieces: Vec<Option<Vec<u16>>> = Vec::new();
        for unit in recipe {
            match unit {
                ARGUMENT => pieces.push(None),
                CONSTANT => {
                    let index = constants
                        .next()
                        .ok_or_else(|| Fault::invalid("a recipe with too many constants"))?;
                    pieces.push(Some(self.constant_as_text(site, *index)?));
                }
                unit => match pieces.last_mut() {
                    Some(Some(text)) => text.push(unit),
                    _ => pieces.push(Some(vec![unit])),
                },
            }
        }
        if pieces.iter().filter(|piece| piece.is_none()).count() != count {
            return Err(Fault::invalid("a recipe that does not fit its arguments").into());
        }
        Ok(pieces)
    }

    fn constant_as_text(&self, site: &DynamicSite, index: u16) -> Result<Vec<u16>, Trap> {
        match self.constant(site.host, index) {
            Constant::String(text) => self.constant_units(site.host, text),
            Constant::Integer(value) => Ok(value.to_string().encode_utf16().collect()),
            Constant::Long(value) => Ok(value.to_string().encode_utf16().collect()),
            _ => {
                Err(Fault::unsupported("a concatenation with a constant of an unusual type").into())
            }
        }
    }

    fn concat_method(
        &mut self,
        site: &DynamicSite,
        parameters: &[String],
        pieces: Vec<Option<Vec<u16>>>,
    ) -> Result<Instruction, Trap> {
        let mut assembly = Assembly::default();
        let mut kinds = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            assembly.with(Opcode::Load, index as u32);
            kinds.push(self.concat_argument(&mut assembly, parameter)?);
        }
        let mut kinds = kinds.into_iter();
        let mut parts = Vec::new();
        for piece in pieces {
            parts.push(match piece {
                Some(text) => RecipePart::Text(text),
                None => RecipePart::Argument(kinds.next().unwrap_or(Type::Reference)),
            });
        }
        self.world.recipes.push(Recipe { parts });
        let recipe = self.world.recipes.len() as u32 - 1;
        assembly.push(Instruction::with2(Opcode::Concatenate, recipe, parameters.len() as u16));
        assembly.op(Opcode::ReturnWord);
        let words = parameters.len() as u32;
        let code = assembly.finish(words, words + 2);
        let target =
            self.add_synthetic(site.host, "concat", &site.descriptor, access::STATIC, code)?;
        Ok(Instruction::with(Opcode::InvokeStatic, target.0))
    }

    /// Writes the conversion of an argument to what the concatenation itself can append.
    pub(super) fn concat_argument(
        &mut self,
        assembly: &mut Assembly,
        parameter: &str,
    ) -> Result<Type, Trap> {
        let Some(kind) = Type::of_field(parameter) else {
            return Err(Fault::invalid("a malformed descriptor of a call site").into());
        };
        match kind {
            Type::Float | Type::Double => {
                let descriptor = format!("({})Ljava/lang/String;", kind.letter());
                let call = self.library_call("java/lang/String", "valueOf", &descriptor)?;
                assembly.push(call);
                Ok(Type::Reference)
            }
            Type::Reference if parameter != "Ljava/lang/String;" => {
                let call = self.library_call(
                    "java/lang/String",
                    "valueOf",
                    "(Ljava/lang/Object;)Ljava/lang/String;",
                )?;
                assembly.push(call);
                Ok(Type::Reference)
            }
            other => Ok(other),
        }
    }
}
