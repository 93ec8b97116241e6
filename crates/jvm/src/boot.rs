//! Starting a machine: the least of the JDK's own start-up that programs can notice.
//!
//! The real virtual machine runs three phases of `System` initialisation with modules, class loaders
//! and property tables. Here the classes everything stands on are loaded, the main thread and its
//! groups are made as the JVM makes them, the properties that the library asks for are set, and
//! `System.out` and `System.err` lead into the machine's own buffers. All of it is permanent.

use rustc_hash::FxHashMap;

use crate::classfile::{ClassFile, access};
use crate::code::{Code, Instruction, Opcode};
use crate::coverage::Coverage;
use crate::error::{Error, Fault, FaultKind};
use crate::interpret::environment::AskedFor;
use crate::interpret::hidden_check::HiddenUses;
use crate::known::KnownClasses;
use crate::load::ClassPath;
use crate::machine::{
    Caches, Console, INTERFACE_CACHE, Machine, Nesting, Options, StepState, Trap,
};
use crate::memory::{Core, Heap, PERMANENT, Reference, Threads};
use crate::unknown::Unknowns;
use crate::witness::route::Route;
use crate::world::{ClassId, Method, MethodEntry, MethodId, Visibility, World};

/// Words that the machine adds to mirrors.
const MIRROR_HIDDEN_WORDS: u32 = 3;

/// Properties that the library or programs ask for.
const PROPERTIES: &[(&str, &str)] = &[
    ("java.vendor", "Counterpoint"),
    ("java.vm.name", "Counterpoint"),
    ("java.class.path", ""),
    ("java.library.path", ""),
    ("java.io.tmpdir", "/tmp"),
    ("os.name", "Linux"),
    ("os.arch", "amd64"),
    ("os.version", "1"),
    ("file.separator", "/"),
    ("path.separator", ":"),
    ("line.separator", "\n"),
    ("file.encoding", "UTF-8"),
    ("native.encoding", "UTF-8"),
    ("stdout.encoding", "UTF-8"),
    ("stderr.encoding", "UTF-8"),
    ("sun.jnu.encoding", "UTF-8"),
    ("sun.boot.library.path", "/"),
    ("sun.arch.data.model", "64"),
    ("user.name", "user"),
    ("user.home", "/"),
    ("user.language", "en"),
    ("user.country", "US"),
    ("user.timezone", "UTC"),
];

impl Machine {
    /// A machine with the JDK's core classes loaded and the main thread ready to run.
    pub(crate) fn boot(class_path: ClassPath, options: Options) -> Result<Machine, Error> {
        let real_locks = options.real_locks || options.no_shortcuts;
        let prune_loops = options.prune_loops && !options.no_shortcuts;
        let notice_ends = options.notice_ends || options.no_shortcuts;
        let ends_take_monitors = options.ends_take_monitors || options.no_shortcuts;
        let options =
            Options { real_locks, prune_loops, notice_ends, ends_take_monitors, ..options };
        let mut machine = Machine {
            world: World {
                mentioned: options.mentioned.clone(),
                ..World::new(class_path, options.inputs.clone(), options.no_shortcuts)
            },
            heap: Heap::new(options.heap_words).heeding(&options.interrupt),
            threads: Threads::default(),
            known: KnownClasses::default(),
            current: 0,
            segment: PERMANENT,
            concurrent: false,
            lock_writes: 0,
            permanent_writes: 0,
            has_entered_atomic_call: false,
            step: StepState { fuel: u64::MAX, ..StepState::default() },
            nesting: Nesting { permanent: 1, ..Nesting::default() },
            console: Console::default(),
            interrupted: false,
            interned: Vec::new(),
            read_holds: Vec::new(),
            caches: Caches {
                interface_cache: vec![
                    (ClassId(u32::MAX), MethodId(0), MethodId(0));
                    INTERFACE_CACHE
                ],
                ..Caches::default()
            },
            thread_numbers: FxHashMap::default(),
            thread_names: vec![(0, 0)],
            alive: 1,
            exit: None,
            coverage: (options.coverage || options.route).then(|| {
                let mut coverage = Coverage::default();
                coverage.route = options.route.then(Route::default);
                Box::new(coverage)
            }),
            dependences: None,
            options,
            unknowns: Unknowns::default(),
            asked_for: AskedFor::default(),
            hidden_uses: HiddenUses::default(),
        };
        machine.world.changes_settings = machine.options.changes_settings;
        // What is initialised now is so before the program can change anything.
        let changes_settings = std::mem::take(&mut machine.options.changes_settings);
        machine.start_up().map_err(|trap| Error::Start(machine.fault_text(trap)))?;
        if changes_settings {
            // The JVM needs the default locale itself. The default time zone is found on first use, which
            // must not overtake a change.
            let (zone, result) = ("java/util/TimeZone", "()Ljava/util/TimeZone;");
            let found = machine
                .load_initialized("java/util/Locale")
                .and_then(|_| machine.call_static(zone, "setDefaultZone", result, &[]));
            found.map_err(|trap| Error::Start(machine.fault_text(trap)))?;
        }
        machine.options.changes_settings = changes_settings;
        machine.nesting.permanent = 0;
        machine.segment = 2;
        Ok(machine)
    }

