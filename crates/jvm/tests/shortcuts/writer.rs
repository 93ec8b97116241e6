//! Writes Java programs: a few threads that do something with what they share.
//!
//! A [`Draft`] is a program before it is written down: what is shared, what each thread does, statement by
//! statement, and what is looked at at the end. What each statement found, the exceptions by class, and the
//! state at the end are printed by the main thread when the others have ended, so that an outcome is a line.
//! Before each statement a thread calls `Pause.now()`, which does nothing, but takes some time on a real virtual
//! machine.
//!
//! A random draft takes one family of operations, sometimes a second one, and gives each of two or three threads
//! one to three operations of them.

use counterpoint_testkit::random::Random;

use super::families::{FAMILIES, Family};

/// A program before it is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What people would call it.
    pub title: String,
    /// Declarations of the program's class, which they call `P`.
    pub state: Vec<String>,
    /// The statements of each thread. One may set `o`, which becomes part of the outcome. What it throws becomes
    /// part of the outcome, too, or ends the thread if the statement begins with `!`.
    pub threads: Vec<Vec<String>>,
    /// Expressions for the state at the end.
    pub lasts: Vec<String>,
}

impl Draft {
    /// The random draft with a seed.
    pub fn random(seed: u64) -> Draft {
        Draft::random_of(FAMILIES, seed)
    }

    /// The same with operations of some families.
    pub fn random_of(all: &'static [Family], seed: u64) -> Draft {
        let mut random = Random::new(seed);
        let pick = |random: &mut Random| &all[below(random, all.len())];
        let first = &all[seed as usize % all.len()];
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
        let count = 2 + usize::from(random.below(4) == 0);
        let mut threads = Vec::new();
        for _ in 0..count {
            let most = if count == 2 { 2 + random.below(2) } else { 1 + random.below(2) };
            let mut statements = Vec::new();
            for _ in 0..1 + random.below(most) {
                let family = families[below(&mut random, families.len())];
                let operation = family.operations[below(&mut random, family.operations.len())];
                statements.push(operation.replace('#', &random.below(3).to_string()));
            }
            threads.push(statements);
        }
        Draft {
            title: families.iter().map(|family| family.name).collect::<Vec<_>>().join(" and "),
            state: families.iter().map(|family| family.state.to_string()).collect(),
            threads,
            lasts: families.iter().map(|family| family.last.to_string()).collect(),
        }
    }

    /// How many statements and looks at the state it has.
    pub fn size(&self) -> usize {
        self.threads.iter().map(Vec::len).sum::<usize>() + self.lasts.len()
    }

    /// The program as a class with this name.
    pub fn source(&self, class: &str) -> String {
        let count = self.threads.len();
        let mut bodies = String::new();
        for (number, statements) in self.threads.iter().enumerate() {
            bodies += &format!("static String body{number}() {{ String r = \"\";\n");
            for statement in statements {
                let statement = statement.replace("P.class", &format!("{class}.class"));
                bodies += &match statement.strip_prefix('!') {
                    Some(bare) => {
                        format!("{{ Pause.now(); Object o = null; {bare} r += \" \" + o; }}\n")
                    }
                    None => format!(
                        "{{ Pause.now(); Object o = null; try {{ {statement} }} \
                         catch (Throwable e) {{ o = e.getClass().getSimpleName(); }} r += \" \" + o; }}\n"
                    ),
                };
            }
            bodies += "return r; }\n";
        }
        let state: String = self
            .state
            .iter()
            .map(|state| {
                state.replace("P.class", &format!("{class}.class")).replace(
                    "static final P object = new P()",
                    &format!("static final {class} object = new {class}()"),
                ) + "\n"
            })
            .collect();
        let lasts: String = self
            .lasts
            .iter()
            .map(|last| {
                format!(
                    "try {{ out += \" | \" + ({last}); }} \
                     catch (Throwable e) {{ out += \" | \" + e.getClass().getSimpleName(); }}\n"
                )
            })
            .collect();
        let stop = if self.lasts.iter().any(|last| last == "stop()") {
            "static String stop() throws Exception { pool.shutdown();\n\
             return pool.awaitTermination(1, TimeUnit.DAYS) + \" \" + x; }\n"
        } else {
            ""
        };
        let each = |text: &str| -> String {
            (0..count).map(|number| text.replace('@', &number.to_string())).collect()
        };
        let make = each("Thread t@ = new Thread(() -> results[@] = body@());\n");
        let start = each("t@.start();\n");
        let join = each("t@.join();\n");
        format!(
            "// {}\nimport java.util.*;\nimport java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\n\
             import java.util.concurrent.locks.*;\nimport java.util.stream.*;\n\
             public class {class} {{\n\
             static final String[] results = new String[{count}];\n{state}{stop}{bodies}\
             public static void main(String[] args) throws Exception {{\n{make}{start}{join}\
             String out = String.join(\" /\", results);\n{lasts}System.out.println(out); }} }}\n",
            self.title
        )
    }
}

fn below(random: &mut Random, count: usize) -> usize {
    random.below(u32::try_from(count).expect("few alternatives")) as usize
}

/// Words that declarations contain and that look like names of variables or classes of their own.
pub fn names(state: &str) -> Vec<&str> {
    let words = state.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words
        .filter(|word| {
            let declared = [" = ", ";", ", ", " {", "("];
            declared.iter().any(|end| state.contains(&format!(" {word}{end}")))
        })
        .collect()
}
