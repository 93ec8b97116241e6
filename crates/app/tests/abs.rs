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
        ("Nothing.java", "class Nothing { public static void main(String[] words) { } }\n"),
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

/// The factorial of `crates/abs/tests/corpus`, whose chain of objects reports too early.
fn factorial(folder: &TempDir) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../abs/tests/corpus");
    for model in ["factorial.abs", "database_workers.abs"] {
        std::fs::copy(corpus.join(model), folder.path().join(model)).unwrap();
    }
}

fn result(folder: &TempDir, arguments: &[&str]) -> serde_json::Value {
    let all: Vec<&str> = arguments.iter().copied().chain(["--json", "result.json"]).collect();
    screen(folder, &all);
    let text = std::fs::read_to_string(folder.path().join("result.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn levels_of_reduction_have_the_published_counts_and_the_same_outcomes() {
    let folder = folder();
    factorial(&folder);
    let rows = [
        ("none", 280, (180, 100)),
        ("object", 18, (12, 6)),
        ("field", 8, (4, 4)),
        ("exact", 2, (1, 1)),
    ];
    for (level, executions, (right, wrong)) in rows {
        let found = result(&folder, &["check", "factorial.abs", "--reduction", level]);
        assert_eq!(found["executions"], executions, "{level}");
        assert_eq!(found["reduction"], level);
        let outcomes = found["outcomes"].as_array().unwrap();
        let mut counts: Vec<(bool, u64)> = outcomes
            .iter()
            .map(|outcome| {
                let state = outcome["state"].as_str().unwrap();
                (state.contains("r=20)"), outcome["executions"].as_u64().unwrap())
            })
            .collect();
        counts.sort_unstable();
        assert_eq!(counts, [(false, right), (true, wrong)], "{level}");
    }
}

#[test]
fn a_violated_expectation_is_a_finding_that_replays() {
    let folder = folder();
    factorial(&folder);
    for level in ["none", "object", "field", "exact"] {
        let check = ["check", "factorial.abs", "--expect", "f.r == 120", "--reduction", level];
        let found = result(&folder, &check);
        assert_eq!(found["verdict"], "bug", "{level}");
        let findings = found["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{level}");
        assert_eq!(findings[0]["message"], "expected at the end: f.r == 120");
    }
    let kept = std::fs::read_dir(folder.path().join(".counterpoint")).unwrap().next().unwrap();
    let kept = format!(".counterpoint/{}", kept.unwrap().file_name().to_string_lossy());
    let text =
        screen(&folder, &["replay", &kept, "--trace", "--report", "pictures", "--width", "1000"]);
    assert!(text.contains("at the end f.r = 20"), "{text}");
    assert!(text.contains("Time 0, Object main, Task main"), "{text}");
    assert!(text.ends_with("[exit code 1]\n"), "{text}");
    let picture = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(picture("pictures/sequence.svg").starts_with("<svg"));
    assert!(picture("pictures/sequence.mmd").starts_with("sequenceDiagram"));
    let fine = result(&folder, &["check", "factorial.abs", "--expect", "f.r == 120 || f.r == 20"]);
    assert_eq!(fine["verdict"], "ok");
}

#[test]
fn policies_bounds_and_cuts_say_what_they_are() {
    let folder = folder();
    factorial(&folder);
    let rows: &[(&[&str], &str, u64, u64)] = &[
        (&["database_workers.abs", "--cut-at-deadlock"], "none", 6, 2),
        (&["database_workers.abs", "--cut-at-deadlock", "--reduction", "exact"], "exact", 3, 1),
        (
            &["factorial.abs", "--object-policy", "round-robin", "--task-policy", "fifo"],
            "none",
            1,
            0,
        ),
        (&["factorial.abs", "--await-policy", "release"], "field", 8, 0),
    ];
    for (arguments, reduction, executions, deadlocks) in rows {
        let all: Vec<&str> = ["check"].iter().chain(*arguments).copied().collect();
        let found = result(&folder, &all);
        assert_eq!(found["reduction"], *reduction, "{arguments:?}");
        assert_eq!(found["executions"], *executions, "{arguments:?}");
        assert_eq!(found["deadlocks"], *deadlocks, "{arguments:?}");
    }
    for explorer in ["optimal", "states"] {
        let bounded = ["check", "factorial.abs", "--steps", "4", "--explorer", explorer];
        let found = result(&folder, &bounded);
        assert_eq!(found["verdict"], "incomplete", "{explorer}");
        assert_eq!(found["outcomes"], serde_json::Value::Null, "{explorer}: no final state");
    }
}

#[test]
fn a_report_has_the_pictures_of_active_objects() {
    let folder = folder();
    factorial(&folder);
    let text = screen(
        &folder,
        &["check", "database_workers.abs", "--report", "report", "--width", "1000"],
    );
    assert!(text.contains("this closes a cycle of waiting"), "{text}");
    let picture = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let page = picture("report/index.html");
    for name in ["sequence-1.svg", "sequence-1.mmd", "tree.svg"] {
        assert!(page.contains(&format!("href=\"{name}\"")), "{name}");
    }
    // The deadlocked tasks are marked, and the tree has a leaf for each of the three executions.
    assert!(picture("report/sequence-1.svg").contains("<g class=\"step blocked marked\""));
    assert!(picture("report/sequence-1.mmd").contains("(deadlock)"));
    let tree = picture("report/tree.svg");
    assert!(tree.contains("aria-label=\"the tree of all executions\""), "{tree}");
    assert_eq!(tree.matches(" deadlock</text>").count() + tree.matches(" ok</text>").count(), 3);
}

#[test]
fn a_message_about_a_huge_line_is_short() {
    let folder = folder();
    std::fs::write(folder.path().join("huge.abs"), "x".repeat(3_000_000)).unwrap();
    let text = screen(&folder, &["check", "huge.abs"]);
    assert!(text.ends_with("[exit code 2]\n") && text.len() < 4_000, "{} bytes", text.len());
}

#[test]
fn coverage_tells_lines_and_branches() {
    let folder = folder();
    let model = "module Lines;
{
  Int x = 1;
  if (x > 1) {
    x = 2;
  }
  while (x < 3) {
    x = x + (case x {
      1 => 1;
      2 => 1;
      _ => 7;
    });
  }
  assert when x == 3 then length(list[x]) == 1
         else False;
}
";
    std::fs::write(folder.path().join("lines.abs"), model).unwrap();
    let text = screen(&folder, &["check", "lines.abs", "--coverage", "--json", "result.json"]);
    let json =
        std::fs::read(folder.path().join("result.json")).unwrap_or_else(|_| panic!("{text}"));
    let result: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let [covered] = &result["coverage"].as_array().unwrap()[..] else { panic!("{result}") };
    assert_eq!(covered["file"], "lines.abs");
    assert_eq!(covered["missed"], serde_json::json!([5, 11, 15]));
    assert_eq!(covered["executed"], serde_json::json!([2, 3, 4, 7, 8, 9, 10, 14]));
    let ways: Vec<(u64, bool, bool)> = covered["branches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|branch| {
            let went = |way: &str| branch[way].as_bool().unwrap();
            (branch["line"].as_u64().unwrap(), went("taken"), went("passed"))
        })
        .collect();
    let expected =
        [(4, true, false), (7, true, true), (9, true, true), (10, false, true), (14, false, true)];
    assert_eq!(ways, expected);
}

#[test]
fn an_exploration_of_states_goes_on_where_it_was_stopped() {
    let folder = folder();
    factorial(&folder);
    let totals = |found: &serde_json::Value| {
        let names = ["executions", "abandoned", "events", "outcomes", "verdict", "exhausted"];
        names.map(|name| found[name].clone())
    };
    let whole = result(&folder, &["check", "factorial.abs", "--reduction", "exact"]);
    assert_eq!(whole["executions"], 2);
    let first =
        result(&folder, &["check", "factorial.abs", "--reduction", "exact", "--executions", "1"]);
    assert_eq!(first["verdict"], "incomplete");
    let kept = std::fs::read_dir(folder.path().join(".counterpoint")).unwrap().next().unwrap();
    let kept = format!(".counterpoint/{}", kept.unwrap().file_name().to_string_lossy());
    let rest = result(&folder, &["check", "--resume", &kept]);
    assert_eq!(totals(&rest), totals(&whole));
}

#[test]
fn a_folder_of_files_is_one_model_and_one_of_its_main_blocks_is_run() {
    let folder = folder();
    let inner = folder.path().join("model/inner");
    std::fs::create_dir_all(&inner).unwrap();
    let main = |module: &str, number: i32| {
        format!("module {module};\nimport * from Library;\n{{ assert one() == {number}; }}\n")
    };
    let library = "module Library;\nexport *;\ndef Int one() = 1;\n";
    std::fs::write(inner.join("library.abs"), library).unwrap();
    std::fs::write(inner.parent().unwrap().join("a.abs"), main("A", 1)).unwrap();
    std::fs::write(inner.parent().unwrap().join("b.abs"), main("B", 2)).unwrap();
    std::fs::write(inner.parent().unwrap().join("notes.txt"), "not a model").unwrap();
    let files: &[&[&str]] = &[
        &["model"],
        &["model/a.abs", "model/b.abs", "model/inner/library.abs"],
        &["model/inner", "model/a.abs", "model/b.abs"],
    ];
    for files in files {
        for (main, code) in [(None, 0), (Some("A"), 0), (Some("B"), 1), (Some("Library"), 2)] {
            let mut arguments = vec!["check"];
            arguments.extend_from_slice(files);
            arguments.extend(main.into_iter().flat_map(|main| ["--main", main]));
            let text = screen(&folder, &arguments);
            assert!(text.ends_with(&format!("[exit code {code}]\n")), "{text}");
            let warns = text.contains("this main block is not run");
            assert_eq!(warns, main.is_none(), "{text}");
        }
    }
}

#[test]
fn every_misuse_is_explained() {
    let folder = folder();
    let runs: &[&[&str]] = &[
        &["check", "half.abs"],
        &["check", "types.abs"],
        &["check", "empty.abs"],
        &["check", "library.abs"],
        &["check", "library.abs", "--main", "Library"],
        &["check", "binary.abs"],
        &["check", "missing.abs"],
        &["check", "lost_update.abs", "--main", "Main"],
        &["check", "lost_update.abs", "--input", "readln"],
        &["check", "lost_update.abs", "--reduction", "fields"],
        &["check", "lost_update.abs", "--reduction", "field", "--cut-at-deadlock"],
        &["check", "lost_update.abs", "--reduction", "object", "--task-policy", "fifo"],
        &["check", "lost_update.abs", "--reduction", "exact", "--explorer", "optimal"],
        &["check", "lost_update.abs", "--await-policy", "sometimes"],
        &["check", "lost_update.abs", "--expect", "a.balance =="],
        &["check", "lost_update.abs", "--expect", "nobody.balance == 3"],
        &["check", "lost_update.abs", "--expect", "True", "--explorer", "unfolding"],
        &["check", "library.abs", "--expect", "True"],
        &["check", "Nothing.java", "--expect", "True"],
        &["check", "Nothing.java", "--cut-at-deadlock"],
        &["check", "Nothing.java", "--object-policy", "round-robin"],
    ];
    let text: Vec<String> = runs.iter().map(|arguments| screen(&folder, arguments)).collect();
    insta::assert_snapshot!(text.join("\n"));
}
