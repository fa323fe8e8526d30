//! Root certificates that verify a server.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::fs;
use std::path::{Path, PathBuf};

/// Source of the root certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Roots {
    /// Trust store of the operating system.
    System,
    /// File in PEM format.
    File(PathBuf),
}

impl Roots {
    /// Parses the value of `sslrootcert`.
    pub(super) fn parse(text: &str) -> Self {
        if text == "system" {
            Self::System
        } else {
            Self::File(PathBuf::from(text))
        }
    }

    /// Loads the certificates. The error names the fault and the remedy.
    pub(super) fn load(&self) -> Result<RootCertStore, String> {
        match self {
            Self::System => load_system(),
            Self::File(path) => {
                load_file(path).map_err(|error| format!("sslrootcert {}: {error}", path.display()))
            }
        }
    }
}

fn load_file(path: &Path) -> Result<RootCertStore, String> {
    let file = fs::read(path).map_err(|error| error.to_string())?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&file) {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("the file has no certificate in PEM".to_owned());
    }
    Ok(roots)
}

/// Loads the trust store of the operating system. Certificates that cannot be parsed are skipped, as in other programs.
fn load_system() -> Result<RootCertStore, String> {
    let certificates = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(certificates.certs);
    if roots.is_empty() {
        let why = certificates
            .errors
            .first()
            .map(|error| format!(" ({error})"))
            .unwrap_or_default();
        return Err(format!(
            "this system has no certificates of authorities{why}: install ca-certificates, or name a file by sslrootcert=FILE"
        ));
    }
    Ok(roots)
}
