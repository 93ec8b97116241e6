//! Whether a program may lock a `Thread` or the stream that it prints to.
//!
//! **Problem.** A thread that ends takes the monitor of its `Thread` for a moment (`interpret/ending.rs`), and who prints
//! takes that of the stream (`natives/console.rs`). That matters only in programs that lock these for anything else, of
//! which there are few, and it must be known before anything runs. A wrong *no* hides deadlocks; a wrong *yes* orders
//! all threads that print, and so multiplies traces.
//!
//! **Idea.** All objects of these types come from few places, and Java's types keep them from most others: neither can be
//! in a variable of the type `Account`. What is left are variables of wide types, such as `Object`. Those of the whole
//! program, and what its methods leave on the stack, make a graph (`places.rs`), with an edge where a value may flow
//! (`method.rs`). What can be reached from where streams and threads come from may be one of them; the question is whether it is
//! locked. A stream that is merely printed to flows nowhere.
//!
//! Everything that the library is given, and everything in arrays, is one place: the library may hand it out wherever it
//! gives something of a wide type. Calls are told apart by name and descriptor, constructors and fields by their class
//! as well. The program's methods that the library may call get what the library has. In programs with reflection,
//! all variables may have that.
//!
//! The monitor of a stream is also taken while `printf` asks its arguments for their texts, and while a stack trace is
//! printed. Whether that may take a lock is found in `texts.rs`.
//!
//! **Invariant.** A method that cannot be followed may lock anything.
//!
//! **Not followed.** A console stream that a `Formattable` gets from the JDK's formatter, and then locks by a wide type, unless
//! the program itself calls `Formatter.out`.

mod hierarchy;
mod library;
mod method;
mod places;
mod texts;

use hierarchy::{Hierarchy, Holds};
use places::{Place, Places};
use texts::Texts;

use crate::classfile::{ClassFile, access};

/// Which monitors a program may take that the machine takes as well, if that matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LockedMonitors {
    /// That of a `Thread`.
    pub threads: bool,
    /// That of a console stream, or a lock while it is held for printing.
    pub streams: bool,
}

/// Which monitors the program of these classes may take.
pub fn locked_monitors(classes: &[ClassFile]) -> LockedMonitors {
    let hierarchy = Hierarchy::new(classes);
    let wants_texts = texts::may_matter(classes, &hierarchy);
    let mut found = Found { wants_texts, ..Found::default() };
    for file in classes {
        let of_thread = hierarchy.is_thread(&file.name);
        for method in &file.methods {
            let synchronized = method.access & access::SYNCHRONIZED != 0;
            found.locks_thread |= of_thread && synchronized && method.access & access::STATIC == 0;
            method::follow_method(&hierarchy, file, method, &mut found);
        }
    }
    found.answer(&hierarchy)
}

/// What was found in the methods of a program.
#[derive(Default)]
struct Found {
    places: Places,
    texts: Texts,
    /// Whether it matters what is called for texts.
    wants_texts: bool,
    /// What is locked by synchronized statements.
    locked: Vec<Place>,
    /// Whether a synchronized method locks a `Thread`.
    locks_thread: bool,
    /// Whether members are found by their names, and `System` among the classes that they are looked for in.
    reflects: bool,
    names_system: bool,
    /// Whether some method could not be followed.
    unknown: bool,
}

impl Found {
    fn answer(mut self, hierarchy: &Hierarchy<'_>) -> LockedMonitors {
        if self.unknown {
            return LockedMonitors { threads: true, streams: true };
        }
        if self.reflects {
            self.places.mix();
            self.places.flow(Place::THREAD, Place::LIBRARY);
            if self.names_system {
                self.places.flow(Place::STREAM, Place::LIBRARY);
            }
        }
        let may_lock = |source: Place, holds: Holds| {
            let reached = self.places.reached(source, holds);
            self.locked.iter().any(|place| reached[place.index()])
        };
        LockedMonitors {
            threads: self.locks_thread || may_lock(Place::THREAD, Holds::THREAD),
            streams: may_lock(Place::STREAM, Holds::STREAM) || self.texts.may_lock(hierarchy),
        }
    }
}
