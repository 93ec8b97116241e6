//! No step ends in a fault.

use super::{Execution, Failure, Property};

/// The property; it keeps nothing between executions.
pub struct NoFailure;

impl Property for NoFailure {
    fn check(&mut self, execution: &Execution<'_>, report: &mut dyn FnMut(Failure)) {
        if !execution.faulty {
            return;
        }
        for (index, event) in execution.events.iter().enumerate() {
            if let Some(fault) = &event.fault {
                report(Failure {
                    kind: fault.kind,
                    name: fault.name.clone(),
                    message: fault.message.clone(),
                    sites: vec![fault.site],
                    waiting: Vec::new(),
                    steps: index + 1,
                });
            }
        }
    }
}
