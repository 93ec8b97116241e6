//! An unfolding as a picture, for learning and for debugging.
//!
//! Processes are columns and causality runs downwards. Events are boxes with their operation and
//! source line; thread conditions are circles in the column, conditions of locations are smaller
//! circles beside the event that made them. Arcs are drawn as in the thesis: solid where a condition
//! is taken, dashed and without an arrow where it is read. In a regular net, where the copies of
//! variables are not stored, a dotted arc leads from a read to a write that comes after it.
//!
//! Boxes are as wide as the longest label needs. A label that is longer than [`LONGEST`] is cut; the
//! whole of it shows when the mouse rests on it.
//!
//! The picture is plain SVG without scripts or fonts of its own, so that it can be opened anywhere.

use std::collections::BTreeMap;
use std::fmt::Write;

use counterpoint_model::{Op, Pid, Program};

use super::execute::{Explorer, has_tasks};
use super::net::{ConditionId, Effect, EventId, Net, Status};
use super::reach::Notes;
use crate::search::Assignment;

/// More events than this make no picture.
const LARGEST: u32 = 400;

/// Letters of a label that are shown, in a box and beside a condition of a location.
const LONGEST: usize = 36;
const LONGEST_NAME: usize = 16;
/// About the width of a letter.
const LETTER: i32 = 6;
/// Between two lanes, for the conditions that an event makes.
const GAP: i32 = 40;
const ROW: i32 = 110;
/// Between two conditions that one event makes.
const STEP: i32 = 18;
const MARGIN: i32 = 70;

/// Why there is no picture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PictureError {
    /// Too many events for anybody to look at.
    #[error(
        "the unfolding has {events} events, and a picture shows at most {LARGEST}; draw a smaller program"
    )]
    TooLarge {
        /// How many there are.
        events: u32,
    },
    /// The program is one of active objects.
    #[error(
        "programs of active objects are explored without an unfolding, so there is none to draw"
    )]
    Tasks,
}

/// Explores the program and draws its unfolding, with read arcs or without, as SVG.
pub fn picture(mut assignment: Assignment<'_>, contextual: bool) -> Result<String, PictureError> {
    if has_tasks(&assignment) {
        return Err(PictureError::Tasks);
    }
    let program = assignment.program;
    // Every execution covers an event: after so many the net is too large.
    let most = u64::from(LARGEST) + 1;
    assignment.limits.executions = Some(assignment.limits.executions.unwrap_or(most).min(most));
    let mut explorer = Explorer::new(assignment, contextual);
    explorer.watch(&[]);
    explorer.begin();
    explorer.work_off();
    let events = explorer.unfolding.net.covered;
    if events > LARGEST {
        return Err(PictureError::TooLarge { events });
    }
    Ok(Picture::new(program, &explorer).draw())
}

struct Picture<'p> {
    program: &'p dyn Program,
    net: &'p Net,
    notes: &'p Notes,
    /// Where covered events are.
    events: BTreeMap<EventId, (i32, i32)>,
    /// Where conditions are.
    conditions: BTreeMap<ConditionId, (i32, i32)>,
    /// How wide the box of an event is.
    box_width: i32,
    width: i32,
    height: i32,
}

