//! An audit of what a front end says about its steps.
//!
//! **Problem.** Every reduction believes what the run tells it: what a step touches, whether it is
//! guarded, what a blocked process waits for. A front end that says too little makes explorers miss
//! executions, silently.
//!
//! **Idea.** Walk at random, and at every state on the way try each pair of steps that could come
//! next, in both orders. The promises of [`Event`] and [`Run`] then become things to look at:
//!
//! 1. Independent steps commute: if they are independent in one order, both orders are possible, are
//!    made of the same events, and lead to states that nobody can tell apart. Where the run has no digest, "nobody" is a random walk of a
//!    few more steps.
//! 2. A step that makes another one possible or impossible, or changes what it touches, conflicts
//!    with it. It conflicts with what [`Run::anticipate`] said of a blocked process that it frees.
//! 3. What a process does next is its own affair: others do not change it.
//! 4. A step that is not guarded is kept from happening by nothing but a held lock or an `Await`
//!    that is not fulfilled; an `Await` stays fulfilled.
//! 5. A step that neither is guarded nor explores touches the same whatever came before it, so that
//!    explorers may predict a reversal on paper. A notification need not, after a step that explores. The end of its process is an exception: it touches
//!    the process's own cell, where only those look who wait for the end.
//! 6. Going back is exact.
//!
//! **Cost.** Three steps for each pair of ready processes at each state, and the walks of the first
//! promise.

use std::collections::BTreeSet;
use std::fmt;

use counterpoint_model::{
    Access, Choice, Event, Feasible, Footprint, Mode, Next, Op, Pid, Program, Run, conflict,
};

use crate::random::Random;

/// How much to look at.
#[derive(Copy, Clone, Debug)]
pub struct Effort {
    /// How many random walks from the initial state.
    pub walks: u64,
    /// How many steps each of them takes at most.
    pub steps: usize,
    /// How many more steps are compared after two that commute.
    pub beyond: usize,
    /// Makes other walks.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { walks: 6, steps: 400, beyond: 8, seed: 1 }
    }
}

/// What an audit has seen.
#[derive(Debug, Default)]
pub struct Audit {
    /// How many states were looked at.
    pub states: u64,
    /// How many pairs of independent steps were tried in both orders.
    pub commuted: u64,
    /// The promises that were broken, with an example of each.
    pub complaints: BTreeSet<String>,
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} states, {} pairs commute", self.states, self.commuted)?;
        self.complaints.iter().try_for_each(|complaint| writeln!(f, "{complaint}"))
    }
}

/// Looks at a program whose runs can go back.
pub fn audit(program: &dyn Program, effort: Effort) -> Audit {
    let mut auditor = Auditor {
        program,
        effort,
        run: program.start(&[]),
        path: Vec::new(),
        random: Random::new(effort.seed),
        audit: Audit::default(),
    };
    assert!(auditor.run.rewinds(), "only runs that can go back are audited");
    let start = auditor.run.mark();
    for _ in 0..effort.walks {
        auditor.walk();
        auditor.run.undo(start);
        auditor.path.clear();
        if auditor.audit.complaints.len() >= MOST_COMPLAINTS {
            break;
        }
    }
    auditor.audit
}

/// So many complaints are enough.
const MOST_COMPLAINTS: usize = 5;

/// What an explorer can see of a process.
#[derive(PartialEq, Debug)]
struct View {
    process: Pid,
    next: Next,
    guarded: bool,
    footprint: Footprint,
    alternatives: u32,
    local: Option<u64>,
}

impl View {
    fn of(run: &dyn Run, process: Pid) -> Option<View> {
        let next = run.next(process);
        if next == Next::Done {
            return None;
        }
        let mut footprint = run.anticipate(process);
        footprint.sort_unstable();
        footprint.dedup();
        let alternatives = if next.is_ready() { run.alternatives(process).count } else { 0 };
        let (guarded, local) = (run.guarded(process), run.local_state(process));
        Some(View { process, next, guarded, footprint, alternatives, local })
    }
}

/// What an explorer can see of a state.
#[derive(PartialEq, Debug)]
struct Scene {
    views: Vec<View>,
    digest: Option<u128>,
    outcome: Option<String>,
}

impl Scene {
    fn of(run: &dyn Run) -> Scene {
        let views =
            (0..run.processes()).filter_map(|process| View::of(run, Pid(process))).collect();
        Scene { views, digest: run.digest(), outcome: run.outcome() }
    }

    fn view(&self, process: Pid) -> Option<&View> {
        self.views.iter().find(|view| view.process == process)
    }

    /// The first difference that a message can name.
    fn difference(&self, other: &Scene) -> String {
        for view in &self.views {
            match other.view(view.process) {
                Some(same) if same == view => {}
                found => return format!("{view:?} against {found:?}"),
            }
        }
        if let Some(extra) = other.views.iter().find(|view| self.view(view.process).is_none()) {
            return format!("nothing against {extra:?}");
        }
        format!(
            "{:?} {:?} against {:?} {:?}",
            self.digest, self.outcome, other.digest, other.outcome
        )
    }
}

