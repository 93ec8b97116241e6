//! The variables that can be seen, the innermost last, and by name.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::environment::VisibleVariable;

/// The variables of a scope. Looking one up does not depend on how many there are.
#[derive(Clone, Default)]
pub(super) struct Bindings {
    all: Vec<VisibleVariable>,
    /// The places of those with a name, the innermost last.
    by_name: FxHashMap<Arc<str>, SmallVec<[u32; 2]>>,
}

impl Bindings {
    pub fn push(&mut self, variable: VisibleVariable) {
        self.by_name.entry(variable.name.clone()).or_default().push(self.all.len() as u32);
        self.all.push(variable);
    }

    /// The innermost one of that name.
    pub fn get(&self, name: &str) -> Option<&VisibleVariable> {
        let place = *self.by_name.get(name)?.last()?;
        Some(&self.all[place as usize])
    }

    /// All of them.
    pub fn innermost_first(&self) -> impl Iterator<Item = &VisibleVariable> {
        self.all.iter().rev()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Leaves a scope: only so many are seen from there on.
    pub fn truncate(&mut self, length: usize) {
        for variable in self.all.drain(length..).rev() {
            if let Some(places) = self.by_name.get_mut(&variable.name) {
                places.pop();
            }
        }
    }
}

impl From<Vec<VisibleVariable>> for Bindings {
    fn from(variables: Vec<VisibleVariable>) -> Bindings {
        let mut bindings = Bindings::default();
        variables.into_iter().for_each(|variable| bindings.push(variable));
        bindings
    }
}
