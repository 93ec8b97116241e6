//! What a module exports of other modules' declarations.
//!
//! **Problem.** Modules pass on what others export, which may itself be passed on, by `export * from M` or name by name. Along a
//! chain of modules that pass on everything the names add up to the square of the chain's length, and almost none of
//! them is ever looked up.
//!
//! **Idea.** A module's re-exports stay what they are, references to other modules ([`ReExports`]), and a name is followed when it
//! is asked for ([`Tables::exported`]): depth first, from the clause that counts to those that it hides. What was found for a
//! name is remembered for all modules on the way, so that each module is asked once for each name, and names that no
//! module declares are not followed at all.
//!
//! **Invariant.** A module's own declaration goes before what it passes on, and of two clauses that pass on different things
//! under one name the last one counts. Exports that go round in a circle are an error ([`Tables::circular`]); names are
//! looked up there all the same, each module being asked once.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::tree;

use super::scopes::find;
use super::tables::{Entity, ModuleId, Names, Space, Tables};

/// Where a module passes on what others export.
#[derive(Default)]
pub(crate) struct ReExports {
    /// The modules of which everything is passed on, each with the number of its clause.
    all: Vec<(usize, ModuleId)>,
    /// The names that are passed on one by one, with the numbers of their clauses.
    listed: FxHashMap<Arc<str>, Vec<(usize, Source)>>,
}

/// Where a name that is passed on comes from.
#[derive(Clone, Copy)]
enum Source {
    Module(ModuleId),
    /// Whatever is imported: `export n;` of an imported name, as older models write.
    Imports,
}

/// What was found out about exports so far: what modules export under a name, if anything.
pub(crate) type Exported = FxHashMap<(Space, Arc<str>), FxHashMap<ModuleId, Option<Entity>>>;

/// The way from the module that was asked to the one that is asked now, each with the modules that it asks next, the best last.
type Way = Vec<(ModuleId, Vec<ModuleId>)>;

