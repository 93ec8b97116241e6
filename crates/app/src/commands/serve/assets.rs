//! What the page is made of: files of the folder `page`, which are part of this binary.
//!
//! Style sheets that scripts add need a word that only this answer knows; it stands in the page and in its
//! policy. Everything else comes from this server or is not loaded.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! asset {
    ($name:literal, $kind:expr) => {
        Asset { name: $name, kind: $kind, text: include_str!(concat!("../../../page/", $name)) }
    };
}

const PAGE: &str = include_str!("../../../page/index.html");

const ASSETS: &[Asset] = &[
    asset!("style.css", STYLE),
    asset!("main.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("server.js", SCRIPT),
    asset!("editor.js", SCRIPT),
    asset!("settings.js", SCRIPT),
    asset!("runs.js", SCRIPT),
    asset!("walk.js", SCRIPT),
    asset!("tree.js", SCRIPT),
    asset!("vendor/codemirror.js", SCRIPT),
    asset!("icon.svg", "image/svg+xml"),
];

/// The page itself.
pub fn page() -> Response {
    let mut bytes = [0u8; 16];
    // Without random numbers styles of the editor are not shown, and nothing else is lost.
    let _ = getrandom::fill(&mut bytes);
    let nonce: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' \
         blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors \
         'none'"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_string()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, PAGE.replace("{{nonce}}", &nonce)).into_response()
}

/// The colours of pictures, dark where the page is, whatever the system says.
fn drawing_style() -> Response {
    let style = include_str!("../../drawing/style.css");
    let style = style.replace("@media (prefers-color-scheme: dark)", ":root[data-theme=dark]");
    ([(header::CONTENT_TYPE, STYLE)], style).into_response()
}

/// A file of the page by its name.
pub fn find(name: &str) -> Option<Response> {
    if name == "drawing.css" {
        return Some(drawing_style());
    }
    let asset = ASSETS.iter().find(|asset| asset.name == name)?;
    Some(([(header::CONTENT_TYPE, asset.kind)], asset.text).into_response())
}
