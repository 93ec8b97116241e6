//! What grows faster than anybody looks: data that shares parts with itself, and memory that one step takes.

use super::Content::*;
use super::Row;

/// A model with a value of sixty levels, each of which is twice in the one above.
macro_rules! shared {
    ($rest:literal) => {
        Text(concat!(
            "module M; data D = L | N(D, D); exception E(D d); ",
            "def D grow(Int n) = if n == 0 then L else let (D d) = grow(n - 1) in N(d, d); ",
            $rest
        ))
    };
}

/// A Java program whose second thread does next to nothing.
macro_rules! java {
    ($body:literal) => {
        Text(concat!(
            "import java.util.*; class A { static int x; public static void main(String[] a) throws Exception { ",
            "Thread t = new Thread(() -> { x++; }); t.start(); ",
            $body,
            " t.join(); } }"
        ))
    };
}

pub const ROWS: &[Row] = &[
    Row {
        name: "two equal values that would fill any memory",
        files: &[("m.abs", shared!("{ D d = grow(60); D e = grow(60); assert d != e; }"))],
        words: &["check", "m.abs", "--time", "20"],
        code: 1,
        says: "assertion failed",
    },
    Row {
        name: "the order of two values that would fill any memory",
        files: &[(
            "m.abs",
            shared!("{ D d = grow(60); D e = grow(60); Bool b = d < e; assert b; }"),
        )],
        words: &["check", "m.abs", "--time", "20"],
        code: 1,
        says: "assertion failed",
    },
    Row {
        name: "a field that would fill any memory",
        files: &[(
            "m.abs",
            shared!(
                "interface I { Unit m(); } class C implements I { D f = L; Unit m() { f = grow(60); } } { I o = new C(); o!m(); o!m(); }"
            ),
        )],
        words: &["check", "m.abs", "--time", "20"],
        code: 0,
        says: "ok",
    },
    Row {
        name: "an argument that would fill any memory",
        files: &[(
            "m.abs",
            shared!(
                "interface I { Unit m(D d); } class C implements I { D f = L; Unit m(D d) { f = d; assert False; } } { I o = new C(); o!m(grow(60)); }"
            ),
        )],
        words: &["check", "m.abs", "--time", "20"],
        code: 1,
        says: "assertion failed",
    },
    Row {
        name: "a result that would fill any memory",
        files: &[(
            "m.abs",
            shared!(
                "interface I { D m(); } class C implements I { D m() { return grow(60); } } { I o = new C(); Fut<D> f = o!m(); D d = f.get; assert d == L; }"
            ),
        )],
        words: &["check", "m.abs", "--time", "20"],
        code: 1,
        says: "assertion failed",
    },
    Row {
        name: "an exception that would fill any memory",
        files: &[("m.abs", shared!("{ throw E(grow(60)); }"))],
        words: &["check", "m.abs", "--time", "20"],
        code: 1,
        says: "E(N(N(",
    },
    Row {
        name: "keys of a map that would fill any memory",
        files: &[(
            "m.abs",
            shared!(
                "{ Map<D, Int> m = map[]; m = put(m, grow(50), 1); m = put(m, grow(50), 2); assert lookupDefault(m, grow(50), 0) == 1; }"
            ),
        )],
        words: &["check", "m.abs", "--time", "20"],
        code: 1,
        says: "assertion failed",
    },
    Row {
        name: "the text of a value that would fill any memory",
        files: &[("m.abs", shared!("{ String s = toString(grow(60)); assert s == \"\"; }"))],
        words: &["check", "m.abs", "--time", "2", "--memory", "300M"],
        code: 3,
        says: "incomplete",
    },
    Row {
        name: "output of a value that would fill any memory",
        files: &[("m.abs", shared!("{ println(toString(grow(60))); }"))],
        words: &["check", "m.abs", "--time", "2", "--memory", "300M"],
        code: 3,
        says: "incomplete",
    },
    Row {
        name: "arrays of ten megabytes, all kept",
        files: &[(
            "A.java",
            java!(
                "List<byte[]> l = new ArrayList<>(); while (x < 1 << 30) l.add(new byte[10000000]);"
            ),
        )],
        words: &["check", "A.java", "--time", "60", "--memory", "500M", "--jobs", "1"],
        code: 3,
        says: "stopped by the memory limit after",
    },
    Row {
        name: "arrays of ten megabytes, none kept",
        files: &[(
            "A.java",
            java!("while (x < 1 << 30) { byte[] b = new byte[10000000]; b[3] = 1; }"),
        )],
        words: &["check", "A.java", "--time", "60", "--memory", "500M", "--jobs", "1"],
        code: 3,
        says: "stopped by the memory limit after",
    },
    Row {
        name: "arrays of arrays of arrays",
        files: &[("A.java", java!("int[][][] m = new int[1000][1000][1000]; x += m.length;"))],
        words: &["check", "A.java", "--time", "60", "--memory", "500M", "--jobs", "1"],
        code: 3,
        says: "stopped by the memory limit after",
    },
    Row {
        name: "an array as large as the limit",
        files: &[("A.java", java!("long[] l = new long[60000000]; x += l.length;"))],
        words: &["check", "A.java", "--time", "60", "--memory", "500M", "--jobs", "1"],
        code: 3,
        says: "stopped by the memory limit after",
    },
    Row {
        name: "a string that doubles, of Java",
        files: &[("A.java", java!("String s = \"ab\"; while (x < 1 << 30) s = s + s;"))],
        words: &["check", "A.java", "--time", "60", "--memory", "500M", "--jobs", "1"],
        code: 3,
        says: "stopped by the memory limit after",
    },
    Row {
        name: "a string that doubles, before the first step",
        files: &[(
            "A.java",
            Text(
                "class A { static volatile int x; public static void main(String[] a) { String s = \"ab\"; while (x < 1 << 30) s = s + s; } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60", "--memory", "300M", "--jobs", "1"],
        code: 3,
        says: "stopped by the memory limit after",
    },
    Row {
        name: "an array that is cloned for ever",
        files: &[(
            "A.java",
            java!("long[] l = new long[5000000]; while (x < 1 << 30) l = l.clone();"),
        )],
        words: &["check", "A.java", "--time", "60", "--memory", "500M", "--jobs", "1"],
        code: 3,
        says: "stopped by the memory limit after",
    },
    Row {
        name: "an array that is copied onto itself for ever",
        files: &[(
            "A.java",
            java!(
                "long[] l = new long[20000000]; while (x < 1 << 30) System.arraycopy(l, 0, l, 1, 19999999);"
            ),
        )],
        words: &["check", "A.java", "--time", "10", "--memory", "500M", "--jobs", "1"],
        code: 3,
        says: "incomplete",
    },
    Row {
        name: "a large array that is summed up for ever",
        files: &[(
            "A.java",
            java!(
                "byte[] b = new byte[20000000]; var c = new java.util.zip.CRC32(); for (int i = 0; i < 1 << 30; i++) c.update(b);"
            ),
        )],
        words: &["check", "A.java", "--time", "4", "--jobs", "1"],
        code: 3,
        says: "stopped by the time limit",
    },
    Row {
        name: "a long text that is looked up for ever",
        files: &[(
            "A.java",
            java!(
                "String s = \"ab\".repeat(5000000); for (int i = 0; i < 1 << 30; i++) s.intern();"
            ),
        )],
        words: &["check", "A.java", "--time", "4", "--jobs", "1"],
        code: 3,
        says: "stopped by the time limit",
    },
    Row {
        name: "more than the heap of the program",
        files: &[("A.java", java!("long[] l = new long[100000000]; x += l.length;"))],
        words: &["check", "A.java", "--time", "60", "--memory", "900M", "--jobs", "1"],
        code: 1,
        says: "OutOfMemoryError",
    },
];
