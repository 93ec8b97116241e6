//! Where a variable or field was compared with null and found to be an object or a future.
//!
//! **Problem.** A field that may be null makes every call through it a possible exception, which may kill an object.
//! Models compare such a field with null before they call: `if (partner != null) { partner!accept(); }`, or
//! `await partner != null;`.
//!
//! **Idea.** Follow each body once and note at each instruction which places are known not to be null, on every
//! way there. A comparison says so of one of its two outcomes, and an `await` of a condition of the state in which it
//! goes on. An assignment forgets what was known of its place. What is known of fields is forgotten wherever other code on
//! the same object may run: where the cog is released, in a call that may run inside the task, and where an object
//! is made. A `get` keeps the cog, and with it the fields.
//!
//! **Cost.** Bodies without a comparison with null are not followed.

use smallvec::SmallVec;

use crate::program::{
    Body, Comparison, Constant, ConstantId, GuardPart, Instruction, Model, Operand, Place,
};

use super::flow;

/// Places that are not null.
type Known = SmallVec<[Operand; 4]>;

/// What is known before each instruction of a body; nothing at all if nothing is compared with null.
#[derive(Debug, Default)]
pub(super) struct NullTests {
    before: Vec<Option<Known>>,
}

impl NullTests {
    pub fn of(model: &Model, body: &Body) -> NullTests {
        let compares = |&instruction: &Instruction| tested(model, instruction).is_some();
        if !body.code.iter().any(compares) {
            return NullTests::default();
        }
        let mut tests = NullTests { before: vec![None; body.code.len()] };
        // Conditions have code of their own, which is needed for what holds behind an `await`.
        let conditions = body.guards.iter().flat_map(|guard| &guard.parts);
        let conditions = conditions.filter_map(|part| match part {
            GuardPart::Condition(start) => Some(*start as usize),
            _ => None,
        });
        for start in conditions.chain([0]) {
            tests.follow(model, body, start);
        }
        tests
    }

    /// Whether a place is known not to be null before an instruction.
    pub fn excludes_null(&self, index: usize, place: Operand) -> bool {
        matches!(self.before.get(index), Some(Some(known)) if known.contains(&place))
    }

    fn follow(&mut self, model: &Model, body: &Body, start: usize) {
        self.before[start] = Some(Known::new());
        let mut due = vec![start];
        while let Some(index) = due.pop() {
            let Some(known) = self.before[index].clone() else { continue };
            let instruction = body.code[index];
            if let Some(target) = flow::handler(body, index) {
                self.meet(target, &Known::new(), &mut due);
            }
            if let Instruction::Yield { .. } = instruction {
                continue;
            }
            let after = self.after(body, instruction, known);
            let test = tested(model, instruction);
            for next in flow::successors(body, index) {
                let mut there = after.clone();
                if let Some((place, holds)) = test
                    && is_on_side(instruction, next, index, holds)
                    && !there.contains(&place)
                {
                    there.push(place);
                }
                self.meet(next, &there, &mut due);
            }
        }
    }

    /// What is known behind an instruction, its comparison aside.
    fn after(&self, body: &Body, instruction: Instruction, mut known: Known) -> Known {
        use Instruction as I;
        if matches!(
            instruction,
            I::Await { .. } | I::Suspend | I::CallOwn { .. } | I::CallMethod { .. } | I::New { .. }
        ) {
            known.retain(|place| !matches!(place, Operand::Field(_)));
        }
        if let I::Await { guard } = instruction {
            for part in &body.guards[guard.index()].parts {
                let GuardPart::Condition(start) = *part else { continue };
                let fresh = self.when_true(body, start as usize).iter().copied();
                let fields = fresh.filter(|place| matches!(place, Operand::Field(_)));
                known.extend(fields);
            }
        }
        match instruction.place() {
            Some(Place::Slot(slot)) => known.retain(|place| *place != Operand::Slot(slot)),
            Some(Place::Field(field)) => known.retain(|place| *place != Operand::Field(field)),
            Some(Place::Nowhere) | None => {}
        }
        known
    }

    /// What is known where a condition turns out true: its code ends with one `Yield` for that, and one for false.
    fn when_true(&self, body: &Body, start: usize) -> &[Operand] {
        let yields_true = |at: &usize| match body.code[*at] {
            Instruction::Yield { value } => value == Operand::Constant(ConstantId::TRUE),
            _ => false,
        };
        let end = (start..body.code.len()).find(yields_true);
        end.and_then(|end| self.before[end].as_deref()).unwrap_or_default()
    }

    fn meet(&mut self, at: usize, state: &[Operand], due: &mut Vec<usize>) {
        match &mut self.before[at] {
            Some(known) => {
                let before = known.len();
                known.retain(|place| state.contains(place));
                if known.len() < before {
                    due.push(at);
                }
            }
            unknown => {
                *unknown = Some(state.into());
                due.push(at);
            }
        }
    }
}

/// The place that an instruction compares with null, and whether it is not null if the comparison holds (or does not).
fn tested(model: &Model, instruction: Instruction) -> Option<(Operand, bool)> {
    let Instruction::Test { comparison, left, right, .. } = instruction else { return None };
    let holds = match comparison {
        Comparison::NotEqual => true,
        Comparison::Equal => false,
        _ => return None,
    };
    let is_null = |operand: Operand| match operand {
        Operand::Constant(constant) => {
            matches!(model.constants[constant.index()], Constant::Null)
        }
        _ => false,
    };
    let place = match (is_null(left), is_null(right)) {
        (false, true) => left,
        (true, false) => right,
        _ => return None,
    };
    matches!(place, Operand::Slot(_) | Operand::Field(_)).then_some((place, holds))
}

/// Whether an instruction follows a comparison on one side only, and on that one.
fn is_on_side(test: Instruction, next: usize, index: usize, holds: bool) -> bool {
    let Instruction::Test { otherwise, .. } = test else { return false };
    otherwise as usize != index + 1 && (next == index + 1) == holds
}
