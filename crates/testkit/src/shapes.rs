//! The shapes that the benchmarks of chapter 8 of the thesis have, as builder programs.
//!
//! The thesis names its benchmarks but not their sources; where the reference table gives a shape
//! and a number of traces, these programs have both. The main thread starts the others and does not
//! join them unless the shape says so.

use crate::TestProgram;
use crate::builder::{Builder, Comparable, Lock, ThreadBuilder, Variable};
use crate::random::Random;

/// Two threads add `i` and `j` to each other `rounds` times; the main thread reads both meanwhile.
pub fn fib(rounds: u32) -> TestProgram {
    let mut program = Builder::new(&format!("fib({rounds})"));
    let i = program.variable("i", 1);
    let j = program.variable("j", 1);
    let adder = |to: Variable, from: Variable| {
        move |thread: &mut ThreadBuilder<'_>| {
            let mine = thread.register("mine");
            let other = thread.register("other");
            for _ in 0..rounds {
                thread.read_into(mine, to);
                thread.read_into(other, from);
                thread.write(to, mine + other);
            }
        }
    };
    program.main(|main| {
        main.spawn(adder(i, j));
        main.spawn(adder(j, i));
        main.read(i);
        main.read(j);
    })
}

/// Philosophers around a table eat twice each, taking the lock to the right first.
pub fn dining(philosophers: usize) -> TestProgram {
    dining_often(&vec![2; philosophers])
}

/// The same, each of them eating so often.
pub fn dining_often(meals: &[u32]) -> TestProgram {
    let philosophers = meals.len();
    let mut program = Builder::new(&format!("dining({philosophers})"));
    let forks: Vec<Lock> =
        (0..philosophers).map(|number| program.lock(&format!("fork{number}"))).collect();
    program.main(|main| {
        for number in 0..philosophers {
            let first = forks[number];
            let second = forks[(number + philosophers - 1) % philosophers];
            main.spawn(|thread| {
                for _ in 0..meals[number] {
                    thread.locked(first, |thread| thread.locked(second, |_| {}));
                }
            });
        }
    })
}

/// So many threads with so many critical sections on one lock each.
pub fn sections(sections: &[u32]) -> TestProgram {
    let mut program = Builder::new(&format!("sections({sections:?})"));
    let lock = program.lock("lock");
    program.main(|main| {
        for &count in sections {
            main.spawn(|thread| {
                for _ in 0..count {
                    thread.locked(lock, |_| {});
                }
            });
        }
    })
}

/// Threads with two critical sections each on one lock.
pub fn lock(threads: usize) -> TestProgram {
    sections(&vec![2; threads])
}

/// As [`lock`], and one more thread with one critical section.
pub fn lock_and_one(threads: usize) -> TestProgram {
    let mut counts = vec![2; threads];
    counts.push(1);
    sections(&counts)
}

/// Threads with one critical section each on one lock.
pub fn pi(threads: usize) -> TestProgram {
    sections(&vec![1; threads])
}

/// Threads that each allocate a block of a disk to an inode of their own, searching the blocks from
/// a start that two threads can share. From Flanagan and Godefroid, where it shows dynamic reduction.
pub fn filesystem(threads: u32) -> TestProgram {
    const INODES: u32 = 32;
    const BLOCKS: u32 = 26;
    assert!(threads <= INODES, "every thread has an inode of its own");
    let mut program = Builder::new(&format!("filesystem({threads})"));
    let inode_locks: Vec<Lock> =
        (0..INODES).map(|number| program.lock(&format!("locki{number}"))).collect();
    let inodes = program.array("inode", INODES, 0);
    let block_locks: Vec<Lock> =
        (0..BLOCKS).map(|number| program.lock(&format!("lockb{number}"))).collect();
    let busy = program.array("busy", BLOCKS, 0);
    program.main(|main| {
        for number in 0..threads {
            let own = inodes.at(i32::try_from(number).expect("a small number"));
            main.spawn(|thread| {
                thread.acquire(inode_locks[number as usize]);
                let inode = thread.read(own.clone());
                thread.when(inode.equals(0), |thread| {
                    // Locks have no indices, so the search is unrolled from the thread's start.
                    let searching = thread.local("searching", 1);
                    for offset in 0..BLOCKS {
                        let block = (2 * number + offset) % BLOCKS;
                        let lock = block_locks[block as usize];
                        let block = i32::try_from(block).expect("a small number");
                        thread.when(searching, |thread| {
                            thread.acquire(lock);
                            let taken = thread.read(busy.at(block));
                            thread.when(taken.equals(0), |thread| {
                                thread.write(busy.at(block), 1);
                                thread.write(own.clone(), block + 1);
                                thread.set(searching, 0);
                            });
                            thread.release(lock);
                        });
                    }
                });
                thread.release(inode_locks[number as usize]);
            });
        }
    })
}

/// Threads increment an array towards its end while one searches it for a zero from the end.
pub fn lastzero(threads: u32) -> TestProgram {
    let mut program = Builder::new(&format!("lastzero({threads})"));
    let array = program.array("a", threads + 1, 0);
    let last = i32::try_from(threads).expect("a small number");
    program.main(|main| {
        main.spawn(|thread| {
            let index = thread.local("index", last);
            let seen = thread.read(array.at(last));
            thread.repeat(seen.differs(0), |thread| {
                thread.set(index, index - 1);
                thread.read_into(seen, array.at(index));
            });
        });
        for number in 1..=last {
            main.spawn(|thread| {
                let before = thread.read(array.at(number - 1));
                thread.write(array.at(number), before + 1);
            });
        }
    })
}

