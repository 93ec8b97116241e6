//! The little of SVG that the pictures need.

use std::fmt::Write;

/// A drawing in the making.
pub(crate) struct Drawing {
    width: u32,
    height: u32,
    content: String,
}

/// How wide a text is, roughly: letters of the font are all alike.
pub(crate) fn text_width(text: &str) -> u32 {
    text.chars().count() as u32 * 7
}

/// A text without the characters that mean something in XML.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Characters that XML does not allow at all.
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A box with a text of one or two lines.
pub(crate) struct Label<'t> {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
    pub fill: &'t str,
    pub marked: bool,
    pub lines: &'t [&'t str],
    pub tooltip: &'t str,
}

impl Drawing {
    pub fn new(width: u32, height: u32) -> Drawing {
        Drawing { width, height, content: String::new() }
    }

    // Writing to a string cannot fail, here and below.
    pub fn label(&mut self, label: &Label<'_>) {
        let Label { x, y, width, height, fill, marked, lines, tooltip } = *label;
        let (stroke, thickness) = if marked { ("#c00000", 3) } else { ("#555555", 1) };
        let _ = write!(
            self.content,
            "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             rx=\"5\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{thickness}\"/>",
            escape(tooltip)
        );
        let middle = x + width / 2;
        let first = y + (height - 14 * lines.len() as u32) / 2 + 11;
        for (index, line) in lines.iter().enumerate() {
            let baseline = first + 14 * index as u32;
            let _ = write!(
                self.content,
                "<text x=\"{middle}\" y=\"{baseline}\" text-anchor=\"middle\">{}</text>",
                escape(line)
            );
        }
        self.content.push_str("</g>\n");
    }

    pub fn text(&mut self, x: u32, y: u32, anchor: &str, text: &str) {
        let text = escape(text);
        let _ = writeln!(
            self.content,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" paint-order=\"stroke\" \
             stroke=\"white\" stroke-width=\"3\" stroke-opacity=\"0.9\">{text}</text>"
        );
    }

    pub fn line(&mut self, from: (u32, u32), to: (u32, u32), style: &str) {
        let _ = writeln!(
            self.content,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {style}/>",
            from.0, from.1, to.0, to.1
        );
    }

    pub fn path(&mut self, path: &str, style: &str) {
        let _ = writeln!(self.content, "<path d=\"{path}\" fill=\"none\" {style}/>");
    }

    pub fn finish(self) -> String {
        let Drawing { width, height, content } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"11\">\n\
             <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" \
             markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">\
             <path d=\"M0 0L8 4L0 8z\" fill=\"#333333\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{content}</svg>\n"
        )
    }
}
