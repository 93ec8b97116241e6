//! Exploring with several processes.
//!
//! **Problem.** An exploration is to use all cores, with the same result as on one.
//!
//! **Idea.** One process coordinates: it has the [`Trunk`] of the search and gives units of it to workers, processes
//! of the same program (`counterpoint worker`) with which it speaks in lines of JSON ([`protocol`]). A worker loads the
//! program under test itself and works on one unit after another ([`worker`]). It stops when the unit is done, when
//! some time has passed, when it was asked to, or when it found something that belongs to a node above its unit;
//! then it reports what it counted and found, and what is left, at once. So the result of a worker that dies ([`pool`])
//! is missing as a whole, and its unit is done again by another one. A unit that has cost three workers is given up
//! and named in the result.
//!
//! **Who divides what.** As long as there is open work nobody is disturbed. When somebody has nothing to do, the one
//! who has worked the longest on the shallowest unit is asked to stop, unless it has just begun: what it leaves is
//! divided at its shallowest node, where the largest parts are.
//!
//! **Small programs.** Starting a worker means loading the program again. So the exploration begins alone, and
//! workers are started when it has lasted as long as loading took: then starting them in vain at most doubles
//! the time. What `optimal` has done by then is thrown away, since the explorer that shares its work ([`Trunk`])
//! cannot build on it; for the same reason an exploration that `optimal` was saved in goes on alone. While workers load,
//! the exploration goes on alone.
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

mod coordinate;
mod pool;
mod protocol;
pub mod ray;
pub mod worker;

use std::time::Duration;

use counterpoint_explore::{Division, Trunk};
use counterpoint_model::Bound;

pub use self::coordinate::{divide, share};
use crate::cli::JobArguments;
use crate::front_end::LoadRequest;
use crate::job::{Job, Tally};

/// Who else may work on an exploration.
#[derive(Clone)]
pub struct Workers<'a> {
    /// How many; on a cluster, one for each core if nothing is said.
    pub jobs: Option<usize>,
    /// The cluster, if they are not on this machine.
    pub ray: Option<String>,
    /// How they load the program.
    pub request: &'a LoadRequest,
    /// How long it pays to go on without them.
    pub time_alone: Duration,
}

/// It is never worth it to start workers earlier than this.
const LEAST_ALONE: Duration = Duration::from_millis(500);

/// A program that takes longer to load is being compiled, which workers need not do.
const MOST_ALONE: Duration = Duration::from_millis(800);

/// For tests: begin with workers at once, and give them so many milliseconds for each unit. See [`worker::FAULTS`] for
/// what makes them fail.
const HASTE: &str = "COUNTERPOINT_TEST_HASTE";

impl<'a> Workers<'a> {
    /// The workers that were asked for, for a program that took so long to load; none if one process is enough.
    pub fn new(
        arguments: &JobArguments,
        request: &'a LoadRequest,
        loading: Duration,
    ) -> Option<Workers<'a>> {
        let time_alone = match haste() {
            Some(_) => Duration::ZERO,
            None => loading.clamp(LEAST_ALONE, MOST_ALONE),
        };
        let ray = arguments.ray.clone();
        let jobs = if ray.is_some() { arguments.jobs } else { Some(arguments.number()) };
        (ray.is_some() || jobs > Some(1)).then_some(Workers { jobs, ray, request, time_alone })
    }
}

/// How long units last in tests.
fn haste() -> Option<Duration> {
    let text = std::env::var(HASTE).ok()?;
    text.parse().ok().map(Duration::from_millis)
}

/// Whether the work of a job can be shared, given what was done of it before.
pub fn divides(job: &Job<'_>, tally: &Tally) -> bool {
    let begun = tally.unexplored.is_some();
    job.explorer.division == Division::Branches
        && job.limits.depth.is_none()
        && !(begun && begins_again(job))
}

/// Whether sharing the work means to begin again: another explorer does it, which has not seen what this one has.
fn begins_again(job: &Job<'_>) -> bool {
    Trunk::explorer(job.explorer).name != job.explorer.name
}

/// Whether what an exploration has come to so far does not depend on the order of executions.
pub fn is_divisible(tally: &Tally) -> bool {
    !tally.bounds.iter().any(|bound| matches!(bound, Bound::Steps | Bound::Depth))
}

/// What is left when everybody has stopped.
fn left(trunk: Trunk) -> Option<crate::job::Unexplored> {
    (!trunk.is_done()).then(|| crate::job::Unexplored::Shared(Box::new(trunk)))
}
