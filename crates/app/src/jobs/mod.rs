//! Exploring with several processes.
//!
//! **Problem.** An exploration is to use all cores, with the same result as on one.
//!
//! **Idea.** One process coordinates: it has the [`Trunk`] of the search and gives units of it to workers, with which it
//! speaks in lines of JSON ([`protocol`]). Workers on this machine are copies of the coordinator's process ([`pool`],
//! [`fork`]) and have the program under test from the start; those of a cluster are processes `counterpoint worker`,
//! which load it themselves ([`ray`]). A worker works on one unit after another ([`worker`]). It stops when the unit is
//! done, when some time has passed, when it was asked to, or when it found something that belongs to a node
//! above its unit; then it reports what it counted and found, and what is left, as far as the coordinator does not know
//! that, at once. So the result of a worker that
//! dies is missing as a whole, and its unit is done again by another one, which reports sooner. A unit that has cost three
//! workers is given up and named in the result.
//!
//! **Who divides what.** As long as there is open work nobody is disturbed. When somebody has nothing to do, the one
//! that has not reported for the longest time is asked to share ([`Sharing`](counterpoint_explore::Sharing)). It
//! leaves the steps at its shallowest node to others, where the largest parts are, and goes on with the rest without
//! waiting for an answer.
//!
//! **Small programs.** An exploration begins alone, and workers come when it has worked for some time: on this
//! machine a few times as long as it takes to copy a process, on a cluster as long as it takes to load the program, during
//! which it goes on alone. If little seems to be left when they would come to this machine, they come later. Time is
//! that of a processor: on a machine that is busy with other things a small program does not become a large one.
//!
//! **Unless somebody asks** for a number of processes, there is one for each core, and nobody needs to know. So they
//! come later, when all that takes a moment is done. A limit on executions keeps an exploration to one process, so that they
//! are the same ones each time. There are no more processes than there is memory for, and that none can be made is not
//! worth a word.
//!
//! **Searches by bounds** go through one tree after another, and what is learnt in one decides about the next. Who has begun
//! the search keeps it, and the workers share each tree that takes long ([`trees`]). An explorer that compares everything with
//! all that was met needs workers that have memory in common ([`common_memory`]); without it, it goes on alone.
//!
//! **Other work.** Executions that are drawn at random are divided by their numbers ([`samples`]); tests and cycles of
//! waiting are pieces of work by themselves ([`pieces`]). Methods for which tests are generated, and parts of them, are
//! divided among threads ([`sharing`](crate::commands::generate)), since what comes of them is too large to be handed over.
//!
//! **When the time is up**, what all have left has to be reported, merged and saved, and that can be millions of steps.
//! Workers know when it is and do not wait to be told; one that has much to save stops a little earlier
//! ([`Interrupt::reserve`](counterpoint_model::Interrupt::reserve)), and then all do. The coordinator looks at the few steps
//! that it divides by and passes the others on as they came.
//!
//! **Where the order matters.** Which executions are cut by the limits on steps and depth depends on the order in
//! which executions are tried, and so do their number and what they show. An exploration that meets such a limit is done
//! by one process: if it has been divided, it is taken up again from where it was not.
//!
//! **Invariant.** Verdict, findings, executions and outcomes are those of one process, whatever the
//! number of workers and whoever is fast.
//!
//! **Cost.** A unit costs a worker the replay of its prefix and of what is planned beside it, and two lines of JSON: some
//! milliseconds. Units last for half a second, unless somebody waits for work.

mod common_memory;
mod coordinate;
mod fork;
pub mod pieces;
mod pool;
mod protocol;
pub mod ray;
mod samples;
mod trees;
mod unit_log;
pub mod worker;

use std::time::Duration;

use counterpoint_explore::{Division, Trunk};
use counterpoint_model::Bound;

pub use self::common_memory::common_memory;
pub use self::coordinate::share;
pub use self::protocol::Report;
pub use self::trees::Trees;
use crate::cli::{JobArguments, ProcessArguments};
use crate::front_end::LoadRequest;
use crate::interrupt;
use crate::job::{Job, Session, Tally, Watcher};
use crate::report::verdict;

/// Who else may work on an exploration.
#[derive(Clone)]
pub struct Workers<'a> {
    /// How many; on a cluster, one for each core if nothing is said.
    pub jobs: Option<usize>,
    /// Whether somebody asked for them.
    pub asked: bool,
    /// The cluster, if they are not on this machine.
    pub cluster: Option<ClusterRequest<'a>>,
    /// For how much time of a processor it pays to go on without them.
    pub time_alone: Duration,
}

/// A cluster, and how workers there load the program.
#[derive(Clone)]
pub struct ClusterRequest<'a> {
    /// Its address.
    pub address: String,
    /// The program.
    pub program: &'a LoadRequest,
}

/// How long an exploration goes on before it makes copies of its process, if somebody asked for them, and if not.
const ALONE: Duration = Duration::from_millis(2);
const ALONE_UNASKED: Duration = Duration::from_millis(300);

/// If no more than this seems to be left then, it goes on until it has worked for so long.
const SMALL: Duration = Duration::from_millis(15);

/// The same for each of many targets, before threads divide those that are left.
const ALONE_WITH_TARGET: Duration = Duration::from_millis(2);

/// How long it goes on before it asks a cluster. A program that takes longer to load is being compiled, which others
/// need not do.
const LEAST_WITHOUT_CLUSTER: Duration = Duration::from_millis(500);
const MOST_WITHOUT_CLUSTER: Duration = Duration::from_millis(800);

