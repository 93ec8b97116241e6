//! What a thread wrote into an object before others could reach it.
//!
//! **Problem.** Such writes are no events, and need not be: nobody can notice them, whatever the schedule.
//! One question is about them all the same. A thread that gets hold of the object through a data race has
//! learnt nothing of its maker, so its reads of the fields are data races with what the constructor
//! wrote: a real machine may show it a half-built object.
//!
//! **Idea.** The execution is run again, and nothing in the machine knows of it. Objects lie in their
//! maker's segment in the order in which they were made, so the length of the segment after every step
//! tells in which step an object came into being. A variable that holds something other than zero when an
//! event touches it for the first time was written before. The write came after the making, and that is
//! where it is put: too early rather than too late, so that what is called a race is one. A second run
//! finds the event that makes the object reachable, which is the place to name.
//!
//! Final fields, and what only they lead to, are safe to read however the reference was handed on (JLS
//! 17.5), so they are left out. So is an object that something other than a store of a reference has made
//! reachable: that orders the threads.
//!
//! **Cost.** Two executions, asked for only if a race hands on a reference.

use counterpoint_model::{EarlyWrite, Event, Location, Op, Pid, Run};
use rustc_hash::FxHashSet;

use super::prepared_machine::PreparedMachine;
use super::{JavaProgram, JavaRun};
use crate::classfile::Type;
use crate::interpret::variable::{MemoryCell, widen};
use crate::memory::{ARRAY_HEADER_WORDS, PERMANENT, REACHED, Reference};
use crate::world::ClassKind;

/// A variable that was written before its object was reachable.
struct Candidate {
    location: Location,
    object: Reference,
    maker: Pid,
    after: usize,
}

impl JavaProgram {
    /// The writes that no event of an execution tells of, to what was handed on through these locations.
    pub(super) fn writes_before_sharing(
        &self,
        events: &[Event],
        through: &[Location],
    ) -> Vec<EarlyWrite> {
        if !through.iter().any(|location| self.kind(*location) == Some(Type::Reference)) {
            return Vec::new();
        }
        let candidates = self.candidates(events);
        if candidates.is_empty() {
            return Vec::new();
        }
        self.with_places(events, candidates)
    }

    /// The variables that held something when they were first touched by an event.
    fn candidates(&self, events: &[Event]) -> Vec<Candidate> {
        let mut run = self.new_run(&[]);
        let mut met = FxHashSet::default();
        let mut candidates = Vec::new();
        // Per thread, after how many events its segment had grown to which length.
        let mut lengths: Vec<Vec<(usize, u32)>> = Vec::new();
        for (index, event) in events.iter().enumerate() {
            run.note_lengths(index, &mut lengths);
            if !run.is_ready(event.process()) {
                break;
            }
            for access in event.footprint.iter().filter(|access| access.is_of_data()) {
                if met.insert(access.location) {
                    candidates.extend(run.candidate(access.location, &lengths));
                }
            }
            run.step(event.choice);
        }
        candidates
    }

    /// The candidates that a store of a reference has made reachable, and where.
    fn with_places(&self, events: &[Event], mut candidates: Vec<Candidate>) -> Vec<EarlyWrite> {
        let mut run = self.new_run(&[]);
        let mut writes = Vec::new();
        let is_reached = |run: &JavaRun<'_>, candidate: &Candidate| {
            let header = run.prepared().machine.heap.header(candidate.object);
            header.is_some_and(|header| header.has(REACHED))
        };
        for (index, event) in events.iter().enumerate() {
            if candidates.is_empty() || !run.is_ready(event.process()) {
                break;
            }
            run.step(event.choice);
            let mut reached = None;
            candidates.retain(|candidate| {
                // What is there now may be another object that was made and left behind.
                if candidate.after > index + 1 || !is_reached(&run, candidate) {
                    return true;
                }
                let reached = reached.get_or_insert_with(|| run.reached_by(event));
                if reached.contains(&candidate.object) {
                    writes.push(EarlyWrite {
                        location: candidate.location,
                        process: candidate.maker,
                        after: candidate.after,
                        site: event.site,
                    });
                }
                false
            });
        }
        writes
    }
}

impl JavaRun<'_> {
    fn note_lengths(&self, events: usize, lengths: &mut Vec<Vec<(usize, u32)>>) {
        let machine = &self.prepared().machine;
        let threads = machine.thread_count();
        lengths.resize(threads.max(lengths.len()), Vec::new());
        for (thread, lengths) in lengths.iter_mut().enumerate() {
            let length = machine.heap.top(thread as u32 + 2);
            if lengths.last().is_none_or(|(_, known)| *known < length) {
                lengths.push((events, length));
            }
        }
    }

    fn candidate(&self, location: Location, lengths: &[Vec<(usize, u32)>]) -> Option<Candidate> {
        let prepared = self.prepared();
        let address = prepared.find(self.program, location)?;
        let object = address.object;
        if object.segment() == PERMANENT {
            return None;
        }
        let kind = self.program.kind(location)?;
        let cell = MemoryCell { object, offset: address.offset, kind };
        let machine = &prepared.machine;
        let field = machine.field_at(cell);
        if field.is_some_and(|field| field.is_final() || field.is_volatile() || field.hidden) {
            return None;
        }
        let word = machine.heap.peek(object, address.offset / 8)?;
        if widen(word >> (address.offset % 8 * 8), kind) == 0 {
            return None;
        }
        let thread = object.segment().checked_sub(2)?;
        let made = lengths.get(thread as usize)?.iter().find(|(_, top)| *top > object.offset())?;
        let maker = prepared.known_pid(thread as usize)?;
        Some(Candidate { location, object, maker, after: made.0 })
    }

    /// What the reference leads to that an event has stored, final fields left out.
    fn reached_by(&self, event: &Event) -> FxHashSet<Reference> {
        let prepared = self.prepared();
        let mut reached = FxHashSet::default();
        let (Op::Write(location) | Op::Update(location)) = event.op else { return reached };
        let address = prepared.find(self.program, location);
        let stored = address
            .filter(|_| self.program.kind(location) == Some(Type::Reference))
            .and_then(|address| prepared.machine.heap.peek(address.object, address.offset / 8));
        let mut work: Vec<Reference> = stored.map(Reference).into_iter().collect();
        while let Some(object) = work.pop() {
            if !object.is_null() && reached.insert(object) {
                add_references(prepared, object, &mut work);
            }
        }
        reached
    }
}

/// Adds what an object refers to, final fields left out.
fn add_references(prepared: &PreparedMachine, object: Reference, into: &mut Vec<Reference>) {
    let machine = &prepared.machine;
    let Some(header) = machine.heap.header(object) else { return };
    let class = machine.world.class(header.class());
    let mut add = |word| into.extend(machine.heap.peek(object, word).map(Reference));
    match class.kind {
        ClassKind::Array(_, Type::Reference) => {
            let length = machine.heap.length(object).unwrap_or(0);
            (0..length).for_each(|index| add(ARRAY_HEADER_WORDS + index));
        }
        ClassKind::Array(..) => {}
        _ => {
            for &word in &class.reference_words {
                let field = machine.field_at(MemoryCell::field(object, word, Type::Reference));
                if !field.is_some_and(|field| field.is_final()) {
                    add(word);
                }
            }
        }
    }
}
