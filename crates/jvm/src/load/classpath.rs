//! The class path: the program's entries in order, then the JDK's runtime image.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use zip::ZipArchive;

use super::positioned::PositionedFile;
use super::{Image, Jdk, input_class};
use crate::classfile::{ClassFile, Module};
use crate::error::{Error, bad_archive};

/// No class file comes near this size; a bound on what a damaged archive can make us allocate.
const CLASS_BYTES_LIMIT: u64 = 64 << 20;

/// How much of the program's classes is kept, so that all executions run the same code.
const KEPT_BYTES_LIMIT: usize = 256 << 20;

/// The largest file that a program under test may read.
const FILE_BYTES_LIMIT: u64 = 16 << 20;

/// Whose class it is. Classes of the JDK are trusted to initialise without looking at the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From the JDK's runtime image.
    Jdk,
    /// From the program's class path.
    Program,
}

/// What the modules of the JDK declare.
#[derive(Debug, Default)]
struct Modules {
    /// Packages that everybody may use.
    exported: FxHashSet<String>,
    /// Packages into which everybody may look.
    opened: FxHashSet<String>,
    /// Who provides a service, all named with dots.
    services: FxHashMap<String, Vec<String>>,
}

/// Packages that options of the `java` command open to the class path: `--add-opens java.base/java.lang=ALL-UNNAMED`.
fn opened_by(options: &str) -> Vec<String> {
    let words: Vec<&str> = options.split_whitespace().collect();
    let mut packages = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let Some(rest) = word.strip_prefix("--add-opens") else { continue };
        let what = rest.strip_prefix('=').or(words.get(index + 1).copied()).unwrap_or_default();
        let opens = what.strip_suffix("=ALL-UNNAMED").and_then(|what| what.split_once('/'));
        packages.extend(opens.map(|(_, package)| package.replace('.', "/")));
    }
    packages
}

/// Where classes are looked up. Cheap to clone: clones share open files.
#[derive(Debug, Clone)]
pub struct ClassPath {
    entries: Vec<Arc<ClassPathEntry>>,
    image: Arc<Image>,
    jdk: Jdk,
    /// What the JDK's modules declare; read when first asked for.
    modules: Arc<OnceLock<Modules>>,
    /// Classes of the program that were asked for, so that a folder may change or vanish meanwhile.
    classes: Arc<Mutex<Classes>>,
    /// Files that the program has read, so that all executions read the same.
    files: Arc<Mutex<FxHashMap<PathBuf, FileContent>>>,
    /// Folders that the program has listed.
    folders: Arc<Mutex<FxHashMap<PathBuf, Vec<String>>>>,
}

/// A part of a class path as a virtual machine is given it.
#[derive(Debug, Clone)]
pub enum LaunchEntry {
    /// A folder or a jar.
    Path(PathBuf),
    /// Single class files, by the names of their classes.
    Files(Vec<(String, PathBuf)>),
}

/// Classes by name, or that there are none, and how many bytes they have together.
#[derive(Debug, Default)]
struct Classes {
    known: FxHashMap<String, Option<Arc<[u8]>>>,
    bytes: usize,
}

/// What a file contains, or why it cannot be read.
pub type FileContent = Result<Arc<[u8]>, std::io::ErrorKind>;

#[derive(Debug)]
enum ClassPathEntry {
    Folder(PathBuf),
    /// The archive and the index of each class by its name without `.class`.
    Jar(PathBuf, Mutex<ZipArchive<PositionedFile>>),
    /// Single class files, by the name they give themselves.
    Files(FxHashMap<String, PathBuf>),
}

impl ClassPath {
    /// A class path of folders, jars and single `.class` files, with the JDK behind it.
    pub fn new(jdk: Jdk, entries: &[PathBuf]) -> Result<ClassPath, Error> {
        let image = Arc::new(Image::open(&jdk.image())?);
        let mut class_path = ClassPath {
            entries: Vec::new(),
            image,
            jdk,
            modules: Arc::default(),
            classes: Arc::default(),
            files: Arc::default(),
            folders: Arc::default(),
        };
        for entry in entries {
            class_path.add(entry)?;
        }
        Ok(class_path)
    }

