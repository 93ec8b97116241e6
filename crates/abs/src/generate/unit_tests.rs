//! Test cases as ABS source: fixtures and suites that need nothing but an ABS compiler.
//!
//! **Problem.** A test sets up a state, calls, and checks the result and the final state. Fields are private
//! to their object, and most states cannot be reached through constructors alone; yet the model's files
//! must stay as they are.
//!
//! **Idea.** The tests come as a product of a product line. A delta adds to each class an interface with one
//! method that sets its fields and one for each field that reads it. Objects are made by `new`, and then their
//! fields are set: so a state is exactly that of the test case, whatever initialisers say. That is right
//! because nothing else has happened: a class whose initialisation calls, creates or waits, or that has a
//! `run` method, would do so behind the test's back, and its tests are left out, with the reason. The same
//! delta adds a fixture (an interface with a method for each test) and a suite that implements it, in the style
//! of the ABS unit-testing library, and a module of its own has a main block that runs the suite.
//!
//! A method that is to fail is called by a method of its own object which catches the exception, so that no
//! task of the test fails. Where a method leaves something running, that has ended before the final state is
//! looked at: time passes only when nothing can run, so the test awaits a duration. Only those tests do,
//! because in a model that speaks of time every step can make a difference to every other.
//!
//! **What is left out**: tests whose result depends on the order of tasks, deadlocks and tasks that wait for
//! ever (a test could not end), futures in the initial state, and objects of several modules. Values
//! that name objects which the run creates are not asserted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::machine::{Datum, ObjectCase, Outcome, Slot, Subject, TaskEnd, TestCase};
use crate::program::{
    Class, ClassId, ConstructorId, Generation, Instruction, MethodId, Model, Type,
};

use super::Target;
use super::text::quoted;

/// A test to write down.
pub struct UnitTest<'t> {
    /// What it tests.
    pub target: &'t Target,
    /// The case.
    pub case: &'t TestCase,
    /// Whether it comes out the same in every order of tasks.
    pub ordered: Option<String>,
    /// Whether its tasks have orders that are not the same but for steps that do not concern each other.
    pub several_orders: bool,
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
    let mut by_module: BTreeMap<String, Suite<'_>> = BTreeMap::new();
    let mut written = 0;
    for test in tests {
        match method_of(model, test) {
            Ok(one) => {
                let suite = by_module.entry(one.module.clone()).or_insert_with(|| Suite {
                    model,
                    classes: BTreeSet::new(),
                    failing: BTreeSet::new(),
                    many_orders: false,
                    methods: Vec::new(),
                });
                suite.add(test, one);
                written += 1;
            }
            Err(reason) => {
                *left_out.entry((test.target.name.clone(), reason)).or_default() += 1;
            }
        }
    }
    let names: Vec<String> = by_module.keys().cloned().collect();
    let module = match &names[..] {
        [one] => format!("{one}.Tests"),
        _ => "ModelTests".to_owned(),
    };
    let text = file(model, &module, &by_module, &left_out);
    UnitTests { text, written, module, left_out }
}

/// A test as statements.
struct Written {
    module: String,
    classes: BTreeSet<u32>,
    failing: Option<(u32, u32)>,
    statements: Vec<String>,
}

struct Suite<'m> {
    model: &'m Model,
    /// Classes whose objects tests set up.
    classes: BTreeSet<u32>,
    /// Methods that are to fail, each with an exception.
    failing: BTreeSet<(u32, u32)>,
    /// Whether tests have several orders, or await a duration, which makes every step depend on the others.
    many_orders: bool,
    /// Name, comment and statements of each test.
    methods: Vec<(String, String, Vec<String>)>,
}

impl Suite<'_> {
    fn add(&mut self, test: &UnitTest<'_>, one: Written) {
        self.classes.extend(one.classes);
        self.failing.extend(one.failing);
        self.many_orders |= test.several_orders || test.leaves_running;
        let base = variable(&test.target.name.replace('.', "_"));
        let number = self.methods.iter().filter(|(name, ..)| same_base(name, &base)).count() + 1;
        let condition = match test.case.condition.is_empty() {
            true => "any input".to_owned(),
            false => test.case.condition.join(" && "),
        };
        self.methods.push((format!("{base}_{number}"), condition, one.statements));
    }
}

