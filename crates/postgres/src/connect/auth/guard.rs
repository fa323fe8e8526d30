//! Stream that verifies a server's requests for a password before the driver reads them.

use super::AuthMethods;
use super::watch::AuthWatch;
use crate::connect::failure::ConnectFailure;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsStream};

/// Stream that fails when the server requests authentication by a method that is not allowed.
pub(in crate::connect) struct Guarded<S> {
    stream: S,
    /// `None` once the client is authenticated.
    watch: Option<AuthWatch>,
}

impl<S> Guarded<S> {
    pub(in crate::connect) const fn new(stream: S, methods: AuthMethods) -> Self {
        Self {
            stream,
            watch: Some(AuthWatch::new(methods)),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let previous_length = out.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, out))?;
        let Some(watch) = &mut self.watch else {
            return Poll::Ready(Ok(()));
        };
        match watch.read(&out.filled()[previous_length..]) {
            Ok(is_complete) => {
                if is_complete {
                    self.watch = None;
                }
                Poll::Ready(Ok(()))
            }
            Err(method) => {
                out.set_filled(previous_length);
                Poll::Ready(Err(io::Error::other(ConnectFailure::Method(method))))
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: TlsStream + Unpin> TlsStream for Guarded<S> {
    fn channel_binding(&self) -> ChannelBinding {
        self.stream.channel_binding()
    }
}
