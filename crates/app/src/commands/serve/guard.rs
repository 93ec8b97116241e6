//! Whose requests are answered.
//!
//! The page can run programs and write files, so nobody but the person who started the server may use it:
//! not other users of the computer, not other pages in the same browser, not names of other computers that
//! resolve to this one. Each request has to pass:
//!
//! - `Host` names this server by its address, so a page of another name that resolves here cannot ask;
//! - `Origin` and `Sec-Fetch-Site`, where the browser sends them, name this page and no other, so neither
//!   another site nor another port of this computer can make the browser ask on its behalf;
//! - the secret, 256 random bits that only the printed address holds, comes with the first request, and in
//!   a cookie that scripts cannot read from then on; programs may send it in a header. It is compared in a
//!   time that does not depend on where it differs;
//! - the body is small and arrives in time.
//!
//! Answers are not kept by anybody, are no scripts unless they say so, cannot be put into frames or read by
//! other sites, and the page may load only what this server gives it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Server;

/// The header in which programs send the secret.
pub const SECRET_HEADER: &str = "x-counterpoint-secret";

/// How large a body may be.
pub const LARGEST_BODY: usize = 4 << 20;

/// How long a body may take, and how long an answer.
const TO_SEND: Duration = Duration::from_secs(10);
const TO_ANSWER: Duration = Duration::from_secs(90);

/// What knows the secret and the names of the server.
pub struct Guard {
    secret: String,
    address: SocketAddr,
}

impl Guard {
    /// A new secret for a server at this address.
    pub fn new(address: SocketAddr) -> std::io::Result<Guard> {
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        let secret = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { secret, address })
    }

    /// The address of the page, secret included.
    pub fn address(&self) -> String {
        format!("http://{}/?secret={}", self.address, self.secret)
    }

    /// Whether a name and port are this server's.
    fn is_host(&self, host: &str) -> bool {
        let port = self.address.port();
        host == self.address.to_string()
            || (self.address.ip().is_loopback() && host == format!("localhost:{port}"))
    }

    fn cookie_name(&self) -> String {
        // Cookies do not tell ports apart, so the name does.
        format!("counterpoint-{}", self.address.port())
    }

    /// Whether a text is the secret.
    fn knows(&self, text: &str) -> bool {
        let (one, other) = (text.as_bytes(), self.secret.as_bytes());
        one.len() == other.len()
            && one.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }

    fn in_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        values
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(key, value)| key == name && self.knows(value))
    }

    fn in_header(&self, headers: &HeaderMap) -> bool {
        let value = headers.get(SECRET_HEADER).and_then(|value| value.to_str().ok());
        value.is_some_and(|value| self.knows(value))
    }

    fn in_query(&self, uri: &Uri) -> bool {
        let pairs = uri.query().into_iter().flat_map(|query| query.split('&'));
        let mut secrets = pairs.filter_map(|pair| pair.strip_prefix("secret="));
        secrets.any(|value| self.knows(value))
    }

    /// Why a request is refused, if it is.
    fn refuses(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        let headers = request.headers();
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        if hosts.next().is_some() || !host.is_some_and(|host| self.is_host(host)) {
            return Some((StatusCode::MISDIRECTED_REQUEST, "this server has another name"));
        }
        if let Some(origin) = text(header::ORIGIN)
            && !origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
        {
            return Some((StatusCode::FORBIDDEN, "other pages may not ask"));
        }
        let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or(""));
        let opens = request.method() == Method::GET && request.uri().path() == "/";
        if !matches!(site, None | Some("same-origin" | "none")) && !opens {
            return Some((StatusCode::FORBIDDEN, "other pages may not ask"));
        }
        if self.in_header(headers)
            || self.in_cookie(headers)
            || (opens && self.in_query(request.uri()))
        {
            return None;
        }
        Some((
            StatusCode::UNAUTHORIZED,
            "the secret is missing: open the address that `counterpoint serve` has printed",
        ))
    }
}

/// Lets a request through or refuses it, and adds to each answer what browsers have to know.
pub async fn watch(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let guard = &server.guard;
    let mut response = match guard.refuses(&request) {
        Some((status, text)) => (status, text).into_response(),
        None if request.uri().path() == "/" && guard.in_query(request.uri()) => enter(guard),
        None => pass(request, next).await,
    };
    let headers = response.headers_mut();
    let common = [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in common {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ));
    response
}

