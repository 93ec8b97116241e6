//! Initial contexts: which objects there are at first, and with which tasks (section 5.1 of the thesis on active
//! objects).
//!
//! **Problem.** To test methods together, one needs states to begin with: sets of objects, each with tasks in its
//! queue, everything else unknown. Given how often each method may and must be there, all such states are
//! wanted, but no two that differ only in the names of objects.
//!
//! **Idea.** The tasks of one class form a vector of counts. A context is a way to write such a vector as a sum of
//! vectors, one for each object, where order does not matter. Each sum is written once by letting its parts
//! fall in lexicographic order, so nothing has to be compared with what was made before. Contexts of different classes
//! are combined freely (definition 14).
//!
//! **Cost.** The number of contexts grows like the number of partitions of numbers: beyond a limit the
//! request is refused before anything is run.

use std::fmt;

/// A method and how many tasks of it there are at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialTask {
    /// The class.
    pub class: String,
    /// The method.
    pub method: String,
    /// At least so many.
    pub minimum: u32,
    /// At most so many.
    pub maximum: u32,
}

impl InitialTask {
    /// One task of a method, no more and no less.
    pub fn once(class: impl Into<String>, method: impl Into<String>) -> InitialTask {
        InitialTask { class: class.into(), method: method.into(), minimum: 1, maximum: 1 }
    }
}

/// An object with the tasks in its queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialObject {
    /// Its class.
    pub class: String,
    /// The methods of its tasks; one that is there twice has two tasks.
    pub tasks: Vec<String>,
}

/// The objects there are at first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct InitialContext {
    /// The objects, those of one class together.
    pub objects: Vec<InitialObject>,
}

impl fmt::Display for InitialContext {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for (index, object) in self.objects.iter().enumerate() {
            let before = self.objects[..index].iter().filter(|other| other.class == object.class);
            let number = before.count() + 1;
            parts.push(format!("[{}] on {} {number}", object.tasks.join(", "), object.class));
        }
        write!(out, "{{{}}}", parts.join(", "))
    }
}

/// More contexts than may be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyContexts {
    /// The limit.
    pub most: usize,
}

impl fmt::Display for TooManyContexts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the tasks make more than {} initial contexts", self.most)
    }
}

impl std::error::Error for TooManyContexts {}

/// All contexts with these tasks, one of each class of equivalent ones.
pub fn initial_contexts(
    tasks: &[InitialTask],
    most: usize,
) -> Result<Vec<InitialContext>, TooManyContexts> {
    let mut classes: Vec<&str> = Vec::new();
    for task in tasks {
        if !classes.contains(&task.class.as_str()) {
            classes.push(&task.class);
        }
    }
    let mut contexts = vec![InitialContext::default()];
    for class in classes {
        let own: Vec<&InitialTask> = tasks.iter().filter(|task| task.class == class).collect();
        let parts = of_class(class, &own, most)?;
        if contexts.len().saturating_mul(parts.len()) > most {
            return Err(TooManyContexts { most });
        }
        contexts = contexts
            .iter()
            .flat_map(|context| {
                parts.iter().map(|objects| InitialContext {
                    objects: [&context.objects[..], objects].concat(),
                })
            })
            .collect();
    }
    Ok(contexts)
}

/// How many solutions the integer system of definition 11 has: contexts in which objects have names.
pub fn named_contexts(tasks: &[InitialTask]) -> u128 {
    let mut classes: Vec<&str> = tasks.iter().map(|task| task.class.as_str()).collect();
    classes.sort_unstable();
    classes.dedup();
    let mut product: u128 = 1;
    for class in classes {
        let own: Vec<&InitialTask> = tasks.iter().filter(|task| task.class == class).collect();
        let places: u32 = own.iter().map(|task| task.maximum).sum();
        for task in own {
            let ways = (task.minimum..=task.maximum).map(|count| distributions(count, places));
            product = product.saturating_mul(ways.fold(0, u128::saturating_add));
        }
    }
    product
}

/// How many ways there are to put equal things into places.
fn distributions(things: u32, places: u32) -> u128 {
    if places == 0 {
        return u128::from(things == 0);
    }
    let mut ways: u128 = 1;
    for index in 1..=u128::from(things) {
        ways = ways.saturating_mul(u128::from(places) - 1 + index) / index;
    }
    ways
}

/// The ways to put the tasks of one class onto objects.
fn of_class(
    class: &str,
    tasks: &[&InitialTask],
    most: usize,
) -> Result<Vec<Vec<InitialObject>>, TooManyContexts> {
    let mut counts: Vec<Vec<u32>> = vec![Vec::new()];
    for task in tasks {
        let mut longer = Vec::new();
        for known in &counts {
            for count in task.minimum..=task.maximum {
                longer.push([&known[..], &[count]].concat());
                if longer.len() > most {
                    return Err(TooManyContexts { most });
                }
            }
        }
        counts = longer;
    }
    let mut all = Vec::new();
    for counts in counts {
        let mut sums = Vec::new();
        let mut parts = Vec::new();
        sums_of(&counts, None, &mut parts, &mut sums, most - all.len().min(most));
        for sum in sums {
            if all.len() >= most {
                return Err(TooManyContexts { most });
            }
            all.push(sum.iter().map(|part| object(class, tasks, part)).collect());
        }
    }
    Ok(all)
}

fn object(class: &str, tasks: &[&InitialTask], counts: &[u32]) -> InitialObject {
    let mut methods = Vec::new();
    for (task, &count) in tasks.iter().zip(counts) {
        methods.extend((0..count).map(|_| task.method.clone()));
    }
    InitialObject { class: class.to_owned(), tasks: methods }
}

/// The ways to write a vector as a sum of vectors that fall, none above a given one; one more than the limit at most.
fn sums_of(
    vector: &[u32],
    above: Option<&[u32]>,
    parts: &mut Vec<Vec<u32>>,
    sums: &mut Vec<Vec<Vec<u32>>>,
    most: usize,
) {
    if sums.len() > most {
        return;
    }
    if vector.iter().all(|&count| count == 0) {
        sums.push(parts.clone());
        return;
    }
    let mut part = vector.to_vec();
    loop {
        if part.iter().any(|&count| count > 0) && above.is_none_or(|above| &part[..] <= above) {
            let rest: Vec<u32> = vector.iter().zip(&part).map(|(all, part)| all - part).collect();
            parts.push(part.clone());
            let limit = part.clone();
            sums_of(&rest, Some(&limit), parts, sums, most);
            parts.pop();
        }
        // The next smaller vector inside the given one.
        let Some(place) = part.iter().rposition(|&count| count > 0) else { return };
        part[place] -= 1;
        part[place + 1..].copy_from_slice(&vector[place + 1..]);
    }
}
