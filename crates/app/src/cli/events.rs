//! `voight events`.

mod line;
mod server_sent;
mod stream;
mod tail;

use super::invocation::Invocation;
use crate::exit::CommandError;
use clap::Subcommand;

/// Commands of `voight events`.
#[derive(Debug, Subcommand)]
pub(super) enum EventsCommand {
    /// Print the events of all clients or of one: verdicts, contexts, keys, usage, invoices, snapshots and webhook endpoints
    ///
    /// With --client and without --since, the last events of the client are printed. Over all clients, the events of the last
    /// hour are printed, or with --follow those from now on. The read is written to the audit log.
    ///
    /// With --json, each event is one line of JSON. Ctrl-C ends the command.
    #[command(after_long_help = "Examples:\n  \
        voight events tail --client acme\n  \
        voight events tail --follow --types verdict.flagged\n  \
        voight events tail --since 24h --json > events.ndjson")]
    Tail(tail::Tail),
}

impl EventsCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Tail(command) => command.run(invocation),
        }
    }
}
