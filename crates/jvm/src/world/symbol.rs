//! Interned names, so that comparing them is comparing numbers.

use rustc_hash::FxHashMap;

/// An interned name or descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// The table of interned names.
#[derive(Debug, Default)]
pub struct Symbols {
    texts: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, Symbol>,
}

impl Symbols {
    /// The symbol of a text, new if need be.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.numbers.get(text) {
            return *symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), symbol);
        symbol
    }

    /// The symbol of a text if it has one.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}
