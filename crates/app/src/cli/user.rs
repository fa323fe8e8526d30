//! `voight user`.

use super::confirm::Yes;
use super::invocation::Invocation;
use super::paging::Paging;
use crate::exit::CommandError;
use crate::output::{Table, day};
use clap::{Args, Subcommand};
use std::net::{IpAddr, Ipv4Addr};
use voight_api::admin::{InvitedUser, NewUser, User, UserRemoval, UserRole, routes};
use voight_domain::registry::Role;
use voight_domain::vocabulary::UserName;

/// Commands of `voight user`. They require the role owner.
#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Create a sign-in link for a user. The link works once, within 15 minutes, and is printed only once
    ///
    /// A user who does not exist yet is created. A new link replaces an earlier one, and is also the way back in for a user
    /// who has lost every passkey and wallet.
    Invite(NameAndRole),
    /// List all users, including removed ones
    List(Paging),
    /// Give a user another role. The user's sessions end, and a sign-in link becomes invalid
    Role(ReferenceAndRole),
    /// Remove a user. Sessions, passkeys and wallets are deleted. This cannot be undone
    Remove(Remove),
}

/// Arguments of `voight user invite`.
#[derive(Debug, Args)]
pub(super) struct NameAndRole {
    /// Name of the user, shown in the audit log as the actor
    name: UserName,
    /// Role of the user: owner, operator, analyst or billing
    #[arg(long, value_name = "ROLE")]
    role: Role,
}

/// Arguments of `voight user role`.
#[derive(Debug, Args)]
pub(super) struct ReferenceAndRole {
    /// User name or id, or a unique prefix of the id
    #[arg(value_name = "USER")]
    name: String,
    /// Role of the user: owner, operator, analyst or billing
    #[arg(long, value_name = "ROLE")]
    role: Role,
}

/// Arguments of `voight user remove`.
#[derive(Debug, Args)]
pub(super) struct Remove {
    /// User name or id, or a unique prefix of the id
    #[arg(value_name = "USER")]
    name: String,
    #[command(flatten)]
    yes: Yes,
}

impl UserCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if let Self::Remove(remove) = &self {
            remove.yes.confirm(
                &format!("removing the user {:?}", remove.name),
                &[&remove.name],
            )?;
        }
        let session = invocation.session()?;
        let client = session.client();
        let output = invocation.output;
        match self {
            Self::Invite(NameAndRole { name, role }) => {
                let body = NewUser {
                    name: name.to_string(),
                    role: role.to_string(),
                };
                let invited_user = client.send(&routes::INVITE_USER.call([]), &body)?;
                let base = console_url(invocation)?;
                output.data(&invited_user, |invited_user| {
                    invited_record(invited_user, &base)
                })?;
                output.note("Open the link now: it works once, and cannot be shown again.");
            }
            Self::List(paging) => paging
                .read(client, &routes::LIST_USERS.call([]))?
                .print(invocation, table)?,
            Self::Role(ReferenceAndRole { name, role }) => {
                let body = UserRole {
                    role: role.to_string(),
                };
                let user = client.send(&routes::SET_USER_ROLE.call([&name]), &body)?;
                output.data(&user, |user| table(std::slice::from_ref(user)))?;
            }
            Self::Remove(Remove { name, .. }) => {
                let user = client.send(&routes::REMOVE_USER.call([&name]), &UserRemoval {})?;
                output.data(&user, |user| table(std::slice::from_ref(user)))?;
            }
        }
        Ok(())
    }
}

/// Returns the origin of the console: that of `--server`, or of the configuration.
fn console_url(invocation: &Invocation) -> Result<String, CommandError> {
    let named_url = invocation.globals.server.as_deref();
    if let Some(url) = named_url.filter(|url| url.starts_with("http://")) {
        return Ok(url.trim_end_matches('/').to_owned());
    }
    let loaded_config = invocation.load(Vec::new())?;
    let mut listen = loaded_config.config.server.admin_listen;
    if listen.ip().is_unspecified() {
        listen.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    let origin = loaded_config.config.console.origin_at(listen);
    Ok(origin.map_or_else(|| format!("http://{listen}"), |origin| origin.to_string()))
}

fn invited_record(invited_user: &InvitedUser, base: &str) -> Table {
    let mut table = Table::default();
    table.row(["link", &format!("{base}{}", invited_user.path)]);
    table.row(["expires", &invited_user.expires_at]);
    table.row(["id", &invited_user.user.id]);
    table.row(["name", &invited_user.user.name]);
    table.row(["role", &invited_user.user.role]);
    table
}

fn table(users: &[User]) -> Table {
    let mut table = Table::new([
        "ID", "NAME", "ROLE", "PASSKEYS", "WALLETS", "CREATED", "SEEN", "REMOVED",
    ])
    .with_narrowed([1]);
    let optional_day = |time: &Option<String>| time.as_deref().map_or_else(|| "-".to_owned(), day);
    for user in users {
        table.row([
            user.id.clone(),
            user.name.clone(),
            user.role.clone(),
            user.passkeys.to_string(),
            user.wallets.to_string(),
            day(&user.created_at),
            optional_day(&user.seen_at),
            optional_day(&user.removed_at),
        ]);
    }
    table
}
