//! Which objects and tasks a value may refer to.
//!
//! **Problem.** To say who may wait for whom, one must know which object a call may reach and which task's
//! future a `get` may read, through variables, fields, parameters, results, lists and other data.
//!
//! **Idea.** A fixpoint over contexts ([`abstraction`](super::abstraction)). Inside a body the state is
//! followed instruction by instruction, so a variable that is assigned again forgets what it was; fields,
//! parameters, results and exceptions have one set each that only grows. A data value refers to all that its
//! parts refer to. Functions are pure and create nothing: what they return refers to nothing but what their
//! arguments refer to, so their code is not looked at. Where the type of a variable, field or result is
//! known, references that do not fit it are left out.
//!
//! A field counts as null at first unless the initialisation of its class is sure to assign it: nobody can
//! look at an object before it is initialised. Null is left out where a comparison has excluded it
//! ([`null_tests`]).
//!
//! **Calls without `!`** run inside the same task if the object belongs to the same cog and are blocking
//! calls otherwise. Both are assumed where both may be, unless [`Groups`] knows better.
//!
//! **Invariant.** Whatever a run does, what its values refer to is in the sets of their places.
//!
//! **Cost.** Each context is analysed again when a set that it reads has grown: in practice a few times.

mod calls;
mod null_tests;
mod types;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    Arguments, Body, BodyId, BodyOwner, Builtin, ClassId, FieldId, GuardPart, Instruction, Model,
    Operand, Place, Type,
};

use super::abstraction::{
    AbstractCog, AbstractObject, AbstractObjectId, Abstraction, BodyContext, ContextId,
};
use super::flow::{self, Shape};
use super::sets::{Reference, SetId, Sets};
use null_tests::NullTests;
use types::{holding, mentions_null, null_functions};

/// What an instruction of a context does beyond its own frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstructionEffect {
    /// The tasks it may post.
    pub posted: Vec<ContextId>,
    /// The bodies it may run inside the same task.
    pub called: Vec<ContextId>,
    /// The tasks whose results it may wait for.
    pub awaited: Vec<ContextId>,
    /// The objects it may create.
    pub created: Vec<AbstractObjectId>,
    /// The objects it may call.
    pub callees: Vec<AbstractObjectId>,
    /// Whether it may find null where it needs an object or a future.
    pub null: bool,
    /// What it hands to others.
    pub handed: SetId,
}

impl Default for SetId {
    fn default() -> SetId {
        SetId::EMPTY
    }
}

/// What was found out about which objects are in the same cog (see [`groups`](super::groups)).
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Abstract objects that stand for one object at most.
    pub single: FxHashSet<AbstractObject>,
    /// Abstract objects that nobody outside their cog ever refers to.
    pub confined: FxHashSet<AbstractObject>,
}

/// The result, and the state while it is computed.
pub struct PointsTo<'m> {
    /// The model.
    pub model: &'m Model,
    /// The objects and contexts.
    pub abstraction: Abstraction,
    /// The sets.
    pub sets: Sets,
    /// The shape of each body.
    pub(super) shapes: FxHashMap<BodyId, Shape>,
    /// Where places of each body were found not to be null.
    null_tests: FxHashMap<BodyId, NullTests>,
    /// For each context, what its instructions do.
    pub effects: Vec<FxHashMap<u32, InstructionEffect>>,
    /// For each context, what it may return.
    pub results: Vec<SetId>,
    /// For each context, the futures of the tasks that may run it.
    pub destinies: Vec<SetId>,
    /// For each object, the cogs it may belong to.
    pub cogs: Vec<Vec<AbstractCog>>,
    /// For each context whether it may run while an object is constructed, in the cog of whoever does so.
    pub constructing: Vec<bool>,
    /// What fields may refer to.
    pub fields: FxHashMap<(AbstractObjectId, FieldId), SetId>,
    /// What exceptions may refer to.
    pub exceptions: SetId,
    groups: Groups,
    parameters: Vec<Vec<SetId>>,
    field_readers: FxHashMap<(AbstractObjectId, FieldId), FxHashSet<ContextId>>,
    result_readers: Vec<FxHashSet<ContextId>>,
    exception_readers: FxHashSet<ContextId>,
    calling: FxHashSet<ContextId>,
    assigned: FxHashMap<ClassId, Vec<bool>>,
    /// For each data type whether its constructors hold references, type parameters aside.
    holding: Vec<bool>,
    /// For each function whether `null` is written in it or in what it calls.
    null_functions: Vec<bool>,
    queue: Vec<ContextId>,
    queued: Vec<bool>,
}

