//! What can be wrong with an execution.

use serde::{Deserialize, Serialize};

use crate::{Input, Pid, Place, Schedule, Site};

/// The kinds of failure.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// An assertion of the program failed.
    Assertion,
    /// An exception that nobody caught, or another fault of the program.
    Exception,
    /// Nobody can move and somebody is not done.
    Deadlock,
    /// Two unordered accesses to one location, one of them a write.
    Race,
    /// A task that waits for a condition that can never hold, without a cycle of waiting.
    Stuck,
    /// The program ended itself with a failure code.
    Exit,
    /// A state that the user asked for can be reached: not a bug by itself.
    Reached,
    /// The program needs something that the front end does not provide: not a bug of the program.
    Unsupported,
}

impl FindingKind {
    /// The word used in result files.
    pub fn word(self) -> &'static str {
        match self {
            FindingKind::Assertion => "assertion",
            FindingKind::Exception => "exception",
            FindingKind::Deadlock => "deadlock",
            FindingKind::Race => "race",
            FindingKind::Stuck => "stuck",
            FindingKind::Exit => "exit",
            FindingKind::Reached => "reached",
            FindingKind::Unsupported => "unsupported",
        }
    }
}

/// A failure inside one step, reported by the run in its event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fault {
    /// What kind of failure.
    pub kind: FindingKind,
    /// What happened, in one line.
    pub message: String,
    /// Where in the code.
    pub site: Site,
}

/// Who waits for what, at the end of a run that cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The process that waits.
    pub process: Pid,
    /// What it waits for, as in "lock a" or "thread t1 to end".
    pub what: String,
    /// The processes that could let it go on, where the run knows them: the holder of the lock,
    /// the thread to be joined, the task that owns the future.
    pub whom: Vec<Pid>,
    /// Where it waits.
    pub site: Site,
}

/// A failure with the evidence that reproduces it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind of failure.
    pub kind: FindingKind,
    /// What happened, in one line, the same for every schedule that shows it.
    pub message: String,
    /// The places involved: the failing line, both accesses of a race, where each process waits.
    pub places: Vec<Place>,
    /// For a deadlock, who waits for whom.
    pub waiting: Vec<Waiting>,
    /// The input values that show it.
    pub inputs: Vec<Input>,
    /// The schedule that shows it.
    pub schedule: Schedule,
}

impl Finding {
    /// Whether two findings are told as one.
    pub fn same_failure(&self, other: &Finding) -> bool {
        let messages = [&*self.message, &*other.message];
        self.kind == other.kind
            && (told_as_one(self.kind, messages, [&self.places, &other.places])
                || wait_in_one_cycle(&self.waiting, &other.waiting))
    }
}

/// Whether two failures of a kind are the same failure at the same places, told once with a count:
/// whichever of several like threads and objects are concerned, and whatever values an exception
/// speaks of.
pub fn told_as_one<P: Ord>(kind: FindingKind, messages: [&str; 2], places: [&[P]; 2]) -> bool {
    let [one, other] = messages;
    let alike = one == other
        || match kind {
            // The message says who waits; where they wait is what counts.
            FindingKind::Deadlock | FindingKind::Stuck => true,
            FindingKind::Race => without_owners(one) == without_owners(other),
            _ => failure_name(one) == failure_name(other),
        };
    alike && same_in_any_order(places)
}

/// Whether processes wait for each other in cycles at the same places in both, whoever waits for them
/// besides. The cycle is what has to be mended; bystanders come in as many combinations as there are.
pub fn wait_in_one_cycle(one: &[Waiting], other: &[Waiting]) -> bool {
    let cycle = cycle_sites(one);
    !cycle.is_empty() && cycle == cycle_sites(other)
}

