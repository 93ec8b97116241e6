//! Class initialisation.
//!
//! Classes of the program are initialised anew in every execution, step by step, as the language
//! specification says: the state is a word of the class's mirror, the initialiser runs in the thread
//! that first needs the class, others wait. Classes of the JDK are initialised on first use, at once,
//! and for all executions: their initialisers do not look at the program, so nobody can tell that
//! they ran earlier. What they allocate is permanent.
//!
//! That holds unless an initialiser reads what the program can change: a system property, the default
//! locale or time zone, or a class for which the same holds. In a program that can change such settings
//! (`run/queries.rs`) the first run of an initialiser is a *rehearsal*. If it has read a setting, its writes
//! are undone, and from then on the class is initialised in every execution anew, step by step, like a
//! class of the program. Which classes these are does not depend on the schedule: an
//! initialiser reads settings before it knows what they are. A setting that only the JVM can change,
//! the clock and random seeds are the same for all.
//!
//! A class's initialiser starts with an instruction that initialises the superclass, so that both
//! the order and the possible deadlocks are those of the specification.

use super::run::{LoopControl, StopReason};
use crate::code::{Code, Instruction, Opcode};
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, SideEffect, Trap};
use crate::memory::{Hook, Reference};
use crate::world::{
    ClassId, InitPolicy, Method, MethodEntry, MethodId, has_default_methods, switched_enumerations,
};

/// Values of the initialisation state word.
const UNINITIALIZED: u64 = 0;
/// Initialised before there was a second thread: nobody needs to look at it any more.
const DONE_EARLY: u64 = 1;
const DONE: u64 = 2;
const FAILED: u64 = 3;
/// Plus the number of the initialising thread.
const IN_PROGRESS: u64 = 16;

/// JDK classes whose initialisers are skipped: what they set up (threads, native libraries, method
/// handle machinery) is replaced by natives.
const SKIPPED: &[&str] = &[
    "java/lang/ref/Reference",
    "java/lang/ref/Finalizer",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/VarHandle",
    "java/lang/invoke/MethodHandleNatives",
    "java/lang/invoke/MethodHandleImpl",
    "java/lang/invoke/LambdaForm",
    "java/lang/invoke/MethodType",
    "java/lang/Module",
    "java/lang/Thread$ThreadIdentifiers",
    "jdk/internal/misc/CDS",
    "java/lang/StackTraceElement$HashedModules",
];

/// How far the initialisation of a class has come, for the thread that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InitState {
    /// Not begun.
    Uninitialized,
    /// Done; the flag says whether it was done before there were several threads.
    Done(bool),
    /// Failed.
    Failed,
    /// Being done by a thread.
    InProgress(usize),
}

impl Machine {
    /// The initialisation state of a class.
    pub(crate) fn init_state(&self, class: ClassId) -> InitState {
        let word = self.heap.load(self.world.class(class).mirror, self.known.mirror_state);
        match word.unwrap_or(UNINITIALIZED) {
            UNINITIALIZED => InitState::Uninitialized,
            DONE_EARLY => InitState::Done(true),
            DONE => InitState::Done(false),
            FAILED => InitState::Failed,
            thread => InitState::InProgress((thread - IN_PROGRESS) as usize),
        }
    }

    /// Whether a thread can use a class without further ado.
    #[inline]
    pub(crate) fn is_initialized(&self, class: ClassId, thread: usize) -> bool {
        if self.world.class(class).policy == InitPolicy::Done {
            return true;
        }
        if self.nesting.rehearsing > 0 && self.init_state(class) != InitState::InProgress(thread) {
            self.nesting.reads_settings.set(true);
        }
        match self.init_state(class) {
            InitState::Done(true) => true,
            InitState::Done(false) => !self.threads_can_notice() || self.has_seen(class, thread),
            InitState::InProgress(owner) => owner == thread,
            InitState::Uninitialized | InitState::Failed => false,
        }
    }

    /// The thread that is initialising a class.
    pub(crate) fn initialising_thread(&self, class: ClassId) -> Option<usize> {
        match self.init_state(class) {
            InitState::InProgress(thread) => Some(thread),
            _ => None,
        }
    }

