//! Client of the admin API over HTTP, which every command uses to reach the service.

mod envelope;
mod path;
mod socket;

pub(crate) use path::Path;

use crate::data_dir::{AdminSocket, AdminToken};
use crate::exit::CommandError;
use crate::os::OsEntropy;
use envelope::Envelope;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use socket::{NoResolver, SocketConnector};
use std::time::Duration;
use ureq::config::Config;
use ureq::http::Response;
use ureq::typestate::WithBody;
use ureq::{Agent, Body, BodyReader, RequestBuilder};
use voight_api::admin::HandshakeProof;
use voight_api::proof::{self, ProvenRequest};

/// Timeout of a request, longer than any call of the admin API takes.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum size of a response, in bytes. It is far above a list of all invoices, and still fits into memory.
const MAX_RESPONSE_BYTES: u64 = 256 << 20;

/// Continues a message after the name of a listener that does not know the token.
const UNPROVEN: &str = "did not prove that it knows the admin token, so no request was sent: the server has another admin token (a named one may have been rotated), or \
     another program listens there; give the server's token in VOIGHT_ADMIN_TOKEN, or its data directory by --data-dir";

/// Base URL of requests over an admin socket, which accepts this `Host`.
const SOCKET_BASE: &str = "http://localhost";

/// Client of one admin listener.
#[derive(Debug, Clone)]
pub(crate) struct AdminClient {
    agent: Agent,
    base: String,
    /// Name of the listener in messages: its URL, or the path of its socket.
    place: String,
    token: AdminToken,
}

impl AdminClient {
    /// Creates a client of the admin listener at `base`, for example `http://127.0.0.1:8081`.
    pub(crate) fn new(base: &str, token: AdminToken) -> Self {
        let base = base.trim_end_matches('/').to_owned();
        Self { agent: Agent::new_with_config(config()), place: base.clone(), base, token }
    }

    /// Creates a client of the server that listens on an admin socket.
    pub(crate) fn over_socket(socket: AdminSocket, token: AdminToken) -> Self {
        let place = socket.path().display().to_string();
        let agent = Agent::with_parts(config(), SocketConnector(socket), NoResolver);
        Self { agent, base: SOCKET_BASE.to_owned(), place, token }
    }

    /// Sends a GET request.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &Path) -> Result<T, CommandError> {
        let request = self.agent.get(self.url(path)).header("authorization", self.proof("GET", path)?);
        self.read(request.call())
    }

    /// Sends a GET request and streams the response, of any length and without a timeout once it has begun.
    pub(crate) fn download(&self, path: &Path) -> Result<BodyReader<'static>, CommandError> {
        let request = self.agent.get(self.url(path)).header("authorization", self.proof("GET", path)?);
        let config = request.config().timeout_global(None).timeout_connect(Some(TIMEOUT));
        self.bytes(config.timeout_recv_response(Some(TIMEOUT)).build().call())
    }

    /// Sends a POST request.
    pub(crate) fn post<T: DeserializeOwned>(&self, path: &Path, body: &impl Serialize) -> Result<T, CommandError> {
        self.read(self.posting(path)?.send_json(body))
    }

    /// Sends a POST request without a timeout.
    pub(crate) fn post_and_wait<T: DeserializeOwned>(
        &self,
        path: &Path,
        body: &impl Serialize,
    ) -> Result<T, CommandError> {
        let config = self.posting(path)?.config().timeout_global(None).timeout_connect(Some(TIMEOUT));
        self.read(config.build().send_json(body))
    }

    /// Sends a POST request without a timeout, and streams the response, of any length.
    pub(crate) fn post_and_read(
        &self,
        path: &Path,
        body: &impl Serialize,
    ) -> Result<BodyReader<'static>, CommandError> {
        let config = self.posting(path)?.config().timeout_global(None).timeout_connect(Some(TIMEOUT));
        self.bytes(config.build().send_json(body))
    }

    /// Sends a PATCH request.
    pub(crate) fn patch<T: DeserializeOwned>(&self, path: &Path, body: &impl Serialize) -> Result<T, CommandError> {
        let request = self.agent.patch(self.url(path)).header("authorization", self.proof("PATCH", path)?);
        self.read(request.send_json(body))
    }

    fn posting(&self, path: &Path) -> Result<RequestBuilder<WithBody>, CommandError> {
        Ok(self.agent.post(self.url(path)).header("authorization", self.proof("POST", path)?))
    }

    /// Returns the proof of the admin token for one request.
    ///
    /// The listener first proves that it knows the token. The token itself is never sent.
    fn proof(&self, method: &str, path: &Path) -> Result<String, CommandError> {
        let token = self.token.for_listener();
        let hello = proof::handshake(&token, self.listener(), &OsEntropy.bytes());
        let call = Path::from_segments(["handshake"]);
        let answer: HandshakeProof = self.read(self.agent.post(self.url(&call)).send_json(&hello))?;
        let request = ProvenRequest { method, target: &path.to_string() };
        proof::authorization(&token, &hello, &answer, request)
            .ok_or_else(|| CommandError::configuration(format!("{} {UNPROVEN}", self.place)))
    }

    /// Returns the `Host` of requests.
    fn listener(&self) -> &str {
        let behind_scheme = self.base.split_once("://").map_or(self.base.as_str(), |(_, rest)| rest);
        behind_scheme.split_once('/').map_or(behind_scheme, |(authority, _)| authority)
    }

    fn url(&self, path: &Path) -> String {
        format!("{}{path}", self.base)
    }

    fn bytes(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<BodyReader<'static>, CommandError> {
        match answer {
            Ok(answer) if answer.status().is_success() => Ok(answer.into_body().into_reader()),
            answer => Err(self
                .read::<IgnoredAny>(answer)
                .err()
                .unwrap_or_else(|| CommandError::unreachable(format!("{} sent an unexpected response", self.place)))),
        }
    }

    fn read<T: DeserializeOwned>(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<T, CommandError> {
        let unreachable = |error: ureq::Error| {
            CommandError::unreachable(format!(
                "no answer from the server at {} ({error}); check that it runs and that --server names its admin listener",
                self.place
            ))
        };
        let mut answer = answer.map_err(unreachable)?;
        let status = answer.status().as_u16();
        let text = answer.body_mut().with_config().limit(MAX_RESPONSE_BYTES).read_to_string().map_err(unreachable)?;
        match serde_json::from_str::<Envelope<T>>(&text) {
            Ok(envelope) => envelope.outcome(status),
            Err(error) => Err(CommandError::unreachable(format!(
                "{} answered {status} with a body that is not a response of an admin listener ({error}); check --server",
                self.place
            ))),
        }
    }
}

fn config() -> Config {
    Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(TIMEOUT))
        // The admin listener is local or in a private network; a proxy of the environment must never see the token.
        .proxy(None)
        .max_redirects(0)
        .build()
}
