//! The one place that draws: sequence diagrams, trees, nets and other directed graphs.
//!
//! Front ends and explorers hand out data ([`counterpoint_model::diagram`]); here it becomes a picture, in
//! three stages. What is too large is folded, with a box that says how much was left out (`fold`). Every
//! box gets a place (`lanes` for sequence diagrams, `graph` with `tree` and `layers` for graphs), which
//! makes a `Scene` of boxes and lines. The scene is written down (`svg`). Mermaid lays out by itself, so
//! that the folded data is written down directly (`mermaid`).
//!
//! **Invariant.** Whatever the texts say, the picture is well-formed: all of them are cut to a readable
//! length, with the whole text where the mouse rests, and escaped. Colours follow the reader's choice of a
//! light or dark page, no meaning is in a colour alone, and every picture says what it shows to a screen
//! reader. Folding and placing take at most n log n steps for n boxes and arcs.

mod fold;
mod graph;
mod lanes;
mod layers;
mod mermaid;
mod scene;
mod svg;
mod tree;

use counterpoint_model::diagram::{Graph, Sequence, SequenceStep};

/// A sequence diagram as an SVG file, which can also stand in a page.
pub fn sequence_svg(sequence: &Sequence) -> String {
    svg::write(&lanes::place(&fold::sequence(sequence)))
}

/// A sequence diagram as Mermaid text.
pub fn sequence_mermaid(sequence: &Sequence) -> String {
    mermaid::sequence(&fold::sequence(sequence))
}

/// The title of a diagram as Mermaid text.
pub fn mermaid_title(text: &str) -> String {
    mermaid::title(text)
}

/// A graph as an SVG file, which can also stand in a page. It is drawn as a tree if it is one.
pub fn graph_svg(graph: &Graph) -> String {
    svg::write(&graph::place(&fold::graph(graph, 400)))
}

/// A graph as Mermaid text.
pub fn graph_mermaid(graph: &Graph) -> String {
    // With a box for what was left out below each of them there are fewer arcs than Mermaid takes.
    mermaid::graph(&fold::graph(graph, 120))
}

/// What a step says, with its number.
fn numbered(step: &SequenceStep) -> String {
    match step.number {
        Some(number) => format!("{number}. {}", step.label.text),
        None => step.label.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::diagram::{GraphNode, Label, Line, Meaning, Message, Shape};

    use super::*;

    /// Tags that are opened are closed, in order.
    fn is_well_formed(svg: &str) -> bool {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let Some((tag, _)) = tag.split_once('>') else { return false };
            let name = tag.trim_start_matches('/').split([' ', '/']).next();
            if tag.starts_with('/') {
                if open.pop() != Some(name) {
                    return false;
                }
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        open.is_empty()
    }

    fn hostile() -> Label {
        let text = format!("</text><script>\"&\u{0}\u{1b}[31m;#%%`\r\n{}", "x".repeat(3_000_000));
        Label { detail: text.clone(), marked: true, meaning: Meaning::Failed, text }
    }

    #[test]
    fn texts_of_any_kind_and_length_make_small_well_formed_pictures() {
        let mut graph = Graph::new(hostile().text);
        for shape in [Shape::Box, Shape::Circle, Shape::Token] {
            graph.add_node(GraphNode { label: hostile(), shape, column: 7 });
        }
        graph.add_arc(0, 1, hostile().text);
        let tree = graph_svg(&graph);
        graph.add_arc(1, 0, hostile().text);
        graph.add_arc(1, 2, "");
        graph.add_arc(0, 2, hostile().text);
        graph.add_arc(2, 2, hostile().text);
        let message = Message { to: 0, text: hostile().text, line: Line::Dashed };
        let step = |lane| SequenceStep {
            number: Some(1),
            lane,
            label: hostile(),
            cause: (lane > 0).then_some(0),
            brought: hostile().text,
            messages: vec![message.clone()],
        };
        let lanes = vec![hostile(), hostile()];
        let sequence = Sequence { about: String::new(), lanes, steps: vec![step(0), step(1)] };
        for svg in [tree, graph_svg(&graph), sequence_svg(&sequence)] {
            assert!(is_well_formed(&svg), "{}", &svg[..3_000]);
            assert!(!svg.contains("<script") && !svg.contains('\u{1b}'));
            assert!(svg.contains("…</text>") && svg.len() < 60_000, "{}", svg.len());
        }
        for text in [graph_mermaid(&graph), sequence_mermaid(&sequence)] {
            assert!(!text.contains("<script") && !text.contains("%%"), "{text}");
            assert!(text.len() < 10_000, "{}", text.len());
        }
    }

    #[test]
    fn nothing_at_all_can_be_drawn() {
        for svg in [graph_svg(&Graph::default()), sequence_svg(&Sequence::default())] {
            assert!(is_well_formed(&svg), "{svg}");
        }
        assert_eq!(graph_mermaid(&Graph::new("nothing")), "flowchart TD\n    accTitle: nothing\n");
    }

    #[test]
    fn both_ways_between_two_nodes_are_seen() {
        let mut graph = Graph::new("who waits for whom");
        graph.add_node(Label::new("one"));
        graph.add_node(Label::new("other"));
        graph.add_arc(0, 1, "");
        graph.add_arc(1, 0, "");
        let svg = graph_svg(&graph);
        let arrows =
            svg.lines().filter_map(|line| line.strip_prefix("<path class=\"arrow\" d=\"M"));
        let ways: Vec<Vec<i32>> = arrows
            .map(|way| way.split(|c: char| c != '-' && !c.is_ascii_digit()))
            .map(|numbers| numbers.filter_map(|number| number.parse().ok()).collect())
            .collect();
        let [down, up] = &ways[..] else { panic!("two arrows: {svg}") };
        assert!(down[1] < down[down.len() - 1] && up[1] > up[up.len() - 1], "{ways:?}");
        assert_ne!(down[0], up[up.len() - 2], "they stand side by side: {ways:?}");
    }
}
