//! `counterpoint list`: what there is, straight from the tables.

use counterpoint_explore::{EXPLORERS, PROPERTIES};

use crate::cli::LookArguments;
use crate::front_end::FrontEnd;
use crate::look::{Look, Tone, wrap};
use crate::output;
use crate::report::REPORTS;
use crate::trouble::Trouble;

/// Prose wider than this is hard to read.
const PROSE: usize = 100;

/// Prints the tables.
pub fn run(front_ends: &[FrontEnd], arguments: &LookArguments) -> Result<u8, Trouble> {
    output::print(&render(front_ends, Look::of_stdout(arguments)))?;
    Ok(0)
}

/// The text of the tables.
pub fn render(front_ends: &[FrontEnd], look: Look) -> String {
    let mut text = String::new();
    let explorers: Vec<_> = EXPLORERS
        .iter()
        .enumerate()
        .map(|(index, explorer)| {
            let default = if index == 0 { " (the default)" } else { "" };
            let flags: Vec<String> =
                explorer.parameters.iter().map(|own| format!("--{}", own.name)).collect();
            let takes = match flags.is_empty() {
                true => String::new(),
                false => format!(" Takes {}.", flags.join(" and ")),
            };
            (format!("{}{default}", explorer.name), format!("{}{takes}", explorer.about))
        })
        .collect();
    text += &section(look, "Explorers (--explorer NAME)", &explorers);
    let properties: Vec<_> = PROPERTIES
        .iter()
        .map(|property| {
            let asked = if property.default { "" } else { " (when asked for: --races)" };
            (format!("{}{asked}", property.name), property.about.to_string())
        })
        .collect();
    text += &section(look, "Properties (--property NAME)", &properties);
    let mut reductions = Vec::new();
    for front_end in front_ends {
        for (index, reduction) in front_end.reductions.iter().enumerate() {
            let default = if index == 0 { ", the default" } else { "" };
            let name = format!("{} ({}{default})", reduction.name, front_end.name);
            reductions.push((name, reduction.about.to_string()));
        }
    }
    if !reductions.is_empty() {
        text += &section(look, "Reductions for active objects (--reduction LEVEL)", &reductions);
    }
    let languages: Vec<_> = front_ends
        .iter()
        .map(|front_end| {
            let about = format!("{} Takes {}.", front_end.about, front_end.targets);
            (front_end.name.to_string(), about)
        })
        .collect();
    text += &section(look, "Front ends (chosen by the look of TARGET)", &languages);
    let reports: Vec<_> =
        REPORTS.iter().map(|report| (report.flag.to_string(), report.about.to_string())).collect();
    text += &section(look, "Reports", &reports);
    text.trim_end().to_string() + "\n"
}

fn section(look: Look, title: &str, entries: &[(String, String)]) -> String {
    let mut text = format!("{}\n", look.paint(Tone::Strong, title));
    for (name, about) in entries {
        text += &format!("  {}\n", look.paint(Tone::Good, name));
        for line in wrap(about, look.width.min(PROSE) - 6) {
            text += &format!("      {line}\n");
        }
    }
    text + "\n"
}
