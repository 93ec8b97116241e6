//! How operations of the library are put into words: what was done, and what is waited for.

use crate::interpret::{AtomicCall, CallCondition, Readiness, Synchronise};

/// What a thread that cannot perform an operation on a synchroniser waits for.
pub(super) fn wanted(operation: Synchronise, amount: i32, name: &str) -> String {
    match operation {
        Synchronise::ReadLock(_) => format!("the read lock of {name}"),
        Synchronise::WriteLock(_) => format!("the write lock of {name}"),
        Synchronise::Acquire(_) if amount != 1 => format!("{amount} permits of {name}"),
        Synchronise::Acquire(_) => format!("a permit of {name}"),
        Synchronise::Pass(_) => format!("{name} to be counted down to zero"),
        _ => format!("the lock of {name}"),
    }
}

/// What a thread has done with a synchroniser.
pub(super) fn did(operation: Synchronise, amount: i32, readiness: Readiness, name: &str) -> String {
    let permits = || match amount {
        1 => "a permit".to_string(),
        _ => format!("{amount} permits"),
    };
    match readiness {
        Readiness::Interrupted => {
            return format!("is interrupted while it wants {}", wanted(operation, amount, name));
        }
        Readiness::Fails => return format!("does not get {}", wanted(operation, amount, name)),
        Readiness::Succeeds | Readiness::Blocked => {}
    }
    match operation {
        Synchronise::Lock(_) => format!("takes the lock of {name}"),
        Synchronise::IsLocked => format!("asks whether {name} is locked"),
        Synchronise::WriteLock(_) => format!("takes the write lock of {name}"),
        Synchronise::WriteUnlock => format!("frees the write lock of {name}"),
        Synchronise::ReadLock(_) => format!("takes the read lock of {name}"),
        Synchronise::ReadUnlock => format!("frees the read lock of {name}"),
        Synchronise::Owner => format!("asks who has {name}"),
        Synchronise::AllLocks => format!("asks how many have a lock of {name}"),
        Synchronise::IsWriteLocked => format!("asks whether {name} is locked for writing"),
        Synchronise::ReadLocks => format!("asks how many have the read lock of {name}"),
        Synchronise::Acquire(_) => format!("takes {} of {name}", permits()),
        Synchronise::Release => format!("gives back {} of {name}", permits()),
        Synchronise::Drain => format!("takes all permits of {name}"),
        Synchronise::Reduce => format!("removes {} of {name}", permits()),
        Synchronise::Permits => format!("asks how many permits {name} has"),
        Synchronise::CountDown => format!("counts {name} down"),
        Synchronise::Pass(_) => format!("passes {name}, which is at zero"),
        Synchronise::Count => format!("asks for the count of {name}"),
    }
}

/// The object that a location with all its insides belongs to.
pub(super) fn inside(location: &str) -> String {
    let variables = [".result", ".status", ".mode"];
    let object = variables.iter().find_map(|variable| location.strip_suffix(variable));
    object.unwrap_or(location).replacen("inside of ", "", 1)
}

/// What a call waits for.
pub(super) fn awaited(call: AtomicCall, name: &str) -> String {
    match call.condition {
        CallCondition::Always => format!("nothing of {name}"),
        CallCondition::Free => format!("others to leave the pool with {name}"),
        CallCondition::Done | CallCondition::Completed => format!("the result of {name}"),
        CallCondition::TaskDone => format!("the end of {name}"),
        CallCondition::AtRest => format!("the end of {name}"),
        CallCondition::Settled => format!("the end of the cancelling of {name}"),
        CallCondition::Terminated => format!("the end of the pool with {name}"),
        CallCondition::Work => format!("a task in {name}"),
        CallCondition::NotEmpty => format!("an element in {name}"),
        CallCondition::NotFull => format!("room in {name}"),
        CallCondition::Unstaffed => format!("the end of the workers of the pool with {name}"),
        CallCondition::Advanced => format!("the next phase of {name}"),
        CallCondition::Unlocked => format!("the write lock of {name}"),
        CallCondition::NotWriting => format!("the read lock of {name}"),
    }
}

/// What a call has done.
pub(super) fn called(call: AtomicCall, readiness: Readiness, name: &str) -> String {
    let what = awaited(call, name);
    match (readiness, call.condition) {
        (Readiness::Interrupted, _) => format!("is interrupted while it wants {what}"),
        (Readiness::Fails, _) => format!("does not get {what}"),
        (_, CallCondition::Always | CallCondition::Free) if call.changes => format!("uses {name}"),
        (_, CallCondition::Always | CallCondition::Free) => format!("looks at {name}"),
        (_, CallCondition::Work) => format!("gets a task in {name} or ends"),
        (_, CallCondition::Terminated) => format!("finds {what}"),
        _ => format!("gets {what}"),
    }
}