/// The frame of a context while its body is followed.
struct ContextFrame<'b> {
    id: ContextId,
    context: BodyContext,
    body: &'b Body,
    /// The instruction that is followed.
    index: usize,
    slots: Vec<SetId>,
}

/// Computes the sets.
pub fn points_to<'m>(model: &'m Model, main: BodyId, depth: usize, groups: Groups) -> PointsTo<'m> {
    let mut result = PointsTo {
        model,
        abstraction: Abstraction::new(depth, main),
        sets: Sets::new(),
        shapes: FxHashMap::default(),
        null_tests: FxHashMap::default(),
        effects: Vec::new(),
        results: Vec::new(),
        destinies: Vec::new(),
        cogs: Vec::new(),
        constructing: Vec::new(),
        fields: FxHashMap::default(),
        exceptions: SetId::EMPTY,
        groups,
        parameters: Vec::new(),
        field_readers: FxHashMap::default(),
        result_readers: Vec::new(),
        exception_readers: FxHashSet::default(),
        calling: FxHashSet::default(),
        assigned: FxHashMap::default(),
        holding: holding(model),
        null_functions: null_functions(model),
        queue: Vec::new(),
        queued: Vec::new(),
    };
    result.add_tables(ContextId::MAIN);
    let own = result.sets.single(Reference::Future(ContextId::MAIN));
    result.destinies[0] = own;
    result.enqueue(ContextId::MAIN);
    while let Some(context) = result.queue.pop() {
        result.queued[context.index()] = false;
        result.follow(context);
    }
    result
}