impl<'p> Picture<'p> {
    fn new(program: &'p dyn Program, explorer: &'p Explorer<'_>) -> Picture<'p> {
        let (net, notes) = (&explorer.unfolding.net, &explorer.notes);
        let (events, conditions) = (BTreeMap::new(), BTreeMap::new());
        let (box_width, width, height) = (0, 0, 0);
        let mut picture =
            Picture { program, net, notes, events, conditions, box_width, width, height };
        picture.place_events();
        picture.place_conditions();
        picture
    }

    /// Gives each event a row by its level and a lane in its process's column.
    fn place_events(&mut self) {
        let net = self.net;
        let mut covered: Vec<EventId> = (0..net.events.len())
            .map(|number| EventId(u32::try_from(number).expect("an event's number")))
            .filter(|&event| net.event(event).status == Status::Covered)
            .collect();
        covered.sort_by_key(|&event| net.event(event).number);
        let labels = covered.iter().flat_map(|&event| self.labels(event));
        let letters = labels.map(|label| cut(&label, LONGEST).chars().count()).max().unwrap_or(0);
        self.box_width = 14 + LETTER * i32::try_from(letters).expect("a short label");
        let lane_width = self.box_width + GAP;
        let mut levels: BTreeMap<EventId, i32> = BTreeMap::new();
        // The first event from a thread condition stays in its lane, others open a new one.
        let mut lanes: BTreeMap<ConditionId, i32> = BTreeMap::new();
        let mut widths: BTreeMap<Pid, i32> = BTreeMap::new();
        let mut places: Vec<(EventId, i32, i32)> = Vec::new();
        for &event in &covered {
            let causes = std::iter::once(net.event(event).before)
                .chain(net.touches(event).iter().map(|touch| touch.condition))
                .map(|condition| net.condition(condition).producer)
                .chain(net.after_reads(event));
            let above = causes.filter_map(|cause| levels.get(&cause)).max();
            let level = above.map_or(0, |level| level + 1);
            levels.insert(event, level);
            let (process, before) = (net.event(event).process, net.event(event).before);
            let width = widths.entry(process).or_insert(0);
            let lane = lanes.remove(&before).unwrap_or_else(|| {
                *width += 1;
                *width - 1
            });
            lanes.insert(net.event(event).after, lane);
            places.push((event, level, lane));
        }
        let mut columns: BTreeMap<Pid, i32> = BTreeMap::new();
        let mut x = MARGIN.max(self.box_width / 2 + 10);
        for (&process, &width) in &widths {
            columns.insert(process, x);
            x += width * lane_width + GAP;
        }
        for (event, level, lane) in places {
            let column = columns[&net.event(event).process];
            let place = (column + lane * lane_width, MARGIN + ROW + level * ROW);
            self.height = self.height.max(place.1 + ROW);
            self.events.insert(event, place);
        }
        self.width = x + MARGIN;
        for &process in widths.keys() {
            let root = net.root(net.place_of(process));
            if process == Pid::MAIN {
                self.conditions.insert(root, (columns[&process], MARGIN));
            }
        }
        // The first condition of a started process hangs above its column.
        for &event in &covered {
            let child = net.event(event).child;
            if child.is_some() {
                let (_, y) = self.events[&event];
                let process = net.station(child).process;
                let x = columns.get(&process).copied().unwrap_or(x);
                self.conditions.insert(child, (x, y + ROW / 2));
            }
        }
    }

    fn place_conditions(&mut self) {
        let net = self.net;
        let places: Vec<(EventId, (i32, i32))> =
            self.events.iter().map(|(&e, &p)| (e, p)).collect();
        let mut free = MARGIN + self.box_width;
        for (event, (x, y)) in places {
            self.conditions.insert(net.event(event).after, (x, y + ROW / 2));
            // One below the other, so that their names do not overlap.
            let mut below = y + ROW / 3;
            for touch in net.touches(event) {
                if let Effect::Makes(made) = touch.effect {
                    self.conditions.insert(made, (x + self.box_width / 3, below));
                    below += STEP;
                }
                let root = net.root(net.condition(touch.condition).place);
                if root == touch.condition && !self.conditions.contains_key(&root) {
                    self.conditions.insert(root, (free, MARGIN / 2));
                    free += LETTER * LONGEST_NAME as i32 + GAP / 2;
                }
            }
        }
        self.width = self.width.max(free + MARGIN);
    }

    fn draw(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" \
             font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n",
            self.width, self.height
        );
        self.draw_arcs(&mut svg);
        for (&condition, &place) in &self.conditions {
            self.draw_condition(&mut svg, condition, place);
        }
        for (&event, &place) in &self.events {
            self.draw_event(&mut svg, event, place);
        }
        svg + "</svg>\n"
    }

    fn draw_arcs(&self, svg: &mut String) {
        let net = self.net;
        for (&event, &(x, y)) in &self.events {
            let record = net.event(event);
            let top = (x, y - 16);
            let bottom = (x, y + 16);
            self.arc(svg, self.conditions.get(&record.before), Some(&top), Arc::Taken);
            self.arc(svg, Some(&bottom), self.conditions.get(&record.after), Arc::Taken);
            self.arc(svg, Some(&bottom), self.conditions.get(&record.child), Arc::Taken);
            for touch in net.touches(event) {
                let from = self.conditions.get(&touch.condition);
                match touch.effect {
                    Effect::Reads | Effect::Awaits => self.arc(svg, from, Some(&top), Arc::Read),
                    Effect::Makes(made) => {
                        self.arc(svg, from, Some(&top), Arc::Taken);
                        self.arc(svg, Some(&bottom), self.conditions.get(&made), Arc::Taken);
                    }
                }
            }
            for read in net.after_reads(event) {
                self.arc(svg, self.events.get(&read), Some(&top), Arc::After);
            }
        }
    }

