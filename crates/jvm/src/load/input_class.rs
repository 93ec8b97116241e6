//! The class `counterpoint.Input`: its source for users, and a class file for those who have none.
//!
//! Users put the source on their own class path to run the program without Counterpoint. Under
//! Counterpoint its methods are replaced, so a class file whose methods have no code is as good: it
//! stands behind the class path, and before `javac` when sources are compiled.

/// The name of the class, as in class files.
pub const NAME: &str = "counterpoint/Input";

/// The source of the class.
pub const SOURCE: &str = include_str!("../../java/counterpoint/Input.java");

/// Names and descriptors of its methods.
pub const METHODS: [(&str, &str); 7] = [
    ("anyInt", "()I"),
    ("anyLong", "()J"),
    ("anyBoolean", "()Z"),
    ("anyChar", "()C"),
    ("anyByte", "()B"),
    ("anyShort", "()S"),
    ("choose", "(I)I"),
];

/// A class file with native methods, in the format of Java 8.
pub fn class_file() -> Vec<u8> {
    const PUBLIC_FINAL_SUPER: u16 = 0x0031;
    const PUBLIC_STATIC_NATIVE: u16 = 0x0109;
    let mut pool = PoolWriter::default();
    let this = pool.class(NAME);
    let above = pool.class("java/lang/Object");
    let methods = METHODS.map(|(name, descriptor)| (pool.text(name), pool.text(descriptor)));
    let mut bytes = Vec::new();
    bytes.extend(0xCAFE_BABE_u32.to_be_bytes());
    let mut put = |numbers: &[u16]| numbers.iter().for_each(|n| bytes.extend(n.to_be_bytes()));
    put(&[0, 52, pool.entries + 1]);
    bytes.extend(&pool.bytes);
    let mut put = |numbers: &[u16]| numbers.iter().for_each(|n| bytes.extend(n.to_be_bytes()));
    put(&[PUBLIC_FINAL_SUPER, this, above, 0, 0, METHODS.len() as u16]);
    for (name, descriptor) in methods {
        put(&[PUBLIC_STATIC_NATIVE, name, descriptor, 0]);
    }
    put(&[0]);
    bytes
}

/// The constant pool of a class file.
#[derive(Default)]
struct PoolWriter {
    bytes: Vec<u8>,
    entries: u16,
}

impl PoolWriter {
    fn text(&mut self, text: &str) -> u16 {
        self.bytes.push(1);
        self.bytes.extend((text.len() as u16).to_be_bytes());
        self.bytes.extend(text.as_bytes());
        self.entries += 1;
        self.entries
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.bytes.push(7);
        self.bytes.extend(name.to_be_bytes());
        self.entries += 1;
        self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classfile::ClassFile;

    #[test]
    fn the_class_file_has_the_methods_that_the_source_and_the_machine_have() {
        let file = ClassFile::parse(class_file()).expect("well formed");
        assert_eq!(file.name(), NAME);
        assert_eq!(file.methods().len(), METHODS.len());
        for (name, descriptor) in METHODS {
            assert!(SOURCE.contains(&format!(" {name}(")), "{name} is in the source");
            assert!(crate::natives::find(NAME, name, descriptor).is_some(), "{name}");
        }
    }
}
