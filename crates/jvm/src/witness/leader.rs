//! Leading the threads of a virtual machine along a schedule.
//!
//! **Idea.** A thread that is let go is stopped by a breakpoint for that thread alone at the instruction where it
//! stands next. It counts there only if the topmost frame of the program is where it is expected, and is let go
//! again until it has come often enough. A thread that waits inside an operation is held as soon as it is seen
//! waiting: whoever wakes it later does not set it in motion, and it takes its locks back only in its own turn.
//! A thread that begins is held before its first instruction. The main thread is held again at its very end, since a
//! virtual machine without a main thread may end before the others had their turns. Threads of the virtual machine and the library that
//! the schedule does not know are let go at once.
//!
//! **Invariant.** Between two turns all threads of the schedule are held, each exactly once.
//!
//! Inputs are given where the program reads them: a breakpoint at the beginning of each method that is a
//! source of inputs makes it return the thread's next value.

use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Departure;
use super::protocol::{Activity, Connection, Happening, LoadedMethod, Location};
use crate::run::{InstructionPlace, Itinerary, Stand, Stop};

/// How long a thread may take for a turn; on a busy computer the virtual machine begins slowly.
const TURN: Duration = Duration::from_secs(30);
/// How long a thread may wait that is expected to come somewhere.
const LONGEST_WAIT: Duration = Duration::from_secs(3);
/// How often a thread is looked at that does not arrive.
pub const PACE: Duration = Duration::from_millis(5);
/// A thread that is seen waiting so often in a row does wait.
pub const STEADY: u32 = 4;

/// What is done with the last turn of a schedule.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LastTurn {
    /// It is taken like any other.
    Taken,
    /// It is begun: its thread is let go and fails.
    Begun,
    /// It is left to others.
    Left,
}

/// A thread that is led.
#[derive(Debug, Clone, Copy)]
pub struct Led {
    pub id: u64,
    pub held: bool,
    pub ended: bool,
    /// How many inputs it has read.
    inputs: usize,
}

/// How a thread has come to rest.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Rest {
    There,
    Waits,
    Fails,
    Ended,
    Runs,
}

/// A breakpoint for a thread, with the visits that are still to come.
struct Pending {
    stop: Stop,
    left: u32,
    /// Set once the class is there.
    request: Option<u32>,
}

/// Who leads a virtual machine along a schedule.
pub struct Leader<'a> {
    pub connection: Connection,
    pub itinerary: &'a Itinerary,
    /// The threads by their numbers in the itinerary, as far as they have begun.
    pub threads: FxHashMap<usize, Led>,
    /// The breakpoint of the thread whose turn it is.
    pending: Option<(u64, Pending)>,
    classes: FxHashMap<u64, String>,
    /// Classes that are awaited, or were.
    awaited: FxHashSet<String>,
    methods: FxHashMap<u64, Vec<LoadedMethod>>,
    /// Breakpoints at sources of inputs, and the types of their results.
    sources: FxHashMap<u32, u8>,
    /// The breakpoint at what the virtual machine calls when nobody has caught an exception.
    uncaught: Option<u32>,
    /// Threads with the exceptions that leave them; they are held.
    pub failed: Vec<(u64, u64)>,
    /// The main thread, held at its end.
    main_at_end: Option<u64>,
    /// Whether everything may run.
    free: bool,
    /// Whether the virtual machine has ended.
    pub over: bool,
}

