//! What a guard must not do: choose or read.
//!
//! A guard is evaluated again and again while its task sleeps, whenever somebody asks whether the task
//! can go on, so a choice inside it would be made many times, and differently. Such models are refused.

use crate::diagnostics::Diagnostic;
use crate::program::{Builtin, FunctionId, GuardPart, Instruction, Model};

/// Reports every guard and every expectation that may call `random` or `readln`.
pub(super) fn check(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for body in &model.bodies {
        for guard in &body.guards {
            let conditions = guard.parts.iter().filter_map(|part| match part {
                GuardPart::Condition(start) => Some(*start as usize),
                _ => None,
            });
            let mut effects = conditions.filter_map(|start| {
                let end = body.code[start..]
                    .iter()
                    .position(|instruction| matches!(instruction, Instruction::Yield { .. }))
                    .map_or(body.code.len(), |length| start + length);
                effect_in(model, &body.code[start..end])
            });
            if let Some(name) = effects.next() {
                let message = format!("a guard cannot call `{name}`");
                diagnostics.push(Diagnostic::error(guard.span, message).hint(format!(
                    "call `{name}` before the `await`, and wait for a condition on its result"
                )));
            }
        }
    }
    for expectation in &model.expectations {
        let function = model.function(expectation.function);
        if let Some(name) = effect_in(model, &model.body(function.body).code) {
            let message = format!("an expectation cannot call `{name}`");
            diagnostics.push(Diagnostic::error(function.span, message));
        }
    }
}

/// The first effect that code or the functions it calls may have.
fn effect_in(model: &Model, code: &[Instruction]) -> Option<&'static str> {
    let mut functions: Vec<FunctionId> = Vec::new();
    let mut next = 0;
    let mut code = code;
    loop {
        for instruction in code {
            match *instruction {
                Instruction::Builtin { builtin, .. }
                    if matches!(
                        builtin,
                        Builtin::Random | Builtin::ReadLine | Builtin::ThisComponent
                    ) =>
                {
                    return Some(builtin.name().1);
                }
                Instruction::Call { function, .. } | Instruction::TailCall { function, .. }
                    if !functions.contains(&function) =>
                {
                    functions.push(function);
                }
                _ => {}
            }
        }
        let function = model.function(*functions.get(next)?);
        code = &model.body(function.body).code;
        next += 1;
    }
}
