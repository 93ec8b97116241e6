//! Programs as trees: what the builder makes, the compiler reads and the oracle walks.
//!
//! Expressions know only registers and constants, so every statement has at most one visible
//! operation. The builder has already taken apart what could fail or fork inside an expression: a
//! divisor that is no constant is checked by an [`Kind::Assert`] before it is used, and an array
//! index that is no constant is checked and then made known by [`Kind::Split`].

use std::fmt;

use counterpoint_model::FindingKind;

/// A register: a local variable of a thread, zero at first.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Register(pub(crate) u16);

impl Register {
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Operators on 32-bit two's-complement integers. Comparisons are signed and give 0 or 1; shifts
/// use the low five bits of the amount and keep the sign to the right.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Operator {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::Equal => "==",
            Operator::Different => "!=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
        }
    }

    pub(crate) fn is_comparison(self) -> bool {
        use Operator::{AtLeast, AtMost, Different, Equal, Greater, Less};
        matches!(self, Equal | Different | Less | AtMost | Greater | AtLeast)
    }
}

/// Arithmetic on registers and constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A number.
    Constant(i32),
    /// What a register holds.
    Register(Register),
    /// Two operands.
    Binary(Operator, Box<Expr>, Box<Expr>),
}

impl Expr {
    pub(crate) fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Whether a division in it could fail.
    pub(crate) fn divides_by_unknown(&self) -> bool {
        match self {
            Expr::Constant(_) | Expr::Register(_) => false,
            Expr::Binary(operator, left, right) => {
                let division = matches!(operator, Operator::Divide | Operator::Remainder);
                let safe = matches!(**right, Expr::Constant(divisor) if divisor != 0);
                (division && !safe) || left.divides_by_unknown() || right.divides_by_unknown()
            }
        }
    }
}

/// A shared object: variable, array, lock, condition or semaphore. The number is the location of
/// the object, or of the array's first element.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object(pub(crate) u32);

/// What a read, write or update goes to.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// A location known when the program was built.
    Fixed(u32),
    /// The element of the array at this location that the register says; it is in bounds and known.
    Element(u32, Register),
}

/// What a waiting thread requires of a shared variable, whose values are all known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Requirement {
    /// The variable's location.
    pub(crate) location: u32,
    /// A comparison.
    pub(crate) operator: Operator,
    /// What the variable is compared with: a constant or a register that holds a known value.
    pub(crate) value: Expr,
}

/// The number of a thread body; 0 is the main thread's.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct BodyId(pub(crate) u16);

/// A statement and its line in the printed program.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Line from 1.
    pub line: u32,
    /// What it does.
    pub kind: Kind,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Computes; local.
    Set(Register, Expr),
    /// Reads a shared variable.
    Read(Register, Cell),
    /// Writes a shared variable.
    Write(Cell, Expr),
    /// Adds atomically; the register gets the old value.
    FetchAdd(Register, Cell, Expr),
    /// Compares and sets atomically; the register gets 1 if it succeeded and 0 if not.
    CompareAndSet {
        /// Where the result goes.
        to: Register,
        /// The variable.
        cell: Cell,
        /// What it must hold.
        expected: Expr,
        /// What it holds then.
        new: Expr,
    },
    /// Takes a lock.
    Acquire(Object),
    /// Takes a lock if nobody else holds it, and gives 1 if it did, else 0.
    TryAcquire(Register, Object),
    /// Frees a lock.
    Release(Object),
    /// Waits on a condition, whose lock is held.
    Wait(Object),
    /// Wakes one waiting thread.
    Notify(Object),
    /// Wakes all waiting threads.
    NotifyAll(Object),
    /// As [`Kind::Wait`], until notified or interrupted or, if it has a time limit, until time has passed,
    /// whenever that is. The register says which: 0, 2 or 1.
    WaitOr {
        /// Where it is said.
        to: Register,
        /// The condition.
        condition: Object,
        /// Whether it has a time limit.
        timed: bool,
    },
    /// Interrupts the child of the main thread that has this number, whether it has been started or not.
    Interrupt(u32),
    /// Whether the thread itself was interrupted, which is forgotten.
    Interrupted(Register),
    /// Waits until a lock is free, and takes and frees it in one step.
    Pass(Object),
    /// Takes a permit of a semaphore; blocked while there is none.
    Down(Object),
    /// Gives a permit to a semaphore.
    Up(Object),
    /// Blocked until all of these hold at once; they may come and go meanwhile. A variable may be
    /// given a value in the same step.
    Await(Vec<Requirement>, Option<(u32, Expr)>),
    /// An unknown, within these bounds if there are any; local.
    Input(Register, Option<(i32, i32)>),
    /// A number below this.
    Choose(Register, u32),
    /// Two ways.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// A loop, at most so often if bounded; the register counts then.
    While(Expr, Option<(Register, u32)>, Vec<Statement>),
    /// Fails unless the condition holds.
    Assert(Expr, FindingKind, String),
    /// Fails.
    Fail(String),
    /// Does something that the machine does not support: the thread goes no further.
    Unsupported(String),
    /// Makes a register that is at least 0 and less than this number known, one branch for each
    /// value but the last if it depends on an input. Local otherwise.
    Split(Register, u32),
    /// Starts a thread; the register refers to it.
    Spawn(Register, BodyId),
    /// Waits until the thread that the register refers to has ended.
    Join(Register),
    /// Waits until a thread has ended or this one is interrupted; the register, which comes first, says
    /// whether it was interrupted.
    JoinOr(Register, Register),
}

