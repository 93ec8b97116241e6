//! What the user hands over: sources, class files, folders and jars, in any mixture.
//!
//! Sources are compiled together. A folder without classes stands for the sources in it. Other
//! classes that sources or a class file mention are looked for where their packages begin: a file
//! `src/a/b/C.java` of package `a.b` finds its neighbours in `src`. So do the classes of a folder: for the folder of
//! a project that was built, those folders below it count in which packages begin, such as `target/classes`. Behind all
//! that comes what the project's build files ask for ([`project`]).

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::classpath::{FOLDER_DEPTH_LIMIT, leads_back};
use super::compile::compile_below;
use super::{ClassPath, Jdk, LaunchEntry, main_class, project};
use crate::classfile::ClassFile;
use crate::error::Error;

/// A program ready to be loaded. Compiled sources live as long as this does.
#[derive(Debug)]
pub struct Opened {
    class_path: ClassPath,
    /// How many entries of the class path are the program itself.
    own: usize,
    targets: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    compiled: Option<TempDir>,
    missing: Vec<String>,
}

impl Opened {
    /// Prepares targets, with further class path entries behind them.
    pub fn open(jdk: &Jdk, targets: &[PathBuf], class_path: &[PathBuf]) -> Result<Opened, Error> {
        Opened::open_with(jdk, targets, class_path, None)
    }

    /// The same; the classes of sources are in a folder already, if one is given.
    pub fn open_with(
        jdk: &Jdk,
        targets: &[PathBuf],
        class_path: &[PathBuf],
        classes: Option<&Path>,
    ) -> Result<Opened, Error> {
        let (mut sources, mut entries, mut roots) = (Vec::new(), Vec::new(), Vec::new());
        for target in targets {
            fs::metadata(target)
                .map_err(|cause| Error::Io { path: target.clone(), source: cause })?;
            if ends_with(target, "java") {
                sources.push(target.clone());
            } else if let Some(below) = folder_of_sources(target) {
                sources.extend(below);
            } else if target.is_dir() {
                entries.extend(class_roots(target));
            } else {
                entries.push(target.clone());
                roots.extend(root_of_class(target));
            }
        }
        let own = entries.len() + usize::from(!sources.is_empty());
        let mut folders: Vec<PathBuf> =
            entries.iter().filter(|path| path.is_dir()).cloned().collect();
        folders.extend(roots.iter().cloned().chain(source_roots(&sources)));
        let asked_for = project::class_path(&folders);
        entries.extend(class_path.iter().cloned());
        entries.extend(roots);
        entries.extend(asked_for.entries);
        let compiled = match (&sources[..], classes) {
            ([], _) | (_, Some(_)) => None,
            (sources, None) => {
                let made = compile_below(jdk, sources, &source_roots(sources), &entries);
                Some(made.map_err(|error| match error {
                    Error::Compile { output, .. } => {
                        Error::Compile { output, missing: asked_for.missing.join(", ") }
                    }
                    error => error,
                })?)
            }
        };
        let classes = classes.filter(|_| !sources.is_empty());
        let made = compiled.as_ref().map(TempDir::path);
        let first = made.or(classes).map(Path::to_path_buf).into_iter();
        let all: Vec<PathBuf> = first.chain(entries).collect();
        let class_path = ClassPath::new(jdk.clone(), &all)?;
        Ok(Opened {
            class_path,
            own,
            targets: targets.to_vec(),
            sources,
            compiled,
            missing: asked_for.missing,
        })
    }

    /// Where its classes are.
    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// The names of its own classes, in a stable order.
    pub(crate) fn own_classes(&self) -> Result<Vec<String>, Error> {
        self.class_path.classes_of_first(self.own)
    }

    /// The class to start with; an error if there is none or several.
    pub fn main_class(&self) -> Result<String, Error> {
        main_class(&self.class_path, self.own, &self.targets)
    }

    /// Whether there is more on the class path than the program itself.
    pub fn has_libraries(&self) -> bool {
        self.class_path.as_paths().len() > self.own
    }

