//! `Idempotency-Key` on both endpoints.

use crate::common::{ADDRESS, App};
use actix_web::test::TestRequest;
use std::time::Duration;
use voight_domain::metering::LedgerId;

fn with_key(request: TestRequest, key: &'static str) -> TestRequest {
    request.insert_header(("idempotency-key", key))
}

#[actix_web::test]
async fn retried_lookup_is_replayed_and_adds_no_row() {
    let app = App::new().await;
    let context = app.context().await;
    let first = app
        .send(with_key(app.look_up(&context, ADDRESS), "one"))
        .await;
    assert_eq!(
        (first.status, first.header("idempotency-replayed")),
        (200, None)
    );
    let second = app
        .send(with_key(app.look_up(&context, ADDRESS), "\"one\""))
        .await;
    assert_eq!(
        (second.status, second.header("idempotency-replayed")),
        (200, Some("true"))
    );
    assert_eq!(second.body, first.body);
    assert_eq!(second.header("voight-meter"), first.header("voight-meter"));
    let rows = app
        .ports
        .store
        .rows(LedgerId::live(app.client.id), 0, 9)
        .await
        .unwrap();
    assert_eq!(rows.len(), 1);
    app.wait(Duration::from_hours(24));
    let third = app
        .send(with_key(app.look_up(&context, ADDRESS), "one"))
        .await;
    assert_eq!(
        (third.status, third.header("idempotency-replayed")),
        (200, None)
    );
}

#[actix_web::test]
async fn retried_registration_is_replayed() {
    let app = App::new().await;
    let first = app.send(with_key(app.register("quest"), "one")).await;
    let second = app.send(with_key(app.register("quest"), "one")).await;
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(second.body, first.body);
    assert_ne!(app.send(app.register("quest")).await.body, first.body);
}

#[actix_web::test]
async fn key_with_other_parameters_is_rejected() {
    let app = App::new().await;
    let context = app.context().await;
    app.send(with_key(app.look_up(&context, ADDRESS), "one"))
        .await;
    let other_address = format!("0x{}", "1".repeat(40));
    app.send(with_key(app.look_up(&context, &other_address), "one"))
        .await
        .is_error(422, "m_g_i_2");
    // The scope of a key is one route.
    assert_eq!(
        app.send(with_key(app.register("a"), "one")).await.status,
        200
    );
    app.send(with_key(app.register("b"), "one"))
        .await
        .is_error(422, "m_g_i_2");
}

#[actix_web::test]
async fn malformed_and_repeated_keys_are_rejected() {
    let app = App::new().await;
    let context = app.context().await;
    for key in ["", "a b", "\"a", "\"\"", "a,b"] {
        app.send(with_key(app.look_up(&context, ADDRESS), key))
            .await
            .is_error(400, "m_g_p_1");
        app.send(with_key(app.register("a"), key))
            .await
            .is_error(400, "m_g_p_1");
    }
    let request = app
        .look_up(&context, ADDRESS)
        .append_header(("idempotency-key", "a"));
    app.send(request.append_header(("idempotency-key", "a")))
        .await
        .is_error(400, "m_g_p_1");
    let long = "a".repeat(256);
    app.send(
        app.look_up(&context, ADDRESS)
            .insert_header(("idempotency-key", long)),
    )
    .await
    .is_error(400, "m_g_p_1");
}
