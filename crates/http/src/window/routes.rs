//! Routes of the window: one row for each path, from which the router is built.

use super::call::{RawBatch, WindowCall};
use super::{complete, disclosure_page, document, evidence, files, open, ownership};
use crate::endpoint::{file_endpoint, public_endpoint};
use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{Resource, Route, web};
use serde::Serialize;
use std::future::Future;
use voight_api::route::EmptyBody;

/// Path of the npm package: `npm install` of its URL needs no registry.
pub(crate) const NPM_PACKAGE: &str =
    concat!("/sdk/voight-check-", env!("CARGO_PKG_VERSION"), ".tgz");

/// Row of the table of the window.
pub(super) struct WindowRoute {
    /// Methods, as in the header `Allow`.
    methods: &'static str,
    /// Path with the names of its parameters.
    path: &'static str,
    /// Handler for each method.
    routes: Vec<Route>,
    /// Mounts the handlers with their middleware.
    mount: fn(&str, &'static str, Vec<Route>) -> Resource,
}

impl WindowRoute {
    /// Mounts the handlers.
    pub(super) fn into_resource(self) -> Resource {
        (self.mount)(self.path, self.methods, self.routes)
    }
}

/// Returns all rows. A call names the types of its request and response.
pub(super) fn window_routes() -> [WindowRoute; 10] {
    [
        call::<RawBatch, evidence::EvidenceResponse, _>(
            "/window/v1/checks/{check}/evidence",
            evidence::submit,
        ),
        call::<open::NewCheck, open::OpenedCheckBody, _>("/window/v1/checks", open::open),
        call::<ownership::ProofBody, ownership::OwnedResponse, _>(
            "/window/v1/checks/{check}/ownership",
            ownership::prove_ownership,
        ),
        call::<EmptyBody, complete::Completed, _>(
            "/window/v1/checks/{check}/complete",
            complete::complete,
        ),
        page("/window/v1", web::get().to(document::show)),
        page(
            "/window/v1/what-is-checked",
            web::get().to(disclosure_page::show),
        ),
        file(
            "GET",
            "/window/v1/what-is-checked.css",
            vec![web::get().to(disclosure_page::style)],
        ),
        file(
            "GET, HEAD",
            "/window/v1/{file:.+}",
            vec![web::get().to(files::window), web::head().to(files::window)],
        ),
        file(
            "GET, HEAD",
            "/sdk/v1/{file:.+}",
            vec![
                web::get().to(files::component),
                web::head().to(files::component),
            ],
        ),
        file(
            "GET, HEAD",
            NPM_PACKAGE,
            vec![
                web::get().to(files::package),
                web::head().to(files::package),
            ],
        ),
    ]
}

/// Returns the row of a page for visitors.
fn page(path: &'static str, route: Route) -> WindowRoute {
    WindowRoute {
        methods: "GET",
        path,
        routes: vec![route],
        mount: public_endpoint,
    }
}

/// Returns the row of files that are served from memory.
fn file(methods: &'static str, path: &'static str, routes: Vec<Route>) -> WindowRoute {
    WindowRoute {
        methods,
        path,
        routes,
        mount: file_endpoint,
    }
}

/// Returns the row of a call with a body of type `B`, which is answered by an `R` in the success envelope.
fn call<B: 'static, R: Serialize, F: Future<Output = Result<R, ApiError>> + 'static>(
    path: &'static str,
    handler: impl Fn(WindowCall<B>, web::Data<AppState>) -> F + Clone + 'static,
) -> WindowRoute {
    let respond = move |call: WindowCall<B>, state: web::Data<AppState>| {
        let answer = handler(call, state);
        async move { answer.await.map(|body| success(&body)) }
    };
    WindowRoute {
        methods: "POST",
        path,
        routes: vec![web::post().to(respond)],
        mount: public_endpoint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn protocol_describes_every_page_and_call() {
        let protocol = include_str!("../../../../docs/reference/window-protocol.md");
        let documented_routes = protocol
            .lines()
            .filter_map(|line| line.strip_prefix('`')?.split(['`', '?']).next());
        let documented_calls: BTreeSet<_> = documented_routes
            .filter(|name| name.contains(" /window/v1"))
            .map(str::to_owned)
            .collect();
        let routes = window_routes();
        // The path of a file contains a dot.
        let api_routes = routes.iter().filter(|route| !route.path.contains('.'));
        let served_calls: BTreeSet<_> = api_routes
            .map(|route| format!("{} {}", route.methods, route.path))
            .collect();
        assert_eq!(documented_calls, served_calls);
    }
}
