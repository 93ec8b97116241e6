//! Explorations by several processes give what one gives, whoever is slow and whoever is killed.
//!
//! In the ordinary suite a few programs of every kind; with `COUNTERPOINT_LONG` in the environment, all programs of
//! the repository and five hundred random ones.

use crate::common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Dice, Workshop, kill, send, without_times, workers};
use rustix::process::Signal;
use serde_json::Value;

/// What makes workers come early and units short, and what makes workers slow and fail.
const HASTE: &str = "COUNTERPOINT_TEST_HASTE";
const FAULTS: &str = "COUNTERPOINT_TEST_FAULTS";

/// What names a file in which the units of workers are noted.
const UNIT_LOG: &str = "COUNTERPOINT_UNIT_LOG";

/// What must not depend on who does the work.
#[derive(Clone, PartialEq, Debug)]
struct Answer {
    code: Option<i32>,
    counts: Vec<(String, Value)>,
    findings: BTreeSet<String>,
}

fn answer(code: Option<i32>, result: &Value) -> Answer {
    let fields = [
        "verdict",
        "exhausted",
        "executions",
        "deadlocks",
        "cut",
        "bounds",
        "outcomes",
        "assumptions",
        "warnings",
    ];
    let finding = |finding: &Value| {
        let fields = ["kind", "message", "file", "line", "count"].map(|name| finding[name].clone());
        Value::from(fields.to_vec()).to_string()
    };
    let mut result = result.clone();
    let searched = result["cycles"].is_array();
    for outcome in result["outcomes"].as_array_mut().into_iter().flatten() {
        // Which of the executions that end alike is kept depends on who is first, but one is.
        // A search for deadlocks keeps none.
        assert!(searched || outcome["schedule"].is_object(), "{outcome}");
        outcome["schedule"] = Value::Null;
    }
    Answer {
        code,
        counts: fields.map(|name| (name.to_string(), result[name].clone())).to_vec(),
        findings: result["findings"].as_array().into_iter().flatten().map(finding).collect(),
    }
}

