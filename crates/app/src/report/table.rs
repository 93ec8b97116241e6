//! A schedule as a table with a column for each thread or object.
//!
//! What a process does in one line of its source without being interrupted is one row: each variable
//! is told once, with what was read if it was not written, and inside a call of library code only
//! what is left at its end. Cells wrap. Where even wrapped columns would be too
//! narrow to read, the table becomes a list with the process's name in each row.

use counterpoint_model::{Location, Place};
use rustc_hash::FxHashSet;

use crate::look::{Look, Tone, columns, pad, thousands, wrap};
use crate::story::{Role, Step, Story};

/// Columns narrower than this cannot be read.
const NARROWEST: usize = 16;

/// How many steps of a long story are shown at its beginning and at its end.
const FIRST: usize = 12;
const LAST: usize = 48;

/// How much is told of what a call of library code did inside.
const LIBRARY: usize = 4;

/// How much of a cell with more than so many parts is told: so many at its beginning and at its end.
const MOST_PARTS: usize = 32;
const FIRST_PARTS: usize = 8;
const LAST_PARTS: usize = 16;

/// How many characters of a long output are told.
const PRINTED: usize = 100;

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
    if story.untold {
        return "    not told: there was no time for it; a replay tells it\n".to_string();
    }
    let rows = rows(story, shown);
    let layout = Layout::new(look, story, &rows, shown);
    let mut text = layout.head(story);
    for row in &rows {
        text += &layout.row(row, shown);
    }
    text += &layout.blocked(story);
    for late in &story.late {
        let sign = look.draw("…", ".");
        text += &layout.remark(Tone::Warn, &format!("{sign} {}", late.sentence()));
    }
    text
}

/// What a line of the table tells.
enum Row<'s> {
    /// Steps that are not shown.
    Gap(usize),
    /// Why the turn passes.
    Switch(String),
    /// Steps of one process in one line.
    Steps(Vec<&'s Step>),
}

fn rows(story: &Story, shown: Shown) -> Vec<Row<'_>> {
    let wanted: Vec<&Step> =
        story.steps.iter().filter(|step| shown == Shown::All || step.matters).collect();
    let groups: Vec<Vec<&Step>> = match shown {
        Shown::All => wanted.into_iter().map(|step| vec![step]).collect(),
        Shown::Matter => grouped(story, &wanted),
    };
    let long = shown == Shown::Matter && groups.len() > FIRST + LAST;
    let skipped = if long { FIRST..groups.len() - LAST } else { 0..0 };
    let mut rows = Vec::new();
    let mut previous: Option<&Step> = None;
    for (index, group) in groups.into_iter().enumerate() {
        if skipped.contains(&index) {
            continue;
        }
        let step = group[0];
        if index == skipped.end && long {
            let from = previous.map_or(0, |previous| previous.number);
            rows.push(Row::Gap(step.number - 1 - from));
        } else if let Some(previous) = previous.filter(|last| last.process != step.process) {
            let between = &story.steps[previous.number..step.number];
            let reason = between.iter().find_map(|step| step.switch.clone());
            rows.extend(reason.map(Row::Switch));
        }
        previous = group.last().copied();
        rows.push(Row::Steps(group));
    }
    rows
}

