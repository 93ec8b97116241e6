//! Makes a program smaller on which the exploration and the real virtual machine disagree.
//!
//! All programs that have a statement, a thread, a look at the end or a declaration less, and all that have only one statement
//! or one in each of two threads, with and without looks at the end, are compiled and run together. The smallest on which the two still disagree is next,
//! until there is none. Whether a real run shows an outcome is a matter of chance, so each runs often; what is
//! left disagrees in any case, since it was seen.

use super::{Disagreement, Draft, Origin, Subject, Suite, disagreement, limits};
use counterpoint_jvm::JavaProgram;

/// The smallest program found, and an outcome that only the real virtual machine shows. Nothing if not even the program
/// itself shows one again.
pub fn shrink(draft: &Draft, runs: u64) -> Option<(Draft, Disagreement)> {
    shrink_while(draft, |candidates| disagreeing(candidates, runs))
}

/// Goes on with a smaller program as long as one is found among those that have less in them. What finds one is given
/// programs by size, the smallest first, and returns the number of the first that will do.
pub fn shrink_while<T>(
    draft: &Draft,
    mut find: impl FnMut(&[Draft]) -> Option<(usize, T)>,
) -> Option<(Draft, T)> {
    let mut candidates = smaller(draft);
    candidates.push(draft.clone());
    let mut best: Option<(Draft, T)> = None;
    while !candidates.is_empty() {
        candidates.sort_by_key(|draft| (draft.size(), draft.threads.len(), draft.state.len()));
        let Some((number, found)) = find(&candidates) else { break };
        let small = candidates.swap_remove(number);
        candidates = smaller(&small);
        best = Some((small, found));
    }
    best
}

/// The first of these programs on which there is a disagreement.
fn disagreeing(candidates: &[Draft], runs: u64) -> Option<(usize, Disagreement)> {
    let subjects = candidates.iter().enumerate().map(|(number, draft)| Subject {
        command: format!("Smaller{number}"),
        origin: Origin::Draft(draft.clone()),
    });
    let suite = Suite::compile(subjects.collect());
    let real = suite.real_outcomes(runs);
    suite.subjects.iter().enumerate().find_map(|(number, subject)| {
        let shown = real.get(&subject.command)?;
        let explored = suite.explore(subject, JavaProgram::options(), limits());
        let found = disagreement(&suite, subject, &explored, shown).ok().flatten()?;
        Some((number, found))
    })
}

/// Programs with less in them.
fn smaller(draft: &Draft) -> Vec<Draft> {
    let mut made: Vec<Draft> = Vec::new();
    let mut add = |mut less: Draft| {
        less.threads.retain(|statements| !statements.is_empty());
        if !less.threads.is_empty()
            && less.size() + less.state.len() < draft.size() + draft.state.len()
        {
            made.push(less);
        }
    };
    for (index, statements) in draft.threads.iter().enumerate() {
        let mut less = draft.clone();
        less.threads.remove(index);
        add(less);
        for number in 0..statements.len() {
            let mut less = draft.clone();
            less.threads[index].remove(number);
            add(less);
        }
        for statement in statements {
            let others = draft.threads[index + 1..].iter().flatten();
            let pairs = others.map(|other| vec![vec![statement.clone()], vec![other.clone()]]);
            for threads in pairs.chain([vec![vec![statement.clone()]]]) {
                let few = Draft { threads, ..draft.clone() };
                add(without_unused(Draft { lasts: Vec::new(), ..few.clone() }));
                add(few);
            }
        }
    }
    for index in 0..draft.lasts.len() {
        let mut less = draft.clone();
        less.lasts.remove(index);
        add(less);
    }
    add(without_unused(draft.clone()));
    made.dedup();
    made
}

/// The program without the declarations that no statement and no look at the end mentions.
fn without_unused(draft: Draft) -> Draft {
    let texts: Vec<&String> = draft.threads.iter().flatten().chain(&draft.lasts).collect();
    let is_used = |state: &String| {
        let names = crate::shortcuts::writer::names(state);
        texts.iter().any(|text| names.iter().any(|name| text.contains(name)))
    };
    let state = draft.state.iter().filter(|state| is_used(state)).cloned().collect();
    Draft { state, ..draft }
}
