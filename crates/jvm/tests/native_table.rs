//! The table of natives, row by row: what threads share is seen, whoever touches it.
//!
//! For every row that reads or writes memory that it is given (copies, comparisons, reflection, `Unsafe`,
//! calls performed as one atomic call) there is a program of two threads, of which one calls the method and the
//! other reads or writes the same memory, and every explorer finds more than one outcome and the same
//! ones as all others. A row without a program, and without a reason why it touches nothing that threads
//! share, fails the test, so that a new row cannot be forgotten.

#[path = "native_table/cases.rs"]
mod cases;
mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use cases::{CONTENTS, INDIRECT, ITERATORS, QUEUES, REFUSED, WHOLES};
use counterpoint_jvm::load::Jdk;
use counterpoint_jvm::{Claim, JavaProgram, NativeRow, Target, native_rows};
use counterpoint_model::FindingKind;

const EXPLORERS: [&str; 6] =
    ["optimal", "dpor", "unfolding", "contextual", "stateful", "exhaustive"];

/// Executions after which an explorer stops.
const EXECUTIONS: u64 = 2000;

/// Set to try every access of `Unsafe` and not only some of each type.
const ALL: &str = "COUNTERPOINT_LONG";

/// A program for a row.
#[derive(Debug, Clone)]
struct Generated {
    row: String,
    fields: String,
    call: String,
    other: String,
    refused: bool,
}

impl Generated {
    fn new(row: &str, fields: &str, call: &str, other: &str) -> Generated {
        let [row, fields, call, other] = [row, fields, call, other].map(str::to_string);
        Generated { row, fields, call, other, refused: false }
    }

    /// The case as a class.
    fn class(&self, number: usize) -> String {
        let call = match self.call.strip_prefix('=') {
            Some(expression) => format!("return of({});", expression.trim()),
            None => format!("{} return \"\";", self.call),
        };
        format!(
            "static class C{number} extends Case {{ {} C{number}() throws Exception {{ }}\n\
             String call() throws Exception {{ {call} }}\n\
             void other() throws Exception {{ {} }} }}\n",
            self.fields, self.other
        )
    }
}

/// Which methods the classes of the table have in this JDK: class, name, descriptor.
fn methods() -> &'static BTreeSet<(String, String, String)> {
    static METHODS: OnceLock<BTreeSet<(String, String, String)>> = OnceLock::new();
    METHODS.get_or_init(|| {
        let classes: BTreeSet<&str> = native_rows().map(|row| row.class).collect();
        let names = classes.iter().map(|class| class.replace('/', "."));
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        let output = Command::new(jdk.tool("javap")).args(["-p", "-s"]).args(names).output();
        let output = output.expect("the JDK has a disassembler").stdout;
        let text = String::from_utf8_lossy(&output);
        let mut found = BTreeSet::new();
        let (mut class, mut member) = (String::new(), String::new());
        for line in text.lines() {
            let words = line.split_whitespace().collect::<Vec<_>>();
            let declared = words.iter().position(|word| matches!(*word, "class" | "interface"));
            if line.ends_with('{')
                && let Some(place) = declared
            {
                let name = words[place + 1].split('<').next().unwrap_or_default();
                class = name.replace('.', "/");
            } else if let Some(descriptor) = line.trim().strip_prefix("descriptor: ") {
                let name = if member == class.replace('/', ".") { "<init>" } else { &member };
                found.insert((class.clone(), name.to_string(), descriptor.to_string()));
            } else if let Some((before, _)) = line.split_once('(') {
                member = before.split_whitespace().last().unwrap_or_default().to_string();
            }
        }
        found
    })
}

/// Whether this JDK has the method of a row.
fn exists(row: &NativeRow) -> bool {
    methods().iter().any(|(class, name, descriptor)| {
        class == row.class
            && name == row.name
            && (row.descriptor == "*" || row.descriptor == descriptor)
    })
}

fn name_of(row: &NativeRow) -> String {
    format!("{}.{}", row.class, row.name)
}

/// Whether a case is for a row: the names are the same, and so is the start of the descriptor if given.
fn is_for(case: &str, row: &NativeRow) -> bool {
    let name = name_of(row);
    match case.strip_prefix(&name) {
        Some("") => true,
        Some(rest) if rest.starts_with('(') => row.descriptor.starts_with(rest),
        _ => false,
    }
}

/// Programs for the methods of reflection on variables of primitive types.
fn reflected() -> Vec<Generated> {
    let kinds = ["boolean", "byte", "char", "short", "int", "long", "float", "double"];
    let mut made = Vec::new();
    for kind in kinds {
        let (old, new) = values(kind);
        let title = kind[..1].to_uppercase() + &kind[1..];
        let array = format!("final {kind}[] a = {{{old}}};");
        let field = format!("static class V {{ {kind} x = {old}; }} final V v = new V();");
        let get = "V.class.getDeclaredField(\"x\")";
        let rows = [
            ("Array", "get", &array, format!("= Array.get{title}(a, 0)"), format!("a[0] = {new};")),
            (
                "Array",
                "set",
                &array,
                format!("Array.set{title}(a, 0, {new});"),
                "seen = of(a[0]);".to_string(),
            ),
            ("Field", "get", &field, format!("= {get}.get{title}(v)"), format!("v.x = {new};")),
            (
                "Field",
                "set",
                &field,
                format!("{get}.set{title}(v, {new});"),
                "seen = of(v.x);".to_string(),
            ),
        ];
        for (class, verb, fields, call, other) in rows {
            let row = format!("java/lang/reflect/{class}.{verb}{title}");
            made.push(Generated::new(&row, fields, &call, &other));
        }
    }
    made
}

