//! Files in memory: what threads do to them is explored and undone, and the disk stays as it is.

use crate::common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::Programs;
use counterpoint_jvm::JavaProgram;
use counterpoint_testkit::audit::{Effort, audit};

const EXPLORERS: [&str; 6] =
    ["optimal", "dpor", "race-flip", "unfolding", "contextual", "exhaustive"];

/// A folder with a file in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("kept"), "0").expect("it can be written");
    folder
}

fn load(programs: &Programs, name: &str, folder: &Path) -> JavaProgram {
    programs.load(&format!("{name} {}", folder.display()))
}

fn is_untouched(folder: &Path) -> bool {
    let names: Vec<_> = fs::read_dir(folder).expect("it is there").flatten().collect();
    let kept = fs::read_to_string(folder.join("kept"));
    names.len() == 1 && kept.is_ok_and(|text| text == "0")
}

#[test]
fn all_explorers_find_the_same_outcomes_and_leave_the_disk_as_it_is() {
    let programs = Programs::compile(&["files"]);
    let folder = folder();
    let program = load(&programs, "Draft", folder.path());
    let wanted: BTreeSet<String> =
        ["0a kept,one,two\n", "0b kept,one,two\n", "0ab kept,one,two\n", "0ba kept,one,two\n"]
            .map(str::to_string)
            .into();
    for explorer in EXPLORERS {
        let (result, outcomes) = common::explore(explorer, &program, 1);
        assert_eq!(result.findings.len(), 0, "{explorer}");
        assert_eq!(outcomes, wanted, "{explorer}");
        assert!(is_untouched(folder.path()), "{explorer}");
    }
}

#[test]
fn threads_that_use_different_files_do_not_depend_on_each_other() {
    let programs = Programs::compile(&["files"]);
    let folder = folder();
    let program = load(&programs, "Apart", folder.path());
    let (result, outcomes) = common::explore("optimal", &program, 1);
    assert_eq!(outcomes.into_iter().collect::<Vec<_>>(), ["left06\n"]);
    assert_eq!(result.statistics.executions, 1);
    assert!(is_untouched(folder.path()));
}

/// Programs for every day whose threads share files.
const SHARING: [&str; 6] = [
    "FileAppendedByTwo",
    "FileCounterLoses",
    "FileFoldersListed",
    "FileMovedIntoPlace",
    "FileReadWhileWritten",
    "FileWriterShared",
];

#[test]
fn what_is_said_about_operations_on_files_is_true() {
    let everyday = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/everyday");
    let sources = SHARING.map(|name| everyday.join(format!("{name}.java")));
    let programs = Programs::compile_files(&sources);
    let mut commuted = 0;
    for name in SHARING {
        let program = programs.load(name);
        let audit = audit(&program, Effort { walks: 3, steps: 150, beyond: 4, seed: 7 });
        assert!(audit.complaints.is_empty(), "{name}: {audit}");
        commuted += audit.commuted;
    }
    assert!(commuted > 0, "nothing was tried");
}

#[test]
fn unfoldings_find_the_failures_that_others_find() {
    let everyday = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/everyday");
    let failing = ["FileCheckedThenCreated", "FileCounterLoses", "FileReadWhileWritten"];
    let sources = failing.map(|name| everyday.join(format!("{name}.java")));
    let programs = Programs::compile_files(&sources);
    for name in failing {
        let program = programs.load_with(name, JavaProgram::options());
        for explorer in ["optimal", "dpor", "race-flip", "unfolding", "contextual", "stateful"] {
            let (result, _) = common::endings(explorer, &program, Some(2000));
            assert_eq!(result.findings.len(), 1, "{name} under {explorer}");
        }
    }
}
