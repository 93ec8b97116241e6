//! Test cases as ABS source: fixtures and suites that need nothing but an ABS compiler.
//!
//! **Problem.** A test sets up a state, calls, and checks the result and the final state. Fields are private
//! to their object, and most states cannot be reached through constructors alone; yet the model's files
//! must stay as they are.
//!
//! **Idea.** The tests come as a product of a product line. A delta for each module adds to its classes an
//! interface with one method that sets all fields and one for each field that reads it ([`access`]). Objects
//! are made by `new`, and then their fields are set: so a state is exactly that of the test case, whatever
//! initialisers say. That is right because nothing else has happened: a class whose initialisation calls or
//! waits would do so behind the test's back, and its tests are left out, with the reason. The call of `run`
//! that comes with a new object is used up before the fields are set: the delta replaces `run` by a method that
//! does nothing the first time and what it did before from then on. So tests can call `run` like any method,
//! and those in which the model itself makes such objects are left out. The same delta adds a fixture (an
//! interface with a method for each test) and a suite that implements it, in the style of the ABS unit-testing
//! library, and a module of its own has a main block that runs the suites.
//!
//! A future of the initial state comes from a method of the suite that returns its argument. A method that is to
//! fail is called by a method of its own object which catches the exception, so that no task of the test
//! fails. Where a method leaves something running, that has ended before the final state is
//! looked at: time passes only when nothing can run, so the test awaits a duration. Only those tests do,
//! because in a model that speaks of time every step can make a difference to every other.
//!
//! **What is left out**: tests whose result depends on the order of tasks, deadlocks and tasks that wait for
//! ever (a test could not end), and objects that die. Values that name objects which the run creates
//! are not asserted.

mod access;
mod expression;
mod method;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::machine::TestCase;
use crate::program::{ClassId, ConstructorId, MethodId, Model};

use self::access::class_access;
use self::expression::{maker, variable};
use self::method::{Written, method_of};
use super::Target;

/// A test to write down.
pub struct UnitTest<'t> {
    /// What it tests.
    pub target: &'t Target,
    /// The case.
    pub case: &'t TestCase,
    /// Why it may come out differently in another order of tasks, if it may.
    pub ordered: Option<String>,
    /// Whether something may still run when the tested method has ended.
    pub leaves_running: bool,
}

/// Tests as source.
pub struct UnitTests {
    /// The file.
    pub text: String,
    /// How many tests are in it.
    pub written: usize,
    /// The module with the main block.
    pub module: String,
    /// Targets of tests that are not in it, each with the reason and how many there are.
    pub left_out: BTreeMap<(String, String), usize>,
}

/// The product that tests belong to.
pub const PRODUCT: &str = "Tests";

/// Writes tests down.
pub fn unit_tests(model: &Model, tests: &[UnitTest<'_>]) -> UnitTests {
    let mut left_out: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut leave_out = |test: &UnitTest<'_>, reason: String| {
        *left_out.entry((test.target.name.clone(), reason)).or_default() += 1;
    };
    let mut writable = Vec::new();
    for test in tests {
        match method_of(model, test) {
            Ok(one) => writable.push((test, one)),
            Err(reason) => leave_out(test, reason),
        }
    }
    // Objects of these do not run by themselves any more when the model creates them.
    let quiet: BTreeSet<u32> = writable
        .iter()
        .flat_map(|(_, one)| one.classes.iter().copied())
        .filter(|&class| model.class(ClassId(class)).run.is_some())
        .collect();
    let mut changes: BTreeMap<String, ModuleChange> = BTreeMap::new();
    let mut written = 0;
    for (test, one) in writable {
        match one.created.intersection(&quiet).next() {
            Some(&class) => {
                let name = &model.class(ClassId(class)).name;
                let what = "it creates objects that run by themselves";
                leave_out(test, format!("{what}, of class `{name}`"));
            }
            None => {
                add(&mut changes, model, test, one);
                written += 1;
            }
        }
    }
    let suites: Vec<&String> =
        changes.iter().filter(|(_, one)| !one.tests.is_empty()).map(|(name, _)| name).collect();
    let module = match suites[..] {
        [one] => format!("{one}.Tests"),
        _ => "ModelTests".to_owned(),
    };
    let text = file(model, &module, &changes, &left_out);
    UnitTests { text, written, module, left_out }
}

/// What the tests change in a module.
#[derive(Default)]
struct ModuleChange {
    /// Classes whose objects tests set up.
    classes: BTreeSet<u32>,
    /// Methods that are to fail, each with an exception.
    failing: BTreeSet<(u32, u32)>,
    /// What the suite uses of other modules.
    imports: BTreeSet<(String, String)>,
    /// The types of futures that tests make.
    futures: BTreeSet<String>,
    /// The suite.
    tests: Vec<TestMethod>,
}

struct TestMethod {
    name: String,
    comment: String,
    statements: Vec<String>,
}

