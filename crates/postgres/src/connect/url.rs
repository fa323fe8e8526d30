//! URL of a database: `postgres://…`

mod parameters;

use super::hosts::alone;
use super::ssl_mode::SslMode;
use parameters::Parameters;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{self, Host, LoadBalanceHosts, SslNegotiation};

/// Connection timeouts of a single host, and of one of several hosts, which leaves time for the next.
const SINGLE_HOST_TIMEOUT: Duration = Duration::from_secs(5);
const MULTI_HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// URL of a database with its login and protection. Its `Display` omits the password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    text: String,
    config: Arc<Config>,
    ssl_mode: SslMode,
}

/// Error of text that is not the URL of a database.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the store {shown} is not a database URL ({why}); write postgres://USER@HOST/DATABASE, with the password in PGPASSWORD or in the URL"
)]
pub struct PostgresUrlError {
    shown: String,
    why: String,
}

impl PostgresUrl {
    /// Returns the configuration of the driver.
    pub(crate) fn config(&self) -> Config {
        Config::clone(&self.config)
    }

    /// Returns the required protection of connections.
    pub(super) const fn ssl_mode(&self) -> &SslMode {
        &self.ssl_mode
    }

    /// Returns `true` if the URL names more than one host.
    pub(crate) fn has_several_hosts(&self) -> bool {
        self.config.get_hosts().len() > 1
    }

    /// Returns a URL for each host.
    pub(crate) fn hosts(&self) -> Vec<Self> {
        let host_url = |index| Self {
            config: Arc::new(alone(&self.config, index)),
            ..self.clone()
        };
        (0..self.config.get_hosts().len()).map(host_url).collect()
    }

    /// Returns the name of the database.
    pub(crate) fn database(&self) -> &str {
        self.config
            .get_dbname()
            .or(self.config.get_user())
            .unwrap_or("postgres")
    }

    /// Sets the password if the URL has none.
    #[must_use]
    pub fn with_default_password(mut self, password: Option<&str>) -> Self {
        if let Some(password) = password.filter(|_| self.config.get_password().is_none()) {
            Arc::make_mut(&mut self.config).password(password);
        }
        self
    }
}

impl FromStr for PostgresUrl {
    type Err = PostgresUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = |why: String| PostgresUrlError {
            shown: redacted(text),
            why,
        };
        let Some(UrlParts {
            authority, tail, ..
        }) = UrlParts::parse(text)
        else {
            return Err(wrong("it has no ://".to_owned()));
        };
        // The driver takes everything before the first @ for a user and a password, wherever it is.
        if authority.matches('@').count() > 1 || tail.contains('@') {
            let why = "a user, password or parameter with an @, / or ? in it has %40, %2F or %3F in its place";
            return Err(wrong(why.to_owned()));
        }
        let Parameters {
            plain,
            ssl_mode,
            roots,
        } = Parameters::take(text).map_err(wrong)?;
        let mut config: Config = plain
            .parse()
            .map_err(|error| wrong(crate::error::describe(&error)))?;
        if config.get_hosts().is_empty() {
            return Err(wrong("it names no host".to_owned()));
        }
        let is_socket = |host: &Host| matches!(host, Host::Unix(_));
        if config.get_hosts().len() > 1 && config.get_hosts().iter().any(is_socket) {
            return Err(wrong(
                "a socket is named alone, without other hosts".to_owned(),
            ));
        }
        if config.get_ssl_negotiation() == SslNegotiation::Direct {
            return Err(wrong(
                "sslnegotiation=direct is not supported: leave it out".to_owned(),
            ));
        }
        let ssl_mode = SslMode::parse(ssl_mode.as_deref(), roots, &config).map_err(wrong)?;
        // No data of a socket leaves the machine.
        let is_clear = ssl_mode == SslMode::Disable || config.get_hosts().iter().all(is_socket);
        config.ssl_mode(if is_clear {
            config::SslMode::Disable
        } else {
            config::SslMode::Require
        });
        let has_several_hosts = config.get_hosts().len() > 1;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(if has_several_hosts {
                MULTI_HOST_TIMEOUT
            } else {
                SINGLE_HOST_TIMEOUT
            });
        }
        if has_several_hosts && !plain.contains("load_balance_hosts=") {
            // In the order of the URL, every attempt would wait for a hanging first host, and the next one would never
            // be tried.
            config.load_balance_hosts(LoadBalanceHosts::Random);
        }
        config.application_name("voight");
        Ok(Self {
            text: text.to_owned(),
            config: Arc::new(config),
            ssl_mode,
        })
    }
}