    fn start_up(&mut self) -> Result<(), Trap> {
        self.add_bottom_method();
        self.threads.insert(0, Reference::NULL, Core::new());
        self.lay_out_mirrors()?;
        self.known.object = self.load_class("java/lang/Object")?;
        self.load_class("java/lang/Class")?;
        self.make_primitives()?;
        self.known.string = self.load_class("java/lang/String")?;
        self.known.string_coder = self.field_word(self.known.string, "coder")?;
        self.known.string_value = self.field_word(self.known.string, "value")?;
        self.world.string = Some(self.known.string);
        self.world.string_value = self.known.string_value;
        self.known.byte_array = self.load_class("[B")?;
        self.known.long_array = self.load_class("[J")?;
        for class in std::mem::take(&mut self.known.without_strings) {
            self.set_constants(class)?;
        }
        self.known.throwable = self.load_class("java/lang/Throwable")?;
        // Other classes keep what this sets in their own fields when they are initialised.
        self.call_static("java/lang/System", "setJavaLangAccess", "()V", &[])?;
        let thread = self.load_class("java/lang/Thread")?;
        self.known.thread_number = self.world.class(thread).instance_words - 1;
        self.make_main_thread(thread)?;
        self.set_up_system()?;
        let (main, loader) = (self.thread_object(0)?, self.application_loader()?);
        self.set_field(main, "contextClassLoader", loader.0)?;
        // Where it is thrown there is no room to initialise it.
        self.load_initialized("java/lang/StackOverflowError")?;
        Ok(())
    }

    /// Method 0, in which threads without frames are.
    fn add_bottom_method(&mut self) {
        let name = self.world.symbols.intern("<bottom>");
        let descriptor = self.world.symbols.intern("()V");
        let code =
            Code { instructions: vec![Instruction::new(Opcode::Unreachable)], ..Code::default() };
        let own = Method::own(ClassId(0), name, descriptor, code);
        self.world.methods.push(Method {
            entry: MethodEntry::Abstract,
            visibility: Visibility::Visible,
            ..own
        });
    }

    /// Finds out how large mirrors are, before any class is loaded.
    fn lay_out_mirrors(&mut self) -> Result<(), Trap> {
        let bad = |what: String| FaultKind::Class { name: "java.lang.Class".to_string(), what };
        let found = self
            .world
            .class_path
            .class("java/lang/Class")
            .map_err(|error| bad(error.to_string()))?;
        let (bytes, _) = found.ok_or_else(|| bad("it is not in the JDK".to_string()))?;
        let file = ClassFile::parse(bytes).map_err(|error| bad(error.to_string()))?;
        let fields =
            file.fields.iter().filter(|field| field.access & access::STATIC == 0).count() as u32;
        let first = crate::memory::OBJECT_HEADER_WORDS + fields;
        self.known.mirror_class = first;
        self.known.mirror_state = first + 1;
        self.known.mirror_seen = first + 2;
        self.known.mirror_words = first + MIRROR_HIDDEN_WORDS;
        Ok(())
    }

    /// Makes the thread groups and the main thread as the JVM does: the object first, so that its
    /// own constructor finds a current thread.
    fn make_main_thread(&mut self, class: ClassId) -> Result<(), Trap> {
        let main = self.new_object(class)?;
        if let Some(thread) = &mut self.threads.list[0] {
            thread.object = main;
        }
        self.store(main, self.known.thread_number, 1)?;
        let system = self.construct("java/lang/ThreadGroup", "()V", &[])?;
        let name = self.literal_text("main")?;
        let holder = self.world.field_named(class, "holder").is_some();
        if holder {
            let holder_class = self.load_initialized("java/lang/Thread$FieldHolder")?;
            let holder = self.new_object(holder_class)?;
            self.set_field(holder, "group", system.0)?;
            self.set_field(holder, "priority", 5)?;
            self.set_field(main, "holder", holder.0)?;
        } else {
            self.set_field(main, "group", system.0)?;
            self.set_field(main, "priority", 5)?;
        }
        let descriptor = "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V";
        let group = self.construct("java/lang/ThreadGroup", descriptor, &[system.0, name.0])?;
        self.initialize_now(class)?;
        let Some(constructor) = self.world.declared(class, "<init>", descriptor) else {
            return Err(Fault::unsupported(
                "this JDK: Thread has no constructor with group and name",
            )
            .into());
        };
        self.call(constructor, &[main.0, group.0, name.0])?;
        // Older releases keep lists of the threads of a group.
        let groups = self.load_class("java/lang/ThreadGroup")?;
        if let Some(add) = self.world.declared(groups, "add", "(Ljava/lang/Thread;)V") {
            self.call(add, &[group.0, main.0])?;
        }
        self.publish(main)?;
        Ok(())
    }

