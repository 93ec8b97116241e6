//! How long units take and how large they are, for `./bench simulation`: with `COUNTERPOINT_UNIT_LOG` in the environment,
//! a line for each unit in the file of that name.
//!
//! A line has, in microseconds since the exploration began, when the unit was given away and when what came of it was
//! heard; how long its worker worked on it; how deep it begins; how many executions there were; and how many bytes are
//! left of it.

use std::fs::File;
use std::io::Write;
use std::time::Instant;

use super::protocol::Report;

/// The variable that names the file.
const VARIABLE: &str = "COUNTERPOINT_UNIT_LOG";

/// The file, if somebody wants it.
pub struct UnitLog {
    started: Instant,
    file: Option<File>,
}

impl UnitLog {
    /// Of an exploration that began then.
    pub fn new(started: Instant) -> UnitLog {
        let file = std::env::var_os(VARIABLE).and_then(|path| File::create(path).ok());
        UnitLog { started, file }
    }

    /// A unit of so many steps was given away then and has come back.
    pub fn note(&mut self, depth: usize, since: Instant, report: &Report, left: usize) {
        let Some(file) = &mut self.file else { return };
        let micros = |at: Instant| (at - self.started).as_micros();
        let (given, heard) = (micros(since), micros(Instant::now()));
        let (worked, executions) = (report.microseconds, report.statistics().executions);
        // A log that cannot be written is one that nobody reads.
        let _ = writeln!(file, "{given} {heard} {worked} {depth} {executions} {left}");
    }
}
