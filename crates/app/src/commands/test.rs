//! `counterpoint test`: every test of a project, each explored as a program of its own.
//!
//! Tests that failed last time come first. Each gets an equal share of the time that is left, so what quick tests do not
//! use goes to the others. A test ends with its first failure, unless all are asked for. Several are explored at once,
//! each by one process ([`pieces`]), and told in their order. Sources are compiled once for all of them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use counterpoint_explore::{EXPLORERS, Found, Limits, PROPERTIES, ParameterValues, Statistics};
use counterpoint_model::{Interrupt, Program, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::check::{is_asked, tell};
use crate::cli::TestArguments;
use crate::cli::byte_code::ByteCode;
use crate::front_end::{self, FrontEnd, LoadRequest, TestCase, TestList};
use crate::job::{self, Job, Tally, Watcher};
use crate::jobs::pieces::{self, Piece};
use crate::jobs::{self, Workers};
use crate::look::{Look, Screen, Tone, count, pad};
use crate::progress::Progress;
use crate::report::{Checked, ReportFile, html, json as json_report, junit, screen, verdict};
use crate::source::Sources;
use crate::trouble::Trouble;
use crate::written::Versions;
use crate::xml::{escape, fill};
use crate::{interrupt, output, store};

/// How long a test may take on average if nothing is said.
const TIME_FOR_EACH: Duration = Duration::from_secs(60);

/// What all tests together end with.
const FINE: u8 = 0;
const FAILED: u8 = 1;
const INCOMPLETE: u8 = 3;

/// What came of a test.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum TestVerdict {
    Ok,
    Bug,
    Incomplete,
    Ignored,
}

impl TestVerdict {
    fn word(self) -> &'static str {
        match self {
            TestVerdict::Ok => "ok",
            TestVerdict::Bug => "bug",
            TestVerdict::Incomplete => "incomplete",
            TestVerdict::Ignored => "ignored",
        }
    }

    fn tone(self) -> Tone {
        match self {
            TestVerdict::Ok => Tone::Good,
            TestVerdict::Bug => Tone::Bad,
            TestVerdict::Incomplete | TestVerdict::Ignored => Tone::Warn,
        }
    }
}

/// A test that was explored, in the forms of the reports.
#[derive(Serialize, Deserialize)]
struct Tested {
    case: TestCase,
    verdict: TestVerdict,
    /// What the result claims, or why there is none.
    claim: String,
    /// What it takes for granted, in sentences.
    assumptions: Vec<String>,
    /// Whether a real machine may show more, since there are data races that are no failures.
    has_races: bool,
    seconds: f64,
    result: Value,
    /// The text of its failure for JUnit XML.
    failure: Option<String>,
    page: Vec<ReportFile>,
}