/// Where the processes that wait for each other in cycles do so, in order.
fn cycle_sites(waiting: &[Waiting]) -> Vec<Site> {
    let place = |pid: Pid| waiting.iter().position(|waiting| waiting.process == pid);
    let is_in_cycle = |start: usize| {
        let mut met = vec![false; waiting.len()];
        let mut work = vec![start];
        while let Some(index) = work.pop() {
            for next in waiting[index].whom.iter().filter_map(|&pid| place(pid)) {
                if next == start {
                    return true;
                }
                if !std::mem::replace(&mut met[next], true) {
                    work.push(next);
                }
            }
        }
        false
    };
    let members = (0..waiting.len()).filter(|&index| is_in_cycle(index));
    let mut sites: Vec<Site> = members.map(|index| waiting[index].site).collect();
    sites.sort_unstable();
    sites
}

fn same_in_any_order<P: Ord>([one, other]: [&[P]; 2]) -> bool {
    let sorted = |places: &'_ [P]| {
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&index| &places[index]);
        order
    };
    one == other
        || one.len() == other.len()
            && sorted(one).iter().zip(sorted(other)).all(|(&a, b)| one[a] == other[b])
}

/// A message about a variable without what tells like objects, array elements and their makers apart:
/// `Node#.next` for `worker:Node#2.next`, and `table[]` for `table[7]`.
fn without_owners(message: &str) -> String {
    let mut text = String::new();
    for word in message.split(' ') {
        let (word, colon) = match word.strip_suffix(':') {
            Some(word) => (word, ":"),
            None => (word, ""),
        };
        let mut number = false;
        for letter in word.rsplit(':').next().unwrap_or(word).chars() {
            number = matches!(letter, '#' | '[') || number && letter.is_ascii_digit();
            if !number || !letter.is_ascii_digit() {
                text.push(letter);
            }
        }
        text += colon;
        text.push(' ');
    }
    text
}

/// What a message calls the failure: the word before a colon, as exceptions begin with, or all of it.
/// What an exception says besides may be another thing in every execution.
pub fn failure_name(message: &str) -> &str {
    match message.split_once(": ") {
        Some((name, _)) if !name.contains(char::is_whitespace) => name,
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bystanders_do_not_make_another_cycle() {
        let waits = |process, whom: &[u32], site| Waiting {
            process: Pid(process),
            what: String::new(),
            whom: whom.iter().copied().map(Pid).collect(),
            site: Site(site),
        };
        let cycle = [waits(1, &[2], 10), waits(2, &[1], 20)];
        let watched = [waits(0, &[1], 5), waits(1, &[2], 10), waits(2, &[1], 20)];
        let elsewhere = [waits(1, &[2], 10), waits(2, &[1], 21)];
        let chain = [waits(0, &[1], 5), waits(1, &[7], 10)];
        assert!(wait_in_one_cycle(&cycle, &watched));
        assert!(!wait_in_one_cycle(&cycle, &elsewhere));
        assert!(!wait_in_one_cycle(&chain, &chain));
        assert!(!wait_in_one_cycle(&chain, &cycle));
    }

    #[test]
    fn like_failures_are_told_once() {
        let cases = [
            (FindingKind::Deadlock, "a and b wait", "a and c wait", true),
            (
                FindingKind::Race,
                "data race on a[1]: one reads",
                "data race on a[22]: one reads",
                true,
            ),
            (FindingKind::Race, "race on T-1:Node#1.next", "race on T-2:Node#3.next", true),
            (FindingKind::Race, "data race on x1: one reads", "data race on x2: one reads", false),
            (
                FindingKind::Race,
                "data race on a[1]: one reads",
                "data race on a[1]: one writes",
                false,
            ),
            (FindingKind::Exception, "Late: by 1", "Late: by 2", true),
            (FindingKind::Exception, "Late: by 1", "Early: by 1", false),
            (FindingKind::Assertion, "assertion failed", "assertion failed", true),
        ];
        for (kind, one, other, expected) in cases {
            assert_eq!(
                told_as_one(kind, [one, other], [&[1, 2], &[2, 1]]),
                expected,
                "{one} {other}"
            );
            assert!(!told_as_one(kind, [one, one], [&[1, 2], &[1, 1]]), "{one}");
            assert!(!told_as_one(kind, [one, one], [&[1, 2], &[1, 2, 2]]), "{one}");
        }
    }
}
