//! Where runs that do not begin with the main block begin: objects and tasks, unknown or given.
//!
//! A [`Context`] has objects, each in a group of its own, and tasks that are in their queues when the run
//! starts. Testing a method is a context of one object and one task; testing a system is one of several
//! (chapter 5.1 of `000`). A function is a context without objects.

use std::rc::Rc;

use counterpoint_model::Pid;
use counterpoint_symbolic::Term;
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::machine::state::{CogId, Life, NONE, State, Status, Task};
use crate::machine::value::{ObjectId, Value};
use crate::program::{BodyId, ClassId, ConstructorId, FunctionId, MethodId, Model};

/// Futures that are given are numbered from here on among the children of the main task.
const FUTURES: u32 = 1 << 21;

/// Objects and tasks to begin with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// The objects.
    pub objects: Vec<ContextObject>,
    /// The tasks, in the order of their arrival.
    pub tasks: Vec<ContextTask>,
}

/// An object to begin with.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextObject {
    /// What it is called, as in `this`.
    pub name: String,
    /// Its class.
    pub class: ClassId,
    /// Its fields; unknown if they are not given.
    pub fields: Option<Vec<Datum>>,
}

/// A task to begin with.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextTask {
    /// What it runs.
    pub subject: Subject,
    /// What its parameters are called; those of several tasks must differ.
    pub names: Vec<String>,
    /// Its arguments; unknown if they are not given.
    pub arguments: Option<Vec<Datum>>,
}

/// What a task of a context runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A method of the context's object with this number.
    Method {
        /// Which of the objects.
        object: usize,
        /// The method.
        method: MethodId,
    },
    /// A function, which must be the only task.
    Function(FunctionId),
}

impl Subject {
    /// What it runs.
    pub fn body(self, model: &Model) -> BodyId {
        match self {
            Subject::Method { method, .. } => model.method(method).body,
            Subject::Function(function) => model.function(function).body,
        }
    }
}

/// A value outside a run. Objects are numbers into a list that whoever holds the value knows.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// No object, no future.
    Null,
    /// A whole number.
    Integer(BigInt),
    /// A broken number.
    Rational(BigRational),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Text(String),
    /// A constructor with its arguments.
    Data(ConstructorId, Vec<Datum>),
    /// An object, by its number.
    Object(usize),
    /// A future that is resolved with a value.
    Resolved(Box<Datum>),
    /// A future that is not resolved.
    Unresolved,
    /// Data, an object or a future that is still unknown: its name.
    Unknown(String),
    /// A number, truth value or string that depends on unknowns, and how that is written.
    Term(Term, String),
    /// What terms cannot express, such as a string put together from unknown ones, as people write it.
    Opaque(String),
}

