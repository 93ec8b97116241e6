//! Puts a body together: slots, labels, out-of-line guards, and the tables beside the code.
//!
//! While a body grows, a temporary is a slot with the [`TEMPORARY`] bit set, since the number of variables is
//! not known before the end, and a jump target is the number of a label. [`Builder::finish`] replaces both.

use std::sync::Arc;

use crate::program::{
    Arguments, Body, BodyOwner, FieldId, Guard, GuardId, GuardPart, Handler, Instruction,
    JumpTarget, Operand, Place, Site, SlotId, Type, Variable,
};
use crate::source::Span;

/// Marks a temporary slot.
const TEMPORARY: u16 = 0x8000;

/// A place in the code that is jumped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JumpLabel(u32);

/// A piece of code that becomes consecutive instructions.
#[derive(Default)]
struct Fragment {
    code: Vec<Instruction>,
    spans: Vec<Span>,
    sites: Vec<u32>,
}

/// Where a label stands: in which fragment and before which of its instructions.
#[derive(Clone, Copy)]
struct LabelPosition {
    fragment: usize,
    offset: usize,
}

/// An exception handler in terms of labels.
struct LabelledHandler {
    start: JumpLabel,
    end: JumpLabel,
    target: JumpLabel,
    slot: SlotId,
}

/// A body under construction.
pub(super) struct Builder {
    parameters: u16,
    variables: Vec<Variable>,
    temporaries: u16,
    most_temporaries: u16,
    /// The main fragment first, then the conditions of guards.
    fragments: Vec<Fragment>,
    current: usize,
    labels: Vec<Option<LabelPosition>>,
    operands: Vec<Operand>,
    guards: Vec<(Guard, Vec<JumpLabel>)>,
    handlers: Vec<LabelledHandler>,
    statements: Vec<Site>,
    site: u32,
    overflow: bool,
    span: Span,
}

impl Builder {
    /// An empty body for the code at that place.
    pub(super) fn new(span: Span) -> Self {
        Builder {
            parameters: 0,
            variables: Vec::new(),
            temporaries: 0,
            most_temporaries: 0,
            fragments: vec![Fragment::default()],
            current: 0,
            labels: Vec::new(),
            operands: Vec::new(),
            guards: Vec::new(),
            handlers: Vec::new(),
            statements: vec![Site { span }],
            site: 0,
            overflow: false,
            span,
        }
    }

    // Slots.

    /// A new variable; before any other, all parameters are entered in order.
    pub(super) fn variable(&mut self, name: Option<Arc<str>>, value_type: Type) -> SlotId {
        let index = self.variables.len();
        if index >= usize::from(TEMPORARY) - 1 {
            self.overflow = true;
            return SlotId(0);
        }
        self.variables.push(Variable { name, value_type });
        SlotId(index as u16)
    }

    /// A new parameter.
    pub(super) fn parameter(&mut self, name: Option<Arc<str>>, value_type: Type) -> SlotId {
        self.parameters += 1;
        self.variable(name, value_type)
    }

    /// A new temporary, free again after [`Builder::release`].
    pub(super) fn temporary(&mut self) -> SlotId {
        if self.temporaries >= TEMPORARY - 1 {
            self.overflow = true;
            return SlotId(TEMPORARY);
        }
        let slot = SlotId(TEMPORARY | self.temporaries);
        self.temporaries += 1;
        self.most_temporaries = self.most_temporaries.max(self.temporaries);
        slot
    }

    /// How many temporaries are in use.
    pub(super) fn mark(&self) -> u16 {
        self.temporaries
    }

    /// Frees the temporaries taken since the mark.
    pub(super) fn release(&mut self, mark: u16) {
        self.temporaries = mark;
    }

    // Code.

    /// Adds an instruction.
    pub(super) fn emit(&mut self, instruction: Instruction, span: Span) {
        let fragment = &mut self.fragments[self.current];
        fragment.code.push(instruction);
        fragment.spans.push(span);
        fragment.sites.push(self.site);
    }

    /// Adds a copy, unless it would copy something onto itself.
    pub(super) fn copy(&mut self, to: Place, from: Operand, span: Span) {
        if place_of(from) != Some(to) && to != Place::Nowhere {
            self.emit(Instruction::Copy { to, from }, span);
        }
    }

    /// The operands of a call.
    pub(super) fn arguments(&mut self, operands: &[Operand]) -> Arguments {
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        let count = u16::try_from(operands.len()).unwrap_or_else(|_| {
            self.overflow = true;
            0
        });
        Arguments { start, count }
    }

    /// A label to be placed later.
    pub(super) fn label(&mut self) -> JumpLabel {
        self.labels.push(None);
        JumpLabel(self.labels.len() as u32 - 1)
    }

    /// Puts a label before the next instruction.
    pub(super) fn place(&mut self, label: JumpLabel) {
        self.labels[label.0 as usize] = Some(LabelPosition {
            fragment: self.current,
            offset: self.fragments[self.current].code.len(),
        });
    }

    /// A label before the next instruction.
    pub(super) fn here(&mut self) -> JumpLabel {
        let label = self.label();
        self.place(label);
        label
    }

    /// Adds a jump.
    pub(super) fn jump(&mut self, label: JumpLabel, span: Span) {
        self.emit(Instruction::Jump { target: label.target() }, span);
    }

    /// Whether nothing would run into an instruction added now.
    pub(super) fn is_ended(&self) -> bool {
        let code = &self.fragments[self.current].code;
        let mut placed = self.labels.iter().flatten();
        code.last().is_some_and(|last| last.ends())
            && !placed.any(|label| label.fragment == self.current && label.offset == code.len())
    }

