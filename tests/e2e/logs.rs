//! JSON log of a running server: rejections say why, and no line contains an address, a key or an IP address.

use crate::erase::check::ScriptedCheck;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use tempfile::TempDir;
use voight_tests::http::{self, INVALID_KEY, Response, UNKNOWN_CONTEXT};
use voight_tests::server::{Server, TestAccount};

const ADDRESS: &str = "0x00112233445566778899aabbccddeeff00112233";
const INVALID_ADDRESS: (u16, &str) = (400, "m_l_e_1");
const ORIGIN: &str = "https://quest.example";
/// Context that no client has registered.
const UNKNOWN: &str = "spring.missing";
/// Headers of a call from the window.
const WINDOW: [(&str, &str); 2] = [
    ("content-type", "application/json"),
    ("sec-fetch-site", "same-origin"),
];

/// Server that logs JSON.
struct LoggingServer {
    server: Server,
    account: TestAccount,
    _folder: TempDir,
}

impl LoggingServer {
    /// Starts a server with this log filter.
    fn start(filter: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Server::start_with(&folder.path().join("data"), |command| {
            command.args(["--log-format", "json", "--log", filter]);
        });
        let account = server.account("acme");
        Self {
            server,
            account,
            _folder: folder,
        }
    }

    fn get(&self, path: &str, key: &str) -> Response {
        let url = format!("{}{path}", self.server.url());
        http::get(&http::agent(), &url, &[("x-api-key", key)]).expect("the server answers")
    }

    fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Response {
        let url = format!("{}{path}", self.server.url());
        let body = body.to_string();
        http::post(&http::agent(), &url, headers, body.as_bytes()).expect("the server answers")
    }

    /// Returns the lines of the log.
    fn lines(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).expect("a line of JSON");
        self.server.log().lines().map(parse).collect()
    }

    /// Returns the fields of the lines with this event. Fails if a line contains an address, a key or an IP address.
    fn events(&self, event: &str) -> Vec<Value> {
        let mut lines = self.lines();
        for line in &lines {
            let text = line.to_string();
            let secrets = [&ADDRESS[2..], &self.account.key, "half-a-key"];
            for secret in secrets {
                assert!(!text.contains(secret), "{secret}: {text}");
            }
            // The first lines contain the addresses of the listeners.
            let start_events = ["service_started", "console_started"];
            let is_start = start_events.contains(&line["fields"]["event"].as_str().unwrap_or(""));
            assert!(is_start || !text.contains("127.0.0.1"), "{text}");
        }
        lines.retain(|line| line["fields"]["event"] == event);
        lines.iter().map(|line| line["fields"].clone()).collect()
    }
}

/// Returns the members of each line.
fn members(lines: &[Value], names: [&str; 3]) -> Vec<Value> {
    let member = |line: &Value| names.map(|name| line[name].clone()).to_vec().into();
    lines.iter().map(member).collect()
}

#[test]
fn rejected_lookups_name_context_and_reason() {
    let server = LoggingServer::start("info");
    let TestAccount { key, context, .. } = &server.account;
    let path = |address: &str, context: &str| {
        format!("/api/v1/users/eoa?eoa_address={address}&context_id={context}")
    };
    assert_eq!(server.get(&path(ADDRESS, context), key).status, 200);
    let answers = [
        (path(ADDRESS, UNKNOWN), key.as_str(), UNKNOWN_CONTEXT),
        (path("0x12", context), key, INVALID_ADDRESS),
        (path(ADDRESS, context), "half-a-key", INVALID_KEY),
    ];
    for (path, key, error) in &answers {
        server.get(path, key).assert_error(*error);
    }
    let headers = [("x-api-key", key.as_str()), WINDOW[0]];
    let batch = json!({"context_id": UNKNOWN, "eoa_addresses": [ADDRESS]});
    server
        .post("/api/v1/users/eoa/batch", &headers, &batch)
        .assert_error(UNKNOWN_CONTEXT);
    let lines = server.events("lookup_rejected");
    let route = "/api/v1/users/eoa";
    assert_eq!(
        members(&lines, ["route", "context", "reason"]),
        [
            json!([route, UNKNOWN, UNKNOWN_CONTEXT.1]),
            json!([route, context, INVALID_ADDRESS.1]),
            json!([route, context, INVALID_KEY.1]),
            json!([format!("{route}/batch"), UNKNOWN, UNKNOWN_CONTEXT.1]),
        ]
    );
    assert_eq!(server.events("request_rejected"), [Value::Null; 0]);
}

#[test]
fn rejected_windows_name_origin_and_reason() {
    let server = LoggingServer::start("info");
    let context = &server.account.context;
    for (context, origin) in [(UNKNOWN, ORIGIN), (context, "quest.example")] {
        let path = format!("/window/v1?context={context}&origin={origin}");
        assert_eq!(server.get(&path, "").status, 200);
    }
    let lines = server.events("window_rejected");
    assert_eq!(
        members(&lines, ["context", "origin", "reason"]),
        [
            json!([UNKNOWN, ORIGIN, "context_unknown"]),
            json!([context, "quest.example", "origin_not_allowed"]),
        ]
    );
}

#[test]
fn rejected_checks_name_origin_and_reason() {
    let server = LoggingServer::start("info");
    let context = &server.account.context;
    let new_check = json!({
        "context": UNKNOWN,
        "address": ADDRESS,
        "origin": ORIGIN,
        "originSite": format!("{ORIGIN}/q/1"),
    });
    server.post("/window/v1/checks", &WINDOW, &new_check);
    let foreign = [
        WINDOW[0],
        ("sec-fetch-site", "cross-site"),
        ("origin", ORIGIN),
    ];
    server.post("/window/v1/checks", &foreign, &new_check);
    let check = ScriptedCheck::open(&server.server, context, ADDRESS);
    check.send(&server.server, &json!({}));
    check.complete(&server.server);
    let lines = server.events("check_rejected");
    let reasons = members(&lines, ["context", "origin", "reason"]);
    assert_eq!(
        reasons[..2],
        [
            json!([UNKNOWN, ORIGIN, "context_unknown"]),
            json!([null, ORIGIN, "cross_origin"]),
        ]
    );
    let [invalid_evidence, without_evidence] = &lines[2..] else {
        panic!("{lines:?}")
    };
    for line in [invalid_evidence, without_evidence] {
        assert_eq!(line["context"], context.as_str());
        assert_eq!(line["origin"], ORIGIN);
    }
    assert_eq!(invalid_evidence["reason"], "invalid_evidence");
    assert_ne!(without_evidence["reason"], Value::Null);
}

#[test]
fn level_alone_keeps_the_mutes() {
    let server = LoggingServer::start("debug");
    let TestAccount { key, context, .. } = &server.account;
    let path = format!("/api/v1/users/eoa?eoa_address={ADDRESS}&context_id={context}");
    assert_eq!(server.get(&path, key).status, 200);
    let url = server.server.url();
    let listener = url.trim_start_matches("http://");
    let mut connection = TcpStream::connect(listener).expect("a connection");
    connection
        .write_all(b"no request\r\n\r\n")
        .expect("a write");
    let mut response = String::new();
    connection
        .read_to_string(&mut response)
        .expect("a response");
    assert!(response.starts_with("HTTP/1.1 400"), "{response}");
    assert!(!server.events("request_answered").is_empty());
    for line in server.lines() {
        let target = line["target"].as_str().expect("a target");
        assert!(!target.starts_with("actix_http::h1::dispatcher"), "{line}");
        let is_quiet = !target.starts_with("actix_server") || line["level"] == "WARN";
        assert!(is_quiet, "{line}");
    }
}
