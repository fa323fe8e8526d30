//! `voight audit verify`.

use super::ledger::export_call;
use super::reader;
use super::report::{LedgerReport, table};
use crate::admin_client::AdminClient;
use crate::cli::invocation::Invocation;
use crate::cli::paging::visit_all;
use crate::cli::progress::Progress;
use crate::exit::{CommandError, Exit};
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::io::BufReader;
use voight_api::admin::{self, Client, routes};
use voight_domain::ledger_audit::{ExportVerifier, SavedHeads};
use voight_domain::registry::AuditHead;
use voight_domain::services::Openings;
use voight_domain::vocabulary::Environment;

/// Verify the hash chains of all ledgers and of the audit log.
#[derive(Debug, Args)]
pub(in crate::cli) struct Verify {
    /// Verify only the ledgers of this client: its name or id
    #[arg(long, value_name = "CLIENT")]
    client: Option<String>,
}

/// Result of the verification.
#[derive(Debug, Serialize)]
struct VerifyReport {
    ledgers: Vec<LedgerReport>,
    /// Audit log; `None` when the verification is limited to one client.
    #[serde(skip_serializing_if = "Option::is_none")]
    audit_log: Option<LogLine>,
}

#[derive(Debug, Serialize)]
struct LogLine {
    records: u64,
    head: String,
}

impl Verify {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let session = invocation.session()?;
        let client = session.client();
        let clients: Vec<Client> = match &self.client {
            Some(named) => vec![
                client
                    .call(&routes::SHOW_CLIENT.call([named.as_str()]))?
                    .client,
            ],
            None => client.call(&routes::LIST_CLIENTS.call([]))?,
        };
        let progress = Progress::start(invocation.output, "verifying");
        let mut ledgers = Vec::new();
        for owner in &clients {
            for environment in Environment::ALL {
                ledgers.push(ledger(client, owner, environment, &progress)?);
            }
        }
        let audit_log = if self.client.is_none() {
            Some(audit_log(client, &progress)?)
        } else {
            None
        };
        drop(progress);
        invocation
            .output
            .data(&VerifyReport { ledgers, audit_log }, text)
    }
}

fn ledger(
    client: &AdminClient,
    owner: &Client,
    environment: Environment,
    progress: &Progress,
) -> Result<LedgerReport, CommandError> {
    let subject = format!("the {} ledger of {}", environment.label(), owner.name);
    let body = client
        .download(&export_call(
            &owner.client_id,
            environment,
            Openings::Included,
        ))
        .map_err(|failure| unread(failure, &subject))?;
    reader::verify_lines(
        BufReader::new(body),
        ExportVerifier::new(None, SavedHeads::default()),
        &subject,
        progress,
    )
    .map(LedgerReport::from)
}

/// Returns the failure of a ledger that the service could not read. A service that answered just before has most likely found
/// damage in it.
fn unread(failure: CommandError, subject: &str) -> CommandError {
    match failure.exit {
        Exit::Unreachable => CommandError::internal(format!(
            "{subject} cannot be read; `voight store verify` lists corrupt records"
        )),
        _ => failure,
    }
}

/// Verifies the chain of the audit log up to its head at the start.
///
/// Records that are added later are left to the next verification.
fn audit_log(client: &AdminClient, progress: &Progress) -> Result<LogLine, CommandError> {
    let damage_error = |what: String| CommandError::internal(format!("the audit log: {what}"));
    let head = client.call(&routes::SHOW_AUDIT_HEAD.call([]))?;
    let end = AuditHead::try_from(head.clone()).map_err(damage_error)?;
    let mut computed_head = AuditHead::genesis();
    visit_all(
        client,
        &routes::LIST_AUDIT.call([]),
        |record: admin::AuditRecord| {
            if computed_head.seq == end.seq {
                return Ok(());
            }
            let expected_seq = computed_head.seq + 1;
            if record.seq != expected_seq {
                return Err(damage_error(format!(
                    "record {expected_seq} is missing, before record {}",
                    record.seq
                )));
            }
            let entry = record.entry().map_err(|error| {
                damage_error(format!("record {expected_seq} cannot be read: {error}"))
            })?;
            computed_head = computed_head.extended_by(&entry);
            progress.add(1);
            Ok(())
        },
    )?;
    if computed_head.seq < end.seq {
        return Err(damage_error(format!(
            "records {} to {} are missing at its end",
            computed_head.seq + 1,
            end.seq
        )));
    }
    if computed_head != end {
        return Err(damage_error(
            "its records do not match the head of its chain: one or more were changed".to_owned(),
        ));
    }
    Ok(LogLine {
        records: end.seq,
        head: head.head,
    })
}

fn text(findings: &VerifyReport) -> String {
    let mut text = table(&findings.ledgers).to_string();
    let rows: u64 = findings.ledgers.iter().map(LedgerReport::rows).sum();
    let _ = write!(
        text,
        "\n{} ledgers are valid: {rows} rows.",
        findings.ledgers.len()
    );
    if let Some(log) = &findings.audit_log {
        let _ = write!(text, "\nThe audit log is valid: {} records.", log.records);
    }
    text
}
