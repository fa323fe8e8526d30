//! `voight signing-key`.

use super::invocation::Invocation;
use super::paging::Paging;
use crate::exit::CommandError;
use crate::output::Table;
use clap::Subcommand;
use voight_api::admin::{SigningKey, SigningKeyRotation, routes};

/// Commands of `voight signing-key`.
#[derive(Debug, Subcommand)]
pub(super) enum SigningKeyCommand {
    /// List the signing keys, the active key first
    List(Paging),
    /// Replace the active signing key. Receipts signed before stay valid for their ten minutes, ledger heads without a time
    /// limit
    Rotate,
}

impl SigningKeyCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let session = invocation.session()?;
        match self {
            Self::List(paging) => paging
                .read(session.client(), &routes::LIST_SIGNING_KEYS.call([]))?
                .print(invocation, table),
            Self::Rotate => {
                let key = session
                    .client()
                    .send(&routes::ROTATE_SIGNING_KEY.call([]), &SigningKeyRotation {})?;
                invocation
                    .output
                    .data(&key, |key| table(std::slice::from_ref(key)))
            }
        }
    }
}

fn table(keys: &[SigningKey]) -> Table {
    let mut table = Table::new(["KID", "PUBLIC KEY", "RETIRED"]);
    for key in keys {
        let retirement = if key.active {
            "in use"
        } else {
            key.retired_at.as_deref().unwrap_or("unknown")
        };
        table.row([key.kid.as_str(), key.x.as_str(), retirement]);
    }
    table
}
