//! The stages before the solver change what an answer costs, never what it is.

use crate::common;

use common::{build, recipe};
use counterpoint_symbolic::{Feasible, Path, SolverChain, Sort, Stages, Value, Z3};
use proptest::prelude::*;

/// Each combination against the bare solver.
const VARIANTS: [Stages; 7] = [
    Stages::ALL,
    Stages { constant: true, ..Stages::NONE },
    Stages { model: true, ..Stages::NONE },
    Stages { slicing: true, ..Stages::NONE },
    Stages { cache: true, ..Stages::NONE },
    Stages { differences: true, ..Stages::NONE },
    Stages { few_values: true, ..Stages::NONE },
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_combinations_of_stages_give_the_same_answers(
        recipe in recipe(40),
        script in prop::collection::vec((0u8..4, any::<prop::sample::Index>()), 1..10),
    ) {
        let pool = build(&recipe, 7, false);
        let conditions: Vec<_> = pool.entries.iter().filter(|entry| entry.sort == Sort::Bool).collect();
        let new_path = |stages| Path::new(pool.terms.clone(), SolverChain::with_stages(Z3::new(), stages).shared());
        let mut bare = new_path(Stages::NONE);
        let mut paths: Vec<Path> = VARIANTS.into_iter().map(new_path).collect();
        let mut marks = vec![(bare.mark(), paths.iter().map(Path::mark).collect::<Vec<_>>())];
        for (action, index) in script {
            let condition = index.get(&conditions).term;
            let condition = if action % 2 == 0 { condition } else { pool.terms.not(condition) };
            match action {
                0 => {
                    let expected = bare.feasible(condition);
                    for path in &mut paths {
                        prop_assert_eq!(&path.feasible(condition), &expected);
                    }
                }
                3 if index.index(3) == 0 => {
                    let (mark, others) = marks.last().unwrap();
                    bare.undo(*mark);
                    for (path, mark) in paths.iter_mut().zip(others) {
                        path.undo(*mark);
                    }
                }
                _ => {
                    marks.push((bare.mark(), paths.iter().map(Path::mark).collect()));
                    let expected = bare.assume(condition);
                    for path in &mut paths {
                        prop_assert_eq!(&path.assume(condition), &expected);
                    }
                }
            }
            for path in paths.iter().chain([&bare]) {
                prop_assert_eq!(path.constraints(), bare.constraints());
                for &constraint in path.constraints() {
                    prop_assert_eq!(path.concrete(constraint), Value::Bool(true));
                    prop_assert_eq!(pool.terms.evaluate(constraint, path.model()), Value::Bool(true));
                }
            }
        }
        let counters = paths[0].solver().borrow().counters();
        prop_assert_eq!(counters.queries, counters.by_constant + counters.by_model + counters.by_cache + counters.by_differences + counters.by_trying + counters.solved);
        prop_assert_eq!(counters.queries, counters.sat + counters.unsat + counters.unknown);
        prop_assert!(!matches!(bare.feasible(pool.terms.bool(true)), Feasible::No));
    }
}
