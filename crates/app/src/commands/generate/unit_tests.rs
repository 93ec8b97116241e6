//! `--output`: the tests as ABS source.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::generate::{
    PRODUCT, UnitTest, difference, given_context, given_program, unit_tests,
};
use counterpoint_abs::machine::{Ended, ModelProgram, Options, Reduction, TestCase};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, library, load};
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit, explorer,
};
use counterpoint_model::Event;

use super::Generation;
use super::case::Test;
use super::session::Session;
use crate::look::count;
use crate::output;
use crate::trouble::Trouble;

/// How many orders of a test are tried.
const MOST_ORDERS: u64 = 2_000;
const MOST_TIME: Duration = Duration::from_secs(5);

/// Writes the tests into a file and says what is left out.
pub fn write(path: &Path, generation: &Generation) -> Result<(), Trouble> {
    let tests: Vec<UnitTest<'_>> = generation
        .tests()
        .map(|(session, test)| {
            let ordered = depends_on_order(generation, session, test);
            let leaves_running = ordered.is_none() && leaves_running(generation, session, test);
            UnitTest { target: &session.target, case: &test.case, ordered, leaves_running }
        })
        .collect();
    let written = unit_tests(&generation.model, &tests);
    check(generation, &written.text, &written.module)?;
    output::write(path, &written.text)?;
    let mut text =
        format!("{} in `{}`", count(written.written as u64, "unit test"), path.display());
    let left: usize = written.left_out.values().sum();
    if left > 0 {
        text += &format!(", {left} left out");
    }
    text.push('\n');
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((target, reason), count) in &written.left_out {
        reasons.entry(reason).or_default().push(format!("{target} ({count})"));
    }
    for (reason, targets) in reasons {
        text += &format!("  left out, because {reason}: {}\n", targets.join(", "));
    }
    if written.written > 0 {
        let model = &generation.question.request.target();
        let (file, module) = (path.display(), &written.module);
        text += &format!(
            "run them with `counterpoint check {model} {file} --product {PRODUCT} --main {module}`\n"
        );
    }
    output::complain(&text);
    Ok(())
}

/// Our own front end must accept what was written.
fn check(generation: &Generation, text: &str, module: &str) -> Result<(), Trouble> {
    let own = generation.model.sources.files().filter(|(id, _)| !library::contains(*id));
    let mut files: Vec<SourceFile> =
        own.map(|(_, file)| SourceFile::new(&*file.name, &*file.text)).collect();
    files.push(SourceFile::new("tests", text));
    let options = LoadOptions {
        main: Some(module.to_string()),
        product: Some(PRODUCT.to_string()),
        ..LoadOptions::default()
    };
    let result = load(files, &options);
    match result.model {
        Some(_) => Ok(()),
        None => {
            let messages = result.render(Style::Plain);
            Err(Trouble::new(format!("internal error: the tests cannot be read\n\n{messages}")))
        }
    }
}

/// Why a test may come out differently in another order of its tasks, if it may.
fn depends_on_order(generation: &Generation, session: &Session, test: &Test) -> Option<String> {
    if test.schedule.len() <= 1 {
        return None;
    }
    let mut comparison = Comparison { expected: &test.case, differs: false };
    let unexplored = try_orders(generation, session, test, Reduction::Field, &mut comparison);
    match (comparison.differs, unexplored) {
        (true, _) => Some("it comes out differently in another order of tasks".to_string()),
        (false, true) => Some("it has too many orders of tasks to try them all".to_string()),
        (false, false) => None,
    }
}

/// Whether a task may still run when the tested one has ended, in some order.
fn leaves_running(generation: &Generation, session: &Session, test: &Test) -> bool {
    if test.schedule.len() <= 1 {
        return false;
    }
    // A reduction would leave out orders that end with another task and come to the same state.
    let mut last = LastTask { others: false };
    let unexplored = try_orders(generation, session, test, Reduction::None, &mut last);
    last.others || unexplored
}

/// Runs a test with its values in all orders of tasks; whether some were left out.
fn try_orders(
    generation: &Generation,
    session: &Session,
    test: &Test,
    reduction: Reduction,
    sink: &mut dyn Sink,
) -> bool {
    let context = given_context(&session.target.context, &test.case);
    let options = Options { reduction, ..generation.question.options.clone() };
    let program: ModelProgram = given_program(&Arc::clone(&generation.model), &options, context);
    let name = match program.reduction() {
        Reduction::None => "exhaustive",
        _ => "optimal",
    };
    let exploration = (explorer(name).expect("it is in the table").explore)(Assignment {
        program: &program,
        unit: WorkUnit::whole(),
        limits: Limits {
            executions: Some(MOST_ORDERS),
            time: Some(MOST_TIME),
            ..Limits::default()
        },
        properties: Vec::new(),
        sink,
        parameters: ParameterValues::default(),
    });
    exploration.unexplored.is_some()
}

/// Whether a task other than the one that begins takes the last step.
struct LastTask {
    others: bool,
}

impl Sink for LastTask {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let task = |event: Option<&Event>| event.map(|event| event.process());
        self.others |= task(execution.events.first()) != task(execution.events.last());
        if self.others { Flow::Stop } else { Flow::Continue }
    }
}

struct Comparison<'t> {
    expected: &'t TestCase,
    differs: bool,
}

impl Sink for Comparison<'_> {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        self.differs |= match Ended::of(execution.run) {
            Some(Ended::Test(case)) => difference(self.expected, &case).is_some(),
            Some(Ended::Cut(..)) | None => true,
        };
        if self.differs { Flow::Stop } else { Flow::Continue }
    }
}
