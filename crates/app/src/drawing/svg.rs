//! A scene as SVG, without scripts or fonts of its own, so that it can be opened anywhere.

use std::fmt::Write;

use counterpoint_model::diagram::{Line, Meaning, Shape};

use super::scene::{
    BoxRole, Caption, Figure, LINE_HEIGHT, Point, Scene, Stroke, StrokeKind, Words, beginning,
};
use crate::xml::escape;

/// Colours for light and dark pages.
const STYLE: &str = include_str!("style.css");

/// Around the picture.
const MARGIN: i32 = 12;

/// The scene as text.
pub fn write(scene: &Scene) -> String {
    let ((left, top), (right, bottom)) = scene.bounds();
    let (x, y) = (left - MARGIN, top - MARGIN);
    let (width, height) = (right - left + 2 * MARGIN, bottom - top + 2 * MARGIN);
    let about = escape(&beginning(&scene.about));
    // Writing to a string cannot fail, here and below.
    let mut svg = format!(
        "<svg class=\"drawing\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" \
         aria-label=\"{about}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{x} {y} {width} {height}\">\n<style>\n{STYLE}</style>\n<defs><marker id=\"tip\" \
         viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <rect class=\"paper\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    scene.strokes.iter().for_each(|stroke| write_stroke(&mut svg, stroke));
    for Caption { at: (x, y), centred, words } in &scene.captions {
        let class = if *centred { "caption" } else { "caption beside" };
        write_words(&mut svg, class, (*x, *y), words);
        svg.push('\n');
    }
    scene.figures.iter().for_each(|figure| write_figure(&mut svg, figure));
    svg + "</svg>\n"
}

fn write_stroke(svg: &mut String, stroke: &Stroke) {
    let class = match stroke.kind {
        StrokeKind::Lane => "lane-line",
        StrokeKind::Connection(Line::Arrow) => "arrow",
        StrokeKind::Connection(Line::Dashed) => "arrow dashed",
        StrokeKind::Connection(Line::Dotted) => "arrow dotted",
        StrokeKind::Connection(Line::Read) => "read dashed",
    };
    let _ = write!(svg, "<path class=\"{class}\" d=\"");
    let mut last: Option<Point> = None;
    for &(x, y) in &stroke.points {
        let _ = match last {
            None => write!(svg, "M{x} {y}"),
            Some((before, above)) if stroke.curved && before != x => {
                let middle = i32::midpoint(above, y);
                write!(svg, "C{before} {middle} {x} {middle} {x} {y}")
            }
            Some(_) => write!(svg, "L{x} {y}"),
        };
        last = Some((x, y));
    }
    svg.push_str("\"/>\n");
}

fn write_figure(svg: &mut String, figure: &Figure) {
    let role = match figure.role {
        BoxRole::Lane => "lane",
        BoxRole::Step(_) => "step",
        BoxRole::Node => "node",
    };
    let meaning = match figure.label.meaning {
        Meaning::Neutral => "",
        Meaning::Good => " good",
        Meaning::Waiting => " waiting",
        Meaning::Blocked => " blocked",
        Meaning::Failed => " failed",
        Meaning::Choice => " choice",
        Meaning::LeftOut => " left-out",
    };
    let marked = if figure.label.marked { " marked" } else { "" };
    let _ = write!(svg, "<g class=\"{role}{meaning}{marked}\"");
    if let BoxRole::Step(Some(number)) = figure.role {
        let _ = write!(svg, " data-step=\"{number}\"");
    }
    svg.push('>');
    let tooltip = figure.tooltip();
    if !tooltip.is_empty() {
        let _ = write!(svg, "<title>{}</title>", escape(&tooltip));
    }
    let ((x, y), Figure { width, height, .. }) = (figure.centre, figure);
    let radius = width / 2;
    match figure.shape {
        Shape::Box => {
            let (left, top) = (x - width / 2, figure.top());
            let size = format!("width=\"{width}\" height=\"{height}\" rx=\"5\"");
            let _ = write!(svg, "<rect class=\"shape\" x=\"{left}\" y=\"{top}\" {size}/>");
            let first = y - figure.words.height() / 2 + LINE_HEIGHT - 3;
            write_words(svg, "", (x, first), &figure.words);
        }
        Shape::Circle | Shape::Token => {
            let _ = write!(svg, "<circle class=\"shape\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
            if figure.shape == Shape::Token {
                let _ = write!(svg, "<circle class=\"tip\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>");
            }
            write_words(svg, "beside", (x + radius + 4, y + 4), &figure.words);
        }
    }
    svg.push_str("</g>\n");
}

fn write_words(svg: &mut String, class: &str, (x, y): Point, words: &Words) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    for (line, y) in words.lines.iter().zip((y..).step_by(LINE_HEIGHT as usize)) {
        let _ = write!(svg, "<text{class} x=\"{x}\" y=\"{y}\">{}</text>", escape(line));
    }
}
