//! Deadlocks as constraints for a solver: a check of the search in [`deadlock`](super::deadlock).
//!
//! **Problem.** The search of figures 6.4 and 6.5 is clever about where processes can stop. The
//! constraints of chapter 6.2 are not, so that the two can be compared.
//!
//! **Idea.** To the constraints of the whole net ([`encode`](super::encode)) are added:
//!
//! | constraint | says |
//! |---|---|
//! | D1 | an event whose conditions are all left is enabled |
//! | D2 | a process has ended if one of its last conditions is left |
//! | D3 | a process may wait if a condition is left from which its operation can block |
//! | D4 | nothing is enabled, somebody waits, and everybody waits or has ended |
//!
//! **How we differ.** A process that was not started counts as ended. Not only locks block. The copies
//! of a regular net are left out of D1: whatever was read of a value, one of the events that take it
//! from the same conditions can happen.
//!
//! **Invariant.** Every deadlock is proposed once, told apart by where processes wait, unless inputs
//! forbid what was proposed; then it may be proposed again by other conditions.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use counterpoint_model::{Pid, Site};
use counterpoint_symbolic::{Answer, GrowingZ3, Session, Term, Terms, Value};

use super::encode::{Writer, either};
use super::execute::Unfolder;
use super::net::{ConditionId, EventStatus, Net};
use super::operation::Guard;

/// The dead markings of a net, in the solver.
struct DeadMarkings {
    terms: Rc<Terms>,
    session: Session,
    /// Per thread condition, whether it is left.
    threads: Vec<(ConditionId, Term)>,
    /// Per process and site, whether the process is at an operation there that can block.
    waits: BTreeMap<(Pid, Option<Site>), Term>,
}

impl DeadMarkings {
    fn new(unfolder: &Unfolder<'_>) -> DeadMarkings {
        let (net, notes) = (&unfolder.unfolding.net, &unfolder.notes);
        let terms = unfolder.run.terms().unwrap_or_else(Terms::new);
        let mut session = Session::new(Rc::clone(&terms), GrowingZ3::new(Duration::from_secs(60)));
        let mut writer = Writer::new(net, Rc::clone(&terms), &mut session);
        let all = (0..net.conditions.len()).map(|number| ConditionId(number as u32));
        writer.write(all, notes);
        let left: Vec<Term> = (0..net.conditions.len())
            .map(|number| writer.left(ConditionId(number as u32)))
            .collect();

        // D1.
        let presets =
            net.events.iter().enumerate().filter(|(_, e)| e.status == EventStatus::Covered);
        for (number, event) in presets {
            let chosen = net.chosen(super::EventId(number as u32));
            let preset: Vec<Term> =
                std::iter::once(event.before).chain(chosen).map(|c| left[c.index()]).collect();
            session.add(terms.not(terms.all(preset)));
        }

        // D2, D3 and D4.
        let mut threads = Vec::new();
        let mut waiting: BTreeMap<(Pid, Option<Site>), Vec<Term>> = BTreeMap::new();
        let mut some_wait = Vec::new();
        for (number, &place) in net.process_places().iter().enumerate() {
            let mut stopped = Vec::new();
            if !place.is_some() {
                continue;
            }
            for (index, &left) in left.iter().enumerate() {
                let condition = &net.conditions[index];
                if condition.place != place {
                    continue;
                }
                let own = ConditionId(index as u32);
                threads.push((own, left));
                let started = condition.station != u32::MAX;
                if started && net.station(own).op.is_some() {
                    if !can_block(net, own) {
                        continue;
                    }
                    let site = notes.sites.get(index).copied().flatten();
                    waiting.entry((Pid(number as u32), site)).or_default().push(left);
                    some_wait.push(left);
                }
                stopped.push(left);
            }
            session.add(either(&terms, stopped));
        }
        session.add(either(&terms, some_wait));
        let waits = waiting.into_iter().map(|(who, left)| (who, either(&terms, left))).collect();
        DeadMarkings { terms, session, threads, waits }
    }

    /// The cut of a dead marking, and the condition that excludes those that wait at the same sites.
    fn next(&mut self, net: &Net) -> Option<(Vec<ConditionId>, Term)> {
        let model = match self.session.check() {
            Answer::Sat(model) => model,
            Answer::Unsat => return None,
            Answer::Unknown(why) => panic!("the solver gave up: {why}"),
        };
        let holds = |term: &Term| self.terms.evaluate(*term, &model) == Value::Bool(true);
        let mut cut = Vec::new();
        for (condition, _) in self.threads.iter().filter(|(_, left)| holds(left)) {
            net.unite(&mut cut, net.past(*condition));
        }
        let same = self.waits.values().map(|waits| match holds(waits) {
            true => *waits,
            false => self.terms.not(*waits),
        });
        let same = self.terms.all(same.collect::<Vec<_>>());
        Some((cut, self.terms.not(same)))
    }
}

fn can_block(net: &Net, thread: ConditionId) -> bool {
    net.station(thread).wants.iter().any(|want| want.guard != Guard::Open)
}

mod tests {
    use std::collections::BTreeSet;

    use counterpoint_model::Next;
    use counterpoint_testkit::builder::{Builder, Lock};
    use counterpoint_testkit::random::{self, Features};
    use counterpoint_testkit::{TestProgram, oracle, shapes};

    use super::super::deadlock::Deadlocks;
    use super::super::execute::Led;
    use super::super::tests::explored;
    use super::*;
    use crate::Silent;
    use crate::sample::Random;