/// Parts of a URL as text.
struct UrlParts<'a> {
    scheme: &'a str,
    /// User, password, hosts and ports.
    authority: &'a str,
    /// Path and query.
    tail: &'a str,
}

impl<'a> UrlParts<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (scheme, after_scheme) = text.split_once("://")?;
        let (authority, tail) =
            after_scheme.split_at(after_scheme.find(['/', '?']).unwrap_or(after_scheme.len()));
        Some(Self {
            scheme,
            authority,
            tail,
        })
    }
}

/// Returns the URL without its password. If the end of the password is uncertain, returns only the scheme.
fn redacted(text: &str) -> String {
    let Some(UrlParts {
        scheme,
        authority,
        tail,
    }) = UrlParts::parse(text)
    else {
        return format!("{}:…", text.split(':').next().unwrap_or_default());
    };
    if tail.contains('@') {
        return format!("{scheme}://…");
    }
    let shown_authority = match authority.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or(user)),
        None => authority.to_owned(),
    };
    let tail = match tail.split_once('?') {
        Some((path, query)) => {
            let is_password = |pair: &&str| {
                parameters::decode(pair.split('=').next().unwrap_or(pair)) == "password"
            };
            let shown_pairs: Vec<_> = query.split('&').filter(|pair| !is_password(pair)).collect();
            if shown_pairs.is_empty() {
                path.to_owned()
            } else {
                format!("{path}?{}", shown_pairs.join("&"))
            }
        }
        None => tail.to_owned(),
    };
    format!("{scheme}://{shown_authority}{tail}")
}

/// Omits the password.
impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redacted(&self.text))
    }
}

