//! Single features of built programs, on the run and on the oracle.

use std::collections::BTreeSet;

use counterpoint_model::{Choice, End, Feasible, Input, Location, Next, Op, Pid, Program, Run};
use counterpoint_testkit::builder::{Builder, Comparable};
use counterpoint_testkit::{TestProgram, examples, oracle};

/// Runs the lowest ready process, preferred alternatives first, and gives the faults.
fn run_through<'p>(program: &'p TestProgram, inputs: &[Input]) -> (Box<dyn Run + 'p>, Vec<String>) {
    let mut run = program.start(inputs);
    let mut faults = Vec::new();
    while let Some(process) = (0..run.processes()).map(Pid).find(|&pid| run.next(pid).is_ready()) {
        let alternative = run.alternatives(process).preferred;
        let event = run.step(Choice { process, alternative });
        faults.extend(event.fault.map(|fault| fault.message));
    }
    (run, faults)
}

/// The oracle's failures, which the first schedule must show too.
fn check_failure(program: &TestProgram, message: &str) {
    let findings = oracle::enumerate(program, 100_000).expect("small");
    let messages: Vec<&str> = findings.failures.iter().map(|f| &*f.message).collect();
    assert_eq!(messages, [message], "{program}");
    assert_eq!(run_through(program, &[]).1, [message], "{program}");
}

#[test]
fn misuse_is_a_failure_of_the_thread() {
    let mut program = Builder::new("release");
    let lock = program.lock("l");
    check_failure(&program.main(|main| main.release(lock)), "frees a lock it does not hold");

    let mut program = Builder::new("wait");
    let lock = program.lock("l");
    let condition = program.condition("c", lock);
    let message = "uses a condition without holding its lock";
    check_failure(&program.main(|main| main.wait(condition)), message);

    let mut program = Builder::new("division");
    let x = program.variable("x", 0);
    let program = program.main(|main| {
        let zero = main.read(x);
        main.write(x, zero.equals(0) / zero);
    });
    check_failure(&program, "division by zero");

    let mut program = Builder::new("index");
    let (x, array) = (program.variable("x", 2), program.array("a", 2, 0));
    let program = program.main(|main| {
        let index = main.read(x);
        main.read(array.at(index));
    });
    check_failure(&program, "index out of bounds");

    let program = Builder::new("loop").main(|main| main.repeat(1, |_| {}));
    check_failure(&program, "endless local loop");
}

#[test]
fn inner_acquires_are_local_and_waiting_frees_them_all() {
    let mut program = Builder::new("re-entrant");
    let lock = program.lock("l");
    let condition = program.condition("c", lock);
    let program = program.main(|main| {
        main.spawn(|thread| {
            thread.locked(lock, |thread| thread.locked(lock, |thread| thread.wait(condition)));
        });
        main.locked(lock, |main| main.notify(condition));
    });
    let names = program.names();
    let child = names.child(Pid::MAIN, 0);
    let mut run = program.start(&[]);
    for process in [Pid::MAIN, child, child, Pid::MAIN] {
        run.step(Choice::of(process));
    }
    let (condition, lock) = (Location(1), Location(0));
    assert_eq!(run.next(child), Next::Blocked(Op::Resume { condition, lock }));
    assert_eq!(run.waiting(child).unwrap().what, "condition c");
    run.step(Choice::of(Pid::MAIN));
    assert_eq!(run.waiting(child).unwrap().whom, [Pid::MAIN]);
    run.step(Choice::of(Pid::MAIN));
    run.step(Choice::of(child));
    assert_eq!(run.value(lock).unwrap(), "held by thread 0.0");
    assert_eq!(run.next(child), Next::Ready(Op::Release(lock)));
    run.step(Choice::of(child));
    assert_eq!(run.explain().text, "frees lock l");
    assert_eq!(run.end(), End::Complete);
    let findings = oracle::enumerate(&program, 1000).unwrap();
    assert_eq!((findings.traces, findings.deadlocked), (2, 1));
}

#[test]
fn a_run_can_refuse_to_go_back() {
    let program = Builder::new("empty").main(|_| {}).no_rewind();
    assert!(!program.start(&[]).rewinds());
}

/// All faults with the inputs that show them, by depth-first search.
fn failing_inputs(run: &mut dyn Run, found: &mut Vec<Vec<Input>>) {
    for process in (0..run.processes()).map(Pid) {
        if !run.next(process).is_ready() {
            continue;
        }
        for alternative in 0..run.alternatives(process).count {
            let choice = Choice { process, alternative };
            if run.feasible(choice) != Feasible::Yes {
                continue;
            }
            let mark = run.mark();
            if run.step(choice).fault.is_some() {
                found.push(run.inputs());
            }
            failing_inputs(run, found);
            run.undo(mark);
        }
    }
}

#[test]
fn the_failing_inputs_of_examples_1_and_2_are_found() {
    let program = examples::loop_over_inputs();
    let mut found = Vec::new();
    failing_inputs(&mut *program.start(&[]), &mut found);
    let last: BTreeSet<&str> = found.iter().map(|inputs| &*inputs.last().unwrap().value).collect();
    assert_eq!(last, BTreeSet::from(["-5", "-4"]));

    let program = examples::overflow();
    let mut found = Vec::new();
    failing_inputs(&mut *program.start(&[]), &mut found);
    assert_eq!(found.len(), 1);
    let value = |index: usize| found[0][index].value.parse::<i32>().unwrap();
    assert_eq!(value(0).wrapping_mul(value(1)), 1452);
    assert!(matches!(value(0), 10 | 11));

    let input = |name: &str, value: &str| Input { name: name.into(), value: value.into() };
    let known = [input("0#0", "10"), input("0#1", "-858993314")];
    assert_eq!(run_through(&program, &known).1, ["error"]);
}

#[test]
fn an_unknown_index_and_an_unknown_divisor_are_split_into_cases() {
    let mut program = Builder::new("cases");
    let array = program.array("a", 3, 7);
    let program = program.main(|main| {
        let index = main.input(-1, 3);
        main.write(array.at(index), 100 + 1);
        let divisor = main.input(0, 2);
        main.write(array.at(0), divisor.at_most(9) / divisor);
    });
    let findings = oracle::enumerate(&program, 1000).unwrap();
    assert_eq!((findings.traces, findings.failures.len()), (7, 2), "{program}");
    let mut found = Vec::new();
    failing_inputs(&mut *program.start(&[]), &mut found);
    assert_eq!(found.len(), 4, "{program}");
}
