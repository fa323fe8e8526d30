//! Mounts endpoints with their middleware.

use crate::error::ApiError;
use crate::middleware::{Admission, shed_load};
use actix_web::middleware::from_fn;
use actix_web::{FromRequest, Handler, HttpResponse, Resource, Responder, Route, web};
use voight_api::public::routes::PublicRoute;
use voight_api::route::Method;

/// Mounts a row of the public API.
pub(crate) fn public_route<F, Args>(route: &PublicRoute, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    endpoint(
        route.path,
        route.method.as_str(),
        [method(route.method).to(handler)],
    )
}

/// Returns an empty route of the method.
pub(crate) fn method(method: Method) -> Route {
    match method {
        Method::Get => web::get(),
        Method::Post => web::post(),
        Method::Patch => web::patch(),
        Method::Put => web::put(),
        Method::Delete => web::delete(),
    }
}

/// Mounts `routes` at `path`. `allow` lists their methods; every other method fails with 405 and that list. Requests above the
/// concurrency limit are shed.
pub fn endpoint(
    path: &str,
    allow: &'static str,
    routes: impl IntoIterator<Item = Route>,
) -> Resource {
    mount(path, allow, routes, Admission::Platforms)
}

/// Mounts an endpoint for visitors, who have no key. It has its own permits, and a limit for each network.
pub(crate) fn public_endpoint(
    path: &str,
    allow: &'static str,
    routes: impl IntoIterator<Item = Route>,
) -> Resource {
    mount(path, allow, routes, Admission::Visitors)
}

/// Mounts an endpoint that is served from memory without a key. It takes no permit, so overload does not affect it.
pub(crate) fn file_endpoint(
    path: &str,
    allow: &'static str,
    routes: impl IntoIterator<Item = Route>,
) -> Resource {
    mount(path, allow, routes, Admission::Files)
}

/// Mounts an endpoint for operators, whose requests are never shed.
pub(crate) fn operator_endpoint(
    path: &str,
    allow: &'static str,
    routes: impl IntoIterator<Item = Route>,
) -> Resource {
    mount(path, allow, routes, Admission::Operators)
}

/// Mounts resources instead of routes. The route macros of actix guard the resource instead of the route, which turns a wrong
/// method into 404.
fn mount(
    path: &str,
    allow: &'static str,
    routes: impl IntoIterator<Item = Route>,
    admission: Admission,
) -> Resource {
    let with_load_shedding = |route: Route| {
        route.wrap(from_fn(move |request, next| {
            shed_load(request, next, admission)
        }))
    };
    routes
        .into_iter()
        .map(with_load_shedding)
        .fold(web::resource(path), Resource::route)
        .default_service(web::to(move || not_allowed(allow)))
}

/// Answers a method that a path does not allow.
pub(crate) async fn not_allowed(allow: &'static str) -> Result<HttpResponse, ApiError> {
    Err(ApiError::method_not_allowed(allow))
}
