//! The sequence diagram of an execution as SVG.

use counterpoint_model::Program;

use crate::machine::{Account, Macrostep, ModelProgram};

use super::colour;
use super::svg::{Drawing, Label, text_width};

const TOP: u32 = 60;
const NODE: u32 = 36;
/// The space between a node and the next one, without arrows, and that of an arrow.
const GAP: u32 = 18;
const ARROW: u32 = 15;
const LEFT: u32 = 60;

const CALL: &str = "stroke=\"#333333\" marker-end=\"url(#arrow)\"";
const CREATION: &str = "stroke=\"#333333\" stroke-dasharray=\"5 4\" marker-end=\"url(#arrow)\"";
const LIFELINE: &str = "stroke=\"#bbbbbb\"";

/// Where everything goes.
struct Layout<'a> {
    account: &'a Account,
    column: u32,
    /// The upper edge of each step's node, and that of what follows the last one.
    tops: Vec<u32>,
    /// What each step says about why it stopped.
    stops: Vec<String>,
}

/// Draws the execution.
pub fn sequence_svg(program: &ModelProgram, account: &Account) -> String {
    let stops: Vec<String> =
        account.steps.iter().map(|step| step.stop_text(program)).map(shorten).collect();
    let texts = account.steps.iter().map(|step| &step.task).chain(&account.objects).chain(&stops);
    let widest = texts.map(|text| text_width(text)).max().unwrap_or(0);
    let mut tops = vec![TOP];
    for step in &account.steps {
        let arrows = (step.created.len() + step.posted.len()) as u32;
        tops.push(tops[tops.len() - 1] + NODE + GAP + ARROW * arrows);
    }
    let layout = Layout { account, column: widest + 50, tops, stops };
    let waiting: Vec<String> = account
        .waiting
        .iter()
        .map(|w| format!("{} waits for {}", program.process_name(w.process), w.what))
        .collect();
    let columns = LEFT + layout.column * account.objects.len() as u32 + 20;
    let longest = waiting.iter().map(|text| text_width(text)).max().unwrap_or(0);
    let width = columns.max(LEFT + longest + 20);
    let end = layout.tops[account.steps.len()];
    let height = end + 16 * waiting.len() as u32 + 20;
    let mut drawing = Drawing::new(width, height);
    layout.draw_columns(&mut drawing, end);
    for (index, text) in waiting.iter().enumerate() {
        drawing.text(LEFT, end + 16 * (index as u32 + 1), "start", text);
    }
    for step in &account.steps {
        layout.draw_arrows(&mut drawing, step);
    }
    for step in &account.steps {
        layout.draw_node(program, &mut drawing, step);
    }
    drawing.finish()
}

/// Long values would make wide columns.
fn shorten(text: String) -> String {
    if text.chars().count() <= 36 {
        return text;
    }
    text.chars().take(35).chain(['…']).collect()
}

impl Layout<'_> {
    fn middle(&self, column: usize) -> u32 {
        LEFT + self.column * column as u32 + self.column / 2
    }

    fn top(&self, step: &Macrostep) -> u32 {
        self.tops[step.time]
    }

    fn column_of(&self, object: &str) -> usize {
        self.account.objects.iter().position(|other| other == object).unwrap_or(0)
    }

    fn is_deadlocked(&self, object: &str) -> bool {
        let tasks = &self.account.cycle;
        let on = |step: &&Macrostep| step.object == object && tasks.contains(&step.choice.process);
        self.account.steps.iter().any(|step| on(&step))
    }

    fn draw_columns(&self, drawing: &mut Drawing, end: u32) {
        for (column, object) in self.account.objects.iter().enumerate() {
            let middle = self.middle(column);
            drawing.line((middle, 34), (middle, end), LIFELINE);
            drawing.label(&Label {
                x: middle - (self.column - 20) / 2,
                y: 10,
                width: self.column - 20,
                height: 24,
                fill: "#eeeeee",
                marked: self.is_deadlocked(object),
                lines: &[object],
                tooltip: object,
            });
        }
    }

    fn draw_node(&self, program: &ModelProgram, drawing: &mut Drawing, step: &Macrostep) {
        let middle = self.middle(self.column_of(&step.object));
        let y = self.top(step);
        drawing.text(LEFT - 10, y + NODE / 2 + 4, "end", &step.time.to_string());
        let task = match step.resumed_at {
            Some(site) => format!("{} ({})", step.task, program.place(site).line),
            None => step.task.clone(),
        };
        let last = self
            .account
            .steps
            .iter()
            .rev()
            .find(|other| other.choice.process == step.choice.process)
            .is_some_and(|other| other.time == step.time);
        let lines: Vec<String> = step.lines.iter().map(u32::to_string).collect();
        let mut tooltip = format!("{task}: lines {}", lines.join(", "));
        if let Some(fault) = &step.fault {
            tooltip += &format!("\n{fault}");
        }
        drawing.label(&Label {
            x: middle - (self.column - 40) / 2,
            y,
            width: self.column - 40,
            height: NODE,
            fill: colour(&step.stop),
            marked: last && self.account.cycle.contains(&step.choice.process),
            lines: &[&task, &self.stops[step.time]],
            tooltip: &tooltip,
        });
    }

    fn draw_arrows(&self, drawing: &mut Drawing, step: &Macrostep) {
        let from = self.column_of(&step.object);
        let bottom = self.top(step) + NODE;
        let mut y = bottom;
        for object in &step.created {
            y += ARROW;
            self.draw_arrow(drawing, from, self.column_of(object), y, CREATION, "new");
        }
        for (_, task, receiver) in &step.posted {
            y += ARROW;
            self.draw_arrow(drawing, from, self.column_of(receiver), y, CALL, task);
        }
    }

    /// An arrow below a node, to another column or back to its own.
    fn draw_arrow(
        &self,
        drawing: &mut Drawing,
        from: usize,
        to: usize,
        y: u32,
        style: &str,
        text: &str,
    ) {
        let (start, end) = (self.middle(from), self.middle(to));
        if from == to {
            let out = start + self.column / 4;
            let path = format!("M{start} {} H{out} V{y} H{start}", y - 8);
            drawing.path(&path, style);
            drawing.text(out + 4, y, "start", text);
            return;
        }
        drawing.line((start, y), (end, y), style);
        let (near, anchor) = if end > start { (end - 12, "end") } else { (end + 12, "start") };
        drawing.text(near, y - 2, anchor, text);
    }
}
