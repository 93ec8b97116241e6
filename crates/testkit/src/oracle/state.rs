//! The oracle's own interpreter: plain states that walk the tree of the program.

mod execute;
mod interrupts;
mod races;
mod reads;

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use counterpoint_model::FindingKind;

use self::races::{Act, Memory};
pub(super) use self::reads::Look;
use super::{Failure, GlobalState, Race, Refusal};
use crate::ast::{Ast, Cell, Expr, Kind, LocationKind, Object, Operator, Register, Statement};
use crate::outcome::{FinalState, FinalThread, local_digest, path_text};

/// So many local statements in a row are taken for an endless loop.
const LOCAL_LIMIT: u32 = 100_000;

/// Numbers for process paths, so that clocks can be lists.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Vec<u32>, usize>,
}

impl Names {
    /// The paths by number.
    pub(super) fn paths(&self) -> HashMap<usize, Vec<u32>> {
        self.numbers.iter().map(|(path, &number)| (number, path.clone())).collect()
    }

    fn number(&mut self, path: &[u32]) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(path.to_vec()).or_insert(next)
    }
}

/// How many events of each process, by its number, an event knows of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    fn count(&mut self, process: usize) {
        if self.0.len() <= process {
            self.0.resize(process + 1, 0);
        }
        self.0[process] += 1;
    }

    fn entries(&self) -> impl Iterator<Item = (usize, u32)> {
        self.0.iter().copied().enumerate().filter(|&(_, count)| count > 0)
    }
}

/// What an event can touch.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Thing {
    Static(u32),
    Process(usize),
    Interrupt(usize),
}

/// Who touched a thing since it was last changed.
#[derive(Clone, Debug)]
struct History {
    thing: Thing,
    changed: Rc<Clock>,
    looked: Rc<Clock>,
}

/// One assignment of values to the inputs read so far, and what follows from it.
#[derive(Clone, Debug)]
struct World {
    shared: Vec<i32>,
    registers: Vec<Vec<i32>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Progress {
    Running,
    /// Failed before its first operation; the step in which it does is still to come.
    Doomed(Failure),
    Done,
    Failed,
    /// Stands before something that is not supported, for good.
    Cut,
}

/// A place in a block; `again` if a loop's body has just been run through, or its counter set.
#[derive(Clone, Debug)]
struct BlockPosition<'a> {
    block: &'a [Statement],
    index: usize,
    again: bool,
}

#[derive(Clone, Debug)]
struct OracleThread<'a> {
    path: Rc<[u32]>,
    number: usize,
    body: usize,
    frames: Vec<BlockPosition<'a>>,
    status: Progress,
    /// How many values a split has excluded; 1 between a wait and what follows.
    part: u32,
    /// Which registers depend on inputs.
    tainted: Vec<bool>,
    handles: Vec<(u16, usize)>,
    events: u32,
    children: u32,
    depth: u32,
    woken: bool,
    /// Woken by an interrupt.
    stopped: bool,
    clock: Rc<Clock>,
    /// What happens before its next event by synchronisation.
    known: Rc<Clock>,
}

/// A state between two steps.
#[derive(Clone, Debug)]
pub(super) struct State<'a> {
    ast: &'a Ast,
    threads: Vec<OracleThread<'a>>,
    worlds: Vec<World>,
    tainted: Vec<bool>,
    locks: HashMap<u32, (usize, u32)>,
    waiters: HashMap<u32, Vec<usize>>,
    /// The threads that are interrupted, by their numbers; some may not have begun.
    interrupted: BTreeSet<usize>,
    histories: Vec<History>,
    /// What the last step has done, for those who look for data races.
    acts: Vec<Act>,
    memory: Rc<Memory>,
    /// The races that the last step has shown.
    pub(super) races: Vec<Race>,
    /// Whether some thread joins another, so that ends can be seen.
    joins: bool,
    /// Whether threads interrupt each other, or ask whether somebody did.
    interrupts: bool,
    /// Stands for the set of events so far.
    pub(super) digest: u128,
}

/// What a step has touched: things, and whether it changed them.
type Touched = Vec<(Thing, bool)>;

