//! What lowered code looks like and what it promises.

use std::fs;
use std::path::{Path, PathBuf};

use counterpoint_abs::library;
use counterpoint_abs::program::{
    Body, BodyId, ConstantId, ConstructorId, DataTypeId, GuardPart, Instruction, InterfaceId,
    Model, Operand, Place, SlotId,
};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::syntax::tree::DeclarationKind;
use counterpoint_abs::{LoadOptions, load};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn model(name: &str) -> Model {
    let path = folder().join("corpus").join(name);
    let text = fs::read_to_string(path).expect("a model can be read");
    loaded(name, &text)
}

fn loaded(name: &str, text: &str) -> Model {
    let result = load(vec![SourceFile::new(name, text)], &LoadOptions::default());
    result.model.unwrap_or_else(|| panic!("{name} loads: {:#?}", result.diagnostics))
}

fn corpus() -> Vec<(String, Model)> {
    let entries = fs::read_dir(folder().join("corpus")).expect("the corpus can be read");
    let names = entries.map(|entry| {
        entry.expect("an entry can be read").file_name().to_string_lossy().into_owned()
    });
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".abs")).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), model(&name))).collect()
}

/// Listings are golden files; run with `BLESS=1` after a change and read the difference.
#[test]
fn the_code_of_these_models_is_as_expected() {
    for name in ["factorial", "database_workers", "try_finally", "traits", "sleeping_barber"] {
        let path = folder().join("listings").join(format!("{name}.txt"));
        let found = model(&format!("{name}.abs")).listing();
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &found).expect("the expectation can be written");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert!(expected == found, "{name} is now:\n{found}");
    }
}

#[test]
fn fixed_numbers_are_those_of_the_library() {
    let model = loaded("m.abs", "module M; { skip; }");
    for &(id, name) in ConstructorId::FIXED {
        assert_eq!(&*model.constructor(id).name, name);
    }
    for &(id, name) in DataTypeId::FIXED {
        assert_eq!(&*model.data_type(id).name, name);
    }
    for &(id, name) in InterfaceId::FIXED {
        assert_eq!(&*model.interfaces[id.index()].name, name);
    }
    for &(id, name) in ConstantId::FIXED {
        assert_eq!(model.constant_text(id), name);
    }
}

