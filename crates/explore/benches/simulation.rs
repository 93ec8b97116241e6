//! How busy 10, 100 and 1,000 workers are that share one exploration: `./bench simulation`, or with
//! `cargo bench --bench simulation -- PHILOSOPHERS MICROSECONDS WORKERS` one row of it.
//!
//! The search and its division are real: `optimal` on the kit's dining(8), whose traces are those of the Java program,
//! shared by means of [`Trunk`] and [`Sharing`], as by the coordinator of the command line. Only time is not real: each
//! worker and each coordinator has a clock of its own, and what they do takes as long as it was measured to take. Figures
//! that were measured, in microseconds, are constants below; how long an execution takes is varied, since it depends on the
//! program.
//!
//! A worker explores some executions ahead. If it is asked to share in the meantime, it goes back to where it was at
//! that time and explores again up to there.
//!
//! A row says how long the exploration lasts; which part of that time workers explore, and which part they explore
//! what counts; how many messages are heard and sent in a second by all together; which part of the time the
//! busiest coordinator is busy; how many units there were; how many executions were started in vain; and which parts of
//! the time it took until nine tenths of the workers explored for the first time, and from the last time on. A row that
//! begins with `free` is the same with costs of next to nothing: what is missing there is due to the program and to who
//! is asked.
//!
//! **What it has shown** of dining(8). With 100 workers at 1.2 milliseconds an execution, they explore for 99 % of the time.
//! With 1,000 workers at 12 milliseconds it is 94 % of 20 seconds, and 99 % if dividing and speaking cost nothing; the coordinator
//! is busy for two fifths of the time. At 1.2 milliseconds it is 50 %: the coordinator is busy all the time, with 15,000 messages a
//! second. At 12 microseconds the whole would last 19 milliseconds if all were busy; the three messages of a division alone take
//! most of a millisecond, and work has to double ten times. Such an exploration is one for a single machine.
//!
//! Who is asked matters more than anything else. If it was the one whose work begins nearest to the root, the 1,000 explored for
//! 82 % of the time at 12 milliseconds (92 % without costs): at the end most answers were that nothing can be divided. The one
//! that has had its unit for the longest time has the largest one. Groups of 32 with coordinators of their own explored for
//! 77 % of the time at 1.2 milliseconds: one group runs out of work while another has plenty, and what is lent is small.

use std::collections::{BTreeMap, VecDeque};

use counterpoint_explore::{
    Assignment, GROUP, Limits, Pace, ParameterValues, Sharing, Silent, Trunk, TrunkRuns, UnitId,
    WorkUnit, explorer, to_lend,
};
use counterpoint_model::Bound;
use counterpoint_testkit::{TestProgram, shapes};

/// An execution of dining(8) as a Java program; and of programs that take longer.
const EXECUTIONS: [f64; 3] = [12.0, 1_200.0, 12_000.0];

/// What things take besides exploring, in microseconds.
#[derive(Copy, Clone)]
struct Costs {
    /// What a worker needs to begin a unit: to read it and to follow its prefix.
    begin: f64,
    /// What a worker needs to write down what is left of its unit, before it goes on. This one is assumed, not measured.
    save: f64,
    /// From one process to another; between machines.
    way: f64,
    /// What a coordinator needs to hear or send a message.
    message: f64,
    /// What it needs besides to divide a unit or to begin a branch.
    divide: f64,
    /// Who could not be helped asks again after this.
    again: f64,
    pace: Pace,
}

const REAL: Costs = Costs {
    begin: 300.0,
    save: 100.0,
    way: 250.0,
    message: 30.0,
    divide: 50.0,
    again: 2_000.0,
    pace: Pace::USUAL,
};

/// If dividing and speaking about it took next to nothing.
const FREE: Costs = Costs {
    begin: 1.0,
    save: 1.0,
    way: 1.0,
    message: 0.01,
    divide: 0.01,
    again: 10.0,
    pace: Pace { least: 10, very_least: 10, part: 1_000_000 },
};