/// For tests: begin with workers after the first execution, and give them so many milliseconds for each unit; with 0, a unit
/// is reported after each execution. A second number says for how many milliseconds nobody may be there before the coordinator
/// works alone. See [`worker::FAULTS`] for what makes them fail.
const HASTE: &str = "COUNTERPOINT_TEST_HASTE";

impl<'a> Workers<'a> {
    /// The workers for a program that took so long to load; none if one process is enough.
    pub fn new(
        arguments: &JobArguments,
        program: &'a LoadRequest,
        loading: Duration,
    ) -> Option<Workers<'a>> {
        let Some(address) = arguments.ray.clone() else {
            return Workers::on_this_machine(&arguments.processes);
        };
        let time_alone = loading.clamp(LEAST_WITHOUT_CLUSTER, MOST_WITHOUT_CLUSTER);
        Some(Workers {
            jobs: arguments.processes.jobs,
            asked: true,
            cluster: Some(ClusterRequest { address, program }),
            time_alone: if haste().is_some() { Duration::ZERO } else { time_alone },
        })
    }

    /// The workers on this machine; none if one process is enough.
    pub fn on_this_machine(processes: &ProcessArguments) -> Option<Workers<'a>> {
        let jobs = number(processes);
        let asked = processes.jobs.is_some();
        let time_alone = match haste() {
            Some(_) => Duration::ZERO,
            None if asked => ALONE,
            None => ALONE_UNASKED,
        };
        (jobs > 1).then_some(Workers { jobs: Some(jobs), asked, cluster: None, time_alone })
    }
}

/// How many processes are to work: one for each core, if nobody says otherwise and there is memory for them.
pub fn number(processes: &ProcessArguments) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    processes.jobs.unwrap_or_else(|| cores().min(interrupt::most_processes()))
}

/// How long each of many targets is explored before threads divide those that are left.
pub fn time_alone() -> Duration {
    if is_hasty() { Duration::ZERO } else { ALONE_WITH_TARGET }
}

/// For tests: work is divided whenever it can be.
pub fn is_hasty() -> bool {
    haste().is_some()
}

/// How long units last in tests.
fn haste() -> Option<Duration> {
    haste_number(0)
}

/// How long the coordinator waits for workers in tests that say so.
fn patience() -> Option<Duration> {
    haste_number(1)
}

fn haste_number(which: usize) -> Option<Duration> {
    let text = std::env::var(HASTE).ok()?;
    text.split(',').nth(which)?.parse().ok().map(Duration::from_millis)
}

/// Whether the work of a job is shared.
pub fn divides(job: &Job<'_>) -> bool {
    let asked = job.workers.as_ref().is_some_and(|workers| workers.asked);
    match job.explorer.division {
        // Several processes do as many executions as they may, but not the same ones each time.
        Division::Branches if !asked && job.limits.executions.is_some() => false,
        Division::Branches => job.limits.depth.is_none(),
        Division::Numbers => true,
        Division::Portions => job.limits.executions.is_none(),
        // A cluster has no memory in common.
        Division::PortionsInMemory => job.limits.executions.is_none() && !is_on_cluster(job),
        Division::Alone(_) => false,
    }
}

/// Why one process does the work of a job, whoever asks for more.
pub fn why_undivided(job: &Job<'_>) -> Option<&'static str> {
    match job.explorer.division {
        Division::Alone(why) => Some(why),
        Division::Portions | Division::PortionsInMemory if job.limits.executions.is_some() => {
            Some("with a limit on executions it does the same ones each time")
        }
        Division::PortionsInMemory if is_on_cluster(job) => {
            Some("its workers need memory in common, which machines of a cluster do not have")
        }
        _ => None,
    }
}

fn is_on_cluster(job: &Job<'_>) -> bool {
    job.workers.as_ref().is_some_and(|workers| workers.cluster.is_some())
}

/// Whether workers share the trees of a search by bounds.
pub fn shares_trees(job: &Job<'_>) -> bool {
    matches!(job.explorer.division, Division::Portions | Division::PortionsInMemory)
}

/// Whether it is time for workers: more than a little seems to be left when one looks for the first time, or that was
/// wrong.
pub fn is_time_for_workers(session: &Session<'_>, tally: &Tally, alone: Duration) -> bool {
    let done = session.processor_time();
    if done < alone || alone >= SMALL || alone.is_zero() {
        return done >= alone;
    }
    let executions = tally.statistics.executions;
    let left = tally.unexplored.as_ref().and_then(|left| verdict::estimate(executions, left));
    let time_left = left.map(|left| done.as_secs_f64() * left as f64 / executions as f64);
    let is_first_look = done < 2 * alone;
    done >= SMALL || is_first_look && time_left.is_none_or(|time| time > SMALL.as_secs_f64())
}

/// Goes on with the help of workers, from where an exploration has come alone.
pub fn divide(session: &Session<'_>, tally: Tally, watcher: &mut dyn Watcher) -> Tally {
    match session.job.explorer.division {
        Division::Numbers => samples::draw(session, tally, watcher),
        _ => coordinate::divide(session, tally, watcher),
    }
}

/// Whether what an exploration has come to so far does not depend on the order of executions.
pub fn is_divisible(job: &Job<'_>, tally: &Tally) -> bool {
    let any_order = job.explorer.division == Division::Numbers || shares_trees(job);
    any_order || !tally.bounds.iter().any(|bound| matches!(bound, Bound::Steps | Bound::Depth))
}

/// What is left when everybody has stopped.
fn left(trunk: Trunk) -> Option<crate::job::Unexplored> {
    (!trunk.is_done()).then(|| crate::job::Unexplored::Shared(Box::new(trunk)))
}
