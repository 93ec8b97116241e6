//! Where control can go inside a body, and which of its instructions can be executed more than once.
//!
//! The code of a guard's conditions lies behind the rest of a body and is entered by the machine only, so it
//! is not part of the flow here: it has no effects.

use smallvec::SmallVec;

use crate::program::Body;

/// The instructions that may follow one, those behind an exception not included.
pub(crate) fn successors(body: &Body, index: usize) -> SmallVec<[usize; 2]> {
    let mut instruction = body.code[index];
    let mut following = SmallVec::new();
    if !instruction.ends() {
        following.push(index + 1);
    }
    if let Some(target) = instruction.target_mut() {
        following.push(*target as usize);
    }
    following
}

/// The instruction that takes an exception raised here, if this body does.
pub(crate) fn handler(body: &Body, index: usize) -> Option<usize> {
    body.handler(index as u32).map(|handler| handler.target as usize)
}

/// How many ways lead to each instruction. What is known before one to which a single way leads need not be kept: who comes by
/// the only way there is comes with all that is known when coming again.
pub(super) fn ways_to(body: &Body) -> Vec<usize> {
    let mut ways = vec![0; body.code.len()];
    // One can begin there.
    ways[0] = 1;
    for index in 0..body.code.len() {
        successors(body, index).into_iter().for_each(|to| ways[to] += 1);
        // An instruction may raise an exception in more than one state.
        handler(body, index).into_iter().for_each(|to| ways[to] += 2);
    }
    ways
}

/// For each instruction whether it can be executed and whether it can be executed again, handlers included.
pub(super) struct Shape {
    /// Whether control can come there.
    pub reached: Vec<bool>,
    /// Whether control can come back there.
    pub repeats: Vec<bool>,
}

impl Shape {
    pub fn of(body: &Body) -> Shape {
        let count = body.code.len();
        let all = |index: usize| {
            let mut all = successors(body, index);
            all.extend(handler(body, index));
            all
        };
        let mut reached = vec![false; count];
        let mut left = vec![0];
        while let Some(index) = left.pop() {
            if index < count && !std::mem::replace(&mut reached[index], true) {
                left.extend(all(index));
            }
        }
        // Whether an instruction lies on a cycle: strongly connected components.
        let components =
            components(count, |index| if reached[index] { all(index) } else { SmallVec::new() });
        let mut sizes = vec![0_usize; count];
        for &component in &components {
            sizes[component] += 1;
        }
        let repeats = (0..count)
            .map(|index| sizes[components[index]] > 1 || all(index).contains(&index))
            .collect();
        Shape { reached, repeats }
    }
}

/// The strongly connected component of each node (Tarjan 1972, without recursion), in an order in which
/// components that can be reached come first.
pub(super) fn components(
    count: usize,
    successors: impl Fn(usize) -> SmallVec<[usize; 2]>,
) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut order = vec![NONE; count];
    let mut low = vec![0; count];
    let mut component = vec![NONE; count];
    let mut stack = Vec::new();
    let (mut next, mut components) = (0, 0);
    for root in 0..count {
        if order[root] != NONE {
            continue;
        }
        let mut path: Vec<(usize, SmallVec<[usize; 2]>)> = vec![(root, successors(root))];
        order[root] = next;
        low[root] = next;
        next += 1;
        stack.push(root);
        while let Some((node, left)) = path.last_mut() {
            let node = *node;
            match left.pop() {
                Some(other) if order[other] == NONE => {
                    order[other] = next;
                    low[other] = next;
                    next += 1;
                    stack.push(other);
                    path.push((other, successors(other)));
                }
                Some(other) => {
                    if component[other] == NONE {
                        low[node] = low[node].min(order[other]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((above, _)) = path.last() {
                        low[*above] = low[*above].min(low[node]);
                    }
                    if low[node] == order[node] {
                        while let Some(member) = stack.pop() {
                            component[member] = components;
                            if member == node {
                                break;
                            }
                        }
                        components += 1;
                    }
                }
            }
        }
    }
    component
}
