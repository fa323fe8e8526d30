use crate::protocol::{Accepted, HttpTimeouts, serve_connection};
use actix_service::{Service, ServiceFactory};
use actix_web::web::Bytes;
use actix_web::{App, HttpResponse, web};
use futures_core::Stream;
use std::future::pending;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::time::{Interval, interval, timeout};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
const LIMIT: Duration = Duration::from_secs(1);
const PIECES: usize = 25;

/// Long response that is sent in pieces, one every tenth of the timeout.
struct Long {
    left: usize,
    ticks: Interval,
}

impl Stream for Long {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        ready!(self.ticks.poll_tick(context));
        let Some(left) = self.left.checked_sub(1) else {
            return Poll::Ready(None);
        };
        self.left = left;
        Poll::Ready(Some(Ok(Bytes::from_static(b"piece;"))))
    }
}

async fn long() -> HttpResponse {
    HttpResponse::Ok().streaming(Long {
        left: PIECES,
        ticks: interval(LIMIT / 10),
    })
}

/// Returns the client side of a connection to a service of long and of large responses, over a pipe with a buffer of `room`
/// bytes.
async fn connected(room: usize) -> DuplexStream {
    let app = App::new()
        .route("/", web::get().to(long))
        .route("/large", web::get().to(large));
    let timeouts = HttpTimeouts {
        keep_alive: LIMIT / 2,
        head: LIMIT / 2,
    };
    let service = serve_connection(app, timeouts, pending)
        .new_service(())
        .await
        .unwrap();
    let (ours, theirs) = duplex(room);
    actix_web::rt::spawn(async move {
        service
            .call(Accepted {
                stream: theirs,
                peer: None,
                slot: None,
            })
            .await
    });
    ours
}

async fn large() -> HttpResponse {
    HttpResponse::Ok().body(vec![b'a'; 1_000])
}

#[actix_web::test]
async fn slow_reads_do_not_time_out() {
    let mut connection = connected(1 << 16).await;
    connection.write_all(REQUEST).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert_eq!(answer.matches("piece;").count(), PIECES, "{answer}");
    assert!(answer.ends_with("0\r\n\r\n"), "{answer}");
}

#[actix_web::test]
async fn connection_of_a_stalled_reader_is_closed() {
    let mut connection = connected(256).await;
    connection.write_all(REQUEST).await.unwrap();
    tokio::time::sleep(LIMIT * 4).await;
    let mut answer = String::new();
    let read_result = timeout(LIMIT, connection.read_to_string(&mut answer)).await;
    assert!(
        read_result.is_ok_and(|byte_count| byte_count.is_ok()),
        "it is still open"
    );
    assert!(
        answer.matches("piece;").count() < PIECES && !answer.ends_with("0\r\n\r\n"),
        "{answer}"
    );
}

/// Returns the number of bytes of `requests`, sent without reading, after which the service takes no more.
async fn taken_without_reading(requests: &str) -> usize {
    let mut connection = connected(256).await;
    let mut byte_count = 0;
    let bytes = requests.repeat(400_000 / requests.len());
    while let Some(piece) = bytes.as_bytes().get(byte_count..byte_count + 128) {
        let Ok(written) = timeout(LIMIT / 5, connection.write(piece)).await else {
            break;
        };
        byte_count += written.unwrap();
    }
    byte_count
}

#[actix_web::test]
async fn unread_responses_hold_back_requests() {
    for requests in [
        "GET /large HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /large HTTP/1.1\nhost: x\n\n",
        "HEAD /none HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /none HTTP/1.1\r\nhost: x\r\n\r\n",
    ] {
        let byte_count = taken_without_reading(requests).await;
        assert!(byte_count < 16 << 10, "{byte_count} bytes of {requests:?}");
    }
}

#[actix_web::test]
async fn unfinished_head_is_bounded() {
    let mut connection = connected(1 << 16).await;
    let head = format!(
        "GET / HTTP/1.1\r\nhost: x\r\nx-long: {}",
        "a".repeat(40 << 10)
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 431 "), "{response}");
}

#[actix_web::test]
async fn reader_that_stalls_after_its_last_request_is_closed() {
    let mut connection = connected(256).await;
    connection
        .write_all(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    connection.shutdown().await.unwrap();
    tokio::time::sleep(LIMIT * 3).await;
    let mut response = Vec::new();
    let read_result = timeout(LIMIT, connection.read_to_end(&mut response)).await;
    assert!(
        read_result.is_ok() && response.len() < 1_000,
        "{} bytes: {read_result:?}",
        response.len()
    );
}
