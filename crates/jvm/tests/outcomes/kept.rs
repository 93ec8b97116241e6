//! Disagreements that were found, kept as programs: what really occurred must be explored for ever after.
//!
//! A kept program is a source file whose first lines say which outcomes the real virtual machine has shown.

use std::path::{Path, PathBuf};

use super::{Disagreement, common};

const REALLY: &str = "// really: ";

/// Where they are kept.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/disagreements")
}

/// Keeps a program; where it is.
pub fn keep(folder: &Path, class: &str, source: &str, found: &Disagreement) -> PathBuf {
    std::fs::create_dir_all(folder).expect("the folder of kept programs");
    let path = folder.join(format!("{class}.java"));
    let text = format!("{REALLY}{}\n{source}", found.outcome);
    std::fs::write(&path, text).expect("a program can be kept");
    path
}

/// All that are kept in a folder: the classes with the outcomes that really occurred, and their sources.
pub fn all(folder: &Path) -> (Vec<(String, Vec<String>)>, Vec<PathBuf>) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|files| files.map(|file| file.expect("a file").path()).collect())
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "java"));
    files.sort();
    let kept = files.iter().map(|path| {
        let text = std::fs::read_to_string(path).expect("a kept program");
        let outcomes = text.lines().filter_map(|line| line.strip_prefix(REALLY));
        let class = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (class, outcomes.map(str::to_string).collect())
    });
    (kept.collect(), files)
}

/// The outcomes of kept programs that are not explored: program and outcome.
pub fn missing(folder: &Path) -> Vec<(String, String)> {
    let (kept, mut files) = all(folder);
    if kept.is_empty() {
        return Vec::new();
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let pause = place.path().join("Pause.java");
    std::fs::write(&pause, common::PAUSE).expect("a source");
    files.push(pause);
    super::programs::compile_into(place.path(), &files);
    let mut missing = Vec::new();
    for (class, outcomes) in kept {
        let program = super::load_from(place.path(), &class);
        let explored = super::explore(&program, super::limits());
        assert!(!outcomes.is_empty(), "{class} does not say what really occurs");
        missing.extend(
            outcomes
                .into_iter()
                .filter(|outcome| !explored.endings.contains(outcome))
                .map(|outcome| (class.clone(), outcome)),
        );
    }
    missing
}
