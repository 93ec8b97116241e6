//! `counterpoint generate`: test cases for methods, from runs with unknown arguments and states.

mod case;
mod compare;
mod json;
mod missing;
mod page;
mod part;
mod saved;
mod screen;
mod session;
mod sharing;
mod unit_tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterpoint_abs::analysis::contexts::InitialTask;
use counterpoint_abs::generate::{
    Criterion, MethodCoverage, Target, TargetError, coverage, deadlock_targets, smallest,
    system_targets, targets,
};
use counterpoint_abs::machine::{
    AwaitPolicy, Criteria, ObjectPolicy, Options, Reduction, TaskPolicy,
};
use counterpoint_abs::program::Model;
use counterpoint_explore::Limits;
use serde::{Deserialize, Serialize};

use super::step;
use crate::cli::active_objects::{Awaiting, ObjectOrder, TaskOrder};
use crate::cli::generate::{Cover, Form, GenerateArguments, Level, Schedules};
use crate::events;
use crate::front_end::{self, FrontEnd, LoadError, LoadRequest, ModelUses};
use crate::interrupt;
use crate::job::Tally;
use crate::jobs;
use crate::look::Screen;
use crate::output;
use crate::trouble::Trouble;

use self::case::{Test, Unconfirmed};
use self::missing::Uncovered;
use self::part::{Later, Part};
use self::saved::Saved;
use self::session::{Outcomes, Session};

/// All that decides which tests come out.
#[derive(Clone, Debug)]
pub struct GenerationQuestion {
    /// The files of the model.
    pub request: LoadRequest,
    /// The methods and functions as the user wrote them.
    pub methods: Vec<String>,
    /// The tasks to begin with, if methods are tested together.
    pub system: Option<System>,
    /// How models are run.
    pub options: Options,
    /// How far.
    pub criteria: Criteria,
    /// Whether tests that agree are one.
    pub exact: bool,
}

/// Which tasks there are at first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum System {
    /// Those that the user names: class, method, and how many at least and at most.
    Tasks(Vec<(String, String, u32, u32)>),
    /// Those that interfere with a cycle of waiting.
    OfDeadlocks,
}

impl System {
    fn targets(&self, model: &Model) -> Result<Vec<Target>, TargetError> {
        match self {
            System::OfDeadlocks => deadlock_targets(model),
            System::Tasks(tasks) => {
                let tasks: Vec<InitialTask> = tasks
                    .iter()
                    .map(|(class, method, minimum, maximum)| InitialTask {
                        minimum: *minimum,
                        maximum: *maximum,
                        ..InitialTask::once(class, method)
                    })
                    .collect();
                system_targets(model, &tasks)
            }
        }
    }
}

/// What came of it.
pub struct Generation {
    /// What was asked.
    pub question: GenerationQuestion,
    /// The model.
    pub model: Arc<Model>,
    /// What is assumed because something in the model has no effect here.
    pub left_out: Vec<&'static str>,
    /// What was tested.
    pub sessions: Vec<Session>,
    /// The tests that are kept, each by its target and its number there.
    pub kept: Vec<(usize, usize)>,
    /// How much each target's tests cover.
    pub coverage: Vec<MethodCoverage>,
    /// What they do not cover, for each target, and why.
    pub uncovered: Vec<Vec<Uncovered>>,
    /// How values are shown.
    pub form: Form,
    /// Wall-clock time.
    pub seconds: f64,
    /// Where the rest of the work is saved, if there is any.
    pub saved: Option<std::path::PathBuf>,
}

impl Generation {
    /// The tests that are kept, with their sessions.
    pub fn tests(&self) -> impl Iterator<Item = (&Session, &Test)> {
        let one = |&(session, test): &(usize, usize)| {
            (&self.sessions[session], &self.sessions[session].tests[test])
        };
        self.kept.iter().map(one)
    }

    /// What was cut off, by limit.
    pub fn cuts(&self) -> std::collections::BTreeMap<String, u64> {
        let mut cuts = std::collections::BTreeMap::new();
        for (cut, count) in self.sessions.iter().flat_map(|session| &session.cuts.counts) {
            *cuts.entry(cut.clone()).or_default() += count;
        }
        cuts
    }

