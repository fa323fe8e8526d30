//! Rejected wall clock.

use crate::admin::console::{Console, HOST, data, probe};
use crate::common::{ADDRESS, App};
use actix_web::test::TestRequest;
use serde_json::json;
use std::time::Duration;
use voight_domain::metering::{LedgerId, LedgerRow};
use voight_domain::registry::{Actor, AuditAction, AuditEntry};
use voight_domain::vocabulary::Timestamp;
use voight_http::{AppState, HttpSettings, MonotonicClock, SystemPorts};

const ACCEPT: &str = "/admin/v1/clock/acknowledge";
const DAY: Duration = Duration::from_hours(24);
const MONTH: Duration = Duration::from_hours(24 * 30);
const MINUTES: Duration = Duration::from_mins(11);

async fn look_up(app: &App, context: &str) -> u16 {
    let answer = app.send(app.look_up(context, ADDRESS)).await;
    if answer.status != 200 {
        answer.is_error(503, "m_g_x_2");
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    answer.status
}

async fn rows(app: &App) -> Vec<LedgerRow> {
    let entries = app
        .ports
        .store
        .rows(LedgerId::live(app.client.id), 0, 9)
        .await
        .unwrap();
    entries.into_iter().map(|entry| entry.row).collect()
}

/// Returns the reasons for not being ready.
async fn reasons(console: &Console) -> String {
    let answer = console.send(probe("/readyz", HOST)).await;
    let reasons = answer.json()["reasons"].to_string();
    assert_eq!(answer.status == 200, reasons == "[]", "{}", answer.body);
    reasons
}

/// Creates a service with a context and one row. Returns the context and the time of the row.
async fn service() -> (Console, String, Timestamp) {
    let console = Console::new().await;
    let context = console.app.context().await;
    assert_eq!(look_up(&console.app, &context).await, 200);
    let now = console.app.now();
    (console, context, now)
}

#[actix_web::test]
async fn clock_jump_stops_writes_until_corrected() {
    let (console, context, right) = service().await;
    let rows_before = rows(&console.app).await;
    console.app.clock.set(right.saturating_add(MINUTES));
    assert_eq!(look_up(&console.app, &context).await, 503);
    for public in ["/openapi.json", "/window/v1/window.js"] {
        console
            .app
            .send(TestRequest::get().uri(public))
            .await
            .is_error(503, "m_g_x_2");
    }
    console
        .app
        .send(console.app.register("other"))
        .await
        .is_error(503, "m_g_x_2");
    let message = reasons(&console).await;
    for word in [
        right.to_string(),
        right.saturating_add(MINUTES).to_string(),
        "--acknowledge-clock".to_owned(),
    ] {
        assert!(message.contains(&word), "{message}");
    }
    assert_eq!(
        console.get("/admin/v1/usage").await.status,
        200,
        "operators go on"
    );
    assert_eq!(rows(&console.app).await, rows_before);
    console
        .app
        .clock
        .set(right.saturating_add(Duration::from_mins(10)));
    assert_eq!(
        (
            look_up(&console.app, &context).await,
            reasons(&console).await.as_str()
        ),
        (200, "[]")
    );
}

#[actix_web::test]
async fn steadily_advancing_clock_is_trusted() {
    let (console, context, _) = service().await;
    console.app.wait(MONTH);
    assert_eq!(
        (
            look_up(&console.app, &context).await,
            reasons(&console).await.as_str()
        ),
        (200, "[]")
    );
}

#[actix_web::test]
async fn clock_lag_stops_writes_until_corrected() {
    let (console, context, right) = service().await;
    console.app.clock.set(right.saturating_sub(DAY));
    assert_eq!(look_up(&console.app, &context).await, 200);
    console.app.clock.set(right.saturating_sub(DAY + MINUTES));
    assert_eq!(look_up(&console.app, &context).await, 503);
    assert!(reasons(&console).await.contains(&right.to_string()));
    console.app.clock.set(right);
    assert_eq!(look_up(&console.app, &context).await, 200);
    assert!(
        rows(&console.app).await.iter().all(|row| row.at == right),
        "a ledger never goes back"
    );
}

#[actix_web::test]
async fn operator_may_accept_a_jump_which_is_audited() {
    let (console, context, right) = service().await;
    console.app.clock.set(right.saturating_add(MONTH));
    let acknowledgement = data(
        &console
            .post(ACCEPT, &json!({"reason": "the machine was asleep"}))
            .await,
    );
    let at = right.saturating_add(MONTH).to_string();
    let ignore_until = right.to_string();
    assert_eq!(
        acknowledgement,
        json!({"at": at, "ignore_until": ignore_until, "has_future_rows": false})
    );
    assert_eq!(
        (
            look_up(&console.app, &context).await,
            reasons(&console).await.as_str()
        ),
        (200, "[]")
    );
    assert_eq!(
        rows(&console.app).await.last().unwrap().at,
        right.saturating_add(MONTH)
    );
    let log = data(&console.get("/admin/v1/audit").await);
    let entry = log.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&entry["action"], &entry["actor"]),
        (&json!("clock.acknowledged"), &json!("operator"))
    );
    assert_eq!(
        (&entry["at"], &entry["subject"]),
        (&json!(at), &json!(ignore_until))
    );
    let detail = entry["detail"].as_str().unwrap();
    assert!(
        [&*at, &*ignore_until, "asleep"]
            .iter()
            .all(|word| detail.contains(word)),
        "{detail}"
    );
    console.app.clock.set(right.saturating_add(MONTH + MINUTES));
    assert_eq!(
        look_up(&console.app, &context).await,
        503,
        "only that time was accepted"
    );
}

