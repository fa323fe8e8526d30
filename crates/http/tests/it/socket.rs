//! Tests of the server over a socket, for behaviour that a test of the app cannot observe.

mod connections;
mod heads;
mod limits;

use crate::common::{ADDRESS, App, LOOKUP, REGISTER};
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use voight_http::{HttpSettings, serve_public};

struct Served {
    app: App,
    at: SocketAddr,
}

/// Serves an app with a body timeout of 200 ms.
async fn serve() -> Served {
    let settings = HttpSettings {
        body_timeout: Duration::from_millis(200),
        workers: Some(1),
        ..HttpSettings::default()
    };
    serve_with(settings).await
}

async fn serve_with(settings: HttpSettings) -> Served {
    let app = App::with_settings(settings).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    actix_web::rt::spawn(serve_public(listener, &app.state).unwrap());
    Served { app, at }
}

impl Served {
    /// Sends text and returns all received bytes until the server is silent or closes.
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
async fn slow_body_is_408() {
    let server = serve().await;
    let head = format!(
        "POST {REGISTER} HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{{",
        server.app.secret
    );
    let answer = server.send(&head).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains(r#""id":"m_g_t_1""#), "{answer}");
}

#[actix_web::test]
async fn lookup_over_a_socket() {
    let server = serve().await;
    let context = server.app.context().await;
    let answer = server
        .send(&format!(
            "GET {LOOKUP}?eoa_address={ADDRESS}&context_id={context} HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\n\r\n",
            server.app.secret
        ))
        .await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(
        answer.ends_with(r#"{"success":true,"data":{"isBot":false,"confidence":{"score":0}}}"#),
        "{answer}"
    );
}

#[actix_web::test]
async fn head_request_has_no_body_and_a_trace_is_not_echoed() {
    let server = serve().await;
    let head = server
        .send(&format!("HEAD {LOOKUP} HTTP/1.1\r\nhost: x\r\n\r\n"))
        .await;
    assert!(
        head.starts_with("HTTP/1.1 405 ") && head.contains("allow: GET\r\n"),
        "{head}"
    );
    assert!(head.ends_with("\r\n\r\n"), "{head}");
    let trace = server
        .send(&format!(
            "TRACE {LOOKUP} HTTP/1.1\r\nhost: x\r\nx-secret: hush\r\n\r\n"
        ))
        .await;
    assert!(
        trace.starts_with("HTTP/1.1 405 ") && !trace.contains("hush"),
        "{trace}"
    );
}

#[actix_web::test]
async fn endless_unread_body_times_out() {
    let server = serve().await;
    for path in [REGISTER, LOOKUP, "/none"] {
        let mut stream = TcpStream::connect(server.at).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffff\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let read_result =
            tokio::time::timeout(Duration::from_secs(5), stream.read_to_string(&mut answer)).await;
        assert!(read_result.is_ok(), "{path} is still open");
        assert!(
            answer.starts_with("HTTP/1.1 4") && answer.contains("connection: close\r\n"),
            "{answer}"
        );
    }
}

#[actix_web::test]
async fn endless_second_head_times_out() {
    let settings = HttpSettings {
        // actix measures time with a clock that is updated twice a second.
        head_timeout: Duration::from_secs(1),
        keep_alive_timeout: Duration::from_secs(2),
        workers: Some(1),
        ..HttpSettings::default()
    };
    let server = serve_with(settings).await;
    let full_request = "GET /none HTTP/1.1\r\nhost: x\r\n\r\n";
    // The head timeout starts with the first byte of a head; the timeout of a silent connection is longer.
    for (then, least) in [("GET / HT", 800), ("", 1300)] {
        let mut stream = TcpStream::connect(server.at).await.unwrap();
        stream
            .write_all(full_request.repeat(2).as_bytes())
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        stream.write_all(then.as_bytes()).await.unwrap();
        let mut received_bytes = Vec::new();
        let read_to_end = stream.read_to_end(&mut received_bytes);
        tokio::pin!(read_to_end);
        let early_end =
            tokio::time::timeout(Duration::from_millis(least - 100), &mut read_to_end).await;
        assert!(
            early_end.is_err(),
            "{then:?}: it is cut before {least} ms: {early_end:?}"
        );
        // A closed connection may end with an error; the test requires only that it ends.
        let end = tokio::time::timeout(Duration::from_secs(5), &mut read_to_end).await;
        assert!(end.is_ok(), "{then:?} holds it");
        assert_eq!(
            String::from_utf8_lossy(&received_bytes)
                .matches("HTTP/1.1 404")
                .count(),
            2
        );
    }
}

#[actix_web::test]
async fn complete_chunked_body_keeps_the_connection_open() {
    let server = serve().await;
    let body = r#"{"context_title":"a"}"#;
    let request = format!(
        "POST {REGISTER} HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        server.app.secret,
        body.len()
    );
    let answers = server.send(&request.repeat(2)).await;
    assert_eq!(
        answers.matches("HTTP/1.1 200 OK\r\n").count(),
        2,
        "{answers}"
    );
    assert!(!answers.contains("connection: close"), "{answers}");
}
