//! The graph of waiting as a picture: SVG, and Mermaid text.
//!
//! Only what lies on cycles is drawn. Nodes stand on a circle, cogs as boxes with a thick border, tasks as boxes; each
//! arrow has the line at which a task stands and the task's method. Arrows of the reported cycles are red.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::picture::svg::{Drawing, Label, text_width};

use super::Analysis;
use super::graph::{Arrow, Node};

/// A node: its name and whether it is a cog.
type DrawnNode = (String, bool);

/// An arrow: from, to, what is written on it and whether it is red.
type DrawnArrow = (usize, usize, String, bool);

impl Analysis<'_> {
    /// The nodes and arrows to draw, each once by what is written on them.
    fn drawn(&self) -> (Vec<DrawnNode>, Vec<DrawnArrow>) {
        let shown: BTreeSet<Arrow> = self.graph.cycles.iter().flatten().copied().collect();
        let mut nodes: Vec<DrawnNode> = Vec::new();
        let mut arrows: Vec<DrawnArrow> = Vec::new();
        let mut number = |name: &str, node: Node| {
            let known = nodes.iter().position(|(known, _)| known == name);
            known.unwrap_or_else(|| {
                nodes.push((name.to_owned(), matches!(node, Node::Cog(_))));
                nodes.len() - 1
            })
        };
        for arrow in &self.graph.arrows {
            let told = self.told_arrow(arrow);
            let from = number(&told.from, arrow.from);
            let to = number(&told.to, arrow.to);
            let method = told.task.rsplit('.').next().unwrap_or(&told.task);
            let text = format!("{}: {method}", told.place.line);
            let red = shown.contains(arrow);
            match arrows
                .iter_mut()
                .find(|(f, t, label, _)| (*f, *t) == (from, to) && *label == text)
            {
                Some(known) => known.3 |= red,
                None => arrows.push((from, to, text, red)),
            }
        }
        (nodes, arrows)
    }

    /// The graph as SVG.
    pub fn graph_svg(&self) -> String {
        let (nodes, arrows) = self.drawn();
        let widest = nodes.iter().map(|(name, _)| text_width(name)).max().unwrap_or(0) + 24;
        let radius = f64::from(widest.max(120)) * nodes.len().max(3) as f64 / 5.0 + 40.0;
        let middle = (radius + f64::from(widest) / 2.0 + 20.0, radius + 60.0);
        let mut drawing = Drawing::new(2 * middle.0 as u32, 2 * middle.1 as u32);
        let place = |index: usize| {
            let angle = std::f64::consts::TAU * index as f64 / nodes.len().max(1) as f64
                - std::f64::consts::FRAC_PI_2;
            (middle.0 + radius * angle.cos(), middle.1 + radius * angle.sin())
        };
        let red_last =
            arrows.iter().filter(|arrow| !arrow.3).chain(arrows.iter().filter(|arrow| arrow.3));
        for (index, (from, to, text, red)) in red_last.enumerate() {
            let (start, end) = (place(*from), place(*to));
            // Bent away from the straight line, so that arrows in both directions can be told apart.
            let (dx, dy) = (end.0 - start.0, end.1 - start.1);
            let bend = 0.12 + 0.05 * (index % 3) as f64;
            let control = match from == to {
                true => (start.0 + 90.0, start.1 - 70.0),
                false => ((start.0 + end.0) / 2.0 - dy * bend, (start.1 + end.1) / 2.0 + dx * bend),
            };
            let length = (end.0 - control.0).hypot(end.1 - control.1).max(1.0);
            let short = f64::from(30_u8) / length;
            let tip = (end.0 - (end.0 - control.0) * short, end.1 - (end.1 - control.1) * short);
            let colour = if *red { "#c00000" } else { "#999999" };
            drawing.path(
                &format!(
                    "M{:.0} {:.0}Q{:.0} {:.0} {:.0} {:.0}",
                    start.0, start.1, control.0, control.1, tip.0, tip.1
                ),
                &format!("stroke=\"{colour}\" marker-end=\"url(#arrow)\""),
            );
            let at = (
                (start.0 + 2.0 * control.0 + end.0) / 4.0,
                (start.1 + 2.0 * control.1 + end.1) / 4.0,
            );
            drawing.text(at.0.max(0.0) as u32, at.1.max(0.0) as u32, "middle", text);
        }
        for (index, (name, cog)) in nodes.iter().enumerate() {
            let (x, y) = place(index);
            let width = text_width(name) + 16;
            drawing.label(&Label {
                x: (x - f64::from(width) / 2.0).max(0.0) as u32,
                y: (y - 14.0).max(0.0) as u32,
                width,
                height: 28,
                fill: if *cog { "#f6d5a0" } else { "#dfe8f6" },
                marked: *cog,
                lines: &[name],
                tooltip: if *cog { "an object group" } else { "a task" },
            });
        }
        drawing.finish()
    }

    /// The graph as a Mermaid flow chart.
    pub fn graph_mermaid(&self) -> String {
        let (nodes, arrows) = self.drawn();
        let mut text = "flowchart LR\n".to_owned();
        // Writing to a string cannot fail.
        for (index, (name, cog)) in nodes.iter().enumerate() {
            let _ = match cog {
                true => writeln!(text, "  n{index}[[\"{name}\"]]"),
                false => writeln!(text, "  n{index}(\"{name}\")"),
            };
        }
        for (from, to, label, _) in &arrows {
            let _ = writeln!(text, "  n{from} -- \"{label}\" --> n{to}");
        }
        let red: Vec<String> = arrows
            .iter()
            .enumerate()
            .filter(|(_, arrow)| arrow.3)
            .map(|(index, _)| index.to_string())
            .collect();
        if !red.is_empty() {
            let _ = writeln!(text, "  linkStyle {} stroke:#c00000", red.join(","));
        }
        text
    }
}
