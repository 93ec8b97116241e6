//! Where code goes round: loops and recursive functions, for the limit on their iterations.
//!
//! **Problem.** With unknown data a loop can be left after any number of iterations, so the tree of
//! executions is infinite unless iterations are limited (`003`, section 3.1). Limiting calls of a
//! function would also limit those that have nothing to do with each other.
//!
//! **Idea.** An iteration counts if its beginning was a decision: the loop's condition looked at an
//! unknown, in its own code or in a function that it called, and could have ended the loop. It also counts
//! if the condition is about unknown numbers, of which the path leaves one answer only, and something was
//! decided since the iteration before: otherwise a loop that decides in its body could go on for ever. What is
//! decided by known data makes one path only, however long, and is not limited here. A recursive
//! function is a loop, too: an activation with so many activations of its own component of the call graph
//! below it on the task's stack may decide only for ways on which no further recursive call can
//! be reached, and no more activations than that may look at unknown numbers before they call again, once
//! one of them has decided something. Calls that returned are not on the stack and do not count. A tail call
//! replaces its frame and hands its number on.
//!
//! For a list that is searched for an element and the limit 1 this gives the empty list, the list that
//! begins with the element, and the list of one other element: those of Example 3 of `000`.

use crate::machine::evaluate::Stack;
use crate::program::{Body, Instruction, Model};

/// The loops and the recursion of all bodies.
#[derive(Debug)]
pub(crate) struct Repetition {
    bodies: Vec<BodyRepetition>,
}

#[derive(Debug, Default)]
struct BodyRepetition {
    loops: Vec<Loop>,
    /// For each instruction, the loop (from 1) whose condition it belongs to.
    header: Vec<u16>,
    /// The component of the call graph, if the body can call itself.
    component: Option<u32>,
    /// Whether a call back into the component can be reached from an instruction.
    towards: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Loop {
    start: u32,
    end: u32,
}

/// How far an activation is with its loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iterations {
    /// How many activations of the same component are below it, and how many of them looked at unknown
    /// numbers before they called.
    recursion: u32,
    open_recursion: u32,
    /// Whether something was decided in one of those below it.
    decided_below: bool,
    /// Whether something was decided in this activation, and since the last beginning of a loop.
    decided: bool,
    decided_in_header: bool,
    /// The same of looks at unknown numbers, also where the path leaves one answer only.
    looked: bool,
    looked_in_header: bool,
    /// By loop.
    loops: Vec<LoopCount>,
}

#[derive(Clone, Copy, Debug, Default)]
struct LoopCount {
    iterations: u32,
    /// Whether something was decided since the last iteration began.
    decided: bool,
}

impl Repetition {
    pub fn new(model: &Model) -> Repetition {
        let calls: Vec<Vec<u32>> = model.bodies.iter().map(|body| calls(model, body)).collect();
        let components = components(&calls);
        let bodies = model.bodies.iter().enumerate().map(|(number, body)| {
            let component = calls[number]
                .iter()
                .any(|&callee| components[callee as usize] == components[number])
                .then_some(components[number]);
            BodyRepetition::new(model, body, component, &components)
        });
        Repetition { bodies: bodies.collect() }
    }

    /// A frame was entered. `replaced` is the body and the progress of the frame that a tail call replaced.
    /// Whether that exceeds the limit.
    pub fn entered(
        &self,
        stack: &mut Stack,
        replaced: Option<(u32, Option<Box<Iterations>>)>,
        limit: Option<u32>,
    ) -> bool {
        let (top, below) = stack.frames.split_last_mut().expect("a frame was entered");
        let body = &self.bodies[top.body as usize];
        if body.component.is_none() && body.loops.is_empty() {
            return false;
        }
        let mut progress = Iterations {
            loops: vec![LoopCount::default(); body.loops.len()],
            ..Iterations::default()
        };
        if body.component.is_some() {
            let alike = |number: u32| self.bodies[number as usize].component == body.component;
            let caller = match &replaced {
                Some((number, progress)) if alike(*number) => Some(progress),
                _ => below.iter().rev().find(|frame| alike(frame.body)).map(|one| &one.progress),
            };
            if let Some(caller) = caller {
                progress.recursion = caller.as_ref().map_or(0, |caller| caller.recursion) + 1;
            }
            if let Some(Some(caller)) = caller {
                let looked = caller.looked || caller.decided;
                progress.open_recursion = caller.open_recursion + u32::from(looked);
                progress.decided_below = caller.decided || caller.decided_below;
            }
        }
        let exceeds =
            progress.decided_below && limit.is_some_and(|limit| progress.open_recursion > limit);
        top.progress = Some(Box::new(progress));
        exceeds
    }

    /// Something was decided that all activations on the stack may depend on.
    pub fn decided(stack: &mut Stack) {
        for frame in &mut stack.frames {
            if let Some(progress) = &mut frame.progress {
                progress.decided = true;
                progress.decided_in_header = true;
                progress.loops.iter_mut().for_each(|one| one.decided = true);
            }
        }
    }

    /// A condition on unknown numbers was looked at, whether or not the path leaves both answers.
    pub fn looked(stack: &mut Stack) {
        for frame in &mut stack.frames {
            if let Some(progress) = &mut frame.progress {
                progress.looked = true;
                progress.looked_in_header = true;
            }
        }
    }

