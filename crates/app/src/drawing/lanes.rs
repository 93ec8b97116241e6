//! Where everything of a sequence diagram goes: lanes side by side, each as wide as its widest box, and
//! steps below each other, each followed by the arrows of its messages.

use counterpoint_model::diagram::{Line, Sequence, Shape};

use super::numbered;
use super::scene::{BoxRole, Caption, Figure, Scene, Stroke, StrokeKind, Words};

/// Between two lanes, and between two steps.
const BETWEEN_LANES: i32 = 24;
const BETWEEN_STEPS: i32 = 12;
/// For the arrow of a message, with its words above it.
const MESSAGE: i32 = 22;
/// Lanes are at least so wide, so that words at arrows have room.
const NARROWEST: i32 = 120;

/// The picture of a sequence diagram.
pub fn place(sequence: &Sequence) -> Scene {
    let heads =
        sequence.lanes.iter().map(|lane| Figure::new(lane, &lane.text, Shape::Box, BoxRole::Lane));
    let mut heads: Vec<Figure> = heads.collect();
    let steps = sequence.steps.iter();
    let steps =
        steps.map(|s| Figure::new(&s.label, &numbered(s), Shape::Box, BoxRole::Step(s.number)));
    let mut steps: Vec<Figure> = steps.collect();
    let mut widths: Vec<i32> = heads.iter().map(|head| head.width.max(NARROWEST)).collect();
    for (step, figure) in sequence.steps.iter().zip(&steps) {
        widths[step.lane] = widths[step.lane].max(figure.width);
    }
    let highest = heads.iter().map(|head| head.height).max().unwrap_or(0);
    let mut left = 0;
    for (head, &width) in heads.iter_mut().zip(&widths) {
        (head.centre, head.width) = ((left + width / 2, highest / 2), width);
        left += width + BETWEEN_LANES;
    }
    let mut scene = Scene { about: sequence.about.clone(), ..Scene::default() };
    let mut arrows = Vec::new();
    let mut y = highest + BETWEEN_STEPS;
    for (index, step) in sequence.steps.iter().enumerate() {
        let x = heads[step.lane].centre.0;
        let figure = &mut steps[index];
        (figure.centre, figure.width) = ((x, y + figure.height / 2), widths[step.lane]);
        y = figure.bottom();
        if let Some(cause) = step.cause.filter(|&cause| sequence.steps[cause].lane != step.lane) {
            arrows.push(connection(&steps[cause], &steps[index]));
        }
        for message in &step.messages {
            y += MESSAGE;
            let to = heads[message.to].centre.0;
            let kind = StrokeKind::Connection(message.line);
            let words = Words::new(&message.text);
            let (points, at) = match to == x {
                true => (vec![(x, y - 9), (x + 28, y - 9), (x + 28, y), (x, y)], (x + 34, y)),
                false => (vec![(x, y), (to, y)], (i32::midpoint(x, to), y - 5)),
            };
            scene.captions.push(Caption { at, centred: to != x, words });
            arrows.push(Stroke { points, kind, curved: false });
        }
        y += BETWEEN_STEPS;
    }
    scene.strokes = heads
        .iter()
        .map(|head| {
            let points = vec![(head.centre.0, head.bottom()), (head.centre.0, y)];
            Stroke { points, kind: StrokeKind::Lane, curved: false }
        })
        .chain(arrows)
        .collect();
    scene.figures = heads.into_iter().chain(steps).collect();
    scene
}

/// From the side of one box to the side of another, in another lane.
fn connection(from: &Figure, to: &Figure) -> Stroke {
    let side = if from.centre.0 < to.centre.0 { 1 } else { -1 };
    let start = (from.centre.0 + side * from.width / 2, from.centre.1);
    let end = (to.centre.0 - side * to.width / 2, to.centre.1);
    Stroke { points: vec![start, end], kind: StrokeKind::Connection(Line::Arrow), curved: false }
}
