//! Invoices, credits and corrections through the admin API.

use crate::admin::console::{Console, data};
use crate::common::ADDRESS;
use serde_json::{Value, json};
use std::time::Duration;

const CLOSE: &str = "/admin/v1/invoices/close";
const PREVIEW: &str = "/admin/v1/invoices/preview?client=acme";
const ADJUSTMENTS: &str = "/admin/v1/clients/acme/adjustments";
/// Time from 21 November to a moment in December.
const TO_DECEMBER: Duration = Duration::from_hours(11 * 24);

/// Creates a service whose client has made this number of lookups in November.
pub(crate) async fn console_after_lookups(lookups: usize) -> Console {
    let console = Console::without_rate_limits().await;
    let context = console.app.context().await;
    for _ in 0..lookups {
        assert_eq!(
            console
                .app
                .send(console.app.look_up(&context, ADDRESS))
                .await
                .status,
            200
        );
    }
    console
}

impl Console {
    pub(crate) async fn invoice(&self, number: u32) -> Value {
        data(&self.get(&format!("/admin/v1/invoices/acme-{number}")).await)
    }

    async fn close(&self) -> Value {
        data(&self.post(CLOSE, &json!({"client": "acme"})).await)
    }

    async fn act(&self, invoice: &str, act: &str, body: Value) -> crate::common::Answer {
        self.post(&format!("/admin/v1/invoices/{invoice}/{act}"), &body)
            .await
    }
}

#[actix_web::test]
async fn preview_is_complete_and_deterministic() {
    let console = console_after_lookups(1_003).await;
    let first = console.get(PREVIEW).await;
    console.app.wait(Duration::from_hours(24));
    assert_eq!(console.get(PREVIEW).await.body, first.body);
    let draft = data(&first);
    assert_eq!(
        console.get(&format!("{PREVIEW}&period=2026-11")).await.body,
        first.body
    );
    let money = |minor: i64, display: &str| json!({"minor": minor, "currency": "USD", "formatted": display});
    let line = json!({"tier": 1, "from": 1, "to": 3, "quantity": 3, "unit_price": "0.002", "amount": money(1, "0.01")});
    let mut book = draft["price_book"].clone();
    assert_eq!(book["digest"].take().as_str().unwrap().len(), 64);
    assert_eq!(
        book,
        json!({"name": "example", "version": 1, "currency": "USD", "mode": "graduated", "digest": null, "is_example": true})
    );
    assert_eq!(draft["chain_head"].as_str().unwrap().len(), 64);
    let expected_draft = json!({
        "client_id": console.app.client.id.to_string(), "client": "acme", "state": "draft",
        "period": {"start": "2026-11-01T00:00:00Z", "end": "2026-12-01T00:00:00Z"},
        "billable": 1_003, "free": 1_000, "charged": 3, "price_book": draft["price_book"],
        "lines": [line], "adjustments": [], "carried_forward": money(0, "0.00"), "total": money(1, "0.01"), "due": money(1, "0.01"),
        "first_seq": 1, "last_seq": 1_003, "chain_head": draft["chain_head"],
    });
    assert_eq!(draft, expected_draft);
}

