//! The state of a run as a tree for people: objects with their fields, and the tasks on each with what they
//! wait for and their variables.
//!
//! A task stands under the object that it was posted to; the main task, which has none, stands by itself.
//! What keeps a cog between two steps is shown with each of its objects, so that one sees at a glance why
//! nobody else can run there. Variables that the compiler has added have no names and are left out.

use counterpoint_model::{Pid, StateNode};

use super::show;
use super::state::{Life, NONE, State, Status, Task};
use super::value::{ObjectId, Value};

impl State<'_> {
    /// The present state.
    pub fn inspect(&self) -> Vec<StateNode> {
        let mut objects = self.created.clone();
        objects.sort_by(|&one, &other| self.universe.compare_objects(one, other));
        let mut nodes: Vec<StateNode> = self.tasks_of(None);
        nodes.extend(objects.into_iter().map(|object| self.inspect_object(object)));
        if self.timed {
            nodes.push(StateNode::leaf("clock", self.times[self.tally.clock as usize].to_string()));
        }
        nodes
    }

    fn inspect_object(&self, object: ObjectId) -> StateNode {
        let model = self.universe.model;
        let class = model.class(self.universe.class_of(object));
        let mut children: Vec<StateNode> = class
            .fields
            .iter()
            .zip(self.fields(object))
            .map(|(field, cell)| self.variable(&field.name, &self.heap.cells[cell as usize]))
            .collect();
        let record = self.objects[object.index()];
        let active = self.cogs[record.cog.index()].active;
        if active != NONE {
            children.push(StateNode::leaf("kept by", self.task_name(Pid(active))));
        }
        children.extend(self.tasks_of(Some(object)));
        let dead = if record.life == Life::Dead { " (dead)" } else { "" };
        let name = self.universe.names.object_text(model, object);
        StateNode::tree(name, format!("{}{dead}", class.name), children)
    }

    /// The tasks of an object that have not ended, in the order in which they were posted.
    fn tasks_of(&self, object: Option<ObjectId>) -> Vec<StateNode> {
        let posted = self.posted.iter().map(|&task| Pid(task));
        let own = posted.filter(|&task| self.task(task).object == object);
        let open = own.filter(|&task| !self.task(task).status.is_over());
        open.map(|task| self.inspect_task(task)).collect()
    }

    fn inspect_task(&self, task: Pid) -> StateNode {
        let record = self.task(task);
        let status = match record.status {
            Status::Choosing(count) => format!("chooses among {count}"),
            Status::Splitting => "looks at something unknown".to_owned(),
            Status::New if self.next(task).is_ready() => "can begin".to_owned(),
            _ if self.next(task).is_ready() => "can go on".to_owned(),
            _ => match self.waiting(task) {
                Some(waiting) => format!("waits for {}", waiting.what),
                None => "waits".to_owned(),
            },
        };
        StateNode {
            site: Some(self.site_of(task)),
            ..StateNode::tree(self.task_name(task), status, self.variables_of(record))
        }
    }

    /// The variables of a task that stopped, or the arguments of one that has not begun.
    fn variables_of(&self, record: &Task) -> Vec<StateNode> {
        let model = self.universe.model;
        let (body, values) = match self.saved_top(record) {
            Some((top, values)) => (&model.bodies[top.body as usize], values),
            None => {
                let Some(method) = record.method else { return Vec::new() };
                let body = model.body(model.method(method).body);
                let first = record.values as usize;
                let last = first + usize::from(body.parameters);
                let Some(values) = self.saved_values.get(first..last) else { return Vec::new() };
                (body, values)
            }
        };
        let named = body.variables.iter().zip(values);
        named
            .filter_map(|(variable, value)| Some(self.variable(variable.name.as_ref()?, value)))
            .collect()
    }

    fn variable(&self, name: &str, value: &Value) -> StateNode {
        let mut text = show::shown(&self.universe, value);
        if let Value::Future(task) = value
            && let record = self.task(*task)
            && record.status.is_resolved()
        {
            let result = &self.heap.cells[record.location as usize];
            text += &format!(" = {}", show::shown(&self.universe, result));
        }
        StateNode::leaf(name, text)
    }

    fn task_name(&self, task: Pid) -> String {
        self.universe.names.task_text(self.universe.model, task)
    }
}
