//! What is too large to look at, cut down to what can be drawn, with boxes that say how much was left out.
//!
//! Of a sequence diagram the last steps tell most, because the failure is there, and the first ones how it
//! began; lanes without a step that is shown go first. Of a graph a spanning forest is taken, and each node
//! shares what may be drawn fairly among the nodes below it: those with little below them are shown in
//! full, and what they do not need goes to the others. So neither a long chain nor a wide fan hides the
//! rest.
//!
//! Cost: n log n for n nodes and arcs.

use std::borrow::Cow;
use std::cmp::Reverse;

use counterpoint_model::diagram::{
    Graph, GraphArc, GraphNode, Label, Line, Meaning, Message, Sequence, SequenceStep, Shape,
};

use crate::look::thousands;

/// What is drawn at most.
const ARCS_OF_A_NODE: usize = 3;
const LANES: usize = 40;
const FIRST_STEPS: usize = 100;
const LAST_STEPS: usize = 200;
/// Messages of one step.
const MESSAGES: usize = 12;

/// The part of a sequence diagram that is drawn.
pub fn sequence(whole: &Sequence) -> Cow<'_, Sequence> {
    let many = whole.steps.iter().any(|step| step.messages.len() > MESSAGES);
    let (lanes, steps) = (whole.lanes.len(), whole.steps.len());
    if lanes <= LANES && steps <= FIRST_STEPS + LAST_STEPS && !many {
        return Cow::Borrowed(whole);
    }
    let mut kept = vec![false; lanes];
    let wanted = whole.steps.iter().rev().map(|step| step.lane).chain(0..lanes);
    let mut room = LANES;
    for lane in wanted {
        if room > 0 && !std::mem::replace(&mut kept[lane], true) {
            room -= 1;
        }
    }
    let new_lane = numbers(&kept);
    let shown: Vec<usize> = (0..steps).filter(|&step| kept[whole.steps[step].lane]).collect();
    let gap = FIRST_STEPS..shown.len().saturating_sub(LAST_STEPS).max(FIRST_STEPS);
    let mut folded = Sequence {
        about: whole.about.clone(),
        lanes: whole
            .lanes
            .iter()
            .zip(&kept)
            .filter(|(_, kept)| **kept)
            .map(|(l, _)| l.clone())
            .collect(),
        steps: Vec::new(),
    };
    let mut new_step = vec![None; steps];
    for (position, &index) in shown.iter().enumerate() {
        let step = &whole.steps[index];
        if position == gap.start && !gap.is_empty() {
            let lane = new_lane[step.lane];
            let label = left_out(format!("… {} steps left out", thousands(gap.len() as u64)));
            folded.steps.push(SequenceStep { lane, label, ..SequenceStep::default() });
        }
        if gap.contains(&position) {
            continue;
        }
        new_step[index] = Some(folded.steps.len());
        let seen = step.messages.iter().filter(|message| kept[message.to]).take(MESSAGES);
        let mut messages: Vec<Message> =
            seen.map(|message| Message { to: new_lane[message.to], ..message.clone() }).collect();
        let more = step.messages.len() - messages.len();
        if more > 0 {
            let text = format!("… {} more", thousands(more as u64));
            messages.push(Message { to: new_lane[step.lane], text, line: Line::Dotted });
        }
        let cause = step.cause.and_then(|cause| new_step[cause]);
        folded.steps.push(SequenceStep {
            lane: new_lane[step.lane],
            cause,
            messages,
            ..step.clone()
        });
    }
    let drawn = folded.steps.iter().filter(|step| step.label.meaning != Meaning::LeftOut).count();
    folded.about += &missing(steps - drawn, steps, "steps");
    folded.about += &missing(lanes - folded.lanes.len(), lanes, "lanes");
    Cow::Owned(folded)
}