/// Puts the secret into a cookie and takes it out of the address, so that it stands neither in what others
/// see of the browser nor in addresses of states that are sent around.
fn enter(guard: &Guard) -> Response {
    let cookie =
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", guard.cookie_name(), guard.secret);
    let headers = [(header::LOCATION, "/".to_string()), (header::SET_COOKIE, cookie)];
    (StatusCode::SEE_OTHER, headers).into_response()
}

async fn pass(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let body = match tokio::time::timeout(TO_SEND, to_bytes(body, LARGEST_BODY)).await {
        Err(_) => return (StatusCode::REQUEST_TIMEOUT, "the request is too slow").into_response(),
        Ok(Err(_)) => {
            return (StatusCode::PAYLOAD_TOO_LARGE, "the request is too large").into_response();
        }
        Ok(Ok(body)) => body,
    };
    let request = Request::from_parts(head, Body::from(body));
    match tokio::time::timeout(TO_ANSWER, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (StatusCode::GATEWAY_TIMEOUT, "the answer takes too long").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let mut builder = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        builder.body(Body::empty()).expect("well formed")
    }

    #[test]
    fn only_who_knows_the_secret_and_comes_from_here_passes() {
        let guard = Guard::new("127.0.0.1:4711".parse().expect("an address")).expect("a secret");
        let secret = guard.secret.as_str();
        let cookie = format!("a=b; counterpoint-4711={secret}");
        let wrong = format!("counterpoint-4711={}", "0".repeat(64));
        let elsewhere = format!("counterpoint-4712={secret}");
        let here = ("host", "127.0.0.1:4711");
        type Row<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], u16);
        let rows: &[Row<'_>] = &[
            ("GET", "/api/files", &[here, ("cookie", &cookie)], 200),
            ("GET", "/api/files", &[("host", "localhost:4711"), ("cookie", &cookie)], 200),
            ("GET", "/api/files", &[here, (SECRET_HEADER, secret)], 200),
            ("GET", "/api/files", &[here], 401),
            ("GET", "/api/files", &[here, ("cookie", &wrong)], 401),
            ("GET", "/api/files", &[here, ("cookie", &elsewhere)], 401),
            ("GET", "/api/files", &[here, (SECRET_HEADER, "")], 401),
            ("GET", "/api/files", &[("cookie", &cookie)], 421),
            ("GET", "/", &[("host", "evil.example:4711"), ("cookie", &cookie)], 421),
            ("GET", "/", &[("host", "127.0.0.1"), ("cookie", &cookie)], 421),
            ("GET", "/", &[here, here, ("cookie", &cookie)], 421),
            ("POST", "/api/runs", &[here, ("cookie", &cookie), ("origin", "null")], 403),
            ("POST", "/a", &[here, ("cookie", &cookie), ("origin", "http://127.0.0.1:80")], 403),
            ("POST", "/a", &[here, ("cookie", &cookie), ("origin", "https://127.0.0.1:4711")], 403),
            ("POST", "/a", &[here, ("cookie", &cookie), ("origin", "http://127.0.0.1:4711")], 200),
            ("GET", "/a", &[here, ("cookie", &cookie), ("sec-fetch-site", "same-site")], 403),
            ("GET", "/a", &[here, ("cookie", &cookie), ("sec-fetch-site", "cross-site")], 403),
            ("GET", "/a", &[here, ("cookie", &cookie), ("sec-fetch-site", "same-origin")], 200),
        ];
        for (method, path, headers, expected) in rows {
            let refused = guard.refuses(&request(method, path, headers));
            let status = refused.map_or(200, |(status, _)| status.as_u16());
            assert_eq!(status, *expected, "{method} {path} {headers:?}");
        }
        let with_secret = |path: &str| request("GET", &format!("{path}?secret={secret}"), &[here]);
        assert!(guard.refuses(&with_secret("/")).is_none());
        assert!(guard.refuses(&with_secret("/api/files")).is_some(), "only the page is opened so");
    }
}
