//! Random Java programs with what only Java has: exceptions that leave monitors, timed waits,
//! interrupts, tries to take locks, read-write locks, latches, class initialisation, objects that are
//! published. No oracle knows these, so the explorers judge each other: the search without reduction,
//! the reductions and the unfoldings must agree on outcomes and findings, and `optimal` executes each
//! trace that `dpor` sees exactly once.

use crate::common;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::Programs;
use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::JavaProgram;
use counterpoint_model::{Event, FindingKind};
use counterpoint_testkit::random::Random;

/// Statements of a thread; `#` stands for a small number, `@` for further statements.
const STATEMENTS: &[&str] = &[
    "x = y + #;",
    "r += x;",
    "y = r;",
    "x++;",
    "v++;",
    "r = v + x;",
    "r += count.incrementAndGet();",
    "if (count.compareAndSet(#, 2)) r += 10;",
    "count.updateAndGet(u -> u * 2 + #);",
    "array[x & 1]++;",
    "if (y == #) { @ }",
    "for (int i = 0; i < 2; i++) { x += i; }",
    "synchronized (monitor) { @ }",
    "synchronized (monitor) { @ monitor.notify(); }",
    "synchronized (monitor) { @ monitor.notifyAll(); }",
    "synchronized (monitor) { if (x == 0) monitor.wait(1); @ }",
    "synchronized (monitor) { monitor.wait(); r++; }",
    "try { synchronized (monitor) { x = 1; if (y == 0) throw new IllegalStateException(); } } \
     catch (IllegalStateException left) { r += 100; }",
    "lock.lock(); try { @ } finally { lock.unlock(); }",
    "if (lock.tryLock()) { try { @ } finally { lock.unlock(); } } else { r += 1000; }",
    "both.readLock().lock(); r += y; both.readLock().unlock();",
    "both.writeLock().lock(); y++; both.writeLock().unlock();",
    "if (permits.tryAcquire()) { @ permits.release(); }",
    "permits.acquire(); @ permits.release();",
    "latch.countDown();",
    "latch.await();",
    "first.interrupt();",
    "if (Thread.interrupted()) r += 7;",
    "try { Thread.sleep(1); r++; } catch (InterruptedException woken) { r += 50; }",
    "box = new Box(r + #);",
    "Box seen@ = box; if (seen@ != null) { seen@.content++; r += seen@.content; }",
    "r += Late.value;",
    "synchronized (monitor) { lock.lock(); y = 3; lock.unlock(); }",
    "lock.lock(); synchronized (monitor) { y = 4; } lock.unlock();",
    "if (first.isAlive()) r += 5;",
    "assert x != 9;",
];

/// The same for a thread that waits, and for others that wake and interrupt it, which happens too seldom among all the others.
/// A program has either monitors or conditions.
const WAITS: [[&[&str]; 2]; 2] = [
    [
        &[
            "synchronized (monitor) { monitor.wait(); r++; }",
            "synchronized (monitor) { monitor.wait(1); r++; }",
            "synchronized (monitor) { if (x == 0) monitor.wait(); r += x; }",
            "try { synchronized (monitor) { monitor.wait(); } r = x; } catch (InterruptedException woken) { r += 50 + x; }",
            "if (Thread.interrupted()) r += 7;",
        ],
        &[
            "synchronized (monitor) { @ monitor.notify(); }",
            "synchronized (monitor) { @ monitor.notifyAll(); }",
            "synchronized (monitor) { x = 1; @ }",
            "synchronized (monitor) { monitor.wait(); r++; }",
            "first.interrupt();",
            "first.interrupt();",
            "second.interrupt();",
            "x = 1;",
        ],
    ],
    [
        &[
            "lock.lock(); try { changed.await(); r++; } finally { lock.unlock(); }",
            "lock.lock(); try { r += changed.awaitNanos(1) > 0 ? 3 : 4; } finally { lock.unlock(); }",
            "lock.lock(); try { changed.awaitUninterruptibly(); r++; } finally { lock.unlock(); }",
            "try { lock.lock(); try { changed.await(); } finally { lock.unlock(); } r = x; } \
             catch (InterruptedException woken) { r += 50 + x; }",
            "if (Thread.interrupted()) r += 7;",
        ],
        &[
            "lock.lock(); try { @ changed.signal(); } finally { lock.unlock(); }",
            "lock.lock(); try { @ changed.signalAll(); } finally { lock.unlock(); }",
            "lock.lock(); try { x = 1; @ } finally { lock.unlock(); }",
            "lock.lock(); try { changed.await(); r++; } finally { lock.unlock(); }",
            "first.interrupt();",
            "first.interrupt();",
            "second.interrupt();",
            "x = 1;",
        ],
    ],
];

struct Writer {
    random: Random,
    /// For the first thread, and for the others.
    statements: [&'static [&'static str]; 2],
    names: u32,
}