/// Explores the tests.
pub fn run(front_ends: &[FrontEnd], arguments: &TestArguments) -> Result<u8, Trouble> {
    let reports = [arguments.json.as_deref(), arguments.junit.as_deref()];
    output::check_files(["--json", "--junit"].into_iter().zip(reports))?;
    if let Some(folder) = &arguments.report {
        output::check_folder(folder)?;
    }
    let request = LoadRequest {
        targets: vec![arguments.target.clone()],
        byte_code: arguments.byte_code.clone(),
        ..LoadRequest::default()
    };
    let list = chosen(front_ends, &request, arguments)?;
    let tests = ordered(&request, list.tests);
    let classes = list.compiled.as_ref().map(|folder| folder.path().to_path_buf());
    let compiled = with_classes(&request, classes);
    let screen = Screen::beside(&arguments.look, reports);
    let look = screen.look;
    let width = tests.iter().map(|test| full_name(test).chars().count()).max().unwrap_or(0);
    let total = arguments.limits.time.unwrap_or(TIME_FOR_EACH * tests.len() as u32);
    let started = Instant::now();
    let mut done: Vec<Tested> = Vec::new();
    let mut trouble = Ok(());
    let jobs = jobs::number(&arguments.processes);
    // Several tests are done at once, each by one process; one test by all of them.
    let workers = Workers::on_this_machine(&arguments.processes).filter(|_| tests.len() == 1);
    let mut begun = 0;
    let prepare = |_| {
        let left = total.saturating_sub(started.elapsed());
        // All who work have as much time left.
        let share = left * jobs.min(tests.len() - begun) as u32 / (tests.len() - begun) as u32;
        begun = (begun + 1).min(tests.len() - 1);
        let stops = interrupt::flag().load(Ordering::Relaxed) || left.is_zero();
        (!stops).then_some(share.min(left))
    };
    let work = |number: usize, share| {
        explore(front_ends, &compiled, &tests[number], arguments, share, workers.clone(), look)
    };
    let tell = |number: usize, piece| {
        let without = |claim| without_result(&tests[number], TestVerdict::Incomplete, claim);
        let (tested, shown) = match piece {
            Piece::Done(explored) => explored,
            Piece::Left => (without(unexplored()), String::new()),
            Piece::Fatal => (without("3 processes died exploring it"), String::new()),
        };
        let verdict = look.paint(tested.verdict.tone(), &pad(tested.verdict.word(), 10));
        let name = pad(&full_name(&tests[number]), width);
        let line = format!("{verdict}  {name}  {}\n", tested.claim);
        trouble = screen.print(&(line + &shown));
        done.push(tested);
        if trouble.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    pieces::each(jobs, tests.len(), prepare, work, tell);
    trouble?;
    interrupt::explored();
    let (code, tone, claim) = conclusion(&done);
    screen.print(&failing(&done))?;
    screen.print(&format!("{}\n", look.paint(tone, &claim)))?;
    write_reports(arguments, &done, &claim, started.elapsed())?;
    Ok(code)
}

/// The tests whose names fit a pattern.
fn chosen(
    front_ends: &[FrontEnd],
    request: &LoadRequest,
    arguments: &TestArguments,
) -> Result<TestList, Trouble> {
    let TestList { tests: all, notes, compiled } =
        front_end::tests(front_ends, request, &arguments.tests)?;
    if all.is_empty() {
        let text = format!("there are no JUnit tests in `{}`", request.target());
        return Err(Trouble::new(text)
            .hint("Build the project first, and give the folder with the compiled tests."));
    }
    let fits = |test: &TestCase| {
        arguments.tests.is_empty()
            || arguments.tests.iter().any(|pattern| {
                let name = full_name(test);
                let package = test.class.rfind('.').map_or(0, |at| at + 1);
                *pattern == test.id || fits(pattern, &name) || fits(pattern, &name[package..])
            })
    };
    let names: Vec<String> = all.iter().take(3).map(full_name).collect();
    let tests: Vec<TestCase> = all.into_iter().filter(fits).collect();
    if tests.is_empty() {
        let text = format!("no test is called `{}`", arguments.tests.join("`, `"));
        return Err(Trouble::new(text).hint(format!("There are: {} ...", names.join(", "))));
    }
    Ok(TestList { tests, notes, compiled })
}

/// Those that failed last time first.
fn ordered(request: &LoadRequest, mut tests: Vec<TestCase>) -> Vec<TestCase> {
    tests.sort_by_key(|test| store::kept_for(&of_test(request, test)).is_empty());
    tests
}

fn of_test(request: &LoadRequest, case: &TestCase) -> LoadRequest {
    LoadRequest { test: Some(case.id.clone()), ..request.clone() }
}

/// The same with sources that were compiled already, or without. What is kept of a test does not name that folder.
fn with_classes(request: &LoadRequest, classes: Option<PathBuf>) -> LoadRequest {
    let byte_code = ByteCode { classes, ..request.byte_code.clone() };
    LoadRequest { byte_code, ..request.clone() }
}

/// A test's name as people say it.
fn full_name(case: &TestCase) -> String {
    match case.name.is_empty() {
        true => case.class.clone(),
        false => format!("{}.{}", case.class, case.name),
    }
}

/// Whether a name fits a pattern: it contains it, or with stars, the parts between them in this order.
fn fits(pattern: &str, name: &str) -> bool {
    if !pattern.contains('*') {
        return name.contains(pattern);
    }
    let parts: Vec<&str> = pattern.split('*').collect();
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in &parts[1..parts.len() - 1] {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A test of which nothing is known.
fn without_result(case: &TestCase, verdict: TestVerdict, claim: &str) -> Tested {
    Tested {
        case: case.clone(),
        verdict,
        claim: claim.to_string(),
        assumptions: Vec::new(),
        has_races: false,
        seconds: 0.0,
        result: Value::Null,
        failure: None,
        page: Vec::new(),
    }
}

/// Explores one test; also what the screen shows of its failures.
fn explore(
    front_ends: &[FrontEnd],
    compiled: &LoadRequest,
    case: &TestCase,
    arguments: &TestArguments,
    time: Duration,
    workers: Option<Workers<'_>>,
    look: Look,
) -> (Tested, String) {
    if let Some(why) = &case.ignored {
        let tested = without_result(case, TestVerdict::Ignored, why);
        return (tested, String::new());
    }
    let started = Instant::now();
    let compiled = of_test(compiled, case);
    let request = with_classes(&compiled, None);
    let result = front_end::load(front_ends, &compiled).and_then(|(front_end, loaded)| {
        let program = &*loaded.program;
        if arguments.report.is_some() {
            program.watch();
        }
        let mut job = job(program, arguments, time.saturating_sub(started.elapsed()))?;
        // What a worker executes, only it would know.
        job.workers = workers.filter(|_| arguments.report.is_none());
        explored(case, &request, job, arguments, look)
            .map(|(tested, shown, tally)| (mind_skipping(front_end, tested, &tally), shown))
    });
    match result {
        Ok((tested, shown)) => {
            (Tested { seconds: started.elapsed().as_secs_f64(), ..tested }, shown)
        }
        Err(trouble) => {
            (without_result(case, TestVerdict::Incomplete, &trouble.message), String::new())
        }
    }
}

fn job<'a>(
    program: &'a dyn Program,
    arguments: &TestArguments,
    time: Duration,
) -> Result<Job<'a>, Trouble> {
    let explorer = &EXPLORERS[0];
    let limits = Limits {
        time: Some(time.max(Duration::from_millis(1))),
        executions: arguments.limits.executions,
        steps: arguments.limits.steps.unwrap_or(Limits::default().steps),
        depth: None,
        interrupt: interrupt::signal(),
    };
    limits.check().map_err(|error| Trouble::new(error.to_string()))?;
    Ok(Job {
        program,
        explorer,
        properties: PROPERTIES
            .iter()
            .filter(|entry| entry.default || arguments.races && entry.name == "race")
            .collect(),
        limits,
        parameters: ParameterValues::default().complete(explorer.parameters),
        stop_at_first: !arguments.all_failures,
        draws: false,
        explorer_chosen: false,
        workers: None,
        memory: None,
    })
}

fn explored(
    case: &TestCase,
    request: &LoadRequest,
    mut job: Job<'_>,
    arguments: &TestArguments,
    look: Look,
) -> Result<(Tested, String, Tally), Trouble> {
    let mut tally = Tally::default();
    let mut kept = store::kept_for(request);
    kept.retain(|(_, file)| is_asked(&job.properties, file.finding.kind));
    let (begun, limit) = (Instant::now(), job.limits.time);
    let end = limit.and_then(|time| begun.checked_add(time));
    let interrupt = interrupt::signal().until(end);
    job.program.heed(&interrupt);
    for (_, file) in &kept {
        let revived = file.finding.revive(job.program, Versions::Any);
        // What is seen behind an interrupted step is not there.
        if interrupt.poll() {
            break;
        }
        if let Ok(finding) = revived {
            tally.findings.push(Found::new(finding, 0));
        }
    }
    job.program.heed(&Interrupt::never());
    job.limits.time = limit.map(|time| time.saturating_sub(begun.elapsed()));
    let mut shown = ShownProgress(Progress::new(0));
    tally = job::explore(&job, tally, interrupt::flag(), &mut shown);
    shown.0.finish();
    if tally.exhausted() {
        let still = |kind, name: &str| {
            tally.findings.iter().any(|f| f.finding.kind == kind && f.finding.name == name)
        };
        for (path, file) in &kept {
            if !still(file.finding.kind, &file.finding.name) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
    let sources = Sources::new(request);
    let telling = interrupt::telling(begun, limit);
    let checked = Checked {
        request,
        program: job.program,
        explorer: job.explorer.name,
        parameters: job.parameters.clone(),
        reduction: None,
        properties: &job.properties,
        tally: &tally,
        told: tell(request, job.program, &tally, &telling)?,
        sources: &sources,
        pictures: None,
        coverage: job.program.coverage(),
        resume: None,
        first_only: job.stop_at_first,
        cycles: None,
        one_for_each_cycle: false,
    };
    let verdict = match tally.verdict() {
        Verdict::Ok => TestVerdict::Ok,
        Verdict::Bug => TestVerdict::Bug,
        Verdict::Incomplete(_) => TestVerdict::Incomplete,
    };
    let has_races = !arguments.races && !tally.races.seen.is_empty();
    let screen = match checked.told.is_empty() {
        true => String::new(),
        false => screen::findings(look, &checked),
    };
    let line = verdict::line_without_assumptions(&checked);
    // The verdict stands before the name of the test.
    let claim = line.strip_prefix(verdict.word()).unwrap_or(&line);
    let claim = claim.trim_start_matches([':', ' ']).to_string();
    let told: Vec<_> = checked.told.iter().collect();
    let tested = Tested {
        case: case.clone(),
        verdict,
        claim,
        assumptions: tally.assumptions.clone(),
        has_races,
        seconds: 0.0,
        result: serde_json::from_str(&json_report::render(&checked)).unwrap_or_default(),
        failure: (verdict == TestVerdict::Bug).then(|| junit::failure(&told)),
        page: match arguments.report {
            Some(_) => html::titled(&checked, &full_name(case)),
            None => Vec::new(),
        },
    };
    drop(checked);
    Ok((tested, screen, tally))
}

/// A test that its framework skipped under every schedule has shown nothing; one that it skipped under some says so.
fn mind_skipping(front_end: &FrontEnd, tested: Tested, tally: &Tally) -> Tested {
    let Some(framework) = front_end.tests.filter(|_| tested.verdict == TestVerdict::Ok) else {
        return tested;
    };
    let reasons = tally
        .outcomes
        .iter()
        .map(|(outcome, &count)| (framework.skipped)(outcome).zip(Some(count)));
    let skipped: Vec<(&str, u64)> = reasons.flatten().collect();
    let Some(&(why, _)) = skipped.first() else { return tested };
    if skipped.len() == tally.outcomes.len() {
        return Tested { verdict: TestVerdict::Ignored, claim: why.to_string(), ..tested };
    }
    let some: u64 = skipped.iter().map(|&(_, count)| count).sum();
    let all: u64 = tally.outcomes.values().sum();
    Tested {
        claim: format!("{}; skipped in {some} of {all} executions: {why}", tested.claim),
        ..tested
    }
}

/// Shows progress on the terminal.
struct ShownProgress(Progress);

impl Watcher for ShownProgress {
    fn moved(&mut self, done: &Tally, part: &Statistics, fresh: usize) {
        self.0.moved(done, part, fresh);
    }
}

/// Why a test was not explored at all.
fn unexplored() -> &'static str {
    match interrupt::flag().load(Ordering::Relaxed) {
        true => "not explored: interrupted",
        false => "not explored: no time was left (`--time`)",
    }
}

/// The names of the tests that fail, since their screens are far apart.
fn failing(done: &[Tested]) -> String {
    let failing: Vec<&Tested> =
        done.iter().filter(|tested| tested.verdict == TestVerdict::Bug).collect();
    if failing.len() < 2 {
        return String::new();
    }
    let names = failing.iter().map(|tested| format!("  {}\n", full_name(&tested.case)));
    "Tests with a failure\n".to_string() + &names.collect::<String>()
}

/// What all tests together show.
fn conclusion(done: &[Tested]) -> (u8, Tone, String) {
    let of = |verdict| done.iter().filter(|tested| tested.verdict == verdict).count() as u64;
    let [ok, bug, incomplete, ignored] =
        [TestVerdict::Ok, TestVerdict::Bug, TestVerdict::Incomplete, TestVerdict::Ignored].map(of);
    let mut parts = Vec::new();
    if bug > 0 {
        parts.push(format!("{} with a failure", count(bug, "test")));
    }
    if ok > 0 || done.len() as u64 == ignored {
        let is_racy = |tested: &&Tested| tested.verdict == TestVerdict::Ok && tested.has_races;
        let racy = match done.iter().filter(is_racy).count() {
            0 => String::new(),
            racy => {
                format!(" ({racy} with data races, so a real machine may show more: `--races`)")
            }
        };
        parts.push(format!("{} ok under every schedule{racy}", count(ok, "test")));
    }
    if incomplete > 0 {
        parts.push(format!("{incomplete} not fully explored"));
    }
    if ignored > 0 {
        parts.push(format!("{ignored} ignored"));
    }
    let assumed: BTreeSet<&String> = done
        .iter()
        .filter(|tested| tested.verdict != TestVerdict::Ignored)
        .flat_map(|tested| &tested.assumptions)
        .collect();
    let assumed = assumed.into_iter().map(|text| format!("; {}", verdict::assuming(text)));
    let text = parts.join(", ") + &assumed.collect::<String>();
    match (bug, incomplete) {
        (0, 0) => (FINE, Tone::Good, format!("ok: {text}")),
        (0, _) => (INCOMPLETE, Tone::Warn, format!("incomplete: {text}")),
        _ => (FAILED, Tone::Bad, format!("bug: {text}")),
    }
}

fn write_reports(
    arguments: &TestArguments,
    done: &[Tested],
    claim: &str,
    time: Duration,
) -> Result<(), Trouble> {
    if let Some(path) = &arguments.json {
        let tests: Vec<Value> = done.iter().map(as_json).collect();
        let seconds = time.as_secs_f64();
        let all = json!({
            "format": 1, "target": arguments.target, "claim": claim, "seconds": seconds,
            "tests": tests,
        });
        output::write(path, &format!("{all:#}\n"))?;
    }
    if let Some(path) = &arguments.junit {
        output::write(path, &as_junit(arguments, done, time))?;
    }
    match &arguments.report {
        Some(folder) => write_pages(folder, arguments, done, claim),
        None => Ok(()),
    }
}

fn as_json(tested: &Tested) -> Value {
    json!({
        "id": tested.case.id, "class": tested.case.class, "name": tested.case.name,
        "verdict": tested.verdict.word(), "claim": tested.claim, "seconds": tested.seconds,
        "findings": tested.result.get("findings").cloned().unwrap_or_else(|| json!([])),
        "result": tested.result,
    })
}

/// JUnit XML with a case for each test. What was not explored to the end is skipped: nothing was shown about it.
fn as_junit(arguments: &TestArguments, done: &[Tested], time: Duration) -> String {
    let mut cases = String::new();
    for tested in done {
        let open = format!(
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
            escape(&tested.case.class),
            escape(&tested.case.name),
            tested.seconds
        );
        let inside = match (&tested.failure, tested.verdict) {
            (Some(failure), _) => failure.clone(),
            (None, TestVerdict::Ok) => String::new(),
            (None, _) => format!("      <skipped message=\"{}\"/>\n", escape(&tested.claim)),
        };
        cases += &match inside.is_empty() {
            true => format!("{open}/>\n"),
            false => format!("{open}>\n{inside}    </testcase>\n"),
        };
    }
    let failures = done.iter().filter(|tested| tested.failure.is_some()).count();
    let passed = done.iter().filter(|tested| tested.verdict == TestVerdict::Ok).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{}\" time=\"{:.3}\"",
        done.len(),
        done.len() - failures - passed,
        time.as_secs_f64()
    );
    let name = escape(&arguments.target);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"counterpoint\" {counts}>\n  \
         <testsuite name=\"{name}\" {counts}>\n{cases}  </testsuite>\n</testsuites>\n"
    )
}

