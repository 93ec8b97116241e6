//! Which source a class was compiled from.
//!
//! **Problem.** A class file names its source without folders, as in `Config.java`, and several packages may have one.
//! People want to see the right one, by a path that they can open.
//!
//! **Idea.** It is the source of that name which declares the package of the class, wherever it lies. A source is read for
//! this when its name comes up.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::target::package_of;

/// The sources of a program, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct SourceFiles {
    /// By the last name.
    by_name: FxHashMap<String, Vec<SourceFile>>,
    /// The folder that people name files from.
    present: Option<PathBuf>,
}

#[derive(Debug)]
struct SourceFile {
    path: PathBuf,
    /// The package that it declares, once somebody has asked.
    package: OnceCell<String>,
}

impl SourceFile {
    fn package(&self) -> &str {
        self.package.get_or_init(|| {
            let text = fs::read(&self.path).unwrap_or_default();
            package_of(&String::from_utf8_lossy(&text)).replace('.', "/")
        })
    }
}

impl SourceFiles {
    /// Finds classes' sources among these; where several fit, the first does.
    pub fn new(paths: Vec<PathBuf>) -> SourceFiles {
        let mut by_name: FxHashMap<String, Vec<SourceFile>> = FxHashMap::default();
        for path in paths {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let known = by_name.entry(name.to_string()).or_default();
            if !known.iter().any(|source| source.path == path) {
                known.push(SourceFile { path, package: OnceCell::new() });
            }
        }
        let present = std::env::current_dir().and_then(|folder| folder.canonicalize()).ok();
        SourceFiles { by_name, present }
    }

    /// The source of a class, named with dots or slashes, as people would name it; if it is not known, where it is in its
    /// package.
    pub fn name(&self, class: &str, file: &str) -> String {
        let class = class.replace('.', "/");
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        let mut known = self.by_name.get(file).into_iter().flatten();
        match known.find(|source| source.package() == package) {
            Some(source) => self.shown(&source.path),
            None if package.is_empty() => file.to_string(),
            None => format!("{package}/{file}"),
        }
    }

    /// A path from where people are. One that is no text is shown as well as it can be.
    fn shown(&self, path: &Path) -> String {
        let below = self.present.as_ref().and_then(|present| path.strip_prefix(present).ok());
        below.unwrap_or(path).display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_one_name_are_told_apart_by_their_packages() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut paths = Vec::new();
        for (path, text) in [
            ("src/a/b/Config.java", "package a.b;"),
            ("src/b/Config.java", "package b;"),
            ("Config.java", "class Config {}"),
            ("elsewhere/Main.java", "/* moved */ package other;"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, text).expect("a file");
            paths.push(path);
        }
        let sources = SourceFiles::new(paths);
        let rows = [
            ("a.b.Config", "Config.java", Ok("src/a/b/Config.java")),
            ("b.Config$Part", "Config.java", Ok("src/b/Config.java")),
            ("Config", "Config.java", Ok("Config.java")),
            ("other.Main", "Main.java", Ok("elsewhere/Main.java")),
            ("c/Config", "Config.java", Err("c/Config.java")),
            ("Main", "Main.java", Err("Main.java")),
            ("org.lib.Library", "Library.java", Err("org/lib/Library.java")),
        ];
        for (class, file, expected) in rows {
            let expected = match expected {
                Ok(path) => folder.path().join(path).display().to_string(),
                Err(name) => name.to_string(),
            };
            assert_eq!(sources.name(class, file), expected, "{class}");
        }
    }
}
