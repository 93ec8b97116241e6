//! What people and tests are told about a run: texts and digests, made only when asked for.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use counterpoint_model::{
    Explanation, Location, Next, Op, Pid, Program, Reading, Run, Site, Waiting,
};
use counterpoint_symbolic::Term;
use rustc_hash::FxHasher;

use super::{NOBODY, TestRun, ThreadStatus};
use crate::ast::LocationKind;
use crate::compile::Instruction;
use crate::outcome::{FinalState, FinalThread, local_digest};
use crate::unknowns::Value;

impl TestRun<'_> {
    /// The final states that this execution stands for, one for each choice of input values.
    pub(crate) fn concrete_outcomes(&self) -> BTreeSet<String> {
        match &self.unknowns {
            None => BTreeSet::from([self.final_state(&|value| value.to_string()).to_string()]),
            Some(unknowns) => unknowns
                .solutions()
                .iter()
                .map(|solution| {
                    self.final_state(&|value| unknowns.under(solution, value).to_string())
                        .to_string()
                })
                .collect(),
        }
    }

    /// Whether a thread is about to take and free a lock in one step.
    fn passes(&self, thread: &super::Thread) -> bool {
        let instruction = self.program.code.instructions[thread.pc as usize];
        matches!(instruction, Instruction::Pass { .. })
    }

    fn is_no_semaphore(&self, location: Location) -> bool {
        let declaration = self.program.ast().declarations.get(location.index());
        !declaration.is_some_and(|one| matches!(one.kind, LocationKind::Semaphore(_)))
    }

    /// What the last step did.
    pub(super) fn last_step(&self) -> Explanation {
        let Some(frame) = self.step_records.last() else { return Explanation::default() };
        let name = |location| self.program.location_name(location);
        let value = |location: Location| self.show(self.memory[location.index()]);
        let path = |process| self.program.names.path(process);
        let text = match frame.thread.op {
            Op::Read(location) => format!("reads {} = {}", name(location), value(location)),
            Op::Write(location) => format!("{} = {}", name(location), value(location)),
            Op::Update(location) => format!("updates {} to {}", name(location), value(location)),
            Op::Acquire(lock) => format!("takes lock {}", name(lock)),
            Op::Release(lock) => format!("frees lock {}", name(lock)),
            Op::Wait { condition, .. } => format!("waits for {}", name(condition)),
            Op::Resume { lock, .. } => format!("goes on with lock {}", name(lock)),
            Op::Notify { condition, all: false } => format!("notifies {}", name(condition)),
            Op::Notify { condition, all: true } => format!("notifies all at {}", name(condition)),
            Op::Start(child) => format!("starts thread {}", path(child)),
            Op::Join(other) => format!("joins thread {}", path(other)),
            Op::Branch => "branches on an input".to_owned(),
            Op::Choose(count) => format!("chooses one of {count}"),
            Op::Synchronise(lock) if self.tries_lock(&frame.thread) => {
                let free = frame.process == self.locks[lock.index()].holder;
                let found = if free { "takes" } else { "finds busy" };
                format!("tries lock {}, {found} it", name(lock))
            }
            Op::Synchronise(location) if self.is_no_semaphore(location) => {
                match self.passes(&frame.thread) {
                    true => format!("passes lock {}", name(location)),
                    false => format!("sets or asks for the {}", name(location)),
                }
            }
            Op::Synchronise(semaphore) => {
                format!("{} has {} permits", name(semaphore), value(semaphore))
            }
            Op::Task(_) | Op::Local => "computes".to_owned(),
        };
        let mut sites: Vec<Site> =
            self.visited.iter().map(|&pc| self.program.code.site(pc)).collect();
        sites.dedup();
        Explanation { text, sites, ..Explanation::default() }
    }

    /// What a blocked process waits for.
    pub(super) fn who_waits(&self, process: Pid) -> Option<Waiting> {
        let Next::Blocked(op) = self.next(process) else { return None };
        let holder = |lock: Location| match self.locks[lock.index()].holder {
            NOBODY => Vec::new(),
            holder => vec![Pid(holder)],
        };
        let name = |location| self.program.location_name(location);
        let (what, whom) = match op {
            Op::Acquire(lock) => (format!("lock {}", name(lock)), holder(lock)),
            Op::Resume { lock, .. }
                if self.thread(process).woken || self.thread(process).guarded =>
            {
                (format!("lock {}", name(lock)), holder(lock))
            }
            Op::Resume { condition, .. } => (format!("condition {}", name(condition)), Vec::new()),
            Op::Join(other) => {
                (format!("thread {} to end", self.program.names.path(other)), vec![other])
            }
            Op::Synchronise(lock) if self.passes(self.thread(process)) => {
                (format!("lock {}", name(lock)), holder(lock))
            }
            Op::Synchronise(semaphore) => (format!("semaphore {}", name(semaphore)), Vec::new()),
            Op::Read(variable) | Op::Update(variable) => {
                (format!("variable {} to change", name(variable)), Vec::new())
            }
            other => unreachable!("{other:?} never blocks"),
        };
        let site = self.program.code.site(self.thread(process).pc);
        Some(Waiting { process, what, whom, site, looping: false })
    }

    /// The digest of a process's local state.
    pub(super) fn digest(&self, process: Pid) -> Option<u64> {
        let thread = self.thread(process);
        let position = match thread.status {
            ThreadStatus::Absent => return None,
            ThreadStatus::Live => {
                let position = self.program.code.positions[thread.pc as usize];
                Some((position.line, position.part))
            }
            ThreadStatus::Done | ThreadStatus::Failed | ThreadStatus::Cut => None,
        };
        let body = &self.program.ast().bodies[usize::from(thread.body)];
        let base = process.index() * self.program.code.registers;
        let registers = (0..body.registers.len()).map(|register| {
            match self.registers[base + register] {
                Value::Int(number) => u64::from(number.cast_unsigned()),
                // Handles are the same whenever the position is.
                Value::Thread(_) => 0,
                Value::Unknown(term) => local_digest(None, std::iter::once(term_number(term))),
            }
        });
        Some(local_digest(position, registers))
    }

    /// The number that a variable holds.
    pub(super) fn read(&self, location: Location) -> Option<Reading> {
        let declaration = self.program.ast().declarations.get(location.index())?;
        let LocationKind::Variable { .. } = declaration.kind else { return None };
        match self.memory[location.index()] {
            Value::Int(number) => Some(Reading { number: number.into(), term: None }),
            Value::Unknown(term) => {
                let number = self.unknown().concrete(term);
                Some(Reading { number: number.into(), term: Some(term) })
            }
            Value::Thread(_) => None,
        }
    }

    /// What a location holds.
    pub(super) fn contents(&self, location: Location) -> Option<String> {
        let declaration = self.program.ast().declarations.get(location.index())?;
        Some(match declaration.kind {
            LocationKind::Variable { .. } | LocationKind::Semaphore(_) => {
                self.show(self.memory[location.index()])
            }
            LocationKind::Lock => match self.locks[location.index()].holder {
                NOBODY => "free".to_owned(),
                holder => format!("held by thread {}", self.program.names.path(Pid(holder))),
            },
            LocationKind::Condition(_) => {
                let waiters = self.waiters[location.index()].iter();
                let paths: Vec<String> =
                    waiters.map(|&waiter| self.program.names.path(Pid(waiter))).collect();
                format!("[{}]", paths.join(", "))
            }
        })
    }

    fn final_state(&self, show: &dyn Fn(Value) -> String) -> FinalState {
        let mut state = FinalState::default();
        for (location, declaration) in self.program.ast().declarations.iter().enumerate() {
            if matches!(
                declaration.kind,
                LocationKind::Variable { .. } | LocationKind::Semaphore(_)
            ) {
                state.shared.push((declaration.name.clone(), show(self.memory[location])));
            }
        }
        for (index, thread) in self.threads.iter().enumerate() {
            if thread.status == ThreadStatus::Absent {
                continue;
            }
            let pid = Pid(u32::try_from(index).expect("a thread number"));
            let path = self.program.names.path(pid);
            let body = &self.program.ast().bodies[usize::from(thread.body)];
            let base = index * self.program.code.registers;
            let numbers = body.registers.iter().enumerate().filter(|(register, _)| {
                !body.handles.iter().any(|handle| handle.index() == *register)
            });
            state.threads.push(FinalThread {
                path: path.split('.').map(|n| n.parse().expect("a path of numbers")).collect(),
                status: match thread.status {
                    ThreadStatus::Done => "done".to_owned(),
                    ThreadStatus::Failed => "failed".to_owned(),
                    ThreadStatus::Cut => "cut".to_owned(),
                    _ => format!("at {}", self.program.code.site(thread.pc).0),
                },
                registers: numbers
                    .map(|(register, name)| (name.clone(), show(self.registers[base + register])))
                    .collect(),
            });
        }
        state
    }

    /// The final state, unknown values as terms.
    pub(super) fn final_text(&self) -> String {
        self.final_state(&|value| self.show(value)).to_string()
    }

    fn show(&self, value: Value) -> String {
        match &self.unknowns {
            Some(unknowns) => unknowns.text(value),
            None => value.to_string(),
        }
    }
}

/// A number for a term that is the same in all runs of a program.
fn term_number(term: Term) -> u64 {
    let mut hasher = FxHasher::default();
    term.hash(&mut hasher);
    hasher.finish()
}
