//! Authorisation of a platform by its key.

use super::{AccessPolicy, Caller, ClientIp, NoQuery, Query};
use crate::error::ApiError;
use crate::in_flight::InFlightPermit;
use crate::pipeline::{Authority, Exchange};
use actix_web::HttpRequest;
use actix_web::dev::Payload;
use std::future::Future;
use std::marker::PhantomData;
use voight_domain::vocabulary::ClientId;

/// Input that a handler reads from a request after its caller is authorised.
pub trait RequestInput: Sized + 'static {
    /// Reads body, query and headers.
    fn read(
        request: &HttpRequest,
        payload: Payload,
    ) -> impl Future<Output = Result<Self, ApiError>>;
}

impl RequestInput for NoQuery {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        Query::parse(request).map(|Query(no_query)| no_query)
    }
}

/// Authorised caller with its input.
#[derive(Debug)]
pub struct Authorized<'a, A, I> {
    /// Authorised caller.
    pub caller: &'a Caller,
    /// Input of the request.
    pub input: I,
    access: PhantomData<A>,
}

/// Authorisation of a request by the access policy `A`.
pub(crate) struct Authorisation<A> {
    /// Authorised caller.
    pub(crate) caller: Caller,
    access: PhantomData<A>,
    /// Permit that counts the request towards its client's limit until it is answered.
    _in_flight: InFlightPermit<ClientId>,
}

impl<A> Authorisation<A> {
    /// Adds the input of the request.
    pub(crate) const fn with_input<I>(&self, input: I) -> Authorized<'_, A, I> {
        Authorized {
            caller: &self.caller,
            input,
            access: PhantomData,
        }
    }
}

impl<A: AccessPolicy> Authority for Authorisation<A> {
    /// Authorises the caller, and takes a permit for a request in flight of its client. Sets the rate limit state of the exchange,
    /// also on some errors.
    async fn authorise(exchange: &mut Exchange<'_>) -> Result<Self, ApiError> {
        let request = exchange.request;
        let state = exchange.state;
        let span = exchange.span;
        let ip = ClientIp::from_http_request(request, state, span);
        let caller = Caller::authenticate::<A>(request, state, ip, span).await?;
        let client = &caller.api_key.client;
        if let Err(denied) = caller.permit::<A>(request, state, ip, span).await {
            let limits = &state.limits;
            exchange.rate_limit = limits.enabled().then(|| A::peek(limits, client));
            return Err(denied);
        }
        let key = caller.api_key.key.id;
        state.key_uses.note(key, state.clock.now());
        caller.count::<A>(state, &mut exchange.rate_limit)?;
        let in_flight = caller.in_flight(state)?;
        if let Some(body_permit) = exchange.body_permit() {
            body_permit.set_client(client.id);
        }
        Ok(Self {
            caller,
            access: PhantomData,
            _in_flight: in_flight,
        })
    }
}
