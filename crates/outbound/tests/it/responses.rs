//! Responses of receivers, well-formed and hostile, over real sockets.

use crate::authority::Authority;
use crate::client::{LONG, MAX_BODY, SHORT, loopback_client, request, send};
use crate::receiver::{Receiver, read_request};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::sleep;
use voight_domain::outbound::{RetryAfter, TargetUrl};
use voight_domain::ports::{
    Outbound, OutboundError, OutboundMethod, OutboundRequest, OutboundResponse,
};
use voight_outbound::{MAX_HEAD_BYTES, MAX_HEADERS};

/// Head of a response whose body ends with the connection.
const OPEN_HEAD: &[u8] = b"HTTP/1.1 200 OK\r\n\r\n";

/// Returns the result of a call to a receiver that writes `answer` and closes the connection.
async fn result_of(answer: impl Into<Vec<u8>>) -> Result<OutboundResponse, OutboundError> {
    let authority = Authority::new();
    let receiver = Receiver::start_with_answer(authority.acceptor("127.0.0.1"), answer).await;
    let client = loopback_client(&authority, receiver.address.port(), LONG);
    send(&client, &receiver.url()).await
}

fn assert_broken(result: Result<OutboundResponse, OutboundError>, name: &str) {
    let error = result.unwrap_err();
    assert!(
        matches!(error, OutboundError::BrokenResponse(_)),
        "{name}: {error:?}"
    );
    assert!(!error.is_unsent());
}

#[tokio::test]
async fn request_and_response_are_complete() {
    let authority = Authority::new();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&requests);
    let receiver = Receiver::start(authority.acceptor("127.0.0.1"), move |mut stream| {
        let log = Arc::clone(&log);
        async move {
            let request = read_request(&mut stream).await?;
            log.lock().unwrap().push(request);
            let answer =
                b"HTTP/1.1 202 Accepted\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\ndone";
            stream.write_all(answer).await?;
            // The client closes the connection, although the receiver would keep it open.
            read_request(&mut stream).await.map(drop)
        }
    })
    .await;
    let client = loopback_client(&authority, receiver.address.port(), LONG);
    for _ in 0..2 {
        let response = send(&client, &receiver.url()).await.unwrap();
        let expected_response = OutboundResponse {
            status: 202,
            retry_after: Some(RetryAfter::Delay(Duration::from_secs(7))),
            body: b"done".to_vec(),
            is_truncated: false,
        };
        assert_eq!(response, expected_response);
    }
    assert_eq!(
        receiver.connections(),
        2,
        "each call has a connection of its own"
    );
    let get_request = OutboundRequest {
        method: OutboundMethod::Get,
        body: b""[..].into(),
        ..request(TargetUrl::parse(&receiver.url()).unwrap())
    };
    client.send(&get_request).await.unwrap();

    let requests = requests.lock().unwrap();
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    assert_eq!(body, r#"{"type":"test"}"#);
    let mut lines: Vec<&str> = head.lines().collect();
    assert_eq!(lines.remove(0), "POST /hook?a=1 HTTP/1.1");
    lines.sort_unstable();
    let host = format!("host: {}", receiver.address);
    let product = concat!("user-agent: Voight/", env!("CARGO_PKG_VERSION"));
    let expected_lines = [
        "connection: close",
        "content-length: 15",
        &host,
        product,
        "webhook-id: msg_1",
    ];
    assert_eq!(lines, expected_lines);
    assert!(requests[2].starts_with("GET /hook?a=1 HTTP/1.1\r\n"));
}

#[tokio::test]
async fn large_request_is_sent_completely() {
    let authority = Authority::new();
    let receiver = Receiver::start(authority.acceptor("127.0.0.1"), |mut stream| async move {
        let request = read_request(&mut stream).await?;
        let length = request.split_once("\r\n\r\n").unwrap().1.len();
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n{length:06}");
        stream.write_all(answer.as_bytes()).await
    })
    .await;
    let client = loopback_client(&authority, receiver.address.port(), LONG);
    let large_request = OutboundRequest {
        body: vec![b'x'; 300_000].into(),
        ..request(TargetUrl::parse(&receiver.url()).unwrap())
    };
    assert_eq!(client.send(&large_request).await.unwrap().body, b"300000");
}

