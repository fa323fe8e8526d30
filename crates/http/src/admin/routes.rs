//! The routes behind the admin token, each with the permission that it asks for.

use super::caller::Caller;
use crate::endpoint::operator_endpoint;
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::middleware::{MiddlewareResult, refuse};
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::middleware::{Next, from_fn};
use actix_web::{FromRequest, Handler, HttpMessage, Resource, Responder, Route, Scope, web};
use voight_domain::registry::Permission;

/// A route of the admin API, as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminRoute {
    /// The method.
    pub method: &'static str,
    /// The path with the names of its parameters, below `/admin/v1`.
    pub path: String,
    /// Permission that a role needs for it.
    pub permission: Permission,
}

/// A route with its permission. There is no other way to make one, so no route is without.
pub(super) struct Permitted {
    method: &'static str,
    permission: Permission,
    route: Route,
}

/// Routes that are being collected.
#[derive(Default)]
pub(super) struct Routes {
    resources: Vec<Resource>,
    listed: Vec<AdminRoute>,
}

/// A `GET` for roles with `permission`.
pub(super) fn get<F, Args>(permission: Permission, handler: F) -> Permitted
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    permitted("GET", permission, web::get().to(handler))
}

/// A `POST` for roles with `permission`.
pub(super) fn post<F, Args>(permission: Permission, handler: F) -> Permitted
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    permitted("POST", permission, web::post().to(handler))
}

/// A `PATCH` for roles with `permission`.
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
    /// Adds the routes of one path. `allow` names their methods.
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

    /// The routes below `path`.
    pub(super) fn into_scope(self, path: &str) -> Scope {
        self.resources.into_iter().fold(web::scope(path), Scope::service)
    }

    /// Every route that was added.
    pub(super) fn into_list(self) -> Vec<AdminRoute> {
        self.listed
    }
}
