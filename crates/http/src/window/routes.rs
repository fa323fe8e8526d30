//! Routes of the window: one row for each path, from which the router is built.

use super::call::{RawBatch, WindowCall};
use super::{complete, disclosure_page, document, evidence, files, open, ownership};
use crate::endpoint::{Endpoints, with_arguments};
use crate::envelope::success;
use crate::error::ApiError;
use crate::pipeline::Guards;
use crate::state::AppState;
use actix_web::http::Method;
use actix_web::{FromRequest, Handler, HttpResponse, web};
use serde::Serialize;
use std::future::Future;
use voight_api::route::EmptyBody;

/// Path of the npm package: `npm install` of its URL needs no registry.
pub(crate) const NPM_PACKAGE: &str =
    concat!("/sdk/voight-check-", env!("CARGO_PKG_VERSION"), ".tgz");

/// Returns all rows. A call names the types of its request and response.
pub(crate) fn endpoints() -> [Endpoints; 10] {
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
        Endpoints::new("/window/v1", Guards::VISITORS)
            .add(Method::GET, with_arguments(document::show)),
        Endpoints::new("/window/v1/what-is-checked", Guards::VISITORS)
            .add(Method::GET, with_arguments(disclosure_page::show)),
        Endpoints::new("/window/v1/what-is-checked.css", Guards::FILES)
            .add(Method::GET, with_arguments(disclosure_page::style)),
        file("/window/v1/{file:.+}", files::window),
        file("/sdk/v1/{file:.+}", files::component),
        file(NPM_PACKAGE, files::package),
    ]
}

/// Returns the row of files that are served from memory.
fn file<F, Args>(path: &str, handler: F) -> Endpoints
where
    F: Handler<Args, Output = Result<HttpResponse, ApiError>>,
    Args: FromRequest + 'static,
{
    Endpoints::new(path, Guards::FILES)
        .add(Method::GET, with_arguments(handler.clone()))
        .add(Method::HEAD, with_arguments(handler))
}

/// Returns the row of a call with a body of type `B`, which is answered by an `R` in the success envelope.
fn call<B: 'static, R: Serialize, F: Future<Output = Result<R, ApiError>> + 'static>(
    path: &str,
    handler: impl Fn(WindowCall<B>, web::Data<AppState>) -> F + Clone + 'static,
) -> Endpoints {
    let respond = move |call: WindowCall<B>, state: web::Data<AppState>| {
        let answer = handler(call, state);
        async move { answer.await.map(|body| success(&body)) }
    };
    Endpoints::new(path, Guards::VISITORS).add(Method::POST, with_arguments(respond))
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
        let endpoints = endpoints();
        // The path of a file contains a dot.
        let api_endpoints = endpoints
            .iter()
            .filter(|endpoints| !endpoints.path().contains('.'));
        let served_calls: BTreeSet<_> = api_endpoints
            .map(|endpoints| format!("{} {}", endpoints.allow(), endpoints.path()))
            .collect();
        assert_eq!(documented_calls, served_calls);
    }
}
