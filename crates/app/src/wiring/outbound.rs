//! Outbound connections by the configuration.

use crate::config;
use crate::exit::CommandError;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::outbound::OutboundPolicy;
use voight_domain::ports::{DisabledOutbound, Outbound};
use voight_outbound::{OutboundClient, OutboundOptions, system_roots};

/// Creates the port of outbound connections: one that rejects every call, unless the operator has enabled them.
pub(super) fn outbound(config: &config::Outbound) -> Result<Arc<dyn Outbound>, CommandError> {
    if !config.enabled {
        return Ok(Arc::new(DisabledOutbound));
    }
    let proxy = config
        .proxy()
        .map_err(|error| CommandError::configuration(format!("outbound.proxy: {error}")))?;
    let roots = system_roots();
    let client = roots.and_then(|roots| {
        OutboundClient::new(OutboundOptions {
            policy: OutboundPolicy::new(
                config.ports.iter().copied(),
                config.allow_networks.clone(),
            ),
            proxy,
            connect_timeout: Duration::from_secs(config.connect_timeout_seconds),
            timeout: Duration::from_secs(config.timeout_seconds),
            max_concurrent_requests: config.max_concurrent_requests,
            roots,
        })
    });
    match client {
        Ok(client) => Ok(Arc::new(client)),
        Err(error) => Err(CommandError::configuration(format!(
            "outbound.enabled is true, but {error}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_domain::ports::OutboundError;

    #[test]
    fn outbound_connections_are_disabled_by_default() {
        let outbound = outbound(&config::Outbound::default()).unwrap();
        let result = outbound.parse_target("https://hooks.example/");
        assert_eq!(result, Err(OutboundError::Disabled));
    }

    #[test]
    fn settings_decide_which_targets_are_permitted() {
        let config = config::Outbound {
            enabled: true,
            ports: vec![8443],
            allow_networks: vec!["10.20.0.0/16".parse().unwrap()],
            ..config::Outbound::default()
        };
        let outbound = outbound(&config).unwrap();
        for (url, is_permitted) in [
            ("https://hooks.example/", true),
            ("https://10.20.0.1:8443/", true),
            ("https://10.21.0.1:8443/", false),
            ("https://hooks.example:9443/", false),
        ] {
            assert_eq!(outbound.parse_target(url).is_ok(), is_permitted, "{url}");
        }
    }
}