/// What is done to workers.
#[derive(Clone, Copy)]
enum Fate {
    /// They are as slow and fail as often as this says, in the words of the worker.
    Faults(&'static str),
    /// They are slow, and at most so many of them are killed from outside, at random moments.
    Kills(u32),
}

/// How slow workers are while some are killed, and for how many milliseconds at most one that is there is let live.
const SLOW: (&str, u64) = ("1,25,0", 20);

/// Explores with so many jobs: what came of it, and how many workers were killed from outside. A target that is refused has
/// no result but a message.
fn explored_or_refused(
    mut command: Command,
    folder: &Path,
    jobs: usize,
    haste: &str,
    fate: Fate,
) -> (Result<Answer, String>, u32) {
    let result = folder.join(format!("result-{jobs}.json"));
    let _ = std::fs::remove_file(&result);
    command.args(["--jobs", &jobs.to_string(), "--json"]).arg(&result);
    let faults = match fate {
        Fate::Faults(faults) => faults,
        Fate::Kills(_) => SLOW.0,
    };
    command.current_dir(folder).stdin(Stdio::null()).env(HASTE, haste).env(FAULTS, faults);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command line runs");
    let killed = match fate {
        Fate::Kills(most) => kill_some(&mut child, most),
        Fate::Faults(_) => 0,
    };
    let output = child.wait_with_output().expect("it ends");
    let answer = match std::fs::read_to_string(&result) {
        Ok(text) => Ok(answer(output.status.code(), &serde_json::from_str(&text).expect("JSON"))),
        Err(_) => {
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    };
    (answer, killed)
}

/// Kills workers of a process at random moments, at most so many; how many there were. Two do not cost a unit its place in
/// the result, whomever they hit.
fn kill_some(process: &mut Child, most: u32) -> u32 {
    let mut dice = Dice(u64::from(process.id()));
    let mut killed = 0;
    while killed < most && process.try_wait().expect("its state").is_none() {
        if workers(process.id()).is_empty() {
            std::thread::sleep(Duration::from_micros(500));
            continue;
        }
        std::thread::sleep(Duration::from_millis(dice.below(SLOW.1)));
        let workers = workers(process.id());
        if let Some(&worker) = workers.get(dice.below(workers.len().max(1) as u64) as usize) {
            killed += u32::from(kill(worker));
        }
    }
    killed
}

/// Explores with so many jobs. Faults are given as for the worker.
fn explored(command: Command, folder: &Path, jobs: usize, faults: &'static str) -> Answer {
    let (answer, _) = explored_or_refused(command, folder, jobs, "3", Fate::Faults(faults));
    answer.unwrap_or_else(|message| panic!("{message}"))
}

/// What came of comparisons.
#[derive(Default, Debug)]
struct Compared {
    programs: usize,
    refused: Vec<String>,
    too_long: Vec<String>,
    /// Programs of one execution or few, where a test asks for more.
    too_small: usize,
    unequal: Vec<String>,
    explorations: usize,
    executions: u64,
    /// Parts of work that workers have reported.
    units: usize,
    killed: u32,
}

impl Compared {
    /// Compares one job with several, which are slow, or slow and killed at random.
    fn check(&mut self, folder: &Path, least: u64, command: impl Fn() -> Command) {
        let log = folder.join("units");
        let first = command();
        let mut limited = command();
        limited.args(["--time", MOST_SECONDS]);
        let (alone, _) = explored_or_refused(limited, folder, 1, "", Fate::Faults(""));
        let alone = match alone {
            Ok(alone) => alone,
            Err(message) => {
                return self
                    .refused
                    .push(format!("{first:?}: {}", message.lines().next().unwrap_or_default()));
            }
        };
        let count = |name: &str| alone.counts.iter().find(|(own, _)| own == name).expect(name);
        let bounds = &count("bounds").1;
        if bounds.as_array().into_iter().flatten().any(|bound| bound["bound"] == "time") {
            return self.too_long.push(format!("{first:?}"));
        }
        let executions = count("executions").1.as_u64().expect("a number");
        if executions < least {
            self.too_small += 1;
            return;
        }
        self.programs += 1;
        self.executions += executions;
        let cases = [
            (3, Fate::Faults("2,3,10")),
            (2, Fate::Kills(2)),
            (8, Fate::Faults("3,9,6")),
            (8, Fate::Kills(2)),
        ];
        for (jobs, fate) in cases.into_iter().take(if long() { cases.len() } else { 2 }) {
            let haste = if executions < 100 { "0" } else { "3" };
            let _ = std::fs::remove_file(&log);
            let mut command = command();
            command.env(UNIT_LOG, &log);
            let (shared, killed) = explored_or_refused(command, folder, jobs, haste, fate);
            self.units += std::fs::read_to_string(&log).map_or(0, |log| log.lines().count());
            if shared.as_ref() != Ok(&alone) {
                let unequal =
                    format!("{first:?} with {jobs} jobs: {shared:?} instead of {alone:?}");
                println!("{unequal}");
                self.unequal.push(unequal);
            }
            self.explorations += 1;
            self.killed += killed;
        }
    }
}

/// What takes one process longer than this is not compared.
const MOST_SECONDS: &str = "10";

fn check(folder: &Path, command: impl Fn() -> Command) {
    let mut compared = Compared::default();
    compared.check(folder, 0, command);
    assert!(compared.programs == 1 && compared.unequal.is_empty(), "{compared:#?}");
}

fn counterpoint(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.arg("check").args(words);
    command
}

fn long() -> bool {
    std::env::var_os("COUNTERPOINT_LONG").is_some()
}

#[test]
fn programs_of_the_kit_come_to_the_same() {
    let programs = ["dining 4", "fib 2", "lock 3", "input", "counter", "crossed", "asleep"];
    for program in programs {
        let workshop = Workshop::new(&[("program.kit", program)]);
        for explorer in ["optimal", "dpor", "exhaustive", "guided", "preemptions", "interference"] {
            if explorer == "exhaustive" && ["dining 4", "lock 3", "fib 2"].contains(&program) {
                continue;
            }
            let words = ["check", "program.kit", "--explorer", explorer];
            check(workshop.path(), || workshop.command(&words));
        }
    }
}

#[test]
fn executions_drawn_at_random_are_the_same() {
    for program in ["dining 4", "counter", "crossed"] {
        let workshop = Workshop::new(&[("program.kit", program)]);
        for more in [&["--executions", "300"][..], &["--stop-at-first"]] {
            for explorer in ["random", "pct"] {
                let words = [&["check", "program.kit", "--explorer", explorer], more].concat();
                check(workshop.path(), || workshop.command(&words));
            }
        }
    }
}

/// What an exploration without `--jobs` comes to, and whether workers had a part in it.
fn unasked(workshop: &Workshop, more: &[&str], haste: Option<&str>) -> (Value, bool) {
    let log = workshop.path().join("units");
    let _ = std::fs::remove_file(&log);
    let words = [&["check", "program.kit", "--json", "result.json"], more].concat();
    let mut command = workshop.command(&words);
    command.env(UNIT_LOG, &log);
    if let Some(haste) = haste {
        command.env(HASTE, haste);
    }
    command.output().expect("it runs");
    (workshop.json("result.json"), log.exists())
}

#[test]
fn unless_asked_all_cores_work_on_what_takes_long_and_one_on_what_does_not() {
    let several = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
    let workshop = Workshop::new(&[("program.kit", "counter")]);
    let (small, divided) = unasked(&workshop, &[], None);
    assert!(!divided, "{small}");
    // In haste everything takes long.
    let workshop = Workshop::new(&[("program.kit", "dining 4")]);
    let (large, divided) = unasked(&workshop, &[], Some("3"));
    assert_eq!(divided, several, "{large}");
    let (alone, _) = unasked(&workshop, &["--jobs", "1"], None);
    assert_eq!(answer(Some(1), &large), answer(Some(1), &alone));
    // The first executions are the same ones each time.
    let (limited, divided) = unasked(&workshop, &["--executions", "20"], Some("3"));
    assert!(!divided, "{limited}");
    assert_eq!(limited["executions"], 20);
    let one_net = ["--explorer", "unfolding"];
    let (_, divided) = unasked(&workshop, &one_net, Some("3"));
    assert!(!divided);
}

#[test]
fn an_explorer_that_is_not_divided_says_so() {
    let workshop = Workshop::new(&[("program.kit", "dining 3")]);
    for (jobs, said) in [(&[][..], false), (&["--jobs", "1"], false), (&["--jobs", "2"], true)] {
        let words = [&["check", "program.kit", "--explorer", "unfolding"], jobs].concat();
        let output = workshop.command(&words).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).replace('\n', " ");
        assert_eq!(text.contains("`unfolding` uses one process"), said, "{text}");
    }
}

#[test]
fn pieces_of_other_commands_come_to_the_same() {
    let models = corpus("abs/tests/corpus", "abs");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wanted = ["dining_philosophers", "bounded_buffer"];
    for path in
        models.iter().filter(|path| wanted.iter().any(|own| path.ends_with(format!("{own}.abs"))))
    {
        for command in ["deadlocks", "generate"] {
            let results: Vec<Value> = [1, 2, 5]
                .map(|jobs: usize| {
                    let result = folder.path().join("result.json");
                    let mut run = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
                    run.arg(command).arg(path).args(["--jobs", &jobs.to_string(), "--json"]);
                    // Others begin at once, or when one process has done a part.
                    if jobs == 2 {
                        run.env(HASTE, "3");
                    }
                    let output = run.arg(&result).current_dir(folder.path()).output();
                    let output = output.expect("it runs");
                    let text = std::fs::read_to_string(&result).unwrap_or_else(|error| {
                        panic!("{run:?}: {error} {}", String::from_utf8_lossy(&output.stderr))
                    });
                    without_times(serde_json::from_str(&text).expect("JSON"))
                })
                .to_vec();
            assert_eq!(results[0], results[1], "{command} {}", path.display());
            assert_eq!(results[0], results[2], "{command} {}", path.display());
        }
    }
}

#[test]
fn methods_that_were_begun_and_then_divided_are_done() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let models = corpus("abs/tests/benchmark", "abs");
    let model = models.iter().find(|path| path.ends_with("peer_to_peer.abs")).expect("a model");
    let claims = ["1", "2"].map(|jobs| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
        run.arg("generate").arg(model).args(["--depth", "200", "--loops", "none", "--jobs", jobs]);
        let output = run.current_dir(folder.path()).output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().rfind(|line| line.contains("executions (")).map(str::to_string)
    });
    assert!(claims[0].as_ref().is_some_and(|claim| claim.starts_with("complete up to")));
    assert_eq!(claims[0], claims[1]);
}