/// Two different values of a type.
fn values(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "boolean" => ("false", "true"),
        "char" => ("'a'", "'b'"),
        "byte" => ("(byte) 1", "(byte) 2"),
        "short" => ("(short) 1", "(short) 2"),
        "long" => ("1L", "2L"),
        "float" => ("1f", "2f"),
        "double" => ("1d", "2d"),
        "Object" => ("\"a\"", "\"b\""),
        _ => ("1", "2"),
    }
}

/// A program for an access of `Unsafe`: one thread performs it, the other reads and writes the variable.
fn access(row: &NativeRow) -> Option<Generated> {
    let kinds = [
        ("Boolean", "boolean"),
        ("Byte", "byte"),
        ("Char", "char"),
        ("Short", "short"),
        ("Int", "int"),
        ("Long", "long"),
        ("Float", "float"),
        ("Double", "double"),
        ("Reference", "Object"),
        ("Object", "Object"),
    ];
    let (_, kind) = kinds.iter().find(|(title, _)| row.name.contains(title))?;
    let (old, new) = values(kind);
    let parameters = row.descriptor.split(')').next().unwrap_or_default();
    let count = parameters.trim_start_matches("(Ljava/lang/Object;J");
    let count = if count.is_empty() { 0 } else { count.replace("Ljava/lang/Object;", "L").len() };
    let given = match count {
        0 => String::new(),
        1 => format!(", {new}"),
        _ => format!(", {old}, {new}"),
    };
    let place = "U.objectFieldOffset(V.class, \"x\")";
    let call = format!("U.{}(v, {place}{given})", row.name);
    let call = if row.descriptor.ends_with('V') { format!("{call};") } else { format!("= {call}") };
    let fields = format!(
        "static class V {{ volatile {kind} x = {old}; }} final V v = new V(); String last() {{ return of(v.x); }}"
    );
    let other = format!("seen = of(v.x); v.x = {new};");
    let exact = format!("{}{}", name_of(row), row.descriptor);
    Some(Generated::new(&exact, &fields, &call, &other))
}

/// Programs for the blocking queues and their iterators.
fn queues() -> Vec<Generated> {
    let classes = [
        ("LinkedBlockingQueue", "LinkedBlockingQueue<>(2)", "Itr", "LBQSpliterator"),
        ("ArrayBlockingQueue", "ArrayBlockingQueue<>(2)", "Itr", ""),
        ("LinkedBlockingDeque", "LinkedBlockingDeque<>(2)", "AbstractItr", "LBDSpliterator"),
        ("PriorityBlockingQueue", "PriorityBlockingQueue<>(2, (a, b) -> 0)", "", ""),
    ];
    let mut made = Vec::new();
    for (class, maker, iterator, spliterator) in classes {
        let name = format!("java/util/concurrent/{class}");
        let fields = format!(
            "final {class}<Integer> q = new {maker}, e = new {maker}; \
             final {class}<List<Integer>> l = new {maker}; \
             final Object[] shared = new Integer[1]; final List<Integer> target = new ArrayList<>(); \
             {{ q.add(1); l.add(new ArrayList<>(List.of(4))); }}"
        );
        let has = |owner: &str, method: &str| {
            let case = format!("{owner}.{method}");
            native_rows().any(|row| exists(&row) && is_for(&case, &row))
        };
        for (method, call, other) in QUEUES {
            if has(&name, method) {
                made.push(Generated::new(&format!("{name}.{method}"), &fields, call, other));
            }
        }
        for (end, method, call, other) in ITERATORS {
            let inner = if *end == "Itr" { iterator } else { spliterator };
            let owner = format!("{name}${inner}");
            if has(&owner, method) {
                made.push(Generated::new(&format!("{owner}.{method}"), &fields, call, other));
            }
        }
    }
    made
}

/// All programs.
fn programs() -> &'static [Generated] {
    static PROGRAMS: OnceLock<Vec<Generated>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let case = |row: &cases::Case| Generated::new(row.0, row.1, row.2, row.3);
        let mut made: Vec<Generated> = CONTENTS.iter().chain(WHOLES).map(case).collect();
        made.retain(|made| native_rows().any(|row| exists(&row) && is_for(&made.row, &row)));
        made.extend(REFUSED.iter().map(|row| Generated { refused: true, ..case(row) }));
        made.extend(reflected());
        made.extend(queues());
        let accesses = native_rows().filter(|row| row.claim == Claim::Memory && exists(row));
        made.extend(accesses.filter_map(|row| access(&row)));
        made
    })
}

