//! What a run that was ended by a limit might still have come to.
//!
//! **Problem.** Something is not covered. Is a limit to blame, or does nothing lead there?
//!
//! **Idea.** A limit is to blame only if a run that it has ended might have come there: by jumps from where one of its
//! frames stood, or through a body that is entered from there, as a call, a task or a new object, and so on.
//!
//! **Invariant.** What is left out is not reached by any continuation of the run. Conditions are not looked at, so what
//! is listed need not be reached either.
//!
//! **Cost.** A look at each instruction of the model.

use std::collections::BTreeSet;

use crate::analysis::abstraction::Point;
use crate::analysis::flow;
use crate::machine::CoveragePoint;
use crate::program::{BodyId, BodyOwner, Instruction, Model};

/// The points that a run with frames at these places might have come to.
pub fn points_ahead(
    model: &Model,
    places: &BTreeSet<Point>,
    points: impl IntoIterator<Item = CoveragePoint>,
) -> BTreeSet<CoveragePoint> {
    let mut reached: Vec<Vec<bool>> =
        model.bodies.iter().map(|body| vec![false; body.code.len()]).collect();
    let mut left: Vec<Point> = places.iter().copied().collect();
    while let Some(Point { body, instruction }) = left.pop() {
        let code = model.body(body);
        let index = instruction as usize;
        if index >= code.code.len() || std::mem::replace(&mut reached[body.index()][index], true) {
            continue;
        }
        let following = flow::successors(code, index).into_iter().chain(flow::handler(code, index));
        left.extend(following.map(|next| Point { body, instruction: next as u32 }));
        let entered = entered(model, body, code.code[index]);
        left.extend(entered.into_iter().map(|body| Point { body, instruction: 0 }));
    }
    let is_ahead = |point: &CoveragePoint| {
        let reached = &reached[point.body().index()];
        point.instructions(model).any(|index| reached[index])
    };
    points.into_iter().filter(is_ahead).collect()
}

/// The bodies that an instruction may enter, that of a recover block included.
fn entered(model: &Model, body: BodyId, instruction: Instruction) -> Vec<BodyId> {
    let class = match model.body(body).owner {
        BodyOwner::Method(method) => Some(model.method(method).class),
        BodyOwner::Init(class) => Some(class),
        _ => None,
    };
    let mut entered: Vec<BodyId> =
        class.and_then(|class| model.class(class).recover).into_iter().collect();
    match instruction {
        Instruction::Send { selector, .. } | Instruction::CallMethod { selector, .. } => {
            let named = model.methods.iter().filter(|method| method.selector == selector);
            entered.extend(named.map(|method| method.body));
        }
        Instruction::CallOwn { method, .. } => entered.push(model.method(method).body),
        Instruction::Call { function, .. } | Instruction::TailCall { function, .. } => {
            entered.push(model.function(function).body);
        }
        Instruction::New { class, .. } => {
            let class = model.class(class);
            entered.push(class.init);
            entered.extend(class.run.map(|run| model.method(run).body));
        }
        // Conditions of guards lie behind the other code.
        Instruction::Await { .. } => {
            let guards = model.body(body).code.iter().filter_map(|one| match one {
                Instruction::Call { function, .. } | Instruction::TailCall { function, .. } => {
                    Some(*function)
                }
                _ => None,
            });
            entered.extend(guards.map(|function| model.function(function).body));
        }
        _ => {}
    }
    entered
}
