//! A server of the local page that tests talk to with plain requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server.
pub struct Serving {
    process: Child,
    /// Its port.
    pub port: u16,
    /// The secret of its address.
    pub secret: String,
    /// The address that it has printed.
    pub address: String,
}

/// What a server has answered.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&self.body)))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Serving {
    /// Serves a folder.
    pub fn start(path: &Path) -> Serving {
        Serving::start_with(path, &[])
    }

    /// Starts one with these flags.
    pub fn start_with(path: &Path, flags: &[&str]) -> Serving {
        let mut process = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
            .arg("serve")
            .arg(path)
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("it prints");
        BufReader::new(stdout).read_line(&mut line).expect("it prints its address");
        let address = line.trim().to_string();
        let rest = address.strip_prefix("http://127.0.0.1:").expect("a loopback address");
        let (port, secret) = rest.split_once("/?secret=").expect("a secret");
        let (port, secret) = (port.parse().expect("a port"), secret.to_string());
        Serving { process, port, secret, address }
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends it as Ctrl-C does, and gives its exit code.
    pub fn interrupt(mut self) -> Option<i32> {
        let _ = Command::new("kill").args(["-INT", &self.process.id().to_string()]).status();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait().expect("it can be waited for") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server does not end");
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        stream.set_write_timeout(Some(PATIENCE)).expect("a time-out");
        stream
    }

    /// Sends bytes as they are and reads the answer to its end.
    pub fn raw(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // A server that refuses early closes while a body is still being sent.
        let _ = stream.write_all(bytes);
        read_reply(&mut stream)
    }

    /// A request with these headers and no others.
    pub fn plain(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        let bytes = [text.as_bytes(), b"\r\n", body].concat();
        self.raw(&bytes).unwrap_or_else(|| panic!("no answer to {method} {path}"))
    }

    /// A request of somebody who may ask.
    pub fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let host = format!("127.0.0.1:{}", self.port);
        let headers = [
            ("Host", host.as_str()),
            ("X-Counterpoint-Secret", self.secret.as_str()),
            ("Content-Type", "application/json"),
        ];
        let body = body.map(ToString::to_string).unwrap_or_default();
        self.plain(method, path, &headers, body.as_bytes())
    }

    /// The same, which is fulfilled.
    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let reply = self.request(method, path, body);
        assert_eq!(reply.status, 200, "{method} {path}: {}", String::from_utf8_lossy(&reply.body));
        reply.json()
    }

    /// Begins a run and gives its number.
    pub fn begin(&self, command: &str, owner: &str, path: &str, flags: Value) -> u64 {
        let wish = json!({"command": command, "program": {"owner": owner, "path": path},
            "wishes": {"flags": flags}});
        self.ask("POST", "/api/runs", Some(&wish))["number"].as_u64().expect("a number")
    }

    /// A run, once something holds of it.
    pub fn run_when(&self, number: u64, holds: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let run = self.ask("GET", &format!("/api/runs/{number}"), None);
            if holds(&run) {
                return run;
            }
            assert!(begun.elapsed() < PATIENCE, "{run}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Reads an answer; nothing if the connection was closed without one.
pub fn read_reply(stream: &mut TcpStream) -> Option<Reply> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let split = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let mut body = bytes[split + 4..].to_vec();
    if head.to_lowercase().contains("transfer-encoding: chunked") {
        body = unchunked(&body);
    }
    Some(Reply { status, head, body })
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = String::from_utf8_lossy(&rest[..end]).into_owned();
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { break };
        let start = end + 2;
        if size == 0 || rest.len() < start + size {
            break;
        }
        body.extend_from_slice(&rest[start..start + size]);
        rest = rest.get(start + size + 2..).unwrap_or_default();
    }
    body
}
