//! What people and tests are told about a run: texts, made only when asked for.

use counterpoint_model::{
    End, Explanation, Fault, FindingKind, Location, Next, Op, Pid, Program, Run, Site, Waiting,
};

use super::naming::class_label;
use super::pending::{NO_METHOD, PendingKind, PendingOperation};
use super::{JavaProgram, JavaRun, LastStep};
use crate::classfile::Type;
use crate::interpret::{FUTURE, JdkCall, Readiness, SubjectPlace, frames};
use crate::load::Origin;
use crate::machine::Machine;
use crate::memory::{Reference, ThreadStatus};
use crate::world::MethodId;

/// Methods in which the threads of a pool wait for work.
const IDLE: &[(&str, &str)] = &[
    ("java/util/concurrent/ThreadPoolExecutor", "getTask"),
    ("java/util/concurrent/ForkJoinPool", "awaitWork"),
];

/// Classes whose instances are shown by their value.
const BOXES: &[(&str, Type)] = &[
    ("java/lang/Boolean", Type::Boolean),
    ("java/lang/Byte", Type::Byte),
    ("java/lang/Short", Type::Short),
    ("java/lang/Character", Type::Char),
    ("java/lang/Integer", Type::Int),
    ("java/lang/Long", Type::Long),
    ("java/lang/Float", Type::Float),
    ("java/lang/Double", Type::Double),
];

/// How far causes of exceptions are followed.
const DEEPEST_CAUSE: usize = 20;

/// Letters of what an exception says that are told.
const LONGEST_MESSAGE: usize = 500;

