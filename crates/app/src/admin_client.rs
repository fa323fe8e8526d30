//! Client of the admin API over HTTP, which every command uses to reach the service.

mod envelope;
mod readiness;
mod socket;

use crate::data_dir::AdminSocket;
use crate::exit::CommandError;
use crate::os::OsEntropy;
pub(crate) use envelope::Envelope;
pub(crate) use readiness::readiness;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::json;
use socket::{NoResolver, SocketConnector};
use std::time::Duration;
use ureq::config::Config;
use ureq::http;
use ureq::typestate::{WithBody, WithoutBody};
use ureq::{Agent, Body, BodyReader, RequestBuilder};
use voight_api::AdminTokenSecret;
use voight_api::admin::HandshakeProof;
use voight_api::admin::routes::SHOW_OWN_TOKEN;
use voight_api::proof::{self, HANDSHAKE_PATH, ProvenRequest};
use voight_api::route::{Call, EmptyBody, Method, Response};

/// Timeout of a request. Requests that may take longer, such as a test of a webhook endpoint, have it for the connection only.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum size of a response, in bytes. It is far above a list of all invoices, and still fits into memory.
const MAX_RESPONSE_BYTES: u64 = 256 << 20;

/// Continues a message after the name of a listener that does not know the token.
const UNPROVEN: &str = "did not prove that it knows the admin token, so no request was sent: the server has another admin token (a named one may have been rotated), or \
     another program listens there; give the server's token in VOIGHT_ADMIN_TOKEN, or its data directory by --data-dir";

/// Base URL of requests over an admin socket, which accepts this `Host`.
const SOCKET_BASE: &str = "http://localhost";

/// Admin listener of a server.
#[derive(Debug, Clone)]
pub(crate) enum AdminListener {
    /// Base URL, for example `http://127.0.0.1:8081`.
    Url(String),
    /// Socket in a data directory.
    Socket(AdminSocket),
}

/// Client of one admin listener.
#[derive(Debug, Clone)]
pub(crate) struct AdminClient {
    agent: Agent,
    base: String,
    /// Name of the listener in messages: its URL, or the path of its socket.
    place: String,
    token: AdminTokenSecret,
}

impl AdminClient {
    /// Creates a client of the admin listener at `base`, for example `http://127.0.0.1:8081`.
    pub(crate) fn new(base: &str, token: AdminTokenSecret) -> Self {
        Self::for_listener(AdminListener::Url(base.to_owned()), token)
    }

    /// Creates a client of an admin listener.
    pub(crate) fn for_listener(listener: AdminListener, token: AdminTokenSecret) -> Self {
        let place = listener.place();
        let base = listener.base();
        Self {
            agent: listener.agent(config()),
            base,
            place,
            token,
        }
    }

    /// Verifies the connection with the cheapest request that requires a token of any role. Accepts any data in the response.
    pub(crate) fn ping(&self) -> Result<(), CommandError> {
        self.read::<IgnoredAny>(self.getting(&SHOW_OWN_TOKEN.call([]))?.call())
            .map(drop)
    }

    /// Sends a request without a body.
    pub(crate) fn call<R: Response>(
        &self,
        call: &Call<EmptyBody, R>,
    ) -> Result<R::Data, CommandError> {
        match call.method() {
            Method::Get => self.read(self.getting(call)?.call()),
            Method::Delete => self.read(self.deleting(call)?.call()),
            // The listener demands a JSON object.
            Method::Post | Method::Patch | Method::Put => {
                self.read(self.sending(call)?.send_json(json!({})))
            }
        }
    }

