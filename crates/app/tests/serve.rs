//! The local page is closed to others: whoever asks wrongly is refused with the right status, whatever
//! arrives is survived, and the server still answers.

use crate::common::serving;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use serving::{Serving, read_reply};
use tempfile::TempDir;

/// A model with one deadlock.
const CALL_BACK: &str = include_str!("../../../examples/abs/call_back.abs");

/// Tasks of one object that all write one field: so many of them have as many orders as there are.
fn orders(tasks: usize) -> String {
    let calls: String = (1..=tasks).map(|task| format!("  c!add({task});\n")).collect();
    format!(
        "module Orders;\ninterface C {{ Unit add(Int n); }}\nclass C implements C {{\n  Int x = 0;\n  \
         Unit add(Int n) {{ x = x * 2 + n; }}\n}}\n{{\n  C c = new C();\n{calls}}}\n"
    )
}

/// A folder with sources, and something beside it that nobody may see.
fn folder() -> TempDir {
    let outer = TempDir::new().expect("a temporary folder");
    let root = outer.path().join("root");
    fs::create_dir_all(root.join("inner")).expect("a folder");
    fs::write(root.join("call_back.abs"), CALL_BACK).expect("writable");
    fs::write(root.join("orders.abs"), orders(11)).expect("writable");
    fs::write(root.join("inner/b.abs"), "module B;\n").expect("writable");
    fs::write(outer.path().join("secret.abs"), "module Secret;\n").expect("writable");
    std::os::unix::fs::symlink(outer.path().join("secret.abs"), root.join("link.abs"))
        .expect("a link");
    std::os::unix::fs::symlink(outer.path(), root.join("out")).expect("a link");
    outer
}

fn serve(outer: &TempDir) -> Serving {
    Serving::start(&outer.path().join("root"))
}