impl JavaRun<'_> {
    /// How a run has ended in which nobody can move.
    pub(super) fn ending(&self) -> End {
        if self.cut {
            return End::Cut;
        }
        let is_left = |thread: &usize| self.pending[*thread].kind != PendingKind::Absent;
        let left = (0..self.pending.len()).filter(is_left);
        let waiting: Vec<usize> = left.filter(|thread| !self.may_be_left(*thread)).collect();
        if self.exited || self.only_rounds_left || waiting.is_empty() {
            return End::Complete;
        }
        if waiting.iter().any(|thread| !self.awaits_task(*thread)) {
            return End::Deadlock;
        }
        self.program.note_idle_pool();
        End::Complete
    }

    /// Whether the program ends although this thread waits, as a JVM does.
    fn may_be_left(&self, thread: usize) -> bool {
        let state = self.prepared().machine.threads.get(thread);
        let is_of_machine = matches!(
            self.pending[thread].kind,
            PendingKind::Jdk(call) if call.operation.is_of_machine
        );
        is_of_machine || state.is_none_or(|state| state.core.daemon)
    }

    /// Whether a thread waits for a task of its pool. Such threads keep a JVM from ending, which is how most
    /// programs without `shutdown` are meant: no failure, but said of the result.
    fn awaits_task(&self, thread: usize) -> bool {
        let machine = &self.prepared().machine;
        let Some(state) = machine.threads.get(thread) else { return true };
        if matches!(self.pending[thread].kind, PendingKind::Jdk(call) if call.operation.is_idle) {
            return true;
        }
        let world = &machine.world;
        frames(world, state).any(|frame| {
            let method = world.method(frame.method);
            let name = (world.class_name(method.class), world.symbols.text(method.name));
            IDLE.contains(&name)
        })
    }

    /// Who waits for what.
    pub(super) fn waiting_for(&self, process: Pid) -> Option<Waiting> {
        let Next::Blocked(op) = self.next(process) else { return None };
        let prepared = self.prepared();
        let machine = &prepared.machine;
        let thread = prepared.thread(process)?;
        let pending = &self.pending[thread];
        // That the end of the program waits for all others is nobody's fault.
        if matches!(pending.kind, PendingKind::Jdk(call) if call.operation.is_of_machine) {
            return None;
        }
        let name = |location| self.program.location_name(location);
        let pid = |thread: usize| prepared.known_pid(thread);
        let holder = || {
            let owner = machine.heap.header(pending.object).and_then(|header| header.owner());
            owner.and_then(|(owner, _)| pid(owner)).into_iter().collect()
        };
        let woken = matches!(
            machine.core(thread).map(|core| core.status),
            Ok(ThreadStatus::Reacquiring { .. })
        );
        let (what, whom) = match op {
            _ if self.spins(pending) => {
                let names: Vec<String> =
                    self.spin_locations(pending).into_iter().map(name).collect();
                let what = match names.is_empty() {
                    true => "nothing: it is in an endless loop that does nothing".to_string(),
                    false => format!("a change of {}, which it reads in a loop", names.join(", ")),
                };
                (what, Vec::new())
            }
            Op::Synchronise(lock) => {
                let whose = name(lock).replacen("lock of ", "", 1);
                match pending.kind {
                    PendingKind::Jdk(call) => {
                        let operation = call.operation;
                        let holders = match operation.is_on_lock() || operation.is_on_stamped_lock()
                        {
                            true => self.in_the_way(thread, &call),
                            false => Vec::new(),
                        };
                        (call.wanted(&self.subject_name(&call, &whose)), holders)
                    }
                    PendingKind::ResumeForWriting if woken => {
                        (format!("the write lock of {whose}"), self.holders(pending.object))
                    }
                    PendingKind::ResumeForWriting => {
                        let condition = name(pending.touched).replacen("wait set of ", "", 1);
                        (format!("a signal on {condition}"), Vec::new())
                    }
                    PendingKind::End => {
                        let monitor = prepared.monitor(self.program, pending.object);
                        (format!("the {}, to end", name(monitor)), holder())
                    }
                    _ => self.blocker(thread),
                }
            }
            Op::Resume { lock, .. } if woken => (format!("the {}", name(lock)), holder()),
            Op::Resume { condition, .. } => {
                let object = name(condition).replacen("wait set of ", "", 1);
                let set = prepared.address(condition).map(|address| address.object);
                let monitor = set == Some(pending.object);
                let what = match (monitor, pending.library_method) {
                    (true, _) => format!("a notification on {object}"),
                    (false, NO_METHOD) => format!("a signal on {object}"),
                    // Nobody knows a condition inside of the library.
                    (false, method) => {
                        format!("a signal on {object} in {}", prepared.method_name(method))
                    }
                };
                (what, Vec::new())
            }
            Op::Join(other) => {
                (format!("thread {} to end", self.program.process_name(other)), vec![other])
            }
            Op::Acquire(lock) if pending.kind != PendingKind::Initialize => {
                (format!("the {}", name(lock)), holder())
            }
            Op::Acquire(location) => {
                let whom = machine
                    .mirrored(pending.object)
                    .ok()
                    .and_then(|class| machine.initialising_thread(class).and_then(pid));
                (format!("the {}", name(location)), whom.into_iter().collect())
            }
            _ => self.blocker(thread),
        };
        Some(Waiting { process, what, whom, site: pending.site, looping: self.spins(pending) })
    }

    /// The threads that hold a lock, or its read lock.
    pub(super) fn holders(&self, inner: Reference) -> Vec<Pid> {
        let machine = &self.prepared().machine;
        let owner = machine.heap.header(inner).and_then(|header| header.owner());
        let mut holders = machine.readers(inner);
        holders.extend(owner.map(|(owner, _)| owner));
        holders.into_iter().filter_map(|thread| self.prepared().known_pid(thread)).collect()
    }

    /// The threads that keep one from taking a lock or permits: those that hold it, or those that it waits behind.
    fn in_the_way(&self, thread: usize, call: &JdkCall) -> Vec<Pid> {
        let machine = &self.prepared().machine;
        let is_owned = machine.heap.header(call.subject).is_some_and(|it| it.owner().is_some());
        if is_owned || call.operation.waits_for_all_holders() {
            return self.holders(call.subject);
        }
        let queue = machine.queue(call.subject).into_iter();
        let before = queue.take_while(|waiting| *waiting != thread);
        let ahead: Vec<Pid> =
            before.filter_map(|thread| self.prepared().known_pid(thread)).collect();
        if ahead.is_empty() { self.holders(call.subject) } else { ahead }
    }

    /// What a parked thread waits for: the synchroniser that it named, and who holds it.
    fn blocker(&self, thread: usize) -> (String, Vec<Pid>) {
        let machine = &self.prepared().machine;
        let blocker = machine.thread_object(thread).ok().and_then(|own| {
            let object = machine.get_field(own, "parkBlocker").ok()?;
            Reference(object).non_null()
        });
        let Some(blocker) = blocker else { return ("a permit".to_string(), Vec::new()) };
        let Ok(class) = machine.class_of(blocker) else {
            return ("a permit".to_string(), Vec::new());
        };
        let owner = machine.get_field(blocker, "exclusiveOwnerThread").ok().and_then(|object| {
            let number = machine.thread_of(Reference(object).non_null()?).ok()??;
            self.prepared().known_pid(number)
        });
        let label = class_label(machine.world.class_name(class));
        let name = self.prepared().object_name(self.program, blocker);
        let known = name.starts_with(&label) || label.starts_with("Abstract");
        let what = if known { name } else { format!("{label} {name}") };
        (what, owner.into_iter().collect())
    }

    /// The failure of a thread that an exception has ended.
    pub(super) fn uncaught(&mut self, thread: usize) -> Option<Box<Fault>> {
        let program = self.program;
        let prepared = self.prepared_mut();
        let exception = prepared.machine.uncaught(thread)?;
        let machine = &prepared.machine;
        let class = machine.class_of(exception).ok()?;
        let name = machine.world.external_name(class);
        let mut message = name.clone();
        let detail = machine.get_field(exception, "detailMessage").map(Reference);
        let text = match detail.ok().and_then(Reference::non_null) {
            Some(text) => machine.text(text).ok(),
            // Its message is made when it is asked for.
            None if name == "java.lang.NullPointerException" => machine.null_message(exception),
            None => None,
        };
        if let Some(text) = text {
            message = format!("{name}: {}", shortened(text, LONGEST_MESSAGE));
        }
        let kind = if prepared.is_a(class, "java/lang/AssertionError") {
            FindingKind::Assertion
        } else {
            FindingKind::Exception
        };
        let first = || machine.backtrace(exception).first().copied();
        let thrown = thrown_by_program(program, machine, exception);
        let frame = thrown.map(|(_, frame)| frame).or_else(first);
        let site =
            frame.map_or(Site::default(), |(method, pc)| prepared.site_of(program, method, pc));
        Some(Box::new(Fault { kind, name, message, site }))
    }

    /// What the last step did.
    pub(super) fn last_step(&self) -> Explanation {
        let Some(last) = self.last else { return Explanation::default() };
        let output = &self.prepared().machine.console.output;
        // A step that could not be performed has left the thread where it stood.
        let pending = self.trail.get(last.saved).unwrap_or(&self.pending[last.thread]);
        let text = self.text(&last, pending);
        Explanation {
            within: self.library_call(pending, &text),
            text,
            sites: vec![pending.site],
            output: String::from_utf8_lossy(&output[last.printed.min(output.len())..]).into_owned(),
            expired: last.expired,
            stack: self.stack_of_failure(last.thread),
        }
    }

    /// The call of library code that a step was part of. What threads do to each other, to tasks and to queues
    /// is told in words of its own.
    fn library_call(&self, pending: &PendingOperation, text: &str) -> String {
        let inside = match pending.op {
            Op::Synchronise(_) => text.starts_with("uses ") || text.starts_with("looks at "),
            Op::Read(_) if text.starts_with("finds ") => false,
            Op::Read(_) | Op::Write(_) | Op::Update(_) | Op::Release(_) => true,
            Op::Acquire(_) => pending.kind == PendingKind::Plain,
            _ => false,
        };
        match pending.library_method {
            NO_METHOD => String::new(),
            method if inside => self.prepared().method_name(method),
            _ => String::new(),
        }
    }

    /// The stack trace of the exception that has ended a thread, as Java prints it.
    fn stack_of_failure(&self, thread: usize) -> Vec<String> {
        let machine = &self.prepared().machine;
        let Some(exception) = machine.uncaught(thread) else { return Vec::new() };
        let thrown = thrown_by_program(self.program, machine, exception);
        let exception = thrown.map_or(exception, |(cause, _)| cause);
        let mut frames = machine.backtrace(exception);
        // Who called the program, such as a test framework, does not matter.
        let is_own = |method: MethodId| {
            let class = machine.world.method(method).class;
            self.program.is_own_class(machine.world.class_name(class))
        };
        if let Some(last) = frames.iter().rposition(|frame| is_own(frame.0)) {
            frames.truncate(last + 1);
        }
        let frames = frames.into_iter();
        frames.map(|(method, pc)| machine.place(method, pc).to_string()).collect()
    }

    fn text(&self, last: &LastStep, pending: &PendingOperation) -> String {
        let name = |location| self.program.location_name(location);
        let value = |location| self.contents(location).unwrap_or_else(|| "?".to_string());
        let was = |location| {
            let kind = self.program.kind(location);
            match (last.before, kind) {
                (Some(word), Some(kind)) => format!(" (was {})", self.show(word, kind)),
                _ => String::new(),
            }
        };
        let whose = |lock| name(lock).replacen("lock of ", "", 1);
        let thread = |process| self.program.process_name(process);
        match pending.op {
            _ if pending.approaches => "reaches a call that may block".to_string(),
            Op::Write(_) | Op::Synchronise(_) if pending.kind == PendingKind::End => {
                "ends".to_string()
            }
            Op::Synchronise(_) if pending.kind == PendingKind::AskThreads => {
                "asks which threads exist".to_string()
            }
            Op::Synchronise(_) if pending.kind == PendingKind::AskStates => {
                "asks what all threads are doing".to_string()
            }
            Op::Read(location) | Op::Update(location)
                if pending.kind == PendingKind::AskStarted =>
            {
                let thread = name(location).replacen("start of ", "", 1);
                let started = self.prepared().machine.thread_of(pending.object);
                match (started, pending.op) {
                    (Ok(Some(_)), _) => format!("finds {thread} started"),
                    (_, Op::Update(_)) => format!("interrupts {thread} before its start"),
                    _ => format!("finds {thread} not started"),
                }
            }
            Op::Read(_) if pending.kind == PendingKind::Sleep => "sleeps".to_string(),
            Op::Synchronise(location) if pending.kind == PendingKind::AskState => {
                format!("asks for the {}", name(location))
            }
            Op::Read(location) | Op::Synchronise(location)
                if matches!(pending.kind, PendingKind::AskAlive | PendingKind::TimedJoin) =>
            {
                format!("asks whether {} has ended", name(location))
            }
            Op::Read(_) | Op::Synchronise(_) if pending.kind == PendingKind::AskInterrupted => {
                "checks for an interrupt".to_string()
            }
            Op::Read(location) if pending.kind == PendingKind::AskWaiters => {
                format!("asks for the {}", name(location))
            }
            Op::Read(location) | Op::Write(location) if self.program.kind(location).is_none() => {
                "checks for an interrupt".to_string()
            }
            Op::Read(location) if self.result_of_future(location).is_some() => {
                let future = self.result_of_future(location).unwrap_or_default();
                match self.word(location) {
                    Some(0) => format!("finds no result of {future}"),
                    _ => format!("finds the result of {future}"),
                }
            }
            Op::Read(location) if name(location) == value(location) => {
                format!("reads {}", name(location))
            }
            Op::Read(location) => format!("reads {} = {}", name(location), value(location)),
            Op::Write(location) => {
                format!("{} = {}{}", name(location), value(location), was(location))
            }
            Op::Update(location) => {
                format!("updates {} to {}{}", name(location), value(location), was(location))
            }
            Op::Acquire(location) if pending.kind == PendingKind::Initialize => {
                format!("starts or awaits the {}", name(location))
            }
            Op::Acquire(lock) => format!("locks {}", whose(lock)),
            Op::Release(lock) => format!("unlocks {}", whose(lock)),
            Op::Wait { condition, lock } => {
                let set = name(condition).replacen("wait set of ", "", 1);
                match set == whose(lock) {
                    true => format!("unlocks {set} and waits on it"),
                    false => format!("unlocks {} and waits on {set}", whose(lock)),
                }
            }
            Op::Resume { lock, .. } => {
                format!("wakes up and locks {}", whose(lock))
            }
            Op::Notify { condition, all } => {
                let object = name(condition).replacen("wait set of ", "", 1);
                let whom = match (all, last.woken) {
                    (true, _) => format!("notifies all who wait on {object}"),
                    (false, Some(woken)) => format!("notifies {} on {object}", thread(woken)),
                    (false, None) => format!("notifies nobody on {object}"),
                };
                match last.left {
                    Some(left) => format!("{whom}, when {} has stopped waiting", thread(left)),
                    None => whom,
                }
            }
            Op::Start(child) => format!("starts {}", thread(child)),
            Op::Join(other) => format!("joins {}", thread(other)),
            Op::Synchronise(location) => match pending.kind {
                PendingKind::Park => "goes on after parking".to_string(),
                PendingKind::Complete => self.completion_text(last, location),
                PendingKind::Files(action) => {
                    let path = self.prepared().machine.path_of_file(pending.object);
                    action.said(&path.unwrap_or_else(|| "a file".to_string()))
                }
                PendingKind::Jdk(call) => {
                    call.done(last.readiness, &self.subject_name(&call, &whose(location)))
                }
                PendingKind::ResumeForWriting if last.readiness == Readiness::Queues => {
                    format!("wakes up and begins to wait for the write lock of {}", whose(location))
                }
                PendingKind::ResumeForWriting => {
                    format!("wakes up and takes the write lock of {}", whose(location))
                }
                PendingKind::Interrupt => {
                    let whom = name(location).replacen("interrupt of ", "", 1);
                    match last.left {
                        Some(_) => format!("interrupts {whom}, which has stopped waiting"),
                        None => format!("interrupts {whom}"),
                    }
                }
                _ => format!("unparks {}", name(location).replacen("permit of ", "", 1)),
            },
            Op::Branch => match last.condition.zip(self.store()) {
                Some((condition, terms)) => {
                    format!("finds that {}", self.said(terms.display(condition).to_string()))
                }
                None => "branches on its inputs".to_string(),
            },
            Op::Choose(_) | Op::Task(_) | Op::Local => "runs".to_string(),
        }
    }

    /// What an operation on a `CompletableFuture` has done: it has written a result or a stack of stages, or it
    /// has found a result.
    fn completion_text(&self, last: &LastStep, location: Location) -> String {
        let name = self.program.location_name(last.written.unwrap_or(location));
        match (name.strip_suffix(".result"), name.strip_suffix(".stack"), last.written) {
            (Some(future), _, Some(_)) => format!("completes {future}"),
            (Some(future), _, None) => format!("finds the result of {future}"),
            (_, Some(future), Some(_)) => format!("adds a stage to {future}"),
            (_, Some(future), None) => format!("looks at the stages of {future}"),
            _ => format!("uses {name}"),
        }
    }

    /// The `CompletableFuture` whose result is at a location.
    fn result_of_future(&self, location: Location) -> Option<String> {
        let prepared = self.prepared();
        let class = prepared.machine.class_of(prepared.address(location)?.object).ok()?;
        if !prepared.is_a(class, FUTURE) {
            return None;
        }
        let name = self.program.location_name(location);
        Some(name.strip_suffix(".result")?.to_string())
    }

    /// A text about inputs, with names for them that people understand.
    fn said(&self, text: String) -> String {
        let mut names: Vec<String> = self.inputs().into_iter().map(|input| input.name).collect();
        // Some names are ends of others.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.into_iter().fold(text, |text, name| {
            let parts = name.split_once('#').and_then(|(path, number)| {
                Some((self.program.names().resolve(path)?, number.parse::<u64>().ok()?))
            });
            match parts {
                Some((process, number)) => {
                    let whose = self.program.process_name(process);
                    text.replace(&name, &format!("input {} of {whose}", number + 1))
                }
                None => text,
            }
        })
    }

    /// The word of a variable.
    pub(super) fn word(&self, location: Location) -> Option<u64> {
        let prepared = self.prepared();
        let word = prepared.machine.read_cell(prepared.cell(location)?).ok()?;
        Some(prepared.machine.unknowns.concrete(word))
    }

    /// What a location holds.
    pub(super) fn contents(&self, location: Location) -> Option<String> {
        let word = self.word(location)?;
        Some(self.show(word, self.program.kind(location)?))
    }

    pub(super) fn show(&self, word: u64, kind: Type) -> String {
        match kind {
            Type::Boolean => (word & 1 != 0).to_string(),
            Type::Byte | Type::Short | Type::Int => (word as i32).to_string(),
            Type::Char => format!("{:?}", char::from_u32(word as u32).unwrap_or('?')),
            Type::Long => (word as i64).to_string(),
            Type::Float => f32::from_bits(word as u32).to_string(),
            Type::Double => f64::from_bits(word).to_string(),
            Type::Reference => self.show_object(Reference(word)),
        }
    }

    fn show_object(&self, object: Reference) -> String {
        let prepared = self.prepared();
        let machine = &prepared.machine;
        let Some(object) = object.non_null() else { return "null".to_string() };
        let Ok(class) = machine.class_of(object) else { return "?".to_string() };
        if class == machine.known.string
            && let Ok(text) = machine.text(object)
        {
            return format!("{text:?}");
        }
        let boxed = BOXES.iter().find(|(name, _)| *name == machine.world.class_name(class));
        if let Some((_, kind)) = boxed
            && let Ok(place) = machine.field_word(class, "value")
            && let Some(word) = machine.heap.peek(object, place)
        {
            return self.show(machine.unknowns.concrete(word), *kind);
        }
        if prepared.is_a(class, "java/lang/Thread")
            && let Ok(Some(thread)) = machine.thread_of(object)
            && let Some(process) = prepared.known_pid(thread)
        {
            return self.program.process_name(process);
        }
        if prepared.is_a(class, "java/lang/Enum")
            && let Ok(word) = machine.get_field(object, "name")
            && let Some(name) = Reference(word).non_null()
            && let Ok(text) = machine.text(name)
        {
            return text;
        }
        prepared.object_name(self.program, object)
    }

    /// What the program has printed: as it is if one thread has printed, else by thread.
    pub(super) fn output(&self) -> String {
        let output = &self.prepared().machine.console.output;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let Some(first) = self.printed.first() else { return text(output) };
        if self.printed.iter().all(|(thread, _)| *thread == first.0) {
            return text(output);
        }
        let mut by_thread: Vec<(String, String)> = Vec::new();
        let mut from = 0;
        for (thread, end) in &self.printed {
            let pid = self.prepared().known_pid(*thread as usize).unwrap_or(Pid::MAIN);
            let path = self.program.names().path(pid);
            let part = text(&output[from..*end]);
            from = *end;
            match by_thread.iter_mut().find(|(known, _)| *known == path) {
                Some((_, call)) => call.push_str(&part),
                None => by_thread.push((path, part)),
            }
        }
        by_thread.sort();
        by_thread.iter().map(|(path, part)| format!("[{path}] {part}")).collect()
    }

    /// The subject of a call, given the name of its location. A pool has a name of its own, though its
    /// queue stands for it.
    fn subject_name(&self, call: &JdkCall, location: &str) -> String {
        let subject = call.operation.subject;
        match subject.place {
            _ if subject.is_part => self.prepared().object_name(self.program, call.receiver),
            SubjectPlace::Variable(_) => {
                location.rsplit_once('.').map_or(location, |parts| parts.0).to_string()
            }
            _ => location.replacen("inside of ", "", 1),
        }
    }
}