    /// Libraries that its build files ask for and that are not on this machine, as `group:name:version`.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The sources that were compiled, those beside them that may have been, and those of the projects that classes were
    /// built in.
    pub(crate) fn sources(&self) -> Vec<PathBuf> {
        // By the names that they were given, if they were.
        let mut all = self.sources.clone();
        let built = self.class_path.as_paths().into_iter().enumerate();
        let built = built.filter_map(|(index, entry)| match entry {
            LaunchEntry::Path(path) if index < self.own || path.is_dir() => built_from(&path),
            _ => None,
        });
        let mut roots = source_roots(&self.sources);
        for root in built {
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        for root in roots {
            sources_below(&root, &mut all, 0);
        }
        all
    }

    /// Sources that were changed after they were compiled into the classes that were handed over.
    pub fn outdated(&self) -> Vec<PathBuf> {
        let time = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
        let mut outdated = Vec::new();
        for target in self.targets.iter().filter(|target| target.is_dir()) {
            for root in class_roots(target) {
                let Some(sources) = built_from(&root) else { continue };
                let mut all = Vec::new();
                sources_below(&sources, &mut all, 0);
                outdated.extend(all.into_iter().filter(|source| {
                    let compiled = class_of(source, &sources, &root);
                    let times = compiled.and_then(|class| time(&class)).zip(time(source));
                    times.is_some_and(|(class, source)| source > class)
                }));
            }
        }
        outdated.sort();
        outdated.dedup();
        outdated
    }

    /// The parts: where classes are, and the folder of compiled ones.
    pub(crate) fn into_parts(self) -> (ClassPath, Option<TempDir>) {
        (self.class_path, self.compiled)
    }
}

/// The class that a source below a folder was compiled to, if it is below another: some of the folders above the source are
/// those of its package.
fn class_of(source: &Path, sources: &Path, classes: &Path) -> Option<PathBuf> {
    let below = source.strip_prefix(sources).ok()?.with_extension("class");
    let mut rest = below.components();
    while !rest.as_path().as_os_str().is_empty() {
        let class = classes.join(rest.as_path());
        if class.is_file() {
            return Some(class);
        }
        rest.next();
    }
    None
}

/// Folders that build tools write classes to.
const BUILT: &[&str] = &["target", "build", "out", "bin"];

/// The sources that classes or a jar were built from: `src` in the folder of their project, or beside the folder that a build
/// tool writes to.
fn built_from(classes: &Path) -> Option<PathBuf> {
    let classes = classes.canonicalize().ok()?;
    let is_built = |folder: &&Path| {
        folder.file_name().is_some_and(|name| BUILT.iter().any(|built| name == *built))
    };
    let beside = || Some(classes.ancestors().find(is_built)?.parent()?.to_path_buf());
    let project = project::folder_of(&classes).or_else(beside)?;
    Some(project.join("src")).filter(|sources| sources.is_dir())
}

fn ends_with(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension == wanted)
}

/// More files than this are no program that somebody wants to compile by the way.
const FILE_LIMIT: usize = 5_000;

/// The sources in a folder that has no classes.
fn folder_of_sources(folder: &Path) -> Option<Vec<PathBuf>> {
    if !folder.is_dir() || has_classes(folder, 0) {
        return None;
    }
    let mut sources = Vec::new();
    sources_below(folder, &mut sources, 0);
    sources.sort();
    // The descriptor of a module would make the compiler want all modules it names.
    sources.retain(|path| path.file_name().is_none_or(|name| name != "module-info.java"));
    Some(sources).filter(|sources| !sources.is_empty())
}

fn entries_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| !leads_back(folder, path)).collect()
}

fn has_classes(folder: &Path, depth: usize) -> bool {
    depth < FOLDER_DEPTH_LIMIT
        && entries_of(folder)
            .iter()
            .any(|path| ends_with(path, "class") || path.is_dir() && has_classes(path, depth + 1))
}

fn sources_below(folder: &Path, sources: &mut Vec<PathBuf>, depth: usize) {
    for path in entries_of(folder) {
        if sources.len() >= FILE_LIMIT || depth > FOLDER_DEPTH_LIMIT {
            return;
        }
        if ends_with(&path, "java") && path.is_file() {
            sources.push(path);
        } else if path.is_dir() {
            sources_below(&path, sources, depth + 1);
        }
    }
}

/// The folders in which the packages of some sources begin.
pub(super) fn source_roots(sources: &[PathBuf]) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Vec::new();
    for source in sources {
        let text = fs::read(source).unwrap_or_default();
        let package = package_of(&String::from_utf8_lossy(&text));
        if let Some(root) = root_above(source, &package)
            && !roots.contains(&root)
        {
            roots.push(root);
        }
    }
    roots
}

/// The folders in which the packages of the classes in a folder begin: the folder itself, others below it if it is that
/// of a project that was built, or one above it if it is that of a package.
fn class_roots(folder: &Path) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    collect_class_roots(folder, &mut roots, 0);
    roots.sort();
    roots.dedup();
    if roots.is_empty() { vec![folder.to_path_buf()] } else { roots }
}

/// The classes of one folder are of one package, so the first that can be read says where it begins.
fn collect_class_roots(folder: &Path, roots: &mut Vec<PathBuf>, depth: usize) {
    if depth > FOLDER_DEPTH_LIMIT {
        return;
    }
    let mut entries = entries_of(folder);
    entries.sort();
    roots.extend(entries.iter().find_map(|path| root_of_class(path)));
    for path in entries.iter().filter(|path| path.is_dir()) {
        collect_class_roots(path, roots, depth + 1);
    }
}

