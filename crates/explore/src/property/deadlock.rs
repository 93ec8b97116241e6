//! Nobody waits for ever.

use counterpoint_model::{FindingKind, Next, Pid, Waiting};

use super::{Ending, Execution, Failure, Property};

/// The property; it keeps nothing between executions.
pub struct NoDeadlock;

impl Property for NoDeadlock {
    fn check(&mut self, execution: &Execution<'_>, report: &mut dyn FnMut(Failure)) {
        let kind = match execution.ending {
            Ending::Deadlock => FindingKind::Deadlock,
            Ending::Stuck => FindingKind::Stuck,
            Ending::Complete | Ending::Cut => return,
        };
        let blocked = |pid: &Pid| matches!(execution.run.next(*pid), Next::Blocked(_));
        let waiting: Vec<Waiting> = (0..execution.run.processes())
            .map(Pid)
            .filter(blocked)
            .filter_map(|pid| execution.run.waiting(pid))
            .collect();
        let mut named: Vec<(String, &Waiting)> =
            waiting.iter().map(|w| (execution.program.process_name(w.process), w)).collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        let mut stories = Vec::new();
        for (name, waiting) in &named {
            let mut story = format!("{name} waits for {}", waiting.what);
            let whom = waiting.whom.iter().map(|&pid| execution.program.process_name(pid));
            let unsaid: Vec<String> = whom.filter(|name| !waiting.what.contains(name)).collect();
            if !unsaid.is_empty() {
                story += &format!(" (blocked by {})", unsaid.join(", "));
            }
            stories.push(story);
        }
        let sites = named.iter().map(|(_, waiting)| waiting.site).collect();
        let ordered: Vec<Waiting> = named.into_iter().map(|(_, waiting)| waiting.clone()).collect();
        let message = stories.join("; ");
        report(Failure {
            kind,
            name: message.clone(),
            message,
            sites,
            waiting: ordered,
            steps: execution.events.len(),
        });
    }
}
