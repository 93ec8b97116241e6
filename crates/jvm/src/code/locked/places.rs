//! Where a program's values can be, and between which of these places they flow.

use rustc_hash::{FxHashMap, FxHashSet};

use super::hierarchy::Holds;

/// Where values can be: a variable, or what a method gives or leaves on the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place(u32);

impl Place {
    /// Where only values are that are neither streams nor threads.
    pub(super) const OTHER: Place = Place(0);
    /// Where the console streams come from.
    pub(super) const STREAM: Place = Place(1);
    /// Where threads come from.
    pub(super) const THREAD: Place = Place(2);
    /// All that the library has, and all elements of arrays.
    pub(super) const LIBRARY: Place = Place(3);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What tells the places of a program apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A field of a class.
    Field(String, String),
    /// A parameter of the methods of a name and a descriptor.
    Parameter(String, usize),
    /// The result of such methods.
    Result(String),
    /// What comes together in a method, by the number of the method: before an instruction in a word of the frame,
    /// or at the instruction.
    Local(usize, usize, usize),
}

pub(super) struct Places {
    keys: FxHashMap<Key, Place>,
    /// What each place may hold by its type.
    holds: Vec<Holds>,
    /// Where values flow from each place.
    edges: Vec<Vec<Place>>,
    known_edges: FxHashSet<(Place, Place)>,
    /// How many methods have places of their own.
    methods: usize,
}

impl Default for Places {
    fn default() -> Places {
        Places {
            keys: FxHashMap::default(),
            holds: vec![Holds::default(), Holds::STREAM, Holds::THREAD, Holds::ALL],
            edges: vec![Vec::new(); 4],
            known_edges: FxHashSet::default(),
            methods: 0,
        }
    }
}

impl Places {
    /// A number for a method with places of its own.
    pub(super) fn next_method(&mut self) -> usize {
        self.methods += 1;
        self.methods
    }

    /// The place of a key, whose type allows it to hold something.
    pub(super) fn place(&mut self, key: Key, holds: Holds) -> Place {
        let next = Place(self.holds.len() as u32);
        let place = *self.keys.entry(key).or_insert(next);
        if place == next {
            self.holds.push(holds);
            self.edges.push(Vec::new());
        }
        place
    }

    /// Values flow from one place to another.
    pub(super) fn flow(&mut self, from: Place, to: Place) {
        let matters = from != to && from != Place::OTHER && to != Place::OTHER;
        if matters && self.known_edges.insert((from, to)) {
            self.edges[from.index()].push(to);
        }
    }

    /// All variables may have what the library has, and the other way round.
    pub(super) fn mix(&mut self) {
        let variables = self.keys.iter().filter(|(key, _)| !matches!(key, Key::Local(..)));
        let variables: Vec<Place> = variables.map(|(_, place)| *place).collect();
        for place in variables {
            self.flow(place, Place::LIBRARY);
            self.flow(Place::LIBRARY, place);
        }
    }

    /// Where something can get from a place, through places that may hold it.
    pub(super) fn reached(&self, from: Place, what: Holds) -> Vec<bool> {
        let mut reached = vec![false; self.holds.len()];
        reached[from.index()] = true;
        let mut work = vec![from];
        while let Some(place) = work.pop() {
            for next in &self.edges[place.index()] {
                if !reached[next.index()] && self.holds[next.index()].includes(what) {
                    reached[next.index()] = true;
                    work.push(*next);
                }
            }
        }
        reached
    }
}
