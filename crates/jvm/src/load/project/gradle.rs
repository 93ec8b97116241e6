//! Finds what the build files of Gradle declare.
//!
//! **Problem.** A build file is a program in Groovy or Kotlin. Running it takes Gradle and often a network.
//!
//! **Idea.** Nearly all of them declare libraries in the same few forms: a configuration, then a text
//! `'group:name:version'`, named parts (`group: 'g', name: 'n'`), another project, files, or an entry of the catalogue
//! `libs.versions.toml`. These forms are looked for in the blocks `dependencies { ... }`; names of versions are replaced by the
//! texts that are assigned to them. What several projects have in common is often in a plugin of the build's own, which is a
//! build file elsewhere, called after the plugin. What is written otherwise is not found, and the user hands it over.

use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::repository::Repositories;
use super::{Artifact, Declared, Dependency, jars_in, maven};

/// The build files of a folder.
const BUILD_FILES: [&str; 2] = ["build.gradle", "build.gradle.kts"];

/// Where a build keeps plugins of its own, and how their files end.
const CONVENTIONS: [(&str, &str); 4] = [
    ("buildSrc/src/main/groovy", "gradle"),
    ("buildSrc/src/main/kotlin", "gradle.kts"),
    ("build-logic/src/main/groovy", "gradle"),
    ("build-logic/src/main/kotlin", "gradle.kts"),
];

/// Files that mark the root of a build of several projects.
const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];

/// How many projects may need each other in a chain.
const MOST_PROJECTS: usize = 50;

/// Configurations that are not on the class path of a program.
const ELSEWHERE: [&str; 5] =
    ["annotationProcessor", "testAnnotationProcessor", "kapt", "classpath", "checkstyle"];

/// What a project asks for.
pub(super) fn project(folder: &Path, repositories: &Repositories) -> Declared {
    let mut declared = Declared::default();
    let mut seen = Vec::new();
    read_project(folder, repositories, &mut declared, &mut seen);
    declared
}

fn read_project(
    folder: &Path,
    repositories: &Repositories,
    declared: &mut Declared,
    seen: &mut Vec<PathBuf>,
) {
    if seen.contains(&folder.to_path_buf()) || seen.len() > MOST_PROJECTS {
        return;
    }
    seen.push(folder.to_path_buf());
    let root = root_of(folder);
    let mut folders = vec![folder];
    folders.extend(folder.ancestors().skip(1).take_while(|above| above.starts_with(&root)));
    let mut texts: Vec<String> = folders.iter().map(|folder| build_file(folder)).collect();
    let conventions = conventions(&texts[0], &root, &mut Vec::new());
    texts[0] += &conventions;
    let mut names = FxHashMap::default();
    for (folder, text) in folders.iter().zip(&texts) {
        collect_names(text, &mut names);
        collect_names(
            &fs::read_to_string(folder.join("gradle.properties")).unwrap_or_default(),
            &mut names,
        );
    }
    let catalogue = Catalogue::read(&root);
    for (level, text) in texts.iter().enumerate() {
        let reader = Reader { folder, root: &root, names: &names, catalogue: &catalogue };
        for block in blocks(text, "dependencies") {
            let shared =
                ["allprojects", "subprojects"].iter().any(|name| block.inside.contains(name));
            let holds = !block.inside.contains(&"buildscript") && (level == 0 || shared);
            if holds {
                for statement in statements(block.text) {
                    reader.read(statement, repositories, declared, seen);
                }
            }
        }
        if let Some(version) = call_argument(text, "useJUnitJupiter").filter(|_| level == 0) {
            let version = reader.expand(&version);
            declared.artifacts.push(needed(&format!("org.junit.jupiter:junit-jupiter:{version}")));
        }
    }
}

/// The folder of the whole build.
fn root_of(folder: &Path) -> PathBuf {
    let is_root = |above: &&Path| SETTINGS.iter().any(|name| above.join(name).is_file());
    folder.ancestors().find(is_root).unwrap_or(folder).to_path_buf()
}

fn build_file(folder: &Path) -> String {
    let texts = BUILD_FILES.iter().filter_map(|name| fs::read_to_string(folder.join(name)).ok());
    without_comments(&texts.collect::<String>())
}