/// So many executions are explored ahead at a time.
const AHEAD: u64 = 200;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let program = shapes::dining(numbers.next().unwrap_or(8));
    println!(
        "{:>4} {:>10} {:>8} {:>10} {:>9} {:>6} {:>7} {:>10} {:>6} {:>8} {:>9} {:>8} {:>8}",
        "",
        "execution",
        "workers",
        "executions",
        "seconds",
        "busy",
        "useful",
        "messages/s",
        "coord.",
        "units",
        "in vain",
        "start",
        "end"
    );
    // One row, if an execution's time and a number of workers are given.
    let only = (numbers.next(), numbers.next());
    let all = EXECUTIONS.iter().flat_map(|&time| [10, 100, 1000].map(|workers| (time, workers)));
    let rows: Vec<(f64, usize)> = match only {
        (Some(time), Some(workers)) => vec![(time as f64, workers)],
        _ => all.collect(),
    };
    for (execution, workers) in rows {
        for costs in [REAL, FREE] {
            Simulation::new(&program, workers, execution, costs).run();
        }
    }
}

/// What happens at a time.
enum What {
    /// A worker has been given a unit.
    Begin(usize, Place, WorkUnit),
    /// A worker has explored what it explored ahead, unless it has been asked to share since.
    Explored(usize, u64),
    /// A worker hears that it is to share so many steps.
    Asked(usize, usize),
    /// A coordinator hears from a worker.
    Report(usize, Report),
    /// A coordinator looks whether somebody can share by now.
    Look(usize),
    /// The coordinator of all groups hears that somebody waits in a group: so many.
    Hungry(usize, usize),
    /// A coordinator hears that so many wait in another group.
    Borrow(usize, Guest),
    /// A group is lent something, and may serve others who wait.
    Lent(usize, Vec<(Place, WorkUnit)>, Vec<Guest>),
    /// What was lent comes back.
    Returned(Place, WorkUnit),
}

enum Report {
    Done(Option<WorkUnit>),
    Shared(WorkUnit, usize),
    Nothing,
}

/// A unit of a trunk of a group.
#[derive(Copy, Clone)]
struct Place {
    group: usize,
    trunk: u64,
    unit: UnitId,
}

/// A group that waits for work of another one.
#[derive(Copy, Clone)]
struct Guest {
    group: usize,
    waiting: usize,
}

/// A trunk, and from where it was borrowed.
struct Own {
    trunk: Trunk,
    loan: Option<Place>,
}

struct Group {
    trunks: BTreeMap<u64, Own>,
    next: u64,
    idle: Vec<usize>,
    sharing: Sharing<usize>,
    guests: VecDeque<Guest>,
    /// Whether it waits for others.
    hungry: bool,
    looks: bool,
    clock: Clock,
}

/// What keeps a coordinator busy.
#[derive(Default)]
struct Clock {
    until: f64,
    total: f64,
}

impl Clock {
    /// It does something, as soon as it can; when it is done.
    fn spend(&mut self, now: f64, cost: f64) -> f64 {
        self.until = self.until.max(now) + cost;
        self.total += cost;
        self.until
    }
}

/// A unit that a worker explores.
struct Present {
    place: Place,
    /// What was left when it began to explore ahead.
    unit: WorkUnit,
    since: f64,
    ahead: Ahead,
}

/// What came of exploring ahead.
struct Ahead {
    left: Option<WorkUnit>,
    executions: u64,
    abandoned: u64,
    /// Whether there is more to do.
    more: bool,
}

#[derive(Default)]
struct Worker {
    present: Option<Present>,
    /// How often it began to explore ahead.
    generation: u64,
}

struct Simulation<'a> {
    program: &'a TestProgram,
    execution: f64,
    costs: Costs,
    /// How many explore, and since when it has been how many.
    busy: usize,
    history: Vec<(f64, usize)>,
    runs: TrunkRuns<'a>,
    groups: Vec<Group>,
    workers: Vec<Worker>,
    events: BTreeMap<(u64, u64), What>,
    sequence: u64,
    /// Of the one who knows which groups wait.
    root: Clock,
    messages: u64,
    executions: u64,
    abandoned: u64,
    units: u64,
}

