//! Hostile inputs: a table of files, folders and flags that nobody should hand over, with what is said about
//! each and the exit code. Whatever comes, the command ends in time, says something that fits on a screen,
//! sends no control characters to it, and does not panic.
//!
//! The soak damages such inputs at random, under random limits, for as many seconds as `SOAK_SECONDS` says.

#![cfg(unix)]

mod beginnings;
mod files;
mod java;
mod large;
mod models;
mod names;
mod stories;
mod words;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_counterpoint");

/// What is in a file of a row.
pub enum Content {
    /// A text.
    Text(&'static str),
    /// Bytes that are no text.
    Bytes(&'static [u8]),
    /// A text with a piece repeated in its middle.
    Repeat(&'static str, &'static str, usize, &'static str),
    /// Bytes without any sense, from a seed.
    Noise(u64, usize),
    /// A folder instead.
    Folder,
    /// A pipe instead, which nobody writes to.
    Fifo,
    /// A symbolic link instead.
    Link(&'static str),
}

/// A kind of hostile input.
pub struct Row {
    /// What is hostile about it.
    pub name: &'static str,
    /// The files beside which the command runs.
    pub files: &'static [(&'static str, Content)],
    /// The command.
    pub words: &'static [&'static str],
    /// What it ends with.
    pub code: i32,
    /// What the screens say, among other things.
    pub says: &'static str,
}

/// The time limit given with every row, and how long the command may take in all on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// More than this fits on no screen.
const MOST_OUTPUT: usize = 64 << 10;

fn make(folder: &Path, name: &str, content: &Content) {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).unwrap();
    }
    match content {
        Content::Text(text) => std::fs::write(path, text).unwrap(),
        Content::Bytes(bytes) => std::fs::write(path, bytes).unwrap(),
        Content::Repeat(before, piece, count, after) => {
            std::fs::write(path, format!("{before}{}{after}", piece.repeat(*count))).unwrap();
        }
        Content::Noise(seed, length) => {
            let mut state = *seed;
            let mut next = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as u8
            };
            std::fs::write(path, (0..*length).map(|_| next()).collect::<Vec<u8>>()).unwrap();
        }
        Content::Folder => std::fs::create_dir_all(path).unwrap(),
        Content::Fifo => {
            let made = Command::new("mkfifo").arg(&path).status().unwrap();
            assert!(made.success());
        }
        Content::Link(target) => symlink(target, path).unwrap(),
    }
}

/// What is wrong with how a row ended.
fn trouble(row: &Row) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in row.files {
        make(folder.path(), name, content);
    }
    let out = folder.path().join(".out");
    let err = folder.path().join(".err");
    let started = Instant::now();
    let mut child = Command::new(BINARY)
        .args(row.words)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out).unwrap())
        .stderr(std::fs::File::create(&err).unwrap())
        .spawn()
        .unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return Some("does not end".to_string());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut bytes = std::fs::read(&out).unwrap();
    bytes.extend(std::fs::read(&err).unwrap());
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let shown: String = text.chars().take(1500).collect();
    let odd = |letter: &char| letter.is_control() && !"\n\t".contains(*letter);
    if text.contains("panicked") || text.contains("internal error") {
        return Some(format!("breaks:\n{shown}"));
    }
    if bytes.len() > MOST_OUTPUT {
        return Some(format!("says {} bytes:\n{shown}", bytes.len()));
    }
    if let Some(letter) = text.chars().find(odd) {
        return Some(format!("prints {letter:?}:\n{shown}"));
    }
    if status.code() != Some(row.code) || !text.contains(row.says) {
        return Some(format!(
            "ends with {:?}, not {}, and says:\n{shown}",
            status.code(),
            row.code
        ));
    }
    None
}

fn check(rows: &[Row]) {
    let troubles: Vec<String> =
        rows.iter().filter_map(|row| Some(format!("{}: {}", row.name, trouble(row)?))).collect();
    assert!(
        troubles.is_empty(),
        "{} of {}\n\n{}",
        troubles.len(),
        rows.len(),
        troubles.join("\n\n")
    );
}

#[test]
fn models() {
    check(models::ROWS);
}

#[test]
fn java_programs() {
    check(java::ROWS);
}

#[test]
fn files_and_folders() {
    check(files::ROWS);
}

#[test]
fn what_grows_at_once() {
    check(large::ROWS);
}

#[test]
fn words() {
    check(words::ROWS);
}

#[test]
fn there_are_a_hundred_kinds_and_no_name_comes_twice() {
    let all = [models::ROWS, java::ROWS, large::ROWS, files::ROWS, words::ROWS];
    let mut names: Vec<&str> =
        all.iter().flat_map(|rows| rows.iter().map(|row| row.name)).collect();
    assert!(names.len() >= 100, "{}", names.len());
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
}

