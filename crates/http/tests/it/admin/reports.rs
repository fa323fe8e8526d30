//! Usage, audit log and service information.

use crate::admin::console::{Console, data};
use crate::common::ADDRESS;
use serde_json::json;

#[actix_web::test]
async fn usage_counts_answered_lookups() {
    let console = Console::new().await;
    let context = console.app.context().await;
    for _ in 0..3 {
        assert_eq!(
            console
                .app
                .send(console.app.look_up(&context, ADDRESS))
                .await
                .status,
            200
        );
    }
    let line = json!({
        "client_id": console.app.client.id.to_string(), "name": "acme", "billable": 3, "free": 3, "charged": 0, "sandbox": 0,
        "allowance_left": 997, "spent": {"minor": 0, "currency": "USD", "formatted": "0.00"},
        "cap": null, "money_cap": null, "budget": null, "alerts": [],
    });
    for path in ["/admin/v1/usage", "/admin/v1/usage?client=acme"] {
        assert_eq!(data(&console.get(path).await), json!({"clients": [line]}));
    }
}

#[actix_web::test]
async fn usage_of_a_span_counts_exactly_its_rows() {
    let console = Console::new().await;
    let context = console.app.context().await;
    assert_eq!(
        console
            .app
            .send(console.app.look_up(&context, ADDRESS))
            .await
            .status,
        200
    );
    let now = console.app.now();
    let next = now.saturating_add(std::time::Duration::from_millis(1));
    let lines = |billable| {
        let id = console.app.client.id.to_string();
        let line = json!({"client_id": id, "name": "acme", "billable": billable, "free": billable, "charged": 0, "sandbox": 0});
        json!({"clients": [line]})
    };
    for (from, to, billable) in [
        (now, next, 1),
        (
            next,
            next.saturating_add(std::time::Duration::from_hours(1)),
            0,
        ),
    ] {
        let answer = console
            .get(&format!("/admin/v1/usage?client=acme&from={from}&to={to}"))
            .await;
        assert_eq!(data(&answer), lines(billable), "{from} to {to}");
    }
    for query in [
        "from=yesterday",
        "from=2026-02-01&to=2026-01-01",
        "from=2020-01-01&to=2026-01-01",
    ] {
        console
            .get(&format!("/admin/v1/usage?{query}"))
            .await
            .is_error(400, "m_g_p_1");
    }
}

#[actix_web::test]
async fn audit_log_is_read_in_pages() {
    let console = Console::new().await;
    console
        .patch("/admin/v1/clients/acme", &json!({"status": "suspended"}))
        .await;
    let entries = data(&console.get("/admin/v1/audit").await);
    let actions: Vec<_> = entries
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["action"].clone())
        .collect();
    assert_eq!(actions, ["client.created", "key.issued", "client.changed"]);
    assert_eq!(
        (
            &entries[2]["seq"],
            &entries[2]["actor"],
            &entries[2]["detail"]
        ),
        (&json!(3), &json!("operator"), &json!("suspended"))
    );
    let page = data(&console.get("/admin/v1/audit?after=1&limit=1").await);
    assert_eq!(page, json!([entries[1]]));
    for query in ["limit=0", "limit=1001", "limit=x", "after=x", "page=1"] {
        console
            .get(&format!("/admin/v1/audit?{query}"))
            .await
            .is_error(400, "m_g_p_1");
    }
}

#[actix_web::test]
async fn info_reports_contexts_without_origins() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let info = data(&console.get("/admin/v1/info").await);
    assert_eq!(
        (&info["store"]["engine"], &info["store"]["health"]),
        (&json!("memory"), &json!("ready"))
    );
    assert_eq!(info["contexts_without_origins"], json!([context]));
    let assets = info["assets"].as_array().unwrap();
    assert!(
        assets
            .iter()
            .all(|asset| asset["path"].as_str().unwrap().starts_with("/sdk/v1/"))
    );
    assert!(
        assets
            .iter()
            .any(|asset| asset["integrity"].as_str().unwrap().starts_with("sha384-"))
    );
    console
        .patch(
            "/admin/v1/clients/acme",
            &json!({"origins": ["https://quest.example"]}),
        )
        .await;
    assert_eq!(
        data(&console.get("/admin/v1/info").await)["contexts_without_origins"],
        json!([])
    );
}

#[actix_web::test]
async fn memory_store_reports_no_disk() {
    let store = data(&Console::new().await.get("/admin/v1/store").await);
    assert_eq!(
        (&store["engine"], &store["health"]),
        (&json!("memory"), &json!("ready"))
    );
    assert_eq!(
        (&store["disk"], &store["last_scrub"]),
        (&json!(null), &json!(null))
    );
}

#[actix_web::test]
async fn first_contexts_without_origins_are_named() {
    let console = Console::new().await;
    for number in 0..101 {
        let body =
            json!({"key_id": console.app.key.id.to_string(), "title": format!("quest{number}")});
        assert_eq!(console.post("/admin/v1/contexts", &body).await.status, 200);
    }
    let info = data(&console.get("/admin/v1/info").await);
    assert_eq!(
        info["contexts_without_origins"].as_array().unwrap().len(),
        100
    );
}
