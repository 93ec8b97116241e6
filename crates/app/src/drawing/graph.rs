//! Where everything of a graph goes. A graph that is a tree, or several, is drawn as such; any other one in
//! layers.

use counterpoint_model::diagram::{Graph, GraphNode, Shape};

use super::scene::{BoxRole, Caption, Figure, Point, Scene, Stroke, StrokeKind, Words};
use super::{layers, tree};

/// Where an arc goes.
#[derive(Default)]
pub struct Route {
    pub points: Vec<Point>,
    /// Where its words are, if it has any.
    pub words_at: Point,
    /// Whether they are centred there, or begin there.
    pub centred: bool,
}

/// The picture of a graph.
pub fn place(graph: &Graph) -> Scene {
    let figure =
        |node: &GraphNode| Figure::new(&node.label, &node.label.text, node.shape, BoxRole::Node);
    let mut figures: Vec<Figure> = graph.nodes.iter().map(figure).collect();
    let words: Vec<Words> = graph.arcs.iter().map(|arc| Words::new(&arc.text)).collect();
    let (routes, curved) = match tree::order(graph) {
        Some(order) => (tree::place(graph, &order, &mut figures, &words), false),
        None => (layers::place(graph, &mut figures, &words), true),
    };
    let mut scene = Scene { about: graph.about.clone(), ..Scene::default() };
    for ((arc, words), route) in graph.arcs.iter().zip(words).zip(routes) {
        let kind = StrokeKind::Connection(arc.line);
        let loops = arc.from == arc.to;
        scene.strokes.push(Stroke { points: route.points, kind, curved: curved && !loops });
        let Route { words_at: at, centred, .. } = route;
        scene.captions.push(Caption { at, centred, words });
    }
    scene.figures = figures;
    scene
}

/// How far to the sides of its centre arcs can end at a node.
pub fn half_width(figure: &Figure) -> i32 {
    match figure.shape {
        Shape::Box => figure.width / 2,
        Shape::Circle | Shape::Token => 0,
    }
}
