//! Levels of protection of a connection, as `sslmode` of libpq names them.

use std::fmt;
use std::net::IpAddr;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Protection that a connection must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SslMode {
    /// Never encrypted.
    Disable,
    /// Encrypted if the server can; not verified.
    Prefer,
    /// Encrypted; not verified, unless certificates of authorities are given.
    Require,
    /// Encrypted; the certificate is issued by an authority that is trusted.
    VerifyCa,
    /// Encrypted; the certificate is issued by an authority that is trusted, for the name of the host.
    VerifyFull,
}

impl SslMode {
    const ALL: [Self; 5] = [Self::Disable, Self::Prefer, Self::Require, Self::VerifyCa, Self::VerifyFull];

    const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }

    /// Parses a name; an error says what is wrong.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|mode| mode.name() == text);
        known
            .ok_or_else(|| format!("sslmode={text} is unknown; use disable, prefer, require, verify-ca or verify-full"))
    }

    /// Mode for the hosts of `config` where the URL names none.
    pub(super) fn for_hosts(config: &Config) -> Self {
        if is_local(config) { Self::Prefer } else { Self::VerifyFull }
    }
}

/// Returns `true` if every connection stays on this machine.
fn is_local(config: &Config) -> bool {
    let is_host_local = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback()),
    };
    config.get_hosts().iter().all(is_host_local) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

impl fmt::Display for SslMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
