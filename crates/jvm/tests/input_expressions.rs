//! Random arithmetic over inputs, compared with the installed `java`.
//!
//! Two sorts of programs are drawn. *Values*: expressions of all integral types; every path's inputs
//! are handed to `java`, which must print the same result. *Paths*: conditions over a byte and a truth
//! value; `java` tries all 512 inputs, and the tool must have found exactly the paths that these take.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::load::{INPUT_SOURCE, Jdk, compile};
use counterpoint_jvm::{JavaProgram, Target};
use counterpoint_model::{Bound, Verdict};

/// Programs in a class.
const BATCH: usize = 50;

/// Draws programs.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    /// An `int` expression over variables of narrower or the same type.
    fn int(&mut self, variables: &[Variable], depth: u32) -> String {
        if depth == 0 {
            return self.int_leaf(variables);
        }
        let below = depth - 1;
        match self.below(13) {
            0..=2 => {
                let operator = self.one(&["+", "-", "&", "|", "^"]);
                format!(
                    "({} {operator} {})",
                    self.int(variables, below),
                    self.int(variables, below)
                )
            }
            3 => format!("({} * {})", self.int(variables, below), self.small()),
            4 => {
                // A divisor of few bits keeps the solver's work small; it can be zero.
                let operator = self.one(&["/", "%"]);
                let divisor = self.below(3);
                let divisor = match divisor {
                    0 => format!("(byte) {}", self.int_leaf(variables)),
                    _ => self.small(),
                };
                format!("({} {operator} ({divisor}))", self.int(variables, below))
            }
            5 => {
                let operator = self.one(&["<<", ">>", ">>>"]);
                let distance = self.int_leaf(variables);
                format!("({} {operator} {distance})", self.int(variables, below))
            }
            6 => format!("(-{})", self.int(variables, below)),
            7 => format!("(~{})", self.int(variables, below)),
            8 => {
                let cast = self.one(&["byte", "char", "short", "int"]);
                format!("(({cast}) {})", self.long(variables, below))
            }
            9 => format!(
                "({} ? {} : {})",
                self.condition(variables, 1),
                self.int(variables, below),
                self.int(variables, below)
            ),
            10 => {
                let function = self.one(&["Math.max", "Math.min", "Integer.compare"]);
                format!("{function}({}, {})", self.int(variables, below), self.int_leaf(variables))
            }
            11 => format!("Math.abs({})", self.int(variables, below)),
            _ => format!("TABLE[{} & 3]", self.int(variables, below)),
        }
    }

    fn int_leaf(&mut self, variables: &[Variable]) -> String {
        let fitting: Vec<&Variable> =
            variables.iter().filter(|variable| variable.kind != "long").collect();
        if fitting.is_empty() || self.below(3) == 0 {
            return self.small();
        }
        let variable = fitting[self.below(fitting.len() as u64) as usize];
        match variable.kind {
            "boolean" => format!("({} ? 1 : 0)", variable.name),
            _ => variable.name.clone(),
        }
    }

    fn small(&mut self) -> String {
        let corner = ["0", "1", "-1", "2", "7", "31", "32", "255", "-128", "65535", "1000003"];
        match self.below(8) {
            0 => "Integer.MIN_VALUE".to_string(),
            1 => "Integer.MAX_VALUE".to_string(),
            2 => format!("({})", self.below(1 << 32) as u32 as i32),
            _ => format!("({})", self.one(&corner)),
        }
    }

    /// A `long` expression.
    fn long(&mut self, variables: &[Variable], depth: u32) -> String {
        let longs: Vec<String> = variables
            .iter()
            .filter(|variable| variable.kind == "long")
            .map(|variable| variable.name.clone())
            .collect();
        if depth == 0 {
            return match self.below(4) {
                0 => "Long.MIN_VALUE".to_string(),
                1 => format!("{}L", self.below(1 << 40)),
                _ if !longs.is_empty() => longs[self.below(longs.len() as u64) as usize].clone(),
                _ => format!("(long) {}", self.int_leaf(variables)),
            };
        }
        let below = depth - 1;
        match self.below(7) {
            0..=2 => {
                let operator = self.one(&["+", "-", "&", "|", "^"]);
                format!(
                    "({} {operator} {})",
                    self.long(variables, below),
                    self.long(variables, below)
                )
            }
            3 => {
                let operator = self.one(&["*", "/", "%"]);
                format!("({} {operator} {})", self.long(variables, below), self.small())
            }
            4 => {
                let operator = self.one(&["<<", ">>", ">>>"]);
                format!("({} {operator} {})", self.long(variables, below), self.int_leaf(variables))
            }
            5 => format!("(-{})", self.long(variables, below)),
            _ => format!("((long) {})", self.int(variables, below)),
        }
    }

    fn condition(&mut self, variables: &[Variable], depth: u32) -> String {
        if depth > 0 && self.below(3) == 0 {
            let operator = self.one(&["&&", "||"]);
            return format!(
                "({} {operator} {})",
                self.condition(variables, depth - 1),
                self.condition(variables, depth - 1)
            );
        }
        let comparison = self.one(&["==", "!=", "<", "<=", ">", ">="]);
        match self.below(5) {
            0 => format!("({} {comparison} {})", self.long(variables, 1), self.long(variables, 0)),
            _ => format!("({} {comparison} {})", self.int(variables, 1), self.int(variables, 0)),
        }
    }
}