/// Steps of one process in one line, with nobody else at turn between them. A step with a part in
/// the failure ends its group, and one of the two of a race stands alone.
fn grouped<'s>(story: &Story, steps: &[&'s Step]) -> Vec<Vec<&'s Step>> {
    let mut groups: Vec<Vec<&Step>> = Vec::new();
    for &step in steps {
        let joins = |group: &Vec<&Step>| {
            let last = group[group.len() - 1];
            let alone = &story.steps[last.number..step.number];
            last.told_at() == step.told_at()
                && alone.iter().all(|between| between.process == last.process)
                && last.role == Role::Leads
                && step.role != Role::Races
        };
        match groups.last_mut() {
            Some(group) if joins(group) => group.push(step),
            _ => groups.push(vec![step]),
        }
    }
    groups
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
        let groups =
            || rows.iter().filter_map(|row| if let Row::Steps(s) = row { Some(s) } else { None });
        let steps = || groups().map(|group| group[0]);
        let mut files: Vec<&str> = steps().map(|step| told_at(step, shown).file.as_str()).collect();
        files.extend(story.blocked.iter().map(|blocked| blocked.place.file.as_str()));
        files.retain(|file| !file.is_empty());
        files.sort_unstable();
        files.dedup();
        let one_file = files.len() <= 1;
        let number = groups().map(|group| columns(&numbers(group))).max().unwrap_or(0).max(4);
        let places = steps().map(|step| columns(&where_is(told_at(step, shown), one_file)));
        let place = places.max().unwrap_or(0).clamp(4, 28);
        let mut natural: Vec<usize> =
            story.columns.iter().map(|name| columns(name).max(8)).collect();
        for group in groups() {
            let column = group[0].column;
            natural[column] = natural[column].max(columns(&cell(group, shown)));
        }
        for blocked in &story.blocked {
            let width = columns(&blocked.waits_for) + columns("waits for ");
            natural[blocked.column] = natural[blocked.column].max(width);
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
            Row::Steps(group) => {
                let step = group[0];
                let place = where_is(told_at(step, shown), self.one_file);
                let text = cell(group, shown);
                let tone = group.iter().find_map(|step| step.role.word()).map(|_| Tone::Bad);
                let who = (step.column, step.process.as_str());
                self.cells_of(&numbers(group), &place, who, &text, tone)
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
        let names = if self.list { wrap(process, self.cells[0]) } else { Vec::new() };
        let mut lines = String::new();
        for index in 0..wrapped.len().max(places.len()).max(names.len()).max(1) {
            let first = index == 0;
            let mut line = format!("  {:>1$} {bar} ", if first { number } else { "" }, self.number);
            line += &pad(places.get(index).map(String::as_str).unwrap_or_default(), self.place);
            for (cell, &width) in self.cells.iter().enumerate() {
                let content = match (cell == own, cell == 0) {
                    (true, _) => wrapped.get(index),
                    (_, true) => names.get(index),
                    _ => None,
                };
                let padded = pad(content.map(String::as_str).unwrap_or_default(), width);
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
    fn blocked(&self, story: &Story) -> String {
        let mut text = String::new();
        for blocked in &story.blocked {
            let place = where_is(&blocked.place, self.one_file);
            let what = format!("waits for {}", blocked.waits_for);
            let sign = self.look.draw("■", "#");
            let who = (blocked.column, blocked.process.as_str());
            text += &self.cells_of(sign, &place, who, &what, Some(Tone::Bad));
        }
        text
    }
}

/// The numbers of a group's steps.
fn numbers(group: &[&Step]) -> String {
    match group {
        [] => String::new(),
        [only] => only.number.to_string(),
        [first, .., last] => format!("{}-{}", first.number, last.number),
    }
}

/// What the steps of a group did, in one cell.
fn cell(group: &[&Step], shown: Shown) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = match (shown, group) {
        (Shown::Matter, [others @ .., last]) if last.only_fails => others,
        _ => group,
    };
    while let Some(first) = rest.first() {
        let same = rest.iter().take_while(|step| step.within == first.within).count();
        let (call, after) = rest.split_at(same);
        rest = after;
        if shown == Shown::Matter && call.iter().all(|step| step.inside) {
            parts.push(format!("calls {}", first.within));
            continue;
        }
        let mut texts = told_once(call);
        if !first.within.is_empty() {
            if texts.len() > LIBRARY {
                texts.drain(..texts.len() - LIBRARY);
                texts.insert(0, "...".to_string());
            }
            texts[0] = format!("{}: {}", first.within, texts[0]);
        }
        parts.extend(texts);
    }
    if shown == Shown::Matter && parts.len() > MOST_PARTS {
        let left_out = FIRST_PARTS..parts.len() - LAST_PARTS;
        let gap = format!("({} more)", thousands(left_out.len() as u64));
        parts.splice(left_out, [gap]);
    }
    let output: String = group.iter().map(|step| step.output.as_str()).collect();
    if !output.trim_end().is_empty() {
        parts.push(format!("prints {}", quoted(output.trim_end(), shown)));
    }
    parts.extend(group.iter().find_map(|step| match (shown, step.only_fails) {
        (Shown::Matter, true) => step.role.word().map(str::to_string),
        _ => step.verdict(),
    }));
    let text = parts.join("; ");
    match (shown, group) {
        (Shown::All, [step]) => text + &passed_through(step),
        _ => text,
    }
}

/// What was printed; of a long text the beginning, unless all is wanted.
fn quoted(output: &str, shown: Shown) -> String {
    let whole = format!("{output:?}");
    match whole.char_indices().nth(PRINTED) {
        Some((end, _)) if shown == Shown::Matter => format!("{}...", &whole[..end]),
        _ => whole,
    }
}

/// The texts of steps: nothing twice, and no reading of a variable that is written, too.
fn told_once(steps: &[&Step]) -> Vec<String> {
    let variables = steps.iter().filter_map(|step| step.variable);
    let written: FxHashSet<Location> =
        variables.filter(|variable| variable.written).map(|variable| variable.location).collect();
    let mut told: FxHashSet<&str> = FxHashSet::default();
    let mut texts: Vec<String> = Vec::new();
    for step in steps {
        let repeated = texts.last() == Some(&step.text)
            || step.variable.is_some() && told.contains(step.text.as_str());
        let only_read = step.variable.filter(|variable| !variable.written);
        if !repeated && only_read.is_none_or(|variable| !written.contains(&variable.location)) {
            told.insert(&step.text);
            texts.push(step.text.clone());
        }
    }
    texts
}

/// The lines a step ran through besides its own.
fn passed_through(step: &Step) -> String {
    let others: Vec<String> = step
        .path
        .iter()
        .filter(|place| **place != step.place && place.line > 0)
        .filter(|place| step.fails_at.as_ref().is_none_or(|fails| fails.line != place.line))
        .map(|place| place.line.to_string())
        .collect();
    match others.as_slice() {
        [] => String::new(),
        [line] => format!("; then line {line}"),
        lines => format!("; then lines {}", lines.join(", ")),
    }
}

/// Where a step is told.
fn told_at(step: &Step, shown: Shown) -> &Place {
    match shown {
        Shown::All => &step.place,
        Shown::Matter => step.told_at(),
    }
}

/// The line, with its file where there are several. Library code has none: the cell names its call.
fn where_is(place: &Place, one_file: bool) -> String {
    match (one_file, place.line) {
        (_, 0) => "-".to_string(),
        (true, line) => line.to_string(),
        (false, line) => {
            format!("{}:{line}", place.file_name())
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

    #[test]
    fn a_long_name_in_a_list_stays_in_its_column() {
        let look = Look { color: false, ascii: true, width: 80 };
        let cells = vec![12, 20];
        let layout = Layout { look, one_file: true, number: 4, place: 4, cells, list: true };
        let text = layout.cells_of("1", "7", (0, "commonPool-worker-1"), "reads x", None);
        let lines: Vec<&str> = text.lines().collect();
        let wanted = ["     1 | 7    | commonPool-  | reads x", "       |      | worker-1     |"];
        assert_eq!(lines, wanted);
    }
}
