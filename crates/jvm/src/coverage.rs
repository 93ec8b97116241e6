//! Which instructions of the program were reached, and which ways its branches went.
//!
//! **Problem.** A report says which lines and branches an exploration has executed. The interpreter's
//! loop must not pay for it when nobody asks.
//!
//! **Idea.** The loop exists twice: for programs with and without unknowns. A machine that is watched
//! runs the one with unknowns, which looks at every instruction anyway and then notes it here. A
//! conditional jump or a switch is remembered until the next instruction shows which way it went.
//! Every place that a switch can lead to is a branch of its own, taken if the switch went there and
//! passed if it went elsewhere, on the line of that place. Marks are not undone when the machine goes
//! back: they are about all executions. An instruction before which a thread stands counts as
//! reached. Which rows of the table of natives are called while several threads run is noted as well, for tests that
//! go through the table.

use std::collections::BTreeMap;

use counterpoint_model::{BranchCoverage, FileCoverage};
use rustc_hash::FxHashSet;

use crate::classfile::ClassFile;
use crate::code::{Opcode, decode, is_branch};
use crate::error::Error;
use crate::load::{ClassPath, Origin, SourceFiles};
use crate::machine::Machine;
use crate::witness::route::{Author, Route};
use crate::world::{MethodId, World};

/// Marks of an instruction.
const REACHED: u8 = 1;
const TAKEN: u8 = 2;
const PASSED: u8 = 4;

/// Class, name and descriptor of a row of the table of natives.
pub(crate) type NativeName = (&'static str, &'static str, &'static str);

/// What is known of a method.
#[derive(Debug, Clone, Default)]
enum Seen {
    /// Nothing yet.
    #[default]
    New,
    /// It is not the user's.
    Foreign,
    /// Marks of its instructions.
    Marks(Box<[u8]>),
}

/// What a machine has executed.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    methods: Vec<Seen>,
    /// The conditional jump or the switch that was the last instruction.
    jump: Option<(MethodId, usize)>,
    /// Where switches went: their methods and numbers, and those of the instructions they led to.
    switched: FxHashSet<(MethodId, usize, usize)>,
    /// The rows of the table of natives that were called since a second thread was started.
    pub natives: FxHashSet<NativeName>,
    /// What threads come to, if somebody wants to follow them.
    pub route: Option<Route>,
}

impl Coverage {
    /// A thread begins to run: what was executed before is not what leads here.
    pub fn interrupt(&mut self, thread: usize) {
        self.jump = None;
        if let Some(route) = &mut self.route {
            route.begin(thread);
        }
    }

    /// A thread has come to an instruction in a frame that begins at this word.
    pub fn visit(&mut self, world: &World, method: MethodId, pc: usize, base: usize) {
        if let Some(route) = &mut self.route {
            let known = world.method(method);
            let author = match world.class(known.class).origin {
                _ if known.number == u16::MAX => Author::Machine,
                Origin::Program => Author::Program,
                Origin::Jdk => Author::Library,
            };
            route.visit(base, (method, pc as u32), author);
        }
        let index = method.0 as usize;
        if self.methods.len() <= index {
            self.methods.resize_with(index + 1, Seen::default);
        }
        if let Seen::New = self.methods[index] {
            let known = world.method(method);
            let own = world.class(known.class).origin == Origin::Program;
            self.methods[index] = match own {
                true => Seen::Marks(vec![0; known.code.instructions.len()].into()),
                false => Seen::Foreign,
            };
        }
        let jump = self.jump.take();
        let Seen::Marks(marks) = &mut self.methods[index] else { return };
        marks[pc] |= REACHED;
        if let Some((from, at)) = jump
            && from == method
        {
            if world.method(method).code.instructions[at].op == Opcode::Switch {
                self.switched.insert((method, at, pc));
            } else {
                marks[at] |= if pc == at + 1 { PASSED } else { TAKEN };
            }
        }
        let op = world.method(method).code.instructions[pc].op;
        if is_branch(op) || op == Opcode::Switch {
            self.jump = Some((method, pc));
        }
    }

