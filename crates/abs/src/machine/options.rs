//! How a model is run and how its steps are compared.

/// Everything about a run that the source does not say.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Options {
    /// When two steps count as dependent.
    pub reduction: Reduction,
    /// What `await` does when its guard holds.
    pub await_policy: AwaitPolicy,
    /// Which cog goes next.
    pub objects: ObjectPolicy,
    /// Which task of a cog goes next.
    pub tasks: TaskPolicy,
    /// Whether an execution ends as soon as tasks wait for each other in a cycle. Nothing is reduced
    /// then: the step that closes a cycle stops everybody.
    pub cut_at_deadlock: bool,
    /// Whether what was printed is part of the outcome.
    pub outcome_with_output: bool,
    /// What `readln` returns, line by line to whoever reads next, and then empty lines.
    pub input_lines: Vec<String>,
    /// How many jumps and calls one macro-step may make; 0 for the default of a hundred million.
    pub work_per_step: u64,
}

impl Options {
    pub(crate) fn work(&self) -> u64 {
        if self.work_per_step == 0 { 100_000_000 } else { self.work_per_step }
    }

    /// Whether all choices are open, as partial-order reduction needs.
    pub(crate) fn is_free(&self) -> bool {
        self.objects == ObjectPolicy::Any && self.tasks == TaskPolicy::Any && !self.cut_at_deadlock
    }
}

/// When two macro-steps count as dependent (section 6.2.3 of the thesis on active objects).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Reduction {
    /// Always.
    None,
    /// When they belong to one cog.
    Object,
    /// When they touch the same field and one writes it.
    #[default]
    Field,
    /// When swapping them makes a difference. The run says what it says for `Field`, and explorers
    /// compare states by their digests.
    Exact,
}

impl Reduction {
    /// All levels with their names.
    pub const ALL: [(&'static str, Reduction); 4] = [
        ("none", Reduction::None),
        ("object", Reduction::Object),
        ("field", Reduction::Field),
        ("exact", Reduction::Exact),
    ];
}

/// What `await` does when its guard holds as it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AwaitPolicy {
    /// It goes on, as in the published language.
    #[default]
    Continue,
    /// It releases the cog all the same, as today's back end does.
    Release,
}

/// Which cog goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ObjectPolicy {
    /// Any that can.
    #[default]
    Any,
    /// The next one that can, in the order of creation and starting again.
    RoundRobin,
}

/// Which task of a cog goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TaskPolicy {
    /// Any that can.
    #[default]
    Any,
    /// The one that has waited longest.
    Fifo,
    /// The one that came last.
    Lifo,
}
