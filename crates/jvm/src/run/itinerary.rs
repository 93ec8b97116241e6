//! Where each thread stands between its turns in a schedule, so that a real virtual machine can be led
//! along it.
//!
//! **Problem.** A schedule is a list of choices. To follow it elsewhere one has to know at which instruction
//! each thread is held, and how often the thread comes to that instruction before it is the right moment.
//!
//! **Idea.** The schedule is replayed on a machine that notes every instruction ([`Route`]). Steps of one thread
//! that follow each other are one [`Turn`], at the end of which the thread stands somewhere: before the
//! operation that its next turn begins with, inside an operation that lets it wait, or nowhere any more. A
//! thread that has been started stands at its very beginning until its first turn: what it does before its
//! first operation, nobody can tell.
//!
//! **Cost.** The schedule runs once, in the slower loop that looks at every instruction.
//!
//! [`Route`]: crate::witness::route::Route

use counterpoint_model::{Choice, Input, Op, Pid, Program, Run};
use rustc_hash::FxHashSet;

use super::JavaProgram;
use super::JavaRun;
use super::pending::PendingKind;
use crate::error::Error;
use crate::load::INPUT_CLASS;
use crate::memory::ThreadStatus;
use crate::witness::route::{Position, Spot};

/// An instruction of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstructionPlace {
    /// The class, as in class files.
    pub class: String,
    /// The method's name.
    pub method: String,
    /// The method's descriptor.
    pub descriptor: String,
    /// The byte code offset.
    pub offset: u64,
}

impl InstructionPlace {
    /// Its method, for people.
    pub fn readable_method(&self) -> String {
        format!("{}.{}", self.class.replace('/', "."), self.method)
    }
}

/// An instruction that a thread comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The instruction.
    pub at: InstructionPlace,
    /// That of the topmost frame of the program, if there is one.
    pub program: Option<InstructionPlace>,
    /// How often the thread comes there in its turn: it stops at the last time.
    pub visits: u32,
}

/// Where a thread stands after its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stand {
    /// Before an instruction.
    Before(Stop),
    /// Where it stood before: all that its steps have done is part of one instruction.
    Stays(InstructionPlace),
    /// Inside of what it has begun to do: it waits.
    Waits,
    /// Nowhere: it has ended.
    Ended,
    /// In code that only our machine has.
    Unknown,
}

/// Steps of one thread that follow each other.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Who moves, numbered in the order in which threads are met; main is 0.
    pub thread: usize,
    /// How many steps of the schedule there are up to its end.
    pub steps: usize,
    /// Where the thread stands then.
    pub stand: Stand,
    /// Whom it has started.
    pub started: Vec<usize>,
    /// Whether it has done a part of the instruction before which it stands.
    pub is_inside: bool,
}

/// A step that asks what another thread is doing, which is held before something that would let it wait.
#[derive(Clone, Debug)]
pub struct Glance {
    /// The number of the step.
    pub step: usize,
    /// Who is looked at.
    pub thread: String,
}

/// A step that notifies one of several waiting threads, but not the one that has waited longest. A virtual machine
/// may do so, and does as it likes.
#[derive(Clone, Debug)]
pub struct Overtaking {
    /// The number of the step.
    pub step: usize,
    /// Who is woken.
    pub woken: String,
    /// Who has waited longest.
    pub passed_over: String,
}

/// A thread of the schedule.
#[derive(Clone, Debug)]
pub struct Traveller {
    /// Which process of the program it is.
    pub process: Pid,
    /// What the program calls it.
    pub name: String,
    /// The values of the inputs that it reads, in order.
    pub inputs: Vec<String>,
}

/// A schedule as turns of threads.
#[derive(Clone, Debug)]
pub struct Itinerary {
    /// Where main stands at first.
    pub start: Stand,
    /// The turns.
    pub turns: Vec<Turn>,
    /// The threads.
    pub threads: Vec<Traveller>,
    /// Notifications out of order.
    pub overtakings: Vec<Overtaking>,
    /// Looks at threads that are held.
    pub glances: Vec<Glance>,
    /// The classes of the program, as in class files.
    pub classes: FxHashSet<String>,
    /// Static methods whose results are inputs: classes as in class files, and names.
    pub sources: Vec<(String, String)>,
}

impl JavaProgram {
    /// Where threads stand between their turns. With `last_apart`, the last step is a turn of its own.
    pub fn itinerary(
        &self,
        inputs: &[Input],
        choices: &[Choice],
        last_apart: bool,
    ) -> Result<Itinerary, Error> {
        let mut prepared = self.prepare_noting()?;
        prepared.begin(inputs);
        let mut guide = Guide { run: JavaRun::new(self, prepared), met: vec![(0, Pid::MAIN)] };
        let mut names = vec!["main".to_string()];
        let start = guide.stand(0);
        let mut turns: Vec<Turn> = Vec::new();
        let mut started = Vec::new();
        let mut overtakings = Vec::new();
        let mut glances = Vec::new();
        for (index, choice) in choices.iter().enumerate() {
            let Some(thread) = guide.run.prepared().thread(choice.process) else { break };
            overtakings.extend(guide.overtaking(thread, *choice, index + 1));
            glances.extend(guide.glance(thread, index + 1));
            let inside = guide.inside(thread);
            guide.run.step(*choice);
            let is_inside = inside.is_some() && guide.inside(thread) == inside;
            for (child, name) in guide.newcomers() {
                started.push(child);
                names.push(name);
            }
            let same = choices.get(index + 1).is_some_and(|next| next.process == choice.process);
            let is_apart = last_apart && index + 2 == choices.len();
            if same && !is_apart {
                continue;
            }
            let Some(number) = guide.met.iter().position(|(known, _)| *known == thread) else {
                break;
            };
            let stand = guide.stand(number);
            let started = std::mem::take(&mut started);
            turns.push(Turn { thread: number, steps: index + 1, stand, started, is_inside });
        }
        let read = guide.run.inputs();
        let threads = names.into_iter().zip(&guide.met).map(|(name, (_, pid))| {
            let prefix = format!("{}#", Program::names(self).path(*pid));
            let own = read.iter().filter_map(|input| {
                let number: u32 = input.name.strip_prefix(&prefix)?.parse().ok()?;
                Some((number, input.value.clone()))
            });
            let mut own: Vec<(u32, String)> = own.collect();
            own.sort();
            Traveller {
                process: *pid,
                name,
                inputs: own.into_iter().map(|(_, value)| value).collect(),
            }
        });
        let threads = threads.collect();
        let mut sources = self.input_methods();
        sources.extend(input_class_methods());
        let classes = self.class_names()?;
        Ok(Itinerary { start, turns, threads, overtakings, glances, classes, sources })
    }
}

