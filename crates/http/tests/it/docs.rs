//! Documentation site.

use crate::common::{Answer, App};
use actix_web::http::Method;
use actix_web::test::TestRequest;

async fn get(path: &str, headers: &[(&'static str, &str)]) -> Answer {
    let request = TestRequest::get().uri(path);
    let request = headers
        .iter()
        .fold(request, |request, header| request.insert_header(*header));
    App::new().await.send(request).await
}

#[actix_web::test]
async fn page_and_its_markdown_are_at_the_same_address() {
    for path in [
        "/docs/",
        "/docs/index.html",
        "/docs/guides/configure.html",
        "/docs/adr/",
    ] {
        let page = get(path, &[]).await;
        assert_eq!(
            (page.status, page.header("content-type")),
            (200, Some("text/html; charset=utf-8")),
            "{path}"
        );
        assert!(
            page.body.starts_with("<!doctype html>"),
            "{path}: {}",
            page.body
        );
    }
    let markdown = get("/docs/guides/configure.md", &[]).await;
    assert_eq!(
        (markdown.status, markdown.header("content-type")),
        (200, Some("text/plain; charset=utf-8"))
    );
    assert_eq!(
        markdown.body,
        include_str!("../../../../docs/guides/configure.md")
    );
    assert_eq!(get("/docs/llms.txt", &[]).await.status, 200);
}

#[actix_web::test]
async fn csp_forbids_foreign_and_inline_code() {
    for (path, status) in [("/docs/", 200), ("/docs/absent", 404)] {
        let page = get(path, &[]).await;
        let policy = page.header("content-security-policy").unwrap();
        assert_eq!(page.status, status, "{path}");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';")
                && !policy.contains("unsafe"),
            "{policy}"
        );
        assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    }
}

/// Returns the status, a header and the length of the body of a response that may be no text.
async fn bytes(
    path: &str,
    headers: &[(&'static str, &str)],
    name: &str,
) -> (u16, Option<String>, usize) {
    let app = App::new().await;
    let service = actix_web::test::init_service(voight_http::create_app(app.state.clone())).await;
    let request = TestRequest::get().uri(path);
    let request = headers
        .iter()
        .fold(request, |request, header| request.insert_header(*header));
    let answer = actix_web::test::call_service(&service, request.to_request()).await;
    let header = answer
        .headers()
        .get(name)
        .map(|value| value.to_str().unwrap().to_owned());
    (
        answer.status().as_u16(),
        header,
        actix_web::test::read_body(answer).await.len(),
    )
}

#[actix_web::test]
async fn page_is_compressed_and_is_not_sent_again() {
    let path = "/docs/guides/configure.html";
    let plain = get(path, &[("accept-encoding", "identity")]).await;
    assert_eq!(
        (
            plain.header("content-encoding"),
            plain.header("cache-control")
        ),
        (None, Some("public, max-age=300"))
    );
    let (status, encoding, length) =
        bytes(path, &[("accept-encoding", "gzip")], "content-encoding").await;
    assert_eq!((status, encoding.as_deref()), (200, Some("gzip")));
    assert!(length < plain.body.len() / 2, "{length} bytes");
    for encoding in ["identity", "gzip"] {
        let (_, tag, _) = bytes(path, &[("accept-encoding", encoding)], "etag").await;
        let request_headers = [
            ("accept-encoding", encoding),
            ("if-none-match", tag.as_deref().unwrap()),
        ];
        let (status, again, length) = bytes(path, &request_headers, "etag").await;
        assert_eq!((status, again, length), (304, tag, 0), "{encoding}");
    }
}

#[actix_web::test]
async fn picture_is_sent_unchanged() {
    let path = "/docs/images/demo.png";
    let (status, kind, length) = bytes(path, &[("accept-encoding", "gzip")], "content-type").await;
    assert_eq!((status, kind.as_deref()), (200, Some("image/png")));
    assert_eq!(
        length,
        include_bytes!("../../../../docs/images/demo.png").len()
    );
}

#[actix_web::test]
async fn address_without_slash_leads_to_the_first_page() {
    let answer = get("/docs", &[]).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (308, Some("docs/"))
    );
}

#[actix_web::test]
async fn missing_page_has_links_that_work_in_every_directory() {
    for path in [
        "/docs/absent",
        "/docs/guides/absent.html",
        "/docs/%2e%2e/openapi.json",
        "/docs/guides",
    ] {
        let answer = get(path, &[]).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (404, Some("text/html; charset=utf-8")),
            "{path}"
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert!(
            answer.body.contains("href=\"/docs/assets/site.css\""),
            "{path}"
        );
    }
}

#[actix_web::test]
async fn head_has_no_body_and_other_methods_are_rejected() {
    let app = App::new().await;
    for (path, status) in [("/docs/", 200), ("/docs", 308), ("/docs/absent", 404)] {
        let answer = app
            .send(TestRequest::default().method(Method::HEAD).uri(path))
            .await;
        assert_eq!(
            (answer.status, answer.header("allow")),
            (status, None),
            "{path}"
        );
    }
    for path in ["/docs", "/docs/", "/docs/guides/configure.html"] {
        let answer = app
            .send(TestRequest::default().method(Method::POST).uri(path))
            .await;
        assert_eq!(answer.header("allow"), Some("GET, HEAD"), "{path}");
        answer.is_error(405, "m_g_m_1");
    }
}

#[actix_web::test]
async fn page_without_its_extension_is_redirected() {
    for (path, target) in [
        ("/docs", "docs/"),
        ("/docs/guides/configure", "configure.html"),
        ("/docs/adr", "adr/"),
        ("/docs/reference/cli", "cli.html"),
    ] {
        let answer = get(path, &[]).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (308, Some(target)),
            "{path}"
        );
    }
    for path in ["/docs/guides/absent", "/docs/guides/", "/docs//"] {
        assert_eq!(get(path, &[]).await.status, 404, "{path}");
    }
}
