//! Class loaders, resources and service loaders.
//!
//! The machine has one name space of classes. Programs see the loaders of the JDK's start-up as two
//! bare objects, an application loader and a platform loader, made on first use for all executions;
//! what they are asked is answered from the class path. Loaders of a program's own work as far as
//! they delegate, and the classes that they or the JDK define at run time join the one name space.
//!
//! A service loader looks into module descriptors and into `META-INF/services` through URLs. Here
//! its list of names comes from the class path at once, and its own code does the rest.

use super::{Native, Reason, Reply, answer, contents, int, local, nothing, object, word, zero};
use crate::classfile::access;
use crate::error::{Fault, FaultKind, use_of_library};
use crate::load::Origin;
use crate::machine::{Machine, Trap, raise};
use crate::memory::Reference;
use crate::world::ClassKind;

const LOADER: &str = "java/lang/ClassLoader";
const BUILT_IN: &str = "jdk/internal/loader/BuiltinClassLoader";
const LOADERS: &str = "jdk/internal/loader/ClassLoaders";
const APPLICATION: &str = "jdk/internal/loader/ClassLoaders$AppClassLoader";
const PLATFORM: &str = "jdk/internal/loader/ClassLoaders$PlatformClassLoader";
const BOOT: &str = "jdk/internal/loader/BootLoader";
const CLASS: &str = "java/lang/Class";
const JAR_CONNECTION: &str = "sun/net/www/protocol/jar/JarURLConnection";
const FILE_CONNECTION: &str = "sun/net/www/protocol/file/FileURLConnection";
const MODULE: &str = "java/lang/Module";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::AboutClasses, LOADER, "getSystemClassLoader", "*", application_loader),
    local(Reason::AboutClasses, LOADER, "getPlatformClassLoader", "*", platform_loader),
    local(Reason::AboutClasses, LOADER, "getBuiltinAppClassLoader", "*", application_loader),
    local(Reason::AboutClasses, LOADER, "getBuiltinPlatformClassLoader", "*", platform_loader),
    local(Reason::AboutClasses, LOADERS, "appClassLoader", "*", application_loader),
    local(Reason::AboutClasses, LOADERS, "platformClassLoader", "*", platform_loader),
    local(Reason::AboutClasses, CLASS, "getClassLoader", "*", loader_of),
    local(Reason::AboutClasses, CLASS, "getClassLoader0", "*", loader_of),
    local(Reason::AboutClasses, LOADER, "getUnnamedModule", "*", super::class::get_module),
    local(Reason::Constant, LOADER, "findLoadedClass0", "*", zero),
    local(Reason::AboutClasses, LOADER, "findBootstrapClass", "*", find_class),
    local(Reason::AboutClasses, LOADER, "findBootstrapClassOrNull", "*", find_class),
    local(Reason::Constant, LOADER, "checkCerts", "*", nothing),
    local(Reason::Constant, LOADER, "postDefineClass", "*", nothing),
    local(Reason::Constant, LOADER, "getNamedPackage", "*", zero),
    contents(LOADER, "defineClass1", "*", define_named),
    contents(LOADER, "defineClass0", "*", define_by_lookup),
    contents("jdk/internal/misc/Unsafe", "defineClass0", "*", define_by_unsafe),
    local(
        Reason::AboutClasses,
        LOADER,
        "loadClass",
        "(Ljava/lang/String;)Ljava/lang/Class;",
        load_by_loader,
    ),
    local(
        Reason::AboutClasses,
        APPLICATION,
        "loadClass",
        "(Ljava/lang/String;Z)Ljava/lang/Class;",
        load_by_loader,
    ),
    local(
        Reason::AboutClasses,
        BUILT_IN,
        "loadClass",
        "(Ljava/lang/String;Z)Ljava/lang/Class;",
        load_by_loader,
    ),
    local(
        Reason::AboutClasses,
        BUILT_IN,
        "loadClass",
        "(Ljava/lang/String;)Ljava/lang/Class;",
        load_by_loader,
    ),
    local(Reason::AboutClasses, BUILT_IN, "loadClassOrNull", "*", load_or_null),
    local(
        Reason::AboutClasses,
        CLASS,
        "forName",
        "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;",
        in_module,
    ),
    local(Reason::AboutClasses, BOOT, "loadClass", "*", in_module),
    local(Reason::AboutClasses, BOOT, "loadClassOrNull", "*", find_class),
    local(Reason::Constant, BOOT, "setBootLoaderUnnamedModule0", "*", nothing),
    local(Reason::AboutClasses, BOOT, "getUnnamedModule", "*", super::class::get_module),
    local(Reason::Constant, BOOT, "getServicesCatalog", "*", zero),
    local(Reason::Constant, BOOT, "hasClassPath", "*", zero),
    local(Reason::Constant, BOOT, "loadLibrary", "*", nothing),
    local(Reason::Constant, "java/lang/System", "loadLibrary", "*", load_library),
    local(Reason::Refuses, "java/lang/System", "load", "*", load_library),
    local(Reason::Constant, MODULE, "isExported", "*", super::one),
    local(Reason::Constant, MODULE, "isOpen", "*", super::one),
    local(Reason::Constant, MODULE, "canRead", "*", super::one),
    local(Reason::Constant, MODULE, "canUse", "*", super::one),
    local(Reason::Constant, MODULE, "getLayer", "*", zero),
    local(Reason::AboutClasses, MODULE, "getClassLoader", "*", application_loader),
    local(
        Reason::AboutClasses,
        "java/lang/reflect/Proxy$ProxyBuilder",
        "mapToModule",
        "*",
        module_of_proxies,
    ),
    local(Reason::AboutClasses, CLASS, "getPackage", "*", package_of),
    local(Reason::Constant, "java/lang/ProcessEnvironment", "environ", "*", environment),
    local(Reason::AboutClasses, MODULE, "getResourceAsStream", "*", resource_of_loader),
    local(Reason::AboutClasses, LOADER, "getResourceAsStream", "*", resource_of_loader),
    local(Reason::AboutClasses, LOADER, "getSystemResourceAsStream", "*", system_resource),
    local(Reason::AboutClasses, BUILT_IN, "findResourceAsStream", "*", module_resource),
    local(Reason::AboutClasses, BOOT, "findResourceAsStream", "*", boot_resource),
    local(Reason::AboutClasses, CLASS, "getResourceAsStream", "*", resource_of_class),
    local(Reason::AboutClasses, LOADER, "getResource", "*", url_of_loader),
    local(Reason::AboutClasses, LOADER, "getSystemResource", "*", system_url),
    local(Reason::AboutClasses, CLASS, "getResource", "*", url_of_class),
    local(Reason::AboutClasses, LOADER, "getResources", "*", urls_of_loader),
    local(Reason::AboutClasses, LOADER, "getSystemResources", "*", system_urls),
    local(Reason::AboutClasses, "java/net/URL", "openStream", "*", stream_of_url),
    local(Reason::AboutClasses, JAR_CONNECTION, "getInputStream", "*", stream_of_connection),
    local(Reason::Constant, JAR_CONNECTION, "connect", "*", nothing),
    local(Reason::AboutClasses, FILE_CONNECTION, "getInputStream", "*", stream_of_connection),
    local(
        Reason::AboutClasses,
        "java/util/ServiceLoader$ModuleServicesLookupIterator",
        "iteratorFor",
        "*",
        no_module_services,
    ),
    local(
        Reason::AboutClasses,
        "java/util/ServiceLoader$LazyClassPathLookupIterator",
        "nextProviderClass",
        "*",
        list_providers,
    ),
];

