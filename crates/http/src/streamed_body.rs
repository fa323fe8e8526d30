//! Streams a response body from blocking code with back-pressure.

use crate::background::spawn_background;
use crate::error::ApiError;
use actix_web::HttpResponse;
use actix_web::web::Bytes;
use futures_core::Stream;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use voight_api::ErrorId;

/// Size of a chunk in bytes. At most [`BUFFERED_CHUNKS`] chunks are buffered before the reader reads.
const CHUNK_BYTES: usize = 64 << 10;
const BUFFERED_CHUNKS: usize = 4;
/// Timeout for a reader that reads no bytes. A backup holds a snapshot of the store, whose cost increases with every later write.
const STALL_TIMEOUT: Duration = Duration::from_mins(1);
/// Media type of responses with one JSON value per line.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// Stream of the output of blocking code. It ends with an error if that code fails, which aborts the response. After the stream
/// is dropped, or was not read for the stall timeout, the next write of the code fails.
pub(crate) struct StreamedBody {
    first: Option<Chunk>,
    rest: Receiver<Chunk>,
}

enum Chunk {
    Bytes(Bytes),
    /// The writer finished successfully.
    End,
}

impl StreamedBody {
    /// Responds with the output of `write`, which runs on a separate thread that may block, with a handle of the runtime.
    pub(crate) async fn respond<W>(media_type: &str, write: W) -> Result<HttpResponse, ApiError>
    where
        W: FnOnce(&Handle, &mut dyn Write) -> Result<(), ApiError> + Send + 'static,
    {
        let runtime = Handle::current();
        let body = Self::spawn(STALL_TIMEOUT, move |out| write(&runtime, out)).await?;
        Ok(HttpResponse::Ok().content_type(media_type).streaming(body))
    }

    /// Runs `write` on a separate thread. Resolves with the first bytes, or with the error if `write` fails before them. A
    /// write waits until there is room, for at most `stall_timeout`.
    async fn spawn<W>(stall_timeout: Duration, write: W) -> Result<Self, ApiError>
    where
        W: FnOnce(&mut dyn Write) -> Result<(), ApiError> + Send + 'static,
    {
        let (chunks, mut rest) = channel(BUFFERED_CHUNKS);
        let out = BodyWriter {
            chunks,
            stall_timeout,
            runtime: Handle::current(),
        };
        let writing = spawn_background(move || {
            let mut out = BufWriter::with_capacity(CHUNK_BYTES, out);
            // Flushing fails only if the reader has disconnected, so the error is not reported.
            let write_result =
                write(&mut out).and_then(|()| out.flush().map_err(|_| ErrorId::Internal.into()));
            // Taken apart, because dropping a `BufWriter` would flush it even after a failed write.
            let (out, _) = out.into_parts();
            write_result.map(|()| drop(out.send_chunk(Chunk::End)))
        });
        match rest.recv().await {
            Some(first) => Ok(Self {
                first: Some(first),
                rest,
            }),
            None => Err(writing.await.map_or_else(
                |_| ErrorId::Internal.into(),
                |write_result| {
                    write_result
                        .err()
                        .unwrap_or_else(|| ErrorId::Internal.into())
                },
            )),
        }
    }
}

impl Stream for StreamedBody {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = match self.first.take() {
            None => ready!(self.rest.poll_recv(context)),
            first => first,
        };
        Poll::Ready(match chunk {
            Some(Chunk::Bytes(bytes)) => Some(Ok(bytes)),
            Some(Chunk::End) => None,
            None => Some(Err(io::Error::other("what writes this answer has failed"))),
        })
    }
}

/// Writes a value as one line of JSON. Writing fails only if the reader has disconnected, so the error is not reported.
pub(crate) fn write_line(out: &mut dyn Write, value: &impl Serialize) -> Result<(), ApiError> {
    let write_result = serde_json::to_writer(&mut *out, value).map_err(io::Error::from);
    write_result
        .and_then(|()| out.write_all(b"\n"))
        .map_err(|_| ErrorId::Internal.into())
}

/// Writing end of the stream.
struct BodyWriter {
    chunks: Sender<Chunk>,
    stall_timeout: Duration,
    runtime: Handle,
}

impl BodyWriter {
    fn send_chunk(&self, chunk: Chunk) -> io::Result<()> {
        self.runtime
            .block_on(self.chunks.send_timeout(chunk, self.stall_timeout))
            .map_err(|error| match error {
                SendTimeoutError::Timeout(_) => io::Error::new(
                    io::ErrorKind::TimedOut,
                    "the client has not read the body for too long",
                ),
                SendTimeoutError::Closed(_) => {
                    io::Error::new(io::ErrorKind::BrokenPipe, "its reader has gone")
                }
            })
    }
}

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = &bytes[..bytes.len().min(CHUNK_BYTES)];
        self.send_chunk(Chunk::Bytes(Bytes::copy_from_slice(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[path = "streamed_body/tests.rs"]
mod tests;
