//! What each step of one execution depends on: which earlier steps gave it its values, and which decided that
//! it was taken at all.
//!
//! **Problem.** A story of a failure should have the steps on which the failure depends and no others. A
//! footprint says what a step touched; it does not say whether the thread has used what it read.
//!
//! **Idea.** A replay is followed instruction by instruction (dynamic slicing after Korel and Laski 1988, with
//! the implicit flows of information-flow analysis). Every word of a stack has a shadow, the *origin* of its
//! value: a set of steps. An instruction gives its results the origins of its operands; the result of
//! a visible operation has that step as its origin. A memory cell has the origin of what was stored last,
//! whoever stored it. A frame has the origin of its *decisions*: all conditions on which it has branched so
//! far, and those of its callers when they called. What a frame stores or returns, what it throws, and the
//! operations that it comes to depend on its decisions, too. A native gives its result, or if it has none the
//! objects that it was handed, the origins of all its arguments and of what is in them.
//!
//! **Representation.** Origins are nodes of a graph: a step, or the union of two nodes. Unions are made once
//! for each pair, and sets are written down only when somebody asks.
//!
//! **Invariant.** Too much is possible, too little is not, as far as values flow through instructions and
//! memory: decisions are forgotten only with their frame. Not followed is what natives keep in places of
//! their own. What passes between threads through operations of the machine is in the footprints.
//!
//! **Cost.** Some operations on small tables for each instruction, in replays only: the interpreter's loop
//! calls this from its watched form, as it does for `coverage.rs`.

use counterpoint_model::StepDependences;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Instruction, Opcode};
use crate::interpret::shuffle_words;
use crate::memory::{Core, Reference};
use crate::world::{MethodId, World};

/// How many unions are made before the execution is too long to be followed.
const MOST_NODES: usize = 1 << 23;

/// An origin: a node of the graph. The first one is the empty set.
type Origin = u32;
const NOWHERE: Origin = 0;

/// A node.
#[derive(Debug, Clone, Copy)]
enum Node {
    Nothing,
    Step(u32),
    Union(Origin, Origin),
}

/// Where a thread stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    /// Its number.
    pub thread: usize,
    /// The method of its top frame.
    pub method: MethodId,
    /// The instruction there.
    pub pc: usize,
    /// Where its locals start.
    pub base: usize,
    /// The first free word of the stack.
    pub sp: usize,
}

impl Position {
    /// Where a thread stands that does not run.
    pub fn of(thread: usize, core: &Core) -> Position {
        let (method, pc) = (core.method, core.pc as usize);
        Position { thread, method, pc, base: core.base as usize, sp: core.sp as usize }
    }
}

/// A memory cell: an object, and a word or element of it.
type Cell = (u64, u32);

/// All static fields are cells of this.
const STATICS: u64 = u64::MAX;

/// An instruction that a frame has come to. Whether it was executed shows at the next one.
#[derive(Debug, Clone)]
struct Visited {
    position: Position,
    instruction: Instruction,
    /// How many words it takes off the stack.
    operands: usize,
    /// The origin of all of them.
    origin: Origin,
    /// The cell it loads from or stores into.
    cell: Option<Cell>,
    /// The objects it is handed, if it is a call.
    objects: Vec<u64>,
    /// The step that it is the operation of.
    step: Option<u32>,
}

#[derive(Debug)]
struct Frame {
    base: usize,
    /// Of all that has led the thread here.
    decisions: Origin,
    visited: Option<Visited>,
}

#[derive(Debug, Default)]
struct ThreadOrigins {
    words: Vec<Origin>,
    frames: Vec<Frame>,
    /// Of an exception on its way to a handler.
    thrown: Option<Origin>,
    /// Of the exception that has ended it.
    failed: Option<Origin>,
}

