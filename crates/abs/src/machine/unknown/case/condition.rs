//! The condition of a path in words: what was decided on the way, as a person would write it.

use std::rc::Rc;

use counterpoint_symbolic::{Feasible, Sort, Term, Value as Constant};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine::unknown::table::Kind;
use crate::machine::unknown::{Need, Unknowns};
use crate::machine::value::ObjectId;

use super::least::MOST_UNKNOWN;
use super::writer::Writer;

impl Writer<'_, '_> {
    /// What was decided, in words, without what follows from the types alone.
    pub(super) fn condition(&self) -> (Vec<String>, Vec<(u32, String)>) {
        let Some(unknowns) = self.unknowns() else { return (Vec::new(), Vec::new()) };
        let fixed = self.fixed(unknowns);
        let mut parts: Vec<String> = Vec::new();
        let mut steps: Vec<(u32, String)> = Vec::new();
        for decision in &unknowns.decisions {
            let alternative = decision.alternative as usize;
            let part = match decision.need {
                Need::Condition(condition) | Need::Amount(condition) => {
                    let term = match alternative {
                        1 => condition,
                        _ => unknowns.terms().not(condition),
                    };
                    let terms = unknowns.terms();
                    let text = self.readable(&terms.exact_text(term));
                    // Of integers the store keeps one of two ways to say it; people write the other one.
                    let text = match terms.is_about_fractions(term) {
                        true => text,
                        false => above_or_not(text),
                    };
                    // Parts are put together by `&&`.
                    let text = if has_or(&text) { format!("({text})") } else { text };
                    let inputs = unknowns.terms().inputs_of(condition);
                    let said = inputs.iter().all(|one| fixed.contains_key(&one.term()));
                    if said {
                        if !steps.iter().any(|(_, known)| *known == text) {
                            steps.push((decision.step, text));
                        }
                        for input in inputs {
                            let text = self.readable(&fixed[&input.term()]);
                            if !parts.contains(&text) {
                                parts.push(text);
                            }
                        }
                        continue;
                    }
                    text
                }
                need => match self.case_text(unknowns, need, alternative) {
                    Some(text) => text,
                    None => continue,
                },
            };
            if !parts.contains(&part) {
                steps.push((decision.step, part.clone()));
                parts.push(part);
            }
        }
        (merged(parts), steps)
    }

    /// Which case of data, a reference or a future was decided for; nothing if there is one case only.
    fn case_text(&self, unknowns: &Unknowns, need: Need, alternative: usize) -> Option<String> {
        let model = self.model();
        match need {
            Need::Condition(_) | Need::Amount(_) => None,
            Need::Constructor(id) => {
                let entry = unknowns.table.entry(id);
                let Kind::Data { data_type, .. } = &entry.kind else { return None };
                let constructors = &model.data_type(*data_type).constructors;
                if constructors.len() == 1 {
                    return None;
                }
                let shape = model.constructor(constructors[alternative]);
                let parts = match shape.arguments.is_empty() {
                    true => String::new(),
                    false => format!("({})", vec!["_"; shape.arguments.len()].join(", ")),
                };
                Some(format!("{} == {}{parts}", entry.name, shape.name))
            }
            Need::Reference(id, _) => {
                let entry = unknowns.table.entry(id);
                let Kind::Reference { classes, .. } = &entry.kind else { return None };
                Some(match alternative.checked_sub(1 + classes.len()) {
                    Some(known) => format!("{} == {}", entry.name, unknowns.initial[known].name),
                    None if alternative == 0 => format!("{} == null", entry.name),
                    None => {
                        let class = &model.class(classes[alternative - 1]).name;
                        format!("{} is another {class}", entry.name)
                    }
                })
            }
            Need::Future(id) => {
                let entry = unknowns.table.entry(id);
                let what = ["is resolved", "is never resolved", "is null"][alternative];
                Some(format!("{} {what}", entry.name))
            }
        }
    }

