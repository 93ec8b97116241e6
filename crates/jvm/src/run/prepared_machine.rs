//! A machine at the start of a program, with what its runs remember about names.
//!
//! Loading classes and running up to the first visible operation is done once per machine. A run
//! borrows the machine and gives it back at its end, rolled back to the start. Numbers of threads,
//! classes and methods are the machine's own; tables here translate them into the program's numbers
//! of processes, locations and sites, which are the same for all its machines.

use std::time::{Duration, Instant};

use counterpoint_model::words::in_one_line;
use counterpoint_model::{Input, Location, Pid, Place, Program, Site};
use rustc_hash::FxHashMap;

use super::explain::shortened;
use super::naming::method_label;
use super::program::{JavaProgram, LocationInfo};
use crate::classfile::Type;
use crate::dynamic::LAMBDA_CLASS;
use crate::error::{Error, Fault, FaultKind};
use crate::interpret::access::Ordering;
use crate::interpret::variable::MemoryCell;
use crate::interpret::{Address, frames};
use crate::load::{ClassPath, Origin};
use crate::machine::{Machine, Options};
use crate::memory::{PERMANENT, Reference};
use crate::unknown::{SharedSolver, initial_model};
use crate::world::{ClassId, MethodId, World};

/// What about an object or thread is a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Aspect {
    /// A field or element.
    Variable,
    /// The monitor of an object.
    Monitor,
    /// Those who wait for a notification on an object.
    WaitSet,
    /// All that methods of an object that are performed as one atomic call look at or change.
    Internals,
    /// Whether the class with this mirror is initialised.
    Initialisation,
    /// Whether a `Thread` has been started.
    Started,
    /// Whether a thread has started and ended.
    Life,
    /// Whether a thread has been woken from a wait.
    Wakeup,
    /// Whether a thread has a permit to pass `park`.
    Permit,
    /// Whether a thread was interrupted.
    Interrupt,
    /// How far a thread has come.
    Progress,
    /// Which threads there are.
    Population,
}

/// The locations that belong to a thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThreadLocations {
    pub life: Location,
    pub wakeup: Location,
    pub permit: Location,
    pub interrupt: Location,
    pub progress: Location,
    /// Which threads there are: the same for all.
    pub population: Location,
}

/// Nobody's number.
const NOBODY: u32 = u32::MAX;

/// What a location is known by to one machine: a place in memory, the class of the object there, and what
/// about it is meant.
type LocationKey = (u64, u32, Aspect);

/// What was looked up lately: each slot has the last key that belongs there.
#[derive(Debug)]
struct Recent<K, V>(Box<[Option<(K, V)>; RECENT]>);

/// Slots for what was looked up lately.
const RECENT: usize = 256;

impl<K: Copy, V: Copy> Default for Recent<K, V> {
    fn default() -> Recent<K, V> {
        Recent(Box::new([None; RECENT]))
    }
}

