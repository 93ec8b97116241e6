//! What a module declares to export, to open and to provide, from its `module-info.class`.

use super::attributes::each;
use super::pool::ConstantPool;
use super::reader::Reader;
use crate::error::ClassFileError;

/// What a module declares.
#[derive(Debug, Default)]
pub struct Module {
    /// Packages that all modules may use.
    pub exported: Vec<String>,
    /// Packages into which all modules may look.
    pub opened: Vec<String>,
    /// Services that it provides, each with the classes that provide it, named with dots.
    pub services: Vec<(String, Vec<String>)>,
}

impl Module {
    /// Reads a `module-info.class`.
    pub fn parse(bytes: &[u8]) -> Result<Module, ClassFileError> {
        let mut reader = Reader::new(bytes);
        // Magic number and version.
        reader.take(8)?;
        let pool = ConstantPool::parse(&mut reader)?;
        pool.check(bytes)?;
        // Access, name and superclass of the class; modules have no interfaces, fields or methods.
        reader.take(12)?;
        let mut module = Module::default();
        each(bytes, &pool, &mut reader, |name, range| {
            if name == "Module" {
                module = declared(bytes, &pool, &mut Reader::part(bytes, &range))?;
            }
            Ok(())
        })?;
        Ok(module)
    }
}

fn declared(
    bytes: &[u8],
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
) -> Result<Module, ClassFileError> {
    // Name, flags and version; then what it requires, in three numbers each.
    reader.take(6)?;
    let required = usize::from(reader.u16()?);
    reader.take(required * 6)?;
    // Packages that it exports and packages that it opens, each to some modules or to all.
    let mut packages = [Vec::new(), Vec::new()];
    for packages in &mut packages {
        for _ in 0..reader.u16()? {
            let package = pool.package_name(bytes, reader.u16()?);
            reader.take(2)?;
            let to = usize::from(reader.u16()?);
            reader.take(to * 2)?;
            packages.extend(package.filter(|_| to == 0));
        }
    }
    let [exported, opened] = packages;
    let used = usize::from(reader.u16()?);
    reader.take(used * 2)?;
    let class = |index: u16| pool.class_name(bytes, index).map(|name| name.replace('/', "."));
    let mut services = Vec::new();
    for _ in 0..reader.u16()? {
        let service = class(reader.u16()?);
        let mut providers = Vec::new();
        for _ in 0..reader.u16()? {
            providers.extend(class(reader.u16()?));
        }
        services.extend(service.map(|service| (service, providers)));
    }
    Ok(Module { exported, opened, services })
}
