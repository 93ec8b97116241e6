//! Names that people can read, and that do not depend on the schedule.
//!
//! **Problem.** What names a task or an object everywhere is the path of its creators
//! ([`names`](super::names)), which nobody wants to read. To number objects as they are created in
//! the run at hand would give the same object different names in different executions.
//!
//! **Idea.** A few rehearsals are run before anything is told, the first one in the order in which
//! tasks are posted, the others as fixed numbers say. What they meet is named in the order of
//! meeting: an object after the variable of the main block that it is bound to when it is created,
//! if no other object ever is, and else after its class, as in `Worker 2`; a task after its object and
//! method, as in `db.register`, with a number if several are alike.
//!
//! **Invariant.** A name is a function of the model and of what it reads, so it is the same in every
//! execution, at every level of reduction and in every replay. Different things have different
//! names. What no rehearsal has met keeps its path.
//!
//! **Cost.** At most [`REHEARSALS`] times [`STEPS`] steps and [`WORK`] jumps and calls, once.

use std::sync::Arc;

use counterpoint_model::{Choice, Interrupt, Pid};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{MethodId, Model};

use super::names::Names;
use super::options::Options;
use super::program::ModelProgram;
use super::state::State;
use super::universe::Universe;
use super::value::ObjectId;

const REHEARSALS: u64 = 4;
const STEPS: usize = 200;
const WORK: u64 = 20_000_000;

/// A task as what it is in some run.
pub(crate) type Role = (Pid, MethodId, ObjectId);

/// The names of what rehearsals have met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    pub objects: FxHashMap<ObjectId, String>,
    pub tasks: FxHashMap<Role, String>,
}

/// What rehearsals have met, in that order.
#[derive(Default)]
struct Met {
    objects: Vec<ObjectId>,
    roles: Vec<Role>,
    /// The variables of the main block and the objects that were bound to them when created.
    bound: FxHashMap<Arc<str>, FxHashSet<ObjectId>>,
    known_objects: FxHashSet<ObjectId>,
    known_roles: FxHashSet<Role>,
}

/// Names what there is to name in a model that reads these lines.
pub(crate) fn given(
    model: &Arc<Model>,
    names: &Names,
    input_lines: &[String],
    interrupt: &Interrupt,
) -> Given {
    let options =
        Options { input_lines: input_lines.to_vec(), work_per_step: WORK, ..Options::default() };
    let program = ModelProgram::new(Arc::clone(model), options);
    let mut met = Met::default();
    let mut work = WORK;
    for rehearsal in 0..REHEARSALS {
        let mut state = State::new(Universe::new(model, names), &program);
        state.stack.interrupt = interrupt.clone();
        met.rehearse(state, rehearsal, &mut work);
    }
    if interrupt.raised().is_some() {
        // What was met depends on the speed of the machine: everything keeps its path.
        return Given::default();
    }
    met.name(model, names)
}

impl Met {
    fn rehearse(&mut self, mut state: State<'_>, rehearsal: u64, work: &mut u64) {
        let mut random = rehearsal;
        for _ in 0..STEPS {
            let mut able = Vec::new();
            state.ready(&mut able);
            let able: FxHashSet<Pid> = able.into_iter().collect();
            let posted = state.posted.iter().map(|&task| Pid(task));
            let ready: Vec<Pid> = posted.filter(|task| able.contains(task)).collect();
            if ready.is_empty() || *work == 0 {
                return;
            }
            let mut pick = |count: usize| {
                if rehearsal == 0 {
                    return 0;
                }
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (random >> 33) as usize % count
            };
            let process = ready[pick(ready.len())];
            let count = state.alternatives(process).count;
            let alternative = pick(count as usize) as u32;
            state.record = Some(Box::default());
            state.stack.visited.clear();
            state.step(Choice { process, alternative });
            *work = work.saturating_sub(WORK - state.stack.remaining());
            self.note(&mut state);
        }
    }

    /// Notes what the last step has made.
    fn note(&mut self, state: &mut State<'_>) {
        let record = state.record.take().expect("the step was recorded");
        for (object, variable) in record.created.into_iter().zip(record.bound) {
            if self.known_objects.insert(object) {
                self.objects.push(object);
            }
            if let Some(variable) = variable {
                self.bound.entry(variable).or_default().insert(object);
            }
        }
        for task in record.posted {
            let posted = state.task(task);
            if let (Some(method), Some(object)) = (posted.method, posted.object) {
                let role = (task, method, object);
                if self.known_roles.insert(role) {
                    self.roles.push(role);
                }
            }
        }
    }

    fn name(self, model: &Model, names: &Names) -> Given {
        let mut given = Given::default();
        for (variable, objects) in &self.bound {
            if let (Some(&object), 1) = (objects.iter().next(), objects.len()) {
                // An object may be created once and bound differently in different rehearsals.
                let name = given.objects.entry(object).or_insert_with(|| variable.to_string());
                if **variable < **name {
                    *name = variable.to_string();
                }
            }
        }
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        for &object in &self.objects {
            let class = names.class(object).expect("objects that were met have names");
            given.objects.entry(object).or_insert_with(|| {
                let class = &*model.class(class).name;
                let number = numbers.entry(class).or_default();
                *number += 1;
                format!("{class} {number}")
            });
        }
        let plain = |&(_, method, object): &Role, given: &Given| {
            let method = model.selector(model.method(method).selector);
            format!("{}.{method}", given.objects[&object])
        };
        let mut alike: FxHashMap<String, (u32, u32)> = FxHashMap::default();
        for role in &self.roles {
            alike.entry(plain(role, &given)).or_default().0 += 1;
        }
        for role in &self.roles {
            let text = plain(role, &given);
            let (count, last) = alike.get_mut(&text).expect("all were counted");
            *last += 1;
            let text = if *count == 1 { text } else { format!("{text} {last}") };
            given.tasks.insert(*role, text);
        }
        given
    }
}