impl Writer {
    fn statement(&mut self, thread: u32, depth: u32) -> String {
        let statements = self.statements[usize::from(thread > 0)];
        loop {
            let count = u32::try_from(statements.len()).expect("few statements");
            let text = statements[self.random.below(count) as usize];
            if text.contains('@') && !text.contains("seen") && depth > 0 {
                continue;
            }
            let text = text.replace('#', &self.random.below(3).to_string());
            if text.contains("seen") {
                self.names += 1;
                return text.replace('@', &self.names.to_string());
            }
            if !text.contains('@') {
                return text;
            }
            let inner = self.statement(thread, depth + 1);
            return text.replacen('@', &inner, 1);
        }
    }

    fn program(&mut self, class: &str) -> String {
        let threads = 2 + self.random.below(2);
        let most = if threads == 2 { 3 } else { 2 };
        let mut bodies = String::new();
        for number in 0..threads {
            bodies +=
                &format!("static int body{number}() throws InterruptedException {{ int r = 0;\n");
            for _ in 0..1 + self.random.below(most) {
                bodies += &self.statement(number, 0);
                bodies.push('\n');
            }
            bodies += "return r; }\n";
        }
        let starts: String = (1..threads)
            .map(|number| {
                format!(
                    "Thread t{number} = {}; t{number}.start();\n",
                    match number {
                        1 => "second".to_string(),
                        _ => format!("thread({number})"),
                    }
                )
            })
            .collect();
        let joins: String = (1..threads).map(|number| format!("t{number}.join();\n")).collect();
        let cases: String = (0..threads)
            .map(|number| format!("case {number} -> results[number] = body{number}();\n"))
            .collect();
        format!(
            "import java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\n\
             import java.util.concurrent.locks.*;\n\
             public class {class} {{\n\
             static int x, y; static volatile int v; static final int[] array = new int[2];\n\
             static final AtomicInteger count = new AtomicInteger();\n\
             static final Object monitor = new Object();\n\
             static final ReentrantLock lock = new ReentrantLock();\n\
             static final Condition changed = lock.newCondition();\n\
             static final ReentrantReadWriteLock both = new ReentrantReadWriteLock();\n\
             static final Semaphore permits = new Semaphore(1);\n\
             static final CountDownLatch latch = new CountDownLatch(1);\n\
             static final int[] results = new int[{threads}];\n\
             static Box box; static Thread first, second;\n\
             static final class Box {{ int content; Box(int content) {{ this.content = content; }} }}\n\
             static final class Late {{ static int value = ++x; }}\n\
             static Thread thread(int number) {{ return new Thread(() -> {{ try {{ run(number); }}\n\
             catch (InterruptedException stopped) {{ results[number] = -1; }} }}); }}\n\
             static void run(int number) throws InterruptedException {{ switch (number) {{\n\
             {cases} default -> throw new IllegalStateException(); }} }}\n\
             {bodies}\
             public static void main(String[] args) throws InterruptedException {{\n\
             first = thread(0); second = thread(1); first.start();\n{starts}first.join();\n{joins}\
             System.out.println(x + \" \" + y + \" \" + v + \" \" + count + \" \" + array[0] + array[1]);\n\
             for (int result : results) System.out.print(\" \" + result);\n\
             System.out.println(box == null ? -1 : box.content); }} }}\n"
        )
    }
}

/// What an exploration has shown.
#[derive(Default)]
struct Seen {
    outcomes: BTreeSet<String>,
    /// How often each trace was executed.
    traces: HashMap<u64, u32>,
}

impl Sink for Seen {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        self.outcomes.insert(execution.run.outcome().unwrap_or_default());
        *self.traces.entry(trace(execution.events)).or_default() += 1;
        Flow::Continue
    }
}

/// A number for the trace of an execution: the sum over its events of what each did and of which
/// others came before it.
fn trace(events: &[Event]) -> u64 {
    let mut clocks: Vec<BTreeMap<u32, u32>> = Vec::new();
    let mut steps: HashMap<u32, u32> = HashMap::new();
    let mut sum = 0u64;
    for (index, event) in events.iter().enumerate() {
        let mut clock = BTreeMap::new();
        let earlier = events[..index].iter().zip(&clocks);
        for (_, known) in earlier.filter(|(other, _)| other.dependent(event)) {
            for (process, count) in known {
                let own = clock.entry(*process).or_insert(0);
                *own = (*own).max(*count);
            }
        }
        let process = event.process().0;
        let step = steps.entry(process).or_default();
        *step += 1;
        clock.insert(process, *step);
        let mut hasher = DefaultHasher::new();
        (process, event.choice.alternative, &clock, &event.footprint).hash(&mut hasher);
        sum = sum.wrapping_add(hasher.finish());
        clocks.push(clock);
    }
    sum
}

