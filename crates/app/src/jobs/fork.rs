//! Copies of this process that work for it.
//!
//! **Problem.** A worker needs the program under test, which takes long to load: the JDK's classes, above all. A
//! process that is started afresh begins where this one was half a second ago.
//!
//! **Idea.** A copy of this process (`fork`) has all of it, at the price of some milliseconds. Of the threads
//! there is only the one that made the copy. What the others do (watching signals, memory and workers) is none of a
//! worker's business, and no lock that they may hold is taken by it: the C library sees to that of its allocator, Z3 ends
//! the threads that watch its time before a copy is made and starts others, and the output of this process goes
//! nowhere in the copy. Files that are read while programs run have positions of their own in the copy.
//!
//! **Invariant.** A copy speaks through its end of a connection only and ends when that does, or when this process
//! ends, however that happens. It leaves without any cleaning up that would touch what it shares with this process.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, waitid, waitpid,
};

use crate::events;

/// A copy that somebody has stopped (`SIGSTOP`) is given up after so long, and looked for so often.
const STOPPED: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(500);

/// How long a copy may take to read what it is told, which it does whatever else it does.
const TO_READ: Duration = Duration::from_secs(30);

/// A copy that was made.
pub struct Copy {
    pid: Pid,
    /// Since when it has been stopped, as far as is known.
    stopped: Option<Instant>,
}

impl Copy {
    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Lets it end, if it has not ended yet, and does not wait for that.
    pub fn kill(&self) {
        let _ = kill_process(self.pid, Signal::KILL);
    }

    /// Lets it end if it has been stopped for long: nobody knows whether it will ever go on.
    fn kill_if_stopped(&mut self) {
        let look = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let is_stopped = matches!(waitid(WaitId::Pid(self.pid), look), Ok(Some(_)));
        let since = self.stopped.filter(|_| is_stopped);
        self.stopped = is_stopped.then(|| since.unwrap_or_else(Instant::now));
        if since.is_some_and(|since| since.elapsed() >= STOPPED) {
            self.kill();
        }
    }

    /// Ends it, if it has not ended yet.
    pub fn end(self) {
        self.kill();
        let _ = waitpid(Some(self.pid), WaitOptions::empty());
    }
}

/// Looks from time to time for copies that were stopped, so that nobody waits for them for ever.
pub struct Lookout {
    next: Instant,
}

impl Lookout {
    /// For copies that are made now.
    pub fn new() -> Lookout {
        Lookout { next: Instant::now() + LOOK }
    }

    /// If it is time, lets those end that have been stopped for long.
    pub fn look<'c>(&mut self, copies: impl Iterator<Item = &'c mut Copy>) {
        if Instant::now() >= self.next {
            copies.for_each(Copy::kill_if_stopped);
            self.next = Instant::now() + LOOK;
        }
    }
}

/// Makes a copy of this process that does some work and ends, and the connection to it.
pub fn fork(work: impl FnOnce(UnixStream)) -> io::Result<(Copy, UnixStream)> {
    let (here, there) = UnixStream::pair()?;
    here.set_write_timeout(Some(TO_READ))?;
    // SAFETY: the copy has one thread, this one, and takes no lock that another one may have held (see above).
    let pid = unsafe { libc::fork() };
    match Pid::from_raw(pid) {
        _ if pid < 0 => Err(io::Error::last_os_error()),
        Some(pid) => Ok((Copy { pid, stopped: None }, here)),
        None => {
            drop(here);
            stand_alone();
            work(there);
            leave();
        }
    }
}

/// Ends a copy at once.
pub fn leave() -> ! {
    // SAFETY: it ends the process, and nothing else.
    unsafe { libc::_exit(0) }
}

/// Makes a new copy independent of what its original does with signals and streams.
fn stand_alone() {
    std::panic::set_hook(Box::new(|_| leave()));
    // Ctrl-C is for the original; whatever happens to that, its copies end with it.
    let _ = rustix::process::setpgid(None, None);
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the default action replaces a handler whose thread is not here.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    if let Ok(nowhere) = File::options().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&nowhere);
        let _ = rustix::stdio::dup2_stdout(&nowhere);
        let _ = rustix::stdio::dup2_stderr(&nowhere);
    }
    events::silence();
}
