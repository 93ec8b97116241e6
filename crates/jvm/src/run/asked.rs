//! What a program may ask about its threads, and what it may change for all of them, found in the
//! constants of its classes.
//!
//! That a thread has ended, or waits, or exists, is memory that it shares with whoever asks. In a program
//! in which nobody can ask, the end of a thread is part of its last step and its state is nobody's
//! business, so that there is nothing to explore. Names are enough: a program that mentions one for
//! another reason has a few more steps and the same outcomes.

use crate::classfile::{ClassFile, Constant};

/// Methods that tell whether a thread has ended, beside joins with a time limit.
const ENDS: &[&str] = &["isAlive", "getState", "getThreadGroup", "timedJoin"];
/// Methods that tell which threads there are.
const THREADS: &[&str] = &["activeCount", "enumerate", "getAllStackTraces"];
/// Methods that change what holds for the whole program, or give access to it.
const SETTINGS: &[&str] =
    &["setProperty", "setProperties", "clearProperty", "getProperties", "setDefault"];
/// The enumeration of what threads are doing.
const STATE: &str = "java/lang/Thread$State";

/// What somebody may ask.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked {
    /// What a thread is doing.
    pub states: bool,
    /// Whether a thread has ended, other than by waiting until it has.
    pub ends: bool,
    /// Which threads there are.
    pub threads: bool,
    /// Nothing: it may change properties, the default locale or the default time zone.
    pub settings: bool,
}

impl Asked {
    /// Adds what a class asks. One that cannot be read is complained about when it is loaded.
    pub fn look_through(&mut self, bytes: Vec<u8>) {
        let Ok(file) = ClassFile::parse(bytes) else { return };
        for index in 0..file.pool.count() as u16 {
            match file.pool.get(index) {
                Constant::Text(..) => {
                    let text = file.pool.text(&file.bytes, index).unwrap_or_default();
                    self.states |= text.contains(STATE);
                    self.threads |= THREADS.contains(&text.as_str());
                    self.ends |= ENDS.contains(&text.as_str());
                    self.settings |= SETTINGS.contains(&text.as_str());
                }
                Constant::NameAndType(..) => {
                    let member = file.pool.name_and_type(&file.bytes, index);
                    let timed = |name: &str, of: &str| name == "join" && is_time(of);
                    self.ends |= member.is_some_and(|(name, of)| timed(&name, &of));
                }
                _ => {}
            }
        }
        self.ends |= self.threads | self.states;
    }
}

/// Whether the parameters of a join are a time limit.
fn is_time(descriptor: &str) -> bool {
    matches!(descriptor, "(J)V" | "(JI)V" | "(Ljava/time/Duration;)Z")
}
