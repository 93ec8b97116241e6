//! What comes of a schedule on the real virtual machine, and whether it is the failure that was found.

use std::time::{Duration, Instant};

use counterpoint_model::FindingKind;

use super::leader::{Leader, PACE, STEADY, plain_name};
use super::process::Process;
use super::protocol::Activity;
use super::{Departure, Expected};

/// How long to look at what comes of the schedule.
const END: Duration = Duration::from_secs(10);
/// How long a program may take that ends itself, until whoever is held is let go.
const EXITING: Duration = Duration::from_secs(1);
/// Threads that are seen waiting so often in a row wait for ever.
const QUIET: u32 = 4 * STEADY;
/// Threads that go round and round do so for ever if they do so for this long.
const SPINNING: Duration = Duration::from_secs(3);

/// Compares what happens at the end of the schedule with what is expected; the virtual machine's own words
/// for it.
pub fn compare(
    leader: &mut Leader<'_>,
    process: &mut Process,
    expected: &Expected,
) -> Result<String, Departure> {
    match expected.kind {
        FindingKind::Assertion | FindingKind::Exception => failure(leader, process, expected),
        FindingKind::Exit => exit(leader, process, expected),
        FindingKind::Deadlock | FindingKind::Stuck => deadlock(leader, process, expected),
        FindingKind::Race | FindingKind::Reached | FindingKind::Unsupported => {
            Ok("every step of the schedule was taken\n".to_string())
        }
    }
}

fn steps(leader: &Leader<'_>) -> usize {
    leader.itinerary.turns.last().map_or(0, |turn| turn.steps)
}

fn failure(
    leader: &mut Leader<'_>,
    process: &mut Process,
    expected: &Expected,
) -> Result<String, Departure> {
    let steps = steps(leader);
    let until = Instant::now() + END;
    while leader.failed.is_empty() && !leader.over && Instant::now() < until {
        leader.look(PACE)?;
    }
    let Some(&(thread, exception)) = leader.failed.first() else {
        return Err(nothing_fails(leader, steps)?);
    };
    let class = plain_name(&leader.connection.class_of(exception)?).replace('/', ".");
    leader.connection.resume(thread)?;
    let words = process.complaints();
    let other = words.lines().find(|line| line.contains(&class)).unwrap_or(&class);
    if class != expected.name {
        return Err(leader.left(steps, format!("the program fails otherwise: {other}")));
    }
    // A program can print a failure in its own way, or not at all.
    let first = expected.message.lines().next().unwrap_or_default();
    if words.contains("Exception in thread") && !words.contains(first) {
        return Err(leader.left(steps, format!("the program fails otherwise: {other}")));
    }
    Ok(words)
}

/// Nothing has failed, which has a reason if the failing thread sleeps for longer than anybody waits here.
fn nothing_fails(leader: &mut Leader<'_>, steps: usize) -> Result<Departure, Departure> {
    let last = leader.itinerary.turns.last().map(|turn| turn.thread);
    let led = last.and_then(|last| Some((last, *leader.threads.get(&last)?)));
    if let Some((number, led)) = led
        && !led.ended
        && !leader.over
        && leader.connection.activity(led.id)? == Activity::Sleeping
    {
        let name = leader.name(number);
        let how = format!("{name} still sleeps, and in the schedule its time is over");
        return Ok(Departure::Left { steps, how, explained: true });
    }
    Ok(leader.left(steps, "nothing fails".to_string()))
}

fn exit(
    leader: &mut Leader<'_>,
    process: &mut Process,
    expected: &Expected,
) -> Result<String, Departure> {
    let steps = steps(leader);
    let begun = Instant::now();
    while begun.elapsed() < END {
        if let Some(status) = process.ended()? {
            let code = status.code().unwrap_or(-1);
            return match format!("System.exit({code})") == expected.name {
                true => Ok(format!("the virtual machine ends with code {code}\n")),
                false => {
                    Err(leader.left(steps, format!("the virtual machine ends with code {code}")))
                }
            };
        }
        if leader.over || begun.elapsed() > EXITING {
            // Threads that are held in the debugger's code keep the virtual machine from ending.
            leader.connection.close();
            std::thread::sleep(PACE);
        } else {
            leader.look(PACE)?;
        }
    }
    Err(leader.left(steps, "the program does not end itself".to_string()))
}

fn deadlock(
    leader: &mut Leader<'_>,
    process: &mut Process,
    expected: &Expected,
) -> Result<String, Departure> {
    let steps = steps(leader);
    let begun = Instant::now();
    leader.release()?;
    let mut quiet = 0;
    loop {
        let moved = leader.look(PACE)?;
        if leader.over {
            return Err(leader.left(steps, "the program ends".to_string()));
        }
        let mut runs = Vec::new();
        for thread in &expected.waiting {
            let name = leader.name(*thread);
            let Some(led) = leader.threads.get(thread).copied() else {
                return Err(leader.left(steps, format!("{name} has not begun")));
            };
            let activity =
                if led.ended { Activity::Ended } else { leader.connection.activity(led.id)? };
            match activity {
                Activity::Ended => {
                    return Err(leader.left(steps, format!("{name} does not wait for ever")));
                }
                Activity::Running | Activity::Sleeping => runs.push(name),
                Activity::Monitor | Activity::Waiting => {}
            }
        }
        quiet = if moved || !runs.is_empty() { 0 } else { quiet + 1 };
        if quiet >= QUIET || begun.elapsed() > SPINNING {
            let mut words = summary(&process.thread_dump()?, leader, expected);
            for name in runs {
                let seconds = SPINNING.as_secs();
                words += &format!("{name} still runs after {seconds} seconds\n");
            }
            return Ok(words);
        }
    }
}

/// What a list of threads says of those that wait.
fn summary(dump: &str, leader: &Leader<'_>, expected: &Expected) -> String {
    let names: Vec<String> =
        expected.waiting.iter().map(|thread| format!("\"{}\" ", leader.name(*thread))).collect();
    let mut text = String::new();
    let mut blocks = dump.split("\n\n");
    for block in blocks.by_ref() {
        if names.iter().any(|name| block.starts_with(name)) {
            text += &format!("{}\n", block.trim_end());
        }
    }
    if let Some(found) = dump.find("\nFound ") {
        let end = dump.find("\nHeap").unwrap_or(dump.len()).max(found);
        text += &format!("{}\n", dump[found..end].trim());
    }
    text
}