    fn marks(&self, method: MethodId) -> &[u8] {
        match self.methods.get(method.0 as usize) {
            Some(Seen::Marks(marks)) => marks,
            _ => &[],
        }
    }
}

/// The name of the field that javac asks before every assertion.
const ASSERTIONS: &str = "$assertionsDisabled";

/// So many instructions has a constructor that the user did not write.
const NOTHING_WRITTEN: usize = 3;

/// What machines have executed of a program's classes, by source file.
pub(crate) fn summarise(
    class_path: &ClassPath,
    sources: &SourceFiles,
    machines: &[&Machine],
) -> Result<Vec<FileCoverage>, Error> {
    let mut files: BTreeMap<String, FileCoverage> = BTreeMap::new();
    for name in class_path.program_classes()? {
        let Some((bytes, Origin::Program)) = class_path.class(&name)? else { continue };
        let Ok(file) = ClassFile::parse(bytes) else { continue };
        let Some(source) = file.source_file.as_ref() else { continue };
        let covered = files.entry(sources.name(&name, source)).or_default();
        for method in file.methods() {
            let Some(code) = method.code.as_ref() else { continue };
            let Ok(code) = decode(&file, method, code) else { continue };
            if method.name == "<init>" && code.instructions.len() == NOTHING_WRITTEN {
                continue;
            }
            let mut marks = vec![0u8; code.instructions.len()];
            let mut switched = FxHashSet::default();
            for machine in machines {
                let (Some(coverage), Some(class)) =
                    (&machine.coverage, machine.world.loaded(&name))
                else {
                    continue;
                };
                let id = machine.world.declared(class, &method.name, &method.descriptor);
                let seen = id.map(|id| coverage.marks(id)).unwrap_or_default();
                // An initialiser has instructions of the machine's own before the user's.
                let added = seen.len().saturating_sub(marks.len());
                for (mark, seen) in marks.iter_mut().zip(&seen[added..]) {
                    *mark |= seen;
                }
                let own = coverage.switched.iter().filter(|(method, ..)| Some(*method) == id);
                switched.extend(own.map(|(_, at, to)| (at - added, to - added)));
            }
            let line_at = |pc: usize| {
                let next = code.lines.partition_point(|(start, _)| *start as usize <= pc);
                next.checked_sub(1).map(|index| u32::from(code.lines[index].1))
            };
            for (pc, instruction) in code.instructions.iter().enumerate() {
                let Some(line) = line_at(pc) else { continue };
                // javac's own check whether assertions are on is no branch of the user's.
                let asks = pc > 0
                    && code.instructions[pc - 1].op == Opcode::ResolveGetStatic
                    && member_name(&file, code.instructions[pc - 1].a).as_deref()
                        == Some(ASSERTIONS);
                *covered.lines.entry(line).or_default() |= marks[pc] & REACHED != 0;
                if instruction.op == Opcode::Switch {
                    let went: Vec<usize> =
                        switched.iter().filter(|(at, _)| *at == pc).map(|(_, to)| *to).collect();
                    for target in code.switches[instruction.a as usize].places() {
                        let taken = went.contains(&(target as usize));
                        let passed = went.iter().any(|to| *to != target as usize);
                        let line = line_at(target as usize).unwrap_or(line);
                        covered.branches.push(BranchCoverage { line, taken, passed });
                    }
                }
                if is_branch(instruction.op) && !asks {
                    let (taken, passed) = (marks[pc] & TAKEN != 0, marks[pc] & PASSED != 0);
                    covered.branches.push(BranchCoverage { line, taken, passed });
                }
            }
        }
    }
    let named = files.into_iter().map(|(file, mut covered)| {
        covered.branches.sort_by_key(|branch| branch.line);
        FileCoverage { file, ..covered }
    });
    Ok(named.collect())
}

/// The name of the member that an entry of the constant pool refers to.
fn member_name(file: &ClassFile, entry: u32) -> Option<String> {
    let entry = u16::try_from(entry).ok()?;
    file.pool.member(&file.bytes, entry).map(|member| member.name)
}
