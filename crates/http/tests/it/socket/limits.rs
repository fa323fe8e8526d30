//! Requests and connections in flight: a caller above its limit does not affect others.

use super::{Served, serve_with};
use crate::common::{ADDRESS, LOOKUP};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use voight_domain::vocabulary::Scope;
use voight_http::HttpSettings;

/// Beginning of a request for a check whose body never ends.
const UNFINISHED_CHECK: &str = "POST /window/v1/checks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
const DOCUMENT: &str = "GET /window/v1?context=quest.x&origin=https://quest.example HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

impl Served {
    /// Begins requests that are never finished. The service has received them when this returns.
    async fn begin(&self, text: &str, connections: usize) -> Vec<TcpStream> {
        let mut streams = Vec::new();
        for _ in 0..connections {
            let mut stream = TcpStream::connect(self.at).await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
            streams.push(stream);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        streams
    }

    /// Returns a lookup request with this key.
    fn lookup(key: &str, context: &str) -> String {
        let target = format!("{LOOKUP}?eoa_address={ADDRESS}&context_id={context}");
        format!("GET {target} HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\nconnection: close\r\n\r\n")
    }
}

#[actix_web::test]
async fn incomplete_body_takes_no_permit() {
    let settings = HttpSettings {
        max_concurrent_requests: 4,
        workers: Some(1),
        ..HttpSettings::default()
    };
    let server = serve_with(HttpSettings {
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
        ..settings
    })
    .await;
    let context = server.app.context().await;
    let mut streams = Vec::new();
    for network in 0..12 {
        let from = format!("host: x\r\nx-forwarded-for: 192.0.2.{network}");
        streams.extend(
            server
                .begin(&UNFINISHED_CHECK.replace("host: x", &from), 1)
                .await,
        );
    }
    for file in [
        DOCUMENT,
        "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    ] {
        let answer = server.send(file).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
    let answer = server
        .send(&Served::lookup(&server.app.secret, &context))
        .await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(!server.app.state.is_overloaded_by_visitors());
}

#[actix_web::test]
async fn in_flight_limit_applies_per_network() {
    let settings = HttpSettings {
        max_concurrent_requests_per_network: 2,
        workers: Some(1),
        ..HttpSettings::default()
    };
    let server = serve_with(HttpSettings {
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
        ..settings
    })
    .await;
    let from = |network: &str| {
        DOCUMENT.replace("host: x", &format!("host: x\r\nx-forwarded-for: {network}"))
    };
    let _held = server
        .begin(
            &UNFINISHED_CHECK.replace("host: x", "host: x\r\nx-forwarded-for: 2001:db8::1"),
            2,
        )
        .await;
    let rejection = server.send(&from("2001:db8::2")).await;
    assert!(
        rejection.starts_with("HTTP/1.1 429 ") && rejection.contains("m_g_r_1"),
        "{rejection}"
    );
    assert!(rejection.contains("retry-after: 1\r\n"), "{rejection}");
    let other_network = server.send(&from("2001:db8:0:1::1")).await;
    assert!(
        other_network.starts_with("HTTP/1.1 200 "),
        "{other_network}"
    );
    assert!(
        !server.app.state.is_overloaded_by_visitors(),
        "the excess is one network's"
    );
}

#[actix_web::test]
async fn in_flight_limit_applies_per_client() {
    let settings = HttpSettings {
        max_concurrent_requests_per_client: 2,
        workers: Some(1),
        ..HttpSettings::default()
    };
    let server = serve_with(settings).await;
    let context = server.app.context().await;
    let other_key = server.app.issue_to_other_client(&Scope::ALL).await;
    let unfinished_request = format!(
        "POST /api/v1/receipts/verify HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
         content-length: 99\r\n\r\n{{",
        other_key.secret.expose()
    );
    let _held = server.begin(&unfinished_request, 6).await;
    let rejection = server
        .send(&Served::lookup(other_key.secret.expose(), &context))
        .await;
    assert!(
        rejection.starts_with("HTTP/1.1 429 ") && rejection.contains("m_g_r_1"),
        "{rejection}"
    );
    assert!(rejection.contains("retry-after: 1\r\n"), "{rejection}");
    let answer = server
        .send(&Served::lookup(&server.app.secret, &context))
        .await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(
        !server.app.state.is_overloaded(),
        "the excess is one client's"
    );
}

#[actix_web::test]
async fn bodies_that_are_received_share_bounded_memory() {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let settings = HttpSettings {
        receiving_bytes: 4,
        trusted_proxies,
        workers: Some(1),
        ..HttpSettings::default()
    };
    let server = serve_with(settings).await;
    let from = |network: u8| {
        UNFINISHED_CHECK.replace(
            "host: x",
            &format!("host: x\r\nx-forwarded-for: 192.0.2.{network}"),
        )
    };
    let mut bodies = Vec::new();
    for network in 0..4 {
        bodies.extend(server.begin(&from(network), 1).await);
    }
    let rejection = server.send(&from(0)).await;
    assert!(
        rejection.starts_with("HTTP/1.1 429 ") && rejection.contains("m_g_r_1"),
        "{rejection}"
    );
    assert!(
        !server.app.state.is_overloaded_by_visitors(),
        "the excess is one network's"
    );
    let answer = server.send(&from(4)).await;
    assert!(
        answer.starts_with("HTTP/1.1 503 ") && answer.contains("m_g_x_2"),
        "{answer}"
    );
    assert!(server.app.state.is_overloaded_by_visitors() && !server.app.state.is_overloaded());
}

#[actix_web::test]
async fn trusted_proxies_have_no_connection_limit() {
    for (trusted, answered) in [(vec![], 2), (vec!["127.0.0.0/8".parse().unwrap()], 5)] {
        let settings = HttpSettings {
            max_connections_per_network: 2,
            trusted_proxies: trusted,
            ..HttpSettings::default()
        };
        let server = serve_with(settings).await;
        let mut streams = server
            .begin("GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\n", 5)
            .await;
        let mut count = 0;
        for stream in &mut streams {
            let mut buffer = [0; 12];
            count += usize::from(
                stream.read_exact(&mut buffer).await.is_ok() && buffer.ends_with(b"200"),
            );
        }
        assert_eq!(count, answered);
        drop(streams);
        tokio::time::sleep(Duration::from_millis(200)).await;
        let next_answer = server
            .send("GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            .await;
        assert!(
            next_answer.starts_with("HTTP/1.1 200 "),
            "closed connections are no longer counted: {next_answer}"
        );
    }
}
