//! The local page in a real browser: the ways that people take through it.
//!
//! With `COUNTERPOINT_SCREENSHOTS` set to a folder, pictures of the page are kept there, to be looked at.

use crate::common::browser;
use crate::common::serving;

use std::fs;
use std::time::{Duration, Instant};

use browser::{Browser, Tab};
use serde_json::json;
use serving::Serving;
use tempfile::TempDir;

const RUNNING: &str = include_str!("../../abs/tests/deadlock_corpus/running_example.abs");
const DATABASE: &str = include_str!("../../abs/tests/generation/models/database.abs");

/// Tasks of one object that all write one field: so many of them have as many orders as there are.
fn orders(tasks: usize) -> String {
    let calls: String = (1..=tasks).map(|task| format!("  c!add({task});\n")).collect();
    format!(
        "module Orders;\ninterface C {{ Unit add(Int n); }}\nclass C implements C {{\n  Int x = 0;\n  \
         Unit add(Int n) {{ x = x * 2 + n; }}\n}}\n{{\n  C c = new C();\n{calls}}}\n"
    )
}

/// A served folder, a browser, and a tab in which the page is open.
struct Visit {
    folder: TempDir,
    server: Serving,
    browser: Browser,
}

impl Visit {
    fn begin() -> (Visit, Tab) {
        let folder = TempDir::new().expect("a temporary folder");
        let files = [
            ("running.abs", RUNNING.to_string()),
            ("database.abs", DATABASE.to_string()),
            ("orders.abs", orders(11)),
        ];
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("writable");
        }
        let server = Serving::start(folder.path());
        let browser = Browser::start();
        let mut tab = browser.tab();
        tab.set_look(1400, 900, false);
        tab.open(&server.address);
        tab.until("document.body?.dataset.ready === 'yes'");
        let address = tab.eval("location.href");
        assert!(!address.as_str().unwrap_or_default().contains("secret"), "{address}");
        (Visit { folder, server, browser }, tab)
    }
}

fn open(tab: &mut Tab, path: &str) {
    tab.click(&format!("[data-path={}]", json!(path)), "");
    let name = path.rsplit('/').next().unwrap_or(path);
    tab.until(&format!("document.getElementById('name').textContent.includes({})", json!(name)));
    tab.until(&format!("document.getElementById('line').textContent.includes({})", json!(name)));
}

/// Runs what is set and waits for a verdict.
fn run(tab: &mut Tab, verdict: &str) {
    tab.click("#tab-run", "");
    // What an earlier run has shown is not waited for.
    tab.eval("document.getElementById('panel-result').replaceChildren()");
    tab.click("#run", "Run");
    tab.until(&format!("document.getElementById('verdict')?.textContent === {}", json!(verdict)));
}

#[test]
fn a_newcomer_finds_the_deadlock_of_the_running_example_with_its_diagram_and_tree() {
    let (_visit, mut tab) = Visit::begin();
    open(&mut tab, "running.abs");
    assert_eq!(tab.text("#line"), "counterpoint check running.abs");
    run(&mut tab, "bug");
    let finding = tab.text(".finding summary");
    assert!(finding.starts_with("1. deadlock"), "{finding}");
    tab.until("document.querySelectorAll('.finding .drawing .step').length > 2");
    tab.until("document.querySelectorAll('[data-picture=\"tree.svg\"] .drawing .node').length > 2");
    tab.keep_picture("newcomer-result");
    // A step of the trace marks its line.
    tab.click("table.trace [data-step] button", "");
    tab.until("document.querySelector('.cm-line.mark-now')");
    // From the finding to its schedule, at the step that matters, and on into the deadlock.
    tab.click("[data-act=walk]", "");
    tab.until("document.querySelector('.move.ahead')");
    tab.click(".move.ahead", "");
    tab.until("document.querySelector('.ended.deadlock')");
    tab.until("document.querySelectorAll('.cm-line.mark-waits').length > 1");
    tab.keep_picture("newcomer-walk");
    // An execution that passes is walked through like one that fails.
    tab.click("#tab-result", "");
    tab.until("document.querySelectorAll('[data-act=walk-outcome]').length > 1");
    tab.eval("[...document.querySelectorAll('[data-act=walk-outcome]')].at(-1).click()");
    tab.until("document.getElementById('steps-taken').textContent.startsWith('0 steps')");
    tab.click("#panel-walk button", "To its end");
    tab.until("document.querySelector('.ended.complete')");
    // The tree is opened by the keyboard, down to an end.
    tab.click("#tab-tree", "");
    tab.until("document.querySelectorAll('[role=treeitem]').length > 1");
    tab.eval("document.querySelector('[role=treeitem]').focus()");
    for _ in 0..40 {
        tab.press("ArrowRight", 39, 0);
        tab.until("!document.querySelector('[data-state=opening]')");
        tab.press("ArrowDown", 40, 0);
        if tab.eval("Boolean(document.querySelector('.tree .verdict.deadlock'))") == true {
            break;
        }
    }
    tab.until("document.querySelector('.tree .verdict.deadlock')");
    tab.keep_picture("newcomer-tree");
    assert_eq!(tab.complaints, Vec::<String>::new());
}