    /// Whether a thread has already noticed that a class is initialised.
    fn has_seen(&self, class: ClassId, thread: usize) -> bool {
        let seen = self.heap.load(self.world.class(class).mirror, self.known.mirror_seen);
        thread < 64 && seen.unwrap_or(0) & 1 << thread != 0
    }

    fn set_state(&mut self, class: ClassId, state: u64) -> Result<(), Fault> {
        self.store(self.world.class(class).mirror, self.known.mirror_state, state)
    }

    fn set_seen(&mut self, class: ClassId, thread: usize) -> Result<(), Fault> {
        let (mirror, word) = (self.world.class(class).mirror, self.known.mirror_seen);
        let seen = self.load(mirror, word)?;
        self.store(mirror, word, seen | 1u64.checked_shl(thread as u32).unwrap_or(0))
    }

    /// Whether a class only has numbers for the constants of enumerations that do nothing when they are
    /// initialised.
    fn only_numbers_constants(&mut self, class: ClassId) -> Result<bool, Trap> {
        let file = self.world.class(class).file.as_ref();
        let Some(enumerations) = file.and_then(|file| switched_enumerations(file)) else {
            return Ok(false);
        };
        for name in enumerations {
            let id = self.load_class(&name)?;
            if self.world.class(id).policy == InitPolicy::PerExecution {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Begins the initialisation of a class on behalf of a thread, whose present instruction is then
    /// repeated; or stops the thread before a step that others can notice.
    pub(crate) fn initialize(
        &mut self,
        thread: usize,
        class: ClassId,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        let policy = self.world.class(class).policy;
        match policy {
            InitPolicy::Done => return Ok(LoopControl::Reload),
            // It may have turned out to be one that is initialised in every execution.
            InitPolicy::Permanent => {
                self.initialize_permanently(class)?;
                return Ok(LoopControl::Reload);
            }
            InitPolicy::PerExecution
                if !self.options.no_shortcuts && self.only_numbers_constants(class)? =>
            {
                self.world.classes[class.0 as usize].policy = InitPolicy::Permanent;
                self.initialize_permanently(class)?;
                return Ok(LoopControl::Reload);
            }
            InitPolicy::PerExecution => {}
        }
        let state = self.init_state(class);
        if state == InitState::InProgress(thread) {
            return Ok(LoopControl::Reload);
        }
        if self.threads_can_notice() && (!perform || matches!(state, InitState::InProgress(_))) {
            return Ok(LoopControl::Leave(StopReason::Visible));
        }
        match state {
            InitState::Done(_) => {
                self.set_seen(class, thread)?;
                Ok(LoopControl::Reload)
            }
            InitState::Failed => {
                let name = self.world.external_name(class);
                let message = format!("Could not initialize class {name}");
                Err(Trap::raise("java/lang/NoClassDefFoundError", Some(message)))
            }
            InitState::InProgress(_) => {
                Err(Fault::unsupported("a class that another thread initialises is needed here")
                    .into())
            }
            InitState::Uninitialized => {
                self.set_state(class, IN_PROGRESS + thread as u64)?;
                let target = self.initializer(class)?;
                let resume = self.core(thread)?.pc;
                self.push_frame(thread, target, Hook::Initialized, resume)?;
                Ok(LoopControl::Reload)
            }
        }
    }

    /// Ends the initialisation of a class.
    pub(crate) fn finish_initialization(
        &mut self,
        class: ClassId,
        succeeded: bool,
    ) -> Result<(), Trap> {
        let thread = self.current;
        let state = match (succeeded, self.concurrent) {
            (true, false) => DONE_EARLY,
            (true, true) => DONE,
            (false, _) => FAILED,
        };
        self.set_state(class, state)?;
        self.set_seen(class, thread)?;
        if self.concurrent {
            self.step.effects.push(SideEffect::Initialized(class));
        }
        Ok(())
    }

    /// Initialises a class at once, whatever its policy; for machine code that needs it.
    pub(crate) fn initialize_now(&mut self, class: ClassId) -> Result<(), Trap> {
        match self.world.class(class).policy {
            InitPolicy::Done => Ok(()),
            InitPolicy::Permanent => {
                self.initialize_permanently(class)?;
                match self.world.class(class).policy {
                    InitPolicy::PerExecution => self.initialize_now(class),
                    _ => Ok(()),
                }
            }
            InitPolicy::PerExecution => {
                let thread = self.current;
                match self.init_state(class) {
                    InitState::Done(_) | InitState::InProgress(_) => Ok(()),
                    InitState::Failed => self.initialize(thread, class, true).map(|_| ()),
                    InitState::Uninitialized => {
                        self.set_state(class, IN_PROGRESS + thread as u64)?;
                        let target = self.initializer(class)?;
                        let result = self.call(target, &[]);
                        self.finish_initialization(class, result.is_ok())?;
                        match result {
                            Ok(_) => Ok(()),
                            Err(Trap::Throw(exception)) => {
                                Err(Trap::Throw(self.initializer_error(exception)?))
                            }
                            Err(other) => Err(other),
                        }
                    }
                }
            }
        }
    }

    /// Initialises a class for all executions, if it is of that sort and has not been initialised yet.
    /// It is of another sort afterwards.
    pub(crate) fn rehearse(&mut self, class: ClassId) -> Result<(), Trap> {
        match self.world.class(class).policy {
            InitPolicy::Permanent => self.initialize_permanently(class),
            InitPolicy::Done | InitPolicy::PerExecution => Ok(()),
        }
    }

    /// Initialises a class of the JDK for all executions, unless it reads what the program may change. One
    /// that cannot be initialised is never taken for initialised: whoever asks again, in whichever
    /// execution, meets the same fault.
    fn initialize_permanently(&mut self, class: ClassId) -> Result<(), Trap> {
        if let Some((_, fault)) =
            self.caches.broken_classes.iter().find(|(broken, _)| *broken == class)
        {
            return Err(fault.clone().into());
        }
        if !self.options.changes_settings {
            // Whoever asks again meanwhile is the initialiser itself.
            self.world.classes[class.0 as usize].policy = InitPolicy::Done;
            let result = self.run_initializer(class);
            return self.note_broken(class, result);
        }
        let outer = self.nesting.reads_settings.replace(false);
        // Code that is linked meanwhile asks whether the class is initialised, in case it will not be.
        self.world.classes[class.0 as usize].policy = InitPolicy::PerExecution;
        self.set_state(class, IN_PROGRESS + self.current as u64)?;
        self.nesting.rehearsing += 1;
        let result = self.run_initializer(class);
        self.nesting.rehearsing -= 1;
        self.set_state(class, UNINITIALIZED)?;
        let reads = self.nesting.reads_settings.get();
        self.nesting.reads_settings.set(outer || reads && self.nesting.rehearsing > 0);
        match result {
            // It fails again when it is run as a part of the execution.
            _ if reads => Ok(()),
            result => {
                self.world.classes[class.0 as usize].policy = InitPolicy::Done;
                self.note_broken(class, result)
            }
        }
    }

    /// Notes that a class cannot be initialised, if that is so.
    fn note_broken(&mut self, class: ClassId, result: Result<(), Trap>) -> Result<(), Trap> {
        if let Err(Trap::Fault(fault)) = &result {
            self.world.classes[class.0 as usize].policy = InitPolicy::Permanent;
            self.caches.broken_classes.push((class, fault.clone()));
        }
        result
    }

    /// Runs the initialiser of a class of the JDK, and first those that have to come before.
    fn run_initializer(&mut self, class: ClassId) -> Result<(), Trap> {
        if let Some(superclass) = self.world.class(class).superclass {
            self.initialize_now(superclass)?;
        }
        for interface in self.interfaces_to_initialize(class) {
            self.initialize_now(interface)?;
        }
        let name = self.world.class_name(class);
        let skipped = SKIPPED.contains(&name);
        let Some(initializer) = self.world.class(class).initializer.filter(|_| !skipped) else {
            return Ok(());
        };
        let named_after = name.to_string();
        // Later executions of the thread do not have it on their account.
        let before = *self.core(self.current)?;
        let work = |machine: &mut Machine| {
            machine.name_permanent_objects(&named_after);
            machine.call(initializer, &[])
        };
        let keeps = |machine: &Machine| {
            machine.nesting.rehearsing == 0 || !machine.nesting.reads_settings.get()
        };
        // Nor do others notice what it does: the next time it does nothing.
        let effects = self.step.effects.len();
        let result = self.permanently_if(work, keeps);
        self.step.effects.truncate(effects);
        let core = self.core_mut(self.current)?;
        (core.clock, core.ticks, core.drawn) = (before.clock, before.ticks, before.drawn);
        (core.named, core.identified) = (before.named, before.identified);
        match result {
            Ok(_) => Ok(()),
            Err(Trap::Throw(exception)) => {
                let text = self.describe_exception(exception);
                let what = format!("its initialiser failed: {text}");
                Err(FaultKind::Class { name: self.world.external_name(class), what }.into())
            }
            Err(other) => Err(other),
        }
    }

    /// Interfaces that are initialised before a class: those that declare default methods, also
    /// above interfaces that declare none, superinterfaces first.
    fn interfaces_to_initialize(&self, class: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        if !self.world.class(class).is_interface() {
            self.collect_interfaces(class, &mut found);
        }
        found
    }

    fn collect_interfaces(&self, class: ClassId, found: &mut Vec<ClassId>) {
        for interface in &self.world.class(class).interfaces {
            self.collect_interfaces(*interface, found);
            if has_default_methods(&self.world, *interface) && !found.contains(interface) {
                found.push(*interface);
            }
        }
    }

    /// The initialiser of a class, decoded; one that only initialises the superclass if it has none.
    fn initializer(&mut self, class: ClassId) -> Result<MethodId, Trap> {
        let target = match self.world.class(class).initializer {
            Some(target) => target,
            None => self.empty_initializer(class),
        };
        if self.world.method(target).entry == MethodEntry::Undecoded {
            self.decode(target)?;
        }
        Ok(target)
    }

    fn empty_initializer(&mut self, class: ClassId) -> MethodId {
        let id = MethodId(self.world.methods.len() as u32);
        let name = self.world.symbols.intern("<clinit>");
        let descriptor = self.world.symbols.intern("()V");
        let code = Code { instructions: vec![Instruction::new(Opcode::Return)], ..Code::default() };
        self.world.methods.push(Method::own(class, name, descriptor, code));
        self.world.classes[class.0 as usize].initializer = Some(id);
        self.initialize_superclass_first(id);
        id
    }

    /// Puts instructions before a decoded initialiser that initialise the superclass and interfaces.
    pub(crate) fn initialize_superclass_first(&mut self, initializer: MethodId) {
        let id = self.world.method(initializer).class;
        let class = self.world.class(id);
        if class.is_interface() {
            return;
        }
        let interfaces = self.interfaces_to_initialize(id);
        let needed: Vec<ClassId> = class.superclass.iter().copied().chain(interfaces).collect();
        let count = needed.len() as u32;
        let code = &mut self.world.methods[initializer.0 as usize].code;
        let first = needed.iter().map(|id| Instruction::with(Opcode::InitializeClass, id.0));
        code.instructions.splice(0..0, first);
        shift_targets(code, count);
    }

    /// The mirror of a class as a lock: its initialisation is ordered by it.
    pub(crate) fn mirror(&self, class: ClassId) -> Reference {
        self.world.class(class).mirror
    }
}

/// Moves all instruction numbers of a code, after instructions were put before its first.
fn shift_targets(code: &mut Code, by: u32) {
    use crate::code::Switch;
    for instruction in code.instructions.iter_mut().skip(by as usize) {
        if crate::code::is_jump(instruction.op) {
            instruction.a += by;
        }
    }
    for handler in &mut code.handlers {
        handler.start += by;
        handler.end += by;
        handler.target += by;
    }
    for switch in &mut code.switches {
        match switch {
            Switch::Table { targets, default, .. } => {
                targets.iter_mut().for_each(|target| *target += by);
                *default += by;
            }
            Switch::Lookup { pairs, default } => {
                pairs.iter_mut().for_each(|pair| pair.1 += by);
                *default += by;
            }
        }
    }
    for line in &mut code.lines {
        line.0 += by;
    }
    let first = code.offsets.first().copied().unwrap_or(0);
    code.offsets.splice(0..0, std::iter::repeat_n(first, by as usize));
}
