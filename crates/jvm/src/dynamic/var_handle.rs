//! Variable handles: an object that names a field or the elements of an array type.
//!
//! The JDK implements their access methods with generated classes and method handles. The machine
//! makes a plain instance of `VarHandle` with four words of its own and performs accesses itself.
//!
//! A call may give other types than those of the variable: `Object o = HANDLE.get(x)` where the field is an `int`. Then
//! a small method of the caller's class, made once, converts arguments and result, and stands before the access in
//! its stead, so that an access itself always has the variable's own types.

use super::assemble::{Assembly, can_convert};
use super::native_bodies::Body;
use crate::classfile::descriptor::split_method;
use crate::classfile::{MethodDescriptor, Type, access};
use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::interpret::LoopControl;
use crate::interpret::access::{AccessKind, access_method};
use crate::interpret::arithmetic::int;
use crate::interpret::variable::MemoryCell;
use crate::machine::{Machine, Trap, raise};
use crate::memory::Reference;
use crate::world::{CallSite, ClassId, MethodId};

/// Sorts of variables, the first of the machine's own words.
const INSTANCE_FIELD: u64 = 0;
const STATIC_FIELD: u64 = 1;
const ARRAY_ELEMENT: u64 = 2;
/// Several elements of an array of bytes as one number; the next word tells the order.
const BYTE_VIEW: u64 = 3;

/// Types by number, as kept in the machine's own words.
pub(crate) const TYPES: [Type; 9] = [
    Type::Boolean,
    Type::Byte,
    Type::Char,
    Type::Short,
    Type::Int,
    Type::Long,
    Type::Float,
    Type::Double,
    Type::Reference,
];

impl Machine {
    /// A handle of a field of a class.
    pub(crate) fn field_handle(
        &mut self,
        class: ClassId,
        name: &str,
        is_static: bool,
    ) -> Result<Reference, Trap> {
        let Some(place) = self.world.field_named(class, name) else {
            let message = format!("no such field: {}.{name}", self.world.external_name(class));
            return Err(Trap::raise("java/lang/NoSuchFieldException", Some(message)));
        };
        let field = self.world.class(place.class).fields[place.index].clone();
        if field.is_static() != is_static {
            return raise(
                "java/lang/IllegalAccessException",
                format!("field {name} is static or not"),
            );
        }
        if is_static {
            self.initialize_now(place.class)?;
        }
        let sort = if is_static { STATIC_FIELD } else { INSTANCE_FIELD };
        self.new_var_handle([
            sort,
            u64::from(place.class.0),
            u64::from(field.word),
            field.kind as u64,
        ])
    }

    /// A handle of the elements of an array class.
    pub(crate) fn array_handle(&mut self, class: ClassId) -> Result<Reference, Trap> {
        let Some((_, kind)) = self.world.class(class).element() else {
            return raise("java/lang/IllegalArgumentException", "not an array type");
        };
        self.new_var_handle([ARRAY_ELEMENT, u64::from(class.0), 0, kind as u64])
    }

    /// A handle that sees an array of bytes as numbers of the elements of another array class.
    pub(crate) fn byte_view_handle(
        &mut self,
        class: ClassId,
        big_endian: bool,
    ) -> Result<Reference, Trap> {
        match self.world.class(class).element() {
            Some((_, kind)) if kind.shift() > 0 && kind != Type::Reference => {
                self.new_var_handle([BYTE_VIEW, u64::from(big_endian), 0, kind as u64])
            }
            _ => raise("java/lang/UnsupportedOperationException", "not an array of numbers"),
        }
    }