    /// The numbers that can be one thing only, each with the condition that says so.
    fn fixed(&self, unknowns: &Unknowns) -> FxHashMap<Term, String> {
        const MOST: usize = 12;
        let mut fixed = FxHashMap::default();
        if unknowns.cut.is_some() {
            return fixed;
        }
        let terms = unknowns.terms();
        let mut path = unknowns.path().clone();
        let mut tried: Vec<Term> = Vec::new();
        let mut unknown = 0;
        for decision in &unknowns.decisions {
            let (Need::Condition(condition) | Need::Amount(condition)) = decision.need else {
                continue;
            };
            for variable in terms.inputs_of(condition) {
                let input = variable.term();
                if variable.sort() != Sort::Int || tried.contains(&input) || tried.len() >= MOST {
                    continue;
                }
                // The parts of a rational are not its value, and the number of an object says nothing.
                if terms.is_about_fractions(input) || self.references().contains(variable.name()) {
                    continue;
                }
                tried.push(input);
                let Constant::Int(number) = path.concrete(input) else { continue };
                if let (Some(least), Some(most)) = path.bounds(&variable)
                    && least == most
                {
                    fixed.insert(input, format!("{} == {number}", variable.name()));
                    continue;
                }
                if unknown >= MOST_UNKNOWN {
                    continue;
                }
                match path.may_vary(&variable, &number) {
                    Feasible::Yes => {}
                    Feasible::No => {
                        fixed.insert(input, format!("{} == {number}", variable.name()));
                    }
                    Feasible::Unknown(_) => unknown += 1,
                }
            }
        }
        fixed
    }

    /// The names of references.
    fn references(&self) -> &FxHashSet<Rc<str>> {
        self.references.get_or_init(|| {
            let unknowns = self.unknowns().expect("conditions belong to unknowns");
            let names = unknowns.introduced.iter().map(|&id| unknowns.table.entry(id).name.clone());
            names.collect()
        })
    }

    /// A condition with null, objects and strings in place of their numbers, and numbers on the right.
    fn readable(&self, text: &str) -> String {
        let unknowns = self.unknowns().expect("conditions belong to unknowns");
        let references = self.references();
        for symbol in [" == ", " != "] {
            let Some((left, right)) = text.split_once(symbol) else { continue };
            for (name, number) in [(left, right), (right, left)] {
                let Ok(number) = number.parse::<i64>() else { continue };
                let written = if references.contains(name) {
                    match number {
                        0 => "null".to_owned(),
                        _ => {
                            let object = ObjectId((number - 1).max(0) as u32);
                            self.state.universe.names.object_text(self.model(), object)
                        }
                    }
                } else if unknowns.table.is_text(name) {
                    format!("\"{}\"", unknowns.table.text_of(&number.into()))
                } else {
                    continue;
                };
                return format!("{name}{symbol}{written}");
            }
        }
        for (symbol, mirrored) in [
            (" >= ", " <= "),
            (" <= ", " >= "),
            (" < ", " > "),
            (" > ", " < "),
            (" == ", " == "),
            (" != ", " != "),
        ] {
            if let Some((left, right)) = text.split_once(symbol)
                && left.parse::<i64>().is_ok()
                && ![" < ", " > ", " == ", " && ", " || "].iter().any(|op| right.contains(op))
            {
                let bare = right.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                let right = bare.filter(|bare| !bare.contains(['(', ')'])).unwrap_or(right);
                return self.readable(&format!("{right}{mirrored}{left}"));
            }
        }
        for symbol in [" == ", " != "] {
            if let Some((left, right)) = text.split_once(symbol)
                && !left.contains(' ')
                && !right.contains(' ')
                && right < left
                && right.parse::<i64>().is_err()
            {
                return format!("{right}{symbol}{left}");
            }
        }
        text.to_owned()
    }
}

/// A comparison of an integer with one as a comparison with zero.
fn above_or_not(text: String) -> String {
    match (text.strip_suffix(" < 1"), text.strip_suffix(" >= 1")) {
        (Some(left), _) => format!("{left} <= 0"),
        (_, Some(left)) => format!("{left} > 0"),
        _ => text,
    }
}

