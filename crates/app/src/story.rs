//! A failing schedule as a story: who did what, where, with which values, and why the turn passed.
//!
//! The schedule is replayed and each step explains itself. Then the story is cut to the steps that
//! matter. Where the front end knows what steps depend on, those are the steps of `slice.rs`. For those
//! who wait for ever, and for front ends that do not know, a step matters, going back from the failure, if it
//! touches something in conflict with a
//! step of another process that matters, or with its own waiting, or if its process matters later
//! and it touches something that other processes
//! touch too, or decides a branch. What a process does with its own things is left out.
//!
//! A failure may be due to what has not happened yet. So after the failure each process that can still
//! move goes on alone, and those that come to write what the failure depends on are told.
//!
//! A schedule of thousands of steps takes long to tell. A story that is interrupted stays untold: a part of it would end
//! before the failure. All else that is known of the finding is reported, and how to replay it.

use counterpoint_explore::{Replay, ReplayError, follow, non_local_reads};
use counterpoint_model::{
    Choice, Event, Finding, FindingKind, Footprint, Interrupt, Location, Mode, Next, Op, Pid,
    Place, Program, Run, Schedule, Site, StepDependences, Waiting,
};
use rustc_hash::{FxHashMap, FxHashSet};

use self::touched::Touched;
use crate::slice::{Trace, slice, writes_to};

mod touched;

/// How far a process goes on after a failure to see what it would have written.
const STEPS_TO_COME: usize = 2_000;

/// After how many steps a story looks whether it is interrupted.
const STEPS_BETWEEN_LOOKS: usize = 64;

/// Whether there is no time for another step.
fn is_over(interrupt: &Interrupt, step: usize) -> bool {
    interrupt.raised().is_some() || step.is_multiple_of(STEPS_BETWEEN_LOOKS) && interrupt.poll()
}

/// A schedule, told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
    /// Who has yet to write what the failure depends on.
    pub late: Vec<LateProcess>,
    /// Whether there was no time to tell it: then there is nothing in it.
    pub untold: bool,
}

/// A process that would have changed what the failure depends on, had it come that far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LateProcess {
    /// Its name.
    pub process: String,
    /// Whether it has taken no step at all.
    pub not_begun: bool,
    /// What it would write; empty if that has nothing to do with the failure.
    pub what: String,
    /// Where.
    pub place: Place,
}

impl LateProcess {
    fn not_begun(program: &dyn Program, process: Pid) -> LateProcess {
        LateProcess {
            process: program.process_name(process),
            not_begun: true,
            what: String::new(),
            place: Place::default(),
        }
    }

    /// Who has not done what, in a sentence.
    pub fn sentence(&self) -> String {
        let LateProcess { process, what, place, .. } = self;
        match self.not_begun {
            true if what.is_empty() => format!("{process} has not run yet"),
            true if place.line == 0 => format!("{process} has not run yet; it would write {what}"),
            true => format!("{process} has not run yet; it would write {what} at {place}"),
            false if place.line == 0 => format!("{process} has yet to write {what}"),
            false => format!("{process} has not come yet to {place}, where it writes {what}"),
        }
    }
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
    /// Whether library code is at work there with its own insides, which are nobody's business.
    pub inside: bool,
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
    /// Where it fails, if it does so in another line than the one it began in.
    pub fails_at: Option<Place>,
}

