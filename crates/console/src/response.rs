//! Responses: pages and redirects.

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use askama::Template;

/// Returns the response with a rendered page.
pub(crate) fn render(status: StatusCode, template: &impl Template) -> HttpResponse {
    match template.render() {
        Ok(html) => HttpResponse::build(status)
            .insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"))
            .body(html),
        Err(error) => {
            tracing::error!(event = "console_page_not_rendered", %error, "a page of the console cannot be rendered");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// Returns the response with a page of status 200.
pub(crate) fn show(template: &impl Template) -> HttpResponse {
    render(StatusCode::OK, template)
}

/// Returns the response with the form of a wrong input.
pub(crate) fn show_again(template: &impl Template) -> HttpResponse {
    render(StatusCode::UNPROCESSABLE_ENTITY, template)
}

/// Returns the redirect after a form, to a page with a notice.
pub(crate) fn redirect_done(path: &str, done: &str) -> HttpResponse {
    redirect(&format!("{path}?done={done}"))
}

/// Returns the redirect to a page.
pub(crate) fn redirect(path: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, path))
        .finish()
}
