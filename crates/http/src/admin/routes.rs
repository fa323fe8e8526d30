//! Router of the routes that require the admin token.

use crate::endpoint::{Endpoints, method, with_arguments};
use crate::pipeline::{Guards, OperatorAccess};
use actix_web::{FromRequest, Handler, Responder};
use voight_api::route::Route;

/// Collector of the rows of the table with their handlers, by path.
#[derive(Default)]
pub(super) struct Routes(Vec<Endpoints>);

impl Routes {
    /// Adds a row with its handler, which is called if the caller's role has the permission of the row.
    pub(super) fn add<B, R, F, Args>(&mut self, route: &Route<B, R>, handler: F) -> &mut Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let row = route.row();
        let path = row.full_path();
        let index = self.0.iter().position(|endpoints| endpoints.path() == path);
        let index = index.unwrap_or_else(|| {
            let guards = Guards::for_operators(OperatorAccess::Token);
            self.0.push(Endpoints::new(path, guards));
            self.0.len() - 1
        });
        let guards = Guards::for_operators(OperatorAccess::Permission(row.permission));
        self.0[index].push(method(row.method), guards, with_arguments(handler));
        self
    }

    /// Returns the endpoints of the rows.
    pub(super) fn into_endpoints(self) -> Vec<Endpoints> {
        self.0
    }
}
