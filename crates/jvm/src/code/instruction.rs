//! The instructions of the machine.

/// One instruction; what `a`, `b` and `c` mean depends on the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Instruction {
    /// The operation.
    pub op: Opcode,
    /// A small operand.
    pub c: u8,
    /// A medium operand, often a number of argument words.
    pub b: u16,
    /// A large operand: a constant, a target, a slot, an index or an identifier.
    pub a: u32,
}

impl Instruction {
    /// An instruction without operands.
    pub const fn new(op: Opcode) -> Instruction {
        Instruction { op, c: 0, b: 0, a: 0 }
    }

    /// An instruction with one operand.
    pub const fn with(op: Opcode, a: u32) -> Instruction {
        Instruction { op, c: 0, b: 0, a }
    }

    /// An instruction with two operands.
    pub const fn with2(op: Opcode, a: u32, b: u16) -> Instruction {
        Instruction { op, c: 0, b, a }
    }
}

/// Operations. Words have no types: an `int` is its 32 bits in the low half of a word, so many JVM
/// instructions are one operation here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Opcode {
    /// Never reached: code that no path leads to.
    Unreachable,
    /// Nothing.
    Nop,
    /// Pushes `a`.
    Constant,
    /// Pushes word `a` of the code's constants.
    ConstantWord,
    /// Pushes a reference into the permanent segment at `a`.
    ConstantReference,
    /// Pushes local `a`.
    Load,
    /// Pops into local `a`.
    Store,
    /// Adds the signed `b` to local `a`.
    Increment,
    /// Array loads by element size and sign; `float` and `double` are loaded as numbers of their size.
    LoadByte, LoadChar, LoadShort, LoadInt, LoadLong, LoadReference,
    /// Array stores.
    StoreByte, StoreShort, StoreInt, StoreLong, StoreReference,
    /// Stack shuffling, in words.
    Pop, Pop2, Duplicate, DuplicateX1, DuplicateX2, Duplicate2, Duplicate2X1, Duplicate2X2, Swap,
    /// `int` arithmetic.
    IntAdd, IntSubtract, IntMultiply, IntDivide, IntRemainder, IntNegate,
    IntShiftLeft, IntShiftRight, IntShiftUnsigned, IntAnd, IntOr, IntXor,
    /// `long` arithmetic.
    LongAdd, LongSubtract, LongMultiply, LongDivide, LongRemainder, LongNegate,
    LongShiftLeft, LongShiftRight, LongShiftUnsigned, LongAnd, LongOr, LongXor,
    /// `float` arithmetic.
    FloatAdd, FloatSubtract, FloatMultiply, FloatDivide, FloatRemainder, FloatNegate,
    /// `double` arithmetic.
    DoubleAdd, DoubleSubtract, DoubleMultiply, DoubleDivide, DoubleRemainder, DoubleNegate,
    /// Conversions.
    IntToLong, IntToFloat, IntToDouble, LongToInt, LongToFloat, LongToDouble,
    FloatToInt, FloatToLong, FloatToDouble, DoubleToInt, DoubleToLong, DoubleToFloat,
    IntToByte, IntToChar, IntToShort,
    /// Comparisons that push -1, 0 or 1; the name says what a NaN gives.
    LongCompare, FloatCompareLess, FloatCompareGreater, DoubleCompareLess, DoubleCompareGreater,
    /// Jumps to `a`, comparing an `int` with zero.
    IfZero, IfNotZero, IfNegative, IfNotNegative, IfPositive, IfNotPositive,
    /// Jumps to `a`, comparing two `int`s.
    IfIntEqual, IfIntNotEqual, IfIntLess, IfIntGreaterEqual, IfIntGreater, IfIntLessEqual,
    /// Jumps to `a`, comparing two references.
    IfReferenceEqual, IfReferenceNotEqual,
    /// Jumps to `a`, comparing a reference with null.
    IfNull, IfNonNull,
    /// Jumps to `a`.
    Goto,
    /// Jumps by table `a` of the code's switches.
    Switch,
    /// Returns, without or with a word.
    Return, ReturnWord,
    /// Throws the popped exception.
    Throw,
    /// Pushes the length of an array.
    ArrayLength,
    /// Locks or unlocks the popped object.
    MonitorEnter, MonitorExit,
    /// A new array of primitives; `a` is the class file's number of the element type.
    ResolveNewArray,

    /// Instructions that still name entry `a` of the constant pool; `b` counts argument words, and
    /// `c` is 1 where a result is pushed.
    ResolveConstant, ResolveGetStatic, ResolvePutStatic, ResolveGetField, ResolvePutField,
    ResolveInvokeVirtual, ResolveInvokeSpecial, ResolveInvokeStatic, ResolveInvokeInterface, ResolveInvokeDynamic,
    ResolveNew, ResolveReferenceArray, ResolveMultiArray, ResolveCheckCast, ResolveInstanceOf,

    /// Field `a` (a word of the object) of the popped object. `Hidden` fields cannot change while
    /// others look, so that reading them is no visible operation.
    GetField, GetFieldHidden,
    /// Stores; `Reference` ones publish what they store if the object is shared.
    PutField, PutFieldReference, PutFieldHidden,
    /// Static field at word `a` of the permanent segment; `b` is the index of its class in the
    /// code's class table plus one if that class may still need initialisation.
    GetStatic, GetStaticHidden, PutStatic, PutStaticReference,
    /// Stores an array that nobody will write any more once it is filled.
    PutStaticFrozen,
    /// Calls of method `a`; the `Initialize` form initialises its class first.
    InvokeStatic, InvokeStaticInitialize, InvokeSpecial,
    /// Calls the receiver's own implementation of method `a`, with `b` argument words.
    InvokeVirtual,
    /// Calls the implementation of interface method `a`, with `b` argument words.
    InvokeInterface,
    /// Calls of signature-polymorphic methods: call site `a`, `b` argument words.
    InvokeHandle, InvokeVarHandle,
    /// A new instance of class `a`.
    New, NewInitialize,
    /// A new array of class `a`.
    NewArray,
    /// A new array of class `a` with `b` dimensions given.
    MultiArray,
    /// Type checks against class `a`.
    CheckCast, InstanceOf,
    /// A new instance of lambda class `a` with `b` captured words.
    NewLambda,
    /// Initialises class `a` and goes on; starts every class initialiser.
    InitializeClass,
    /// Concatenates according to recipe `a`, with `b` argument words.
    Concatenate,
    /// Selects a case of type switch `a`: pops restart index and target, pushes the case.
    SelectCase,
}
