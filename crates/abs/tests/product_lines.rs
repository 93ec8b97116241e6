//! Products of product lines: which deltas are applied, in which order, and what they change.

use std::sync::Arc;

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::machine::{ModelProgram, Options};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, LoadResult, load};
use counterpoint_explore::{
    Assignment, Limits, ParameterValues, Silent, WorkUnit, default_properties, explorer,
};

const CORE: &str = "module M; export *;
    interface Greeter { String greet(); }
    interface Loud { Unit shout(); }
    class G(Int volume) implements Greeter {
        String word = \"hello\";
        String greet() { return this.word; }
        Unit shout() { skip; }
    }
";

fn product(text: &str, name: &str) -> LoadResult {
    let options = LoadOptions { product: Some(name.to_owned()), ..LoadOptions::default() };
    load(vec![SourceFile::new("m.abs", text)], &options)
}

/// In a product of the core with these deltas, what the main block asserts holds.
fn check(main: &str, deltas: &str, products: &[&str]) {
    for name in products {
        let text =
            format!("{CORE} {{ Greeter g = new G(1); String s = g.greet(); {main} }} {deltas}");
        let result = product(&text, name);
        let messages = result.render(Style::Plain);
        let model = Arc::new(result.model.unwrap_or_else(|| panic!("{text}\n{messages}")));
        let program = ModelProgram::new(model, Options::default());
        let exploration = (explorer("optimal").unwrap().explore)(Assignment {
            program: &program,
            unit: WorkUnit::default(),
            limits: Limits::default(),
            properties: default_properties(),
            sink: &mut Silent,
            parameters: ParameterValues::default(),
        });
        assert!(exploration.findings.is_empty(), "{name}: {:?}\n{text}", exploration.findings);
        assert!(exploration.statistics.executions > 0);
    }
}

fn rejected(deltas: &str, message: &str) {
    let result = product(&format!("{CORE} {{ skip; }} {deltas}"), "P");
    let messages = result.render(Style::Plain);
    assert!(result.model.is_none() && messages.contains(message), "{deltas}\n{messages}");
}

#[test]
fn deltas_are_applied_after_those_that_they_come_after() {
    let replacing = |name: &str| {
        format!(
            "delta {name}; uses M; modifies class G {{ modifies String greet() {{ String s = original(); return s + \"{name}\"; }} }} "
        )
    };
    let deltas: String = ["A", "B", "C"].map(replacing).concat();
    let rows = [
        ("delta A; delta B; delta C;", "ABC"),
        ("delta C; delta B; delta A;", "CBA"),
        ("delta C after B; delta B after A; delta A;", "ABC"),
        ("delta B after C, A; delta C; delta A;", "CAB"),
        ("delta C after B when F; delta B after A when G; delta A when F;", "CA"),
        ("delta A when F after C; delta B when F; delta C;", "BCA"),
    ];
    for (line, expected) in rows {
        let deltas = format!("{deltas} productline L; features F, G; {line} product P(F);");
        check(&format!("assert s == \"hello{expected}\";"), &deltas, &["P"]);
    }
    let circle = "productline L; features F; delta A after B; delta B after A; product P(F);";
    rejected(&format!("{deltas} {circle}"), "the delta `A` comes after itself");
}

#[test]
fn conditions_join_features_by_and_or_and_not() {
    let rows: [(&str, &[&str], &[&str]); 6] = [
        ("A", &["PA", "PAB"], &["P0", "PB"]),
        ("!A", &["P0", "PB"], &["PA", "PAB"]),
        ("A && B", &["PAB"], &["P0", "PA", "PB"]),
        ("A || B", &["PA", "PB", "PAB"], &["P0"]),
        ("A && !B || !A && B", &["PA", "PB"], &["P0", "PAB"]),
        ("!(A || B)", &["P0"], &["PA", "PB", "PAB"]),
    ];
    for (condition, with, without) in rows {
        let deltas = format!(
            "delta D; uses M; modifies class G {{ removes String word; adds String word = \"bye\"; }}
             productline L; features A, B; delta D when {condition};
             product P0(); product PA(A); product PB(B); product PAB(A, B);"
        );
        check("assert s == \"bye\";", &deltas, with);
        check("assert s == \"hello\";", &deltas, without);
    }
}

#[test]
fn parameters_of_deltas_are_values_features_and_their_attributes() {
    let deltas = "delta D(Int times, Bool loud, String end);
            uses M;
            adds def String repeat(String s) = when times > 1 then s + s else s;
            modifies class G {
                adds Int count = times;
                modifies String greet() { String s = original(); return repeat(s) + end; }
            }
            modifies class G {
                modifies String greet() { String s = original(); Int n = count; if (loud) { s = s + toString(n); } return s; }
            }
        productline L; features F, Noise;
        delta D(F.times, Noise, \"!\") when F;
        product P(F{times = 2}, Noise); product Q(F{times = 1});";
    check("assert s == \"hellohello!2\";", deltas, &["P"]);
    check("assert s == \"hello!\";", deltas, &["Q"]);
    let line = "delta D(Int n); uses M; productline L; features F;";
    rejected(&format!("{line} delta D when F; product P(F);"), "takes 1 values, not 0");
    rejected(&format!("{line} delta D(F.n) when F; product P(F);"), "does not say what `F.n` is");
}

#[test]
fn classes_interfaces_and_their_members_are_added_replaced_and_removed() {
    let line = "productline L; features F; delta D when F; product P(F);";
    let rows = [
        "modifies class G adds Loud { modifies Unit shout() { this.word = \"x\"; } }",
        "modifies class G { removes Unit shout(); adds Unit shout() { skip; } }",
        "modifies class M.G { removes Unit shout(); removes String word; adds String word = \"hello\"; }",
        "modifies interface Greeter { adds Unit shout(); }",
        "removes interface Loud; adds interface Loud { Int other(); }",
        "adds class H implements Loud { Unit shout() { skip; } } removes class H;",
        "adds type T = Int; modifies type T = String; modifies class G { adds T t = \"t\"; }",
        "adds data D = D1; modifies data D = D1 | D2(Int n); adds def D d() = D2(1);",
        "modifies class G adds Loud { } modifies class G removes Loud { }",
    ];
    for change in rows {
        check("assert s == \"hello\";", &format!("delta D; uses M; {change} {line}"), &["P"]);
    }
    let twice = "modifies class G { modifies String greet() { String s = original(); return s + \"1\"; }
        modifies Unit shout() { skip; } modifies String greet() { String s = original(); return s + \"2\"; } }";
    check("assert s == \"hello12\";", &format!("delta D; uses M; {twice} {line}"), &["P"]);
    let wrong = [
        ("removes class H;", "there is no class `H`"),
        ("modifies interface H { }", "there is no interface `H`"),
        ("modifies class G { removes Int n; }", "the class `G` has no `n`"),
        ("modifies class G { removes Unit n(); }", "the class `G` has no `n`"),
        ("modifies class G removes Loud { }", "the class `G` has no `Loud`"),
        ("modifies interface Greeter { removes Unit n(); }", "the interface `Greeter` has no `n`"),
        ("removes class G;", "unknown class `G`"),
        ("modifies class G { removes String greet(); }", "lacks the method `greet`"),
    ];
    for (change, message) in wrong {
        let deltas = format!("delta D; uses M; {change} {line}");
        if change == "removes class G;" {
            let result = product(&format!("{CORE} {{ new G(1); }} {deltas}"), "P");
            assert!(result.render(Style::Plain).contains(message), "{change}");
        } else {
            rejected(&deltas, message);
        }
    }
}
