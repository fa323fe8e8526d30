//! TLS of connections: its configuration, and the reasons that it fails.

mod failure;

pub(crate) use failure::TlsFailure;

use super::ssl_mode::SslMode;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Creates the TLS connector of a mode. The error says why its certificates cannot be loaded.
pub(super) fn connector(mode: &SslMode) -> Result<MakeRustlsConnect, String> {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let config = match mode {
        // The driver does not begin TLS in this mode.
        SslMode::Disable => config.with_root_certificates(RootCertStore::empty()),
        SslMode::Require => config
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider))),
        SslMode::VerifyFull(roots) => config.with_root_certificates(roots.load()?),
    };
    Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
}

/// Verifier that accepts every certificate.
///
/// The certificate is not even parsed: Citus, for example, issues one of X.509 version 1, which rustls does not support.
/// A signature by the key of an unverified certificate proves nothing about the server, so it is not verified either.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
