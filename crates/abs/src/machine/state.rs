//! The state of a run between two steps, and how it goes back.
//!
//! Tasks, cogs and objects are plain records in tables indexed by the numbers of their names; what a
//! step overwrites goes onto a trail. The frames of a task that stops are appended to one list and
//! its record points there; frames that were resumed stay where they are until the run goes back
//! behind the step that saved them. So a step allocates nothing once the lists have grown, and going
//! back is: put old records back, cut the lists.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use counterpoint_model::{Access, Choice, Pid};
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashSet;

use crate::program::{BodyId, MethodId};

use super::evaluate::{Frame, FrameKind, Stack};
use super::exceptions::Origin;
use super::guard::Moment;
use super::heap::Heap;
use super::live::{Live, Liveness};
use super::names::MAIN_COG;
use super::options::{AwaitPolicy, ObjectPolicy, Options, Reduction, TaskPolicy};
use super::program::ModelProgram;
use super::record::Record;
use super::universe::Universe;
use super::unknown::context::Context;
use super::unknown::repetition::Iterations;
use super::unknown::{Unknowns, UnknownsMark};
use super::value::{ObjectId, Value};

pub(crate) const NONE: u32 = u32::MAX;

/// A cog: 0 is the main one, the others are numbered by the objects that founded them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CogId(pub u32);

impl CogId {
    pub const MAIN: CogId = CogId(0);

    pub fn of(founder: ObjectId) -> CogId {
        CogId(founder.0 + 1)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a task stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Not in this run.
    Absent,
    /// Posted; its arguments are saved.
    New,
    /// Has released its cog and waits for nothing.
    Suspended,
    /// Has released its cog and waits for the result of this task.
    Awaiting(u32),
    /// Has released its cog and waits for the guard of the `Await` it is at.
    Guarded,
    /// Keeps its cog and waits for the result of this task.
    Blocked(u32),
    /// Keeps its cog and waits for time to pass.
    Sleeping,
    /// Keeps its cog and is about to choose among so many alternatives.
    Choosing(u32),
    /// Keeps its cog and stands before an unknown.
    Splitting,
    /// Has returned a value.
    Returned,
    /// Has ended with an exception.
    Failed,
    /// Was given up because a step did more than it may.
    Stopped,
}

impl Status {
    /// Whether the task has resolved its future.
    pub fn is_resolved(self) -> bool {
        matches!(self, Status::Returned | Status::Failed)
    }

    /// Whether it will not move again.
    pub fn is_over(self) -> bool {
        matches!(self, Status::Absent | Status::Returned | Status::Failed | Status::Stopped)
    }
}

/// A task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub status: Status,
    pub cog: CogId,
    /// The object it was posted to; none for the main block.
    pub object: Option<ObjectId>,
    /// Its method; none for the main block.
    pub method: Option<MethodId>,
    /// Its location.
    pub location: u32,
    /// Its saved frames and their values; a new task has values only.
    pub frames: u32,
    pub frame_count: u32,
    pub values: u32,
    /// How many tasks and objects it has created.
    pub tasks_created: u32,
    pub objects_created: u32,
    /// When it entered its pool, for policies.
    pub arrival: u32,
    /// What it waits for in time, and its deadline: indices into `times`.
    pub timer: u32,
    pub deadline: u32,
}

impl Task {
    pub const ABSENT: Task = Task {
        status: Status::Absent,
        cog: CogId::MAIN,
        object: None,
        method: None,
        location: 0,
        frames: 0,
        frame_count: 0,
        values: 0,
        tasks_created: 0,
        objects_created: 0,
        arrival: 0,
        timer: NONE,
        deadline: NONE,
    };
}

/// A cog.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cog {
    /// The task that keeps it between steps.
    pub active: u32,
    /// Whether it was ever kept by a task between steps.
    pub was_kept: bool,
    pub location: u32,
}

/// An object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub cog: CogId,
    pub life: Life,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Life {
    Absent,
    Alive,
    Dead,
}

