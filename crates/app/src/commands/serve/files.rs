//! Which files there are, and which path leads to which.
//!
//! The page names files by paths below one folder, with slashes. A path is taken apart and refused if any
//! part of it could lead elsewhere; what is left is looked up with all links followed, and has to be below
//! the folder then, too. So neither dots nor links nor encodings lead out. Examples are part of this binary
//! and cannot be changed.

use std::fs;
use std::path::{Component, Path, PathBuf};

use axum::http::StatusCode;
use serde::Serialize;

use crate::front_end::FrontEnd;
use crate::output;
use crate::trouble::Trouble;

/// How many files are listed, how many folders are looked into, and how deep.
const MOST_FILES: usize = 2_000;
const MOST_FOLDERS: usize = 5_000;
const DEEPEST: usize = 12;

/// How large a source may be.
const LARGEST: u64 = 2 << 20;

/// Folders in which nobody keeps sources.
const SKIPPED: &[&str] = &["target", "node_modules", "build", "out"];

/// The examples: path and text.
pub const EXAMPLES: &[(&str, &str)] = &include!("examples.in");

/// The sources that the page may see.
pub struct Files {
    /// The folder, all links followed.
    root: PathBuf,
    /// The one file that is shown, if not a folder was asked for.
    only: Option<PathBuf>,
    extensions: Vec<&'static str>,
}

/// Why a file cannot be used.
#[derive(Debug)]
pub struct FileError(pub StatusCode, pub String);

fn refused(status: StatusCode, text: impl Into<String>) -> FileError {
    FileError(status, text.into())
}

/// A source, as the page sees it.
#[derive(Serialize)]
pub struct SourceText {
    /// Its text.
    pub text: String,
    /// Whether it cannot be changed.
    pub read_only: bool,
}

impl Files {
    /// The sources below a path, or the one that it names.
    pub fn new(front_ends: &[FrontEnd], path: Option<&Path>) -> Result<Files, Trouble> {
        let asked = path.unwrap_or(Path::new("."));
        let path = asked.canonicalize().map_err(|error| Trouble::file("read", asked, &error))?;
        let languages = front_ends.iter().map(|front_end| front_end.language.extensions);
        let extensions: Vec<&'static str> = languages.flatten().copied().collect();
        let (root, only) = match path.is_dir() {
            true => (path, None),
            false => {
                let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
                (folder, Some(path))
            }
        };
        let files = Files { root, only, extensions };
        match &files.only {
            Some(file) if !files.is_source(file) => {
                let text = format!("`{}` is not a source that the page can show", asked.display());
                let known: Vec<String> =
                    files.extensions.iter().map(|ending| format!(".{ending}")).collect();
                Err(Trouble::new(text).hint(format!("Sources end in {}.", known.join(" or "))))
            }
            _ => Ok(files),
        }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the name of a file ends as sources do.
    fn is_source(&self, path: &Path) -> bool {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| self.extensions.contains(&ending))
    }

