//! `voight key rotate`.

use super::issued_record;
use crate::admin_client::Path;
use crate::cli::invocation::Invocation;
use crate::cli::reference::KeyRef;
use crate::cli::span;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::Args;
use std::time::Duration;
use voight_http::admin::dto::{IssuedKey, KeyRotation};

/// A key that gets a new secret.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The key stays the same key: its contexts stay tied to it. A rotation never extends an expiry.\n\n\
A secret that has leaked is ended by `voight key rotate --now KEY_ID`. The same makes a revoked key active again, with its \
new secret only.")]
pub(in crate::cli) struct Rotate {
    /// The key: its id, or the unique beginning of it
    key_id: KeyRef,
    /// For how long the old secret stays valid, at most 30d
    #[arg(long, value_name = "SPAN", default_value = "24h", value_parser = span::parse)]
    overlap: Duration,
    /// End the old secret at once, because it has leaked; a revoked key is active again
    #[arg(long, conflicts_with = "overlap")]
    now: bool,
    /// Why; it is kept in the audit log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Rotate {
    pub(super) fn run(self, invocation: &Invocation, session: &AdminSession) -> Result<(), CommandError> {
        let overlap = if self.now { Duration::ZERO } else { self.overlap };
        let body = KeyRotation { overlap_seconds: Some(overlap.as_secs()), reason: self.reason };
        let path = Path::from_segments(["keys", self.key_id.as_str(), "rotate"]);
        let issued: IssuedKey = session.client().post(&path, &body)?;
        invocation.output.data(&issued, issued_record)?;
        invocation.output.note("Keep the key now: it cannot be shown again.");
        Ok(())
    }
}
