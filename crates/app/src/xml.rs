//! Text inside XML and HTML.

use counterpoint_model::words::is_unseen;

/// The text without the characters that mean something there; what XML cannot hold, and what would not be seen, becomes
/// an escape such as `\u{202e}`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(letter),
            letter if is_unseen(letter) => escaped.extend(letter.escape_default()),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A page with texts in place of the marks `{{name}}`. What is in a text is no mark, whatever it looks like.
pub fn fill(page: &str, texts: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(page.len());
    let mut parts = page.split("{{");
    filled.extend(parts.next());
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("marks are closed");
        let text = texts.iter().find(|(known, _)| *known == name);
        filled.push_str(text.unwrap_or_else(|| panic!("there is a text for {name}")).1);
        filled.push_str(rest);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_can_stand_in_xml_and_is_seen() {
        assert_eq!(escape("<a b=\"&\">\n"), "&lt;a b=&quot;&amp;&quot;&gt;\n");
        assert_eq!(escape("\u{0}\r\u{1b}\u{85}\u{ffff}"), "\\u{0}\\r\\u{1b}\\u{85}\\u{ffff}");
        assert_eq!(escape("\u{202e}gnp"), "\\u{202e}gnp");
    }

    #[test]
    fn a_text_that_looks_like_a_mark_is_no_mark() {
        let texts = [("name", "{{data}}"), ("data", "{{name}}")];
        assert_eq!(
            fill("<{{name}}> {{data}} <{{name}}>", &texts),
            "<{{data}}> {{name}} <{{data}}>"
        );
        assert_eq!(fill("plain", &texts), "plain");
    }
}