    /// The paths of all sources, in order, as far as there are not too many.
    pub fn list(&self) -> Vec<String> {
        if let Some(only) = &self.only {
            return self.name(only).into_iter().collect();
        }
        let mut found = Vec::new();
        let mut folders = vec![(self.root.clone(), 0)];
        let mut seen = 0;
        while let Some((folder, depth)) = folders.pop() {
            seen += 1;
            if seen > MOST_FOLDERS {
                break;
            }
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let hidden = name.to_string_lossy().starts_with('.');
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    let skipped = hidden || SKIPPED.iter().any(|known| name == *known);
                    if !skipped && depth < DEEPEST {
                        folders.push((entry.path(), depth + 1));
                    }
                } else if !hidden && self.is_source(Path::new(&name)) && found.len() < MOST_FILES {
                    // A link is shown if it leads to a file below the folder.
                    let shown = self.name(&entry.path()).filter(|name| self.find(name).is_ok());
                    found.extend(shown);
                }
            }
        }
        found.sort();
        found
    }

    /// A path below the folder as the page names it.
    fn name(&self, path: &Path) -> Option<String> {
        let parts = path.strip_prefix(&self.root).ok()?.components();
        let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
        Some(parts?.join("/"))
    }

    /// The parts of a path that stays below where it begins.
    fn relative(path: &str) -> Result<PathBuf, FileError> {
        let odd = || refused(StatusCode::FORBIDDEN, "this path leads out of the folder");
        if path.is_empty() || path.len() > 1_000 || path.contains(['\0', '\\']) {
            return Err(odd());
        }
        let path = Path::new(path);
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if path.components().all(plain) { Ok(path.to_path_buf()) } else { Err(odd()) }
    }

    /// The file that a path leads to.
    pub fn find(&self, path: &str) -> Result<PathBuf, FileError> {
        let relative = Files::relative(path)?;
        let missing = |_| refused(StatusCode::NOT_FOUND, format!("there is no file `{path}`"));
        let found = self.root.join(&relative).canonicalize().map_err(missing)?;
        self.check(&found)?;
        match found.is_file() && self.is_source(&found) {
            true => Ok(found),
            false => Err(refused(StatusCode::FORBIDDEN, format!("`{path}` is not a source"))),
        }
    }

    fn check(&self, found: &Path) -> Result<(), FileError> {
        let inside = match &self.only {
            Some(only) => found == only,
            None => found.starts_with(&self.root),
        };
        match inside {
            true => Ok(()),
            false => Err(refused(StatusCode::FORBIDDEN, "this path leads out of the folder")),
        }
    }

    /// The text of a source.
    pub fn read(&self, path: &str) -> Result<SourceText, FileError> {
        let found = self.find(path)?;
        let failed = |error: std::io::Error| {
            refused(StatusCode::FORBIDDEN, format!("cannot read `{path}`: {error}"))
        };
        if fs::metadata(&found).map_err(failed)?.len() > LARGEST {
            return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, format!("`{path}` is too large")));
        }
        let bytes = fs::read(&found).map_err(failed)?;
        let text = String::from_utf8(bytes).map_err(|_| {
            refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("`{path}` is not valid UTF-8"))
        })?;
        Ok(SourceText { text, read_only: false })
    }

    /// Writes a source as a whole: one that is there, or a new one in a folder that is.
    pub fn write(&self, path: &str, text: &str) -> Result<(), FileError> {
        let relative = Files::relative(path)?;
        if text.len() as u64 > LARGEST {
            return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "the text is too large"));
        }
        let target = self.root.join(&relative);
        let found = match target.canonicalize() {
            Ok(_) => self.find(path)?,
            Err(_) if target.symlink_metadata().is_ok() => {
                return Err(refused(StatusCode::FORBIDDEN, "this path leads out of the folder"));
            }
            Err(_) => {
                let folder = target.parent().unwrap_or(&self.root).canonicalize();
                let missing = |_| refused(StatusCode::NOT_FOUND, "there is no such folder");
                let name = target.file_name().unwrap_or_default().to_os_string();
                let found = folder.map_err(missing)?.join(name);
                self.check(&found)?;
                if !self.is_source(&found) {
                    let text = format!("`{path}` does not end as sources do");
                    return Err(refused(StatusCode::FORBIDDEN, text));
                }
                found
            }
        };
        output::write_file(&found, text).map_err(|error| {
            refused(StatusCode::FORBIDDEN, format!("cannot write `{path}`: {error}"))
        })
    }

    /// The text of an example.
    pub fn example(path: &str) -> Result<&'static str, FileError> {
        let found = EXAMPLES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text);
        found.ok_or_else(|| refused(StatusCode::NOT_FOUND, format!("there is no example `{path}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::FRONT_ENDS;

    fn status(result: Result<PathBuf, FileError>) -> u16 {
        result.map_or_else(|error| error.0.as_u16(), |_| 200)
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("inner")).expect("a folder");
        for path in ["root/a.abs", "root/inner/b.abs", "secret.abs", "root/other.txt"] {
            fs::write(outer.path().join(path), "module M;").expect("writable");
        }
        let link = |from: &str, to: &Path| {
            std::os::unix::fs::symlink(to, root.join(from)).expect("a link");
        };
        link("out.abs", &outer.path().join("secret.abs"));
        link("outside", outer.path());
        link("in.abs", &root.join("a.abs"));
        link("gone.abs", &root.join("nothing.abs"));
        let files = Files::new(FRONT_ENDS, Some(&root)).expect("a folder");
        let absolute = root.join("a.abs").display().to_string();
        let rows = [
            ("a.abs", 200),
            ("inner/b.abs", 200),
            ("in.abs", 200),
            ("out.abs", 403),
            ("outside/secret.abs", 403),
            ("../secret.abs", 403),
            ("inner/../a.abs", 403),
            ("inner/../../secret.abs", 403),
            ("./a.abs", 403),
            (absolute.as_str(), 403),
            ("%2e%2e/secret.abs", 404),
            ("..%2fsecret.abs", 404),
            ("inner\\b.abs", 403),
            ("a.abs\0", 403),
            ("", 403),
            ("other.txt", 403),
            ("inner", 403),
            ("gone.abs", 404),
            ("nothing.abs", 404),
        ];
        for (path, expected) in rows {
            assert_eq!(status(files.find(path)), expected, "{path}");
        }
        assert_eq!(files.list(), ["a.abs", "in.abs", "inner/b.abs"]);
        for path in ["out.abs", "outside/new.abs", "../new.abs", "gone.abs", "new.txt", "no/a.abs"]
        {
            assert!(files.write(path, "module N;").is_err(), "{path}");
        }
        assert!(!root.join("nothing.abs").exists() && !outer.path().join("new.abs").exists());
        assert_eq!(fs::read_to_string(outer.path().join("secret.abs")).unwrap(), "module M;");
        files.write("inner/new.abs", "module N;").expect("it is inside");
        files.write("in.abs", "module O;").expect("it leads inside");
        assert_eq!(fs::read_to_string(root.join("a.abs")).unwrap(), "module O;");
        let one = Files::new(FRONT_ENDS, Some(&root.join("a.abs"))).expect("a file");
        assert_eq!(one.list(), ["a.abs"]);
        assert_eq!(status(one.find("inner/b.abs")), 403);
        assert!(one.write("c.abs", "module C;").is_err());
    }

    #[test]
    fn every_example_can_be_opened() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let mut there: Vec<String> = Vec::new();
        for language in ["abs", "java"] {
            for entry in fs::read_dir(folder.join(language)).expect("there are examples") {
                let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
                there.push(format!("examples/{language}/{name}"));
            }
        }
        there.sort();
        let listed: Vec<&str> = EXAMPLES.iter().map(|(path, _)| *path).collect();
        assert_eq!(listed, there);
    }
}
