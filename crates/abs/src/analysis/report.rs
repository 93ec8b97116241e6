//! Cycles in words, with places in the source.

use crate::program::{BodyOwner, Model};
use crate::source::Span;

use super::Analysis;
use super::abstraction::{AbstractCog, ContextId};
use super::graph::{Arrow, Chain, Node, Why};
use super::parallel::Position;
use super::points_to::PointsTo;
use super::tasks::Standing;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// An arrow for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldArrow {
    /// Who waits: an object by its class and creation site, or a task by its method.
    pub from: String,
    /// For whom.
    pub to: String,
    /// `blocked`, `awaiting` or `competing`.
    pub kind: &'static str,
    /// The task because of which somebody waits.
    pub task: String,
    /// Where that task stands.
    pub place: SourcePlace,
    /// The arrow in the notation of the thesis.
    pub notation: String,
}

/// A cycle for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldCycle {
    /// Its arrows.
    pub arrows: Vec<ToldArrow>,
    /// One sentence.
    pub sentence: String,
    /// All of it in the notation of the thesis.
    pub notation: String,
}

/// A chain that ends at a condition, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldChain {
    /// Where an object is blocked.
    pub blocked: SourcePlace,
    /// Where a condition is awaited.
    pub condition: SourcePlace,
    /// One sentence.
    pub sentence: String,
}

