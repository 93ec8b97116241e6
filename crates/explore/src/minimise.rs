//! Short stories: the same failure with the fewest process switches, then the fewest steps.
//!
//! **Problem.** An explorer meets a failure on the schedule that its search order happens to try.
//! People follow a schedule switch by switch.
//!
//! **Idea.** First a few cheap repairs: take the schedule as blocks of steps of one process, cut away
//! half of a long one, then less and less, as rounds of a loop often do not matter; drop a block or
//! move it beside another block of its process; replay loosely (skipping what cannot move), and keep
//! what still fails and is better. Then search: all schedules with 0 switches, with
//! 1, with 2, and so on, each depth first with a bound on the steps, until one fails; that one has
//! the fewest switches there can be. The inputs stay as they are, so branches on unknowns follow
//! their concrete side.
//!
//! **Invariant.** The result fails in the same way when replayed from the same inputs, and it is
//! never worse than the schedule given.
//!
//! **Cost.** A repair takes the time of an execution, since it is judged where a step fails and at its end only, and
//! at each access only as long as it is short. The search is exponential in the number of switches and stops after a fixed number of
//! steps, so the result is the same on every machine; it is minimal if the search was not stopped. An
//! interrupt stops it earlier.

use counterpoint_model::{
    Alternatives, Choice, Event, Input, Interrupt, Next, Op, Pid, Program, Run,
};
use smallvec::SmallVec;

use crate::evidence;
use crate::property::Execution;

/// How many steps the attempts for the findings of one exploration may take together. Each finding
/// gets half of what is left, so the first ones, which people look at, get most.
const EFFORT: usize = 400_000;

/// How short schedules of findings are looked for.
pub(crate) struct Shortening {
    /// How many steps the attempts may still take.
    pub effort: usize,
    /// Whether a short schedule must not have more non-local reads than the one that was met.
    pub keeps_reads: bool,
}

impl Default for Shortening {
    fn default() -> Shortening {
        Shortening { effort: EFFORT, keeps_reads: false }
    }
}

/// Longer schedules are only repaired, not searched for.
const SEARCHED: usize = 1_000;

/// Shorter blocks are not cut.
const CUT: usize = 20;

/// Whether an execution shows the failure, and after how many steps.
pub(crate) type Judge<'j> = dyn FnMut(&Execution<'_>) -> Option<usize> + 'j;

/// When a failure shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shows {
    /// At the step that ends in a fault.
    WithItsFault,
    /// At an access that somebody else's is not ordered with.
    WithItsAccess,
    /// In a state, whatever step has led there.
    InItsState,
    /// When some wait for each other for ever, whatever others do.
    WhenDeadlocked,
    /// When nobody can move.
    AtTheEnd,
}

impl Shows {
    /// Whether it shows where the execution ends, or others wait for ever.
    fn in_the_end(self) -> bool {
        matches!(self, Shows::WhenDeadlocked | Shows::AtTheEnd)
    }
}

/// The best schedule found that shows the failure, starting from one that does.
pub(crate) fn minimise(
    program: &dyn Program,
    inputs: &[Input],
    choices: Vec<Choice>,
    shows: Shows,
    effort: &mut usize,
    interrupt: &Interrupt,
    judge: &mut Judge<'_>,
) -> Vec<Choice> {
    let share = *effort / 2;
    let mut minimiser = Minimiser {
        program,
        inputs,
        judge,
        shows,
        best: choices,
        effort: share,
        longest: 0,
        interrupt,
    };
    minimiser.shorten();
    minimiser.repair();
    minimiser.search();
    *effort -= share - minimiser.effort;
    minimiser.best
}

struct Minimiser<'a, 'j> {
    program: &'a dyn Program,
    inputs: &'a [Input],
    judge: &'a mut Judge<'j>,
    /// When the failure shows.
    shows: Shows,
    best: Vec<Choice>,
    effort: usize,
    /// How long a schedule may be that is found by searching.
    longest: usize,
    /// Ends the attempts.
    interrupt: &'a Interrupt,
}

/// What makes a schedule better.
fn cost(choices: &[Choice]) -> (usize, usize) {
    let switches = choices.windows(2).filter(|pair| pair[0].process != pair[1].process).count();
    (switches, choices.len())
}

