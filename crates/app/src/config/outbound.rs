//! `[outbound]`: connections that the service opens to other programs.

use super::diagnostic::Diagnostic;
use super::list;
use ipnet::IpNet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use voight_domain::outbound::{ProxyUrl, ProxyUrlError};

/// Maximum of both timeouts. A delivery waits for a permit and for a response, and ends before its lease of a minute.
const MAX_TIMEOUT_SECONDS: u64 = 25;
/// Maximum number of concurrent requests.
const MAX_CONCURRENT_REQUESTS: usize = 10_000;

/// Connections that the service opens to receivers on the internet. The connection to a database is not one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Outbound {
    /// `true` permits outbound connections. Otherwise the service opens none.
    pub(crate) enabled: bool,
    /// Ports of receivers beside 443.
    #[serde(deserialize_with = "list::ports")]
    pub(crate) ports: Vec<u16>,
    /// Networks of receivers that are not on the internet, for example `10.20.0.0/16`. Addresses of other private and special
    /// networks are rejected, and so are the metadata services of clouds in any network.
    #[serde(deserialize_with = "list::networks")]
    #[schemars(with = "Vec<String>")]
    pub(crate) allow_networks: Vec<IpNet>,
    /// URL of an HTTP proxy for all outbound connections, for example `http://proxy.internal:3128`; empty connects directly.
    ///
    /// The proxy resolves the names of receivers, so it must reject the networks of the operator itself.
    pub(crate) proxy: String,
    /// Timeout for a connection.
    #[schemars(range(min = 1, max = MAX_TIMEOUT_SECONDS), extend("x-unit" = "seconds"))]
    pub(crate) connect_timeout_seconds: u64,
    /// Timeout for a complete response, the connection included.
    #[schemars(range(min = 1, max = MAX_TIMEOUT_SECONDS), extend("x-unit" = "seconds"))]
    pub(crate) timeout_seconds: u64,
    /// Maximum number of concurrent outbound requests; a quarter of it to one host.
    #[schemars(range(min = 1, max = MAX_CONCURRENT_REQUESTS), extend("x-unit" = "requests"))]
    pub(crate) max_concurrent_requests: usize,
}

impl Default for Outbound {
    fn default() -> Self {
        Self {
            enabled: false,
            ports: Vec::new(),
            allow_networks: Vec::new(),
            proxy: String::new(),
            connect_timeout_seconds: 5,
            timeout_seconds: 15,
            max_concurrent_requests: 64,
        }
    }
}

impl Outbound {
    /// Returns the proxy; `None` for direct connections.
    pub(crate) fn proxy(&self) -> Result<Option<ProxyUrl>, ProxyUrlError> {
        if self.proxy.is_empty() {
            return Ok(None);
        }
        self.proxy.parse().map(Some)
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let mut wrong = Vec::new();
        if self.connect_timeout_seconds > self.timeout_seconds {
            let sentence = "outbound.connect_timeout_seconds is above outbound.timeout_seconds; give at most as much";
            wrong.push(Diagnostic::new(
                "outbound.connect_timeout_seconds",
                sentence,
            ));
        }
        if let Err(error) = self.proxy() {
            let sentence = format!("outbound.proxy is {:?}: {error}", self.proxy);
            wrong.push(Diagnostic::new("outbound.proxy", sentence));
        }
        wrong
    }

    /// Returns advisories: settings that weaken the protection of the operator's network.
    pub(super) fn notes(&self) -> Vec<Diagnostic> {
        let wide_network = self
            .allow_networks
            .iter()
            .find(|network| network.prefix_len() == 0);
        let note = |network: &IpNet| {
            let sentence = format!(
                "outbound.allow_networks has {network}: platforms can make the service call every address of your network; name the \
                 networks of receivers only"
            );
            Diagnostic::new("outbound.allow_networks", sentence)
        };
        wide_network.map(note).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ConfigErrors, ConfigSources, Loaded, load_text};
    use super::*;

    fn load(toml: &str) -> Result<Loaded, ConfigErrors> {
        let sources = ConfigSources {
            file: Some("voight.toml".into()),
            ..ConfigSources::default()
        };
        load_text(sources, Some(&format!("[outbound]\n{toml}\n")))
    }

    fn problem(toml: &str) -> String {
        let ConfigErrors(problems) = load(toml).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems[0].message.clone()
    }

    #[test]
    fn complete_section_is_loaded() {
        let toml = "enabled = true\nports = [8443, 9443]\nallow_networks = [\"10.20.0.0/16\"]\n\
                    proxy = \"http://proxy.internal:3128\"\nconnect_timeout_seconds = 3\ntimeout_seconds = 10\n\
                    max_concurrent_requests = 8";
        let outbound = load(toml).unwrap().config.outbound;
        let expected_outbound = Outbound {
            enabled: true,
            ports: vec![8443, 9443],
            allow_networks: vec!["10.20.0.0/16".parse().unwrap()],
            proxy: "http://proxy.internal:3128".to_owned(),
            connect_timeout_seconds: 3,
            timeout_seconds: 10,
            max_concurrent_requests: 8,
        };
        assert_eq!(outbound, expected_outbound);
        assert_eq!(outbound.proxy().unwrap().unwrap().port(), 3128);
    }

    #[test]
    fn ports_may_be_a_variable() {
        let sources = ConfigSources {
            environment: [(
                "VOIGHT__OUTBOUND__PORTS".to_owned(),
                "8443, 9443".to_owned(),
            )]
            .into(),
            ..ConfigSources::default()
        };
        let loaded_config = load_text(sources, None).unwrap();
        assert_eq!(loaded_config.config.outbound.ports, [8443, 9443]);
    }

    #[test]
    fn invalid_settings_are_explained() {
        for (toml, words) in [
            ("ports = [0]", "from 1 to 65535"),
            ("ports = [65536]", "from 1 to 65535"),
            ("ports = [\"https\"]", "from 1 to 65535"),
            ("ports = 8443.5", "fraction"),
            ("allow_networks = [\"10.0.0.1\"]", "10.0.0.1/32"),
            (
                "proxy = \"proxy.internal:3128\"",
                "the scheme of a proxy is http",
            ),
            ("proxy = \"http://user@proxy.internal\"", "no user name"),
            ("connect_timeout_seconds = 0", "from 1 to 25"),
            ("timeout_seconds = 26", "from 1 to 25"),
            (
                "timeout_seconds = 4",
                "outbound.connect_timeout_seconds is above",
            ),
            ("max_concurrent_requests = 0", "from 1 to 10000"),
            (
                "redirects = true",
                "no configuration key outbound.redirects",
            ),
        ] {
            let sentence = problem(toml);
            assert!(sentence.contains(words), "{toml}: {sentence}");
        }
    }

    #[test]
    fn network_of_all_addresses_is_noted() {
        let notes = |toml: &str| {
            let notes = load(toml).unwrap().notes;
            let own_notes = notes
                .iter()
                .filter(|note| note.message.starts_with("outbound."));
            own_notes.count()
        };
        assert_eq!(notes("allow_networks = [\"10.0.0.0/8\"]"), 0);
        assert_eq!(notes("allow_networks = [\"10.0.0.0/8\", \"::/0\"]"), 1);
        assert_eq!(notes("allow_networks = [\"0.0.0.0/0\"]"), 1);
    }
}
