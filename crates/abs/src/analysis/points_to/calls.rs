//! Objects that a body creates and methods that it calls: what they are handed, and what comes back.

use crate::program::{
    Arguments, ClassId, FieldId, Instruction, MethodId, NewPlace, Operand, Place, SelectorId,
};

use super::{ContextFrame, InstructionEffect, PointsTo};
use crate::analysis::abstraction::{AbstractCog, AbstractObjectId, ContextId, Point};
use crate::analysis::flow;
use crate::analysis::sets::{Reference, SetId};

impl<'m> PointsTo<'m> {
    pub(super) fn create(
        &mut self,
        frame: &ContextFrame<'_>,
        index: usize,
        class: ClassId,
        place: NewPlace,
        arguments: Arguments,
        effect: &mut InstructionEffect,
    ) -> AbstractObjectId {
        let site = Point { body: frame.context.body, instruction: index as u32 };
        let object = self.abstraction.object(site, frame.context.this, class, place);
        let fresh = self.cogs.len() <= object.index();
        if fresh {
            self.cogs.push(Vec::new());
        }
        let cogs: Vec<AbstractCog> = match place {
            NewPlace::OwnCog => vec![AbstractCog::Of(object)],
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
    pub(super) fn call(
        &mut self,
        frame: &ContextFrame<'m>,
        (callee, selector, arguments): (Operand, SelectorId, Arguments),
        asynchronous: bool,
        effect: &mut InstructionEffect,
    ) -> SetId {
        let callees = self.read(frame, callee);
        effect.null = self.sets.has_null(callees);
        effect.handed = self.read_all(frame, arguments);
        let own = callee == Operand::This;
        let mut value = SetId::EMPTY;
        for reference in self.sets.members(callees).to_vec() {
            let Reference::Object(object) = reference else { continue };
            let class = self.abstraction.objects[object.index()].class;
            let method = self.model.class(class).method(selector);
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
    fn relation(
        &self,
        frame: &ContextFrame<'_>,
        object: AbstractObjectId,
        own: bool,
    ) -> (bool, bool) {
        let callee = &self.abstraction.objects[object.index()];
        let here = self.cogs_of(frame.id);
        let there = &self.cogs[object.index()];
        if own || self.groups.confined.contains(callee) {
            return (true, false);
        }
        let kept = self.kept_cogs(frame.id);
        let inside = there.iter().any(|cog| kept.contains(cog));
        let single = |cog: AbstractCog| match cog {
            AbstractCog::Main => true,
            AbstractCog::Of(founder) => {
                self.groups.single.contains(&self.abstraction.objects[founder.index()])
            }
        };
        let same = here.len() == 1 && here == &there[..] && single(here[0]);
        (inside, !same)
    }

    pub(super) fn call_inside(
        &mut self,
        frame: &ContextFrame<'m>,
        target: ContextId,
        arguments: Arguments,
        effect: &mut InstructionEffect,
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
        frame: &ContextFrame<'m>,
        target: ContextId,
        arguments: Arguments,
        effect: &mut InstructionEffect,
    ) {
        self.hand_over(frame, target, arguments);
        self.own_destiny(target);
        effect.posted.push(target);
    }

    /// A task of a method.
    pub(super) fn task(&mut self, object: Option<AbstractObjectId>, method: MethodId) -> ContextId {
        let target = self.context(object, self.model.method(method).body);
        self.own_destiny(target);
        target
    }

    fn hand_over(&mut self, frame: &ContextFrame<'m>, target: ContextId, arguments: Arguments) {
        for (parameter, &operand) in frame.body.arguments(arguments).iter().enumerate() {
            let value = self.read(frame, operand);
            self.give(target, parameter, value);
        }
    }

    pub(super) fn give(&mut self, target: ContextId, parameter: usize, value: SetId) {
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
