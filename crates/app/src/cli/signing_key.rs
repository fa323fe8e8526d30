//! `voight signing-key`.

use super::invocation::Invocation;
use super::paging::Paging;
use crate::admin_client::Path;
use crate::exit::CommandError;
use crate::output::Table;
use clap::Subcommand;
use voight_api::admin::{SigningKey, SigningKeyRotation};

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
            Self::List(paging) => {
                paging.read(session.client(), &Path::from_segments(["signing-keys"]))?.print(invocation, table)
            }
            Self::Rotate => {
                let path = Path::from_segments(["signing-keys", "rotate"]);
                let key: SigningKey = session.client().post(&path, &SigningKeyRotation {})?;
                invocation.output.data(&key, |key| table(std::slice::from_ref(key)))
            }
        }
    }
}

fn table(keys: &[SigningKey]) -> Table {
    let mut table = Table::new(["KID", "PUBLIC KEY", "RETIRED"]);
    for key in keys {
        let retired = if key.active { "in use" } else { key.retired_at.as_deref().unwrap_or("unknown") };
        table.row([key.kid.as_str(), key.x.as_str(), retired]);
    }
    table
}
