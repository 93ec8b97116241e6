//! The state of a run as a tree for people: threads with their frames and variables, static fields, objects
//! with their fields, and locks with those who hold them and those who wait.
//!
//! Shown is what the user wrote: frames and static fields of the program's classes, and objects of such
//! classes; of the library only what is held or waited at. Names of local variables come from the debug
//! information of class files; without it there are none. Everything is cut at generous limits, since a
//! program may have any number of objects.

use counterpoint_model::{Pid, Program, Run, StateNode};

use super::JavaRun;
use super::naming::class_label;
use super::pending::PendingKind;
use crate::classfile::Type;
use crate::code::local_word;
use crate::interpret::frames;
use crate::load::Origin;
use crate::memory::{ARRAY_HEADER_WORDS, FramePosition, Reference, WaitSet};
use crate::world::{Class, ClassId};

/// How many objects are shown, how many frames of a thread, and how many elements of an array.
const MOST_OBJECTS: usize = 300;
const MOST_FRAMES: usize = 30;
const MOST_ELEMENTS: u32 = 40;

impl JavaRun<'_> {
    /// The present state.
    pub(super) fn inspect_state(&self) -> Vec<StateNode> {
        let threads = 0..self.prepared().machine.threads.list.len();
        let mut nodes: Vec<StateNode> =
            threads.clone().filter_map(|thread| self.inspect_thread(thread)).collect();
        nodes.extend(self.inspect_statics());
        let mut left = MOST_OBJECTS;
        for thread in threads {
            self.inspect_objects(thread as u32 + 2, &mut left, &mut nodes);
        }
        if left == 0 {
            nodes.push(StateNode::leaf("and more objects", ""));
        }
        nodes
    }

    fn inspect_thread(&self, thread: usize) -> Option<StateNode> {
        let machine = &self.prepared().machine;
        let state = machine.threads.get(thread)?;
        let process = self.prepared().known_pid(thread)?;
        let pending = self.pending.get(thread)?;
        if pending.kind == PendingKind::Absent {
            return None;
        }
        let status = match self.waiting_for(process) {
            _ if self.is_ready(process) => "can go on".to_string(),
            Some(waiting) => format!("waits for {}", waiting.what),
            None => "waits".to_string(),
        };
        let own = |frame: &FramePosition| {
            let method = machine.world.method(frame.method);
            method.number != u16::MAX && machine.world.class(method.class).origin == Origin::Program
        };
        let shown = frames(&machine.world, state).filter(own).take(MOST_FRAMES);
        let children = shown.map(|frame| self.inspect_frame(thread, frame)).collect();
        let name = self.program.process_name(process);
        Some(StateNode { site: Some(pending.site), ..StateNode::tree(name, status, children) })
    }

    fn inspect_frame(&self, thread: usize, frame: FramePosition) -> StateNode {
        let prepared = self.prepared();
        let machine = &prepared.machine;
        let place = machine.place(frame.method, frame.pc);
        let name = prepared.method_name(frame.method);
        let variables = self.variables(thread, frame).unwrap_or_default();
        StateNode::tree(name, format!("line {}", place.line), variables)
    }

    /// The local variables of a frame, where its class has their names.
    fn variables(&self, thread: usize, frame: FramePosition) -> Option<Vec<StateNode>> {
        let machine = &self.prepared().machine;
        let method = machine.world.method(frame.method);
        let file = machine.world.class(method.class).file.as_deref()?;
        let code = file.methods.get(usize::from(method.number))?.code.as_ref()?;
        let offset = *method.code.offsets.get(frame.pc as usize)?;
        let stack = &machine.threads.get(thread)?.stack;
        let mut variables = Vec::new();
        for variable in code.local_table(&file.bytes, &file.pool) {
            let end = u32::from(variable.start) + u32::from(variable.length);
            if offset < variable.start || u32::from(offset) >= end {
                continue;
            }
            let word =
                local_word(&method.types, method.is_static(), code.max_locals, variable.slot);
            let word = word.and_then(|word| stack.get((frame.base + word) as usize));
            let kind = variable.descriptor.bytes().next().and_then(Type::from_letter);
            let (Some(&word), Some(kind)) = (word, kind) else { continue };
            variables.push(StateNode::leaf(variable.name, self.value_text(word, kind)));
        }
        Some(variables)
    }

    /// The classes of the program that have static fields.
    fn inspect_statics(&self) -> Vec<StateNode> {
        let world = &self.prepared().machine.world;
        let own = world.classes.iter().filter(|class| class.origin == Origin::Program);
        own.filter_map(|class| {
            let fields = self.fields(class, class.mirror, true);
            let name = class_label(world.symbols.text(class.name));
            (!fields.is_empty()).then(|| StateNode::tree(name, "static fields", fields))
        })
        .collect()
    }

    /// The fields that a class declares, of an object or of the class.
    fn fields(&self, class: &Class, holder: Reference, of_class: bool) -> Vec<StateNode> {
        let machine = &self.prepared().machine;
        let wanted = class.fields.iter().filter(|field| field.is_static() == of_class);
        let named = wanted.filter_map(|field| {
            let name = machine.world.symbols.text(field.name);
            // The compiler adds fields with a dollar sign: the outer object, whether assertions count.
            let word = machine.heap.peek(holder, field.word).filter(|_| !name.contains('$'))?;
            Some(StateNode::leaf(name, self.value_text(word, field.kind)))
        });
        named.collect()
    }

    /// The objects that a thread has made, as far as they are the program's, or held or waited at.
    fn inspect_objects(&self, segment: u32, left: &mut usize, nodes: &mut Vec<StateNode>) {
        let prepared = self.prepared();
        let machine = &prepared.machine;
        let mut offset = 0;
        while offset < machine.heap.top(segment) && *left > 0 {
            let object = Reference::new(segment, offset);
            let Ok(class) = machine.class_of(object) else { return };
            let shape = machine.world.class(class);
            offset += match shape.element() {
                Some((_, kind)) => {
                    let bytes = u64::from(machine.length(object).unwrap_or(0)) << kind.shift();
                    ARRAY_HEADER_WORDS + bytes.div_ceil(8) as u32
                }
                None => shape.instance_words.max(1),
            };
            // Classes that the machine makes, as for lambdas, have no file.
            let own = shape.origin == Origin::Program && shape.file.is_some();
            let lock = self.inspect_lock(object);
            // Threads are shown by themselves.
            if !own && lock.is_empty() || prepared.is_a(class, "java/lang/Thread") {
                continue;
            }
            *left -= 1;
            let mut children = if own { self.all_fields(class, object) } else { Vec::new() };
            children.extend(lock);
            let name = prepared.object_name(self.program, object);
            let label = class_label(machine.world.class_name(class));
            nodes.push(StateNode::tree(name, label, children));
        }
    }

    fn all_fields(&self, class: ClassId, object: Reference) -> Vec<StateNode> {
        let world = &self.prepared().machine.world;
        let classes = world.class(class).ancestors.iter().map(|&id| world.class(id));
        classes.flat_map(|class| self.fields(class, object, false)).collect()
    }

    /// Who holds the lock of an object, and who waits there.
    fn inspect_lock(&self, object: Reference) -> Vec<StateNode> {
        let machine = &self.prepared().machine;
        let name = |process: Pid| self.program.process_name(process);
        let mut lines = Vec::new();
        let holders: Vec<String> = self.holders(object).into_iter().map(name).collect();
        if !holders.is_empty() {
            lines.push(StateNode::leaf("held by", holders.join(", ")));
        }
        let mut waiting = machine.waiting_in(WaitSet::of_monitor(object));
        waiting.extend(machine.waiting_in(WaitSet::of_condition(object)));
        let names: Vec<String> =
            waiting.into_iter().filter_map(|t| self.prepared().known_pid(t).map(name)).collect();
        if !names.is_empty() {
            lines.push(StateNode::leaf("waiting here", names.join(", ")));
        }
        lines
    }

    fn value_text(&self, word: u64, kind: Type) -> String {
        let machine = &self.prepared().machine;
        let word = machine.unknowns.concrete(word);
        if kind != Type::Reference {
            return self.show(word, kind);
        }
        let object = Reference(word);
        let Some(array) = object.non_null() else { return "null".to_string() };
        let Ok(class) = machine.class_of(array) else { return "?".to_string() };
        let Some((_, element)) = machine.world.class(class).element() else {
            return self.show(word, kind);
        };
        let length = machine.length(array).unwrap_or(0);
        let texts: Vec<String> = (0..length.min(MOST_ELEMENTS))
            .map_while(|index| machine.heap.element(array, index, element.shift()))
            .map(|word| {
                let word = match element {
                    Type::Byte => i64::from(word as i8) as u64,
                    Type::Short => i64::from(word as i16) as u64,
                    _ => machine.unknowns.concrete(word),
                };
                self.show(word, element)
            })
            .collect();
        let more = if length > MOST_ELEMENTS { ", ..." } else { "" };
        format!("[{}{more}]", texts.join(", "))
    }
}