impl<'a> State<'a> {
    pub(super) fn initial(ast: &'a Ast, names: &mut Names) -> Result<State<'a>, Refusal> {
        let shared = ast.declarations.iter().map(|declaration| match declaration.kind {
            LocationKind::Variable { initial, .. } | LocationKind::Semaphore(initial) => initial,
            LocationKind::Lock | LocationKind::Condition(_) => 0,
        });
        let mut state = State {
            ast,
            threads: Vec::new(),
            worlds: vec![World { shared: shared.collect(), registers: Vec::new() }],
            tainted: vec![false; ast.declarations.len()],
            locks: HashMap::new(),
            waiters: HashMap::new(),
            interrupted: BTreeSet::new(),
            histories: Vec::new(),
            acts: Vec::new(),
            memory: Rc::default(),
            races: Vec::new(),
            joins: ast.any(|kind| matches!(kind, Kind::Join(_) | Kind::JoinOr(..))),
            interrupts: ast.any(|kind| matches!(kind, Kind::Interrupt(_) | Kind::Interrupted(_))),
            digest: 0,
        };
        state.begin(names, vec![0], 0)?;
        Ok(state)
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.len()
    }

    pub(super) fn is_ready(&self, thread: usize) -> bool {
        match self.threads[thread].status {
            Progress::Done | Progress::Failed | Progress::Cut => return false,
            Progress::Doomed(_) => return true,
            Progress::Running => {}
        }
        match &self.statement(thread).kind {
            Kind::Acquire(lock) => !self.locks.contains_key(&lock.0),
            Kind::Wait(condition) if self.threads[thread].part == 1 => {
                self.threads[thread].woken && !self.locks.contains_key(&self.lock_of(*condition))
            }
            Kind::WaitOr { condition, timed, .. } if self.threads[thread].part == 1 => {
                (self.threads[thread].woken || *timed)
                    && !self.locks.contains_key(&self.lock_of(*condition))
            }
            Kind::Pass(lock) => !self.locks.contains_key(&lock.0),
            Kind::JoinOr(_, handle) => {
                let other = self.joined(thread, *handle).expect("it stands at the join");
                self.has_ended(other) || self.interrupted.contains(&self.threads[thread].number)
            }
            Kind::Down(semaphore) => self.worlds[0].shared[semaphore.0 as usize] > 0,
            Kind::Await(requirements, _) => {
                let World { shared, registers } = &self.worlds[0];
                requirements.iter().all(|requirement| {
                    let value = Expr::Constant(shared[requirement.location as usize]);
                    let comparison =
                        Expr::binary(requirement.operator, value, requirement.value.clone());
                    evaluate(&comparison, &registers[thread]) != 0
                })
            }
            Kind::Join(handle) => {
                let other = self.joined(thread, *handle).expect("it stands at the join");
                self.has_ended(other)
            }
            _ => true,
        }
    }

    /// The alternatives of a ready thread's step.
    pub(super) fn alternatives(&self, thread: usize) -> Vec<u32> {
        if self.threads[thread].status != Progress::Running {
            return vec![0];
        }
        match &self.statement(thread).kind {
            Kind::Choose(_, count) => (0..*count).collect(),
            Kind::Notify(condition) => (0..self.waiting_for(*condition).max(1)).collect(),
            Kind::If(..) | Kind::While(..) | Kind::Assert(..) | Kind::Split(..) => {
                let holds =
                    |side| self.worlds.iter().any(|world| self.side(thread, world) == (side == 1));
                (0..2).filter(|&side| holds(side)).collect()
            }
            _ => vec![0],
        }
    }

    /// Takes a step.
    pub(super) fn step(
        &mut self,
        names: &mut Names,
        thread: usize,
        alternative: u32,
    ) -> Result<Option<Failure>, Refusal> {
        let number = self.threads[thread].number;
        let mut touched = Touched::new();
        if self.threads[thread].events == 0 && thread != 0 {
            touched.push((Thing::Process(number), false));
        }
        let mut label = alternative;
        self.acts.clear();
        let line = match self.threads[thread].status {
            Progress::Running => self.statement(thread).line,
            _ => 0,
        };
        let failure = if let Progress::Doomed(failure) = self.threads[thread].status.clone() {
            let cut = failure.kind == FindingKind::Unsupported;
            self.threads[thread].status = if cut { Progress::Cut } else { Progress::Failed };
            Some(failure)
        } else {
            self.perform(names, thread, alternative, &mut touched, &mut label)?;
            self.settle(thread)?
        };
        let ended = matches!(self.threads[thread].status, Progress::Done | Progress::Failed);
        if ended && self.joins {
            touched.push((Thing::Process(number), true));
        }
        self.record(thread, label, &touched);
        self.find_races(thread, line);
        Ok(failure)
    }

    /// Whether some thread could not go on.
    pub(super) fn is_cut(&self) -> bool {
        self.threads.iter().any(|thread| thread.status == Progress::Cut)
    }

    /// Who waits at which line, if nobody can move and somebody waits. Who waits beside a thread that
    /// could not go on may wait for that one.
    pub(super) fn waiting(&self) -> Option<String> {
        if self.is_cut() {
            return None;
        }
        let mut waiting: Vec<(&[u32], u32)> = (0..self.threads.len())
            .filter(|&thread| self.threads[thread].status == Progress::Running)
            .map(|thread| (&*self.threads[thread].path, self.statement(thread).line))
            .collect();
        waiting.sort_unstable();
        let texts: Vec<String> =
            waiting.iter().map(|(path, line)| format!("{} at {line}", path_text(path))).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    /// The state in words, once for each world.
    pub(super) fn outcomes(&self, ast: &Ast) -> Vec<String> {
        let text = |world: &World| {
            let variables =
                ast.declarations.iter().zip(&world.shared).filter(|(declaration, _)| {
                    matches!(
                        declaration.kind,
                        LocationKind::Variable { .. } | LocationKind::Semaphore(_)
                    )
                });
            let shared =
                variables.map(|(declaration, value)| (declaration.name.clone(), value.to_string()));
            let threads = self.threads.iter().enumerate().map(|(index, thread)| {
                let body = &ast.bodies[thread.body];
                let registers = body.registers.iter().zip(&world.registers[index]).enumerate();
                let is_number =
                    |register: usize| body.handles.iter().all(|handle| handle.index() != register);
                FinalThread {
                    path: thread.path.to_vec(),
                    status: match thread.status {
                        Progress::Done => "done".to_owned(),
                        Progress::Failed => "failed".to_owned(),
                        Progress::Cut => "cut".to_owned(),
                        _ => format!("at {}", self.statement(index).line),
                    },
                    registers: registers
                        .filter(|(register, _)| is_number(*register))
                        .map(|(_, (name, value))| (name.clone(), value.to_string()))
                        .collect(),
                }
            });
            FinalState { shared: shared.collect(), threads: threads.collect() }.to_string()
        };
        self.worlds.iter().map(text).collect()
    }

    /// Each thread's number with the digest of its local state, once for each world.
    pub(super) fn local_states(&self) -> impl Iterator<Item = (usize, u64)> {
        self.threads.iter().enumerate().flat_map(move |(index, thread)| {
            let position = match &thread.status {
                Progress::Running => Some((self.statement(index).line, thread.part)),
                Progress::Doomed(failure) => Some((failure.line, 0)),
                Progress::Done | Progress::Failed | Progress::Cut => None,
            };
            self.worlds.iter().map(move |world| {
                let registers = world.registers[index].iter();
                let words = registers.map(|&value| u64::from(value.cast_unsigned()));
                (thread.number, local_digest(position, words))
            })
        })
    }

    /// The values of shared variables and the lines where threads stand, once for each world.
    pub(super) fn global_states(&self) -> impl Iterator<Item = GlobalState> {
        let line = |(index, thread): (usize, &OracleThread<'_>)| {
            let line = match &thread.status {
                Progress::Running => self.statement(index).line,
                Progress::Doomed(failure) => failure.line,
                Progress::Done | Progress::Failed | Progress::Cut => return None,
            };
            Some((thread.path.to_vec(), line))
        };
        let lines: BTreeMap<_, _> = self.threads.iter().enumerate().filter_map(line).collect();
        self.worlds
            .iter()
            .map(move |world| GlobalState { values: world.shared.clone(), lines: lines.clone() })
    }

    fn begin(&mut self, names: &mut Names, path: Vec<u32>, body: usize) -> Result<(), Refusal> {
        let thread = self.threads.len();
        let ast = self.ast;
        let width = ast.bodies[body].registers.len();
        self.threads.push(OracleThread {
            number: names.number(&path),
            path: path.into(),
            body,
            frames: vec![BlockPosition {
                block: &ast.bodies[body].statements,
                index: 0,
                again: false,
            }],
            status: Progress::Running,
            part: 0,
            tainted: vec![false; width],
            handles: Vec::new(),
            events: 0,
            children: 0,
            depth: 0,
            woken: false,
            stopped: false,
            clock: Rc::default(),
            known: Rc::default(),
        });
        for world in &mut self.worlds {
            world.registers.push(vec![0; width]);
        }
        if let Some(failure) = self.settle(thread)? {
            self.threads[thread].status = Progress::Doomed(failure);
        }
        Ok(())
    }

    /// Adds an event to the trace.
    fn record(&mut self, thread: usize, label: u32, touched: &Touched) {
        let number = self.threads[thread].number;
        let mut clock = Clock::clone(&self.threads[thread].clock);
        clock.count(number);
        for (thing, changes) in touched {
            if let Some(history) = self.histories.iter().find(|history| history.thing == *thing) {
                clock.join(&history.changed);
                if *changes {
                    clock.join(&history.looked);
                }
            }
        }
        let clock = Rc::new(clock);
        for (thing, changes) in touched {
            let at = self.histories.iter().position(|history| history.thing == *thing);
            let at = at.unwrap_or_else(|| {
                let (changed, looked) = (Rc::default(), Rc::default());
                self.histories.push(History { thing: *thing, changed, looked });
                self.histories.len() - 1
            });
            let history = &mut self.histories[at];
            if *changes {
                history.changed = Rc::clone(&clock);
                history.looked = Rc::default();
            } else {
                Rc::make_mut(&mut history.looked).join(&clock);
            }
        }
        let part = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, number, self.threads[thread].events, label).hash(&mut hasher);
            touched.hash(&mut hasher);
            clock.entries().for_each(|entry| entry.hash(&mut hasher));
            u128::from(hasher.finish())
        };
        self.digest = self.digest.wrapping_add((part(1) << 64) | part(2));
        self.threads[thread].events += 1;
        self.threads[thread].clock = clock;
    }

