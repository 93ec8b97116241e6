//! Which generation of the language a model is written in.
//!
//! A bare `new` made an object in the creator's cog until 2013 and makes one in a cog of its own today; only
//! the other creations of the model tell. `new cog` anywhere makes it an old model. This is decided for the
//! whole model, since its files are run together.
//!
//! Other changes are decided for each file: that a `Rat` is rounded where an `Int` is expected, that `lookup`
//! gives the value itself, and that `true` and `false` are read as the constructors.

use crate::diagnostics::Diagnostic;
use crate::program::Generation;
use crate::source::{FileId, Span};
use crate::syntax::tree::{Place, Spelling, Unit};

/// What a file may do that is an error today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leniency {
    /// A `Rat` is rounded toward zero where an `Int` is expected.
    pub(crate) rounds: bool,
    /// `lookup` gives the value where a `Maybe` does not fit, and `true` is `True`.
    pub(crate) old_names: bool,
}

impl Leniency {
    /// What a file's spelling allows: rounding needs a sign of age, old names only the absence of signs of youth.
    fn of(spelling: &Spelling) -> Self {
        Leniency {
            rounds: spelling.old.or(spelling.new_cog).is_some() && spelling.modern.is_none(),
            old_names: spelling.modern.is_none(),
        }
    }
}

/// What was decided about a model.
pub(crate) struct Reading {
    pub(crate) generation: Generation,
    /// For each file that has one, what it may do.
    files: Vec<(FileId, Leniency)>,
}

impl Reading {
    /// What a file may do.
    pub(crate) fn leniency(&self, file: FileId) -> Leniency {
        let found = self.files.iter().find(|(known, _)| *known == file);
        found.map_or(Leniency { rounds: false, old_names: false }, |&(_, leniency)| leniency)
    }

    /// Whether a creation makes a new cog.
    pub(crate) fn makes_cog(&self, place: Place) -> bool {
        match (place, self.generation) {
            (Place::Cog, _) | (Place::Bare, Generation::Today) => true,
            (Place::Local, _) | (Place::Bare, Generation::Old) => false,
        }
    }
}

/// Decides for a model.
pub(crate) fn decide(
    units: &[(FileId, &Unit)],
    forced: Option<Generation>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Reading {
    let first = |mark: fn(&Spelling) -> Option<Span>| {
        units.iter().find_map(|(_, unit)| mark(&unit.spelling))
    };
    let new_cog = first(|spelling| spelling.new_cog);
    let new_local = first(|spelling| spelling.new_local);
    if let (Some(cog), Some(local), None) = (new_cog, new_local, forced) {
        diagnostics.push(
            Diagnostic::warning(cog, "this model has both `new cog` and `new local`")
                .label(local, "today's spelling is here")
                .hint("because of `new cog`, a `new` without either makes an object in the creator's cog"),
        );
    }
    let generation =
        forced.unwrap_or(if new_cog.is_some() { Generation::Old } else { Generation::Today });
    let files = units.iter().map(|(file, unit)| (*file, Leniency::of(&unit.spelling))).collect();
    Reading { generation, files }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parser;

    #[test]
    fn spelling_decides() {
        let old = Some(Generation::Old);
        let rows = [
            ("{ new C(); }", None, Generation::Today, (false, true)),
            ("{ new C(); }", old, Generation::Old, (false, true)),
            ("{ new cog C(); }", None, Generation::Old, (true, true)),
            ("{ new local C(); }", None, Generation::Today, (false, true)),
            ("{ new local C(); new cog C(); }", None, Generation::Old, (true, true)),
            ("{ Bool b = ~c; }", None, Generation::Today, (true, true)),
            ("{ Int x = let (Int y) = 1 in y; }", None, Generation::Today, (true, true)),
            ("{ Int x = let Int y = 1 in y; }", None, Generation::Today, (false, false)),
            ("{ Int x = if c then 1 else 2; }", None, Generation::Today, (true, true)),
            ("{ Int x = when c then 1 else 2; }", None, Generation::Today, (false, false)),
            ("{ new cog C(); switch (x) { _ => skip; } }", None, Generation::Old, (false, false)),
            ("{ String s = `x`; }", None, Generation::Today, (false, false)),
        ];
        for (text, forced, generation, (rounds, old_names)) in rows {
            let file = FileId(20);
            let (unit, _) = parser::parse(file, &format!("module M; {text}"));
            let reading = decide(&[(file, &unit)], forced, &mut Vec::new());
            let leniency = Leniency { rounds, old_names };
            assert_eq!(
                (reading.generation, reading.leniency(file)),
                (generation, leniency),
                "{text}"
            );
        }
    }
}
