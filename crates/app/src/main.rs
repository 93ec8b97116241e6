//! The `counterpoint` binary.

use std::process::ExitCode;

use counterpoint_app::front_end::FRONT_ENDS;

fn main() -> ExitCode {
    counterpoint_app::run(FRONT_ENDS, std::env::args_os())
}
