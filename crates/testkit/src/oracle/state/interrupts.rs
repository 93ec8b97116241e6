//! Interrupts, and waits that end without a notification.
//!
//! An interrupt wakes a thread that waits and can be interrupted. Any other thread, one that has not begun
//! included, is interrupted from then on, until it is told. Who joins a wait set or leaves it thereby changes what an
//! interrupt does.
//!
//! What a thread learns by being interrupted is what came before the interrupt that it is told of. Places above
//! [`OF_THREADS`] stand for what was told so.

use super::{Act, Progress, State, Thing, Touched};
use crate::ast::{Expr, Kind, Object, Register};

/// Beyond the numbers of all variables: for each thread a place where interrupts of it are told, and
/// one where it is told who woke it.
const OF_THREADS: u32 = 1 << 30;

fn told_at(number: usize) -> [u32; 2] {
    let number = u32::try_from(number).expect("few threads");
    [OF_THREADS + 2 * number, OF_THREADS + 2 * number + 1]
}

impl State<'_> {
    /// Whether the thread is in a wait that an interrupt ends, or about to leave one.
    fn may_be_stopped(&self, thread: usize) -> bool {
        self.threads[thread].status == Progress::Running
            && self.threads[thread].part == 1
            && matches!(self.statement(thread).kind, Kind::WaitOr { .. })
    }

    /// A thread joins or leaves a wait set.
    fn note_change(&self, thread: usize, touched: &mut Touched) {
        if self.interrupts {
            touched.push((Thing::Interrupt(self.threads[thread].number), true));
        }
    }

    /// A notification wakes a thread.
    pub(super) fn wake(&mut self, thread: usize, touched: &mut Touched) {
        touched.push((Thing::Process(self.threads[thread].number), true));
        self.threads[thread].woken = true;
        if self.may_be_stopped(thread) {
            self.note_change(thread, touched);
        }
    }

    /// Either half of a wait that may end without a notification.
    pub(super) fn wait_or(
        &mut self,
        thread: usize,
        to: Register,
        condition: Object,
        touched: &mut Touched,
    ) {
        let (number, lock) = (self.threads[thread].number, self.lock_of(condition));
        let [interrupts, wakings] = told_at(number);
        if self.threads[thread].part == 0 {
            if self.interrupted.remove(&number) {
                touched.push((Thing::Interrupt(number), true));
                self.acts.push(Act::Take(interrupts));
                self.set(thread, to, &Expr::Constant(2));
                return self.pass(thread);
            }
            let (_, depth) = self.locks.remove(&lock).expect("the lock is held");
            touched.extend([(Thing::Static(lock), true), (Thing::Static(condition.0), true)]);
            self.note_change(thread, touched);
            let own = &mut self.threads[thread];
            (own.depth, own.woken, own.stopped, own.part) = (depth, false, false, 1);
            self.waiters.entry(condition.0).or_default().push(thread);
            return self.acts.push(Act::Free(lock));
        }
        touched.extend([(Thing::Process(number), false), (Thing::Static(lock), true)]);
        let why = match (self.threads[thread].woken, self.threads[thread].stopped) {
            (false, _) => {
                touched.push((Thing::Static(condition.0), true));
                self.note_change(thread, touched);
                self.waiters.entry(condition.0).or_default().retain(|&waiter| waiter != thread);
                1
            }
            (true, false) => 0,
            (true, true) => 2,
        };
        self.acts.extend([Act::Take(wakings), Act::Take(lock)]);
        self.locks.insert(lock, (thread, self.threads[thread].depth));
        self.set(thread, to, &Expr::Constant(why));
        self.pass(thread);
    }

    /// Interrupts the thread with this number.
    pub(super) fn interrupt(&mut self, number: usize, touched: &mut Touched) {
        let [interrupts, wakings] = told_at(number);
        touched.push((Thing::Interrupt(number), true));
        self.acts.push(Act::Free(interrupts));
        let target = self.threads.iter().position(|thread| thread.number == number);
        let Some(target) =
            target.filter(|&target| self.may_be_stopped(target) && !self.threads[target].woken)
        else {
            self.interrupted.insert(number);
            return;
        };
        for (condition, waiters) in &mut self.waiters {
            if waiters.contains(&target) {
                waiters.retain(|&waiter| waiter != target);
                touched.push((Thing::Static(*condition), true));
            }
        }
        touched.push((Thing::Process(number), true));
        self.acts.push(Act::Free(wakings));
        (self.threads[target].woken, self.threads[target].stopped) = (true, true);
    }

    pub(super) fn ask_interrupted(&mut self, thread: usize, to: Register, touched: &mut Touched) {
        let number = self.threads[thread].number;
        let was = self.interrupted.remove(&number);
        touched.push((Thing::Interrupt(number), was));
        self.acts.push(Act::Take(told_at(number)[0]));
        self.set(thread, to, &Expr::Constant(was.into()));
    }

    pub(super) fn join_or(
        &mut self,
        thread: usize,
        to: Register,
        handle: Register,
        touched: &mut Touched,
    ) {
        let other = self.joined(thread, handle).expect("it stands at the join");
        let (ended, number) = (self.has_ended(other), self.threads[thread].number);
        touched.push((Thing::Process(self.threads[other].number), false));
        if self.interrupts {
            touched.push((Thing::Interrupt(number), !ended));
        }
        if ended {
            self.acts.push(Act::Join(other));
        } else {
            self.interrupted.remove(&number);
            self.acts.push(Act::Take(told_at(number)[0]));
        }
        self.set(thread, to, &Expr::Constant((!ended).into()));
    }
}
