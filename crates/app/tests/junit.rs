//! JUnit tests as programs: what `counterpoint test` makes of the frameworks themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Where Debian's packages put jars.
const JARS: &str = "/usr/share/java";
const FOUR: &[&str] = &["junit4", "hamcrest-core"];
const FIVE: &[&str] = &[
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-jupiter-params",
    "junit-platform-engine",
    "junit-platform-commons",
    "opentest4j",
    "apiguardian-api",
];

fn class_path(jars: &[&str]) -> String {
    let paths: Vec<String> = jars.iter().map(|jar| format!("{JARS}/{jar}.jar")).collect();
    paths.join(":")
}

/// The build file of a Maven project with tests of JUnit 4. Its libraries are in the repository of Debian's packages.
const MAVEN: &str = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
    <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>\
    <properties><junit.version>4.13.2</junit.version></properties>\
    <dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId>\
    <version>${junit.version}</version><scope>test</scope></dependency></dependencies></project>";

/// The build file of a Gradle project with tests of JUnit 5. Who runs them comes with the library.
const GRADLE: &str = "plugins { id 'java' }\ndef jupiter = '5.9.2'\ndependencies {\n    \
    testImplementation \"org.junit.jupiter:junit-jupiter-api:$jupiter\"\n    \
    testImplementation \"org.junit.jupiter:junit-jupiter-params:$jupiter\"\n}\n";

/// The repository of Debian's packages.
const REPOSITORY: &str = "/usr/share/maven-repo";

/// Build files of projects with tests of JUnit 4 and 5, for the real tools.
const MAVEN_FOR_BOTH: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <jupiter>5.9.2</jupiter>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.13.2</version>
      <scope>test</scope>
    </dependency>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter-api</artifactId>
      <version>${jupiter}</version>
      <scope>test</scope>
    </dependency>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter-params</artifactId>
      <version>${jupiter}</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
"#;
const GRADLE_FOR_BOTH: &str = "apply plugin: 'java'

repositories {
    maven { url 'file:///usr/share/maven-repo' }
}

dependencies {
    testCompile 'junit:junit:4.13.2'
    testCompile 'org.junit.jupiter:junit-jupiter-api:5.9.2'
    testCompile 'org.junit.jupiter:junit-jupiter-params:5.9.2'
}
";

/// A built project with the tests of a folder, as a build tool leaves it.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(sources: &str, jars: &[&str]) -> Project {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/junit").join(sources);
        let to = folder.path().join("src/test/java/shop");
        std::fs::create_dir_all(&to).expect("a folder");
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(from.join("shop")).expect("sources").flatten() {
            let file = to.join(entry.file_name());
            std::fs::copy(entry.path(), &file).expect("a copy");
            files.push(file);
        }
        let (build_file, text, classes) = match sources {
            "four" => ("pom.xml", MAVEN, "target/test-classes"),
            _ => ("build.gradle", GRADLE, "build/classes/java/test"),
        };
        std::fs::write(folder.path().join(build_file), text).expect("a build file");
        if sources == "explored" {
            return Project { folder };
        }
        let status = Command::new("javac")
            .args(["-g", "-cp", &class_path(jars), "-d"])
            .arg(folder.path().join(classes))
            .args(&files)
            .status()
            .expect("javac runs");
        assert!(status.success());
        Project { folder }
    }

    /// A project with all tests, which use a class of the project, built by a real tool.
    fn built_by(build_file: &str, text: &str, command: &[&str]) -> Project {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/junit");
        for (from, to) in [("four", "test"), ("five", "test"), ("both", "test"), ("main", "main")] {
            let to = folder.path().join("src").join(to).join("java/shop");
            std::fs::create_dir_all(&to).expect("a folder");
            for entry in std::fs::read_dir(root.join(from).join("shop")).expect("sources").flatten()
            {
                std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
            }
        }
        std::fs::write(folder.path().join(build_file), text).expect("a build file");
        let output = Command::new(command[0])
            .args(&command[1..])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|cause| panic!("{}: {cause}", command[0]));
        let text = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&text));
        Project { folder }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> (Option<i32>, String) {
        let output = self.command(words).output().expect("it runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    }

    fn test(&self, more: &[&str]) -> (Option<i32>, String) {
        self.run(&[&["test", "."], more].concat())
    }

    fn json(&self, name: &str) -> Value {
        let text = std::fs::read_to_string(self.folder.path().join(name)).expect("a file");
        serde_json::from_str(&text).expect("JSON")
    }
}

/// Each test's verdict by its name.
fn verdicts(result: &Value) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let tests = result["tests"].as_array().expect("tests").iter();
    tests
        .map(|test| {
            let name = format!("{}.{}", text(&test["class"]), text(&test["name"]));
            (name.replace("shop.", ""), text(&test["verdict"]))
        })
        .collect()
}