#[tokio::test]
async fn valid_responses_of_every_form_are_read() {
    for (answer, status, body) in [
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
        (
            "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nx",
            101,
            "",
        ),
        (
            "HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n",
            304,
            "",
        ),
        ("HTTP/1.0 200 OK\r\n\r\nold", 200, "old"),
        ("HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n", 200, ""),
        (
            "HTTP/1.1 410 Gone\r\ncontent-length: 4\r\n\r\ngone",
            410,
            "gone",
        ),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            200,
            "abcde",
        ),
        // Content-Length says less than the receiver sends: the rest belongs to no response.
        (
            "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 Oops\r\n\r\n",
            200,
            "ok",
        ),
        (
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
            200,
            "ok",
        ),
    ] {
        let response = result_of(answer).await.unwrap();
        assert_eq!(
            (response.status, response.body),
            (status, body.into()),
            "{answer:?}"
        );
        assert!(!response.is_truncated);
    }
}

#[tokio::test]
async fn broken_responses_are_errors() {
    for (name, answer) in [
        ("nothing", ""),
        ("garbage", "\0\u{1}\u{2} no HTTP\r\n\r\n"),
        ("another protocol", "SSH-2.0-OpenSSH_9.9\r\n"),
        ("HTTP/0.9", "<html>hello</html>"),
        ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ("version 1.2", "HTTP/1.2 200 OK\r\n\r\n"),
        ("status", "HTTP/1.1 2000 OK\r\n\r\n"),
        ("no status", "HTTP/1.1 OK\r\n\r\n"),
        ("end of the head", "HTTP/1.1 200 OK\r\ncontent-le"),
        (
            "end before the body",
            "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n",
        ),
        (
            "end of the body",
            "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc",
        ),
        (
            "negative length",
            "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nabc",
        ),
        (
            "text as length",
            "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\nabc",
        ),
        (
            "huge length",
            "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\nabc",
        ),
        (
            "two lengths",
            "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nabc",
        ),
        (
            "end of a chunk",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
        ),
        (
            "no last chunk",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n",
        ),
        (
            "chunk size",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\nab\r\n0\r\n\r\n",
        ),
        (
            "huge chunk size",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nab",
        ),
        (
            "header without a colon",
            "HTTP/1.1 200 OK\r\nbroken\r\n\r\n",
        ),
    ] {
        assert_broken(result_of(answer).await, name);
    }
}

#[tokio::test]
async fn body_is_cut_at_the_limit() {
    for (length, is_truncated) in [
        (MAX_BODY - 1, false),
        (MAX_BODY, false),
        (MAX_BODY + 1, true),
    ] {
        let mut answer =
            format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n").into_bytes();
        answer.resize(answer.len() + length, b'x');
        let response = result_of(answer).await.unwrap();
        assert_eq!(response.body.len(), length.min(MAX_BODY));
        assert_eq!(response.is_truncated, is_truncated, "{length}");
    }
}

#[tokio::test]
async fn endless_body_is_cut_and_the_connection_closed() {
    let authority = Authority::new();
    let (sender, mut sent_bytes) = tokio::sync::mpsc::channel(1);
    let receiver = Receiver::start(authority.acceptor("127.0.0.1"), move |mut stream| {
        let sender = sender.clone();
        async move {
            read_request(&mut stream).await?;
            stream.write_all(OPEN_HEAD).await?;
            let mut bytes = 0_usize;
            while stream.write_all(&[b'x'; 1_024]).await.is_ok() {
                bytes += 1_024;
            }
            sender.send(bytes).await.map_err(std::io::Error::other)
        }
    })
    .await;
    let client = loopback_client(&authority, receiver.address.port(), LONG);
    let response = send(&client, &receiver.url()).await.unwrap();
    assert!(response.is_truncated);
    assert_eq!(response.body, [b'x'; MAX_BODY]);
    // The receiver gets rid of what the buffers of the sockets hold, and then sees that the connection is closed.
    let sent_bytes = sent_bytes.recv().await.unwrap();
    assert!(sent_bytes < 16 << 20, "{sent_bytes}");
}

