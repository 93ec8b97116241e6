//! What a project's own build files say about its class path.
//!
//! **Problem.** People hand over the folder of a project that was built. Its classes are there; the libraries are in the
//! caches of the build tool, and only the build files say which.
//!
//! **Idea.** Read what a build file declares, and look in the local repositories for it and for what it needs in
//! turn ([`resolve`]). Nothing is run and nothing is fetched: what is not on this machine is named, so that the
//! user can hand it over with `--class-path`. [`maven`] reads a `pom.xml` with its parents, properties, managed
//! versions and modules; [`gradle`] finds the declarations of a `build.gradle` by their form, since the file is a
//! program. Jars in the folders that build tools and people copy them to count as well.
//!
//! **Invariant.** Entries come after those that the user gives, so they never hide one of these.
//!
//! **Cost.** A few files for each library, once.

mod gradle;
mod maven;
mod repository;
mod resolve;

use std::fs;
use std::path::{Path, PathBuf};

use self::repository::Repositories;
use self::resolve::{Preference, resolve};

/// Where people and build tools put the jars of a project.
const JAR_FOLDERS: &[&str] =
    &["target/dependency", "target/lib", "lib", "libs", "build/dependencies"];

/// Where files are that are not classes: where build tools put them, if not beside the classes, and, for projects
/// that were not built, where they come from.
const RESOURCE_FOLDERS: &[&str] =
    &["build/resources/test", "build/resources/main", "src/test/resources", "src/main/resources"];

/// How far above its classes a project's folder may be.
const PROJECT_DEPTH: usize = 8;

/// A library by its coordinates.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Artifact {
    pub group: String,
    pub name: String,
    /// Empty if something else decides.
    pub version: String,
    pub classifier: Option<String>,
}

impl Artifact {
    /// From `group:name:version`, with or without version and classifier.
    pub fn parse(text: &str) -> Option<Artifact> {
        let mut parts = text.split(':').map(|part| part.split('@').next().unwrap_or(part).trim());
        let (group, name) = (parts.next()?, parts.next()?);
        let is_name = |part: &str| {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
            !part.is_empty() && part.chars().all(fits)
        };
        (is_name(group) && is_name(name)).then(|| Artifact {
            group: group.to_string(),
            name: name.to_string(),
            version: parts.next().unwrap_or_default().to_string(),
            classifier: parts.next().map(str::to_string),
        })
    }

    /// What tells it from other libraries, whatever the version.
    fn key(&self) -> (String, String, Option<String>) {
        (self.group.clone(), self.name.clone(), self.classifier.clone())
    }
}

impl std::fmt::Display for Artifact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.group, self.name)?;
        match self.version.is_empty() {
            true => Ok(()),
            false => write!(f, ":{}", self.version),
        }
    }
}

/// What a build file declares.
#[derive(Clone, Default, Debug)]
pub(super) struct Declared {
    /// Libraries, in the order of their declarations.
    pub artifacts: Vec<Dependency>,
    /// Versions for libraries that are declared without one, here and further down.
    pub managed: Vec<Artifact>,
    /// Jars and folders that are named as such.
    pub files: Vec<PathBuf>,
}

/// A library that something needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dependency {
    pub artifact: Artifact,
    /// Groups and names that it need not bring along; `*` stands for all.
    pub exclusions: Vec<(String, String)>,
    /// Whether those who need its owner need it as well.
    pub passed_on: bool,
}

/// The class path that build files ask for.
#[derive(Clone, Default, Debug)]
pub(crate) struct BuildClassPath {
    /// Jars and folders.
    pub entries: Vec<PathBuf>,
    /// What is on this machine in no repository, as `group:name:version`.
    pub missing: Vec<String>,
}

/// What the build files of the projects say that some folders of classes or sources belong to.
pub(crate) fn class_path(roots: &[PathBuf]) -> BuildClassPath {
    let mut projects: Vec<PathBuf> = Vec::new();
    for project in roots.iter().filter_map(|root| folder_of(root)) {
        if !projects.contains(&project) {
            projects.push(project);
        }
    }
    let mut all = BuildClassPath::default();
    for project in &projects {
        let found = of_project(project);
        for entry in found.entries {
            if !all.entries.contains(&entry) {
                all.entries.push(entry);
            }
        }
        all.missing.extend(found.missing);
    }
    all.missing.sort();
    all.missing.dedup();
    all
}