impl<'m> PointsTo<'m> {
    /// The body of a context.
    pub fn body(&self, context: ContextId) -> &'m Body {
        self.model.body(self.abstraction.of(context).body)
    }

    /// The cogs that the object of a context may belong to.
    pub fn cogs_of(&self, context: ContextId) -> &[AbstractCog] {
        match self.abstraction.of(context).this {
            Some(object) => &self.cogs[object.index()],
            None => &[AbstractCog::Main],
        }
    }

    /// The cogs that a task keeps while it runs a context.
    pub fn kept_cogs(&self, context: ContextId) -> Vec<AbstractCog> {
        let mut cogs = self.cogs_of(context).to_vec();
        if self.constructing[context.index()] {
            for task in self.tasks(self.destinies[context.index()]) {
                cogs.extend(self.cogs_of(task));
            }
            cogs.sort_unstable();
            cogs.dedup();
        }
        cogs
    }

    /// The contexts that a set's futures stand for.
    pub fn tasks(&self, set: SetId) -> impl Iterator<Item = ContextId> + '_ {
        self.sets.members(set).iter().filter_map(|reference| match reference {
            Reference::Future(task) => Some(*task),
            _ => None,
        })
    }

    fn add_tables(&mut self, context: ContextId) {
        if self.effects.len() <= context.index() {
            let body = self.abstraction.of(context).body;
            let shape = self.model.body(body);
            self.shapes.entry(body).or_insert_with(|| Shape::of(shape));
            self.null_tests.entry(body).or_insert_with(|| NullTests::of(self.model, shape));
            let parameters = shape.parameters as usize;
            self.effects.push(FxHashMap::default());
            self.results.push(SetId::EMPTY);
            self.destinies.push(SetId::EMPTY);
            self.constructing.push(matches!(shape.owner, BodyOwner::Init(_)));
            self.parameters.push(vec![SetId::EMPTY; parameters]);
            self.result_readers.push(FxHashSet::default());
            self.queued.push(false);
            self.enqueue(context);
        }
    }

    fn enqueue(&mut self, context: ContextId) {
        if !std::mem::replace(&mut self.queued[context.index()], true) {
            self.queue.push(context);
        }
    }

    fn context(&mut self, this: Option<AbstractObjectId>, body: BodyId) -> ContextId {
        let context = self.abstraction.context(this, body);
        self.add_tables(context);
        context
    }

    /// Follows a body from its start until nothing changes, noting what each instruction does.
    fn follow(&mut self, id: ContextId) {
        let context = self.abstraction.of(id);
        let body = self.model.body(context.body);
        let mut start = vec![SetId::EMPTY; body.slots as usize];
        let parameters = &self.parameters[id.index()];
        start[..parameters.len()].copy_from_slice(parameters);
        for slot in &mut start[body.parameters as usize..body.locals as usize] {
            *slot = SetId::NULL;
        }
        let mut states: Vec<Option<Vec<SetId>>> = vec![None; body.code.len()];
        states[0] = Some(start);
        let ways = flow::ways_to(body);
        let mut due = std::collections::BTreeSet::from([0]);
        let mut effects = FxHashMap::default();
        while let Some(index) = due.pop_first() {
            let before = match ways[index] {
                ..=1 => states[index].take(),
                _ => states[index].clone(),
            };
            let Some(slots) = before else { continue };
            let mut frame = ContextFrame { id, context, body, index, slots };
            if let Some(handler) = body.handler(index as u32) {
                self.exception_readers.insert(id);
                let mut slots = frame.slots.clone();
                slots[handler.slot.index()] = self.exceptions;
                self.flow_to(&mut states, &mut due, handler.target as usize, slots);
            }
            let effect = self.perform(&mut frame, index);
            if effect != InstructionEffect::default() {
                effects.insert(index as u32, effect);
            }
            let next = flow::successors(body, index);
            if let Some((&last, others)) = next.split_last() {
                for &next in others {
                    self.flow_to(&mut states, &mut due, next, frame.slots.clone());
                }
                self.flow_to(&mut states, &mut due, last, frame.slots);
            }
        }
        if let BodyOwner::Init(class) = body.owner {
            effects.insert(body.code.len() as u32, self.posted_run(id, class));
        }
        if let Some(recover) = self.recovering(context) {
            effects.entry(u32::MAX).or_insert_with(InstructionEffect::default).called.push(recover);
        }
        self.effects[id.index()] = effects;
    }

    /// The task `run` that creating an object posts, noted behind the code of its initialisation.
    fn posted_run(&mut self, id: ContextId, class: ClassId) -> InstructionEffect {
        let this = self.abstraction.of(id).this;
        let mut effect = InstructionEffect::default();
        if let Some(run) = self.model.class(class).run {
            let task = self.task(this, run);
            effect.posted.push(task);
        }
        effect
    }

    /// The recover block that may run when a task on this object fails.
    fn recovering(&mut self, context: BodyContext) -> Option<ContextId> {
        let object = context.this?;
        let class = self.abstraction.objects[object.index()].class;
        let recover = self.model.class(class).recover?;
        if recover == context.body {
            return None;
        }
        let target = self.context(Some(object), recover);
        self.exception_readers.insert(target);
        self.give(target, 0, self.exceptions);
        Some(target)
    }

    fn flow_to(
        &mut self,
        states: &mut [Option<Vec<SetId>>],
        due: &mut std::collections::BTreeSet<usize>,
        to: usize,
        slots: Vec<SetId>,
    ) {
        match &mut states[to] {
            known @ None => {
                *known = Some(slots);
                due.insert(to);
            }
            Some(known) => {
                let mut changed = false;
                for (known, slot) in known.iter_mut().zip(slots) {
                    let union = self.sets.union(*known, slot);
                    changed |= union != *known;
                    *known = union;
                }
                if changed {
                    due.insert(to);
                }
            }
        }
    }

    /// Performs an instruction on the abstract state.
    fn perform(&mut self, frame: &mut ContextFrame<'m>, index: usize) -> InstructionEffect {
        use Instruction as I;
        let mut effect = InstructionEffect::default();
        match frame.body.code[index] {
            I::Copy { to, from } | I::Project { to, from, .. } => {
                let value = self.read(frame, from);
                self.write(frame, to, value);
            }
            I::Cast { to, object, interface } => {
                let value = self.read(frame, object);
                let fitting = self.fitting(value, &Type::Interface(interface));
                let value = self.sets.union(fitting, SetId::NULL);
                self.write(frame, to, value);
            }
            I::Construct { to, arguments, .. } | I::List { to, elements: arguments } => {
                let value = self.read_all(frame, arguments);
                self.write(frame, to, value);
            }
            I::Call { to, function, arguments } => {
                let value = self.read_all(frame, arguments);
                let model = self.model;
                let value = self.fitting(value, &model.function(function).result);
                // A function may return the constant null.
                let value = match self.null_functions[function.index()] {
                    true => self.sets.union(value, SetId::NULL),
                    false => value,
                };
                self.write(frame, to, value);
            }
            I::Builtin { to, builtin, arguments } => {
                let value = match builtin {
                    Builtin::Max | Builtin::Min => self.read_all(frame, arguments),
                    _ => SetId::EMPTY,
                };
                self.write(frame, to, value);
            }
            I::Unary { to, .. }
            | I::Binary { to, .. }
            | I::Compare { to, .. }
            | I::Implements { to, .. } => self.write(frame, to, SetId::EMPTY),
            I::Return { value } => {
                let value = self.read(frame, value);
                let all = self.sets.union(self.results[frame.id.index()], value);
                if all != self.results[frame.id.index()] {
                    self.results[frame.id.index()] = all;
                    let readers: Vec<_> =
                        self.result_readers[frame.id.index()].iter().copied().collect();
                    readers.into_iter().for_each(|reader| self.enqueue(reader));
                }
            }
            I::Throw { exception, .. } | I::Die { exception } => {
                let value = self.read(frame, exception);
                let all = self.sets.union(self.exceptions, value);
                if all != self.exceptions {
                    self.exceptions = all;
                    let readers: Vec<_> = self.exception_readers.iter().copied().collect();
                    for reader in readers {
                        if matches!(self.body(reader).owner, BodyOwner::Recover(_)) {
                            self.give(reader, 0, all);
                        }
                        self.enqueue(reader);
                    }
                }
            }
            I::New { to, class, place, arguments } => {
                effect.handed = self.read_all(frame, arguments);
                let object = self.create(frame, index, class, place, arguments, &mut effect);
                let value = self.sets.single(Reference::Object(object));
                self.write(frame, to, value);
            }
            I::Send { to, callee, selector, arguments } => {
                let futures = self.call(frame, (callee, selector, arguments), true, &mut effect);
                self.write(frame, to, futures);
            }
            I::CallMethod { to, callee, selector, arguments } => {
                let value = self.call(frame, (callee, selector, arguments), false, &mut effect);
                self.write(frame, to, value);
            }
            I::CallOwn { to, method, arguments } => {
                let target = self.context(frame.context.this, self.model.method(method).body);
                let value = self.call_inside(frame, target, arguments, &mut effect);
                self.write(frame, to, value);
            }
            I::Get { to, future } => {
                let futures = self.read(frame, future);
                self.wait_for(futures, &mut effect);
                let mut value = SetId::EMPTY;
                for task in effect.awaited.clone() {
                    value = self.result(frame.id, task, value);
                }
                self.write(frame, to, value);
            }
            I::Await { guard } => {
                for part in &frame.body.guards[guard.index()].parts {
                    if let GuardPart::Future(operand) = *part {
                        // A field is read again each time, after others may have written it.
                        let futures = self.read_place(frame, operand);
                        self.wait_for(futures, &mut effect);
                    }
                }
            }
            I::TailCall { .. }
            | I::Jump { .. }
            | I::Branch { .. }
            | I::Test { .. }
            | I::TestConstructor { .. }
            | I::Yield { .. }
            | I::Fail { .. }
            | I::Assert { .. }
            | I::SetDeadline { .. }
            | I::Suspend
            | I::Duration { .. } => {}
        }
        effect
    }

    fn wait_for(&mut self, futures: SetId, effect: &mut InstructionEffect) {
        effect.null |= self.sets.has_null(futures);
        effect.awaited.extend(self.tasks(futures).collect::<Vec<_>>());
        effect.awaited.sort_unstable();
        effect.awaited.dedup();
    }

    /// What a task may return, added to a value; the reader hears when it grows.
    fn result(&mut self, reader: ContextId, task: ContextId, value: SetId) -> SetId {
        self.result_readers[task.index()].insert(reader);
        self.sets.union(value, self.results[task.index()])
    }

    // Places.

    fn read(&mut self, frame: &ContextFrame<'_>, operand: Operand) -> SetId {
        let value = self.read_place(frame, operand);
        let tests = &self.null_tests[&frame.context.body];
        match tests.excludes_null(frame.index, operand) {
            true => self.sets.filter(value, |reference| reference != Reference::Null),
            false => value,
        }
    }

    fn read_place(&mut self, frame: &ContextFrame<'_>, operand: Operand) -> SetId {
        match operand {
            Operand::Slot(slot) => frame.slots[slot.index()],
            Operand::Field(field) => {
                let Some(object) = frame.context.this else { return SetId::EMPTY };
                self.field_readers.entry((object, field)).or_default().insert(frame.id);
                let value = self.fields.get(&(object, field)).copied().unwrap_or_default();
                match frame.body.owner {
                    BodyOwner::Init(_) => self.sets.union(value, SetId::NULL),
                    _ => value,
                }
            }
            Operand::Constant(constant) => match mentions_null(self.model, constant) {
                true => SetId::NULL,
                false => SetId::EMPTY,
            },
            Operand::This => match frame.context.this {
                Some(object) => self.sets.single(Reference::Object(object)),
                None => SetId::NULL,
            },
            Operand::Destiny => self.destinies[frame.id.index()],
        }
    }

    fn read_all(&mut self, frame: &ContextFrame<'_>, arguments: Arguments) -> SetId {
        let mut all = SetId::EMPTY;
        for &operand in frame.body.arguments(arguments) {
            let value = self.read(frame, operand);
            all = self.sets.union(all, value);
        }
        all
    }

    fn write(&mut self, frame: &mut ContextFrame<'_>, to: Place, value: SetId) {
        match to {
            Place::Nowhere => {}
            Place::Slot(slot) => {
                let typed = frame.body.variables.get(slot.index());
                frame.slots[slot.index()] = match typed {
                    Some(variable) => self.fitting(value, &variable.value_type),
                    None => value,
                };
            }
            Place::Field(field) => {
                if let Some(object) = frame.context.this {
                    self.write_field(object, field, value);
                }
            }
        }
    }

    fn write_field(&mut self, object: AbstractObjectId, field: FieldId, value: SetId) {
        let class = self.abstraction.objects[object.index()].class;
        let model = self.model;
        let value = self.fitting(value, &model.class(class).fields[field.index()].value_type);
        let known = self.fields.get(&(object, field)).copied().unwrap_or_default();
        let all = self.sets.union(known, value);
        if all != known {
            self.fields.insert((object, field), all);
            let readers: Vec<_> =
                self.field_readers.get(&(object, field)).into_iter().flatten().copied().collect();
            readers.into_iter().for_each(|reader| self.enqueue(reader));
        }
    }
}

/// Sets facts that follow from others until no more follow.
pub(super) fn grow(facts: &mut [bool], follows: impl Fn(usize, &[bool]) -> bool) {
    let mut changed = true;
    while changed {
        changed = false;
        for index in 0..facts.len() {
            if !facts[index] && follows(index, facts) {
                facts[index] = true;
                changed = true;
            }
        }
    }
}
