//! Threads, messages and files with names that mean something to some format: every report stays well-formed, and nothing
//! in it is unseen or changes the direction of writing.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::BINARY;

/// What stands in the names: quotes, marks of every format, control characters, directions of writing.
const THREADS: &str = r#"public class Names {
  static int x;
  static final Object a = new Object(), b = new Object();
  public static void main(String[] args) throws Exception {
    String[] names = {
      "a\"b'c`d|e<f>&g</script><!--]]>{{data}}",
      "line1\nline2\r\n```\n::error::\tTab\u0000\u001b[31m\u0007\u007f\u0085\u009b",
      "end; %%{init: {}}%% #35; \\ \u202egnirts\u202c\u2066x\u2069\u200f\u061c\u2028\ufeff\uffff",
      "lone\ud800" + "very".repeat(3000),
      "" };
    Thread[] ts = new Thread[names.length];
    for (int i = 0; i < names.length; i++) {
      final int k = i;
      ts[i] = new Thread(() -> {
        synchronized (k % 2 == 0 ? a : b) {
          x++;
          synchronized (k % 2 == 0 ? b : a) { x++; }
        }
        if (k == 2) throw new IllegalStateException(Thread.currentThread().getName() + names[0] + names[1]);
      }, names[i]);
      ts[i].start();
    }
    for (Thread t : ts) t.join();
  }
}
"#;

/// What may not be in a file that people read.
fn is_unseen(letter: char) -> bool {
    letter.is_control() && letter != '\n' && letter != '\t'
        || matches!(letter, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}'..='\u{ffff}')
}

fn read(folder: &Path, name: &str) -> String {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let unseen = text.chars().find(|&letter| is_unseen(letter));
    assert_eq!(unseen, None, "{name}: {text}");
    text
}

/// A line of a sequence diagram: what may begin it, and nothing behind it that ends a statement.
fn is_of_sequence(line: &str) -> bool {
    let lane =
        |text: &str| text.starts_with('p') && text[1..].starts_with(|l: char| l.is_ascii_digit());
    let words = line.trim_start();
    let is_message = words.split_once(": ").is_some_and(|(who, _)| {
        let ends = who.split_once("-->>").or_else(|| who.split_once("->>"));
        ends.is_some_and(|(from, to)| lane(from) && lane(to))
            || who.strip_prefix("Note over ").is_some_and(lane)
    });
    let begins = words.starts_with("participant p")
        || words.starts_with("accTitle: ")
        || words.starts_with("rect rgba(")
        || words == "end";
    let entities = words.split('#').skip(1).all(|rest| {
        let name = rest.split(';').next().unwrap_or_default();
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric())
    });
    let plain = words.split('#').enumerate().all(|(index, part)| {
        let part = if index > 0 { part.split_once(';').map_or("", |(_, rest)| rest) } else { part };
        !part.contains([';', '"', '`', '<', '%'])
    });
    (is_message || begins) && entities && plain
}

#[test]
fn every_report_stays_whole_whatever_threads_and_files_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let target = "{{data}} & <b>'\"`|";
    std::fs::create_dir(folder.path().join(target)).unwrap();
    std::fs::write(folder.path().join(target).join("Names.java"), THREADS).unwrap();
    let output = Command::new(BINARY)
        .args([
            "check",
            &format!("{target}/Names.java"),
            "--time",
            "20",
            "--executions",
            "300",
            "--jobs",
            "1",
        ])
        .args(["--explorer", "random", "--json", "r.json", "--junit", "r.xml", "--mermaid", "r.md"])
        .args(["--report", "page", "--annotations", "github", "--races", "--width", "100"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let screen = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        output.status.code(),
        Some(1),
        "{screen}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(screen.chars().find(|&letter| is_unseen(letter)), None, "{screen}");

    // The screen: no row of a table is wider than it, though the names are.
    let is_row = |line: &&str| !line.starts_with("::") && line.matches(" | ").count() >= 2;
    let wide = screen.lines().filter(is_row).find(|row| row.chars().count() > 100);
    assert_eq!(wide, None, "{screen}");
    let notices: Vec<&str> = screen.lines().filter(|line| line.starts_with("::")).collect();

    // JSON holds the findings, with their messages as they are, and the names of threads in one line each.
    let json = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
    let json: Value = serde_json::from_str(&json).unwrap();
    let findings = json["findings"].as_array().unwrap();
    let kinds: Vec<&str> = findings.iter().filter_map(|found| found["kind"].as_str()).collect();
    assert!(kinds.contains(&"deadlock") && kinds.contains(&"exception"), "{kinds:?}");
    assert_eq!(notices.len(), findings.len(), "{screen}");
    for column in findings.iter().flat_map(|found| found["columns"].as_array().unwrap()) {
        let name = column.as_str().unwrap();
        assert!(
            !name.trim().is_empty() && !name.contains(is_unseen) && !name.contains('\n'),
            "{name:?}"
        );
        assert!(name.chars().count() < 200, "{name:?}");
    }

    // JUnit XML is read as XML.
    let junit = junit_parser::from_reader(read(folder.path(), "r.xml").as_bytes()).unwrap();
    assert!(junit.failures >= 2, "{junit:?}");

    // Markdown: as many blocks as findings, each a title that YAML reads and statements of a sequence diagram.
    let markdown = read(folder.path(), "r.md");
    let blocks: Vec<&str> = markdown.split("```mermaid\n").skip(1).collect();
    assert_eq!(blocks.len(), findings.len(), "{markdown}");
    for block in blocks {
        let (inside, after) = block.split_once("\n```").expect("it is closed");
        assert_eq!(after.trim(), "", "{block}");
        let title = inside.lines().nth(1).and_then(|line| line.strip_prefix("title: "));
        serde_json::from_str::<String>(title.unwrap()).expect(inside);
        let odd = inside.lines().skip(4).find(|line| !is_of_sequence(line));
        assert_eq!(odd, None, "{inside}");
    }

    // The page: its data is one element, and the name of the target is the target's.
    let page = read(&folder.path().join("page"), "index.html");
    let (head, data) = page.split_once("id=\"data\">").unwrap();
    assert!(head.contains("{{data}} &amp; &lt;b&gt;"), "{head}");
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["findings"].as_array().unwrap().len(), findings.len());
    let drawn =
        data["findings"].as_array().unwrap().iter().map(|found| found["diagram"].as_str().unwrap());
    for svg in drawn {
        assert_eq!(svg.chars().find(|&letter| is_unseen(letter)), None, "{svg}");
        let tags = svg.split('<').skip(1).map(|tag| tag.split_once('>').unwrap().0);
        let depth = tags.fold(0, |depth, tag| match tag {
            closing if closing.starts_with('/') => depth - 1,
            alone if alone.ends_with('/') => depth,
            _ => depth + 1,
        });
        assert_eq!(depth, 0, "{svg}");
    }
}
