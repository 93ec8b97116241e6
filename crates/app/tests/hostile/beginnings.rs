//! Programs that do not come to their first step: the time limit holds for that, too.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::BINARY;

/// A loop without an end, of numbers that become long.
const ENDLESS: &str = "class A { static volatile int x; public static void main(String[] a) { \
                       var b = new java.math.BigInteger(\"9\".repeat(2000)); \
                       while (x == 0) b = b.multiply(b).shiftRight(6000); } }";

#[test]
fn a_program_that_does_not_come_to_its_first_step_keeps_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("A.java"), ENDLESS).unwrap();
    let compiled = Command::new("javac").arg("A.java").current_dir(folder.path()).status().unwrap();
    assert!(compiled.success());
    let began = Instant::now();
    let output = Command::new(BINARY)
        .args(["check", "A.class", "--time", "1", "--jobs", "1"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let elapsed = began.elapsed();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("stopped by the time limit after 0 executions"), "{text}");
    assert!(elapsed < Duration::from_secs(9), "{elapsed:?}: {text}");
}
