//! Certificates of a receiver, and the settings by which a server calls it.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::path::Path;
use std::process::Command;

/// File of the authority's certificate.
const AUTHORITY: &str = "authority.pem";
/// File of the receiver's certificate.
pub(crate) const CERTIFICATE: &str = "receiver.pem";
/// File of the receiver's private key.
pub(crate) const KEY: &str = "receiver.key";

/// Adds the settings by which a server calls the receiver at this port with the certificates in `folder`.
pub(crate) fn configure(command: &mut Command, folder: &Path, port: u16) {
    command
        .env("SSL_CERT_FILE", folder.join(AUTHORITY))
        .env("VOIGHT__OUTBOUND__ENABLED", "true")
        .env("VOIGHT__OUTBOUND__PORTS", port.to_string())
        .env("VOIGHT__OUTBOUND__ALLOW_NETWORKS", "127.0.0.0/8");
}

/// Writes the certificate of an authority, and that of a receiver with its key.
pub(crate) fn write(folder: &Path) {
    let mut authority = CertificateParams::new(Vec::new()).expect("parameters");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().expect("a key");
    let authority_certificate = authority
        .self_signed(&authority_key)
        .expect("a certificate");
    let issuer = Issuer::new(authority, authority_key);
    let receiver = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("parameters");
    let receiver_key = KeyPair::generate().expect("a key");
    let receiver_certificate = receiver
        .signed_by(&receiver_key, &issuer)
        .expect("a certificate");
    for (name, text) in [
        (AUTHORITY, authority_certificate.pem()),
        (CERTIFICATE, receiver_certificate.pem()),
        (KEY, receiver_key.serialize_pem()),
    ] {
        std::fs::write(folder.join(name), text).expect("a written file");
    }
}