#[actix_web::test]
async fn accepted_lag_keeps_row_dates_monotonic() {
    let (console, context, wrong) = service().await;
    let now = wrong.saturating_sub(MONTH);
    console.app.clock.set(now);
    let acknowledgement = data(&console.post(ACCEPT, &json!({})).await);
    assert_eq!(
        acknowledgement,
        json!({"at": now.to_string(), "ignore_until": wrong.to_string(), "has_future_rows": true})
    );
    assert_eq!(look_up(&console.app, &context).await, 200);
    console.app.wait(MONTH + DAY);
    assert_eq!(look_up(&console.app, &context).await, 200);
    let dates: Vec<_> = rows(&console.app).await.iter().map(|row| row.at).collect();
    assert_eq!(dates[..2], [wrong, wrong]);
    assert_eq!(dates.last(), Some(&wrong.saturating_add(DAY)));
}

#[actix_web::test]
async fn trusted_clock_and_empty_reason_are_rejected() {
    let (console, _, right) = service().await;
    let log = console.get("/admin/v1/audit").await.body;
    let rejection = console.post(ACCEPT, &json!({})).await;
    rejection.is_error(409, "m_g_c_1");
    assert!(
        rejection.body.contains(&right.to_string()),
        "{}",
        rejection.body
    );
    console.app.clock.set(right.saturating_add(MONTH));
    for body in [
        json!({"reason": " "}),
        json!({"reason": 1}),
        json!({"why": "x"}),
    ] {
        console.post(ACCEPT, &body).await.is_error(400, "m_g_p_1");
    }
    assert_eq!(console.get("/admin/v1/audit").await.body, log);
    assert!(reasons(&console).await.contains("--acknowledge-clock"));
}

#[actix_web::test]
async fn clock_is_shown_with_its_doubt() {
    let (console, _, right) = service().await;
    let clock = data(&console.get("/admin/v1/clock").await);
    assert_eq!(clock, json!({"now": right.to_string(), "error": null}));
    console.app.clock.set(right.saturating_add(MONTH));
    let clock = data(&console.get("/admin/v1/clock").await);
    assert_eq!(clock["now"], right.saturating_add(MONTH).to_string());
    assert!(
        clock["error"]
            .as_str()
            .unwrap()
            .contains(&right.to_string()),
        "{clock}"
    );
}

#[actix_web::test]
async fn old_acknowledgement_is_found() {
    let (console, _, wrong) = service().await;
    let store = &console.app.ports.store;
    let start_services = async || {
        let services = console.app.state.services.clone();
        let system = SystemPorts {
            monotonic_clock: MonotonicClock::from_fn(|| Duration::ZERO),
            ..console.app.system()
        };
        let state = Box::new(AppState::new(services, HttpSettings::default(), system));
        state.refresh_recorded_time().await.unwrap();
        state.clock.error()
    };
    console.app.clock.set(wrong.saturating_sub(MONTH));
    assert!(start_services().await.is_some());
    data(&console.post(ACCEPT, &json!({})).await);
    let [other, lesser] = [
        (AuditAction::ClientChanged, wrong),
        (AuditAction::ClockAcknowledged, wrong.saturating_sub(DAY)),
    ];
    for (action, subject) in std::iter::repeat_n(other, 600).chain([lesser]) {
        let at = wrong.saturating_sub(2 * MONTH);
        let subject = subject.to_string();
        let entry = AuditEntry {
            at,
            actor: Actor::Operator,
            action,
            subject,
            detail: String::new(),
        };
        store.append_audit(entry).await.unwrap();
    }
    assert_eq!(start_services().await, None);
    console
        .app
        .clock
        .set(wrong.saturating_sub(MONTH + DAY + MINUTES));
    assert!(
        start_services().await.is_some(),
        "only that time was accepted"
    );
}

#[actix_web::test]
async fn no_period_is_closed_by_a_clock_in_doubt() {
    let (console, _, right) = service().await;
    let client = console.app.client.name.to_string();
    let close_client = format!("/admin/v1/clients/{client}/close");
    console.app.clock.set(right.saturating_add(MONTH));
    for path in ["/admin/v1/invoices/close", &close_client] {
        let answer = console.post(path, &json!({})).await;
        assert_eq!(answer.status, 409, "{}", answer.body);
        assert!(
            answer.body.contains("--acknowledge-clock"),
            "{}",
            answer.body
        );
    }
    assert_eq!(rows(&console.app).await.len(), 1, "a marker was written");
    console.app.clock.set(right);
    let answer = console.post("/admin/v1/invoices/close", &json!({})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}
