//! Formulas over the global state: values of shared variables, and where processes stand.
//!
//! ```text
//! formula    = conjunction { "||" conjunction }
//! conjunction = literal { "&&" literal }
//! literal    = "!" literal | "(" formula ")" | comparison | "thread" path "at" line
//! comparison = sum ("==" | "!=" | "<" | "<=" | ">" | ">=") sum
//! sum        = product { ("+" | "-") product }
//! product    = value { "*" value }
//! value      = number | name | "-" value | "(" sum ")"
//! ```
//!
//! A name is that of a location as the front end gives it, such as `i` or `a[3]`. Numbers are 64 bits
//! wide and wrap around. A formula is evaluated in three values, as some names may be unknown yet.

use counterpoint_model::Location;

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
    /// The process with this path is about to do what stands in this line.
    At(String, u32),
}

/// A number computed from shared variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// The value of a location.
    Value(Location),
    /// A constant.
    Number(i64),
    /// A sum.
    Sum(Box<Expression>, Box<Expression>),
    /// A difference.
    Difference(Box<Expression>, Box<Expression>),
    /// A product.
    Product(Box<Expression>, Box<Expression>),
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

/// What is wrong with the text of a formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: {what}")]
pub struct FormulaError {
    /// Where, from 1.
    pub column: usize,
    /// What is wrong and what would be right.
    pub what: String,
}

/// What is known about a global state.
pub(super) trait Knowledge {
    /// The value of a location, if it is known.
    fn value(&self, location: Location) -> Option<i64>;
    /// Whether the process is at the line, if that is known.
    fn is_at(&self, process: &str, line: u32) -> Option<bool>;
}

impl Formula {
    /// Reads a formula. `locate` knows the names of locations.
    pub fn parse(
        text: &str,
        locate: &dyn Fn(&str) -> Option<Location>,
    ) -> Result<Formula, FormulaError> {
        let mut parser = Parser { text, position: 0, depth: 0, locate };
        let formula = parser.formula()?;
        parser.skip_spaces();
        if parser.position < text.len() {
            return Err(
                parser.error("the formula ends here, but more follows; join parts by && or ||")
            );
        }
        Ok(formula)
    }

    /// Whether it holds, as far as is known.
    pub(super) fn evaluate(&self, known: &dyn Knowledge) -> Option<bool> {
        match self {
            Formula::Any(parts) => {
                let mut unknown = false;
                for part in parts {
                    match part.evaluate(known) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => unknown = true,
                    }
                }
                (!unknown).then_some(false)
            }
            Formula::All(parts) => {
                let mut unknown = false;
                for part in parts {
                    match part.evaluate(known) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => unknown = true,
                    }
                }
                (!unknown).then_some(true)
            }
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
            Formula::At(process, line) => known.is_at(process, *line),
        }
    }

    /// The locations and the paths of processes in it.
    pub(super) fn names(&self, locations: &mut Vec<Location>, processes: &mut Vec<String>) {
        match self {
            Formula::Any(parts) | Formula::All(parts) => {
                parts.iter().for_each(|part| part.names(locations, processes));
            }
            Formula::Not(part) => part.names(locations, processes),
            Formula::Compare(left, _, right) => {
                left.names(locations);
                right.names(locations);
            }
            Formula::At(process, _) => {
                if !processes.contains(process) {
                    processes.push(process.clone());
                }
            }
        }
    }
}

impl Expression {
    fn evaluate(&self, known: &dyn Knowledge) -> Option<i64> {
        Some(match self {
            Expression::Value(location) => known.value(*location)?,
            Expression::Number(number) => *number,
            Expression::Sum(a, b) => a.evaluate(known)?.wrapping_add(b.evaluate(known)?),
            Expression::Difference(a, b) => a.evaluate(known)?.wrapping_sub(b.evaluate(known)?),
            Expression::Product(a, b) => a.evaluate(known)?.wrapping_mul(b.evaluate(known)?),
        })
    }

