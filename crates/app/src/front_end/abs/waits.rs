//! Which tasks of a model may wait for each other, and the model explored for that.

use std::sync::Arc;

use counterpoint_abs::analysis::graph::{Arrow, Chain};
use counterpoint_abs::analysis::question::{CodeFacts, DeadlockQuestion};
use counterpoint_abs::analysis::{Analysis, Settings, analyse};
use counterpoint_abs::machine::{ModelProgram, Options};
use counterpoint_abs::program::Model;
use counterpoint_model::diagram::Graph;
use counterpoint_model::{Choice, ProcessNames, Program};

use crate::front_end::{
    WaitAnalyser, WaitAnalysis, WaitArrow, WaitCondition, WaitCycle, WaitReport,
};

/// Analyses a model on demand.
pub fn analyser(model: Arc<Model>, options: Options) -> WaitAnalyser {
    Box::new(move |context| Box::new(ModelWaits::new(Arc::clone(&model), options.clone(), context)))
}

/// A model that was analysed once, for all that is asked about it.
struct ModelWaits {
    model: Arc<Model>,
    options: Options,
    report: WaitReport,
    picture: Graph,
    /// Nothing for a model without a main block.
    goals: Option<Goals>,
}

/// What can be looked for.
struct Goals {
    facts: CodeFacts,
    cycles: Vec<Vec<Arrow>>,
    chains: Vec<Chain>,
    truncated: bool,
    /// All of them, to see which of them a state shows.
    question: DeadlockQuestion,
}

impl ModelWaits {
    fn new(model: Arc<Model>, options: Options, context: usize) -> ModelWaits {
        let settings = Settings { context, ..Settings::default() };
        let (report, picture, goals) = match analyse(&model, settings) {
            Some(analysis) => {
                (report(&analysis), analysis.picture(), Some(Goals::of(&model, analysis)))
            }
            None => (WaitReport::default(), Graph::default(), None),
        };
        ModelWaits { model, options, report, picture, goals }
    }
}

impl Goals {
    fn of(model: &Model, analysis: Analysis<'_>) -> Goals {
        let facts = CodeFacts::of(&analysis.points);
        let graph = analysis.graph;
        let question = facts.question(model, &graph.cycles, &graph.chains);
        let (cycles, chains, truncated) = (graph.cycles, graph.chains, graph.truncated);
        Goals { facts, cycles, chains, truncated, question }
    }

    /// The question about some of them, by their numbers.
    fn question(&self, model: &Model, goals: &[usize]) -> DeadlockQuestion {
        let wanted = |index: &usize| goals.contains(index);
        let cycles: Vec<Vec<Arrow>> =
            (0..self.cycles.len()).filter(wanted).map(|index| self.cycles[index].clone()).collect();
        let chains: Vec<Chain> = (0..self.chains.len())
            .filter(|index| wanted(&(self.cycles.len() + index)))
            .map(|index| self.chains[index].clone())
            .collect();
        let mut question = self.facts.question(model, &cycles, &chains);
        let everything = goals.len() == self.cycles.len() + self.chains.len();
        question.anything = self.truncated && everything;
        question
    }
}

impl WaitAnalysis for ModelWaits {
    fn report(&self) -> &WaitReport {
        &self.report
    }

    fn program(&self, goals: &[usize], first_only: bool) -> Box<dyn Program> {
        let program = ModelProgram::new(Arc::clone(&self.model), self.options.clone());
        let Some(known) = &self.goals else { return Box::new(program) };
        let mut question = known.question(&self.model, goals);
        question.first_only = first_only;
        Box::new(program.looking_for(question))
    }

    fn shown(&self, names: &ProcessNames, choices: &[Choice]) -> Vec<usize> {
        let Some(known) = &self.goals else { return Vec::new() };
        let program = ModelProgram::new(Arc::clone(&self.model), self.options.clone());
        let own = |choice: &Choice| {
            let process = program.names().resolve(&names.path(choice.process))?;
            Some(Choice { process, ..*choice })
        };
        let choices: Vec<Choice> = choices.iter().filter_map(own).collect();
        program.shown_goals(&known.question, &choices)
    }

    fn picture(&self) -> &Graph {
        &self.picture
    }
}

fn report(analysis: &Analysis<'_>) -> WaitReport {
    let alike = analysis.graph.alike.iter();
    let cycles = analysis.told_cycles().into_iter().zip(alike).map(|(cycle, &alike)| WaitCycle {
        alike,
        arrows: cycle
            .arrows
            .into_iter()
            .map(|arrow| WaitArrow {
                from: arrow.from,
                to: arrow.to,
                kind: arrow.kind,
                task: arrow.task,
                file: arrow.place.file,
                line: arrow.place.line,
                column: arrow.place.column,
            })
            .collect(),
        sentence: cycle.sentence,
        notation: cycle.notation,
    });
    let conditions = analysis.told_chains().into_iter().map(|chain| WaitCondition {
        file: chain.condition.file,
        line: chain.condition.line,
        blocked_line: chain.blocked.line,
        sentence: chain.sentence,
    });
    let awaits = analysis.told_conditions();
    WaitReport {
        cycles: cycles.collect(),
        conditions: conditions.collect(),
        awaits: awaits.iter().map(|place| format!("{}:{}", place.file, place.line)).collect(),
        truncated: analysis.graph.truncated,
    }
}
