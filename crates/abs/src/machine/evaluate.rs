//! The part of the machine that computes: everything between two effects.
//!
//! [`run`] executes instructions until it meets one that concerns other tasks or the outside (a call
//! of a method, an object creation, a wait, a print), until a frame returns that is not a plain
//! call, or until an exception is raised. What it may read and write of the heap is behind
//! [`Memory`], so that the same code evaluates the guards of sleeping tasks without changing
//! anything.

use std::cell::Cell;

use counterpoint_model::{Interrupt, Pid, SMALL};
use counterpoint_symbolic::Term;
use smallvec::SmallVec;

use crate::program::{
    Arguments, Body, BodyId, Comparison, ConstructorId, Failure, Instruction, Operand, Place,
};

use super::builtins;
use super::coverage::Marks;
use super::number::{self, NO_MATCH};
use super::universe::Universe;
use super::unknown::repetition::Iterations;
use super::unknown::{Cut, Need, Unknowns};
use super::value::{Value, compare_at, equal_at};
use super::visited::Visited;

/// How deep calls may nest.
const MOST_FRAMES: usize = 1_000_000;

/// After how much work to look whether the run is interrupted. Between two jumps back there can be thousands of tests.
const CHUNK: u64 = 2_048;

/// What happens when a frame returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FrameKind {
    /// The caller goes on with the result.
    Call,
    /// The task ends with the result.
    Root,
    /// The object has been created.
    Init,
    /// The object has dealt with an exception, or not.
    Recover,
}

/// One activation.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub body: u32,
    /// The next instruction, or the one that is waiting.
    pub next: u32,
    /// Its first slot in the stack.
    pub base: u32,
    /// The cell of the first field of `this`.
    pub fields: u32,
    pub kind: FrameKind,
    /// Where the caller wants the result.
    pub to: Place,
    pub this: Value,
    /// How far it is with its loops, where unknowns limit them.
    pub progress: Option<Box<Iterations>>,
}

/// The frames of the running task.
#[derive(Clone, Default)]
pub(crate) struct Stack {
    pub frames: Vec<Frame>,
    pub slots: Vec<Value>,
    pub destiny: Value,
    /// How many instructions were executed on this path, and how many may be, where there are unknowns.
    pub instructions: u64,
    pub most_instructions: u64,
    /// How many more jumps back and calls the step may make before it looks up. What takes as long as
    /// many of them counts as many.
    work: u64,
    /// How much work there is after that.
    left: u64,
    /// What was done since and takes time, and is not accounted for yet.
    debt: Cell<u64>,
    /// What may end the run in the middle of a step.
    pub interrupt: Interrupt,
    /// The statements executed, if anybody wants to know.
    pub visited: Visited,
    /// The instructions executed in all steps, if anybody wants to know that instead.
    pub marks: Option<Box<Marks>>,
}

impl Stack {
    pub fn reset(&mut self, task: Pid, work: u64) {
        self.frames.clear();
        self.slots.clear();
        self.destiny = Value::Future(task);
        self.allow(work);
    }

    /// Allows so much work from now on.
    pub fn allow(&mut self, work: u64) {
        self.work = work.min(CHUNK);
        self.left = work - self.work;
        self.debt.set(0);
    }

    /// How much work is left.
    pub fn remaining(&self) -> u64 {
        self.work + self.left
    }

    /// Accounts for one jump or call.
    #[inline(always)]
    pub fn spend(&mut self) -> Result<(), Signal> {
        if self.work == 0 {
            self.refill()?;
        }
        self.work -= 1;
        Ok(())
    }

    /// Accounts for something that takes as long, or needs as much memory, as many jumps do.
    #[inline]
    pub fn charge(&mut self, amount: u64) -> Result<(), Signal> {
        let mut amount = amount;
        if amount >= SMALL && !self.interrupt.has_room(amount) {
            return Err(Signal::Interrupted);
        }
        while amount > self.work {
            amount -= self.work;
            self.work = 0;
            self.refill()?;
        }
        self.work -= amount;
        Ok(())
    }

    /// Accounts for what could not be accounted for when it was done.
    #[inline(always)]
    fn settle(&mut self) -> Result<(), Signal> {
        if self.debt.get() == 0 { Ok(()) } else { self.charge(self.debt.take()) }
    }

