//! `voight client contexts`.

use super::ClientArg;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::{Args, ValueEnum};
use voight_http::admin::dto::{Client, ClientPatch, ContextAccess};

/// The access of a client's keys to its contexts.
#[derive(Debug, Args)]
pub(in crate::cli) struct Contexts {
    #[command(flatten)]
    client: ClientArg,
    /// The keys that may use a context from now on; left out, the setting is shown
    #[arg(value_name = "KEYS")]
    access: Option<Access>,
}

/// The keys that may use a context.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Access {
    /// Only the key that registered it, or the one that it was moved to
    RegisteringKey,
    /// Every active key of the client: live keys live contexts, test keys test contexts
    Client,
}

impl Contexts {
    pub(super) fn run(&self, session: &AdminSession) -> Result<Client, CommandError> {
        let path = self.client.path();
        let contexts = match self.access {
            None => return session.client().get(&path),
            Some(Access::RegisteringKey) => ContextAccess::RegisteringKey,
            Some(Access::Client) => ContextAccess::Client,
        };
        session.client().patch(&path, &ClientPatch { contexts: Some(contexts), ..ClientPatch::default() })
    }
}