impl<'a> Simulation<'a> {
    fn new(
        program: &'a TestProgram,
        workers: usize,
        execution: f64,
        costs: Costs,
    ) -> Simulation<'a> {
        let count = workers.div_ceil(GROUP);
        let group = |number: usize| Group {
            trunks: BTreeMap::new(),
            next: 0,
            idle: (0..workers).filter(|worker| worker % count == number).rev().collect(),
            sharing: Sharing::new(costs.pace),
            guests: VecDeque::new(),
            hungry: false,
            looks: false,
            clock: Clock::default(),
        };
        Simulation {
            program,
            execution,
            costs,
            busy: 0,
            history: Vec::new(),
            runs: TrunkRuns::new(program),
            groups: (0..count).map(group).collect(),
            workers: (0..workers).map(|_| Worker::default()).collect(),
            events: BTreeMap::new(),
            sequence: 0,
            root: Clock::default(),
            messages: 0,
            executions: 0,
            abandoned: 0,
            units: 0,
        }
    }

    fn run(&mut self) {
        let whole = Own { trunk: Trunk::new(WorkUnit::whole()), loan: None };
        self.groups[0].trunks.insert(0, whole);
        self.groups[0].next = 1;
        (0..self.groups.len()).for_each(|group| self.hand_out(group, 0.0));
        let mut now = 0.0;
        while let Some(((time, _), what)) = self.events.pop_first() {
            now = time as f64 / 1000.0;
            self.happens(what, now);
            if self.groups.iter().all(|group| group.trunks.is_empty()) {
                break;
            }
        }
        assert!(self.groups.iter().all(|group| group.trunks.is_empty()));
        let count = self.workers.len();
        let all = now * count as f64;
        let part = |executions: u64| 100.0 * executions as f64 * self.execution / all;
        let coordinators = self.groups.iter().map(|group| &group.clock).chain([&self.root]);
        let busiest = coordinators.map(|clock| clock.total).fold(0.0, f64::max);
        let (from, to) = self.most_busy().unwrap_or((now, now));
        let way = if self.costs.way == REAL.way { "" } else { "free" };
        println!(
            "{:>4} {:>7} us {:>8} {:>10} {:>9.3} {:>5.1}% {:>6.1}% {:>10.0} {:>5.1}% {:>8} {:>9} {:>7.1}% {:>7.1}%",
            way,
            self.execution,
            count,
            self.executions,
            now / 1e6,
            part(self.executions + self.abandoned),
            part(self.executions),
            self.messages as f64 / (now / 1e6),
            100.0 * busiest / now,
            self.units,
            self.abandoned,
            100.0 * from / now,
            100.0 * (now - to) / now,
        );
    }

    fn note_busy(&mut self, busy: usize, now: f64) {
        self.busy = busy;
        self.history.push((now, busy));
    }

    /// From when to when most of the workers explored, in microseconds, if they ever did.
    fn most_busy(&self) -> Option<(f64, f64)> {
        let most = |&&(_, busy): &&(f64, usize)| 10 * busy >= 9 * self.workers.len();
        let (from, _) = self.history.iter().find(most)?;
        let (to, _) = self.history.iter().rfind(most)?;
        Some((*from, *to))
    }

    fn at(&mut self, time: f64, what: What) {
        self.sequence += 1;
        self.events.insert(((time * 1000.0) as u64, self.sequence), what);
    }

    fn happens(&mut self, what: What, now: f64) {
        match what {
            What::Begin(worker, place, unit) => {
                self.note_busy(self.busy + 1, now);
                self.explore_ahead(worker, place, unit, now);
            }
            What::Explored(worker, generation) => {
                if self.workers[worker].generation == generation {
                    self.explored(worker, now);
                }
            }
            What::Asked(worker, wanted) => self.asked(worker, wanted, now),
            What::Report(worker, report) => self.hear(worker, report, now),
            What::Look(group) => {
                self.groups[group].looks = false;
                self.hand_out(group, now);
            }
            What::Hungry(group, waiting) => self.find_lender(Guest { group, waiting }, now),
            What::Borrow(group, guest) => {
                self.hears(group, now, 0.0);
                self.groups[group].guests.push_back(guest);
                self.hand_out(group, now);
            }
            What::Lent(group, units, guests) => {
                let now = self.hears(group, now, 0.0);
                let own = &mut self.groups[group];
                for (place, unit) in units {
                    own.trunks.insert(own.next, Own { trunk: Trunk::new(unit), loan: Some(place) });
                    own.next += 1;
                }
                own.hungry = false;
                own.guests.extend(guests);
                self.hand_out(group, now);
            }
            What::Returned(place, left) => {
                let now = self.hears(place.group, now, self.costs.divide);
                self.returned(place, Some(left), now);
                self.hand_out(place.group, now);
            }
        }
    }

    /// A coordinator hears a message, which costs it so much besides.
    fn hears(&mut self, group: usize, now: f64, cost: f64) -> f64 {
        self.messages += 1;
        self.groups[group].clock.spend(now, self.costs.message + cost)
    }

    /// A coordinator sends a message: when it has arrived.
    fn sends(&mut self, group: usize, now: f64, cost: f64) -> f64 {
        self.messages += 1;
        self.groups[group].clock.spend(now, self.costs.message + cost) + self.costs.way
    }

    fn explore(&self, unit: WorkUnit, executions: u64) -> Ahead {
        let floor = unit.floor;
        let result = (explorer("optimal").expect("it is in the table").explore)(Assignment {
            program: self.program,
            unit,
            limits: Limits { executions: Some(executions), ..Limits::default() },
            properties: Vec::new(),
            sink: &mut Silent,
            parameters: ParameterValues::default(),
        });
        let more = result.bounds.contains(&Bound::Executions) && result.unexplored.is_some();
        Ahead {
            left: result.unexplored.map(|left| WorkUnit { floor, ..left }),
            executions: result.statistics.executions,
            abandoned: result.statistics.abandoned,
            more,
        }
    }

    fn explore_ahead(&mut self, worker: usize, place: Place, unit: WorkUnit, now: f64) {
        let ahead = self.explore(unit.clone(), AHEAD);
        let end = now + (ahead.executions + ahead.abandoned) as f64 * self.execution;
        let own = &mut self.workers[worker];
        own.generation += 1;
        own.present = Some(Present { place, unit, since: now, ahead });
        let generation = own.generation;
        self.at(end, What::Explored(worker, generation));
    }

    fn count(&mut self, ahead: &Ahead) {
        self.executions += ahead.executions;
        self.abandoned += ahead.abandoned;
    }

    /// What was explored ahead is done.
    fn explored(&mut self, worker: usize, now: f64) {
        let Present { place, ahead, .. } =
            self.workers[worker].present.take().expect("who explores has a unit");
        self.count(&ahead);
        match ahead.left {
            Some(left) if ahead.more => self.explore_ahead(worker, place, left, now),
            left => {
                self.note_busy(self.busy - 1, now);
                self.workers[worker].present =
                    Some(Present { place, unit: WorkUnit::whole(), since: now, ahead: NOTHING });
                self.workers[worker].generation += 1;
                self.at(
                    now + self.costs.save + self.costs.way,
                    What::Report(worker, Report::Done(left)),
                );
            }
        }
    }

    /// A worker is to share: it does so after the present execution, if it can.
    fn asked(&mut self, worker: usize, wanted: usize, now: f64) {
        let Some(present) = &self.workers[worker].present else { return };
        let Present { place, since, ref ahead, ref unit } = *present;
        let all = ahead.executions + ahead.abandoned;
        if all == 0 {
            // What it has done is on its way.
            return;
        }
        let part = (now - since) / (all as f64 * self.execution);
        let executions = (ahead.executions as f64 * part).ceil().max(1.0) as u64;
        if executions >= ahead.executions && !ahead.more {
            // It is about to be done.
            return self.at(now + self.costs.way, What::Report(worker, Report::Nothing));
        }
        let unit = unit.clone();
        let floor = unit.floor;
        let ahead = self.explore(unit, executions);
        let stopped = since + (ahead.executions + ahead.abandoned) as f64 * self.execution;
        let left = ahead.left.as_ref().filter(|_| ahead.more);
        let Some(divided) = left.and_then(|left| left.floor_if_divided(floor, wanted)) else {
            if left.is_some_and(WorkUnit::forks_here) {
                self.count(&ahead);
                self.note_busy(self.busy - 1, now);
                let own = &mut self.workers[worker];
                own.generation += 1;
                let unit = WorkUnit::whole();
                own.present = Some(Present { place, unit, since: now, ahead: NOTHING });
                let saved = stopped.max(now) + self.costs.save;
                return self
                    .at(saved + self.costs.way, What::Report(worker, Report::Done(ahead.left)));
            }
            return self
                .at(stopped.max(now) + self.costs.way, What::Report(worker, Report::Nothing));
        };
        self.count(&ahead);
        let left = ahead.left.expect("it was divided");
        let saved = stopped.max(now) + self.costs.save;
        self.at(
            saved + self.costs.way,
            What::Report(worker, Report::Shared(left.clone(), divided)),
        );
        self.explore_ahead(worker, place, WorkUnit { floor: divided, ..left }, saved);
    }

    /// The coordinator hears from a worker.
    fn hear(&mut self, worker: usize, report: Report, now: f64) {
        let place = self.workers[worker].present.as_ref().expect("it has a unit").place;
        let group = place.group;
        match report {
            Report::Nothing => {
                let now = self.hears(group, now, 0.0);
                self.groups[group].sharing.has_nothing(worker, now as u64);
            }
            Report::Done(left) => {
                let now = self.hears(group, now, self.costs.divide);
                self.workers[worker].present = None;
                self.groups[group].sharing.stops(worker);
                self.groups[group].idle.push(worker);
                self.returned(place, left, now);
            }
            Report::Shared(left, floor) => {
                let now = self.hears(group, now, self.costs.divide);
                let own = self.groups[group].trunks.get_mut(&place.trunk);
                let trunk = &mut own.expect("its units are not done").trunk;
                assert!(trunk.shared(place.unit, left, floor));
                self.groups[group].sharing.has_shared(worker, floor, now as u64);
            }
        }
        self.hand_out(group, now);
    }

    /// A unit comes back to its trunk, which may be done then.
    fn returned(&mut self, place: Place, left: Option<WorkUnit>, now: f64) {
        let trunks = &mut self.groups[place.group].trunks;
        let own = trunks.get_mut(&place.trunk).expect("its units are not done");
        if own.trunk.returned(place.unit, left) {
            own.trunk.divide(place.unit);
        }
        self.settle(place.group, place.trunk, now);
    }

    /// A trunk that is done goes back to where it was borrowed.
    fn settle(&mut self, group: usize, trunk: u64, now: f64) {
        let trunks = &mut self.groups[group].trunks;
        if trunks.get(&trunk).is_some_and(|own| own.trunk.is_done()) {
            let own = trunks.remove(&trunk).expect("it was just there");
            if let Some(loan) = own.loan {
                let arrives = self.sends(group, now, 0.0);
                self.at(arrives, What::Returned(loan, own.trunk.for_lender()));
            }
        }
    }

    /// Takes a unit that is open in a group.
    fn take(&mut self, group: usize, now: f64) -> Option<(Place, WorkUnit)> {
        let numbers: Vec<u64> = self.groups[group].trunks.keys().copied().collect();
        for trunk in numbers {
            let own = self.groups[group].trunks.get_mut(&trunk)?;
            if let Some((unit, work)) = own.trunk.take(&mut self.runs, &mut |_| {}) {
                self.units += 1;
                return Some((Place { group, trunk, unit }, work));
            }
            self.settle(group, trunk, now);
        }
        None
    }

    fn open(&self, group: usize) -> usize {
        self.groups[group].trunks.values().map(|own| own.trunk.open()).sum()
    }

    /// Gives work to all who have none, and asks others to share for those who still have none.
    fn hand_out(&mut self, group: usize, now: f64) {
        self.lend(group, now);
        while let Some(&worker) = self.groups[group].idle.last() {
            let Some((place, unit)) = self.take(group, now) else { break };
            self.groups[group].idle.pop();
            let arrives = self.sends(group, now, self.costs.divide);
            self.groups[group].sharing.works(
                worker,
                unit.floor,
                (arrives + self.costs.begin) as u64,
            );
            self.at(arrives + self.costs.begin, What::Begin(worker, place, unit));
        }
        let several = self.groups.len() > 1;
        let own = &self.groups[group];
        let others: usize = own.guests.iter().map(|guest| guest.waiting).sum();
        let idle = own.idle.len();
        let waiting = own.sharing.wanted(idle + others, self.open(group));
        let now = own.clock.until.max(now);
        while let Some((worker, wanted)) = self.groups[group].sharing.ask(waiting, now as u64) {
            let arrives = self.sends(group, now, 0.0);
            self.at(arrives, What::Asked(worker, wanted));
        }
        let own = &mut self.groups[group];
        let poor = own.sharing.busy() == 0 || 8 * idle > own.sharing.busy();
        if poor && idle > 0 && own.sharing.asked() == 0 && !own.hungry && several {
            own.hungry = true;
            let arrives = self.sends(group, now, 0.0);
            self.at(arrives, What::Hungry(group, idle));
        }
        let own = &mut self.groups[group];
        if own.sharing.busy() == 0 && own.hungry {
            // Who has nothing itself cannot lend.
            for guest in std::mem::take(&mut own.guests) {
                let arrives = self.sends(group, now, 0.0);
                self.at(arrives, What::Hungry(guest.group, guest.waiting));
            }
        }
        let own = &mut self.groups[group];
        if own.sharing.asked() < waiting
            && !own.looks
            && let Some(next) = own.sharing.next_look(waiting)
        {
            own.looks = true;
            self.at((next as f64 + 1.0).max(now), What::Look(group));
        }
    }

    /// Lends what is open to those who wait elsewhere; the first gets others to serve.
    fn lend(&mut self, group: usize, now: f64) {
        let own = &self.groups[group];
        let others: usize = own.guests.iter().map(|guest| guest.waiting).sum();
        let mut count = to_lend(self.open(group), self.groups[group].idle.len(), others);
        while count > 0
            && let Some(guest) = self.groups[group].guests.pop_front()
        {
            let part = (count * guest.waiting).div_ceil(others).clamp(1, count);
            let units: Vec<_> = (0..part).map_while(|_| self.take(group, now)).collect();
            if units.is_empty() {
                self.groups[group].guests.push_front(guest);
                return;
            }
            count -= part;
            let half = self.groups[group].guests.len() / 2;
            let served: Vec<Guest> = self.groups[group].guests.drain(..half).collect();
            let arrives = self.sends(group, now, self.costs.divide * units.len() as f64);
            self.at(arrives, What::Lent(guest.group, units, served));
        }
    }

    /// The coordinator of all sends somebody who waits to somebody who has work.
    fn find_lender(&mut self, guest: Guest, now: f64) {
        self.messages += 2;
        let now = self.root.spend(now, 2.0 * self.costs.message);
        let count = self.groups.len();
        // The root knows who waits and who has nothing at all.
        let able = |group: &usize| *group != guest.group && self.groups[*group].sharing.busy() > 0;
        let rich = |group: &usize| able(group) && !self.groups[*group].hungry;
        // Where work begins nearest to the root, most is left; but who is asked by many has less for each.
        let depth = |&group: &usize| {
            let own = &self.groups[group];
            own.sharing.shallowest().unwrap_or(usize::MAX).saturating_add(own.guests.len())
        };
        let first = self.sequence as usize % count;
        let all = (first..first + count).map(|number| number % count);
        let found = all.clone().filter(rich).min_by_key(depth);
        let found = found.or_else(|| all.filter(able).min_by_key(depth));
        match found {
            Some(group) => self.at(now + self.costs.way, What::Borrow(group, guest)),
            None => self.at(now + self.costs.again, What::Hungry(guest.group, guest.waiting)),
        }
    }
}

const NOTHING: Ahead = Ahead { left: None, executions: 0, abandoned: 0, more: false };