/// A step that nothing preceded, and whether its process ended with it.
struct Alone {
    event: Event,
    ends: bool,
}

struct Auditor<'a> {
    program: &'a dyn Program,
    effort: Effort,
    run: Box<dyn Run + 'a>,
    path: Vec<Choice>,
    random: Random,
    audit: Audit,
}

impl Auditor<'_> {
    fn walk(&mut self) {
        while self.path.len() < self.effort.steps {
            let choices = self.choices();
            if choices.is_empty() {
                return;
            }
            self.look(&choices);
            let last = self.path.last().map(|choice| choice.process);
            let same = choices.iter().position(|choice| Some(choice.process) == last);
            let choice = match same {
                // Going on with the same process leads further than switching all the time.
                Some(index) if self.random.one_in(2) => choices[index],
                _ => choices[below(&mut self.random, choices.len())],
            };
            self.run.step(choice);
            self.path.push(choice);
        }
    }

    /// All that can be done now.
    fn choices(&mut self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for process in (0..self.run.processes()).map(Pid) {
            if !self.run.next(process).is_ready() {
                continue;
            }
            for alternative in 0..self.run.alternatives(process).count {
                let choice = Choice { process, alternative };
                if self.is_possible(choice) {
                    choices.push(choice);
                }
            }
        }
        choices
    }

    fn is_possible(&mut self, choice: Choice) -> bool {
        if !self.run.next(choice.process).is_ready() {
            return false;
        }
        let alternatives = self.run.alternatives(choice.process);
        choice.alternative < alternatives.count
            && (choice.alternative == alternatives.preferred
                || self.run.feasible(choice) == Feasible::Yes)
    }

    /// Looks at every pair of steps from the present state.
    fn look(&mut self, choices: &[Choice]) {
        self.audit.states += 1;
        let before = Scene::of(&*self.run);
        let here = self.run.mark();
        let alone: Vec<Alone> = choices
            .iter()
            .map(|&choice| {
                let (event, ends) = self.look_ahead(choice);
                Alone { event, ends }
            })
            .collect();
        let mut independent = BTreeSet::new();
        for (first, one) in alone.iter().enumerate() {
            let process = one.event.process();
            self.run.step(choices[first]);
            let after = Scene::of(&*self.run);
            self.compare_views(&one.event, &before, &after);
            for (second, other) in alone.iter().enumerate() {
                if other.event.process() != process {
                    self.compare_second(&one.event, other);
                    if !one.event.dependent(&other.event) {
                        independent.insert((first.min(second), first.max(second)));
                    }
                }
            }
            for choice in self.choices().into_iter().filter(|other| other.process != process) {
                if self.look_ahead(choice).0.dependent(&one.event) {
                    continue;
                }
                match choices.iter().position(|&known| known == choice) {
                    Some(second) => {
                        independent.insert((first.min(second), first.max(second)));
                    }
                    None => self.complain_of_newcomer(&one.event, &before, choice),
                }
            }
            self.run.undo(here);
            let again = Scene::of(&*self.run);
            if again != before {
                let difference = before.difference(&again);
                self.complain("going back is not exact", &one.event, &difference);
            }
        }
        for (one, other) in independent {
            self.commute(choices[one], choices[other]);
        }
    }

    /// The event of a step from here and whether it is the last of its process; the run stays here.
    fn look_ahead(&mut self, choice: Choice) -> (Event, bool) {
        let here = self.run.mark();
        let event = self.run.step(choice);
        let ends = self.run.next(choice.process) == Next::Done;
        self.run.undo(here);
        (event, ends)
    }

    /// Promises 2, 3 and 4, of the other processes before and after a step.
    fn compare_views(&mut self, event: &Event, before: &Scene, after: &Scene) {
        for old in before.views.iter().filter(|view| view.process != event.process()) {
            let Some(new) = after.view(old.process) else {
                self.complain("a step ends another process", event, &format!("{old:?}"));
                continue;
            };
            let (Next::Ready(was) | Next::Blocked(was), Next::Ready(is) | Next::Blocked(is)) =
                (old.next, new.next)
            else {
                continue;
            };
            if was != is {
                let what = format!("{old:?} and then {new:?}");
                self.complain("a step changes what another process does next", event, &what);
            }
            let (frees, hinders) = match (old.next, new.next) {
                (Next::Blocked(_), Next::Ready(_)) => (true, false),
                (Next::Ready(_), Next::Blocked(_)) => (false, true),
                _ => continue,
            };
            if !conflict(&old.footprint, &event.footprint) {
                let what = format!("{old:?} and then {new:?}");
                self.complain(
                    "a step frees or hinders what it does not conflict with",
                    event,
                    &what,
                );
            }
            let explained = |mine: Mode, its: Mode| {
                let pairs = |access: &Access| {
                    access.mode == mine
                        && event
                            .footprint
                            .iter()
                            .any(|other| other.location == access.location && other.mode == its)
                };
                old.footprint.iter().chain(&new.footprint).any(pairs)
            };
            let lawful = (frees
                && (explained(Mode::Acquire, Mode::Release)
                    || explained(Mode::Await, Mode::Write)))
                || (hinders && explained(Mode::Acquire, Mode::Acquire));
            if !(lawful || old.guarded || new.guarded) {
                let what = format!("{old:?} and then {new:?}");
                self.complain("an unguarded step is freed or hindered", event, &what);
            }
        }
    }

    /// Promises 2 and 5: a step that was possible alone, after another one.
    fn compare_second(&mut self, first: &Event, Alone { event: alone, ends }: &Alone) {
        let dependent = alone.dependent(first);
        if !self.is_possible(alone.choice) {
            // Two conditions on the same unknowns may exclude each other without a conflict.
            if !dependent && !self.run.next(alone.process()).is_ready() {
                self.complain("a step prevents an independent one", first, &format!("{alone:?}"));
            }
            return;
        }
        let (event, over) = self.look_ahead(alone.choice);
        if !dependent && event != *alone {
            let what = format!("{alone:?} becomes {event:?}");
            self.complain("a step changes an independent one", first, &what);
        }
        let acquires = |event: &Event| {
            event.footprint.iter().any(|access| access.mode == Mode::Acquire)
                && event.footprint.len() > 1
        };
        let tentative = [&event, alone]
            .into_iter()
            .any(|event| event.guarded || event.explores() || acquires(event));
        let notifies = matches!(event.op, Op::Notify { .. }) && first.explores();
        let exempt = tentative || notifies || over || *ends;
        if !exempt && sorted(&event.footprint) != sorted(&alone.footprint) {
            let what = format!("{alone:?} becomes {event:?}");
            self.complain("a plain step touches other things after another", first, &what);
        }
    }

    /// Promise 2: a step that an independent one has made possible.
    fn complain_of_newcomer(&mut self, first: &Event, before: &Scene, newcomer: Choice) {
        let (event, _) = self.look_ahead(newcomer);
        // The other side of a branch may become feasible only by being asked about again.
        let was_ready = before.view(newcomer.process).is_some_and(|view| view.next.is_ready());
        if !(was_ready && event.op.decides()) {
            self.complain("a step makes an independent one possible", first, &format!("{event:?}"));
        }
    }

    /// Promise 1: two independent steps, in both orders.
    fn commute(&mut self, one: Choice, other: Choice) {
        let here = self.run.mark();
        let seed = self.random.below(u32::MAX).into();
        let mut sides = Vec::new();
        for (first, second) in [(one, other), (other, one)] {
            let event = self.run.step(first);
            let mut later = None;
            if self.is_possible(second) {
                let second = self.run.step(second);
                let scene = Scene::of(&*self.run);
                let told = self.beyond(Random::new(seed));
                later = Some((second, scene, told));
            }
            self.run.undo(here);
            sides.push((event, later));
        }
        let (right, left) = (sides.pop().expect("two"), sides.pop().expect("two"));
        match (left.1, right.1) {
            (Some((second, scene, told)), Some((swapped, other_scene, other_told))) => {
                self.audit.commuted += 1;
                if left.0 != swapped || right.0 != second {
                    let what = format!("{:?} and {second:?} against {swapped:?}", left.0);
                    self.complain("swapping changes events", &right.0, &what);
                } else if scene != other_scene {
                    let what = format!("{second:?}: {}", scene.difference(&other_scene));
                    self.complain("independent steps do not commute", &left.0, &what);
                } else if told != other_told {
                    let apart = told.iter().zip(&other_told).find(|(one, other)| one != other);
                    let what = format!("{second:?}, later {apart:?}");
                    self.complain("swapping is noticed later", &left.0, &what);
                }
            }
            (None, None) => {}
            (found, _) => {
                let what = format!("{:?}, first order {}", right.0, found.is_some());
                self.complain("only one order is possible", &left.0, &what);
            }
        }
    }

    /// What a random walk from here sees; the run is left where the walk ends. Sides of branches on
    /// unknowns are chosen by the walk and not by the inputs, which may differ.
    fn beyond(&mut self, mut random: Random) -> Vec<Event> {
        let mut events = Vec::new();
        for _ in 0..self.effort.beyond {
            let choices = self.choices();
            if choices.is_empty() {
                break;
            }
            events.push(self.run.step(choices[below(&mut random, choices.len())]));
        }
        events
    }

    fn complain(&mut self, complaint: &str, event: &Event, what: &str) {
        let known = |other: &String| other.starts_with(complaint);
        if self.audit.complaints.iter().any(known) {
            return;
        }
        let place = self.program.place(event.site);
        let who = self.program.process_name(event.process());
        let path: Vec<String> = self
            .path
            .iter()
            .map(|choice| format!("{}/{}", choice.process.0, choice.alternative))
            .collect();
        let text = format!(
            "{complaint}: {who} at {place}: {event:?}\n  {what}\n  after {}",
            path.join(" ")
        );
        self.audit.complaints.insert(text);
    }
}

fn sorted(footprint: &Footprint) -> Footprint {
    let mut sorted = footprint.clone();
    sorted.sort_unstable();
    sorted
}

fn below(random: &mut Random, limit: usize) -> usize {
    random.below(u32::try_from(limit).expect("few choices")) as usize
}
