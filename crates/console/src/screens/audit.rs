//! Audit log, newest entry first.

use crate::error::ConsoleError;
use crate::format::{Time, count_text};
use crate::page::Page;
use crate::response::show as show_page;
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Query;
use askama::Template;
use serde::Deserialize;
use voight_domain::ports::AuditRecord;
use voight_domain::registry::Actor;

/// Entries of one page.
const PAGE_SIZE: u64 = 100;

/// Query of the page.
#[derive(Deserialize)]
pub(crate) struct AuditQuery {
    /// Number of the newest entry that is shown; the last one without it.
    until: Option<u64>,
}

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    page: Page,
    head: String,
    count: String,
    rows: Vec<Row>,
    older: Option<u64>,
}

/// Row of the log.
struct Row {
    seq: u64,
    at: Time,
    actor: String,
    action: &'static str,
    subject: String,
    detail: String,
}

/// `GET /console/audit`: a page of the log.
pub(crate) async fn show(
    visit: Visit,
    query: Query<AuditQuery>,
) -> Result<HttpResponse, ConsoleError> {
    let operator = &visit.services().operator;
    let head = operator.audit_head().await?;
    let until = query.until.unwrap_or(head.seq).min(head.seq);
    let after = until.saturating_sub(PAGE_SIZE);
    let limit = usize::try_from(until - after).unwrap_or_default();
    let records = operator.audit_log(after, limit).await?;
    let rows = records.iter().rev().map(|record| Row::new(&visit, record));
    Ok(show_page(&AuditPage {
        page: Page::new(&visit, "Audit log"),
        head: head.head.to_string(),
        count: count_text(head.seq),
        rows: rows.collect(),
        older: Some(after).filter(|after| *after > 0),
    }))
}

impl Row {
    fn new(visit: &Visit, record: &AuditRecord) -> Self {
        let entry = &record.entry;
        Self {
            seq: record.seq,
            at: Time::new(entry.at, visit.now),
            actor: actor(&entry.actor),
            action: entry.action.as_str(),
            subject: entry.subject.clone(),
            detail: entry.detail.clone(),
        }
    }
}

fn actor(actor: &Actor) -> String {
    match actor {
        Actor::Operator => "The server's own token".to_owned(),
        Actor::Service => "The service".to_owned(),
        Actor::Key(id) => format!("Key {id}"),
        Actor::AdminToken(name) => format!("Token {name}"),
        Actor::User(name) => name.to_string(),
    }
}
