//! From trees to flat instructions.
//!
//! Expressions become three-address code over registers; the temporaries they need come after the
//! registers of the body. A condition that is a comparison is compared where it is branched on.

use counterpoint_model::{Fault, FindingKind, Location, Mode, Site};

use crate::ast::{
    Ast, Body, Cell, Expr, Kind, LocationKind, Operator, Register, Requirement, Statement,
};

/// A register by number, or a constant.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Operand {
    Register(u16),
    Constant(i32),
}

/// One instruction. Those from `Read` on are visible operations; a branch is one if its condition
/// is unknown; taking or freeing a lock is none if the thread goes on holding it.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Instruction {
    Set { to: u16, from: Operand },
    Binary { operator: Operator, to: u16, left: Operand, right: Operand },
    Jump { target: u32 },
    JumpIfKnown { register: u16, target: u32 },
    Branch { operator: Operator, left: Operand, right: Operand, otherwise: u32 },
    Fault { fault: u32 },
    Input { to: u16, bounds: Option<u32> },
    Read { to: u16, cell: Cell },
    Write { cell: Cell, value: Operand },
    FetchAdd { to: u16, cell: Cell, by: Operand },
    CompareAndSet { to: u16, cell: Cell, operands: u32 },
    Acquire { lock: u32 },
    TryAcquire { to: u16, lock: u32 },
    Release { lock: u32 },
    Wait { condition: u32, lock: u32 },
    Resume { condition: u32, lock: u32 },
    WaitOr { to: u16, condition: u32, lock: u32 },
    ResumeOr { to: u16, condition: u32, lock: u32, timed: bool },
    Notify { condition: u32, lock: u32, all: bool },
    Interrupt { child: u32 },
    Interrupted { to: u16 },
    Pass { lock: u32 },
    Await { guard: u32 },
    Down { semaphore: u32 },
    Up { semaphore: u32 },
    Choose { to: u16, count: u32 },
    Spawn { to: u16, body: u16 },
    Join { thread: u16 },
    JoinOr { to: u16, thread: u16 },
    End,
}

/// What an await waits for and what it does then.
#[derive(Debug)]
pub(crate) struct Guard {
    /// Locations with what they are compared with.
    pub(crate) requirements: Vec<(u32, Operator, Operand)>,
    /// The location that is given a value in the same step.
    pub(crate) then: Option<(u32, Operand)>,
}

impl Guard {
    /// What the step touches.
    pub(crate) fn accesses(&self) -> impl Iterator<Item = (Location, Mode)> + '_ {
        let written = self.then.map(|(location, _)| location);
        let looked = self.requirements.iter().map(|&(location, ..)| location);
        let looked = looked.filter(move |&location| Some(location) != written);
        let written = written.into_iter().map(|location| (Location(location), Mode::Write));
        looked.map(|location| (Location(location), Mode::Read)).chain(written)
    }
}

/// A compiled program.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) instructions: Vec<Instruction>,
    /// Line and position within the line, by instruction.
    pub(crate) positions: Vec<Position>,
    /// Where each body begins.
    pub(crate) entries: Vec<u32>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) bounds: Vec<(i32, i32)>,
    /// What compare-and-sets expect and store.
    pub(crate) operands: Vec<(Operand, Operand)>,
    /// What awaits require and write.
    pub(crate) guards: Vec<Guard>,
    /// The most registers, temporaries included, of any body.
    pub(crate) registers: usize,
    /// Whether a thread's end must be visible to others.
    pub(crate) joins: bool,
    /// Whether threads interrupt each other, or ask whether somebody did.
    pub(crate) interrupts: bool,
}

/// Where an instruction stands: its line, and which of the line's operations it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) part: u32,
}

impl Code {
    pub(crate) fn of(ast: &Ast) -> Code {
        let mut compiler = Compiler {
            ast,
            code: Code {
                instructions: Vec::new(),
                positions: Vec::new(),
                entries: Vec::new(),
                faults: Vec::new(),
                bounds: Vec::new(),
                operands: Vec::new(),
                guards: Vec::new(),
                registers: 0,
                joins: ast.any(|kind| matches!(kind, Kind::Join(_) | Kind::JoinOr(..))),
                interrupts: ast
                    .any(|kind| matches!(kind, Kind::Interrupt(_) | Kind::Interrupted(_))),
            },
            position: Position { line: 0, part: 0 },
            temporaries: 0,
        };
        for body in &ast.bodies {
            compiler.body(body);
        }
        compiler.code
    }

    pub(crate) fn site(&self, pc: u32) -> Site {
        Site(self.positions[pc as usize].line)
    }
}

struct Compiler<'a> {
    ast: &'a Ast,
    code: Code,
    position: Position,
    /// The first register that is free for temporaries.
    temporaries: u16,
}

