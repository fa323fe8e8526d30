//! `voight admin`.

mod token;

use super::invocation::Invocation;
use crate::exit::CommandError;
use clap::Subcommand;

/// Access to the admin API.
#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Named admin tokens, each with a role
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
