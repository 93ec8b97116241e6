//! A program of two threads for every row of the table of natives that touches what threads share, all of them
//! cases of one class, `NativeTable`, whose argument is the number of the case.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use counterpoint_jvm::load::Jdk;
use counterpoint_jvm::{Claim, NativeRow, native_rows};

use super::cases::{
    self, CONTENTS, FILES, INDIRECT, ITERATORS, NEVER_CALLED, QUEUES, REFUSED, WHOLES,
};
use super::synchronisers::OPERATIONS;

/// A program for a row.
#[derive(Debug, Clone)]
pub struct Generated {
    pub row: String,
    pub fields: String,
    pub call: String,
    pub other: String,
    pub refused: bool,
}

impl Generated {
    pub fn new(row: &str, fields: &str, call: &str, other: &str) -> Generated {
        let [row, fields, call, other] = [row, fields, call, other].map(str::to_string);
        Generated { row, fields, call, other, refused: false }
    }

    /// Whether it must not be in one class with others: who may take tasks from the queue of a timer makes
    /// all pools of a program run the JDK's own code, which takes much longer to explore.
    pub fn is_apart(&self) -> bool {
        [&self.fields, &self.call, &self.other].iter().any(|text| text.contains(".getQueue()"))
    }

    /// The case as a class.
    pub fn class(&self, number: usize) -> String {
        let call = match self.call.strip_prefix('=') {
            Some(expression) => format!("return of({});", expression.trim()),
            None => format!("{} return \"\";", self.call),
        };
        format!(
            "static class C{number} extends Case {{ {} C{number}() throws Exception {{ }}\n\
             String call() throws Throwable {{ {call} }}\n\
             void other() throws Exception {{ {} }} }}\n",
            self.fields, self.other
        )
    }
}

/// Which methods the classes of the table have in this JDK: class, name, descriptor.
pub fn methods() -> &'static BTreeSet<(String, String, String)> {
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
pub fn exists(row: &NativeRow) -> bool {
    let from = (row.class.to_string(), row.name.to_string(), String::new());
    let mut named = methods().range(from..);
    named
        .by_ref()
        .take_while(|(class, name, _)| class == row.class && name == row.name)
        .any(|(_, _, descriptor)| row.descriptor == "*" || row.descriptor == descriptor)
}

pub fn name_of(row: &NativeRow) -> String {
    format!("{}.{}", row.class, row.name)
}

/// Whether a case is for a row: the names are the same, and so is the start of the descriptor if given.
pub fn is_for(case: &str, row: &NativeRow) -> bool {
    let rest = case.strip_prefix(row.class).and_then(|rest| rest.strip_prefix('.'));
    match rest.and_then(|rest| rest.strip_prefix(row.name)) {
        Some("") => true,
        Some(rest) if rest.starts_with('(') => row.descriptor.starts_with(rest),
        _ => false,
    }
}

