//! States as numbers and as text.
//!
//! The digest covers everything that the future can depend on: fields, results, the frames of stopped
//! tasks, who keeps which cog, how many things each task has created, the clock, what was read. Pools are bags, so
//! parts are added up without order, unless a policy makes the order of arrival matter. Dead slots
//! count too, which at worst tells apart states that behave alike.

use std::fmt::Write;

use counterpoint_model::{Location, Pid};
use smallvec::SmallVec;

use super::hash::{Mixer, Unordered};
use super::names::Owner;
use super::show;
use super::state::{Life, NONE, State, Status, Task};
use super::value::{ObjectId, Value, mix, mix_rational, mix_with};

impl State<'_> {
    /// A digest of the whole state.
    pub fn digest(&self) -> u128 {
        let mut parts = Unordered::default();
        for &task in &self.posted {
            let record = &self.tasks[task as usize];
            let mut mixer = self.mix_task(task, record);
            if self.is_ordered() && !record.status.is_over() {
                mixer.add(u64::from(record.arrival));
            }
            parts.add(mixer);
        }
        for &object in &self.created {
            parts.add(self.mix_object(object));
        }
        let mut whole = parts.into_mixer(3);
        mix_rational(&self.times[self.tally.clock as usize], &mut whole);
        if self.options.cut_at_deadlock {
            whole.add(u64::from(self.tally.closed_at != NONE));
        }
        if self.is_ordered() {
            whole.add(u64::from(self.tally.last_cog));
        }
        if self.tally.lines_read > 0 {
            whole.add_two(5, u64::from(self.tally.lines_read));
        }
        for value in self.kept_main_variables() {
            mix(value, &mut whole);
        }
        if self.options.outcome_with_output {
            whole.add_bytes(4, self.log.as_bytes());
        }
        whole.finish()
    }

    fn mix_object(&self, object: ObjectId) -> Mixer {
        let record = &self.objects[object.index()];
        let mut mixer = Mixer::new(2);
        mixer.add_pair(object.0, record.cog.0);
        mixer.add(u64::from(record.life == Life::Dead));
        for cell in self.fields(object) {
            mix(&self.heap.cells[cell as usize], &mut mixer);
        }
        mixer
    }

    /// A digest of what [`outcome`](State::outcome) tells. A task is told by its object and method,
    /// too, which may differ from run to run.
    pub fn outcome_digest(&self) -> u128 {
        let told = |task: Pid| {
            let record = self.task(task);
            let method = record.method.map_or(NONE, |method| method.0);
            let object = record.object.map_or(NONE, |object| object.0);
            let mut mixer = Mixer::new(u64::from(task.0));
            mixer.add((u64::from(method) << 32) | u64::from(object));
            mixer.finish() as u64
        };
        let mut parts = Unordered::default();
        for &object in &self.created {
            let mut mixer = Mixer::new(u64::from(object.0));
            mixer.add(u64::from(self.objects[object.index()].life == Life::Dead));
            for cell in self.fields(object) {
                mix_with(&self.heap.cells[cell as usize], &mut mixer, told);
            }
            parts.add(mixer);
        }
        let mut whole = parts.into_mixer(6);
        if self.options.outcome_with_output {
            whole.add_bytes(4, self.log.as_bytes());
        }
        whole.finish()
    }

    pub(super) fn fields(&self, object: ObjectId) -> std::ops::Range<u32> {
        let class = self.universe.model.class(self.universe.class_of(object));
        let first = self.universe.fields_of(object);
        first..first + class.fields.len() as u32
    }

    fn mix_task(&self, task: u32, record: &Task) -> Mixer {
        let mut mixer = Mixer::new(1);
        mixer.add_pair(task, record.method.map_or(NONE, |method| method.0));
        let (kind, detail): (u64, u32) = match record.status {
            Status::Absent => (0, 0),
            Status::New => (1, 0),
            Status::Suspended => (2, 0),
            Status::Awaiting(other) => (3, other),
            Status::Guarded => (4, 0),
            Status::Blocked(other) => (5, other),
            Status::Sleeping => (6, 0),
            Status::Choosing(count) => (7, count),
            Status::Returned => (8, 0),
            Status::Failed => (9, 0),
            Status::Stopped => (10, 0),
            Status::Splitting => (11, 0),
        };
        mixer.add_pair(record.object.map_or(NONE, |object| object.0), detail);
        mixer.add(kind);
        if record.status.is_over() {
            if record.status.is_resolved() {
                mix(&self.heap.cells[record.location as usize], &mut mixer);
            }
            return mixer;
        }
        mixer.add_pair(record.tasks_created, record.objects_created);
        let mut times = SmallVec::<[u32; 3]>::new();
        if record.timer != NONE {
            times.extend([record.timer, record.timer + 1]);
        }
        times.extend((record.deadline != NONE).then_some(record.deadline));
        for time in times {
            mix_rational(&self.times[time as usize], &mut mixer);
        }
        let mut value = record.values as usize;
        if record.status == Status::New {
            for argument in self.arguments(record) {
                mix(argument, &mut mixer);
            }
        }
        let frames = record.frames as usize..(record.frames + record.frame_count) as usize;
        for frame in &self.saved_frames[frames] {
            mixer.add_pair(frame.body, frame.next);
            mix(&frame.this, &mut mixer);
            for slot in &self.saved_values[value..value + frame.values as usize] {
                mix(slot, &mut mixer);
            }
            value += frame.values as usize;
        }
        mixer
    }

    /// The arguments of a new task.
    pub fn arguments(&self, task: &Task) -> &[Value] {
        let model = self.universe.model;
        let count = task.method.map_or(0, |method| model.method(method).parameters.len());
        &self.saved_values[task.values as usize..][..count]
    }

    /// A digest of what one task knows.
    pub fn local_state(&self, task: Pid) -> u64 {
        self.mix_task(task.0, self.task(task)).finish() as u64
    }

    /// Every object with its fields, one per line, in the order of names.
    pub fn outcome(&self) -> String {
        let mut objects = self.created.clone();
        objects.sort_by(|&a, &b| self.universe.compare_objects(a, b));
        let mut text = String::new();
        for object in objects {
            let model = self.universe.model;
            let class = model.class(self.universe.class_of(object));
            let fields: Vec<String> = class
                .fields
                .iter()
                .zip(self.fields(object))
                .map(|(field, cell)| {
                    let value = show::shown(&self.universe, &self.heap.cells[cell as usize]);
                    format!("{}={value}", field.name)
                })
                .collect();
            let mut name = self.universe.names.object_text(model, object);
            if !name.starts_with(&*class.name) {
                name += &format!(": {}", class.name);
            }
            let dead = match self.objects[object.index()].life {
                Life::Dead => " dead",
                Life::Alive | Life::Absent => "",
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name}({}){dead}", fields.join(", "));
        }
        if self.options.outcome_with_output {
            text.push_str(&self.log);
        }
        text
    }

    /// The present value of a location.
    pub fn value(&self, location: Location) -> Option<String> {
        match self.universe.names.owner(location)? {
            Owner::Field(object, _) => {
                let exists = self.objects.get(object.index())?.life != Life::Absent;
                let value = exists.then(|| &self.heap.cells[location.index()])?;
                Some(show::shown(&self.universe, value))
            }
            Owner::Task(task) => match self.task(task).status {
                Status::Absent => None,
                status if status.is_resolved() => {
                    Some(show::shown(&self.universe, &self.heap.cells[location.index()]))
                }
                _ => Some("unresolved".to_owned()),
            },
            Owner::Global | Owner::MainCog | Owner::Cog(_) | Owner::Unknown => None,
        }
    }
}
