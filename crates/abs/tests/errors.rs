//! Messages about broken models, as people see them.
//!
//! Every `tests/errors/NAME.abs` has its messages in `NAME.txt`. After a change, run with `BLESS=1` and read
//! the difference.

use std::fs;
use std::path::{Path, PathBuf};

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let entries = fs::read_dir(folder).expect("the folder of the cases can be read");
    let mut cases: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry of the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "abs"))
        .collect();
    cases.sort();
    cases
}

fn messages(case: &Path) -> String {
    let text = fs::read_to_string(case).expect("a case can be read");
    let name = case.file_name().expect("a case has a name").to_string_lossy().into_owned();
    let result = load(vec![SourceFile::new(name, text)], &LoadOptions::default());
    result.render(Style::Plain)
}

#[test]
fn every_broken_model_gets_the_expected_messages() {
    let cases = cases();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for case in cases {
        let expected_path = case.with_extension("txt");
        let found = messages(&case);
        if bless {
            fs::write(&expected_path, &found).expect("the expectation can be written");
            continue;
        }
        let expected = fs::read_to_string(&expected_path).unwrap_or_default();
        if expected != found {
            wrong.push(format!("--- {}\nexpected:\n{expected}\nfound:\n{found}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_broken_model_gets_a_message() {
    for case in cases() {
        assert!(!messages(&case).is_empty(), "{} has no message", case.display());
    }
}