    fn names(&self, locations: &mut Vec<Location>) {
        match self {
            Expression::Value(location) => {
                if !locations.contains(location) {
                    locations.push(*location);
                }
            }
            Expression::Number(_) => {}
            Expression::Sum(a, b) | Expression::Difference(a, b) | Expression::Product(a, b) => {
                a.names(locations);
                b.names(locations);
            }
        }
    }
}

/// How deeply parentheses and signs may be nested.
const DEEPEST: u32 = 12;

struct Parser<'t> {
    text: &'t str,
    position: usize,
    depth: u32,
    locate: &'t dyn Fn(&str) -> Option<Location>,
}

impl<'t> Parser<'t> {
    fn formula(&mut self) -> Result<Formula, FormulaError> {
        let mut parts = vec![self.conjunction()?];
        while self.take("||") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::Any(parts) })
    }

    fn conjunction(&mut self) -> Result<Formula, FormulaError> {
        let mut parts = vec![self.literal()?];
        while self.take("&&") {
            parts.push(self.literal()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::All(parts) })
    }

    fn literal(&mut self) -> Result<Formula, FormulaError> {
        let start = self.position;
        if self.take("!") {
            self.deeper()?;
            let negated = self.literal();
            self.depth -= 1;
            return Ok(Formula::Not(Box::new(negated?)));
        }
        if self.take("(") {
            // A parenthesis begins a formula or a sum; the first is tried first.
            self.deeper()?;
            let formula = self.formula();
            self.depth -= 1;
            if let Ok(formula) = formula
                && self.take(")")
                && !self.is_at_operator()
            {
                return Ok(formula);
            }
            self.position = start;
        }
        if self.word("thread") {
            let process = self.name_while(|c| c.is_ascii_digit() || c == '.');
            if process.is_empty() || !self.word("at") {
                return Err(
                    self.error("here belongs a process and a line, as in `thread 0.1 at 12`")
                );
            }
            let line = self.name_while(|c| c.is_ascii_digit());
            let line = line.parse().map_err(|_| self.error("here belongs a line number"))?;
            return Ok(Formula::At(process.to_owned(), line));
        }
        let left = self.sum()?;
        let relation = self.relation()?;
        Ok(Formula::Compare(left, relation, self.sum()?))
    }

    fn relation(&mut self) -> Result<Relation, FormulaError> {
        const RELATIONS: [(&str, Relation); 6] = [
            ("==", Relation::Equal),
            ("!=", Relation::Different),
            ("<=", Relation::AtMost),
            (">=", Relation::AtLeast),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ];
        let found = RELATIONS.iter().find(|(sign, _)| self.take(sign));
        found
            .map(|(_, relation)| *relation)
            .ok_or_else(|| self.error("here belongs a comparison: ==, !=, <, <=, > or >="))
    }

    fn sum(&mut self) -> Result<Expression, FormulaError> {
        let mut sum = self.product()?;
        loop {
            if self.take("+") {
                sum = Expression::Sum(Box::new(sum), Box::new(self.product()?));
            } else if self.take("-") {
                sum = Expression::Difference(Box::new(sum), Box::new(self.product()?));
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Expression, FormulaError> {
        let mut product = self.value()?;
        while self.take("*") {
            product = Expression::Product(Box::new(product), Box::new(self.value()?));
        }
        Ok(product)
    }

    fn value(&mut self) -> Result<Expression, FormulaError> {
        if self.take("-") {
            self.deeper()?;
            let negated = self.value();
            self.depth -= 1;
            let zero = Box::new(Expression::Number(0));
            return Ok(Expression::Difference(zero, Box::new(negated?)));
        }
        if self.take("(") {
            self.deeper()?;
            let sum = self.sum();
            self.depth -= 1;
            let sum = sum?;
            return if self.take(")") { Ok(sum) } else { Err(self.error("here belongs a )")) };
        }
        self.skip_spaces();
        let start = self.position;
        let name = self.name_while(|c| c.is_alphanumeric() || "_.[]$".contains(c));
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            let number = name.parse().map(Expression::Number);
            return number.map_err(|_| self.error_at(start, "this is no number of 64 bits"));
        }
        if name.is_empty() {
            return Err(self.error("here belongs a number or the name of a shared variable"));
        }
        let location = (self.locate)(name).map(Expression::Value);
        let what = format!("there is no shared variable `{name}`");
        location.ok_or_else(|| self.error_at(start, &what))
    }

    /// Going back over parentheses doubles the work at each level, so there are few.
    fn deeper(&mut self) -> Result<(), FormulaError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the formula is nested too deeply here"));
        }
        Ok(())
    }

    fn is_at_operator(&mut self) -> bool {
        self.skip_spaces();
        let rest = &self.text[self.position..];
        ["==", "!=", "<", ">", "+", "-", "*"].iter().any(|sign| rest.starts_with(sign))
    }

    fn word(&mut self, word: &str) -> bool {
        self.skip_spaces();
        let rest = &self.text[self.position..];
        let ends = rest.strip_prefix(word).is_some_and(|r| r.starts_with(char::is_whitespace));
        if ends {
            self.position += word.len();
        }
        ends
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip_spaces();
        let rest = &self.text[self.position..];
        // `!` is no negation in front of `=`.
        let found = rest.starts_with(sign) && !(sign == "!" && rest.starts_with("!="));
        if found {
            self.position += sign.len();
        }
        found
    }

    fn name_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        self.skip_spaces();
        let rest = &self.text[self.position..];
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
    }

    fn error(&self, what: &str) -> FormulaError {
        self.error_at(self.position, what)
    }

    fn error_at(&self, position: usize, what: &str) -> FormulaError {
        let column = self.text[..position].chars().count() + 1;
        FormulaError { column, what: what.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Values<'v>(&'v [Option<i64>]);

    impl Knowledge for Values<'_> {
        fn value(&self, location: Location) -> Option<i64> {
            self.0.get(location.index()).copied().flatten()
        }

        fn is_at(&self, process: &str, line: u32) -> Option<bool> {
            Some(process == "0.1" && line == 7)
        }
    }

    fn locate(name: &str) -> Option<Location> {
        ["x", "y", "a[0]"].iter().position(|known| *known == name).map(|n| Location(n as u32))
    }

    #[test]
    fn formulas_are_read_and_evaluated_in_three_values() {
        let known = [Some(3), None, Some(-4)];
        let rows = [
            ("x == 3", Some(true)),
            ("x + 1 * 2 >= 6", Some(false)),
            ("(x + 1) * 2 >= 6 && a[0] < 0", Some(true)),
            ("y > 0", None),
            ("y > 0 || x != 4", Some(true)),
            ("y > 0 && x == 4", Some(false)),
            ("!(x == 3 || y == 0)", Some(false)),
            ("-a[0] - 4 == 0", Some(true)),
            ("thread 0.1 at 7 && !thread 0 at 7", Some(true)),
        ];
        for (text, expected) in rows {
            let formula = Formula::parse(text, &locate).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(formula.evaluate(&Values(&known)), expected, "{text}");
        }
    }

    #[test]
    fn every_cut_and_every_misspelling_is_an_error_with_a_column() {
        let text = "x == 3 && (y + 1) * 2 < 4";
        for end in 0..text.len() {
            let cut = &text[..end];
            if let Ok(formula) = Formula::parse(cut, &locate) {
                assert!(["x == 3", "x == 3 "].contains(&cut), "{cut}: {formula:?}");
            }
        }
        let column = |text| Formula::parse(text, &locate).unwrap_err().column;
        assert_eq!(column("x == z"), 6);
        assert_eq!(column("x = 3"), 3);
        assert_eq!(column("x == 3 y"), 8);
        assert_eq!(column("x == 99999999999999999999"), 6);
        assert_eq!(column("thread 0.1 in 7"), 12);
        assert_eq!(column("ä == 1"), 1);
        assert!(Formula::parse(&"(".repeat(100_000), &locate).is_err());
        assert!(Formula::parse(&"!".repeat(100_000), &locate).is_err());
        assert!(Formula::parse(&"-".repeat(100_000), &locate).is_err());
    }
}
