//! Ctrl-C: the first asks for a graceful end, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What shells expect of a process that was interrupted.
const CODE: i32 = 130;

/// A flag that is set when the user wants to stop.
pub fn flag() -> &'static AtomicBool {
    // A second handler cannot be set; then the first is in force already.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(CODE);
        }
    });
    &INTERRUPTED
}
