//! Page at `/` and probe of the public listener.

use crate::common::{Answer, App};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::json;

/// Maximum size of page and style sheet, in bytes.
const MAX_BYTES: usize = 2_048;

async fn get(app: &App, path: &str, accept: &str) -> Answer {
    app.send(TestRequest::get().uri(path).insert_header(("accept", accept))).await
}

/// Returns the targets of the links and style sheets of a page.
fn targets(page: &str) -> Vec<&str> {
    page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[actix_web::test]
async fn browser_gets_a_small_page_without_scripts_whose_links_all_answer() {
    let app = App::new().await;
    let page = get(&app, "/", "text/html,application/xhtml+xml,*/*;q=0.8").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")), "{}", page.body);
    assert!(page.body.len() < MAX_BYTES && page.body.contains("<h1>Voight</h1>"), "{}", page.body);
    assert!(!page.body.contains("<script") && !page.body.contains("style="), "{}", page.body);
    let policy = page.header("content-security-policy").unwrap();
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("vary"), Some("accept"));
    let targets = targets(&page.body);
    for named in ["openapi.json", "docs/", "docs/reference/openapi.html"] {
        assert!(targets.contains(&named), "{named} is not linked from {}", page.body);
    }
    for target in targets {
        assert_eq!(get(&app, &format!("/{target}"), "*/*").await.status, 200, "{target}");
    }
    let style = get(&app, "/landing.css", "text/css").await;
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
    assert!(style.body.len() < MAX_BYTES && style.body.contains("color-scheme: light dark"), "{}", style.body);
}

#[actix_web::test]
async fn program_gets_the_links_as_json() {
    let app = App::new().await;
    for accept in ["*/*", "application/json"] {
        let answer = get(&app, "/", accept).await;
        let links = json!({
            "name": "Voight", "version": env!("CARGO_PKG_VERSION"),
            "openapi": "/openapi.json", "documentation": "/docs/",
        });
        assert_eq!((answer.status, answer.json()), (200, json!({ "success": true, "data": links })));
    }
}

#[actix_web::test]
async fn public_livez_answers_without_detail_also_while_the_service_drains() {
    let app = App::new().await;
    for drains in [false, true] {
        if drains {
            app.state.drain();
        }
        let answer = get(&app, "/livez", "*/*").await;
        assert_eq!((answer.status, answer.body.as_str()), (200, "ok\n"), "draining: {drains}");
    }
    for path in ["/", "/livez"] {
        app.send(TestRequest::default().method(Method::POST).uri(path)).await.is_error(405, "m_g_m_1");
    }
}