#[test]
fn one_search_for_all_deadlocks_comes_to_the_same() {
    let models = corpus("abs/tests/corpus", "abs");
    let path = models.iter().find(|path| path.ends_with("database_workers.abs")).expect("a model");
    let text = std::fs::read_to_string(path).expect("readable").replace("Int n = 1;", "Int n = 4;");
    let workshop = Workshop::new(&[("workers.abs", &text)]);
    check(workshop.path(), || counterpoint(&["workers.abs", "--deadlocks", "all"]));
}

/// The files with this ending below a folder of the repository.
fn corpus(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = std::fs::read_dir(folder).expect("the corpus is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|own| own == ending));
    files.sort();
    files
}

/// Compares these of the files, or with `COUNTERPOINT_LONG` all of them.
fn check_all(files: &[PathBuf], some: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let chosen = |path: &&PathBuf| {
        long() || some.iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name))
    };
    let mut compared = Compared::default();
    for path in files.iter().filter(chosen) {
        let text = path.to_str().expect("a readable name");
        // Some of them need a limit, which must not be met by chance.
        compared
            .check(folder.path(), 0, || counterpoint(&[text, "--steps", "4000", "--memory", "2G"]));
    }
    println!("{compared:#?}");
    assert_eq!(compared.unequal, Vec::<String>::new());
    assert!(compared.programs >= some.len() && compared.units > 0 && compared.killed > 0);
}

