//! Which tasks of a model may wait for each other, and the model explored for that.

use std::sync::Arc;

use counterpoint_abs::analysis::graph::{Arrow, Chain};
use counterpoint_abs::analysis::question::Question;
use counterpoint_abs::analysis::{Analysis, Settings, analyse};
use counterpoint_abs::machine::{ModelProgram, Options};
use counterpoint_abs::program::Model;
use counterpoint_model::diagram::Graph;
use counterpoint_model::{Choice, Program};

use crate::front_end::{
    WaitAnalyser, WaitAnalysis, WaitArrow, WaitCondition, WaitCycle, WaitReport,
};

/// Analyses a model on demand.
pub fn analyser(model: Arc<Model>, options: Options) -> WaitAnalyser {
    Box::new(move |context| Box::new(ModelWaits::new(Arc::clone(&model), options.clone(), context)))
}

struct ModelWaits {
    model: Arc<Model>,
    options: Options,
    settings: Settings,
    report: WaitReport,
    /// All goals, to see which of them a state shows.
    question: Question,
}

impl ModelWaits {
    fn new(model: Arc<Model>, options: Options, context: usize) -> ModelWaits {
        let settings = Settings { context, ..Settings::default() };
        let (report, question) = match analyse(&model, settings) {
            Some(analysis) => (report(&analysis), all(&analysis)),
            None => (WaitReport::default(), Question::default()),
        };
        ModelWaits { model, options, settings, report, question }
    }
}

impl WaitAnalysis for ModelWaits {
    fn report(&self) -> &WaitReport {
        &self.report
    }

    fn program(&self, goals: &[usize], first_only: bool) -> Box<dyn Program> {
        let program = ModelProgram::new(Arc::clone(&self.model), self.options.clone());
        let Some(analysis) = analyse(&self.model, self.settings) else { return Box::new(program) };
        let graph = &analysis.graph;
        let wanted = |index: &usize| goals.contains(index);
        let cycles: Vec<Vec<Arrow>> = (0..graph.cycles.len())
            .filter(wanted)
            .map(|index| graph.cycles[index].clone())
            .collect();
        let chains: Vec<Chain> = (0..graph.chains.len())
            .filter(|index| wanted(&(graph.cycles.len() + index)))
            .map(|index| graph.chains[index].clone())
            .collect();
        let everything = goals.len() == graph.cycles.len() + graph.chains.len();
        let mut question = Question::new(&analysis.points, &cycles, &chains);
        question.first_only = first_only;
        question.anything = graph.truncated && everything;
        Box::new(program.looking_for(question))
    }

    fn shown(&self, choices: &[Choice]) -> Vec<usize> {
        let program = ModelProgram::new(Arc::clone(&self.model), self.options.clone());
        program.shown_goals(&self.question, choices)
    }

    fn picture(&self) -> Graph {
        analyse(&self.model, self.settings).map(|found| found.picture()).unwrap_or_default()
    }
}

fn all(analysis: &Analysis<'_>) -> Question {
    Question::new(&analysis.points, &analysis.graph.cycles, &analysis.graph.chains)
}

fn report(analysis: &Analysis<'_>) -> WaitReport {
    let cycles = analysis.told_cycles().into_iter().map(|cycle| WaitCycle {
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
