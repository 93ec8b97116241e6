//! `counterpoint outline`: what a source declares and what is wrong with it, as JSON for editors.

use crate::cli::byte_code::ByteCode;
use crate::cli::local::OutlineArguments;
use crate::front_end::outline::Outline;
use crate::front_end::{self, FrontEnd, LoadRequest};
use crate::output;
use crate::trouble::Trouble;

/// Prints the outline. That there are errors in the source is no error of this command.
pub fn run(front_ends: &[FrontEnd], arguments: &OutlineArguments) -> Result<u8, Trouble> {
    let byte_code = ByteCode { class_path: arguments.class_path.clone(), ..ByteCode::default() };
    let request =
        LoadRequest { targets: arguments.targets.clone(), byte_code, ..LoadRequest::default() };
    let front_end = front_end::choose(front_ends, &request)?;
    let outline = match front_end.outline {
        Some(outline) => outline(&request)
            .map_err(|error| Trouble { hint: error.hint, ..Trouble::new(error.message) })?,
        None => Outline::default(),
    };
    let text = serde_json::to_string_pretty(&outline).expect("plain data serialises");
    output::print(&(text + "\n"))?;
    Ok(0)
}
