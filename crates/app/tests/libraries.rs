//! Programs with libraries that many people use, from the packages of the system: each runs to a verdict.
//!
//! The first line of a program says what is expected of it and which jars it takes. Programs with many schedules are
//! followed for some hundred of them; `incomplete` then means that nothing failed and nothing was unsupported.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// How many executions of a program are followed.
const EXECUTIONS: &str = "300";

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libraries");
    let entries = std::fs::read_dir(folder).expect("programs").flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    all.sort();
    all
}

/// What is wrong with the result of a program, if anything is.
fn disagreement(program: &Path) -> Option<String> {
    let text = std::fs::read_to_string(program).expect("a source");
    let head = text.lines().next().and_then(|line| line.strip_prefix("// ")).expect("a first line");
    let (expected, jars) = head.split_once("; ").expect("a verdict and jars");
    let jars: Vec<String> =
        jars.split(' ').map(|name| format!("/usr/share/java/{name}.jar")).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .arg("check")
        .arg(program)
        .args(["--class-path", &jars.join(":"), "--json", "-"])
        .args(["--executions", EXECUTIONS])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let Ok(result) = serde_json::from_slice::<Value>(&output.stdout) else { return Some(said) };
    let is_unsupported = |bound: &Value| bound.to_string().contains("nsupported");
    let bounds = result["bounds"].as_array().cloned().unwrap_or_default();
    let right = result["verdict"] == expected && !bounds.iter().any(is_unsupported);
    (!right)
        .then(|| format!("{} instead of {expected}, bounds {bounds:?}\n{said}", result["verdict"]))
}

#[test]
fn programs_with_libraries_run_to_a_verdict() {
    let mut all = programs();
    assert!(all.len() >= 20);
    // Those with many schedules take longer: they wait for the night.
    if std::env::var_os("COUNTERPOINT_LONG").is_none() {
        let is_short = |program: &PathBuf| {
            let text = std::fs::read_to_string(program).expect("a source");
            !text.starts_with("// incomplete")
        };
        all.retain(is_short);
    }
    let mut wrong = String::new();
    for program in all {
        if let Some(what) = disagreement(&program) {
            let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            wrong += &format!("{name}: {what}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