    /// Sends a request without a body and streams the response, of any length and without a timeout once it has begun.
    pub(crate) fn download<R>(
        &self,
        call: &Call<EmptyBody, R>,
    ) -> Result<BodyReader<'static>, CommandError> {
        self.stream(self.getting(call)?)
    }

    /// Streams server-sent events like [`download`](Self::download), from the one after the cursor on.
    pub(crate) fn follow<R>(
        &self,
        call: &Call<EmptyBody, R>,
        cursor: Option<&str>,
    ) -> Result<BodyReader<'static>, CommandError> {
        let mut request = self.getting(call)?;
        if let Some(cursor) = cursor {
            request = request.header("last-event-id", cursor);
        }
        self.stream(request)
    }

    fn stream(
        &self,
        request: RequestBuilder<WithoutBody>,
    ) -> Result<BodyReader<'static>, CommandError> {
        let config = request
            .config()
            .timeout_global(None)
            .timeout_connect(Some(TIMEOUT));
        self.bytes(config.timeout_recv_response(Some(TIMEOUT)).build().call())
    }

    /// Sends a request with a body.
    pub(crate) fn send<B: Serialize, R: Response>(
        &self,
        call: &Call<B, R>,
        body: &B,
    ) -> Result<R::Data, CommandError> {
        self.read(self.sending(call)?.send_json(body))
    }

    /// Sends a `POST` without a body, without a timeout.
    pub(crate) fn call_and_wait<R: Response>(
        &self,
        call: &Call<EmptyBody, R>,
    ) -> Result<R::Data, CommandError> {
        self.read(self.sending_without_timeout(call)?.send_json(json!({})))
    }

    /// Sends a request with a body, without a timeout.
    pub(crate) fn send_and_wait<B: Serialize, R: Response>(
        &self,
        call: &Call<B, R>,
        body: &B,
    ) -> Result<R::Data, CommandError> {
        self.read(self.sending_without_timeout(call)?.send_json(body))
    }

    /// Sends a request with a body, without a timeout, and streams the response, of any length.
    pub(crate) fn send_and_read<B: Serialize, R>(
        &self,
        call: &Call<B, R>,
        body: &B,
    ) -> Result<BodyReader<'static>, CommandError> {
        self.bytes(self.sending_without_timeout(call)?.send_json(body))
    }

    fn getting<B, R>(
        &self,
        call: &Call<B, R>,
    ) -> Result<RequestBuilder<WithoutBody>, CommandError> {
        Ok(self
            .agent
            .get(self.url(call.target()))
            .header("authorization", self.proof(call)?))
    }

    fn deleting<B, R>(
        &self,
        call: &Call<B, R>,
    ) -> Result<RequestBuilder<WithoutBody>, CommandError> {
        Ok(self
            .agent
            .delete(self.url(call.target()))
            .header("authorization", self.proof(call)?))
    }

    fn sending<B, R>(&self, call: &Call<B, R>) -> Result<RequestBuilder<WithBody>, CommandError> {
        let url = self.url(call.target());
        let request = if call.method() == Method::Patch {
            self.agent.patch(url)
        } else {
            self.agent.post(url)
        };
        Ok(request.header("authorization", self.proof(call)?))
    }

    fn sending_without_timeout<B, R>(
        &self,
        call: &Call<B, R>,
    ) -> Result<RequestBuilder<WithBody>, CommandError> {
        let config = self
            .sending(call)?
            .config()
            .timeout_global(None)
            .timeout_connect(Some(TIMEOUT));
        Ok(config.build())
    }

    /// Returns the proof of the admin token for one request.
    ///
    /// The listener first proves that it knows the token. The token itself is never sent.
    fn proof<B, R>(&self, call: &Call<B, R>) -> Result<String, CommandError> {
        let token = &self.token;
        let hello = proof::handshake(token, self.listener(), &OsEntropy.bytes());
        let answer: HandshakeProof =
            self.read(self.agent.post(self.url(HANDSHAKE_PATH)).send_json(&hello))?;
        let request = ProvenRequest {
            method: call.method().as_str(),
            target: call.target(),
        };
        proof::authorization(token, &hello, &answer, request)
            .ok_or_else(|| CommandError::configuration(format!("{} {UNPROVEN}", self.place)))
    }

    /// Returns the `Host` of requests.
    fn listener(&self) -> &str {
        let behind_scheme = self
            .base
            .split_once("://")
            .map_or(self.base.as_str(), |(_, rest)| rest);
        behind_scheme
            .split_once('/')
            .map_or(behind_scheme, |(authority, _)| authority)
    }

    fn url(&self, target: &str) -> String {
        format!("{}{target}", self.base)
    }

    fn bytes(
        &self,
        answer: Result<http::Response<Body>, ureq::Error>,
    ) -> Result<BodyReader<'static>, CommandError> {
        match answer {
            Ok(answer) if answer.status().is_success() => Ok(answer.into_body().into_reader()),
            answer => Err(self.read::<IgnoredAny>(answer).err().unwrap_or_else(|| {
                CommandError::unreachable(format!("{} sent an unexpected response", self.place))
            })),
        }
    }

    fn read<T: DeserializeOwned>(
        &self,
        answer: Result<http::Response<Body>, ureq::Error>,
    ) -> Result<T, CommandError> {
        let unreachable = |error: ureq::Error| {
            CommandError::unreachable(format!(
                "no answer from the server at {} ({error}); check that it runs and that --server names its admin listener",
                self.place
            ))
        };
        let mut answer = answer.map_err(unreachable)?;
        let status = answer.status().as_u16();
        let text = answer
            .body_mut()
            .with_config()
            .limit(MAX_RESPONSE_BYTES)
            .read_to_string()
            .map_err(unreachable)?;
        match serde_json::from_str::<Envelope<T>>(&text) {
            Ok(envelope) => envelope.outcome(status),
            Err(error) => Err(CommandError::unreachable(format!(
                "{} answered {status} with a body that is not a response of an admin listener ({error}); check --server",
                self.place
            ))),
        }
    }
}

impl AdminListener {
    /// Returns the name of the listener in messages: its URL, or the path of its socket.
    fn place(&self) -> String {
        match self {
            Self::Url(_) => self.base(),
            Self::Socket(socket) => socket.path().display().to_string(),
        }
    }

    fn base(&self) -> String {
        match self {
            Self::Url(url) => url.trim_end_matches('/').to_owned(),
            Self::Socket(_) => SOCKET_BASE.to_owned(),
        }
    }

    fn agent(self, config: Config) -> Agent {
        match self {
            Self::Url(_) => Agent::new_with_config(config),
            Self::Socket(socket) => Agent::with_parts(config, SocketConnector(socket), NoResolver),
        }
    }
}

fn config() -> Config {
    config_with_timeout(TIMEOUT)
}

fn config_with_timeout(timeout: Duration) -> Config {
    Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(timeout))
        // The admin listener is local or in a private network; a proxy of the environment must never see the token.
        .proxy(None)
        .max_redirects(0)
        .build()
}