/// The exception that something in the program has thrown, and where: the one at hand, or the one on behalf of
/// which the library made it.
fn thrown_by_program(
    program: &JavaProgram,
    machine: &Machine,
    exception: Reference,
) -> Option<(Reference, (MethodId, u32))> {
    let is_user = |method: MethodId| {
        machine.world.class(machine.world.method(method).class).origin == Origin::Program
    };
    // What a library on the class path throws happened where the program called it.
    let is_own = |method: MethodId| {
        let class = machine.world.method(method).class;
        is_user(method) && program.is_own_class(machine.world.class_name(class))
    };
    let place = |exception| {
        let frames = machine.backtrace(exception);
        let own = frames.iter().find(|frame| is_own(frame.0));
        let frame = own.or_else(|| frames.iter().find(|frame| is_user(frame.0))).copied()?;
        Some((exception, frame))
    };
    let cause = |exception: &Reference| {
        let cause = Reference(machine.get_field(*exception, "cause").ok()?).non_null();
        cause.filter(|cause| cause != exception)
    };
    std::iter::successors(Some(exception), cause).take(DEEPEST_CAUSE).find_map(place)
}

/// A text of the program, cut if it is longer than so many letters: nobody reads it, and it is written
/// down many times.
pub(super) fn shortened(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
