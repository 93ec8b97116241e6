//! Which instructions of a model were reached, and which ways its branches went.
//!
//! **Problem.** A report says which lines and branches an exploration has executed. Exploring must not
//! pay for it when nobody asks.
//!
//! **Idea.** The loop of the evaluator exists twice: one tells what it does and the other does not. A
//! run that is watched uses the first and marks instructions in a table of its own, which is added
//! to that of the program when the run is dropped. Marks are not undone when the run goes back: they
//! are about all executions.
//!
//! A line counts if a statement or a part of an expression begins there, and was executed if an
//! instruction of it was; the end of a block is no line. A branch is a conditional jump, except one that only stands for the failure
//! of a match. Code that was lowered several times, as that of traits and partial functions, counts
//! once. The library does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use counterpoint_model::{BranchCoverage, FileCoverage};

use crate::library;
use crate::program::{Body, BodyId, GuardPart, Instruction, Model};
use crate::source::{FileId, Span};

const REACHED: u8 = 1;
const TAKEN: u8 = 2;
const PASSED: u8 = 4;

/// The marks of the instructions of all bodies.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    marks: Vec<u8>,
    /// For each body the number of its first instruction.
    first: Arc<[usize]>,
}

impl Marks {
    pub fn new(model: &Model) -> Marks {
        let first = model.facts.first_instructions(model);
        Marks { marks: vec![0; first[first.len() - 1]], first }
    }

    /// The marks of each body.
    fn by_body(&self) -> impl Iterator<Item = &[u8]> {
        self.first.windows(2).map(|ends| &self.marks[ends[0]..ends[1]])
    }

    fn of(&mut self, body: u32, instruction: u32) -> &mut u8 {
        &mut self.marks[self.first[body as usize] + instruction as usize]
    }

    /// Somebody has come to an instruction.
    #[inline]
    pub fn reach(&mut self, body: u32, instruction: u32) {
        *self.of(body, instruction) |= REACHED;
    }

    /// Somebody has gone on behind an instruction, with a jump or without.
    #[inline]
    pub fn go(&mut self, body: u32, instruction: u32, jumped: bool) {
        let way = if jumped { TAKEN } else { PASSED };
        *self.of(body, instruction) |= way;
    }

    /// Adds the marks of another run.
    pub fn add(&mut self, other: &Marks) {
        for (own, other) in self.marks.iter_mut().zip(&other.marks) {
            *own |= other;
        }
    }

    /// What the marks say of each file of the user's.
    pub fn by_file(&self, model: &Model) -> Vec<FileCoverage> {
        let line = |span: Span| model.sources.start(span).line;
        let mut files: BTreeMap<FileId, FileCoverage> = BTreeMap::new();
        // The ways that a branch went, by its place and its number among those of that place.
        let mut ways: BTreeMap<(Span, usize), u8> = BTreeMap::new();
        for (body, marks) in model.bodies.iter().zip(self.by_body()) {
            let mut alike: BTreeMap<Span, usize> = BTreeMap::new();
            for (index, &mark) in marks.iter().enumerate() {
                let span = body.spans[index];
                if library::contains(span.file) {
                    continue;
                }
                let covered = files.entry(span.file).or_default();
                let statement = body.statements[body.sites[index] as usize].span;
                let own = model.sources.text(span) != "}";
                let places = own.then_some(span).into_iter().chain([statement]);
                for place in places.filter(|place| place.file == span.file) {
                    *covered.lines.entry(line(place)).or_default() |= mark & REACHED != 0;
                }
                if is_branch(body, index) {
                    let number = alike.entry(span).or_default();
                    *ways.entry((span, *number)).or_default() |= mark;
                    *number += 1;
                }
            }
        }
        for ((span, _), mark) in ways {
            let line = line(span);
            let branch =
                BranchCoverage { line, taken: mark & TAKEN != 0, passed: mark & PASSED != 0 };
            files.entry(span.file).or_default().branches.push(branch);
        }
        let named = files.into_iter().map(|(file, mut covered)| {
            covered.file = model.sources.file(file).name.to_string();
            covered.branches.sort_by_key(|branch| branch.line);
            covered
        });
        named.collect()
    }
}

/// Something that can be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoveragePoint {
    body: u32,
    /// The number of the statement, or of the instruction that branches.
    index: u32,
    /// What it is.
    pub kind: PointKind,
}

