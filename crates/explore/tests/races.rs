//! Data races: every explorer reports those of the oracle, or says that it does not see all.

use crate::common;

use std::collections::BTreeSet;

use common::{Seen, explore_unit};
use counterpoint_explore::{
    Assignment, Covers, EXPLORERS, Exploration, Explorer, Limits, NotedRace, PROPERTIES, Silent,
    WorkUnit, explorer,
};
use counterpoint_model::{Bound, Verdict};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::builder::{Builder, Comparable, ThreadBuilder, Variable};
use counterpoint_testkit::oracle::{self, Race};
use counterpoint_testkit::random::{self, Features};

const ORACLE_STEPS: u64 = 100_000;

/// How many programs to check; the environment can ask for more.
fn programs() -> u64 {
    std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(100)
}

/// Explores with races as failures.
fn explore_for_races(entry: &Explorer, program: &TestProgram) -> Exploration {
    let race =
        PROPERTIES.iter().find(|property| property.name == "race").expect("it is a property");
    (entry.explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: vec![(race.make)()],
        sink: &mut Silent,
        parameters: common::parameters(entry),
    })
}

/// A race in the oracle's terms.
fn told(message: &str, lines: [u32; 2]) -> Race {
    let text = message.strip_prefix("data race on ").expect("a race");
    let (variable, accesses) = text.rsplit_once(": ").expect("two accesses");
    let writes = match accesses {
        "both write" => [true, true],
        "one writes, one reads" => [true, false],
        "one reads, one writes" => [false, true],
        other => panic!("not a race: {other}"),
    };
    let mut accesses = [(lines[0], writes[0]), (lines[1], writes[1])];
    accesses.sort_unstable();
    Race { variable: variable.to_string(), accesses }
}

fn found(result: &Exploration) -> BTreeSet<Race> {
    let findings = result.findings.iter().map(|found| &found.finding);
    let lines = |places: &[counterpoint_model::Place]| [places[0].line, places[1].line];
    findings.map(|finding| told(&finding.message, lines(&finding.places))).collect()
}

fn noted(result: &Exploration) -> BTreeSet<Race> {
    let race = |race: &NotedRace| told(&race.message, [race.places[0].line, race.places[1].line]);
    result.races.seen.iter().map(race).collect()
}

/// What an explorer says otherwise than the oracle.
fn disagreement(entry: &Explorer, program: &TestProgram, truth: &BTreeSet<Race>) -> Option<String> {
    let result = explore_for_races(entry, program);
    if !result.internal_errors.is_empty() {
        return Some(format!("internal error: {:?}", result.internal_errors));
    }
    let races = found(&result);
    if !races.is_subset(truth) {
        return Some(format!("false alarms: {races:?} instead of {truth:?}"));
    }
    let plain =
        explore_unit(entry, program, WorkUnit::whole(), Limits::default(), &mut Seen::default());
    if !noted(&plain).is_subset(truth) {
        return Some(format!("noted {:?} instead of {truth:?}", noted(&plain)));
    }
    if result.bounds.contains(&Bound::Races) {
        // A program whose other threads never move has no races to overlook.
        let silent =
            !plain.races.may_be_overlooked() && noted(&plain).is_empty() && !truth.is_empty();
        return silent.then(|| "does not say that it overlooks races".to_string());
    }
    if entry.covers == Covers::Samples {
        return None;
    }
    if races != *truth {
        return Some(format!("found {races:?} instead of {truth:?}"));
    }
    if noted(&plain) != *truth {
        return Some(format!("noted {:?} instead of {truth:?}", noted(&plain)));
    }
    None
}

fn check_all(features: Features, seeds: impl Iterator<Item = u64>) {
    let mut wrong = Vec::new();
    let (mut checked, mut racy) = (0, 0);
    for seed in seeds {
        let program = random::program(seed, features);
        let Ok(truth) = oracle::enumerate(&program, ORACLE_STEPS) else { continue };
        if truth.interleavings > 3_000 {
            continue;
        }
        checked += 1;
        racy += u64::from(!truth.races.is_empty());
        for entry in EXPLORERS.iter().filter(|entry| entry.covers != Covers::Samples) {
            if let Some(what) = disagreement(entry, &program, &truth.races) {
                wrong.push((program.to_string().lines().count(), seed, entry.name, what));
            }
        }
    }
    wrong.sort();
    if let Some((_, seed, explorer, what)) = wrong.first() {
        let program = random::program(*seed, features);
        panic!(
            "{} of {checked} disagree; the shortest is seed {seed} under {explorer}: {what}\n{program}",
            wrong.len()
        );
    }
    assert!(racy > 0 && racy < checked, "{racy} of {checked} programs have races");
}

