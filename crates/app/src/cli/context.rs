//! `voight context`.

mod expected;
mod settings;

use super::confirm::Yes;
use super::invocation::Invocation;
use super::paging::Paging;
use super::reference::{ContextRef, KeyRef};
use crate::exit::CommandError;
use crate::output::{Table, day, list, optional, word};
use crate::session::AdminSession;
use clap::{Args, Subcommand};
use settings::SettingsArgs;
use voight_api::admin::{Context, ContextMove, NewContext, routes};
use voight_domain::ContextTitle;

/// Commands of `voight context`.
#[derive(Debug, Subcommand)]
pub(super) enum ContextCommand {
    /// Register a context for a key
    #[command(after_long_help = "\
Examples:
  voight context create --key 01k0ab3c spring
  voight context create --key 01k0ab3cdefghjkmnpqrstvwxy autumn_2026 --json")]
    Create {
        /// Key that looks up the context's verdicts: its id, or a unique prefix of it
        #[arg(long, value_name = "KEY_ID")]
        key: KeyRef,
        /// Title of the context: letters, digits, _ and -
        title: ContextTitle,
    },
    /// List contexts
    List {
        /// List only contexts of this client: its name or id
        #[arg(long, value_name = "CLIENT")]
        client: Option<String>,
        /// List only contexts that are tied to this key: its id, or a unique prefix of it
        #[arg(long, value_name = "KEY_ID", conflicts_with = "client")]
        key: Option<KeyRef>,
        #[command(flatten)]
        paging: Paging,
    },
    /// Show a context and its settings
    Show(ContextArg),
    /// Change settings of a context. Settings that are not given keep their value
    Set {
        #[command(flatten)]
        context: ContextArg,
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Archive a context: it accepts no new checks, its lookups are still answered. Tombstones of erased addresses are deleted,
    /// which cannot be undone
    Archive {
        #[command(flatten)]
        context: ContextArg,
        #[command(flatten)]
        yes: Yes,
    },
    /// Move a context to another key of the same client. The other key looks up its verdicts from then on
    Move {
        #[command(flatten)]
        context: ContextArg,
        /// New key: an active key of the same client and environment (live or test)
        #[arg(long, value_name = "KEY_ID")]
        to_key: KeyRef,
        /// Reason, written to the audit log
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

/// Argument that names a context.
#[derive(Debug, Args)]
pub(super) struct ContextArg {
    /// Context id, a unique prefix of it, or client/title
    #[arg(value_name = "CONTEXT")]
    context: ContextRef,
}

impl ContextCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if let Self::Archive { context, yes } = &self {
            context.confirm_archive(*yes)?;
        }
        let session = invocation.session()?;
        let context = match self {
            Self::List {
                client,
                key,
                paging,
            } => {
                let key = key.as_ref().map(KeyRef::as_str);
                let call = routes::LIST_CONTEXTS
                    .call([])
                    .with_query("client", client.as_deref())
                    .with_query("key", key);
                return paging
                    .read(session.client(), &call)?
                    .print(invocation, table);
            }
            Self::Create { key, title } => {
                let body = NewContext {
                    key_id: key.to_string(),
                    title: title.to_string(),
                };
                session
                    .client()
                    .send(&routes::CREATE_CONTEXT.call([]), &body)?
            }
            Self::Show(named) => session
                .client()
                .call(&routes::SHOW_CONTEXT.call([named.context.as_str()]))?,
            Self::Set { context, settings } => change(&session, &context, &settings)?,
            Self::Archive { context, .. } => change(&session, &context, &SettingsArgs::archived())?,
            Self::Move {
                context,
                to_key,
                reason,
            } => {
                let body = ContextMove {
                    to_key: to_key.to_string(),
                    reason,
                };
                session.client().send(
                    &routes::MOVE_CONTEXT.call([context.context.as_str()]),
                    &body,
                )?
            }
        };
        invocation.output.data(&context, record)
    }
}

impl ContextArg {
    /// Asks for confirmation: archiving can be undone, deleting the tombstones cannot.
    fn confirm_archive(&self, yes: Yes) -> Result<(), CommandError> {
        let id = self.context.as_str();
        let title = id.split('.').next().unwrap_or(id);
        yes.confirm(
            &format!("archiving {id} and removing the flags of erased addresses in it"),
            &[title, id],
        )
    }
}

fn change(
    session: &AdminSession,
    context: &ContextArg,
    settings: &SettingsArgs,
) -> Result<Context, CommandError> {
    session.client().send(
        &routes::CHANGE_CONTEXT_SETTINGS.call([context.context.as_str()]),
        &settings.patch(),
    )
}

fn table(contexts: &[Context]) -> Table {
    let headings = ["CONTEXT ID", "KEY ID", "ENV", "MODE", "ORIGINS", "ARCHIVED"];
    let mut table = Table::new(headings).with_narrowed([4, 1, 0]);
    for context in contexts {
        table.row([
            context.context_id.clone(),
            context.key_id.clone(),
            context.environment.clone(),
            word(&context.settings.mode),
            list(&context.settings.origins),
            context
                .archived_at
                .as_deref()
                .map_or_else(|| "-".to_owned(), day),
        ]);
    }
    table
}

fn record(context: &Context) -> Table {
    let settings = &context.settings;
    let mut table = Table::default();
    table.row(["context id", &context.context_id]);
    table.row(["client id", &context.client_id]);
    table.row(["key id", &context.key_id]);
    table.row(["environment", &context.environment]);
    table.row(["origins", &list(&settings.origins)]);
    table.row(["ownership proof", &word(&settings.ownership_proof)]);
    table.row(["unverified flags", &word(&settings.unverified_flags)]);
    table.row([
        "minimum confidence",
        &format!("{} %", settings.min_confidence),
    ]);
    for (what, rate) in expected::rows(settings.min_confidence) {
        table.row([what.to_owned(), rate]);
    }
    table.row(["press count", &settings.press_count.to_string()]);
    table.row(["mode", &word(&settings.mode)]);
    table.row([
        "addresses per device",
        &format!(
            "{}, beyond that {}",
            settings.device_limit,
            word(&settings.device_policy)
        ),
    ]);
    table.row([
        "evidence kept",
        &format!("{} days", settings.retention_days),
    ]);
    table.row(["created", &context.created_at]);
    table.row(["archived", &optional(context.archived_at.as_deref())]);
    table
}
