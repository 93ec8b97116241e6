//! The deadlock analysis on the examples of the thesis on active objects, and on models that need each of its
//! parts.

use std::sync::Arc;

use counterpoint_abs::analysis::question::DeadlockQuestion;
use counterpoint_abs::analysis::{Parts, Settings, analyse};
use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::machine::{Account, ModelProgram, Options, Reduction, Stop};
use counterpoint_abs::program::{BodyId, Model};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Ending, Execution, Exploration, Flow, Limits, ParameterValues, Silent, Sink,
    Statistics, WorkUnit, explorer,
};
use counterpoint_model::{Choice, Pid, Program};

fn model(source: &str) -> Arc<Model> {
    let result = load(vec![SourceFile::new("model.abs", source)], &LoadOptions::default());
    assert!(result.model.is_some(), "{}\n{source}", result.render(Style::Plain));
    Arc::new(result.model.unwrap())
}

fn running_example() -> Arc<Model> {
    model(include_str!("deadlock_corpus/running_example.abs"))
}

/// The cycles that an analysis finds, in the notation of the thesis, and those that end at a condition.
fn cycles(model: &Model, settings: Settings) -> Vec<String> {
    let analysis = analyse(model, settings).unwrap();
    let cycles = analysis.told_cycles().into_iter().map(|cycle| cycle.notation);
    cycles.chain(analysis.told_chains().into_iter().map(|chain| chain.sentence)).collect()
}

fn run(program: &ModelProgram, name: &str, sink: &mut dyn Sink) -> Exploration {
    (explorer(name).unwrap().explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits { steps: 500, ..Limits::default() },
        properties: Vec::new(),
        sink,
        parameters: ParameterValues::default(),
    })
}

/// The line of an instruction, or of a body as a whole.
fn line(model: &Model, body: BodyId, instruction: Option<u32>) -> u32 {
    let code = model.body(body);
    let span = match instruction {
        Some(instruction) => code.spans[instruction as usize],
        None => code.span,
    };
    model.sources.start(span).line
}

/// Schedules the first task that can move whose name ends like each of these.
fn schedule(program: &ModelProgram, names: &[&str]) -> Vec<Choice> {
    let mut run = program.start(&[]);
    let mut choices = Vec::new();
    for name in names {
        let ends = |pid: &Pid| run.is_ready(*pid) && program.process_name(*pid).ends_with(name);
        let process = (0..run.processes()).map(Pid).find(ends);
        let choice = Choice::of(process.unwrap_or_else(|| panic!("{name} cannot move")));
        run.step(choice);
        choices.push(choice);
    }
    choices
}

#[test]
fn example_5_the_interleavings_table_of_a_derivation() {
    let model = running_example();
    let program = ModelProgram::new(model, Options::default());
    let choices = schedule(&program, &["main", "simulate", "register", "work"]);
    let account = Account::new(&program, &choices);
    let rows: Vec<(usize, &str, u32, bool)> = account
        .steps
        .iter()
        .map(|step| {
            let last = step.sites.last().copied().unwrap();
            let blocked = matches!(step.stop, Stop::Blocked(_));
            (step.time, step.method.as_str(), program.place(last).line, blocked)
        })
        .collect();
    assert_eq!(rows[2..], [(2, "register", 25, true), (3, "work", 38, true)]);
    assert_eq!([rows[0].1, rows[1].1], ["main", "simulate"]);
    assert!(!rows[0].3 && !rows[1].3, "main and simulate return");
}

#[test]
fn examples_6_and_7_blocking_intervals_and_the_deadlock_chain() {
    let model = running_example();
    let program = ModelProgram::new(Arc::clone(&model), Options::default());
    let blocking = |names: &[&str]| -> Vec<(u32, u32)> {
        let choices = schedule(&program, names);
        let groups = program.deadlocks(&choices);
        let waits = groups.into_iter().flatten().filter(|wait| !wait.awaited.is_empty());
        let mut intervals: Vec<(u32, u32)> = waits
            .map(|wait| {
                let awaited = line(&model, wait.awaited[0].1, None);
                (line(&model, wait.body, wait.instruction), awaited)
            })
            .collect();
        intervals.sort_unstable();
        intervals
    };
    // After `register` alone there is an interval and no chain; `work` closes the chain.
    assert_eq!(blocking(&["main", "simulate", "register"]), []);
    assert_eq!(blocking(&["main", "simulate", "register", "work"]), [(25, 41), (38, 29)]);
    let choices = schedule(&program, &["main", "simulate", "register", "work"]);
    assert_eq!(Account::new(&program, &choices).closed_at, Some(3));
}

