//! Checks that hidden code shares no variables with code in sight.
//!
//! **Problem.** An atomic call does not stop at the internals of its object (`atomic_call.rs`), and neither do the library's
//! own caches at theirs: others notice the call as a whole. That is right as long as such variables are used inside of
//! hidden code only. One that is read in sight elsewhere is read without anybody knowing who wrote it, so executions are
//! missed.
//!
//! **Idea.** Builds with debug assertions, which all tests are, remember for every variable of such an object whether it was
//! used in sight and whether out of it, and stop at the first one that was written in one of the two ways and used in the
//! other.
//!
//! **Cost.** None in other builds.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::machine::Machine;
use crate::memory::{Header, INTERNALS, LIBRARY, Reference};
use crate::world::{ClassId, MethodId};

/// Variables that are used in sight and out of it, but never without an operation in sight between the two: their class
/// and name.
const PROTECTED: &[(&str, &str)] = &[
    // A monitor protects it, which is taken in sight.
    ("java/util/TimerThread", "newTasksMayBeScheduled"),
    // The worker that runs a task sets it, and the task is in no queue from before that until after it.
    ("java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask", "time"),
];

/// Who has used a variable, by whether it was in sight.
#[derive(Debug, Default)]
struct Uses {
    by: [Option<MethodId>; 2],
    written: [bool; 2],
}

/// How the variables of internals have been used, in whatever execution.
#[derive(Debug, Default)]
pub(crate) struct HiddenUses(RefCell<FxHashMap<(ClassId, Reference, u32), Uses>>);

impl Machine {
    /// Notes that a method uses a variable of an object with this header.
    #[inline(always)]
    pub(crate) fn check_hidden(
        &self,
        header: u64,
        (object, word): (Reference, u32),
        (method, stops_at): (MethodId, u64),
        writes: bool,
    ) {
        if cfg!(debug_assertions) && header & (INTERNALS | LIBRARY) != 0 && self.concurrent {
            self.note_use(header, (object, word), (method, stops_at), writes);
        }
    }

    fn note_use(
        &self,
        header: u64,
        (object, word): (Reference, u32),
        (method, stops_at): (MethodId, u64),
        writes: bool,
    ) {
        let class = Header(header).class();
        let Some(field) = self.instance_field(class, word) else { return };
        let name = self.world.symbols.text(field.name);
        let is_protected = PROTECTED.contains(&(self.world.class_name(class), name));
        if self.nesting.permanent > 0 || field.is_final() || is_protected {
            return;
        }
        let mut all = self.hidden_uses.0.borrow_mut();
        let uses = all.entry((class, object, word)).or_default();
        let here = usize::from(header & stops_at != 0);
        uses.by[here] = Some(method);
        uses.written[here] |= writes;
        if let [Some(hidden), Some(visible)] = uses.by
            && uses.written != [false, false]
        {
            let [hidden, visible] = [hidden, visible].map(|method| self.world.method_name(method));
            panic!("not part of any footprint: `{name}`, which {visible} uses, in {hidden}");
        }
    }
}
