//! The unknowns of a program: what each is called, what it can be, and the term that stands for it.
//!
//! An unknown has one number in all runs of a program. It is found by where it comes from: a parameter
//! or field by its name, an argument of a constructor by the unknown that was split and the place there.
//! So looking at the same data on another path finds the same unknowns without making a name again.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use counterpoint_symbolic::{BigInt, Limits, SolverChain, Sort, Term, Terms, Z3};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::check::relations::instance;
use crate::machine::value::{TermKind, UnknownId, Value};
use crate::program::{ClassId, Constant, ConstructorId, DataTypeId, Model, Type};

/// An unknown that is neither a number nor a truth value nor a string.
#[derive(Debug)]
pub(crate) struct UnknownEntry {
    pub name: Rc<str>,
    pub kind: Kind,
}

/// What an unknown can be.
#[derive(Debug)]
pub(crate) enum Kind {
    Data {
        data_type: DataTypeId,
        arguments: Vec<Type>,
        /// The rest of a set: its elements are above this one.
        above: Option<Term>,
    },
    /// Null or an object of one of these classes, by a number: null is zero.
    Reference { classes: Vec<ClassId>, code: Term },
    /// A future with a result of this type.
    Future { result: Type },
}

/// What an unknown consists of if it is made by a constructor.
type Children = FxHashMap<(UnknownId, ConstructorId), Rc<[Value]>>;

/// The unknowns of a program, shared by all its runs.
pub(crate) struct Table {
    pub terms: Rc<Terms>,
    pub solver: Rc<RefCell<SolverChain>>,
    entries: RefCell<Vec<Rc<UnknownEntry>>>,
    roots: RefCell<FxHashMap<String, Value>>,
    children: RefCell<Children>,
    texts: RefCell<Texts>,
    /// The names of unknown strings.
    text_names: RefCell<FxHashSet<Rc<str>>>,
    /// How many instructions were executed in all runs.
    pub instructions: Cell<u64>,
}

/// Numbers for strings. Those of the model's text are numbered from zero on. Those that runs make have numbers that do not
/// depend on which run was first.
#[derive(Default)]
struct Texts {
    codes: FxHashMap<Rc<str>, i64>,
    known: FxHashMap<i64, Rc<str>>,
}

/// The numbers of strings that runs make lie from here on, and so many of them.
const MADE: i64 = 1 << 32;
const MOST_MADE: i64 = 1 << 39;

impl Texts {
    fn add(&mut self, text: &str, code: i64) {
        let text: Rc<str> = text.into();
        self.known.insert(code, Rc::clone(&text));
        self.codes.insert(text, code);
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("unknowns", &self.entries.borrow().len()).finish()
    }
}

impl Table {
    pub fn new(model: &Model, limits: Option<Limits>) -> Table {
        let solver = limits.map_or_else(Z3::new, Z3::with_limits);
        let table = Table {
            terms: Terms::new(),
            solver: SolverChain::new(solver).shared(),
            entries: RefCell::default(),
            roots: RefCell::default(),
            children: RefCell::default(),
            texts: RefCell::default(),
            text_names: RefCell::default(),
            instructions: Cell::new(0),
        };
        // The empty string is what an unknown one is at first.
        let constants = model.constants.iter().filter_map(|constant| match constant {
            Constant::String(text) => Some(&**text),
            _ => None,
        });
        for text in std::iter::once("").chain(constants) {
            let texts = &mut *table.texts.borrow_mut();
            if !texts.codes.contains_key(text) {
                texts.add(text, texts.known.len() as i64);
            }
        }
        table
    }

    pub fn entry(&self, id: UnknownId) -> Rc<UnknownEntry> {
        Rc::clone(&self.entries.borrow()[id.index()])
    }

    /// How many unknowns have a number.
    pub fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// The unknown with this name and type.
    pub fn root(&self, model: &Model, name: &str, value_type: &Type) -> Value {
        if let Some(known) = self.roots.borrow().get(name) {
            return known.clone();
        }
        let value = self.fresh(model, name, value_type, None);
        self.roots.borrow_mut().insert(name.to_owned(), value.clone());
        value
    }

    /// The arguments of a constructor that an unknown is split into.
    pub fn children(
        &self,
        model: &Model,
        id: UnknownId,
        constructor: ConstructorId,
    ) -> Rc<[Value]> {
        if let Some(known) = self.children.borrow().get(&(id, constructor)) {
            return Rc::clone(known);
        }
        let entry = self.entry(id);
        let Kind::Data { arguments, above: _, .. } = &entry.kind else {
            unreachable!("only data has constructors")
        };
        let shape = model.constructor(constructor);
        let mut values: Vec<Value> = Vec::with_capacity(shape.arguments.len());
        for (index, declared) in shape.arguments.iter().enumerate() {
            let part = match constructor {
                ConstructorId::INSERT if index == 0 => "element".to_owned(),
                ConstructorId::INSERT => "rest".to_owned(),
                ConstructorId::INSERT_ASSOC if index == 0 => "entry".to_owned(),
                ConstructorId::INSERT_ASSOC => "rest".to_owned(),
                _ => match shape.accessors.get(index) {
                    Some(Some(accessor)) => accessor.to_string(),
                    _ => format!("{}{}", shape.name, index + 1),
                },
            };
            let name = format!("{}.{part}", entry.name);
            let value_type = substitute(declared, arguments);
            let above = match (constructor, values.first()) {
                (ConstructorId::INSERT, Some(Value::Term(term, TermKind::Integer))) => Some(*term),
                _ => None,
            };
            values.push(self.fresh(model, &name, &value_type, above));
        }
        let values: Rc<[Value]> = values.into();
        self.children.borrow_mut().insert((id, constructor), Rc::clone(&values));
        values
    }