    fn set_up_system(&mut self) -> Result<(), Trap> {
        let system = self.load_initialized("java/lang/System")?;
        let properties = self.construct("java/util/Properties", "()V", &[])?;
        let saved = self.construct("java/util/HashMap", "()V", &[])?;
        let home = self.world.class_path.jdk().home().display().to_string();
        let mut pairs: Vec<(&str, &str)> = PROPERTIES.to_vec();
        pairs.push(("java.home", &home));
        let version = self.world.class_path.jdk().version();
        let release = version.split('.').next().unwrap_or_default().to_string();
        let class_version = format!("{}.0", release.parse::<u32>().map_or(61, |one| one + 44));
        pairs.push(("java.version", &version));
        pairs.push(("java.specification.version", &release));
        pairs.push(("java.class.version", &class_version));
        let folder = std::env::current_dir().unwrap_or_else(|_| "/".into()).display().to_string();
        pairs.push(("user.dir", &folder));
        for (key, value) in pairs {
            let (key, value) = (self.literal_text(key)?, self.literal_text(value)?);
            let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            self.call_virtual(properties, "put", descriptor, &[key.0, value.0])?;
            self.call_virtual(saved, "put", descriptor, &[key.0, value.0])?;
        }
        self.call_static(
            "jdk/internal/misc/VM",
            "saveProperties",
            "(Ljava/util/Map;)V",
            &[saved.0],
        )?;
        let vm = self.load_initialized("jdk/internal/misc/VM")?;
        self.set_static(vm, "initLevel", 4)?;
        self.set_static(system, "props", properties.0)?;
        let newline = self.literal_text("\n")?;
        self.set_static(system, "lineSeparator", newline.0)?;
        // Reflection expects its helper class to be there before its factory.
        self.load_initialized("java/lang/reflect/AccessibleObject")?;
        for (field, number) in [("out", 1), ("err", 2)] {
            let stream = self.new_console(number)?;
            self.set_static(system, field, stream.0)?;
        }
        let nothing = self.new_byte_array(&[])?;
        let input = self.construct("java/io/ByteArrayInputStream", "([B)V", &[nothing.0])?;
        self.set_static(system, "in", input.0)?;
        self.set_up_locales()
    }

    /// Finds out the default locales. Later the library would do so under a lock of its own, looking at
    /// the system properties, which threads may share.
    fn set_up_locales(&mut self) -> Result<(), Trap> {
        let categories = self.load_initialized("java/util/Locale$Category")?;
        for category in ["DISPLAY", "FORMAT"] {
            let (mirror, word) = self.static_place(categories, category)?;
            let category = self.load(mirror, word)?;
            let descriptor = "(Ljava/util/Locale$Category;)Ljava/util/Locale;";
            self.call_static("java/util/Locale", "getDefault", descriptor, &[category])?;
        }
        Ok(())
    }

    fn set_static(&mut self, class: ClassId, field: &str, value: u64) -> Result<(), Trap> {
        let (mirror, word) = self.static_place(class, field)?;
        let place = self.field_place(class, field)?;
        if self.world.class(place.class).fields[place.index].kind
            == crate::classfile::Type::Reference
        {
            let flag = self.world.class(place.class).fields[place.index].flag;
            self.publish_as(Reference(value), flag)?;
        }
        self.store(mirror, word, value)?;
        Ok(())
    }

    /// What a trap means to somebody who cannot catch it.
    pub(crate) fn fault_text(&mut self, trap: Trap) -> Fault {
        match trap {
            Trap::Fault(fault) => fault,
            Trap::Throw(exception) => Fault::internal(self.describe_exception(exception)),
            Trap::Raise(raised) => Fault::internal(format!(
                "{}: {}",
                raised.class.replace('/', "."),
                raised.message.unwrap_or_default()
            )),
            Trap::Exit => Fault::internal("exit"),
        }
    }

    /// Class, message and place of an exception, without running any of its methods.
    pub(crate) fn describe_exception(&self, exception: Reference) -> String {
        let Ok(class) = self.class_of(exception) else { return "an unknown exception".to_string() };
        let mut text = self.world.external_name(class);
        let message = self.get_field(exception, "detailMessage").map(Reference);
        if let Ok(Ok(message)) = message.map(|message| self.text(message)) {
            text.push_str(": ");
            text.push_str(&message);
        }
        let trace = self.get_field(exception, "backtrace").map(Reference);
        if let Some(trace) = trace.ok().and_then(Reference::non_null) {
            for index in 0..self.length(trace).unwrap_or(0).min(12) {
                let word = self.heap.element(trace, index, 3).unwrap_or(0);
                let place = self.place(MethodId((word >> 32) as u32), word as u32);
                let file = place.file.unwrap_or_default();
                text.push_str(&format!(
                    "\n  at {}.{}({file}:{})",
                    place.class, place.method, place.line
                ));
            }
        }
        text
    }
}
