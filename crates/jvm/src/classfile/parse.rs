//! From bytes to a [`ClassFile`].

use super::attributes::{each, expect_end};
use super::descriptor::{MethodDescriptor, Type};
use super::pool::{Constant, ConstantPool};
use super::reader::Reader;
use super::{
    BootstrapMethod, ClassFile, CodeAttribute, EnclosingMethod, FieldInfo, InnerClass, MethodInfo,
    RecordComponent, access,
};
use crate::error::ClassFileError;

/// The newest class file version that is understood, of Java 25.
const NEWEST_MAJOR: u16 = 69;

impl ClassFile {
    /// Parses and checks a class file. Byte code is checked later, when a method is decoded.
    pub fn parse(bytes: Vec<u8>) -> Result<ClassFile, ClassFileError> {
        let bytes = bytes.into_boxed_slice();
        let mut reader = Reader::new(&bytes);
        let magic = reader.u32()?;
        if magic != 0xCAFE_BABE {
            return Err(ClassFileError::Magic { found: magic });
        }
        let (minor, major) = (reader.u16()?, reader.u16()?);
        if !(45..=NEWEST_MAJOR).contains(&major) || minor == 0xFFFF {
            return Err(ClassFileError::Version {
                major,
                minor,
                newest: NEWEST_MAJOR,
                release: NEWEST_MAJOR - 44,
            });
        }
        let pool = ConstantPool::parse(&mut reader)?;
        pool.check(&bytes)?;
        let access = reader.u16()?;
        let class = |index: u16| pool.class_name(&bytes, index).filter(|name| !name.is_empty());
        let missing = |reader: &Reader<'_>, what: &str| {
            reader.malformed(format!("{what} is not a class constant"))
        };
        let name = class(reader.u16()?).ok_or_else(|| missing(&reader, "the class's own name"))?;
        if name.starts_with('[') {
            return Err(reader.malformed("the class has the name of an array"));
        }
        let super_name = match reader.u16()? {
            0 if name == "java/lang/Object" => None,
            index => Some(class(index).ok_or_else(|| missing(&reader, "the superclass"))?),
        };
        let mut interfaces = Vec::new();
        for _ in 0..reader.u16()? {
            interfaces.push(class(reader.u16()?).ok_or_else(|| missing(&reader, "an interface"))?);
        }
        let fields = parse_fields(&bytes, &pool, &mut reader)?;
        let methods = parse_methods(&bytes, &pool, &mut reader)?;
        let mut file = ClassFile {
            bytes: Box::default(),
            pool: ConstantPool::default(),
            access,
            name,
            super_name,
            interfaces,
            fields,
            methods,
            bootstraps: Vec::new(),
            inner_classes: Vec::new(),
            source_file: None,
            signature: None,
            record: None,
            annotations: None,
            enclosing_method: None,
            nest_host: None,
            permitted: Vec::new(),
        };
        each(&bytes, &pool, &mut reader, |name, range| {
            file.parse_attribute(&bytes, &pool, name, &mut Reader::part(&bytes, &range))
        })?;
        if !reader.is_done() {
            return Err(reader.malformed("there are bytes after the end of the class"));
        }
        file.check_bootstraps(&pool)?;
        file.pool = pool;
        file.bytes = bytes;
        Ok(file)
    }

    fn parse_attribute(
        &mut self,
        bytes: &[u8],
        pool: &ConstantPool,
        name: &str,
        reader: &mut Reader<'_>,
    ) -> Result<(), ClassFileError> {
        match name {
            "SourceFile" => self.source_file = pool.text(bytes, reader.u16()?),
            "Signature" => self.signature = pool.text(bytes, reader.u16()?),
            "NestHost" => self.nest_host = pool.class_name(bytes, reader.u16()?),
            "EnclosingMethod" => {
                let class = pool.class_name(bytes, reader.u16()?);
                let method = pool.name_and_type(bytes, reader.u16()?);
                self.enclosing_method = class.map(|class| EnclosingMethod { class, method });
            }
            "PermittedSubclasses" => {
                for _ in 0..reader.u16()? {
                    self.permitted.extend(pool.class_name(bytes, reader.u16()?));
                }
            }
            "BootstrapMethods" => self.bootstraps = parse_bootstraps(pool, reader)?,
            "InnerClasses" => {
                for _ in 0..reader.u16()? {
                    let (inner, outer) = (reader.u16()?, reader.u16()?);
                    let (name, access) = (reader.u16()?, reader.u16()?);
                    let Some(inner) = pool.class_name(bytes, inner) else {
                        return Err(reader.malformed("an inner class has no class constant"));
                    };
                    let outer = pool.class_name(bytes, outer);
                    self.inner_classes.push(InnerClass {
                        inner,
                        outer,
                        name: pool.text(bytes, name),
                        access,
                    });
                }
            }
            "Record" => self.record = Some(parse_components(bytes, pool, reader)?),
            "RuntimeVisibleAnnotations" => {
                self.annotations = Some(reader.rest());
                return Ok(());
            }
            _ => return Ok(()),
        }
        expect_end(reader, name)
    }

    fn check_bootstraps(&self, pool: &ConstantPool) -> Result<(), ClassFileError> {
        for index in 0..pool.count() {
            if let Constant::Dynamic(method, _) | Constant::InvokeDynamic(method, _) =
                pool.get(index as u16)
                && usize::from(method) >= self.bootstraps.len()
            {
                let what = format!(
                    "constant {index} names bootstrap method {method}, which does not exist"
                );
                return Err(ClassFileError::Malformed { offset: 8, what });
            }
        }
        Ok(())
    }
}

