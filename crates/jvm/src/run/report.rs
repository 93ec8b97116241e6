//! What people and tests are told about a run: texts, made only when asked for.

use counterpoint_model::{
    End, Explanation, Fault, FindingKind, Location, Next, Op, Pid, Program, Run, Site, Waiting,
};

use super::prepared::simple;
use super::standing::Life;
use super::{JavaRun, LastStep};
use crate::classfile::Type;
use crate::interpret::cell::Cell;
use crate::interpret::frames;
use crate::load::Origin;
use crate::memory::{Reference, Status};
use crate::world::MethodId;

/// Methods in which the threads of a pool wait for work.
const IDLE: &[(&str, &str)] = &[
    ("java/util/concurrent/ThreadPoolExecutor", "getTask"),
    ("java/util/concurrent/ForkJoinPool", "awaitWork"),
];

/// Conditions on inputs are shown up to this length.
const LONGEST_CONDITION: usize = 80;

impl JavaRun<'_> {
    /// How a run has ended in which nobody can move.
    pub(super) fn ending(&self) -> End {
        let waits = (0..self.standings.len())
            .any(|thread| self.standings[thread].life != Life::Absent && !self.is_idle(thread));
        if waits && !self.halted { End::Deadlock } else { End::Complete }
    }

    /// Whether a thread that waits does not keep the program from being complete.
    fn is_idle(&self, thread: usize) -> bool {
        let machine = &self.prepared().machine;
        let Some(state) = machine.threads.get(thread) else { return true };
        let world = &machine.world;
        state.core.daemon
            || frames(world, state).any(|frame| {
                let method = world.method(frame.method);
                let name = (world.class_name(method.class), world.symbols.text(method.name));
                IDLE.contains(&name)
            })
    }

    /// Who waits for what.
    pub(super) fn who_waits(&self, process: Pid) -> Option<Waiting> {
        let Next::Blocked(op) = self.next(process) else { return None };
        let prepared = self.prepared();
        let machine = &prepared.machine;
        let thread = prepared.thread(process)?;
        let standing = &self.standings[thread];
        let name = |location| self.program.location_name(location);
        let pid = |thread: usize| prepared.known_pid(thread);
        let holder = || {
            let owner = machine.heap.header(standing.object).and_then(|header| header.owner());
            owner.and_then(|(owner, _)| pid(owner)).into_iter().collect()
        };
        let woken =
            matches!(machine.core(thread).map(|core| core.status), Ok(Status::Reacquiring { .. }));
        let (what, whom) = match op {
            Op::Resume { lock, .. } if woken => (format!("the {}", name(lock)), holder()),
            Op::Resume { lock, .. } => {
                let object = name(lock);
                let object = object.strip_prefix("monitor of ").unwrap_or(&object);
                (format!("a notification on {object}"), Vec::new())
            }
            Op::Join(other) => {
                (format!("thread {} to end", self.program.process_name(other)), vec![other])
            }
            Op::Acquire(lock) if standing.life != Life::Initialises => {
                (format!("the {}", name(lock)), holder())
            }
            Op::Acquire(location) => {
                let whom = machine
                    .mirrored(standing.object)
                    .ok()
                    .and_then(|class| machine.initialising_thread(class).and_then(pid));
                (format!("the {}", name(location)), whom.into_iter().collect())
            }
            _ => self.blocker(thread),
        };
        Some(Waiting { process, what, whom, site: standing.site })
    }

    /// What a parked thread waits for: the synchroniser that it named, and who holds it.
    fn blocker(&self, thread: usize) -> (String, Vec<Pid>) {
        let machine = &self.prepared().machine;
        let blocker = machine.core(thread).ok().and_then(|core| {
            let object = machine.get_field(core.object, "parkBlocker").ok()?;
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
        let name = simple(machine.world.class_name(class));
        let name = name.split('$').next().unwrap_or(name);
        (format!("a {name}"), owner.into_iter().collect())
    }

    /// The failure of a thread that an exception has ended.
    pub(super) fn uncaught(&mut self, thread: usize) -> Option<Box<Fault>> {
        let program = self.program;
        let prepared = self.prepared_mut();
        let exception = prepared.machine.uncaught(thread)?;
        let machine = &prepared.machine;
        let class = machine.class_of(exception).ok()?;
        let mut message = machine.world.external_name(class);
        let detail = machine.get_field(exception, "detailMessage").map(Reference);
        if let Some(text) = detail.ok().and_then(Reference::non_null)
            && let Ok(text) = machine.text(text)
        {
            message = format!("{message}: {text}");
        }
        let kind = if prepared.is_a(class, "java/lang/AssertionError") {
            FindingKind::Assertion
        } else {
            FindingKind::Exception
        };
        let trace = machine.get_field(exception, "backtrace").map(Reference);
        let mut frames = Vec::new();
        if let Some(trace) = trace.ok().and_then(Reference::non_null) {
            for index in 0..machine.length(trace).unwrap_or(0) {
                let word = machine.heap.element(trace, index, 3).unwrap_or(0);
                frames.push((MethodId((word >> 32) as u32), word as u32));
            }
        }
        let is_user = |method: MethodId| {
            machine.world.class(machine.world.method(method).class).origin == Origin::Program
        };
        let frame = frames.iter().find(|frame| is_user(frame.0)).or(frames.first()).copied();
        let site =
            frame.map_or(Site::default(), |(method, pc)| prepared.site_of(program, method, pc));
        Some(Box::new(Fault { kind, message, site }))
    }

    /// What the last step did.
    pub(super) fn last_step(&self) -> Explanation {
        let Some(last) = self.last else { return Explanation::default() };
        let output = &self.prepared().machine.output;
        Explanation {
            text: self.text(&last),
            sites: vec![last.standing.site],
            output: String::from_utf8_lossy(&output[last.printed.min(output.len())..]).into_owned(),
        }
    }

    fn text(&self, last: &LastStep) -> String {
        let name = |location| self.program.location_name(location);
        let value = |location| self.contents(location).unwrap_or_else(|| "?".to_string());
        let was = |location| {
            let kind = self.program.kind(location);
            match (last.before, kind) {
                (Some(word), Some(kind)) => format!(" (was {})", self.show(word, kind)),
                _ => String::new(),
            }
        };
        let whose = |lock| name(lock).replacen("monitor of ", "", 1);
        let thread = |process| self.program.process_name(process);
        match last.standing.op {
            Op::Read(location) => format!("reads {} = {}", name(location), value(location)),
            Op::Write(location) => {
                format!("{} = {}{}", name(location), value(location), was(location))
            }
            Op::Update(location) => {
                format!("updates {} to {}{}", name(location), value(location), was(location))
            }
            Op::Acquire(location) if last.standing.life == Life::Initialises => {
                format!("begins or notices the {}", name(location))
            }
            Op::Acquire(lock) => format!("takes the lock of {}", whose(lock)),
            Op::Release(lock) => format!("frees the lock of {}", whose(lock)),
            Op::Wait { lock, .. } => format!("waits on {} and frees its lock", whose(lock)),
            Op::Resume { lock, .. } => {
                format!("goes on after waiting and takes the lock of {}", whose(lock))
            }
            Op::Notify { condition, all } => {
                let object = name(condition).replacen("wait set of ", "", 1);
                match (all, last.woken) {
                    (true, _) => format!("notifies all who wait on {object}"),
                    (false, Some(woken)) => format!("notifies {} on {object}", thread(woken)),
                    (false, None) => format!("notifies nobody on {object}"),
                }
            }
            Op::Start(child) => format!("starts {}", thread(child)),
            Op::Join(other) => format!("joins {}", thread(other)),
            Op::Synchronise(location) => match last.standing.life {
                Life::Parks => "uses up its permit, or time has passed".to_string(),
                Life::TriesLock => {
                    let machine = &self.prepared().machine;
                    let header = machine.heap.header(last.standing.object);
                    let owner = header.and_then(|header| header.owner()).map(|owner| owner.0);
                    let own = last.thread;
                    let verb = if owner == Some(own) { "takes" } else { "does not get" };
                    format!("{verb} the lock of {}", whose(location))
                }
                Life::Interrupts => {
                    format!("interrupts {}", name(location).replacen("interrupt of ", "", 1))
                }
                _ => format!("gives a {}", name(location)),
            },
            Op::Branch => {
                let unknowns = &self.prepared().machine.unknowns;
                let side = last.side.map(|side| unknowns.terms().display(side).to_string());
                match side.filter(|text| text.chars().count() <= LONGEST_CONDITION) {
                    Some(text) => format!("branches on an input: {text}"),
                    None => "branches on an input".to_string(),
                }
            }
            Op::Choose(_) | Op::Task(_) | Op::Local => "runs".to_string(),
        }
    }

    /// The word of a variable.
    pub(super) fn word(&self, location: Location) -> Option<u64> {
        let prepared = self.prepared();
        let address = prepared.address(location)?;
        let kind = self.program.kind(location)?;
        let cell = Cell { object: address.object, offset: address.offset, kind };
        let word = prepared.machine.read_cell(cell).ok()?;
        Some(prepared.machine.unknowns.concrete(word))
    }

    /// What a location holds.
    pub(super) fn contents(&self, location: Location) -> Option<String> {
        let word = self.word(location)?;
        Some(self.show(word, self.program.kind(location)?))
    }

    fn show(&self, word: u64, kind: Type) -> String {
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
        let machine = &self.prepared().machine;
        let Some(object) = object.non_null() else { return "null".to_string() };
        let Ok(class) = machine.class_of(object) else { return "?".to_string() };
        if class == machine.known.string
            && let Ok(text) = machine.text(object)
        {
            return format!("{text:?}");
        }
        format!("{}@{:x}", simple(machine.world.class_name(class)), object.offset())
    }

    /// What the program has printed: as it is if one thread has printed, else by thread.
    pub(super) fn output(&self) -> String {
        let output = &self.prepared().machine.output;
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
                Some((_, whole)) => whole.push_str(&part),
                None => by_thread.push((path, part)),
            }
        }
        by_thread.sort();
        by_thread.iter().map(|(path, part)| format!("[{path}] {part}")).collect()
    }
}