/// The origins of all that there is in an execution.
#[derive(Debug)]
pub(crate) struct Dependences {
    nodes: Vec<Node>,
    unions: FxHashMap<(Origin, Origin), Origin>,
    threads: Vec<ThreadOrigins>,
    cells: FxHashMap<Cell, Origin>,
    /// Of all that was ever stored in an object.
    contents: FxHashMap<u64, Origin>,
    /// Of what natives may have stored in an object.
    native_stores: FxHashMap<u64, Origin>,
    /// Of each exception, where it was thrown first.
    first_throws: FxHashMap<u64, Origin>,
    /// The node of each step, what its operation depends on, and what its failure does.
    steps: Vec<(Origin, Origin, Origin)>,
    /// Whether what happens now is only tried.
    paused: bool,
}

impl Dependences {
    /// Of an execution that has not begun.
    pub fn new() -> Dependences {
        Dependences {
            nodes: vec![Node::Nothing],
            unions: FxHashMap::default(),
            threads: Vec::new(),
            cells: FxHashMap::default(),
            contents: FxHashMap::default(),
            native_stores: FxHashMap::default(),
            first_throws: FxHashMap::default(),
            steps: Vec::new(),
            paused: false,
        }
    }

    /// Whether what happens from now on is only tried and taken back.
    pub fn pause(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// A thread begins its next step with the operation before which it stands.
    pub fn begin_step(&mut self, world: &World, stack: &[u64], position: Position) {
        let step = self.steps.len() as u32;
        let node = self.node(Node::Step(step));
        self.steps.push((node, NOWHERE, NOWHERE));
        self.reach_frame(position);
        let Some(mut visited) = self.look(world, stack, position) else { return };
        visited.step = Some(step);
        let mut origin = self.union(visited.origin, self.decisions(position.thread));
        if let Some(cell) = visited.cell {
            let stored = self.in_cell(cell);
            origin = self.union(origin, stored);
        }
        self.steps[step as usize].1 = origin;
        self.set_visited(position.thread, Some(visited));
    }

    /// What the failure of the last step, which a thread has taken, depends on.
    pub fn fail(&mut self, thread: usize) {
        let Some(state) = self.threads.get(thread) else { return };
        let latest = || {
            let visited = state.frames.last().and_then(|frame| frame.visited.as_ref());
            visited.map_or(NOWHERE, |visited| visited.origin)
        };
        let (failed, latest) = (state.failed, latest());
        let origin = match failed {
            Some(origin) => origin,
            None => self.union(self.decisions(thread), latest),
        };
        if let Some(step) = self.steps.last_mut() {
            step.2 = origin;
        }
    }

    /// An exception is thrown where a thread stands, or thrown again.
    pub fn throw(&mut self, thread: usize, exception: u64) {
        if self.paused {
            return;
        }
        let origin = match self.threads.get(thread).and_then(|state| state.frames.last()) {
            Some(Frame { decisions, visited: Some(visited), .. }) => {
                let (decisions, origin) = (*decisions, visited.origin);
                let cell = visited.cell;
                let contents: Vec<Origin> =
                    visited.step.map(|step| self.steps[step as usize].0).into_iter().collect();
                let origin = contents.into_iter().fold(origin, |all, one| self.union(all, one));
                let stored = cell.map_or(NOWHERE, |cell| self.in_cell(cell));
                let origin = self.union(origin, stored);
                self.union(decisions, origin)
            }
            Some(frame) => frame.decisions,
            None => NOWHERE,
        };
        self.first_throws.entry(exception).or_insert(origin);
        self.thread(thread).thrown = Some(origin);
    }

    /// Nobody has caught the exception that was thrown last in a thread. What failed is what threw it first; a framework that
    /// has kept it, tidied up and thrown it again only passes it on.
    pub fn end_by_exception(&mut self, thread: usize, exception: u64) {
        let first = self.first_throws.get(&exception).copied();
        let state = self.thread(thread);
        if state.failed.is_none() {
            let thrown = state.thrown.take();
            state.failed = first.or(thrown);
        }
    }

    /// A thread has come to an instruction.
    pub fn visit(&mut self, world: &World, stack: &[u64], position: Position) {
        if self.paused || self.nodes.len() > MOST_NODES {
            return;
        }
        let again = self.arrive(world, position);
        let Some(mut visited) = self.look(world, stack, position) else { return };
        visited.step = again;
        self.set_visited(position.thread, Some(visited));
    }

    /// What the steps so far depend on, unless the execution was too long.
    pub fn written_down(&self) -> Option<Vec<StepDependences>> {
        if self.nodes.len() > MOST_NODES {
            return None;
        }
        let steps = self.steps.iter().map(|&(_, operation, failure)| StepDependences {
            operation: self.members(operation),
            failure: self.members(failure),
        });
        Some(steps.collect())
    }

    /// The steps that have led a thread to where it stands.
    pub fn standing(&self, thread: usize) -> Vec<usize> {
        let Some(frame) = self.threads.get(thread).and_then(|state| state.frames.last()) else {
            return Vec::new();
        };
        let mut steps = self.members(frame.decisions);
        if let Some(visited) = &frame.visited {
            steps.extend(self.members(visited.origin));
        }
        steps
    }

    /// Works out what the last instruction has done, now that a thread has come to another one. Says of which
    /// step that one is the operation, if the thread has only come to it again.
    fn arrive(&mut self, world: &World, now: Position) -> Option<u32> {
        let started = self.threads.get(now.thread).is_none_or(|state| state.frames.is_empty());
        if started {
            self.reach_frame(now);
            return None;
        }
        let mut left: Option<Origin> = None;
        while let Some(frame) = self.threads[now.thread].frames.last() {
            let ended = frame.base > now.base
                || frame.base == now.base
                    && frame.visited.as_ref().is_some_and(|visited| {
                        visited.position.method != now.method
                            || now.pc == 0 && leaves(visited.instruction.op)
                    });
            if !ended {
                break;
            }
            left = Some(self.leave_frame(now.thread));
        }
        // A thread that was inside of calls when it was first seen comes back to frames that are new.
        let is_deeper = |frame: &Frame| frame.base < now.base;
        match self.threads[now.thread].frames.last() {
            None => self.reach_frame(now),
            Some(frame) if is_deeper(frame) => {
                self.enter_frame(world, now);
                return None;
            }
            Some(_) => {}
        }
        let visited =
            self.threads[now.thread].frames.last_mut().and_then(|frame| frame.visited.take());
        let mut handlers = world.method(now.method).code.handlers.iter();
        if let Some(thrown) = self.threads[now.thread].thrown.take()
            && handlers.any(|handler| handler.target as usize == now.pc)
        {
            self.catch(now, thrown);
            return None;
        }
        match (visited, left) {
            (Some(visited), _) if visited.position == now => return visited.step,
            (Some(visited), left) => self.settle(visited, now, left),
            (None, Some(returned)) if returned != NOWHERE && now.sp > 0 => {
                self.set_word(now.thread, now.sp - 1, returned);
            }
            (None, _) => {}
        }
        None
    }

    /// Pops a frame. The origin of what it has returned.
    fn leave_frame(&mut self, thread: usize) -> Origin {
        let Some(frame) = self.threads[thread].frames.pop() else { return NOWHERE };
        match frame.visited {
            Some(visited) if visited.instruction.op == Opcode::ReturnWord => {
                self.union(visited.origin, frame.decisions)
            }
            _ => NOWHERE,
        }
    }

    /// A handler of the frame has taken an exception.
    fn catch(&mut self, now: Position, thrown: Origin) {
        let decisions = self.union(self.decisions(now.thread), thrown);
        if let Some(frame) = self.threads[now.thread].frames.last_mut() {
            frame.decisions = decisions;
        }
        if let Some(top) = now.sp.checked_sub(1) {
            self.set_word(now.thread, top, thrown);
        }
    }

    /// A thread has come to the first instruction of a call.
    fn enter_frame(&mut self, world: &World, now: Position) {
        let caller = self.threads[now.thread].frames.last();
        let mut decisions = caller.map_or(NOWHERE, |frame| frame.decisions);
        let mut arguments = usize::from(world.method(now.method).arguments);
        if let Some(visited) = caller.and_then(|frame| frame.visited.clone()) {
            if let Some(step) = visited.step {
                decisions = self.union(decisions, self.steps[step as usize].0);
            }
            if dispatches(visited.instruction.op) {
                let receiver = visited.position.sp.saturating_sub(visited.operands);
                decisions = self.union(decisions, self.word(now.thread, receiver));
            }
            if visited.position.sp.saturating_sub(visited.operands) != now.base {
                // The machine has called it, and its arguments come from who knows where.
                for place in now.base..now.base + arguments {
                    self.set_word(now.thread, place, visited.origin);
                }
            }
        } else {
            arguments = 0;
        }
        for place in now.base + arguments..now.sp {
            self.set_word(now.thread, place, NOWHERE);
        }
        self.threads[now.thread].frames.push(Frame { base: now.base, decisions, visited: None });
    }

    /// Makes the frame in which a thread stands the top one. A thread that is new has been started by the
    /// present step.
    fn reach_frame(&mut self, now: Position) {
        let begun = self.steps.last().map_or(NOWHERE, |step| step.0);
        let state = self.thread(now.thread);
        state.frames.retain(|frame| frame.base <= now.base);
        if state.frames.last().is_some_and(|frame| frame.base == now.base) {
            return;
        }
        let decisions = match state.frames.last() {
            Some(frame) => frame.decisions,
            None if now.thread == 0 => NOWHERE,
            None => begun,
        };
        state.frames.push(Frame { base: now.base, decisions, visited: None });
    }

    /// The effect of an instruction that was executed, in the frame in which the thread still is, given the
    /// origin of what a callee has returned.
    fn settle(&mut self, visited: Visited, now: Position, returned: Option<Origin>) {
        let Visited { position, instruction, operands, origin, cell, .. } = visited;
        let thread = position.thread;
        let step = visited.step.map(|step| self.steps[step as usize].0);
        let below = position.sp.saturating_sub(operands);
        if shuffle_words(instruction.op, &mut self.thread(thread).words, position.sp) {
            return;
        }
        match instruction.op {
            Opcode::Load => {
                let word = self.word(thread, position.base + instruction.a as usize);
                self.set_word(thread, position.sp, word);
            }
            Opcode::Store => {
                self.set_word(thread, position.base + instruction.a as usize, origin);
            }
            Opcode::Increment => {}
            op if decides(op) => {
                let origin = self.union(origin, step.unwrap_or(NOWHERE));
                let decisions = self.union(self.decisions(thread), origin);
                if let Some(frame) = self.threads[thread].frames.last_mut() {
                    frame.decisions = decisions;
                }
            }
            op if stores(op) => {
                let stored = match step {
                    Some(step) => step,
                    None => self.union(origin, self.decisions(thread)),
                };
                if let Some(cell) = cell {
                    self.store(cell, stored);
                }
            }
            _ => {
                let mut result = match (step, returned) {
                    (Some(step), _) => step,
                    (None, Some(returned)) => returned,
                    (None, None) => self.result(origin, cell, &visited.objects, now.sp == below),
                };
                if let (Some(_), Some(returned)) = (step, returned) {
                    result = self.union(result, returned);
                }
                for place in below..now.sp {
                    self.set_word(thread, place, result);
                }
            }
        }
    }

    /// The origin of what an instruction gives that no call has computed. A native without a result may have
    /// written to what it was handed.
    fn result(
        &mut self,
        origin: Origin,
        cell: Option<Cell>,
        objects: &[u64],
        writes: bool,
    ) -> Origin {
        let mut result = origin;
        if let Some(cell) = cell {
            let stored = self.in_cell(cell);
            result = self.union(result, stored);
        }
        for object in objects {
            let within = self.contents.get(object).copied().unwrap_or(NOWHERE);
            result = self.union(result, within);
            let stored = self.native_stores.get(object).copied().unwrap_or(NOWHERE);
            result = self.union(result, stored);
        }
        if result != NOWHERE && writes {
            for object in objects {
                let before = self.native_stores.get(object).copied().unwrap_or(NOWHERE);
                let after = self.union(before, result);
                self.native_stores.insert(*object, after);
            }
        }
        result
    }

    fn store(&mut self, cell: Cell, stored: Origin) {
        if stored == NOWHERE {
            self.cells.remove(&cell);
            return;
        }
        self.cells.insert(cell, stored);
        let before = self.contents.get(&cell.0).copied().unwrap_or(NOWHERE);
        let after = self.union(before, stored);
        self.contents.insert(cell.0, after);
    }

    /// The origin of what is in a cell.
    fn in_cell(&mut self, cell: Cell) -> Origin {
        let stored = self.cells.get(&cell).copied().unwrap_or(NOWHERE);
        let native = self.native_stores.get(&cell.0).copied().unwrap_or(NOWHERE);
        self.union(stored, native)
    }

    /// What an instruction is about to use.
    fn look(&mut self, world: &World, stack: &[u64], position: Position) -> Option<Visited> {
        let instruction = *world.method(position.method).code.instructions.get(position.pc)?;
        let operands = operands_of(world, instruction).min(position.sp);
        let mut origin = NOWHERE;
        for place in position.sp - operands..position.sp {
            origin = self.union(origin, self.word(position.thread, place));
        }
        let cell = cell_of(instruction, stack, position.sp);
        let objects = match is_call(instruction.op) {
            true => stack.get(position.sp - operands..position.sp)?.to_vec(),
            false => Vec::new(),
        };
        let is_object = |word: &u64| Reference(*word).segment() > 0;
        let objects = objects.into_iter().filter(is_object).collect();
        Some(Visited { position, instruction, operands, origin, cell, objects, step: None })
    }

    fn thread(&mut self, thread: usize) -> &mut ThreadOrigins {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, ThreadOrigins::default);
        }
        &mut self.threads[thread]
    }

    fn set_visited(&mut self, thread: usize, visited: Option<Visited>) {
        if let Some(frame) = self.thread(thread).frames.last_mut() {
            frame.visited = visited;
        }
    }

    fn decisions(&self, thread: usize) -> Origin {
        let frame = self.threads.get(thread).and_then(|state| state.frames.last());
        frame.map_or(NOWHERE, |frame| frame.decisions)
    }

    fn word(&self, thread: usize, place: usize) -> Origin {
        let state = self.threads.get(thread);
        state.and_then(|state| state.words.get(place)).copied().unwrap_or(NOWHERE)
    }

    fn set_word(&mut self, thread: usize, place: usize, origin: Origin) {
        let words = &mut self.thread(thread).words;
        if words.len() <= place {
            if origin == NOWHERE {
                return;
            }
            words.resize(place + 1, NOWHERE);
        }
        words[place] = origin;
    }

    fn node(&mut self, node: Node) -> Origin {
        self.nodes.push(node);
        (self.nodes.len() - 1) as Origin
    }

    fn union(&mut self, one: Origin, other: Origin) -> Origin {
        if one == other || other == NOWHERE {
            return one;
        }
        if one == NOWHERE {
            return other;
        }
        let pair = (one.min(other), one.max(other));
        // What was added last is often added again.
        if let Node::Union(first, second) = self.nodes[pair.1 as usize]
            && (first == pair.0 || second == pair.0)
        {
            return pair.1;
        }
        if let Some(&known) = self.unions.get(&pair) {
            return known;
        }
        let made = self.node(Node::Union(pair.0, pair.1));
        self.unions.insert(pair, made);
        made
    }

    /// The steps of an origin, in order.
    fn members(&self, origin: Origin) -> Vec<usize> {
        let mut steps = Vec::new();
        let mut seen: FxHashSet<Origin> = FxHashSet::default();
        let mut open = vec![origin];
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            match self.nodes[node as usize] {
                Node::Nothing => {}
                Node::Step(step) => steps.push(step as usize),
                Node::Union(one, other) => open.extend([one, other]),
            }
        }
        steps.sort_unstable();
        steps
    }
}

