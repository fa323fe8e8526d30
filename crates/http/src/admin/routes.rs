//! Routes that require the admin token, each with its permission.

use super::caller::Caller;
use crate::endpoint::operator_endpoint;
use crate::error::ApiError;
use crate::middleware::{MiddlewareResult, refuse};
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::middleware::{Next, from_fn};
use actix_web::{FromRequest, Handler, HttpMessage, Resource, Responder, Route, Scope, web};
use voight_api::ErrorId;
use voight_domain::registry::Permission;

/// Route of the admin API in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminRoute {
    /// HTTP method.
    pub method: &'static str,
    /// Path below `/admin/v1`, with the names of its parameters.
    pub path: String,
    /// Permission that the caller's role needs.
    pub permission: Permission,
}

/// Route with its permission. Routes can only be added as this type, so every route has a permission.
pub(super) struct Permitted {
    method: &'static str,
    permission: Permission,
    route: Route,
}

/// Collector of routes.
#[derive(Default)]
pub(super) struct Routes {
    resources: Vec<Resource>,
    listed: Vec<AdminRoute>,
}

/// Creates a `GET` route for roles with `permission`.
pub(super) fn get<F, Args>(permission: Permission, handler: F) -> Permitted
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    permitted("GET", permission, web::get().to(handler))
}

/// Creates a `POST` route for roles with `permission`.
pub(super) fn post<F, Args>(permission: Permission, handler: F) -> Permitted
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    permitted("POST", permission, web::post().to(handler))
}

/// Creates a `PATCH` route for roles with `permission`.
pub(super) fn patch<F, Args>(permission: Permission, handler: F) -> Permitted
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    permitted("PATCH", permission, web::patch().to(handler))
}

fn permitted(method: &'static str, permission: Permission, route: Route) -> Permitted {
    let route = route.wrap(from_fn(move |request, next| demand(request, next, permission)));
    Permitted { method, permission, route }
}

async fn demand(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    permission: Permission,
) -> MiddlewareResult {
    let caller = request.extensions().get::<Caller>().cloned();
    let passed =
        caller.ok_or_else(|| ApiError::from(ErrorId::BadAdminToken)).and_then(|caller| caller.demand(permission));
    match passed {
        Ok(()) => Ok(next.call(request).await?.map_into_boxed_body()),
        Err(error) => Ok(refuse(request, &error)),
    }
}

impl Routes {
    /// Adds the routes of one path. `allow` lists their methods.
    pub(super) fn add(
        &mut self,
        path: &str,
        allow: &'static str,
        routes: impl IntoIterator<Item = Permitted>,
    ) -> &mut Self {
        let mut mounted = Vec::new();
        for Permitted { method, permission, route } in routes {
            self.listed.push(AdminRoute { method, path: path.to_owned(), permission });
            mounted.push(route);
        }
        self.resources.push(operator_endpoint(path, allow, mounted));
        self
    }

    /// Mounts the routes below `path`.
    pub(super) fn into_scope(self, path: &str) -> Scope {
        self.resources.into_iter().fold(web::scope(path), Scope::service)
    }

    /// Returns all routes that were added.
    pub(super) fn into_list(self) -> Vec<AdminRoute> {
        self.listed
    }
}