fn explore(name: &str, program: &JavaProgram, most: Option<u64>) -> (Exploration, Seen) {
    let mut seen = Seen::default();
    let result = (explorer(name).expect("an explorer").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits { executions: most, ..Limits::default() },
        properties: default_properties(),
        sink: &mut seen,
        parameters: ParameterValues::default(),
    });
    (result, seen)
}

fn findings(result: &Exploration) -> BTreeSet<(FindingKind, String)> {
    let finding = |found: &counterpoint_explore::Found| {
        let places = found.finding.places.iter().map(ToString::to_string).collect::<Vec<_>>();
        (found.finding.kind, format!("{} {}", found.finding.message, places.join(" ")))
    };
    result.findings.iter().map(finding).collect()
}

/// The findings without what they say.
fn places(result: &Exploration) -> BTreeSet<(FindingKind, String)> {
    let place = |found: &counterpoint_explore::Found| {
        let places: Vec<String> = found.finding.places.iter().map(ToString::to_string).collect();
        (found.finding.kind, places.join(" "))
    };
    result.findings.iter().map(place).collect()
}

/// What is wrong, if anything is; none also for programs that are too large. Nets say so of waits that they cannot follow.
fn disagreement(program: &JavaProgram, waits: bool) -> Option<String> {
    let (truth, expected) = explore("optimal", program, Some(3000));
    if !truth.internal_errors.is_empty() {
        return Some(format!("{:?}", truth.internal_errors));
    }
    if truth.unexplored.is_some() {
        return None;
    }
    if truth.findings.iter().any(|found| found.finding.kind == FindingKind::Unsupported) {
        return Some(format!("{:?}", findings(&truth)));
    }
    if let Some((_, times)) = expected.traces.iter().find(|(_, times)| **times > 1) {
        return Some(format!("optimal executes a trace {times} times"));
    }
    if truth.statistics.abandoned > 0 {
        return Some(format!("optimal abandons {}", truth.statistics.abandoned));
    }
    for name in ["dpor", "race-flip", "exhaustive", "unfolding", "contextual", "stateful"] {
        let nets = ["unfolding", "contextual", "stateful"].contains(&name);
        let attempt = AssertUnwindSafe(|| explore(name, program, Some(20_000)));
        let Ok((result, seen)) = catch_unwind(attempt) else {
            return Some(format!("{name}: a broken invariant"));
        };
        if !result.internal_errors.is_empty() {
            return Some(format!("{name}: {:?}", result.internal_errors));
        }
        if result.unexplored.is_some() {
            continue;
        }
        if nets && !result.bounds.is_empty() {
            if waits {
                continue;
            }
            return Some(format!("{name}: {:?}", result.bounds));
        }
        // Of deadlocks at the same places `stateful` tells one.
        let coarse = |result: &Exploration| match name {
            "stateful" => places(result),
            _ => findings(result),
        };
        if coarse(&result) != coarse(&truth) {
            return Some(format!(
                "{name}: {:#?} instead of {:#?}",
                coarse(&result),
                coarse(&truth)
            ));
        }
        if !nets && seen.outcomes != expected.outcomes {
            return Some(format!(
                "{name}: {:#?} instead of {:#?}",
                seen.outcomes, expected.outcomes
            ));
        }
        if !nets && seen.traces.len() != expected.traces.len() {
            return Some(format!(
                "{name}: {} traces, not {}",
                seen.traces.len(),
                expected.traces.len()
            ));
        }
    }
    None
}

#[test]
fn explorers_agree_on_random_java_programs() {
    agree(false);
}

#[test]
fn explorers_agree_on_random_java_programs_that_wait() {
    agree(true);
}

fn agree(waits: bool) {
    let programs = std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok());
    let first = std::env::var("COUNTERPOINT_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let seeds: Vec<u64> = (first..first + programs.unwrap_or(10)).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sources: Vec<String> = seeds
        .iter()
        .map(|&seed| {
            let random = Random::new(seed);
            let statements = if waits { WAITS[seed as usize % 2] } else { [STATEMENTS; 2] };
            Writer { random, statements, names: 0 }.program(&format!("Java{seed}"))
        })
        .collect();
    let files = seeds.iter().zip(&sources).map(|(seed, text)| {
        let path = folder.path().join(format!("Java{seed}.java"));
        std::fs::write(&path, text).expect("a source");
        path
    });
    let compiled = Programs::compile_files(&files.collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for (seed, text) in seeds.iter().zip(&sources) {
        if let Some(what) = disagreement(&compiled.load(&format!("Java{seed}")), waits) {
            wrong.push((text.len(), text, what));
        }
    }
    wrong.sort();
    if let Some((_, text, what)) = wrong.first() {
        panic!(
            "{} of {} programs disagree; the shortest: {what}\n{text}",
            wrong.len(),
            seeds.len()
        );
    }
}