    /// The JDK behind this class path.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// What a virtual machine is given as class path: folders, jars, and single files by their names.
    pub fn as_paths(&self) -> Vec<LaunchEntry> {
        let entry = |entry: &Arc<ClassPathEntry>| match &**entry {
            ClassPathEntry::Folder(path) | ClassPathEntry::Jar(path, _) => {
                LaunchEntry::Path(path.clone())
            }
            ClassPathEntry::Files(files) => {
                let mut files: Vec<_> = files.clone().into_iter().collect();
                files.sort();
                LaunchEntry::Files(files)
            }
        };
        self.entries.iter().map(entry).collect()
    }

    /// Adds one entry at the end.
    pub fn add(&mut self, path: &Path) -> Result<(), Error> {
        let io = |source| Error::Io { path: path.to_path_buf(), source };
        let metadata = fs::metadata(path).map_err(io)?;
        let extension =
            path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let entry = if metadata.is_dir() {
            ClassPathEntry::Folder(path.to_path_buf())
        } else if extension == "class" {
            let bytes = fs::read(path).map_err(io)?;
            let file = ClassFile::parse(bytes)
                .map_err(|source| Error::ClassFile { name: path.display().to_string(), source })?;
            ClassPathEntry::Files(FxHashMap::from_iter([(
                file.name().to_string(),
                path.to_path_buf(),
            )]))
        } else if extension == "jar" || extension == "zip" {
            let archive =
                ZipArchive::new(PositionedFile::open(path).map_err(io)?).map_err(|cause| {
                    Error::Jar { path: path.to_path_buf(), what: bad_archive(&cause) }
                })?;
            ClassPathEntry::Jar(path.to_path_buf(), Mutex::new(archive))
        } else {
            return Err(Error::UnknownTarget { path: path.to_path_buf() });
        };
        self.entries.push(Arc::new(entry));
        self.classes = Arc::default();
        Ok(())
    }

    /// The bytes of a class named as in class files (`java/util/List`), and whose it is.
    pub fn class(&self, name: &str) -> Result<Option<(Vec<u8>, Origin)>, Error> {
        if !name.starts_with("java/")
            && let Some(bytes) = self.program_class(name)?
        {
            return Ok(Some((bytes, Origin::Program)));
        }
        if name == input_class::NAME {
            return Ok(Some((input_class::class_file(), Origin::Program)));
        }
        Ok(self.image.class(name)?.map(|bytes| (bytes, Origin::Jdk)))
    }

    fn program_class(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = classes.known.get(name) {
            return Ok(known.as_deref().map(<[u8]>::to_vec));
        }
        let mut found = None;
        for entry in &self.entries {
            found = entry.class(name)?;
            if found.is_some() {
                break;
            }
        }
        let bytes = classes.bytes + found.as_ref().map_or(0, Vec::len);
        if bytes <= KEPT_BYTES_LIMIT {
            classes.bytes = bytes;
            classes.known.insert(name.to_string(), found.as_deref().map(Arc::from));
        }
        Ok(found)
    }

    /// What all resources of a name (`a/b/c.txt`) contain: those of the program in order, then the
    /// JDK's.
    pub fn resources(&self, name: &str) -> Result<Vec<Vec<u8>>, Error> {
        let mut found = Vec::new();
        for entry in &self.entries {
            found.extend(entry.file(name)?);
        }
        if let Some((package, _)) = name.rsplit_once('/')
            && let Some(module) = self.image.module_of(package)?
        {
            found.extend(self.image.resource(&format!("/{module}/{name}"))?);
        }
        Ok(found)
    }

    /// Where the resources of a name are: for each the protocol of its address and the rest of it.
    pub fn resource_addresses(&self, name: &str) -> Result<Vec<(&'static str, String)>, Error> {
        let mut found = Vec::new();
        for entry in self.entries.iter().map(|entry| &**entry) {
            let (ClassPathEntry::Folder(path) | ClassPathEntry::Jar(path, _)) = entry else {
                continue;
            };
            let path = path.canonicalize().unwrap_or_else(|_| path.clone());
            match entry {
                ClassPathEntry::Folder(_) if is_inside(name) && path.join(name).exists() => {
                    found.push(("file", path.join(name).display().to_string()));
                }
                ClassPathEntry::Jar(..) if entry.file(name)?.is_some() => {
                    found.push(("jar", format!("file:{}!/{name}", path.display())));
                }
                _ => {}
            }
        }
        if let Some((package, _)) = name.rsplit_once('/')
            && let Some(module) = self.image.module_of(package)?
            && self.image.resource(&format!("/{module}/{name}"))?.is_some()
        {
            found.push(("jrt", format!("/{module}/{name}")));
        }
        Ok(found)
    }

