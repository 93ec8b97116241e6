//! Every `./counterpoint` command in the README and the guide is run, and its output compared.
//!
//! A command of the documents has to work: one that prints an error fails the test, whatever the
//! document says. With `UPDATE_DOCUMENTS=1` the documents are rewritten with what the commands print
//! now; a replay then names the file that a command before it has kept.

use std::path::{Path, PathBuf};
use std::process::Command;

const DOCUMENTS: &[&str] = &["README.md", "docs/guide.md"];

#[test]
fn commands_in_documents_print_what_the_documents_say() {
    for document in DOCUMENTS {
        let path = root().join(document);
        let text = std::fs::read_to_string(&path).unwrap();
        let now = replay(&text);
        let error = now.lines().find(|line| line.starts_with("error:"));
        assert_eq!(error, None, "a command in {document} does not work");
        if std::env::var_os("UPDATE_DOCUMENTS").is_some() {
            std::fs::write(&path, &now).unwrap();
            continue;
        }
        assert!(now == text, "{document} should read:\n{now}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The document with the output of its commands as it is now.
fn replay(text: &str) -> String {
    let folder = tempfile::TempDir::new().unwrap();
    copy(&root().join("examples"), &folder.path().join("examples"));
    let mut now = String::new();
    let (mut inside, mut skipping) = (false, false);
    for line in text.lines() {
        match line {
            "```console" => inside = true,
            "```" if inside => (inside, skipping) = (false, false),
            _ => {}
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            let command = &with_kept_schedule(folder.path(), command);
            now += &format!("$ {command}\n");
            skipping = command.starts_with("./counterpoint");
            if skipping {
                now += &run(folder.path(), command);
            }
        } else if !skipping {
            now += &format!("{line}\n");
        }
    }
    now
}

/// The command with the schedule that is kept in place of one of the same failure under another
/// name: names end in a digest of the schedule.
fn with_kept_schedule(folder: &Path, command: &str) -> String {
    const STORE: &str = ".counterpoint/";
    let Some(at) = command.find(STORE) else { return command.to_string() };
    let named = command[at + STORE.len()..].split(' ').next().expect("split gives a first part");
    let failure = |name: &str| name.rsplit_once('-').map(|parts| parts.0.to_string());
    let kept = std::fs::read_dir(folder.join(STORE)).into_iter().flatten();
    let mut names = kept.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let kept = names.find(|name| failure(name) == failure(named));
    kept.map_or(command.to_string(), |kept| command.replace(named, &kept))
}

fn run(folder: &Path, command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(words(command).iter().skip(1))
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text + &String::from_utf8(output.stderr).unwrap()
}

/// The words of a command; single quotes keep words together, as in a shell.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            letter => words.last_mut().expect("there is one").push(letter),
        }
    }
    words
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}
