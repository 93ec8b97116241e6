//! What ends a command early: Ctrl-C and a request to terminate, the memory limit, and the time limit
//! while a program is being loaded.
//!
//! **Signals.** The first asks for a graceful end, a second one ends at once. Some tools that stop others,
//! `timeout` among them, signal both a process and its group: it gets the signal twice in an instant. So
//! only what comes a while after the first is a second one.
//!
//! **The watch.** Explorers and runs look at what [`signal`] gives, inside long steps as well, and stop by
//! themselves. Something may take long without looking: reading a large model, say. So a thread of its own
//! looks at the clock and the memory every few milliseconds, and ends the process when the graceful end
//! takes too long, or the memory limit itself is passed. What was saved before is kept then, and what was found is said. An analysis of a model's
//! code looks at nothing either, and takes memory and time that grow with the square of the model, and neither does reading
//! it: the watch keeps the time limit for both ([`analysing`], [`reading`]).
//!
//! **What is left.** Reading a model, analysing it, and running a program up to its first step belong to the time limit as
//! exploring does, which gets what they leave ([`left`]). A compiler is another matter: it has some seconds of its own.
//!
//! **Memory** is what the system counts for this process and its workers. These are copies of it and share
//! what nobody has changed, which is counted once; since that takes the system long, it is asked now and then. An exploration is asked to stop when nine tenths
//! of the limit are in use, so that there is room for saving and telling. What needs much at once asks for it before
//! ([`Interrupt::has_room`]). Tables that double can pass from below nine tenths to above the limit all the same: who explores
//! has been asked to stop then, and has as long for it as after a signal, unless an eighth more than the limit is in use. On a busy machine the
//! watch comes late, so explorers and runs look at the memory themselves if it has not done so for a while.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use counterpoint_model::{Bound, Interrupt, Verdict};

use crate::cli::LimitArguments;
use crate::look::{bytes, shell_word};
use crate::output;
use crate::store::KeptFinding;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static FIRST: OnceLock<Instant> = OnceLock::new();
static EXPLORED: AtomicBool = AtomicBool::new(false);
static FULL: AtomicBool = AtomicBool::new(false);
static MEMORY: AtomicU64 = AtomicU64::new(u64::MAX);
static OTHERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
static USED_BY_OTHERS: AtomicU64 = AtomicU64::new(0);
static DONE_BY: Mutex<Option<(Instant, &str)>> = Mutex::new(None);
/// For how many microseconds somebody was at work who had to be done by then.
static TAKEN: AtomicU64 = AtomicU64::new(0);
static TIME: OnceLock<Duration> = OnceLock::new();
static BEGUN: OnceLock<Instant> = OnceLock::new();
/// The process that has a watch.
static WATCHED: AtomicU32 = AtomicU32::new(0);
/// How many milliseconds after it has begun somebody looked at the memory last.
static LOOKED: AtomicU64 = AtomicU64::new(0);
static READ_BY: OnceLock<Instant> = OnceLock::new();
static LOADED_BY: OnceLock<Instant> = OnceLock::new();
static FOUND: Mutex<Vec<(String, KeptFinding)>> = Mutex::new(Vec::new());

/// What comes within this time belongs to the first.
const SAME: Duration = Duration::from_secs(1);

/// How long an exploration may take to stop after a signal, and how long its result to be told.
const TO_STOP: Duration = Duration::from_millis(900);
const TO_TELL: Duration = Duration::from_secs(10);

/// How long the stories of what was found may take after a signal, and at least after the time limit.
const TO_TELL_STORIES: Duration = Duration::from_millis(400);

/// A program may take so long to be loaded even if its exploration has less time: compilers are slow.
const TO_LOAD: Duration = Duration::from_secs(10);

/// The same for a model, which needs no compiler.
const TO_READ: Duration = Duration::from_millis(500);

/// How often the watch looks.
const PACE: Duration = Duration::from_millis(5);

/// After how long without the watch others look at the memory.
const TOO_LATE: Duration = Duration::from_millis(15);

/// After how many looks it asks for the memory of workers.
const LOOKS_AT_OTHERS: u32 = 50;

/// What a process that explores a program of some size needs: the classes of the JDK, and its states.
const LEAST_FOR_EACH: u64 = 256 << 20;

/// What a process ends with that has found something.
const BUG: i32 = 1;

/// What shells expect of a process that was interrupted.
const CODE: i32 = 130;

/// Begins to mind the limits of a command.
pub fn begin(limits: Option<&LimitArguments>) {
    let Some(limits) = limits else { return };
    let memory = limits.memory.or_else(|| free_memory().map(|free| free / 2));
    MEMORY.store(memory.unwrap_or(u64::MAX), Ordering::Relaxed);
    if let Some(time) = limits.time {
        let _ = TIME.set(time);
    }
    for (known, least) in [(&LOADED_BY, TO_LOAD), (&READ_BY, TO_READ)] {
        let time = limits.time.map(|time| time.max(least));
        if let Some(end) = time.and_then(|time| Instant::now().checked_add(time)) {
            let _ = known.set(end);
        }
    }
    flag();
    mind_memory(&mut None);
    // Without the watch, limits are kept wherever somebody looks at them.
    let _ = std::thread::Builder::new().name("watch".into()).spawn(watch);
}

