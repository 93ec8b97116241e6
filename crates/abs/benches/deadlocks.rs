//! The search for deadlocks: the nine programs of Table 7.1, and the analysis of models that grow.
//!
//! `cargo bench -p counterpoint-abs --bench deadlocks [-- PROGRAM...]`. One core. For each program and limit: plain
//! symbolic execution of ours without reduction, and with it (every trace once); the guided search for one deadlock of
//! each cycle and for all of them, analysis included; and what that gains over plain execution without reduction, with
//! reduction, and in the thesis, where both searches have a reduction of their own that lies between.
//!
//! Plain execution may take for ever, as it did in the thesis. It is given as long as it takes to compare with the
//! published gain, at least [`LEAST_TIME`] and at most [`MOST_TIME`], or as many seconds as the variable `SECONDS`
//! says. If it is stopped, the gain is at least what is printed behind `≥`. What takes less than a second is repeated a
//! few times and the fastest counts, since a search may take less than a millisecond, and others may need the core.
//! A gain that is known to be below the published one is marked `below`, one of which it is not known because plain
//! execution was stopped `open`.

#[path = "../tests/table_7_1/mod.rs"]
mod table_7_1;

use std::fmt::Write;
use std::time::{Duration, Instant};

use counterpoint_abs::analysis::{Settings, analyse};
use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};

use counterpoint_explore::Exploration;
use table_7_1::{Guided, ROWS, Row, explore, guided, model};

const LEAST_TIME: Duration = Duration::from_secs(4);
const MOST_TIME: Duration = Duration::from_secs(120);

/// How much longer than it should take plain execution is given, since times vary.
const SLACK: f64 = 1.25;

/// How often something fast is repeated.
const REPETITIONS: usize = 15;

/// Does something once, or several times if it is fast.
fn repeated<T>(run: impl Fn() -> T, took: impl Fn(&T) -> Duration) -> Vec<T> {
    let mut results = vec![run()];
    while results.len() < REPETITIONS && took(&results[0]) < Duration::from_secs(1) {
        results.push(run());
    }
    results
}

fn main() {
    let seconds = std::env::var("SECONDS").ok().and_then(|text| text.parse().ok());
    let limit = seconds.map_or(MOST_TIME, Duration::from_secs);
    println!(
        "{:5} {:>24} {:>22} {:>6} {:>9} {:>5} {:>9}  {:<34} gain for all",
        "",
        "plain, no reduction: ms",
        "plain, reduced: ms",
        "D/U/C",
        "ms",
        "all",
        "ms",
        "gain per cycle (reduced) published"
    );
    let wanted: Vec<String> = std::env::args().skip(1).filter(|name| name != "--bench").collect();
    for row in ROWS.iter().filter(|row| wanted.is_empty() || wanted.iter().any(|w| w == row.name)) {
        for index in 0..2 {
            print_row(row, index, limit);
        }
    }
    if !wanted.is_empty() {
        return;
    }
    println!("\nthe analysis of models that grow: lines, objects, contexts, cycles, milliseconds");
    for units in [5, 10, 25, 50, 100, 200] {
        let text = family(units);
        let lines = text.lines().count();
        let result = load(vec![SourceFile::new("family.abs", text)], &LoadOptions::default());
        let model = result.model.expect("the family loads");
        let clock = Instant::now();
        let analysis = analyse(&model, Settings::default()).expect("there is a main block");
        let took = clock.elapsed().as_secs_f64() * 1000.0;
        println!(
            "{lines:6} {:6} {:6} {:6} {took:9.1}",
            analysis.points.abstraction.objects.len(),
            analysis.points.abstraction.contexts.len(),
            analysis.graph.cycles.len()
        );
    }
}