#[test]
fn models_come_to_the_same() {
    let some = ["bounded_buffer", "dining_philosophers", "guards", "map_reduce", "try_finally"];
    let folders = ["corpus", "benchmark", "deadlock_corpus", "table_7_1", "generation/models"];
    let mut files: Vec<PathBuf> =
        folders.map(|folder| corpus(&format!("abs/tests/{folder}"), "abs")).concat();
    files.extend(corpus("../examples/abs", "abs"));
    check_all(&files, &some);
}

#[test]
fn java_programs_come_to_the_same() {
    let files = [corpus("jvm/tests/bugs", "java"), corpus("jvm/tests/everyday", "java")].concat();
    check_all(&files, &["ThreeLocks", "DoubleCheckedLocking", "TicketLock"]);
}

/// Those that other tests explore, and those that people are shown.
#[test]
fn other_java_programs_come_to_the_same() {
    let folders = [
        "explore",
        "futures",
        "inputs",
        "interference",
        "java",
        "nets",
        "ordinary",
        "pools",
        "shapes",
        "synchronisers",
        "threads",
    ];
    let mut files: Vec<PathBuf> =
        folders.map(|folder| corpus(&format!("jvm/tests/{folder}"), "java")).concat();
    files.extend(corpus("app/tests/java", "java"));
    files.extend(corpus("../examples/java", "java"));
    check_all(&files, &["SnapshotBug"]);
}

#[test]
fn random_programs_come_to_the_same() {
    let mut compared = Compared::default();
    let (wanted, least) = if long() { (500, 10) } else { (10, 30) };
    for seed in 0.. {
        if compared.programs == wanted {
            break;
        }
        // Every other one with inputs.
        let kind = ["random", "random-inputs"][seed % 2];
        let explorer = ["optimal", "dpor", "guided", "preemptions", "interference"][seed % 5];
        let workshop = Workshop::new(&[("program.kit", &format!("{kind} {seed}"))]);
        let words = ["check", "program.kit", "--explorer", explorer];
        compared.check(workshop.path(), least, || workshop.command(&words));
    }
    println!("{compared:#?}");
    assert_eq!((compared.refused, compared.unequal), (Vec::new(), Vec::new()));
    assert!(compared.units > 0 && compared.killed > 0);
}

