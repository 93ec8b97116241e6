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
//! look at an object before it is initialised.
//!
//! **Calls without `!`** run inside the same task if the object belongs to the same cog and are blocking
//! calls otherwise. Both are assumed where both may be, unless [`Groups`] knows better.
//!
//! **Invariant.** Whatever a run does, what its values refer to is in the sets of their places.
//!
//! **Cost.** Each context is analysed again when a set that it reads has grown: in practice a few times.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    Arguments, Body, BodyId, BodyOwner, Builtin, ClassId, Constant, ConstantId, DataTypeId,
    FieldId, GuardPart, Instruction, InterfaceId, MethodId, Model, NewPlace, Operand, Place,
    SelectorId, Type,
};

use super::abstraction::{AbstractObject, Abstraction, Cog, Context, ContextId, ObjectId, Point};
use super::flow::{self, Shape};
use super::sets::{Reference, SetId, Sets};

/// What an instruction of a context does beyond its own frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The tasks it may post.
    pub posted: Vec<ContextId>,
    /// The bodies it may run inside the same task.
    pub called: Vec<ContextId>,
    /// The tasks whose results it may wait for.
    pub awaited: Vec<ContextId>,
    /// The objects it may create.
    pub created: Vec<ObjectId>,
    /// The objects it may call.
    pub callees: Vec<ObjectId>,
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
    /// For each context, what its instructions do.
    pub effects: Vec<FxHashMap<u32, Effect>>,
    /// For each context, what it may return.
    pub results: Vec<SetId>,
    /// For each context, the futures of the tasks that may run it.
    pub destinies: Vec<SetId>,
    /// For each object, the cogs it may belong to.
    pub cogs: Vec<Vec<Cog>>,
    /// For each context whether it may run while an object is constructed, in the cog of whoever does so.
    pub constructing: Vec<bool>,
    /// What fields may refer to.
    pub fields: FxHashMap<(ObjectId, FieldId), SetId>,
    /// What exceptions may refer to.
    pub exceptions: SetId,
    groups: Groups,
    parameters: Vec<Vec<SetId>>,
    field_readers: FxHashMap<(ObjectId, FieldId), FxHashSet<ContextId>>,
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
struct Frame<'b> {
    id: ContextId,
    context: Context,
    body: &'b Body,
    slots: Vec<SetId>,
}

