//! `voight events tail`.

use super::line::{event_line, heading};
use super::stream::EventStream;
use crate::cli::date_range;
use crate::cli::instant::parse_instant;
use crate::cli::invocation::Invocation;
use crate::cli::number::whole;
use crate::exit::CommandError;
use crate::local_store;
use crate::os::SystemClock;
use crate::output::Output;
use crate::session::AdminSession;
use clap::Args;
use std::thread::sleep;
use std::time::Duration;
use voight_api::admin::{TailedEvent, routes};
use voight_api::route::{Call, EmptyBody, EventStream as EventStreamResponse};
use voight_domain::Timestamp;
use voight_domain::events::EventType;
use voight_domain::ports::Clock;

/// Maximum number of the last events of a client.
const MAX_LATEST: usize = 500;

/// Arguments of `voight events tail`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Tail {
    /// Print only events of this client: its name or id [default: all clients]
    #[arg(long, value_name = "CLIENT")]
    client: Option<String>,
    /// Print only events of these types, separated by commas, for example verdict.flagged [default: all]
    #[arg(long, value_name = "TYPE", num_args = 1.., value_delimiter = ',')]
    types: Vec<EventType>,
    /// Print events since a span of time ago, for example 24h, or since a date (UTC) or a time [default: an hour ago; with --follow
    /// now; with --client the last events]
    #[arg(long, value_name = "TIME", value_parser = parse_since)]
    since: Option<Since>,
    /// Print the last N events of the client, 0 to 500, before later ones [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0, MAX_LATEST), requires = "client", conflicts_with = "since")]
    limit: Option<usize>,
    /// Wait for later events, also after a restart of the server, until Ctrl-C [default: end after the last event]
    #[arg(long)]
    follow: bool,
}

/// Time from which events are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Since {
    /// A span of time ago.
    Ago(Duration),
    /// A point in time.
    Time(Timestamp),
}

impl Tail {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let session = invocation.session()?;
        self.require_server(invocation, &session)?;
        let call = self.call();
        let output = invocation.output;
        let mut is_connected = false;
        let connect = |cursor: Option<&str>| {
            let connection = session.client().follow(&call, cursor)?;
            if is_connected {
                output.note("The stream continues.");
            }
            is_connected = true;
            Ok(connection)
        };
        let pause = |span: Duration| {
            output.note(format_args!(
                "The connection to the server is lost; trying again in {} s.",
                span.as_secs()
            ));
            sleep(span);
        };
        let mut is_first = true;
        EventStream::new(connect, pause, self.follow).run(|data| {
            if output.is_json() {
                return Output::stream_line(data);
            }
            if std::mem::take(&mut is_first) && !Output::stream_line(heading())? {
                return Ok(false);
            }
            Output::stream_line(event_line(data)?)
        })?;
        if is_first && !output.is_json() {
            output.note("No event matches the options.");
        }
        Ok(())
    }

    /// Rejects `--follow` over a store in files that no server uses: it would keep a server from starting.
    fn require_server(
        &self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        if self.follow && session.is_embedded() {
            let config = invocation.load(Vec::new())?.config;
            if local_store::is_in_files(&config) {
                return Err(CommandError::unreachable(
                    "no server is running, so no event can happen; start it with `voight serve`, or leave out --follow",
                ));
            }
        }
        Ok(())
    }

    fn call(&self) -> Call<EmptyBody, EventStreamResponse<TailedEvent>> {
        let types: Vec<_> = self
            .types
            .iter()
            .map(|event_type| event_type.as_str())
            .collect();
        let types = (!types.is_empty()).then(|| types.join(","));
        let since = self.since.map(|since| since.time().to_string());
        let limit = self.limit.map(|limit| limit.to_string());
        routes::TAIL_EVENTS
            .call([])
            .with_query("client", self.client.as_deref())
            .with_query("types", types.as_deref())
            .with_query("since", since.as_deref())
            .with_query("limit", limit.as_deref())
            .with_query("follow", self.follow.then_some("true"))
    }
}

impl Since {
    fn time(self) -> Timestamp {
        match self {
            Self::Ago(span) => SystemClock.now().saturating_sub(span),
            Self::Time(time) => time,
        }
    }
}

/// Parses a span of time such as `24h`, a date or a time.
fn parse_since(text: &str) -> Result<Since, &'static str> {
    let span = date_range::parse(text).map(Since::Ago);
    span.or_else(|_| parse_instant(text).map(Since::Time))
        .map_err(|_| {
            "write a span of time such as 24h, a date (UTC) such as 2027-01-01 or a time such as 2027-01-01T00:00:00Z"
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct TestCli {
        #[command(flatten)]
        tail: Tail,
    }

    fn target(arguments: &[&str]) -> String {
        let line = [&["tail"], arguments].concat();
        TestCli::parse_from(line).tail.call().target().to_owned()
    }

    #[test]
    fn arguments_become_parameters_of_the_request() {
        assert_eq!(target(&[]), "/admin/v1/events");
        assert_eq!(
            target(&["--client", "acme", "--limit", "5", "--follow"]),
            "/admin/v1/events?client=acme&limit=5&follow=true"
        );
        assert_eq!(
            target(&[
                "--types",
                "verdict.flagged,key.issued",
                "--since",
                "2027-01-01"
            ]),
            "/admin/v1/events?types=verdict.flagged%2Ckey.issued&since=2027-01-01T00%3A00%3A00Z"
        );
    }

    #[test]
    fn since_is_a_span_or_a_time() {
        let hours = Duration::from_hours(24);
        assert_eq!(parse_since("24h"), Ok(Since::Ago(hours)));
        let time = "2027-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(parse_since("2027-01-01"), Ok(Since::Time(time)));
        for text in ["", "yesterday", "24"] {
            assert!(parse_since(text).is_err(), "{text}");
        }
    }

    #[test]
    fn invalid_arguments_are_rejected() {
        for arguments in [
            &["--types", "verdict.gone"][..],
            &["--limit", "5"],
            &["--client", "acme", "--limit", "501"],
            &["--client", "acme", "--limit", "5", "--since", "1h"],
        ] {
            let line = [&["tail"], arguments].concat();
            assert!(TestCli::try_parse_from(line).is_err(), "{arguments:?}");
        }
    }
}