/// The source of all programs together.
fn source() -> String {
    let mut text = String::from(
        "import java.io.*; import java.lang.invoke.*; import java.lang.ref.*;\n\
         import java.lang.reflect.*; import java.security.SecureRandom; import java.text.*;\n\
         import java.util.*; import java.util.concurrent.*; import java.util.zip.*;\n\
         import jdk.internal.misc.Unsafe;\n\
         public class NativeTable {\n\
         static final Unsafe U = Unsafe.getUnsafe();\n\
         static final PrintStream OUT = System.out;\n\
         static class Stub implements RunnableScheduledFuture<Object> { public void run() { }\n\
         public boolean isPeriodic() { return false; } public boolean cancel(boolean b) { return b; }\n\
         public boolean isCancelled() { return false; } public boolean isDone() { return false; }\n\
         public Object get() { return 1; } public Object get(long t, TimeUnit u) { return 1; }\n\
         public long getDelay(TimeUnit u) { return 0; } public int compareTo(Delayed o) { return 0; } }\n\
         static String of(Object o) { return String.valueOf(o); }\n\
         static abstract class Case { String seen = \"\"; abstract String call() throws Exception;\n\
         abstract void other() throws Exception; String last() throws Exception { return \"\"; } }\n\
         public static void main(String[] args) throws Exception {\n\
         Case c = make(Integer.parseInt(args[0]));\n\
         Thread t = new Thread(() -> { try { c.other(); } catch (RuntimeException e) { }\n\
         catch (Exception e) { throw new Error(e); } });\n\
         t.start(); String first;\n\
         try { first = c.call(); } catch (RuntimeException e) { first = e.getClass().getSimpleName(); }\n\
         t.join(); OUT.println(first + \" \" + c.seen + \" \" + c.last()); }\n",
    );
    let mut makers = String::from("static Case make(int n) throws Exception { switch (n) {\n");
    for (number, made) in programs().iter().enumerate() {
        text.push_str(&made.class(number));
        writeln!(makers, "case {number}: return new C{number}();").expect("text");
    }
    format!("{text}{makers}default: return null; }} }} }}\nclass Tiny {{ }}\n")
}

/// The compiled programs.
fn compiled() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("NativeTable.java");
        std::fs::write(&file, source()).expect("it can be written");
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        let output = Command::new(jdk.tool("javac"))
            .args(["-g", "-nowarn", "-Xlint:none"])
            .args(["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-d"])
            .arg(folder.path())
            .arg(&file)
            .output()
            .expect("the JDK has a compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    });
    folder.path()
}

fn load(number: usize) -> JavaProgram {
    let target = Target {
        paths: vec![compiled().to_path_buf()],
        main: Some("NativeTable".to_string()),
        arguments: vec![number.to_string()],
        ..Target::default()
    };
    JavaProgram::load(&target).unwrap_or_else(|error| panic!("{error}"))
}

/// What is wrong with the program of a case, if anything.
fn check(number: usize, made: &Generated) -> Result<usize, String> {
    let program = load(number);
    let what = format!("{number}: {} {{{}}} beside {{{}}}", made.row, made.call, made.other);
    let mut wanted: Option<BTreeSet<String>> = None;
    for name in EXPLORERS {
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
        let touches = matches!(row.claim, Claim::Contents | Claim::Memory | Claim::AtomicCall);
        if !touches || !exists(&row) {
            continue;
        }
        let has_program = programs().iter().any(|made| is_for(&made.row, &row));
        let indirect = INDIRECT.iter().any(|(name, _)| is_for(name, &row));
        if !has_program && !indirect {
            missing.push(format!("{}{}", name_of(&row), row.descriptor));
        }
    }
    println!("{counts:?}, {} programs", programs().len());
    assert_eq!(missing, Vec::<String>::new(), "rows without a program and without a reason");
}

#[test]
fn every_program_of_the_table_has_several_outcomes_under_every_explorer() {
    let all = std::env::var_os(ALL).is_some();
    let only = std::env::var("NATIVE_ROW").ok();
    let mut wrong = Vec::new();
    let (mut programs_run, mut outcomes) = (0, 0);
    let mut seen_methods = BTreeMap::<String, usize>::new();
    for (number, made) in programs().iter().enumerate() {
        if only.as_ref().is_some_and(|only| !made.row.contains(only.as_str())) {
            continue;
        }
        // The accesses of `Unsafe` differ in type and strength only: a few of each do for every day.
        let access = made.row.starts_with("jdk/internal/misc/Unsafe.") && made.row.contains('(');
        if access && !all {
            let kind = made.row.split('(').nth(1).unwrap_or_default().to_string();
            let seen = seen_methods.entry(kind).or_default();
            *seen += 1;
            if *seen > 1 {
                continue;
            }
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
    println!(
        "{programs_run} programs, {outcomes} outcomes under each of {} explorers",
        EXPLORERS.len()
    );
    assert!(wrong.is_empty(), "{} of {programs_run}:\n{}", wrong.len(), wrong.join("\n"));
}