    #[cold]
    fn refill(&mut self) -> Result<(), Signal> {
        if self.left == 0 {
            return Err(Signal::Exhausted);
        }
        if self.interrupt.poll() {
            return Err(Signal::Interrupted);
        }
        self.work = self.left.min(CHUNK);
        self.left -= self.work;
        Ok(())
    }

    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a running task has a frame")
    }

    pub fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a running task has a frame")
    }

    /// Counts an instruction; whether it is one too many.
    #[inline]
    fn is_too_long(&mut self) -> bool {
        self.instructions += 1;
        self.instructions > self.most_instructions
    }

    /// Enters a body whose arguments are the topmost slots.
    pub fn enter(
        &mut self,
        universe: &Universe<'_>,
        body: BodyId,
        kind: FrameKind,
        to: Place,
        this: Value,
    ) {
        let shape = universe.model.body(body);
        let base = self.slots.len() - shape.parameters as usize;
        let needed = base + shape.slots as usize;
        if needed > self.slots.capacity() {
            self.ask_for_room(needed);
        }
        self.slots.resize(needed, Value::Null);
        let fields = match this {
            Value::Object(object) => universe.fields_of(object),
            _ => 0,
        };
        let base = base as u32;
        let (body, progress) = (body.0, None);
        self.frames.push(Frame { body, next: 0, base, fields, kind, to, this, progress });
    }

    /// The slots, and soon the frames, will take twice the room that they have. If there is none, the step is left where it looks
    /// up next.
    #[cold]
    fn ask_for_room(&self, slots: usize) {
        let frames = self.frames.len() * size_of::<Frame>();
        self.interrupt.has_room((2 * (slots * size_of::<Value>() + frames)) as u64);
    }

    /// Notes that an instruction is executed.
    fn tell(&mut self, universe: &Universe<'_>, body: u32, instruction: u32) {
        if let Some(marks) = &mut self.marks {
            marks.reach(body, instruction);
            return;
        }
        self.visited.push(universe.site(body, instruction).0);
    }

    /// Drops the topmost frame.
    pub fn leave(&mut self) -> Frame {
        let frame = self.frames.pop().expect("a running task has a frame");
        self.slots.truncate(frame.base as usize);
        frame
    }
}

/// The fields of objects.
pub(crate) trait Memory {
    /// Whether values can be unknown.
    const OPEN: bool = false;

    /// Notes that a field is read.
    fn look(&mut self, cell: u32);
    /// The value of a field.
    fn get(&self, cell: u32) -> &Value;
    /// Changes a field. A field of an object under construction is nobody else's business.
    fn set(&mut self, cell: u32, value: Value, under_construction: bool);

    /// What a variable was bound to.
    #[inline(always)]
    fn deref<'v>(&'v self, value: &'v Value) -> &'v Value {
        value
    }

    /// The unknowns, where there are any.
    fn unknowns(&self) -> &Unknowns {
        unreachable!("there are no unknowns")
    }

    /// Whether a condition on unknowns holds, if that is decided.
    fn ask(&mut self, condition: Term) -> Result<bool, Need> {
        unreachable!("there is nothing unknown about {condition:?}")
    }
}

/// A look at memory that leaves no trace.
pub(crate) struct Frozen<'h>(pub &'h [Value]);

impl Memory for Frozen<'_> {
    fn look(&mut self, _: u32) {}

    fn get(&self, cell: u32) -> &Value {
        &self.0[cell as usize]
    }

    fn set(&mut self, _: u32, _: Value, _: bool) {
        unreachable!("guards write temporaries only");
    }
}

/// Why [`run`] stopped.
pub(crate) enum Signal {
    /// At an instruction that it does not execute.
    Effect,
    /// The topmost frame, not a plain call, returns this.
    Returned(Value),
    /// The condition of a guard has this value.
    Yielded(bool),
    /// The instruction at hand raises this.
    Raised(Value),
    /// The step has done more than it may.
    Exhausted,
    /// The instruction at hand looks at an unknown.
    Needs(Need),
    /// A limit on executions with unknowns is reached.
    Cut(Cut),
    /// The run is to be given up in the middle of the step.
    Interrupted,
}

