//! Data that is logged, and data that must never be logged.

use crate::common::{ADDRESS, App, CapturedLog, LOOKUP, REGISTER, post_json};
use actix_web::test::TestRequest;
use tracing::Level;

#[actix_web::test]
async fn no_key_address_network_or_query_is_logged() {
    let log = CapturedLog::start(Level::TRACE);
    let app = App::new().await;
    let context = app.context().await;
    let address = "0x00112233445566778899aabbccddeeff00112233";
    let lookup = app
        .look_up(&context, address)
        .insert_header(("x-request-id", "find-me"));
    assert_eq!(
        app.send(lookup.insert_header(("x-forwarded-for", "203.0.113.77")))
            .await
            .status,
        200
    );
    app.send(post_json(
        REGISTER,
        &app.secret,
        r#"{"context_title":"-the-title"}"#,
    ))
    .await
    .is_error(400, "m_r_t_1");
    let no_route = format!(
        "/a/path/of/no/route/{address}/{}/203.0.113.77?{address}",
        &*app.secret
    );
    app.send(TestRequest::get().uri(&no_route))
        .await
        .is_error(404, "m_g_n_1");
    app.send(
        TestRequest::get()
            .uri(LOOKUP)
            .insert_header(("x-api-key", "half-a-key")),
    )
    .await
    .is_error(401, "m_a_k_1");
    let text = log.finish();

    let path = r#"path="/a/path/of/no/route/*/vgt_live_*/*""#;
    for word in [
        path,
        "find-me",
        "/api/v1/users/eoa",
        "status=200",
        "status=404",
        "m_a_k_1",
        "trusted_proxies",
    ] {
        assert!(text.contains(word), "{word} is missing:\n{text}");
    }
    let secrets = [
        &*app.secret,
        &address[2..],
        "192.0.2.1",
        "203.0.113.77",
        "eoa_address",
        "-the-title",
    ];
    for word in secrets.into_iter().chain(["half-a-key"]) {
        assert!(!text.contains(word), "{word} was logged:\n{text}");
    }
}

#[actix_web::test]
async fn leaked_key_is_logged_once() {
    let app = App::new().await;
    let context = app.context().await;
    let log = CapturedLog::start(Level::WARN);
    for _ in 0..3 {
        let request = app.look_up(&context, ADDRESS);
        app.send(request.insert_header(("sec-fetch-site", "same-origin")))
            .await
            .is_error(403, "m_a_b_1");
    }
    let log = log.finish();
    let line = format!(r#"event="key_leaked" key={}"#, app.key.id);
    assert_eq!(log.matches(&line).count(), 1, "{log}");
    assert!(!log.contains(&*app.secret), "{log}");
}