/// Pairs of threads that write one variable from both sides and then branch on an input each.
pub fn pairs(pairs: u32) -> TestProgram {
    let mut program = Builder::new(&format!("pairs({pairs})"));
    let variables: Vec<Variable> =
        (0..pairs).map(|number| program.variable(&format!("x{number}"), 0)).collect();
    program.main(|main| {
        for &variable in &variables {
            for side in 1..=2 {
                main.spawn(|thread| {
                    thread.write(variable, side);
                    let input = thread.input(0, 1);
                    let seen = thread.register("seen");
                    thread.when(input.equals(1), |thread| thread.set(seen, 1));
                });
            }
        }
    })
}

/// Threads that write one variable several times each and read nothing.
pub fn writes(threads: i32, times: i32) -> TestProgram {
    let mut program = Builder::new(&format!("writes({threads}, {times})"));
    let variable = program.variable("x", 0);
    program.main(|main| {
        for number in 0..threads {
            main.spawn(|thread| {
                for time in 0..times {
                    thread.write(variable, number * times + time);
                }
            });
        }
    })
}

/// Szymanski's mutual exclusion for two threads. Each waiting loop looks again at most `looks`
/// times; a thread that has not got through then gives up.
pub fn szymanski(looks: u32) -> TestProgram {
    let mut program = Builder::new(&format!("szymanski({looks})"));
    let flags = [program.variable("flag0", 0), program.variable("flag1", 0)];
    let inside = program.variable("inside", 0);
    program.main(|main| {
        for me in 0..2 {
            let (mine, other) = (flags[me], flags[1 - me]);
            let me = i32::try_from(me).expect("0 or 1");
            main.spawn(|thread| {
                let flag = thread.register("flag");
                thread.write(mine, 1);
                // The doorway is open while the other is not on its way through it.
                thread.read_into(flag, other);
                thread.repeat_at_most(looks, flag.at_least(3), |thread| {
                    thread.read_into(flag, other);
                });
                thread.when(flag.less(3), |thread| {
                    thread.write(mine, 3);
                    thread.read_into(flag, other);
                    thread.when(flag.equals(1), |thread| {
                        thread.write(mine, 2);
                        thread.read_into(flag, other);
                        thread.repeat_at_most(looks, flag.differs(4), |thread| {
                            thread.read_into(flag, other);
                        });
                    });
                    thread.when(flag.differs(1), |thread| {
                        thread.write(mine, 4);
                        let free = thread.local("free", 1);
                        if me == 1 {
                            // The second waits until the first is out of the waiting room.
                            thread.read_into(flag, other);
                            thread.repeat_at_most(looks, flag.at_least(2), |thread| {
                                thread.read_into(flag, other);
                            });
                            thread.set(free, flag.less(2));
                        }
                        thread.when(free, |thread| {
                            thread.write(inside, me);
                            let seen = thread.read(inside);
                            thread.assert(seen.equals(me), "one thread is inside");
                            thread.write(mine, 0);
                        });
                    });
                });
            });
        }
    })
}

/// Updaters write one of two locked variables, as an input says; readers compare both with inputs.
/// With `crossed`, readers take the locks in the other order, so that deadlocks are possible.
pub fn updater(updaters: u32, readers: u32, crossed: bool) -> TestProgram {
    let mut program = Builder::new(&format!("updater({updaters}, {readers}, {crossed})"));
    let (x, y) = (program.variable("x", 0), program.variable("y", 0));
    let (lock_x, lock_y) = (program.lock("lock_x"), program.lock("lock_y"));
    program.main(|main| {
        for _ in 0..updaters {
            main.spawn(|thread| {
                let which = thread.input(0, 1);
                let value = thread.input(0, 3);
                thread.branch(
                    which.equals(0),
                    |thread| thread.locked(lock_x, |thread| thread.write(x, value)),
                    |thread| {
                        thread.locked(lock_x, |thread| {
                            thread.locked(lock_y, |thread| thread.write(y, value));
                        });
                    },
                );
            });
        }
        for _ in 0..readers {
            main.spawn(|thread| {
                let limit = thread.input(0, 3);
                let high = thread.register("high");
                let (outer, inner) = if crossed { (lock_y, lock_x) } else { (lock_x, lock_y) };
                thread.acquire(outer);
                thread.acquire(inner);
                let (seen_x, seen_y) = (thread.read(x), thread.read(y));
                thread.release(inner);
                thread.release(outer);
                thread.when((seen_x + seen_y).greater(limit), |thread| thread.set(high, 1));
            });
        }
    })
}

/// Threads with random operations on inputs and three shared variables, under two locks that are
/// taken in both orders. The same for the same seed.
pub fn synthetic(seed: u64, threads: u32, operations: u32) -> TestProgram {
    let mut random = Random::new(seed);
    let mut program = Builder::new(&format!("synthetic({seed}, {threads}, {operations})"));
    let variables = ["i", "j", "k"].map(|name| program.variable(name, 0));
    let locks = [program.lock("l"), program.lock("m")];
    program.main(|main| {
        for _ in 0..threads {
            main.spawn(|thread| {
                let input = thread.input(0, 3);
                let local = thread.register("local");
                for _ in 0..operations {
                    let variable = variables[random.below(3) as usize];
                    let constant = i32::try_from(random.below(4)).expect("below 4");
                    match random.below(4) {
                        0 => thread.read_into(local, variable),
                        1 => thread.write(variable, local + input),
                        2 => {
                            let first = random.below(2) as usize;
                            thread.locked(locks[first], |thread| {
                                thread.locked(locks[1 - first], |thread| {
                                    thread.write(variable, local - constant);
                                });
                            });
                        }
                        _ => thread.when((local + input).greater(constant), |thread| {
                            thread.write(variable, constant);
                        }),
                    }
                }
            });
        }
    })
}
