//! Pushing, popping and walking frames.

use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{
    Core, FRAME_HEADER_WORDS, FramePosition, HiddenMemory, Hook, Reference, Thread,
};
use crate::world::{MethodId, Visibility, World};

/// The frames of a thread from the top down, the bottom one excepted, which no method has.
pub(crate) fn frames<'a>(
    world: &'a World,
    thread: &'a Thread,
) -> impl Iterator<Item = FramePosition> + 'a {
    let core = &thread.core;
    let mut next = Some(FramePosition { method: core.method, pc: core.pc, base: core.base });
    std::iter::from_fn(move || {
        let frame = next.filter(|frame| frame.method != MethodId(0))?;
        next = caller(world, &thread.stack, frame);
        Some(frame)
    })
}

/// The frame below a frame, with its program counter at the call.
fn caller(world: &World, stack: &[u64], frame: FramePosition) -> Option<FramePosition> {
    let header = frame.base as usize + world.method(frame.method).code.local_words as usize;
    let (link, below) = (*stack.get(header)?, *stack.get(header + 1)?);
    let repeats =
        matches!(Hook::of(below), Hook::Initialized | Hook::Barrier | Hook::Helped | Hook::Again);
    let pc = if repeats { link as u32 } else { (link as u32).saturating_sub(1) };
    Some(FramePosition { method: MethodId((link >> 32) as u32), pc, base: (below >> 32) as u32 })
}

/// What a method does not stop at, given what its caller does not stop at.
#[inline(always)]
pub(crate) fn hidden_in_callee(visibility: Visibility, caller: HiddenMemory) -> HiddenMemory {
    match visibility {
        Visibility::Visible => HiddenMemory::NOTHING,
        Visibility::AsCaller => caller,
        Visibility::Hidden => caller.and(HiddenMemory::LIBRARY),
    }
}

impl Machine {
    /// The registers of a thread that exists.
    #[inline]
    pub(crate) fn core(&self, thread: usize) -> Result<&Core, Fault> {
        match self.threads.get(thread) {
            Some(thread) => Ok(&thread.core),
            None => Err(Fault::internal("a thread that does not exist is used")),
        }
    }

    /// The `java.lang.Thread` of a thread that exists.
    pub(crate) fn thread_object(&self, thread: usize) -> Result<Reference, Fault> {
        match self.threads.get(thread) {
            Some(thread) => Ok(thread.object),
            None => Err(Fault::internal("a thread that does not exist is used")),
        }
    }

    /// The registers of a thread that exists, for changing.
    #[inline]
    pub(crate) fn core_mut(&mut self, thread: usize) -> Result<&mut Core, Fault> {
        match self.threads.touch(thread) {
            Some(thread) => Ok(&mut thread.core),
            None => Err(Fault::internal("a thread that does not exist is used")),
        }
    }

    #[inline]
    pub(crate) fn thread_mut(&mut self, thread: usize) -> Result<&mut Thread, Fault> {
        match self.threads.touch(thread) {
            Some(thread) => Ok(thread),
            None => Err(Fault::internal("a thread that does not exist is used")),
        }
    }

    /// Pushes a word onto the operands of a thread's top frame.
    pub(crate) fn push(&mut self, thread: usize, word: u64) -> Result<(), Fault> {
        let state = self.thread_mut(thread)?;
        let sp = state.core.sp as usize;
        if state.stack.len() <= sp {
            state.stack.resize(sp + 1, 0);
        }
        state.stack[sp] = word;
        state.core.sp += 1;
        Ok(())
    }

    /// Pops words off the operands of a thread's top frame.
    pub(crate) fn pop(&mut self, thread: usize, count: usize) -> Result<(), Fault> {
        self.core_mut(thread)?.sp -= count as u32;
        Ok(())
    }

    /// A word of the operands, counted from the top.
    pub(crate) fn operand(&self, thread: usize, from_top: usize) -> Result<u64, Fault> {
        let state = self.threads.get(thread);
        let word = state
            .and_then(|state| state.stack.get((state.core.sp as usize).checked_sub(from_top + 1)?));
        word.copied().ok_or_else(|| Fault::internal("an operand is missing"))
    }