impl Minimiser<'_, '_> {
    /// Cuts steps away from the end of long blocks, the longest first and as many at once as can be.
    fn shorten(&mut self) {
        let mut tried = 0;
        loop {
            let blocks = blocks(&self.best);
            let mut order: Vec<usize> = (0..blocks.len()).collect();
            order.sort_by_key(|&index| std::cmp::Reverse(blocks[index].len()));
            let Some(&index) = order.get(tried).filter(|&&index| blocks[index].len() >= CUT) else {
                return;
            };
            let cuts = std::iter::successors(Some(blocks[index].len() / 2), |cut| Some(cut / 2));
            let mut shorter = cuts.take_while(|&cut| cut > 0).map(|cut| {
                let mut blocks = blocks.clone();
                let length = blocks[index].len() - cut;
                blocks[index].truncate(length);
                blocks.concat()
            });
            if !shorter.any(|candidate| self.attempt(&candidate)) {
                tried += 1;
            }
            if self.effort == 0 {
                return;
            }
        }
    }

    /// Block moves until none helps.
    fn repair(&mut self) {
        let mut improved = true;
        while improved && self.effort > 0 {
            improved = false;
            let blocks = blocks(&self.best);
            for index in 0..blocks.len() {
                improved = moves(&blocks, index).iter().any(|candidate| self.attempt(candidate));
                if improved || self.effort == 0 {
                    break;
                }
            }
        }
    }

    /// Replays loosely; keeps the outcome if it fails and is better.
    fn attempt(&mut self, wanted: &[Choice]) -> bool {
        if self.effort < wanted.len() || self.interrupt.poll() {
            self.effort = 0;
            return false;
        }
        let mut run = self.program.start(self.inputs);
        let mut events: Vec<Event> = Vec::new();
        let limit = self.best.len();
        let mut wanted = wanted.iter();
        let mut current = Pid::MAIN;
        while events.len() <= limit {
            let next = match wanted.next() {
                Some(&choice) if ready(&*run, choice.process) => choice,
                Some(_) => continue,
                None if !self.shows.in_the_end() => break,
                None => match keep_going(&*run, current) {
                    Some(process) => Choice::of(process),
                    None => break,
                },
            };
            current = next.process;
            let choice = settle(&*run, next);
            let event = run.step(choice);
            let shows = match self.shows {
                Shows::WithItsFault => event.fault.is_some(),
                // To find races looks at all events so far. Of a long execution the end tells as well.
                Shows::WithItsAccess => events.len() < SEARCHED && can_fail(&event),
                Shows::InItsState => true,
                Shows::WhenDeadlocked | Shows::AtTheEnd => false,
            };
            events.push(event);
            if self.spend() {
                return false;
            }
            if shows && self.judge_now(&*run, &events) {
                return true;
            }
            if self.shows == Shows::WhenDeadlocked && run.is_deadlocked() {
                break;
            }
        }
        self.judge_now(&*run, &events)
    }

    /// Keeps the execution if it fails and is better than the best so far.
    fn judge_now(&mut self, run: &dyn Run, events: &[Event]) -> bool {
        if self.interrupt.poll() {
            self.effort = 0;
            return false;
        }
        let ending = evidence::ending(run);
        // What a state is asked for is no fault, and is asked after each step.
        let faulty =
            self.shows != Shows::InItsState && events.iter().any(|event| event.fault.is_some());
        let execution = Execution { program: self.program, run, events, ending, faulty };
        let Some(steps) = (self.judge)(&execution) else { return false };
        let choices: Vec<Choice> = events[..steps].iter().map(|event| event.choice).collect();
        let better = cost(&choices) < cost(&self.best);
        if better {
            self.best = choices;
        }
        better
    }

    /// Every schedule with few switches, fewest first.
    fn search(&mut self) {
        let mut run = self.program.start(self.inputs);
        let (most, steps) = cost(&self.best);
        if !run.rewinds() || steps > SEARCHED {
            return;
        }
        // A loop that waits for another process must not be followed for ever.
        self.longest = 2 * steps + 20;
        let start = run.mark();
        for switches in 0..=most {
            let before = self.best.len();
            let mut events = Vec::new();
            self.descend(&mut *run, &mut events, None, switches);
            run.undo(start);
            let (found, steps) = cost(&self.best);
            if found <= switches || self.effort == 0 || (switches == most && steps <= before) {
                return;
            }
        }
    }

    /// Tries everything from here with so many switches. The run is taken back by the caller.
    fn descend(
        &mut self,
        run: &mut dyn Run,
        events: &mut Vec<Event>,
        current: Option<Pid>,
        switches: usize,
    ) {
        let begin = events.len();
        let (mut current, mut switches) = (current, switches);
        loop {
            let ways = self.ways(run, events.len(), current, switches);
            match ways[..] {
                [] => break,
                // Without switches left this is the rule, and there is nothing to come back to.
                [(choice, left)] => {
                    if self.take(run, events, choice) {
                        break;
                    }
                    (current, switches) = (Some(choice.process), left);
                }
                _ => {
                    let mark = run.mark();
                    for (choice, left) in ways {
                        if !self.take(run, events, choice) {
                            self.descend(run, events, Some(choice.process), left);
                        }
                        events.pop();
                        run.undo(mark);
                        if self.effort == 0 {
                            break;
                        }
                    }
                    break;
                }
            }
        }
        events.truncate(begin);
    }

