//! Sequential programs print what the installed `java` prints.
//!
//! The programs are in `tests/java`, what they print in `tests/java/expected`: output in `.txt`, the
//! error stream, if it is used, in `.err`. With
//! `COUNTERPOINT_BLESS` set, the real `java` writes the expected files anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use counterpoint_jvm::load::{ClassPath, Jdk, compile};
use counterpoint_jvm::{Machine, Options};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java")
}

/// Names of all programs, in order.
fn programs() -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder()).expect("the folder of programs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "java") {
            names.push(path.file_stem().expect("a name").to_string_lossy().into_owned());
        }
    }
    names.sort();
    assert!(names.len() >= 40, "only {} programs", names.len());
    names
}

fn compile_all(jdk: &Jdk) -> tempfile::TempDir {
    let sources: Vec<PathBuf> =
        programs().iter().map(|name| folder().join(format!("{name}.java"))).collect();
    compile(jdk, &sources, &[]).unwrap_or_else(|error| panic!("the programs compile: {error}"))
}

fn expected(name: &str, stream: &str) -> PathBuf {
    folder().join("expected").join(format!("{name}.{stream}"))
}

/// What a program is expected to print to both streams, the error stream last.
fn wanted(name: &str) -> String {
    let read = |stream| fs::read_to_string(expected(name, stream)).unwrap_or_default();
    read("txt") + &read("err")
}

/// The output of a program under our machine, with what went wrong at its end, if anything did.
fn run(class_path: &ClassPath, name: &str) -> String {
    let machine = Machine::new(class_path.clone(), name, &[], Options::default());
    let mut machine = machine.unwrap_or_else(|error| panic!("{name}: {error}"));
    let result = machine.run_to_end();
    let mut text = String::from_utf8_lossy(machine.output()).into_owned();
    text.push_str(&String::from_utf8_lossy(machine.error_output()));
    if let Err(fault) = result {
        text.push_str(&format!("{fault}\n{}", machine.stack_trace(0).join("\n")));
    }
    text
}

#[test]
fn programs_print_what_java_printed() {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let classes = compile_all(&jdk);
    let class_path = ClassPath::new(jdk, &[classes.path().to_path_buf()]).expect("a class path");
    let mut wrong = Vec::new();
    for name in programs() {
        let wanted = wanted(&name);
        let found = run(&class_path, &name);
        if wanted != found {
            let line = wanted.lines().zip(found.lines()).position(|(a, b)| a != b);
            let line = line.unwrap_or_else(|| wanted.lines().count().min(found.lines().count()));
            wrong.push(format!(
                "{name}, line {}:\n  java: {}\n  ours: {}",
                line + 1,
                wanted.lines().nth(line).unwrap_or("(end)"),
                found.lines().skip(line).take(8).collect::<Vec<_>>().join("\n        ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_installed_java_prints_what_is_expected() {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let classes = compile_all(&jdk);
    for name in programs() {
        let output = Command::new(jdk.tool("java"))
            .args(["-ea", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"])
            .args(["-Dstdout.encoding=UTF-8", "-Duser.language=en", "-Duser.country=US", "-cp"])
            .arg(classes.path())
            .arg(&name)
            .output()
            .expect("java runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        if std::env::var_os("COUNTERPOINT_BLESS").is_some() {
            fs::write(expected(&name, "txt"), &text).expect("the expected file is written");
            if !errors.is_empty() {
                fs::write(expected(&name, "err"), &errors).expect("the expected file is written");
            }
        }
        assert_eq!(wanted(&name), text.clone() + &errors, "{name}");
        assert!(!text.is_empty(), "{name} prints nothing");
    }
}
