//! Z3 as a [`Solver`] and as a [`GrowingSolver`], in this process.
//!
//! Problem: Z3 is fast but a foreign program: it can run for ever, and a wrong model would become a false
//! alarm. Idea: every query has a limit of time and a limit of Z3's own count of work, and every model is
//! evaluated against the constraints before anybody sees it. The limit of work gives the same answer on
//! every machine and should be the one that is hit; the limit of time is there for work Z3 does not count.
//!
//! Z3's default strategy spends ten milliseconds on setting itself up, its plain core a third of one. So a
//! query goes to the core first, with a small budget; if that was not enough, small numbers are tried, and
//! then the default strategy gets the query.
//!
//! Invariant: a model that does not satisfy the constraints is reported as unknown, loudly, and never
//! trusted. Queries of [`Z3`] are independent: each starts from an empty solver. [`GrowingZ3`] never forgets.
//!
//! Cost: a few hundred microseconds for a small query, most of it Z3's set-up. Translations survive
//! between queries. Z3 does not watch its limits while it takes in a formula, which for deep terms takes
//! more than linear time and stack, so terms deeper than [`Limits::depth`] are refused.

use crate::evaluate::Memo;
use crate::few_values;
use crate::model::Model;
use crate::node::Term;
use crate::solver::{Answer, GrowingSolver, Solver};
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
        Limits { time: Duration::from_secs(5), work: Some(8_000_000), depth: 10_000 }
    }
}

/// What the core may spend before the default strategy gets the query. The core does not count all of
/// its work, and is late to notice the time when terms are deep.
const CORE: Limits = Limits { time: Duration::from_millis(250), work: Some(500_000), depth: 500 };

/// The solver Z3. It belongs to the thread it was made on.
pub struct Z3 {
    limits: Limits,
    core: z3::Solver,
    strategy: z3::Solver,
    translator: Translator,
}

impl Z3 {
    /// With the default limits: five seconds a query.
    pub fn new() -> Z3 {
        Z3::with_limits(Limits::default())
    }

    /// With a limit of time and the other limits as usual.
    pub fn with_time(time: Duration) -> Z3 {
        Z3::with_limits(Limits { time, ..Limits::default() })
    }

    /// With these limits for each query.
    pub fn with_limits(limits: Limits) -> Z3 {
        let core = z3::Tactic::new("smt").solver();
        let core_time = CORE.time.min(limits.time / 2);
        core.set_params(&parameters(core_time, limits.work.min(CORE.work).or(CORE.work)));
        let strategy = z3::Solver::new();
        strategy.set_params(&parameters(limits.time - core_time, limits.work));
        Z3 { limits, core, strategy, translator: Translator::default() }
    }

    /// The limits of each query.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Solver for Z3 {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let deepest = constraints.iter().map(|&term| terms.depth(term)).max().unwrap_or(0);
        if deepest > self.limits.depth {
            let limit = self.limits.depth;
            return Answer::Unknown(format!(
                "z3: a term is {deepest} levels deep, and the limit is {limit}"
            ));
        }
        if deepest <= CORE.depth {
            let answer = run(&self.core, &mut self.translator, terms, constraints);
            if !matches!(answer, Answer::Unknown(_)) {
                return answer;
            }
            if let Some(model) = few_values::guess(terms, constraints) {
                return verified(terms, constraints, model);
            }
        }
        run(&self.strategy, &mut self.translator, terms, constraints)
    }

    fn name(&self) -> &str {
        "z3"
    }
}

/// A Z3 that is given more and more constraints. It belongs to the thread it was made on.
pub struct GrowingZ3 {
    solver: z3::Solver,
    translator: Translator,
}

impl GrowingZ3 {
    /// Without constraints; each question may take so long.
    pub fn new(time: Duration) -> GrowingZ3 {
        // Pushing puts Z3 into the mode in which it keeps what it has learnt, and spares its default
        // strategy the ten milliseconds that it takes to set itself up.
        let solver = z3::Solver::new();
        solver.push();
        solver.set_params(&parameters(time, None));
        GrowingZ3 { solver, translator: Translator::default() }
    }
}

