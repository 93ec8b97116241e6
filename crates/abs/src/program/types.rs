//! Resolved types, and the functions that only a machine can compute.

use std::sync::Arc;

use super::ids::{ClassId, DataTypeId, InterfaceId};

/// A type. Type synonyms are gone, and so are annotations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Anything: what is left open in `Nil`, and the type of what could not be typed.
    Open,
    /// `Int`
    Integer,
    /// `Rat`
    Rational,
    /// `Float`
    Float,
    /// `String`
    String,
    /// A data type with its arguments.
    Data(DataTypeId, Vec<Type>),
    /// `Fut<T>`
    Future(Box<Type>),
    /// `Destiny`, any future
    Destiny,
    /// An interface.
    Interface(InterfaceId),
    /// What `this` and `new` give; never written.
    Class(ClassId),
    /// The type of `null`.
    Null,
    /// A type parameter of the function or data type at hand, by its number there.
    Parameter(u16, Arc<str>),
}

impl Type {
    /// `Bool`
    pub const BOOL: Type = Type::Data(DataTypeId::BOOL, Vec::new());
    /// `Unit`
    pub const UNIT: Type = Type::Data(DataTypeId::UNIT, Vec::new());
    /// `Exception`
    pub const EXCEPTION: Type = Type::Data(DataTypeId::EXCEPTION, Vec::new());

    /// `List<T>`
    pub fn list(element: Type) -> Type {
        Type::Data(DataTypeId::LIST, vec![element])
    }

    /// Whether values of this type are objects or futures, or null.
    pub fn is_reference(&self) -> bool {
        matches!(
            self,
            Type::Interface(_) | Type::Class(_) | Type::Null | Type::Future(_) | Type::Destiny
        )
    }
}

macro_rules! builtins {
    ($($(#[$documentation:meta])* $variant:ident = $module:literal $name:literal;)*) => {
        /// A function whose body is `builtin` in the library: ABS itself cannot express it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Builtin {
            $($(#[$documentation])* $variant,)*
        }

        impl Builtin {
            /// All of them.
            pub const ALL: &'static [Builtin] = &[$(Builtin::$variant),*];

            /// The library module and the name it has there.
            pub fn name(self) -> (&'static str, &'static str) {
                match self {
                    $(Builtin::$variant => ($module, $name),)*
                }
            }
        }
    };
}

builtins! {
    /// The larger of two values by `<`.
    Max = "ABS.StdLib" "max";
    /// The smaller of two values by `<`.
    Min = "ABS.StdLib" "min";
    /// The absolute value of a number of any kind.
    Abs = "ABS.StdLib" "abs";
    /// The square root of a `Float`.
    SquareRoot = "ABS.StdLib" "sqrt";
    /// The natural logarithm of a `Float`.
    Logarithm = "ABS.StdLib" "log";
    /// The exponential function of a `Float`.
    Exponential = "ABS.StdLib" "exp";
    /// A number from zero to below the argument, a free choice.
    Random = "ABS.StdLib" "random";
    /// A `Rat` rounded toward zero.
    Truncate = "ABS.StdLib" "truncate";
    /// A `Rat` as a `Float`.
    ToFloat = "ABS.StdLib" "float";
    /// A `Float` as a `Rat`, exactly.
    ToRational = "ABS.StdLib" "rat";
    /// A `Float` rounded down.
    Floor = "ABS.StdLib" "floor";
    /// A `Float` rounded up.
    Ceiling = "ABS.StdLib" "ceil";
    /// The numerator of a reduced fraction.
    Numerator = "ABS.StdLib" "numerator";
    /// The denominator of a reduced fraction.
    Denominator = "ABS.StdLib" "denominator";
    /// A value as text.
    ToString = "ABS.StdLib" "toString";
    /// A part of a string: start and length, in characters.
    Substring = "ABS.StdLib" "substr";
    /// The length of a string, in characters.
    StringLength = "ABS.StdLib" "strlen";
    /// Writes a line to the log.
    PrintLine = "ABS.StdLib" "println";
    /// Writes to the log.
    Print = "ABS.StdLib" "print";
    /// Reads a line of input.
    ReadLine = "ABS.StdLib" "readln";
    /// The model's clock, as a `Rat`.
    Clock = "ABS.StdLib" "currentms";
    /// Milliseconds of the host since the model started.
    HostMilliseconds = "ABS.StdLib" "ms_since_model_start";
    /// The deployment component that the running task is on.
    ThisComponent = "ABS.DC" "thisDC";
    /// What is left of the task's deadline, negative if it has none.
    Deadline = "ABS.StdLib" "lowlevelDeadline";
}
