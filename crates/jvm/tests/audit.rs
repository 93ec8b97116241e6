//! What the machine says about the steps of Java programs is true: independent ones commute, and what
//! frees or hinders another process conflicts with it.

use std::path::{Path, PathBuf};

use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_jvm::{JavaProgram, Target};
use counterpoint_testkit::audit::{Effort, audit};

/// Audits the programs of a folder, by class and arguments.
fn check(folder: &str, rows: &[(&str, &[&str])]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let files = std::fs::read_dir(&folder).expect("the programs");
    let sources: Vec<PathBuf> = files
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
        .collect();
    let classes = compile(&jdk, &sources, &[]).expect("the programs compile");
    let mut wrong = Vec::new();
    for (main, arguments) in rows {
        let program = JavaProgram::load(&Target {
            paths: vec![classes.path().to_path_buf()],
            main: Some(main.to_string()),
            arguments: arguments.iter().map(|argument| argument.to_string()).collect(),
            ..Target::default()
        });
        let effort = Effort { walks: 3, steps: 150, beyond: 4, seed: 7 };
        let audit = audit(&program.expect("it loads"), effort);
        println!("{main} {arguments:?}: {} states, {} pairs", audit.states, audit.commuted);
        if !audit.complaints.is_empty() {
            wrong.push(format!("{main} {arguments:?}: {audit}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_of_all_kinds_keep_their_promises() {
    check(
        "explore",
        &[
            ("Account", &[]),
            ("CheckThenAct", &[]),
            ("Counters", &[]),
            ("Dining", &["3"]),
            ("DiningLocks", &["3"]),
            ("Exits", &[]),
            ("Failures", &["synchronized"]),
            ("Fib", &["2"]),
            ("Filesystem", &["14"]),
            ("Interrupted", &[]),
            ("LastZero", &["4"]),
            ("Lazy", &[]),
            ("Lazy3", &[]),
            ("LibraryUse", &[]),
            ("LockOrder", &[]),
            ("Locks", &[]),
            ("LostUpdate", &[]),
            ("MissedNotify", &["careful"]),
            ("Pool", &[]),
            ("Pools", &[]),
            ("Sections", &["2", "2", "2"]),
            ("Spinning", &[]),
            ("Timed", &[]),
            ("TryLock", &[]),
            ("Waiters", &["x", "y"]),
        ],
    );
}

#[test]
fn threads_keep_their_promises() {
    check(
        "threads",
        &[
            ("Buffer", &[]),
            ("Counter", &[]),
            ("Deadlock", &[]),
            ("Initializers", &[]),
            ("Interrupts", &[]),
            ("Library", &[]),
        ],
    );
}

#[test]
fn synchronisers_keep_their_promises() {
    check(
        "synchronisers",
        &[
            ("Barriers", &[]),
            ("Conditions", &[]),
            ("Impatient", &[]),
            ("Latches", &[]),
            ("Permits", &[]),
            ("ReadersWriters", &[]),
            ("Sections", &[]),
            ("TwoWaiters", &[]),
        ],
    );
}

#[test]
fn programs_with_inputs_keep_their_promises() {
    check("inputs", &[("Updater", &["2"]), ("Locked", &[]), ("Elements", &[])]);
}