impl Machine {
    /// The loader of the program's classes.
    pub(crate) fn application_loader(&mut self) -> Result<Reference, Trap> {
        self.built_in_loader(APPLICATION, "APP_LOADER")
    }

    /// One of the JDK's two loaders that programs can see.
    fn built_in_loader(&mut self, class: &str, field: &str) -> Result<Reference, Trap> {
        let holder = self.load_class(LOADERS)?;
        let (mirror, word) = self.static_place(holder, field)?;
        let known = self.load_reference(mirror, word)?;
        if !known.is_null() {
            return Ok(known);
        }
        let parent = match class {
            APPLICATION => self.built_in_loader(PLATFORM, "PLATFORM_LOADER")?,
            _ => Reference::NULL,
        };
        let class = self.load_class(class)?;
        self.permanently(|machine| {
            let made = machine.new_object(class)?;
            machine.set_field(made, "parent", parent.0)?;
            let name = machine.literal_text(if parent.is_null() { "platform" } else { "app" })?;
            machine.set_field(made, "name", name.0)?;
            machine.set_field(made, "nameAndId", name.0)?;
            for field in ["parallelLockMap", "packages"] {
                let map =
                    machine.construct("java/util/concurrent/ConcurrentHashMap", "()V", &[])?;
                machine.set_field(made, field, map.0)?;
            }
            let lock = machine.construct("java/lang/Object", "()V", &[])?;
            machine.set_field(made, "assertionLock", lock.0)?;
            machine.publish(made)?;
            machine.store(mirror, word, made.0)?;
            Ok(made)
        })
    }