#[test]
fn examples_8_and_9_the_abstract_cycle_and_its_constraints() {
    let model = running_example();
    for context in 0..=3 {
        let settings = Settings { context, ..Settings::default() };
        let expected = "o7 -25:register-> ping -41:ping-> o9 -38:work-> getData -29:getData-> o7";
        assert_eq!(cycles(&model, settings), [expected]);
    }
    let analysis = analyse(&model, Settings::default()).unwrap();
    let sentence = &analysis.told_cycles()[0].sentence;
    assert_eq!(
        sentence,
        "The DBImpl created at line 7 is blocked by DBImpl.register, which waits at line 25 for \
         WorkerImpl.ping, which needs the WorkerImpl created at line 9 to begin, blocked by \
         WorkerImpl.work, which waits at line 38 for DBImpl.getData, which needs the DBImpl created \
         at line 7 to begin."
    );
    let question = DeadlockQuestion::new(&analysis.points, &analysis.graph.cycles, &[]);
    let constraints: Vec<(u32, u32)> = question
        .waits
        .iter()
        .map(|wait| {
            let awaited = line(&model, wait.awaited[0], None);
            (line(&model, wait.point.body, Some(wait.point.instruction)), awaited)
        })
        .collect();
    assert_eq!(constraints, [(25, 41), (38, 29)]);
    assert_eq!(question.goals[0].waits, 0b11);
}

#[test]
fn example_10_nine_states_instead_of_twenty_five_and_two_executions_of_six() {
    let model = running_example();
    let options = Options { reduction: Reduction::None, ..Options::default() };
    let plain = ModelProgram::new(Arc::clone(&model), options.clone());
    let Statistics { executions, deadlocks, events, .. } =
        run(&plain, "exhaustive", &mut Silent).statistics;
    assert_eq!((executions, deadlocks, events + 1), (6, 2, 25));
    let analysis = analyse(&model, Settings::default()).unwrap();
    let question = DeadlockQuestion::new(&analysis.points, &analysis.graph.cycles, &[]);
    let guided = ModelProgram::new(Arc::clone(&model), options).looking_for(question);
    let Statistics { executions, deadlocks, events, abandoned, .. } =
        run(&guided, "guided", &mut Silent).statistics;
    assert_eq!((executions, deadlocks, events + 1, abandoned), (2, 2, 9, 2));
}

/// How many deadlocked executions an exploration counts.
#[derive(Default)]
struct Deadlocked(u64);

impl Sink for Deadlocked {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        self.0 += u64::from(execution.ending == Ending::Deadlock);
        Flow::Continue
    }
}

/// The classes of the running example, of which models below make use.
const DATABASE: &str = "
interface DB {
  Unit register(Worker w);
  Unit check(Fut<Int> f);
  Int getData(Worker w);
}
interface Worker { Unit work(DB db); Int ping(Int n); }
class DBImpl implements DB {
  Unit register(Worker w) { Fut<Int> f = w!ping(5); Int n = f.get; }
  Unit check(Fut<Int> f) { await f?; Int n = f.get; }
  Int getData(Worker w) { return 1; }
}
class WorkerImpl implements Worker {
  Unit work(DB db) { Fut<Int> f = db!getData(this); Int n = f.get; }
  Int ping(Int n) { return n; }
}
";

/// A model is proved free by the whole analysis and not without one of its parts.
fn check_part(name: &str, text: &str, without: Settings) {
    let source = format!("module Part;\n{DATABASE}\n{text}");
    let model = model(&source);
    assert_eq!(cycles(&model, Settings::default()), Vec::<String>::new(), "{name}");
    assert_ne!(cycles(&model, without), Vec::<String>::new(), "{name} is free without the part");
    let program = ModelProgram::new(model, Options::default());
    let mut deadlocked = Deadlocked::default();
    let exploration = run(&program, "optimal", &mut deadlocked);
    assert!(exploration.bounds.is_empty(), "{name}");
    assert_eq!(deadlocked.0, 0, "{name} is no free model");
}

