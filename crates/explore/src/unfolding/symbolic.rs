//! Formulas as terms, where the values of variables depend on inputs.

use counterpoint_model::{Location, Pid, Reading, Run};
use counterpoint_symbolic::{Term, Terms};

use super::formula::{Arithmetic, Expression, Formula, Relation, Spot};

/// The width in which formulas are computed.
const WIDTH: u8 = 64;

/// What a formula's atoms are as terms.
pub(super) trait Atoms {
    /// The value of a location, as a bit vector of 64 bits.
    fn value(&mut self, location: Location) -> Result<Term, Location>;
    /// Whether a process stands there.
    fn is_at(&mut self, process: Pid, spot: &Spot) -> Term;
}

/// The formula as a Boolean term.
pub(super) fn translate(
    terms: &Terms,
    formula: &Formula,
    atoms: &mut dyn Atoms,
) -> Result<Term, Location> {
    Ok(match formula {
        Formula::Any(parts) => {
            let parts: Result<Vec<Term>, Location> =
                parts.iter().map(|part| translate(terms, part, atoms)).collect();
            terms.any(parts?)
        }
        Formula::All(parts) => {
            let parts: Result<Vec<Term>, Location> =
                parts.iter().map(|part| translate(terms, part, atoms)).collect();
            terms.all(parts?)
        }
        Formula::Not(part) => terms.not(translate(terms, part, atoms)?),
        Formula::Compare(left, relation, right) => {
            let (a, b) = (number(terms, left, atoms)?, number(terms, right, atoms)?);
            match relation {
                Relation::Equal => terms.eq(a, b),
                Relation::Different => terms.ne(a, b),
                Relation::Less => terms.slt(a, b),
                Relation::AtMost => terms.sle(a, b),
                Relation::Greater => terms.sgt(a, b),
                Relation::AtLeast => terms.sge(a, b),
            }
        }
        Formula::At(process, spot) => atoms.is_at(*process, spot),
    })
}

fn number(terms: &Terms, expression: &Expression, atoms: &mut dyn Atoms) -> Result<Term, Location> {
    Ok(match expression {
        Expression::Value(location) => atoms.value(*location)?,
        Expression::Number(number) => terms.bits(number.cast_unsigned(), WIDTH),
        Expression::Combined(how, a, b) => {
            let (a, b) = (number(terms, a, atoms)?, number(terms, b, atoms)?);
            let zero = terms.bits(0, WIDTH);
            match how {
                Arithmetic::Sum => terms.add(a, b),
                Arithmetic::Difference => terms.sub(a, b),
                Arithmetic::Product => terms.mul(a, b),
                Arithmetic::Quotient => terms.ite(terms.eq(b, zero), zero, terms.sdiv(a, b)),
                Arithmetic::Remainder => terms.ite(terms.eq(b, zero), a, terms.srem(a, b)),
            }
        }
    })
}

/// A value in the width of formulas.
pub(super) fn widen(terms: &Terms, reading: Reading) -> Term {
    match reading.term {
        None => terms.bits(reading.number.cast_unsigned(), WIDTH),
        Some(term) if terms.width(term) == WIDTH => term,
        Some(term) => terms.sign_extend(term, WIDTH),
    }
}

/// The condition on the inputs under which the formula holds in the state of a run; none if no
/// value depends on inputs, and the first variable without a number as an error.
pub(super) fn of_run(
    formula: &Formula,
    run: &dyn Run,
    at: &dyn Fn(Pid, &Spot) -> bool,
) -> Result<Option<Term>, Location> {
    let mut depends = false;
    for location in formula.locations() {
        depends |= run.reading(location).ok_or(location)?.term.is_some();
    }
    let Some(terms) = run.terms().filter(|_| depends) else { return Ok(None) };
    let mut atoms = AtomsOfRun { terms: &terms, run, at };
    translate(&terms, formula, &mut atoms).map(Some)
}

/// The atoms in the state of a run.
struct AtomsOfRun<'r> {
    terms: &'r Terms,
    run: &'r dyn Run,
    at: &'r dyn Fn(Pid, &Spot) -> bool,
}

impl Atoms for AtomsOfRun<'_> {
    fn value(&mut self, location: Location) -> Result<Term, Location> {
        Ok(widen(self.terms, self.run.reading(location).ok_or(location)?))
    }

    fn is_at(&mut self, process: Pid, spot: &Spot) -> Term {
        self.terms.bool((self.at)(process, spot))
    }
}