/// Whether a text is an "or", or a choice, that is not in parentheses.
fn has_or(text: &str) -> bool {
    let mut depth = 0;
    for (index, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 0 && text[index..].starts_with("||") => return true,
            _ => {}
        }
    }
    text.starts_with("if ")
}

/// Comparisons of the same two things as one: `a >= b && b >= a` is `a == b`.
fn merged(parts: Vec<String>) -> Vec<String> {
    let mut merged: Vec<String> = Vec::new();
    'parts: for part in parts {
        if let Some((left, orders, right)) = comparison(&part) {
            for known in &mut merged {
                let Some((a, allowed, b)) = comparison(known) else { continue };
                if left == a
                    && let Some(stronger) = stronger((allowed, b), (orders, right))
                {
                    if stronger == Stronger::Second {
                        *known = part;
                    }
                    continue 'parts;
                }
                let orders = match () {
                    () if (left, right) == (a, b) => orders,
                    () if (left, right) == (b, a) => mirrored(orders),
                    () => continue,
                };
                if let Some((symbol, _)) = SYMBOLS.iter().find(|(_, one)| *one == allowed & orders)
                {
                    *known = format!("{a}{symbol}{b}");
                    continue 'parts;
                }
            }
        }
        merged.push(part);
    }
    merged
}

/// Which of two bounds implies the other.
#[derive(PartialEq, Eq)]
enum Stronger {
    First,
    Second,
}

/// Which of two bounds by numbers, of the same thing and to the same side, implies the other.
fn stronger(one: (u8, &str), other: (u8, &str)) -> Option<Stronger> {
    let (a, b) = (one.1.parse::<i64>().ok()?, other.1.parse::<i64>().ok()?);
    let is_bound = |orders: u8, side: u8| orders & !2 == side;
    match () {
        () if a == b => None,
        () if is_bound(one.0, 4) && is_bound(other.0, 4) => Some(a > b),
        () if is_bound(one.0, 1) && is_bound(other.0, 1) => Some(a < b),
        () => None,
    }
    .map(|first| if first { Stronger::First } else { Stronger::Second })
}

/// The orders that a comparison allows: below, equal and above.
const SYMBOLS: [(&str, u8); 6] =
    [(" < ", 1), (" == ", 2), (" > ", 4), (" <= ", 3), (" >= ", 6), (" != ", 5)];

/// The two sides of a single comparison, and the orders that it allows.
fn comparison(text: &str) -> Option<(&str, u8, &str)> {
    let mut found = SYMBOLS.iter().filter_map(|(symbol, orders)| {
        text.split_once(symbol).map(|(left, right)| (left, *orders, right))
    });
    let only = found.next()?;
    let single = found.next().is_none()
        && ![" && ", " || ", " < ", " == ", " > ", " <= ", " >= ", " != ", "\""]
            .iter()
            .any(|symbol| only.2.contains(symbol));
    single.then_some(only)
}

fn mirrored(orders: u8) -> u8 {
    (orders & 2) | (orders & 1) << 2 | (orders & 4) >> 2
}

#[cfg(test)]
mod tests {
    use super::merged;

    #[test]
    fn comparisons_of_the_same_things_are_one() {
        let check = |parts: &[&str], expected: &[&str]| {
            let parts = parts.iter().map(ToString::to_string).collect();
            assert_eq!(merged(parts), expected);
        };
        check(&["this.id >= c", "c >= this.id"], &["this.id == c"]);
        check(&["b != 0", "x", "b >= 0"], &["b > 0", "x"]);
        check(&["f != e", "e > f"], &["f < e"]);
        check(&["a < b", "b < c"], &["a < b", "b < c"]);
        check(&["n > 0", "n >= 6"], &["n >= 6"]);
        check(&["n >= 6", "n > 0", "n < 9", "n <= 12"], &["n >= 6", "n < 9"]);
        check(&["n > 0", "n < 6"], &["n > 0", "n < 6"]);
        check(&["(a < b) == c", "a >= b"], &["(a < b) == c", "a >= b"]);
        check(&["s != \"a < b\"", "n > 0"], &["s != \"a < b\"", "n > 0"]);
    }
}