    /// Who waits at which line in the marking that the cut leads to, in the oracle's words.
    fn story(unfolder: &mut Unfolder<'_>, cut: &[ConditionId]) -> Option<String> {
        let unfolding = &mut unfolder.unfolding;
        let schedule = unfolding.net.linearise(cut, &mut unfolding.scratch)?.to_vec();
        if unfolder.follow(&schedule) == Led::Nowhere {
            return None;
        }
        let (run, program) = (&unfolder.run, unfolder.search.program);
        let mut waiting: Vec<(Vec<u32>, String)> = Vec::new();
        for process in (0..run.processes()).map(Pid) {
            match run.next(process) {
                Next::Ready(op) => panic!("{process:?} can still do {op:?}"),
                Next::Done => {}
                Next::Blocked(_) => {
                    let path = program.names().path(process);
                    let line = program.place(run.site(process).expect("a site")).line;
                    let numbers = path.split('.').map(|n| n.parse().expect("a number")).collect();
                    waiting.push((numbers, format!("{path} at {line}")));
                }
            }
        }
        waiting.sort();
        let texts: Vec<String> = waiting.into_iter().map(|(_, text)| text).collect();
        Some(texts.join(", "))
    }

    /// The deadlocks by constraints and by the search, each of them alone.
    fn deadlocks(program: &TestProgram, contextual: bool) -> [BTreeSet<String>; 2] {
        let mut sink = Silent;
        let mut unfolder = explored(program, &mut sink, contextual);
        let mut solved = BTreeSet::new();
        let mut markings = DeadMarkings::new(&unfolder);
        while let Some((cut, others)) = markings.next(&unfolder.unfolding.net) {
            let story = story(&mut unfolder, &cut).expect("a program without inputs");
            assert!(solved.insert(story), "told twice");
            markings.session.add(others);
        }
        let searched = searched(&mut unfolder);
        [solved, searched]
    }

    /// The deadlocks by the search alone.
    fn searched(unfolder: &mut Unfolder<'_>) -> BTreeSet<String> {
        let mut searched = BTreeSet::new();
        let mut search = Deadlocks::new(&unfolder.unfolding.net);
        while let Some(cut) = search.next(&mut unfolder.unfolding, &mut unfolder.search) {
            searched.insert(story(unfolder, &cut).expect("a program without inputs"));
            search.confirm();
        }
        searched
    }

    fn check(program: &TestProgram) -> usize {
        let Ok(truth) = oracle::enumerate(program, 50_000) else { return 0 };
        for contextual in [false, true] {
            let [solved, searched] = deadlocks(program, contextual);
            assert_eq!(solved, truth.deadlocks, "constraints, contextual {contextual}:\n{program}");
            assert_eq!(searched, truth.deadlocks, "search, contextual {contextual}:\n{program}");
        }
        truth.deadlocks.len()
    }

    fn programs() -> u64 {
        std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
    }

    #[test]
    fn constraints_and_search_find_the_deadlocks_of_random_programs() {
        let waiting = Features { arrays: false, choices: false, ..Features::WITHOUT_INPUTS };
        let found: usize = (0..programs())
            .map(|seed| {
                check(&random::program(seed, Features::WITHOUT_INPUTS))
                    + check(&random::program(seed, waiting))
            })
            .sum();
        assert!(found > 50, "{found} deadlocks");
    }

    /// Threads that take locks within each other, and sometimes keep one; the main thread may join one of them, perhaps
    /// with a lock in its hands.
    fn nested_sections(seed: u64) -> TestProgram {
        let mut random = Random::new(seed, 1);
        let mut builder = Builder::new("nested sections");
        let locks: Vec<Lock> = (0..3).map(|n| builder.lock(&format!("lock{n}"))).collect();
        builder.main(|main| {
            let mut threads = Vec::new();
            for _ in 0..2 + random.below(2) {
                let mut order = locks.clone();
                order.swap(0, random.below(3) as usize);
                order.swap(1, 1 + random.below(2) as usize);
                order.truncate(1 + random.below(3) as usize);
                let keeps_one = random.below(6) == 0;
                threads.push(main.spawn(|thread| {
                    for &lock in &order {
                        thread.acquire(lock);
                    }
                    for &lock in order.iter().skip(usize::from(keeps_one)).rev() {
                        thread.release(lock);
                    }
                }));
            }
            let holds = random.below(2) == 0;
            if random.below(2) == 0 {
                if holds {
                    main.acquire(locks[0]);
                }
                main.join(threads[0]);
                if holds {
                    main.release(locks[0]);
                }
            }
        })
    }

    #[test]
    fn what_was_noted_while_the_net_grew_hides_no_deadlock() {
        let mut found = 0;
        for program in (0..programs()).map(nested_sections) {
            let Ok(truth) = oracle::enumerate(&program, 50_000) else { continue };
            for contextual in [false, true] {
                let mut sink = Silent;
                let mut unfolder = explored(&program, &mut sink, contextual);
                assert!(unfolder.unfolding.net.noted_deadlocks().is_some(), "{program}");
                assert_eq!(searched(&mut unfolder), truth.deadlocks, "{contextual}:\n{program}");
            }
            found += truth.deadlocks.len();
        }
        assert!(found > 50, "{found} deadlocks");
    }

    #[test]
    fn constraints_and_search_find_the_deadlocks_of_dining() {
        for philosophers in 2..=3 {
            assert!(check(&shapes::dining(philosophers)) > 0);
        }
    }
}
