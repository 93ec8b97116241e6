//! Random models that wait: objects in cogs of their own and of others, futures in variables, fields, lists,
//! parameters and results, loops, branches, calls of all kinds, exceptions, and now and then a condition.
//!
//! Methods call only methods with larger numbers and loops are counted, so that every run ends.

use std::fmt::Write;

/// A small generator of pseudo-random numbers, so that every run does the same.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &'a [String]) -> &'a str {
        let index = self.below(from.len());
        &from[index]
    }
}

/// What a model may contain; the seed decides which of it.
struct Features {
    locals: bool,
    fields: bool,
    lists: bool,
    exceptions: bool,
    conditions: bool,
    destiny: bool,
    results: bool,
}

struct Writer {
    random: Random,
    features: Features,
    methods: usize,
    classes: usize,
    text: String,
    depth: usize,
    fresh: usize,
    /// The futures, objects and flags in scope.
    futures: Vec<String>,
    objects: Vec<String>,
    budget: usize,
}

/// The source of a random model.
pub fn random_model(seed: u64) -> String {
    let mut random = Random::new(seed);
    for _ in 0..3 {
        random.below(2);
    }
    let features = Features {
        locals: random.chance(35),
        fields: random.chance(50),
        lists: random.chance(25),
        exceptions: random.chance(15),
        conditions: random.chance(12),
        destiny: random.chance(10),
        results: random.chance(20),
    };
    let methods = 2 + random.below(3);
    let classes = 1 + random.below(2);
    let mut writer = Writer {
        random,
        features,
        methods,
        classes,
        text: String::new(),
        depth: 0,
        fresh: 0,
        futures: Vec::new(),
        objects: Vec::new(),
        budget: 0,
    };
    writer.model();
    writer.text
}

impl Writer {
    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn model(&mut self) {
        self.line("module Random;");
        self.line("interface Node {");
        for method in 0..self.methods {
            self.line(&format!("  Int m{method}(Node a, Node b, Fut<Int> g);"));
        }
        self.line("  Unit later(Destiny d);");
        self.line("  Fut<Int> kept();");
        self.line("}");
        for class in 0..self.classes {
            self.class(class);
        }
        self.main();
    }

    fn class(&mut self, class: usize) {
        self.line(&format!("class C{class}(Node left, Node right) implements Node {{"));
        self.depth += 1;
        self.line("Fut<Int> held;");
        self.line("List<Fut<Int>> many = Nil;");
        self.line("Bool flag = False;");
        for method in 0..self.methods {
            self.line(&format!("Int m{method}(Node a, Node b, Fut<Int> g) {{"));
            self.depth += 1;
            self.futures = vec!["g".to_owned()];
            self.objects = ["a", "b", "left", "right"].map(str::to_owned).to_vec();
            self.budget = 2 + self.random.below(4);
            self.line("Fut<Int> none;");
            self.statements(method + 1, 0);
            self.line("return 1;");
            self.depth -= 1;
            self.line("}");
        }
        self.line("Unit later(Destiny d) { await d?; }");
        self.line("Fut<Int> kept() { return held; }");
        self.depth -= 1;
        self.line("}");
    }

    fn main(&mut self) {
        self.line("{");
        self.depth += 1;
        let count = 2 + self.random.below(2);
        self.objects.clear();
        self.futures.clear();
        for index in 0..count {
            let class = self.random.below(self.classes);
            let mut arguments = Vec::new();
            for _ in 0..2 {
                let known = self.objects.clone();
                let argument = match known.is_empty() || self.random.chance(10) {
                    true => "null".to_owned(),
                    false => self.random.pick(&known).to_owned(),
                };
                arguments.push(argument);
            }
            let place = if self.features.locals && self.random.chance(25) { "local " } else { "" };
            self.line(&format!("Node o{index} = new {place}C{class}({});", arguments.join(", ")));
            self.objects.push(format!("o{index}"));
        }
        self.line("Fut<Int> none;");
        for _ in 0..2 + self.random.below(2) {
            if let Some(call) = self.call(0, "!") {
                let future = self.name("f");
                self.line(&format!("Fut<Int> {future} = {call};"));
                self.futures.push(future);
            }
        }
        self.budget = self.random.below(4);
        self.statements(0, 0);
        self.depth -= 1;
        self.line("}");
    }

