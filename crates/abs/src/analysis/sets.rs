//! What a value may refer to: sets of references, each stored once.
//!
//! A set is a number, so that comparing, copying and joining the states of a body costs a word for each
//! slot. Unions are remembered.

use rustc_hash::FxHashMap;

use super::abstraction::{AbstractObjectId, ContextId};

/// Something that a value may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reference {
    /// `null`
    Null,
    /// An object.
    Object(AbstractObjectId),
    /// The future of a task that runs this context.
    Future(ContextId),
}

/// A set of references, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);

impl SetId {
    /// No reference at all.
    pub const EMPTY: SetId = SetId(0);
    /// `null` alone.
    pub const NULL: SetId = SetId(1);
}

/// All sets that were needed so far.
#[derive(Debug)]
pub struct Sets {
    members: Vec<Box<[Reference]>>,
    numbers: FxHashMap<Box<[Reference]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Default for Sets {
    fn default() -> Sets {
        Sets::new()
    }
}

impl Sets {
    /// The empty set and that of `null`.
    pub fn new() -> Sets {
        let mut sets = Sets {
            members: Vec::new(),
            numbers: FxHashMap::default(),
            unions: FxHashMap::default(),
        };
        sets.intern(Vec::new());
        sets.intern(vec![Reference::Null]);
        sets
    }

    /// The members in their order.
    pub fn members(&self, set: SetId) -> &[Reference] {
        &self.members[set.0 as usize]
    }

    /// The set of one.
    pub fn single(&mut self, reference: Reference) -> SetId {
        self.intern(vec![reference])
    }

    /// What is in either.
    pub fn union(&mut self, one: SetId, other: SetId) -> SetId {
        if one == other || other == SetId::EMPTY {
            return one;
        }
        if one == SetId::EMPTY {
            return other;
        }
        let key = (one.min(other), one.max(other));
        if let Some(&union) = self.unions.get(&key) {
            return union;
        }
        let mut members = self.members(one).to_vec();
        members.extend_from_slice(self.members(other));
        let union = self.intern(members);
        self.unions.insert(key, union);
        union
    }

    /// The members that satisfy a condition.
    pub fn filter(&mut self, set: SetId, mut keep: impl FnMut(Reference) -> bool) -> SetId {
        let kept: Vec<Reference> = self.members(set).iter().copied().filter(|&r| keep(r)).collect();
        if kept.len() == self.members(set).len() { set } else { self.intern(kept) }
    }

    /// Whether `null` is in it.
    pub fn has_null(&self, set: SetId) -> bool {
        self.members(set).first() == Some(&Reference::Null)
    }

    fn intern(&mut self, mut members: Vec<Reference>) -> SetId {
        members.sort_unstable();
        members.dedup();
        if let Some(&known) = self.numbers.get(&members[..]) {
            return known;
        }
        let id = SetId(self.members.len() as u32);
        let members: Box<[Reference]> = members.into();
        self.members.push(members.clone());
        self.numbers.insert(members, id);
        id
    }
}
