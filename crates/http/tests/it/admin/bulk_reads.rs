//! Bulk reads are audited before they are answered, and rejected if they cannot be audited.

use crate::admin::console::{Console, data};
use crate::common::{ADDRESS, App};
use serde_json::{Value, json};
use std::sync::Arc;
use voight_contract::{FaultDuration, FaultKind, FaultyStore, InjectedFault};

/// Paths of bulk reads, with the action and the detail of each audit entry. `{context}` is a context of `acme`.
const READS: [(&str, &str, &str); 9] = [
    (
        "/admin/v1/audit/export?client=acme",
        "ledger.exported",
        "live, without openings",
    ),
    (
        "/admin/v1/audit/export?client=acme&openings=true",
        "ledger.exported",
        "live, with openings",
    ),
    (
        "/admin/v1/usage/export?client=acme&format=csv&from=2026-11-21&to=2026-11-22",
        "usage.exported",
        "live, csv, 2026-11-21T00:00:00Z to 2026-11-22T00:00:00Z",
    ),
    (
        "/admin/v1/contexts/{context}/verdicts",
        "verdicts.listed",
        "first page, at most 100",
    ),
    (
        "/admin/v1/contexts/{context}/verdicts?limit=7&after=0x1111111111111111111111111111111111111111",
        "verdicts.listed",
        "further page, at most 7",
    ),
    (
        "/admin/v1/contexts/{context}/labels",
        "labels.listed",
        "first page, at most 100",
    ),
    (
        "/admin/v1/contexts/{context}/recordings?label=human",
        "recordings.exported",
        "labelled human",
    ),
    ("/admin/v1/events?client=acme", "events.streamed", ""),
    ("/admin/v1/store/backup", "store.dumped", ""),
];

async fn audit(console: &Console) -> Vec<Value> {
    data(&console.get("/admin/v1/audit?limit=1000").await)
        .as_array()
        .unwrap()
        .clone()
}

#[actix_web::test]
async fn bulk_reads_are_audited() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let client = console.app.client.id.to_string();
    for (path, action, detail) in READS {
        let entries_before = audit(&console).await.len();
        let answer = console.get(&path.replace("{context}", &context)).await;
        // The in-memory store cannot be dumped, which is detected only after the audit entry.
        assert_eq!(
            answer.status,
            if action == "store.dumped" { 409 } else { 200 },
            "{path}: {}",
            answer.body
        );
        let entries = audit(&console).await;
        assert_eq!(entries.len(), entries_before + 1, "{path}");
        let entry = &entries[entries_before];
        assert_eq!(
            (&entry["action"], &entry["detail"]),
            (&json!(action), &json!(detail)),
            "{path}"
        );
        let subject = entry["subject"].as_str().unwrap();
        assert!(
            action == "store.dumped"
                || subject
                    == if path.contains("client=") {
                        &client
                    } else {
                        &context
                    }
        );
        assert_eq!(entry["actor"], "operator");
        assert!(!entry.to_string().contains("1111111111"), "{entry}");
    }
}

#[actix_web::test]
async fn replay_that_changes_nothing_has_an_audit_entry() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let body = json!({"policy": r#"{"version": 1000, "rules": {"webdriver": "off"}}"#});
    let answer = console
        .post(&format!("/admin/v1/contexts/{context}/replay"), &body)
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let last = audit(&console).await.pop().unwrap();
    assert_eq!(
        (&last["action"], &last["detail"]),
        (&json!("replay.previewed"), &json!("by policy 1000"))
    );
}

#[actix_web::test]
async fn bulk_read_that_cannot_be_audited_is_rejected() {
    // Three changes create the account: the client, its key, and a context.
    let fault = InjectedFault {
        call: 4,
        times: FaultDuration::ForEver,
        failure: FaultKind::Rejected,
    };
    let console = Console {
        app: App::with_store(|store| Arc::new(FaultyStore::wrap(store, fault))).await,
    };
    let context = console.app.context().await;
    for (path, ..) in READS {
        let answer = console.get(&path.replace("{context}", &context)).await;
        answer.is_error(503, "m_g_x_2");
        assert!(
            answer.body.contains("Nothing was read"),
            "{path}: {}",
            answer.body
        );
        assert!(
            !answer.body.contains("refused by the fault"),
            "{path}: {}",
            answer.body
        );
    }
    // A read of a single record needs no entry.
    let verdict = console
        .get(&format!("/admin/v1/contexts/{context}/verdicts/{ADDRESS}"))
        .await;
    assert_eq!(verdict.status, 200, "{}", verdict.body);
}
