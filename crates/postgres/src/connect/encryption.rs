//! Encryption of network connections.

mod transport;

use super::auth::{AuthMethods, Guarded};
use super::failure::ConnectFailure;
use super::ssl_mode::SslMode;
use super::url::PostgresUrl;
use super::verifier::Verifier;
use rustls::ClientConfig;
use rustls::crypto::ring;
use std::convert::Infallible;
use std::fmt::Display;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;
use transport::{Encrypted, Transport};

/// Message by which a client requests TLS.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

type Rustls<S> = <MakeRustlsConnect as MakeTlsConnect<S>>::TlsConnect;

/// Factory of streams that satisfy `sslmode` and `require_auth`.
///
/// The driver is configured for direct TLS, so it passes every stream to this factory, which negotiates TLS itself and
/// guards streams without TLS, too.
#[derive(Clone)]
pub(super) struct Encryption {
    mode: SslMode,
    rustls: MakeRustlsConnect,
    methods: AuthMethods,
}

impl Encryption {
    /// Creates the factory of a URL. The error says why its certificates cannot be loaded.
    pub(super) fn new(url: &PostgresUrl) -> Result<Self, String> {
        let text = |error: &dyn Display| error.to_string();
        let provider = Arc::new(ring::default_provider());
        let roots = url.roots().map(super::roots::Roots::load).transpose()?;
        let has_name = url.ssl_mode() == SslMode::VerifyFull;
        let verifier = Verifier {
            provider: Arc::clone(&provider),
            roots,
            has_name,
        };
        let config =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.map_err(|error| text(&error))?.dangerous();
        let config = config
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        let mode = url.ssl_mode();
        let methods = url.auth_methods().clone();
        Ok(Self {
            mode,
            rustls: MakeRustlsConnect::new(config),
            methods,
        })
    }

    /// Returns the clear-text factory for a server that rejects encryption, if `sslmode` allows one.
    pub(super) fn fallback(&self) -> Option<Self> {
        (self.mode == SslMode::Prefer).then(|| Self {
            mode: SslMode::Disable,
            ..self.clone()
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Encryption {
    type Stream = Guarded<Transport<S>>;
    type TlsConnect = Negotiation<S>;
    type Error = Infallible;

    fn make_tls_connect(&mut self, host: &str) -> Result<Negotiation<S>, Infallible> {
        let rustls = MakeTlsConnect::<S>::make_tls_connect(&mut self.rustls, host)?;
        Ok(Negotiation {
            mode: self.mode,
            methods: self.methods.clone(),
            rustls,
        })
    }
}

/// Factory of a single stream.
pub(super) struct Negotiation<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> {
    mode: SslMode,
    methods: AuthMethods,
    rustls: Rustls<S>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Negotiation<S> {
    type Stream = Guarded<Transport<S>>;
    type Error = ConnectFailure;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Stream, ConnectFailure>> + Send>>;

    fn connect(self, mut stream: S) -> Self::Future {
        let Self {
            mode,
            methods,
            rustls,
        } = self;
        Box::pin(async move {
            let transport = if is_encrypted(mode, &mut stream).await? {
                let stream: Encrypted<S> = rustls
                    .connect(stream)
                    .await
                    .map_err(ConnectFailure::Handshake)?;
                Transport::Encrypted(Box::new(stream))
            } else {
                Transport::Clear(stream)
            };
            Ok(Guarded::new(transport, methods))
        })
    }
}

/// Requests TLS from the server unless `mode` disables it; returns `true` if a handshake must follow.
async fn is_encrypted(
    mode: SslMode,
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
) -> Result<bool, ConnectFailure> {
    if mode == SslMode::Disable {
        return Ok(false);
    }
    let ask = async {
        stream.write_all(&SSL_REQUEST).await?;
        stream.flush().await?;
        stream.read_u8().await
    };
    match ask
        .await
        .map_err(|error: io::Error| ConnectFailure::Socket(error))?
    {
        b'S' => Ok(true),
        b'N' if mode == SslMode::Prefer => Ok(false),
        b'N' => Err(ConnectFailure::NoTls),
        _ => Err(ConnectFailure::OtherProtocol),
    }
}