/// The texts of the plugins that a build file applies and that are part of the build, with those that they apply in turn.
fn conventions(text: &str, root: &Path, seen: &mut Vec<String>) -> String {
    let mut all = String::new();
    for block in blocks(text, "plugins") {
        for name in quoted(block.text) {
            let is_name = !name.contains(['/', '\\']);
            if !is_name || seen.len() > MOST_PROJECTS || seen.iter().any(|known| known == name) {
                continue;
            }
            seen.push(name.to_string());
            let files = CONVENTIONS
                .iter()
                .map(|(folder, end)| root.join(folder).join(format!("{name}.{end}")));
            let found = files.filter_map(|file| fs::read_to_string(file).ok()).collect::<String>();
            let own = without_comments(&found);
            let more = conventions(&own, root, seen);
            all += &format!("\n{own}\n{more}");
        }
    }
    all
}

fn needed(coordinates: &str) -> Dependency {
    let artifact = Artifact::parse(coordinates).expect("coordinates were checked");
    Dependency { artifact, exclusions: Vec::new(), passed_on: true }
}

/// Reads the statements of one file.
struct Reader<'a> {
    folder: &'a Path,
    root: &'a Path,
    names: &'a FxHashMap<String, String>,
    catalogue: &'a Catalogue,
}

impl Reader<'_> {
    fn read(
        &self,
        statement: &str,
        repositories: &Repositories,
        declared: &mut Declared,
        seen: &mut Vec<PathBuf>,
    ) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = statement.find(|c| !is_name(c)).unwrap_or(statement.len());
        let (configuration, rest) = statement.split_at(end);
        if configuration.is_empty() || ELSEWHERE.contains(&configuration) {
            return;
        }
        let texts: Vec<String> = quoted(rest).iter().map(|text| self.expand(text)).collect();
        let others = match rest.contains("project(") {
            true => texts.iter().filter(|text| text.starts_with(':')).cloned().collect(),
            false => project_accessor(rest).into_iter().collect::<Vec<String>>(),
        };
        if !others.is_empty() {
            for text in others {
                let other = self.root.join(text.trim_start_matches(':').replace(':', "/"));
                let built = ["classes/java/main", "classes/java/test", "resources/main"];
                declared.files.extend(built.map(|name| other.join("build").join(name)));
                read_project(&other, repositories, declared, seen);
            }
        } else if rest.contains("fileTree(") {
            if let Some(text) = texts.iter().find(|text| !text.contains('*')) {
                declared.files.extend(jars_in(&self.folder.join(text)));
            }
        } else if rest.contains("files(") {
            declared.files.extend(texts.iter().map(|text| self.folder.join(text)));
        } else {
            let named = ["group", "name", "version"].map(|part| named_part(rest, part));
            let mut found: Vec<Artifact> = match named {
                [Some(group), Some(name), version] => {
                    let version = self.expand(&version.unwrap_or_default());
                    Artifact::parse(&format!(
                        "{}:{}:{version}",
                        self.expand(&group),
                        self.expand(&name)
                    ))
                    .into_iter()
                    .collect()
                }
                _ => texts.first().and_then(|text| Artifact::parse(text)).into_iter().collect(),
            };
            found.extend(self.catalogue.find(rest));
            for artifact in found {
                match rest.contains("latform(") {
                    true => declared.managed.extend(maven::managed_by(&artifact, repositories, 0)),
                    false => declared.artifacts.push(Dependency {
                        artifact,
                        exclusions: Vec::new(),
                        passed_on: true,
                    }),
                }
            }
        }
    }

    /// A text with `$name` and `${name}` replaced.
    fn expand(&self, text: &str) -> String {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            expanded += &rest[..at];
            let behind = &rest[at + 1..];
            let (name, after) = match behind.strip_prefix('{') {
                Some(inner) => inner.split_once('}').unwrap_or((inner, "")),
                None => {
                    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    behind.split_at(behind.find(|c| !is_name(c)).unwrap_or(behind.len()))
                }
            };
            let last = name.rsplit('.').next().unwrap_or(name);
            expanded += self.names.get(last).map_or("", String::as_str);
            rest = after;
        }
        expanded + rest
    }
}

