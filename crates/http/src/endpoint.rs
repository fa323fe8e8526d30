//! How every endpoint is mounted.

use crate::error::ApiError;
use crate::middleware::{Admission, shed_load};
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, Resource, Route, web};

/// Mounts `routes` at `path`. `allow` names their methods; every other method is a 405 that says so. What is more than the
/// service answers at the same time is shed.
pub fn endpoint(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    mount(path, allow, routes, Admission::Platforms)
}

/// Mounts an endpoint of visitors, who have no key. It has permits of its own, and a limit for each network.
pub(crate) fn public_endpoint(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    mount(path, allow, routes, Admission::Visitors)
}

/// Mounts an endpoint that answers without a key from memory. It takes no permit, so no overload makes it fail.
pub(crate) fn file_endpoint(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    mount(path, allow, routes, Admission::Files)
}

/// Mounts an endpoint of operators, whose requests are never shed.
pub(crate) fn operator_endpoint(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    mount(path, allow, routes, Admission::Operators)
}

/// The route macros of actix guard the resource instead of the route, which turns a wrong method into 404; hence resources.
fn mount(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>, admission: Admission) -> Resource {
    let guarded = |route: Route| route.wrap(from_fn(move |request, next| shed_load(request, next, admission)));
    routes
        .into_iter()
        .map(guarded)
        .fold(web::resource(path), Resource::route)
        .default_service(web::to(move || async move { Err::<HttpResponse, _>(ApiError::method_not_allowed(allow)) }))
}
