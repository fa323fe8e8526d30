//! TLS to receivers.

use crate::options::OpenError;
use rustls::client::Resumption;
use rustls::crypto::ring;
use rustls::pki_types::{DnsName, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use voight_domain::outbound::{OutboundHost, TargetUrl};
use voight_domain::ports::OutboundError;

/// Creates the connector. No session is resumed: no receiver can link the calls of two clients, and no state grows.
pub(crate) fn connector(roots: RootCertStore) -> Result<TlsConnector, OpenError> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| OpenError::Tls(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.resumption = Resumption::disabled();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Establishes TLS with the host of the target, and verifies its certificate.
pub(crate) async fn establish<S>(
    connector: &TlsConnector,
    target: &TargetUrl,
    stream: S,
) -> Result<TlsStream<S>, OutboundError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let stream = connector.connect(server_name(target)?, stream).await;
    stream.map_err(|error| OutboundError::Tls(error.to_string()))
}

/// Returns the name that the certificate must have, which is also sent as SNI.
fn server_name(target: &TargetUrl) -> Result<ServerName<'static>, OutboundError> {
    match target.host() {
        OutboundHost::Literal(address) => Ok(ServerName::from(address)),
        OutboundHost::Name(name) => DnsName::try_from(name.to_owned())
            .map(ServerName::DnsName)
            .map_err(|error| OutboundError::Tls(error.to_string())),
    }
}
