//! `voight webhook replay`.

use super::view;
use super::webhook_arg::WebhookArg;
use crate::cli::instant::parse_instant;
use crate::cli::invocation::Invocation;
use crate::cli::number::whole;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::Args;
use voight_api::admin::{ReplayWebhook, routes};
use voight_api::public::MAX_EXACT_NUMBER;
use voight_domain::Timestamp;

/// Arguments of `voight webhook replay`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The receiver gets each event again, with the id that it had before. Events are stored for 30 days.\n\n\
Examples:
  voight webhook replay acme 01k0ab3c --event 7
  voight webhook replay acme 01k0ab3c --since 2026-11-28T12:00:00Z")]
pub(in crate::cli) struct Replay {
    #[command(flatten)]
    webhook: WebhookArg,
    #[command(flatten)]
    range: ReplayRange,
}

/// Events to send again.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct ReplayRange {
    /// Send the event with this number again
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, MAX_EXACT_NUMBER))]
    event: Option<u64>,
    /// Send all events since this date (UTC) or time again
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    since: Option<Timestamp>,
}

impl Replay {
    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let id = self.webhook.resolve(session)?.id;
        let call = routes::REPLAY_WEBHOOK.call([self.webhook.client(), &id]);
        let endpoint = session.client().send(&call, &self.range.body())?;
        invocation.output.data(&endpoint, view::record)?;
        invocation.output.note(format_args!(
            "The events are sent again while the endpoint is active. Next: voight webhook deliveries {:?} {}",
            self.webhook.client(),
            endpoint.id
        ));
        Ok(())
    }
}

impl ReplayRange {
    fn body(&self) -> ReplayWebhook {
        ReplayWebhook {
            event: self.event,
            since: self.since.map(|since| since.to_string()),
            after: None,
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
        replay: Replay,
    }

    fn parse(arguments: &[&str]) -> Result<Replay, clap::Error> {
        let line = [&["replay", "acme", "01k0ab3c"], arguments].concat();
        TestCli::try_parse_from(line).map(|cli| cli.replay)
    }

    #[test]
    fn replay_is_of_an_event_or_since_a_time() {
        let body = |arguments: &[&str]| {
            let replay = parse(arguments).unwrap();
            serde_json::to_value(replay.range.body()).unwrap()
        };
        assert_eq!(body(&["--event", "7"]), json!({ "event": 7 }));
        assert_eq!(
            body(&["--since", "2026-11-28"]),
            json!({ "since": "2026-11-28T00:00:00Z" })
        );
        for arguments in [
            &[][..],
            &["--event", "0"],
            &["--since", "yesterday"],
            &["--event", "7", "--since", "2026-11-28"],
        ] {
            assert!(parse(arguments).is_err(), "{arguments:?}");
        }
    }
}
