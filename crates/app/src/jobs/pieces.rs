//! Numbered pieces of work, done by copies of this process.
//!
//! **Problem.** Tests of a project, methods to be tested, cycles of waiting to be searched for: each is a piece of work
//! by itself. They are to be done several at once, and told in their order, as if one after another.
//!
//! **Idea.** Copies of the process ([`fork`](super::fork)) take one piece after another and say what came of it as
//! JSON. What came of a piece is handed on when all before it were.
//!
//! **Faults.** A piece whose copy dies, or is stopped and not let go on, is done again by another one, and given up when it
//! has cost three.
//!
//! **Cost.** A copy takes some milliseconds, a piece two lines of JSON.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use counterpoint_model::Interrupt;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::fork::{Copy, Lookout, fork, leave};
use crate::interrupt;

/// How often it is looked whether somebody wants to stop.
const PACE: Duration = Duration::from_millis(20);

/// A piece is given up when it has cost so many copies.
const MOST_LOSSES: u32 = 3;

/// What a copy reads when it is to come to an end.
const STOP: &str = "stop";

/// What became of a piece.
pub enum Piece<R> {
    /// It was done.
    Done(R),
    /// It was not begun.
    Left,
    /// Whoever did it died, again and again.
    Fatal,
}

/// Does pieces of work, so many at once. `prepare` gives what a piece needs to know when its turn comes, or nothing if it
/// need not be done any more; `work` does it; `told` hears of each in order, and may end it all.
pub fn each<A, R>(
    jobs: usize,
    count: usize,
    mut prepare: impl FnMut(usize) -> Option<A>,
    work: impl Fn(usize, A) -> R,
    mut told: impl FnMut(usize, Piece<R>) -> ControlFlow<()>,
) where
    A: Serialize + DeserializeOwned,
    R: Serialize + DeserializeOwned,
{
    if jobs.min(count) > 1 {
        let mut copies = Copies::new(&work);
        if (0..jobs.min(count)).all(|_| copies.add().is_ok()) {
            return copies.work_off(count, &mut prepare, &mut told);
        }
    }
    for number in 0..count {
        let piece = match prepare(number) {
            Some(argument) => Piece::Done(work(number, argument)),
            None => Piece::Left,
        };
        if told(number, piece).is_break() {
            return;
        }
    }
}

struct Member {
    copy: Copy,
    orders: UnixStream,
    piece: Option<usize>,
}

struct Copies<'w, W> {
    work: &'w W,
    members: BTreeMap<u64, Member>,
    next: u64,
    sender: Sender<(u64, Option<String>)>,
    heard: Receiver<(u64, Option<String>)>,
    interrupt: Interrupt,
    lookout: Lookout,
}

impl<'w, W> Copies<'w, W> {
    fn new(work: &'w W) -> Copies<'w, W> {
        let (sender, heard) = channel();
        let interrupt = interrupt::signal();
        let lookout = Lookout::new();
        Copies { work, members: BTreeMap::new(), next: 0, sender, heard, interrupt, lookout }
    }

    /// Makes a copy.
    fn add<A, R>(&mut self) -> io::Result<()>
    where
        W: Fn(usize, A) -> R,
        A: DeserializeOwned,
        R: Serialize,
    {
        let Copies { work, members, .. } = self;
        let (copy, orders) = fork(|connection| {
            members.clear();
            let _ = serve(*work, connection);
        })?;
        let answers = orders.try_clone()?;
        interrupt::count_memory_of(copy.id());
        let number = self.next;
        self.next += 1;
        self.members.insert(number, Member { copy, orders, piece: None });
        let sender = self.sender.clone();
        std::thread::Builder::new().name(format!("copy {number}")).spawn(move || {
            for line in BufReader::new(answers).lines() {
                let Ok(line) = line else { break };
                if sender.send((number, Some(line))).is_err() {
                    return;
                }
            }
            let _ = sender.send((number, None));
        })?;
        Ok(())
    }

    fn remove(&mut self, number: u64) -> Option<usize> {
        let member = self.members.remove(&number)?;
        interrupt::forget_memory_of(member.copy.id());
        member.copy.end();
        member.piece
    }

    fn work_off<A, R>(
        &mut self,
        count: usize,
        prepare: &mut impl FnMut(usize) -> Option<A>,
        told: &mut impl FnMut(usize, Piece<R>) -> ControlFlow<()>,
    ) where
        W: Fn(usize, A) -> R,
        A: Serialize + DeserializeOwned,
        R: Serialize + DeserializeOwned,
    {
        let mut open: Vec<usize> = (0..count).rev().collect();
        let mut losses = vec![0; count];
        let mut done: BTreeMap<usize, Piece<R>> = BTreeMap::new();
        let mut next = 0;
        let mut stopped = false;
        loop {
            self.hand_out(&mut open, prepare, &mut done);
            while let Some(piece) = done.remove(&next) {
                if told(next, piece).is_break() {
                    return;
                }
                next += 1;
            }
            if next == count {
                return;
            }
            if !stopped && self.interrupt.poll() {
                stopped = true;
                for member in self.members.values_mut() {
                    let _ = writeln!(member.orders, "{STOP}");
                }
            }
            self.lookout.look(self.members.values_mut().map(|member| &mut member.copy));
            match self.heard.recv_timeout(PACE) {
                Ok((number, Some(line))) => {
                    let Some(member) = self.members.get_mut(&number) else { continue };
                    let Some(piece) = member.piece.take() else { continue };
                    let result = serde_json::from_str(&line).map_or(Piece::Fatal, Piece::Done);
                    done.insert(piece, result);
                }
                Ok((number, None)) => {
                    if let Some(piece) = self.remove(number) {
                        losses[piece] += 1;
                        match losses[piece] < MOST_LOSSES {
                            true => open.push(piece),
                            false => drop(done.insert(piece, Piece::Fatal)),
                        }
                    }
                    let others = self.members.len();
                    if self.add().is_err() && others == 0 {
                        // Nobody is left who could do it.
                        open.drain(..).for_each(|piece| drop(done.insert(piece, Piece::Left)));
                    }
                }
                Err(_) => {}
            }
        }
    }

    /// Gives pieces to all who have none.
    fn hand_out<A, R>(
        &mut self,
        open: &mut Vec<usize>,
        prepare: &mut impl FnMut(usize) -> Option<A>,
        done: &mut BTreeMap<usize, Piece<R>>,
    ) where
        A: Serialize,
    {
        for member in self.members.values_mut().filter(|member| member.piece.is_none()) {
            while let Some(piece) = open.pop() {
                let Some(argument) = prepare(piece) else {
                    done.insert(piece, Piece::Left);
                    continue;
                };
                member.piece = Some(piece);
                let line = serde_json::to_string(&(piece, argument));
                let line = line.expect("plain data serialises");
                // If this fails, the copy has ended, or was stopped and has read a part of it. Its reader finds out that it is
                // gone.
                if writeln!(member.orders, "{line}").is_err() {
                    member.copy.kill();
                }
                break;
            }
        }
    }
}

impl<W> Drop for Copies<'_, W> {
    fn drop(&mut self) {
        let members: Vec<u64> = self.members.keys().copied().collect();
        self.members.values().for_each(|member| member.copy.kill());
        for number in members {
            self.remove(number);
        }
    }
}

