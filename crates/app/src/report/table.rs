//! A schedule as a table with a column for each thread or object.
//!
//! Cells wrap. Where even wrapped columns would be too narrow to read, the table becomes a list with
//! the process's name in each row.

use counterpoint_model::Place;

use crate::look::{Look, Tone, columns, pad, wrap};
use crate::story::{Step, Story};

/// Columns narrower than this cannot be read.
const NARROWEST: usize = 16;

/// How many steps of a long story are shown at its beginning and at its end.
const FIRST: usize = 12;
const LAST: usize = 48;

/// Which steps are shown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// Those that matter to the failure.
    Matter,
    /// All, with the lines they ran through.
    All,
}

/// The table.
pub fn render(look: Look, story: &Story, shown: Shown) -> String {
    let rows = rows(story, shown);
    let layout = Layout::new(look, story, &rows, shown);
    let mut text = layout.head(story);
    for row in &rows {
        text += &layout.row(row, shown);
    }
    text += &layout.standing(story);
    text
}

/// What a line of the table tells.
enum Row<'s> {
    /// Steps that are not shown.
    Gap(usize),
    /// Why the turn passes.
    Switch(String),
    /// A step.
    Step(&'s Step),
}

fn rows(story: &Story, shown: Shown) -> Vec<Row<'_>> {
    let wanted: Vec<&Step> =
        story.steps.iter().filter(|step| shown == Shown::All || step.matters).collect();
    let long = shown == Shown::Matter && wanted.len() > FIRST + LAST;
    let skipped = |index: usize| long && index >= FIRST && index < wanted.len() - LAST;
    let mut rows = Vec::new();
    let mut previous: Option<&Step> = None;
    for (index, step) in wanted.iter().enumerate() {
        if skipped(index) {
            continue;
        }
        let next = previous.map_or(0, |previous| previous.number);
        let between = &story.steps[next..step.number];
        let passed = previous.is_some_and(|previous| previous.process != step.process);
        let reason = between.iter().find_map(|step| step.switch.clone()).filter(|_| passed);
        rows.extend(reason.map(Row::Switch));
        if between.len() > 1 {
            rows.push(Row::Gap(between.len() - 1));
        }
        rows.push(Row::Step(step));
        previous = Some(step);
    }
    let rest = story.steps.len() - previous.map_or(0, |previous| previous.number);
    if rest > 0 {
        rows.push(Row::Gap(rest));
    }
    rows
}

struct Layout {
    look: Look,
    /// Whether all places lie in one file, so that lines suffice.
    one_file: bool,
    number: usize,
    place: usize,
    /// Widths of the processes' columns, or of the name and the text.
    cells: Vec<usize>,
    list: bool,
}

