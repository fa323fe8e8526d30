//! Authorisation in a handler's signature.

use super::Caller;
use crate::error::ApiError;
use crate::in_flight::InFlightPermit;
use crate::limits::{RateLimitState, RateLimited, RateLimiters};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use voight_domain::registry::Client;
use voight_domain::vocabulary::{ClientId, Scope};

/// What a handler asks of its caller: a scope, and a place in a limit.
pub trait AccessPolicy: 'static {
    /// The scope that the key needs.
    const SCOPE: Scope;

    /// Whether what the handler does confirms the key, so that it may be let in by what was known of the key a moment ago.
    const REVALIDATED: bool = false;

    /// Counts a request of the client.
    fn count(limits: &RateLimiters, client: &Client) -> Result<RateLimitState, RateLimited>;

    /// The client's state, without counting.
    fn peek(limits: &RateLimiters, client: &Client) -> RateLimitState;
}

/// Asks whether an address is a bot's.
#[derive(Debug)]
pub enum LookupAccess {}

/// Vouches for an address, or redeems a receipt. Counts as a lookup.
#[derive(Debug)]
pub enum SessionAccess {}

/// Registers and changes contexts.
#[derive(Debug)]
pub enum RegistryAccess {}

/// Reads usage, heads and exports.
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

/// What a handler reads of a request once its caller is authorised.
pub trait RequestInput: Sized + 'static {
    /// Reads body, query and headers.
    fn read(request: &HttpRequest, payload: Payload) -> impl Future<Output = Result<Self, ApiError>>;
}

/// An authorised caller and what it sent. The input is read strictly after the authorisation, so that a caller without
/// a key learns nothing, not even what a valid request looks like.
#[derive(Debug)]
pub struct Authorized<A, I> {
    /// Who calls.
    pub caller: Caller,
    /// What was sent.
    pub input: I,
    access: PhantomData<A>,
    /// Counts the request among those of its client until it is answered.
    _in_flight: InFlightPermit<ClientId>,
}

impl<A: AccessPolicy, I: RequestInput> FromRequest for Authorized<A, I> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let (caller, permit) = Caller::authorise::<A>(&request, AppState::from_http_request(&request)?).await?;
            let input = I::read(&request, payload).await?;
            Ok(Self { caller, input, access: PhantomData, _in_flight: permit })
        })
    }
}
