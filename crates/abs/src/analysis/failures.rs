//! Which code may raise an exception, and which objects may die of one.
//!
//! A task that fails resolves its future although the tasks it has started may still run, and kills its
//! object, whose other tasks fail at their next turn, wherever they wait. Both end a task earlier than its
//! code says, so may-happen-in-parallel must know where this can be.
//!
//! An exception may come from a division, a failed match, an assertion, `throw` and `die`, null where an object
//! or a future is needed, a builtin outside its domain, a function or body that is called, or a task whose
//! result is read. The overflow of the stack by a recursion of a million calls is left out.

use rustc_hash::FxHashMap;

use crate::program::{
    BinaryOperation, Body, Builtin, Constant, GuardPart, Instruction, Model, Operand, Place,
};

use super::abstraction::ContextId;
use super::flow;
use super::points_to::{InstructionEffect, PointsTo, grow};

/// What may fail.
pub struct Failures {
    functions: Vec<bool>,
    /// For each context whether an exception may leave it.
    leaves: Vec<bool>,
    /// For each object whether it may die.
    dies: Vec<bool>,
}

impl Failures {
    /// Finds out what may fail.
    pub fn of(points: &PointsTo<'_>) -> Failures {
        let model = points.model;
        let mut functions = vec![false; model.functions.len()];
        grow(&mut functions, |index, functions| {
            let body = model.body(model.functions[index].body);
            (0..body.code.len()).any(|at| raises_itself(model, body, at, functions))
        });
        let contexts = points.effects.len();
        let mut failures = Failures {
            functions,
            leaves: vec![false; contexts],
            dies: vec![false; points.abstraction.objects.len()],
        };
        let tasks = tasks(points);
        let callers = callers(points);
        loop {
            let mut leaves = std::mem::take(&mut failures.leaves);
            grow(&mut leaves, |index, leaves| {
                let context = ContextId(index as u32);
                let body = points.body(context);
                let reached = &points.shapes[&points.abstraction.of(context).body].reached;
                (0..body.code.len()).any(|at| {
                    reached[at]
                        && (flow::handler(body, at).is_none() || is_die(body.code[at]))
                        && failures.raises_at(points, context, at, leaves)
                })
            });
            failures.leaves = leaves;
            // An exception that leaves the first frame of a task kills the objects on its stack.
            let mut kills: Vec<bool> =
                (0..contexts).map(|index| failures.leaves[index] && tasks[index]).collect();
            grow(&mut kills, |index, kills| {
                failures.leaves[index]
                    && callers[index].iter().any(|&(caller, at)| {
                        let body = points.body(caller);
                        kills[caller.index()] && body.handler(at).is_none()
                    })
            });
            let mut changed = false;
            for (index, _) in kills.iter().enumerate().filter(|(_, kills)| **kills) {
                if let Some(object) = points.abstraction.contexts[index].this {
                    changed |= !std::mem::replace(&mut failures.dies[object.index()], true);
                }
            }
            if !changed {
                return failures;
            }
        }
    }

    /// Whether an instruction of a context may raise an exception.
    pub fn raises(&self, points: &PointsTo<'_>, context: ContextId, at: usize) -> bool {
        self.raises_at(points, context, at, &self.leaves)
    }

    /// Whether the tasks of a context may be ended by the death of their object.
    pub fn may_be_orphaned(&self, points: &PointsTo<'_>, context: ContextId) -> bool {
        let this = points.abstraction.of(context).this;
        this.is_some_and(|object| self.dies[object.index()])
    }

    /// Whether some object may die.
    pub fn any_object_dies(&self) -> bool {
        self.dies.contains(&true)
    }

    fn raises_at(
        &self,
        points: &PointsTo<'_>,
        context: ContextId,
        at: usize,
        leaves: &[bool],
    ) -> bool {
        let body = points.body(context);
        if raises_itself(points.model, body, at, &self.functions) {
            return true;
        }
        let nothing = InstructionEffect::default();
        let effect = points.effects[context.index()].get(&(at as u32)).unwrap_or(&nothing);
        let fails = |task: &ContextId| leaves[task.index()] || self.may_be_orphaned(points, *task);
        let dead = |task: &ContextId| self.may_be_orphaned(points, *task);
        let conditions = || match body.code[at] {
            Instruction::Await { guard } => {
                body.guards[guard.index()].parts.iter().any(|part| match part {
                    // Conditions lie one behind another at the end of a body.
                    GuardPart::Condition(start) => (*start as usize..body.code.len())
                        .any(|at| raises_itself(points.model, body, at, &self.functions)),
                    _ => false,
                })
            }
            _ => false,
        };
        let reads =
            matches!(body.code[at], Instruction::Get { .. } | Instruction::CallMethod { .. });
        effect.null
            || effect.called.iter().any(|called| leaves[called.index()] || dead(called))
            || (reads && effect.awaited.iter().any(fails))
            || conditions()
    }
}

