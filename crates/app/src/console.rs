//! Console of a server: where it is served, and the link of its first owner.

use crate::config::Config;
use crate::exit::CommandError;
use crate::http_settings::{admin_hosts, given};
use crate::os::SystemClock;
use std::net::SocketAddr;
use std::sync::Arc;
use voight_console::{Console, ConsoleSettings, RuleText, SIGN_IN_PATH};
use voight_detect::Rule;
use voight_domain::services::Services;
use voight_http::Listeners;
use voight_http::admin::AdminPages;

/// Console that a server serves.
pub(crate) struct ServedConsole {
    /// Pages for the admin listener.
    pub(crate) pages: AdminPages,
    /// Origin of the pages.
    pub(crate) origin: String,
}

impl ServedConsole {
    /// Creates the console of a server; `None` if it is disabled, or would be served without https.
    pub(crate) fn new(config: &Config, services: &Services, listeners: Listeners) -> Option<Self> {
        if !config.console.enabled {
            return None;
        }
        let admin = listeners.admin;
        let mut hosts = admin_hosts(admin, &config.server.admin_hosts);
        let Some(origin) = config.console.origin_at(admin) else {
            tracing::warn!(
                event = "console_disabled",
                %admin,
                "the console is off: the admin listener is not on this machine only; set console.origin to an https origin"
            );
            return None;
        };
        hosts.push(origin.authority().to_owned());
        let origin = origin.to_string();
        let settings = ConsoleSettings {
            hosts,
            public_url: public_url(config, listeners.public),
            version: env!("CARGO_PKG_VERSION"),
            rule_texts: voight_detect::rules().iter().map(rule_text).collect(),
            origin: origin.clone(),
        };
        tracing::info!(
            event = "console_started",
            console = %format_args!("{origin}/console"),
            "the console is open to its users"
        );
        let console = Console::new(services.clone(), Arc::new(SystemClock), settings);
        let pages: AdminPages = Arc::new(move |config| console.configure(config));
        Some(Self { pages, origin })
    }

    /// Returns the URL that signs the first owner in; `None` once a user has signed in.
    pub(crate) async fn first_link(
        &self,
        services: &Services,
    ) -> Result<Option<String>, CommandError> {
        let invited_user = services.users.first_link().await.map_err(|error| {
            CommandError::internal(format!(
                "the link of the first owner cannot be made: {error}"
            ))
        })?;
        Ok(invited_user.map(|invited_user| {
            format!(
                "{}{SIGN_IN_PATH}/{}",
                self.origin,
                invited_user.link.expose().as_str()
            )
        }))
    }
}

fn public_url(config: &Config, public: SocketAddr) -> String {
    let configured_url = given(&config.server.public_url);
    configured_url.map_or_else(
        || format!("http://localhost:{}", public.port()),
        |url| url.trim_end_matches('/').to_owned(),
    )
}

const fn rule_text(rule: &Rule) -> RuleText {
    RuleText {
        rule: rule.name,
        meaning: rule.meaning,
        benign_explanation: rule.benign_explanation,
    }
}