/// Does pieces for the process that this one is a copy of. When that hangs up, this one ends.
fn serve<A: DeserializeOwned, R: Serialize>(
    work: impl Fn(usize, A) -> R,
    connection: UnixStream,
) -> io::Result<()> {
    let mut answers = connection.try_clone()?;
    let (sender, pieces) = channel();
    std::thread::Builder::new().name("pieces".into()).spawn(move || {
        for line in BufReader::new(connection).lines() {
            let Ok(line) = line else { break };
            if line == STOP {
                interrupt::stop();
            } else if sender.send(line).is_err() {
                break;
            }
        }
        leave();
    })?;
    while let Ok(line) = pieces.recv() {
        let (piece, argument) = serde_json::from_str(&line)?;
        let result = serde_json::to_string(&work(piece, argument))?;
        writeln!(answers, "{result}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    /// What came of ten pieces, so many at once, until one has come to this.
    fn results(jobs: usize, last: usize) -> Vec<Option<usize>> {
        let mut results = Vec::new();
        each(
            jobs,
            10,
            |piece| (piece != 7).then_some(piece * 2),
            |piece, argument| {
                // Early pieces take longest, and one is deadly to whoever is a copy.
                std::thread::sleep(Duration::from_millis(20 - 2 * piece as u64));
                if piece == 4 && jobs > 1 {
                    leave();
                }
                piece + argument
            },
            |piece, result| {
                results.push(match result {
                    Piece::Done(sum) => Some(sum),
                    Piece::Left => None,
                    Piece::Fatal => Some(usize::MAX),
                });
                if piece == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        results
    }

    #[test]
    fn a_piece_whose_copy_is_stopped_is_done_by_another_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mark = folder.path().join("stopped");
        let mut results = Vec::new();
        each(
            2,
            4,
            Some,
            |piece, argument: usize| {
                if piece == 1 && File::create_new(&mark).is_ok() {
                    let _ = rustix::process::kill_process(
                        rustix::process::getpid(),
                        rustix::process::Signal::STOP,
                    );
                }
                2 * argument
            },
            |_, result| {
                results.push(if let Piece::Done(result) = result { Some(result) } else { None });
                ControlFlow::Continue(())
            },
        );
        assert_eq!(results, [Some(0), Some(2), Some(4), Some(6)]);
    }

    #[test]
    fn results_come_in_order_whoever_is_fast_and_whoever_dies() {
        let alone = results(1, 9);
        let expected: Vec<Option<usize>> =
            (0..10).map(|piece| (piece != 7).then_some(3 * piece)).collect();
        assert_eq!(alone, expected);
        let mut shared = results(3, 9);
        assert_eq!(shared[4], Some(usize::MAX));
        shared[4] = alone[4];
        assert_eq!(shared, alone);
        assert_eq!(results(3, 2), alone[..=2]);
    }
}
