//! How every endpoint is mounted.

use crate::error::ApiError;
use crate::middleware::{Whose, admit};
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, Resource, Route, web};

/// Mounts `routes` at `path`. `allow` names their methods; every other method is a 405 that says so. What is more than the
/// service answers at the same time is shed.
pub fn endpoint(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    mounted(path, allow, routes, Some(|state| &state.platforms))
}

/// The same for what anybody may ask without a key, which is counted apart.
pub(crate) fn open_endpoint(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    mounted(path, allow, routes, Some(|state| &state.visitors))
}

/// The same for operators, who are never shed.
pub(crate) fn operator_endpoint(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>) -> Resource {
    mounted(path, allow, routes, None)
}

/// The route macros of actix guard the resource instead of the route, which turns a wrong method into 404; hence resources.
fn mounted(path: &str, allow: &'static str, routes: impl IntoIterator<Item = Route>, whose: Option<Whose>) -> Resource {
    let guarded = |route: Route| route.wrap(from_fn(move |request, next| admit(request, next, whose)));
    routes
        .into_iter()
        .map(guarded)
        .fold(web::resource(path), Resource::route)
        .default_service(web::to(move || async move { Err::<HttpResponse, _>(ApiError::method_not_allowed(allow)) }))
}
