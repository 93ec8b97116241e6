//! The folder `.counterpoint`: schedules of failures, and explorations to be continued.
//!
//! A kept schedule is a file of its own that says which program it belongs to. It is tried first
//! when that program is checked again, and goes away once the program has been shown to be right.

use std::path::{Path, PathBuf};
use std::{fs, io};

use counterpoint_model::{Finding, Program};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::front_end::LoadRequest;
use crate::output;
use crate::trouble::Trouble;
use crate::written::WrittenFinding;

/// The folder, below the one where the tool runs.
pub const FOLDER: &str = ".counterpoint";

/// The version written by this build.
const FORMAT: u32 = 1;

/// The word that begins every kept file, so that foreign files are recognised.
const KEPT: &str = "counterpoint schedule";

/// The same for an exploration to be continued.
pub const SAVED: &str = "counterpoint exploration";

/// How the name of an exploration to be continued ends.
pub const RESUME: &str = ".resume.json";

/// A schedule of a failure with the program it belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptFinding {
    /// What this file is.
    pub file: String,
    /// Format version.
    pub format: u32,
    /// How to load the program.
    pub program: LoadRequest,
    /// The failure and its schedule.
    pub finding: WrittenFinding,
}

impl KeptFinding {
    /// The file's contents for a finding.
    pub fn new(program: &dyn Program, request: &LoadRequest, finding: &Finding) -> KeptFinding {
        KeptFinding {
            file: KEPT.to_string(),
            format: FORMAT,
            program: request.clone(),
            finding: WrittenFinding::new(program, finding, 1),
        }
    }

    /// Where it is kept: the same failure of the same program has the same name.
    pub fn path(&self) -> PathBuf {
        let finding = &self.finding;
        let places: Vec<String> = finding.places.iter().map(|place| place.to_string()).collect();
        let identity = format!("{}{}{places:?}", self.program.identity(), finding.message);
        let kind = finding.kind.word();
        let name = format!("{}-{kind}-{:08x}.json", stem(&self.program), digest(&identity));
        Path::new(FOLDER).join(name)
    }

    /// Keeps it.
    pub fn save(&self) -> io::Result<PathBuf> {
        let path = self.path();
        let text = serde_json::to_string_pretty(self).expect("plain data serialises");
        fs::create_dir_all(FOLDER)?;
        output::write_file(&path, &(text + "\n"))?;
        Ok(path)
    }

    /// Reads a kept file.
    pub fn read(path: &Path) -> Result<KeptFinding, Trouble> {
        let text = read_text(path)?;
        check_header(path, &text, KEPT, FORMAT)?;
        serde_json::from_str(&text).map_err(|error| damaged(path, &error))
    }
}

/// The text of a file that this tool has written. A pipe is not read: that could take for ever.
pub fn read_text(path: &Path) -> Result<String, Trouble> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return Err(Trouble::new(format!("`{}` is not a file", path.display())));
    }
    fs::read_to_string(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => foreign(path, "it is not valid UTF-8"),
        _ => Trouble::file("read", path, &error),
    })
}

/// What was kept for this program, in the order of the names.
pub fn kept_for(request: &LoadRequest) -> Vec<(PathBuf, KeptFinding)> {
    let Ok(entries) = fs::read_dir(FOLDER) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        // Explorations to be continued lie there as well, and can be large.
        name.ends_with(".json") && !name.ends_with(RESUME)
    });
    paths.sort();
    let read = |path: PathBuf| {
        let kept = KeptFinding::read(&path).ok()?;
        (kept.program == *request).then_some((path, kept))
    };
    paths.into_iter().filter_map(read).collect()
}

/// Checks that a file is one of ours, whole, and of this version.
pub fn check_header(path: &Path, text: &str, file: &str, format: u32) -> Result<(), Trouble> {
    #[derive(Deserialize)]
    struct Header {
        file: String,
        format: u32,
    }
    let header: Header = serde_json::from_str(text).map_err(|error| match error.is_data() {
        true => foreign(path, "it does not say which file of Counterpoint it is"),
        false => damaged(path, &error),
    })?;
    if header.file != file {
        let text = format!("`{}` is a {}, not a {file}", path.display(), header.file);
        let hint = match header.file.as_str() {
            KEPT => "See the failure again with `counterpoint replay`.",
            SAVED => "Continue it with `counterpoint check --resume`.",
            _ => "The file belongs to another tool.",
        };
        return Err(Trouble::new(text).hint(hint));
    }
    if header.format != format {
        let found = header.format;
        let text =
            format!("`{}` has format {found}, this build reads format {format}", path.display());
        return Err(Trouble::new(text).hint("Make a new one with `counterpoint check`."));
    }
    Ok(())
}

/// The file is not what it should be.
pub fn foreign(path: &Path, why: &str) -> Trouble {
    let text = format!("cannot use `{}`: {why}", path.display());
    Trouble::new(text).hint("The file may be cut off, changed by hand, or belong to another tool.")
}

/// The file cannot be read, or has something else where its parts belong.
pub fn damaged(path: &Path, error: &serde_json::Error) -> Trouble {
    let place = format!("line {}, column {}", error.line(), error.column());
    let why = match error.classify() {
        Category::Eof => format!("it ends in the middle, at {place}"),
        Category::Data => format!("something else is expected at {place}"),
        Category::Syntax | Category::Io => format!("it is not valid JSON: see {place}"),
    };
    foreign(path, &why)
}

/// The name of the target without folders and ending.
pub fn stem(request: &LoadRequest) -> String {
    if let Some(test) = &request.test {
        return test_stem(test);
    }
    let target = request.targets.first().map(String::as_str).unwrap_or_default();
    let stem = Path::new(target).file_stem().unwrap_or_default().to_string_lossy();
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
    let name: String = stem.chars().map(plain).collect();
    if name.is_empty() { "program".to_string() } else { name }
}

/// The class and the method of a test, as a name of a file.
fn test_stem(test: &str) -> String {
    let last = |name: &str| name.rsplit(['.', '$']).next().unwrap_or(name).to_string();
    let words: Vec<String> =
        match test.strip_prefix("junit4:").and_then(|rest| rest.split_once(':')) {
            Some((class, description)) => {
                vec![last(class), description.split('(').next().unwrap_or_default().to_string()]
            }
            None => test
                .split('/')
                .filter_map(|part| part.trim_matches(['[', ']']).split_once(':'))
                .filter(|(kind, _)| *kind != "engine")
                .map(|(_, value)| last(value.split('(').next().unwrap_or(value)))
                .collect(),
        };
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
    let words: Vec<String> = words
        .iter()
        .map(|word| word.chars().filter(|letter| *letter != '#').map(plain).collect())
        .collect();
    words.join("-")
}

/// A short number for a text, the same on every machine (FNV-1a).
pub fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
