//! The worked examples of chapters 3, 4, 5 and 7 of the thesis that are about nets and not about
//! counts of executions. Those are in `tests/unfolding_examples.rs`.
//!
//! The thesis gives some of its nets without programs; here each has a program whose net has the
//! same structure. The main thread starts the others, so every net has its events besides.

use counterpoint_model::{Choice, Location, Next, Op, Pid};
use counterpoint_testkit::builder::{Builder, Comparable, ThreadBuilder};
use counterpoint_testkit::random::{self, Features, Random};
use counterpoint_testkit::{TestProgram, shapes};

use super::execute::Unfolder;
use super::net::{ConditionId, Effect, EventId, EventStatus, Net};
use super::stateful::Stateful;
use super::tests::{explored, whole};
use crate::Silent;

/// A program whose threads do these things.
fn threads(program: Builder, bodies: &[&dyn Fn(&mut ThreadBuilder<'_>)]) -> TestProgram {
    program.main(|main| {
        for body in bodies {
            main.spawn(|thread| body(thread));
        }
    })
}

/// The covered events of a process whose operation is such a one, in the order of their insertion.
fn events_of(net: &Net, process: Pid, is_it: impl Fn(Op) -> bool) -> Vec<EventId> {
    let mut found: Vec<EventId> = (0..net.events.len())
        .map(|number| EventId(number as u32))
        .filter(|&event| {
            let known = net.event(event);
            known.status == EventStatus::Covered
                && known.process == process
                && net.station(known.before).op.is_some_and(&is_it)
        })
        .collect();
    found.sort_by_key(|&event| net.event(event).number);
    found
}

/// The condition of a location that an event makes.
fn made(net: &Net, event: EventId, location: Location) -> Option<ConditionId> {
    net.touches(event).iter().find_map(|touch| match touch.effect {
        Effect::Makes(made) if net.condition(made).place == net.place_at(location) => Some(made),
        _ => None,
    })
}

fn is_read(op: Op) -> bool {
    matches!(op, Op::Read(_))
}

fn is_write(op: Op) -> bool {
    matches!(op, Op::Write(_))
}

/// The processes in the order in which the main thread starts them.
const ONE: Pid = Pid(1);
const TWO: Pid = Pid(2);

#[test]
fn example_7_every_computation_has_a_matching_one_in_the_net() {
    let mut programs: Vec<TestProgram> =
        (0..60).map(|seed| random::program(seed, Features::WITHOUT_INPUTS)).collect();
    programs.extend([shapes::fib(2), shapes::dining(3), shapes::lastzero(4)]);
    for program in &programs {
        for contextual in [false, true] {
            let mut sink = Silent;
            let mut unfolder = explored(program, &mut sink, contextual);
            for seed in 0..20 {
                compute(&mut unfolder, program, &mut Random::new(seed));
            }
        }
    }
}

/// A random computation of the program, in the program and in the net.
fn compute(unfolder: &mut Unfolder<'_>, program: &TestProgram, random: &mut Random) {
    assert!(unfolder.lead_along(&[]), "the beginning can be reached");
    unfolder.unfolding.marking.go_to(&unfolder.unfolding.net, &[]);
    loop {
        let ready: Vec<Pid> = (0..unfolder.run.processes())
            .map(Pid)
            .filter(|&process| unfolder.run.next(process).is_ready())
            .collect();
        if ready.is_empty() {
            return;
        }
        let process = ready[random.below(ready.len() as u32) as usize];
        let count = match unfolder.run.next(process) {
            Next::Ready(Op::Choose(_) | Op::Notify { .. }) => {
                unfolder.run.alternatives(process).count
            }
            _ => 1,
        };
        let alternative = random.below(count);
        let event = unfolder.unfolding.event_of(process, alternative);
        assert_eq!(
            unfolder.unfolding.net.event(event).status,
            EventStatus::Covered,
            "{process:?} after {} steps of\n{program}",
            unfolder.trace.len()
        );
        unfolder.step(Choice { process, alternative });
        unfolder.unfolding.marking.fire(&unfolder.unfolding.net, event);
    }
}

/// Figure 3.5.
fn figure_3_5() -> TestProgram {
    let mut program = Builder::new("figure 3.5");
    let x = program.variable("X", 0);
    let one = |thread: &mut ThreadBuilder<'_>| {
        let a = thread.read(x);
        thread.set(a, a + 5);
        let seen = thread.register("seen");
        thread.when(a.greater(10), |thread| thread.set(seen, 1));
    };
    let other = |thread: &mut ThreadBuilder<'_>| {
        let b = thread.any_input();
        thread.when(b.equals(0), |thread| thread.write(x, b));
    };
    threads(program, &[&one, &other])
}