impl Analysis<'_> {
    /// The cycles in words.
    pub fn told_cycles(&self) -> Vec<ToldCycle> {
        self.graph.cycles.iter().map(|cycle| Telling::new(&self.points).cycle(cycle)).collect()
    }

    /// The chains in words.
    pub fn told_chains(&self) -> Vec<ToldChain> {
        self.graph.chains.iter().map(|chain| Telling::new(&self.points).chain(chain)).collect()
    }

    /// Where conditions are awaited.
    pub fn told_conditions(&self) -> Vec<SourcePlace> {
        let telling = Telling::new(&self.points);
        let mut places: Vec<SourcePlace> = Vec::new();
        for &position in &self.graph.conditions {
            let place = telling.place(position);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// An arrow in words.
    pub fn told_arrow(&self, arrow: &Arrow) -> ToldArrow {
        Telling::new(&self.points).arrow(arrow)
    }
}

struct Telling<'a, 'm> {
    points: &'a PointsTo<'m>,
    model: &'m Model,
    /// Whether the model has more than one file of the user's.
    many_files: bool,
}

impl<'a, 'm> Telling<'a, 'm> {
    fn new(points: &'a PointsTo<'m>) -> Telling<'a, 'm> {
        let model = points.model;
        let main = model.main.map(|main| model.body(main).span.file);
        let files = model.bodies.iter().filter_map(|body| match body.owner {
            BodyOwner::Method(_) | BodyOwner::Main => Some(body.span.file),
            _ => None,
        });
        let many_files = files.into_iter().any(|file| Some(file) != main);
        Telling { points, model, many_files }
    }

    fn cycle(&self, cycle: &[Arrow]) -> ToldCycle {
        let arrows: Vec<ToldArrow> = cycle.iter().map(|arrow| self.arrow(arrow)).collect();
        let mut sentence = String::new();
        for (index, arrow) in cycle.iter().enumerate() {
            let task = self.task(arrow.position.context);
            let line = self.line(arrow.position);
            if index == 0 {
                sentence += &match (arrow.from, arrow.why) {
                    (Node::Cog(cog), _) => format!(
                        "{} is blocked by {task}, which waits at {line} for {}",
                        self.cog(cog),
                        self.node(arrow.to)
                    ),
                    (Node::Task(_), Why::Competing) => {
                        format!("{task} needs {}", self.node(arrow.to))
                    }
                    (Node::Task(_), _) => {
                        format!("{task} waits at {line} for {}", self.node(arrow.to))
                    }
                };
                continue;
            }
            sentence += &match (arrow.from, arrow.why) {
                (Node::Cog(_), _) => {
                    format!(
                        ", blocked by {task}, which waits at {line} for {}",
                        self.node(arrow.to)
                    )
                }
                (Node::Task(_), Why::Competing) => match arrow.position.standing {
                    Standing::Entry => format!(", which needs {} to begin", self.node(arrow.to)),
                    _ => format!(", which needs {} to go on at {line}", self.node(arrow.to)),
                },
                (Node::Task(_), _) => {
                    format!(", which waits at {line} for {}", self.node(arrow.to))
                }
            };
        }
        sentence.push('.');
        let mut notation = String::new();
        for arrow in &arrows {
            notation += &arrow.notation;
            notation.push(' ');
        }
        notation += &cycle.first().map(|arrow| self.short(arrow.from)).unwrap_or_default();
        ToldCycle { arrows, sentence: capital(&sentence), notation }
    }

    fn arrow(&self, arrow: &Arrow) -> ToldArrow {
        let place = self.place(arrow.position);
        let task = self.task(arrow.position.context);
        let method = task.rsplit('.').next().unwrap_or(&task);
        let notation = format!("{} -{}:{method}->", self.short(arrow.from), place.line);
        ToldArrow {
            from: self.node(arrow.from),
            to: self.node(arrow.to),
            kind: match arrow.why {
                Why::Blocked => "blocked",
                Why::Awaiting => "awaiting",
                Why::Competing => "competing",
            },
            task,
            place,
            notation,
        }
    }

    fn chain(&self, chain: &Chain) -> ToldChain {
        let first = chain.arrows[0];
        let waits = self.task(chain.condition.context);
        // Where the shortest way is direct there may be longer ones, which a search may find.
        let through = match chain.arrows.len() {
            1 => "",
            _ => ", through others,",
        };
        let others = match chain.also.len() {
            0 => String::new(),
            1 => " (or one other)".to_owned(),
            others => format!(" (or one of {others} others)"),
        };
        let sentence = format!(
            "{}{others} is blocked by {}, which waits at {}{through} for {waits}, which awaits a condition \
             at {}.",
            self.node(first.from),
            self.task(first.position.context),
            self.line(first.position),
            self.line(chain.condition)
        );
        ToldChain {
            blocked: self.place(first.position),
            condition: self.place(chain.condition),
            sentence: capital(&sentence),
        }
    }

    fn node(&self, node: Node) -> String {
        match node {
            Node::Cog(cog) => self.cog(cog),
            Node::Task(task) => self.task(task),
        }
    }

    /// A cog by its founder's class and creation site.
    fn cog(&self, cog: AbstractCog) -> String {
        match cog {
            AbstractCog::Main => "the main object group".to_owned(),
            AbstractCog::Of(object) => {
                let object = &self.points.abstraction.objects[object.index()];
                let class = &self.model.class(object.class).name;
                format!("the {class} created at {}", self.line_of(self.site_span(object.site)))
            }
        }
    }

    /// As in the thesis: `o7` for an object, the method for a task.
    fn short(&self, node: Node) -> String {
        match node {
            Node::Cog(AbstractCog::Main) => "main".to_owned(),
            Node::Cog(AbstractCog::Of(object)) => {
                let site = self.points.abstraction.objects[object.index()].site;
                format!("o{}", self.model.sources.start(self.site_span(site)).line)
            }
            Node::Task(task) => {
                let name = self.task(task);
                name.rsplit('.').next().unwrap_or(&name).to_owned()
            }
        }
    }

    fn task(&self, context: ContextId) -> String {
        self.model.body_name(self.points.abstraction.of(context).body)
    }

    fn site_span(&self, site: super::abstraction::Point) -> Span {
        self.model.body(site.body).spans[site.instruction as usize]
    }

    fn span(&self, position: Position) -> Span {
        let id = self.points.abstraction.of(position.context).body;
        let body = self.model.body(id);
        match position.standing {
            Standing::At(instruction) => body.spans[instruction as usize],
            Standing::Entry | Standing::Exit => match body.owner {
                BodyOwner::Method(method) => self.model.method(method).span,
                _ => body.span,
            },
        }
    }

    fn place(&self, position: Position) -> SourcePlace {
        let span = self.span(position);
        let start = self.model.sources.start(span);
        let file = self.model.sources.file(span.file).name.to_string();
        SourcePlace { file, line: start.line, column: start.column }
    }

    fn line(&self, position: Position) -> String {
        self.line_of(self.span(position))
    }

    fn line_of(&self, span: Span) -> String {
        let line = self.model.sources.start(span).line;
        let name = &self.model.sources.file(span.file).name;
        match self.many_files {
            true => format!("{}:{line}", name.rsplit('/').next().unwrap_or(name)),
            false => format!("line {line}"),
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if text.starts_with("the ") => {
            first.to_uppercase().collect::<String>() + letters.as_str()
        }
        _ => text.to_owned(),
    }
}