impl Compiler<'_> {
    fn body(&mut self, body: &Body) {
        self.code.entries.push(self.here());
        self.temporaries = u16::try_from(body.registers.len()).expect("fewer than 2^16 registers");
        self.code.registers = self.code.registers.max(body.registers.len());
        self.block(&body.statements);
        self.position = Position { line: body.line, part: 0 };
        self.emit(Instruction::End);
    }

    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.position = Position { line: statement.line, part: 0 };
            self.statement(&statement.kind);
        }
    }

    fn statement(&mut self, kind: &Kind) {
        let instruction = match kind {
            Kind::Set(to, value) => return self.assign(to.0, value),
            Kind::Read(to, cell) => Instruction::Read { to: to.0, cell: *cell },
            Kind::Write(cell, value) => {
                Instruction::Write { cell: *cell, value: self.operand(value, 0) }
            }
            Kind::FetchAdd(to, cell, by) => {
                Instruction::FetchAdd { to: to.0, cell: *cell, by: self.operand(by, 0) }
            }
            Kind::CompareAndSet { to, cell, expected, new } => {
                let pair = (self.operand(expected, 0), self.operand(new, 1));
                let operands = index(self.code.operands.len());
                self.code.operands.push(pair);
                Instruction::CompareAndSet { to: to.0, cell: *cell, operands }
            }
            Kind::Acquire(lock) => Instruction::Acquire { lock: lock.0 },
            Kind::TryAcquire(to, lock) => Instruction::TryAcquire { to: to.0, lock: lock.0 },
            Kind::Release(lock) => Instruction::Release { lock: lock.0 },
            Kind::Wait(condition) => {
                let (condition, lock) = (condition.0, self.lock_of(condition.0));
                self.emit(Instruction::Wait { condition, lock });
                self.position.part = 1;
                Instruction::Resume { condition, lock }
            }
            Kind::Notify(condition) => {
                let lock = self.lock_of(condition.0);
                Instruction::Notify { condition: condition.0, lock, all: false }
            }
            Kind::NotifyAll(condition) => {
                let lock = self.lock_of(condition.0);
                Instruction::Notify { condition: condition.0, lock, all: true }
            }
            Kind::WaitOr { to, condition, timed } => {
                let (condition, lock) = (condition.0, self.lock_of(condition.0));
                self.emit(Instruction::WaitOr { to: to.0, condition, lock });
                self.position.part = 1;
                Instruction::ResumeOr { to: to.0, condition, lock, timed: *timed }
            }
            Kind::Interrupt(child) => Instruction::Interrupt { child: *child },
            Kind::Interrupted(to) => Instruction::Interrupted { to: to.0 },
            Kind::Pass(lock) => Instruction::Pass { lock: lock.0 },
            Kind::Down(semaphore) => Instruction::Down { semaphore: semaphore.0 },
            Kind::Up(semaphore) => Instruction::Up { semaphore: semaphore.0 },
            Kind::Await(requirements, then) => {
                let guard = index(self.code.guards.len());
                let part = |requirement: &Requirement| {
                    let value = self.operand(&requirement.value, 0);
                    (requirement.location, requirement.operator, value)
                };
                let requirements = requirements.iter().map(part).collect();
                let then =
                    then.as_ref().map(|(location, value)| (*location, self.operand(value, 0)));
                self.code.guards.push(Guard { requirements, then });
                Instruction::Await { guard }
            }
            Kind::Input(to, bounds) => {
                let bounds = bounds.map(|bounds| {
                    self.code.bounds.push(bounds);
                    index(self.code.bounds.len() - 1)
                });
                Instruction::Input { to: to.0, bounds }
            }
            Kind::Choose(to, count) => Instruction::Choose { to: to.0, count: *count },
            Kind::Spawn(to, body) => Instruction::Spawn { to: to.0, body: body.0 },
            Kind::Join(thread) => Instruction::Join { thread: thread.0 },
            Kind::JoinOr(to, thread) => Instruction::JoinOr { to: to.0, thread: thread.0 },
            Kind::If(condition, yes, no) => return self.branches(condition, yes, no),
            Kind::While(condition, bound, body) => return self.repeats(condition, *bound, body),
            Kind::Assert(condition, kind, message) => {
                let failing = self.branch(condition);
                let over = self.jump();
                self.land(failing);
                self.fault(*kind, message);
                return self.land(over);
            }
            Kind::Fail(message) => return self.fault(FindingKind::Assertion, message),
            Kind::Unsupported(message) => return self.fault(FindingKind::Unsupported, message),
            Kind::Split(register, count) => return self.split(*register, *count),
        };
        self.emit(instruction);
    }

    fn branches(&mut self, condition: &Expr, yes: &[Statement], no: &[Statement]) {
        let otherwise = self.branch(condition);
        self.block(yes);
        if no.is_empty() {
            return self.land(otherwise);
        }
        let over = self.jump();
        self.land(otherwise);
        self.block(no);
        self.land(over);
    }

    fn repeats(&mut self, condition: &Expr, bound: Option<(Register, u32)>, body: &[Statement]) {
        let position = self.position;
        if let Some((counter, _)) = bound {
            self.emit(Instruction::Set { to: counter.0, from: Operand::Constant(0) });
        }
        let top = self.here();
        let full = bound.map(|(counter, bound)| {
            let counter = Expr::Register(counter);
            let bound = Expr::Constant(i32::try_from(bound).expect("a bound is an int"));
            self.branch(&Expr::binary(Operator::Less, counter, bound))
        });
        let done = self.branch(condition);
        if let Some((counter, _)) = bound {
            let one = Expr::binary(Operator::Add, Expr::Register(counter), Expr::Constant(1));
            self.assign(counter.0, &one);
        }
        self.block(body);
        self.position = position;
        self.emit(Instruction::Jump { target: top });
        self.land(done);
        if let Some(full) = full {
            self.land(full);
        }
    }

    fn split(&mut self, register: Register, count: u32) {
        let known = self.here();
        self.emit(Instruction::JumpIfKnown { register: register.0, target: 0 });
        let mut over = Vec::new();
        for value in 0..count {
            let constant = Operand::Constant(i32::try_from(value).expect("an index is an int"));
            self.position.part = value;
            let next = (value + 1 < count).then(|| {
                self.emit(Instruction::Branch {
                    operator: Operator::Equal,
                    left: Operand::Register(register.0),
                    right: constant,
                    otherwise: 0,
                })
            });
            self.emit(Instruction::Set { to: register.0, from: constant });
            if let Some(next) = next {
                over.push(self.jump());
                self.land(next);
            }
        }
        over.push(known);
        over.into_iter().for_each(|jump| self.land(jump));
    }

    /// A branch that falls through if the condition holds; where it goes otherwise is open.
    fn branch(&mut self, condition: &Expr) -> u32 {
        let (operator, left, right) = match condition {
            Expr::Binary(operator, left, right) if operator.is_comparison() => {
                (*operator, self.operand(left, 0), self.operand(right, 1))
            }
            other => (Operator::Different, self.operand(other, 0), Operand::Constant(0)),
        };
        self.emit(Instruction::Branch { operator, left, right, otherwise: 0 })
    }

    fn jump(&mut self) -> u32 {
        self.emit(Instruction::Jump { target: 0 })
    }

    /// Lets an open jump or branch lead here.
    fn land(&mut self, from: u32) {
        let here = self.here();
        match &mut self.code.instructions[from as usize] {
            Instruction::Jump { target }
            | Instruction::JumpIfKnown { target, .. }
            | Instruction::Branch { otherwise: target, .. } => *target = here,
            other => unreachable!("{other:?} is no jump"),
        }
    }

    fn fault(&mut self, kind: FindingKind, message: &str) {
        let fault = index(self.code.faults.len());
        let site = Site(self.position.line);
        self.code.faults.push(Fault::new(kind, message, site));
        self.emit(Instruction::Fault { fault });
    }

    fn assign(&mut self, to: u16, value: &Expr) {
        match value {
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.operand(left, 0), self.operand(right, 1));
                self.emit(Instruction::Binary { operator: *operator, to, left, right });
            }
            leaf => {
                let from = self.operand(leaf, 0);
                self.emit(Instruction::Set { to, from });
            }
        }
    }

    /// The value of an expression, in the temporary of this number if it must be computed.
    fn operand(&mut self, expr: &Expr, temporary: u16) -> Operand {
        match expr {
            Expr::Constant(number) => Operand::Constant(*number),
            Expr::Register(register) => Operand::Register(register.0),
            Expr::Binary(operator, left, right) => {
                let left = self.operand(left, temporary);
                let right = self.operand(right, temporary + 1);
                let to = self.temporaries + temporary;
                self.code.registers = self.code.registers.max(usize::from(to) + 1);
                self.emit(Instruction::Binary { operator: *operator, to, left, right });
                Operand::Register(to)
            }
        }
    }

    fn lock_of(&self, condition: u32) -> u32 {
        match self.ast.declarations[condition as usize].kind {
            LocationKind::Condition(lock) => lock,
            ref other => unreachable!("{other:?} is no condition"),
        }
    }

    fn here(&self) -> u32 {
        index(self.code.instructions.len())
    }

    fn emit(&mut self, instruction: Instruction) -> u32 {
        let here = self.here();
        self.code.instructions.push(instruction);
        self.code.positions.push(self.position);
        here
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("a program has fewer than 2^32 instructions")
}
