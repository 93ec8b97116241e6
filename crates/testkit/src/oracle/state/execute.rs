//! What statements do: the visible part of each, and local computation up to the next visible one.

use counterpoint_model::FindingKind;

use super::{
    Act, BlockPosition, LOCAL_LIMIT, Names, Progress, State, Thing, Touched, cut, evaluate,
};
use crate::ast::{Expr, Kind, Object, Register, Statement};
use crate::oracle::{Failure, Refusal};

impl<'a> State<'a> {
    /// Runs local computation up to the next visible operation.
    pub(super) fn settle(&mut self, thread: usize) -> Result<Option<Failure>, Refusal> {
        for _ in 0..LOCAL_LIMIT {
            let Some(statement) = self.find_statement(thread) else {
                self.threads[thread].status = Progress::Done;
                return Ok(None);
            };
            let line = statement.line;
            let exception = |message: &str| Failure {
                kind: FindingKind::Exception,
                message: message.to_owned(),
                line,
            };
            match &statement.kind {
                Kind::Set(to, value) => {
                    self.set(thread, *to, value);
                    self.pass(thread);
                }
                Kind::Input(_, None) => return Err(Refusal::Unbounded),
                Kind::Input(to, Some((low, high))) => {
                    self.fork(thread, *to, *low, *high);
                    self.pass(thread);
                }
                Kind::If(condition, ..) if !self.is_tainted(thread, condition) => {
                    let side = self.side(thread, &self.worlds[0]);
                    self.follow(thread, side);
                }
                Kind::While(condition, bound, _) => {
                    if let Some((counter, bound)) = bound {
                        if !self.threads[thread].frames.last().expect("a frame").again {
                            self.set(thread, *counter, &Expr::Constant(0));
                            self.threads[thread].frames.last_mut().expect("a frame").again = true;
                        }
                        let count = self.worlds[0].registers[thread][counter.index()];
                        if i64::from(count) >= i64::from(*bound) {
                            self.pass(thread);
                            continue;
                        }
                    }
                    if self.is_tainted(thread, condition) {
                        return Ok(None);
                    }
                    let side = self.side(thread, &self.worlds[0]);
                    self.follow(thread, side);
                }
                Kind::Assert(condition, kind, message) => {
                    let refuted = self.threads[thread].part == 1;
                    if !refuted && self.is_tainted(thread, condition) {
                        return Ok(None);
                    }
                    if refuted || !self.side(thread, &self.worlds[0]) {
                        self.threads[thread].status = Progress::Failed;
                        let message = message.clone();
                        return Ok(Some(Failure { kind: *kind, message, line }));
                    }
                    self.pass(thread);
                }
                Kind::Fail(message) => {
                    self.threads[thread].status = Progress::Failed;
                    let kind = FindingKind::Assertion;
                    return Ok(Some(Failure { kind, message: message.clone(), line }));
                }
                Kind::Unsupported(message) => {
                    self.threads[thread].status = Progress::Cut;
                    let kind = FindingKind::Unsupported;
                    return Ok(Some(Failure { kind, message: message.clone(), line }));
                }
                Kind::Split(register, count) => {
                    if self.threads[thread].tainted[register.index()] {
                        if self.threads[thread].part + 1 < *count {
                            return Ok(None);
                        }
                        self.threads[thread].tainted[register.index()] = false;
                    }
                    self.pass(thread);
                }
                Kind::Acquire(lock) => match self.locks.get_mut(&lock.0) {
                    Some((holder, depth)) if *holder == thread => {
                        *depth += 1;
                        self.pass(thread);
                    }
                    _ => return Ok(None),
                },
                Kind::TryAcquire(to, lock) => match self.locks.get_mut(&lock.0) {
                    Some((holder, depth)) if *holder == thread => {
                        *depth += 1;
                        self.set(thread, *to, &Expr::Constant(1));
                        self.pass(thread);
                    }
                    _ => return Ok(None),
                },
                Kind::Release(lock) => match self.locks.get_mut(&lock.0) {
                    Some((holder, depth)) if *holder == thread => {
                        if *depth == 1 {
                            return Ok(None);
                        }
                        *depth -= 1;
                        self.pass(thread);
                    }
                    _ => {
                        self.threads[thread].status = Progress::Failed;
                        return Ok(Some(exception("frees a lock it does not hold")));
                    }
                },
                Kind::Pass(lock)
                    if self.locks.get(&lock.0).is_some_and(|(holder, _)| *holder == thread) =>
                {
                    self.pass(thread);
                }
                Kind::Wait(_) | Kind::WaitOr { .. } if self.threads[thread].part == 1 => {
                    return Ok(None);
                }
                Kind::Wait(condition)
                | Kind::WaitOr { condition, .. }
                | Kind::Notify(condition)
                | Kind::NotifyAll(condition) => {
                    let lock = self.lock_of(*condition);
                    if self.locks.get(&lock).is_some_and(|(holder, _)| *holder == thread) {
                        return Ok(None);
                    }
                    self.threads[thread].status = Progress::Failed;
                    return Ok(Some(exception("uses a condition without holding its lock")));
                }
                Kind::Join(handle) | Kind::JoinOr(_, handle) => {
                    if self.joined(thread, *handle).is_some() {
                        return Ok(None);
                    }
                    self.threads[thread].status = Progress::Failed;
                    return Ok(Some(exception("joins no thread")));
                }
                _ => return Ok(None),
            }
        }
        self.threads[thread].status = Progress::Failed;
        Ok(Some(Failure {
            kind: FindingKind::Exception,
            message: "endless local loop".to_owned(),
            line: self.ast.bodies[self.threads[thread].body].line,
        }))
    }

