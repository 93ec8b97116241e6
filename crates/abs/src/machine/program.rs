//! A model as a [`Program`], and its runs.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use counterpoint_model::{
    Alternatives, Choice, Digests, End, Event, Explanation, Feasible, FileCoverage, Footprint,
    Input, Interrupt, Location, Mark, Narrate, Next, Observe, Pid, Place, ProcessNames, Program,
    Prospect, Rewind, Run, Site, StateNode, Waiting,
};
use counterpoint_symbolic::{Limits, Terms};

use crate::analysis::{self, question::DeadlockQuestion};
use crate::program::{BodyId, BodyOwner, GuardPart, Instruction, Model};

use super::coverage::{CoveragePoint, Marks};
use super::explain::Teller;
use super::hash::Mixer;
use super::names::{Names, Owner};
use super::naming;
use super::options::{Options, Reduction};
use super::prospect::{Arrows, CycleWait};
use super::state::{State, Status};
use super::universe::{Universe, first_sites};
use super::unknown::case::TestCase;
use super::unknown::context::Context;
use super::unknown::repetition::Repetition;
use super::unknown::table::Table;
use super::unknown::{Criteria, Unknowns};

/// A model with the options under which it is run.
pub struct ModelProgram {
    model: Arc<Model>,
    options: Options,
    names: Names,
    first_sites: Vec<u32>,
    timed: bool,
    /// Whether an exception may kill an object; found out when somebody asks.
    objects_may_die: OnceCell<bool>,
    /// What is looked for, if anything in particular.
    question: Option<DeadlockQuestion>,
    /// What runs have executed, if somebody wants to know.
    marks: RefCell<Option<Marks>>,
    /// What runs that are started now look at inside long steps.
    interrupt: RefCell<Interrupt>,
    assumptions: Vec<&'static str>,
    /// Where runs begin, if not with the main block.
    context: Option<Context>,
    /// What unknowns need, if there can be any.
    unknown: Option<Unknown>,
}

/// What the unknowns of all runs share.
struct Unknown {
    table: Rc<Table>,
    criteria: Rc<Criteria>,
    repetition: Arc<Repetition>,
}

impl ModelProgram {
    /// The model under these options.
    pub fn new(model: Arc<Model>, options: Options) -> ModelProgram {
        let first_sites = first_sites(&model);
        let timed = speaks_of_time(&model);
        ModelProgram {
            model,
            options,
            names: Names::default(),
            first_sites,
            timed,
            objects_may_die: OnceCell::new(),
            question: None,
            marks: RefCell::default(),
            context: None,
            unknown: None,
            interrupt: RefCell::default(),
            assumptions: Vec::new(),
        }
    }

    /// The model, begun with objects and tasks whose fields and arguments are unknown unless given.
    pub fn with_unknowns(
        model: Arc<Model>,
        options: Options,
        context: Context,
        criteria: Criteria,
        solver: Option<Limits>,
    ) -> ModelProgram {
        let unknown = Unknown {
            table: Rc::new(Table::new(&model, solver)),
            criteria: Rc::new(criteria),
            repetition: model.facts.repetition(&model),
        };
        let program = ModelProgram::new(model, options);
        ModelProgram { context: Some(context), unknown: Some(unknown), ..program }
    }

    /// The model, begun with objects and tasks whose fields and arguments are all given.
    pub fn from_context(model: Arc<Model>, options: Options, context: Context) -> ModelProgram {
        ModelProgram { context: Some(context), ..ModelProgram::new(model, options) }
    }

    /// Where runs begin, if not with the main block.
    pub fn context(&self) -> Option<&Context> {
        self.context.as_ref()
    }

    /// The macro-steps of a schedule of a run with unknowns: a macro-step that was stopped for decisions
    /// is one choice, at the place of its last part.
    pub fn macro_schedule(&self, choices: &[Choice]) -> Vec<Choice> {
        let mut state = self.begin();
        let mut begun: Vec<(Pid, u32)> = Vec::new();
        let mut schedule = Vec::new();
        for &choice in choices {
            let process = choice.process;
            let place = begun.iter().position(|(other, _)| *other == process);
            let alternative = place.map_or(choice.alternative, |place| begun[place].1);
            state.step(choice);
            let decides = state.task(process).status == Status::Splitting;
            match (decides, place) {
                (true, None) => begun.push((process, alternative)),
                (true, Some(_)) => {}
                (false, _) => {
                    begun.retain(|(other, _)| *other != process);
                    schedule.push(Choice { process, alternative });
                }
            }
        }
        schedule
    }

