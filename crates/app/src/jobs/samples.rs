//! Executions drawn at random, by several workers.
//!
//! **Problem.** What explorers that sample come to depends on the seed alone, and has to for any number of workers.
//!
//! **Idea.** An execution is drawn by its number, once it is known how long executions are, which the first ones
//! tell. So workers draw blocks of numbers, and what came of a block is added when all before it were added. A
//! worker that is stopped within a block ends what is added; blocks behind it count for nothing, as they would not have
//! been drawn by one process. With `--stop-at-first`, the first failure is the one with the least number.
//!
//! **Invariant.** Executions, findings and outcomes are those of one process that draws as many.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use counterpoint_explore::WorkUnit;
use counterpoint_model::Bound;

use super::coordinate::{MOST_LOSSES, PACE, TO_STOP, first_is_enough, go_on_alone, start};
use super::haste;
use super::pool::{Crew, Member, News};
use super::protocol::{Answer, Order, Report, Work};
use crate::job::{Session, Tally, Unexplored, Watcher};

/// How many executions a worker draws at a time.
const BLOCK: u64 = 256;

/// The same in tests.
const SMALL_BLOCK: u64 = 8;

/// Blocks that wait to be added for a slow one before them, for each worker.
const MOST_AHEAD: u64 = 64;

/// Draws executions with the help of workers, from the end of the first ones on.
pub fn draw(session: &Session<'_>, mut tally: Tally, watcher: &mut dyn Watcher) -> Tally {
    let Some(Unexplored::Alone(unit)) = tally.unexplored.take() else {
        return go_on_alone(session, tally, watcher);
    };
    let Some(crew) = start(session.job) else {
        tally.unexplored = Some(Unexplored::Alone(unit));
        return go_on_alone(session, tally, watcher);
    };
    let block = if haste().is_some() { SMALL_BLOCK } else { BLOCK };
    let (first, members) = (unit.already_done, BTreeMap::new());
    let (lost, done, losses) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
    let next = first;
    let stop = None;
    let mut drawing = Drawing {
        session,
        tally,
        unit,
        crew,
        watcher,
        block,
        first,
        next,
        members,
        lost,
        done,
        losses,
        stop,
    };
    drawing.run();
    drawing.result()
}

struct Drawing<'a, 'w> {
    session: &'a Session<'a>,
    tally: Tally,
    /// How the blocks begin, but for their numbers.
    unit: WorkUnit,
    crew: Box<dyn Crew + 'a>,
    watcher: &'w mut dyn Watcher,
    block: u64,
    /// All before this one were added.
    first: u64,
    /// From here on nobody has drawn.
    next: u64,
    /// Workers, with the block that each draws.
    members: BTreeMap<Member, Option<(u64, u64)>>,
    /// Blocks whose worker was lost.
    lost: BTreeSet<(u64, u64)>,
    /// What came of blocks behind the first that is missing, with their sizes.
    done: BTreeMap<u64, (u64, Report)>,
    losses: BTreeMap<u64, u32>,
    /// Why it ends.
    stop: Option<Bound>,
}

impl Drawing<'_, '_> {
    fn run(&mut self) {
        while self.stop.is_none() && !self.crew.is_gone() {
            self.stop = self.reason_to_stop();
            self.hand_out();
            if let Some((member, news)) = self.crew.news(PACE) {
                self.hear(member, news);
            }
        }
        let busy: Vec<Member> = self.busy().collect();
        for member in busy {
            self.crew.order(member, &Order::Stop);
        }
        let end = Instant::now() + TO_STOP;
        while self.busy().next().is_some() && Instant::now() < end && !self.has_ended() {
            if let Some((member, news)) = self.crew.news(PACE) {
                self.hear(member, news);
            }
        }
    }

