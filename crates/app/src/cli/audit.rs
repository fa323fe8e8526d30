//! `voight audit`.

mod check;
mod checked;
mod export;
mod ledger;
mod log;
mod read;
mod verify;

use super::invocation::Invocation;
use crate::exit::CommandError;
use clap::Subcommand;

/// What shows that nothing was changed: the chains of the ledgers and of the audit log.
#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// Prove the chains of all ledgers, and that of the audit log
    Verify(verify::Verify),
    /// Write a client's ledger into a file that the client can check without this service
    Export(export::Export),
    /// Check an exported ledger: offline, without a store, a server or a configuration
    Check(check::VerifyExport),
    /// Show who changed what
    Log(log::LogCommand),
}

impl AuditCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Verify(command) => command.run(invocation),
            Self::Export(command) => command.run(invocation),
            Self::Check(command) => command.run(invocation),
            Self::Log(command) => command.run(invocation),
        }
    }
}
