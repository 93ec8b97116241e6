//! Small random programs, the same for the same seed.
//!
//! The budget of operations is small so that the oracle finishes in milliseconds for most of them,
//! and the odds favour programs whose threads meet: two variables, two locks, one condition, one
//! semaphore, one counter. Locks are sometimes not freed, waits are sometimes not in a loop, asserts
//! sometimes fail, so that deadlocks and failures are common.
//!
//! The counter and the flag are only ever given known values. Whether a compare-and-set that depends on an input
//! touches its variable exclusively is decided by how far a term can be simplified, and on that the
//! oracle and the run need not agree.

use crate::TestProgram;
use crate::ast::{Expr, Operator, Register};
use crate::builder::{
    Array, Builder, Comparable, Condition, Handle, Lock, Semaphore, Target, ThreadBuilder, Variable,
};

/// What may occur in a program.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Features {
    pub locks: bool,
    pub conditions: bool,
    pub semaphores: bool,
    pub updates: bool,
    /// Waiting until variables have certain values.
    pub spins: bool,
    /// Waiting that changes a variable in the same step as it ends.
    pub takes: bool,
    pub arrays: bool,
    pub inputs: bool,
    pub choices: bool,
    pub loops: bool,
    pub nested_threads: bool,
    pub joins: bool,
    pub asserts: bool,
    /// Every thread begins by deciding about one and the same input, so that what one decides can
    /// leave another no choice. No part of `ALL`, whose programs are what they were before.
    pub common_input: bool,
    /// Threads sometimes come to something that the machine does not support. No part of `ALL`.
    pub cuts: bool,
    /// Threads sometimes take a lock only if it is free. No part of `ALL`.
    pub tries: bool,
    /// Threads sometimes wait for some time or until they are interrupted, and interrupt each other. No part of `ALL`.
    pub interrupts: bool,
    /// Threads sometimes take and free a lock in one step. No part of `ALL`.
    pub passes: bool,
    /// Four to six threads that do little instead of one to three. No part of `ALL`.
    pub crowds: bool,
    /// How many operations the threads have together, about.
    pub operations: u32,
}

impl Features {
    /// Everything.
    pub const ALL: Features = Features {
        locks: true,
        conditions: true,
        semaphores: true,
        updates: true,
        spins: true,
        takes: true,
        arrays: true,
        inputs: true,
        choices: true,
        loops: true,
        nested_threads: true,
        joins: true,
        asserts: true,
        common_input: false,
        cuts: false,
        tries: false,
        interrupts: false,
        passes: false,
        crowds: false,
        operations: 10,
    };

    /// Little but threads that decide about one input and meet after that.
    pub const COMMON_INPUT: Features = Features {
        conditions: false,
        semaphores: false,
        updates: false,
        spins: false,
        takes: false,
        arrays: false,
        choices: false,
        loops: false,
        nested_threads: false,
        joins: false,
        asserts: false,
        common_input: true,
        ..Features::ALL
    };

    /// Everything, and what is not supported.
    pub const WITH_CUTS: Features = Features { cuts: true, ..Features::ALL };

    /// Everything, and locks that are only tried.
    pub const WITH_TRIES: Features = Features { tries: true, ..Features::ALL };

    /// Everything but takes, and waits that end by themselves or by interrupts.
    pub const WITH_INTERRUPTS: Features =
        Features { interrupts: true, inputs: false, spins: false, ..Features::ALL };

    /// Everything but inputs.
    pub const WITHOUT_INPUTS: Features = Features { inputs: false, ..Features::ALL };

    /// Everything but spins, and so without takes: the programs of a seed are what they were before
    /// there were any.
    pub const WITHOUT_SPINS: Features = Features { spins: false, ..Features::ALL };

    /// Everything but semaphores.
    pub const WITHOUT_SEMAPHORES: Features = Features { semaphores: false, ..Features::ALL };
}