fn expected(verdicts: &[(&str, &str)]) -> BTreeMap<String, String> {
    verdicts.iter().map(|(name, verdict)| (name.to_string(), verdict.to_string())).collect()
}

/// What each test of JUnit 4 gets.
const VERDICTS_OF_FOUR: &[(&str, &str)] = &[
    ("CounterTest.losesAnUpdate", "bug"),
    ("CounterTest.keepsAllUpdates", "ok"),
    ("CounterTest.failsAsExpected", "ok"),
    ("CounterTest.assumesAnOrder", "ok"),
    ("CounterTest.endsInTime", "ok"),
    ("CounterTest.deadlocks", "bug"),
    ("CounterTest.ignored", "ignored"),
    ("CounterTest.assumesInVain", "ignored"),
    ("InheritedTest.isMade", "ok"),
    ("SumTest.addsUp[0]", "ok"),
    ("SumTest.addsUp[1]", "bug"),
];

/// What each test of JUnit 5 gets.
const VERDICTS_OF_FIVE: &[(&str, &str)] = &[
    ("OrdersTest.losesAnOrder", "bug"),
    ("OrdersTest.keepsOrders", "ok"),
    ("OrdersTest.throwsAsExpected", "ok"),
    ("OrdersTest.isForOtherBranches", "ignored"),
    ("OrdersTest.assumesTooMuch", "ignored"),
    ("OrdersTest.endsInTime", "ok"),
    ("OrdersTest.isSmall [1] 1", "ok"),
    ("OrdersTest.isSmall [2] 2", "ok"),
    ("OrdersTest.isSmall [3] 3", "bug"),
    ("OrdersTest.hasAName [1] a", "ok"),
    ("OrdersTest.hasAName [2] b", "ok"),
    ("OrdersTest.neverGetsParameters", "bug"),
    ("OrdersTest.hasAKind [1] RETAIL", "ok"),
    ("OrdersTest.hasAKind [2] TRADE", "ok"),
    ("OrdersTest.failsOnceInAWhile", "bug"),
    ("OrdersTest.made one", "ok"),
    ("OrdersTest.made two", "bug"),
    ("OrdersTest.disabled", "ignored"),
    ("OrdersTest$WhenPaid.isOpen", "ok"),
];

/// What each test for a class of the project gets.
const VERDICTS_OF_SHELVES: &[(&str, &str)] =
    &[("ShelfTest.losesAPiece", "bug"), ("ShelfTest.keepsPieces", "ok")];

/// Explores the tests of some classes of a project, which must get these verdicts and no others; the screen and the
/// result.
fn check_tests(
    project: &Project,
    classes: &[&str],
    verdicts_of_classes: &[(&str, &str)],
) -> (String, Value) {
    let patterns: Vec<String> = classes.iter().map(|class| format!("{class}*")).collect();
    let mut words = vec!["--json", "all.json", "--junit", "all.xml"];
    words.extend(patterns.iter().flat_map(|pattern| ["--tests", pattern]));
    let (code, text) = project.test(&words);
    assert_eq!(code, Some(1), "{text}");
    let mut wanted = expected(verdicts_of_classes);
    wanted.extend(expected(VERDICTS_OF_SHELVES));
    let all = project.json("all.json");
    assert_eq!(verdicts(&all), wanted, "{text}");
    (text, all)
}

