//! What the last line and the result file claim about Java programs with cuts, endless threads and data
//! races, as somebody would write them who has read the guide only.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;
use tempfile::TempDir;

/// The last line, the exit code and the result file.
struct Answer {
    line: String,
    code: i32,
    result: Value,
}

/// The class `T` with this body, compiled once however often it is checked.
fn compiled(body: &str) -> PathBuf {
    static FOLDERS: Mutex<Vec<(String, TempDir)>> = Mutex::new(Vec::new());
    let mut folders = FOLDERS.lock().unwrap();
    if let Some((_, folder)) = folders.iter().find(|(known, _)| known == body) {
        return folder.path().to_path_buf();
    }
    let folder = TempDir::new().unwrap();
    let imports = "import java.io.*; import java.util.*; import java.util.concurrent.*;\n\
                   import java.util.concurrent.atomic.*; import java.util.concurrent.locks.*;\n";
    let source = format!("{imports}public class T {{\n{body}\n}}\n");
    std::fs::write(folder.path().join("T.java"), source).unwrap();
    let compiles = Command::new("javac")
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "T.java"])
        .current_dir(folder.path())
        .status();
    assert!(compiles.unwrap().success(), "{body}");
    let path = folder.path().to_path_buf();
    folders.push((body.to_string(), folder));
    path
}