/// The nearest folder from here upwards that has a build file.
pub(crate) fn folder_of(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let has_build_file = |folder: &&Path| {
        let files = ["pom.xml", "build.gradle", "build.gradle.kts", "build.xml", ".classpath"];
        files.iter().any(|file| folder.join(file).is_file())
    };
    root.ancestors().take(PROJECT_DEPTH).find(has_build_file).map(Path::to_path_buf)
}

fn of_project(project: &Path) -> BuildClassPath {
    let mut entries: Vec<PathBuf> = Vec::new();
    entries.extend(
        RESOURCE_FOLDERS.iter().map(|name| project.join(name)).filter(|path| path.is_dir()),
    );
    for folder in JAR_FOLDERS {
        entries.extend(jars_in(&project.join(folder)));
    }
    let repositories = Repositories::of_user();
    let pom = project.join("pom.xml");
    let (declared, preference) = match pom.is_file() {
        true => (maven::project(&pom, &repositories), Preference::Nearest),
        false => (gradle::project(project, &repositories), Preference::Highest),
    };
    entries.extend(declared.files.iter().filter(|path| path.exists()).cloned());
    let resolved = resolve(&declared, preference, &repositories);
    // A jar that lies in the project is not taken from a repository a second time.
    let names: Vec<_> =
        entries.iter().filter_map(|path| path.file_name()).map(ToOwned::to_owned).collect();
    let is_new =
        |path: &PathBuf| path.file_name().is_none_or(|name| !names.iter().any(|own| own == name));
    entries.extend(resolved.jars.into_iter().filter(is_new));
    let is_there = |artifact: &String| {
        let mut parts = artifact.split(':').skip(1);
        let (name, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let jar = format!("{name}-{version}.jar");
        names.iter().any(|own| own.to_str() == Some(jar.as_str()))
    };
    let missing = resolved.missing.into_iter().filter(|artifact| !is_there(artifact)).collect();
    BuildClassPath { entries, missing }
}

/// The jars of a folder, in the order of their names.
fn jars_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut jars: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "jar") && path.is_file())
        .collect();
    jars.sort();
    jars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Adds a library to a repository: its jar, and a project file that needs others.
    fn publish(root: &Path, library: &str, needs: &[&str]) {
        let Artifact { group, name, version, .. } = Artifact::parse(library).expect("coordinates");
        let folder = format!("{}/{name}/{version}", group.replace('.', "/"));
        let mut pom = format!(
            "<project><groupId>{group}</groupId><artifactId>{name}</artifactId>\
             <version>{version}</version><dependencies>"
        );
        for needed in needs {
            let (library, scope) = needed.split_once(' ').unwrap_or((needed, "compile"));
            let Artifact { group, name, version, .. } =
                Artifact::parse(library).expect("coordinates");
            pom += &format!(
                "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>\
                 <version>{version}</version><scope>{scope}</scope></dependency>"
            );
        }
        write(
            root,
            &format!("{folder}/{name}-{version}.pom"),
            &(pom + "</dependencies></project>"),
        );
        write(root, &format!("{folder}/{name}-{version}.jar"), "");
    }

    fn names(jars: &[PathBuf]) -> Vec<String> {
        jars.iter()
            .map(|jar| jar.file_name().unwrap_or_default().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn maven_takes_the_nearest_version_and_inherits_from_parents() {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = folder.path().join("repository");
        publish(&repository, "a:one:1.0", &["a:two:1.0", "a:four:1.0 test", "a:six:1.0"]);
        publish(&repository, "a:two:1.0", &["a:three:2.0"]);
        publish(&repository, "a:three:1.0", &[]);
        publish(&repository, "a:three:2.0", &[]);
        publish(&repository, "a:five:3.1", &[]);
        let root = folder.path();
        write(
            root,
            "pom.xml",
            "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><groupId>p</groupId>\
             <artifactId>parent</artifactId><version>7</version><packaging>pom</packaging>\
             <modules><module>app</module><module>core</module></modules>\
             <properties><three>1.0</three></properties><dependencyManagement><dependencies>\
             <dependency><groupId>a</groupId><artifactId>five</artifactId><version>3.1</version></dependency>\
             </dependencies></dependencyManagement></project>",
        );
        let parent = "<parent><groupId>p</groupId><artifactId>parent</artifactId><version>7</version></parent>";
        write(
            root,
            "core/pom.xml",
            &format!(
                "<project>{parent}<artifactId>core</artifactId><dependencies><dependency><groupId>a</groupId>\
                 <artifactId>three</artifactId><version>${{three}}</version></dependency></dependencies></project>"
            ),
        );
        write(
            root,
            "app/pom.xml",
            &format!(
                "<project>{parent}<artifactId>app</artifactId><dependencies>\
                 <dependency><groupId>${{project.groupId}}</groupId><artifactId>core</artifactId>\
                 <version>${{project.version}}</version></dependency>\
                 <dependency><groupId>a</groupId><artifactId>one</artifactId><version>1.0</version>\
                 <exclusions><exclusion><groupId>a</groupId><artifactId>six</artifactId></exclusion></exclusions>\
                 </dependency>\
                 <dependency><groupId>a</groupId><artifactId>five</artifactId><scope>test</scope></dependency>\
                 <dependency><groupId>b</groupId><artifactId>gone</artifactId><version>9</version></dependency>\
                 </dependencies></project>"
            ),
        );
        let repositories = Repositories::maven(&repository);
        let declared = maven::project(&root.join("app/pom.xml"), &repositories);
        assert!(
            declared.files.contains(&root.join("app/../core/target/classes"))
                || declared.files.iter().any(|file| file.ends_with("core/target/classes"))
        );
        let resolved = resolve(&declared, Preference::Nearest, &repositories);
        let jars = ["three-1.0.jar", "one-1.0.jar", "five-3.1.jar", "two-1.0.jar"];
        assert_eq!(names(&resolved.jars), jars);
        assert_eq!(resolved.missing, ["b:gone:9"]);
    }

    #[test]
    fn modules_need_modules_and_whoever_lists_them_need_not_be_their_parent() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        let repository = root.join("repository");
        for library in ["a:used:1", "a:only-for-tests:1"] {
            publish(&repository, library, &[]);
        }
        let module = |path: &str, needs: &[&str]| {
            let needs = needs.iter().map(|needed| {
                let (library, scope) = needed.split_once(' ').unwrap_or((needed, "compile"));
                let Artifact { group, name, version, .. } =
                    Artifact::parse(library).expect("coordinates");
                format!(
                    "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>\
                     <version>{version}</version><scope>{scope}</scope></dependency>"
                )
            });
            let needs: String = needs.collect();
            let name = path.rsplit('/').next().unwrap_or(path);
            let text = format!(
                "<project><parent><groupId>elsewhere</groupId><artifactId>framework</artifactId>\
                 <version>3</version></parent><groupId>p</groupId><artifactId>{name}</artifactId>\
                 <version>1</version><dependencies>{needs}</dependencies></project>"
            );
            write(&root, &format!("{path}/pom.xml"), &text);
        };
        let list = |names: &str| {
            let modules: String =
                names.split(' ').map(|name| format!("<module>{name}</module>")).collect();
            format!(
                "<project><groupId>p</groupId><artifactId>all</artifactId><version>1</version>\
                 <packaging>pom</packaging><modules>{modules}</modules></project>"
            )
        };
        write(&root, "pom.xml", &list("libs app"));
        write(&root, "libs/pom.xml", &list("core service"));
        module("libs/core", &["a:used:1", "a:only-for-tests:1 test"]);
        module("libs/service", &["p:core:1"]);
        module("app", &["p:service:1"]);
        let repositories = Repositories::maven(&repository);
        let declared = maven::project(&root.join("app/pom.xml"), &repositories);
        for built in ["libs/service/target/classes", "libs/core/target/classes"] {
            assert!(declared.files.contains(&root.join(built)), "{:?}", declared.files);
        }
        let resolved = resolve(&declared, Preference::Nearest, &repositories);
        assert_eq!(names(&resolved.jars), ["used-1.jar"]);
        assert_eq!(resolved.missing, [""; 0]);
    }

    /// As `gradle init` makes a build of several projects.
    #[test]
    fn what_projects_of_gradle_have_in_common_is_in_plugins_of_the_build() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let repository = root.join("repository");
        for library in ["a:one:1", "a:two:2"] {
            publish(&repository, library, &[]);
        }
        write(root, "settings.gradle.kts", "include(\"app\", \"some-lib\")");
        let plugins = "buildSrc/src/main/kotlin";
        write(
            root,
            &format!("{plugins}/own.app.gradle.kts"),
            "plugins {\n    id(\"own.common\")\n    application\n}\n",
        );
        write(
            root,
            &format!("{plugins}/own.common.gradle.kts"),
            "plugins { java }\ndependencies { testImplementation(\"a:one:1\") }\n",
        );
        write(root, "some-lib/build.gradle.kts", "dependencies { api(\"a:two:2\") }\n");
        write(
            root,
            "app/build.gradle.kts",
            "plugins {\n    id(\"own.app\")\n}\ndependencies {\n    implementation(projects.someLib)\n}\n",
        );
        let repositories = Repositories::maven(&repository);
        let declared = gradle::project(&root.join("app"), &repositories);
        assert!(declared.files.contains(&root.join("some-lib/build/classes/java/main")));
        let resolved = resolve(&declared, Preference::Highest, &repositories);
        let mut jars = names(&resolved.jars);
        jars.sort();
        assert_eq!(jars, ["one-1.jar", "two-2.jar"]);
    }

    #[test]
    fn gradle_takes_the_highest_version_and_knows_the_usual_forms() {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = folder.path().join("repository");
        for library in
            ["a:two:1.0", "a:two:1.5", "a:three:2.0", "b:x:1", "b:y:2", "b:z:3", "c:core:4"]
        {
            publish(&repository, library, &[]);
        }
        publish(&repository, "a:one:1.0", &["a:two:1.5"]);
        let root = folder.path();
        write(root, "settings.gradle", "include ':app', ':core'");
        write(root, "gradle.properties", "threeVersion=2.0\n");
        write(
            root,
            "gradle/libs.versions.toml",
            "[versions]\ny = \"2\"\n[libraries]\nb-y = { module = \"b:y\", version.ref = \"y\" }\n\
             zed = \"b:z:3\"\n[bundles]\nall = [\"zed\"]\n",
        );
        write(root, "core/build.gradle.kts", "dependencies {\n    api(\"c:core:4\")\n}\n");
        write(root, "app/libs/local.jar", "");
        write(
            root,
            "app/build.gradle",
            "buildscript { dependencies { classpath 'no:plugin:1' } }\n\
             def xVersion = '1' // a comment with 'q:q:1'\n\
             dependencies {\n    implementation 'a:two:1.0'\n    implementation('a:one:1.0') {\n\
             exclude group: 'nothing'\n }\n    testImplementation group: 'a', name: 'three', version: threeVersion\n\
             runtimeOnly \"b:x:$xVersion\"\n    api libs.b.y\n    implementation libs.bundles.all\n\
             implementation project(':core')\n    implementation fileTree(dir: 'libs', include: ['*.jar'])\n\
             annotationProcessor 'no:processor:1'\n}\n",
        );
        let repositories = Repositories::maven(&repository);
        let declared = gradle::project(&root.join("app"), &repositories);
        assert!(declared.files.contains(&root.join("core/build/classes/java/main")));
        assert!(declared.files.contains(&root.join("app/libs/local.jar")));
        let resolved = resolve(&declared, Preference::Highest, &repositories);
        let jars = [
            "two-1.5.jar",
            "one-1.0.jar",
            "three-2.0.jar",
            "x-1.jar",
            "y-2.jar",
            "z-3.jar",
            "core-4.jar",
        ];
        assert_eq!(names(&resolved.jars), jars);
        assert_eq!(resolved.missing, [""; 0]);
    }

    #[test]
    fn resources_are_found_where_they_come_from_and_first_where_they_were_built() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        write(&root, "pom.xml", "<project/>");
        write(&root, "src/test/resources/data.txt", "");
        write(&root, "src/main/resources/data.txt", "");
        write(&root, "build/resources/main/data.txt", "");
        write(&root, "src/main/java/A.java", "");
        let found = class_path(&[root.join("src/main/java")]).entries;
        let folders = ["build/resources/main", "src/test/resources", "src/main/resources"];
        assert_eq!(found, folders.map(|name| root.join(name)));
    }

    #[test]
    fn the_cache_of_gradle_is_a_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), "g.h/n/1.0/0123abc/n-1.0.jar", "");
        let repositories = Repositories::gradle(folder.path());
        let artifact = Artifact::parse("g.h:n:1.+").expect("coordinates");
        let version = repositories.version(&artifact).expect("a version");
        assert!(repositories.file(&Artifact { version, ..artifact }, "jar").is_some());
    }
}
