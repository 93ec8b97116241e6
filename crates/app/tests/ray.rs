//! Explorations on a Ray cluster of two nodes come to what one process comes to, whoever is killed.
//!
//! The cluster is on this machine; `scripts/ray/test.py` starts it, kills what is to be killed, and says what it has done. It
//! needs Ray, which `./test` and `scripts/ray/test` install.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python of the environment that `scripts/ray/setup` makes.
fn python() -> PathBuf {
    let home = std::env::var_os("COUNTERPOINT_RAY_HOME").map(PathBuf::from);
    let usual = || PathBuf::from(std::env::var_os("HOME").expect("a home folder"));
    let home = home.unwrap_or_else(|| usual().join(".cache/counterpoint/ray"));
    let python = home.join("bin/python");
    assert!(python.exists(), "there is no Ray in `{}`: scripts/ray/setup", home.display());
    python
}

#[test]
#[ignore = "needs Ray: scripts/ray/test"]
fn explorations_on_a_ray_cluster_come_to_the_same() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let counterpoint = Path::new(env!("CARGO_BIN_EXE_counterpoint"));
    let mut script = Command::new(python());
    script.arg(repository.join("scripts/ray/test.py"));
    script.arg(counterpoint.with_file_name("examples").join("testkit")).arg(counterpoint);
    script.arg(repository.join("crates/abs/tests/corpus/dining_philosophers.abs"));
    script.arg(repository.join("crates/jvm/tests/bugs/ThreeLocks.java"));
    // What it says is part of what the tests say.
    assert!(script.status().expect("Python runs").success());
}
