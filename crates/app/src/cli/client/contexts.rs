//! `voight client contexts`.

use super::ClientArg;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::{Args, ValueEnum};
use voight_api::admin::{Client, ClientPatch, ContextAccess};

/// Arguments of `voight client contexts`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Contexts {
    #[command(flatten)]
    client: ClientArg,
    /// Keys that may use a context from now on [default: print the current setting]
    #[arg(value_name = "KEYS")]
    access: Option<Access>,
}

/// Keys that may use a context.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Access {
    /// The key that registered the context, or that it was moved to
    RegisteringKey,
    /// Every active key of the client in the same environment: live keys use live contexts, test keys test contexts
    Client,
}

impl Contexts {
    pub(super) fn run(&self, session: &AdminSession) -> Result<Client, CommandError> {
        let contexts = match self.access {
            None => return Ok(session.client().call(&self.client.show())?.client),
            Some(Access::RegisteringKey) => ContextAccess::RegisteringKey,
            Some(Access::Client) => ContextAccess::Client,
        };
        self.client.change(
            session,
            &ClientPatch {
                contexts: Some(contexts),
                ..ClientPatch::default()
            },
        )
    }
}
