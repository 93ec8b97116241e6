//! Creating objects, posting tasks and calling methods.
//!
//! What a task creates is named by the task and a number, so the numbers of names are looked up once
//! and kept per creator. The arguments of a posted task wait among the saved values.

use std::sync::Arc;

use counterpoint_model::{Mode, Pid};

use crate::program::{Arguments, ClassId, ConstructorId, MethodId, NewPlace, Place, SelectorId};

use super::evaluate::{FrameKind, finish_call, push_arguments};
use super::exceptions::OBJECT_DEAD;
use super::state::{CogId, Life, NONE, State, Status, Task};
use super::step::Continuation;
use super::unknown::Cut;
use super::value::{ObjectId, Value};

/// About how much memory the tables and names of a task and of an object take, in bytes.
const FOR_A_TASK: u64 = 300;
const FOR_AN_OBJECT: u64 = 200;

impl State<'_> {
    /// The tables of all tasks, and those of all objects, double at about the same time, and one step can fill them. Whether
    /// there is room is asked long before, at three quarters of a power of two; if there is none, the step is left where it looks up next.
    fn ask_for_room(&self, number: u32, each: u64) {
        let zeros = number.trailing_zeros();
        if number > 0 && zeros >= 12 && number >> zeros == 3 {
            self.stack.interrupt.has_room(u64::from(number) * each);
        }
    }

    pub(super) fn create(
        &mut self,
        to: Place,
        class: ClassId,
        place: NewPlace,
        arguments: Arguments,
    ) -> Continuation {
        if let Some(unknowns) = &mut self.unknowns {
            let top = self.stack.top();
            if unknowns.take_site(top.body, top.next) {
                return Continuation::Cut(Cut::Objects);
            }
        }
        let first = self.stack.slots.len();
        push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
        let object = self.new_object(class);
        let cog = match place {
            NewPlace::OwnCog => CogId::of(object),
            NewPlace::SameCog => self.present_cog(),
        };
        self.change_object(object).cog = cog;
        self.objects[object.index()].life = Life::Alive;
        self.created.push(object);
        if place == NewPlace::OwnCog {
            let location = self.universe.fields_of(object) - 1;
            let record = self.change_cog(cog);
            record.active = NONE;
            record.was_kept = false;
            record.location = location;
            self.founded.push(cog);
        }
        let fields = self.universe.fields_of(object);
        let model = self.universe.model;
        let count = model.class(class).fields.len();
        self.heap.reserve(fields as usize + count);
        for index in 0..count {
            let value = self.stack.slots.get_mut(first + index).map(std::mem::take);
            self.heap.init(fields + index as u32, value.unwrap_or_default());
        }
        self.stack.slots.truncate(first);
        if let Some(mut record) = self.record.take() {
            record.created.push(object);
            record.bound.push(self.main_variable_at(to));
            self.record = Some(record);
        }
        let init = model.class(class).init;
        self.stack.enter(&self.universe, init, FrameKind::Init, to, Value::Object(object));
        self.entered()
    }

    /// The variable of the main block that a place is, if the main block is running.
    fn main_variable_at(&self, place: Place) -> Option<Arc<str>> {
        let model = self.universe.model;
        let main = model.main.filter(|main| main.0 == self.stack.top().body)?;
        let Place::Slot(slot) = place else { return None };
        model.body(main).variables.get(slot.index())?.name.clone()
    }

    /// The name of the next object of the running task.
    fn new_object(&mut self, class: ClassId) -> ObjectId {
        let creator = self.current;
        let number = self.tasks[creator as usize].objects_created;
        self.tasks[creator as usize].objects_created += 1;
        if self.offspring.len() <= creator as usize {
            self.offspring.resize(creator as usize + 1, Vec::new());
        }
        let known = &mut self.offspring[creator as usize];
        if let Some(&object) = known.get(number as usize) {
            let object = ObjectId(object);
            if object.0 != NONE && self.universe.class_of(object) == class {
                return object;
            }
        }
        let model = self.universe.model;
        let (object, name) = self.universe.names.object(model, Pid(creator), number, class);
        if known.len() <= number as usize {
            known.resize(number as usize + 1, NONE);
        }
        known[number as usize] = object.0;
        if self.universe.objects.len() <= object.index() {
            self.universe.objects.resize(object.index() + 1, None);
        }
        self.universe.objects[object.index()] = Some(name);
        if self.objects.len() <= object.index() {
            self.ask_for_room(object.0, FOR_AN_OBJECT);
        }
        self.reserve_object(object);
        object
    }

    /// The cog in which the topmost frame runs: an object under construction is already in its own.
    fn present_cog(&self) -> CogId {
        match self.stack.top().this {
            Value::Object(object) => self.objects[object.index()].cog,
            _ => CogId::MAIN,
        }
    }

    pub(super) fn method(&self, object: ObjectId, selector: SelectorId) -> MethodId {
        let class = self.universe.model.class(self.universe.class_of(object));
        class.method(selector).expect("the checker has found the method")
    }

    pub(super) fn send(
        &mut self,
        object: ObjectId,
        selector: SelectorId,
        arguments: Arguments,
    ) -> u32 {
        let first = self.stack.slots.len();
        push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
        let method = self.method(object, selector);
        self.post(object, method, first)
    }

    /// Posts a task whose arguments lie on the stack from the given slot on.
    pub(super) fn post(&mut self, object: ObjectId, method: MethodId, first: usize) -> u32 {
        let creator = self.current as usize;
        let number = self.tasks[creator].tasks_created;
        self.tasks[creator].tasks_created += 1;
        let task = self.child(creator, number);
        let location = self.universe.names.task(Pid(task), Some((method, object)));
        self.heap.reserve(location as usize + 1);
        if self.tasks.len() <= task as usize {
            self.ask_for_room(task, FOR_A_TASK);
        }
        self.reserve_task(task);
        let deadline = self.take_deadline();
        let values = self.saved_values.len() as u32;
        self.saved_values.extend(self.stack.slots.drain(first..));
        let arrival = self.tally.arrivals;
        self.tally.arrivals += 1;
        let cog = self.objects[object.index()].cog;
        *self.change_task(task) = Task {
            status: Status::New,
            cog,
            object: Some(object),
            method: Some(method),
            location,
            values,
            arrival,
            deadline,
            ..Task::ABSENT
        };
        self.note(task);
        self.posted.push(task);
        if let Some(unknowns) = &mut self.unknowns {
            unknowns.posts.push(task);
        }
        self.tally.processes = self.tally.processes.max(task + 1);
        self.access(location, Mode::Write);
        if let Some(record) = &mut self.record {
            record.posted.push(Pid(task));
        }
        task
    }

    fn child(&mut self, creator: usize, number: u32) -> u32 {
        if self.children.len() <= creator {
            self.children.resize(creator + 1, Vec::new());
        }
        let known = &mut self.children[creator];
        while known.len() <= number as usize {
            let next = known.len() as u32;
            known.push(self.universe.processes().child(Pid(creator as u32), next).0);
        }
        known[number as usize]
    }

    fn take_deadline(&mut self) -> u32 {
        let Some(duration) = self.next_deadline.take() else { return NONE };
        let Some(length) = duration.arguments().first().and_then(Value::to_rational) else {
            return NONE;
        };
        let time = &self.times[self.tally.clock as usize] + length;
        self.times.push(time);
        self.times.len() as u32 - 1
    }

    pub(super) fn call(
        &mut self,
        to: Place,
        object: ObjectId,
        selector: SelectorId,
        arguments: Arguments,
    ) -> Continuation {
        let cog = self.objects[object.index()].cog;
        if cog != self.tasks[self.current as usize].cog && cog != self.present_cog() {
            let task = self.send(object, selector, arguments);
            return Continuation::Stop(Status::Blocked(task));
        }
        if self.objects[object.index()].life == Life::Dead {
            return Continuation::Raise(OBJECT_DEAD);
        }
        push_arguments(&self.universe, &mut self.stack, &mut self.heap, arguments);
        self.enter_method(self.method(object, selector), to, Value::Object(object))
    }

    pub(super) fn enter_method(
        &mut self,
        method: MethodId,
        to: Place,
        this: Value,
    ) -> Continuation {
        if let Err(signal) = self.stack.spend() {
            return self.give_up(signal);
        }
        if self.stack.frames.len() >= 1_000_000 {
            return Continuation::Raise(Value::Atom(ConstructorId::STACK_OVERFLOW));
        }
        let body = self.universe.model.method(method).body;
        self.stack.enter(&self.universe, body, FrameKind::Call, to, this);
        self.entered()
    }

    /// Takes the result of a task that has one.
    pub(super) fn take_result(&mut self, other: u32, to: Place) -> Continuation {
        let other = &self.tasks[other as usize];
        let value = self.heap.cells[other.location as usize].clone();
        if other.status == Status::Failed {
            self.from_other = true;
            return Continuation::Raise(value);
        }
        finish_call(&mut self.stack, &mut self.heap, to, value);
        Continuation::Continue
    }
}
