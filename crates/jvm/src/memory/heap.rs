//! The heap: one segment of words per creator, and the log that undoes writes.
//!
//! **One door.** All reads and writes of words go through here. The interpreter decides by an object's
//! header whether to stop before an access. Other code (natives) does not stop, so while it runs the
//! door is *watched*: it notes every access to the content of an object that other threads can reach,
//! and whoever opened the watch asks afterwards ([`Heap::end_watch`]) and judges. Headers and the
//! lengths of arrays are not noted: classes and lengths do not change, and monitors have operations of
//! their own.
//!
//! Segment 0 is empty, so that no reference is null by accident; segment 1 is permanent and holds
//! class mirrors, string literals and what the JDK's own class initialisers made; thread `n`
//! allocates in segment `n + 2`. There is no garbage collection: an execution is short, and going
//! back to a mark cuts its garbage off.

use std::cell::RefCell;

use counterpoint_model::Interrupt;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::object::{ARRAY_HEADER_WORDS, Header, INTERNALS, Reference, SHARED};
use crate::classfile::Type;
use crate::world::ClassId;

/// The segment whose allocations are never undone.
pub const PERMANENT: u32 = 1;

/// Entries of the log after which it is first searched for repetitions.
const COMPACT_AT: usize = 1 << 20;

/// Segments with more words than this grow by an eighth and not to the double.
const SLOW_GROWTH: usize = 1 << 20;

/// Segments with room for more words than this give most of it back when it is not needed any more.
const MUCH: usize = 4 << 20;

/// What may be allocated beyond the limit.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reserve {
    /// Nothing.
    None,
    /// What a thread needs to tell of the exception that it ends with, which may have been in a thousand calls. What it no
    /// longer uses is not collected.
    Ending,
    /// That and the exception that says that there is no room.
    Exception,
}

impl Reserve {
    /// How many words it has.
    fn words(self) -> u64 {
        match self {
            Reserve::None => 0,
            Reserve::Ending => 1 << 20,
            Reserve::Exception => (1 << 20) + (1 << 16),
        }
    }
}

#[derive(Debug, Clone, Default)]
struct Segment {
    words: Vec<u64>,
    /// Words from here on were allocated after the last mark: writes to them need no log.
    logged_below: u32,
    /// The mark after which the segment's size was last logged.
    epoch: u64,
    /// Writes to words below this one are counted.
    counted_below: u32,
}

/// All objects of an execution.
#[derive(Debug, Clone)]
pub struct Heap {
    segments: Vec<Segment>,
    log: Vec<(Reference, u64)>,
    sizes: Vec<(u32, u32)>,
    /// Where the log was at the last mark.
    log_at_mark: usize,
    /// Length at which the log is searched for words written more than once since the last mark.
    compact_at: usize,
    /// Where the size log was at the last mark.
    sizes_at_mark: usize,
    epoch: u64,
    used: u64,
    limit: u64,
    /// What may be allocated beyond the limit.
    reserve: Reserve,
    /// The size of the object that there was no room for.
    refused: u64,
    /// Whom to ask for memory before it is taken.
    interrupt: Interrupt,
    writes: u64,
    /// Whether accesses to what other threads can reach are noted.
    watched: bool,
    /// The accesses noted since the watch began.
    noted: RefCell<SmallVec<[(Reference, u32); 4]>>,
}

/// What was watched before a watch began.
#[derive(Debug)]
pub struct Watch {
    watched: bool,
    noted: SmallVec<[(Reference, u32); 4]>,
}

/// A point to go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapMark {
    log: usize,
    sizes: usize,
}

impl Heap {
    /// An empty heap that may grow to so many words.
    pub fn new(limit: u64) -> Heap {
        let mut heap = Heap {
            segments: vec![Segment::default(); 2],
            log: Vec::new(),
            sizes: Vec::new(),
            log_at_mark: 0,
            compact_at: COMPACT_AT,
            sizes_at_mark: 0,
            epoch: 1,
            used: 0,
            limit,
            reserve: Reserve::None,
            refused: 0,
            interrupt: Interrupt::never(),
            writes: 0,
            watched: false,
            noted: RefCell::default(),
        };
        // Offset 0 of the permanent segment is never an object.
        heap.segments[PERMANENT as usize].words.push(0);
        heap
    }

