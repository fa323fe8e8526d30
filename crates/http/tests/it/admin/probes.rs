//! Probes and metrics.

use crate::admin::console::{Console, HOST, TOKEN, probe};
use crate::common::{App, LOOKUP};
use actix_web::test::TestRequest;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;
use voight_api::AdminTokenSecret;
use voight_http::admin::serve_admin;
use voight_http::{HttpSettings, SpoolSettings};

const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

#[actix_web::test]
async fn draining_service_lives_and_is_not_ready() {
    let console = Console::new().await;
    assert_eq!(console.send(probe("/livez", HOST)).await.body, "ok\n");
    let ready = console.send(probe("/readyz", HOST)).await;
    assert_eq!(
        (ready.status, ready.body.as_str()),
        (
            200,
            r#"{"ready":true,"degraded":false,"unreachable_percent":0,"reasons":[],"warnings":[]}"#
        )
    );
    console.app.state.drain();
    assert_eq!(console.send(probe("/livez", HOST)).await.status, 200);
    let draining = console.send(probe("/readyz", HOST)).await;
    assert_eq!(draining.status, 503);
    assert_eq!(
        draining.json()["reasons"][0],
        "the service is shutting down"
    );
}

#[actix_web::test]
async fn service_within_the_disk_reserve_is_unready() {
    let spool = SpoolSettings {
        reserved_free_bytes: u64::MAX,
        ..SpoolSettings::default()
    };
    let console = Console {
        app: App::with_settings(HttpSettings {
            spool,
            ..HttpSettings::default()
        })
        .await,
    };
    let unready = console.send(probe("/readyz", HOST)).await;
    assert_eq!(unready.status, 503);
    assert!(
        unready.json()["reasons"][0]
            .as_str()
            .unwrap()
            .contains("store.reserved_free_mib"),
        "{}",
        unready.body
    );
    let app = &console.app;
    let context = app.context().await;
    assert_eq!(
        app.send(app.look_up(&context, ADDRESS)).await.status,
        200,
        "lookups may use the reserve"
    );
}

#[actix_web::test]
async fn service_that_sheds_platforms_is_unready() {
    let settings = HttpSettings {
        max_concurrent_requests: 0,
        ..HttpSettings::default()
    };
    let console = Console {
        app: App::with_settings(settings).await,
    };
    assert_eq!(
        console
            .app
            .send(TestRequest::get().uri("/window/v1/window.js"))
            .await
            .status,
        200,
        "files are never shed"
    );
    assert_eq!(console.send(probe("/readyz", HOST)).await.status, 200);
    console
        .app
        .send(TestRequest::get().uri(LOOKUP))
        .await
        .is_error(503, "m_g_x_2");
    let readiness = console.send(probe("/readyz", HOST)).await;
    assert_eq!(readiness.status, 503);
    assert!(
        readiness.json()["reasons"][0]
            .as_str()
            .unwrap()
            .contains("max_concurrent_requests"),
        "{}",
        readiness.body
    );
    console.app.wait(Duration::from_secs(6));
    assert_eq!(console.send(probe("/readyz", HOST)).await.status, 200);
}

#[actix_web::test]
async fn service_that_sheds_visitors_is_unready() {
    let settings = HttpSettings {
        max_concurrent_requests: 0,
        ..HttpSettings::default()
    };
    let console = Console {
        app: App::with_settings(settings).await,
    };
    let document =
        || TestRequest::get().uri("/window/v1?context=quest.x&origin=https://quest.example");
    console.app.send(document()).await.is_error(503, "m_g_x_2");
    let readiness = console.send(probe("/readyz", HOST)).await;
    assert_eq!(readiness.status, 503);
    assert!(
        readiness.json()["reasons"][0]
            .as_str()
            .unwrap()
            .contains("requests of visitors"),
        "{}",
        readiness.body
    );
    console.app.wait(Duration::from_secs(6));
    assert_eq!(console.send(probe("/readyz", HOST)).await.status, 200);
}

#[actix_web::test]
async fn forwarding_header_of_an_untrusted_peer_is_reported() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let request = console
        .app
        .look_up(&context, crate::common::ADDRESS)
        .insert_header(("x-forwarded-for", "192.0.2.9"));
    assert_eq!(console.app.send(request).await.status, 200);
    let ready = console.send(probe("/readyz", HOST)).await;
    assert_eq!(ready.status, 200);
    assert!(
        ready.json()["warnings"][0]
            .as_str()
            .unwrap()
            .contains("trusted_proxies")
    );
}

#[actix_web::test]
async fn metrics_are_text_and_count_by_route() {
    let console = Console::new().await;
    console.app.send(TestRequest::get().uri("/none")).await;
    let answer = console.send(probe("/metrics", HOST)).await;
    assert_eq!(
        answer.header("content-type"),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    assert_eq!(answer.header("vary"), Some("accept"));
    for line in [
        "# TYPE voight_http_requests_total counter",
        r#"voight_http_requests_total{route="unmatched",method="GET",status="404"} 1"#,
        r#"voight_store_health{state="ready"} 1"#,
    ] {
        assert!(
            answer.body.lines().any(|printed| printed == line),
            "{line} is not in\n{}",
            answer.body
        );
    }
    assert!(!answer.body.contains("# UNIT"), "{}", answer.body);
    assert!(!answer.body.contains("# EOF"), "{}", answer.body);
}

#[actix_web::test]
async fn openmetrics_is_served_to_scrapers_that_accept_it() {
    let console = Console::new().await;
    console.app.send(TestRequest::get().uri("/none")).await;
    let accept =
        "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    let scrape = probe("/metrics", HOST).insert_header(("accept", accept));
    let answer = console.send(scrape).await;
    assert_eq!(
        answer.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    for line in [
        "# TYPE voight_http_requests counter",
        "# UNIT voight_http_request_duration_seconds seconds",
    ] {
        assert!(
            answer.body.lines().any(|printed| printed == line),
            "{line} is not in\n{}",
            answer.body
        );
    }
    assert!(answer.body.ends_with("# EOF\n"));
}

#[actix_web::test]
async fn listener_answers_over_a_socket() {
    let console = Console::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = serve_admin(
        listener,
        &console.app.state,
        AdminTokenSecret::parse(TOKEN).unwrap(),
        None,
    )
    .unwrap();
    let handle = server.handle();
    actix_web::rt::spawn(server);
    let talk = move || {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(
            stream,
            "GET /livez HTTP/1.1\r\nhost: {HOST}\r\nconnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = actix_web::web::block(talk).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nok\n"),
        "{answer}"
    );
    handle.stop(true).await;
}
