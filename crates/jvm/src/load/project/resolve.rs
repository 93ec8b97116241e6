//! From declared libraries to jars: what they need, what that needs, and one version of each.
//!
//! **Idea.** Breadth first, as build tools do it. Maven takes the version that is nearest to the project, Gradle the
//! highest one that anybody asks for; a higher one that is met later replaces what was taken, and what only the lower
//! one needed stays, which is harmless on a class path.

use std::collections::VecDeque;
use std::path::PathBuf;

use rustc_hash::FxHashMap;

use super::repository::{Repositories, compare_versions};
use super::{Artifact, Declared, Dependency, maven};

/// Which of several versions of a library is taken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Preference {
    /// The one nearest to the project.
    Nearest,
    /// The highest.
    Highest,
}

/// What came of the search.
#[derive(Default, Debug)]
pub(super) struct Resolved {
    /// The jars, those that are nearest to the project first.
    pub jars: Vec<PathBuf>,
    /// What is in no repository.
    pub missing: Vec<String>,
}

/// What build tools add by themselves to those who use a library: who runs the tests that are written for it.
const COMPANIONS: [(&str, &str, &str); 1] =
    [("org.junit.jupiter", "junit-jupiter-api", "junit-jupiter-engine")];

/// More libraries than this are no class path but a mistake.
const MOST: usize = 2_000;

/// Finds the jars of what is declared and of all that it needs.
pub(super) fn resolve(
    declared: &Declared,
    preference: Preference,
    repositories: &Repositories,
) -> Resolved {
    let mut managed: FxHashMap<(String, String, Option<String>), String> = FxHashMap::default();
    for artifact in &declared.managed {
        managed.entry(artifact.key()).or_insert_with(|| artifact.version.clone());
    }
    let mut taken: FxHashMap<(String, String, Option<String>), usize> = FxHashMap::default();
    let mut order: Vec<Artifact> = Vec::new();
    let mut open: VecDeque<(Dependency, usize)> =
        declared.artifacts.iter().map(|dependency| (dependency.clone(), 0)).collect();
    while let Some((Dependency { mut artifact, exclusions, .. }, depth)) = open.pop_front() {
        // What the project itself says of versions holds for all that is below it.
        if let Some(version) = managed.get(&artifact.key())
            && (depth > 0 || artifact.version.is_empty())
        {
            artifact.version.clone_from(version);
        }
        artifact.version = repositories.version(&artifact).unwrap_or_default();
        match taken.get(&artifact.key()) {
            Some(&place) => {
                let higher = compare_versions(&artifact.version, &order[place].version).is_gt();
                if preference == Preference::Nearest || !higher {
                    continue;
                }
                order[place] = artifact.clone();
            }
            None if order.len() >= MOST => break,
            None => {
                taken.insert(artifact.key(), order.len());
                order.push(artifact.clone());
            }
        }
        open.extend(companion(&artifact, repositories).map(|companion| (companion, depth + 1)));
        let Some(pom) = repositories.file(&artifact, "pom") else { continue };
        for mut needed in maven::needs_of(&pom, repositories) {
            let is_excluded = |(group, name): &(String, String)| {
                (group == "*" || *group == needed.artifact.group)
                    && (name == "*" || *name == needed.artifact.name)
            };
            if exclusions.iter().any(is_excluded) {
                continue;
            }
            needed.exclusions.extend(exclusions.iter().cloned());
            open.push_back((needed, depth + 1));
        }
    }
    let mut resolved = Resolved::default();
    for artifact in order {
        match repositories.file(&artifact, "jar") {
            Some(jar) => resolved.jars.push(jar),
            None if is_without_jar(&artifact, repositories) => {}
            None => resolved.missing.push(artifact.to_string()),
        }
    }
    resolved
}

/// What comes with a library, if it is here.
fn companion(artifact: &Artifact, repositories: &Repositories) -> Option<Dependency> {
    let is_it =
        |(group, name, _): &&(&str, &str, &str)| *group == artifact.group && *name == artifact.name;
    let (_, _, name) = COMPANIONS.iter().find(is_it)?;
    let artifact = Artifact { name: name.to_string(), ..artifact.clone() };
    repositories.file(&artifact, "jar")?;
    Some(Dependency { artifact, exclusions: Vec::new(), passed_on: true })
}

/// Whether a library is known and has no jar of its own, such as one that only gathers others.
fn is_without_jar(artifact: &Artifact, repositories: &Repositories) -> bool {
    repositories.file(artifact, "pom").is_some_and(|pom| maven::is_only_a_pom(&pom))
}