#[test]
fn an_exploration_goes_on_with_any_number_of_jobs() {
    let workshop = Workshop::new(&[("program.kit", "dining 6")]);
    let words = ["check", "program.kit"];
    let whole = explored(workshop.command(&words), workshop.path(), 1, "");
    // Time is up for workers while they explore, or while they report.
    let (some, brief) = (["--executions", "2000"], ["--time", "0.1"]);
    for (first, second, limit) in
        [(2, 1, some), (1, 2, some), (3, 2, some), (2, 1, brief), (2, 3, brief), (3, 2, brief)]
    {
        let workshop = Workshop::new(&[("program.kit", "dining 6")]);
        let mut command = workshop.command(&words);
        command.args(["--jobs", &first.to_string()]).args(limit).env(HASTE, "5");
        if limit == brief {
            command.env(HASTE, "0").env(FAULTS, SLOW.0);
        }
        let output = command.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("--resume"), "{text}");
        let kept = workshop.kept(".resume.json");
        let rest = workshop.command(&["check", "--resume", &kept]);
        let found = explored(rest, workshop.path(), second, "");
        assert_eq!(found, whole, "{first} with {limit:?}, then {second}");
    }
}

/// Whether a saved search by bounds goes on from where it was.
fn is_suspended(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("it was saved");
    let saved: Value = serde_json::from_str(&text).expect("JSON");
    saved["work"]["work"][7][2].is_array()
}

#[test]
fn a_search_by_bounds_goes_on_with_any_number_of_jobs() {
    for (program, explorer, bound) in
        [("dining 5", "preemptions", "3"), ("fib 4", "interference", "6")]
    {
        let words = ["check", "program.kit", "--explorer", explorer, "--bound", bound];
        let workshop = Workshop::new(&[("program.kit", program)]);
        let whole = explored(workshop.command(&words), workshop.path(), 1, "");
        // Workers are slow, or some are killed as well; then all is stopped again and again.
        for (jobs, limit, faults) in [
            ([3, 1, 2], ["--time", "0.2"], SLOW.0),
            ([1, 3, 2], ["--time", "0.2"], ""),
            ([2, 3, 1], ["--time", "0.3"], "7,3,20"),
            ([1, 2, 1], ["--executions", "30"], ""),
        ] {
            let workshop = Workshop::new(&[("program.kit", program)]);
            let mut saved: Option<String> = None;
            for jobs in &jobs[..2] {
                let mut command = match &saved {
                    None => workshop.command(&words),
                    Some(saved) => workshop.command(&["check", "--resume", saved.as_str()]),
                };
                command.args(["--jobs", &jobs.to_string()]).args(limit);
                let output = command.env(HASTE, "0").env(FAULTS, faults).output().expect("it runs");
                let text = String::from_utf8_lossy(&output.stdout);
                if !text.contains("--resume") {
                    // Where there is much time, all is done, and nothing is left to go on with.
                    saved = None;
                    break;
                }
                let kept = workshop.kept(".resume.json");
                assert!(is_suspended(&workshop.path().join(&kept)), "{explorer}: {text}");
                saved = Some(kept);
            }
            let Some(saved) = saved else { continue };
            let rest = workshop.command(&["check", "--resume", &saved]);
            let found = explored(rest, workshop.path(), jobs[2], "");
            assert_eq!(found, whole, "{explorer}, {jobs:?} with {limit:?}");
        }
    }
}

#[test]
fn limits_hold_for_all_together() {
    let workshop = Workshop::new(&[("program.kit", "dining 8")]);
    let words = ["check", "program.kit", "--jobs", "3", "--json", "result.json"];
    let run = |more: &[&str]| {
        let started = Instant::now();
        let mut command = workshop.command(&[&words[..], more].concat());
        command.env(HASTE, "50").output().expect("it runs");
        (workshop.json("result.json"), started.elapsed())
    };
    let (result, _) = run(&["--executions", "3000"]);
    assert_eq!(result["executions"], 3000);
    assert_eq!(result["exhausted"], false);
    let (result, time) = run(&["--time", "1"]);
    assert_eq!(result["bounds"][0]["bound"], "time", "{}", result["bounds"]);
    assert!(time < Duration::from_secs(4), "{time:?}");
    let (result, time) = run(&["--stop-at-first"]);
    assert_eq!(result["verdict"], "bug");
    assert_eq!(result["findings"].as_array().map(Vec::len), Some(1));
    assert!(time < Duration::from_secs(20), "{time:?}");
}

