//! Can the present state of a run still lead to a given cycle of waiting?
//!
//! **Idea.** The deadlock-cycle constraints of section 4.3.2 of the thesis on active objects. Each arrow of a
//! cycle at which a task waits for the result of another is a constraint: some task stands there now and the
//! awaited one has not finished, or some task may still come there. Objects are not compared, since a
//! deadlock may go round the abstract cycle more than once. Whether a task may come to a point is looked up in
//! the code: from where its frames stand, through branches, calls, new objects and the tasks they post.
//!
//! Beside the waits, the same walk through the code collects to objects of which classes a task may post others,
//! and for the results of which methods it may wait ([`Ahead`]). From this the machine sees which tasks have nothing
//! to do with any cycle asked for, and need not run.
//!
//! **Invariant.** "No" is said only of states from which no run reaches a state with a cycle of waiting whose
//! arrows include those of one of the cycles asked for.
//!
//! **Cost.** Three words of 128 bits for each instruction. Arrows beyond the first 128 of all cycles together
//! constrain nothing; classes and methods share bits where there are more.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::program::{
    BodyId, BodyOwner, ClassId, GuardPart, Instruction, Model, NewPlace, Operand, SelectorId,
};

use super::abstraction::{ContextId, Point};
use super::failures::Failures;
use super::flow;
use super::graph::{Arrow, Chain, Node, Why};
use super::points_to::PointsTo;
use super::tasks::Standing;

/// One bit for each place of waiting.
pub type Waits = u128;

/// A place where a task waits for the result of another, or for a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Where.
    pub point: Point,
    /// The methods whose results it waits for; none if it waits for a condition.
    pub awaited: Vec<BodyId>,
}

/// What a task may come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// The waits.
    pub waits: Waits,
    /// The classes of objects of other cogs to which it may post tasks ([`class_bit`]).
    pub posts: u128,
    /// The bodies of tasks whose results it may wait for ([`body_bit`]).
    pub awaits: u128,
}

impl std::ops::BitOrAssign for Ahead {
    fn bitor_assign(&mut self, other: Ahead) {
        self.waits |= other.waits;
        self.posts |= other.posts;
        self.awaits |= other.awaits;
    }
}

/// The bit of a class; several classes may share one.
pub fn class_bit(class: ClassId) -> u128 {
    1 << (class.index() % 128)
}

/// The bit of a body; several bodies may share one.
pub fn body_bit(body: BodyId) -> u128 {
    1 << (body.index() % 128)
}

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct DeadlockQuestion {
    /// The places of waiting, one for each bit.
    pub waits: Vec<Wait>,
    /// For each cycle or chain that is looked for, the waits that it needs.
    pub goals: Vec<Goal>,
    /// Whether the list of goals is not complete, so that no state is excluded.
    pub anything: bool,
    /// Whether one deadlock is enough, so that nothing need follow it.
    pub first_only: bool,
    /// Whether tasks that have nothing to do with any goal need not run: whatever closes a cycle is known to
    /// have one of the waits ahead, and a cycle stays once it is there.
    pub leaves_out: bool,
    /// Whether an exception may kill an object, if that is known.
    pub objects_may_die: Option<bool>,
    /// Whether no object is ever on the cog of the main block.
    pub main_stays_alone: bool,
    /// For each instruction of each body, what may be come to from before it.
    before: Vec<Vec<Ahead>>,
    places: FxHashMap<Point, SmallVec<[u32; 2]>>,
}

/// A cycle or chain that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The waits that it needs.
    pub waits: Waits,
    /// Whether the waits form a cycle, so that they are a deadlock as soon as they are all there.
    pub is_cycle: bool,
}

/// What all questions about the runs of a model need to know of its code, found out once.
#[derive(Clone, Debug)]
pub struct CodeFacts {
    /// The body of each context.
    bodies: Vec<BodyId>,
    /// The bodies that may be executed.
    reached: Vec<BodyId>,
    /// What each instruction enters, in whatever context.
    entered: FxHashMap<Point, Vec<BodyId>>,
    /// Where each instruction posts tasks and whose results it waits for, in whatever context.
    direct: FxHashMap<Point, Ahead>,
    objects_may_die: bool,
    looks_at_fields: bool,
}

