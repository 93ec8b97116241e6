//! The `counterpoint` binary.
fn main() {}