impl Tables<'_> {
    /// What a module exports of its own.
    pub(super) fn own_exports(&self, id: ModuleId) -> Names {
        let module = self.module(id);
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

    /// Where a module passes on what others export.
    pub(super) fn re_exports(&self, id: ModuleId) -> ReExports {
        let module = self.module(id);
        let mut found = ReExports::default();
        for (clause, export) in module.tree.exports.iter().enumerate() {
            let from = match &export.from {
                None => None,
                Some(from) => match self.module_names.get(from.to_string().as_str()) {
                    None => continue,
                    known => known.copied(),
                },
            };
            match (&export.names, from) {
                (tree::Names::All, Some(from)) => found.all.push((clause, from)),
                (tree::Names::All, None) => {}
                (tree::Names::Listed(names), from) => {
                    for name in names {
                        let text = &name.name.text;
                        if from.is_none() && module.definitions.contains_key(text) {
                            continue;
                        }
                        let source = from.map_or(Source::Imports, Source::Module);
                        found.listed.entry(text.clone()).or_default().push((clause, source));
                    }
                }
            }
        }
        found
    }

    /// What a module exports under a name.
    pub(crate) fn exported(&self, id: ModuleId, space: Space, name: &str) -> Option<Entity> {
        if !self.exported_names.contains(name) {
            return None;
        }
        // Most names are exported by the module that declares them.
        if let Some(entity) = find(&self.module(id).exports, space, name) {
            return Some(entity);
        }
        let mut known = self.exported.borrow_mut();
        let known = known.entry((space, Arc::from(name))).or_default();
        if let Some(&found) = known.get(&id) {
            return found;
        }
        let mut asked = FxHashSet::from_iter([id]);
        let mut way: Way = vec![(id, self.passed_on_by(id, name))];
        while let Some((_, next)) = way.last_mut() {
            let Some(next) = next.pop() else {
                way.pop();
                continue;
            };
            if !asked.insert(next) {
                continue;
            }
            let own = find(&self.module(next).exports, space, name);
            match known.get(&next).copied().unwrap_or(own) {
                Some(entity) => {
                    known.extend(way.iter().map(|&(on_the_way, _)| (on_the_way, Some(entity))));
                    return Some(entity);
                }
                None if known.contains_key(&next) => {}
                None => way.push((next, self.passed_on_by(next, name))),
            }
        }
        known.extend(asked.into_iter().map(|id| (id, None)));
        None
    }

    /// Whether a module exports something under a name.
    pub(super) fn exports_name(&self, id: ModuleId, name: &str) -> bool {
        Space::ALL.iter().any(|&space| self.exported(id, space, name).is_some())
    }

    /// The modules that may have what a module passes on under a name, the one that counts last.
    fn passed_on_by(&self, id: ModuleId, name: &str) -> Vec<ModuleId> {
        let module = self.module(id);
        let listed = module.re_exports.listed.get(name).into_iter().flatten().copied();
        let all =
            module.re_exports.all.iter().map(|&(clause, from)| (clause, Source::Module(from)));
        let mut clauses: Vec<(usize, Source)> = listed.chain(all).collect();
        clauses.sort_by_key(|&(clause, _)| clause);
        let mut modules = Vec::new();
        for (_, source) in clauses {
            match source {
                Source::Module(from) => modules.push(from),
                Source::Imports => modules.extend(module.imports.iter().map(|import| import.from)),
            }
        }
        modules
    }

    /// The names that a module exports, in one name space or in all, those that it passes on included.
    pub(super) fn names_exported_by(&self, id: ModuleId, space: Option<Space>) -> Vec<&str> {
        let mut names: FxHashSet<&str> = FxHashSet::default();
        let mut asked = FxHashSet::from_iter([id]);
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            let module = self.module(id);
            let own = module.exports.keys().chain(module.re_exports.listed.keys());
            names.extend(own.map(|name| &**name).filter(|name| match space {
                Some(space) => self.exported(id, space, name).is_some(),
                None => self.exports_name(id, name),
            }));
            let all = module.re_exports.all.iter().map(|&(_, from)| from);
            left.extend(all.filter(|&from| asked.insert(from)));
        }
        names.into_iter().collect()
    }

    /// For each module whether following `export * from ..` leads back to it: Tarjan's strongly connected components, without
    /// recursion because chains may be long.
    pub(super) fn circular(&self) -> Vec<bool> {
        const NEW: usize = usize::MAX;
        let count = self.modules.len();
        let next = |id: usize, edge: usize| {
            self.modules[id].re_exports.all.get(edge).map(|&(_, from)| from.index())
        };
        let (mut number, mut lowest) = (vec![NEW; count], vec![NEW; count]);
        let (mut open, mut is_open) = (Vec::new(), vec![false; count]);
        let mut circular = vec![false; count];
        let mut numbers = 0;
        for start in 0..count {
            let mut way = Vec::new();
            if number[start] == NEW {
                way.push((start, 0));
            }
            while let Some(&mut (id, ref mut edge)) = way.last_mut() {
                if *edge == 0 {
                    (number[id], lowest[id]) = (numbers, numbers);
                    numbers += 1;
                    open.push(id);
                    is_open[id] = true;
                }
                let Some(to) = next(id, *edge) else {
                    way.pop();
                    if let Some(&(above, _)) = way.last() {
                        lowest[above] = lowest[above].min(lowest[id]);
                    }
                    if lowest[id] == number[id] {
                        let from = open.iter().rposition(|&member| member == id).unwrap_or(0);
                        let is_circle = open.len() - from > 1;
                        for member in open.drain(from..) {
                            is_open[member] = false;
                            circular[member] |= is_circle;
                        }
                    }
                    continue;
                };
                *edge += 1;
                circular[id] |= to == id;
                if number[to] == NEW {
                    way.push((to, 0));
                } else if is_open[to] {
                    lowest[id] = lowest[id].min(number[to]);
                }
            }
        }
        circular
    }
}