impl CodeFacts {
    /// Looks at the code of a model that was analysed.
    pub fn of(points: &PointsTo<'_>) -> CodeFacts {
        let (entered, direct) = effects(points);
        CodeFacts {
            bodies: points.abstraction.contexts.iter().map(|context| context.body).collect(),
            reached: points.shapes.keys().copied().collect(),
            entered,
            direct,
            objects_may_die: Failures::of(points).any_object_dies(),
            looks_at_fields: looks_at_fields(points),
        }
    }

    /// The question whether one of these cycles or chains can come to be.
    pub fn question(
        &self,
        model: &Model,
        cycles: &[Vec<Arrow>],
        chains: &[Chain],
    ) -> DeadlockQuestion {
        let mut question = DeadlockQuestion::default();
        for cycle in cycles {
            let waits = self.needed(&mut question, cycle);
            question.goals.push(Goal { waits, is_cycle: true });
        }
        for chain in chains {
            let mut waits = self.needed(&mut question, &chain.arrows[..1]);
            if let Some(point) = self.place(chain.condition.context, chain.condition.standing) {
                waits |= question.bit(point, Vec::new());
            }
            question.goals.push(Goal { waits, is_cycle: false });
        }
        let mut direct = self.direct.clone();
        for (point, ahead) in at_places(&question.places) {
            *direct.entry(point).or_default() |= ahead;
        }
        question.before = fixpoint(model, &self.reached, &self.entered, direct);
        question.objects_may_die = Some(self.objects_may_die);
        question.main_stays_alone = model.main.is_some_and(|main| !creates_locally(model, main));
        question.leaves_out = !self.objects_may_die
            && question.waits.len() < Waits::BITS as usize
            && question.goals.iter().all(|goal| goal.is_cycle && goal.waits != 0)
            && !self.looks_at_fields;
        question
    }

    /// The waits that some arrows need.
    fn needed(&self, question: &mut DeadlockQuestion, arrows: &[Arrow]) -> Waits {
        let mut waits = 0;
        for arrow in arrows.iter().filter(|arrow| arrow.why != Why::Competing) {
            let Node::Task(awaited) = arrow.to else { continue };
            let awaited = self.bodies[awaited.index()];
            let position = arrow.position;
            if let Some(point) = self.place(position.context, position.standing) {
                waits |= question.bit(point, vec![awaited]);
            }
        }
        waits
    }

    fn place(&self, context: ContextId, standing: Standing) -> Option<Point> {
        match standing {
            Standing::At(instruction) => {
                Some(Point { body: self.bodies[context.index()], instruction })
            }
            Standing::Entry | Standing::Exit => None,
        }
    }
}

impl DeadlockQuestion {
    /// The question whether one of these cycles or chains can come to be.
    pub fn new(points: &PointsTo<'_>, cycles: &[Vec<Arrow>], chains: &[Chain]) -> DeadlockQuestion {
        CodeFacts::of(points).question(points.model, cycles, chains)
    }

    /// The question whether one of these cycles can come to be in a run that begins anywhere: with any
    /// objects and tasks, known to the analysis or not. What a call enters is any method of that name.
    pub fn anywhere(points: &PointsTo<'_>, cycles: &[Vec<Arrow>]) -> DeadlockQuestion {
        DeadlockQuestion::new(points, cycles, &[]).of_any_run(points.model)
    }

    /// The question whether a goal of either can come to be, in runs of this model from anywhere.
    pub fn or(&self, other: &DeadlockQuestion, model: &Model) -> DeadlockQuestion {
        let mut both = self.clone();
        for goal in &other.goals {
            let mut waits = 0;
            for (number, wait) in other.waits.iter().enumerate() {
                if goal.waits & (1 << number) != 0 {
                    waits |= both.bit(wait.point, wait.awaited.clone());
                }
            }
            both.goals.push(Goal { waits, is_cycle: goal.is_cycle });
        }
        both.anything |= other.anything;
        both.of_any_run(model)
    }

