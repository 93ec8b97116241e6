//! Models: values for inputs.
//!
//! Problem: a model is copied at every solved branch, kept in every test case, and written to replay files
//! that are read before any input exists. Idea: a shared map from the inputs' names to values. Copying it
//! is copying a pointer; changing a shared one copies the map once.
//!
//! Invariant: an input that is absent, or has a value of another sort, is zero or false; only a bit
//! vector of another width is taken for a number and read at the width asked for, as a file does not say
//! how wide an input is. So every model is total, and no file can make evaluation fail.
//!
//! Cost: clone: one word. The empty model does not allocate. Get and set: logarithmic in the inputs.

use crate::value::{Sort, Value, signed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// An assignment of values to inputs, by name.
#[derive(Clone, Eq, PartialEq, Hash, Default, Debug)]
pub struct Model {
    values: Option<Rc<BTreeMap<Rc<str>, Value>>>,
}

impl Model {
    /// The model in which every input is zero or false.
    pub const fn new() -> Model {
        Model { values: None }
    }

    /// The value given to this input, if any.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.as_ref()?.get(name)
    }

    /// The value of this input: the given one if it has the right sort, else zero or false. A bit
    /// vector of another width is read as a number.
    pub fn value_of(&self, name: &str, sort: Sort) -> Value {
        match (self.get(name), sort) {
            (Some(Value::Bits { bits, width }), Sort::Bits(wanted)) => {
                Value::bits(signed(*bits, *width) as u64, wanted)
            }
            (Some(value), _) if value.sort() == sort => value.clone(),
            _ => Value::zero(sort),
        }
    }

    /// Gives a value to an input.
    pub fn set(&mut self, name: impl Into<Rc<str>>, value: Value) {
        Rc::make_mut(self.values.get_or_insert_default()).insert(name.into(), value);
    }

    /// This model with the values of another one on top.
    pub fn updated_by(&self, other: &Model) -> Model {
        let (Some(_), Some(news)) = (&self.values, &other.values) else {
            return if other.is_empty() { self.clone() } else { other.clone() };
        };
        let mut updated = self.clone();
        for (name, value) in news.iter() {
            if updated.get(name) != Some(value) {
                updated.set(name.clone(), value.clone());
            }
        }
        updated
    }

    /// The values given, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().flat_map(|values| values.iter()).map(|(name, value)| (&**name, value))
    }

    /// Whether both are the same shared map, or both empty; equal maps may differ in this.
    pub(crate) fn is_same(&self, other: &Model) -> bool {
        match (&self.values, &other.values) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// How many inputs were given a value.
    pub fn len(&self) -> usize {
        self.values.as_ref().map_or(0, |values| values.len())
    }

    /// Whether no input was given a value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<N: Into<Rc<str>>> FromIterator<(N, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(values: I) -> Model {
        let mut model = Model::new();
        for (name, value) in values {
            model.set(name, value);
        }
        model
    }
}

impl fmt::Display for Model {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(formatter, "{separator}{name} = {value}")?;
        }
        Ok(())
    }
}

impl Serialize for Model {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Model {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Model, D::Error> {
        let values = BTreeMap::<String, Value>::deserialize(deserializer)?;
        Ok(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_do_not_influence_each_other() {
        let mut first = Model::new();
        first.set("x", Value::int(1));
        let mut second = first.clone();
        second.set("x", Value::int(2));
        assert_eq!((first.get("x"), second.get("x")), (Some(&Value::int(1)), Some(&Value::int(2))));
        assert_eq!(first.updated_by(&second), second);
        assert_eq!(first.updated_by(&Model::new()), first);
        assert_eq!(Model::new().updated_by(&first), first);
    }

    #[test]
    fn absent_and_misfit_values_are_zero() {
        let model: Model = [("x", Value::Bool(true))].into_iter().collect();
        assert_eq!(model.value_of("x", Sort::Bits(8)), Value::bits(0, 8));
        assert_eq!(model.value_of("y", Sort::Int), Value::int(0));
        assert_eq!(model.value_of("x", Sort::Bool), Value::Bool(true));
    }

    #[test]
    fn a_number_is_read_at_the_width_of_the_input() {
        let model: Model =
            [("x", Value::bits(u64::MAX, 64)), ("y", Value::bits(0x80, 8))].into_iter().collect();
        assert_eq!(model.value_of("x", Sort::Bits(8)), Value::bits(0xFF, 8));
        assert_eq!(model.value_of("x", Sort::Int), Value::int(0));
        assert_eq!(model.value_of("y", Sort::Bits(16)), Value::bits(0xFF80, 16));
    }

    #[test]
    fn a_model_is_written_by_name_in_order() {
        let model: Model =
            [("main.2#0", Value::bits(255, 8)), ("main.1#0", Value::int(7))].into_iter().collect();
        let text = serde_json::to_string(&model).unwrap();
        assert_eq!(text, r#"{"main.1#0":{"int":"7"},"main.2#0":{"bits":-1,"width":8}}"#);
        assert_eq!(serde_json::from_str::<Model>(&text).unwrap(), model);
        assert_eq!(model.to_string(), "main.1#0 = 7, main.2#0 = -1");
    }
}