/// How much memory a process has, in bytes, where the system tells.
fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}

#[test]
fn memory_is_counted_for_all_together() {
    let workshop = Workshop::new(&[("program.kit", "lock 8")]);
    let run = |jobs: &str, time: &str, memory: u64| {
        let _ = std::fs::remove_file(workshop.path().join("result.json"));
        let mut command = workshop.command(&["check", "program.kit", "--json", "result.json"]);
        command.args(["--time", time, "--jobs", jobs, "--memory", &memory.to_string()]);
        command.env(HASTE, "50").stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        let mut most = 0;
        while child.try_wait().expect("its state").is_none() {
            most = resident(child.id()).unwrap_or(0).max(most);
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().expect("it ends");
        let result = std::fs::read_to_string(workshop.path().join("result.json"));
        let result = result.unwrap_or_default();
        assert_eq!(output.status.code(), Some(3), "{result}");
        (most, result + &String::from_utf8_lossy(&output.stderr))
    };
    let (most, text) = run("1", "0.7", 1 << 32);
    assert!(most > 0 && text.contains("\"bound\": \"time\""), "{text}");
    // There is enough for one, and not for eight.
    let limit = most + most / 2;
    let (_, text) = run("1", "0.7", limit);
    assert!(text.contains("\"bound\": \"time\""), "{limit}: {text}");
    let (_, text) = run("8", "20", limit);
    let full = text.contains("\"bound\": \"memory\"") || text.contains("the memory limit");
    assert!(full, "{limit}: {text}");
}

/// What is said of a part that has cost three workers, before the steps that lead to it.
const GIVEN_UP: &str = "3 workers died exploring what follows these steps";

#[test]
fn a_unit_that_kills_its_workers_is_named() {
    let workshop = Workshop::new(&[("program.kit", "dining 4")]);
    let mut command = workshop.command(&["check", "program.kit", "--json", "result.json"]);
    command.args(["--jobs", "2"]).env(HASTE, "3").env(FAULTS, "1,0,200");
    let output = command.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    // The steps of the main thread come first.
    assert!(text.contains(&format!("{GIVEN_UP}, which is given up: 0 0 0 0 0.0")), "{text}");
    let result = workshop.json("result.json");
    assert_eq!((&result["verdict"], &result["exhausted"]), (&"incomplete".into(), &false.into()));
    assert!(result["warnings"][0].as_str().is_some_and(|text| text.contains(GIVEN_UP)), "{result}");
    assert_eq!(output.status.code(), Some(3), "{text}");
}

/// Nobody knows whether it will ever go on.
#[test]
fn what_a_worker_had_that_somebody_stops_is_done_by_another_one() {
    for (program, explorer, [limit, number]) in [
        ("dining 6", "optimal", ["--steps", "1000"]),
        ("fib 4", "interference", ["--bound", "6"]),
        ("dining 6", "random", ["--executions", "3000"]),
    ] {
        let workshop = Workshop::new(&[("program.kit", program)]);
        let words = ["check", "program.kit", "--explorer", explorer, limit, number];
        let whole = explored(workshop.command(&words), workshop.path(), 1, "");
        let mut command = workshop.command(&words);
        command.args(["--jobs", "2", "--json", "result.json"]).stdout(Stdio::null());
        let mut process = command.env(HASTE, "3").env(FAULTS, SLOW.0).spawn().expect("it runs");
        let stop = |worker| send(worker, Signal::STOP);
        while !workers(process.id()).first().is_some_and(|&worker| stop(worker)) {
            assert!(process.try_wait().expect("its state").is_none(), "{explorer} ended too soon");
            std::thread::sleep(Duration::from_millis(1));
        }
        let code = process.wait().expect("it ends").code();
        assert_eq!(answer(code, &workshop.json("result.json")), whole, "{explorer}");
    }
}

/// A machine that is short of memory may end workers again and again, whatever they work on.
#[test]
fn workers_that_all_end_before_their_time_cost_time_and_no_unit() {
    let workshop = Workshop::new(&[("program.kit", "dining 8")]);
    let mut command = workshop.command(&["check", "program.kit", "--json", "result.json"]);
    command.args(["--jobs", "2", "--time", "4"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().expect("it runs");
    let mut killed = 0;
    while process.try_wait().expect("its state").is_none() {
        // Less than a worker works on a unit before it reports.
        std::thread::sleep(Duration::from_millis(400));
        killed += workers(process.id()).into_iter().filter(|&worker| kill(worker)).count();
    }
    assert!(killed > 6, "{killed}");
    let result = workshop.json("result.json");
    assert!(!result["warnings"].to_string().contains(GIVEN_UP), "{result}");
}

/// Nobody comes back to what was given up, so a saved exploration remembers that something was.
#[test]
fn what_was_given_up_is_not_forgotten_when_an_exploration_goes_on() {
    // Without failures the end would be `ok`. A worker dies three times of four.
    for _ in 0..100 {
        let workshop = Workshop::new(&[("program.kit", "lock 4")]);
        let mut command = workshop.command(&["check", "program.kit", "--executions", "8"]);
        command.args(["--jobs", "3"]).env(HASTE, "0").env(FAULTS, "1,0,100");
        let output = command.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        if !text.contains(GIVEN_UP) || !text.contains("--resume") {
            continue;
        }
        let kept = workshop.kept(".resume.json");
        let ran = workshop.run(&["check", "--resume", &kept, "--json", "result.json"]);
        assert_eq!(ran.code, Some(3), "{}", ran.stdout);
        assert!(ran.stdout.contains(GIVEN_UP), "{}", ran.stdout);
        let result = workshop.json("result.json");
        assert_eq!(
            (&result["verdict"], &result["exhausted"]),
            (&"incomplete".into(), &false.into())
        );
        return;
    }
    panic!("nothing was given up, or nothing was left");
}

/// A driver of a cluster, which is a script of the shell, and what an exploration with it comes to and complains of.
fn with_driver(script: &str) -> (Answer, String) {
    use std::os::unix::fs::PermissionsExt as _;
    let workshop = Workshop::new(&[("program.kit", "dining 4")]);
    let folder = workshop.path().join("ray/bin");
    std::fs::create_dir_all(&folder).expect("a folder");
    let python = folder.join("python");
    std::fs::write(&python, format!("#!/bin/sh\n{script}\n")).expect("writable");
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).expect("its own");
    let mut command = workshop.command(&["check", "program.kit", "--json", "result.json"]);
    command.args(["--ray", "auto"]).env("COUNTERPOINT_RAY_HOME", workshop.path().join("ray"));
    let output = command.env(HASTE, "3,1000").output().expect("it runs");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    (answer(output.status.code(), &workshop.json("result.json")), complaint)
}

#[test]
fn without_a_cluster_the_work_is_done_and_somebody_is_told() {
    let workshop = Workshop::new(&[("program.kit", "dining 4")]);
    let alone = explored(workshop.command(&["check", "program.kit"]), workshop.path(), 1, "");
    let cases = [
        // There is none, or it ends by itself.
        (r#"echo '{"failed": "nobody is there"}'"#, "no workers on a cluster: nobody is there"),
        ("exit 1", "no workers on a cluster: its driver has ended 5 times"),
        // Nobody comes, or those who come cannot load the program.
        ("cat >/dev/null", "no worker is there; until one comes, this process works alone"),
        (
            r#"echo '{"member": 0, "joined": true}'
               echo '{"member": 0, "answer": {"failed": "no JDK"}}'
               echo '{"member": 0, "lost": true}'
               cat >/dev/null"#,
            "a worker cannot load the program: no JDK",
        ),
    ];
    for (script, complaint) in cases {
        let (found, said) = with_driver(script);
        assert_eq!(found, alone, "{script}");
        assert!(said.contains(complaint) && said.lines().count() <= 2, "{script}: {said}");
    }
}
