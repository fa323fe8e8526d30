//! Files of component and window.

use crate::common::{Answer, App};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use voight_browser::asset;

async fn get(path: &str, headers: &[(&'static str, &str)]) -> Answer {
    let request = TestRequest::get().uri(path);
    let request = headers
        .iter()
        .fold(request, |request, header| request.insert_header(*header));
    App::new().await.send(request).await
}

#[actix_web::test]
async fn file_is_sent_with_content_type_and_etag() {
    for (path, kind) in [
        ("/sdk/v1/voight.js", "text/javascript; charset=utf-8"),
        ("/window/v1/window.js", "text/javascript; charset=utf-8"),
        ("/window/v1/window.css", "text/css; charset=utf-8"),
        (
            "/window/v1/locales/pt-BR.js",
            "text/javascript; charset=utf-8",
        ),
    ] {
        let answer = get(path, &[]).await;
        let file = asset(&path[1..]).unwrap();
        assert_eq!(
            (answer.status, answer.body.as_bytes()),
            (200, file.bytes),
            "{path}"
        );
        assert_eq!(answer.header("content-type"), Some(kind));
        assert_eq!(answer.header("etag"), Some(file.etag));
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[actix_web::test]
async fn npm_package_is_sent_as_it_is_packed() {
    let app = App::new().await;
    let package = voight_browser::npm_package();
    let service = actix_web::test::init_service(voight_http::create_app(app.state.clone())).await;
    let request = || {
        TestRequest::get()
            .uri(&format!("/{}", package.path))
            .insert_header(("accept-encoding", "gzip"))
    };
    let answer = actix_web::test::call_service(&service, request().to_request()).await;
    let header = |name: &str| {
        answer
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned())
    };
    assert_eq!(
        (answer.status().as_u16(), header("content-type").as_deref()),
        (200, Some("application/gzip"))
    );
    assert_eq!(
        (header("etag").as_deref(), header("content-encoding")),
        (Some(package.etag), None)
    );
    assert_eq!(
        header("cache-control").as_deref(),
        Some("public, max-age=300")
    );
    assert_eq!(actix_web::test::read_body(answer).await, package.bytes);
    let conditional_request = request()
        .insert_header(("if-none-match", package.etag))
        .to_request();
    assert_eq!(
        actix_web::test::call_service(&service, conditional_request)
            .await
            .status(),
        304
    );
    get("/sdk/voight-check-0.0.0.tgz", &[])
        .await
        .is_error(404, "m_g_n_1");
}

#[actix_web::test]
async fn component_has_cors_and_the_window_does_not() {
    let component = get("/sdk/v1/voight.js", &[]).await;
    assert_eq!(component.header("access-control-allow-origin"), Some("*"));
    assert_eq!(
        component.header("cross-origin-resource-policy"),
        Some("cross-origin")
    );
    let window = get("/window/v1/window.js", &[]).await;
    assert_eq!(window.header("access-control-allow-origin"), None);
    assert_eq!(
        window.header("cross-origin-resource-policy"),
        Some("same-origin")
    );
    assert_eq!(
        window.header("cross-origin-embedder-policy"),
        Some("require-corp"),
        "as its document, or the worker is blocked"
    );
}

#[actix_web::test]
async fn known_file_is_not_sent_again() {
    let plain = asset("sdk/v1/voight.js").unwrap().etag;
    let gzip_tag = format!("{}-gzip\"", plain.strip_suffix('"').unwrap());
    for (encoding, tag, status) in [
        ("identity", plain, 304),
        ("gzip", gzip_tag.as_str(), 304),
        ("gzip", plain, 200),
        ("identity", "\"other\"", 200),
        ("identity", "*", 304),
    ] {
        let request = TestRequest::get().uri("/sdk/v1/voight.js");
        let request = request
            .insert_header(("accept-encoding", encoding))
            .insert_header(("if-none-match", tag));
        let app = App::new().await;
        let service =
            actix_web::test::init_service(voight_http::create_app(app.state.clone())).await;
        let answer = actix_web::test::call_service(&service, request.to_request()).await;
        assert_eq!(answer.status().as_u16(), status, "{encoding} {tag}");
        assert!(answer.headers().contains_key("etag"));
    }
}

#[actix_web::test]
async fn browser_that_unpacks_gets_the_packed_file() {
    let app = App::new().await;
    let service = actix_web::test::init_service(voight_http::create_app(app.state.clone())).await;
    let request = TestRequest::get()
        .uri("/sdk/v1/voight.js")
        .insert_header(("accept-encoding", "gzip, deflate, br, zstd"));
    let answer = actix_web::test::call_service(&service, request.to_request()).await;
    assert_eq!(answer.headers().get("content-encoding").unwrap(), "gzip");
    let body = actix_web::test::read_body(answer).await;
    assert_eq!(body, asset("sdk/v1/voight.js").unwrap().gzip);
}

#[actix_web::test]
async fn unknown_files_are_not_found() {
    for path in [
        "/sdk/v1/other.js",
        "/sdk/v1/../../window/v1/window.js",
        "/window/v1/window.html",
        "/window/v1/view.js",
        "/sdk/v1/",
    ] {
        get(path, &[]).await.is_error(404, "m_g_n_1");
    }
    let answer = App::new()
        .await
        .send(
            TestRequest::default()
                .method(Method::POST)
                .uri("/sdk/v1/voight.js"),
        )
        .await;
    answer.is_error(405, "m_g_m_1");
}

#[actix_web::test]
async fn head_has_the_headers_of_get() {
    let head = App::new()
        .await
        .send(
            TestRequest::default()
                .method(Method::HEAD)
                .uri("/sdk/v1/voight.js"),
        )
        .await;
    assert_eq!(
        (head.status, head.header("etag")),
        (200, Some(asset("sdk/v1/voight.js").unwrap().etag))
    );
}