    fn fresh(&self, model: &Model, name: &str, value_type: &Type, above: Option<Term>) -> Value {
        let kind = match value_type {
            // A type parameter is any type: integers can be told apart and put in order like no other.
            Type::Integer | Type::Parameter(..) | Type::Open => {
                return Value::Term(self.terms.input(name, Sort::Int), TermKind::Integer);
            }
            Type::String => {
                self.text_names.borrow_mut().insert(name.into());
                return Value::Term(self.terms.input(name, Sort::Int), TermKind::Text);
            }
            Type::Rational => {
                let part = |part| self.terms.input(&format!("{name}.{part}"), Sort::Int);
                return Value::Fraction(Rc::new((part("numerator"), part("denominator"))));
            }
            Type::Data(DataTypeId::BOOL, _) => {
                return Value::Term(self.terms.input(name, Sort::Bool), TermKind::Boolean);
            }
            Type::Data(DataTypeId::UNIT, _) => return Value::UNIT,
            Type::Data(data_type, arguments) => {
                if model.data_type(*data_type).constructors.is_empty() {
                    return Value::Opaque(Rc::new(name.to_owned()));
                }
                Kind::Data { data_type: *data_type, arguments: arguments.clone(), above }
            }
            Type::Interface(interface) => {
                let classes = (0..model.classes.len() as u32).map(ClassId);
                let fits = |&class: &ClassId| {
                    model.class(class).implements.binary_search(interface).is_ok()
                };
                let code = self.terms.input(name, Sort::Int);
                Kind::Reference { classes: classes.filter(fits).collect(), code }
            }
            Type::Class(class) => {
                let code = self.terms.input(name, Sort::Int);
                Kind::Reference { classes: vec![*class], code }
            }
            Type::Future(result) => Kind::Future { result: (**result).clone() },
            Type::Null => return Value::Null,
            Type::Float | Type::Destiny => return Value::Opaque(Rc::new(name.to_owned())),
        };
        let mut entries = self.entries.borrow_mut();
        let id = UnknownId(entries.len() as u32);
        entries.push(Rc::new(UnknownEntry { name: name.into(), kind }));
        Value::Unknown(id)
    }

    /// Whether an unknown string has this name.
    pub fn is_text(&self, name: &str) -> bool {
        self.text_names.borrow().contains(name)
    }

    /// The number that stands for a string that is known.
    pub fn text_code(&self, text: &str) -> i64 {
        let texts = &mut *self.texts.borrow_mut();
        if let Some(&code) = texts.codes.get(text) {
            return code;
        }
        let mut hasher = FxHasher::default();
        text.hash(&mut hasher);
        let mut code = MADE + (hasher.finish() >> 16) as i64 % MOST_MADE;
        while texts.known.contains_key(&code) {
            code += 1;
        }
        texts.add(text, code);
        code
    }

    /// The string that a number stands for, if the program knows one, or else one that it does not know.
    pub fn text_of(&self, code: &BigInt) -> String {
        let texts = self.texts.borrow();
        let known = i64::try_from(code).ok().and_then(|code| texts.known.get(&code));
        if let Some(text) = known {
            return text.to_string();
        }
        let mut text = format!("text{code}").replace('-', "_");
        while texts.codes.contains_key(&*text) {
            text.push('_');
        }
        text
    }
}

/// A type with its parameters replaced.
pub(crate) fn substitute(declared: &Type, arguments: &[Type]) -> Type {
    match declared {
        Type::Parameter(number, _) => {
            arguments.get(*number as usize).cloned().unwrap_or(Type::Open)
        }
        Type::Data(data_type, inner) => {
            Type::Data(*data_type, inner.iter().map(|one| substitute(one, arguments)).collect())
        }
        Type::Future(inner) => Type::Future(Box::new(substitute(inner, arguments))),
        other => other.clone(),
    }
}

/// What in a type cannot be made unknown, if anything.
pub(crate) fn cannot_be_unknown(model: &Model, value_type: &Type) -> Option<String> {
    let mut seen: Vec<Type> = Vec::new();
    let mut pending = vec![value_type.clone()];
    while let Some(one) = pending.pop() {
        if seen.contains(&one) || seen.len() > 1000 {
            continue;
        }
        match &one {
            Type::Float => return Some("Float".to_owned()),
            Type::Destiny => return Some("Destiny".to_owned()),
            Type::Future(inner) => pending.push((**inner).clone()),
            Type::Data(DataTypeId::BOOL | DataTypeId::UNIT | DataTypeId::EXCEPTION, _) => {}
            Type::Data(data_type, arguments) => {
                let shape = model.data_type(*data_type);
                if shape.constructors.is_empty() {
                    return Some(shape.name.to_string());
                }
                for &constructor in &shape.constructors {
                    let declared = &model.constructor(constructor).arguments;
                    // A type too large for a model is one that grows with each level of the data: what it is made of
                    // was looked at in smaller ones.
                    pending.extend(declared.iter().filter_map(|one| instance(one, arguments)));
                }
            }
            _ => {}
        }
        seen.push(one);
    }
    None
}
