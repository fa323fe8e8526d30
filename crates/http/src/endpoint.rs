//! Mounts endpoints: one row for each path, with its guards and a handler for each of its methods.

use crate::error::ApiError;
use crate::extract::{AccessPolicy, Authorisation, Authorized, RequestInput};
use crate::pipeline::{Endpoint, Exchange, Guards, Handle};
use crate::state::AppState;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{FromRequest, Handler, HttpMessage, HttpResponse, Resource, Responder, Route, web};
use std::marker::PhantomData;
use voight_api::ErrorId;
use voight_api::public::routes::PublicRoute;
use voight_api::route;

/// Endpoints of a path.
pub(crate) struct Endpoints {
    path: String,
    guards: Guards,
    methods: Vec<Method>,
    routes: Vec<CreateRoute>,
}

/// Creates the route of a method for a worker.
type CreateRoute = Box<dyn FnOnce(&web::Data<AppState>, &str) -> Route>;

impl Endpoints {
    /// Creates a path without methods. `guards` apply to its methods, and without limits and permits to every other method.
    pub(crate) fn new(path: impl Into<String>, guards: Guards) -> Self {
        Self {
            path: path.into(),
            guards,
            methods: Vec::new(),
            routes: Vec::new(),
        }
    }

    /// Creates the path of a row of the public API.
    pub(crate) fn for_row(row: &PublicRoute, handler: impl Handle) -> Self {
        Self::new(row.path, Guards::PLATFORMS).add(method(row.method), handler)
    }

    /// Adds a method.
    pub(crate) fn add(mut self, method: Method, handler: impl Handle) -> Self {
        self.push(method, self.guards, handler);
        self
    }

    /// Adds a method with its own guards.
    pub(crate) fn push(&mut self, method: Method, guards: Guards, handler: impl Handle) {
        self.methods.push(method.clone());
        self.routes.push(Box::new(move |state, path| {
            let endpoint = Endpoint::new(state.clone(), Some(path.to_owned()), guards, handler);
            web::method(method).service(endpoint.into_service())
        }));
    }

    /// Returns the path.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the methods, as in the header `Allow`.
    pub(crate) fn allow(&self) -> String {
        let methods: Vec<_> = self.methods.iter().map(Method::as_str).collect();
        methods.join(", ")
    }

    /// Converts the path into a resource of actix. Methods without a handler fail with 405.
    pub(crate) fn into_resource(self, state: &web::Data<AppState>) -> Resource {
        let fallback = Endpoint::new(
            state.clone(),
            Some(self.path.clone()),
            self.guards.without_admission(),
            OtherMethod {
                allow: self.allow(),
            },
        );
        // Resources instead of routes: the route macros of actix guard the resource instead of the route, which turns a wrong
        // method into 404.
        let resource = web::resource(&*self.path).default_service(fallback.into_service());
        let routes = self.routes.into_iter();
        routes.fold(resource, |resource, create_route| {
            resource.route(create_route(state, &self.path))
        })
    }
}

/// Returns the method of a row.
pub(crate) const fn method(method: route::Method) -> Method {
    match method {
        route::Method::Get => Method::GET,
        route::Method::Post => Method::POST,
        route::Method::Patch => Method::PATCH,
        route::Method::Put => Method::PUT,
        route::Method::Delete => Method::DELETE,
    }
}

/// Handler that answers every request with an error.
pub(crate) struct Fail(pub(crate) ApiError);

impl Handle for Fail {
    type Authority = ();

    async fn handle(&self, _: &mut Exchange<'_>, (): &()) -> Result<HttpResponse, ApiError> {
        Err(self.0.clone())
    }
}

/// Handler of the methods that a path does not allow.
struct OtherMethod {
    allow: String,
}

impl Handle for OtherMethod {
    type Authority = ();

    async fn handle(&self, _: &mut Exchange<'_>, (): &()) -> Result<HttpResponse, ApiError> {
        let allow = HeaderValue::from_str(&self.allow).map_err(|_| ErrorId::Internal)?;
        let mut response = HttpResponse::from_error(ApiError::new(ErrorId::MethodNotAllowed));
        response.headers_mut().insert(header::ALLOW, allow);
        Ok(response)
    }
}

/// Handler of a function that requires a key with the access `A`, and reads an input of type `I`.
pub(crate) struct KeyHandler<F, A, I> {
    function: F,
    types: PhantomData<fn() -> (A, I)>,
}

/// Converts a function that requires a key into a handler.
pub(crate) const fn with_key<F, A, I>(function: F) -> KeyHandler<F, A, I>
where
    F: AsyncFn(web::Data<AppState>, Authorized<A, I>) -> Result<HttpResponse, ApiError>,
{
    KeyHandler {
        function,
        types: PhantomData,
    }
}

impl<F, A, I> Handle for KeyHandler<F, A, I>
where
    F: AsyncFn(web::Data<AppState>, Authorized<A, I>) -> Result<HttpResponse, ApiError> + 'static,
    A: AccessPolicy,
    I: RequestInput,
{
    type Authority = Authorisation<A>;

    async fn handle(
        &self,
        exchange: &mut Exchange<'_>,
        authority: &Authorisation<A>,
    ) -> Result<HttpResponse, ApiError> {
        let input = I::read(exchange.request, exchange.payload.take()).await?;
        (self.function)(exchange.state.clone(), authority.with_input(input)).await
    }
}

/// Handler of a function without key, whose arguments actix extracts.
pub(crate) struct ArgumentsHandler<F, Args> {
    function: F,
    types: PhantomData<fn() -> Args>,
}

/// Converts a function without key into a handler.
pub(crate) const fn with_arguments<F, Args>(function: F) -> ArgumentsHandler<F, Args>
where
    F: Handler<Args>,
{
    ArgumentsHandler {
        function,
        types: PhantomData,
    }
}

impl<F, Args> Handle for ArgumentsHandler<F, Args>
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    type Authority = ();

    async fn handle(&self, exchange: &mut Exchange<'_>, (): &()) -> Result<HttpResponse, ApiError> {
        let request = exchange.request;
        request.extensions_mut().insert(exchange.id.clone());
        let arguments = Args::from_request(request, &mut exchange.payload).await;
        Ok(match arguments {
            Ok(arguments) => {
                let output = self.function.call(arguments).await;
                output.respond_to(request).map_into_boxed_body()
            }
            Err(error) => HttpResponse::from_error(error),
        })
    }
}
