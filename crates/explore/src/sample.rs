//! Sampled schedules: `random` and `pct`.
//!
//! Both run whole executions from the start, drawing from a generator seeded by the user's seed and
//! the number of the execution. The work unit carries that number and the length of the longest
//! of the first executions ([`FIRST`]), so that execution n is the same whoever has run those before it, and
//! several processes can draw executions at once.
//!
//! `random` picks uniformly among the processes that can move. `pct` (Burckhardt, Kothari,
//! Musuvathi and Nagarakatte 2010) gives processes random priorities, always runs the highest, and
//! at d-1 random steps drops the running one below all others: a bug that needs d ordering
//! constraints in an execution of k steps of n processes shows with probability at least
//! 1/(n k^(d-1)). We take d = 3, and for k the length of the longest of the first executions. A process of the
//! highest priority that never ends would starve the others: in the last quarter of the limit of steps they
//! take turns ([`turns`](crate::turns)).
//!
//! **Invariant.** Nothing is preserved: the result is never exhaustive and says so.

use counterpoint_model::{Bound, Choice, Feasible, Op, Pid, ProcessNames, Run};
use rustc_hash::FxHashMap;

use crate::parameter::{Parameter, Takes};
use crate::property::Ending;
use crate::search::{Assignment, Exploration, Search};
use crate::trace::Trace;
use crate::turns;
use crate::work::WorkUnit;

/// How many executions are drawn when neither time nor executions are limited.
const DEFAULT_EXECUTIONS: u64 = 10_000;

/// How long executions are is learnt from so many.
pub const FIRST: u64 = 64;

/// From which number schedules are drawn.
pub const SEED: Parameter = Parameter {
    name: "seed",
    about: "Seed of the schedules that are drawn at random",
    takes: Takes::Number { default: Some(0), least: 0, most: u64::MAX },
};

/// Ordering constraints that `pct` aims at.
const DEPTH: usize = 3;

/// Samples uniformly.
pub fn random(assignment: Assignment<'_>) -> Exploration {
    sample(assignment, |_, _| Box::new(Uniform))
}

/// Samples by priorities.
pub fn pct(assignment: Assignment<'_>) -> Exploration {
    sample(assignment, |random, longest| {
        let length = longest.max(16) as u64;
        let changes = (1..DEPTH).map(|_| random.below(length) as usize).collect();
        Box::new(Priorities { of: FxHashMap::default(), changes, lowest: 0 })
    })
}

trait Scheduler {
    fn pick(&mut self, ready: &[Pid], step: usize, random: &mut Random) -> Pid;

    /// Whether a process that is always ready can keep others from moving, so that they have to take
    /// turns before the limit of steps.
    fn may_starve(&self) -> bool;
}

struct Uniform;

impl Scheduler for Uniform {
    fn pick(&mut self, ready: &[Pid], _: usize, random: &mut Random) -> Pid {
        ready[random.below(ready.len() as u64) as usize]
    }

    fn may_starve(&self) -> bool {
        false
    }
}

struct Priorities {
    of: FxHashMap<Pid, i64>,
    changes: Vec<usize>,
    lowest: i64,
}

impl Scheduler for Priorities {
    fn pick(&mut self, ready: &[Pid], step: usize, random: &mut Random) -> Pid {
        for &pid in ready {
            self.of.entry(pid).or_insert_with(|| 1 + random.below(1 << 40) as i64);
        }
        let highest = |of: &FxHashMap<Pid, i64>| {
            *ready.iter().max_by_key(|pid| of[pid]).expect("somebody can move")
        };
        let pid = highest(&self.of);
        if !self.changes.contains(&step) {
            return pid;
        }
        self.lowest -= 1;
        self.of.insert(pid, self.lowest);
        highest(&self.of)
    }

    fn may_starve(&self) -> bool {
        true
    }
}

fn sample(
    assignment: Assignment<'_>,
    scheduler: fn(&mut Random, usize) -> Box<dyn Scheduler>,
) -> Exploration {
    let seed = assignment.parameters.number(&SEED).unwrap_or_default();
    let (mut search, unit) = Search::new(assignment);
    if search.limits.executions.is_none() && search.limits.time.is_none() {
        search.limits.executions = Some(DEFAULT_EXECUTIONS);
    }
    let WorkUnit { mut already_done, mut longest, .. } = unit;
    let mut trace = Trace::new();
    let mut ready = Vec::new();
    let mut numbers = Numbers::default();
    'executions: while !search.stop {
        let mut random = Random::new(seed, already_done);
        let mut scheduler = scheduler(&mut random, longest);
        let mut run = search.program.start(&[]);
        trace.cut(0);
        let ending = loop {
            let next = unit.prefix.get(trace.len()).copied();
            ready.clear();
            ready.extend((0..run.processes()).map(Pid).filter(|&pid| run.next(pid).is_ready()));
            numbers.sort(search.program.names(), &mut ready);
            if ready.is_empty() {
                break run.end().into();
            }
            if trace.len() >= search.limits.steps {
                break Ending::Cut;
            }
            let choice = next.unwrap_or_else(|| {
                let late = turns::are_taken(trace.len(), &search.limits);
                let process = if late && scheduler.may_starve() {
                    turns::sort(&mut ready, trace.events());
                    ready[0]
                } else {
                    scheduler.pick(&ready, trace.len(), &mut random)
                };
                let alternative = draw(&mut *run, process, &mut random, &mut search);
                Choice { process, alternative }
            });
            trace.push_plain(run.step(choice));
            search.stepped();
            if search.is_interrupted() {
                search.take_back_steps(trace.len());
                break 'executions;
            }
        };
        search.finished(&*run, &mut trace, ending);
        if already_done < FIRST {
            longest = longest.max(trace.len());
        }
        already_done += 1;
    }
    search.hit(Bound::Sampled);
    let unit = WorkUnit { already_done, longest, ..unit };
    search.result(Some(unit))
}

/// Processes are numbered in the order in which they were met, which depends on what was run before: their names do not.
#[derive(Default)]
struct Numbers {
    /// How many there were when their order was looked at.
    seen: usize,
    /// Whether their names are not in the order of their numbers.
    differ: bool,
}

impl Numbers {
    /// Puts processes into the order of their names.
    fn sort(&mut self, names: &ProcessNames, processes: &mut [Pid]) {
        if names.len() != self.seen {
            self.seen = names.len();
            let all: Vec<Pid> = (0..names.len() as u32).map(Pid).collect();
            self.differ = !all.is_sorted_by(|&a, &b| names.compare_processes(a, b).is_le());
        }
        if self.differ {
            processes.sort_by(|&a, &b| names.compare_processes(a, b));
        }
    }
}

/// One of the feasible alternatives. A branch follows the inputs or the solver, evenly.
fn draw(run: &mut dyn Run, process: Pid, random: &mut Random, search: &mut Search<'_>) -> u32 {
    let alternatives = run.alternatives(process);
    if alternatives.count == 1 {
        return 0;
    }
    let alternative = random.below(u64::from(alternatives.count)) as u32;
    let asked = matches!(run.next(process), counterpoint_model::Next::Ready(Op::Branch));
    if alternative == alternatives.preferred || !asked {
        return alternative;
    }
    match run.feasible(Choice { process, alternative }) {
        Feasible::Yes => alternative,
        Feasible::No => alternatives.preferred,
        Feasible::Unknown(why) => {
            search.hit(Bound::Solver(why));
            alternatives.preferred
        }
    }
}

/// A small generator (splitmix64): good enough to draw schedules, the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64, number: u64) -> Random {
        let mut random = Random(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
