//! Authorisation in the signature of a handler.

use super::Caller;
use crate::error::ApiError;
use crate::in_flight::InFlightPermit;
use crate::limits::{RateLimitHeaders, RateLimitState, RateLimited, RateLimiters};
use crate::middleware::{LogSpan, RequestPermit};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use voight_domain::registry::Client;
use voight_domain::vocabulary::{ClientId, Scope};

/// Authorisation that a handler requires: a scope and a rate limit.
pub trait AccessPolicy: 'static {
    /// Scope that the key needs.
    const SCOPE: Scope;

    /// `true` if the handler revalidates the key, so that a cached key suffices for the authorisation.
    const REVALIDATED: bool = false;

    /// Counts a request of the client.
    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited>;

    /// Returns the client's rate limit state without counting.
    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState;
}

/// Lookups.
#[derive(Debug)]
pub enum LookupAccess {}

/// Sessions and receipts. Counted as lookups.
#[derive(Debug)]
pub enum SessionAccess {}

/// Registration and changes of contexts.
#[derive(Debug)]
pub enum RegistryAccess {}

/// Reads of usage, ledger heads and exports.
#[derive(Debug)]
pub enum UsageAccess {}

impl AccessPolicy for LookupAccess {
    const SCOPE: Scope = Scope::LookupRead;
    const REVALIDATED: bool = true;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        limits.lookups(client).check(client.id)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        limits.lookups(client).peek(client.id)
    }
}

impl AccessPolicy for SessionAccess {
    const SCOPE: Scope = LookupAccess::SCOPE;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        LookupAccess::count(limits, client)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        LookupAccess::peek(limits, client)
    }
}

impl AccessPolicy for RegistryAccess {
    const SCOPE: Scope = Scope::ContextRegister;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        limits.registrations().check(client.id)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        limits.registrations().peek(client.id)
    }
}

impl AccessPolicy for UsageAccess {
    const SCOPE: Scope = Scope::UsageRead;

    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited> {
        limits.usage().check(client.id)
    }

    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState {
        limits.usage().peek(client.id)
    }
}

/// Input that a handler reads from a request after its caller is authorised.
pub trait RequestInput: Sized + 'static {
    /// Reads body, query and headers.
    fn read(
        request: &HttpRequest,
        payload: Payload,
    ) -> impl Future<Output = Result<Self, ApiError>>;
}

/// Authorised caller with its input. The input is read strictly after the authorisation, so that a caller without a key learns
/// nothing, not even the format of a valid request.
#[derive(Debug)]
pub struct Authorized<A, I> {
    /// Authorised caller.
    pub caller: Caller,
    /// Input of the request.
    pub input: I,
    access: PhantomData<A>,
    /// Permit that counts the request towards its client's limit until it is answered.
    _in_flight: InFlightPermit<ClientId>,
}

impl<A: AccessPolicy, I: RequestInput> FromRequest for Authorized<A, I> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let (state, mut rate_limit) = (AppState::from_http_request(&request)?, None);
            let authorisation = Caller::authenticate_and_authorise::<A>(
                &request,
                state,
                LogSpan::Current,
                &mut rate_limit,
            )
            .await;
            if let Some(rate_limit) = rate_limit {
                request
                    .extensions_mut()
                    .insert(RateLimitHeaders(rate_limit));
            }
            let (caller, permit) = authorisation?;
            if let Some(body_permit) = RequestPermit::of(&request) {
                body_permit.set_client(caller.api_key.client.id);
            }
            let input = I::read(&request, payload).await?;
            Ok(Self {
                caller,
                input,
                access: PhantomData,
                _in_flight: permit,
            })
        })
    }
}
