//! Certificates for a single test.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};

/// Certification authority.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Certificate of the authority in PEM, as `sslrootcert` expects it.
    pub(crate) pem: String,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Self {
            issuer: Issuer::new(params, key),
            pem,
        }
    }

    /// Issues a certificate for a server name and key, in PEM.
    pub(crate) fn issue(&self, name: &str, key: &KeyPair) -> String {
        self.issue_until(name, key, 2100)
    }

    /// Issues a certificate that expires at the beginning of `year`.
    pub(crate) fn issue_until(&self, name: &str, key: &KeyPair, year: i32) -> String {
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        params.not_before = date_time_ymd(2019, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        params
            .signed_by(key, &self.issuer)
            .expect("a certificate")
            .pem()
    }
}
