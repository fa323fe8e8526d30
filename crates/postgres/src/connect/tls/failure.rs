//! Failures of TLS before the protocol of PostgreSQL begins.

use rustls::CertificateError;
use std::error::Error;
use std::fmt;
use std::io;

/// Failure of TLS, as the cause of an error of the driver.
pub(crate) enum TlsFailure<'a> {
    /// Server without TLS where TLS is required.
    NoTls,
    /// Rejected certificate.
    Certificate(&'a CertificateError),
    /// Handshake that failed for another reason.
    Handshake(&'a rustls::Error),
}

impl<'a> TlsFailure<'a> {
    /// Returns the failure that caused an error of the driver.
    pub(crate) fn source_of(error: &'a tokio_postgres::Error) -> Option<Self> {
        let source = error.source()?;
        if source.to_string() == "server does not support TLS" {
            return Some(Self::NoTls);
        }
        match source
            .downcast_ref::<io::Error>()?
            .get_ref()?
            .downcast_ref()?
        {
            rustls::Error::InvalidCertificate(flaw) => Some(Self::Certificate(flaw)),
            error => Some(Self::Handshake(error)),
        }
    }
}

/// Writes the reason, with the remedy.
impl fmt::Display for TlsFailure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTls => f.write_str("the server has no TLS, which sslmode requires"),
            Self::Certificate(flaw) => f.write_str(&describe_flaw(flaw)),
            Self::Handshake(error) => write!(f, "the TLS handshake has failed: {error}"),
        }
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
