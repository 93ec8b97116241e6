//! Boxes, lines and words at their places.

use counterpoint_model::diagram::{Label, Line, Shape};

use crate::look::{columns, wrap};

/// How many letters fit into a line, and how many lines into a box.
const LETTERS: usize = 34;
const LINES: usize = 5;

/// The size of a letter. All are of the same width.
const LETTER: i32 = 7;
pub const LINE_HEIGHT: i32 = 14;

/// A place, in pixels from left and top. A picture may begin anywhere.
pub type Point = (i32, i32);

/// A picture, ready to be written down.
#[derive(Default)]
pub struct Scene {
    /// What it shows.
    pub about: String,
    /// The lines, which lie behind everything else.
    pub strokes: Vec<Stroke>,
    /// Words without a box.
    pub captions: Vec<Caption>,
    /// The boxes.
    pub figures: Vec<Figure>,
}

/// A line through some points.
pub struct Stroke {
    pub points: Vec<Point>,
    pub kind: StrokeKind,
    /// Whether it leaves and reaches each point vertically, in curves.
    pub curved: bool,
}

/// Which line it is.
pub enum StrokeKind {
    /// The line of a lane.
    Lane,
    /// A connection.
    Connection(Line),
}

/// Words that stand alone; the place is the middle or the beginning of the first line's foot.
pub struct Caption {
    pub at: Point,
    pub centred: bool,
    pub words: Words,
}

/// A box or a circle around its centre.
pub struct Figure {
    pub centre: Point,
    pub width: i32,
    pub height: i32,
    pub shape: Shape,
    pub label: Label,
    pub words: Words,
    pub role: BoxRole,
}

/// What a box is in its picture.
#[derive(Copy, Clone)]
pub enum BoxRole {
    Lane,
    /// A step, with its number in the schedule.
    Step(Option<usize>),
    Node,
}

/// A text in lines, cut to a readable length.
#[derive(Default)]
pub struct Words {
    pub lines: Vec<String>,
    pub cut: bool,
}

impl Words {
    pub fn new(text: &str) -> Words {
        let most = LETTERS * LINES;
        let beginning: String = text.chars().take(most).collect();
        let mut lines = wrap(&beginning, LETTERS);
        let cut = lines.len() > LINES || text.chars().nth(most).is_some();
        lines.truncate(LINES);
        if let (true, Some(last)) = (cut, lines.last_mut()) {
            last.push('…');
        }
        Words { lines, cut }
    }

    pub fn width(&self) -> i32 {
        let letters = self.lines.iter().map(|line| columns(line)).max().unwrap_or(0);
        letters as i32 * LETTER
    }

    pub fn height(&self) -> i32 {
        self.lines.len() as i32 * LINE_HEIGHT
    }
}

/// As much of a text as somebody reads or listens to.
pub fn beginning(text: &str) -> String {
    const MOST: usize = 1_000;
    let more = if text.chars().nth(MOST).is_some() { "…" } else { "" };
    text.chars().take(MOST).chain(more.chars()).collect()
}

impl Figure {
    /// A figure that is large enough for its words, not yet at its place.
    pub fn new(label: &Label, text: &str, shape: Shape, role: BoxRole) -> Figure {
        let words = Words::new(text);
        let (width, height) = match shape {
            Shape::Box => ((words.width() + 16).max(28), words.height().max(LINE_HEIGHT) + 10),
            Shape::Circle | Shape::Token => (18, 18),
        };
        Figure { centre: (0, 0), width, height, shape, label: label.clone(), words, role }
    }

    /// How far it reaches to the right of its centre; the words of a circle stand beside it.
    pub fn right(&self) -> i32 {
        match self.shape {
            Shape::Box => self.width / 2,
            Shape::Circle | Shape::Token => self.width / 2 + 4 + self.words.width(),
        }
    }

    pub fn top(&self) -> i32 {
        self.centre.1 - self.height / 2
    }

    pub fn bottom(&self) -> i32 {
        self.centre.1 + self.height / 2
    }

    /// What is shown when the mouse rests on it.
    pub fn tooltip(&self) -> String {
        match self.label.detail.is_empty() {
            false => beginning(&self.label.detail),
            true if self.words.cut => beginning(&self.label.text),
            true => String::new(),
        }
    }
}

impl Scene {
    /// The left upper and the right lower corner of what there is.
    pub fn bounds(&self) -> (Point, Point) {
        let strokes = self.strokes.iter().flat_map(|stroke| stroke.points.iter().copied());
        let captions = self.captions.iter().flat_map(|caption| {
            let (x, y) = caption.at;
            let (width, height) = (caption.words.width(), caption.words.height());
            let left = if caption.centred { x - width / 2 } else { x };
            [(left, y - LINE_HEIGHT), (left + width, y - LINE_HEIGHT + height)]
        });
        let figures = self.figures.iter().flat_map(|figure| {
            let x = figure.centre.0;
            [(x - figure.width / 2, figure.top()), (x + figure.right(), figure.bottom())]
        });
        let mut bounds: Option<(Point, Point)> = None;
        for (x, y) in strokes.chain(captions).chain(figures) {
            let (low, high) = bounds.unwrap_or(((x, y), (x, y)));
            bounds = Some(((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y))));
        }
        bounds.unwrap_or_default()
    }
}