    fn arc(&self, svg: &mut String, from: Option<&(i32, i32)>, to: Option<&(i32, i32)>, arc: Arc) {
        let (Some((x1, y1)), Some((x2, y2))) = (from, to) else { return };
        let style = match arc {
            Arc::Taken => "marker-end=\"url(#tip)\"",
            Arc::Read => "stroke-dasharray=\"5 3\"",
            Arc::After => "stroke-dasharray=\"1 3\" marker-end=\"url(#tip)\"",
        };
        let line = format!("x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"");
        let _ = writeln!(svg, "<line {line} stroke=\"#555\" {style}/>");
    }

    fn draw_condition(&self, svg: &mut String, id: ConditionId, (x, y): (i32, i32)) {
        let condition = self.net.condition(id);
        let is_process = condition.station != u32::MAX;
        let (radius, fill) = if is_process { (9, "#fff") } else { (7, "#cde") };
        let initial = !condition.producer.is_some();
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#000\"/>"
        );
        if initial {
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\"/>");
        }
        let name = self.condition_name(id);
        let style =
            format!("x=\"{}\" y=\"{}\" font-size=\"9\" text-anchor=\"start\"", x + 10, y + 3);
        write_text(svg, &style, &name, LONGEST_NAME);
    }

    fn condition_name(&self, id: ConditionId) -> String {
        let net = self.net;
        let condition = net.condition(id);
        if condition.station != u32::MAX {
            let process = net.station(id).process;
            let first = if process == Pid::MAIN { 0 } else { 1 };
            let initial = condition.depth == first;
            return if initial { self.program.process_name(process) } else { String::new() };
        }
        let location = net.location_of(condition.place);
        location.map(|location| self.program.location_name(location)).unwrap_or_default()
    }

    fn draw_event(&self, svg: &mut String, id: EventId, (x, y): (i32, i32)) {
        let (width, height) = (self.box_width, 32);
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" fill=\"#fff\" stroke=\"#000\"/>",
            x - width / 2,
            y - height / 2
        );
        let [what, place] = self.labels(id);
        write_text(svg, &format!("x=\"{x}\" y=\"{}\"", y - 2), &what, LONGEST);
        write_text(svg, &format!("x=\"{x}\" y=\"{}\" fill=\"#666\"", y + 11), &place, LONGEST);
    }

    /// What an event does; its number, its process and its source line.
    fn labels(&self, id: EventId) -> [String; 2] {
        let event = self.net.event(id);
        let site = self.notes.sites.get(event.before.index()).copied().flatten();
        let place = site.map(|site| self.program.place(site)).filter(|place| place.line > 0);
        let place = place.map_or(String::new(), |place| {
            let file = place.file.rsplit('/').next().unwrap_or(&place.file);
            format!(", {file}:{}", place.line)
        });
        let process = self.program.process_name(event.process);
        let second = format!("{} · {process}{place}", event.number + 1);
        [self.operation(event.before, event.alternative), second]
    }

    fn operation(&self, before: ConditionId, alternative: u32) -> String {
        let name = |location| self.program.location_name(location);
        let path = |process| self.program.process_name(process);
        match self.net.station(before).op {
            Some(Op::Read(location)) => format!("read {}", name(location)),
            Some(Op::Write(location)) => format!("write {}", name(location)),
            Some(Op::Update(location)) => format!("update {}", name(location)),
            Some(Op::Acquire(lock)) => format!("lock {}", name(lock)),
            Some(Op::Release(lock)) => format!("unlock {}", name(lock)),
            Some(Op::Wait { condition, .. }) => format!("wait {}", name(condition)),
            Some(Op::Resume { condition, .. }) => format!("resume {}", name(condition)),
            Some(Op::Notify { condition, all: true }) => format!("notify all {}", name(condition)),
            Some(Op::Notify { condition, .. }) => format!("notify {}", name(condition)),
            Some(Op::Start(process)) => format!("start {}", path(process)),
            Some(Op::Join(process)) => format!("join {}", path(process)),
            Some(Op::Branch) if alternative == 0 => "branch: false".to_owned(),
            Some(Op::Branch) => "branch: true".to_owned(),
            Some(Op::Choose(_)) => format!("choose {alternative}"),
            Some(Op::Synchronise(location)) => format!("synchronise {}", name(location)),
            Some(Op::Task(location)) => format!("task {}", name(location)),
            Some(Op::Local) | None => "compute".to_owned(),
        }
    }
}

/// Kinds of lines.
#[derive(Copy, Clone)]
enum Arc {
    Taken,
    Read,
    After,
}

/// Writes a text, cut to so many letters.
fn write_text(svg: &mut String, style: &str, text: &str, longest: usize) {
    let shown = cut(text, longest);
    let whole = match shown == text {
        true => String::new(),
        false => format!("<title>{}</title>", escape(text)),
    };
    if !text.is_empty() {
        let _ = writeln!(svg, "<text {style}>{}{whole}</text>", escape(&shown));
    }
}

/// The end of a text that is too long: what distinguishes names stands there.
fn cut(text: &str, longest: usize) -> String {
    let letters = text.chars().count();
    if letters <= longest {
        return text.to_owned();
    }
    let end: String = text.chars().skip(letters - longest + 1).collect();
    format!("…{end}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use counterpoint_testkit::shapes;

    use super::*;
    use crate::{Limits, Silent, WorkUnit};

    fn draw(program: &dyn Program, contextual: bool) -> Result<String, PictureError> {
        let assignment = Assignment {
            program,
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: Vec::new(),
            sink: &mut Silent,
            seed: 0,
        };
        picture(assignment, contextual)
    }

    #[test]
    fn every_event_is_a_box_and_reads_are_dashed() {
        let svg = draw(&shapes::fib(1), true).expect("a small program");
        let reads = svg.matches(">read ").count();
        assert_eq!(svg.matches("<rect").count(), 22);
        assert_eq!(svg.matches("stroke-dasharray=\"5 3\"").count(), reads);
        assert!(svg.contains("write i") && svg.contains(", program:"));
        let regular = draw(&shapes::fib(1), false).expect("a small program");
        assert!(regular.contains("stroke-dasharray=\"1 3\""));
    }

    #[test]
    fn a_large_net_is_refused() {
        assert!(matches!(draw(&shapes::fib(3), true), Err(PictureError::TooLarge { .. })));
    }
}
