//! The interpreter loop.

use super::arithmetic::{from_int, int};
use super::compute::{
    binary, binary_opcode, comparison, comparison_opcode, divides, division, division_opcode,
    shuffle, shuffle_opcode, test, test_opcode, unary, unary_opcode,
};
use super::frame::hidden_in_callee;
use super::resolve::{HIDDEN, static_flag};
use super::unknown::misleading_number;
use super::unknown_box::identity_wanted;
use super::unknown_memory::set_unknown_element;
use crate::broken;
use crate::code::{Instruction, Opcode};
use crate::dependences::Position;
use crate::error::Fault;
use crate::machine::{
    INTERFACE_CACHE, Machine, Trap, bad_reference, flag_of_stored, no_array, out_of_memory, publish,
};
use crate::memory::{
    ARRAY_HEADER_WORDS, BOXED, FRAME_HEADER_WORDS, FROZEN, Header, HiddenMemory, PERMANENT,
    REACHED, Reference, Thread,
};
use crate::unknown::is_unknown;
use crate::unknown::operands::meets_unknown;
use crate::world::{ClassId, InitPolicy, MethodEntry, MethodId};

/// Why the loop came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The next instruction is a visible operation.
    Visible,
    /// The thread has ended.
    Ended,
    /// The program asked for its own end.
    Exited,
    /// A method called by the machine returned this word.
    Returned(u64),
    /// A method called by the machine threw this exception.
    Threw(Reference),
}

/// How to go on after a slow path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopControl {
    /// Reload the registers and go on.
    Reload,
    /// Leave the loop.
    Leave(StopReason),
}

impl Machine {
    /// Runs a thread until it stops. With `perform`, the visible operation it stands before is
    /// performed first.
    #[inline]
    pub(crate) fn run(&mut self, thread: usize, perform: bool) -> Result<StopReason, Fault> {
        if let Some(coverage) = &mut self.coverage {
            coverage.interrupt(thread);
        }
        if self.unknowns.active || self.coverage.is_some() || self.dependences.is_some() {
            self.run_loop::<true>(thread, perform)
        } else {
            self.run_loop::<false>(thread, perform)
        }
    }

    /// Runs a thread from one slow path to the next. With `UNKNOWNS`, the loop looks out for tokens and notes what
    /// is executed.
    fn run_loop<const UNKNOWNS: bool>(
        &mut self,
        thread: usize,
        mut perform: bool,
    ) -> Result<StopReason, Fault> {
        loop {
            if !UNKNOWNS && self.unknowns.active {
                return self.run_loop::<true>(thread, perform);
            }
            let control = match self.run_fast::<UNKNOWNS>(thread, &mut perform) {
                Ok(control) => control,
                Err(trap) => self.trap(thread, trap)?,
            };
            if let LoopControl::Leave(stop) = control {
                return Ok(stop);
            }
        }
    }

