//! One page that opens from disk.

use super::Checked;

/// The page.
pub fn render(checked: &Checked<'_>) -> String {
    let _ = checked;
    String::new()
}
