//! The models of the paper on symbolic execution of concurrent objects, written anew, the methods of its
//! table, and single changes to the models' arithmetic, comparisons and conditions.

use std::sync::Arc;

use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};

/// The models, each with its methods in Table 1 of the paper.
pub const MODELS: [(&str, &str, &[&str]); 4] = [
    (
        "bounded_buffer",
        include_str!("bounded_buffer.abs"),
        &["ProducerImpl.loop", "ConsumerImpl.loop", "BoundedBuffer.append"],
    ),
    (
        "hash_table",
        include_str!("hash_table.abs"),
        &[
            "DistHT.lookupNode",
            "DistHT.getAllData",
            "DistHT.getAllKeysAux",
            "DistHT.getAllKeys",
            "DistHT.putData",
        ],
    ),
    (
        "peer_to_peer",
        include_str!("peer_to_peer.abs"),
        &["DBImp.getLength", "Node.run", "Node.getLength", "Node.getPack", "Node.reqFile"],
    ),
    (
        "book_shop",
        include_str!("book_shop.abs"),
        &["SessionImp.order", "AgentImp.free", "DBImp.confirmOrder"],
    ),
];

/// A model from its text; nothing if it is wrong.
pub fn read(text: &str) -> Option<Arc<Model>> {
    let result = load(vec![SourceFile::new("model.abs", text)], &LoadOptions::default());
    result.model.map(Arc::new)
}

/// A single change to a model.
pub struct Mutant {
    pub line: usize,
    pub change: String,
    pub text: String,
}

const CHANGES: [(&str, &str); 12] = [
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (" || ", " && "),
    ("if (", "if (!("),
];

/// All single changes to a model; the main block and comments stay as they are.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let end = text.rfind("\n{\n").unwrap_or(text.len());
    let mut all = Vec::new();
    for (from, to) in CHANGES {
        for (place, _) in text[..end].match_indices(from) {
            let line_start = text[..place].rfind('\n').map_or(0, |found| found + 1);
            let line_end = text[place..].find('\n').map_or(text.len(), |found| place + found);
            let line = &text[line_start..line_end];
            if line.trim_start().starts_with("//") || line.trim_start().starts_with("data ") {
                continue;
            }
            let mut changed = format!("{}{to}{}", &text[..place], &text[place + from.len()..]);
            if from == "if (" {
                // The condition ends before the brace that opens the branch.
                let Some(brace) = changed[place..].find(") {") else { continue };
                changed.insert(place + brace, ')');
            }
            all.push(Mutant {
                line: text[..place].matches('\n').count() + 1,
                change: format!("{} -> {}", from.trim(), to.trim()),
                text: changed,
            });
        }
    }
    all
}