#[actix_web::test]
async fn period_is_closed_once_and_its_invoice_paid_once() {
    let console = console_after_lookups(1_003).await;
    assert_eq!(console.close().await, json!([]), "November is not over");
    console.app.wait(TO_DECEMBER);
    let invoices = console.close().await;
    let id = format!("{}-1", console.app.client.id);
    assert_eq!(
        (
            &invoices[0]["id"],
            &invoices[0]["state"],
            &invoices[0]["due"]["minor"]
        ),
        (&json!(id), &json!("open"), &json!(1))
    );
    assert_eq!(console.close().await, json!([]), "it is closed already");
    assert_eq!(data(&console.get("/admin/v1/invoices").await), invoices);
    assert_eq!(
        data(&console.get("/admin/v1/invoices?client=acme").await),
        invoices
    );
    let invoice = console.invoice(1).await;
    assert_eq!(
        (&invoice["id"], &invoice["number"], &invoice["replaces"]),
        (&json!(id), &json!(1), &json!(null))
    );
    assert_eq!(
        (&invoice["last_seq"], &invoice["issued_at"]),
        (&json!(1_004), &json!("2026-12-02T10:00:00Z"))
    );
    let paid_invoice = data(&console.act(&id, "mark-paid", json!({})).await);
    assert_eq!(
        (&paid_invoice["state"], &paid_invoice["changed_at"]),
        (&json!("paid"), &json!("2026-12-02T10:00:00Z"))
    );
    for (act, body) in [
        ("mark-paid", json!({})),
        ("write-off", json!({})),
        ("void", json!({"reason": "a mistake"})),
    ] {
        let rejection = console.act("acme-1", act, body).await;
        rejection.is_error(409, "m_g_c_1");
        assert!(
            rejection.body.contains("is paid and only an open invoice"),
            "{}",
            rejection.body
        );
    }
    assert_eq!(console.invoice(1).await, paid_invoice);
}