    fn statements(&mut self, least: usize, nesting: usize) {
        let count = 1 + self.random.below(4);
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(least, nesting);
        }
    }

    fn object(&mut self) -> String {
        let objects = self.objects.clone();
        if least_is_main(&objects) || self.random.chance(80) {
            self.random.pick(&objects).to_owned()
        } else {
            "this".to_owned()
        }
    }

    fn future(&mut self) -> String {
        let futures = self.futures.clone();
        if futures.is_empty() || self.random.chance(30) {
            "none".to_owned()
        } else {
            self.random.pick(&futures).to_owned()
        }
    }

    fn call(&mut self, least: usize, mark: &str) -> Option<String> {
        if least >= self.methods {
            return None;
        }
        let method = least + self.random.below(self.methods - least);
        let (callee, a, b, g) = (self.object(), self.object(), self.object(), self.future());
        Some(format!("{callee}{mark}m{method}({a}, {b}, {g})"))
    }

    fn statement(&mut self, least: usize, nesting: usize) {
        let in_main = least_is_main(&self.objects);
        match self.random.below(20) {
            0..=6 => {
                let Some(call) = self.call(least, "!") else { return };
                let future = self.name("f");
                self.line(&format!("Fut<Int> {future} = {call};"));
                self.futures.push(future);
            }
            7..=9 => self.wait(),
            10 => {
                let Some(call) = self.call(least, ".") else { return };
                self.line(&format!("{call};"));
            }
            11 if nesting < 2 => {
                let test = if in_main { "1 == 2" } else { "flag" };
                self.line(&format!("if ({test}) {{"));
                self.block(least, nesting);
                if self.random.chance(60) {
                    self.line("} else {");
                    self.block(least, nesting);
                }
                self.line("}");
            }
            12 if nesting < 2 => {
                let counter = self.name("k");
                self.line(&format!("Int {counter} = 0;"));
                self.line(&format!("while ({counter} < 2) {{"));
                self.depth += 1;
                self.line(&format!("{counter} = {counter} + 1;"));
                self.depth -= 1;
                self.block(least, nesting);
                self.line("}");
            }
            13 if self.features.fields && !in_main => {
                let future = self.future();
                match self.random.below(3) {
                    0 => self.line(&format!("held = {future};")),
                    1 => self.line("if (held != null) { await held?; }"),
                    _ => self.line("if (held != null) { held.get; }"),
                }
            }
            14 if self.features.lists && !in_main => match self.random.below(3) {
                0 | 1 => {
                    let future = self.future();
                    if future != "none" {
                        self.line(&format!("many = Cons({future}, many);"));
                    }
                }
                _ => {
                    let each = self.name("e");
                    let wait = if self.random.chance(50) {
                        format!("if ({each} != null) {{ await {each}?; }}")
                    } else {
                        format!("if ({each} != null) {{ {each}.get; }}")
                    };
                    self.line(&format!("foreach ({each} in many) {{ {wait} }}"));
                }
            },
            15 => {
                let class = self.random.below(self.classes);
                let (a, b) = (self.object(), self.object());
                let place =
                    if self.features.locals && self.random.chance(40) { "local " } else { "" };
                let object = self.name("n");
                self.line(&format!("Node {object} = new {place}C{class}({a}, {b});"));
                self.objects.push(object);
            }
            16 if !in_main => self.line("flag = !flag;"),
            17 if self.features.conditions && !in_main => self.line("await flag;"),
            17 => self.line("suspend;"),
            18 if self.features.exceptions => match self.random.below(3) {
                0 if !in_main => self.line("assert flag;"),
                1 => {
                    let future = self.future();
                    if future != "none" {
                        self.line(&format!("try {{ {future}.get; }} catch {{ _ => skip; }}"));
                    }
                }
                _ if !in_main && nesting < 2 => {
                    self.line("try {");
                    self.block(least, nesting);
                    self.line("} catch { _ => flag = True; }");
                }
                _ => {}
            },
            18 if self.features.destiny && !in_main => {
                let object = self.object();
                self.line(&format!("{object}!later(destiny);"));
            }
            19 if self.features.results && !in_main => {
                let (outer, inner) = (self.name("r"), self.name("r"));
                let object = self.object();
                self.line(&format!("Fut<Fut<Int>> {outer} = {object}!kept();"));
                self.line(&format!("Fut<Int> {inner} = {outer}.get;"));
                self.futures.push(inner);
            }
            _ => self.wait(),
        }
    }

    fn block(&mut self, least: usize, nesting: usize) {
        let (futures, objects) = (self.futures.clone(), self.objects.clone());
        self.depth += 1;
        self.statements(least, nesting + 1);
        self.depth -= 1;
        self.futures = futures;
        self.objects = objects;
    }

    fn wait(&mut self) {
        let future = self.future();
        if future == "none" {
            return;
        }
        let wait = match self.random.below(3) {
            0 => format!("await {future}?;"),
            _ => format!("{future}.get;"),
        };
        let sure = self.features.exceptions && self.random.chance(30);
        let known = future.starts_with('f');
        match sure || known {
            true => self.line(&wait),
            false => self.line(&format!("if ({future} != null) {{ {wait} }}")),
        }
    }
}

/// Whether there are only objects of the main block, which has no `this`.
fn least_is_main(objects: &[String]) -> bool {
    objects.first().is_some_and(|object| object == "o0")
}