/// What a thread does.
#[derive(Clone, Debug)]
pub struct Body {
    /// How it is called in the printed program.
    pub name: String,
    /// The line of its heading.
    pub line: u32,
    /// The names of its registers.
    pub registers: Vec<String>,
    /// Which registers refer to threads; they are no numbers.
    pub handles: Vec<Register>,
    /// Its statements.
    pub statements: Vec<Statement>,
}

/// What a location is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocationKind {
    /// A variable or array element with its initial value.
    Variable {
        /// The initial value.
        initial: i32,
        /// Whether its accesses synchronise.
        volatile: bool,
    },
    /// A lock.
    Lock,
    /// A condition and the location of its lock.
    Condition(u32),
    /// A semaphore and its permits at first.
    Semaphore(i32),
}

/// A static location.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name, with the index for an array element.
    pub name: String,
    /// What it is.
    pub kind: LocationKind,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Ast {
    /// What it is called.
    pub name: String,
    /// The static locations, indexed by location.
    pub declarations: Vec<Declaration>,
    /// The thread bodies, the main thread's first.
    pub bodies: Vec<Body>,
    /// The printed program.
    pub text: Vec<String>,
}

impl Ast {
    pub(crate) fn new(name: String, declarations: Vec<Declaration>, bodies: Vec<Body>) -> Ast {
        let mut ast = Ast { name, declarations, bodies, text: Vec::new() };
        ast.lay_out();
        ast
    }

    /// Whether any statement satisfies the predicate.
    pub(crate) fn any(&self, predicate: impl Fn(&Kind) -> bool) -> bool {
        fn search(block: &[Statement], predicate: &dyn Fn(&Kind) -> bool) -> bool {
            block.iter().any(|statement| {
                predicate(&statement.kind)
                    || match &statement.kind {
                        Kind::If(_, yes, no) => search(yes, predicate) || search(no, predicate),
                        Kind::While(_, _, body) => search(body, predicate),
                        _ => false,
                    }
            })
        }
        self.bodies.iter().any(|body| search(&body.statements, &predicate))
    }

    /// Writes the program down and gives every statement the line it stands on.
    fn lay_out(&mut self) {
        let mut text = Vec::new();
        for declaration in &self.declarations {
            let name = &declaration.name;
            text.push(match &declaration.kind {
                LocationKind::Variable { initial, volatile: false } => {
                    format!("shared {name} = {initial}")
                }
                LocationKind::Variable { initial, volatile: true } => {
                    format!("volatile {name} = {initial}")
                }
                LocationKind::Lock => format!("lock {name}"),
                LocationKind::Condition(lock) => {
                    format!("condition {name} of {}", self.declarations[*lock as usize].name)
                }
                LocationKind::Semaphore(permits) => format!("semaphore {name} = {permits}"),
            });
        }
        let mut bodies = std::mem::take(&mut self.bodies);
        let names: Vec<String> = bodies.iter().map(|body| body.name.clone()).collect();
        for body in &mut bodies {
            text.push(format!("thread {}:", body.name));
            body.line = line_of(&text);
            let mut printer = Printer {
                declarations: &self.declarations,
                bodies: &names,
                registers: &body.registers,
                text: &mut text,
            };
            printer.block(1, &mut body.statements);
        }
        self.bodies = bodies;
        self.text = text;
    }
}

impl fmt::Display for Ast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.text.iter().enumerate() {
            writeln!(f, "{:3}  {line}", index + 1)?;
        }
        Ok(())
    }
}

fn line_of(text: &[String]) -> u32 {
    u32::try_from(text.len()).expect("a program has fewer than 2^32 lines")
}

struct Printer<'a> {
    declarations: &'a [Declaration],
    bodies: &'a [String],
    registers: &'a [String],
    text: &'a mut Vec<String>,
}

