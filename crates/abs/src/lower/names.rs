//! Names that somebody can read.
//!
//! A name may be as long as a file. It is read once; what runs, and what is written down of every step of
//! every execution, has a short one: its beginning, and a digest of all of it, so that different names stay
//! different.

use std::sync::Arc;

use rustc_hash::FxHasher;
use std::hash::Hasher;

use crate::program::Model;

/// Longer names are cut.
const LONGEST: usize = 100;

/// How much of a longer name is kept.
const KEPT: usize = 60;

/// Cuts the names of a model.
pub(super) fn shorten(model: &mut Model) {
    let data_types = model.data_types.iter_mut().map(|data_type| &mut data_type.name);
    let constructors = model.constructors.iter_mut().map(|constructor| &mut constructor.name);
    let functions = model.functions.iter_mut().map(|function| &mut function.name);
    let interfaces = model.interfaces.iter_mut().map(|interface| &mut interface.name);
    let plain = data_types.chain(constructors).chain(functions).chain(interfaces);
    plain.chain(&mut model.selectors).for_each(cut);
    for class in &mut model.classes {
        cut(&mut class.name);
        class.fields.iter_mut().for_each(|field| cut(&mut field.name));
    }
    let variables = model.bodies.iter_mut().flat_map(|body| &mut body.variables);
    variables.filter_map(|variable| variable.name.as_mut()).for_each(cut);
}

fn cut(name: &mut Arc<str>) {
    if name.len() <= LONGEST {
        return;
    }
    let end = (0..=KEPT).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    *name = format!("{}...{:08x}", &name[..end], hasher.finish() as u32).into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_become_short_and_stay_different() {
        let shown = |text: String| {
            let mut name: Arc<str> = text.into();
            cut(&mut name);
            name
        };
        let long = "a".repeat(1_000_000);
        let (one, other) = (shown(format!("{long}b")), shown(format!("{long}c")));
        assert!(one.len() < LONGEST && one != other, "{one} {other}");
        assert_eq!(&*shown("a".repeat(LONGEST)), "a".repeat(LONGEST));
    }
}
