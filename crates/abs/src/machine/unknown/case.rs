//! A run with unknowns that has ended, as a test case.
//!
//! A test case has the initial state and the arguments twice: as far as the path knows them, and as
//! values that satisfy the path condition. Values are made from the model of the path: small numbers if
//! there are any, the least constructor for data that nothing has looked at, null for references that
//! nothing has used, and an object of a class that fits for references that are known to differ.
//!
//! **Invariant.** All inputs that agree with the condition take this path under this schedule, and the
//! values do agree.

use std::rc::Rc;

use counterpoint_model::{End, Input, Pid};
use counterpoint_symbolic::{Feasible, Path, Sort, Term, Value as Constant};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine::show;
use crate::machine::state::{Life, State, Status, Task};
use crate::machine::value::{ObjectId, TermKind, UnknownId, Value};
use crate::program::{ClassId, ConstructorId, DataTypeId, Model, Type};

use super::context::{ContextTask, Datum, Subject};
use super::table::{Kind, substitute};
use super::{Cut, Need, Unknowns};

/// A test case.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// The tasks it begins with.
    pub tasks: Vec<TaskCase>,
    /// All objects: those of the initial state first, then those that the run has created.
    pub objects: Vec<ObjectCase>,
    /// What is assumed of the initial state. What a number must be is said in place of what is known
    /// of it only.
    pub condition: Vec<String>,
    /// What was decided on the way, in that order, each with the number of steps performed before.
    pub decisions: Vec<(u32, String)>,
    /// How the execution ended.
    pub outcome: Outcome,
    /// What failed or waits, if something does.
    pub message: Option<String>,
    /// The limit that the execution was ended at; it is no test then.
    pub cut: Option<Cut>,
    /// The condition on numbers, Booleans and the numbers of references and strings.
    pub constraints: Vec<Term>,
    /// Instructions on the path.
    pub instructions: u64,
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// All tasks have returned.
    Returned,
    /// Tasks wait for each other.
    Deadlock,
    /// Tasks wait for conditions that nobody makes true.
    Stuck,
    /// A task has ended with an exception that nobody caught.
    Failure,
}

impl Outcome {
    /// The word in result files.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Returned => "returned",
            Outcome::Deadlock => "deadlock",
            Outcome::Stuck => "stuck",
            Outcome::Failure => "failure",
        }
    }
}

/// A value as far as the path knows it, and one that it can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The parameter or field.
    pub name: String,
    /// As far as it is known.
    pub known: Datum,
    /// A value.
    pub value: Datum,
}

/// A task that a test case begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskCase {
    /// What it runs.
    pub subject: Subject,
    /// Its arguments.
    pub arguments: Vec<Slot>,
    /// How it ended.
    pub end: TaskEnd,
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskEnd {
    /// It returned this.
    Returned(Slot),
    /// It failed with this exception.
    Failed(Slot),
    /// It has not ended.
    Waiting,
}

/// An object of a test case.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectCase {
    /// What it is called.
    pub name: String,
    /// Its class.
    pub class: ClassId,
    /// What references to it are in the condition; zero is null.
    pub code: u64,
    /// Its fields at first; none if the run has created it.
    pub before: Option<Vec<Slot>>,
    /// Its fields at the end.
    pub after: Vec<Slot>,
    /// Whether it has died.
    pub dead: bool,
}

/// A field of an object.
pub type FieldCase = Slot;

/// What numbers are tried to be, the most readable first.
const SMALL: [i64; 17] = [0, 1, 2, 3, -1, -2, -3, 4, 5, 6, 7, 8, 9, 10, -10, 100, 1000];

/// The numbers of references to objects that nothing is known of.
const ANONYMOUS: i64 = 1_000_000;

