//! What built programs say about their steps is true, and an audit sees what is not.

use counterpoint_model::{
    Access, Alternatives, Choice, Digests, End, Event, Feasible, Footprint, Input, Location, Mark,
    Mode, Narrate, Next, Observe, Pid, Place, ProcessNames, Program, Rewind, Run, Site, Waiting,
};
use counterpoint_testkit::audit::{Audit, Effort, audit};
use counterpoint_testkit::random::{Features, program};
use counterpoint_testkit::{TestProgram, examples, shapes};

fn check(program: &TestProgram, effort: Effort) -> Audit {
    let audit = audit(program, effort);
    assert!(audit.complaints.is_empty(), "{audit}{program}");
    audit
}

#[test]
fn random_programs_keep_their_promises() {
    let (mut states, mut commuted) = (0, 0);
    for seed in 0..1500 {
        let features = if seed % 3 == 0 { Features::ALL } else { Features::WITHOUT_INPUTS };
        let effort = Effort { walks: 3, beyond: 4, seed, ..Effort::default() };
        let audit = check(&program(seed, features), effort);
        states += audit.states;
        commuted += audit.commuted;
    }
    assert!(states > 10_000 && commuted > 10_000, "{states} states, {commuted} pairs");
}

#[test]
fn shapes_keep_their_promises() {
    for program in [
        shapes::fib(3),
        shapes::dining(3),
        shapes::lock(3),
        shapes::filesystem(14),
        shapes::lastzero(5),
        shapes::pairs(2),
        examples::read_then_write(),
    ] {
        assert!(check(&program, Effort::default()).commuted > 0, "{program}");
    }
}

/// What a lying run leaves out.
#[derive(Copy, Clone, PartialEq)]
enum Lie {
    /// Accesses of events in this mode.
    Accesses(Mode),
    /// What a process may be waiting for.
    Anticipation,
    /// That steps are guarded.
    Guards,
    /// That what was shown must be forgotten when the run goes back.
    Undoing,
}

struct Liar(TestProgram, Lie);

/// The truth, the lie, and how many steps were ever taken.
struct LyingRun<'a>(Box<dyn Run + 'a>, Lie, u64);

impl Program for Liar {
    fn start(&self, inputs: &[Input]) -> Box<dyn Run + '_> {
        Box::new(LyingRun(self.0.start(inputs), self.1, 0))
    }

    fn names(&self) -> &ProcessNames {
        self.0.names()
    }

    fn place(&self, site: Site) -> Place {
        self.0.place(site)
    }

    fn location_name(&self, location: Location) -> String {
        self.0.location_name(location)
    }

    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }
}

impl Run for LyingRun<'_> {
    fn processes(&self) -> u32 {
        self.0.processes()
    }

    fn next(&self, process: Pid) -> Next {
        self.0.next(process)
    }

    fn alternatives(&self, process: Pid) -> Alternatives {
        self.0.alternatives(process)
    }

    fn feasible(&mut self, choice: Choice) -> Feasible {
        self.0.feasible(choice)
    }

    fn step(&mut self, choice: Choice) -> Event {
        self.2 += 1;
        let mut event = self.0.step(choice);
        let kept = |access: &mut Access| self.1 != Lie::Accesses(access.mode);
        event.footprint.retain(kept);
        event.guarded &= self.1 != Lie::Guards;
        event
    }

    fn anticipate(&self, process: Pid) -> Footprint {
        let blocked = matches!(self.0.next(process), Next::Blocked(_));
        if self.1 == Lie::Anticipation && blocked {
            return Footprint::new();
        }
        self.0.anticipate(process)
    }

    fn guarded(&self, process: Pid) -> bool {
        self.1 != Lie::Guards && self.0.guarded(process)
    }

    fn end(&self) -> End {
        self.0.end()
    }
}

impl Rewind for LyingRun<'_> {
    fn rewinds(&self) -> bool {
        true
    }

    fn mark(&mut self) -> Mark {
        self.0.mark()
    }

    fn undo(&mut self, mark: Mark) {
        self.0.undo(mark);
    }
}

impl Narrate for LyingRun<'_> {
    fn waiting(&self, process: Pid) -> Option<Waiting> {
        self.0.waiting(process)
    }

    fn outcome(&self) -> Option<String> {
        let outcome = self.0.outcome()?;
        Some(if self.1 == Lie::Undoing { format!("{outcome} {}", self.2) } else { outcome })
    }
}

impl Digests for LyingRun<'_> {
    fn local_state(&self, process: Pid) -> Option<u64> {
        self.0.local_state(process)
    }
}

impl Observe for LyingRun<'_> {}

#[test]
fn every_lie_is_seen_somewhere() {
    for (what, lie) in [
        ("reads", Lie::Accesses(Mode::Read)),
        ("writes", Lie::Accesses(Mode::Write)),
        ("acquires", Lie::Accesses(Mode::Acquire)),
        ("releases", Lie::Accesses(Mode::Release)),
        ("anticipation", Lie::Anticipation),
        ("guards", Lie::Guards),
        ("undoing", Lie::Undoing),
    ] {
        let features = Features { inputs: false, ..Features::ALL };
        let caught = (0..40).any(|seed| {
            let liar = Liar(program(seed, features), lie);
            !audit(&liar, Effort { seed, ..Effort::default() }).complaints.is_empty()
        });
        assert!(caught, "nobody notices that {what} are left out");
    }
}