    /// The value that the condition the thread stands at has in a world.
    fn side(&self, thread: usize, world: &World) -> bool {
        let registers = &world.registers[thread];
        match &self.statement(thread).kind {
            Kind::If(condition, ..) | Kind::While(condition, ..) | Kind::Assert(condition, ..) => {
                evaluate(condition, registers) != 0
            }
            Kind::Split(register, _) => {
                i64::from(registers[register.index()]) == i64::from(self.threads[thread].part)
            }
            other => unreachable!("{other:?} has no condition"),
        }
    }

    fn statement(&self, thread: usize) -> &'a Statement {
        let frame = self.threads[thread].frames.last().expect("the thread is in a statement");
        &frame.block[frame.index]
    }

    fn lock_of(&self, condition: Object) -> u32 {
        match self.ast.declarations[condition.0 as usize].kind {
            LocationKind::Condition(lock) => lock,
            _ => unreachable!("a condition"),
        }
    }

    fn has_ended(&self, thread: usize) -> bool {
        matches!(self.threads[thread].status, Progress::Done | Progress::Failed)
    }

    fn waiting_for(&self, condition: Object) -> u32 {
        let count = self.waiters.get(&condition.0).map_or(0, Vec::len);
        u32::try_from(count).expect("few threads")
    }

    /// The thread that a register refers to.
    fn joined(&self, thread: usize, handle: Register) -> Option<usize> {
        let handles = &self.threads[thread].handles;
        handles.iter().rev().find(|(register, _)| *register == handle.0).map(|&(_, other)| other)
    }

    fn location(&self, thread: usize, cell: Cell) -> u32 {
        match cell {
            Cell::Fixed(location) => location,
            Cell::Element(base, register) => {
                base + self.worlds[0].registers[thread][register.index()].cast_unsigned()
            }
        }
    }

    fn is_tainted(&self, thread: usize, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(_) => false,
            Expr::Register(register) => self.threads[thread].tainted[register.index()],
            Expr::Binary(_, left, right) => {
                self.is_tainted(thread, left) || self.is_tainted(thread, right)
            }
        }
    }
}

/// The low 32 bits.
fn cut(wide: i64) -> i32 {
    let bytes = wide.to_le_bytes();
    i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn evaluate(expr: &Expr, registers: &[i32]) -> i32 {
    let (operator, left, right) = match expr {
        Expr::Constant(number) => return *number,
        Expr::Register(register) => return registers[register.index()],
        Expr::Binary(operator, left, right) => {
            (operator, evaluate(left, registers), evaluate(right, registers))
        }
    };
    let (left, right) = (i64::from(left), i64::from(right));
    let truth = |value: bool| i64::from(value);
    cut(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::Remainder => left % right,
        Operator::And => left & right,
        Operator::Or => left | right,
        Operator::Xor => left ^ right,
        Operator::ShiftLeft => left << (right & 31),
        Operator::ShiftRight => left >> (right & 31),
        Operator::Equal => truth(left == right),
        Operator::Different => truth(left != right),
        Operator::Less => truth(left < right),
        Operator::AtMost => truth(left <= right),
        Operator::Greater => truth(left > right),
        Operator::AtLeast => truth(left >= right),
    })
}
