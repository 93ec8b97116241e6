//! Running programs from the start: main classes, and a driver for programs without a scheduler.

use crate::error::{Error, Fault};
use crate::interpret::NextOperation;
use crate::load::{ClassPath, Origin};
use crate::machine::{Machine, Options, Trap};
use crate::memory::{Hook, ThreadStatus};
use crate::world::MethodEntry;

impl Machine {
    /// A machine about to run the main method of a class, named with dots or slashes.
    pub fn new(
        class_path: ClassPath,
        main: &str,
        arguments: &[String],
        options: Options,
    ) -> Result<Machine, Error> {
        let name = main.replace('.', "/");
        match class_path.class(&name)? {
            None => {
                let searched = class_path.searched();
                return Err(Error::MissingClass { name: main.to_string(), searched });
            }
            Some((bytes, _)) => {
                let file = crate::classfile::ClassFile::parse(bytes)
                    .map_err(|source| Error::ClassFile { name: main.to_string(), source })?;
                if !file.has_main() {
                    return Err(Error::NoMain { place: format!("class {main}") });
                }
            }
        }
        let mut machine = Machine::boot(class_path, options)?;
        let prepared = machine.prepare_main(&name, arguments);
        prepared.map_err(|trap| Error::Start(machine.fault_text(trap)))?;
        Ok(machine)
    }

    fn prepare_main(&mut self, name: &str, arguments: &[String]) -> Result<(), Trap> {
        let class = self.load_class(name)?;
        let Some(main) = self.world.declared(class, "main", "([Ljava/lang/String;)V") else {
            return Err(Fault::internal("the main method is gone").into());
        };
        if self.world.method(main).entry == MethodEntry::Undecoded {
            self.decode(main)?;
        }
        let array = self.string_array(arguments)?;
        // The class of the main method is initialised before it is entered.
        let entry = self.main_entry(class, main)?;
        self.push(0, array.0)?;
        self.push_frame(0, entry, Hook::EndThread, 0)
    }

    /// Numbers of threads are below this; not all of them need exist.
    pub fn thread_count(&self) -> usize {
        self.threads.list.len()
    }

    /// Whether the program has asked for its own end, and with which code.
    pub fn exit_code(&self) -> Option<i32> {
        self.exit
    }

    /// The code with which the program has asked for its own end, once.
    pub(crate) fn take_exit(&mut self) -> Option<i32> {
        self.exit.take()
    }

    /// Runs the threads in turn until all have ended or nobody can move.
    pub fn run_to_end(&mut self) -> Result<(), Fault> {
        self.begin_main()?;
        // Time passes only when nothing else can happen.
        while !self.is_over() && (self.run_all(false)? || self.run_all(true)?) {}
        Ok(())
    }

    /// Gives every thread its turn; false if nobody could move.
    fn run_all(&mut self, time_passes: bool) -> Result<bool, Fault> {
        let mut moved = false;
        for thread in 0..self.thread_count() {
            while !self.is_over() {
                match self.next(thread)? {
                    NextOperation::Ready(operation) if time_passes || !operation.is_timeout() => {}
                    _ => break,
                }
                let side = self.unknowns.concrete_side(thread);
                self.step(thread, u32::from(side))?;
                if let Some((_, fault)) = self.step.failed_children.pop() {
                    return Err(fault);
                }
                moved = true;
                if time_passes {
                    return Ok(true);
                }
            }
        }
        Ok(moved)
    }

    /// What the program has printed so far.
    pub fn output(&self) -> &[u8] {
        &self.console.output
    }

    /// What the program has printed to its error stream so far.
    pub fn error_output(&self) -> &[u8] {
        &self.console.errors
    }

    /// Where a thread is, from the top frame down, for people who look into the machine.
    pub fn stack_trace(&self, thread: usize) -> Vec<String> {
        let Some(thread) = self.threads.get(thread) else { return Vec::new() };
        let places = crate::interpret::frames(&self.world, thread);
        places
            .map(|frame| {
                let place = self.place(frame.method, frame.pc);
                format!(
                    "{}.{}({}:{})",
                    place.class,
                    place.method,
                    place.file.unwrap_or_default(),
                    place.line
                )
            })
            .collect()
    }

    /// Whether code of a test framework has called the method of the library that a thread stands in. Its time limits
    /// are there to end a test that hangs, however short they are.
    pub(crate) fn is_in_test_framework(&self, thread: usize) -> bool {
        let Some(thread) = self.threads.get(thread) else { return false };
        let mut frames = crate::interpret::frames(&self.world, thread);
        let caller = frames.find_map(|frame| {
            let class = self.world.method(frame.method).class;
            let of_program = self.world.class(class).origin == Origin::Program;
            of_program.then(|| self.world.class_name(class))
        });
        caller.is_some_and(|name| name.starts_with("org/junit/"))
    }

    /// Whether a thread has ended.
    pub(crate) fn has_ended(&self, thread: usize) -> bool {
        self.threads.get(thread).is_none_or(|thread| thread.core.status == ThreadStatus::Terminated)
    }
}
