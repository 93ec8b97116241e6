//! Directed graphs in layers, arcs pointing down as far as possible.
//!
//! The idea is that of Sugiyama, Tagawa and Toda (1981). Arcs that close a cycle are turned around. A node
//! goes one layer below the lowest node with an arc to it. Where an arc passes a layer, and where its words
//! are, it has a point of its own, so that it goes around boxes. In a few passes up and down, the nodes of
//! a layer are sorted by the mean of their neighbours' places, and are moved there as far as they do not
//! overlap. The places nearest to the wanted ones, with the order and the distances kept, are those of
//! isotonic regression: whoever would overlap shares the mean (pool adjacent violators).
//!
//! Cost: each pass sorts the layers: n log n for n nodes and points. Points are limited in number; arcs
//! beyond that go straight.

use counterpoint_model::diagram::{Graph, GraphArc};

use super::graph::{Route, half_width};
use super::scene::{Figure, LINE_HEIGHT, Point, Words};

const BESIDE: f64 = 18.0;
const BELOW: i32 = 30;
const PASSES: usize = 12;
/// Points of arcs between layers.
const MOST_POINTS: usize = 20_000;
/// How far an arc from a node to itself reaches.
const LOOP: i32 = 22;

/// Something in a layer: a node, with the same index as in the graph, or a point of an arc.
#[derive(Clone)]
struct Vertex {
    layer: usize,
    column: f64,
    left: f64,
    right: f64,
    height: i32,
    x: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// An arc, from its upper to its lower end.
struct Chain {
    vertices: Vec<usize>,
    /// The one with its words.
    words: Option<usize>,
    turned: bool,
}

/// Places the figures and gives the way of each arc.
pub fn place(graph: &Graph, figures: &mut [Figure], words: &[Words]) -> Vec<Route> {
    let (ends, order) = turn_cycles(graph);
    let layers = layers(graph, &ends, &order);
    let mut vertices: Vec<Vertex> = figures
        .iter()
        .zip(&graph.nodes)
        .zip(&layers)
        .map(|((figure, node), &layer)| Vertex {
            layer,
            column: node.column as f64,
            left: f64::from(figure.width / 2),
            right: f64::from(figure.right()),
            height: figure.height,
            x: 0.0,
            above: Vec::new(),
            below: Vec::new(),
        })
        .collect();
    // Beside a node with an arc to itself there is room for it.
    for (arc, words) in graph.arcs.iter().zip(words).filter(|(arc, _)| arc.from == arc.to) {
        let right = &mut vertices[arc.from].right;
        *right = right.max(f64::from(figures[arc.from].right() + LOOP + 6 + words.width()));
    }
    let chains = chains(graph, &ends, words, &mut vertices);
    settle(&mut vertices, &order);
    let bands = bands(&vertices);
    for (figure, vertex) in figures.iter_mut().zip(&vertices) {
        let (top, height) = bands[vertex.layer];
        figure.centre = (vertex.x as i32, top + height / 2);
    }
    routes(graph, figures, &vertices, &bands, &chains)
}

/// The upper and the lower end of each arc, and the nodes from top to bottom. An arc is turned around if
/// it leads back to a node from which the search has come.
fn turn_cycles(graph: &Graph) -> (Vec<(usize, usize)>, Vec<usize>) {
    let count = graph.nodes.len();
    let mut out = vec![Vec::new(); count];
    let mut incoming = vec![0; count];
    for (index, arc) in graph.arcs.iter().enumerate().filter(|(_, arc)| arc.from != arc.to) {
        out[arc.from].push(index);
        incoming[arc.to] += 1;
    }
    let mut ends: Vec<(usize, usize)> = graph.arcs.iter().map(|arc| (arc.from, arc.to)).collect();
    let (mut seen, mut left) = (vec![false; count], vec![false; count]);
    let mut order = Vec::with_capacity(count);
    let sources = (0..count).filter(|&node| incoming[node] == 0);
    for start in sources.chain(0..count) {
        let mut path = Vec::new();
        if !seen[start] {
            seen[start] = true;
            path.push((start, 0));
        }
        while let Some((node, next)) = path.last_mut() {
            let Some(&arc) = out[*node].get(*next) else {
                left[*node] = true;
                order.push(*node);
                path.pop();
                continue;
            };
            *next += 1;
            let to = graph.arcs[arc].to;
            if !seen[to] {
                seen[to] = true;
                path.push((to, 0));
            } else if !left[to] {
                ends[arc] = (to, *node);
            }
        }
    }
    order.reverse();
    (ends, order)
}

/// The layer of each node. Nodes that nothing leads to stand just above the first they lead to.
fn layers(graph: &Graph, ends: &[(usize, usize)], order: &[usize]) -> Vec<usize> {
    let mut down = vec![Vec::new(); graph.nodes.len()];
    let mut is_below = vec![false; graph.nodes.len()];
    for (&(upper, lower), arc) in ends.iter().zip(&graph.arcs).filter(|((a, b), _)| a != b) {
        let span = if arc.text.is_empty() { 1 } else { 2 };
        down[upper].push((lower, span));
        is_below[lower] = true;
    }
    let mut layers = vec![0; graph.nodes.len()];
    for &node in order {
        for &(lower, span) in &down[node] {
            layers[lower] = layers[lower].max(layers[node] + span);
        }
    }
    for &node in order.iter().filter(|&&node| !is_below[node]) {
        let nearest = down[node].iter().map(|&(lower, span)| layers[lower] - span).min();
        layers[node] = nearest.unwrap_or(0);
    }
    layers
}

/// Gives arcs their points in the layers that they pass, and connects neighbours.
fn chains(
    graph: &Graph,
    ends: &[(usize, usize)],
    words: &[Words],
    vertices: &mut Vec<Vertex>,
) -> Vec<Chain> {
    let mut points = 0;
    let mut chains = Vec::with_capacity(ends.len());
    for ((&(upper, lower), arc), words) in ends.iter().zip(&graph.arcs).zip(words) {
        let mut chain = Chain { vertices: vec![upper], words: None, turned: arc.from != upper };
        let (first, last) = (vertices[upper].layer + 1, vertices[lower].layer);
        let middle =
            (!arc.text.is_empty() && first < last).then(|| usize::midpoint(first, last - 1));
        let fits = points + (last.saturating_sub(first)) <= MOST_POINTS;
        for layer in (first..last).filter(|&layer| fits || Some(layer) == middle) {
            points += 1;
            let is_words = Some(layer) == middle;
            if is_words {
                chain.words = Some(vertices.len());
            }
            chain.vertices.push(vertices.len());
            vertices.push(Vertex {
                layer,
                column: f64::midpoint(vertices[upper].column, vertices[lower].column),
                left: 0.0,
                right: if is_words { f64::from(words.width() + 6) } else { 0.0 },
                height: if is_words { words.height() } else { 0 },
                x: 0.0,
                above: Vec::new(),
                below: Vec::new(),
            });
        }
        if upper != lower {
            chain.vertices.push(lower);
        }
        for pair in chain.vertices.windows(2) {
            vertices[pair[0]].below.push(pair[1]);
            vertices[pair[1]].above.push(pair[0]);
        }
        chains.push(chain);
    }
    chains
}

/// Finds the horizontal places.
fn settle(vertices: &mut [Vertex], order: &[usize]) {
    let count = vertices.iter().map(|vertex| vertex.layer + 1).max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for node in order.iter().copied().chain(order.len()..vertices.len()) {
        layers[vertices[node].layer].push(node);
    }
    for pass in 0..PASSES {
        let last = pass + 2 >= PASSES;
        for step in 0..count {
            let layer = if pass % 2 == 0 { step } else { count - 1 - step };
            let wanted = |&index: &usize| {
                let vertex: &Vertex = &vertices[index];
                let neighbours = || {
                    let above = vertex.above.iter().filter(|_| last || pass % 2 == 0);
                    above.chain(vertex.below.iter().filter(|_| last || pass % 2 == 1))
                };
                let sum: f64 = neighbours().map(|&other| vertices[other].x).sum();
                match neighbours().count() {
                    0 => (vertex.column, vertex.x, index),
                    some => (vertex.column, sum / some as f64, index),
                }
            };
            let mut row: Vec<(f64, f64, usize)> = layers[layer].iter().map(wanted).collect();
            row.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            spread(vertices, &row);
        }
    }
}

/// Moves the vertices of a layer as near to the wanted places as they can be side by side.
fn spread(vertices: &mut [Vertex], row: &[(f64, f64, usize)]) {
    let mut offsets = Vec::with_capacity(row.len());
    // The mean of those that stand side by side without a gap, and how many they are.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    let mut offset = 0.0;
    for &(_, wanted, index) in row {
        offset += vertices[index].left;
        offsets.push(offset);
        let mut group = (wanted - offset, 1);
        while let Some(&(mean, count)) = groups.last().filter(|(mean, _)| *mean > group.0) {
            groups.pop();
            let all = count + group.1;
            group = ((mean * count as f64 + group.0 * group.1 as f64) / all as f64, all);
        }
        groups.push(group);
        offset += vertices[index].right + BESIDE;
    }
    let means = groups.iter().flat_map(|&(mean, count)| std::iter::repeat_n(mean, count));
    for ((&(_, _, index), offset), mean) in row.iter().zip(offsets).zip(means) {
        vertices[index].x = mean + offset;
    }
}

/// The top and the height of each layer.
fn bands(vertices: &[Vertex]) -> Vec<(i32, i32)> {
    let count = vertices.iter().map(|vertex| vertex.layer + 1).max().unwrap_or(0);
    let mut bands = vec![(0, 0); count];
    for vertex in vertices {
        bands[vertex.layer].1 = vertex.height.max(bands[vertex.layer].1);
    }
    let mut top = 0;
    for band in &mut bands {
        band.0 = top;
        top += band.1 + BELOW;
    }
    bands
}

/// The ways of all arcs. Where several end at one side of a box, they share it in the order in which they
/// come.
fn routes(
    graph: &Graph,
    figures: &[Figure],
    vertices: &[Vertex],
    bands: &[(i32, i32)],
    chains: &[Chain],
) -> Vec<Route> {
    let mut sides: Vec<[Vec<(f64, usize)>; 2]> = vec![Default::default(); figures.len()];
    for (arc, Chain { vertices: chain, .. }) in chains.iter().enumerate() {
        if let [upper, second, ..] = chain[..] {
            let (before, lower) = (chain[chain.len() - 2], chain[chain.len() - 1]);
            sides[upper][1].push((vertices[second].x, arc));
            sides[lower][0].push((vertices[before].x, arc));
        }
    }
    // The places at the upper and at the lower end.
    let mut ports: Vec<[i32; 2]> = vec![[0; 2]; chains.len()];
    for (figure, sides) in figures.iter().zip(&mut sides) {
        for (side, arcs) in sides.iter_mut().enumerate() {
            arcs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let parts = arcs.len() as i32 + 1;
            let width = (half_width(figure) * 3 / 2).min(20 * parts);
            for (part, &(_, arc)) in (1..).zip(arcs.iter()) {
                ports[arc][1 - side] = figure.centre.0 - width / 2 + width * part / parts;
            }
        }
    }
    let route = |((arc, chain), ports): ((&GraphArc, &Chain), &[i32; 2])| {
        if arc.from == arc.to {
            let figure = &figures[arc.from];
            let (x, y) = (figure.centre.0 + figure.right(), figure.centre.1);
            let out = x + LOOP;
            let points = vec![(x, y + 6), (out, y + 6), (out, y - 6), (x, y - 6)];
            return Route { points, words_at: (out + 6, y + 4), centred: false };
        }
        let [first, between @ .., last] = &chain.vertices[..] else { return Route::default() };
        let mut points: Vec<Point> = vec![(ports[0], figures[*first].bottom())];
        for &point in between {
            let (x, (top, height)) = (vertices[point].x as i32, bands[vertices[point].layer]);
            points.extend([(x, top), (x, top + height)]);
        }
        points.push((ports[1], figures[*last].top()));
        if chain.turned {
            points.reverse();
        }
        let words_at = chain.words.map_or((0, 0), |index| {
            let (top, height) = bands[vertices[index].layer];
            let middle = top + height / 2 - vertices[index].height / 2;
            (vertices[index].x as i32 + 5, middle + LINE_HEIGHT - 3)
        });
        Route { points, words_at, centred: false }
    };
    graph.arcs.iter().zip(chains).zip(&ports).map(route).collect()
}