fn print_row(row: &Row, index: usize, limit: Duration) {
    let model = model(row, row.limits[index]);
    let searches = repeated(|| guided(&model, Reduction::Object, limit), |found| found.all);
    let fastest = |of: &dyn Fn(&Guided) -> Duration| searches.iter().map(of).min().expect("it ran");
    let (per_cycle, all) = (fastest(&|found| found.per_cycle), fastest(&|found| found.all));
    let found = &searches[0];
    let published = row.gains[index];
    let needed = per_cycle.mul_f64(published.per_cycle).max(all.mul_f64(published.all));
    let time = needed.mul_f64(SLACK).max(LEAST_TIME).min(limit);
    let plain = |reduction, name, time| {
        let options = Options { reduction, ..Options::default() };
        let program = ModelProgram::new(std::sync::Arc::clone(&model), options);
        let runs = repeated(|| explore(&program, name, time, false), |(_, took)| *took);
        runs.into_iter().min_by_key(|(_, took)| *took).expect("it ran")
    };
    let (unreduced, without) = plain(Reduction::None, "exhaustive", time);
    let (reduced, with) = plain(Reduction::Object, "optimal", LEAST_TIME);
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let more =
        |exploration: &Exploration| if exploration.unexplored.is_some() { "≥" } else { "" };
    let told = |exploration: &Exploration, took: Duration| {
        let executions = exploration.statistics.executions;
        format!("{executions}: {}{:.1}", more(exploration), ms(took))
    };
    let gain = |by: Duration, there: f64| {
        let ours = ms(without) / ms(by);
        let (open, reduced_open) = (more(&unreduced), more(&reduced));
        let at_least = if published.at_least { ">" } else { "" };
        let mark = match (ours < there, unreduced.unexplored.is_some()) {
            (false, _) => "",
            (true, true) => " open",
            (true, false) => " below",
        };
        let reduced = ms(with) / ms(by);
        format!("{open}{ours:.1} ({reduced_open}{reduced:.1}) {at_least}{there}{mark}")
    };
    println!(
        "{:5} {:>24} {:>22} {:>6} {:>9.2} {:>5} {:>9.2}  {:<34} {}{}",
        format!("{} {}", row.name, row.limits[index]),
        told(&unreduced, without),
        told(&reduced, with),
        format!("{}/{}/{}", found.deadlocked, found.impossible, found.cycles),
        ms(per_cycle),
        found.executions,
        ms(all),
        gain(per_cycle, published.per_cycle),
        gain(all, published.all),
        if found.stopped { "  stopped" } else { "" }
    );
}

/// A model with so many pairs of a database and a worker, each pair asking the next one.
fn family(units: usize) -> String {
    let mut text = "module Family;\n".to_owned();
    for unit in 0..units {
        let _ = write!(
            text,
            "interface DB{unit} {{
  Unit register(Worker{unit} w);
  Int getData(Worker{unit} w);
  Int forward(Int n);
}}
interface Worker{unit} {{
  Unit work(DB{unit} db);
  Int ping(Int n);
}}
class DB{unit}Impl implements DB{unit} {{
  List<Worker{unit}> clients = Nil;
  Int count = 0;
  Unit register(Worker{unit} w) {{
    Fut<Int> f = w!ping(5);
    Int n = f.get;
    if (n == 5) {{
      clients = Cons(w, clients);
      count = count + 1;
    }}
  }}
  Int getData(Worker{unit} w) {{
    return count;
  }}
  Int forward(Int n) {{
    Int k = n;
    while (k > 0) {{
      k = k - 1;
    }}
    return k;
  }}
}}
class Worker{unit}Impl implements Worker{unit} {{
  Int data_ = 0;
  Unit work(DB{unit} db) {{
    Fut<Int> f = db!getData(this);
    data_ = f.get;
    Fut<Int> g = db!forward(data_);
    await g?;
    data_ = g.get;
  }}
  Int ping(Int n) {{
    return n;
  }}
}}
"
        );
    }
    text += "{\n";
    for unit in 0..units {
        let _ = write!(
            text,
            "  DB{unit} db{unit} = new DB{unit}Impl();
  Worker{unit} w{unit} = new Worker{unit}Impl();
  Fut<Unit> f{unit} = db{unit}!register(w{unit});
  Fut<Unit> g{unit} = w{unit}!work(db{unit});
  await g{unit}?;
"
        );
    }
    text + "}\n"
}
