//! Traces and pictures of executions.

use std::sync::Arc;

use counterpoint_abs::machine::{Account, ModelProgram, Options, Reduction, Stop};
use counterpoint_abs::picture::{mermaid, sequence_svg, tree_svg};
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, Sink, Statistics, WorkUnit, explorer,
};
use counterpoint_model::{Choice, End, Program};

use crate::semantics::model;

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
        seed: 0,
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
    assert_eq!(
        mermaid(&program, &account),
        "\
sequenceDiagram
    participant p0 as main
    participant p1 as db
    participant p2 as w
    rect rgb(183, 225, 176)
        Note over p0: 0 main return Unit
    end
    p0-->>p1: new
    p0-->>p2: new
    p0->>p1: db.register
    p0->>p2: w.work
    rect rgb(246, 165, 160)
        Note over p1: 1 db.register blocked for w.ping (deadlock)
    end
    p1->>p2: w.ping
    rect rgb(246, 165, 160)
        Note over p2: 2 w.work blocked for db.getData (deadlock)
    end
    p2->>p1: db.getData
"
    );
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

/// Tags that are opened are closed, in order.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    open.is_empty()
}

#[test]
fn pictures_are_well_formed_and_show_every_step() {
    let program = database();
    let schedules = all_schedules(&program);
    assert_eq!(schedules.len(), 6);
    for choices in &schedules {
        let account = Account::new(&program, choices);
        let svg = sequence_svg(&program, &account);
        assert!(is_well_formed(&svg));
        for step in &account.steps {
            assert!(svg.contains(&step.task));
        }
        let marked = svg.contains("stroke=\"#c00000\"");
        assert_eq!(marked, account.end == Some(End::Deadlock));
    }
    let tree = tree_svg(&program, &schedules);
    assert!(is_well_formed(&tree));
    assert_eq!(tree.matches(" deadlock</text>").count(), 2);
    assert_eq!(tree.matches(" ok</text>").count(), 4);
    if let Ok(folder) = std::env::var("PICTURES") {
        let account = Account::new(&program, &schedules[0]);
        std::fs::write(format!("{folder}/s.svg"), sequence_svg(&program, &account)).unwrap();
        let account = Account::new(&program, &schedules[3]);
        std::fs::write(format!("{folder}/d.svg"), sequence_svg(&program, &account)).unwrap();
        std::fs::write(format!("{folder}/t.svg"), tree).unwrap();
    }
}
