//! What stands for what: abstract objects, and the contexts in which code runs.
//!
//! An abstract object stands for all objects of one creation site whose creators have the same abstract
//! object, whose creators have the same, and so on for as many ancestors as the analysis keeps (Milanova,
//! Rountev, Ryder 2005; section 4.3.1 of the thesis on active objects). With no ancestor it is the creation
//! site alone. A context is a body together with the abstract object that is `this`: methods are analysed
//! once for each abstract object, whatever the depth.

use rustc_hash::FxHashMap;

use crate::program::{BodyId, ClassId, NewPlace};

/// An abstract object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbstractObjectId(pub u32);

impl AbstractObjectId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A body with its `this`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(pub u32);

impl ContextId {
    /// The main block.
    pub const MAIN: ContextId = ContextId(0);

    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An instruction of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The body.
    pub body: BodyId,
    /// The index of the instruction.
    pub instruction: u32,
}

/// An abstract object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AbstractObject {
    /// The `new` that creates it.
    pub site: Point,
    /// The creation sites of its creator, of the creator's creator and so on.
    pub ancestors: Vec<Point>,
    /// Its class.
    pub class: ClassId,
    /// Whether it has a cog of its own.
    pub place: NewPlace,
}

/// A body with its `this`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyContext {
    /// The object; none for the main block.
    pub this: Option<AbstractObjectId>,
    /// The code.
    pub body: BodyId,
}

/// A group of objects that share a lock: the main one, or that of an object with a cog of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AbstractCog {
    /// The main block's.
    Main,
    /// The one that this object founds.
    Of(AbstractObjectId),
}

/// The abstract objects and contexts met so far.
#[derive(Debug, Default)]
pub struct Abstraction {
    /// How many ancestors are kept.
    pub depth: usize,
    /// The objects.
    pub objects: Vec<AbstractObject>,
    object_numbers: FxHashMap<AbstractObject, AbstractObjectId>,
    /// The contexts.
    pub contexts: Vec<BodyContext>,
    context_numbers: FxHashMap<BodyContext, ContextId>,
}

impl Abstraction {
    /// With the main block as the first context.
    pub fn new(depth: usize, main: BodyId) -> Abstraction {
        let mut abstraction = Abstraction { depth, ..Abstraction::default() };
        abstraction.context(None, main);
        abstraction
    }

    /// The abstract object that a `new` creates where this object is `this`.
    pub fn object(
        &mut self,
        site: Point,
        creator: Option<AbstractObjectId>,
        class: ClassId,
        place: NewPlace,
    ) -> AbstractObjectId {
        let creator = creator.map(|creator| &self.objects[creator.index()]);
        let sites = creator.into_iter().flat_map(|creator| {
            std::iter::once(creator.site).chain(creator.ancestors.iter().copied())
        });
        let ancestors = sites.take(self.depth).collect();
        let object = AbstractObject { site, ancestors, class, place };
        if let Some(&known) = self.object_numbers.get(&object) {
            return known;
        }
        let id = AbstractObjectId(self.objects.len() as u32);
        self.objects.push(object.clone());
        self.object_numbers.insert(object, id);
        id
    }

    /// The context of a body and its `this`.
    pub fn context(&mut self, this: Option<AbstractObjectId>, body: BodyId) -> ContextId {
        let context = BodyContext { this, body };
        if let Some(&known) = self.context_numbers.get(&context) {
            return known;
        }
        let id = ContextId(self.contexts.len() as u32);
        self.contexts.push(context);
        self.context_numbers.insert(context, id);
        id
    }

    /// The context with that number.
    pub fn of(&self, context: ContextId) -> BodyContext {
        self.contexts[context.index()]
    }
}
