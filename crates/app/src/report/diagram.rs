//! A story as a sequence diagram in SVG: a lifeline for each column, a box for each step, and an
//! arrow from the step whose trace it found.

use super::junit::escape;
use crate::story::{Step, Story};

const COLUMN: usize = 210;
const ROW: usize = 34;
const HEAD: usize = 44;
const BOX: usize = 190;

/// The letters that fit into a box.
const LETTERS: usize = 28;

/// The diagram of the steps that matter. Each step's group carries its number in `data-step`.
pub fn render(story: &Story) -> String {
    let steps: Vec<&Step> = story.that_matter().collect();
    let rows = steps.len() + usize::from(!story.standing.is_empty());
    let width = COLUMN * story.columns.len().max(1);
    let height = HEAD + ROW * rows + 16;
    let mut text = format!(
        "<svg class=\"diagram\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" \
         aria-label=\"sequence diagram\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
         markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>\
         </defs>\n"
    );
    for (index, name) in story.columns.iter().enumerate() {
        let x = middle(index);
        let foot = height - 8;
        text +=
            &format!("<line class=\"life\" x1=\"{x}\" y1=\"{HEAD}\" x2=\"{x}\" y2=\"{foot}\"/>\n");
        text += &label(x, 26, "name", name);
    }
    let row_of = |number: usize| steps.iter().position(|step| step.number == number);
    // Arrows lie behind the boxes.
    for (row, step) in steps.iter().enumerate() {
        let sources = step.from.iter().rev().map(|link| &story.steps[link.step]);
        let mut others = sources.filter(|from| from.column != step.column);
        let source = others.find_map(|from| Some((from, row_of(from.number)?)));
        text += &source.map(|source| arrow(step, row, source)).unwrap_or_default();
    }
    for (row, step) in steps.iter().enumerate() {
        let bad = if step.role.word().is_some() { " bad" } else { "" };
        let words = format!("{}. {}", step.number, step.text);
        text += &format!("<g class=\"step{bad}\" data-step=\"{}\">", step.number);
        text += &(boxed(step.column, row, &words) + "</g>\n");
    }
    for standing in &story.standing {
        let what = format!("waits for {}", standing.waits_for);
        text += "<g class=\"step bad\">";
        text += &boxed(standing.column, steps.len(), &what);
        text += "</g>\n";
    }
    text + "</svg>\n"
}

/// From the side of one box to the side of the other.
fn arrow(step: &Step, row: usize, (from, from_row): (&Step, usize)) -> String {
    let (x1, x2) = (middle(from.column) as i64, middle(step.column) as i64);
    let side = if x1 < x2 { BOX as i64 / 2 } else { -(BOX as i64) / 2 };
    let (x1, x2) = (x1 + side, x2 - side);
    let (y1, y2) = (centre(from_row), centre(row));
    format!(
        "<line class=\"arrow\" marker-end=\"url(#tip)\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" \
         y2=\"{y2}\"/>\n"
    )
}

fn boxed(column: usize, row: usize, words: &str) -> String {
    let (x, y) = (middle(column) - BOX / 2, centre(row) - 12);
    let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{BOX}\" height=\"24\" rx=\"5\"/>");
    rect + &label(middle(column), centre(row) + 4, "text", words)
}

fn label(x: usize, y: usize, class: &str, words: &str) -> String {
    let letters = words.chars().count();
    let shown: String = if letters > LETTERS {
        words.chars().take(LETTERS - 1).chain(['…']).collect()
    } else {
        words.to_string()
    };
    let (whole, shown) = (escape(words), escape(&shown));
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\"><title>{whole}</title>{shown}</text>")
}

fn middle(column: usize) -> usize {
    COLUMN * column + COLUMN / 2
}

fn centre(row: usize) -> usize {
    HEAD + ROW * row + ROW / 2
}