impl State<'_> {
    /// The inputs of the path with their present values, by name.
    pub(in crate::machine) fn model_inputs(&self) -> Vec<Input> {
        let Some(unknowns) = &self.unknowns else { return Vec::new() };
        let path = unknowns.path();
        let inputs = path
            .model()
            .iter()
            .map(|(name, value)| Input { name: name.to_owned(), value: value.to_string() });
        inputs.collect()
    }

    /// The run as it stands as a test case; nothing without unknowns or a context.
    pub(in crate::machine) fn test_case(&self) -> Option<TestCase> {
        let context = self.context?;
        let mut writer = Writer::new(self);
        let outcome = self.ending();
        let exhausted = (self.tally.exhausted > 0)
            .then(|| Cut::Unsupported("a step runs on and on without releasing its object".into()));
        let cut = match &self.unknowns {
            None => exhausted,
            Some(_) if exhausted.is_some() => exhausted,
            Some(unknowns) => unknowns.cut.clone().or_else(|| {
                (outcome == Outcome::Stuck && self.waits_for_others(unknowns))
                    .then_some(Cut::Switches)
            }),
        };
        let mut objects: Vec<ObjectCase> = Vec::new();
        let initial: Vec<ObjectId> = writer.initial.clone();
        for &object in &initial {
            objects.push(writer.object(object));
        }
        let mut tasks = Vec::new();
        for task in &context.tasks {
            tasks.push(writer.task(task));
        }
        writer.find_anonymous(&mut objects);
        let mut created: Vec<ObjectId> =
            self.created.iter().copied().filter(|object| !initial.contains(object)).collect();
        created.sort_by(|a, b| self.universe.compare_objects(*a, *b));
        // Their numbers follow those of all objects of the initial state.
        writer.created = created.clone();
        writer.first_created = objects.len();
        for &object in &initial {
            let number = writer.number(object);
            objects[number].after = writer.after(object);
        }
        for (number, task) in context.tasks.iter().enumerate() {
            tasks[number].end = writer.end(number, task);
        }
        for object in created {
            let after = writer.after(object);
            objects.push(ObjectCase {
                name: writer.created_name(object),
                class: self.universe.class_of(object),
                code: 0,
                before: None,
                after,
                dead: self.objects[object.index()].life == Life::Dead,
            });
        }
        let (condition, decisions) = writer.condition();
        Some(TestCase {
            tasks,
            objects,
            condition,
            decisions,
            outcome,
            message: self.message(outcome),
            cut,
            constraints: self
                .unknowns
                .as_ref()
                .map_or_else(Vec::new, |unknowns| unknowns.path().constraints().to_vec()),
            instructions: self.unknowns.as_ref().map_or(0, |unknowns| unknowns.instructions),
        })
    }

    fn ending(&self) -> Outcome {
        match self.end() {
            End::Deadlock => return Outcome::Deadlock,
            End::Stuck if !self.has_failed() => return Outcome::Stuck,
            End::Stuck | End::Complete | End::Cut => {}
        }
        if self.has_failed() { Outcome::Failure } else { Outcome::Returned }
    }

    fn has_failed(&self) -> bool {
        self.posted.iter().any(|&task| self.tasks[task as usize].status == Status::Failed)
    }

    fn message(&self, outcome: Outcome) -> Option<String> {
        match outcome {
            Outcome::Returned => None,
            Outcome::Failure => self.posted.iter().find_map(|&task| {
                let record = &self.tasks[task as usize];
                (record.status == Status::Failed).then(|| {
                    let value = &self.heap.cells[record.location as usize];
                    show::exception(&self.universe, value)
                })
            }),
            Outcome::Deadlock | Outcome::Stuck => {
                let parts: Vec<String> = (0..self.tally.processes)
                    .filter_map(|task| self.waiting(Pid(task)))
                    .map(|waiting| {
                        let model = self.universe.model;
                        let name = self.universe.names.task_text(model, waiting.process);
                        format!("{name} waits for {}", waiting.what)
                    })
                    .collect();
                Some(parts.join("; "))
            }
        }
    }

    /// Whether a task waits for a condition on an object of the initial state, so that somebody who is
    /// not part of the test could still let it go on.
    fn waits_for_others(&self, unknowns: &Unknowns) -> bool {
        if unknowns.criteria.all_ends || unknowns.criteria.switches.is_none() {
            return false;
        }
        self.posted.iter().any(|&task| {
            let record = &self.tasks[task as usize];
            record.status == Status::Guarded
                && record.object.is_some_and(|object| unknowns.is_initial(object))
        })
    }
}

