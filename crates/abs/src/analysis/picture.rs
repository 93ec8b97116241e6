//! The graph of waiting as a picture, as data.
//!
//! Only what lies on cycles is drawn. Cogs are boxes that stand out, tasks are plain; each arrow has the line at
//! which a task stands and the task's method. Arrows that lie on no reported cycle are dashed.

use std::collections::BTreeSet;

use counterpoint_model::diagram::{self, GraphArc, Label, Line, Meaning};

use super::Analysis;
use super::graph::{Arrow, Node};

impl Analysis<'_> {
    /// Who may wait for whom, each node and arrow once by what is written on it.
    pub fn picture(&self) -> diagram::Graph {
        let shown: BTreeSet<Arrow> = self.graph.cycles.iter().flatten().copied().collect();
        let mut picture = diagram::Graph::new("Which objects and tasks may wait for each other");
        for arrow in &self.graph.arrows {
            let told = self.told_arrow(arrow);
            let from = node(&mut picture, &told.from, arrow.from);
            let to = node(&mut picture, &told.to, arrow.to);
            let method = told.task.rsplit('.').next().unwrap_or(&told.task);
            let text = format!("{}: {method}", told.place.line);
            let line = if shown.contains(arrow) { Line::Arrow } else { Line::Dashed };
            let same = |arc: &&mut GraphArc| (arc.from, arc.to) == (from, to) && arc.text == text;
            match picture.arcs.iter_mut().find(same) {
                Some(known) if line == Line::Arrow => known.line = line,
                Some(_) => {}
                None => picture.arcs.push(GraphArc { from, to, text, line }),
            }
        }
        picture
    }
}

/// The node with this name.
fn node(picture: &mut diagram::Graph, name: &str, node: Node) -> usize {
    if let Some(known) = picture.nodes.iter().position(|known| known.label.text == name) {
        return known;
    }
    let meaning = match node {
        Node::Cog(_) => Meaning::Blocked,
        Node::Task(_) => Meaning::Waiting,
    };
    picture.add_node(Label { meaning, ..Label::new(name) })
}
