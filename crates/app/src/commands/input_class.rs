//! `counterpoint input-class`.

use std::path::Path;

use counterpoint_jvm::load::{INPUT_CLASS, INPUT_SOURCE};

use crate::output;
use crate::trouble::Trouble;

/// Writes the source of the class of inputs below a folder.
pub fn run(folder: &Path) -> Result<u8, Trouble> {
    let path = folder.join(INPUT_CLASS).with_extension("java");
    let package = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(package).map_err(|error| Trouble::file("make", package, &error))?;
    std::fs::write(&path, INPUT_SOURCE).map_err(|error| Trouble::file("write", &path, &error))?;
    output::print(&format!("{}\n", path.display()))?;
    Ok(0)
}
