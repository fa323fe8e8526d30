//! Failures of a connection before the protocol of PostgreSQL begins.

use super::auth::AuthMethod;
use rustls::CertificateError;
use std::error::Error;
use std::io;

/// Failure between the socket and the first statement.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectFailure {
    /// Server without TLS where TLS is required.
    #[error("the server has no TLS, which sslmode requires")]
    NoTls,
    /// Answer that no PostgreSQL server gives to a request for TLS.
    #[error("the server does not speak PostgreSQL's protocol")]
    OtherProtocol,
    /// Failed TLS handshake.
    #[error("{}", describe(.0))]
    Handshake(io::Error),
    /// Request for authentication by a method that is not allowed.
    #[error("the server uses the authentication method {0}, which is not allowed: {remedy}", remedy = .0.remedy())]
    Method(AuthMethod),
    /// Failed connection to the socket.
    #[error("{0}")]
    Socket(io::Error),
}

impl ConnectFailure {
    /// Returns the failure that caused an error of the driver.
    pub(crate) fn source_of(error: &tokio_postgres::Error) -> Option<&Self> {
        let source = error.source()?;
        let inner = source
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        source.downcast_ref().or_else(|| inner?.downcast_ref())
    }

    /// Returns `true` if the certificate of the server was rejected.
    pub(crate) fn is_about_the_certificate(&self) -> bool {
        matches!(self, Self::Handshake(error) if matches!(rustls_error(error), Some(rustls::Error::InvalidCertificate(_))))
    }
}

fn rustls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

/// Returns the reason for a failed handshake, with the remedy.
fn describe(error: &io::Error) -> String {
    match rustls_error(error) {
        Some(rustls::Error::InvalidCertificate(flaw)) => describe_flaw(flaw),
        _ => format!("the TLS handshake has failed: {error}"),
    }
}

fn describe_flaw(flaw: &CertificateError) -> String {
    match flaw {
        CertificateError::NotValidForName => {
            "its certificate is not for the name in the URL: name the host as its certificate does".to_owned()
        }
        CertificateError::NotValidForNameContext { presented, .. } => format!(
            "its certificate is not for the name in the URL but for {}: name the host as its certificate does (with hostaddr=ADDRESS if it has no such name here)",
            if presented.is_empty() { "none at all (subjectAltName is missing)".to_owned() } else { presented.join(", ") }
        ),
        CertificateError::UnknownIssuer => {
            "its certificate is not issued by an authority that is trusted: give the authority's certificate by sslrootcert=FILE".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired: renew it there, or set this machine's clock right".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet: set the clocks of both machines right".to_owned()
        }
        error => format!(
            "its certificate cannot be used ({error}): issue one of X.509 version 3 with subjectAltName by an authority, which is not the server itself"
        ),
    }
}