/// The random program of this seed.
pub fn program(seed: u64, features: Features) -> TestProgram {
    let mut random = Random::new(seed);
    let mut builder = Builder::new(&format!("random({seed})"));
    let x = builder.variable("x", 0);
    let y = builder.variable("y", random.small());
    let array = builder.array("a", 2, 0);
    let counter = builder.volatile("n", 0);
    let locks = [builder.lock("l"), builder.lock("m")];
    let condition = builder.condition("c", locks[0]);
    let semaphore = builder.semaphore("s", i32::from(random.one_in(2)));
    let flag = builder.volatile("f", 0);
    let threads = match random.one_in(6) {
        _ if features.crowds => 4 + random.below(3),
        true => 1,
        false => 2 + random.below(2),
    };
    let mut maker = Maker {
        random,
        features,
        variables: [x, y],
        array,
        counter,
        locks,
        condition,
        semaphore,
        flag,
        left: 0,
        threads,
        inputs: 2,
        nested: 2,
    };
    builder.main(|main| {
        let mut scope = Scope::default();
        if features.common_input {
            let input = main.input(0, 3);
            main.write(y, input);
        }
        let share = (features.operations / threads).clamp(1, 6);
        for _ in 0..threads {
            let handle = main.spawn(|thread| {
                maker.left = share / 2 + maker.random.below(share.div_ceil(2)) + 1;
                let mut scope = Scope::default();
                if features.common_input {
                    scope.registers.push(thread.read(y));
                    maker.branching(thread, &scope, 0);
                }
                maker.operations(thread, &mut scope, share, 0);
            });
            scope.threads.push(handle);
        }
        maker.left = maker.random.below(3);
        maker.operations(main, &mut scope, 2, 0);
        if maker.features.joins && maker.random.one_in(2) {
            for handle in scope.threads {
                main.join(handle);
            }
            main.read(x);
        }
    })
}

/// Splitmix64 of Steele, Lea and Flood: small, and good enough to pick programs and schedules.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound, which is not zero.
    pub fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.word() % u64::from(bound)).expect("below a 32-bit number")
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    fn small(&mut self) -> i32 {
        i32::try_from(self.below(3)).expect("below 3")
    }
}

/// The registers and threads a block can use.
#[derive(Clone, Default)]
struct Scope {
    registers: Vec<Register>,
    threads: Vec<Handle>,
}

struct Maker {
    random: Random,
    features: Features,
    variables: [Variable; 2],
    array: Array,
    counter: Variable,
    locks: [Lock; 2],
    condition: Condition,
    semaphore: Semaphore,
    flag: Variable,
    /// How many operations the thread being made may still have.
    left: u32,
    /// How many threads the main thread starts first.
    threads: u32,
    inputs: u32,
    nested: u32,
}

impl Maker {
    fn operations(
        &mut self,
        thread: &mut ThreadBuilder<'_>,
        scope: &mut Scope,
        count: u32,
        depth: u32,
    ) {
        for _ in 0..count {
            if self.left == 0 {
                return;
            }
            self.operation(thread, scope, depth);
        }
    }