/// The project that a statement such as `(projects.core.someApi)` names: `:core:some-api`.
fn project_accessor(statement: &str) -> Option<String> {
    let behind = statement.trim_start_matches([' ', '(']).strip_prefix("projects.")?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let name = &behind[..behind.find(|c| !is_part(c)).unwrap_or(behind.len())];
    let mut path = String::from(":");
    for letter in name.chars() {
        match letter {
            '.' => path.push(':'),
            upper if upper.is_ascii_uppercase() => {
                path.push('-');
                path.push(upper.to_ascii_lowercase());
            }
            other => path.push(other),
        }
    }
    Some(path)
}

/// A block of a build file.
struct Block<'a> {
    text: &'a str,
    /// The names of the blocks that it is in.
    inside: Vec<&'a str>,
}

/// All blocks of a name, with those that they are in.
fn blocks<'a>(text: &'a str, wanted: &str) -> Vec<Block<'a>> {
    let mut found = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' => {
                let before = text[..at].trim_end().trim_end_matches("()").trim_end();
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let begin = before.rfind(|c| !is_name(c)).map_or(0, |place| place + 1);
                open.push((&before[begin..], at + 1));
            }
            '}' => {
                let Some((name, begin)) = open.pop() else { continue };
                if name == wanted {
                    let inside = open.iter().map(|(name, _)| *name).collect();
                    found.push(Block { text: &text[begin..at], inside });
                }
            }
            _ => {}
        }
    }
    found
}

