//! A browser that tests drive: Chromium without a window, by its own debugging protocol.
//!
//! Each test has a browser with a profile of its own. A tab is a connection on which commands are sent and
//! answers are read in turn; what the page complains about on its console is kept, so that tests can ask
//! that there is nothing.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// How long the browser or the page may take for something.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser.
pub struct Browser {
    process: Child,
    profile: TempDir,
    port: u16,
}

/// A tab of a browser.
pub struct Tab {
    socket: WebSocket<TcpStream>,
    last: u64,
    /// What the page has complained about.
    pub complaints: Vec<String>,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The browser that is installed.
pub fn installed() -> &'static str {
    let works = |name: &&str| {
        let quiet = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    browsers.into_iter().find(works).expect("chromium is installed: ./test does so")
}

impl Browser {
    /// Starts a browser.
    pub fn start() -> Browser {
        let profile = TempDir::new().expect("a temporary folder");
        let process = Command::new(installed())
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let file = profile.path().join("DevToolsActivePort");
        let begun = Instant::now();
        let port = loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some(port) = text.lines().next().and_then(|line| line.parse().ok()) {
                break port;
            }
            assert!(begun.elapsed() < PATIENCE, "the browser tells its port");
            std::thread::sleep(Duration::from_millis(50));
        };
        Browser { process, profile, port }
    }

    /// How much memory the browser and all its processes use, in bytes.
    pub fn memory(&self) -> u64 {
        let profile = self.profile.path().display().to_string();
        let entries = std::fs::read_dir("/proc").expect("processes are listed").flatten();
        let own = entries.filter(|entry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&profile)
        });
        own.map(|entry| resident(&entry.path())).sum()
    }

    /// Opens a tab with nothing in it.
    pub fn tab(&self) -> Tab {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the browser listens");
        let request =
            "PUT /json/new?about:blank HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("the browser reads");
        let mut text = String::new();
        // The browser may keep the connection open: what is wanted ends with a brace.
        let mut part = [0u8; 4096];
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        while !text.trim_end().ends_with('}') {
            let count = stream.read(&mut part).expect("the browser answers");
            if count == 0 {
                break;
            }
            text.push_str(&String::from_utf8_lossy(&part[..count]));
        }
        let body = text.find('{').map(|start| &text[start..]).expect("an answer");
        let made: Value = serde_json::from_str(body).expect("JSON");
        let address = made["webSocketDebuggerUrl"].as_str().expect("an address").to_string();
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the browser listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        let (socket, _) = tungstenite::client(address, stream).expect("a connection");
        let mut tab = Tab { socket, last: 0, complaints: Vec::new() };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.send(&format!("{domain}.enable"), json!({}));
        }
        tab
    }
}

/// The resident memory of a process, by its folder in `/proc`.
pub fn resident(process: &Path) -> u64 {
    let text = std::fs::read_to_string(process.join("status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    number.unwrap_or(0) * 1024
}

impl Tab {
    /// Sends a command and gives its answer.
    pub fn send(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let wanted = self.last;
        let text = json!({"id": wanted, "method": method, "params": parameters}).to_string();
        self.socket.send(Message::text(text)).expect("the browser listens");
        loop {
            let message = self.socket.read().expect("the browser answers in time");
            let Ok(text) = message.to_text() else { continue };
            let Ok(told) = serde_json::from_str::<Value>(text) else { continue };
            if told["id"] == wanted {
                assert!(told.get("error").is_none(), "{method}: {told}");
                return told["result"].clone();
            }
            self.note(&told);
        }
    }

    fn note(&mut self, told: &Value) {
        let text = match told["method"].as_str() {
            Some("Runtime.exceptionThrown") => &told["params"]["exceptionDetails"],
            Some("Log.entryAdded") if told["params"]["entry"]["level"] == "error" => {
                &told["params"]["entry"]["text"]
            }
            _ => return,
        };
        self.complaints.push(text.to_string());
    }

    /// The value of an expression; promises are waited for.
    pub fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.send("Runtime.evaluate", asked);
        let thrown = answer.get("exceptionDetails");
        assert!(thrown.is_none(), "{expression}: {}", thrown.unwrap_or(&Value::Null));
        answer["result"]["value"].clone()
    }

    /// Opens an address.
    pub fn open(&mut self, address: &str) {
        self.send("Page.navigate", json!({ "url": address }));
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.eval(&format!("Boolean({expression})")) != true {
            if begun.elapsed() > PATIENCE {
                let text = self.eval("document.body?.innerText ?? ''");
                panic!(
                    "never: {expression}\n{}\n{:?}",
                    text.as_str().unwrap_or(""),
                    self.complaints
                );
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Clicks, once it is there, on the first element that a selector names and whose text contains this.
    pub fn click(&mut self, selector: &str, text: &str) {
        let find = format!(
            "[...document.querySelectorAll({})].find((one) => one.textContent.includes({}))",
            json!(selector),
            json!(text)
        );
        self.until(&format!("{find} && !{find}.disabled"));
        self.eval(&format!("{find}.click()"));
    }

    /// What an element says, once it is there.
    pub fn text(&mut self, selector: &str) -> String {
        let find = format!("document.querySelector({})", json!(selector));
        self.until(&find);
        self.eval(&format!("{find}.innerText")).as_str().unwrap_or_default().to_string()
    }

    /// Presses a key, with what holds: 2 for the control key.
    pub fn press(&mut self, key: &str, code: u32, holding: u32) {
        for kind in ["rawKeyDown", "keyUp"] {
            let asked = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
                "modifiers": holding});
            self.send("Input.dispatchKeyEvent", asked);
        }
    }

    /// Types a text where the focus is.
    pub fn type_text(&mut self, text: &str) {
        self.send("Input.insertText", json!({ "text": text }));
    }

    /// Sets the size of the page, and whether the system is dark.
    pub fn set_look(&mut self, width: u32, height: u32, dark: bool) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.send("Emulation.setDeviceMetricsOverride", size);
        let value = if dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.send("Emulation.setEmulatedMedia", features);
    }

    /// Makes every answer from the server come so many milliseconds late.
    pub fn set_delay(&mut self, milliseconds: u32) {
        self.send("Network.enable", json!({}));
        let conditions = json!({
            "offline": false, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1
        });
        self.send("Network.emulateNetworkConditions", conditions);
    }

    /// Keeps a picture of the page in the folder that the variable `COUNTERPOINT_SCREENSHOTS` names, if it does.
    pub fn keep_picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("COUNTERPOINT_SCREENSHOTS") else { return };
        let answer = self.send("Page.captureScreenshot", json!({ "format": "png" }));
        let text = answer["data"].as_str().expect("a picture");
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), decode(text))
            .expect("writable");
    }
}

/// Bytes from their text in base 64.
fn decode(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        held = held << 6 | u32::from(value(letter));
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    bytes
}
