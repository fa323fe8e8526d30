//! Arguments that name a client and its webhook endpoint.

use super::view;
use crate::cli::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use crate::session::AdminSession;
use clap::Args;
use voight_api::admin::{ChangeWebhook, WebhookEndpoint, routes};
use voight_domain::registry::find_by_prefix;

/// Argument that names a client.
#[derive(Debug, Args)]
pub(in crate::cli) struct ClientArg {
    /// Client name or id
    #[arg(value_name = "CLIENT")]
    client: String,
}

/// Arguments that name a webhook endpoint of a client.
#[derive(Debug, Args)]
pub(in crate::cli) struct WebhookArg {
    #[command(flatten)]
    client: ClientArg,
    /// Webhook endpoint id, or a unique prefix of it
    #[arg(value_name = "WEBHOOK")]
    pub(super) id: String,
}

impl ClientArg {
    pub(super) fn as_str(&self) -> &str {
        &self.client
    }
}

impl WebhookArg {
    /// Returns the name or id of the client.
    pub(super) fn client(&self) -> &str {
        self.client.as_str()
    }

    /// Returns the endpoint whose id or unique prefix was given.
    pub(super) fn resolve(&self, session: &AdminSession) -> Result<WebhookEndpoint, CommandError> {
        let call = routes::LIST_WEBHOOKS.call([self.client()]);
        self.find(session.client().call(&call)?)
    }

    fn find(&self, endpoints: Vec<WebhookEndpoint>) -> Result<WebhookEndpoint, CommandError> {
        find_by_prefix(&self.id, endpoints, |endpoint| endpoint.id.clone()).map_err(|error| {
            let sentence = format!(
                "webhook endpoint {:?} {error}; `voight webhook list {}` prints all of the client",
                self.id,
                self.client()
            );
            CommandError::new(Exit::NotFound, sentence)
        })
    }

    /// Changes the endpoint, and prints it.
    pub(super) fn change(
        &self,
        invocation: &Invocation,
        session: &AdminSession,
        change: &ChangeWebhook,
    ) -> Result<(), CommandError> {
        let id = self.resolve(session)?.id;
        let call = routes::CHANGE_WEBHOOK.call([self.client(), &id]);
        let endpoint = session.client().send(&call, change)?;
        invocation.output.data(&endpoint, view::record)
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::tests::endpoint;
    use super::*;

    #[test]
    fn endpoint_is_named_by_a_unique_prefix() {
        let find = |text: &str| {
            let webhook = WebhookArg {
                client: ClientArg {
                    client: "acme".into(),
                },
                id: text.into(),
            };
            let endpoints = ["01k0ab3c000000000000000001", "01k0ab3d000000000000000002"];
            webhook.find(endpoints.map(endpoint).to_vec())
        };
        for text in ["01k0ab3d", "01k0ab3d…", "01k0ab3d000000000000000002"] {
            assert_eq!(find(text).unwrap().id, "01k0ab3d000000000000000002");
        }
        for text in ["01k0ab3", "01k0ab3e", ""] {
            let failure = find(text).unwrap_err();
            assert_eq!(failure.exit, Exit::NotFound, "{text}");
            let remedy = "`voight webhook list acme`";
            assert!(failure.message.contains(remedy), "{failure}");
        }
    }
}
