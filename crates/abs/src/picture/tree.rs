//! The tree of executions as SVG.
//!
//! Executions that begin alike share the beginning. A row is a macro-step, a leaf is the end of an
//! execution, in the colour of how it ended. Leaves stand side by side and inner nodes above the
//! middle of what is below them.

use counterpoint_model::{Choice, End};

use crate::machine::{Account, ModelProgram};

use super::svg::{Drawing, Label, text_width};

const ROW: u32 = 54;
const TOP: u32 = 20;

/// A state, with the steps that were taken from it.
struct Node {
    /// The step that led here: its task.
    step: String,
    choice: Option<Choice>,
    children: Vec<usize>,
    /// How the execution that ends here ended.
    end: Option<(usize, Option<End>)>,
    depth: u32,
}

/// Draws the executions that the schedules lead to, numbered in their order.
pub fn tree_svg(program: &ModelProgram, executions: &[Vec<Choice>]) -> String {
    let nodes = grow(program, executions);
    let widest = nodes.iter().map(|node| text_width(&node.step)).max().unwrap_or(0);
    let leaf_width = widest.max(90) + 20;
    let mut places = vec![0; nodes.len()];
    let mut leaves = 0;
    place(&nodes, leaf_width, &mut places, &mut leaves);
    let deepest = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    let mut drawing = Drawing::new(leaf_width * leaves.max(1), TOP + ROW * (deepest + 2));
    for (index, node) in nodes.iter().enumerate() {
        let from = (places[index], TOP + ROW * node.depth + 12);
        for &child in &node.children {
            let to = (places[child], TOP + ROW * nodes[child].depth - 10);
            drawing.line(from, to, "stroke=\"#777777\"");
            drawing.text(to.0, to.1 - 4, "middle", &nodes[child].step);
        }
    }
    for (index, node) in nodes.iter().enumerate() {
        draw_state(&mut drawing, node, index, places[index]);
    }
    drawing.finish()
}

fn grow(program: &ModelProgram, executions: &[Vec<Choice>]) -> Vec<Node> {
    let root =
        Node { step: String::new(), choice: None, children: Vec::new(), end: None, depth: 0 };
    let mut nodes = vec![root];
    for (number, choices) in executions.iter().enumerate() {
        let account = Account::new(program, choices);
        let mut present = 0;
        for step in &account.steps {
            let known = |child: &&usize| nodes[**child].choice == Some(step.choice);
            if let Some(&child) = nodes[present].children.iter().find(known) {
                present = child;
                continue;
            }
            let child = nodes.len();
            let alternative = match step.choice.alternative {
                0 => String::new(),
                other => format!(" [{other}]"),
            };
            let depth = nodes[present].depth + 1;
            nodes.push(Node {
                step: format!("{}{alternative}", step.task),
                choice: Some(step.choice),
                children: Vec::new(),
                end: None,
                depth,
            });
            nodes[present].children.push(child);
            present = child;
        }
        nodes[present].end = Some((number, account.end));
    }
    nodes
}

/// Finds the horizontal place of every node, children before parents: they have higher numbers.
fn place(nodes: &[Node], leaf_width: u32, places: &mut [u32], leaves: &mut u32) {
    let mut pending = vec![0];
    while let Some(node) = pending.pop() {
        if nodes[node].children.is_empty() {
            places[node] = leaf_width * *leaves + leaf_width / 2;
            *leaves += 1;
        }
        pending.extend(nodes[node].children.iter().rev());
    }
    for node in (0..nodes.len()).rev() {
        if let [first, .., last] | [first @ last] = nodes[node].children[..] {
            places[node] = u32::midpoint(places[first], places[last]);
        }
    }
}

fn draw_state(drawing: &mut Drawing, node: &Node, index: usize, middle: u32) {
    let state = format!("s{index}");
    let (fill, text) = match node.end {
        None => ("#ffffff", state),
        Some((number, end)) => {
            let (fill, word) = match end {
                Some(End::Complete) => ("#b7e1b0", "ok"),
                Some(End::Deadlock) => ("#f6a5a0", "deadlock"),
                Some(End::Stuck) => ("#ffd79a", "stuck"),
                Some(End::Cut) => ("#dddddd", "cut"),
                None => ("#dddddd", "cut"),
            };
            (fill, format!("{number} {word}"))
        }
    };
    let width = text_width(&text) + 14;
    drawing.label(&Label {
        x: middle - width / 2,
        y: TOP + ROW * node.depth - 10,
        width,
        height: 22,
        fill,
        marked: false,
        lines: &[&text],
        tooltip: &node.step,
    });
}
