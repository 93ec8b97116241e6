//! What types and functions leave out: references that do not fit a place, and null where it is not written.

use crate::program::{
    Constant, ConstantId, DataTypeId, Instruction, InterfaceId, Model, Operand, Type,
};

use super::{PointsTo, grow};
use crate::analysis::sets::{Reference, SetId};

impl PointsTo<'_> {
    /// The references of a value that a place of this type can hold.
    pub(super) fn fitting(&mut self, value: SetId, place: &Type) -> SetId {
        if value == SetId::EMPTY {
            return value;
        }
        let model = self.model;
        match place {
            Type::Integer | Type::Rational | Type::Float | Type::String => SetId::EMPTY,
            Type::Interface(interface) if *interface != InterfaceId::OBJECT => {
                let objects = &self.abstraction.objects;
                self.sets.filter(value, |reference| match reference {
                    Reference::Null => true,
                    Reference::Object(object) => {
                        let class = model.class(objects[object.index()].class);
                        class.implements.contains(interface)
                    }
                    Reference::Future(_) => false,
                })
            }
            Type::Interface(_) | Type::Class(_) => {
                self.sets.filter(value, |reference| !matches!(reference, Reference::Future(_)))
            }
            Type::Future(_) | Type::Destiny => {
                self.sets.filter(value, |reference| !matches!(reference, Reference::Object(_)))
            }
            Type::Data(data_type, arguments) => {
                let open = arguments.iter().any(|argument| !self.is_plain(argument));
                if open || self.holding[data_type.index()] { value } else { SetId::EMPTY }
            }
            Type::Open | Type::Null | Type::Parameter(..) => value,
        }
    }

    /// Whether values of a type refer to nothing.
    pub(super) fn is_plain(&self, value_type: &Type) -> bool {
        match value_type {
            Type::Integer | Type::Rational | Type::Float | Type::String => true,
            Type::Data(data_type, arguments) => {
                !self.holding[data_type.index()]
                    && arguments.iter().all(|argument| self.is_plain(argument))
            }
            _ => false,
        }
    }
}

pub(super) fn mentions_null(model: &Model, constant: ConstantId) -> bool {
    match &model.constants[constant.index()] {
        Constant::Null => true,
        Constant::Data(_, parts) | Constant::List(parts) => {
            parts.iter().any(|&part| mentions_null(model, part))
        }
        _ => false,
    }
}

pub(super) fn holding(model: &Model) -> Vec<bool> {
    fn refers(value_type: &Type, holding: &[bool]) -> bool {
        match value_type {
            Type::Integer | Type::Rational | Type::Float | Type::String | Type::Parameter(..) => {
                false
            }
            Type::Data(data_type, arguments) => {
                holding[data_type.index()]
                    || arguments.iter().any(|argument| refers(argument, holding))
            }
            _ => true,
        }
    }
    let mut holding = vec![false; model.data_types.len()];
    // Exceptions are open: any constructor may be one.
    holding[DataTypeId::EXCEPTION.index()] = true;
    grow(&mut holding, |index, holding| {
        let constructors = &model.data_types[index].constructors;
        constructors.iter().any(|&constructor| {
            let arguments = &model.constructor(constructor).arguments;
            arguments.iter().any(|argument| refers(argument, holding))
        })
    });
    holding
}

pub(super) fn null_functions(model: &Model) -> Vec<bool> {
    let mut null = vec![false; model.functions.len()];
    grow(&mut null, |index, null| {
        let body = model.body(model.functions[index].body);
        let is_null = |operand: &Operand| matches!(operand, Operand::Constant(constant) if mentions_null(model, *constant));
        body.operands.iter().any(is_null)
            || body.code.iter().any(|&instruction| {
                let calls_null = match instruction {
                    Instruction::Call { function, .. } | Instruction::TailCall { function, .. } => {
                        null[function.index()]
                    }
                    Instruction::Cast { .. } => true,
                    _ => false,
                };
                calls_null || instruction.operands().iter().flatten().any(is_null)
            })
    });
    null
}
