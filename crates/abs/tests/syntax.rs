//! Every construct of the language: what is read, printed in today's spelling.
//!
//! The table shows what the parser makes of a text: operators with the parentheses that are needed, both
//! generations in one shape. Everything printed is read again and must come out the same.

use counterpoint_abs::diagnostics::Diagnostic;
use counterpoint_abs::parse;
use counterpoint_abs::program::Generation;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::syntax::printer;

/// The text as it is printed, without indentation, and the errors in it. A bare `new` is the old one in
/// what is written here and today's in what was printed.
fn printed(text: &str, generation: Generation) -> (String, Vec<String>) {
    let parsed = parse(vec![SourceFile::new("m.abs", text)]);
    let errors = parsed.diagnostics.iter().filter(|found| found.is_error());
    let messages = errors.map(|found| found.message.clone()).collect();
    let text = printer::print(&parsed.units[0], generation);
    (text.split_whitespace().collect::<Vec<_>>().join(" "), messages)
}

fn check(prefix: &str, rows: &[(&str, &str)], suffix: &str) {
    for (written, expected) in rows {
        let (found, messages) = printed(&format!("{prefix}{written}{suffix}"), Generation::Old);
        assert!(messages.is_empty(), "{written}: {messages:?}");
        let whole = format!("{prefix}{expected}{suffix}");
        assert_eq!(found, whole.split_whitespace().collect::<Vec<_>>().join(" "), "{written}");
        let (again, messages) = printed(&found, Generation::Today);
        assert_eq!((again, messages.len()), (found, 0), "{written}, read again");
    }
}