fn without(change: impl Fn(&mut Parts)) -> Settings {
    let mut settings = Settings::default();
    change(&mut settings.parts);
    settings
}

#[test]
fn waiting_inside_a_method_shows_that_a_task_has_finished() {
    let text = "{ DB db = new DBImpl(); Worker w = new WorkerImpl();
                  Fut<Unit> f = db!register(w); await f?; w!work(db); }";
    check_part("inside", text, without(|parts| parts.inside = false));
    check_part("parallel", text, without(|parts| parts.parallel = false));
}

#[test]
fn what_a_finished_task_has_left_running_is_known() {
    let text = "interface Starter { Unit start(DB db, Worker w); }
                class StarterImpl implements Starter {
                  Unit start(DB db, Worker w) { Fut<Unit> f = db!register(w); await f?; }
                }
                { DB db = new DBImpl(); Worker w = new WorkerImpl(); Starter s = new StarterImpl();
                  Fut<Unit> f = s!start(db, w); await f?; w!work(db); }";
    check_part("between", text, without(|parts| parts.between = false));
}

#[test]
fn a_loop_that_leaves_no_task_running_is_told_from_one_that_does() {
    let text = "{ DB db = new DBImpl(); Int n = 3;
                  while (n > 0) {
                    Worker w = new WorkerImpl();
                    Fut<Unit> f = db!register(w); await f?;
                    Fut<Unit> g = w!work(db); await g?;
                    n = n - 1;
                  } }";
    check_part("loops", text, without(|parts| parts.loops = false));
    // Tasks that are left running and have no part in a cycle do no harm.
    let text = "{ DB db = new DBImpl(); Worker w = new WorkerImpl(); Int n = 2;
                  while (n > 0) {
                    w!ping(n);
                    Fut<Unit> f = db!register(w); await f?;
                    n = n - 1;
                  }
                  w!work(db); }";
    check_part("loops with tasks left", text, without(|parts| parts.loops = false));
    let text = "{ DB db = new DBImpl(); Worker w = new WorkerImpl(); Int n = 2;
                  while (n > 0) { Fut<Unit> f = db!register(w); n = n - 1; }
                  w!work(db); }";
    let model = model(&format!("module Left;\n{DATABASE}\n{text}"));
    assert_eq!(cycles(&model, Settings::default()).len(), 1, "register may still run");
}

#[test]
fn a_variable_holds_the_future_of_whichever_branch_was_taken() {
    let text = "{ DB db = new DBImpl(); DB other = new DBImpl(); Worker w = new WorkerImpl();
                  Fut<Unit> f = other!check(null_future()); Int n = length(list[1, 2]);
                  if (n == 1) { f = db!register(w); } else { f = other!register(w); }
                  await f?; w!work(db); w!work(other); }
                ";
    let text = text.replace("Fut<Unit> f = other!check(null_future());", "Fut<Unit> f;");
    check_part("conditionals", &text, without(|parts| parts.conditionals = false));
}

#[test]
fn objects_of_one_creation_site_are_told_apart_by_who_created_them() {
    let text = "interface Factory { DB make(); }
                class FactoryImpl implements Factory {
                  DB make() { DB db = new DBImpl(); return db; }
                }
                { Factory one = new FactoryImpl(); Factory other = new FactoryImpl();
                  Worker w = new WorkerImpl();
                  DB a = await one!make(); DB b = await other!make();
                  a!register(w); w!work(b); }";
    check_part("context", text, Settings { context: 0, ..Settings::default() });
}

#[test]
fn a_get_of_an_awaited_future_does_not_block() {
    let text = "{ DB db = new DBImpl(); Worker w = new WorkerImpl();
                  Fut<Int> f = w!ping(5); db!check(f); w!work(db); }";
    check_part("awaited before", text, without(|parts| parts.awaited_before = false));
}

