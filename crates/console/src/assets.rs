//! Style sheet and pictures of the pages.

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Path;

const CACHE: &str = "public, max-age=300";

/// `GET /console/assets/{name}`: a file of the pages.
pub(crate) async fn show(name: Path<String>) -> HttpResponse {
    let (content_type, body) = match name.as_str() {
        "console.css" => (
            "text/css; charset=utf-8",
            include_str!("../assets/console.css"),
        ),
        "sprite.svg" => ("image/svg+xml", include_str!("../assets/sprite.svg")),
        "icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg")),
        _ => return HttpResponse::NotFound().finish(),
    };
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, content_type))
        .insert_header((header::CACHE_CONTROL, CACHE))
        .body(body)
}
