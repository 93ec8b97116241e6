//! Inputs of Java programs on the command line.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const PROGRAM: &str = "package shop;
public class Till {
    static class Form {
        static int amount() { return 5; }
        static char currency() { return 'e'; }
        static boolean member() { return true; }
        int notStatic() { return 1; }
        static String text() { return \"\"; }
    }
    public static void main(String[] args) {
        int amount = Form.amount();
        if (Form.currency() == 'x' && !Form.member() && amount * 3 == 7) {
            throw new IllegalStateException(\"sold out\");
        }
    }
}
";

fn counterpoint(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("Till.java"), PROGRAM).unwrap();
    folder
}

#[test]
fn declared_methods_are_inputs_and_shown_as_java_values() {
    let folder = folder();
    let plain = counterpoint(folder.path(), &["check", "Till.java"]);
    assert_eq!(plain.status.code(), Some(0));
    let flags = [
        "check",
        "Till.java",
        "--main",
        "shop.Till",
        "--json",
        "result.json",
        "--input",
        "shop.Till.Form.amount",
        "--input",
        "shop.Till$Form.currency",
        "--input",
        "shop.Till.Form.member",
    ];
    let found = counterpoint(folder.path(), &flags);
    let screen = String::from_utf8(found.stdout).unwrap();
    assert_eq!(found.status.code(), Some(1), "{screen}");
    assert!(screen.contains("  Inputs\n"), "{screen}");
    let text = std::fs::read_to_string(folder.path().join("result.json")).unwrap();
    let result: Value = serde_json::from_str(&text).unwrap();
    let inputs = result["findings"][0]["inputs"].as_array().unwrap();
    let values: Vec<&str> = inputs.iter().map(|input| input["value"].as_str().unwrap()).collect();
    let amount: i32 = values[0].parse().unwrap();
    assert_eq!((amount.wrapping_mul(3), &values[1..]), (7, &["'x'", "false"][..]));
    assert!(screen.contains(&format!("input 1 of main = {amount}\n")), "{screen}");
    assert_eq!(result["exhausted"], true);
    assert_eq!(result["executions"], 4);

    let kept = std::fs::read_dir(folder.path().join(".counterpoint")).unwrap();
    let kept =
        kept.map(|file| file.unwrap().path()).find(|path| path.extension().unwrap() == "json");
    let replayed = counterpoint(folder.path(), &["replay", kept.unwrap().to_str().unwrap()]);
    let screen = String::from_utf8(replayed.stdout).unwrap();
    assert_eq!(replayed.status.code(), Some(1), "{screen}");
    assert!(screen.contains("reproduced"), "{screen}");
}

#[test]
fn what_cannot_be_an_input_is_explained() {
    let folder = folder();
    let rows = [
        ("amount", "named with its class"),
        ("shop.Tall.Form.amount", "no class shop.Tall.Form; did you mean shop.Till.Form.amount?"),
        ("shop.Till.Form.amuont", "no method amuont; did you mean shop.Till.Form.amount?"),
        ("shop.Till.Form.notStatic", "only static methods"),
        ("shop.Till.Form.text", "int, long, boolean, char, byte or short"),
    ];
    for (method, wanted) in rows {
        let output = counterpoint(folder.path(), &["check", "Till.java", "--input", method]);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{method}: {complaint}");
        assert!(complaint.contains(wanted), "{method}: {complaint}");
    }
}

#[test]
fn the_class_of_inputs_is_written_and_compiled_against() {
    let folder = folder();
    let path = folder.path();
    let written = counterpoint(path, &["input-class", "src"]);
    assert_eq!(written.status.code(), Some(0));
    assert_eq!(String::from_utf8(written.stdout).unwrap(), "src/counterpoint/Input.java\n");
    let source = "public class Main { public static void main(String[] args) {
        if (counterpoint.Input.anyLong() == 1L << 40) System.out.println(1 / (args.length - 1)); } }";
    std::fs::write(path.join("src/Main.java"), source).unwrap();
    let compiled = Command::new("javac")
        .args(["-d", "classes", "-sourcepath", "src", "src/Main.java"])
        .current_dir(path)
        .status();
    assert!(compiled.unwrap().success());
    let java = Command::new("java")
        .args(["-Dcounterpoint.inputs=1099511627776", "-cp", "classes", "Main", "x"])
        .current_dir(path)
        .output()
        .unwrap();
    assert!(String::from_utf8(java.stderr).unwrap().contains("/ by zero"));
    // With the class that the user has compiled, and without it.
    for _ in 0..2 {
        let found = counterpoint(path, &["check", "classes", "x"]);
        let screen = String::from_utf8(found.stdout).unwrap();
        assert_eq!(found.status.code(), Some(1), "{screen}");
        assert!(screen.contains("input 1 of main = 1099511627776\n"), "{screen}");
        assert_eq!(counterpoint(path, &["check", "classes"]).status.code(), Some(0));
        let _ = std::fs::remove_dir_all(path.join("classes/counterpoint"));
    }
    let blocked = counterpoint(path, &["input-class", "Till.java"]);
    assert_eq!(blocked.status.code(), Some(2));
}
