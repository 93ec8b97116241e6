//! Programs come as sources, class files, folders and jars; what cannot be used says why.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use counterpoint_jvm::load::{ClassPath, Jdk, Opened};
use counterpoint_jvm::{Error, Machine, Options};

fn jdk() -> Jdk {
    Jdk::find().expect("a JDK is installed where the tests run")
}

/// A folder with a source file `Greet.java` and its classes.
fn greeter() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = "package some.where; public class Greet { static class Name { String text = \"all\"; } \
                  public static void main(String[] a) { System.out.println(\"hello \" + new Name().text + a.length); } }";
    fs::write(folder.path().join("Greet.java"), source).expect("written");
    let status = Command::new(jdk().tool("javac"))
        .arg("-d")
        .arg(folder.path().join("classes"))
        .arg(folder.path().join("Greet.java"))
        .status();
    assert!(status.expect("javac runs").success());
    folder
}

fn run(targets: &[PathBuf], class_path: &[PathBuf]) -> Result<String, Error> {
    let target = Opened::open(&jdk(), targets, class_path)?;
    let main = target.main_class()?;
    let arguments = ["one".to_string()];
    let mut machine =
        Machine::new(target.class_path().clone(), &main, &arguments, Options::default())?;
    machine.run_to_end().map_err(Error::Start)?;
    Ok(String::from_utf8_lossy(machine.output()).into_owned())
}

#[test]
fn a_program_runs_from_source_folder_jar_and_single_files() {
    let folder = greeter();
    let jar = folder.path().join("greet.jar");
    let classes = folder.path().join("classes");
    let made = Command::new(jdk().tool("jar"))
        .arg("cf")
        .arg(&jar)
        .arg("-C")
        .arg(&classes)
        .arg(".")
        .status();
    assert!(made.expect("jar runs").success());
    let package = classes.join("some/where");
    let rows: [(Vec<PathBuf>, Vec<PathBuf>); 5] = [
        (vec![folder.path().join("Greet.java")], vec![]),
        (vec![classes.clone()], vec![]),
        (vec![jar.clone()], vec![]),
        (vec![package.join("Greet.class"), package.join("Greet$Name.class")], vec![]),
        (vec![package.join("Greet.class")], vec![jar]),
    ];
    for (targets, class_path) in rows {
        match run(&targets, &class_path) {
            Ok(output) => assert_eq!(output, "hello all1\n", "{targets:?}"),
            Err(error) => panic!("{targets:?}: {error}"),
        }
    }
}

#[test]
fn a_folder_that_vanishes_has_been_read() {
    let folder = greeter();
    let target = Opened::open(&jdk(), &[folder.path().join("classes")], &[]).expect("a program");
    let class_path = target.class_path().clone();
    let names = class_path.program_classes().expect("readable");
    assert_eq!(names, ["some/where/Greet", "some/where/Greet$Name"]);
    for name in &names {
        assert!(class_path.class(name).expect("readable").is_some(), "{name}");
    }
    drop(folder);
    let arguments = ["one".to_string()];
    let mut machine = Machine::new(class_path, "some.where.Greet", &arguments, Options::default())
        .expect("all that it needs is known");
    machine.run_to_end().expect("it runs");
    assert_eq!(String::from_utf8_lossy(machine.output()), "hello all1\n");
}

#[test]
fn a_jar_is_started_where_its_manifest_says() {
    let folder = greeter();
    let source = folder.path().join("Other.java");
    let text =
        "public class Other { public static void main(String[] a) { System.out.println(1); } }";
    fs::write(&source, text).expect("written");
    let classes = folder.path().join("classes");
    let status = Command::new(jdk().tool("javac")).arg("-d").arg(&classes).arg(&source).status();
    assert!(status.expect("javac runs").success());
    for (main, wanted) in [("some.where.Greet", "hello all1\n"), ("Other", "1\n")] {
        let jar = folder.path().join(format!("{main}.jar"));
        let made = Command::new(jdk().tool("jar"))
            .arg("cfe")
            .args([
                jar.as_os_str(),
                main.as_ref(),
                "-C".as_ref(),
                classes.as_os_str(),
                ".".as_ref(),
            ])
            .status();
        assert!(made.expect("jar runs").success());
        match run(&[jar], &[]) {
            Ok(output) => assert_eq!(output, wanted, "{main}"),
            Err(error) => panic!("{main}: {error}"),
        }
    }
    let error = run(&[classes], &[]).expect_err("nobody says which");
    assert!(error.to_string().contains("(Other, some.where.Greet); choose one"), "{error}");
}

#[test]
fn what_cannot_be_used_says_what_to_do() {
    let folder = greeter();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("Broken.java"), "class Broken { int x = ; }").expect("written");
    fs::write(path("notes.txt"), "nothing").expect("written");
    fs::write(path("damaged.jar"), "nothing").expect("written");
    fs::write(path("Damaged.class"), [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0]).expect("written");
    fs::create_dir(path("empty")).expect("made");
    fs::write(
        path("Several.java"),
        "class One { public static void main(String[] a) {} } class Two { public static void main(String[] a) {} }",
    )
    .expect("written");
    let rows = [
        ("Broken.java", "Broken.java:1: error: illegal start of expression"),
        ("notes.txt", "is not a .java file, a .class file, a jar or a folder"),
        ("damaged.jar", "cannot read the jar"),
        ("Damaged.class", "truncated"),
        ("missing.jar", "cannot read"),
        ("Missing.java", "cannot read"),
        ("empty", "there are no classes in"),
        ("Several.java", "(One, Two); choose one with --main"),
    ];
    for (name, wanted) in rows {
        match run(&[path(name)], &[]) {
            Ok(output) => panic!("{name} ran: {output}"),
            Err(error) => assert!(error.to_string().contains(wanted), "{name}: {error}"),
        }
    }
}

#[test]
fn a_missing_jdk_main_class_or_main_method_is_named() {
    let nowhere = Jdk::at(Path::new("/nowhere")).expect_err("there is no JDK");
    assert!(nowhere.to_string().contains("install JDK 17 or newer"), "{nowhere}");
    let folder = greeter();
    let class_path = ClassPath::new(jdk(), &[folder.path().join("classes")]).expect("a class path");
    let rows = [
        ("some.where.Gone", "class some.where.Gone was not found"),
        ("some.where.Greet$Name", "--main"),
    ];
    for (main, wanted) in rows {
        let error = Machine::new(class_path.clone(), main, &[], Options::default())
            .expect_err("it cannot start");
        assert!(error.to_string().contains(wanted), "{error}");
    }
}
