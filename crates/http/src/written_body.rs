//! A body that blocking code writes, as fast as it is read and no faster.

use crate::error::ApiError;
use crate::error_table::ErrorId;
use actix_web::web::Bytes;
use futures_core::Stream;
use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;

/// Bytes that are handed over at a time, and how often that is done before anything has been read.
const CHUNK_BYTES: usize = 64 << 10;
const BUFFERED_CHUNKS: usize = 4;

/// A stream of what blocking code writes. It ends with an error if that code does not succeed, and so the answer is cut off.
/// Once the stream is dropped, or nobody has read from it for too long, the code's next write fails.
pub(crate) struct StreamedBody {
    first: Option<Chunk>,
    rest: Receiver<Chunk>,
}

enum Chunk {
    Bytes(Bytes),
    /// There is no more, and all went well.
    End,
}

impl StreamedBody {
    /// Lets `write` write on a thread of its own. Ready with the first bytes; with its error, if it fails before there are any.
    /// A write waits until there is room, but no longer than `patience`.
    pub(crate) async fn spawn<W>(stall_timeout: Duration, write: W) -> Result<Self, ApiError>
    where
        W: FnOnce(&mut dyn Write) -> Result<(), ApiError> + Send + 'static,
    {
        let (pieces, mut rest) = channel(BUFFERED_CHUNKS);
        let out = BodyWriter { pieces, patience: stall_timeout, runtime: Handle::current() };
        let writing = spawn_blocking(move || {
            let mut out = BufWriter::with_capacity(CHUNK_BYTES, out);
            // Only a reader that has gone takes nothing, and nobody hears of it then.
            let written = write(&mut out).and_then(|()| out.flush().map_err(|_| ErrorId::Internal.into()));
            // Taken apart, because a buffer that is dropped is written, though its writer has failed.
            let (out, _) = out.into_parts();
            written.map(|()| drop(out.send_chunk(Chunk::End)))
        });
        match rest.recv().await {
            Some(first) => Ok(Self { first: Some(first), rest }),
            None => Err(writing.await.map_or_else(
                |_| ErrorId::Internal.into(),
                |written| written.err().unwrap_or_else(|| ErrorId::Internal.into()),
            )),
        }
    }
}

impl Stream for StreamedBody {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = match self.first.take() {
            None => ready!(self.rest.poll_recv(context)),
            first => first,
        };
        Poll::Ready(match piece {
            Some(Chunk::Bytes(bytes)) => Some(Ok(bytes)),
            Some(Chunk::End) => None,
            None => Some(Err(io::Error::other("what writes this answer has failed"))),
        })
    }
}

/// The writing end.
struct BodyWriter {
    pieces: Sender<Chunk>,
    patience: Duration,
    runtime: Handle,
}

impl BodyWriter {
    fn send_chunk(&self, piece: Chunk) -> io::Result<()> {
        self.runtime.block_on(self.pieces.send_timeout(piece, self.patience)).map_err(|error| match error {
            SendTimeoutError::Timeout(_) => io::Error::new(io::ErrorKind::TimedOut, "nobody has read it for too long"),
            SendTimeoutError::Closed(_) => io::Error::new(io::ErrorKind::BrokenPipe, "its reader has gone"),
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
#[path = "written_body/tests.rs"]
mod tests;