impl Printer<'_> {
    fn block(&mut self, depth: usize, block: &mut [Statement]) {
        for statement in block {
            let words = self.words(&statement.kind);
            self.text.push(format!("{:width$}{words}", "", width = 2 * depth));
            statement.line = line_of(self.text);
            match &mut statement.kind {
                Kind::If(_, yes, no) => {
                    self.block(depth + 1, yes);
                    if !no.is_empty() {
                        self.text.push(format!("{:width$}else:", "", width = 2 * depth));
                        self.block(depth + 1, no);
                    }
                }
                Kind::While(_, _, body) => self.block(depth + 1, body),
                _ => {}
            }
        }
    }

    fn words(&self, kind: &Kind) -> String {
        let name = |object: &Object| &self.declarations[object.0 as usize].name;
        let register = |register: &Register| &self.registers[register.index()];
        match kind {
            Kind::Set(to, value) => format!("{} = {}", register(to), self.expr(value)),
            Kind::Read(to, cell) => format!("{} = {}", register(to), self.cell(*cell)),
            Kind::Write(cell, value) => format!("{} = {}", self.cell(*cell), self.expr(value)),
            Kind::FetchAdd(to, cell, by) => {
                format!("{} = fetch_add({}, {})", register(to), self.cell(*cell), self.expr(by))
            }
            Kind::CompareAndSet { to, cell, expected, new } => format!(
                "{} = compare_and_set({}, {}, {})",
                register(to),
                self.cell(*cell),
                self.expr(expected),
                self.expr(new)
            ),
            Kind::Acquire(lock) => format!("acquire {}", name(lock)),
            Kind::TryAcquire(to, lock) => {
                format!("{} = try_acquire({})", register(to), name(lock))
            }
            Kind::Release(lock) => format!("release {}", name(lock)),
            Kind::Wait(condition) => format!("wait {}", name(condition)),
            Kind::Notify(condition) => format!("notify {}", name(condition)),
            Kind::NotifyAll(condition) => format!("notify all {}", name(condition)),
            Kind::WaitOr { to, condition, timed } => {
                let limit = if *timed { "for some time" } else { "unless interrupted" };
                format!("{} = wait {} {limit}", register(to), name(condition))
            }
            Kind::Interrupt(child) => format!("interrupt 0.{child}"),
            Kind::Interrupted(to) => format!("{} = interrupted()", register(to)),
            Kind::Pass(lock) => format!("pass {}", name(lock)),
            Kind::Down(semaphore) => format!("down {}", name(semaphore)),
            Kind::Up(semaphore) => format!("up {}", name(semaphore)),
            Kind::Await(requirements, then) => {
                let text = |requirement: &Requirement| {
                    let Requirement { location, operator, value } = requirement;
                    let variable = self.cell(Cell::Fixed(*location));
                    format!("{variable} {} {}", operator.symbol(), self.expr(value))
                };
                let texts: Vec<String> = requirements.iter().map(text).collect();
                let then = then.as_ref().map_or(String::new(), |(location, value)| {
                    format!(" then {} = {}", self.cell(Cell::Fixed(*location)), self.expr(value))
                });
                format!("await {}{then}", texts.join(" and "))
            }
            Kind::Input(to, None) => format!("{} = input()", register(to)),
            Kind::Input(to, Some((low, high))) => {
                format!("{} = input({low}, {high})", register(to))
            }
            Kind::Choose(to, count) => format!("{} = choose({count})", register(to)),
            Kind::If(condition, _, _) => format!("if {}:", self.expr(condition)),
            Kind::While(condition, None, _) => format!("while {}:", self.expr(condition)),
            Kind::While(condition, Some((counter, bound)), _) => {
                let counter = register(counter);
                format!("while {}, at most {bound} times by {counter}:", self.expr(condition))
            }
            Kind::Assert(condition, _, message) => {
                format!("assert {}, {message:?}", self.expr(condition))
            }
            Kind::Fail(message) => format!("fail {message:?}"),
            Kind::Unsupported(message) => format!("unsupported {message:?}"),
            Kind::Split(on, count) => format!("split {} below {count}", register(on)),
            Kind::Spawn(to, body) => {
                format!("{} = spawn {}", register(to), self.bodies[usize::from(body.0)])
            }
            Kind::Join(thread) => format!("join {}", register(thread)),
            Kind::JoinOr(to, thread) => {
                format!("{} = join {} unless interrupted", register(to), register(thread))
            }
        }
    }

    fn cell(&self, cell: Cell) -> String {
        match cell {
            Cell::Fixed(location) => self.declarations[location as usize].name.clone(),
            Cell::Element(base, register) => {
                let first = &self.declarations[base as usize].name;
                let array = first.split('[').next().unwrap_or(first);
                format!("{array}[{}]", self.registers[register.index()])
            }
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Constant(number) => number.to_string(),
            Expr::Register(register) => self.registers[register.index()].clone(),
            Expr::Binary(operator, left, right) => {
                let part = |side: &Expr| match side {
                    Expr::Binary(..) => format!("({})", self.expr(side)),
                    _ => self.expr(side),
                };
                format!("{} {} {}", part(left), operator.symbol(), part(right))
            }
        }
    }
}
