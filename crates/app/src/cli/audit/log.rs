//! `voight audit log`.

use crate::admin_client::{AdminClient, Path};
use crate::cli::invocation::Invocation;
use crate::cli::number::natural;
use crate::exit::Failure;
use crate::output::{Table, printable};
use clap::Args;
use voight_http::admin::dto::AuditRecord;

/// Records that one call asks for.
const PAGE: usize = 1000;

/// Show who changed what.
#[derive(Debug, Args)]
pub(in crate::cli) struct Log {
    /// Only what was done to this client, key or context, by id
    #[arg(long, value_name = "ID")]
    subject: Option<String>,
    /// Only the latest so many
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = natural::<usize>)]
    limit: Option<usize>,
}

impl Log {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        let session = invocation.session()?;
        let mut shown = Vec::new();
        pages(session.client(), |record| {
            if self.subject.as_ref().is_none_or(|subject| record.subject == *subject) {
                shown.push(record);
            }
            Ok(())
        })?;
        let surplus = shown.len().saturating_sub(self.limit.unwrap_or(usize::MAX));
        shown.drain(..surplus);
        invocation.output.data(&shown, |records| table(records))
    }
}

/// Shows every record to `visit`, oldest first.
pub(super) fn pages(
    client: &AdminClient,
    mut visit: impl FnMut(AuditRecord) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut after = 0;
    loop {
        let path = Path::of(["audit"]).with("after", Some(&after.to_string())).with("limit", Some(&PAGE.to_string()));
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
    let mut table = Table::new(["NO", "AT", "WHO", "WHAT", "SUBJECT", "DETAIL"]);
    for record in records {
        let AuditRecord { seq, at, actor, action, subject, detail } = record;
        table.row([&seq.to_string(), at, actor, action, subject, &printable(detail)]);
    }
    table
}