fn same_base(name: &str, base: &str) -> bool {
    name.rsplit_once('_').is_some_and(|(front, _)| front == base)
}

/// The statements of a test, or why there are none.
fn method_of(model: &Model, test: &UnitTest<'_>) -> Result<Written, String> {
    let case = test.case;
    if let Some(reason) = &test.ordered {
        return Err(reason.clone());
    }
    match case.outcome {
        Outcome::Deadlock => return Err("it ends in a deadlock".to_owned()),
        Outcome::Stuck => return Err("a task waits for ever".to_owned()),
        Outcome::Returned | Outcome::Failure => {}
    }
    let [task] = &case.tasks[..] else { return Err("it begins with several tasks".to_owned()) };
    let initial: Vec<&ObjectCase> =
        case.objects.iter().filter(|object| object.before.is_some()).collect();
    let mut classes = BTreeSet::new();
    let mut module: Option<String> = None;
    for (number, object) in initial.iter().enumerate() {
        let class = model.class(object.class);
        if let Some(reason) = is_active(model, class) {
            return Err(reason);
        }
        // The one that fails is caught by its own object, which lives on.
        let caught = matches!(task.end, TaskEnd::Failed(_))
            && matches!(task.subject, Subject::Method { object, .. } if object == number);
        if object.dead && !caught {
            return Err("an object dies".to_owned());
        }
        match &module {
            Some(known) if **known != *class.module => {
                return Err("its objects are of several modules".to_owned());
            }
            _ => module = Some(class.module.to_string()),
        }
        classes.insert(object.class.0);
    }
    let names = object_names(&initial);
    let value = |datum: &Datum| expression(model, datum, &names);
    let mut statements = Vec::new();
    let create = match model.generation {
        Generation::Old => "new cog",
        Generation::Today => "new",
    };
    for (object, name) in initial.iter().zip(&names) {
        let class = model.class(object.class);
        let before = object.before.as_ref().expect("it is of the initial state");
        let parameters = &before[..usize::from(class.parameters).min(before.len())];
        let arguments: Result<Vec<String>, String> = parameters
            .iter()
            .map(|slot| match &slot.value {
                // Objects that refer to each other cannot be made in any order; they are set below.
                Datum::Object(_) => Ok("null".to_owned()),
                other => value(other).ok_or_else(|| unwritable(slot)),
            })
            .collect();
        let (access, arguments) = (access(class), arguments?.join(", "));
        statements.push(format!("{access} {name} = {create} {}({arguments});", class.name));
    }
    for (object, name) in initial.iter().zip(&names) {
        let class = model.class(object.class);
        let before = object.before.as_ref().expect("it is of the initial state");
        let mut values = Vec::new();
        for (field, slot) in class.fields.iter().zip(before) {
            if matches!(field.value_type, Type::Future(_) | Type::Destiny) {
                match slot.value {
                    Datum::Null => continue,
                    _ => return Err("a future belongs to the initial state".to_owned()),
                }
            }
            values.push(value(&slot.value).ok_or_else(|| unwritable(slot))?);
        }
        if !values.is_empty() {
            statements.push(format!("{name}.setForTests({});", values.join(", ")));
        }
    }
    let arguments: Result<Vec<String>, String> = task
        .arguments
        .iter()
        .map(|slot| value(&slot.value).ok_or_else(|| unwritable(slot)))
        .collect();
    let arguments = arguments?.join(", ");
    let mut failing = None;
    match (task.subject, &task.end) {
        (Subject::Function(function), TaskEnd::Returned(slot)) => {
            let declared = model.function(function);
            let expected = value(&slot.value).ok_or("its result cannot be written down")?;
            statements.push(format!("assert {}({arguments}) == {expected};", declared.name));
            module.get_or_insert_with(|| declared.module.to_string());
        }
        (Subject::Function(_), _) => return Err("a function fails".to_owned()),
        (Subject::Method { object, method }, TaskEnd::Returned(slot)) => {
            let declared = model.method(method);
            let selector = model.selector(declared.selector);
            let call = format!("{}!{selector}({arguments});", names[object]);
            let result = type_text(model, &declared.result);
            statements.push(format!("Fut<{result}> call = {call}"));
            statements.push("await call?;".to_owned());
            statements.push(format!("{result} result = call.get;"));
            if declared.result != Type::UNIT
                && let Some(expected) = value(&slot.value)
            {
                statements.push(format!("assert result == {expected};"));
            }
        }
        (Subject::Method { object, method }, TaskEnd::Failed(slot)) => {
            let selector = model.selector(model.method(method).selector);
            let Datum::Data(exception, _) = &slot.value else {
                return Err("its exception cannot be written down".to_owned());
            };
            let call = failing_name(selector, &model.constructor(*exception).name);
            statements.push(format!("Bool failed = {}.{call}({arguments});", names[object]));
            statements.push("assert failed;".to_owned());
            failing = Some((method.0, exception.0));
        }
        (Subject::Method { .. }, TaskEnd::Waiting) => {
            return Err("a task waits for ever".to_owned());
        }
    }
    if case.outcome == Outcome::Failure && failing.is_none() {
        return Err("a task fails that nobody waits for".to_owned());
    }
    if !initial.is_empty() && test.leaves_running {
        statements.push("await duration(1, 1);".to_owned());
    }
    for (object, name) in initial.iter().zip(&names) {
        let class = model.class(object.class);
        for (field, slot) in class.fields.iter().zip(&object.after) {
            if matches!(field.value_type, Type::Future(_) | Type::Destiny) {
                continue;
            }
            if let Some(expected) = value(&slot.value) {
                let reader = reader(&field.name);
                let found = format!("{name}_{}", field.name);
                let shown = type_text(model, &field.value_type);
                statements.push(format!("{shown} {found} = {name}.{reader}();"));
                statements.push(format!("assert {found} == {expected};"));
            }
        }
    }
    let module = module.ok_or("it has no module")?;
    Ok(Written { module, classes, failing, statements })
}