fn parse_components(
    bytes: &[u8],
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
) -> Result<Vec<RecordComponent>, ClassFileError> {
    let mut components = Vec::new();
    for _ in 0..reader.u16()? {
        let (name, descriptor) = (reader.u16()?, reader.u16()?);
        let (Some(name), Some(descriptor)) = (pool.text(bytes, name), pool.text(bytes, descriptor))
        else {
            return Err(reader.malformed("a record component has no name or descriptor"));
        };
        if Type::of_field(&descriptor).is_none() {
            return Err(reader.malformed(format!("component {name} is of type {descriptor}")));
        }
        let mut component =
            RecordComponent { name, descriptor, signature: None, annotations: None };
        each(bytes, pool, reader, |name, range| {
            match name {
                "Signature" => {
                    component.signature = pool.text(bytes, Reader::part(bytes, &range).u16()?);
                }
                "RuntimeVisibleAnnotations" => component.annotations = Some(range),
                _ => {}
            }
            Ok(())
        })?;
        components.push(component);
    }
    Ok(components)
}

fn parse_bootstraps(
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
) -> Result<Vec<BootstrapMethod>, ClassFileError> {
    let mut bootstraps = Vec::new();
    for _ in 0..reader.u16()? {
        let method = reader.u16()?;
        if !matches!(pool.get(method), Constant::MethodHandle(..)) {
            return Err(reader.malformed("a bootstrap method is not a method handle"));
        }
        let mut arguments = Vec::new();
        for _ in 0..reader.u16()? {
            arguments.push(reader.u16()?);
        }
        bootstraps.push(BootstrapMethod { method, arguments });
    }
    Ok(bootstraps)
}

/// Access, name and descriptor, with which fields and methods start.
fn parse_member(
    bytes: &[u8],
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
) -> Result<(u16, String, String), ClassFileError> {
    let (access, name, descriptor) = (reader.u16()?, reader.u16()?, reader.u16()?);
    match (pool.text(bytes, name), pool.text(bytes, descriptor)) {
        (Some(name), Some(descriptor)) if !name.is_empty() => Ok((access, name, descriptor)),
        _ => Err(reader.malformed("a member has no name or descriptor")),
    }
}

fn parse_fields(
    bytes: &[u8],
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
) -> Result<Vec<FieldInfo>, ClassFileError> {
    let mut fields = Vec::new();
    for _ in 0..reader.u16()? {
        let (access, name, descriptor) = parse_member(bytes, pool, reader)?;
        let Some(field_type) = Type::of_field(&descriptor) else {
            return Err(reader.malformed(format!("field {name} has the descriptor {descriptor}")));
        };
        let (mut constant, mut signature, mut annotations) = (None, None, None);
        each(bytes, pool, reader, |name, range| {
            if name == "Signature" {
                signature = pool.text(bytes, Reader::part(bytes, &range).u16()?);
            } else if name == "RuntimeVisibleAnnotations" {
                annotations = Some(range);
            } else if name == "ConstantValue" {
                let mut reader = Reader::part(bytes, &range);
                let index = reader.u16()?;
                let fits = match pool.get(index) {
                    Constant::Integer(_) => field_type.kind() == super::Kind::Int,
                    Constant::Long(_) => field_type == Type::Long,
                    Constant::Float(_) => field_type == Type::Float,
                    Constant::Double(_) => field_type == Type::Double,
                    Constant::String(_) => field_type == Type::Reference,
                    _ => false,
                };
                if !fits {
                    return Err(reader.malformed("a field's constant has another type"));
                }
                constant = Some(index);
            }
            Ok(())
        })?;
        fields.push(FieldInfo { access, name, descriptor, constant, signature, annotations });
    }
    Ok(fields)
}

fn parse_methods(
    bytes: &[u8],
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
) -> Result<Vec<MethodInfo>, ClassFileError> {
    let mut methods = Vec::new();
    for _ in 0..reader.u16()? {
        let (access, name, descriptor) = parse_member(bytes, pool, reader)?;
        if MethodDescriptor::parse(&descriptor).is_none() {
            return Err(reader.malformed(format!("method {name} has the descriptor {descriptor}")));
        }
        let mut method = MethodInfo {
            access,
            name,
            descriptor,
            code: None,
            exceptions: Vec::new(),
            signature: None,
            annotations: None,
            parameter_annotations: None,
            parameters: None,
            default: None,
        };
        each(bytes, pool, reader, |name, range| {
            match name {
                "Code" => method.code = Some(CodeAttribute::parse(bytes, pool, &range)?),
                "Exceptions" => {
                    let mut reader = Reader::part(bytes, &range);
                    for _ in 0..reader.u16()? {
                        method.exceptions.push(reader.u16()?);
                    }
                }
                "Signature" => {
                    method.signature = pool.text(bytes, Reader::part(bytes, &range).u16()?);
                }
                "RuntimeVisibleAnnotations" => method.annotations = Some(range),
                "RuntimeVisibleParameterAnnotations" => method.parameter_annotations = Some(range),
                "MethodParameters" => method.parameters = Some(range),
                "AnnotationDefault" => method.default = Some(range),
                _ => {}
            }
            Ok(())
        })?;
        let bodiless = access & (access::NATIVE | access::ABSTRACT) != 0;
        if bodiless == method.code.is_some() {
            let what = if bodiless {
                "an abstract or native method has code"
            } else {
                "a method has no code"
            };
            return Err(reader.malformed(format!("{what}: {}", method.signature())));
        }
        methods.push(method);
    }
    Ok(methods)
}
