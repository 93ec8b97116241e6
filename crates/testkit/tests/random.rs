//! The machine and the oracle agree on random programs, and going back is exact.

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_model::{Choice, End, Event, Feasible, Input, Mark, Next, Pid, Program, Run};
use counterpoint_testkit::oracle::{self, Failure, Findings, Refusal};
use counterpoint_testkit::outcome::path_text;
use counterpoint_testkit::random::{Features, Random, program};
use counterpoint_testkit::{TestProgram, shapes};

const LIMIT: u64 = 100_000;
const SEEDS: u64 = 2000;

/// Everything that a run shows of its state.
#[derive(PartialEq, Debug)]
struct View {
    processes: u32,
    next: Vec<Next>,
    local: Vec<Option<u64>>,
    outcome: Option<String>,
    inputs: Vec<Input>,
}

fn view(run: &dyn Run) -> View {
    let processes: Vec<Pid> = (0..run.processes()).map(Pid).collect();
    View {
        processes: run.processes(),
        next: processes.iter().map(|&process| run.next(process)).collect(),
        local: processes.iter().map(|&process| run.local_state(process)).collect(),
        outcome: run.outcome(),
        inputs: run.inputs(),
    }
}

fn pick(random: &mut Random, run: &mut dyn Run) -> Option<Choice> {
    let ready: Vec<Pid> =
        (0..run.processes()).map(Pid).filter(|&pid| run.next(pid).is_ready()).collect();
    let process = *ready.get(random.below(u32::try_from(ready.len()).ok()?.max(1)) as usize)?;
    let alternatives = run.alternatives(process);
    let choice = Choice { process, alternative: random.below(alternatives.count) };
    match alternatives.count == 1 || run.feasible(choice) == Feasible::Yes {
        true => Some(choice),
        false => Some(Choice { process, alternative: alternatives.preferred }),
    }
}

fn findings(seed: u64, program: &TestProgram) -> Option<Findings> {
    match oracle::enumerate(program, LIMIT) {
        Ok(findings) => Some(findings),
        Err(Refusal::TooBig) => None,
        Err(Refusal::Unbounded) => panic!("seed {seed} has an unbounded input"),
    }
}

/// One random execution with going back and forth; checks its end against the oracle.
fn walk(seed: u64, program: &TestProgram, findings: Option<&Findings>) {
    let mut random = Random::new(!seed);
    let mut run = program.start(&[]);
    let mut past: Vec<(Mark, View, Choice, Event)> = Vec::new();
    while let Some(choice) = pick(&mut random, &mut *run) {
        let before = view(&*run);
        let mark = run.mark();
        let expected = run.anticipate(choice.process);
        let event = run.step(choice);
        let own = program.cell(choice.process);
        assert!(
            event.footprint.iter().all(|access| {
                access.location == own || expected.iter().any(|e| e.location == access.location)
            }),
            "seed {seed}: {event:?} touches more than {expected:?}\n{program}"
        );
        past.push((mark, before, choice, event));
        assert!(past.len() < 500, "seed {seed} is endless");
        if random.one_in(4) {
            let now = view(&*run);
            let back = random.below(u32::try_from(past.len()).unwrap()) as usize;
            run.undo(past[back].0);
            for (_, before, choice, event) in &past[back..] {
                assert_eq!(&view(&*run), before, "seed {seed}\n{program}");
                run.mark();
                assert_eq!(&run.step(*choice), event, "seed {seed}\n{program}");
            }
            assert_eq!(view(&*run), now, "seed {seed}\n{program}");
        }
    }
    let Some(findings) = findings else { return };
    let choices: Vec<Choice> = past.iter().map(|(_, _, choice, _)| *choice).collect();
    let outcomes = program.concrete_outcomes(&[], &choices);
    assert!(!outcomes.is_empty(), "seed {seed}\n{program}");
    for outcome in &outcomes {
        assert!(
            findings.outcomes.contains(outcome),
            "seed {seed}: {outcome} is not among {:#?}\n{program}",
            findings.outcomes
        );
    }
    for (_, _, _, event) in &past {
        if let Some(fault) = &event.fault {
            let (kind, message) = (fault.kind, fault.message.clone());
            let failure = Failure { kind, message, line: program.place(fault.site).line };
            assert!(findings.failures.contains(&failure), "seed {seed}: {failure:?}\n{program}");
        }
    }
    let mut waiting: Vec<(Vec<u32>, String)> = (0..run.processes())
        .filter_map(|pid| run.waiting(Pid(pid)))
        .map(|waiting| {
            let path = program.names().path(waiting.process);
            let key = path.split('.').map(|number| number.parse().unwrap()).collect();
            (key, format!("{path} at {}", program.place(waiting.site).line))
        })
        .collect();
    waiting.sort();
    assert_eq!(run.end() == End::Deadlock, !waiting.is_empty());
    if !waiting.is_empty() {
        let texts: Vec<String> = waiting.into_iter().map(|(_, text)| text).collect();
        let text = texts.join(", ");
        assert!(findings.deadlocks.contains(&text), "seed {seed}: {text}\n{program}");
    }
}

