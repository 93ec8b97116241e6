//! Shows progress and saves what is left from time to time.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use counterpoint_explore::Statistics;
use counterpoint_model::{Bound, Finding, FindingKind};

use crate::checkpoint::Checkpoint;
use crate::events;
use crate::front_end::LoadRequest;
use crate::interrupt;
use crate::job::{Job, Tally, Watcher};
use crate::output;
use crate::progress::Progress;
use crate::report::title;
use crate::store::KeptFinding;
use crate::trouble::Trouble;

/// A long exploration is saved this often.
const SAVE_EVERY: Duration = Duration::from_secs(3);

/// Of what was found, so many letters are said if there is no end in which it is told.
const LONGEST_TITLE: usize = 300;

/// An exploration that somebody looks at and that can be killed at any moment.
pub struct CheckSession<'a> {
    request: &'a LoadRequest,
    job: &'a Job<'a>,
    /// The line on the terminal.
    pub progress: Progress,
    saved: Instant,
    path: Option<PathBuf>,
    complained: bool,
}

impl<'a> CheckSession<'a> {
    /// Before the first execution, with so many done in earlier sessions, which left this file.
    pub fn new(
        request: &'a LoadRequest,
        job: &'a Job<'a>,
        before: u64,
        path: Option<PathBuf>,
    ) -> CheckSession<'a> {
        let progress = Progress::new(before);
        CheckSession { request, job, progress, saved: Instant::now(), path, complained: false }
    }

    fn save(&mut self, tally: &Tally) {
        let Some(checkpoint) = Checkpoint::new(self.request, self.job, tally) else { return };
        match checkpoint.save() {
            Ok(path) => self.path = Some(path),
            Err(error) if !self.complained => {
                self.complained = true;
                let trouble = Trouble::file("write", &checkpoint.path(), &error);
                let text = trouble.message;
                output::complain(&format!("warning: {text}; the exploration is not saved\n"));
            }
            Err(_) => {}
        }
        self.saved = Instant::now();
    }

    /// Saves what is left if the exploration was stopped; otherwise there is nothing to continue.
    pub fn end(mut self, tally: &Tally) -> Option<PathBuf> {
        let first = self.job.stop_at_first && !tally.findings.is_empty();
        let hit = |bound: &Bound| tally.bounds.contains(bound);
        let limited = hit(&Bound::Executions) && !hit(&Bound::Sampled);
        let ended = [Bound::Time, Bound::Memory, Bound::Stopped].iter().any(hit);
        if !first && (ended || limited) {
            self.path = None;
            self.save(tally);
            if let Some(path) = &self.path {
                events::saved(path);
            }
            return self.path;
        }
        if let Some(path) = &self.path {
            let _ = std::fs::remove_file(path);
        }
        None
    }
}

impl Watcher for CheckSession<'_> {
    fn moved(&mut self, done: &Tally, part: &Statistics, fresh: usize) {
        self.progress.moved(done, part, fresh);
    }

    fn found(&mut self, finding: &Finding) {
        self.progress.found(finding);
        if finding.kind != FindingKind::Unsupported {
            let kept = KeptFinding::new(self.job.program, self.request, finding);
            let short = title(finding).chars().take(LONGEST_TITLE).collect();
            interrupt::found(short, kept);
        }
    }

    fn paused(&mut self, tally: &Tally) {
        if self.path.is_none() || self.saved.elapsed() >= SAVE_EVERY {
            interrupt::undisturbed(|| self.save(tally));
        }
    }
}