/// Numbers without pattern, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Programs to damage: small ones that use much of the languages.
const SOUND: [(&str, &str); 4] = [
    (
        "m.abs",
        "module M; exception E(String s); data D = A(Int n) | B; def Int f(D d) = case d { A(n) => n; B => 0; };\n\
         interface I { Int m(Int n); Unit w(); }\n\
         class C implements I { Int k = 0; Int m(Int n) { k = k + n; await k > 1; return f(A(k)); } Unit w() { await duration(1, 2); k = k * 2; } }\n\
         { I o = new C(); Fut<Int> x = o!m(1); Fut<Int> y = o!m(2); o!w(); await x?; Int n = y.get; assert n < 9; }\n",
    ),
    (
        "m.abs",
        "module M; interface I { Unit p(I l, I r); Unit t(); } class F implements I { Bool b = False; Unit t() { await !b; b = True; } Unit p(I l, I r) { Fut<Unit> x = l!t(); x.get; await r!t(); } }\n\
         { I f = new F(); I g = new F(); I p = new F(); I q = new F(); p!p(f, g); q!p(g, f); List<Int> l = list[1, 2]; while (length(l) < 2000) { l = Cons(1, l); } }\n",
    ),
    (
        "A.java",
        "import java.util.concurrent.locks.*; class A { static int x; static final Object o = new Object(); static final Lock l = new ReentrantLock();\n\
         static void f(int n) { synchronized (o) { x += n; } l.lock(); try { if (x > 2) throw new IllegalStateException(\"x = \" + x); } finally { l.unlock(); } }\n\
         public static void main(String[] a) throws Exception { Thread s = new Thread(() -> f(1)), t = new Thread(() -> f(2)); s.start(); t.start(); s.join(); t.join(); } }\n",
    ),
    (
        "A.java",
        "import java.util.*; class A { static List<int[]> l = new ArrayList<>(); static volatile boolean b;\n\
         public static void main(String[] a) throws Exception { Thread t = new Thread(() -> { while (!b) { l.add(new int[100000]); } }); t.start(); for (int i = 0; i < 1000; i++) b = i > 998; t.join(); } }\n",
    ),
];

/// A text with letters left out, doubled, exchanged or put in at random places.
fn damaged(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.below(6) {
        if bytes.is_empty() {
            break;
        }
        let place = random.below(bytes.len());
        let length = random.below(20).min(bytes.len() - place);
        match random.below(5) {
            0 => drop(bytes.drain(place..place + length)),
            1 => {
                let piece = bytes[place..place + length].repeat(1 + random.below(400));
                bytes.splice(place..place, piece);
            }
            2 => bytes[place] = random.below(256) as u8,
            3 => bytes.truncate(place.max(1)),
            _ => {
                let words: [&[u8]; 8] = [
                    b"while (True) { ",
                    b"9999999999",
                    b"(((((((",
                    b"\x1b[2J",
                    b"\"",
                    b" / 0",
                    b"while (true) ",
                    b";",
                ];
                bytes.splice(place..place, words[random.below(words.len())].iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn soak() {
    let seconds: u64 = std::env::var("SOAK_SECONDS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let seed: u64 = std::env::var("SOAK_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let started = Instant::now();
    let mut random = Random(seed);
    let mut rounds = 0;
    while started.elapsed() < Duration::from_secs(seconds) {
        rounds += 1;
        let folder = tempfile::tempdir().unwrap();
        let (name, text) = SOUND[random.below(SOUND.len())];
        let bytes = damaged(text, &mut random);
        std::fs::write(folder.path().join(name), &bytes).unwrap();
        let time = 1 + random.below(3);
        let memory = 150 + random.below(700);
        let explorers = ["optimal", "dpor", "exhaustive", "random", "unfolding", "stateful"];
        let explorer = explorers[random.below(explorers.len())];
        let (time, allowed) = (time.to_string(), format!("{memory}M"));
        let words = ["check", name, "--time", &time, "--memory", &allowed, "--explorer", explorer];
        let Watched { code, text, megabytes } = watch(folder.path(), &words);
        let what = || {
            let shown: String = text.chars().take(3000).collect();
            let (words, bytes) = (words.join(" "), String::from_utf8_lossy(&bytes));
            format!(
                "round {rounds} of seed {seed}: {words}: {code:?}, {megabytes} MB\n{shown}\n{bytes}"
            )
        };
        assert!(matches!(code, Some(0..=3)), "{}", what());
        // The command looks at its memory from time to time.
        assert!(megabytes <= (memory + memory / 4) as u64, "{}", what());
        assert!(!text.contains("panicked") && !text.contains("internal error"), "{}", what());
        let odd = |letter: char| letter.is_control() && !"\n\t".contains(letter);
        assert!(!text.chars().any(odd) && text.len() < MOST_OUTPUT, "{}", what());
    }
}

/// What came of a command.
struct Watched {
    /// None if it was killed, after two minutes at the latest.
    code: Option<i32>,
    text: String,
    /// The most memory that it was seen to use.
    megabytes: u64,
}

fn watch(folder: &Path, words: &[&str]) -> Watched {
    let said = [folder.join("said"), folder.join("complained")];
    let [output, errors] = said.each_ref().map(|path| std::fs::File::create(path).unwrap());
    let mut child = Command::new(BINARY)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let started = Instant::now();
    let mut megabytes = 0;
    let code = loop {
        let figures = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = figures.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
        megabytes = megabytes.max(kilobytes.unwrap_or(0) / 1024);
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if started.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = said.map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
    Watched { code, text: text.concat(), megabytes }
}