impl Step {
    /// What to say of its part in the failure, if anything.
    pub fn verdict(&self) -> Option<String> {
        let word = self.role.word()?;
        Some(match &self.fails_at {
            Some(place) if place.file == self.place.file => {
                format!("{word} at line {}", place.line)
            }
            Some(place) => format!("{word} at {place}"),
            None => word.to_string(),
        })
    }
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
    /// Whether it runs all the time, in a loop that looks for a change.
    pub looping: bool,
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
        Story::within(program, finding, &Interrupt::never())
    }

    /// The same unless it is interrupted. Then the story stays untold.
    pub fn within(
        program: &dyn Program,
        finding: &Finding,
        interrupt: &Interrupt,
    ) -> Result<Story, ReplayError> {
        program.heed(interrupt);
        let told = Story::told(program, finding, interrupt);
        program.heed(&Interrupt::never());
        match interrupt.raised() {
            None => told,
            // What was seen behind an interrupted step is not there.
            Some(_) => Ok(Story::untold()),
        }
    }

    fn untold() -> Story {
        Story { untold: true, ..Story::default() }
    }

    fn told(
        program: &dyn Program,
        finding: &Finding,
        interrupt: &Interrupt,
    ) -> Result<Story, ReplayError> {
        if interrupt.poll() {
            return Ok(Story::untold());
        }
        let Schedule { inputs, choices, .. } = &finding.schedule;
        // Nobody waits a second time for a step that does not end.
        let hurried = finding.likeness().is_endless()
            && Replay::hurried(program, inputs, choices, &finding.places).is_some();
        let start = |tracked: bool| {
            let mut run = program.start(inputs);
            if tracked {
                run.track();
            }
            if hurried {
                run.hurry();
            }
            run
        };
        if finding.kind == FindingKind::Reached {
            return Story::replayed(program, finding, start(false), interrupt);
        }
        // What cannot be followed step by step can still be told.
        Story::replayed(program, finding, start(true), interrupt)
            .or_else(|_| Story::replayed(program, finding, start(false), interrupt))
    }

    fn replayed(
        program: &dyn Program,
        finding: &Finding,
        mut run: Box<dyn Run + '_>,
        interrupt: &Interrupt,
    ) -> Result<Story, ReplayError> {
        let mut teller = Teller::new(program);
        for (index, &choice) in finding.schedule.choices.iter().enumerate() {
            if is_over(interrupt, index) {
                return Ok(Story::untold());
            }
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
        let pending: Vec<Footprint> = finding.waiting.iter().map(pending).collect();
        let led = |waiting: &Waiting| run.led_here(waiting.process);
        let led_here = finding.waiting.iter().flat_map(led).collect();
        let used = run.dependences().map(|steps| Used { steps, led_here });
        let fails = teller.events.last().is_some_and(|event| event.fault.is_some());
        let to_come = match finding.kind {
            FindingKind::Assertion | FindingKind::Exception | FindingKind::Exit if fails => {
                teller.go_on(&mut *run, interrupt)
            }
            _ => ToCome::default(),
        };
        if interrupt.poll() {
            return Ok(Story::untold());
        }
        let insides = teller.insides(&to_come);
        for (step, call) in teller.steps.iter_mut().zip(&insides.1) {
            step.inside = call.is_some();
        }
        let matters = teller.matters(finding, &pending, used.as_ref(), &insides, &[]);
        let late = teller.late(&to_come, &matters);
        let processes: Vec<Pid> = late.iter().map(|(process, _)| *process).collect();
        let matters = match processes.is_empty() {
            true => matters,
            false => teller.matters(finding, &pending, used.as_ref(), &insides, &processes),
        };
        let mut late: Vec<LateProcess> = late.into_iter().map(|(_, late)| late).collect();
        let unsaid = to_come.not_begun.iter().filter(|process| !processes.contains(process));
        late.extend(unsaid.map(|&process| LateProcess::not_begun(program, process)));
        Ok(teller.finish(finding, matters, late))
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

/// What steps depend on.
struct Used {
    steps: Vec<StepDependences>,
    /// The steps that have led those who wait at the end to where they wait.
    led_here: Vec<usize>,
}

/// What processes would do after the failure, each alone.
#[derive(Default)]
struct ToCome {
    /// Who writes what, where first.
    writes: Vec<(Pid, Location, Site)>,
    /// Those that could have begun and have not.
    not_begun: Vec<Pid>,
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
            inside: false,
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
            fails_at: None,
        });
        self.events.push(event);
    }

    /// The traces of other processes that an event finds, each once in the life of its process.
    fn links(&mut self, event: &Event) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        let looks = |mode: Mode| match event.op {
            Op::Update(_) | Op::Synchronise(_) | Op::Task(_) => mode != Mode::Release,
            // Nothing passes with a lock but the turn.
            _ => matches!(mode, Mode::Read | Mode::Await),
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

    fn finish(mut self, finding: &Finding, matters: Vec<bool>, late: Vec<LateProcess>) -> Story {
        let blocked = self.blocked(finding);
        for (step, matters) in self.steps.iter_mut().zip(matters) {
            step.matters = matters;
        }
        if finding.kind == FindingKind::Race {
            self.mark_race();
        }
        if let (Some(step), Some(place)) = (self.steps.last_mut(), finding.places.first()) {
            let elsewhere = (&place.file, place.line) != (&step.place.file, step.place.line);
            let fails = step.role == Role::Fails && elsewhere && place.line > 0;
            step.fails_at = fails.then(|| place.clone());
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
        let (steps, stack) = (self.steps, self.stack);
        Story { columns, steps, blocked, stack, non_local, late, untold: false }
    }

    fn mark_race(&mut self) {
        for index in self.racing() {
            self.steps[index].role = Role::Races;
        }
    }

    /// The two steps of a race: the last one, and the last step of another process in conflict with it.
    fn racing(&self) -> Vec<usize> {
        let Some((last, before)) = self.events.split_last() else { return Vec::new() };
        let rival = before.iter().rposition(|event| {
            let plain = |event: &Event| -> Footprint {
                event.footprint.iter().copied().filter(|access| !access.synchronises).collect()
            };
            event.process() != last.process()
                && counterpoint_model::conflict(&plain(event), &plain(last))
        });
        rival.into_iter().chain([before.len()]).collect()
    }

    /// Lets each process go on alone after the failure. The run is of no use afterwards.
    fn go_on(&self, run: &mut dyn Run, interrupt: &Interrupt) -> ToCome {
        let failed = self.events.last().map(Event::process);
        let begun: FxHashSet<Pid> = self.events.iter().map(Event::process).collect();
        let mut to_come = ToCome::default();
        let mut seen: FxHashSet<(Pid, Location)> = FxHashSet::default();
        for process in (0..run.processes()).map(Pid).filter(|&process| Some(process) != failed) {
            if run.is_ready(process) && !begun.contains(&process) {
                to_come.not_begun.push(process);
            }
            for step in 0..STEPS_TO_COME {
                if is_over(interrupt, step) || !run.is_ready(process) {
                    break;
                }
                let alternative = run.alternatives(process).preferred;
                let event = run.step(Choice { process, alternative });
                if let Op::Write(location) | Op::Update(location) = event.op
                    && seen.insert((process, location))
                {
                    to_come.writes.push((process, location, event.site));
                }
            }
        }
        to_come
    }

    /// Those who have yet to write what a step that matters has read.
    fn late(&self, to_come: &ToCome, matters: &[bool]) -> Vec<(Pid, LateProcess)> {
        let read = |index: usize| match self.events[index].op {
            Op::Read(location) if matters[index] => Some(location),
            _ => None,
        };
        let read: FxHashSet<Location> = (0..self.events.len()).filter_map(read).collect();
        let mut late: Vec<(Pid, LateProcess)> = Vec::new();
        for &(process, location, site) in &to_come.writes {
            let told = late.iter().any(|(known, _)| *known == process);
            if told || !read.contains(&location) || !self.program.is_own(location) {
                continue;
            }
            let wrote = |event: &Event| event.process() == process && writes_to(event, location);
            if self.events.iter().any(wrote) {
                continue;
            }
            let told = LateProcess {
                not_begun: to_come.not_begun.contains(&process),
                what: self.program.location_name(location),
                place: self.program.place(site),
                ..LateProcess::not_begun(self.program, process)
            };
            late.push((process, told));
        }
        late
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
                looping: waiting.looping,
            });
        }
        blocked
    }

    /// Which steps matter, given what those who wait at the end would touch, and what steps depend on.
    fn matters(
        &self,
        finding: &Finding,
        pending: &[Footprint],
        used: Option<&Used>,
        (insides, calls): &(Vec<bool>, Vec<Option<u32>>),
        late: &[Pid],
    ) -> Vec<bool> {
        let Some(last) = self.events.len().checked_sub(1) else { return Vec::new() };
        let slice = |used: &Used, roots: &[usize], reasons: &[usize]| {
            let (events, dependences) = (&self.events[..], &used.steps[..]);
            slice(&Trace { events, dependences, insides, calls, late }, roots, reasons)
        };
        match (finding.kind, used) {
            // A state is made by all that led to it.
            (FindingKind::Reached, _) => vec![true; self.events.len()],
            (_, None) => self.conflicting(finding, pending),
            // Who waits for ever waits for what others did not do: nothing of that can be followed.
            (FindingKind::Deadlock | FindingKind::Stuck, Some(used)) => {
                let slice = slice(used, &[], &used.led_here);
                let conflicting = self.conflicting(finding, pending);
                slice.iter().zip(conflicting).map(|(one, other)| *one || other).collect()
            }
            (FindingKind::Race, Some(used)) => {
                let racing = self.racing();
                slice(used, &racing, &racing)
            }
            (_, Some(used)) => slice(used, &[last], &used.steps[last].failure),
        }
    }

    /// The steps in which library code deals with insides of its own, takes or frees a lock, or looks at something
    /// that nobody writes, before or after the failure, so that it could not have found anything else. And of the
    /// first kind, which call by the user's code they belong to.
    fn insides(&self, to_come: &ToCome) -> (Vec<bool>, Vec<Option<u32>>) {
        let writes = self.events.iter().flat_map(|event| &event.footprint);
        let writes = writes.filter(|access| !access.mode.is_shared()).map(|access| access.location);
        let later = to_come.writes.iter().map(|(_, location, _)| *location);
        let written: FxHashSet<Location> = writes.chain(later).collect();
        let is_inside = |step: &Step, event: &Event| {
            let mut touched = event.footprint.iter().filter(|access| access.mode != Mode::Await);
            let looks = event.footprint.iter().all(|access| access.mode.is_shared());
            let plain = looks || matches!(event.op, Op::Write(_) | Op::Update(_));
            let by_library = !step.within.is_empty() || step.place.line == 0;
            if by_library && matches!(event.op, Op::Acquire(_) | Op::Release(_)) {
                return true;
            }
            by_library
                && touched.all(|access| {
                    plain && !self.program.is_own(access.location)
                        || access.mode == Mode::Read && !written.contains(&access.location)
                })
        };
        let (mut insides, mut calls) = (Vec::new(), Vec::new());
        // The present call of each process: where, of what, and its number.
        let mut present: FxHashMap<Pid, (&Place, &str, u32)> = FxHashMap::default();
        let mut numbers = 0;
        for (step, event) in self.steps.iter().zip(&self.events) {
            let inside = is_inside(step, event);
            let called = match present.get(&event.process()) {
                Some(&(place, within, number)) if *place == step.place && within == step.within => {
                    number
                }
                _ => {
                    numbers += 1;
                    present.insert(event.process(), (&step.place, &step.within, numbers));
                    numbers
                }
            };
            let is_call = inside
                && !step.within.is_empty()
                && step.place.line > 0
                && matches!(event.op, Op::Read(_) | Op::Write(_) | Op::Update(_))
                && event.footprint.iter().any(|access| written.contains(&access.location));
            insides.push(inside);
            calls.push(is_call.then_some(called));
        }
        (insides, calls)
    }

    /// Which steps are in conflict with others that matter.
    fn conflicting(&self, finding: &Finding, pending: &[Footprint]) -> Vec<bool> {
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
        let mut touched = Touched::default();
        pending.for_each(|(&process, footprint)| touched.add(process, true, footprint));
        busy.extend(&waiting);
        let waiting: FxHashSet<Pid> = waiting.into_iter().collect();
        let taking_held: FxHashSet<usize> = self.held.iter().map(|(_, step)| *step).collect();
        // What somebody did not do is explained by what it saw, also after the last step in conflict:
        // who waits for ever waits for what others did not do.
        let absent = matches!(finding.kind, FindingKind::Deadlock | FindingKind::Stuck);
        for index in (0..self.events.len()).rev() {
            let event = &self.events[index];
            let process = event.process();
            let last = index + 1 == self.events.len();
            let failure = event.fault.is_some()
                || (last && !absent)
                || (taking_held.contains(&index) && waiting.contains(&process));
            // What a process alone touches is its own business, unless it waits.
            let waits = matches!(event.op, Op::Wait { .. } | Op::Resume { .. });
            let conflicts = || touched.is_in_conflict(process, waits, &event.footprint);
            let own = busy.contains(&process) && (touches_shared(event) || decides(event))
                || matches!(event.op, Op::Start(child) if busy.contains(&child));
            if failure || own || conflicts() {
                matters[index] = true;
                busy.insert(process);
                touched.add(process, waits, &event.footprint);
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
        let mut touched = Touched::default();
        for event in (0..self.events.len()).filter(counts).map(|index| &self.events[index]) {
            touched.add(event.process(), false, &event.footprint);
        }
        let mut seen = told;
        for index in (0..self.events.len()).rev() {
            let event = &self.events[index];
            let process = event.process();
            if !seen.contains(&process) && touched.is_in_conflict(process, true, &event.footprint) {
                seen.insert(process);
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

#[cfg(test)]
mod tests;
