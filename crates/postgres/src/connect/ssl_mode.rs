//! Protection levels of a connection, with the names of libpq's `sslmode`.

use std::fmt;
use std::net::IpAddr;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Required protection of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SslMode {
    /// Clear text.
    Disable,
    /// Encrypted if the server supports it; not verified.
    Prefer,
    /// Encrypted; verified only if root certificates are given.
    Require,
    /// Encrypted; the certificate is issued by a trusted authority.
    VerifyCa,
    /// Encrypted; the certificate is issued by a trusted authority for the name of the host.
    VerifyFull,
}

impl SslMode {
    const ALL: [Self; 5] = [
        Self::Disable,
        Self::Prefer,
        Self::Require,
        Self::VerifyCa,
        Self::VerifyFull,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }

    /// Parses a name. The error message lists the valid names.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let ssl_mode = Self::ALL.into_iter().find(|mode| mode.name() == text);
        ssl_mode.ok_or_else(|| {
            format!(
                "sslmode={text} is unknown; use disable, prefer, require, verify-ca or verify-full"
            )
        })
    }

    /// Returns the default mode for the hosts of `config`.
    pub(super) fn for_hosts(config: &Config) -> Self {
        if is_local(config) {
            Self::Prefer
        } else {
            Self::VerifyFull
        }
    }
}

/// Returns `true` if all hosts are on this machine.
fn is_local(config: &Config) -> bool {
    let is_host_local = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost"
                || name
                    .parse()
                    .is_ok_and(|address: IpAddr| address.is_loopback())
        }
    };
    config.get_hosts().iter().all(is_host_local)
        && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

impl fmt::Display for SslMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
