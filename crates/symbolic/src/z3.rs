//! Z3 as a [`Solver`], in this process.
//!
//! Problem: Z3 is fast but a foreign program: it can run for ever, and a wrong model would become a false
//! alarm. Idea: every query has a limit of time and a limit of Z3's own count of work, and every model is
//! evaluated against the constraints before anybody sees it. The limit of work gives the same answer on
//! every machine and should be the one that is hit; the limit of time is there for work Z3 does not count.
//!
//! Invariant: a model that does not satisfy the constraints is reported as unknown, loudly, and never
//! trusted. Queries are independent: each starts from an empty solver.
//!
//! Cost: a few hundred microseconds for a small query, most of it Z3's set-up. Translations survive
//! between queries. Z3 walks some terms recursively, so terms deeper than [`Limits::depth`] are refused.

use crate::model::Model;
use crate::node::Term;
use crate::solver::{Answer, Solver};
use crate::terms::Terms;
use crate::translate::{Translated, Translator};
use crate::value::Value;
use num_bigint::BigInt;
use std::time::Duration;

/// How much one query may cost before the answer is unknown.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Z3's count of its own work, which does not depend on the machine; none if absent.
    pub work: Option<u32>,
    /// The deepest term that Z3 is given.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(5),
            work: Some(50_000_000),
            depth: 50_000,
        }
    }
}

/// The solver Z3. It belongs to the thread it was made on.
pub struct Z3 {
    limits: Limits,
    solver: z3::Solver,
    translator: Translator,
}

impl Z3 {
    /// With the default limits: five seconds a query.
    pub fn new() -> Z3 {
        Z3::with_limits(Limits::default())
    }

    /// With a limit of time and the other limits as usual.
    pub fn with_time(time: Duration) -> Z3 {
        Z3::with_limits(Limits {
            time,
            ..Limits::default()
        })
    }

    /// With these limits for each query.
    pub fn with_limits(limits: Limits) -> Z3 {
        let solver = z3::Solver::new();
        let mut parameters = z3::Params::new();
        let milliseconds = u32::try_from(limits.time.as_millis()).unwrap_or(u32::MAX - 1);
        parameters.set_u32("timeout", milliseconds.max(1));
        if let Some(work) = limits.work {
            parameters.set_u32("rlimit", work);
        }
        solver.set_params(&parameters);
        Z3 {
            limits,
            solver,
            translator: Translator::default(),
        }
    }

    /// The limits of each query.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The values Z3 found for the inputs of the constraints.
    fn read_model(&mut self, terms: &Terms, constraints: &[Term]) -> Option<Model> {
        let found = self.solver.get_model()?;
        let mut model = Model::new();
        for &constraint in constraints {
            for variable in terms.inputs_of(constraint) {
                if model.get(variable.name()).is_some() {
                    continue;
                }
                let value = match self.translator.translate(terms, variable.term()) {
                    Translated::Bool(a) => Value::Bool(found.eval(&a, true)?.as_bool()?),
                    Translated::Bits(a) => Value::bits(
                        found.eval(&a, true)?.as_u64()?,
                        terms.width(variable.term()),
                    ),
                    Translated::Int(a) => Value::Int(read_integer(&found.eval(&a, true)?)?),
                };
                model.set(variable.name(), value);
            }
        }
        Some(model)
    }
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Solver for Z3 {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let deepest = constraints
            .iter()
            .map(|&term| terms.depth(term))
            .max()
            .unwrap_or(0);
        if deepest > self.limits.depth {
            let limit = self.limits.depth;
            return Answer::Unknown(format!(
                "z3: a term is {deepest} levels deep, and the limit is {limit}"
            ));
        }
        self.solver.reset();
        for &constraint in constraints {
            let condition = self.translator.condition(terms, constraint);
            self.solver.assert(&condition);
        }
        match self.solver.check() {
            z3::SatResult::Unsat => Answer::Unsat,
            z3::SatResult::Unknown => {
                let reason = self.solver.get_reason_unknown();
                Answer::Unknown(format!(
                    "z3: {}",
                    reason.as_deref().unwrap_or("no reason given")
                ))
            }
            z3::SatResult::Sat => match self.read_model(terms, constraints) {
                Some(model) => verified(terms, constraints, model),
                None => Answer::Unknown("z3: says Sat but gives no readable model".to_string()),
            },
        }
    }

    fn name(&self) -> &str {
        "z3"
    }
}

/// The model, if it satisfies the constraints by our own evaluation.
fn verified(terms: &Terms, constraints: &[Term], model: Model) -> Answer {
    let violated = constraints
        .iter()
        .find(|&&constraint| terms.evaluate(constraint, &model) != Value::Bool(true));
    match violated {
        None => Answer::Sat(model),
        Some(&constraint) => Answer::Unknown(format!(
            "z3: INTERNAL ERROR: its model ({model}) does not satisfy {}",
            terms.display(constraint)
        )),
    }
}

/// Z3 writes negative numerals as `(- 5)`.
fn read_integer(numeral: &z3::ast::Int) -> Option<BigInt> {
    if let Some(small) = numeral.as_i64() {
        return Some(small.into());
    }
    let text = numeral.to_string();
    match text
        .strip_prefix("(- ")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(magnitude) => magnitude.parse().ok().map(|value: BigInt| -value),
        None => text.parse().ok(),
    }
}
