//! Workers on this machine: processes with pipes.
//!
//! A thread for each worker passes on what it says. A worker that ends is replaced, unless it never came to work: then
//! there is something that another one would not survive either.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::protocol::{Answer, Order, Task};
use crate::interrupt;

/// How many workers in a row may end before they have loaded the program.
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

    /// What is set when the first one is ready.
    fn ready(&self) -> Arc<AtomicBool>;
}

struct Process {
    child: Child,
    orders: ChildStdin,
    ready: bool,
}

/// Workers that are processes on this machine.
pub struct Pool {
    task: Task,
    processes: BTreeMap<Member, Process>,
    next: Member,
    sender: Sender<(Member, Option<Answer>)>,
    heard: Receiver<(Member, Option<Answer>)>,
    /// Those of whom nobody knows yet.
    joined: Vec<Member>,
    /// Set when the first one is ready.
    ready: Arc<AtomicBool>,
    in_vain: u32,
}

impl Pool {
    /// Starts so many workers. They load the program by themselves.
    pub fn start(jobs: usize, task: Task) -> io::Result<Pool> {
        let (sender, heard) = channel();
        let mut pool = Pool {
            task,
            processes: BTreeMap::new(),
            next: 0,
            sender,
            heard,
            joined: Vec::new(),
            ready: Arc::new(AtomicBool::new(false)),
            in_vain: 0,
        };
        for _ in 0..jobs {
            pool.spawn()?;
        }
        Ok(pool)
    }

    fn spawn(&mut self) -> io::Result<()> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the coordinator.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let orders = child.stdin.take().expect("it is piped");
        let answers = child.stdout.take().expect("it is piped");
        let member = self.next;
        self.next += 1;
        interrupt::count_memory_of(child.id());
        self.processes.insert(member, Process { child, orders, ready: false });
        self.joined.push(member);
        let sender = self.sender.clone();
        let ready = Arc::clone(&self.ready);
        std::thread::Builder::new().name(format!("worker {member}")).spawn(move || {
            for line in BufReader::new(answers).lines() {
                let Some(answer) = line.ok().and_then(|line| serde_json::from_str(&line).ok())
                else {
                    break;
                };
                if matches!(answer, Answer::Ready) {
                    ready.store(true, Ordering::Relaxed);
                }
                if sender.send((member, Some(answer))).is_err() {
                    return;
                }
            }
            let _ = sender.send((member, None));
        })?;
        let task = Box::new(self.task.clone());
        self.order(member, &Order::Load(task));
        Ok(())
    }

    fn remove(&mut self, member: Member) -> Option<Process> {
        let mut process = self.processes.remove(&member)?;
        interrupt::forget_memory_of(process.child.id());
        // It has ended, or is about to.
        let _ = process.child.kill();
        let _ = process.child.wait();
        Some(process)
    }
}

impl Crew for Pool {
    fn order(&mut self, member: Member, order: &Order) {
        let Some(process) = self.processes.get_mut(&member) else { return };
        let mut line = serde_json::to_string(order).expect("plain data serialises");
        line.push('\n');
        // If this fails, the worker has ended, which its reader will find out.
        let _ = process.orders.write_all(line.as_bytes()).and_then(|()| process.orders.flush());
    }

    fn news(&mut self, patience: Duration) -> Option<(Member, News)> {
        if let Some(member) = self.joined.pop() {
            return Some((member, News::Joined));
        }
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
        let was_ready = self.remove(member).is_some_and(|process| process.ready);
        self.in_vain += u32::from(!was_ready);
        if self.in_vain < VAIN {
            // If no other one can be started, the others do the work.
            let _ = self.spawn();
        }
        Some((member, News::Lost))
    }

    fn is_gone(&self) -> bool {
        self.processes.is_empty()
    }

    fn ready(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.ready)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let members: Vec<Member> = self.processes.keys().copied().collect();
        for member in members {
            self.remove(member);
        }
    }
}
