//! Java programs.

use super::Content::*;
use super::Row;

pub const ROWS: &[Row] = &[
    Row {
        name: "an empty source",
        files: &[("A.java", Text(""))],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "error",
    },
    Row {
        name: "a source of one letter",
        files: &[("A.java", Text("x"))],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "A.java:1",
    },
    Row {
        name: "a source that is noise",
        files: &[("A.java", Noise(9, 2_000))],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "A.java",
    },
    Row {
        name: "a thousand times the same mistake on one line",
        files: &[("A.java", Repeat("class A { Thread t = ", "new Thread(() ", 1_000, ";}"))],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "lines more",
    },
    Row {
        name: "no main method",
        files: &[("A.java", Text("class A { }"))],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "main",
    },
    Row {
        name: "a main method with other parameters",
        files: &[("A.java", Text("class A { static void main(int x) { } }"))],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "main",
    },
    Row {
        name: "half a source",
        files: &[("A.java", Text("class A { public static void main(String[] a) {"))],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "A.java:1",
    },
    Row {
        name: "a compile error with control characters",
        files: &[(
            "A.java",
            Text("class A { public static void main(String[] a) { int \u{1b}[31mx; } }"),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "A.java:1",
    },
    Row {
        name: "a name of twenty thousand letters",
        files: &[(
            "A.java",
            Repeat(
                "class A { public static void main(String[] a) { int ",
                "x",
                20_000,
                " = 1; } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 0,
        says: "ok",
    },
    Row {
        name: "an endless loop of main",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) { int i = 0; while (true) i++; } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 3,
        says: "incomplete",
    },
    Row {
        name: "an endless loop of a thread",
        files: &[(
            "A.java",
            Text(
                "class A { static int x; public static void main(String[] a) throws Exception { Thread t = new Thread(() -> { x = 1; int i = 0; while (true) i++; }); t.start(); t.join(); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 3,
        says: "incomplete",
    },
    Row {
        name: "an endless recursion of Java",
        files: &[(
            "A.java",
            Text(
                "class A { static int f(int n) { return 1 + f(n + 1); } public static void main(String[] a) { f(0); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "StackOverflowError",
    },
    Row {
        name: "more memory than there is",
        files: &[(
            "A.java",
            Text(
                "import java.util.*; class A { public static void main(String[] a) { List<int[]> l = new ArrayList<>(); while (true) l.add(new int[100000]); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "OutOfMemoryError",
    },
    Row {
        name: "more memory than there is, in a thread that tells of it when it has freed all",
        files: &[(
            "A.java",
            Text(
                "class A { static int x;\nstatic Object down(int n) { long[] b = new long[7000]; Object o = down(n + 1); b[0] = 1; return o; }\npublic static void main(String[] a) throws Exception { Thread t = new Thread(() -> down(0)); t.start(); x = 1; t.join(); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "--> A.java:2 in A.down",
    },
    Row {
        name: "memory that is freed when there is no more",
        files: &[(
            "A.java",
            Text(
                "import java.util.*; class A { public static void main(String[] a) { List<int[]> l = new ArrayList<>(); try { while (true) l.add(new int[100000]); } catch (OutOfMemoryError e) { l = null; } System.out.println(new int[1000000].length); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 3,
        says: "garbage",
    },
    Row {
        name: "more garbage than there is memory",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) { long s = 0; for (int i = 0; i < 20000; i++) s += new int[100000].length; System.out.println(s); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 3,
        says: "garbage",
    },
    Row {
        name: "an array that is too long",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) { int[] x = new int[Integer.MAX_VALUE]; } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "OutOfMemoryError",
    },
    Row {
        name: "an array of a negative length",
        files: &[(
            "A.java",
            Text("class A { public static void main(String[] a) { int[] x = new int[-1]; } }"),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "NegativeArraySizeException",
    },
    Row {
        name: "a message of a megabyte",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) { throw new IllegalStateException(\"m\".repeat(1000000)); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "mmm...",
    },
    Row {
        name: "a thread with a name of a megabyte",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) throws Exception { Thread t = new Thread(() -> { throw new RuntimeException(); }, \"n\".repeat(1000000)); t.start(); t.join(); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "RuntimeException",
    },
    Row {
        name: "control characters in an exception of Java",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) { throw new IllegalStateException(\"\\u001b[2J\\u0007\"); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "IllegalStateException",
    },
    Row {
        name: "control characters in the output",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) { System.out.print(\"\\u001b[2J\\u0007\"); throw new RuntimeException(); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "RuntimeException",
    },
    Row {
        name: "output without an end of Java",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) { while (true) System.out.println(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 3,
        says: "incomplete",
    },
    Row {
        name: "an exit",
        files: &[(
            "A.java",
            Text("class A { public static void main(String[] a) { System.exit(7); } }"),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "System.exit(7)",
    },
    Row {
        name: "a halt",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) { Runtime.getRuntime().halt(3); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "3",
    },
    Row {
        name: "an end in an initialiser",
        files: &[(
            "A.java",
            Text(
                "class A { static { if (true) throw new IllegalStateException(\"s\"); } public static void main(String[] a) { } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "ExceptionInInitializerError",
    },
    Row {
        name: "a class that loads itself",
        files: &[(
            "A.java",
            Text(
                "class A { static A a = new A(); A() { a.toString(); } public static void main(String[] x) { } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "ExceptionInInitializerError",
    },
    Row {
        name: "twenty threads behind a latch, by pairs of reads and writes",
        files: &[(
            "A.java",
            Text(
                "import java.util.concurrent.*; class A { static int x; public static void main(String[] a) throws Exception { CountDownLatch l = new CountDownLatch(1); Thread[] t = new Thread[20]; for (int i = 0; i < t.length; i++) { t[i] = new Thread(() -> { try { l.await(); } catch (InterruptedException e) { } x++; }); t[i].start(); } l.countDown(); for (Thread s : t) s.join(); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "3", "--jobs", "1", "--explorer", "interference"],
        code: 3,
        says: "stopped by the time limit",
    },
    Row {
        name: "four hundred threads that are free to go next, saved",
        files: &[(
            "A.java",
            Text(
                "import java.util.concurrent.*; class A { static int x; public static void main(String[] a) throws Exception { CountDownLatch l = new CountDownLatch(1); Thread[] t = new Thread[400]; for (int i = 0; i < t.length; i++) { t[i] = new Thread(() -> { try { l.await(); } catch (InterruptedException e) { } x++; }); t[i].start(); } l.countDown(); for (Thread s : t) s.join(); } }",
            ),
        )],
        words: &[
            "check",
            "A.java",
            "--executions",
            "1",
            "--memory",
            "1G",
            "--jobs",
            "1",
            "--explorer",
            "preemptions",
        ],
        code: 3,
        says: "stopped by the limit on executions",
    },
    Row {
        name: "thousands of steps of one line",
        files: &[(
            "A.java",
            Text(
                "class A { static volatile int x; public static void main(String[] a) throws Exception { Thread t = new Thread(() -> { for (int i = 0; i < 3000; i++) x = i; }); t.start(); for (int i = 0; i < 3000; i++) x = -i; t.join(); if (x < 100000) throw new IllegalStateException(); } }",
            ),
        )],
        words: &["check", "A.java", "--executions", "1", "--jobs", "1"],
        code: 1,
        says: "more)",
    },
    Row {
        name: "a wait without a lock",
        files: &[(
            "A.java",
            Text(
                "class A { public static void main(String[] a) throws Exception { new Object().wait(); } }",
            ),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 1,
        says: "IllegalMonitorStateException",
    },
    Row {
        name: "a class that needs one that is not there",
        files: &[(
            "A.java",
            Text("class A { public static void main(String[] a) { Missing.f(); } }"),
        )],
        words: &["check", "A.java", "--time", "60"],
        code: 2,
        says: "Missing",
    },
];