/// Turns values of a run into values outside it.
struct Writer<'s, 'p> {
    state: &'s State<'p>,
    /// The path with small numbers.
    path: Option<Path>,
    initial: Vec<ObjectId>,
    created: Vec<ObjectId>,
    first_created: usize,
    /// References that differ from all known objects, by their numbers: their places among all objects.
    anonymous: FxHashMap<BigInt, usize>,
    /// For each of them its name, its number and the classes that fit.
    waiting: Vec<(String, BigInt, Vec<ClassId>)>,
}

impl<'s, 'p> Writer<'s, 'p> {
    fn new(state: &'s State<'p>) -> Writer<'s, 'p> {
        let path = state.unknowns.as_ref().map(|unknowns| match unknowns.cut {
            None => small(unknowns),
            Some(_) => unknowns.path().clone(),
        });
        let initial = match &state.unknowns {
            Some(unknowns) => unknowns.initial.iter().map(|one| one.object).collect(),
            None => {
                let count = state.context.map_or(0, |context| context.objects.len());
                state.created[..count.min(state.created.len())].to_vec()
            }
        };
        let mut writer = Writer {
            state,
            path,
            initial,
            created: Vec::new(),
            first_created: 0,
            anonymous: FxHashMap::default(),
            waiting: Vec::new(),
        };
        writer.name_anonymous();
        writer
    }

