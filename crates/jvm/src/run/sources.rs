//! Methods that the user declares to be inputs: `some.Class.method`.

use crate::classfile::{ClassFile, MethodDescriptor, Type, access};
use crate::error::Error;
use crate::load::{ClassPath, Origin};

/// How many methods a message suggests.
const SUGGESTIONS: usize = 3;

/// How many edits away they may be.
const NEAR: usize = 3;

/// The classes (as in class files) and names of the declared methods.
pub(super) fn find(
    class_path: &ClassPath,
    declared: &[String],
) -> Result<Vec<(String, String)>, Error> {
    declared.iter().map(|text| source(class_path, text)).collect()
}

fn source(class_path: &ClassPath, text: &str) -> Result<(String, String), Error> {
    let wrong = |what: String| -> Result<(String, String), Error> {
        let similar = similar(class_path, text)?;
        Err(Error::Input { name: text.to_string(), what, similar })
    };
    let Some((class, method)) = text.rsplit_once(['.', '#']) else {
        return wrong("a method is named with its class, as in `some.Class.method`".to_string());
    };
    let method = method.strip_suffix("()").unwrap_or(method);
    let Some((name, file)) = load(class_path, class)? else {
        return wrong(format!("there is no class {class}"));
    };
    let named: Vec<_> = file.methods.iter().filter(|found| found.name == method).collect();
    if named.is_empty() {
        return wrong(format!("class {class} has no method {method}"));
    }
    let is_static = |flags: u16| flags & access::STATIC != 0;
    if !named.iter().any(|found| is_static(found.access)) {
        return wrong("only static methods can be inputs, and this one is not".to_string());
    }
    if !named.iter().any(|found| is_static(found.access) && is_integral(&found.descriptor)) {
        return wrong(
            "only methods with a result of type int, long, boolean, char, byte or short can be \
             inputs"
                .to_string(),
        );
    }
    Ok((name, method.to_string()))
}

/// A class named with dots; those before a nested class may stand for dollar signs.
fn load(class_path: &ClassPath, class: &str) -> Result<Option<(String, ClassFile)>, Error> {
    let mut name = class.replace('.', "/");
    loop {
        if let Some((bytes, _)) = class_path.class(&name)? {
            let file = ClassFile::parse(bytes)
                .map_err(|source| Error::ClassFile { name: class.to_string(), source })?;
            return Ok(Some((name, file)));
        }
        let Some(slash) = name.rfind('/') else { return Ok(None) };
        name.replace_range(slash..=slash, "$");
    }
}

fn is_integral(descriptor: &str) -> bool {
    let result = MethodDescriptor::parse(descriptor).and_then(|descriptor| descriptor.result);
    !matches!(result, None | Some(Type::Float | Type::Double | Type::Reference))
}

/// The methods of the program that could be inputs and have a name like this one.
fn similar(class_path: &ClassPath, text: &str) -> Result<Vec<String>, Error> {
    let mut ranked: Vec<(usize, String)> = Vec::new();
    for class in class_path.program_classes()? {
        let Some((bytes, Origin::Program)) = class_path.class(&class)? else { continue };
        let Ok(file) = ClassFile::parse(bytes) else { continue };
        for method in &file.methods {
            let fits = method.access & access::STATIC != 0
                && method.access & access::SYNTHETIC == 0
                && is_integral(&method.descriptor);
            if fits {
                let name = format!("{}.{}", class.replace(['/', '$'], "."), method.name);
                ranked.push((distance(text, &name), name));
            }
        }
    }
    ranked.sort();
    ranked.dedup();
    let near = ranked.into_iter().filter(|(distance, _)| *distance <= NEAR);
    Ok(near.take(SUGGESTIONS).map(|(_, name)| name).collect())
}

/// How many characters must be changed, added or dropped to get from one name to the other; a name
/// without its package or class is near the whole.
fn distance(one: &str, other: &str) -> usize {
    let last = |text: &str| text.rsplit('.').next().unwrap_or(text).to_string();
    edits(one, other).min(edits(&last(one), &last(other)) + 1)
}

fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, left) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, right) in other.iter().enumerate() {
            let kept = diagonal + usize::from(left != *right);
            diagonal = row[column + 1];
            row[column + 1] = kept.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_far_apart_as_they_have_edits() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(distance("Account.amout", "bank.Account.amount"), 2);
        assert_eq!(distance("amount", "bank.Account.amount"), 1);
    }
}