impl State<'_> {
    /// Puts the objects and tasks of a context in place.
    pub(in crate::machine) fn set_up(&mut self, context: &Context) {
        let model = self.universe.model;
        let mut objects: Vec<ObjectId> = Vec::new();
        for (number, object) in context.objects.iter().enumerate() {
            let id = match object.fields {
                None => self.found_object(number as u32, object.class, &object.name),
                Some(_) => self.add_initial_object(number as u32, object.class, &object.name),
            };
            objects.push(id);
        }
        let mut futures = 0;
        for (&id, object) in objects.iter().zip(&context.objects) {
            let first = self.universe.fields_of(id);
            for (index, field) in object.fields.iter().flatten().enumerate() {
                let value = self.build(field, &objects, &mut futures);
                self.heap.init(first + index as u32, value);
            }
        }
        for task in &context.tasks {
            let types = match task.subject {
                Subject::Method { method, .. } => &model.method(method).parameters,
                Subject::Function(function) => &model.function(function).parameters,
            };
            let first = self.stack.slots.len();
            for (index, (name, value_type)) in task.names.iter().zip(types).enumerate() {
                let given = task.arguments.as_ref().and_then(|arguments| arguments.get(index));
                let value = match given {
                    Some(datum) => self.build(datum, &objects, &mut futures),
                    None => {
                        let unknowns = self.unknowns.as_mut().expect("what is unknown is open");
                        let value = Rc::clone(&unknowns.table).root(model, name, value_type);
                        unknowns.introduce(&value);
                        value
                    }
                };
                self.stack.slots.push(value);
            }
            match task.subject {
                Subject::Method { object, method } => {
                    self.current = 0;
                    self.post(objects[object], method, first);
                }
                Subject::Function(function) => {
                    self.root = Some(model.function(function).body);
                    let values = self.saved_values.len() as u32;
                    self.saved_values.extend(self.stack.slots.drain(first..));
                    self.tasks[0].status = Status::New;
                    self.tasks[0].values = values;
                    self.note(0);
                }
            }
        }
        self.accesses.clear();
        if let Some(unknowns) = &mut self.unknowns {
            unknowns.posts.clear();
        }
    }

    /// Adds an object to the initial state; its fields are null.
    pub(super) fn add_initial_object(
        &mut self,
        number: u32,
        class: ClassId,
        name: &str,
    ) -> ObjectId {
        let model = self.universe.model;
        let names = self.universe.names;
        let (object, known) = names.object(model, Pid::MAIN, number, class);
        names.call_object(object, name);
        let location = known.location;
        if self.universe.objects.len() <= object.index() {
            self.universe.objects.resize(object.index() + 1, None);
        }
        self.universe.objects[object.index()] = Some(known);
        self.reserve_object(object);
        let cog = CogId::of(object);
        let record = self.change_object(object);
        record.cog = cog;
        record.life = Life::Alive;
        self.created.push(object);
        let record = self.change_cog(cog);
        record.active = NONE;
        record.was_kept = false;
        record.location = location;
        self.founded.push(cog);
        let count = model.class(class).fields.len();
        self.heap.reserve(location as usize + 1 + count);
        for index in 0..count as u32 {
            self.heap.init(location + 1 + index, Value::Null);
        }
        object
    }

    /// A value of the machine; futures are resolved tasks of nobody.
    fn build(&mut self, datum: &Datum, objects: &[ObjectId], futures: &mut u32) -> Value {
        match datum {
            Datum::Null | Datum::Unknown(_) | Datum::Term(..) | Datum::Opaque(_) => Value::Null,
            Datum::Integer(number) => Value::integer(number.clone()),
            Datum::Rational(number) => Value::rational(number.clone()),
            Datum::Float(number) => Value::Float(*number),
            Datum::Text(text) => Value::text(text.as_str()),
            Datum::Data(constructor, arguments) if arguments.is_empty() => {
                Value::Atom(*constructor)
            }
            Datum::Data(constructor, arguments) => {
                let arguments =
                    arguments.iter().map(|one| self.build(one, objects, futures)).collect();
                Value::data(*constructor, arguments)
            }
            Datum::Object(number) => Value::Object(objects[*number]),
            Datum::Resolved(_) | Datum::Unresolved => {
                let number = FUTURES + *futures;
                *futures += 1;
                let result = match datum {
                    Datum::Resolved(value) => Some(self.build(value, objects, futures)),
                    _ => None,
                };
                Value::Future(self.add_future(number, result))
            }
        }
    }

    /// A future of the initial state.
    pub(super) fn add_future(&mut self, number: u32, result: Option<Value>) -> Pid {
        let task = self.universe.processes().child(Pid::MAIN, number);
        let location = self.universe.names.task(task, None);
        self.heap.reserve(location as usize + 1);
        self.reserve_task(task.0);
        self.tally.processes = self.tally.processes.max(task.0 + 1);
        let status = if result.is_some() { Status::Returned } else { Status::Stopped };
        self.heap.init(location, result.unwrap_or_default());
        *self.change_task(task.0) = Task { status, location, ..Task::ABSENT };
        self.note(task.0);
        task
    }
}
