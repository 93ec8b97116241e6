//! ABS models on the command line: golden screens of each kind of finding, and of misuse.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/abs")
}

/// A folder with the examples and some more models.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for entry in std::fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let models = [
        ("division.abs", "module Division;\n\n{\n  Int zero = 0;\n  Rat one = 1 / zero;\n}\n"),
        ("half.abs", "module Half;\n\n{\n  Int x = 1 +\n"),
        ("types.abs", "module Types;\n\n{\n  Int x = True;\n  Bool y = z;\n}\n"),
        ("empty.abs", ""),
        ("library.abs", "module Library;\n\ndef Int one() = 1;\n"),
    ];
    for (name, text) in models {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    std::fs::write(folder.path().join("binary.abs"), [0xff, 0xfe, 0x00]).unwrap();
    folder
}

fn screen(folder: &TempDir, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let mut text = format!("$ counterpoint {}\n", arguments.join(" "));
    text += &String::from_utf8(output.stdout).unwrap();
    if !output.stderr.is_empty() {
        text += &format!("[stderr]\n{}", String::from_utf8(output.stderr).unwrap());
    }
    text + &format!("[exit code {}]\n", output.status.code().unwrap())
}

#[test]
fn each_kind_of_finding_has_its_screen() {
    let folder = folder();
    let models = [
        "call_back.abs",
        "check_then_act.abs",
        "closed_door.abs",
        "division.abs",
        "lost_update.abs",
    ];
    for model in models {
        insta::assert_snapshot!(model.trim_end_matches(".abs"), screen(&folder, &["check", model]));
    }
}

#[test]
fn reductions_agree_on_the_verdict() {
    for level in ["field", "object", "none", "exact"] {
        let folder = folder();
        for (model, code) in [("lost_update.abs", 1), ("lost_update_fixed.abs", 0)] {
            let text = screen(&folder, &["check", model, "--reduction", level]);
            assert!(text.ends_with(&format!("[exit code {code}]\n")), "{level}: {text}");
        }
    }
}

#[test]
fn a_message_about_a_huge_line_is_short() {
    let folder = folder();
    std::fs::write(folder.path().join("huge.abs"), "x".repeat(3_000_000)).unwrap();
    let text = screen(&folder, &["check", "huge.abs"]);
    assert!(text.ends_with("[exit code 2]\n") && text.len() < 4_000, "{} bytes", text.len());
}

#[test]
fn coverage_tells_lines() {
    let folder = folder();
    let model = "module Lines;\n\n{\n  Int x = 1;\n  if (x > 1) {\n    x = 2;\n  }\n  x = 3;\n}\n";
    std::fs::write(folder.path().join("lines.abs"), model).unwrap();
    let text = screen(&folder, &["check", "lines.abs", "--coverage", "--json", "result.json"]);
    let json =
        std::fs::read(folder.path().join("result.json")).unwrap_or_else(|_| panic!("{text}"));
    let result: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let [covered] = &result["coverage"].as_array().unwrap()[..] else { panic!("{result}") };
    assert_eq!(covered["file"], "lines.abs");
    assert_eq!(covered["missed"], serde_json::json!([6]));
    let executed = covered["executed"].as_array().unwrap();
    assert!([4, 5, 8].iter().all(|line| executed.contains(&serde_json::json!(line))), "{covered}");
}

#[test]
fn every_misuse_is_explained() {
    let folder = folder();
    let runs: &[&[&str]] = &[
        &["check", "half.abs"],
        &["check", "types.abs"],
        &["check", "empty.abs"],
        &["check", "library.abs"],
        &["check", "binary.abs"],
        &["check", "missing.abs"],
        &["check", "lost_update.abs", "--main", "Main"],
        &["check", "lost_update.abs", "--input", "readln"],
        &["check", "lost_update.abs", "--reduction", "fields"],
    ];
    let text: Vec<String> = runs.iter().map(|arguments| screen(&folder, arguments)).collect();
    insta::assert_snapshot!(text.join("\n"));
}
