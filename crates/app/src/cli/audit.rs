//! `voight audit`.

mod export;
mod ledger;
mod log;
mod reader;
mod report;
mod verify;
mod verify_export;

use super::invocation::Invocation;
use crate::exit::CommandError;
use clap::Subcommand;

/// Commands of `voight audit`.
#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// Verify the hash chains of all ledgers and of the audit log
    Verify(verify::Verify),
    /// Export a client's ledger to a file that the client can verify without this service
    Export(export::LedgerExportArgs),
    /// Verify an exported ledger offline, without a store, a server or a configuration
    VerifyExport(verify_export::VerifyExport),
    /// Show the entries of the audit log: each change with its actor
    Log(log::LogCommand),
}

impl AuditCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Verify(command) => command.run(invocation),
            Self::Export(command) => command.run(invocation),
            Self::VerifyExport(command) => command.run(invocation),
            Self::Log(command) => command.run(invocation),
        }
    }
}
