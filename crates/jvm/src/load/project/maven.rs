//! Reads the project files of Maven.
//!
//! **Idea.** A project inherits from its parents: properties, versions (`dependencyManagement`) and libraries. So a chain of
//! files is read, the project's own first, and the first that says something is right. Versions may come from other
//! projects as well (scope `import`).
//!
//! **Left out.** Profiles, and what plugins do.

use std::fs;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};
use rustc_hash::FxHashMap;

use super::repository::Repositories;
use super::{Artifact, Declared, Dependency};

/// A chain of parents longer than this leads back to itself.
const MOST_PARENTS: usize = 20;

/// No build has more modules than this.
const MOST_MODULES: usize = 2_000;

/// One level of properties in properties is common; more than this many is a circle.
const MOST_REPLACEMENTS: usize = 16;

/// What a file and its parents say.
struct Chain {
    /// Texts of the files, the project's own first, and where they are.
    files: Vec<(PathBuf, String)>,
    properties: FxHashMap<String, String>,
}

/// What a project asks for.
pub(super) fn project(pom: &Path, repositories: &Repositories) -> Declared {
    let chain = Chain::read(pom, repositories);
    let mut declared = Declared { managed: chain.managed(repositories, 0), ..Declared::default() };
    let siblings = siblings(&chain);
    let mut seen = vec![pom.to_path_buf()];
    for (dependency, scope) in chain.dependencies() {
        if scope != "import" {
            add(dependency, &siblings, repositories, &mut declared, &mut seen);
        }
    }
    declared
}

/// Adds a library; instead of another module of the same build, its classes, and what it asks for.
fn add(
    dependency: Dependency,
    siblings: &[Sibling],
    repositories: &Repositories,
    declared: &mut Declared,
    seen: &mut Vec<PathBuf>,
) {
    let artifact = &dependency.artifact;
    let is_it =
        |sibling: &&Sibling| sibling.group == artifact.group && sibling.name == artifact.name;
    let Some(sibling) = siblings.iter().find(is_it) else {
        declared.artifacts.push(dependency);
        return;
    };
    let pom = sibling.folder.join("pom.xml");
    if seen.contains(&pom) {
        return;
    }
    seen.push(pom.clone());
    let built = ["target/classes", "target/test-classes"];
    declared.files.extend(built.map(|name| sibling.folder.join(name)));
    for needed in needs_of(&pom, repositories) {
        add(needed, siblings, repositories, declared, seen);
    }
}

/// What a library needs that is used by something else.
pub(super) fn needs_of(pom: &Path, repositories: &Repositories) -> Vec<Dependency> {
    let chain = Chain::read(pom, repositories);
    let managed = chain.managed(repositories, 0);
    let mut needed = Vec::new();
    for (mut dependency, _) in chain.dependencies() {
        if !dependency.passed_on {
            continue;
        }
        let artifact = &mut dependency.artifact;
        if artifact.version.is_empty()
            && let Some(known) = managed.iter().find(|one| one.key() == artifact.key())
        {
            artifact.version.clone_from(&known.version);
        }
        needed.push(dependency);
    }
    needed
}

/// Whether a project makes no jar.
pub(super) fn is_only_a_pom(pom: &Path) -> bool {
    let text = fs::read_to_string(pom).unwrap_or_default();
    let Ok(document) = Document::parse(&text) else { return false };
    text_of(document.root_element(), "packaging").is_some_and(|packaging| packaging == "pom")
}

/// The local repository that the user's settings name.
pub(super) fn local_repository(settings: &str, home: &Path) -> Option<PathBuf> {
    let document = Document::parse(settings).ok()?;
    let path = text_of(document.root_element(), "localRepository")?;
    Some(PathBuf::from(path.replace("${user.home}", &home.to_string_lossy())))
}

