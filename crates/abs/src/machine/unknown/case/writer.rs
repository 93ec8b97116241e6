//! Values of a run as values outside it: what the path knows of them, and what they can be.

use std::cell::OnceCell;
use std::rc::Rc;

use counterpoint_model::Pid;
use counterpoint_symbolic::{Path, Term};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine::state::{Life, State, Status, Task};
use crate::machine::unknown::Unknowns;
use crate::machine::unknown::context::{ContextTask, Datum, Subject};
use crate::machine::unknown::table::Kind;
use crate::machine::value::{ObjectId, TermKind, UnknownId, Value};
use crate::program::{ClassId, ConstructorId, Model, Type};

use super::least::{least, small};
use super::{ObjectCase, Slot, TaskCase, TaskEnd};

/// Turns values of a run into values outside it.
pub(super) struct Writer<'s, 'p> {
    pub(super) state: &'s State<'p>,
    /// The path with small numbers.
    path: Option<Path>,
    pub(super) initial: Vec<ObjectId>,
    pub(super) created: Vec<ObjectId>,
    pub(super) first_created: usize,
    /// References that differ from all known objects, by their numbers: their places among all objects.
    anonymous: FxHashMap<BigInt, usize>,
    /// For each of them its name, its number and the classes that fit.
    waiting: Vec<(String, BigInt, Vec<ClassId>)>,
    /// The names of the references that the run has met, once a condition is written.
    pub(super) references: OnceCell<FxHashSet<Rc<str>>>,
}

impl<'s, 'p> Writer<'s, 'p> {
    pub(super) fn new(state: &'s State<'p>) -> Writer<'s, 'p> {
        let path = state.unknowns.as_ref().map(|unknowns| match unknowns.cut {
            None => small(unknowns, &results(state, unknowns)),
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
            references: OnceCell::new(),
        };
        writer.name_anonymous();
        writer
    }

    pub(super) fn unknowns(&self) -> Option<&'s Unknowns> {
        self.state.unknowns.as_deref()
    }

    pub(super) fn model(&self) -> &'p Model {
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
    pub(super) fn find_anonymous(&mut self, objects: &mut Vec<ObjectCase>) {
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

    pub(super) fn number(&self, object: ObjectId) -> usize {
        if let Some(place) = self.initial.iter().position(|known| *known == object) {
            return place;
        }
        let place = self.created.iter().position(|known| *known == object);
        self.first_created + place.unwrap_or(0)
    }

    pub(super) fn object(&self, object: ObjectId) -> ObjectCase {
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

    pub(super) fn after(&self, object: ObjectId) -> Vec<Slot> {
        let class = self.state.universe.class_of(object);
        let first = self.state.universe.fields_of(object) as usize;
        let count = self.model().class(class).fields.len();
        self.slots(class, self.state.heap.cells[first..first + count].iter().cloned())
    }

    pub(super) fn created_name(&self, object: ObjectId) -> String {
        let class = self.state.universe.class_of(object);
        let alike = |other: &&ObjectId| self.state.universe.class_of(**other) == class;
        let place =
            self.created.iter().filter(alike).position(|other| *other == object).unwrap_or(0);
        format!("new {} {}", self.model().class(class).name, place + 1)
    }

    pub(super) fn task(&self, task: &ContextTask) -> TaskCase {
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

    pub(super) fn end(&self, number: usize, task: &ContextTask) -> TaskEnd {
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
                Datum::Term(*term, unknowns.terms().exact_text(*term))
            }
            (Value::Term(term, TermKind::Text), Some(unknowns)) => {
                unknown(unknowns.terms().display(*term).to_string())
            }
            (Value::Fraction(parts), Some(unknowns)) => {
                unknown(unknowns.terms().exact_fraction(parts.0, parts.1))
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
            Value::Opaque(text) => Datum::Opaque(text.to_string()),
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

    /// A value with numbers, truth values and strings that the path allows in place of terms.
    pub(super) fn plain(&self, value: &Value) -> Value {
        let value = self.deref(value);
        match (&value, self.unknowns(), &self.path) {
            (Value::Data(data), ..) => {
                let arguments = data.arguments.iter().map(|one| self.plain(one)).collect();
                Value::data(data.constructor, arguments)
            }
            (Value::Term(term, TermKind::Integer), ..) => Value::integer(self.number_of(*term)),
            (Value::Term(term, TermKind::Boolean), _, Some(path)) => Value::bool(path.holds(*term)),
            (Value::Term(term, TermKind::Text), Some(unknowns), _) => {
                Value::text(unknowns.table.text_of(&self.number_of(*term)))
            }
            _ => value,
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
}

/// The terms that a run has come to: in fields that it has changed, and in what its tasks returned.
fn results(state: &State<'_>, unknowns: &Unknowns) -> Vec<Term> {
    let mut values: Vec<&Value> = Vec::new();
    for &object in &state.created {
        let first = state.universe.fields_of(object) as usize;
        let count = state.universe.model.class(state.universe.class_of(object)).fields.len();
        let before = unknowns.initial.iter().find(|one| one.object == object);
        for (index, value) in state.heap.cells[first..first + count].iter().enumerate() {
            let before = before.and_then(|initial| initial.fields.get(index));
            let unchanged = match (before, value) {
                (Some(Value::Term(before, _)), Value::Term(after, _)) => before == after,
                (Some(Value::Unknown(before)), Value::Unknown(after)) => before == after,
                _ => false,
            };
            if !unchanged {
                values.push(value);
            }
        }
    }
    let posted = state.posted.iter().map(|&task| &state.tasks[task as usize]);
    let tasks = posted.chain([state.task(Pid::MAIN)]);
    let over = tasks.filter(|task| matches!(task.status, Status::Returned | Status::Failed));
    values.extend(over.map(|task| &state.heap.cells[task.location as usize]));
    let mut terms = Vec::new();
    while let Some(value) = values.pop() {
        match unknowns.deref(value) {
            Value::Data(data) => values.extend(data.arguments.iter()),
            Value::Term(term, TermKind::Integer | TermKind::Boolean) => terms.push(*term),
            Value::Fraction(parts) => terms.extend([parts.0, parts.1]),
            _ => {}
        }
    }
    terms
}
