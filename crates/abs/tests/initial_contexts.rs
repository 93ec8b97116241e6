//! Initial contexts and interfering tasks: Examples 11 to 17 of the thesis on active objects.

use counterpoint_abs::analysis::contexts::{
    InitialTask, TooManyContexts, initial_contexts, named_contexts,
};
use counterpoint_abs::analysis::{Settings, analyse};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};

fn task(class: &str, method: &str, minimum: u32, maximum: u32) -> InitialTask {
    InitialTask { minimum, maximum, ..InitialTask::once(class, method) }
}

fn contexts(tasks: &[InitialTask]) -> Vec<String> {
    initial_contexts(tasks, 1_000).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn example_11_one_register_and_perhaps_one_get_data() {
    let tasks = [task("DB", "register", 1, 1), task("DB", "getData", 0, 1)];
    assert_eq!(
        contexts(&tasks),
        [
            "{[register] on DB 1}",
            "{[register, getData] on DB 1}",
            "{[register] on DB 1, [getData] on DB 2}",
        ]
    );
}

#[test]
fn examples_12_to_14_six_solutions_in_three_classes() {
    let tasks = [task("DB", "register", 0, 1), task("DB", "getData", 1, 1)];
    assert_eq!(named_contexts(&tasks), 6);
    assert_eq!(
        contexts(&tasks),
        [
            "{[getData] on DB 1}",
            "{[register, getData] on DB 1}",
            "{[register] on DB 1, [getData] on DB 2}",
        ]
    );
}

#[test]
fn examples_15_and_16_classes_are_combined() {
    let with = |method: &str| {
        let tasks = ["register", method].map(|method| InitialTask::once("DB", method)).to_vec();
        contexts(&[tasks, vec![InitialTask::once("Worker", "work")]].concat())
    };
    assert_eq!(
        with("getData"),
        [
            "{[register, getData] on DB 1, [work] on Worker 1}",
            "{[register] on DB 1, [getData] on DB 2, [work] on Worker 1}",
        ]
    );
    assert_eq!(
        with("makesConnection"),
        [
            "{[register, makesConnection] on DB 1, [work] on Worker 1}",
            "{[register] on DB 1, [makesConnection] on DB 2, [work] on Worker 1}",
        ]
    );
}

#[test]
fn example_17_the_tasks_that_interfere_with_the_cycle() {
    let text = include_str!("deadlock_corpus/modified_example.abs");
    let model = load(vec![SourceFile::new("modified.abs", text)], &LoadOptions::default()).model;
    let model = model.unwrap();
    let analysis = analyse(&model, Settings::default()).unwrap();
    assert_eq!(analysis.graph.cycles.len(), 1);
    let mut tasks: Vec<String> = analysis
        .interfering_tasks(&analysis.graph.cycles[0])
        .into_iter()
        .map(|task| format!("{}.{} {}..{}", task.class, task.method, task.minimum, task.maximum))
        .collect();
    tasks.sort();
    assert_eq!(
        tasks,
        ["DBImpl.makesConnection 1..1", "DBImpl.register 1..1", "WorkerImpl.work 1..1"]
    );
}

#[test]
fn in_the_running_example_only_the_tasks_of_the_cycle_interfere() {
    let text = include_str!("deadlock_corpus/running_example.abs");
    let model = load(vec![SourceFile::new("running.abs", text)], &LoadOptions::default()).model;
    let model = model.unwrap();
    let analysis = analyse(&model, Settings::default()).unwrap();
    let tasks = analysis.interfering_tasks(&analysis.graph.cycles[0]);
    let methods: Vec<&str> = tasks.iter().map(|task| &*task.method).collect();
    assert_eq!(methods, ["register", "work"]);
}

/// Two accounts that pay each other deadlock only with two payments, which are tasks of one method.
#[test]
fn a_method_that_blocks_two_objects_of_a_cycle_may_be_there_twice() {
    let text = "module Bank;
        interface Account { Unit deposit(Int n); Unit transfer(Account to, Int n); }
        class AccountImpl(Int balance) implements Account {
          Unit deposit(Int n) { balance = balance + n; }
          Unit transfer(Account to, Int n) { Fut<Unit> f = to!deposit(n); f.get; }
        }
        { Account a = new AccountImpl(9); Account b = new AccountImpl(9);
          a!transfer(b, 5); b!transfer(a, 3); }";
    let model = load(vec![SourceFile::new("bank.abs", text)], &LoadOptions::default()).model;
    let model = model.unwrap();
    let analysis = analyse(&model, Settings::default()).unwrap();
    let tasks = analysis.interfering_tasks(&analysis.graph.cycles[0]);
    assert_eq!(tasks, [task("AccountImpl", "transfer", 1, 2)]);
    assert_eq!(
        contexts(&tasks),
        [
            "{[transfer] on AccountImpl 1}",
            "{[transfer, transfer] on AccountImpl 1}",
            "{[transfer] on AccountImpl 1, [transfer] on AccountImpl 2}",
        ]
    );
}

/// Contexts by brute force: all functions from tasks to objects, told apart by what is on the objects.
#[test]
fn there_is_one_context_of_each_class() {
    for (tasks, expected) in [
        // The partitions of a number, and of a pair of numbers.
        (vec![task("A", "m", 4, 4)], 5),
        (vec![task("A", "m", 0, 3)], 1 + 1 + 2 + 3),
        (vec![task("A", "m", 2, 2), task("A", "n", 2, 2)], 9),
        (vec![task("A", "m", 1, 2)], 1 + 2),
    ] {
        let mut contexts = contexts(&tasks);
        assert_eq!(contexts.len(), expected, "{contexts:#?}");
        contexts.sort();
        contexts.dedup();
        assert_eq!(contexts.len(), expected, "no context comes twice");
    }
}

#[test]
fn too_many_contexts_are_refused() {
    let tasks = [task("A", "m", 0, 20), task("A", "n", 0, 20)];
    assert_eq!(initial_contexts(&tasks, 1_000), Err(TooManyContexts { most: 1_000 }));
}
