//! Invoices in the public API.

use crate::common::{ADDRESS, Answer, App};
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use std::time::Duration;
use voight_api::admin::{self, InvoiceView};
use voight_api::openapi::public_document;
use voight_domain::metering::MeterRules;
use voight_domain::vocabulary::{Environment, Scope};

const INVOICES: &str = "/api/v1/invoices";

fn read(secret: &str, path: &str) -> TestRequest {
    TestRequest::get()
        .uri(path)
        .insert_header(("x-api-key", secret))
}

/// Creates a client with an invoice for each of `months` months, in each of which it paid for one lookup.
async fn billed(months: usize) -> App {
    let app = App::billing(MeterRules {
        allowance: 1,
        ..MeterRules::default()
    })
    .await;
    let context = app.context().await;
    for _ in 0..months {
        for _ in 0..6 {
            assert_eq!(app.send(app.look_up(&context, ADDRESS)).await.status, 200);
        }
        app.wait(Duration::from_hours(31 * 24));
        let invoices = app
            .state
            .services
            .billing
            .close(&app.client, None)
            .await
            .expect("a closing");
        assert_eq!(invoices.len(), 1);
    }
    app
}

async fn get(app: &App, path: &str) -> Answer {
    app.send(read(&app.secret, path)).await
}

/// Returns a validator for the schema with this name in the OpenAPI document.
fn validator(name: &str) -> jsonschema::Validator {
    let mut schema = public_document();
    schema["$ref"] = json!(format!("#/components/schemas/{name}"));
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a schema")
}

#[actix_web::test]
async fn invoice_is_the_one_that_the_operator_sees() {
    let app = billed(1).await;
    let stored_invoices = app
        .ports
        .store
        .invoices(app.client.id, 0, 10)
        .await
        .unwrap();
    let expected_invoice = serde_json::to_value(admin::Invoice::from(&stored_invoices[0])).unwrap();
    let answer = get(&app, &format!("{INVOICES}/{}-1", app.client.id)).await;
    assert_eq!(
        (answer.status, answer.json()),
        (200, json!({ "success": true, "data": expected_invoice }))
    );
    assert_eq!(
        (
            &expected_invoice["total"]["minor"],
            &expected_invoice["number"]
        ),
        (&json!(1), &json!(1))
    );
    let view_parts = |view: &InvoiceView| {
        (
            view.title(),
            view.notice(),
            view.facts(),
            view.entries(),
            view.sums(),
        )
    };
    let mut parsed_invoice: admin::Invoice =
        serde_json::from_value(expected_invoice.clone()).unwrap();
    assert_eq!(
        view_parts(&(&parsed_invoice).try_into().unwrap()),
        view_parts(&(&stored_invoices[0]).into())
    );
    parsed_invoice.state = admin::InvoiceStatus::Paid;
    assert!(
        InvoiceView::try_from(&parsed_invoice).is_err(),
        "a paid invoice has the time of its payment"
    );
    let list = get(&app, INVOICES).await;
    assert_eq!(
        list.json()["data"],
        json!({ "invoices": [expected_invoice] })
    );
    assert!(
        validator("Invoice").is_valid(&answer.json()["data"]),
        "{}",
        answer.body
    );
    assert!(
        validator("InvoicesOfClient").is_valid(&list.json()["data"]),
        "{}",
        list.body
    );
    let mut invalid_invoice = answer.json()["data"].clone();
    invalid_invoice["more"] = json!(1);
    assert!(
        !validator("Invoice").is_valid(&invalid_invoice),
        "the schema takes everything"
    );
}

#[actix_web::test]
async fn invoices_are_paged_newest_last() {
    let app = billed(3).await;
    let page = async |query: &str| {
        let data = get(&app, &format!("{INVOICES}?{query}")).await.json()["data"].clone();
        let numbers: Vec<Value> = data["invoices"]
            .as_array()
            .unwrap()
            .iter()
            .map(|invoice| invoice["number"].clone())
            .collect();
        (numbers, data.get("next").cloned())
    };
    assert_eq!(page("").await, (vec![json!(1), json!(2), json!(3)], None));
    assert_eq!(
        page("limit=2").await,
        (vec![json!(1), json!(2)], Some(json!(2)))
    );
    assert_eq!(page("limit=2&after=2").await, (vec![json!(3)], None));
    assert_eq!(
        page("limit=3").await,
        (vec![json!(1), json!(2), json!(3)], None)
    );
    assert_eq!(page("after=4294967295").await, (vec![], None));
    for query in [
        "limit=0",
        "limit=101",
        "limit=+1",
        "after=-1",
        "after=4294967296",
        "before=1",
    ] {
        get(&app, &format!("{INVOICES}?{query}"))
            .await
            .is_error(400, "m_g_p_1");
    }
    get(&app, &format!("{INVOICES}/{}-1?limit=1", app.client.id))
        .await
        .is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn resources_of_another_client_are_not_found() {
    let app = billed(1).await;
    let key = app.issue_to_other_client(&[Scope::UsageRead]).await;
    let path = format!("{INVOICES}/{}-1", app.client.id);
    let foreign = app.send(read(key.secret.expose(), &path)).await;
    foreign.is_error(404, "m_g_n_1");
    for nothing in [
        format!("{}-2", app.client.id),
        format!("{}-0", app.client.id),
        "1".to_owned(),
    ] {
        let unknown = get(&app, &format!("{INVOICES}/{nothing}")).await;
        unknown.is_error(404, "m_g_n_1");
        assert_eq!(unknown.body, foreign.body);
    }
    assert_eq!(
        app.send(read(key.secret.expose(), INVOICES)).await.json()["data"],
        json!({ "invoices": [] })
    );
}

#[actix_web::test]
async fn invoices_need_scope_and_live_key() {
    let app = billed(1).await;
    let sandbox = app
        .issue(Environment::Sandbox, &[Scope::UsageRead], &[])
        .await;
    let answer = app.send(read(sandbox.secret.expose(), INVOICES)).await;
    assert_eq!(
        answer.json(),
        json!({ "success": true, "test": true, "data": { "invoices": [] } })
    );
    let path = format!("{INVOICES}/{}-1", app.client.id);
    app.send(read(sandbox.secret.expose(), &path))
        .await
        .is_error(404, "m_g_n_1");
    let lookup_key = app
        .issue(Environment::Live, &[Scope::LookupRead], &[])
        .await;
    for path in [INVOICES, &path] {
        app.send(read(lookup_key.secret.expose(), path))
            .await
            .is_error(403, "m_a_s_1");
    }
}

#[actix_web::test]
async fn closed_client_reads_only_its_bills() {
    let app = billed(1).await;
    let context = app.context().await;
    app.state
        .services
        .billing
        .close_client(&app.client)
        .await
        .expect("a closing");
    let path = format!("{INVOICES}/{}-1", app.client.id);
    for path in [
        INVOICES,
        &path,
        "/api/v1/usage",
        "/api/v1/usage/head",
        "/api/v1/usage/export?format=csv",
    ] {
        let answer = get(&app, path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    }
    let rejected_requests = [app.look_up(&context, ADDRESS), app.register("another")];
    for request in rejected_requests {
        let answer = app.send(request).await;
        answer.is_error(403, "m_a_u_1");
        assert!(answer.body.contains("closed"), "{}", answer.body);
    }
}