/// Executes instructions of the topmost frame and of the functions it calls.
pub(crate) fn run<M: Memory, const TELL: bool>(
    universe: &Universe<'_>,
    stack: &mut Stack,
    memory: &mut M,
) -> Signal {
    loop {
        let frame = stack.top();
        let number = frame.body;
        let body = &universe.model.bodies[number as usize];
        let activation = Activation::of(frame);
        let mut next = frame.next;
        let signal = loop {
            let here = next;
            if TELL {
                stack.tell(universe, number, here);
            }
            if M::OPEN && stack.is_too_long() {
                break Some(Signal::Cut(Cut::Depth));
            }
            match activation.execute(universe, body, stack, memory, &mut next) {
                Executed::Next => {
                    next += 1;
                    if TELL && let Some(marks) = &mut stack.marks {
                        marks.go(number, here, false);
                    }
                    if M::OPEN && goes_on_too_long(memory, stack, body, here, next) {
                        break Some(Signal::Cut(Cut::Loops));
                    }
                }
                Executed::Moved => {
                    if TELL && let Some(marks) = &mut stack.marks {
                        marks.go(number, here, true);
                    }
                    if M::OPEN && goes_on_too_long(memory, stack, body, here, next) {
                        break Some(Signal::Cut(Cut::Loops));
                    }
                }
                Executed::Frames => break None,
                Executed::Signal(signal) => break Some(signal),
            }
        };
        if let Some(signal) = signal {
            if !matches!(signal, Signal::Returned(_)) {
                stack.top_mut().next = next;
            }
            return signal;
        }
    }
}

/// Whether a loop or a recursive function goes on after the last iteration that it may have.
#[inline]
fn goes_on_too_long<M: Memory>(
    memory: &M,
    stack: &mut Stack,
    body: &Body,
    here: u32,
    next: u32,
) -> bool {
    let unknowns = memory.unknowns();
    match unknowns.criteria.loops {
        Some(limit) => unknowns.repetition.moved(stack, body, here, next, limit),
        None => false,
    }
}

/// Whether the frame that was entered is one activation too many of a recursive function.
fn enters_too_deep<M: Memory>(
    memory: &M,
    stack: &mut Stack,
    replaced: Option<(u32, Option<Box<Iterations>>)>,
) -> bool {
    let unknowns = memory.unknowns();
    unknowns.repetition.entered(stack, replaced, unknowns.criteria.loops)
}

/// What an instruction did.
pub(crate) enum Executed {
    /// Go on with the next one.
    Next,
    /// Go on, the position is set.
    Moved,
    /// The topmost frame is another one.
    Frames,
    Signal(Signal),
}

/// What the instructions of one frame need of it.
pub(crate) struct Activation {
    base: usize,
    fields: u32,
    under_construction: bool,
}

impl Activation {
    fn of(frame: &Frame) -> Activation {
        Activation {
            base: frame.base as usize,
            fields: frame.fields,
            under_construction: frame.kind == FrameKind::Init,
        }
    }

    #[inline(always)]
    pub fn look<M: Memory>(&self, memory: &mut M, operand: Operand) {
        if let Operand::Field(field) = operand
            && !self.under_construction
        {
            memory.look(self.fields + u32::from(field.0));
        }
    }

