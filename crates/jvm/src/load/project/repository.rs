//! Where build tools keep the libraries of this machine.

use std::cmp::Ordering;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::Artifact;

/// A folder with libraries.
#[derive(Clone, Debug)]
enum Repository {
    /// `group/as/folders/name/version/name-version.jar`.
    Maven(PathBuf),
    /// `group.with.dots/name/version/HASH/name-version.jar`.
    GradleCache(PathBuf),
}

/// The repositories of this machine, the user's own first.
#[derive(Clone, Debug, Default)]
pub(super) struct Repositories {
    all: Vec<Repository>,
}

impl Repositories {
    /// Those of the present user, as far as they exist.
    pub fn of_user() -> Repositories {
        let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from);
        let mut all = Vec::new();
        if let Some(home) = &home {
            let settings = fs::read_to_string(home.join(".m2/settings.xml")).unwrap_or_default();
            let own = super::maven::local_repository(&settings, home);
            all.push(Repository::Maven(own.unwrap_or_else(|| home.join(".m2/repository"))));
        }
        let gradle = env::var_os("GRADLE_USER_HOME").map(PathBuf::from);
        if let Some(gradle) = gradle.or_else(|| home.map(|home| home.join(".gradle"))) {
            all.push(Repository::GradleCache(gradle.join("caches/modules-2/files-2.1")));
        }
        // Where Debian's packages put what they build with.
        all.push(Repository::Maven(PathBuf::from("/usr/share/maven-repo")));
        all.retain(|repository| repository.folder().is_dir());
        Repositories { all }
    }

    #[cfg(test)]
    pub fn maven(folder: &Path) -> Repositories {
        Repositories { all: vec![Repository::Maven(folder.to_path_buf())] }
    }

    #[cfg(test)]
    pub fn gradle(folder: &Path) -> Repositories {
        Repositories { all: vec![Repository::GradleCache(folder.to_path_buf())] }
    }

    /// The file of a library with this ending.
    pub fn file(&self, artifact: &Artifact, ending: &str) -> Option<PathBuf> {
        self.all.iter().find_map(|repository| repository.file(artifact, ending))
    }

    /// The version of a library that is here, if one is: the highest that a range contains, or any if none is asked for.
    pub fn version(&self, artifact: &Artifact) -> Option<String> {
        let wanted = artifact.version.as_str();
        if !wanted.is_empty() && !wanted.starts_with(['[', '(']) && !wanted.ends_with('+') {
            return Some(wanted.to_string());
        }
        let known = self.all.iter().flat_map(|repository| repository.versions(artifact));
        known.filter(|version| is_in(version, wanted)).max_by(|a, b| compare_versions(a, b))
    }
}

impl Repository {
    fn folder(&self) -> &Path {
        match self {
            Repository::Maven(folder) | Repository::GradleCache(folder) => folder,
        }
    }

    /// The folder with the versions of a library.
    fn library(&self, artifact: &Artifact) -> PathBuf {
        match self {
            Repository::Maven(folder) => {
                folder.join(artifact.group.replace('.', "/")).join(&artifact.name)
            }
            Repository::GradleCache(folder) => folder.join(&artifact.group).join(&artifact.name),
        }
    }

    fn versions(&self, artifact: &Artifact) -> Vec<String> {
        let entries = fs::read_dir(self.library(artifact)).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    fn file(&self, artifact: &Artifact, ending: &str) -> Option<PathBuf> {
        let Artifact { name, version, classifier, .. } = artifact;
        let suffix = match classifier {
            Some(classifier) if ending == "jar" => format!("-{classifier}"),
            _ => String::new(),
        };
        let file = format!("{name}-{version}{suffix}.{ending}");
        let folder = self.library(artifact).join(version);
        match self {
            Repository::Maven(_) => Some(folder.join(file)).filter(|path| path.is_file()),
            Repository::GradleCache(_) => {
                let hashes = fs::read_dir(folder).into_iter().flatten().flatten();
                hashes.map(|hash| hash.path().join(&file)).find(|path| path.is_file())
            }
        }
    }
}

/// Whether a version is in a range such as `[1.0,2.0)`, fits a beginning such as `1.+`, or nothing is asked.
fn is_in(version: &str, range: &str) -> bool {
    if let Some(beginning) = range.strip_suffix('+') {
        return version.starts_with(beginning);
    }
    let Some(inner) = range.strip_prefix(['[', '(']).and_then(|rest| rest.strip_suffix([']', ')']))
    else {
        return range.is_empty();
    };
    let (least, most) = inner.split_once(',').unwrap_or((inner, inner));
    let above = match (least.trim(), compare_versions(version, least.trim())) {
        ("", _) | (_, Ordering::Greater) => true,
        (_, Ordering::Equal) => range.starts_with('['),
        _ => false,
    };
    let below = match (most.trim(), compare_versions(version, most.trim())) {
        ("", _) | (_, Ordering::Less) => true,
        (_, Ordering::Equal) => range.ends_with(']'),
        _ => false,
    };
    above && below
}

/// Compares versions part by part, numbers as numbers; a word comes before no word, as in `1.0-rc1` and `1.0`.
pub(super) fn compare_versions(one: &str, other: &str) -> Ordering {
    let parts = |text: &str| -> Vec<String> {
        text.split(['.', '-', '_']).map(str::to_ascii_lowercase).collect()
    };
    let (ones, others) = (parts(one), parts(other));
    for index in 0..ones.len().max(others.len()) {
        let number = |parts: &[String]| match parts.get(index) {
            None => (1, 0, String::new()),
            Some(part) => match part.parse::<u64>() {
                Ok(number) => (1, number, String::new()),
                // Such words tell flavours of one version apart, and not what came earlier.
                Err(_)
                    if matches!(part.as_str(), "jre" | "android" | "final" | "ga" | "release") =>
                {
                    (1, 0, part.clone())
                }
                Err(_) => (0, 0, part.clone()),
            },
        };
        let order = number(&ones).cmp(&number(&others));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_people_expect() {
        for (lower, higher) in [
            ("1.9", "1.10"),
            ("1.0-rc1", "1.0"),
            ("2.0-SNAPSHOT", "2.0"),
            ("1", "1.1"),
            ("30-jre", "31.1-jre"),
        ] {
            assert_eq!(compare_versions(lower, higher), Ordering::Less, "{lower} {higher}");
        }
        assert!(is_in("1.5", "[1.0,2.0)") && !is_in("2.0", "[1.0,2.0)") && is_in("3", "[1.0,)"));
        assert!(is_in("1.4.2", "1.4.+") && !is_in("1.5", "1.4.+"));
    }
}
