//! Expectations: whether a final state is as the user says it must be.
//!
//! A state is final if nobody can move. The step that leads there carries the failure, so that a
//! violated expectation is found, confirmed, made short and replayed like any other. Only complete
//! executions are looked at; one that was cut has no final state.
//!
//! The variables of the main block outlive it where there are expectations: they are kept among the
//! saved values ([`Tally::main_values`](super::state::Tally)), and belong to the digest of a state.

use counterpoint_model::{Fault, FindingKind, Pid};

use crate::program::{Expectation, Place, SlotId, StatePath, StateRoot};

use super::evaluate::{self, FrameKind, Frozen, Signal, finish_call};
use super::show;
use super::state::{NONE, State};
use super::value::Value;

/// How much work an expectation may do.
const WORK: u64 = 10_000_000;

impl State<'_> {
    /// Whether there is anything to look at in a final state.
    pub(super) fn expects(&self) -> bool {
        !self.universe.model.expectations.is_empty()
    }

    /// The failure to report if the state is final and not as expected.
    pub(super) fn unexpected(&self) -> Option<Box<Fault>> {
        let violated = self.violated();
        if violated.is_empty() {
            return None;
        }
        let texts: Vec<&str> = violated.iter().map(|(expectation, _)| &*expectation.text).collect();
        let message = format!("expected at the end: {}", texts.join(" and "));
        let main = self.universe.model.main.expect("expectations are about a main block");
        let site = self.universe.site(main.0, 0);
        Some(Box::new(Fault::new(FindingKind::Assertion, message, site)))
    }

    /// What is to be seen in place of what was expected, in words.
    pub(super) fn describe_unexpected(&self) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        for (expectation, trouble) in self.violated() {
            for input in &expectation.inputs {
                let value = match self.part_of_state(input) {
                    Ok(value) => show::shown(&self.universe, &value),
                    Err(_) => continue,
                };
                let part = format!("{} = {value}", input.text);
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
            parts.extend(trouble);
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The expectations that a final state violates, with the reason where they cannot be evaluated.
    fn violated(&self) -> Vec<(&Expectation, Option<String>)> {
        // Stories ask after each step, and whether anybody can move costs a look at all who wait.
        if !self.expects()
            || self.tally.interrupted
            || self.first_ready(None).is_some()
            || self.tally.closed_at != NONE
        {
            return Vec::new();
        }
        let expectations = &self.universe.model.expectations;
        let judged = expectations.iter().map(|expectation| (expectation, self.judge(expectation)));
        judged
            .filter_map(|(expectation, result)| match result {
                Ok(true) => None,
                Ok(false) => Some((expectation, None)),
                Err(trouble) => Some((expectation, Some(trouble))),
            })
            .collect()
    }

    fn judge(&self, expectation: &Expectation) -> Result<bool, String> {
        let mut arguments = Vec::with_capacity(expectation.inputs.len());
        for input in &expectation.inputs {
            arguments.push(self.part_of_state(input)?);
        }
        let stack = &mut *self.guard_stack.borrow_mut();
        stack.frames.clear();
        stack.slots.clear();
        stack.allow(WORK);
        stack.slots.append(&mut arguments);
        let body = self.universe.model.function(expectation.function).body;
        stack.enter(&self.universe, body, FrameKind::Root, Place::Nowhere, Value::Null);
        let memory = &mut Frozen(&self.heap.cells);
        loop {
            match evaluate::run::<_, false>(&self.universe, stack, memory) {
                Signal::Returned(value) => return Ok(value.is_true()),
                Signal::Raised(exception) => {
                    return Err(format!(
                        "it raises {}",
                        show::exception(&self.universe, &exception)
                    ));
                }
                Signal::Exhausted | Signal::Interrupted => {
                    return Err("its evaluation does not end".to_owned());
                }
                Signal::Yielded(truth) => return Ok(truth),
                Signal::Needs(_) | Signal::Cut(_) => unreachable!("expectations know all values"),
                Signal::Effect => {
                    let frame = stack.top();
                    let body = &self.universe.model.bodies[frame.body as usize];
                    let crate::program::Instruction::Builtin { to, builtin, .. } =
                        body.code[frame.next as usize]
                    else {
                        return Err("it is no pure expression".to_owned());
                    };
                    let value = self.answer_in_guard(builtin, None);
                    finish_call(stack, memory, to, value);
                }
            }
        }
    }

    /// What a path leads to, or why it leads nowhere.
    fn part_of_state(&self, path: &StatePath) -> Result<Value, String> {
        let mut value = match &path.root {
            StateRoot::Variable(slot) => self.main_variable(*slot).ok_or_else(|| {
                format!("{} has no value, since the main block did not end", path.text)
            })?,
            StateRoot::Object(name) => {
                let (names, model) = (self.universe.names, self.universe.model);
                let called = |object| {
                    *names.object_text(model, object) == **name
                        || *names.object_path(model, object) == **name
                };
                let object = self.created.iter().find(|&&object| called(object));
                Value::Object(*object.ok_or_else(|| format!("there is no object {name}"))?)
            }
        };
        for fields in &path.fields {
            let Value::Object(object) = value else {
                return Err(format!("{} leads through null", path.text));
            };
            let class = self.universe.class_of(object);
            let Some((_, field)) = fields.iter().find(|(known, _)| *known == class) else {
                let name = &self.universe.model.class(class).name;
                return Err(format!("{} leads to a {name}, which has no such field", path.text));
            };
            let cell = self.universe.fields_of(object) + u32::from(field.0);
            value = self.heap.cells[cell as usize].clone();
        }
        if matches!(value, Value::Null) && !path.value_type.is_reference() {
            return Err(format!("{} has no value yet", path.text));
        }
        Ok(value)
    }

    /// The present or last value of a variable of the main block.
    fn main_variable(&self, slot: SlotId) -> Option<Value> {
        let record = self.task(Pid::MAIN);
        let first = match self.tally.main_values {
            NONE if record.status.is_over() || record.frame_count == 0 => return None,
            NONE => record.values,
            kept => kept,
        };
        self.saved_values.get(first as usize + slot.index()).cloned()
    }

    /// Keeps the variables of the main block, which is about to return.
    pub(super) fn keep_main_variables(&mut self) {
        self.tally.main_values = self.saved_values.len() as u32;
        let frame = self.stack.top();
        let count = self.universe.model.bodies[frame.body as usize].locals as usize;
        let slots = &self.stack.slots[frame.base as usize..frame.base as usize + count];
        self.saved_values.extend_from_slice(slots);
    }

    /// The kept variables of the main block.
    pub(super) fn kept_main_variables(&self) -> &[Value] {
        match (self.tally.main_values, self.universe.model.main) {
            (NONE, _) | (_, None) => &[],
            (first, Some(main)) => {
                let count = self.universe.model.body(main).locals as usize;
                &self.saved_values[first as usize..first as usize + count]
            }
        }
    }
}
