//! `GET /livez`: the process answers. It says nothing of the store, so that a full disk restarts nothing.

use actix_web::HttpResponse;

pub(super) async fn show() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").body("ok\n")
}