impl GrowingSolver for GrowingZ3 {
    fn add(&mut self, terms: &Terms, constraint: Term) {
        self.solver.assert(self.translator.condition(terms, constraint));
    }

    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        ask(&self.solver, &mut self.translator, terms, constraints)
    }
}

/// Asks one of Z3's solvers about these constraints and no others.
fn run(
    solver: &z3::Solver,
    translator: &mut Translator,
    terms: &Terms,
    constraints: &[Term],
) -> Answer {
    solver.reset();
    for &constraint in constraints {
        solver.assert(translator.condition(terms, constraint));
    }
    ask(solver, translator, terms, constraints)
}

/// Asks one of Z3's solvers, which has been given these constraints.
fn ask(
    solver: &z3::Solver,
    translator: &mut Translator,
    terms: &Terms,
    constraints: &[Term],
) -> Answer {
    match solver.check() {
        z3::SatResult::Unsat => Answer::Unsat,
        z3::SatResult::Unknown => {
            let reason = solver.get_reason_unknown();
            Answer::Unknown(format!("z3: {}", reason.as_deref().unwrap_or("no reason given")))
        }
        z3::SatResult::Sat => match read_model(solver, translator, terms, constraints) {
            Some(model) => verified(terms, constraints, model),
            None => Answer::Unknown("z3: says Sat but gives no readable model".to_string()),
        },
    }
}

/// The values Z3 found for the inputs of the constraints.
fn read_model(
    solver: &z3::Solver,
    translator: &mut Translator,
    terms: &Terms,
    constraints: &[Term],
) -> Option<Model> {
    let found = solver.get_model()?;
    let mut model = Model::new();
    for &constraint in constraints {
        for variable in terms.inputs_of(constraint) {
            if model.get(variable.name()).is_some() {
                continue;
            }
            let value = match translator.translate(terms, variable.term()) {
                Translated::Bool(a) => Value::Bool(found.eval(&a, true)?.as_bool()?),
                Translated::Bits(a) => {
                    Value::bits(found.eval(&a, true)?.as_u64()?, terms.width(variable.term()))
                }
                Translated::Int(a) => Value::Int(read_integer(&found.eval(&a, true)?)?),
            };
            model.set(variable.name(), value);
        }
    }
    Some(model)
}

fn parameters(time: Duration, work: Option<u32>) -> z3::Params {
    let mut parameters = z3::Params::new();
    // Signals are for the whole program: the solver would take Ctrl-C for itself while it works, and nobody else would know.
    parameters.set_bool("ctrl_c", false);
    let milliseconds = u32::try_from(time.as_millis()).unwrap_or(u32::MAX - 1);
    parameters.set_u32("timeout", milliseconds.max(1));
    if let Some(work) = work {
        parameters.set_u32("rlimit", work);
    }
    parameters
}

