//! The debug interface of a Java virtual machine, as far as steering threads needs it.
//!
//! **Problem.** A virtual machine that was started for debugging answers commands and reports events over a
//! socket, both in packets of big-endian numbers whose sizes it tells at the beginning.
//!
//! **Idea.** One thread reads packets and sorts them: replies to whoever asked, events into a queue. A
//! [`Connection`] asks one thing at a time.
//!
//! **Invariant.** A reply belongs to the last question. Events come in the order in which they happened.
//!
//! **Paper.** *Java Debug Wire Protocol*, part of the Java platform's specification.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const HANDSHAKE: &[u8] = b"JDWP-Handshake";
const REPLY: u8 = 0x80;
/// Bytes before the data of a packet.
const HEAD: usize = 11;

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(10);

/// Kinds of events.
pub mod event {
    pub const BREAKPOINT: u8 = 2;
    pub const THREAD_START: u8 = 6;
    pub const THREAD_DEATH: u8 = 7;
    pub const CLASS_PREPARE: u8 = 8;
    pub const VM_START: u8 = 90;
    pub const VM_DEATH: u8 = 99;
}

/// What an event suspends.
pub mod suspend {
    pub const THREAD: u8 = 1;
}

/// What a thread is doing, in the machine's numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Activity {
    Ended,
    Running,
    Sleeping,
    /// Waits for a monitor.
    Monitor,
    /// Waits to be woken.
    Waiting,
}

/// Something that has happened in the virtual machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Happening {
    Started,
    Breakpoint { request: u32, thread: u64 },
    ThreadStart { thread: u64 },
    ThreadDeath { thread: u64 },
    ClassPrepare { thread: u64, class: u64, signature: String },
    Ended,
}

/// A method of a loaded class.
#[derive(Clone, Debug)]
pub struct LoadedMethod {
    pub id: u64,
    pub name: String,
    pub descriptor: String,
}

/// An instruction, in the virtual machine's numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub class: u64,
    pub method: u64,
    pub offset: u64,
}

/// Sizes of identifiers, in bytes.
#[derive(Copy, Clone, Debug)]
struct Sizes {
    method: usize,
    object: usize,
    class: usize,
    frame: usize,
}

/// A line to a virtual machine.
pub struct Connection {
    stream: TcpStream,
    replies: Receiver<(u32, u16, Vec<u8>)>,
    events: Receiver<Vec<u8>>,
    queue: VecDeque<Happening>,
    sizes: Sizes,
    questions: u32,
    /// What was asked for: kinds of events, and numbers of requests.
    requests: Vec<(u8, u32)>,
    /// Who gets all packets, once the line was handed over.
    debugger: Arc<Mutex<Option<TcpStream>>>,
}

/// A packet's data, read from the front.
struct Data<'a> {
    bytes: &'a [u8],
    sizes: Sizes,
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the virtual machine's answer cannot be read")
}