    /// A stream of the bytes of a resource, or null.
    fn resource_stream(&mut self, name: &str) -> Result<Reply, Trap> {
        let found = self.resources(name)?;
        match found.first() {
            Some(bytes) => {
                let array = self.new_byte_array(bytes)?;
                let stream = self.construct("java/io/ByteArrayInputStream", "([B)V", &[array.0])?;
                answer(stream)
            }
            None => answer(Reference::NULL),
        }
    }

    fn resources(&self, name: &str) -> Result<Vec<Vec<u8>>, Fault> {
        let found = self.world.class_path.resources(name);
        found.map_err(|cause| {
            FaultKind::Class { name: name.to_string(), what: cause.to_string() }.into()
        })
    }

    /// The URL of a resource: none if there is no resource.
    fn resource_url(&mut self, name: &str) -> Result<Reply, Trap> {
        match self.resource_addresses(name)?.first() {
            Some((protocol, rest)) => {
                let url = self.new_url(protocol, rest)?;
                answer(url)
            }
            None => answer(Reference::NULL),
        }
    }

    fn resource_urls(&mut self, name: &str) -> Result<Reply, Trap> {
        let addresses = self.resource_addresses(name)?;
        let list = self.construct("java/util/Vector", "()V", &[])?;
        for (protocol, rest) in addresses {
            let url = self.new_url(protocol, &rest)?;
            self.call_virtual(list, "add", "(Ljava/lang/Object;)Z", &[url.0])?;
        }
        Ok(Reply::Word(self.call_virtual(list, "elements", "()Ljava/util/Enumeration;", &[])?))
    }

    fn resource_addresses(&self, name: &str) -> Result<Vec<(&'static str, String)>, Fault> {
        let found = self.world.class_path.resource_addresses(name);
        found.map_err(|cause| {
            FaultKind::Class { name: name.to_string(), what: cause.to_string() }.into()
        })
    }

    /// The address of a resource. It is made without its constructor, which would look for the handler of the protocol in
    /// a table that threads share.
    fn new_url(&mut self, protocol: &str, rest: &str) -> Result<Reference, Trap> {
        let handler = self.load_initialized(&format!("sun/net/www/protocol/{protocol}/Handler"))?;
        let class = self.load_initialized("java/net/URL")?;
        let url = self.new_object(class)?;
        let handler = self.new_object(handler)?;
        self.set_field(url, "handler", handler.0)?;
        for (field, text) in [("protocol", protocol), ("host", ""), ("file", rest), ("path", rest)]
        {
            let text = self.new_string(text)?;
            self.set_field(url, field, text.0)?;
        }
        for field in ["port", "hashCode"] {
            self.set_field(url, field, u64::from(u32::MAX))?;
        }
        Ok(url)
    }