#[test]
fn constructor_ranks_are_in_alphabetical_order() {
    let model = model("patterns.abs");
    let mut by_rank: Vec<(u32, &str)> = model
        .constructors
        .iter()
        .map(|constructor| (constructor.rank, &*constructor.name))
        .collect();
    by_rank.sort_unstable();
    assert!(by_rank.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    assert!(by_rank.windows(2).all(|pair| (pair[0].0 == pair[1].0) == (pair[0].1 == pair[1].1)));
}

#[test]
fn every_body_keeps_its_promises() {
    for (name, model) in corpus() {
        for (index, body) in model.bodies.iter().enumerate() {
            let body_name = model.body_name(BodyId(index as u32));
            check_tables(body, &format!("{name}: {body_name}"));
            check_temporaries(body, &format!("{name}: {body_name}"));
        }
    }
}

fn check_tables(body: &Body, name: &str) {
    let length = body.code.len();
    assert_eq!((body.spans.len(), body.sites.len()), (length, length), "{name}");
    assert_eq!(body.variables.len(), usize::from(body.locals), "{name}");
    assert!(body.parameters <= body.locals && body.locals <= body.slots, "{name}");
    assert!(body.sites.iter().all(|&site| (site as usize) < body.statements.len()), "{name}");
    assert!(body.code.last().is_some_and(|last| last.ends()), "{name} runs off its end");
    let slot_fits = |slot: SlotId| slot.0 < body.slots;
    for instruction in &body.code {
        let mut copy = *instruction;
        if let Some(&mut target) = copy.target_mut() {
            assert!((target as usize) < length, "{name}: a jump leaves the body");
        }
        let operands = instruction.operands().into_iter().flatten();
        let arguments = instruction.arguments().map(|arguments| body.arguments(arguments).to_vec());
        for operand in operands.chain(arguments.into_iter().flatten()) {
            assert!(!matches!(operand, Operand::Slot(slot) if !slot_fits(slot)), "{name}");
        }
        assert!(
            !matches!(instruction.place(), Some(Place::Slot(slot)) if !slot_fits(slot)),
            "{name}"
        );
    }
    for guard in &body.guards {
        for part in &guard.parts {
            if let GuardPart::Condition(target) = part {
                check_condition(body, *target as usize, name);
            }
        }
    }
    for handler in &body.handlers {
        assert!(handler.start <= handler.end && (handler.target as usize) < length, "{name}");
        assert!(handler.slot.0 < body.locals, "{name}: an exception goes to a temporary");
    }
}

/// The code of a condition ends with `Yield`, writes only temporaries and has no effects.
fn check_condition(body: &Body, start: usize, name: &str) {
    let mut pending = vec![start];
    let mut seen = vec![false; body.code.len()];
    while let Some(index) = pending.pop() {
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        let mut instruction = body.code[index];
        assert!(
            !stops(instruction) && !matches!(instruction, Instruction::Return { .. }),
            "{name}"
        );
        match instruction.place() {
            Some(Place::Slot(slot)) => {
                assert!(slot.0 >= body.locals, "{name}: a condition writes a variable")
            }
            Some(Place::Field(_)) => panic!("{name}: a condition writes a field"),
            Some(Place::Nowhere) | None => {}
        }
        pending.extend(instruction.target_mut().map(|target| *target as usize));
        if !instruction.ends() {
            pending.push(index + 1);
        }
    }
}

/// Whether a task can stop at an instruction.
fn stops(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Await { .. }
            | Instruction::Get { .. }
            | Instruction::Suspend
            | Instruction::Duration { .. }
            | Instruction::CallMethod { .. }
            | Instruction::CallOwn { .. }
            | Instruction::New { .. }
    )
}

/// No temporary is needed after an instruction at which a task can stop, unless that instruction writes it.
fn check_temporaries(body: &Body, name: &str) {
    let length = body.code.len();
    let temporaries = usize::from(body.slots - body.locals);
    let number = |slot: SlotId| slot.0.checked_sub(body.locals).map(usize::from);
    // For each instruction, the temporaries whose values are needed before it.
    let mut needed = vec![vec![false; temporaries]; length + 1];
    loop {
        let mut changed = false;
        for index in (0..length).rev() {
            let mut instruction = body.code[index];
            let mut after = vec![false; temporaries];
            let mut successors: Vec<usize> =
                instruction.target_mut().map(|target| *target as usize).into_iter().collect();
            if !instruction.ends() {
                successors.push(index + 1);
            }
            for successor in successors {
                for (slot, flag) in needed[successor].iter().enumerate() {
                    after[slot] |= flag;
                }
            }
            if let Some(slot) = instruction.place().and_then(|place| match place {
                Place::Slot(slot) => number(slot),
                _ => None,
            }) {
                after[slot] = false;
            }
            if stops(instruction) {
                assert!(
                    !after.contains(&true),
                    "{name}: a temporary is needed behind instruction {index}"
                );
            }
            let listed =
                instruction.arguments().map(|arguments| body.arguments(arguments).to_vec());
            let operands =
                instruction.operands().into_iter().flatten().chain(listed.into_iter().flatten());
            for operand in operands {
                if let Operand::Slot(slot) = operand
                    && let Some(slot) = number(slot)
                {
                    after[slot] = true;
                }
            }
            changed |= needed[index] != after;
            needed[index] = after;
        }
        if !changed {
            break;
        }
    }
    let first = needed.first().is_some_and(|before| before.contains(&true));
    assert!(!first, "{name}: a temporary is read before it is written");
}