fn check(features: Features, seeds: std::ops::Range<u64>) {
    let (mut small, mut deadlocking, mut failing) = (0, 0, 0);
    for seed in seeds.clone() {
        let program = program(seed, features);
        let found = findings(seed, &program);
        if let Some(found) = &found {
            small += 1;
            deadlocking += u64::from(!found.deadlocks.is_empty());
            failing += u64::from(!found.failures.is_empty());
        }
        walk(seed, &program, found.as_ref());
    }
    let all = seeds.end - seeds.start;
    assert!(small * 10 > all * 9, "only {small} of {all} programs are small");
    assert!(deadlocking * 10 > all, "only {deadlocking} of {all} programs deadlock");
    assert!(failing * 20 > all, "only {failing} of {all} programs fail");
}

#[test]
fn runs_go_back_exactly_and_stay_within_the_oracle_without_inputs() {
    check(Features::WITHOUT_INPUTS, 0..SEEDS);
}

#[test]
fn runs_go_back_exactly_and_stay_within_the_oracle_with_inputs() {
    check(Features::ALL, 0..SEEDS);
}

#[test]
fn visiting_each_prefix_once_finds_what_walking_every_interleaving_finds() {
    let mut compared = 0;
    for seed in 0..SEEDS {
        let program = program(seed, Features::ALL);
        let Some(found) = findings(seed, &program) else { continue };
        if found.interleavings < 2_000 {
            compared += 1;
            let plain = oracle::enumerate_plainly(&program, 10 * LIMIT).expect("small enough");
            assert_eq!(found, plain, "seed {seed}\n{program}");
        }
    }
    assert!(compared > SEEDS / 3, "only {compared} programs are small enough to compare");
    let program = shapes::dining(2);
    let plain = oracle::enumerate_plainly(&program, 10_000_000);
    assert_eq!(oracle::enumerate(&program, LIMIT), plain);
}

/// The events of each process in its order: vector clock and alternative.
type Trace = Vec<Vec<(Vec<u32>, u32)>>;

/// What a plain depth-first search over a run finds.
#[derive(Default)]
struct Found {
    outcomes: BTreeSet<String>,
    failures: BTreeSet<Failure>,
    deadlocks: BTreeSet<String>,
    traces: BTreeMap<Trace, bool>,
    interleavings: u128,
    local_states: BTreeMap<Vec<u32>, BTreeSet<u64>>,
}

/// The vector clock of each event, by process and in its order: the trace in a canonical form.
/// Alternatives are part of it, as they may not show in the clocks.
fn trace(events: &[Event]) -> Trace {
    let mut clocks: Vec<Vec<u32>> = Vec::new();
    let mut trace = Trace::new();
    for (index, event) in events.iter().enumerate() {
        let mut clock = vec![0; 16];
        for (earlier, known) in events[..index].iter().zip(&clocks) {
            if event.dependent(earlier) {
                clock.iter_mut().zip(known).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
            }
        }
        let process = event.process().index();
        clock[process] += 1;
        if trace.len() <= process {
            trace.resize(process + 1, Vec::new());
        }
        trace[process].push((clock.clone(), event.choice.alternative));
        clocks.push(clock);
    }
    trace
}

