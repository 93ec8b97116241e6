//! The table of natives, row by row: what threads share is seen, whoever touches it.
//!
//! For every row that reads or writes memory that it is given (copies, comparisons, reflection, `Unsafe`,
//! calls performed as one atomic call) there is a program of two threads, of which one calls the method and the
//! other reads or writes the same memory, and every explorer finds more than one outcome and the same
//! ones as all others; in a usual run half of the reductions look at each program, in turns. A row without a program, and without a reason why it touches nothing that threads
//! share, fails the test, so that a new row cannot be forgotten.

pub mod cases;
use crate::common;
pub mod programs;
pub mod synchronisers;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::OnceLock;

use counterpoint_jvm::{Claim, JavaProgram, NativeRow, Target, native_rows};
use counterpoint_model::{FindingKind, Program as _};
use programs::{
    Generated, command, compile_into, everyday, exists, is_for, is_indirect, is_refused, name_of,
    never_called, programs, sources, touches,
};

/// Executions after which an explorer stops.
const EXECUTIONS: u64 = 2000;

/// Set to try every access of `Unsafe` and not only some of each type.
const ALL: &str = "COUNTERPOINT_LONG";

/// The compiled programs.
fn compiled() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let pause = ("Pause".to_string(), common::PAUSE.to_string());
        let write = |(class, text): (String, String)| {
            let file = folder.path().join(class).with_extension("java");
            std::fs::write(&file, text).expect("it can be written");
            file
        };
        let files: Vec<_> = sources().into_iter().chain([pause]).map(write).collect();
        compile_into(folder.path(), &files);
        folder
    });
    folder.path()
}

fn load(number: usize) -> JavaProgram {
    let (main, argument) = command(number);
    let target = Target {
        paths: vec![compiled().to_path_buf()],
        main: Some(main),
        arguments: vec![argument],
        ..Target::default()
    };
    JavaProgram::load(&target).unwrap_or_else(|error| panic!("{error}"))
}

/// What is wrong with the program of a case, if anything.
fn check(number: usize, made: &Generated) -> Result<usize, String> {
    let program = load(number);
    let what = format!("{number}: {} {{{}}} beside {{{}}}", made.row, made.call, made.other);
    let mut wanted: Option<BTreeSet<String>> = None;
    for name in common::explorers_in_turn(number) {
        let (result, outcomes) = common::endings(name, &program, Some(EXECUTIONS));
        let refused =
            result.findings.iter().any(|found| found.finding.kind == FindingKind::Unsupported);
        if made.refused {
            if !refused {
                return Err(format!("{what} is not refused by {name}: {outcomes:?}"));
            }
            continue;
        }
        if let Some(found) = result.findings.first() {
            return Err(format!("{what} fails under {name}: {}", found.finding.message));
        }
        if outcomes.len() < 2 && (name != "exhaustive" || result.unexplored.is_none()) {
            return Err(format!("{what} has one outcome under {name}: {outcomes:?}"));
        }
        match &wanted {
            // Trying every interleaving takes too long for a few.
            Some(wanted) if result.unexplored.is_some() && name == "exhaustive" => {
                if !outcomes.is_subset(wanted) {
                    return Err(format!("{what}: {outcomes:?} under {name}, {wanted:?} before"));
                }
            }
            _ if result.unexplored.is_some() => {
                return Err(format!("{what} has very many executions under {name}"));
            }
            Some(wanted) if *wanted != outcomes => {
                return Err(format!("{what}: {outcomes:?} under {name}, {wanted:?} before"));
            }
            _ => wanted = Some(outcomes),
        }
    }
    Ok(wanted.map_or(0, |outcomes| outcomes.len()))
}

