//! Ctrl-C: the first asks for a graceful end, a second one ends at once.
//!
//! Some tools that stop others, `timeout` among them, signal both a process and its group: it gets
//! the signal twice in an instant. So only what comes a while after the first is a second one.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use counterpoint_model::{Bound, Interrupt};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static FIRST: OnceLock<Instant> = OnceLock::new();

/// What comes within this time belongs to the first.
const SAME: Duration = Duration::from_secs(1);

/// What shells expect of a process that was interrupted.
const CODE: i32 = 130;

/// What explorers and runs look at, inside long steps as well.
pub fn signal() -> Interrupt {
    flag();
    Interrupt::asking(|| INTERRUPTED.load(Ordering::Relaxed).then_some(Bound::Stopped))
}

/// A flag that is set when the user wants to stop.
pub fn flag() -> &'static AtomicBool {
    // A second handler cannot be set; then the first is in force already.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if FIRST.get_or_init(Instant::now).elapsed() > SAME {
            std::process::exit(CODE);
        }
    });
    &INTERRUPTED
}