impl<'a> Leader<'a> {
    pub fn new(connection: Connection, itinerary: &'a Itinerary) -> Leader<'a> {
        Leader {
            connection,
            itinerary,
            threads: FxHashMap::default(),
            pending: None,
            classes: FxHashMap::default(),
            awaited: FxHashSet::default(),
            methods: FxHashMap::default(),
            sources: FxHashMap::default(),
            uncaught: None,
            failed: Vec::new(),
            main_at_end: None,
            free: false,
            over: false,
        }
    }

    /// Follows the schedule up to its last turn, and that one as it is told.
    pub fn follow(&mut self, last: LastTurn) -> Result<(), Departure> {
        self.await_beginning()?;
        self.connection.tell_starts()?;
        self.connection.tell_ends()?;
        self.watch_failures()?;
        for index in 0..self.itinerary.sources.len() {
            self.watch_source(index)?;
        }
        let main = self.find_main()?;
        self.threads.insert(0, Led { id: main, held: true, ended: false, inputs: 0 });
        // The virtual machine holds everybody at the start.
        let start = self.itinerary.start.clone();
        self.set(main, &start)?;
        self.lead(0).held = false;
        self.connection.resume_all()?;
        let turns = &self.itinerary.turns;
        if last != LastTurn::Taken && start == Stand::Ended && turns.len() <= 1 {
            // It fails before anybody could notice anything of it.
            return match last {
                LastTurn::Left => Err(self.left(0, "there is no step to stop before".to_string())),
                _ => Ok(()),
            };
        }
        self.arrive(0, 0, &start)?;
        for (index, turn) in turns.iter().enumerate() {
            let before = index.checked_sub(1).map_or(0, |last| turns[last].steps);
            let is_last = last != LastTurn::Taken && index + 1 == turns.len();
            if is_last && last == LastTurn::Left {
                return Ok(());
            }
            if !self.threads.contains_key(&turn.thread) && self.let_main_end()? {
                self.await_children(before, &[turn.thread])?;
            }
            let Some(led) = self.threads.get(&turn.thread).copied() else {
                let name = self.name(turn.thread);
                return Err(self.left(before, format!("{name} has not begun")));
            };
            if led.ended && matches!(turn.stand, Stand::Ended | Stand::Stays(_)) {
                continue;
            }
            if !is_last && matches!(turn.stand, Stand::Stays(_)) {
                continue;
            }
            if !is_last {
                self.set(led.id, &turn.stand)?;
            }
            self.lead(turn.thread).held = false;
            self.connection.resume(led.id)?;
            if !is_last {
                self.arrive(before, turn.thread, &turn.stand)?;
                self.await_children(turn.steps, &turn.started)?;
            }
        }
        Ok(())
    }

    /// The virtual machine holds everybody when it says that it has begun, not before.
    fn await_beginning(&mut self) -> Result<(), Departure> {
        match self.connection.next(TURN)? {
            Some(Happening::Started) => Ok(()),
            _ => Err(self.left(0, "the virtual machine does not begin".to_string())),
        }
    }

    /// The real run has left the schedule after so many steps, and why that can be.
    pub fn left(&self, steps: usize, how: String) -> Departure {
        match self.reason(steps) {
            Some(why) => Departure::Left { steps, how: format!("{how} ({why})"), explained: true },
            None => Departure::Left { steps, how, explained: false },
        }
    }

    /// Why a real run can leave the schedule after so many steps, if the schedule has what cannot be followed.
    fn reason(&self, steps: usize) -> Option<String> {
        let mut overtakings = self.itinerary.overtakings.iter();
        if let Some(one) = overtakings.find(|one| one.step <= steps + 1) {
            let (step, woken, passed_over) = (one.step, &one.woken, &one.passed_over);
            return Some(format!(
                "step {step} of the schedule notifies {woken} although {passed_over} has waited longer: \
                 which one is the virtual machine's choice"
            ));
        }
        if let Some(one) = self.itinerary.glances.iter().find(|one| one.step <= steps) {
            let (step, thread) = (one.step, &one.thread);
            return Some(format!(
                "step {step} of the schedule asks what {thread} is doing, which does not wait as long as it is held"
            ));
        }
        let turns = self.itinerary.turns.iter();
        let mut paused =
            turns.take_while(|turn| turn.steps <= steps).filter_map(|turn| match &turn.stand {
                Stand::Stays(at) => Some((turn, at)),
                Stand::Before(stop) if turn.is_inside => Some((turn, &stop.at)),
                _ => None,
            });
        let (turn, at) = paused.next()?;
        let (name, method) = (self.name(turn.thread), at.readable_method());
        let steps_before = turn.steps;
        Some(format!(
            "after step {steps_before} the schedule pauses {name} inside one instruction of \
             {method}, where a real thread cannot be held"
        ))
    }

    /// What a thread of the itinerary is called.
    pub fn name(&self, thread: usize) -> String {
        self.itinerary.threads.get(thread).map_or("a thread", |known| &known.name).to_string()
    }

    fn lead(&mut self, thread: usize) -> &mut Led {
        self.threads.get_mut(&thread).expect("the thread has begun")
    }

    fn led_by_id(&mut self, id: u64) -> Option<(usize, &mut Led)> {
        let mut all = self.threads.iter_mut();
        all.find(|(_, led)| led.id == id).map(|(number, led)| (*number, led))
    }

    fn find_main(&mut self) -> Result<u64, Departure> {
        for thread in self.connection.threads()? {
            if self.connection.thread_name(thread)? == "main" {
                return Ok(thread);
            }
        }
        Err(self.left(0, "there is no main thread".to_string()))
    }

    /// Stops threads that an exception leaves.
    fn watch_failures(&mut self) -> Result<(), Departure> {
        let at = InstructionPlace {
            class: "java/lang/Thread".to_string(),
            method: "dispatchUncaughtException".to_string(),
            descriptor: "(Ljava/lang/Throwable;)V".to_string(),
            offset: 0,
        };
        if let Some(place) = self.locate(&at)? {
            self.uncaught = Some(self.connection.stop_at(None, &place)?);
        }
        Ok(())
    }

    /// Stops threads that come to a source of inputs.
    fn watch_source(&mut self, index: usize) -> Result<(), Departure> {
        let class = &self.itinerary.sources[index].0;
        match self.connection.classes(&format!("L{class};"))?.first() {
            Some(&class) => self.place_source(index, class)?,
            None => self.await_class(class)?,
        }
        Ok(())
    }

    /// Stops a thread that loads a class. One request for each name: a thread that is stopped for two
    /// reasons at once is held once.
    fn await_class(&mut self, class: &str) -> Result<(), Departure> {
        if self.awaited.insert(class.to_string()) {
            self.connection.tell_class(&class.replace('/', "."))?;
        }
        Ok(())
    }

    fn place_source(&mut self, index: usize, class: u64) -> Result<(), Departure> {
        let name = &self.itinerary.sources[index].1;
        let known = self.methods(class)?.iter().filter(|method| method.name == *name);
        let found: Vec<(u64, u8)> = known
            .filter_map(|method| Some((method.id, *method.descriptor.as_bytes().last()?)))
            .filter(|(_, kind)| b"IJZCBS".contains(kind))
            .collect();
        for (method, kind) in found {
            let place = Location { class, method, offset: 0 };
            // A method without code cannot be stopped at, and returns what it returns.
            if let Ok(request) = self.connection.stop_at(None, &place) {
                self.sources.insert(request, kind);
            }
        }
        Ok(())
    }

    fn methods(&mut self, class: u64) -> Result<&[LoadedMethod], Departure> {
        if !self.methods.contains_key(&class) {
            let methods = self.connection.methods(class)?;
            self.methods.insert(class, methods);
        }
        Ok(&self.methods[&class])
    }

    /// An instruction in the numbers of the virtual machine, if its class is there.
    fn locate(&mut self, at: &InstructionPlace) -> Result<Option<Location>, Departure> {
        let classes = self.connection.classes(&format!("L{};", at.class))?;
        let Some(&class) = classes.first() else { return Ok(None) };
        self.locate_in(class, at)
    }

    fn locate_in(
        &mut self,
        class: u64,
        at: &InstructionPlace,
    ) -> Result<Option<Location>, Departure> {
        let mut known = self.methods(class)?.iter();
        let is_it =
            |method: &&LoadedMethod| method.name == at.method && method.descriptor == at.descriptor;
        let offset = at.offset;
        Ok(known.find(is_it).map(|method| Location { class, method: method.id, offset }))
    }

    /// Sets the breakpoint where a thread stands next.
    fn set(&mut self, thread: u64, stand: &Stand) -> Result<(), Departure> {
        self.forget_pending()?;
        let Stand::Before(stop) = stand else { return Ok(()) };
        let request = match self.locate(&stop.at)? {
            Some(place) => Some(self.connection.stop_at(Some(thread), &place)?),
            None => {
                self.await_class(&stop.at.class)?;
                None
            }
        };
        let pending = Pending { stop: stop.clone(), left: stop.visits, request };
        self.pending = Some((thread, pending));
        Ok(())
    }

    fn forget_pending(&mut self) -> Result<(), Departure> {
        if let Some((_, Pending { request: Some(request), .. })) = self.pending.take() {
            self.connection.forget_stop(request)?;
        }
        Ok(())
    }

    /// Waits until a thread has come to where it stands next.
    fn arrive(&mut self, steps: usize, number: usize, stand: &Stand) -> Result<(), Departure> {
        let rest = self.rest(number, stand)?;
        self.forget_pending()?;
        let how = match (rest, stand) {
            (Rest::There, Stand::Before(_))
            | (Rest::Fails | Rest::Ended, Stand::Ended)
            | (Rest::Waits, Stand::Waits) => return Ok(()),
            (_, Stand::Unknown) => "stands in code that only Counterpoint's machine has",
            (Rest::Waits, Stand::Ended) => "waits and does not end",
            (Rest::Waits, _) => "waits and does not come to its place",
            (Rest::Fails, _) => "fails earlier",
            (Rest::Ended, _) => "ends earlier",
            (Rest::Runs, Stand::Waits) => "runs on and does not wait",
            (Rest::Runs, Stand::Ended) => "runs on and does not end",
            (Rest::There | Rest::Runs, _) => "runs on and does not come to its place",
        };
        let mut how = format!("{} {how}", self.name(number));
        if let Stand::Before(Stop { at, visits, .. }) = stand {
            let (method, offset) = (at.readable_method(), at.offset);
            how += &format!(" in {method}, byte code {offset}, visit {visits}");
        }
        Err(self.left(steps, how))
    }

    /// Waits until a thread has come to rest, and holds it.
    fn rest(&mut self, number: usize, stand: &Stand) -> Result<Rest, Departure> {
        let id = self.lead(number).id;
        let begun = Instant::now();
        let mut waits = 0;
        let mut waits_since = Instant::now();
        loop {
            let led = *self.lead(number);
            if self.failed.iter().any(|(by, _)| *by == id) {
                // It goes on to its end, now that nobody has caught the exception.
                self.failed.retain(|(by, _)| *by != id);
                if *stand != Stand::Ended {
                    return Ok(Rest::Fails);
                }
                self.connection.resume(id)?;
            }
            if self.over || led.ended && self.is_gone(number)? {
                return Ok(Rest::Ended);
            }
            if led.held {
                return Ok(Rest::There);
            }
            if self.look(PACE)? {
                continue;
            }
            waits = match self.connection.activity(id)? {
                Activity::Ended => {
                    self.lead(number).ended = true;
                    continue;
                }
                Activity::Running => 0,
                Activity::Monitor if *stand == Stand::Waits => 0,
                _ => waits + 1,
            };
            if waits == 1 {
                waits_since = Instant::now();
            }
            if waits >= STEADY && *stand == Stand::Waits {
                self.connection.suspend(id)?;
                self.lead(number).held = true;
                return Ok(Rest::Waits);
            }
            if waits > 0 && waits_since.elapsed() > LONGEST_WAIT {
                // It may wait for the end of the main thread.
                if self.let_main_end()? {
                    waits = 0;
                    continue;
                }
                return Ok(Rest::Waits);
            }
            if begun.elapsed() > TURN {
                return Ok(Rest::Runs);
            }
        }
    }

    /// Whether others find that a thread has ended, which comes after it says so. The main thread is held at its end.
    fn is_gone(&mut self, number: usize) -> Result<bool, Departure> {
        let id = self.lead(number).id;
        Ok(self.main_at_end == Some(id) || self.connection.activity(id)? == Activity::Ended)
    }

    /// Waits until the threads have begun that a turn has started.
    fn await_children(&mut self, steps: usize, children: &[usize]) -> Result<(), Departure> {
        let until = Instant::now() + LONGEST_WAIT;
        for child in children {
            while !self.threads.contains_key(child) {
                self.look(PACE)?;
                if self.over || Instant::now() > until {
                    let name = self.name(*child);
                    return Err(self.left(steps, format!("{name} does not begin")));
                }
            }
        }
        Ok(())
    }

    /// Looks at one thing that has happened, if one has.
    pub fn look(&mut self, time: Duration) -> Result<bool, Departure> {
        let Some(happening) = self.connection.next(time)? else { return Ok(false) };
        match happening {
            Happening::Started => {}
            Happening::Breakpoint { request, thread } => self.stopped(request, thread)?,
            Happening::ThreadStart { thread } => self.begins(thread)?,
            Happening::ThreadDeath { thread } => {
                let number = self.led_by_id(thread).map(|(number, led)| {
                    led.ended = true;
                    number
                });
                if number == Some(0) && !self.free {
                    self.main_at_end = Some(thread);
                } else {
                    self.connection.resume(thread)?;
                }
            }
            Happening::ClassPrepare { thread, class, signature } => {
                self.prepared(class, &signature)?;
                self.connection.resume(thread)?;
            }
            Happening::Ended => self.over = true,
        }
        Ok(true)
    }

    /// A thread begins: it is held if the schedule knows it.
    fn begins(&mut self, id: u64) -> Result<(), Departure> {
        let name = self.connection.thread_name(id)?;
        let known = self.itinerary.threads.iter().enumerate();
        let is_new = |(number, _): &(usize, _)| !self.threads.contains_key(number);
        let number =
            known.filter(|(_, known)| known.name == name).find(is_new).map(|(number, _)| number);
        match number {
            Some(number) => {
                let held = !self.free;
                self.threads.insert(number, Led { id, held, ended: false, inputs: 0 });
                if self.free {
                    self.connection.resume(id)?;
                }
            }
            None => self.connection.resume(id)?,
        }
        Ok(())
    }

    /// A class can be run: its breakpoints are set.
    fn prepared(&mut self, class: u64, signature: &str) -> Result<(), Departure> {
        let name = plain_name(signature);
        for index in 0..self.itinerary.sources.len() {
            if self.itinerary.sources[index].0 == name {
                self.place_source(index, class)?;
            }
        }
        let Some((thread, pending)) = &self.pending else { return Ok(()) };
        if pending.request.is_some() || pending.stop.at.class != name {
            return Ok(());
        }
        let (thread, at) = (*thread, pending.stop.at.clone());
        if let Some(place) = self.locate_in(class, &at)? {
            let request = self.connection.stop_at(Some(thread), &place)?;
            if let Some((_, pending)) = &mut self.pending {
                pending.request = Some(request);
            }
        }
        Ok(())
    }

    /// A thread is held at a breakpoint.
    fn stopped(&mut self, request: u32, thread: u64) -> Result<(), Departure> {
        if self.uncaught == Some(request) {
            let frames = self.connection.frames(thread)?;
            let Some((frame, _)) = frames.first() else { return Ok(()) };
            let exception = self.connection.local_object(thread, *frame, 1)?;
            self.failed.push((thread, exception));
            return Ok(());
        }
        if let Some(kind) = self.sources.get(&request).copied() {
            self.give_input(thread, kind)?;
            self.connection.resume(thread)?;
            return Ok(());
        }
        let is_awaited = self.pending.as_ref().is_some_and(|(awaited, pending)| {
            *awaited == thread && pending.request == Some(request)
        });
        if is_awaited && self.is_there(thread)? {
            let left = self.pending.as_mut().map_or(0, |(_, pending)| {
                pending.left = pending.left.saturating_sub(1);
                pending.left
            });
            if left == 0 {
                self.forget_pending()?;
                if let Some((_, led)) = self.led_by_id(thread) {
                    led.held = true;
                    return Ok(());
                }
            }
        }
        self.connection.resume(thread)?;
        Ok(())
    }

    /// Whether the topmost frame of the program is where it is expected.
    fn is_there(&mut self, thread: u64) -> Result<bool, Departure> {
        let Some((_, Pending { stop, .. })) = &self.pending else { return Ok(false) };
        let (at, program) = (stop.at.clone(), stop.program.clone());
        if program.as_ref() == Some(&at) {
            return Ok(true);
        }
        for (_, place) in self.connection.frames(thread)? {
            let class = self.class_name(place.class)?;
            if self.itinerary.classes.contains(&class) {
                let Some(program) = program else { return Ok(false) };
                if program.class != class {
                    return Ok(false);
                }
                return Ok(self.locate_in(place.class, &program)? == Some(place));
            }
        }
        Ok(program.is_none())
    }

    fn class_name(&mut self, class: u64) -> Result<String, Departure> {
        if let Some(name) = self.classes.get(&class) {
            return Ok(name.clone());
        }
        let name = plain_name(&self.connection.signature(class)?);
        self.classes.insert(class, name.clone());
        Ok(name)
    }

    /// The method that a thread has just entered returns the thread's next input.
    fn give_input(&mut self, thread: u64, kind: u8) -> Result<(), Departure> {
        let itinerary = self.itinerary;
        let Some((number, led)) = self.led_by_id(thread) else { return Ok(()) };
        let value = itinerary.threads[number].inputs.get(led.inputs);
        led.inputs += 1;
        // What is read after the failure makes no difference.
        let value = value.map_or("0", |value| value);
        self.connection.force_return(thread, kind, number_of(value))?;
        Ok(())
    }

    /// Lets the main thread end if it is held at its end.
    fn let_main_end(&mut self) -> Result<bool, Departure> {
        let main = self.main_at_end.take();
        if let Some(main) = main {
            self.connection.resume(main)?;
        }
        Ok(main.is_some())
    }

    /// Lets all threads go.
    pub fn release(&mut self) -> Result<(), Departure> {
        self.forget_pending()?;
        self.free = true;
        let held: Vec<u64> =
            self.threads.values().filter(|led| led.held && !led.ended).map(|led| led.id).collect();
        for led in self.threads.values_mut() {
            led.held = false;
        }
        for id in held.into_iter().chain(self.main_at_end.take()) {
            self.connection.resume(id)?;
        }
        Ok(())
    }
}

/// The name of a class, as in class files, from its signature.
pub fn plain_name(signature: &str) -> String {
    let inner = signature.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
    inner.unwrap_or(signature).to_string()
}

/// A value of a primitive type, as Java writes it, as a number.
fn number_of(text: &str) -> u64 {
    match crate::unknown::value(text) {
        Some(value) => value.as_u64().unwrap_or_else(|| u64::from(text == "true")),
        None => 0,
    }
}