    /// The visible part of a statement.
    pub(super) fn perform(
        &mut self,
        names: &mut Names,
        thread: usize,
        alternative: u32,
        touched: &mut Touched,
        label: &mut u32,
    ) -> Result<(), Refusal> {
        let fixed = |object: &Object| Thing::Static(object.0);
        match &self.statement(thread).kind {
            Kind::Read(to, cell) => {
                let location = self.location(thread, *cell);
                self.load(thread, *to, location);
                self.acts.push(Act::Read(location));
                touched.push((Thing::Static(location), false));
            }
            Kind::Write(cell, value) => {
                let location = self.location(thread, *cell);
                self.store(thread, location, value);
                self.acts.push(Act::Write(location));
                touched.push((Thing::Static(location), true));
            }
            Kind::FetchAdd(to, cell, by) => {
                let location = self.location(thread, *cell);
                let tainted = self.is_tainted(thread, by) || self.tainted[location as usize];
                for world in &mut self.worlds {
                    let by = evaluate(by, &world.registers[thread]);
                    let old = world.shared[location as usize];
                    world.shared[location as usize] = cut(i64::from(old) + i64::from(by));
                    world.registers[thread][to.index()] = old;
                }
                self.threads[thread].tainted[to.index()] = self.tainted[location as usize];
                self.tainted[location as usize] = tainted;
                self.acts.push(Act::Update(location, true));
                touched.push((Thing::Static(location), true));
            }
            Kind::CompareAndSet { to, cell, expected, new } => {
                let location = self.location(thread, *cell);
                let unsure = self.is_tainted(thread, expected) || self.tainted[location as usize];
                let mut changed = unsure;
                for world in &mut self.worlds {
                    let registers = &mut world.registers[thread];
                    let variable = &mut world.shared[location as usize];
                    let equal = *variable == evaluate(expected, registers);
                    if equal {
                        *variable = evaluate(new, registers);
                        changed = true;
                    }
                    registers[to.index()] = i32::from(equal);
                }
                self.threads[thread].tainted[to.index()] = unsure;
                if unsure {
                    self.tainted[location as usize] = true;
                } else if changed {
                    self.tainted[location as usize] = self.is_tainted(thread, new);
                }
                self.acts.push(Act::Update(location, changed));
                touched.push((Thing::Static(location), changed));
            }
            Kind::Acquire(lock) => {
                self.locks.insert(lock.0, (thread, 1));
                self.acts.push(Act::Take(lock.0));
                touched.push((fixed(lock), true));
            }
            Kind::TryAcquire(to, lock) => {
                let (to, lock) = (*to, lock.0);
                let free = !self.locks.contains_key(&lock);
                if free {
                    self.locks.insert(lock, (thread, 1));
                    self.acts.push(Act::Take(lock));
                }
                self.set(thread, to, &Expr::Constant(i32::from(free)));
                touched.push((Thing::Static(lock), free));
            }
            Kind::Release(lock) => {
                self.locks.remove(&lock.0);
                self.acts.push(Act::Free(lock.0));
                touched.push((fixed(lock), true));
            }
            Kind::Wait(condition) => {
                let lock = self.lock_of(*condition);
                touched.push((Thing::Static(lock), true));
                if self.threads[thread].part == 0 {
                    let (_, depth) = self.locks.remove(&lock).expect("the lock is held");
                    self.threads[thread].depth = depth;
                    self.threads[thread].woken = false;
                    self.threads[thread].part = 1;
                    self.waiters.entry(condition.0).or_default().push(thread);
                    touched.push((fixed(condition), true));
                    self.acts.push(Act::Free(lock));
                    return Ok(());
                }
                self.acts.push(Act::Take(lock));
                self.locks.insert(lock, (thread, self.threads[thread].depth));
                touched.push((Thing::Process(self.threads[thread].number), false));
            }
            Kind::Notify(condition) => {
                touched.push((fixed(condition), true));
                let waiters = self.waiters.entry(condition.0).or_default();
                if !waiters.is_empty() {
                    let woken = waiters.remove(alternative as usize);
                    self.wake(woken, touched);
                }
            }
            Kind::NotifyAll(condition) => {
                touched.push((fixed(condition), true));
                for woken in self.waiters.remove(&condition.0).unwrap_or_default() {
                    self.wake(woken, touched);
                }
            }
            Kind::Down(semaphore) | Kind::Up(semaphore) => {
                let up = matches!(self.statement(thread).kind, Kind::Up(_));
                for world in &mut self.worlds {
                    world.shared[semaphore.0 as usize] += if up { 1 } else { -1 };
                }
                self.acts.extend([Act::Take(semaphore.0), Act::Free(semaphore.0)]);
                touched.push((fixed(semaphore), true));
            }
            Kind::Await(requirements, then) => {
                let things = requirements.iter().map(|part| Thing::Static(part.location));
                touched.extend(things.map(|thing| (thing, false)));
                let written = then.as_ref().map(|(location, _)| *location);
                let looks = requirements.iter().map(|part| part.location);
                let looks = looks.filter(|&location| Some(location) != written);
                self.acts.extend(looks.map(Act::Read));
                if let Some((location, value)) = then {
                    self.acts.push(match self.is_volatile(*location) {
                        true => Act::Update(*location, true),
                        false => Act::Write(*location),
                    });
                    for world in &mut self.worlds {
                        let value = evaluate(value, &world.registers[thread]);
                        world.shared[*location as usize] = value;
                    }
                    touched.push((Thing::Static(*location), true));
                }
            }
            Kind::Choose(to, _) => {
                let chosen = i32::try_from(alternative).expect("an alternative is an int");
                self.set(thread, *to, &Expr::Constant(chosen));
            }
            Kind::Spawn(to, body) => {
                let mut path = self.threads[thread].path.to_vec();
                path.push(self.threads[thread].children);
                self.threads[thread].children += 1;
                let child = self.threads.len();
                self.threads[thread].handles.push((to.0, child));
                touched.push((Thing::Process(names.number(&path)), true));
                self.acts.push(Act::Start(child));
                self.begin(names, path, usize::from(body.0))?;
            }
            Kind::Join(handle) => {
                let other = self.joined(thread, *handle).expect("it stands at the join");
                self.acts.push(Act::Join(other));
                touched.push((Thing::Process(self.threads[other].number), false));
            }
            Kind::WaitOr { to, condition, .. } => {
                self.wait_or(thread, *to, *condition, touched);
                return Ok(());
            }
            Kind::Interrupt(child) => self.interrupt(names.number(&[0, *child]), touched),
            Kind::Interrupted(to) => self.ask_interrupted(thread, *to, touched),
            Kind::JoinOr(to, handle) => self.join_or(thread, *to, *handle, touched),
            Kind::Pass(lock) => {
                self.acts.extend([Act::Take(lock.0), Act::Free(lock.0)]);
                touched.push((fixed(lock), true));
            }
            Kind::If(..) | Kind::While(..) | Kind::Assert(..) | Kind::Split(..) => {
                *label = 1000 + alternative;
                self.decide(thread, alternative == 1);
                return Ok(());
            }
            other => unreachable!("{other:?} is local"),
        }
        self.pass(thread);
        Ok(())
    }

