//! `postgres://…`

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode};

/// A parameter that the driver does not know: the file with the authorities that may vouch for the server.
const ROOTS: &str = "sslrootcert";

/// How long a host is waited for that is the only one, and how long one of several, so that there is time left for the next.
const ALONE: Duration = Duration::from_secs(5);
const ONE_OF_SEVERAL: Duration = Duration::from_secs(2);

/// Where a database is, and how to log in to it.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    text: String,
    config: Arc<Config>,
    roots: Option<PathBuf>,
}

/// Why text is not the URL of a database.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the store {shown} is no URL of a database ({why}); write postgres://USER@HOST/DATABASE, with the password in PGPASSWORD or in the URL"
)]
pub struct PostgresUrlError {
    shown: String,
    why: String,
}

impl PostgresUrl {
    /// What the driver needs.
    pub(crate) fn config(&self) -> Config {
        Config::clone(&self.config)
    }

    /// The file with the authorities that may vouch for the server; `None` if anybody may.
    pub(crate) const fn roots(&self) -> Option<&PathBuf> {
        self.roots.as_ref()
    }

    /// The name of the database.
    pub(crate) fn database(&self) -> &str {
        self.config.get_dbname().or(self.config.get_user()).unwrap_or("postgres")
    }

    /// Uses this password if the URL has none.
    #[must_use]
    pub fn or_password(mut self, password: Option<&str>) -> Self {
        if let Some(password) = password.filter(|_| self.config.get_password().is_none()) {
            Arc::make_mut(&mut self.config).password(password);
        }
        self
    }
}

impl FromStr for PostgresUrl {
    type Err = PostgresUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = |why: String| PostgresUrlError { shown: without_password(text), why };
        let (plain, roots) = without_roots(text);
        let mut config: Config = plain.parse().map_err(|error| wrong(crate::error::in_words(&error)))?;
        if authority(text).matches('@').count() > 1 {
            return Err(wrong("a user or password with an @ in it has %40 in its place".to_owned()));
        }
        if config.get_hosts().is_empty() {
            return Err(wrong("it names no host".to_owned()));
        }
        if roots.is_some() && config.get_ssl_mode() != SslMode::Require {
            return Err(wrong(format!("{ROOTS} is of use only with sslmode=require")));
        }
        let stays = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        if stays && config.get_ssl_mode() == SslMode::Prefer {
            config.ssl_mode(SslMode::Disable);
        }
        let several = config.get_hosts().len() > 1;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(if several { ONE_OF_SEVERAL } else { ALONE });
        }
        if several && !plain.contains("load_balance_hosts=") {
            // In the order of the URL, a first one that hangs would be waited for each time, and the next never asked.
            config.load_balance_hosts(LoadBalanceHosts::Random);
        }
        config.application_name("voight");
        Ok(Self { text: text.to_owned(), config: Arc::new(config), roots: roots.map(PathBuf::from) })
    }
}

/// The part of a URL that names user and host.
fn authority(text: &str) -> &str {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    rest.find(['/', '?']).map_or(rest, |end| &rest[..end])
}

/// The URL without the parameter that the driver does not know, and that parameter.
fn without_roots(text: &str) -> (String, Option<String>) {
    let Some((place, query)) = text.split_once('?') else { return (text.to_owned(), None) };
    let is_roots = |pair: &&str| pair.split_once('=').is_some_and(|(name, _)| name == ROOTS);
    let roots = query.split('&').find(is_roots).and_then(|pair| pair.split_once('=')).map(|(_, path)| path.to_owned());
    let rest: Vec<_> = query.split('&').filter(|pair| !is_roots(pair)).collect();
    if rest.is_empty() { (place.to_owned(), roots) } else { (format!("{place}?{}", rest.join("&")), roots) }
}

/// The URL as it may be shown.
fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (authority, tail) = rest.split_at(authority(text).len());
    let shown = match authority.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or(user)),
        None => authority.to_owned(),
    };
    let tail = match tail.split_once('?') {
        Some((path, query)) => {
            let rest: Vec<_> = query.split('&').filter(|pair| !pair.starts_with("password=")).collect();
            if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) }
        }
        None => tail.to_owned(),
    };
    format!("{scheme}://{shown}{tail}")
}

/// Never shows the password.
impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_password(&self.text))
    }
}

/// As [`Display`](fmt::Display).
impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for text in ["postgres://u:secret@h/d", "postgres://u:secret@h", "postgres://h/d?user=u&password=secret"] {
            let url: PostgresUrl = text.parse().unwrap();
            assert!(!format!("{url} {url:?}").contains("secret"), "{url}");
            assert!(
                url.or_password(Some("other")).config().get_password() == Some(b"secret"),
                "the URL's own password counts"
            );
        }
        let refused = "postgres://u:secret@h:port/d".parse::<PostgresUrl>().unwrap_err().to_string();
        assert!(!refused.contains("secret") && refused.contains("postgres://u@h:port/d"), "{refused}");
        let refused = "postgres://u:sec@ret@h/d".parse::<PostgresUrl>().unwrap_err().to_string();
        assert!(refused.contains("%40") && !refused.contains("ret@"), "{refused}");
    }

    #[test]
    fn the_authorities_of_a_server_go_with_a_line_that_must_be_encrypted() {
        let url: PostgresUrl = "postgres://h/d?sslrootcert=/etc/roots.pem&sslmode=require".parse().unwrap();
        assert_eq!(url.roots(), Some(&PathBuf::from("/etc/roots.pem")));
        let refused = "postgres://h/d?sslrootcert=/etc/roots.pem".parse::<PostgresUrl>().unwrap_err().to_string();
        assert!(refused.contains("sslmode=require"), "{refused}");
    }

    #[test]
    fn a_host_that_hangs_is_not_always_the_first_of_several() {
        let config = |text: &str| text.parse::<PostgresUrl>().unwrap().config();
        let (one, two) = (config("postgres://a/d"), config("postgres://a,b/d"));
        assert_eq!(one.get_load_balance_hosts(), LoadBalanceHosts::Disable);
        assert_eq!(two.get_load_balance_hosts(), LoadBalanceHosts::Random);
        assert!(two.get_connect_timeout() < one.get_connect_timeout());
        let ordered = config("postgres://a,b/d?load_balance_hosts=disable");
        assert_eq!(ordered.get_load_balance_hosts(), LoadBalanceHosts::Disable);
    }

    #[test]
    fn a_line_is_encrypted_where_it_can_be_unless_it_stays_on_the_machine() {
        let mode = |text: &str| text.parse::<PostgresUrl>().unwrap().config().get_ssl_mode();
        assert_eq!(mode("postgres://h/d"), SslMode::Prefer);
        assert_eq!(mode("postgres://h/d?sslmode=disable"), SslMode::Disable);
        assert_eq!(mode("postgres:///d?host=/run/postgresql"), SslMode::Disable);
        assert!("postgres:///d".parse::<PostgresUrl>().unwrap_err().to_string().contains("no host"));
    }
}
