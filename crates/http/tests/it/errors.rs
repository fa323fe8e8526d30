//! Sends every reachable row of the error table, in the order of the checks.

use crate::common::{ADDRESS, App, LOOKUP, REGISTER, look_up, post_json};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use std::time::Duration;
use voight_domain::metering::{LedgerId, Limit};
use voight_domain::registry::{ClientChange, ClientStatus};
use voight_domain::services::{IssueKey, Revocation};
use voight_domain::vocabulary::{Environment, Scope, ScopeSet};
use voight_http::HttpSettings;

const SESSIONS: &str = "/api/v1/sessions";

#[actix_web::test]
async fn bodies_that_are_not_one_json_object() {
    let app = App::new().await;
    for body in [
        r#"["a"]"#,
        "",
        "{",
        r#"{"context_title":"a"} {}"#,
        r#"{"context_title":"a","context_title":"b"}"#,
    ] {
        app.send(post_json(REGISTER, &app.secret, body))
            .await
            .is_error(400, "m_r_b_1");
    }
    app.send(post_json(
        REGISTER,
        &app.secret,
        &b"{\"context_title\":\"\xff\"}"[..],
    ))
    .await
    .is_error(400, "m_r_b_1");
}

#[actix_web::test]
async fn bodies_with_the_wrong_members() {
    let app = App::new().await;
    for body in [
        "{}",
        r#"{"context_title":1}"#,
        r#"{"context_title":null}"#,
        r#"{"context_title":"a","more":1}"#,
    ] {
        app.send(post_json(REGISTER, &app.secret, body))
            .await
            .is_error(400, "m_g_p_1");
    }
}

#[actix_web::test]
async fn titles_that_break_the_rule() {
    let app = App::new().await;
    for title in ["", "-a", "a_", "a b", "a.b", "ä", &"a".repeat(65)] {
        app.send(app.register(title)).await.is_error(400, "m_r_t_1");
    }
    let zero = r#"{"context_title":"a\u0000b"}"#;
    app.send(post_json(REGISTER, &app.secret, zero))
        .await
        .is_error(400, "m_r_t_1");
}

