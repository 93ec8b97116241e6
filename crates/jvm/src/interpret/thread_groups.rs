//! Thread groups: who is in one, and whether a thread still is.
//!
//! The JDK keeps lists in groups, which every start and every end would have to change. Here a thread is
//! in its group from its start to its end, and whoever asks looks at the threads themselves. Where a
//! program asks, starts write a location that the question reads; ends write the thread's own.

use super::threads::OperationResult;
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{ARRAY_HEADER_WORDS, Reference, SHARED, ThreadStatus};

impl Machine {
    /// The group that a thread was made in.
    pub(super) fn group_of(&self, thread: Reference) -> Result<Reference, Trap> {
        let class = self.class_of(thread)?;
        if self.world.field_named(class, "group").is_some() {
            return Ok(Reference(self.get_field(thread, "group")?));
        }
        let holder = Reference(self.get_field(thread, "holder")?);
        Ok(Reference(self.get_field(holder, "group")?))
    }

    /// The `Thread`s of a group, and of those below it if asked for, in the order of their starts.
    fn members(&self, group: Reference, below: bool) -> Result<Vec<Reference>, Trap> {
        let mut members = Vec::new();
        for thread in self.threads.list.iter().flatten() {
            if thread.core.status == ThreadStatus::Terminated || thread.object.is_null() {
                continue;
            }
            let mut at = self.group_of(thread.object)?;
            let mut depth = 0u32;
            while below && at != group && !at.is_null() {
                at = Reference(self.get_field(at, "parent")?);
                depth += 1;
            }
            if at == group {
                members.push((depth, thread.born, thread.object));
            }
        }
        // Groups list their own threads first.
        members.sort_by_key(|member| (member.0, member.1));
        Ok(members.into_iter().map(|member| member.2).collect())
    }

    /// How many threads a group has.
    pub(super) fn count_members(
        &mut self,
        group: Reference,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        if self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        let count = self.members(group, true)?.len() as u64;
        Ok(OperationResult::Done(Some(count)))
    }

    /// Writes the threads of a group into an array, as far as there is room; says how many.
    pub(super) fn enumerate_members(
        &mut self,
        arguments: &[u64],
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let [group, array, ..] = arguments else {
            return Err(
                Fault::internal("the threads of a group are listed without an array").into()
            );
        };
        let (group, array) = (Reference(*group), Reference(*array));
        if array.is_null() {
            return Err(Trap::raise("java/lang/NullPointerException", None));
        }
        if self.heap.header(array).is_some_and(|header| header.has(SHARED)) {
            let what = "listing threads into an array that other threads can reach";
            return Err(Fault::unsupported(what).into());
        }
        if self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        let below = arguments.get(2).is_none_or(|word| *word != 0);
        let members = self.members(group, below)?;
        let room = self.length(array)? as usize;
        for (index, thread) in members.iter().take(room).enumerate() {
            self.store(array, ARRAY_HEADER_WORDS + index as u32, thread.0)?;
        }
        Ok(OperationResult::Done(Some(members.len().min(room) as u64)))
    }

    /// An array of all threads of the program that have been started and have not ended.
    pub(super) fn all_threads(&mut self, perform: bool) -> Result<OperationResult, Trap> {
        if self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        let mut threads: Vec<(u32, Reference)> = Vec::new();
        for thread in self.threads.list.iter().flatten() {
            if thread.core.status != ThreadStatus::Terminated && !thread.object.is_null() {
                threads.push((thread.born, thread.object));
            }
        }
        threads.sort_by_key(|thread| thread.0);
        let class = self.load_class("java/lang/Thread")?;
        let class = self.array_class(class)?;
        let array = self.new_array(class, threads.len() as u32)?;
        for (index, thread) in threads.iter().enumerate() {
            self.store(array, ARRAY_HEADER_WORDS + index as u32, thread.1.0)?;
        }
        Ok(OperationResult::Done(Some(array.0)))
    }
}
