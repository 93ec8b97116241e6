//! `counterpoint step`: walk through a program by hand, as lines of JSON.
//!
//! A state is named by the choices that lead to it from the start, so there is nothing to remember between
//! two questions: each names its choices, and the answer says what happened on the way, what there is now,
//! and what each process that can move would do next. What a step would do is found out by taking it and
//! going back. Going back by hand, branching off and opening a kept state are all the same question.
//!
//! **Cost.** A question costs one replay of its choices, one more to tell them, and one step for each move.

use std::io::{self, BufRead, Write};

use counterpoint_explore::{Failure, Found, PROPERTIES, Replay, follow};
use counterpoint_model::{
    Choice, End, Feasible, Finding, FindingKind, Input, Next, Pid, Place, Program, Run, Schedule,
    Waiting,
};
use serde::{Deserialize, Serialize};

use crate::cli::local::StepArguments;
use crate::drawing;
use crate::front_end::{self, FrontEnd, LoadRequest, Loaded};
use crate::output;
use crate::report::state::PageNode;
use crate::report::{Told, headline, sequence};
use crate::story::{self, Story};
use crate::trouble::Trouble;

/// A question is no longer than this.
const LONGEST_QUESTION: u64 = 4 << 20;

/// How many moves are listed, and how many alternatives of one process.
const MOST_MOVES: usize = 300;
const MOST_ALTERNATIVES: u32 = 50;

/// So many steps with nothing to choose are taken at once.
const MOST_FOLLOWED: usize = 400;

/// So many of the last steps are told.
const MOST_TOLD: usize = 2_000;

/// A question.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The steps to take.
    #[serde(default)]
    choices: Vec<String>,
    /// The values of inputs.
    #[serde(default)]
    inputs: Vec<Input>,
    /// Whether the sequence diagram is wanted.
    #[serde(default)]
    picture: bool,
    /// Whether to go on while there is one step to choose from.
    #[serde(default)]
    follow: bool,
    /// Whether only the moves are wanted, as for a node of a tree.
    #[serde(default)]
    brief: bool,
}

