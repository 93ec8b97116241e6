//! The cases that an exploration finds, and the tests that they become when they were run with their values.

use std::sync::Arc;

use counterpoint_abs::generate::{
    ExecutedPath, Target, complete, difference, given_context, macro_schedule, rerun,
};
use counterpoint_abs::machine::{Context, ModelProgram, TestCase};
use counterpoint_abs::program::Model;
use counterpoint_model::{Choice, Program, Schedule};

use super::GenerationQuestion;

/// A test with what its run with values has shown.
pub struct Test {
    /// The case.
    pub case: TestCase,
    /// The choices of the run with unknowns, cases included.
    pub choices: Vec<String>,
    /// The macro-steps.
    pub schedule: Vec<String>,
    /// What the run with values went through.
    pub path: ExecutedPath,
    /// The test as it will stand in the result file, if that is known by now: whoever found it has had time for that.
    pub text: Option<Box<str>>,
}

/// A case that was found, before its run with values.
pub struct Unconfirmed {
    case: TestCase,
    choices: Vec<String>,
    schedule: Vec<String>,
    /// The values in place of unknowns.
    context: Context,
}

impl Unconfirmed {
    /// The case that these choices lead to.
    pub fn new(
        program: &ModelProgram,
        target: &Target,
        case: TestCase,
        choices: &[Choice],
    ) -> Unconfirmed {
        let schedule = macro_schedule(program, choices);
        let context = given_context(&target.context, &case);
        let names = program.names();
        let choices = choices.iter().map(|&choice| Schedule::step_text(names, choice)).collect();
        Unconfirmed { case, choices, schedule, context }
    }

    /// Runs the case with its values: the test if that comes out as predicted, or else how not.
    pub fn confirm(
        self,
        question: &GenerationQuestion,
        model: &Arc<Model>,
    ) -> Result<Test, String> {
        let Unconfirmed { mut case, choices, schedule, context } = self;
        let differs = match rerun(model, &question.options, context, &schedule) {
            Ok(rerun) => match difference(&case, &rerun.case) {
                None => {
                    complete(&mut case, &rerun.case);
                    return Ok(Test { case, choices, schedule, path: rerun.path, text: None });
                }
                Some(difference) => difference,
            },
            Err(trouble) => trouble,
        };
        let condition = case.condition.join(" && ");
        Err(format!("the test for {condition} does not come out as predicted: {differs}"))
    }
}