/// The part of a graph that is drawn, with at most so many nodes.
pub fn graph(whole: &Graph, most: usize) -> Cow<'_, Graph> {
    let count = whole.nodes.len();
    let most_arcs = ARCS_OF_A_NODE * most;
    if count <= most && whole.arcs.len() <= most_arcs {
        return Cow::Borrowed(whole);
    }
    let (order, below) = spanning_forest(whole);
    let mut sizes = vec![1; count + 1];
    for &node in order.iter().rev() {
        sizes[node] += below[node].iter().map(|&child| sizes[child]).sum::<usize>();
    }
    // The virtual node above all roots takes a share for itself.
    let mut shares = vec![0; count + 1];
    shares[count] = most + 1;
    let mut hidden = vec![0; count + 1];
    for &node in order.iter().filter(|&&node| node == count || sizes[node] > 1) {
        let mut rest = usize::saturating_sub(shares[node], 1);
        let mut children = below[node].clone();
        children.sort_by_key(|&child| (sizes[child], Reverse(child)));
        for (others, child) in (1..=children.len()).rev().zip(children) {
            shares[child] = (rest / others).min(sizes[child]);
            rest -= shares[child];
            if shares[child] == 0 {
                hidden[node] += sizes[child];
            }
        }
    }
    let kept: Vec<bool> = shares[..count].iter().map(|&share| share > 0).collect();
    let new_node = numbers(&kept);
    let nodes = whole.nodes.iter().zip(&kept).filter(|(_, kept)| **kept);
    let inner = |arc: &&GraphArc| kept[arc.from] && kept[arc.to];
    let renumbered = |arc: &GraphArc| {
        let (from, to) = (new_node[arc.from], new_node[arc.to]);
        GraphArc { from, to, ..arc.clone() }
    };
    let mut folded = Graph {
        about: whole.about.clone(),
        nodes: nodes.map(|(node, _)| node.clone()).collect(),
        arcs: whole.arcs.iter().filter(inner).take(most_arcs).map(renumbered).collect(),
    };
    folded.about += &missing(count - folded.nodes.len(), count, "nodes");
    folded.about += &missing(whole.arcs.len() - folded.arcs.len(), whole.arcs.len(), "arcs");
    for node in (0..=count).filter(|&node| (node == count || kept[node]) && hidden[node] > 0) {
        let label = left_out(format!("… {} more", thousands(hidden[node] as u64)));
        let column = whole.nodes.get(node).map_or(0, |node| node.column);
        let more = folded.add_node(GraphNode { label, shape: Shape::Box, column });
        if node < count {
            let (from, text) = (new_node[node], String::new());
            folded.arcs.push(GraphArc { from, to: more, text, line: Line::Dotted });
        }
    }
    Cow::Owned(folded)
}

/// The nodes, each after the one above it, and those below each: what a breadth-first search finds that
/// starts from nodes without arcs to them, then from any other. The last index is a node above all roots.
fn spanning_forest(graph: &Graph) -> (Vec<usize>, Vec<Vec<usize>>) {
    let count = graph.nodes.len();
    let mut out = vec![Vec::new(); count];
    let mut is_root = vec![true; count];
    for arc in &graph.arcs {
        out[arc.from].push(arc.to);
        is_root[arc.to] = false;
    }
    let mut seen = vec![false; count];
    let mut below = vec![Vec::new(); count + 1];
    let mut order = vec![count];
    let mut done = 1;
    for root in (0..count).filter(|&node| is_root[node]).chain(0..count) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        below[count].push(root);
        order.push(root);
        while let Some(&node) = order.get(done) {
            done += 1;
            for &next in &out[node] {
                if !std::mem::replace(&mut seen[next], true) {
                    below[node].push(next);
                    order.push(next);
                }
            }
        }
    }
    (order, below)
}

/// The new index of each thing that is kept.
fn numbers(kept: &[bool]) -> Vec<usize> {
    let mut next = 0;
    let number = |&kept: &bool| {
        next += usize::from(kept);
        next.saturating_sub(1)
    };
    kept.iter().map(number).collect()
}