/// How many words an instruction takes off the stack.
fn operands_of(world: &World, instruction: Instruction) -> usize {
    use Opcode::*;
    let called = || usize::from(world.method(MethodId(instruction.a)).arguments);
    match instruction.op {
        Unreachable | Nop | Constant | ConstantWord | ConstantReference | Load | Increment
        | Goto | Return | ResolveConstant | ResolveGetStatic | GetStatic | GetStaticHidden
        | ResolveNew | New | NewInitialize | InitializeClass => 0,
        Store
        | Pop
        | Duplicate
        | IntNegate
        | LongNegate
        | FloatNegate
        | DoubleNegate
        | IntToLong
        | IntToFloat
        | IntToDouble
        | LongToInt
        | LongToFloat
        | LongToDouble
        | FloatToInt
        | FloatToLong
        | FloatToDouble
        | DoubleToInt
        | DoubleToLong
        | DoubleToFloat
        | IntToByte
        | IntToChar
        | IntToShort
        | IfZero
        | IfNotZero
        | IfNegative
        | IfNotNegative
        | IfPositive
        | IfNotPositive
        | IfNull
        | IfNonNull
        | Switch
        | ReturnWord
        | Throw
        | ArrayLength
        | MonitorEnter
        | MonitorExit
        | ResolveNewArray
        | ResolvePutStatic
        | ResolveGetField
        | ResolveReferenceArray
        | ResolveCheckCast
        | ResolveInstanceOf
        | GetField
        | GetFieldHidden
        | PutStatic
        | PutStaticReference
        | PutStaticFrozen
        | NewArray
        | CheckCast
        | InstanceOf => 1,
        StoreByte | StoreShort | StoreInt | StoreLong | StoreReference => 3,
        ResolveInvokeVirtual
        | ResolveInvokeSpecial
        | ResolveInvokeStatic
        | ResolveInvokeInterface
        | ResolveInvokeDynamic
        | ResolveMultiArray
        | InvokeVirtual
        | InvokeInterface
        | InvokeHandle
        | InvokeVarHandle
        | MultiArray
        | NewLambda
        | Concatenate => usize::from(instruction.b),
        InvokeStatic | InvokeStaticInitialize | InvokeSpecial => called(),
        _ => 2,
    }
}

