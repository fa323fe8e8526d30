//! Erasure of an address.

use crate::admin::console::{Console, data};
use crate::common::ADDRESS;
use serde_json::json;
use voight_api::admin::Erasure;

const ERASURES: &str = "/admin/v1/erasures";

#[actix_web::test]
async fn erasure_keeps_the_flag_and_a_digest() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let verdicts = format!("/admin/v1/contexts/{context}/verdicts");
    let verdict_path = format!("{verdicts}/{ADDRESS}");
    console
        .post(
            &format!("{verdict_path}/override"),
            &json!({"verdict": "bot", "reason": "seen"}),
        )
        .await;
    console
        .app
        .send(console.app.look_up(&context, ADDRESS))
        .await;
    let verdict_before = data(&console.get(&verdict_path).await);
    let erasure_request =
        |dry_run: bool| json!({"address": ADDRESS, "reason": "asked by mail", "dry_run": dry_run});
    let dry_run_report = data(&console.post(ERASURES, &erasure_request(true)).await);
    let report = data(&console.post(ERASURES, &erasure_request(false)).await);
    let Erasure {
        dry_run,
        erased: counts,
        tombstones,
        audit_subject: audit_digest,
    } = serde_json::from_value(report).unwrap();
    assert_eq!(
        (dry_run, dry_run_report["erased"].clone()),
        (false, serde_json::to_value(counts).unwrap())
    );
    assert_eq!(
        (
            counts.verdicts,
            counts.events,
            counts.ledger_addresses,
            tombstones
        ),
        (1, 1, 1, vec![context.clone()])
    );

    let verdict_after = data(&console.get(&verdict_path).await);
    assert_eq!(
        (&verdict_after["is_bot"], &verdict_after["score"]),
        (&verdict_before["is_bot"], &verdict_before["score"])
    );
    assert_eq!(
        (
            &verdict_after["has_tombstone"],
            &verdict_after["timeline"],
            &verdict_after["epoch"]
        ),
        (&json!(true), &json!([]), &json!(0))
    );
    assert_eq!(
        data(&console.get(&verdicts).await),
        json!([]),
        "no list can name it"
    );

    let audit = data(&console.get("/admin/v1/audit").await);
    let about: Vec<_> = audit
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry.to_string().contains(&audit_digest))
        .collect();
    assert_eq!(verdict_after["audit_subject"], audit_digest);
    assert_eq!(
        about
            .iter()
            .map(|entry| &entry["action"])
            .collect::<Vec<_>>(),
        ["verdict.overridden", "address.erased"]
    );
    assert!(
        about[1]["detail"]
            .as_str()
            .unwrap()
            .ends_with("1 tombstones: asked by mail"),
        "{}",
        about[1]
    );
    assert!(
        !audit
            .to_string()
            .to_lowercase()
            .contains(&ADDRESS[2..].to_lowercase()),
        "{audit}"
    );

    console
        .post(
            &format!("{verdict_path}/override"),
            &json!({"verdict": "human", "reason": "called them"}),
        )
        .await;
    let verdict_after = data(&console.get(&verdict_path).await);
    assert_eq!(
        (&verdict_after["is_bot"], &verdict_after["has_tombstone"]),
        (&json!(false), &json!(false))
    );
}

#[actix_web::test]
async fn malformed_erasures_are_rejected() {
    let console = Console::new().await;
    for body in [
        json!({"address": "0x12", "reason": "x"}),
        json!({"address": ADDRESS}),
        json!({"address": ADDRESS, "reason": " "}),
        json!({"address": ADDRESS, "reason": format!("it is {ADDRESS}")}),
        json!({"address": ADDRESS, "reason": "x", "dryrun": true}),
    ] {
        console.post(ERASURES, &body).await.is_error(400, "m_g_p_1");
    }
    assert_eq!(console.get(ERASURES).await.status, 405);
    let entries = data(&console.get("/admin/v1/audit").await);
    assert!(!entries.to_string().contains("address.erased"), "{entries}");
}
