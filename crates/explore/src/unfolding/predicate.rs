//! Reading formulas from text.
//!
//! ```text
//! formula    = conjunction { "||" conjunction }
//! conjunction = comparison { "&&" comparison }
//! comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//! sum        = product { ("+" | "-") product }
//! product    = value { ("*" | "/" | "%") value }
//! value      = number | "true" | "false" | "null" | variable | "(" formula ")" | "-" value | "!" value
//!            | "at" "(" process "," [ file ":" ] line ")"
//! ```
//!
//! Numbers and conditions are told apart after reading, so that a parenthesis needs no guessing; a
//! variable used as a condition means that it is not zero. What names mean is the business of a
//! [`Vocabulary`].
//!
//! **Invariant.** Any text gives a formula or an error with the column of what is wrong.

use super::formula::{Arithmetic, Expression, Formula, Relation, Spot};
use super::vocabulary::Vocabulary;

/// What is wrong with the text of a formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: {what}")]
pub struct FormulaError {
    /// Where, from 1, counted in characters.
    pub column: usize,
    /// What is wrong and what would be right.
    pub what: String,
}

impl Formula {
    /// Reads a formula over these names.
    pub fn parse(text: &str, names: &Vocabulary) -> Result<Formula, FormulaError> {
        let mut parser = Parser { text, position: 0, depth: 0, names };
        let formula = parser.formula()?;
        parser.skip_spaces();
        if parser.position < text.len() {
            return Err(
                parser.error("the formula ends here, but more follows; join parts by && or ||")
            );
        }
        parser.truth(formula)
    }
}

/// How deeply parentheses and signs may be nested.
const DEEPEST: u32 = 100;

/// Something read, and where it began.
struct Parsed {
    start: usize,
    what: What,
}

enum What {
    Truth(Formula),
    Number(Expression),
}

struct Parser<'t> {
    text: &'t str,
    position: usize,
    depth: u32,
    names: &'t Vocabulary,
}

type Read<T> = Result<T, FormulaError>;

impl<'t> Parser<'t> {
    fn formula(&mut self) -> Read<Parsed> {
        self.joined("||", Formula::Any, Parser::conjunction)
    }

    fn conjunction(&mut self) -> Read<Parsed> {
        self.joined("&&", Formula::All, Parser::comparison)
    }

