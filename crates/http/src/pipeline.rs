//! Request pipeline. [`serve`] answers every request to either listener, in six steps.
//!
//! Step 2 runs these guards in this order. [`Guards`] lists those of an endpoint; probes have none.
//!
//! | guard | endpoints | reason for its place |
//! |---|---|---|
//! | `Host` of the listener | admin listener | A page that reaches the listener by DNS rebinding learns nothing, and makes no failed attempt. |
//! | admin token | admin API, also its unknown paths | Without the token, a caller learns nothing about the API. |
//! | size of target and headers | all others | It needs the head only, and bounds the work of all later steps. |
//! | draining | all others | A service that stops accepts no work, and counts it for no caller. |
//! | requests in flight of the network | visitors | A network above its share takes no permit from other visitors. |
//! | accepted clock | platforms, visitors, files | Rows, checks and expiries would get a rejected time. |
//! | permit | platforms, visitors | Authentication reads the store, so overload ends before it. |
//! | permission of the role | admin API | Its error names the role of the token. |
//!
//! Step 3 authenticates the key and authorises its client, before step 4 reads the input: a caller without a key learns nothing, not
//! even the format of a valid request.

mod admission;
mod admit;
mod announced_body;
mod body_drain;
mod observe;
mod permit;
mod response_body;

pub(crate) use admit::{Guards, OperatorAccess};
pub(crate) use permit::RequestPermit;

use crate::error::ApiError;
use crate::guarded_clock::ClockReading;
use crate::limits::{RateLimitHeaders, RateLimitState};
use crate::log_span::LogSpan;
use crate::metrics::RouteMetrics;
use crate::request_id::RequestId;
use crate::state::AppState;
use actix_service::fn_service;
use actix_web::dev::{Payload, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use admit::{Permits, admit};
use announced_body::mark_connection_busy;
use body_drain::{hold_body_until_response, share_chunked_body};
use futures_util::FutureExt;
use observe::{method_word, panicked};
use response_body::bound_response_body;
use std::cell::OnceCell;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use tracing::Instrument;

/// Endpoint of one worker: a path and a method, with guards and a handler.
pub(crate) struct Endpoint<H> {
    state: web::Data<AppState>,
    /// Path with the names of its parameters; `None` for the paths that do not exist.
    route: Option<String>,
    guards: Guards,
    handler: H,
    /// Metrics of responses with status 200, from the first one on. All of them have the method of the endpoint.
    metrics: OnceCell<RouteMetrics>,
}

/// Handler of an endpoint.
pub(crate) trait Handle: 'static {
    /// Authorisation that the handler requires; `()` if it requires no key.
    type Authority: Authority;

    /// `true` if the handler enters the span of the request itself, for the lines that it logs.
    const HAS_LAZY_SPAN: bool = false;

    /// `true` for a lookup: its rejection is logged with the context.
    const IS_LOOKUP: bool = false;

    /// Answers an authorised request.
    async fn handle(
        &self,
        exchange: &mut Exchange<'_>,
        authority: &Self::Authority,
    ) -> Result<HttpResponse, ApiError>;
}

/// Result of the authorisation of a request.
pub(crate) trait Authority: Sized {
    /// Authorises the caller of a request.
    async fn authorise(exchange: &mut Exchange<'_>) -> Result<Self, ApiError>;
}

impl Authority for () {
    async fn authorise(_: &mut Exchange<'_>) -> Result<Self, ApiError> {
        Ok(())
    }
}

/// Request that is being answered.
pub(crate) struct Exchange<'a> {
    /// Request without its body.
    pub(crate) request: &'a HttpRequest,
    /// Body of the request, until the handler takes it.
    pub(crate) payload: Payload,
    /// State of the app.
    pub(crate) state: &'a web::Data<AppState>,
    /// Id of the request.
    pub(crate) id: &'a RequestId,
    /// Time at which the request arrived.
    pub(crate) start: ClockReading,
    /// Span of the lines that are logged before the response.
    pub(crate) span: LogSpan<'a>,
    /// State of the caller's rate limit that the response still lacks.
    pub(crate) rate_limit: Option<RateLimitState>,
    /// Permits of the request.
    permits: Permits<'a>,
}

