//! Broken input never breaks the front end: thousands of damaged models, extreme nesting, odd bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::source::{FileId, SourceFile};
use counterpoint_abs::syntax::lexer;
use counterpoint_abs::{LoadOptions, load};

/// How many damaged models are tried.
const MUTATIONS: usize = 10_000;

/// A small generator of pseudo-random numbers, so that every run does the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.next() % limit as u64) as usize }
    }
}

fn models() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["corpus", "errors"] {
        let entries = fs::read_dir(tests.join(folder)).expect("the folder can be read");
        paths.extend(entries.map(|entry| entry.expect("an entry can be read").path()));
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "abs"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a model can be read")).collect()
}

/// The model with some tokens deleted, repeated, exchanged or taken from elsewhere.
fn mutate_tokens(text: &str, other: &str, random: &mut Random) -> String {
    let pieces = |text: &str| -> Vec<String> {
        let (tokens, _) = lexer::tokenize(FileId(0), text);
        tokens.iter().map(|token| text[token.span.range()].to_owned()).collect()
    };
    let mut tokens = pieces(text);
    let others = pieces(other);
    for _ in 0..=random.below(4) {
        if tokens.is_empty() {
            break;
        }
        let at = random.below(tokens.len());
        match random.below(5) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => {
                let with = random.below(tokens.len());
                tokens.swap(at, with);
            }
            3 => tokens.insert(at, others[random.below(others.len())].clone()),
            _ => tokens.truncate(at),
        }
    }
    tokens.join(" ")
}