fn search(program: &TestProgram, run: &mut dyn Run, events: &mut Vec<Event>, found: &mut Found) {
    let mut waiting: Vec<(Vec<u32>, u32)> = Vec::new();
    let mut moved = false;
    for process in (0..run.processes()).map(Pid) {
        let path = program.names().path(process);
        let path: Vec<u32> = path.split('.').map(|number| number.parse().unwrap()).collect();
        if let Some(state) = run.local_state(process) {
            found.local_states.entry(path.clone()).or_default().insert(state);
        }
        if let Some(wait) = run.waiting(process) {
            waiting.push((path, program.place(wait.site).line));
        }
        if !run.next(process).is_ready() {
            continue;
        }
        moved = true;
        let alternatives = run.alternatives(process);
        for alternative in 0..alternatives.count {
            let choice = Choice { process, alternative };
            if alternatives.count > 1 && run.feasible(choice) == Feasible::No {
                assert_ne!(alternative, alternatives.preferred, "the preferred one is feasible");
                continue;
            }
            let mark = run.mark();
            let event = run.step(choice);
            if let Some(fault) = &event.fault {
                let (kind, message) = (fault.kind, fault.message.clone());
                let line = program.place(fault.site).line;
                found.failures.insert(Failure { kind, message, line });
            }
            events.push(event);
            search(program, run, events, found);
            events.pop();
            run.undo(mark);
        }
    }
    if !moved {
        found.interleavings += 1;
        let choices: Vec<Choice> = events.iter().map(|event| event.choice).collect();
        found.outcomes.extend(program.concrete_outcomes(&[], &choices));
        found.traces.insert(trace(events), !waiting.is_empty());
        if !waiting.is_empty() {
            waiting.sort();
            let text = |(path, line): &(Vec<u32>, u32)| format!("{} at {line}", path_text(path));
            let texts: Vec<String> = waiting.iter().map(text).collect();
            found.deadlocks.insert(texts.join(", "));
        }
    }
}

#[test]
fn a_search_over_runs_finds_exactly_what_the_oracle_finds() {
    let (mut compared, mut with_inputs) = (0, 0);
    for seed in 0..SEEDS {
        let features = if seed % 3 == 0 { Features::WITHOUT_INPUTS } else { Features::ALL };
        let program = program(seed, features);
        let Ok(expected) = oracle::enumerate(&program, 2_000) else { continue };
        if expected.interleavings > 300 {
            continue;
        }
        compared += 1;
        let mut found = Found::default();
        search(&program, &mut *program.start(&[]), &mut Vec::new(), &mut found);
        assert_eq!(found.outcomes, expected.outcomes, "seed {seed}\n{program}");
        assert_eq!(found.failures, expected.failures, "seed {seed}\n{program}");
        assert_eq!(found.deadlocks, expected.deadlocks, "seed {seed}\n{program}");
        assert_eq!(found.traces.len() as u64, expected.traces, "seed {seed}\n{program}");
        let deadlocked = found.traces.values().filter(|&&dead| dead).count() as u64;
        assert_eq!(deadlocked, expected.deadlocked, "seed {seed}\n{program}");
        if program.to_string().contains("input(") {
            with_inputs += 1;
        } else {
            assert_eq!(found.interleavings, expected.interleavings, "seed {seed}\n{program}");
            assert_eq!(found.local_states, expected.local_states, "seed {seed}\n{program}");
        }
    }
    println!("{compared} compared, {with_inputs} with inputs");
    assert!(compared > SEEDS / 4 && with_inputs > SEEDS / 20, "{compared}, {with_inputs}");
}
