//! Source files of the program under test, for excerpts.
//!
//! Places name files as the front end knows them, which for byte code may be only the name in a package. They are
//! looked for as they are, beside the target, and below the target's folder.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use counterpoint_model::Place;
use rustc_hash::FxHashMap;

use crate::front_end::LoadRequest;
use crate::look::{Look, Tone};

/// How many folders and files are looked at when searching for a source file.
const SEARCH: usize = 2_000;

/// The files read so far.
pub struct Sources {
    folders: Vec<PathBuf>,
    files: RefCell<FxHashMap<String, Option<Rc<Vec<String>>>>>,
}

impl Sources {
    /// The sources of these targets.
    pub fn new(request: &LoadRequest) -> Sources {
        let folder = |target: &String| {
            let path = Path::new(target);
            if path.is_dir() {
                return path.to_path_buf();
            }
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            parent.unwrap_or(Path::new(".")).to_path_buf()
        };
        let folders = request.targets.iter().map(folder).collect();
        Sources { folders, files: RefCell::default() }
    }

    /// The lines of a file, if it can be found.
    pub fn lines(&self, file: &str) -> Option<Rc<Vec<String>>> {
        if file.is_empty() {
            return None;
        }
        let mut files = self.files.borrow_mut();
        if let Some(known) = files.get(file) {
            return known.clone();
        }
        let text = self.find(file).and_then(|path| std::fs::read(path).ok());
        let lines = text.map(|bytes| {
            let text = String::from_utf8_lossy(&bytes).replace('\t', "    ");
            Rc::new(text.lines().map(str::to_string).collect::<Vec<_>>())
        });
        files.insert(file.to_string(), lines.clone());
        lines
    }

    fn find(&self, file: &str) -> Option<PathBuf> {
        let direct = Path::new(file);
        if direct.is_file() {
            return Some(direct.to_path_buf());
        }
        let beside = self.folders.iter().map(|folder| folder.join(file));
        if let Some(path) = beside.into_iter().find(|path| path.is_file()) {
            return Some(path);
        }
        let mut left = SEARCH;
        self.folders.iter().find_map(|folder| below(folder, direct, &mut left))
    }

    /// A few lines around a place, the place marked; the place alone if there is no source.
    pub fn excerpt(&self, look: Look, place: &Place, mark: &str) -> String {
        let arrow = look.draw("╭─", "-->");
        let bar = look.draw("│", "|");
        let inside = match place.function.is_empty() || place.file.is_empty() {
            true => String::new(),
            false => format!(" in {}", place.function),
        };
        let mut text = format!("    {} {place}{inside}\n", look.paint(Tone::Faint, arrow));
        let Some(lines) = self.lines(&place.file).filter(|_| place.line > 0) else { return text };
        let line = place.line as usize;
        if line > lines.len() {
            return text;
        }
        let (first, last) = (line.saturating_sub(2).max(1), (line + 1).min(lines.len()));
        let room = look.width.saturating_sub(12).max(20);
        for number in first..=last {
            let source = fitting(lines[number - 1].trim_end(), room);
            let gutter = format!("{number:>4} {bar}");
            let row = if number == line {
                let pointer = look.draw("◀", "<--");
                let mark = fitting(mark, look.width.max(20));
                let marked = look.paint(Tone::Bad, &format!("{pointer} {mark}"));
                let gutter = look.paint(Tone::Bad, &gutter);
                format!("{gutter} {source}  {marked}")
            } else {
                format!("{} {source}", look.paint(Tone::Faint, &gutter))
            };
            text += row.trim_end();
            text.push('\n');
        }
        text
    }
}

/// The line, or as much of its beginning as there is room for.
fn fitting(line: &str, room: usize) -> String {
    match line.chars().count() > room {
        true => line.chars().take(room - 3).chain("...".chars()).collect(),
        false => line.to_string(),
    }
}

/// A file that ends in this path, somewhere below the folder.
fn below(folder: &Path, wanted: &Path, left: &mut usize) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in &entries {
        *left = left.checked_sub(1)?;
        if path.ends_with(wanted) && path.is_file() {
            return Some(path.clone());
        }
    }
    let hidden = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
    };
    entries
        .iter()
        .filter(|path| path.is_dir() && !path.is_symlink() && !hidden(path))
        .find_map(|path| below(path, wanted, left))
}