    /// A stream of what is at a URL, if that is a resource of the program.
    fn stream_at(&mut self, url: Reference) -> Result<Reply, Trap> {
        let part = |machine: &Machine, name: &'static str| -> Result<String, Trap> {
            let text = Reference(machine.get_field(url, name)?);
            if text.is_null() { Ok(String::new()) } else { Ok(machine.text(text)?) }
        };
        let (protocol, rest) = (part(self, "protocol")?, part(self, "file")?);
        let found = self.world.class_path.at_address(&protocol, &rest);
        let cause = |cause: crate::error::Error| FaultKind::Class {
            name: rest.clone(),
            what: cause.to_string(),
        };
        match found.map_err(cause)? {
            Some(bytes) => {
                let array = self.new_byte_array(&bytes)?;
                let stream = self.construct("java/io/ByteArrayInputStream", "([B)V", &[array.0])?;
                answer(stream)
            }
            None => Ok(Reply::Decline),
        }
    }

    /// The full name of a resource that is named relative to a class.
    fn resource_name(&self, arguments: &[u64]) -> Result<String, Trap> {
        let class = self.mirrored(object(arguments, 0)?)?;
        let name = self.text(object(arguments, 1)?)?;
        if let Some(absolute) = name.strip_prefix('/') {
            return Ok(absolute.to_string());
        }
        let package = self.world.class_name(class).rsplit_once('/').map(|parts| parts.0);
        Ok(package.map_or(name.clone(), |package| format!("{package}/{name}")))
    }

    /// A class by its name with dots; null if there is none.
    fn class_or_null(&mut self, name: Reference) -> Result<Reference, Trap> {
        let name = self.text(name)?;
        if name.contains('/') {
            return Ok(Reference::NULL);
        }
        match self.load_class(&name.replace('.', "/")) {
            Ok(class) => Ok(self.mirror(class)),
            Err(Trap::Raise(..)) => Ok(Reference::NULL),
            Err(other) => Err(other),
        }
    }

    /// A part of an array of bytes.
    fn part_of_bytes(
        &self,
        bytes: Reference,
        (from, length): (i32, i32),
    ) -> Result<Vec<u8>, Fault> {
        let all = self.byte_array(bytes)?;
        let from = from.max(0) as usize;
        let part = all.get(from..from.saturating_add(length.max(0) as usize));
        Ok(part.unwrap_or_default().to_vec())
    }

    /// Defines a class from a part of an array of bytes.
    fn define_from(&mut self, bytes: Reference, part: (i32, i32)) -> Result<Reply, Trap> {
        let bytes = self.part_of_bytes(bytes, part)?;
        let class = self.define_class(bytes)?;
        answer(self.mirror(class))
    }
}

fn stream_of_url(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    machine.stream_at(object(arguments, 0)?)
}

fn stream_of_connection(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let connection = object(arguments, 0)?;
    // A class of the program may change the field. Then the JDK's own code reads it, by steps that others see.
    if machine.is_reached(connection) {
        return Ok(Reply::Decline);
    }
    let url = Reference(machine.get_field(connection, "url")?);
    machine.stream_at(url)
}

fn application_loader(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    answer(machine.application_loader()?)
}

fn platform_loader(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let loader = machine.built_in_loader(PLATFORM, "PLATFORM_LOADER")?;
    answer(loader)
}

fn loader_of(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 0)?)?;
    match machine.world.class(class).origin {
        Origin::Program => application_loader(machine, arguments),
        Origin::Jdk => answer(Reference::NULL),
    }
}

fn find_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let found = machine.class_or_null(object(arguments, 0)?)?;
    answer(found)
}

fn in_module(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let found = machine.class_or_null(object(arguments, 1)?)?;
    answer(found)
}

