//! Where each thread stands between the steps of a schedule, so that a real virtual machine can be led
//! along it.
//!
//! **Problem.** A schedule is a list of choices. To follow it elsewhere one has to know at which instruction
//! each thread is held, and how often the thread passes that instruction before it is the right moment.
//!
//! **Idea.** The schedule is replayed on a machine that notes every instruction ([`Route`]). After a step the
//! thread that has moved, and a thread that it has started, stand before the last instruction they came to.
//!
//! **Cost.** The schedule runs once, in the slower loop that looks at every instruction.

use counterpoint_model::{Choice, Input, Pid, Run};
use rustc_hash::FxHashSet;

use super::JavaProgram;
use super::JavaRun;
use super::pending::PendingKind;
use super::prepared_machine::PreparedMachine;
use crate::error::Error;
use crate::witness::route::{Spot, Stretch};

/// An instruction of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The class, as in class files.
    pub class: String,
    /// The method's name.
    pub method: String,
    /// The method's descriptor.
    pub descriptor: String,
    /// The byte code offset.
    pub offset: u64,
}

/// Where a thread stands after it has moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stand {
    /// Before this instruction, to which it has come so often on the way.
    Before(Instruction, u32),
    /// Inside of what it has begun to do: it waits, say.
    Inside,
    /// Nowhere: it has ended.
    Ended,
    /// In code that only our machine has.
    Unknown(String),
}

/// A move of a thread.
#[derive(Clone, Debug)]
pub struct Move {
    /// Who moves, numbered in the order in which threads are met; main is 0.
    pub thread: usize,
    /// Where it stands then.
    pub stand: Stand,
    /// Whom it has started, and where that thread stands.
    pub started: Option<(usize, Stand)>,
}

/// A schedule as the moves of threads between instructions.
#[derive(Clone, Debug)]
pub struct Itinerary {
    /// Where main stands at first, counted from the beginning of its main method.
    pub start: Stand,
    /// The moves.
    pub moves: Vec<Move>,
    /// What threads are called.
    pub names: Vec<String>,
}

impl JavaProgram {
    /// Where threads stand between the steps of a schedule.
    pub fn itinerary(&self, inputs: &[Input], choices: &[Choice]) -> Result<Itinerary, Error> {
        let mut prepared = self.prepare_noting()?;
        prepared.begin(inputs);
        let mut guide = Guide { met: vec![0], known: FxHashSet::default() };
        let start = guide.stretches(&mut prepared).into_iter().find(|one| one.thread == 0);
        let start = guide.stand(&prepared, None, start.unwrap_or_default(), false);
        let mut run = JavaRun::new(self, prepared);
        guide.known.extend((0..run.processes()).filter_map(|pid| run.prepared().thread(Pid(pid))));
        let mut moves = Vec::new();
        let mut stands: Vec<Option<Spot>> = vec![None];
        for choice in choices {
            let Some(thread) = run.prepared().thread(choice.process) else { break };
            run.step(*choice);
            let stretches = guide.stretches(run.prepared_mut());
            let mut own = Stretch { thread, ..Stretch::default() };
            let mut started = None;
            for stretch in stretches {
                if stretch.thread == thread {
                    own.add(stretch);
                } else if !guide.met.contains(&stretch.thread) {
                    let ended = is_over(&run, stretch.thread);
                    let child = stretch.thread;
                    let last = stretch.last;
                    let stand = guide.stand(run.prepared(), None, stretch, ended);
                    guide.met.push(child);
                    stands.push(last);
                    started = Some((guide.met.len() - 1, stand));
                }
            }
            let number = guide.met.iter().position(|known| *known == thread);
            let Some(number) = number else {
                return Ok(Itinerary { start, moves, names: Vec::new() });
            };
            let before = stands[number];
            stands[number] = own.last.or(before);
            let ended = is_over(&run, thread);
            let stand = guide.stand(run.prepared(), before, own, ended);
            moves.push(Move { thread: number, stand, started });
        }
        let names = guide.met.iter().map(|thread| {
            let name = run.prepared().java_name(*thread);
            name.unwrap_or_else(|| "a thread".to_string())
        });
        let names = names.collect();
        Ok(Itinerary { start, moves, names })
    }
}

fn is_over(run: &JavaRun<'_>, thread: usize) -> bool {
    run.pending.get(thread).is_none_or(|pending| pending.kind == PendingKind::Absent)
}

/// What is needed to find one's way.
struct Guide {
    /// Threads of the machine, in the order in which they were met.
    met: Vec<usize>,
    known: FxHashSet<usize>,
}

impl Guide {
    fn stretches(&self, prepared: &mut PreparedMachine) -> Vec<Stretch> {
        let coverage = prepared.machine.coverage.as_mut();
        coverage
            .and_then(|coverage| coverage.route.as_mut())
            .map(|route| route.take())
            .unwrap_or_default()
    }

    fn stand(
        &self,
        prepared: &PreparedMachine,
        before: Option<Spot>,
        stretch: Stretch,
        ended: bool,
    ) -> Stand {
        if ended {
            return Stand::Ended;
        }
        let Some(last) = stretch.last else { return Stand::Inside };
        let mut visits = stretch.visits.get(&last).copied().unwrap_or(0);
        if stretch.first == before && before == Some(last) {
            // It was held there, and comes to it again only when it comes back.
            visits -= 1;
            if visits == 0 {
                return Stand::Inside;
            }
        }
        let world = &prepared.machine.world;
        let method = world.method(last.0);
        let class = world.class_name(method.class).to_string();
        let name = world.symbols.text(method.name).to_string();
        let Some(offset) =
            method.code.offsets.get(last.1 as usize).filter(|_| method.number != u16::MAX)
        else {
            return Stand::Unknown(format!("{class}.{name}"));
        };
        let descriptor = world.symbols.text(method.descriptor).to_string();
        let offset = u64::from(*offset);
        Stand::Before(Instruction { class, method: name, descriptor, offset }, visits)
    }
}