fn add(
    changes: &mut BTreeMap<String, ModuleChange>,
    model: &Model,
    test: &UnitTest<'_>,
    one: Written,
) {
    for &class in &one.classes {
        let module = model.class(ClassId(class)).module.to_string();
        changes.entry(module).or_default().classes.insert(class);
    }
    if let Some((method, exception)) = one.failing {
        let class = model.class(model.method(MethodId(method)).class);
        let change = changes.entry(class.module.to_string()).or_default();
        change.failing.insert((method, exception));
    }
    for (module, _) in &one.imports {
        changes.entry(module.clone()).or_default();
    }
    let change = changes.entry(one.module).or_default();
    change.imports.extend(one.imports);
    change.futures.extend(one.futures);
    let base = variable(&test.target.name.replace('.', "_"));
    let same_base =
        |known: &&TestMethod| known.name.rsplit_once('_').is_some_and(|(front, _)| front == base);
    let number = change.tests.iter().filter(same_base).count() + 1;
    let comment = match test.case.condition.is_empty() {
        true => "any input".to_owned(),
        false => test.case.condition.join(" && ").replace('\n', " "),
    };
    let name = format!("{base}_{number}");
    change.tests.push(TestMethod { name, comment, statements: one.statements });
}

fn file(
    model: &Model,
    module: &str,
    changes: &BTreeMap<String, ModuleChange>,
    left_out: &BTreeMap<(String, String), usize>,
) -> String {
    // Writing to a string cannot fail, here and below.
    let mut text = String::from(
        "// Tests made by `counterpoint generate`, from the model that they are to be read with.\n",
    );
    let _ =
        writeln!(text, "//   counterpoint check MODEL THIS --product {PRODUCT} --main {module}");
    for ((target, reason), count) in left_out {
        let _ = writeln!(text, "// {target}: {count} left out, because {reason}");
    }
    let _ = writeln!(text, "module {module};\n");
    let suites = || changes.iter().filter(|(_, change)| !change.tests.is_empty());
    for (name, _) in suites() {
        let fixture = fixture(name);
        let _ = writeln!(text, "import {fixture}, {fixture}Suite from {name};");
    }
    text += "\n{\n";
    for (index, (name, change)) in suites().enumerate() {
        let (fixture, tests) = (fixture(name), format!("tests{}", index + 1));
        let _ = writeln!(text, "  {fixture} {tests} = new {fixture}Suite();");
        for TestMethod { name, .. } in &change.tests {
            let _ = writeln!(text, "  {tests}.{name}();");
        }
    }
    text += "}\n";
    let home = suites().next().map_or("", |(name, _)| name.as_str());
    for (name, change) in changes {
        text += &delta(model, name, change, home);
    }
    text += "\nproductline ModelWithTests;\nfeatures Testing;\n";
    for name in changes.keys() {
        let _ = writeln!(text, "delta {} when Testing;", delta_name(name));
    }
    let _ = writeln!(text, "\nproduct {PRODUCT}(Testing);");
    text
}

fn fixture(module: &str) -> String {
    format!("{}Fixture", module.replace('.', ""))
}

fn delta_name(module: &str) -> String {
    format!("{}Tests", module.replace('.', ""))
}

fn delta(model: &Model, module: &str, change: &ModuleChange, home: &str) -> String {
    let mut text = format!("\ndelta {};\nuses {module};\n", delta_name(module));
    text += "adds export *;\n";
    for (from, name) in &change.imports {
        let _ = writeln!(text, "adds import {name} from {from};");
    }
    for &class in &change.classes {
        let id = ClassId(class);
        let failing = change.failing.iter().map(|&(m, e)| (MethodId(m), ConstructorId(e)));
        let own = failing.filter(|(method, _)| model.method(*method).class == id);
        text += &class_access(model, id, own);
    }
    if !change.tests.is_empty() {
        text += &suite(model, module, change, home);
    }
    text
}

/// The suite of a module. The annotations are declared in one module only, the home.
fn suite(model: &Model, module: &str, change: &ModuleChange, home: &str) -> String {
    let mut text = String::new();
    for annotation in ["Fixture", "Suite", "Test"] {
        let _ = match model.constructors.iter().any(|one| &*one.name == annotation) {
            true => Ok(()),
            false if module == home => {
                writeln!(text, "adds [TypeAnnotation] data {annotation} = {annotation};")
            }
            false => writeln!(text, "adds import {annotation} from {home};"),
        };
    }
    let fixture = fixture(module);
    let _ = writeln!(text, "adds [Fixture] interface {fixture} {{");
    for TestMethod { name, .. } in &change.tests {
        let _ = writeln!(text, "  [Test] Unit {name}();");
    }
    let _ = writeln!(text, "}}\nadds [Suite] class {fixture}Suite implements {fixture} {{");
    for of in &change.futures {
        let _ = writeln!(text, "  {of} {}({of} value) {{ return value; }}", maker(of));
    }
    for TestMethod { name, comment, statements } in &change.tests {
        let _ = writeln!(text, "  // {comment}\n  Unit {name}() {{");
        for statement in statements {
            let _ = writeln!(text, "    {statement}");
        }
        text += "  }\n";
    }
    text + "}\n"
}
