//! A failing schedule as a story: who did what, where, with which values, and why the turn passed.
//!
//! The schedule is replayed and each step explains itself. Then the story is cut to the steps that
//! matter: going back from the failure, a step matters if it touches something in conflict with a
//! step of another process that matters, or with its own waiting, or if its process matters later
//! and it touches something that other processes
//! touch too, or decides a branch. What a process does with its own things is left out.

use counterpoint_explore::{ReplayError, follow, non_local_reads};
use counterpoint_model::{
    Event, Finding, FindingKind, Footprint, Location, Mode, Next, Op, Pid, Place, Program, Run,
    Waiting,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A schedule, told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// Who takes part, in the order of their first steps, with those that only wait: a column for
    /// each thread, or for each object on which tasks run.
    pub columns: Vec<String>,
    /// All steps.
    pub steps: Vec<Step>,
    /// For a failure to go on: who stands where.
    pub blocked: Vec<BlockedProcess>,
    /// For a step that failed, the calls it failed in, innermost first.
    pub stack: Vec<String>,
    /// The reads that took values which other processes wrote.
    pub non_local: Vec<NonLocal>,
}

/// A read of a value that another process wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NonLocal {
    /// The index of the step that read.
    pub read: usize,
    /// The index of the step that wrote.
    pub write: usize,
    /// What was read.
    pub what: String,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// Which of the story's columns.
    pub column: usize,
    /// The process's name.
    pub process: String,
    /// What it did.
    pub text: String,
    /// The call of library code that it is part of; empty if it is in the user's own code.
    pub within: String,
    /// The variable that it only read or wrote.
    pub variable: Option<Variable>,
    /// Where it began.
    pub place: Place,
    /// The places it ran through.
    pub path: Vec<Place>,
    /// What the program printed.
    pub output: String,
    /// Whether it went on only because a time limit expired.
    pub expired: bool,
    /// Why the process before it did not go on, if another one was at turn.
    pub switch: Option<String>,
    /// Earlier steps of other processes whose traces it found, and what it found of them.
    pub from: Vec<Link>,
    /// Whether the failure depends on it.
    pub matters: bool,
    /// Its part in the failure.
    pub role: Role,
}

/// The part of a step in the failure.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// It only leads there.
    Leads,
    /// It fails.
    Fails,
    /// It is one of the two accesses of a race.
    Races,
}

impl Role {
    /// What to say of it, if anything.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Role::Leads => None,
            Role::Fails => Some("fails"),
            Role::Races => Some("races"),
        }
    }
}

/// A variable that a step is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Which one.
    pub location: Location,
    /// Whether the step wrote it.
    pub written: bool,
}

/// Something that passed from one process to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The index of the step it comes from.
    pub step: usize,
    /// What passed: the name of a variable, a lock.
    pub what: String,
}

/// Who holds what and waits for what at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockedProcess {
    /// Which of the story's columns.
    pub column: usize,
    /// The process's name.
    pub process: String,
    /// The locks it holds, and the places where it took them.
    pub holds: Vec<(String, Place)>,
    /// What it waits for.
    pub waits_for: String,
    /// Who could let it go on.
    pub whom: Vec<String>,
    /// Where it waits.
    pub place: Place,
}

impl BlockedProcess {
    /// Who holds and waits for what, in a sentence.
    pub fn sentence(&self) -> String {
        let mut line = self.process.clone();
        let holds = self.holds.iter().map(|(lock, place)| {
            let article = if lock.starts_with("lock of ") { "the " } else { "" };
            format!("{article}{lock} (taken at {place})")
        });
        let holds: Vec<String> = holds.collect();
        if !holds.is_empty() {
            line += &format!(" holds {} and", holds.join(", "));
        }
        line += &format!(" waits for {} at {}", self.waits_for, self.place);
        let unsaid = |name: &&String| !self.waits_for.contains(name.as_str());
        let whom: Vec<&str> = self.whom.iter().filter(unsaid).map(String::as_str).collect();
        match whom.is_empty() {
            true => line,
            false => line + &format!(", blocked by {}", whom.join(", ")),
        }
    }
}