    /// What is at the address of a resource; none if it is not one of this class path.
    pub fn at_address(&self, protocol: &str, rest: &str) -> Result<Option<Vec<u8>>, Error> {
        match protocol {
            "file" => Ok(self.read_file(Path::new(rest)).ok().map(|bytes| bytes.to_vec())),
            "jrt" => self.image.resource(rest),
            "jar" => {
                let Some((jar, name)) = rest.rsplit_once("!/") else { return Ok(None) };
                let jar = Path::new(jar.strip_prefix("file:").unwrap_or(jar));
                let is_it = |entry: &&ClassPathEntry| match entry {
                    ClassPathEntry::Jar(path, _) => {
                        path == jar || path.canonicalize().is_ok_and(|path| path == jar)
                    }
                    _ => false,
                };
                self.entries
                    .iter()
                    .map(|entry| &**entry)
                    .find(is_it)
                    .map_or(Ok(None), |entry| entry.file(name))
            }
            _ => Ok(None),
        }
    }

    /// Classes that provide a service, all named with dots: the program's, listed in its
    /// `META-INF/services`, then those of the JDK's modules.
    pub fn providers(&self, service: &str) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        for bytes in self.resources(&format!("META-INF/services/{service}"))? {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
            names.extend(lines.filter(|line| !line.is_empty()).map(str::to_string));
        }
        let provided = self.modules()?.services.get(service);
        names.extend(provided.into_iter().flatten().cloned());
        let mut seen = FxHashSet::default();
        names.retain(|name| seen.insert(name.clone()));
        Ok(names)
    }

    fn modules(&self) -> Result<&Modules, Error> {
        if let Some(known) = self.modules.get() {
            return Ok(known);
        }
        let mut modules = Modules::default();
        for bytes in self.image.module_descriptors()? {
            let module = Module::parse(&bytes).unwrap_or_default();
            modules.exported.extend(module.exported);
            modules.opened.extend(module.opened);
            for (service, providers) in module.services {
                modules.services.entry(service).or_default().extend(providers);
            }
        }
        let options = std::env::var("JDK_JAVA_OPTIONS").unwrap_or_default();
        modules.opened.extend(opened_by(&options));
        Ok(self.modules.get_or_init(|| modules))
    }

    /// Whether the program may use the public classes of a package of the JDK (`java/util`), and whether it may look
    /// into all its classes.
    pub fn is_exported_and_open(&self, package: &str) -> Result<(bool, bool), Error> {
        let modules = self.modules()?;
        Ok((modules.exported.contains(package), modules.opened.contains(package)))
    }

    /// What a file contains that the program reads. It is read once: later executions see the same.
    pub fn read_file(&self, path: &Path) -> FileContent {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || match fs::metadata(path) {
            Ok(data) if data.is_file() && data.len() <= FILE_BYTES_LIMIT => {
                fs::read(path).map(Arc::from).map_err(|cause| cause.kind())
            }
            Ok(data) if data.is_dir() => Err(ErrorKind::IsADirectory),
            Ok(_) => Err(ErrorKind::FileTooLarge),
            Err(cause) => Err(cause.kind()),
        };
        files.entry(path.to_path_buf()).or_insert_with(read).clone()
    }

    /// The names of what is in a folder on disk, the same in all executions; none if it cannot be listed.
    pub fn list_folder(&self, path: &Path) -> Vec<String> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let list = || {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        };
        folders.entry(path.to_path_buf()).or_insert_with(list).clone()
    }

    /// The module of a JDK package (`java/util`), for stack traces.
    pub fn module_of(&self, package: &str) -> Option<String> {
        self.image.module_of(package).ok().flatten()
    }

    /// Names of all program classes, in a stable order.
    pub fn program_classes(&self) -> Result<Vec<String>, Error> {
        self.classes_of_first(self.entries.len())
    }

    /// Names of the classes in the first entries, in a stable order; used to find main methods.
    pub fn classes_of_first(&self, count: usize) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        for entry in self.entries.iter().take(count) {
            entry.names(&mut names)?;
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// A description of where program classes are looked for.
    pub fn searched(&self) -> String {
        let names: Vec<String> = self.entries.iter().map(|entry| entry.describe()).collect();
        if names.is_empty() { "an empty class path".to_string() } else { names.join(", ") }
    }
}

