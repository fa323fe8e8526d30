//! `voight audit log`.

use crate::admin_client::{AdminClient, Path};
use crate::cli::invocation::Invocation;
use crate::cli::paging::Paging;
use crate::exit::CommandError;
use crate::output::{Table, minute, printable};
use clap::Args;
use voight_http::admin::dto::AuditRecord;

/// Records that one call asks for.
const PAGE: usize = 1000;

/// Show who changed what. With --limit and without --after, the latest entries are printed.
#[derive(Debug, Args)]
pub(in crate::cli) struct LogCommand {
    /// Only changes of this client, key or context, by its id or the beginning of it
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    #[command(flatten)]
    paging: Paging,
}

impl LogCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let session = invocation.session()?;
        let mut shown = Vec::new();
        pages(session.client(), |record| {
            if self.subject.as_ref().is_none_or(|subject| record.subject.starts_with(subject.trim_end_matches('…'))) {
                shown.push(record);
            }
            Ok(())
        })?;
        self.paging.latest(shown)?.print(invocation, table)
    }
}

/// Shows every record to `visit`, oldest first.
pub(super) fn pages(
    client: &AdminClient,
    mut visit: impl FnMut(AuditRecord) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut after = 0;
    loop {
        let path = Path::from_segments(["audit"])
            .with_query("after", Some(&after.to_string()))
            .with_query("limit", Some(&PAGE.to_string()));
        let page: Vec<AuditRecord> = client.get(&path)?;
        let is_last = page.len() < PAGE;
        for record in page {
            after = record.seq;
            visit(record)?;
        }
        if is_last {
            return Ok(());
        }
    }
}

fn table(records: &[AuditRecord]) -> Table {
    let mut table = Table::new(["NO", "AT", "WHO", "WHAT", "SUBJECT", "DETAIL"]).with_narrowed([5, 2, 4]);
    for record in records {
        let AuditRecord { seq, at, actor, action, subject, detail } = record;
        table.row([&seq.to_string(), &minute(at), actor, action, subject, &printable(detail)]);
    }
    table
}