impl Story {
    /// Replays a finding's schedule and tells it.
    pub fn of(program: &dyn Program, finding: &Finding) -> Result<Story, ReplayError> {
        let mut teller = Teller::new(program);
        let mut run = program.start(&finding.schedule.inputs);
        for (index, &choice) in finding.schedule.choices.iter().enumerate() {
            let switch = teller.switch(&*run, choice.process);
            let event = follow(program, &mut *run, index + 1, choice)?;
            teller.tell(&*run, event, switch);
        }
        for waiting in &finding.waiting {
            if let Next::Blocked(Op::Task(object)) = run.next(waiting.process) {
                teller.homes.insert(waiting.process, object);
            }
        }
        let pending = |waiting: &Waiting| run.anticipate(waiting.process);
        let pending = finding.waiting.iter().map(pending).collect();
        Ok(teller.finish(finding, pending))
    }

    /// The steps that matter.
    pub fn that_matter(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.matters)
    }

    /// How often the turn passes while somebody could have gone on or not.
    pub fn switches(&self) -> usize {
        self.steps.iter().filter(|step| step.switch.is_some()).count()
    }
}

/// Whose column it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Column {
    Process(Pid),
    Object(Location),
}

struct Teller<'a> {
    program: &'a dyn Program,
    columns: Vec<Column>,
    /// The object on which each process was seen to run.
    homes: FxHashMap<Pid, Location>,
    steps: Vec<Step>,
    events: Vec<Event>,
    /// The last step that wrote to or released each location.
    writers: FxHashMap<Location, usize>,
    /// What has been found already: by whom, where, left by which step.
    linked: FxHashSet<(Pid, Location, usize)>,
    /// The locks that are taken, with the step that took them.
    held: Vec<(Location, usize)>,
    /// The calls that the last failing step failed in.
    stack: Vec<String>,
}

