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
            &*self.module(import.from).name == qualifier
                && match &import.names {
                    ImportedNames::All => true,
                    ImportedNames::Some(names) => names.contains(name),
                    ImportedNames::Qualified(only) => **only == *name,
                }
        };
        own.imports
            .iter()
            .filter(brings)
            .find_map(|import| self.exported(import.from, space, name))
            .ok_or(Unresolved::Unknown)
    }

    pub(crate) fn resolve_bare(
        &self,
        module: ModuleId,
        space: Space,
        name: &str,
    ) -> Result<Entity, Unresolved> {
        if let Some(entity) = find(&self.module(module).definitions, space, name) {
            return Ok(entity);
        }
        let known = |names: &FxHashMap<Arc<str>, Entity>| names.get(name).copied();
        if let Some(entity) = self.resolved.borrow().get(&(module, space)).and_then(known) {
            return Ok(entity);
        }
        let entity = self.imported(module, space, name)?;
        let mut resolved = self.resolved.borrow_mut();
        resolved.entry((module, space)).or_default().insert(Arc::from(name), entity);
        Ok(entity)
    }

    /// What a bare name means that a module does not declare itself.
    fn imported(&self, module: ModuleId, space: Space, name: &str) -> Result<Entity, Unresolved> {
        let mut found: Vec<(bool, Entity, &Arc<str>)> = Vec::new();
        for import in &self.module(module).imports {
            let brings = match &import.names {
                ImportedNames::All => true,
                ImportedNames::Some(names) => names.contains(name),
                ImportedNames::Qualified(_) => false,
            };
            if let (true, Some(entity)) = (brings, self.exported(import.from, space, name))
                && found.iter().all(|&(_, known, _)| known != entity)
            {
                let from = self.module(import.from);
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
        let exporter = (0..self.modules.len() as u32).map(ModuleId).find(|&exporter| {
            let (is_library, name) = (self.module(exporter).library, &self.module(exporter).name);
            (is_library <= self.module(module).library || !name.ends_with("Internal"))
                && self.exported(exporter, space, text).is_some()
        });
        if let Some(exporter) = exporter {
            let exporter = &self.module(exporter).name;
            let hint =
                format!("it is exported by `{exporter}`: add `import {text} from {exporter};`");
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
        let is_there = |entities: &[(Space, Entity)]| entities.iter().any(|&(at, _)| at == space);
        let members = own.definitions.iter().filter(|(_, entities)| is_there(entities));
        let mut candidates: Vec<&str> = members.map(|(name, _)| &**name).collect();
        for import in &own.imports {
            candidates.extend(self.names_exported_by(import.from, Some(space)));
        }
        candidates.sort_unstable();
        closest(name, candidates).map(str::to_owned)
    }

    /// Computes what every module exports and imports.
    pub(super) fn link(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for id in (0..self.modules.len()).map(|index| ModuleId(index as u32)) {
            let (imports, exports) = (self.imports(id, diagnostics), self.own_exports(id));
            let re_exports = self.re_exports(id);
            self.exported_names.extend(exports.keys().cloned());
            let module = &mut self.modules[id.index()];
            (module.imports, module.exports, module.re_exports) = (imports, exports, re_exports);
        }
        let circular = self.circular();
        for id in (0..self.modules.len()).map(|index| ModuleId(index as u32)) {
            if !self.module(id).library {
                self.check_links(id, circular[id.index()], diagnostics);
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
                    let names = ImportedNames::Qualified(name.name.text.clone());
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

    /// Messages about imports and exports of things that do not exist.
    fn check_links(&self, id: ModuleId, is_circular: bool, diagnostics: &mut Vec<Diagnostic>) {
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
        if is_circular {
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
                } else if self.exports_name(id, text) {
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
        if self.exports_name(source, &name.text) {
            return None;
        }
        let diagnostic =
            Diagnostic::error(name.span, format!("`{}` does not export `{name}`", module.name));
        if module.definitions.contains_key(&name.text) {
            let hint = format!("it is declared there: add `export {name};` to `{}`", module.name);
            return Some(diagnostic.hint(hint));
        }
        let mut names = self.names_exported_by(source, None);
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