#[test]
fn example_8_has_seven_events_that_executions_can_cover() {
    let program = figure_3_5();
    for contextual in [false, true] {
        let mut sink = Silent;
        let unfolder = explored(&program, &mut sink, contextual);
        let net = &unfolder.unfolding.net;
        // Two starts; the branch of thread 2 either way, two reads, and the branch of thread 1 one way,
        // as X is 0 if it was written; a write before the read and, with copies, one after it.
        assert_eq!(net.covered, 2 + 2 + 2 + 1 + if contextual { 1 } else { 2 });
        let branches = events_of(net, ONE, |op| op == Op::Branch);
        assert_eq!(branches.len(), 1);
        assert_eq!(net.event(branches[0]).alternative, 0, "the condition does not hold");
    }
}

#[test]
fn example_11_the_way_to_an_event_is_its_past_in_the_order_of_insertion() {
    let program = figure_3_5();
    let mut sink = Silent;
    let mut unfolder = explored(&program, &mut sink, false);
    let target = events_of(&unfolder.unfolding.net, ONE, |op| op == Op::Branch)[0];
    let mut schedule = Vec::new();
    assert!(unfolder.unfolding.schedule_to(target, &[], &mut schedule));
    let net = &unfolder.unfolding.net;
    let numbers: Vec<u32> = schedule.iter().map(|&event| net.event(event).number).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
    let way: Vec<(Pid, Op)> = schedule
        .iter()
        .map(|&event| (net.event(event).process, net.station(net.event(event).before).op.unwrap()))
        .filter(|(process, _)| *process != Pid::MAIN)
        .collect();
    let x = Location(0);
    assert_eq!(way, [(TWO, Op::Branch), (TWO, Op::Write(x)), (ONE, Op::Read(x))]);
}

#[test]
fn example_13_local_states_are_equal_if_their_expressions_are() {
    // Whatever the input, b is the same expression; on either side of a branch it is another one.
    let state = |branches: bool| {
        let mut program = Builder::new("example 13");
        let x = program.variable("X", 0);
        let body = |thread: &mut ThreadBuilder<'_>| {
            let b = thread.any_input();
            if branches {
                thread.branch(b.equals(7), |t| t.set(b, b + 1), |t| t.set(b, b + 2));
            } else {
                thread.set(b, b + 1);
            }
            thread.write(x, b);
        };
        let program = threads(program, &[&body]);
        let mut sink = Silent;
        let unfolder = explored(&program, &mut sink, false);
        events_of(&unfolder.unfolding.net, ONE, is_write).len()
    };
    assert_eq!(state(false), 1);
    assert_eq!(state(true), 2);
}

#[test]
fn example_14_writes_before_and_after_a_read_follow_the_same_value() {
    let mut program = Builder::new("figure 4.2");
    let x = program.variable("X", 0);
    let one = |thread: &mut ThreadBuilder<'_>| {
        thread.read(x);
        thread.write(x, 1);
    };
    let other = |thread: &mut ThreadBuilder<'_>| {
        thread.read(x);
    };
    let program = threads(program, &[&one, &other]);
    let mut sink = Silent;
    let unfolder = explored(&program, &mut sink, false);
    let net = &unfolder.unfolding.net;
    let x = Location(0);
    let initial = net.root(net.place_at(x));
    let reads: Vec<EventId> = events_of(net, TWO, is_read)
        .into_iter()
        .filter(|&read| net.touches(read).iter().any(|touch| touch.condition == initial))
        .collect();
    assert_eq!(reads.len(), 1, "the other thread reads the initial value once");
    let writes = events_of(net, ONE, is_write);
    let mut after: Vec<Vec<EventId>> =
        writes.iter().map(|&write| net.after_reads(write).collect()).collect();
    after.sort();
    assert_eq!(after, [vec![], reads]);
    for write in writes {
        let value = made(net, write, x).expect("a write makes a condition");
        assert_eq!(net.parent(value), initial, "one write away from the initial value");
    }
}

/// Figure 4.4: thread 1 frees the lock on either side of a branch, thread 2 takes it as well.
fn figure_4_4() -> TestProgram {
    let mut program = Builder::new("figure 4.4");
    let lock = program.lock("lock");
    let one = |thread: &mut ThreadBuilder<'_>| {
        thread.acquire(lock);
        let input = thread.input(0, 1);
        thread.branch(input.equals(0), |t| t.release(lock), |t| t.release(lock));
    };
    let other = |thread: &mut ThreadBuilder<'_>| thread.locked(lock, |_| {});
    threads(program, &[&one, &other])
}