    /// Pushes a frame for a decoded method whose arguments are on the operand stack. The caller goes
    /// on at `resume`.
    pub(crate) fn push_frame(
        &mut self,
        thread: usize,
        target: MethodId,
        hook: Hook,
        resume: u32,
    ) -> Result<(), Trap> {
        let method = self.world.method(target);
        let (arguments, locals) = (u32::from(method.arguments), method.code.local_words);
        let visibility = method.visibility;
        let frame_words = method.frame_words();
        // An initialiser of the JDK must not fail for all executions because one is deep in calls.
        let limit = self.options.stack_words << u32::from(self.nesting.permanent > 0);
        let state = self.thread_mut(thread)?;
        let base = state.core.sp - arguments;
        let need = base as usize + frame_words;
        if need > limit {
            return Err(Trap::raise("java/lang/StackOverflowError", None));
        }
        if state.stack.len() < need {
            state.stack.resize(need.next_power_of_two().max(256), 0);
        }
        let header = (base + locals) as usize;
        state.stack[(base + arguments) as usize..header].fill(0);
        state.stack[header] = u64::from(state.core.method.0) << 32 | u64::from(resume);
        let caller = state.core.hidden;
        state.stack[header + 1] = u64::from(state.core.base) << 32 | caller.bits() | hook as u64;
        state.core.hidden = hidden_in_callee(visibility, caller);
        state.core.method = target;
        state.core.pc = 0;
        state.core.base = base;
        state.core.sp = base + locals + FRAME_HEADER_WORDS as u32;
        Ok(())
    }

    /// The hook of the top frame.
    #[inline]
    pub(crate) fn hook(&self, thread: usize) -> Result<Hook, Fault> {
        let core = self.core(thread)?;
        let header = core.base as usize + self.world.method(core.method).code.local_words as usize;
        let word = self.threads.get(thread).and_then(|state| state.stack.get(header + 1));
        word.map(|word| Hook::of(*word)).ok_or_else(|| Fault::internal("a frame has no header"))
    }

    /// The last local word of the top frame, where hooks keep what they need.
    pub(crate) fn last_local(&self, thread: usize) -> Result<u64, Fault> {
        let core = self.core(thread)?;
        let at = (core.base + self.world.method(core.method).code.local_words).checked_sub(1);
        let word =
            self.threads.get(thread).zip(at).and_then(|(state, at)| state.stack.get(at as usize));
        word.copied().ok_or_else(|| Fault::internal("a frame has no locals"))
    }

    /// The first local word of the top frame: the receiver, if the method has one.
    pub(crate) fn first_local(&self, thread: usize) -> Result<u64, Fault> {
        let base = self.core(thread)?.base as usize;
        let word = self.threads.get(thread).and_then(|state| state.stack.get(base));
        word.copied().ok_or_else(|| Fault::internal("a frame has no locals"))
    }

    /// Sets the last local word of the top frame.
    pub(crate) fn set_last_local(&mut self, thread: usize, word: u64) -> Result<(), Fault> {
        let core = self.core(thread)?;
        let at = (core.base + self.world.method(core.method).code.local_words) as usize - 1;
        self.thread_mut(thread)?.stack[at] = word;
        Ok(())
    }

    /// Pops the top frame with its arguments and goes back to the caller.
    pub(crate) fn pop_frame(&mut self, thread: usize) -> Result<(), Fault> {
        let core = self.core(thread)?;
        let header = core.base as usize + self.world.method(core.method).code.local_words as usize;
        let state = self.thread_mut(thread)?;
        let (link, below) = (state.stack[header], state.stack[header + 1]);
        state.core.sp = state.core.base;
        state.core.method = MethodId((link >> 32) as u32);
        state.core.pc = link as u32;
        state.core.base = (below >> 32) as u32;
        state.core.hidden = HiddenMemory::of(below);
        self.save_frame(thread)
    }

    /// Saves the top frame of a thread for the last mark, before it is changed.
    pub(crate) fn save_frame(&mut self, thread: usize) -> Result<(), Fault> {
        match self.threads.touch_frame(thread) {
            Some(_) => Ok(()),
            None => Err(Fault::internal("a thread that does not exist is used")),
        }
    }
}