/// A saved frame. Its values follow those of the frame below it.
#[derive(Clone, Debug)]
pub(crate) struct SavedFrame {
    pub body: u32,
    pub next: u32,
    /// How many of its slots are saved.
    pub values: u32,
    pub kind: FrameKind,
    pub to: crate::program::Place,
    pub this: Value,
    pub progress: Option<Box<Iterations>>,
}

/// What else a step changes, small enough to be copied at each mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    /// All tasks have numbers below this.
    pub processes: u32,
    pub steps: u32,
    pub arrivals: u32,
    /// The cog of the last step, by its place among those created.
    pub last_cog: u32,
    /// The present time, as an index into `times`.
    pub clock: u32,
    /// After how many steps tasks first waited for each other in a cycle.
    pub closed_at: u32,
    /// How many steps did more than they may.
    pub exhausted: u32,
    /// Whether a step was left in the middle: the state is not one of the model.
    pub interrupted: bool,
    /// How many lines of input were read.
    pub lines_read: u32,
    /// Where the variables of a main block that has returned are kept, if anybody looks at them.
    pub main_values: u32,
}

/// A point to go back to: how long everything was. One is made at each step, so it is small; nothing here can have as
/// many entries as a length has numbers, since there would be no memory for them.
#[derive(Clone, Debug)]
pub(crate) struct StateMark {
    heap: u32,
    tasks: u32,
    cogs: u32,
    objects: u32,
    posted: u32,
    created: u32,
    founded: u32,
    frames: u32,
    values: u32,
    times: u32,
    log: u32,
    tally: Tally,
    /// Apart, since most runs have no unknowns.
    unknowns: Option<Box<UnknownsMark>>,
}

/// A run.
#[derive(Clone)]
pub(crate) struct State<'p> {
    pub universe: Universe<'p>,
    pub options: &'p Options,
    /// Whether steps are given up early.
    pub in_a_hurry: bool,
    pub program: &'p ModelProgram,
    /// The level that is in force.
    pub reduction: Reduction,
    /// Whether the model speaks of time.
    pub timed: bool,
    pub heap: Heap,
    pub tasks: Vec<Task>,
    pub cogs: Vec<Cog>,
    pub objects: Vec<Object>,
    /// The tasks, objects and cogs of this run in the order of their creation.
    pub posted: Vec<u32>,
    pub created: Vec<ObjectId>,
    pub founded: Vec<CogId>,
    pub saved_frames: Vec<SavedFrame>,
    pub saved_values: Vec<Value>,
    pub times: Vec<BigRational>,
    pub log: String,
    pub tally: Tally,
    task_trail: Vec<(u32, Task)>,
    cog_trail: Vec<(CogId, Cog)>,
    object_trail: Vec<(ObjectId, Object)>,
    marks: Vec<StateMark>,
    /// The tasks whose records were put back, while the run goes back.
    restored: Vec<u32>,
    /// The running task and its frames.
    pub current: u32,
    pub stack: Stack,
    /// For guards of sleeping tasks.
    pub guard_stack: RefCell<Stack>,
    /// What the running step has touched besides fields.
    pub accesses: Vec<Access>,
    pub fault: Option<Box<counterpoint_model::Fault>>,
    /// Objects that an uncaught exception has yet to go through, the next one last.
    pub failing: Vec<ObjectId>,
    /// The failure to report unless every object recovers.
    pub pending_fault: Option<Box<counterpoint_model::Fault>>,
    /// Whether the exception at hand is that of another task, whose result was wanted.
    pub from_other: bool,
    /// For the slots of handlers that the running step has come to, where their exceptions were raised.
    pub origins: Vec<(u32, Origin)>,
    /// Whether the running step has killed an object.
    pub killed: bool,
    /// The deadline for the task that is posted next.
    pub next_deadline: Option<Value>,
    /// The last step and the position before it.
    pub last: Option<(Choice, StateMark)>,
    /// What the running step does, if anybody wants to know.
    pub record: Option<Box<Record>>,
    /// Who may be able to move.
    pub live: Live,
    /// When somebody can move, once somebody has asked; only in models that speak of time.
    pub moment: RefCell<Option<Moment>>,
    /// The tasks that wait for each other in cycles, once somebody has asked.
    pub cyclic: OnceCell<Rc<FxHashSet<u32>>>,
    /// Those of before the last step, if somebody has asked since the run went back last.
    pub was_cyclic: Option<Rc<FxHashSet<u32>>>,
    /// How often the run has gone back.
    pub went_back: u32,
    /// The accesses of the running step, when they have become many.
    pub known_accesses: FxHashSet<(u32, u8)>,
    /// For each task the numbers of its children and objects, so that names are looked up once.
    pub children: Vec<Vec<u32>>,
    pub offspring: Vec<Vec<u32>>,
    /// What is not known, in runs from a context.
    pub unknowns: Option<Box<Unknowns>>,
    /// Where the run began, if not with the main block.
    pub context: Option<&'p Context>,
    /// What the main task runs in place of the main block.
    pub root: Option<BodyId>,
    /// Whether the step that ends leaves the saved frames of its task as they are.
    pub keeps_frames: bool,
    /// Whether the running step was ended by a limit on executions with unknowns.
    pub cuts: bool,
}