    /// The loop. It has many ways out: all of them write the registers back by a call and return what the slow
    /// path says, so that what is done most often lies close together. For `UNKNOWNS` see
    /// [`crate::unknown`], [`crate::coverage`] and [`crate::dependences`].
    fn run_fast<const UNKNOWNS: bool>(
        &mut self,
        thread: usize,
        perform: &mut bool,
    ) -> Result<LoopControl, Trap> {
        let Some(state) = self.threads.list.get_mut(thread).and_then(Option::as_mut) else {
            return Err(Fault::internal("a thread that does not exist runs").into());
        };
        let mut stack = std::mem::take(&mut state.stack);
        let core = state.core;
        let mut saved_from = state.saved_from as usize;
        let mut method = core.method;
        let mut pc = core.pc as usize;
        let mut base = core.base as usize;
        let mut sp = core.sp as usize;
        let mut hidden = core.hidden;
        let mut header = base + self.world.method(method).code.local_words as usize;
        let mut code: &[Instruction] = &self.world.method(method).code.instructions;
        // Which flags make an object one to stop at: while there is one thread, none; in a call
        // from the machine's own code, which cannot stop, meeting one is a fault. (Without shortcuts,
        // the library's own tables are such objects, too, and such calls need them.)
        let watched = self.nesting.machine_calls == 0 || !self.options.no_shortcuts;
        let observed =
            if self.concurrent && self.nesting.permanent == 0 && watched { REACHED } else { 0 };
        let mut stops_at = observed & hidden.stops_at();
        let can_stop = self.nesting.machine_calls == 0;

        // Writes the registers back, so that others can look at them or change them.
        macro_rules! slow {
            ($work:expr) => {{
                self.put_registers_back(thread, stack, Registers { method, pc, base, sp, hidden });
                return $work;
            }};
        }
        macro_rules! throw {
            ($class:expr) => {
                slow!(Err(Trap::raise($class, None)))
            };
            ($class:expr, $message:expr) => {
                slow!(Err(Trap::raise($class, Some($message))))
            };
        }
        // Stops before an operation that others can notice, unless this step is to perform it.
        macro_rules! visible {
            ($head:expr) => {
                if $head & stops_at != 0 && !std::mem::take(perform) && !broken::glues(code[pc].op)
                {
                    if !can_stop {
                        slow!(self.undeclared_here(thread))
                    }
                    let registers = Registers { method, pc, base, sp, hidden };
                    return self.stop_before(thread, stack, registers);
                }
            };
        }
        macro_rules! present {
            ($option:expr) => {
                match $option {
                    Some(value) => value,
                    None => slow!(Err(Trap::Fault(bad_reference()))),
                }
            };
        }
        // Leaves it to a method of the machine, which may have to perform the visible operation.
        macro_rules! hand_over {
            ($method:ident($($argument:expr),+)) => {{
                let perform = std::mem::take(perform);
                slow!(self.$method($($argument),+, perform))
            }};
        }
        macro_rules! object {
            ($word:expr) => {{
                let object = Reference($word);
                if object.is_null() {
                    throw!("java/lang/NullPointerException")
                }
                object
            }};
        }
        macro_rules! initialized {
            ($class:expr) => {
                if !self.is_initialized($class, thread) {
                    hand_over!(initialize(thread, $class))
                }
            };
        }
        macro_rules! push {
            ($word:expr) => {{
                stack[sp] = $word;
                sp += 1;
            }};
        }
        // A number that looks like a token is refused before it can be taken for one.
        macro_rules! number {
            ($word:expr) => {{
                let word: u64 = $word;
                if UNKNOWNS && is_unknown(word) {
                    slow!(Err(Trap::Fault(misleading_number())))
                }
                word
            }};
        }
        macro_rules! jump {
            ($target:expr) => {{
                let target = $target as usize;
                if target <= pc {
                    self.step.fuel = self.step.fuel.wrapping_sub(1);
                    if self.step.fuel == 0 {
                        pc = target;
                        slow!(self.refuel())
                    }
                }
                pc = target;
                continue;
            }};
        }
        macro_rules! array {
            ($array:expr, $index:expr) => {{
                let array = Reference($array);
                let index = int($index);
                if array.is_null() {
                    throw!("java/lang/NullPointerException")
                }
                let (head, length) = present!(self.heap.array_head(array));
                if index < 0 || index as u32 >= length {
                    throw!(
                        "java/lang/ArrayIndexOutOfBoundsException",
                        format!("Index {index} out of bounds for length {length}")
                    )
                }
                visible!(head);
                (array, index as u32)
            }};
        }
        macro_rules! array_load {
            ($shift:expr, $convert:expr) => {{
                let (array, index) = array!(stack[sp - 2], stack[sp - 1]);
                sp -= 1;
                stack[sp - 1] = $convert(present!(self.heap.element(array, index, $shift)));
                if UNKNOWNS
                    && $shift < 3
                    && let Some(token) = self.unknown_element(array, index, $shift)
                {
                    stack[sp - 1] = token;
                }
            }};
        }
        macro_rules! array_store {
            ($shift:expr) => {{
                let (array, index) = array!(stack[sp - 3], stack[sp - 2]);
                sp -= 3;
                if UNKNOWNS && $shift < 3 {
                    let place = (array, index, $shift);
                    let (world, heap) = (&self.world, &self.heap);
                    let word = stack[sp + 2];
                    stack[sp + 2] =
                        set_unknown_element(world, heap, &mut self.unknowns, place, word);
                }
                present!(self.heap.set_element(array, index, $shift, stack[sp + 2]));
            }};
        }
        macro_rules! invoke {
            ($target:expr) => {{
                let target: MethodId = $target;
                let callee = self.world.method(target);
                let new_base = sp - callee.arguments as usize;
                let head = new_base + callee.code.local_words as usize;
                let need = head + FRAME_HEADER_WORDS + callee.code.stack_words as usize;
                if callee.entry != MethodEntry::Code
                    || need > stack.len()
                    || self.step.fuel <= 1
                    || UNKNOWNS && callee.concretises
                {
                    hand_over!(invoke(thread, target))
                }
                self.step.fuel -= 1;
                // What earlier calls have left must not make two equal states different.
                stack[sp..head].fill(0);
                stack[head] = u64::from(method.0) << 32 | (pc + 1) as u64;
                stack[head + 1] = (base as u64) << 32 | hidden.bits();
                hidden = hidden_in_callee(callee.visibility, hidden);
                stops_at = observed & hidden.stops_at();
                (base, header, sp) = (new_base, head, head + FRAME_HEADER_WORDS);
                method = target;
                code = &callee.code.instructions;
                pc = 0;
                continue;
            }};
        }
        // Back to the caller, which has its frame saved if a mark may want it.
        macro_rules! leave {
            ($result:expr) => {{
                let result: Option<u64> = $result;
                let below = stack[header + 1];
                if below as u8 != 0 {
                    hand_over!(leave(thread, result))
                }
                let link = stack[header];
                sp = base;
                if let Some(word) = result {
                    push!(word);
                }
                method = MethodId((link >> 32) as u32);
                pc = link as u32 as usize;
                base = (below >> 32) as usize;
                hidden = HiddenMemory::of(below);
                stops_at = observed & hidden.stops_at();
                let caller = self.world.method(method);
                header = base + caller.code.local_words as usize;
                code = &caller.code.instructions;
                if base < saved_from {
                    self.threads.save_stack(thread, base as u32, &stack);
                    saved_from = base;
                }
                continue;
            }};
        }

        loop {
            let instruction = code[pc];
            if UNKNOWNS && let Some(coverage) = &mut self.coverage {
                coverage.visit(&self.world, method, pc, base);
            }
            if UNKNOWNS && let Some(dependences) = &mut self.dependences {
                let position = Position { thread, method, pc, base, sp };
                dependences.visit(&self.world, &stack, position);
            }
            if UNKNOWNS
                && (meets_unknown(instruction, &stack, base, sp)
                    || self.compares_boxes(instruction.op, &stack, sp))
            {
                hand_over!(unknown(thread, instruction))
            }
            match instruction.op {
                Opcode::Nop => {}
                Opcode::Constant => push!(u64::from(instruction.a)),
                Opcode::ConstantWord => {
                    push!(number!(self.world.method(method).code.words[instruction.a as usize]))
                }
                Opcode::ConstantReference => push!(Reference::new(PERMANENT, instruction.a).0),
                Opcode::Load => push!(stack[base + instruction.a as usize]),
                Opcode::Store => {
                    sp -= 1;
                    stack[base + instruction.a as usize] = stack[sp];
                }
                Opcode::Increment => {
                    let place = base + instruction.a as usize;
                    let amount = i32::from(instruction.b as i16);
                    stack[place] = from_int(int(stack[place]).wrapping_add(amount));
                }

                Opcode::LoadByte => array_load!(0, |word| from_int(i32::from(word as i8))),
                Opcode::LoadChar => array_load!(1, |word| word),
                Opcode::LoadShort => array_load!(1, |word| from_int(i32::from(word as i16))),
                Opcode::LoadInt => array_load!(2, |word| word),
                Opcode::LoadLong | Opcode::LoadReference => array_load!(3, |word| word),
                Opcode::StoreByte => array_store!(0),
                Opcode::StoreShort => array_store!(1),
                Opcode::StoreInt => array_store!(2),
                Opcode::StoreLong => array_store!(3),
                Opcode::StoreReference => {
                    let value = Reference(stack[sp - 1]);
                    let array = Reference(stack[sp - 3]);
                    if !array.is_null() && !value.is_null() && !self.can_store(array, value) {
                        let index = int(stack[sp - 2]);
                        slow!(self.bad_array_store(array, value, index))
                    }
                    let (array, index) = array!(stack[sp - 3], stack[sp - 2]);
                    let head = present!(self.heap.load(array, 0));
                    sp -= 3;
                    present!(self.heap.set_element(array, index, 3, value.0));
                    if let Some(flag) = flag_of_stored(&self.world, head, ARRAY_HEADER_WORDS) {
                        present!(publish(&self.world, &mut self.heap, value, flag));
                    }
                }

                shuffle_opcode!() => sp = shuffle(instruction.op, &mut stack, sp),
                unary_opcode!() => {
                    stack[sp - 1] = number!(unary(instruction.op, stack[sp - 1]));
                }
                binary_opcode!() => {
                    sp -= 1;
                    stack[sp - 1] = number!(binary(instruction.op, stack[sp - 1], stack[sp]));
                }
                division_opcode!() => {
                    if !divides(instruction.op, stack[sp - 1]) {
                        throw!("java/lang/ArithmeticException", "/ by zero".to_string())
                    }
                    sp -= 1;
                    stack[sp - 1] = number!(division(instruction.op, stack[sp - 1], stack[sp]));
                }
                test_opcode!() => {
                    sp -= 1;
                    if test(instruction.op, stack[sp]) {
                        jump!(instruction.a)
                    }
                }
                comparison_opcode!() => {
                    sp -= 2;
                    if comparison(instruction.op, stack[sp], stack[sp + 1]) {
                        jump!(instruction.a)
                    }
                }
                Opcode::Goto => jump!(instruction.a),
                Opcode::Switch => {
                    sp -= 1;
                    let switch = &self.world.method(method).code.switches[instruction.a as usize];
                    jump!(switch.target(int(stack[sp])))
                }

                Opcode::Return => leave!(None),
                Opcode::ReturnWord => leave!(Some(stack[sp - 1])),
                Opcode::Throw => {
                    let exception = object!(stack[sp - 1]);
                    slow!(Err(Trap::Throw(exception)))
                }
                Opcode::ArrayLength => {
                    let array = object!(stack[sp - 1]);
                    stack[sp - 1] = u64::from(present!(self.heap.length(array)));
                }
                Opcode::MonitorEnter | Opcode::MonitorExit => {
                    let object = object!(stack[sp - 1]);
                    let head = Header(present!(self.heap.load(object, 0)));
                    if UNKNOWNS && head.has(BOXED) {
                        slow!(Err(Trap::Fault(identity_wanted())))
                    }
                    let enters = instruction.op == Opcode::MonitorEnter;
                    let shared = head.0 & (REACHED | FROZEN) != 0;
                    if shared && observed != 0 && hidden != HiddenMemory::NOTHING {
                        hand_over!(contended(thread, instruction.op))
                    }
                    let Some(next) = head.taken_or_freed(thread, enters) else {
                        hand_over!(contended(thread, instruction.op))
                    };
                    // Locking again and unlocking but the last time is nobody else's business.
                    if shared && (head.owner().is_none() || next.owner().is_none()) {
                        visible!(REACHED);
                    }
                    let writes = self.heap.writes();
                    present!(self.heap.store(object, 0, next.0));
                    self.lock_writes += self.heap.writes() - writes;
                    if let Some(state) = self.threads.list[thread].as_mut() {
                        state.core.hold(object, if enters { 1 } else { -1 });
                    }
                    sp -= 1;
                }

                Opcode::GetField => {
                    let object = object!(stack[sp - 1]);
                    let (head, value) = present!(self.heap.load_field(object, instruction.a));
                    let place = (object, instruction.a);
                    self.check_hidden(head, place, (method, hidden.stops_at()), false);
                    visible!(head);
                    stack[sp - 1] = value;
                }
                Opcode::GetFieldHidden => {
                    let object = object!(stack[sp - 1]);
                    stack[sp - 1] = present!(self.heap.load(object, instruction.a));
                }
                Opcode::PutField | Opcode::PutFieldReference => {
                    let object = object!(stack[sp - 2]);
                    let head = present!(self.heap.load(object, 0));
                    if head & REACHED != 0 {
                        self.permanent_writes += u64::from(object.segment() == PERMANENT);
                        if instruction.c & HIDDEN == 0 {
                            let place = (object, instruction.a);
                            self.check_hidden(head, place, (method, hidden.stops_at()), true);
                            visible!(head);
                        }
                        if instruction.op == Opcode::PutFieldReference
                            && let Some(flag) = flag_of_stored(&self.world, head, instruction.a)
                        {
                            let value = Reference(stack[sp - 1]);
                            present!(publish(&self.world, &mut self.heap, value, flag));
                        }
                    }
                    present!(self.heap.store(object, instruction.a, stack[sp - 1]));
                    sp -= 2;
                }
                Opcode::PutFieldHidden => {
                    let object = object!(stack[sp - 2]);
                    self.permanent_writes += u64::from(object.segment() == PERMANENT);
                    present!(self.heap.store(object, instruction.a, stack[sp - 1]));
                    sp -= 2;
                }
                Opcode::GetStatic
                | Opcode::GetStaticHidden
                | Opcode::PutStatic
                | Opcode::PutStaticReference => {
                    if instruction.b != 0 {
                        let class =
                            self.world.method(method).code.classes[instruction.b as usize - 1];
                        initialized!(class);
                    }
                    if instruction.op != Opcode::GetStaticHidden {
                        visible!(static_flag(instruction.c));
                    }
                    let place = Reference::new(PERMANENT, instruction.a);
                    match instruction.op {
                        Opcode::GetStatic | Opcode::GetStaticHidden => {
                            push!(present!(self.heap.load(place, 0)))
                        }
                        _ => {
                            sp -= 1;
                            if instruction.op == Opcode::PutStaticReference {
                                let value = Reference(stack[sp]);
                                let flag = static_flag(instruction.c);
                                present!(publish(&self.world, &mut self.heap, value, flag));
                            }
                            present!(self.heap.store(place, 0, stack[sp]));
                        }
                    }
                }

                Opcode::InvokeStatic => invoke!(MethodId(instruction.a)),
                Opcode::InvokeStaticInitialize => {
                    let target = MethodId(instruction.a);
                    let class = self.world.method(target).class;
                    initialized!(class);
                    invoke!(target)
                }
                Opcode::InvokeSpecial => {
                    let target = MethodId(instruction.a);
                    let arguments = self.world.method(target).arguments as usize;
                    if stack[sp - arguments] == 0 {
                        throw!("java/lang/NullPointerException")
                    }
                    invoke!(target)
                }
                Opcode::InvokeVirtual => {
                    let receiver = object!(stack[sp - instruction.b as usize]);
                    let class = Header(present!(self.heap.load(receiver, 0))).class();
                    let named = self.world.method(MethodId(instruction.a));
                    let table = &self.world.class(class).vtable;
                    let target = *present!(table.get(named.vtable as usize));
                    // Only invalid code calls a method on an object that does not have it.
                    if self.world.method(target).descriptor != named.descriptor {
                        slow!(Err(Trap::Fault(bad_reference())))
                    }
                    invoke!(target)
                }
                Opcode::InvokeInterface => {
                    let receiver = object!(stack[sp - instruction.b as usize]);
                    let class = Header(present!(self.heap.load(receiver, 0))).class();
                    let wanted = MethodId(instruction.a);
                    let slot = (class.0.wrapping_mul(31) ^ wanted.0) as usize % INTERFACE_CACHE;
                    let cached = self.caches.interface_cache[slot];
                    if cached.0 != class || cached.1 != wanted {
                        slow!(self.find_implementation(class, wanted))
                    }
                    invoke!(cached.2)
                }
                Opcode::New => {
                    let class = ClassId(instruction.a);
                    let object = self.heap.allocate(self.segment, class, u32::from(instruction.b));
                    let Some(object) = object else { slow!(Err(out_of_memory())) };
                    push!(object.0);
                }
                Opcode::NewInitialize => {
                    let class = ClassId(instruction.a);
                    initialized!(class);
                    let words = self.world.class(class).instance_words;
                    let object = self.heap.allocate(self.segment, class, words);
                    let Some(object) = object else { slow!(Err(out_of_memory())) };
                    push!(object.0);
                }
                Opcode::NewArray => {
                    let class = ClassId(instruction.a);
                    let length = int(stack[sp - 1]);
                    if length < 0 {
                        throw!("java/lang/NegativeArraySizeException", length.to_string())
                    }
                    let (_, element) = present!(self.world.class(class).element());
                    let array =
                        self.heap.allocate_array(self.segment, class, element, length as u32);
                    let Some(array) = array else { slow!(Err(no_array(length as u32))) };
                    stack[sp - 1] = array.0;
                }
                Opcode::CheckCast => {
                    let object = Reference(stack[sp - 1]);
                    if !object.is_null() {
                        let class = Header(present!(self.heap.load(object, 0))).class();
                        if class.0 != instruction.a
                            && !self.world.is_subclass(class, ClassId(instruction.a))
                        {
                            slow!(self.bad_cast(object, ClassId(instruction.a)))
                        }
                    }
                }
                Opcode::InstanceOf => {
                    let object = Reference(stack[sp - 1]);
                    stack[sp - 1] = if object.is_null() {
                        0
                    } else {
                        let class = Header(present!(self.heap.load(object, 0))).class();
                        u64::from(self.world.is_subclass(class, ClassId(instruction.a)))
                    };
                }
                Opcode::NewLambda => {
                    let captured = usize::from(instruction.b);
                    let class = ClassId(instruction.a);
                    let object =
                        self.heap.allocate(self.segment, class, u32::from(instruction.b) + 1);
                    let Some(object) = object else { slow!(Err(out_of_memory())) };
                    sp -= captured;
                    for index in 0..captured {
                        present!(self.heap.store(object, index as u32 + 1, stack[sp + index]));
                    }
                    push!(object.0);
                }
                Opcode::InitializeClass => {
                    let class = ClassId(instruction.a);
                    if self.world.class(class).policy != InitPolicy::Done
                        && !self.is_initialized(class, thread)
                    {
                        hand_over!(initialize(thread, class))
                    }
                }
                _ => {
                    hand_over!(rare(thread, instruction))
                }
            }
            pc += 1;
        }
    }