#[test]
fn a_project_that_maven_has_built_has_its_tests_of_junit_4_explored_one_by_one() {
    let repository = format!("-Dmaven.repo.local={REPOSITORY}");
    let build = ["mvn", "-o", "-q", &repository, "test-compile"];
    let project = Project::built_by("pom.xml", MAVEN_FOR_BOTH, &build);
    let classes = ["CounterTest", "InheritedTest", "SumTest", "ShelfTest"];
    let (text, all) = check_tests(&project, &classes, VERDICTS_OF_FOUR);
    // The finding is the assertion in the test, with what was expected.
    assert!(text.contains("expected:<12> but was:<11>"), "{text}");
    assert!(
        text.contains("src/test/java/shop/CounterTest.java:66 in CounterTest.losesAnUpdate"),
        "{text}"
    );
    assert!(text.contains("its assumption does not hold: a second processor"), "{text}");
    let lost =
        all["tests"].as_array().into_iter().flatten().find(|test| test["name"] == "losesAnUpdate");
    assert_eq!(lost.expect("a test")["findings"][0]["kind"], "assertion", "{all}");
    assert!(text.contains("skipped in 1 of 2 executions: its assumption does not hold"), "{text}");
    let xml = std::fs::read_to_string(project.folder.path().join("all.xml")).expect("a file");
    let counts = "tests=\"13\" failures=\"4\" errors=\"0\" skipped=\"2\"";
    assert!(xml.contains(counts), "{xml}");
    assert!(xml.contains("<testcase classname=\"shop.SumTest\" name=\"addsUp[1]\""), "{xml}");
}

#[test]
fn a_project_that_gradle_has_built_has_its_tests_of_junit_5_explored_one_by_one() {
    let build = ["gradle", "--offline", "--no-daemon", "testClasses"];
    let project = Project::built_by("build.gradle", GRADLE_FOR_BOTH, &build);
    let (text, _) = check_tests(&project, &["OrdersTest", "ShelfTest"], VERDICTS_OF_FIVE);
    assert!(text.contains("3 is too large"), "{text}");
}

/// Without the file, the set-up of one object for all tests would be refused.
#[test]
fn a_projects_own_annotations_mark_tests_and_its_configuration_of_junit_holds() {
    let project = Project::new("configured", FIVE);
    let resources = project.folder.path().join("src/test/resources");
    std::fs::create_dir_all(&resources).expect("a folder");
    let configuration = "junit.jupiter.testinstance.lifecycle.default = per_class\n\
        junit.jupiter.execution.parallel.enabled = true\n";
    std::fs::write(resources.join("junit-platform.properties"), configuration).expect("a file");
    let (code, text) = project.test(&["--json", "all.json"]);
    assert_eq!(code, Some(1), "{text}");
    let wanted = [
        ("BasketTest.holdsAPiece", "ok"),
        ("BasketTest.losesAPiece", "bug"),
        ("BasketTest.glancesAtPieces", "ok"),
    ];
    assert_eq!(verdicts(&project.json("all.json")), expected(&wanted), "{text}");
}