/// Checks the class `T` with this body.
fn check(body: &str, arguments: &[&str]) -> Answer {
    let classes = compiled(body);
    let folder = TempDir::new().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .arg("check")
        .arg(classes.join("T.class"))
        .args(["--json", "result.json"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let screen = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let line = screen.lines().last().unwrap_or_else(|| panic!("{errors}")).to_string();
    let text = std::fs::read_to_string(folder.path().join("result.json")).unwrap();
    let result = serde_json::from_str(&text).unwrap();
    Answer { line, code: output.status.code().unwrap(), result }
}

fn kinds(answer: &Answer) -> Vec<&str> {
    let findings = answer.result["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["kind"].as_str().unwrap()).collect()
}

/// Main starts a thread that does one thing and does another itself.
fn pair(fields: &str, thread: &str, main: &str) -> String {
    format!(
        "{fields}\n  public static void main(String[] args) throws Exception {{\n    \
         Thread t = new Thread(() -> {{ {thread} }});\n    t.start();\n    {main}\n  }}"
    )
}

#[test]
fn a_cut_ends_one_execution() {
    let writes = "try { Runtime.getRuntime().exec(\"x\"); } catch (IOException e) { }";
    let cases = [
        // The branch that cannot be run comes first, or last.
        pair(
            "static boolean f;",
            "f = true;",
            &format!("if (!f) {{ {writes} }} else assert false;"),
        ),
        pair(
            "static boolean f;",
            "f = true;",
            &format!("if (f) {{ {writes} }} else assert false;"),
        ),
        // The thread is cut before, and after, it has touched anything.
        pair("static int x;", writes, "x = 1; assert x == 2;"),
        pair("static int x;", &format!("x = 1; {writes}"), "assert x == 0;"),
        // It holds a lock that the other does not need.
        pair(
            "static int x; static final Object o = new Object();",
            &format!("synchronized (o) {{ x = 1; {writes} }}"),
            "assert x == 0;",
        ),
        // One computes for ever.
        pair("static int x;", "int i = 0; while (true) i++;", "x = 1; x = 2; assert x == 3;"),
    ];
    for case in &cases {
        for explorer in ["optimal", "unfolding", "exhaustive"] {
            let answer = check(case, &["--explorer", explorer]);
            let what = format!("{explorer}: {}\n{case}", answer.line);
            assert_eq!(
                (answer.code, answer.result["verdict"].as_str().unwrap()),
                (1, "bug"),
                "{what}"
            );
            assert_eq!(kinds(&answer), ["assertion", "unsupported"], "{what}");
            assert!(answer.line.contains(" cut: ") && answer.line.contains("T.java:"), "{what}");
            assert!(!answer.line.contains("every"), "{what}");
            assert_eq!(answer.result["exhausted"], false, "{what}");
            assert!(answer.result["cut"].as_u64() > Some(0), "{what}");
            assert!(answer.result["cuts"][0]["line"].as_u64() > Some(0), "{what}");
        }
    }
}

#[test]
fn waiting_for_what_was_cut_is_no_deadlock_and_no_ok() {
    let writes = "try { Runtime.getRuntime().exec(\"x\"); } catch (IOException e) { }";
    let cases = [
        pair("", writes, "t.join();"),
        pair(
            "static final Object o = new Object();",
            &format!("synchronized (o) {{ {writes} }}"),
            "synchronized (o) { }",
        ),
        pair(
            "static CountDownLatch l = new CountDownLatch(1);",
            &format!("{writes} l.countDown();"),
            "l.await();",
        ),
    ];
    for case in &cases {
        let answer = check(case, &[]);
        assert_eq!((answer.code, kinds(&answer)), (3, vec!["unsupported"]), "{}", answer.line);
        assert!(answer.line.starts_with("incomplete: no failure so far; "), "{}", answer.line);
    }
}

#[test]
fn a_thread_that_runs_for_ever_does_not_starve_the_others() {
    let cases = [
        pair(
            "static volatile int x; static int y;",
            "while (true) x++;",
            "y = 1; y = 2; assert y == 1;",
        ),
        pair(
            "static volatile int x; static int y;",
            "y = 1; y = 2; assert y == 1;",
            "while (true) x++;",
        ),
    ];
    for case in &cases {
        for explorer in ["optimal", "dpor", "contextual", "stateful", "pct"] {
            let limits = ["--steps", "400", "--executions", "3", "--explorer", explorer];
            let answer = check(case, &limits);
            assert_eq!((answer.code, kinds(&answer)), (1, vec!["assertion"]), "{explorer}");
            assert!(answer.line.contains("the limit of 400 steps at T.java:"), "{}", answer.line);
        }
    }
}

#[test]
fn data_races_are_noted_in_every_run() {
    let racy = [
        // Two threads count.
        (1, pair("static int x;", "x = 1;", "x = 2;")),
        // A stop flag that is not volatile.
        (1, pair("static boolean stop;", "while (!stop) { }", "stop = true;")),
        // A failed compare-and-set publishes nothing.
        (
            1,
            pair(
                "static int x; static AtomicInteger v = new AtomicInteger();",
                "x = 1; v.compareAndSet(7, 8);",
                "v.get(); int y = x;",
            ),
        ),
        // Two volatile writes order nothing.
        (1, pair("static int x; static volatile int v;", "x = 1; v = 1;", "v = 2; int y = x;")),
        // A collection without a lock.
        (1, pair("static List<Integer> l = new ArrayList<>();", "l.add(1);", "l.size();")),
    ];
    for (races, case) in &racy {
        let answer = check(case, &[]);
        let noun = if *races == 1 { "data race" } else { "data races" };
        let line = format!(
            "ok for sequentially consistent executions; {races} {noun}, so a real JVM may show more (`--races`)"
        );
        assert!(answer.line.starts_with(&line), "{}\n{case}", answer.line);
        assert_eq!((answer.code, &answer.result["races"]), (0, &Value::from(*races)), "{case}");
        assert_eq!(answer.result["warnings"].as_array().unwrap().len(), 1, "{case}");
        let answer = check(case, &["--races"]);
        assert_eq!((answer.code, kinds(&answer)), (1, vec!["race"; *races]), "{case}");
        assert_eq!(answer.result["races"], *races, "{case}");
    }
    let ordered = [
        // What is written first and read last, around a start and a join.
        pair("static int x;", "x = 1;", "t.join(); assert x == 1;"),
        "static int x;\n  public static void main(String[] a) throws Exception {\n    x = 5;\n    \
         Thread t = new Thread(() -> { int y = x; });\n    t.start(); t.join(); x = 6;\n  }"
            .to_string(),
        pair(
            "static int x; static volatile boolean f;",
            "x = 1; f = true;",
            "if (f) { assert x == 1; }",
        ),
        pair(
            "static int x; static StampedLock l = new StampedLock();",
            "long s = l.writeLock(); x++; l.unlockWrite(s);",
            "long s = l.readLock(); int y = x; l.unlockRead(s);",
        ),
        pair(
            "static int x; static AtomicBoolean f = new AtomicBoolean();",
            "x = 1; f.set(true);",
            "if (f.compareAndSet(true, false)) x = 2;",
        ),
        pair(
            "static int[] c = {0};",
            "synchronized (c) { c[0]++; }",
            "synchronized (c) { c[0]++; }",
        ),
        pair(
            "static int x; static BlockingQueue<Integer> q = new ArrayBlockingQueue<>(1);",
            "x = 1; try { q.put(1); } catch (InterruptedException e) { }",
            "q.take(); assert x == 1;",
        ),
    ];
    for case in &ordered {
        for arguments in [&[][..], &["--races"], &["--races", "--explorer", "contextual"]] {
            let answer = check(case, arguments);
            assert!(answer.line.starts_with("ok: every "), "{arguments:?} {}\n{case}", answer.line);
            assert_eq!(answer.result["races"], 0, "{case}");
            assert_eq!(answer.result["assumptions"], Value::Array(Vec::new()), "{case}");
        }
    }
}

#[test]
fn an_explorer_that_does_not_see_all_races_says_so() {
    let case = pair(
        "static int x;",
        "synchronized (T.class) { x = 1; }",
        "synchronized (T.class) { x = 2; }",
    );
    for explorer in ["stateful", "stateful-naive"] {
        let answer = check(&case, &["--explorer", explorer]);
        assert!(answer.line.contains("data races were not looked for"), "{}", answer.line);
        let answer = check(&case, &["--explorer", explorer, "--races"]);
        assert_eq!(answer.code, 3, "{}", answer.line);
        assert!(answer.line.contains("the explorer `optimal` does"), "{}", answer.line);
    }
}