/// Whether the server still does what it is there for.
fn still_answers(server: &Serving) {
    let begun = Instant::now();
    let start = server.ask("GET", "/api/start", None);
    assert_eq!(start["files"], json!(["call_back.abs", "inner/b.abs", "orders.abs"]));
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[test]
fn one_line_is_printed_and_opens_the_page() {
    let outer = folder();
    let server = serve(&outer);
    assert_eq!(server.secret.len(), 64);
    let host = format!("127.0.0.1:{}", server.port);
    let path = format!("/?secret={}", server.secret);
    let reply = server.plain("GET", &path, &[("Host", &host)], b"");
    assert_eq!((reply.status, reply.header("location")), (303, Some("/")));
    let cookie = reply.header("set-cookie").expect("a cookie").to_string();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a value");
    let page = server.plain("GET", "/", &[("Host", &host), ("Cookie", cookie)], b"");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    for (name, value) in [
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    let text = String::from_utf8_lossy(&page.body).into_owned();
    assert!(!text.contains("{{") && !text.contains("//"), "nothing is fetched from elsewhere");
    assert_eq!(server.interrupt(), Some(0));
}

#[test]
fn whoever_is_not_the_page_is_refused_everywhere() {
    let outer = folder();
    let server = serve(&outer);
    let host = format!("127.0.0.1:{}", server.port);
    let origin = format!("http://{host}");
    let cookie = format!("counterpoint-{}={}", server.port, server.secret);
    let wrong = format!("counterpoint-{}={}", server.port, "0".repeat(64));
    let routes = [
        ("GET", "/"),
        ("GET", "/assets/main.js"),
        ("GET", "/api/start"),
        ("GET", "/api/source?owner=file&path=call_back.abs"),
        ("PUT", "/api/source"),
        ("POST", "/api/outline"),
        ("POST", "/api/line"),
        ("GET", "/api/runs"),
        ("POST", "/api/runs"),
        ("POST", "/api/runs/1/stop"),
        ("POST", "/api/step"),
        ("GET", "/api/events"),
        ("GET", "/nothing"),
    ];
    let evil = "http://evil.example";
    let near = "http://127.0.0.1:1";
    for (method, path) in routes {
        let rows: &[(&[(&str, &str)], u16)] = &[
            (&[("Host", &host)], 401),
            (&[("Host", &host), ("Cookie", &wrong)], 401),
            (&[("Host", "evil.example"), ("Cookie", &cookie)], 421),
            (&[("Host", "localhost"), ("Cookie", &cookie)], 421),
            (&[("Cookie", &cookie)], 400),
            (&[("Host", &host), ("Cookie", &cookie), ("Origin", evil)], 403),
            (&[("Host", &host), ("Cookie", &cookie), ("Origin", near)], 403),
            (&[("Host", &host), ("Cookie", &cookie), ("Origin", "null")], 403),
        ];
        for (headers, expected) in rows {
            let status = server.plain(method, path, headers, b"").status;
            // Without a name, the protocol itself is broken or this server is not meant.
            let refused = status == *expected || (*expected == 400 && status == 421);
            assert!(refused, "{method} {path} {headers:?}: {status}");
        }
        if path != "/" {
            let query = format!("{path}?secret={}", server.secret);
            assert_eq!(server.plain(method, &query, &[("Host", &host)], b"").status, 401);
        }
    }
    let own = [("Host", host.as_str()), ("Cookie", &cookie), ("Origin", &origin)];
    assert_eq!(server.plain("GET", "/api/start", &own, b"").status, 200);
    still_answers(&server);
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let outer = folder();
    let server = serve(&outer);
    let absolute = outer.path().join("secret.abs").display().to_string();
    let paths = [
        "../secret.abs",
        "%2e%2e/secret.abs",
        "%2e%2e%2fsecret.abs",
        "..%2fsecret.abs",
        "..%5csecret.abs",
        "%252e%252e%252fsecret.abs",
        "inner/../../secret.abs",
        "./../secret.abs",
        "link.abs",
        "out/secret.abs",
        "call_back.abs%00",
        "/etc/passwd",
        "//etc/passwd",
        "",
        ".",
        absolute.as_str(),
    ];
    for path in paths {
        let address = format!("/api/source?owner=file&path={path}");
        let reply = server.request("GET", &address, None);
        assert!([403, 404].contains(&reply.status), "{path}: {}", reply.status);
        assert!(!String::from_utf8_lossy(&reply.body).contains("module Secret"), "{path}");
    }
    for path in ["../secret.abs", "link.abs", "out/secret.abs", "out/new.abs", "new.txt", &absolute]
    {
        let program = json!({"owner": "file", "path": path});
        let wishes = [
            ("PUT", "/api/source", json!({"owner": "file", "path": path, "text": "module Bad;"})),
            ("POST", "/api/outline", program.clone()),
            ("POST", "/api/outline", json!({"owner": "file", "path": path, "text": "module Bad;"})),
            ("POST", "/api/outline", json!({"owner": "example", "path": path, "text": "x"})),
            ("POST", "/api/runs", json!({"command": "check", "program": program})),
            ("POST", "/api/step", json!({"program": program, "question": {}})),
            (
                "POST",
                "/api/step",
                json!({"program": {"owner": "run", "path": path}, "question": {}}),
            ),
        ];
        for (method, address, body) in wishes {
            let status = server.request(method, address, Some(&body)).status;
            assert!([400, 403, 404].contains(&status), "{address} {body}: {status}");
        }
    }
    let further = json!({"command": "check", "program": {"owner": "file", "path": "call_back.abs"},
        "wishes": {"words": ["../secret.abs"]}});
    assert_eq!(server.request("POST", "/api/runs", Some(&further)).status, 403);
    for path in [
        "/assets/../Cargo.toml",
        "/assets/%2e%2e/%2e%2e/Cargo.toml",
        "/assets//etc/passwd",
        "/api/runs/1/pictures/..%2fresult.json",
        "/api/runs/..%2f..%2f/pictures/a.svg",
    ] {
        assert_eq!(server.request("GET", path, None).status, 404, "{path}");
    }
    let secret = fs::read_to_string(outer.path().join("secret.abs")).expect("it is there");
    assert_eq!(secret, "module Secret;\n");
    assert!(!outer.path().join("new.abs").exists());
    let inside = json!({"owner": "file", "path": "inner/new.abs", "text": "module New;\n"});
    server.ask("PUT", "/api/source", Some(&inside));
    let written = outer.path().join("root/inner/new.abs");
    assert_eq!(fs::read_to_string(&written).expect("it was written"), "module New;\n");
    fs::remove_file(written).expect("it can be removed");
    still_answers(&server);
}

#[test]
fn flags_that_name_files_and_other_commands_are_refused() {
    let outer = folder();
    let server = serve(&outer);
    for flag in ["json", "report", "junit", "resume", "events", "mermaid", "class-path", "output"] {
        let wish = json!({"command": "check", "program": {"owner": "file", "path": "call_back.abs"},
            "wishes": {"flags": {flag: "/tmp/x"}}});
        assert_eq!(server.request("POST", "/api/runs", Some(&wish)).status, 400, "{flag}");
    }
    for command in ["serve", "replay", "input-class", "--help", "test", ""] {
        let wish =
            json!({"command": command, "program": {"owner": "file", "path": "call_back.abs"}});
        assert_eq!(server.request("POST", "/api/runs", Some(&wish)).status, 400, "{command}");
    }
    still_answers(&server);
}

#[test]
fn whatever_arrives_is_survived() {
    let outer = folder();
    let server = serve(&outer);
    let host =
        format!("Host: 127.0.0.1:{}\r\nX-Counterpoint-Secret: {}\r\n", server.port, server.secret);
    let large = vec![b' '; 5 << 20];
    let reply = server.request("POST", "/api/outline", None);
    assert_eq!(reply.status, 400, "no JSON at all");
    for body in [
        "{",
        "[]",
        "null",
        "{\"owner\": \"file\"}",
        "{\"owner\": 7, \"path\": []}",
        "\u{0}",
        "{\"owner\": \"file\", \"path\": \"call_back.abs\", \"more\": 1}",
        &"[".repeat(100_000),
    ] {
        let headers = format!(
            "POST /api/outline HTTP/1.1\r\n{host}Connection: close\r\nContent-Type: \
            application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let status = server.raw(headers.as_bytes()).expect("an answer").status;
        assert!([400, 422].contains(&status), "{status}: {}", &body[..body.len().min(80)]);
    }
    let no_json = format!(
        "POST /api/runs HTTP/1.1\r\n{host}Connection: close\r\nContent-Type: \
        text/plain\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    assert_eq!(server.raw(no_json.as_bytes()).expect("an answer").status, 415, "forms cannot ask");
    let head = format!(
        "POST /api/outline HTTP/1.1\r\n{host}Connection: close\r\nContent-Type: \
        application/json\r\n"
    );
    let announced = format!("{head}Content-Length: {}\r\n\r\n", large.len());
    let reply = server.raw(&[announced.as_bytes(), &large].concat());
    assert!(reply.is_none_or(|reply| reply.status == 413), "a body that is too large");
    let mut chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    for _ in 0..6 {
        chunked.extend_from_slice(format!("{:x}\r\n", 1 << 20).as_bytes());
        chunked.extend_from_slice(&large[..1 << 20]);
        chunked.extend_from_slice(b"\r\n");
    }
    let reply = server.raw(&chunked);
    assert!(reply.is_none_or(|reply| reply.status == 413), "a body without an end");
    for nonsense in [
        b"\0\0\0\0\r\n\r\n".as_slice(),
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\n\r\n",
    ] {
        let mut stream = server.connect();
        let _ = stream.write_all(nonsense);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let refused = read_reply(&mut stream).is_none_or(|reply| reply.status >= 400);
        assert!(refused, "{}", String::from_utf8_lossy(nonsense));
    }
    let long = format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(100_000));
    assert!(server.raw(long.as_bytes()).is_none_or(|reply| reply.status >= 400));
    let many: String = (0..2000).map(|n| format!("X-{n}: y\r\n")).collect();
    let many = format!("GET / HTTP/1.1\r\n{host}{many}\r\n");
    assert!(server.raw(many.as_bytes()).is_none_or(|reply| reply.status >= 400));
    still_answers(&server);
}

#[test]
fn web_sockets_are_refused_and_their_frames_survived() {
    let outer = folder();
    let server = serve(&outer);
    for path in ["/", "/api/start", "/api/events"] {
        let mut stream = server.connect();
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Counterpoint-Secret: {}\r\nUpgrade: \
             websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \
             dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            server.port, server.secret
        );
        stream.write_all(head.as_bytes()).expect("it listens");
        let mut first = [0u8; 12];
        stream.read_exact(&mut first).expect("an answer");
        assert_ne!(&first, b"HTTP/1.1 101", "{path} must not be upgraded");
        // A frame that announces 2^63 bytes, one with all reserved bits, and noise.
        let frames = [
            [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4].as_slice(),
            [0xff, 0xff, 0xff].as_slice(),
            &[0xaa; 70_000],
        ];
        for frame in frames {
            let _ = stream.write_all(frame);
        }
    }
    still_answers(&server);
}

#[test]
fn hundreds_of_connections_and_slow_clients_hold_nobody_up_for_long() {
    let outer = folder();
    let server = serve(&outer);
    let crowd = crowd(&server, 600);
    let begun = Instant::now();
    // Those who ask for nothing are sent away after a few seconds.
    while server_status(&server) != Some(200) {
        assert!(begun.elapsed() < Duration::from_secs(20), "the crowd holds all places");
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(crowd);
    still_answers(&server);
    // One sends its head letter by letter, one its body, one reads nothing.
    let mut slow = server.connect();
    slow.write_all(b"GET / HT").expect("it listens");
    let mut body = server.connect();
    let head = format!(
        "POST /api/outline HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Counterpoint-Secret: {}\r\nContent-Type: \
         application/json\r\nContent-Length: 1000\r\n\r\n{{",
        server.port, server.secret
    );
    body.write_all(head.as_bytes()).expect("it listens");
    let mut deaf = server.connect();
    let head = format!(
        "GET /assets/vendor/codemirror.js HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Counterpoint-Secret: {}\r\n\r\n",
        server.port, server.secret
    );
    deaf.write_all(head.as_bytes()).expect("it listens");
    still_answers(&server);
    let reply = read_reply(&mut slow);
    assert!(reply.is_none_or(|reply| reply.status == 408), "a head that does not come");
    let reply = read_reply(&mut body).expect("an answer");
    assert_eq!(reply.status, 408, "a body that does not come");
    still_answers(&server);
}

/// Ten thousand, which takes as many open files as few systems allow by themselves.
#[test]
#[ignore = "long"]
fn ten_thousand_connections_hold_nobody_up_for_long() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
    setrlimit(Resource::RLIMIT_NOFILE, most.min(65_536), most).expect("it can be raised");
    let outer = folder();
    let server = serve(&outer);
    let before = memory(&server);
    let crowd = crowd(&server, 10_000);
    assert_eq!(crowd.len(), 10_000, "the system lets them connect");
    let begun = Instant::now();
    while server_status(&server) != Some(200) {
        assert!(begun.elapsed() < Duration::from_secs(30), "the crowd holds all places");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(memory(&server) < before + (64 << 20), "memory grows with the crowd");
    drop(crowd);
    still_answers(&server);
}

fn memory(server: &Serving) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/status", server.id())).expect("it runs");
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

/// Connections that ask for nothing.
fn crowd(server: &Serving, many: usize) -> Vec<TcpStream> {
    (0..many).filter_map(|_| TcpStream::connect(("127.0.0.1", server.port)).ok()).collect()
}

fn server_status(server: &Serving) -> Option<u16> {
    let head = format!(
        "GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Counterpoint-Secret: {}\r\nConnection: \
         close\r\n\r\n",
        server.port, server.secret
    );
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    stream.write_all(head.as_bytes()).ok()?;
    read_reply(&mut stream).map(|reply| reply.status)
}

#[test]
fn runs_are_stopped_continued_and_found_again() {
    let outer = folder();
    let server = serve(&outer);
    let bug = server.begin("check", "example", "examples/abs/call_back.abs", json!({}));
    let run = server.run_when(bug, |run| run["stage"] == "ended");
    assert_eq!(run["code"], 1, "{run}");
    assert_eq!(run["line"], "counterpoint check examples/abs/call_back.abs");
    assert_eq!(run["result"]["verdict"], "bug");
    assert_eq!(run["result"]["findings"][0]["kind"], "deadlock");
    assert_eq!(run["pictures"], json!(["tree.svg", "sequence-1.svg"]));
    let picture = server.request("GET", &format!("/api/runs/{bug}/pictures/sequence-1.svg"), None);
    assert!(picture.body.starts_with(b"<svg"));
    let long = server.begin("check", "file", "orders.abs", json!({}));
    let many = |run: &Value| run["progress"]["executions"].as_u64() > Some(1000);
    server.run_when(long, many);
    server.ask("POST", &format!("/api/runs/{long}/stop"), None);
    let stopped = server.run_when(long, |run| run["stage"] == "ended");
    assert_eq!((&stopped["code"], &stopped["continuable"]), (&json!(3), &json!(true)), "{stopped}");
    let before = stopped["result"]["executions"].as_u64().expect("a count");
    server.ask("POST", &format!("/api/runs/{long}/continue"), None);
    let further = |run: &Value| run["progress"]["executions"].as_u64() > Some(before + 1000);
    server.run_when(long, further);
    server.ask("POST", &format!("/api/runs/{long}/stop"), None);
    let stopped = server.run_when(long, |run| run["stage"] == "ended");
    assert!(stopped["result"]["executions"].as_u64() > Some(before), "{stopped}");
    let listed = server.ask("GET", "/api/runs", None);
    let numbers: Vec<&Value> =
        listed.as_array().expect("a list").iter().map(|run| &run["number"]).collect();
    assert_eq!(numbers, [bug, long]);
    server.ask("DELETE", &format!("/api/runs/{bug}"), None);
    assert_eq!(server.request("GET", &format!("/api/runs/{bug}"), None).status, 404);
    assert_eq!(server.request("DELETE", &format!("/api/runs/{bug}"), None).status, 400);
}

#[test]
fn a_run_that_eats_memory_or_is_killed_leaves_the_server_alone() {
    let outer = folder();
    let hungry = "module Hungry;\ninterface C { Unit grow(); }\nclass C implements C { Int n = 0;\n  Unit grow() { List<Int> all = Nil; while (True) \
                  { all = Cons(n, all); n = n + 1; } } }\n{ C c = new C(); c!grow(); }\n";
    fs::write(outer.path().join("root/hungry.abs"), hungry).expect("writable");
    let server = serve(&outer);
    let run = server.begin("check", "file", "hungry.abs", json!({"memory": "64M"}));
    let ended = server.run_when(run, |run| run["stage"] == "ended");
    assert_eq!(ended["code"], 3, "{ended}");
    let run = server.begin("check", "file", "orders.abs", json!({}));
    server.run_when(run, |run| run["progress"]["executions"].as_u64() > Some(100));
    let threads = fs::read_dir(format!("/proc/{}/task", server.id())).expect("it has threads");
    let mut killed = 0;
    for thread in threads.flatten() {
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        for child in text.split_whitespace() {
            let _ = Command::new("kill").args(["-KILL", child]).status();
            killed += 1;
        }
    }
    assert!(killed > 0, "runs are children");
    let ended = server.run_when(run, |run| run["stage"] == "ended");
    assert_eq!(ended["code"], Value::Null, "{ended}");
    assert!(ended["error"].as_str().is_some_and(|text| !text.is_empty()), "{ended}");
    fs::remove_file(outer.path().join("root/hungry.abs")).expect("it can be removed");
    still_answers(&server);
}

#[test]
fn no_more_than_a_few_runs_go_on_at_once() {
    let outer = folder();
    let server = serve(&outer);
    let wish = json!({"command": "check", "program": {"owner": "file", "path": "orders.abs"}});
    let statuses: Vec<u16> =
        (0..6).map(|_| server.request("POST", "/api/runs", Some(&wish)).status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 429, 429]);
    still_answers(&server);
    assert_eq!(server.interrupt(), Some(0), "it ends with all of them");
}

#[test]
fn a_run_ends_by_itself_when_the_server_is_killed() {
    let outer = folder();
    let server = serve(&outer);
    let run = server.begin("check", "file", "orders.abs", json!({}));
    server.run_when(run, |run| run["progress"]["executions"].as_u64() > Some(100));
    let folder = outer.path().join("root").canonicalize().expect("it is there");
    let at_work = || {
        let processes = fs::read_dir("/proc").expect("processes are listed").flatten();
        processes
            .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder))
            .count()
    };
    assert!(at_work() > 0);
    let _ = Command::new("kill").args(["-KILL", &server.id().to_string()]).status();
    let begun = Instant::now();
    while at_work() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(15), "the run goes on for nobody");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_source_is_looked_through_as_it_is_typed() {
    let outer = folder();
    let server = serve(&outer);
    let edited = CALL_BACK.replace("Int ordered = answer.get;", "Int ordered = answers.get;");
    let wish = json!({"owner": "file", "path": "call_back.abs", "text": edited});
    let outline = server.ask("POST", "/api/outline", Some(&wish));
    let message = &outline["messages"][0];
    assert_eq!(
        (&message["severity"], &message["line"]),
        (&json!("error"), &json!(18)),
        "{outline}"
    );
    let names: Vec<&Value> = outline["items"][0]["items"]
        .as_array()
        .expect("declarations")
        .iter()
        .map(|item| &item["name"])
        .collect();
    assert_eq!(names, ["Client", "Server", "Client", "Server", "main"]);
    let text = fs::read_to_string(outer.path().join("root/call_back.abs")).expect("it is there");
    assert_eq!(text, CALL_BACK, "nothing is saved unasked");
}

