//! `[console]`: pages for operators on the admin listener.

use super::diagnostic::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use voight_domain::vocabulary::Origin;

/// Pages for operators on the admin listener.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Console {
    /// `true` serves the console. Without `console.origin` it is served on a loopback address only.
    pub(crate) enabled: bool,
    /// Origin under which operators open the console, for example `https://console.quest.example`; empty for the address of
    /// the admin listener.
    ///
    /// Browsers keep the session only on https or on this machine, so any other origin is rejected.
    pub(crate) origin: String,
}

impl Default for Console {
    fn default() -> Self {
        Self {
            enabled: true,
            origin: String::new(),
        }
    }
}

impl Console {
    /// Returns the origin of the console with this admin listener: the configured one, or the address of a listener on
    /// this machine. `None` for another listener, since browsers keep no session without https.
    pub(crate) fn origin_at(&self, admin: SocketAddr) -> Option<Origin> {
        let origin = if self.origin.is_empty() {
            let is_own_machine = admin.ip().is_loopback();
            is_own_machine.then(|| format!("http://{admin}"))?
        } else {
            self.origin.clone()
        };
        origin.parse().ok()
    }

    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        if self.origin.is_empty() {
            return Vec::new();
        }
        let problem = match self.origin.parse::<Origin>() {
            Err(error) => error.to_string(),
            Ok(origin) if is_secure(&origin) => return Vec::new(),
            Ok(_) => {
                "browsers keep a session only on https or on this machine; serve the console through a proxy with https".to_owned()
            }
        };
        let sentence = format!("console.origin is {:?}: {problem}", self.origin);
        vec![Diagnostic::new("console.origin", sentence)]
    }
}

/// Returns `true` if browsers keep a session with this origin.
fn is_secure(origin: &Origin) -> bool {
    let authority = origin.authority();
    let host = authority
        .rsplit_once(':')
        .map_or(authority, |(host, _)| host);
    origin.as_str().starts_with("https://") || matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_configured_or_on_this_machine() {
        let origin_at = |origin: &str, admin: &str| {
            let console = Console {
                enabled: true,
                origin: origin.to_owned(),
            };
            let origin = console.origin_at(admin.parse().unwrap());
            origin.map(|origin| origin.to_string())
        };
        let on_this_machine = Some("http://127.0.0.1:8081".to_owned());
        assert_eq!(origin_at("", "127.0.0.1:8081"), on_this_machine);
        assert_eq!(
            origin_at("", "[::1]:8081").as_deref(),
            Some("http://[::1]:8081")
        );
        assert_eq!(origin_at("", "0.0.0.0:8081"), None);
        let configured_origin = "https://console.quest.example";
        for admin in ["127.0.0.1:8081", "10.0.0.7:8081"] {
            assert_eq!(
                origin_at(configured_origin, admin).as_deref(),
                Some(configured_origin)
            );
        }
    }

    #[test]
    fn origin_needs_https_or_this_machine() {
        let console = |origin: &str| Console {
            enabled: true,
            origin: origin.to_owned(),
        };
        for origin in [
            "",
            "https://console.quest.example",
            "https://console.quest.example:8443",
            "http://localhost:8081",
            "http://127.0.0.1:8081",
        ] {
            assert_eq!(console(origin).contradictions(), [], "{origin}");
        }
        for origin in [
            "http://console.quest.example",
            "http://10.0.0.7:8081",
            "console.quest.example",
            "https://console.quest.example/console",
        ] {
            assert_eq!(console(origin).contradictions().len(), 1, "{origin}");
        }
    }
}