    fn operation(&mut self, thread: &mut ThreadBuilder<'_>, scope: &mut Scope, depth: u32) {
        let features = self.features;
        let shallow = depth < 2;
        if features.cuts && self.random.one_in(8) {
            let condition = self.condition(scope);
            return thread.when(condition, |thread| thread.unsupported("a random call"));
        }
        if features.tries && shallow && self.random.one_in(6) {
            return self.trying(thread, scope, depth);
        }
        if features.interrupts && self.random.one_in(3) {
            return self.interrupting(thread, scope);
        }
        if features.passes && self.random.one_in(6) {
            self.spend(1);
            return thread.pass(self.locks[self.random.below(2) as usize]);
        }
        match self.random.below(if features.spins { 25 } else { 22 }) {
            0..=3 => {
                self.spend(1);
                let target = self.target(scope);
                scope.registers.push(thread.read(target));
            }
            4..=7 => {
                self.spend(1);
                let target = self.target(scope);
                let value = self.value(scope);
                thread.write(target, value);
            }
            8 | 9 if features.locks && shallow => self.critical(thread, scope, depth),
            10 if features.conditions => self.waiting(thread, scope),
            11 | 12 if features.conditions => self.notifying(thread),
            13 if features.semaphores => {
                self.spend(1);
                if self.random.one_in(2) {
                    thread.down(self.semaphore);
                } else {
                    thread.up(self.semaphore);
                }
            }
            14 if features.updates => {
                self.spend(1);
                let register = if self.random.one_in(2) {
                    thread.fetch_add(self.counter, 1)
                } else {
                    let expected = self.random.small();
                    thread.compare_and_set(self.counter, expected, expected + 1)
                };
                scope.registers.push(register);
            }
            15 | 16 if features.inputs && self.inputs > 0 => {
                self.inputs -= 1;
                self.spend(1);
                let high = 1 + self.random.small();
                scope.registers.push(thread.input(0, high));
                self.branching(thread, scope, depth);
            }
            17 if features.choices => {
                self.spend(1);
                scope.registers.push(thread.choose(2));
            }
            18 if shallow => self.branching(thread, scope, depth),
            19 if features.loops && shallow => {
                let condition = self.condition(scope);
                let bound = 1 + self.random.below(2);
                let mut inner = scope.clone();
                thread.repeat_at_most(bound, condition, |thread| {
                    self.spend(1);
                    self.operations(thread, &mut inner, 1, depth + 1);
                });
            }
            20 if features.nested_threads && self.nested > 0 && shallow => {
                self.nested -= 1;
                self.spend(1);
                let handle = thread.spawn(|thread| {
                    self.left += 1;
                    let count = 1 + self.random.below(2);
                    self.operations(thread, &mut Scope::default(), count, depth + 1);
                });
                scope.threads.push(handle);
                if features.joins && self.random.one_in(2) {
                    self.operations(thread, scope, 1, depth + 1);
                    thread.join(handle);
                }
            }
            21 if features.asserts => {
                let condition = self.condition(scope);
                thread.assert(condition, "a random condition holds");
            }
            22..=24 => self.spinning(thread),
            _ => {
                self.spend(1);
                let variable = self.variable();
                scope.registers.push(thread.read(variable));
            }
        }
    }

    /// A critical section, sometimes left without freeing the lock.
    fn critical(&mut self, thread: &mut ThreadBuilder<'_>, scope: &mut Scope, depth: u32) {
        self.spend(2);
        let lock = self.locks[self.random.below(2) as usize];
        thread.acquire(lock);
        let count = self.random.below(3);
        self.operations(thread, scope, count, depth + 1);
        if !self.random.one_in(8) {
            thread.release(lock);
        }
    }

    /// What is done if a lock is free, sometimes left without freeing it.
    fn trying(&mut self, thread: &mut ThreadBuilder<'_>, scope: &mut Scope, depth: u32) {
        self.spend(2);
        let lock = self.locks[self.random.below(2) as usize];
        let taken = thread.try_acquire(lock);
        scope.registers.push(taken);
        let mut inner = scope.clone();
        thread.when(taken.equals(1), |thread| {
            let count = self.random.below(3);
            self.operations(thread, &mut inner, count, depth + 1);
            if !self.random.one_in(8) {
                thread.release(lock);
            }
        });
    }

    fn waiting(&mut self, thread: &mut ThreadBuilder<'_>, scope: &mut Scope) {
        self.spend(3);
        let (variable, condition) = (self.variables[0], self.condition);
        if self.random.one_in(20) {
            return thread.wait(condition);
        }
        if self.random.one_in(2) {
            thread.locked(self.locks[0], |thread| thread.wait(condition));
        } else {
            let seen = thread.register(&format!("seen{}", self.left));
            scope.registers.push(seen);
            thread.locked(self.locks[0], |thread| {
                thread.read_into(seen, variable);
                thread.repeat_at_most(2, seen.equals(0), |thread| {
                    thread.wait(condition);
                    thread.read_into(seen, variable);
                });
            });
        }
    }

    fn notifying(&mut self, thread: &mut ThreadBuilder<'_>) {
        self.spend(2);
        let (write, all) = (self.random.one_in(2), self.random.one_in(2));
        let (variable, condition) = (self.variables[0], self.condition);
        thread.locked(self.locks[0], |thread| {
            if write {
                thread.write(variable, 1);
            }
            if all {
                thread.notify_all(condition);
            } else {
                thread.notify(condition);
            }
        });
    }

