//! Damaged class files are errors: never a panic, a hang or unbounded memory.

use std::time::{Duration, Instant};

use counterpoint_jvm::load::{ClassPath, Image, Jdk, compile};
use counterpoint_jvm::{ClassFileError, Machine, Options, check_class_file};

/// Classes of different shape: large and small, with lambdas, switches, handlers, records.
const CLASSES: [&str; 8] = [
    "java/lang/Object",
    "java/util/HashMap",
    "java/util/Formatter",
    "java/util/stream/Collectors",
    "java/lang/Character",
    "java/util/concurrent/ForkJoinPool",
    "java/lang/runtime/ObjectMethods",
    "java/util/regex/Pattern",
];

fn image() -> Image {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    Image::open(&jdk.image()).expect("its image opens")
}

fn class(image: &Image, name: &str) -> Vec<u8> {
    image.class(name).expect("readable").expect("present")
}

/// A small generator, so that failures can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// How many damaged classes a test takes: this many, or as many as `DAMAGED_CLASSES` says.
fn count(usual: usize) -> usize {
    let wanted = std::env::var("DAMAGED_CLASSES").ok();
    wanted.and_then(|count| count.parse().ok()).unwrap_or(usual)
}

#[test]
fn intact_classes_pass_all_checks() {
    let image = image();
    for name in CLASSES {
        assert_eq!(check_class_file(class(&image, name)).as_deref(), Ok(name));
    }
}

#[test]
fn every_truncation_is_an_error() {
    let image = image();
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for name in CLASSES {
        let bytes = class(&image, name);
        for _ in 0..50 {
            let length = random.below(bytes.len());
            assert!(
                check_class_file(bytes[..length].to_vec()).is_err(),
                "{name} cut to {length} bytes"
            );
        }
    }
}

#[test]
fn random_damage_is_an_error_or_harmless_and_never_slow() {
    let image = image();
    let mut random = Random(0x0F1E_2D3C_4B5A_6978);
    let (mut errors, mut harmless) = (0, 0);
    let mut slowest = Duration::ZERO;
    while errors < count(600) {
        let name = CLASSES[random.below(CLASSES.len())];
        let mut bytes = class(&image, name);
        for _ in 0..=random.below(12) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes[at] = [0x00, 0x7F, 0x80, 0xFF][random.below(4)],
                _ => {
                    bytes.remove(at);
                }
            }
        }
        let start = Instant::now();
        match check_class_file(bytes) {
            Ok(_) => harmless += 1,
            Err(_) => errors += 1,
        }
        slowest = slowest.max(start.elapsed());
        assert!(harmless < 20 * count(600), "damage is hardly ever noticed");
    }
    assert!(slowest < Duration::from_secs(60), "{slowest:?}");
}

#[test]
fn an_unknown_version_says_what_to_do() {
    let mut bytes = class(&image(), "java/lang/Object");
    bytes[6..8].copy_from_slice(&[0, 99]);
    let error = check_class_file(bytes).expect_err("version 99 is unknown");
    assert!(matches!(error, ClassFileError::Version { major: 99, .. }));
    assert!(error.to_string().contains("javac --release 25"), "{error}");
}

/// Damaged classes that pass the checks are run, too: they end with an error, a fault, an exception
/// or a different output, but they end.
#[test]
fn running_damaged_classes_never_panics_or_hangs() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let names = ["Labels", "Records", "Switches", "Lambdas", "Exceptions", "Interning"];
    let sources: Vec<_> =
        names.iter().map(|name| folder.join(format!("java/{name}.java"))).collect();
    let classes = compile(&jdk, &sources, &[]).expect("the programs compile");
    let options = Options { heap_words: 8 << 20, fuel: 200_000, ..Options::default() };
    let mut random = Random(0x5DEE_CE66_D1CE_4E5B);
    let (mut refused, mut ran) = (0, 0);
    for round in 0..count(400) {
        let name = names[round % names.len()];
        let path = classes.path().join(format!("{name}.class"));
        let intact = std::fs::read(&path).expect("a class file");
        let mut bytes = intact.clone();
        for _ in 0..=random.below(3) {
            let at = 10 + random.below(bytes.len() - 10);
            bytes[at] = if random.below(2) == 0 {
                bytes[at] ^ 1 << random.below(8)
            } else {
                random.below(256) as u8
            };
        }
        std::fs::write(&path, &bytes).expect("written");
        let folder = [classes.path().to_path_buf()];
        let class_path = ClassPath::new(jdk.clone(), &folder).expect("a class path");
        match Machine::new(class_path, name, &[], options.clone()) {
            Err(_) => refused += 1,
            Ok(mut machine) => {
                ran += 1;
                let _ = machine.run_to_end();
            }
        }
        std::fs::write(&path, &intact).expect("written");
    }
    assert!(refused > count(400) / 8 && ran > count(400) / 8, "{refused} refused, {ran} ran");
}
