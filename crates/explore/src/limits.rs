//! How far an exploration may go.

use std::time::Duration;

use counterpoint_model::Interrupt;

/// Bounds on an exploration. Hitting one makes the result incomplete, never wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time for the whole exploration.
    pub time: Option<Duration>,
    /// Complete executions.
    pub executions: Option<u64>,
    /// Steps per execution: a longer one is cut there.
    pub steps: usize,
    /// Depth below which alternatives are not explored: executions run on, without branching.
    pub depth: Option<usize>,
    /// What else may end it at any moment, such as a signal.
    pub interrupt: Interrupt,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: None,
            executions: None,
            steps: 20_000,
            depth: None,
            interrupt: Interrupt::never(),
        }
    }
}

/// Limits under which nothing could be explored.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LimitsError {
    /// No time.
    #[error("a time limit of zero leaves no time to explore; give a number of seconds above 0")]
    Time,
    /// No execution.
    #[error("a limit of zero executions explores nothing; give at least 1")]
    Executions,
    /// No step, or more steps than an execution can have.
    #[error("the limit of steps per execution must lie between 1 and 100,000,000")]
    Steps,
    /// No depth.
    #[error("a depth limit of zero explores one execution only; give at least 1")]
    Depth,
}

impl Limits {
    /// Whether anything can be explored within these limits.
    pub fn check(&self) -> Result<(), LimitsError> {
        match self {
            Limits { time: Some(Duration::ZERO), .. } => Err(LimitsError::Time),
            Limits { executions: Some(0), .. } => Err(LimitsError::Executions),
            Limits { steps, .. } if !(1..=100_000_000).contains(steps) => Err(LimitsError::Steps),
            Limits { depth: Some(0), .. } => Err(LimitsError::Depth),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_explore_nothing_are_refused() {
        let good = Limits::default();
        assert_eq!(good.check(), Ok(()));
        let check = |limits: Limits| limits.check().unwrap_err();
        assert_eq!(check(Limits { steps: 0, ..good.clone() }), LimitsError::Steps);
        assert_eq!(check(Limits { depth: Some(0), ..good.clone() }), LimitsError::Depth);
        assert_eq!(check(Limits { executions: Some(0), ..good.clone() }), LimitsError::Executions);
        assert_eq!(check(Limits { time: Some(Duration::ZERO), ..good }), LimitsError::Time);
    }
}