/// The free conditions that a process makes of the lock that is first taken from the initial one.
fn freed_first(net: &Net, process: Pid) -> Vec<ConditionId> {
    let lock = Location(0);
    let releases = events_of(net, process, |op| matches!(op, Op::Release(_)));
    let freed = releases.into_iter().filter_map(|release| made(net, release, lock));
    freed.filter(|&freed| net.condition(freed).depth == 2).collect()
}

#[test]
fn example_15_lock_conditions_are_alternatives_if_one_acquire_comes_before_both() {
    let program = figure_4_4();
    let mut sink = Silent;
    let unfolder = explored(&program, &mut sink, false);
    let net = &unfolder.unfolding.net;
    let [l2, l3] = freed_first(net, ONE)[..] else { panic!("two ways to free the lock") };
    let [l4] = freed_first(net, TWO)[..] else { panic!("one way to free the lock") };
    let held = |condition: ConditionId| net.parent(condition);
    assert_eq!(held(l2), held(l3), "alternatives: one acquire");
    assert_ne!(held(l2), held(l4), "no alternatives: two acquires");
    let initial = net.root(net.place_at(Location(0)));
    assert!([l2, l3, l4].iter().all(|&l| net.parent(held(l)) == initial), "adjacent");
}

#[test]
fn example_16_a_new_thread_condition_reads_every_concurrent_value() {
    let mut program = Builder::new("figure 4.5");
    let (x, y) = (program.variable("x", 0), program.variable("y", 0));
    let writer = |thread: &mut ThreadBuilder<'_>| {
        let input = thread.input(0, 1);
        thread.branch(input.equals(0), |t| t.write(x, 1), |t| t.write(x, 2));
    };
    let reader = |thread: &mut ThreadBuilder<'_>| {
        thread.write(y, 1);
        thread.read(x);
    };
    let program = threads(program, &[&writer, &reader]);
    for contextual in [false, true] {
        let mut sink = Silent;
        let unfolder = explored(&program, &mut sink, contextual);
        let net = &unfolder.unfolding.net;
        let reads = events_of(net, TWO, is_read);
        let mut seen: Vec<ConditionId> =
            reads.iter().map(|&read| net.touches(read)[0].condition).collect();
        seen.sort();
        seen.dedup();
        // Its one thread condition reads the initial value and what was written on either side,
        // where nothing was read before.
        let before: Vec<ConditionId> = reads.iter().map(|&read| net.event(read).before).collect();
        assert!(before.iter().all(|&thread| thread == before[0]));
        assert_eq!((reads.len(), seen.len()), (3, 3), "contextual {contextual}");
    }
}

#[test]
fn example_17_what_follows_a_value_could_have_followed_the_one_before() {
    let mut program = Builder::new("figure 4.7");
    let x = program.variable("x", 0);
    let write = |value: i32| move |thread: &mut ThreadBuilder<'_>| thread.write(x, value);
    let read = |thread: &mut ThreadBuilder<'_>| {
        thread.read(x);
    };
    let program = threads(program, &[&write(1), &write(2), &read]);
    let mut sink = Silent;
    let unfolder = explored(&program, &mut sink, false);
    let net = &unfolder.unfolding.net;
    // The read sees the initial value, either write, or one write after the other. A write comes
    // first; after the read; after the other write, the read before both, between them or neither.
    assert_eq!(events_of(net, Pid(3), is_read).len(), 5);
    for writer in [ONE, TWO] {
        assert_eq!(events_of(net, writer, is_write).len(), 5);
    }
    // The candidates for a new value are those who wait at the value before it.
    for (number, condition) in net.conditions.iter().enumerate() {
        let own = ConditionId(number as u32);
        if condition.place != net.place_at(Location(0)) || !net.parent(own).is_some() {
            continue;
        }
        let threads = |condition| {
            let pending = net.pending(condition).iter();
            pending.map(|waiting| waiting.thread).collect::<Vec<_>>()
        };
        let before = threads(net.parent(own));
        assert!(threads(own).iter().all(|thread| before.contains(thread)));
    }
}

#[test]
fn example_18_who_wants_a_lock_is_found_at_the_conditions_around() {
    let program = figure_4_4();
    for contextual in [false, true] {
        let mut sink = Silent;
        let unfolder = explored(&program, &mut sink, contextual);
        let net = &unfolder.unfolding.net;
        let acquires = events_of(net, TWO, |op| matches!(op, Op::Acquire(_)));
        let first = net.event(acquires[0]).before;
        for freed in freed_first(net, ONE) {
            let waiting: Vec<ConditionId> =
                net.pending(freed).iter().map(|waiting| waiting.thread).collect();
            assert_eq!(waiting, [first], "thread 2 can take the lock from either alternative");
        }
        // From the initial condition, and from what thread 1 left on either side.
        assert_eq!(acquires.len(), 3);
    }
}

