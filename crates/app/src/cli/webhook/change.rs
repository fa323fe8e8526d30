//! `voight webhook change`.

use super::view;
use super::webhook_arg::WebhookArg;
use crate::cli::invocation::Invocation;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::Args;
use voight_api::admin::ChangeWebhook;
use voight_domain::events::EventType;
use voight_domain::vocabulary::ContextId;

/// Arguments of `voight webhook change`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Events that are not delivered yet are sent to the new URL.\n\n\
Examples:
  voight webhook change acme 01k0ab3c --url https://hooks.acme.example/voight
  voight webhook change acme 01k0ab3c --types verdict.flagged --all-contexts")]
pub(in crate::cli) struct Change {
    #[command(flatten)]
    webhook: WebhookArg,
    #[command(flatten)]
    settings: Settings,
}

/// Settings of an endpoint, of which at least one changes.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
struct Settings {
    /// Send events to this URL; pending ones too
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Send only events of these types, separated by commas
    #[arg(long, value_name = "TYPE", num_args = 1.., value_delimiter = ',')]
    types: Vec<EventType>,
    /// Send events of all types
    #[arg(long, conflicts_with = "types")]
    all_types: bool,
    /// Send only events of these contexts: complete ids, separated by commas
    #[arg(long, value_name = "CONTEXT_ID", num_args = 1.., value_delimiter = ',')]
    contexts: Vec<ContextId>,
    /// Send events of all contexts, and those without a context
    #[arg(long, conflicts_with = "contexts")]
    all_contexts: bool,
}

impl Change {
    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let change = self.settings.change();
        self.webhook.change(invocation, session, &change)
    }
}

impl Settings {
    fn change(&self) -> ChangeWebhook {
        let has_types = self.all_types || !self.types.is_empty();
        let has_contexts = self.all_contexts || !self.contexts.is_empty();
        ChangeWebhook {
            url: self.url.clone(),
            types: has_types.then(|| view::texts(&self.types)),
            contexts: has_contexts.then(|| view::texts(&self.contexts)),
            state: None,
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
        change: Change,
    }

    fn parse(arguments: &[&str]) -> Result<Change, clap::Error> {
        let line = [&["change", "acme", "01k0ab3c"], arguments].concat();
        TestCli::try_parse_from(line).map(|cli| cli.change)
    }

    #[test]
    fn only_given_settings_change() {
        let body = |arguments: &[&str]| {
            let change = parse(arguments).unwrap().settings.change();
            serde_json::to_value(change).unwrap()
        };
        let url = "https://a.example";
        assert_eq!(body(&["--url", url]), json!({ "url": url }));
        assert_eq!(
            body(&["--types", "key.issued,key.revoked", "--all-contexts"]),
            json!({ "types": ["key.issued", "key.revoked"], "contexts": [] })
        );
        assert_eq!(body(&["--all-types"]), json!({ "types": [] }));
    }

    #[test]
    fn change_names_a_setting_once() {
        for arguments in [
            &[][..],
            &["--all-types", "--types", "key.issued"],
            &["--contexts", "spring"],
        ] {
            assert!(parse(arguments).is_err(), "{arguments:?}");
        }
    }
}