/// Only the JDK's own loaders know all classes; others ask their parents first and then themselves.
fn load_by_loader(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let loader = machine.class_of(object(arguments, 0)?)?;
    if !machine.world.class_name(loader).starts_with("jdk/internal/loader/") {
        return Ok(Reply::Decline);
    }
    let name = object(arguments, 1)?;
    let found = machine.class_or_null(name)?;
    if found.is_null() {
        return raise("java/lang/ClassNotFoundException", machine.text(name)?);
    }
    answer(found)
}

fn load_or_null(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let found = machine.class_or_null(object(arguments, 1)?)?;
    answer(found)
}

/// The module of a proxy: the one of all classes if an interface is not public, else one with the
/// name that the JDK gives to its module of proxies.
fn module_of_proxies(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let interfaces = object(arguments, 1)?;
    let interfaces = machine.call_virtual(interfaces, "toArray", "()[Ljava/lang/Object;", &[])?;
    for interface in machine.references(Reference(interfaces))? {
        let class = machine.mirrored(interface)?;
        if machine.declared_access(class) & access::PUBLIC == 0 {
            return super::class::get_module(machine, arguments);
        }
    }
    const DESCRIPTOR: &str = "java/lang/module/ModuleDescriptor";
    let name = machine.literal_text("jdk.proxy1")?;
    let make = "(Ljava/lang/String;)Ljava/lang/module/ModuleDescriptor$Builder;";
    let builder = Reference(machine.call_static(DESCRIPTOR, "newModule", make, &[name.0])?);
    let set = "(Ljava/lang/Object;)Ljava/util/Set;";
    let packages = machine.call_static("java/util/Set", "of", set, &[name.0])?;
    let add = "(Ljava/util/Set;)Ljava/lang/module/ModuleDescriptor$Builder;";
    machine.call_virtual(builder, "packages", add, &[packages])?;
    let build = "()Ljava/lang/module/ModuleDescriptor;";
    let descriptor = machine.call_virtual(builder, "build", build, &[])?;
    let class = machine.load_class(MODULE)?;
    let made = machine.new_object(class)?;
    machine.set_field(made, "name", name.0)?;
    machine.set_field(made, "descriptor", descriptor)?;
    answer(made)
}

fn package_of(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 0)?)?;
    if !matches!(machine.world.class(class).kind, ClassKind::Instance) {
        return answer(Reference::NULL);
    }
    let name = machine.world.external_name(class);
    let name = machine.literal_text(name.rsplit_once('.').map_or("", |parts| parts.0))?;
    let Reply::Word(module) = super::class::get_module(machine, arguments)? else {
        return Err(Fault::internal("a class without a module").into());
    };
    let descriptor = "(Ljava/lang/String;Ljava/lang/Module;)V";
    let package = machine.construct("java/lang/Package", descriptor, &[name.0, module])?;
    answer(package)
}

/// A program under test finds no environment variables.
fn environment(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let none = machine.reference_array(machine.known.byte_array, &[])?;
    answer(none)
}

/// Libraries of the JDK whose natives are in this table.
const PROVIDED: &[&str] = &["management"];

fn load_library(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 0)?)?;
    if PROVIDED.contains(&name.as_str()) {
        return Ok(Reply::Void);
    }
    Err(Fault::unsupported(use_of_library(&name)).into())
}

fn define_named(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let part = (int(arguments, 3), int(arguments, 4));
    if let Some(reply) = machine.private_copy(arguments, 2, Some(part))? {
        return Ok(reply);
    }
    machine.define_from(object(arguments, 2)?, part)
}

