//! The command line: one file for each group of commands.

mod adjustment;
mod admin;
mod audit;
mod client;
mod cluster;
mod completions;
mod config;
mod confirm;
mod context;
mod demo;
mod doctor;
mod erase;
mod explain;
mod file;
mod globals;
mod instant;
mod invocation;
mod invoice;
mod key;
mod man;
mod number;
mod paging;
mod progress;
mod record;
mod reference;
mod serve;
mod signing_key;
mod span;
mod store;
mod usage;
mod usage_error;
mod verdict;

pub(crate) use usage_error::{asks_for_json, usage_failure};
pub(crate) use verdict::read_labels;

use crate::exit::CommandError;
use crate::output::Output;
use clap::{Parser, Subcommand};
use globals::GlobalArgs;
use invocation::Invocation;

/// Is this Ethereum address operated by a bot?
///
/// Voight is a self-hosted service: pages embed its window, it judges what it sees there, and backends ask for the
/// verdict with an API key.
#[derive(Debug, Parser)]
#[command(name = "voight", version, arg_required_else_help = true, propagate_version = true)]
#[command(after_help = "Exit codes: 0 ok, 1 failure, 2 usage, 3 configuration, 4 not found, 5 unreachable.")]
pub(crate) struct Cli {
    #[command(flatten)]
    globals: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

/// The commands there are.
#[derive(Debug, Subcommand)]
enum Command {
    /// Run everything at once: the service on a store of its own, and a quest page that uses it
    Demo(demo::Demo),
    /// Run the service
    Serve(serve::Serve),
    /// Clients: billing accounts
    #[command(subcommand)]
    Client(client::ClientCommand),
    /// API keys of clients
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// The keys that sign receipts and heads of ledgers
    #[command(subcommand)]
    SigningKey(signing_key::SigningKeyCommand),
    /// Contexts: what verdicts are about
    #[command(subcommand)]
    Context(context::ContextCommand),
    /// Clusters of wallets that you know of from elsewhere
    #[command(subcommand)]
    Cluster(cluster::ClusterCommand),
    /// Verdicts on addresses
    #[command(subcommand)]
    Verdict(verdict::VerdictCommand),
    /// Recordings of labelled checks, for training
    #[command(subcommand)]
    Record(record::RecordingCommand),
    /// Lookups of the current period, and what they cost, for each client
    Usage(usage::Usage),
    /// Remove what is known of an address from the whole store; flags stay, the books stay whole
    Erase(erase::Erase),
    /// What shows that nothing was changed: the chains of the ledgers and of the audit log
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Invoices: what a period comes to, close it, and what has become of its invoice
    #[command(subcommand)]
    Invoice(invoice::InvoiceCommand),
    /// Access to the admin API: named tokens with roles
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// The store: look at it, check it, back it up, restore and copy it
    #[command(subcommand)]
    Store(store::StoreCommand),
    /// The configuration
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Look for what is wrong with this installation
    Doctor(doctor::Doctor),
    /// Print the completions of a shell
    Completions(completions::Completions),
    /// Print the manual page
    Man(man::Man),
}

impl Cli {
    /// The form in which the command prints.
    pub(crate) fn output(&self) -> Output {
        Output::new(self.globals.json)
    }

    /// Runs the command.
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let invocation = Invocation::new(self.globals);
        match self.command {
            Command::Demo(command) => command.run(&invocation),
            Command::Serve(command) => command.run(&invocation),
            Command::Client(command) => command.run(&invocation),
            Command::Key(command) => command.run(&invocation),
            Command::SigningKey(command) => command.run(&invocation),
            Command::Context(command) => command.run(&invocation),
            Command::Cluster(command) => command.run(&invocation),
            Command::Verdict(command) => command.run(&invocation),
            Command::Record(command) => command.run(&invocation),
            Command::Usage(command) => command.run(&invocation),
            Command::Erase(command) => command.run(&invocation),
            Command::Audit(command) => command.run(&invocation),
            Command::Invoice(command) => command.run(&invocation),
            Command::Admin(command) => command.run(&invocation),
            Command::Store(command) => command.run(&invocation),
            Command::Config(command) => command.run(&invocation),
            Command::Doctor(command) => command.run(&invocation),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}

#[cfg(test)]
#[path = "cli/tests.rs"]
mod tests;