fn left_out(text: String) -> Label {
    Label { meaning: Meaning::LeftOut, ..Label::new(text) }
}

fn missing(left_out: usize, all: usize, what: &str) -> String {
    match left_out {
        0 => String::new(),
        some => {
            format!("; {} of {} {what} left out", thousands(some as u64), thousands(all as u64))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{graph_svg, sequence_mermaid, sequence_svg};
    use super::*;

    fn tree(parents: impl Iterator<Item = usize>) -> Graph {
        let mut graph = Graph::new("a tree");
        graph.add_node(Label::new("root"));
        for parent in parents {
            let node = graph.add_node(Label::new(format!("<{parent}>")));
            graph.add_arc(parent, node, "");
        }
        graph
    }

    /// What the boxes say was left out.
    fn said(graph: &Graph) -> usize {
        let number = |node: &GraphNode| {
            let text = node.label.text.strip_prefix("… ")?.strip_suffix(" more")?;
            text.replace(',', "").parse::<usize>().ok()
        };
        graph.nodes.iter().filter_map(number).sum()
    }

    #[test]
    fn every_node_is_drawn_or_counted() {
        let chain_and_leaf = (0..9_998).chain([0]);
        let graphs = [
            tree(0..9_999),
            tree((0..9_999).map(|_| 0)),
            tree((0..9_999).map(|node| node / 2)),
            tree(chain_and_leaf),
        ];
        for whole in &graphs {
            let folded = graph(whole, 400);
            let left_out = |node: &&GraphNode| node.label.meaning == Meaning::LeftOut;
            let drawn = folded.nodes.len() - folded.nodes.iter().filter(left_out).count();
            assert_eq!(drawn, 400);
            assert_eq!(said(&folded), 9_600);
            assert!(folded.about.contains("9,600 of 10,000 nodes left out"), "{}", folded.about);
            assert!(graph_svg(whole).contains("left out"));
        }
        let leaf_beside_a_chain = graph(&graphs[3], 400);
        let from_root = leaf_beside_a_chain.arcs.iter().filter(|arc| arc.from == 0).count();
        assert_eq!(from_root, 2, "the leaf is not hidden by the long chain");
    }

    #[test]
    fn a_dense_graph_with_cycles_is_drawn() {
        let mut whole = Graph::new("who waits for whom");
        for node in 0..10_000 {
            whole.add_node(Label::new(format!("object {node}")));
        }
        for node in 0..10_000 {
            for step in [1, 7, 501] {
                whole.add_arc(node, (node + step) % 10_000, "waits for");
            }
        }
        let started = std::time::Instant::now();
        let svg = graph_svg(&whole);
        assert!(svg.contains("9,600 of 10,000 nodes left out"), "{}", &svg[..400]);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    #[test]
    fn a_long_sequence_shows_how_it_begins_and_how_it_ends() {
        let lane = |index: usize| Label::new(format!("object {index}"));
        let step = |index: usize| SequenceStep {
            number: Some(index + 1),
            lane: index % 5_000,
            label: Label::new("works"),
            cause: index.checked_sub(1),
            brought: String::new(),
            messages: vec![Message { to: 0, ..Message::default() }; index % 30],
        };
        let whole = Sequence {
            about: "a long execution".to_string(),
            lanes: (0..5_000).map(lane).collect(),
            steps: (0..10_000).map(step).collect(),
        };
        let folded = sequence(&whole);
        assert_eq!(folded.lanes.len(), LANES);
        assert!(folded.about.ends_with("4,960 of 5,000 lanes left out"), "{}", folded.about);
        let last = folded.steps.last().unwrap();
        assert_eq!((last.number, last.label.text.as_str()), (Some(10_000), "works"));
        assert!(folded.steps.iter().all(|step| step.messages.len() <= MESSAGES + 1));
        assert!(sequence_svg(&whole).contains("10000. works"));
        assert!(sequence_mermaid(&whole).len() < 50_000, "as much as Mermaid takes");
    }
}
