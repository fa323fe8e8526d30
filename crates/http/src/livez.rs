//! `GET /livez` on both listeners: liveness of the process. Independent of the store, so that a full disk causes no restart.

use actix_web::HttpResponse;

/// Responds with `ok`.
pub(crate) async fn show() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body("ok\n")
}
