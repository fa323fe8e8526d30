//! Export of a ledger in use, and the chain of the audit log.

use crate::admin::console::{Console, HOST, call, data, probe};
use crate::common::ADDRESS;
use actix_web::http::Method;
use std::time::Duration;
use voight_api::admin;
use voight_api::ledger_export::read_line;
use voight_domain::ledger_audit::{AuditError, ExportVerifier, SavedHeads, VerifiedExport};
use voight_domain::registry::AuditHead;

const EXPORT: &str = "/admin/v1/audit/export?client=acme";

pub(crate) async fn lookups(console: &Console, number: usize) -> Vec<String> {
    let context = console.app.context().await;
    let mut heads = Vec::new();
    for _ in 0..number {
        // Stays within the rate limit of lookups.
        console.app.wait(Duration::from_millis(10));
        let answer = console
            .app
            .send(console.app.look_up(&context, ADDRESS))
            .await;
        heads.push(answer.header("voight-meter").unwrap().to_owned());
    }
    heads
}

pub(crate) fn check(export: &[u8], heads: &[String]) -> Result<VerifiedExport, AuditError> {
    let mut saved_heads = SavedHeads::default();
    for head in heads {
        saved_heads.add(head).unwrap();
    }
    let mut checker = ExportVerifier::new(None, saved_heads);
    for (number, bytes) in (1..).zip(export.split_inclusive(|byte| *byte == b'\n')) {
        let (line, text) = read_line(number, bytes)?;
        checker.line(line, text)?;
    }
    checker.finish()
}

#[actix_web::test]
async fn export_contains_every_answered_head() {
    let console = Console::new().await;
    let empty = console.get(EXPORT).await;
    assert_eq!(check(empty.body.as_bytes(), &[]).unwrap().lookups, 0);
    // More rows than one page of the store.
    let heads = lookups(&console, 505).await;
    let export = console.get(EXPORT).await;
    assert_eq!(
        (export.status, export.header("content-type")),
        (200, Some("application/x-ndjson"))
    );
    let report = check(export.body.as_bytes(), &heads).unwrap();
    assert_eq!(
        (report.lookups, report.saved_heads, report.openings),
        (505, 505, 0)
    );
    assert!(
        !export.body.contains(ADDRESS),
        "an address is there without having been asked for"
    );
    let export_with_openings = console
        .get(&format!("{EXPORT}&openings=true&environment=live"))
        .await;
    assert_eq!(
        check(export_with_openings.body.as_bytes(), &[])
            .unwrap()
            .openings,
        505
    );
    let sandbox = console.get(&format!("{EXPORT}&environment=test")).await;
    assert_eq!(check(sandbox.body.as_bytes(), &[]).unwrap().lookups, 0);
}

#[actix_web::test]
async fn export_is_for_operators_and_of_one_client() {
    let console = Console::new().await;
    console
        .send(probe(EXPORT, HOST))
        .await
        .is_error(401, "m_a_t_1");
    console
        .send(call(Method::POST, EXPORT))
        .await
        .is_error(405, "m_g_m_1");
    console
        .get("/admin/v1/audit/export")
        .await
        .is_error(400, "m_g_p_1");
    console
        .get("/admin/v1/audit/export?client=missing-client")
        .await
        .is_error(404, "m_g_n_1");
    console
        .get(&format!("{EXPORT}&environment=sandbox"))
        .await
        .is_error(400, "m_g_p_1");
    console
        .get(&format!("{EXPORT}&openings=yes"))
        .await
        .is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn audit_chain_covers_the_shown_fields() {
    let console = Console::new().await;
    console.app.context().await;
    let records: Vec<admin::AuditRecord> =
        serde_json::from_value(data(&console.get("/admin/v1/audit").await)).unwrap();
    let entries = records.iter().map(|record| record.entry().unwrap());
    let computed_head = entries.fold(AuditHead::genesis(), |head, entry| head.extended_by(&entry));
    let head: admin::AuditHead =
        serde_json::from_value(data(&console.get("/admin/v1/audit/head").await)).unwrap();
    assert_eq!(head, admin::AuditHead::from(computed_head));
    assert!(head.seq >= 3);
    let unknown = admin::AuditRecord {
        action: "key.lost".into(),
        ..records[0].clone()
    };
    assert!(unknown.entry().unwrap_err().contains("key.lost"));
}
