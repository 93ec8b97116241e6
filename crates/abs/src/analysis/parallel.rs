//! Which tasks can stand at which points at the same time.
//!
//! **Idea.** The global part of the may-happen-in-parallel analysis of Albert, Flores-Montoya, Genaim (2012).
//! The tasks and calls of a run form a tree by who started whom. Two tasks either descend one from the
//! other, or both from different ones that a third has started. So two points can be together if what has
//! been started at one leads to the other, or if a point of some context has started two things that lead to
//! the two. What has been started leads to all points of what may be running, to the entry of what is
//! unstarted, to the exit of what has finished, and from there on.
//!
//! **Cost.** Rows of bits, three nodes for each context. Two things that some point has started are combined once,
//! however many points have started both: a block that starts one task after another has as many points as tasks.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Parts;
use super::abstraction::ContextId;
use super::flow;
use super::numbers::Numbers;
use super::tasks::{ContextTasks, Progress, Standing, Started};

/// A point where a task can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The context.
    pub context: ContextId,
    /// The point.
    pub standing: Standing,
}

/// A set of nodes.
type Bits = Vec<u64>;

/// The relation, which is computed when somebody asks for it: most models have no cycles anyway.
pub struct Parallel {
    contexts: Vec<ContextTasks>,
    relation: Option<Relation>,
    parts: Parts,
}

struct Relation {
    /// What each node leads to, itself included.
    leads: Vec<Bits>,
    /// Which nodes may be there together, neither leading to the other.
    together: Vec<Bits>,
    from: FxHashMap<Position, Bits>,
}

fn node(context: ContextId, progress: Progress) -> usize {
    let kind = match progress {
        Progress::Running => 0,
        Progress::Unstarted => 1,
        Progress::Finished => 2,
    };
    context.index() * 3 + kind
}

fn set(bits: &mut Bits, bit: usize) {
    bits[bit / 64] |= 1 << (bit % 64);
}

fn has(bits: &Bits, bit: usize) -> bool {
    bits[bit / 64] >> (bit % 64) & 1 == 1
}

fn add(bits: &mut Bits, other: &Bits) {
    bits.iter_mut().zip(other).for_each(|(bits, other)| *bits |= other);
}