    /// The steps to try after so many of them, each with the switches that are left after it.
    fn ways(
        &self,
        run: &dyn Run,
        taken: usize,
        current: Option<Pid>,
        switches: usize,
    ) -> SmallVec<[(Choice, usize); 8]> {
        let mut ways = SmallVec::new();
        let (best_switches, best_steps) = cost(&self.best);
        if self.effort == 0
            || taken >= self.longest
            || (switches >= best_switches && taken + 1 >= best_steps)
        {
            return ways;
        }
        let mut add = |process: Pid, left: usize| {
            if ready(run, process) {
                ways.extend(choices_of(run, process).map(|choice| (choice, left)));
            }
        };
        match current {
            Some(process) => add(process, switches),
            None => (0..run.processes()).for_each(|process| add(Pid(process), switches)),
        }
        if let (Some(current), Some(left)) = (current, switches.checked_sub(1)) {
            let others = (0..run.processes()).map(Pid).filter(|&pid| pid != current);
            others.for_each(|process| add(process, left));
        }
        ways
    }

    /// A step was taken. Whether the attempts end here and now.
    fn spend(&mut self) -> bool {
        self.effort = self.effort.saturating_sub(1);
        let ends = self.effort.is_multiple_of(64) && self.interrupt.poll();
        if ends {
            self.effort = 0;
        }
        ends
    }

    /// Takes a step. Whether the execution fails now, and is better than the best so far.
    fn take(&mut self, run: &mut dyn Run, events: &mut Vec<Event>, choice: Choice) -> bool {
        events.push(run.step(choice));
        self.spend();
        let interesting = match self.shows {
            Shows::WithItsFault | Shows::WithItsAccess | Shows::InItsState => {
                events.last().is_some_and(can_fail)
            }
            Shows::WhenDeadlocked => run.is_deadlocked(),
            Shows::AtTheEnd => keep_going(run, choice.process).is_none(),
        };
        interesting && self.judge_now(run, events)
    }
}

/// Whether a failure that shows at once can show at this event.
fn can_fail(event: &Event) -> bool {
    event.fault.is_some() || event.footprint.iter().any(|access| !access.synchronises)
}

fn ready(run: &dyn Run, process: Pid) -> bool {
    process.0 < run.processes() && run.is_ready(process)
}

/// The present process if it can go on, else the first that can.
fn keep_going(run: &dyn Run, current: Pid) -> Option<Pid> {
    if ready(run, current) {
        return Some(current);
    }
    (0..run.processes()).map(Pid).find(|&pid| ready(run, pid))
}

/// The wanted alternative where there is such a one; the concrete side of a branch.
fn settle(run: &dyn Run, choice: Choice) -> Choice {
    let alternatives = run.alternatives(choice.process);
    let branch = matches!(run.next(choice.process), Next::Ready(Op::Branch));
    let alternative = if branch || choice.alternative >= alternatives.count {
        alternatives.preferred
    } else {
        choice.alternative
    };
    Choice { process: choice.process, alternative }
}

/// The alternatives to try: all of them, but only the concrete side of a branch.
fn choices_of(run: &dyn Run, process: Pid) -> impl Iterator<Item = Choice> {
    let Alternatives { count, preferred } = run.alternatives(process);
    let branch = count > 1 && matches!(run.next(process), Next::Ready(Op::Branch));
    let all = if branch { preferred..preferred + 1 } else { 0..count };
    all.map(move |alternative| Choice { process, alternative })
}

/// Maximal runs of steps of one process.
fn blocks(choices: &[Choice]) -> Vec<Vec<Choice>> {
    choices.chunk_by(|a, b| a.process == b.process).map(<[Choice]>::to_vec).collect()
}

/// Schedules with the block dropped, or moved beside the previous or next block of its process.
fn moves(blocks: &[Vec<Choice>], index: usize) -> Vec<Vec<Choice>> {
    let process = blocks[index][0].process;
    let same = |block: &Vec<Choice>| block[0].process == process;
    let earlier = blocks[..index].iter().rposition(same);
    let later = blocks[index + 1..].iter().position(same).map(|offset| index + 1 + offset);
    let mut candidates = Vec::new();
    let mut without: Vec<Vec<Choice>> = blocks.to_vec();
    let moved = without.remove(index);
    candidates.push(without.concat());
    if let Some(earlier) = earlier {
        let mut order = without.clone();
        order.insert(earlier + 1, moved.clone());
        candidates.push(order.concat());
    }
    if let Some(later) = later {
        let mut order = without;
        order.insert(later - 1, moved);
        candidates.push(order.concat());
    }
    candidates
}