    #[inline(always)]
    pub fn value<'v, M: Memory>(
        &self,
        universe: &'v Universe<'_>,
        stack: &'v Stack,
        memory: &'v M,
        operand: Operand,
    ) -> &'v Value {
        memory.deref(self.raw_value(universe, stack, memory, operand))
    }

    /// The same, with variables that are bound as they are.
    #[inline(always)]
    pub fn raw_value<'v, M: Memory>(
        &self,
        universe: &'v Universe<'_>,
        stack: &'v Stack,
        memory: &'v M,
        operand: Operand,
    ) -> &'v Value {
        match operand {
            Operand::Slot(slot) => &stack.slots[self.base + slot.index()],
            Operand::Field(field) => memory.get(self.fields + u32::from(field.0)),
            Operand::Constant(constant) => &universe.constants[constant.index()],
            Operand::This => &stack.top().this,
            Operand::Destiny => &stack.destiny,
        }
    }

    /// A value that is only moved about. Guards are evaluated again after each decision and must see which
    /// values were unknown, so there variables that are bound are moved as they are.
    #[inline(always)]
    fn moved_value<'v, M: Memory>(
        &self,
        universe: &'v Universe<'_>,
        stack: &'v Stack,
        memory: &'v M,
        operand: Operand,
    ) -> &'v Value {
        if M::OPEN && memory.unknowns().in_guard {
            return self.raw_value(universe, stack, memory, operand);
        }
        self.value(universe, stack, memory, operand)
    }

    #[inline(always)]
    pub fn write<M: Memory>(&self, stack: &mut Stack, memory: &mut M, to: Place, value: Value) {
        match to {
            Place::Nowhere => {}
            Place::Slot(slot) => stack.slots[self.base + slot.index()] = value,
            Place::Field(field) => {
                memory.set(self.fields + u32::from(field.0), value, self.under_construction);
            }
        }
    }

    /// Clones the arguments of a call onto the stack.
    fn push_arguments<M: Memory>(
        &self,
        universe: &Universe<'_>,
        body: &Body,
        stack: &mut Stack,
        memory: &mut M,
        arguments: Arguments,
    ) {
        for &operand in body.arguments(arguments) {
            self.look(memory, operand);
            let value = self.moved_value(universe, stack, memory, operand).clone();
            stack.slots.push(value);
        }
    }

    pub fn collect<M: Memory, const N: usize>(
        &self,
        universe: &Universe<'_>,
        body: &Body,
        stack: &Stack,
        memory: &mut M,
        arguments: Arguments,
    ) -> SmallVec<[Value; N]>
    where
        [Value; N]: smallvec::Array<Item = Value>,
    {
        let mut values = SmallVec::new();
        for &operand in body.arguments(arguments) {
            self.look(memory, operand);
            values.push(self.moved_value(universe, stack, memory, operand).clone());
        }
        values
    }

    #[inline(always)]
    fn execute<M: Memory>(
        &self,
        universe: &Universe<'_>,
        body: &Body,
        stack: &mut Stack,
        memory: &mut M,
        next: &mut u32,
    ) -> Executed {
        if M::OPEN
            && let Some(outcome) = self.execute_open(universe, body, stack, memory, next)
        {
            return outcome;
        }
        match body.code[*next as usize] {
            Instruction::Copy { to, from } => {
                self.look(memory, from);
                let value = self.moved_value(universe, stack, memory, from).clone();
                self.write(stack, memory, to, value);
            }
            Instruction::Unary { operation, to, operand } => {
                self.look(memory, operand);
                match number::unary(operation, self.value(universe, stack, memory, operand)) {
                    Ok(value) => self.write(stack, memory, to, value),
                    Err(exception) => return Executed::Signal(Signal::Raised(exception)),
                }
            }
            Instruction::Binary { operation, to, left, right } => {
                self.look(memory, left);
                self.look(memory, right);
                let cost = number::cost(
                    operation,
                    self.value(universe, stack, memory, left),
                    self.value(universe, stack, memory, right),
                );
                if cost > 0
                    && let Err(signal) = stack.charge(cost)
                {
                    return Executed::Signal(signal);
                }
                let left = self.value(universe, stack, memory, left);
                let right = self.value(universe, stack, memory, right);
                match number::binary(operation, left, right) {
                    Ok(value) => self.write(stack, memory, to, value),
                    Err(exception) => return Executed::Signal(Signal::Raised(exception)),
                }
            }
            Instruction::Compare { comparison, to, left, right } => {
                let truth = self.holds(universe, stack, memory, comparison, left, right);
                if let Err(signal) = stack.settle() {
                    return Executed::Signal(signal);
                }
                self.write(stack, memory, to, Value::bool(truth));
            }
            Instruction::Construct { to, constructor, arguments } => {
                let arguments = self.collect::<M, 2>(universe, body, stack, memory, arguments);
                self.write(stack, memory, to, Value::data(constructor, arguments));
            }
            Instruction::List { to, elements } => {
                let elements = self.collect::<M, 8>(universe, body, stack, memory, elements);
                self.write(stack, memory, to, Value::list(elements.into_iter()));
            }
            Instruction::Project { to, from, index } => {
                self.look(memory, from);
                let data = self.value(universe, stack, memory, from);
                match data.arguments().get(index as usize).cloned() {
                    Some(value) => self.write(stack, memory, to, value),
                    None => return Executed::Signal(Signal::Raised(NO_MATCH)),
                }
            }
            Instruction::Implements { to, object, interface } => {
                self.look(memory, object);
                let object = self.value(universe, stack, memory, object);
                let truth = implements(universe, object, interface);
                self.write(stack, memory, to, Value::bool(truth));
            }
            Instruction::Cast { to, object, interface } => {
                self.look(memory, object);
                let object = self.value(universe, stack, memory, object);
                let value = match implements(universe, object, interface) {
                    true => object.clone(),
                    false => Value::Null,
                };
                self.write(stack, memory, to, value);
            }
            Instruction::Call { to, function, arguments } => {
                if let Err(signal) = stack.spend() {
                    return Executed::Signal(signal);
                }
                if stack.frames.len() >= MOST_FRAMES {
                    let overflow = Value::Atom(ConstructorId::STACK_OVERFLOW);
                    return Executed::Signal(Signal::Raised(overflow));
                }
                stack.top_mut().next = *next;
                self.push_arguments(universe, body, stack, memory, arguments);
                let callee = universe.model.function(function).body;
                stack.enter(universe, callee, FrameKind::Call, to, Value::Null);
                if M::OPEN && enters_too_deep(memory, stack, None) {
                    return Executed::Signal(Signal::Cut(Cut::Loops));
                }
                return Executed::Frames;
            }
            Instruction::TailCall { function, arguments } => {
                if let Err(signal) = stack.spend() {
                    return Executed::Signal(signal);
                }
                let arguments = self.collect::<M, 4>(universe, body, stack, memory, arguments);
                let frame = stack.leave();
                stack.slots.extend(arguments);
                let callee = universe.model.function(function).body;
                stack.enter(universe, callee, frame.kind, frame.to, frame.this);
                if M::OPEN {
                    let replaced = Some((frame.body, frame.progress));
                    if enters_too_deep(memory, stack, replaced) {
                        return Executed::Signal(Signal::Cut(Cut::Loops));
                    }
                }
                return Executed::Frames;
            }
            Instruction::Builtin { to, builtin, arguments } => {
                if builtins::is_effect(builtin) {
                    return Executed::Signal(Signal::Effect);
                }
                let arguments = self.collect::<M, 4>(universe, body, stack, memory, arguments);
                match builtins::compute(universe, builtin, &arguments, Some(stack)) {
                    Ok(value) => {
                        if let Err(signal) = stack.charge(builtins::cost(&arguments, &value)) {
                            return Executed::Signal(signal);
                        }
                        self.write(stack, memory, to, value);
                    }
                    Err(exception) => return Executed::Signal(Signal::Raised(exception)),
                }
            }
            Instruction::Jump { target } => {
                if target <= *next
                    && let Err(signal) = stack.spend()
                {
                    return Executed::Signal(signal);
                }
                *next = target;
                return Executed::Moved;
            }
            Instruction::Branch { condition, otherwise } => {
                self.look(memory, condition);
                if !self.value(universe, stack, memory, condition).is_true() {
                    *next = otherwise;
                    return Executed::Moved;
                }
            }
            Instruction::Test { comparison, left, right, otherwise } => {
                let truth = self.holds(universe, stack, memory, comparison, left, right);
                if let Err(signal) = stack.settle() {
                    return Executed::Signal(signal);
                }
                if !truth {
                    *next = otherwise;
                    return Executed::Moved;
                }
            }
            Instruction::TestConstructor { subject, constructor, otherwise } => {
                self.look(memory, subject);
                let subject = self.value(universe, stack, memory, subject);
                if subject.constructor() != Some(constructor) {
                    *next = otherwise;
                    return Executed::Moved;
                }
            }
            Instruction::Return { value } => {
                self.look(memory, value);
                let value = self.value(universe, stack, memory, value).clone();
                if stack.top().kind != FrameKind::Call {
                    return Executed::Signal(Signal::Returned(value));
                }
                let frame = stack.leave();
                finish_call(stack, memory, frame.to, value);
                return Executed::Frames;
            }
            Instruction::Yield { value } => {
                self.look(memory, value);
                let truth = self.value(universe, stack, memory, value).is_true();
                return Executed::Signal(Signal::Yielded(truth));
            }
            Instruction::Fail { failure: Failure::NoMatch } => {
                return Executed::Signal(Signal::Raised(NO_MATCH));
            }
            Instruction::Assert { condition } => {
                self.look(memory, condition);
                if !self.value(universe, stack, memory, condition).is_true() {
                    let failed = Value::Atom(ConstructorId::ASSERTION_FAIL);
                    return Executed::Signal(Signal::Raised(failed));
                }
            }
            Instruction::Throw { exception, .. } => {
                self.look(memory, exception);
                let exception = self.value(universe, stack, memory, exception).clone();
                return Executed::Signal(Signal::Raised(exception));
            }
            Instruction::Die { .. }
            | Instruction::New { .. }
            | Instruction::SetDeadline { .. }
            | Instruction::Send { .. }
            | Instruction::CallMethod { .. }
            | Instruction::CallOwn { .. }
            | Instruction::Get { .. }
            | Instruction::Await { .. }
            | Instruction::Suspend
            | Instruction::Duration { .. } => return Executed::Signal(Signal::Effect),
        }
        Executed::Next
    }

    #[inline(always)]
    fn holds<M: Memory>(
        &self,
        universe: &Universe<'_>,
        stack: &Stack,
        memory: &mut M,
        comparison: Comparison,
        left: Operand,
        right: Operand,
    ) -> bool {
        self.look(memory, left);
        self.look(memory, right);
        let left = self.value(universe, stack, memory, left);
        let right = self.value(universe, stack, memory, right);
        match comparison {
            Comparison::Equal => equal_at(left, right, &stack.debt),
            Comparison::NotEqual => !equal_at(left, right, &stack.debt),
            Comparison::Less => compare_at(universe, left, right, &stack.debt).is_lt(),
            Comparison::LessEqual => compare_at(universe, left, right, &stack.debt).is_le(),
            Comparison::Greater => compare_at(universe, left, right, &stack.debt).is_gt(),
            Comparison::GreaterEqual => compare_at(universe, left, right, &stack.debt).is_ge(),
        }
    }
}

