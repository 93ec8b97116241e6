//! What runs need to know of a model's code and what takes time to find out.
//!
//! **Problem.** A model has thousands of methods, and `generate` makes a program of each. What is found out about all
//! code for each of them costs the square of the model.
//!
//! **Idea.** It is kept with the model from the first time that somebody asks.
//!
//! **Invariant.** A copy of a model knows nothing yet: somebody makes it to change it.

use std::sync::{Arc, OnceLock};

use crate::program::Model;

use super::unknown::repetition::Repetition;

/// What is known of a model's code.
#[derive(Debug, Default)]
pub struct Facts {
    repetition: OnceLock<Arc<Repetition>>,
    first_instructions: OnceLock<Arc<[usize]>>,
}

impl Clone for Facts {
    fn clone(&self) -> Self {
        Facts::default()
    }
}

impl Facts {
    /// What repeats itself in the code of the model.
    pub(crate) fn repetition(&self, model: &Model) -> Arc<Repetition> {
        Arc::clone(self.repetition.get_or_init(|| Arc::new(Repetition::new(model))))
    }

    /// For each body the number of its first instruction, and the number of all instructions.
    pub(crate) fn first_instructions(&self, model: &Model) -> Arc<[usize]> {
        let find = || {
            let mut first = vec![0];
            for body in &model.bodies {
                first.push(first[first.len() - 1] + body.code.len());
            }
            first.into()
        };
        Arc::clone(self.first_instructions.get_or_init(find))
    }
}