impl Chain {
    /// A project file and its parents.
    fn read(pom: &Path, repositories: &Repositories) -> Chain {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        let mut next = Some(pom.to_path_buf());
        while let Some(path) = next.take().filter(|_| files.len() < MOST_PARENTS) {
            let Ok(text) = fs::read_to_string(&path) else { break };
            next = parent_of(&path, &text, repositories);
            files.push((path, text));
        }
        let mut properties = FxHashMap::default();
        for (level, (_, text)) in files.iter().enumerate() {
            let Ok(document) = Document::parse(text) else { continue };
            let root = document.root_element();
            if let Some(own) = child(root, "properties") {
                for property in own.children().filter(Node::is_element) {
                    let name = property.tag_name().name().to_string();
                    let value = property.text().unwrap_or_default().trim().to_string();
                    properties.entry(name).or_insert(value);
                }
            }
            let parent = child(root, "parent");
            for name in ["groupId", "artifactId", "version"] {
                let inherited = || parent.and_then(|parent| text_of(parent, name));
                let Some(value) = text_of(root, name).or_else(inherited) else { continue };
                if level == 0 {
                    for prefix in ["project.", "pom.", ""] {
                        properties
                            .entry(format!("{prefix}{name}"))
                            .or_insert_with(|| value.clone());
                    }
                }
                if level == 1 {
                    properties.entry(format!("project.parent.{name}")).or_insert(value);
                }
            }
        }
        Chain { files, properties }
    }

    /// A text with properties replaced.
    fn expand(&self, text: &str) -> String {
        let mut text = text.trim().to_string();
        for _ in 0..MOST_REPLACEMENTS {
            let Some(begin) = text.find("${") else { break };
            let Some(length) = text[begin..].find('}') else { break };
            let name = &text[begin + 2..begin + length];
            let Some(value) = self.properties.get(name) else { break };
            text = format!("{}{value}{}", &text[..begin], &text[begin + length + 1..]);
        }
        text
    }

    /// The libraries with their scopes, the project's own first.
    fn dependencies(&self) -> Vec<(Dependency, String)> {
        let mut all: Vec<(Dependency, String)> = Vec::new();
        for (_, text) in &self.files {
            let Ok(document) = Document::parse(text) else { continue };
            let Some(list) = child(document.root_element(), "dependencies") else { continue };
            for found in self.read_list(list) {
                if !all.iter().any(|(known, _)| known.artifact.key() == found.0.artifact.key()) {
                    all.push(found);
                }
            }
        }
        all
    }

    /// The versions that the chain decides, the project's own first.
    fn managed(&self, repositories: &Repositories, depth: usize) -> Vec<Artifact> {
        let mut all = Vec::new();
        let mut imported = Vec::new();
        for (_, text) in &self.files {
            let Ok(document) = Document::parse(text) else { continue };
            let list = child(document.root_element(), "dependencyManagement")
                .and_then(|section| child(section, "dependencies"));
            let Some(list) = list else { continue };
            for (dependency, scope) in self.read_list(list) {
                let artifact = dependency.artifact;
                match scope.as_str() {
                    "import" => imported.push(artifact),
                    _ => all.push(artifact),
                }
            }
        }
        for artifact in imported.iter().filter(|_| depth < MOST_PARENTS) {
            all.extend(managed_by(artifact, repositories, depth + 1));
        }
        all
    }

    fn read_list(&self, list: Node<'_, '_>) -> Vec<(Dependency, String)> {
        let mut all = Vec::new();
        for item in list.children().filter(|node| local(node, "dependency")) {
            let get = |name: &str| text_of(item, name).map(|text| self.expand(&text));
            let (Some(group), Some(name)) = (get("groupId"), get("artifactId")) else { continue };
            let scope = get("scope").unwrap_or_else(|| "compile".to_string());
            let kind = get("type").unwrap_or_default();
            let classifier = get("classifier")
                .or_else(|| (kind == "test-jar").then(|| "tests".to_string()))
                .filter(|classifier| !classifier.is_empty());
            let optional = get("optional").is_some_and(|text| text == "true");
            let exclusions = child(item, "exclusions").map_or_else(Vec::new, |list| {
                let parts = |node: Node<'_, '_>| {
                    let part = |name: &str| text_of(node, name).unwrap_or_else(|| "*".to_string());
                    (part("groupId"), part("artifactId"))
                };
                list.children().filter(Node::is_element).map(parts).collect()
            });
            let passed_on = !optional && matches!(scope.as_str(), "compile" | "runtime");
            let version = get("version").unwrap_or_default();
            let artifact = Artifact { group, name, version, classifier };
            all.push((Dependency { artifact, exclusions, passed_on }, scope));
        }
        all
    }
}