    fn busy(&self) -> impl Iterator<Item = Member> + '_ {
        self.members.iter().filter(|(_, block)| block.is_some()).map(|(&member, _)| member)
    }

    /// Whether nothing more can be added.
    fn has_ended(&self) -> bool {
        first_is_enough(self.session.job, &self.tally) || self.limit() == Some(self.first)
    }

    /// The number after the last execution, if they are limited.
    fn limit(&self) -> Option<u64> {
        let left = self.session.remaining(&self.tally).executions?;
        Some(self.first + left)
    }

    fn reason_to_stop(&self) -> Option<Bound> {
        let interrupt = &self.session.job.limits.interrupt;
        if interrupt.poll() {
            return interrupt.raised().cloned();
        }
        if first_is_enough(self.session.job, &self.tally) {
            return Some(Bound::Stopped);
        }
        if self.session.remaining(&self.tally).time.is_some_and(|time| time.is_zero()) {
            return Some(Bound::Time);
        }
        (self.limit() == Some(self.first)).then_some(Bound::Executions)
    }

    fn hand_out(&mut self) {
        let most = self.first + MOST_AHEAD * self.block * self.members.len() as u64;
        let limit = self.limit().unwrap_or(u64::MAX).min(most);
        let idle = self.members.iter().filter(|(_, block)| block.is_none());
        let idle: Vec<Member> = idle.map(|(&member, _)| member).collect();
        for member in idle {
            let (start, size) = match self.lost.pop_first() {
                Some(block) => block,
                None => (self.next, self.block.min(limit.saturating_sub(self.next))),
            };
            if size == 0 {
                return;
            }
            self.next = self.next.max(start + size);
            let unit = WorkUnit { already_done: start, ..self.unit.clone() };
            let work = Work {
                number: start,
                unit: unit.pack(self.session.job.program.names()),
                executions: Some(size),
                milliseconds: u64::MAX / 2,
                time: None,
                losses: self.losses.get(&start).copied().unwrap_or(0),
            };
            self.crew.order(member, &Order::Work(work));
            self.members.insert(member, Some((start, size)));
        }
    }

    fn hear(&mut self, member: Member, news: News) {
        match news {
            News::Joined => {}
            News::Said(answer) => match *answer {
                Answer::Ready => {
                    self.members.insert(member, None);
                }
                Answer::Failed(_) | Answer::Indivisible => {}
                Answer::Report(report) => {
                    let Some(Some((start, size))) = self.members.insert(member, None) else {
                        return;
                    };
                    self.done.insert(start, (size, *report));
                    self.add_all();
                }
            },
            News::Lost => {
                if let Some(Some(block)) = self.members.remove(&member) {
                    self.lose(block);
                }
            }
        }
    }

    fn lose(&mut self, (start, size): (u64, u64)) {
        let losses = self.losses.entry(start).or_default();
        *losses += 1;
        if *losses < MOST_LOSSES {
            self.lost.insert((start, size));
            return;
        }
        self.tally.internal_errors.push(format!(
            "{MOST_LOSSES} workers died drawing executions {start} to {}",
            start + size - 1
        ));
        self.stop = Some(Bound::Stopped);
    }

    /// Adds blocks as long as none is missing.
    fn add_all(&mut self) {
        while let Some((size, report)) = self.done.remove(&self.first) {
            if self.has_ended() {
                return;
            }
            let job = self.session.job;
            let drawn = report.statistics().executions;
            let (tally, watcher) = (&mut self.tally, &mut *self.watcher);
            let enough = |tally: &Tally| first_is_enough(job, tally);
            report.add_to(tally, job.program, enough, |finding| watcher.found(finding));
            self.first += drawn;
            if drawn < size {
                // Somebody was stopped: what follows would have come later.
                self.done.clear();
                return;
            }
        }
        self.session.note_time(&mut self.tally);
        self.watcher.moved(&self.tally, &Default::default(), 0);
    }

    /// What has come of it. If there are no workers left, the rest is done here.
    fn result(self) -> Tally {
        let Drawing { session, mut tally, unit, first, stop, watcher, .. } = self;
        session.note_time(&mut tally);
        tally.unexplored = Some(Unexplored::Alone(WorkUnit { already_done: first, ..unit }));
        let Some(bound) = stop else { return go_on_alone(session, tally, watcher) };
        tally.bounds.insert(bound);
        tally.bounds.insert(Bound::Sampled);
        tally
    }
}