fn is_die(instruction: Instruction) -> bool {
    matches!(instruction, Instruction::Die { .. })
}

/// Whether an instruction may raise an exception by what it does itself.
fn raises_itself(model: &Model, body: &Body, at: usize, functions: &[bool]) -> bool {
    let is_zero = |operand: Operand| match operand {
        Operand::Constant(constant) => match &model.constants[constant.index()] {
            Constant::Integer(number) => *number == 0.into(),
            _ => true,
        },
        _ => true,
    };
    match body.code[at] {
        Instruction::Binary {
            operation: BinaryOperation::Divide(_) | BinaryOperation::Remainder(_),
            right,
            ..
        } => is_zero(right),
        Instruction::Builtin { builtin: Builtin::Random, arguments, .. } => {
            !body.arguments(arguments).iter().all(|&below| is_positive(model, body, at, below))
        }
        Instruction::Builtin { builtin, .. } => matches!(
            builtin,
            Builtin::Substring | Builtin::ToRational | Builtin::Floor | Builtin::Ceiling
        ),
        Instruction::Call { function, .. } | Instruction::TailCall { function, .. } => {
            functions[function.index()]
        }
        Instruction::Fail { .. }
        | Instruction::Assert { .. }
        | Instruction::Throw { .. }
        | Instruction::Die { .. } => true,
        _ => false,
    }
}

/// For each context whether tasks begin with it.
pub(super) fn tasks(points: &PointsTo<'_>) -> Vec<bool> {
    let mut tasks = vec![false; points.effects.len()];
    tasks[ContextId::MAIN.index()] = true;
    for effect in points.effects.iter().flat_map(FxHashMap::values) {
        for task in &effect.posted {
            tasks[task.index()] = true;
        }
    }
    tasks
}

/// For each context the instructions that call it inside a task.
fn callers(points: &PointsTo<'_>) -> Vec<Vec<(ContextId, u32)>> {
    let mut callers = vec![Vec::new(); points.effects.len()];
    for (context, effects) in points.effects.iter().enumerate() {
        for (&at, effect) in effects {
            for called in &effect.called {
                callers[called.index()].push((ContextId(context as u32), at));
            }
        }
    }
    callers
}

/// Whether an operand of an instruction is known to be above zero: a constant, or the sum of two that was computed
/// just before.
fn is_positive(model: &Model, body: &Body, at: usize, operand: Operand) -> bool {
    let integer = |operand| match operand {
        Operand::Constant(constant) => match &model.constants[constant.index()] {
            Constant::Integer(number) => Some(number),
            _ => None,
        },
        _ => None,
    };
    let Operand::Slot(slot) = operand else {
        return integer(operand).is_some_and(|number| *number > 0.into());
    };
    let Some(Instruction::Binary { operation: BinaryOperation::Add(_), to, left, right }) =
        at.checked_sub(1).map(|before| body.code[before])
    else {
        return false;
    };
    let sum = integer(left).zip(integer(right)).map(|(left, right)| left + right);
    to == Place::Slot(slot)
        && sum.is_some_and(|sum| sum > 0.into())
        && !is_entered_from_elsewhere(body, at)
}

/// Whether control can come to an instruction otherwise than from the one before it.
fn is_entered_from_elsewhere(body: &Body, at: usize) -> bool {
    let jumps = |from: usize| from + 1 != at && flow::successors(body, from).contains(&at);
    let begins =
        |part: &GuardPart| matches!(part, GuardPart::Condition(start) if *start as usize == at);
    (0..body.code.len()).any(jumps)
        || body.handlers.iter().any(|handler| handler.target as usize == at)
        || body.guards.iter().flat_map(|guard| &guard.parts).any(begins)
}
