//! `GET /livez` on both listeners: liveness of the process. Independent of the store, so that a full disk causes no restart.

use crate::error::ApiError;
use crate::middleware::catch_panics;
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, Resource, Route, web};

/// Responds with `ok`.
pub(crate) async fn show() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body("ok\n")
}

/// Mounts a probe that also responds while the service drains or sheds load.
pub(crate) fn probe(path: &str, route: Route) -> Resource {
    let other_method = || async { Err::<HttpResponse, _>(ApiError::method_not_allowed("GET")) };
    web::resource(path)
        .route(route.wrap(from_fn(catch_panics)))
        .default_service(web::to(other_method))
}
