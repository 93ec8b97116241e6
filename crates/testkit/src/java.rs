//! Built programs as Java sources, to compare what a Java machine makes of them with the oracle.
//!
//! Each statement becomes one operation of the Java program, so that both have the same traces:
//! variables become static fields, or atomic integers if they are updated; registers become local
//! variables; thread bodies become static methods that get the path of their thread. What has no Java
//! counterpart with the same steps (choices by the scheduler, waiting for several variables at once,
//! locks that are not nested, in monitors) is refused.

use counterpoint_model::FindingKind;

use crate::TestProgram;
use crate::ast::{Ast, Body, Cell, Expr, Kind, LocationKind, Object, Register, Statement};

/// What locks become.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Locks {
    /// Objects that are synchronized on, with `wait` and `notify`.
    Monitors,
    /// Locks of the library. A signal goes to the thread that has waited longest, so only programs that
    /// wake all waiting threads have the same steps.
    Library,
}

/// A Java program.
#[derive(Clone, Debug)]
pub struct JavaSource {
    /// The text of the class.
    pub text: String,
    /// For every line of the text, from 1, the line of the statement that it came from; 0 if none.
    pub lines: Vec<u32>,
}

/// The program as a class of this name; none if it has no Java counterpart. With `report`, every
/// thread that ends without a failure prints its path and its registers, as in final states.
pub fn source(
    program: &TestProgram,
    class: &str,
    locks: Locks,
    report: bool,
) -> Option<JavaSource> {
    let ast = program.ast();
    let mut writer =
        Writer { ast, locks, report, text: String::new(), lines: vec![0], line: 0, depth: 0 };
    writer.class(class)?;
    Some(JavaSource { text: writer.text, lines: writer.lines })
}

struct Writer<'a> {
    ast: &'a Ast,
    locks: Locks,
    report: bool,
    text: String,
    lines: Vec<u32>,
    /// The line of the present statement.
    line: u32,
    depth: usize,
}