#[test]
fn java_programs_use_classes_of_the_class_path_that_the_server_was_given() {
    let outer = folder();
    let library = outer.path().join("library");
    fs::create_dir(&library).expect("a folder");
    let source = library.join("Lib.java");
    fs::write(&source, "public class Lib { public static int two() { return 2; } }").expect("it");
    let compiled = Command::new("javac").arg(&source).status().expect("a compiler");
    assert!(compiled.success());
    let program =
        "public class Uses { public static void main(String[] a) { assert Lib.two() == 3; } }";
    fs::write(outer.path().join("root/Uses.java"), program).expect("writable");
    let path = library.canonicalize().expect("it is there").display().to_string();
    let server = Serving::start_with(&outer.path().join("root"), &["--class-path", &path]);
    let java = json!({"owner": "file", "path": "Uses.java"});
    assert_eq!(server.ask("POST", "/api/outline", Some(&java))["messages"], json!([]));
    let line = json!({"command": "check", "program": java});
    let line = server.ask("POST", "/api/line", Some(&line));
    assert_eq!(line["line"], format!("counterpoint check --class-path={path} Uses.java"));
    let walked = json!({"program": java, "question": {"choices": []}});
    assert_eq!(server.ask("POST", "/api/step", Some(&walked))["error"], Value::Null);
    let number = server.begin("check", "file", "Uses.java", json!({}));
    let run = server.run_when(number, |run| run["stage"] == "ended");
    assert_eq!((&run["code"], run["findings"].as_array().map(Vec::len)), (&json!(1), Some(1)));
    // A model of active objects has no class path.
    let model = json!({"command": "check", "program": {"owner": "file", "path": "call_back.abs"}});
    let line = server.ask("POST", "/api/line", Some(&model));
    assert_eq!(line["line"], "counterpoint check call_back.abs");
}

