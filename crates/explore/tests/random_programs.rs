//! Every explorer against the oracle, on random programs.

use crate::common;

use common::disagreement;
use counterpoint_explore::{Covers, EXPLORERS};
use counterpoint_testkit::oracle;
use counterpoint_testkit::random::{self, Features};

/// Programs for which the oracle needs more steps than this are passed over.
const ORACLE_STEPS: u64 = 200_000;

/// Explorers that walk every interleaving are passed over where there are more than this: each of
/// those executions is run again for every value of the inputs, which took most of the time.
const INTERLEAVINGS: u128 = 2_000;

/// How many programs to check; the environment can ask for more.
fn programs() -> u64 {
    std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(250)
}

/// Programs that once disagreed, by feature set: they are always checked.
const REGRESSIONS: &[(Features, &[u64])] = &[
    (Features::ALL, &[78]),
    (Features { spins: false, ..NO_INPUTS }, &[138, 288, 676, 785, 938]),
    (Features::WITHOUT_SPINS, &[500, 606, 712]),
    (Features { spins: false, ..BIGGER }, &[326]),
    (Features { takes: false, ..BIGGER }, &[127]),
    (Features { takes: false, ..SPINS }, &[6879, 14323, 23389, 11028, 14587]),
    (Features { spins: false, ..SPINS }, &[21282, 43668, 28990]),
    (Features::COMMON_INPUT, &[145, 307, 398, 811]),
    (Features::WITH_CUTS, &[748, 889, 901, 904, 1671, 3987]),
    (Features::WITH_TRIES, &[4018, 7610]),
];

const NO_INPUTS: Features = Features { inputs: false, semaphores: false, ..Features::ALL };

/// Bigger programs without decisions, where every race is reversed only once.
const BIGGER: Features =
    Features { inputs: false, choices: false, asserts: false, operations: 13, ..Features::ALL };

/// Little but threads that wait for variables and update them.
const SPINS: Features = Features {
    locks: false,
    conditions: false,
    semaphores: false,
    arrays: false,
    nested_threads: false,
    joins: false,
    operations: 12,
    ..BIGGER
};

/// Little but locks, some of them only tried.
const TRIES: Features = Features {
    tries: true,
    conditions: false,
    semaphores: false,
    updates: false,
    spins: false,
    arrays: false,
    nested_threads: false,
    joins: false,
    ..BIGGER
};

/// Little but waits, notifications and interrupts.
const INTERRUPTS: Features = Features {
    locks: false,
    semaphores: false,
    updates: false,
    arrays: false,
    loops: false,
    nested_threads: false,
    ..Features { choices: false, asserts: false, ..Features::WITH_INTERRUPTS }
};

/// Little but locks, some of them taken for a moment or only tried.
const PASSES: Features = Features { passes: true, ..TRIES };

fn check_all(features: Features, seeds: impl Iterator<Item = u64>) {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        let program = random::program(seed, features);
        let program = if seed % 2 == 0 { program } else { program.marking_sparingly() };
        let Ok(truth) = oracle::enumerate(&program, ORACLE_STEPS) else { continue };
        checked += 1;
        for entry in EXPLORERS
            .iter()
            .filter(|entry| !matches!(entry.covers, Covers::Samples | Covers::LocalStates))
        {
            // One that counts switches walks most interleavings, too.
            let all = matches!(
                entry.covers,
                Covers::Interleavings | Covers::States | Covers::WithinBound
            );
            if all && truth.interleavings > INTERLEAVINGS {
                continue;
            }
            if let Some(what) = disagreement(entry, &program, &truth) {
                wrong.push((program.to_string().lines().count(), seed, entry.name, what));
            }
        }
    }
    wrong.sort();
    if let Some((_, seed, explorer, what)) = wrong.first() {
        let program = random::program(*seed, features);
        let seeds: Vec<u64> = wrong.iter().map(|(_, seed, _, _)| *seed).collect();
        panic!(
            "{} of {checked} programs disagree (seeds {seeds:?}); \
             the shortest is seed {seed} under {explorer}: {what}\n{program}",
            wrong.len()
        );
    }
    assert!(checked > 0, "no program was small enough");
}

#[test]
fn programs_that_once_disagreed_agree() {
    for (features, seeds) in REGRESSIONS {
        check_all(*features, seeds.iter().copied());
    }
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_with_everything() {
    check_all(Features::ALL, common::seeds(programs() / 2));
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_without_inputs() {
    check_all(NO_INPUTS, common::seeds(programs() / 4));
}

#[test]
fn explorers_agree_with_the_oracle_on_bigger_programs_without_decisions() {
    check_all(BIGGER, common::seeds(programs() / 4));
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_that_wait_for_variables() {
    check_all(SPINS, common::seeds(programs() / 4));
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_that_are_cut() {
    check_all(Features::WITH_CUTS, common::seeds(programs() / 4));
    check_all(Features { cuts: true, ..SPINS }, common::seeds(programs() / 8));
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_that_try_locks() {
    check_all(Features::WITH_TRIES, common::seeds(programs() / 4));
    check_all(TRIES, common::seeds(programs() / 4));
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_that_interrupt_and_wait_for_some_time() {
    check_all(Features::WITH_INTERRUPTS, common::seeds(programs() / 4));
    check_all(INTERRUPTS, common::seeds(programs() / 4));
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_that_take_locks_for_a_moment() {
    check_all(Features { passes: true, ..Features::ALL }, common::seeds(programs() / 4));
    check_all(PASSES, common::seeds(programs() / 4));
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_of_many_threads() {
    check_all(Features { crowds: true, operations: 6, ..NO_INPUTS }, common::seeds(programs() / 8));
    check_all(Features { crowds: true, ..Features::ALL }, common::seeds(programs() / 8));
}

#[test]
fn explorers_agree_with_the_oracle_on_programs_whose_threads_decide_about_one_input() {
    check_all(Features::COMMON_INPUT, common::seeds(programs() / 16));
}