impl Writer<'_> {
    fn put(&mut self, line: &str) {
        let closing = line.starts_with('}');
        self.depth -= usize::from(closing);
        self.text.push_str(&"    ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(self.line);
        self.depth += usize::from(line.ends_with('{'));
    }

    fn class(&mut self, class: &str) -> Option<()> {
        self.put("import counterpoint.Input;");
        self.put("import java.util.concurrent.*;");
        self.put("import java.util.concurrent.atomic.*;");
        self.put("import java.util.concurrent.locks.*;");
        self.put(&format!("public class {class} {{"));
        self.declarations();
        self.put("public static void main(String[] args) throws InterruptedException {");
        self.put("body0(\"0\");");
        self.put("}");
        for (number, body) in self.ast.bodies.iter().enumerate() {
            self.body(number, body)?;
        }
        self.line = 0;
        self.put("}");
        Some(())
    }

    fn declarations(&mut self) {
        let ast = self.ast;
        let mut location = 0;
        while let Some(declaration) = ast.declarations.get(location) {
            let name = &declaration.name;
            let line = match &declaration.kind {
                LocationKind::Variable { .. } if name.ends_with("[0]") => {
                    let array = array_name(name);
                    let prefix = format!("{array}[");
                    let elements = ast.declarations[location..].iter();
                    let elements = elements.take_while(|other| other.name.starts_with(&prefix));
                    let values: Vec<String> = elements.map(|e| initial(&e.kind)).collect();
                    location += values.len() - 1;
                    format!("static final int[] {array} = {{{}}};", values.join(", "))
                }
                kind @ LocationKind::Variable { .. } if self.is_updated(location) => {
                    let value = initial(kind);
                    format!("static final AtomicInteger {name} = new AtomicInteger({value});")
                }
                kind @ LocationKind::Variable { volatile, .. } => {
                    let modifier = if *volatile { "volatile " } else { "" };
                    format!("static {modifier}int {name} = {};", initial(kind))
                }
                LocationKind::Lock if self.locks == Locks::Monitors => {
                    format!("static final Object {name} = new Object();")
                }
                LocationKind::Lock => {
                    format!("static final ReentrantLock {name} = new ReentrantLock();")
                }
                LocationKind::Condition(_) if self.locks == Locks::Monitors => String::new(),
                LocationKind::Condition(lock) => {
                    let lock = &ast.declarations[*lock as usize].name;
                    format!("static final Condition {name} = {lock}.newCondition();")
                }
                LocationKind::Semaphore(permits) => {
                    format!("static final Semaphore {name} = new Semaphore({permits});")
                }
            };
            self.put(&line);
            location += 1;
        }
    }

    fn is_updated(&self, location: usize) -> bool {
        self.ast.any(|kind| match kind {
            Kind::FetchAdd(_, cell, _) | Kind::CompareAndSet { cell, .. } => {
                matches!(cell, Cell::Fixed(other) if *other as usize == location)
            }
            _ => false,
        })
    }

    fn body(&mut self, number: usize, body: &Body) -> Option<()> {
        self.line = body.line;
        self.put(&format!("static void body{number}(String path) throws InterruptedException {{"));
        self.put("int children = 0;");
        for index in 0..body.registers.len() {
            let is_thread = body.handles.iter().any(|handle| handle.index() == index);
            self.put(&match is_thread {
                true => format!("Thread v{index} = null;"),
                false => format!("int v{index} = 0;"),
            });
        }
        let rest = self.block(&body.statements, None)?;
        debug_assert!(rest.is_empty(), "a block without a lock goes to its end");
        self.line = body.line;
        if self.report {
            let values = body.registers.iter().enumerate().map(|(index, name)| {
                let is_thread = body.handles.iter().any(|handle| handle.index() == index);
                match is_thread {
                    true => String::new(),
                    false => format!(" + \" {name}=\" + v{index}"),
                }
            });
            let values: String = values.collect();
            self.put(&format!("System.out.println(path + \" done\"{values});"));
        }
        self.put("}");
        Some(())
    }

    /// Writes statements up to the one that frees the lock that was taken last, or all; what is left.
    fn block<'s>(
        &mut self,
        mut block: &'s [Statement],
        held: Option<Object>,
    ) -> Option<&'s [Statement]> {
        while let Some((statement, rest)) = block.split_first() {
            block = rest;
            self.line = statement.line;
            match (&statement.kind, self.locks) {
                (Kind::Acquire(lock), Locks::Monitors) => {
                    self.put(&format!("synchronized ({}) {{", self.name(*lock)));
                    block = self.block(block, Some(*lock))?;
                    self.put("}");
                }
                (Kind::Release(lock), Locks::Monitors) => {
                    return (held == Some(*lock)).then_some(block);
                }
                (kind, _) => self.statement(kind)?,
            }
        }
        held.is_none().then_some(block)
    }

    fn whole_block(&mut self, block: &[Statement]) -> Option<()> {
        let rest = self.block(block, None)?;
        rest.is_empty().then_some(())
    }

    fn statement(&mut self, kind: &Kind) -> Option<()> {
        let monitors = self.locks == Locks::Monitors;
        let line = match kind {
            Kind::Set(to, value) => format!("{} = {};", name(*to), expr(value)),
            Kind::Read(to, cell) => format!("{} = {};", name(*to), self.read(*cell)),
            Kind::Write(cell, value) => self.write(*cell, &expr(value)),
            Kind::FetchAdd(to, cell, by) => {
                format!("{} = {}.getAndAdd({});", name(*to), self.fixed(*cell)?, expr(by))
            }
            Kind::CompareAndSet { to, cell, expected, new } => {
                let (expected, new) = (expr(expected), expr(new));
                let cell = self.fixed(*cell)?;
                format!("{} = {cell}.compareAndSet({expected}, {new}) ? 1 : 0;", name(*to))
            }
            Kind::Acquire(lock) => format!("{}.lock();", self.name(*lock)),
            Kind::TryAcquire(..) if monitors => return None,
            Kind::TryAcquire(to, lock) => {
                format!("{} = {}.tryLock() ? 1 : 0;", name(*to), self.name(*lock))
            }
            Kind::Release(lock) => format!("{}.unlock();", self.name(*lock)),
            Kind::Wait(condition) if monitors => format!("{}.wait();", self.lock_of(*condition)),
            Kind::Wait(condition) => format!("{}.awaitUninterruptibly();", self.name(*condition)),
            Kind::Notify(condition) if monitors => {
                format!("{}.notify();", self.lock_of(*condition))
            }
            Kind::Notify(_) => return None,
            Kind::NotifyAll(condition) if monitors => {
                format!("{}.notifyAll();", self.lock_of(*condition))
            }
            Kind::NotifyAll(condition) => format!("{}.signalAll();", self.name(*condition)),
            Kind::Down(semaphore) => format!("{}.acquireUninterruptibly();", self.name(*semaphore)),
            Kind::Up(semaphore) => format!("{}.release();", self.name(*semaphore)),
            Kind::Await(requirements, then) => {
                let ([requirement], None) = (&requirements[..], then) else { return None };
                let value = self.read(Cell::Fixed(requirement.location));
                let (operator, other) = (requirement.operator.symbol(), expr(&requirement.value));
                format!("while (!({value} {operator} {other})) {{ }}")
            }
            Kind::Input(to, None) => format!("{} = Input.anyInt();", name(*to)),
            Kind::Input(to, Some((low, high))) => {
                format!("{} = {low} + Input.choose({});", name(*to), high - low + 1)
            }
            Kind::Choose(..) => return None,
            Kind::If(condition, yes, no) => return self.branches(condition, yes, no),
            Kind::While(condition, bound, body) => {
                let line = self.line;
                let limit = bound.map_or(String::new(), |(counter, bound)| {
                    format!("{} < {bound} && ", name(counter))
                });
                if let Some((counter, _)) = bound {
                    self.put(&format!("{} = 0;", name(*counter)));
                }
                self.put(&format!("while ({limit}{}) {{", truth(condition)));
                if let Some((counter, _)) = bound {
                    self.put(&format!("{}++;", name(*counter)));
                }
                self.whole_block(body)?;
                self.line = line;
                "}".to_owned()
            }
            Kind::Assert(condition, kind, message) => {
                let thrown = thrown(*kind, message);
                format!("if (!({})) {thrown}", truth(condition))
            }
            Kind::Unsupported(_)
            | Kind::WaitOr { .. }
            | Kind::Interrupt(_)
            | Kind::Interrupted(_)
            | Kind::JoinOr(..)
            | Kind::Pass(_) => return None,
            Kind::Fail(message) => format!("if (true) {}", thrown(FindingKind::Assertion, message)),
            Kind::Split(register, count) => {
                let register = name(*register);
                let case =
                    |value| format!("if ({register} == {value}) {register} = {value}; else ");
                let cases: String = (0..count - 1).map(case).collect();
                format!("{cases}{register} = {};", count - 1)
            }
            Kind::Spawn(to, body) => {
                self.put("{");
                self.put("final String child = path + \".\" + children++;");
                self.put(&format!("{} = new Thread(() -> {{", name(*to)));
                self.put("try {");
                self.put(&format!("body{}(child);", body.0));
                self.put("} catch (InterruptedException stopped) {");
                self.put("throw new IllegalStateException(stopped);");
                self.put("}");
                self.put("});");
                self.put(&format!("{}.start();", name(*to)));
                "}".to_owned()
            }
            Kind::Join(thread) => format!("{}.join();", name(*thread)),
        };
        self.put(&line);
        Some(())
    }

    fn branches(&mut self, condition: &Expr, yes: &[Statement], no: &[Statement]) -> Option<()> {
        self.put(&format!("if ({}) {{", truth(condition)));
        self.whole_block(yes)?;
        if !no.is_empty() {
            self.put("} else {");
            self.whole_block(no)?;
        }
        self.put("}");
        Some(())
    }

    fn name(&self, object: Object) -> &str {
        &self.ast.declarations[object.0 as usize].name
    }

    fn lock_of(&self, condition: Object) -> &str {
        match self.ast.declarations[condition.0 as usize].kind {
            LocationKind::Condition(lock) => self.name(Object(lock)),
            ref other => unreachable!("{other:?} is no condition"),
        }
    }

    /// The name of an atomic variable.
    fn fixed(&self, cell: Cell) -> Option<&str> {
        match cell {
            Cell::Fixed(location) => Some(self.name(Object(location))),
            Cell::Element(..) => None,
        }
    }

    fn read(&self, cell: Cell) -> String {
        match cell {
            Cell::Fixed(location) if self.is_updated(location as usize) => {
                format!("{}.get()", self.name(Object(location)))
            }
            Cell::Fixed(location) => self.name(Object(location)).to_owned(),
            Cell::Element(base, index) => {
                format!("{}[{}]", array_name(self.name(Object(base))), name(index))
            }
        }
    }

    fn write(&self, cell: Cell, value: &str) -> String {
        match cell {
            Cell::Fixed(location) if self.is_updated(location as usize) => {
                format!("{}.set({value});", self.name(Object(location)))
            }
            other => format!("{} = {value};", self.read(other)),
        }
    }
}