#[test]
fn a_java_race_is_found_and_its_values_are_seen() {
    let (_visit, mut tab) = Visit::begin();
    open(&mut tab, "examples/java/LostUpdate.java");
    tab.click("#flag-races", "");
    tab.until("document.getElementById('line').textContent.includes('--races')");
    run(&mut tab, "bug");
    tab.until("document.getElementById('panel-result').innerText.includes('data race')");
    tab.keep_picture("java-race");
    tab.click("[data-act=walk-end]", "");
    tab.until("document.querySelector('.state details')");
    let state = tab.text("ul.state");
    assert!(state.contains("LostUpdate"), "{state}");
    tab.until("document.querySelector('.cm-line.mark-now')");
    tab.keep_picture("java-walk");
    assert_eq!(tab.complaints, Vec::<String>::new());
}

#[test]
fn two_tests_are_generated_for_a_method_picked_in_the_outline() {
    let (_visit, mut tab) = Visit::begin();
    open(&mut tab, "database.abs");
    tab.click("[data-method='SingleDatabase.getData']", "");
    tab.click("input[name=command][value=generate]", "");
    tab.until(
        "document.getElementById('line').textContent.includes('--method=SingleDatabase.getData')",
    );
    run(&mut tab, "ok");
    tab.until("document.querySelectorAll('details.test').length === 2");
    let tests = tab.text("#panel-result");
    for wanted in ["client == w", "client != w", "SingleDatabase.getData: ", "statements"] {
        assert!(tests.contains(wanted), "{wanted}: {tests}");
    }
    tab.until("document.querySelectorAll('[data-picture^=\"tree-1\"] .drawing .node').length > 1");
    tab.keep_picture("generated-tests");
    // A test is walked through with unknown values, and the tree of all paths opens step by step.
    tab.click("[data-act=walk-test]", "");
    tab.click("#panel-walk button", "To its end");
    tab.until("document.querySelector('.ended.complete')");
    tab.keep_picture("generated-walk");
    tab.click("#tab-result", "");
    tab.click("[data-act=tree]", "SingleDatabase.getData");
    tab.until("document.querySelectorAll('#panel-tree [role=treeitem]').length > 1");
    tab.click("#panel-tree button", "two levels");
    tab.until("document.querySelectorAll('#panel-tree .verdict.complete').length >= 2");
    tab.keep_picture("generated-tree");
    open(&mut tab, "running.abs");
    tab.click("input[name=command][value=deadlocks]", "");
    run(&mut tab, "bug");
    tab.until("document.querySelector('.cycle .verdict.real')");
    tab.until("document.querySelector('[data-picture=\"deadlocks.svg\"] .drawing .node')");
    tab.keep_picture("deadlocks");
    open(&mut tab, "examples/java/TwoInside.java");
    tab.click("input[name=command][value=reach]", "");
    tab.until("document.getElementById('line-error').textContent.includes('--when')");
    tab.eval("document.getElementById('flag-when').focus()");
    tab.type_text("TwoInside.busy == true");
    tab.until("document.getElementById('line').textContent.includes('TwoInside.busy')");
    run(&mut tab, "bug");
    tab.until("document.querySelector('.finding summary')?.innerText.includes('reached')");
    assert_eq!(tab.complaints, Vec::<String>::new());
}

#[test]
fn a_deadlock_that_was_walked_into_opens_again_from_its_address() {
    let (visit, mut tab) = Visit::begin();
    // The page is faster than the server: what is chosen while a program opens is not undone when it is there.
    tab.set_delay(200);
    tab.click("[data-path='examples/abs/lost_update.abs']", "");
    tab.click("[data-path='examples/abs/call_back.abs']", "");
    tab.click("#tab-walk", "");
    tab.until("document.getElementById('steps-taken')");
    assert!(tab.text("#name").contains("call_back.abs"));
    tab.set_delay(0);
    for steps in 1..=3 {
        tab.click(".move", "");
        tab.until(&format!(
            "document.getElementById('steps-taken')?.textContent.startsWith('{steps} step')"
        ));
    }
    assert_eq!(tab.text("#ended"), "Deadlock: nobody can move.");
    let address = tab.eval("location.href");
    let address = address.as_str().expect("an address").to_string();
    assert!(address.contains("choices=0%2C0.0%2C0.0.0"), "{address}");
    let mut second = visit.browser.tab();
    second.set_look(1400, 900, true);
    second.open(&address);
    assert_eq!(second.text("#ended"), "Deadlock: nobody can move.");
    let same = "document.getElementById('panel-walk').innerText";
    assert_eq!(second.eval(same), tab.eval(same));
    second.keep_picture("second-tab-dark");
    // Back, and branch off; the browser's own way back works as well.
    tab.click("[data-act=back]", "");
    tab.until("document.querySelectorAll('.move').length > 0");
    tab.eval("history.back()");
    tab.until("document.getElementById('ended')");
    assert_eq!(tab.complaints, Vec::<String>::new());
}