#[test]
fn explorers_report_the_races_of_the_oracle() {
    check_all(Features::ALL, common::seeds(programs() / 2));
    check_all(Features::WITHOUT_INPUTS, common::seeds(programs() / 2));
    check_all(Features { cuts: true, ..Features::WITHOUT_INPUTS }, common::seeds(programs() / 8));
}

#[test]
fn explorers_report_the_races_of_small_programs_that_synchronise() {
    let features = Features {
        inputs: false,
        arrays: false,
        choices: false,
        asserts: false,
        operations: 7,
        ..Features::ALL
    };
    check_all(features, common::seeds(programs()));
}

/// After the first executions only those between neighbours are noted, which is enough to tell whether there are any.
#[test]
fn whether_there_are_races_is_noted_late_in_an_exploration_as_well() {
    let unit = || WorkUnit { executions_before: 1 << 20, ..WorkUnit::whole() };
    let (mut racy, mut missed) = (0, 0);
    for features in [Features::ALL, Features::WITHOUT_INPUTS] {
        for seed in common::seeds(2 * programs()) {
            let program = random::program(seed, features);
            let Ok(truth) = oracle::enumerate(&program, ORACLE_STEPS) else { continue };
            racy += u64::from(!truth.races.is_empty());
            for name in ["optimal", "dpor"] {
                let entry = explorer(name).expect("it is in the table");
                let mut seen = Seen::default();
                let result = explore_unit(entry, &program, unit(), Limits::default(), &mut seen);
                let races = noted(&result);
                assert!(races.is_subset(&truth.races), "{name}, seed {seed}: {races:?}\n{program}");
                assert_eq!(
                    races.is_empty(),
                    truth.races.is_empty(),
                    "{name}, seed {seed}: {:?}\n{program}",
                    truth.races
                );
                missed += truth.races.len() - races.len();
            }
        }
    }
    assert!(racy > programs(), "{racy} programs have races");
    // Those that are never between neighbours are few.
    assert!(missed < racy as usize / 4, "{missed} were not noted, in {racy} programs");
}