fn array_name(element: &str) -> &str {
    element.split('[').next().unwrap_or(element)
}

fn initial(kind: &LocationKind) -> String {
    match kind {
        LocationKind::Variable { initial, .. } => initial.to_string(),
        other => unreachable!("{other:?} has no value"),
    }
}

fn name(register: Register) -> String {
    format!("v{}", register.index())
}

fn thrown(kind: FindingKind, message: &str) -> String {
    let class = if kind == FindingKind::Assertion { "AssertionError" } else { "RuntimeException" };
    format!("throw new {class}({message:?});")
}

/// A condition as a Java condition, with one branch where it is a comparison.
fn truth(condition: &Expr) -> String {
    match condition {
        Expr::Binary(operator, left, right) if operator.is_comparison() => {
            format!("{} {} {}", expr(left), operator.symbol(), expr(right))
        }
        other => format!("{} != 0", expr(other)),
    }
}

fn expr(value: &Expr) -> String {
    match value {
        Expr::Constant(number) => format!("({number})"),
        Expr::Register(register) => name(*register),
        Expr::Binary(operator, ..) if operator.is_comparison() => {
            format!("({} ? 1 : 0)", truth(value))
        }
        Expr::Binary(operator, left, right) => {
            format!("({} {} {})", expr(left), operator.symbol(), expr(right))
        }
    }
}
