//! The server itself, over a socket: what a test of the app alone cannot show.

#![expect(clippy::unwrap_used, reason = "helpers of tests may stop at the first thing that is wrong")]

mod common;

use common::{ADDRESS, App, LOOKUP, REGISTER};
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use voight_http::{HttpSettings, serve_public};

struct Served {
    app: App,
    at: SocketAddr,
}

/// Serves an app whose bodies have to arrive within 200 ms.
async fn serve() -> Served {
    let settings =
        HttpSettings { body_timeout: Duration::from_millis(200), workers: Some(1), ..HttpSettings::default() };
    serve_with(settings).await
}

async fn serve_with(settings: HttpSettings) -> Served {
    let app = App::with(settings).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    actix_web::rt::spawn(serve_public(listener, &app.state).unwrap());
    Served { app, at }
}

impl Served {
    /// Sends text and returns everything that comes back until the server is silent or closes.
    async fn send(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(self.at).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            match tokio::time::timeout(Duration::from_secs(1), stream.read(&mut buffer)).await {
                Ok(Ok(count)) if count > 0 => answer.extend_from_slice(&buffer[..count]),
                _ => return String::from_utf8(answer).unwrap(),
            }
        }
    }
}

#[actix_web::test]
async fn a_slow_body_is_408() {
    let served = serve().await;
    let head = format!(
        "POST {REGISTER} HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{{",
        served.app.secret
    );
    let answer = served.send(&head).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains(r#""id":"m_g_t_1""#), "{answer}");
}

#[actix_web::test]
async fn a_lookup_over_a_socket() {
    let served = serve().await;
    let context = served.app.context().await;
    let answer = served
        .send(&format!(
            "GET {LOOKUP}?eoa_address={ADDRESS}&context_id={context} HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\n\r\n",
            served.app.secret
        ))
        .await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with(r#"{"success":true,"data":{"isBot":false,"confidence":{"score":0}}}"#), "{answer}");
}

#[actix_web::test]
async fn a_head_request_has_no_body_and_a_trace_is_not_echoed() {
    let served = serve().await;
    let head = served.send(&format!("HEAD {LOOKUP} HTTP/1.1\r\nhost: x\r\n\r\n")).await;
    assert!(head.starts_with("HTTP/1.1 405 ") && head.contains("allow: GET\r\n"), "{head}");
    assert!(head.ends_with("\r\n\r\n"), "{head}");
    let trace = served.send(&format!("TRACE {LOOKUP} HTTP/1.1\r\nhost: x\r\nx-secret: hush\r\n\r\n")).await;
    assert!(trace.starts_with("HTTP/1.1 405 ") && !trace.contains("hush"), "{trace}");
}

#[actix_web::test]
async fn an_unread_body_that_never_ends_holds_no_connection() {
    let served = serve().await;
    for path in [REGISTER, LOOKUP, "/none"] {
        let mut stream = TcpStream::connect(served.at).await.unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffff\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let closed = tokio::time::timeout(Duration::from_secs(5), stream.read_to_string(&mut answer)).await;
        assert!(closed.is_ok(), "{path} is still open");
        assert!(answer.starts_with("HTTP/1.1 4") && answer.contains("connection: close\r\n"), "{answer}");
    }
}

/// The beginning of a request for a check whose body never ends.
const UNFINISHED_CHECK: &str =
    "POST /window/v1/checks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
const DOCUMENT: &str =
    "GET /window/v1?context=quest.x&origin=https://quest.example HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

impl Served {
    /// Begins requests that are never finished; the service has seen them when this returns.
    async fn begin(&self, text: &str, connections: usize) -> Vec<TcpStream> {
        let mut begun = Vec::new();
        for _ in 0..connections {
            let mut stream = TcpStream::connect(self.at).await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
            begun.push(stream);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        begun
    }

    /// A request for a lookup by this key.
    fn lookup(key: &str, context: &str) -> String {
        let target = format!("{LOOKUP}?eoa_address={ADDRESS}&context_id={context}");
        format!("GET {target} HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\nconnection: close\r\n\r\n")
    }
}

#[actix_web::test]
async fn a_body_that_is_still_received_holds_no_permit() {
    let settings = HttpSettings { max_in_flight: 4, workers: Some(1), ..HttpSettings::default() };
    let served = serve_with(HttpSettings { trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()], ..settings }).await;
    let context = served.app.context().await;
    let mut held = Vec::new();
    for network in 0..12 {
        let from = format!("host: x\r\nx-forwarded-for: 192.0.2.{network}");
        held.extend(served.begin(&UNFINISHED_CHECK.replace("host: x", &from), 1).await);
    }
    for file in [DOCUMENT, "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"] {
        let answer = served.send(file).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    let answer = served.send(&Served::lookup(&served.app.secret, &context)).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(!served.app.state.is_overloaded_by_visitors());
}

#[actix_web::test]
async fn a_network_with_too_many_requests_in_flight_gets_429_and_no_other_does() {
    let settings = HttpSettings { max_in_flight_per_network: 2, workers: Some(1), ..HttpSettings::default() };
    let served = serve_with(HttpSettings { trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()], ..settings }).await;
    let from = |network: &str| DOCUMENT.replace("host: x", &format!("host: x\r\nx-forwarded-for: {network}"));
    let _held = served.begin(&UNFINISHED_CHECK.replace("host: x", "host: x\r\nx-forwarded-for: 2001:db8::1"), 2).await;
    let limited = served.send(&from("2001:db8::2")).await;
    assert!(limited.starts_with("HTTP/1.1 429 ") && limited.contains("m_g_r_1"), "{limited}");
    assert!(limited.contains("retry-after: 1\r\n"), "{limited}");
    let other = served.send(&from("2001:db8:0:1::1")).await;
    assert!(other.starts_with("HTTP/1.1 200 "), "{other}");
    assert!(!served.app.state.is_overloaded_by_visitors(), "the excess is one network's");
}

#[actix_web::test]
async fn a_client_with_too_many_requests_in_flight_gets_429_and_no_other_does() {
    let settings = HttpSettings { max_in_flight_per_client: 2, workers: Some(1), ..HttpSettings::default() };
    let served = serve_with(settings).await;
    let context = served.app.context().await;
    let other = served.app.state.services.registrar.create_client("other".parse().unwrap()).await.unwrap();
    let scopes = voight_domain::vocabulary::Scope::ALL;
    let other = served.app.issue_to(&other, voight_domain::vocabulary::Environment::Live, &scopes).await;
    let unfinished = format!(
        "POST /api/v1/receipts/verify HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
         content-length: 99\r\n\r\n{{",
        other.secret.expose()
    );
    let _held = served.begin(&unfinished, 6).await;
    let limited = served.send(&Served::lookup(other.secret.expose(), &context)).await;
    assert!(limited.starts_with("HTTP/1.1 429 ") && limited.contains("m_g_r_1"), "{limited}");
    assert!(limited.contains("retry-after: 1\r\n"), "{limited}");
    let answer = served.send(&Served::lookup(&served.app.secret, &context)).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(!served.app.state.is_overloaded(), "the excess is one client's");
}

#[actix_web::test]
async fn bodies_that_are_received_share_bounded_memory() {
    let settings = HttpSettings { receiving_bytes: 4, workers: Some(1), ..HttpSettings::default() };
    let served = serve_with(settings).await;
    let answer = served.send(&UNFINISHED_CHECK.replace("\r\n\r\n{", "\r\n\r\n{    ")).await;
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("m_g_x_2"), "{answer}");
    assert!(served.app.state.is_overloaded_by_visitors() && !served.app.state.is_overloaded());
}

#[actix_web::test]
async fn a_network_with_too_many_connections_gets_no_more_and_a_trusted_proxy_does() {
    for (trusted, answered) in [(vec![], 2), (vec!["127.0.0.0/8".parse().unwrap()], 5)] {
        let settings =
            HttpSettings { max_connections_per_network: 2, trusted_proxies: trusted, ..HttpSettings::default() };
        let served = serve_with(settings).await;
        let mut streams = served.begin("GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\n", 5).await;
        let mut count = 0;
        for stream in &mut streams {
            let mut buffer = [0; 12];
            count += usize::from(stream.read_exact(&mut buffer).await.is_ok() && buffer.ends_with(b"200"));
        }
        assert_eq!(count, answered);
        drop(streams);
        tokio::time::sleep(Duration::from_millis(200)).await;
        let again = served.send("GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
        assert!(again.starts_with("HTTP/1.1 200 "), "closed connections are no longer counted: {again}");
    }
}

#[actix_web::test]
async fn a_later_head_that_never_ends_holds_no_connection() {
    let settings = HttpSettings {
        // actix counts by a clock that is set twice a second.
        head_timeout: Duration::from_secs(1),
        keep_alive: Duration::from_secs(2),
        workers: Some(1),
        ..HttpSettings::default()
    };
    let served = serve_with(settings).await;
    let whole = "GET /none HTTP/1.1\r\nhost: x\r\n\r\n";
    // The time for a head begins with its first byte; a connection that is silent may be so for longer.
    for (then, least) in [("GET / HT", 800), ("", 1300)] {
        let mut stream = TcpStream::connect(served.at).await.unwrap();
        stream.write_all(whole.repeat(2).as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        stream.write_all(then.as_bytes()).await.unwrap();
        let mut read = Vec::new();
        let rest = stream.read_to_end(&mut read);
        tokio::pin!(rest);
        let early = tokio::time::timeout(Duration::from_millis(least - 100), &mut rest).await;
        assert!(early.is_err(), "{then:?}: it is cut before {least} ms: {early:?}");
        // A connection that is cut may end with an error; what counts is that it ends.
        let cut = tokio::time::timeout(Duration::from_secs(5), &mut rest).await;
        assert!(cut.is_ok(), "{then:?} holds it");
        assert_eq!(String::from_utf8_lossy(&read).matches("HTTP/1.1 404").count(), 2);
    }
}

/// A connection with a limit of one second for a head, and of six for an idle connection, is cut within three seconds, or not.
async fn is_cut_early(served: &Served, parts: &[&str]) -> bool {
    let mut stream = TcpStream::connect(served.at).await.unwrap();
    for part in parts {
        stream.write_all(part.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut read = Vec::new();
    let cut = tokio::time::timeout(Duration::from_secs(3), stream.read_to_end(&mut read)).await.is_ok();
    assert!(String::from_utf8_lossy(&read).contains("HTTP/1.1 "), "the first request is answered");
    cut
}

#[actix_web::test]
async fn a_head_that_begins_behind_a_request_has_the_time_of_a_head() {
    let settings = HttpSettings {
        head_timeout: Duration::from_secs(1),
        keep_alive: Duration::from_secs(6),
        workers: Some(1),
        ..HttpSettings::default()
    };
    let served = serve_with(settings).await;
    let get = "GET /none HTTP/1.1\r\nhost: x\r\n\r\n";
    let file = "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\n";
    let post = |body: &str| {
        let key = &served.app.secret;
        let fields = format!("x-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
        format!("POST {REGISTER} HTTP/1.1\r\nhost: x\r\n{fields}\r\n\r\n{body}")
    };
    let (whole, blank) = (post(r#"{"context_title":"a"}"#), post("{\"context_title\":\r\n\r\n\"a\"}"));
    let chunked =
        whole.replace("content-length: 21\r\n\r\n", "transfer-encoding: chunked\r\n\r\n15\r\n") + "\r\n0\r\n\r\n";
    let with = |first: &str, next: &str| format!("{first}{next}");
    // A head that is begun and never ended, behind every kind of request.
    let unfinished = "GET /window/v1 HTTP/1.1\r\nhost: x\r\nx-slow: ";
    for parts in [
        vec![with(get, "G")],
        vec![with(get, unfinished)],
        vec![with(file, unfinished)],
        vec![with(&get.repeat(3), unfinished)],
        vec![with(&whole, unfinished)],
        vec![with(&blank, unfinished)],
        vec![with(&chunked, unfinished)],
        vec![with(get, &whole), with(&whole, unfinished)],
        // The body comes later, with the beginning of the next head.
        vec![whole[..whole.len() - 5].to_owned(), with(&whole[whole.len() - 5..], unfinished)],
        // The head of the request comes in two parts.
        vec![get[..9].to_owned(), with(&get[9..], unfinished)],
        // After an answer.
        vec![get.to_owned(), unfinished.to_owned()],
    ] {
        let parts: Vec<_> = parts.iter().map(String::as_str).collect();
        assert!(is_cut_early(&served, &parts).await, "{parts:?}");
    }
    // A connection that waits for the next request has the time of an idle one.
    for parts in [
        vec![get.to_owned()],
        vec![file.to_owned()],
        vec![get.repeat(3)],
        vec![whole.clone()],
        vec![chunked.clone()],
        vec![whole[..whole.len() - 5].to_owned(), whole[whole.len() - 5..].to_owned()],
        vec![whole.clone(), get.to_owned()],
    ] {
        let parts: Vec<_> = parts.iter().map(String::as_str).collect();
        assert!(!is_cut_early(&served, &parts).await, "{parts:?}");
    }
}

#[actix_web::test]
async fn a_whole_chunked_body_leaves_its_connection_open() {
    let served = serve().await;
    let body = r#"{"context_title":"a"}"#;
    let request = format!(
        "POST {REGISTER} HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        served.app.secret,
        body.len()
    );
    let answers = served.send(&request.repeat(2)).await;
    assert_eq!(answers.matches("HTTP/1.1 200 OK\r\n").count(), 2, "{answers}");
    assert!(!answers.contains("connection: close"), "{answers}");
}
