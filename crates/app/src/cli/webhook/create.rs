//! `voight webhook create`.

use super::webhook_arg::ClientArg;
use super::{KEEP_SECRET, view};
use crate::cli::invocation::Invocation;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::Args;
use voight_api::admin::{NewWebhook, routes};
use voight_domain::events::EventType;
use voight_domain::vocabulary::{ContextId, Environment};
use voight_domain::webhooks::SignatureKind;

/// Arguments of `voight webhook create`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each call creates an endpoint: after a lost connection, run `voight webhook list` before you repeat the command. A client has at \
most 10.\n\n\
Examples:
  voight webhook create acme --url https://hooks.acme.example/voight
  voight webhook create acme --url https://hooks.acme.example/voight --types verdict.flagged,verdict.changed
  voight webhook create acme --url https://hooks.acme.example/voight --signature ed25519 --environment test")]
pub(in crate::cli) struct Create {
    #[command(flatten)]
    client: ClientArg,
    /// URL of the receiver, for example `https://hooks.acme.example/voight`
    #[arg(long, value_name = "URL")]
    url: String,
    /// Types of the events to send, separated by commas, for example verdict.flagged [default: all]
    #[arg(long, value_name = "TYPE", num_args = 1.., value_delimiter = ',')]
    types: Vec<EventType>,
    /// Contexts of the events to send: complete ids, separated by commas [default: all events, also those without a context]
    #[arg(long, value_name = "CONTEXT_ID", num_args = 1.., value_delimiter = ',')]
    contexts: Vec<ContextId>,
    /// Kind of the signatures: hmac (the receiver has the same secret) or ed25519 (it has the public key). It never changes
    #[arg(long, value_name = "hmac|ed25519", default_value_t = SignatureKind::Hmac)]
    signature: SignatureKind,
    /// Environment whose events are sent: live, or test for the sandbox
    #[arg(long, value_name = "live|test", default_value = "live", value_parser = str::parse::<Environment>)]
    environment: Environment,
}

impl Create {
    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let call = routes::CREATE_WEBHOOK.call([self.client.as_str()]);
        let endpoint = session.client().send(&call, &self.body())?;
        invocation.output.data(&endpoint, view::record)?;
        if endpoint.secret.is_some() {
            invocation.output.note(KEEP_SECRET);
        }
        invocation.output.note(format_args!(
            "Next: voight webhook test {:?} {}",
            self.client.as_str(),
            endpoint.id
        ));
        Ok(())
    }

    fn body(&self) -> NewWebhook {
        NewWebhook {
            url: self.url.clone(),
            environment: Some(self.environment.label().to_owned()),
            types: view::texts(&self.types),
            contexts: view::texts(&self.contexts),
            signature: Some(self.signature.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use serde_json::json;

    #[derive(Debug, Parser)]
    struct TestCli {
        #[command(flatten)]
        create: Create,
    }

    fn body(arguments: &[&str]) -> serde_json::Value {
        let line = [&["create", "acme", "--url", "https://a.example"], arguments].concat();
        serde_json::to_value(TestCli::parse_from(line).create.body()).unwrap()
    }

    #[test]
    fn arguments_become_the_body_of_the_request() {
        let context = "spring.01k0ab3cdefghjkmnpqrstvwxy";
        assert_eq!(
            body(&[]),
            json!({ "url": "https://a.example", "environment": "live", "signature": "hmac" })
        );
        assert_eq!(
            body(&[
                "--types",
                "verdict.flagged,key.issued",
                "--contexts",
                context,
                "--signature",
                "ed25519",
                "--environment",
                "test",
            ]),
            json!({
                "url": "https://a.example", "environment": "test", "signature": "ed25519",
                "types": ["verdict.flagged", "key.issued"], "contexts": [context],
            })
        );
    }

    #[test]
    fn invalid_arguments_are_rejected() {
        for arguments in [
            &["create", "acme"][..],
            &["create", "acme", "--url", "u", "--types", "verdict.gone"],
            &["create", "acme", "--url", "u", "--contexts", "spring"],
            &["create", "acme", "--url", "u", "--signature", "rsa"],
            &["create", "acme", "--url", "u", "--environment", "sandbox"],
        ] {
            assert!(TestCli::try_parse_from(arguments).is_err(), "{arguments:?}");
        }
    }
}