fn implements(
    universe: &Universe<'_>,
    object: &Value,
    interface: crate::program::InterfaceId,
) -> bool {
    match object {
        Value::Object(object) => {
            let class = universe.model.class(universe.class_of(*object));
            class.implements.binary_search(&interface).is_ok()
        }
        _ => false,
    }
}

/// Gives the topmost frame the result of the call it is at, and moves it on.
pub(crate) fn finish_call<M: Memory>(stack: &mut Stack, memory: &mut M, to: Place, value: Value) {
    write_place(stack, memory, to, value);
    stack.top_mut().next += 1;
}

/// Writes to a place of the topmost frame.
pub(crate) fn write_place<M: Memory>(stack: &mut Stack, memory: &mut M, to: Place, value: Value) {
    let frame = stack.frames.last().expect("a running task has a frame");
    match to {
        Place::Nowhere => {}
        Place::Slot(slot) => {
            let index = frame.base as usize + slot.index();
            stack.slots[index] = value;
        }
        Place::Field(field) => {
            let under_construction = frame.kind == FrameKind::Init;
            memory.set(frame.fields + u32::from(field.0), value, under_construction);
        }
    }
}

/// The value of an operand of the topmost frame.
pub(crate) fn read_operand<M: Memory>(
    universe: &Universe<'_>,
    stack: &Stack,
    memory: &mut M,
    operand: Operand,
) -> Value {
    let activation = Activation::of(stack.top());
    activation.look(memory, operand);
    activation.value(universe, stack, memory, operand).clone()
}

/// Clones the arguments of a call of the topmost frame onto the stack.
pub(crate) fn push_arguments<M: Memory>(
    universe: &Universe<'_>,
    stack: &mut Stack,
    memory: &mut M,
    arguments: Arguments,
) {
    let frame = stack.top();
    let body = &universe.model.bodies[frame.body as usize];
    let activation = Activation::of(frame);
    activation.push_arguments(universe, body, stack, memory, arguments);
}
