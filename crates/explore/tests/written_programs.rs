//! Programs written by hand that mix what is tested one by one elsewhere: every explorer against the
//! oracle, whole and in pieces.

use crate::common;

use common::{Seen, disagreement, explore_unit};
use counterpoint_explore::{Covers, EXPLORERS, Limits, WorkUnit};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::ast::Operator;
use counterpoint_testkit::builder::{Builder, Comparable};
use counterpoint_testkit::oracle;

/// Compares every explorer that does not sample with the oracle, which finds so many traces, and the
/// explorations in pieces of two executions with the whole ones.
fn check(program: &TestProgram, traces: u64) {
    let truth = oracle::enumerate(program, 2_000_000).expect("the program is small");
    for entry in EXPLORERS.iter().filter(|entry| entry.covers != Covers::Samples) {
        let all = matches!(entry.covers, Covers::Interleavings | Covers::States);
        if all && truth.interleavings > 20_000 {
            continue;
        }
        let wrong = disagreement(entry, program, &truth);
        assert_eq!(wrong, None, "{} on\n{program}", entry.name);
        let whole = common::explore(entry, program);
        let (mut executions, mut deadlocks) = (0, 0);
        let mut left = Some(WorkUnit::whole());
        while let Some(unit) = left {
            let limits = Limits { executions: Some(2), ..Limits::default() };
            let mut seen = Seen::default();
            let part = explore_unit(entry, program, unit, limits, &mut seen);
            if seen.restarted {
                (executions, deadlocks) = (0, 0);
            }
            executions += part.statistics.executions;
            deadlocks += part.statistics.deadlocks;
            left = part.unexplored;
        }
        let counts = (whole.statistics.executions, whole.statistics.deadlocks);
        assert_eq!((executions, deadlocks), counts, "{} in pieces on\n{program}", entry.name);
    }
    assert_eq!(truth.traces, traces, "{program}");
}

#[test]
fn an_input_decides_how_often_a_worker_takes_from_a_buffer() {
    let mut builder = Builder::new("buffer");
    let lock = builder.lock("lock");
    let filled = builder.condition("filled", lock);
    let count = builder.variable("count", 0);
    check(
        &builder.main(|main| {
            main.spawn(|worker| {
                let rounds = worker.input(0, 2);
                let done = worker.local("done", 0);
                let seen = worker.register("seen");
                worker.repeat_at_most(2, done.less(rounds), |worker| {
                    worker.acquire(lock);
                    worker.read_into(seen, count);
                    worker.when(seen.equals(0), |worker| worker.wait(filled));
                    worker.read_into(seen, count);
                    worker.assert(seen.greater(0), "woken for nothing");
                    worker.write(count, seen - 1);
                    worker.release(lock);
                    worker.set(done, done + 1);
                });
            });
            main.locked(lock, |main| {
                let before = main.read(count);
                main.write(count, before + 1);
                main.notify(filled);
            });
        }),
        5,
    );
}

#[test]
fn a_thread_is_started_only_if_an_update_succeeds() {
    let mut builder = Builder::new("once");
    let owner = builder.volatile("owner", 0);
    let x = builder.variable("x", 0);
    check(
        &builder.main(|main| {
            for name in 1..=2 {
                main.spawn(|thread| {
                    let mine = thread.compare_and_set(owner, 0, name);
                    thread.branch(
                        mine,
                        |thread| {
                            let child = thread.spawn(|child| child.write(x, name));
                            thread.join(child);
                            let seen = thread.read(x);
                            thread.assert(seen.equals(name), "another one wrote");
                        },
                        |thread| {
                            thread.read(x);
                        },
                    );
                });
            }
        }),
        4,
    );
}

#[test]
fn counters_added_up_by_any_number_of_threads_are_exact_or_not() {
    let mut builder = Builder::new("sum");
    let exact = builder.volatile("exact", 0);
    let lossy = builder.variable("lossy", 0);
    check(
        &builder.main(|main| {
            let threads = [1, 2].map(|by| {
                main.spawn(|thread| {
                    thread.fetch_add(exact, by);
                    let before = thread.read(lossy);
                    thread.write(lossy, before + by);
                })
            });
            for thread in threads {
                main.join(thread);
            }
            let (exact, lossy) = (main.read(exact), main.read(lossy));
            main.assert(exact.equals(3), "an atomic update was lost");
            main.assert(lossy.equals(3), "an update was lost");
        }),
        8,
    );
}

#[test]
fn a_choice_decides_which_of_two_locks_is_taken_first() {
    let mut builder = Builder::new("order");
    let locks = [builder.lock("a"), builder.lock("b")];
    let x = builder.variable("x", 0);
    check(
        &builder.main(|main| {
            main.spawn(|thread| {
                let first = thread.choose(2);
                thread.branch(
                    first,
                    |thread| thread.locked(locks[1], |t| t.locked(locks[0], |t| t.write(x, 1))),
                    |thread| thread.locked(locks[0], |t| t.locked(locks[1], |t| t.write(x, 2))),
                );
            });
            main.locked(locks[0], |main| {
                main.locked(locks[1], |main| {
                    main.read(x);
                });
            });
        }),
        5,
    );
}

