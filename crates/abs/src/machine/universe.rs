//! What does not change while a model runs: its code, its constants, and the names known so far.

use std::cmp::Ordering;

use counterpoint_model::{Pid, ProcessNames, Site};
use smallvec::SmallVec;

use crate::program::{ClassId, Constant, Model};

use super::names::{Names, ObjectName};
use super::value::{ObjectId, Value};

/// Code, constants and names.
#[derive(Clone)]
pub(crate) struct Universe<'p> {
    pub model: &'p Model,
    pub names: &'p Names,
    pub constants: Vec<Value>,
    /// By number, those that this run has met; the others are empty.
    pub objects: Vec<Option<ObjectName>>,
    /// For each body the number of its first statement, and the number of all statements.
    pub first_sites: Vec<u32>,
}

impl<'p> Universe<'p> {
    pub fn new(model: &'p Model, names: &'p Names) -> Universe<'p> {
        let mut constants: Vec<Value> = Vec::with_capacity(model.constants.len());
        for constant in &model.constants {
            let value = match constant {
                Constant::Null => Value::Null,
                Constant::Integer(number) => Value::integer(number.clone()),
                Constant::Float(number) => Value::Float(*number),
                Constant::String(text) => Value::text(&**text),
                Constant::Data(constructor, arguments) if arguments.is_empty() => {
                    Value::Atom(*constructor)
                }
                Constant::Data(constructor, arguments) => {
                    let arguments: SmallVec<[Value; 2]> =
                        arguments.iter().map(|id| constants[id.index()].clone()).collect();
                    Value::data(*constructor, arguments)
                }
                Constant::List(elements) => {
                    Value::list(elements.iter().map(|id| constants[id.index()].clone()))
                }
            };
            constants.push(value);
        }
        let first_sites = first_sites(model);
        Universe { model, names, constants, objects: Vec::new(), first_sites }
    }

    /// The class of an object that this run has met.
    pub fn class_of(&self, object: ObjectId) -> ClassId {
        self.name_of(object).class
    }

    /// The location of an object's first field.
    pub fn fields_of(&self, object: ObjectId) -> u32 {
        self.name_of(object).location + 1
    }

    fn name_of(&self, object: ObjectId) -> &ObjectName {
        self.objects[object.index()].as_ref().expect("values hold objects that were created")
    }

    /// The order of objects: by where they were created.
    pub fn compare_objects(&self, one: ObjectId, other: ObjectId) -> Ordering {
        let place = |object| {
            let name = self.name_of(object);
            (name.creator, name.number)
        };
        self.processes().compare(place(one), place(other))
    }

    /// The order of futures: by where their tasks were created.
    pub fn compare_tasks(&self, one: Pid, other: Pid) -> Ordering {
        self.processes().compare_processes(one, other)
    }

    /// The statement that an instruction belongs to.
    pub fn site(&self, body: u32, instruction: u32) -> Site {
        let sites = &self.model.bodies[body as usize].sites;
        let statement = sites.get(instruction as usize).copied().unwrap_or(0);
        Site(self.first_sites[body as usize] + statement)
    }

    pub fn processes(&self) -> &'p ProcessNames {
        &self.names.processes
    }
}

/// Statements are numbered through all bodies, so that a [`Site`] stands for one.
pub(crate) fn first_sites(model: &Model) -> Vec<u32> {
    let mut first = 0;
    let mut sites = Vec::with_capacity(model.bodies.len() + 1);
    for body in &model.bodies {
        sites.push(first);
        first += body.statements.len() as u32;
    }
    sites.push(first);
    sites
}