    /// Waits until notified or interrupted or for some time, interrupts somebody, or asks whether somebody did.
    fn interrupting(&mut self, thread: &mut ThreadBuilder<'_>, scope: &mut Scope) {
        self.spend(1);
        match self.random.below(8) {
            0..=2 => {
                self.spend(1);
                let (timed, condition) = (self.random.one_in(2), self.condition);
                thread.acquire(self.locks[0]);
                scope.registers.push(thread.wait_or(condition, timed));
                if self.features.updates && self.random.one_in(3) {
                    thread.write(self.variables[0], 2);
                }
                thread.release(self.locks[0]);
            }
            3..=5 => thread.interrupt(self.random.below(self.threads)),
            6 => scope.registers.push(thread.interrupted()),
            _ => match scope.threads.last() {
                Some(&other) if self.features.joins => {
                    scope.registers.push(thread.join_or(other));
                }
                _ => self.notifying(thread),
            },
        }
    }

    /// Waits for the counter or a flag, or changes one of them back and forth.
    fn spinning(&mut self, thread: &mut ThreadBuilder<'_>) {
        self.spend(1);
        let value = self.random.small();
        match self.random.below(if self.features.takes { 9 } else { 6 }) {
            0 => thread.await_until(self.flag, Operator::Equal, value),
            1 => thread.await_all([
                (self.flag, Operator::Different, value.into()),
                (self.counter, Operator::AtLeast, self.random.small().into()),
            ]),
            2 => {
                let seen = thread.read(self.counter);
                thread.await_until(self.counter, Operator::Different, seen);
            }
            3 => thread.write(self.counter, value),
            6 => {
                let (from, to) = (self.random.small(), self.random.small());
                thread.await_then_write([(self.flag, Operator::Equal, from.into())], self.flag, to);
            }
            7 => thread.await_then_write(
                [
                    (self.flag, Operator::Different, value.into()),
                    (self.counter, Operator::AtLeast, self.random.small().into()),
                ],
                if self.random.one_in(2) { self.flag } else { self.counter },
                self.random.small(),
            ),
            8 => {
                thread.read(if self.random.one_in(2) { self.flag } else { self.counter });
            }
            _ => thread.write(self.flag, value),
        }
    }

    fn branching(&mut self, thread: &mut ThreadBuilder<'_>, scope: &Scope, depth: u32) {
        let condition = self.condition(scope);
        let (mut one, mut other) = (scope.clone(), scope.clone());
        let both = self.random.one_in(2);
        // Two closures may not share the maker, so the sides are made one after the other.
        let maker = std::cell::RefCell::new(self);
        thread.branch(
            condition,
            |thread| maker.borrow_mut().operations(thread, &mut one, 1, depth + 1),
            |thread| {
                if both {
                    maker.borrow_mut().operations(thread, &mut other, 1, depth + 1);
                }
            },
        );
    }

    fn target(&mut self, scope: &Scope) -> Target {
        if self.features.arrays && self.random.one_in(4) {
            let index = match self.register(scope) {
                Some(register) if self.random.one_in(4) => register.into(),
                Some(register) => register & 1,
                None => self.random.small().min(1).into(),
            };
            return self.array.at(index);
        }
        self.variable().into()
    }

    fn variable(&mut self) -> Variable {
        self.variables[usize::from(self.random.one_in(3))]
    }

    fn value(&mut self, scope: &Scope) -> Expr {
        let constant = 1 + self.random.small();
        match self.register(scope) {
            Some(register) if self.random.one_in(3) => match self.random.below(4) {
                0 => register * constant,
                1 => register ^ constant,
                2 => Expr::from(7) - register,
                _ => (register << 1) % (constant + 1),
            },
            Some(register) if self.random.one_in(2) => register + constant,
            Some(register) if self.random.one_in(8) => Expr::from(constant) / register,
            _ => constant.into(),
        }
    }

    fn condition(&mut self, scope: &Scope) -> Expr {
        let constant = self.random.small();
        match self.register(scope) {
            None => Expr::from(constant).less(2),
            Some(register) => match self.random.below(4) {
                0 => register.equals(constant),
                1 => register.less(constant),
                2 => (register * 3).greater(constant),
                _ => register.differs(constant),
            },
        }
    }

    fn register(&mut self, scope: &Scope) -> Option<Register> {
        let count = u32::try_from(scope.registers.len()).expect("few registers");
        (count > 0).then(|| scope.registers[self.random.below(count) as usize])
    }

    fn spend(&mut self, operations: u32) {
        self.left = self.left.saturating_sub(operations);
    }
}