impl Exchange<'_> {
    /// Releases the permit of a request that only waits from now on. A rest of its body is not read.
    pub(crate) fn release_permit(&mut self) {
        self.permits.request = None;
        if let Some(body_permit) = self.body_permit() {
            body_permit.suspend();
        }
    }

    /// Returns the permit of a request with a body; `None` on an endpoint without permits.
    pub(crate) fn body_permit(&self) -> Option<&RequestPermit> {
        self.permits.body.as_deref()
    }
}

/// Answers a request.
pub(crate) async fn serve<H: Handle>(
    endpoint: &Endpoint<H>,
    mut request: ServiceRequest,
) -> ServiceResponse {
    // 1. Begin.
    let state = &endpoint.state;
    let start = state.clock.read();
    let _busy = mark_connection_busy(&request, start.elapsed);
    let id = RequestId::from_request_or_new(request.request(), state);
    let chunked_body = share_chunked_body(&mut request);
    let (request, payload) = request.into_parts();
    let span = LogSpan::ForRequest(&id, method_word(request.method()));
    let mut exchange = Exchange {
        request: &request,
        payload,
        state,
        id: &id,
        start,
        span: if H::HAS_LAZY_SPAN {
            span
        } else {
            LogSpan::Current
        },
        rate_limit: None,
        permits: Permits::default(),
    };
    let steps = async {
        // 2. Admit.
        if let Err(error) = admit(&mut exchange, endpoint.guards).await {
            return error.error_response();
        }
        // 3. Authorise.
        let authority = match H::Authority::authorise(&mut exchange).await {
            Ok(authority) => authority,
            Err(error) => return HttpResponse::from_error(error),
        };
        // 4. Handle.
        let outcome = endpoint.handler.handle(&mut exchange, &authority).await;
        outcome.unwrap_or_else(HttpResponse::from_error)
    };
    // After a panic the future is never polled again, so its inconsistent state is not observable.
    let steps = AssertUnwindSafe(steps).catch_unwind();
    let outcome = if H::HAS_LAZY_SPAN {
        steps.await
    } else {
        steps.instrument(span.create()).await
    };
    let rate_limit = exchange.rate_limit;
    drop(exchange);
    let mut response = outcome.unwrap_or_else(|_| span.in_scope(panicked));
    // 5. Observe.
    endpoint.observe(&request, &response, start.elapsed, span);
    // 6. Finish.
    add_common_headers(response.headers_mut(), rate_limit, id);
    let response = bound_response_body(ServiceResponse::new(request, response));
    hold_body_until_response(response, chunked_body)
}

impl<H: Handle> Endpoint<H> {
    /// Creates an endpoint.
    pub(crate) fn new(
        state: web::Data<AppState>,
        route: Option<String>,
        guards: Guards,
        handler: H,
    ) -> Self {
        Self {
            state,
            route,
            guards,
            handler,
            metrics: OnceCell::new(),
        }
    }

    /// Converts the endpoint into a service of actix.
    pub(crate) fn into_service(
        self,
    ) -> impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse,
        Error = actix_web::Error,
        InitError = (),
    > {
        let endpoint = Rc::new(self);
        fn_service(move |request| {
            let endpoint = Rc::clone(&endpoint);
            async move { Ok(serve(&endpoint, request).await) }
        })
    }
}

/// Sets the headers that every response has. These are the request id, `Cache-Control: no-store` unless the handler set another
/// value, `nosniff`, and the state of the caller's rate limit.
fn add_common_headers(headers: &mut HeaderMap, rate_limit: Option<RateLimitState>, id: RequestId) {
    let no_store = HeaderValue::from_static("no-store");
    let handler_value = headers.insert(header::CACHE_CONTROL, no_store).next();
    if let Some(handler_value) = handler_value {
        headers.insert(header::CACHE_CONTROL, handler_value);
    }
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Some(rate_limit) = rate_limit {
        RateLimitHeaders(rate_limit).write(headers);
    }
    id.write(headers);
}
