//! The command line over the test kit's programs, for the tests of this crate: a target is a file
//! `NAME.kit` that names one of the programs below. Users never see it.

use std::path::Path;
use std::process::ExitCode;

use counterpoint_app::front_end::outline::Language;
use counterpoint_app::front_end::{
    ExplorerFit, FrontEnd, LoadError, LoadRequest, Loaded, Reduction, Rest,
};
use counterpoint_testkit::builder::{Builder, Comparable as _};
use counterpoint_testkit::random::{self, Features};
use counterpoint_testkit::{TestProgram, examples, shapes};

const FRONT_ENDS: &[FrontEnd] = &[
    FrontEnd {
        name: "kit",
        programs: "programs of the test kit",
        about: "Programs of the test kit.",
        targets: "a file NAME.kit",
        accepts: |path| has_extension(path, "kit"),
        rest: Rest::Arguments,
        reductions: &[],
        implied_reduction: |_| None,
        load,
        tests: None,
        language: Language::NONE,
        has_class_path: false,
        analyses_waiting: false,
        outline: None,
    },
    FrontEnd {
        name: "objects",
        programs: "programs with objects",
        about: "The same with levels of reduction.",
        targets: "files NAME.obj",
        accepts: |path| has_extension(path, "obj"),
        rest: Rest::Targets,
        reductions: &[
            Reduction {
                name: "field",
                about: "Tasks that touch the same field.",
                explorer: ExplorerFit::All,
            },
            Reduction { name: "none", about: "All tasks.", explorer: ExplorerFit::All },
        ],
        implied_reduction: |_| None,
        load,
        tests: None,
        language: Language::NONE,
        has_class_path: false,
        analyses_waiting: false,
        outline: None,
    },
];

fn main() -> ExitCode {
    counterpoint_app::run(FRONT_ENDS, std::env::args_os())
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension == wanted)
}

fn load(request: &LoadRequest) -> Result<Loaded, LoadError> {
    let target = &request.targets[0];
    let text = std::fs::read_to_string(target).map_err(|error| LoadError {
        message: format!("cannot read `{target}`: {error}"),
        hint: None,
    })?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    let program = match words.first().copied().unwrap_or_default() {
        "dining" => shapes::dining(number),
        "fib" => shapes::fib(number as u32),
        "lock" => shapes::lock(number),
        "random" => random(number, Features::WITHOUT_INPUTS),
        "random-inputs" => random(number, Features::ALL),
        "input" => examples::loop_over_inputs(),
        "counter" => counter(),
        "crossed" => crossed(),
        "asleep" => asleep(),
        word => {
            let message = format!("{target}:1: there is no program `{word}`");
            return Err(LoadError { message, hint: Some("Look at the list.".to_string()) });
        }
    };
    // Places name the file `program`; excerpts show it if it is there.
    if Path::new("program").exists() {
        let _ = std::fs::write("program", program.to_string());
    }
    let levels = FRONT_ENDS[1].reductions.iter().map(|level| level.name);
    let asked = request.reduction.as_deref().unwrap_or("field");
    let reduction = levels.into_iter().find(|name| *name == asked && target.ends_with(".obj"));
    Ok(Loaded { reduction, ..Loaded::new(Box::new(program)) })
}

/// A random program that is large enough to be divided.
fn random(seed: usize, features: Features) -> TestProgram {
    random::program(seed as u64, Features { operations: 24, ..features })
}

/// Two threads add to a counter without a lock.
fn counter() -> TestProgram {
    let mut program = Builder::new("counter");
    let total = program.variable("total", 0);
    let other = program.variable("other", 0);
    program.main(|main| {
        let workers: Vec<_> = (0..2)
            .map(|_| {
                main.spawn(|thread| {
                    let seen = thread.read(total);
                    thread.write(total, seen + 1);
                })
            })
            .collect();
        main.write(other, 7);
        for worker in workers {
            main.join(worker);
        }
        let end = main.read(total);
        main.assert(end.equals(2), "both additions count");
    })
}

/// Two threads take two locks in different orders.
fn crossed() -> TestProgram {
    let mut program = Builder::new("crossed");
    let (a, b) = (program.lock("a"), program.lock("b"));
    program.main(|main| {
        main.spawn(|thread| thread.locked(a, |thread| thread.locked(b, |_| {})));
        main.spawn(|thread| thread.locked(b, |thread| thread.locked(a, |_| {})));
    })
}

/// A thread waits for a notification that may have come before.
fn asleep() -> TestProgram {
    let mut program = Builder::new("asleep");
    let lock = program.lock("lock");
    let full = program.condition("full", lock);
    program.main(|main| {
        main.spawn(|thread| thread.locked(lock, |thread| thread.wait(full)));
        main.locked(lock, |main| main.notify(full));
    })
}
