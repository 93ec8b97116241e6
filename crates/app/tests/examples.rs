//! Each example shows what its name says: the bug with its kind and line, whose replay shows it again,
//! and a repair in which nothing is left to fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// The examples: folder, program, repair, kind of failure and line.
const EXAMPLES: &[(&str, &str, &str, &str, u64)] = &[
    ("java", "Buckets.java", "BucketsFixed.java", "exception", 8),
    ("java", "Coupon.java", "CouponFixed.java", "assertion", 30),
    ("java", "EarlyFlag.java", "EarlyFlagFixed.java", "exception", 16),
    ("java", "HitCounter.java", "HitCounterFixed.java", "assertion", 23),
    ("java", "LazyInit.java", "LazyInitFixed.java", "assertion", 23),
    ("java", "LostUpdate.java", "LostUpdateFixed.java", "assertion", 16),
    ("java", "MissedSignal.java", "MissedSignalFixed.java", "deadlock", 11),
    ("java", "NestedLock.java", "NestedLockFixed.java", "deadlock", 19),
    ("java", "OneSlot.java", "OneSlotFixed.java", "exception", 20),
    ("java", "Readings.java", "ReadingsFixed.java", "exception", 21),
    ("java", "Refund.java", "RefundFixed.java", "assertion", 13),
    ("java", "Tickets.java", "TicketsFixed.java", "exception", 15),
    ("java", "Transfer.java", "TransferFixed.java", "deadlock", 12),
    ("java", "TwoInside.java", "TwoInsideFixed.java", "assertion", 14),
    ("abs", "call_back.abs", "call_back_fixed.abs", "deadlock", 23),
    ("abs", "check_then_act.abs", "check_then_act_fixed.abs", "assertion", 20),
    ("abs", "closed_door.abs", "closed_door_fixed.abs", "stuck", 25),
    ("abs", "lost_update.abs", "lost_update_fixed.abs", "assertion", 49),
    ("abs", "too_early.abs", "too_early_fixed.abs", "exception", 18),
];

/// Flags that an example asks for.
const FLAGS: &[(&str, &[&str])] = &[
    ("Coupon.java", &["--input", "Coupon.coupon"]),
    ("CouponFixed.java", &["--input", "CouponFixed.coupon"]),
];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The result of checking an example in a folder of its own.
fn check(folder: &TempDir, path: &Path) -> Value {
    let wanted = |(name, _): &&(&str, &[&str])| path.ends_with(name);
    let flags = FLAGS.iter().find(wanted).map(|(_, flags)| *flags).unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["check", "--json", "-"])
        .arg(path)
        .args(flags)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{complaint}"))
}

/// Replays all schedules that were kept; how many.
fn replay_all(folder: &TempDir) -> usize {
    let kept = std::fs::read_dir(folder.path().join(".counterpoint")).unwrap();
    let mut count = 0;
    for entry in kept {
        let path = entry.unwrap().path();
        let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
            .arg("replay")
            .arg(&path)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{}: {text}", path.display());
        assert!(text.contains("reproduced: the same failure"), "{text}");
        count += 1;
    }
    count
}

#[test]
fn examples_fail_as_they_say_and_their_repairs_do_not() {
    for (language, bug, repair, kind, line) in EXAMPLES {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| examples().join(language).join(name);
        let result = check(&folder, &at(bug));
        let findings = result["findings"].as_array().unwrap();
        assert_eq!((&result["verdict"], findings.is_empty()), (&"bug".into(), false), "{bug}");
        let seen = |finding: &Value| finding["kind"] == *kind && finding["line"] == *line;
        let places: Vec<String> =
            findings.iter().map(|f| format!("{} {}", f["kind"], f["line"])).collect();
        assert!(findings.iter().any(seen), "{bug}: {kind} {line} expected, but {places:?}");
        assert_eq!(replay_all(&folder), findings.len(), "{bug}");
        let result = check(&TempDir::new().unwrap(), &at(repair));
        assert_eq!(result["verdict"], "ok", "{repair}");
        assert_eq!(result["exhausted"], true, "{repair}");
    }
}

#[test]
fn every_example_is_listed() {
    for language in ["java", "abs"] {
        for entry in std::fs::read_dir(examples().join(language)).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            let listed =
                EXAMPLES.iter().any(|(_, bug, repair, ..)| name == *bug || name == *repair);
            assert!(listed, "{name} is not tested");
        }
    }
}