#[test]
fn a_run_is_stopped_continued_and_found_again_after_a_reload() {
    let (visit, mut tab) = Visit::begin();
    open(&mut tab, "orders.abs");
    tab.click("#run", "Run");
    let executions = "Number((document.querySelector('#panel-result .facts')?.textContent ?? '').replaceAll(',', '').match(/\\d+/)?.[0] ?? 0)";
    tab.until(&format!("{executions} > 1000"));
    tab.click("#panel-result [data-act=stop]", "Stop");
    tab.until("document.getElementById('verdict').textContent === 'incomplete'");
    let before = tab.eval(executions).as_u64().expect("a count");
    // The same run, in a page that was opened anew.
    tab.open(&visit.server.address);
    tab.until("document.body?.dataset.ready === 'yes' && document.querySelector('#runs li')");
    tab.click("#runs .link", "check orders.abs");
    tab.click("#panel-result [data-act=continue]", "Continue");
    tab.until("document.getElementById('verdict').textContent === 'running'");
    tab.until(&format!("{executions} > {before}"));
    tab.keep_picture("running");
    tab.click("#panel-result [data-act=stop]", "Stop");
    tab.until("document.getElementById('verdict').textContent === 'incomplete'");
    assert_eq!(tab.complaints, Vec::<String>::new());
}

#[test]
fn an_error_is_marked_while_typing_and_saving_keeps_the_text() {
    let (visit, mut tab) = Visit::begin();
    open(&mut tab, "running.abs");
    tab.eval("document.querySelector('.cm-content').focus()");
    tab.press("Home", 36, 2);
    tab.press("End", 35, 0);
    tab.type_text("\nclass Wrong { Unit m() { return nobody; } }");
    tab.until("document.querySelector('.cm-lintRange-error')");
    let message = tab.text("#messages .error");
    assert!(message.contains("running.abs:") && message.contains("nobody"), "{message}");
    tab.keep_picture("error");
    assert_eq!(
        fs::read_to_string(visit.folder.path().join("running.abs")).expect("there"),
        RUNNING
    );
    // What was not saved is run all the same, from a copy.
    run(&mut tab, "error");
    assert!(tab.text("#panel-result .trouble").contains("nobody"));
    tab.eval("document.querySelector('.cm-content').focus()");
    tab.press("z", 90, 2);
    tab.until("!document.querySelector('.cm-lintRange-error')");
    tab.type_text("// kept\n");
    tab.until("!document.getElementById('save').disabled");
    tab.press("s", 83, 2);
    tab.until("document.getElementById('save').disabled");
    let kept = fs::read_to_string(visit.folder.path().join("running.abs")).expect("there");
    assert!(kept.contains("// kept"), "{kept}");
    // Java: the compiler's own words, at their place. An example becomes a file when it is saved as one.
    open(&mut tab, "examples/java/LostUpdate.java");
    tab.eval("window.prompt = () => 'Mine.java'");
    tab.click("#save-as", "");
    tab.until("document.querySelector('[data-owner=file][data-path=\"Mine.java\"][aria-current]')");
    assert!(visit.folder.path().join("Mine.java").exists());
    tab.eval("window.confirm = () => true");
    open(&mut tab, "examples/java/LostUpdate.java");
    tab.eval("document.querySelector('.cm-content').focus()");
    tab.press("Home", 36, 2);
    tab.type_text("int x = ;\n");
    tab.until("document.querySelector('.cm-lintRange-error')");
    assert!(tab.text("#messages .error").contains("LostUpdate.java:1"));
    assert_eq!(tab.complaints, Vec::<String>::new());
}

