//! What people read of tasks and objects: the same in every execution, and different for different
//! things.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use counterpoint_abs::machine::{Account, ModelProgram, Options, Reduction};
use counterpoint_model::{Choice, Pid, Program};

use super::pictures::all_schedules;
use super::semantics::model;

/// Every name of every object and task in every execution: an object by its outcome's line without
/// its values, a task by its path.
fn names(text: &str) -> Vec<(BTreeSet<String>, BTreeMap<Pid, String>)> {
    let options = Options { reduction: Reduction::None, ..Options::default() };
    let program = ModelProgram::new(Arc::clone(&model(text)), options);
    let schedules: Vec<Vec<Choice>> = all_schedules(&program);
    let mut all = Vec::new();
    for choices in &schedules {
        let account = Account::new(&program, choices);
        let objects: BTreeSet<String> = account.objects.iter().cloned().collect();
        assert_eq!(objects.len(), account.objects.len(), "{:?}", account.objects);
        let steps = account.steps.iter();
        let tasks: BTreeMap<Pid, String> =
            steps.map(|step| (step.choice.process, step.task.clone())).collect();
        let distinct: BTreeSet<&String> = tasks.values().collect();
        assert_eq!(distinct.len(), tasks.len(), "{tasks:?}");
        all.push((objects, tasks));
    }
    all
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(", ").map(str::to_owned).collect()
}

#[test]
fn objects_are_called_by_their_variables_or_numbered_by_class() {
    let text = "
        interface W { Unit go(); }
        class W implements W { W next; Unit go() { next = new W(); } }
        { W a = new W(); W b = new W(); List<W> more = Nil; Int i = 0;
          while (i < 2) { W w = new W(); more = Cons(w, more); i = i + 1; }
          a!go(); b!go(); b!go(); }";
    for (objects, tasks) in names(text) {
        assert_eq!(objects, words("main, a, b, W 1, W 2, W 3, W 4, W 5"));
        let tasks: BTreeSet<String> = tasks.into_values().collect();
        assert_eq!(tasks, words("main, a.go, b.go 1, b.go 2"));
    }
}

/// Who comes first creates the one object that there is, so no name of it can be known before.
#[test]
fn what_depends_on_the_schedule_has_a_name_all_the_same() {
    let text = "
        interface W { Unit go(Int n); Unit end(); }
        class W implements W {
            Int runs = 0;
            Unit go(Int n) { runs = runs + 1; if (runs == 3 && n == 3) { W w = new W(); w!end(); } }
            Unit end() { skip; }
        }
        { W a = new W(); a!go(1); a!go(2); a!go(3); }";
    let mut known: BTreeMap<Pid, String> = BTreeMap::new();
    let mut sizes = BTreeSet::new();
    for (objects, tasks) in names(text) {
        sizes.insert(objects.len());
        for (task, name) in tasks {
            assert_eq!(known.entry(task).or_insert(name.clone()), &name);
        }
    }
    assert_eq!(sizes, BTreeSet::from([2, 3]));
}

#[test]
fn a_model_whose_first_step_never_ends_is_named_too() {
    let text = "{ while (True) { skip; } }";
    let program =
        ModelProgram::new(model(text), Options { work_per_step: 1000, ..Options::default() });
    let account = Account::new(&program, &[Choice::of(Pid::MAIN)]);
    assert_eq!(account.steps[0].task, "main");
    assert_eq!(program.process_name(Pid::MAIN), "main");
}
