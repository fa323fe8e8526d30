//! Head timeout, for every position at which a head can begin.

use super::{Served, serve_with};
use crate::common::REGISTER;
use futures_util::future::join_all;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use voight_http::HttpSettings;

/// Returns `true` if a connection is closed within three seconds. The head timeout is one second, the idle timeout six.
async fn is_cut_early(served: &Served, parts: &[&str]) -> bool {
    let mut stream = TcpStream::connect(served.at).await.unwrap();
    for part in parts {
        stream.write_all(part.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut received_bytes = Vec::new();
    let is_closed = tokio::time::timeout(
        Duration::from_secs(3),
        stream.read_to_end(&mut received_bytes),
    )
    .await
    .is_ok();
    assert!(
        String::from_utf8_lossy(&received_bytes).contains("HTTP/1.1 "),
        "the first request is answered"
    );
    is_closed
}

#[actix_web::test]
async fn pipelined_head_has_the_head_timeout() {
    let settings = HttpSettings {
        head_timeout: Duration::from_secs(1),
        keep_alive_timeout: Duration::from_secs(6),
        workers: Some(1),
        ..HttpSettings::default()
    };
    let server = serve_with(settings).await;
    let get = "GET /none HTTP/1.1\r\nhost: x\r\n\r\n";
    let file = "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\n";
    let post = |body: &str| {
        let key = &server.app.secret;
        let fields = format!(
            "x-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {}",
            body.len()
        );
        format!("POST {REGISTER} HTTP/1.1\r\nhost: x\r\n{fields}\r\n\r\n{body}")
    };
    let post_request = post(r#"{"context_title":"a"}"#);
    let blank = post("{\"context_title\":\r\n\r\n\"a\"}");
    let chunked_post = post_request.replace(
        "content-length: 21\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\n15\r\n",
    ) + "\r\n0\r\n\r\n";
    let with = |first: &str, next: &str| format!("{first}{next}");
    // Unfinished heads after every kind of request.
    let unfinished_head = "GET /window/v1 HTTP/1.1\r\nhost: x\r\nx-slow: ";
    let cut_early = [
        vec![with(get, "G")],
        vec![with(get, unfinished_head)],
        vec![with(file, unfinished_head)],
        vec![with(&get.repeat(3), unfinished_head)],
        vec![with(&post_request, unfinished_head)],
        vec![with(&blank, unfinished_head)],
        vec![with(&chunked_post, unfinished_head)],
        vec![
            with(get, &post_request),
            with(&post_request, unfinished_head),
        ],
        // The body arrives later, together with the beginning of the next head.
        vec![
            post_request[..post_request.len() - 5].to_owned(),
            with(&post_request[post_request.len() - 5..], unfinished_head),
        ],
        // The head of the request arrives in two parts.
        vec![get[..9].to_owned(), with(&get[9..], unfinished_head)],
        // The head follows after a response.
        vec![get.to_owned(), unfinished_head.to_owned()],
    ];
    // The idle timeout applies to a connection that waits for the next request.
    let cut_when_idle = [
        vec![get.to_owned()],
        vec![file.to_owned()],
        vec![get.repeat(3)],
        vec![post_request.clone()],
        vec![chunked_post.clone()],
        vec![
            post_request[..post_request.len() - 5].to_owned(),
            post_request[post_request.len() - 5..].to_owned(),
        ],
        vec![post_request.clone(), get.to_owned()],
    ];
    let cases = cut_early
        .map(|parts| (parts, true))
        .into_iter()
        .chain(cut_when_idle.map(|parts| (parts, false)));
    join_all(cases.map(async |(parts, expected)| {
        let parts: Vec<_> = parts.iter().map(String::as_str).collect();
        assert_eq!(is_cut_early(&server, &parts).await, expected, "{parts:?}");
    }))
    .await;
}