#[tokio::test]
async fn heads_beyond_the_limits_are_errors() {
    let too_large = OutboundError::TooLarge {
        limit: MAX_HEAD_BYTES,
        headers: MAX_HEADERS,
    };
    let long_line = format!(
        "HTTP/1.1 200 OK\r\na: {}\r\n\r\n",
        "x".repeat(MAX_HEAD_BYTES)
    );
    assert_eq!(result_of(long_line).await, Err(too_large.clone()));
    let many_headers = format!(
        "HTTP/1.1 200 OK\r\n{}\r\n",
        "a: b\r\n".repeat(MAX_HEADERS + 1)
    );
    assert_eq!(result_of(many_headers).await, Err(too_large.clone()));
    let most_headers = "a: b\r\n".repeat(MAX_HEADERS - 1);
    let answer = format!("HTTP/1.1 200 OK\r\n{most_headers}content-length: 0\r\n\r\n");
    assert_eq!(result_of(answer).await.unwrap().status, 200);

    let authority = Authority::new();
    let receiver = Receiver::start(authority.acceptor("127.0.0.1"), |mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
        loop {
            stream.write_all(b"endless: head\r\n").await?;
        }
    })
    .await;
    let client = loopback_client(&authority, receiver.address.port(), LONG);
    assert_eq!(send(&client, &receiver.url()).await, Err(too_large));
}

/// Behaviour of a receiver that never completes a response.
#[derive(Debug, Clone, Copy)]
enum Stall {
    Silence,
    SlowBody,
    EndlessHints,
}

#[tokio::test]
async fn incomplete_responses_end_at_the_timeout() {
    for stall in [Stall::Silence, Stall::SlowBody, Stall::EndlessHints] {
        let authority = Authority::new();
        let receiver = Receiver::start(
            authority.acceptor("127.0.0.1"),
            move |mut stream| async move {
                read_request(&mut stream).await?;
                if matches!(stall, Stall::SlowBody) {
                    stream.write_all(OPEN_HEAD).await?;
                }
                loop {
                    match stall {
                        Stall::Silence => std::future::pending().await,
                        Stall::SlowBody => stream.write_all(b"x").await?,
                        Stall::EndlessHints => {
                            stream.write_all(b"HTTP/1.1 103 Hints\r\n\r\n").await?;
                        }
                    }
                    sleep(Duration::from_millis(20)).await;
                }
            },
        )
        .await;
        let client = loopback_client(&authority, receiver.address.port(), SHORT);
        let result = send(&client, &receiver.url()).await;
        assert_eq!(result, Err(OutboundError::Timeout(SHORT)), "{stall:?}");
    }
}

#[tokio::test]
async fn slow_head_ends_at_the_timeout() {
    let authority = Authority::new();
    let receiver = Receiver::start(authority.acceptor("127.0.0.1"), |mut stream| async move {
        read_request(&mut stream).await?;
        for byte in b"HTTP/1.1 200 OK\r\nslow: "
            .iter()
            .chain(std::iter::repeat(&b'x'))
        {
            stream.write_all(&[*byte]).await?;
            sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    })
    .await;
    let client = loopback_client(&authority, receiver.address.port(), SHORT);
    let result = send(&client, &receiver.url()).await;
    assert_eq!(result, Err(OutboundError::Timeout(SHORT)));
}

#[tokio::test]
async fn dropped_call_closes_the_connection() {
    let authority = Authority::new();
    let (sender, mut closed) = tokio::sync::mpsc::channel(1);
    let receiver = Receiver::start(authority.acceptor("127.0.0.1"), move |mut stream| {
        let sender = sender.clone();
        async move {
            read_request(&mut stream).await?;
            // The second read ends with the connection.
            let is_closed = read_request(&mut stream).await.is_err();
            sender.send(is_closed).await.map_err(std::io::Error::other)
        }
    })
    .await;
    let client = loopback_client(&authority, receiver.address.port(), LONG);
    let url = receiver.url();
    let call = tokio::time::timeout(SHORT, send(&client, &url));
    assert!(call.await.is_err(), "the receiver has not answered");
    assert_eq!(closed.recv().await, Some(true));
}
