//! Makes a program smaller on which the exploration and the real virtual machine disagree.
//!
//! All programs that have a statement, a thread, a look at the end or a declaration less, and all that have one statement
//! in each of two threads, are compiled and run together. The smallest on which the two still disagree is next,
//! until there is none. Whether a real run shows an outcome is a matter of chance, so each runs often; what is
//! left disagrees in any case, since it was seen.

use super::{Disagreement, Draft, Origin, Subject, Suite, disagreement, limits};
use counterpoint_jvm::JavaProgram;

/// The smallest program found, and an outcome that only the real virtual machine shows. Nothing if not even the program
/// itself shows one again.
pub fn shrink(draft: &Draft, runs: u64) -> Option<(Draft, Disagreement)> {
    let mut candidates = smaller(draft);
    candidates.push(draft.clone());
    let mut best: Option<(Draft, Disagreement)> = None;
    while let Some(found) = smallest(&candidates, runs) {
        candidates = smaller(&found.0);
        best = Some(found);
    }
    best
}

/// The smallest of these programs on which there is a disagreement.
fn smallest(candidates: &[Draft], runs: u64) -> Option<(Draft, Disagreement)> {
    if candidates.is_empty() {
        return None;
    }
    let subjects = candidates.iter().enumerate().map(|(number, draft)| Subject {
        command: format!("Smaller{number}"),
        origin: Origin::Draft(draft.clone()),
    });
    let suite = Suite::compile(subjects.collect());
    let real = suite.real_outcomes(runs);
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|number| (candidates[*number].size(), candidates[*number].threads.len()));
    order.into_iter().find_map(|number| {
        let subject = &suite.subjects[number];
        let explored = suite.explore(subject, JavaProgram::options(), limits());
        let shown = real.get(&subject.command)?;
        let found = disagreement(&suite, subject, &explored, shown).ok().flatten()?;
        Some((candidates[number].clone(), found))
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
            for other in draft.threads[index + 1..].iter().flatten() {
                let threads = vec![vec![statement.clone()], vec![other.clone()]];
                add(Draft { threads, ..draft.clone() });
            }
        }
    }
    for index in 0..draft.lasts.len() {
        let mut less = draft.clone();
        less.lasts.remove(index);
        add(less);
    }
    if draft.state.len() > 1 {
        for index in 0..draft.state.len() {
            let mut less = draft.clone();
            let state = less.state.remove(index);
            let mentions = |text: &String| {
                super::super::writer::names(&state).iter().any(|name| text.contains(name))
            };
            if !less.threads.iter().flatten().chain(&less.lasts).any(mentions) {
                add(less);
            }
        }
    }
    made.dedup();
    made
}
