//! Diagrams as Mermaid text, to paste into an issue or a page. Mermaid lays out by itself.

use std::fmt::Write;

use counterpoint_model::diagram::{Graph, Line, Meaning, Sequence, Shape};
use counterpoint_model::words::{in_one_line, is_unseen};

use super::numbered;
use super::scene::beginning;

/// Letters of a text that are shown.
const LONGEST: usize = 160;

/// A sequence diagram: notes for what happens in a lane, arrows for what comes from another one.
pub fn sequence(sequence: &Sequence) -> String {
    // Writing to a string cannot fail, here and below.
    let mut text = format!("sequenceDiagram\n    accTitle: {}\n", plain(&sequence.about));
    for (index, lane) in sequence.lanes.iter().enumerate() {
        let _ = writeln!(text, "    participant p{index} as {}", plain(&lane.text));
    }
    for step in &sequence.steps {
        let colour = colour(step.label.meaning);
        if let Some(colour) = colour {
            let _ = writeln!(text, "    rect {colour}");
        }
        let (lane, words) = (step.lane, plain(&numbered(step)));
        let cause = step.cause.map(|cause| sequence.steps[cause].lane);
        let _ = match cause.filter(|&cause| cause != lane) {
            // An arrow says what comes from the other lane; what is done with it is said in this one.
            Some(cause) if !step.brought.is_empty() => {
                let brought = plain(&step.brought);
                writeln!(text, "    p{cause}->>p{lane}: {brought}\n    Note over p{lane}: {words}")
            }
            Some(cause) => writeln!(text, "    p{cause}->>p{lane}: {words}"),
            None => writeln!(text, "    Note over p{lane}: {words}"),
        };
        if colour.is_some() {
            text += "    end\n";
        }
        for message in &step.messages {
            let arrow = match message.line {
                Line::Arrow => "->>",
                Line::Dashed | Line::Dotted | Line::Read => "-->>",
            };
            let (to, words) = (message.to, plain(&message.text));
            let _ = writeln!(text, "    p{lane}{arrow}p{to}: {words}");
        }
    }
    text
}

/// A graph as a flow chart.
pub fn graph(graph: &Graph) -> String {
    let mut text = format!("flowchart TD\n    accTitle: {}\n", plain(&graph.about));
    for (index, node) in graph.nodes.iter().enumerate() {
        let words = plain(&node.label.text);
        let _ = match node.shape {
            Shape::Box => writeln!(text, "    n{index}[\"{words}\"]"),
            Shape::Circle | Shape::Token => writeln!(text, "    n{index}((\"{words}\"))"),
        };
        let mut style: Vec<String> = Vec::new();
        style.extend(colour(node.label.meaning).map(|colour| format!("fill:{colour}")));
        if node.label.marked {
            style.push("stroke:#c00000,stroke-width:3px".to_string());
        }
        if !style.is_empty() {
            // A comma would end the value.
            let style = style.join(",").replace(", ", " ");
            let _ = writeln!(text, "    style n{index} {style}");
        }
    }
    for arc in &graph.arcs {
        let line = match arc.line {
            Line::Arrow => "-->",
            Line::Dashed | Line::Dotted => "-.->",
            Line::Read => "-.-",
        };
        let words = match arc.text.is_empty() {
            true => String::new(),
            false => format!("|\"{}\"|", plain(&arc.text)),
        };
        let _ = writeln!(text, "    n{} {line}{words} n{}", arc.from, arc.to);
    }
    text
}

/// A colour that lets a light or dark page shine through.
fn colour(meaning: Meaning) -> Option<&'static str> {
    match meaning {
        Meaning::Neutral | Meaning::LeftOut => None,
        Meaning::Good => Some("rgba(60, 170, 60, 0.3)"),
        Meaning::Waiting => Some("rgba(240, 160, 30, 0.3)"),
        Meaning::Blocked => Some("rgba(230, 80, 70, 0.3)"),
        Meaning::Failed => Some("rgba(180, 20, 20, 0.5)"),
        Meaning::Choice => Some("rgba(90, 120, 220, 0.3)"),
    }
}

/// The title of a diagram, which stands in front of it as a value of YAML: what JSON quotes, YAML reads.
pub fn title(text: &str) -> String {
    serde_json::Value::from(&*in_one_line(&beginning(text))).to_string()
}

/// A text of readable length without the letters that mean something to Mermaid.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len().min(2 * LONGEST));
    for letter in text.chars().take(LONGEST) {
        match letter {
            '\n' | '\t' => escaped.push(' '),
            '#' | ';' | '"' | '%' | '`' => {
                let _ = write!(escaped, "#{};", u32::from(letter));
            }
            '<' => escaped.push_str("#lt;"),
            '>' => escaped.push_str("#gt;"),
            letter if is_unseen(letter) => escaped.extend(letter.escape_default()),
            letter => escaped.push(letter),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        escaped.push('…');
    }
    escaped
}