    /// The same that heeds an interrupt from the start.
    pub fn heeding(mut self, interrupt: &Interrupt) -> Heap {
        self.heed(interrupt);
        self
    }

    /// From now on this says whether there is memory for what is large.
    pub fn heed(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// The word of an object, or `None` if there is no such word, which only invalid code asks for.
    #[inline(always)]
    pub fn load(&self, object: Reference, word: u32) -> Option<u64> {
        if self.watched {
            self.note(object, word);
        }
        self.peek(object, word)
    }

    /// The same, past the watch: for what the machine does to all objects alike.
    #[inline(always)]
    pub fn peek(&self, object: Reference, word: u32) -> Option<u64> {
        let segment = self.segments.get(object.segment() as usize)?;
        segment.words.get(object.offset() as usize + word as usize).copied()
    }

    /// Writes a word of an object, logging its old value if a mark may want it back.
    #[inline(always)]
    pub fn store(&mut self, object: Reference, word: u32, value: u64) -> Option<()> {
        if self.watched {
            self.note(object, word);
        }
        let segment = self.segments.get_mut(object.segment() as usize)?;
        let at = object.offset() as usize + word as usize;
        let place = segment.words.get_mut(at)?;
        if at < segment.logged_below as usize {
            self.log.push((Reference::new(object.segment(), at as u32), *place));
        }
        *place = value;
        self.writes += u64::from(at < segment.counted_below as usize);
        if self.log.len() >= self.compact_at {
            self.compact();
        }
        Some(())
    }

    /// Keeps only the first entry of each word since the last mark: it alone matters. A step that
    /// writes few words many times then needs little log.
    #[cold]
    fn compact(&mut self) {
        // What the log has grown by, and the set that is made now.
        let entry = size_of::<(Reference, u64)>() as u64;
        if !self.interrupt.has_room(2 * entry * (self.log.len() - self.log_at_mark) as u64) {
            self.compact_at = usize::MAX;
            return;
        }
        let mut seen = FxHashSet::default();
        let start = self.log_at_mark;
        let mut kept = start;
        for index in start..self.log.len() {
            let entry = self.log[index];
            if seen.insert(entry.0) {
                self.log[kept] = entry;
                kept += 1;
            }
        }
        self.log.truncate(kept);
        self.compact_at = (self.log.len() * 2).max(self.log.len() + COMPACT_AT);
    }

    /// The header of an object.
    #[inline(always)]
    pub fn header(&self, object: Reference) -> Option<Header> {
        self.peek(object, 0).map(Header)
    }

    /// The header word and a field of an object.
    #[inline(always)]
    pub fn load_field(&self, object: Reference, word: u32) -> Option<(u64, u64)> {
        let words = &self.segments.get(object.segment() as usize)?.words;
        let at = object.offset() as usize;
        Some((*words.get(at)?, *words.get(at + word as usize)?))
    }

    /// The header word and the length of an array.
    #[inline(always)]
    pub fn array_head(&self, array: Reference) -> Option<(u64, u32)> {
        self.load_field(array, 1).map(|(head, length)| (head, length as u32))
    }

    /// The length of an array.
    #[inline(always)]
    pub fn length(&self, array: Reference) -> Option<u32> {
        self.peek(array, 1).map(|word| word as u32)
    }

    /// Begins to note accesses to what other threads can reach. What was noted before is handed out and
    /// put back at the end.
    pub fn watch(&mut self) -> Watch {
        let noted = std::mem::take(self.noted.get_mut());
        Watch { watched: std::mem::replace(&mut self.watched, true), noted }
    }

    /// Stops noting accesses; says whether they were noted before. What was noted stays.
    pub fn look_away(&mut self) -> bool {
        std::mem::replace(&mut self.watched, false)
    }

    /// Goes on as before.
    pub fn resume_watch(&mut self, watched: bool) {
        self.watched = watched;
    }

    /// Ends a watch and says what was noted: objects that others can reach, and words of them.
    pub fn end_watch(&mut self, outer: Watch) -> SmallVec<[(Reference, u32); 4]> {
        self.watched = outer.watched;
        std::mem::replace(self.noted.get_mut(), outer.noted)
    }

    #[cold]
    fn note(&self, object: Reference, word: u32) {
        let reached = self.header(object).is_some_and(|header| header.has(SHARED | INTERNALS));
        if word == 0 || !reached {
            return;
        }
        let mut noted = self.noted.borrow_mut();
        if !noted.iter().rev().take(8).any(|known| *known == (object, word)) {
            noted.push((object, word));
        }
    }

    /// An array element, zero-extended.
    #[inline(always)]
    pub fn element(&self, array: Reference, index: u32, shift: u32) -> Option<u64> {
        if shift == 3 {
            return self.load(array, ARRAY_HEADER_WORDS + index);
        }
        let word = self.load(array, ARRAY_HEADER_WORDS + (index >> (3 - shift)))?;
        let bit = (index << shift & 7) * 8;
        Some(word >> bit & ((1 << (8 << shift)) - 1))
    }

    /// Writes an array element.
    #[inline(always)]
    pub fn set_element(
        &mut self,
        array: Reference,
        index: u32,
        shift: u32,
        value: u64,
    ) -> Option<()> {
        if shift == 3 {
            return self.store(array, ARRAY_HEADER_WORDS + index, value);
        }
        let at = ARRAY_HEADER_WORDS + (index >> (3 - shift));
        let bit = (index << shift & 7) * 8;
        let mask: u64 = ((1 << (8 << shift)) - 1) << bit;
        let word = self.load(array, at)?;
        self.store(array, at, word & !mask | value << bit & mask)
    }

    /// A new zeroed object of so many words, or `None` if the heap is full, or there is no memory for it: then the
    /// interrupt that it heeds is raised.
    pub fn allocate(&mut self, segment: u32, class: ClassId, words: u32) -> Option<Reference> {
        if self.used + u64::from(words) > self.limit + self.reserve.words() {
            self.refused = u64::from(words);
            return None;
        }
        while self.segments.len() <= segment as usize {
            self.segments.push(Segment { counted_below: u32::MAX, ..Segment::default() });
        }
        let place = &mut self.segments[segment as usize];
        let top = u32::try_from(place.words.len()).ok()?;
        let end = top.checked_add(words)?;
        let grows = end as usize > place.words.capacity();
        let room = u64::from(words) + (place.words.len() / 8) as u64;
        if grows && !self.interrupt.has_room(8 * room) {
            return None;
        }
        if segment != PERMANENT && place.epoch != self.epoch {
            place.epoch = self.epoch;
            self.sizes.push((segment, top));
        }
        self.used += u64::from(words);
        if grows && place.words.len() > SLOW_GROWTH {
            // To double it would take much more memory than the limit allows.
            place.words.reserve_exact(words as usize + place.words.len() / 8);
        }
        place.words.resize(end as usize, 0);
        place.words[top as usize] = Header::new(class).0;
        Some(Reference::new(segment, top))
    }

    /// A new zeroed array, or `None` as for objects.
    pub fn allocate_array(
        &mut self,
        segment: u32,
        class: ClassId,
        element: Type,
        length: u32,
    ) -> Option<Reference> {
        let bytes = u64::from(length) << element.shift();
        let words = u32::try_from(bytes.div_ceil(8) + u64::from(ARRAY_HEADER_WORDS)).ok()?;
        let array = self.allocate(segment, class, words)?;
        self.segments[segment as usize].words[array.offset() as usize + 1] = u64::from(length);
        Some(array)
    }

    /// Says what may be allocated beyond the limit from now on. Returns what could be before.
    #[inline]
    pub fn set_reserve(&mut self, reserve: Reserve) -> Reserve {
        std::mem::replace(&mut self.reserve, reserve)
    }

    /// Whether what was last refused would hardly fit if all that is not in use were collected. `roots` are
    /// the words of all stacks, and `follow` lists the words of an object that are references; whatever
    /// may be a reference counts as one.
    pub fn is_full(
        &self,
        roots: impl Iterator<Item = u64>,
        follow: impl Fn(&Heap, Reference, &mut Vec<Reference>) -> Option<u32>,
    ) -> bool {
        if self.refused > self.limit {
            return true;
        }
        let mut seen: Vec<Vec<u64>> = Vec::new();
        seen.extend(self.segments.iter().map(|segment| vec![0; segment.words.len().div_ceil(64)]));
        // What is permanent is in use whatever refers to it.
        let permanent = self.segments[PERMANENT as usize].words.iter().copied();
        let mut work: Vec<Reference> = roots.chain(permanent).map(Reference).collect();
        let mut live = self.segments[PERMANENT as usize].words.len() as u64;
        while let Some(object) = work.pop() {
            let (segment, at) = (object.segment() as usize, object.offset() as usize);
            if segment <= PERMANENT as usize || segment >= seen.len() {
                continue;
            }
            let Some(word) = seen[segment].get_mut(at / 64) else { continue };
            if *word >> (at % 64) & 1 == 1 {
                continue;
            }
            *word |= 1 << (at % 64);
            live += u64::from(follow(self, object, &mut work).unwrap_or(0));
        }
        // A real collector gives up as well when it gains next to nothing.
        live + self.refused > self.limit - self.limit / 8
    }

    /// Gives all memory back but what is permanent: for an execution that has come to its end and will
    /// not go on.
    pub fn drop_objects_of_threads(&mut self) {
        for segment in &mut self.segments[PERMANENT as usize + 1..] {
            self.used -= segment.words.len() as u64;
            segment.words = Vec::new();
        }
    }

    /// Next free word of a segment.
    pub fn top(&self, segment: u32) -> u32 {
        self.segments.get(segment as usize).map_or(0, |segment| segment.words.len() as u32)
    }

    /// How many words were written so far, those of the permanent segment and of young objects
    /// excepted: what is linked there on first use depends on earlier executions. It only grows.
    pub fn writes(&self) -> u64 {
        self.writes
    }

    /// Back to an earlier count of writes: what stays in all executions is no part of any.
    pub fn forget_writes_since(&mut self, writes: u64) {
        self.writes = writes;
    }

    /// From now on the objects of a segment from this word on are young: writes to them do not count.
    pub fn count_writes_below(&mut self, segment: u32, word: u32) {
        if let Some(segment) = self.segments.get_mut(segment as usize) {
            segment.counted_below = word;
        }
    }

    /// How many writes would be undone by going back to the first mark.
    pub fn log_length(&self) -> usize {
        self.log.len()
    }

    /// Forgets the writes logged since the log had this length, so that they stay whatever is
    /// undone. For what is the same in all executions.
    pub fn keep_writes_since(&mut self, length: usize) {
        self.log.truncate(length);
        self.compact_at = self.log.len() + COMPACT_AT;
    }

    /// Undoes the writes logged since the log had this length.
    pub fn undo_writes_since(&mut self, length: usize) {
        while self.log.len() > length {
            let Some((place, old)) = self.log.pop() else { break };
            if let Some(word) =
                self.segments[place.segment() as usize].words.get_mut(place.offset() as usize)
            {
                *word = old;
            }
        }
        self.compact_at = self.log.len() + COMPACT_AT;
    }

    /// Leaves the log alone until [`keep_writes_since`](Heap::keep_writes_since).
    pub fn hold_log(&mut self) {
        self.compact_at = usize::MAX;
    }

    /// A point to come back to.
    pub fn mark(&mut self) -> HeapMark {
        self.segments[PERMANENT as usize].logged_below = u32::MAX;
        for (segment, _) in &self.sizes[self.sizes_at_mark..] {
            let segment = &mut self.segments[*segment as usize];
            segment.logged_below = segment.words.len() as u32;
        }
        self.epoch += 1;
        self.sizes_at_mark = self.sizes.len();
        self.log_at_mark = self.log.len();
        self.compact_at = self.log.len() + COMPACT_AT;
        HeapMark { log: self.log.len(), sizes: self.sizes.len() }
    }

    /// Back to a mark; marks made after it are void, it itself is not.
    pub fn undo(&mut self, mark: HeapMark) {
        while self.log.len() > mark.log {
            let Some((place, old)) = self.log.pop() else { break };
            if let Some(word) =
                self.segments[place.segment() as usize].words.get_mut(place.offset() as usize)
            {
                *word = old;
            }
        }
        while self.sizes.len() > mark.sizes {
            let Some((segment, top)) = self.sizes.pop() else { break };
            let segment = &mut self.segments[segment as usize];
            self.used -= segment.words.len().saturating_sub(top as usize) as u64;
            segment.words.truncate(top as usize);
            if segment.words.capacity() > MUCH && segment.words.capacity() / 4 > top as usize {
                segment.words.shrink_to(2 * top as usize);
            }
            segment.logged_below = top;
        }
        self.sizes_at_mark = self.sizes.len();
        self.log_at_mark = self.log.len();
        self.compact_at = self.log.len() + COMPACT_AT;
        self.epoch += 1;
    }

    /// Feeds all words of the state to a function, for digests in tests.
    pub fn visit(&self, mut visit: impl FnMut(u64)) {
        for segment in &self.segments {
            if !segment.words.is_empty() {
                visit(segment.words.len() as u64);
                segment.words.iter().for_each(|word| visit(*word));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(heap: &Heap) -> Vec<u64> {
        let mut words = Vec::new();
        heap.visit(|word| words.push(word));
        words
    }

    #[test]
    fn undo_restores_old_objects_and_drops_new_ones() {
        let mut heap = Heap::new(1 << 20);
        let class = ClassId(3);
        let old = heap.allocate(2, class, 4).expect("room");
        heap.store(old, 1, 10).expect("a word");
        let first = heap.mark();
        let before = digest(&heap);
        let new = heap.allocate(2, class, 4).expect("room");
        let other = heap.allocate(3, class, 2).expect("room");
        heap.store(new, 2, 5).expect("a word");
        heap.store(old, 1, 11).expect("a word");
        assert_eq!(heap.log_length(), 1, "only the old object's write is logged");
        let second = heap.mark();
        let between = digest(&heap);
        heap.store(new, 2, 6).expect("a word");
        heap.store(other, 1, 7).expect("a word");
        heap.allocate(3, class, 8).expect("room");
        heap.undo(second);
        assert_eq!(digest(&heap), between);
        heap.store(new, 3, 9).expect("a word");
        heap.undo(first);
        assert_eq!(digest(&heap), before);
        heap.store(old, 1, 12).expect("a word");
        heap.undo(first);
        assert_eq!(digest(&heap), before, "a mark can be used again");
    }

    #[test]
    fn a_word_written_many_times_is_logged_a_few_times() {
        let mut heap = Heap::new(1 << 20);
        let object = heap.allocate(2, ClassId(3), 4).expect("room");
        heap.store(object, 1, 77).expect("a word");
        let mark = heap.mark();
        for value in 0..5 * COMPACT_AT as u64 {
            heap.store(object, 1 + (value % 3) as u32, value).expect("a word");
        }
        assert!(heap.log_length() <= 2 * COMPACT_AT, "{}", heap.log_length());
        heap.undo(mark);
        assert_eq!([1, 2, 3].map(|word| heap.load(object, word)), [Some(77), Some(0), Some(0)]);
    }

    #[test]
    fn elements_are_packed_and_stay_apart() {
        let mut heap = Heap::new(1 << 20);
        for (element, shift) in [(Type::Byte, 0), (Type::Char, 1), (Type::Int, 2), (Type::Long, 3)]
        {
            let array = heap.allocate_array(2, ClassId(1), element, 21).expect("room");
            for index in 0..21 {
                heap.set_element(array, index, shift, u64::from(index) * 11).expect("in bounds");
            }
            for index in 0..21 {
                assert_eq!(heap.element(array, index, shift), Some(u64::from(index) * 11));
            }
        }
    }

    #[test]
    fn a_full_heap_says_so() {
        let mut heap = Heap::new(100);
        assert!(heap.allocate_array(2, ClassId(1), Type::Long, 99).is_none());
        assert!(heap.allocate_array(2, ClassId(1), Type::Long, u32::MAX).is_none());
    }
}
