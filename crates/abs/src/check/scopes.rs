//! Which declaration a name means: imports, exports and the lookup itself.
//!
//! A module's own declarations come first: one that repeats an imported name hides it, as older models
//! expect. Among imports, a user's declaration goes before one of the library, and two different ones of the
//! same rank are an error where the bare name is used.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::diagnostics::Diagnostic;
use crate::library::STANDARD_MODULE;
use crate::source::Span;
use crate::syntax::tree::{self, QualifiedName};

use super::suggestions::closest;
use super::tables::{Entity, Import, ImportedNames, ModuleId, Names, Space, Tables};

/// Why a name means nothing.
pub(crate) enum Unresolved {
    Unknown,
    /// Several imports bring different declarations; these are their modules.
    Ambiguous(Vec<Arc<str>>),
}

impl Tables<'_> {
    /// What a name means in a module.
    pub(crate) fn resolve(
        &self,
        module: ModuleId,
        space: Space,
        name: &QualifiedName,
    ) -> Result<Entity, Unresolved> {
        match &name.qualifier {
            Some(qualifier) => self.resolve_qualified(module, space, qualifier, &name.name.text),
            None => self.resolve_bare(module, space, &name.name.text),
        }
    }

    fn resolve_qualified(
        &self,
        module: ModuleId,
        space: Space,
        qualifier: &str,
        name: &str,
    ) -> Result<Entity, Unresolved> {
        let own = self.module(module);
        if &*own.name == qualifier {
            return find(&own.definitions, space, name).ok_or(Unresolved::Unknown);
        }
        let brings = |import: &&Import| {
            let listed = |names: &[Arc<str>]| names.iter().any(|listed| &**listed == name);
            &*self.module(import.from).name == qualifier
                && match &import.names {
                    ImportedNames::All => true,
                    ImportedNames::Some(names) | ImportedNames::Qualified(names) => listed(names),
                }
        };
        own.imports
            .iter()
            .filter(brings)
            .find_map(|import| find(&self.module(import.from).exports, space, name))
            .ok_or(Unresolved::Unknown)
    }

    pub(crate) fn resolve_bare(
        &self,
        module: ModuleId,
        space: Space,
        name: &str,
    ) -> Result<Entity, Unresolved> {
        let own = self.module(module);
        if let Some(entity) = find(&own.definitions, space, name) {
            return Ok(entity);
        }
        let mut found: Vec<(bool, Entity, &Arc<str>)> = Vec::new();
        for import in &own.imports {
            let brings = match &import.names {
                ImportedNames::All => true,
                ImportedNames::Some(names) => names.iter().any(|listed| &**listed == name),
                ImportedNames::Qualified(_) => false,
            };
            let from = self.module(import.from);
            if let (true, Some(entity)) = (brings, find(&from.exports, space, name))
                && found.iter().all(|&(_, known, _)| known != entity)
            {
                found.push((from.library, entity, &from.name));
            }
        }
        let best = found.iter().map(|&(library, ..)| library).min();
        found.retain(|&(library, ..)| Some(library) == best);
        match found.as_slice() {
            [] => Err(Unresolved::Unknown),
            [(_, entity, _)] => Ok(*entity),
            several => Err(Unresolved::Ambiguous(
                several.iter().map(|(_, _, name)| (*name).clone()).collect(),
            )),
        }
    }

    /// The message for a name that means nothing.
    pub(crate) fn unresolved(
        &self,
        module: ModuleId,
        space: Space,
        name: &QualifiedName,
        why: Unresolved,
    ) -> Diagnostic {
        let noun = space.noun();
        if let Unresolved::Ambiguous(modules) = why {
            let modules: Vec<String> = modules.iter().map(|module| format!("`{module}`")).collect();
            return Diagnostic::error(name.span, format!("the {noun} `{name}` is ambiguous"))
                .expecting(format!("exported by {}", modules.join(" and ")))
                .hint("put the module's name in front, or import only what is needed");
        }
        let diagnostic = Diagnostic::error(name.span, format!("unknown {noun} `{name}`"));
        let text = &*name.name.text;
        let exporter = self
            .modules
            .iter()
            .filter(|exporter| {
                exporter.library <= self.module(module).library
                    || !exporter.name.ends_with("Internal")
            })
            .find(|exporter| find(&exporter.exports, space, text).is_some());
        if let Some(exporter) = exporter {
            let hint =
                format!("it is exported by `{0}`: add `import {text} from {0};`", exporter.name);
            return diagnostic.hint(hint);
        }
        if let Some(owner) =
            self.modules.iter().find(|owner| find(&owner.definitions, space, text).is_some())
        {
            let hint = format!(
                "`{0}` declares it but does not export it: add `export {text};` there",
                owner.name
            );
            return diagnostic.hint(hint);
        }
        match self.similar(module, space, text) {
            Some(similar) => diagnostic.hint(format!("did you mean `{similar}`?")),
            None => diagnostic,
        }
    }

    /// The visible name that looks most like the given one.
    fn similar(&self, module: ModuleId, space: Space, name: &str) -> Option<String> {
        let own = self.module(module);
        let in_space = |names: &Names| -> Vec<String> {
            let members = names
                .iter()
                .filter(|(_, entities)| entities.iter().any(|&(known, _)| known == space));
            members.map(|(name, _)| name.to_string()).collect()
        };
        let mut candidates = in_space(&own.definitions);
        candidates.extend(
            own.imports.iter().flat_map(|import| in_space(&self.module(import.from).exports)),
        );
        candidates.sort();
        closest(name, candidates.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Computes what every module exports and imports.
    pub(super) fn link(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for index in 0..self.modules.len() {
            let imports = self.imports(ModuleId(index as u32), diagnostics);
            self.modules[index].imports = imports;
            let own = self.own_exports(index);
            self.modules[index].exports = own;
        }
        // Re-exports may depend on each other: repeat until nothing changes. A name takes its meaning
        // from as many modules as there are at most, unless exports go round in a circle.
        let mut clauses = vec![FxHashMap::default(); self.modules.len()];
        for _ in 0..=self.modules.len() {
            let mut changed = false;
            for (index, clauses) in clauses.iter_mut().enumerate() {
                changed |= self.add_re_exports(ModuleId(index as u32), clauses);
            }
            if !changed {
                break;
            }
        }
        for index in 0..self.modules.len() {
            if !self.modules[index].library {
                self.check_links(ModuleId(index as u32), diagnostics);
            }
        }
    }

    fn imports(&self, id: ModuleId, diagnostics: &mut Vec<Diagnostic>) -> Vec<Import> {
        let tree = self.module(id).tree;
        let mut imports = Vec::new();
        let mut standard = &*self.module(id).name == STANDARD_MODULE;
        for import in &tree.imports {
            if let Some(from) = &import.from {
                standard |= from.to_string() == STANDARD_MODULE;
                let Some(module) = self.module_named(from, diagnostics) else {
                    continue;
                };
                let names = match &import.names {
                    tree::Names::All => ImportedNames::All,
                    tree::Names::Listed(names) => ImportedNames::Some(
                        names.iter().map(|name| name.name.text.clone()).collect(),
                    ),
                };
                imports.push(Import { from: module, names });
                continue;
            }
            let tree::Names::Listed(names) = &import.names else {
                continue;
            };
            for name in names {
                if let Some(module) = self.module_of_qualified(name, diagnostics) {
                    let names = ImportedNames::Qualified(vec![name.name.text.clone()]);
                    imports.push(Import { from: module, names });
                }
            }
        }
        if let (false, Some(&from)) = (standard, self.module_names.get(STANDARD_MODULE)) {
            imports.push(Import { from, names: ImportedNames::All });
        }
        imports
    }

    fn module_named(
        &self,
        name: &QualifiedName,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ModuleId> {
        let text = name.to_string();
        let found = self.module_names.get(text.as_str()).copied();
        if found.is_none() {
            diagnostics.push(self.unknown_module(&text, name.span));
        }
        found
    }

    fn unknown_module(&self, name: &str, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(span, format!("unknown module `{name}`"));
        let mut names: Vec<&str> = self.module_names.keys().map(|name| &**name).collect();
        names.sort_unstable();
        match closest(name, names) {
            Some(similar) => diagnostic.hint(format!("did you mean `{similar}`?")),
            None if name.starts_with("ABS.") => {
                diagnostic.hint("this part of the ABS library is not supported")
            }
            None => diagnostic
                .hint("give the file that declares it, too: a model may consist of several files"),
        }
    }

    /// The module of `import M.n;`
    fn module_of_qualified(
        &self,
        name: &QualifiedName,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ModuleId> {
        let Some(qualifier) = &name.qualifier else {
            diagnostics.push(
                Diagnostic::error(
                    name.span,
                    format!("it is not said where `{name}` is imported from"),
                )
                .hint(format!("write `import {name} from Module;` or `import Module.{name};`")),
            );
            return None;
        };
        let found = self.module_names.get(qualifier).copied();
        if found.is_none() {
            diagnostics.push(self.unknown_module(qualifier, name.span));
        }
        found
    }

    /// What a module exports of its own.
    fn own_exports(&self, index: usize) -> Names {
        let module = &self.modules[index];
        let mut exports = Names::default();
        for export in &module.tree.exports {
            if export.from.as_ref().is_some_and(|from| from.to_string() != *module.name) {
                continue;
            }
            match &export.names {
                tree::Names::All => return module.definitions.clone(),
                tree::Names::Listed(names) => {
                    for name in names {
                        if let Some(entities) = module.definitions.get(&name.name.text) {
                            exports.insert(name.name.text.clone(), entities.clone());
                        }
                    }
                }
            }
        }
        exports
    }

    /// Adds what a module exports of other modules' declarations; says whether that was news. Of two
    /// clauses that export different things under one name the last one counts: for each name that is
    /// exported so, its clause is kept.
    fn add_re_exports(
        &mut self,
        id: ModuleId,
        clauses: &mut FxHashMap<(Arc<str>, Space), usize>,
    ) -> bool {
        let module = self.module(id);
        let mut added: Vec<(usize, Arc<str>, (Space, Entity))> = Vec::new();
        for (clause, export) in module.tree.exports.iter().enumerate() {
            let sources: Vec<ModuleId> = match &export.from {
                Some(from) => {
                    self.module_names.get(from.to_string().as_str()).copied().into_iter().collect()
                }
                // `export n;` of an imported name, as older models write.
                None => module.imports.iter().map(|import| import.from).collect(),
            };
            for source in sources {
                let offered = &self.module(source).exports;
                match &export.names {
                    tree::Names::All if export.from.is_some() => {
                        let all = offered.iter();
                        added.extend(all.flat_map(|(name, entities)| {
                            entities.iter().map(move |&entity| (clause, name.clone(), entity))
                        }));
                    }
                    tree::Names::All => {}
                    tree::Names::Listed(names) => {
                        for name in names {
                            let text = &name.name.text;
                            if export.from.is_none() && module.definitions.contains_key(text) {
                                continue;
                            }
                            let entities = offered.get(text).into_iter().flatten();
                            added.extend(entities.map(|&entity| (clause, text.clone(), entity)));
                        }
                    }
                }
            }
        }
        let exports = &mut self.modules[id.index()].exports;
        let mut changed = false;
        for (clause, name, entity) in added {
            let entities = exports.entry(name.clone()).or_default();
            let known = entities.iter().position(|&(space, _)| space == entity.0);
            let earlier = clauses.get(&(name.clone(), entity.0)).copied();
            match (known, earlier) {
                // A name of the module's own stays its own, and one of a later clause as it is.
                (Some(_), None) => continue,
                (Some(_), Some(other)) if other > clause => continue,
                (Some(place), _) if entities[place] == entity => {}
                (Some(place), _) => {
                    entities[place] = entity;
                    changed = true;
                }
                (None, _) => {
                    entities.push(entity);
                    changed = true;
                }
            }
            entities.sort_unstable();
            clauses.insert((name, entity.0), clause);
        }
        changed
    }

    /// Messages about imports and exports of things that do not exist.
    fn check_links(&self, id: ModuleId, diagnostics: &mut Vec<Diagnostic>) {
        let module = self.module(id);
        for import in &module.tree.imports {
            diagnostics.extend(without_effect(import));
            let tree::Names::Listed(names) = &import.names else {
                continue;
            };
            for name in names {
                let from = match (&import.from, &name.qualifier) {
                    (Some(from), _) => from.to_string(),
                    (None, Some(qualifier)) => qualifier.to_string(),
                    (None, None) => continue,
                };
                if let Some(&source) = self.module_names.get(from.as_str()) {
                    diagnostics.extend(self.check_offered(source, &name.name));
                }
            }
        }
        if self.re_exports_itself(id) {
            let name = &module.tree.name;
            diagnostics.push(Diagnostic::error(
                name.span,
                format!("the exports of `{name}` go round in a circle"),
            ));
        }
        for export in &module.tree.exports {
            let source = match &export.from {
                Some(from) => match self.module_named(from, diagnostics) {
                    Some(source) => source,
                    None => continue,
                },
                None => id,
            };
            let tree::Names::Listed(names) = &export.names else {
                continue;
            };
            for name in names {
                let text = &name.name.text;
                if source != id {
                    diagnostics.extend(self.check_offered(source, &name.name));
                } else if module.definitions.contains_key(text) {
                    continue;
                } else if module.exports.contains_key(text) {
                    diagnostics.push(
                        Diagnostic::warning(
                            name.span,
                            format!("`{text}` is imported, not declared here"),
                        )
                        .hint(format!("today this is written `export {text} from Module;`")),
                    );
                } else {
                    diagnostics.push(self.unknown_export(module.definitions.keys(), name));
                }
            }
        }
    }

    /// Whether following `export * from ..` leads back to the module.
    fn re_exports_itself(&self, id: ModuleId) -> bool {
        let mut reached: Vec<ModuleId> = vec![id];
        let mut next = 0;
        while next < reached.len() {
            let module = self.module(reached[next]);
            let all = module
                .tree
                .exports
                .iter()
                .filter(|export| matches!(export.names, tree::Names::All));
            for from in all.filter_map(|export| export.from.as_ref()) {
                match self.module_names.get(from.to_string().as_str()) {
                    Some(&source) if source == id => return true,
                    Some(&source) if !reached.contains(&source) => reached.push(source),
                    _ => {}
                }
            }
            next += 1;
        }
        false
    }

    fn unknown_export<'n>(
        &self,
        names: impl Iterator<Item = &'n Arc<str>>,
        name: &QualifiedName,
    ) -> Diagnostic {
        let mut names: Vec<&str> = names.map(|name| &**name).collect();
        names.sort_unstable();
        let diagnostic = Diagnostic::error(name.span, format!("there is no `{name}` to export"));
        match closest(&name.name.text, names) {
            Some(similar) => diagnostic.hint(format!("did you mean `{similar}`?")),
            None => diagnostic,
        }
    }

    fn check_offered(&self, source: ModuleId, name: &tree::Identifier) -> Option<Diagnostic> {
        let module = self.module(source);
        if module.exports.contains_key(&name.text) {
            return None;
        }
        let diagnostic =
            Diagnostic::error(name.span, format!("`{}` does not export `{name}`", module.name));
        if module.definitions.contains_key(&name.text) {
            let hint = format!("it is declared there: add `export {name};` to `{}`", module.name);
            return Some(diagnostic.hint(hint));
        }
        let mut names: Vec<&str> = module.exports.keys().map(|name| &**name).collect();
        names.sort_unstable();
        Some(match closest(&name.text, names) {
            Some(similar) => diagnostic.hint(format!("did you mean `{similar}`?")),
            None => diagnostic,
        })
    }
}

/// What results about models with deployment components assume.
pub(crate) const NO_DEPLOYMENT: &str = "deployment components limit neither time nor resources";

/// The warning about an import of something that models may mention but that does nothing here.
fn without_effect(import: &tree::Import) -> Option<Diagnostic> {
    let from = import.from.as_ref().filter(|from| from.to_string() == "ABS.DC")?;
    let message =
        "deployment components have no effect: time and resources are not limited by them";
    Some(Diagnostic::warning(from.span, message).assuming(NO_DEPLOYMENT))
}

/// What a name stands for in a name space.
pub(crate) fn find(names: &Names, space: Space, name: &str) -> Option<Entity> {
    let entities = names.get(name)?;
    entities.iter().find(|(known, _)| *known == space).map(|&(_, entity)| entity)
}
