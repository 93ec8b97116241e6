//! References and object headers.
//!
//! A reference names an object by its creator: the upper half is the creating thread's segment, the
//! lower half the word in it at which the object starts. Since a thread's allocations depend on its
//! own past only, so do the names.
//!
//! An object is one header word and its fields, one word each. An array is a header word, a word
//! with its length, and its elements, packed.

use crate::world::ClassId;

/// Words before the fields of an object.
pub const OBJECT_HEADER_WORDS: u32 = 1;
/// Words before the elements of an array.
pub const ARRAY_HEADER_WORDS: u32 = 2;

/// Flag of an object of the program that more than one thread can reach.
pub const SHARED: u64 = 1 << 24;
/// Flag of an object whose content never changes any more, so that reading it is no visible
/// operation. It can still be locked.
pub const FROZEN: u64 = 1 << 25;

/// Flag of the inner object of a latch that one count opens.
pub const SINGLE_COUNT: u64 = 1 << 26;

/// Flag of the inner object of a lock whose read lock somebody holds.
pub const READ_HELD: u64 = 1 << 27;

/// Flag of a box of an unknown, which stands for the box that the JDK would keep of its number.
pub const BOXED: u64 = 1 << 28;

/// Flag of an object that threads reach through the library's own caches. Once it has this flag it keeps
/// it, also if the program gets hold of it later: otherwise what one thread finds visible would
/// depend on what another does.
pub const LIBRARY: u64 = 1 << 29;

/// Flag of an object that threads reach and that is part of a pool, a queue, a future or a thread: a
/// call that is performed as one atomic call uses it as part of that one operation.
pub const INTERNALS: u64 = 1 << 30;

/// The flags of objects that more than one thread can reach; an object has at most one of them.
pub const REACHED: u64 = SHARED | LIBRARY | INTERNALS;

const CLASS_MASK: u64 = 0xFF_FFFF;
const OWNER_SHIFT: u32 = 32;
const COUNT_SHIFT: u32 = 48;

/// A reference to an object or array, or null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference(pub u64);

impl Reference {
    /// The null reference.
    pub const NULL: Reference = Reference(0);

    /// A reference to a word of a segment.
    pub fn new(segment: u32, offset: u32) -> Reference {
        Reference(u64::from(segment) << 32 | u64::from(offset))
    }

    /// Whether this is null.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The segment of the creator.
    pub fn segment(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The word in the segment.
    pub fn offset(self) -> u32 {
        self.0 as u32
    }

    /// `None` for null.
    pub fn non_null(self) -> Option<Reference> {
        (!self.is_null()).then_some(self)
    }
}

/// The first word of an object: class, flags, and the state of its monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header(pub u64);

impl Header {
    /// The header of a new object.
    pub fn new(class: ClassId) -> Header {
        Header(u64::from(class.0) & CLASS_MASK)
    }

    /// The object's class.
    pub fn class(self) -> ClassId {
        ClassId((self.0 & CLASS_MASK) as u32)
    }

    /// Whether a flag is set.
    pub fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    /// The same with a flag set.
    pub fn with(self, flag: u64) -> Header {
        Header(self.0 | flag)
    }

    /// The same without a flag.
    pub fn without(self, flag: u64) -> Header {
        Header(self.0 & !flag)
    }

    /// Whether a thread can take the monitor, or the lock that it stands for.
    pub fn is_free_for(self, thread: usize) -> bool {
        match self.owner() {
            Some((owner, _)) => owner == thread,
            None => !self.has(READ_HELD),
        }
    }

    /// All that says who holds the monitor, or the lock that it stands for.
    pub fn holders(self) -> u64 {
        self.0 & (READ_HELD | !0xFFFF_FFFF)
    }

    /// The thread that holds the monitor and how many times.
    pub fn owner(self) -> Option<(usize, u32)> {
        let owner = (self.0 >> OWNER_SHIFT) as u16;
        (owner != 0).then(|| (usize::from(owner) - 1, (self.0 >> COUNT_SHIFT) as u32))
    }

    /// The same with the monitor held so many times by a thread, or by nobody if zero.
    pub fn with_owner(self, thread: usize, count: u32) -> Header {
        let low = self.0 & 0xFFFF_FFFF;
        if count == 0 {
            return Header(low);
        }
        Header(low | (thread as u64 + 1) << OWNER_SHIFT | u64::from(count) << COUNT_SHIFT)
    }

    /// The same after a thread has taken the monitor once more, or freed it once; none if it cannot.
    #[inline]
    pub fn taken_or_freed(self, thread: usize, takes: bool) -> Option<Header> {
        match self.owner() {
            None => takes.then(|| self.with_owner(thread, 1)),
            Some((owner, _)) if owner != thread => None,
            Some((_, count)) if takes => Some(self.with_owner(thread, count + 1)),
            Some((_, count)) => Some(self.with_owner(thread, count - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_keep_class_flags_and_owner_apart() {
        let header = Header::new(ClassId(0xABCDEF)).with(SHARED).with_owner(7, 3);
        assert_eq!(header.class(), ClassId(0xABCDEF));
        assert!(header.has(SHARED) && !header.has(FROZEN));
        assert_eq!(header.owner(), Some((7, 3)));
        assert_eq!(header.with_owner(0, 0).owner(), None);
        assert_eq!(header.with_owner(0, 1).owner(), Some((0, 1)));
    }
}
