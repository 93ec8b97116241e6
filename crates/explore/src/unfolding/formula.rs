//! Formulas over the global state: values of shared variables, and where processes stand.
//!
//! Numbers are 64 bits wide and wrap around; division rounds towards zero, and a number divided by
//! zero is zero with the number itself as the remainder, as the solver has it. A formula is evaluated
//! in three values, as some names may be unknown yet. [`predicate`](super::predicate) reads formulas.

use counterpoint_model::{Location, Pid, Place};

/// A condition on a global state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// One of them holds.
    Any(Vec<Formula>),
    /// All of them hold.
    All(Vec<Formula>),
    /// It does not hold.
    Not(Box<Formula>),
    /// The values compare so.
    Compare(Expression, Relation, Expression),
    /// The process's next operation stands there.
    At(Pid, Spot),
}

/// A line of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The end of the file's path; any file if left out.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
}

impl Spot {
    /// Whether a place lies there.
    pub fn is(&self, place: &Place) -> bool {
        let named = |file: &String| {
            let rest = place.file.strip_suffix(file.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
        };
        self.line == place.line && self.file.as_ref().is_none_or(named)
    }
}

/// A number computed from shared variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// The value of a location.
    Value(Location),
    /// A constant.
    Number(i64),
    /// Two numbers combined.
    Combined(Arithmetic, Box<Expression>, Box<Expression>),
}

/// How two numbers are combined.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Sum,
    Difference,
    Product,
    Quotient,
    Remainder,
}

impl Arithmetic {
    fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Arithmetic::Sum => a.wrapping_add(b),
            Arithmetic::Difference => a.wrapping_sub(b),
            Arithmetic::Product => a.wrapping_mul(b),
            Arithmetic::Quotient if b == 0 => 0,
            Arithmetic::Quotient => a.wrapping_div(b),
            Arithmetic::Remainder if b == 0 => a,
            Arithmetic::Remainder => a.wrapping_rem(b),
        }
    }
}

/// How two numbers compare.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Relation {
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// What is known about a global state.
pub(super) trait Knowledge {
    /// The value of a location, if it is known.
    fn value(&self, location: Location) -> Option<i64>;
    /// Whether the process is there, if that is known.
    fn is_at(&self, process: Pid, spot: &Spot) -> Option<bool>;
}

impl Formula {
    /// Whether it holds, as far as is known.
    pub(super) fn evaluate(&self, known: &dyn Knowledge) -> Option<bool> {
        match self {
            Formula::Any(parts) => combine(parts, true, known),
            Formula::All(parts) => combine(parts, false, known),
            Formula::Not(part) => part.evaluate(known).map(|holds| !holds),
            Formula::Compare(left, relation, right) => {
                let (left, right) = (left.evaluate(known)?, right.evaluate(known)?);
                Some(match relation {
                    Relation::Equal => left == right,
                    Relation::Different => left != right,
                    Relation::Less => left < right,
                    Relation::AtMost => left <= right,
                    Relation::Greater => left > right,
                    Relation::AtLeast => left >= right,
                })
            }
            Formula::At(process, spot) => known.is_at(*process, spot),
        }
    }

    /// The locations in it, each once.
    pub fn locations(&self) -> Vec<Location> {
        let mut locations = Vec::new();
        self.visit(&mut |part| {
            if let Formula::Compare(left, _, right) = part {
                left.collect(&mut locations);
                right.collect(&mut locations);
            }
        });
        locations
    }

    /// The processes in it, each once.
    pub fn processes(&self) -> Vec<Pid> {
        let mut processes = Vec::new();
        self.visit(&mut |part| {
            if let Formula::At(process, _) = part
                && !processes.contains(process)
            {
                processes.push(*process);
            }
        });
        processes
    }

    /// The lines in it.
    pub fn spots(&self) -> Vec<(Pid, &Spot)> {
        let mut spots = Vec::new();
        self.visit(&mut |part| {
            if let Formula::At(process, spot) = part {
                spots.push((*process, spot));
            }
        });
        spots
    }

    /// The parts of which one has to hold.
    pub(super) fn disjuncts(&self) -> Vec<&Formula> {
        match self {
            Formula::Any(parts) => parts.iter().flat_map(Formula::disjuncts).collect(),
            other => vec![other],
        }
    }

    fn visit<'f>(&'f self, look: &mut dyn FnMut(&'f Formula)) {
        look(self);
        match self {
            Formula::Any(parts) | Formula::All(parts) => {
                parts.iter().for_each(|part| part.visit(look));
            }
            Formula::Not(part) => part.visit(look),
            Formula::Compare(..) | Formula::At(..) => {}
        }
    }
}

/// The truth of parts of which the first that is `decisive` decides.
fn combine(parts: &[Formula], decisive: bool, known: &dyn Knowledge) -> Option<bool> {
    let mut unknown = false;
    for part in parts {
        match part.evaluate(known) {
            Some(truth) if truth == decisive => return Some(decisive),
            Some(_) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(!decisive)
}

impl Expression {
    fn evaluate(&self, known: &dyn Knowledge) -> Option<i64> {
        Some(match self {
            Expression::Value(location) => known.value(*location)?,
            Expression::Number(number) => *number,
            Expression::Combined(how, a, b) => how.apply(a.evaluate(known)?, b.evaluate(known)?),
        })
    }

    fn collect(&self, locations: &mut Vec<Location>) {
        match self {
            Expression::Value(location) => {
                if !locations.contains(location) {
                    locations.push(*location);
                }
            }
            Expression::Number(_) => {}
            Expression::Combined(_, a, b) => {
                a.collect(locations);
                b.collect(locations);
            }
        }
    }
}
