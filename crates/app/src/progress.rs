//! What is going on, on a terminal, for anything longer than a second.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use counterpoint_explore::Statistics;
use counterpoint_model::{Finding, FindingKind};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::events;
use crate::job::Tally;
use crate::look::{count, thousands};
use crate::report::{title, verdict};

/// Nothing is shown before this.
const SILENCE: Duration = Duration::from_secs(1);

/// The line is drawn anew after this.
const PACE: Duration = Duration::from_millis(100);

/// The line of progress on standard error.
pub struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    drawn: Instant,
    /// How many executions there were when this session began.
    before: u64,
    /// The first finding, until it is shown.
    first: Option<String>,
    found: bool,
}

impl Progress {
    /// Shown only if standard error is a terminal.
    pub fn new(before: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            bar.set_style(ProgressStyle::with_template("{spinner} {wide_msg}").expect("is valid"));
            bar
        });
        let now = Instant::now();
        Progress { bar, started: now, drawn: now, before, first: None, found: false }
    }

    /// Some executions have ended.
    pub fn moved(&mut self, done: &Tally, part: &Statistics, fresh: usize) {
        events::progress(done, part, fresh);
        let Some(bar) = &self.bar else { return };
        let now = Instant::now();
        if now - self.started < SILENCE || now - self.drawn < PACE {
            return;
        }
        self.drawn = now;
        let executions = done.statistics.executions + part.executions;
        let rate = (executions - self.before) as f64 / (now - self.started).as_secs_f64();
        bar.set_draw_target(ProgressDrawTarget::stderr());
        if let Some(first) = self.first.take() {
            bar.println(first);
        }
        let findings = done.findings.len() + fresh;
        bar.set_message(message(done, part, findings, rate as u64));
        bar.tick();
    }

    /// Something was found. The first finding stands above the line as soon as there is one, and nobody has to
    /// wait for the others.
    pub fn found(&mut self, finding: &Finding) {
        if self.found || finding.kind == FindingKind::Unsupported {
            return;
        }
        self.found = true;
        let place = finding.places.first().filter(|place| place.line > 0);
        let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
        let said = format!("found: {}{place}; Ctrl-C stops and shows how", title(finding));
        self.first = Some(said);
    }

    /// Takes the line away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn message(done: &Tally, part: &Statistics, findings: usize, rate: u64) -> String {
    let executions = done.statistics.executions + part.executions;
    let mut parts = vec![
        count(executions, "execution"),
        format!("{}/s", thousands(rate)),
        format!("{} deep", part.longest.max(done.statistics.longest)),
        count(findings as u64, "finding"),
    ];
    let left = done.unexplored.as_ref();
    let left = left.and_then(|unit| verdict::estimate(done.statistics.executions, unit));
    if let Some(left) = left {
        parts.push(format!("roughly {} left", verdict::rounded(left)));
    }
    parts.push("Ctrl-C stops".to_string());
    parts.join(", ")
}
