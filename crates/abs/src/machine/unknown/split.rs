//! Case distinctions: a task stops before an unknown, is given a case, and goes on.

use std::rc::Rc;

use counterpoint_model::{Alternatives, Choice, Mode, Pid};
use counterpoint_symbolic::{Feasible, Term};

use crate::machine::evaluate::{self, Signal};
use crate::machine::guard::NULL_POINTER;
use crate::machine::names::INITIAL_OBJECTS;
use crate::machine::options::Reduction;
use crate::machine::state::{CogId, NONE, State, Status, Task};
use crate::machine::step::Continuation;
use crate::machine::value::{ObjectId, TermKind, UnknownId, Value};
use crate::program::{ClassId, ConstructorId, GuardPart, Operand};

use super::repetition::Repetition;
use super::table::Kind;
use super::{
    Case, Cut, Decision, Initial, MetUnknown, Need, NullCase, Obstacle, Probe, Resume, Unknowns,
};

/// Objects found in the initial state are numbered from here on, behind those of the context.
const FOUND: u32 = 1 << 20;

impl State<'_> {
    /// The unknowns of a run that has some.
    fn open(&mut self) -> &mut Unknowns {
        self.unknowns.as_mut().expect("only runs with unknowns distinguish cases")
    }

    /// The running task needs a decision: it stops, unless only one case is possible.
    pub(in crate::machine) fn split(&mut self, need: Need) -> Continuation {
        let cases = self.cases(need);
        match open_cases(&cases) {
            OpenCases::None => match need {
                // It is null, whether or not such calls are wanted.
                Need::Reference(_, NullCase::Called) => self.decide(need, 0),
                _ => self.open().end(Cut::Solver("no case is possible".to_owned())),
            },
            OpenCases::One(only) => {
                self.open().recall(&cases[only]);
                self.decide(need, only as u32);
            }
            OpenCases::Several => {
                self.put_question(need, cases, Resume::Instruction);
                return Continuation::Stop(Status::Splitting);
            }
        }
        match &self.open().cut {
            Some(cut) => Continuation::Cut(cut.clone()),
            None => Continuation::Continue,
        }
    }

    fn put_question(&mut self, need: Need, cases: Vec<Case>, resume: Resume) {
        let task = self.current;
        let posts: Rc<[u32]> = self.open().posts.as_slice().into();
        let question = self.question_of(task, need, cases, resume, posts);
        self.open().put_question(question);
    }

    fn question_of(
        &mut self,
        task: u32,
        need: Need,
        cases: Vec<Case>,
        resume: Resume,
        posts: Rc<[u32]>,
    ) -> MetUnknown {
        let preferred = cases.iter().position(|case| case.feasible == Feasible::Yes).unwrap_or(0);
        let preferred = match need {
            // Not what the path's model says: which model was found depends on what was explored before.
            Need::Condition(condition) => {
                let side = usize::from(self.open().terms().holds_of_zeros(condition));
                if cases.get(side).is_some_and(|case| case.feasible == Feasible::Yes) {
                    side
                } else {
                    preferred
                }
            }
            Need::Amount(_) if cases[1].feasible == Feasible::Yes => 1,
            _ => preferred,
        };
        let preferred = preferred as u32;
        let cases = cases.into();
        let path = self.open().path().mark();
        MetUnknown { task, need, resume, cases, path, preferred, posts }
    }

    /// Asks again what other tasks have stopped for: the path has grown, an object was found, or the unknown
    /// was decided by somebody else.
    pub(in crate::machine) fn renew_questions(&mut self) {
        let unknowns = self.open();
        let path = unknowns.path().mark();
        let stale: Vec<u32> = unknowns
            .questions
            .iter()
            .filter(|question| {
                question.path != path
                    || question.cases.len() > 1 && unknowns.is_decided(question.need)
            })
            .map(|question| question.task)
            .collect();
        for task in stale {
            let MetUnknown { need, resume, posts, .. } = self.open().take_question(task);
            let cases = self.cases(need);
            let question = self.question_of(task, need, cases, resume, posts);
            self.open().put_question(question);
        }
    }

    /// Which cases an unknown has, and whether each is possible.
    fn cases(&mut self, need: Need) -> Vec<Case> {
        let model = self.universe.model;
        let unknowns = self.unknowns.as_mut().expect("there are unknowns");
        if unknowns.is_decided(need) {
            return vec![Case::free(true)];
        }
        let terms = Rc::clone(unknowns.terms());
        match need {
            Need::Condition(condition) | Need::Amount(condition) => {
                vec![unknowns.case(terms.not(condition)), unknowns.case(condition)]
            }
            Need::Constructor(id) => {
                let entry = unknowns.table.entry(id);
                let Kind::Data { data_type, above, .. } = &entry.kind else {
                    return Vec::new();
                };
                let constructors = model.data_type(*data_type).constructors.clone();
                let case = |constructor: ConstructorId| match above {
                    Some(least) if constructor == ConstructorId::INSERT => {
                        let children = unknowns.table.children(model, id, constructor);
                        match children[0] {
                            Value::Term(term, _) => unknowns.case(terms.int_lt(*least, term)),
                            _ => Case::free(true),
                        }
                    }
                    _ => Case::free(true),
                };
                constructors.into_iter().map(case).collect()
            }
            Need::Reference(id, null) => {
                let entry = unknowns.table.entry(id);
                let Kind::Reference { classes, code } = &entry.kind else { return Vec::new() };
                let mut cases = Vec::new();
                cases.push(match null == NullCase::Asked || unknowns.criteria.all_ends {
                    true => unknowns.case(terms.eq(*code, terms.int(0))),
                    false => Case::free(false),
                });
                let other = new_object(unknowns, *code);
                let other = match classes.is_empty() {
                    true => Case::free(false),
                    false => unknowns.case(other),
                };
                cases.extend(classes.iter().map(|_| other.clone()));
                for known in unknowns.initial.clone() {
                    cases.push(match classes.contains(&known.class) {
                        true => {
                            let object = unknowns.object_code(known.object);
                            unknowns.case(terms.eq(*code, object))
                        }
                        false => Case::free(false),
                    });
                }
                cases
            }
            Need::Future(_) => {
                let rare = Case::free(unknowns.criteria.all_ends);
                vec![Case::free(true), rare.clone(), rare]
            }
        }
    }

    /// Takes a case.
    fn decide(&mut self, need: Need, alternative: u32) {
        let model = self.universe.model;
        let step = self.tally.steps;
        let unknowns = self.open();
        if unknowns.is_decided(need) {
            return;
        }
        unknowns.decisions.push(Decision { need, alternative, step });
        let terms = Rc::clone(unknowns.terms());
        match need {
            Need::Condition(condition) => {
                let holds = alternative == 1;
                unknowns.assume(if holds { condition } else { terms.not(condition) });
                unknowns.remember(condition, holds);
            }
            Need::Amount(condition) if alternative == 1 => {
                unknowns.assume(condition);
                unknowns.remember(condition, true);
            }
            Need::Amount(condition) => {
                unknowns.assume(terms.not(condition));
                let chosen = terms.exact_text(condition);
                let what = format!("an unknown amount of time but for {chosen}");
                let what = self.with_line(&what);
                self.open().end(Cut::Unsupported(what));
            }
            Need::Constructor(id) => {
                let entry = unknowns.table.entry(id);
                let Kind::Data { data_type, above, .. } = &entry.kind else { return };
                let constructor = model.data_type(*data_type).constructors[alternative as usize];
                let children = unknowns.table.children(model, id, constructor);
                if let (Some(least), ConstructorId::INSERT) = (above, constructor)
                    && let Value::Term(term, TermKind::Integer) = children[0]
                {
                    unknowns.assume(terms.int_lt(*least, term));
                }
                for child in &*children {
                    unknowns.introduce(child);
                }
                let value = match children.is_empty() {
                    true => Value::Atom(constructor),
                    false => Value::data(constructor, children.iter().cloned().collect()),
                };
                unknowns.bind(id, value);
            }
            Need::Reference(id, _) => self.decide_reference(id, alternative as usize),
            Need::Future(id) => self.decide_future(id, alternative),
        }
    }

    /// Which objects a reference can be depends on those that were found before.
    fn decide_reference(&mut self, id: UnknownId, alternative: usize) {
        self.touch_initial_objects(Mode::Read);
        let unknowns = self.open();
        let terms = Rc::clone(unknowns.terms());
        let entry = unknowns.table.entry(id);
        let Kind::Reference { classes, code } = &entry.kind else { return };
        if alternative == 0 {
            unknowns.assume(terms.eq(*code, terms.int(0)));
            unknowns.bind(id, Value::Null);
            return;
        }
        if let Some(known) = alternative.checked_sub(1 + classes.len()) {
            let object = unknowns.initial[known].object;
            let number = unknowns.object_code(object);
            unknowns.assume(terms.eq(*code, number));
            unknowns.bind(id, Value::Object(object));
            return;
        }
        // That it is none of the objects known so far follows from its number, which is assumed below.
        let class = classes[alternative - 1];
        self.touch_initial_objects(Mode::Write);
        let place = self.stack.frames.last().map_or((NONE, NONE), |top| (top.body, top.next));
        if self.open().take_site(place.0, place.1) {
            self.open().end(Cut::Objects);
        }
        let object = self.found_object(FOUND + id.0, class, &entry.name);
        let unknowns = self.open();
        unknowns.assume_number(*code, Unknowns::object_number(object));
        unknowns.bind(id, Value::Object(object));
    }

    fn touch_initial_objects(&mut self, mode: Mode) {
        if self.reduction != Reduction::None {
            self.access(INITIAL_OBJECTS.0, mode);
        }
    }

    /// Adds an object to the initial state, with unknown fields.
    pub(super) fn found_object(&mut self, number: u32, class: ClassId, name: &str) -> ObjectId {
        let object = self.add_initial_object(number, class, name);
        let model = self.universe.model;
        let first = self.universe.fields_of(object);
        let unknowns = self.open();
        let table = Rc::clone(&unknowns.table);
        let fields: Rc<[Value]> = model
            .class(class)
            .fields
            .iter()
            .map(|field| table.root(model, &format!("{name}.{}", field.name), &field.value_type))
            .collect();
        let code = unknowns.object_code(object);
        let misfits: Vec<Term> = unknowns
            .introduced
            .iter()
            .filter_map(|id| match &table.entry(*id).kind {
                Kind::Reference { classes, code } if !classes.contains(&class) => Some(*code),
                _ => None,
            })
            .collect();
        for misfit in misfits {
            let terms = Rc::clone(unknowns.terms());
            unknowns.assume(terms.ne(misfit, code));
        }
        unknowns.initial.push(Initial {
            object,
            class,
            name: name.into(),
            fields: Rc::clone(&fields),
        });
        for field in &*fields {
            unknowns.introduce(field);
        }
        for (index, field) in fields.iter().enumerate() {
            self.heap.init(first + index as u32, field.clone());
        }
        object
    }

    fn decide_future(&mut self, id: UnknownId, alternative: u32) {
        if alternative == 2 {
            return self.open().bind(id, Value::Null);
        }
        let model = self.universe.model;
        let entry = self.open().table.entry(id);
        let Kind::Future { result } = &entry.kind else { return };
        let value = (alternative == 0).then(|| {
            let unknowns = self.open();
            let table = Rc::clone(&unknowns.table);
            let value = table.root(model, &format!("{}.get", entry.name), result);
            unknowns.introduce(&value);
            value
        });
        let task = self.add_future(FOUND + id.0, value);
        self.open().bind(id, Value::Future(task));
    }

    /// The object that is called, or what becomes of the task instead.
    pub(in crate::machine) fn receiver(
        &mut self,
        callee: Operand,
    ) -> Result<ObjectId, Continuation> {
        match self.operand(callee) {
            Value::Object(object) => Ok(object),
            Value::Unknown(id) => Err(self.split(Need::Reference(id, NullCase::Called))),
            _ => Err(Continuation::Raise(NULL_POINTER)),
        }
    }

    /// The task whose future is read, or what becomes of the task instead.
    pub(in crate::machine) fn awaited_task(
        &mut self,
        future: Operand,
    ) -> Result<Pid, Continuation> {
        match self.operand(future) {
            Value::Future(task) => Ok(task),
            Value::Unknown(id) => Err(self.split(Need::Future(id))),
            _ => Err(Continuation::Raise(NULL_POINTER)),
        }
    }

    pub(in crate::machine) fn split_alternatives(&self, task: Pid) -> Alternatives {
        let question = self.unknowns.as_ref().and_then(|unknowns| unknowns.question(task.0));
        question.map_or(Alternatives::ONE, |question| Alternatives {
            count: question.cases.len() as u32,
            preferred: question.preferred,
        })
    }

    /// Whether a case that a task could take is possible.
    pub(in crate::machine) fn split_feasible(&self, choice: Choice) -> Feasible {
        let question =
            self.unknowns.as_ref().and_then(|unknowns| unknowns.question(choice.process.0));
        let case = question.and_then(|one| one.cases.get(choice.alternative as usize));
        case.map_or(Feasible::Yes, |case| case.feasible.clone())
    }

    /// A step of a run with unknowns begins.
    pub(in crate::machine) fn begin_open_step(&mut self, task: &Task) -> Option<Cut> {
        let unknowns = self.unknowns.as_mut()?;
        unknowns.begin_step();
        if task.status == Status::Splitting {
            return None;
        }
        unknowns.posts.clear();
        let keeps =
            matches!(task.status, Status::Blocked(_) | Status::Sleeping | Status::Choosing(_));
        match task.object {
            Some(object) if !keeps && unknowns.take_turn(object) => Some(Cut::Switches),
            _ => None,
        }
    }

    /// A task takes a case and goes on.
    pub(in crate::machine) fn resume_split(
        &mut self,
        task: &Task,
        alternative: u32,
    ) -> Continuation {
        let number = self.current;
        let question = self.open().take_question(number);
        let unknowns = self.open();
        unknowns.posts.clear();
        unknowns.posts.extend_from_slice(&question.posts);
        for &post in &*question.posts {
            self.access(self.tasks[post as usize].location, Mode::Write);
        }
        if question.resume == Resume::Instruction {
            self.restore_stack(task);
            Repetition::decided(&mut self.stack);
        }
        if let Some(case) = question.cases.get(alternative as usize) {
            self.open().recall(case);
        }
        self.decide(question.need, alternative);
        match (&self.open().cut, question.resume) {
            (Some(cut), _) => Continuation::Cut(cut.clone()),
            (None, Resume::Instruction) => Continuation::Continue,
            (None, Resume::End(status)) => {
                self.keeps_frames = true;
                Continuation::Stop(status)
            }
        }
    }

    /// Decides the guards of waiting tasks of a group, or stops the task that has just moved before the
    /// decision.
    pub(in crate::machine) fn settle_guards(&mut self, number: u32, cog: CogId) {
        loop {
            if self.open().cut.is_some() {
                return;
            }
            let Some(trouble) = self.undecided_guard(cog) else { return };
            let need = match trouble {
                Obstacle::Need(need) => need,
                Obstacle::Cut(cut) => {
                    self.cuts = true;
                    return self.open().end(cut);
                }
                Obstacle::Raise(_) => return,
            };
            let cases = self.cases(need);
            if let OpenCases::One(only) = open_cases(&cases) {
                self.open().recall(&cases[only]);
                self.decide(need, only as u32);
                continue;
            }
            let status = self.tasks[number as usize].status;
            self.put_question(need, cases, Resume::End(status));
            self.tasks[number as usize].status = Status::Splitting;
            self.note(number);
            let cog = self.change_cog(cog);
            cog.active = number;
            cog.was_kept = true;
            return;
        }
    }

    fn undecided_guard(&mut self, cog: CogId) -> Option<Obstacle> {
        let waiting: Vec<u32> = self
            .posted
            .iter()
            .copied()
            .filter(|&task| {
                let record = &self.tasks[task as usize];
                record.cog == cog && record.status == Status::Guarded && !self.is_orphan(record)
            })
            .collect();
        let mut unknowns = self.unknowns.take()?;
        let found = waiting.into_iter().find_map(|task| {
            let record = self.tasks[task as usize];
            self.guard_trouble(&record, &mut unknowns)
        });
        self.unknowns = Some(unknowns);
        found
    }

    /// What keeps the guard of a waiting task from being known.
    fn guard_trouble(&self, task: &Task, unknowns: &mut Unknowns) -> Option<Obstacle> {
        let guard = self.waiting_guard(task)?;
        for part in &guard.parts {
            let result = match *part {
                GuardPart::Future(operand) => {
                    let value = self.waiting_operand(task, operand);
                    match unknowns.deref(&value) {
                        Value::Unknown(id) => Err(Obstacle::Need(Need::Future(*id))),
                        _ => Ok(true),
                    }
                }
                GuardPart::Value(operand) => {
                    let value = self.waiting_operand(task, operand);
                    match *unknowns.deref(&value) {
                        Value::Term(term, _) => unknowns.ask(term).map_err(Obstacle::Need),
                        ref known => Ok(known.is_true()),
                    }
                }
                GuardPart::Condition(target) => {
                    unknowns.in_guard = true;
                    let memory = &mut Probe { cells: &self.heap.cells, unknowns: &mut *unknowns };
                    let result = self.waiting_condition(task, target, None, memory);
                    unknowns.in_guard = false;
                    result
                }
                GuardPart::Duration { .. } => Ok(true),
            };
            match result {
                Err(trouble @ (Obstacle::Need(_) | Obstacle::Cut(_))) => return Some(trouble),
                // What follows is not looked at until this has changed, and then it is asked again.
                Ok(false) | Err(Obstacle::Raise(_)) => return None,
                Ok(true) => {}
            }
        }
        None
    }

    /// The task that must decide before anybody else can move, where nothing is reduced.
    pub(in crate::machine) fn deciding(&self) -> Option<u32> {
        let unknowns = self.unknowns.as_ref()?;
        (self.reduction == Reduction::None)
            .then(|| unknowns.questions.first().map(|question| question.task))
            .flatten()
    }

    /// Whether the execution was cut and nobody can move any more.
    pub(in crate::machine) fn is_cut(&self) -> bool {
        self.reduction == Reduction::None
            && self.unknowns.as_ref().is_some_and(|unknowns| unknowns.cut.is_some())
    }

    /// Runs the evaluator on memory with unknowns.
    pub(in crate::machine) fn run_open(&mut self, tells: bool) -> Signal {
        let unknowns = self.unknowns.as_mut().expect("there are unknowns");
        let memory = &mut super::Open { heap: &mut self.heap, unknowns };
        if tells {
            evaluate::run::<_, true>(&self.universe, &mut self.stack, memory)
        } else {
            evaluate::run::<_, false>(&self.universe, &mut self.stack, memory)
        }
    }
}

/// Which cases are left.
enum OpenCases {
    None,
    /// This one, for certain.
    One(usize),
    /// Several, or one of which it is not known whether it is possible.
    Several,
}

fn open_cases(cases: &[Case]) -> OpenCases {
    let mut open = cases.iter().enumerate().filter(|(_, case)| case.feasible != Feasible::No);
    match (open.next(), open.next()) {
        (None, _) => OpenCases::None,
        (Some((only, case)), None) if case.feasible == Feasible::Yes => OpenCases::One(only),
        _ => OpenCases::Several,
    }
}

/// That a reference is neither null nor any object known so far.
fn new_object(unknowns: &Unknowns, code: Term) -> Term {
    let terms = unknowns.terms();
    let mut all = terms.ne(code, terms.int(0));
    for known in &unknowns.initial {
        all = terms.and(all, terms.ne(code, unknowns.object_code(known.object)));
    }
    all
}
