//! Questions about what could have happened, asked at the end of an execution with the run of the search.
//!
//! **Time.** The interrupt may be raised before or while they are asked. Where little is left to be asked, it is answered
//! all the same, by a run that does not heed the interrupt. Otherwise the execution, which counts, is left with its races, and is
//! repeated for their sake: an answer that was cut short is never believed.

use counterpoint_model::{Choice, Interrupt, Pid};

use super::Engine;
use crate::rehearsal::Hindrance;

/// So many events are rehearsed, and so long are executions at whose end the run is asked what comes next, although the
/// interrupt is raised: so something comes of every search, however short the time.
const LITTLE: usize = 1024;

impl Engine<'_> {
    /// Tries steps from a node of the path, and then one of a process: whether those could be taken, and that. The
    /// rehearsal has what came of them. `None` if there was no time: the execution will be repeated for its races.
    pub fn rehearse(
        &mut self,
        depth: usize,
        steps: &[Choice],
        process: Pid,
    ) -> Option<(bool, bool)> {
        loop {
            self.go_to(depth);
            self.strayed_after = Some(depth);
            let Engine { rehearsal, run, search, .. } = self;
            rehearsal.go_to(&self.trace, depth);
            let mut possible = true;
            for &choice in steps {
                possible = possible && run.is_ready(choice.process);
                if possible {
                    rehearsal.step(&mut **run, choice);
                    search.rehearsed();
                }
            }
            let ready = possible && run.is_ready(process);
            if ready {
                let alternative = run.alternatives(process).preferred;
                rehearsal.step(&mut **run, Choice { process, alternative });
            }
            if self.is_cut_short(true, depth + steps.len()) {
                return None;
            }
            if !self.heeds || !self.is_raised() {
                return Some((possible, ready));
            }
            self.stop_heeding();
        }
    }

    /// What keeps a process from moving where the last rehearsal, which began at a node, has come to. `None` if there
    /// was no time.
    pub fn hindrance(&mut self, process: Pid, depth: usize) -> Option<Hindrance> {
        let raised = self.is_raised();
        let found = Hindrance::of(&mut self.rehearsal.trace, &mut *self.run, process, depth);
        let cut_short = self.is_cut_short(raised, self.rehearsal.trace.len());
        (!cut_short).then_some(found)
    }

    /// The interrupt is raised and the search will end, but the run does not move any more, and answers that were
    /// cut short would be wrong. Another one gives the last of them, which does not heed the interrupt: all that it
    /// does has been done before, and it is little.
    #[cold]
    fn stop_heeding(&mut self) {
        let program = self.search.program;
        program.heed(&Interrupt::never());
        self.run = program.start(&[]);
        program.heed(self.search.interrupt());
        self.heeds = false;
        self.nodes[0].mark = Some(self.run.mark());
        self.strayed_after = Some(0);
    }

    /// Whether the search is to end. Races may still be looked at, as long as that takes little.
    pub fn is_raised(&self) -> bool {
        self.search.interrupt().raised().is_some()
    }

    /// Whether there is no time for the races that are left: the interrupt was raised while the run was asked, which may
    /// have cut the answer short, or to look at so many events takes too long now that it is.
    pub fn is_cut_short(&mut self, was_raised: bool, events: usize) -> bool {
        let cut_short = self.is_raised() && (!was_raised || events > LITTLE);
        self.races_left = self.races_left || cut_short;
        self.races_left
    }
}