#[test]
fn the_page_fits_every_width_and_every_thing_has_a_name() {
    let (_visit, mut tab) = Visit::begin();
    open(&mut tab, "running.abs");
    run(&mut tab, "bug");
    for (width, height) in [(1600, 1000), (900, 900), (400, 800)] {
        for dark in [false, true] {
            tab.set_look(width, height, dark);
            for panel in ["run", "result", "walk", "tree"] {
                tab.eval(&format!("document.getElementById('tab-{panel}').click()"));
                if width == 400 {
                    tab.eval("document.querySelector('.parts [data-part=work]').click()");
                }
                tab.until("!document.querySelector('[aria-busy]')");
                let overflow = "document.documentElement.scrollWidth > window.innerWidth + 1";
                assert_eq!(tab.eval(overflow), false, "{panel} at {width}");
                tab.keep_picture(&format!(
                    "look-{width}-{panel}-{}",
                    if dark { "dark" } else { "light" }
                ));
            }
        }
    }
    // Everything that can be operated has a name, and texts stand out from what is behind them.
    let unnamed = "[...document.querySelectorAll('button, input, select, [role=tab]')].filter((one) => \
        !one.textContent.trim() && !one.getAttribute('aria-label') && !one.title && \
        !(one.id && document.querySelector(`label[for=\"${one.id}\"]`)) && !one.closest('label')).map((one) => one.outerHTML)";
    assert_eq!(tab.eval(unnamed), json!([]));
    for theme in ["light", "dark"] {
        let contrasts = tab.eval(&contrast(theme));
        for (name, ratio) in contrasts.as_object().expect("colours") {
            assert!(ratio.as_f64() >= Some(4.5), "{theme} {name}: {ratio}");
        }
    }
    // Tabs are walked through by arrow keys, and the focus is seen.
    tab.set_look(1600, 1000, false);
    tab.eval(
        "document.getElementById('tab-run').click(); document.getElementById('tab-run').focus()",
    );
    tab.press("ArrowRight", 39, 0);
    assert_eq!(tab.eval("document.activeElement.id"), "tab-result");
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(tab.eval(outline), "solid");
    assert_eq!(tab.complaints, Vec::<String>::new());
}

/// The contrast of the colours of texts to what is behind them, by the rule of WCAG.
fn contrast(theme: &str) -> String {
    format!(
        "(() => {{
          document.documentElement.dataset.theme = {theme};
          const style = getComputedStyle(document.documentElement);
          const light = (name) => {{
            const number = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
            const [r, g, b] = [16, 8, 0].map((shift) => ((number >> shift) & 255) / 255)
              .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          }};
          const found = {{}};
          const compare = (text, paper) => {{
            const [a, b] = [light(text), light(paper)].sort((x, y) => y - x);
            found[`${{text}} on ${{paper}}`] = (a + 0.05) / (b + 0.05);
          }};
          for (const text of ['--text', '--faint', '--accent', '--good', '--bad', '--warn', '--keyword', '--comment', '--string', '--number', '--type']) {{
            compare(text, '--paper');
            compare(text, '--panel');
          }}
          for (const paper of ['--mark-now', '--mark-path', '--mark-waits', '--active', '--selection']) compare('--text', paper);
          compare('--on-accent', '--accent');
          return found;
        }})()",
        theme = json!(theme)
    )
}

/// A check of millions of executions while the page is open.
#[test]
#[ignore = "long"]
fn a_million_executions_cost_the_page_and_the_server_nothing() {
    let (visit, mut tab) = Visit::begin();
    open(&mut tab, "orders.abs");
    let server =
        || browser::resident(std::path::Path::new(&format!("/proc/{}", visit.server.id())));
    tab.click("#run", "Run");
    tab.until("document.getElementById('verdict')?.textContent === 'running'");
    let (browser_before, server_before) = (visit.browser.memory(), server());
    let executions = "Number((document.querySelector('#panel-result .facts')?.textContent ?? '').replaceAll(',', '').match(/\\d+/)?.[0] ?? 0)";
    let begun = Instant::now();
    let mut slowest = 0.0f64;
    loop {
        // From a click to the next picture.
        let took = tab.eval(
            "new Promise((done) => { const begun = performance.now(); \
             document.getElementById('tab-run').click(); document.getElementById('tab-result').click(); \
             requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun))); })",
        );
        slowest = slowest.max(took.as_f64().expect("a time"));
        let count = tab.eval(executions).as_u64().unwrap_or(0);
        if count > 1_000_000 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(600), "{count} executions");
        std::thread::sleep(Duration::from_millis(250));
    }
    println!("slowest answer of the page: {slowest:.0} ms");
    assert!(slowest < 100.0, "the page takes {slowest} ms to answer");
    let (browser_after, server_after) = (visit.browser.memory(), server());
    println!(
        "browser {browser_before} to {browser_after}, server {server_before} to {server_after}"
    );
    assert!(browser_after < browser_before + (150 << 20), "the browser grows");
    assert!(server_after < server_before + (32 << 20), "the server grows");
}
