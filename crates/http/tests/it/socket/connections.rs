//! Limits of a connection: requests that a client sends ahead, unread bodies, idle connections.

use super::{serve, serve_with};
use crate::common::REGISTER;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use voight_http::HttpSettings;

const FILE: &str = "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\n";

#[actix_web::test]
async fn pipelined_requests_are_answered_in_order() {
    let server = serve().await;
    let post = |framing: &str, body: &str| {
        let key = &server.app.secret;
        format!(
            "POST {REGISTER} HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\ncontent-type: application/json\r\n{framing}\r\n\r\n{body}"
        )
    };
    let requests = [
        FILE.to_owned(),
        "GET /none HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
        post("content-length: 21", r#"{"context_title":"a"}"#),
        "HEAD /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
        post(
            "transfer-encoding: chunked",
            "15;x=1\r\n{\"context_title\":\"b\"}\r\n0\r\nx: y\r\n\r\n",
        ),
        "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\nif-none-match: *\r\n\r\n".to_owned(),
        post(
            "expect: 100-continue\r\ncontent-length: 21",
            r#"{"context_title":"c"}"#,
        ),
        "GET /none HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_owned(),
    ];
    let mut stream = TcpStream::connect(server.at).await.unwrap();
    stream
        .write_all(requests.concat().as_bytes())
        .await
        .unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).await.unwrap();
    let statuses: Vec<_> = answers
        .split("HTTP/1.1 ")
        .skip(1)
        .map(|answer| &answer[..3])
        .collect();
    assert_eq!(
        statuses,
        [
            "200", "404", "200", "200", "200", "304", "100", "200", "404"
        ],
        "{answers}"
    );
    // The parser closes after a request that asks for it, and would apply that to earlier responses that are not sent yet.
    assert_eq!(answers.matches("connection: close").count(), 1, "{answers}");
}

#[actix_web::test]
async fn body_of_a_rejected_request_is_not_drained() {
    let server = serve().await;
    for framing in [
        "content-length: 209715200\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\nc800000\r\n",
    ] {
        let mut stream = TcpStream::connect(server.at).await.unwrap();
        let head = format!(
            "POST {REGISTER} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{framing}"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut sent_bytes = 0;
        while let Ok(Ok(written)) =
            timeout(Duration::from_secs(4), stream.write(&[b'a'; 16 << 10])).await
        {
            sent_bytes += written;
            assert!(
                sent_bytes < 16 << 20,
                "{sent_bytes} bytes fit neither the bound nor the buffers of both sockets"
            );
        }
    }
}

#[actix_web::test]
async fn client_that_is_still_sending_reads_its_rejection() {
    let server = serve().await;
    for bytes in [40, 100 << 10] {
        let mut stream = TcpStream::connect(server.at).await.unwrap();
        let head =
            format!("POST {REGISTER} HTTP/1.1\r\nhost: x\r\ncontent-length: {bytes}\r\n\r\n");
        stream
            .write_all((head + &"a".repeat(bytes)).as_bytes())
            .await
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(
            answer.starts_with("HTTP/1.1 401 ") && answer.contains("connection: close\r\n"),
            "{answer}"
        );
    }
}

#[actix_web::test]
async fn idle_connections_give_way_to_new_ones() {
    let settings = HttpSettings {
        max_connections: 32,
        workers: Some(1),
        ..HttpSettings::default()
    };
    let server = serve_with(settings).await;
    let mut streams = Vec::new();
    for _ in 0..64 {
        let mut stream = TcpStream::connect(server.at).await.unwrap();
        stream.write_all(FILE.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        let read_result = timeout(Duration::from_secs(5), stream.read_exact(&mut status)).await;
        assert!(
            read_result.is_ok() && status.ends_with(b"200"),
            "{} connections are held",
            streams.len()
        );
        streams.push(stream);
    }
    let mut open = Vec::new();
    for (index, stream) in streams.iter_mut().enumerate() {
        let mut buffer = Vec::new();
        if timeout(Duration::from_millis(20), stream.read_to_end(&mut buffer))
            .await
            .is_err()
        {
            open.push(index);
        }
    }
    assert_eq!(
        open,
        (36..64).collect::<Vec<_>>(),
        "seven eighths are kept, the newest"
    );
    assert!(!server.app.state.lacks_connections());
}
