//! Page at `/` and probe of the public listener.

use crate::common::{Answer, App, LOOKUP};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::json;
use voight_http::HttpSettings;

/// Maximum size of page and style sheet, in bytes.
const MAX_BYTES: usize = 4_096;

async fn get(app: &App, path: &str, accept: &str) -> Answer {
    app.send(
        TestRequest::get()
            .uri(path)
            .insert_header(("accept", accept)),
    )
    .await
}

/// Returns the targets of the links and style sheets of a page.
fn targets(page: &str) -> Vec<&str> {
    page.split("href=\"")
        .skip(1)
        .filter_map(|tail| tail.split('"').next())
        .collect()
}

#[actix_web::test]
async fn landing_page_is_small_with_working_links() {
    let app = App::new().await;
    let page = get(&app, "/", "text/html,application/xhtml+xml,*/*;q=0.8").await;
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, Some("text/html; charset=utf-8")),
        "{}",
        page.body
    );
    assert!(
        page.body.len() < MAX_BYTES && page.body.contains("<h1>Voight</h1>"),
        "{}",
        page.body
    );
    assert!(
        !page.body.contains("<script") && !page.body.contains("style="),
        "{}",
        page.body
    );
    let policy = page.header("content-security-policy").unwrap();
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("vary"), Some("accept"));
    let targets = targets(&page.body);
    for named in [
        "openapi.json",
        "docs/",
        "docs/reference/openapi.html",
        "docs/tutorial/protect-a-quest-page.html",
    ] {
        assert!(
            targets.contains(&named),
            "{named} is not linked from {}",
            page.body
        );
    }
    for target in targets {
        assert_eq!(status(&app, target).await, 200, "{target}");
    }
    let style = get(&app, "/landing.css", "text/css").await;
    assert_eq!(
        style.header("content-type"),
        Some("text/css; charset=utf-8")
    );
    assert!(
        style.body.len() < MAX_BYTES && style.body.contains("color-scheme: light dark"),
        "{}",
        style.body
    );
}

/// Returns the status of a link of the page, whose target may be no text.
async fn status(app: &App, target: &str) -> u16 {
    let service = actix_web::test::init_service(voight_http::create_app(app.state.clone())).await;
    let request = TestRequest::get().uri(&format!("/{target}")).to_request();
    actix_web::test::call_service(&service, request)
        .await
        .status()
        .as_u16()
}

/// Returns the page for a request that names this host.
async fn page_for(app: &App, host: &str) -> String {
    let request = TestRequest::get()
        .uri("/")
        .insert_header(("accept", "text/html"))
        .insert_header(("host", host));
    let page = app.send(request).await;
    assert_eq!(
        (page.status, page.header("cache-control")),
        (200, Some("no-cache")),
        "{}",
        page.body
    );
    page.body
}

#[actix_web::test]
async fn first_steps_name_the_address_of_the_service() {
    let app = App::new().await;
    for (host, address) in [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("voight.example", "http://voight.example"),
        ("\"><script>alert(1)</script>", "http://localhost:8080"),
    ] {
        let page = page_for(&app, host).await;
        assert!(
            page.contains(&format!("curl {address}/api/v1/register/context_id")),
            "{host}: {page}"
        );
        assert!(
            page.contains(&format!("src=\"{address}/sdk/v1/voight.js\"")),
            "{host}: {page}"
        );
        assert!(!page.contains("<script"), "{host}: {page}");
    }
    let public_url = Some("https://voight.example/".to_owned());
    let app = App::with_settings(HttpSettings {
        public_url,
        ..HttpSettings::default()
    })
    .await;
    assert!(
        page_for(&app, "127.0.0.1:8080")
            .await
            .contains("npm install https://voight.example/sdk/voight-check-")
    );
}

#[actix_web::test]
async fn page_shows_whether_requests_are_answered() {
    let settings = HttpSettings {
        max_concurrent_requests: 0,
        ..HttpSettings::default()
    };
    let app = App::with_settings(settings).await;
    assert!(
        page_for(&app, "localhost")
            .await
            .contains("The service is running and answers requests.")
    );
    app.send(TestRequest::get().uri(LOOKUP))
        .await
        .is_error(503, "m_g_x_2");
    assert!(
        page_for(&app, "localhost")
            .await
            .contains("does not answer all requests now")
    );
}

#[actix_web::test]
async fn program_gets_the_links_as_json() {
    let app = App::new().await;
    for accept in ["*/*", "application/json"] {
        let answer = get(&app, "/", accept).await;
        let links = json!({
            "name": "Voight", "version": env!("CARGO_PKG_VERSION"),
            "openapi": "/openapi.json", "documentation": "/docs/",
            "npm_package": concat!("/sdk/voight-check-", env!("CARGO_PKG_VERSION"), ".tgz"),
        });
        assert_eq!(
            (answer.status, answer.json()),
            (200, json!({ "success": true, "data": links }))
        );
    }
}

#[actix_web::test]
async fn livez_answers_while_draining() {
    let app = App::new().await;
    for drains in [false, true] {
        if drains {
            app.state.drain();
        }
        let answer = get(&app, "/livez", "*/*").await;
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (200, "ok\n"),
            "draining: {drains}"
        );
    }
    for path in ["/", "/livez"] {
        app.send(TestRequest::default().method(Method::POST).uri(path))
            .await
            .is_error(405, "m_g_m_1");
    }
}