    /// The state that choices lead to as a test case, even if a limit has ended the run there.
    pub fn case_after(&self, choices: &[Choice]) -> Option<TestCase> {
        let mut state = self.begin();
        for &choice in choices {
            state.step(choice);
        }
        state.test_case()
    }

    /// What the runs that have ended executed since [`Program::watch`], point by point.
    pub fn points(&self) -> BTreeSet<CoveragePoint> {
        let tasks = self.context.iter().flat_map(|context| &context.tasks);
        let tested: Vec<BodyId> = tasks.map(|task| task.subject.body(&self.model)).collect();
        let marks = self.marks.borrow();
        marks.as_ref().map(|marks| marks.points(&self.model, &tested)).unwrap_or_default()
    }

    /// How many instructions runs with unknowns have executed.
    pub fn instructions(&self) -> u64 {
        self.unknown.as_ref().map_or(0, |unknown| unknown.table.instructions.get())
    }

    /// The store of the terms of runs with unknowns.
    pub fn terms(&self) -> Option<Rc<Terms>> {
        self.unknown.as_ref().map(|unknown| Rc::clone(&unknown.table.terms))
    }

    /// What was asked of the solver.
    pub fn solver_counters(&self) -> counterpoint_symbolic::Counters {
        let solver = self.unknown.as_ref().map(|unknown| &unknown.table.solver);
        solver.map(|solver| solver.borrow().counters()).unwrap_or_default()
    }

    pub(crate) fn unknowns(&self, reduction: Reduction) -> Option<Box<Unknowns>> {
        let Unknown { table, criteria, repetition } = self.unknown.as_ref()?;
        let watching = reduction != Reduction::None;
        let (table, criteria, repetition) =
            (Rc::clone(table), Rc::clone(criteria), Arc::clone(repetition));
        Some(Box::new(Unknowns::new(table, criteria, repetition, watching)))
    }

    /// The same model, explored for what the question asks.
    pub fn looking_for(self, question: DeadlockQuestion) -> ModelProgram {
        ModelProgram { question: Some(question), ..self }
    }

    /// Which goals of a question the state that choices lead to shows.
    pub fn shown_goals(&self, question: &DeadlockQuestion, choices: &[Choice]) -> Vec<usize> {
        self.after(choices).shown_goals(question)
    }

    /// Whether an exception may kill an object.
    pub(crate) fn objects_may_die(&self) -> bool {
        let known = self.question.as_ref().and_then(|question| question.objects_may_die);
        let find_out = || known.unwrap_or_else(|| analysis::objects_may_die(&self.model));
        *self.objects_may_die.get_or_init(find_out)
    }

    /// Who waits where in the deadlocks of the state that choices lead to.
    pub fn deadlocks(&self, choices: &[Choice]) -> Vec<Vec<CycleWait>> {
        self.after(choices).deadlocks(Arrows::Present)
    }

    /// The state that choices lead to, as far as they can be made.
    fn after(&self, choices: &[Choice]) -> State<'_> {
        let mut state = self.begin();
        for &choice in choices {
            if choice.process.0 >= state.tally.processes || !state.next(choice.process).is_ready() {
                break;
            }
            state.step(choice);
        }
        state
    }

    /// The same program, about which every result assumes this.
    pub fn assuming(self, assumptions: Vec<&'static str>) -> ModelProgram {
        ModelProgram { assumptions, ..self }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The level of reduction that is in force: nothing is reduced where who can move depends on
    /// everybody else.
    pub fn reduction(&self) -> Reduction {
        let free = self.options.is_free() && !self.timed;
        if free { self.options.reduction } else { Reduction::None }
    }

    /// Whether the model speaks of time.
    pub fn is_timed(&self) -> bool {
        self.timed
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn begin(&self) -> State<'_> {
        let names = &self.names;
        let interrupt = self.interrupt.borrow();
        if self.context.is_none() {
            names.given.get_or_init(|| {
                naming::given(&self.model, names, &self.options.input_lines, &interrupt)
            });
        }
        let mut state = State::new(Universe::new(&self.model, &self.names), self);
        state.stack.interrupt = interrupt.clone();
        state
    }

    /// The statement of a site: the body's number and the statement's number there.
    fn statement(&self, site: Site) -> Option<(usize, usize)> {
        let body = self.first_sites.partition_point(|&first| first <= site.0).checked_sub(1)?;
        let body = (0..=body)
            .rev()
            .find(|&b| self.model.bodies.get(b).is_some_and(|body| !body.statements.is_empty()))?;
        let statement = site.0.checked_sub(self.first_sites[body])? as usize;
        (statement < self.model.bodies[body].statements.len()).then_some((body, statement))
    }
}

