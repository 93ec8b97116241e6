//! The runtime image of a JDK (`lib/modules`), in the `jimage` format.
//!
//! The file starts with a header of seven 32-bit numbers (magic, version, flags, number of
//! resources, length of the hash table, size of the locations, size of the strings), followed by
//! the redirect table, the offsets table, the locations and the strings; resources follow. A name
//! such as `/java.base/java/lang/Object.class` is found by perfect hashing: hash it, look into the
//! redirect table for a second seed or a direct index, read the location at that index and compare
//! its name. Which module holds a package is itself a resource, `/packages/java.lang`.
//!
//! Only the index (about 3 MB) is read at the start; resources are read from the file on demand.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::positioned::PositionedFile;
use crate::error::Error;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_BYTES: usize = 28;
const HASH_SEED: u32 = 0x0100_0193;
/// No sensible index is larger; a bound on what a damaged header can make us allocate.
const INDEX_BYTES_LIMIT: u64 = 256 << 20;
/// No class file comes near this size.
const RESOURCE_BYTES_LIMIT: u64 = 64 << 20;

/// An open runtime image.
#[derive(Debug)]
pub struct Image {
    path: PathBuf,
    inner: Mutex<Inner>,
    big_endian: bool,
    table: usize,
    redirect: Vec<u8>,
    offsets: Vec<u8>,
    locations: Vec<u8>,
    strings: Vec<u8>,
    content: u64,
}

#[derive(Debug)]
struct Inner {
    file: PositionedFile,
    modules: FxHashMap<String, Option<String>>,
}

/// Where a resource lies in the image.
#[derive(Debug, Default, Clone, Copy)]
struct ImageLocation {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    offset: u64,
    compressed: u64,
    uncompressed: u64,
}

impl Image {
    /// Opens an image and reads its index.
    pub fn open(path: &Path) -> Result<Image, Error> {
        let io = |source| Error::Io { path: path.to_path_buf(), source };
        let bad = |what: &str| Error::Image { path: path.to_path_buf(), what: what.to_string() };
        let mut file = PositionedFile::open(path).map_err(io)?;
        let length = file.length().map_err(io)?;
        let mut header = [0; HEADER_BYTES];
        file.read_exact(&mut header).map_err(|_| bad("it is too short to have a header"))?;
        let big_endian = match u32::from_le_bytes([header[0], header[1], header[2], header[3]]) {
            MAGIC => false,
            other if other.swap_bytes() == MAGIC => true,
            _ => return Err(bad("it does not start with the jimage magic number")),
        };
        let number = |index: usize| number_at(&header, index * 4, big_endian).unwrap_or(0);
        if number(1) >> 16 != 1 {
            return Err(bad("its jimage version is unknown; use a JDK between 17 and 25"));
        }
        let table = number(4) as usize;
        let sizes =
            [table as u64 * 4, table as u64 * 4, u64::from(number(5)), u64::from(number(6))];
        let index: u64 = sizes.iter().sum();
        if table == 0 || index > INDEX_BYTES_LIMIT || HEADER_BYTES as u64 + index > length {
            return Err(bad("its index is damaged"));
        }
        let mut parts = sizes.map(|size| vec![0; size as usize]);
        for part in &mut parts {
            file.read_exact(part).map_err(io)?;
        }
        let [redirect, offsets, locations, strings] = parts;
        let inner = Mutex::new(Inner { file, modules: FxHashMap::default() });
        let content = HEADER_BYTES as u64 + index;
        Ok(Image {
            path: path.to_path_buf(),
            inner,
            big_endian,
            table,
            redirect,
            offsets,
            locations,
            strings,
            content,
        })
    }

    /// The bytes of a class named as in class files (`java/lang/Object`), or `None` if no module
    /// has it.
    pub fn class(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let Some((package, _)) = name.rsplit_once('/') else {
            return Ok(None);
        };
        let Some(module) = self.module_of(package)? else {
            return Ok(None);
        };
        self.resource(&format!("/{module}/{name}.class"))
    }

    /// The module that holds a package (`java/lang`).
    pub fn module_of(&self, package: &str) -> Result<Option<String>, Error> {
        if let Some(known) = self.lock().modules.get(package) {
            return Ok(known.clone());
        }
        let module = self.find_module(package)?;
        self.lock().modules.insert(package.to_string(), module.clone());
        Ok(module)
    }