impl<'p> State<'p> {
    /// Before the first step.
    pub fn new(universe: Universe<'p>, program: &'p ModelProgram) -> State<'p> {
        let (options, timed) = (program.options(), program.is_timed());
        let reduction = program.reduction();
        let watching = matches!(reduction, Reduction::Field | Reduction::Exact);
        let has_main = universe.model.main.is_some() && program.context().is_none();
        let mut state = State {
            universe,
            options,
            in_a_hurry: false,
            program,
            reduction,
            timed,
            heap: Heap::new(watching),
            tasks: Vec::new(),
            cogs: vec![Cog { active: NONE, was_kept: false, location: MAIN_COG.0 }],
            objects: Vec::new(),
            posted: Vec::new(),
            created: Vec::new(),
            founded: vec![CogId::MAIN],
            saved_frames: Vec::new(),
            saved_values: Vec::new(),
            times: vec![BigRational::zero()],
            log: String::new(),
            tally: Tally {
                processes: 1,
                steps: 0,
                arrivals: 0,
                last_cog: NONE,
                clock: 0,
                closed_at: NONE,
                exhausted: 0,
                interrupted: false,
                lines_read: 0,
                main_values: NONE,
            },
            task_trail: Vec::new(),
            cog_trail: Vec::new(),
            object_trail: Vec::new(),
            marks: Vec::new(),
            restored: Vec::new(),
            current: 0,
            stack: Stack::default(),
            guard_stack: RefCell::default(),
            accesses: Vec::new(),
            fault: None,
            failing: Vec::new(),
            pending_fault: None,
            from_other: false,
            origins: Vec::new(),
            killed: false,
            next_deadline: None,
            last: None,
            record: None,
            live: Live::default(),
            moment: RefCell::default(),
            cyclic: OnceCell::new(),
            was_cyclic: None,
            went_back: 0,
            known_accesses: FxHashSet::default(),
            children: Vec::new(),
            offspring: Vec::new(),
            unknowns: program.unknowns(reduction),
            context: program.context(),
            root: None,
            keeps_frames: false,
            cuts: false,
        };
        let location = state.universe.names.task(Pid::MAIN, None);
        state.heap.reserve(location as usize + 1);
        let status = if has_main { Status::New } else { Status::Absent };
        state.tasks.push(Task { status, location, ..Task::ABSENT });
        state.posted.push(0);
        state.note(0);
        if let Some(context) = program.context() {
            state.set_up(context);
        }
        state
    }

    pub fn task(&self, task: Pid) -> &Task {
        self.tasks.get(task.index()).unwrap_or(&Task::ABSENT)
    }

    /// The task record, to be changed; the old one goes onto the trail.
    pub fn change_task(&mut self, task: u32) -> &mut Task {
        let record = &mut self.tasks[task as usize];
        self.task_trail.push((task, *record));
        record
    }

    /// Brings the index up to date about a task whose record has changed.
    #[inline]
    pub fn note(&mut self, task: u32) {
        if self.timed {
            return self.note_timed(task);
        }
        self.live.note_untimed(task, !self.tasks[task as usize].status.is_over());
    }

    /// The same in models that speak of time.
    fn note_timed(&mut self, task: u32) {
        let record = &self.tasks[task as usize];
        let ahead = record.timer != NONE
            && self.times[record.timer as usize] > self.times[self.tally.clock as usize];
        let standing = match record.status {
            status if status.is_over() => Liveness::Over,
            Status::Sleeping | Status::Guarded if ahead => Liveness::Waiting {
                begin: &self.times[record.timer as usize],
                end: &self.times[record.timer as usize + 1],
                for_time_alone: self.waits_for_time_alone(record),
            },
            _ => Liveness::Open,
        };
        self.live.note(task, standing);
    }

    /// Makes room for a task with this number.
    pub fn reserve_task(&mut self, task: u32) {
        if self.tasks.len() <= task as usize {
            self.tasks.resize(task as usize + 1, Task::ABSENT);
        }
    }

    pub fn change_cog(&mut self, cog: CogId) -> &mut Cog {
        let record = &mut self.cogs[cog.index()];
        self.cog_trail.push((cog, *record));
        record
    }

    /// Makes room for an object with this number, and its cog.
    pub fn reserve_object(&mut self, object: ObjectId) {
        if self.objects.len() <= object.index() {
            let absent = Object { cog: CogId::MAIN, life: Life::Absent };
            self.objects.resize(object.index() + 1, absent);
            let idle = Cog { active: NONE, was_kept: false, location: 0 };
            self.cogs.resize(object.index() + 2, idle);
        }
    }

    pub fn change_object(&mut self, object: ObjectId) -> &mut Object {
        let record = &mut self.objects[object.index()];
        self.object_trail.push((object, *record));
        record
    }

    /// The frame on top of a stopped task, and its values.
    pub fn saved_top(&self, task: &Task) -> Option<(&SavedFrame, &[Value])> {
        let frames = task.frames as usize..(task.frames + task.frame_count) as usize;
        let frames = &self.saved_frames[frames];
        let (top, below) = frames.split_last()?;
        let skipped: u32 = below.iter().map(|frame| frame.values).sum();
        let first = (task.values + skipped) as usize;
        Some((top, &self.saved_values[first..first + top.values as usize]))
    }

    /// Saves the frames of the running task. Temporaries are worth keeping only in the middle of a
    /// computation.
    pub fn save_stack(&mut self, with_temporaries: bool) -> (u32, u32, u32) {
        let first_frame = self.saved_frames.len() as u32;
        let first_value = self.saved_values.len() as u32;
        for Frame { body, next, base, kind, to, this, progress, .. } in self.stack.frames.drain(..)
        {
            let shape = &self.universe.model.bodies[body as usize];
            let count = if with_temporaries { shape.slots } else { shape.locals } as usize;
            let slots = &mut self.stack.slots[base as usize..base as usize + count];
            self.saved_values.extend(slots.iter_mut().map(std::mem::take));
            let values = count as u32;
            self.saved_frames.push(SavedFrame { body, next, values, kind, to, this, progress });
        }
        self.stack.slots.clear();
        (first_frame, self.saved_frames.len() as u32 - first_frame, first_value)
    }

    /// Puts the frames of a stopped task back onto the stack.
    pub fn restore_stack(&mut self, task: &Task) {
        let mut value = task.values as usize;
        let frames = task.frames as usize..(task.frames + task.frame_count) as usize;
        for saved in &self.saved_frames[frames] {
            let base = self.stack.slots.len();
            let values = &self.saved_values[value..value + saved.values as usize];
            self.stack.slots.extend_from_slice(values);
            value += saved.values as usize;
            let shape = &self.universe.model.bodies[saved.body as usize];
            self.stack.slots.resize(base + shape.slots as usize, Value::Null);
            let fields = match saved.this {
                Value::Object(object) => self.universe.fields_of(object),
                _ => 0,
            };
            self.stack.frames.push(Frame {
                body: saved.body,
                next: saved.next,
                base: base as u32,
                fields,
                kind: saved.kind,
                to: saved.to,
                this: saved.this.clone(),
                progress: saved.progress.clone(),
            });
        }
        if self.record.is_some()
            && let Some(frame) = self.stack.frames.last()
        {
            // The instruction that waited is finished outside the evaluator.
            self.stack.visited.push(self.universe.site(frame.body, frame.next).0);
        }
    }

    #[inline(always)]
    pub fn position(&self) -> StateMark {
        let length = |length: usize| length as u32;
        StateMark {
            heap: length(self.heap.position()),
            tasks: length(self.task_trail.len()),
            cogs: length(self.cog_trail.len()),
            objects: length(self.object_trail.len()),
            posted: length(self.posted.len()),
            created: length(self.created.len()),
            founded: length(self.founded.len()),
            frames: length(self.saved_frames.len()),
            values: length(self.saved_values.len()),
            times: length(self.times.len()),
            log: length(self.log.len()),
            tally: self.tally,
            unknowns: self.unknowns.as_ref().map(|unknowns| Box::new(unknowns.mark())),
        }
    }

    pub fn go_back(&mut self, to: &StateMark) {
        self.heap.undo(to.heap as usize);
        let mut restored = std::mem::take(&mut self.restored);
        restored.clear();
        while self.task_trail.len() > to.tasks as usize {
            let (task, record) = self.task_trail.pop().expect("longer than the position");
            self.tasks[task as usize] = record;
            restored.push(task);
        }
        while self.cog_trail.len() > to.cogs as usize {
            let (cog, record) = self.cog_trail.pop().expect("longer than the position");
            self.cogs[cog.index()] = record;
        }
        let mut revived = false;
        while self.object_trail.len() > to.objects as usize {
            let (object, record) = self.object_trail.pop().expect("longer than the position");
            revived |= self.objects[object.index()].life == Life::Dead;
            self.objects[object.index()] = record;
        }
        self.posted.truncate(to.posted as usize);
        self.created.truncate(to.created as usize);
        self.founded.truncate(to.founded as usize);
        self.saved_frames.truncate(to.frames as usize);
        self.saved_values.truncate(to.values as usize);
        let clock = self.tally.clock;
        self.tally = to.tally;
        if let (Some(unknowns), Some(mark)) = (&mut self.unknowns, &to.unknowns) {
            unknowns.undo(mark);
        }
        if self.timed && (revived || clock != self.tally.clock) {
            // What had begun may lie ahead again, and who lives again waits again.
            restored.extend(self.live.open());
        }
        self.log.truncate(to.log as usize);
        self.last = None;
        self.went_back = self.went_back.wrapping_add(1);
        self.was_cyclic = None;
        self.forget_answers();
        for &task in &restored {
            self.note(task);
        }
        self.restored = restored;
        self.times.truncate(to.times as usize);
    }

    /// Forgets what was found out about the state that there was.
    pub fn forget_answers(&mut self) {
        if self.timed {
            self.moment.replace(None);
        }
        self.cyclic.take();
    }

    /// A numbered position.
    pub fn mark(&mut self) -> u64 {
        let position = self.position();
        self.marks.push(position);
        self.marks.len() as u64 - 1
    }

    /// Back to a numbered position; later ones are void.
    pub fn undo(&mut self, mark: u64) {
        self.marks.truncate(mark as usize + 1);
        let marks = std::mem::take(&mut self.marks);
        self.go_back(marks.last().expect("only marks of this run are used"));
        self.marks = marks;
    }

    pub fn continues(&self) -> bool {
        self.options.await_policy == AwaitPolicy::Continue
    }

    /// Whether pools are queues, so that the order of arrival means something.
    pub fn is_ordered(&self) -> bool {
        self.options.tasks != TaskPolicy::Any || self.options.objects != ObjectPolicy::Any
    }
}
