//! Stream with or without TLS.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsStream};
use tokio_postgres_rustls::MakeRustlsConnect;

pub(super) type Encrypted<S> = <MakeRustlsConnect as MakeTlsConnect<S>>::Stream;

/// Network stream to a server.
pub(in crate::connect) enum Transport<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> {
    Clear(S),
    Encrypted(Box<Encrypted<S>>),
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> AsyncRead for Transport<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Clear(stream) => Pin::new(stream).poll_read(context, out),
            Self::Encrypted(stream) => Pin::new(stream).poll_read(context, out),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> AsyncWrite for Transport<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Clear(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Encrypted(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Clear(stream) => Pin::new(stream).poll_flush(context),
            Self::Encrypted(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Clear(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Encrypted(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}

/// Binds SCRAM to the server's certificate if the stream is encrypted.
impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsStream for Transport<S> {
    fn channel_binding(&self) -> ChannelBinding {
        match self {
            Self::Clear(_) => ChannelBinding::none(),
            Self::Encrypted(stream) => stream.channel_binding(),
        }
    }
}
