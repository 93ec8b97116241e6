//! The standard library, as ABS source of our own.
//!
//! The files are part of the program and are parsed once; every model gets the same trees. Their numbers come
//! before those of the user's files, so that places in them are the same for all models. A model contains
//! only what it uses: a library function is checked and lowered when something refers to it.

use std::sync::LazyLock;

use crate::source::{FileId, SourceFile};
use crate::syntax::parser;
use crate::syntax::tree::{Names, Unit};

/// The module that every other one imports.
pub const STANDARD_MODULE: &str = "ABS.StdLib";

/// Names and texts of the library's files.
const FILES: [(&str, &str); 8] = [
    ("ABS/StdLib.abs", include_str!("stdlib.abs")),
    ("ABS/StdLib/Exceptions.abs", include_str!("exceptions.abs")),
    ("ABS/StdLib/Internal.abs", include_str!("internal.abs")),
    ("ABS/Meta.abs", include_str!("meta.abs")),
    ("ABS/Scheduler.abs", include_str!("scheduler.abs")),
    ("ABS/DC.abs", include_str!("dc.abs")),
    ("ABS/FLI.abs", include_str!("fli.abs")),
    ("ABS/Productline.abs", include_str!("productline.abs")),
];

/// How many files the library has: the first number of a user's file.
pub const FILE_COUNT: u32 = FILES.len() as u32;

static UNITS: LazyLock<Vec<Unit>> = LazyLock::new(|| {
    let parse =
        |(index, (_, text)): (usize, &(&str, &str))| parser::parse(FileId(index as u32), text).0;
    FILES.iter().enumerate().map(parse).collect()
});

/// The library's files, in order of their numbers.
pub fn files() -> Vec<SourceFile> {
    FILES.iter().map(|&(name, text)| SourceFile::new(name, text)).collect()
}

/// The library's trees, in order of their files' numbers.
pub fn units() -> &'static [Unit] {
    &UNITS
}

/// The trees of the modules that a model can mention: the standard library, and what is imported by name.
pub fn needed_by(units: &[Unit]) -> Vec<&'static Unit> {
    let mut imported: Vec<String> = Vec::new();
    for module in units.iter().flat_map(|unit| &unit.modules) {
        let imports = module.imports.iter().map(|import| (&import.names, &import.from));
        let exports = module.exports.iter().map(|export| (&export.names, &export.from));
        for (names, from) in imports.chain(exports) {
            imported.extend(from.as_ref().map(ToString::to_string));
            if let Names::Listed(names) = names {
                imported.extend(
                    names
                        .iter()
                        .filter_map(|name| name.qualifier.as_ref().map(ToString::to_string)),
                );
            }
        }
    }
    let is_needed = |unit: &&Unit| {
        let mut names = unit.modules.iter().map(|module| module.name.to_string());
        names.any(|name| name.starts_with(STANDARD_MODULE) || imported.contains(&name))
    };
    UNITS.iter().filter(is_needed).collect()
}

/// Whether a file belongs to the library.
pub fn contains(file: FileId) -> bool {
    file.0 < FILE_COUNT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_read_without_a_message() {
        for (index, (name, text)) in FILES.iter().enumerate() {
            let (unit, diagnostics) = parser::parse(FileId(index as u32), text);
            assert_eq!(diagnostics, [], "{name}");
            assert_eq!(unit.modules.len(), 1, "{name}");
        }
    }
}
