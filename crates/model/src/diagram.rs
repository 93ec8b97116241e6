//! Pictures as data: what there is to draw, and nothing about how.
//!
//! Front ends and explorers know who did what; the application knows how a picture is laid out and
//! written down. These types pass between them: a sequence diagram ([`Sequence`]), and a directed graph
//! ([`Graph`]), which is drawn as a tree if it is one. Texts may be of any length and hold any
//! characters, and there may be any number of boxes: whoever draws cuts, escapes and folds.

/// What a box stands for; it decides the colour.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Meaning {
    /// Nothing in particular.
    #[default]
    Neutral,
    /// It ended as it should.
    Good,
    /// It waits, and others can go on meanwhile.
    Waiting,
    /// It waits, and holds up others or itself.
    Blocked,
    /// It failed.
    Failed,
    /// It is about to choose.
    Choice,
    /// Something that was left out.
    LeftOut,
}

/// What a box says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// The words in the box.
    pub text: String,
    /// What is shown when the mouse rests on it; the whole text if empty.
    pub detail: String,
    /// What it stands for.
    pub meaning: Meaning,
    /// Whether it stands out, as part of the failure.
    pub marked: bool,
}

impl Label {
    /// These words, meaning nothing in particular.
    pub fn new(text: impl Into<String>) -> Label {
        Label { text: text.into(), ..Label::default() }
    }
}

/// How two boxes are connected.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Line {
    /// An arrow.
    #[default]
    Arrow,
    /// A dashed arrow: a creation, something that may happen.
    Dashed,
    /// A dotted arrow: an order without a cause.
    Dotted,
    /// A dashed line without a head: a read arc of a net.
    Read,
}

/// A sequence diagram: a lane for each process or object, and what happens from top to bottom.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sequence {
    /// What the picture shows, for those who cannot see it.
    pub about: String,
    /// The lanes, from left to right.
    pub lanes: Vec<Label>,
    /// What happens, in this order.
    pub steps: Vec<SequenceStep>,
}

/// Something that happens in a lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SequenceStep {
    /// Its number in the schedule; none for what is so at the end, such as who waits.
    pub number: Option<usize>,
    /// The index of its lane.
    pub lane: usize,
    /// What it says.
    pub label: Label,
    /// The index of an earlier step of another lane that an arrow comes from.
    pub cause: Option<usize>,
    /// What the arrow from there brings; may be empty.
    pub brought: String,
    /// What it sends to lanes.
    pub messages: Vec<Message>,
}

/// An arrow from a step to a lane.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Message {
    /// The index of the lane it goes to.
    pub to: usize,
    /// What is sent.
    pub text: String,
    /// Its line.
    pub line: Line,
}

/// A directed graph, such as a net, a tree of executions or who waits for whom.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// What the picture shows, for those who cannot see it.
    pub about: String,
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The arcs. Two nodes may have several.
    pub arcs: Vec<GraphArc>,
}

impl Graph {
    /// An empty graph that shows this.
    pub fn new(about: impl Into<String>) -> Graph {
        Graph { about: about.into(), ..Graph::default() }
    }

    /// Adds a node and gives its index.
    pub fn add_node(&mut self, node: impl Into<GraphNode>) -> usize {
        self.nodes.push(node.into());
        self.nodes.len() - 1
    }

    /// Adds an arrow with these words, which may be empty.
    pub fn add_arc(&mut self, from: usize, to: usize, text: impl Into<String>) {
        self.arcs.push(GraphArc { from, to, text: text.into(), line: Line::Arrow });
    }
}

/// A node of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNode {
    /// What it says.
    pub label: Label,
    /// Its shape.
    pub shape: Shape,
    /// Nodes of one column, such as those of a process, stand together; columns go from left to right.
    pub column: usize,
}

impl From<Label> for GraphNode {
    fn from(label: Label) -> GraphNode {
        GraphNode { label, ..GraphNode::default() }
    }
}

/// The shape of a node.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Shape {
    /// A box around the words.
    #[default]
    Box,
    /// A circle with the words beside it: a condition of a net.
    Circle,
    /// A circle with a token: a condition that holds at the start.
    Token,
}

/// An arc of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphArc {
    /// The index of the node it comes from.
    pub from: usize,
    /// The index of the node it goes to.
    pub to: usize,
    /// What is written at it.
    pub text: String,
    /// Its line.
    pub line: Line,
}