/// Does something that looks neither at the clock nor at signals, such as analysing the whole code of a model. It may
/// take as long as one exploration, if that is limited, but half a second at least, and then the process ends: there is no part of an answer.
pub fn analysing<T>(time: Option<Duration>, act: impl FnOnce() -> T) -> T {
    let end = left(time).and_then(|time| Instant::now().checked_add(time.max(TO_READ)));
    done_by(end.map(|end| (end, "while the model was analysed")), act)
}

/// The same for reading a model, which may take as long as exploring it, or a little more. What it takes is taken from the
/// exploration ([`left`]).
pub fn reading<T>(act: impl FnOnce() -> T) -> T {
    done_by(READ_BY.get().map(|&end| (end, "while the model was read")), act)
}

/// What is left of a time limit when a model has been read and analysed, or a program has come to its first step, which
/// belongs to it but for a moment.
pub fn left(limit: Option<Duration>) -> Option<Duration> {
    let taken = Duration::from_micros(TAKEN.load(Ordering::Relaxed)).saturating_sub(TO_READ);
    limit.map(|limit| limit.saturating_sub(taken))
}

/// How long a program may take to come to its first step when it is loaded. That is the time of its first execution.
pub fn to_begin() -> Option<Duration> {
    TIME.get().map(|time| (*time).max(TO_READ))
}

/// A program took so long for that, or was interrupted before. If the time was up, there is none left for another try.
pub fn began(took: Duration, is_known: bool) {
    match is_known || reason().is_some() {
        true => take(took),
        false => _ = TAKEN.fetch_max(u64::MAX / 2, Ordering::Relaxed),
    }
}

/// Does something that has to be done by then, or else the process ends and says what it was doing.
fn done_by<T>(end: Option<(Instant, &'static str)>, act: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    *DONE_BY.lock().unwrap_or_else(PoisonError::into_inner) = end;
    let done = act();
    *DONE_BY.lock().unwrap_or_else(PoisonError::into_inner) = None;
    take(begun.elapsed());
    done
}

fn take(time: Duration) {
    TAKEN.fetch_add(u64::try_from(time.as_micros()).unwrap_or(0), Ordering::Relaxed);
}

/// From now on results are told.
pub fn explored() {
    EXPLORED.store(true, Ordering::Relaxed);
}

/// Something was found that is told in the end. If there is no such end, this is said of it, and its schedule is kept.
pub fn found(title: String, kept: KeptFinding) {
    FOUND.lock().unwrap_or_else(PoisonError::into_inner).push((title, kept));
}

/// Ends the process without a result. What was found is said and kept all the same.
fn end(why: &str, code: i32) -> ! {
    let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    for (title, kept) in found.iter() {
        let replay = match kept.save() {
            Ok(path) => format!("; to see how: counterpoint replay {}", shell_word(&path)),
            Err(_) => String::new(),
        };
        output::complain(&format!("found before: {title}{replay}\n"));
    }
    output::complain(why);
    std::process::exit(if found.is_empty() { code } else { BUG });
}

/// Does something that is not to be cut off in the middle, such as saving work, which may be large. Who is asked to stop
/// meanwhile looks at that next, and has as much time as for telling.
pub fn undisturbed(act: impl FnOnce()) {
    let before = EXPLORED.swap(true, Ordering::Relaxed);
    act();
    if !INTERRUPTED.load(Ordering::Relaxed) {
        EXPLORED.store(before, Ordering::Relaxed);
    }
}

/// What explorers and runs look at, inside long steps as well.
pub fn signal() -> Interrupt {
    flag();
    Interrupt::with_room(reason, has_room)
}

/// Whether so many bytes more would leave enough for saving and telling. If not, everybody is asked to stop.
fn has_room(bytes: u64) -> bool {
    let limit = memory_limit();
    let full = used_memory().is_some_and(|used| used.saturating_add(bytes) > limit - limit / 10);
    if full {
        FULL.store(true, Ordering::Relaxed);
    }
    !full
}

/// The same while a program is loaded, for which there is as much time as for exploring it, or a little more.
pub fn loading() -> Interrupt {
    signal().until(LOADED_BY.get().copied())
}

/// What stories look at after an exploration that began then. For them there is what is left of its time, and a tenth of
/// that or a little more in any case.
pub fn telling(begun: Instant, limit: Option<Duration>) -> Interrupt {
    let end = limit.and_then(|limit| {
        let least = (limit / 10).max(TO_TELL_STORIES);
        Some(begun.checked_add(limit)?.max(Instant::now().checked_add(least)?))
    });
    flag();
    Interrupt::asking(was_stopped_before).until(end)
}

/// Whether a signal came so long ago that nobody waits for stories any more.
fn was_stopped_before() -> Option<Bound> {
    let late = FIRST.get().is_some_and(|first| first.elapsed() > TO_TELL_STORIES);
    late.then_some(Bound::Stopped)
}

fn reason() -> Option<Bound> {
    if INTERRUPTED.load(Ordering::Relaxed) {
        return Some(Bound::Stopped);
    }
    let now = since_begun();
    let late = u64::try_from(TOO_LATE.as_millis()).unwrap_or(u64::MAX);
    // A copy of the process has no watch: whoever made it counts its memory.
    if now.saturating_sub(LOOKED.load(Ordering::Relaxed)) >= late
        && WATCHED.load(Ordering::Relaxed) == std::process::id()
    {
        LOOKED.store(now, Ordering::Relaxed);
        has_room(0);
    }
    FULL.load(Ordering::Relaxed).then_some(Bound::Memory)
}

fn since_begun() -> u64 {
    let begun = BEGUN.get_or_init(Instant::now);
    u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Asks for a graceful end, as the first signal does.
pub fn stop() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// A flag that is set when the user wants to stop.
pub fn flag() -> &'static AtomicBool {
    // A second handler cannot be set; then the first is in force already.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if FIRST.get_or_init(Instant::now).elapsed() > SAME {
            std::process::exit(CODE);
        }
    });
    &INTERRUPTED
}