#[test]
fn every_row_has_a_program_or_a_reason() {
    let mut counts: BTreeMap<Claim, usize> = BTreeMap::new();
    let mut missing = Vec::new();
    for row in native_rows() {
        *counts.entry(row.claim).or_default() += 1;
        if !touches(&row) {
            continue;
        }
        let has_program = programs().iter().any(|made| is_for(&made.row, &row));
        if !has_program && !is_indirect(&row) {
            missing.push(format!("{}{}", name_of(&row), row.descriptor));
        }
    }
    println!("{counts:?}, {} programs", programs().len());
    assert_eq!(missing, Vec::<String>::new(), "rows without a program and without a reason");
}

/// Executions that are looked at for the calls that a program makes.
const WATCHED: u64 = 20;

/// Which rows the explorations of these programs call while several threads run: row and program.
fn called(numbers: &[usize]) -> Vec<(NativeRow, usize)> {
    let mut called = Vec::new();
    for &number in numbers {
        let program = load(number);
        program.watch();
        common::endings("optimal", &program, Some(WATCHED));
        called.extend(program.called_natives().into_iter().map(|row| (row, number)));
    }
    called
}

/// That a program is made for a row is a claim. Here the machine says which rows are called, once there are two
/// threads, in a program of which another test knows that its outcome depends on who comes first.
#[test]
#[ignore = "long"]
fn every_row_that_others_can_notice_is_called_beside_a_conflicting_access() {
    let numbers: Vec<usize> = (0..programs().len()).collect();
    let (some, others) = numbers.split_at(numbers.len() / 2);
    let called = std::thread::scope(|scope| {
        let first = scope.spawn(|| called(some));
        let mut all = called(others);
        all.extend(first.join().expect("no panic"));
        all
    });
    let mut shares: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    let mut apart: BTreeMap<Claim, usize> = BTreeMap::new();
    let mut missing = Vec::new();
    for row in native_rows().filter(exists) {
        if !touches(&row) {
            *apart.entry(row.claim).or_default() += 1;
            continue;
        }
        let calling = called.iter().filter(|(other, _)| *other == row).map(|(_, number)| *number);
        let calling: BTreeSet<usize> = calling.collect();
        let refused = is_refused(&row);
        let own = calling.iter().any(|number| is_for(&programs()[*number].row, &row));
        let share = shares.entry(format!("{:?}", row.claim)).or_default();
        share.0 += 1;
        share.1 += usize::from(!calling.is_empty() && !refused);
        share.2 += usize::from(refused);
        if !(own || is_indirect(&row) && !calling.is_empty() || never_called(&row)) {
            missing.push(format!("{}{}", name_of(&row), row.descriptor));
        }
    }
    for (claim, (all, share, refused)) in &shares {
        println!("{claim}: {share} of {all} rows called, {refused} more refuse what is shared");
    }
    println!("rows that touch nothing that threads share, by reason: {apart:?}");
    assert_eq!(missing, Vec::<String>::new(), "rows that no program calls");
}

#[test]
fn every_program_of_the_table_has_several_outcomes_under_its_explorers() {
    let all = std::env::var_os(ALL).is_some();
    let only = std::env::var("NATIVE_ROW").ok();
    let mut wrong = Vec::new();
    let (mut programs_run, mut outcomes) = (0, 0);
    let everyday = everyday();
    for (number, made) in programs().iter().enumerate() {
        if only.as_ref().is_some_and(|only| !made.row.contains(only.as_str())) {
            continue;
        }
        if !all && !everyday.contains(&number) {
            continue;
        }
        programs_run += 1;
        if only.is_some() {
            println!("{number}: {}", made.row);
        }
        let checked = catch_unwind(AssertUnwindSafe(|| check(number, made)));
        match checked {
            Ok(Ok(found)) => outcomes += found,
            Ok(Err(what)) => wrong.push(what),
            Err(cause) => {
                let text = cause.downcast_ref::<String>().cloned().unwrap_or_default();
                wrong.push(format!("{number}: {} {{{}}}: {text}", made.row, made.call));
            }
        }
    }
    println!("{programs_run} programs, {outcomes} outcomes under each of their explorers");
    assert!(wrong.is_empty(), "{} of {programs_run}:\n{}", wrong.len(), wrong.join("\n"));
}
