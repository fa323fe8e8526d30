//! Options of the client, and the root certificates of the operating system.

use rustls::RootCertStore;
use std::time::Duration;
use voight_domain::outbound::{OutboundPolicy, ProxyUrl};

/// Options of an [`OutboundClient`](crate::OutboundClient).
#[derive(Debug, Clone)]
pub struct OutboundOptions {
    /// Permitted ports and addresses.
    pub policy: OutboundPolicy,
    /// Proxy of all connections; `None` connects directly.
    pub proxy: Option<ProxyUrl>,
    /// Timeout of a connection, the one through a proxy included, and of the wait for a permit.
    pub connect_timeout: Duration,
    /// Timeout of a call, from the resolution of the name to the last byte of the response that is read.
    pub timeout: Duration,
    /// Maximum number of calls under way; a quarter of it to one host.
    pub max_concurrent_requests: usize,
    /// Certificates of the authorities that receivers may have a certificate of.
    pub roots: RootCertStore,
}

/// Error of an [`OutboundClient`](crate::OutboundClient) that cannot be created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The operating system has no certificates of authorities.
    #[error(
        "this system has no certificates of authorities{0}; install ca-certificates, or name a file by SSL_CERT_FILE"
    )]
    NoRoots(String),
    /// The library of TLS rejects the options.
    #[error("TLS cannot be used ({0}); report this as a bug")]
    Tls(String),
}

/// Loads the trust store of the operating system. Certificates that cannot be parsed are skipped, as in other programs.
pub fn system_roots() -> Result<RootCertStore, OpenError> {
    let certificates = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(certificates.certs);
    if roots.is_empty() {
        let first_error = certificates.errors.first();
        let cause = first_error.map(|error| format!(" ({error})"));
        return Err(OpenError::NoRoots(cause.unwrap_or_default()));
    }
    Ok(roots)
}
