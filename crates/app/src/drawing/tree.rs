//! Trees: what is below a node stands side by side, and the node above the middle of it.
//!
//! Cost: linear.

use counterpoint_model::diagram::{Graph, GraphArc};

use super::graph::Route;
use super::scene::{Figure, LINE_HEIGHT, Words};

/// Between neighbours, and between a node and what is below it.
const BESIDE: i32 = 14;
const BELOW: i32 = 26;

/// The nodes, each after the one above it, if the graph is a tree or several.
pub fn order(graph: &Graph) -> Option<Vec<usize>> {
    let mut incoming = vec![0; graph.nodes.len()];
    graph.arcs.iter().for_each(|arc| incoming[arc.to] += 1);
    if incoming.iter().any(|&arcs| arcs > 1) {
        return None;
    }
    let mut order: Vec<usize> =
        (0..graph.nodes.len()).filter(|&node| incoming[node] == 0).collect();
    let children = children(graph);
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        order.extend(children[node].iter().map(|&arc| graph.arcs[arc].to));
        done += 1;
    }
    // Nodes on a cycle are not below any other.
    (order.len() == graph.nodes.len()).then_some(order)
}

/// The arcs out of each node.
fn children(graph: &Graph) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); graph.nodes.len()];
    graph.arcs.iter().enumerate().for_each(|(index, arc)| children[arc.from].push(index));
    children
}

/// Places the figures and gives the way of each arc.
pub fn place(
    graph: &Graph,
    order: &[usize],
    figures: &mut [Figure],
    words: &[Words],
) -> Vec<Route> {
    let children = children(graph);
    let mut depth = vec![0; figures.len()];
    // The words of the arc to a node stand above the node.
    let mut above: Vec<Option<usize>> = vec![None; figures.len()];
    for &node in order {
        for &arc in &children[node] {
            let child = graph.arcs[arc].to;
            (depth[child], above[child]) = (depth[node] + 1, Some(arc));
        }
    }
    let mut widths = vec![0; figures.len()];
    let mut below = vec![0; figures.len()];
    for &node in order.iter().rev() {
        let words = above[node].map_or(0, |arc| words[arc].width());
        // The words of a circle are on its right only, so that it takes the same space on its left.
        let own = (2 * figures[node].right()).max(words) + BESIDE;
        widths[node] = own.max(below[node]);
        if let Some(arc) = above[node] {
            below[graph.arcs[arc].from] += widths[node];
        }
    }
    let deepest = depth.iter().max().copied().unwrap_or(0);
    let mut heights = vec![(0, 0); deepest + 1];
    for (node, figure) in figures.iter().enumerate() {
        let (label, height) = &mut heights[depth[node]];
        *label = above[node].map_or(0, |arc| words[arc].height()).max(*label);
        *height = figure.height.max(*height);
    }
    let mut y = 0;
    let tops: Vec<i32> = heights
        .iter()
        .map(|&(label, height)| {
            let top = y + label;
            y = top + height + BELOW;
            top
        })
        .collect();
    let mut lefts = vec![0; figures.len()];
    let mut left_of_root = 0;
    for &node in order {
        if above[node].is_none() {
            lefts[node] = left_of_root;
            left_of_root += widths[node];
        }
        let figure = &mut figures[node];
        figure.centre = (lefts[node] + widths[node] / 2, tops[depth[node]] + figure.height / 2);
        let mut left = lefts[node] + (widths[node] - below[node]) / 2;
        for &arc in &children[node] {
            let child = graph.arcs[arc].to;
            lefts[child] = left;
            left += widths[child];
        }
    }
    let route = |(arc, words): (&GraphArc, &Words)| {
        let (from, to) = (&figures[arc.from], &figures[arc.to]);
        let top = to.top() - words.height();
        let points = vec![(from.centre.0, from.bottom()), (to.centre.0, top)];
        Route { points, words_at: (to.centre.0, top + LINE_HEIGHT - 4), centred: true }
    };
    graph.arcs.iter().zip(words).map(route).collect()
}
