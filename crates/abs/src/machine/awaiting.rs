//! `await` and `duration`: reaching a wait, and going on behind it.

use counterpoint_model::Mode;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::library;
use crate::program::{ConstructorId, Guard, GuardId, GuardPart, Instruction, Operand};

use super::evaluate::{self, Frame, Signal, finish_call};
use super::footprint::awaiting_mode;
use super::guard::NULL_POINTER;
use super::state::{State, Status, Task};
use super::step::Continuation;
use super::unknown::arithmetic::{fraction, is_plain};
use super::unknown::{Cut, Need, Obstacle};
use super::value::Value;

impl State<'_> {
    pub(super) fn await_guard(&mut self, number: GuardId) -> Continuation {
        let model = self.universe.model;
        let guard = &model.bodies[self.stack.top().body as usize].guards[number.index()];
        let mut interval = None;
        for part in &guard.parts {
            if let GuardPart::Duration { minimum, maximum } = *part {
                let found = match self.interval(minimum, maximum) {
                    Ok(found) => found,
                    Err(undecided) => return undecided,
                };
                let (least, most) =
                    interval.get_or_insert_with(|| (BigRational::zero(), BigRational::zero()));
                if let Some((minimum, maximum)) = found {
                    *least = std::cmp::max(std::mem::take(least), minimum);
                    *most = std::cmp::max(std::mem::take(most), maximum);
                }
            }
        }
        let interval = interval.filter(|(least, _)| least.is_positive());
        if self.continues() {
            for &field in &guard.reads {
                self.operand(Operand::Field(field));
            }
            match self.test_guard(guard, interval.as_ref(), true) {
                Ok(true) => {
                    self.stack.top_mut().next += 1;
                    return Continuation::Continue;
                }
                Ok(false) => {}
                Err(trouble) => return self.continuation_of(trouble),
            }
        }
        if let [GuardPart::Future(operand @ Operand::Slot(_))] = guard.parts[..]
            && let Value::Future(other) = self.operand(operand)
        {
            return Continuation::Stop(Status::Awaiting(other.0));
        }
        if let Some(interval) = interval {
            self.set_timer(interval);
        }
        Continuation::Stop(Status::Guarded)
    }

    /// Goes on behind an `Await` whose guard holds or raises.
    pub(super) fn pass_guard(&mut self, task: &Task) -> Continuation {
        let Instruction::Await { guard } = self.instruction() else {
            unreachable!("a guarded task is at an await")
        };
        let model = self.universe.model;
        let guard = &model.bodies[self.stack.top().body as usize].guards[guard.index()];
        for &field in &guard.reads {
            self.operand(Operand::Field(field));
        }
        for part in &guard.parts {
            if let GuardPart::Future(operand) = *part
                && let Value::Future(other) = self.waiting_operand(task, operand)
            {
                self.access(self.tasks[other.index()].location, awaiting_mode(operand));
            }
        }
        match self.test_guard(guard, None, false) {
            Err(trouble) => self.continuation_of(trouble),
            Ok(_) => {
                self.stack.top_mut().next += 1;
                Continuation::Continue
            }
        }
    }

    /// Whether a guard of the topmost frame holds, given the interval that is yet to pass.
    fn test_guard(
        &mut self,
        guard: &Guard,
        interval: Option<&(BigRational, BigRational)>,
        note: bool,
    ) -> Result<bool, Obstacle> {
        for part in &guard.parts {
            let holds = match *part {
                GuardPart::Future(operand) => {
                    let other = match self.operand(operand) {
                        Value::Future(other) => other,
                        Value::Unknown(id) => return Err(Obstacle::Need(Need::Future(id))),
                        _ => return Err(Obstacle::Raise(NULL_POINTER)),
                    };
                    if note {
                        self.access(self.tasks[other.index()].location, Mode::Read);
                    }
                    self.is_resolved(other.0)
                }
                GuardPart::Value(operand) => self.test_value(operand)?,
                GuardPart::Condition(target) => self.test_condition(target)?,
                GuardPart::Duration { .. } => interval.is_none(),
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What becomes of a task whose guard cannot be evaluated.
    fn continuation_of(&mut self, trouble: Obstacle) -> Continuation {
        match trouble {
            Obstacle::Raise(exception) => Continuation::Raise(exception),
            Obstacle::Need(need) => self.split(need),
            Obstacle::Cut(cut) => Continuation::Cut(cut),
        }
    }

    fn test_value(&mut self, operand: Operand) -> Result<bool, Obstacle> {
        match (self.operand(operand), &mut self.unknowns) {
            (Value::Term(condition, _), Some(unknowns)) => {
                unknowns.ask(condition).map_err(Obstacle::Need)
            }
            (value, _) => Ok(value.is_true()),
        }
    }

    fn test_condition(&mut self, target: u32) -> Result<bool, Obstacle> {
        self.evaluate_guard(true);
        let depth = self.stack.frames.len();
        let waiting = std::mem::replace(&mut self.stack.top_mut().next, target);
        let result = loop {
            let signal = if self.unknowns.is_some() {
                self.run_open(false)
            } else {
                evaluate::run::<_, false>(&self.universe, &mut self.stack, &mut self.heap)
            };
            match signal {
                Signal::Yielded(truth) => break Ok(truth),
                Signal::Raised(exception) => break Err(Obstacle::Raise(exception)),
                Signal::Needs(need) => break Err(Obstacle::Need(need)),
                Signal::Cut(cut) => break Err(Obstacle::Cut(cut)),
                Signal::Effect => {
                    let Instruction::Builtin { to, builtin, .. } = self.instruction() else {
                        break Ok(false);
                    };
                    let value = self.answer_in_guard(builtin, None);
                    finish_call(&mut self.stack, &mut self.heap, to, value);
                }
                Signal::Returned(_) => break Ok(false),
                Signal::Exhausted | Signal::Interrupted => {
                    break Err(Obstacle::Raise(Value::Atom(ConstructorId::STACK_OVERFLOW)));
                }
            }
        };
        while self.stack.frames.len() > depth {
            self.stack.leave();
        }
        self.stack.top_mut().next = waiting;
        self.evaluate_guard(false);
        result
    }

    /// The condition of a guard is evaluated from now on, or no longer.
    fn evaluate_guard(&mut self, begins: bool) {
        if let Some(unknowns) = &mut self.unknowns {
            unknowns.in_guard = begins;
        }
    }

    /// An interval of time from now on; none if it does not lie ahead.
    pub(super) fn interval(
        &mut self,
        minimum: Operand,
        maximum: Operand,
    ) -> Result<Option<(BigRational, BigRational)>, Continuation> {
        let (minimum, maximum) = (self.amount(minimum)?, self.amount(maximum)?);
        let (Some(minimum), Some(maximum)) = (minimum, maximum) else { return Ok(None) };
        let minimum = std::cmp::min(minimum, maximum.clone());
        Ok(minimum.is_positive().then_some((minimum, maximum)))
    }

    /// An amount of time. Of an unknown one it is decided whether it is above zero, and if so that it is the least whole
    /// number that it can be: the clock knows numbers only.
    fn amount(&mut self, operand: Operand) -> Result<Option<BigRational>, Continuation> {
        const MOST: i64 = 100;
        let value = self.operand(operand);
        let unsupported =
            || Continuation::Cut(Cut::Unsupported("an unknown amount of time".to_owned()));
        if is_plain(&value) {
            return Ok(value.to_rational());
        }
        let Some(unknowns) = &mut self.unknowns else { return Err(unsupported()) };
        let terms = std::rc::Rc::clone(unknowns.terms());
        let Some((numerator, denominator)) = fraction(&terms, &value) else {
            return Err(unsupported());
        };
        match unknowns.ask(terms.int_lt(terms.int(0), numerator)) {
            Ok(true) => {}
            Ok(false) => return Ok(Some(BigRational::zero())),
            Err(need) => return Err(self.split(need)),
        }
        for number in 1..=MOST {
            let product = terms.int_mul(denominator, terms.int(number));
            let unknowns = self.unknowns.as_mut().expect("there are unknowns");
            match unknowns.ask(terms.eq(numerator, product)) {
                Ok(true) => return Ok(Some(BigRational::from_integer(number.into()))),
                Ok(false) => {}
                Err(Need::Condition(condition)) => {
                    return Err(self.split(Need::Amount(condition)));
                }
                Err(need) => return Err(self.split(need)),
            }
        }
        Err(unsupported())
    }

    /// A text with the line of the user's that the running task stands at.
    pub(super) fn with_line(&self, what: &str) -> String {
        let model = self.universe.model;
        let span_of = |frame: &Frame| {
            let spans = &model.bodies[frame.body as usize].spans;
            spans.get((frame.next as usize).min(spans.len().saturating_sub(1))).copied()
        };
        let mut spans = self.stack.frames.iter().rev().filter_map(span_of);
        let line = spans.find(|span| !library::contains(span.file)).map(|span| {
            let line = model.sources.start(span).line;
            format!(", at {}:{line}", model.sources.file(span.file).name)
        });
        format!("{what}{}", line.unwrap_or_default())
    }

    pub(super) fn set_timer(&mut self, (minimum, maximum): (BigRational, BigRational)) {
        let now = self.times[self.tally.clock as usize].clone();
        self.tasks[self.current as usize].timer = self.times.len() as u32;
        self.times.push(&now + minimum);
        self.times.push(now + maximum);
    }
}
