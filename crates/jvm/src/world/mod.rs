//! Loaded classes: what does not change from one execution to the next.
//!
//! Classes, methods and their decoded code are loaded once per machine and never unloaded. Only
//! initialisation states and static fields belong to an execution, and those lie in the heap. There
//! is one name space: a class name means the same class everywhere.

mod class;
mod link;
mod lookup;
mod method;
mod plain_initializers;
mod symbol;

pub use class::{Class, ClassId, ClassKind, Field, InitPolicy};
pub use link::{SETTABLE_FIELDS, link};
pub(crate) use link::{has_default_methods, owned_elements};
pub use lookup::FieldPlace;
pub use method::{
    CallSite, Method, MethodEntry, MethodId, Recipe, RecipePart, SwitchLabel, Visibility,
};
pub use plain_initializers::switched_enumerations;
pub use symbol::{Symbol, Symbols};

use rustc_hash::FxHashMap;

use crate::load::ClassPath;

/// What the name of a hidden class has between the name in its file and what makes it unique.
pub const HIDDEN_MARK: &str = "+0x";

/// All loaded classes and methods.
#[derive(Debug)]
pub struct World {
    /// Interned names.
    pub symbols: Symbols,
    /// Classes by number.
    pub classes: Vec<Class>,
    /// Methods by number.
    pub methods: Vec<Method>,
    /// Call sites of method handles and variable handles.
    pub call_sites: Vec<CallSite>,
    /// Recipes of string concatenations.
    pub recipes: Vec<Recipe>,
    /// Labels of type switches.
    pub switches: Vec<Vec<SwitchLabel>>,
    /// Classes by name.
    pub by_name: FxHashMap<Symbol, ClassId>,
    /// Where class files come from.
    pub class_path: ClassPath,
    /// `java.lang.String`, once loaded.
    pub string: Option<ClassId>,
    /// The word of a string's content.
    pub string_value: u32,
    /// Static methods whose results are inputs, by class and name.
    pub inputs: Vec<(String, String)>,
    /// Whether the program may change properties, the default locale or the default time zone.
    pub changes_settings: bool,
    /// Setters of the library that the program mentions.
    pub mentioned: Vec<&'static str>,
    /// Whether nothing that threads share is left out: see [`crate::Options::no_shortcuts`].
    pub no_shortcuts: bool,
}

impl World {
    /// A world without classes.
    pub fn new(class_path: ClassPath, inputs: Vec<(String, String)>, no_shortcuts: bool) -> World {
        World {
            symbols: Symbols::default(),
            classes: Vec::new(),
            methods: Vec::new(),
            call_sites: Vec::new(),
            recipes: Vec::new(),
            switches: Vec::new(),
            by_name: FxHashMap::default(),
            class_path,
            string: None,
            string_value: 0,
            inputs,
            changes_settings: false,
            mentioned: Vec::new(),
            no_shortcuts,
        }
    }

    /// A class by its number. A number that only invalid code can have made means `Object`.
    #[inline(always)]
    pub fn class(&self, id: ClassId) -> &Class {
        self.classes.get(id.0 as usize).unwrap_or(&self.classes[0])
    }

    /// A method by its number.
    #[inline(always)]
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.0 as usize]
    }

    /// The name of a class, as in class files.
    pub fn class_name(&self, id: ClassId) -> &str {
        self.symbols.text(self.class(id).name)
    }

    /// The name of a class as the language writes it, with dots.
    pub fn external_name(&self, id: ClassId) -> String {
        let name = self.class_name(id).replace('/', ".");
        if name.contains(HIDDEN_MARK) { name.replace('+', "/") } else { name }
    }

    /// Whether no name leads to a class.
    pub fn is_hidden(&self, id: ClassId) -> bool {
        self.class_name(id).contains(HIDDEN_MARK)
    }

    /// Class, name and descriptor of a method, for messages.
    pub fn method_name(&self, id: MethodId) -> String {
        let method = self.method(id);
        let class = self.external_name(method.class);
        format!(
            "{class}.{}{}",
            self.symbols.text(method.name),
            self.symbols.text(method.descriptor)
        )
    }

    /// The loaded class with this name.
    pub fn loaded(&self, name: &str) -> Option<ClassId> {
        self.by_name.get(&self.symbols.find(name)?).copied()
    }
}