#[test]
fn a_method_with_unknown_arguments_is_walked_through() {
    let outer = folder();
    let model = "module M;\nclass Counter(Int limit) {\n  Int n = 0;\n  Int add(Int m) {\n\
        \x20   if (m > limit) { n = n + m; }\n    return n;\n  }\n}\n";
    fs::write(outer.path().join("root/counter.abs"), model).expect("writable");
    let server = serve(&outer);
    let ask = |command: &str, choices: Value| {
        let wish = json!({"program": {"owner": "file", "path": "counter.abs"},
            "wishes": {"command": command, "flags": {"method": ["Counter.add"]}},
            "question": {"choices": choices, "follow": true}});
        server.request("POST", "/api/step", Some(&wish))
    };
    let start = ask("generate", json!([])).json();
    let moves = start["moves"].as_array().expect("moves");
    let texts: Vec<&str> = moves.iter().filter_map(|one| one["text"].as_str()).collect();
    assert_eq!(texts.len(), 2, "{start}");
    assert!(texts[0].contains(", where this.limit >= m: return"), "{texts:?}");
    assert!(texts[1].contains(", where this.limit < m, sets n = ?"), "{texts:?}");
    let chosen =
        [start["choices"].as_array().expect("choices").clone(), vec![moves[1]["choice"].clone()]];
    let end = ask("generate", json!(chosen.concat())).json();
    assert_eq!(end["ended"], "complete", "{end}");
    assert_eq!(ask("serve", json!([])).status, 422);
}