#[test]
fn recursion_in_tail_position_needs_no_frame() {
    let text = "module M; def Int count(Int n, Int seen) = when n == 0 then seen else count(n - 1, seen + 1);
        def Int last(List<Int> l) = case l { Cons(x, Nil) => x; Cons(_, rest) => last(rest); };
        def Int fold(Int n) = foldl((Int x, Int sum) => x + sum)(range(1, n), 0); { Int x = count(1, 0); }";
    let model = loaded("m.abs", text);
    for name in ["count", "last", "foldl", "rangeOnto"] {
        let function =
            model.functions.iter().find(|function| &*function.name == name).expect("it is reached");
        let code = &model.body(function.body).code;
        assert!(
            code.iter().any(|instruction| matches!(instruction, Instruction::TailCall { .. })),
            "{name}"
        );
        assert!(
            !code.iter().any(|instruction| matches!(instruction, Instruction::Call { .. })),
            "{name}"
        );
    }
}

#[test]
fn literals_are_built_while_loading() {
    let text = "module M; { List<Pair<Int, String>> l = list[Pair(1, \"a\"), Pair(-2, `b`)]; Maybe<Bool> m = Just(!False); }";
    let model = loaded("m.abs", text);
    let main = model.body(model.main.expect("there is a main block"));
    let copies = main
        .code
        .iter()
        .filter(|instruction| matches!(instruction, Instruction::Copy { .. }))
        .count();
    assert_eq!((copies, main.code.len()), (2, 3), "{}", model.listing());
}

#[test]
fn a_model_contains_only_the_library_functions_it_needs() {
    let model = loaded("m.abs", "module M; { Int n = length(list[1]); }");
    let names: Vec<&str> = model.functions.iter().map(|function| &*function.name).collect();
    assert_eq!(names, ["length", "lengthFrom"]);
    assert!(model.classes.is_empty());
}

#[test]
fn a_guard_knows_the_fields_it_reads() {
    let text = "module M; class C(Int limit) { Int n = 0; Fut<Int> f; Bool b = False;
        Unit m(Int k) { await n + k < limit & f? & b; } } { skip; }";
    let model = loaded("m.abs", text);
    let method = model.methods.first().expect("there is a method");
    let guard = &model.body(method.body).guards[0];
    let fields: Vec<&str> =
        guard.reads.iter().map(|field| &*model.classes[0].fields[field.index()].name).collect();
    assert_eq!(fields, ["limit", "n", "f", "b"]);
    assert!(matches!(
        guard.parts[..],
        [GuardPart::Condition(_), GuardPart::Future(_), GuardPart::Value(_)]
    ));
}

#[test]
fn the_corpus_uses_every_function_of_the_standard_library() {
    let mut used: Vec<String> = Vec::new();
    for (_, model) in corpus() {
        used.extend(model.functions.iter().map(|function| function.name.to_string()));
        for instruction in model.bodies.iter().flat_map(|body| &body.code) {
            if let Instruction::Builtin { builtin, .. } = instruction {
                used.push(builtin.name().1.to_owned());
            }
        }
    }
    for declaration in &library::units()[0].modules[0].declarations {
        let name = match &declaration.kind {
            DeclarationKind::Function(function) => &function.name,
            DeclarationKind::PartialFunction(function) => &function.name,
            _ => continue,
        };
        assert!(used.iter().any(|used| **used == *name.text), "no model uses `{name}`");
    }
}

#[test]
fn the_corpus_uses_every_kind_of_instruction() {
    let mut kinds: Vec<String> = Vec::new();
    for (_, model) in corpus() {
        for instruction in model.bodies.iter().flat_map(|body| &body.code) {
            let shown = format!("{instruction:?}");
            let kind = shown.split_whitespace().next().unwrap_or_default().to_owned();
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    kinds.sort();
    let expected = "Assert Await Binary Branch Builtin Call CallMethod CallOwn Cast Compare Construct Copy Die Duration \
        Fail Get Implements Jump List New Project Return Send SetDeadline Suspend TailCall Test TestConstructor Throw \
        Unary Yield";
    assert_eq!(kinds.join(" "), expected);
}