    /// Performs an access through a view of bytes that a thread stands at; none if it is another.
    fn invoke_byte_view(
        &mut self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<Option<LoopControl>, Trap> {
        let words = usize::from(instruction.b);
        let handle = Reference(self.operand(thread, words.saturating_sub(1))?);
        if handle.is_null() || words < 3 {
            return Ok(None);
        }
        let first = self.world.class(self.class_of(handle)?).instance_words.wrapping_sub(4);
        if self.load(handle, first)? != BYTE_VIEW {
            return Ok(None);
        }
        let big_endian = self.load(handle, first + 1)? != 0;
        let kind = TYPES[self.load(handle, first + 3)? as usize % TYPES.len()];
        let null = || Trap::raise("java/lang/NullPointerException", None);
        let array = Reference(self.operand(thread, words - 2)?).non_null().ok_or_else(null)?;
        let index = int(self.operand(thread, words - 3)?);
        let (length, size) = (self.length(array)?, 1u32 << kind.shift());
        if index < 0 || i64::from(index) + i64::from(size) > i64::from(length) {
            let bound = i64::from(length) - i64::from(size) + 1;
            let message = format!("Index {index} out of bounds for length {bound}");
            return raise("java/lang/IndexOutOfBoundsException", message);
        }
        if self.is_reached(array) {
            return self.view_in_sight(thread, instruction, (kind, big_endian)).map(Some);
        }
        self.check_known(array)?;
        let place = |byte: u32| index as u32 + if big_endian { size - 1 - byte } else { byte };
        let site = &self.world.call_sites[instruction.a as usize];
        let (atomic, has_result) = (access_method(site.mode).0, site.result.is_some());
        let mut result = 0;
        match atomic {
            AccessKind::Get => {
                for byte in 0..size {
                    let value = self.heap.element(array, place(byte), 0).unwrap_or(0);
                    result |= (value & 0xFF) << (8 * byte);
                }
                result = crate::interpret::variable::widen(result, kind);
            }
            AccessKind::Set => {
                let value = self.operand(thread, 0)?;
                let given = site.parameters.get(2).copied().unwrap_or(kind);
                let value = widen_argument(value, given, kind);
                for byte in 0..size {
                    let done =
                        self.heap.set_element(array, place(byte), 0, value >> (8 * byte) & 0xFF);
                    done.ok_or_else(crate::machine::bad_reference)?;
                }
            }
            _ => {
                let what = "atomic operations through a view of an array of bytes";
                return Err(Fault::unsupported(what).into());
            }
        }
        self.pop(thread, words)?;
        if has_result {
            self.push(thread, result)?;
        }
        self.core_mut(thread)?.pc += 1;
        Ok(Some(LoopControl::Reload))
    }

    /// Lets byte code perform an access through a view of bytes that others can reach.
    fn view_in_sight(
        &mut self,
        thread: usize,
        instruction: Instruction,
        (kind, big_endian): (Type, bool),
    ) -> Result<LoopControl, Trap> {
        let words = usize::from(instruction.b);
        let site = &self.world.call_sites[instruction.a as usize];
        let given = site.parameters.get(2).copied().unwrap_or(kind);
        let (array, index) = (self.operand(thread, words - 2)?, self.operand(thread, words - 3)?);
        let (body, value) = match access_method(site.mode).0 {
            AccessKind::Get => (Body::ReadBytes { kind, big_endian }, None),
            AccessKind::Set => {
                let value = widen_argument(self.operand(thread, 0)?, given, kind);
                (Body::WriteBytes { kind, big_endian }, Some(value))
            }
            _ => {
                let what = "atomic operations through a view of an array of bytes";
                return Err(Fault::unsupported(what).into());
            }
        };
        let method = self.body(body)?;
        self.pop(thread, words)?;
        for word in [array, index].into_iter().chain(value) {
            self.push(thread, word)?;
        }
        let resume = self.core(thread)?.pc + 1;
        self.push_frame(thread, method, crate::memory::Hook::None, resume)?;
        Ok(LoopControl::Reload)
    }

    fn new_var_handle(&mut self, words: [u64; 4]) -> Result<Reference, Trap> {
        let class = self.load_class("java/lang/invoke/VarHandle")?;
        let handle = self.new_object(class)?;
        let first = self.world.class(class).instance_words - 4;
        for (index, word) in words.iter().enumerate() {
            self.store(handle, first + index as u32, *word)?;
        }
        Ok(handle)
    }

    /// The class of the values of a handle's variables.
    pub(crate) fn variable_class(&mut self, handle: Reference) -> Result<ClassId, Trap> {
        let first = self.world.class(self.class_of(handle)?).instance_words.wrapping_sub(4);
        let (sort, owner) =
            (self.load(handle, first)?, ClassId(self.load(handle, first + 1)? as u32));
        let kind = TYPES[self.load(handle, first + 3)? as usize % TYPES.len()];
        if kind != Type::Reference {
            return Ok(self.known.primitives[kind as usize]);
        }
        if let Some((element, _)) = self.world.class(owner).element() {
            return Ok(element);
        }
        let word = self.load(handle, first + 2)? as u32;
        let fields = &self.world.class(owner).fields;
        let is_static = sort == STATIC_FIELD;
        let field =
            fields.iter().find(|field| field.word == word && field.is_static() == is_static);
        let descriptor = field.map(|field| self.world.symbols.text(field.descriptor).to_string());
        match descriptor {
            Some(descriptor) => self.load_descriptor(&descriptor),
            None => Err(crate::machine::bad_reference().into()),
        }
    }

    /// Whether an access with so many words is to an element of an array.
    pub(crate) fn is_array_handle(&self, thread: usize, words: usize) -> Result<bool, Trap> {
        let handle = self.operand(thread, words.saturating_sub(1)).map(Reference)?;
        if handle.is_null() {
            return Ok(false);
        }
        let class = self.class_of(handle)?;
        let first = self.world.class(class).instance_words.wrapping_sub(4);
        Ok(self.load(handle, first)? == ARRAY_ELEMENT)
    }

    /// The variable that an access names, and how many words name it, the handle included.
    pub(crate) fn var_handle_cell(
        &self,
        thread: usize,
        words: usize,
    ) -> Result<(MemoryCell, usize), Trap> {
        let argument = |index: usize| match words.checked_sub(index + 1) {
            Some(from_top) => self.operand(thread, from_top),
            None => Err(Fault::invalid("an access with too few arguments")),
        };
        let null = || Trap::raise("java/lang/NullPointerException", None);
        let handle = Reference(argument(0)?).non_null().ok_or_else(null)?;
        let class = self.class_of(handle)?;
        let first = self.world.class(class).instance_words.wrapping_sub(4);
        let word = |index: u32| self.load(handle, first.wrapping_add(index));
        let kind = TYPES[word(3)? as usize % TYPES.len()];
        match word(0)? {
            INSTANCE_FIELD => {
                let object = Reference(argument(1)?).non_null().ok_or_else(null)?;
                Ok((MemoryCell::field(object, word(2)? as u32, kind), 2))
            }
            STATIC_FIELD => {
                let class = self.world.classes.get(word(1)? as usize);
                let mirror = class.map_or(Reference::NULL, |class| class.mirror);
                Ok((MemoryCell::field(mirror, word(2)? as u32, kind), 1))
            }
            _ => {
                let array = Reference(argument(1)?).non_null().ok_or_else(null)?;
                let index = int(argument(2)?);
                let length = self.length(array)?;
                if index < 0 || index as u32 >= length {
                    let message = format!("Index {index} out of bounds for length {length}");
                    return raise("java/lang/ArrayIndexOutOfBoundsException", message);
                }
                Ok((MemoryCell::element(array, index as u32, kind), 3))
            }
        }
    }

    /// The variable that the access a thread stands before is about, and the call site.
    pub(crate) fn pending_var_handle(
        &self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<(MemoryCell, &CallSite), Trap> {
        let site = &self.world.call_sites[instruction.a as usize];
        let (cell, _) = self.var_handle_cell(thread, usize::from(instruction.b))?;
        Ok((cell, site))
    }

    /// The values that an access is given, converted to the variable's type.
    pub(crate) fn var_handle_values(
        &self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<smallvec::SmallVec<[u64; 2]>, Trap> {
        let words = usize::from(instruction.b);
        let (cell, used) = self.var_handle_cell(thread, words)?;
        let site = &self.world.call_sites[instruction.a as usize];
        let mut values = smallvec::SmallVec::new();
        for index in used..words {
            let word = self.operand(thread, words - index - 1)?;
            let given = site.parameters.get(index - 1).copied().unwrap_or(cell.kind);
            values.push(widen_argument(word, given, cell.kind));
        }
        Ok(values)
    }

    /// The types of an access, the handle not counted: where the variable is, what is given, and what comes back.
    fn access_types(
        &mut self,
        handle: Reference,
        words: [u64; 4],
        kind: AccessKind,
    ) -> Result<(Vec<String>, String), Trap> {
        let class = self.variable_class(handle)?;
        let variable = self.class_descriptor(class);
        let mut parameters = match words[0] {
            STATIC_FIELD => Vec::new(),
            BYTE_VIEW => vec!["[B".to_string(), "I".to_string()],
            sort => {
                let mut place = vec![self.class_descriptor(ClassId(words[1] as u32))];
                place.extend((sort == ARRAY_ELEMENT).then(|| "I".to_string()));
                place
            }
        };
        use AccessKind::{CompareAndExchange, CompareAndSet, Get, Set};
        let given = match kind {
            Get => 0,
            CompareAndSet | CompareAndExchange => 2,
            _ => 1,
        };
        parameters.extend(std::iter::repeat_n(variable.clone(), given));
        let result = match kind {
            Set => "V".to_string(),
            CompareAndSet => "Z".to_string(),
            _ => variable,
        };
        Ok((parameters, result))
    }

    /// The method that performs the access a thread stands before with the types of its call, if these are not those
    /// of the variable.
    fn access_adapter(
        &mut self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<Option<MethodId>, Trap> {
        let count = usize::from(instruction.b);
        let handle = Reference(self.operand(thread, count.saturating_sub(1))?);
        if handle.is_null() {
            return Ok(None);
        }
        let first = self.world.class(self.class_of(handle)?).instance_words.wrapping_sub(4);
        let mut words = [0; 4];
        for (index, word) in (first..).zip(&mut words) {
            *word = self.load(handle, index)?;
        }
        if let Some(known) = self.caches.access_adapters.get(&(instruction.a, words)) {
            return Ok(*known);
        }
        let site = &self.world.call_sites[instruction.a as usize];
        let (mode, given) = (site.mode, site.descriptor);
        let given = self.world.symbols.text(given).to_string();
        let (wanted, result) = self.access_types(handle, words, access_method(mode).0)?;
        let Some((parameters, site_result)) = split_method(&given) else {
            return Err(Fault::invalid(format!("the descriptor {given}")).into());
        };
        let mut pairs = parameters.iter().zip(&wanted);
        let fits = pairs.clone().all(|(from, to)| can_convert(from, to))
            && (site_result == "V" || can_convert(&result, site_result))
            && parameters.len() == wanted.len();
        if !fits {
            let wanted = format!("({}){result}", wanted.concat());
            let message = format!("handle's method type {wanted} but found {given}");
            return raise("java/lang/invoke/WrongMethodTypeException", message);
        }
        let is_exact =
            pairs.all(|(from, to)| from == to) && (site_result == "V" || site_result == result);
        let adapter = match is_exact {
            true => None,
            false => {
                let own = (parameters.as_slice(), site_result);
                Some(self.new_access_adapter(thread, mode, own, (&wanted, &result))?)
            }
        };
        self.caches.access_adapters.insert((instruction.a, words), adapter);
        Ok(adapter)
    }

    /// Writes such a method, with the types of the call and those of the access.
    fn new_access_adapter(
        &mut self,
        thread: usize,
        mode: u32,
        (given, given_result): (&[&str], &str),
        (wanted, wanted_result): (&[String], &str),
    ) -> Result<MethodId, Trap> {
        let wanted_result = if given_result == "V" { "V" } else { wanted_result };
        let exact = format!("({}){wanted_result}", wanted.concat());
        let types = MethodDescriptor::parse(&exact)
            .ok_or_else(|| Fault::invalid(format!("the descriptor {exact}")))?;
        let descriptor = self.world.symbols.intern(&exact);
        let (parameters, result) = (types.parameters, types.result);
        self.world.call_sites.push(CallSite { mode, parameters, result, descriptor });
        let site = self.world.call_sites.len() as u32 - 1;
        let words = wanted.len() as u32 + 1;
        let mut assembly = Assembly::default();
        assembly.with(Opcode::Load, 0);
        for (index, (from, to)) in (1..).zip(given.iter().zip(wanted)) {
            assembly.with(Opcode::Load, index);
            self.convert(&mut assembly, from, to)?;
        }
        assembly.push(Instruction::with2(Opcode::InvokeVarHandle, site, words as u16));
        match given_result {
            "V" => assembly.op(Opcode::Return),
            _ => {
                self.convert(&mut assembly, wanted_result, given_result)?;
                assembly.op(Opcode::ReturnWord);
            }
        }
        let own = format!("(Ljava/lang/invoke/VarHandle;{}){given_result}", given.concat());
        let caller = self.core(thread)?.method;
        let class = self.world.method(caller).class;
        let code = assembly.finish(words, words + 4);
        self.add_synthetic(class, "invoke", &own, access::STATIC, code)
    }

    /// Performs the access method that a thread stands at.
    pub(crate) fn invoke_var_handle(
        &mut self,
        thread: usize,
        instruction: Instruction,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        if let Some(adapter) = self.access_adapter(thread, instruction)? {
            return self.invoke(thread, adapter, false);
        }
        if let Some(flow) = self.invoke_byte_view(thread, instruction)? {
            return Ok(flow);
        }
        let words = usize::from(instruction.b);
        let (cell, _) = self.var_handle_cell(thread, words)?;
        if let Some(flow) = self.stops(self.is_visible_cell(cell), perform) {
            return Ok(flow);
        }
        let site = &self.world.call_sites[instruction.a as usize];
        let (mode, has_result) = (site.mode, site.result.is_some());
        let values = self.var_handle_values(thread, instruction)?;
        let (atomic, _) = access_method(mode);
        let result = self.perform(cell, atomic, &values)?;
        self.pop(thread, words)?;
        if has_result {
            self.push(thread, result)?;
        }
        self.core_mut(thread)?.pc += 1;
        Ok(LoopControl::Reload)
    }
}

/// Widens a primitive argument to the variable's type, as the call would.
pub(crate) fn widen_argument(word: u64, given: Type, wanted: Type) -> u64 {
    use crate::classfile::Kind;
    match (given.kind(), wanted.kind()) {
        (Kind::Int, Kind::Long) => i64::from(int(word)) as u64,
        (Kind::Int, Kind::Float) => u64::from((int(word) as f32).to_bits()),
        (Kind::Int, Kind::Double) => f64::from(int(word)).to_bits(),
        (Kind::Long, Kind::Float) => u64::from((word as i64 as f32).to_bits()),
        (Kind::Long, Kind::Double) => (word as i64 as f64).to_bits(),
        (Kind::Float, Kind::Double) => f64::from(f32::from_bits(word as u32)).to_bits(),
        _ => word,
    }
}