    /// The bytes of any resource by its full name.
    pub fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.find(name) {
            Some(location) => self.read(name, location).map(Some),
            None => Ok(None),
        }
    }

    /// What the module descriptors of the image contain.
    pub fn module_descriptors(&self) -> Result<Vec<Vec<u8>>, Error> {
        let mut found = Vec::new();
        for index in 0..self.table {
            let offset = number_at(&self.offsets, index * 4, self.big_endian);
            let location = offset.and_then(|offset| self.location(offset as usize));
            let Some(location) = location else { continue };
            if self.string(location.base) == Some("module-info")
                && self.string(location.extension) == Some("class")
            {
                found.push(self.read("module-info.class", location)?);
            }
        }
        Ok(found)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        // A poisoned lock only means that another thread panicked between two reads.
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A package resource is a list of pairs: "has no content here", offset of the module's name.
    fn find_module(&self, package: &str) -> Result<Option<String>, Error> {
        let Some(bytes) = self.resource(&format!("/packages/{}", package.replace('/', ".")))?
        else {
            return Ok(None);
        };
        for at in (0..bytes.len()).step_by(8) {
            let empty = number_at(&bytes, at, self.big_endian);
            let name = number_at(&bytes, at + 4, self.big_endian);
            if let (Some(0), Some(name)) = (empty, name) {
                return Ok(self.string(u64::from(name)).map(str::to_string));
            }
        }
        Ok(None)
    }

    fn find(&self, name: &str) -> Option<ImageLocation> {
        let slot = hash(name, HASH_SEED) as usize % self.table;
        let redirect = number_at(&self.redirect, slot * 4, self.big_endian)? as i32;
        let index = match redirect {
            0 => return None,
            seed if seed > 0 => hash(name, seed as u32) as usize % self.table,
            direct => (-1 - i64::from(direct)) as usize,
        };
        let offset = number_at(&self.offsets, index.checked_mul(4)?, self.big_endian)?;
        let location = self.location(offset as usize)?;
        self.has_name(location, name)?.then_some(location)
    }

    /// A location is a list of attributes: a byte with kind and size, then a big-endian number.
    fn location(&self, mut at: usize) -> Option<ImageLocation> {
        let mut location = ImageLocation::default();
        loop {
            let tag = *self.locations.get(at)?;
            let (kind, size) = (tag >> 3, usize::from(tag & 7) + 1);
            let field = match kind {
                0 => return Some(location),
                1 => &mut location.module,
                2 => &mut location.parent,
                3 => &mut location.base,
                4 => &mut location.extension,
                5 => &mut location.offset,
                6 => &mut location.compressed,
                7 => &mut location.uncompressed,
                _ => return None,
            };
            let bytes = self.locations.get(at + 1..at + 1 + size)?;
            *field = bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
            at += 1 + size;
        }
    }

    fn string(&self, offset: u64) -> Option<&str> {
        let rest = self.strings.get(usize::try_from(offset).ok()?..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(&rest[..end]).ok()
    }

    fn has_name(&self, location: ImageLocation, name: &str) -> Option<bool> {
        let (module, parent) = (self.string(location.module)?, self.string(location.parent)?);
        let (base, extension) = (self.string(location.base)?, self.string(location.extension)?);
        let mut rest = name;
        for (part, before) in [(module, "/"), (parent, "/"), (base, "/"), (extension, ".")] {
            if part.is_empty() {
                continue;
            }
            let Some(tail) = rest.strip_prefix(before).and_then(|tail| tail.strip_prefix(part))
            else {
                return Some(false);
            };
            rest = tail;
        }
        Some(rest.is_empty())
    }

    fn read(&self, name: &str, location: ImageLocation) -> Result<Vec<u8>, Error> {
        let bad = |what: String| Error::Image { path: self.path.clone(), what };
        if location.compressed != 0 {
            return Err(bad(format!(
                "{name} is compressed; use a JDK as distributed (not one linked with compression)"
            )));
        }
        if location.uncompressed > RESOURCE_BYTES_LIMIT {
            return Err(bad(format!("{name} announces {} bytes", location.uncompressed)));
        }
        let mut bytes = vec![0; location.uncompressed as usize];
        let mut inner = self.lock();
        let read = inner
            .file
            .seek(SeekFrom::Start(self.content.saturating_add(location.offset)))
            .and_then(|_| inner.file.read_exact(&mut bytes));
        read.map_err(|source| Error::Io { path: self.path.clone(), source })?;
        Ok(bytes)
    }
}

fn hash(name: &str, seed: u32) -> u32 {
    name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH_SEED) ^ u32::from(byte))
        & 0x7FFF_FFFF
}

fn number_at(bytes: &[u8], at: usize, big_endian: bool) -> Option<u32> {
    let four: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(if big_endian { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Jdk;

    #[test]
    fn classes_of_several_modules_are_found_and_unknown_ones_are_not() {
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        let image = Image::open(&jdk.image()).expect("its image opens");
        for name in [
            "java/lang/Object",
            "java/util/concurrent/locks/ReentrantLock",
            "java/util/logging/Logger",
        ] {
            let bytes = image.class(name).expect("readable").expect("present");
            assert_eq!(bytes[..4], [0xCA, 0xFE, 0xBA, 0xBE], "{name}");
        }
        for name in ["java/lang/Objekt", "nowhere/At", "NoPackage", ""] {
            assert!(image.class(name).expect("readable").is_none(), "{name}");
        }
    }

    #[test]
    fn a_damaged_image_is_an_error() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("modules");
        for bytes in [
            &b""[..],
            &[0xDA, 0xDA, 0xFE, 0xCA],
            &[7; 100],
            &[0xDA, 0xDA, 0xFE, 0xCA, 0, 0, 1, 0].repeat(20),
        ] {
            std::fs::write(&path, bytes).expect("written");
            assert!(matches!(Image::open(&path), Err(Error::Image { .. })));
        }
    }
}
