//! The `counterpoint` binary.

use std::process::ExitCode;

use counterpoint_app::front_end::FRONT_ENDS;

/// What an error of this tool itself ends with.
const PANICKED: u8 = 101;

fn main() -> ExitCode {
    exit_on_panic();
    let work = || counterpoint_app::run(FRONT_ENDS, std::env::args_os());
    let worker = std::thread::Builder::new().stack_size(counterpoint_app::STACK).spawn(work);
    match worker.map(|worker| worker.join()) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => ExitCode::from(PANICKED),
        Err(_) => work(),
    }
}

/// Ends with an exit code of its own, and no core file, once a panic has told what went wrong.
fn exit_on_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::exit(PANICKED.into());
    }));
}