/// An answer.
#[derive(Serialize, Default)]
struct Answer {
    /// The steps that were taken.
    choices: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    ended: Option<&'static str>,
    moves: Vec<Move>,
    waiting: Vec<AnswerWaiting>,
    failures: Vec<AnswerFailure>,
    inputs: Vec<Input>,
    columns: Vec<String>,
    steps: Vec<AnswerStep>,
    state: Vec<PageNode>,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

/// Something that could be done next.
#[derive(Serialize)]
struct Move {
    choice: String,
    process: String,
    text: String,
    fails: bool,
    #[serde(flatten)]
    place: AnswerPlace,
}

#[derive(Serialize, Default)]
struct AnswerPlace {
    file: String,
    line: u32,
}

#[derive(Serialize)]
struct AnswerWaiting {
    process: String,
    what: String,
    whom: Vec<String>,
    #[serde(flatten)]
    place: AnswerPlace,
}

#[derive(Serialize)]
struct AnswerFailure {
    kind: FindingKind,
    title: String,
    #[serde(flatten)]
    place: AnswerPlace,
}

#[derive(Serialize)]
struct AnswerStep {
    number: usize,
    choice: String,
    process: String,
    column: usize,
    text: String,
    /// The lines it ran through, each with its file.
    path: Vec<(String, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    switch: Option<String>,
    output: String,
    #[serde(flatten)]
    place: AnswerPlace,
}

/// Answers questions about the program that the command line names.
pub fn run(front_ends: &[FrontEnd], arguments: &StepArguments) -> Result<u8, Trouble> {
    let mut request = LoadRequest {
        targets: vec![arguments.target.clone()],
        arguments: arguments.rest.clone(),
        main: arguments.main.clone(),
        inputs: arguments.input.clone(),
        byte_code: arguments.byte_code.clone(),
        objects: arguments.objects.clone(),
        ..LoadRequest::default()
    };
    request.sort_words(front_ends)?;
    let (_, loaded) = front_end::load(front_ends, &request)?;
    answer_questions(&loaded)
}

/// Answers questions about a program until there are none.
pub fn answer_questions(loaded: &Loaded) -> Result<u8, Trouble> {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let mut part = io::Read::take(&mut input, LONGEST_QUESTION);
        let read = part.read_until(b'\n', &mut line);
        if read.map_err(|error| Trouble::new(format!("cannot read a question: {error}")))? == 0 {
            return Ok(0);
        }
        if line.len() as u64 == LONGEST_QUESTION {
            return Err(Trouble::new("a question is too long"));
        }
        // A list would be read as the values of a question without their names.
        let asked = serde_json::from_slice::<serde_json::Map<_, _>>(&line);
        let asked = asked.and_then(|asked| serde_json::from_value(asked.into()));
        let answer = match asked {
            Ok(question) => answer(loaded, &question),
            Err(error) => Answer { error: Some(error.to_string()), ..Answer::default() },
        };
        let text = serde_json::to_string(&answer).expect("plain data serialises");
        let mut stream = io::stdout().lock();
        let written = stream.write_all(text.as_bytes()).and_then(|()| stream.write_all(b"\n"));
        if written.and_then(|()| stream.flush()).is_err() {
            return Ok(0);
        }
    }
}

/// Follows the choices as far as they go and tells what there is.
fn answer(loaded: &Loaded, question: &Question) -> Answer {
    let program = &*loaded.program;
    let (mut replay, error) = follow_choices(program, question);
    let mut moves = list_moves(program, &mut *replay.run);
    while question.follow && moves.len() == 1 && replay.events.len() < MOST_FOLLOWED {
        replay.events.push(replay.run.step(moves[0].0));
        moves = list_moves(program, &mut *replay.run);
    }
    let run = &*replay.run;
    let waiting: Vec<Waiting> =
        (0..run.processes()).map(Pid).filter_map(|process| blocked(run, process)).collect();
    let mut properties: Vec<_> = PROPERTIES.iter().map(|entry| (entry.make)()).collect();
    let failures = replay.failures(program, &mut properties);
    let choices: Vec<Choice> = replay.events.iter().map(|event| event.choice).collect();
    let text = |&choice: &Choice| Schedule::step_text(program.names(), choice);
    let mut answer = Answer {
        choices: choices.iter().map(text).collect(),
        error,
        ended: if moves.is_empty() { Some(end(&replay)) } else { None },
        moves: moves.into_iter().map(|(_, told)| told).collect(),
        waiting: waiting.iter().map(|waiting| tell_waiting(program, waiting)).collect(),
        failures: failures.iter().map(|failure| tell_failure(program, failure)).collect(),
        inputs: run.inputs(),
        ..Answer::default()
    };
    if question.brief {
        return answer;
    }
    answer.state = run.inspect().into_iter().map(|node| PageNode::of(program, node)).collect();
    let inputs = question.inputs.clone();
    let finding = Finding {
        // A state is made by all that led to it.
        kind: FindingKind::Reached,
        name: String::new(),
        message: String::new(),
        places: Vec::new(),
        waiting: if answer.ended == Some("complete") { Vec::new() } else { waiting },
        inputs: answer.inputs.clone(),
        schedule: Schedule { program: program.fingerprint(), inputs, choices },
    };
    drop(replay);
    tell_steps(loaded, finding, question.picture, &mut answer);
    answer
}

/// A run that was led along the choices of a question as far as they go, and why not further.
fn follow_choices<'p>(
    program: &'p dyn Program,
    question: &Question,
) -> (Replay<'p>, Option<String>) {
    let run = program.start(&question.inputs);
    let mut replay = Replay { run, events: Vec::new() };
    for text in &question.choices {
        let number = replay.events.len() + 1;
        let choice = Schedule::parse_step(program.names(), text);
        let choice = choice.ok_or_else(|| format!("step {number}: `{text}` names no process"));
        let taken = choice.and_then(|choice| {
            follow(program, &mut *replay.run, number, choice).map_err(|error| error.to_string())
        });
        match taken {
            Ok(event) => replay.events.push(event),
            Err(error) => return (replay, Some(error)),
        }
    }
    (replay, None)
}