    fn unknowns(&self) -> Option<&'s Unknowns> {
        self.state.unknowns.as_deref()
    }

    fn model(&self) -> &'p Model {
        self.state.universe.model
    }

    fn number_of(&self, term: Term) -> BigInt {
        let path = self.path.as_ref().expect("terms belong to a path");
        path.concrete(term).as_int().cloned().unwrap_or_default()
    }

    /// Gives objects to references that are neither null nor any object that the run has met.
    fn name_anonymous(&mut self) {
        let Some(unknowns) = self.unknowns() else { return };
        for &id in &unknowns.introduced {
            let entry = unknowns.table.entry(id);
            let Kind::Reference { classes, code } = &entry.kind else { continue };
            let number = self.number_of(*code);
            let is_known = |object: &ObjectId| BigInt::from(i64::from(object.0) + 1) == number;
            if number == BigInt::from(0) || self.initial.iter().any(is_known) {
                continue;
            }
            match self.waiting.iter_mut().find(|(_, known, _)| *known == number) {
                Some((_, _, fits)) => {
                    let both: Vec<ClassId> =
                        fits.iter().copied().filter(|class| classes.contains(class)).collect();
                    if !both.is_empty() {
                        *fits = both;
                    }
                }
                None => {
                    let place = self.initial.len() + self.waiting.len();
                    self.anonymous.insert(number.clone(), place);
                    self.waiting.push((entry.name.to_string(), number, classes.clone()));
                }
            }
        }
    }

    /// Adds the objects of such references.
    fn find_anonymous(&mut self, objects: &mut Vec<ObjectCase>) {
        for (name, number, classes) in std::mem::take(&mut self.waiting) {
            let Some(&class) = classes.first() else { continue };
            let fields: Vec<Slot> = self
                .model()
                .class(class)
                .fields
                .iter()
                .map(|field| Slot {
                    name: field.name.to_string(),
                    known: Datum::Unknown(format!("{name}.{}", field.name)),
                    value: self.least(&field.value_type),
                })
                .collect();
            let (before, after) = (Some(fields.clone()), fields);
            let code = u64::try_from(number).unwrap_or_default();
            objects.push(ObjectCase { name, class, code, before, after, dead: false });
        }
    }

    fn number(&self, object: ObjectId) -> usize {
        if let Some(place) = self.initial.iter().position(|known| *known == object) {
            return place;
        }
        let place = self.created.iter().position(|known| *known == object);
        self.first_created + place.unwrap_or(0)
    }

    fn object(&self, object: ObjectId) -> ObjectCase {
        let class = self.state.universe.class_of(object);
        let name = self.state.universe.names.object_text(self.model(), object);
        let before = match self.unknowns() {
            Some(unknowns) => {
                let initial = unknowns.initial.iter().find(|one| one.object == object);
                initial.map(|initial| self.slots(class, initial.fields.iter().cloned()))
            }
            None => Some(Vec::new()),
        };
        let dead = self.state.objects[object.index()].life == Life::Dead;
        let code = u64::from(object.0) + 1;
        ObjectCase { name, class, code, before, after: Vec::new(), dead }
    }

    fn slots(&self, class: ClassId, values: impl Iterator<Item = Value>) -> Vec<Slot> {
        let fields = self.model().class(class).fields.iter().zip(values);
        fields.map(|(field, value)| self.slot(&field.name, &value)).collect()
    }

    fn slot(&self, name: &str, value: &Value) -> Slot {
        Slot { name: name.to_owned(), known: self.known(value), value: self.value(value) }
    }

    fn after(&self, object: ObjectId) -> Vec<Slot> {
        let class = self.state.universe.class_of(object);
        let first = self.state.universe.fields_of(object) as usize;
        let count = self.model().class(class).fields.len();
        self.slots(class, self.state.heap.cells[first..first + count].iter().cloned())
    }

    fn created_name(&self, object: ObjectId) -> String {
        let class = self.state.universe.class_of(object);
        let alike = |other: &&ObjectId| self.state.universe.class_of(**other) == class;
        let place =
            self.created.iter().filter(alike).position(|other| *other == object).unwrap_or(0);
        format!("new {} {}", self.model().class(class).name, place + 1)
    }

    fn task(&self, task: &ContextTask) -> TaskCase {
        let types = match task.subject {
            Subject::Method { method, .. } => &self.model().method(method).parameters,
            Subject::Function(function) => &self.model().function(function).parameters,
        };
        let mut arguments = Vec::new();
        for (name, value_type) in task.names.iter().zip(types) {
            let value = match self.unknowns() {
                Some(unknowns) => unknowns.table.root(self.model(), name, value_type),
                None => Value::Null,
            };
            arguments.push(self.slot(name, &value));
        }
        TaskCase { subject: task.subject, arguments, end: TaskEnd::Waiting }
    }

    fn record(&self, number: usize, task: &ContextTask) -> Task {
        let pid = match task.subject {
            Subject::Function(_) => Pid::MAIN,
            Subject::Method { .. } => {
                self.state.universe.processes().child(Pid::MAIN, number as u32)
            }
        };
        *self.state.task(pid)
    }

    fn end(&self, number: usize, task: &ContextTask) -> TaskEnd {
        let record = self.record(number, task);
        let slot = || self.slot("result", &self.state.heap.cells[record.location as usize]);
        match record.status {
            Status::Returned => TaskEnd::Returned(slot()),
            Status::Failed => TaskEnd::Failed(slot()),
            _ => TaskEnd::Waiting,
        }
    }

    /// A value as far as the path knows it.
    fn known(&self, value: &Value) -> Datum {
        let value = self.deref(value);
        let unknown = |text: String| Datum::Unknown(text);
        match (&value, self.unknowns()) {
            (Value::Term(term, TermKind::Boolean | TermKind::Integer), Some(unknowns)) => {
                Datum::Term(*term, unknowns.terms().display(*term).to_string())
            }
            (Value::Term(term, TermKind::Text), Some(unknowns)) => {
                unknown(unknowns.terms().display(*term).to_string())
            }
            (Value::Fraction(parts), Some(unknowns)) => {
                let text = |term| unknowns.terms().display(term).to_string();
                let (numerator, denominator) = (text(parts.0), text(parts.1));
                match numerator.strip_suffix(".numerator") {
                    Some(name) if denominator == format!("{name}.denominator") => {
                        unknown(name.to_owned())
                    }
                    _ => unknown(format!("({numerator}) / ({denominator})")),
                }
            }
            (Value::Unknown(id), Some(unknowns)) => {
                unknown(unknowns.table.entry(*id).name.to_string())
            }
            (Value::Data(data), _) => {
                let arguments = data.arguments.iter().map(|one| self.known(one)).collect();
                Datum::Data(data.constructor, arguments)
            }
            (Value::Future(task), _) => self.future(*task, &|value| self.known(value)),
            _ => self.value(&value),
        }
    }

    fn deref(&self, value: &Value) -> Value {
        match self.unknowns() {
            Some(unknowns) => unknowns.deref(value).clone(),
            None => value.clone(),
        }
    }

    fn future(&self, task: Pid, datum: &dyn Fn(&Value) -> Datum) -> Datum {
        let record = self.state.task(task);
        match record.status {
            Status::Returned => {
                let result = &self.state.heap.cells[record.location as usize];
                Datum::Resolved(Box::new(datum(result)))
            }
            _ => Datum::Unresolved,
        }
    }

    /// A value that the path allows.
    fn value(&self, value: &Value) -> Datum {
        let value = self.deref(value);
        match &value {
            Value::Null => Datum::Null,
            Value::Int(number) => Datum::Integer((*number).into()),
            Value::Big(number) => Datum::Integer(BigInt::clone(number)),
            Value::Rational(number) => Datum::Rational(BigRational::clone(number)),
            Value::Float(number) => Datum::Float(*number),
            Value::Text(text) => Datum::Text(text.to_string()),
            Value::Atom(constructor) => Datum::Data(*constructor, Vec::new()),
            Value::Data(data) => {
                let arguments = data.arguments.iter().map(|one| self.value(one)).collect();
                Datum::Data(data.constructor, arguments)
            }
            Value::Object(object) => Datum::Object(self.number(*object)),
            Value::Future(task) => self.future(*task, &|value| self.value(value)),
            Value::Opaque => Datum::Opaque,
            Value::Term(term, TermKind::Integer) => Datum::Integer(self.number_of(*term)),
            Value::Term(term, TermKind::Boolean) => {
                let path = self.path.as_ref().expect("terms belong to a path");
                let truth = path.holds(*term);
                let constructor = if truth { ConstructorId::TRUE } else { ConstructorId::FALSE };
                Datum::Data(constructor, Vec::new())
            }
            Value::Term(term, TermKind::Text) => {
                let unknowns = self.unknowns().expect("terms belong to unknowns");
                Datum::Text(unknowns.table.text_of(&self.number_of(*term)))
            }
            Value::Fraction(parts) => {
                let (numerator, denominator) = (self.number_of(parts.0), self.number_of(parts.1));
                let denominator = if denominator == 0.into() { 1.into() } else { denominator };
                let number = BigRational::new(numerator, denominator);
                match number.is_integer() {
                    true => Datum::Integer(number.to_integer()),
                    false => Datum::Rational(number),
                }
            }
            Value::Unknown(id) => self.least_of_unknown(*id),
        }
    }

    fn least_of_unknown(&self, id: UnknownId) -> Datum {
        let unknowns = self.unknowns().expect("unknowns belong to a run");
        match &unknowns.table.entry(id).kind {
            Kind::Data { data_type, arguments, .. } => {
                self.least(&Type::Data(*data_type, arguments.clone()))
            }
            Kind::Reference { code, .. } => {
                let number = self.number_of(*code);
                let known = self
                    .initial
                    .iter()
                    .position(|object| BigInt::from(i64::from(object.0) + 1) == number);
                let place = known.or_else(|| self.anonymous.get(&number).copied());
                place.map_or(Datum::Null, Datum::Object)
            }
            Kind::Future { .. } => Datum::Null,
        }
    }

    /// The least value of a type.
    fn least(&self, value_type: &Type) -> Datum {
        least(self.model(), value_type, 0).unwrap_or(Datum::Null)
    }

    /// What was decided, in words, without what follows from the types alone.
    fn condition(&self) -> (Vec<String>, Vec<(u32, String)>) {
        let Some(unknowns) = self.unknowns() else { return (Vec::new(), Vec::new()) };
        let model = self.model();
        let fixed = self.fixed(unknowns);
        let mut parts: Vec<String> = Vec::new();
        let mut steps: Vec<(u32, String)> = Vec::new();
        for decision in &unknowns.decisions {
            let alternative = decision.alternative as usize;
            let part = match decision.need {
                Need::Condition(condition) => {
                    let term = match alternative {
                        1 => condition,
                        _ => unknowns.terms().not(condition),
                    };
                    let text = self.readable(&unknowns.terms().display(term).to_string());
                    let inputs = unknowns.terms().inputs_of(condition);
                    let said = inputs.iter().all(|one| fixed.contains_key(&one.term()));
                    if said {
                        if !steps.iter().any(|(_, known)| *known == text) {
                            steps.push((decision.step, text));
                        }
                        for input in inputs {
                            let text = self.readable(&fixed[&input.term()]);
                            if !parts.contains(&text) {
                                parts.push(text);
                            }
                        }
                        continue;
                    }
                    text
                }
                Need::Constructor(id) => {
                    let entry = unknowns.table.entry(id);
                    let Kind::Data { data_type, .. } = &entry.kind else { continue };
                    let constructors = &model.data_type(*data_type).constructors;
                    if constructors.len() == 1 {
                        continue;
                    }
                    let shape = model.constructor(constructors[alternative]);
                    let parts = match shape.arguments.is_empty() {
                        true => String::new(),
                        false => format!("({})", vec!["_"; shape.arguments.len()].join(", ")),
                    };
                    format!("{} == {}{parts}", entry.name, shape.name)
                }
                Need::Reference(id, _) => {
                    let entry = unknowns.table.entry(id);
                    let Kind::Reference { classes, .. } = &entry.kind else { continue };
                    match alternative.checked_sub(1 + classes.len()) {
                        Some(known) => {
                            format!("{} == {}", entry.name, unknowns.initial[known].name)
                        }
                        None if alternative == 0 => format!("{} == null", entry.name),
                        None => {
                            let class = &model.class(classes[alternative - 1]).name;
                            format!("{} is another {class}", entry.name)
                        }
                    }
                }
                Need::Future(id) => {
                    let entry = unknowns.table.entry(id);
                    let what = ["is resolved", "is never resolved", "is null"][alternative];
                    format!("{} {what}", entry.name)
                }
            };
            if !parts.contains(&part) {
                steps.push((decision.step, part.clone()));
                parts.push(part);
            }
        }
        (parts, steps)
    }

    /// The numbers that can be one thing only, each with the condition that says so.
    fn fixed(&self, unknowns: &Unknowns) -> FxHashMap<Term, String> {
        const MOST: usize = 12;
        let mut fixed = FxHashMap::default();
        if unknowns.cut.is_some() {
            return fixed;
        }
        let terms = unknowns.terms();
        let mut path = unknowns.path().clone();
        let mut tried: Vec<Term> = Vec::new();
        for decision in &unknowns.decisions {
            let Need::Condition(condition) = decision.need else { continue };
            for variable in terms.inputs_of(condition) {
                let input = variable.term();
                if variable.sort() != Sort::Int || tried.contains(&input) || tried.len() >= MOST {
                    continue;
                }
                tried.push(input);
                let Constant::Int(number) = path.concrete(input) else { continue };
                let other = terms.ne(input, terms.int(number.clone()));
                if path.feasible(other) == Feasible::No {
                    fixed.insert(input, format!("{} == {number}", variable.name()));
                }
            }
        }
        fixed
    }

    /// A condition with null, objects and strings in place of their numbers, and numbers on the right.
    fn readable(&self, text: &str) -> String {
        let unknowns = self.unknowns().expect("conditions belong to unknowns");
        let references: FxHashSet<String> = unknowns
            .introduced
            .iter()
            .map(|&id| unknowns.table.entry(id).name.to_string())
            .collect();
        for symbol in [" == ", " != "] {
            let Some((left, right)) = text.split_once(symbol) else { continue };
            for (name, number) in [(left, right), (right, left)] {
                let Ok(number) = number.parse::<i64>() else { continue };
                let written = if references.contains(name) {
                    match number {
                        0 => "null".to_owned(),
                        _ => {
                            let object = ObjectId((number - 1).max(0) as u32);
                            self.state.universe.names.object_text(self.model(), object)
                        }
                    }
                } else if unknowns.table.is_text(name) {
                    format!("\"{}\"", unknowns.table.text_of(&number.into()))
                } else {
                    continue;
                };
                return format!("{name}{symbol}{written}");
            }
        }
        for (symbol, mirrored) in [
            (" >= ", " <= "),
            (" <= ", " >= "),
            (" < ", " > "),
            (" > ", " < "),
            (" == ", " == "),
            (" != ", " != "),
        ] {
            if let Some((left, right)) = text.split_once(symbol)
                && left.parse::<i64>().is_ok()
                && ![" < ", " > ", " == ", " && ", " || "].iter().any(|op| right.contains(op))
            {
                let bare = right.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                let right = bare.filter(|bare| !bare.contains(['(', ')'])).unwrap_or(right);
                return self.readable(&format!("{right}{mirrored}{left}"));
            }
        }
        for symbol in [" == ", " != "] {
            if let Some((left, right)) = text.split_once(symbol)
                && !left.contains(' ')
                && !right.contains(' ')
                && right < left
                && right.parse::<i64>().is_err()
            {
                return format!("{right}{symbol}{left}");
            }
        }
        // Of integers the store keeps one of two ways to say it; people write the other one.
        if let Some(left) = text.strip_suffix(" < 1") {
            return format!("{left} <= 0");
        }
        if let Some(left) = text.strip_suffix(" >= 1") {
            return format!("{left} > 0");
        }
        text.to_owned()
    }
}