impl<'a> Teller<'a> {
    fn new(program: &'a dyn Program) -> Teller<'a> {
        Teller {
            program,
            columns: Vec::new(),
            homes: FxHashMap::default(),
            steps: Vec::new(),
            events: Vec::new(),
            writers: FxHashMap::default(),
            linked: FxHashSet::default(),
            held: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// The column of a process: that of its object, if it is a task of one.
    fn column(&mut self, process: Pid) -> usize {
        let wanted = match self.homes.get(&process) {
            Some(&object) => Column::Object(object),
            None => Column::Process(process),
        };
        if let Some(index) = self.columns.iter().position(|&known| known == wanted) {
            return index;
        }
        self.columns.push(wanted);
        self.columns.len() - 1
    }

    /// Why the process that had the turn does not have it now.
    fn switch(&self, run: &dyn Run, next: Pid) -> Option<String> {
        let last = self.events.last()?.process();
        if last == next {
            return None;
        }
        let name = self.program.process_name(last);
        Some(match run.next(last) {
            Next::Done => format!("{name} has ended"),
            Next::Ready(_) => format!("{name} is paused"),
            Next::Blocked(_) => match run.waiting(last) {
                Some(waiting) => {
                    let whom = self.names(&waiting.whom);
                    let said = whom.is_empty() || waiting.what.contains(&whom);
                    let whom = if said { String::new() } else { format!(" ({whom})") };
                    format!("{name} waits for {}{whom}", waiting.what)
                }
                None => format!("{name} waits"),
            },
        })
    }

    fn names(&self, processes: &[Pid]) -> String {
        let names: Vec<String> =
            processes.iter().map(|&pid| self.program.process_name(pid)).collect();
        names.join(", ")
    }

    fn tell(&mut self, run: &dyn Run, event: Event, switch: Option<String>) {
        let explanation = run.explain();
        let index = self.steps.len();
        let place = self.program.place(event.site);
        let text = match explanation.text.is_empty() {
            true => describe(self.program, event.op),
            false => explanation.text,
        };
        let mut path: Vec<Place> =
            explanation.sites.iter().map(|&site| self.program.place(site)).collect();
        path.dedup();
        if event.fault.is_some() {
            self.stack = explanation.stack;
        }
        if let Op::Task(object) = event.op {
            self.homes.insert(event.process(), object);
        }
        let column = self.column(event.process());
        let from = self.links(&event);
        for access in &event.footprint {
            match access.mode {
                Mode::Acquire => self.held.push((access.location, index)),
                Mode::Release => {
                    let taken = self.held.iter().rposition(|(lock, _)| *lock == access.location);
                    taken.map(|position| self.held.remove(position));
                }
                Mode::Read | Mode::Write | Mode::Await => {}
            }
            if matches!(access.mode, Mode::Write | Mode::Release) {
                self.writers.insert(access.location, index);
            }
        }
        self.steps.push(Step {
            number: index + 1,
            column,
            process: self.program.process_name(event.process()),
            text,
            within: explanation.within,
            expired: explanation.expired,
            variable: match event.op {
                Op::Read(location) => Some(Variable { location, written: false }),
                Op::Write(location) | Op::Update(location) => {
                    Some(Variable { location, written: true })
                }
                _ => None,
            },
            place,
            path,
            output: explanation.output,
            switch,
            from,
            matters: false,
            role: if event.fault.is_some() { Role::Fails } else { Role::Leads },
        });
        self.events.push(event);
    }

    /// The traces of other processes that an event finds, each once in the life of its process.
    fn links(&mut self, event: &Event) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        let looks = |mode: Mode| match event.op {
            Op::Update(_) | Op::Synchronise(_) | Op::Task(_) => mode != Mode::Release,
            _ => matches!(mode, Mode::Read | Mode::Await | Mode::Acquire),
        };
        for access in event.footprint.iter().filter(|access| looks(access.mode)) {
            let Some(&step) = self.writers.get(&access.location) else { continue };
            let foreign = self.events[step].process() != event.process();
            if foreign && self.linked.insert((event.process(), access.location, step)) {
                links.push(Link { step, what: self.program.location_name(access.location) });
            }
        }
        links
    }

    fn finish(mut self, finding: &Finding, pending: Vec<Footprint>) -> Story {
        let blocked = self.blocked(finding);
        let matters = self.matters(finding, pending);
        for (step, matters) in self.steps.iter_mut().zip(matters) {
            step.matters = matters;
        }
        if finding.kind == FindingKind::Race {
            self.mark_race();
        }
        let name = |column: &Column| match *column {
            Column::Process(process) => self.program.process_name(process),
            Column::Object(object) => self.program.location_name(object),
        };
        let columns = self.columns.iter().map(name).collect();
        let reads = non_local_reads(&self.events).into_iter();
        let non_local = reads.map(|found| NonLocal {
            read: found.read,
            write: found.write,
            what: self.program.location_name(found.location),
        });
        let non_local = non_local.collect();
        Story { columns, steps: self.steps, blocked, stack: self.stack, non_local }
    }

    /// A race shows at the last step; its rival is the last step of another process in conflict.
    fn mark_race(&mut self) {
        let Some((last, before)) = self.events.split_last() else { return };
        let rival = before.iter().rposition(|event| {
            let plain = |event: &Event| -> Footprint {
                event.footprint.iter().copied().filter(|access| !access.synchronises).collect()
            };
            event.process() != last.process()
                && counterpoint_model::conflict(&plain(event), &plain(last))
        });
        for index in rival.into_iter().chain([before.len()]) {
            self.steps[index].role = Role::Races;
        }
    }

    fn blocked(&mut self, finding: &Finding) -> Vec<BlockedProcess> {
        let mut blocked = Vec::new();
        for waiting in &finding.waiting {
            let column = self.column(waiting.process);
            let own =
                |(_, step): &&(Location, usize)| self.events[*step].process() == waiting.process;
            let holds = self.held.iter().filter(own).map(|&(lock, step)| {
                (self.program.location_name(lock), self.steps[step].place.clone())
            });
            blocked.push(BlockedProcess {
                column,
                process: self.program.process_name(waiting.process),
                holds: holds.collect(),
                waits_for: waiting.what.clone(),
                whom: waiting.whom.iter().map(|&pid| self.program.process_name(pid)).collect(),
                place: self.program.place(waiting.site),
            });
        }
        blocked
    }

    /// Which steps matter, given what those who wait at the end would touch.
    fn matters(&self, finding: &Finding, pending: Vec<Footprint>) -> Vec<bool> {
        if finding.kind == FindingKind::Reached {
            // A state is made by all that led to it.
            return vec![true; self.events.len()];
        }
        let shared = self.shared_locations();
        // That a process was started before its first step is said by the step that started it.
        let began = |event: &Event, mode: Mode| {
            mode == Mode::Await && matches!(event.op, Op::Read(_) | Op::Write(_) | Op::Update(_))
        };
        let touches_shared = |event: &Event| {
            let mut accesses = event.footprint.iter().filter(|access| !began(event, access.mode));
            accesses.any(|access| shared.contains(&access.location))
        };
        let decides = |event: &Event| matches!(event.op, Op::Branch | Op::Choose(_));
        let mut matters = vec![false; self.events.len()];
        let mut busy: FxHashSet<Pid> = FxHashSet::default();
        let waiting: Vec<Pid> = finding.waiting.iter().map(|waiting| waiting.process).collect();
        let pending = waiting.iter().zip(pending);
        // By whom, whether it waits, what.
        let mut touched: Vec<(Pid, bool, Footprint)> =
            pending.map(|(&process, footprint)| (process, true, footprint)).collect();
        busy.extend(&waiting);
        let takes_held = |index: usize| self.held.iter().any(|(_, step)| *step == index);
        // What somebody did not do is explained by what it saw, also after the last step in conflict:
        // who waits for ever waits for what others did not do.
        let absent = matches!(finding.kind, FindingKind::Deadlock | FindingKind::Stuck);
        for index in (0..self.events.len()).rev() {
            let event = &self.events[index];
            let process = event.process();
            let last = index + 1 == self.events.len();
            let failure = event.fault.is_some()
                || (last && !absent)
                || (takes_held(index) && waiting.contains(&process));
            // What a process alone touches is its own business, unless it waits.
            let waits = matches!(event.op, Op::Wait { .. } | Op::Resume { .. });
            let conflicts = || {
                touched.iter().any(|(other, waited, footprint)| {
                    (*other != process || waits || *waited)
                        && counterpoint_model::conflict(&event.footprint, footprint)
                })
            };
            let own = busy.contains(&process) && (touches_shared(event) || decides(event))
                || matches!(event.op, Op::Start(child) if busy.contains(&child));
            if failure || own || conflicts() {
                matters[index] = true;
                busy.insert(process);
                touched.push((process, waits, event.footprint.clone()));
            }
        }
        if absent {
            self.add_onlookers(&mut matters);
        }
        matters
    }

    /// Adds the last step of each process left out so far that found something in conflict with a
    /// step that matters: what it saw may be why it did not do more.
    fn add_onlookers(&self, matters: &mut [bool]) {
        let counts = |index: &usize| matters[*index];
        let told: FxHashSet<Pid> = (0..self.events.len())
            .filter(counts)
            .map(|index| self.events[index].process())
            .collect();
        let mut seen = told.clone();
        for index in (0..self.events.len()).rev() {
            let event = &self.events[index];
            let conflicts = |other: &usize| {
                told.contains(&self.events[*other].process())
                    && matters[*other]
                    && counterpoint_model::conflict(
                        &event.footprint,
                        &self.events[*other].footprint,
                    )
            };
            if !seen.contains(&event.process()) && (0..self.events.len()).any(|o| conflicts(&o)) {
                seen.insert(event.process());
                matters[index] = true;
            }
        }
    }

    /// Locations that two processes of the story touch, not both only looking.
    fn shared_locations(&self) -> FxHashSet<Location> {
        let mut first: FxHashMap<Location, (Pid, bool)> = FxHashMap::default();
        let mut shared = FxHashSet::default();
        for event in &self.events {
            for access in &event.footprint {
                let writes = !access.mode.is_shared();
                let entry = first.entry(access.location).or_insert((event.process(), writes));
                if entry.0 != event.process() && (entry.1 || writes) {
                    shared.insert(access.location);
                }
                entry.1 |= writes;
            }
        }
        shared
    }
}

/// An operation in words, for runs that do not explain themselves.
pub fn describe(program: &dyn Program, op: Op) -> String {
    let name = |location| program.location_name(location);
    match op {
        Op::Read(location) => format!("reads {}", name(location)),
        Op::Write(location) => format!("writes {}", name(location)),
        Op::Update(location) => format!("updates {}", name(location)),
        Op::Acquire(lock) => format!("takes {}", name(lock)),
        Op::Release(lock) => format!("frees {}", name(lock)),
        Op::Wait { condition, .. } => format!("waits for {}", name(condition)),
        Op::Resume { condition, .. } => format!("goes on after {}", name(condition)),
        Op::Notify { condition, all: false } => format!("notifies one at {}", name(condition)),
        Op::Notify { condition, all: true } => format!("notifies all at {}", name(condition)),
        Op::Start(child) => format!("starts {}", program.process_name(child)),
        Op::Join(other) => format!("joins {}", program.process_name(other)),
        Op::Branch => "branches on an input".to_string(),
        Op::Choose(count) => format!("chooses one of {count}"),
        Op::Synchronise(object) => format!("uses {}", name(object)),
        Op::Task(object) => format!("runs on {}", name(object)),
        Op::Local => "computes".to_string(),
    }
}
