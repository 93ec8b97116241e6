//! Names of tasks, objects and locations that do not depend on the schedule.
//!
//! A task is named by its creator and its number among the creator's tasks, an object by its creator
//! and its number among the creator's objects. Names are interned in one table per program, so that
//! the same thing has the same number in every run. What class an object has may depend on what its
//! creator saw, so the class is part of the name.
//!
//! Locations: number 0 is touched by every step where nothing may be reduced, number 1 is the main
//! cog, and number 2 is which objects of an unknown initial state have been found. An object has a block of consecutive ones, its cog (if it founded one) and then its fields.
//! A task has one: its creator writes it when it posts the task, the task writes it again with its
//! result.

use std::cell::{OnceCell, RefCell};

use counterpoint_model::{Location, Pid, ProcessNames};
use rustc_hash::FxHashMap;

use crate::program::{ClassId, MethodId, Model};

use super::naming::Given;
use super::value::{ObjectId, UnknownId};

pub(crate) const GLOBAL: Location = Location(0);
pub(crate) const MAIN_COG: Location = Location(1);
/// Which objects of the initial state have been found.
pub(crate) const INITIAL_OBJECTS: Location = Location(2);

/// The tables of one program.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub processes: ProcessNames,
    table: RefCell<NameTable>,
    /// What people call things, once that is known.
    pub given: OnceCell<Given>,
}

#[derive(Debug)]
struct NameTable {
    owners: Vec<Owner>,
    objects: Vec<ObjectName>,
    numbers: FxHashMap<(Pid, u32, ClassId), ObjectId>,
    /// For each task that was ever posted, its location and what it last was.
    tasks: Vec<Option<TaskName>>,
    /// What objects of a context are called.
    called: FxHashMap<ObjectId, String>,
    /// The locations of unknowns.
    unknowns: FxHashMap<UnknownId, u32>,
}

/// What a location belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owner {
    Global,
    MainCog,
    Cog(ObjectId),
    Field(ObjectId, u16),
    Task(Pid),
    Unknown,
}

/// The name of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectName {
    pub creator: Pid,
    pub number: u32,
    pub class: ClassId,
    /// The location of its cog; those of its fields follow.
    pub location: u32,
}

#[derive(Clone, Debug)]
struct TaskName {
    location: u32,
    /// Its method and object; none for the main block.
    role: Option<(MethodId, ObjectId)>,
    /// Its text, once somebody has asked for it.
    text: Option<String>,
}

impl Default for NameTable {
    fn default() -> Self {
        NameTable {
            owners: vec![Owner::Global, Owner::MainCog, Owner::Unknown],
            objects: Vec::new(),
            numbers: FxHashMap::default(),
            tasks: Vec::new(),
            called: FxHashMap::default(),
            unknowns: FxHashMap::default(),
        }
    }
}

impl Names {
    /// The `number`th object of that creator, of that class.
    pub fn object(
        &self,
        model: &Model,
        creator: Pid,
        number: u32,
        class: ClassId,
    ) -> (ObjectId, ObjectName) {
        let table = &mut *self.table.borrow_mut();
        if let Some(&id) = table.numbers.get(&(creator, number, class)) {
            return (id, table.objects[id.index()]);
        }
        let id = ObjectId(table.objects.len() as u32);
        let location = table.owners.len() as u32;
        table.owners.push(Owner::Cog(id));
        let fields = model.class(class).fields.len() as u16;
        table.owners.extend((0..fields).map(|field| Owner::Field(id, field)));
        let name = ObjectName { creator, number, class, location };
        table.objects.push(name);
        table.numbers.insert((creator, number, class), id);
        (id, name)
    }

    /// The location of a task, which now runs that method of that object.
    pub fn task(&self, task: Pid, role: Option<(MethodId, ObjectId)>) -> u32 {
        let table = &mut *self.table.borrow_mut();
        if table.tasks.len() <= task.index() {
            table.tasks.resize(task.index() + 1, None);
        }
        if let Some(name) = &mut table.tasks[task.index()] {
            if name.role != role {
                name.role = role;
                name.text = None;
            }
            return name.location;
        }
        let location = table.owners.len() as u32;
        table.owners.push(Owner::Task(task));
        table.tasks[task.index()] = Some(TaskName { location, role, text: None });
        location
    }

    /// The location of an unknown.
    pub fn unknown(&self, unknown: UnknownId) -> u32 {
        let table = &mut *self.table.borrow_mut();
        *table.unknowns.entry(unknown).or_insert_with(|| {
            table.owners.push(Owner::Unknown);
            table.owners.len() as u32 - 1
        })
    }

    /// Calls an object of a context by a name of its own.
    pub fn call_object(&self, object: ObjectId, name: &str) {
        let called = &mut self.table.borrow_mut().called;
        called.entry(object).or_insert_with(|| name.to_owned());
    }

    /// What a location belongs to.
    pub fn owner(&self, location: Location) -> Option<Owner> {
        self.table.borrow().owners.get(location.index()).copied()
    }

    /// The text of a task: its object and method, as in `db.register`.
    pub fn task_text(&self, model: &Model, task: Pid) -> String {
        let named = {
            let table = self.table.borrow();
            table.tasks.get(task.index()).cloned().flatten()
        };
        let Some(name) = named else { return self.processes.short_path(task) };
        if let Some(text) = name.text {
            return text;
        }
        let text = match name.role {
            None => "main".to_owned(),
            Some((method, object)) => {
                let given = self.given.get().and_then(|g| g.tasks.get(&(task, method, object)));
                given.cloned().unwrap_or_else(|| {
                    let method = model.selector(model.method(method).selector);
                    let object = self.object_text(model, object);
                    format!("{object}.{method} ({})", self.processes.short_path(task))
                })
            }
        };
        if self.given.get().is_some()
            && let Some(name) = &mut self.table.borrow_mut().tasks[task.index()]
        {
            name.text = Some(text.clone());
        }
        text
    }

    /// The text of an object, as in `db` or `Worker 2`.
    pub fn object_text(&self, model: &Model, object: ObjectId) -> String {
        if let Some(name) = self.table.borrow().called.get(&object) {
            return name.clone();
        }
        match self.given.get().and_then(|given| given.objects.get(&object)) {
            Some(text) => text.clone(),
            None => self.object_path(model, object),
        }
    }

    /// The class of an object, its creator's path and its number, as in `Worker:0#2`.
    pub fn object_path(&self, model: &Model, object: ObjectId) -> String {
        let table = self.table.borrow();
        let Some(name) = table.objects.get(object.index()) else { return "object".to_owned() };
        let class = &model.class(name.class).name;
        format!("{class}:{}#{}", self.processes.short_path(name.creator), name.number)
    }

    /// The class of an object.
    pub fn class(&self, object: ObjectId) -> Option<ClassId> {
        self.table.borrow().objects.get(object.index()).map(|name| name.class)
    }
}
