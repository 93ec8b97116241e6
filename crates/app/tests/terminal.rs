//! What a person at a terminal sees while an exploration goes on, and that nobody else sees it.

use crate::common;

use std::fs::File;
use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use common::Workshop;
use nix::pty::{Winsize, openpty};

/// Goes on for minutes if it is let.
const LONG: &[(&str, &str)] = &[("dining.kit", "dining 8")];

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

/// A long exploration in a terminal, interrupted when all of these were shown: what the terminal has shown until then,
/// what was printed in the end, and the code.
fn interrupted_after(parts: &[&str]) -> (String, String, Option<i32>) {
    let size = Winsize { ws_row: 24, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).expect("a terminal");
    let workshop = Workshop::new(LONG);
    let mut command = workshop.command(&["check", "dining.kit"]);
    command.env("TERM", "xterm").stdout(Stdio::piped()).stderr(terminal.slave);
    let mut child = command.spawn().expect("starts");
    // The command holds the other end of the terminal until it is dropped.
    drop(command);
    let mut screen = File::from(terminal.master);
    let (mut seen, mut piece) = (String::new(), [0; 4096]);
    while !parts.iter().all(|part| seen.contains(part)) {
        let read = screen.read(&mut piece).expect("the exploration goes on");
        assert!(read > 0, "{seen}");
        seen += &String::from_utf8_lossy(&piece[..read]);
    }
    assert!(child.try_wait().expect("its state").is_none(), "{seen}");
    interrupt(&child);
    // Reading on until the terminal is closed lets the command write what it still has to.
    while screen.read(&mut piece).is_ok_and(|read| read > 0) {}
    let mut result = String::new();
    child.stdout.take().unwrap().read_to_string(&mut result).unwrap();
    (seen, result, child.wait().unwrap().code())
}

#[test]
fn a_terminal_shows_how_far_it_is() {
    // What is found is told at once, and may come before the first line about progress.
    let parts = ["Ctrl-C stops", " deep, ", "finding", "found: deadlock"];
    let (seen, result, code) = interrupted_after(&parts);
    assert_eq!(code, Some(1), "{result}");
    for part in [" executions, ", "/s, ", " deep, ", "finding"] {
        assert!(seen.contains(part), "{part:?} is not in {seen:?}");
    }
    assert!(result.contains("To continue: counterpoint check --resume"), "{result}");
    assert!(!result.contains("Ctrl-C stops"), "{result}");
}

#[test]
fn the_first_finding_is_told_while_the_exploration_goes_on() {
    let (_, result, code) = interrupted_after(&["found: deadlock", "Ctrl-C stops and shows how"]);
    assert_eq!(code, Some(1), "{result}");
    assert!(result.contains("1. deadlock") && result.contains("To continue"), "{result}");
}

#[test]
fn a_pipe_sees_nothing_of_it() {
    let workshop = Workshop::new(LONG);
    let mut command = workshop.command(&["check", "dining.kit"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_secs(2));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("Ctrl-C stops"));
}
