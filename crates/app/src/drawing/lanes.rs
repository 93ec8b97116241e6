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

/// From the side of one box to the side of another, in another lane: down between two lanes, across above
/// the box it leads to, and down to its side. There are no boxes between lanes, and none between the box and the one
/// before it, so no part of the arrow is behind one.
fn connection(from: &Figure, to: &Figure) -> Stroke {
    let side = if from.centre.0 < to.centre.0 { 1 } else { -1 };
    let start = (from.centre.0 + side * from.width / 2, from.centre.1);
    let end = (to.centre.0 - side * to.width / 2, to.centre.1);
    let beside = (start.0 + side * BETWEEN_LANES / 2, end.0 - side * BETWEEN_LANES / 2);
    let above = to.top() - BETWEEN_STEPS / 2;
    let points = match beside.0 == beside.1 {
        true => vec![start, (beside.0, start.1), (beside.0, end.1), end],
        false => vec![
            start,
            (beside.0, start.1),
            (beside.0, above),
            (beside.1, above),
            (beside.1, end.1),
            end,
        ],
    };
    Stroke { points, kind: StrokeKind::Connection(Line::Arrow), curved: false }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::diagram::{Label, SequenceStep};

    use super::*;

    /// Whether a straight piece of a line runs through the inside of a box.
    fn crosses(piece: &[(i32, i32)], figure: &Figure) -> bool {
        let [(x1, y1), (x2, y2)] = [piece[0], piece[1]];
        let (left, right) =
            (figure.centre.0 - figure.width / 2, figure.centre.0 + figure.width / 2);
        x1.min(x2) < right
            && x1.max(x2) > left
            && y1.min(y2) < figure.bottom()
            && y1.max(y2) > figure.top()
    }

    #[test]
    fn no_arrow_runs_behind_a_box() {
        let step = |lane: usize, cause: Option<usize>| SequenceStep {
            lane,
            label: Label::new("reads a variable with a name of some length = 5"),
            cause,
            ..SequenceStep::default()
        };
        let lanes = ["main", "worker", "another worker", "last"].map(Label::new);
        let steps = vec![
            step(0, None),
            step(1, Some(0)),
            step(2, None),
            step(3, Some(0)),
            step(1, None),
            step(0, Some(3)),
            step(2, Some(1)),
            step(3, Some(2)),
        ];
        let sequence = Sequence { about: String::new(), lanes: lanes.into(), steps };
        let scene = place(&sequence);
        for stroke in scene.strokes.iter().filter(|s| matches!(s.kind, StrokeKind::Connection(_))) {
            for piece in stroke.points.windows(2) {
                assert!(piece[0].0 == piece[1].0 || piece[0].1 == piece[1].1, "{piece:?}");
                assert!(!scene.figures.iter().any(|figure| crosses(piece, figure)), "{piece:?}");
            }
        }
    }
}