#[actix_web::test]
async fn void_invoice_is_replaced_by_exactly_one_other() {
    let console = console_after_lookups(1_003).await;
    console.app.wait(TO_DECEMBER);
    console.close().await;
    console
        .act("acme-1", "void", json!({"reason": " "}))
        .await
        .is_error(400, "m_g_p_1");
    let void = data(
        &console
            .act("acme-1", "void", json!({"reason": "wrong address"}))
            .await,
    );
    assert_eq!(
        (&void["state"], &void["reason"]),
        (&json!("void"), &json!("wrong address"))
    );
    let replacement = console.close().await;
    assert_eq!(
        (&replacement[0]["number"], &replacement[0]["replaces"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(console.close().await, json!([]));
    assert_eq!(
        console.invoice(2).await["total"],
        console.invoice(1).await["total"]
    );
    assert_eq!(
        data(&console.act("acme-2", "write-off", json!({})).await)["state"],
        "uncollectible"
    );
}

#[actix_web::test]
async fn adjustments_are_lines_and_debt_is_carried() {
    let console = console_after_lookups(1_003).await;
    let credit = data(
        &console
            .post(
                ADJUSTMENTS,
                &json!({"kind": "credit", "amount": "5", "reason": "an outage"}),
            )
            .await,
    );
    assert_eq!(
        (&credit["number"], &credit["amount"]["formatted"]),
        (&json!(1), &json!("-5.00"))
    );
    let more = json!({"kind": "correction", "amount": "0.50", "reason": "late <rows>"});
    let correction = data(&console.post(ADJUSTMENTS, &more).await);
    assert_eq!(
        data(&console.get(ADJUSTMENTS).await),
        json!([credit, correction])
    );
    console.app.wait(TO_DECEMBER);
    console.close().await;
    assert_eq!(
        data(&console.get(ADJUSTMENTS).await),
        json!([]),
        "they wait no longer"
    );
    let invoice = console.invoice(1).await;
    assert_eq!(invoice["adjustments"], json!([credit, correction]));
    assert_eq!(
        (&invoice["total"]["formatted"], &invoice["due"]["formatted"]),
        (&json!("-4.49"), &json!("0.00"))
    );
    let next = data(&console.get(PREVIEW).await);
    assert_eq!(
        (
            &next["carried_forward"]["formatted"],
            &next["total"]["formatted"]
        ),
        (&json!("-4.49"), &json!("-4.49"))
    );
}

#[actix_web::test]
async fn adjustment_that_cannot_be_is_explained() {
    let console = Console::new().await;
    for (kind, amount, reason, hint) in [
        ("credit", "-5", "x", "amount above zero"),
        ("credit", "0", "x", "the amount is zero"),
        ("correction", "0.00", "x", "the amount is zero"),
        ("correction", "1.005", "x", "more than 2 decimal places"),
        ("correction", "1 EUR", "x", "write the amount in USD"),
        ("correction", "1", " ", "needs a reason"),
        ("gift", "1", "x", "gift"),
    ] {
        let body = json!({"kind": kind, "amount": amount, "reason": reason});
        let answer = console.post(ADJUSTMENTS, &body).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(hint), "{body}: {}", answer.body);
    }
    assert_eq!(data(&console.get(ADJUSTMENTS).await), json!([]));
}

#[actix_web::test]
async fn closed_client_gets_one_last_invoice() {
    let console = console_after_lookups(1_003).await;
    let path = "/admin/v1/clients/acme/close";
    let closed_client = data(&console.post(path, &json!({})).await);
    assert_eq!(
        (
            &closed_client["status"],
            &closed_client["invoices"][0]["number"]
        ),
        (&json!("closed"), &json!(1))
    );
    assert_eq!(
        closed_client["invoices"][0]["period"]["end"],
        "2026-11-21T10:00:00Z"
    );
    let second_close = data(&console.post(path, &json!({})).await);
    assert_eq!(
        (&second_close["status"], &second_close["invoices"]),
        (&json!("closed"), &json!([]))
    );
    let credit = json!({"kind": "credit", "amount": "5", "reason": "goodwill"});
    console
        .post(ADJUSTMENTS, &credit)
        .await
        .is_error(400, "m_g_p_1");
    console
        .act("acme-1", "void", json!({"reason": "goodwill"}))
        .await;
    assert_eq!(console.post(ADJUSTMENTS, &credit).await.status, 200);
    assert_eq!(console.close().await[0]["total"]["formatted"], "-4.99");
}

#[actix_web::test]
async fn invoice_errors_name_the_cause() {
    let console = console_after_lookups(1).await;
    for (period, hint) in [
        (
            "2026-11",
            "the period of 2026-11 runs until 2026-12-01T00:00:00Z",
        ),
        ("2027-01", "2027-01 has not begun"),
        ("2026-13", "year and month"),
        ("november", "year and month"),
    ] {
        let answer = console
            .post(CLOSE, &json!({"client": "acme", "period": period}))
            .await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(hint), "{period}: {}", answer.body);
    }
    console
        .post(CLOSE, &json!({"client": "missing-client"}))
        .await
        .is_error(404, "m_g_n_1");
    let missing = format!("{}-7", console.app.client.id);
    for (invoice, hint) in [
        (missing.as_str(), missing.as_str()),
        ("acme-7", &missing),
        ("draft", "draft has no id yet"),
        ("missing-client-1", "missing-client"),
    ] {
        let answer = console.act(invoice, "mark-paid", json!({})).await;
        answer.is_error(404, "m_g_n_1");
        assert!(answer.body.contains(hint), "{invoice}: {}", answer.body);
    }
    console
        .get(&format!("{PREVIEW}&period=2026-10"))
        .await
        .is_error(404, "m_g_n_1");
    console
        .get(&format!("{PREVIEW}&format=pdf"))
        .await
        .is_error(400, "m_g_p_1");
    console
        .get("/admin/v1/invoices/preview?client=missing-client")
        .await
        .is_error(404, "m_g_n_1");
}

#[actix_web::test]
async fn ended_period_is_reported_until_it_is_invoiced() {
    let console = console_after_lookups(1).await;
    let uninvoiced_clients =
        || async { data(&console.get("/admin/v1/info").await)["uninvoiced"].clone() };
    assert_eq!(uninvoiced_clients().await, json!([]));
    console.app.wait(TO_DECEMBER);
    let since = json!([{"client": "acme", "period_ended_at": "2026-12-01T00:00:00Z"}]);
    assert_eq!(uninvoiced_clients().await, since);
    console.close().await;
    assert_eq!(uninvoiced_clients().await, json!([]));
    console
        .act("acme-1", "void", json!({"reason": "a mistake"}))
        .await;
    assert_eq!(uninvoiced_clients().await, since);
}