/// The methods of the class that is made for reading inputs.
fn input_class_methods() -> impl Iterator<Item = (String, String)> {
    crate::load::INPUT_METHODS
        .iter()
        .map(|(name, _)| (INPUT_CLASS.to_string(), (*name).to_string()))
}

/// What is needed to find one's way.
struct Guide<'a> {
    run: JavaRun<'a>,
    /// Threads of the machine, in the order in which they were met, and their processes.
    met: Vec<(usize, Pid)>,
}

impl Guide<'_> {
    /// Threads that are there for the first time, and what they are called.
    fn newcomers(&mut self) -> Vec<(usize, String)> {
        let mut new = Vec::new();
        for pid in (0..self.run.processes()).map(Pid) {
            let Some(thread) = self.run.prepared().thread(pid) else { continue };
            let is_there = self.run.prepared().machine.threads.get(thread).is_some();
            if is_there && self.met.iter().all(|(known, _)| *known != thread) {
                let name = self.run.prepared().java_name(thread).unwrap_or_default();
                new.push((self.met.len(), name));
                self.met.push((thread, pid));
            }
        }
        new
    }

    /// Who is passed over if a thread notifies one of several that wait.
    fn overtaking(&self, thread: usize, choice: Choice, step: usize) -> Option<Overtaking> {
        let pending = self.run.pending.get(thread)?;
        if !matches!(pending.op, Op::Notify { all: false, .. }) || pending.in_order {
            return None;
        }
        let waiters = self.run.waiters(pending);
        let (first, woken) = (waiters.first()?, waiters.get(choice.alternative as usize)?);
        let name = |thread: usize| self.run.prepared().java_name(thread).unwrap_or_default();
        (first != woken).then(|| Overtaking {
            step,
            woken: name(*woken),
            passed_over: name(*first),
        })
    }

    /// Who is looked at if a thread asks what another one is doing that is held.
    fn glance(&self, thread: usize, step: usize) -> Option<Glance> {
        let pending = self.run.pending.get(thread)?;
        let target = pending.target as usize;
        let looked_at = self.run.pending.get(target)?;
        let has_ended = matches!(looked_at.kind, PendingKind::Absent | PendingKind::ReportOnly);
        let is_held = pending.kind == PendingKind::AskState && !has_ended && target != thread;
        is_held.then(|| Glance {
            step,
            thread: self.run.prepared().java_name(target).unwrap_or_default(),
        })
    }

    /// The instruction that a thread has begun, with the number of its visits there, if our machine's own code runs in its
    /// place.
    fn inside(&self, thread: usize) -> Option<(Position, u32)> {
        let coverage = self.run.prepared().machine.coverage.as_ref()?;
        coverage.route.as_ref()?.inside(thread)
    }

    /// Where a thread stands.
    fn stand(&mut self, number: usize) -> Stand {
        let (thread, pid) = self.met[number];
        let kind = self.run.pending.get(thread).map(|pending| pending.kind);
        let ended =
            kind.is_none_or(|kind| matches!(kind, PendingKind::Absent | PendingKind::ReportOnly));
        let machine = &mut self.run.prepared_mut().machine;
        let coverage = machine.coverage.as_mut();
        let route = coverage.and_then(|coverage| coverage.route.as_mut());
        let taken = route.and_then(|route| route.take(thread));
        let status = machine.threads.get(thread).map(|state| state.core.status);
        let waits =
            matches!(status, Some(ThreadStatus::Waiting { .. } | ThreadStatus::Reacquiring { .. }))
                || machine.waits_in_some_queue(thread);
        let (position, visits) = match taken {
            _ if ended => return Stand::Ended,
            _ if waits => return Stand::Waits,
            Some(taken) => taken,
            None if pid == Pid::MAIN => return Stand::Ended,
            None => return Stand::Unknown,
        };
        if pid == Pid::MAIN && position.program.is_none() {
            // What comes after the main method is the virtual machine's.
            return Stand::Ended;
        }
        let stop = self.stop(position, visits);
        if visits == 0 { Stand::Stays(stop.at) } else { Stand::Before(stop) }
    }

    fn stop(&self, position: Position, visits: u32) -> Stop {
        let at = self.instruction(position.top);
        let program = position.program.map(|spot| self.instruction(spot));
        Stop { at, program, visits }
    }

    fn instruction(&self, (method, number): Spot) -> InstructionPlace {
        let world = &self.run.prepared().machine.world;
        let method = world.method(method);
        let offset = method.code.offsets.get(number as usize).copied().unwrap_or(0);
        InstructionPlace {
            class: world.class_name(method.class).to_string(),
            method: world.symbols.text(method.name).to_string(),
            descriptor: world.symbols.text(method.descriptor).to_string(),
            offset: u64::from(offset),
        }
    }
}
