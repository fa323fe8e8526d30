//! `voight key revoke`.

use super::table;
use crate::cli::confirm::{confirm, is_attended};
use crate::cli::invocation::Invocation;
use crate::cli::reference::KeyRef;
use crate::exit::CommandError;
use crate::output::{Table, day, yes_no};
use crate::session::AdminSession;
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;
use voight_api::admin::{KeyContexts, KeyRevocation, RevokedKey, routes};

/// Maximum number of contexts in text output; JSON contains all.
const SHOWN: usize = 20;

/// Arguments of `voight key revoke`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The command lists the contexts of the key, live contexts first. If live contexts would become unreachable for every active \
key, a terminal asks for confirmation, and a script needs --yes.\n\n\
After a leak, `voight key rotate --now KEY_ID` also invalidates the secret, and the contexts stay reachable.\n\n\
Examples:
  voight key revoke 01k0ab3c --reason \"no longer used\"
  voight key revoke 01k0ab3c --move-contexts-to 01k0cd4e")]
pub(in crate::cli) struct Revoke {
    /// Key id, or a unique prefix of it
    key_id: KeyRef,
    /// Move the contexts of the key to this key of the same client, in the same transaction
    #[arg(long, value_name = "KEY_ID")]
    move_contexts_to: Option<KeyRef>,
    /// Do not ask for confirmation, even if live contexts become unreachable
    #[arg(long)]
    yes: bool,
    /// Reason, written to the audit log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Contexts of a revocation and, after the revocation, the key.
#[derive(Serialize)]
struct Revocation {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    key: Option<RevokedKey>,
    revoked: bool,
    contexts: KeyContexts,
}

impl Revoke {
    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let key = self.key_id.to_string();
        let contexts = session
            .client()
            .call(&routes::LIST_CONTEXTS_AT_STAKE.call([&key]))?;
        if let Some(question) = self.question(&contexts) {
            if !is_attended() {
                // The caller needs the list of contexts, so it is printed as data even though the key was not revoked.
                let sentence = format!(
                    "nothing was done, because live contexts would become unreachable: {}",
                    self.ways_out()
                );
                invocation.output.data(
                    &Revocation {
                        key: None,
                        revoked: false,
                        contexts,
                    },
                    text,
                )?;
                return Err(CommandError::internal(sentence));
            }
            invocation.output.note(listed(&contexts));
            confirm(&question)?;
        }
        let move_contexts_to = self.move_contexts_to.map(|key| key.to_string());
        let body = KeyRevocation {
            move_contexts_to,
            reason: self.reason,
        };
        let revoked_key = session
            .client()
            .send(&routes::REVOKE_KEY.call([&key]), &body)?;
        invocation.output.data(
            &Revocation {
                key: Some(revoked_key),
                revoked: true,
                contexts,
            },
            text,
        )
    }

    /// Returns the question to confirm; `None` if no live context becomes unreachable or a flag answers it.
    fn question(&self, contexts: &KeyContexts) -> Option<String> {
        let unreachable_count = contexts.live_unreachable;
        if self.yes || self.move_contexts_to.is_some() || unreachable_count == 0 {
            return None;
        }
        let contexts_text = if unreachable_count == 1 {
            "1 live context".to_owned()
        } else {
            format!("{unreachable_count} live contexts")
        };
        Some(format!(
            "Revoke key {} although {contexts_text} would be unreachable for every active key?",
            self.key_id
        ))
    }

    fn ways_out(&self) -> String {
        let key = &self.key_id;
        format!(
            "move them with --move-contexts-to KEY_ID, end a leaked secret only with `voight key rotate --now {key}`, or revoke the key anyway with --yes"
        )
    }
}

fn text(Revocation { key, contexts, .. }: &Revocation) -> String {
    let Some(revoked) = key else {
        return listed(contexts);
    };
    let mut text = table(std::slice::from_ref(&revoked.key)).to_string();
    if revoked.moved_contexts > 0 {
        let _ = write!(text, "\nContexts moved: {}", revoked.moved_contexts);
    } else if contexts.count > 0 {
        let _ = write!(text, "\n{}", listed(contexts));
    }
    text
}

/// Formats the contexts that the revocation affects.
fn listed(contexts: &KeyContexts) -> String {
    let KeyContexts {
        count,
        live,
        live_unreachable,
        ..
    } = contexts;
    let mut text = format!(
        "Contexts of the key: {count}; live: {live}; live and unreachable for every other key: {live_unreachable}\n"
    );
    let mut table = Table::new(["CONTEXT ID", "ARCHIVED", "OUT OF REACH"]).with_narrowed([0]);
    for context in contexts.contexts.iter().take(SHOWN) {
        table.row([
            context.context_id.clone(),
            context
                .archived_at
                .as_deref()
                .map_or_else(|| "-".to_owned(), day),
            yes_no(context.becomes_unreachable).to_owned(),
        ]);
    }
    let _ = write!(text, "{table}");
    if contexts.count > SHOWN {
        let _ = writeln!(
            text,
            "… and {} more; --json lists all.",
            contexts.count - SHOWN
        );
    }
    text
}
