//! The search for deadlocks: the nine programs of Table 7.1, and the analysis of models that grow.
//!
//! `cargo bench -p counterpoint-abs --bench deadlocks`. One core. For each program and limit: plain symbolic
//! execution of ours (every trace once; without reduction in brackets), the guided search for one deadlock of
//! each cycle and for all of them, analysis included, and what that gains. An exploration that takes too long is
//! stopped after [`MOST_TIME`], and the gain is then at least what is printed.

#[path = "../tests/table_7_1/mod.rs"]
pub mod table_7_1;

use std::fmt::Write;
use std::time::{Duration, Instant};

use counterpoint_abs::analysis::{Settings, analyse};
use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};

use table_7_1::{ROWS, explore, guided, model};

const MOST_TIME: Duration = Duration::from_secs(30);

fn main() {
    println!(
        "{:4} {:>2} {:>9} {:>10} {:>21} {:>6} {:>9} {:>6} {:>9} {:>19} {:>19}",
        "",
        "k",
        "traces",
        "ms",
        "(no reduction: ms)",
        "D/U/C",
        "ms",
        "all",
        "ms",
        "gain per cycle",
        "gain all"
    );
    for row in &ROWS {
        for limit in row.limits {
            let model = model(row, limit);
            let plain = |reduction, name| {
                let options = Options { reduction, ..Options::default() };
                let program = ModelProgram::new(std::sync::Arc::clone(&model), options);
                explore(&program, name, MOST_TIME, false)
            };
            let (traces, took) = plain(Reduction::Object, "optimal");
            let (unreduced, bare) = plain(Reduction::None, "exhaustive");
            let found = guided(&model, Reduction::Object, MOST_TIME);
            let more = |stopped: bool| if stopped { ">" } else { "" };
            let ms = |time: Duration| time.as_secs_f64() * 1000.0;
            let gain = |by: Duration| {
                format!(
                    "{}{:.1} ({}{:.0})",
                    more(traces.unexplored.is_some()),
                    ms(took) / ms(by),
                    more(unreduced.unexplored.is_some()),
                    ms(bare) / ms(by)
                )
            };
            println!(
                "{:4} {limit:>2} {:>9} {:>10} {:>21} {:>6} {:>9.2} {:>6} {:>9.2} {:>19} {:>19}{}",
                row.name,
                traces.statistics.executions,
                format!("{}{:.2}", more(traces.unexplored.is_some()), ms(took)),
                format!(
                    "({}: {}{:.1})",
                    unreduced.statistics.executions,
                    more(unreduced.unexplored.is_some()),
                    ms(bare)
                ),
                format!("{}/{}/{}", found.deadlocked, found.impossible, found.cycles),
                ms(found.per_cycle),
                found.executions,
                ms(found.all),
                gain(found.per_cycle),
                gain(found.all),
                if found.stopped { "  stopped" } else { "" }
            );
        }
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

/// A model with so many pairs of a database and a worker, each pair asking the next one.
pub fn family(units: usize) -> String {
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
