//! What a module declares to provide, from its `module-info.class`.

use super::attributes::each;
use super::pool::ConstantPool;
use super::reader::Reader;
use crate::error::ClassFileError;

/// Services that a module provides, each with the classes that provide it, named with dots.
pub fn provided_services(bytes: &[u8]) -> Result<Vec<(String, Vec<String>)>, ClassFileError> {
    let mut reader = Reader::new(bytes);
    // Magic number and version.
    reader.take(8)?;
    let pool = ConstantPool::parse(&mut reader)?;
    pool.check(bytes)?;
    // Access, name and superclass of the class; modules have no interfaces, fields or methods.
    reader.take(12)?;
    let mut services = Vec::new();
    each(bytes, &pool, &mut reader, |name, range| {
        if name == "Module" {
            services = module_services(bytes, &pool, &mut Reader::part(bytes, &range))?;
        }
        Ok(())
    })?;
    Ok(services)
}

fn module_services(
    bytes: &[u8],
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
) -> Result<Vec<(String, Vec<String>)>, ClassFileError> {
    // Name, flags and version; then what it requires, in three numbers each.
    reader.take(6)?;
    let required = usize::from(reader.u16()?);
    reader.take(required * 6)?;
    // Packages that it exports and packages that it opens, each to some modules.
    for _ in 0..2 {
        for _ in 0..reader.u16()? {
            reader.take(4)?;
            let to = usize::from(reader.u16()?);
            reader.take(to * 2)?;
        }
    }
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
    Ok(services)
}