/// Figure 5.2: e1, e2, e3 read Y, write X, read Y; e4, e5 write Y, read X.
fn figure_5_2() -> TestProgram {
    let mut program = Builder::new("figure 5.2");
    let (x, y) = (program.variable("X", 0), program.variable("Y", 0));
    let one = |thread: &mut ThreadBuilder<'_>| {
        thread.read(y);
        thread.write(x, 1);
        thread.read(y);
    };
    let other = |thread: &mut ThreadBuilder<'_>| {
        thread.write(y, 1);
        thread.read(x);
    };
    threads(program, &[&one, &other])
}

/// The events of figure 5.2, in which the reads see the initial values.
fn events_of_figure_5_2(net: &Net) -> [EventId; 5] {
    let initial = |event: EventId| {
        net.touches(event).iter().all(|touch| !net.condition(touch.condition).producer.is_some())
    };
    let reads = events_of(net, ONE, is_read);
    let reads: Vec<EventId> = reads.into_iter().filter(|&read| initial(read)).collect();
    let [e1, e3] = reads[..] else { panic!("two reads of the initial value of Y") };
    let write = events_of(net, ONE, is_write);
    let e2 = write.into_iter().find(|&write| net.event(write).before == net.event(e1).after);
    let e4 = events_of(net, TWO, is_write)[0];
    let e5 = events_of(net, TWO, is_read).into_iter().find(|&read| initial(read));
    [e1, e2.expect("the write"), e3, e4, e5.expect("the read")]
}

#[test]
fn example_19_a_read_comes_before_what_takes_the_value_and_causes_nothing() {
    let program = figure_5_2();
    let mut sink = Silent;
    let mut unfolder = explored(&program, &mut sink, true);
    let unfolding = &mut unfolder.unfolding;
    let [e1, e2, _, e4, _] = events_of_figure_5_2(&unfolding.net);
    let past = unfolding.net.past(unfolding.net.event(e2).after).to_vec();
    let own = |event: &EventId| unfolding.net.event(*event).process != Pid::MAIN;
    let causes = unfolding.net.linearise(&past, &mut unfolding.scratch).expect("no cycle");
    let causes: Vec<EventId> = causes.iter().copied().filter(own).collect();
    assert_eq!(causes, [e1, e2], "the causes of e2");
    // Both e1 and e4 can happen, in this order only.
    let both = [unfolding.net.event(e1).after, unfolding.net.event(e4).after];
    let union = unfolding.union(&both).expect("no conflict");
    let order = unfolding.net.linearise(&union, &mut unfolding.scratch).expect("no cycle");
    let position = |event| order.iter().position(|&other| other == event).expect("in the union");
    assert!(position(e1) < position(e4));
}

#[test]
fn example_20_a_cycle_of_asymmetric_conflict_is_a_conflict() {
    let program = figure_5_2();
    let mut sink = Silent;
    let mut unfolder = explored(&program, &mut sink, true);
    let unfolding = &mut unfolder.unfolding;
    let [_, e2, e3, e4, e5] = events_of_figure_5_2(&unfolding.net);
    let after = |event: EventId| unfolding.net.event(event).after;
    let rows = [
        ([after(e3), after(e5)], false),
        ([after(e3), after(e4)], true),
        ([after(e2), after(e5)], true),
    ];
    for (conditions, possible) in rows {
        assert_eq!(unfolding.union(&conditions).is_some(), possible, "{conditions:?}");
    }
    // Nor does an execution show it: somebody sees what the other has written.
    let reads = events_of(&unfolding.net, TWO, is_read);
    let sees_last = |net: &Net, read: EventId| net.past(net.event(read).after).to_vec();
    for read in reads {
        let past = sees_last(&unfolding.net, read);
        let before = unfolding.net.condition(unfolding.net.event(e3).before);
        let both = unfolding.net.depth_at(&past, before.place) > before.depth;
        assert!(!both, "no read of the second thread comes after e3");
    }
}

#[test]
fn example_23_an_event_that_leads_to_a_known_marking_is_terminal() {
    // Two sections on one lock: either order leaves the same marking, and so do two blind writes.
    let writes = shapes::writes(2, 1);
    for (program, terminal) in [(shapes::pi(2), 1), (writes, 0)] {
        let mut sink = Silent;
        let mut stateful = Stateful::new(whole(&program, &mut sink));
        stateful.unfold();
        let net = &stateful.unfolder.unfolding.net;
        let found: Vec<&super::net::Event> =
            net.events.iter().filter(|event| event.status == EventStatus::Terminal).collect();
        assert_eq!(found.len(), terminal, "{program}");
        // Nothing comes after it.
        assert!(found.iter().all(|event| !event.after.is_some()));
    }
}
