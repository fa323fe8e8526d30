//! In-memory connection to the app, for raw bytes.

use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::timeout;

/// Capacity of each direction, larger than the requests of a connection.
pub(super) const CAPACITY: usize = 1 << 20;
/// Time after which a missing answer is an error of this test.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Client side of a connection.
pub(super) struct Connection {
    stream: DuplexStream,
    unread: Vec<u8>,
}

impl Connection {
    pub(super) const fn new(stream: DuplexStream) -> Self {
        Self {
            stream,
            unread: Vec::new(),
        }
    }

    /// Sends bytes. A server that has closed the connection ignores them.
    pub(super) async fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// Sends no more bytes.
    pub(super) async fn end(&mut self) {
        let _ = self.stream.shutdown().await;
    }

    /// Returns the next answer, with interim ones before it; empty if the server closes the connection instead.
    pub(super) async fn answer(&mut self, is_head: bool) -> Vec<u8> {
        let mut end = 0;
        loop {
            if let Some(length) = answer_length(&self.unread[end..], is_head) {
                let is_interim = self.unread[end..].starts_with(b"HTTP/1.1 1");
                end += length;
                if !is_interim {
                    return self.unread.drain(..end).collect();
                }
            } else if !self.read().await {
                return std::mem::take(&mut self.unread);
            }
        }
    }

    /// Returns all bytes until the server closes the connection.
    pub(super) async fn rest(&mut self) -> Vec<u8> {
        while self.read().await {}
        std::mem::take(&mut self.unread)
    }

    /// Reads more bytes; returns `false` if the server has closed the connection.
    async fn read(&mut self) -> bool {
        let read_result = timeout(TIMEOUT, self.stream.read_buf(&mut self.unread)).await;
        read_result
            .expect("an answer in time")
            .is_ok_and(|bytes| bytes > 0)
    }
}

/// Returns the length of the answer at the start of `bytes`, if it is complete.
fn answer_length(bytes: &[u8], is_head: bool) -> Option<usize> {
    let head = bytes.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let text = str::from_utf8(&bytes[..head]).unwrap();
    if is_head || text.starts_with("HTTP/1.1 1") || text.starts_with("HTTP/1.1 204") {
        return Some(head);
    }
    if text.contains("transfer-encoding: chunked\r\n") {
        return bytes[head..]
            .windows(7)
            .position(|end| end == b"\r\n0\r\n\r\n")
            .map(|end| head + end + 7);
    }
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))?;
    let end = head + length.parse::<usize>().unwrap();
    (end <= bytes.len()).then_some(end)
}