#[actix_web::test]
async fn bad_query_parameters_are_rejected() {
    let app = App::new().await;
    let context = app.context().await;
    let complete_query = format!("eoa_address={ADDRESS}&context_id={context}");
    for (query, word) in [
        (format!("eoa_address={ADDRESS}"), "context_id"),
        (format!("context_id={context}"), "eoa_address"),
        (format!("{complete_query}&more=1"), "unknown"),
        (
            format!("{complete_query}&context_id={context}"),
            "context_id is repeated",
        ),
        (format!("{complete_query}%ff"), "percent-encoded"),
    ] {
        let request = TestRequest::get()
            .uri(&format!("{LOOKUP}?{query}"))
            .insert_header(("x-api-key", &*app.secret));
        let answer = app.send(request).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(word), "{query}: {}", answer.body);
    }
    let uri = format!("{REGISTER}?more=1");
    app.send(post_json(&uri, &app.secret, r#"{"context_title":"a"}"#))
        .await
        .is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn invalid_addresses_are_rejected() {
    let app = App::new().await;
    let context = app.context().await;
    for address in [
        "",
        "0x",
        "0X1111111111111111111111111111111111111111",
        "vitalik.eth",
        "0xzz",
    ] {
        app.send(app.look_up(&context, address))
            .await
            .is_error(400, "m_l_e_1");
    }
    let wrong = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD".replace("5aA", "5Aa");
    app.send(app.look_up(&context, &wrong))
        .await
        .is_error(400, "m_l_e_2");
    let right = app
        .send(app.look_up(&context, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"))
        .await;
    assert_eq!(right.status, 200);
}

#[actix_web::test]
async fn bad_keys_are_one_and_the_same_answer() {
    let app = App::new().await;
    let context = app.context().await;
    let registry = &app.state.services.registry;
    let revoked_key = app.issue(Environment::Live, &Scope::ALL, &[]).await;
    registry
        .revoke_key(revoked_key.key.id, Revocation::default())
        .await
        .unwrap();
    let expires_at = Some(app.state.clock.now().saturating_add(Duration::from_secs(1)));
    let request = IssueKey {
        client: app.client.id,
        environment: Environment::Live,
        scopes: ScopeSet::all(),
        networks: vec![],
        expires_at,
        label: None,
    };
    let expired_key = registry.issue_key(request).await.unwrap();
    app.wait(Duration::from_secs(1));
    let unknown = app.secret.chars().rev().collect::<String>();
    let uri = format!("{LOOKUP}?eoa_address={ADDRESS}&context_id={context}");
    let requests = [
        TestRequest::get().uri(&uri),
        app.look_up(&context, ADDRESS)
            .append_header(("x-api-key", &*app.secret)),
        look_up("vgt_live_short", &context, ADDRESS),
        look_up(&unknown, &context, ADDRESS),
        look_up(revoked_key.secret.expose(), &context, ADDRESS),
        look_up(expired_key.secret.expose(), &context, ADDRESS),
    ];
    let mut bodies = std::collections::HashSet::new();
    for request in requests {
        let answer = app.send(request).await;
        answer.is_error(401, "m_a_k_1");
        assert_eq!(
            answer.header("www-authenticate"),
            Some(r#"ApiKey realm="voight", header="x-api-key""#)
        );
        assert_eq!(answer.header("ratelimit"), None);
        bodies.insert(answer.body);
    }
    assert_eq!(bodies.len(), 1);
}

#[actix_web::test]
async fn foreign_contexts_look_missing() {
    let app = App::new().await;
    let foreign = app.context().await;
    let other_key = app.issue(Environment::Live, &Scope::ALL, &[]).await;
    let secret = other_key.secret.expose();
    let mut bodies = std::collections::HashSet::new();
    for context in [
        &*foreign,
        "quest.01k0ab3cdefghjkmnpqrstvwxy",
        "nonsense",
        "",
    ] {
        let session = format!(r#"{{"context_id":"{context}","eoa_address":"{ADDRESS}"}}"#);
        for request in [
            look_up(secret, context, ADDRESS),
            post_json(SESSIONS, secret, session),
        ] {
            let answer = app.send(request).await;
            answer.is_error(401, "m_a_c_1");
            assert!(answer.header("www-authenticate").is_some());
            bodies.insert(answer.body);
        }
    }
    for context in [&*foreign, "nonsense"] {
        let answer = app.send(patch(context, secret, "{}")).await;
        answer.is_error(401, "m_a_c_1");
        bodies.insert(answer.body);
    }
    assert_eq!(bodies.len(), 1);
}

fn patch(context: &str, secret: &str, body: &str) -> TestRequest {
    post_json(
        &format!("/api/v1/contexts/{context}"),
        secret,
        body.to_owned(),
    )
    .method(Method::PATCH)
}

#[actix_web::test]
async fn cap_that_is_reached() {
    let app = App::new().await;
    let context = app.context().await;
    app.state
        .services
        .billing
        .set_limit(&app.client, Limit::Lookups(Some(1)))
        .await
        .unwrap();
    assert_eq!(app.send(app.look_up(&context, ADDRESS)).await.status, 200);
    let answer = app.send(app.look_up(&context, ADDRESS)).await;
    answer.is_error(402, "m_b_q_1");
    assert!(
        answer.body.contains("2026-12-01T00:00:00Z"),
        "{}",
        answer.body
    );
}

#[actix_web::test]
async fn scopes_networks_and_suspension() {
    let app = App::new().await;
    let context = app.context().await;
    let reader = app
        .issue(Environment::Live, &[Scope::LookupRead], &[])
        .await;
    let answer = app
        .send(post_json(
            REGISTER,
            reader.secret.expose(),
            r#"{"context_title":"a"}"#,
        ))
        .await;
    answer.is_error(403, "m_a_s_1");
    assert!(answer.body.contains("context:register"), "{}", answer.body);
    let registering = app
        .issue(Environment::Live, &[Scope::ContextRegister], &[])
        .await;
    app.send(look_up(registering.secret.expose(), &context, ADDRESS))
        .await
        .is_error(403, "m_a_s_1");
    let inside = app
        .issue(Environment::Live, &Scope::ALL, &["198.51.100.0/24"])
        .await;
    app.send(look_up(inside.secret.expose(), &context, ADDRESS))
        .await
        .is_error(403, "m_a_s_1");
    let suspend = ClientChange::Status(ClientStatus::Suspended);
    app.state
        .services
        .registry
        .change_client(app.client.id, suspend)
        .await
        .unwrap();
    app.send(app.look_up(&context, ADDRESS))
        .await
        .is_error(403, "m_a_u_1");
}

#[actix_web::test]
async fn browser_key_is_rejected_and_audited() {
    let app = App::new().await;
    let context = app.context().await;
    let leaks = async || {
        let log = app.ports.store.audit(0, 100).await.unwrap();
        log.iter()
            .filter(|record| record.entry.action.as_str() == "key.exposed")
            .count()
    };
    for _ in 0..3 {
        let request = app
            .look_up(&context, ADDRESS)
            .insert_header(("sec-fetch-site", "same-origin"));
        let answer = app.send(request).await;
        answer.is_error(403, "m_a_b_1");
        assert!(answer.header("ratelimit").is_some());
    }
    assert_eq!(leaks().await, 1);
    app.wait(Duration::from_hours(1));
    app.send(
        app.look_up(&context, ADDRESS)
            .insert_header(("sec-fetch-site", "none")),
    )
    .await
    .is_error(403, "m_a_b_1");
    assert_eq!(leaks().await, 2);
}

#[actix_web::test]
async fn paths_and_methods_that_are_not_there() {
    let app = App::new().await;
    for path in [
        "/api",
        "/api/v1",
        "/api/v1/users/eoa/",
        "/api/v2/users/eoa",
        "/api/v1/contexts/",
    ] {
        app.send(TestRequest::get().uri(path))
            .await
            .is_error(404, "m_g_n_1");
    }
    for method in [
        "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND",
    ] {
        let answer = app
            .send(TestRequest::with_uri(LOOKUP).method(method.parse().unwrap()))
            .await;
        answer.is_error(405, "m_g_m_1");
        assert_eq!(answer.header("allow"), Some("GET"));
    }
    let head = app
        .send(TestRequest::with_uri(LOOKUP).method(Method::HEAD))
        .await;
    assert_eq!((head.status, head.header("allow")), (405, Some("GET")));
    for (path, allow) in [
        (REGISTER, "POST"),
        (SESSIONS, "POST"),
        ("/api/v1/contexts/a", "PATCH"),
    ] {
        let answer = app.send(TestRequest::get().uri(path)).await;
        answer.is_error(405, "m_g_m_1");
        assert_eq!(answer.header("allow"), Some(allow));
    }
}

#[actix_web::test]
async fn bodies_targets_and_headers_over_their_limits() {
    let app = App::new().await;
    let large = format!(r#"{{"context_title":"{}"}}"#, "a".repeat(4096));
    app.send(post_json(REGISTER, &app.secret, large.clone()))
        .await
        .is_error(413, "m_g_z_1");
    let request = post_json(REGISTER, &app.secret, large).insert_header(("content-length", "10"));
    app.send(request).await.is_error(413, "m_g_z_1");
    let fitting = format!(r#"{{"context_title":"a"}}{}"#, " ".repeat(4096 - 21));
    assert_eq!(fitting.len(), 4096);
    assert_eq!(
        app.send(post_json(REGISTER, &app.secret, fitting))
            .await
            .status,
        200
    );
    app.send(app.look_up(&"a".repeat(2048), ADDRESS))
        .await
        .is_error(414, "m_g_z_2");
    let headers = TestRequest::get()
        .uri(LOOKUP)
        .insert_header(("x-more", "a".repeat(16 * 1024)));
    app.send(headers).await.is_error(431, "m_g_h_1");
}

#[actix_web::test]
async fn media_types_that_are_not_json() {
    let app = App::new().await;
    let send = async |media: &str| {
        let request = post_json(REGISTER, &app.secret, r#"{"context_title":"a"}"#);
        app.send(request.insert_header(("content-type", media)))
            .await
    };
    for media in [
        "text/plain",
        "application/jsonx",
        "application/json; charset=latin1",
        "",
    ] {
        send(media).await.is_error(415, "m_g_y_1");
    }
    for media in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/json; charset=\"UTF-8\"",
    ] {
        assert_eq!(send(media).await.status, 200, "{media}");
    }
    let request = TestRequest::post()
        .uri(REGISTER)
        .insert_header(("x-api-key", &*app.secret))
        .set_payload("{}");
    app.send(request).await.is_error(415, "m_g_y_1");
}

#[actix_web::test]
async fn draining_and_overload_are_503() {
    let shed = App::with_settings(HttpSettings {
        max_concurrent_requests: 0,
        ..HttpSettings::default()
    })
    .await;
    let answer = shed.send(TestRequest::get().uri(LOOKUP)).await;
    answer.is_error(503, "m_g_x_2");
    assert_eq!(answer.header("retry-after"), Some("1"));
    let app = App::new().await;
    let context = app.context().await;
    app.state.drain();
    app.send(app.look_up(&context, ADDRESS))
        .await
        .is_error(503, "m_g_x_2");
    assert_eq!(
        app.ports
            .store
            .rows(LedgerId::live(app.client.id), 0, 9)
            .await
            .unwrap(),
        []
    );
}

/// Each request violates one more rule than the previous one, so that its response shows which rule is checked first.
#[actix_web::test]
async fn order_of_checks() {
    let app = App::new().await;
    let reader = app
        .issue(
            Environment::Live,
            &[Scope::LookupRead],
            &["198.51.100.0/24"],
        )
        .await;
    let foreign = app.issue(Environment::Live, &Scope::ALL, &[]).await;
    let context = app.context().await;
    let uri = |address: &str, key: &str| {
        (
            format!("{LOOKUP}?eoa_address={address}&context_id={context}"),
            key.to_owned(),
        )
    };
    let send = async |(uri, key): (String, String), headers: &[(&'static str, &'static str)]| {
        let request = TestRequest::get()
            .uri(&uri)
            .insert_header(("x-api-key", key));
        app.send(
            headers
                .iter()
                .fold(request, |request, header| request.insert_header(*header)),
        )
        .await
        .error_id()
    };
    let foreign = foreign.secret.expose();
    assert_eq!(send(uri(ADDRESS, foreign), &[]).await, "m_a_c_1");
    assert_eq!(
        send(uri(ADDRESS, foreign), &[("idempotency-key", "a b")]).await,
        "m_g_p_1"
    );
    assert_eq!(
        send(uri("0x12", foreign), &[("idempotency-key", "a b")]).await,
        "m_l_e_1"
    );
    let outside = reader.secret.expose();
    assert_eq!(send(uri("0x12", outside), &[]).await, "m_a_s_1");
    assert_eq!(
        send(uri("0x12", outside), &[("sec-fetch-site", "none")]).await,
        "m_a_b_1"
    );
    assert_eq!(
        send(uri("0x12", "bad"), &[("sec-fetch-site", "none")]).await,
        "m_a_k_1"
    );
    assert_eq!(send(uri(&"1".repeat(2048), "bad"), &[]).await, "m_g_z_2");
    // The body is validated last: a caller without a key does not learn the format of a valid one.
    let request = post_json(REGISTER, "bad", "[").insert_header(("content-type", "text/plain"));
    app.send(request).await.is_error(401, "m_a_k_1");
}