    /// Whether nothing is left to explore within the limits.
    pub fn is_exhausted(&self) -> bool {
        self.sessions.iter().all(Session::is_done)
    }

    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.is_exhausted()
            && self.sessions.iter().all(|session| {
                session.cuts.counts.is_empty()
                    && session.bounds.is_empty()
                    && session.errors.is_empty()
            })
    }

    /// Which orders of tasks the claim is about.
    fn orders(&self) -> &'static str {
        let Options { objects, tasks, .. } = &self.question.options;
        match *objects == ObjectPolicy::Any && *tasks == TaskPolicy::Any {
            true => " in every order of tasks",
            false => "",
        }
    }

    /// What the tests are worth, in a few words.
    pub fn claim(&self) -> String {
        if !self.is_exhausted() {
            return "incomplete: not everything was tried".to_string();
        }
        let undecided = self.sessions.iter().any(|session| !session.bounds.is_empty());
        let unsupported = self.cuts().keys().any(|cut| is_gap(cut));
        let guided = self.sessions.iter().any(|session| session.target.guide.is_some());
        match (self.is_complete(), undecided || unsupported) {
            (true, _) if guided => {
                format!("complete: every path to one of these deadlocks{}", self.orders())
            }
            (true, _) => format!("complete: every path{}", self.orders()),
            (false, true) => "incomplete: some paths could not be followed".to_string(),
            (false, false) => format!("complete up to these limits{}", self.orders()),
        }
    }
}

/// Whether a cut is a gap in what can be done, and not a limit that was asked for.
pub fn is_gap(cut: &str) -> bool {
    cut.starts_with("not supported") || cut.starts_with("the solver")
}

const COMPLETE: u8 = 0;
const INCOMPLETE: u8 = 3;

/// Generates tests.
pub fn run(front_ends: &[FrontEnd], arguments: &GenerateArguments) -> Result<u8, Trouble> {
    let reports = [arguments.json.as_deref(), arguments.output.as_deref()];
    output::check_files(["--json", "--output"].into_iter().zip(reports))?;
    if let Some(folder) = &arguments.report {
        output::check_folder(folder)?;
    }
    let saved = match &arguments.resume {
        Some(path) => Some(Saved::read(path)?),
        None => None,
    };
    let question = match &saved {
        Some(saved) => saved.question()?,
        None => question(front_ends, arguments)?,
    };
    let (model, left_out) = load_model(front_ends, &question.request)?;
    if let Some(path) = &arguments.compare {
        return compare::run(path, &model, arguments);
    }
    let found = match &question.system {
        Some(system) => interrupt::analysing(arguments.limits.time, || system.targets(&model)),
        None => targets(&model, &question.methods),
    };
    let found =
        found.map_err(|error| Trouble { hint: error.hint, ..Trouble::new(error.message) })?;
    if arguments.walk {
        let first = found.into_iter().next();
        let first = first.ok_or_else(|| Trouble::new("there is no method to walk through"))?;
        let program = Session::new(&question, &model, first).program;
        return step::answer_questions(&front_end::abs_program(program));
    }
    let shown = Screen::beside(&arguments.look, reports);
    if question.system.is_some() {
        shown.print(&screen::contexts(&found))?;
    }
    let limits = Limits {
        time: arguments.limits.time,
        executions: arguments.limits.executions,
        steps: arguments.limits.steps.unwrap_or(Limits::default().steps),
        interrupt: interrupt::signal(),
        ..Limits::default()
    };
    limits.check().map_err(|error| Trouble::new(error.to_string()))?;
    let limits = Limits { time: interrupt::left(limits.time), ..limits };
    let clock = Instant::now();
    let exploring = Exploring {
        question: &question,
        model: &model,
        limits: &limits,
        saved: saved.as_ref(),
        written: arguments.json.is_some().then_some(arguments.form),
        clock,
    };
    let sessions = exploring.explore(found, jobs::number(&arguments.processes))?;
    interrupt::explored();
    let mut done = Tally::default();
    done.statistics.executions = sessions.iter().map(|session| session.executions).sum();
    events::finished(&done);
    let mut generation = Generation {
        question,
        model,
        left_out,
        sessions,
        kept: Vec::new(),
        coverage: Vec::new(),
        uncovered: Vec::new(),
        form: arguments.form,
        seconds: clock.elapsed().as_secs_f64(),
        saved: None,
    };
    choose(&mut generation, arguments.cover);
    generation.uncovered = missing::explain(&generation, &limits);
    generation.saved = Saved::write_if_needed(&generation, arguments)?;
    shown.print(&screen::render(shown.look, &generation))?;
    if let Some(path) = &arguments.json {
        json::write(path, &generation)?;
    }
    if let Some(folder) = &arguments.report {
        page::write(folder, &generation)?;
    }
    if let Some(path) = &arguments.output {
        unit_tests::write(path, &generation)?;
    }
    for error in generation.sessions.iter().flat_map(|session| &session.errors) {
        output::complain(&format!("internal error: {error}\n"));
    }
    let code = if generation.is_complete() { COMPLETE } else { INCOMPLETE };
    // The program ends here; to free thousands of tests one by one would only take time.
    std::mem::forget(generation);
    Ok(code)
}

