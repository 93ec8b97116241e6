//! Whether inputs lead along steps that a sequence commutes with, and along the sequence.
//!
//! **Problem.** A sequence is added after each alternative of a decision beside it, unless no inputs are left there, since both
//! look at the same one. To try that takes longer than all else where processes decide much.
//!
//! **Idea.** What was found out about a path beside some sequence holds for others: inputs lead along it, and these are the
//! ones at which it looks. Inputs lead along the new sequence as well, since the present execution has taken it. If what it and
//! all before the node look at has no input in common with the path, then both can be had together: each input as
//! the one or the other wants it. Else that is tried. What is beside the sequence is tried after it: so one trial has most of
//! its steps in common with the next.
//!
//! This takes for granted what nets do, too ([`symbolic`](crate::unfolding)): the condition of an event says all that the
//! event asks of more than one input.
//!
//! **Invariant.** The answer is that of a trial. Were it yes where a trial says no, a step would be planned that no input
//! leads to; whoever takes it finds out, so that nothing is left out.
//!
//! **Cost.** The conditions of the sequence and of what is before the node; a few steps for each path that is new at a node.

use std::hash::Hasher;
use std::rc::Rc;

use counterpoint_model::{Choice, Event, Feasible, Interrupt, Program};
use counterpoint_symbolic::{Term, Terms};
use rustc_hash::{FxHashMap, FxHasher};

use crate::mixing::chain;
use crate::rehearsal::SecondRun;

/// Steps of a wakeup tree that a sequence has followed.
#[derive(Default)]
pub(super) struct Path {
    /// Those that were the sequence's own.
    pub own: Vec<Choice>,
    /// Those that it commutes with.
    pub beside: Vec<Choice>,
}

impl Path {
    pub fn len(&self) -> (usize, usize) {
        (self.own.len(), self.beside.len())
    }

    pub fn truncate(&mut self, (own, beside): (usize, usize)) {
        self.own.truncate(own);
        self.beside.truncate(beside);
    }

    fn digest(&self) -> u128 {
        let number =
            |choice: &Choice| u64::from(choice.process.0) << 32 | u64::from(choice.alternative);
        let own = self.own.iter().map(number).chain([u64::MAX]);
        chain(own.chain(self.beside.iter().map(number)))
    }
}

/// Sets of inputs as bits, a bit for each name, by a hash of it: some seem to have an input in common that have none.
pub(super) type InputBits = u64;

/// The inputs of terms that were asked for before.
#[derive(Default)]
pub(super) struct KnownInputs(FxHashMap<Term, InputBits>);

impl KnownInputs {
    /// Those that some events ask something of.
    pub fn of<'e>(&mut self, terms: &Terms, events: impl Iterator<Item = &'e Event>) -> InputBits {
        let conditions = events.filter_map(|event| event.condition);
        let bits = |term| *self.0.entry(term).or_insert_with(|| inputs_of(terms, term));
        conditions.map(bits).fold(0, |all, bits| all | bits)
    }
}

fn inputs_of(terms: &Terms, term: Term) -> InputBits {
    terms.inputs_of(term).iter().fold(0, |all, input| {
        let mut hasher = FxHasher::default();
        hasher.write(input.name().as_bytes());
        all | 1 << (hasher.finish() >> 58)
    })
}

/// Paths along which inputs lead from a node, with the inputs that the steps beside the sequence look at.
pub(crate) type OpenPaths = FxHashMap<u128, InputBits>;

/// Finds out where inputs lead from a node.
pub(super) struct InputRehearsal<'t, 'a> {
    pub program: &'a dyn Program,
    pub interrupt: &'t Interrupt,
    /// Apart from that of the search, which may be in the midst of a rehearsal; made when first needed.
    pub second: &'t mut Option<SecondRun<'a>>,
    /// The events before the node.
    pub before: &'t [Event],
    /// The terms of their conditions, if they are needed.
    pub terms: Option<Rc<Terms>>,
    /// What was found out at the node.
    pub open: OpenPaths,
    /// The inputs that the events before the node and the whole sequence look at.
    pub inputs: InputBits,
}

impl InputRehearsal<'_, '_> {
    /// Whether some inputs lead along a path from the node and through the rest of the sequence, or nobody knows.
    pub fn leads_along(
        &mut self,
        path: &Path,
        steps: impl Iterator<Item = Choice> + Clone,
    ) -> bool {
        let digest = self.terms.is_some().then(|| path.digest());
        let known = digest.and_then(|digest| self.open.get(&digest));
        if known.is_some_and(|inputs| inputs & self.inputs == 0) {
            return true;
        }
        let (own, beside) = (path.own.iter().copied(), path.beside.iter().copied());
        match self.try_along(own.chain(steps).chain(beside)) {
            Some(true) => {
                if let (Some(digest), Some(inputs)) =
                    (digest, self.inputs_of_last(path.beside.len()))
                {
                    self.open.insert(digest, inputs);
                }
                true
            }
            Some(false) => false,
            None => true,
        }
    }

    /// Takes steps from the node, and says whether some inputs lead along them, if somebody knows.
    fn try_along(&mut self, path: impl Iterator<Item = Choice> + Clone) -> Option<bool> {
        let second =
            self.second.get_or_insert_with(|| SecondRun::new(self.program, self.interrupt));
        let whole = self.before.iter().map(|event| event.choice).chain(path);
        let followed = second.go_back_to(whole.clone());
        for (place, choice) in whole.enumerate().skip(followed) {
            let preferred = second.run.alternatives(choice.process).preferred;
            if place >= self.before.len() && choice.alternative != preferred {
                match second.run.feasible(choice) {
                    Feasible::Yes => {}
                    Feasible::No => return Some(false),
                    Feasible::Unknown(_) => return None,
                }
            }
            second.step(choice);
        }
        Some(true)
    }

    /// The inputs that so many of the last steps tried look at.
    fn inputs_of_last(&self, steps: usize) -> Option<InputBits> {
        let second = self.second.as_ref()?;
        let terms = second.run.terms()?;
        let conditions = second.last_conditions(steps);
        Some(conditions.fold(0, |all, condition| all | inputs_of(&terms, condition)))
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_symbolic::Sort;

    use super::*;

    #[test]
    fn conditions_on_a_common_input_have_a_bit_in_common() {
        let terms = Terms::new();
        let names: Vec<String> = (0..100).map(|number| format!("0.{number}#0")).collect();
        let inputs: Vec<Term> =
            names.iter().map(|name| terms.input(name, Sort::Bits(32))).collect();
        let zero = terms.bits(0, 32);
        for pair in inputs.windows(2) {
            let both = inputs_of(&terms, terms.eq(pair[0], pair[1]));
            for &input in pair {
                let one = inputs_of(&terms, terms.eq(input, zero));
                assert!(one != 0 && one & both == one);
            }
        }
        let bits = |input: &Term| inputs_of(&terms, *input);
        let different: std::collections::BTreeSet<u64> = inputs.iter().map(bits).collect();
        assert!(different.len() > 32, "{} bits", different.len());
    }
}