/// The cell that an instruction reads or writes, given the stack before it.
fn cell_of(instruction: Instruction, stack: &[u64], sp: usize) -> Option<Cell> {
    use Opcode::*;
    let word = |from_top: usize| stack.get(sp.checked_sub(from_top)?).copied();
    match instruction.op {
        GetField | GetFieldHidden => Some((word(1)?, instruction.a)),
        PutField | PutFieldReference | PutFieldHidden => Some((word(2)?, instruction.a)),
        GetStatic | GetStaticHidden | PutStatic | PutStaticReference | PutStaticFrozen => {
            Some((STATICS, instruction.a))
        }
        LoadByte | LoadChar | LoadShort | LoadInt | LoadLong | LoadReference => {
            Some((word(2)?, word(1)? as u32))
        }
        StoreByte | StoreShort | StoreInt | StoreLong | StoreReference => {
            Some((word(3)?, word(2)? as u32))
        }
        _ => None,
    }
    .filter(|(object, _)| *object != Reference::NULL.0)
}

fn stores(op: Opcode) -> bool {
    use Opcode::*;
    matches!(
        op,
        PutField
            | PutFieldReference
            | PutFieldHidden
            | PutStatic
            | PutStaticReference
            | PutStaticFrozen
            | StoreByte
            | StoreShort
            | StoreInt
            | StoreLong
            | StoreReference
    )
}

fn decides(op: Opcode) -> bool {
    crate::code::is_branch(op) || op == Opcode::Switch
}

fn leaves(op: Opcode) -> bool {
    matches!(op, Opcode::Return | Opcode::ReturnWord | Opcode::Throw)
}

/// Whether which method it calls depends on the receiver.
fn dispatches(op: Opcode) -> bool {
    matches!(op, Opcode::InvokeVirtual | Opcode::InvokeInterface)
}

fn is_call(op: Opcode) -> bool {
    use Opcode::*;
    matches!(
        op,
        InvokeStatic
            | InvokeStaticInitialize
            | InvokeSpecial
            | InvokeVirtual
            | InvokeInterface
            | InvokeHandle
            | InvokeVarHandle
            | Concatenate
            | NewLambda
    )
}
