//! Workers on this machine: copies of this process.
//!
//! A thread for each worker passes on what it says. A worker that ends is replaced, unless it never came to work: then
//! there is something that another one would not survive either. One that somebody stops, and does not let go on, counts as
//! one that has ended.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::fork::{Copy, Lookout, fork};
use super::protocol::{Answer, Order};
use super::worker;
use crate::interrupt;
use crate::job::Job;

/// How many workers in a row may end before they were ready.
const VAIN: u32 = 3;

/// A worker, by its number.
pub type Member = u64;

/// What is new about a worker.
pub enum News {
    /// It was started.
    Joined,
    /// It has said something.
    Said(Box<Answer>),
    /// It has ended.
    Lost,
}

/// Those who work.
pub trait Crew {
    /// Gives an order. If the worker has ended, there will be news about that.
    fn order(&mut self, member: Member, order: &Order);

    /// Waits for news, at most so long. `None` if there are none.
    fn news(&mut self, patience: Duration) -> Option<(Member, News)>;

    /// Whether there is nobody left and nobody will come.
    fn is_gone(&self) -> bool;

    /// What is set when the first one is ready, if that takes so long that something can be done meanwhile.
    fn ready(&self) -> Option<Arc<AtomicBool>>;
}

struct Process {
    copy: Copy,
    orders: UnixStream,
    ready: bool,
}

/// Workers that are processes on this machine.
pub struct Pool<'a> {
    /// What they work on.
    job: Job<'a>,
    processes: BTreeMap<Member, Process>,
    next: Member,
    sender: Sender<(Member, Option<Answer>)>,
    heard: Receiver<(Member, Option<Answer>)>,
    /// Those of whom nobody knows yet.
    joined: Vec<Member>,
    in_vain: u32,
    lookout: Lookout,
}

impl<'a> Pool<'a> {
    /// Starts so many workers for a job.
    pub fn start(jobs: usize, job: Job<'a>) -> io::Result<Pool<'a>> {
        let (sender, heard) = channel();
        let mut pool = Pool {
            job,
            processes: BTreeMap::new(),
            next: 0,
            sender,
            heard,
            joined: Vec::new(),
            in_vain: 0,
            lookout: Lookout::new(),
        };
        for _ in 0..jobs {
            pool.spawn()?;
        }
        Ok(pool)
    }

    fn spawn(&mut self) -> io::Result<()> {
        let Pool { job, processes, .. } = self;
        let (copy, orders) = fork(|connection| {
            // The connections to the others are none of its business.
            processes.clear();
            worker::serve(job, connection);
        })?;
        let answers = orders.try_clone()?;
        let member = self.next;
        self.next += 1;
        interrupt::count_memory_of(copy.id());
        self.processes.insert(member, Process { copy, orders, ready: false });
        self.joined.push(member);
        let sender = self.sender.clone();
        std::thread::Builder::new().name(format!("worker {member}")).spawn(move || {
            for line in BufReader::new(answers).lines() {
                let answer = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                let Some(answer) = answer else { break };
                if sender.send((member, Some(answer))).is_err() {
                    return;
                }
            }
            let _ = sender.send((member, None));
        })?;
        Ok(())
    }

    /// Whether the worker had come to work.
    fn remove(&mut self, member: Member) -> bool {
        let Some(process) = self.processes.remove(&member) else { return false };
        interrupt::forget_memory_of(process.copy.id());
        process.copy.end();
        process.ready
    }
}

impl Crew for Pool<'_> {
    fn order(&mut self, member: Member, order: &Order) {
        let Some(process) = self.processes.get_mut(&member) else { return };
        let mut line = serde_json::to_string(order).expect("plain data serialises");
        line.push('\n');
        // If this fails, the worker has ended, or was stopped and has read a part of it. Its reader finds out that it is gone.
        if process.orders.write_all(line.as_bytes()).is_err() {
            process.copy.kill();
        }
    }

    fn news(&mut self, patience: Duration) -> Option<(Member, News)> {
        if let Some(member) = self.joined.pop() {
            return Some((member, News::Joined));
        }
        self.lookout.look(self.processes.values_mut().map(|process| &mut process.copy));
        let (member, answer) = match self.heard.recv_timeout(patience) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        };
        if let Some(answer) = answer {
            if let (Answer::Ready, Some(process)) = (&answer, self.processes.get_mut(&member)) {
                process.ready = true;
                self.in_vain = 0;
            }
            return Some((member, News::Said(Box::new(answer))));
        }
        self.in_vain += u32::from(!self.remove(member));
        if self.in_vain < VAIN {
            // If no other one can be started, the others do the work.
            let _ = self.spawn();
        }
        Some((member, News::Lost))
    }

    fn is_gone(&self) -> bool {
        self.processes.is_empty()
    }

    fn ready(&self) -> Option<Arc<AtomicBool>> {
        None
    }
}

impl Drop for Pool<'_> {
    fn drop(&mut self) {
        let members: Vec<Member> = self.processes.keys().copied().collect();
        // All at once: the memory of a process takes a moment to be given back.
        self.processes.values().for_each(|process| process.copy.kill());
        for member in members {
            self.remove(member);
        }
    }
}
