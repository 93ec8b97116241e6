//! Sequential programs print what the installed `java` prints.
//!
//! The programs are in `tests/java`, each run by a virtual machine of its own, and in
//! `tests/ordinary`, which one virtual machine runs in turn; what they print is in `expected` beside
//! them: output in `.txt`, the error stream, if it is used, in `.err`. With `COUNTERPOINT_BLESS` set,
//! the real `java` writes the expected files anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use counterpoint_jvm::load::{ClassPath, Jdk, compile};
use counterpoint_jvm::{Machine, Options};

/// The program that runs the others.
const DRIVER: &str = "RunAll";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Names of all programs of a folder, in order.
fn programs(name: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder(name)).expect("the folder of programs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "java") {
            names.push(path.file_stem().expect("a name").to_string_lossy().into_owned());
        }
    }
    names.retain(|name| name != DRIVER);
    names.sort();
    assert!(names.len() >= 40, "only {} programs", names.len());
    names
}

fn compile_all(jdk: &Jdk, name: &str) -> tempfile::TempDir {
    let mut names = programs(name);
    if folder(name).join(format!("{DRIVER}.java")).exists() {
        names.push(DRIVER.to_string());
    }
    let sources: Vec<PathBuf> =
        names.iter().map(|program| folder(name).join(format!("{program}.java"))).collect();
    compile(jdk, &sources, &[]).unwrap_or_else(|error| panic!("the programs compile: {error}"))
}

fn expected(folder_name: &str, name: &str, stream: &str) -> PathBuf {
    folder(folder_name).join("expected").join(format!("{name}.{stream}"))
}

/// What a program is expected to print to both streams, the error stream last.
fn wanted(folder: &str, name: &str) -> String {
    let read = |stream| fs::read_to_string(expected(folder, name, stream)).unwrap_or_default();
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

/// Compares what the programs of a folder print under our machine with what is expected.
fn compare(folder: &str) {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let classes = compile_all(&jdk, folder);
    let class_path = ClassPath::new(jdk, &[classes.path().to_path_buf()]).expect("a class path");
    let mut wrong = Vec::new();
    for name in programs(folder) {
        let wanted = wanted(folder, &name);
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

/// The installed `java`, set up as our machine is.
fn java(jdk: &Jdk, classes: &Path) -> Command {
    let mut command = Command::new(jdk.tool("java"));
    command
        .args(["-ea", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"])
        .args(["-Dstdout.encoding=UTF-8", "-Duser.language=en", "-Duser.country=US"])
        .args(["-Duser.timezone=UTC", "-cp"])
        .arg(classes);
    command
}

/// Compares what the installed `java` printed with what is expected, or takes it as such.
fn judge(folder: &str, name: &str, text: &str, errors: &str) {
    if std::env::var_os("COUNTERPOINT_BLESS").is_some() {
        fs::write(expected(folder, name, "txt"), text).expect("the expected file is written");
        if !errors.is_empty() {
            fs::write(expected(folder, name, "err"), errors).expect("the expected file is written");
        }
    }
    assert_eq!(wanted(folder, name), text.to_string() + errors, "{name}");
    assert!(!text.is_empty(), "{name} prints nothing");
}

#[test]
fn programs_print_what_java_printed() {
    compare("java");
}

#[test]
fn ordinary_programs_print_what_java_printed() {
    compare("ordinary");
}

#[test]
#[ignore = "long: a virtual machine for each program"]
fn the_installed_java_prints_what_is_expected() {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let classes = compile_all(&jdk, "java");
    for name in programs("java") {
        let output = java(&jdk, classes.path()).arg(&name).output().expect("java runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        judge("java", &name, &text, &errors);
    }
}

#[test]
fn the_installed_java_prints_what_is_expected_of_ordinary_programs() {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let classes = compile_all(&jdk, "ordinary");
    let outputs = tempfile::tempdir().expect("a temporary folder");
    let names = programs("ordinary");
    let mut command = java(&jdk, classes.path());
    command.arg(DRIVER).arg(outputs.path()).args(&names);
    let ended = command.output().expect("java runs");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    for name in names {
        let read = |stream: &str| {
            let path = outputs.path().join(format!("{name}.{stream}"));
            String::from_utf8_lossy(&fs::read(path).expect("its output")).into_owned()
        };
        judge("ordinary", &name, &read("txt"), &read("err"));
    }
}
