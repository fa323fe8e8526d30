//! Command line: one file per group of commands.

mod address_cell;
mod adjustment;
mod admin;
mod audit;
mod client;
mod cluster;
mod completions;
mod config;
mod confirm;
mod context;
mod date_range;
#[cfg(feature = "server")]
mod demo;
mod doctor;
mod erase;
mod events;
mod explain;
mod file;
mod globals;
mod health;
mod instant;
mod invocation;
mod invoice;
mod key;
mod man;
mod number;
mod paging;
mod progress;
mod recording;
mod reference;
#[cfg(feature = "server")]
mod serve;
mod signing_key;
mod snapshot;
mod store;
mod usage;
mod usage_error;
mod user;
mod verdict;
mod webhook;

pub(crate) use usage_error::{asks_for_json, usage_failure};
pub(crate) use verdict::read_labels;

use crate::exit::{CommandError, EXIT_CODES};
use crate::output::Output;
use clap::{Parser, Subcommand};
use globals::GlobalArgs;
use invocation::Invocation;
use std::collections::HashMap;

/// Decide whether an Ethereum address is operated by a bot
///
/// Voight is a self-hosted service. Pages embed its window, the service evaluates the evidence that the window collects, and
/// backends look up the verdict with an API key.
#[derive(Debug, Parser)]
#[command(
    name = "voight",
    version,
    arg_required_else_help = true,
    propagate_version = true
)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(flatten)]
    globals: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

/// Top-level commands.
#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "server")]
    /// Start the service with a temporary store and a sample quest page
    Demo(demo::Demo),
    #[cfg(feature = "server")]
    /// Run the service
    Serve(serve::Serve),
    /// Manage clients: the billing accounts of platforms
    #[command(subcommand)]
    Client(client::ClientCommand),
    /// Manage the API keys of clients
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Manage the keys that sign receipts and ledger heads
    #[command(subcommand)]
    SigningKey(signing_key::SigningKeyCommand),
    /// Manage contexts: the scopes of verdicts
    #[command(subcommand)]
    Context(context::ContextCommand),
    /// Import wallet clusters from an external source
    #[command(subcommand)]
    Cluster(cluster::ClusterCommand),
    /// Show, explain, override and label the verdicts of addresses
    #[command(subcommand)]
    Verdict(verdict::VerdictCommand),
    /// Export recordings of labelled checks for model training
    #[command(subcommand)]
    Recording(recording::RecordingCommand),
    /// Show usage and cost by client, or export billable lookups
    Usage(usage::Usage),
    /// Look up long lists of addresses for rewards, with an API key
    #[command(subcommand)]
    Snapshot(snapshot::SnapshotCommand),
    /// Manage the webhook endpoints of clients, to which events are sent
    #[command(subcommand)]
    Webhook(webhook::WebhookCommand),
    /// Follow the events of clients
    #[command(subcommand)]
    Events(events::EventsCommand),
    /// Erase the data of an address from all contexts. Flags and billing records are kept
    ///
    /// Verdicts, timelines, openings of ledger rows, responses stored for idempotency keys, receipts, evidence and account
    /// links are deleted, which cannot be undone. If the address was flagged, a keyed digest keeps the flag in force until the
    /// context is archived. Ledgers, meters and the audit log do not change. If the command is interrupted, run it again:
    /// erasing is idempotent and completes the remaining work.
    Erase(erase::Erase),
    /// Verify and export the ledgers and the audit log
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Preview, issue and manage invoices
    #[command(subcommand)]
    Invoice(invoice::InvoiceCommand),
    /// Manage access to the admin API: named tokens with roles
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Manage the users of the console. Requires the role owner
    #[command(subcommand)]
    User(user::UserCommand),
    /// Inspect, verify, back up, restore and copy the store
    #[command(subcommand)]
    Store(store::StoreCommand),
    /// Create, check and show the configuration
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Test whether the server of this data directory accepts traffic
    Health(health::Health),
    /// Diagnose this installation
    Doctor(doctor::Doctor),
    /// Print the completion script of a shell
    Completions(completions::Completions),
    /// Print the manual page
    Man(man::Man),
}

impl Cli {
    /// Returns the output format of the command.
    pub(crate) fn output(&self) -> Output {
        Output::from_json_flag(self.globals.json)
    }

    /// Runs the command in this environment.
    pub(crate) fn run(self, environment: HashMap<String, String>) -> Result<(), CommandError> {
        let invocation = Invocation::new(self.globals, environment);
        match self.command {
            #[cfg(feature = "server")]
            Command::Demo(command) => command.run(&invocation),
            #[cfg(feature = "server")]
            Command::Serve(command) => command.run(&invocation),
            Command::Client(command) => command.run(&invocation),
            Command::Key(command) => command.run(&invocation),
            Command::SigningKey(command) => command.run(&invocation),
            Command::Context(command) => command.run(&invocation),
            Command::Cluster(command) => command.run(&invocation),
            Command::Verdict(command) => command.run(&invocation),
            Command::Recording(command) => command.run(&invocation),
            Command::Usage(command) => command.run(&invocation),
            Command::Snapshot(command) => command.run(&invocation),
            Command::Webhook(command) => command.run(&invocation),
            Command::Events(command) => command.run(&invocation),
            Command::Erase(command) => command.run(&invocation),
            Command::Audit(command) => command.run(&invocation),
            Command::Invoice(command) => command.run(&invocation),
            Command::Admin(command) => command.run(&invocation),
            Command::User(command) => command.run(&invocation),
            Command::Store(command) => command.run(&invocation),
            Command::Config(command) => command.run(&invocation),
            Command::Health(command) => command.run(&invocation),
            Command::Doctor(command) => command.run(&invocation),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}

#[cfg(test)]
#[path = "cli/tests.rs"]
mod tests;
