//! `voight key rotate`.

use super::issued_record;
use crate::cli::date_range;
use crate::cli::invocation::Invocation;
use crate::cli::reference::KeyRef;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::Args;
use std::time::Duration;
use voight_api::admin::{KeyRotation, routes};

/// Arguments of `voight key rotate`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The key keeps its id, its contexts and its expiry.\n\n\
After a leak, --now invalidates the old secret immediately. It also makes a revoked key active again, with its new secret \
only.\n\n\
Examples:
  voight key rotate 01k0ab3c
  voight key rotate 01k0ab3c --overlap 7d
  voight key rotate --now 01k0ab3c --reason \"secret leaked\"")]
pub(in crate::cli) struct Rotate {
    /// Key id, or a unique prefix of it
    key_id: KeyRef,
    /// Time for which the old secret stays valid, at most 30d
    #[arg(long, value_name = "SPAN", default_value = "24h", value_parser = date_range::parse)]
    overlap: Duration,
    /// Invalidate the old secret immediately, for example after a leak. A revoked key becomes active again
    #[arg(long, conflicts_with = "overlap")]
    now: bool,
    /// Reason, written to the audit log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Rotate {
    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let overlap = if self.now {
            Duration::ZERO
        } else {
            self.overlap
        };
        let body = KeyRotation {
            overlap_seconds: Some(overlap.as_secs()),
            reason: self.reason,
        };
        let issued_key = session
            .client()
            .send(&routes::ROTATE_KEY.call([self.key_id.as_str()]), &body)?;
        invocation.output.data(&issued_key, issued_record)?;
        invocation
            .output
            .note("Keep the key now: it cannot be shown again.");
        Ok(())
    }
}