    /// Catches exceptions between two labels.
    pub(super) fn handler(
        &mut self,
        range: (JumpLabel, JumpLabel),
        target: JumpLabel,
        slot: SlotId,
    ) {
        self.handlers.push(LabelledHandler { start: range.0, end: range.1, target, slot });
    }

    // Statements.

    /// Starts a statement: the following instructions belong to it. Returns the one before.
    pub(super) fn statement(&mut self, span: Span) -> u32 {
        self.statements.push(Site { span });
        std::mem::replace(&mut self.site, self.statements.len() as u32 - 1)
    }

    /// Makes the following instructions belong to a statement again.
    pub(super) fn resume(&mut self, site: u32) {
        self.site = site;
    }

    // Guards.

    /// Starts the code of a condition, out of line; everything until [`Builder::end_condition`] goes there.
    pub(super) fn start_condition(&mut self) -> (JumpLabel, usize) {
        let before = self.current;
        self.fragments.push(Fragment::default());
        self.current = self.fragments.len() - 1;
        (self.here(), before)
    }

    /// Ends the code of a condition.
    pub(super) fn end_condition(&mut self, before: usize) {
        self.current = before;
    }

    /// The fields read in the fragment at hand.
    pub(super) fn fields_read(&self) -> Vec<FieldId> {
        let fragment = &self.fragments[self.current];
        let mut fields: Vec<FieldId> = Vec::new();
        for instruction in &fragment.code {
            let listed = instruction.arguments().map(|arguments| {
                let start = arguments.start as usize;
                self.operands[start..start + arguments.count as usize].iter().copied()
            });
            let operands =
                instruction.operands().into_iter().flatten().chain(listed.into_iter().flatten());
            fields.extend(operands.filter_map(field_of));
        }
        fields
    }

    /// Enters a guard; the targets of its conditions are labels.
    pub(super) fn guard(&mut self, guard: Guard, labels: Vec<JumpLabel>) -> GuardId {
        self.guards.push((guard, labels));
        GuardId(self.guards.len() as u32 - 1)
    }

    // The end.

    /// The body, or nothing if it has too many slots or arguments.
    pub(super) fn finish(self, owner: BodyOwner) -> Option<Body> {
        let locals = self.variables.len() as u16;
        let overflow = self.overflow
            || u32::from(locals) + u32::from(self.most_temporaries) > u32::from(u16::MAX);
        if overflow {
            return None;
        }
        let mut starts = Vec::with_capacity(self.fragments.len());
        let mut length = 0;
        for fragment in &self.fragments {
            starts.push(length);
            length += fragment.code.len();
        }
        let labels = &self.labels;
        let resolve = |target: JumpTarget| -> JumpTarget {
            let position = labels.get(target as usize).copied().flatten();
            position
                .map_or(0, |position| (starts[position.fragment] + position.offset) as JumpTarget)
        };
        let slot = |slot: SlotId| match slot.0 & TEMPORARY {
            0 => slot,
            _ => SlotId(locals + (slot.0 & !TEMPORARY)),
        };
        let operand = |operand: &mut Operand| {
            if let Operand::Slot(used) = operand {
                *used = slot(*used);
            }
        };
        let mut body = Body {
            owner,
            parameters: self.parameters,
            locals,
            slots: locals + self.most_temporaries,
            variables: self.variables,
            code: Vec::with_capacity(length),
            spans: Vec::with_capacity(length),
            sites: Vec::with_capacity(length),
            statements: self.statements,
            operands: self.operands,
            guards: Vec::new(),
            handlers: Vec::new(),
            span: self.span,
        };
        for mut fragment in self.fragments {
            body.code.append(&mut fragment.code);
            body.spans.append(&mut fragment.spans);
            body.sites.append(&mut fragment.sites);
        }
        for instruction in &mut body.code {
            instruction.operands_mut().into_iter().flatten().for_each(operand);
            if let Some(Place::Slot(used)) = instruction.place_mut() {
                *used = slot(*used);
            }
            if let Some(target) = instruction.target_mut() {
                *target = resolve(*target);
            }
        }
        body.operands.iter_mut().for_each(operand);
        for (mut guard, labels) in self.guards {
            let mut labels = labels.into_iter();
            for part in &mut guard.parts {
                match part {
                    GuardPart::Condition(target) => {
                        *target = labels.next().map_or(0, |label| resolve(label.target()))
                    }
                    GuardPart::Future(used) | GuardPart::Value(used) => operand(used),
                    GuardPart::Duration { minimum, maximum } => {
                        operand(minimum);
                        operand(maximum);
                    }
                }
            }
            body.guards.push(guard);
        }
        for handler in self.handlers {
            body.handlers.push(Handler {
                start: resolve(handler.start.target()),
                end: resolve(handler.end.target()),
                target: resolve(handler.target.target()),
                slot: slot(handler.slot),
            });
        }
        Some(body)
    }
}

impl JumpLabel {
    /// What stands for the label in an instruction.
    pub(super) fn target(self) -> JumpTarget {
        self.0
    }
}

/// The operand as a place, if it can be written.
pub(super) fn place_of(operand: Operand) -> Option<Place> {
    match operand {
        Operand::Slot(slot) => Some(Place::Slot(slot)),
        Operand::Field(field) => Some(Place::Field(field)),
        Operand::Constant(_) | Operand::This | Operand::Destiny => None,
    }
}

/// The field an operand reads.
pub(super) fn field_of(operand: Operand) -> Option<FieldId> {
    match operand {
        Operand::Field(field) => Some(field),
        _ => None,
    }
}
