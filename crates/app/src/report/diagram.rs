//! A story as a sequence diagram in SVG: a lifeline for each column, a box for each step, and an
//! arrow from the step whose trace it found.
//!
//! Words wrap inside their box and a row is as high as its box, so nothing has to be cut short.

use super::junit::escape;
use crate::look::wrap;
use crate::story::{Step, Story};

const COLUMN: usize = 250;
const HEAD: usize = 44;
const BOX: usize = 226;

/// The letters that fit into a line of a box.
const LETTERS: usize = 34;

/// The height of a line, of what a box has around its lines, and of the gap between rows.
const LINE: usize = 15;
const PADDING: usize = 10;
const GAP: usize = 10;

/// A step or a wait, with its place in the picture.
struct Card {
    column: usize,
    lines: Vec<String>,
    top: usize,
}

impl Card {
    fn new(column: usize, words: &str, top: usize) -> Card {
        Card { column, lines: wrap(words, LETTERS), top }
    }

    fn height(&self) -> usize {
        LINE * self.lines.len() + PADDING
    }

    fn bottom(&self) -> usize {
        self.top + self.height()
    }

    fn centre(&self) -> usize {
        self.top + self.height() / 2
    }

    fn draw(&self) -> String {
        let (x, y, height) = (middle(self.column) - BOX / 2, self.top, self.height());
        let mut text =
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{BOX}\" height=\"{height}\" rx=\"5\"/>");
        for (index, line) in self.lines.iter().enumerate() {
            let y = self.top + LINE * (index + 1) + PADDING / 2 - 4;
            text += &label(middle(self.column), y, "text", line);
        }
        text
    }
}

/// The diagram of the steps that matter. Each step's group carries its number in `data-step`.
pub fn render(story: &Story) -> String {
    let steps: Vec<&Step> = story.that_matter().collect();
    let mut top = HEAD;
    let mut boxes = Vec::with_capacity(steps.len());
    for step in &steps {
        let row = Card::new(step.column, &format!("{}. {}", step.number, step.text), top);
        top = row.bottom() + GAP;
        boxes.push(row);
    }
    // Several tasks of one object wait below each other.
    let mut ends = vec![top; story.columns.len()];
    let mut waits = Vec::with_capacity(story.standing.len());
    for standing in &story.standing {
        let words = match standing.process == story.columns[standing.column] {
            true => format!("waits for {}", standing.waits_for),
            false => format!("{} waits for {}", standing.process, standing.waits_for),
        };
        let wait = Card::new(standing.column, &words, ends[standing.column]);
        ends[standing.column] = wait.bottom() + GAP;
        waits.push(wait);
    }
    let foot = ends.into_iter().max().unwrap_or(top);
    let mut text = frame(COLUMN * story.columns.len().max(1), foot + 8);
    for (index, name) in story.columns.iter().enumerate() {
        let x = middle(index);
        text +=
            &format!("<line class=\"life\" x1=\"{x}\" y1=\"{HEAD}\" x2=\"{x}\" y2=\"{foot}\"/>\n");
        text += &label(x, 26, "name", &shortened(name));
    }
    // Arrows lie behind the boxes.
    for (step, row) in steps.iter().zip(&boxes) {
        let sources = step.from.iter().rev().map(|link| &story.steps[link.step]);
        let mut others = sources.filter(|from| from.column != step.column);
        let source = others.find_map(|from| steps.iter().position(|s| s.number == from.number));
        text += &source.map(|source| arrow(&boxes[source], row)).unwrap_or_default();
    }
    for (step, row) in steps.iter().zip(&boxes) {
        let bad = if step.role.word().is_some() { " bad" } else { "" };
        text += &format!("<g class=\"step{bad}\" data-step=\"{}\">", step.number);
        text += &(row.draw() + "</g>\n");
    }
    for wait in &waits {
        text += &format!("<g class=\"step bad\">{}</g>\n", wait.draw());
    }
    text + "</svg>\n"
}

fn frame(width: usize, height: usize) -> String {
    format!(
        "<svg class=\"diagram\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" \
         aria-label=\"sequence diagram\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
         markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>\
         </defs>\n"
    )
}

/// From the side of one box to the side of the other.
fn arrow(from: &Card, to: &Card) -> String {
    let (x1, x2) = (middle(from.column) as i64, middle(to.column) as i64);
    let side = if x1 < x2 { BOX as i64 / 2 } else { -(BOX as i64) / 2 };
    let (x1, x2) = (x1 + side, x2 - side);
    let (y1, y2) = (from.centre(), to.centre());
    format!(
        "<line class=\"arrow\" marker-end=\"url(#tip)\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" \
         y2=\"{y2}\"/>\n"
    )
}

fn label(x: usize, y: usize, class: &str, words: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escape(words))
}

/// A name that fits above its lifeline.
fn shortened(name: &str) -> String {
    match name.chars().count() {
        few if few < LETTERS => name.to_string(),
        _ => name.chars().take(LETTERS - 2).chain(['…']).collect(),
    }
}

fn middle(column: usize) -> usize {
    COLUMN * column + COLUMN / 2
}
