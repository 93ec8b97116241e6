//! No data race.
//!
//! Which races an execution has is found out by [`races`](crate::races). The property asks for all of
//! them in every execution; where it is not asked for, they are only noted (`search.rs`).

use super::{Execution, Failure, Property};
use crate::races::Races;

/// The property, with tables that are reused from execution to execution.
#[derive(Default)]
pub struct NoRace {
    races: Races,
}

impl Property for NoRace {
    fn check(&mut self, execution: &Execution<'_>, report: &mut dyn FnMut(Failure)) {
        self.races.follow(execution.program, execution.events, 0);
        for (race, steps) in self.races.found() {
            report(race.failure(execution.program, steps));
        }
    }

    fn looks_for_races(&self) -> bool {
        true
    }
}