/// Without the remark, `ok` would claim more than was shown.
#[test]
fn data_races_are_told_of_tests_that_pass_and_can_be_looked_for() {
    let project = Project::new("configured", FIVE);
    let configuration = "junit.jupiter.testinstance.lifecycle.default = per_class";
    let classes = project.folder.path().join("build/classes/java/test");
    std::fs::write(classes.join("junit-platform.properties"), configuration).expect("a file");
    let some = ["--tests", "glances"];
    let (code, text) = project.test(&some);
    assert_eq!(code, Some(0), "{text}");
    let remark = "for sequentially consistent executions; 1 data race, so a real JVM may show more";
    assert!(text.contains(remark), "{text}");
    assert!(text.contains("(1 with data races, so a real machine may show more"), "{text}");
    let (code, text) = project.test(&[&some[..], &["--races"]].concat());
    assert_eq!(code, Some(1), "{text}");
    // What was kept of it is a failure only for those who ask.
    let (code, text) = project.test(&some);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_result_on_standard_output_has_it_alone() {
    let project = Project::new("four", FOUR);
    let words = ["test", ".", "--tests", "CounterTest.*Update*", "--json", "-"];
    let output = project.command(&words).output().expect("it runs");
    let screen = String::from_utf8_lossy(&output.stderr).into_owned();
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    assert_eq!(verdicts(&result).len(), 2, "{screen}");
    assert!(screen.lines().last().is_some_and(|line| line.starts_with("bug: ")), "{screen}");
    // The name of the test comes before what was found in it.
    let (name, finding) = (screen.find("bug         shop."), screen.find("1. assertion failed"));
    assert!(name.is_some() && name < finding, "{screen}");
    let (code, text) = project.test(&["--json", "x", "--junit", "x"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("`--json` and `--junit` both write to `x`"), "{text}");
}

#[test]
fn sources_that_were_changed_after_the_build_are_named() {
    let project = Project::new("four", FOUR);
    let some = ["--tests", "CounterTest.keepsAllUpdates"];
    let (_, text) = project.test(&some);
    assert!(!text.contains("since the last build"), "{text}");
    let source = project.folder.path().join("src/test/java/shop/CounterTest.java");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let file = std::fs::File::options().append(true).open(&source).expect("a source");
    file.set_modified(later).expect("a time");
    let (_, text) = project.test(&some);
    let named = "src/test/java/shop/CounterTest.java has changed since the last build";
    assert!(text.contains(named), "{text}");
}

/// From version 5.12 on, an engine asks those who start it for more, and each version has another way to do so.
#[test]
fn later_versions_of_junit_get_what_they_ask_for() {
    let project = Project::new("five", FIVE);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/junit/later");
    let classes = project.folder.path().join("later");
    let engine = sources.join("org/junit/jupiter/engine/JupiterTestEngine.java");
    let status = Command::new("javac")
        .args(["-cp", &class_path(FIVE), "-sourcepath"])
        .arg(&sources)
        .arg("-d")
        .args([&classes, &engine])
        .arg(sources.join("org/junit/platform/engine/NeverCancelled.java"))
        .status()
        .expect("javac runs");
    assert!(status.success());
    let path = format!("later:{}", class_path(FIVE));
    let words = ["--class-path", &path, "--tests", "OrdersTest.*rs", "--json", "all.json"];
    let (code, text) = project.test(&words);
    assert_eq!(code, Some(1), "{text}");
    let wanted = [("OrdersTest.keepsOrders", "ok"), ("OrdersTest.neverGetsParameters", "bug")];
    assert_eq!(verdicts(&project.json("all.json")), expected(&wanted), "{text}");
}

/// What runs tests of JUnit 5 in builds and IDEs.
const LAUNCHER: &[&str] =
    &["junit-platform-launcher", "junit-platform-console", "junit-platform-reporting", "picocli"];

#[test]
fn a_test_with_the_annotation_is_explored_by_the_launcher_of_junit() {
    let project = Project::new("explored", FIVE);
    let folder = project.folder.path();
    let extension =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../extension/counterpoint/junit");
    let sources =
        std::fs::read_dir(extension).expect("sources").flatten().map(|entry| entry.path());
    let jars = class_path(&[FIVE, LAUNCHER].concat());
    let status = Command::new("javac")
        .args(["-g", "-cp", &jars, "-d"])
        .arg(folder.join("build/classes/java/test"))
        .args(sources)
        .arg(folder.join("src/test/java/shop/StockTest.java"))
        .status()
        .expect("javac runs");
    assert!(status.success());
    let launch = |binary: &str| {
        let output = Command::new("java")
            .arg(format!("-Dcounterpoint.binary={binary}"))
            .arg("-cp")
            .arg(format!("build/classes/java/test:{jars}"))
            .args(["org.junit.platform.console.ConsoleLauncher", "--disable-banner"])
            .args(["--select-class", "shop.StockTest", "--disable-ansi-colors"])
            .current_dir(folder)
            .output()
            .expect("java runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let (code, text) = launch(env!("CARGO_BIN_EXE_counterpoint"));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("4 tests successful") && text.contains("1 tests failed"), "{text}");
    assert!(text.contains("1 tests aborted"), "{text}");
    // The bug screen is the message of the failure.
    assert!(text.contains("a schedule makes this test fail"), "{text}");
    assert!(text.contains("expected: <2> but was: <1>"), "{text}");
    assert!(text.contains("StockTest.java:27"), "{text}");
    let (code, text) = launch("/no/such/program");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("`/no/such/program` is not a program"), "{text}");
}

#[test]
fn a_failing_test_comes_first_next_time_and_can_be_replayed() {
    let project = Project::new("four", FOUR);
    let some = ["--tests", "CounterTest.*Update*", "--tests", "CounterTest.deadlocks"];
    let (_, first) = project.test(&some);
    let file = first
        .split_whitespace()
        .find(|word| word.contains("CounterTest-losesAnUpdate-assertion"))
        .unwrap_or_else(|| panic!("{first}"));
    let (code, again) = project.run(&["replay", file]);
    assert_eq!(code, Some(1), "{again}");
    assert!(again.contains("expected:<12> but was:<11>"), "{again}");
    let (_, text) = project.test(&[&some[..], &["--json", "all.json"]].concat());
    let all = project.json("all.json");
    assert_eq!(all["tests"].as_array().map(Vec::len), Some(3), "{text}");
    let first_two: Vec<&str> =
        (0..2).map(|index| all["tests"][index]["name"].as_str().expect("a name")).collect();
    assert!(
        first_two.contains(&"losesAnUpdate") && first_two.contains(&"deadlocks"),
        "{first_two:?}: {text}"
    );
}

#[test]
fn several_processes_come_to_the_same_verdicts() {
    let project = Project::new("four", FOUR);
    let both = &["--tests", "CounterTest.*Update*"];
    let one = &["--tests", "CounterTest.keepsAllUpdates"];
    let results = |some: &[&str], jobs| {
        let more = ["--jobs", jobs, "--json", "all.json", "--all-failures"];
        let (code, text) = project.test(&[some, &more].concat());
        let result = project.json("all.json");
        let tests = result["tests"].as_array().expect("tests").iter();
        let counts = tests.map(|test| (test["name"].clone(), test["result"]["executions"].clone()));
        let counts: Vec<(Value, Value)> = counts.collect();
        assert!(counts.iter().all(|(_, executions)| executions.is_u64()), "{result}");
        let kinds: Vec<Value> = (result["tests"].as_array().into_iter().flatten())
            .map(|test| test["findings"][0]["message"].clone())
            .collect();
        (code, verdicts(&result), counts, kinds, text.contains("expected:<12> but was:<11>"))
    };
    assert_eq!(results(both, "2"), results(both, "1"));
    assert_eq!(results(one, "2"), results(one, "1"));
}

/// A single test is divided as any program is. What it comes to, apart from times and from which of several schedules
/// shows a failure.
#[test]
fn several_processes_share_one_test() {
    let project = Project::new("long", FIVE);
    let results = |jobs: &str, log: &str| {
        let words = ["test", ".", "--jobs", jobs, "--json", "all.json", "--all-failures"];
        let mut command = project.command(&words);
        // Workers come at once, and report after each millisecond.
        command.env("COUNTERPOINT_TEST_HASTE", "1").env("COUNTERPOINT_UNIT_LOG", log);
        let code = command.output().expect("it runs").status.code();
        let result = project.json("all.json");
        let test = &result["tests"][0];
        let fields = ["verdict", "exhausted", "executions", "deadlocks", "cut", "bounds"]
            .map(|name| test["result"][name].clone());
        let findings: BTreeSet<String> = (test["findings"].as_array().into_iter().flatten())
            .map(|one| ["kind", "message", "file", "line", "count"].map(|name| &one[name]))
            .map(|finding| format!("{finding:?}"))
            .collect();
        let units = std::fs::read_to_string(project.folder.path().join(log));
        let units = units.map_or(0, |text| text.lines().count());
        ((code, verdicts(&result), fields, findings), units)
    };
    let (alone, none) = results("1", "none");
    assert!(alone.2[2].as_u64().is_some_and(|executions| executions > 100), "{alone:?}");
    assert_eq!((none, alone.0), (0, Some(1)), "{alone:?}");
    let (shared, units) = results("2", "units");
    assert_eq!(shared, alone);
    assert!(units > 3, "{units} units");
}

#[test]
fn what_is_missing_is_named() {
    let project = Project::new("five", FIVE);
    let build_file = project.folder.path().join("build.gradle");
    std::fs::write(&build_file, GRADLE.replace("5.9.2", "5.0.1-none")).expect("a build file");
    let (code, text) = project.run(&["test", "build/classes/java/test"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("JUnit 5") && text.contains("junit-jupiter-api:5.0.1-none"), "{text}");
    let some =
        ["test", ".", "--tests", "OrdersTest.keepsOrders", "--class-path", &class_path(FIVE)];
    let (code, text) = project.run(&some);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("in no local repository: org.junit.jupiter:junit-jupiter-api"), "{text}");
    std::fs::write(&build_file, GRADLE).expect("a build file");
    let (code, text) = project.test(&["--tests", "Nothing"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("no test is called `Nothing`"), "{text}");
    std::fs::remove_dir_all(project.folder.path().join("build")).expect("no classes");
    std::fs::write(&build_file, GRADLE.replace("5.9.2", "5.0.1-none")).expect("a build file");
    let (code, text) = project.test(&[]);
    assert_eq!(code, Some(2), "{text}");
    let first = text.lines().next().unwrap_or_default();
    assert!(first.contains("does not compile") && first.contains("5.0.1-none"), "{text}");
    std::fs::create_dir(project.folder.path().join("empty")).expect("a folder");
    let (code, text) = project.run(&["test", "empty"]);
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn sources_are_compiled_once_for_all_tests() {
    let project = Project::new("four", FOUR);
    std::fs::remove_dir_all(project.folder.path().join("target")).expect("no classes");
    // A JDK whose compiler notes each time that it is called.
    let java = std::fs::canonicalize("/usr/bin/java").expect("a JDK");
    let jdk = java.parent().and_then(Path::parent).expect("its folder");
    let home = project.folder.path().join("jdk");
    std::fs::create_dir_all(home.join("bin")).expect("a folder");
    std::os::unix::fs::symlink(jdk.join("lib"), home.join("lib")).expect("a link");
    std::os::unix::fs::symlink(&java, home.join("bin/java")).expect("a link");
    let compiler = home.join("bin/javac");
    let script = format!(
        "#!/bin/sh\necho \"$*\" >>{0}/calls\nexec {1}/bin/javac \"$@\"\n",
        home.display(),
        jdk.display()
    );
    std::fs::write(&compiler, script).expect("a script");
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let words =
        ["test", "src", "--tests", "CounterTest", "--class-path", &class_path(FOUR), "--jobs", "2"];
    let output = project.command(&words).env("JAVA_HOME", &home).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("2 tests with a failure"), "{text}");
    let calls = std::fs::read_to_string(home.join("calls")).expect("calls");
    // The tests, and what asks JUnit for one of them.
    assert_eq!(calls.lines().count(), 2, "{calls}");
    for file in std::fs::read_dir(project.folder.path().join(".counterpoint")).expect("schedules") {
        let kept = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
        assert!(!kept.contains("\"classes\""), "{kept}");
    }
}
