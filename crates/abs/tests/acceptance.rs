//! Which models are accepted and which are not, where the two generations of the language differ, and what
//! results about them have to say.

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::program::Generation;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, LoadResult, load};

fn read(text: &str) -> LoadResult {
    load(vec![SourceFile::new("m.abs", text)], &LoadOptions::default())
}

fn accepted(texts: &[&str]) {
    for text in texts {
        let result = read(text);
        assert!(result.model.is_some(), "{text}\n{}", result.render(Style::Plain));
    }
}

fn rejected(texts: &[&str], message: &str) {
    for text in texts {
        let result = read(text);
        let messages = result.render(Style::Plain);
        assert!(result.model.is_none() && messages.contains(message), "{text}\n{messages}");
    }
}

#[test]
fn a_type_parameter_may_be_named_like_a_type() {
    accepted(&[
        "module M; interface A { } def A f<A>(A x) = x; { Int n = f(1); String s = f(\"s\"); }",
        "module M; data Box<Int> = Box(Int content); { Box<String> b = Box(\"s\"); String s = content(b); }",
        "module M; data D = D; def Bool same<D>(D a, D b) = a == b; { Bool b = same(1, 2); }",
        "module M; data Pair2<String, Rat> = P2(String, Rat); { Pair2<Int, Bool> p = P2(1, True); }",
    ]);
}

#[test]
fn a_literal_may_be_matched_against_a_type_parameter() {
    accepted(&[
        "module M; def Bool one<A>(A a) = case a { 1 => True; _ => False; }; { Bool b = one(1); }",
        "module M; def Bool text<A>(A a) = case a { \"x\" => True; _ => False; }; { Bool b = text(True); }",
        "module M; def Bool some<A>(Maybe<A> a) = case a { Just(1) => True; _ => False; };
         { Bool b = some(Just(1)); Bool c = some(Nothing); }",
    ]);
    rejected(
        &[
            "module M; def Bool one(String a) = case a { 1 => True; _ => False; }; { Bool b = one(\"\"); }",
        ],
        "expected a pattern for `String`, found one for `Int`",
    );
}

/// Modules `A` and `B` with different functions `f`, and `C`, which exports them.
fn exporting(exports: &str) -> String {
    format!(
        "module A; export *; def Int f() = 1; def Int a() = 1;
         module B; export *; def String f() = \"two\"; def Int b() = 2;
         module C; {exports}
         module M; import * from C;"
    )
}

#[test]
fn of_two_re_exports_of_one_name_the_last_one_counts() {
    let rows = [
        ("export * from A; export * from B; import * from A; import * from B;", "String"),
        ("export * from B; export * from A; import * from A; import * from B;", "Int"),
        ("export f from A; export f from B; import * from A; import * from B;", "String"),
        ("export f from B; export * from A; import f from A;", "Int"),
    ];
    for (exports, kind) in rows {
        let modules = exporting(exports);
        accepted(&[&format!("{modules} {{ {kind} x = f(); }}")]);
        let other = if kind == "Int" { "String" } else { "Int" };
        rejected(&[&format!("{modules} {{ {other} x = f(); }}")], "expected `");
    }
    let own = "export *; export * from A; export * from B; import * from A; def Bool f() = True;";
    accepted(&[&format!("{} {{ Bool x = f(); Int y = a() + b(); }}", exporting(own))]);
}