    /// Keeps the worlds in which a condition on inputs has this value, and goes there.
    pub(super) fn decide(&mut self, thread: usize, side: bool) {
        let worlds = std::mem::take(&mut self.worlds);
        let sides: Vec<bool> = worlds.iter().map(|world| self.side(thread, world)).collect();
        let kept = worlds.into_iter().zip(sides).filter(|(_, other)| *other == side);
        self.worlds = kept.map(|(world, _)| world).collect();
        match (&self.statement(thread).kind, side) {
            (Kind::Assert(..), true) => self.pass(thread),
            // The failure follows in the local computation.
            (Kind::Assert(..), false) => self.threads[thread].part = 1,
            (Kind::Split(register, _), true) => {
                self.threads[thread].tainted[register.index()] = false;
                self.pass(thread);
            }
            (Kind::Split(..), false) => self.threads[thread].part += 1,
            _ => self.follow(thread, side),
        }
    }

    /// Goes into the block that the condition leads to.
    fn follow(&mut self, thread: usize, side: bool) {
        match (&self.statement(thread).kind, side) {
            (Kind::If(_, yes, no), _) => {
                self.pass(thread);
                let block = if side { yes } else { no };
                self.threads[thread].frames.push(BlockPosition { block, index: 0, again: false });
            }
            (Kind::While(_, bound, body), true) => {
                if let Some((counter, _)) = bound {
                    for world in &mut self.worlds {
                        world.registers[thread][counter.index()] += 1;
                    }
                }
                self.threads[thread].frames.last_mut().expect("a frame").again = true;
                self.threads[thread].frames.push(BlockPosition {
                    block: body,
                    index: 0,
                    again: false,
                });
            }
            (Kind::While(..), false) => self.pass(thread),
            (other, _) => unreachable!("{other:?} has no blocks"),
        }
    }