#[test]
fn a_state_is_named_by_its_choices() {
    let outer = folder();
    let server = serve(&outer);
    let ask = |choices: Value| {
        let wish = json!({"program": {"owner": "file", "path": "call_back.abs"},
            "question": {"choices": choices, "picture": true}});
        server.ask("POST", "/api/step", Some(&wish))
    };
    let start = ask(json!([]));
    assert_eq!(start["moves"][0]["choice"], "0");
    let mut choices = vec![];
    let mut state = start;
    while let Some(next) = state["moves"].get(0) {
        choices.push(next["choice"].clone());
        state = ask(json!(choices));
    }
    assert_eq!(state["ended"], "deadlock", "{state}");
    assert_eq!(state["waiting"].as_array().map(Vec::len), Some(3), "{state}");
    assert!(
        state["failures"][0]["title"].as_str().is_some_and(|text| text.starts_with("deadlock"))
    );
    assert!(state["picture"].as_str().is_some_and(|text| text.starts_with("<svg")));
    let client =
        state["state"].as_array().expect("a state").iter().find(|node| node["name"] == "client");
    let kept = &client.expect("an object")["children"][0];
    assert_eq!((&kept["name"], &kept["value"]), (&json!("kept by"), &json!("client.start")));
    let wrong = ask(json!(["0", "0.7.7"]));
    assert!(wrong["error"].as_str().is_some_and(|text| text.contains("step 2")), "{wrong}");
    assert_eq!(wrong["choices"], json!(["0"]), "it stands where it could still go");
}

#[test]
fn the_editor_component_is_made_of_what_its_lock_file_names() {
    let works = Command::new("npm").arg("--version").stdout(Stdio::null()).status();
    if !works.is_ok_and(|status| status.success()) {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lock = root.join("crates/app/page/vendor/package-lock.json");
    let lock = fs::read_to_string(lock).expect("it is there");
    assert!(!lock.contains("http"), "it names no host");
    let output = Command::new(root.join("scripts/page")).arg("--check").output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "run scripts/page again: {text}");
}