struct Variable {
    kind: &'static str,
    name: String,
    source: &'static str,
}

fn variables(draw: &mut Draw) -> Vec<Variable> {
    const KINDS: [(&str, &str); 6] = [
        ("int", "anyInt"),
        ("long", "anyLong"),
        ("boolean", "anyBoolean"),
        ("char", "anyChar"),
        ("byte", "anyByte"),
        ("short", "anyShort"),
    ];
    let count = 1 + draw.below(3);
    let names = ["a", "b", "c"];
    let variable = |index: usize| {
        let (kind, source) = KINDS[draw.below(6) as usize];
        Variable { kind, name: names[index].to_string(), source }
    };
    (0..count as usize).map(variable).collect()
}

fn declarations(variables: &[Variable]) -> String {
    let mut text = String::new();
    for Variable { kind, name, source } in variables {
        writeln!(text, "        {kind} {name} = Input.{source}();").expect("text grows");
    }
    text
}

/// A class whose main method chooses one of its methods and prints what it returns.
fn class(name: &str, methods: &[String]) -> String {
    let mut text = format!(
        "import counterpoint.Input;\nclass {name} {{\n    static final int[] TABLE = {{3, -1, 1 << 30, 0}};\n"
    );
    for (number, body) in methods.iter().enumerate() {
        write!(text, "    static String m{number}() {{\n{body}    }}\n").expect("text grows");
    }
    text += "    static String chosen(int number) {\n        switch (number) {\n";
    for number in 0..methods.len() {
        writeln!(text, "            case {number}: return m{number}();").expect("text grows");
    }
    text += "            default: return \"none\";\n        }\n    }\n";
    let count = methods.len();
    write!(
        text,
        "    public static void main(String[] arguments) {{\n        int number = Input.choose({count});\n        \
         String result = chosen(number);\n        System.out.println(number + \" \" + result);\n    }}\n}}\n"
    )
    .expect("text grows");
    text
}

fn value_method(draw: &mut Draw) -> String {
    let variables = variables(draw);
    let result =
        if draw.below(2) == 0 { draw.int(&variables, 3) } else { draw.long(&variables, 3) };
    let (condition, other) = (draw.condition(&variables, 1), draw.int(&variables, 2));
    format!(
        "{}        try {{\n            if {condition} return \"\" + ({result});\n            \
         return \"\" + ({other});\n        }} catch (ArithmeticException exception) {{\n            \
         return exception.getMessage();\n        }}\n",
        declarations(&variables)
    )
}

fn path_method(draw: &mut Draw) -> String {
    let variables = [("byte", "a", "anyByte"), ("boolean", "b", "anyBoolean")]
        .map(|(kind, name, source)| Variable { kind, name: name.to_string(), source });
    let mut text = declarations(&variables);
    text += "        String path = \"\";\n        try {\n";
    for _ in 0..3 {
        let condition = draw.condition(&variables, 1);
        writeln!(text, "            path += {condition} ? \"x\" : \"y\";").expect("text grows");
    }
    let selector = draw.int(&variables, 2);
    writeln!(text, "            switch ({selector}) {{").expect("text grows");
    text += "                case 0: path += \"zero\"; break;\n                case 1: case -1: path += \"one\"; break;\n                case 1000: path += \"many\"; break;\n                default: path += \"other\";\n            }\n";
    text += "        } catch (ArithmeticException exception) {\n            path += \"/\";\n        }\n        return path;\n";
    text
}

/// Runs `java` on a harness that calls methods with inputs given on lines, and returns its lines.
const HARNESS: &str = r#"
import java.io.*;
class Harness {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false);
        System.setOut(out);
        java.lang.reflect.Method main =
                Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        int number = 0;
        for (String line; (line = in.readLine()) != null; number++) {
            // A last value that is not asked for makes every line another.
            System.setProperty("counterpoint.inputs", line + "," + number);
            main.invoke(null, (Object) new String[0]);
        }
        out.flush();
    }
}
"#;

