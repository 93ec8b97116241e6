//! The report page in a real browser: it opens on the failure, every row can be reached, and what it shows of a
//! state is what the machine says.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::browser::{Browser, Tab};

/// Wide, middling and narrow.
const WIDTHS: [u32; 3] = [1400, 900, 420];

/// The state after each prefix of a schedule, as `counterpoint step` tells it.
fn states(folder: &TempDir, target: &str, choices: &[String]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["step", target])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut states = Vec::new();
    for taken in 0..=choices.len() {
        writeln!(input, "{}", json!({ "choices": choices[..taken] })).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert!(answer.get("error").is_none(), "{answer}");
        states.push(answer["state"].clone());
    }
    drop(input);
    child.wait().unwrap();
    states
}

/// Opens the page of a finding at a width, and walks from the first row to the last with the keys.
fn walk(tab: &mut Tab, address: &str, width: u32, failing: &str, last: &str) {
    tab.set_look(width, 900, false);
    tab.open("about:blank");
    tab.open(address);
    tab.until("document.querySelector('#steps tr.now')");
    assert!(tab.text("h1").contains(failing), "{}", tab.text("h1"));
    let now = tab.text("#steps tr.now");
    assert!(now.contains(last), "it opens on the failure: {now}");
    let overflow =
        tab.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert_eq!(overflow, 0, "at {width} nothing sticks out");
    let rows = tab.eval("document.querySelectorAll('#steps tr.step').length").as_u64().unwrap();
    for _ in 0..rows {
        tab.press("ArrowUp", 38, 0);
    }
    let place = "[...document.querySelectorAll('#steps tr.step')].findIndex(row => row.classList.contains('now'))";
    assert_eq!(tab.eval(place), 0, "the keys lead to the first row");
    for row in 1..rows {
        match row % 2 {
            0 => tab.press("ArrowDown", 40, 0),
            _ => tab.click("button", "Next step"),
        }
        assert_eq!(tab.eval(place), row, "and back to the last one");
        let shown = tab.eval(
            "(() => { const row = document.querySelector('#steps tr.now').getBoundingClientRect(); \
             const box = document.querySelector('.steps').getBoundingClientRect(); \
             return row.top >= box.top - 1 && row.bottom <= box.bottom + 1; })()",
        );
        assert_eq!(shown, true, "row {row} is in sight");
    }
    assert!(tab.text("#steps tr.now").contains(last));
    tab.keep_picture(&format!("report-{width}"));
    assert_eq!(tab.complaints, Vec::<String>::new());
}

/// Whether the page's states are those of the machine, and whether it shows them.
fn compare(tab: &mut Tab, states: &[Value], shown: usize) {
    let data = tab.eval("JSON.parse(JSON.stringify(data.findings[0].states))");
    let parts = data["parts"].as_array().unwrap();
    let at = data["at"].as_array().unwrap();
    assert_eq!(at.len(), states.len());
    for (step, (numbers, state)) in at.iter().zip(states).enumerate() {
        let numbers = numbers.as_array().unwrap().iter().map(|number| number.as_u64().unwrap());
        let kept: Vec<&Value> = numbers.map(|number| &parts[number as usize]).collect();
        let told: Vec<&Value> = state.as_array().unwrap().iter().collect();
        assert_eq!(kept, told, "the state before step {}", step + 1);
    }
    // Every variable of every thread in the state that is shown is on the page.
    let last = states[shown].as_array().unwrap();
    let text = tab.eval("document.querySelector('.state').textContent");
    let text = text.as_str().unwrap();
    for thread in last.iter().filter(|part| part.get("place").is_some()) {
        assert!(text.contains(thread["name"].as_str().unwrap()), "{thread} is not in {text}");
        for frame in thread["children"].as_array().into_iter().flatten() {
            for variable in frame["children"].as_array().into_iter().flatten() {
                let value = format!(
                    "{}: {}",
                    variable["name"].as_str().unwrap(),
                    variable["value"].as_str().unwrap()
                );
                assert!(text.contains(&value), "{value} is not in {text}");
            }
        }
    }
}

/// Walks through the page of a program's only finding. A step that fails is shown with the state before it.
pub fn check(folder: &TempDir, target: &str, failing: &str, last: &str, fails: bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["check", target, "--report", "report", "--json", "-"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let schedule = result["findings"][0]["schedule"]["steps"].as_array().unwrap();
    let choices: Vec<String> =
        schedule.iter().map(|choice| choice.as_str().unwrap().to_string()).collect();
    let browser = Browser::start();
    let mut tab = browser.tab();
    let address = format!("file://{}", folder.path().join("report/index.html").display());
    for width in WIDTHS {
        walk(&mut tab, &address, width, failing, last);
    }
    let shown = choices.len() - usize::from(fails);
    compare(&mut tab, &states(folder, target, &choices), shown);
    check_print(&mut tab, last);
}

/// On paper there are all rows and nothing to press, dark on light whatever the screen looks like.
fn check_print(tab: &mut Tab, last: &str) {
    tab.set_look(800, 900, true);
    assert_ne!(tab.eval("getComputedStyle(document.body).color"), "rgb(28, 30, 33)");
    tab.send(
        "Emulation.setEmulatedMedia",
        json!({"media": "print", "features": [
        {"name": "prefers-color-scheme", "value": "dark"}]}),
    );
    let pressed =
        "[...document.querySelectorAll('button, input')].filter(one => one.offsetParent).length";
    assert_eq!(tab.eval(pressed), 0);
    let cut = "(() => { const box = document.querySelector('.steps'); return box.scrollHeight - box.clientHeight; })()";
    assert_eq!(tab.eval(cut), 0, "no row is cut off");
    assert!(tab.text("#steps").contains(last));
    assert_eq!(tab.eval("getComputedStyle(document.body).color"), "rgb(28, 30, 33)");
    tab.keep_picture("report-print");
}