/// What can be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointKind {
    /// A statement.
    Statement,
    /// A condition that holds.
    Passed,
    /// A condition that does not hold.
    Taken,
}

impl CoveragePoint {
    /// The line it stands in.
    pub fn line(&self, model: &Model) -> u32 {
        let body = &model.bodies[self.body as usize];
        let span = match self.kind {
            PointKind::Statement => body.statements[self.index as usize].span,
            _ => body.spans[self.index as usize],
        };
        model.sources.start(span).line
    }

    /// The point as numbers, for files.
    pub fn numbers(&self) -> (u32, u32, u8) {
        (self.body, self.index, self.kind as u8)
    }

    /// The point of these numbers; none if there is no such kind.
    pub fn from_numbers((body, index, kind): (u32, u32, u8)) -> Option<CoveragePoint> {
        let kinds = [PointKind::Statement, PointKind::Passed, PointKind::Taken];
        let kind = *kinds.get(usize::from(kind))?;
        Some(CoveragePoint { body, index, kind })
    }

    /// The body that it is in.
    pub fn body(&self) -> BodyId {
        BodyId(self.body)
    }

    /// The instructions that cover it, or may.
    pub(crate) fn instructions(&self, model: &Model) -> impl Iterator<Item = usize> {
        let body = &model.bodies[self.body as usize];
        let (kind, wanted) = (self.kind, self.index);
        (0..body.code.len()).filter(move |&index| match kind {
            PointKind::Statement => body.sites[index] == wanted,
            PointKind::Passed | PointKind::Taken => index as u32 == wanted,
        })
    }

    /// Adds all that there is to cover in a body.
    pub fn all_of(model: &Model, body: BodyId, into: &mut BTreeSet<CoveragePoint>) {
        let code = model.body(body);
        for index in 0..code.code.len() {
            let statement = code.sites[index];
            into.insert(CoveragePoint {
                body: body.0,
                index: statement,
                kind: PointKind::Statement,
            });
            if is_branch(code, index) && !in_guard(code, index) {
                for kind in [PointKind::Passed, PointKind::Taken] {
                    into.insert(CoveragePoint { body: body.0, index: index as u32, kind });
                }
            }
        }
    }
}

impl Marks {
    /// What the marks say of the user's code and of what is tested, point by point.
    pub fn points(&self, model: &Model, tested: &[BodyId]) -> BTreeSet<CoveragePoint> {
        let mut points = BTreeSet::new();
        for (number, (body, marks)) in model.bodies.iter().zip(self.by_body()).enumerate() {
            let number = number as u32;
            if library::contains(body.span.file) && !tested.contains(&BodyId(number)) {
                continue;
            }
            for (index, &mark) in marks.iter().enumerate().filter(|(_, mark)| **mark != 0) {
                let statement = body.sites[index];
                let kind = PointKind::Statement;
                points.insert(CoveragePoint { body: number, index: statement, kind });
                if is_branch(body, index) {
                    let ways = [(PASSED, PointKind::Passed), (TAKEN, PointKind::Taken)];
                    for (_, kind) in ways.into_iter().filter(|(way, _)| mark & way != 0) {
                        points.insert(CoveragePoint { body: number, index: index as u32, kind });
                    }
                }
            }
        }
        points
    }
}

/// Whether an instruction belongs to the condition of an `await`, which is evaluated again and again while
/// the task waits: it is no branch of the method, which goes on in one way only.
fn in_guard(body: &Body, index: usize) -> bool {
    let parts = body.guards.iter().flat_map(|guard| &guard.parts);
    parts.into_iter().any(|part| match part {
        GuardPart::Condition(first) => {
            let code = &body.code[(*first as usize).min(index)..index];
            *first as usize <= index
                && !code.iter().any(|one| matches!(one, Instruction::Yield { .. }))
        }
        _ => false,
    })
}

fn is_branch(body: &Body, index: usize) -> bool {
    match body.code[index] {
        Instruction::Branch { otherwise, .. }
        | Instruction::Test { otherwise, .. }
        | Instruction::TestConstructor { otherwise, .. } => {
            !matches!(body.code.get(otherwise as usize), Some(Instruction::Fail { .. }))
        }
        _ => false,
    }
}