fn speaks_of_time(model: &Model) -> bool {
    model.bodies.iter().any(|body| {
        let waits = body.guards.iter().flat_map(|guard| &guard.parts);
        body.code.iter().any(|i| matches!(i, Instruction::Duration { .. }))
            || waits.into_iter().any(|part| matches!(part, GuardPart::Duration { .. }))
    })
}

impl Program for ModelProgram {
    fn start(&self, _: &[Input]) -> Box<dyn Run + '_> {
        let mut state = self.begin();
        if self.marks.borrow().is_some() {
            state.stack.marks = Some(Box::new(Marks::new(&self.model)));
        }
        let question = self.question.as_ref();
        Box::new(ModelRun { state, question, watched: &self.marks, teller: RefCell::default() })
    }

    fn names(&self) -> &ProcessNames {
        &self.names.processes
    }

    fn place(&self, site: Site) -> Place {
        let Some((body, statement)) = self.statement(site) else { return Place::default() };
        let body = &self.model.bodies[body];
        let span = body.statements[statement].span;
        let start = self.model.sources.start(span);
        Place {
            file: self.model.sources.file(span.file).name.to_string(),
            line: start.line,
            column: start.column,
            function: owner_name(&self.model, body.owner),
        }
    }

    fn location_name(&self, location: Location) -> String {
        let object = |object| self.names.object_text(&self.model, object);
        match self.names.owner(location) {
            None | Some(Owner::Global) => "anything".to_owned(),
            Some(Owner::MainCog) => "the main cog".to_owned(),
            Some(Owner::Cog(founder)) => format!("the cog of {}", object(founder)),
            Some(Owner::Field(of, number)) => {
                let class = self.names.class(of).expect("fields belong to named objects");
                let field = &self.model.class(class).fields[number as usize];
                format!("{}.{}", object(of), field.name)
            }
            Some(Owner::Unknown) => "something unknown".to_owned(),
            Some(Owner::Task(task)) => {
                format!("the result of {}", self.names.task_text(&self.model, task))
            }
        }
    }

    fn process_name(&self, process: Pid) -> String {
        self.names.task_text(&self.model, process)
    }

    fn fingerprint(&self) -> String {
        let mut mixer = Mixer::new(0);
        for (_, file) in self.model.sources.files() {
            mixer.add_bytes(1, file.text.as_bytes());
        }
        let mut hasher = rustc_hash::FxHasher::default();
        self.options.hash(&mut hasher);
        mixer.add_two(hasher.finish(), self.model.bodies.len() as u64);
        if let Some(context) = &self.context {
            mixer.add_bytes(2, format!("{context:?}").as_bytes());
        }
        if let Some(unknown) = &self.unknown {
            mixer.add_bytes(3, format!("{:?}", unknown.criteria).as_bytes());
        }
        format!("abs-{:016x}", mixer.finish() as u64)
    }

    fn assumptions(&self) -> Vec<String> {
        self.assumptions.iter().map(ToString::to_string).collect()
    }

    fn heed(&self, interrupt: &Interrupt) {
        self.interrupt.replace(interrupt.clone());
    }

    fn watch(&self) {
        self.marks.replace(Some(Marks::new(&self.model)));
    }

    fn coverage(&self) -> Vec<FileCoverage> {
        self.marks.borrow().as_ref().map(|marks| marks.by_file(&self.model)).unwrap_or_default()
    }
}

/// What a body is called, as in `Worker.work`.
pub(crate) fn owner_name(model: &Model, owner: BodyOwner) -> String {
    match owner {
        BodyOwner::Function(function) => model.function(function).name.to_string(),
        BodyOwner::Method(method) => {
            let method = model.method(method);
            format!("{}.{}", model.class(method.class).name, model.selector(method.selector))
        }
        BodyOwner::Init(class) | BodyOwner::Recover(class) => model.class(class).name.to_string(),
        BodyOwner::Main => "main".to_owned(),
    }
}