fn unwritable(slot: &Slot) -> String {
    format!("`{}` cannot be written down", slot.name)
}

/// Why objects of a class do something by themselves, if they do.
fn is_active(model: &Model, class: &Class) -> Option<String> {
    if class.run.is_some() {
        return Some(format!("objects of class `{}` run by themselves", class.name));
    }
    let does = |instruction: &Instruction| {
        matches!(
            instruction,
            Instruction::New { .. }
                | Instruction::Send { .. }
                | Instruction::CallMethod { .. }
                | Instruction::CallOwn { .. }
                | Instruction::Get { .. }
                | Instruction::Await { .. }
                | Instruction::Suspend
                | Instruction::Duration { .. }
        )
    };
    let body = model.body(class.init);
    let active = body.code.iter().any(does);
    active.then(|| format!("class `{}` calls others when it is created", class.name))
}

fn access(class: &Class) -> String {
    format!("{}ForTests", class.name)
}

fn reader(field: &str) -> String {
    format!("{field}ForTests")
}

/// Names of variables for objects, all different.
fn object_names(objects: &[&ObjectCase]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for object in objects {
        let base = match object.name.as_str() {
            "this" => "subject".to_owned(),
            other => variable(&other.replacen("this.", "", 1)),
        };
        let mut name = base.clone();
        let mut number = 2;
        while names.contains(&name) || matches!(name.as_str(), "call" | "result" | "failed") {
            name = format!("{base}{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

/// A text as the name of a variable.
fn variable(text: &str) -> String {
    let mut name = String::new();
    let mut upper = false;
    for c in text.chars() {
        match c.is_ascii_alphanumeric() || c == '_' {
            true if name.is_empty() && !c.is_ascii_alphabetic() => {}
            true if name.is_empty() => name.push(c.to_ascii_lowercase()),
            true if upper => name.push(c.to_ascii_uppercase()),
            true => name.push(c),
            false => {}
        }
        upper = !c.is_ascii_alphanumeric() && c != '_';
    }
    match name.is_empty() {
        true => "object".to_owned(),
        false => name,
    }
}

/// A value as an expression; nothing if it names what the test cannot.
fn expression(model: &Model, datum: &Datum, names: &[String]) -> Option<String> {
    let inner = |datum: &Datum| expression(model, datum, names);
    Some(match datum {
        Datum::Null => "null".to_owned(),
        Datum::Integer(number) => number.to_string(),
        Datum::Rational(number) => format!("{}/{}", number.numer(), number.denom()),
        Datum::Text(text) => quoted(text),
        Datum::Object(number) => names.get(*number)?.clone(),
        Datum::Float(_)
        | Datum::Resolved(_)
        | Datum::Unresolved
        | Datum::Unknown(_)
        | Datum::Term(..)
        | Datum::Opaque => return None,
        Datum::Data(constructor, arguments) => {
            let arguments: Option<Vec<String>> = arguments.iter().map(inner).collect();
            let arguments = arguments?;
            if *constructor == ConstructorId::CONS
                && let [head, tail] = &arguments[..]
                && let Some(rest) = tail.strip_prefix("list[").and_then(|t| t.strip_suffix(']'))
            {
                return Some(match rest.is_empty() {
                    true => format!("list[{head}]"),
                    false => format!("list[{head}, {rest}]"),
                });
            }
            if *constructor == ConstructorId::CONS
                && let [head, tail] = &arguments[..]
                && tail == "Nil"
            {
                return Some(format!("list[{head}]"));
            }
            let name = &model.constructor(*constructor).name;
            match arguments.is_empty() {
                true => name.to_string(),
                false => format!("{name}({})", arguments.join(", ")),
            }
        }
    })
}

fn type_text(model: &Model, value_type: &Type) -> String {
    match value_type {
        Type::Integer => "Int".to_owned(),
        Type::Rational => "Rat".to_owned(),
        Type::Float => "Float".to_owned(),
        Type::String => "String".to_owned(),
        Type::Data(data_type, arguments) => {
            let name = &model.data_type(*data_type).name;
            let arguments: Vec<String> =
                arguments.iter().map(|one| type_text(model, one)).collect();
            match arguments.is_empty() {
                true => name.to_string(),
                false => format!("{name}<{}>", arguments.join(", ")),
            }
        }
        Type::Future(inner) => format!("Fut<{}>", type_text(model, inner)),
        Type::Destiny => "Destiny".to_owned(),
        Type::Interface(interface) => model.interfaces[interface.index()].name.to_string(),
        Type::Class(class) => access(model.class(*class)),
        Type::Parameter(_, name) => name.to_string(),
        Type::Open | Type::Null => "Object".to_owned(),
    }
}

fn file(
    model: &Model,
    module: &str,
    suites: &BTreeMap<String, Suite<'_>>,
    left_out: &BTreeMap<(String, String), usize>,
) -> String {
    // Writing to a string cannot fail, here and below.
    let mut text = String::from(
        "// Tests made by `counterpoint generate`, from the model that they are to be read with.\n",
    );
    // The orders of the first test would be multiplied by those of all that follow.
    let exact = suites.values().any(|suite| suite.many_orders);
    let reduction = if exact { " --reduction exact" } else { "" };
    let _ = writeln!(
        text,
        "//   counterpoint check MODEL THIS --product {PRODUCT} --main {module}{reduction}"
    );
    for ((target, reason), count) in left_out {
        let _ = writeln!(text, "// {target}: {count} left out, because {reason}");
    }
    let _ = writeln!(text, "module {module};\n");
    for name in suites.keys() {
        let _ = writeln!(text, "import * from {name};");
    }
    text += "\n{\n";
    for (index, (name, suite)) in suites.iter().enumerate() {
        let (fixture, tests) = (fixture(name), format!("tests{}", index + 1));
        let _ = writeln!(text, "  {fixture} {tests} = new {fixture}Suite();");
        for (method, ..) in &suite.methods {
            let _ = writeln!(text, "  {tests}.{method}();");
        }
    }
    text += "}\n";
    for (name, suite) in suites {
        text += &delta(model, name, suite);
    }
    text += "\nproductline ModelWithTests;\nfeatures Testing;\n";
    for name in suites.keys() {
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

fn delta(model: &Model, module: &str, suite: &Suite<'_>) -> String {
    let mut text = format!("\ndelta {};\nuses {module};\n", delta_name(module));
    text += "adds export *;\n";
    for annotation in ["Fixture", "Suite", "Test"] {
        if !model.constructors.iter().any(|one| &*one.name == annotation) {
            let _ = writeln!(text, "adds [TypeAnnotation] data {annotation} = {annotation};");
        }
    }
    for &class in &suite.classes {
        text += &class_access(suite, ClassId(class));
    }
    let fixture = fixture(module);
    let _ = writeln!(text, "adds [Fixture] interface {fixture} {{");
    for (name, ..) in &suite.methods {
        let _ = writeln!(text, "  [Test] Unit {name}();");
    }
    let _ = writeln!(text, "}}\nadds [Suite] class {fixture}Suite implements {fixture} {{");
    for (name, condition, statements) in &suite.methods {
        let condition = condition.replace('\n', " ");
        let _ = writeln!(text, "  // {condition}\n  Unit {name}() {{");
        for statement in statements {
            let _ = writeln!(text, "    {statement}");
        }
        text += "  }\n";
    }
    text += "}\n";
    text
}

/// The interface that tests reach a class by, and the methods behind it.
fn class_access(suite: &Suite<'_>, id: ClassId) -> String {
    let model = suite.model;
    let class = model.class(id);
    let fields: Vec<(&str, String)> = class
        .fields
        .iter()
        .filter(|field| !matches!(field.value_type, Type::Future(_) | Type::Destiny))
        .map(|field| (&*field.name, type_text(model, &field.value_type)))
        .collect();
    let mut methods: Vec<(String, String)> = Vec::new();
    if !fields.is_empty() {
        let parameters: Vec<String> =
            fields.iter().map(|(name, of)| format!("{of} {name}")).collect();
        let sets: Vec<String> =
            fields.iter().map(|(name, _)| format!("this.{name} = {name};")).collect();
        let signature = format!("Unit setForTests({})", parameters.join(", "));
        methods.push((signature, sets.join(" ")));
    }
    for (name, of) in &fields {
        methods.push((format!("{of} {}()", reader(name)), format!("return this.{name};")));
    }
    for &(method, exception) in &suite.failing {
        if model.method(MethodId(method)).class == id {
            methods.push(failing_call(model, MethodId(method), ConstructorId(exception)));
        }
    }
    // Interfaces above others need not be named, nor `Object`.
    let known: Vec<&str> = class
        .implements
        .iter()
        .filter(|&&one| &*model.interfaces[one.index()].name != "Object")
        .map(|&one| &*model.interfaces[one.index()].name)
        .collect();
    let extends = match known.is_empty() {
        true => String::new(),
        false => format!(" extends {}", known.join(", ")),
    };
    let mut own: Vec<String> = Vec::new();
    for &method in class.methods.iter().flatten() {
        let declared = model.method(method);
        let in_interface = class
            .implements
            .iter()
            .any(|&one| model.interfaces[one.index()].methods.contains(&declared.selector));
        if !in_interface {
            let result = type_text(model, &declared.result);
            own.push(signature(model, method, &result, model.selector(declared.selector)));
        }
    }
    let mut text = format!("adds interface {}{extends} {{\n", access(class));
    for signature in own.iter().chain(methods.iter().map(|(signature, _)| signature)) {
        let _ = writeln!(text, "  {signature};");
    }
    let _ = writeln!(text, "}}\nmodifies class {} adds {} {{", class.name, access(class));
    for (signature, body) in &methods {
        let _ = writeln!(text, "  adds {signature} {{ {body} }}");
    }
    text + "}\n"
}

fn signature(model: &Model, method: MethodId, result: &str, name: &str) -> String {
    let declared = model.method(method);
    let parameters: Vec<String> = declared
        .parameters
        .iter()
        .enumerate()
        .map(|(number, one)| format!("{} argument{}", type_text(model, one), number + 1))
        .collect();
    format!("{result} {name}({})", parameters.join(", "))
}

fn failing_name(selector: &str, exception: &str) -> String {
    format!("{selector}Fails{exception}ForTests")
}

/// A method that calls another one of its object and says whether that fails with an exception.
fn failing_call(model: &Model, method: MethodId, exception: ConstructorId) -> (String, String) {
    let declared = model.method(method);
    let selector = model.selector(declared.selector);
    let exception = model.constructor(exception);
    let pattern = match exception.arguments.len() {
        0 => exception.name.to_string(),
        count => format!("{}({})", exception.name, vec!["_"; count].join(", ")),
    };
    let arguments: Vec<String> =
        (1..=declared.parameters.len()).map(|number| format!("argument{number}")).collect();
    let call = format!("this.{selector}({});", arguments.join(", "));
    let body = format!(
        "Bool failed = False; try {{ {call} }} catch {{ {pattern} => {{ failed = True; }} \
         _ => {{ failed = False; }} }} return failed;"
    );
    let name = failing_name(selector, &exception.name);
    (signature(model, method, "Bool", &name), body)
}