/// A page with all tests, and the pages of each in a folder of its own.
fn write_pages(
    folder: &Path,
    arguments: &TestArguments,
    done: &[Tested],
    claim: &str,
) -> Result<(), Trouble> {
    let mut rows = String::new();
    for (index, tested) in done.iter().enumerate() {
        let own = format!("test-{}", index + 1);
        for file in &tested.page {
            output::check_folder(&folder.join(&own))?;
            output::write(&folder.join(&own).join(&file.name), &file.text)?;
        }
        let name = escape(&full_name(&tested.case));
        let name = match tested.page.is_empty() {
            true => name,
            false => format!("<a href=\"{own}/index.html\">{name}</a>"),
        };
        let word = tested.verdict.word();
        rows += &format!(
            "<section class=\"{word}\"><h2>{name}</h2><p><b>{word}</b> {}</p></section>\n",
            escape(&tested.claim)
        );
    }
    // The present folder has a name, too.
    let target = Path::new(&arguments.target);
    let whole = target.file_name().is_none().then(|| target.canonicalize().ok()).flatten();
    let name = whole.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
    let target = escape(name.as_deref().unwrap_or(&arguments.target));
    let texts = [("target", target.as_str()), ("claim", &escape(claim)), ("rows", &rows)];
    let page = fill(include_str!("test/page.html"), &texts);
    output::write(&folder.join("index.html"), &page)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_parts_or_wholes() {
        assert!(fits("Counter", "a.CounterTest.adds"));
        assert!(fits("a.*.adds", "a.CounterTest.adds"));
        assert!(fits("*Test.*", "a.CounterTest.adds"));
        assert!(!fits("b.*", "a.CounterTest.adds"));
        assert!(!fits("*.adds", "a.CounterTest.adds [1]"));
    }
}
