//! `voight admin`.

mod token;

use super::invocation::Invocation;
use crate::exit::CommandError;
use clap::Subcommand;

/// Commands of `voight admin`.
#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Manage named admin tokens, each with a role. Requires the role owner
    #[command(subcommand)]
    Token(token::TokenCommand),
}

impl AdminCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Token(command) => command.run(invocation),
        }
    }
}