#[test]
fn a_task_posted_to_the_own_object_has_not_begun_while_that_is_kept() {
    let text = "interface Shop extends DB { Unit go(Worker w); Unit later(Worker w); }
                class ShopImpl implements Shop {
                  Unit register(Worker w) { }
                  Unit check(Fut<Int> f) { }
                  Int getData(Worker w) { return 1; }
                  Unit later(Worker w) { w!work(this); }
                  Unit go(Worker w) { this!later(w); Fut<Int> f = w!ping(5); Int n = f.get; }
                }
                { Shop shop = new ShopImpl(); Worker w = new WorkerImpl(); shop!go(w); }";
    check_part("unstarted", text, without(|parts| parts.unstarted = false));
    // Once the object is released in between, the task may have begun.
    let released = text.replace("Fut<Int> f =", "suspend; Fut<Int> f =");
    let model = model(&format!("module Released;\n{DATABASE}\n{released}"));
    assert_eq!(cycles(&model, Settings::default()).len(), 1, "work may run");
}

#[test]
fn tasks_whose_futures_are_not_spread_do_not_wait_for_each_other_in_a_cycle() {
    let text = "interface Fact { Int fact(Int n); }
                class FactImpl implements Fact {
                  Int fact(Int n) {
                    Int result = 1;
                    if (n > 1) {
                      Fact next = new FactImpl();
                      Fut<Int> f = next!fact(n - 1);
                      await f?;
                      Int r = f.get;
                      result = n * r;
                    }
                    return result;
                  }
                }
                { Fact f = new FactImpl(); f!fact(3); }";
    check_part("futures", text, without(|parts| parts.futures = false));
}

#[test]
fn calls_to_objects_of_the_same_cog_are_no_waiting() {
    let text = "interface Helper { Int help(Int n); }
                class HelperImpl implements Helper { Int help(Int n) { return n; } }
                interface Boss { Int run_(Int n); }
                class BossImpl implements Boss {
                  Helper helper;
                  { helper = new local HelperImpl(); }
                  Int run_(Int n) { Int m = helper.help(n); return m; }
                }
                { Int n = 2; while (n > 0) { Boss b = new BossImpl(); b!run_(n); n = n - 1; } }";
    check_part("groups", text, without(|parts| parts.groups = false));
}

#[test]
fn blocking_until_a_condition_comes_true_is_no_cycle_and_is_said() {
    let text = "interface Gate { Unit pass(); Unit open(); }
                class GateImpl implements Gate {
                  Bool open_ = False;
                  Unit pass() { await open_; }
                  Unit open() { open_ = True; }
                }
                { Gate g = new GateImpl(); Fut<Unit> f = g!pass(); f.get; }";
    let model = model(&format!("module Closed;\n{text}"));
    let analysis = analyse(&model, Settings::default()).unwrap();
    assert!(analysis.graph.cycles.is_empty());
    assert_eq!(analysis.graph.chains.len(), 1);
}

/// The deadlocked executions of a model, without a guide and with one, and the steps that the guided search took.
fn both_searches(source: &str) -> (u64, u64, u64) {
    let model = model(source);
    let mut plain = Deadlocked::default();
    run(&ModelProgram::new(Arc::clone(&model), Options::default()), "optimal", &mut plain);
    let analysis = analyse(&model, Settings::default()).unwrap();
    let question =
        DeadlockQuestion::new(&analysis.points, &analysis.graph.cycles, &analysis.graph.chains);
    let program = ModelProgram::new(Arc::clone(&model), Options::default()).looking_for(question);
    let guided = run(&program, "guided", &mut Silent);
    assert!(guided.bounds.is_empty());
    (plain.0, guided.statistics.deadlocks, guided.statistics.events)
}

/// Notes in a log multiply the traces and not the steps of the guided search.
#[test]
fn tasks_that_have_no_part_in_a_cycle_need_not_run() {
    let log = "interface Log { Unit note(Int n); }
               class LogImpl implements Log { Int sum = 0; Unit note(Int n) { sum = sum + n; } }";
    let main = |notes: &str| {
        format!(
            "module Logged;\n{DATABASE}\n{log}
             {{ Log log = new LogImpl(); DB db = new DBImpl(); Worker w = new WorkerImpl();
                {notes} db!register(w); w!work(db); }}"
        )
    };
    let (_, deadlocks, events) = both_searches(&main(""));
    assert_eq!(deadlocks, 1);
    let (all, with_notes, with_notes_events) =
        both_searches(&main("log!note(1); log!note(2); log!note(3);"));
    assert_eq!((all, with_notes, with_notes_events), (6, deadlocks, events));
}