fn watch() {
    WATCHED.store(std::process::id(), Ordering::Relaxed);
    let mut passed = None;
    for look in 1.. {
        std::thread::sleep(PACE);
        if look % LOOKS_AT_OTHERS == 0 {
            note_memory_of_others();
        }
        if FIRST.get().is_some_and(|first| first.elapsed() > patience()) {
            end("interrupted; what was saved before is kept\n", CODE);
        }
        let done_by = *DONE_BY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((by, what)) = done_by
            && by <= Instant::now()
        {
            let why =
                format!("incomplete: stopped by the time limit {what}; `--time` sets the limit\n");
            end(&why, incomplete(Bound::Time));
        }
        mind_memory(&mut passed);
    }
}

/// How long it may take to stop, or to tell what was found.
fn patience() -> Duration {
    if EXPLORED.load(Ordering::Relaxed) { TO_TELL } else { TO_STOP }
}

/// Asks everybody to stop when nine tenths of the memory are used, and ends the process when all of it is and nobody stops,
/// or nobody looks. Takes and gives since when all of it is used.
fn mind_memory(passed: &mut Option<Instant>) {
    LOOKED.store(since_begun(), Ordering::Relaxed);
    let limit = memory_limit();
    let Some(used) = used_memory() else { return };
    if used > limit - limit / 10 {
        FULL.store(true, Ordering::Relaxed);
    }
    if used <= limit {
        *passed = None;
        return;
    }
    let since = *passed.get_or_insert_with(Instant::now);
    let nobody_looks = DONE_BY.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    if nobody_looks || used > limit.saturating_add(limit / 8) || since.elapsed() > patience() {
        let limit = bytes(limit);
        let why = format!(
            "incomplete: stopped by the memory limit of {limit}; what was saved before is kept; `--memory` sets the limit\n"
        );
        end(&why, incomplete(Bound::Memory));
    }
}

/// What a process ends with that a limit has stopped.
fn incomplete(bound: Bound) -> i32 {
    Verdict::of(false, &[bound]).exit_code().into()
}

/// How much memory there is for this process and its workers, in bytes.
pub fn memory_limit() -> u64 {
    MEMORY.load(Ordering::Relaxed)
}

/// For how many processes there is memory, if each comes to need twice as much as this one does now, or
/// [`LEAST_FOR_EACH`] at least.
pub fn most_processes() -> usize {
    let limit = memory_limit();
    let each = used_memory().map_or(LEAST_FOR_EACH, |used| (2 * used).max(LEAST_FOR_EACH));
    usize::try_from(limit / each).unwrap_or(usize::MAX).max(1)
}

/// From now on the memory of another process counts as well.
pub fn count_memory_of(process: u32) {
    OTHERS.lock().unwrap_or_else(PoisonError::into_inner).push(process);
}

/// That process has ended.
pub fn forget_memory_of(process: u32) {
    OTHERS.lock().unwrap_or_else(PoisonError::into_inner).retain(|&other| other != process);
}

/// How much memory this process and its workers use, in bytes, where the system says so.
fn used_memory() -> Option<u64> {
    let own = kilobytes("/proc/self/status", "VmRSS:")?;
    Some(own + USED_BY_OTHERS.load(Ordering::Relaxed))
}

/// Asks how much memory workers use, each with its part of what several share.
fn note_memory_of_others() {
    let others = OTHERS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let of = |process: u32| kilobytes(&format!("/proc/{process}/smaps_rollup"), "Pss:");
    USED_BY_OTHERS.store(others.into_iter().filter_map(of).sum(), Ordering::Relaxed);
}

/// How much memory is free for this process, in bytes, where the system says so.
pub fn free_memory() -> Option<u64> {
    let free = kilobytes("/proc/meminfo", "MemAvailable:");
    let number = |path| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limit: Option<u64> = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    let left = limit.map(|limit| limit.saturating_sub(used));
    match (free, left) {
        (Some(free), Some(left)) => Some(free.min(left)),
        (free, left) => free.or(left),
    }
}

/// A figure of a file with lines such as `VmRSS: 1024 kB`, in bytes.
fn kilobytes(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}