impl ClassPathEntry {
    fn class(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self {
            ClassPathEntry::Files(files) => match files.get(name) {
                Some(path) => read_class(path),
                None => Ok(None),
            },
            ClassPathEntry::Folder(_) | ClassPathEntry::Jar(..) => {
                self.file(&format!("{name}.class"))
            }
        }
    }

    /// What a file below the entry contains.
    fn file(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self {
            ClassPathEntry::Folder(folder) if is_inside(name) => read_class(&folder.join(name)),
            ClassPathEntry::Folder(_) | ClassPathEntry::Files(_) => Ok(None),
            ClassPathEntry::Jar(path, archive) => {
                let bad = |what: String| Error::Jar { path: path.clone(), what };
                let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(index) = archive.index_for_name(name) else {
                    return Ok(None);
                };
                let file = archive.by_index(index).map_err(|cause| bad(cause.to_string()))?;
                let mut bytes = Vec::new();
                file.take(CLASS_BYTES_LIMIT)
                    .read_to_end(&mut bytes)
                    .map_err(|cause| bad(cause.to_string()))?;
                Ok(Some(bytes))
            }
        }
    }

    fn names(&self, names: &mut Vec<String>) -> Result<(), Error> {
        match self {
            ClassPathEntry::Folder(folder) => names_below(folder, "", names, 0),
            ClassPathEntry::Files(files) => {
                names.extend(files.keys().cloned());
                Ok(())
            }
            ClassPathEntry::Jar(_, archive) => {
                let archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
                let classes = archive.file_names().filter_map(|name| name.strip_suffix(".class"));
                names.extend(
                    classes.filter(|name| !name.starts_with("META-INF/")).map(str::to_string),
                );
                Ok(())
            }
        }
    }

    fn describe(&self) -> String {
        match self {
            ClassPathEntry::Folder(path) | ClassPathEntry::Jar(path, _) => {
                path.display().to_string()
            }
            ClassPathEntry::Files(files) => {
                let paths: Vec<String> =
                    files.values().map(|path| path.display().to_string()).collect();
                paths.join(", ")
            }
        }
    }
}

/// Whether a name leads to a file below a folder.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

fn read_class(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory) => {
            Ok(None)
        }
        Err(source) => Err(Error::Io { path: path.to_path_buf(), source }),
    }
}

/// Folders nest as packages do.
pub(super) const FOLDER_DEPTH_LIMIT: usize = 64;

/// Whether an entry of a folder is a symbolic link to the folder itself or to one that it is in: to follow
/// it would find the same classes under other names.
pub(super) fn leads_back(folder: &Path, entry: &Path) -> bool {
    entry.is_symlink()
        && match (folder.canonicalize(), entry.canonicalize()) {
            (Ok(folder), Ok(entry)) => folder.starts_with(entry),
            _ => true,
        }
}

fn names_below(
    folder: &Path,
    prefix: &str,
    names: &mut Vec<String>,
    depth: usize,
) -> Result<(), Error> {
    let io = |source| Error::Io { path: folder.to_path_buf(), source };
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if path.is_dir() {
            if depth < FOLDER_DEPTH_LIMIT && !leads_back(folder, &path) {
                names_below(&path, &format!("{prefix}{name}/"), names, depth + 1)?;
            }
        } else if let Some(name) = name.strip_suffix(".class").filter(|_| path.is_file()) {
            names.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::opened_by;

    #[test]
    fn options_of_java_open_packages_to_the_class_path() {
        let options = "-Xmx1g --add-opens java.base/java.lang=ALL-UNNAMED \
            --add-opens=java.base/java.util=ALL-UNNAMED --add-opens a/b.c=d";
        assert_eq!(opened_by(options), ["java/lang", "java/util"]);
    }
}
