//! Type arguments of generic functions and constructors.
//!
//! The types of the parameters are matched against those of the arguments. Where a type parameter meets
//! several argument types, their join is taken (`Int` and `Rat` give `Rat`); what meets none stays open and
//! fits anything, as the element type of `Nil` does.

use crate::program::Type;

use super::tables::Tables;

/// What is known about the type parameters of one call.
pub(crate) struct Inference {
    arguments: Vec<Option<Type>>,
}

impl Inference {
    /// Nothing is known about that many parameters.
    pub(crate) fn new(parameters: usize) -> Self {
        Inference { arguments: vec![None; parameters] }
    }

    /// Learns from an argument. A conflict is left to the check of the argument itself.
    pub(crate) fn learn(&mut self, tables: &Tables<'_>, parameter: &Type, argument: &Type) {
        match (parameter, argument) {
            (Type::Parameter(index, _), _) => {
                let Some(known) = self.arguments.get_mut(*index as usize) else {
                    return;
                };
                let joined = match known.as_ref() {
                    None => Some(argument.clone()),
                    Some(known) => tables.join(known, argument),
                };
                if let Some(joined) = joined {
                    *known = Some(joined);
                }
            }
            (Type::Data(expected, parameters), Type::Data(given, arguments))
                if expected == given =>
            {
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    self.learn(tables, parameter, argument);
                }
            }
            (Type::Future(parameter), Type::Future(argument)) => {
                self.learn(tables, parameter, argument)
            }
            _ => {}
        }
    }

    /// The type arguments, open where nothing was learnt.
    pub(crate) fn finish(self) -> Vec<Type> {
        self.arguments.into_iter().map(|known| known.unwrap_or(Type::Open)).collect()
    }

    /// The type arguments as known so far; what is still open is taken from the other inference.
    pub(crate) fn or(&self, other: &Inference) -> Vec<Type> {
        let known = self.arguments.iter().zip(&other.arguments);
        known
            .map(|(own, other)| own.as_ref().or(other.as_ref()).cloned().unwrap_or(Type::Open))
            .collect()
    }
}

impl Inference {
    /// Learns from what the context expects of the result, only where the arguments have left it open.
    pub(crate) fn fill(&mut self, result: &Type, expected: &Type) {
        match (result, expected) {
            (_, Type::Open) => {}
            (Type::Parameter(index, _), _) => {
                if let Some(known @ None) = self.arguments.get_mut(*index as usize) {
                    *known = Some(expected.clone());
                }
            }
            (Type::Data(given, parameters), Type::Data(wanted, arguments)) if given == wanted => {
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    self.fill(parameter, argument);
                }
            }
            (Type::Future(parameter), Type::Future(argument)) => self.fill(parameter, argument),
            _ => {}
        }
    }
}
