//! `voight admin token`.

use crate::cli::confirm::Yes;
use crate::cli::invocation::Invocation;
use crate::cli::paging::Paging;
use crate::exit::CommandError;
use crate::output::{Table, day};
use clap::{Args, Subcommand};
use voight_api::admin::{
    AdminTokenRevocation, AdminTokenRotation, IssuedAdminToken, NamedToken, NewAdminToken, routes,
};
use voight_domain::registry::Role;
use voight_domain::vocabulary::AdminTokenName;

const KEEP: &str =
    "Keep the token now: it cannot be shown again. Commands take it from VOIGHT_ADMIN_TOKEN.";

/// Commands of `voight admin token`. They require the role owner.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum TokenCommand {
    /// Create a token. Its secret is printed only once
    Create(Create),
    /// List all tokens. Secrets are not stored, so they cannot be listed
    List(Paging),
    /// Replace the secret of a token. The old secret becomes invalid immediately
    Rotate {
        /// Token name or id, or a unique prefix of the id
        name: String,
    },
    /// Revoke a token. This cannot be undone
    Revoke(Revoke),
}

/// Arguments of `voight admin token create`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Create {
    /// Name of the token, shown in the audit log as the actor
    #[arg(long, value_name = "NAME")]
    name: AdminTokenName,
    /// Role of the token: owner, operator, analyst or billing
    #[arg(long, value_name = "ROLE")]
    role: Role,
}

/// Arguments of `voight admin token revoke`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Revoke {
    /// Token name or id, or a unique prefix of the id
    name: String,
    #[command(flatten)]
    yes: Yes,
}

impl TokenCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if let Self::Revoke(revoke) = &self {
            revoke.yes.confirm(
                &format!("revoking the admin token {:?}", revoke.name),
                &[&revoke.name],
            )?;
        }
        let session = invocation.session()?;
        let output = invocation.output;
        match self {
            Self::Create(Create { name, role }) => {
                let body = NewAdminToken {
                    name: name.to_string(),
                    role: role.to_string(),
                };
                let issued_token = session
                    .client()
                    .send(&routes::CREATE_TOKEN.call([]), &body)?;
                output.data(&issued_token, issued_record)?;
                output.note(KEEP);
            }
            Self::List(paging) => {
                paging
                    .read(session.client(), &routes::LIST_TOKENS.call([]))?
                    .print(invocation, table)?;
            }
            Self::Rotate { name } => {
                let issued_token = session
                    .client()
                    .send(&routes::ROTATE_TOKEN.call([&name]), &AdminTokenRotation {})?;
                output.data(&issued_token, issued_record)?;
                output.note(KEEP);
            }
            Self::Revoke(Revoke { name, .. }) => {
                let token = session.client().send(
                    &routes::REVOKE_TOKEN.call([&name]),
                    &AdminTokenRevocation {},
                )?;
                output.data(&token, |token| table(std::slice::from_ref(token)))?;
            }
        }
        Ok(())
    }
}

fn issued_record(token: &IssuedAdminToken) -> Table {
    let mut table = Table::default();
    table.row(["token", &token.token]);
    table.row(["id", &token.id]);
    table.row(["name", &token.name]);
    table.row(["role", &token.role]);
    table
}

fn table(tokens: &[NamedToken]) -> Table {
    let mut table =
        Table::new(["ID", "NAME", "ROLE", "ROTATIONS", "CREATED", "REVOKED"]).with_narrowed([1]);
    for token in tokens {
        table.row([
            token.id.clone(),
            token.name.clone(),
            token.role.clone(),
            token.rotations.to_string(),
            day(&token.created_at),
            token
                .revoked_at
                .as_deref()
                .map_or_else(|| "-".to_owned(), day),
        ]);
    }
    table
}
