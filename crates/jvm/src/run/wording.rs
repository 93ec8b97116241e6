//! How operations of the library are put into words: what was done, and what is waited for.

use crate::interpret::{Condition, Outlook, Synchronise, Whole};

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
pub(super) fn did(operation: Synchronise, amount: i32, outlook: Outlook, name: &str) -> String {
    let permits = || match amount {
        1 => "a permit".to_string(),
        _ => format!("{amount} permits"),
    };
    match outlook {
        Outlook::Interrupted => {
            return format!("is interrupted while it wants {}", wanted(operation, amount, name));
        }
        Outlook::Late => return format!("does not get {}", wanted(operation, amount, name)),
        Outlook::Possible | Outlook::Blocked => {}
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
pub(super) fn awaited(whole: Whole, name: &str) -> String {
    match whole.condition {
        Condition::Always => format!("nothing of {name}"),
        Condition::Free => format!("others to leave the pool with {name}"),
        Condition::Done | Condition::Completed => format!("the result of {name}"),
        Condition::TaskDone => format!("the end of {name}"),
        Condition::AtRest => format!("the end of {name}"),
        Condition::Settled => format!("the end of the cancelling of {name}"),
        Condition::Terminated => format!("the end of the pool with {name}"),
        Condition::Work => format!("a task in {name}"),
        Condition::NotEmpty => format!("an element in {name}"),
        Condition::NotFull => format!("room in {name}"),
        Condition::Unstaffed => format!("the end of the workers of the pool with {name}"),
        Condition::Advanced => format!("the next phase of {name}"),
        Condition::Unlocked => format!("the write lock of {name}"),
        Condition::NotWriting => format!("the read lock of {name}"),
    }
}

/// What a call has done.
pub(super) fn called(whole: Whole, outlook: Outlook, name: &str) -> String {
    let what = awaited(whole, name);
    match (outlook, whole.condition) {
        (Outlook::Interrupted, _) => format!("is interrupted while it wants {what}"),
        (Outlook::Late, _) => format!("does not get {what}"),
        (_, Condition::Always | Condition::Free) if whole.changes => format!("uses {name}"),
        (_, Condition::Always | Condition::Free) => format!("looks at {name}"),
        (_, Condition::Work) => format!("gets a task in {name} or ends"),
        (_, Condition::Terminated) => format!("finds {what}"),
        _ => format!("gets {what}"),
    }
}
