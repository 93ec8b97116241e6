//! What the user hands over: sources, class files, folders and jars, in any mixture.

use std::path::PathBuf;

use tempfile::TempDir;

use super::{ClassPath, Jdk, compile, main_class};
use crate::error::Error;

/// A program ready to be loaded. Compiled sources live as long as this does.
#[derive(Debug)]
pub struct Target {
    class_path: ClassPath,
    targets: Vec<PathBuf>,
    _compiled: Option<TempDir>,
}

impl Target {
    /// Prepares targets, with further class path entries behind them. Sources are compiled together.
    pub fn open(jdk: &Jdk, targets: &[PathBuf], class_path: &[PathBuf]) -> Result<Target, Error> {
        let is_source =
            |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "java");
        let (sources, others): (Vec<&PathBuf>, Vec<&PathBuf>) = targets.iter().partition(is_source);
        let sources: Vec<PathBuf> = sources.into_iter().cloned().collect();
        let behind: Vec<PathBuf> = others.into_iter().chain(class_path).cloned().collect();
        for source in &sources {
            std::fs::metadata(source)
                .map_err(|cause| Error::Io { path: source.clone(), source: cause })?;
        }
        let compiled =
            if sources.is_empty() { None } else { Some(compile(jdk, &sources, &behind)?) };
        let first = compiled.iter().map(|folder| folder.path().to_path_buf());
        let entries: Vec<PathBuf> = first.chain(behind).collect();
        let class_path = ClassPath::new(jdk.clone(), &entries)?;
        Ok(Target { class_path, targets: targets.to_vec(), _compiled: compiled })
    }

    /// Where its classes are.
    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// The class to start with; an error if there is none or several.
    pub fn main_class(&self) -> Result<String, Error> {
        main_class(&self.class_path, &self.targets)
    }
}
