//! The worked examples of chapter 2 of the thesis.

use crate::TestProgram;
use crate::builder::{Builder, Comparable};

/// Example 1, figure 2.1: a loop that reads an input twice; three paths, two of them failing.
pub fn loop_over_inputs() -> TestProgram {
    Builder::new("figure 2.1").main(|main| {
        let i = main.register("i");
        main.repeat(i.less(2), |main| {
            let x = main.any_input();
            main.set(x, x + 5);
            main.when(x.equals(i), |main| main.fail("error"));
            main.set(i, i + 1);
        });
    })
}

/// Example 2, figure 2.3: the failure needs a product that overflows, 10 * -858993314 = 1452.
pub fn overflow() -> TestProgram {
    Builder::new("figure 2.3").main(|main| {
        let x = main.any_input();
        let y = main.any_input();
        main.when(x.greater(y), |main| {
            main.when((x * y).equals(1452), |main| {
                main.when((x / 2).equals(5), |main| main.fail("error"));
            });
        });
    })
}

/// Example 3, figure 2.4: two threads that branch on inputs. The thesis counts eight paths of its
/// execution tree, in which branches are no scheduling points.
pub fn branching_threads() -> TestProgram {
    let mut program = Builder::new("figure 2.4");
    let shared = program.variable("X", 0);
    program.main(|main| {
        main.spawn(|thread| {
            let i1 = thread.input(0, 15);
            thread.set(i1, i1 + 1);
            let a = thread.register("a");
            thread.branch(
                i1.equals(5),
                |thread| thread.write(shared, 5),
                |thread| thread.read_into(a, shared),
            );
        });
        main.spawn(|thread| {
            let i2 = thread.input(0, 15);
            let b = thread.read(shared);
            thread.when(i2.greater(10), |thread| thread.set(b, 0));
        });
    })
}

/// Examples 4 to 6, figure 2.6: two traces, which plain dynamic reduction may execute three times.
pub fn read_then_write() -> TestProgram {
    let mut program = Builder::new("figure 2.6");
    let x = program.variable("X", 0);
    let y = program.variable("Y", 0);
    program.main(|main| {
        for value in 1..=2 {
            main.spawn(|thread| {
                thread.read(x);
                thread.write(y, value);
            });
        }
    })
}
