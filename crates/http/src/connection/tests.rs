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
        let Some(left) = self.left.checked_sub(1) else { return Poll::Ready(None) };
        self.left = left;
        Poll::Ready(Some(Ok(Bytes::from_static(b"piece;"))))
    }
}

async fn long() -> HttpResponse {
    HttpResponse::Ok().streaming(Long { left: PIECES, ticks: interval(LIMIT / 10) })
}

/// Returns the client side of a connection to a service of long responses, over a pipe with a buffer of `room` bytes.
async fn connected(room: usize) -> DuplexStream {
    let app = App::new().route("/", web::get().to(long));
    let timeouts = HttpTimeouts { keep_alive: LIMIT / 2, head: LIMIT / 2 };
    let service = serve_connection(app, timeouts, pending).new_service(()).await.unwrap();
    let (mut ours, theirs) = duplex(room);
    actix_web::rt::spawn(async move { service.call(Accepted { stream: theirs, peer: None, permit: None }).await });
    ours.write_all(REQUEST).await.unwrap();
    ours
}

#[actix_web::test]
async fn an_answer_may_take_longer_than_any_limit_while_it_is_read() {
    let mut connection = connected(1 << 16).await;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert_eq!(answer.matches("piece;").count(), PIECES, "{answer}");
    assert!(answer.ends_with("0\r\n\r\n"), "{answer}");
}

#[actix_web::test]
async fn connection_of_a_stalled_reader_is_closed() {
    let mut connection = connected(256).await;
    tokio::time::sleep(LIMIT * 4).await;
    let mut answer = String::new();
    let ended = timeout(LIMIT, connection.read_to_string(&mut answer)).await;
    assert!(ended.is_ok_and(|read| read.is_ok()), "it is still open");
    assert!(answer.matches("piece;").count() < PIECES && !answer.ends_with("0\r\n\r\n"), "{answer}");
}