#[test]
fn expressions() {
    check(
        "module M; { x = ",
        &[
            ("1", "1"),
            ("12345678901234567890", "12345678901234567890"),
            (".5", "0.5"),
            ("1.5e3", "1500.0"),
            (r#""a\n\t\r\"\\\q""#, r#""a\n\t\r\"\\q""#),
            ("`plain`", "\"plain\""),
            ("`a $b + 1$ c $d$`", "`a $b + 1$ c $d$`"),
            (r"`\` \$ \n $x$`", r"`\` \$ \n $x$`"),
            ("this.x", "this.x"),
            ("this", "this"),
            ("null", "null"),
            ("destiny", "destiny"),
            ("f()", "f()"),
            ("A.B.f(1, 2)", "A.B.f(1, 2)"),
            ("A . B . C", "A.B.C"),
            ("C()", "C()"),
            ("Cons(1, Nil)", "Cons(1, Nil)"),
            ("list[1, 2]", "list[1, 2]"),
            ("M.list[]", "M.list[]"),
            ("map(f)(l)", "map(f)(l)"),
            ("map((Int x, [Near] I y) => x)(l)", "map((Int x, [Near] I y) => x)(l)"),
            ("run(() => 1, M.g)()", "run(() => 1, M.g)()"),
            ("~a", "!a"),
            ("!!a", "!!a"),
            ("-(-1)", "--1"),
            ("- a * b", "-a * b"),
            ("-(a * b)", "-(a * b)"),
            ("a + b * c", "a + b * c"),
            ("(a + b) * c", "(a + b) * c"),
            ("a - b - c", "a - b - c"),
            ("a - (b - c)", "a - (b - c)"),
            ("(a - b) - c", "(a - b) - c"),
            ("5 / 3 % 1 / 2", "5 / 3 % 1 / 2"),
            ("a < b == c <= d", "a < b == c <= d"),
            ("a || b && c || d", "a || b && c || d"),
            ("(a || b) && c", "(a || b) && c"),
            ("a == b != c", "a == b != c"),
            ("a >= b > c", "a >= b > c"),
            ("a && o implements I", "a && o implements I"),
            ("a && (o implements I)", "a && (o implements I)"),
            ("o implements I && b", "(o implements I) && b"),
            ("o as M.I", "o as M.I"),
            ("when a then b else c", "when a then b else c"),
            ("if a then b else if c then d else e", "when a then b else when c then d else e"),
            ("1 + when a then b else c + d", "1 + (when a then b else c + d)"),
            ("(when a then b else c) + d", "(when a then b else c) + d"),
            ("let Int y = 1 in y + 1", "let Int y = 1 in y + 1"),
            ("let (Int y) = 1 in y", "let Int y = 1 in y"),
            ("let Int y = 1, (List<Int> z) = Nil in y", "let Int y = 1, List<Int> z = Nil in y"),
            (
                "case y { A => 1; B(_, 2, \"s\", z) => 2; }",
                "case y { | A => 1 | B(_, 2, \"s\", z) => 2 }",
            ),
            ("case y { | M.A() => 1 | _ => 2 }", "case y { | M.A => 1 | _ => 2 }"),
            (
                "case case y { _ => 1; } { _ => 2; } + 1",
                "case case y { | _ => 1 } { | _ => 2 } + 1",
            ),
            ("(((a)))", "a"),
            (
                "as + switch + when + foreach + recover + trait",
                "as + switch + when + foreach + recover + trait",
            ),
            ("when + 1", "when + 1"),
            ("when(1)", "when(1)"),
        ],
        "; }",
    );
}

#[test]
fn effects() {
    check(
        "module M; { x = ",
        &[
            ("f.get", "f.get"),
            ("this.f.get", "this.f.get"),
            ("new C()", "new local C()"),
            ("new local C(1)", "new local C(1)"),
            ("new cog M.C(1, 2)", "new M.C(1, 2)"),
            ("o!m()", "o!m()"),
            ("o ! m ( 1 )", "o!m(1)"),
            ("this!m()", "this!m()"),
            ("head(l)!m()", "head(l)!m()"),
            ("(when c then a else b)!m()", "(when c then a else b)!m()"),
            ("await o!m(1)", "await o!m(1)"),
            ("await this.o!m(1)", "await this.o!m(1)"),
            ("o.m()", "o.m()"),
            ("this.m(1)", "this.m(1)"),
            ("this.o.m()", "this.o.m()"),
            ("(when c then a else b).m()", "(when c then a else b).m()"),
            ("original(1)", "original(1)"),
        ],
        "; }",
    );
}

#[test]
fn statements() {
    check(
        "module M; { ",
        &[
            ("Int x;", "Int x;"),
            ("Map<Int, List<A.B>> x = y;", "Map<Int, List<A.B>> x = y;"),
            ("List<[Far] I> x = y;", "List<[Far] I> x = y;"),
            ("x = 1; this.x = 2;", "x = 1; this.x = 2;"),
            ("skip; suspend;", "skip; suspend;"),
            ("return Unit; assert x == 1;", "return Unit; assert x == 1;"),
            ("assert o.m();", "assert o.m();"),
            ("throw E(1); die E;", "throw E(1); die E;"),
            ("{ skip; { } }", "{ skip; { } }"),
            ("if (a) skip;", "if (a) { skip; }"),
            ("if (a) skip; else { skip; }", "if (a) { skip; } else { skip; }"),
            ("if (a) if (b) skip; else x = 1;", "if (a) { if (b) { skip; } else { x = 1; } }"),
            ("if (a) skip; else if (b) skip;", "if (a) { skip; } else { if (b) { skip; } }"),
            ("if a then 1 else 2;", "when a then 1 else 2;"),
            ("if (a) then 1 else 2;", "when a then 1 else 2;"),
            ("while (a) skip;", "while (a) { skip; }"),
            ("foreach (x in l) skip;", "foreach (x in l) { skip; }"),
            ("foreach (x, i in l) { skip; }", "foreach (x, i in l) { skip; }"),
            ("switch (x) { 1 => skip; _ => { } }", "switch (x) { 1 => { skip; } _ => { } }"),
            (
                "case x { A(y) => y = 1; _ => skip; }",
                "switch (x) { A(y) => { y = 1; } _ => { skip; } }",
            ),
            ("case x { A => f(1); B => g(2); }", "switch (x) { A => { f(1); } B => { g(2); } }"),
            ("case x { A => f(1); B => g(2); };", "case x { | A => f(1) | B => g(2) };"),
            (
                "case a { A => case b { B => skip; } C => skip; }",
                "switch (a) { A => { switch (b) { B => { skip; } } } C => { skip; } }",
            ),
            ("try skip; catch _ => skip;", "try { skip; } catch { _ => { skip; } }"),
            (
                "try { f(); } catch { A => skip; B(x) => { } } finally skip;",
                "try { f(); } catch { A => { skip; } B(x) => { } } finally { skip; }",
            ),
            ("await f?;", "await f?;"),
            ("await this.f? & x > 1 & duration(1, 2);", "await this.f? & x > 1 & duration(1, 2);"),
            ("await !a && b;", "await !a && b;"),
            ("await (a != b);", "await a != b;"),
            ("await o!m();", "await o!m();"),
            ("duration(1); await duration(2);", "duration(1, 1); await duration(2, 2);"),
            ("f(x); o!m(); f.get; new C();", "f(x); o!m(); f.get; new local C();"),
            ("-1; (a); let Int x = 1 in x;", "-1; a; let Int x = 1 in x;"),
            ("[Cost: 5] [A, B: 1] skip;", "[Cost: 5] [A] [B: 1] skip;"),
            ("[DC: d] I x = new C();", "[DC: d] I x = new local C();"),
            ("Int as = 1; as = 2; switch = 3;", "Int as = 1; as = 2; switch = 3;"),
            ("True as I;", "True as I;"),
        ],
        " }",
    );
}

#[test]
fn declarations() {
    check(
        "module A.M; ",
        &[
            ("export *;", "export *;"),
            ("export a, B, C.d from X.Y;", "export a, B, C.d from X.Y;"),
            (
                "import * from X; import a, B from Y; import X.c;",
                "import * from X; import a, B from Y; import X.c;",
            ),
            ("data T;", "data T;"),
            (
                "data T<A, B> = C | D(A, [Near] List<B> l);",
                "data T<A, B> = C | D(A, [Near] List<B> l);",
            ),
            ("exception E; exception F(Int n);", "exception E; exception F(Int n);"),
            ("type T = Map<Int, X.Y>;", "type T = Map<Int, X.Y>;"),
            ("def Int f() = 1;", "def Int f() = 1;"),
            ("def A M.f<A, B>(A x, [Final] B y) = x;", "def A f<A, B>(A x, [Final] B y) = x;"),
            ("def Int f() = builtin;", "def Int f() = builtin;"),
            ("def Int f() = builtin(sqlite3, \"x\");", "def Int f() = builtin(sqlite3, \"x\");"),
            ("def B p<A, B>(f, g)(A x) = f(g(x));", "def B p<A, B>(f, g)(A x) = f(g(x));"),
            ("def Int p()(Int x) = x;", "def Int p()(Int x) = x;"),
            ("interface I { }", "interface I { }"),
            (
                "interface I extends J, X.K { [Atomic] Unit m(); Fut<Int> n(Int x); }",
                "interface I extends J, X.K { [Atomic] Unit m(); Fut<Int> n(Int x); }",
            ),
            ("class C { }", "class C { }"),
            ("class C() implements I, J { }", "class C implements I, J { }"),
            (
                "class C([Final] Int x) { Int y = 1; I z; { y = 2; } recover { E => skip; } Unit m() { } }",
                "class C([Final] Int x) { Int y = 1; I z; { y = 2; } recover { E => { skip; } } Unit m() { } }",
            ),
            (
                "class C { Unit m() { } Int y = 1; { skip; } }",
                "class C { Int y = 1; { skip; } Unit m() { } }",
            ),
            ("trait T = { Unit m() { } }", "trait T = { Unit m() { } }"),
            ("trait T = Unit m() { }", "trait T = { Unit m() { } }"),
            (
                "trait T = U adds { } modifies V removes Unit m(); removes { Int n(); }",
                "trait T = U adds { } modifies V removes { Unit m(); } removes { Int n(); }",
            ),
            ("trait T = U trait V = T", "trait T = U trait V = T"),
            ("class C { uses T; uses U adds V; }", "class C { uses T; uses U adds V; }"),
            ("[A] [B: 1] class C { }", "[A] [B: 1] class C { }"),
            ("[Main] { skip; }", "[Main] { skip; }"),
            ("{ skip; } module N; { skip; }", "{ skip; } module N; { skip; }"),
            ("/* a * comment */ { skip; } // the end", "{ skip; }"),
        ],
        "",
    );
}

#[test]
fn after_an_error_the_parser_goes_on() {
    let text = "module M;
        data D = A(;
        interface I { Unit m(Int); Unit n(); }
        class C { Int x = ; Unit m() { Int y = 1 +; y = ; skip } Unit n() { while (True { skip; } } }
        def Int f() = ;
        class E { Unit ok() { skip; } }
        { Int z = (1; z = 2; }";
    let parsed = parse(vec![SourceFile::new("m.abs", text)]);
    let lines: Vec<u32> =
        parsed.diagnostics.iter().map(|found| parsed.sources.start(found.span).line).collect();
    assert_eq!(lines, [2, 3, 4, 4, 4, 4, 4, 5, 7]);
    let module = &parsed.units[0].modules[0];
    assert_eq!(module.declarations.len(), 5);
    let main = module.main.as_ref().expect("the main block is read");
    assert_eq!(main.block.statements.len(), 2);
    assert!(parsed.diagnostics.iter().all(Diagnostic::is_error));
}

#[test]
fn one_place_gives_one_message() {
    for text in [
        "module M; {",
        "module M; class C {",
        "module",
        "module M; { x = case y {",
        "module M; def",
    ] {
        let parsed = parse(vec![SourceFile::new("m.abs", text)]);
        assert_eq!(parsed.diagnostics.len(), 1, "{text}: {:?}", parsed.diagnostics);
    }
}