    fn of_any_run(mut self, model: &Model) -> DeadlockQuestion {
        let all: Vec<BodyId> = (0..model.bodies.len() as u32).map(BodyId).collect();
        self.before = fixpoint(model, &all, &entered_anywhere(model), at_places(&self.places));
        self.leaves_out = false;
        self.objects_may_die = None;
        self.main_stays_alone = false;
        self
    }

    /// The waits at an instruction.
    pub fn at(&self, body: u32, instruction: u32) -> impl Iterator<Item = (Waits, &Wait)> {
        let point = Point { body: BodyId(body), instruction };
        let numbers = self.places.get(&point).into_iter().flatten();
        numbers.map(|&number| (1 << number, &self.waits[number as usize]))
    }

    /// What a frame may come to that is about to execute an instruction.
    pub fn from(&self, body: u32, instruction: u32) -> Ahead {
        let before = self.before.get(body as usize);
        before.and_then(|before| before.get(instruction as usize)).copied().unwrap_or_default()
    }

    /// What a frame may come to once it has got past an instruction.
    pub fn behind(&self, model: &Model, body: u32, instruction: u32) -> Ahead {
        let code = &model.bodies[body as usize];
        let index = instruction as usize;
        // An exception that leaves the body leads to the recover block.
        let mut ahead = self.from(body, code.code.len() as u32);
        for next in flow::successors(code, index).into_iter().chain(flow::handler(code, index)) {
            ahead |= self.from(body, next as u32);
        }
        ahead
    }

    /// The bit of a wait; none if there are too many.
    fn bit(&mut self, point: Point, awaited: Vec<BodyId>) -> Waits {
        let wait = Wait { point, awaited };
        let number = match self.waits.iter().position(|known| *known == wait) {
            Some(number) => number,
            None if self.waits.len() == Waits::BITS as usize => return 0,
            None => {
                self.waits.push(wait);
                let number = self.waits.len() - 1;
                self.places.entry(point).or_default().push(number as u32);
                number
            }
        };
        1 << number
    }
}

/// Whether a body creates objects on the cog that it runs on.
fn creates_locally(model: &Model, body: BodyId) -> bool {
    let local = |instruction: &Instruction| {
        matches!(instruction, Instruction::New { place: NewPlace::SameCog, .. })
    };
    model.body(body).code.iter().any(local)
}

/// Whether some task awaits a future that it reads from a field, where another may be by the time it looks again.
fn looks_at_fields(points: &PointsTo<'_>) -> bool {
    points.shapes.keys().any(|&body| {
        let mut parts = points.model.body(body).guards.iter().flat_map(|guard| &guard.parts);
        parts.any(|part| matches!(part, GuardPart::Future(Operand::Field(_))))
    })
}

/// What each instruction enters, and which tasks it posts and waits for, in whatever context.
fn effects(points: &PointsTo<'_>) -> (FxHashMap<Point, Vec<BodyId>>, FxHashMap<Point, Ahead>) {
    let model = points.model;
    let mut direct: FxHashMap<Point, Ahead> = FxHashMap::default();
    let mut entered: FxHashMap<Point, Vec<BodyId>> = FxHashMap::default();
    for (index, effects) in points.effects.iter().enumerate() {
        let body = points.abstraction.contexts[index].body;
        let code = &model.body(body).code;
        for (&instruction, effect) in effects {
            let point = Point { body, instruction: instruction.min(code.len() as u32) };
            let bodies = entered.entry(point).or_default();
            for target in effect.posted.iter().chain(&effect.called) {
                bodies.push(points.abstraction.of(*target).body);
            }
            bodies.sort_unstable();
            bodies.dedup();
            let to_others = match code.get(instruction as usize) {
                Some(Instruction::Send { callee, .. }) => *callee != Operand::This,
                // What a new object runs, it runs on itself.
                Some(Instruction::New { .. }) | None => false,
                Some(_) => true,
            };
            let ahead = direct.entry(point).or_default();
            for &task in effect.posted.iter().filter(|_| to_others) {
                if let Some(object) = points.abstraction.of(task).this {
                    ahead.posts |= class_bit(points.abstraction.objects[object.index()].class);
                }
            }
            for &task in &effect.awaited {
                ahead.awaits |= body_bit(points.abstraction.of(task).body);
            }
        }
    }
    (entered, direct)
}

