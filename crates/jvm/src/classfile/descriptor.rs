//! Field and method descriptors, and the kinds of values the machine tells apart.

use smallvec::SmallVec;

/// What a word of a frame holds. References are one kind: which class they have is checked where
/// it matters, at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `int` and everything that is widened to it.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A reference or null.
    Reference,
}

/// A type of a descriptor, with all references taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `boolean`.
    Boolean,
    /// `byte`.
    Byte,
    /// `char`.
    Char,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A class or array type.
    Reference,
}

impl Kind {
    /// Whether the JVM counts the value as two slots.
    pub fn is_wide(self) -> bool {
        matches!(self, Kind::Long | Kind::Double)
    }
}

impl Type {
    /// The kind of word that holds it.
    pub fn kind(self) -> Kind {
        match self {
            Type::Boolean | Type::Byte | Type::Char | Type::Short | Type::Int => Kind::Int,
            Type::Long => Kind::Long,
            Type::Float => Kind::Float,
            Type::Double => Kind::Double,
            Type::Reference => Kind::Reference,
        }
    }

    /// The type a descriptor letter starts.
    pub fn from_letter(letter: u8) -> Option<Type> {
        Some(match letter {
            b'Z' => Type::Boolean,
            b'B' => Type::Byte,
            b'C' => Type::Char,
            b'S' => Type::Short,
            b'I' => Type::Int,
            b'J' => Type::Long,
            b'F' => Type::Float,
            b'D' => Type::Double,
            b'L' | b'[' => Type::Reference,
            _ => return None,
        })
    }

    /// The letter of a primitive type, `L` for references.
    pub fn letter(self) -> char {
        match self {
            Type::Boolean => 'Z',
            Type::Byte => 'B',
            Type::Char => 'C',
            Type::Short => 'S',
            Type::Int => 'I',
            Type::Long => 'J',
            Type::Float => 'F',
            Type::Double => 'D',
            Type::Reference => 'L',
        }
    }

    /// The word for a primitive type in Java.
    pub fn keyword(self) -> &'static str {
        match self {
            Type::Boolean => "boolean",
            Type::Byte => "byte",
            Type::Char => "char",
            Type::Short => "short",
            Type::Int => "int",
            Type::Long => "long",
            Type::Float => "float",
            Type::Double => "double",
            Type::Reference => "reference",
        }
    }

    /// The type of a whole field descriptor, or `None` if it is not one.
    pub fn of_field(descriptor: &str) -> Option<Type> {
        let (found, rest) = split_type(descriptor)?;
        rest.is_empty().then(|| Type::from_letter(found.as_bytes()[0]))?
    }

    /// The logarithm of the size of an array element in bytes.
    pub fn shift(self) -> u32 {
        match self {
            Type::Boolean | Type::Byte => 0,
            Type::Char | Type::Short => 1,
            Type::Int | Type::Float => 2,
            Type::Long | Type::Double | Type::Reference => 3,
        }
    }
}

/// A parsed method descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodDescriptor {
    /// Types of the parameters.
    pub parameters: SmallVec<[Type; 8]>,
    /// Type of the result; `None` for `void`.
    pub result: Option<Type>,
}

impl MethodDescriptor {
    /// Parses a descriptor such as `(IJ)V`; `None` if it is not one.
    pub fn parse(descriptor: &str) -> Option<MethodDescriptor> {
        let mut rest = descriptor.strip_prefix('(')?;
        let mut parameters = SmallVec::new();
        let mut slots = 0;
        while !rest.starts_with(')') {
            let (found, tail) = split_type(rest)?;
            let parameter = Type::from_letter(found.as_bytes()[0])?;
            slots += if parameter.kind().is_wide() { 2 } else { 1 };
            if slots > 255 {
                return None;
            }
            parameters.push(parameter);
            rest = tail;
        }
        let result = match &rest[1..] {
            "V" => None,
            result => Some(Type::of_field(result)?),
        };
        Some(MethodDescriptor { parameters, result })
    }
}

/// Splits one type off the front of a descriptor.
pub fn split_type(descriptor: &str) -> Option<(&str, &str)> {
    let bytes = descriptor.as_bytes();
    let dimensions = bytes.iter().take_while(|byte| **byte == b'[').count();
    if dimensions > 255 {
        return None;
    }
    let end = match bytes.get(dimensions)? {
        b'L' => {
            let name = descriptor[dimensions..].find(';')?;
            if name == 1 {
                return None;
            }
            dimensions + name + 1
        }
        letter => {
            Type::from_letter(*letter)?;
            dimensions + 1
        }
    };
    Some(descriptor.split_at(end))
}

/// The parameter types and the result of a method descriptor, as text.
pub fn split_method(descriptor: &str) -> Option<(SmallVec<[&str; 8]>, &str)> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = SmallVec::new();
    while !rest.starts_with(')') {
        let (found, tail) = split_type(rest)?;
        parameters.push(found);
        rest = tail;
    }
    Some((parameters, &rest[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_parsed_or_rejected() {
        let parsed = MethodDescriptor::parse("(I[JLjava/lang/String;D)Z").expect("well formed");
        assert_eq!(
            parsed.parameters[..],
            [Type::Int, Type::Reference, Type::Reference, Type::Double]
        );
        assert_eq!(parsed.result, Some(Type::Boolean));
        for bad in ["", "()", "(I", "(L;)V", "(Q)V", "()VV", "(Ljava)V", "I", "([)V"] {
            assert_eq!(MethodDescriptor::parse(bad), None, "{bad}");
        }
        assert_eq!(Type::of_field("[[I"), Some(Type::Reference));
        assert_eq!(Type::of_field("II"), None);
    }
}