/// The path with numbers that are small where they can be. Which ones does not depend on what was explored
/// before: inputs are taken in the order of their names, and each gets the first number that it can be.
fn small(unknowns: &Unknowns) -> Path {
    let mut path = unknowns.path().clone();
    let terms = Rc::clone(unknowns.terms());
    let mut references: Vec<Term> = Vec::new();
    for &id in &unknowns.introduced {
        if let Kind::Reference { code, .. } = &unknowns.table.entry(id).kind {
            references.push(*code);
        }
    }
    let mut inputs: Vec<(String, Term)> = Vec::new();
    for &constraint in path.constraints() {
        for variable in terms.inputs_of(constraint) {
            let known = inputs.iter().any(|(_, term)| *term == variable.term());
            if variable.sort() == Sort::Int && !known {
                inputs.push((variable.name().to_owned(), variable.term()));
            }
        }
    }
    inputs.sort();
    for (_, input) in inputs {
        let reference = references.contains(&input);
        // Numbers of objects that nothing is known of lie far from those of objects that are there.
        let others = (1..=references.len() as i64).map(|number| ANONYMOUS + number);
        let candidates: Vec<i64> = match reference {
            true => std::iter::once(0).chain(others).collect(),
            false => SMALL.to_vec(),
        };
        for candidate in candidates {
            if path.assume(terms.eq(input, terms.int(candidate))) == Feasible::Yes {
                break;
            }
        }
    }
    path
}

/// The least value of a type: the first constructor that leads to an end soonest.
pub(crate) fn least(model: &Model, value_type: &Type, depth: usize) -> Option<Datum> {
    const DEEPEST: usize = 12;
    if depth > DEEPEST {
        return None;
    }
    Some(match value_type {
        Type::Integer | Type::Rational | Type::Parameter(..) | Type::Open => {
            Datum::Integer(0.into())
        }
        Type::Float => Datum::Float(0.0),
        Type::String => Datum::Text(String::new()),
        Type::Data(DataTypeId::BOOL, _) => Datum::Data(ConstructorId::FALSE, Vec::new()),
        Type::Data(data_type, arguments) => {
            let constructors = &model.data_type(*data_type).constructors;
            let mut sorted: Vec<ConstructorId> = constructors.clone();
            sorted.sort_by_key(|&one| model.constructor(one).arguments.len());
            let built = sorted.into_iter().find_map(|constructor| {
                let declared = &model.constructor(constructor).arguments;
                let parts: Option<Vec<Datum>> = declared
                    .iter()
                    .map(|one| least(model, &substitute(one, arguments), depth + 1))
                    .collect();
                Some(Datum::Data(constructor, parts?))
            });
            return built;
        }
        _ => Datum::Null,
    })
}
