//! From checked declarations to code: types expressions and statements, and emits instructions as it goes.
//!
//! Checking and lowering are one pass. A body is typed exactly once per use: functions once, a partial
//! function once per call (its function parameters are replaced by what the call gives it), a trait's method
//! once per class. Where a type is wrong, a message is reported and the value's type becomes
//! [`Type::Open`](crate::program::Type::Open), which fits anything, so that one mistake gives one message. A
//! model with errors is thrown away at the end; emitting its code anyway keeps every path the same.
//!
//! Functions of the library are lowered only when something refers to them.

mod bindings;
mod builder;
mod calls;
mod classes;
mod conditions;
mod constants;
mod constructors;
mod effects;
mod environment;
mod exceptions;
mod expansion;
mod expectations;
mod expressions;
mod free_variables;
mod functions;
mod guarded_effects;
mod guards;
mod loops;
mod mismatches;
mod names;
mod operators;
mod partial_functions;
mod patterns;
mod statements;

use rustc_hash::FxHashMap;

use crate::check::generation::Reading;
use crate::check::tables::{ModuleId, Tables};
use crate::diagnostics::Diagnostic;
use crate::machine::Facts;
use crate::program::{self, Body, BodyId, BodyOwner, FunctionId, Model};
use crate::source::{Sources, Span};
use crate::syntax::tree::MainBlock;

use builder::Builder;
use constants::Constants;
use environment::Lowering;

pub(crate) use expectations::WrittenExpectation;

/// What all bodies of a model share.
struct Shared<'a> {
    tables: &'a Tables<'a>,
    reading: &'a Reading,
    diagnostics: Vec<Diagnostic>,
    constants: Constants,
    functions: Vec<program::Function>,
    /// The numbers of the functions that something refers to, by their index in the tables.
    function_numbers: FxHashMap<usize, FunctionId>,
    /// Functions that have a number but no code yet.
    waiting: Vec<usize>,
    /// How many partial functions were expanded.
    expansions: usize,
    /// The partial functions being expanded, each in the one before, by their index in the tables.
    expanding: Vec<usize>,
    bodies: Vec<Option<Body>>,
}

