//! What the real virtual machine shows, Counterpoint shows.
//!
//! Programs run many times on the real virtual machine, with pauses of random length before each operation, beside
//! threads that only make noise, and under several settings of its compilers and collectors. Each outcome (what is
//! printed, exceptions that nobody catches, or that the program hangs) must be among those that the exploration of
//! all schedules finds. A program with a data race may show more on a real machine; its result must say that
//! there are races, and what the machine without shortcuts shows must be among it all the same.
//!
//! The programs are random ones of all families of the library ([`families`]), written ones
//! (`outcomes/written.rs`), and one for each row of the tables of natives, atomic calls and operations
//! (`native_table/`), which calls the method beside a conflicting access. Programs that are too large to be explored
//! whole are left out and counted. A disagreement is made smaller and kept in `tests/disagreements`, whose programs
//! are explored again each time.
//!
//! COUNTERPOINT_PROGRAMS says how many random programs, COUNTERPOINT_FIRST with which seed they begin,
//! COUNTERPOINT_RUNS how often each program runs under each setting, COUNTERPOINT_LONG adds all rows of the tables.
//! COUNTERPOINT_TELL tells about outcomes of racy
//! programs and about what was left out.

use crate::native_table::programs;
use crate::outcomes;

use std::collections::BTreeMap;
use std::time::Instant;

use counterpoint_jvm::{Claim, JavaProgram, native_rows};
use outcomes::{
    Explored, Origin, RealOutcomes, Subject, Suite, disagreement, kept, number, shrink,
};

/// Programs that are compiled, run and explored together.
const BATCH: usize = 2_000;

#[test]
fn the_real_virtual_machine_shows_nothing_else() {
    let first = number("COUNTERPOINT_FIRST").unwrap_or(10_000);
    let count = number("COUNTERPOINT_PROGRAMS").unwrap_or(160);
    let runs = number("COUNTERPOINT_RUNS").unwrap_or(2);
    // What threads print to the console at the same time has no order.
    let random = (first..)
        .map(Subject::random)
        .filter(|subject| subject.text().matches("System.out").count() == 1)
        .take(usize::try_from(count).expect("not too many programs"));
    let mut subjects: Vec<Subject> = Subject::written()
        .chain(std::env::var_os("COUNTERPOINT_LONG").into_iter().flat_map(|_| Subject::rows(true)))
        .chain(random)
        .collect();
    let mut total = Totals::default();
    while !subjects.is_empty() {
        let rest = subjects.split_off(subjects.len().min(BATCH));
        let suite = Suite::compile(std::mem::replace(&mut subjects, rest));
        let begun = Instant::now();
        let (real, explored) = std::thread::scope(|scope| {
            let real = scope.spawn(|| suite.real_outcomes(runs));
            let explored = suite.explore_all(&JavaProgram::options());
            total.exploring += begun.elapsed().as_secs_f64();
            (real.join().expect("the real runs end"), explored)
        });
        total.running += begun.elapsed().as_secs_f64();
        total.add(&suite, &explored, &real);
    }
    total.report();
}