/// Defines a class for a look-up: an ordinary one, or a hidden one that no name leads to.
fn define_by_lookup(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    const NEST_MATE: i32 = 1;
    const HIDDEN: i32 = 2;
    let given = object(arguments, 3)?;
    // The second time, after the class was initialised, it is in the place of its bytes.
    let kind = machine.class_of(given)?;
    if machine.world.class_name(kind) == CLASS {
        return answer(given);
    }
    let part = (int(arguments, 4), int(arguments, 5));
    if let Some(reply) = machine.private_copy(arguments, 3, Some(part))? {
        return Ok(reply);
    }
    let (initialize, flags) = (int(arguments, 7) != 0, int(arguments, 8));
    let mirror = if flags & HIDDEN != 0 {
        let host = match flags & NEST_MATE {
            0 => None,
            _ => Some(machine.mirrored(object(arguments, 1)?)?),
        };
        let bytes = machine.part_of_bytes(given, part)?;
        let class = machine.define_hidden(&bytes, host)?;
        let mirror = machine.mirror(class);
        if word(arguments, 9) != 0 {
            machine.set_field(mirror, "classData", word(arguments, 9))?;
        }
        mirror
    } else {
        let bytes = machine.part_of_bytes(given, part)?;
        let class = machine.define_class(bytes)?;
        machine.mirror(class)
    };
    let class = machine.mirrored(mirror)?;
    if initialize && let Some(reply) = machine.initialized_first(class)? {
        return Ok(match reply {
            Reply::Again { body, arguments, .. } => {
                Reply::Again { body, arguments, replaced: Some((3, mirror.0)) }
            }
            other => other,
        });
    }
    answer(mirror)
}

fn define_by_unsafe(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let part = (int(arguments, 3), int(arguments, 4));
    if let Some(reply) = machine.private_copy(arguments, 2, Some(part))? {
        return Ok(reply);
    }
    machine.define_from(object(arguments, 2)?, part)
}

fn resource_of_loader(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 1)?)?;
    machine.resource_stream(name.trim_start_matches('/'))
}

fn system_resource(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 0)?)?;
    machine.resource_stream(&name)
}

fn module_resource(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 2)?)?;
    machine.resource_stream(&name)
}

fn boot_resource(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 1)?)?;
    machine.resource_stream(&name)
}

fn resource_of_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.resource_name(arguments)?;
    machine.resource_stream(&name)
}

fn url_of_loader(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 1)?)?;
    machine.resource_url(&name)
}

fn system_url(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 0)?)?;
    machine.resource_url(&name)
}

fn url_of_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.resource_name(arguments)?;
    machine.resource_url(&name)
}

fn urls_of_loader(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 1)?)?;
    machine.resource_urls(&name)
}

fn system_urls(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 0)?)?;
    machine.resource_urls(&name)
}

/// All providers come from the other iterator of a service loader.
fn no_module_services(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let none = machine.call_static(
        "java/util/Collections",
        "emptyIterator",
        "()Ljava/util/Iterator;",
        &[],
    )?;
    Ok(Reply::Word(none))
}

/// Puts the names of all providers where the JDK's code takes them from, and lets it go on.
fn list_providers(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let iterator = object(arguments, 0)?;
    if machine.get_field(iterator, "configs")? != 0 {
        return Ok(Reply::Decline);
    }
    let loader = Reference(machine.get_field(iterator, "this$0")?);
    let service = Reference(machine.get_field(loader, "service")?);
    let service = machine.world.external_name(machine.mirrored(service)?);
    let providers = machine
        .world
        .class_path
        .providers(&service)
        .map_err(|cause| FaultKind::Class { name: service, what: cause.to_string() })?;
    let list = machine.construct("java/util/ArrayList", "()V", &[])?;
    for name in providers {
        let name = machine.literal_text(&name)?;
        machine.call_virtual(list, "add", "(Ljava/lang/Object;)Z", &[name.0])?;
    }
    let pending = machine.call_virtual(list, "iterator", "()Ljava/util/Iterator;", &[])?;
    machine.set_field(iterator, "pending", pending)?;
    let none = machine.call_static(
        "java/util/Collections",
        "emptyEnumeration",
        "()Ljava/util/Enumeration;",
        &[],
    )?;
    machine.set_field(iterator, "configs", none)?;
    Ok(Reply::Decline)
}