/// Lowers everything. The main block is the chosen one; other main blocks are only checked.
pub(crate) fn lower<'a>(
    tables: &'a Tables<'a>,
    reading: &'a Reading,
    main_blocks: &[(ModuleId, &'a MainBlock)],
    expectations: &'a [WrittenExpectation],
    sources: Sources,
) -> (Option<Model>, Vec<Diagnostic>) {
    let mut shared = Shared::new(tables, reading);
    let mut main = None;
    for &(module, block) in main_blocks {
        let body = shared.main_block(module, block);
        main.get_or_insert(body);
    }
    let (classes, methods) = classes::lower(&mut shared);
    let about = main_blocks.first().map(|(module, _)| *module).zip(main);
    let expectations = match about {
        Some(about) => expectations.iter().map(|one| shared.expectation(about, one)).collect(),
        None => Vec::new(),
    };
    functions::lower(&mut shared);
    let mut diagnostics = std::mem::take(&mut shared.diagnostics);
    let bodies: Option<Vec<Body>> = shared.bodies.into_iter().collect();
    let mut model = bodies.map(|bodies| Model {
        sources,
        generation: reading.generation,
        data_types: data_types(tables),
        constructors: constructors(tables),
        constants: shared.constants.finish(),
        functions: shared.functions,
        interfaces: interfaces(tables),
        classes,
        methods,
        selectors: tables.selectors.names.clone(),
        bodies,
        main,
        expectations,
        facts: Facts::default(),
    });
    if let Some(model) = &model {
        guarded_effects::check(model, &mut diagnostics);
    }
    if let Some(model) = &mut model {
        names::shorten(model);
    }
    (model, diagnostics)
}

impl<'a> Shared<'a> {
    fn new(tables: &'a Tables<'a>, reading: &'a Reading) -> Self {
        Shared {
            tables,
            reading,
            diagnostics: Vec::new(),
            constants: Constants::new(),
            functions: Vec::new(),
            function_numbers: FxHashMap::default(),
            waiting: Vec::new(),
            expansions: 0,
            expanding: Vec::new(),
            bodies: Vec::new(),
        }
    }

    /// A number for a body whose code comes later.
    fn reserve_body(&mut self) -> BodyId {
        self.bodies.push(None);
        BodyId(self.bodies.len() as u32 - 1)
    }

    /// Enters the code of a body.
    fn finish_body(&mut self, id: BodyId, builder: Builder, owner: BodyOwner, span: Span) {
        let body = builder.finish(owner);
        if body.is_none() {
            let message = "this has too many variables or arguments";
            self.diagnostics
                .push(Diagnostic::error(span, message).hint("split it into several parts"));
        }
        self.bodies[id.index()] = body;
    }

    fn main_block(&mut self, module: ModuleId, main: &'a MainBlock) -> BodyId {
        let id = self.reserve_body();
        let span = main.block.span;
        let mut lowering = Lowering::for_main(self, module, span);
        lowering.body(&main.block);
        let builder = lowering.into_builder();
        self.finish_body(id, builder, BodyOwner::Main, span);
        id
    }
}

fn data_types(tables: &Tables<'_>) -> Vec<program::DataType> {
    let lowered = tables.data_types.iter().map(|data_type| program::DataType {
        name: data_type.name.clone(),
        module: tables.module(data_type.module).name.clone(),
        parameters: data_type.parameters.clone(),
        constructors: data_type.constructors.clone(),
    });
    lowered.collect()
}

fn constructors(tables: &Tables<'_>) -> Vec<program::Constructor> {
    let mut names: Vec<&str> =
        tables.constructors.iter().map(|constructor| &*constructor.name).collect();
    names.sort_unstable();
    names.dedup();
    let lowered = tables.constructors.iter().map(|constructor| program::Constructor {
        name: constructor.name.clone(),
        data_type: constructor.data_type,
        arguments: constructor.arguments.clone(),
        accessors: constructor
            .tree
            .arguments
            .iter()
            .map(|argument| argument.accessor.as_ref().map(|accessor| accessor.text.clone()))
            .collect(),
        rank: names.binary_search(&&*constructor.name).unwrap_or_default() as u32,
        span: constructor.tree.name.span,
    });
    lowered.collect()
}

fn interfaces(tables: &Tables<'_>) -> Vec<program::Interface> {
    let lowered = tables.interfaces.iter().map(|interface| program::Interface {
        name: interface.name.clone(),
        module: tables.module(interface.module).name.clone(),
        ancestors: interface.ancestors.clone(),
        methods: interface.methods.iter().map(|method| method.selector).collect(),
    });
    lowered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use crate::check::generation;
    use crate::library;
    use crate::syntax::tree::Unit;

    /// Everything in the library is well-typed, not only what models happen to use.
    #[test]
    fn the_whole_library_can_be_lowered() {
        let units: Vec<&Unit> = library::units().iter().collect();
        let mut diagnostics = Vec::new();
        let reading = generation::decide(&[], None, &mut diagnostics);
        let tables = check::tables(&units, &mut diagnostics);
        let mut shared = Shared::new(&tables, &reading);
        for index in 0..tables.functions.len() {
            shared.function_number(index);
        }
        classes::lower(&mut shared);
        functions::lower(&mut shared);
        diagnostics.append(&mut shared.diagnostics);
        assert_eq!(diagnostics, []);
    }

    #[test]
    fn every_builtin_is_declared_in_the_library() {
        let units: Vec<&Unit> = library::units().iter().collect();
        let tables = check::tables(&units, &mut Vec::new());
        for builtin in program::Builtin::ALL {
            let declared =
                tables.functions.iter().any(|function| function.builtin == Some(*builtin));
            assert!(declared, "{builtin:?}");
        }
    }
}