    /// The topmost activation went from one instruction to another. Whether that exceeds the limit.
    #[inline]
    pub fn moved(&self, stack: &mut Stack, code: &Body, here: u32, next: u32, limit: u32) -> bool {
        let frame = stack.top_mut();
        let Some(progress) = &mut frame.progress else { return false };
        let body = &self.bodies[frame.body as usize];
        if body.component.is_some()
            && progress.decided
            && progress.recursion >= limit
            && body.towards[next as usize]
            && let Some(other) = other_way(code, here, next)
            && !body.towards[other as usize]
        {
            return true;
        }
        if body.loops.is_empty() {
            return false;
        }
        let (from, to) = (body.header[here as usize], body.header[next as usize]);
        if from != 0 && from != to {
            let inside = body.loops[from as usize - 1];
            if (inside.start..=inside.end).contains(&next) {
                let (decided, looked) = (progress.decided_in_header, progress.looked_in_header);
                let count = &mut progress.loops[from as usize - 1];
                let open = decided || (looked && count.decided);
                count.decided = false;
                if open {
                    count.iterations += 1;
                    return count.iterations > limit;
                }
            }
        }
        if to != 0 && body.loops[to as usize - 1].start == next {
            let inside = body.loops[to as usize - 1];
            progress.decided_in_header = false;
            progress.looked_in_header = false;
            if !(inside.start..=inside.end).contains(&here) {
                progress.loops[to as usize - 1] = LoopCount::default();
            }
        }
        false
    }
}

/// The other way out of a conditional instruction.
fn other_way(code: &Body, here: u32, next: u32) -> Option<u32> {
    match code.code[here as usize] {
        Instruction::Branch { otherwise, .. }
        | Instruction::Test { otherwise, .. }
        | Instruction::TestConstructor { otherwise, .. } => {
            Some(if next == otherwise { here + 1 } else { otherwise })
        }
        _ => None,
    }
}

impl BodyRepetition {
    fn new(
        model: &Model,
        body: &Body,
        component: Option<u32>,
        components: &[u32],
    ) -> BodyRepetition {
        let count = body.code.len();
        let mut loops: Vec<Loop> = Vec::new();
        for (index, instruction) in body.code.iter().enumerate() {
            if let Instruction::Jump { target } = *instruction
                && target <= index as u32
            {
                match loops.iter_mut().find(|known| known.start == target) {
                    Some(known) => known.end = known.end.max(index as u32),
                    None => loops.push(Loop { start: target, end: index as u32 }),
                }
            }
        }
        let mut header = vec![0; count];
        // Inner loops begin later, so that they win where headers meet.
        loops.sort_by_key(|one| one.start);
        for (number, one) in loops.iter().enumerate() {
            let site = body.sites[one.start as usize];
            let range = one.start as usize..=one.end as usize;
            for index in range.take_while(|&index| body.sites[index] == site) {
                header[index] = number as u16 + 1;
            }
        }
        let mut towards = vec![false; count];
        if let Some(component) = component {
            let returns = |index: usize| {
                let callees = callees(model, body.code[index]);
                callees.iter().any(|&callee| components[callee as usize] == component)
            };
            for (index, towards) in towards.iter_mut().enumerate() {
                *towards = returns(index);
            }
            let mut changed = true;
            while changed {
                changed = false;
                for index in (0..count).rev() {
                    let reaches = successors(body, index).any(|next| towards[next]);
                    if reaches && !towards[index] {
                        towards[index] = true;
                        changed = true;
                    }
                }
            }
        }
        BodyRepetition { loops, header, component, towards }
    }
}

fn successors(body: &Body, index: usize) -> impl Iterator<Item = usize> {
    let mut instruction = body.code[index];
    let jump = instruction.target_mut().map(|target| *target as usize);
    let next = (!instruction.ends()).then_some(index + 1).filter(|next| *next < body.code.len());
    jump.into_iter().chain(next)
}

fn callees(model: &Model, instruction: Instruction) -> Vec<u32> {
    match instruction {
        Instruction::Call { function, .. } | Instruction::TailCall { function, .. } => {
            vec![model.function(function).body.0]
        }
        Instruction::CallOwn { method, .. } => vec![model.method(method).body.0],
        Instruction::CallMethod { selector, .. } => {
            let methods = model.methods.iter().filter(|method| method.selector == selector);
            methods.map(|method| method.body.0).collect()
        }
        _ => Vec::new(),
    }
}

fn calls(model: &Model, body: &Body) -> Vec<u32> {
    let mut calls: Vec<u32> = body.code.iter().flat_map(|one| callees(model, *one)).collect();
    calls.sort_unstable();
    calls.dedup();
    calls
}

/// For each body a number that is the same for bodies that can call each other: by the bodies that each
/// reaches, as models are small.
fn components(calls: &[Vec<u32>]) -> Vec<u32> {
    let reach = |from: usize| {
        let mut seen = vec![false; calls.len()];
        let mut pending = calls[from].clone();
        while let Some(body) = pending.pop() {
            if !std::mem::replace(&mut seen[body as usize], true) {
                pending.extend_from_slice(&calls[body as usize]);
            }
        }
        seen
    };
    let reached: Vec<Vec<bool>> = (0..calls.len()).map(reach).collect();
    (0..calls.len())
        .map(|body| {
            let alike =
                |&other: &usize| other == body || (reached[body][other] && reached[other][body]);
            (0..calls.len()).find(alike).expect("a body is like itself") as u32
        })
        .collect()
}