    /// Writes the registers of a thread back before a slow path.
    #[cold]
    #[inline(never)]
    fn put_registers_back(&mut self, thread: usize, stack: Vec<u64>, registers: Registers) {
        if let Some(state) = self.threads.list[thread].as_mut() {
            state.put_back(stack, registers);
        }
    }

    /// The same where a thread stops before a visible operation.
    #[inline(never)]
    fn stop_before(
        &mut self,
        thread: usize,
        stack: Vec<u64>,
        registers: Registers,
    ) -> Result<LoopControl, Trap> {
        if let Some(state) = self.threads.list[thread].as_mut() {
            state.put_back(stack, registers);
        }
        Ok(LoopControl::Leave(StopReason::Visible))
    }
}

/// The registers of the thread that runs.
#[derive(Debug, Clone, Copy)]
struct Registers {
    method: MethodId,
    pc: usize,
    base: usize,
    sp: usize,
    hidden: HiddenMemory,
}

impl Thread {
    /// Takes back the stack and the registers that it has lent to the loop.
    #[inline(always)]
    fn put_back(&mut self, stack: Vec<u64>, registers: Registers) {
        self.stack = stack;
        self.core.method = registers.method;
        self.core.pc = registers.pc as u32;
        self.core.base = registers.base as u32;
        self.core.sp = registers.sp as u32;
        self.core.hidden = registers.hidden;
    }
}
