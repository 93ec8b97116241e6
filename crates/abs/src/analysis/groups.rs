//! Which abstract objects stand for one object, and which are never seen outside their cog.
//!
//! Both facts tell a call inside a cog from one to another cog. They are read off the sets of a first
//! points-to analysis, which assumes the worst, and make the second one more precise.
//!
//! - An object is *single* if its creation is executed once at most: by a context that runs once at most, at an
//!   instruction that control cannot come back to.
//! - An object created inside its creator's cog is *confined* if no reference to it ever crosses to another
//!   cog: as an argument of a call to an object that may be elsewhere, as an argument of a `new` that makes a
//!   cog, in the result of a task or in an exception. Whoever calls it is then in its cog. Assuming this of
//!   all such objects, those that may cross are taken out until no more have to be; the assumption is sound
//!   because the first reference to cross would have to be one that may.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Instruction, NewPlace, Operand};

use super::abstraction::{AbstractObjectId, ContextId};
use super::points_to::{Groups, PointsTo};
use super::sets::{Reference, SetId};

/// The facts that a points-to analysis shows.
pub fn groups(points: &PointsTo<'_>) -> Groups {
    let objects = &points.abstraction.objects;
    let once = once(points);
    let mut creations: FxHashMap<AbstractObjectId, Vec<(ContextId, u32)>> = FxHashMap::default();
    for_each_effect(points, |context, instruction, effect| {
        for &object in &effect.created {
            creations.entry(object).or_default().push((context, instruction));
        }
    });
    let single = creations.iter().filter_map(|(object, places)| match places[..] {
        [(context, instruction)]
            if once[context.index()] && !repeats(points, context, instruction) =>
        {
            Some(objects[object.index()].clone())
        }
        _ => None,
    });
    let confined = confined(points).into_iter().map(|object| objects[object.index()].clone());
    Groups { single: single.collect(), confined: confined.collect() }
}

fn for_each_effect(
    points: &PointsTo<'_>,
    mut visit: impl FnMut(ContextId, u32, &super::points_to::InstructionEffect),
) {
    for (context, effects) in points.effects.iter().enumerate() {
        for (&instruction, effect) in effects {
            visit(ContextId(context as u32), instruction, effect);
        }
    }
}

/// Whether an instruction of a context can be executed twice by one activation of it.
pub(super) fn repeats(points: &PointsTo<'_>, context: ContextId, instruction: u32) -> bool {
    let body = points.abstraction.of(context).body;
    if instruction == u32::MAX {
        return true;
    }
    points.shapes[&body].repeats.get(instruction as usize).copied().unwrap_or(false)
}

/// For each context whether it runs once at most.
fn once(points: &PointsTo<'_>) -> Vec<bool> {
    let mut entries: Vec<Vec<(ContextId, u32)>> = vec![Vec::new(); points.effects.len()];
    for_each_effect(points, |context, instruction, effect| {
        let mut targets: Vec<ContextId> =
            effect.posted.iter().chain(&effect.called).copied().collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            entries[target.index()].push((context, instruction));
        }
    });
    // What runs more than once spreads from several entries and repeated ones to all that they enter.
    let mut many: Vec<bool> = entries
        .iter()
        .map(|entries| match entries[..] {
            [] => false,
            [(context, instruction)] => repeats(points, context, instruction),
            _ => true,
        })
        .collect();
    super::points_to::grow(&mut many, |target, many| {
        entries[target].iter().any(|(context, _)| many[context.index()])
    });
    many.into_iter().map(|many| !many).collect()
}

fn confined(points: &PointsTo<'_>) -> FxHashSet<AbstractObjectId> {
    let objects = &points.abstraction.objects;
    let mut confined: FxHashSet<AbstractObjectId> = (0..objects.len() as u32)
        .map(AbstractObjectId)
        .filter(|object| objects[object.index()].place == NewPlace::SameCog)
        .collect();
    let mut tasks: FxHashSet<ContextId> = FxHashSet::default();
    for_each_effect(points, |_, _, effect| tasks.extend(&effect.posted));
    let mut always: Vec<SetId> = vec![points.exceptions];
    always.extend(tasks.iter().map(|task| points.results[task.index()]));
    loop {
        let mut crossing = always.clone();
        for_each_effect(points, |context, instruction, effect| {
            let body = points.body(context);
            let crosses = match body.code.get(instruction as usize) {
                Some(Instruction::New { place, .. }) => *place == NewPlace::OwnCog,
                Some(Instruction::Send { callee, .. } | Instruction::CallMethod { callee, .. }) => {
                    *callee != Operand::This
                        && !effect.callees.iter().all(|callee| confined.contains(callee))
                }
                _ => false,
            };
            if crosses {
                crossing.push(effect.handed);
            }
        });
        let before = confined.len();
        for set in crossing {
            for reference in points.sets.members(set) {
                if let Reference::Object(object) = reference {
                    confined.remove(object);
                }
            }
        }
        if confined.len() == before {
            return confined;
        }
    }
}