fn question(
    front_ends: &[FrontEnd],
    arguments: &GenerateArguments,
) -> Result<GenerationQuestion, Trouble> {
    let mut targets: Vec<String> = arguments.target.iter().cloned().collect();
    targets.extend(arguments.rest.iter().cloned());
    let request = LoadRequest { targets, ..LoadRequest::default() };
    let front_end = front_end::choose(front_ends, &request)?;
    if front_end.name != "abs" {
        let text = format!("`generate` takes ABS models, and `{}` is none", request.target());
        return Err(Trouble::new(text).hint("For Java programs, see `counterpoint check --input`."));
    }
    let system = match (arguments.system, arguments.deadlock_tasks) {
        (false, _) => None,
        (true, true) => Some(System::OfDeadlocks),
        (true, false) if arguments.task.is_empty() => {
            return Err(Trouble::new("`--system` needs tasks to begin with".to_string())
                .hint("Name them with `--task Class.method`, or use `--deadlock-tasks`."));
        }
        (true, false) => {
            let tasks = arguments.task.iter().cloned();
            let tasks = tasks.map(|one| (one.class, one.method, one.minimum, one.maximum));
            Some(System::Tasks(tasks.collect()))
        }
    };
    // A deadlock is a matter of the order, so all orders are tried where only deadlocks are looked for.
    let all = arguments.schedules == Some(Schedules::All)
        || arguments.reduction.is_some()
        || (arguments.deadlock_tasks && arguments.schedules.is_none());
    let (in_turn, given) = (arguments.schedules == Some(Schedules::InTurn), arguments.reduction);
    if let (true, Some(level)) = (in_turn, given) {
        let text =
            format!("`--schedules in-turn` and `--reduction {level:?}` contradict each other");
        return Err(Trouble::new(text.to_lowercase())
            .hint("A reduction is about all schedules: leave `--schedules` out."));
    }
    let objects = match arguments.object_policy {
        Some(ObjectOrder::Nondeterministic) => ObjectPolicy::Any,
        Some(ObjectOrder::RoundRobin) => ObjectPolicy::RoundRobin,
        None if all => ObjectPolicy::Any,
        None => ObjectPolicy::RoundRobin,
    };
    let tasks = match arguments.task_policy {
        Some(TaskOrder::Nondeterministic) => TaskPolicy::Any,
        Some(TaskOrder::Fifo) => TaskPolicy::Fifo,
        Some(TaskOrder::Lifo) => TaskPolicy::Lifo,
        None if all => TaskPolicy::Any,
        None => TaskPolicy::Fifo,
    };
    let reduction = match arguments.reduction {
        Some(Level::None) => Reduction::None,
        Some(Level::Object) => Reduction::Object,
        Some(Level::Field | Level::Exact) | None => Reduction::Field,
    };
    let await_policy = match arguments.await_policy {
        Some(Awaiting::Release) => AwaitPolicy::Release,
        Some(Awaiting::Continue) | None => AwaitPolicy::Continue,
    };
    Ok(GenerationQuestion {
        request,
        methods: arguments.method.clone(),
        system,
        options: Options {
            reduction,
            await_policy,
            objects,
            tasks,
            work_per_step: WORK,
            ..Options::default()
        },
        criteria: Criteria {
            loops: arguments.loops.0,
            switches: arguments.switches.0,
            objects: arguments.objects.0,
            depth: arguments.depth.0.map(u64::from),
            range: arguments.range.map(|(least, most)| (least.into(), most.into())),
            all_ends: arguments.all_ends,
        },
        exact: arguments.reduction == Some(Level::Exact),
    })
}

/// Jumps and calls in one macro-step: loops over known data are not limited otherwise.
const WORK: u64 = 1_000_000;

fn load_model(
    front_ends: &[FrontEnd],
    request: &LoadRequest,
) -> Result<(Arc<Model>, Vec<&'static str>), Trouble> {
    front_end::choose(front_ends, request)?;
    match front_end::abs_model(request, ModelUses::Methods) {
        Ok((model, notes, left_out)) => {
            output::complain(&notes);
            Ok((Arc::new(model), left_out))
        }
        Err(LoadError { message, hint, .. }) => Err(Trouble { hint, ..Trouble::new(message) }),
    }
}

/// How far the targets are explored.
struct Exploring<'a> {
    question: &'a GenerationQuestion,
    model: &'a Arc<Model>,
    limits: &'a Limits,
    saved: Option<&'a Saved>,
    /// How values are shown in the result file, if there is to be one.
    written: Option<Form>,
    clock: Instant,
}

