//! Which class to start with when the user does not say.
//!
//! A jar that names its main class is taken at its word. Otherwise it is the only class with a main
//! method, or the only one of them that a target is named after.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::ClassPath;
use crate::classfile::ClassFile;
use crate::error::{Error, bad_archive};

/// How many candidates a message lists.
const LISTED: usize = 20;

/// No manifest comes near this size.
const MANIFEST_LIMIT: u64 = 1 << 20;

/// What marks a method as a test of JUnit 4 or 5.
const TESTS: [&[u8]; 2] = [b"Lorg/junit/Test;", b"Lorg/junit/jupiter/api/Test;"];

/// The main class of a program made of these targets, which are the first entries of the class path.
pub fn main_class(
    class_path: &ClassPath,
    own: usize,
    targets: &[PathBuf],
) -> Result<String, Error> {
    let mut named = Vec::new();
    for target in targets.iter().filter(|path| path.extension().is_some_and(|end| end == "jar")) {
        named.extend(manifest_main(target)?);
    }
    named.dedup();
    if let [only] = &named[..] {
        return Ok(only.clone());
    }
    let (mut candidates, mut damaged, mut tests) = (Vec::new(), None, None);
    let classes = class_path.classes_of_first(own)?;
    for name in &classes {
        let Some((bytes, _)) = class_path.class(name)? else { continue };
        let name = name.replace('/', ".");
        if TESTS.iter().any(|mark| bytes.windows(mark.len()).any(|part| part == *mark)) {
            tests.get_or_insert(name.clone());
        }
        match ClassFile::parse(bytes) {
            Ok(file) if file.has_main() => candidates.push(name),
            Ok(_) => {}
            Err(source) => damaged = Some(Error::ClassFile { name, source }),
        }
    }
    if let [only] = &candidates[..] {
        return Ok(only.clone());
    }
    let stems: Vec<&str> = targets.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
    let simple = |name: &String| name.rsplit('.').next().is_some_and(|last| stems.contains(&last));
    let mut alike = candidates.iter().filter(|name| simple(name));
    if let (Some(only), None) = (alike.next(), alike.next()) {
        return Ok(only.clone());
    }
    if candidates.is_empty() {
        // A damaged class is an error only where no other class will do.
        let is_source = targets.iter().any(|path| path.extension().is_some_and(|e| e == "java"));
        let place = listed(targets);
        return Err(match damaged {
            Some(damaged) => damaged,
            None if classes.is_empty() && !is_source => Error::NoClasses { place },
            None => match tests {
                Some(class) => Error::OnlyTests { place, class },
                None => Error::NoMain { place },
            },
        });
    }
    Err(Error::AmbiguousMain { candidates: shortened(&candidates) })
}

/// The targets as the user gave them.
pub(crate) fn listed(targets: &[PathBuf]) -> String {
    let names: Vec<String> = targets.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

fn shortened(candidates: &[String]) -> String {
    let more = candidates.len().saturating_sub(LISTED);
    let shown = candidates[..candidates.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

/// The `Main-Class` in the manifest of a jar.
fn manifest_main(path: &Path) -> Result<Option<String>, Error> {
    let bad = |what: String| Error::Jar { path: path.to_path_buf(), what };
    let file = File::open(path).map_err(|source| Error::Io { path: path.to_path_buf(), source })?;
    let mut archive = ZipArchive::new(file).map_err(|cause| bad(bad_archive(&cause)))?;
    let Some(index) = archive.index_for_name("META-INF/MANIFEST.MF") else { return Ok(None) };
    let manifest = archive.by_index(index).map_err(|cause| bad(cause.to_string()))?;
    let mut bytes = Vec::new();
    manifest
        .take(MANIFEST_LIMIT)
        .read_to_end(&mut bytes)
        .map_err(|cause| bad(cause.to_string()))?;
    Ok(attribute(&String::from_utf8_lossy(&bytes), "Main-Class"))
}

/// An attribute of the main section of a manifest. A line that begins with a space goes on with the
/// one before.
fn attribute(manifest: &str, name: &str) -> Option<String> {
    let unfolded = manifest.replace("\r\n", "\n").replace('\r', "\n").replace("\n ", "");
    let lines = unfolded.lines().take_while(|line| !line.is_empty());
    let value = lines.filter_map(|line| line.split_once(':')).find(|(key, _)| *key == name)?.1;
    Some(value.trim().replace('/', ".")).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_read_as_they_are_written() {
        let main = |text: &str| attribute(text, "Main-Class");
        assert_eq!(
            main("Manifest-Version: 1.0\r\nMain-Class: some.lo\r\n ng.Name\r\n\r\n"),
            Some("some.long.Name".to_string())
        );
        assert_eq!(main("Manifest-Version: 1.0\n\nName: x\nMain-Class: not.Here\n"), None);
        assert_eq!(main("Main-Class:\n"), None);
    }

    #[test]
    fn many_candidates_are_not_all_listed() {
        let names: Vec<String> = (0..25).map(|number| format!("C{number}")).collect();
        assert!(shortened(&names).ends_with("C19 and 5 more"));
        assert_eq!(shortened(&names[..2]), "C0, C1");
    }
}
