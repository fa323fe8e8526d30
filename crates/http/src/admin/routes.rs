//! Router of the routes that require the admin token.

use super::caller::Caller;
use crate::endpoint::{method, operator_endpoint};
use crate::error::ApiError;
use crate::middleware::{MiddlewareResult, reject};
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::middleware::{Next, from_fn};
use actix_web::{FromRequest, Handler, HttpMessage, Responder, Route, Scope, web};
use voight_api::ErrorId;
use voight_api::route::{self, ADMIN_PREFIX, Method};
use voight_domain::registry::Permission;

/// Collector of the rows of the table with their handlers, by path.
#[derive(Default)]
pub(super) struct Routes(Vec<(&'static str, Vec<(Method, Route)>)>);

impl Routes {
    /// Adds a row with its handler, which is called if the caller's role has the permission of the row.
    pub(super) fn add<B, R, F, Args>(&mut self, route: &route::Route<B, R>, handler: F) -> &mut Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let row = route.row();
        let permission = row.permission;
        let permission_check =
            from_fn(move |request, next| require_permission(request, next, permission));
        let route = (
            row.method,
            method(row.method).to(handler).wrap(permission_check),
        );
        match self.0.iter_mut().find(|(path, _)| *path == row.path) {
            Some((_, routes)) => routes.push(route),
            None => self.0.push((row.path, vec![route])),
        }
        self
    }

    /// Mounts the routes.
    pub(super) fn into_scope(self) -> Scope {
        let resources = self.0.into_iter().map(|(path, routes)| {
            let (methods, routes): (Vec<_>, Vec<_>) = routes.into_iter().unzip();
            operator_endpoint(path, allow(&methods), routes)
        });
        resources.fold(web::scope(ADMIN_PREFIX), Scope::service)
    }

    /// Returns method and path of every row that was added.
    #[cfg(test)]
    pub(super) fn mounted(&self) -> impl Iterator<Item = (Method, &'static str)> {
        self.0
            .iter()
            .flat_map(|(path, routes)| routes.iter().map(|(method, _)| (*method, *path)))
    }
}

/// Returns the `Allow` header of a path with these methods, in the order of the table.
fn allow(methods: &[Method]) -> &'static str {
    match methods {
        [Method::Get, Method::Post] => "GET, POST",
        [Method::Get, Method::Patch] => "GET, PATCH",
        [method] => method.as_str(),
        _ => unreachable!("no path of the table has other methods"),
    }
}

async fn require_permission(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    permission: Permission,
) -> MiddlewareResult {
    let caller = request.extensions().get::<Caller>().cloned();
    let permission_result = caller
        .ok_or_else(|| ApiError::from(ErrorId::BadAdminToken))
        .and_then(|caller| caller.require(permission));
    match permission_result {
        Ok(()) => Ok(next.call(request).await?.map_into_boxed_body()),
        Err(error) => Ok(reject(request, &error)),
    }
}
