//! The numbers by which the parts of a model refer to each other.
//!
//! The numbers of what the machine itself must know are fixed, so that it can compare against constants.

macro_rules! id {
    ($(#[$documentation:meta])* $name:ident($raw:ty)) => {
        $(#[$documentation])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
        )]
        pub struct $name(pub $raw);

        impl $name {
            /// The number as an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// An index into [`Model::bodies`](super::Model::bodies).
    BodyId(u32)
}
id! {
    /// An index into [`Model::classes`](super::Model::classes).
    ClassId(u32)
}
id! {
    /// An index into [`Model::constants`](super::Model::constants).
    ConstantId(u32)
}
id! {
    /// An index into [`Model::constructors`](super::Model::constructors).
    ConstructorId(u32)
}
id! {
    /// An index into [`Model::data_types`](super::Model::data_types).
    DataTypeId(u32)
}
id! {
    /// An index into [`Model::functions`](super::Model::functions).
    FunctionId(u32)
}
id! {
    /// An index into [`Model::interfaces`](super::Model::interfaces).
    InterfaceId(u32)
}
id! {
    /// An index into [`Model::methods`](super::Model::methods).
    MethodId(u32)
}
id! {
    /// The name of a method: an index into [`Model::selectors`](super::Model::selectors).
    SelectorId(u32)
}
id! {
    /// A slot of a frame.
    SlotId(u16)
}
id! {
    /// A slot of an object.
    FieldId(u16)
}
id! {
    /// An index into [`Body::guards`](super::Body::guards).
    GuardId(u32)
}

macro_rules! fixed {
    ($kind:ident { $($name:ident = $value:expr, $written:literal;)* }) => {
        impl $kind {
            $(
                #[doc = concat!("`", $written, "`")]
                pub const $name: $kind = $kind($value);
            )*

            /// The fixed numbers and their names in the library.
            pub const FIXED: &'static [($kind, &'static str)] = &[$(($kind::$name, $written)),*];
        }
    };
}

fixed! {
    DataTypeId {
        BOOL = 0, "Bool";
        UNIT = 1, "Unit";
        EXCEPTION = 2, "Exception";
        LIST = 3, "List";
        SET = 4, "Set";
        MAP = 5, "Map";
        MAYBE = 6, "Maybe";
        PAIR = 7, "Pair";
        TIME = 8, "Time";
        DURATION = 9, "Duration";
    }
}

fixed! {
    ConstructorId {
        FALSE = 0, "False";
        TRUE = 1, "True";
        UNIT = 2, "Unit";
        NIL = 3, "Nil";
        CONS = 4, "Cons";
        EMPTY_SET = 5, "EmptySet";
        INSERT = 6, "Insert";
        EMPTY_MAP = 7, "EmptyMap";
        INSERT_ASSOC = 8, "InsertAssoc";
        NOTHING = 9, "Nothing";
        JUST = 10, "Just";
        PAIR = 11, "Pair";
        TIME = 12, "Time";
        DURATION = 13, "Duration";
        INFINITE_DURATION = 14, "InfDuration";
        DIVISION_BY_ZERO = 15, "DivisionByZeroException";
        ASSERTION_FAIL = 16, "AssertionFailException";
        PATTERN_MATCH_FAIL = 17, "PatternMatchFailException";
        NULL_POINTER = 18, "NullPointerException";
        STACK_OVERFLOW = 19, "StackOverflowEcxeption";
        HEAP_OVERFLOW = 20, "HeapOverflowException";
        KEYBOARD_INTERRUPT = 21, "KeyboardInterruptException";
        OBJECT_DEAD = 22, "ObjectDeadException";
    }
}

fixed! {
    InterfaceId {
        OBJECT = 0, "Object";
    }
}

fixed! {
    ConstantId {
        NULL = 0, "null";
        FALSE = 1, "False";
        TRUE = 2, "True";
        UNIT = 3, "Unit";
    }
}