#[test]
fn deployment_components_have_the_signatures_of_the_language() {
    accepted(&[
        "module M; import * from ABS.DC; {
            DeploymentComponent dc = new DeploymentComponent(\"dc\", map[Pair(Speed, 10), Pair(Cores, 2)]);
            DC other = new DeploymentComponent(\"other\", map[]);
            Rat moved = await dc!transfer(other, 5, Speed);
            Rat taken = await dc!decrementResources(1 / 2, Speed);
            Fut<Rat> given = dc!incrementResources(3, Speed);
            Rat cores = await dc!getNumberOfCores();
            Rat cost = await dc!getAccumulatedCost();
            InfRat total = await dc!total(Speed);
            Rat load = await dc!load(Speed, 10);
            Bool down = await dc!shutdown();
            DeploymentComponent here = thisDC();
        }",
        "module M; import * from ABS.DC; {
            CloudProvider cp = new CloudProvider(\"cloud\");
            cp.addInstanceDescription(Pair(\"small\", map[Pair(Speed, 1)]));
            DeploymentComponent dc = await cp!launchInstanceNamed(\"small\");
            DC more = await cp!prelaunchInstance(map[Pair(Memory, 100)]);
            Bool got = await cp!acquireInstance(more);
            Bool gone = await cp!shutdownInstance(more);
            Rat cost = await cp!getAccumulatedCost();
            CloudProvider same = await dc!getProvider();
        }",
        "module M; import DC, Cost, DataSize, MaxSize, CogLocation from ABS.DC; { skip; }",
    ]);
}

#[test]
fn a_model_may_bring_a_standard_library_of_its_own() {
    let library = "module ABS.StdLib; export *;
        data Bool = True | False; data List<A> = Nil | Cons(A head, List<A> tail); data Int;
        def Bool and(Bool a, Bool b) = case a { True => b; False => False; };
        def Int twice(Int n) = n + n;
        data Colour = Red | Green(Int shade);";
    accepted(&[
        &format!("{library} module M; {{ Bool b = and(True, False); List<Int> l = list[1]; }}"),
        &format!(
            "{library} module M; {{ Int n = twice(2); Colour c = Green(n); assert shade(c) == 4; }}"
        ),
        &format!("{library} module M; import * from ABS.StdLib; {{ Bool b = True; }}"),
        "module M; { Maybe<Int> m = Just(1); } module ABS.StdLib; export *; data Maybe<A> = Nothing | Just(A);",
    ]);
}

#[test]
fn a_type_parameter_must_occur_among_the_parameters() {
    rejected(
        &[
            "module M; def A any<A>() = any(); { skip; }",
            "module M; def List<A> none<A>(Int n) = Nil; { List<Int> l = none(1); }",
            "module M; def Pair<A, B> both<A, B>(A a) = both(a); { skip; }",
            "module M; def Fut<A> never<A>(Int n) = never(n); { skip; }",
        ],
        "occurs in the type of the result only",
    );
    accepted(&[
        "module M; def B apply<A, B>(f)(A a) = f(a); { skip; }",
        "module M; def List<A> one<A>(A a) = list[a]; { List<Int> l = one(1); }",
        "module M; def Int count<A>(List<A> l) = length(l); { Int n = count(list[1]); }",
    ]);
}

#[test]
fn what_is_left_out_is_assumed_by_every_result() {
    let rows: [(&str, &[&str]); 6] = [
        ("module M; { skip; }", &[]),
        (
            "module M; class C { Unit m() { [Cost: 5] skip; [Cost: 7] skip; } } { new C(); }",
            &["statements take no time, whatever their costs"],
        ),
        (
            "module M; import * from ABS.DC; { DC dc = thisDC(); movecogto dc; }",
            &[
                "deployment components limit neither time nor resources",
                "what tasks do after they asked for their deployment component makes no difference",
            ],
        ),
        (
            "module M; class C { } { new C(); } delta D; modifies class M.C { adds Int x = 0; }",
            &["no product is chosen, so that deltas and product lines have no effect"],
        ),
        (
            "module M; [Scheduler: f(queue)] class C { } { new C(); }",
            &["tasks go in any order, whatever schedulers the model gives"],
        ),
        (
            "module M; import Foreign from ABS.FLI; [Foreign] class C { } { new C(); }",
            &["foreign code does what the methods written in ABS in its place do"],
        ),
    ];
    for (text, expected) in rows {
        let result = read(text);
        assert!(result.model.is_some(), "{text}\n{}", result.render(Style::Plain));
        assert_eq!(result.assumptions(), expected, "{text}");
    }
}

#[test]
fn a_feature_model_is_assumed_to_allow_the_product_that_is_chosen() {
    let text = "module M; class C { } { new C(); } delta D; uses M; adds class E { }
        productline P; features F; delta D when F; product Q(F); root F { group oneof { G } }";
    let options = LoadOptions { product: Some("Q".to_owned()), ..LoadOptions::default() };
    let result = load(vec![SourceFile::new("m.abs", text)], &options);
    assert!(result.model.is_some(), "{}", result.render(Style::Plain));
    assert_eq!(result.assumptions(), ["the feature model allows the product"]);
}

#[test]
fn the_reading_of_a_bare_new_can_be_chosen() {
    let text = "module M; class C { } { new C(); }";
    for generation in [Generation::Old, Generation::Today] {
        let options = LoadOptions { generation: Some(generation), ..LoadOptions::default() };
        let result = load(vec![SourceFile::new("m.abs", text)], &options);
        assert_eq!(result.model.expect("it is right").generation, generation);
    }
    assert_eq!(read(text).model.expect("it is right").generation, Generation::Today);
}