#[test]
fn an_index_that_is_an_input_meets_an_element_or_not() {
    let mut builder = Builder::new("cells");
    let cells = builder.array("cells", 2, 0);
    check(
        &builder.main(|main| {
            main.spawn(|thread| {
                let index = thread.input(0, 1);
                thread.write(cells.at(index), 5);
            });
            main.spawn(|thread| {
                let index = thread.choose(2);
                let seen = thread.read(cells.at(index));
                thread.when(seen.equals(5), |thread| thread.write(cells.at(0), 6));
            });
        }),
        6,
    );
}

#[test]
fn all_are_woken_and_one_of_them_starts_another_thread() {
    let mut builder = Builder::new("gate");
    let lock = builder.lock("lock");
    let open = builder.condition("open", lock);
    let gate = builder.variable("gate", 0);
    check(
        &builder.main(|main| {
            for number in 0..2 {
                main.spawn(|thread| {
                    thread.locked(lock, |thread| {
                        let seen = thread.read(gate);
                        thread.when(seen.equals(0), |thread| thread.wait(open));
                    });
                    if number == 0 {
                        thread.spawn(|thread| thread.write(gate, 2));
                    }
                });
            }
            main.locked(lock, |main| {
                main.write(gate, 1);
                main.notify_all(open);
            });
        }),
        12,
    );
}

#[test]
fn permits_run_out_for_whoever_wants_more_than_an_input_allows() {
    let mut builder = Builder::new("permits");
    let permits = builder.semaphore("permits", 1);
    let x = builder.variable("x", 0);
    check(
        &builder.main(|main| {
            main.spawn(|thread| {
                let greedy = thread.input(0, 3);
                thread.down(permits);
                thread.when(greedy.greater(2), |thread| thread.down(permits));
                thread.write(x, 1);
                thread.up(permits);
            });
            main.spawn(|thread| {
                thread.down(permits);
                thread.write(x, 2);
                thread.up(permits);
            });
        }),
        4,
    );
}

#[test]
fn a_flag_is_awaited_by_a_loop_that_another_thread_can_take_back() {
    let mut builder = Builder::new("flag");
    let flag = builder.volatile("flag", 0);
    let x = builder.variable("x", 0);
    check(
        &builder.main(|main| {
            main.spawn(|thread| {
                thread.await_until(flag, Operator::Equal, 1);
                let seen = thread.read(x);
                thread.assert(seen.equals(1), "the flag came first");
            });
            main.spawn(|thread| {
                let early = thread.choose(2);
                thread.when(early, |thread| thread.write(flag, 1));
                thread.write(x, 1);
                thread.write(flag, 1);
            });
            main.write(flag, 0);
        }),
        13,
    );
}

#[test]
fn two_threads_decide_about_their_inputs_and_a_third_about_both() {
    let mut builder = Builder::new("votes");
    let votes = builder.array("votes", 2, 0);
    check(
        &builder.main(|main| {
            for number in 0..2 {
                main.spawn(|thread| {
                    let vote = thread.input(0, 9);
                    thread.when(vote.at_least(5), |thread| thread.write(votes.at(number), vote));
                });
            }
            let first = main.read(votes.at(0));
            let second = main.read(votes.at(1));
            main.when((first + second).equals(14), |main| {
                main.assert(first.differs(second), "a tie");
            });
        }),
        11,
    );
}

#[test]
fn a_lock_is_taken_again_and_a_failure_leaves_it_held() {
    let mut builder = Builder::new("held");
    let lock = builder.lock("lock");
    let x = builder.variable("x", 0);
    check(
        &builder.main(|main| {
            let thread = main.spawn(|thread| {
                thread.locked(lock, |thread| {
                    thread.locked(lock, |thread| {
                        let seen = thread.read(x);
                        thread.when(seen.equals(1), |thread| thread.fail("fails inside"));
                    });
                    thread.write(x, 2);
                });
            });
            main.spawn(|thread| thread.write(x, 1));
            main.spawn(|thread| {
                thread.acquire(lock);
                thread.read(x);
                thread.release(lock);
            });
            main.join(thread);
        }),
        8,
    );
}

#[test]
fn decisions_beside_each_other_look_at_the_same_input_and_at_others() {
    let mut builder = Builder::new("same input");
    let given = builder.variable("given", 0);
    let pairs = [builder.variable("x", 0), builder.variable("y", 0)];
    let program = builder.main(|main| {
        let input = main.input(0, 1);
        main.write(given, input);
        for pair in pairs {
            for side in 1..=2 {
                main.spawn(|thread| {
                    thread.write(pair, side);
                    let seen = thread.read(given);
                    let looked = thread.register("looked");
                    thread.when(seen.equals(1), |thread| thread.set(looked, 1));
                });
            }
        }
        main.spawn(|thread| {
            let own = thread.input(0, 1);
            let looked = thread.register("looked");
            thread.when(own.equals(1), |thread| thread.set(looked, 1));
        });
    });
    // Two orders of each pair, and two values of each input.
    check(&program, 16);
}
