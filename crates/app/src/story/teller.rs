//! Tells a schedule step by step, as it is replayed.

use counterpoint_explore::{ReplayError, follow, non_local_reads};
use counterpoint_model::{
    Event, Finding, FindingKind, Footprint, Interrupt, Location, Mode, Next, Op, Pid, Place,
    Program, Run, Waiting,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::matters::{Record, Used, racing};
use super::to_come::ToCome;
use super::{BlockedProcess, LateProcess, Link, NonLocal, Role, Step, Story, Variable};

/// After how many steps a story looks whether it is interrupted.
const STEPS_BETWEEN_LOOKS: usize = 64;

/// Whether there is no time for another step.
pub(super) fn is_over(interrupt: &Interrupt, step: usize) -> bool {
    interrupt.raised().is_some() || step.is_multiple_of(STEPS_BETWEEN_LOOKS) && interrupt.poll()
}

/// The story of a finding whose schedule a run, which is at its beginning, takes again.
pub(super) fn replayed(
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
            ToCome::after(&teller.events, &mut *run, interrupt)
        }
        _ => ToCome::default(),
    };
    if interrupt.poll() {
        return Ok(Story::untold());
    }
    let insides = teller.record().insides(&to_come);
    for (step, call) in teller.steps.iter_mut().zip(&insides.calls) {
        step.inside = call.is_some();
    }
    let matters =
        |late: &[Pid]| teller.record().matters(finding, &pending, used.as_ref(), &insides, late);
    let alone = matters(&[]);
    let late = to_come.late(program, &teller.events, &alone);
    let processes: Vec<Pid> = late.iter().map(|(process, _)| *process).collect();
    let matters = if processes.is_empty() { alone } else { matters(&processes) };
    let mut late: Vec<LateProcess> = late.into_iter().map(|(_, late)| late).collect();
    let unsaid = to_come.not_begun.iter().filter(|process| !processes.contains(process));
    late.extend(unsaid.map(|&process| LateProcess::not_begun(program, process)));
    let only_fails = used.as_ref().is_some_and(Used::only_fails);
    Ok(teller.finish(finding, matters, late, only_fails))
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

    /// What was told so far.
    fn record(&self) -> Record<'_> {
        let Teller { program, events, steps, held, .. } = self;
        Record { program: *program, events, steps, held }
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
            only_fails: false,
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

    fn finish(
        mut self,
        finding: &Finding,
        matters: Vec<bool>,
        late: Vec<LateProcess>,
        only_fails: bool,
    ) -> Story {
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
            step.only_fails = fails && only_fails;
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
        for index in racing(&self.events) {
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
                looping: waiting.looping,
            });
        }
        blocked
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
