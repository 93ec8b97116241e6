//! Writes random Java programs: two or three threads that do something with what they share.
//!
//! A program takes one family of operations, sometimes a second one, and gives each thread one to
//! three operations of them. What each operation found, the exceptions by class, and the state at the
//! end are printed by the main thread when the others have ended, so that an outcome is a line. Before
//! each operation a thread calls `Pause.now()`, which does nothing, but takes some time on a real virtual
//! machine.

use counterpoint_testkit::random::Random;

use super::families::{FAMILIES, Family};

/// The class that programs call between operations.
pub const PAUSE: &str = "public class Pause { public static void now() {} }\n";

/// The program with a seed, as a class with this name.
pub fn program(seed: u64, class: &str) -> String {
    let mut random = Random::new(seed);
    let pick = |random: &mut Random| &FAMILIES[below(random, FAMILIES.len())];
    let first = &FAMILIES[seed as usize % FAMILIES.len()];
    let mut families: Vec<&Family> = vec![first];
    if random.below(4) == 0 {
        let second = pick(&mut random);
        let clash = |left: &Family, right: &Family| {
            names(left.state).iter().any(|name| names(right.state).contains(name))
        };
        if second.name != first.name && !clash(first, second) {
            families.push(second);
        }
    }
    let threads = 2 + usize::from(random.below(4) == 0);
    let mut bodies = String::new();
    for number in 0..threads {
        let most = if threads == 2 { 2 + random.below(2) } else { 1 + random.below(2) };
        bodies += &format!("static String body{number}() {{ String r = \"\";\n");
        for _ in 0..1 + random.below(most) {
            let family = families[below(&mut random, families.len())];
            let operation = family.operations[below(&mut random, family.operations.len())];
            let operation = operation.replace('#', &random.below(3).to_string());
            bodies += &format!(
                "{{ Pause.now(); Object o = null; try {{ {operation} }} \
                 catch (Throwable e) {{ o = e.getClass().getSimpleName(); }} r += \" \" + o; }}\n"
            );
        }
        bodies += "return r; }\n";
    }
    let state: String = families
        .iter()
        .map(|family| family.state.replace("P.class", "CLASS.class") + "\n")
        .collect();
    let state = state
        .replace(
            "static final P object = new P()",
            &format!("static final {class} object = new {class}()"),
        )
        .replace("CLASS.class", &format!("{class}.class"));
    let lasts: String = families
        .iter()
        .map(|family| {
            format!(
                "try {{ out += \" | \" + ({}); }} \
                 catch (Throwable e) {{ out += \" | \" + e.getClass().getSimpleName(); }}\n",
                family.last
            )
        })
        .collect();
    let stop = if families.iter().any(|family| family.last == "stop()") {
        "static String stop() throws Exception { pool.shutdown();\n\
         return pool.awaitTermination(1, TimeUnit.DAYS) + \" \" + x; }\n"
    } else {
        ""
    };
    let each = |text: &str| -> String {
        (0..threads).map(|number| text.replace('@', &number.to_string())).collect()
    };
    let make = each("Thread t@ = new Thread(() -> results[@] = body@());\n");
    let start = each("t@.start();\n");
    let join = each("t@.join();\n");
    let names = families.iter().map(|family| family.name).collect::<Vec<_>>().join(" and ");
    format!(
        "// {names}\nimport java.util.*;\nimport java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\n\
         import java.util.concurrent.locks.*;\nimport java.util.stream.*;\n\
         public class {class} {{\n\
         static final String[] results = new String[{threads}];\n{state}{stop}{bodies}\
         public static void main(String[] args) throws Exception {{\n{make}{start}{join}\
         String out = String.join(\" /\", results);\n{lasts}System.out.println(out); }} }}\n"
    )
}

fn below(random: &mut Random, count: usize) -> usize {
    random.below(u32::try_from(count).expect("few alternatives")) as usize
}

/// Words that declarations contain and that look like names of variables or classes of their own.
fn names(state: &str) -> Vec<&str> {
    let words = state.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words
        .filter(|word| {
            let declared = [" = ", ";", ", ", " {", "("];
            declared.iter().any(|end| state.contains(&format!(" {word}{end}")))
        })
        .collect()
}