/// The deadlock needs `look` to run while `mark` is suspended, which `mark` is only if it begins before `post` has
/// ended. Until `post` has posted `look`, nobody on the object of `mark` has a part in the cycle.
#[test]
fn who_looks_at_the_result_of_a_task_with_a_part_in_a_cycle_has_one_too() {
    let source = "module Looked;
        interface Cell { Unit mark(Fut<Unit> f); Unit look(Other o); Int ping(); }
        interface Other { Int back(Cell c); }
        interface Poster { Unit post(Cell c, Other o); }
        class CellImpl implements Cell {
          Int state = 0;
          Unit mark(Fut<Unit> f) { state = 1; await f?; state = 2; }
          Unit look(Other o) { if (state == 1) { Fut<Int> g = o!back(this); Int r = g.get; } }
          Int ping() { return 1; }
        }
        class OtherImpl implements Other {
          Int back(Cell c) { Fut<Int> g = c!ping(); Int r = g.get; return r; }
        }
        class PosterImpl implements Poster { Unit post(Cell c, Other o) { c!look(o); } }
        { Cell c = new CellImpl(); Other o = new OtherImpl(); Poster p = new PosterImpl();
          Fut<Unit> f = p!post(c, o); c!mark(f); }";
    let (all, guided, _) = both_searches(source);
    assert_eq!((all, guided), (1, 1));
}

/// Whether an object may die, where `body` is what a task of it does with a field that another task may set to null.
fn may_die(body: &str) -> bool {
    let text = format!(
        "module Tested;
         interface Peer {{ Unit set(Peer p); Unit visit(); Unit hello(); }}
         class PeerImpl implements Peer {{
           Peer next;
           Unit set(Peer p) {{ next = p; }}
           Unit clear() {{ next = null; }}
           Unit hello() {{ skip; }}
           Unit visit() {{ {body} }}
         }}
         {{ Peer a = new PeerImpl(); Peer b = new PeerImpl(); a!visit(); a!set(b); a!set(null); }}"
    );
    let model = model(&text);
    let analysis = analyse(&model, Settings::default()).unwrap();
    let question = DeadlockQuestion::new(&analysis.points, &analysis.graph.cycles, &[]);
    question.objects_may_die.expect("it is known")
}

#[test]
fn what_was_compared_with_null_is_not_null_as_long_as_nobody_can_have_changed_it() {
    let cases = [
        ("next!hello();", true),
        ("if (next != null) { next!hello(); }", false),
        ("if (next == null) { skip; } else { next!hello(); }", false),
        ("if (next == null) { next!hello(); }", true),
        ("if (next != null) { skip; } next!hello();", true),
        ("if (next != null) { Fut<Unit> f = next!hello(); f.get; next!hello(); }", false),
        ("if (next != null) { Fut<Unit> f = next!hello(); await f?; next!hello(); }", true),
        ("if (next != null) { suspend; next!hello(); }", true),
        ("if (next != null) { this.clear(); next!hello(); }", true),
        ("if (next != null) { next = null; next!hello(); }", true),
        ("Peer p = next; if (p != null) { suspend; p!hello(); }", false),
        ("Peer p = next; while (p != null) { p!hello(); p = next; }", false),
        ("await next != null; next!hello();", false),
        ("await next != null; suspend; next!hello();", true),
        ("await next == null; next!hello();", true),
    ];
    for (body, expected) in cases {
        assert_eq!(may_die(body), expected, "{body}");
    }
}

#[test]
fn objects_that_block_at_one_place_are_told_in_one_chain() {
    let text = "module Gates;
                interface Gate { Unit pass(); }
                class GateImpl implements Gate { Bool open_ = False; Unit pass() { await open_; } }
                interface Guest { Unit go(Gate g); }
                class GuestImpl implements Guest { Unit go(Gate g) { g.pass(); } }
                { Gate g = new GateImpl();
                  Guest a = new GuestImpl(); Guest b = new GuestImpl(); Guest c = new GuestImpl();
                  a!go(g); b!go(g); c!go(g); }";
    let model = model(text);
    let analysis = analyse(&model, Settings::default()).unwrap();
    let told = analysis.told_chains();
    assert_eq!(told.len(), 1);
    assert!(
        told[0].sentence.contains("(or one of 2 others) is blocked by"),
        "{}",
        told[0].sentence
    );
}