impl Layout {
    fn new(look: Look, story: &Story, rows: &[Row<'_>], shown: Shown) -> Layout {
        let steps =
            || rows.iter().filter_map(|row| if let Row::Step(s) = row { Some(s) } else { None });
        let mut files: Vec<&str> = steps().map(|step| step.place.file.as_str()).collect();
        files.extend(story.standing.iter().map(|standing| standing.place.file.as_str()));
        files.sort_unstable();
        files.dedup();
        let one_file = files.len() <= 1;
        let number = columns(&story.steps.len().to_string()).max(4);
        let places = steps().map(|step| columns(&where_is(&step.place, one_file)));
        let place = places.max().unwrap_or(0).clamp(4, 28);
        let mut natural: Vec<usize> =
            story.columns.iter().map(|name| columns(name).max(8)).collect();
        for step in steps() {
            natural[step.column] = natural[step.column].max(columns(&cell(step, shown)));
        }
        for standing in &story.standing {
            let width = columns(&standing.waits_for) + columns("waits for ");
            natural[standing.column] = natural[standing.column].max(width);
        }
        let room = look.width.saturating_sub(2 + number + 3 + place);
        let names = natural.len();
        let list = names == 0 || names * (NARROWEST + 3) > room;
        let cells = if list {
            let name = steps().map(|step| columns(&step.process)).max().unwrap_or(4);
            let name = name.clamp(4, 24);
            vec![name, room.saturating_sub(name + 6).max(NARROWEST)]
        } else {
            fit(natural, room - 3 * names)
        };
        Layout { look, one_file, number, place, cells, list }
    }

    fn head(&self, story: &Story) -> String {
        let bar = self.look.draw("│", "|");
        let names: Vec<String> = match self.list {
            true => vec!["who".to_string(), "what".to_string()],
            false => story.columns.clone(),
        };
        let heading = if self.one_file { "line" } else { "where" };
        let wrapped: Vec<Vec<String>> =
            names.iter().zip(&self.cells).map(|(name, &width)| wrap(name, width)).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(1);
        let mut text = String::new();
        for index in 0..height {
            let (step, place) = if index == 0 { ("step", heading) } else { ("", "") };
            let mut line = format!("  {step:>0$} {bar} ", self.number);
            line += &pad(place, self.place);
            for (lines, &width) in wrapped.iter().zip(&self.cells) {
                let name = lines.get(index).map(String::as_str).unwrap_or_default();
                line += &format!(" {bar} {}", self.look.paint(Tone::Strong, &pad(name, width)));
            }
            text += line.trim_end();
            text.push('\n');
        }
        let (dash, cross) = (self.look.draw("─", "-"), self.look.draw("┼", "+"));
        let mut rule =
            format!("  {}{cross}{}", dash.repeat(self.number + 1), dash.repeat(self.place + 2));
        for &width in &self.cells {
            rule += &format!("{cross}{}", dash.repeat(width + 2));
        }
        text + rule.trim_end() + "\n"
    }

    fn row(&self, row: &Row<'_>, shown: Shown) -> String {
        match row {
            Row::Gap(steps) => {
                let plural = if *steps == 1 { "" } else { "s" };
                self.remark(Tone::Faint, &format!("({steps} step{plural} not shown)"))
            }
            Row::Switch(why) => {
                let sign = self.look.draw("↷", "~");
                self.remark(Tone::Warn, &format!("{sign} {why}"))
            }
            Row::Step(step) => {
                let place = where_is(&step.place, self.one_file);
                let text = cell(step, shown);
                let tone = step.role.word().map(|_| Tone::Bad);
                let who = (step.column, step.process.as_str());
                self.cells_of(&step.number.to_string(), &place, who, &text, tone)
            }
        }
    }

    /// A line that belongs to no process.
    fn remark(&self, tone: Tone, text: &str) -> String {
        let bar = self.look.draw("│", "|");
        let room = self.look.width.saturating_sub(self.number + 6);
        let mut lines = String::new();
        for line in wrap(text, room) {
            let painted = self.look.paint(tone, &line);
            lines += &format!("  {} {bar} {painted}\n", " ".repeat(self.number));
        }
        lines
    }

    /// The lines of one step.
    fn cells_of(
        &self,
        number: &str,
        place: &str,
        (column, process): (usize, &str),
        text: &str,
        tone: Option<Tone>,
    ) -> String {
        let bar = self.look.draw("│", "|");
        let own = if self.list { 1 } else { column };
        // A list has the name beside the text, so the text need not begin with it.
        let named = text.strip_prefix(process).and_then(|rest| rest.strip_prefix(' '));
        let text = named.filter(|_| self.list).unwrap_or(text);
        let wrapped = wrap(text, self.cells[own]);
        let places = wrap(place, self.place);
        let mut lines = String::new();
        for index in 0..wrapped.len().max(places.len()).max(1) {
            let first = index == 0;
            let mut line = format!("  {:>1$} {bar} ", if first { number } else { "" }, self.number);
            line += &pad(places.get(index).map(String::as_str).unwrap_or_default(), self.place);
            for (cell, &width) in self.cells.iter().enumerate() {
                let content = match (cell == own, self.list && cell == 0 && first) {
                    (true, _) => wrapped.get(index).map(String::as_str).unwrap_or_default(),
                    (_, true) => process,
                    _ => "",
                };
                let padded = pad(content, width);
                let shown = match tone {
                    Some(tone) if cell == own => self.look.paint(tone, &padded),
                    _ => padded,
                };
                line += &format!(" {bar} {shown}");
            }
            lines += line.trim_end();
            lines.push('\n');
        }
        lines
    }

    /// Who waits when the story ends.
    fn standing(&self, story: &Story) -> String {
        let mut text = String::new();
        for standing in &story.standing {
            let place = where_is(&standing.place, self.one_file);
            let what = format!("waits for {}", standing.waits_for);
            let sign = self.look.draw("■", "#");
            let who = (standing.column, standing.process.as_str());
            text += &self.cells_of(sign, &place, who, &what, Some(Tone::Bad));
        }
        text
    }
}

/// What a step did, in one cell.
fn cell(step: &Step, shown: Shown) -> String {
    let mut text = step.text.clone();
    let output = step.output.trim_end();
    if !output.is_empty() {
        text += &format!("; prints {output:?}");
    }
    if let Some(word) = step.role.word() {
        text += &format!("; {word}");
    }
    if shown == Shown::All {
        text += &passed_through(step);
    }
    text
}

/// The lines a step ran through besides its own.
fn passed_through(step: &Step) -> String {
    let others: Vec<String> = step
        .path
        .iter()
        .filter(|place| **place != step.place && place.line > 0)
        .map(|place| place.line.to_string())
        .collect();
    match others.as_slice() {
        [] => String::new(),
        [line] => format!("; then line {line}"),
        lines => format!("; then lines {}", lines.join(", ")),
    }
}

fn where_is(place: &Place, one_file: bool) -> String {
    match (one_file, place.line) {
        (_, 0) => place.to_string(),
        (true, line) => line.to_string(),
        (false, line) => {
            let name = place.file.rsplit(['/', '\\']).next().unwrap_or_default();
            format!("{name}:{line}")
        }
    }
}

/// Widths that fit into the room: what is narrow stays, what is wide shares the rest.
fn fit(natural: Vec<usize>, room: usize) -> Vec<usize> {
    let mut widths = vec![0; natural.len()];
    let mut open: Vec<usize> = (0..natural.len()).collect();
    let mut left = room;
    loop {
        let share = left / open.len().max(1);
        let (narrow, wide): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|&&index| natural[index] <= share);
        for &index in &narrow {
            widths[index] = natural[index];
            left -= natural[index];
        }
        if narrow.is_empty() || wide.is_empty() {
            for &index in &wide {
                widths[index] = share;
            }
            return widths;
        }
        open = wide;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_columns_share_what_narrow_ones_leave() {
        assert_eq!(fit(vec![5, 50, 50], 45), [5, 20, 20]);
        assert_eq!(fit(vec![5, 6, 7], 45), [5, 6, 7]);
        assert_eq!(fit(vec![30, 30], 40), [20, 20]);
    }
}