fn java(jdk: &Jdk, classes: &Path, main: &str, lines: &[String]) -> Vec<String> {
    let mut child = Command::new(jdk.tool("java"))
        .arg("-cp")
        .arg(classes)
        .args(["-XX:TieredStopAtLevel=1", "Harness", main])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java runs");
    let mut input = child.stdin.take().expect("a pipe");
    let text = lines.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("java ends");
    writer.join().expect("no panic").expect("java reads its input");
    assert!(output.status.success(), "{main}");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_string).collect()
}

/// The inputs and the output of every execution.
#[derive(Default)]
struct Executions(Vec<(String, String)>);

impl Sink for Executions {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let values: Vec<String> =
            execution.run.inputs().into_iter().map(|input| input.value).collect();
        let output = execution.run.outcome().unwrap_or_default();
        self.0.push((values.join(","), output.trim_end().to_string()));
        Flow::Continue
    }
}

fn explore(classes: &Path, main: &str) -> (Exploration, Vec<(String, String)>) {
    let target = Target {
        paths: vec![classes.to_path_buf()],
        main: Some(main.to_string()),
        ..Target::default()
    };
    let program = JavaProgram::load(&target).expect("it loads");
    let mut executions = Executions::default();
    let result = (explorer("optimal").expect("an explorer").explore)(Assignment {
        program: &program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut executions,
        parameters: ParameterValues::seeded(1),
    });
    assert_eq!(result.internal_errors, Vec::<String>::new());
    assert_eq!(result.unexplored, None);
    let messages: Vec<&str> =
        result.findings.iter().map(|found| found.finding.message.as_str()).collect();
    assert_eq!(messages, Vec::<&str>::new(), "{main}");
    (result, executions.0)
}

/// Compiles drawn classes together with the harness and the real class of inputs.
fn build(jdk: &Jdk, classes: &[(String, String)]) -> tempfile::TempDir {
    let sources = tempfile::tempdir().expect("a folder");
    let mut paths: Vec<PathBuf> = Vec::new();
    let others = [
        ("Harness".to_string(), HARNESS.to_string()),
        ("Input".to_string(), INPUT_SOURCE.to_string()),
    ];
    for (name, text) in classes.iter().chain(&others) {
        let path = sources.path().join(format!("{name}.java"));
        std::fs::write(&path, text).expect("a file");
        paths.push(path);
    }
    compile(jdk, &paths, &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn java_prints_the_same_for_the_inputs_of_every_path() {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let mut draw = Draw(0x5EED_1234_5678_9ABC);
    let classes: Vec<(String, String)> = (0..4)
        .map(|number| {
            let name = format!("Values{number}");
            let methods: Vec<String> = (0..BATCH).map(|_| value_method(&mut draw)).collect();
            (name.clone(), class(&name, &methods))
        })
        .collect();
    let folder = build(&jdk, &classes);
    for (name, text) in &classes {
        let (result, executions) = explore(folder.path(), name);
        let undecided = |bound: &Bound| !matches!(bound, Bound::Concretised(_) | Bound::Solver(_));
        assert!(!result.bounds.iter().any(undecided), "{:?}", result.bounds);
        assert!(executions.len() > 2 * BATCH, "{name}: {} executions", executions.len());
        let lines: Vec<String> = executions.iter().map(|(inputs, _)| inputs.clone()).collect();
        let printed = java(&jdk, folder.path(), name, &lines);
        assert_eq!(printed.len(), executions.len());
        for ((inputs, ours), theirs) in executions.iter().zip(&printed) {
            let number = ours.split(' ').next().unwrap_or_default();
            let from = text.find(&format!(" m{number}()")).unwrap_or(0);
            let method: String = text[from..].lines().take(12).collect::<Vec<_>>().join("\n");
            assert_eq!(ours, theirs, "{name} with {inputs}:\n{method}");
        }
    }
}

#[test]
fn exactly_the_paths_that_some_input_takes_are_found() {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let mut draw = Draw(0x0DDB_A110_DDBA_1100);
    let methods: Vec<String> = (0..BATCH).map(|_| path_method(&mut draw)).collect();
    let classes = [("Paths".to_string(), class("Paths", &methods))];
    let folder = build(&jdk, &classes);
    let (result, executions) = explore(folder.path(), "Paths");
    assert_eq!(result.verdict(), Verdict::Ok);
    let mut lines = Vec::new();
    for number in 0..BATCH {
        for byte in i8::MIN..=i8::MAX {
            lines.extend([true, false].map(|truth| format!("{number},{byte},{truth}")));
        }
    }
    let wanted: BTreeSet<String> = java(&jdk, folder.path(), "Paths", &lines).into_iter().collect();
    let found: BTreeSet<String> = executions.into_iter().map(|(_, output)| output).collect();
    assert_eq!(found, wanted);
}