fn each(bits: &Bits, mut visit: impl FnMut(usize)) {
    for (index, &word) in bits.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(index * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

impl Parallel {
    /// The relation that follows from what each context starts.
    pub fn new(contexts: Vec<ContextTasks>, parts: Parts) -> Parallel {
        Parallel { contexts, relation: None, parts }
    }

    /// Whether two different tasks can be at two points at the same time.
    pub fn may_be_together(&mut self, one: Position, other: Position) -> bool {
        if !self.parts.parallel {
            return true;
        }
        let Parallel { contexts, relation, parts } = self;
        let relation = relation.get_or_insert_with(|| Relation::of(contexts, *parts));
        let nodes = |position: Position| {
            let running = node(position.context, Progress::Running);
            let unstarted = node(position.context, Progress::Unstarted);
            let entry = position.standing == Standing::Entry;
            std::iter::once(running).chain(entry.then_some(unstarted))
        };
        let leads = nodes(other).any(|node| has(relation.from(contexts, one), node))
            || nodes(one).any(|node| has(relation.from(contexts, other), node));
        let together = &relation.together;
        leads || nodes(one).any(|one| nodes(other).any(|other| has(&together[one], other)))
    }

    /// The `get`s of a context whose future has certainly been resolved before.
    pub fn is_idle(&self, context: ContextId, instruction: u32) -> bool {
        self.contexts[context.index()].idle_gets.contains(&instruction)
    }
}

impl Relation {
    fn of(contexts: &[ContextTasks], parts: Parts) -> Relation {
        let count = contexts.len() * 3;
        let words = count.div_ceil(64).max(1);
        let following = |index: usize| -> SmallVec<[usize; 2]> {
            let context = &contexts[index / 3];
            let running = index.is_multiple_of(3);
            let finished = index % 3 == 2;
            let points = context.points.iter().filter(|(standing, _)| {
                running || finished && (**standing == Standing::Exit || !parts.between)
            });
            let mut numbers = vec![false; context.started.len()];
            points
                .flat_map(|(_, started)| started.iter())
                .for_each(|one| numbers[one as usize] = true);
            let started = context.started.iter().zip(&numbers).filter(|(_, is_there)| **is_there);
            let started = started.map(|(started, _)| started);
            let mut nodes: SmallVec<[usize; 2]> = started
                .flat_map(|started| {
                    started.contexts.iter().map(|&context| node(context, started.progress))
                })
                .collect();
            nodes.sort_unstable();
            nodes.dedup();
            nodes
        };
        let edges: Vec<SmallVec<[usize; 2]>> = (0..count).map(following).collect();
        let components = flow::components(count, |node| edges[node].clone());
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (node, &component) in components.iter().enumerate() {
            members[component].push(node);
        }
        let mut leads: Vec<Bits> = vec![Vec::new(); count];
        for members in members.iter().filter(|members| !members.is_empty()) {
            let mut bits = vec![0; words];
            for &member in members {
                set(&mut bits, member);
                for &next in &edges[member] {
                    // What lies in the same component is not known yet and need not be.
                    if !leads[next].is_empty() {
                        add(&mut bits, &leads[next]);
                    }
                }
            }
            for &member in members {
                leads[member].clone_from(&bits);
            }
        }
        let together = vec![vec![0; words]; count];
        let mut relation = Relation { leads, together, from: FxHashMap::default() };
        relation.combine(contexts);
        relation
    }

    fn reached_from(&self, started: &Started) -> Bits {
        let mut bits = vec![0; self.together.first().map_or(1, Vec::len)];
        for &context in &started.contexts {
            add(&mut bits, &self.leads[node(context, started.progress)]);
        }
        bits
    }

    /// Two different things that one point has started may be together with all that they lead to.
    fn combine(&mut self, contexts: &[ContextTasks]) {
        let mut numbers: FxHashMap<&Started, usize> = FxHashMap::default();
        let mut items: Vec<&Started> = Vec::new();
        let mut own_numbers: Vec<Vec<usize>> = Vec::new();
        for context in contexts {
            let number_of = |started| {
                *numbers.entry(started).or_insert_with(|| {
                    items.push(started);
                    items.len() - 1
                })
            };
            own_numbers.push(context.started.iter().map(number_of).collect());
        }
        let points = contexts.iter().zip(&own_numbers).flat_map(|(context, numbers)| {
            context.points.values().map(move |started| (started, numbers))
        });
        let reached: Vec<Bits> = items.iter().map(|item| self.reached_from(item)).collect();
        let words = items.len().div_ceil(64);
        let mut combined: Vec<Bits> = vec![vec![0; words]; items.len()];
        let mut last: (Bits, Bits) = Default::default();
        for (started, numbers) in points {
            let started: Vec<usize> = started.iter().map(|one| numbers[one as usize]).collect();
            let mut here: Bits = vec![0; words];
            // What is there several times can be together with its like.
            let mut repeated: Bits = vec![0; words];
            for &number in &started {
                if items[number].many || has(&here, number) {
                    set(&mut repeated, number);
                }
                set(&mut here, number);
            }
            if last.0 == here && last.1 == repeated {
                continue;
            }
            for &number in &started {
                let mut others: Option<Bits> = None;
                for (word, known) in combined[number].iter_mut().enumerate() {
                    let mut fresh = here[word] & !*known;
                    if word == number / 64 && !has(&repeated, number) {
                        fresh &= !(1 << (number % 64));
                    }
                    *known |= fresh;
                    while fresh != 0 {
                        let other = &reached[word * 64 + fresh.trailing_zeros() as usize];
                        fresh &= fresh - 1;
                        match &mut others {
                            Some(others) => add(others, other),
                            None => others = Some(other.clone()),
                        }
                    }
                }
                if let Some(others) = others {
                    each(&reached[number], |node| add(&mut self.together[node], &others));
                }
            }
            last = (here, repeated);
        }
    }

    /// What has been started at a point, and all that this leads to.
    fn from(&mut self, contexts: &[ContextTasks], position: Position) -> &Bits {
        if !self.from.contains_key(&position) {
            let mut bits = vec![0; self.together.first().map_or(1, Vec::len)];
            let context = &contexts[position.context.index()];
            let started = context.points.get(&position.standing);
            for number in started.into_iter().flat_map(Numbers::iter) {
                add(&mut bits, &self.reached_from(&context.started[number as usize]));
            }
            self.from.insert(position, bits);
        }
        &self.from[&position]
    }
}