impl Data<'_> {
    fn number(&mut self, size: usize) -> io::Result<u64> {
        let (front, rest) = self.bytes.split_at_checked(size).ok_or_else(broken)?;
        self.bytes = rest;
        Ok(front.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn byte(&mut self) -> io::Result<u8> {
        Ok(self.number(1)? as u8)
    }

    fn int(&mut self) -> io::Result<u32> {
        Ok(self.number(4)? as u32)
    }

    fn object(&mut self) -> io::Result<u64> {
        self.number(self.sizes.object)
    }

    fn class(&mut self) -> io::Result<u64> {
        self.number(self.sizes.class)
    }

    fn text(&mut self) -> io::Result<String> {
        let length = self.int()? as usize;
        let (front, rest) = self.bytes.split_at_checked(length).ok_or_else(broken)?;
        self.bytes = rest;
        Ok(String::from_utf8_lossy(front).into_owned())
    }

    fn location(&mut self) -> io::Result<Location> {
        self.byte()?;
        let (class, method) = (self.class()?, self.number(self.sizes.method)?);
        Ok(Location { class, method, offset: self.number(8)? })
    }
}

impl Connection {
    /// Greets a virtual machine and learns how it writes its numbers.
    pub fn open(mut stream: TcpStream) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWER))?;
        stream.write_all(HANDSHAKE)?;
        let mut greeting = [0; HANDSHAKE.len()];
        stream.read_exact(&mut greeting)?;
        if greeting != HANDSHAKE {
            return Err(broken());
        }
        stream.set_read_timeout(None)?;
        let (to_replies, replies) = mpsc::channel();
        let (to_events, events) = mpsc::channel();
        let mut source = stream.try_clone()?;
        let debugger = Arc::new(Mutex::new(None::<TcpStream>));
        let receiver = Arc::clone(&debugger);
        std::thread::spawn(move || {
            while let Ok(packet) = read_packet(&mut source) {
                let mut receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                let Packet { id, flags, code, data } = packet;
                let sent = match flags & REPLY {
                    _ if receiver.is_some() => {
                        let packet = written(id, [flags, (code >> 8) as u8, code as u8], &data);
                        receiver.as_mut().is_some_and(|to| to.write_all(&packet).is_ok())
                    }
                    0 => to_events.send(data).is_ok(),
                    _ => to_replies.send((id, code, data)).is_ok(),
                };
                if !sent {
                    break;
                }
            }
            // A debugger learns that the virtual machine is gone.
            if let Some(to) = receiver.lock().unwrap_or_else(PoisonError::into_inner).take() {
                let _ = to.shutdown(Shutdown::Both);
            }
        });
        let sizes = Sizes { method: 8, object: 8, class: 8, frame: 8 };
        let queue = VecDeque::new();
        let mut connection = Connection {
            stream,
            replies,
            events,
            queue,
            sizes,
            questions: 0,
            requests: Vec::new(),
            debugger,
        };
        let answer = connection.ask(1, 7, &[])?;
        let mut data = connection.data(&answer);
        data.int()?;
        let mut size = || data.int().map(|size| size as usize);
        let (method, object, class, frame) = (size()?, size()?, size()?, size()?);
        connection.sizes = Sizes { method, object, class, frame };
        Ok(connection)
    }

    /// Ends the line.
    pub fn close(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    fn data<'a>(&self, bytes: &'a [u8]) -> Data<'a> {
        Data { bytes, sizes: self.sizes }
    }

    fn ask(&mut self, set: u8, command: u8, data: &[u8]) -> io::Result<Vec<u8>> {
        self.questions += 1;
        let id = self.questions;
        self.stream.write_all(&written(id, [0, set, command], data))?;
        loop {
            let (of, code, answer) = self.replies.recv_timeout(ANSWER).map_err(|_| {
                io::Error::new(io::ErrorKind::TimedOut, "the virtual machine does not answer")
            })?;
            if of != id {
                continue;
            }
            return match code {
                0 => Ok(answer),
                code => Err(io::Error::other(format!(
                    "the virtual machine refuses command {set}.{command} with code {code}"
                ))),
            };
        }
    }

    fn put(&self, to: &mut Vec<u8>, number: u64, size: usize) {
        to.extend(&number.to_be_bytes()[8 - size..]);
    }

    /// What the virtual machine calls itself.
    pub fn version(&mut self) -> io::Result<String> {
        let answer = self.ask(1, 1, &[])?;
        let mut data = self.data(&answer);
        data.text()?;
        let [_, _] = [data.int()?, data.int()?];
        let version = data.text()?;
        let name = data.text()?;
        let maker = if name.starts_with("OpenJDK") { "OpenJDK" } else { &name };
        Ok(format!("{maker} {version}"))
    }

    /// The loaded classes with a signature.
    pub fn classes(&mut self, signature: &str) -> io::Result<Vec<u64>> {
        let mut question = (signature.len() as u32).to_be_bytes().to_vec();
        question.extend(signature.as_bytes());
        let answer = self.ask(1, 2, &question)?;
        let mut data = self.data(&answer);
        let count = data.int()?;
        let mut classes = Vec::new();
        for _ in 0..count {
            data.byte()?;
            let class = data.class()?;
            let status = data.int()?;
            // Others have no code to stop in yet.
            if status & 2 != 0 {
                classes.push(class);
            }
        }
        Ok(classes)
    }

    /// The methods of a class.
    pub fn methods(&mut self, class: u64) -> io::Result<Vec<LoadedMethod>> {
        let mut question = Vec::new();
        self.put(&mut question, class, self.sizes.class);
        let answer = self.ask(2, 5, &question)?;
        let mut data = self.data(&answer);
        let count = data.int()?;
        let mut methods = Vec::new();
        for _ in 0..count {
            let id = data.number(self.sizes.method)?;
            methods.push(LoadedMethod { id, name: data.text()?, descriptor: data.text()? });
            data.int()?;
        }
        Ok(methods)
    }

    /// The signature of an object's class.
    pub fn class_of(&mut self, object: u64) -> io::Result<String> {
        let mut question = Vec::new();
        self.put(&mut question, object, self.sizes.object);
        let answer = self.ask(9, 1, &question)?;
        let mut data = self.data(&answer);
        data.byte()?;
        let class = data.class()?;
        self.signature(class)
    }

    /// All threads.
    pub fn threads(&mut self) -> io::Result<Vec<u64>> {
        let answer = self.ask(1, 4, &[])?;
        let mut data = self.data(&answer);
        let count = data.int()?;
        (0..count).map(|_| data.object()).collect()
    }

    /// What a thread is called.
    pub fn thread_name(&mut self, thread: u64) -> io::Result<String> {
        let question = self.object(thread);
        let answer = self.ask(11, 1, &question)?;
        self.data(&answer).text()
    }

    /// What a thread is doing.
    pub fn activity(&mut self, thread: u64) -> io::Result<Activity> {
        let question = self.object(thread);
        let answer = self.ask(11, 4, &question)?;
        Ok(match self.data(&answer).int()? {
            0 => Activity::Ended,
            2 => Activity::Sleeping,
            3 => Activity::Monitor,
            4 => Activity::Waiting,
            _ => Activity::Running,
        })
    }

    fn object(&self, object: u64) -> Vec<u8> {
        let mut question = Vec::new();
        self.put(&mut question, object, self.sizes.object);
        question
    }

    /// Holds a thread, once more.
    pub fn suspend(&mut self, thread: u64) -> io::Result<()> {
        let question = self.object(thread);
        self.ask(11, 2, &question).map(|_| ())
    }

    /// Lets a thread go that was held once.
    pub fn resume(&mut self, thread: u64) -> io::Result<()> {
        let question = self.object(thread);
        self.ask(11, 3, &question).map(|_| ())
    }

    /// Holds everything, once more.
    pub fn suspend_all(&mut self) -> io::Result<()> {
        self.ask(1, 8, &[]).map(|_| ())
    }

    /// Lets everything go that was held once.
    pub fn resume_all(&mut self) -> io::Result<()> {
        self.ask(1, 9, &[]).map(|_| ())
    }

    /// Asks to be told whenever a thread, or any thread, comes to an instruction; it is held there.
    pub fn stop_at(&mut self, thread: Option<u64>, place: &Location) -> io::Result<u32> {
        let mut modifiers = Vec::new();
        if let Some(thread) = thread {
            modifiers.push(3);
            self.put(&mut modifiers, thread, self.sizes.object);
        }
        modifiers.extend([7, 1]);
        self.put(&mut modifiers, place.class, self.sizes.class);
        self.put(&mut modifiers, place.method, self.sizes.method);
        self.put(&mut modifiers, place.offset, 8);
        let count = 1 + u32::from(thread.is_some());
        self.request(event::BREAKPOINT, suspend::THREAD, count, &modifiers)
    }

    /// The frames of a held thread from the top down: their numbers, and where they are.
    pub fn frames(&mut self, thread: u64) -> io::Result<Vec<(u64, Location)>> {
        let mut question = self.object(thread);
        question.extend(0_u32.to_be_bytes());
        question.extend(u32::MAX.to_be_bytes());
        let answer = self.ask(11, 6, &question)?;
        let mut data = self.data(&answer);
        let count = data.int()?;
        let frame = |_| Ok((data.number(self.sizes.frame)?, data.location()?));
        (0..count).map(frame).collect()
    }

    /// The object in a local variable of a frame.
    pub fn local_object(&mut self, thread: u64, frame: u64, slot: u32) -> io::Result<u64> {
        let mut question = self.object(thread);
        self.put(&mut question, frame, self.sizes.frame);
        question.extend(1_u32.to_be_bytes());
        question.extend(slot.to_be_bytes());
        question.push(b'L');
        let answer = self.ask(16, 1, &question)?;
        let mut data = self.data(&answer);
        data.int()?;
        data.byte()?;
        data.object()
    }

    /// Makes the top method of a held thread return a number of a primitive type.
    pub fn force_return(&mut self, thread: u64, kind: u8, value: u64) -> io::Result<()> {
        let mut question = self.object(thread);
        question.push(kind);
        let size = match kind {
            b'J' => 8,
            b'I' => 4,
            b'C' | b'S' => 2,
            _ => 1,
        };
        self.put(&mut question, value, size);
        self.ask(11, 14, &question).map(|_| ())
    }

    /// The signature of a class.
    pub fn signature(&mut self, class: u64) -> io::Result<String> {
        let mut question = Vec::new();
        self.put(&mut question, class, self.sizes.class);
        let answer = self.ask(2, 1, &question)?;
        self.data(&answer).text()
    }

    /// Asks to be told when a class with this name can be run; the thread concerned is held.
    pub fn tell_class(&mut self, name: &str) -> io::Result<u32> {
        let mut modifiers = vec![5];
        modifiers.extend((name.len() as u32).to_be_bytes());
        modifiers.extend(name.as_bytes());
        self.request(event::CLASS_PREPARE, suspend::THREAD, 1, &modifiers)
    }

    /// Asks to be told when a thread begins, which is then held.
    pub fn tell_starts(&mut self) -> io::Result<u32> {
        self.request(event::THREAD_START, suspend::THREAD, 0, &[])
    }

    /// Asks to be told when a thread ends, which is held then.
    pub fn tell_ends(&mut self) -> io::Result<u32> {
        self.request(event::THREAD_DEATH, suspend::THREAD, 0, &[])
    }

    fn request(&mut self, kind: u8, policy: u8, count: u32, modifiers: &[u8]) -> io::Result<u32> {
        let mut question = vec![kind, policy];
        question.extend(count.to_be_bytes());
        question.extend(modifiers);
        let answer = self.ask(15, 1, &question)?;
        let request = self.data(&answer).int()?;
        self.requests.push((kind, request));
        Ok(request)
    }

    /// Takes back all that was asked for.
    pub fn forget_all(&mut self) -> io::Result<()> {
        for (kind, request) in std::mem::take(&mut self.requests) {
            let mut question = vec![kind];
            question.extend(request.to_be_bytes());
            self.ask(15, 2, &question)?;
        }
        Ok(())
    }

    /// Hands the line over to a debugger that has just connected, until either side ends it.
    pub fn hand_over(mut self, mut debugger: TcpStream) -> io::Result<()> {
        let mut greeting = [0; HANDSHAKE.len()];
        debugger.set_read_timeout(Some(ANSWER))?;
        debugger.read_exact(&mut greeting)?;
        if greeting != HANDSHAKE {
            return Err(io::Error::other("what has connected is not a Java debugger"));
        }
        debugger.set_read_timeout(None)?;
        debugger.set_nodelay(true)?;
        debugger.write_all(HANDSHAKE)?;
        let to = debugger.try_clone()?;
        *self.debugger.lock().unwrap_or_else(PoisonError::into_inner) = Some(to);
        // Whoever ends the line first, it ends.
        let _ = io::copy(&mut debugger, &mut self.stream);
        self.close();
        Ok(())
    }

    /// Takes back what was asked of a breakpoint.
    pub fn forget_stop(&mut self, request: u32) -> io::Result<()> {
        self.requests.retain(|(_, known)| *known != request);
        let mut question = vec![event::BREAKPOINT];
        question.extend(request.to_be_bytes());
        self.ask(15, 2, &question).map(|_| ())
    }

    /// What has happened next, if anything has within this time.
    pub fn next(&mut self, time: Duration) -> io::Result<Option<Happening>> {
        let until = Instant::now() + time;
        loop {
            if let Some(happening) = self.queue.pop_front() {
                return Ok(Some(happening));
            }
            match self.events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.read_events(&bytes)?,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Ok(Some(Happening::Ended)),
            }
        }
    }

    fn read_events(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut data = self.data(bytes);
        data.byte()?;
        let count = data.int()?;
        let mut queue = Vec::new();
        for _ in 0..count {
            let kind = data.byte()?;
            let request = data.int()?;
            queue.push(match kind {
                event::VM_DEATH => Happening::Ended,
                event::VM_START => {
                    data.object()?;
                    Happening::Started
                }
                event::THREAD_START => Happening::ThreadStart { thread: data.object()? },
                event::THREAD_DEATH => Happening::ThreadDeath { thread: data.object()? },
                event::BREAKPOINT => {
                    let thread = data.object()?;
                    data.location()?;
                    Happening::Breakpoint { request, thread }
                }
                event::CLASS_PREPARE => {
                    let thread = data.object()?;
                    data.byte()?;
                    let class = data.class()?;
                    let signature = data.text()?;
                    data.int()?;
                    Happening::ClassPrepare { thread, class, signature }
                }
                _ => return Err(broken()),
            });
        }
        self.queue.extend(queue);
        Ok(())
    }
}

/// A packet of either direction: questions have a command in place of the code.
struct Packet {
    id: u32,
    flags: u8,
    code: u16,
    data: Vec<u8>,
}

fn written(id: u32, kind: [u8; 3], data: &[u8]) -> Vec<u8> {
    let mut packet = Vec::with_capacity(data.len() + HEAD);
    packet.extend(((data.len() + HEAD) as u32).to_be_bytes());
    packet.extend(id.to_be_bytes());
    packet.extend(kind);
    packet.extend(data);
    packet
}

fn read_packet(source: &mut impl Read) -> io::Result<Packet> {
    /// No answer is as long.
    const LONGEST: usize = 1 << 28;
    let mut head = [0; HEAD];
    source.read_exact(&mut head)?;
    let number =
        |from: usize| u32::from_be_bytes(head[from..from + 4].try_into().expect("4 bytes"));
    let length = (number(0) as usize).checked_sub(HEAD).filter(|length| *length < LONGEST);
    let mut data = vec![0; length.ok_or_else(broken)?];
    source.read_exact(&mut data)?;
    let code = u16::from_be_bytes([head[9], head[10]]);
    Ok(Packet { id: number(4), flags: head[8], code, data })
}