type Body<'b> = &'b dyn Fn(&mut ThreadBuilder<'_>);

/// The races of two threads, by all explorers and the oracle; the main thread joins both and reads.
fn races_of(
    declare: impl Fn(&mut Builder) -> [Variable; 2],
    one: Body<'_>,
    other: Body<'_>,
) -> usize {
    let mut builder = Builder::new("pair");
    let [x, _] = declare(&mut builder);
    let program = builder.main(|t| {
        t.write(x, 0);
        let handles = [t.spawn(|t| one(t)), t.spawn(|t| other(t))];
        handles.into_iter().for_each(|handle| t.join(handle));
        t.read(x);
    });
    let truth = oracle::enumerate(&program, ORACLE_STEPS).expect("it is small").races;
    for entry in EXPLORERS {
        let wrong = disagreement(entry, &program, &truth);
        assert_eq!(wrong, None, "{}\n{program}", entry.name);
    }
    truth.len()
}

/// `x` is plain, `v` is volatile.
fn plain_and_volatile(builder: &mut Builder) -> [Variable; 2] {
    [builder.variable("x", 0), builder.volatile("v", 0)]
}

#[test]
fn what_synchronises_and_what_does_not() {
    let mut names = Builder::new("names");
    let [x, v] = plain_and_volatile(&mut names);
    // Main writes before the start and reads after the join: no race by itself.
    let races = |one: Body<'_>, other: Body<'_>| races_of(plain_and_volatile, one, other);
    assert_eq!(races(&|t| t.write(x, 1), &|_| {}), 0);
    assert_eq!(
        races(
            &|t| {
                t.read(x);
            },
            &|t| {
                t.read(x);
            }
        ),
        0
    );
    assert_eq!(races(&|t| t.write(x, 1), &|t| t.write(x, 1)), 1);
    assert_eq!(
        races(&|t| t.write(x, 1), &|t| {
            t.read(x);
        }),
        1
    );
    assert_eq!(races(&|t| t.write(v, 1), &|t| t.write(v, 2)), 0);
    // Two volatile writes do not order what is written before them.
    assert_eq!(
        races(
            &|t| {
                t.write(x, 1);
                t.write(v, 1)
            },
            &|t| {
                t.write(v, 2);
                t.write(x, 2)
            }
        ),
        1
    );
    // Publication by a volatile variable that the reader checks.
    let reads_if_set: Body<'_> = &|t| {
        let seen = t.read(v);
        t.when(seen.equals(1), |t| {
            t.read(x);
        });
    };
    assert_eq!(
        races(
            &|t| {
                t.write(x, 1);
                t.write(v, 1)
            },
            reads_if_set
        ),
        0
    );
    // The same by a compare-and-set that succeeds; one that fails publishes nothing.
    assert_eq!(
        races(
            &|t| {
                t.write(x, 1);
                t.compare_and_set(v, 0, 1);
            },
            reads_if_set
        ),
        0
    );
    let fails: Body<'_> = &|t| {
        t.write(x, 1);
        t.compare_and_set(v, 7, 8);
    };
    assert_eq!(
        races(fails, &|t| {
            t.read(v);
            t.read(x);
        }),
        1
    );
    assert_eq!(
        races(fails, &|t| {
            t.fetch_add(v, 1);
            t.read(x);
        }),
        1
    );
    // A plain access and an atomic one to the same variable.
    assert_eq!(
        races(
            &|t| {
                t.fetch_add(x, 1);
            },
            &|t| {
                t.read(x);
            }
        ),
        1
    );
    assert_eq!(
        races(
            &|t| {
                t.fetch_add(x, 1);
            },
            &|t| {
                t.fetch_add(x, 1);
            }
        ),
        0
    );
    // An order by a plain flag is no order, though the accesses never meet.
    let waits: Body<'_> = &|t| {
        let seen = t.read(x);
        t.when(seen.equals(2), |t| t.write(x, 3));
    };
    assert_eq!(
        races(
            &|t| {
                t.write(x, 1);
                t.write(x, 2)
            },
            waits
        ),
        4
    );
}

#[test]
fn locks_conditions_and_semaphores_order() {
    let mut builder = Builder::new("ordered");
    let x = builder.variable("x", 0);
    let y = builder.variable("y", 0);
    let lock = builder.lock("l");
    let condition = builder.condition("c", lock);
    let semaphore = builder.semaphore("s", 0);
    let program = builder.main(|t| {
        t.spawn(|t| {
            t.write(y, 1);
            t.up(semaphore);
            t.locked(lock, |t| {
                t.write(x, 1);
                t.notify(condition);
            });
        });
        t.down(semaphore);
        t.read(y);
        t.locked(lock, |t| {
            let seen = t.read(x);
            t.when(seen.equals(0), |t| t.wait(condition));
            t.read(x);
        });
    });
    let truth = oracle::enumerate(&program, ORACLE_STEPS).unwrap();
    assert_eq!(truth.races, BTreeSet::new());
    for entry in EXPLORERS {
        assert_eq!(disagreement(entry, &program, &truth.races), None, "{}", entry.name);
    }
}

#[test]
fn an_explorer_that_overlooks_races_never_says_ok_when_asked_for_them() {
    let mut builder = Builder::new("racy");
    let x = builder.variable("x", 0);
    let program = builder.main(|t| {
        t.spawn(|t| t.write(x, 1));
        t.write(x, 2);
    });
    for entry in EXPLORERS {
        let result = explore_for_races(entry, &program);
        assert_ne!(result.verdict(), Verdict::Ok, "{}", entry.name);
    }
    let quiet = explore_unit(
        explorer("optimal").unwrap(),
        &program,
        WorkUnit::whole(),
        Limits::default(),
        &mut Seen::default(),
    );
    assert_eq!((quiet.verdict(), quiet.races.seen.len()), (Verdict::Ok, 1));
}