/// Omits the password, like [`Display`](fmt::Display).
impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::roots::Roots;

    #[test]
    fn password_is_never_shown() {
        for text in [
            "postgres://u:secret@h/d",
            "postgres://u:secret@h",
            "postgres://h/d?user=u&password=secret",
            "postgres://h/d?passwor%64=secret",
        ] {
            let url: PostgresUrl = text.parse().unwrap();
            assert!(!format!("{url} {url:?}").contains("secret"), "{url}");
            assert!(
                url.with_default_password(Some("other"))
                    .config()
                    .get_password()
                    == Some(b"secret"),
                "the URL's own password counts"
            );
        }
        let message = "postgres://u:secret@h:port/d"
            .parse::<PostgresUrl>()
            .unwrap_err()
            .to_string();
        assert!(
            !message.contains("secret") && message.contains("postgres://u@h:port/d"),
            "{message}"
        );
        let message = "postgres://u:sec@ret@h/d"
            .parse::<PostgresUrl>()
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("%40") && !message.contains("ret@"),
            "{message}"
        );
    }

    #[test]
    fn at_sign_after_host_is_rejected() {
        for text in [
            "postgres://u:sec/ret@h/d",
            "postgres://u:sec?ret@h/d",
            "postgres://h/d?password=sec@ret",
        ] {
            let message = error_text(text);
            assert!(
                message.contains("%40") && !message.contains("sec") && !message.contains("ret@"),
                "{message}"
            );
        }
        let message = error_text("postgres:/u:secret@h/d");
        assert!(
            message.contains("no ://") && !message.contains("secret"),
            "{message}"
        );
        for text in [
            "postgres://u:sec%2Fret@h/d",
            "postgres://u@h/d?password=sec%40ret",
            "postgres://u:a%40b@h/d",
        ] {
            assert!(!url(text).to_string().contains('%'), "{text}");
        }
    }

    #[test]
    fn first_of_several_hosts_is_random() {
        let config = |text: &str| text.parse::<PostgresUrl>().unwrap().config();
        let single_host = config("postgres://a/d");
        let two_hosts = config("postgres://a,b/d");
        assert_eq!(
            single_host.get_load_balance_hosts(),
            LoadBalanceHosts::Disable
        );
        assert_eq!(two_hosts.get_load_balance_hosts(), LoadBalanceHosts::Random);
        assert!(two_hosts.get_connect_timeout() < single_host.get_connect_timeout());
        let ordered_hosts = config("postgres://a,b/d?load_balance_hosts=disable");
        assert_eq!(
            ordered_hosts.get_load_balance_hosts(),
            LoadBalanceHosts::Disable
        );
    }

    fn url(text: &str) -> PostgresUrl {
        text.parse().unwrap()
    }

    fn error_text(text: &str) -> String {
        text.parse::<PostgresUrl>().unwrap_err().to_string()
    }

    #[test]
    fn remote_host_is_verified_by_default() {
        for elsewhere in [
            "postgres://h/d",
            "postgres://10.1.2.3/d",
            "postgres://localhost,h/d",
            "postgres://localhost.h/d",
        ] {
            assert_eq!(
                url(elsewhere).ssl_mode(),
                &SslMode::VerifyFull(Roots::System),
                "{elsewhere}"
            );
        }
        let tunnel = "postgres://localhost/d?hostaddr=10.1.2.3";
        assert_eq!(
            url(tunnel).ssl_mode(),
            &SslMode::VerifyFull(Roots::System),
            "the address decides"
        );
        for local_host in ["localhost", "127.0.0.1", "[::1]", "127.1.2.3"] {
            assert_eq!(
                url(&format!("postgres://{local_host}/d")).ssl_mode(),
                &SslMode::Disable,
                "{local_host}"
            );
        }
        assert_eq!(
            url("postgres:///d?host=/run/postgresql").ssl_mode(),
            &SslMode::Disable
        );
        assert!(error_text("postgres:///d").contains("no host"));
    }

    #[test]
    fn certificates_verify_with_verify_full_only() {
        let file = SslMode::VerifyFull(Roots::File("/etc/roots.pem".into()));
        for (parameters, ssl_mode) in [
            ("sslmode=disable", SslMode::Disable),
            ("sslmode=require", SslMode::Require),
            ("sslmode=verify-full", SslMode::VerifyFull(Roots::System)),
            ("sslrootcert=/etc%2Froots.pem", file.clone()),
            ("sslrootcert=/etc/roots.pem&sslmode=verify-full", file),
        ] {
            for host in ["h", "localhost"] {
                let url = url(&format!("postgres://{host}/d?{parameters}"));
                assert_eq!(url.ssl_mode(), &ssl_mode, "{url}");
            }
        }
    }

    #[test]
    fn rejected_parameter_names_its_substitute() {
        for (wrong, right) in [
            ("sslmode=allow", "verify-full"),
            ("sslmode=prefer", "sslmode=disable"),
            ("sslmode=verify-ca&sslrootcert=/etc/roots.pem", "hostaddr"),
            ("sslmode=VERIFY-FULL", "sslmode=verify-full"),
            ("sslmode=require&sslrootcert=/etc/roots.pem", "verify-full"),
            (
                "sslmode=disable&sslrootcert=system",
                "leave sslrootcert out",
            ),
            ("sslmode=require&sslmode=disable", "twice"),
            ("sslnegotiation=direct", "leave it out"),
            ("require_auth=scram-sha-256", "channel_binding=require"),
        ] {
            let message = error_text(&format!("postgres://h/d?{wrong}"));
            assert!(message.contains(right), "{message}");
        }
    }

    #[test]
    fn socket_excludes_other_hosts() {
        let socket = url("postgres://u@/d?host=/run/postgresql&port=5433&sslmode=require");
        assert_eq!(socket.config().get_ssl_mode(), config::SslMode::Disable);
        assert!(error_text("postgres://u@h/d?host=/run/postgresql").contains("alone"));
    }
}
