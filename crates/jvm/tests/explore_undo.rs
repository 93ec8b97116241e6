//! Runs of Java programs go back exactly: what happens after a mark happens again in the same way.

use std::path::{Path, PathBuf};

use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_jvm::{JavaProgram, Target};
use counterpoint_model::{Choice, Event, Feasible, Footprint, Next, Pid, Program, Run};

/// A small generator, so that failures can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

/// All that an explorer can see between two steps.
fn view(run: &dyn Run) -> Vec<(Pid, Next, u32, Footprint, String)> {
    (0..run.processes())
        .map(Pid)
        .filter(|process| run.next(*process) != Next::Done)
        .map(|process| {
            let waiting = run.waiting(process).map(|waiting| format!("{waiting:?}"));
            (
                process,
                run.next(process),
                run.alternatives(process).count,
                run.anticipate(process),
                waiting.unwrap_or_default(),
            )
        })
        .collect()
}

fn random_choice(run: &mut dyn Run, random: &mut Random) -> Option<Choice> {
    let ready: Vec<Pid> =
        (0..run.processes()).map(Pid).filter(|process| run.next(*process).is_ready()).collect();
    if ready.is_empty() {
        return None;
    }
    let process = ready[random.below(ready.len())];
    let alternatives = run.alternatives(process);
    let choice = Choice { process, alternative: random.below(alternatives.count as usize) as u32 };
    if choice.alternative == alternatives.preferred || run.feasible(choice) == Feasible::Yes {
        return Some(choice);
    }
    Some(Choice { alternative: alternatives.preferred, ..choice })
}

fn check(program: &JavaProgram, what: &str) {
    let mut run = program.start(&[]);
    for seed in 1..200u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mark = run.mark();
        let before = (view(&*run), run.outcome(), run.inputs());
        let mut steps: Vec<(Choice, Event, Option<String>)> = Vec::new();
        for _ in 0..random.below(12) + 1 {
            let Some(choice) = random_choice(&mut *run, &mut random) else { break };
            let expected = run.anticipate(choice.process);
            let event = run.step(choice);
            // What is known beforehand of a step is not contradicted by it.
            assert!(expected.len() <= event.footprint.len() + 2, "{what}: {expected:?} {event:?}");
            steps.push((choice, event, Some(run.explain().text)));
        }
        let after = (view(&*run), run.outcome());
        run.undo(mark);
        assert_eq!(
            (view(&*run), run.outcome(), run.inputs()),
            before,
            "{what}, seed {seed}: going back"
        );
        for (choice, event, text) in &steps {
            assert_eq!(run.step(*choice), *event, "{what}, seed {seed}: the same again");
            assert_eq!(Some(run.explain().text), *text, "{what}, seed {seed}");
        }
        assert_eq!((view(&*run), run.outcome()), after, "{what}, seed {seed}: forth again");
        // A second run, on another machine, sees the same.
        if seed % 16 == 0 {
            let mut other = program.start(&[]);
            run.undo(counterpoint_model::Mark(0));
            for _ in 0..60 {
                let Some(choice) = random_choice(&mut *run, &mut random) else { break };
                assert_eq!(run.step(choice), other.step(choice), "{what}, seed {seed}");
                assert_eq!(view(&*run), view(&*other), "{what}, seed {seed}");
            }
            assert_eq!(run.outcome(), other.outcome());
        }
        let ended = random_choice(&mut *run, &mut random).is_none();
        if ended || seed % 7 == 0 {
            run.undo(counterpoint_model::Mark(0));
        }
    }
}

#[test]
fn going_back_and_forth_changes_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let rows: [(&str, &str, &[&str]); 16] = [
        ("explore", "Fib", &["2"]),
        ("explore", "Sections", &["2", "2", "2"]),
        ("explore", "Dining", &["3"]),
        ("explore", "LostUpdate", &[]),
        ("explore", "MissedNotify", &["careful"]),
        ("explore", "Waiters", &["x", "y"]),
        ("explore", "Lazy", &[]),
        ("explore", "Timed", &[]),
        ("explore", "Failures", &["synchronized"]),
        ("threads", "Counter", &[]),
        ("threads", "Buffer", &[]),
        ("threads", "Library", &[]),
        ("threads", "Interrupts", &[]),
        ("inputs", "Updater", &["2"]),
        ("inputs", "Locked", &[]),
        ("inputs", "Elements", &[]),
    ];
    for name in ["explore", "threads", "inputs"] {
        let files = std::fs::read_dir(folder.join(name)).expect("the programs");
        let sources: Vec<PathBuf> = files
            .map(|file| file.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
            .collect();
        let classes = compile(&jdk, &sources, &[]).expect("the programs compile");
        for (_, main, arguments) in rows.iter().filter(|row| row.0 == name) {
            let program = JavaProgram::load(&Target {
                paths: vec![classes.path().to_path_buf()],
                main: Some(main.to_string()),
                arguments: arguments.iter().map(|argument| argument.to_string()).collect(),
                ..Target::default()
            });
            check(&program.expect("it loads"), main);
        }
    }
}