struct ModelRun<'p> {
    state: State<'p>,
    question: Option<&'p DeadlockQuestion>,
    /// Where the marks of a run that is watched go.
    watched: &'p RefCell<Option<Marks>>,
    /// A copy one step behind, while a story is told.
    teller: RefCell<Option<Teller<'p>>>,
}

impl Drop for ModelRun<'_> {
    fn drop(&mut self) {
        if let (Some(own), Some(all)) = (&self.state.stack.marks, &mut *self.watched.borrow_mut()) {
            all.add(own);
        }
    }
}

impl Run for ModelRun<'_> {
    fn processes(&self) -> u32 {
        self.state.tally.processes
    }

    fn next(&self, process: Pid) -> Next {
        self.state.next(process)
    }

    fn ready(&self, into: &mut Vec<Pid>) {
        self.state.ready(into);
    }

    fn first_ready(&self, favourite: Option<Pid>) -> Option<Pid> {
        self.state.first_ready(favourite)
    }

    fn alternatives(&self, process: Pid) -> Alternatives {
        self.state.alternatives(process)
    }

    fn feasible(&mut self, choice: Choice) -> Feasible {
        match self.state.split_feasible(choice) {
            counterpoint_symbolic::Feasible::Yes => Feasible::Yes,
            counterpoint_symbolic::Feasible::No => Feasible::No,
            counterpoint_symbolic::Feasible::Unknown(why) => Feasible::Unknown(why),
        }
    }

    fn step(&mut self, choice: Choice) -> Event {
        self.state.step(choice)
    }

    fn step_into(&mut self, choice: Choice, event: &mut Event) {
        self.state.step_into(choice, event);
    }

    fn anticipate(&self, process: Pid) -> Footprint {
        self.state.anticipate(process)
    }

    fn guarded(&self, _: Pid) -> bool {
        // A task that has not moved may wait for its group, a future or a condition at once.
        true
    }

    fn end(&self) -> End {
        self.state.end()
    }

    fn is_deadlocked(&self) -> bool {
        self.state.is_deadlocked()
    }

    fn prospect(&self) -> Prospect {
        self.question.map_or(Prospect::Open, |question| self.state.prospect(question))
    }

    fn retain_first_steps(&self, ready: &mut Vec<Pid>) {
        if let Some(question) = self.question {
            self.state.retain_first_steps(question, ready);
        }
    }

    fn inputs(&self) -> Vec<Input> {
        self.state.model_inputs()
    }
}

impl Rewind for ModelRun<'_> {
    fn rewinds(&self) -> bool {
        true
    }

    fn mark(&mut self) -> Mark {
        Mark(self.state.mark())
    }

    fn undo(&mut self, mark: Mark) {
        self.state.undo(mark.0);
    }
}

impl Narrate for ModelRun<'_> {
    fn waiting(&self, process: Pid) -> Option<Waiting> {
        self.state.waiting(process)
    }

    fn explain(&self) -> Explanation {
        self.state.explain(&mut self.teller.borrow_mut())
    }

    fn hurry(&mut self) {
        self.state.in_a_hurry = true;
    }

    fn details(&self) -> Option<Box<dyn std::any::Any>> {
        self.state.ended().map(|ended| Box::new(ended) as Box<dyn std::any::Any>)
    }

    fn outcome(&self) -> Option<String> {
        Some(self.state.outcome())
    }

    fn inspect(&self) -> Vec<StateNode> {
        self.state.inspect()
    }

    fn value(&self, location: Location) -> Option<String> {
        self.state.value(location)
    }
}

impl Digests for ModelRun<'_> {
    fn outcome_digest(&self) -> Option<u128> {
        if self.state.unknowns.is_some() {
            return None;
        }
        Some(self.state.outcome_digest())
    }

    fn local_state(&self, process: Pid) -> Option<u64> {
        Some(self.state.local_state(process))
    }

    fn digest(&self) -> Option<u128> {
        if self.state.unknowns.is_some() {
            return None;
        }
        Some(self.state.digest())
    }
}

impl Observe for ModelRun<'_> {}
