//! The methods of `ConcurrentHashMap` in which threads compete for what only the map itself is interested in: see
//! `interpret/concurrent_map.rs`.

use super::{Native, jdk};
use crate::interpret::concurrent_map as calls;
use crate::interpret::{JdkOperation, WaitPolicy};

const MAP: &str = "java/util/concurrent/ConcurrentHashMap";

const MAKES_TABLE: JdkOperation = JdkOperation {
    effect: calls::make_table,
    failure: calls::find_table,
    also_touches: Some(calls::touched_with_table),
    done: "makes the table of {}",
    failed: "finds the table of {}",
    ..JdkOperation::changing(&calls::TABLE, &crate::interpret::atomic_call::UNOBSERVED)
        .waiting(&calls::NO_TABLE, WaitPolicy::NoWait)
        .with_visible_body()
};

const COUNTS: JdkOperation = JdkOperation {
    effect: calls::count_entries,
    failure: crate::interpret::atomic_call::run_visibly,
    amount: calls::entries_counted,
    also_touches: Some(calls::touched_with_entries),
    done: "counts an entry of {}",
    failed: "looks at the number of entries of {}",
    ..JdkOperation::changing(&calls::ENTRIES, &crate::interpret::atomic_call::UNOBSERVED)
        .waiting(&calls::ROOM_TO_COUNT, WaitPolicy::NoWait)
        .with_visible_body()
};

pub(super) static NATIVES: &[Native] =
    &[jdk(MAP, "initTable", "*", MAKES_TABLE), jdk(MAP, "addCount", "*", COUNTS)];