/// The waits at each place.
fn at_places(places: &FxHashMap<Point, SmallVec<[u32; 2]>>) -> FxHashMap<Point, Ahead> {
    let at = |numbers: &SmallVec<[u32; 2]>| numbers.iter().fold(0, |waits, bit| waits | 1 << bit);
    places
        .iter()
        .map(|(&point, numbers)| (point, Ahead { waits: at(numbers), ..Ahead::default() }))
        .collect()
}

/// What each instruction may enter if any object may be called.
fn entered_anywhere(model: &Model) -> FxHashMap<Point, Vec<BodyId>> {
    let mut entered: FxHashMap<Point, Vec<BodyId>> = FxHashMap::default();
    let methods_called = |selector: SelectorId| {
        let named = model.methods.iter().filter(move |method| method.selector == selector);
        named.map(|method| method.body).collect::<Vec<_>>()
    };
    for (number, body) in model.bodies.iter().enumerate() {
        let id = BodyId(number as u32);
        for (at, instruction) in body.code.iter().enumerate() {
            let bodies = match *instruction {
                Instruction::Send { selector, .. } | Instruction::CallMethod { selector, .. } => {
                    methods_called(selector)
                }
                Instruction::CallOwn { method, .. } => vec![model.method(method).body],
                Instruction::New { class, .. } => {
                    let class = model.class(class);
                    let run = class.run.map(|run| model.method(run).body);
                    [class.init].into_iter().chain(run).collect()
                }
                _ => continue,
            };
            entered.insert(Point { body: id, instruction: at as u32 }, bodies);
        }
        // An exception that leaves a body leads to the recover block of its class.
        let class = match body.owner {
            BodyOwner::Method(method) => Some(model.method(method).class),
            BodyOwner::Init(class) => Some(class),
            _ => None,
        };
        if let Some(recover) = class.and_then(|class| model.class(class).recover) {
            let end = Point { body: id, instruction: body.code.len() as u32 };
            entered.insert(end, vec![recover]);
        }
    }
    entered
}

/// What may be come to from before each instruction; one more entry for each body for what an exception that leaves
/// it leads to.
fn fixpoint(
    model: &Model,
    reached: &[BodyId],
    entered: &FxHashMap<Point, Vec<BodyId>>,
    direct: FxHashMap<Point, Ahead>,
) -> Vec<Vec<Ahead>> {
    let mut before: Vec<Vec<Ahead>> =
        model.bodies.iter().map(|body| vec![Ahead::default(); body.code.len() + 1]).collect();
    for (point, ahead) in direct {
        before[point.body.index()][point.instruction as usize] |= ahead;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &id in reached {
            let body = model.body(id);
            for instruction in (0..=body.code.len()).rev() {
                let point = Point { body: id, instruction: instruction as u32 };
                let known = before[id.index()][instruction];
                let mut ahead = known;
                for target in entered.get(&point).into_iter().flatten() {
                    ahead |= before[target.index()][0];
                }
                if instruction < body.code.len() {
                    for next in flow::successors(body, instruction) {
                        ahead |= before[id.index()][next];
                    }
                    if let Some(target) = flow::handler(body, instruction) {
                        ahead |= before[id.index()][target];
                    }
                    ahead |= before[id.index()][body.code.len()];
                }
                if ahead != known {
                    before[id.index()][instruction] = ahead;
                    changed = true;
                }
            }
        }
    }
    before
}