/// The versions that a project decides for those that import it.
pub(super) fn managed_by(
    artifact: &Artifact,
    repositories: &Repositories,
    depth: usize,
) -> Vec<Artifact> {
    let Some(pom) = repositories.file(artifact, "pom") else { return Vec::new() };
    Chain::read(&pom, repositories).managed(repositories, depth)
}

/// Where the parent of a project file is: beside it, or in a repository.
fn parent_of(path: &Path, text: &str, repositories: &Repositories) -> Option<PathBuf> {
    let document = Document::parse(text).ok()?;
    let parent = child(document.root_element(), "parent")?;
    let get = |name: &str| text_of(parent, name);
    let artifact = Artifact {
        group: get("groupId")?,
        name: get("artifactId")?,
        version: get("version").unwrap_or_default(),
        classifier: None,
    };
    let relative = get("relativePath").unwrap_or_else(|| "../pom.xml".to_string());
    let mut beside = path.parent()?.join(relative);
    if beside.is_dir() {
        beside.push("pom.xml");
    }
    let is_it = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let document = Document::parse(&text).ok();
        document.and_then(|document| text_of(document.root_element(), "artifactId"))
            == Some(artifact.name.clone())
    };
    Some(beside).filter(is_it).or_else(|| repositories.file(&artifact, "pom"))
}

/// A module of the same build.
struct Sibling {
    group: String,
    name: String,
    folder: PathBuf,
}

/// The modules of the build that a project belongs to. Who lists them is most often their parent, but any project in a
/// folder above may.
fn siblings(chain: &Chain) -> Vec<Sibling> {
    let mut lists: Vec<PathBuf> = chain.files.iter().map(|(path, _)| path.clone()).collect();
    if let Some(folder) = lists.first().and_then(|pom| pom.parent()?.canonicalize().ok()) {
        let above = folder.ancestors().skip(1).map(|folder| folder.join("pom.xml"));
        lists.extend(above.take_while(|pom| pom.is_file()));
    }
    let mut all = Vec::new();
    let mut seen = Vec::new();
    for pom in lists {
        collect_modules(&pom, &mut all, &mut seen);
    }
    all
}

/// The modules that a project lists, with theirs.
fn collect_modules(pom: &Path, all: &mut Vec<Sibling>, seen: &mut Vec<PathBuf>) {
    if seen.len() > MOST_MODULES || seen.iter().any(|known| known == pom) {
        return;
    }
    seen.push(pom.to_path_buf());
    let text = fs::read_to_string(pom).unwrap_or_default();
    let (Ok(document), Some(folder)) = (Document::parse(&text), pom.parent()) else { return };
    let Some(modules) = child(document.root_element(), "modules") else { return };
    for module in modules.children().filter(|node| local(node, "module")) {
        let folder = folder.join(module.text().unwrap_or_default().trim());
        let pom = folder.join("pom.xml");
        let text = fs::read_to_string(&pom).unwrap_or_default();
        let Ok(document) = Document::parse(&text) else { continue };
        let root = document.root_element();
        let inherited = || child(root, "parent").and_then(|parent| text_of(parent, "groupId"));
        let group = text_of(root, "groupId").or_else(inherited);
        if let (Some(group), Some(name)) = (group, text_of(root, "artifactId")) {
            all.push(Sibling { group, name, folder });
        }
        collect_modules(&pom, all, seen);
    }
}

/// Whether an element has this name, whatever its namespace.
fn local(node: &Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| local(child, name))
}

fn text_of(node: Node<'_, '_>, name: &str) -> Option<String> {
    let text = child(node, name)?.text()?.trim();
    (!text.is_empty()).then(|| text.to_string())
}