/// Computes the sets.
pub fn points_to<'m>(model: &'m Model, main: BodyId, depth: usize, groups: Groups) -> PointsTo<'m> {
    let mut result = PointsTo {
        model,
        abstraction: Abstraction::new(depth, main),
        sets: Sets::new(),
        shapes: FxHashMap::default(),
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
    pub fn cogs_of(&self, context: ContextId) -> &[Cog] {
        match self.abstraction.of(context).this {
            Some(object) => &self.cogs[object.index()],
            None => &[Cog::Main],
        }
    }

    /// The cogs that a task keeps while it runs a context.
    pub fn kept_cogs(&self, context: ContextId) -> Vec<Cog> {
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

    fn context(&mut self, this: Option<ObjectId>, body: BodyId) -> ContextId {
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
        let mut due = std::collections::BTreeSet::from([0]);
        let mut effects = FxHashMap::default();
        while let Some(index) = due.pop_first() {
            let Some(slots) = states[index].clone() else { continue };
            let mut frame = Frame { id, context, body, slots };
            if let Some(handler) = body.handler(index as u32) {
                self.exception_readers.insert(id);
                let mut slots = frame.slots.clone();
                slots[handler.slot.index()] = self.exceptions;
                self.flow_to(&mut states, &mut due, handler.target as usize, &slots);
            }
            let effect = self.perform(&mut frame, index);
            if effect != Effect::default() {
                effects.insert(index as u32, effect);
            }
            for next in flow::successors(body, index) {
                self.flow_to(&mut states, &mut due, next, &frame.slots);
            }
        }
        if let BodyOwner::Init(class) = body.owner {
            effects.insert(body.code.len() as u32, self.posted_run(id, class));
        }
        if let Some(recover) = self.recovering(context) {
            effects.entry(u32::MAX).or_insert_with(Effect::default).called.push(recover);
        }
        self.effects[id.index()] = effects;
    }

    /// The task `run` that creating an object posts, noted behind the code of its initialisation.
    fn posted_run(&mut self, id: ContextId, class: ClassId) -> Effect {
        let this = self.abstraction.of(id).this;
        let mut effect = Effect::default();
        if let Some(run) = self.model.class(class).run {
            let task = self.task(this, run);
            effect.posted.push(task);
        }
        effect
    }

    /// The recover block that may run when a task on this object fails.
    fn recovering(&mut self, context: Context) -> Option<ContextId> {
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
        slots: &[SetId],
    ) {
        match &mut states[to] {
            None => {
                states[to] = Some(slots.to_vec());
                due.insert(to);
            }
            Some(known) => {
                let mut changed = false;
                for (known, &slot) in known.iter_mut().zip(slots) {
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
    fn perform(&mut self, frame: &mut Frame<'m>, index: usize) -> Effect {
        use Instruction as I;
        let mut effect = Effect::default();
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
            I::Throw { exception } | I::Die { exception } => {
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
                        let futures = self.read(frame, operand);
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

    fn wait_for(&mut self, futures: SetId, effect: &mut Effect) {
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

    fn read(&mut self, frame: &Frame<'_>, operand: Operand) -> SetId {
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

    fn read_all(&mut self, frame: &Frame<'_>, arguments: Arguments) -> SetId {
        let mut all = SetId::EMPTY;
        for &operand in frame.body.arguments(arguments) {
            let value = self.read(frame, operand);
            all = self.sets.union(all, value);
        }
        all
    }

    fn write(&mut self, frame: &mut Frame<'_>, to: Place, value: SetId) {
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

    fn write_field(&mut self, object: ObjectId, field: FieldId, value: SetId) {
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

    /// The references of a value that a place of this type can hold.
    fn fitting(&mut self, value: SetId, place: &Type) -> SetId {
        if value == SetId::EMPTY {
            return value;
        }
        let model = self.model;
        match place {
            Type::Integer | Type::Rational | Type::Float | Type::String => SetId::EMPTY,
            Type::Interface(interface) if *interface != InterfaceId::OBJECT => {
                let objects = &self.abstraction.objects;
                self.sets.filter(value, |reference| match reference {
                    Reference::Null => true,
                    Reference::Object(object) => {
                        let class = model.class(objects[object.index()].class);
                        class.implements.contains(interface)
                    }
                    Reference::Future(_) => false,
                })
            }
            Type::Interface(_) | Type::Class(_) => {
                self.sets.filter(value, |reference| !matches!(reference, Reference::Future(_)))
            }
            Type::Future(_) | Type::Destiny => {
                self.sets.filter(value, |reference| !matches!(reference, Reference::Object(_)))
            }
            Type::Data(data_type, arguments) => {
                let open = arguments.iter().any(|argument| !self.is_plain(argument));
                if open || self.holding[data_type.index()] { value } else { SetId::EMPTY }
            }
            Type::Open | Type::Null | Type::Parameter(..) => value,
        }
    }

    /// Whether values of a type refer to nothing.
    fn is_plain(&self, value_type: &Type) -> bool {
        match value_type {
            Type::Integer | Type::Rational | Type::Float | Type::String => true,
            Type::Data(data_type, arguments) => {
                !self.holding[data_type.index()]
                    && arguments.iter().all(|argument| self.is_plain(argument))
            }
            _ => false,
        }
    }

    // Objects and calls.

    fn create(
        &mut self,
        frame: &Frame<'_>,
        index: usize,
        class: ClassId,
        place: NewPlace,
        arguments: Arguments,
        effect: &mut Effect,
    ) -> ObjectId {
        let site = Point { body: frame.context.body, instruction: index as u32 };
        let object = self.abstraction.object(site, frame.context.this, class, place);
        let fresh = self.cogs.len() <= object.index();
        if fresh {
            self.cogs.push(Vec::new());
        }
        let cogs: Vec<Cog> = match place {
            NewPlace::OwnCog => vec![Cog::Of(object)],
            NewPlace::SameCog => self.cogs_of(frame.id).to_vec(),
        };
        let known = &mut self.cogs[object.index()];
        let before = known.len();
        known.extend(cogs);
        known.sort_unstable();
        known.dedup();
        if known.len() != before {
            // Calls may now stay inside a cog, and objects created by this one may be in it.
            let all: Vec<_> = self.calling.iter().copied().collect();
            all.into_iter().for_each(|context| self.enqueue(context));
            let own = (0..self.abstraction.contexts.len() as u32).map(ContextId);
            let own: Vec<_> =
                own.filter(|&id| self.abstraction.of(id).this == Some(object)).collect();
            own.into_iter().for_each(|context| self.enqueue(context));
        }
        let model = self.model;
        for (field, &operand) in frame.body.arguments(arguments).iter().enumerate() {
            let value = self.read(frame, operand);
            self.write_field(object, FieldId(field as u16), value);
        }
        if fresh {
            let assigned = self.assigned_by_init(class);
            for (field, &assigned) in assigned.iter().enumerate() {
                if !assigned {
                    self.write_field(object, FieldId(field as u16), SetId::NULL);
                }
            }
        }
        let init = self.context(Some(object), model.class(class).init);
        self.pass_destinies(frame.id, init);
        effect.called.push(init);
        effect.created.push(object);
        object
    }

    /// The fields that are sure to have a value when an object can first be seen.
    fn assigned_by_init(&mut self, class: ClassId) -> Vec<bool> {
        if let Some(known) = self.assigned.get(&class) {
            return known.clone();
        }
        let shape = self.model.class(class);
        let body = self.model.body(shape.init);
        let mut start = vec![false; shape.fields.len()];
        start[..shape.parameters as usize].fill(true);
        let mut states: Vec<Option<Vec<bool>>> = vec![None; body.code.len()];
        states[0] = Some(start);
        let mut due = vec![0];
        let mut end: Option<Vec<bool>> = None;
        let meet = |known: &mut Option<Vec<bool>>, state: &[bool]| match known {
            None => {
                *known = Some(state.to_vec());
                true
            }
            Some(known) => {
                let before = known.clone();
                known.iter_mut().zip(state).for_each(|(known, state)| *known &= state);
                *known != before
            }
        };
        while let Some(index) = due.pop() {
            let Some(mut state) = states[index].clone() else { continue };
            if let Some(target) = flow::handler(body, index)
                && meet(&mut states[target], &state)
            {
                due.push(target);
            }
            if let Some(Place::Field(field)) = body.code[index].place() {
                state[field.index()] = true;
            }
            if let Instruction::Return { .. } = body.code[index] {
                meet(&mut end, &state);
            }
            for next in flow::successors(body, index) {
                if meet(&mut states[next], &state) {
                    due.push(next);
                }
            }
        }
        let assigned = end.unwrap_or_else(|| vec![false; shape.fields.len()]);
        self.assigned.insert(class, assigned.clone());
        assigned
    }

    /// A call of a method of an object. Gives the futures if it is asynchronous, else the results.
    fn call(
        &mut self,
        frame: &Frame<'m>,
        (callee, selector, arguments): (Operand, SelectorId, Arguments),
        asynchronous: bool,
        effect: &mut Effect,
    ) -> SetId {
        let callees = self.read(frame, callee);
        effect.null = self.sets.has_null(callees);
        effect.handed = self.read_all(frame, arguments);
        let own = callee == Operand::This;
        let mut value = SetId::EMPTY;
        for reference in self.sets.members(callees).to_vec() {
            let Reference::Object(object) = reference else { continue };
            let class = self.abstraction.objects[object.index()].class;
            let method = self.model.class(class).methods.get(selector.index()).copied().flatten();
            let Some(method) = method else { continue };
            effect.callees.push(object);
            let target = self.context(Some(object), self.model.method(method).body);
            if asynchronous {
                self.post(frame, target, arguments, effect);
                let future = self.sets.single(Reference::Future(target));
                value = self.sets.union(value, future);
                continue;
            }
            self.calling.insert(frame.id);
            let (inside, outside) = self.relation(frame, object, own);
            if inside {
                let result = self.call_inside(frame, target, arguments, effect);
                value = self.sets.union(value, result);
            }
            if outside {
                self.post(frame, target, arguments, effect);
                effect.awaited.push(target);
                value = self.result(frame.id, target, value);
            }
        }
        value
    }

    /// Whether an object that is called may be in the caller's cog, and whether it may be outside.
    fn relation(&self, frame: &Frame<'_>, object: ObjectId, own: bool) -> (bool, bool) {
        let callee = &self.abstraction.objects[object.index()];
        let here = self.cogs_of(frame.id);
        let there = &self.cogs[object.index()];
        if own || self.groups.confined.contains(callee) {
            return (true, false);
        }
        let kept = self.kept_cogs(frame.id);
        let inside = there.iter().any(|cog| kept.contains(cog));
        let single = |cog: Cog| match cog {
            Cog::Main => true,
            Cog::Of(founder) => {
                self.groups.single.contains(&self.abstraction.objects[founder.index()])
            }
        };
        let same = here.len() == 1 && here == &there[..] && single(here[0]);
        (inside, !same)
    }

    fn call_inside(
        &mut self,
        frame: &Frame<'m>,
        target: ContextId,
        arguments: Arguments,
        effect: &mut Effect,
    ) -> SetId {
        self.hand_over(frame, target, arguments);
        self.pass_destinies(frame.id, target);
        if self.constructing[frame.id.index()] && !self.constructing[target.index()] {
            self.constructing[target.index()] = true;
            self.enqueue(target);
        }
        effect.called.push(target);
        self.result(frame.id, target, SetId::EMPTY)
    }

    fn post(
        &mut self,
        frame: &Frame<'m>,
        target: ContextId,
        arguments: Arguments,
        effect: &mut Effect,
    ) {
        self.hand_over(frame, target, arguments);
        self.own_destiny(target);
        effect.posted.push(target);
    }

    /// A task of a method.
    fn task(&mut self, object: Option<ObjectId>, method: MethodId) -> ContextId {
        let target = self.context(object, self.model.method(method).body);
        self.own_destiny(target);
        target
    }

    fn hand_over(&mut self, frame: &Frame<'m>, target: ContextId, arguments: Arguments) {
        for (parameter, &operand) in frame.body.arguments(arguments).iter().enumerate() {
            let value = self.read(frame, operand);
            self.give(target, parameter, value);
        }
    }

    fn give(&mut self, target: ContextId, parameter: usize, value: SetId) {
        let body = self.body(target);
        let value = match body.variables.get(parameter) {
            Some(variable) => self.fitting(value, &variable.value_type),
            None => value,
        };
        let Some(&known) = self.parameters[target.index()].get(parameter) else { return };
        let all = self.sets.union(known, value);
        if all != known {
            self.parameters[target.index()][parameter] = all;
            self.enqueue(target);
        }
    }

    fn own_destiny(&mut self, target: ContextId) {
        let own = self.sets.single(Reference::Future(target));
        self.add_destinies(target, own);
    }

    fn pass_destinies(&mut self, caller: ContextId, target: ContextId) {
        self.add_destinies(target, self.destinies[caller.index()]);
    }

    fn add_destinies(&mut self, target: ContextId, destinies: SetId) {
        let known = self.destinies[target.index()];
        let all = self.sets.union(known, destinies);
        if all != known {
            self.destinies[target.index()] = all;
            self.enqueue(target);
        }
    }
}

fn mentions_null(model: &Model, constant: ConstantId) -> bool {
    match &model.constants[constant.index()] {
        Constant::Null => true,
        Constant::Data(_, parts) | Constant::List(parts) => {
            parts.iter().any(|&part| mentions_null(model, part))
        }
        _ => false,
    }
}

fn holding(model: &Model) -> Vec<bool> {
    fn refers(value_type: &Type, holding: &[bool]) -> bool {
        match value_type {
            Type::Integer | Type::Rational | Type::Float | Type::String | Type::Parameter(..) => {
                false
            }
            Type::Data(data_type, arguments) => {
                holding[data_type.index()]
                    || arguments.iter().any(|argument| refers(argument, holding))
            }
            _ => true,
        }
    }
    let mut holding = vec![false; model.data_types.len()];
    // Exceptions are open: any constructor may be one.
    holding[DataTypeId::EXCEPTION.index()] = true;
    grow(&mut holding, |index, holding| {
        let constructors = &model.data_types[index].constructors;
        constructors.iter().any(|&constructor| {
            let arguments = &model.constructor(constructor).arguments;
            arguments.iter().any(|argument| refers(argument, holding))
        })
    });
    holding
}

fn null_functions(model: &Model) -> Vec<bool> {
    let mut null = vec![false; model.functions.len()];
    grow(&mut null, |index, null| {
        let body = model.body(model.functions[index].body);
        let is_null = |operand: &Operand| matches!(operand, Operand::Constant(constant) if mentions_null(model, *constant));
        body.operands.iter().any(is_null)
            || body.code.iter().any(|&instruction| {
                let calls_null = match instruction {
                    Instruction::Call { function, .. } | Instruction::TailCall { function, .. } => {
                        null[function.index()]
                    }
                    Instruction::Cast { .. } => true,
                    _ => false,
                };
                calls_null || instruction.operands().iter().flatten().any(is_null)
            })
    });
    null
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
