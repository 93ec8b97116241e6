//! Traces and pictures of executions.

use std::sync::Arc;

use counterpoint_abs::machine::{Account, ModelProgram, Options, Reduction, Stop};
use counterpoint_abs::picture::{sequence, tree};
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit, explorer,
};
use counterpoint_model::diagram::{Line, Meaning, SequenceStep};
use counterpoint_model::{Choice, End, Program};

use super::semantics::model;

const DATABASE: &str = "
interface Worker { Unit work(DB db); Int ping(Int n); }
interface DB { Unit register(Worker w); Int getData(Worker w); }
class DB implements DB {
    List<Worker> clients = Nil;
    Unit register(Worker w) {
        Fut<Int> f = w!ping(5);
        Int n = f.get;
        clients = Cons(w, clients);
    }
    Int getData(Worker w) { return when length(clients) > 0 then 7 else 0; }
}
class Worker implements Worker {
    Int datum = -1;
    Unit work(DB db) {
        Fut<Int> f = db!getData(this);
        datum = f.get;
    }
    Int ping(Int n) { return n; }
}
{
    DB db = new DB();
    Worker w = new Worker();
    db!register(w);
    w!work(db);
}
";

struct Schedules(Vec<Vec<Choice>>);

impl Sink for Schedules {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        self.0.push(execution.events.iter().map(|event| event.choice).collect());
        Flow::Continue
    }
}

pub fn all_schedules(program: &ModelProgram) -> Vec<Vec<Choice>> {
    let mut schedules = Schedules(Vec::new());
    (explorer("exhaustive").unwrap().explore)(Assignment {
        program,
        unit: WorkUnit::default(),
        limits: Limits::default(),
        properties: Vec::new(),
        sink: &mut schedules,
        parameters: ParameterValues::default(),
    });
    schedules.0
}

fn database() -> ModelProgram {
    let options = Options { reduction: Reduction::None, ..Options::default() };
    ModelProgram::new(Arc::clone(&model(DATABASE)), options)
}

fn schedule(program: &ModelProgram, tasks: &[&str]) -> Vec<Choice> {
    tasks.iter().map(|task| Choice::of(program.names().resolve(task).unwrap())).collect()
}

#[test]
fn a_deadlock_is_told_with_the_step_that_closes_the_cycle() {
    let program = database();
    let account = Account::new(&program, &schedule(&program, &["0", "0.0", "0.1"]));
    assert_eq!(account.end, Some(End::Deadlock));
    assert_eq!(account.closed_at, Some(2));
    assert_eq!(
        account.to_text(&program),
        "\
Time 0, Object main, Task main, lines 5-6, 14-15, 22-26: return Unit
Time 1, Object db, Task db.register, lines 8-9: blocked for w.ping
Time 2, Object w, Task w.work, lines 17-18: blocked for db.getData
  here a cycle of waiting is closed
"
    );
    let drawn = sequence(&program, &account);
    let lanes: Vec<(&str, bool)> =
        drawn.lanes.iter().map(|lane| (lane.text.as_str(), lane.marked)).collect();
    assert_eq!(lanes, [("main", false), ("db", true), ("w", true)]);
    let told = |step: &SequenceStep| {
        let number = step.number.map_or(String::new(), |number| format!("{number}. "));
        let arrow = |line: Line| if line == Line::Dashed { "-->" } else { "->" };
        let messages = step.messages.iter();
        let messages = messages.map(|m| format!(" {}{} {}", arrow(m.line), m.to, m.text));
        let text = step.label.text.replace('\n', " ");
        format!("{}: {number}{text}{}\n", step.lane, messages.collect::<String>())
    };
    assert_eq!(
        drawn.steps.iter().map(told).collect::<String>(),
        "\
0: 1. main return Unit -->1 new -->2 new ->1 db.register ->2 w.work
1: 2. db.register blocked for w.ping (deadlock) ->2 w.ping
2: 3. w.work blocked for db.getData (deadlock) ->1 db.getData
1: db.register waits for the result of w.ping
2: w.work waits for the result of db.getData
2: w.ping waits for its object, which w.work blocks
1: db.getData waits for its object, which db.register blocks
"
    );
    let meanings: Vec<Meaning> = drawn.steps.iter().map(|step| step.label.meaning).collect();
    assert_eq!(meanings[..3], [Meaning::Good, Meaning::Blocked, Meaning::Blocked]);
}

#[test]
fn a_resumed_task_is_told_with_the_line_where_it_goes_on() {
    let program = database();
    let tasks = ["0", "0.0", "0.0.0", "0.1", "0.0", "0.1.0", "0.1"];
    let account = Account::new(&program, &schedule(&program, &tasks));
    assert_eq!(account.end, Some(End::Complete));
    assert_eq!(account.closed_at, None);
    let resumed = &account.steps[4];
    assert_eq!(program.place(resumed.resumed_at.unwrap()).line, 9);
    assert_eq!(resumed.lines, [7, 9, 10]);
    assert_eq!(account.steps[5].stop, Stop::Returned("7".into()));
    assert!(account.outcome.contains("w: Worker(datum=7)"));
}

#[test]
fn the_tree_has_a_leaf_for_each_execution() {
    let program = database();
    let schedules = all_schedules(&program);
    assert_eq!(schedules.len(), 6);
    let tree = tree(&program, &schedules);
    let leaves = |word: &str| tree.nodes.iter().filter(|n| n.label.text.ends_with(word)).count();
    assert_eq!((leaves(" deadlock"), leaves(" ok")), (2, 4));
    assert_eq!(tree.arcs.len(), tree.nodes.len() - 1);
    for choices in &schedules {
        let account = Account::new(&program, choices);
        let marked = sequence(&program, &account).lanes.iter().any(|lane| lane.marked);
        assert_eq!(marked, account.end == Some(End::Deadlock));
    }
}