/// Programs for the methods of reflection on variables of primitive types.
pub fn reflected() -> Vec<Generated> {
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
pub fn values(kind: &str) -> (&'static str, &'static str) {
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
pub fn access(row: &NativeRow) -> Option<Generated> {
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
pub fn queues() -> Vec<Generated> {
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
            native_rows().any(|row| is_for(&case, &row) && exists(&row))
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
pub fn programs() -> &'static [Generated] {
    static PROGRAMS: OnceLock<Vec<Generated>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let case = |row: &cases::Case| Generated::new(row.0, row.1, row.2, row.3);
        let mut made: Vec<Generated> =
            CONTENTS.iter().chain(FILES).chain(WHOLES).chain(OPERATIONS).map(case).collect();
        made.retain(|made| native_rows().any(|row| is_for(&made.row, &row) && exists(&row)));
        made.extend(REFUSED.iter().map(|row| Generated { refused: true, ..case(row) }));
        made.extend(reflected());
        made.extend(queues());
        let accesses = native_rows().filter(|row| row.claim == Claim::Memory && exists(row));
        made.extend(accesses.filter_map(|row| access(&row)));
        made
    })
}

/// The class in which most programs are together.
pub const TOGETHER: &str = "NativeTable";

/// The main class and the argument by which a program is run.
pub fn command(number: usize) -> (String, String) {
    match programs()[number].is_apart() {
        true => (format!("Apart{number}"), "0".to_string()),
        false => (TOGETHER.to_string(), number.to_string()),
    }
}

/// The sources of all programs, by class.
pub fn sources() -> Vec<(String, String)> {
    let (apart, together): (Vec<_>, Vec<_>) =
        programs().iter().enumerate().partition(|(_, made)| made.is_apart());
    let mut sources = vec![(TOGETHER.to_string(), written(TOGETHER, together.into_iter()))];
    for (number, made) in apart {
        let class = command(number).0;
        let text = source_of(&class, made);
        sources.push((class, text));
    }
    sources
}

/// The source of one program, number 0 of a class with this name.
pub fn source_of(class: &str, made: &Generated) -> String {
    written(class, std::iter::once((0, made)))
}

/// The source of some programs with their numbers, as a class with this name.
fn written<'a>(class: &str, programs: impl Iterator<Item = (usize, &'a Generated)>) -> String {
    let mut text = String::from(
        "import java.io.*; import java.lang.invoke.*; import java.lang.ref.*;\n\
         import java.lang.reflect.*; import java.security.SecureRandom; import java.text.*;\n\
         import java.util.*; import java.util.concurrent.*; import java.util.concurrent.locks.*;\n\
         import java.util.zip.*;\n\
         import jdk.internal.misc.Unsafe;\n\
         public class NativeTable {\n\
         static final Unsafe U = Unsafe.getUnsafe();\n\
         static final PrintStream OUT = System.out;\n\
         static final java.lang.management.ThreadMXBean BEANS =\n\
         java.lang.management.ManagementFactory.getThreadMXBean();\n\
         static File temporary() throws IOException { File f = File.createTempFile(\"counterpoint\", \"\");\n\
         f.delete(); f.deleteOnExit(); return f; }\n\
         static class Stub implements RunnableScheduledFuture<Object> { public void run() { }\n\
         public boolean isPeriodic() { return false; } public boolean cancel(boolean b) { return b; }\n\
         public boolean isCancelled() { return false; } public boolean isDone() { return false; }\n\
         public Object get() { return 1; } public Object get(long t, TimeUnit u) { return 1; }\n\
         public long getDelay(TimeUnit u) { return 0; } public int compareTo(Delayed o) { return 0; } }\n\
         static String of(Object o) { return String.valueOf(o); }\n\
         static abstract class Case { String seen = \"\"; abstract String call() throws Throwable;\n\
         abstract void other() throws Exception; String last() throws Exception { return \"\"; } }\n\
         public static void main(String[] args) throws Throwable {\n\
         Case c = (Case) make(Integer.parseInt(args[0]));\n\
         Thread t = new Thread(() -> { try { Pause.now(); c.other(); } catch (RuntimeException e) { }\n\
         catch (Exception e) { throw new Error(e); } });\n\
         t.start(); Pause.now(); String first;\n\
         try { first = c.call(); } catch (RuntimeException e) { first = e.getClass().getSimpleName(); }\n\
         t.join(); OUT.println(first + \" \" + c.seen + \" \" + c.last()); }\n",
    );
    // As objects: whether each is a case is asked of the one that is made, and the other classes are not loaded.
    let mut makers = String::from("static Object make(int n) throws Exception { switch (n) {\n");
    for (number, made) in programs {
        text.push_str(&made.class(number));
        writeln!(makers, "case {number}: return new C{number}();").expect("text");
    }
    let text = text.replace(TOGETHER, class);
    let tiny = if text.contains("Tiny") { "class Tiny { }\n" } else { "" };
    format!("{text}{makers}default: return null; }} }} }}\n{tiny}")
}

/// The numbers of the programs for every day: the accesses of `Unsafe` differ in type and strength only, so that one
/// of each type does.
pub fn everyday() -> Vec<usize> {
    let mut kinds = BTreeSet::new();
    let numbers = programs().iter().enumerate().filter(|(_, made)| {
        let access =
            made.row.starts_with("jdk/internal/misc/Unsafe.").then(|| made.row.split_once('('));
        access.flatten().is_none_or(|(_, kind)| kinds.insert(kind.to_string()))
    });
    numbers.map(|(number, _)| number).collect()
}

/// Compiles sources that may name what the JDK keeps for itself.
pub fn compile_into(folder: &Path, files: &[std::path::PathBuf]) {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let output = Command::new(jdk.tool("javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"])
        .args(["-g", "-nowarn", "-Xlint:none", "-proc:none"])
        .args(["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-d"])
        .arg(folder)
        .args(files)
        .output()
        .expect("the JDK has a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Whether a row is about what threads share.
pub fn touches(row: &NativeRow) -> bool {
    let touching =
        matches!(row.claim, Claim::Contents | Claim::Memory | Claim::AtomicCall | Claim::Operation);
    touching && exists(row)
}

/// Whether a row has no program of its own, for a reason or because that of another row is for it, too.
pub fn is_indirect(row: &NativeRow) -> bool {
    INDIRECT.iter().any(|(name, _)| is_for(name, row))
}

/// Whether no program can make the machine call a row, for a reason that the table of cases gives.
pub fn never_called(row: &NativeRow) -> bool {
    NEVER_CALLED.iter().any(|(name, _)| is_for(name, row))
}

/// Whether the machine refuses a row where threads share what it is given.
pub fn is_refused(row: &NativeRow) -> bool {
    REFUSED.iter().any(|case| is_for(case.0, row))
}
