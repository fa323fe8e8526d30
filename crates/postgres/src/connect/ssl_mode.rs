//! Protection levels of a connection, with the names of libpq's `sslmode`.

use super::roots::Roots;
use std::fmt;
use std::net::IpAddr;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Required protection of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SslMode {
    /// Clear text.
    Disable,
    /// Encrypted; the certificate is not verified.
    Require,
    /// Encrypted; the certificate is issued by an authority in the roots for the name of the host.
    VerifyFull(Roots),
}

impl SslMode {
    /// Parses the values of `sslmode` and `sslrootcert`. The error says what to write instead.
    pub(super) fn parse(
        name: Option<&str>,
        roots: Option<Roots>,
        config: &Config,
    ) -> Result<Self, String> {
        let mode = match name {
            Some("disable") => Self::Disable,
            Some("require") => Self::Require,
            None if roots.is_none() && is_local(config) => Self::Disable,
            None | Some("verify-full") => {
                return Ok(Self::VerifyFull(roots.unwrap_or(Roots::System)));
            }
            Some(name) => return Err(rejection(name)),
        };
        if roots.is_some() {
            return Err(format!(
                "sslmode={mode} verifies no certificate, so sslrootcert has no effect: write sslmode=verify-full, or leave sslrootcert out"
            ));
        }
        Ok(mode)
    }
}

/// Returns the reason that a mode is rejected, with the mode to write instead.
fn rejection(name: &str) -> String {
    let (why, remedy) = match name {
        "prefer" | "allow" => (
            "not supported, because it sends data in clear text to a server without TLS",
            "write sslmode=verify-full, sslmode=require for TLS without verification, or sslmode=disable for clear text",
        ),
        "verify-ca" => (
            "not supported, because it does not verify the name of the server",
            "write sslmode=verify-full, with the name in the certificate as host and hostaddr=ADDRESS if no resolver knows it",
        ),
        _ => (
            "unknown",
            "write sslmode=verify-full, sslmode=require or sslmode=disable",
        ),
    };
    format!("sslmode={name} is {why}: {remedy}")
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
        f.write_str(match self {
            Self::Disable => "disable",
            Self::Require => "require",
            Self::VerifyFull(_) => "verify-full",
        })
    }
}
