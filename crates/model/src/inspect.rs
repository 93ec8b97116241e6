//! A state as people look at it: a tree of named values.
//!
//! Somebody who walks through an execution by hand wants to see what there is: processes with their local
//! variables, objects with their fields, who holds which lock, what stands in which queue. Only a front end
//! knows these things, and everybody who shows them needs no more than names, texts and places. A tree of
//! them passes between the two. It is made on demand, and nothing of it is asked while exploring.

use crate::Site;

/// Something in a state, with what it consists of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateNode {
    /// What it is called, such as `account` or `balance`.
    pub name: String,
    /// Its value or kind, such as `5`, `Account` or `waits for the lock of a`; may be empty.
    pub value: String,
    /// Where it stands in the program, if it is something that runs.
    pub site: Option<Site>,
    /// What it consists of.
    pub children: Vec<StateNode>,
}

impl StateNode {
    /// A value without parts.
    pub fn leaf(name: impl Into<String>, value: impl Into<String>) -> StateNode {
        StateNode { name: name.into(), value: value.into(), ..StateNode::default() }
    }

    /// A value with these parts.
    pub fn tree(
        name: impl Into<String>,
        value: impl Into<String>,
        children: Vec<StateNode>,
    ) -> StateNode {
        StateNode { children, ..StateNode::leaf(name, value) }
    }
}
