//! A built program as the kernel sees it.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};

use counterpoint_model::{Choice, Input, Location, Pid, Place, ProcessNames, Program, Run, Site};
use counterpoint_symbolic::Limits;
use rustc_hash::FxHasher;

use crate::ast::Ast;
use crate::compile::Code;
use crate::machine::TestRun;
use crate::unknowns::InputNames;

/// A program made with the builder.
#[derive(Debug)]
pub struct TestProgram {
    ast: Ast,
    pub(crate) code: Code,
    pub(crate) names: ProcessNames,
    pub(crate) inputs: InputNames,
    pub(crate) rewinds: bool,
    pub(crate) marks_sparingly: bool,
}

impl TestProgram {
    pub(crate) fn new(ast: Ast) -> TestProgram {
        let code = Code::of(&ast);
        let inputs = InputNames::new(&ast);
        let names = ProcessNames::new();
        TestProgram { ast, code, names, inputs, rewinds: true, marks_sparingly: false }
    }

    /// The same program, whose runs cannot go back.
    pub fn no_rewind(mut self) -> TestProgram {
        self.rewinds = false;
        self
    }

    /// The same program, whose runs mark only places that somebody is likely to come back to.
    pub fn marking_sparingly(mut self) -> TestProgram {
        self.marks_sparingly = true;
        self
    }

    /// The same program, whose solver may spend only so much on a question.
    pub fn solver_limits(self, limits: Limits) -> TestProgram {
        self.inputs.limit_solver(limits);
        self
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.ast.name
    }

    /// The program as a tree.
    pub fn ast(&self) -> &Ast {
        &self.ast
    }

    /// The location of the process's own cell.
    pub fn cell(&self, process: Pid) -> Location {
        Location(self.static_locations() + process.0 * self.cells())
    }

    /// The location that says whether the process is interrupted, in a program in which some are.
    pub(crate) fn interrupt(&self, process: Pid) -> Location {
        Location(self.cell(process).0 + 1)
    }

    /// How many locations each process has.
    fn cells(&self) -> u32 {
        1 + u32::from(self.code.interrupts)
    }

    /// The process whose location this is, and which of its locations.
    fn owner(&self, location: Location) -> Option<(Pid, u32)> {
        let number = location.0.checked_sub(self.static_locations())?;
        Some((Pid(number / self.cells()), number % self.cells()))
    }

    /// The concrete final states in which an execution with these choices can end, over all values
    /// of its bounded inputs that lead along the same path. Unbounded inputs keep the value they
    /// have in the given inputs or by default.
    pub fn concrete_outcomes(&self, inputs: &[Input], choices: &[Choice]) -> BTreeSet<String> {
        let mut run = TestRun::new(self, inputs);
        for &choice in choices {
            run.step(choice);
        }
        run.concrete_outcomes()
    }

    pub(crate) fn static_locations(&self) -> u32 {
        u32::try_from(self.ast.declarations.len()).expect("fewer than 2^32 locations")
    }
}

impl Program for TestProgram {
    fn start(&self, inputs: &[Input]) -> Box<dyn Run + '_> {
        Box::new(TestRun::new(self, inputs))
    }

    fn names(&self) -> &ProcessNames {
        &self.names
    }

    fn place(&self, site: Site) -> Place {
        let body = self.ast.bodies.iter().rev().find(|body| body.line <= site.0);
        Place {
            file: "program".to_owned(),
            line: site.0,
            column: 0,
            function: body.map(|body| body.name.clone()).unwrap_or_default(),
        }
    }

    fn location_name(&self, location: Location) -> String {
        match self.owner(location) {
            None => self.ast.declarations[location.index()].name.clone(),
            Some((process, 0)) => format!("thread {}", self.names.path(process)),
            Some((process, _)) => format!("interrupt of thread {}", self.names.path(process)),
        }
    }

    fn location_key(&self, location: Location) -> Option<u64> {
        let Some((process, which)) = self.owner(location) else {
            return Some(location.0.into());
        };
        let mut hasher = FxHasher::default();
        (self.names.path(process), which).hash(&mut hasher);
        Some(hasher.finish())
    }

    fn fingerprint(&self) -> String {
        let mut hasher = FxHasher::default();
        self.ast.text.hash(&mut hasher);
        format!("{}-{:016x}", self.ast.name, hasher.finish())
    }
}

impl fmt::Display for TestProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ast.fmt(f)
    }
}