/// How a run in which nobody can move has ended.
fn end(replay: &Replay<'_>) -> &'static str {
    match replay.run.end() {
        End::Complete => "complete",
        End::Deadlock => "deadlock",
        End::Stuck => "stuck",
        End::Cut => "cut",
    }
}

/// What each process that can move would do.
fn list_moves(program: &dyn Program, run: &mut dyn Run) -> Vec<(Choice, Move)> {
    let mut ready = Vec::new();
    run.ready(&mut ready);
    let mut moves = Vec::new();
    for process in ready {
        let alternatives = run.alternatives(process);
        for alternative in 0..alternatives.count.min(MOST_ALTERNATIVES) {
            let choice = Choice { process, alternative };
            let possible = alternatives.count == 1
                || alternative == alternatives.preferred
                || run.feasible(choice) == Feasible::Yes;
            if possible && moves.len() < MOST_MOVES {
                moves.push((choice, try_move(program, run, choice)));
            }
        }
    }
    moves
}

/// Takes a step to see what it does, and goes back.
fn try_move(program: &dyn Program, run: &mut dyn Run, choice: Choice) -> Move {
    let op = match run.next(choice.process) {
        Next::Ready(op) | Next::Blocked(op) => Some(op),
        Next::Done => None,
    };
    let mut told = Move {
        choice: Schedule::step_text(program.names(), choice),
        process: program.process_name(choice.process),
        text: op.map(|op| story::describe(program, op)).unwrap_or_default(),
        fails: false,
        place: AnswerPlace::default(),
    };
    if run.rewinds() {
        let mark = run.mark();
        let event = run.step(choice);
        let explanation = run.explain();
        if !explanation.text.is_empty() {
            told.text = explanation.text;
        }
        told.fails = event.fault.is_some();
        told.place = place(program.place(event.site));
        run.undo(mark);
    } else if let Some(site) = run.site(choice.process) {
        told.place = place(program.place(site));
    }
    told
}

fn blocked(run: &dyn Run, process: Pid) -> Option<Waiting> {
    matches!(run.next(process), Next::Blocked(_)).then(|| run.waiting(process))?
}

fn place(place: Place) -> AnswerPlace {
    AnswerPlace { file: place.file, line: place.line }
}

fn tell_waiting(program: &dyn Program, waiting: &Waiting) -> AnswerWaiting {
    AnswerWaiting {
        process: program.process_name(waiting.process),
        what: waiting.what.clone(),
        whom: waiting.whom.iter().map(|&process| program.process_name(process)).collect(),
        place: place(program.place(waiting.site)),
    }
}

fn tell_failure(program: &dyn Program, failure: &Failure) -> AnswerFailure {
    let first = failure.sites.first().map(|&site| program.place(site));
    let headline = headline(failure.kind);
    let title = match failure.message.starts_with(headline) {
        true => failure.message.clone(),
        false => format!("{headline}: {}", failure.message),
    };
    AnswerFailure { kind: failure.kind, title, place: place(first.unwrap_or_default()) }
}

/// Adds the steps, what was printed, and the picture.
fn tell_steps(loaded: &Loaded, finding: Finding, picture: bool, answer: &mut Answer) {
    let program = &*loaded.program;
    let story = match Story::of(program, &finding) {
        Ok(story) => story,
        Err(error) => {
            output::complain(&format!("internal error: a state is lost: {error}\n"));
            return;
        }
    };
    let skipped = story.steps.len().saturating_sub(MOST_TOLD);
    answer.columns.clone_from(&story.columns);
    answer.output = story.steps.iter().map(|step| step.output.as_str()).collect();
    let told = story.steps.iter().zip(&answer.choices).skip(skipped);
    answer.steps = told
        .map(|(step, choice)| AnswerStep {
            number: step.number,
            choice: choice.clone(),
            process: step.process.clone(),
            column: step.column,
            text: step.text.clone(),
            path: step.path.iter().map(|place| (place.file.clone(), place.line)).collect(),
            switch: step.switch.clone(),
            output: step.output.clone(),
            place: place(step.place.clone()),
        })
        .collect();
    if picture {
        let found = Found::new(finding, 0);
        let told = Told { found: &found, story, kept: None };
        let sequence = sequence::of_finding(loaded.pictures.as_deref(), &told);
        answer.picture = Some(drawing::sequence_svg(&sequence));
    }
}
