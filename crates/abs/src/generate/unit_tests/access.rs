//! How tests reach what a class keeps to itself: an interface, and the methods behind it.

use std::fmt::Write;

use crate::program::{Class, ClassId, Constructor, ConstructorId, MethodId, Model, Type};

/// The interface that tests reach a class by.
pub(super) fn access(class: &Class) -> String {
    format!("{}ForTests", class.name)
}

/// The method that reads a field.
pub(super) fn reader(field: &str) -> String {
    format!("{field}ForTests")
}

/// The method that sets all fields; none if there is nothing to set, nor to wait for.
pub(super) fn setter(class: &Class) -> Option<&'static str> {
    let any = class.fields.iter().any(|field| field.value_type != Type::Destiny);
    (any || class.run.is_some()).then_some("setForTests")
}

/// A type as source.
pub(super) fn type_text(model: &Model, value_type: &Type) -> String {
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

/// The interface of a class, and what the delta does to the class. With it go the methods of the model
/// that are to fail, each with an exception.
pub(super) fn class_access(
    model: &Model,
    id: ClassId,
    failing: impl Iterator<Item = (MethodId, ConstructorId)>,
) -> String {
    let class = model.class(id);
    let fields: Vec<(&str, String, bool)> = class
        .fields
        .iter()
        .filter(|field| field.value_type != Type::Destiny)
        .map(|field| {
            let future = matches!(field.value_type, Type::Future(_));
            (&*field.name, type_text(model, &field.value_type), future)
        })
        .collect();
    let mut methods: Vec<(String, String)> = Vec::new();
    if let Some(setter) = setter(class) {
        let parameters: Vec<String> =
            fields.iter().map(|(name, of, _)| format!("{of} {name}")).collect();
        let begun = class.run.map(|_| format!("await {BEGUN};"));
        let sets = fields.iter().map(|(name, ..)| format!("this.{name} = {name};"));
        let statements: Vec<String> = begun.into_iter().chain(sets).collect();
        let signature = format!("Unit {setter}({})", parameters.join(", "));
        methods.push((signature, statements.join(" ")));
    }
    for (name, of, _) in fields.iter().filter(|(.., future)| !future) {
        methods.push((format!("{of} {}()", reader(name)), format!("return this.{name};")));
    }
    methods.extend(failing.map(|(method, exception)| failing_call(model, method, exception)));
    let mut own: Vec<String> = Vec::new();
    for &(_, method) in &class.methods {
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
    let extends = match nearest_interfaces(model, class) {
        known if known.is_empty() => String::new(),
        known => format!(" extends {}", known.join(", ")),
    };
    let mut text = format!("adds interface {}{extends} {{\n", access(class));
    for signature in own.iter().chain(methods.iter().map(|(signature, _)| signature)) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "  {signature};");
    }
    let _ = writeln!(text, "}}\nmodifies class {} adds {} {{", class.name, access(class));
    if class.run.is_some() {
        let _ = writeln!(text, "  adds Bool {BEGUN} = False;");
        let _ = writeln!(
            text,
            "  modifies Unit run() {{ if ({BEGUN}) {{ original(); }} else {{ {BEGUN} = True; }} }}"
        );
    }
    for (signature, body) in &methods {
        let _ = writeln!(text, "  adds {signature} {{ {body} }}");
    }
    text + "}\n"
}

/// Whether the call of `run` that comes with a new object has been and gone.
const BEGUN: &str = "begunForTests";

/// The interfaces of a class without those above others.
fn nearest_interfaces<'m>(model: &'m Model, class: &Class) -> Vec<&'m str> {
    let above = |one: &crate::program::InterfaceId| {
        class
            .implements
            .iter()
            .any(|other| other != one && model.interfaces[other.index()].ancestors.contains(one))
    };
    class
        .implements
        .iter()
        .filter(|one| !above(one))
        .map(|one| &*model.interfaces[one.index()].name)
        .filter(|name| *name != "Object")
        .collect()
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

/// The method that says whether a call of another one fails.
pub(super) fn failing_name(selector: &str, exception: &str) -> String {
    format!("{selector}Fails{exception}ForTests")
}

/// A method that calls another one of its object and says whether that fails with an exception.
fn failing_call(model: &Model, method: MethodId, exception: ConstructorId) -> (String, String) {
    let declared = model.method(method);
    let selector = model.selector(declared.selector);
    let exception = model.constructor(exception);
    let arguments: Vec<String> =
        (1..=declared.parameters.len()).map(|number| format!("argument{number}")).collect();
    let call = format!("this.{selector}({});", arguments.join(", "));
    let body =
        format!("Bool failed = False; {} return failed;", caught(&call, &pattern(exception)));
    let name = failing_name(selector, &exception.name);
    (signature(model, method, "Bool", &name), body)
}

/// A statement that notes in `failed` whether another one fails with an exception.
pub(super) fn caught(statement: &str, pattern: &str) -> String {
    format!(
        "try {{ {statement} }} catch {{ {pattern} => {{ failed = True; }} \
         _ => {{ failed = False; }} }}"
    )
}

/// A pattern for all values of a constructor.
pub(super) fn pattern(constructor: &Constructor) -> String {
    match constructor.arguments.len() {
        0 => constructor.name.to_string(),
        count => format!("{}({})", constructor.name, vec!["_"; count].join(", ")),
    }
}