/// What was seen, of all batches.
#[derive(Default)]
struct Totals {
    programs: usize,
    too_large: usize,
    racy: usize,
    runs: u64,
    outcomes: usize,
    explored: usize,
    racy_more: usize,
    exploring: f64,
    running: f64,
    rows: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Totals {
    fn add(&mut self, suite: &Suite, explored: &BTreeMap<&str, Explored>, real: &RealOutcomes) {
        let tells = std::env::var_os("COUNTERPOINT_TELL").is_some();
        let none = BTreeMap::new();
        for subject in &suite.subjects {
            let found = &explored[subject.command.as_str()];
            let shown = real.get(&subject.command).unwrap_or(&none);
            self.programs += 1;
            self.runs += shown.values().sum::<u64>();
            if let Some(what) = &found.broken {
                self.wrong.push(format!("{}: {what}\n{}", subject.command, subject.text()));
            }
            if !found.whole {
                self.too_large += 1;
                if tells {
                    println!("too large or refused: {}", subject.text());
                }
                continue;
            }
            self.racy += usize::from(found.racy);
            self.outcomes += shown.len();
            self.explored += found.endings.len();
            if let Origin::Row(made) = &subject.origin {
                let both = self.rows.entry(made.row.clone()).or_default();
                *both = (*both).max(shown.len());
            }
            match disagreement(suite, subject, found, shown) {
                Ok(None) => {}
                Ok(Some(missing)) => {
                    let some: Vec<_> = found.endings.iter().take(5).collect();
                    println!(
                        "{} really shows {:?} ({} times), explored {some:#?}\n{}",
                        subject.command,
                        missing.outcome,
                        missing.times,
                        subject.text()
                    );
                    self.wrong.push(keep_smaller(subject, &missing));
                }
                Err(more) => {
                    self.racy_more += more.len();
                    if tells {
                        let text = subject.text();
                        println!("{}, which has races, shows {more:?}\n{text}", subject.command);
                    }
                }
            }
        }
    }

    fn report(&self) {
        println!(
            "{} programs, {} of them too large; {} have races; {} real runs in {:.1} s show {} of {} explored \
             outcomes (explored in {:.1} s), and {} of racy programs that are not explored; {} wrong",
            self.programs,
            self.too_large,
            self.racy,
            self.runs,
            self.running,
            self.outcomes - self.racy_more,
            self.explored,
            self.exploring,
            self.racy_more,
            self.wrong.len()
        );
        if std::env::var_os("COUNTERPOINT_LONG").is_some() {
            check_coverage(&self.rows);
        }
        assert!(self.wrong.is_empty(), "{} disagree:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert!(self.too_large * 10 <= self.programs * 3, "too many programs are left out");
    }
}

/// Makes a program smaller and keeps it; says where.
fn keep_smaller(subject: &Subject, missing: &outcomes::Disagreement) -> String {
    let class = format!("Kept{}", subject.command.replace(' ', ""));
    let (source, found) = match &subject.origin {
        Origin::Draft(draft) => match shrink::shrink(draft, 30) {
            Some((small, found)) => (small.source(&class), found),
            None => (draft.source(&class), missing.clone()),
        },
        Origin::Row(made) => {
            let source = programs::source_of(&class, made);
            (source.replace("args[0]", "\"0\""), missing.clone())
        }
    };
    let path = kept::keep(&kept::folder(), &class, &source, &found);
    format!("kept as {}: {:?}\n{source}", path.display(), found.outcome)
}

/// Says for which share of the tables a program ran beside a conflicting access, and showed that on the real
/// virtual machine by several outcomes. None may be left out.
fn check_coverage(rows: &BTreeMap<String, usize>) {
    let mut counts: BTreeMap<&str, (usize, usize, usize, usize)> = BTreeMap::new();
    let mut without = Vec::new();
    for row in native_rows().filter(programs::touches) {
        let kind = match row.claim {
            Claim::Contents | Claim::Memory => "natives",
            Claim::AtomicCall => "atomic calls",
            _ => "operations of threads and synchronisers",
        };
        let count = counts.entry(kind).or_default();
        count.0 += 1;
        let shown = rows.iter().filter(|(case, _)| programs::is_for(case, &row)).map(|(_, n)| *n);
        match shown.max() {
            Some(outcomes) => {
                count.1 += 1;
                count.2 += usize::from(outcomes > 1);
            }
            None if programs::is_indirect(&row) || programs::is_refused(&row) => count.3 += 1,
            None => without.push(programs::name_of(&row)),
        }
    }
    for (kind, (all, ran, several, reasons)) in counts {
        println!(
            "{kind}: {ran} of {all} rows beside a conflicting access, {several} with several real outcomes; \
             {reasons} more run inside another row or are refused"
        );
    }
    assert_eq!(without, Vec::<String>::new(), "rows without a program here");
}

#[test]
fn kept_disagreements_are_explored() {
    let missing = kept::missing(&kept::folder());
    assert_eq!(missing, Vec::new(), "really occurs and is not explored");
}
