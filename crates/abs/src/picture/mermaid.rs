//! The sequence diagram of an execution as Mermaid text.

use std::fmt::Write;

use crate::machine::{Account, ModelProgram, Stop};

/// The diagram as text, for pages and documents that render Mermaid.
pub fn mermaid(program: &ModelProgram, account: &Account) -> String {
    let mut text = String::from("sequenceDiagram\n");
    let number =
        |object: &str| account.objects.iter().position(|other| other == object).unwrap_or_default();
    // Writing to a string cannot fail, here and below.
    for (index, object) in account.objects.iter().enumerate() {
        let _ = writeln!(text, "    participant p{index} as {}", escape(object));
    }
    for step in &account.steps {
        let from = number(&step.object);
        let deadlocked = account.cycle.contains(&step.choice.process)
            && matches!(step.stop, Stop::Blocked(_) | Stop::Waiting(_));
        let mark = if deadlocked { " (deadlock)" } else { "" };
        let note = format!("{} {} {}{mark}", step.time, step.task, step.stop_text(program));
        let _ = writeln!(text, "    rect {}", colour(&step.stop));
        let _ = writeln!(text, "        Note over p{from}: {}", escape(&note));
        let _ = writeln!(text, "    end");
        for object in &step.created {
            let _ = writeln!(text, "    p{from}-->>p{}: new", number(object));
        }
        for (_, task, receiver) in &step.posted {
            let _ = writeln!(text, "    p{from}->>p{}: {}", number(receiver), escape(task));
        }
    }
    text
}

fn colour(stop: &Stop) -> &'static str {
    match stop {
        Stop::Returned(_) => "rgb(183, 225, 176)",
        Stop::Suspended | Stop::Waiting(_) => "rgb(255, 215, 154)",
        Stop::Blocked(_) | Stop::Sleeping => "rgb(246, 165, 160)",
        Stop::Choosing(_) | Stop::Deciding => "rgb(207, 216, 240)",
        Stop::Failed(_) | Stop::GivenUp => "rgb(201, 106, 106)",
    }
}

/// Mermaid reads `#` and `;` as parts of its own notation, and a line break as the end.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '#' => escaped.push_str("#35;"),
            ';' => escaped.push_str("#59;"),
            '<' => escaped.push_str("#lt;"),
            '>' => escaped.push_str("#gt;"),
            '\n' | '\r' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
