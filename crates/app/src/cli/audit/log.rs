//! `voight audit log`.

use crate::cli::invocation::Invocation;
use crate::cli::paging::{Paging, visit_all};
use crate::exit::CommandError;
use crate::output::{Table, minute, printable};
use clap::Args;
use voight_api::admin::{AuditRecord, routes};

/// Show the entries of the audit log: each change with its actor. With --limit and without --after, the latest entries are
/// printed
#[derive(Debug, Args)]
pub(in crate::cli) struct LogCommand {
    /// Show only changes of this client, key or context: its id, or a prefix of it
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    #[command(flatten)]
    paging: Paging,
}

impl LogCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let session = invocation.session()?;
        let mut records = Vec::new();
        visit_all(
            session.client(),
            &routes::LIST_AUDIT.call([]),
            |record: AuditRecord| {
                if self
                    .subject
                    .as_ref()
                    .is_none_or(|subject| record.subject.starts_with(subject.trim_end_matches('…')))
                {
                    records.push(record);
                }
                Ok(())
            },
        )?;
        self.paging.latest(records)?.print(invocation, table)
    }
}

fn table(records: &[AuditRecord]) -> Table {
    let mut table =
        Table::new(["NO", "AT", "WHO", "WHAT", "SUBJECT", "DETAIL"]).with_narrowed([5, 2, 4]);
    for record in records {
        let AuditRecord {
            seq,
            at,
            actor,
            action,
            subject,
            detail,
        } = record;
        table.row([
            &seq.to_string(),
            &minute(at),
            actor,
            action,
            subject,
            &printable(detail),
        ]);
    }
    table
}