impl Exploring<'_> {
    /// Explores targets. If executions are limited, the first targets take what they need, one after another.
    fn explore(&self, found: Vec<Target>, jobs: usize) -> Result<Vec<Session>, Trouble> {
        let mut sessions = interrupt::analysing(self.limits.time, || self.begin(found))?;
        let shared = jobs > 1 && self.limits.executions.is_none();
        // What takes a moment is done before others could have begun.
        let slice = shared.then(jobs::time_alone);
        let mut left = self.limits.executions;
        for session in &mut sessions {
            let tasks = saved::tasks(session);
            let (outcomes, part) = self.explore_alone(session, slice, &mut left);
            let done = outcomes.iter().flatten().all(|(_, left)| left.is_none());
            if shared && !done && !session.is_divisible() {
                // It begins again, with the numbers that tasks had.
                let new = Session::new(self.question, self.model, session.target.clone());
                saved::name_tasks(&new, &tasks);
                session.program = new.program;
                continue;
            }
            session.count(part);
            session.put_in_place(self.question, outcomes);
        }
        if shared && !sessions.iter().all(Session::is_done) {
            sharing::explore(self, &mut sessions, jobs);
        }
        sessions.iter().for_each(Session::announce);
        Ok(sessions)
    }

    /// What is explored of each target: all of it, or what a saved exploration has left.
    fn begin(&self, found: Vec<Target>) -> Result<Vec<Session>, Trouble> {
        let begun = found.into_iter().map(|target| {
            let mut session = Session::new(self.question, self.model, target);
            if let Some(saved) = self.saved {
                saved.restore(&mut session, self.question, self.model)?;
            }
            Ok(session)
        });
        begun.collect()
    }

    /// Explores what is left of a target, for so long and with so many executions: what became of each unit, and what was
    /// counted.
    fn explore_alone(
        &self,
        session: &Session,
        slice: Option<Duration>,
        left: &mut Option<u64>,
    ) -> (Vec<Vec<Outcomes>>, Part) {
        let (mut outcomes, mut sum) = (Vec::new(), Part::default());
        let end = slice.map(|slice| Instant::now() + slice);
        for rest in &session.unexplored {
            let unit = rest.unit.clone();
            let late = end.is_some_and(|end| Instant::now() >= end);
            let Some(limits) = self.limits(*left).filter(|_| !late) else {
                outcomes.push(vec![(Vec::new(), Some(unit))]);
                continue;
            };
            let mut confirmed = Vec::new();
            let found = &mut |case: Unconfirmed| {
                confirmed.push(self.confirm(case, &session.target.name));
            };
            let mut part =
                part::explore(session, unit, limits, interrupt::flag(), &mut Later(end), found);
            *left = left.map(|left| left.saturating_sub(part.executions));
            outcomes.push(vec![(confirmed, part.left.take())]);
            sum.add(part);
        }
        (outcomes, sum)
    }

    /// The test of a method that comes of a case.
    fn confirm(&self, case: Unconfirmed, method: &str) -> Result<Test, String> {
        let mut test = case.confirm(self.question, self.model)?;
        test.text = self.written.map(|form| json::text(self.model, form, method, &test));
        Ok(test)
    }

    /// How far a target may be explored now, if at all.
    fn limits(&self, executions: Option<u64>) -> Option<Limits> {
        let time = self.limits.time.map(|time| time.saturating_sub(self.clock.elapsed()));
        let out = executions == Some(0)
            || time.is_some_and(|time| time.is_zero())
            || interrupt::flag().load(std::sync::atomic::Ordering::Relaxed);
        (!out).then(|| Limits { time, executions, ..self.limits.clone() })
    }
}

/// Finds out what tests cover and which of them to keep.
fn choose(generation: &mut Generation, cover: Cover) {
    let criterion = match cover {
        Cover::Branches => Criterion::Branches,
        Cover::Statements => Criterion::Statements,
        Cover::Paths => Criterion::Paths,
    };
    for (number, session) in generation.sessions.iter().enumerate() {
        let points: Vec<_> = session
            .tests
            .iter()
            .map(|test| (&test.path.points, test.schedule.len() as u64 + test.case.instructions))
            .collect();
        let kept = smallest(criterion, &points);
        generation.kept.extend(kept.into_iter().map(|test| (number, test)));
        let all = session.tests.iter().flat_map(|test| test.path.points.iter().copied()).collect();
        generation.coverage.push(coverage(&generation.model, &session.target, &all));
    }
}