impl<K: Copy + PartialEq, V: Copy> Recent<K, V> {
    /// Where a key belongs, given a number that is made of it.
    #[inline(always)]
    fn slot(number: u64) -> usize {
        (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % RECENT
    }

    #[inline(always)]
    fn get(&self, slot: usize, key: K) -> Option<V> {
        match self.0[slot] {
            Some((known, value)) if known == key => Some(value),
            _ => None,
        }
    }

    #[inline(always)]
    fn set(&mut self, slot: usize, key: K, value: V) {
        self.0[slot] = Some((key, value));
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct PreparedMachine {
    pub machine: Machine,
    /// The state before the main thread has begun.
    origin: crate::trail::Mark,
    /// The state to which the machine goes back between runs.
    pub start: crate::trail::Mark,
    /// Why the machine could not get to the first operation.
    pub fault: Option<Fault>,
    /// How long the main thread took for that.
    pub took: Duration,
    locations: FxHashMap<LocationKey, Location>,
    recent_locations: Recent<LocationKey, Location>,
    /// Where in memory the program's locations are, as far as this machine has met them, and of what type.
    addresses: Vec<Option<(Address, Option<Type>)>>,
    sites: FxHashMap<(MethodId, u32), Site>,
    recent_sites: Recent<(MethodId, u32), Site>,
    /// Processes by the machine's number of the thread.
    pids: Vec<Pid>,
    /// Their own locations.
    cells: Vec<ThreadLocations>,
    /// The machine's number of the thread by process.
    threads: Vec<u32>,
}

/// Longer names of threads are cut: they are written down many times.
const LONGEST_NAME: usize = 100;

impl PreparedMachine {
    pub fn new(
        class_path: ClassPath,
        main: &str,
        arguments: &[String],
        options: Options,
        shared: &SharedSolver,
    ) -> Result<PreparedMachine, Error> {
        let mut machine = Machine::new(class_path, main, arguments, options)?;
        machine.unknowns.share(shared);
        let origin = machine.mark();
        let began = Instant::now();
        if let Some(end) = machine.options.to_begin.and_then(|time| began.checked_add(time)) {
            let interrupt = machine.options.interrupt.until(Some(end));
            machine.heed(&interrupt);
        }
        let fault = machine.begin_main().err();
        let took = began.elapsed();
        if matches!(fault.as_ref().map(Fault::kind), Some(FaultKind::Limit { .. }))
            && machine.unknowns.read_count() == 0
        {
            // It never moves again, and there may be several such machines.
            machine.heap.drop_objects_of_threads();
        }
        let start = machine.mark();
        Ok(PreparedMachine {
            machine,
            origin,
            start,
            fault,
            took,
            locations: FxHashMap::default(),
            recent_locations: Recent::default(),
            addresses: Vec::new(),
            sites: FxHashMap::default(),
            recent_sites: Recent::default(),
            pids: Vec::new(),
            cells: Vec::new(),
            threads: Vec::new(),
        })
    }

    /// Inputs with these names take these values first. What the main thread did up to its first
    /// operation is done again if it has read any.
    pub fn begin(&mut self, inputs: &[Input]) {
        let again = self.machine.unknowns.read_count() > 0;
        if again {
            self.machine.undo(self.origin);
        }
        self.machine.unknowns.start_from(initial_model(inputs));
        if again {
            self.fault = self.machine.begin_main().err();
            self.start = self.machine.mark();
        }
    }

    /// The process that a thread of the machine is.
    pub fn pid(&mut self, program: &JavaProgram, thread: usize) -> Pid {
        while self.pids.len() <= thread {
            let index = self.pids.len();
            let pid = if index == 0 {
                Pid::MAIN
            } else {
                let (parent, child) = self.machine.thread_names[index];
                program.names().child(self.pids[parent], child)
            };
            self.pids.push(pid);
            let cells = ThreadLocations {
                life: self.thread_location(program, pid, Aspect::Life),
                wakeup: self.thread_location(program, pid, Aspect::Wakeup),
                permit: self.thread_location(program, pid, Aspect::Permit),
                interrupt: self.thread_location(program, pid, Aspect::Interrupt),
                progress: self.thread_location(program, pid, Aspect::Progress),
                population: self.thread_location(program, Pid::MAIN, Aspect::Population),
            };
            self.cells.push(cells);
            if self.threads.len() <= pid.index() {
                self.threads.resize(pid.index() + 1, NOBODY);
            }
            self.threads[pid.index()] = index as u32;
        }
        self.pids[thread]
    }

    /// The process of a thread that has been asked for before.
    pub fn known_pid(&self, thread: usize) -> Option<Pid> {
        self.pids.get(thread).copied()
    }

    /// The locations that belong to a thread that has been asked for before.
    pub fn thread_locations(&self, thread: usize) -> ThreadLocations {
        self.cells[thread]
    }

    /// The thread of the machine that a process is.
    pub fn thread(&self, process: Pid) -> Option<usize> {
        let thread = self.threads.get(process.index()).copied()?;
        (thread != NOBODY).then_some(thread as usize)
    }

    /// The location of an aspect of a thread.
    pub fn thread_location(
        &mut self,
        program: &JavaProgram,
        process: Pid,
        aspect: Aspect,
    ) -> Location {
        let key = (u64::from(process.0), 0, aspect);
        if let Some(location) = self.locations.get(&key) {
            return *location;
        }
        let location = program.location(format!("{aspect:?} {}", process.0), || {
            let name = match aspect {
                Aspect::Wakeup => "wake-up of ",
                Aspect::Permit => "permit of ",
                Aspect::Interrupt => "interrupt of ",
                Aspect::Progress => "state of ",
                Aspect::Population => "threads beside ",
                _ => "thread ",
            };
            let name = name.to_string();
            LocationInfo {
                name,
                process: Some(process),
                kind: None,
                initialisation: false,
                // Nobody but the library needs to know that it has looked for an interrupt.
                internal: aspect == Aspect::Interrupt,
                address: None,
            }
        });
        self.locations.insert(key, location);
        location
    }

    /// The location of a variable, or of an aspect of an object.
    pub fn location(
        &mut self,
        program: &JavaProgram,
        address: Address,
        aspect: Aspect,
    ) -> Location {
        let key = self.location_key(address, aspect);
        let slot = Recent::<LocationKey, Location>::slot(key.0 >> 3 ^ key.2 as u64);
        if let Some(location) = self.recent_locations.get(slot, key) {
            return location;
        }
        let location = match self.locations.get(&key) {
            Some(location) => *location,
            None => self.new_location(program, key, address),
        };
        self.recent_locations.set(slot, key, location);
        location
    }

    #[inline(never)]
    fn new_location(
        &mut self,
        program: &JavaProgram,
        key: LocationKey,
        address: Address,
    ) -> Location {
        let object = address.object;
        if object.segment() != PERMANENT {
            self.pid(program, object.segment() as usize - 2);
        }
        let location = self.described_location(program, address, key.2);
        self.locations.insert(key, location);
        if self.addresses.len() <= location.index() {
            self.addresses.resize(location.index() + 1, None);
        }
        self.addresses[location.index()] = Some((address, program.kind(location)));
        location
    }

    /// Whether an address is in an object of the library that is made for being used by several threads:
    /// plain accesses to its fields are the library's business, and no data races of the program.
    fn is_made_for_threads(&self, address: Address) -> bool {
        let machine = &self.machine;
        let class = machine.class_of(address.object).map(|class| machine.world.class_name(class));
        address.object.segment() != PERMANENT
            && class.is_ok_and(|class| class.starts_with("java/util/concurrent/"))
    }

    /// How an access orders others, as explorers are told: variables that are made for threads are always
    /// ordered, and so is whatever a program accesses in other ways that uses fences.
    pub fn told_ordering(
        &self,
        program: &JavaProgram,
        address: Address,
        ordering: Ordering,
    ) -> Ordering {
        match ordering {
            Ordering::Plain if !self.is_made_for_threads(address) => Ordering::Plain,
            Ordering::Opaque | Ordering::Acquire | Ordering::Release
                if !program.queries().fences =>
            {
                ordering
            }
            _ => Ordering::Volatile,
        }
    }

    /// The location of a variable, which is quick if this machine has met it before.
    pub fn variable(&self, program: &JavaProgram, address: Address) -> Location {
        self.known_or_described(program, address, Aspect::Variable)
    }

    /// The monitor of an object.
    pub fn monitor(&self, program: &JavaProgram, object: Reference) -> Location {
        self.known_or_described(program, Address::of_object(object), Aspect::Monitor)
    }

    /// The same of a lock that has readers.
    pub fn lock(&self, program: &JavaProgram, lock: Reference) -> Location {
        self.known_or_described(program, Address::of_object(lock), self.lock_aspect(lock))
    }

    /// Which aspect of a lock that has readers its location is.
    pub fn lock_aspect(&self, lock: Reference) -> Aspect {
        if self.machine.has_read_lock(lock) { Aspect::Monitor } else { Aspect::Internals }
    }

    fn known_or_described(
        &self,
        program: &JavaProgram,
        address: Address,
        aspect: Aspect,
    ) -> Location {
        let known = self.locations.get(&self.location_key(address, aspect));
        let describe = || self.described_location(program, address, aspect);
        known.copied().unwrap_or_else(describe)
    }

    #[inline]
    fn location_key(&self, address: Address, aspect: Aspect) -> LocationKey {
        let class = match address.object.segment() {
            PERMANENT => 0,
            _ => self.machine.heap.load(address.object, 0).unwrap_or(0) as u32 & 0xFF_FFFF,
        };
        (address.flat(), class, aspect)
    }

    /// Where in memory a location is.
    pub fn address(&self, location: Location) -> Option<Address> {
        self.addresses.get(location.index()).copied().flatten().map(|(address, _)| address)
    }

    /// The variable that a location is.
    #[inline]
    pub fn cell(&self, location: Location) -> Option<MemoryCell> {
        let (address, kind) = self.addresses.get(location.index()).copied().flatten()?;
        Some(MemoryCell { object: address.object, offset: address.offset, kind: kind? })
    }

    /// Where a variable is, though this machine may not have come to it yet.
    pub fn find(&self, program: &JavaProgram, location: Location) -> Option<Address> {
        let elsewhere = || {
            let address = program.first_address(location)?;
            let aspect = Aspect::Variable;
            let key = match self.static_variable(address, aspect) {
                Some((name, _)) => name,
                None => self.stable_key(program, address, aspect),
            };
            (program.known_location(&key) == Some(location)).then_some(address)
        };
        self.address(location).or_else(elsewhere)
    }

    /// The program's number of a location that is new to this machine.
    fn described_location(
        &self,
        program: &JavaProgram,
        address: Address,
        aspect: Aspect,
    ) -> Location {
        if let Some((name, kind)) = self.static_variable(address, aspect) {
            let key = name.clone();
            return program.location(key, || LocationInfo {
                name,
                process: None,
                kind: Some(kind),
                initialisation: false,
                internal: self.is_internal(address),
                address: Some(address),
            });
        }
        let object = address.object;
        let key = self.stable_key(program, address, aspect);
        program.location(key, || {
            let name = self.object_name(program, object);
            let (name, kind) = match aspect {
                Aspect::Monitor => (format!("lock of {name}"), None),
                Aspect::WaitSet => (format!("wait set of {name}"), None),
                Aspect::Internals => (format!("inside of {name}"), None),
                Aspect::Started => (format!("start of {name}"), None),
                Aspect::Initialisation => (format!("initialisation of {name}"), None),
                _ => self.variable_name(object, &name, address.offset),
            };
            LocationInfo {
                name,
                process: None,
                kind,
                initialisation: aspect == Aspect::Initialisation,
                internal: self.is_internal(address),
                address: Some(address),
            }
        })
    }

    /// The static field at an address, if one is there.
    fn static_variable(&self, address: Address, aspect: Aspect) -> Option<(String, Type)> {
        let permanent = aspect == Aspect::Variable && address.object.segment() == PERMANENT;
        permanent.then(|| self.static_field(address.object.offset() + address.offset / 8))?
    }

    /// A key of an aspect of an object that is the same in all machines and executions.
    fn stable_key(&self, program: &JavaProgram, address: Address, aspect: Aspect) -> String {
        format!("{aspect:?} {} {}", self.object_key(program, address.object), address.offset)
    }

    /// Where a thread is in the user's code: its topmost frame in a class of the program; and the
    /// method of the library that it has called there, if it is inside one. A thread that runs code
    /// of the library only, as those of a pool between two tasks, is in the method that it began
    /// with, unless it is about to enter a method of the program: then it is where that begins.
    #[inline]
    pub fn site(&mut self, program: &JavaProgram, thread: usize) -> (Site, Option<MethodId>) {
        if let Some(state) = self.machine.threads.get(thread)
            && is_user(&self.machine.world, state.core.method)
        {
            let (method, pc) = (state.core.method, state.core.pc);
            return (self.site_of(program, method, pc), None);
        }
        self.site_in_library(program, thread)
    }

    /// The same for a thread that is in no method of the program, or in the library's.
    #[inline(never)]
    fn site_in_library(
        &mut self,
        program: &JavaProgram,
        thread: usize,
    ) -> (Site, Option<MethodId>) {
        let Some(state) = self.machine.threads.get(thread) else { return (Site::default(), None) };
        let world = &self.machine.world;
        let is_user = |method: MethodId| is_user(world, method);
        let mut within = None;
        let mut user = None;
        for frame in frames(world, state) {
            if is_user(frame.method) {
                user = Some((frame.method, frame.pc));
                break;
            }
            within = Some(frame.method);
        }
        if let Some((method, pc)) = user {
            return (self.site_of(program, method, pc), within);
        }
        let called = self.machine.present_call(thread).ok().flatten();
        if let Some(method) = called.filter(|method| is_user(*method)) {
            return (self.site_of(program, method, 0), None);
        }
        // How a thread comes to what it runs: `new Thread(lock::lock)` stands for `ReentrantLock.lock`.
        let is_begin = |method: MethodId| {
            let method = world.method(method);
            let name = (world.class_name(method.class), world.symbols.text(method.name));
            name == ("java/lang/Thread", "run") || name.0.contains(LAMBDA_CLASS)
        };
        let inner = frames(world, state).map(|frame| frame.method);
        let within = inner.filter(|method| !is_begin(*method)).last().or(called).or(within);
        let function = within.map(|method| self.method_name(method)).unwrap_or_default();
        (program.site(Place { function, ..Place::default() }), within)
    }

    /// A method as people speak of it.
    pub fn method_name(&self, method: MethodId) -> String {
        let world = &self.machine.world;
        let method = world.method(method);
        method_label(world.class_name(method.class), world.symbols.text(method.name))
    }

    /// The number of the place of an instruction.
    #[inline]
    pub fn site_of(&mut self, program: &JavaProgram, method: MethodId, pc: u32) -> Site {
        let key = (method, pc);
        let slot = Recent::<(MethodId, u32), Site>::slot(u64::from(method.0) << 32 | u64::from(pc));
        if let Some(site) = self.recent_sites.get(slot, key) {
            return site;
        }
        let site = self.looked_up_site(program, method, pc);
        self.recent_sites.set(slot, key, site);
        site
    }

    #[inline(never)]
    fn looked_up_site(&mut self, program: &JavaProgram, method: MethodId, pc: u32) -> Site {
        if let Some(site) = self.sites.get(&(method, pc)) {
            return *site;
        }
        let place = self.machine.place(method, pc);
        let site = program.site(Place {
            file: program.source(&place.class, place.file.as_deref()),
            line: u32::try_from(place.line).unwrap_or(0),
            column: 0,
            function: method_label(&place.class, &place.method),
        });
        self.sites.insert((method, pc), site);
        site
    }

    /// The name that the program gave a thread, if there is something to see in it, in one line.
    pub fn java_name(&self, thread: usize) -> Option<String> {
        let object = self.machine.threads.get(thread)?.object.non_null()?;
        let name = Reference(self.machine.get_field(object, "name").ok()?);
        let name = shortened(self.machine.text(name.non_null()?).ok()?, LONGEST_NAME);
        Some(in_one_line(&name).into_owned()).filter(|name| !name.trim().is_empty())
    }

    /// Whether a class is another or extends it.
    pub fn is_a(&self, class: ClassId, name: &str) -> bool {
        let world = &self.machine.world;
        world.class(class).ancestors.iter().any(|id| world.class_name(*id) == name)
    }
}

/// Whether a method is the program's own. Method 0 is nobody's.
#[inline(always)]
fn is_user(world: &World, method: MethodId) -> bool {
    let method = world.method(method);
    method.number != u16::MAX && world.class(method.class).origin == Origin::Program
}