    fn joined(
        &mut self,
        sign: &str,
        join: fn(Vec<Formula>) -> Formula,
        read: fn(&mut Parser<'t>) -> Read<Parsed>,
    ) -> Read<Parsed> {
        let first = read(self)?;
        if !self.take(sign) {
            return Ok(first);
        }
        let start = first.start;
        let mut parts = vec![self.truth(first)?];
        loop {
            let next = read(self)?;
            parts.push(self.truth(next)?);
            if !self.take(sign) {
                return Ok(Parsed { start, what: What::Truth(join(parts)) });
            }
        }
    }

    fn comparison(&mut self) -> Read<Parsed> {
        const RELATIONS: [(&str, Relation); 6] = [
            ("==", Relation::Equal),
            ("!=", Relation::Different),
            ("<=", Relation::AtMost),
            (">=", Relation::AtLeast),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ];
        let left = self.sum()?;
        let Some(&(_, relation)) = RELATIONS.iter().find(|(sign, _)| self.take(sign)) else {
            if self.take("=") {
                self.position -= 1;
                return Err(self.error("= does not compare: write == for equality"));
            }
            return Ok(left);
        };
        let start = left.start;
        let left = self.number(left)?;
        let right = self.sum()?;
        let right = self.number(right)?;
        Ok(Parsed { start, what: What::Truth(Formula::Compare(left, relation, right)) })
    }

    fn sum(&mut self) -> Read<Parsed> {
        let signs = [("+", Arithmetic::Sum), ("-", Arithmetic::Difference)];
        self.combined(&signs, Parser::product)
    }

    fn product(&mut self) -> Read<Parsed> {
        let signs =
            [("*", Arithmetic::Product), ("/", Arithmetic::Quotient), ("%", Arithmetic::Remainder)];
        self.combined(&signs, Parser::value)
    }

    fn combined(
        &mut self,
        signs: &[(&str, Arithmetic)],
        read: fn(&mut Parser<'t>) -> Read<Parsed>,
    ) -> Read<Parsed> {
        let mut left = read(self)?;
        while let Some(&(_, how)) = signs.iter().find(|(sign, _)| self.take(sign)) {
            let start = left.start;
            let one = self.number(left)?;
            let other = read(self)?;
            let other = self.number(other)?;
            let what = What::Number(Expression::Combined(how, Box::new(one), Box::new(other)));
            left = Parsed { start, what };
        }
        Ok(left)
    }

    fn value(&mut self) -> Read<Parsed> {
        self.skip_spaces();
        let start = self.position;
        if self.take("!") {
            let negated = self.nested(Parser::value)?;
            let negated = Box::new(self.truth(negated)?);
            return Ok(Parsed { start, what: What::Truth(Formula::Not(negated)) });
        }
        if self.take("-") {
            let negated = self.nested(Parser::value)?;
            let negated = Box::new(self.number(negated)?);
            let zero = Box::new(Expression::Number(0));
            let what = What::Number(Expression::Combined(Arithmetic::Difference, zero, negated));
            return Ok(Parsed { start, what });
        }
        if self.take("(") {
            let inner = self.nested(Parser::formula)?;
            return if self.take(")") {
                Ok(Parsed { start, ..inner })
            } else {
                Err(self.error("expected )"))
            };
        }
        let name = self.name_while(|c| c.is_alphanumeric() || "_.[]$@#:".contains(c));
        if name == "at" && self.take("(") {
            let what = What::Truth(self.thread_at_line()?);
            return Ok(Parsed { start, what });
        }
        let number = match name {
            "true" => Expression::Number(1),
            "false" | "null" => Expression::Number(0),
            "" => {
                let what = "expected a number, a shared variable or at(THREAD, LINE)";
                return Err(self.error(what));
            }
            digits if digits.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = digits.parse().map_err(|_| {
                    self.error_at(start, "expected a whole number of at most 64 bits")
                });
                Expression::Number(number?)
            }
            name => {
                let found = self.names.variable(name);
                Expression::Value(found.map_err(|what| self.error_at(start, &what))?)
            }
        };
        Ok(Parsed { start, what: What::Number(number) })
    }

    /// The rest of `at(PROCESS, FILE:LINE)` after the parenthesis.
    fn thread_at_line(&mut self) -> Read<Formula> {
        self.skip_spaces();
        let start = self.position;
        let process = self.name_while(|c| c != ',' && c != ')').trim_end();
        if process.is_empty() || !self.take(",") {
            return Err(self.error("expected a thread and a line, as in at(main, File.java:12)"));
        }
        let process = self.names.process(process).map_err(|what| self.error_at(start, &what))?;
        self.skip_spaces();
        let start = self.position;
        let place = self.name_while(|c| c != ')').trim_end();
        let (file, line) = match place.rsplit_once(':') {
            Some((file, line)) => (Some(file.trim().to_owned()), line.trim()),
            None => (None, place),
        };
        let line: u32 = line
            .parse()
            .map_err(|_| self.error_at(start, "expected a line, as in 12 or File.java:12"))?;
        if !self.take(")") {
            return Err(self.error("expected )"));
        }
        Ok(Formula::At(process, Spot { file, line }))
    }

    fn truth(&self, parsed: Parsed) -> Read<Formula> {
        match parsed.what {
            What::Truth(formula) => Ok(formula),
            What::Number(value @ Expression::Value(_)) => {
                Ok(Formula::Compare(value, Relation::Different, Expression::Number(0)))
            }
            What::Number(Expression::Number(number @ (0 | 1))) => {
                let (one, other) = (Expression::Number(number), Expression::Number(1));
                Ok(Formula::Compare(one, Relation::Equal, other))
            }
            What::Number(_) => Err(self.error_at(
                parsed.start,
                "expected a condition, found a number: compare it by ==, !=, <, <=, > or >=",
            )),
        }
    }

    fn number(&self, parsed: Parsed) -> Read<Expression> {
        match parsed.what {
            What::Number(expression) => Ok(expression),
            What::Truth(_) => {
                Err(self.error_at(parsed.start, "expected a number, found a condition"))
            }
        }
    }

    fn nested(&mut self, read: fn(&mut Parser<'t>) -> Read<Parsed>) -> Read<Parsed> {
        if self.depth >= DEEPEST {
            return Err(self.error("the formula is nested too deeply here"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
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
    use counterpoint_model::{Location, Pid};

    use super::super::formula::Knowledge;
    use super::*;

    struct Values<'v>(&'v [Option<i64>]);

    impl Knowledge for Values<'_> {
        fn value(&self, location: Location) -> Option<i64> {
            self.0.get(location.index()).copied().flatten()
        }

        fn is_at(&self, process: Pid, spot: &Spot) -> Option<bool> {
            Some(process == Pid(1) && spot.line == 7)
        }
    }

    fn names() -> Vocabulary {
        let variable = |(number, name): (u32, &str)| (name.to_owned(), Location(number));
        Vocabulary {
            variables: (0..).zip(["x", "A.y", "a[0]", "A.z", "B.z"]).map(variable).collect(),
            processes: vec![("main".into(), Pid(0)), ("a worker".into(), Pid(1))],
        }
    }

    #[test]
    fn formulas_are_read_and_evaluated_in_three_values() {
        let known = [Some(3), None, Some(-4), Some(0)];
        let rows = [
            ("x == 3", Some(true)),
            ("x + 1 * 2 >= 6", Some(false)),
            ("(x + 1) * 2 >= 6 && a[0] < 0", Some(true)),
            ("((((((((((((((((x)))))))))))))))) == 3", Some(true)),
            ("y > 0", None),
            ("A.y > 0 || x != 4", Some(true)),
            ("y > 0 && x == 4", Some(false)),
            ("!(x == 3 || y == 0)", Some(false)),
            ("-a[0] - 4 == 0", Some(true)),
            ("x && !A.z", Some(true)),
            ("A.z == false && A.z == null && true", Some(true)),
            ("x / 2 == 1 && a[0] % 3 == -1 && x / A.z == 0 && x % A.z == x", Some(true)),
            ("at(a worker, A.java:7) && !at(main,7)", Some(true)),
            ("at( 0.1 , 7 )", Some(true)),
        ];
        let mut names = names();
        names.processes.push(("0.1".into(), Pid(1)));
        for (text, expected) in rows {
            let formula = Formula::parse(text, &names).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(formula.evaluate(&Values(&known)), expected, "{text}");
        }
    }

    #[test]
    fn every_cut_and_every_misspelling_is_an_error_with_a_column() {
        let names = names();
        let text = "x == 3 && (y + 1) * 2 < 4 || at(main, A.java:7)";
        for end in 0..text.len() {
            let cut = &text[..end];
            if let Ok(formula) = Formula::parse(cut, &names) {
                let whole = ["x", "x == 3", "x == 3 && (y + 1) * 2 < 4"];
                assert!(whole.contains(&cut.trim_end()), "{cut}: {formula:?}");
            }
        }
        let rows = [
            ("x == q", 6),
            ("x = 3", 3),
            ("x == 3 y", 8),
            ("x == 99999999999999999999", 6),
            ("x == 1.5", 6),
            ("x + 1", 1),
            ("x == 1 && 7", 11),
            ("(x == 1) + 2 == 3", 1),
            ("x == (y > 1)", 6),
            ("z == 1", 1),
            ("at(nobody, 7)", 4),
            ("at(main, seven)", 10),
            ("at(main)", 8),
            ("at(main, 7", 11),
            ("ä == 1", 1),
            ("x == 1 && ä", 11),
        ];
        for (text, column) in rows {
            let error = Formula::parse(text, &names).expect_err(text);
            assert_eq!(error.column, column, "{text}: {error}");
        }
        for sign in ["(", "!", "-"] {
            assert!(Formula::parse(&sign.repeat(100_000), &names).is_err());
        }
    }
}
