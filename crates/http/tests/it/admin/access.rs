//! Access control of the admin listener.

use crate::admin::console::{Console, HOST, TOKEN, call, probe};
use crate::common::{App, LOOKUP};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use voight_http::HttpSettings;

const CLIENTS: &str = "/admin/v1/clients";

#[actix_web::test]
async fn admin_api_opens_to_its_token_only() {
    let console = Console::new().await;
    assert_eq!(console.get(CLIENTS).await.status, 200);
    let answer = console.send(probe(CLIENTS, HOST)).await;
    answer.is_error(401, "m_a_t_1");
    assert_eq!(
        answer.header("www-authenticate"),
        Some(r#"Bearer realm="voight-admin""#)
    );
    for value in [
        TOKEN.to_owned(),
        format!("Bearer {TOKEN}0"),
        format!("Basic {TOKEN}"),
        "Bearer ".to_owned(),
    ] {
        let answer = console
            .send(probe(CLIENTS, HOST).insert_header(("authorization", value.clone())))
            .await;
        assert_eq!(
            (answer.status, &answer.body),
            (401, &answer.body),
            "{value}"
        );
    }
    let twice =
        call(Method::GET, CLIENTS).append_header(("authorization", format!("Bearer {TOKEN}")));
    console.send(twice).await.is_error(401, "m_a_t_1");
    console
        .send(probe("/admin/v1/none", HOST))
        .await
        .is_error(401, "m_a_t_1");
    console.get("/admin/v1/none").await.is_error(404, "m_g_n_1");
}

#[actix_web::test]
async fn every_path_answers_to_its_own_host_only() {
    let console = Console::new().await;
    for path in ["/livez", "/readyz", "/metrics", CLIENTS, "/none"] {
        for host in [
            "attacker.example",
            "localhost:8081.attacker.example",
            "10.0.0.7.attacker.example",
        ] {
            let request = call(Method::GET, path).insert_header(("host", host));
            console.send(request).await.is_error(421, "m_a_h_1");
        }
    }
    for path in [CLIENTS, "/none", "/openapi.json"] {
        for host in ["127.0.0.1", "127.0.0.1:8080", "10.0.0.7:8081"] {
            let request = call(Method::GET, path).insert_header(("host", host));
            console.send(request).await.is_error(421, "m_a_h_1");
        }
    }
    assert_eq!(
        console.send(probe("/livez", "LOCALHOST:8081")).await.status,
        200
    );
}

#[actix_web::test]
async fn probes_accept_a_container_address() {
    let console = Console::new().await;
    for path in ["/livez", "/readyz", "/metrics"] {
        for host in ["10.0.0.7:8081", "[fd00::7]:8081", "10.0.0.7"] {
            assert_eq!(
                console.send(probe(path, host)).await.status,
                200,
                "{path} of {host}"
            );
        }
    }
}

#[actix_web::test]
async fn admin_responses_have_no_cors_headers() {
    let console = Console::new().await;
    let origin = ("origin", "https://quest.example");
    for request in [
        call(Method::GET, CLIENTS),
        call(Method::OPTIONS, CLIENTS),
        probe("/metrics", HOST),
    ] {
        let answer = console.send(request.insert_header(origin)).await;
        assert!(
            answer
                .headers
                .keys()
                .all(|name| !name.as_str().starts_with("access-control"))
        );
    }
}

#[actix_web::test]
async fn wrong_method_is_named() {
    let answer = Console::new()
        .await
        .send(call(Method::DELETE, CLIENTS))
        .await;
    answer.is_error(405, "m_g_m_1");
    assert_eq!(answer.header("allow"), Some("GET, POST"));
}

#[actix_web::test]
async fn operators_are_served_during_load_shedding() {
    let settings = HttpSettings {
        max_concurrent_requests: 0,
        ..HttpSettings::default()
    };
    let console = Console {
        app: App::with_settings(settings).await,
    };
    console
        .app
        .send(TestRequest::get().uri(LOOKUP))
        .await
        .is_error(503, "m_g_x_2");
    assert_eq!(console.get(CLIENTS).await.status, 200);
}