    /// Goes on to the next statement.
    pub(super) fn pass(&mut self, thread: usize) {
        let thread = &mut self.threads[thread];
        thread.part = 0;
        let frame = thread.frames.last_mut().expect("a thread in a statement has a frame");
        frame.index += 1;
        frame.again = false;
    }

    /// The next statement, leaving blocks that are at their end.
    fn find_statement(&mut self, thread: usize) -> Option<&'a Statement> {
        let frames = &mut self.threads[thread].frames;
        while let Some(frame) = frames.last() {
            if let Some(statement) = frame.block.get(frame.index) {
                return Some(statement);
            }
            frames.pop();
        }
        None
    }

    pub(super) fn set(&mut self, thread: usize, to: Register, value: &Expr) {
        self.threads[thread].tainted[to.index()] = self.is_tainted(thread, value);
        for world in &mut self.worlds {
            let value = evaluate(value, &world.registers[thread]);
            world.registers[thread][to.index()] = value;
        }
    }

    fn load(&mut self, thread: usize, to: Register, location: u32) {
        self.threads[thread].tainted[to.index()] = self.tainted[location as usize];
        for world in &mut self.worlds {
            world.registers[thread][to.index()] = world.shared[location as usize];
        }
    }

    fn store(&mut self, thread: usize, location: u32, value: &Expr) {
        self.tainted[location as usize] = self.is_tainted(thread, value);
        for world in &mut self.worlds {
            let value = evaluate(value, &world.registers[thread]);
            world.shared[location as usize] = value;
        }
    }

    /// One world for each value of an input.
    fn fork(&mut self, thread: usize, to: Register, low: i32, high: i32) {
        self.threads[thread].tainted[to.index()] = true;
        let worlds = std::mem::take(&mut self.worlds);
        for world in worlds {
            for value in low..=high {
                let mut world = world.clone();
                world.registers[thread][to.index()] = value;
                self.worlds.push(world);
            }
        }
    }
}
