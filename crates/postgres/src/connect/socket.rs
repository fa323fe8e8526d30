//! Stream over a Unix domain socket.

use super::failure::ConnectFailure;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::UnixStream;

/// Stream over a socket, or the connection error, which the first use of the stream returns.
///
/// The error is deferred because only the driver can create errors of its own type.
pub(super) enum LocalStream {
    Open(UnixStream),
    Failed(Option<io::Error>),
}

impl LocalStream {
    pub(super) async fn open(path: &Path) -> Self {
        UnixStream::connect(path)
            .await
            .map_or_else(|error| Self::Failed(Some(error)), Self::Open)
    }
}

/// Returns the error of a socket that could not be connected to.
fn failed<T>(error: &mut Option<io::Error>) -> Poll<io::Result<T>> {
    let error = error
        .take()
        .unwrap_or_else(|| io::ErrorKind::NotConnected.into());
    Poll::Ready(Err(io::Error::other(ConnectFailure::Socket(error))))
}

impl AsyncRead for LocalStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Open(stream) => Pin::new(stream).poll_read(context, out),
            Self::Failed(error) => failed(error),
        }
    }
}

impl AsyncWrite for LocalStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Open(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Failed(error) => failed(error),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Open(stream) => Pin::new(stream).poll_flush(context),
            Self::Failed(error) => failed(error),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Open(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Failed(_) => Poll::Ready(Ok(())),
        }
    }
}
