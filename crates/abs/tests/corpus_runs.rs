//! The models in `tests/corpus`, run: executions, findings and final states, against golden files in
//! `tests/runs`. `BLESS=1` writes them anew. Both spellings of a model give the same.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Ending, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};

/// Larger models are run only so far, depth first, which is as golden as a whole run.
const MOST_EXECUTIONS: u64 = 2_000;
const MOST_STEPS: usize = 400;

/// How many final states a golden file lists.
const MOST_OUTCOMES: usize = 8;

#[derive(Default)]
struct Outcomes(BTreeMap<String, u64>);

impl Sink for Outcomes {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        if execution.ending != Ending::Cut {
            *self.0.entry(execution.run.outcome().unwrap_or_default()).or_default() += 1;
        }
        Flow::Continue
    }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}

/// What a run of a model comes to, as text.
fn run(path: &Path) -> String {
    let paths = if path.is_dir() { sorted(path) } else { vec![path.to_path_buf()] };
    let files = paths.iter().map(|path| {
        let text = fs::read_to_string(path).expect("a model can be read");
        let name = path.file_name().expect("a model has a name").to_string_lossy();
        SourceFile::new(name.replace(".old.abs", ".abs"), text)
    });
    let model = load(files.collect(), &LoadOptions::default()).model.expect("the corpus loads");
    let model = Arc::new(model);
    let mut text = String::new();
    let levels = [(Reduction::Field, "optimal"), (Reduction::Exact, "states")];
    for (reduction, name) in levels {
        let options = Options { reduction, outcome_with_output: true, ..Options::default() };
        let program = ModelProgram::new(Arc::clone(&model), options);
        let mut outcomes = Outcomes::default();
        let limits =
            Limits { executions: Some(MOST_EXECUTIONS), steps: MOST_STEPS, ..Limits::default() };
        let exploration = (explorer(name).expect("an explorer").explore)(Assignment {
            program: &program,
            unit: WorkUnit::default(),
            limits,
            properties: default_properties(),
            sink: &mut outcomes,
            parameters: ParameterValues::default(),
        });
        assert_eq!(exploration.internal_errors, Vec::<String>::new(), "{path:?}");
        let Statistics { executions, deadlocks, .. } = exploration.statistics;
        let bounds: Vec<String> = exploration.bounds.iter().map(ToString::to_string).collect();
        let _ = write!(text, "{name}: {executions} executions, {deadlocks} deadlocked");
        let _ = match bounds.is_empty() {
            true => writeln!(text),
            false => writeln!(text, ", not all: {}", bounds.join(", ")),
        };
        if reduction == Reduction::Exact {
            let _ = writeln!(text, "{} final states", outcomes.0.len());
            break;
        }
        for found in &exploration.findings {
            let finding = &found.finding;
            let lines: Vec<String> =
                finding.places.iter().map(|place| place.line.to_string()).collect();
            let _ = writeln!(
                text,
                "{} times {}: {}, in {} steps",
                found.count,
                finding.kind.word(),
                finding.message,
                finding.schedule.choices.len()
            );
            if !path.to_string_lossy().contains(".old.") && !has_old_twin(path) {
                let _ = writeln!(text, "  at lines {}", lines.join(", "));
            }
        }
        let mut states: Vec<(&String, &u64)> = outcomes.0.iter().collect();
        states.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (state, count) in states.iter().take(MOST_OUTCOMES) {
            let _ = writeln!(text, "{count} times\n  {}", state.trim_end().replace('\n', "\n  "));
        }
        if states.len() > MOST_OUTCOMES {
            let _ = writeln!(text, "and {} more", states.len() - MOST_OUTCOMES);
        }
    }
    text
}

/// Lines differ between spellings.
fn has_old_twin(path: &Path) -> bool {
    path.with_extension("old.abs").exists()
}

#[test]
fn every_model_runs_as_its_golden_file_says() {
    let mut wrong = Vec::new();
    let mut programs = 0;
    for path in sorted(&folder("corpus")) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let stem = name.trim_end_matches(".abs").trim_end_matches(".old");
        let golden = folder("runs").join(format!("{stem}.txt"));
        let text = run(&path);
        let twin =
            name.ends_with(".old.abs") && path.with_file_name(format!("{stem}.abs")).exists();
        programs += u32::from(!twin);
        if std::env::var_os("BLESS").is_some() && !twin {
            fs::write(&golden, &text).expect("golden files can be written");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        if text != expected {
            wrong.push(format!("{name}: found\n{text}\ninstead of\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(programs >= 40, "only {programs} programs");
}
