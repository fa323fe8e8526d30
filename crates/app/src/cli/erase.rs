//! `voight erase`.

use super::confirm::Yes;
use super::invocation::Invocation;
use crate::exit::CommandError;
use crate::local_store;
use crate::output::{Table, list};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use voight_api::admin::{ErasedCounts, Erasure, ErasureRequest, routes};
use voight_domain::EoaAddress;

/// Arguments of `voight erase`.
#[derive(Debug, Args)]
pub(super) struct Erase {
    /// Ethereum address, 0x and 40 hexadecimal digits
    #[arg(long, value_name = "ADDRESS")]
    address: EoaAddress,
    /// Reason, written to the audit log. It must not contain an address
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Change nothing and print the records that would be deleted
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    yes: Yes,
}

impl Erase {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if !self.dry_run {
            let address = self.address.to_string();
            self.yes
                .confirm(&format!("erasing the data of {address}"), &[&address])?;
        }
        let session = invocation.session()?;
        let body = ErasureRequest {
            address: self.address.to_string(),
            reason: self.reason,
            dry_run: self.dry_run,
        };
        let erasure = session
            .client()
            .send_and_wait(&routes::ERASE.call([]), &body)?;
        invocation.output.data(&erasure, table)?;
        if erasure.erased == ErasedCounts::default() {
            invocation
                .output
                .note("No data is stored about this address.");
        }
        if erasure.dry_run {
            invocation.output.note("Nothing was changed.");
        } else {
            invocation
                .output
                .note(remaining_copies(&backups_beside(invocation)?));
        }
        Ok(())
    }
}

/// Describes the copies that an erasure cannot reach.
fn remaining_copies(backups: &[PathBuf]) -> String {
    let backup_note = if backups.is_empty() {
        String::new()
    } else {
        let names: Vec<_> = backups
            .iter()
            .map(|backup| backup.display().to_string())
            .collect();
        format!("\nBackups next to the store: {}", list(&names))
    };
    format!(
        "Freed pages of the store's files can contain bytes of the address until `voight store compact`, which requires a stopped server. Earlier backups still contain the address: delete them.{backup_note}"
    )
}

/// Finds the backups in the directory of the store, including those from format migrations.
fn backups_beside(invocation: &Invocation) -> Result<Vec<PathBuf>, CommandError> {
    let config = invocation.load(Vec::new())?.config;
    let Some(folder) = local_store::directory(&config)? else {
        return Ok(Vec::new());
    };
    let files = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|file| file.path());
    let mut backups: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|ending| ending == "dump"))
        .collect();
    backups.sort_unstable();
    Ok(backups)
}

fn table(erasure: &Erasure) -> Table {
    let ErasedCounts {
        verdicts,
        events,
        ledger_addresses,
        idempotency_records,
        receipts,
        labels,
        evidence_batches,
        links,
        snapshot_rows,
        client_events,
        deliveries,
    } = erasure.erased;
    let mut table = Table::new([
        "RECORDS",
        if erasure.dry_run {
            "WOULD BE DELETED"
        } else {
            "DELETED"
        },
    ]);
    for (what, count) in [
        ("verdicts", verdicts),
        ("events of timelines", events),
        ("addresses of ledger rows", ledger_addresses),
        ("answers of idempotency keys", idempotency_records),
        ("receipts", receipts),
        ("labels", labels),
        ("batches of evidence", evidence_batches),
        (
            "links: movement fingerprints and cluster memberships",
            links,
        ),
        ("rows of snapshots", snapshot_rows),
        ("addresses in event feeds", client_events),
        ("responses of webhook receivers", deliveries),
    ] {
        table.row([what.to_owned(), count.to_string()]);
    }
    for context in &erasure.tombstones {
        table.row(["a tombstone keeps the flag in".to_owned(), context.clone()]);
    }
    table.row([
        "digest of the address in the audit log".to_owned(),
        erasure.audit_subject.clone(),
    ]);
    table
}