/// The statements of a block: lines, and lines that go on while a parenthesis is open or after a comma.
fn statements(block: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let (mut begin, mut depth) = (0usize, 0i32);
    for (at, c) in block.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '\n' | ';' if depth <= 0 && !block[begin..at].trim_end().ends_with(',') => {
                all.push(block[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    all.push(block[begin..].trim());
    all.retain(|statement| !statement.is_empty());
    all
}

/// The texts in quotation marks.
fn quoted(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(['\'', '"']) {
        let mark = rest[begin..].chars().next().unwrap_or('"');
        let Some(length) = rest[begin + 1..].find(mark) else { break };
        all.push(&rest[begin + 1..begin + 1 + length]);
        rest = &rest[begin + length + 2..];
    }
    all
}

/// The text of `part: 'text'` or `part = "text"`.
fn named_part(text: &str, part: &str) -> Option<String> {
    let mut from = 0;
    while let Some(at) = text[from..].find(part).map(|at| from + at) {
        let behind = text[at + part.len()..].trim_start();
        let starts = text[..at].chars().next_back().is_none_or(|c| !c.is_ascii_alphanumeric());
        if starts && let Some(value) = behind.strip_prefix([':', '=']) {
            return match value.trim_start().starts_with(['\'', '"']) {
                true => quoted(value).first().map(ToString::to_string),
                // A version in a variable.
                false => {
                    let value = value.trim_start();
                    let end = value.find([',', ')', '\n']).unwrap_or(value.len());
                    Some(format!("${{{}}}", value[..end].trim()))
                }
            };
        }
        from = at + part.len();
    }
    None
}

/// The text that a function is called with.
fn call_argument(text: &str, function: &str) -> Option<String> {
    let behind = &text[text.find(function)? + function.len()..];
    let inner = behind.trim_start().strip_prefix('(')?.split(')').next()?;
    quoted(inner).first().map(ToString::to_string)
}

/// Names to which texts are assigned, as in `def junit = '5.10'`.
fn collect_names(text: &str, names: &mut FxHashMap<String, String>) {
    for line in text.lines() {
        let Some((left, right)) = line.split_once('=') else { continue };
        let name = left.trim().rsplit([' ', '.']).next().unwrap_or_default();
        let name = name.trim_matches(['"', '\'', ']', ')']);
        let right = right.trim();
        let value = match right.starts_with(['\'', '"']) {
            true => quoted(right).first().map(ToString::to_string),
            false => right.chars().next().filter(char::is_ascii_digit).map(|_| right.to_string()),
        };
        if let Some(value) = value.filter(|_| !name.is_empty()) {
            names.entry(name.to_string()).or_insert(value);
        }
    }
}

/// The text without comments. Addresses in texts have two slashes, too.
fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    let mut quote: Option<char> = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (quote, c, rest.peek()) {
            (None, '/', Some('/')) => {
                while rest.peek().is_some_and(|&c| c != '\n') {
                    rest.next();
                }
            }
            (None, '/', Some('*')) => {
                let mut last = ' ';
                rest.next();
                for c in rest.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            (None, '\'' | '"', _) => {
                quote = Some(c);
                plain.push(c);
            }
            (Some(mark), _, _) if c == mark || c == '\n' => {
                quote = None;
                plain.push(c);
            }
            _ => plain.push(c),
        }
    }
    plain
}

/// The libraries of `gradle/libs.versions.toml`, by the names that build files use.
#[derive(Default)]
struct Catalogue {
    libraries: Vec<(String, Artifact)>,
    bundles: Vec<(String, Vec<String>)>,
}

impl Catalogue {
    fn read(root: &Path) -> Catalogue {
        let text = fs::read_to_string(root.join("gradle/libs.versions.toml")).unwrap_or_default();
        let Ok(table) = text.parse::<toml::Table>() else { return Catalogue::default() };
        let accessor = |alias: &str| alias.replace(['-', '_'], ".");
        let section = |name: &str| table.get(name).and_then(toml::Value::as_table);
        let version = |value: Option<&toml::Value>| -> String {
            let plain = |value: &toml::Value| match value {
                toml::Value::String(text) => Some(text.clone()),
                toml::Value::Table(rich) => ["strictly", "require", "prefer"]
                    .iter()
                    .find_map(|name| rich.get(*name)?.as_str().map(str::to_string)),
                _ => None,
            };
            let reference = value.and_then(|value| value.get("ref")).and_then(toml::Value::as_str);
            let found = match reference {
                Some(name) => section("versions").and_then(|versions| versions.get(name)),
                None => value,
            };
            found.and_then(plain).unwrap_or_default()
        };
        let mut catalogue = Catalogue::default();
        for (alias, entry) in section("libraries").into_iter().flatten() {
            let text = |name: &str| entry.get(name).and_then(toml::Value::as_str);
            let artifact = match (entry.as_str(), text("module"), text("group"), text("name")) {
                (Some(whole), ..) => Artifact::parse(whole),
                (_, Some(module), ..) => {
                    Artifact::parse(&format!("{module}:{}", version(entry.get("version"))))
                }
                (_, _, Some(group), Some(name)) => {
                    Artifact::parse(&format!("{group}:{name}:{}", version(entry.get("version"))))
                }
                _ => None,
            };
            catalogue.libraries.extend(artifact.map(|artifact| (accessor(alias), artifact)));
        }
        for (alias, entry) in section("bundles").into_iter().flatten() {
            let members = entry.as_array().into_iter().flatten();
            let members = members.filter_map(toml::Value::as_str).map(accessor).collect();
            catalogue.bundles.push((accessor(alias), members));
        }
        catalogue
    }

    /// The libraries that a statement such as `(libs.junit.jupiter)` names.
    fn find(&self, statement: &str) -> Vec<Artifact> {
        let Some(at) = statement.find("libs.") else { return Vec::new() };
        let behind = &statement[at + "libs.".len()..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
        let name = &behind[..behind.find(|c| !is_part(c)).unwrap_or(behind.len())];
        let name = name.trim_end_matches(".get");
        let wanted: Vec<&str> = match name.strip_prefix("bundles.") {
            Some(bundle) => {
                let members = self.bundles.iter().find(|(alias, _)| alias == bundle);
                members
                    .into_iter()
                    .flat_map(|(_, members)| members.iter().map(String::as_str))
                    .collect()
            }
            None => vec![name],
        };
        let fits = |(alias, _): &&(String, Artifact)| wanted.contains(&alias.as_str());
        self.libraries.iter().filter(fits).map(|(_, artifact)| artifact.clone()).collect()
    }
}