/// The model, if it satisfies the constraints by our own evaluation.
fn verified(terms: &Terms, constraints: &[Term], model: Model) -> Answer {
    let mut memo = Memo::default();
    let violated = constraints.iter().find(|&&constraint| {
        terms.evaluate_with(constraint, &model, &mut memo) != Value::Bool(true)
    });
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
    match text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        Some(magnitude) => magnitude.parse().ok().map(|value: BigInt| -value),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    fn sat(answer: Answer) -> Model {
        match answer {
            Answer::Sat(model) => model,
            other => panic!("satisfiable, but the answer is {other:?}"),
        }
    }

    /// Example 2 of the thesis on threads: reachable only because the product overflows.
    #[test]
    fn overflow_makes_the_second_example_reachable() {
        let terms = Terms::new();
        let [x, y] = ["input1", "input2"].map(|name| terms.input(name, Sort::Bits(32)));
        let k = |value: u64| terms.bits(value, 32);
        let constraints = [
            terms.sgt(x, y),
            terms.eq(terms.mul(x, y), k(1452)),
            terms.eq(terms.sdiv(x, k(2)), k(5)),
        ];
        let model = sat(Z3::new().check(&terms, &constraints));
        let value = |name| model.get(name).and_then(Value::as_i64).unwrap() as i32;
        let (x, y) = (value("input1"), value("input2"));
        assert!(x > y && x.wrapping_mul(y) == 1452 && x / 2 == 5, "{model}");
        let known: Model =
            [("input1", Value::bits(10, 32)), ("input2", Value::bits(-858_993_314i64 as u64, 32))]
                .into_iter()
                .collect();
        assert!(matches!(verified(&terms, &constraints, known), Answer::Sat(_)));
    }

    #[test]
    fn the_second_example_is_unreachable_without_overflow() {
        let terms = Terms::new();
        let [x, y] = ["input1", "input2"].map(|name| terms.input(name, Sort::Int));
        let constraints = [
            terms.int_gt(x, y),
            terms.eq(terms.int_mul(x, y), terms.int(1452)),
            terms.eq(terms.int_div_trunc(x, terms.int(2)), terms.int(5)),
        ];
        assert_eq!(Z3::new().check(&terms, &constraints), Answer::Unsat);
    }

    #[test]
    fn large_integers_are_read_back() {
        let terms = Terms::new();
        let x = terms.input("x", Sort::Int);
        let huge = BigInt::from(10).pow(30);
        for bound in [huge.clone(), -huge] {
            let limit = terms.int(bound.clone());
            let constraints =
                [terms.int_lt(limit, x), terms.int_lt(x, terms.int(bound.clone() + 2))];
            let model = sat(Z3::new().check(&terms, &constraints));
            assert_eq!(model.get("x"), Some(&Value::Int(bound + 1)));
        }
    }

    #[test]
    fn running_out_of_time_is_unknown() {
        let terms = Terms::new();
        let [p, q] = ["p", "q"].map(|name| terms.input(name, Sort::Bits(64)));
        // A product of two primes below 2^32, without overflow and without the trivial factors.
        let product = terms.bits(2_654_435_761 * 3_266_489_917, 64);
        let small = |x| terms.ult(x, terms.bits(1 << 32, 64));
        let order = terms.ult(p, q);
        let modulo = terms.eq(terms.urem(product, p), terms.bits(0, 64));
        let constraints = [
            small(p),
            small(q),
            order,
            modulo,
            terms.ugt(p, terms.bits(1, 64)),
            terms.eq(terms.mul(p, q), product),
        ];
        let mut z3 = Z3::with_time(Duration::from_millis(50));
        let answer = z3.check(&terms, &constraints);
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
        // The same solver still works.
        assert!(matches!(z3.check(&terms, &constraints[2..3]), Answer::Sat(_)));
    }

    #[test]
    fn running_out_of_work_is_unknown() {
        let terms = Terms::new();
        let [i, j, k] = ["i", "j", "k"].map(|name| terms.input(name, Sort::Int));
        let cube = |x| terms.int_mul(x, terms.int_mul(x, x));
        let sum = terms.int_add(cube(i), terms.int_add(cube(j), cube(k)));
        let limits = Limits { work: Some(200_000), ..Limits::default() };
        let answer = Z3::with_limits(limits).check(&terms, &[terms.eq(sum, terms.int(114))]);
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    }

    #[test]
    fn a_wrong_model_is_never_trusted() {
        let terms = Terms::new();
        let x = terms.input("x", Sort::Bits(8));
        let constraint = terms.eq(x, terms.bits(3, 8));
        let Answer::Unknown(reason) = verified(&terms, &[constraint], Model::new()) else {
            panic!("zero is not three");
        };
        assert!(reason.contains("INTERNAL ERROR") && reason.contains("x == 3"), "{reason}");
    }

    #[test]
    fn a_name_with_two_sorts_in_one_query_is_not_answered_wrongly() {
        let terms = Terms::new();
        let number = terms.input("x", Sort::Int);
        let flag = terms.input("x", Sort::Bool);
        let constraints = [terms.eq(number, terms.int(3)), flag];
        let answer = Z3::new().check(&terms, &constraints);
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    }

    #[test]
    fn one_solver_serves_several_stores() {
        let mut z3 = Z3::new();
        for value in [3, 5] {
            let terms = Terms::new();
            let x = terms.input("x", Sort::Int);
            let model = sat(z3.check(&terms, &[terms.eq(x, terms.int(value))]));
            assert_eq!(model.get("x"), Some(&Value::int(value)));
        }
    }
}