/// The model with some bytes deleted, changed or repeated.
fn mutate_bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => drop(bytes.remove(at)),
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes.insert(at, b"{}()[]<>;=\"`$|&!?.,_"[random.below(20)]),
            _ => {
                let end = (at + random.below(40)).min(bytes.len());
                let copied = bytes[at..end].to_vec();
                bytes.splice(at..at, copied);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_models_give_messages_and_nothing_worse() {
    let models = models();
    let mut random = Random(0x00C0_FFEE_0000_ABCD);
    let mut clean = 0;
    let start = Instant::now();
    for round in 0..MUTATIONS {
        let text = &models[random.below(models.len())];
        let mutated = if round % 2 == 0 {
            let other = random.below(models.len());
            mutate_tokens(text, &models[other], &mut random)
        } else {
            mutate_bytes(text, &mut random)
        };
        let result =
            load(vec![SourceFile::new("mutated.abs", mutated.as_str())], &LoadOptions::default());
        let has_errors = result.diagnostics.iter().any(|found| found.is_error());
        assert_eq!(result.model.is_none(), has_errors, "round {round}:\n{mutated}");
        clean += usize::from(!has_errors);
        if round % 10 == 0 {
            assert!(has_errors <= !result.render(Style::Plain).is_empty());
        }
    }
    assert!(clean < MUTATIONS, "some mutations are errors");
    let elapsed = start.elapsed();
    assert!(
        elapsed < Duration::from_secs(120),
        "{elapsed:?} for {MUTATIONS} models: something hangs"
    );
}

/// Loads on a small stack: what is nested too deeply must be reported before the stack ends.
fn survives(name: &str, text: String) {
    let load_it = move || {
        let result = load(vec![SourceFile::new("deep.abs", text)], &LoadOptions::default());
        result.render(Style::Plain).len()
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(load_it);
    let length = thread.expect("a thread can be started").join();
    assert!(length.is_ok(), "{name} breaks the front end");
}

#[test]
fn deep_nesting_is_reported_on_a_small_stack() {
    let deep = |open: &str, middle: &str, close: &str, count: usize| {
        format!("{}{middle}{}", open.repeat(count), close.repeat(count))
    };
    let main = |expression: String| format!("module M; {{ Int x = {expression}; }}");
    for count in [190, 20_000] {
        survives("parentheses", main(deep("(", "1", ")", count)));
        survives("operators", main(deep("(1 + 2 * ", "1", ")", count)));
        survives("every level", main(deep("(1 > 2 || True && 1 == 2 + 3 * ", "1", ")", count)));
        survives("negations", main(deep("!", "True", "", count)));
        survives("minus", main(deep("- ", "1", "", count)));
        survives("calls", main(deep("max(1, ", "1", ")", count)));
        survives("constructors", main(deep("Cons(1, ", "Nil", ")", count)));
        survives("lists", main(deep("list[", "1", "]", count)));
        survives("cases", main(deep("case 1 { _ => ", "1", "; }", count)));
        survives("subjects", main(deep("case ", "1", "{ _ => 1; }", count)));
        survives("conditionals", main(deep("when True then 1 else ", "1", "", count)));
        survives("lets", main(deep("let Int y = 1 in ", "1", "", count)));
        survives("anonymous functions", main(deep("map((Int x) => ", "1", ")(Nil)", count)));
        survives("types", format!("module M; {{ {} x; }}", deep("List<", "Int", ">", count)));
        survives("blocks", format!("module M; {}", deep("{ ", "skip;", " }", count)));
        survives("ifs", format!("module M; {{ {} }}", deep("if (True) ", "skip;", "", count)));
        survives(
            "elses",
            format!("module M; {{ {} }}", deep("if (True) skip; else ", "skip;", "", count)),
        );
        let tries = deep("try ", "skip;", " catch { _ => skip; } finally skip;", count);
        survives("tries", format!("module M; {{ {tries} }}"));
        let finallies = deep("try skip; catch { _ => skip; } finally ", "skip;", "", count);
        survives("finallies", format!("module M; {{ {finallies} }}"));
        let patterns = deep("Just(", "_", ")", count);
        survives("patterns", main(format!("case Nothing {{ {patterns} => 1; }}")));
        survives(
            "annotations",
            format!("module M; {{ {} skip; }}", deep("[Cost: [", "1", "]]", count)),
        );
    }
}

#[test]
fn long_models_take_time_in_proportion() {
    let long = |piece: &str, separator: &str, count: usize| vec![piece; count].join(separator);
    let start = Instant::now();
    survives("a long sum", format!("module M; {{ Int x = {}; }}", long("1", " + ", 50_000)));
    survives(
        "a long list",
        format!("module M; {{ List<Int> x = list[{}]; }}", long("1", ", ", 50_000)),
    );
    survives(
        "a too long list",
        format!("module M; {{ Int y = 1; List<Int> x = list[{}]; }}", long("y", ", ", 70_000)),
    );
    survives(
        "a long conjunction",
        format!("module M; {{ Bool x = {}; }}", long("True", " && ", 50_000)),
    );
    survives("many statements", format!("module M; {{ {} }}", "skip; ".repeat(50_000)));
    survives("many errors", format!("module M; {{ {} }}", "Int = ; ".repeat(5_000)));
    survives("many brackets", "([{".repeat(50_000));
    survives("many closing brackets", ")]}".repeat(50_000));
    survives("many generics", format!("module M; {{ {} }}", "A<B<C<D<".repeat(10_000)));
    let synonyms: String =
        (0..60).map(|n| format!("type T{} = Pair<T{n}, T{n}>; ", n + 1)).collect();
    survives(
        "growing synonyms",
        format!("module M; type T0 = Int; {synonyms} {{ T60 x = null; }}"),
    );
    let traits: String =
        (0..60).map(|n| format!("trait T{} = T{n} modifies T{n} ", n + 1)).collect();
    survives(
        "growing traits",
        format!("module M; trait T0 = {{ Unit m() {{ skip; }} }} {traits} {{ skip; }}"),
    );
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}: something is not linear",
        start.elapsed()
    );
}

#[test]
fn odd_bytes_are_no_problem() {
    for text in [
        "\u{0}",
        "\u{feff}module M; { skip; }",
        "module M; { String s = \"\u{1F600}\"; }",
        "\\",
        "`$",
        "$",
        "\"\\",
        "/*/",
        "'",
    ] {
        survives(text, text.to_owned());
    }
}