/// The folder in which the packages of a class file begin, if it is not the file's own.
fn root_of_class(path: &Path) -> Option<PathBuf> {
    // Reading a pipe would not end.
    if !ends_with(path, "class") || !path.is_file() {
        return None;
    }
    let file = ClassFile::parse(fs::read(path).ok()?).ok()?;
    let (package, _) = file.name().rsplit_once('/').unwrap_or(("", ""));
    let package = package.replace('/', ".");
    // The folders above may have to be looked up: the present one has no name.
    root_above(path, &package).or_else(|| root_above(&path.canonicalize().ok()?, &package))
}

/// The folder that a file of a package is below, if folders and packages have the same names.
fn root_above(path: &Path, package: &str) -> Option<PathBuf> {
    let mut folder = path.parent()?;
    for part in package.split('.').filter(|part| !part.is_empty()).rev() {
        if folder.file_name()?.to_str()? != part {
            return None;
        }
        folder = folder.parent()?;
    }
    let here = folder.as_os_str().is_empty();
    Some(if here { PathBuf::from(".") } else { folder.to_path_buf() })
}

/// The package that a source declares; empty if it declares none.
pub(super) fn package_of(text: &str) -> String {
    let mut rest = text.trim_start_matches('\u{FEFF}').trim_start();
    loop {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |parts| parts.1).trim_start();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |parts| parts.1).trim_start();
        } else {
            break;
        }
    }
    let declared =
        rest.strip_prefix("package").filter(|name| name.starts_with(char::is_whitespace));
    let name = declared.and_then(|name| name.split_once(';')).map_or("", |parts| parts.0);
    name.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_found_behind_comments() {
        assert_eq!(package_of("/* a */ // b\npackage x . y.z;\nclass C {}"), "x.y.z");
        assert_eq!(package_of("\u{FEFF}package p;"), "p");
        assert_eq!(package_of("packages p; class C {}"), "");
        assert_eq!(package_of("class package1 {}"), "");
        assert_eq!(package_of("/* open"), "");
    }

    #[test]
    fn classes_of_a_project_are_found_where_their_packages_begin() {
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        let project = tempfile::tempdir().expect("a temporary folder");
        let sources = project.path().join("src/main/java/a/b");
        fs::create_dir_all(&sources).expect("a folder");
        fs::write(sources.join("C.java"), "package a.b; class C {}").expect("a source");
        let classes =
            super::super::compile(&jdk, &[sources.join("C.java")], &[]).expect("it compiles");
        let built = project.path().join("target/classes/a/b");
        fs::create_dir_all(&built).expect("a folder");
        fs::copy(classes.path().join("a/b/C.class"), built.join("C.class")).expect("a class");
        let root = vec![project.path().join("target/classes")];
        for folder in ["", "target", "target/classes", "target/classes/a", "target/classes/a/b"] {
            assert_eq!(class_roots(&project.path().join(folder)), root, "{folder}");
        }
        let empty = project.path().join("src");
        assert_eq!(class_roots(&empty), vec![empty]);
    }

    #[test]
    fn sources_that_were_changed_after_the_build_are_noticed() {
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        let project = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str| {
            let path = project.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, "").expect("a file");
            path.canonicalize().expect("it is there")
        };
        let set = |path: &Path, seconds| {
            let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            fs::File::open(path).and_then(|file| file.set_modified(time)).expect("a time");
        };
        write("pom.xml");
        let changed = write("src/main/java/a/b/Changed.java");
        let same = write("src/main/java/a/b/Same.java");
        let fresh = write("src/test/java/a/b/NotCompiled.java");
        set(&changed, 3_000);
        set(&fresh, 3_000);
        set(&same, 1_000);
        for name in ["a/b/Changed.class", "a/b/Same.class"] {
            set(&write(&format!("target/classes/{name}")), 2_000);
        }
        let classes = project.path().join("target/classes");
        let opened = Opened::open(&jdk, &[classes], &[]).expect("a folder of classes");
        assert_eq!(opened.outdated(), [changed]);
    }

    #[test]
    fn packages_begin_above_folders_of_their_names() {
        let root = |path: &str, package: &str| root_above(Path::new(path), package);
        assert_eq!(root("src/a/b/C.java", "a.b"), Some(PathBuf::from("src")));
        assert_eq!(root("a/b/C.java", "a.b"), Some(PathBuf::from(".")));
        assert_eq!(root("C.java", ""), Some(PathBuf::from(".")));
        assert_eq!(root("src/b/a/C.java", "a.b"), None);
        assert_eq!(root("C.java", "a"), None);
    }
}
